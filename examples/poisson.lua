-- The potential of charges in a grounded box: -u_xx - u_yy = f on a square, u = 0 at its edge, by sine transforms.
--
--     lua5.4 examples/poisson.lua --size 1023
--
-- The side of the square is 1. Waves that fit into the box, sin(pi j x) sin(pi k y), are multiplied by a number each by
-- the five-point formula: a sine transform finds how much of each wave is in f, and that is divided by the number.

local plot = require "lunarray.plot"
local script = require "lunarray.script"

local OPTIONS = {
    name = "poisson",
    about = "Poisson's equation on a square with a cold edge, by sine transforms, in f32.",
    { name = "size", value = "N", default = 255, integer = true, min = 3, help = "points inside, along a side" },
    { name = "device", value = "NAME", help = "device: gpu, cpu, a part of its name, or its number" },
}

-- What the second difference makes of the waves along one axis: (2 sin(pi k h / 2) / h)^2, k = 1 ... n.
local function numbers(dev, n)
    local wave = (dev:arange(1, n) * (0.5 / (n + 1))):sinpi()
    return (wave * (2 * (n + 1))):square()
end

local function solve(f)
    local n = #f
    local along = numbers(f:device(), n)
    local waves = f:dst({ type = 1, axis = 1 }):dst { type = 1 }
    return (waves / (along:reshape(n, 1) + along)):idst({ type = 1, axis = 1 }):idst { type = 1 }
end

-- -u_xx - u_yy by the five-point formula, u being 0 outside.
local function laplacian(u)
    local n = #u
    local padded = u:pad(1)
    local function moved(rows, columns)
        return padded:slice({ 2 + rows, n + 1 + rows }, { 2 + columns, n + 1 + columns })
    end
    return (4 * u - moved(-1, 0) - moved(1, 0) - moved(0, -1) - moved(0, 1)) * (n + 1) ^ 2
end

local function main()
    local options = script.options(arg, OPTIONS)
    local n = options.size
    local dev = script.device(OPTIONS.name, options.device)
    local x = dev:arange(1, n) / (n + 1)
    local y = x:reshape(n, 1)
    local function charge(at_x, at_y) return ((x - at_x) ^ 2 + (y - at_y) ^ 2):lt(0.003):cast "f32" end
    local u = solve(charge(0.3, 0.35) - charge(0.7, 0.6))
    print(plot.beside({ plot.shades(u:totable(), 38, 19), plot.shades((-u):totable(), 38, 19) },
        { "potential above 0", "below 0" }))
    -- One wave is solved by the equation itself: u = f / 13 pi^2.
    local wave = (2 * x):sinpi() * (3 * y):sinpi()
    local off = (solve(wave) * (13 * math.pi ^ 2) - wave):absmax()
    print(("a wave of 2 by 3 halves: off by %.6f; the formula's own error is %.6f"):format(off,
        (2 ^ 4 + 3 ^ 4) / (2 ^ 2 + 3 ^ 2) * (math.pi / (n + 1)) ^ 2 / 12))
    local noise = dev:normal({ n, n }, { seed = 1 })
    local back = laplacian(solve(noise)) - noise
    print(("noise, solved and put into the formula again: off by %.1e of itself"):format(back:norm() / noise:norm()))
end

script.run(OPTIONS.name, main)
