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

-- The communicator of the calls that go on by themselves, which MPI keeps apart from the others.
local function apart(inner)
    return inner.apart
end

-- Reads the arrays `sent`, begins the requests that `ask` gives for their places and those of the arrays `got`, and
-- writes these: an event that gives `result`. Requests are lists of kind, from, to, count, dtype, op, root and tag.
function later.run(inner, name, options, device, sent, got, result, ask)
    forget_ended()
    if not inner.threads then
        raise(name, "option 'async': this MPI lets no thread call it (MPI_THREAD_MULTIPLE)")
    end
    local queue = queue_of(inner, device)
    local kept, reads, froms, tos, descriptors, requests = { inner, sent, got }, {}, {}, {}, {}, {}
    for i, array in ipairs(sent) do
        reads[i], froms[i], descriptors[i] = calls.read(array)
    end
    local keeper, gate = calls.close(queue)
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
        requests[i] = calls.prepare(apart(inner), kind, from, 0, to, 0, count, dtype, op, root, tag)
    end
    table.insert(inner.later_queues[device], { queue = queue, event = event })
    local job = calls.go(name, gate, requests, descriptors, options.timeout or inner.timeout, inner.user,
        message.service + message.ASKED_APART, message.service + message.ANSWERED_APART)
    flying[#flying + 1] = { job = job, event = event, keeper = keeper, kept = kept, reads = reads }
    return event
end

-- ---- what calls check ---------------------------------------------------------------------------------------

local function check_array(name, position, x)
    if not check.is_array(x) then
        raise(name, "argument %d: with async an array is wanted, got %s", position, kind_of(x))
    end
    return x
end

local function check_out(name, options, needs)
    if needs and not options.out then
        raise(name, "option 'out': with async an array is wanted for what comes, got nothing")
    elseif options.out and not check.is_array(options.out) then
        raise(name, "option 'out': an array is wanted, got %s", kind_of(options.out))
    end
    return options.out
end

-- f16 and bf16 are added as f32: what goes out, and an array for what comes, whose values go to `out` afterwards.
local function as_sum(x)
    local dtype = x:dtype()
    return (dtype == "f16" or dtype == "bf16") and x:cast "f32" or x
end

local function rows_of(x, size)
    local shape = { x:shape() }
    shape[1] = size
    return shape
end

local function shape_text(shape)
    return #shape == 0 and "()" or table.concat(shape, "x")
end

-- `out`, or a new array of that shape.
local function result_of(name, x, shape, out)
    if out then
        return check.out(name, out, shape_text(shape), x:dtype(), x:device())
    end
    return x:device():empty(shape, x:dtype())
end

-- ---- calls --------------------------------------------------------------------------------------------------

function later.barrier(inner, options)
    return later.run(inner, "barrier", options, message.device_of(inner), {}, {}, nil, function()
        return { { "barrier" } }
    end)
end

function later.bcast(inner, x, root, options)
    check_array("bcast", 1, x)
    local mine = inner.rank == root
    return later.run(inner, "bcast", options, x:device(), mine and { x } or {}, mine and {} or { x }, x,
        function(froms, tos)
            return { { "bcast", nil, mine and froms[1] or tos[1], x:size(), x:dtype(), nil, root } }
        end)
end

-- The parts of all ranks are added in their order, by each rank a share of the elements. `move` has MPI bring elements
-- from one array to another, and gives the queue in which they are written, if Lua does not wait for them.
function later.in_order(size, x, add, move)
    local n, device, dtype = x:size(), x:device(), x:dtype()
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

function later.reduce(inner, name, x, op, add, root, options)
    check_array(name, 1, x)
    local device = x:device()
    local keeps = not root or root == inner.rank
    local result = keeps and result_of(name, x, { x:shape() }, options.out) or nil
    local sent = as_sum(x)
    if options.exact and x:size() > 0 then
        local event
        local whole = later.in_order(inner.size, sent:contiguous(), add, function(kind, from, to, share)
            event = later.run(inner, name, options, device, { from }, { to }, result, function(froms, tos)
                return { { kind, froms[1], tos[1], share, from:dtype() } }
            end)
            local queues = inner.later_queues[device]
            return queues[#queues].queue
        end)
        return result and write_behind(inner, device, result, whole:reshape(x:shape())) or event
    end
    local got = keeps and (sent == x and result or sent:empty_like()) or nil
    local event = later.run(inner, name, options, device, { sent }, { got }, result, function(froms, tos)
        return { { root and "reduce" or "allreduce", froms[1], tos[1], x:size(), sent:dtype(), op, root or 0 } }
    end)
    return got == result and event or write_behind(inner, device, result, got)
end

function later.gather(inner, x, root, options)
    check_array("gather", 1, x)
    local result = inner.rank == root
        and result_of("gather", x, rows_of(x, #x * inner.size), options.out) or nil
    return later.run(inner, "gather", options, x:device(), { x }, { result }, result, function(froms, tos)
        return { { "gather", froms[1], tos[1], x:size(), x:dtype(), nil, root } }
    end)
end

function later.scatter(inner, x, root, options)
    local mine = inner.rank == root
    local out = check_out("scatter", options, not mine)
    if mine then
        check_array("scatter", 1, x)
        if #x % inner.size ~= 0 then
            raise("scatter", "%d rows do not divide among %d ranks", #x, inner.size)
        end
        out = result_of("scatter", x, rows_of(x, #x // inner.size), out)
    end
    return later.run(inner, "scatter", options, out:device(), mine and { x } or {}, { out }, out, function(froms, tos)
        return { { "scatter", froms[1], tos[1], out:size(), out:dtype(), nil, root } }
    end)
end

function later.allgather(inner, x, axis, options)
    if axis ~= 1 then
        raise("allgather", "option 'axis': with async the parts go along axis 1, got %d", axis)
    end
    local result = result_of("allgather", x, rows_of(x, #x * inner.size), options.out)
    return later.run(inner, "allgather", options, x:device(), { x }, { result }, result, function(froms, tos)
        return { { "allgather", froms[1], tos[1], x:size(), x:dtype() } }
    end)
end

function later.alltoall(inner, x, result, options)
    return later.run(inner, "alltoall", options, x:device(), { x }, { result }, result, function(froms, tos)
        return { { "alltoall", froms[1], tos[1], x:size() // inner.size, x:dtype() } }
    end)
end

function later.send(inner, x, to, tag, options)
    check_array("send", 1, x)
    return later.run(inner, "send", options, x:device(), { x }, {}, nil, function(froms)
        return { { "send", froms[1], nil, x:size(), x:dtype(), nil, to, tag } }
    end)
end

function later.recv(inner, from, tag, options)
    local out = check_out("recv", options, true)
    if not from then
        raise("recv", "argument 1: with async a rank is wanted, got nothing")
    end
    return later.run(inner, "recv", options, out:device(), {}, { out }, out, function(_, tos)
        return { { "recv", nil, tos[1], out:size(), out:dtype(), nil, from, tag } }
    end)
end

-- `sides`: neighbour, own rows, rows to be filled, tag of what goes there; what comes has the other one.
function later.exchange(inner, u, sides, options)
    local sent, got = {}, {}
    for i, side in ipairs(sides) do
        sent[i], got[i] = side[2], side[3]
    end
    return later.run(inner, "exchange", options, u:device(), sent, got, u, function(froms, tos)
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
