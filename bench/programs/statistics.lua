-- Statistics of 10^7 numbers.
local lun = require "lunarray"
local x = lun.normal({ 10000000 }, { seed = 1 })
local mean, std, least, most = x:reduce { "mean", "std", "min", "max" }
local counts = x:histogram { bins = 100, low = -4, high = 4 }
print(mean, std, least, most, x:median(), x:quantile(0.9), counts:max(), x:skew(), x:kurtosis())
