-- Ising's model on a torus of 1024 x 1024: 20 sweeps of both colours.
local lun = require "lunarray"
local n = 1024
local flip = lun.fuse(function(s, r, colour)
    local field = s:roll(1, 1) + s:roll(-1, 1) + s:roll(1, 2) + s:roll(-1, 2)
    return (r:lt((-0.8 * s * field):exp()):land(colour)):where(-s, s)
end)
local i = lun.arange(n)
local black = ((i:reshape(n, 1) + i) % 2):eq(0)
local s, rng = lun.ones { n, n }, lun.rng(1)
for _ = 1, 20 do
    s = flip(s, rng:uniform { n, n }, black)
    s = flip(s, rng:uniform { n, n }, black:lnot())
end
print(s:mean())
