-- Forces of the user's own beside gravity with the integrators that choose their steps, and these integrators with many
-- bodies: all work-groups share a system there.

local lun = require "lunarray"
local helper = require "spec.helper"
local numbers = require "spec.numbers"

local it = helper.one_in(4, it)

local OWN = { "ias15", "hermite4" }

-- Two bodies pull each other with half of what the orbit needs; this is the other half.
local OTHER_HALF = [[
    #pragma OPENCL EXTENSION cl_khr_fp64 : enable
    kernel void other_half(global const double4 *pos, global const double4 *vel, global double4 *acc)
    {
        const size_t i = get_global_id(0);
        const double3 d = pos[1 - i].xyz - pos[i].xyz;
        acc[i].xyz += 0.25 * d / (dot(d, d) * sqrt(dot(d, d)));
    }
]]

-- How far two such bodies of that eccentricity are from where they began, after one turn.
local function closing_error(dev, eccentricity, options)
    local far, speed = 1 + eccentricity, math.sqrt((1 - eccentricity) / (1 + eccentricity))
    options.force, options.G = dev:program(OTHER_HALF).other_half, 0.5
    local sim = lun.simulation(
        dev:array({ { far / 2, 0, 0, 0.5 }, { -far / 2, 0, 0, 0.5 } }, "f64"),
        dev:array({ { 0, speed / 2, 0, 0 }, { 0, -speed / 2, 0, 0 } }, "f64"), options)
    sim:step(math.floor(2 * math.pi / options.dt + 0.5))
    return math.sqrt((sim.pos:get(1, 1) - far / 2) ^ 2 + sim.pos:get(1, 2) ^ 2)
end

local function cluster(dev, n)
    local pos, vel = dev:normal({ n, 4 }, "f64", { seed = n }), dev:normal({ n, 4 }, "f64", { seed = n + 1 })
    pos:col(4):fill(1 / n)
    return pos, vel
end

local function nothing(pos)
    return pos:zeros_like()
end

helper.each_variant("nbody", function(dev, variant, title)
    if not dev:info().fp64 then
        return
    end

    describe("steps that all groups share, on " .. title, function()
        it("are those of one group, with a force that does nothing", function()
            helper.can(function()
                for _, name in ipairs(OWN) do
                    for _, n in ipairs { 1, 3, 5, 64, 65 } do
                        if n > 64 and helper.is_foreign(dev, variant) and not os.getenv "LUNARRAY_LONG" then
                            break -- programs of larger groups, that take seconds to build
                        end
                        local pos, vel = cluster(dev, n)
                        local options = {
                            dt = 0.125, softening = 0.5, integrator = name, adaptive = 1e-6,
                            active = n > 3 and 3 or nil, variant = variant,
                        }
                        local alone = lun.simulation(pos:copy(), vel:copy(), options)
                        options.force = nothing
                        local shared = lun.simulation(pos, vel, options)
                        alone:step(2)
                        shared:step(2)
                        -- Rounding alone: the scheme and the sums are the same. hermite4 chooses some hundred steps by
                        -- derivatives that are differences.
                        local bound = (name == "ias15" and 64 or 1024) * numbers.dtype.f64.eps
                        helper.check_array(shared.pos, "f64", { n, 4 }, helper.flat(alone.pos), bound, name)
                        helper.check_array(shared.vel, "f64", { n, 4 }, helper.flat(alone.vel), bound, name)
                    end
                end
            end)
        end)

        it("know the force's places, velocities, time and masses, also backwards", function()
            helper.can(function()
                for _, name in ipairs(OWN) do
                    -- x'' = cos t, y'' = -y', z'' = -z, far from the origin in units that are not 1.
                    local sim = lun.simulation(
                        dev:array({ { 0, 0, 1, 3 }, { 999, 0, 0, 0 } }, "f64"),
                        dev:array({ { math.sin(1), 1, 0, 7 }, { 0, 0, 0, 0 } }, "f64"), {
                            dt = 0.5, time = 1, G = 0, integrator = name, variant = variant,
                            adaptive = name == "hermite4" and 1e-5 or nil,
                            force = function(pos, vel, time)
                                assert.equal(3.0, pos:get(1, 4))
                                local more = dev:zeros({ 2, 3 }, "f64")
                                more:set(math.cos(time), 1, 1)
                                more:set(-vel:get(1, 2), 1, 2)
                                more:set(-pos:get(1, 3), 1, 3)
                                return more
                            end,
                        })
                    sim:integrate(3)
                    local bound = name == "ias15" and 1e-14 or 1e-6
                    local expected = { math.cos(1) - math.cos(3), 1 - math.exp(-2), math.cos(2), 3.0 }
                    helper.check_array(sim.pos:row(1), "f64", { 4 }, expected, bound, name)
                    assert.same({ 999, 0, 0, 0 }, sim.pos:row(2):totable())
                    sim = lun.simulation(sim.pos, sim.vel, {
                        dt = -2, G = 0, integrator = name, variant = variant,
                        adaptive = name == "hermite4" and 1e-5 or nil,
                        force = function(pos) return -pos end,
                    })
                    sim:step()
                    assert.near(1, sim.pos:get(1, 3), bound)
                end
            end)
        end)
    end)
end)

-- Legendre's polynomial of degree n at x, and its slope.
local function legendre(n, x)
    local before, here = 1, x
    for k = 2, n do
        before, here = here, ((2 * k - 1) * x * here - (k - 1) * before) / k
    end
    return here, n * (before - x * here) / (1 - x * x)
end

helper.each_device(function(dev, title)
    if not dev:info().fp64 then
        return
    end

    describe("ias15 on " .. title, function()
        it("has its nodes where P7 + P8 is 0, to the last digits", function()
            local times, places = {}, {}
            local sim = lun.simulation(dev:zeros({ 1, 4 }, "f64"), dev:array({ { 1, 0, 0, 0 } }, "f64"), {
                dt = 1, integrator = "ias15", adaptive = 0, -- a body that nothing pulls is where the time is
                force = function(pos, _, time)
                    times[#times + 1], places[#places + 1] = time, pos:get(1, 1)
                    return dev:zeros({ 1, 3 }, "f64")
                end,
            })
            sim:step()
            assert.is_true(#times >= 8)
            for i = 1, #times do
                local x = 2 * times[i] - 1
                for _ = 1, times[i] > 0 and 3 or 0 do -- Newton's steps to the root
                    local p, down = legendre(7, x)
                    local q, more = legendre(8, x)
                    x = x - (p + q) / (down + more)
                end
                assert.near(x, 2 * times[i] - 1, 16 * 2.0 ^ -52, "the time of node " .. i)
                assert.near(times[i], places[i], 2.0 ^ -52, "the place of node " .. i)
            end
        end)
    end)

    describe("a force beside gravity on " .. title, function()
        it("leaves hermite4 of order 4", function()
            local ratio = closing_error(dev, 0.5, { integrator = "hermite4", dt = 2 * math.pi / 1000 })
                / closing_error(dev, 0.5, { integrator = "hermite4", dt = 2 * math.pi / 2000 })
            assert.near(4, math.log(ratio, 2), 0.15)
        end)

        it("leaves hermite4 of order 3 where it depends on velocities", function()
            local function drag_error(steps)
                local sim = lun.simulation(dev:zeros({ 1, 4 }, "f64"), dev:array({ { 1, 0, 0, 0 } }, "f64"), {
                    dt = 2 / steps, integrator = "hermite4", force = function(_, vel) return -vel end,
                })
                sim:step(steps)
                return math.abs(sim.pos:get(1, 1) - (1 - math.exp(-2)))
            end
            assert.near(3, math.log(drag_error(100) / drag_error(200), 2), 0.15)
        end)

        it("leaves ias15 its digits, and steps their choice", function()
            for eccentricity, bound in pairs { [0.5] = 1e-14, [0.9] = 1e-13 } do
                assert.is_true(closing_error(dev, eccentricity, { integrator = "ias15", dt = 2 * math.pi }) < bound)
            end
            assert.is_true(closing_error(dev, 0.5, { integrator = "ias15", dt = math.pi / 50, adaptive = 0 }) < 1e-14)
            local errors = {}
            for i, eta in ipairs { 1e-3, 1e-4 } do -- as the fourth power of steps, which go as its root
                errors[i] = closing_error(dev, 0.9, { integrator = "hermite4", dt = 2 * math.pi, adaptive = eta })
            end
            assert.near(2, math.log(errors[1] / errors[2], 10), 0.3)
        end)

        it("is asked for at the times of the steps, and not beyond their end", function()
            for _, name in ipairs(OWN) do
                local times = {}
                local sim = lun.simulation(dev:zeros({ 1, 4 }, "f64"), dev:zeros({ 1, 4 }, "f64"), {
                    dt = 0.25, time = 3, integrator = name, adaptive = 0,
                    force = function(pos, _, time)
                        times[#times + 1] = time
                        return pos:zeros_like()
                    end,
                })
                sim:step(2)
                table.sort(times)
                assert.equal(3.0, times[1])
                assert.is_true(times[#times] <= 3.5)
                assert.is_true(times[#times] >= 3.25 + 0.25 * 0.97)
            end
        end)

        it("that is not finite leaves all as it was", function()
            for i, name in ipairs { "ias15", "hermite4", "ias15", "hermite4" } do
                local broken = true
                local pos, vel = cluster(dev, 5)
                local before = pos:tobytes() .. vel:tobytes()
                local sim = lun.simulation(pos, vel, {
                    dt = 0.5, softening = 0.5, integrator = name, adaptive = i > 2 and 0 or 1e-4,
                    force = function(p) return broken and p * (0 / 0) or p:zeros_like() end,
                })
                helper.refused("step: positions, velocities or accelerations became NaN or infinite during the steps",
                    sim)
                assert.equal(before, pos:tobytes() .. vel:tobytes())
                assert.equal(0, sim:time())
                broken = false
                sim:step()
                assert.equal(0.5, sim:time())
            end
        end)

        it("that raises in the middle of a step leaves all as it was, and the bits of the next try", function()
            for _, name in ipairs(OWN) do
                local pos, vel = cluster(dev, 5)
                local calls, fails = 0, nil
                local function force(p)
                    calls = calls + 1
                    if calls == fails then
                        error { "mine" }
                    end
                    return -p
                end
                local options = { dt = 0.125, softening = 0.5, integrator = name, adaptive = 1e-4, force = force }
                local whole = lun.simulation(pos:copy(), vel:copy(), options)
                whole:step(2)
                local sim = lun.simulation(pos, vel, options)
                sim:step()
                local after = pos:tobytes() .. vel:tobytes()
                for _, call in ipairs { 1, 2, 5 } do
                    calls, fails = 0, call
                    local ok, problem = pcall(sim.step, sim)
                    assert.is_true(not ok and problem[1] == "mine")
                    assert.equal(after, pos:tobytes() .. vel:tobytes())
                end
                fails = nil
                sim:step()
                assert.equal(whole.pos:tobytes() .. whole.vel:tobytes(), pos:tobytes() .. vel:tobytes())
            end
        end)

        it("can be left between its calls", function()
            local pos, vel = cluster(dev, 3)
            local before = pos:tobytes()
            local spring = dev:program((OTHER_HALF:gsub("acc%[i%].-\n", "acc[i].xyz -= d + pos[i].xyz;\n")
                :gsub("pos%[1 %- i%]", "pos[i]"))).other_half
            local sim = lun.simulation(pos, vel, {
                dt = 1e9, softening = 0.5, integrator = "ias15", force = spring,
            })
            debug.sethook(function() error("left", 0) end, "", 20000)
            local ok, problem = pcall(sim.step, sim)
            debug.sethook()
            assert.is_false(ok)
            assert.equal("left", problem)
            assert.equal(before, pos:tobytes())
        end)

        it("that a file lacks, or has beside it, begins the integration anew", function()
            for _, name in ipairs(OWN) do
                local function spring(pos) return -pos end
                for _, forces in ipairs { { spring, false }, { nil, spring } } do
                    local pos, vel = cluster(dev, 5)
                    local options = {
                        dt = 0.125, softening = 0.5, integrator = name, adaptive = 1e-4, force = forces[1],
                    }
                    local sim = lun.simulation(pos, vel, options)
                    sim:step(2)
                    options.force = forces[2] or nil
                    local new = lun.simulation(pos:copy(), vel:copy(), options)
                    new:step()
                    helper.with_file(function(path)
                        sim:save(path)
                        local again = lun.simulation(path, { device = dev, force = forces[2] })
                        again:step()
                        assert.equal(new.pos:tobytes(), again.pos:tobytes())
                    end)
                end
            end
        end)
    end)

    describe("ias15 and hermite4 on " .. title, function()
        it("take more bodies than one group is good for", function()
            local n = 1025
            for name, bound in pairs { ias15 = 64 * n * numbers.dtype.f64.eps, hermite4 = 1e-9 } do
                local pos, vel = cluster(dev, n)
                local expected, speeds = pos:copy(), vel:copy()
                expected:nbody(speeds, { dt = 1 / 256, steps = 4, softening = 0.5, integrator = "kahan_li8" })
                local first, second = pos:copy(), vel:copy()
                local options = {
                    dt = 1 / 64, softening = 0.5, integrator = name, adaptive = name == "hermite4" and 1e-5 or nil,
                }
                first:nbody(second, options)
                helper.check_array(first, "f64", { n, 4 }, helper.flat(expected), bound, name)
                helper.check_array(second, "f64", { n, 4 }, helper.flat(speeds), bound, name)
                local again = pos:nbody(vel, { dt = 1 / 64, softening = 0.5, integrator = name, async = true,
                    adaptive = options.adaptive })
                assert.equal(first:tobytes(), again:get():tobytes())
            end
        end)

        it("take many bodies of which few attract, in several launches an evaluation", function()
            local n = 60000
            local pos, vel = dev:normal({ n, 4 }, "f64", { seed = 1 }), dev:zeros({ n, 4 }, "f64")
            pos:slice({ 1, 40 }):fill(0)
            local function both_ends(a)
                return lun.concat { a:slice { 1, 1000 }, a:slice { n - 999, n } }
            end
            local some = both_ends(pos)
            for name, adaptive in pairs { ias15 = 0, hermite4 = 0 } do
                local options = { dt = 1 / 64, softening = 0.5, integrator = name, adaptive = adaptive, active = 1000 }
                local all, first = pos:copy(), some:copy()
                all:nbody(vel:copy(), options)
                first:nbody(dev:zeros({ 2000, 4 }, "f64"), options)
                assert.equal(first:tobytes(), both_ends(all):tobytes())
            end
        end)
    end)
end)
