-- Moving averages and medians of 10^6 numbers, 5 wide.
local lun = require "lunarray"
local x = lun.random({ 1000000 }, { seed = 1 }):windows(5)
print(x:mean { axis = 2 }:std(), x:median { axis = 2 }:std())
