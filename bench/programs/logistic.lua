-- Logistic regression: 10^5 x 32, 50 steps.
local lun = require "lunarray"
local x, truth = lun.normal({ 100000, 32 }, { seed = 1 }), lun.normal({ 32 }, { seed = 2 })
local y, w = x:matmul(truth):gt(0), lun.zeros { 32 }
for _ = 1, 50 do
    w = w - x:t():matmul(x:matmul(w):sigmoid() - y) * (5 / #x)
end
print(x:matmul(w):gt(0):eq(y):mean())
