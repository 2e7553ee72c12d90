-- Lattice Boltzmann, D2Q9 on a torus of 256 x 1024: 50 steps.
local lun = require "lunarray"
local W, E = { 4 / 9 }, { { 0, 0 } }
for i, e in ipairs { { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 }, { 1, 1 }, { -1, 1 }, { -1, -1 }, { 1, -1 } } do
    W[i + 1], E[i + 1] = i <= 4 and 1 / 9 or 1 / 36, e
end
local step = lun.fuse(function(...)
    local f, rho, ux, uy = { ... }, 0, 0, 0
    for i, e in ipairs(E) do
        f[i] = f[i]:roll(e, { 1, 2 })
        rho, ux, uy = rho + f[i], ux + e[1] * f[i], uy + e[2] * f[i]
    end
    ux, uy = ux / rho, uy / rho
    for i, e in ipairs(E) do
        local c = e[1] * ux + e[2] * uy
        f[i] = f[i] - (f[i] - W[i] * rho * (1 + 3 * c + 4.5 * c * c - 1.5 * (ux * ux + uy * uy)))
    end
    return table.unpack(f)
end)
local bump, f = 1 + 0.1 * lun.random({ 256, 1024 }, { seed = 1 }), {}
for i, w in ipairs(W) do
    f[i] = w * bump
end
for _ = 1, 50 do
    f = { step(table.unpack(f)) }
end
print(f[1]:mean(), f[2]:std())
