-- The Sun and the eight planets, from JPL's orbital elements, advanced with leapfrog on an OpenCL device.
--
--     lua5.4 examples/solar_system.lua --years 250 --out orbits
--
-- Units: AU, days, solar masses. Axes: mean ecliptic and equinox of J2000.

local plot = require "lunarray.plot"
local progress = require "lunarray.progress"
local script = require "lunarray.script"

local DAYS_PER_YEAR = 365.25 -- Julian
local DEGREES = 180 / math.pi
local TURN = 2 * math.pi

-- The Gaussian gravitational constant k (IAU 1976 system): G = k^2 in AU^3 / (solar mass day^2).
local G = 0.01720209895 ^ 2

-- Elements and their rates per Julian century: semi-major axis (AU), eccentricity, inclination, mean longitude,
-- longitude of perihelion, longitude of the ascending node (degrees). E. M. Standish, "Keplerian Elements for
-- Approximate Positions of the Major Planets", table 1, https://ssd.jpl.nasa.gov/planets/approx_pos.html; a fit to
-- the years 1800 to 2050. "Earth" is the barycentre of Earth and Moon.
-- ratio: mass of the Sun over that of the planet with its moons (IAU WGAS 1994; Standish, AJ 105, 2000, 1993).
-- period: sidereal, in Julian years, https://ssd.jpl.nasa.gov/planets/phys_par.html.
local PLANETS = {
    {
        name = "Mercury", ratio = 6023600, period = 0.2408467,
        at = { 0.38709927, 0.20563593, 7.00497902, 252.25032350, 77.45779628, 48.33076593 },
        rate = { 0.00000037, 0.00001906, -0.00594749, 149472.67411175, 0.16047689, -0.12534081 },
    },
    {
        name = "Venus", ratio = 408523.71, period = 0.61519726,
        at = { 0.72333566, 0.00677672, 3.39467605, 181.97909950, 131.60246718, 76.67984255 },
        rate = { 0.00000390, -0.00004107, -0.00078890, 58517.81538729, 0.00268329, -0.27769418 },
    },
    {
        name = "Earth", ratio = 328900.56, period = 1.0000174,
        at = { 1.00000261, 0.01671123, -0.00001531, 100.46457166, 102.93768193, 0 },
        rate = { 0.00000562, -0.00004392, -0.01294668, 35999.37244981, 0.32327364, 0 },
    },
    {
        name = "Mars", ratio = 3098708, period = 1.8808476,
        at = { 1.52371034, 0.09339410, 1.84969142, -4.55343205, -23.94362959, 49.55953891 },
        rate = { 0.00001847, 0.00007882, -0.00813131, 19140.30268499, 0.44441088, -0.29257343 },
    },
    {
        name = "Jupiter", ratio = 1047.3486, period = 11.862615,
        at = { 5.20288700, 0.04838624, 1.30439695, 34.39644051, 14.72847983, 100.47390909 },
        rate = { -0.00011607, -0.00013253, -0.00183714, 3034.74612775, 0.21252668, 0.20469106 },
    },
    {
        name = "Saturn", ratio = 3497.898, period = 29.447498,
        at = { 9.53667594, 0.05386179, 2.48599187, 49.95424423, 92.59887831, 113.66242448 },
        rate = { -0.00125060, -0.00050991, 0.00193609, 1222.49362201, -0.41897216, -0.28867794 },
    },
    {
        name = "Uranus", ratio = 22902.98, period = 84.016846,
        at = { 19.18916464, 0.04725744, 0.77263783, 313.23810451, 170.95427630, 74.01692503 },
        rate = { -0.00196176, -0.00004397, -0.00242939, 428.48202785, 0.40805281, 0.04240589 },
    },
    {
        name = "Neptune", ratio = 19412.24, period = 164.79132,
        at = { 30.06992276, 0.00859048, 1.77004347, -55.12002969, 44.96476227, 131.78422574 },
        rate = { 0.00026291, 0.00005105, 0.00035372, 218.45945325, -0.32241464, -0.00508664 },
    },
}
local FIRST_YEAR, LAST_YEAR = 1800, 2050 -- for which the elements were fitted
local BODIES = #PLANETS + 1 -- the Sun is body 1

local OPTIONS = {
    name = "solar_system",
    about = "The Sun and eight planets from JPL's orbital elements, advanced with leapfrog in f64.",
    { name = "start", value = "YEAR", default = 1800, help = "where to begin" },
    { name = "years", value = "N", default = 250, positive = true, help = "how long to go on, in Julian years" },
    -- At the upper bound Mercury, which goes round in 88 days, still gets a dozen steps a turn.
    { name = "dt", value = "DAYS", default = 0.02, positive = true, max = 7, help = "time step" },
    { name = "device", value = "NAME", help = "device: gpu, cpu, a part of its name, or its number" },
    { name = "out", value = "FOLDER", help = "write the orbits there, as .npy and as a picture" },
}

---- From elements to positions and velocities ---------------------------------------------------------------

local function elements_at(planet, year)
    local centuries = (year - 2000) / 100
    local function element(i)
        return planet.at[i] + planet.rate[i] * centuries
    end
    return {
        a = element(1),
        e = element(2),
        inclination = element(3) / DEGREES,
        longitude = element(4) / DEGREES,
        perihelion = element(5) / DEGREES,
        node = element(6) / DEGREES,
    }
end

-- Solves Kepler's equation E - e sin E = M by Newton's method, which converges from this start for the e of any planet.
local function eccentric_anomaly(M, e)
    local E = M + e * math.sin(M)
    for _ = 1, 10 do
        E = E - (E - e * math.sin(E) - M) / (1 - e * math.cos(E))
    end
    return E
end

-- In units of the semi-major axis.
local function distance_from_focus(el)
    return 1 - el.e * math.cos(eccentric_anomaly(el.longitude - el.perihelion, el.e))
end

-- Turns (x, y) in the plane of the orbit, x towards perihelion, into ecliptic coordinates.
local function out_of_plane(el, x, y)
    local w, node, i = el.perihelion - el.node, el.node, el.inclination
    local along = x * math.cos(w) - y * math.sin(w) -- towards the node
    local across = x * math.sin(w) + y * math.cos(w)
    return {
        along * math.cos(node) - across * math.sin(node) * math.cos(i),
        along * math.sin(node) + across * math.cos(node) * math.cos(i),
        across * math.sin(i),
    }
end

-- Position and velocity on the ellipse, relative to a focus with the gravity of `mass` (the planet's included).
local function on_ellipse(el, mass)
    local E = eccentric_anomaly(el.longitude - el.perihelion, el.e)
    local b = el.a * math.sqrt(1 - el.e ^ 2)
    local rate = math.sqrt(G * mass / el.a ^ 3) / (1 - el.e * math.cos(E)) -- of E
    local position = out_of_plane(el, el.a * (math.cos(E) - el.e), b * math.sin(E))
    local velocity = out_of_plane(el, -el.a * math.sin(E) * rate, b * math.cos(E) * rate)
    return position, velocity
end

local function add(row, by, factor)
    for axis = 1, 3 do
        row[axis] = row[axis] + factor * by[axis]
    end
end

-- The mean of the rows' first three columns, weighted with the masses, and the sum of the masses.
local function centre(rows, masses)
    local mean, total = { 0, 0, 0 }, 0
    for body, row in ipairs(rows) do
        add(mean, row, masses[body])
        total = total + masses[body]
    end
    return { mean[1] / total, mean[2] / total, mean[3] / total }, total
end

-- Barycentric rows {x, y, z, mass} and {vx, vy, vz, 0} of all bodies, at rest as a whole.
-- The elements are smoothed over 250 years and know nothing of the Sun's swing around the barycentre, so each
-- ellipse is laid around the centre of mass of all that is inside it (Jacobi coordinates), not around the Sun. Laid
-- around the Sun, Neptune and Saturn would be 14 and 7 times as far off the table after 250 years.
local function initial_state(year)
    local pos, vel, masses = { { 0, 0, 0 } }, { { 0, 0, 0 } }, { 1 }
    for _, planet in ipairs(PLANETS) do
        local mass = 1 / planet.ratio
        local focus, inside = centre(pos, masses)
        local position, velocity = on_ellipse(elements_at(planet, year), inside + mass)
        add(position, focus, 1)
        add(velocity, centre(vel, masses), 1)
        pos[#pos + 1], vel[#vel + 1], masses[#masses + 1] = position, velocity, mass
    end
    local origin, drift = centre(pos, masses), centre(vel, masses)
    for body = 1, BODIES do
        add(pos[body], origin, -1)
        add(vel[body], drift, -1)
        pos[body][4], vel[body][4] = masses[body], 0
    end
    return pos, vel
end

---- The run ------------------------------------------------------------------------------------------------

-- Gives the number of steps, the number of steps from one sample to the next, and the number of samples: about 10,000,
-- or more where samples would otherwise be more than ten days apart.
local function plan(options)
    local steps = math.max(1, math.floor(options.years * DAYS_PER_YEAR / options.dt + 0.5))
    local chunk = math.max(1, math.min((steps + 9999) // 10000, math.floor(10 / options.dt)))
    return steps, chunk, (steps + chunk - 1) // chunk + 1
end

local function energy_of(pos, vel)
    local kinetic, potential = pos:energy(vel, { G = G })
    return kinetic + potential
end

local function angular_momentum_of(pos, vel)
    local L = { 0, 0, 0 }
    local velocities = vel:totable()
    for body, r in ipairs(pos:totable()) do
        local v, mass = velocities[body], r[4]
        add(L, { r[2] * v[3] - r[3] * v[2], r[3] * v[1] - r[1] * v[3], r[1] * v[2] - r[2] * v[1] }, mass)
    end
    return L
end

local function distance(a, b)
    return math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2 + (a[3] - b[3]) ^ 2)
end

-- Advances the bodies on the device. Gives an array of samples x bodies x 4, the years of the samples, and how well
-- the invariants were kept: the largest relative change of the energy met on the way, and that of the angular
-- momentum at the end.
local function simulate(device, options)
    local steps, chunk, samples = plan(options)
    local positions, velocities = initial_state(options.start)
    local pos <close> = device:array(positions, "f64")
    local vel <close> = device:array(velocities, "f64")
    local orbits = device:zeros({ samples, BODIES, 4 }, "f64")
    local energy, momentum = energy_of(pos, vel), angular_momentum_of(pos, vel)
    local drift, years, done = 0, { options.start }, 0
    local look = math.max(1, samples // 100)
    local bar = progress.new(steps)
    orbits:slice(1):write(pos)
    for sample = 2, samples do
        local now = math.min(chunk, steps - done)
        pos:nbody(vel, { dt = options.dt, steps = now, G = G, integrator = "leapfrog" })
        orbits:slice(sample):write(pos) -- stays on the device; so far nothing has waited
        done = done + now
        years[sample] = options.start + done * options.dt / DAYS_PER_YEAR
        if sample % look == 0 or sample == samples then
            drift = math.max(drift, math.abs(energy_of(pos, vel) / energy - 1)) -- this waits
            bar:update(done, ("year %.1f"):format(years[sample]))
        end
    end
    bar:finish()
    local turning = distance(angular_momentum_of(pos, vel), momentum) / distance(momentum, { 0, 0, 0 })
    return { orbits = orbits, years = years, energy_drift = drift, momentum_drift = turning }
end

---- What the run shows -------------------------------------------------------------------------------------

-- The angle between -pi and pi that differs from the given angle by whole turns.
local function wrap(angle)
    return (angle + math.pi) % TURN - math.pi
end

-- Heliocentric x, y, z of a body, from a host mapping of samples x bodies x 4.
local function heliocentric(track, sample, body)
    local sun = (sample - 1) * BODIES * 4
    local at = sun + (body - 1) * 4
    return track[at + 1] - track[sun + 1], track[at + 2] - track[sun + 2], track[at + 3] - track[sun + 3]
end

-- The mean longitude of a planet in this direction: its angle from the node in the plane of the orbit, less the
-- unevenness of the ellipse. Unlike the angle itself the mean longitude grows evenly, but for the other planets' pull.
local function mean_longitude(el, x, y, z)
    local along = x * math.cos(el.node) + y * math.sin(el.node)
    local across = y * math.cos(el.node) - x * math.sin(el.node)
    across = across * math.cos(el.inclination) + z * math.sin(el.inclination)
    local anomaly = math.atan(across, along) - (el.perihelion - el.node)
    local squeeze = math.sqrt((1 - el.e) / (1 + el.e))
    local E = 2 * math.atan(squeeze * math.sin(anomaly / 2), math.cos(anomaly / 2))
    return E - el.e * math.sin(E) + el.perihelion
end

-- The turns that a planet made and its period in days: the angle is summed up from sample to sample, and its mean
-- rate is the slope of the straight line through all sums (least squares).
local function motion(planet, body, track, years)
    local angle, last = 0, nil
    local n, st, sa, stt, sta = #years, 0, 0, 0, 0
    for sample, year in ipairs(years) do
        local el = elements_at(planet, year)
        local now = mean_longitude(el, heliocentric(track, sample, body))
        angle = angle + wrap(now - (last or now))
        last = now
        local t = year - years[1]
        st, sa, stt, sta = st + t, sa + angle, stt + t * t, sta + t * angle
    end
    local rate = (n * sta - st * sa) / (n * stt - st * st)
    return angle / TURN, TURN / rate * DAYS_PER_YEAR
end

-- Ecliptic longitude in the run less that from the table, at the last sample.
local function longitude_error(planet, body, track, years)
    local x, y = heliocentric(track, #years, body)
    local expected = on_ellipse(elements_at(planet, years[#years]), 1)
    return wrap(math.atan(y, x) - math.atan(expected[2], expected[1]))
end

-- How far leapfrog's own error has moved a planet's longitude in the last year, to second order in dt. Kick-drift-kick
-- follows, far more closely than the true system, a system whose energy has the extra term
-- dt^2 (v.V''v / 12 - |grad V|^2 / 24) (Hairer, Lubich & Wanner, Geometric Numerical Integration, chapter IX).
-- Averaged over the ellipse this term is a slow perturbation, which turns the perihelion and changes the mean motion.
-- The place on the ellipse where the run begins enters, since it sets the energy. Lengths are in units of the
-- semi-major axis. A circle lags by (n dt)^2 / 3 of its way.
local function leapfrog_share(planet, first, last, dt)
    local el = elements_at(planet, first)
    local n = math.sqrt(G / el.a ^ 3)
    local b = math.sqrt(1 - el.e ^ 2)
    local r = distance_from_focus(el)
    local start = (2 / r ^ 3 - 4.5 / r ^ 4 + 3 * b ^ 2 / r ^ 5) / 12
    local mean = (3 / b ^ 5 - 1 / b ^ 3) / 48
    local angle = (n * dt) ^ 2 * n * (last - first) * DAYS_PER_YEAR
    local anomaly = angle * ((5 / b ^ 3 - 9 / b ^ 5) / 48 - 3 * (start - mean))
    local perihelion = angle * (3 / b ^ 4 - 15 / b ^ 6) / 48
    return anomaly * b / distance_from_focus(elements_at(planet, last)) ^ 2 + perihelion
end

local HEADER = [[

                       sidereal period (days)               longitude at the end (arcmin)
planet       turns   measured       known  difference    run - table  leapfrog's share]]
local ROW = "%-8s %9.3f %10.3f%s %11.3f %11.4f   %12.1f      %12.1f"

local function print_table(run, options)
    local track <close> = run.orbits:host("r")
    local partial = false
    print(HEADER)
    for index, planet in ipairs(PLANETS) do
        local turns, period = motion(planet, index + 1, track, run.years)
        local known = planet.period * DAYS_PER_YEAR
        local off = longitude_error(planet, index + 1, track, run.years)
        local share = leapfrog_share(planet, run.years[1], run.years[#run.years], options.dt)
        local mark = turns < 1 and "*" or " "
        partial = partial or turns < 1
        print(ROW:format(planet.name, turns, period, mark, known, period - known,
            off * DEGREES * 60, share * DEGREES * 60))
    end
    if partial then
        print("* less than one turn: extrapolated from the arc that was run")
    end
end

local NOTES = [[
The elements are a smooth fit (good to 10' for Saturn, better for the others), not the exact state of any day: from
such a start the longitudes drift off by some 1e-5 of the way, Saturn's by 1e-3. Leapfrog's share shrinks as dt^2.
Earth stands for the barycentre of Earth and Moon.]]

local function report(run, options)
    print_table(run, options)
    print(("\nenergy: largest relative change %.1e; angular momentum: relative change %.1e")
        :format(run.energy_drift, run.momentum_drift))
    print(NOTES)
    local first, last = run.years[1], run.years[#run.years]
    if first < FIRST_YEAR or last > LAST_YEAR + 0.1 then -- the last step may reach over a little
        print(("The table holds from %d to %d only: beyond, its own longitudes are no measure.")
            :format(FIRST_YEAR, LAST_YEAR))
    end
end

---- Files --------------------------------------------------------------------------------------------------

local COLOURS = { "#b0a090", "#e8c060", "#5090ff", "#ff6040", "#e0a070", "#f0d890", "#80e0e0", "#6070ff" }

-- One panel of the picture: planets from .. to, the samples as dots, the end as a disc with the name.
local function panel(title, half, from, to)
    local plots = { "'+' using (0):(0) every ::0::0 with points pt 7 ps 1.2 lc rgb '#ffd040' notitle" }
    for planet = from, to do
        local colour = ("lc rgb '%s' notitle"):format(COLOURS[planet])
        plots[#plots + 1] = ("$orbit%d using 1:2 with dots %s"):format(planet, colour)
        plots[#plots + 1] = ("$end%d using 1:2 with points pt 7 ps 0.9 %s"):format(planet, colour)
        plots[#plots + 1] = ("$end%d using 1:2:(%s) with labels left offset 0.7,0.5 tc rgb 'white' notitle")
            :format(planet, plot.quote(PLANETS[planet].name))
    end
    return ("set title %s tc rgb 'white'\nset xrange [%g:%g]\nset yrange [%g:%g]\nplot %s\n")
        :format(plot.quote(title), -half, half, -half, half, table.concat(plots, ", \\\n  "))
end

local function picture(path, run)
    local track <close> = run.orbits:host("r")
    local parts = { plot.png(path, 1400, 720, "#101018") }
    for index in ipairs(PLANETS) do
        local points = {}
        for sample = 1, #run.years do
            points[sample] = { heliocentric(track, sample, index + 1) }
        end
        parts[#parts + 1] = plot.block("orbit" .. index, points)
        parts[#parts + 1] = plot.block("end" .. index, { points[#points] })
    end
    parts[#parts + 1] = "set size square\nset border lc rgb '#606070'\nset tics tc rgb '#a0a0b0'\n"
        .. "set xlabel 'x (AU)' tc rgb '#a0a0b0'\nset multiplot layout 1,2\n"
    parts[#parts + 1] = panel("The inner planets", 1.8, 1, 4)
    parts[#parts + 1] = panel("The outer planets", 33, 5, 8)
    return plot.run(parts)
end

local function save(folder, run, device)
    run.orbits:save(folder .. "/orbits.npy")
    device:array(run.years, "f64"):save(folder .. "/years.npy")
    print(("\n%s/orbits.npy: %d samples x %d bodies x (x, y, z, mass), barycentric; %s/years.npy: their times")
        :format(folder, #run.years, BODIES, folder))
    if not plot.available() then
        print("no picture: gnuplot is not installed")
    elseif picture(folder .. "/orbits.png", run) then
        print(folder .. "/orbits.png: the orbits from above")
    else
        print("no picture: gnuplot failed")
    end
end

local function main()
    local options = script.options(arg, OPTIONS)
    if options.out then
        script.folder(options.out)
    end
    local device = script.device(OPTIONS.name, options.device)
    local steps = plan(options)
    print(("The solar system from %.1f, %g years: %d bodies, %d steps of %g days, f64, on %s")
        :format(options.start, options.years, BODIES, steps, options.dt, device:info().name))
    local run = simulate(device, options)
    report(run, options)
    if options.out then
        save(options.out, run, device)
    end
end

script.run(OPTIONS.name, main)
