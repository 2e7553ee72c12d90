-- Two disc galaxies collide: each a disc of stars in a halo (a Plummer sphere), a million bodies in all, by a tree.
--
--     lua5.4 examples/collision.lua --bodies 1000000 --out pictures
--
-- Units: the gravitational constant, the mass of a halo and its Plummer radius are 1.

local lun = require "lunarray"
local plot = require "lunarray.plot"
local progress = require "lunarray.progress"
local script = require "lunarray.script"

local OPTIONS = {
    name = "collision",
    about = "Two disc galaxies collide, in f32.",
    { name = "bodies", value = "N", default = 20000, integer = true, min = 8, help = "in both galaxies together" },
    { name = "time", value = "T", default = 12, positive = true, help = "to run for; a picture at each quarter of it" },
    { name = "accuracy", value = "X", default = 3e-3, min = 1e-6, max = 0.1, help = "of the accelerations" },
    { name = "device", value = "NAME", help = "device: gpu, cpu, a part of its name, or its number" },
    { name = "out", value = "FOLDER", help = "write the pictures there" },
}

local DISC, LENGTH, STEPS, VIEW = 0.1, 0.4, 240, 6 -- a disc's mass, its scale; steps in the run; half a picture's width

-- A halo in equilibrium: places and velocities, n x 3, as in galaxy.lua.
local function halo(dev, n, seed)
    local r = (dev:random({ n }, { seed = seed, high = 0.985 }) ^ (-2 / 3) - 1):rsqrt()
    local way, twelve = dev:normal({ n, 3 }, { seed = seed + 1 }), dev:normal({ n, 12 }, { seed = seed + 2 })
    local escape = math.sqrt(2) * (r * r + 1) ^ -0.25
    return way * (r / way:norm { axis = 2 }):reshape(n, 1),
        twelve:slice(nil, { 1, 3 }) * (escape / twelve:norm { axis = 2 }):reshape(n, 1)
end

-- Of a star at distance r and angle a: its place on a disc that is tilted by t, and a velocity on a circle.
local star = lun.fuse(function(r, a, t)
    local inside = r * r * r / (r * r + 1) ^ 1.5 + DISC * (1 - (1 + r / LENGTH) * (-r / LENGTH):exp())
    local v, up = (inside / r):sqrt(), r * a:sin()
    return r * a:cos(), up * t:cos(), up * t:sin(), -v * a:sin(), v * a:cos() * t:cos(), v * a:cos() * t:sin()
end)

-- Rows {x, y, z, mass} and {vx, vy, vz, 0} of a galaxy: half of its bodies are the halo's, half the disc's.
local function galaxy(dev, n, seed, tilt, place, speed)
    local pos, vel = halo(dev, n - n // 2, seed)
    local two = dev:random({ n // 2, 2 }, { seed = seed + 3 })
    local r = (1 - two):prod { axis = 2 }:log() * -LENGTH -- exponential: the mass between r and r + dr is r exp(-r) dr
    local x, y, z, u, v, w = star(r, dev:random({ n // 2 }, { seed = seed + 4, high = 2 * math.pi }), tilt)
    pos, vel = lun.concat({ pos, lun.stack({ x, y, z }, 2) }, 1), lun.concat({ vel, lun.stack({ u, v, w }, 2) }, 1)
    local mass = lun.concat { dev:full({ n - n // 2 }, 1 / (n - n // 2)), dev:full({ n // 2 }, DISC / (n // 2)) }
    return lun.concat({ pos + dev:array { place }, mass:reshape(n, 1) }, 2),
        lun.concat({ vel + dev:array { speed }, dev:zeros { n, 1 } }, 2)
end

local function main()
    local options = script.options(arg, OPTIONS)
    if options.out then script.folder(options.out) end
    local dev, n = script.device(OPTIONS.name, options.device), options.bodies // 2
    local p1, v1 = galaxy(dev, n, 1, 0.3, { -3, -0.8, 0 }, { 0.35, 0, 0 })
    local p2, v2 = galaxy(dev, n, 11, 1.2, { 3, 0.8, 0 }, { -0.35, 0, 0 })
    local sim <close> = lun.simulation(lun.concat({ p1, p2 }, 1), lun.concat({ v1, v2 }, 1),
        { dt = options.time / STEPS, softening = 0.03, accuracy = options.accuracy })
    local light = lun.concat { dev:zeros { n - n // 2 }, dev:ones { n // 2 } } -- only the discs' stars shine
    local view = { weights = lun.concat { light, light }, limits = { -VIEW, VIEW, -VIEW, VIEW } }
    local bar = progress.new(STEPS)
    for frame = 0, 4 do
        for step = 1, frame > 0 and STEPS // 4 or 0 do
            sim:step()
            bar:update((frame - 1) * STEPS // 4 + step)
        end
        local shades, kinetic, potential = (sim:image(64, 32, view) + 1):log():totable(), sim:energy()
        print(("t = %.2f, energy %.4f\n%s"):format(sim:time(), kinetic + potential,
            table.concat(plot.shades(shades, 64, 32), "\n")))
        if options.out then
            local path = ("%s/collision%d.png"):format(options.out, frame)
            plot.image(path, (sim:image(800, 800, view) + 1):log(), { scale = "heat" })
        end
    end
    bar:finish()
end

script.run(OPTIONS.name, main)
