-- The Sun and the five outer planets for a hundred thousand years: how well an integrator keeps their energy.
--
--     lua5.4 examples/outer_planets.lua --integrator kahan_li8 --dt 400 --out pictures
--
-- Units: AU, days, solar masses. Masses and state: J. H. Applegate et al., AJ 92 (1986) 176, as the example
-- outer_solar_system of REBOUND has them. The inner planets' masses are in the Sun's.

local plot = require "lunarray.plot"
local progress = require "lunarray.progress"
local script = require "lunarray.script"
local lun = require "lunarray"

local G, YEAR = 0.01720209895 ^ 2, 365.25
local POSITIONS = {
    { -4.06428567034226e-3, -6.08813756435987e-3, -1.66162304225834e-6, 1.00000597682 },
    { 3.40546614227466e+0, 3.62978190075864e+0, 3.42386261766577e-2, 1 / 1047.355 },
    { 6.60801554403466e+0, 6.38084674585064e+0, -1.36145963724542e-1, 1 / 3501.6 },
    { 1.11636331405597e+1, 1.60373479057256e+1, 3.61783279369958e-1, 1 / 22869 },
    { -3.01777243405203e+1, 1.91155314998064e+0, -1.53887595621042e-1, 1 / 19314 },
    { -2.13858977531573e+1, 3.20719104739886e+1, 2.49245689556096e+0, 7.4074074e-09 },
}
local VELOCITIES = {
    { 6.69048890636161e-6, -6.33922479583593e-6, -3.13202145590767e-9, 0 },
    { -5.59797969310664e-3, 5.51815399480116e-3, -2.66711392865591e-6, 0 },
    { -4.17354020307064e-3, 3.99723751748116e-3, 1.67206320571441e-5, 0 },
    { -3.25884806151064e-3, 2.06438412905916e-3, -2.17699042180559e-5, 0 },
    { -2.17471785045538e-4, -3.11361111025884e-3, 3.58344705491441e-5, 0 },
    { -1.76936577252484e-3, -2.06720938381724e-3, 6.58091931493844e-4, 0 },
}
local SAMPLES = 500 -- looks at the energy, at most

local OPTIONS = {
    name = "outer_planets",
    about = "The Sun and five outer planets over a long time, in f64: the error of their energy.",
    { name = "years", value = "N", default = 100000, positive = true, help = "how long" },
    { name = "dt", value = "DAYS", default = 40, positive = true, max = 1000, help = "time step" },
    { name = "integrator", value = "NAME", default = "leapfrog", help = "one of pos:nbody's" },
    { name = "device", value = "NAME", help = "device: gpu, cpu, a part of its name, or its number" },
    { name = "out", value = "FOLDER", help = "write a picture of the error there" },
}

local function main()
    local options = script.options(arg, OPTIONS)
    if options.out then script.folder(options.out) end
    local dev = script.device(OPTIONS.name, options.device)
    local pos, vel = dev:array(POSITIONS, "f64"), dev:array(VELOCITIES, "f64")
    local sim <close> = lun.simulation(pos, vel, { dt = options.dt, G = G, integrator = options.integrator })
    local function energy()
        local kinetic, potential = sim:energy()
        return kinetic + potential
    end
    local stretch = math.ceil(options.years * YEAR / options.dt / SAMPLES) -- steps between two looks
    local looks = math.ceil(options.years * YEAR / options.dt / stretch)
    local first, rows, largest, bar = energy(), {}, 0, progress.new(looks)
    sim:every(stretch * options.dt, function()
        local off = energy() / first - 1
        rows[#rows + 1] = { sim:time() / YEAR, off }
        largest = math.max(largest, math.abs(off))
        bar:update(#rows)
        return #rows < looks
    end)
    bar:finish()
    print(("%s, %g days a step, %.6g years: largest relative error of the energy %.1e"):format(options.integrator,
        options.dt, sim:time() / YEAR, largest))
    local line = "to year %7" .. (looks < SAMPLES / 2 and ".2f" or ".0f") .. "  %7.1e  %s"
    for part = math.max(1, 11 - looks), 10 do
        local most, last = 0, part * looks // 10
        for i = (part - 1) * looks // 10 + 1, last do
            most = math.max(most, math.abs(rows[i][2]))
        end
        print(line:format(rows[last][1], most, ("#"):rep(math.ceil(50 * most / math.max(largest, 1e-99)))))
    end
    if options.out and plot.available() then
        plot.run { plot.png(options.out .. "/outer_planets.png", 900, 500), plot.block("error", rows),
            "set xlabel 'year'", "set ylabel 'relative error'", "plot $error using 1:2 with lines notitle" }
    end
end

script.run(OPTIONS.name, main)
