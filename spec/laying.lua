-- Arrays that are seen through views of every layout.

local helper = require "spec.helper"
local reference = require "spec.reference"

local laying = {}

-- What is cut out of each axis of how large a room, so that it has that size again.
local CUTS = {
    gaps = function(size) return 2 * size, { 2, 2 * size, 2 } end,
    turned = function(size) return size, { size, 1, -1 } end,
    ["turned with gaps"] = function(size) return 2 * size, { 2 * size - 1, 1, -2 } end,
}
local KINDS = { "own", "gaps", "turned", "turned with gaps", "axes in reverse" }

-- An array of these elements: in memory of its own, or a view of that kind.
function laying.laid(kind, dev, flat, shape, dtype)
    if kind == "own" or #shape == 0 or #flat == 0 then
        return helper.array(dev, flat, shape, dtype)
    elseif kind == "axes in reverse" then
        local reversed = {}
        for axis, size in ipairs(shape) do
            reversed[#shape + 1 - axis] = size
        end
        return dev:zeros(reversed, dtype):t():write(reference.nest(flat, shape))
    end
    local room, slices = {}, {}
    for axis, size in ipairs(shape) do
        room[axis], slices[axis] = CUTS[kind](size)
    end
    return dev:zeros(room, dtype):slice(table.unpack(slices)):write(reference.nest(flat, shape))
end

-- As laying.laid, of a kind that a random generator chooses.
function laying.some(random, dev, flat, shape, dtype)
    return laying.laid(KINDS[random(1, #KINDS)], dev, flat, shape, dtype)
end

return laying
