-- Calls that differ between ranks, for spec/mpi/mpi_spec.lua: all ranks raise, and the next call works.

local mpi = require "lunarray.mpi"

local function refused(wanted, f, ...)
    local ok, problem = pcall(f, ...)
    problem = tostring(problem):match "lunarray: (.*)"
    if ok or problem ~= wanted then error(tostring(problem) .. "\n" .. wanted, 2) end
end

mpi.run(function(comm)
    local dev, rank = comm:device(), comm:rank()
    local first = rank == 1
    local x = dev:ones(first and { 2, 3 } or { 3, 2 })
    local y = dev:ones({ 4, 2 }, first and "f32" or "i16")

    -- A call and its arguments, and what all ranks say of it; from the third rank on they are like the second's.
    local function differ(wanted, name, ...)
        refused(("%s: the ranks' calls differ: "):format(name) .. wanted, comm[name], comm, ...)
        if comm:allreduce(1) ~= comm:size() then error "the next call is wrong" end
    end
    differ("rank 1 allreduce sum of 2x3 f32, rank 2 allreduce sum of 3x2 f32", "allreduce", x)
    differ("rank 1 allreduce max of 4x2 f32, rank 2 allreduce max of 4x2 i16", "allreduce", y, "max")
    differ("rank 1 allreduce max of 2x3 f32, rank 2 allreduce min of 2x3 f32", "allreduce", dev:ones { 2, 3 },
        first and "max" or "min")
    differ("rank 1 allreduce sum of 2x3 f32, rank 2 allreduce sum of a number", "allreduce", first and x or 5)
    differ("rank 1 allreduce sum of 2x3 f32, rank 2 allreduce sum in order of 3x2 f32", "allreduce", x, "sum",
        { exact = not first })
    differ("rank 1 reduce sum to rank 1 of 2x3 f32, rank 2 reduce sum to rank 2 of 2x3 f32", "reduce",
        dev:ones { 2, 3 }, "sum", { root = first and 1 or 2 })
    differ("rank 1 bcast from rank 1 of 2x3 f32, rank 2 bcast from rank 1 of 3x2 f32", "bcast", x)
    differ("rank 1 bcast from rank 1 of values, rank 2 bcast from rank 1 of 3x2 f32", "bcast", first and 5 or x)
    differ("rank 1 gather to rank 1 of *x3 f32, rank 2 gather to rank 1 of *x2 f32", "gather", x)
    differ("rank 1 gather to rank 1 of *x3 f32, rank 2 gather to rank 1 of values", "gather", first and x or "x")
    differ("rank 1 scatter from rank 1 of *x3 f32, rank 2 scatter from rank 1 of *x2 f32", "scatter",
        first and x or nil, { out = not first and x or nil })
    differ("rank 1 allgather along axis 1 of *x2 f32, rank 2 allgather along axis 1 of *x2 i16", "allgather", y)
    differ("rank 1 allgather along axis 2 of 2x* f32, rank 2 allgather along axis 2 of 3x* f32", "allgather", x,
        { axis = -1 })
    differ("rank 1 alltoall of 6x2 f32, rank 2 alltoall of 6x2 i16", "alltoall", dev:ones({ 6, 2 }, y:dtype()))
    differ("rank 1 exchange of 1 rows along axis 1 of *x2 f32, rank 2 exchange of 1 rows along axis 1 of *x2 i16",
        "exchange", y)

    -- Another call, and arguments of one rank that are wrong.
    local called = first and "bcast" or "barrier"
    refused(called .. ": the ranks' calls differ: rank 1 bcast from rank 1 of values, rank 2 barrier", function()
        if first then
            comm:bcast(1)
        else
            comm:barrier()
        end
    end)
    if first then
        refused("scatter: argument 1: an array, or a list of 2 values, is needed, got 7", comm.scatter, comm, 7)
        refused("allreduce: option 'out': an array of 2x3 f32 is needed, got 4x2 f32", comm.allreduce, comm, x, "sum",
            { out = y })
        refused("split: argument 1: a whole number from 0 is needed, or nil, got a string", comm.split, comm, "1")
    else
        refused("scatter: rank 1 raises: argument 1: an array, or a list of 2 values, is needed, got 7", comm.scatter,
            comm)
        refused("allreduce: rank 1 raises: option 'out': an array of 2x3 f32 is needed, got 4x2 f32", comm.allreduce,
            comm, dev:ones { 2, 3 })
        refused("split: rank 1 raises: argument 1: a whole number from 0 is needed, or nil, got a string", comm.split,
            comm, 1)
    end

    -- What comes has no room in `out`: that rank raises, the others have their parts, and the next call works.
    local small = dev:zeros { 1 }
    if first then
        refused("allgather: option 'out': an array of 4 f32 is needed, got 1 f32", comm.allgather, comm, dev:ones { 2 },
            { out = small })
        refused("gather: option 'out': an array of 4 f32 is needed, got 1 f32", comm.gather, comm, dev:ones { 2 },
            { out = small })
        refused("recv: option 'out': an array of 2x3 f32 is needed, got 1 f32", comm.recv, comm, 2, { out = small })
        comm:scatter(dev:ones { 4 })
    else
        comm:allgather(dev:ones { 2 })
        comm:gather(dev:ones { 2 })
        comm:send(dev:ones { 2, 3 }, 1)
        refused("scatter: option 'out': an array of 2 f32 is needed, got 1 f32", comm.scatter, comm, nil,
            { out = small })
    end
    local released = dev:ones { 2 }
    released:release()
    for _, name in ipairs { "allreduce", "gather", "bcast", "exchange", "alltoall", "send" } do
        local to = name == "send" and 1 or nil
        refused(name .. ": argument 1: the array was released", comm[name], comm, released, to)
    end
    local problem = ("save: /nowhere/x.1.%d: No such file or directory"):format(rank)
    refused(problem, comm.save, comm, "/nowhere/x", { a = small })
    if comm:allreduce(rank) == 3 and first then print "all raise" end
end)
