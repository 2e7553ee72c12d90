-- require "lunarray.mpi": ranks, one process each, that send one another arrays, numbers and strings by MPI.

local core = require "lunarray.core"
core._own()
local calls = require "lunarray.mpi_core"
local misuse = require "lunarray.misuse"
local agree = require "lunarray.mpi_agree"
local check = require "lunarray.mpi_check"
local later = require "lunarray.mpi_later"
local message = require "lunarray.mpi_message"

local raise, kind_of = misuse.raise, misuse.kind_of
local ended, run, with = message.ended, message.run, message.with

local mpi = { version = calls.version() }
local methods = {} -- each gets the communicator, its inner side and its arguments
local class = { __name = "lunarray.comm", __kind = "a communicator", __index = {} }

-- ---- arguments ----------------------------------------------------------------------------------------------

local function inner_of(comm, name)
    if getmetatable(comm) ~= class then
        raise(name, "self: a communicator is needed, got %s; is it called with a colon?", kind_of(comm))
    elseif ended() then
        raise(name, "mpi.run has ended")
    elseif comm._inner.failed then
        raise(name, "a call of this communicator has failed: %s", comm._inner.failed)
    end
    return comm._inner
end

local ops = {
    sum = function(a, b) return a + b end,
    prod = function(a, b) return a * b end,
    min = function(a, b) return a ~= a and a or b ~= b and b or math.min(a, b) end, -- a NaN stays
    max = function(a, b) return a ~= a and a or b ~= b and b or math.max(a, b) end,
    land = function(a, b) return (a ~= 0 and b ~= 0) and 1 or 0 end,
    lor = function(a, b) return (a ~= 0 or b ~= 0) and 1 or 0 end,
    lxor = function(a, b) return ((a ~= 0) ~= (b ~= 0)) and 1 or 0 end,
    band = function(a, b) return a & b end,
    bor = function(a, b) return a | b end,
    bxor = function(a, b) return a ~ b end,
}
local OPS = "sum, prod, min, max, land, lor, lxor, band, bor, bxor"
-- The operation, which goes with the dtype of the array, or with numbers.
local function op_of(name, op, x)
    if op == nil then
        op = "sum"
    elseif type(op) ~= "string" or not ops[op] then
        raise(name, "argument 2: an operation is needed (%s), got %s", OPS, type(op) == "string" and "'" .. op .. "'"
            or kind_of(op))
    end
    local dtype = core.type(x) == "array" and x:dtype()
    local kind = dtype and (dtype == "bool" and "bool" or dtype:sub(1, 1))
    local bits, logic = op:find "^b" ~= nil, op:find "^l" ~= nil
    if kind == "c" and op ~= "sum" and op ~= "prod" then
        raise(name, "'%s' is not possible with %s; sum and prod are", op, dtype)
    elseif kind == "bool" and not logic and op ~= "min" and op ~= "max" then
        raise(name, "'%s' is not possible with bool; land, lor, lxor, min and max are", op)
    elseif (kind == "f" or kind == "b") and (bits or logic) then
        raise(name, "'%s' is not possible with %s; sum, prod, min and max are", op, dtype)
    end
    return op
end

-- ---- reductions ---------------------------------------------------------------------------------------------

-- Numbers are reduced by every rank, in the order of ranks: integers stay integers.
local function reduce_numbers(inner, name, x, op, options)
    local all = message.gather_numbers(inner, name, x, options)
    local result = all[1]
    for rank = 2, inner.size do
        local ok, value = pcall(ops[op], result, all[rank])
        if not ok then
            raise(name, "'%s' is not possible with %s and %s", op, result, all[rank])
        end
        result = value
    end
    return result
end

-- In the order of ranks: however MPI would do it.
local function reduce_exactly(inner, name, x, op, options)
    return later.in_order(inner.size, x, op, function(kind, from, to, share)
        message.bring(inner, name, options, kind, from, to, share, from:dtype())
    end)
end

local reduce_array
function reduce_array(inner, name, x, op, options, root)
    local to_all = root == nil
    local keeps = to_all or root == inner.rank
    local sent = later.travels(x, op)
    local dtype = sent:dtype()
    if options.exact and x:size() > 0 then
        local whole = reduce_exactly(inner, name, sent:contiguous(), op, options):reshape(x:shape()):cast(x:dtype())
        return keeps and (options.out and options.out:write(whole) or whole) or nil
    end
    local result = keeps and ((sent == x and options.out) or x:device():empty({ x:shape() }, dtype)) or nil
    local kind = to_all and "allreduce" or "reduce"
    if result == x then -- Open MPI takes 2.5 x as long in place
        local apart <close> = reduce_array(inner, name, x, op, { timeout = options.timeout }, root)
        return x:write(apart)
    end
    message.bring(inner, name, options, kind, sent, result, x:size(), dtype, op, root)
    if sent ~= x and result then
        return options.out and options.out:write(result:cast(x:dtype())) or result:cast(x:dtype())
    end
    return result
end

-- reduce, to a root, or allreduce.
local function reducing(name, known)
    methods[name] = agree.together(name, function(inner, x, op, options)
        local is_array = check.is_array(name, "argument 1", x)
        if not is_array and not math.type(x) then
            raise(name, "argument 1: an array or a number is needed, got %s", kind_of(x))
        end
        options = check.options(name, 3, options, known)
        local root = name == "reduce" and check.rank(inner, name, "option 'root'", options.root, 1) or nil
        op = op_of(name, op, x)
        local keeps = not root or root == inner.rank
        if options.async then
            later.check_array(name, 1, x)
        end
        if is_array and options.out and keeps then
            check.out(name, options.out, misuse.shape_of(x), x:dtype(), x:device())
        end
        local call = ("%s %s%s%s"):format(name, op, root and " to rank " .. root + 1 or "",
            options.exact and " in order" or "")
        local what = { call = call, of = is_array and agree.described(x) or "a number", options = options }
        return what, function()
            if options.async then
                return later.reduce(inner, what, x, op, root)
            elseif is_array then
                return reduce_array(inner, name, x, op, options, root)
            end
            local all = reduce_numbers(inner, name, x, op, options)
            return keeps and all or nil
        end
    end)
end

reducing("allreduce", { "async", "exact", "out", "timeout" })
reducing("reduce", { "async", "exact", "out", "root", "timeout" })

-- ---- what goes to others ------------------------------------------------------------------------------------

methods.barrier = agree.together("barrier", function(inner, options)
    options = check.options("barrier", 1, options, { "async", "timeout" })
    return { call = "barrier", options = options }, function(what)
        return options.async and later.barrier(inner, what) or nil -- else all have come, as they agree
    end
end)

methods.bcast = agree.together("bcast", function(inner, x, options)
    options = check.options("bcast", 2, options, { "async", "root", "timeout" })
    local root = check.rank(inner, "bcast", "option 'root'", options.root, 1)
    local mine = inner.rank == root
    if options.async then
        later.check_array("bcast", 1, x)
    end
    local given = check.is_array("bcast", "argument 1", x)
    local head = mine and message.head(inner, "bcast", x) or nil
    local of = agree.described(x) or mine and "values" or nil
    return { call = "bcast from rank " .. root + 1, of = of, options = options }, function(what)
        if options.async then
            return later.bcast(inner, what, x, root)
        end
        head = message.bcast_head(inner, "bcast", head, root, options)
        if head.kind ~= "array" then
            -- MPI reads the root's memory, though it takes it for one to write to
            local text = calls.buffer(mine and head.text or head.bytes)
            run(inner, "bcast", options, "bcast", nil, 0, text, 0, head.bytes, "bytes", nil, root)
            return message.unpack(calls.text(text, 0, head.bytes))
        end
        local array = given and x or message.device_of(inner):empty(head.shape, head.dtype)
        with(array, mine and "r" or "w", function(place)
            run(inner, "bcast", options, "bcast", nil, 0, place, 0, head.size, head.dtype, nil, root)
        end)
        return array
    end
end)

function methods.send(_, inner, x, to, options)
    options = check.options("send", 3, options, { "async", "tag", "timeout" })
    to = check.rank(inner, "send", "argument 2", to)
    local tag = message.tag_of("send", options.tag)
    check.is_array("send", "argument 1", x)
    if options.async then
        return later.send(inner, x, to, tag, options)
    end
    message.send(inner, "send", x, to, tag, options)
end

function methods.recv(_, inner, from, options)
    options = check.options("recv", 2, options, { "async", "out", "tag", "timeout" })
    from = from ~= nil and check.rank(inner, "recv", "argument 1", from) or nil
    local tag = message.tag_of("recv", options.tag)
    if options.out ~= nil then
        misuse.check_array("recv", "option 'out'", options.out)
    end
    if options.async then
        return later.recv(inner, from, tag, options)
    end
    local head, source = message.recv_head(inner, "recv", from, tag, options)
    if head.kind ~= "array" then
        return message.unpack(head.text), source + 1
    end
    local array, problem = check.place_for("recv", options.out, head.shape, head.dtype, message.device_of(inner))
    message.recv_elements(inner, "recv", array, source, tag, options)
    if problem then
        error(problem, 0)
    end
    return array, source + 1
end

for _, file in ipairs { "lunarray.mpi_parts", "lunarray.mpi_exchange", "lunarray.mpi_files" } do
    for name, method in pairs(require(file)) do
        methods[name] = method
    end
end

-- ---- communicators ------------------------------------------------------------------------------------------

local function new_comm(all, settings)
    local rank, size = calls.rank(all)
    local inner = { comm = all, user = calls.duplicate(all),
        apart = calls.duplicate(all), heads = calls.duplicate(all), later_queues = {}, rank = rank, size = size,
        host = settings.host,
        threads = settings.threads, timeout = settings.timeout, device = settings.device,
        place = settings.place, beside = settings.beside }
    return setmetatable({ _inner = inner }, class)
end

function methods.rank(_, inner)
    return inner.rank + 1
end

function methods.size(_, inner)
    return inner.size
end

function methods.host(_, inner)
    return inner.host
end

-- The ranks that give the same number are a communicator, in the order of their keys; nil: in none.
methods.split = agree.together("split", function(inner, number, key)
    local whole = number == nil or misuse.whole(number)
    if not whole or number ~= nil and (whole < 0 or whole > 2 ^ 31 - 1) then
        raise("split", "argument 1: a whole number from 0 is needed, or nil, got %s", kind_of(number))
    elseif key ~= nil and not misuse.whole(key) then
        raise("split", "argument 2: a whole number is needed, got %s", kind_of(key))
    end
    return { call = "split", options = {} }, function()
        local part = calls.split(inner.comm, number and whole, key and misuse.whole(key) or inner.rank)
        return part and new_comm(part, inner) or nil
    end
end)

-- This rank's device: ranks of one machine take turns, and share its memory where there are fewer devices than ranks.
function methods.device(_, inner, selector)
    if selector ~= nil and type(selector) ~= "string" then
        raise("device", "argument 1: a type or a part of a name is needed, got %s", kind_of(selector))
    end
    selector = selector or os.getenv "LUNARRAY_DEVICE"
    local list = selector and selector ~= "" and core.devices(selector) or core.devices(core.device():info().type)
    if #list == 0 then
        core.device(selector) -- says what there is
    end
    local place = inner.place % #list
    local device, sharing = list[place + 1], (inner.beside - place - 1) // #list + 1
    if sharing > 1 then
        device:limit(0)
        device:limit(device:memory().limit // sharing)
    end
    inner.device = device
    return device
end

for name, method in pairs(methods) do
    class.__index[name] = function(comm, ...)
        return method(comm, inner_of(comm, name), ...)
    end
end

function class.__tostring(comm)
    return ("lunarray.comm: rank %d of %d on %s"):format(comm._inner.rank + 1, comm._inner.size, comm._inner.host)
end

function class.__newindex(_, key)
    raise(tostring(key), "a communicator cannot be assigned to")
end

setmetatable(class.__index, { __index = function(_, key)
    raise(tostring(key), "a communicator has no such method; it has rank, size, host, device, split, barrier, bcast, "
        .. "send, recv, reduce, allreduce, gather, scatter, allgather, alltoall, exchange, save and load")
end })

-- ---- running ------------------------------------------------------------------------------------------------

-- Calls f with the communicator of all ranks, then ends MPI. An error ends all ranks at once, and waits for nothing.
function mpi.run(f, options)
    if type(f) ~= "function" then
        raise("run", "argument 1: a function is needed, got %s", kind_of(f))
    end
    options = check.options("run", 2, options, { "check", "timeout" })
    local ok, all, host, threads = pcall(calls.init)
    if not ok then
        raise("run", "%s", all)
    end
    local rank, size = calls.rank(all)
    local function fail(problem)
        io.stdout:flush()
        io.stderr:write(("lunarray.mpi: rank %d of %d on %s: %s\n"):format(rank + 1, size, host,
            debug.traceback(tostring(problem), 2)))
        io.stderr:flush()
        calls.abort(1)
    end
    calls.begin(host, threads)
    local place, beside = calls.local_rank(all) -- among the ranks of this machine, from 0
    local comm = new_comm(all, { host = host, threads = threads,
        timeout = options.timeout, place = place,
        beside = beside })
    local results = table.pack(select(2, xpcall(f, fail, comm)))
    xpcall(later.finish, fail)
    message.finish()
    calls.finalize()
    return table.unpack(results, 1, results.n)
end

return mpi
