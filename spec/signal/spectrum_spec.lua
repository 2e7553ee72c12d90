-- Spectral densities and trends, against numbers of scipy.signal for the same signals.

local helper = require "spec.helper"
local lun = require "lunarray"

local function signals(dev, dtype)
    local x, y = {}, {}
    for i = 0, 11 do
        x[i + 1], y[i + 1] = i * 7 % 11 + 0.5 * i, i * 5 % 7 - 0.25 * i
    end
    return dev:array(x, dtype), dev:array(y, dtype)
end

helper.each_device(function(dev, title)
    local dtypes = dev:info().fp64 and { f32 = 2 ^ -18, f64 = 2 ^ -46 } or { f32 = 2 ^ -18 }

    describe("welch on " .. title, function()
        for dtype, bound in pairs(dtypes) do
            local x, y = signals(dev, dtype)
            local function check(power, frequencies, expected, at)
                helper.check_array(power, dtype, { #expected }, expected, bound * 10)
                helper.check_array(frequencies, dtype, { #at }, at, bound)
            end

            it("has SciPy's densities, of " .. dtype, function()
                local power, f = x:welch { rate = 2, n = 4 }
                check(power, f, { 1.88333333333333, 10.1166666666667, 6.05 }, { 0.0, 0.5, 1.0 })
                power, f = x:welch { rate = 2, n = 5, hop = 4, window = "hamming", detrend = "linear",
                    scaling = "spectrum" }
                check(power, f, { 0.658528806584362, 3.52942595829819, 7.88775168968606 }, { 0.0, 0.4, 0.8 })
                local both = lun.stack { x, y }
                helper.check_array(both:welch { n = 4, rate = 2 }:row(1), dtype, { 3 }, (x:welch { n = 4, rate = 2 })
                    :totable(), bound * 10)
                helper.check_array(both:t():welch { n = 4, rate = 2, axis = 1 }:t(), dtype, { 2, 3 },
                    helper.flat(both:welch { n = 4, rate = 2 }), bound * 10)
                power, f = x:periodogram { detrend = "none" }
                assert.equal(7, #f)
                helper.check_array(power, dtype, { 7 }, { 645.333333333333, 26.3213672050459, 24.5, 24.1666666666667,
                    41.1666666666667, 24.0119661282874, 12.0 }, 650 * bound)
                local z = (x + lun.i * y):slice { 1, 6 }
                power, f = z:welch { rate = 3, n = 3, window = "boxcar" }
                check(power, f, { 0.0, 9.22257762267467, 3.9302001551031 }, { 0.0, 1.0, -1.0 })
                power, f = x:csd(y, { n = 4 })
                check(power:real():copy(), f, { -1.11666666666667, -8.46666666666667, -2.56666666666667 },
                    { 0.0, 0.25, 0.5 })
                helper.check_array(power:imag():copy(), dtype, { 3 }, { 0.0, 3.5, 0.0 }, 10 * bound)
                power, f = x:coherence(y, { n = 4, detrend = "none", window = dev:window("hann", 4, dtype) })
                check(power, f, { 0.562326177423537, 0.0878397494863671, 0.111111111111111 }, { 0.0, 0.25, 0.5 })
            end)

            it("detrend takes lines off pieces, or means, of " .. dtype, function()
                local left = { -2.2, 3.3, -2.2, 3.3, -2.2, -3.53571428571429, 3.92857142857143, 0.392857142857141,
                    -3.14285714285714, 4.32142857142857, 0.785714285714283, -2.75 }
                helper.check_array(x:detrend("linear", { breaks = { 6 } }), dtype, { 12 }, left, bound)
                helper.check_array(x:reshape(12, 1):detrend(1, { breaks = 6, axis = 1 }), dtype, { 12, 1 }, left, bound)
                helper.check_array(x:detrend(0), dtype, { 12 }, (x - x:mean()):totable(), bound)
                helper.check_array((dev:arange(0, 9999):cast(dtype) * 3):detrend(), dtype, { 10000 },
                    dev:zeros(10000):totable(), 2e4 * bound)
            end)
        end

        it("refuses what it cannot take", function()
            local x, y = signals(dev, "f32")
            helper.refused("welch: the signal has 12 numbers, but a frame has 13", x, { n = 13 })
            helper.refused("periodogram: the signal has 12 numbers, but a frame has 3", x, { window = dev:ones(3) })
            helper.refused("welch: the rate is 0; a number above 0 is needed", x, { rate = 0 })
            helper.refused("welch: unknown scaling 'power'; ", x, { scaling = "power" })
            helper.refused("welch: unknown trend 'cubic'; ", x, { detrend = "cubic" })
            helper.refused("welch: axis 1 has no elements; at least one is needed", dev:zeros(0))
            helper.refused("welch: the array has 7 axes; 1 to 6 are needed", dev:zeros { 1, 1, 1, 1, 1, 1, 3 })
            helper.refused("csd: the array is 12 and b 11: the numbers of axes and the lengths of the signals "
                .. "must be equal", x,
                y:slice { 2, 12 })
            helper.refused("detrend: unknown type 'cubic'; ", x, "cubic")
            helper.refused('detrend: argument 1: "constant", "linear", 0 or 1 is needed, got a number', x, 2)
            for _, breaks in ipairs { { 1 }, { 4, 3 }, { 14 }, { 3, 3 } } do
                helper.refused("detrend: break " .. #breaks .. " is out of order; breaks ascend, from the second "
                    .. "number of a line to the last one", x, 1, { breaks = breaks })
            end
        end)
    end)
end)
