-- lun.odeint: against solutions in closed form, and SciPy's counts of steps (solve_ivp with RK45).

local lun = require "lunarray"
local helper = require "spec.helper"

local function times(from, to, count)
    local list = {}
    for i = 1, count do
        list[i] = from + (to - from) * (i - 1) / (count - 1)
    end
    return list
end

helper.each_device(function(dev, title)
    local dtype = dev:info().fp64 and "f64" or "f32"

    describe("odeint on " .. title, function()
        it("takes SciPy's steps", function()
            if dtype == "f32" then
                return
            end
            local lorenz = lun.fuse(function(y)
                local a, b, c = y:slice { 1, 1 }, y:slice { 2, 2 }, y:slice { 3, 3 }
                return lun.concat { 10 * (b - a), a * (28 - c) - b, a * b - 8 / 3 * c }
            end)
            local ys, report = lun.odeint(function(_, y) return lorenz(y) end, dev:ones({ 3 }, "f64"), times(0, 5, 21),
                { rtol = 1e-6, atol = 1e-9 })
            assert.same({ steps = 165, rejected = 3, evaluations = 1010, time = 5, events = {} }, report)
            helper.check_array(ys:slice(21), "f64", { 3 }, { -6.51225264, -6.97425852, 23.92417558 }, 1e-7)
            local function oscillator(_, y) -- van der Pol's, mu = 1, back in time
                local a, b = y:slice { 1, 1 }, y:slice { 2, 2 }
                return lun.concat { b, (1 - a * a) * b - a }
            end
            ys, report = lun.odeint(oscillator, dev:array({ 2, 0 }, "f64"), dev:array(times(20, 0, 11), "f64"))
            assert.same({ steps = 30, rejected = 5, evaluations = 212, time = 0, events = {} }, report)
            helper.check_array(ys:slice(11), "f64", { 2 }, { 7.39497811e-4, 9.29809721e-5 }, 1e-9)
        end)

        it("finds the solution between steps, and of each member of an ensemble", function()
            for _, each in ipairs { "f32", dtype } do
                local rates = dev:arange(1, 200, 1):cast(each):reshape(200, 1) / 100
                local function decay(t, y) return -rates * y + 0 * t end
                local at = times(0, 2, 30)
                local ys, report = lun.odeint(decay, dev:ones({ 200, 1 }, each), at, { rtol = 1e-5, atol = 1e-6 })
                assert.is_true(report.steps < 29)
                for i, t in ipairs(at) do
                    local off = (ys:slice(i) - (rates * -t):exp()):abs():max()
                    assert.is_true(off < 1e-4, ("%s: %g at %g"):format(each, off, t))
                end
            end
            local turn = lun.odeint(function(_, y) return y * lun.i end, dev:ones({ 1 }, "c64"), { 0, math.pi },
                { rtol = 1e-5 })
            assert.near(-1, turn:get(2, 1).re, 1e-4)
        end)

        it("takes first and longest steps, one time, and t in f", function()
            local y0 = dev:zeros({ 2 }, dtype)
            local function f(t, y) return y * 0 + 3 * t ^ 2 end
            local ys, report = lun.odeint(f, y0, { 0, 1, 2 }, { max_step = 0.125, first_step = 0.125 })
            assert.equal(16, report.steps)
            helper.check_array(ys, dtype, { 3, 2 }, { 0.0, 0.0, 1.0, 1.0, 8.0, 8.0 }, 1e-5)
            ys, report = lun.odeint(f, y0 + 5, { 7 })
            helper.check_array(ys, dtype, { 1, 2 }, { 5.0, 5.0 })
            assert.equal(0, report.evaluations)
        end)

        it("finds events between steps, which may end it", function()
            local function f(_, y) return lun.stack { y:slice(2), -y:slice(1) } end -- y1 = sin t
            local y0 = dev:array({ 0, 1 }, dtype)
            local function zero(_, y) return y:get(1) end
            local tight = dtype == "f64" and { rtol = 1e-11, atol = 1e-12 } or { rtol = 1e-5, atol = 1e-6 }
            local off = dtype == "f64" and 1e-9 or 1e-3
            local function solve(t, events)
                tight.events = events
                return lun.odeint(f, y0, t, tight)
            end
            local function check(expected, found)
                assert.equal(#expected, #found)
                for i, t in ipairs(expected) do
                    assert.is_true(math.abs(t - found[i].t) < off and math.abs(found[i].y:get(1)) < off)
                end
            end
            local pi = math.pi
            local ys, report = solve({ 0, 10 }, { zero, { f = zero, direction = -1 }, { f = zero, direction = 1 } })
            check({ pi, 2 * pi, 3 * pi }, report.events[1])
            check({ pi, 3 * pi }, report.events[2])
            check({ 2 * pi }, report.events[3])
            assert.same({ 10, 2 }, { report.time, #ys })
            report = select(2, solve({ 10, 0 }, { f = function(_, y) return y:slice { 1, 1 } end, direction = 1 }))
            assert.equal(0, report.time)
            local half = { f = function(t) return t - 7.25 end, terminal = true }
            ys, report = solve({ 0, 3, 7, 7.25, 8 }, { half, zero, function() return 1 end })
            assert.is_true(math.abs(report.time - 7.25) < 1e-12)
            check({ pi, 2 * pi }, report.events[2])
            assert.equal(0, #report.events[3])
            assert.is_true(#ys == 4 or #ys == 3)
            assert.is_true(math.abs(ys:get(3, 1) - math.sin(7)) < off)
            assert.same({ 2, { {} } }, { #solve({ 0, 1 }, zero), select(2, solve({ 0, 1 }, zero)).events })
            assert.same({ {} }, select(2, solve({ 0 }, zero)).events)
            helper.raises("odeint: an event returned nothing; a number is needed", function()
                solve({ 0, 1 }, function() end)
            end)
            helper.raises("odeint: option 'events': event 2 is 3; a function of t and y, or a table with it as f, is "
                .. "needed", function() solve({ 0, 1 }, { zero, 3 }) end)
            helper.raises("odeint: unknown option 'stop'; known are f, terminal, direction", function()
                solve({ 0, 1 }, { f = zero, stop = true })
            end)
            helper.raises("odeint: option 'events': the direction of event 1 is a string; a number is needed",
                function() solve({ 0, 1 }, { f = zero, direction = "up" }) end)
        end)

        it("refuses other arguments, and gives up where no step is small enough", function()
            local function f(_, y) return y * y end
            local y0 = dev:ones({ 1 }, dtype)
            helper.refused("odeint: argument 1: a function of t and y is needed, got 1", lun, 1, y0, { 0, 1 })
            helper.refused("odeint: argument 2: an array is needed, got 1", lun, f, 1, { 0, 1 })
            helper.refused("odeint: argument 2: f32, f64, c64 or c128 with elements is needed, got i32 1", lun, f,
                y0:cast "i32", { 0, 1 })
            helper.refused("odeint: argument 3: a list or an array of times is needed, got 1", lun, f, y0, 1)
            helper.refused("odeint: argument 3: element 2 is inf; finite numbers are needed", lun, f, y0,
                { 0, math.huge })
            helper.refused("odeint: argument 3: times must ascend or descend, and element 3 does not", lun, f, y0,
                { 0, 1, 1 })
            helper.refused("odeint: argument 4: a table of options is needed, got 5", lun, f, y0, { 0, 1 }, 5)
            helper.refused("odeint: unknown option 'tol'; known are method, rtol, atol, first_step, max_step, steps, "
                .. "events",
                lun, f, y0, { 0, 1 }, { tol = 1 })
            helper.refused("odeint: option 'method': \"rk45\" is known, got \"bdf\"", lun, f, y0, { 0, 1 },
                { method = "bdf" })
            helper.refused("odeint: option 'atol': a number above 0 is needed, got 0", lun, f, y0, { 0, 1 },
                { atol = 0 })
            helper.refused("odeint: the function returned nothing; an array of y's shape is needed",
                lun, function() end,
                y0, { 0, 1 })
            helper.refused("odeint: the function returned 2 " .. dtype .. "; y is 1 " .. dtype, lun,
                function() return dev:ones({ 2 }, dtype) end, y0, { 0, 1 })
            helper.raises("odeint: the step became too small at t = ", function()
                local _ = lun.odeint(f, y0, { 0, 2 }) -- 1 / (1 - t)
            end)
            helper.raises("odeint: 5 steps were too few: t = ", function()
                local _ = lun.odeint(f, y0, { 0, 0.9 }, { steps = 5, rtol = 1e-6 })
            end)
        end)
    end)
end)
