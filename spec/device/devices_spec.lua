-- Copies from one device to another: nobody waits, and errors come as everywhere. In processes of their own, since PoCL
-- reads how many devices it is to make when it starts; with the module of `make faults`, whose pieces are of 1 KiB.

local helper = require "spec.helper"

local it = helper.one_in(2, it)

if not helper.has_pocl() then
    return
end

local function on_two(source)
    return helper.child([[
        local core, lun = require "lunarray.core", require "lunarray"
        local helper = require "spec.helper"
        local first, second = lun.device "Portable Computing Language:1", lun.device "Portable Computing Language:2"
        local function finish() first:finish() second:finish() end
        local function refused(wanted, f, ...)
            local ok, problem = pcall(f, ...)
            assert(not ok and tostring(problem):find(wanted, 1, true), tostring(problem))
        end
    ]] .. source, { cpath = "build/faults/?.so", before = "timeout 100",
        env = { POCL_DEVICES = "pthread pthread", LUNARRAY_DEVICE = false } })
end

describe("copies between devices", function()
    it("bring all elements over, of any number, layout and dtype", function()
        on_two [[
            for _, n in ipairs { 0, 1, 255, 256, 257, 1024, 1025, 5000 } do
                local a = first:arange(1, 5000):cast("f32"):slice { 1, n > 0 and n or 1 }
                if n == 0 then a = first:zeros { 0 } end
                local there = a:to(second)
                assert(there:device() == second and there:tobytes() == a:tobytes())
                assert(there:to(first, { async = true }):get():tobytes() == a:tobytes())
            end
            local m = first:arange(1, 6000):cast("i32"):reshape(100, 60)
            local wide = second:zeros({ 60, 200 }, "i32")
            wide:slice({ 1, 60 }, { 2, 200, 2 }):write(m:t())
            assert(wide:slice({ 1, 60 }, { 2, 200, 2 }):tobytes() == m:t():tobytes())
            assert(wide:slice({ 1, 60 }, { 1, 200, 2 }):nnz() == 0)
            helper.check_array(second:array(m:slice({ 3, 1, -2 }, { 2, 3 }), "f64"), "f64", { 2, 2 },
                { 122.0, 123.0, 2.0, 3.0 })
        ]]
    end)

    it("do not wait for what the source is still to get, nor for the other device", function()
        on_two [[
            local a, b, q = first:ones { 5000 }, second:zeros { 5000 }, second:queue()
            finish()
            core.fault_close(1)
            a:fill(2)
            b:write(a)
            local event = a:to(second, { async = true })
            local apart = b:add(1, { async = true, queue = q })
            assert(not event:done() and not apart:done())
            assert(second:ones({ 9 }):sum() == 9)
            core.fault_open(0)
            assert(b:sum() == 10000 and event:get():min() == 2 and apart:get():max() == 3)

            local counted = first:arange(1, 5000):cast "f32"
            core.fault_close(1)
            b:fill(7)
            b:write(counted)
            counted:add_(1)
            core.fault_open(0)
            assert(b:sum() == 12502500 and counted:sum() == 12507500)
        ]]
    end)

    it("follow one another to and fro", function()
        on_two [[
            local x = first:zeros { 3000 }
            core.fault_close(1)
            x:fill(5)
            for i = 1, 20 do
                x = x:to(i % 2 == 1 and second or first):add(1)
            end
            core.fault_open(0)
            assert(x:min() == 25 and x:max() == 25)
        ]]
    end)

    it("end well when the state closes on them", function()
        assert.equal("closing\n", on_two [[
            local a, b = first:ones { 100000 }, second:ones { 100000 }
            for _ = 1, 3 do
                a:write(b:to(first))
                b:write(a:to(second))
            end
            print "closing"
        ]])
    end)

    it("fail with the source, and say what has failed there", function()
        on_two [[
            local a, kept = first:ones { 1000 }, second:ones { 1000 }
            finish()
            core.fault_close(1)
            a:fill(2)
            local b = a:to(second)
            kept:write(a)
            local c, event = b:add(1), a:to(second, { async = true })
            core.fault_open(-5)
            local text = "write: the other device: fill failed on the device"
            refused("sum: " .. text, b.sum, b)
            refused("sum: " .. text, c.sum, c)
            refused("get: " .. text, event.get, event)
            refused("tobytes: " .. text, kept.tobytes, kept)
            refused("finish: fill failed on the device", first.finish, first)
            for _ = 1, 3 do -- each failed write once
                refused("finish: " .. text, second.finish, second)
            end
            finish()
            a:fill(3)
            kept:write(a)
            assert(kept:sum() == 3000)

            refused("take: index 2000 at position 2 is out of range 1..1000", function() -- by sum, or by to already
                a:take(first:array({ 1, 2000 }, "i64")):to(second):sum()
            end)
            pcall(first.finish, first)
            pcall(second.finish, second)
            finish()
        ]]
    end)

    it("lose nothing where the driver refuses a command", function()
        on_two [[
            local a, b, v = first:arange(1, 1500):cast "f32", second:zeros { 1500 }, second:zeros { 50, 60 }
            local sum = a:sum()
            a:to(second):sum()
            local wide, turned = v:slice({ 1, 50 }, { 1, 60, 2 }), a:reshape(30, 50):t()
            wide:write(turned)
            for _, f in ipairs {
                function() b:write(a) end, function() wide:write(turned) end,
            } do
                local n, made = 0, nil
                repeat
                    n = n + 1
                    core.fault_after(n, -5)
                    local ok = pcall(f)
                    made = core.fault_after(0)
                    assert(ok or made >= n)
                    b:fill(0)
                    b:write(a)
                    assert(a:sum() == sum and b:sum() == sum)
                until made < n
                assert(n > 10)
            end
            finish()
        ]]
    end)
end)

describe("work on several devices", function()
    local function on_both(source)
        return helper.child([[
            local lun = require "lunarray"
            local first, second = lun.device "Portable Computing Language:1", lun.device "Portable Computing Language:2"
            local third, both = lun.device "Portable Computing Language:3", { first, second }
            local function refused(wanted, f, ...)
                local ok, problem = pcall(f, ...)
                assert(not ok and tostring(problem):find("lunarray: " .. wanted, 1, true), tostring(problem))
            end
        ]] .. source, { before = "timeout 100",
            env = { POCL_DEVICES = "pthread pthread pthread", LUNARRAY_DEVICE = false } })
    end

    it("is split by rows, of products to the bits that each part gives alone", function()
        on_both [[
            for _, rows in ipairs { 0, 1, 100, 301 } do
                local a, b = first:random { rows, 50 }, first:random { 50, 70 }
                assert(a:matmul(b, { devices = both }):tobytes() == a:matmul(b):tobytes())
                local out = first:ones { rows, 70 }
                local alone = out:copy()
                assert(a:matmul(b, { devices = both, out = out, alpha = 3, beta = 2 }) == out)
                assert(out:tobytes() == a:matmul(b, { out = alone, alpha = 3, beta = 2 }):tobytes())
            end
            local a, b = first:ones({ 3, 4 }, "i32"), first:ones({ 4, 2 }, "u8")
            local c = a:matmul(b, { devices = both })
            assert(c:dtype() == a:matmul(b):dtype() and c:device() == first and c:eq(4):all())
            local where = "matmul: option 'devices': "
            refused(where .. "a list of devices is needed, got a number", a.matmul, a, b, { devices = 7 })
            refused(where .. "the list is empty", a.matmul, a, b, { devices = {} })
            refused(where .. "a device is needed, number 2 is a string", a.matmul, a, b, { devices = { first, "gpu" } })
            local twice = { first, first }
            refused(where .. "number 1 and number 2 are the same device", a.matmul, a, b, { devices = twice })
            refused(where .. "the first must be the device of the arrays", a.matmul, a, b, { devices = { second } })
            refused(where .. "two matrices are needed", a.matmul, a, b:col(1), { devices = both })
            refused("matmul: option 'async' does not work with "
                .. "devices", a.matmul, a, b, { devices = both, async = true })
            refused(where .. "the table has the key 'x'; elements", a.matmul, a, b, { devices = { first, x = second } })
            refused(where .. "it cannot be fused", lun.fuse(function(x, y)
                return x:matmul(y, { devices = both }) + 1
            end), a, b)
            refused("matmul: inner sizes differ", a.matmul, a, a, { devices = both })
            refused("matmul: out ", a.matmul, a, b, { devices = both, out = first:ones { 2 } })
            refused("matmul: option 'out'", a.matmul, a, b, { devices = both, out = 7 })
        ]]
    end)

    it("is split by bodies and points, of fields to the same bits", function()
        on_both [[
            for _, n in ipairs { 0, 1, 64, 65, 500 } do
                local pos = first:random({ n, 4 }, { seed = 3 })
                for _, options in ipairs {
                    { softening = 0.1 }, { softening = first:full({ n }, 0.1), G = 2 },
                    { at = first:random { 130, 3 } },
                    { softening = 0.1, active = n > 0 and n // 2 + 1 or nil },
                } do
                    local alone = pos:gravity(options)
                    options.devices = both
                    assert(pos:gravity(options):tobytes() == alone:tobytes())
                end
            end
            local pos = first:random { 90, 4 }
            assert(pos:gravity({ rows = { 11, 20 } }):tobytes() == pos:gravity():slice({ 11, 20 }):tobytes())
            assert(pos:gravity({ rows = { 90, 90 }, out = first:zeros { 1, 4 } }):ndim() == 2)
            local where = "gravity: option 'rows': "
            refused(where .. "the first and the last body are needed", pos.gravity, pos, { rows = { 3 } })
            refused("gravity: option 'rows' 1 is 0; a whole number from 1 is needed", pos.gravity, pos,
                { rows = { 0, 4 } })
            refused(where .. "bodies from 1 to 90 are needed, got 5 to 4", pos.gravity, pos, { rows = { 5, 4 } })
            refused(where .. "bodies from 1 to 90 are needed, got 5 to 91", pos.gravity, pos, { rows = { 5, 91 } })
            refused(where .. "positions n x 4 are needed, without points", pos.gravity, pos,
                { rows = { 1, 2 }, at = pos })
            refused("gravity: out must be 2x4, a row for each body, not 3x4", pos.gravity, pos,
                { rows = { 1, 2 }, out = first:zeros { 3, 4 } })
            refused("gravity: option 'rows' does not work with devices", pos.gravity, pos,
                { rows = { 1, 2 }, devices = both })
            refused("gravity: option 'devices': positions n x 4 are needed", pos.gravity, first:zeros { 2, 3, 4 },
                { devices = both })
        ]]
    end)

    it("moves bodies to bits that do not depend on the split", function()
        on_both [[
            local function moved(options, list, dtype)
                local pos = first:random({ 200, 4 }, { seed = 1 }):cast(dtype)
                local vel = first:random({ 200, 4 }, { seed = 2 }):cast(dtype)
                options.devices, options.dt, options.softening, options.steps = list, 0.001, 0.1, 3
                assert(pos:nbody(vel, options) == pos)
                return pos, vel
            end
            for name, dtype in pairs { leapfrog = "f32", euler = "f32", yoshida4 = "f64", ias15 = "f64" } do
                local options = { integrator = name }
                local pos, vel = moved(options, both, dtype)
                local alone, speed = moved(options, { first }, dtype)
                assert(pos:tobytes() == alone:tobytes() and vel:tobytes() == speed:tobytes())
                local usual = moved(options, nil, dtype)
                -- accelerations of up to 200 / 0.1^2, which round otherwise, over 3 steps
                assert((pos - usual):abs():max() < 200 * 2 ^ (dtype == "f32" and -23 or -52))
                assert(not pos:eq(first:random({ 200, 4 }, { seed = 1 })):all())
            end

            -- with units of work that are bodies, and that are places of a ring
            for _, variant in ipairs { "gpu", "pairs" } do
                local options = { variant = variant }
                local pos = moved(options, both, "f32")
                assert(pos:tobytes() == moved(options, { first }, "f32"):tobytes())
                assert(pos:tobytes() == moved(options, { first, third, second }, "f32"):tobytes())
                assert((pos - moved(options, nil, "f32")):abs():max() < 200 * 2 ^ -23)
            end

            -- Accelerations are kept from step to step, but not of what was written since.
            local lengths = first:full({ 200 }, 0.1)
            for _, softening in ipairs { lengths, 0.1 } do
                local place = first:random({ 200, 4 }, { seed = 1 })
                local options = { dt = 0.001, softening = softening, devices = both }
                local sim = lun.simulation(place, first:zeros { 200, 4 }, options)
                lun.scope(function() sim:step(2) end)
                lengths:fill(0.5)
                if softening == 0.1 then
                    place:slice({ 1, 9 }, 1):add_(0.5)
                end
                local again = lun.simulation(place:copy(), sim.vel:copy(), options)
                sim:step()
                again:step()
                assert(sim.pos:tobytes() == again.pos:tobytes())
                sim:release()
            end

            local path = os.tmpname()
            local function new(list)
                local pos, vel = first:random({ 100, 4 }, { seed = 1 }), first:random({ 100, 4 }, { seed = 2 })
                return lun.simulation(pos, vel, { dt = 0.001, softening = 0.1, devices = list,
                    force = function(place) return place:slice({}, { 1, 3 }) * -1000 end })
            end
            local sim, other = new(both), new { first }
            sim:step(4)
            other:step(2)
            other:save(path)
            local resumed = lun.simulation(path, { device = first, devices = both,
                force = function(place) return place:slice({}, { 1, 3 }) * -1000 end })
            os.remove(path)
            resumed:step(2)
            assert(resumed.pos:tobytes() == sim.pos:tobytes() and resumed.vel:tobytes() == sim.vel:tobytes())
            assert(sim:energy() > 0)
            local usual = new(nil)
            usual:step(4)
            assert((sim.pos - usual.pos):abs():max() < 200 * 2 ^ -23) -- without the force some 16 / 2 * 1e-6 * 1000
            local pos = first:zeros { 2, 3, 4 }
            refused("nbody: option 'devices': positions n x 4 are needed", pos.nbody, pos, pos:copy(),
                { dt = 1, devices = both })
            refused("simulation: option 'devices': positions n x 4 are needed", lun.simulation, pos, pos:copy(),
                { dt = 1, devices = both })
            for _, steps in ipairs { -1, 1.5, "2" } do
                refused("nbody: option 'steps': a whole number", pos.nbody, pos:reshape(6, 4), first:zeros { 6, 4 },
                    { dt = 1, steps = steps, devices = both })
            end
            refused("nbody: the option dt (the time step) is missing", pos.nbody, pos:reshape(6, 4), pos:reshape(6, 4),
                { devices = both })
            refused("nbody: option 'async' does not work with devices", pos.nbody, pos:reshape(6, 4), pos:reshape(6, 4),
                { dt = 1, devices = both, async = true })
            refused("simulation: option 'queue' does not work with devices", lun.simulation, pos:reshape(6, 4),
                pos:reshape(6, 4), { dt = 1, devices = both, queue = first:queue() })
        ]]
    end)

    it("loses nothing where the driver refuses a command", function()
        on_two [[
            local both = { first, second }
            local a, b, out = first:random { 150, 20 }, first:random { 20, 30 }, first:zeros { 150, 30 }
            local pos, vel = first:random { 150, 4 }, first:random { 150, 4 }
            local softening = first:full({ 150 }, 0.1)
            local options = { dt = 0.001, softening = softening, devices = both, steps = 2 }
            local moved, speed = pos:copy(), vel:copy()
            local product = a:matmul(b, { out = out + 1, beta = 2 }):tobytes()
            local field = pos:gravity({ softening = softening }):tobytes()
            moved:nbody(speed, options)
            local function live()
                collectgarbage()
                finish()
                collectgarbage()
                return first:memory().live, second:memory().live
            end
            for name, try in pairs {
                matmul = function() -- which a second attempt must not scale again
                    out:fill(1)
                    a:matmul(b, { out = out, beta = 2, devices = both })
                    return out:tobytes() == product
                end,
                gravity = function()
                    return pos:gravity({ softening = softening, devices = both }):tobytes() == field
                end,
                nbody = function() -- both arrays are written at the very end
                    local x, v = pos:copy(), vel:copy()
                    local ok, problem = pcall(x.nbody, x, v, options)
                    if not ok then
                        core.fault_after(0)
                        assert(x:tobytes() == pos:tobytes() and v:tobytes() == vel:tobytes(), "bodies have moved")
                        error(problem, 0)
                    end
                    return x:tobytes() == moved:tobytes() and v:tobytes() == speed:tobytes()
                end,
            } do
                local n, made, failed = 0, nil, 0
                assert(try() and try(), name)
                local here, there = live()
                repeat
                    n = n + 1
                    core.fault_after(n, n % 2 == 0 and -4 or -5) -- after -4, too little memory, all is tried again
                    local ok, right = pcall(try)
                    made = math.max(core.fault_after(0), ok and 0 or n)
                    failed = failed + (ok and 0 or 1)
                    assert(ok or right ~= "bodies have moved")
                    assert(not ok or right, ("%s %d: wrong values"):format(name, n))
                    for _ = 1, 4 do -- each failed command is told once, and to the device that waits for it
                        pcall(first.finish, first)
                        pcall(second.finish, second)
                    end
                    local now, beside = live()
                    assert(now <= here and beside <= there, ("%s %d: %d, %d instead of %d, %d"):format(name, n, now,
                        beside, here, there))
                until made < n
                assert(failed > 10, name)
                assert(try(), name)
            end
        ]]
    end)
end)
