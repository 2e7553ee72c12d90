-- Pi by 10^7 random points.
local lun = require "lunarray"
local x, y = lun.random({ 10000000 }, { seed = 1 }), lun.random({ 10000000 }, { seed = 2 })
print(4 * (x * x + y * y):le(1):mean())
