-- Lorenz's system, 10^6 starts, 100 steps of Euler's method.
local lun = require "lunarray"
local step = lun.fuse(function(x, y, z)
    for _ = 1, 10 do
        x, y, z = x + 0.005 * (10 * (y - x)), y + 0.005 * (x * (28 - z) - y), z + 0.005 * (x * y - 8 / 3 * z)
    end
    return x, y, z
end)
local x, y, z = lun.linspace(0.9, 1.1, 1000000), lun.ones { 1000000 }, lun.ones { 1000000 }
for _ = 1, 10 do
    x, y, z = step(x, y, z)
end
print(x:mean(), y:mean(), z:mean())
