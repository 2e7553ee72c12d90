-- Batches of systems of bodies: each system comes out, to the bit, as it does by itself, by every variant.

local helper = require "spec.helper"
local numbers = require "spec.numbers"

-- Systems and bodies in each, around the edges of vectors, blocks and tiles.
local CASES = { { 1, 3 }, { 3, 1 }, { 2, 2 }, { 5, 10 }, { 3, 65 }, { 2, 257 } }

-- Flat lists for b systems of n bodies, each with a size and masses of its own.
local function systems(b, n, name)
    local random = numbers.generator(100 * b + n)
    local pos, vel = {}, {}
    for i = 1, 4 * b * n do
        local scale = 2.0 ^ ((i - 1) // (4 * n))
        local x = random(-1 << 20, 1 << 20) / (1 << 20)
        pos[i] = numbers.round(i % 4 == 0 and (x + 2) / n * scale or x * scale, name)
        vel[i] = numbers.round(i % 4 == 0 and i or random(-1 << 20, 1 << 20) / (1 << 22), name)
    end
    return pos, vel
end

helper.each_variant("nbody", function(dev, variant, title)
    local function floats() -- where a variant is for other devices, its programs take seconds to build
        return dev:info().fp64 and not helper.is_foreign(dev, variant) and { "f32", "f64" } or { "f32" }
    end

    describe("a batch on " .. title, function()
        -- Calls f with the positions and velocities of the whole, and with those of each system.
        local function compare(b, n, name, f)
            local pos, vel = systems(b, n, name)
            helper.can(function()
                local a, v = helper.array(dev, pos, { b, n, 4 }, name), helper.array(dev, vel, { b, n, 4 }, name)
                local own = {}
                for s = 1, b do
                    own[s] = f(a:row(s):copy(), v:row(s):copy())
                end
                local all = f(a, v)
                for s = 1, b do
                    for part, whole in ipairs(all) do
                        local what = ("system %d of %d x %d in %s, part %d"):format(s, b, n, name, part)
                        if type(own[s][part]) == "number" then
                            assert.equal(own[s][part], whole:get(s), what)
                        else
                            assert.equal(own[s][part]:tobytes(), whole:row(s):tobytes(), what)
                        end
                    end
                end
            end)
        end

        it("takes the steps that its systems take alone #oclgrind", function()
            for _, name in ipairs(floats()) do
                for _, case in ipairs(CASES) do
                    compare(case[1], case[2], name, function(a, v)
                        a:nbody(v, {
                            dt = 1 / 64, steps = 3, softening = 0.25, integrator = "yoshida4", variant = variant,
                        })
                        return { a, v }
                    end)
                end
            end
        end)

        it("has the fields and energies that its systems have alone", function()
            for _, name in ipairs(floats()) do
                for _, case in ipairs(CASES) do
                    compare(case[1], case[2], name, function(a, v)
                        local kinetic, potential = a:energy(v, { softening = 0.25, variant = variant })
                        return { a:gravity { G = 2, variant = variant }, kinetic, potential }
                    end)
                end
            end
        end)

        it("has test bodies, and a softening for each body", function()
            for _, case in ipairs { { 5, 10, 3 }, { 2, 65, 17 } } do
                compare(case[1], case[2], "f32", function(a, v)
                    local options = {
                        softening = dev:linspace(0.125, 0.5, case[2]), active = case[3], variant = variant,
                    }
                    local field = a:gravity(options)
                    local kinetic, potential = a:energy(v, options)
                    options.dt, options.steps = 1 / 64, 2
                    a:nbody(v, options)
                    return { a, v, field, kinetic, potential }
                end)
            end
        end)

        it("takes views, and writes to out", function()
            helper.can(function()
                local pos, vel = systems(3, 9, "f32")
                local a, v = helper.array(dev, pos, { 3, 9, 4 }, "f32"), helper.array(dev, vel, { 3, 9, 4 }, "f32")
                local turned = dev:zeros({ 4, 9, 3 }):transpose_(3, 2, 1) -- strides fall the other way
                local wide = dev:zeros { 6, 18, 4 }
                local view = wide:slice({ 6, 1, -2 }, { 18, 1, -2 })
                view:write(pos)
                turned:write(pos)
                local out = dev:zeros({ 6, 9, 4 }):slice { 5, 1, -2 }
                assert.equal(out, view:gravity { softening = 0.5, out = out, variant = variant })
                assert.equal(a:gravity({ softening = 0.5, variant = variant }):tobytes(), out:tobytes())
                local options = { dt = 0.01, steps = 2, softening = 0.5, variant = variant }
                local moving = dev:zeros({ 4, 9, 3 }):transpose_(3, 2, 1)
                moving:write(vel)
                turned:nbody(moving, options)
                view:nbody(v:copy(), options)
                a:nbody(v, options)
                assert.equal(v:tobytes(), moving:tobytes())
                assert.equal(a:tobytes(), view:tobytes())
                assert.equal(a:tobytes(), turned:tobytes())
                assert.equal(0.0, wide:slice({ 1, 5, 2 }):sum())
            end)
        end)

        it("may have no systems, or systems without bodies", function()
            helper.can(function()
                for _, shape in ipairs { { 0, 3, 4 }, { 3, 0, 4 } } do
                    local a, v = dev:zeros(shape), dev:zeros(shape)
                    helper.check_array(a:gravity { variant = variant }, "f32", shape, {})
                    local kinetic, potential = a:energy(v, { variant = variant })
                    helper.check_array(kinetic, "f32", { shape[1] }, shape[1] == 0 and {} or { 0.0, 0.0, 0.0 })
                    helper.check_array(potential, "f32", { shape[1] }, shape[1] == 0 and {} or { 0.0, 0.0, 0.0 })
                    assert.equal(a, a:nbody(v, { dt = 1, variant = variant }))
                end
            end)
        end)
    end)
end)

helper.each_device(function(dev, title)
    describe("a batch on " .. title, function()
        it("gives its energies at once, as arrays, or by an event", function()
            local pos, vel = systems(5, 10, "f32")
            local a, v = helper.array(dev, pos, { 5, 10, 4 }, "f32"), helper.array(dev, vel, { 5, 10, 4 }, "f32")
            local kinetic, potential = a:energy(v)
            local later = { a:energy(v, { async = true }):get() }
            assert.equal(2, #later)
            assert.equal(kinetic:tobytes(), later[1]:tobytes())
            assert.equal(potential:tobytes(), later[2]:tobytes())
        end)

        it("of a thousand planetary systems keeps the energy of each", function()
            local b, n = 1000, 10
            local pos, vel = {}, {}
            for s = 1, b do
                for i = 1, n do -- a sun, and planets on circles 1.5 times as far as the one before
                    local r = i == 1 and 0.0 or (1 + s / b) * 1.5 ^ (i - 2)
                    local angle = i * s
                    local speed = i == 1 and 0.0 or math.sqrt(1 / r)
                    local at = 4 * n * (s - 1) + 4 * (i - 1)
                    pos[at + 1], pos[at + 2] = r * math.cos(angle), r * math.sin(angle)
                    pos[at + 3], pos[at + 4] = 0.0, i == 1 and 1.0 or 1e-6
                    vel[at + 1], vel[at + 2] = -speed * math.sin(angle), speed * math.cos(angle)
                    vel[at + 3], vel[at + 4] = 0.0, 0.0
                end
            end
            local a, v = dev:array(pos, "f32", { b, n, 4 }), dev:array(vel, "f32", { b, n, 4 })
            local function energies()
                local kinetic, potential = a:energy(v)
                return (kinetic + potential):totable()
            end
            local before = energies()
            a:nbody(v, { dt = 1 / 64, steps = 100, integrator = "yoshida4" })
            local eps = numbers.dtype.f32.eps
            for s, after in ipairs(energies()) do
                -- 300 kicks, each of which rounds velocities and places: these to half an eps of the farthest planet's
                -- distance, 1.5^8 times the nearest one's.
                assert.near(before[s], after, 300 * 1.5 ^ 8 * eps * math.abs(before[s]))
            end
        end)

        it("is refused where sizes do not fit", function()
            local a = dev:zeros { 2, 3, 4 }
            helper.refused("nbody: the velocities must be 2x3x4 as the positions are, not 6x4",
                a, dev:zeros { 6, 4 }, { dt = 1 })
            helper.refused("energy: the velocities must be 2x3x4 as the positions are, not 2x2x4",
                a, dev:zeros { 2, 2, 4 })
            helper.refused("energy: the velocities must be 2x4 as the positions are, not 1x2x4",
                dev:zeros({ 2, 4 }), dev:zeros { 1, 2, 4 })
            helper.refused("gravity: the positions must be n x 4 or b x n x 4, not 2x2x2x4", dev:zeros({ 2, 2, 2, 4 }))
        end)
    end)
end)
