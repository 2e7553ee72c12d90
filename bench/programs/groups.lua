-- Sums, counts and means of 10^7 numbers in 10^4 groups.
local lun = require "lunarray"
local keys = lun.randint({ 10000000 }, 0, 9999, "i32", { seed = 1 })
local values = lun.random({ 10000000 }, { seed = 2 })
local sums = keys:bincount { weights = values, from = 0, size = 10000 }
local counts = keys:bincount { from = 0, size = 10000 }
print((sums / counts):mean(), counts:max())
