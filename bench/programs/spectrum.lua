-- The spectrum of 2^20 samples of two tones in noise.
local lun = require "lunarray"
local n = 1 << 20
local t = lun.arange(0, n - 1):cast "f32" / n
local x = (t * (2 * math.pi * 1000)):sin() + 0.5 * (t * (2 * math.pi * 2500)):sin() + lun.normal({ n }, { seed = 1 })
local power = (x * lun.window("hann", n)):rfft():abs() ^ 2
print((power:topk(1):get(1)) ^ 0.5 / n, power:argmax() - 1)
