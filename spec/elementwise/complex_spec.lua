-- Complex numbers: values in Lua, arrays of c64 and c128, and what refuses them by name.

local helper = require "spec.helper"
local lun = require "lunarray"
local numbers = require "spec.numbers"

local it = helper.one_in(3, it)

local EPS = { c64 = 2 ^ -23, c128 = 2 ^ -52 }

-- ---- the reference: pairs of plain Lua numbers --------------------------------------------------------------

local function pair(re, im)
    return { re, im }
end

local plain = {
    add = function(a, b) return pair(a[1] + b[1], a[2] + b[2]) end,
    sub = function(a, b) return pair(a[1] - b[1], a[2] - b[2]) end,
    mul = function(a, b) return pair(a[1] * b[1] - a[2] * b[2], a[1] * b[2] + a[2] * b[1]) end,
    div = function(a, b)
        local square = b[1] * b[1] + b[2] * b[2]
        return pair((a[1] * b[1] + a[2] * b[2]) / square, (a[2] * b[1] - a[1] * b[2]) / square)
    end,
}

-- Small halves, so that sums and products of a few are exact.
local function some(count, seed)
    local random, list = numbers.generator(seed), {}
    for i = 1, count do
        list[i] = pair(random(-8, 8) / 2, random(-8, 8) / 2)
    end
    return list
end

local function values(pairs_)
    local list = {}
    for i, z in ipairs(pairs_) do
        list[i] = lun.complex(z[1], z[2])
    end
    return list
end

-- Compares an array, or one number, with pairs; each part may be off by that share of the larger one's size.
local function check(expected, actual, share)
    local list = lun.type(actual) == "array" and helper.flat(actual) or { actual }
    assert.equal(#expected, #list)
    for i, z in ipairs(expected) do
        local size = math.max(math.abs(z[1]), math.abs(z[2]))
        assert.is_true(math.abs(list[i].re - z[1]) <= share * size and math.abs(list[i].im - z[2]) <= share * size,
            ("%d: %s is needed, got %s"):format(i, lun.complex(z[1], z[2]), list[i]))
    end
end

-- ---- values ---------------------------------------------------------------------------------------------------

describe("a complex number", function()
    it("has parts and methods, and is shown as it is written", function()
        local z = lun.complex(3, -4)
        assert.same({ 3.0, -4.0, 5.0 }, { z.re, z.im, z:abs() })
        assert.equal(math.atan(-4, 3), z:arg())
        assert.equal("3+4i", tostring(z:conj()))
        assert.equal("0+1i", tostring(lun.i))
        assert.equal("2+0i", tostring(lun.complex(2)))
        assert.equal("0.1-1e+300i", tostring(lun.complex(0.1, -1e300)))
        assert.equal("complex", lun.type(z))
    end)

    it("is computed with", function()
        local z, w = lun.complex(1, 2), lun.complex(3, -1)
        assert.equal("4+1i 5+5i 0.1+0.7000000000000001i -2+3i", ("%s %s %s %s"):format(z + w, z * w, z / w, z - w))
        assert.equal("3+2i 2+4i -1-2i 0.5+1i", ("%s %s %s %s"):format(z + 2, 2 * z, -z, z / 2))
        assert.equal("-3+4i", tostring(z ^ 2))
        assert.equal("1+0i", tostring(z ^ 0))
        assert.equal("0.2-0.4i", tostring(z ^ -1))
        assert.is_true(math.abs((lun.i ^ 0.5).re - math.sqrt(0.5)) < 1e-15)
        assert.is_true(lun.i * lun.i == lun.complex(-1, 0))
        assert.is_false(lun.i == lun.complex(0, 2))
    end)

    it("is told what it takes", function()
        helper.raises("complex: argument 1: a number is needed, got a string", function() lun.complex "1" end)
        helper.raises("complex: argument 2: a number is needed, got a boolean", function() lun.complex(1, true) end)
        helper.raises("a < b or a > b: complex numbers have no order; compare z:abs(), z.re or z.im", function()
            return lun.i < lun.i
        end)
        helper.raises("a <= b or a >= b: complex numbers have no order; compare z:abs(), z.re or z.im", function()
            return lun.i <= lun.i
        end)
        helper.raises("a + b: arrays and numbers are needed on both sides, got a string", function()
            return lun.i + "x"
        end)
        helper.raises("real: a complex number has no such method", function() return lun.i.real end)
        helper.raises("re: a complex number cannot be assigned to", function() lun.i.re = 1 end)
    end)
end)

-- ---- arrays ---------------------------------------------------------------------------------------------------

helper.each_complex(function(dev, dtype, title)
    local eps = EPS[dtype]

    describe("an array of " .. title, function()
        it("is made of numbers, complex or not, and gives complex ones", function()
            local z = lun.complex(1.5, -2)
            local a = dev:array({ { z, 2 }, { 0.5, lun.i } }, dtype)
            assert.same({ dtype, dtype == "c64" and 32 or 64 }, { a:dtype(), a:nbytes() })
            assert.is_true(a:get(1, 1) == z and a:totable()[2][2] == lun.i and a:get(1, 2) == lun.complex(2))
            a:set(z, 2, 1)
            assert.is_true(a:get(2, 1) == z)
            assert.equal(("array 2x2 %s\n[[1.5-2i,   2+0i],\n [1.5-2i,   0+1i]]"):format(dtype), tostring(a))
            assert.is_true(dev:full({ 3 }, z, dtype):get(3) == z and a:copy():fill(z):get(1, 2) == z)
            assert.is_true(dev:zeros({ 1 }, dtype):get(1) == lun.complex(0) and dev:eye(2, dtype):get(2,
                2) == lun.complex(1))
            local bytes = a:tobytes()
            assert.equal(bytes, dev:array(bytes, dtype, { 2, 2 }):tobytes())
            do
                local h <close> = a:host "rw"
                h[1] = h[2] * lun.i
            end
            assert.is_true(a:get(1, 1) == lun.complex(0, 2))
        end)

        it("is moved as any other", function()
            local list = some(15, 1)
            local a = dev:array(values(list), dtype, { 15 }):reshape(3, 5)
            for _, variant in ipairs(helper.variants(dev, "transpose")) do
                local ok, t = pcall(function() return a:transpose { variant = variant } end)
                if ok then
                    assert.equal(a:t():copy():tobytes(), t:tobytes())
                end
            end
        end)

        it("is cast from and to complex dtypes, and from others", function()
            check({ pair(1, 0), pair(-2, 0) }, dev:array({ 1, -2 }, "i16"):cast(dtype), 0)
            check({ pair(1.5, 0) }, dev:array({ 1.5 }, "f16"):cast(dtype), 0)
            check({ pair(0, 1) }, dev:array({ lun.i }, "c64"):cast(dtype), 0)
            local a = dev:array({ lun.i }, dtype)
            helper.refused(("cast: %s numbers have an imaginary part, which f32 does not hold"):format(dtype), a, "f32")
            helper.refused("write: " .. dtype .. " numbers have an imaginary part, which i8 does not hold",
                dev:zeros({ 1 }, "i8"), a)
            helper.refused("fill: 0+1i has no representation in f32: a real number is needed", dev:zeros { 1 }, lun.i)
        end)

        it("goes to .npy files and back", function()
            helper.with_file(function(path)
                local a = dev:array(values(some(6, 2)), dtype):reshape(2, 3)
                a:save(path)
                assert.matches(dtype == "c64" and "<c8" or "<c16", helper.read_file(path), 1, true)
                local back = lun.load(path)
                assert.same({ dtype, a:tobytes() }, { back:dtype(), back:tobytes() })
            end)
        end)

        it("is added, subtracted, multiplied and divided, and broadcasts", function()
            local x, y = some(12, 3), some(4, 4)
            for _, z in ipairs(y) do
                z[1] = z[1] + 16 -- not 0
            end
            local a, b = dev:array(values(x), dtype):reshape(3, 4), dev:array(values(y), dtype)
            for name, f in pairs(plain) do
                local expected = {}
                for i = 1, 12 do
                    expected[i] = f(x[i], y[(i - 1) % 4 + 1])
                end
                check(expected, a[name](a, b), name == "div" and 8 * eps or 0)
            end
            check({ plain.mul(x[1], pair(2, 1)) }, (a * lun.complex(2, 1)):slice(1, { 1, 1 }), 0)
            check({ plain.sub(pair(0, 1), x[1]) }, (lun.i - a):slice(1, { 1, 1 }), 0)
            check({ pair(-x[1][1], -x[1][2]) }, (-a):slice(1, { 1, 1 }), 0)
            check({ plain.mul(x[1], x[1]) }, (a ^ 2):slice(1, { 1, 1 }), 0)
            check({ plain.add(x[1], pair(1, 0)) }, (a + dev:ones({ 1 }, "i32")):slice(1, { 1, 1 }), 0)
            check({ plain.mul(x[1], pair(3, 0)) }, a:copy():mul_(3):slice(1, { 1, 1 }), 0)
            assert.equal(dtype, (dev:ones { 1 } * a):dtype())
            assert.equal("c64", (dev:ones { 1 } * lun.i):dtype())
        end)

        it("is added by each variant of map, as real numbers are", function()
            local x, y = some(600, 21), some(600, 22)
            local a, b = dev:array(values(x), dtype):reshape(2, 300), dev:array(values(y), dtype):reshape(2, 300)
            local sums, turned = {}, {}
            for i = 1, 600 do
                sums[i] = plain.sub(x[i], y[i])
                turned[i] = pair(-x[i][1], -x[i][2])
            end
            for _, variant in ipairs(dev:variants "map") do
                check(sums, a:sub(b, { variant = variant }), 0)
                check(turned, a:neg { variant = variant }, 0)
            end
            check({ plain.add(x[2], y[301]) }, (a + b:slice(2, { 1, 1 })):slice(1, { 2, 2 }), 0)
            local wide = dev:array({ lun.i }, dtype):reshape(1, 1, 1, 1, 1, 1, 1, 1)
            check({ pair(0, 2) }, wide + wide, 0) -- no room for an axis of parts
            assert.equal(-1 / 0, 1 / (-dev:zeros({ 1 }, dtype)):get(1).im)
        end)

        it("is computed in fused functions, complex constants among them", function()
            local x, y = some(7, 8), some(7, 9)
            local f = lun.fuse(function(a, b) return a * b + lun.complex(1, 2), lun.i * a, (a - b):abs(),
                a:eq(a):lxor(true) end)
            local sums, turned, sizes, truths = f(dev:array(values(x), dtype), dev:array(values(y), dtype))
            local expected, quarter, lengths = {}, {}, {}
            for i = 1, 7 do
                expected[i] = plain.add(plain.mul(x[i], y[i]), pair(1, 2))
                quarter[i] = pair(-x[i][2], x[i][1])
                local d = plain.sub(x[i], y[i])
                lengths[i] = math.sqrt(d[1] * d[1] + d[2] * d[2])
            end
            check(expected, sums, 0)
            check(quarter, turned, 0)
            helper.check_list(lengths, helper.flat(sizes), 16 * 8 * eps)
            assert.same({ "bool", false }, { truths:dtype(), truths:get(1) })
            assert.equal(dtype == "c64" and "f32" or "f64", sizes:dtype())
            helper.raises("erf: erf takes real numbers, not " .. dtype, function()
                lun.fuse(function(a) return a:erf() end)(dev:array(values(x), dtype))
            end)
        end)

        it("is divided without overflow", function()
            local big = dtype == "c64" and 2.0 ^ 100 or 2.0 ^ 1000
            for _, unit in ipairs { big, 1 / big } do
                local z = lun.complex(3 * unit, 4 * unit)
                check({ pair(1, 0) }, dev:array({ z }, dtype) / dev:array({ z }, dtype), 2 * eps)
            end
        end)

        it("is compared for equality, and tells its size", function()
            local a = dev:array({ lun.complex(3, 4), lun.i, 2 }, dtype)
            local b = dev:array({ lun.complex(3, 4), lun.complex(0, 2), 2 }, dtype)
            assert.same({ true, false, true }, a:eq(b):totable())
            assert.same({ false, true, false }, a:ne(b):totable())
            assert.same({ 5.0, 1.0, 2.0 }, a:abs():totable())
            assert.equal(lun.promoted(dtype, 1) == "c64" and "f32" or "f64", a:abs():dtype())
            check({ pair(3, 4), pair(0, 2), pair(2, 0) }, a:eq(b):where(a, b), 0)
        end)

        it("is summed, multiplied up and averaged", function()
            local list = some(40, 5)
            local a = dev:array(values(list), dtype):reshape(8, 5)
            local sum, product, columns, running = pair(0, 0), pair(1, 0), {}, {}
            for i, z in ipairs(list) do
                sum = plain.add(sum, z)
                columns[(i - 1) % 5 + 1] = plain.add(columns[(i - 1) % 5 + 1] or pair(0, 0), z)
                running[i] = sum
                if i <= 8 then
                    product = plain.mul(product, z)
                end
            end
            check({ sum }, a:sum(), 0)
            check(columns, a:sum { axis = 1 }, 0)
            check({ product }, a:reshape(40):slice { 1, 8 }:prod(), 8 * eps)
            check({ pair(sum[1] / 40, sum[2] / 40) }, a:mean(), 2 * eps)
            check(running, a:reshape(40):cumsum(), 0)
            check({ list[1], plain.mul(list[1], list[2]) }, a:reshape(40):slice { 1, 2 }:cumprod(), 0)
            local both = { a:reduce { "sum", "mean" } }
            check({ sum }, both[1], 0)
            check({ pair(0, 0) }, dev:zeros({ 0 }, dtype):sum(), 0)
        end)

        it("is multiplied up as annex G says: the first product is the element, and 1 changes nothing", function()
            local inf, nan = math.huge, 0 / 0
            local function same(expected, got) -- to the sign of a zero; an infinity is one infinite part
                local list = lun.type(got) == "array" and helper.flat(got) or { got }
                assert.equal(#expected, #list)
                for i, z in ipairs(expected) do
                    assert.equal(("%g %g"):format(z[1], z[2]), ("%g %g"):format(list[i].re, list[i].im))
                end
            end
            local function array(list) return dev:array(values(list), dtype) end
            for _, z in ipairs { pair(inf, 0), pair(0, -inf), pair(inf, -inf), pair(-0.0, -1), pair(3, -0.0) } do
                same({ z }, array { z }:prod())
                same({ z }, array { z }:cumprod())
                same({ pair(1, 0), z }, array { z, pair(2, 2) }:scan("prod", { exclusive = true }))
                same({ z }, array { pair(nan, 1), z, pair(1, nan) }:nanprod())
                local rows = array { pair(1, 0), z, pair(1, 0), pair(1, 0), pair(1, 0), z }
                same({ z, z }, rows:reshape(2, 3):prod { axis = 2 })
                same({ z, z }, rows:reduce("prod", { segments = { 1, 4, 7 } }))
                same({ z, z, z }, array { z, pair(1, 0), pair(1, 0) }:cumprod())
            end
            local finite, infinite = pair(2, -1), pair(inf, inf)
            local running = array { finite, infinite, finite, finite }:cumprod():totable()
            for i = 2, 4 do
                assert.equal(inf, running[i]:abs())
            end
            local long = dev:ones({ 5000 }, dtype)
            long:set(lun.complex(inf, inf), 2222)
            long:set(lun.complex(2, 1), 4000)
            assert.equal(inf, long:prod():abs())
            assert.equal(inf, long:cumprod():get(5000):abs())
        end)

        it("is not spoiled by alpha or beta where they are real", function()
            local inf = math.huge
            local z, one = dev:array({ { lun.complex(inf, 1) } }, dtype), dev:ones({ 1, 1 }, dtype)
            for _, alpha in ipairs { 1, 2 } do -- the plain formula: inf - 0 and inf * 0 + 1
                assert.equal(inf, z:matmul(one, { alpha = alpha }):get(1, 1).re)
            end
            local c = dev:array({ { lun.complex(1, -inf) } }, dtype)
            one:matmul(one, { out = c, beta = 2 })
            assert.same({ 3.0, -inf }, { c:get(1, 1).re, c:get(1, 1).im })
        end)

        it("is counted and measured: results are real", function()
            local list = some(60, 15)
            local n, count, sizes, squares, largest, sum = #list, 0, 0.0, 0.0, 0.0, pair(0, 0)
            for _, z in ipairs(list) do
                local square = z[1] * z[1] + z[2] * z[2]
                count = count + (square ~= 0 and 1 or 0)
                sizes, squares, largest = sizes + math.sqrt(square), squares + square, math.max(largest,
                    math.sqrt(square))
                sum = plain.add(sum, z)
            end
            local variance = squares / n - (sum[1] * sum[1] + sum[2] * sum[2]) / (n * n)
            local a = dev:array(values(list), dtype)
            local function near(expected, got)
                assert.is_true(math.abs(got - expected) <= n * eps * math.abs(expected), ("%s, not %s"):format(got,
                    expected))
            end
            assert.equal(count, a:nnz())
            assert.equal(squares, a:sumsq())
            near(sizes, a:asum())
            near(largest, a:absmax())
            near(math.sqrt(squares), a:norm())
            near(variance, a:var())
            near(math.sqrt(variance * n / (n - 1)), a:std { ddof = 1 })
            local both = { a:reduce { "var", "std", "norm", "any", "all" } }
            near(variance, both[1])
            near(math.sqrt(variance), both[2])
            near(math.sqrt(squares), both[3])
            assert.same({ true, count == n }, { both[4], both[5] })
            for _, op in ipairs { "nnz", "sumsq", "asum", "absmax", "norm", "var", "std", "any", "all" } do
                local real = op ~= "any" and op ~= "all" and op ~= "nnz"
                local rows = a:reshape(2, n // 2)[op](a:reshape(2, n // 2), { axis = 2 })
                local parts = a:reduce(op, { segments = { 1, n // 2 + 1, n + 1 } })
                for i = 1, 2 do
                    local half = a:slice { (i - 1) * (n // 2) + 1, i * (n // 2) }
                    local same = real and near or assert.equal
                    same(half[op](half), rows:get(i))
                    same(half[op](half), parts:get(i))
                end
                assert.equal(real and (dtype == "c64" and "f32" or "f64") or op == "nnz" and "i64" or "bool",
                    rows:dtype())
            end
            local nan = dev:array({ lun.complex(0, 0 / 0), 0 }, dtype)
            assert.same({ true, false, 1 }, { nan:any(), nan:all(), nan:nnz() })
            local gaps = dev:array({ lun.complex(0 / 0, 1), lun.complex(2, 3), lun.complex(1, 0 / 0), 4 }, dtype)
            assert.is_true(gaps:nansum() == lun.complex(6, 3))
            assert.is_true(dev:zeros({ 0 }, dtype):nansum() == lun.complex(0))
            for _, op in ipairs { "sumsq", "asum", "absmax", "norm", "var", "std" } do
                assert.is_true(nan[op](nan) ~= nan[op](nan))
            end
            assert.same({ false, true, 0, 0.0 }, { dev:zeros({ 0 }, dtype):any(), dev:zeros({ 0 }, dtype):all(),
                dev:zeros({ 0 }, dtype):nnz(), dev:zeros({ 0 }, dtype):norm() })
            local big = dtype == "c64" and 2.0 ^ 125 or 2.0 ^ 1020
            near(big * 5, dev:array({ lun.complex(0, 3 * big), lun.complex(4 * big, 0) }, dtype):norm())
        end)

        it("is summed by its parts, in long ones, along axes, of views, with and without the axes that went", function()
            local part = dtype == "c64" and "f32" or "f64"
            local rows, columns = 300, 53
            local re, im = dev:random({ rows, columns }, { seed = 3, dtype = part }) - 0.5,
                dev:random({ rows, columns }, { seed = 4, dtype = part }) - 0.25
            local whole = re:complex(im)
            local function near(expected, got, n)
                assert.equal(expected:dtype(), got:dtype())
                assert.same({ expected:shape() }, { got:shape() })
                assert.is_true((expected - got):abs():max() <= n * eps, "not near")
            end
            for _, view in ipairs {
                { whole, re, im }, { whole:t(), re:t(), im:t() },
                { whole:slice({ 1, rows, 3 }, { columns, 2, -2 }), re:slice({ 1, rows, 3 }, { columns, 2, -2 }),
                    im:slice({ 1, rows, 3 }, { columns, 2, -2 }) },
                { whole:row(1):broadcast(7, columns), re:row(1):broadcast(7, columns),
                    im:row(1):broadcast(7, columns) },
            } do
                local z, x, y = table.unpack(view)
                local n = z:size()
                for _, variant in ipairs { false, table.unpack(dev:variants "reduce") } do
                    local ok, sum = pcall(z.sum, z, { variant = variant or nil })
                    assert.is_true(ok or tostring(sum):find("cannot do this here", 1, true) ~= nil, tostring(sum))
                    if ok then
                        assert.is_true((sum - lun.complex(x:sum(), y:sum())):abs() <= n * eps)
                    end
                end
                for axis = 1, 2 do
                    for _, keepdims in ipairs { false, true } do
                        local options = { axis = axis, keepdims = keepdims }
                        near(x:sum(options):complex(y:sum(options)), z:sum(options), n)
                        near(x:mean(options):complex(y:mean(options)), z:mean(options), 1)
                        near(x:sumsq(options) + y:sumsq(options), z:sumsq(options), n)
                        near((x:sumsq(options) + y:sumsq(options)):sqrt(), z:norm(options), n)
                    end
                end
                assert.is_true((z:mean() - lun.complex(x:mean(), y:mean())):abs() <= eps)
            end
            near(whole:sum { axis = {} }, whole, 0)
            local sums = dev:zeros({ 0, 2 }, dtype):sum { axis = 1 }
            local norms = dev:zeros({ 0, 3 }, dtype):norm { axis = 1 }
            assert.same({ dtype, 2 }, { sums:dtype(), sums:shape() })
            assert.same({ part, 3 }, { norms:dtype(), norms:shape() })
            helper.refused("mean: mean of no elements: the reduced extent of shape 0x2 is 0",
                dev:zeros({ 0, 2 }, dtype), { axis = 1 })
        end)

        -- Programs of f64 differ by their numbers alone: one way is tried there.
        local exactly = { c64 = { { accurate = true }, { reproducible = true } }, c128 = { { accurate = true } } }

        it("is summed exactly where that is needed: each part as a real array's", function()
            local part = dtype == "c64" and "f32" or "f64"
            local scales = dev:array({ 1e12, 1, 1e-9, 1e5, -1e12 }, part):tile(10)
            local re = dev:random({ 40, 50 }, { seed = 5, low = -1, dtype = part }) * scales
            local im = re:flip(2):contiguous() * 3
            local z = re:complex(im)
            if not dev:info().fp64 then
                helper.raises("sum: accurate: these sums compute in f64", function() z:sum { accurate = true } end)
                return
            end
            for _, exact in ipairs(exactly[dtype]) do
                for _, name in ipairs { "sum", "mean" } do
                    assert.is_true(z[name](z, exact) == lun.complex(re[name](re, exact), im[name](im, exact)))
                    for axis = 1, 2 do
                        local options = { axis = axis, accurate = exact.accurate, reproducible = exact.reproducible }
                        local expected = re[name](re, options):complex(im[name](im, options))
                        assert.equal(expected:tobytes(), z[name](z, options):tobytes())
                        assert.equal(expected:tobytes(), z:flip(axis)[name](z:flip(axis), options):tobytes())
                    end
                end
                local both = lun.concat({ re, im }, 1)
                assert.equal(both:sumsq(exact), z:sumsq(exact))
                assert.equal(both:norm(exact), z:norm(exact))
            end
            local sum, mean = z:reduce { "sum", "mean", accurate = true }
            assert.is_true(sum == z:sum { accurate = true } and mean == z:mean { accurate = true })
            local starts = { 1, 1, 20, 51 }
            local segments = { segments = starts, accurate = true, axis = 2 }
            assert.equal(re:sum(segments):complex(im:sum(segments)):tobytes(), z:sum(segments):tobytes())
            assert.is_true(dev:zeros({ 0 }, dtype):sum { accurate = true } == lun.complex(0))
        end)

        it("has exact sizes, variances and products", function()
            if not dev:info().fp64 then
                helper.refused("dot: accurate: these sums compute in f64",
                    dev:ones({ 2 }, dtype), dev:ones({ 2 }, dtype), { accurate = true })
                return
            end
            local part = dtype == "c64" and "f32" or "f64"
            local scales = dev:array({ 1e12, 1, 1e-9, 1e5, -1e12 }, part):tile(10)
            local re = dev:random({ 20, 50 }, { seed = 5, low = -1, dtype = part }) * scales
            local im, other = re:flip(2):contiguous() * 3, re:flip(1):contiguous()
            local z, w = re:complex(im), im:complex(other)
            local function parts_of(conjugated) -- of products, each step rounded
                local x, y = im * other, im * im
                return conjugated and re * im + x or re * im - x, conjugated and re * other - y or re * other + y
            end
            local sides = { dot = { parts_of(false) }, vdot = { parts_of(true) } }
            for _, exact in ipairs(exactly[dtype]) do
                for _, axis in ipairs { 1, 2, { 1, 2 } } do
                    local options = { axis = axis, keepdims = true, ddof = 1 }
                    local sums = { axis = axis, keepdims = true }
                    for name, value in pairs(exact) do
                        options[name], sums[name] = value, value
                    end
                    local var = re:var(options) + im:var(options)
                    assert.equal(var:tobytes(), z:var(options):tobytes())
                    assert.equal(var:sqrt():tobytes(), z:std(options):tobytes())
                    assert.equal(z:abs():sum(sums):tobytes(), z:asum(sums):tobytes())
                    for name, made in pairs(sides) do
                        local expected = made[1]:sum(sums):complex(made[2]:sum(sums))
                        assert.equal(expected:tobytes(), z[name](z, w, sums):tobytes(), name)
                        local turned = z:flip(axis)
                        assert.equal(expected:tobytes(), turned[name](turned, w:flip(axis), sums):tobytes())
                    end
                end
                for name, made in pairs(sides) do
                    assert.is_true(z[name](z, w, exact) == lun.complex(made[1]:sum(exact), made[2]:sum(exact)))
                end
            end
            assert.is_true(z:dot(re, { accurate = true }) == lun.complex((re * re):sum { accurate = true },
                (im * re):sum { accurate = true }))
            local asum, sum, var = z:reduce { "asum", "sum", "var", accurate = true }
            assert.equal(z:asum { accurate = true }, asum)
            assert.is_true(z:sum { accurate = true } == sum)
            assert.equal(z:var { accurate = true }, var)
            local segments = { segments = { 1, 1, 20, 51 }, accurate = true, axis = 2 }
            local dot = sides.dot
            assert.equal(dot[1]:sum(segments):complex(dot[2]:sum(segments)):tobytes(), z:dot(w, segments):tobytes())
            assert.equal(z:abs():sum(segments):tobytes(), z:asum(segments):tobytes())
            local out = dev:zeros({ 50, 2 }, dtype)
            z:dot(w, { axis = 1, accurate = true, out = out:col(2) })
            assert.equal(z:dot(w, { axis = 1, accurate = true }):tobytes(), out:col(2):tobytes())
            assert.is_true(out:col(1):eq(0):all())
            helper.refused("dot: out is " .. part .. "; the result is " .. dtype,
                z, w, { axis = 1, accurate = true, out = dev:zeros({ 50 }, part) })
            local nothing = dev:zeros({ 0 }, dtype)
            assert.is_true(nothing:dot(nothing, { accurate = true }) == lun.complex(0))
            assert.equal(0.0, nothing:asum { accurate = true })
            helper.refused("std: std of no elements: the reduced extent of shape 0 is 0", nothing, { accurate = true })
        end)

        it("has variances of many parts beside its sums", function()
            local part = dtype == "c64" and "f32" or "f64"
            local re = dev:random({ 70000 }, { seed = 6, dtype = part })
            local z = re:complex(1 - 2 * re)
            local sum, variance, deviation = z:reduce { "sum", "var", "std" }
            assert.is_true(math.abs(variance - 5 * re:var()) <= 70 * eps)
            assert.is_true(math.abs(deviation - (5 * re:var()) ^ 0.5) <= 70 * eps)
            assert.is_true((sum - z:sum()):abs() <= 70000 * eps)
        end)

        it("is added at positions, and as weights of counts, as its parts are", function()
            local part, n = dtype == "c64" and "f32" or "f64", 5000
            local re, im = dev:random({ n }, { seed = 1, dtype = part }), dev:random({ n }, { seed = 2, dtype = part })
            local z, places = re:complex(im), dev:randint({ n }, { low = 1, high = 40, seed = 3 }):cast "i32"
            local function near(expected, got, count)
                assert.equal(dtype, got:dtype())
                assert.same({ expected:shape() }, { got:shape() })
                assert.is_true((expected - got):abs():max() <= count * eps)
            end
            for _, method in ipairs { "add_at", "bincount" } do
                local ran = 0
                for _, variant in ipairs(dev:variants(method)) do
                    local function sums(given, size, of)
                        if method == "bincount" then
                            return places:bincount { weights = given, size = size, variant = variant }
                        end
                        return dev:zeros({ size }, of):add_at(places, given, { variant = variant })
                    end
                    for _, size in ipairs { 40, 5000 } do
                        local ok, got = pcall(sums, z, size, dtype)
                        assert.is_true(ok or tostring(got):find("cannot do this here", 1, true) ~= nil, tostring(got))
                        if ok then
                            ran = ran + 1
                            near(sums(re, size, part):complex((sums(im, size, part))), got, n)
                        end
                    end
                end
                assert.is_true(ran >= 2, method) -- each size in some variant
            end
            local m = dev:zeros({ 3, 4 }, dtype)
            m:col(2):add_at({ 1, 3, 3 }, lun.i)
            m:flip(1):row(1):add_at({ 1 }, dev:array { 2 })
            assert.is_true(m:sum() == lun.complex(2, 3) and m:get(3, 1) == lun.complex(2) and m:get(3, 2) == 2 * lun.i)
            local zero = dev:array({ lun.complex(-0.0, -0.0) }, dtype)
            for _, variant in ipairs { "plain", "gpu" } do
                local kept = zero:copy():add_at({ 1 }, lun.complex(-0.0, -0.0), { variant = variant }):get(1)
                assert.same({ -math.huge, -math.huge }, { 1 / kept.re, 1 / kept.im })
            end
            local counts, reals = re:histogram { bins = 5, weights = z }, re:histogram { bins = 5, weights = re }
            near(reals:complex((re:histogram { bins = 5, weights = im })), counts, n)
            helper.refused("add_at: 0+1i has no representation in f32: a real number is needed",
                dev:zeros { 3 }, { 1 }, lun.i)
            helper.refused("add_at: " .. dtype .. " numbers have an imaginary part, which f32 does not hold",
                dev:zeros { 3 }, { 1 }, z:slice { 1, 1 })
        end)

        it("has two products with others: vdot conjugates its left array", function()
            local x, y = some(20, 16), some(20, 17)
            local a, b = dev:array(values(x), dtype), dev:array(values(y), dtype)
            local sum, conjugated = pair(0, 0), pair(0, 0)
            for i = 1, 20 do
                sum = plain.add(sum, plain.mul(x[i], y[i]))
                conjugated = plain.add(conjugated, plain.mul(pair(x[i][1], -x[i][2]), y[i]))
            end
            check({ sum }, a:dot(b), 0)
            check({ conjugated }, a:vdot(b), 0)
            assert.is_true(a:vdot(a) == lun.complex(a:sumsq()))
            assert.equal(14.0, dev:array { 1, 2, 3 }:vdot(dev:array { 1, 2, 3 }))
            check({ pair(x[1][1], -x[1][2]) }, a:slice { 1, 1 }:vdot(dev:ones({ 1 }, "i32")), 0)
        end)

        it("is a real array with an axis more, and that is a complex one", function()
            local list = some(12, 18)
            local a = dev:array(values(list), dtype):reshape(3, 4)
            local r = a:as_real()
            local part = dtype == "c64" and "f32" or "f64"
            assert.same({ part, 3, 4, 2 }, { r:dtype(), r:shape() })
            assert.equal(a:tobytes(), r:tobytes())
            for _, view in ipairs { a, a:t(), a:slice({ 3, 1, -2 }, { 2, 4 }), a:row(2), a:slice(1, 1) } do
                local real = view:as_real()
                assert.equal(view:tobytes(), real:tobytes())
                assert.equal(view:tobytes(), real:as_complex():tobytes())
                assert.equal(dtype, real:as_complex():dtype())
            end
            a:as_real():slice(nil, 1, 2):fill(7) -- the view is of the same memory
            assert.is_true(a:get(2, 1) == lun.complex(list[5][1], 7))
            assert.same({ 0, 2 }, { dev:zeros({ 0 }, dtype):as_real():shape() })
            local flat = dev:arange(1, 8, part)
            check({ pair(1, 2), pair(3, 4), pair(5, 6), pair(7, 8) }, flat:reshape(4, 2):as_complex(), 0)
            check({ pair(3, 4), pair(7, 8) }, flat:reshape(4, 2):slice { 2, 4, 2 }:as_complex(), 0)
            helper.raises("as_complex: the last axis must have size 2, for the parts of each number, not 4; the "
                .. "shape is 2x4",
                function() flat:reshape(2, 4):as_complex() end)
            helper.raises("as_complex: the two parts of each number must be adjacent in memory; contiguous() "
                .. "makes such a copy", function() flat:reshape(2, 4):t():as_complex() end)
            helper.raises("as_complex: the two parts of each number must be adjacent in memory; contiguous() "
                .. "makes such a copy", function() flat:slice({ 2, 7 }):reshape(3, 2):as_complex() end)
            helper.refused("as_complex: the two parts of each number must be adjacent in memory",
                dev:arange(1, 9, part):reshape(3, 3):slice(nil, { 1, 2 }))
            helper.raises("as_complex: the array has no axes", function() flat:slice(1):as_complex() end)
            helper.refused("as_complex: f32 or f64 is needed, not i32", dev:ones({ 2 }, "i32"))
            helper.raises("as_complex: f32 or f64 is needed, not " .. dtype, function() a:as_complex() end)
            helper.refused("as_real: " .. part .. " numbers are real; c64 or c128 is needed", flat)
            helper.refused("as_real: the array has 8 axes already", dev:ones({ 1, 1, 1, 1, 1, 1, 1, 1 }, dtype))
        end)

        it("is multiplied as matrices, and as vectors", function()
            for _, sizes in ipairs { { 1, 1, 1 }, { 3, 4, 5 }, { 9, 17, 33 } } do
                local m, k, n = table.unpack(sizes)
                local x, y, expected = some(m * k, 6), some(k * n, 7), {}
                for i = 1, m do
                    for j = 1, n do
                        local sum = pair(0, 0)
                        for p = 1, k do
                            sum = plain.add(sum, plain.mul(x[(i - 1) * k + p], y[(p - 1) * n + j]))
                        end
                        table.insert(expected, sum)
                    end
                end
                local a = dev:array(values(x), dtype):reshape(m, k)
                local b = dev:array(values(y), dtype):reshape(k, n)
                check(expected, a:matmul(b), 0)
                check(expected, b:t():matmul(a:t()):t(), 0)
                local out = a:matmul(b)
                a:matmul(b, { alpha = 2, beta = -1, out = out })
                check(expected, out, 0)
            end
            local v = dev:array({ lun.i, 2 }, dtype)
            assert.is_true(v:dot(v) == lun.complex(3) and v:matmul(v) == lun.complex(3))
        end)

        it("is multiplied by parts, in batches and beside what is there, by each variant that can", function()
            local m, k, n = 33, 37, 40
            local x, y, z = some(3 * m * k, 12), some(2 * k * n, 13), some(6 * m * n, 14)
            local a = dev:array(values(x), dtype):reshape(3, 1, m, k):slice(nil, nil, { 1, m - 1 })
            local b = dev:array(values(y), dtype):reshape(2, k, n):flip(3)
            local before = values(z)
            local ran = 0
            for _, scale in ipairs { { alpha = 2, beta = 0 }, { alpha = -1, beta = 0.5 },
                { alpha = lun.complex(2, 0), beta = 1 }, { alpha = lun.i, beta = 2 } } do
                local alpha = pair(lun.type(scale.alpha) == "complex" and scale.alpha.re or scale.alpha,
                    lun.type(scale.alpha) == "complex" and scale.alpha.im or 0)
                local expected = {}
                for i = 0, 2 do
                    for j = 0, 1 do
                        for row = 0, m - 2 do
                            for column = 0, n - 1 do
                                local sum = pair(0, 0)
                                for p = 0, k - 1 do
                                    sum = plain.add(sum, plain.mul(x[(i * m + row) * k + p + 1],
                                        y[(j * k + p) * n + n - column]))
                                end
                                local c = z[((column * m + row) * 2 + j) * 3 + i + 1]
                                table.insert(expected, plain.add(plain.mul(alpha, sum),
                                    pair(scale.beta * c[1], scale.beta * c[2])))
                            end
                        end
                    end
                end
                for _, variant in ipairs(dev:variants "matmul") do
                    local out = dev:array(before, dtype):reshape(n, m, 2, 3):t():slice(nil, nil, { 1, m - 1 })
                    local ok, message = pcall(a.matmul, a, b, { alpha = scale.alpha, beta = scale.beta, out = out,
                        variant = variant })
                    assert.is_true(ok or message:find("cannot do this here", 1, true) ~= nil, message)
                    if ok then
                        ran = ran + 1
                        check(expected, out, 0)
                    end
                end
            end
            assert.equal(11, ran) -- plain and reproducible always, parts unless alpha has an imaginary part
        end)

        it("is multiplied as conjugated matrices where conj says so: transposed, in batches, as vectors", function()
            local function some_of(shape, seed)
                local part = dtype == "c64" and "f32" or "f64"
                return (dev:random(shape, { seed = seed, dtype = part }) - 0.5):complex(
                    dev:random(shape, { seed = seed + 1, dtype = part }) - 0.5)
            end
            local function near(expected, got, n)
                assert.same({ expected:shape() }, { got:shape() })
                assert.is_true((expected - got):abs():max() <= n * eps)
            end
            for _, n in ipairs { 3, 40 } do -- by the plain variant, and by parts
                local a, b = some_of({ n, n + 2 }, 1), some_of({ n, n + 5 }, 3)
                local t = a:t()
                for _, variant in ipairs { false, "plain", "parts" } do
                    local function product(x, y, conj)
                        return x:matmul(y, { conj = conj, variant = variant or nil })
                    end
                    near(t:conj():matmul(b), product(t, b, "a"), 4 * n)
                    near(t:matmul(b:conj()), product(t, b, "b"), 4 * n)
                    near(t:conj():matmul(b:conj()), product(t, b, "both"), 4 * n)
                    near(t:matmul(b), product(t, b), 4 * n)
                    local out, before = some_of({ n + 2, n + 5 }, 5), some_of({ n + 2, n + 5 }, 5)
                    t:matmul(b, { conj = "a", alpha = 2, beta = 3, out = out, variant = variant or nil })
                    near(2 * t:conj():matmul(b) + 3 * before, out, 16 * n)
                    near(a:conj():matmul(a:t():real()), product(a, a:t():real(), "a"), 4 * n)
                    near(a:real():matmul(t:conj()), product(a:real(), t, "both"), 4 * n)
                end
            end
            local batch, right = some_of({ 3, 12, 20 }, 7), some_of({ 20, 9 }, 9)
            near(batch:conj():matmul(right), batch:matmul(right, { conj = "a" }), 80)
            near(batch:matmul(right:conj()), batch:matmul(right, { conj = "b" }), 80)
            local u, v = some_of({ 30 }, 11), some_of({ 30 }, 13)
            assert.is_true((u:vdot(v) - u:matmul(v, { conj = "a" })):abs() <= 120 * eps)
            near(v:conj():matmul(some_of({ 30, 4 }, 15)), v:matmul(some_of({ 30, 4 }, 15), { conj = "a" }), 120)
            near(u:real():reshape(5, 6):matmul(u:real():reshape(6, 5)),
                u:real():reshape(5, 6):matmul(u:real():reshape(6, 5), { conj = "both" }), 0)
            helper.refused("matmul: conj is 'c'; a, b or both is needed: the array itself, the other, both",
                u, v, { conj = "c" })
        end)

        it("is refused by name where real numbers or an order are needed", function()
            local a, b = dev:array({ lun.i, 2 }, dtype), dev:array({ 1, 2 })
            local order = dtype .. " numbers have no order; use their abs() or real()"
            for _, name in ipairs { "max", "min", "argmax", "argmin", "nanmax", "nanmin", "median", "sort", "argsort",
                "cummax", "cummin", "histogram", "floor", "ceil", "trunc", "signbit" } do
                helper.raises(name .. ": " .. order, function() a[name](a) end)
            end
            for _, name in ipairs { "lt", "le", "gt", "ge", "minimum", "maximum", "mod", "fmod", "floordiv",
                "heaviside" } do
                helper.raises(name .. ": " .. order, function() a[name](a, a) end)
                helper.raises(name .. ": " .. order, function() b[name](b, a) end)
                helper.raises(name .. "_: " .. order, function() a[name .. "_"](a, a) end)
            end
            for _, name in ipairs { "max", "argmin", "nanmin", "median" } do
                helper.raises("reduce: " .. order, function() a:reduce { "sum", name } end)
                helper.raises("reduce: " .. order, function() a:reshape(1, 2):reduce(name, { axis = 1 }) end)
            end
            helper.raises("clamp: " .. order, function() a:clamp(0, 1) end)
            helper.raises("topk: " .. order, function() a:topk(1) end)
            helper.raises("quantile: " .. order, function() a:quantile(0.5) end)
            helper.raises("searchsorted: " .. order, function() b:cast(dtype):searchsorted(a) end)
            helper.raises("searchsorted: " .. order, function() b:searchsorted(a) end)
            helper.raises("sort_by: " .. order, function() lun.sort_by(a, b) end)
            helper.raises("histogram2d: " .. order, function() lun.histogram2d(a, a) end)
            helper.raises("scan: " .. order, function() a:scan "max" end)
            helper.raises("a % b: " .. order, function() return a % 2 end)
            helper.raises("a // b: " .. order, function() return 2 // a end)
            for _, name in ipairs { "exp2", "sinpi", "cbrt", "sigmoid", "tgamma" } do
                helper.refused(("%s: %s takes real numbers, not %s"):format(name, name, dtype), a)
            end
            helper.raises("atan2: atan2 takes real numbers, not " .. dtype, function() a:atan2(a) end)
            helper.raises("band: band takes integers, not " .. dtype, function() a:band(a) end)
            helper.refused("random: a stream of random numbers takes real numbers, not " .. dtype,
                dev, { 2 }, { dtype = dtype })
            helper.raises("arange: a sequence takes real numbers, not " .. dtype, function() dev:arange(3, dtype) end)
            helper.refused("reduce: accurate takes real numbers, not " .. dtype,
                dev, "sum", "cmul(x, x)", { x = a }, { accurate = true })
            helper.raises("bincount: the array is " .. dtype .. "; integers are needed", function() a:bincount() end)
            helper.refused("gravity: the positions must be f32 or f64, not " .. dtype, dev:zeros({ 3, 4 }, dtype))
        end)
    end)
end)
