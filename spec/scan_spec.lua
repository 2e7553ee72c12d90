-- Scans against plain Lua: every op, dtype, axis and variant; views, NaN, sizes around every edge; how exact sums are.

local helper = require "spec.helper"
local numbers = require "spec.numbers"
local reference = require "spec.reference"

local NAN, INFINITY = 0 / 0, math.huge
local OPS = { "sum", "prod", "min", "max" }
local FEW = { "f32", "u8", "i64", "bf16" } -- for variants that are made for another kind of device

-- ---- plain Lua ----------------------------------------------------------------------------------------------

local function summed(dtype)
    local kind = numbers.dtype[dtype].kind
    return kind == "signed" and "i64" or kind == "unsigned" and "u64" or dtype == "f64" and "f64" or "f32"
end

local function result_dtype(op, dtype)
    return (op == "min" or op == "max") and dtype or summed(dtype)
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

-- An array of these elements: as it is made, or a view with gaps, turned round, or with its axes in reverse.
local function lay_out(kind, dev, flat, shape, dtype)
    if kind == 1 or #shape == 0 then
        return helper.array(dev, flat, shape, dtype)
    elseif kind == 4 then
        local turned = {}
        for axis = 1, #shape do
            turned[axis] = shape[#shape + 1 - axis]
        end
        local view = dev:zeros(turned, dtype)
        view = #shape == 2 and view:t() or view
        return #shape == 2 and view:write(reference.nest(flat, shape)) or helper.array(dev, flat, shape, dtype)
    end
    local room, slices = {}, {}
    for axis, size in ipairs(shape) do
        room[axis] = kind == 2 and 2 * size or size
        slices[axis] = kind == 2 and { 2, 2 * size, 2 } or { size, 1, -1 }
    end
    return dev:zeros(room, dtype):slice(table.unpack(slices)):write(reference.nest(flat, shape))
end

local function check(dev, a, flat, shape, dtype, op, options, out)
    local made = result_dtype(op, dtype)
    local wanted_shape = options.axis and shape or { #flat }
    local wanted = scan(flat, shape, dtype, op, options)
    local what = ("%s of %s %s, axis %s, exclusive %s, reverse %s, variant %s"):format(op, table.concat(shape,
        "x"), dtype,
        options.axis, options.exclusive, options.reverse, options.variant)
    local function run()
        return a:scan(op, { axis = options.axis, exclusive = options.exclusive, reverse = options.reverse,
            variant = options.variant, out = out })
    end
    if helper.can(run) then
        helper.check_array(run(), made, wanted_shape, wanted, nil, what)
    else
        assert.is_true(dev:info().type == "cpu" or dev:info().type == "gpu")
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
                        check(dev, helper.array(dev, flat, shape, dtype), flat, shape, dtype, op, { axis = axis,
                            exclusive = (i + k) % 2 == 0, reverse = (axis + k) % 2 == 0, variant = variant })
                    end
                end
            end
        end
    end)

    it("is right at sizes around every edge", function()
        local random = numbers.generator(8)
        local sizes = { 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257,
            1023, 1024, 1025,
            2049, 4095, 4096, 4097, 8193, 16384, 16385, 50001, 140000 }
        for i, n in ipairs(sizes) do
            local flat = material(random, n, "f32", "sum")
            check(dev, dev:array(flat), flat, { n }, "f32", "sum",
                { axis = 1, exclusive = i % 2 == 0, reverse = i % 3 == 0, variant = variant })
            if n <= 5000 then
                for _, other in ipairs { 1, 3, 17, 70 } do
                    for axis = 1, n < 1000 and 2 or 1 do
                        local shape = axis == 1 and { n, other } or { other, n }
                        flat = material(random, n * other, "f32", "max")
                        check(dev, dev:array(flat, "f32", shape), flat, shape, "f32", "max",
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
                check(dev, dev:array(flat, "i16", shape), flat, shape, "i16", op,
                    { axis = axis, exclusive = op == "min", reverse = axis == 2, variant = variant })
            end
        end
    end)

    it("takes views of every kind, and out may be one", function()
        local random = numbers.generator(10)
        for _, shape in ipairs { { 300 }, { 33, 40 }, { 5, 30, 20 }, { 200, 170 } } do
            for from = 1, 4 do
                for to = 1, 4 do
                    local axis = random(1, #shape)
                    local flat = material(random, reference.size(shape), "f32", "sum")
                    local a = lay_out(from, dev, flat, shape, "f32")
                    local out = lay_out(to, dev, flat, shape, "f32"):fill(0)
                    check(dev, a, flat, shape, "f32", "sum", { axis = axis, reverse = random(0, 1) == 1,
                        variant = variant }, out)
                    check(dev, a, flat, shape, "f32", "sum", { exclusive = true, variant = variant })
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
                        check(dev, dev:array(flat, dtype), flat, { n }, dtype, op,
                            { axis = 1, reverse = reverse == 1, variant = variant })
                    end
                end
            end
        end
    end)
end) end)
