-- A net of two layers learns a sine: 4096 points, 64 hidden units, 100 steps.
local lun = require "lunarray"
local x = lun.linspace(-3, 3, 4096):reshape(-1, 1)
local y = x:sin()
local w1, b1 = lun.normal({ 1, 64 }, { seed = 1 }), lun.zeros { 64 }
local w2, b2 = lun.normal({ 64, 1 }, { seed = 2 }) * 0.1, lun.zeros { 1 }
for _ = 1, 100 do
    local h = (x:matmul(w1) + b1):tanh()
    local e = (h:matmul(w2) + b2 - y) * (0.02 / #x)
    local g = e:matmul(w2:t()) * (1 - h * h)
    w2, b2 = w2 - h:t():matmul(e), b2 - e:sum { axis = 1 }
    w1, b1 = w1 - x:t():matmul(g), b1 - g:sum { axis = 1 }
end
print((((x:matmul(w1) + b1):tanh():matmul(w2) + b2 - y) ^ 2):mean())
