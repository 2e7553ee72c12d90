-- What slices pick, in plain Lua.

local reference = require "spec.reference"

local slicing = {}

-- The positions that a part of a slice picks on an axis of that size: {from, to, step}, a position, or nil for all.
local function positions(part, size)
    if math.type(part) == "integer" then
        return { part < 0 and part + size + 1 or part }
    end
    part = part or {}
    local step = part[3] or 1
    local from = part[1] or (step > 0 and 1 or size)
    local to = part[2] or (step > 0 and size or 1)
    local list = {}
    for i = from < 0 and from + size + 1 or from, to < 0 and to + size + 1 or to, step do
        list[#list + 1] = i
    end
    return list
end

-- The elements and the shape of flat[shape] under one part for each axis; the axis of a position is not in the shape.
function slicing.sliced(flat, shape, parts)
    local lists, counts, kept = {}, {}, {}
    for axis = 1, #shape do
        lists[axis] = positions(parts[axis], shape[axis])
        counts[axis] = #lists[axis]
        if math.type(parts[axis]) ~= "integer" then
            kept[#kept + 1] = counts[axis]
        end
    end
    local out, strides, from = {}, reference.strides(shape), {}
    reference.each(counts, function(place, number)
        for axis = 1, #shape do
            from[axis] = lists[axis][place[axis]]
        end
        out[number] = flat[reference.number(from, strides)]
    end)
    return out, kept
end

-- A range of an axis of that size: seven of eight pick something, in either direction, most more than one position.
function slicing.some_range(random, size)
    local step = random(1, 3) * (random(0, 1) * 2 - 1)
    local low, high = random(1, (size + 1) // 2), random((size + 1) // 2, size)
    local from, to = low, high
    if (step < 0) ~= (random(1, 8) == 1) then
        from, to = high, low
    end
    if from < to and to < step then -- three positions in order are refused
        step = 1
    end
    return { from, to, step }
end

-- How many positions it picks, and how far they are apart.
function slicing.picks(range, size)
    return #positions(range, size), math.abs(range[3])
end

return slicing
