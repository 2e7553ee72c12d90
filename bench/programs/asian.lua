-- An Asian option: 10^5 paths of 64 steps.
local lun = require "lunarray"
local paths, steps, dt = 100000, 64, 1 / 64
local z = lun.normal({ paths, steps }, { seed = 1 })
local prices = 100 * (z * (0.2 * dt ^ 0.5) + (0.05 - 0.02) * dt):cumsum { axis = 2 }:exp()
print(math.exp(-0.05) * (prices:mean { axis = 2 } - 100):maximum(0):mean())
