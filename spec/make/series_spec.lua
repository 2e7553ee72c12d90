-- Makers and views by rules: tri, logspace, geomspace, indices, vander, trace of batches, what broadcasts together.

local lun = require "lunarray"
local helper = require "spec.helper"
local exact = require "spec.reduce.exact_sums"

helper.describe_each_device("series", function(dev)
    it("in powers are spaced as their exponents", function()
        for _, base in ipairs { 10, 2, 3.5 } do
            for _, ends in ipairs { true, false } do
                for n = 0, 5 do
                    local expected = {}
                    for i = 1, n do
                        expected[i] = base ^ (-1 + (i - 1) * 3 / math.max(1, ends and n - 1 or n))
                    end
                    helper.check_array(dev:logspace(-1, 2, n, { base = base, endpoint = ends }), "f32", { n },
                        expected, 1e-6 * base ^ 2)
                end
            end
        end
        helper.check_array(dev:logspace(0, 3, 4, "f16"), "f16", { 4 }, { 1.0, 10.0, 100.0, 1000.0 })
        for n = 0, 5 do
            local expected = {}
            for i = 1, n do
                expected[i] = -3 * 16 ^ ((i - 1) / math.max(1, n - 1))
            end
            helper.check_array(dev:geomspace(-3, -48, n), "f32", { n }, expected, 48 * 2 ^ -23)
        end
        helper.check_array(dev:geomspace(1, 1000, 3, { endpoint = false }), "f32", { 3 }, { 1.0, 10.0, 100.0 }, 1e-4)
        assert.equal(0.1, dev:geomspace(7, 0.1, 4, { dtype = "f64" }):get(4))
    end)

    local number = exact.number

    -- (first + i * step) / over, of exact numbers, for i from 0 on, rounded once.
    local function evenly(first, step, over, n, dtype)
        local list = {}
        for i = 0, n - 1 do
            list[i + 1] = exact.quotient(exact.add(first, exact.multiply(number(i + 0.0), step)), over, dtype)
        end
        return list
    end

    local function each_float(body)
        for _, dtype in ipairs(dev:info().fp64 and { "f64", "f32", "f16", "bf16" } or { "f32" }) do
            body(dtype)
        end
    end

    it("are rounded once: linspace and arange", function()
        each_float(function(dtype)
            for _, ends in ipairs { { 0.0, 1.0 }, { -1.0, 1.0 }, { 0.1, 0.7 }, { 9.3, -1e-20 }, { -20.3, -7.9 } } do
                for _, n in ipairs { 2, 7, 50 } do
                    local from, to = number(ends[1]), number(ends[2])
                    local step, first = exact.add(to, exact.negate(from)), exact.multiply(from, number(n - 1.0))
                    local made = dev:linspace(ends[1], ends[2], n, dtype):totable()
                    assert.same(evenly(first, step, number(n - 1.0), n, dtype), made)
                    local back = dev:linspace(ends[2], ends[1], n, dtype):flip()
                    assert.same(made, back:totable())
                    assert.same(evenly(exact.multiply(from, number(n + 0.0)), step, number(n + 0.0), n, dtype),
                        dev:linspace(ends[1], ends[2], n, { dtype = dtype, endpoint = false }):totable())
                end
            end
            for _, step in ipairs { 0.1, -0.85, 1 / 3 } do
                assert.same(evenly(number(97.2), number(step), number(1.0), 60, dtype),
                    dev:arange(97.2, 97.2 + 59.5 * step, step, dtype):totable())
            end
        end)
        if dev:info().fp64 then -- whole numbers that f64 does not hold
            local from = (1 << 53) + 1
            local made = dev:arange(from, from + 6, "f64"):totable()
            for i = 0, 6 do
                assert.equal(from + i + 0.0, made[i + 1])
            end
        end
    end)

    it("are rounded once: frequencies, of both signs", function()
        each_float(function(dtype)
            for _, case in ipairs { { 29, 1.0 }, { 12, 0.1 }, { 77, -1 / 3 }, { 40, 1e-3 } } do
                local n, d = table.unpack(case)
                local over = exact.multiply(number(n + 0.0), number(d))
                local made, half = dev:fftfreq(n, d, dtype):totable(), n // 2
                for k, x in ipairs(evenly(number(0.0), number(1.0), over, half + 1, dtype)) do
                    local even = n % 2 == 0 and k == half + 1
                    assert.equal(even and -x or x, made[k])
                    assert.equal(k == 1 and 0.0 or -x, made[(n + 1 - k) % n + 1])
                    assert.equal(x, dev:rfftfreq(n, d, dtype):get(k))
                end
            end
        end)
        if dev:info().fp64 then
            local made = dev:fftfreq(2962, "f64"):totable()
            for k = 1, 1480 do
                assert.equal(k / 2962, made[k + 1])
                assert.equal(-k / 2962, made[2963 - k])
            end
        end
    end)

    it("in powers are within a few roundings, however large their exponents", function()
        if not dev:info().fp64 then
            return
        end
        local eps = 2.0 ^ -52
        for i, x in ipairs(dev:logspace(299, 301, 6, "f64"):totable()) do
            assert.is_true(math.abs(x / (1e299 * 10 ^ ((i - 1) * 0.4)) - 1) < 8 * eps)
        end
        for i, x in ipairs(dev:geomspace(1, 1e300, 4, "f64"):totable()) do
            assert.is_true(math.abs(x / ({ 1, 1e100, 1e200, 1e300 })[i] - 1) < 8 * eps)
        end
        assert.same({ 1.0, -2.0, 4.0, -8.0 }, dev:logspace(0, 3, 4, { base = -2, dtype = "f64" }):totable())
        assert.same({ 1e307, 1e308, math.huge }, dev:logspace(307, 309, 3, "f64"):totable())
    end)

    it("have triangles, and positions along each axis", function()
        helper.check_array(dev:tri(3), "f32", { 3, 3 }, { 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0 })
        helper.check_array(dev:tri(2, 4, 1, "i8"), "i8", { 2, 4 }, { 1, 1, 0, 0, 1, 1, 1, 0 })
        helper.check_array(lun.tri(2, 3, -1, "u8"), "u8", { 2, 3 }, { 0, 0, 0, 1, 0, 0 })
        helper.check_array(dev:tri(0, 3), "f32", { 0, 3 }, {})
        local rows, columns = dev:indices { 2, 3 }
        helper.check_array(rows, "i64", { 2, 3 }, { 1, 1, 1, 2, 2, 2 })
        helper.check_array(columns, "i64", { 2, 3 }, { 1, 2, 3, 1, 2, 3 })
        helper.check_array(lun.indices(3), "i64", { 3 }, { 1, 2, 3 })
        helper.check_array((dev:indices { 0, 2 }), "i64", { 0, 2 }, {})
    end)

    it("have powers of each element", function()
        local v = dev:array({ 2, -3, 0 }, "i16")
        helper.check_array(v:vander(), "i64", { 3, 3 }, { 4, 2, 1, 9, -3, 1, 0, 0, 1 })
        helper.check_array(v:vander(4, { increasing = true }), "i64", { 3, 4 },
            { 1, 2, 4, 8, 1, -3, 9, -27, 1, 0, 0, 0 })
        helper.check_array(v:vander(0), "i64", { 3, 0 }, {})
        for _, dtype in ipairs(helper.dtypes(dev, "float")) do
            helper.check_array(dev:array({ 0.5, -2 }, dtype):vander(3), dtype, { 2, 3 },
                { 0.25, 0.5, 1.0, 4.0, -2.0, 1.0 })
        end
    end)

    it("have sums of diagonals, of one matrix or each", function()
        local a = dev:arange(24, "i32"):reshape(2, 3, 4)
        assert.equal(18, a:row(1):trace())
        assert.equal(21, a:row(1):trace(1))
        assert.equal(5 + 10, a:row(1):trace(-1))
        assert.equal(0, a:row(1):trace(7))
        helper.check_array(a:trace(), "i64", { 2 }, { 18, 54 })
        helper.check_array(a:trace(1, { axes = { 1, -1 } }), "i64", { 3 }, { 2 + 15, 6 + 19, 10 + 23 })
        assert.equal(2.5, dev:array({ { 0.5, 1 }, { 2, 2 } }):t():trace())
    end)

    it("broadcast together, as views", function()
        local a, b = dev:array { { 1 }, { 2 } }, dev:array({ 5, 6, 7 }, "u8")
        local x, y, z = lun.broadcast(a, b, dev:full({}, 9))
        helper.check_array(x, "f32", { 2, 3 }, { 1.0, 1.0, 1.0, 2.0, 2.0, 2.0 })
        helper.check_array(y, "u8", { 2, 3 }, { 5, 6, 7, 5, 6, 7 })
        helper.check_array(z, "f32", { 2, 3 }, { 9.0, 9.0, 9.0, 9.0, 9.0, 9.0 })
        a:fill(4)
        assert.equal(24.0, x:sum())
    end)

    it("refuse what they cannot take", function()
        helper.refused("logspace: a float dtype is needed, got i32; cast rounds the result", dev, 0, 1, 2, "i32")
        helper.refused("logspace: finite ends are needed, got 0.0 and inf", dev, 0, math.huge, 2)
        helper.refused("geomspace: ends of the same sign, neither 0, are needed, got -1.0 and 4.0", dev, -1, 4, 2)
        helper.raises("indices: at least one size is needed", function() dev:indices {} end)
        helper.refused("vander: the array has shape 1x1; one axis is needed", dev:ones({ 1, 1 }))
        helper.refused("broadcast: argument 2 has shape 3, which does not broadcast with 2",
            lun, dev:ones { 2 }, dev:ones { 3 })
        helper.raises("tri: argument 1 is -1; sizes are whole numbers from 0", function() dev:tri(-1) end)
        helper.refused("trace: an array with 2 axes or more is needed; this one has 1", dev:ones({ 2 }))
    end)
end)
