-- lun.fuse: what a Lua function computes becomes one kernel, with the results that the operators give.

local lun = require "lunarray"
local helper = require "spec.helper"

local it = helper.one_in(4, it)

-- Raises unless the fused function gives the bits that it gives of arrays.
local function check_same(f, ...)
    local expected, got = { f(...) }, { lun.fuse(f)(...) }
    assert.equal(#expected, #got)
    for i, array in ipairs(expected) do
        assert.equal(array:dtype(), got[i]:dtype())
        assert.same({ array:shape() }, { got[i]:shape() })
        assert.is_true(array:tobytes() == got[i]:tobytes(), ("result %d has other bits"):format(i))
    end
end

local function heat_step(u, k)
    local c = u:slice({ 2, -2 }, { 2, -2 })
    return c + k * (u:slice({ 1, -3 }, { 2, -2 }) + u:slice({ 3, -1 }, { 2, -2 }) + u:slice({ 2, -2 }, { 1, -3 })
        + u:slice({ 2, -2 }, { 3, -1 }) - 4 * c)
end

helper.describe_each_variant("map", "fuse", function(dev, variant)
    it("computes a step of heat, as the operators do", function()
        local step = lun.fuse(heat_step)
        for _, shape in ipairs { { 3, 3 }, { 5, 7 }, { 33, 131 }, { 4, 300 } } do
            local u = dev:random(shape, { seed = 1 })
            local inner = dev:zeros { shape[1] - 2, shape[2] - 2 }
            if helper.can(step, u, 0.1, { out = inner, variant = variant }) then
                assert.equal(heat_step(u, 0.1):tobytes(), inner:tobytes())
                local x, got = u:totable(), inner:totable()
                local i, j = #got, #got[1]
                local sum = x[i][j + 1] + x[i + 2][j + 1] + x[i + 1][j] + x[i + 1][j + 2] - 4 * x[i + 1][j + 1]
                helper.check_number(x[i + 1][j + 1] + 0.1 * sum, got[i][j], 16 * 2 ^ -24)
            end
        end
    end)
end)

helper.describe_each_device("fuse", function(dev)
    local x, y = dev:array { 1, 2, 3 }, dev:array { 10, 20, 40 }
    local m = dev:arange(1, 12, { dtype = "f32" }):reshape(3, 4)

    it("takes arguments that the function does not use", function()
        local f = lun.fuse(function(a, _, _) return a + 1 end)
        helper.check_array(f(x, y, 3), "f32", { 3 }, { 2.0, 3.0, 4.0 })
        helper.check_array(f(x, 2, m), "f32", { 3 }, { 2.0, 3.0, 4.0 })
        assert.equal(9.0, lun.fuse(function(a, _) return (a + 1):sum() end)(x, y))
        local function less(a) return a - 0.8125 end -- other kernels, where another number of numbers is not used
        for _, numbers in ipairs { {}, { 2 }, { 2.5 }, { 2, 3 }, {}, { 3, 2.5 }, { 7 } } do
            helper.check_array(lun.fuse(less)(x, table.unpack(numbers)), "f32", { 3 }, { 0.1875, 1.1875, 2.1875 })
            assert.equal(3.5625, lun.fuse(function(a) return less(a):sum() end)(x, table.unpack(numbers)))
        end
    end)

    it("calls its function once for each combination of dtypes and ranks, and compiles one kernel", function()
        local calls = 0
        local f = lun.fuse(function(a, k)
            calls = calls + 1
            return a * k + 0.375
        end)
        local long = dev:ones { 300 } -- rows for every variant
        assert.equal(1, helper.built(dev, function() assert.equal(2.375, f(long, 2.0):get(300)) end))
        assert.equal(0, helper.built(dev, function()
            assert.equal(-0.625, f(long, -1.0):get(1))
            assert.equal(2.375, f(dev:ones { 1001 }, 2.0):get(1001))
            assert.equal(0, f(dev:zeros { 0 }, 2.0):size())
        end))
        assert.equal(1, calls)
        helper.check_array(f(dev:array({ 1, 2 }, "i32"), 2.0), "f32", { 2 }, { 2.375, 4.375 })
        helper.check_array(f(dev:array(1), 2.0), "f32", {}, { 2.375 })
        helper.check_array(f(x, 2), "f32", { 3 }, { 2.375, 4.375, 6.375 })
        assert.equal(4, calls)
        f(m, 2.0)
        f(y, 0.5)
        assert.equal(5, calls)
    end)

    it("computes views of its arguments with fixed slices, each made of one call's arrays", function()
        local f = lun.fuse(function(a)
            return a:row(2) + a:slice(1, { nil, nil, -1 }), a:t():row(-1):ndim() * a:reshape(-1):slice { 1, 4 }
        end)
        local first, second = f(m)
        helper.check_array(first, "f32", { 4 }, { 9.0, 9.0, 9.0, 9.0 })
        helper.check_array(second, "f32", { 4 }, { 1.0, 2.0, 3.0, 4.0 })
        local other = f(dev:full({ 9, 4 }, 3))
        helper.check_array(other, "f32", { 4 }, { 6.0, 6.0, 6.0, 6.0 })
        local range = { 1, 2 }
        local g = lun.fuse(function(a) return a:col(1):slice(range) end)
        g(m)
        range[1] = 2
        helper.check_array(g(m), "f32", { 2 }, { 1.0, 5.0 })
        local ok, problem = pcall(g, dev:zeros { 1, 4 }) -- at the line of the slice
        assert.is_false(ok)
        assert.matches("lunarray: slice: position 2 is out of range on axis 1, which has 1", problem, 1, true)
    end)

    it("computes views of its arguments in other arrangements", function()
        local f = lun.fuse(function(a)
            return a:flip(2) - a:row(1):expand(2):broadcast(4, 4):slice { 1, 3 }:squeeze()
        end)
        local model = m:flip(2) - m:row(1):expand(2):broadcast(4, 4):slice { 1, 3 }
        helper.check_array(f(m), "f32", { 3, 4 }, helper.flat(model))
    end)

    it("gives several results, into out, as an event, on a queue", function()
        local f = lun.fuse(function(a, b) return a + b, a - b, a end)
        local event = f(x, y, { async = true, queue = dev:queue() })
        local sum, difference, same = event:get()
        helper.check_array(sum, "f32", { 3 }, { 11.0, 22.0, 43.0 })
        helper.check_array(difference, "f32", { 3 }, { -9.0, -18.0, -37.0 })
        helper.check_array(same, "f32", { 3 }, { 1.0, 2.0, 3.0 })
        local a, b, c = x:copy(), y:copy(), dev:zeros { 3 }
        assert.equal(a, (f(a, b, { out = { a, b, c } })))
        helper.check_array(b, "f32", { 3 }, { -9.0, -18.0, -37.0 })
        helper.raises("fuse: out is one array; a list is needed for 3 results", function() f(x, y, { out = c }) end)
        helper.raises("fuse: out has shape 3; the result has 1x3", function()
            f(x:reshape(1, 3), y, { out = { a, b, c } })
        end)
    end)

    it("reads arrays from outside at each call, and keeps numbers from outside", function()
        local scale, weights = 2, dev:array { 1, 10, 100 }
        local f = lun.fuse(function(k) return (weights * k + weights) * scale end)
        helper.check_array(f(1), "f32", { 3 }, { 4.0, 40.0, 400.0 })
        scale = 3
        weights:fill(1)
        helper.check_array(f(1), "f32", { 3 }, { 4.0, 4.0, 4.0 })
        weights:release() -- the fused function has the memory still
        helper.check_array(f(2), "f32", { 3 }, { 6.0, 6.0, 6.0 })
    end)

    it("takes in fused functions that are called within it", function()
        local double = lun.fuse(function(a) return 2 * a, a end)
        local f = lun.fuse(function(a, b)
            local twice, once = double(a + b)
            return twice - once / 4
        end)
        assert.equal(1, helper.built(dev, function()
            helper.check_array(f(x, y), "f32", { 3 }, { 19.25, 38.5, 75.25 })
        end))
        helper.check_array(double(x), "f32", { 3 }, { 2.0, 4.0, 6.0 })
        local less = lun.fuse(function(a, b) return a - b end)
        helper.check_array(lun.fuse(function(a, b) return 2 * less(b, a) end)(x, y), "f32", { 3 }, { 18.0, 36.0, 74.0 })
    end)

    it("tells its numbers apart", function()
        local f = lun.fuse(function(a, k, n) return a * k - n end)
        helper.check_array(f(x, 2, 3), "f32", { 3 }, { -1.0, 1.0, 3.0 })
        helper.check_array(f(x, 3, 2), "f32", { 3 }, { 1.0, 4.0, 7.0 })
    end)

    it("computes with numbers alone as Lua does, whatever dtype the arrays have", function()
        local bytes, ints = dev:array({ 0, 5, 200 }, "u8"), dev:array({ -7, 0, 1 << 30 }, "i32")
        for _, case in ipairs {
            { function(a, t) return a:ge(t - 10), a:lt(t + 251), a:eq(t + 256), a:gt(-t) end, bytes, 5 },
            { function(a, t) return a:maximum(t // 2), a + (t & 3 | 8 ~ 1), a:eq(t << 33 >> 33) end, bytes, 300 },
            { function(a, t) return a + (~t + 1) % 7, a:lt(t << 3), a:le(2 ^ t) end, ints, 1 << 28 },
            { function(a, t) return a * (t / 2), a + -t, a:eq(t * t // 1) end, ints, 1.5 },
            { function(a, t) -- whose steps are more numbers than a kernel takes, and add up
                local sum = t
                for i = 1, 40 do
                    sum = sum + sum % i + t
                end
                return a + sum % 1000
            end, ints, 3 },
        } do
            check_same(table.unpack(case))
        end
        check_same(function(a, t) return a + (t + 1), a * (t + 2), a - (1 - t), a - (t - 1) end, ints, 3)
        local half = lun.fuse(function(a, t) return a + t / 2 end)
        helper.check_array(half(x, 1), "f32", { 3 }, { 1.5, 2.5, 3.5 })
        helper.check_array(half(x, 3), "f32", { 3 }, { 2.5, 3.5, 4.5 })
        local doubled = lun.fuse(function(a, t) return half(a, t + 1) * 2 end)
        helper.check_array(doubled(x, 1), "f32", { 3 }, { 4.0, 6.0, 8.0 })
    end)

    it("has constants that f32 cannot hold as the operators do", function()
        local f = lun.fuse(function(a) return a:minimum(1e300), a:maximum(-1e39) * -1e300, a * 1e-300 end)
        local low, high, least = f(x)
        helper.check_array(low, "f32", { 3 }, helper.flat(x:minimum(1e300)))
        helper.check_array(high, "f32", { 3 }, helper.flat(x:maximum(-1e39) * -1e300))
        helper.check_array(least, "f32", { 3 }, { 0.0, 0.0, 0.0 })
    end)

    it("compares with numbers as the operators do, whole ones and others in one function", function()
        for _, dtype in ipairs { "i32", "i64" } do
            local ints = dev:array({ 16777217, 16777216, -3, 2 }, dtype)
            local f = lun.fuse(function(a, t) return a:eq(t), a:lt(t), a + t end)
            for _, t in ipairs { 2 ^ 24, 2 ^ 24 + 0.5, 2.5, 2, 2.0, 1e300, 2 ^ 24, 2 ^ 40 } do
                local equal, less = f(ints, t)
                assert.same({ ints:eq(t):totable(), ints:lt(t):totable() }, { equal:totable(), less:totable() }, t)
            end
        end
    end)

    it("reads many arrays, which lie alike or not, as the operators do", function()
        local base = dev:arange(1, 360, { dtype = "f32" }):reshape(4, 6, 5, 3)
        local cuts, arrays = { { { 2, 5 }, { 1, 5, 2 } }, { { 1, 4 }, { 3, 5 } }, { { 3, 6 }, { 1, 5, 2 } } }, {}
        for i = 1, 32 do
            local cut = cuts[i % #cuts + 1]
            local whole = i % 5 == 0 and base:flip(3) or i % 7 == 0 and base:slice(2):expand(1) or base
            arrays[i] = whole:slice(nil, cut[1], cut[2], i % 4 == 0 and { 2, 2 } or nil)
        end
        check_same(function(...)
            local results, sum = {}, 0
            for i = 1, 32 do
                sum = sum + i * select(i, ...)
                results[i // 2] = sum
            end
            return table.unpack(results)
        end, table.unpack(arrays))
    end)

    it("tells many arrays apart whose rows begin, or go on, at other places", function()
        local base, lists = dev:arange(1, 80, { dtype = "f32" }):reshape(8, 10), {}
        local wide, third, far = base:slice({ 1, 3 }, { 1, 5, 2 }), base:slice({ 1, 3 }, { 1, 7, 3 }),
            base:slice({ 1, 5, 2 }, { 1, 5, 2 })
        local function weighted(...)
            local sum = 0
            for i = 1, 9 do
                sum = sum + i * select(i, ...)
            end
            return sum
        end
        local f = lun.fuse(weighted)
        for i = 1, 4 do
            lists[i] = { wide, wide, wide, wide, wide, wide, wide, wide, wide }
        end
        lists[2][4], lists[3][4], lists[4][2], lists[4][4] = third, far, third, far
        for _, list in ipairs(lists) do
            assert.same(weighted(table.unpack(list)):totable(), f(table.unpack(list)):totable())
        end
    end)

    it("gives results of several steps into arrays that later steps read", function()
        local function f(a, b)
            local sorted = a:sort()
            return sorted + 1, a * b, (a + sorted):sum { axis = 1, keepdims = true } - a
        end
        local a, b = dev:array { 3, 1, 2 }, dev:array { 1, 2, 4 }
        local expected = { f(a, b) }
        for _, options in ipairs { {}, { async = true } } do
            local p, q, r = a:copy(), b:copy(), dev:zeros { 3 }
            options.out = { q, p, r }
            local given = lun.fuse(f)(p, q, options)
            if options.async then given:wait() end
            assert.same({ helper.flat(expected[1]), helper.flat(expected[2]), helper.flat(expected[3]) },
                { helper.flat(q), helper.flat(p), helper.flat(r) })
        end
    end)

    it("gives each result memory of its own", function()
        local first, second = lun.fuse(function(a) return a + 1, a + 1 end)(x)
        first:fill(0)
        helper.check_array(second, "f32", { 3 }, { 2.0, 3.0, 4.0 })
    end)

    it("ends in reductions", function()
        local f = lun.fuse(function(a, b)
            local product = a * b
            return product:sum(), product, product:max(), product:reduce("min")
        end)
        local sum, product, max, min = f(x, y)
        assert.same({ 170.0, 120.0, 10.0 }, { sum, max, min })
        helper.check_array(product, "f32", { 3 }, { 10.0, 40.0, 120.0 })
        local rows = lun.fuse(function(a) return (a + 1):sum { axis = 2 } end)
        helper.check_array(rows(m), "f32", { 3 }, { 14.0, 30.0, 46.0 })
        local kept = lun.fuse(function(a) return (a + 1):sum { axis = 2, keepdims = true } end)
        helper.check_array(kept(m), "f32", { 3, 1 }, { 14.0, 30.0, 46.0 })
        local out = dev:zeros { 3 }
        assert.equal(out, rows(m, { out = out, variant = "plain" }))
        helper.check_array(rows(m, { async = true, queue = dev:queue() }):get(), "f32", { 3 }, { 14.0, 30.0, 46.0 })
        local accurate = lun.fuse(function(a) return (a + 1):sum { axis = 2, accurate = true } end)
        assert.equal(out, accurate(m, { out = out:fill(0) }))
        helper.check_array(out, "f32", { 3 }, { 14.0, 30.0, 46.0 })
        local many = {} -- more than one pass can reduce: the sum is a step of its own
        for i = 1, 10 do
            many[i] = m + i
        end
        local total = lun.fuse(function(a, ...)
            for _, b in ipairs { ... } do
                a = a + b
            end
            return a:sum { axis = 2 }
        end)
        many[11] = { out = out }
        assert.equal(out, total(table.unpack(many)))
        helper.check_array(out, "f32", { 3 }, { 320.0, 480.0, 640.0 })
        many[11] = { async = true, queue = dev:queue() }
        helper.check_array(total(table.unpack(many)):get(), "f32", { 3 }, { 320.0, 480.0, 640.0 })
        local all_sum, _, all_max = f(x, y, { async = true }):get()
        assert.same({ 170.0, 120.0 }, { all_sum, all_max })
        local middle = lun.fuse(function(a) -- these want their elements in an array
            local b = a + 1
            return b:median(), b:sum(), b:quantile({ 0, 1 }, { axis = 2 }), b:reduce("median")
        end)
        local half, all, ends, again = middle(m)
        assert.same({ 7.5, 90.0, 7.5 }, { half, all, again })
        helper.check_array(ends, "f32", { 2, 3 }, { 2.0, 6.0, 10.0, 5.0, 9.0, 13.0 })
        assert.equal(7.5, lun.fuse(function(a) return (a + 1):median() end)(m))
        local rows_middle = lun.fuse(function(a) return (a + 1):reduce("quantile", { q = 0.5, axis = 2 }) end)
        assert.equal(out, rows_middle(m, { out = out, async = true, queue = dev:queue() }):get())
        helper.check_array(out, "f32", { 3 }, { 3.5, 7.5, 11.5 })
        local function check_memory(reduce, ...)
            reduce(...)
            dev:finish()
            collectgarbage()
            local before = dev:memory().live
            dev:limit(before + 4096) -- a product of all elements has no room
            local ok, value = pcall(reduce, ...)
            dev:limit(0)
            assert.is_true(ok, value)
            return value
        end
        local ones = dev:ones { 1 << 16 }
        assert.equal(65536 * 2.0, check_memory(lun.fuse(function(a) return (a + a):sum() end), ones))
        assert.equal(65536 * 2.0, check_memory(function() return dev:reduce("sum", "a + a", { a = ones }) end))
    end)

    it("reduces with the options of each reduction", function()
        local starts = dev:array({ 1, 2, 4 }, "i32")
        local rows, columns, spread = lun.fuse(function(a)
            local b = a + 1
            return b:sum { axis = 2 }, b:sum { axis = 1 }, b:var { ddof = 1 }
        end)(m)
        helper.check_array(rows, "f32", { 3 }, helper.flat((m + 1):sum { axis = 2 }))
        helper.check_array(columns, "f32", { 4 }, helper.flat((m + 1):sum { axis = 1 }))
        helper.check_number((m + 1):var { ddof = 1 }, spread, 1e-6)
        local parts = lun.fuse(function(a) return (a + 1):sum { axis = 1, segments = starts } end)(m)
        helper.check_array(parts, "f32", { 2, 4 }, helper.flat((m + 1):sum { axis = 1, segments = starts }))
    end)

    it("computes once what stands there twice, and twice what differs a little", function()
        helper.check_array(lun.fuse(function(a)
            for _ = 1, 100 do -- 500 steps, if each were computed anew
                a = (a * 0.5) + (a * 0.5)
            end
            return a
        end)(x), "f32", { 3 }, helper.flat(x))
        local up, down = lun.fuse(function(a) return 1 / (a:abs() * 0.0), 1 / (a:abs() * -0.0) end)(x)
        helper.check_array(up, "f32", { 3 }, { math.huge, math.huge, math.huge })
        helper.check_array(down, "f32", { 3 }, { -math.huge, -math.huge, -math.huge })
        local byte, word = lun.fuse(function(a) return (a * 300):cast "u8", (a * 300):cast "i32" end)(x * 0 + 1)
        helper.check_array(byte, "u8", { 3 }, { 255, 255, 255 })
        helper.check_array(word, "i32", { 3 }, { 300, 300, 300 })
    end)

    -- But for sums of f32 quotients: a GPU's quotient ends in a product, which its driver may join to the sum.
    it("gives the bits of the operators, in every dtype that is computed as it is stored", function()
        for _, name in ipairs(helper.dtypes(dev, "float")) do
            if name ~= "f16" and name ~= "bf16" then
                local a = dev:random({ 1027 }, { seed = 1, low = -2, high = 2, dtype = name })
                local b = dev:random({ 1027 }, { seed = 2, low = 0.1, high = 2, dtype = name })
                check_same(function(p, q) return p * q + p, p * p - q * q, (p + 1) / q end, a, b)
                check_same(function(p, q) return p:lerp(q, 0.3) * p, (p * q + 1) // 0.7, p % q, -p end, a, b)
                check_same(function(p, q) return p:lt(q):where(p, 2.5), lun.where(p, 1, q), p:lor(q) end, a, b)
                check_same(function(p, q) return (p * 100):cast("i8") + 1, q:cast("u16") + p end, a, b)
            end
        end
        local i, u = dev:randint({ 1027 }, -100, 100, { seed = 1, dtype = "i8" }), dev:arange(1, 1027, "u16")
        check_same(function(p, q) return p * p + q, p // 7 - (q << 2), (p | 3) ~ q, ~q end, i, u)
        check_same(function(p, q) return p << q % 9, p >> q % 9, p & q, p | q, p ~ q end, i, u)
        check_same(function(p, q) return 1 / (p + 0.5), p % 5, p:abs():square(), p:ge(q) end, i, u)
        check_same(function(p, q) return p:lt(0):where(1, 2) + q, p:lt(0):where(1.5, 2) * p, p:gt(300) end, i, u)
    end)

    it("rounds 16-bit floats once, where operators round each result", function()
        for _, name in ipairs { "f16", "bf16" } do
            local a = dev:random({ 1027 }, { seed = 1 }):cast(name)
            local b = dev:random({ 1027 }, { seed = 2 }):cast(name)
            local exact = (a:cast("f32") * b:cast("f32") + a:cast("f32")):cast(name)
            assert.equal(exact:tobytes(), lun.fuse(function(p, q) return p * q + p end)(a, b):tobytes())
            check_same(function(p, q) return p * q, p / q end, a, b)
        end
    end)

    it("computes what is of numbers alone as Lua does, in 64 bits", function()
        local f = lun.fuse(function(a, n) return a * (n * 1e-300) end)
        helper.check_array(f(dev:array { 1, 2 }, 1e300), "f32", { 2 }, { 1.0, 2.0 })
        helper.raises("a + b: -9223372036854775808 is out of range for i32 (-2147483648 to 2147483647)", function()
            lun.fuse(function(a, n, k) return a + (n + k) end)(dev:array({ 1 }, "i32"), math.maxinteger, 1)
        end)
    end)

    it("gives each result its shape", function()
        local f = lun.fuse(function(a, b) return a + 1, b + 1 end)
        for _, second in ipairs { m, m:row(1), m } do -- one kernel, then two
            check_same(function(a, b) return f(a, b) end, m, second)
        end
        local alone = "fuse: result 2 is computed from numbers alone; it must be an array, or a reduction of one"
        helper.raises(alone, function()
            lun.fuse(function(a, k) return a, k * 2 end)(x, 2)
        end)
        local first = lun.fuse(function(a, b) return a + 1, (b + 1):lt(0) end)(x, x:reshape(3))
        helper.check_array(first, "f32", { 3 }, { 2.0, 3.0, 4.0 })
        helper.raises("a + b: shapes 3 and 4 do not broadcast", function()
            lun.fuse(function(a, b) return a + b end)(x, dev:zeros { 4 })
        end)
    end)

    it("holds no memory of the call that it was traced in", function()
        local f = lun.fuse(function(a) return (a:slice { 1, 3 } + a:slice { 1, 3 } + a:slice { 2, 4 }):sum() end)
        collectgarbage()
        collectgarbage "stop"
        local before = dev:memory().live
        local big = dev:ones { 100000 }
        assert.equal(9.0, f(big))
        big:release()
        local live = dev:memory().live
        collectgarbage "restart"
        assert.equal(before, live)
    end)
end)
