-- k-means: 10^6 points in 8 dimensions, 16 centres, 5 rounds.
local lun = require "lunarray"
local k, x = 16, lun.random({ 1000000, 8 }, { seed = 1 })
local c = x:slice { 1, k }:copy()
for _ = 1, 5 do
    local near = ((c * c):sum { axis = 2 } - 2 * x:matmul(c:t())):argmin { axis = 2 }
    local mine = near:reshape(-1, 1):eq(lun.arange(k)):cast "f32"
    c = mine:t():matmul(x) / mine:sum { axis = 1 }:reshape(k, 1)
end
print(c:mean())
