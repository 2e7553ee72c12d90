-- Gravity: accelerations, energies and steps, by every variant, against plain Lua and against the laws of motion.

local helper = require "spec.helper"
local numbers = require "spec.numbers"
local reference = require "spec.reference"
local systems = require "spec.nbody.systems"

local bodies = systems.cube

-- Vectors, blocks of bodies and groups end at powers of two: sizes at, below and above them.
local SIZES = { 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 129, 255, 257 }

-- Checks which rows of an n x 4 array are NaN, or infinite where that is allowed, in all of `columns`; the others are
-- finite in all of them.
local function check_nan(array, columns, is_nan, what, or_infinite)
    local flat = helper.flat(array)
    for i = 1, #flat // 4 do
        for _, c in ipairs(columns) do
            local x = flat[4 * i - 4 + c]
            local finite = x - x == 0
            if finite == is_nan(i) or not finite and x == x and not or_infinite then
                error(("%s: body %d of %d has %s in column %d"):format(what, i, #flat // 4, x, c), 2)
            end
        end
    end
end

local function always() return true end
local function never() return false end

-- References are the same for every variant, and take longer than the kernels.
local known = {}

local function expected_gravity(n, name, options)
    local key = ("%d %s %s %s"):format(n, name, options.softening, options.G)
    if not known[key] then
        known[key] = { reference.gravity(bodies(n, name), name, options) }
    end
    return table.unpack(known[key])
end

-- The sum of mass times velocity, and of the magnitudes of its terms.
local function momentum(pos, vel)
    local sum, size = { 0.0, 0.0, 0.0 }, 0.0
    for i = 1, #pos // 4 do
        for axis = 1, 3 do
            local p = pos[4 * i] * vel[4 * i - 4 + axis]
            sum[axis], size = sum[axis] + p, size + math.abs(p)
        end
    end
    return sum, size
end

helper.each_variant("nbody", function(dev, variant, title)
    local function floats()
        return dev:info().fp64 and { "f32", "f64" } or { "f32" }
    end

    local function check_gravity(n, name, options)
        local pos = bodies(n, name)
        local expected, tolerances = expected_gravity(n, name, options)
        helper.can(function()
            local a = helper.array(dev, pos, { n, 4 }, name)
            local got = a:gravity { softening = options.softening, G = options.G, variant = variant }
            helper.check_array(got, name, { n, 4 }, expected, tolerances, ("%d bodies in %s"):format(n, name))
        end)
    end

    describe("gravity on " .. title, function()
        it("is right for every number of bodies around the edges", function()
            for _, n in ipairs(SIZES) do
                check_gravity(n, "f32", { softening = 0.05 })
            end
        end)

        it("is right in both dtypes, with and without softening #oclgrind", function()
            for _, name in ipairs(floats()) do
                for _, options in ipairs { {}, { softening = 0.25 }, { G = 6.5 }, { softening = 2, G = 0.5 } } do
                    check_gravity(17, name, options)
                end
            end
        end)

        it("is right for many bodies", function()
            check_gravity(1025, "f32", { softening = 0.01 })
        end)

        it("of a body alone, or of two at one place without softening, is nothing", function()
            for _, name in ipairs(floats()) do
                helper.can(function()
                    local one = dev:array({ { 1, 2, 3, 5 } }, name)
                    helper.check_array(one:gravity { variant = variant }, name, { 1, 4 }, { 0.0, 0.0, 0.0, 0.0 })
                    local soft = one:gravity { softening = 0.5, variant = variant }
                    helper.check_array(soft, name, { 1, 4 }, { 0.0, 0.0, 0.0, 0.0 })
                    local two = dev:array({ { 1, 2, 3, 5 }, { 1, 2, 3, 7 } }, name)
                    helper.check_array(two:gravity { variant = variant }, name, { 2, 4 }, { 0.0, 0.0, 0.0, 0.0,
                        0.0, 0.0, 0.0, 0.0 })
                    local eps = 4 * numbers.dtype[name].eps
                    helper.check_array(two:gravity { softening = 2, variant = variant }, name, { 2, 4 },
                        { 0.0, 0.0, 0.0, -3.5, 0.0, 0.0, 0.0, -2.5 }, 3.5 * eps)
                end)
            end
        end)

        it("goes through bodies at one place that others see #oclgrind", function()
            helper.can(function()
                local pos = { 0, 0, 0, 1, 0, 0, 0, 2, 1, 0, 0, 4 }
                local expected, tolerances = reference.gravity(pos, "f32")
                local got = helper.array(dev, pos, { 3, 4 }, "f32"):gravity { variant = variant }
                helper.check_array(got, "f32", { 3, 4 }, expected, tolerances)
            end)
        end)

        it("is right for bodies very near and very far", function()
            helper.can(function()
                for _, distance in ipairs { 1e-12, 1e12 } do -- whose cubes are just inside the range of f32
                    local pos = { 0, 0, 0, 1, numbers.round(distance, "f32"), 0, 0, 1 }
                    local expected, tolerances = reference.gravity(pos, "f32")
                    local got = helper.array(dev, pos, { 2, 4 }, "f32"):gravity { variant = variant }
                    helper.check_array(got, "f32", { 2, 4 }, expected, tolerances)
                end
            end)
        end)

        it("of bodies without mass is nothing, and they are pulled all the same", function()
            helper.can(function()
                local got = dev:array({ { 0, 0, 0, 0 }, { 2, 0, 0, 4 } }):gravity { variant = variant }
                local eps = 16 * numbers.dtype.f32.eps
                helper.check_array(got, "f32", { 2, 4 }, { 1.0, 0.0, 0.0, -2.0, 0.0, 0.0, 0.0, 0.0 }, 2 * eps)
            end)
        end)

        it("spreads NaN to all of every body #oclgrind", function()
            for _, name in ipairs(floats()) do
                for _, n in ipairs { 1, 3, 17, 65 } do
                    for at = 1, n, math.max(1, n // 2) do
                        for column = 1, 3 do
                            for _, softening in ipairs { 0, 0.5 } do
                                local pos = bodies(n, name)
                                pos[4 * at - 4 + column] = 0 / 0
                                pos[4 * at] = at == n and 0 or 1 -- a massless body's, too
                                helper.can(function()
                                    local a = helper.array(dev, pos, { n, 4 }, name)
                                    local got = a:gravity { softening = softening, variant = variant }
                                    check_nan(got, { 1, 2, 3, 4 }, always, name .. " gravity")
                                    local kinetic, potential = a:energy(dev:zeros({ n, 4 }, name), {
                                        softening = softening, variant = variant,
                                    })
                                    assert.equal(0.0, kinetic)
                                    assert.is_true(potential ~= potential)
                                end)
                            end
                        end
                    end
                end
            end
        end)

        it("of a body at infinity is NaN, and so is what comes to others from there", function()
            for _, name in ipairs(floats()) do
                local pos = bodies(17, name)
                pos[4 * 16 + 2] = -1 / 0
                helper.can(function()
                    local got = helper.array(dev, pos, { 17, 4 }, name):gravity { variant = variant }
                    check_nan(got, { 1, 3, 4 }, function(i) return i == 17 end, name)
                    check_nan(got, { 2 }, always, name)
                end)
            end
        end)

        it("spreads a NaN mass to all other bodies, and an infinite one", function()
            for _, name in ipairs(floats()) do
                for _, softening in ipairs { 0, 0.5 } do
                    for _, mass in ipairs { 0 / 0, 1 / 0 } do
                        local pos = bodies(17, name)
                        pos[4 * 5] = mass
                        helper.can(function()
                            local a = helper.array(dev, pos, { 17, 4 }, name)
                            local got = a:gravity { softening = softening, variant = variant }
                            check_nan(got, { 1, 2, 3, 4 }, function(i) return i ~= 5 end, name, mass == mass)
                        end)
                    end
                end
            end
        end)

        it("has no NaN from massless bodies, however near", function()
            for _, name in ipairs(floats()) do
                local near = name == "f32" and 1e-21 or 1e-161 -- one over its square overflows
                local pos = { 0, 0, 0, 0, near, 0, 0, 0, 1, 0, 0, 1, near, 0, 0, 0, 0, 0, 0, 0 }
                local expected = {}
                for i = 1, 20 do
                    expected[i] = (i - 1) // 4 == 2 and 0.0 or ({ 1.0, 0.0, 0.0, -1.0 })[(i - 1) % 4 + 1]
                end
                helper.can(function()
                    local got = helper.array(dev, pos, { 5, 4 }, name):gravity { variant = variant }
                    helper.check_array(got, name, { 5, 4 }, expected, 8 * numbers.dtype[name].eps)
                end)
            end
        end)
    end)

    describe("energy on " .. title, function()
        it("is the sum over bodies and pairs #oclgrind", function()
            for _, name in ipairs(floats()) do
                local eps = numbers.dtype[name].eps
                for _, n in ipairs { 1, 2, 9, 64, 130 } do
                    for _, options in ipairs { {}, { softening = 0.25, G = 3 } } do
                        local pos, vel = bodies(n, name)
                        local kinetic, potential = reference.energy(pos, vel, options)
                        helper.can(function()
                            local a, v = helper.array(dev, pos, { n, 4 }, name), helper.array(dev, vel, { n, 4 }, name)
                            local got_kinetic, got_potential = a:energy(v, {
                                softening = options.softening, G = options.G, variant = variant,
                            })
                            -- All terms have one sign: the sums of n, and a dozen roundings in each term.
                            helper.check_number(kinetic, got_kinetic, (n + 16) * eps * kinetic)
                            helper.check_number(potential, got_potential, (2 * n + 16) * eps * -potential)
                        end)
                    end
                end
            end
        end)
    end)

    describe("nbody on " .. title, function()
        it("takes the steps that a Lua loop takes #oclgrind", function()
            for _, name in ipairs(floats()) do
                for _, integrator in ipairs { "leapfrog", "euler" } do
                    for _, n in ipairs { 1, 2, 17, 65 } do
                        local options = { dt = 1 / 64, steps = 3, softening = 0.125, integrator = integrator }
                        local pos, vel = bodies(n, name)
                        local new_pos, new_vel = reference.nbody(pos, vel, options)
                        local accelerations, errors = reference.gravity(pos, name, options)
                        -- Each step adds the error of a kick and a rounding to velocities below 2, and these reach the
                        -- positions; 4 times that covers how one step's error grows in the next.
                        local eps, largest = numbers.dtype[name].eps, 0
                        for i = 1, #accelerations do
                            largest = math.max(largest, errors[i])
                        end
                        local bound = 4 * options.steps * (options.dt * largest + 2 * eps)
                        helper.can(function()
                            local a, v = helper.array(dev, pos, { n, 4 }, name), helper.array(dev, vel, { n, 4 }, name)
                            options.variant = variant
                            assert.equal(a, a:nbody(v, options))
                            helper.check_array(a, name, { n, 4 }, new_pos, bound, integrator .. " positions")
                            helper.check_array(v, name, { n, 4 }, new_vel, bound, integrator .. " velocities")
                        end)
                    end
                end
            end
        end)

        it("spreads NaN to every body in a step", function()
            for _, name in ipairs(floats()) do
                for _, n in ipairs { 1, 3, 17, 257 } do
                    for _, at in ipairs { 1, n } do
                        for column = 1, 3 do
                            local pos, vel = bodies(n, name)
                            pos[4 * at - 4 + column] = 0 / 0
                            pos[4 * at] = at == n and 0 or 1 -- a massless body's, too
                            helper.can(function()
                                local a = helper.array(dev, pos, { n, 4 }, name)
                                local v = helper.array(dev, vel, { n, 4 }, name)
                                a:nbody(v, { dt = 0.01, variant = variant })
                                check_nan(a, { 1, 2, 3 }, always, name .. " positions")
                                check_nan(v, { 1, 2, 3 }, always, name .. " velocities")
                                check_nan(a, { 4 }, never, name .. " masses")
                            end)
                        end
                    end
                end
            end
        end)

        it("spreads what infinite positions and NaN or infinite masses make in two steps", function()
            for _, name in ipairs(floats()) do
                for _, n in ipairs { 3, 17, 257 } do
                    for _, case in ipairs { { 1, 1 / 0 }, { 4 * n - 3, -1 / 0 }, { 4 * n, 0 / 0 }, { 4, 1 / 0 } } do
                        local pos, vel = bodies(n, name)
                        pos[case[1]] = case[2]
                        helper.can(function()
                            local a = helper.array(dev, pos, { n, 4 }, name)
                            local v = helper.array(dev, vel, { n, 4 }, name)
                            a:nbody(v, { dt = 0.01, steps = 2, softening = 0.1, variant = variant })
                            check_nan(a, { 1, 2, 3 }, always, ("%s, %g at %d"):format(name, case[2], case[1]))
                        end)
                    end
                end
            end
        end)

        it("has no NaN from massless bodies at one place", function()
            for _, name in ipairs(floats()) do
                for _, n in ipairs { 3, 17, 257 } do
                    local pos, vel = bodies(n, name)
                    for i = 4 * n - 7, 4 * n do
                        pos[i] = i % 4 == 0 and 0 or 0.5
                        vel[i] = 0
                    end
                    helper.can(function()
                        local a, v = helper.array(dev, pos, { n, 4 }, name), helper.array(dev, vel, { n, 4 }, name)
                        a:nbody(v, { dt = 0.01, steps = 2, variant = variant })
                        check_nan(a, { 1, 2, 3 }, never, name .. " positions")
                        check_nan(v, { 1, 2, 3 }, never, name .. " velocities")
                        check_nan(a:gravity { variant = variant }, { 1, 2, 3, 4 }, never, name .. " gravity")
                    end)
                end
            end
        end)

        it("leaves masses and the fourth velocity as they are", function()
            helper.can(function()
                local pos, vel = bodies(9, "f32")
                for i = 4, 36, 4 do
                    vel[i] = i + 0.0
                end
                local a, v = helper.array(dev, pos, { 9, 4 }, "f32"), helper.array(dev, vel, { 9, 4 }, "f32")
                a:nbody(v, { dt = 0.01, steps = 2, softening = 0.1, variant = variant })
                for i = 1, 9 do
                    assert.equal(pos[4 * i], a:get(i, 4))
                    assert.equal(vel[4 * i], v:get(i, 4))
                end
            end)
        end)

        it("moves bodies without forces on straight lines", function()
            helper.can(function()
                local a, v = dev:array { { 1, 2, 3, 1 } }, dev:array { { 0.5, -1, 0.25, 0 } }
                a:nbody(v, { dt = 0.5, steps = 4, variant = variant })
                helper.check_array(a, "f32", { 1, 4 }, { 2.0, 0.0, 3.5, 1.0 })
            end)
        end)

        it("takes no step, many, or some backwards", function()
            helper.can(function()
                local pos, vel = bodies(5, "f32")
                local a, v = helper.array(dev, pos, { 5, 4 }, "f32"), helper.array(dev, vel, { 5, 4 }, "f32")
                a:nbody(v, { dt = 0.1, steps = 0, variant = variant })
                helper.check_array(a, "f32", { 5, 4 }, pos)
                helper.check_array(v, "f32", { 5, 4 }, vel)
                local options = { dt = 1 / 128, steps = 200, softening = 0.5, variant = variant }
                a:nbody(v, options)
                options.dt = -options.dt
                a:nbody(v, options) -- leapfrog is its own way back
                helper.check_array(a, "f32", { 5, 4 }, pos, 400 * 32 * numbers.dtype.f32.eps)
            end)
        end)

        it("in one call or in several is the same to the bit", function()
            helper.can(function()
                local pos, vel = bodies(64, "f32")
                local function run(...)
                    local a, v = helper.array(dev, pos, { 64, 4 }, "f32"), helper.array(dev, vel, { 64, 4 }, "f32")
                    for _, steps in ipairs { ... } do
                        a:nbody(v, {
                            dt = 0.01, steps = steps, softening = 0.1, integrator = "euler", variant = variant,
                        })
                    end
                    return a:tobytes() .. v:tobytes()
                end
                local whole = run(70)
                assert.equal(whole, run(70))
                assert.equal(whole, run(1, 2, 67))
            end)
        end)

        it("keeps the momentum to rounding", function()
            for _, name in ipairs(floats()) do
                helper.can(function()
                    local n, steps, dt = 65, 40, 1 / 64
                    local pos, vel = bodies(n, name)
                    local before = momentum(pos, vel)
                    local a, v = helper.array(dev, pos, { n, 4 }, name), helper.array(dev, vel, { n, 4 }, name)
                    a:nbody(v, { dt = dt, steps = steps, softening = 0.25, variant = variant })
                    local after, size = momentum(helper.flat(a), helper.flat(v))
                    -- Two kicks a step, each with the error of its forces and a rounding of its velocity.
                    local _, errors = reference.gravity(pos, name, { softening = 0.25 })
                    local forces = 0
                    for i = 1, 4 * n do
                        forces = forces + (i % 4 == 0 and 0 or pos[4 * ((i + 3) // 4)] * errors[i])
                    end
                    local bound = 2 * steps * (2 * dt * forces + numbers.dtype[name].eps * size)
                    for axis = 1, 3 do
                        assert.near(before[axis], after[axis], bound)
                    end
                end)
            end
        end)

        if dev:info().fp64 then
            -- Two bodies of masses 3 and 1 at distance 1, bound: period 2 pi sqrt(a^3 / M), energy -m1 m2 / 2a.
            local function binary()
                local speed = math.sqrt(4.0)
                return dev:array({ { -0.25, 0, 0, 3 }, { 0.75, 0, 0, 1 } }, "f64"),
                    dev:array({ { 0, -0.25 * speed, 0, 0 }, { 0, 0.75 * speed, 0, 0 } }, "f64")
            end

            it("follows a circle, and comes back to second order", function()
                helper.can(function()
                    local misses = {}
                    for i, steps in ipairs { 400, 800 } do
                        local a, v = binary()
                        assert.near(-1.5, numbers.exact_sum { a:energy(v, { variant = variant }) }, 8 * 2 ^ -52)
                        a:nbody(v, { dt = math.pi / steps, steps = steps, variant = variant })
                        misses[i] = math.sqrt((a:get(2, 1) - 0.75) ^ 2 + a:get(2, 2) ^ 2)
                    end
                    -- Leapfrog's relative error in the phase, here 2 pi, is of the order of (w dt)^2.
                    assert.is_true(misses[1] < 0.75 * 2 * math.pi * (2 * math.pi / 400) ^ 2)
                    assert.near(4, misses[1] / misses[2], 0.1)
                end)
            end)

            it("follows it by many stages a step", function()
                helper.can(function()
                    for integrator, order in pairs { kahan_li6 = 6, kahan_li8 = 8 } do
                        local misses = {}
                        for i, steps in ipairs { 20, 40 } do
                            local a, v = binary()
                            a:nbody(v, {
                                dt = math.pi / steps, steps = steps, integrator = integrator, variant = variant,
                            })
                            misses[i] = math.sqrt((a:get(2, 1) - 0.75) ^ 2 + a:get(2, 2) ^ 2)
                        end
                        assert.near(order, math.log(misses[1] / misses[2], 2), 0.3)
                    end
                end)
            end)

            it("keeps the energy to second order with leapfrog, to first with euler", function()
                helper.can(function()
                    local function drift(integrator, steps)
                        -- Bodies that start at rest fall, and their energy moves until they turn.
                        local a = dev:array({ { -1, 0, 0, 1 }, { 1, 0, 0, 1 }, { 0, 1.5, 0, 0.5 } }, "f64")
                        local v = dev:zeros({ 3, 4 }, "f64")
                        local options = { softening = 0.5, variant = variant }
                        local before = numbers.exact_sum { a:energy(v, options) }
                        a:nbody(v, {
                            dt = 1 / steps, steps = steps, softening = 0.5, integrator = integrator, variant = variant,
                        })
                        return math.abs(numbers.exact_sum { a:energy(v, options) } - before)
                    end
                    assert.near(4, drift("leapfrog", 64) / drift("leapfrog", 128), 0.2)
                    assert.near(2, drift("euler", 256) / drift("euler", 512), 0.2)
                    assert.is_true(drift("leapfrog", 128) < drift("euler", 128) / 10)
                end)
            end)
        end
    end)
end)

-- A variant may make other blocks of more bodies: a device's own choice, at a size for each.
helper.each_device(function(dev, title)
    describe("many bodies on " .. title, function()
        it("each feel all others", function()
            local gpu = dev:info().type == "gpu"
            for _, n in ipairs(gpu and { 8195, 20003, 40037 } or { 8195 }) do
                for _, name in ipairs(dev:info().fp64 and { "f32", "f64" } or { "f32" }) do
                    local pos = bodies(n, name)
                    local a, v = helper.array(dev, pos, { n, 4 }, name), dev:zeros({ n, 4 }, name)
                    local dt = 2.0 ^ -20 -- the first step's velocity is the acceleration times it
                    a:nbody(v, { dt = dt, steps = 1, softening = 0.125, integrator = "euler" })
                    for _, i in ipairs { 1, n // 3, n // 2, n - 1, n } do
                        local felt, size = reference.pull(pos, i, 0.125, 1)
                        for axis = 1, 3 do
                            -- Sums are joined in parts: one body left out is as much as 1 / n of it.
                            local bound = 64 * numbers.dtype[name].eps * size[axis]
                            helper.check_number(felt[axis], v:get(i, axis) / dt, bound,
                                ("body %d of %d in %s, axis %d"):format(i, n, name, axis))
                        end
                    end
                    a:release()
                    v:release()
                end
            end
        end)
    end)
end)

helper.each_device(function(dev, title)
    if dev:info().fp64 then
        describe("an integrator on " .. title, function()
            -- With so many steps and twice as many, the error is neither too large for its order nor near rounding's.
            for integrator, row in pairs { leapfrog = { 2, 4000 }, yoshida4 = { 4, 4000 }, kahan_li6 = { 6, 1000 },
                kahan_li8 = { 8, 750 } } do
                local order, steps = row[1], row[2]
                it(("of order %d is %s"):format(order, integrator), function()
                    local ratio = systems.closing_error(dev, { integrator = integrator, steps = steps })
                        / systems.closing_error(dev, { integrator = integrator, steps = 2 * steps })
                    assert.near(order, math.log(ratio, 2), 0.15)
                    local line = ("| `%s` | %d |"):format(integrator, order)
                    assert.matches(line, helper.read_file "doc/integrators.md", 1, true)
                end)
            end
        end)
    end
end)
