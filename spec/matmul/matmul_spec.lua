-- Products of matrices, vectors and batches of them, by every variant, against plain Lua. Most matrices hold small
-- whole numbers, whose products and sums no float rounds: there every element must be exactly right.

local helper = require "spec.helper"
local numbers = require "spec.numbers"
local reference = require "spec.reference"

local it = helper.one_in(2, it)

local NAN, INFINITY = 0 / 0, math.huge

-- Register blocks, vectors, panels and tiles: sizes at, below and above where they end.
local ROWS = { 1, 2, 5, 6, 7, 12, 13, 17 }
local INNER = { 1, 2, 3, 8, 17, 64, 65 }
local COLUMNS = { 1, 2, 15, 16, 17, 31, 32, 33, 48 }

-- References are the same for every variant, and take longer than the products themselves.
local known = {}

local function expected_product(name, a_shape, b_shape, a, b)
    local key = table.concat({ name, table.concat(a_shape, "x"), table.concat(b_shape, "x") }, " ")
    if not known[key] then
        known[key] = { reference.matmul(a, a_shape, b, b_shape, name) }
    end
    return table.unpack(known[key])
end

-- The two factors for such shapes, always the same: numbers from -4 to 4, or from -most to most.
local function factors(dev, name, a_shape, b_shape, most)
    local a = numbers.small(reference.size(a_shape), name, 1, most and -most, most)
    local b = numbers.small(reference.size(b_shape), name, 2, most and -most, most)
    return helper.array(dev, a, a_shape, name), helper.array(dev, b, b_shape, name), a, b
end

helper.each_variant("matmul", function(dev, variant, title)
    local function check(name, a_shape, b_shape)
        local a, b, a_flat, b_flat = factors(dev, name, a_shape, b_shape)
        local got
        if not helper.can(function() got = a:matmul(b, { variant = variant }) end) then
            return
        end
        local expected, shape, tolerances = expected_product(name, a_shape, b_shape, a_flat, b_flat)
        local what = ("%s %s by %s"):format(name, table.concat(a_shape, "x"), table.concat(b_shape, "x"))
        if #shape == 0 then
            helper.check_number(expected[1], got, tolerances[1], what)
        else
            helper.check_array(got, name, shape, expected, tolerances, what)
        end
    end

    -- Freivalds: for a random vector v, A (B v) is (A B) v only if A B is right, but for odds of one in a million. All
    -- in whole numbers that neither float nor double rounds.
    local function check_large(m, k, n, name)
        name = name or "f32"
        local a, b, a_flat, b_flat = factors(dev, name, { m, k }, { k, n }, name == "f16" and 1 or 4)
        local got
        if not helper.can(function() got = a:matmul(b, { variant = variant }) end) then
            return
        end
        assert.same({ m, n }, { got:shape() })
        local c = helper.flat(got)
        local v = numbers.small(n, "f64", 3, -1000000, 1000000)
        local function times(matrix, rows, columns, vector)
            local out = {}
            for i = 1, rows do
                local sum, at = 0.0, (i - 1) * columns
                for j = 1, columns do
                    sum = sum + matrix[at + j] * vector[j]
                end
                out[i] = sum
            end
            return out
        end
        helper.check_list(times(a_flat, m, k, times(b_flat, k, n, v)), times(c, m, n, v), 0,
            ("%s %dx%d by %dx%d"):format(name, m, k, k, n))
    end

    describe("matmul on " .. title, function()
        it("is right at every size around the edges", function()
            for _, m in ipairs(ROWS) do
                for _, k in ipairs(INNER) do
                    for _, n in ipairs(COLUMNS) do
                        check("f32", { m, k }, { k, n })
                    end
                end
            end
        end)

        it("is right for every dtype #oclgrind", function()
            for _, name in ipairs(helper.is_foreign(dev, variant) and { "f32", "i16" } or helper.dtypes(dev)) do
                check(name, { 5, 7 }, { 7, 9 })
                check(name, { 17, 33 }, { 33, 18 })
            end
        end)

        it("is right for large matrices", function()
            check("f32", { 65, 64 }, { 64, 63 })
            check_large(129, 127, 131)
            check_large(300, 301, 299)
            check_large(512, 257, 129)
            check_large(1025, 7, 33)
            check_large(3, 2049, 5)
            check_large(7, 600, 515)
            check_large(5, 4001, 7)
        end)

        it("is right for matrices larger than a cache", function()
            check_large(700, 401, 301)
            check_large(450, 800, 65)
            check_large(3500, 77, 259)
            check_large(37, 2051, 33)
            check_large(260, 1200, 264) -- a sum in parts, of many numbers
            check_large(23, 1024, 40) -- rows that share the lines of a cache
            for _, name in ipairs { "f16", "f64" } do
                if name ~= "f64" or dev:info().fp64 then
                    check_large(310, 803, 50, name)
                    check_large(1501, 77, 259, name) -- rows of the result begin anywhere
                end
            end
            if dev:info().type == "gpu" then -- the largest tiles
                check_large(2048, 132, 2048)
                check_large(2048, 132, 2048, "f16")
            end
        end)

        it("multiplies vectors #oclgrind", function()
            for _, n in ipairs { 1, 2, 7, 16, 33, 1000 } do
                check("f32", { n }, { n })
                check("f32", { n }, { n, 5 })
                check("f32", { 5, n }, { n })
                check("f32", { n, 1 }, { 1, n > 100 and 3 or n })
            end
            check("i32", { 9 }, { 9 })
            check("f16", { 1, 1 }, { 1, 1 })
        end)

        it("multiplies long vectors", function()
            check_large(1, 5001, 3)
            check_large(1, 3001, 300)
            check_large(300, 3001, 1)
            check_large(1, 40, 5003)
            check("f32", { 2, 1, 2001 }, { 2, 2001, 3 })
        end)

        it("multiplies batches, with leading axes that broadcast #oclgrind", function()
            check("f32", { 3, 4, 5 }, { 3, 5, 6 })
            check("f32", { 3, 4, 5 }, { 5, 6 })
            check("f32", { 4, 5 }, { 3, 5, 6 })
            check("f32", { 2, 1, 4, 5 }, { 3, 5, 6 })
            check("f32", { 2, 1, 4, 5 }, { 1, 3, 5, 2 })
            check("f32", { 3, 4, 5 }, { 5 })
            check("f32", { 5 }, { 3, 5, 6 })
            check("i16", { 2, 3, 2 }, { 2, 2, 3 })
            check("f32", { 2, 1, 2, 1, 2, 1, 7, 3 }, { 2, 2, 1, 3, 5 })
            check("f32", { 70, 17, 17 }, { 70, 17, 17 })
            check("f32", { 2, 5, 3001 }, { 2, 3001, 3 })
        end)

        it("multiplies batches of views", function()
            local a, c = factors(dev, "f32", { 4, 6, 10, 9 }, { 7, 9, 6 })
            local stack = c:t() -- 6x9x7, with neighbours from one matrix to the next
            for _, pair in ipairs {
                { a:slice({ 4, 1, -2 }, { 2, 6, 2 }), stack:slice(3) },
                { a:slice(1), stack },
                { a:slice(nil, { 1, 1 }), stack },
                { a:slice(nil, nil, nil, { 9, 2, -1 }), stack:slice(nil, { 1, 8 }) },
                { a, a:slice(1, 1, 1) },
                { a:slice(1, 1, nil, 1), a },
                { stack:slice({ 6, 1, -1 }, { 1, 7 }), stack:slice(nil, { 2, 8 }) },
            } do
                local left, right = pair[1], pair[2]
                local expected, shape = reference.matmul(helper.flat(left), { left:shape() }, helper.flat(right),
                    { right:shape() }, "f32")
                helper.can(function()
                    helper.check_array(left:matmul(right, { variant = variant }), "f32", shape, expected)
                end)
            end
        end)

        it("makes zeros of inner sizes that are zero, and nothing of outer ones", function()
            check("f32", { 3, 0 }, { 0, 4 })
            check("f32", { 0 }, { 0 })
            check("f32", { 2, 3, 0 }, { 0, 2 })
            check("i32", { 2, 0 }, { 0, 2 })
            check("f32", { 0, 4 }, { 4, 3 })
            check("f32", { 4, 3 }, { 3, 0 })
            check("f32", { 0, 2, 2 }, { 2, 2 })
        end)

        it("rounds no more than its sums must", function()
            for _, name in ipairs(helper.dtypes(dev, "float")) do
                for _, sizes in ipairs { { 7, 9, 18 }, { 13, 200, 17 } } do
                    local m, k, n = table.unpack(sizes)
                    local a, b = numbers.some(m * k, name, 5), numbers.some(k * n, name, 6)
                    local expected, shape, tolerances = reference.matmul(a, { m, k }, b, { k, n }, name)
                    helper.can(function()
                        local got = helper.array(dev, a, { m, k }, name):matmul(helper.array(dev, b, { k, n }, name),
                            { variant = variant })
                        helper.check_array(got, name, shape, expected, tolerances)
                    end)
                end
            end
        end)

        it("takes views without a copy of theirs being seen #oclgrind", function()
            for _, sizes in ipairs { { 3, 4, 5 }, { 13, 18, 35 }, { 9, 73, 67 } } do
                local m, k, n = table.unpack(sizes)
                local a, b, a_flat, b_flat = factors(dev, "f32", { m, k }, { k, n })
                local expected = expected_product("f32", { m, k }, { k, n }, a_flat, b_flat)
                local wide = dev:full({ 3 * m, 2 * k + 3 }, 99)
                local strided = wide:slice({ 3 * m, 1, -3 }, { 3, 2 * k + 2, 2 })
                strided:write(a)
                local inner = dev:full({ k + 2, n + 7 }, 99):slice({ 2, k + 1 }, { 5, n + 4 })
                inner:write(b)
                for _, left in ipairs { a, a:t():contiguous():t(), strided } do
                    for _, right in ipairs { b, b:t():contiguous():t(), inner } do
                        helper.can(function()
                            helper.check_array(left:matmul(right, { variant = variant }), "f32", { m, n }, expected)
                        end)
                    end
                end
            end
        end)

        it("scales by alpha, and adds beta times out #oclgrind", function()
            for _, name in ipairs { "f32", "i32", "f16" } do
                local a, b, a_flat, b_flat = factors(dev, name, { 7, 5 }, { 5, 18 })
                local c = numbers.small(7 * 18, name, 4)
                for _, options in ipairs {
                    { alpha = 2 }, { alpha = -1, beta = 1 }, { beta = 3 }, { alpha = 0, beta = 2 }, { alpha = 0 },
                } do
                    local expected, shape = reference.matmul(a_flat, { 7, 5 }, b_flat, { 5, 18 }, name, options, c)
                    local out = helper.array(dev, c, { 7, 18 }, name)
                    helper.can(function()
                        assert.equal(out, a:matmul(b, { alpha = options.alpha, beta = options.beta, out = out,
                            variant = variant }))
                        helper.check_array(out, name, shape, expected)
                    end)
                end
            end
            helper.can(function()
                local a, b = factors(dev, "f32", { 9 }, { 9 })
                assert.equal(0.5 * a:matmul(b), a:matmul(b, { alpha = 0.5, variant = variant }))
                local out = dev:full({}, 10)
                assert.equal(out, a:matmul(b, { beta = 1, out = out, variant = variant }))
                assert.equal(10 + a:matmul(b), out:get())
            end)
        end)

        it("does so for sums in several pieces, of batches times a transposed matrix", function()
            for _, name in ipairs { "f32", "i16" } do
                local a, b, _, b_flat = factors(dev, name, { 1203, 10 }, { 2, 1203, 21 })
                local left, c = a:t(), numbers.small(2 * 10 * 21, name, 4)
                local out = helper.array(dev, c, { 2, 10, 21 }, name)
                local options = { alpha = -1, beta = 2, out = out, variant = variant }
                if helper.can(function() left:matmul(b, options) end) then
                    local expected, shape = reference.matmul(helper.flat(left), { 10, 1203 }, b_flat, { 2, 1203, 21 },
                        name, { alpha = -1, beta = 2 }, c)
                    helper.check_array(out, name, shape, expected)
                end
            end
        end)

        it("takes any alpha that an integer dtype holds", function()
            local function alpha_of(name, alpha)
                local one = dev:ones({ 1 }, name)
                return one:matmul(one, { alpha = alpha, variant = variant })
            end
            helper.can(function()
                assert.equal(255, alpha_of("u8", 255.0))
                assert.equal(-128, alpha_of("i8", -128))
                assert.equal(-1, alpha_of("u64", -1)) -- 2^64 - 1
                assert.equal(0x8ac7230489e80000, alpha_of("u64", 1e19))
                assert.equal(math.mininteger, alpha_of("i64", -2.0 ^ 63))
            end)
        end)

        it("with beta does so for batches, views and empty inner sizes", function()
            helper.can(function()
                local a, b = factors(dev, "f32", { 2, 3, 4 }, { 4, 5 })
                local product = a:matmul(b)
                local out = dev:ones({ 5, 3, 2 }):t()
                a:matmul(b, { beta = 2, out = out, variant = variant })
                local expected = helper.flat(product)
                for i, x in ipairs(expected) do
                    expected[i] = x + 2
                end
                helper.check_array(out, "f32", { 2, 3, 5 }, expected)
                local kept = dev:ones { 2, 2 }
                dev:zeros({ 2, 0 }):matmul(dev:zeros { 0, 2 }, { beta = 3, out = kept, variant = variant })
                helper.check_array(kept, "f32", { 2, 2 }, { 3.0, 3.0, 3.0, 3.0 })
            end)
        end)

        it("with beta zero never reads out #oclgrind", function()
            for _, sizes in ipairs { { 1, 1, 1 }, { 6, 4, 16 }, { 7, 5, 17 } } do
                local m, k, n = table.unpack(sizes)
                local a, b, a_flat, b_flat = factors(dev, "f32", { m, k }, { k, n })
                local expected = expected_product("f32", { m, k }, { k, n }, a_flat, b_flat)
                helper.can(function()
                    local out = dev:full({ m, n }, NAN)
                    a:matmul(b, { beta = 0, out = out, variant = variant })
                    helper.check_array(out, "f32", { m, n }, expected)
                end)
            end
        end)

        it("spreads NaN and infinities along their row and column only", function()
            local m, k, n = 9, 10, 20
            local a, b, a_flat, b_flat = factors(dev, "f32", { m, k }, { k, n })
            for _, bad in ipairs { NAN, INFINITY } do
                a:set(bad, 4, 5)
                helper.can(function()
                    local got = a:matmul(b, { variant = variant })
                    local expected = reference.matmul(helper.flat(a), { m, k }, b_flat, { k, n }, "f32")
                    helper.check_array(got, "f32", { m, n }, expected)
                end)
                a:set(a_flat[3 * k + 5], 4, 5)
            end
        end)

        it("wraps integers", function()
            helper.can(function()
                local options = { variant = variant }
                local a, b = dev:full({ 2, 3 }, 100, "i8"), dev:full({ 3, 2 }, 3, "i8")
                helper.check_array(a:matmul(b, options), "i8", { 2, 2 }, { -124, -124, -124, -124 }) -- 900 - 4 * 256
                local c = dev:full({ 1, 2 }, math.maxinteger, "i64")
                helper.check_array(c:matmul(dev:ones({ 2, 1 }, "i64"), options), "i64", { 1, 1 }, { -2 })
                local d = dev:full({ 1, 1 }, -1, "u64")
                helper.check_array(d:matmul(d, options), "u64", { 1, 1 }, { 1 })
            end)
        end)

        it("of two dtypes is in the one that holds both", function()
            helper.can(function()
                local options = { variant = variant }
                local function product(a, b, shape, dtype, expected)
                    helper.check_array(a:matmul(b, options), dtype, shape, expected)
                end
                local a = dev:array({ { 1, 2, 3 }, { 4, 5, 6 } }, "u8")
                local b = dev:array({ { 1, 0 }, { 0, -1 }, { 100, 1 } }, "i8")
                product(a, b, { 2, 2 }, "i16", { 301, 1, 604, 1 })
                product(b, a, { 3, 3 }, "i16", { 1, 2, 3, -4, -5, -6, 104, 205, 306 })
                product(a, b:cast("f32") * 0.5, { 2, 2 }, "f32", { 150.5, 0.5, 302.0, 0.5 })
                product(b:cast("bf16"):t(), a:cast("f16"):t(), { 2, 2 }, "f32", { 301.0, 604.0, 1.0, 1.0 })
                product(dev:array({ { -1, 5 } }, "u64"), dev:array({ { -1 }, { 1 } }, "i64"), { 1, 1 }, "i64", { 6 })
                -- Integers that f16 cannot hold, and products that it can; out is f16 and a view.
                local large = dev:array({ { 70000, 2 }, { 3, 4 } }, "i32")
                local half = dev:array({ { 0.5, 0 }, { 0, 1 } }, "f16")
                product(large, half, { 2, 2 }, "f16", { 35008.0, 2.0, 1.5, 4.0 })
                local out = dev:ones({ 2, 2 }, "f16"):t()
                half:matmul(large, { out = out, alpha = 0.5, beta = 2, variant = variant })
                helper.check_array(out, "f16", { 2, 2 }, { 17504.0, 2.5, 3.5, 4.0 })
                product(dev:zeros({ 2, 0 }, "i8"), dev:zeros({ 0, 2 }, "f16"), { 2, 2 }, "f16", { 0.0, 0.0, 0.0, 0.0 })
                helper.refused("matmul: out is f32; the product is f16", half, large, { out = dev:zeros { 2, 2 } })
            end)
        end)

        it("leaves a matrix times the identity as it is", function()
            helper.can(function()
                local a = dev:random({ 31, 45 }, { seed = 1 })
                assert.equal(a:tobytes(), a:matmul(dev:eye(45), { variant = variant }):tobytes())
                assert.equal(a:tobytes(), dev:eye(31):matmul(a, { variant = variant }):tobytes())
            end)
        end)

        it("turns with its factors: (AB)^T = B^T A^T", function()
            local a, b = factors(dev, "f32", { 50, 41 }, { 41, 67 })
            helper.can(function()
                local product = a:matmul(b, { variant = variant })
                assert.equal(product:t():tobytes(), b:t():matmul(a:t(), { variant = variant }):tobytes())
            end)
        end)

        it("gives the same bits every time", function()
            helper.can(function()
                local a, b = dev:random({ 100, 333 }, { seed = 1 }), dev:random({ 333, 77 }, { seed = 2 })
                local bytes = a:matmul(b, { variant = variant }):tobytes()
                for _ = 1, 5 do
                    assert.equal(bytes, a:matmul(b, { variant = variant }):tobytes())
                end
            end)
        end)
    end)
end)

helper.each_device(function(dev, name)
    if dev:info().type == "cpu" then
        describe("matmul on " .. name, function()
            it("can run the kernels for GPUs, so that they are checked without one", function()
                local able, info = {}, dev:info()
                for _, variant in ipairs(dev:variants("matmul")) do
                    able[variant] = true
                end
                -- PoCL 5.0 builds some of them wrongly.
                local trusted = not (info.platform == "Portable Computing Language" and info.driver:find "^5%.0")
                assert.equal(trusted, able.gpu == true and able.thin == true)
            end)
        end)
    end
end)
