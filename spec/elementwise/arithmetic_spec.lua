-- Elementwise functions: operators, methods, in place, dtypes, broadcasting, layouts. Each function is compared with
-- plain Lua in 64 bits, to the error that OpenCL allows it.

local lun = require "lunarray"
local at_once = require "spec.elementwise.at_once"
local helper = require "spec.helper"
local numbers = require "spec.numbers"
local elementwise = require "spec.elementwise"

local it = helper.one_in(4, it)

local SIZE = 131 -- vectors of every width, and elements left over

local function sorted(names)
    local list = {}
    for name in pairs(names) do
        table.insert(list, name)
    end
    table.sort(list)
    return list
end

-- Numbers from..to that the dtype holds, the ends among them.
local function spread(from, to, name, seed)
    local random, list = numbers.generator(seed or 1), { numbers.round(from, name), numbers.round(to, name) }
    for i = 3, SIZE do
        list[i] = numbers.round(from + (to - from) * random(0, 1 << 30) / 2.0 ^ 30, name)
    end
    for i = 1, SIZE do -- rounding may leave the range
        if list[i] < from or list[i] > to then
            list[i] = numbers.round((from + to) / 2, name)
        end
    end
    return list
end

-- The distance that so many units in the last place of a float dtype are at x; elements of 16 bits are rounded once
-- more.
local function distance(ulp, x, dtype)
    local computed = dtype.packed and numbers.dtype.f32 or dtype
    local error_of = ulp == 0 and 0 or ulp * math.max(math.abs(x) * computed.eps, computed.tiny)
    return dtype.packed and error_of + math.max(math.abs(x) * dtype.eps, dtype.tiny) or error_of
end

local function tolerances_of(ulp, list, dtype)
    local list_of = {}
    for i, x in ipairs(list) do
        list_of[i] = distance(ulp, x, dtype)
    end
    return list_of
end

helper.describe_each_variant("map", "arithmetic", function(dev, variant)
    -- A program is built for each group of functions and each dtype: the variant that is the device's own is
    -- tried with all dtypes, others with a few.
    local function tried(name)
        return variant == dev:variants("map")[1] or name == "f32" or name == "i16" or name == "u8"
    end

    for _, name in ipairs(helper.dtypes(dev, "float")) do
        if not tried(name) then
            goto continue
        end
        local dtype = numbers.dtype[name]
        -- accuracy_spec.lua compares the functions of the other dtypes, on the device's own variant.
        local compared = name == "f32" and it or function() end

        compared("computes functions of one " .. name, function()
            local ranges = {}
            for _, each in ipairs(sorted(elementwise.real)) do
                local row = elementwise.real[each]
                local key = ("%s %s"):format(row[3] or -5, row[4] or 5)
                ranges[key] = ranges[key] or { row[3] or -5, row[4] or 5 }
                table.insert(ranges[key], each)
            end
            for _, range in pairs(ranges) do
                local list = spread(range[1], range[2], name)
                local results = at_once({ table.unpack(range, 3) }, { variant = variant }, dev:array(list, name))
                for each, result in pairs(results) do
                    local row, expected = elementwise.real[each], {}
                    for k, x in ipairs(list) do
                        expected[k] = numbers.round(row[1](x), name)
                    end
                    local bounds = tolerances_of(row[2], expected, dtype)
                    for k = 1, #bounds do -- the reference's own error
                        bounds[k] = bounds[k] + (row.slack or 0) * 2 ^ -52 * math.abs(expected[k])
                    end
                    for k = 1, row[5] and #bounds or 0 do -- an absolute error, where the function crosses 0
                        bounds[k] = math.max(bounds[k], row[5] * numbers.dtype[dtype.packed and "f32" or name].eps)
                    end
                    helper.check_array(result, name, { SIZE }, expected, bounds, each .. " " .. name)
                end
            end
        end)

        compared("computes functions of two " .. name, function()
            local a, b = spread(-5, 5, name), spread(-4, 6, name, 2)
            local results = at_once(sorted(elementwise.real2), { variant = variant }, dev:array(a, name),
                dev:array(b, name))
            for each, result in pairs(results) do
                local row, expected = elementwise.real2[each], {}
                for k = 1, SIZE do
                    expected[k] = numbers.round(row[1](a[k], b[k]), name)
                end
                -- A quotient that is rounded first may reach the next whole number.
                local bounds = tolerances_of(row[2], expected, dtype)
                if each == "mod" then
                    for k = 1, SIZE do
                        bounds[k] = distance(1, b[k], dtype)
                    end
                end
                helper.check_array(result, name, { SIZE }, expected, bounds, each .. " " .. name)
            end
        end)

        it("knows infinities and NaN in " .. name, function()
            local a = dev:array({ 1 / 0, -1 / 0, 0 / 0, 0, 2 }, name)
            local call = { variant = variant ~= "gpu" and variant or nil } -- whose rows are longer
            helper.check_array(a:isnan(call), "bool", { 5 }, { 0, 0, 1, 0, 0 })
            helper.check_array(a:isinf(call), "bool", { 5 }, { 1, 1, 0, 0, 0 })
            helper.check_array(a:isfinite(call), "bool", { 5 }, { 0, 0, 0, 1, 1 })
            helper.check_array(a:lnot(call), "bool", { 5 }, { 0, 0, 0, 1, 0 })
            helper.check_array(a:minimum(1, call), name, { 5 }, { 1.0, -1 / 0, 0 / 0, 0.0, 1.0 })
            helper.check_array(a:clamp(-1, 1, call), name, { 5 }, { 1.0, -1.0, 0 / 0, 0.0, 1.0 })
            helper.check_array(a:eq(a, call), "bool", { 5 }, { 1, 1, 0, 1, 1 })
            helper.check_array(a:ne(a, call), "bool", { 5 }, { 0, 0, 1, 0, 0 })
            helper.check_array(a:sign(call), name, { 5 }, { 1.0, -1.0, 0 / 0, 0.0, 1.0 })
        end)
        ::continue::
    end

    for _, name in ipairs(helper.dtypes(dev)) do
        if not numbers.is_float(name) and tried(name) then
            local dtype = numbers.dtype[name]

            it("computes with " .. name .. ", wrapping as Lua does, and never traps", function()
                local a, b = numbers.some(SIZE, name, 1), numbers.some(SIZE, name, 2)
                local ends = { dtype.low, dtype.high, 0, 1, numbers.wrap(-1, name), 3, dtype.bits, dtype.bits - 1 }
                for i, x in ipairs(ends) do
                    for k, y in ipairs(ends) do
                        local at = (i - 1) * #ends + k
                        a[at], b[at] = x, y
                    end
                end
                local x, y = dev:array(a, name), dev:array(b, name)
                -- Compares functions of these arrays with what one(function, k-th numbers) gives.
                local function compare(functions, dtype_of, one, ...)
                    for each, result in pairs(at_once(sorted(functions), { variant = variant }, ...)) do
                        local expected = {}
                        for k = 1, SIZE do
                            expected[k] = one(functions[each], a[k], b[k])
                        end
                        helper.check_array(result, dtype_of, { SIZE }, expected, 0, each .. " " .. name)
                    end
                end
                local function wrapped(f, p, q) return numbers.wrap(f(p, q, dtype), name) end
                compare(elementwise.integer2, name, wrapped, x, y)
                compare(elementwise.integer, name, function(f, p) return numbers.wrap(f(p, dtype), name) end, x)
                compare(elementwise.comparisons, "bool", function(f, p, q) return f(p, q, dtype) end, x, y)
            end)
        end
    end

    it("computes with arrays of every layout", function()
        local function filled(shape, from)
            local size = 1
            for _, n in ipairs(shape) do
                size = size * n
            end
            return dev:arange(from, from + size - 1, { dtype = "i32" }):reshape(shape)
        end
        local big = filled({ 6, 70, 3 }, 1)
        local views = {
            big, big:transpose { 2, 1, 3 }, big:slice(nil, { 70, 1, -1 }),
            big:slice({ 2, 5 }, { 1, 70, 3 }, { 1, 3, 2 }),
            big:slice(nil, nil, 2), big:row(3), big:slice(1, { 3, 9 }), big:slice(2, 2, 2), filled({ 4, 300 }, 5),
            filled({ 300, 4 }, 5):t(), filled({ 3, 5, 64 }, 2):slice(nil, nil, { 2, 63 }),
            filled({ 2, 129 }, 0):slice(nil, { 2, 129 }),
        }
        local f = lun.fuse(function(a, b) return 3 * a - b // 2 end)
        for _, view in ipairs(views) do
            local flat, expected = helper.flat(view:copy()), {}
            for i, x in ipairs(flat) do
                expected[i] = 3 * x - x // 2
            end
            local shape = { view:shape() }
            local function check(out)
                if helper.can(f, view, view, { out = out, variant = variant }) then
                    helper.check_array(out, "i32", shape, expected)
                end
            end
            check(dev:zeros(shape, "i32"))
            local wider, slices = { table.unpack(shape) }, {} -- every second element of the last axis of more
            wider[math.max(1, #wider)] = 2 * (wider[#wider] or 1)
            for i = 1, #shape do
                slices[i] = i == #shape and { 2, wider[i], 2 } or { 1, shape[i] }
            end
            check(#shape == 0 and dev:zeros({}, "i32") or dev:zeros(wider, "i32"):slice(table.unpack(slices)))
            if #shape == 2 then -- axes in another order
                check(dev:zeros({ shape[2], shape[1] }, "i32"):t())
            end
        end
    end)

    it("writes nothing behind its result", function()
        for _, n in ipairs { 1, 3, 15, 31, 1023 } do
            local frame = dev:zeros { n + 1 }
            local ones = dev:ones { n }
            if helper.can(function() ones:add(ones, { out = frame:slice { 1, n }, variant = variant }) end) then
                assert.equal(2.0 * n, frame:sum(), n)
                assert.equal(0.0, frame:get(n + 1), n)
            end
        end
    end)

    it("broadcasts rows, columns and single elements", function()
        local a = dev:arange(1, 600, { dtype = "i32" }):reshape(3, 200) -- rows long enough for all variants
        local row, column, single = dev:arange(200, "i32"), dev:array({ { 10 }, { 20 }, { 30 } }, "i32"),
            dev:array(7, "i32")
        local call = { variant = variant }
        local r, c, s, rc = a:add(row, call):totable(), a:add(column, call):totable(),
            a:add(single, call):totable(),
            row:mul(column, call):totable()
        for i = 1, 3 do
            for j = 1, 200 do
                local x = (i - 1) * 200 + j
                assert.equal(x + j, r[i][j])
                assert.equal(x + 10 * i, c[i][j])
                assert.equal(x + 7, s[i][j])
                assert.equal(j * 10 * i, rc[i][j])
            end
        end
        helper.check_array(dev:zeros { 0, 3 } + dev:zeros { 3 }, "f32", { 0, 3 }, {})
        helper.check_array(dev:array(2) * dev:array(3), "f32", {}, { 6.0 })
    end)
end)

helper.describe_each_device("arithmetic", function(dev)
    it("has Lua's operators, between arrays and numbers, on both sides", function()
        local a, b = dev:array { 7, -7, 5 }, dev:array { 2, 2, -3 }
        helper.check_array(a + b, "f32", { 3 }, { 9.0, -5.0, 2.0 })
        helper.check_array(a - 1, "f32", { 3 }, { 6.0, -8.0, 4.0 })
        helper.check_array(1 - a, "f32", { 3 }, { -6.0, 8.0, -4.0 })
        helper.check_array(a * 0.5, "f32", { 3 }, { 3.5, -3.5, 2.5 })
        helper.check_array(a / b, "f32", { 3 }, { 3.5, -3.5, -5 / 3 }, 1e-6)
        helper.check_array(a // b, "f32", { 3 }, { 3.0, -4.0, -2.0 })
        helper.check_array(a % b, "f32", { 3 }, { 1.0, 1.0, -1.0 })
        helper.check_array(2 ^ b, "f32", { 3 }, { 4.0, 4.0, 0.125 }, 1e-6)
        local x = dev:array { -1 / 0, -3e38, -1.1, -0.0, 1e-30, 0.3, 1 / 0 }
        assert.equal((x * x):tobytes(), (x ^ 2):tobytes())
        assert.equal((x * x):tobytes(), lun.fuse(function(v) return v ^ 2.0 end)(x):tobytes())
        assert.equal((1 / x):tobytes(), x:pow(-1):tobytes())
        helper.check_array(dev:array { 2, -3 } ^ 3, "f32", { 2 }, { 8.0, -27.0 }, 27 * 16 * 2 ^ -23)
        helper.check_array(dev:array({ 3, -200 }, "i16") ^ 2, "f32", { 2 }, { 9.0, 40000.0 })
        helper.check_array(dev:array({ 1, 1 }, "bool") ^ dev:array({ 2, 3 }, "u8"), "f32", { 2 }, { 1.0, 1.0 })
        local wide = dev:info().fp64 and "f64" or "f32"
        for _, dtype in ipairs { "i32", "u32", "i64", "u64" } do
            local whole = dev:array({ 46341, 2 }, dtype)
            local squares = dev:info().fp64 and 46341.0 ^ 2 or 2147488256.0
            helper.check_array(whole ^ 2, wide, { 2 }, { squares, 4.0 })
            helper.check_array(lun.fuse(function(v) return v ^ 2 end)(whole), wide, { 2 }, { squares, 4.0 })
            helper.check_array(whole ^ dev:array({ 0, 3 }, "u8"), wide, { 2 }, { 1.0, 8.0 })
            helper.check_array(dev:array({ 0, 3 }, "i8") ^ whole:slice { 2, 2 }, wide, { 2 }, { 0.0, 9.0 })
            assert.equal(wide, (whole ^ 0.5):dtype())
            assert.equal(wide, (2 ^ whole):dtype())
            assert.equal("f16", (whole ^ dev:ones({ 2 }, "f16")):dtype())
            assert.equal("f32", (whole ^ dev:ones({ 2 }, "f32")):dtype())
            assert.equal("c64", (whole ^ lun.complex(0, 1)):dtype())
            local exact = 46341 * 46341
            helper.check_array(whole:powi(2), dtype, { 2 }, { dtype == "i32" and exact - (1 << 32) or exact, 4 })
        end
        helper.check_array(-a, "f32", { 3 }, { -7.0, 7.0, -5.0 })
        local i = dev:array({ 12, -12 }, "i16")
        helper.check_array(i & 10, "i16", { 2 }, { 8, 0 })
        helper.check_array(i | 3, "i16", { 2 }, { 15, -9 })
        helper.check_array(i ~ i, "i16", { 2 }, { 0, 0 })
        helper.check_array(~i, "i16", { 2 }, { -13, 11 })
        helper.check_array(i << 2, "i16", { 2 }, { 48, -48 })
        helper.check_array(1 << dev:array({ 0, 14 }, "i16"), "i16", { 2 }, { 1, 1 << 14 })
        helper.check_array(i >> 1, "i16", { 2 }, { 6, 32762 })
        assert.equal(7.0, a:get(1), "operators change no operand")
    end)

    -- Lua's ^ is C's pow. Zeros are told apart by what they divide.
    it("takes the powers of special numbers as Lua does", function()
        local special = { 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, -3.0, 2.5, -2.5, 1 / 0, -1 / 0, 0 / 0 }
        for _, dtype in ipairs(helper.dtypes(dev, "float")) do
            local bases, exponents, wanted = {}, {}, {}
            for _, x in ipairs(special) do
                for _, y in ipairs(special) do
                    local exact = x ^ y
                    local size = math.abs(exact)
                    if size == 0 or size == 1 or size == math.huge or size ~= size then
                        bases[#bases + 1], exponents[#exponents + 1], wanted[#wanted + 1] = x, y, exact
                    end
                end
            end
            local found = dev:array(bases, dtype):pow(dev:array(exponents, dtype)):totable()
            for i, exact in ipairs(wanted) do
                local got = found[i]
                local same = got == exact and 1 / got == 1 / exact or got ~= got and exact ~= exact
                assert.is_true(same, ("%s: %s ^ %s is %s, got %s")
                    :format(dtype, bases[i], exponents[i], exact, got))
            end
        end
    end)

    it("takes powers of very small and very large numbers", function()
        for dtype, reach in pairs { f32 = 124, f64 = dev:info().fp64 and 1020 or nil } do
            local x = dev:array({ 2.0 ^ -reach, 2.0, 2.0, 2.0 ^ (reach // 2) }, dtype)
            local y = dev:array({ 0.5, -reach, reach, 2.0 }, dtype)
            local found = x:pow(y):totable()
            for i, exponent in ipairs { -reach // 2, -reach, reach, reach } do
                assert.is_near(1, found[i] / 2.0 ^ exponent, 16 * numbers.dtype[dtype].eps)
            end
        end
    end)

    it("gives the dtype that holds both", function()
        for _, x in ipairs(helper.dtypes(dev)) do
            for _, y in ipairs(helper.dtypes(dev)) do
                local wanted = elementwise.promoted(x, y)
                local out = dev:zeros({ 2 }, wanted == "u8" and "i8" or "u8") -- so that nothing is compiled
                helper.refused(("add: out is %s; the result is %s"):format(out:dtype(), wanted),
                    dev:ones({ 2 }, x), dev:ones({ 2 }, y), { out = out })
            end
        end
    end)

    it("lets numbers widen no array: only a float makes integers f32", function()
        local i, h, f = dev:array({ 1, 2 }, "i8"), dev:array({ 1, 2 }, "f16"), dev:array { 1, 2 }
        assert.equal("i8", (i + 1):dtype())
        assert.equal("i8", (i + 1):dtype())
        assert.equal("f32", (i + 1.0):dtype())
        assert.equal("f16", (h * 1e-3):dtype())
        assert.equal("f32", (f + math.pi):dtype())
        assert.equal("f32", (i / 2):dtype())
        assert.equal("f32", (i ^ 2):dtype())
        assert.equal("f32", i:exp():dtype())
        assert.equal("bool", i:lt(2):dtype())
        assert.equal("f32", i:lt(2):where(1.0, 2.0):dtype())
        assert.equal("i64", i:lt(2):where(1, 2):dtype())
        helper.check_array(dev:array({ 200, 3 }, "u8"):lt(300), "bool", { 2 }, { 1, 1 })
        helper.check_array(dev:array({ 200, 3 }, "u8"):gt(-1), "bool", { 2 }, { 1, 1 })
        helper.raises("a + b: 300 is out of range for i8 (-128 to 127)", function() return i + 300 end)
        helper.check_array(dev:zeros({ 2 }, "u64") + -1, "u64", { 2 }, { -1, -1 }) -- the same 64 bits
    end)

    it("computes in place, and into out, which may be an operand", function()
        local a, b = dev:array { 1, 2, 3 }, dev:array { 4, 5, 6 }
        assert.equal(a, a:add_(b))
        helper.check_array(a, "f32", { 3 }, { 5.0, 7.0, 9.0 })
        assert.equal(b, a:mul(b, { out = b }))
        helper.check_array(b, "f32", { 3 }, { 20.0, 35.0, 54.0 })
        assert.equal(a, a:sqrt_():sub_(1):neg_())
        helper.check_array(a:t(), "f32", { 3 }, { 1 - math.sqrt(5), 1 - math.sqrt(7), -2.0 }, 1e-6)
        local m = dev:zeros { 3, 4 }
        m:col(2):add_(b)
        helper.check_array(m:row(2), "f32", { 4 }, { 0.0, 35.0, 0.0, 0.0 })
        helper.raises("add_: out has shape 3; the result has 3x3", function() a:add_(dev:zeros { 3, 3 }) end)
        helper.raises("add_: out is i8; the result is f32", function() dev:zeros({ 3 }, "i8"):add_(a) end)
    end)

    it("rounds halves to the even neighbour", function()
        local halves = dev:array { -2.5, -1.5, 0.5, 1.5, 2.5, 3.5, 2.4999998, 2.5000002 }
        helper.check_array(halves:round(), "f32", { 8 }, { -2.0, -2.0, 0.0, 2.0, 2.0, 4.0, 2.0, 3.0 })
    end)

    it("compares with a number as Lua does, and as the array has the number", function()
        local order = { "lt", "le", "gt", "ge", "eq", "ne" }
        local function compare(name, x, y)
            return name == "lt" and x < y or name == "le" and x <= y or name == "gt" and x > y
                or name == "ge" and x >= y or name == "eq" and x == y or name == "ne" and x ~= y or false
        end
        local kept = { i8 = { -128, -1, 0, 127 }, u8 = { 0, 1, 254, 255 }, i32 = { 16777217, 16777216, -3, 2 },
            i64 = { (1 << 60) + 1, 1 << 60, -(1 << 40), 3 } }
        local fp64 = dev:info().fp64
        for dtype, list in pairs(kept) do
            local array = dev:array(list, dtype)
            for _, number in ipairs { 2 ^ 24, 2.0, 2.5, -1.0, -128.0, 255.0, 300.0, -0.5, 2.0 ^ 40, 2.0 ^ 60, 1e300,
                -1 / 0, 0 / 0, fp64 and 16777216.5 or 0.5, -2.0 ^ 63 } do
                for _, name in ipairs(order) do
                    local wanted = {}
                    for i, x in ipairs(list) do
                        wanted[i] = compare(name, x, number)
                    end
                    assert.same(wanted, array[name](array, number):totable(), dtype .. " " .. name .. " " .. number)
                end
            end
        end
        for _, dtype in ipairs(helper.dtypes(dev, "float")) do
            for _, number in ipairs { 0.1, 1 / 3, -2.7, 1e-3 } do
                local same = dev:full({ 20 }, number, dtype)
                assert.equal(20, same:eq(number):nnz(), dtype)
                assert.equal(20, same:le(number):nnz())
                assert.equal(0, same:lt(number):nnz() + same:gt(number):nnz() + same:ne(number):nnz())
            end
        end
    end)

    it("shifts signed integers as Lua does, and carries the sign in sar", function()
        local a = dev:array({ -128, -1, 5, 127 }, "i8")
        helper.check_array(a:sar(1), "i8", { 4 }, { -64, -1, 2, 63 })
        helper.check_array(a >> 1, "i8", { 4 }, { 64, 127, 2, 63 })
        helper.check_array(a:sar(7), "i8", { 4 }, { -1, -1, 0, 0 })
        helper.check_array(a:sar(100), "i8", { 4 }, { -1, -1, 0, 0 })
        helper.check_array(a:sar(-1), "i8", { 4 }, { 0, -2, 10, -2 })
        helper.check_array(a:sar(-100), "i8", { 4 }, { 0, 0, 0, 0 })
        helper.check_array(dev:array({ math.mininteger, 8 }, "i64"):sar(dev:array({ 63, 2 }, "i64")), "i64", { 2 },
            { -1, 2 })
        helper.check_array(dev:array({ math.mininteger, 8 }, "u64"):sar(3), "u64", { 2 }, { math.mininteger >> 3, 1 })
        helper.check_array(lun.fuse(function(x) return x:sar(2) + 1 end)(a), "i8", { 4 }, { -31, 0, 2, 32 })
        helper.raises("sar: sar takes integers, not f32", function() dev:zeros({ 1 }):sar(1) end)
    end)

    it("keeps the remainder of integers an integer in fmod", function()
        local a = dev:array({ (1 << 53) + 1, -7, math.mininteger, 7 }, "i64")
        helper.check_array(a:fmod(10), "i64", { 4 }, { 3, -7, -8, 7 })
        helper.check_array(a:fmod(-1), "i64", { 4 }, { 0, 0, 0, 0 })
        helper.check_array(a:fmod(0), "i64", { 4 }, { 0, 0, 0, 0 })
        helper.check_array(a:copy():fmod_(-4), "i64", { 4 }, { 1, -3, 0, 3 })
        helper.check_array(dev:array({ -1 }, "u64"):fmod(10), "u64", { 1 }, { 5 })
        assert.equal("f32", a:fmod(2.0):dtype())
    end)

    it("chooses, clamps and interpolates", function()
        local a, b = dev:array { 1, 5, 9 }, dev:array { 10, 20, 30 }
        helper.check_array(a:gt(4):where(a, b), "f32", { 3 }, { 10.0, 5.0, 9.0 })
        helper.check_array(lun.where(a:gt(4), a, 0), "f32", { 3 }, { 0.0, 5.0, 9.0 })
        helper.check_array(lun.where(a, b, -1, { out = a }), "f32", { 3 }, { 10.0, 20.0, 30.0 })
        helper.check_array(dev:array({ 0.5, 0 }, "f64"):where(1, 2), "i64", { 2 }, { 1, 2 })
        helper.check_array(b:clamp(15, 25), "f32", { 3 }, { 15.0, 20.0, 25.0 })
        helper.check_array(b:clamp(20, 20.0), "f32", { 3 }, { 20.0, 20.0, 20.0 })
        helper.check_array(b:clamp(dev:array { 15, 25, 1 }, 25), "f32", { 3 }, { 15.0, 25.0, 25.0 })
        for _, bounds in ipairs { { 0 / 0, 25 }, { 15, 0 / 0 }, { 0 / 0, 0 / 0 } } do
            local low, high = bounds[1], bounds[2]
            local nan = { 0 / 0, 0 / 0, 0 / 0 }
            helper.check_array(b:clamp(low, high), "f32", { 3 }, nan)
            helper.check_array(b:cast("i32"):clamp(low, high), "f32", { 3 }, nan)
            helper.check_array(b:clamp(dev:full({ 3 }, low), dev:full({ 3 }, high)), "f32", { 3 }, nan)
            helper.check_array(b:copy():clamp_(low, high), "f32", { 3 }, nan)
            local fused = lun.fuse(function(x, l, h) return x:clamp(l, h) end)
            helper.check_array(fused(b, low, high), "f32", { 3 }, nan)
        end
        local some = dev:array { 1, 0 / 0, 3 }
        helper.check_array(b:clamp(some, 25), "f32", { 3 }, { 10.0, 0 / 0, 25.0 })
        helper.check_array(b:clamp(15, some * 100), "f32", { 3 }, { 15.0, 0 / 0, 30.0 })
        helper.check_array(b:clamp(dev:array { 25, 15, 40 }, 20), "f32", { 3 }, { 20.0, 20.0, 20.0 })
        helper.check_array(b:fma(2, a), "f32", { 3 }, { 30.0, 60.0, 90.0 })
        helper.check_array(b:lerp(20, 0.5), "f32", { 3 }, { 15.0, 20.0, 25.0 })
        helper.check_array(dev:array { 1, 3 }:lerp(1e9, 0), "f32", { 2 }, { 1.0, 3.0 })
        helper.check_array(a:gt(15):land(b:lt(30)), "bool", { 3 }, { 0, 1, 0 })
        helper.check_array(a:gt(15):lor(b:lt(20)), "bool", { 3 }, { 1, 1, 1 })
        helper.check_array(a:lxor(dev:array { 0, 1, 0 }), "bool", { 3 }, { 1, 0, 1 })
    end)

    it("refuses what it cannot do, and says what is needed", function()
        local a, i = dev:zeros { 2, 3 }, dev:zeros({ 3 }, "i32")
        helper.raises("a + b: shapes 2x3 and 4 do not broadcast", function() return a + dev:zeros { 4 } end)
        helper.raises("fma: shapes 2x3 and 2 do not broadcast", function() a:fma(1, dev:zeros { 2 }) end)
        helper.raises("a & b: band takes integers, not f32", function() return a & 1 end)
        helper.raises("bnot: bnot takes integers, not f32", function() a:bnot() end)
        helper.raises("a << b: shl takes integers, not f32", function() return i << 1.5 end)
        helper.raises("a + b: arrays and numbers are needed on both sides, got a string", function() return a + "1" end)
        helper.raises("a * b: arrays and numbers are needed on both sides, got nil", function() return a * nil end)
        helper.raises("a - b: arrays and numbers are needed on both sides, got a table; lun.array makes an array "
            .. "of a table", function() return { 1, 2 } - a end)
        helper.refused("clamp: low 3 is above high 1; clamp takes the lower number first", a, 3, 1)
        assert.same({ 7, 7, 7 }, (i + 3):clamp(7, 7):totable())
        helper.raises("clamp_: low 3 is above high 1; clamp takes", function() a:clamp_(3, 1) end)
        helper.raises("clamp: low 1 is above high 0.5; clamp takes", function() i:clamp(1, 0.5) end)
        helper.raises("clamp: low 9223372036854775807 is above high 9223372036854775806;",
            function() i:clamp(math.maxinteger, math.maxinteger - 1, { out = i }) end)
        helper.raises("where: one of the operands must be an array", function() lun.where(1, 2, 3) end)
        helper.raises("a + b: right operand: the array was released", function()
            local gone = dev:zeros { 3 }
            gone:release()
            return i + gone
        end)
    end)

    local function built(f) return helper.built(dev, f) end

    it("compiles a function once for a dtype, whatever the shapes and numbers", function()
        local a = dev:zeros { 300 }
        built(function() return a + 1.5 end)
        assert.equal(0, built(function() return dev:zeros { 1000 } + 2.5 end))
        local fused = lun.fuse(function(x, k) return x * k + 0.125 end)
        assert.equal(1, built(function() fused(a, 2) end))
        assert.equal(0, built(function() fused(dev:zeros { 400 }, 3) end))
    end)

    it("compiles the functions of a family together", function()
        local a, b = dev:array({ 5, 6, -7 }, "i16"), dev:array({ 2, -3, 4 }, "i16")
        built(function() return a + b end)
        assert.equal(0, built(function()
            assert.same({ 3, 9, -11 }, (a - b):totable())
            assert.same({ 10, -18, -28 }, (a * b):totable())
            assert.same({ 2, -3, -7 }, a:minimum(b):totable())
            assert.same({ 7, 3, -3 }, a:add_(b):totable())
        end))
        assert.is_true(built(function() return a / b end) <= 1, "another dtype's result")
        assert.equal(0, built(function() assert.same({ 3.5, -1, -0.75 }, (a / b):totable()) end))
    end)
end)
