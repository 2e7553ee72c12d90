-- lun.simulation: the same bits however a run is split, times, forces of the user's own, sums, pictures, files, errors.

local lun = require "lunarray"
local helper = require "spec.helper"
local numbers = require "spec.numbers"
local systems = require "spec.nbody.systems"

local it = helper.one_in(3, it)

local integrators = helper.integrators()

-- n bodies in a cube, on the device.
local function bodies(dev, n, name)
    local pos, vel = systems.cube(n, name)
    return helper.array(dev, pos, { n, 4 }, name), helper.array(dev, vel, { n, 4 }, name)
end

local function state_of(sim)
    return (sim.pos:tobytes() .. sim.vel:tobytes()):gsub(".", function(c) return ("%02x"):format(c:byte()) end)
end

helper.each_device(function(dev, title)
    local function floats()
        return dev:info().fp64 and { "f32", "f64" } or { "f32" }
    end
    local widest = dev:info().fp64 and "f64" or "f32"

    -- One body at rest in the origin, or at x and with velocity v.
    local function one(options, x, v)
        return lun.simulation(dev:array({ x or { 0, 0, 0, 0 } }, widest), dev:array({ v or { 0, 0, 0, 0 } }, widest),
            options)
    end

    -- ---- splitting -----------------------------------------------------------------------------------------------

    describe("a simulation that is split on " .. title, function()
        local TRAP = "function(pos, vel, time) return -(1 + time) * pos - 0.1 * vel end"

        -- Runs 11 steps in one go; then in three parts, the last of them in another process, from a file.
        local function check_splits(cases)
            local paths, wholes, code = {}, {}, {}
            for i, case in ipairs(cases) do
                local pos, vel = bodies(dev, case.n, case.dtype)
                local options = { dt = 1 / 128, softening = 0.0625 }
                for name, value in pairs(case) do
                    options[name] = name ~= "n" and name ~= "dtype" and value or nil
                end
                if options.softening == "own" then
                    options.softening = dev:linspace(0.01, 0.1, case.n, case.dtype)
                end
                local whole = lun.simulation(pos:copy(), vel:copy(), options)
                whole:step(11)
                wholes[i] = state_of(whole)
                local part = lun.simulation(pos, vel, options)
                part:step(1)
                part:step(4)
                paths[i] = os.tmpname()
                part:save(paths[i])
                code[i] = ("%q, %s,"):format(paths[i], case.force and TRAP or "nil")
            end
            local output = helper.child(([[
                local lun = require "lunarray"
                local files = { %s n = %d }
                for i = 1, files.n, 2 do
                    local sim = lun.simulation(files[i], { force = files[i + 1], device = lun.device(%q) })
                    sim:step(6)
                    print((sim.pos:tobytes() .. sim.vel:tobytes()):gsub(".", function(c)
                        return ("%%02x"):format(c:byte())
                    end), nil)
                end
            ]]):format(table.concat(code, "\n"), 2 * #cases, title))
            local i = 0
            for line in output:gmatch "(%x+)[^\n]*\n" do
                i = i + 1
                assert.is_true(line == wholes[i], ("case %d: %d bodies, %s, %s"):format(i, cases[i].n, cases[i].dtype,
                    cases[i].integrator or cases[i].variant))
                os.remove(paths[i])
            end
            assert.equal(#cases, i)
        end

        it("gives the same bits with every integrator", function()
            local cases, names = {}, floats()
            for _, name in ipairs(helper.ALL and names or { names[#names] }) do
                for _, integrator in ipairs(helper.some(integrators)) do
                    for _, n in ipairs { 1, 2, 33, 257 } do
                        if not integrator.own or name == "f64" then
                            cases[#cases + 1] = { n = n, dtype = name, integrator = integrator.name }
                        end
                    end
                    cases[#cases + 1] = (not integrator.own or name == "f64") and {
                        n = 17, dtype = name, integrator = integrator.name, force = load("return " .. TRAP)(),
                    } or nil
                end
            end
            if dev:info().fp64 then
                cases[#cases + 1] = { n = 9, dtype = "f64", integrator = "hermite4", adaptive = 1e-3, softening = 0 }
                cases[#cases + 1] = { n = 9, dtype = "f64", integrator = "ias15", dt = -1 / 4, softening = "own" }
                cases[#cases + 1] = {
                    n = 5, dtype = "f64", integrator = "hermite4", adaptive = 1e-3, softening = 0, dt = 1 / 4,
                    force = load("return " .. TRAP)(),
                }
                cases[#cases + 1] = { n = 1025, dtype = "f64", integrator = "ias15", dt = 1 / 4096 }
            end
            check_splits(cases)
        end)

        it("gives the same bits with every variant, with test bodies and softenings of bodies", function()
            local cases = {}
            for _, variant in ipairs(dev:variants "nbody") do
                local accuracy = variant:find "^tree" and 3e-3 or nil
                local can = helper.can(function()
                    local pos, vel = bodies(dev, 65, "f32")
                    lun.simulation(pos, vel, {
                        dt = 1, variant = variant, active = 20, softening = dev:ones { 65 }, accuracy = accuracy,
                    })
                end)
                cases[#cases + 1] = { n = 65, dtype = "f32", variant = variant, accuracy = accuracy }
                if can then
                    cases[#cases + 1] = {
                        n = 65, dtype = "f32", variant = variant, active = 20, softening = "own", accuracy = accuracy,
                    }
                end
            end
            check_splits(cases)
        end)

        it("stays in the units of its beginning", function()
            -- Two bodies are so close that what is added to their distance, a fraction of the unit of length, is felt;
            -- a third one runs away, so that units made anew would be larger.
            local function run(parts)
                local pos = dev:array { { 0, 0, 0, 1e-30 }, { 2e-12, 0, 0, 1e-30 }, { 1, 0, 0, 0 } }
                local vel = dev:array { { 0, 0, 0, 0 }, { 0, 0, 0, 0 }, { 1e6, 0, 0, 0 } }
                local sim = lun.simulation(pos, vel, { dt = 1e-3 })
                for _ = 1, parts do
                    sim:step(12 // parts)
                end
                return state_of(sim)
            end
            assert.equal(run(1), run(2))
            assert.equal(run(1), run(12))
        end)

        it("gives the bits of nbody", function()
            for _, integrator in ipairs(integrators) do
                if not integrator.own or dev:info().fp64 then
                    local pos, vel = bodies(dev, 9, integrator.own and "f64" or "f32")
                    local options = { dt = 0.01, softening = 0.1, integrator = integrator.name }
                    local sim = lun.simulation(pos:copy(), vel:copy(), options)
                    sim:step(3)
                    sim:step(2)
                    options.steps = 5
                    pos:nbody(vel, options)
                    assert.equal(state_of { pos = pos, vel = vel }, state_of(sim))
                end
            end
        end)
    end)

    describe("a simulation on " .. title, function()
        it("takes what is written to its arrays between the steps", function()
            local sim = one({ dt = 0.5 }, { 1, 2, 3, 1 }, { 1, 0, 0, 0 })
            sim:step(2)
            sim.vel:write { { 0, 4, 0, 0 } }
            sim.pos:set(9, 1, 3)
            sim:step()
            assert.same({ 2, 4, 9, 1 }, sim.pos:row(1):totable())
        end)

        it("sees each way in which its arrays are written, however it begins its next step", function()
            local kernel = dev:program("kernel void halve(global float *x) { x[get_global_id(0)] *= 0.5f; }"):kernel()
            for way, write in pairs {
                set = function(pos) pos:set(0.75, 3, 2) end,
                mass = function(pos) pos:col(4):mul_(3) end,
                view = function(pos) pos:slice({ 2, 9 }, 1):fill(0.125) end,
                kernel = function(pos) kernel(pos) end,
                copy = function(pos) pos:write(pos:flip(1):copy()) end,
                mapping = function(pos)
                    local h <close> = pos:host "rw"
                    h[7] = 0.5
                end,
                softening = function(_, soft) soft:set(0.5, 1) end,
                velocities = function(_, _, vel) vel:fill(0.25) end,
                nothing = function() end,
            } do
                local pos, vel = bodies(dev, 60, "f32")
                local soft = dev:full({ 60 }, 0.125)
                local sim = lun.simulation(pos, vel, { dt = 1 / 64, softening = soft, variant = "plain" })
                sim:step(2)
                write(pos, soft, vel)
                helper.with_file(function(path)
                    sim:save(path)
                    local again = lun.simulation(path, { device = dev })
                    again:step()
                    sim:step()
                    assert.is_true(state_of(again) == state_of(sim), way)
                end)
            end
        end)

        for _, integrator in ipairs(dev:info().fp64 and { "hermite4", "ias15" } or {}) do
            it("begins anew with " .. integrator .. " where its arrays were written", function()
                for way, write in pairs {
                    place = function(pos) pos:set(0.75, 3, 2) end,
                    mass = function(pos) pos:col(4):mul_(1.5) end,
                    velocity = function(_, vel) vel:fill(0.25) end,
                    softening = function(_, _, soft) soft:set(0.5, 1) end,
                } do
                    local pos, vel = bodies(dev, 7, "f64")
                    local options = { dt = 1 / 16, softening = dev:full({ 7 }, 0.125, "f64"), integrator = integrator }
                    local sim = lun.simulation(pos, vel, options)
                    sim:step(3)
                    write(pos, vel, options.softening)
                    local new = lun.simulation(pos:copy(), vel:copy(), options)
                    new:step(2)
                    helper.with_file(function(path)
                        sim:save(path)
                        local again = lun.simulation(path, { device = dev })
                        again:step(2)
                        assert.is_true(state_of(again) == state_of(new), way)
                    end)
                    sim:step(2)
                    assert.is_true(state_of(sim) == state_of(new), way)
                end
            end)
        end

        it("counts its steps, so that time does not drift", function()
            local sim = one { dt = 0.1, time = 5 }
            assert.equal(5, sim:time())
            for _ = 1, 100 do
                sim:step(10)
            end
            assert.equal(5 + 1000 * 0.1, sim:time())
            sim:step(0)
            assert.equal(105.0, sim:time())
            assert.is_true(sim:integrate(105.3))
            assert.equal(5 + 1003 * 0.1, sim:time())
            assert.is_true(sim:integrate(105.3))
        end)

        it("runs backwards", function()
            local sim = one({ dt = -0.25, time = 1 }, { 0, 0, 0, 1 }, { 1, 0, 0, 0 })
            local times = {}
            sim:every(0.5, function()
                times[#times + 1] = sim:time()
                return sim:time() > -1
            end)
            assert.same({ 0.5, 0.0, -0.5, -1.0 }, times)
            assert.equal(-2.0, sim.pos:get(1, 1))
            helper.refused("integrate: the time 0 has passed; the simulation is at -1", sim, 0)
        end)

        it("calls back at multiples of an interval until it gets false", function()
            local sim = one { dt = 0.1 }
            local times = {}
            local function note(self)
                assert.equal(sim, self)
                times[#times + 1] = self:time()
                return self:time() < 2
            end
            sim:step(3)
            assert.is_true(sim:every(0.5, note))
            assert.same({ 5 * 0.1, 10 * 0.1, 15 * 0.1, 20 * 0.1 }, times)
            sim:every(0.3, note)
            assert.equal(21 * 0.1, times[5])
        end)

        it("goes on after a callback that has raised", function()
            local sim = one({ dt = 0.5 }, nil, { 1, 0, 0, 0 })
            local ok, problem = pcall(sim.every, sim, 1, function() error({ "mine" }) end)
            assert.is_false(ok)
            assert.equal("mine", problem[1])
            assert.equal(1.0, sim:time())
            sim:integrate(3)
            assert.equal(3.0, sim.pos:get(1, 1))
        end)

        it("may be released by its callback", function()
            local sim = one { dt = 0.5 }
            assert.is_true(sim:every(1, function() sim:release() end))
            helper.raises("time: the simulation was released", function() print(sim:time()) end)
        end)

        it("whose pos or vel is no array says so", function()
            local sim = one { dt = 0.5 }
            sim.pos = 3
            for _, method in ipairs { "step", "energy", "momentum", "time" } do
                helper.raises(method .. ": the simulation's pos is 3; an array is needed", function()
                    sim[method](sim)
                end)
            end
            local wrong = { ["()"] = dev:zeros {}, ["4"] = dev:zeros { 4 }, ["2x3"] = dev:zeros { 2, 3 } }
            for shape, array in pairs(wrong) do
                sim.pos = array
                helper.refused("momentum: the simulation's pos must be n x 4 or b x n x 4, not " .. shape, sim)
            end
            sim.pos, sim.vel = sim.vel, nil
            helper.refused("image: the simulation's vel is nothing; an array is needed", sim, 2, 2)
            sim = one { dt = 0.5 }
            sim.vel:release()
            helper.refused("step: the simulation's vel was released", sim)
            sim = one { dt = 0.5 }
            local function hook() -- what it raises says nothing of the arrays
                if debug.getinfo(2, "f").func == sim.pos.ndim then
                    debug.sethook()
                    error("the lock was released", 0)
                end
            end
            debug.sethook(hook, "c")
            local ok, problem = pcall(sim.step, sim)
            debug.sethook()
            assert.same({ false, "the lock was released" }, { ok, problem })
            assert.is_true(sim:step())
        end)

        it("has no bodies, or one", function()
            local none = dev:zeros { 0, 4 }
            local sim = lun.simulation(none, none:copy(), { dt = 1, radius = 1, collide = "merge" })
            assert.is_true(sim:step(3))
            assert.same({ 0, 0, 0 }, { sim:momentum() })
            assert.same({ 0, 0 }, { sim:energy() })
            assert.equal(0, sim:image(2, 3):sum())
            assert.equal(3, sim:time())
            local alone = one({ dt = 1, radius = 1, collide = "merge" }, { 1, 1, 1, 1 }, { 1, 0, 0, 0 })
            alone:step(2)
            assert.same({ 3, 1, 1, 1 }, alone.pos:row(1):totable())
        end)
    end)

    -- ---- forces --------------------------------------------------------------------------------------------------

    describe("a force of the user's own on " .. title, function()
        if dev:info().fp64 then
            -- The error at time 2 of a body in a harmonic trap, or slowed by drag.
            local function trap_error(integrator, steps)
                local force = lun.fuse(function(x) return -x end)
                local sim = one({ dt = 2 / steps, integrator = integrator, force = force }, { 1, 0, 0, 0 },
                    { 0, 1, 0, 0 })
                sim:integrate(2)
                local x, y = sim.pos:get(1, 1), sim.pos:get(1, 2)
                return math.sqrt((x - math.cos(2)) ^ 2 + (y - math.sin(2)) ^ 2)
            end
            local function drag_error(integrator, steps)
                local sim = one({ dt = 2 / steps, integrator = integrator, force = function(_, vel) return -vel end },
                    nil, { 1, 0, 0, 0 })
                sim:step(steps)
                return math.abs(sim.pos:get(1, 1) - (1 - math.exp(-2)))
            end

            for integrator, row in pairs { leapfrog = { 2, 50 }, euler = { 1, 400 }, yoshida4 = { 4, 50 },
                kahan_li6 = { 6, 12 }, kahan_li8 = { 8, 6 } } do
                it("keeps the order of " .. integrator .. " in a harmonic trap", function()
                    local ratio = trap_error(integrator, row[2]) / trap_error(integrator, 2 * row[2])
                    assert.near(row[1], math.log(ratio, 2), 0.15)
                end)
            end

            it("that depends on velocities is of second order", function()
                for _, integrator in ipairs { "leapfrog", "yoshida4" } do
                    local ratio = drag_error(integrator, 100) / drag_error(integrator, 200)
                    assert.is_true(math.log(ratio, 2) > 1.85, integrator)
                end
            end)
        end

        it("that is uniform is exact with leapfrog, n x 3 or n x 4", function()
            for _, columns in ipairs { 3, 4 } do
                local field = dev:array({ { 0, 0, -8, 5 } }, widest):slice({}, { 1, columns })
                local sim = one({ dt = 1 / 8, force = function() return field end }, { 0, 0, 0, 3 }, { 0, 0, 2, 7 })
                sim:step(8)
                assert.same({ 0, 0, -2, 3 }, sim.pos:row(1):totable())
                assert.same({ 0, 0, -6, 7 }, sim.vel:row(1):totable())
            end
        end)

        it("may be a kernel, with the time or without", function()
            local REAL = widest == "f64" and "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\ntypedef double real;\n"
                .. "typedef double4 real4;" or "typedef float real;\ntypedef float4 real4;"
            local program = dev:program(REAL .. [[

                kernel void pulse(global const real4 *pos, global const real4 *vel, global real4 *acc, real time)
                {
                    acc[get_global_id(0)].x += time;
                }
                kernel void fall(global const real4 *pos, global const real4 *vel, global real4 *acc)
                {
                    acc[get_global_id(0)].y += 2 * pos[get_global_id(0)].w;
                }
            ]])
            local sim = one({ dt = 1 / 4, force = program.pulse, time = 1 })
            sim:step(8)
            assert.equal(4.0, sim.vel:get(1, 1)) -- the trapezoidal rule is exact: (9 - 1) / 2
            local fallen = one({ dt = 1 / 4, force = program.fall }, { 0, 0, 0, 3 })
            fallen:step(8)
            assert.equal(12.0, fallen.pos:get(1, 2))
        end)

        it("adds to gravity", function()
            local pos, vel = bodies(dev, 40, "f32")
            local none = lun.simulation(pos:copy(), vel:copy(), { dt = 0.01, softening = 0.1, variant = "plain" })
            local zero = lun.simulation(pos, vel, {
                dt = 0.01, softening = 0.1, variant = "plain", force = function(x) return x:zeros_like() end,
            })
            none:step(5)
            zero:step(5)
            assert.equal(state_of(none), state_of(zero))
        end)

        it("that raises, or gives something else, leaves the simulation where it was", function()
            local given
            local function force() return given and given() end
            local sim = one({ dt = 0.5, force = force }, { 1, 0, 0, 1 }, { 1, 0, 0, 0 })
            helper.raises("force: the function returned nothing; an array of accelerations, n x 3 or n x 4, is needed",
                function() sim:step(3) end)
            given = function() return dev:zeros { 2, 4 } end
            helper.raises("force: the function returned an array of 2x4; accelerations must be 1 x 3 or 1 x 4",
                function() sim:step(3) end)
            given = function() error({ "mine" }) end
            local ok, problem = pcall(sim.step, sim, 3)
            assert.is_true(not ok and problem[1] == "mine")
            assert.equal(0, sim:time())
            assert.equal(1.0, sim.pos:get(1, 1))
            for method, verb in pairs { step = "advance", release = "release" } do
                given = function() sim[method](sim) end
                ok, problem = pcall(sim.step, sim)
                assert.is_false(ok)
                assert.matches(("lunarray: %s: the simulation is within a step: its force cannot %s it"):format(method,
                    verb), problem, 1, true)
            end
            given = function() return dev:zeros({ 1, 3 }, widest) end
            sim:step(4)
            assert.equal(3.0, sim.pos:get(1, 1))
        end)
    end)

    -- ---- sums and pictures -----------------------------------------------------------------------------------------

    describe("what a simulation says on " .. title, function()
        it("is the momentum, the angular momentum, the centre and the energy of the bodies that attract", function()
            for _, name in ipairs { widest } do
                for _, active in ipairs { 7, 20 } do
                    local pos, vel = bodies(dev, 20, name)
                    local expected, bound = { 0, 0, 0, 0, 0, 0, 0, 0, 0 }, 20 * 16 * numbers.compute_eps(name)
                    local mass, p, v = 0, pos:totable(), vel:totable()
                    for i = 1, active do
                        local r, u, m = p[i], v[i], p[i][4]
                        local terms = {
                            u[1], u[2], u[3], r[2] * u[3] - r[3] * u[2], r[3] * u[1] - r[1] * u[3],
                            r[1] * u[2] - r[2] * u[1], r[1], r[2], r[3],
                        }
                        for k, term in ipairs(terms) do
                            expected[k] = expected[k] + m * term
                        end
                        mass = mass + m
                    end
                    for k = 7, 9 do
                        expected[k] = expected[k] / mass
                    end
                    local sim = lun.simulation(pos, vel, { dt = 1, active = active, softening = 0.5, G = 3 })
                    local got = { sim:momentum() }
                    table.move({ sim:angular() }, 1, 3, 4, got)
                    table.move({ sim:centre() }, 1, 3, 7, got)
                    helper.check_list(expected, got, bound, name)
                    assert.same({ pos:energy(vel, { active = active, softening = 0.5, G = 3 }) }, { sim:energy() })
                end
            end
        end)

        it("is summed in f64, where there is that: products that cancel, too", function()
            if not dev:info().fp64 then
                return
            end
            local x = 1 + 2.0 ^ -20
            local sim = lun.simulation(dev:array { { x, 1, x, 1 } }, dev:array { { 1, x, 1, 0 } }, { dt = 1 })
            local area = x * x - 1 -- which f32 rounds to 2^-19
            assert.same({ -area, 0.0, area }, { sim:angular() })
            sim = lun.simulation(dev:array { { x, x, x, x } }, dev:array { { x, x, x, 0 } }, { dt = 1 })
            assert.same({ x * x, x * x, x * x }, { sim:momentum() })
            assert.same({ x, x, x }, { sim:centre() })
        end)

        it("is the same with four times the masses as with four times G, with and without a force", function()
            local heavy = dev:random({ 9, 4 }, { seed = 3 })
            for _, force in ipairs { false, function(_, vel) return vel * -0.5 end } do
                local light, ends = heavy:copy(), {}
                light:col(4):mul_(0.25)
                for G, pos in pairs { [1] = heavy, [4] = light } do
                    local sim = lun.simulation(pos:copy(), dev:zeros { 9, 4 }, { dt = 0.1, softening = 0.5, G = G,
                        force = force or nil })
                    sim:step(3)
                    ends[#ends + 1] = helper.flat(sim.pos:slice({}, { 1, 3 }))
                    ends[#ends + 1] = helper.flat(sim.vel)
                end
                assert.same(ends[1], ends[3])
                assert.same(ends[2], ends[4])
            end
        end)
    end)
end)
