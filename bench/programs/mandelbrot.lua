-- Mandelbrot's set on 1024 x 1024 points: 50 steps.
local lun = require "lunarray"
local step = lun.fuse(function(x, y, cx, cy, count)
    local u, v = x * x - y * y + cx, 2 * x * y + cy
    local inside = (u * u + v * v):le(4)
    return inside:where(u, 2), inside:where(v, 2), count + inside
end)
local cx, cy = lun.meshgrid(lun.linspace(-2, 0.5, 1024), lun.linspace(-1.25, 1.25, 1024))
local x, y, count = lun.zeros { 1024, 1024 }, lun.zeros { 1024, 1024 }, lun.zeros { 1024, 1024 }
for _ = 1, 50 do
    x, y, count = step(x, y, cx, cy, count)
end
print(count:mean())
