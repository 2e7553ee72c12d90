-- Mistakes between two ranks, and what is said of them, for spec/mpi/mpi_spec.lua.

local lun = require "lunarray"
local mpi = require "lunarray.mpi"

mpi.run(function(comm)
    local dev, x = comm:device(), lun.ones { 2, 3 }
    local function refused(wanted, f, ...)
        local ok, problem = pcall(f, ...)
        problem = tostring(problem):match "lunarray: (.*)"
        if ok or problem ~= wanted then error(tostring(problem) .. "\n" .. wanted, 2) end
    end
    refused("allreduce: argument 1: an array or a number is needed, got a string", comm.allreduce, comm, "x")
    refused("allreduce: argument 2: an operation is needed (sum, prod, min, max, land, lor, lxor, band, "
        .. "bor, bxor), got 'mean'", comm.allreduce, comm, x, "mean")
    refused("allreduce: 'band' is not possible with f32; sum, prod, min and max are", comm.allreduce, comm, x, "band")
    refused("allreduce: 'max' is not possible with c64; sum and prod are", comm.allreduce, comm, x:cast "c64", "max")
    refused("allreduce: 'sum' is not possible with bool; land, lor, lxor, min and max are", comm.allreduce, comm,
        x:gt(0))
    refused("allreduce: option 'out': an array of 2x3 f32 is needed, got 3x2 f32", comm.allreduce, comm, x, "sum",
        { out = dev:ones { 3, 2 } })
    refused("allreduce: option 'out': an array is needed, got 5", comm.allreduce, comm, x, "sum", { out = 5 })
    refused("allreduce: unknown option 'axis'; known are async, exact, out, timeout", comm.allreduce, comm, x, "sum",
        { axis = 1 })
    refused("allreduce: argument 3: a table of options is needed, got 7", comm.allreduce, comm, x, "sum", 7)
    refused("reduce: option 'root': a rank from 1 to 2 is needed, got 3", comm.reduce, comm, x, "sum", { root = 3 })
    refused("barrier: option 'timeout': seconds above 0 are needed, got 0", comm.barrier, comm, { timeout = 0 })
    refused("send: argument 2: a rank from 1 to 2 is needed, got nothing", comm.send, comm, x)
    refused("send: option 'tag': a whole number from 0 to 31999 is needed, got -1", comm.send, comm, x, 1, { tag = -1 })
    refused("send: an array, a number, a string, a boolean or nil is needed, got a table", comm.send, comm, {}, 1)
    refused("recv: argument 1: a rank from 1 to 2 is needed, got 0", comm.recv, comm, 0)
    refused("gather: argument 1: an array with at least one axis is needed, got one without axes", comm.gather, comm,
        dev:zeros {})
    refused("allgather: option 'axis': an axis from 1 to 2 is needed, got 3", comm.allgather, comm, x, { axis = 3 })
    refused("alltoall: 3 rows do not divide among 2 ranks", comm.alltoall, comm, dev:ones { 3 })
    refused("alltoall: argument 1: an array, or a list of 2 values, is needed, got 7", comm.alltoall, comm, 7)
    refused("exchange: argument 1: an array is needed, got 7", comm.exchange, comm, 7)
    refused("exchange: axis 1 has 2 rows; at least 1 of its own and 1 of each neighbour's are needed", comm.exchange,
        comm, x)
    refused("exchange: option 'width': a whole number from 1 is needed, got 0", comm.exchange, comm, x, { width = 0 })
    refused("split: argument 1: a whole number from 0 is needed, or nil, got -1", comm.split, comm, -1)
    refused("split: argument 2: a whole number is needed, got 0.5", comm.split, comm, 1, 0.5)
    refused("device: argument 1: a type or a part of a name is needed, got 1", comm.device, comm, 1)
    refused("rank: self: a communicator is needed, got nothing; is it called with a colon?", comm.rank)
    refused("x: a communicator cannot be assigned to", function() comm.x = 1 end)
    refused("sum: a communicator has no such method; it has rank, size, host, device, split, barrier, bcast, send, "
        .. "recv, reduce, allreduce, gather, scatter, allgather, alltoall, exchange, save and load",
        function() comm:sum() end)
    refused("save: argument 1: a path is needed, got nothing", comm.save, comm)
    refused("save: argument 2: a table of arrays and values by name is needed, got an array", comm.save, comm, "x", x)
    refused("save: argument 2: names are strings, got 1", comm.save, comm, "x", { x })
    refused("save: argument 2, 'a': an array with at least one axis is needed, got one "
        .. "without axes", comm.save, comm, "x",
        { a = dev:zeros {} })
    refused("save: an array, a number, a string, a boolean or nil is needed, got a table", comm.save, comm, "x",
        { a = {} })
    refused("save: the ranks pass different values: rank 2 does not pass the same 'b'", comm.save, comm, "x",
        { b = comm:rank() == 1 and x or x:t() })
    refused("load: argument 1: a path is needed, got 7", comm.load, comm, 7)
    refused("load: /nowhere/x: No such file or directory", comm.load, comm, "/nowhere/x")
    local later = { async = true }
    refused("bcast: argument 1: with async an array is needed, got nothing", comm.bcast, comm, nil, later)
    refused("allreduce: argument 1: with async an array is needed, got 7", comm.allreduce, comm, 7, "sum", later)
    refused("allreduce: option 'out': an array is needed, got 5", comm.allreduce, comm, x, "sum",
        { async = true, out = 5 })
    refused("allgather: argument 1: with async an array is needed, got a string", comm.allgather, comm, "x", later)
    refused("allgather: option 'axis': with async the parts must be along axis 1, got 2", comm.allgather, comm, x,
        { async = true, axis = 2 })
    refused("recv: option 'out': with async an array for the received data is needed, got "
        .. "nothing", comm.recv, comm, 1, later)
    refused("recv: argument 1: with async a rank is needed, got nothing", comm.recv, comm, nil,
        { async = true, out = x })
    refused("send: argument 1: with async an array is needed, got a string", comm.send, comm, "x", 1, later)
    refused("scatter: 3 rows do not divide among 2 ranks", comm.scatter, comm, dev:ones { 3 },
        { async = true, root = comm:rank(), out = dev:ones { 1 } })
    comm._inner.threads = false
    refused("barrier: option 'async': this MPI cannot be called from another thread "
        .. "(MPI_THREAD_MULTIPLE)", comm.barrier, comm, later)
    comm._inner.threads = true
    comm:barrier()
    if comm:rank() == 1 then print "refused" end
end)
