-- An operator of the user's own for specs, which is associative and not commutative, so that the order of values shows.

local numbers = require "spec.numbers"

local composed = {}

-- A number of 64 bits is a map x -> m x + c of numbers modulo 2^32, with c in the upper half; one map after the other
-- is a map, too, and which comes first matters.
local LOW <const> = 0xffffffff

-- The map that does a, and then b.
function composed.both(a, b)
    return a * (b & LOW) & LOW | (a >> 32) * (b & LOW) + (b >> 32) << 32
end

-- The same as options of a reduction or a scan of u64.
composed.options = {
    combine = "(a * (b & 4294967295UL) & 4294967295UL) | (((a >> 32) * (b & 4294967295UL) + (b >> 32)) << 32)",
    identity = "1" }

-- So many maps.
function composed.maps(count)
    local list, random = {}, numbers.generator(count)
    for i = 1, count do
        list[i] = random(0, 1 << 30) << 1 | 1 | random(0, LOW) << 32 -- odd factors forget nothing
    end
    return list
end

return composed
