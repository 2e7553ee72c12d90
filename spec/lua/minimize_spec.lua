-- lun.minimize: Rosenbrock's function and a logistic regression, by counts of SciPy's (L-BFGS-B) within a few.

local lun = require "lunarray"
local helper = require "spec.helper"

local function rosenbrock(x)
    local a, b = x:slice { 1, #x - 1 }, x:slice { 2, #x }
    return 100 * (b - a * a):square():sum() + (1 - a):square():sum()
end
local function slopes(x)
    local n, g = #x, x:zeros_like()
    local a, b = x:slice { 1, n - 1 }, x:slice { 2, n }
    g:slice({ 1, n - 1 }):add_(-400 * a * (b - a * a) - 2 * (1 - a))
    g:slice({ 2, n }):add_(200 * (b - a * a))
    return g
end

helper.each_device(function(dev, title)
    local dtype = dev:info().fp64 and "f64" or "f32"

    describe("minimize on " .. title, function()
        it("finds Rosenbrock's minimum", function()
            for _, case in ipairs { { "f32", 1e-3, 1e-3 }, { dtype, dtype == "f64" and 1e-5 or 1e-3, 1e-3 } } do
                local start = dev:array({ -1.2, 1 }, case[1])
                local x, report = lun.minimize(rosenbrock, start, { gradient = slopes, tol = case[2] })
                assert.is_true((x - 1):abs():max() < case[3])
                assert.is_true(report.converged and report.gradient <= case[2])
                assert.equal("the gradient is at most tol", report.message)
                assert.is_true(report.iterations < 45 and report.evaluations < 60) -- SciPy: 37 and 45
                assert.near(rosenbrock(x), report.value, 1e-6)
                helper.check_array(start, case[1], { 2 }, { -1.2, 1.0 }, 1e-6) -- is left as it was
            end
            if dtype == "f64" then
                local x, report = lun.minimize(rosenbrock, dev:full({ 1000 }, 0.5, "f64"), { gradient = slopes })
                assert.is_true((x - 1):abs():max() < 1e-6 and report.iterations < 100) -- SciPy: 83
                x, report = lun.minimize(rosenbrock, dev:array({ -1.2, 1 }, "f64"), { gradient = "differences" })
                assert.is_true((x - 1):abs():max() < 1e-6 and report.converged)
            end
        end)

        it("takes the gradient behind the value, matrices, and values on the device", function()
            local target = dev:arange(6):reshape(2, 3):cast "f32"
            local x, report = lun.minimize(function(x)
                return (x - target):square():sum { keepdims = true }, 2 * (x - target)
            end, dev:zeros { 2, 3 }, { gradient = true, tol = 1e-4, memory = 3 })
            helper.check_array(x, "f32", { 2, 3 }, { 1.0, 2.0, 3.0, 4.0, 5.0, 6.0 }, 1e-4)
            assert.is_true(report.converged)
        end)

        it("says why it ended", function()
            local function tried(f, g, options)
                options.gradient = g
                local x, report = lun.minimize(f, dev:array({ -1.2, 1 }, dtype), options)
                assert.is_false(report.converged)
                return x, report.message, report
            end
            local _, message, report = tried(rosenbrock, slopes, { max = 5 })
            assert.same({ "the limit max of iterations was reached", 5 }, { message, report.iterations })
            _, message = tried(rosenbrock, function(x) return -slopes(x) end, {})
            assert.equal("no lower value was found along the gradient: rounding, or a wrong gradient", message)
            _, message = tried(function() return 0 / 0 end, slopes, {})
            assert.equal("the value or the gradient is not finite", message)
            -- Infinite beyond a wall, which the search steps back from.
            local x, ended = lun.minimize(function(x)
                return x:log():neg():sum() + 10 * x:sum(), 10 - 1 / x
            end, dev:full({ 2 }, 0.5, dtype), { gradient = true, tol = 1e-3 })
            assert.is_true(ended.converged and (x - 0.1):abs():max() < 1e-3)
        end)

        it("refuses other arguments", function()
            local x = dev:ones { 2 }
            local g = { gradient = slopes }
            helper.refused("minimize: argument 1: a function of x is needed, got 1", lun, 1, x, g)
            helper.refused("minimize: argument 2: an array is needed, got 1", lun, rosenbrock, 1, g)
            helper.refused("minimize: argument 2: f32 or f64 with elements is needed, got i32 2", lun, rosenbrock,
                x:cast "i32", g)
            helper.refused("minimize: option 'gradient': a function of x, true (f returns the value and the "
                .. "gradient) or \"differences\" is needed, got nothing", lun, rosenbrock, x)
            helper.refused("minimize: argument 3: a table of options is needed, got 3", lun, rosenbrock, x, 3)
            helper.refused("minimize: argument 2: an array is needed, got a table; lun.array makes an array of a table",
                lun, rosenbrock, { 1, 2 })
            helper.refused("minimize: unknown option 'jac'; known are gradient, method, tol, max, memory", lun,
                rosenbrock, x, { jac = slopes })
            helper.refused("minimize: option 'gradient': a function of x, true (f returns the value and the "
                .. "gradient) or \"differences\" is needed, got nothing", lun, rosenbrock, x, {})
            helper.refused("minimize: option 'method': \"lbfgs\" is known, got \"newton\"", lun, rosenbrock, x,
                { gradient = slopes, method = "newton" })
            helper.refused("minimize: option 'memory': a number from 1 is needed, got 0", lun, rosenbrock, x,
                { gradient = slopes, memory = 0 })
            helper.refused("minimize: the function returned an array; a number is needed", lun, slopes, x, g)
            helper.refused("minimize: the gradient returned nothing; an array of x's shape is needed",
                lun, rosenbrock, x,
                { gradient = true })
            helper.refused("minimize: the gradient is 1 f32; x is 2 f32", lun, rosenbrock, x,
                { gradient = function() return dev:ones { 1 } end })
        end)
    end)
end)
