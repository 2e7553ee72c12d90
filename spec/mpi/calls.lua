-- All calls between ranks, for spec/mpi/mpi_spec.lua: mpirun -n <ranks> lua5.4 spec/mpi/calls.lua

local lun = require "lunarray"
local mpi = require "lunarray.mpi"
local calls = require "lunarray.mpi_core"

local function same(wanted, got)
    if wanted ~= got then
        error(("%s is needed, got %s"):format(wanted, got), 2)
    end
end

local function same_list(wanted, got)
    same(table.concat(wanted, " "), table.concat(got, " "))
end

local all = {} -- each gets the communicator, its device, rank and size

function all.numbers(comm, _, rank, size)
    same(size * (size + 1) // 2, comm:allreduce(rank))
    same("integer", math.type(comm:allreduce(rank)))
    same(size + 0.5, comm:allreduce(rank + 0.5, "max"))
    same(0.5, comm:allreduce(rank == size and 0.5 or rank, "min"))
    same(1, comm:allreduce(rank, "land"))
    same(0, comm:allreduce(rank - 1, "land"))
    local bits = 0
    for i = 1, size do
        bits = bits | 1 << i
    end
    same(bits, comm:allreduce(1 << rank, "bor"))
    local product = comm:reduce(rank, "prod", { root = size })
    same(rank == size and (size == 3 and 6 or size) or nil, product)
end

function all.reductions(comm, dev, rank, size)
    local total = size * (size + 1) // 2
    for _, dtype in ipairs { "i8", "u16", "i32", "i64", "f16", "f32", "f64", "c64" } do
        local a = dev:full({ 3, 2 }, rank, dtype)
        local sum = comm:allreduce(a)
        same(dtype, sum:dtype())
        same_list({ 3, 2 }, { sum:shape() })
        same(true, sum:eq(total):all())
        same(true, a:eq(rank):all())
    end
    local a = dev:full({ 2, 3 }, rank)
    same(a, comm:allreduce(a, "max", { out = a }))
    same(true, a:eq(size):all())
    local view = dev:arange(1, 12):cast("f32"):reshape(3, 4):t()
    same(true, comm:allreduce(view, "sum"):eq(view * size):all())
    comm:allreduce(view, "min", { out = view })
    local any = comm:reduce(dev:full({ 4 }, rank > 1, "bool"), "lor", { root = 1 })
    same(rank == 1 and (size > 1 and 4 or 0) or nil, any and any:nnz())
    local most = comm:reduce(dev:full({ 3 }, 4, "u8"), "max", { root = size })
    same(rank == size and 12 or nil, most and most:sum())
    same(0, comm:allreduce(dev:zeros { 0, 3 }):size())
    same(total, comm:allreduce(dev:full({}, rank, "i32")):get())
end

function all.exactly(comm, dev, rank, size)
    local wanted = 0.1
    for i = 2, size do
        wanted = wanted + 0.1 * i
    end
    local sum = comm:allreduce(dev:full({ 7 }, 0.1 * rank, "f64"), "sum", { exact = true })
    same(true, sum:eq(wanted):all())
    same(7, #sum)
    local least = comm:reduce(dev:full({ 2, 2 }, rank), "min", { exact = true, root = size })
    same(rank == size and 4 or nil, least and least:eq(1):nnz())
end

-- A NaN of any rank stays; truth values of integers, and min and max of truth values, in order or not.
function all.extremes(comm, dev, rank, size)
    local nan = 0 / 0
    for _, op in ipairs { "min", "max" } do
        for at = 1, size do
            local number = comm:allreduce(rank == at and nan or rank, op)
            same(true, number ~= number)
            for _, dtype in ipairs { "f16", "f32", "f64" } do
                local a = dev:array({ rank == at and nan or 1, rank, -math.huge }, dtype)
                for _, exact in ipairs { false, true } do
                    local one = comm:allreduce(a, op, { exact = exact })
                    same("true false false", table.concat({ tostring(one:isnan():get(1)), tostring(one:isnan():get(2)),
                        tostring(one:isnan():get(3)) }, " "))
                    same(op == "max" and size + 0.0 or 1.0, one:get(2))
                end
            end
        end
    end
    local integers = dev:array({ rank - 1, 0, 256 * rank }, "i32")
    local truths = dev:array({ rank > 1, false, true }, "bool")
    for _, exact in ipairs { false, true } do
        for _, each in ipairs { { "land", "0 0 1" }, { "lor", (size > 1 and 1 or 0) .. " 0 1" },
            { "lxor", (size - 1) % 2 .. " 0 " .. size % 2 } } do
            local op, wanted = each[1], each[2]
            local got = comm:allreduce(integers, op, { exact = exact })
            same("i32", got:dtype())
            same(wanted, table.concat(got:totable(), " "))
            same(wanted, table.concat(comm:allreduce(truths, op, { exact = exact }):cast("u8"):totable(), " "))
        end
        same("0 0 1", table.concat(comm:allreduce(truths, "min", { exact = exact }):cast("u8"):totable(), " "))
        local most = comm:allreduce(truths, "max", { exact = exact, async = true }):get()
        same("bool", most:dtype())
        same(size > 1 and 2 or 1, most:nnz())
        same(1, comm:allreduce(integers, "land", { exact = exact, async = true }):get():get(3))
    end
end

function all.broadcasts(comm, dev, rank, size)
    local a = comm:bcast(rank == 1 and dev:arange(1, 6):reshape(2, 3) or nil)
    same_list({ 1, 2, 3, 4, 5, 6 }, a:reshape(6):totable())
    same("i64", a:dtype())
    local mine = dev:full({ 3 }, rank)
    same(mine, comm:bcast(mine, { root = size }))
    same(true, mine:eq(size):all())
    for _, value in ipairs { 7, 7.5, "", "text\0more", true, false } do
        local given = value
        if rank ~= size then
            given = nil
        end
        same(value, comm:bcast(given, { root = size }))
    end
    same(nil, comm:bcast(nil))
end

function all.messages(comm, dev, rank, size)
    if rank > 1 then
        local x, from = comm:recv(1, { tag = 4 })
        same(rank * rank, x:sum())
        same(1, from)
        same("x" .. rank, comm:recv())
        local half = dev:zeros({ 4 }, "bf16"):slice { 1, 4, 2 }
        same(half, comm:recv(1, { out = half }))
        same(5.0, half:get(2))
        same(0, comm:recv(1):size())
        return comm:send(rank, 1)
    end
    for to = 2, size do
        comm:send("x" .. to, to)
        comm:send(dev:full({ to }, to, "f64"), to, { tag = 4 })
        comm:send(dev:full({ 2 }, 5, "bf16"), to)
        comm:send(dev:zeros { 0 }, to)
    end
    local sum = 1
    for _ = 2, size do
        local x, from = comm:recv()
        same(x, from)
        sum = sum + x
    end
    same(size * (size + 1) // 2, sum)
end

function all.parts(comm, dev, rank, size)
    local rows = size * (size + 1) // 2
    local g = comm:gather(dev:full({ rank, 2 }, rank), { root = size })
    same(rank ~= size, g == nil)
    same(rank == size and rows or nil, g and #g)
    same(rank == size and 2 * size * size or nil, g and g:slice { rows - size + 1, rows }:sum())
    local list = comm:gather(rank * 1.5)
    same(rank == 1 and size * 1.5 or nil, list and list[size])

    local whole = dev:arange(1, 7):reshape(7, 1)
    local part = comm:scatter(rank == 1 and whole or nil)
    same(7 // size + (rank <= 7 % size and 1 or 0), #part)
    same(28, comm:allreduce(part:sum()))
    local values = {}
    for i = 1, size do
        values[i] = "part " .. i
    end
    same("part " .. rank, comm:scatter(rank == size and values or nil, { root = size }))

    same(size, comm:allgather(dev:full({ 2 }, rank)):get(2 * size))
    same(size * rows // 1, comm:allgather(dev:full({ rank, size }, 1)):sum())
    local wide = comm:allgather(dev:full({ 2, rank }, rank), { axis = 2 })
    same_list({ 2, rows }, { wide:shape() })
    same(size, math.tointeger(wide:get(2, rows)))
    same("r" .. size, comm:allgather("r" .. rank)[size])

    local turned = comm:alltoall(dev:arange(1, size) + 10 * rank)
    for i = 1, size do
        same(10 * i + rank, turned:get(i))
        values[i] = rank * 10 + i
    end
    same(size * 10 + rank, comm:alltoall(values)[size])
end

function all.neighbours(comm, dev, rank, size)
    local u = dev:full({ 5, 3 }, rank)
    same(u, comm:exchange(u))
    same(math.max(rank - 1, 1), math.tointeger(u:get(1, 1)))
    same(math.min(rank + 1, size), math.tointeger(u:get(5, 3)))
    u = dev:full({ 3, 6 }, rank, "i32")
    u:col(3):fill(10 * rank)
    comm:exchange(u, { axis = -1, width = 2, periodic = true })
    local before, after = (rank - 2) % size + 1, rank % size + 1
    same_list({ 10 * before, before, 10 * rank, rank, 10 * after, after }, u:row(2):totable())
end

function all.parts_of_ranks(comm, _, rank, size)
    local half = comm:split(rank % 2, -rank)
    same(rank % 2 == 1 and (size + 1) // 2 or size // 2, half:size())
    same(half:size(), half:allreduce(1))
    same(half:size() - (rank - 1) // 2, half:rank())
    same(rank == 1, comm:split(rank == 1 and 0 or nil) ~= nil)
    comm:barrier()
end

-- As with more than 2^31 - 1 elements.
function all.pieces(comm, dev, rank, size)
    local usual = calls.piece_most(5)
    for _, n in ipairs { 1, 5, 6, 10, 23 } do
        local a = dev:arange(1, n):cast "f32"
        same(true, comm:allreduce(a):eq(a * size):all())
        same(true, comm:allgather(a + rank):reshape(size, n):row(size):eq(a + size):all())
        same(true, comm:bcast(a * rank, { root = size }):eq(a * size):all())
        local other = comm:alltoall(dev:full({ size, n }, rank, "i16"))
        same(size, other:get(size, n))
        if rank == size and size > 1 then
            comm:send(a, 1)
        elseif rank == 1 and size > 1 then
            same(true, comm:recv(size):eq(a):all())
        end
    end
    calls.piece_most(usual)
end

-- With async: events, of which the last is waited for first; and what uses the results waits by itself.
function all.later(comm, dev, rank, size)
    local function go(name, ...)
        local arguments = table.pack(...)
        arguments[arguments.n].async = true
        local event = comm[name](comm, table.unpack(arguments, 1, arguments.n))
        same("event", lun.type(event))
        return event
    end
    local total = size * (size + 1) // 2
    local a, b = dev:full({ 3, 2 }, rank), dev:zeros { 3, 2 }
    local sum = go("allreduce", a, "sum", { out = b })
    a:fill(7) -- what was sent stays as it was
    same(total * 6.0, b:sum())
    same(b, sum:get())
    a:fill(rank)
    local view = dev:zeros({ 4, 3 }, "f16"):t():slice { 2, 3 }
    local half = go("allreduce", dev:full({ 2, 4 }, -rank, "bf16"), "max", {})
    local events = {
        go("reduce", a, "prod", { root = size }), go("bcast", view:fill(rank), { root = size }),
        go("gather", a, { root = size }), go("allgather", a, {}), go("alltoall", dev:full({ size, 2 }, rank, "i8"), {}),
        go("scatter", rank == 1 and dev:arange(1, 2 * size) or nil, { out = dev:zeros({ 2 }, "i64") }),
        go("allreduce", dev:zeros { 0, 3 }, "sum", {}), go("barrier", {}),
    }
    same("bf16", half:get():dtype())
    same(true, half:get():eq(-1):all())
    local edges = dev:full({ 5, 3 }, rank)
    local exchanged, sides = go("exchange", edges, {}), dev:full({ 2, 6 }, rank, "i32")
    go("exchange", sides, { axis = 2, width = 2, periodic = true }):wait()
    same(edges, exchanged:get())
    same(math.max(rank - 1, 1), math.tointeger(edges:get(1, 1)))
    same(math.min(rank + 1, size), math.tointeger(edges:get(5, 3)))
    same((rank - 2) % size + 1, sides:get(1, 2))
    same(rank % size + 1, sides:get(2, 5))
    same(nil, events[8]:get())
    same(0, events[7]:get():size())
    same(4 * rank - 1, events[6]:get():sum())
    same(total * 2, events[5]:get():sum())
    same(size * 1.0, events[4]:get():get(3 * size, 2))
    same(rank == size and total * 6.0 or nil, events[3]:get() and events[3]:get():sum())
    same(8.0 * size, events[2]:get():sum())
    same(rank == size and (size == 3 and 36.0 or 6.0 * size) or nil, events[1]:get() and events[1]:get():sum())

    local got = dev:zeros { 40000 }
    local received = size > 1 and comm:recv((rank - 2) % size + 1, { out = got, tag = 9, async = true })
    local sent = size > 1 and comm:send(dev:full({ 40000 }, rank), rank % size + 1, { tag = 9, async = true })
    for _, event in ipairs { received or nil, sent or nil } do
        same(true, event:wait(30))
        same("complete", event:status())
        same("number", type(event:pollfd()))
    end
    same(size > 1 and 40000.0 * ((rank - 2) % size + 1) or 0.0, got:sum())

    local uneven = dev:random({ 7, 11 }, { seed = rank }) / 3
    local wanted = comm:allreduce(uneven, "sum", { exact = true })
    local parts = comm:allgather(uneven:reshape(1, 7, 11))
    local added = parts:row(1):copy()
    for i = 2, size do
        added:add_(parts:row(i))
    end
    same(true, wanted:equal(added))
    local at_root = dev:zeros { 7, 11 }
    local exact = { go("allreduce", uneven, "sum", { exact = true }),
        go("reduce", uneven, "sum", { exact = true, root = size, out = at_root }),
        go("allreduce", uneven:cast "f16", "max", { exact = true }),
        go("allreduce", uneven, "sum", { exact = true, out = uneven }) }
    same(true, exact[1]:get():equal(wanted))
    same(true, exact[4]:get():equal(wanted))
    same(true, uneven:equal(wanted))
    same(rank == size and at_root or nil, exact[2]:get())
    same(rank == size, at_root:equal(wanted))
    same(true, exact[3]:get():equal(comm:allreduce((dev:random({ 7, 11 }, { seed = rank }) / 3):cast "f16", "max")))
end

-- Rows of all ranks, shared out anew to the others among them; values are the first rank's.
function all.files(comm, dev, rank, size)
    local path = comm:bcast(rank == 1 and os.tmpname())
    for round = 1, 2 do
        comm:save(path, { ["a b"] = dev:full({ rank - 1, 2, 3 }, rank, "c64"), list = dev:arange(1, 2 * rank),
            step = round, pi = math.pi, name = "a\nb", on = false })
        local state = comm:load(path)
        same(round, state.step)
        same(math.pi, state.pi)
        same("a\nb", state.name)
        same(false, state.on)
        same_list({ 2, 3 }, { select(2, state["a b"]:shape()) })
        local rows = size * (size - 1) // 2
        same(rows // size + (rank <= rows % size and 1 or 0), #state["a b"])
        same("c64", state["a b"]:dtype())
        local sum = 0
        for i = 1, size do
            sum = sum + i * (2 * i + 1)
        end
        same(sum, comm:allreduce(#state.list > 0 and state.list:sum() or 0))
    end
    comm:barrier()
    local function refused(wanted)
        local ok, problem = pcall(comm.load, comm, path)
        same(false, ok)
        same(true, tostring(problem):find(wanted, 1, true) ~= nil)
    end
    if rank == 1 then
        os.remove(path .. ".2.1")
        dev:ones({ 2, 2 }):save(path .. ".2.1")
    end
    comm:barrier()
    if rank == 1 then
        refused(path .. ".2.1: it is not the file that the index " .. path .. " names")
    else
        pcall(comm.load, comm, path)
    end
    comm:barrier()
    if rank == 1 then -- of the right names and dtypes, but with other rows
        lun.savez(path .. ".2.1", { ["a b"] = dev:zeros({ 5, 2, 3 }, "c64"), list = dev:arange(1, 9) })
    end
    comm:barrier()
    if rank == 1 then
        refused(path .. ".2.1: it is not the file that the index " .. path .. " names")
    else
        pcall(comm.load, comm, path)
    end
    comm:barrier()
    if rank == 1 then
        os.remove(path .. ".2.1")
        dev:ones({ 2, 2 }):save(path)
    end
    comm:barrier()
    refused(path .. ": it is not an index of ranks' files")
    comm:barrier()
    os.remove(path .. ".2." .. rank)
    os.remove(path)
end

local names = {}
for name in pairs(all) do
    names[#names + 1] = name
end
table.sort(names)

mpi.run(function(comm)
    local dev = comm:device()
    local rank, size = comm:rank(), comm:size()
    same("device", lun.type(dev))
    if #lun.devices(dev:info().type) == 1 then -- the ranks share its memory
        local share = dev:memory().limit
        dev:limit(0)
        same(dev:memory().limit // size, share)
        dev:limit(share)
    end
    same(("lunarray.comm: rank %d of %d on %s"):format(rank, size, comm:host()), tostring(comm))
    for _, name in ipairs(names) do
        local ok, problem = xpcall(all[name], debug.traceback, comm, dev, rank, size)
        if not ok then
            error(name .. ": " .. problem, 0)
        end
    end
    if rank == 1 then
        print(("%d ranks, %d kinds of calls"):format(size, #names))
    end
end, { timeout = 30 })
