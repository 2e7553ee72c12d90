-- Sums whose bits do not depend on the order: accurate and reproducible reductions, against exact arithmetic.

local exact = require "spec.reduce.exact_sums"
local helper = require "spec.helper"
local nist = require "spec.reduce.nist"
local numbers = require "spec.numbers"

local it = helper.one_in(4, it)

local NAN, INFINITY = 0 / 0, math.huge
-- Programs for vectors take seconds to build, so one variant has all ops, and the others those with different states:
-- sums of values with those of squares, which also give a sum, and each of them by itself.
local ALL = { "sum", "asum", "nansum", "mean", "sumsq", "norm", "var", "std" }
local SOME = { f64 = { "sum", "std" }, f32 = { "mean", "norm" } }
-- A group's size is a part of its programs, and building them for PoCL takes half a minute: most with LUNARRAY_LONG
-- alone.
local LONG = os.getenv "LUNARRAY_LONG"
local SIZES, SHAPES = { 1, 2, 31, 32, 33, 1000, 5003 }, { { 37, 41 }, { 5, 700 }, { 700, 5 } }
local function of_variant(variant, all, some) return (LONG or variant == "cpu") and all or some end

-- Numbers of the dtype over 2^-spread .. 2^spread, whose sum is small beside them.
local function material(count, dtype, spread, seed)
    local random, list = numbers.generator(seed), {}
    for i = 1, count do
        local size = random(1 << 51, 1 << 52) * 2.0 ^ (random(-spread, spread) - 52)
        list[i] = numbers.round(i % 2 == 0 and size or -size, dtype)
    end
    return list
end

local function bytes(x, dtype) return string.pack(dtype == "f32" and "<f" or "<d", x) end

local function hex(text) return (text:gsub(".", function(c) return ("%02x"):format(c:byte()) end)) end

local function check_bits(wanted, got, dtype, what)
    if bytes(wanted, dtype) ~= bytes(got, dtype) then
        error(("%s: %.17g (%s), wanted %.17g (%s)"):format(what, got, hex(bytes(got, dtype)), wanted,
            hex(bytes(wanted, dtype))), 2)
    end
end

-- The results of ops over an axis, or over all (0): a list of lists.
local function results(dev, array, ops, axis, variant)
    local all
    local can = helper.can(function()
        all = { dev:reduce(ops, "x", { x = array },
            { axis = axis > 0 and axis or nil, variant = variant, reproducible = true }) }
    end)
    for k = 1, can and #ops or 0 do
        all[k] = axis > 0 and helper.flat(all[k]) or { all[k] }
    end
    return can and all
end

-- The list of a place's elements: of row-major `list` of rows x columns, along an axis (0: all).
local function place(list, columns, axis, i)
    local taken = {}
    for at, x in ipairs(list) do
        local row, column = (at - 1) // columns + 1, (at - 1) % columns + 1
        if axis == 0 or axis == 1 and column == i or axis == 2 and row == i then
            taken[#taken + 1] = x
        end
    end
    return taken
end

-- Compares the ops' results with exact arithmetic, bit by bit.
local function check(dev, list, shape, dtype, axis, ops, variant)
    local given = dtype == "f64" and "f64" or "f32"
    local places = axis == 0 and 1 or shape[3 - axis]
    local got = results(dev, dev:array(list, dtype, shape), ops, axis, variant)
    for i = 1, got and places or 0 do
        local elements = place(list, shape[2] or 1, axis, i)
        for k, op in ipairs(ops) do
            check_bits(exact.reductions[op](elements, given), got[k][i], given,
                ("%s %d of %s %s along %d by %s"):format(
                op, i, table.concat(shape, "x"), dtype, axis, variant))
        end
    end
end

helper.each_device(function(dev, title)
    if not dev:info().fp64 then
        return
    end
    describe("a reproducible reduction on " .. title, function()
        local variants = helper.variants(dev, "map") -- the names are the same

        for _, variant in ipairs(variants) do
            it("has the bits of exact arithmetic, by variant " .. variant, function()
                for _, dtype in ipairs(helper.some { "f64", "f32" }) do
                    local ops = variant == "plain" and dtype == "f64" and ALL or SOME[dtype]
                    local spread = dtype == "f64" and 12 or 6
                    for number, size in ipairs(of_variant(variant, SIZES, dtype == "f64" and { 1, 33, 5003 } or
                        { 5003 })) do
                        check(dev, material(size, dtype, spread, number), { size }, dtype, 0, ops, variant)
                    end
                    for number, shape in ipairs(dtype == "f64" and of_variant(variant, SHAPES, { { 37, 41 } }) or {}) do
                        local list = material(shape[1] * shape[2], dtype, spread, number)
                        check(dev, list, shape, dtype, 1, ops, variant)
                        check(dev, list, shape, dtype, 2, ops, variant)
                    end
                end
            end)
        end

        for _, variant in ipairs(variants) do
            local function same(list, dtype, wanted, ops)
                local got = results(dev, dev:array(list, dtype), ops, 0, variant)
                for k = 1, got and #ops or 0 do
                    helper.check_number(wanted[k], got[k][1], 0, ("%s by %s"):format(ops[k], variant))
                end
            end

            it("lets NaN and infinities spread, wherever they are, by variant " .. variant, function()
                for _, n in ipairs { 1, 33, 5003 } do
                    for _, at in ipairs { 1, n // 2 + 1, n } do
                        local list = material(n, "f64", 3, n)
                        list[at] = NAN
                        same(list, "f64", { NAN, NAN }, SOME.f64)
                        list[at] = -INFINITY
                        same(list, "f64", { -INFINITY, NAN }, SOME.f64)
                        list[n] = n > at and INFINITY or list[n]
                        same(list, "f64", { n > at and NAN or -INFINITY, NAN }, SOME.f64)
                    end
                end
                same({ 3, INFINITY, -INFINITY }, "f32", { NAN, INFINITY }, SOME.f32)
            end)

            it("reaches the ends of the range, by variant " .. variant, function()
                local big, tiny = 2.0 ^ 1023, 2.0 ^ -1074
                same({ big, big, -big }, "f64", { big, exact.reductions.std({ big, big, -big }, "f64") }, SOME.f64)
                same({ big, big }, "f64", { INFINITY, 0.0 }, SOME.f64)
                same({ tiny, tiny, tiny }, "f64", { 3 * tiny, 0.0 }, SOME.f64)
                same({ -0.0, -0.0 }, "f64", { 0.0, 0.0 }, SOME.f64)
                same({ 2.0 ^ -149, 2.0 ^ -148, 0 }, "f32", { 2.0 ^ -149, 2.0 ^ -148 }, SOME.f32)
                same({ 2.0 ^ 127, -2.0 ^ 127 }, "f32", { 0.0, numbers.round(2.0 ^ 127.5, "f32") }, SOME.f32)
                same({ 1.5 * 2.0 ^ 127, 1.5 * 2.0 ^ 127 }, "f32", { 1.5 * 2.0 ^ 127, INFINITY }, SOME.f32)
                same({ 3 * 2.0 ^ 120, 4 * 2.0 ^ 120 }, "f32", { 3.5 * 2.0 ^ 120, 5 * 2.0 ^ 120 }, SOME.f32)
            end)

            -- Sums that are tiny beside the numbers, and deviations that are tiny beside the mean: condition numbers
            -- above 10^12.
            it("is exact where much cancels, by variant " .. variant, function()
                local list = material(2500, "f64", 10, 5)
                for i = 1, 2500 do
                    list[2500 + i] = -list[i]
                end
                list[5001] = 2.0 ^ -31 + 2.0 ^ -70
                check(dev, list, { 5001 }, "f64", 0, SOME.f64, variant)
                for i, x in ipairs(list) do
                    list[i] = 1e12 + numbers.round(x, "f32")
                end
                check(dev, list, { 5001 }, "f64", 0, SOME.f64, variant)
            end)

            -- Below the last bin of the greatest number all is dropped, whatever came before it.
            it("has the same bits in any order, also where numbers lie far apart, by variant " .. variant, function()
                for _, dtype in ipairs(helper.some { "f64", "f32" }) do
                    local list = material(5003, dtype, dtype == "f64" and 500 or 60, 8)
                    local first
                    for turn = 1, 3 do
                        local got = results(dev, dev:array(list, dtype), SOME[dtype], 0, variant)
                        first = first or got
                        for k = 1, got and 2 or 0 do
                            check_bits(first[k][1], got[k][1], dtype, "turn " .. turn)
                        end
                        table.sort(list, turn == 1 and function(a, b) return math.abs(a) < math.abs(b) end
                            or function(a, b) return a > b end)
                    end
                    local plain = results(dev, dev:array(list, dtype), SOME[dtype], 0, "plain")
                    for k = 1, first and 2 or 0 do
                        check_bits(plain[k][1], first[k][1], dtype, variant)
                    end
                end
            end)
        end

        -- Blocks of values near each other, whose sums CPUs make without slices, beside blocks that need them, zeros,
        -- and greater values than all before; what is left when all cancels is small.
        it("has the bits of exact arithmetic for values of few digits, in blocks of any magnitude", function()
            for turn = 1, 3 do
                local random, list = numbers.generator(turn), {}
                for block = 1, 24 do
                    local from = random(-24, 24)
                    local to = from + random(0, 24 - from) // (block % 3 + 1)
                    for _ = 1, random(1, 400) do
                        local x = random(1 << 51, 1 << 52) * 2.0 ^ (random(from, to) - 52)
                        list[#list + 1] = random(1, 10) == 1 and 0.0 or numbers.round(x, "f32")
                    end
                end
                local n = #list
                for i = 1, n do
                    list[2 * n + 1 - i] = turn == 1 and list[i] or -list[i]
                end
                list[2 * n + 1] = 2.0 ^ -28
                check(dev, list, { 2 * n + 1 }, "f32", 0, { "sum", "std" }, variants[1])
                check(dev, list, { 2 * n + 1 }, "f32", 0, { "norm" }, variants[1])
            end
        end)

        it("has the bits of exact arithmetic where a leaf's values are too far apart to be summed straight", function()
            local random = numbers.generator(3)
            for _, seldom in ipairs { 5, 101 } do -- in each lane, or in one of them
                local list = {}
                for i = 1, 3001 do
                    list[i] = random(1, seldom) == 1 and (1 - 2.0 ^ -24) * 2.0 ^ -22 or (1 - 2.0 ^ -24) * 2.0 ^ 6
                end
                for i = 1, 3000 do -- only the small ones are left
                    list[3001 + i] = list[i] > 1 and -list[i] or list[i]
                end
                check(dev, list, { 6001 }, "f32", 0, { "sum", "std" }, variants[1])
            end
        end)

        -- A lane of a leaf has 1 + 2^-23 beside seven numbers below 2^28, whose sum in doubles loses 2^-23; only odd
        -- lanes have it. Later all but 128 + 2^-16 cancels.
        it("has the bits of exact arithmetic where some lanes of a leaf are too far apart for doubles", function()
            local list, large, small = {}, 2.0 ^ 28 - 2.0 ^ 4, 1 + 2.0 ^ -23
            for _ = 1, 64 do
                for sign = 1, -1, -2 do
                    for i = 1, 128 do
                        local odd = i <= 4 and i % 2 == 0
                        list[#list + 1] = odd and (sign > 0 and small or 0.0) or sign * large
                    end
                end
            end
            assert.equal(128 + 2.0 ^ -16, exact.reductions.sum(list, "f32"))
            for _, variant in ipairs(variants) do
                check(dev, list, { #list }, "f32", 0, { "sum" }, variant)
            end
        end)

        it("has the bits of exact arithmetic down columns of different magnitudes", function()
            local random, list, rows, columns = numbers.generator(9), {}, 300, 67
            for i = 1, rows * columns do
                local column = (i - 1) % columns
                local x = random(1 << 51, 1 << 52) * 2.0 ^ (random(-20, -20 + column // 2) - 52)
                list[i] = numbers.round(random(0, 1) == 1 and x or -x, "f32")
            end
            for column = 1, columns, 2 do -- behind the last leaf of rows
                list[(rows - 2) * columns + column], list[(rows - 1) * columns + column] = 2.0 ^ 30, -2.0 ^ 30
            end
            check(dev, list, { rows, columns }, "f32", 1, { "sum", "std" }, variants[1])
        end)

        it("has the same bits for many short rows, whatever the variant", function()
            local rows = 128 * dev:info().units + 3 -- enough for a work-item to a row on a GPU
            for _, columns in ipairs { 32, 39, 100, 1001 } do
                local a = dev:random({ rows, columns }, { seed = columns, low = -1 })
                a:slice({ 1, rows, 3 }, {}):mul_(dev:random({ columns }, { seed = 2, low = -60, high = 60 }):exp2())
                for _, view in ipairs { a, a:slice({}, { columns, 1, -1 }) } do
                    local wanted
                    for _, variant in ipairs(variants) do
                        local given, got = { axis = 2, reproducible = true, variant = variant }, nil
                        if helper.can(function()
                                got = { dev:reduce({ "sum", "var", "norm" }, "x", { x = view }, given) }
                            end) then
                            wanted = wanted or got
                            for k, result in ipairs(got) do
                                assert.is_true(wanted[k]:tobytes() == result:tobytes(), variant)
                            end
                        end
                    end
                end
            end
        end)

        it("drops the same of a value whether a greater one comes before it or behind it", function()
            for _, variant in ipairs(variants) do
                local first = results(dev, dev:array { 1e-6, 1e30, -1e30 }, { "mean", "norm" }, 0, variant)
                local last = results(dev, dev:array { 1e30, -1e30, 1e-6 }, { "mean", "norm" }, 0, variant)
                assert.same(first, last)
                assert.is_true(not first or first[1][1] > 3e-7)
            end
            local a = dev:array { 1e-20, 1e30, -1e30 }
            assert.equal(a:flip():sum { reproducible = true }, a:sum { reproducible = true })
        end)

        it("takes integers and floats of 16 bits", function()
            local list = {}
            for i = 1, 3000 do
                list[i] = i * 37 % 4001 - 2000
            end
            local a = dev:array(list, "i16")
            assert.equal(exact.reductions.mean(list, "f64"), a:mean { reproducible = true })
            local short = a:cast "f16"
            assert.equal(exact.reductions.sum(helper.flat(short), "f32"), short:sum { reproducible = true })
        end)

        -- Made once by spec/elementwise/exact.lua: no device's bits.
        it("has these bits", function()
            local a = dev:array(material(5003, "f64", 12, 7), "f64")
            local b = dev:array(material(5003, "f32", 6, 7), "f32")
            local sum, std = dev:reduce({ "sum", "std" }, "x", { x = a }, { reproducible = true })
            local mean, norm = dev:reduce({ "mean", "norm" }, "x", { x = b }, { reproducible = true })
            assert.same({ "0x1.3c0f86723567ep+12", "0x1.5d6a2590e6783p+9", "-0x1.4d711cp-4", "0x1.161eccp+10" },
                { ("%a"):format(sum), ("%a"):format(std), ("%a"):format(mean), ("%a"):format(norm) })
        end)

        it("has the same bits for every layout of the same values", function()
            local list = material(39 * 51, "f32", 60, 3)
            local a = dev:array(list, "f32", { 39, 51 })
            local wide = dev:zeros { 78, 153 }
            local odd = wide:slice({ 78, 1, -2 }, { 2, 153, 3 })
            odd:write(a)
            local wanted, columns = a:sum { reproducible = true }, a:sum({ axis = 1, reproducible = true }):tobytes()
            assert.equal(wanted, a:t():contiguous():t():sum { reproducible = true })
            assert.equal(wanted, odd:sum { reproducible = true })
            assert.equal(columns, odd:sum({ axis = 1, reproducible = true }):tobytes())
            local same = a:reshape(13, 3, 51):sum { axis = { 1, 3, 2 }, reproducible = true, keepdims = true }
            assert.equal(wanted, same:get(1, 1, 1))
            for _, variant in ipairs(variants) do -- rows that are short, and lie apart
                local given = { reproducible = true, variant = variant }
                helper.can(function() assert.equal(wanted, dev:reduce("sum", "x", { x = odd }, given)) end)
                given.axis = 1
                helper.can(function() assert.equal(columns, dev:reduce("sum", "x", { x = odd }, given):tobytes()) end)
            end
        end)

        it("has the same bits where small values follow large ones, whatever the variant", function()
            local list = material(20000, "f32", 3, 5)
            for i = 1, #list do
                list[i] = (i % 100 == 1 and i <= 8000) and list[i] or numbers.round(list[i] * 2.0 ^ -50, "f32")
            end
            for _, op in ipairs { "sum", "norm", "var" } do
                local wanted
                for _, variant in ipairs(variants) do
                    local given, got = { reproducible = true, variant = variant }, nil
                    if helper.can(function() got = dev:reduce(op, "x", { x = dev:array(list) }, given) end) then
                        wanted = wanted or got
                        assert.equal(wanted, got, variant)
                    end
                end
            end
        end)

        it("is within 2 units in the last place of NIST's certified values, as far as f64 holds the data", function()
            for _, set in ipairs(nist) do
                local x, n = dev:array(set.data, "f64"), #set.data
                local options = { accurate = true, ddof = 1 }
                local mean, std = dev:reduce({ "mean", "std" }, "x", { x = x }, options)
                check_bits(exact.reductions.mean(set.data, "f64"), mean, "f64", "mean of " .. set.name)
                check_bits(exact.reductions.std(set.data, "f64", 1), std, "f64", "std of " .. set.name)
                -- Fifteen digits are certified. The data are rounded to f64, by 2^-53 of their size.
                local stored = 2.0 ^ -53 * math.abs(set.mean) / set.std
                assert.near(set.mean, mean, 1e-14 * math.abs(set.mean))
                assert.near(set.std, std, (1e-14 + stored) * set.std)
                local d = x - mean
                local both = dev:reduce("sum", "x*y", { x = d:slice { 1, n - 1 }, y = d:slice { 2, n } }, options)
                local found = both / d:sumsq { accurate = true }
                assert.near(set.autocorrelation, found, 1e-14 + 4 * stored, set.name)
            end
        end)

        -- A product of two numbers is a number and an error, itself a number.
        it("adds up products without rounding them, where an expression has their errors too", function()
            local n = 1000
            local a, b = material(n, "f64", 9, 4), material(n, "f64", 9, 5)
            for i = 1, n // 2 do
                a[n + 1 - i], b[n + 1 - i] = a[i], -b[i] * (1 + 2.0 ^ -40)
            end
            local products, errors = dev:reduce("sum", { "x*y", "fma(x, y, -(x*y))" },
                { x = dev:array(a, "f64"), y = dev:array(b, "f64") }, { reproducible = true, variant = "plain" })
            local wanted = exact.dot(a, b, "f64")
            assert.near(wanted, products + errors, 2 * numbers.dtype.f64.eps * math.abs(wanted))
            local x, y = material(n, "f32", 9, 4), material(n, "f32", 9, 5)
            check_bits(exact.dot(x, y, "f64"), dev:reduce("sum", "(double)x * y", { x = dev:array(x),
                y = dev:array(y) },
                { reproducible = true, dtype = "f64", variant = "plain" }), "f64", "products of f32")
        end)

        it("takes integers: sums wrap as without it, means do not round before the end", function()
            local list = { 2147483647, -2147483648, 5, 2147483647 }
            local a = dev:array(list, "i32")
            assert.equal(a:sum(), a:sum { reproducible = true })
            assert.equal(exact.reductions.mean(list, "f64"), a:mean { reproducible = true, variant = "plain" })
            assert.equal(3, dev:array({ 1, 3 }, "i32"):reduce("prod", { accurate = true }))
        end)

        it("takes out, keepdims and lists of ops", function()
            local a, out = dev:array({ { 1, 2 }, { 3, 4 } }, "f64"), dev:zeros({ 2 }, "f64")
            assert.equal(out, a:sum { axis = 1, out = out, accurate = true, variant = "plain" })
            assert.same({ 4.0, 6.0 }, out:totable())
            helper.check_array(a:mean { axis = 2, keepdims = true, accurate = true, variant = "plain" }, "f64", { 2,
                1 },
                { 1.5, 3.5 })
            assert.same({ 10.0, 1.0, 2.5 }, { a:reduce({ "sum", "min", "mean" }, { reproducible = true,
                variant = "plain" }) })
            assert.equal(10.0, a:sum({ reproducible = true, async = true, variant = "plain" }):get())
        end)

        it("of nothing is what it is without the option", function()
            local none = dev:zeros { 0 }
            assert.same({ 0.0, 0.0, 0.0 }, { none:sum { accurate = true }, none:norm { accurate = true },
                none:sumsq { reproducible = true } })
            helper.refused("mean: mean of no elements: the reduced extent of shape 0 is 0",
                none, { reproducible = true })
        end)

        it("refuses ops that round at every step", function()
            helper.refused("reduce: reproducible: prod of f32 rounds at every step; only sums, means, variances "
                .. "and norms have this option", dev:ones({ 2 }), "prod", { reproducible = true })
            helper.refused("reduce: accurate: prod of f64 rounds",
                dev, { "sum", "prod" }, "x", { x = dev:ones({ 2 }, "f64") }, { accurate = true })
        end)
    end)
end)

describe("lun.with { reproducible = true }", function()
    local lun = require "lunarray"
    local with = lun.with { reproducible = true }

    it("gives what does not depend on the number of threads", function()
        local script = [[
            local lun = require "lunarray"
            local x, m = lun.random({ 50003 }, { seed = 1 }) - 0.5, lun.random({ 67, 301 }, { seed = 2 })
            local at = lun.randint({ 50003 }, 1, 50, { seed = 3 })
            local fused = lun.fuse(function(a) return (a * a):sum() end)
            fused(x)
            lun.with { reproducible = true } (function()
                for _, each in ipairs { x:cumsum(), x:scan { combine = "a + b" },
                    m:cumprod { axis = 1, reverse = true }, m:matmul(m:t()), m:matmul(m:t():cast "c64"),
                    m:cov(), m:softmax(), lun.einsum("ij,kj->ik", m, m),
                    lun.zeros { 60 }:add_at(at, x), lun.array { x:sum(), x:mean(), x:std(), x:dot(x), fused(x),
                    x:reduce "norm", x:sum { where = x:gt(0) } } } do
                    print((each:tobytes():gsub(".", function(c) return ("%02x"):format(c:byte()) end)))
                end
            end)
        ]]
        local one = helper.child(script, { env = { POCL_MAX_PTHREAD_COUNT = "1", LUNARRAY_COMPANION = "0" } })
        assert.is_true(one == helper.child(script, { env = { POCL_MAX_PTHREAD_COUNT = "2" } }))
    end)

    it("sums products one after the other, each rounded, and scans in parts of 4096", function()
        local a, b, sum = material(300, "f32", 3, 1), material(300, "f32", 3, 2), 0.0
        for i = 1, #a do
            sum = numbers.round(sum + numbers.round(a[i] * b[i], "f32"), "f32")
        end
        local x, y = lun.array(a):reshape(1, 300), lun.array(b):reshape(300, 1)
        assert.equal(sum, with(function() return x:matmul(y):get(1, 1) end))
        assert.equal(sum, x:matmul(y, { variant = "reproducible" }):get(1, 1))
        local list = lun.random({ 3 * 4096 + 5 }, { seed = 1 })
        local whole, part = with(function() return list:cumsum(), list:slice { 1, 4096 }:cumsum() end)
        assert.is_true(whole:slice { 1, 4096 }:equal(part))
        assert.is_true((whole:cast "f64" - list:cast "f64":cumsum()):abs():max() < 1e-3)
    end)

    it("sets the option of reductions, which a call or an inner scope may take back", function()
        local x = lun.array(material(5003, "f32", 30, 5))
        local plain, exactly = x:sum { variant = "plain" }, x:sum { reproducible = true }
        assert.not_equal(plain, exactly)
        local same, own, inner, dtype, kept = with(function()
            return x:sum(), x:sum { reproducible = false, variant = "plain" },
                lun.with { reproducible = false } (x.sum, x, { variant = "plain" }),
                lun.with "f64"(function() return x:sum() end), lun.with { dtype = "f64" } (lun.default_dtype)
        end)
        assert.same({ exactly, plain, plain, exactly, "f64" }, { same, own, inner, dtype, kept })
        assert.equal(plain, x:sum { variant = "plain" })
    end)

    it("changes nothing where the order does not matter", function()
        local i, x = lun.arange(5), lun.array { 3, 1, 2 }
        with(function()
            assert.same({ 15, 120, 3.0, 2.0 }, { i:sum(), i:prod(), x:max(), x:median() })
            helper.check_array(i:cumsum(), "i64", { 5 }, { 1, 3, 6, 10, 15 })
            helper.check_array(x:sort(), "f32", { 3 }, { 1.0, 2.0, 3.0 })
            assert.equal(5, i:bincount():sum())
        end)
    end)

    it("refuses what has no such form", function()
        local x, m = lun.ones { 4 }, lun.eye(4)
        local function refuse(name, wanted, f)
            local ok, message = pcall(with, f)
            assert.matches("lunarray: " .. name .. ": " .. wanted, not ok and tostring(message) or "", 1, true)
        end
        local varies = "reproducible: its results depend on the device, and it has no such form; sums, means, "
            .. "variances, norms, scans and matrix products have"
        for name, f in pairs {
            fft = function() return x:fft() end,
            det = function() return m:det() end,
            polyfit = function() return x:polyfit(x, 1) end,
            gravity = function() return m:gravity() end,
            simulation = function() return lun.simulation(m, m, { dt = 1 }) end,
            cg = function() return lun.cg(m, x) end,
            bincount = function() return lun.arange(4):bincount { weights = x } end,
            matmul = function() return m:sparse():matmul(x) end,
        } do
            refuse(name, varies, f)
        end
        refuse("prod", "reproducible: prod of f32 rounds at every step", function() return x:prod() end)
        refuse("nanmean", "reproducible: nanmean of f32 rounds", function() return x:nanmean() end)
        refuse("reduce", "accurate, reproducible and ddof are options of the library's ops", function()
            return x:reduce { combine = "a + b", identity = "0" }
        end)
        assert.equal(1.0, x:prod())
    end)
end)
