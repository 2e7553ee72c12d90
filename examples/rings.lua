-- A disc of dust around a star, in which two planets open gaps: the dust feels star and planets, and is not felt.
--
--     lua5.4 examples/rings.lua --bodies 100000 --turns 200 --out pictures
--
-- Units: the gravitational constant, the star's mass and the inner planet's distance are 1; its turn takes 2 pi.

local lun = require "lunarray"
local plot = require "lunarray.plot"
local progress = require "lunarray.progress"
local script = require "lunarray.script"

local OPTIONS = {
    name = "rings",
    about = "Two planets open gaps in a disc of test bodies, in f32.",
    { name = "bodies", value = "N", default = 20000, integer = true, min = 100, help = "grains of dust" },
    { name = "turns", value = "N", default = 60, integer = true, min = 1, help = "of the inner planet" },
    { name = "seed", value = "N", default = 1, integer = true, help = "of the grains' places" },
    { name = "device", value = "NAME", help = "device: gpu, cpu, a part of its name, or its number" },
    { name = "out", value = "FOLDER", help = "write a picture of the disc there" },
}

local PLANETS = { { distance = 1, mass = 1e-3 }, { distance = 1.7, mass = 2e-3 } }
local INNER, OUTER, BINS, STEPS = 0.6, 2.4, 36, 100 -- of the disc; rings that are counted; steps in a turn

-- Rows of bodies on circles around the star: places and masses, velocities.
local circles = lun.fuse(function(distance, angle)
    local speed = distance:rsqrt()
    return distance * angle:cos(), distance * angle:sin(), -speed * angle:sin(), speed * angle:cos()
end)

-- The star, the planets, and the dust, even in distance.
local function disc(dev, options)
    local n, heavy = options.bodies, 1 + #PLANETS
    local pos, vel = dev:zeros { heavy + n, 4 }, dev:zeros { heavy + n, 4 }
    local x, v = 0, 0 -- of the star: with the planets it is at rest as a whole
    for i, planet in ipairs(PLANETS) do
        local speed = planet.distance ^ -0.5
        pos:row(i + 1):write { planet.distance, 0, 0, planet.mass }
        vel:row(i + 1):write { 0, speed, 0, 0 }
        x, v = x - planet.mass * planet.distance, v - planet.mass * speed
    end
    pos:row(1):write { x, 0, 0, 1 }
    vel:row(1):write { 0, v, 0, 0 }
    local dust = { heavy + 1, heavy + n }
    circles(dev:random({ n }, { seed = options.seed, low = INNER, high = OUTER }),
        dev:random({ n }, { seed = options.seed + 1, high = 2 * math.pi }),
        { out = { pos:slice(dust, 1), pos:slice(dust, 2), vel:slice(dust, 1), vel:slice(dust, 2) } })
    return pos, vel, dust
end

-- The half axis of each orbit around the star, from its energy.
local half_axis = lun.fuse(function(x, y, u, v) return 1 / (2 / x:hypot(y) - u * u - v * v) end)

local function main()
    local options = script.options(arg, OPTIONS)
    if options.out then script.folder(options.out) end
    local turn, pos, vel, dust = 2 * math.pi, disc(script.device(OPTIONS.name, options.device), options)
    local bar = progress.new(options.turns)
    local sim <close> = lun.simulation(pos, vel, { dt = turn / STEPS, active = 1 + #PLANETS, softening = 1e-3 })
    sim:every(turn, function()
        local turns = math.floor(sim:time() / turn + 0.5)
        bar:update(turns)
        return turns < options.turns
    end)
    bar:finish()
    local a = half_axis(pos:slice(dust, 1), pos:slice(dust, 2), vel:slice(dust, 1), vel:slice(dust, 2))
    local counts = a:histogram { bins = BINS, low = INNER, high = OUTER }:totable()
    print(("dust after %d turns, by the half axis of its orbits"):format(options.turns))
    for i, count in ipairs(counts) do
        local from, share = INNER + (i - 1) * (OUTER - INNER) / BINS, count * BINS / options.bodies
        print(("%.2f %4.0f %%  %s"):format(from, 100 * share, ("#"):rep(math.floor(40 * share + 0.5))))
    end
    if options.out then
        local map = sim:image(600, 600, { limits = { -2.6, 2.6, -2.6, 2.6 }, weights = false })
        plot.image(options.out .. "/rings.png", (map + 1):log(), { scale = "heat" })
    end
end

script.run(OPTIONS.name, main)
