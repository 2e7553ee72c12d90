-- Elementwise functions that OpenCL has not, or not for every dtype: known values, ends, signs and what is refused.
-- accuracy_spec.lua has their errors over all exponents.

local lun = require "lunarray"
local helper = require "spec.helper"
local numbers = require "spec.numbers"

local huge, nan = math.huge, 0 / 0

-- What scipy.special 1.17 and, of those from erfcx on, mpmath 1.3 give; operands that f32 holds.
local KNOWN = {
    i0 = { 8, { 0.5, 3, 8, 20 },
        { 0x1.104072392c7ffp+0, 0x1.385ee7ddb65f0p+2, 0x1.ab9069e3504f9p+8, 0x1.4c52c5479f734p+25 } },
    erfinv = { 8, { -0.5 }, { -0x1.e861fbb24c00ap-2 } },
    digamma = { 24, { 0.25, 1, 3.5, 100, -3.25 }, { -0x1.0e8e9943cd7c3p+2, -0x1.2788cfc6fb619p-1,
        0x1.1a68793defc15p+0, 0x1.26690d4274476p+2, 0x1.1dd776c1aa220p+2 } },
    erfcx = { 16, { -2, 0.5, 3, 30 },
        { 0x1.b3c37c70be791p+6, 0x1.3b3bc3c98b0f3p-1, 0x1.6e9827d229d2dp-3, 0x1.33f3abfd60d6fp-6 } },
    erfcinv = { 8, { 0.0009765625, 0.25, 1.25, 0x1p-100 },
        { 0x1.2a6d8937b12d6p+1, 0x1.a07890f6b2ba1p-1, -0x1.cd70681d5ff70p-3, 0x1.0537b25df5fccp+3 } },
    expint = { 8, { 0.03125, 1, 2.5, 20 },
        { 0x1.75b3161d77178p+1, 0x1.c14c5d3bf8f94p-3, 0x1.9834bd5bdc853p-6, 0x1.b0922b8aaf44ep-34 } },
    i1 = { 8, { 0.5, -3, 8, 20 },
        { 0x1.081571ddea056p-2, -0x1.fa0809085cc04p+1, 0x1.8fdf85e46607cp+8, 0x1.43e7deb14bddep+25 } },
    j0 = { 16, { 0.5, 5, 9, 100 },
        { 0x1.e07f1d54c3f34p-1, -0x1.6bb7db255cb89p-3, -0x1.7201a81c29184p-4, 0x1.4772bb5c1ef71p-6 } },
    j1 = { 16, { 0.5, -5, 9, 100 },
        { 0x1.f02a71f4870d7p-3, 0x1.4f70e7cb3a99dp-2, 0x1.f66606a53f013p-3, -0x1.3bfcc3bf06394p-4 } },
    y0 = { 32, { 0.25, 5, 9, 100 },
        { -0x1.dcf723b7d21f4p-1, -0x1.3bec0b5abc9abp-2, 0x1.ffdecfc9a29cap-3, -0x1.3c64887b47b65p-4 } },
    y1 = { 32, { 0.25, 5, 9, 100 },
        { -0x1.5a201ec26d052p+1, 0x1.2ed2df29314fbp-3, 0x1.ab45c28f74d94p-4, -0x1.4dc7ab72edc1fp-6 } },
}

helper.each_device(function(dev, title)
    local floats = dev:info().fp64 and { "f32", "f64" } or { "f32" }

    describe("further functions " .. title, function()
        for name, row in pairs(KNOWN) do
            it(name .. " gives the values that SciPy and mpmath have", function()
                for _, dtype in ipairs(floats) do
                    local bounds = {}
                    for i, x in ipairs(row[3]) do
                        bounds[i] = row[1] * math.abs(x) * numbers.dtype[dtype].eps
                    end
                    local x = dev:array(row[2], dtype)
                    helper.check_array(x[name](x), dtype, { #row[2] }, row[3], bounds, name)
                end
            end)
        end

        it("are right at their ends", function()
            local ends = { 0.0, -0.0, 1.0, -1.0, huge, -huge, nan, 2.0, -2.0 }
            local function gives(name, expected, ...)
                for _, dtype in ipairs(floats) do
                    local x = dev:array(ends, dtype)
                    helper.check_array(x[name](x, ...), dtype, { #ends }, expected, 0, name .. " " .. dtype)
                end
            end
            gives("logb", { -huge, -huge, 0.0, 0.0, huge, huge, nan, 1.0, 1.0 })
            gives("heaviside", { 0.5, 0.5, 1.0, 0.0, 1.0, 0.0, nan, 1.0, 0.0 }, 0.5)
            gives("ldexp", { 0.0, -0.0, 8.0, -8.0, huge, -huge, nan, 16.0, -16.0 }, 3)
            for _, dtype in ipairs(floats) do
                local x = dev:array({ 1, -1, 0, -0.0, huge, nan, 2 }, dtype)
                helper.check_array(x:erfinv():slice { 1, 4 }, dtype, { 4 }, { huge, -huge, 0.0, -0.0 })
                assert.is_true(x:erfinv():slice({ 5, 7 }):isnan():all())
                x = dev:array({ 0, -0.0, huge, -huge, nan, -1, -7 }, dtype)
                helper.check_array(x:digamma(), dtype, { 7 }, { -huge, huge, huge, nan, nan, nan, nan })
                x = dev:array({ 0, huge, -huge, nan, 1000 }, dtype)
                helper.check_array(x:i0(), dtype, { 5 }, { 1.0, huge, huge, nan, huge })
                helper.check_array(x:erfcx(), dtype, { 5 }, { 1.0, 0.0, huge, nan, 0x1.27cc34c9b7f2dp-11 }, 1e-9)
                helper.check_array(x:expint(), dtype, { 5 }, { huge, 0.0, nan, nan, 0.0 })
                helper.check_array(x:slice { 1, 4 }:i1(), dtype, { 4 }, { 0.0, huge, -huge, nan })
                helper.check_array(x:slice { 1, 4 }:j0(), dtype, { 4 }, { 1.0, 0.0, 0.0, nan })
                helper.check_array(x:slice { 1, 4 }:j1(), dtype, { 4 }, { 0.0, 0.0, -0.0, nan })
                helper.check_array(x:slice { 1, 4 }:y0(), dtype, { 4 }, { -huge, 0.0, nan, nan })
                helper.check_array(x:slice { 1, 4 }:y1(), dtype, { 4 }, { -huge, 0.0, nan, nan })
                helper.check_array(dev:array({ 0, 2, 1, -1, 3, nan }, dtype):erfcinv(), dtype, { 6 },
                    { huge, -huge, 0.0, nan, nan, nan })
                helper.check_array(x:softplus():slice { 2, 5 }, dtype, { 4 }, { huge, 0.0, nan, 1000.0 })
                local y = dev:array({ 0, huge, -huge, 1, -huge }, dtype)
                helper.check_array(x:logaddexp(y):slice { 2, 5 }, dtype, { 4 }, { huge, -huge, nan, 1000.0 })
                helper.check_array(x:xlogy(y), dtype, { 5 }, { 0.0, huge, nan, nan, nan })
                local zeros = dev:zeros({ 4 }, dtype)
                helper.check_array(zeros:xlogy(dev:array({ 0, -1, huge, nan }, dtype)), dtype, { 4 },
                    { 0.0, 0.0, 0.0, nan })
            end
        end)

        it("i0 overflows where it does, and not where exp does", function()
            assert.is_true(dev:array({ 90, 91.5 }):i0():isfinite():all())
            assert.is_true(not dev:info().fp64 or dev:array({ 713 }, "f64"):i0():isfinite():all())
        end)

        it("ldexp rounds once, and reaches over all exponents", function()
            local x = dev:array { 0x1.000002p0, 1, 0x1p-149, 0x1.fffffep127, 3, 1 }
            helper.check_array(x:ldexp(dev:array { -126, 200, 276, -276, -1.9, -2 ^ 40 }), "f32", { 6 },
                { 0x1.000002p-126, huge, 0x1p127, 0x1p-148, 1.5, 0.0 })
        end)

        it("signbit tells the sign of zeros, and of integers", function()
            for _, dtype in ipairs(helper.dtypes(dev, "float")) do
                helper.check_array(dev:array({ -0.0, 0, -1, 1, -huge, huge }, dtype):signbit(), "bool", { 6 },
                    { 1, 0, 1, 0, 1, 0 })
            end
            helper.check_array(dev:array({ -1, 0, 1, -128 }, "i8"):signbit(), "bool", { 4 }, { 1, 0, 0, 1 })
            helper.check_array(dev:array({ 255, 0 }, "u8"):signbit(), "bool", { 2 }, { 0, 0 })
        end)

        it("nextafter goes one number on", function()
            for _, dtype in ipairs(floats) do
                local eps, tiny = numbers.dtype[dtype].eps, numbers.dtype[dtype].tiny
                local x = dev:array({ 1, 1, 0, -0.0, 2, huge, 1 }, dtype)
                local y = dev:array({ 2, 0, -1, 1, 2, 0, nan }, dtype)
                helper.check_array(x:nextafter(y), dtype, { 7 },
                    { 1 + eps, 1 - eps / 2, -tiny, tiny, 2.0, numbers.dtype[dtype].largest, nan })
            end
        end)

        it("nextafter is refused where f32 computes in place of the dtype", function()
            for _, dtype in ipairs { "f16", "bf16" } do
                helper.raises(("nextafter: %s is computed in f32, whose numbers are closer together; cast to "
                    .. "f32 first"):format(
                    dtype), function() dev:ones({ 2 }, dtype):nextafter(1) end)
            end
        end)

        it("powi keeps the dtype, wraps, and refuses a number below 0", function()
            local a = dev:array({ 3, -2, 10 }, "i64")
            helper.check_array(a:powi(19), "i64", { 3 }, { 3 ^ 19 // 1 | 0, -524288, math.tointeger(10 ^ 18) * 10 })
            helper.check_array(a:powi(0), "i64", { 3 }, { 1, 1, 1 })
            helper.check_array(a:powi(a), "i64", { 3 }, { 27, 0, math.tointeger(10 ^ 10) })
            local below = dev:array({ -3, -3, -2, -1, -1 }, "i32")
            helper.check_array(dev:array({ 1, -1, -1, 2, 0 }, "i32"):powi(below), "i32", { 5 }, { 1, -1, 1, 0, 0 })
            helper.check_array(dev:array({ 1.5, -2 }):powi(3), "f32", { 2 }, { 3.375, -8.0 })
            local wanted = "powi: the power is -1; integers have powers from 0, and a ^ -1 gives floats"
            helper.raises(wanted, function() a:powi(-1) end)
            helper.raises((wanted:gsub("powi", "powi_")), function() a:powi_(-1) end)
            helper.raises("powi: the power is -2; integers have powers from 0", function()
                lun.fuse(function(x) return x:powi(-2) end)(a)
            end)
            helper.raises("powi: powi takes real numbers, not c64", function() dev:ones({ 1 }, "c64"):powi(2) end)
        end)

        it("of integers alone refuse floats", function()
            for name, arguments in pairs { popcount = {}, clz = {}, gcd = { 1 }, lcm = { 1 } } do
                local x = dev:ones { 2 }
                helper.refused(name .. ": " .. name .. " takes integers, not f32", x, table.unpack(arguments))
            end
        end)
    end)
end)
