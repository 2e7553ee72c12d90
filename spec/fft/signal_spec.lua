-- Signals: windows, lengths, and what is made of transforms, against sums by the formula in plain Lua.

local helper = require "spec.helper"
local lun = require "lunarray"
local numbers = require "spec.numbers"

local EPS = { f32 = 2 ^ -24, f64 = 2 ^ -53, c64 = 2 ^ -24, c128 = 2 ^ -53 }

local function floats(dev) return dev:info().fp64 and { "f32", "f64" } or { "f32" } end

-- ---- lengths ----------------------------------------------------------------------------------------------------

describe("fft_length", function()
    it("is the next length of primes up to 7", function()
        local function smooth(n)
            for _, prime in ipairs { 2, 3, 5, 7 } do
                while n % prime == 0 do
                    n = n // prime
                end
            end
            return n == 1
        end
        local length = 1
        for n = 1, 3000 do
            while length < n or not smooth(length) do
                length = length + 1
            end
            assert.equal(length, lun.fft_length(n))
        end
        assert.equal(2 ^ 53 | 0, lun.fft_length(2 ^ 53))
    end)

    it("refuses what is no length", function()
        for _, n in ipairs { 0, -1, (2 ^ 53 | 0) + 1 } do
            helper.refused("fft_length: argument 1: a whole number from 1 to 2^53 is needed, got " .. n, lun, n)
        end
    end)
end)

-- ---- windows ----------------------------------------------------------------------------------------------------

local COSINES = {
    boxcar = { 1 }, hann = { 0.5, 0.5 }, hamming = { 0.54, 0.46 }, blackman = { 0.42, 0.5, 0.08 },
    blackmanharris = { 0.35875, 0.48829, 0.14128, 0.01168 }, nuttall = { 0.3635819, 0.4891775, 0.1365995, 0.0106411 },
    flattop = { 0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368 },
}

-- The integral of the Bessel function by the trapezoid rule, which converges at once for what is periodic.
local function bessel(x)
    local sum = 0
    for i = 0, 199 do
        sum = sum + math.exp(x * math.cos(2 * math.pi * i / 200))
    end
    return sum / 200
end

local FORMULAS = {
    bartlett = function(i, n) return 1 - math.abs(2 * i / (n - 1) - 1) end,
    cosine = function(i, n) return math.sin(math.pi * (i + 0.5) / n) end,
    kaiser = function(i, n) return bessel(5.5 * math.sqrt(1 - (2 * i / (n - 1) - 1) ^ 2)) / bessel(5.5) end,
    gaussian = function(i, n) return math.exp(-0.5 * ((i - (n - 1) / 2) / 1.75) ^ 2) end,
}
for name, terms in pairs(COSINES) do
    FORMULAS[name] = function(i, n)
        local sum = 0
        for k, term in ipairs(terms) do
            sum = sum + (-1) ^ (k - 1) * term * math.cos(2 * math.pi * (k - 1) * i / (n - 1))
        end
        return sum
    end
end
local PARAMETERS = { kaiser = { beta = 5.5 }, gaussian = { std = 1.75 } }

helper.each_device(function(dev, title)
    describe("window on " .. title, function()
        it("has the numbers of the formulas, periodic or symmetrical", function()
            for name, formula in pairs(FORMULAS) do
                for _, dtype in ipairs(floats(dev)) do
                    for _, n in ipairs { 1, 2, 3, 8, 9, 100 } do
                        for _, periodic in ipairs { true, false } do
                            local options, expected = { dtype = dtype, periodic = periodic }, {}
                            for option, value in pairs(PARAMETERS[name] or {}) do
                                options[option] = value
                            end
                            for i = 1, n do
                                expected[i] = n == 1 and 1.0 or formula(i - 1, periodic and n + 1 or n)
                            end
                            helper.check_array(dev:window(name, n, options), dtype, { n }, expected,
                                EPS[dtype] + 16 * EPS.f64)
                        end
                    end
                end
            end
        end)

        it("falls to 0 without losing digits, and is its own mirror image", function()
            for name in pairs(FORMULAS) do
                for _, dtype in ipairs { floats(dev)[#floats(dev)], "f16" } do
                    local options = { dtype = dtype, periodic = false }
                    for option, value in pairs(PARAMETERS[name] or {}) do
                        options[option] = value
                    end
                    local window = dev:window(name, 1000, options)
                    assert.same(window:totable(), window:flip():totable())
                end
            end
            local function first(name, dtype) return dev:window(name, 7, { periodic = false, dtype = dtype }):get(1) end
            for _, dtype in ipairs(floats(dev)) do
                assert.same({ 0.0, 0.0 }, { first("hann", dtype), first("blackman", dtype) })
                assert.equal(numbers.round(0.08, dtype), first("hamming", dtype))
                assert.equal(numbers.round(0.00006, dtype), first("blackmanharris", dtype))
                assert.same({ 0.25, 0.5, 0.75, 1.0 }, dev:window("hann", 12, dtype):slice { 3, 7 }:take({ 1, 2, 3, 5 })
                    :totable())
                local far = dev:window("hann", 1 << 16, dtype):slice { 1, 9 }:totable()
                for i = 2, 9 do
                    local x = math.sin(math.pi * (i - 1) / (1 << 16)) ^ 2
                    assert.is_true(math.abs(far[i] / x - 1) <= EPS[dtype] + 8 * EPS.f64)
                end
            end
        end)

        it("is periodic by default, f32, and of any float dtype", function()
            helper.check_array(dev:window("hann", 4), "f32", { 4 }, { 0.0, 0.5, 1.0, 0.5 })
            helper.check_array(dev:window("bartlett", 5, { periodic = false, dtype = "f16" }), "f16", { 5 },
                { 0.0, 0.5, 1.0, 0.5, 0.0 })
            local wide = dev:window("boxcar", 2, { dtype = "bf16", async = true }):get()
            helper.check_array(wide, "bf16", { 2 }, { 1.0, 1.0 })
            helper.check_array(dev:window("boxcar", 2, { dtype = "c64" }):real(), "f32", { 2 }, { 1.0, 1.0 })
            local function kaiser(beta) return dev:window("kaiser", 6, { beta = beta }):totable() end
            assert.same(kaiser(3), kaiser(-3))
            assert.not_same(kaiser(3), kaiser(4))
            assert.same(dev:window("hann", 4):totable(), dev:window("hann", 4, { queue = dev:queue() }):totable())
        end)

        it("refuses what is no window", function()
            local function refused(message, ...)
                local arguments = table.pack(...)
                helper.refused("window: " .. message, dev, table.unpack(arguments, 1, arguments.n))
            end
            refused("unknown window 'hanning'; known are boxcar, hann, hamming, blackman, blackmanharris, nuttall, "
                .. "flattop, bartlett, cosine, kaiser, gaussian", "hanning", 8)
            refused("the window 'kaiser' needs the option 'beta'", "kaiser", 8)
            refused("the window 'gaussian' needs the option 'std'", "gaussian", 8)
            refused("the window 'hann' has no option 'std'", "hann", 8, { std = 1 })
            refused("std is 0; a number above 0 is needed", "gaussian", 8, { std = 0 })
            refused("beta is 1000; a number from -700 to 700 is needed", "kaiser", 8, { beta = 1000 })
            refused("beta is inf; a number from -700 to 700 is needed", "kaiser", 8, { beta = math.huge })
            refused("argument 2: a whole number from 1 is needed, got 0", "hann", 0)
            refused("argument 1: the name of a window is needed, got a number", 3, 8)
            refused("a window's numbers are not integers: i8 cannot hold them", "hann", 3, { dtype = "i8" })
        end)
    end)
end)

-- ---- accuracy ---------------------------------------------------------------------------------------------------

helper.each_device(function(dev, title)
    describe("signals on " .. title, function()
        local calls = {
            dct = function(x, o) return x:dct(o) end,
            idct = function(_, o, z) return z:idct(o) end,
            dst = function(x, o)
                o.type = 4
                return x:dst(o)
            end,
            idst = function(x, o)
                o.type = 1
                return x:idst(o)
            end,
            hilbert = function(x, o) return x:hilbert(o):imag() end,
            stft = function(_, o, z)
                o.n = 64
                return z:stft(o)
            end,
            spectrogram = function(x, o)
                o.n = 64
                return x:spectrogram(o)
            end,
            istft = function(_, o, z) return z:istft(o) end,
            convolve = function(x, o)
                o.method = "fft"
                return x:convolve(x, o)
            end,
            correlate = function(_, o, z) return z:correlate(z:row(1):slice { 1, 9 }, o) end,
        }

        -- Others would compile for seconds what these have, too, beside a window's product.
        local some = { dct = true, hilbert = true, istft = true, convolve = true }

        it("are rounded once where they are to be accurate", function()
            local x = dev:random({ 9, 50 }, { seed = 1, low = -1 })
            local z = lun.complex(x, dev:random({ 9, 50 }, { seed = 2, low = -1 }))
            for name, call in pairs(calls) do
                if not dev:info().fp64 then
                    helper.raises(name .. ": accurate: such transforms compute in f64, which is not possible",
                        function() call(x, { accurate = true }, z) end)
                elseif some[name] or os.getenv "LUNARRAY_LONG" then
                    local exact = call(x:cast "f64", {}, z:cast "c128")
                    local made = call(x, { accurate = true }, z)
                    assert.equal(exact:dtype(), made:dtype():gsub("^c64", "c128"):gsub("^f32", "f64"))
                    local off = (made:cast(exact:dtype()) - exact):abs():norm() / exact:abs():norm()
                    assert.is_true(off < 0.55 * EPS.f32 and off > 0, name .. " is off by " .. off) -- about 0.42
                    exact = call(x:cast "f64", { accurate = true }, z:cast "c128") - exact
                    assert.equal(0.0, exact:abs():max(), name)
                end
            end
            local whole = dev:array({ 1, 2 }, "i32")
            if dev:info().fp64 then
                assert.same({ 1, 4, 4 }, whole:convolve(whole, { accurate = true }):totable())
            end
        end)
    end)
end)
