-- Scans against plain Lua: every op, dtype, axis and variant; views, NaN, sizes around every edge; how exact sums are.

local helper = require "spec.helper"
local laying = require "spec.laying"
local numbers = require "spec.numbers"
local reference = require "spec.reference"

local it = helper.one_in(3, it)

local NAN, INFINITY = 0 / 0, math.huge
local OPS = { "sum", "prod", "min", "max" }
local FEW = { "f32", "u8", "i64", "bf16" } -- for variants that are made for another kind of device

-- ---- plain Lua ----------------------------------------------------------------------------------------------

local function result_dtype(op, dtype)
    return (op == "min" or op == "max") and dtype or numbers.summed(dtype)
end

-- The number that the op begins with.
local function identity(op, dtype)
    local row = numbers.dtype[dtype]
    if op == "sum" or op == "prod" then
        return numbers.is_float(dtype) and (op == "sum" and 0.0 or 1.0) or (op == "sum" and 0 or 1)
    elseif row.kind == "float" then
        return op == "min" and INFINITY or -INFINITY
    end
    return op == "min" and row.high or row.low
end

local function combiner(op, dtype)
    local function less(a, b)
        if numbers.dtype[dtype].kind == "unsigned" then
            return math.ult(a, b)
        end
        return a < b
    end
    local ways = {
        sum = function(a, b) return a + b end,
        prod = function(a, b) return a * b end,
        min = function(a, b) return (a ~= a or less(a, b)) and a or b end,
        max = function(a, b) return (a ~= a or less(b, a)) and a or b end,
    }
    return ways[op]
end

-- The scan of a flat list of that shape along an axis; without one, of the list as it is.
local function scan(flat, shape, dtype, op, options)
    local out, both = {}, combiner(op, dtype)
    local n, inner = #flat, 1
    if options.axis then
        n, inner = shape[options.axis], reference.size { table.unpack(shape, options.axis + 1) }
    end
    for line = 0, n > 0 and #flat // n - 1 or -1 do
        local first = line // inner * n * inner + line % inner + 1
        local value = identity(op, dtype)
        for i = 0, n - 1 do
            local at = first + (options.reverse and n - 1 - i or i) * inner
            local next = both(value, flat[at])
            out[at] = options.exclusive and value or next
            value = next
        end
    end
    return out
end

-- Numbers whose sums and products are exact in the dtypes of the results.
local function material(random, size, dtype, op)
    local list, float = {}, numbers.is_float(dtype)
    for i = 1, size do
        local x = random(0, 12) - (numbers.dtype[dtype].kind == "unsigned" and 0 or 5)
        if op == "prod" then
            x = float and (random(0, 1) * 2 - 1) * 2.0 ^ (i % 2 * 2 - 1) or x | 1
        end
        list[i] = float and x + 0.0 or x
    end
    return list
end

-- The scan of `a`, which has these elements, is that of plain Lua, where the variant can do it.
local function check(a, flat, shape, dtype, op, options, out)
    local made = result_dtype(op, dtype)
    local wanted_shape = options.axis and shape or { #flat }
    local wanted = scan(flat, shape, dtype, op, options)
    local what = ("%s of %s %s, axis %s, exclusive %s, reverse %s, variant %s"):format(op, table.concat(shape, "x"),
        dtype,
        options.axis, options.exclusive, options.reverse, options.variant)
    local function run()
        return a:scan(op, { axis = options.axis, exclusive = options.exclusive, reverse = options.reverse,
            variant = options.variant, out = out })
    end
    if helper.can(run) then
        helper.check_array(run(), made, wanted_shape, wanted, nil, what)
    end
end

-- ---- specs --------------------------------------------------------------------------------------------------

helper.each_variant("scan", function(dev, variant, title) describe("a scan on " .. title, function()
    local dtypes = helper.is_foreign(dev, variant) and FEW or helper.dtypes(dev)

    it("is plain Lua's, for each op and dtype, along rows and columns, both ways", function()
        local random = numbers.generator(7)
        for _, dtype in ipairs(dtypes) do
            for k, op in ipairs(OPS) do
                for i, shape in ipairs { { 500 }, { 40, 37 }, { 3, 50, 21 } } do
                    for axis = 1, #shape do
                        local flat = material(random, reference.size(shape), dtype, op)
                        check(helper.array(dev, flat, shape, dtype), flat, shape, dtype, op, { axis = axis,
                            exclusive = (i + k) % 2 == 0, reverse = (axis + k) % 2 == 0, variant = variant })
                    end
                end
            end
        end
    end)

    it("is right at sizes around every edge", function()
        local random = numbers.generator(8)
        local sizes = { 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1023, 1024,
            1025, 2049, 4095, 4096, 4097, 8193, 16384, 16385, 50001, 140000 }
        for i, n in ipairs(sizes) do
            local flat = material(random, n, "f32", "sum")
            check(dev:array(flat), flat, { n }, "f32", "sum",
                { axis = 1, exclusive = i % 2 == 0, reverse = i % 3 == 0, variant = variant })
            if n <= 5000 then
                for _, other in ipairs { 1, 3, 17, 70 } do
                    for axis = 1, n < 1000 and 2 or 1 do
                        local shape = axis == 1 and { n, other } or { other, n }
                        flat = material(random, n * other, "f32", "max")
                        check(dev:array(flat, "f32", shape), flat, shape, "f32", "max",
                            { axis = axis, exclusive = i % 2 == 1, reverse = other == 3, variant = variant })
                    end
                end
            end
        end
    end)

    it("joins the parts of long lines, few and many", function()
        local random = numbers.generator(9)
        for _, case in ipairs { { { 3, 70001 }, 2 }, { { 70001, 3 }, 1 }, { { 9001, 40 }, 1 }, { { 2, 3001, 33 }, 2 },
            { { 300, 700 }, 1 }, { { 700, 300 }, 2 } } do
            local shape, axis = table.unpack(case)
            for _, op in ipairs { "sum", "min" } do
                local flat = material(random, reference.size(shape), "i16", op)
                check(dev:array(flat, "i16", shape), flat, shape, "i16", op,
                    { axis = axis, exclusive = op == "min", reverse = axis == 2, variant = variant })
            end
        end
    end)

    it("takes views of every kind, and out may be one", function()
        local random = numbers.generator(10)
        for _, shape in ipairs { { 300 }, { 33, 40 }, { 5, 30, 20 }, { 200, 170 } } do
            for _, from in ipairs { "own", "gaps", "turned", "axes in reverse" } do
                for _, to in ipairs { "own", "gaps", "turned", "axes in reverse" } do
                    local axis = random(1, #shape)
                    local flat = material(random, reference.size(shape), "f32", "sum")
                    local a = laying.laid(from, dev, flat, shape, "f32")
                    local out = laying.laid(to, dev, flat, shape, "f32"):fill(0)
                    check(a, flat, shape, "f32", "sum", { axis = axis, reverse = random(0, 1) == 1,
                        variant = variant }, out)
                    check(a, flat, shape, "f32", "sum", { exclusive = true, variant = variant })
                end
            end
        end
        local row = dev:array { 1, 2, 3 }
        helper.check_array(row:broadcast(4, 3):cumsum { axis = 1, variant = "plain" }, "f32", { 4, 3 },
            { 1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 3.0, 6.0, 9.0, 4.0, 8.0, 12.0 })
    end)

    it("spreads a NaN, from the first one on", function()
        for _, dtype in ipairs { "f32", "bf16" } do
            for _, n in ipairs { 5, 100, 3000 } do
                local flat = {}
                for i = 1, n do
                    flat[i] = i == n // 2 and NAN or 1.0
                end
                for _, op in ipairs(OPS) do
                    for reverse = 0, 1 do
                        check(dev:array(flat, dtype), flat, { n }, dtype, op,
                            { axis = 1, reverse = reverse == 1, variant = variant })
                    end
                end
            end
        end
    end)
end) end)

helper.each_device(function(dev, title) describe("scans on " .. title, function()
    it("have the methods of their ops", function()
        local a = dev:array({ { 3, 1, 2 }, { 9, 5, 4 } }, "i32")
        helper.check_array(a:cumsum { axis = 1 }, "i64", { 2, 3 }, { 3, 1, 2, 12, 6, 6 })
        helper.check_array(a:cumprod(), "i64", { 6 }, { 3, 3, 6, 54, 270, 1080 })
        helper.check_array(a:cummin { axis = -1 }, "i32", { 2, 3 }, { 3, 1, 1, 9, 5, 4 })
        helper.check_array(a:cummax { axis = 2, reverse = true, exclusive = true }, "i32", { 2, 3 },
            { 2, 2, -(1 << 31), 5, 4, -(1 << 31) })
        helper.check_array(dev:array(7, "u8", {}):cumsum(), "i64", { 1 }, { 7 })
    end)

    it("wrap integers of 64 bits, and keep what narrower ones would lose", function()
        helper.check_array(dev:array({ math.maxinteger, 1, 1 }, "i64"):cumsum(), "i64", { 3 },
            { math.maxinteger, math.mininteger, math.mininteger + 1 })
        helper.check_array(dev:array({ 200, 100, 255 }, "u8"):cumsum(), "i64", { 3 }, { 200, 300, 555 })
        helper.check_array(dev:array({ 60000, 60000 }, "f16"):cumsum(), "f32", { 2 }, { 60000.0, 120000.0 })
    end)

    it("join the many parts of a long line in their order", function()
        for dtype, count in pairs { i8 = 1100001, i32 = 2300001 } do
            local a = dev:randint({ count }, { low = -9, high = 9, seed = 5 }):cast(dtype)
            for _, options in ipairs { {}, { exclusive = true }, { reverse = true } } do
                options.variant = "plain"
                local wanted = a:cumsum(options)
                assert.equal(a:sum(), wanted:get(options.reverse and 1 or -1) + (options.exclusive and a:get(-1) or 0))
                for _, variant in ipairs(helper.variants(dev, "scan")) do
                    options.variant = variant
                    assert.is_true(a:cumsum(options):eq(wanted):all(), variant .. " of " .. dtype)
                end
            end
        end
    end)

    it("give the same bits every time", function()
        local a = dev:random({ 300000 }, { seed = 5 })
        for _, variant in ipairs(helper.variants(dev, "scan")) do
            helper.can(function()
                local row = a:cumsum { variant = variant }:tobytes()
                local columns = a:reshape(3000, 100):cumsum { axis = 1, variant = variant }:tobytes()
                for _ = 1, 5 do
                    assert.is_true(row == a:cumsum { variant = variant }:tobytes())
                    assert.is_true(columns == a:reshape(3000, 100):cumsum { axis = 1, variant = variant }:tobytes())
                end
            end)
        end
    end)

    it("round a sum as often as the logarithm of its length and a run say, not as its length", function()
        local n <const> = 1 << 20
        local eps <const> = 2.0 ^ -23
        for _, variant in ipairs(helper.variants(dev, "scan")) do
            for _, case in ipairs { { { 1, n }, 2 }, { { n // 64, 64 }, 1 } } do
                local shape, axis = table.unpack(case)
                local one = dev:full(shape, 0.1) -- each addition rounds the same way while the sum keeps its exponent
                local count = shape[axis]
                local exact = count * numbers.round(0.1, "f32")
                local bound = (2 * math.log(count, 2) + 2 * 32 + count / 4096) * eps / 2 * exact
                helper.can(function()
                    local last = one:cumsum { axis = axis, variant = variant }:reshape(n):get(n)
                    helper.check_number(exact, last, bound, variant)
                end)
            end
        end
    end)

    it("have the identity first, if that is asked for", function()
        local a = dev:array({ { 1, 2, 3 }, { 4, 5, 6 } }, "i32")
        local o = { axis = 1, initial = true }
        helper.check_array(a:cumsum(o), "i64", { 3, 3 }, { 0, 0, 0, 1, 2, 3, 5, 7, 9 })
        helper.check_array(a:cumprod { axis = -1, initial = true }, "i64", { 2, 4 }, { 1, 1, 2, 6, 1, 4, 20, 120 })
        helper.check_array(a:cumsum { axis = 2, initial = true, reverse = true }, "i64", { 2, 4 },
            { 6, 5, 3, 0, 15, 11, 6, 0 })
        helper.check_array(a:cumsum { initial = true }, "i64", { 7 }, { 0, 1, 3, 6, 10, 15, 21 })
        helper.check_array(dev:zeros { 0, 2 }:cumsum(o), "f32", { 1, 2 }, { 0.0, 0.0 })
        local out = dev:full({ 2, 6 }, 7, "i64")
        local event = a:t():cumsum { initial = true, axis = 1, out = out:slice({}, { 1, 4 }):t(), async = true }
        helper.check_array(event:get(), "i64", { 4, 2 }, { 0, 0, 1, 4, 3, 9, 6, 15 })
        helper.check_array(out, "i64", { 2, 6 }, { 0, 1, 3, 6, 7, 7, 0, 4, 9, 15, 7, 7 })
        helper.raises("cumsum: initial puts the identity before all results; it does not work with exclusive and "
            .. "segments",
            function() local _ = a:cumsum { initial = true, exclusive = true } end)
        helper.refused("cumsum: initial puts the identity", a, { initial = true, segments = { 1, 3 } })
        local long = dev:ones({ 9 }, "i64")
        helper.refused("cumsum: out overlaps an input", long:slice { 1, 8 }, { initial = true, out = long })
        assert.equal(9, long:sum())
    end)

    it("leave NaN out, if that is asked for", function()
        local a = dev:array { { 0 / 0, 1, 2 }, { 3, 0 / 0, 4 } }
        helper.check_array(a:nancumsum { axis = 1 }, "f32", { 2, 3 }, { 0.0, 1.0, 2.0, 3.0, 1.0, 6.0 })
        helper.check_array(a:nancumprod { reverse = true, initial = true }, "f32", { 7 },
            { 24.0, 24.0, 24.0, 12.0, 4.0, 4.0, 1.0 })
        helper.check_array(a:nancumsum { dtype = "i32", exclusive = true }, "i32", { 6 }, { 0, 0, 1, 3, 6, 6 })
        helper.check_array(dev:array({ 3, -1 }, "i8"):nancumsum(), "i64", { 2 }, { 3, 2 })
        local complex = require "lunarray".complex
        local z = dev:array({ complex(1, 0 / 0), complex(2, 3) }, "c64"):nancumsum()
        helper.check_array(z:imag(), "f32", { 2 }, { 0.0, 3.0 })
    end)

    it("take elements as another dtype", function()
        local a = dev:array({ { 1, 2, 3 }, { 4, 5, 6 } }, "i32")
        helper.check_array(a:cumsum { axis = 2, dtype = "f32" }, "f32", { 2, 3 }, { 1.0, 3.0, 6.0, 4.0, 9.0, 15.0 })
        helper.check_array(a:cumprod { axis = 1, dtype = "f32", initial = true }, "f32", { 3, 3 },
            { 1.0, 1.0, 1.0, 1.0, 2.0, 3.0, 4.0, 10.0, 18.0 })
        local small = dev:array({ 100, 50, -7 }, "i8")
        helper.check_array(small:cumsum { dtype = "i8", reverse = true }, "i8", { 3 }, { -113, 43, -7 })
        helper.check_array(small:scan("sum", { dtype = "f16", segments = { 1, 3, 4 } }), "f16", { 3 },
            { 100.0, 150.0, -7.0 })
        helper.check_array(small:cumsum { dtype = "i64" }, "i64", { 3 }, { 100, 150, 143 })
        helper.refused("cumsum: dtype is bool, which cannot hold sums", a, { dtype = "bool" })
        helper.refused("scan: dtype is for sums, products and means, not for max", a, "max", { dtype = "i32" })
        helper.raises("cumsum: unknown dtype 'float'", function() local _ = a:cumsum { dtype = "float" } end)
    end)

    it("refuse what they cannot do", function()
        local a = dev:zeros { 2, 3 }
        helper.raises("scan: unknown op 'mean'; known are sum, prod, min, max", function() local _ = a:scan "mean" end)
        helper.raises("scan: combine is missing: an operator of your own needs", function() local _ = a:scan {} end)
        helper.refused("cumsum: axis 3 is out of range: the array has 2 axes (2x3)", a, { axis = 3 })
        helper.refused("cumsum: a broadcast view cannot be written: its elements are at several",
            a, { axis = 1, out = dev:zeros { 3 }:broadcast(2, 3) })
    end)
end) end)
