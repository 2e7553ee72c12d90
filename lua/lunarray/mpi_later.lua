-- Calls of lunarray.mpi with async = true: what goes out is read from the device, and what comes is written to it,
-- while Lua goes on.

local core = require "lunarray.core"
core._own()
local calls = require "lunarray.mpi_core"
local check = require "lunarray.mpi_check"
local message = require "lunarray.mpi_message"
local misuse = require "lunarray.misuse"

local raise, kind_of = misuse.raise, misuse.kind_of

local later = {}

-- ---- jobs ---------------------------------------------------------------------------------------------------

local flying = {} -- jobs that have not ended, with all that they need

local function forget_ended()
    for i = #flying, 1, -1 do
        if calls.ended(flying[i].job) then
            for _, read in ipairs(table.remove(flying, i).reads) do
                read:release() -- with the host's memory of it
            end
        end
    end
end

-- Waits for all jobs, so that MPI may end; hooks get in.
function later.finish()
    while #flying > 0 do
        local one = flying[1]
        if one.event:wait() then -- the gate is open; the job ends at once
            forget_ended()
        end
    end
    calls.stop()
end

local MOST_QUEUES = 6 -- a device has 16, and they are the user's, too

-- A queue of the device that has nothing to wait for; or, where all have, the one that was used first.
local function queue_of(inner, device)
    local queues = inner.later_queues
    queues[device] = queues[device] or {}
    local list = queues[device]
    for i, one in ipairs(list) do
        if one.event:done() then
            return table.remove(list, i).queue
        end
    end
    if #list < MOST_QUEUES then
        return device:queue()
    end
    return table.remove(list, 1).queue
end

-- What a rank calls, and with what, in words.
function later.text_of(what)
    return what.call .. (what.of and " of " .. what.of or "")
end

-- What comes first: the ranks agree, or the sender says what it sends.
local function first_of(inner, what)
    if what.kind then
        local request = calls.prepare(inner.heads, what.kind, nil, 0, nil, 0, 0, "bytes", nil, what.peer, what.tag)
        return request, what.of
    end
    return calls.prepare(inner.heads, "agree", what.call, what.of), later.text_of(what)
end

-- Reads the arrays `sent`, begins the requests that `ask` gives for their places and those of the arrays `got`, and
-- writes these: an event that gives `result`. Requests are lists of kind, from, to, count, dtype, op, root and tag.
-- `what` has the name of the call, its options, and what all ranks are to call with what, call and of; or what goes
-- between two: kind, peer, tag and of.
function later.run(inner, what, device, sent, got, result, ask)
    local name, options = what.name, what.options
    forget_ended()
    if not inner.threads then
        raise(name, "option 'async': this MPI cannot be called from another thread (MPI_THREAD_MULTIPLE)")
    end
    local queue = queue_of(inner, device)
    local kept, reads, froms, tos, descriptors, requests = { inner, sent, got }, {}, {}, {}, {}, {}
    for i, array in ipairs(sent) do
        reads[i], froms[i], descriptors[i] = calls.read(array)
    end
    local ok, keeper, gate = pcall(calls.close, queue)
    if not ok then
        raise(name, "option 'async': %s", tostring(keeper):match "lunarray: close: (.*)" or tostring(keeper))
    end
    local event
    for i, array in ipairs(got) do
        event, tos[i] = calls.write(array, queue, result)
        kept[#kept + 1] = event
    end
    if not event and result then -- nothing is to come
        event = calls.write(device:zeros { 0 }, queue, result)
    end
    event = event or queue:event()
    for i, each in ipairs(ask(froms, tos)) do
        local kind, from, to, count, dtype, op, root, tag = table.unpack(each, 1, 8)
        requests[i] = calls.prepare(inner.apart, kind, from, 0, to, 0, count, dtype, op, root, tag)
    end
    table.insert(inner.later_queues[device], { queue = queue, event = event })
    local job = calls.go(name, gate, requests, descriptors, options.timeout or inner.timeout, inner.user,
        message.service + message.ASKED_APART, message.service + message.ANSWERED_APART, first_of(inner, what))
    flying[#flying + 1] = { job = job, event = event, keeper = keeper, kept = kept, reads = reads }
    return event
end

-- ---- what calls check ---------------------------------------------------------------------------------------

function later.check_array(name, position, x)
    if not check.is_array(name, "argument " .. position, x) then
        raise(name, "argument %d: with async an array is needed, got %s", position, kind_of(x))
    end
    return x
end

function later.check_out(name, out)
    if out == nil then
        raise(name, "option 'out': with async an array for the received data is needed, got nothing")
    end
    return misuse.check_array(name, "option 'out'", out)
end

-- f16 and bf16 are reduced as f32, and integers of which the truth is asked as truth values.
function later.travels(x, op)
    local dtype = x:dtype()
    if dtype == "f16" or dtype == "bf16" then
        return x:cast "f32"
    end
    return op:find "^l" and dtype ~= "bool" and x:ne(0) or x
end

local function rows_of(x, size)
    local shape = { x:shape() }
    shape[1] = size
    return shape
end

-- `out`, which was checked, or a new array of that shape.
local function result_of(x, shape, out)
    return out or x:device():empty(shape, x:dtype())
end

-- ---- calls --------------------------------------------------------------------------------------------------

function later.barrier(inner, what)
    return later.run(inner, what, message.device_of(inner), {}, {}, nil, function()
        return { { "barrier" } }
    end)
end

function later.bcast(inner, what, x, root)
    local mine = inner.rank == root
    return later.run(inner, what, x:device(), mine and { x } or {}, mine and {} or { x }, x,
        function(froms, tos)
            return { { "bcast", nil, mine and froms[1] or tos[1], x:size(), x:dtype(), nil, root } }
        end)
end

local array_ops = { -- of two arrays, for the order of ranks
    sum = "add_", prod = "mul_", min = "minimum_", max = "maximum_", land = "land_", lor = "lor_", lxor = "lxor_",
    band = "band_", bor = "bor_", bxor = "bxor_",
}
local of_bools = { min = "land_", max = "lor_" }

-- The parts of all ranks are reduced in their order, by each rank a share of the elements. `move` has MPI bring
-- elements from one array to another, and gives the queue in which they are written, if Lua does not wait for them.
function later.in_order(size, x, op, move)
    local n, device, dtype = x:size(), x:device(), x:dtype()
    local add = dtype == "bool" and of_bools[op] or array_ops[op]
    local share = (n + size - 1) // size
    local padded <close> = device:zeros({ share * size }, dtype)
    padded:slice({ 1, n }):write(x:reshape(n))
    local parts <close> = device:zeros({ size, share }, dtype)
    local inside = { queue = move("alltoall", padded, parts, share) }
    local mine <close> = parts:row(1)
    for rank = 2, size do
        mine[add](mine, parts:row(rank), inside)
    end
    local all = device:zeros({ share * size }, dtype)
    move("allgather", mine, all, share)
    return all:slice { 1, n }
end

-- The event of the last job, which ends once the elements of `from` are written to `to` behind it, in its queue.
local function write_behind(inner, device, to, from)
    local queues = inner.later_queues[device]
    local last = queues[#queues]
    local event = to:write(from, { queue = last.queue, async = true })
    flying[#flying].event, last.event = event, event
    return event
end

function later.reduce(inner, what, x, op, root)
    local device, options = x:device(), what.options
    local keeps = not root or root == inner.rank
    local result = keeps and result_of(x, { x:shape() }, options.out) or nil
    local sent = later.travels(x, op)
    if options.exact and x:size() > 0 then
        local event
        local whole = later.in_order(inner.size, sent:contiguous(), op, function(kind, from, to, share)
            event = later.run(inner, what, device, { from }, { to }, result, function(froms, tos)
                return { { kind, froms[1], tos[1], share, from:dtype() } }
            end)
            local queues = inner.later_queues[device]
            return queues[#queues].queue
        end)
        return result and write_behind(inner, device, result, whole:reshape(x:shape())) or event
    end
    local got = keeps and (sent == x and result or sent:empty_like()) or nil
    local event = later.run(inner, what, device, { sent }, { got }, result, function(froms, tos)
        return { { root and "reduce" or "allreduce", froms[1], tos[1], x:size(), sent:dtype(), op, root or 0 } }
    end)
    return got == result and event or write_behind(inner, device, result, got)
end

function later.gather(inner, what, x, root)
    local result = inner.rank == root and result_of(x, rows_of(x, #x * inner.size), what.options.out) or nil
    return later.run(inner, what, x:device(), { x }, { result }, result, function(froms, tos)
        return { { "gather", froms[1], tos[1], x:size(), x:dtype(), nil, root } }
    end)
end

function later.scatter(inner, what, x, out, root)
    local sent = inner.rank == root and { x } or {}
    return later.run(inner, what, out:device(), sent, { out }, out, function(froms, tos)
        return { { "scatter", froms[1], tos[1], out:size(), out:dtype(), nil, root } }
    end)
end

function later.allgather(inner, what, x)
    local result = result_of(x, rows_of(x, #x * inner.size), what.options.out)
    return later.run(inner, what, x:device(), { x }, { result }, result, function(froms, tos)
        return { { "allgather", froms[1], tos[1], x:size(), x:dtype() } }
    end)
end

function later.alltoall(inner, what, x, result)
    return later.run(inner, what, x:device(), { x }, { result }, result, function(froms, tos)
        return { { "alltoall", froms[1], tos[1], x:size() // inner.size, x:dtype() } }
    end)
end

-- What is sent, or comes, between two: its shape and dtype travel first.
local function between(kind, array, peer, tag, options)
    local of = ("%s %s"):format(misuse.shape_of(array), array:dtype())
    return { name = kind, kind = kind, of = of, peer = peer, tag = tag, options = options }
end

function later.send(inner, x, to, tag, options)
    later.check_array("send", 1, x)
    return later.run(inner, between("send", x, to, tag, options), x:device(), { x }, {}, nil, function(froms)
        return { { "send", froms[1], nil, x:size(), x:dtype(), nil, to, tag } }
    end)
end

function later.recv(inner, from, tag, options)
    local out = later.check_out("recv", options.out)
    if not from then
        raise("recv", "argument 1: with async a rank is needed, got nothing")
    end
    local what = between("recv", out, from, tag, options)
    return later.run(inner, what, out:device(), {}, { out }, out, function(_, tos)
        return { { "recv", nil, tos[1], out:size(), out:dtype(), nil, from, tag } }
    end)
end

-- `sides`: neighbour, own rows, rows to be filled, tag of what goes there; what comes has the other one.
function later.exchange(inner, what, u, sides)
    local sent, got = {}, {}
    for i, side in ipairs(sides) do
        sent[i], got[i] = side[2], side[3]
    end
    return later.run(inner, what, u:device(), sent, got, u, function(froms, tos)
        local requests = {}
        for i, side in ipairs(sides) do
            local count, dtype = side[2]:size(), u:dtype()
            local tag = message.service + 2
            requests[#requests + 1] = { "recv", nil, tos[i], count, dtype, nil, side[1], tag + 1 - side[4] }
            requests[#requests + 1] = { "send", froms[i], nil, count, dtype, nil, side[1], tag + side[4] }
        end
        return requests
    end)
end

return later
