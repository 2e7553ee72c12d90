-- Life on a torus of 1024 x 1024: 50 generations.
local lun = require "lunarray"
local step = lun.fuse(function(a)
    local n = 0
    for i = -1, 1 do
        for j = -1, 1 do
            n = n + a:roll({ i, j }, { 1, 2 })
        end
    end
    return n:eq(3):lor(n:eq(4):land(a))
end)
local a = lun.random({ 1024, 1024 }, { seed = 1 }):lt(0.3)
for _ = 1, 50 do
    a = step(a)
end
print(a:mean())
