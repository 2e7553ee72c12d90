-- A system of 512 equations, and least squares of 4096 x 64.
local lun = require "lunarray"
local a = lun.normal({ 512, 512 }, { seed = 1 }) + 30 * lun.eye(512)
local m, x = lun.normal({ 4096, 64 }, { seed = 2 }), lun.ones { 64 }
print(a:solve(a:sum { axis = 2 }):mean(), m:lstsq(m:matmul(x)):mean())
