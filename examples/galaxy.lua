-- Two star clusters (Plummer spheres) fall past each other on a parabola; every star pulls every other one.
--
--     lua5.4 examples/galaxy.lua --bodies 16384 --out pictures
--
-- Units: the gravitational constant, the mass of one cluster and its Plummer radius are 1.

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
    { name = "seed", value = "N", default = 1, integer = true, help = "seed of the random positions" },
    { name = "device", value = "NAME", help = "device: gpu, cpu, a part of its name, or its number" },
    { name = "out", value = "FOLDER", help = "write the last positions there, as .npy, and a picture" },
}

local START = 6 -- distance of the centres at the start
local PERICENTRE = 1 -- distance of the centres at closest approach, if the clusters were points
local EDGE = 10 -- stars farther out than this in their cluster (1.5 % of them) are drawn again
local VIEW = 7 -- half the width of the pictures

---- The clusters -------------------------------------------------------------------------------------------

-- A vector of this length in a random direction.
local function random_direction(length)
    local z = 2 * math.random() - 1
    local phi = 2 * math.pi * math.random()
    local across = length * math.sqrt(1 - z * z)
    return { across * math.cos(phi), across * math.sin(phi), length * z }
end

-- Speed over escape speed q, distributed as q^2 (1 - q^2)^(7/2), by rejection: the maximum of that, 0.092, is below
-- 0.1.
local function random_speed()
    while true do
        local q = math.random()
        if 0.1 * math.random() < q ^ 2 * (1 - q ^ 2) ^ 3.5 then
            return q
        end
    end
end

-- Position and velocity of a star of a Plummer sphere in equilibrium (Aarseth, Henon & Wielen, A&A 37, 183, 1974).
local function plummer_star()
    local r
    repeat
        r = 1 / math.sqrt(math.random() ^ (-2 / 3) - 1)
    until r < EDGE
    local escape = math.sqrt(2) * (1 + r * r) ^ -0.25
    return random_direction(r), random_direction(random_speed() * escape)
end

-- Place and velocity of the second cluster's centre, seen from the first: it comes in on a parabola around the mass of
-- both clusters. With D = tan(true anomaly / 2), r = q (1 + D^2) and the speed is sqrt(2 * 2 / r).
local function parabola()
    local D = -math.sqrt(START / PERICENTRE - 1)
    local place = { PERICENTRE * (1 - D * D), 2 * PERICENTRE * D, 0 }
    local speed = 2 / math.sqrt(START)
    local length = math.sqrt(1 + D * D)
    return place, { -D / length * speed, speed / length, 0 }
end

-- Rows {x, y, z, mass} and {vx, vy, vz, 0}: first one cluster, then the other.
local function clusters(bodies)
    local place, speed = parabola()
    local pos, vel = {}, {}
    for body = 1, bodies do
        local side = body <= bodies // 2 and -0.5 or 0.5
        local r, v = plummer_star()
        pos[body] = { r[1] + side * place[1], r[2] + side * place[2], r[3], 2 / bodies }
        vel[body] = { v[1] + side * speed[1], v[2] + side * speed[2], v[3], 0 }
    end
    return pos, vel
end

---- The run ------------------------------------------------------------------------------------------------

local CHUNKS = 8 -- parts of the run: a part's steps are enqueued at once, and the bar moves after each part

local function energy_of(pos, vel, options)
    local kinetic, potential = pos:energy(vel, { softening = options.softening })
    return kinetic + potential
end

-- Advances the stars by some steps and gives the seconds that the device spent on them.
local function advance(pos, vel, steps, options)
    local event <close> = pos:nbody(vel, {
        dt = options.dt, steps = steps, softening = options.softening, integrator = "leapfrog", async = true,
    })
    event:wait()
    local times = event:profile()
    return times.ended - times.started
end

-- Gives snapshots (a list of {time, rows}), the seconds of device time for the steps, the energy at the start and at
-- the end, and its largest relative change on the way.
local function simulate(pos, vel, options)
    local first = energy_of(pos, vel, options)
    local snapshots = { { time = 0, rows = pos:totable() } }
    local last, drift, seconds, done = first, 0, 0, 0
    local bar = progress.new(options.steps)
    for chunk = 1, CHUNKS do
        local steps = options.steps * chunk // CHUNKS - done
        if steps > 0 then
            seconds = seconds + advance(pos, vel, steps, options)
            done = done + steps
            last = energy_of(pos, vel, options)
            drift = math.max(drift, math.abs(last / first - 1))
            snapshots[#snapshots + 1] = { time = done * options.dt, rows = pos:totable() }
            bar:update(done, ("t = %.1f"):format(done * options.dt))
        end
    end
    bar:finish()
    return snapshots, seconds, { first = first, last = last, drift = drift }
end

---- Pictures -----------------------------------------------------------------------------------------------

-- Four of the snapshots, the first and the last among them.
local function moments(snapshots)
    local chosen = {}
    for i = 0, 3 do
        chosen[#chosen + 1] = snapshots[1 + (#snapshots - 1) * i // 3]
    end
    return chosen
end

local function print_densities(snapshots)
    local pictures, captions = {}, {}
    for i, snapshot in ipairs(moments(snapshots)) do
        pictures[i] = plot.density(snapshot.rows, 38, 19, VIEW)
        captions[i] = ("t = %.1f"):format(snapshot.time)
    end
    print(plot.beside({ pictures[1], pictures[2] }, { captions[1], captions[2] }))
    print(plot.beside({ pictures[3], pictures[4] }, { captions[3], captions[4] }))
end

-- One panel for each moment; the two clusters in two colours, as they were at the start.
local function picture(path, snapshots)
    local parts = { plot.png(path, 1000, 1030, "#08080c") }
    local shots = moments(snapshots)
    for i, snapshot in ipairs(shots) do
        parts[#parts + 1] = plot.block("stars" .. i, snapshot.rows)
    end
    parts[#parts + 1] = "set size square\nunset key\nunset tics\nset border lc rgb '#303040'\n"
    parts[#parts + 1] = ("set xrange [%d:%d]\nset yrange [%d:%d]\nset multiplot layout 2,2 margins 0.01,0.99,0.01,0.96 "
        .. "spacing 0.01,0.04"):format(-VIEW, VIEW, -VIEW, VIEW)
    local half = #shots[1].rows // 2
    for i, snapshot in ipairs(shots) do
        parts[#parts + 1] = ("set title 't = %.1f' tc rgb 'white' offset 0,-0.7"):format(snapshot.time)
        parts[#parts + 1] = ("plot $stars%d every ::0::%d using 1:2 with dots lc rgb '#80a0ff', "
            .. "$stars%d every ::%d using 1:2 with dots lc rgb '#ffb060'"):format(i, half - 1, i, half)
    end
    return plot.run(parts)
end

local function save(folder, pos, snapshots)
    pos:save(folder .. "/galaxy.npy")
    print(("%s/galaxy.npy: %d stars x (x, y, z, mass)"):format(folder, #snapshots[1].rows))
    if not plot.available() then
        print("no PNG: gnuplot is not installed")
    elseif picture(folder .. "/galaxy.png", snapshots) then
        print(folder .. "/galaxy.png: four moments")
    else
        print("no PNG: gnuplot failed")
    end
end

local function main()
    local options = script.options(arg, OPTIONS)
    if options.out then
        script.folder(options.out)
    end
    local device = script.device(OPTIONS.name, options.device)
    print(("Two clusters of %d stars, %d steps of %g, f32, on %s")
        :format(options.bodies // 2, options.steps, options.dt, device:info().name))
    math.randomseed(options.seed)
    local positions, velocities = clusters(options.bodies)
    local pos <close> = device:array(positions)
    local vel <close> = device:array(velocities)
    local snapshots, seconds, energy = simulate(pos, vel, options)
    print_densities(snapshots)
    local interactions = options.bodies ^ 2 * options.steps
    print(("\n%.3g interactions in %.2f s on the device: %.3g interactions/s")
        :format(interactions, seconds, interactions / seconds))
    print(("energy: %.6f at the start, %.6f at the end; largest relative change on the way %.1e")
        :format(energy.first, energy.last, energy.drift))
    if options.out then
        save(options.out, pos, snapshots)
    end
end

script.run(OPTIONS.name, main)
