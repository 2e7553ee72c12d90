-- Gravity's problems with known answers that integrators_spec.lua lacks: spheres of many bodies, how near three bodies
-- come to each other and what becomes of them, and the orders of the first and the last integrator.

local helper = require "spec.helper"
local systems = require "spec.nbody.systems"

-- n equal bodies of mass 1 in all; of the i-th, radius(m) is the distance within which the share m of the mass is, and
-- its direction is one of an even sequence (Roberts's, of the plastic number). No random numbers: all is spread evenly.
local function sphere(dev, n, radius)
    local rows = {}
    for i = 1, n do
        local r, u = radius((i - 0.5) / n), i * 0.7548776662466927 % 1 * 2 - 1
        local phi, s = 2 * math.pi * (i * 0.5698402909980532 % 1), math.sqrt(1 - u * u)
        rows[i] = { r * s * math.cos(phi), r * s * math.sin(phi), r * u, 1 / n }
    end
    return dev:array(rows)
end

-- Of n bodies in place of a fluid, the share n^(-2/3) of the energy is missing, about: each one's own, that of a sphere
-- of its mass as wide as its distance from the next one.
local function grain(n)
    return n ^ (-2 / 3)
end

helper.each_device(function(dev, title)
    describe("gravity on " .. title, function()
        it("of Plummer's sphere has the energy -3 pi / 32", function()
            local n = 2000
            local pos = sphere(dev, n, function(m) return 1 / math.sqrt(m ^ (-2 / 3) - 1) end)
            local kinetic, potential = pos:energy(pos:zeros_like())
            assert.equal(0, kinetic)
            assert.near(1, potential / (-3 * math.pi / 32), 2 * grain(n))
        end)

        it("makes a cold uniform sphere collapse as a whole", function()
            -- R'' = -1 / R^2 from R = 1 at rest: 0 at t = pi / sqrt(8); at 0.8 of that R is 0.528.
            local n = 2000
            local pos = sphere(dev, n, function(m) return m ^ (1 / 3) end)
            local function size() return pos:slice({}, { 1, 3 }):norm() end
            local before, time = size(), 0.8 * math.pi / math.sqrt(8)
            pos:nbody(pos:zeros_like(), { dt = time / 100, steps = 100, softening = 0.02 })
            -- A share of the energy, or of the time, counts twice in the radius then, and the softening as much again.
            assert.near(0.528, size() / before, 0.528 * 4 * grain(n))
        end)
    end)

    if not dev:info().fp64 then
        return
    end

    local function kepler_at(time, steps, options)
        local pos, vel = systems.kepler(dev)
        options.dt, options.steps = time / steps, steps
        pos:nbody(vel, options)
        return pos:get(1, 1), pos:get(1, 2)
    end
    -- The logarithm of the error in a place, the mean of several times after the two have passed each other, as errors
    -- go through 0.
    local function log_error(steps, options)
        local sum, count = 0, 0
        for time = 4, 6, 0.25 do
            local x, y = kepler_at(time, steps, options)
            local true_x, true_y = kepler_at(time, 1, { integrator = "ias15" })
            sum, count = sum + math.log(math.sqrt((x - true_x) ^ 2 + (y - true_y) ^ 2), 2), count + 1
        end
        return sum / count
    end

    describe("an integrator on " .. title, function()
        it("of order 1 is euler", function()
            local options = { integrator = "euler" } -- of longer steps the error of second order is as large
            assert.near(1, log_error(60000, options) - log_error(120000, options), 0.15)
        end)

        it("of order 15 is ias15", function()
            -- There are few steps where bodies are near each other until the error is rounding's: so nearly 15.
            local options = { integrator = "ias15", adaptive = 0 }
            local order = log_error(200, options) - log_error(400, options)
            assert.is_true(order > 14 and order < 16, order)
        end)

        local function between(array) -- the second and the third body, as two numbers
            return array:get(3, 1) - array:get(2, 1), array:get(3, 2) - array:get(2, 2)
        end

        it("finds how near the Pythagorean bodies come to each other", function()
            local pos, vel = systems.pythagorean(dev)
            local nearest, when = math.huge, nil
            pos:nbody(vel, { dt = 15.8299, integrator = "ias15" })
            for i = 1, 400 do
                pos:nbody(vel, { dt = 1e-7, integrator = "ias15" })
                local x, y = between(pos)
                if x * x + y * y < nearest ^ 2 then
                    nearest, when = math.sqrt(x * x + y * y), 15.8299 + i * 1e-7
                end
            end
            -- Half an interval at their speed there, 209, adds less than the last digit.
            assert.near(4.1400602e-4, nearest, 2e-7)
            assert.near(15.82992, when, 5e-6)
        end)

        it("finds which of the Pythagorean bodies stay together", function()
            local pos, vel = systems.pythagorean(dev)
            pos:nbody(vel, { dt = 70, integrator = "ias15" })
            local x, y = between(pos)
            local u, v = between(vel)
            local energy, angular = (u * u + v * v) / 2 - 9 / math.sqrt(x * x + y * y), x * v - y * u
            local axis = -9 / (2 * energy)
            -- Positions are good to 1e-2 at that time, of a body 20 away: these to that share.
            assert.near(0.552496439, axis, 5e-4)
            assert.near(0.988699076, math.sqrt(1 - angular ^ 2 / (9 * axis)), 5e-4)
        end)
    end)
end)
