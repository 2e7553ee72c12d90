-- The examples: their output is read and checked against theory, other programs' results, and other runs of them.

local lun = require "lunarray"
local plot = require "lunarray.plot"
local progress = require "lunarray.progress"
local script = require "lunarray.script"
local helper = require "spec.helper"

local it = helper.one_in(2, it)

local run = helper.example

local function temporary_folder()
    local path = os.tmpname()
    os.remove(path)
    finally(function() os.execute("rm -rf " .. script.quote(path)) end)
    return path
end

local function first_bytes(path, count)
    local file = assert(io.open(path, "rb"))
    local bytes = file:read(count)
    file:close()
    return bytes
end

describe("solar_system", function()
    -- Gives the table's rows by planet, the drifts of energy and momentum, and the whole output.
    local function solar_system(arguments)
        local output, status = run("solar_system", arguments)
        assert.equal(0, status, output)
        local rows = {}
        for line in output:gmatch("[^\n]+") do
            local name, turns, period, mark, known, difference, off, share = line:match(
                "^(%u%l+) +(%S+) +([%d.]+)([* ]) +(%S+) +(%S+) +(%S+) +(%S+)$")
            if name then
                rows[name] = {
                    turns = tonumber(turns), period = tonumber(period), mark = mark, known = tonumber(known),
                    difference = tonumber(difference), off = tonumber(off), share = tonumber(share),
                }
            end
        end
        local energy, momentum = output:match("energy: largest relative change (%S+); angular .- change (%S+)")
        return rows, tonumber(energy), tonumber(momentum), output
    end

    -- Longitude in the run less that in the table, in arcmin, from J2000 over 20 years: an integration of the same
    -- initial state without error of its own (REBOUND 5, IAS15), whose start was computed by another program.
    local EXACT = {
        Mercury = -4.867, Venus = -13.001, Earth = -6.481, Mars = -5.742,
        Jupiter = 16.290, Saturn = -12.279, Uranus = -0.971, Neptune = -0.481,
    }

    it("agrees with another integrator, but for leapfrog's own error", function()
        local rows = solar_system("--start 2000 --years 20 --dt 0.25")
        for name, exact in pairs(EXACT) do
            local row = rows[name]
            -- Two numbers are printed to a tenth. The share is good to second order: its own error is the share times
            -- (n dt)^2, times about ten for an ellipse like Mercury's.
            local n_dt = 2 * math.pi / row.known * 0.25
            local tolerance = 0.11 + 10 * n_dt ^ 2 * math.abs(row.share)
            assert.near(exact, row.off - row.share, tolerance, name)
        end
    end)

    it("measures the sidereal periods", function()
        local rows = solar_system("--start 1990 --years 40 --dt 0.25")
        for name, row in pairs(rows) do
            -- The start is a mean ellipse: the other planets change the period by the order of their masses, 1e-3 of
            -- the Sun's among the giants, and leapfrog by (n dt)^2.
            local giant = row.known > 4000
            local tolerance = (giant and 3e-3 or 1e-4) + (2 * math.pi / row.known * 0.25) ^ 2
            assert.near(1, row.period / row.known, tolerance, name)
            assert.near(row.difference, row.period - row.known, 0.0011, name)
            assert.near(40 * 365.25 / row.known, row.turns, 0.02 * row.turns + 0.05, name)
            assert.equal(row.turns < 1 and "*" or " ", row.mark, name)
        end
        assert.truthy(rows.Mercury and rows.Neptune)
    end)

    it("keeps the energy to second order, and the angular momentum to rounding", function()
        local _, coarse = solar_system("--start 2000 --years 10 --dt 1")
        local _, fine, momentum = solar_system("--start 2000 --years 10 --dt 0.5")
        assert.near(4, coarse / fine, 0.5)
        -- Mercury has 0.2 % of the energy, and leapfrog changes Mercury's part by less than (n dt)^2 of it.
        assert.is_true(fine < 0.002 * (2 * math.pi / 87.97 * 0.5) ^ 2)
        -- 7305 steps, each of which rounds a few times.
        assert.is_true(momentum < 7305 * 4 * 2 ^ -53)
    end)

    it("says how far it has come in plain lines where there is no terminal", function()
        local _, _, _, output = solar_system("--years 2 --dt 1 --start 2000")
        assert.matches("\n *50 %%  year 2001%.%d", "\n" .. output)
        assert.not_matches("\r", output, 1, true)
    end)

    it("draws a bar on a terminal", function()
        if not os.execute("script -qec true /dev/null </dev/null >/dev/null 2>&1") then
            pending("needs util-linux's script, and pseudo-terminals (/dev/pts), to lend a program a terminal")
            return
        end
        local command = helper.example_line("solar_system", "--years 2 --dt 1 --start 2000")
        local pipe = assert(io.popen("script -qec " .. script.quote(command) .. " /dev/null </dev/null"))
        local output = pipe:read("a")
        pipe:close()
        assert.matches("\r[################................]  50 %  year 2001.0", output, 1, true)
        assert.matches("\27[K", output, 1, true)
    end)

    it("writes the orbits and a picture", function()
        local folder = temporary_folder()
        local _, _, _, output = solar_system("--years 4 --dt 1 --start 2000 --out " .. folder)
        local orbits, years = lun.load(folder .. "/orbits.npy"), lun.load(folder .. "/years.npy")
        assert.same({ 1462, 9, 4 }, { orbits:shape() })
        assert.equal("f64", orbits:dtype())
        assert.same({ 1462 }, { years:shape() })
        assert.equal(2000, years:get(1))
        assert.near(2004, years:get(1462), 1e-9)
        local sum = { 0, 0, 0 }
        for _, row in ipairs(orbits:slice(1462):totable()) do
            for axis = 1, 3 do
                sum[axis] = sum[axis] + row[axis] * row[4]
            end
        end
        for axis = 1, 3 do
            assert.near(0, sum[axis], 1e-12) -- the barycentre stays where it was
        end
        if plot.available() then
            assert.equal("\x89PNG", first_bytes(folder .. "/orbits.png", 4))
        else
            assert.matches("gnuplot is not installed", output, 1, true)
        end
    end)

    it("says when the table does not hold", function()
        local _, _, _, output = solar_system("--start 2049 --years 3 --dt 2")
        assert.matches("from 1800 to 2050 only", output, 1, true)
        _, _, _, output = solar_system("--start 2040 --years 3 --dt 2")
        assert.not_matches("from 1800 to 2050 only", output, 1, true)
    end)
end)

describe("galaxy", function()
    it("lets two Plummer spheres pass each other", function()
        local output, status = run("galaxy", "--bodies 512 --dt 0.05 --steps 40")
        assert.equal(0, status, output)
        -- Each sphere has an energy of -3 pi / 64, the parabola none. 512 random stars miss the sum by a few per cent,
        -- and softening makes its magnitude smaller.
        local first, drift = output:match("energy: (%S+) at the start.-on the way (%S+)")
        assert.near(-3 * math.pi / 32, tonumber(first), 0.1 * 3 * math.pi / 32)
        -- Stars move at a speed of about 1, so forces change within a time of softening / 1: leapfrog's error is about
        -- (dt over that time)^2 / 24.
        assert.is_true(tonumber(drift) < (0.05 / 0.1) ^ 2 / 24)
        local interactions, seconds, rate = output:match("(%S+) interactions in (%S+) s.-: (%S+) interactions/s")
        assert.equal(1.05e7, tonumber(interactions))
        assert.is_true(tonumber(rate) > 0)
        assert.is_true(tonumber(seconds) >= 0)
        assert.matches("t = 0.0 .* t = 0.7.*t = 1.3 .* t = 2.0", output)
    end)

    it("gives the same stars for the same seed", function()
        local function start(seed)
            return run("galaxy", "--bodies 64 --steps 1 --seed " .. seed):match("energy: (%S+) at the start")
        end
        assert.equal(start(7), start(7))
        assert.not_equal(start(7), start(8))
    end)

    it("writes the stars and a picture", function()
        local folder = temporary_folder()
        run("galaxy", "--bodies 64 --steps 3 --out " .. folder)
        local stars = lun.load(folder .. "/galaxy.npy")
        assert.same({ 64, 4 }, { stars:shape() })
        assert.equal("f32", stars:dtype())
        assert.equal("\x89PNG", first_bytes(folder .. "/galaxy.png", 4))
    end)

    it("takes an accuracy, and then counts pulls on stars", function()
        local output = run("galaxy", "--bodies 512 --steps 40 --dt 0.05 --accuracy 1e-2")
        local each = run("galaxy", "--bodies 512 --steps 40 --dt 0.05")
        local function first(text) return tonumber(text:match "energy: (%S+) at the start") end
        assert.near(first(each), first(output), 1e-2 * math.abs(first(each)))
        assert.matches("\n2.05e+04 pulls on a star, good to 0.01, in ", output, 1, true)
    end)
end)

describe("an example's folder", function()
    it("is made before the run, not after it", function()
        for _, example in ipairs { "galaxy --bodies 64 --steps 1", "solar_system --years 1 --dt 2" } do
            local name, arguments = example:match "(%S+) (.*)"
            local output, status = run(name, arguments .. " --out /dev/null/x")
            assert.equal(1, status)
            assert.matches("cannot make the folder '/dev/null/x'", output, 1, true)
            assert.not_matches("energy", output, 1, true)
            assert.not_matches("mkdir", output, 1, true)
        end
    end)
end)

describe("an example's options", function()
    local function refused(example, arguments, message)
        local output, status = run(example, arguments)
        assert.equal(1, status, arguments)
        assert.matches(message, output, 1, true)
        assert.not_matches("traceback", output, 1, true)
    end

    it("are listed by --help", function()
        for _, example in ipairs {
            "solar_system", "galaxy", "heat", "life", "newton", "options", "regression", "rings", "outer_planets",
            "collision", "drum", "components", "kalman", "pagerank", "maze", "preconditioners", "mesh",
        } do
            local output, status = run(example, "--help")
            assert.equal(0, status)
            assert.matches("usage: lua5.4 " .. example .. ".lua", output, 1, true)
            assert.matches("--device NAME", output, 1, true)
        end
    end)

    it("are refused with a message and status 1 where they are wrong", function()
        refused("solar_system", "--yaers 3", "solar_system: unknown option '--yaers'; known are --start --years --dt")
        refused("solar_system", "12", "unknown option '12'")
        refused("solar_system", "--years", "--years needs a value: N")
        refused("solar_system", "--years=", "--years needs a value: N")
        refused("solar_system", "--years ten", "--years must be a number, not 'ten'")
        refused("solar_system", "--years -1", "--years must be greater than 0, not '-1'")
        refused("solar_system", "--years nan", "--years must be a number, not 'nan'")
        refused("solar_system", "--dt 8", "--dt must be at most 7, not '8'")
        refused("galaxy", "--bodies 1e3.5", "--bodies must be a number")
        refused("galaxy", "--bodies 10.5", "--bodies must be a whole number, not '10.5'")
        refused("galaxy", "--bodies 1", "--bodies must be at least 4, not '1'")
        refused("galaxy", "--device nosuchdevice", "nosuchdevice")
        refused("galaxy", "--accuracy 1e-9", "galaxy: --accuracy must be 0, or from 1e-6 to 0.1, not 1e-09")
    end)

    it("are refused where the folder cannot be made", function()
        refused("galaxy", "--bodies 64 --steps 1 --out /dev/null/here", "cannot make the folder '/dev/null/here'")
        for _, name in ipairs { "rings", "outer_planets" } do -- before anything is computed
            refused(name, "--out /dev/null/here", ("%s: cannot make the folder '/dev/null/here'\n"):format(name))
        end
        refused("galaxy", "--device 'no such'", "--device: no device matches 'no such'; there ")
    end)
end)

-- The five-body system of the Computer Language Benchmarks Game ("n-body"): the Sun and the giant planets, AU and
-- years of 365.24 days, the masses in units in which the gravitational constant is 1; semi-implicit Euler. The
-- game's page gives both energies.
describe("the five-body benchmark", function()
    local SUN, YEAR = 4 * math.pi ^ 2, 365.24
    local function planet(x, y, z, vx, vy, vz, mass)
        return { x, y, z, mass * SUN }, { vx * YEAR, vy * YEAR, vz * YEAR, 0 }
    end

    local function system()
        local pos, vel = { { 0, 0, 0, SUN } }, { { 0, 0, 0, 0 } }
        pos[2], vel[2] = planet(4.84143144246472090e+00, -1.16032004402742839e+00, -1.03622044471123109e-01,
            1.66007664274403694e-03, 7.69901118419740425e-03, -6.90460016972063023e-05, 9.54791938424326609e-04)
        pos[3], vel[3] = planet(8.34336671824457987e+00, 4.12479856412430479e+00, -4.03523417114321381e-01,
            -2.76742510726862411e-03, 4.99852801234917238e-03, 2.30417297573763929e-05, 2.85885980666130812e-04)
        pos[4], vel[4] = planet(1.28943695621391310e+01, -1.51111514016986312e+01, -2.23307578892655734e-01,
            2.96460137564761618e-03, 2.37847173959480950e-03, -2.96589568540237556e-05, 4.36624404335156298e-05)
        pos[5], vel[5] = planet(1.53796971148509165e+01, -2.59193146099879641e+01, 1.79258772950371181e-01,
            2.68067772490389322e-03, 1.62824170038242295e-03, -9.51592254519715870e-05, 5.15138902046611451e-05)
        for body = 2, 5 do -- the Sun takes the momentum of the others, so that the whole is at rest
            for axis = 1, 3 do
                vel[1][axis] = vel[1][axis] - vel[body][axis] * pos[body][4] / SUN
            end
        end
        return lun.array(pos, "f64"), lun.array(vel, "f64")
    end

    local function energy(pos, vel)
        local kinetic, potential = pos:energy(vel)
        return ("%.9f"):format(kinetic + potential)
    end

    it("has the published energies, before and after 1000 steps", function()
        local pos, vel = system()
        assert.equal("-0.169075164", energy(pos, vel))
        pos:nbody(vel, { dt = 0.01, steps = 1000, integrator = "euler" })
        assert.equal("-0.169087605", energy(pos, vel))
    end)

    it("has other energies under leapfrog", function()
        local pos, vel = system()
        pos:nbody(vel, { dt = 0.01, steps = 1000, integrator = "leapfrog" })
        assert.not_equal("-0.169087605", energy(pos, vel))
        assert.near(-0.169075164, tonumber(energy(pos, vel)), 1e-7)
    end)
end)

describe("a progress bar", function()
    local function bar(total, terminal)
        local clock, written = { now = 0 }, {}
        local stream = {
            write = function(_, text) written[#written + 1] = text end,
            flush = function() end,
        }
        local options = { stream = stream, terminal = terminal, clock = function() return clock.now end }
        return progress.new(total, options), clock, written
    end

    it("tells the time left", function()
        local line, clock, written = bar(100, false)
        line:update(1)
        clock.now = 30
        line:update(25, "a quarter")
        assert.same({ "  1 %\n", " 25 %  a quarter  time left 1:30\n" }, written)
    end)

    it("writes a plain line every tenth of the way only", function()
        local line, _, written = bar(1000, false)
        for done = 1, 1000 do
            line:update(done)
        end
        line:finish()
        assert.equal(11, #written)
        assert.equal("100 %\n", written[11])
    end)

    it("is at most full", function()
        local line, _, written = bar(10, true)
        line:update(12)
        assert.same({ "\r[" .. ("#"):rep(32) .. "] 100 %\27[K" }, written)
    end)

    it("redraws one line on a terminal and clears it", function()
        local line, _, written = bar(4, true)
        line:update(2)
        line:finish()
        assert.same({ "\r[" .. ("#"):rep(16) .. ("."):rep(16) .. "]  50 %\27[K", "\r\27[K" }, written)
    end)
end)

describe("event_loop", function()
    local USAGE = "usage: lua5.4 event_loop.lua [cqueues|luv]\n"

    for _, loop in ipairs { "cqueues", "luv" } do
        it("waits in " .. loop .. " while others have turns", function()
            if not pcall(require, loop) then
                pending(("%s is missing; the package lua-%s has it"):format(loop, loop))
            end
            local output, status = run("event_loop", loop)
            assert.equal(0, status, output)
            local products = 0
            for mean in output:gmatch("product %d: complete, mean ([%d.]+), after turns of another\n") do
                products = products + 1
                -- Elements are sums of 512 products of uniform numbers; their mean is 128 with a deviation of 0.25.
                assert.near(128, tonumber(mean), 2)
            end
            assert.equal(3, products, output)
        end)
    end

    it("knows no other loop", function()
        local output, status = run("event_loop", "select")
        assert.equal(USAGE, output)
        assert.equal(2, status)
    end)

    it("says how it is called where it is asked to, on the standard output", function()
        for _, option in ipairs { "--help", "-h" } do
            local output, status = run("event_loop", option .. " 2>/dev/null")
            assert.equal(USAGE, output)
            assert.equal(0, status)
        end
    end)
end)

describe("a script", function()
    it("takes both ends of an option's range", function()
        local spec = { name = "x", { name = "most", default = 1, max = 7 }, { name = "least", default = 3, min = 2 } }
        assert.same({ most = 7, least = 2 }, script.options({ "--most", "7", "--least=2" }, spec))
    end)

    it("quotes words for the shell and for gnuplot", function()
        local pipe = assert(io.popen("echo " .. script.quote "it's $HOME"))
        assert.equal("it's $HOME\n", pipe:read "a")
        pipe:close()
        assert.equal("'it''s'", plot.quote "it's")
    end)
end)

describe("a picture in text", function()
    it("puts points where they are, denser ones darker", function()
        local points = { { -0.9, 0.9 }, { 0.9, -0.9 }, { 0.9, -0.9 }, { 0.9, -0.9 }, { 5, 0 } }
        assert.same({ ".   ", "    ", "    ", "   @" }, plot.density(points, 4, 4, 1))
    end)

    it("is empty without points", function()
        assert.same({ "  ", "  " }, plot.density({}, 2, 2, 1))
    end)

    it("shows a matrix, greater elements darker, the greatest or `most` the darkest", function()
        assert.same({ " @", "= " }, plot.shades({ { 0, 9 }, { 4, 0 } }, 2, 2))
        assert.same({ " @", "= " }, plot.shades(lun.array { { 0, 9 }, { 4, 0 } }, 2, 2))
        helper.raises("plot.shades: argument 1: a matrix with at least one element is needed",
            function() plot.shades({}, 2, 2) end)
        helper.raises("plot.shades: argument 1: an array or a list of rows is needed, got a number",
            function() plot.shades(3, 2, 2) end)
        assert.same({ " +", ": " }, plot.shades({ { 0, 9 }, { 4, 0 } }, 2, 2, 18))
        assert.same({ "@@", "  " }, plot.shades({ { 7, 1 }, { -1, 0 } }, 2, 2, 0.5))
    end)

    it("of a matrix has elements at even distances", function()
        local matrix = {}
        for row = 1, 6 do
            matrix[row] = { 0, row, 0, 9 }
        end
        assert.same({ ":@", "+@" }, plot.shades(matrix, 2, 2, 9))
        assert.same({ "..  @@" }, plot.shades({ { 1, 0, 9 } }, 6, 1))
    end)

    it("of nothing but zeros is blank", function()
        assert.same({ "  " }, plot.shades({ { 0, 0 } }, 2, 1))
    end)

    it("stands beside another", function()
        assert.equal("one | two\nab  | cd", (plot.beside({ { "ab " }, { "cd" } }, { "one", "two" })))
    end)
end)
