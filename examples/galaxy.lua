-- Two star clusters (Plummer spheres) fall past each other on a parabola; every star pulls every other one.
--
--     lua5.4 examples/galaxy.lua --bodies 16384 --out pictures
--     lua5.4 examples/galaxy.lua --bodies 1000000 --out pictures
--
-- Units: the gravitational constant, the mass of one cluster and its Plummer radius are 1.

local lun = require "lunarray"
local plot = require "lunarray.plot"
local progress = require "lunarray.progress"
local script = require "lunarray.script"

local OPTIONS = {
    name = "galaxy",
    about = "Two Plummer spheres passing each other, in f32.",
    { name = "bodies", value = "N", default = 16384, integer = true, min = 4, help = "stars in both together" },
    { name = "steps", value = "N", default = 80, integer = true, min = 1, help = "time steps" },
    { name = "dt", value = "T", default = 0.15, positive = true, help = "length of a step" },
    { name = "softening", value = "LENGTH", default = 0.1, min = 0, help = "softening length of the stars' pull" },
    { name = "accuracy", value = "X", default = 0, min = 0, max = 0.1,
      help = "of the pull, by a tree; 0: 3e-3 from 40000 stars on, below them each pair is summed" },
    { name = "seed", value = "N", default = 1, integer = true, help = "seed of the random positions" },
    { name = "device", value = "NAME", help = "device: gpu, cpu, a part of its name, or its number" },
    { name = "out", value = "FOLDER", help = "write the last positions there, as .npy, and a picture" },
}

local START = 6 -- distance of the centres at the start
local PERICENTRE = 1 -- distance of the centres at closest approach, if the clusters were points
local EDGE = 10 -- a cluster ends here: a sphere without an edge has 1.5 % of its mass farther out
local VIEW = 7 -- half the width of the pictures
local MANY = 40000 -- stars, from which on a tree sums their pulls

---- The clusters -------------------------------------------------------------------------------------------

-- Place and velocity of the second cluster's centre, seen from the first: it comes in on a parabola around the mass of
-- both clusters. With D = tan(true anomaly / 2), r = q (1 + D^2) and the speed is sqrt(2 * 2 / r).
local function parabola()
    local D = -math.sqrt(START / PERICENTRE - 1)
    local place = { PERICENTRE * (1 - D * D), 2 * PERICENTRE * D, 0 }
    local speed = 2 / math.sqrt(START)
    local length = math.sqrt(1 + D * D)
    return place, { -D / length * speed, speed / length, 0 }
end

-- Places and velocities, n x 3, of stars of a Plummer sphere in equilibrium. The square w of speed over escape speed
-- has the density w^(1/2) (1 - w)^(7/2) (Aarseth, Henon & Wielen, A&A 37, 183, 1974): that of the share that three of
-- twelve normal numbers have of the sum of the squares of all. The three are the direction as well.
local function plummer(dev, n, seed)
    local within = EDGE ^ 3 / (1 + EDGE ^ 2) ^ 1.5 -- share of the mass
    local r = (dev:random({ n }, { seed = seed, high = within }) ^ (-2 / 3) - 1):rsqrt()
    local direction, twelve = dev:normal({ n, 3 }, { seed = seed + 1 }), dev:normal({ n, 12 }, { seed = seed + 2 })
    local escape = math.sqrt(2) * (r * r + 1) ^ -0.25
    return direction * (r / direction:norm { axis = 2 }):reshape(n, 1),
        twelve:slice(nil, { 1, 3 }) * (escape / twelve:norm { axis = 2 }):reshape(n, 1)
end

-- Rows {x, y, z, mass} and {vx, vy, vz, 0}: first one cluster, then the other.
local function clusters(dev, n, seed)
    return lun.scope(function()
        local place, speed = parabola()
        local pos, vel = plummer(dev, n, 3 * seed)
        local side = lun.concat({ dev:full({ n // 2, 1 }, -0.5), dev:full({ n - n // 2, 1 }, 0.5) }, 1)
        pos, vel = pos + side * dev:array { place }, vel + side * dev:array { speed }
        return lun.concat({ pos, dev:full({ n, 1 }, 2 / n) }, 2), lun.concat({ vel, dev:zeros { n, 1 } }, 2)
    end)
end

---- Pictures -----------------------------------------------------------------------------------------------

-- How many stars of each cluster are in each cell of the view, seen along z, h x w: two arrays.
local function maps(pos, width, height)
    local n, cells = #pos, width * height
    return lun.scope(function()
        local counts = {}
        for cluster, stars in ipairs { { 1, n // 2 }, { n // 2 + 1, n } } do
            local x, y = pos:slice(stars, 1), pos:slice(stars, 2)
            local column, row = ((x + VIEW) * (width / 2 / VIEW)):floor(), ((VIEW - y) * (height / 2 / VIEW)):floor()
            local is_seen = column:ge(0):land(column:lt(width)):land(row:ge(0)):land(row:lt(height))
            local cell = lun.where(is_seen, row * width + column, cells):cast "i64"
            counts[cluster] = cell:bincount { size = cells + 1, from = 0 }:slice { 1, cells }:reshape(height, width)
        end
        return table.unpack(counts)
    end)
end

local function text_of(pos, columns, rows)
    return lun.scope(function()
        local first, second = maps(pos, columns, rows)
        return plot.shades((first + second + 1):log():totable(), columns, rows)
    end)
end

local SIDE = 500 -- pixels of a panel of the picture
local COLOURS = { { 128, 160, 255 }, { 255, 176, 96 } } -- of the clusters

-- A panel of the picture, h x w x 3: brightness grows as the logarithm of how many stars there are.
local function panel(pos)
    return lun.scope(function()
        local both = table.pack(maps(pos, SIDE, SIDE))
        local most = math.log(1 + math.max(16, (both[1] + both[2]):max() / 8))
        local channels = {}
        for c = 1, 3 do
            local light = both[1] * COLOURS[1][c] + both[2] * COLOURS[2][c]
            local stars = both[1] + both[2]
            local shade = light / stars:maximum(1) * ((stars + 1):log() / most):minimum(1):sqrt()
            channels[c] = (shade + 0.5):clamp(0, 255):cast "u8"
        end
        return lun.stack(channels, 3)
    end)
end

-- One panel for each of four moments; the two clusters in two colours, as they were at the start.
local function picture(path, shots)
    local rows = {}
    for i = 1, 2 do
        rows[i] = lun.concat({ shots[2 * i - 1].panel, shots[2 * i].panel }, 2)
    end
    plot.image(path, lun.concat(rows, 1))
end

---- The run ------------------------------------------------------------------------------------------------

local CHUNKS = 9 -- parts of the run: a part's steps are enqueued at once, and the bar moves after each part

local function energy_of(pos, vel, options)
    local kinetic, potential = pos:energy(vel, { softening = options.softening, accuracy = options.accuracy })
    return kinetic + potential
end

-- Advances the stars by some steps and gives the seconds that the device spent on them.
local function advance(pos, vel, steps, options)
    local event <close> = pos:nbody(vel, {
        dt = options.dt, steps = steps, softening = options.softening, accuracy = options.accuracy,
        integrator = "leapfrog", async = true,
    })
    event:wait()
    local times = event:profile()
    return times.ended - times.started
end

local function shot(pos, time, options)
    return { time = time, text = text_of(pos, 38, 19), panel = options.out and panel(pos) }
end

-- Gives four moments, the seconds of device time for the steps, the energy at the start and at the end, and its largest
-- relative change on the way.
local function simulate(pos, vel, options)
    local first = energy_of(pos, vel, options)
    local shots = { shot(pos, 0, options) }
    local last, drift, seconds, done = first, 0, 0, 0
    local bar = progress.new(options.steps)
    for chunk = 1, CHUNKS do
        local steps = options.steps * chunk // CHUNKS - done
        if steps > 0 then
            seconds = seconds + advance(pos, vel, steps, options)
            done = done + steps
            last = energy_of(pos, vel, options)
            drift = math.max(drift, math.abs(last / first - 1))
            bar:update(done, ("t = %.1f"):format(done * options.dt))
        end
        if chunk % 3 == 0 then
            shots[#shots + 1] = shot(pos, done * options.dt, options)
        end
    end
    bar:finish()
    return shots, seconds, { first = first, last = last, drift = drift }
end

local function print_densities(shots)
    for i = 1, 3, 2 do
        local a, b = shots[i], shots[i + 1]
        print(plot.beside({ a.text, b.text }, { ("t = %.1f"):format(a.time), ("t = %.1f"):format(b.time) }))
    end
end

local function print_rate(options, seconds)
    local pulled = options.bodies * options.steps
    if options.accuracy then
        print(("\n%.3g pulls on a star, good to %g, in %.2f s on the device: %.3g pulls/s"):format(pulled,
            options.accuracy, seconds, pulled / seconds))
    else
        pulled = pulled * options.bodies
        print(("\n%.3g interactions in %.2f s on the device: %.3g interactions/s"):format(pulled, seconds,
            pulled / seconds))
    end
end

local function main()
    local options = script.options(arg, OPTIONS)
    if options.out then
        script.folder(options.out)
    end
    if options.accuracy > 0 and options.accuracy < 1e-6 then
        script.fail(OPTIONS.name, "--accuracy must be 0, or from 1e-6 to 0.1, not %g", options.accuracy)
    end
    options.accuracy = options.accuracy > 0 and options.accuracy or options.bodies >= MANY and 3e-3 or nil
    local device = script.device(OPTIONS.name, options.device)
    print(("Two clusters of %d stars, %d steps of %g, f32, on %s")
        :format(options.bodies // 2, options.steps, options.dt, device:info().name))
    local pos, vel = clusters(device, options.bodies, options.seed)
    local shots, seconds, energy = simulate(pos, vel, options)
    print_densities(shots)
    print_rate(options, seconds)
    print(("energy: %.6f at the start, %.6f at the end; largest relative change on the way %.1e")
        :format(energy.first, energy.last, energy.drift))
    if options.out then
        pos:save(options.out .. "/galaxy.npy")
        print(("%s/galaxy.npy: %d stars x (x, y, z, mass)"):format(options.out, options.bodies))
        picture(options.out .. "/galaxy.png", shots)
        print(options.out .. "/galaxy.png: four moments")
    end
end

script.run(OPTIONS.name, main)
