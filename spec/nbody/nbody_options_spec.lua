-- Gravity with test bodies (the option active) and with a softening for each body, by every variant.

local helper = require "spec.helper"
local numbers = require "spec.numbers"
local reference = require "spec.reference"
local systems = require "spec.nbody.systems"

local it = helper.one_in(4, it)

local bodies = systems.cube

-- Sizes and numbers of active bodies at, below and above the edges of vectors, blocks and tiles.
local CASES = {
    { 1, 1 }, { 2, 1 }, { 3, 2 }, { 9, 1 }, { 9, 8 }, { 17, 7 }, { 17, 16 }, { 33, 15 }, { 33, 17 }, { 65, 4 },
    { 65, 64 }, { 129, 63 }, { 257, 1 }, { 257, 33 }, { 257, 255 },
}

helper.each_variant("nbody", function(dev, variant, title)
    local function floats()
        return dev:info().fp64 and { "f32", "f64" } or { "f32" }
    end

    -- The accelerations that one short step gives, as a flat list of n x 4.
    local function felt(pos, n, name, options)
        local dt = 2.0 ^ -20
        local v = dev:zeros({ n, 4 }, name)
        helper.array(dev, pos, { n, 4 }, name):nbody(v, {
            dt = dt, integrator = "euler", softening = options.softening, active = options.active, variant = variant,
        })
        local list = helper.flat(v)
        for i = 1, #list do
            list[i] = list[i] / dt
        end
        return list
    end

    -- Checks steps and fields against plain Lua. eps: softenings as a list, or nil.
    local function check(n, name, active, eps, pos)
        local expected, bounds = reference.gravity(pos, name, { softening = eps or 0.1, active = active })
        local what = ("%d bodies, %s active, in %s"):format(n, active, name)
        local softening = eps and dev:array(eps, name) or 0.1
        helper.can(function()
            local got = felt(pos, n, name, { softening = softening, active = active })
            for i = 1, 4 * n do
                if i % 4 ~= 0 then -- a sum by parts, and the rounding of the velocity
                    helper.check_number(expected[i], got[i], 4 * bounds[i], what .. ", step")
                end
            end
        end)
        helper.can(function()
            local got = helper.array(dev, pos, { n, 4 }, name):gravity {
                softening = softening, active = active, variant = variant,
            }
            helper.check_array(got, name, { n, 4 }, expected, bounds, what .. ", field")
        end)
    end

    describe("active bodies on " .. title, function()
        it("are the first ones, and the masses of the others do not count", function()
            for _, name in ipairs(floats()) do
                for _, case in ipairs(CASES) do
                    local n, active = case[1], case[2]
                    local pos = bodies(n, name)
                    for i = active + 1, n do
                        pos[4 * i] = i % 2 == 0 and 1e30 or 0 / 0
                    end
                    check(n, name, active, nil, pos)
                end
            end
        end)

        it("get nothing from the others, not even a NaN", function()
            for _, name in ipairs(floats()) do
                for _, case in ipairs(CASES) do
                    local n, active = case[1], case[2]
                    local pos, _, eps = bodies(n, name)
                    local options = { softening = dev:array(eps, name), active = active }
                    local expected, bounds = reference.gravity(pos, name, { softening = eps, active = active })
                    for i = active + 1, n, 2 do
                        pos[4 * i - 3], pos[4 * i - 1], eps[i] = 0 / 0, 1 / 0, 0 / 0
                    end
                    options.softening:write(eps)
                    helper.can(function()
                        local got = felt(pos, n, name, options)
                        for i = 1, n do
                            for c = 4 * i - 3, pos[4 * i - 3] == pos[4 * i - 3] and 4 * i - 1 or 0 do
                                helper.check_number(expected[c], got[c], 4 * bounds[c], "body " .. i .. " of " .. n)
                            end
                        end
                    end)
                end
            end
        end)

        it("that are all give the bits of a call without the option", function()
            helper.can(function()
                local pos, vel = bodies(65, "f32")
                local a, b = helper.array(dev, pos, { 65, 4 }, "f32"), helper.array(dev, pos, { 65, 4 }, "f32")
                local v, w = helper.array(dev, vel, { 65, 4 }, "f32"), helper.array(dev, vel, { 65, 4 }, "f32")
                a:nbody(v, { dt = 0.01, steps = 3, softening = 0.1, variant = variant })
                b:nbody(w, { dt = 0.01, steps = 3, softening = 0.1, variant = variant, active = 65 })
                assert.equal(a:tobytes(), b:tobytes())
                assert.equal(v:tobytes(), w:tobytes())
            end)
        end)

        it("have the energy, and keep it and their momentum", function()
            helper.can(function()
                local n, active = 40, 9
                local pos, vel = bodies(n, "f32")
                local a, v = helper.array(dev, pos, { n, 4 }, "f32"), helper.array(dev, vel, { n, 4 }, "f32")
                local own, own_v = a:slice { 1, active }:copy(), v:slice { 1, active }:copy()
                local kinetic, potential = a:energy(v, { softening = 0.25, active = active, variant = variant })
                local k, p = reference.energy(pos, vel, { softening = 0.25, active = active })
                local eps = numbers.dtype.f32.eps
                assert.near(k, kinetic, 64 * eps * k)
                assert.near(p, potential, 64 * eps * math.abs(p))
                a:nbody(v, { dt = 1 / 64, steps = 20, softening = 0.25, active = active, variant = variant })
                own:nbody(own_v, { dt = 1 / 64, steps = 20, softening = 0.25, variant = variant })
                -- They move as they would alone, but for rounding: 40 kicks, each of some dozen roundings.
                helper.check_array(a:slice { 1, active }, "f32", { active, 4 }, helper.flat(own), 40 * 64 * eps)
            end)
        end)
    end)

    describe("softenings of bodies on " .. title, function()
        it("count as the mean of two squares", function()
            for _, name in ipairs(floats()) do
                for _, case in ipairs(CASES) do
                    local pos, _, eps = bodies(case[1], name)
                    check(case[1], name, case[1], eps, pos)
                    check(case[1], name, case[2], eps, pos)
                end
            end
        end)

        it("that are all alike are as good as a number", function()
            for _, name in ipairs(floats()) do
                helper.can(function()
                    local n = 65
                    local pos, vel = bodies(n, name)
                    local function run(softening)
                        local a, v = helper.array(dev, pos, { n, 4 }, name), helper.array(dev, vel, { n, 4 }, name)
                        local options = { softening = softening, variant = variant, dt = 2.0 ^ -6, steps = 4 }
                        a:nbody(v, options)
                        options.dt, options.steps = nil, nil
                        return helper.flat(a), helper.flat(a:gravity(options)), { a:energy(v, options) }
                    end
                    -- 3/16: its square and the square's half are exact, so nothing but a sum's order may differ.
                    local numbered, each = { run(3 / 16) }, { run(dev:full({ n }, 3 / 16, name)) }
                    local eps = numbers.dtype[name].eps
                    for part, list in ipairs(numbered) do
                        for i, x in ipairs(list) do
                            helper.check_number(x, each[part][i], 64 * n * eps * math.max(1, math.abs(x)))
                        end
                    end
                end)
            end
        end)

        it("may be zero, negative, NaN, and a view", function()
            helper.can(function()
                local pos = { 0, 0, 0, 1, 0, 0, 0, 2, 1, 0, 0, 4 }
                local eps = { 0, 0, -0.5 }
                local expected, bounds = reference.gravity(pos, "f32", { softening = eps })
                local a = helper.array(dev, pos, { 3, 4 }, "f32")
                local vel = dev:zeros { 3, 4 }
                vel:col(4):write(eps)
                helper.check_array(a:gravity { softening = vel:col(4), variant = variant }, "f32", { 3, 4 }, expected,
                    bounds)
                vel:set(0 / 0, 3, 4)
                local got = a:gravity { softening = vel:col(4), variant = variant }
                assert.is_true(got:get(1, 1) ~= got:get(1, 1) and got:get(2, 4) ~= got:get(2, 4))
            end)
        end)

        it("keep the momentum to rounding", function()
            for _, name in ipairs(floats()) do
                helper.can(function()
                    local n = 65
                    local pos, _, eps = bodies(n, name)
                    local got = felt(pos, n, name, { softening = dev:array(eps, name) })
                    local _, bounds = reference.gravity(pos, name, { softening = eps })
                    for axis = 1, 3 do
                        local sum, bound = 0.0, 0.0
                        for i = 1, n do
                            sum = sum + pos[4 * i] * got[4 * i - 4 + axis]
                            bound = bound + pos[4 * i] * 4 * bounds[4 * i - 4 + axis]
                        end
                        assert.near(0, sum, bound)
                    end
                end)
            end
        end)
    end)
end)

helper.each_device(function(dev, title)
    it("gravity on " .. title .. " refuses numbers of active bodies and softenings that do not fit", function()
        local pos, vel = dev:zeros { 3, 4 }, dev:zeros { 3, 4 }
        helper.refused("nbody: active is 4, but there are only 3 bodies", pos, vel, { dt = 1, active = 4 })
        helper.refused("gravity: option 'active': a whole number from 1 is needed, got 0", pos, { active = 0 })
        helper.refused("energy: option 'active': a whole number from 1 is needed, got -1", pos, vel, { active = -1 })
        helper.refused("gravity: option 'active': a whole number is needed, got 1.5", pos, { active = 1.5 })
        local wanted = "softening must be a number, or have one for each of the 3 bodies, not "
        helper.refused("gravity: " .. wanted .. "2", pos, { softening = dev:zeros { 2 } })
        helper.refused("nbody: " .. wanted .. "3x1", pos, vel, { dt = 1, softening = dev:zeros { 3, 1 } })
        helper.refused("energy: softening must be f32 as the positions are, not i32",
            pos, vel, { softening = dev:zeros({ 3 }, "i32") })
        local gone = dev:zeros { 3 }
        gone:release()
        helper.refused("gravity: option 'softening': the array was released", pos, { softening = gone })
        helper.refused("gravity: out overlaps an input; give it memory of its own",
            pos, { softening = vel:col(4), out = vel })
        local none = dev:zeros { 0, 4 }
        helper.refused("gravity: active is 1, but there are only 0 bodies", none, { active = 1 })
        helper.check_array(none:gravity { softening = dev:zeros { 0 } }, "f32", { 0, 4 }, {})
    end)

    it("gravity on " .. title .. " refuses softenings on another device", function()
        local lun = require "lunarray"
        for _, other in ipairs(lun.devices()) do
            if other ~= dev then
                helper.refused("gravity: softening is on another device; copy it with :to(device)",
                    dev:zeros({ 3, 4 }), { softening = other:zeros { 3 } })
            end
        end
    end)
end)

helper.each_device(function(dev, title)
    -- From 16384 bodies on launches of their own find the units; with few bodies that attract the sum stays short.
    local N, ACTIVE = 16385, 3
    local SCALES = { f32 = { 60, 126 }, f64 = { 480, 1022 } } -- r^3, and the sum of a few masses, overflow

    local function floats()
        return dev:info().fp64 and { "f32", "f64" } or { "f32" }
    end

    -- Lengths times 2^length, masses times 2^mass; the masses of test bodies, infinite ones, count for nothing.
    local function scaled(name, length, mass)
        local pos = bodies(N, name)
        for i = 1, 4 * N do
            pos[i] = pos[i] * 2.0 ^ (i % 4 == 0 and mass or length)
        end
        for i = 1, ACTIVE do
            pos[4 * i] = (1 + i / 4) * 2.0 ^ mass
        end
        pos[4 * ACTIVE + 4], pos[4 * N] = 1 / 0, 1 / 0
        return pos
    end

    describe("the units of many bodies on " .. title, function()
        it("are no part of the result, and strides are none", function()
            for _, name in ipairs(floats()) do
                local length, mass = table.unpack(SCALES[name])
                local options = { active = ACTIVE }
                local small = helper.array(dev, scaled(name, 0, 0), { N, 4 }, name):gravity(options)
                local large = helper.array(dev, scaled(name, length, mass), { N, 4 }, name)
                local turned = large:transpose()
                small:slice({}, { 1, 3 }):mul_(2.0 ^ (mass - 2 * length))
                small:slice({}, 4):mul_(2.0 ^ (mass - length))
                for what, view in pairs { dense = large, turned = turned:t() } do
                    assert.is_true(small:tobytes() == view:gravity(options):tobytes(), name .. " " .. what)
                end
            end
        end)

        it("come from the farthest body, whichever it is", function()
            for _, name in ipairs(floats()) do
                local far = 2.0 ^ (name == "f32" and 50 or 400)
                for _, at in ipairs { ACTIVE + 1, N // 2, N } do
                    local pos = dev:zeros({ N, 4 }, name)
                    pos:slice({ 1, ACTIVE }, 4):fill(1)
                    pos:set(-far, at, 2)
                    local field = pos:gravity { active = ACTIVE }
                    helper.check_list({ 0.0, ACTIVE / far / far, 0.0, -ACTIVE / far }, field:row(at):totable(),
                        { 0, 8 * numbers.dtype[name].eps * ACTIVE / far / far, 0,
                          8 * numbers.dtype[name].eps * ACTIVE / far }, name)
                end
            end
        end)
    end)
end)
