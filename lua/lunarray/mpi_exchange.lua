-- Exchange of the edges that ranks share: the rows beside a neighbour's own.

local core = require "lunarray.core"
core._own()
local agree = require "lunarray.mpi_agree"
local check = require "lunarray.mpi_check"
local later = require "lunarray.mpi_later"
local message = require "lunarray.mpi_message"
local misuse = require "lunarray.misuse"

local raise, kind_of = misuse.raise, misuse.kind_of
local with = message.with

local methods = {}

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
    if not check.has_rows("exchange", u) then
        raise("exchange", "argument 1: an array is needed, got %s", kind_of(u))
    end
    local axis = check.axis("exchange", options.axis, u:ndim())
    local width = options.width == nil and 1 or misuse.whole(options.width)
    if not width or width < 1 then
        raise("exchange", "option 'width': a whole number from 1 is needed, got %s", kind_of(options.width))
    elseif u:shape(axis) < 3 * width then
        raise("exchange", "axis %d has %d rows; at least %d of its own and %d of each neighbour's are needed", axis,
            u:shape(axis), width, width)
    end
    return axis, width
end

-- Of each neighbour: its rank, own rows, rows to be filled, and the tag of what goes there, 0 for what goes down.
local function sides_of(inner, u, axis, width, periodic)
    local n = u:shape(axis)
    local function edge(from)
        local slices = {}
        for i = 1, u:ndim() do
            slices[i] = i == axis and { from, from + width - 1 } or {}
        end
        return u:slice(table.unpack(slices))
    end
    local open = {}
    for _, side in ipairs { { inner.rank - 1, edge(width + 1), edge(1), 0 },
        { inner.rank + 1, edge(n - 2 * width + 1), edge(n - width + 1), 1 } } do
        local there = side[1] >= 0 and side[1] < inner.size
        if there or periodic then
            side[1] = side[1] % inner.size
            open[#open + 1] = side
        end
    end
    return open
end

local function exchange(inner, u, open, options)
    local list = {}
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

-- Fills the first and the last `width` rows along an axis with the neighbours' rows that lie beside this rank's own.
methods.exchange = agree.together("exchange", function(inner, u, options)
    options = check.options("exchange", 2, options, { "async", "axis", "periodic", "timeout", "width" })
    local axis, width = check_exchange(u, options)
    local open = sides_of(inner, u, axis, width, options.periodic)
    local call = ("exchange of %d rows along axis %d%s"):format(width, axis, options.periodic and ", periodic," or "")
    return { call = call, of = agree.described(u, axis), options = options }, function(what)
        if options.async then
            return later.exchange(inner, what, u, open)
        end
        return exchange(inner, u, open, options)
    end
end)

return methods
