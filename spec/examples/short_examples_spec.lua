-- The short examples, heat, life, newton, options, regression, least_squares, rings, outer_planets and collision: what
-- they print, against closed forms, plain Lua and published figures.

local lun = require "lunarray"
local helper = require "spec.helper"

local it = helper.one_in(2, it)

describe("heat", function()
    it("lets the plate's lowest mode decay as theory has it", function()
        local size, steps = 33, 300
        local output, status = helper.example("heat", ("--size %d --steps %d"):format(size, steps))
        assert.equal(0, status, output)
        local first, now, theory = output:match "mode: (%S+) at the start, (%S+) now; exp%S+ pi^2 t%) leaves (%S+)\n"
        first, now, theory = tonumber(first), tonumber(now), tonumber(theory)
        local h, ratio = 1 / (size - 1), 0.2
        assert.near(first * math.exp(-2 * math.pi ^ 2 * steps * ratio * h ^ 2), theory, 2e-6)
        -- What the scheme makes of the mode, exactly; each step rounds some four times in f32.
        local factor = 1 - 8 * ratio * math.sin(math.pi * h / 2) ^ 2
        assert.near(first * factor ^ steps, now, first * 4 * steps * 2 ^ -24 + 1e-6)
        -- The disc's share of the mode is an integral over the disc, of radius sqrt(0.05): 4 J1(x) / x * area, for
        -- x = sqrt(2) pi radius, times the mode at its centre. On the grid the disc's rim is uneven.
        local radius = math.sqrt(0.05)
        local x, bessel, term = math.sqrt(2) * math.pi * radius, 0, nil
        for k = 0, 20 do -- 2 J1(x) / x
            term = k == 0 and 1 or -term * (x / 2) ^ 2 / (k * (k + 1))
            bessel = bessel + term
        end
        local centre = math.sin(0.35 * math.pi) * math.sin(0.4 * math.pi)
        assert.near(4 * math.pi * radius ^ 2 * bessel * centre, first, 0.02)
    end)

    it("shows the disc, and then a plate that is warm within and cold at its edge", function()
        local output = helper.example("heat", "--size 33 --steps 300")
        local before, after = {}, {}
        for left, right in output:gmatch "\n([ .:%-=+*#%%@]*)| ?([^\n]*)" do
            table.insert(before, left)
            table.insert(after, right)
        end
        assert.equal(19, #after)
        assert.matches("^ *@+ *$", before[8])
        assert.matches("^ *[.:%-=]+$", after[8])
        assert.not_matches("@", table.concat(after), 1, true)
        assert.matches("^ *$", before[1] .. after[1] .. before[19] .. after[19])
    end)

    it("says how far it has come", function()
        assert.matches("\n *50 %%\n", "\n" .. helper.example("heat", "--size 9 --steps 10"))
    end)
end)

describe("liquid", function()
    it("keeps the energy, and gives half of the lattice's up", function()
        local output, status = helper.example("liquid", "--side 6 --steps 50")
        assert.equal(0, status, output)
        local start, now, energy, drift = output:match(
            "temperature (%S+),.*temperature (%S+), energy of an atom (%S+), drift (%S+)\n")
        assert.near(1.44, tonumber(start), 0.15) -- of 216 atoms
        assert.is_true(tonumber(now) < tonumber(start))
        assert.near(-2.7, tonumber(energy), 0.25)
        assert.near(0, tonumber(drift), 5e-3)
    end)
end)

describe("poisson", function()
    it("solves what the five-point formula says, in f32", function()
        for _, size in ipairs { 63, 100 } do
            local output, status = helper.example("poisson", "--size " .. size)
            assert.equal(0, status, output)
            local off, known = output:match "off by (%S+); the formula's own error is (%S+)\n"
            -- The next term of the formula's error is a share of (pi h)^2 6 / 30 of its numbers; each transform rounds.
            assert.near(tonumber(known), tonumber(off), tonumber(known) * 9 * (math.pi / (size + 1)) ^ 2 + 4e-6)
            assert.near((16 + 81) / 13 * math.pi ^ 2 / (size + 1) ^ 2 / 12, tonumber(known), 1e-6)
            assert.is_true(tonumber(output:match "off by (%S+) of itself") < 2 ^ -24 * 4 * size)
        end
    end)

    it("shows one charge above 0 and one below", function()
        local row, left, right = 0, nil, nil
        for above, below in helper.example("poisson", "--size 63"):gmatch "\n([ .:%-=+*#%%@]*)| ?([^\n]*)" do
            row = row + 1
            left = left or above:find("@", 1, true) and row
            right = right or below:find("@", 1, true) and row
        end
        assert.same({ 7, 12 }, { left, right }) -- of 19 rows, at 0.35 and 0.6 of the height
    end)
end)

describe("spectrogram", function()
    it("shows where the whistles are", function()
        local output, status = helper.example("spectrogram", "--rate 8192")
        assert.equal(0, status, output)
        local strongest = tonumber(output:match "strongest at (%S+) Hz")
        -- A whistle moves by a tenth of the band a second; frame 4 is within a tenth of a second, 16 Hz a number.
        assert.is_true(math.min(math.abs(strongest - 410), math.abs(strongest - 3686)) < 100, output)
        assert.is_true(tonumber(output:match "off by (%S+) of") < 32 * 2 ^ -24)
    end)

    it("writes a picture", function()
        local path = os.tmpname()
        finally(function() os.remove(path) end)
        local output = helper.example("spectrogram", "--seconds 2 --png " .. path)
        assert.matches("126 frames of 257 frequencies", output, 1, true)
        local file = assert(io.open(path, "rb"))
        assert.equal("\x89PNG", file:read(4))
        file:close()
    end)
end)

describe("life", function()
    -- A glider on a torus after so many generations, in plain Lua: rows of 0 and 1.
    local function expected(size, generations)
        local cells = {}
        for row = 1, size do
            cells[row] = {}
            for column = 1, size do
                cells[row][column] = 0
            end
        end
        cells[2][3], cells[3][4], cells[4][2], cells[4][3], cells[4][4] = 1, 1, 1, 1, 1
        for _ = 1, generations do
            local following = {}
            for row = 1, size do
                following[row] = {}
                for column = 1, size do
                    local neighbours = -cells[row][column]
                    for r = row - 1, row + 1 do
                        for c = column - 1, column + 1 do
                            neighbours = neighbours + cells[(r - 1) % size + 1][(c - 1) % size + 1]
                        end
                    end
                    local lives = neighbours == 3 or neighbours == 2 and cells[row][column] == 1
                    following[row][column] = lives and 1 or 0
                end
            end
            cells = following
        end
        return cells
    end

    local function drawn(cells)
        local lines = {}
        for _, row in ipairs(cells) do
            table.insert(lines, (table.concat(row):gsub("0", "  "):gsub("1", "@@"):gsub(" +$", "")))
        end
        return lines
    end

    it("moves a glider as the rules do, across the edges too", function()
        for _, generations in ipairs { 0, 1, 7, 30, 60 } do
            local output, status = helper.example("life", "--size 12 --generations " .. generations)
            assert.equal(0, status, output)
            local start, now = {}, {}
            for left, right in output:gmatch "\n([ @]*)|( ?[ @]*)%f[\n]" do
                table.insert(start, (left:gsub(" +$", "")))
                table.insert(now, right:sub(2))
            end
            assert.same(drawn(expected(12, 0)), start)
            assert.same(drawn(expected(12, generations)), now)
        end
    end)

    it("finds the glider again, a square further every four generations", function()
        for generations, report in pairs {
            [0] = "5 squares live\nthe glider is itself, 0 squares down and right\n",
            [25] = "5 squares live\nthe glider is in another phase, 6 squares down and right\n",
            [28] = "5 squares live\nthe glider is itself, 7 squares down and right\n",
            [60] = "5 squares live\nthe glider is itself, 15 squares down and right\n",
        } do
            local output = helper.example("life", "--size 12 --generations " .. generations)
            assert.matches(report, output, 1, true)
        end
    end)
end)

describe("newton", function()
    -- The shares that come to each root, and that have arrived, by numbers of Lua.
    local function expected(n, power, steps)
        local counts, arrived = {}, 0
        for k = 1, power do
            counts[k] = 0
        end
        for i = 1, n do
            for j = 1, n do
                local function at(place) return 1.5 * (2 * place - n - 1) / n + (n % 2 == 1 and 1e-3 or 0) end
                local z = lun.complex(at(i), at(j))
                for _ = 1, steps do
                    z = z - (z ^ power - 1) / (power * z ^ (power - 1))
                end
                local k = math.floor(z:arg() * power / (2 * math.pi) + 0.5) % power + 1
                counts[k] = counts[k] + 1
                arrived = arrived + ((z ^ power - 1):abs() < 1e-3 and 1 or 0)
            end
        end
        return counts, arrived
    end

    it("finds the root that each number comes to", function()
        for _, case in ipairs { { 8, 3, 60 }, { 12, 3, 4 }, { 8, 5, 60 } } do
            local n, power, steps = table.unpack(case)
            local output, status = helper.example("newton", ("--size %d --power %d --steps %d"):format(n, power, steps))
            assert.equal(0, status, output)
            local counts, arrived = expected(n, power, steps)
            for k = 1, power do
                local line = ("%5.1f %% come to exp(%.3fi)\n"):format(100 * counts[k] / n ^ 2,
                    2 * math.pi * (k - 1) / power)
                assert.matches(line, output, 1, true)
            end
            assert.matches(("%.1f %% are within 0.001 of their root after %d steps\n"):format(100 * arrived / n ^ 2,
                steps), output, 1, true)
        end
    end)
end)

describe("options", function()
    it("has the textbook's prices, and put-call parity", function()
        local output, status = helper.example("options", "--number 20000")
        assert.equal(0, status, output)
        assert.matches("the first is the textbook's: call 4.76 (4.76), put 0.81 (0.81)\n", output, 1, true)
        local off, most = output:match "put%-call parity holds to (%S+), with prices up to (%S+)\n"
        -- erfc is off by at most 16 units in the last place, and half a dozen roundings follow.
        assert.is_true(tonumber(off) < 24 * 2 ^ -23 * tonumber(most))
        assert.is_true(tonumber(most) <= 50)
    end)

    it("of one number have these prices as their mean, to the digits that are known", function()
        -- N(0.7693) = 0.7791, N(0.6278) = 0.7349 in Hull's text: 42 N(d1) - 40 exp(-0.05) N(d2), with more digits.
        local call, put = helper.example("options", "--number 1"):match "mean price of a call (%S+), of a put (%S+)\n"
        assert.same({ "4.7594", "0.8086" }, { call, put })
    end)
end)

describe("regression", function()
    local KNOWN = { 3, -2, 0.5, 0, 1.25 }

    -- The coefficients, and the root mean squares of the residual at the steps that are shown.
    local function regression(arguments)
        local output, status = helper.example("regression", arguments)
        assert.equal(0, status, output)
        local found, residuals = {}, {}
        for number, value in output:gmatch "coefficient (%d): +(%S+)," do
            found[tonumber(number)] = tonumber(value)
        end
        for value in output:gmatch "of the residual (%S+)" do
            table.insert(residuals, tonumber(value))
        end
        assert.equal(#KNOWN, #found)
        return found, residuals
    end

    it("finds known coefficients again, but for the noise", function()
        local rows, noise = 20000, 0.5
        local found, residuals = regression(("--rows %d --noise %g"):format(rows, noise))
        for i, known in ipairs(KNOWN) do
            assert.near(known, found[i], 5 * noise / math.sqrt(rows)) -- five standard errors
        end
        assert.near(noise, residuals[#residuals], 5 * noise / math.sqrt(2 * rows))
        -- Before the first step the residual is y; its mean square is that of all coefficients and the noise together.
        assert.near(math.sqrt(9 + 4 + 0.25 + 1.25 ^ 2 + noise ^ 2), residuals[1], 0.1)
    end)

    it("finds them exactly where there is no noise", function()
        local found, residuals = regression "--rows 1000 --noise 0"
        for i, known in ipairs(KNOWN) do
            assert.near(known, found[i], 1.1e-5) -- five digits are shown
        end
        assert.is_true(residuals[#residuals] < 1.1e-6)
    end)
end)

describe("least_squares", function()
    -- The head's numbers, and the table's rows by penalty.
    local function least_squares(arguments)
        local output, status = helper.example("least_squares", arguments)
        assert.equal(0, status, output)
        local rank, left = output:match ": rank (%d+), the squares of what is left add up to (%S+)\n"
        local rows = {}
        for line in output:gmatch "[^\n]+" do
            local numbers = { line:match "^ *(%S+) +([%d.]+) +([%d.]+) +([%d.]+)$" }
            if numbers[1] then
                rows[#rows + 1] = { length = tonumber(numbers[2]), off = tonumber(numbers[3]),
                    truth = tonumber(numbers[4]) }
            end
        end
        assert.equal(7, #rows)
        return rows, tonumber(rank), tonumber(left)
    end

    it("shortens the coefficients, and leaves more, as the penalty grows", function()
        local rows, rank, left = least_squares "--points 25 --degree 8"
        assert.equal(9, rank)
        assert.near(math.sqrt(left / 25), rows[1].off, 1e-4)
        for i = 2, #rows do
            assert.is_true(rows[i].length <= rows[i - 1].length and rows[i].off >= rows[i - 1].off)
        end
        assert.is_true(rows[7].length < rows[1].length / 10)
    end)

    it("is as near to the sine as its series where there is no noise, and goes through all of few points", function()
        local rows = least_squares "--points 60 --degree 9 --noise 0"
        -- The next term of the series is pi^11 / 11! = 7.4e-3; Chebyshev's is 2^-10 of it.
        assert.is_true(rows[1].truth <= 1e-4 and rows[1].off <= 1e-4)
        local few, rank, left = least_squares "--points 5 --degree 9"
        assert.equal(5, rank)
        assert.is_true(left < 1e-6 and few[1].off < 1e-3)
    end)
end)

describe("outer_planets", function()
    local function largest(arguments)
        local output, status = helper.example("outer_planets", arguments)
        assert.equal(0, status, output)
        return tonumber((output:match "largest relative error of the energy (%S+)\n")), output
    end

    if lun.device():info().fp64 then
        -- Yoshida's method over 10^5 years: 2.4e-5; Kahan and Li's eighth order: 1.4e-8. Most of it comes early.
        it("has the errors that its integrators are known for", function()
            local error4, output = largest "--years 20000 --integrator yoshida4 --dt 100"
            assert.is_true(error4 > 1e-5 and error4 < 5e-5, output)
            local error8 = largest "--years 20000 --integrator kahan_li8 --dt 400"
            assert.is_true(error8 > 2e-9 and error8 < 3e-8, error8)
            assert.matches("\nto year   %d%d%d%d%d  ", output)
        end)

        it("takes as many steps as there are in the years, one at least", function()
            local _, output = largest "--years 1"
            assert.matches("40 days a step, 1.09514 years", output, 1, true)
            assert.matches("\nto year    1.10  %S+  #+\n$", output)
            _, output = largest "--years 0.1 --integrator ias15"
            assert.matches("\nto year    0.11  [^\n]*\n$", output)
        end)
    end
end)

describe("rings", function()
    it("has gaps on both sides of the inner planet, and dust on its orbit", function()
        local output, status = helper.example("rings", "--bodies 3000 --turns 40")
        assert.equal(0, status, output)
        local share = {}
        for from, percent in output:gmatch "\n(%d%.%d%d) +(%d+) %%" do
            share[from] = tonumber(percent)
        end
        assert.is_true(share["0.90"] < 50 and share["1.10"] < 50, output)
        assert.is_true(share["1.00"] > 80 and share["0.70"] > 80, output)
    end)
end)

describe("collision", function()
    it("keeps the energy of two galaxies, which come near to each other", function()
        local output, status = helper.example("collision", "--bodies 600 --time 6")
        assert.equal(0, status, output)
        local energies, times = {}, {}
        for time, energy in output:gmatch "t = (%S+), energy (%S+)\n" do
            times[#times + 1], energies[#energies + 1] = time, tonumber(energy)
        end
        assert.same({ "0.00", "1.50", "3.00", "4.50", "6.00" }, times)
        -- Two halos have -3 pi / 64 each; the galaxies, of 1.1 each and 6.2 apart, -1.1^2 / 6.2 + 1.1 * 0.35^2; each
        -- disc in its halo about -0.1 <1 / sqrt(1 + r^2)> + 0.05 <v^2> = -0.08 + 0.015.
        assert.near(-3 * math.pi / 32 - 0.195 + 0.135 - 0.13, energies[1], 0.05)
        -- Steps are 0.025; stars of a speed of about 1 pass each other at a softening of 0.03, so an encounter is a
        -- step long, and its error as large as its work: of few stars, and of a mass of 1 / 300 each.
        for i = 2, 5 do
            assert.near(energies[1], energies[i], 0.02 * math.abs(energies[1]))
        end
    end)
end)
