-- Transforms of frames, the way back, and analytic signals, against sums by the formula in plain Lua.

local helper = require "spec.helper"
local lun = require "lunarray"
local numbers = require "spec.numbers"
local reference = require "spec.reference"

local EPS = { f32 = 2 ^ -24, f64 = 2 ^ -53 }

local some = numbers.fractions

local function append(list, other, count)
    for i = 1, count do
        list[#list + 1] = other[i]
    end
end

-- The frames' transforms one behind the other, of `kept` numbers each.
local function framed(re, im, window, hop, center, kept)
    local n, padded, to_re, to_im, count = #window, {}, {}, {}, 0
    for part, list in ipairs { re, im } do
        padded[part] = {}
        local zeros = {}
        for i = 1, center and n // 2 or 0 do
            zeros[i] = 0.0
        end
        append(padded[part], zeros, #zeros)
        append(padded[part], list, #list)
        append(padded[part], zeros, #zeros)
    end
    for from = 0, #padded[1] - n, hop do
        local x, y = {}, {}
        for i = 1, n do
            x[i], y[i] = padded[1][from + i] * window[i], padded[2][from + i] * window[i]
        end
        local a, b = reference.dft(x, y, n)
        append(to_re, a, kept)
        append(to_im, b, kept)
        count = count + 1
    end
    return to_re, to_im, count
end

helper.each_device(function(dev, title)
    local dtypes = dev:info().fp64 and { "f32", "f64" } or { "f32" }

    describe("stft on " .. title, function()
        local function zeros(count) return dev:zeros({ count }, "f64"):totable() end

        it("transforms windowed frames, centered or not", function()
            local cases = { { 40, 8, 2 }, { 40, 8, 8 }, { 41, 9, 4, "boxcar" }, { 30, 7, 3, "hamming" }, { 16, 16, 5 } }
            for _, case in ipairs(cases) do
                local count, n, hop, name = case[1], case[2], case[3], case[4]
                for _, dtype in ipairs(dtypes) do
                    for _, center in ipairs { true, false } do
                        local list, options = some(count, n), { n = n, hop = hop, window = name, center = center }
                        local window = dev:window(name or "hann", n, { dtype = dtype }):totable()
                        local a, most = helper.array(dev, list, { count }, dtype), 8 * EPS[dtype] * n
                        local re, im, frames = framed(list, zeros(count), window, hop, center, n // 2 + 1)
                        local made, shape = a:stft(options), { frames, n // 2 + 1 }
                        helper.check_array(made:real(), dtype, shape, re, most)
                        helper.check_array(made:imag(), dtype, shape, im, most)
                        local squares = {}
                        for i = 1, #re do
                            squares[i] = re[i] * re[i] + im[i] * im[i]
                        end
                        helper.check_array(a:spectrogram(options), dtype, shape, squares, 2 * n * most)
                    end
                end
            end
        end)

        it("takes complex signals, views and batches, and windows in arrays", function()
            local re, im, window = some(30, 1), some(30, 2), { 0.5, 1.0, -2.0, 0.25, 0.0 }
            local z = helper.array(dev, re, { 30 }, "f32") + helper.array(dev, im, { 30 }, "f32") * lun.i
            local expected_re, expected_im, count = framed(re, im, window, 1, true, 5)
            local batch = lun.stack({ z:flip(), z }, 2):t():flip()
            for _, dtype in ipairs(dtypes) do
                local made = batch:stft { window = dev:array(window, dtype) }
                assert.same({ 2, count, 5 }, { made:shape() })
                helper.check_array(made:slice(2, nil, nil):real(), "f32", { count, 5 }, expected_re, 2 ^ -19)
                helper.check_array(made:slice(2, nil, nil):imag(), "f32", { count, 5 }, expected_im, 2 ^ -19)
            end
            local ends_re, ends_im, frames = framed(re, im, window, 2, false, 5)
            local made = batch:stft { window = dev:array(window), hop = 2, center = false }
            helper.check_array(made:slice(2, nil, nil):real(), "f32", { frames, 5 }, ends_re, 2 ^ -19)
            helper.check_array(made:slice(2, nil, nil):imag(), "f32", { frames, 5 }, ends_im, 2 ^ -19)
        end)

        it("pads the ends as pad has it", function()
            local a = dev:arange(1, 9):cast "f32"
            for _, mode in ipairs { "constant", "edge", "wrap", "reflect" } do
                local padded = a:pad({ { 2, 2 } }, { mode = mode }):stft { n = 5, hop = 2, center = false }
                assert.same(padded:real():totable(), a:stft { n = 5, hop = 2, pad = mode }:real():totable())
            end
            assert.same(a:stft({ n = 5 }):imag():totable(), a:stft({ n = 5, pad = "constant" }):imag():totable())
        end)

        it("is undone by istft", function()
            for _, case in ipairs { { 100, 16, 4 }, { 101, 16, 8 }, { 57, 9, 3 }, { 64, 8, 3, "hamming" } } do
                local count, n, hop, name = case[1], case[2], case[3], case[4]
                for _, dtype in ipairs(dtypes) do
                    local a = helper.array(dev, some(3 * count, 5), { 3, count }, dtype)
                    local o = { n = n, hop = hop, window = name, size = count }
                    local there = { n = n, hop = hop, window = name }
                    local back = a:stft(there):istft(o)
                    helper.check_array(back, dtype, { 3, count }, a:reshape(3 * count):totable(), 32 * EPS[dtype])
                    o.real = false
                    local z = a * lun.complex(1, -2)
                    back = z:stft(there):istft(o)
                    assert.is_true((back - z):abs():max() < 64 * EPS[dtype])
                end
            end
            local a = helper.array(dev, some(60, 6), { 60 }, "f32")
            local ends = { n = 8, hop = 2, window = "hamming", center = false }
            helper.check_array(a:stft(ends):istft(ends), "f32", { 60 }, a:totable(), 2 ^ -20)
            helper.check_array(a:stft({ n = 8 }):istft(), "f32", { 60 }, a:totable(), 2 ^ -20)
        end)

        it("refuses what has no frames, and windows that do not overlap-add", function()
            local a, z = dev:ones { 20 }, dev:ones { 20 }:stft { n = 8 }
            helper.refused("stft: n, the length of frames, is needed", a)
            helper.refused("stft: option 'n': a whole number from 1 is needed, got 0", a, { n = 0 })
            helper.refused("stft: option 'hop': a whole number from 1 is needed, got 0", a, { n = 4, hop = 0 })
            helper.refused("stft: the signal has 20 numbers, fewer than a frame of 21", a, { n = 21, center = false })
            helper.refused("stft: axis 1 has no elements", dev:zeros { 0 }, { n = 4 })
            helper.refused("stft: unknown window 'hanning'", a, { n = 4, window = "hanning" })
            helper.refused("stft: the window 'kaiser' has a parameter, beta: make the window with it first, and "
                .. "pass the array", a, { n = 4, window = "kaiser" })
            helper.refused("stft: option 'window': the name of a window or an array is needed, got a number",
                a, { n = 4, window = 4 })
            helper.refused("stft: the window is 2x2; a vector is needed", a, { window = dev:ones { 2, 2 } })
            helper.refused("stft: a window takes real numbers, not c64", a, { window = dev:ones({ 2 }, "c64") })
            helper.refused("stft: n is 4, expected 3 (the window's numbers)", a, { n = 4, window = dev:ones { 3 } })
            helper.refused("stft: pad needs center", a, { n = 4, pad = "edge", center = false })
            helper.refused("stft: unknown mode 'zero'", a, { n = 4, pad = "zero" })
            helper.refused("spectrogram: the array has no axes", dev:full({}, 1), { n = 4 })
            helper.refused("istft: the array is f32, real", dev:ones { 3, 3 })
            helper.refused("istft: the array has 1 axis; frames", z:row(1))
            helper.refused("istft: frames of 12 numbers have transforms of 7, but these have 5", z, { n = 12 })
            helper.refused("istft: there are 0 frames of 5 numbers", dev:zeros({ 0, 5 }, "c64"))
            helper.refused("istft: the size is 26, but the frames end after 24 numbers", z, { size = 26 })
            helper.refused("istft: option 'size': a whole number from 1 is needed, got -1", z, { size = -1 })
            helper.refused("istft: a single centered frame of 8 numbers gives no signal by default; give the size",
                z:slice({ 1, 1 }))
            local gap = z:istft { hop = 8, center = false }
            helper.refused("sum: istft: the windows do not overlap-add: all are 0 at number 1 of the signal; a "
                .. "smaller hop is needed", gap)
            helper.check_array(z:istft { window = "boxcar", hop = 8 }:isfinite():all() and z:istft { hop = 2 }, "f32",
                { 20 }, a:totable(), 2 ^ -20)
        end)
    end)

    describe("hilbert on " .. title, function()
        it("gives the analytic signal", function()
            for _, dtype in ipairs(dtypes) do
                for _, n in ipairs { 1, 2, 3, 8, 9, 50, 17 } do
                    local list = some(n, n)
                    local re, im = reference.dft(list, dev:zeros({ n }, "f64"):totable(), n)
                    for k = 2, n do
                        local twice = 2 * (k - 1)
                        local factor = twice < n and 2 or twice == n and 1 or 0
                        re[k], im[k] = factor * re[k], factor * im[k]
                    end
                    for k = 1, n do
                        im[k] = -im[k]
                    end
                    -- the inverse is the conjugate's transform, conjugated
                    local back_re, back_im = reference.dft(re, im, n)
                    for k = 1, n do
                        back_re[k], back_im[k] = back_re[k] / n, -back_im[k] / n
                    end
                    local made = helper.array(dev, list, { n }, dtype):hilbert()
                    helper.check_array(made:real(), dtype, { n }, back_re, 8 * EPS[dtype])
                    helper.check_array(made:imag(), dtype, { n }, back_im, 8 * EPS[dtype])
                end
            end
        end)

        it("takes any axis, view and length, out and queues", function()
            local a = helper.array(dev, some(60, 3), { 5, 12 }, "f32")
            local rows = a:hilbert()
            assert.is_true((a:t():hilbert({ axis = 1 }):t() - rows):abs():max() < 2 ^ -21)
            local padded = dev:zeros { 5, 16 }
            padded:slice(nil, { 1, 12 }):write(a)
            assert.is_true((padded:hilbert() - a:hilbert { n = 16 }):abs():max() < 2 ^ -21)
            local out = dev:zeros({ 5, 12 }, "c64")
            a:hilbert({ out = out, async = true, queue = dev:queue() }):wait()
            assert.is_true((out - rows):abs():max() == 0)
            assert.same({ 0, 4 }, { dev:zeros { 0, 4 }:hilbert():shape() })
        end)

        it("refuses what has none", function()
            local a = dev:ones { 4 }
            helper.refused("hilbert: the array is c64, complex; real numbers are needed", a:cast "c64")
            helper.refused("hilbert: axis 2 is out of range", a, { axis = 2 })
            helper.refused("hilbert: axis 1 has no elements", dev:zeros { 0 })
            helper.refused("hilbert: n is 0; at least 1 is needed", a, { n = 0 })
            helper.refused("hilbert: the array has no axes", dev:full({}, 1))
            helper.refused("hilbert: out is f32", a, { out = dev:zeros { 4 } })
        end)
    end)
end)
