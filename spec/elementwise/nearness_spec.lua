-- Words of elements that are an expression each: isclose, allclose, equal, nan_to_num, frexp, modf, round(decimals).

local lun = require "lunarray"
local helper = require "spec.helper"
local numbers = require "spec.numbers"

local huge, nan = math.huge, 0 / 0

-- What isclose says of two numbers.
local function close(a, b, rtol, atol, equal_nan)
    if a ~= a or b ~= b then
        return equal_nan and a ~= a and b ~= b or false
    elseif math.abs(a) == huge or math.abs(b) == huge then
        return a == b
    end
    return math.abs(a - b) <= atol + rtol * math.abs(b)
end

helper.describe_each_device("words of elements", function(dev)
    local x = { 1, 1, 1, nan, nan, huge, huge, -huge, 0, 100, -3 }
    local y = { 1, 1.25, 1.75, nan, 1, huge, -huge, 2, 0.25, 126, -3.5 }

    it("isclose compares with both tolerances, as methods and fused", function()
        for _, dtype in ipairs(helper.dtypes(dev, "float")) do
            local a, b = dev:array(x, dtype), dev:array(y, dtype)
            for _, o in ipairs { { rtol = 0.25, atol = 0 }, { rtol = 0, atol = 0.5 }, { rtol = 0.25,
                atol = 0.25 } } do
                for _, equal_nan in ipairs { false, true } do
                    local expected = {}
                    for i = 1, #x do
                        expected[i] = close(x[i], y[i], o.rtol, o.atol, equal_nan) and 1 or 0
                    end
                    o.equal_nan = equal_nan
                    helper.check_array(a:isclose(b, o), "bool", { #x }, expected, 0, dtype)
                    local fused = lun.fuse(function(p, q) return p:isclose(q, o) end)
                    helper.check_array(fused(a, b), "bool", { #x }, expected, 0, dtype)
                    helper.check_array(lun.fuse(function(p) return p:isclose(b, o) end)(a), "bool", { #x }, expected)
                end
            end
        end
        local a = dev:array(x)
        helper.check_array(a:isclose(1):slice { 1, 3 }, "bool", { 3 }, { 1, 1, 1 })
        helper.check_array(dev:array({ 1, 1 + 2 ^ -10 }):isclose(1), "bool", { 2 }, { 1, 0 })
        helper.check_array(lun.fuse(function(p) return p:isclose(1) end)(a):slice { 1, 5 }, "bool", { 5 },
            { 1, 1, 1, 0, 0 })
    end)

    it("isclose of integers does not wrap, and broadcasts", function()
        local bytes = dev:array({ 255, 0, 7 }, "u8")
        helper.check_array(bytes:isclose(dev:array({ 0, 255, 8 }, "u8"), { atol = 1 }), "bool", { 3 }, { 0, 0, 1 })
        helper.check_array(bytes:isclose(dev:array({ { 255 }, { 7 } }, "i64")), "bool", { 2, 3 }, { 1, 0, 0, 0, 0, 1 })
        local fused = lun.fuse(function(p, q) return p:isclose(q, { atol = 1 }) end)
        helper.check_array(fused(bytes, dev:array({ 0, 255, 8 }, "u8")), "bool", { 3 }, { 0, 0, 1 })
    end)

    it("isclose takes complex numbers", function()
        local z = dev:array({ lun.complex(1, 1), lun.complex(1, 2) }, "c64")
        helper.check_array(z:isclose(lun.complex(1, 1)), "bool", { 2 }, { 1, 0 })
    end)

    it("allclose and equal are one boolean", function()
        local a, b = dev:ones { 3, 40 }, dev:ones { 40 }
        assert.is_true(a:allclose(b))
        assert.is_true(a:allclose(1))
        assert.is_true(a:t():allclose(1 + 1e-6))
        assert.is_false(a:allclose(b * 1.1))
        assert.is_true(a:allclose(b * 1.1, { rtol = 0.5 }))
        assert.is_true(dev:zeros({ 0 }):allclose(7))
        assert.is_false(dev:array({ nan }):allclose(dev:array { nan }))
        assert.is_true(dev:array({ nan }):allclose(dev:array { nan }, { equal_nan = true }))
        assert.is_true(a:equal(dev:ones({ 3, 40 }, "i8")))
        assert.is_false(a:equal(b))
        dev:full({}, true, "bool"):release() -- the answer's memory, perhaps: it is not false by itself
        assert.is_false(a:equal(a:t()))
        assert.is_false(a:equal(a * 1.0000001))
        assert.is_false(dev:array({ nan }):equal(dev:array { nan }))
        assert.is_true(dev:zeros({ 0, 3 }):equal(dev:ones { 0, 3 }))
        assert.is_true(dev:array({ 5 }):slice(1):equal(dev:array({ 5 }):slice(1)))
    end)

    it("nan_to_num puts numbers in the place of what is none", function()
        for _, dtype in ipairs(helper.dtypes(dev, "float")) do
            local a, most = dev:array({ nan, huge, -huge, 2 }, dtype), numbers.dtype[dtype].largest
            helper.check_array(a:nan_to_num(), dtype, { 4 }, { 0.0, most, -most, 2.0 })
            local o = { nan = 5, posinf = 6, neginf = 7 }
            helper.check_array(a:nan_to_num(o), dtype, { 4 }, { 5.0, 6.0, 7.0, 2.0 })
            helper.check_array(lun.fuse(function(p) return p:nan_to_num(o) end)(a), dtype, { 4 },
                { 5.0, 6.0, 7.0, 2.0 })
            assert.equal(a, a:nan_to_num { out = a })
            assert.is_true(a:isfinite():all())
        end
        helper.check_array(dev:array({ 3, 255 }, "u8"):nan_to_num(), "u8", { 2 }, { 3, 255 })
        local z = dev:array({ lun.complex(nan, huge), lun.complex(1, 2) }, "c64"):nan_to_num { posinf = 9 }
        helper.check_array(z:as_real(), "f32", { 2, 2 }, { 0.0, 9.0, 1.0, 2.0 })
    end)

    it("frexp and modf take numbers apart", function()
        for _, dtype in ipairs(helper.dtypes(dev, "float")) do
            local list = { 0.0, -0.0, 1.0, -0.75, 6.0, huge, -huge, nan, 2.5, -2.5, numbers.dtype[dtype].tiny * 8 }
            local a = dev:array(list, dtype)
            for _, both in ipairs { { a:frexp() }, { lun.fuse(function(p) return p:frexp() end)(a) } } do
                local m, e = table.unpack(both)
                assert.equal("i32", e:dtype())
                assert.equal(dtype, m:dtype())
                helper.check_array(m:slice { 1, 10 }, dtype, { 10 },
                    { 0.0, -0.0, 0.5, -0.75, 0.75, huge, -huge, nan, 0.625, -0.625 })
                helper.check_array(e:slice { 1, 10 }, "i32", { 10 }, { 0, 0, 1, 0, 3, 0, 0, 0, 2, 2 })
                helper.check_array(m:ldexp(e), dtype, { 11 }, list)
            end
            for _, both in ipairs { { a:modf() }, { lun.fuse(function(p) return p:modf() end)(a) } } do
                helper.check_array(both[1]:slice { 1, 10 }, dtype, { 10 },
                    { 0.0, -0.0, 0.0, -0.75, 0.0, 0.0, -0.0, nan, 0.5, -0.5 })
                helper.check_array(both[2]:slice { 1, 10 }, dtype, { 10 },
                    { 0.0, -0.0, 1.0, -0.0, 6.0, huge, -huge, nan, 2.0, -2.0 })
            end
        end
        local m, e = dev:array({ 8, 0, -3 }, "i16"):frexp()
        helper.check_array(m, "f32", { 3 }, { 0.5, 0.0, -0.75 })
        helper.check_array(e, "i32", { 3 }, { 4, 0, 2 })
        local outs = { dev:zeros { 2 }, dev:zeros { 2 } }
        dev:array({ 1.5, -2.25 }):modf { out = outs }
        helper.check_array(outs[1], "f32", { 2 }, { 0.5, -0.25 })
    end)

    it("round keeps so many decimals", function()
        local a = dev:array { 3.14159, -2.5, 1234.5, nan, huge }
        helper.check_array(a:round(2), "f32", { 5 }, { 3.14, -2.5, 1234.5, nan, huge }, 1e-6)
        helper.check_array(a:round(-2), "f32", { 5 }, { 0.0, -0.0, 1200.0, nan, huge })
        helper.check_array(a:round(0), "f32", { 5 }, { 3.0, -2.0, 1234.0, nan, huge })
        helper.check_array(a:round(), "f32", { 5 }, { 3.0, -2.0, 1234.0, nan, huge })
        helper.check_array(lun.fuse(function(p) return p:round(2):round(-2) + p:round() end)(a):slice { 1, 3 },
            "f32",
            { 3 }, { 3.0, -2.0, 2434.0 })
        for _, dtype in ipairs { "i32", "u16", "i64" } do
            local n = dev:array({ 1234, 1250, 1350 }, dtype)
            helper.check_array(n:round(-2), dtype, { 3 }, { 1200, 1200, 1400 })
            helper.check_array(n:round(3), dtype, { 3 }, { 1234, 1250, 1350 })
        end
        local truths = dev:array({ 1, 0 }, "bool") -- count as i64, with decimals and without
        for _, rounded in ipairs { truths:round(), truths:round(0), truths:round(2) } do
            helper.check_array(rounded, "i64", { 2 }, { 1, 0 })
        end
        helper.check_array(truths:round(-1), "i64", { 2 }, { 0, 0 })
        assert.equal(a, a:round(1, { out = a }))
    end)

    it("refuse what they cannot take", function()
        local a = dev:ones { 2 }
        helper.raises("round: argument 1: a whole number is needed, got 1.5", function() a:round(1.5) end)
        helper.refused("isclose: option 'rtol': a number from 0 is needed", a, 1, { rtol = -1 })
        helper.refused("allclose: option 'atol': a number from 0 is needed", a, 1, { atol = nan })
        helper.raises("isclose: out, async, queue and variant have no meaning within a fused function", function()
            lun.fuse(function(p) return p:isclose(1, { out = a }) end)(a)
        end)
    end)
end)
