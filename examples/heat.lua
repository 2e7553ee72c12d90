-- Heat spreads over a square plate whose edge is kept cold: explicit Euler steps of u_t = u_xx + u_yy on a grid.
--
--     lua5.4 examples/heat.lua --size 257 --steps 20000
--
-- Units: the side of the plate and its thermal diffusivity are 1.

local lun = require "lunarray"
local plot = require "lunarray.plot"
local progress = require "lunarray.progress"
local script = require "lunarray.script"

local OPTIONS = {
    name = "heat",
    about = "Heat spreading over a cold plate from a hot disc, in f32.",
    { name = "size", value = "N", default = 129, integer = true, min = 5, help = "points on a side, with the edges" },
    { name = "steps", value = "N", default = 2000, integer = true, min = 1, help = "time steps" },
    { name = "device", value = "NAME", help = "device: gpu, cpu, a part of its name, or its number" },
}

local R = 0.2 -- dt / h^2: steps are stable up to 1/4

-- One kernel: the five-point stencil over slices of the whole grid gives its inside. The edge stays as it is.
local INSIDE, BEFORE, BEHIND = { 2, -2 }, { 1, -3 }, { 3, -1 }
local step = lun.fuse(function(u, r)
    local here = u:slice(INSIDE, INSIDE)
    local around = u:slice(BEFORE, INSIDE) + u:slice(BEHIND, INSIDE) + u:slice(INSIDE, BEFORE) + u:slice(INSIDE, BEHIND)
    return here + r * (around - 4 * here)
end)

local function picture(u)
    return plot.shades(u:totable(), 38, 19, 1)
end

local function main()
    local options = script.options(arg, OPTIONS)
    local n, h = options.size, 1 / (options.size - 1)
    local dev = script.device(OPTIONS.name, options.device)
    local x, y = dev:linspace(0, 1, n):reshape(n, 1), dev:linspace(0, 1, n):reshape(1, n)
    local u = ((x - 0.35) ^ 2 + (y - 0.4) ^ 2):lt(0.05):cast "f32" -- a disc at temperature 1
    local next_u = u:copy()
    -- The lowest mode of the plate decays by exp(-2 pi^2 t), whatever else there is.
    local mode = x:sinpi() * y:sinpi()
    local function amplitude() return 4 * h ^ 2 * (u * mode):sum() end
    local before, first = picture(u), amplitude()
    local bar = progress.new(options.steps)
    for i = 1, options.steps do
        step(u, R, { out = next_u:slice(INSIDE, INSIDE) })
        u, next_u = next_u, u
        bar:update(i)
    end
    bar:finish()
    local t = options.steps * R * h ^ 2
    print(plot.beside({ before, picture(u) }, { "t = 0", ("t = %.4f"):format(t) }))
    print(("lowest mode: %.6f at the start, %.6f now; exp(-2 pi^2 t) leaves %.6f")
        :format(first, amplitude(), first * math.exp(-2 * math.pi ^ 2 * t)))
end

script.run(OPTIONS.name, main)
