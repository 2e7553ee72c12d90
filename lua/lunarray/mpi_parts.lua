-- Parts of arrays between ranks: gather, scatter, allgather, alltoall, and exchange of the edges that ranks share.

local core = require "lunarray.core"
core._own()
local check = require "lunarray.mpi_check"
local later = require "lunarray.mpi_later"
local message = require "lunarray.mpi_message"
local misuse = require "lunarray.misuse"

local raise, kind_of = misuse.raise, misuse.kind_of
local run, with = message.run, message.with

local methods = {} -- each gets the communicator, its inner side and its arguments

local function rows(array, from, to)
    return array:slice({ from, to })
end

local function check_axes(name, x)
    if x:ndim() == 0 then
        raise(name, "argument 1: an array of one axis or more is wanted, got one of none")
    end
end

local function axis_of(name, axis, ndim)
    local whole = axis == nil and 1 or misuse.whole(axis)
    if not whole or whole == 0 or math.abs(whole) > ndim then
        raise(name, "option 'axis': an axis from 1 to %d is wanted, got %s", ndim, kind_of(axis))
    end
    return whole < 0 and ndim + 1 + whole or whole
end

-- The shape of all parts one behind the other along an axis, which must be alike otherwise.
local function joined_shape(name, heads, axis)
    local first = heads[1]
    local shape, total = table.move(first.shape, 1, #first.shape, 1, {}), 0
    for rank, head in ipairs(heads) do
        local alike = head.kind == "array" and head.dtype == first.dtype and #head.shape == #first.shape
        for i = 1, alike and #first.shape or 0 do
            alike = alike and (i == axis or head.shape[i] == first.shape[i])
        end
        if not alike then
            raise(name, "parts do not fit together: %s %s on rank 1, %s %s on rank %d", message.shape_text(first),
                first.dtype, message.shape_text(head), head.dtype, rank)
        end
        total = total + head.shape[axis]
    end
    shape[axis] = total
    return shape
end

local function result_for(name, out, shape, dtype, device)
    if out then
        return check.out(name, out, #shape == 0 and "()" or table.concat(shape, "x"), dtype)
    end
    return device:empty(shape, dtype)
end

-- ---- one rank and all ----------------------------------------------------------------------------------

-- Receives the elements of all ranks that heads tell of into the parts of an array.
local function receive_parts(inner, x, heads, options)
    local result = result_for("gather", options.out, joined_shape("gather", heads, 1), x:dtype(), x:device())
    local at = 0
    for rank, head in ipairs(heads) do
        local count = head.shape[1]
        if count > 0 then
            local part <close> = rows(result, at + 1, at + count)
            if rank - 1 == inner.rank then
                part:write(x)
            else
                message.recv_elements(inner, "gather", part, rank - 1, message.service + 3, options)
            end
        end
        at = at + count
    end
    return result
end

-- All parts, one behind the other along the first axis, or a list of numbers and strings, at the root.
function methods.gather(_, inner, x, options)
    options = check.options("gather", 2, options, { "async", "out", "root", "timeout" })
    local root = check.rank(inner, "gather", "option 'root'", options.root, 1)
    local is_array = core.type(x) == "array"
    if is_array then
        check_axes("gather", x)
    end
    if options.async then
        return later.gather(inner, x, root, options)
    end
    if inner.rank ~= root then
        message.send(inner, "gather", x, root, message.service + 3, options)
        return nil
    end
    local heads, values, arrays = {}, {}, 0
    for rank = 1, inner.size do
        local head = rank - 1 == root and message.head(inner, "gather", x)
            or message.recv_head(inner, "gather", rank - 1, message.service + 3, options)
        heads[rank] = head
        arrays = arrays + (head.kind == "array" and 1 or 0)
        values[rank] = head.kind == "text" and message.unpack(head.text) or nil
    end
    if arrays ~= 0 and arrays ~= inner.size then
        raise("gather", "some ranks give arrays, and some do not")
    end
    return is_array and receive_parts(inner, x, heads, options) or values
end

-- Each rank gets its part of the root's array: rows as equal in number as can be; or its value of a list.
function methods.scatter(_, inner, x, options)
    options = check.options("scatter", 2, options, { "async", "out", "root", "timeout" })
    local root = check.rank(inner, "scatter", "option 'root'", options.root, 1)
    if options.async then
        return later.scatter(inner, x, root, options)
    end
    if inner.rank ~= root then
        local head = message.recv_head(inner, "scatter", root, message.service + 3, options)
        if head.kind == "text" then
            return message.unpack(head.text)
        end
        local array = options.out and result_for("scatter", options.out, head.shape, head.dtype)
            or message.device_of(inner):empty(head.shape, head.dtype)
        message.recv_elements(inner, "scatter", array, root, message.service + 3, options)
        return array
    end
    local is_array = core.type(x) == "array"
    if is_array then
        check_axes("scatter", x)
    elseif type(x) ~= "table" then
        raise("scatter", "argument 1: an array, or a list of %d values, is wanted, got %s", inner.size, kind_of(x))
    end
    local mine, from = nil, 0
    for rank = 0, inner.size - 1 do
        local part
        if not is_array then
            part = x[rank + 1]
        else
            local count = #x // inner.size + (rank < #x % inner.size and 1 or 0)
            part = count > 0 and rows(x, from + 1, from + count)
                or x:device():empty({ 0, select(2, x:shape()) }, x:dtype())
            from = from + count
        end
        if rank == root then
            mine = part
        else
            message.send(inner, "scatter", part, rank, message.service + 3, options)
        end
    end
    if not is_array then
        return mine
    elseif options.out then
        return check.out("scatter", options.out, misuse.shape_of(mine), x:dtype()):write(mine)
    end
    return mine:copy()
end

-- ---- all and all ----------------------------------------------------------------------------------------

-- Parts that differ in size, or do not follow one another in memory: each rank tells its own to all.
local function gather_each(inner, x, heads, options)
    local parts = {}
    for rank, head in ipairs(heads) do
        local part = rank - 1 == inner.rank and x:contiguous() or x:device():empty(head.shape, head.dtype)
        with(part, rank - 1 == inner.rank and "r" or "w", function(memory)
            run(inner, "allgather", options, "bcast", nil, 0, memory, 0, head.size, head.dtype, nil, rank - 1)
        end)
        parts[rank] = part
    end
    return parts
end

function methods.allgather(_, inner, x, options)
    options = check.options("allgather", 2, options, { "async", "axis", "out", "timeout" })
    if core.type(x) ~= "array" and not options.async then
        local values = message.gather_texts(inner, "allgather", message.pack("allgather", x), options)
        for rank = 1, inner.size do
            values[rank] = message.unpack(values[rank])
        end
        return values
    end
    if core.type(x) ~= "array" then
        raise("allgather", "argument 1: with async an array is wanted, got %s", kind_of(x))
    end
    check_axes("allgather", x)
    local axis = axis_of("allgather", options.axis, x:ndim())
    if options.async then
        check.agree(inner, "allgather", x)
        return later.allgather(inner, x, axis, options)
    end
    local heads = message.gather_heads(inner, "allgather", message.head(inner, "allgather", x), options)
    local shape = joined_shape("allgather", heads, axis)
    local result = result_for("allgather", options.out, shape, x:dtype(), x:device())
    local equal = axis == 1
    for _, head in ipairs(heads) do
        equal = equal and head.shape[1] == heads[1].shape[1]
    end
    if not equal then
        return core.concat(gather_each(inner, x, heads, options), axis, { out = result })
    end
    with(x, "r", function(from)
        with(result, "w", function(to)
            run(inner, "allgather", options, "allgather", from, 0, to, 0, x:size(), x:dtype())
        end)
    end)
    return result
end

local function swap_values(inner, x, options)
    local texts, mine = {}, {}
    for rank = 1, inner.size do
        texts[rank] = string.pack("<s4", message.pack("alltoall", x[rank]))
    end
    for rank, all in ipairs(message.gather_texts(inner, "alltoall", table.concat(texts), options)) do
        local at, text = 1, nil
        for _ = 0, inner.rank do
            text, at = string.unpack("<s4", all, at)
        end
        mine[rank] = message.unpack(text)
    end
    return mine
end

-- Of what each rank gives, part i goes to rank i: rows of an array, or values of a list.
function methods.alltoall(_, inner, x, options)
    options = check.options("alltoall", 2, options, { "async", "out", "timeout" })
    if type(x) == "table" and not options.async then
        return swap_values(inner, x, options)
    elseif core.type(x) ~= "array" then
        raise("alltoall", "argument 1: an array, or a list of %d values, is wanted, got %s", inner.size, kind_of(x))
    end
    check_axes("alltoall", x)
    if #x % inner.size ~= 0 then
        raise("alltoall", "%d rows do not divide among %d ranks", #x, inner.size)
    end
    check.agree(inner, "alltoall", x)
    local result = result_for("alltoall", options.out, { x:shape() }, x:dtype(), x:device())
    if options.async then
        return later.alltoall(inner, x, result, options)
    end
    with(x, "r", function(from)
        with(result, "w", function(to)
            run(inner, "alltoall", options, "alltoall", from, 0, to, 0, x:size() // inner.size, x:dtype())
        end)
    end)
    return result
end

-- ---- neighbours -----------------------------------------------------------------------------------------

-- Calls f with the memory of all arrays of a list { array, access }.
local function with_all(list, f, memories)
    memories = memories or {}
    local one = list[#memories + 1]
    if not one then
        return f(memories)
    end
    with(one[1], one[2], function(memory)
        memories[#memories + 1] = memory
        with_all(list, f, memories)
    end)
end

local function check_exchange(u, options)
    if core.type(u) ~= "array" then
        raise("exchange", "argument 1: an array is wanted, got %s", kind_of(u))
    end
    check_axes("exchange", u)
    local axis = axis_of("exchange", options.axis, u:ndim())
    local width = options.width == nil and 1 or misuse.whole(options.width)
    if not width or width < 1 then
        raise("exchange", "option 'width': a whole number from 1 is wanted, got %s", kind_of(options.width))
    elseif u:shape(axis) < 3 * width then
        raise("exchange", "axis %d has %d rows; %d of its own and %d of each neighbour's are wanted at least", axis,
            u:shape(axis), width, width)
    end
    return axis, width
end

-- Fills the first and the last `width` rows along an axis with the neighbours' rows that lie beside this rank's own.
function methods.exchange(_, inner, u, options)
    options = check.options("exchange", 2, options, { "async", "axis", "periodic", "timeout", "width" })
    local axis, width = check_exchange(u, options)
    check.agree(inner, "exchange", width, "axis " .. axis)
    local n = u:shape(axis)
    local function edge(from)
        local slices = {}
        for i = 1, u:ndim() do
            slices[i] = i == axis and { from, from + width - 1 } or {}
        end
        return u:slice(table.unpack(slices))
    end
    local sides = { -- neighbour, own rows, rows to be filled; what goes down is tagged 0
        { inner.rank - 1, edge(width + 1), edge(1), 0 },
        { inner.rank + 1, edge(n - 2 * width + 1), edge(n - width + 1), 1 },
    }
    local list, open = {}, {}
    for _, side in ipairs(sides) do
        local there = side[1] >= 0 and side[1] < inner.size
        if there or options.periodic then
            side[1] = side[1] % inner.size
            open[#open + 1] = side
        end
    end
    if options.async then
        return later.exchange(inner, u, open, options)
    end
    for _, side in ipairs(open) do
        side.got = u:device():empty({ side[3]:shape() }, u:dtype())
        list[#list + 1] = { side[2]:copy(), "r" }
        list[#list + 1] = { side.got, "w" }
    end
    with_all(list, function(memories)
        local requests = {}
        for i, side in ipairs(open) do
            local count, dtype = side.got:size(), u:dtype()
            requests[#requests + 1] = message.start(inner, "recv", side[1], memories[2 * i], 0, count, dtype,
                1 - side[4])
            requests[#requests + 1] = message.start(inner, "send", side[1], memories[2 * i - 1], 0, count, dtype,
                side[4])
        end
        message.wait_all(inner, "exchange", options, requests)
    end)
    for _, side in ipairs(open) do
        side[3]:write(side.got)
        side.got:release()
    end
    return u
end

return methods
