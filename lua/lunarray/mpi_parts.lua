-- Parts of arrays between ranks: gather, scatter, allgather and alltoall.

local core = require "lunarray.core"
core._own()
local agree = require "lunarray.mpi_agree"
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

-- The shape of all parts one behind the other along an axis, which are known to be alike otherwise.
local function joined_shape(heads, axis)
    local shape, total = table.move(heads[1].shape, 1, #heads[1].shape, 1, {}), 0
    for _, head in ipairs(heads) do
        total = total + head.shape[axis]
    end
    shape[axis] = total
    return shape
end

-- The array, or the error of one that did not fit, once all has come.
local function done(array, problem)
    if problem then
        error(problem, 0)
    end
    return array
end

-- The option `out`, which is checked where its shape is known.
local function out_of(name, options, shape, x)
    if options.out == nil then
        return nil
    end
    misuse.check_array(name, "option 'out'", options.out)
    return shape and check.out(name, options.out, table.concat(shape, "x"), x:dtype(), x:device()) or options.out
end

local function rows_of(x, count)
    return { count, select(2, x:shape()) }
end

-- ---- one rank and all ----------------------------------------------------------------------------------

-- Receives the elements of all ranks that heads report into the parts of an array.
local function receive_parts(inner, x, heads, options)
    local result, problem = check.place_for("gather", options.out, joined_shape(heads, 1), x:dtype(), x:device())
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
    return done(result, problem)
end

local function gather(inner, x, root, options)
    if inner.rank ~= root then
        message.send(inner, "gather", x, root, message.service + 3, options)
        return nil
    end
    local heads, values = {}, {}
    for rank = 1, inner.size do
        local head = rank - 1 == root and message.head(inner, "gather", x)
            or message.recv_head(inner, "gather", rank - 1, message.service + 3, options)
        heads[rank] = head
        values[rank] = head.kind == "text" and message.unpack(head.text) or nil
    end
    return heads[1].kind == "array" and receive_parts(inner, x, heads, options) or values
end

-- All parts, one behind the other along the first axis, or a list of numbers and strings, at the root.
methods.gather = agree.together("gather", function(inner, x, options)
    options = check.options("gather", 2, options, { "async", "out", "root", "timeout" })
    local root = check.rank(inner, "gather", "option 'root'", options.root, 1)
    local is_array, later_on = check.has_rows("gather", x), options.async
    if later_on then
        later.check_array("gather", 1, x)
    elseif not is_array then
        message.pack("gather", x)
    end
    if inner.rank == root then
        out_of("gather", options, later_on and rows_of(x, #x * inner.size), x)
    end
    local of = is_array and agree.described(x, not later_on and 1 or nil) or "values"
    return { call = "gather to rank " .. root + 1, of = of, options = options }, function(what)
        if later_on then
            return later.gather(inner, what, x, root)
        end
        return gather(inner, x, root, options)
    end
end)

-- Sends its part to each rank; the root's own.
local function scatter(inner, x, is_array, options)
    local mine, from = nil, 0
    for rank = 0, inner.size - 1 do
        local part
        if not is_array then
            part = x[rank + 1]
        else
            local count = #x // inner.size + (rank < #x % inner.size and 1 or 0)
            part = count > 0 and rows(x, from + 1, from + count) or x:device():empty(rows_of(x, 0), x:dtype())
            from = from + count
        end
        if rank == inner.rank then
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

local function receive_scattered(inner, root, options)
    local head = message.recv_head(inner, "scatter", root, message.service + 3, options)
    if head.kind == "text" then
        return message.unpack(head.text)
    end
    local array, problem = check.place_for("scatter", options.out, head.shape, head.dtype, message.device_of(inner))
    message.recv_elements(inner, "scatter", array, root, message.service + 3, options)
    return done(array, problem)
end

-- What the root gives: an array, or a list of values.
local function check_scattered(inner, x)
    local is_array = check.has_rows("scatter", x)
    if not is_array and not misuse.is_table(x) then
        raise("scatter", "argument 1: an array, or a list of %d values, is needed, got %s", inner.size, kind_of(x))
    end
    for rank = 1, is_array and 0 or inner.size do
        message.pack("scatter", x[rank])
    end
    return is_array
end

-- With async: where what comes goes, and what it is.
local function check_scattered_later(inner, x, mine, options)
    if not mine then
        return later.check_out("scatter", options.out)
    end
    later.check_array("scatter", 1, x)
    if #x % inner.size ~= 0 then
        raise("scatter", "%d rows do not divide among %d ranks", #x, inner.size)
    end
    local shape = rows_of(x, #x // inner.size)
    return out_of("scatter", options, shape, x) or x:device():empty(shape, x:dtype())
end

-- Each rank gets its part of the root's array: rows as equal in number as can be; or its value of a list.
methods.scatter = agree.together("scatter", function(inner, x, options)
    options = check.options("scatter", 2, options, { "async", "out", "root", "timeout" })
    local root = check.rank(inner, "scatter", "option 'root'", options.root, 1)
    local mine = inner.rank == root
    local is_array = not options.async and mine and check_scattered(inner, x)
    local out = options.async and check_scattered_later(inner, x, mine, options) or out_of("scatter", options)
    local of = options.async and agree.described(out) or agree.described(mine and x or out, 1)
    return { call = "scatter from rank " .. root + 1, of = of, options = options }, function(what)
        if options.async then
            return later.scatter(inner, what, x, out, root)
        end
        return mine and scatter(inner, x, is_array, options) or receive_scattered(inner, root, options)
    end
end)

-- ---- all and all ----------------------------------------------------------------------------------------

-- Parts that differ in size, or do not follow one another in memory: each rank shows its own to all.
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

local function allgather(inner, x, axis, options)
    local heads = message.gather_heads(inner, "allgather", message.head(inner, "allgather", x), options)
    local result, problem = check.place_for("allgather", options.out, joined_shape(heads, axis), x:dtype(), x:device())
    local equal = axis == 1
    for _, head in ipairs(heads) do
        equal = equal and head.shape[1] == heads[1].shape[1]
    end
    if not equal then
        return done(core.concat(gather_each(inner, x, heads, options), axis, { out = result }), problem)
    end
    message.bring(inner, "allgather", options, "allgather", x, result, x:size(), x:dtype())
    return done(result, problem)
end

local function allgather_values(inner, text, options)
    local values = message.gather_texts(inner, "allgather", text, options)
    for rank = 1, inner.size do
        values[rank] = message.unpack(values[rank])
    end
    return values
end

methods.allgather = agree.together("allgather", function(inner, x, options)
    options = check.options("allgather", 2, options, { "async", "axis", "out", "timeout" })
    if not check.has_rows("allgather", x) and not options.async then
        local text = message.pack("allgather", x)
        return { call = "allgather", of = "values", options = options }, function()
            return allgather_values(inner, text, options)
        end
    end
    if options.async then
        later.check_array("allgather", 1, x)
    end
    local axis = check.axis("allgather", options.axis, x:ndim())
    if options.async and axis ~= 1 then
        raise("allgather", "option 'axis': with async the parts must be along axis 1, got %d", axis)
    end
    out_of("allgather", options, options.async and rows_of(x, #x * inner.size), x)
    local call = "allgather along axis " .. axis
    local of = agree.described(x, not options.async and axis or nil)
    return { call = call, of = of, options = options }, function(what)
        if options.async then
            return later.allgather(inner, what, x)
        end
        return allgather(inner, x, axis, options)
    end
end)

local function swap_values(inner, text, options)
    local mine = {}
    for rank, all in ipairs(message.gather_texts(inner, "alltoall", text, options)) do
        local at, one = 1, nil
        for _ = 0, inner.rank do
            one, at = string.unpack("<s4", all, at)
        end
        mine[rank] = message.unpack(one)
    end
    return mine
end

-- Of what each rank gives, part i goes to rank i: rows of an array, or values of a list.
methods.alltoall = agree.together("alltoall", function(inner, x, options)
    options = check.options("alltoall", 2, options, { "async", "out", "timeout" })
    if misuse.is_table(x) and not options.async then
        local texts = {}
        for rank = 1, inner.size do
            texts[rank] = string.pack("<s4", message.pack("alltoall", x[rank]))
        end
        return { call = "alltoall", of = "values", options = options }, function()
            return swap_values(inner, table.concat(texts), options)
        end
    elseif not check.has_rows("alltoall", x) then
        raise("alltoall", "argument 1: an array, or a list of %d values, is needed, got %s", inner.size, kind_of(x))
    end
    if #x % inner.size ~= 0 then
        raise("alltoall", "%d rows do not divide among %d ranks", #x, inner.size)
    end
    local result = out_of("alltoall", options, { x:shape() }, x) or x:device():empty({ x:shape() }, x:dtype())
    return { call = "alltoall", of = agree.described(x), options = options }, function(what)
        if options.async then
            return later.alltoall(inner, what, x, result)
        end
        message.bring(inner, "alltoall", options, "alltoall", x, result, x:size() // inner.size, x:dtype())
        return result
    end
end)

return methods
