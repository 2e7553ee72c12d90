-- Collisions in simulations: which pairs are found, what becomes of them, and what is refused.

local lun = require "lunarray"
local helper = require "spec.helper"
local numbers = require "spec.numbers"

local it = helper.one_in(3, it)

-- n bodies in a box, with radii such that some of them overlap, and pairs that are known to.
local function bodies(n, size, name)
    local random = numbers.generator(n)
    local function real() return numbers.round(random(-1 << 20, 1 << 20) / (1 << 20), name) end
    local pos, vel, radius = {}, {}, {}
    for i = 1, n do
        pos[i] = { real(), real(), real(), real() + 2 }
        vel[i] = { real(), real(), real(), 0 }
        radius[i] = numbers.round((real() + 1) * size / 2, name)
    end
    return pos, vel, radius
end

-- The pairs that overlap and come closer, "i-j" in order, by plain Lua.
local function colliding(pos, vel, radius)
    local list = {}
    for i = 1, #pos do
        for j = i + 1, #pos do
            local distance, approach = 0, 0
            for c = 1, 3 do
                local d = pos[j][c] - pos[i][c]
                distance, approach = distance + d * d, approach + d * (vel[j][c] - vel[i][c])
            end
            if distance < (radius[i] + radius[j]) ^ 2 and approach <= 0 then
                list[#list + 1] = i .. "-" .. j
            end
        end
    end
    return list
end

local function texts(pairs)
    local list = {}
    for i, pair in ipairs(pairs or {}) do
        list[i] = pair[1] .. "-" .. pair[2]
    end
    return list
end

local LITTLE = 2.0 ^ -60 -- a step after which all are where they were

helper.each_device(function(dev, title)
    local floats = dev:info().fp64 and { "f32", "f64" } or { "f32" }

    local function simulation(pos, vel, name, options)
        options.dt, options.G = options.dt or LITTLE, 0
        return lun.simulation(dev:array(pos, name), dev:array(vel, name), options)
    end

    describe("collisions on " .. title, function()
        it("are the pairs that overlap and come closer, in order", function()
            for _, name in ipairs(floats) do
                for _, case in ipairs { { 2, 2 }, { 3, 1 }, { 40, 0.7 }, { 300, 0.3 }, { 900, 0.1 } } do
                    local pos, vel, radius = bodies(case[1], case[2], name)
                    local sim = simulation(pos, vel, name, { radius = dev:array(radius, name), collide = "stop" })
                    local expected = colliding(pos, vel, radius)
                    local went, pairs = sim:step(5)
                    assert.same(expected, texts(pairs), name .. " " .. case[1])
                    assert.equal(#expected == 0, went)
                    assert.equal(went and 5 * LITTLE or LITTLE, sim:time())
                end
            end
        end)

        it("are found across all faces, edges and corners of cells", function()
            local pos, vel = { { 0, 0, 0, 1 } }, { { 0, 0, 0, 0 } }
            for x = -1, 1 do
                for y = -1, 1 do
                    for z = -1, 1 do
                        if x ~= 0 or y ~= 0 or z ~= 0 then
                            pos[#pos + 1] = { 0.53 * x, 0.53 * y, 0.53 * z, 1 }
                            vel[#vel + 1] = { -x, -y, -z, 0 }
                        end
                    end
                end
            end
            for shift = 0, 9 do -- the pairs lie anywhere in the cells, which begin at the first body in each direction
                pos[28], vel[28] = { -3 - shift / 10, -3 - shift / 7, -3 - shift / 9, 1 }, { 0, 0, 0, 0 }
                local sim = simulation(pos, vel, "f32", { radius = 0.46, collide = "stop" })
                local radius = {}
                for i = 1, #pos do
                    radius[i] = 0.46
                end
                local _, pairs = sim:step()
                assert.same(colliding(pos, vel, radius), texts(pairs))
                assert.is_true(#pairs >= 26)
            end
        end)

        it("are found far from the others, and among more candidates than are looked at in one go", function()
            local pos = { { 1e6, 1e6, -1e6, 1 }, { 1e6, 1e6, -1e6 + 0.25, 1 }, { -1e6, 5, 1e6, 1 } }
            local vel = { { 0, 0, 0, 0 }, { 0, 0, -1, 0 }, { 0, 0, 0, 0 } }
            local _, pairs = simulation(pos, vel, "f32", { radius = 0.25, collide = "stop" }):step()
            assert.same({ "1-2" }, texts(pairs))
            -- All but the last in one cell: 4.7 million pairs. Number 2^22 + 1, with which the second go begins, comes
            -- closer.
            local n, k = 3073, 2050
            local many, apart = dev:zeros { n, 4 }, dev:zeros { n, 4 }
            many:slice({}, 1):write(dev:linspace(0, 1, n))
            apart:slice({}, 1):write(dev:linspace(0, 1, n))
            apart:set((k - 1.5) / (n - 1), k + 2, 1)
            many:set(100, n, 1)
            local sim = lun.simulation(many, apart, { dt = LITTLE, G = 0, radius = 0.6, collide = "stop" })
            _, pairs = sim:step()
            assert.same({ ("%d-%d"):format(k, k + 2), ("%d-%d"):format(k + 1, k + 2) }, texts(pairs))
        end)

        it("are found whatever the radii: those of large bodies and of tiny ones", function()
            local random = numbers.generator(8)
            for _, name in ipairs(floats) do
                for case, most in ipairs { 0.7, 0.02 } do
                    local pos, vel, radius = bodies(300, 1, name)
                    for i = 1, #radius do -- near others, so that small ones meet too
                        radius[i] = i % 50 == 7 and 0 or numbers.round(most * 4.0 ^ -random(0, case * 14), name)
                        if i > 100 then
                            for c = 1, 3 do
                                pos[i][c] = numbers.round(pos[i - 100][c] + radius[i] * (pos[i][c] - 0.1), name)
                            end
                        end
                    end
                    local expected = colliding(pos, vel, radius)
                    assert.is_true(#expected > 20)
                    local _, pairs = simulation(pos, vel, name,
                        { radius = dev:array(radius, name), collide = "stop" }):step()
                    assert.same(expected, texts(pairs), name .. " " .. most)
                end
            end
        end)

        it("are none of bodies without size, or that fly apart", function()
            local pos = { { 0, 0, 0, 1 }, { 0, 0, 0, 1 }, { 0.5, 0, 0, 1 } }
            local vel = { { 0, 0, 0, 0 }, { 0, 0, 0, 0 }, { 1, 0, 0, 0 } }
            assert.is_true(simulation(pos, vel, "f32", { radius = 0, collide = "stop" }):step())
            pos[2] = { -0.5, 0, 0, 1 }
            vel[2] = { -1, 0, 0, 0 }
            assert.is_true(simulation(pos, vel, "f32", { radius = 0.6, collide = "stop" }):step())
        end)

        it("merge all bodies of a chain, whichever of them meet", function()
            local pos = { { 0, 0, 0, 1 }, { 3, 0, 0, 1 }, { 1.5, 0, 0, 1 } } -- the third meets both others
            local sim = simulation(pos, { { 1, 0, 0, 0 }, { -1, 0, 0, 0 }, { 0, 0, 0, 0 } }, "f32",
                { radius = 1, collide = "merge" })
            assert.is_true(sim:step())
            assert.same({ 1, 3.0 }, { #sim.pos, sim.pos:get(1, 4) })
        end)

        it("that merge keep mass, momentum, centre and volume", function()
            for _, name in ipairs(floats) do
                local pos, vel, radius = bodies(200, 0.4, name)
                local function sums(sim)
                    local list = { sim.pos:col(4):sum(), sim.radius:pow(3):sum() }
                    table.move({ sim:momentum() }, 1, 3, 3, list)
                    table.move({ sim:centre() }, 1, 3, 6, list)
                    return list
                end
                local given = dev:array(radius, name)
                local sim = simulation(pos, vel, name, { radius = given, collide = "merge" })
                local before, own = sums(sim), sim.pos
                assert.is_true(sim:step())
                local left = #sim.pos
                assert.is_true(left < 190 and left == #sim.vel and left == #sim.radius)
                assert.same(radius, given:totable()) -- the user's own
                helper.check_list(before, sums(sim), 200 * 8 * numbers.compute_eps(name), name)
                assert.equal(0, own:slice { left + 1, 200 }:nnz()) -- the rows behind the last body
            end
        end)

        if dev:info().fp64 then
            it("that merge keep the volume of radii whose cubes no float holds", function()
                local pos = dev:array({ { 0, 0, 0, 1 }, { 1, 0, 0, 1 } }, "f64")
                local options = { dt = 1, radius = 1e150, collide = "merge", softening = 1 }
                local sim = lun.simulation(pos, pos * 0, options)
                sim:step()
                helper.check_array(sim.radius, "f64", { 1 }, { 1e150 * 2 ^ (1 / 3) }, 1e150 * 2 ^ -50)
            end)
        end

        it("that merge are several in one step; the first keeps its place, and those behind move up", function()
            local pos = {
                { 9, 0, 0, 5 }, { 0, 0, 0, 1 }, { 7, 0, 0, 7 }, { 1, 0, 0, 1 }, { 2, 0, 0, 2 }, { 5, 5, 5, 6 },
            }
            local vel = {
                { 0, 0, 0, 1 }, { 4, 0, 0, 2 }, { 0, 0, 0, 3 }, { 0, 0, 0, 4 }, { -4, 0, 0, 5 }, { 1, 0, 0, 6 },
            }
            local soft = dev:array { 1, 2, 3, 4, 5, 6 }
            local sim = simulation(pos, vel, "f32", { radius = 0.6, collide = "merge", active = 5, softening = soft })
            sim:step()
            assert.same({ { 9, 0, 0, 5 }, { 1.25, 0, 0, 4 }, { 7, 0, 0, 7 }, { 5, 5, 5, 6 } }, sim.pos:totable())
            assert.same({ { 0, 0, 0, 1 }, { -1, 0, 0, 2 }, { 0, 0, 0, 3 }, { 1, 0, 0, 6 } }, sim.vel:totable())
            local one = numbers.round(0.6, "f32")
            helper.check_array(sim.radius, "f32", { 4 }, { one, (3 * one ^ 3) ^ (1 / 3), one, one }, 2.0 ^ -23)
            assert.same({ 1, 2, 3, 4, 5, 6 }, soft:totable()) -- the user's own
            assert.same({ sim.pos:energy(sim.vel, { G = 0, active = 3, softening = dev:array { 1, 2, 3, 6 } }) },
                { sim:energy() })
            helper.with_file(function(path)
                sim:save(path)
                local again = lun.simulation(path, { device = dev })
                again:step(2)
                sim:step(2)
                assert.equal(sim.pos:tobytes(), again.pos:tobytes())
            end)
        end)

        it("with test bodies add nothing to the others", function()
            local pos = { { 0, 0, 0, 2 }, { 0.5, 0, 0, 9 }, { 5, 0, 0, 0 }, { 5.5, 0, 0, 0 } }
            local vel = { { 1, 0, 0, 0 }, { 0, 0, 0, 0 }, { 2, 0, 0, 0 }, { 0, 0, 0, 0 } }
            local sim = simulation(pos, vel, "f32", { radius = 0.5, collide = "merge", active = 1, dt = 2.0 ^ -40 })
            sim:step()
            assert.same({ { 1, 0, 0, 0 }, { 1, 0, 0, 0 } }, sim.vel:totable())
            assert.same({ 2.0, 5.25 }, { sim.pos:get(1, 4), sim.pos:get(2, 1) })
        end)
    end)
end)

describe("a collision function", function()
    local dev = lun.device()

    -- Bodies in a row, each of which meets the next one; all move up but the last.
    local function row(n, collide)
        local pos, vel = {}, {}
        for i = 1, n do
            pos[i], vel[i] = { i, 0, 0, i }, { n - i, 0, 0, 0 }
        end
        return lun.simulation(dev:array(pos), dev:array(vel), { dt = LITTLE, G = 0, radius = 0.6, collide = collide })
    end
    local function masses(sim)
        return sim.pos:col(4):totable()
    end

    it("is asked for each pair, and says what becomes of it", function()
        local asked = {}
        local answers = {
            ["1-2"] = "merge", ["2-3"] = "merge", ["4-5"] = "first", ["6-7"] = "second", ["8-9"] = "both",
        }
        local sim = row(10, function(sim, i, j)
            assert.equal(10, #sim.pos)
            asked[#asked + 1] = i .. "-" .. j
            return answers[i .. "-" .. j]
        end)
        assert.is_true(sim:step())
        assert.same({ "1-2", "2-3", "3-4", "4-5", "5-6", "6-7", "8-9" }, asked) -- no pair with one that is gone
        assert.same({ 6, 5, 6, 10 }, masses(sim))
    end)

    it("may take bodies out within a scope that the simulation outlives", function()
        local sim = row(4, function(_, i) return i == 1 and "first" or nil end)
        lun.scope(function() sim:step() end)
        assert.same({ 2, 3, 4 }, masses(sim))
        sim:step()
        assert.same({ 3, 4 }, masses(sim))
        assert.equal(2, #sim.radius)
    end)

    it("may change velocities: a bounce of equal masses", function()
        local sim = row(2, function(self, i, j)
            local first, second = self.vel:row(i), self.vel:row(j)
            local old = first:copy()
            first:write(second)
            second:write(old)
        end)
        sim:step()
        assert.same({ { 0, 0, 0, 0 }, { 1, 0, 0, 0 } }, sim.vel:totable())
        assert.is_true(sim:step())
    end)

    it("may stop the simulation, after all other pairs", function()
        local sim = row(4, function(_, i) return i == 2 and "stop" or "merge" end)
        local went, pairs = sim:step(9)
        assert.is_false(went)
        assert.same({ "2-3" }, texts(pairs))
        assert.same({ 3, 7 }, masses(sim))
        local _, both = row(4, function(_, i) return i ~= 2 and "stop" or "merge" end):step()
        assert.same({ "1-2", "3-4" }, texts(both))
        assert.equal(LITTLE, sim:time())
    end)

    it("stops every and integrate, too", function()
        local sim = row(2, "stop")
        local called = 0
        local went, pairs = sim:every(LITTLE * 4, function() called = called + 1 end)
        assert.same({ false, { "1-2" }, 0 }, { went, texts(pairs), called })
        went, pairs = sim:integrate(LITTLE * 4)
        assert.same({ false, { "1-2" }, 2 * LITTLE }, { went, texts(pairs), sim:time() })
    end)

    it("that gives nonsense, or raises, leaves the bodies as they are", function()
        local answer
        local sim = row(3, function(_, i) return i == 1 and "merge" or answer() end)
        for shown, value in pairs { ['"eat"'] = "eat", ["7"] = 7, ["false"] = false, ["true"] = true } do
            answer = function() return value end
            helper.raises("collide: the function returned " .. shown .. ' for bodies 2 and 3; nothing, "merge", '
                .. '"stop", '
                .. '"first", "second" or "both" is needed', function() sim:step() end)
            assert.same({ 1, 2, 3 }, masses(sim))
        end
        answer = function() error({ "mine" }) end
        local ok, problem = pcall(sim.step, sim)
        assert.is_true(not ok and problem[1] == "mine")
        assert.equal(5 * LITTLE, sim:time()) -- the steps were done
        answer = function() return "merge" end
        sim:step()
        assert.same({ 6 }, masses(sim))
    end)

    it("may take out all bodies, or release the simulation", function()
        local sim = row(2, function() return "both" end)
        sim:step()
        assert.equal(0, #sim.pos)
        sim:step(2)
        assert.equal(3 * LITTLE, sim:time())
        sim = row(2, function(self) self:release() end)
        assert.is_false(sim:step(2))
    end)

    it("may not advance or save the simulation, whose step has not ended", function()
        for method, arguments in pairs {
            step = {}, integrate = { 4 * LITTLE }, every = { LITTLE, print }, save = { "/nowhere/a.npz" },
        } do
            local sim = row(3, function(self) self[method](self, table.unpack(arguments)) end)
            local ok, problem = pcall(sim.step, sim)
            assert.is_false(ok)
            local verb = method == "save" and "save" or "advance"
            assert.matches(("lunarray: %s: the simulation is within a step: its collision function cannot %s it")
                :format(method, verb), problem, 1, true)
            assert.equal(3, #sim.pos)
            assert.equal(LITTLE, sim:time())
        end
    end)

    it("may not take out the last body that attracts", function()
        local pos, vel = dev:array { { 0, 0, 0, 1 }, { 1, 0, 0, 0 } }, dev:array { { 1, 0, 0, 0 }, { 0, 0, 0, 0 } }
        local sim = lun.simulation(pos, vel, {
            dt = LITTLE, active = 1, radius = 1, collide = function() return "first" end,
        })
        helper.raises("collide: no body that attracts would be left", function() sim:step() end)
        assert.equal(2, #sim.pos)
    end)
end)

describe("collisions", function()
    local dev = lun.device()

    it("are told where a body is at no finite place", function()
        for _, place in ipairs { 0 / 0, 1 / 0 } do
            local sim = lun.simulation(dev:array { { 0, 0, 0, 0 }, { 1, 0, 0, 0 } }, dev:zeros { 2, 4 },
                { dt = 1, radius = 1, collide = "merge", softening = 1 })
            sim.pos:set(place, 2, 2)
            helper.refused(("step: the position of body 2 is %s; a simulation's must be finite"):format(
                place == place and "infinite" or "NaN"), sim)
            sim.pos:set(5, 2, 2)
            assert.is_true(sim:step())
            sim.vel:set(place, 2, 2) -- a step brings it to the place
            helper.raises("collide: the position of a body is not finite: its collisions cannot be found", function()
                sim:step()
            end)
            sim.vel:fill(0)
            sim.pos:write { { 0, 0, 0, 0 }, { 5, 0, 0, 0 } }
            assert.is_true(sim:step())
        end
    end)

    it("want radii, and a way", function()
        local pos, vel = dev:zeros { 2, 4 }, dev:zeros { 2, 4 }
        local function refused(message, options)
            options.dt = 1
            helper.refused("simulation: " .. message, lun, pos, vel, options)
        end
        refused('radius is given without collide: "merge", "stop" or a function', { radius = 1 })
        refused("collide is given without radius, the size of the bodies", { collide = "stop" })
        refused('option \'collide\': "merge", "stop" or a function is needed, got "bounce"',
            { radius = 1, collide = "bounce" })
        refused('option \'collide\': "merge", "stop" or a function is needed, got 3', { radius = 1, collide = 3 })
        refused("option 'radius': a number or an array is needed, got a string", { radius = "1", collide = "stop" })
        refused("option 'radius': a finite number from 0 is needed, got -1", { radius = -1, collide = "stop" })
        refused("option 'radius': a finite number from 0 is needed, got inf", { radius = 1 / 0, collide = "stop" })
        refused("option 'radius': a finite number from 0 is needed, got ", { radius = 0 / 0, collide = "stop" })
        refused("option 'radius': finite numbers from 0 are needed, and that of body 2 is -1.0",
            { radius = dev:array { 1, -1 }, collide = "stop" })
        refused("option 'radius': finite numbers from 0 are needed, and that of body 1 is NaN",
            { radius = dev:array { 0 / 0, 1 }, collide = "stop" })
        refused("option 'radius': a number is needed, or an array of 2 f32 on the bodies' device, got 3 f32",
            { radius = dev:zeros { 3 }, collide = "stop" })
        refused("option 'radius': a number is needed, or an array of 2 f32 on the bodies' device, got () f32",
            { radius = dev:zeros {}, collide = "stop" })
        refused("option 'radius': a number is needed, or an array of 2 f32 on the bodies' device, got 2 i32",
            { radius = dev:zeros({ 2 }, "i32"), collide = "stop" })
    end)
end)
