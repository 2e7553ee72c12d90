-- Ordering by value, exactly: comparisons of all pairs of dtypes and with numbers, searchsorted, histograms, extremes.

local lun = require "lunarray"
local helper = require "spec.helper"

local it = helper.one_in(2, it)

local NAN, INFINITY = 0 / 0, math.huge
local LEAST, MOST = math.mininteger, math.maxinteger

-- Numbers at which a dtype that cannot hold both sides would round, or take signs for bits.
local samples = {
    i8 = { -128, -1, 0, 1, 127 },
    u8 = { 0, 1, 128, 255 },
    i32 = { -2147483648, -16777217, -1, 0, 16777216, 16777217, 2147483647 },
    u32 = { 0, 16777217, 4294967294, 4294967295 },
    i64 = { LEAST, LEAST + 1, -(1 << 53) - 1, -16777217, -1, 0, (1 << 53) + 1, (1 << 54) - 1, (1 << 62) + 1, MOST - 512,
        MOST },
    u64 = { 0, 1, (1 << 53) + 1, (1 << 54) - 1, MOST, LEAST, LEAST + 1, -2049, -2048, -1024, -1 },
    f16 = { -INFINITY, -65504.0, -1.5, -0.0, 0.0, 1.0, 128.0, INFINITY, NAN },
    f32 = { -INFINITY, -2.0 ^ 63, -1.5, -0.5, 0.0, 127.5, 2.0 ^ 24, 2.0 ^ 53, 2.0 ^ 54, 2.0 ^ 63 - 2.0 ^ 39, 2.0 ^ 63,
        2.0 ^ 64 - 2.0 ^ 40, 2.0 ^ 64, INFINITY, NAN },
    f64 = { -INFINITY, -2.0 ^ 63 - 2048, -2.0 ^ 63, -1.5, 0.0, 5e-324, 16777216.5, 4294967295.5, 2.0 ^ 53, 2.0 ^ 53 + 2,
        2.0 ^ 54, 2.0 ^ 63 - 1024, 2.0 ^ 63, 2.0 ^ 64 - 2048, 2.0 ^ 64, INFINITY, NAN },
}

-- Is x less than y? `wide`: is it u64, whose numbers from 2^63 on are negative in Lua? Lua compares integers and floats
-- exactly.
local function less(x, wide_x, y, wide_y)
    local beyond_x, beyond_y = wide_x and x < 0, wide_y and y < 0
    if beyond_x and beyond_y then
        return math.ult(x, y)
    elseif beyond_x then
        return math.type(y) == "float" and (y >= 2.0 ^ 64 or y >= 2.0 ^ 63 and x + LEAST < math.tointeger(y - 2.0 ^ 63))
    elseif beyond_y then
        return math.type(x) == "integer" or x < 2.0 ^ 63
            or x < 2.0 ^ 64 and math.tointeger(x - 2.0 ^ 63) < y + LEAST
    end
    return x < y
end

local OPS = { "lt", "gt", "le", "ge", "eq", "ne" }

-- What the six comparisons give, 0 or 1.
local function compared(x, wide_x, y, wide_y)
    local lt, gt = less(x, wide_x, y, wide_y), less(y, wide_y, x, wide_x)
    local eq = x == x and y == y and not lt and not gt
    return { lt, gt, lt or eq, gt or eq, eq, not eq }
end

local function all_ops(x, y) return x:lt(y), x:gt(y), x:le(y), x:ge(y), x:eq(y), x:ne(y) end

-- A list of each element of one with each of the other, more than a vector's length of them.
local function pairs_of(one, other)
    local left, right = {}, {}
    for _, x in ipairs(one) do
        for _, y in ipairs(other) do
            left[#left + 1], right[#right + 1] = x, y
        end
    end
    return left, right
end

local function check(results, left, wide_left, right, wide_right, what)
    for k, result in ipairs(results) do
        local wanted, list = {}, result:totable()
        for i = 1, #list do
            wanted[i] = compared(left[i], wide_left, type(right) == "table" and right[i] or right, wide_right)[k]
        end
        assert.same(wanted, list, ("%s %s"):format(OPS[k], what))
    end
end

describe("ordering by value", function()
    it("has a judge that knows both sides of 2^63 and 2^64", function()
        assert.is_true(less(MOST, false, LEAST, true))
        assert.is_false(less(-1, true, MOST, false))
        assert.is_true(less(-1, true, 2.0 ^ 64, false))
        assert.is_false(less(-2048, true, 2.0 ^ 64 - 2048, false))
        assert.is_true(less(2.0 ^ 64 - 2048, false, -2047, true))
        assert.is_true(less(-2049, true, 2.0 ^ 64 - 2048, false))
        assert.same({ false, false, false, false, false, true }, compared(NAN, false, -1, true))
    end)

    helper.each_device(function(dev, title)
        local dtypes = helper.dtypes(dev)
        local has = {}
        for _, dtype in ipairs(dtypes) do
            has[dtype] = true
        end

        it("compares arrays of any two dtypes on " .. title, function()
            local fused = lun.fuse(all_ops)
            for _, one in ipairs { "i64", "u64", "i32", "u32", "f32" } do
                for _, other in ipairs { "i64", "u64", "i8", "f16", "f32", "f64" } do
                    if one ~= other and has[other] then
                        local left, right = pairs_of(samples[one], samples[other])
                        local x, y = dev:array(left, one), dev:array(right, other)
                        check({ fused(x, y) }, left, one == "u64", right, other == "u64", one .. " " .. other)
                    end
                end
            end
        end)

        it("does in methods, in place, backwards and in reductions on " .. title, function()
            local i, u = dev:array({ 1 << 62 }, "i64"), dev:array({ -1 }, "u64")
            assert.same({ true, false, true }, { i:lt(u):get(1), u:lt(i):get(1), u:ne(i):get(1) })
            local left, right = pairs_of(samples.i64, samples.f32)
            local x, y = dev:array(left, "i64"), dev:array(right)
            check({ all_ops(x, y) }, left, false, right, false, "i64 f32")
            check({ all_ops(y, x) }, right, false, left, false, "f32 i64")
            local strided = dev:zeros({ #left, 2 }, "i64"):col(2)
            strided:write(left)
            check({ all_ops(strided, y) }, left, false, right, false, "strided")
            local count = 0
            for k = 1, #left do
                count = count + (compared(left[k], false, right[k], false)[1] and 1 or 0)
            end
            assert.equal(count, lun.fuse(function(a, b) return a:lt(b):sum() end)(x, y))
            local one = dev:array { false }
            i:lt(u, { out = one })
            assert.is_true(one:get(1))
        end)

        it("compares integers with any number on " .. title, function()
            local fused = lun.fuse(all_ops)
            for _, dtype in ipairs { "u8", "i32", "i64", "u64" } do
                local list = samples[dtype]
                local x, wide = dev:array(list, dtype), dtype == "u64"
                for _, number in ipairs { 2.0 ^ 63, -2.0 ^ 63, 2.0 ^ 64, 2.0 ^ 53 + 2, 2.0 ^ 54, 16777216.0, 255.5, 300,
                    -1.0, INFINITY, -INFINITY, NAN, MOST, has.f64 and 16777216.5 or 0.5,
                    has.f64 and 2.0 ^ 63 - 1024 or 0.0, not wide and LEAST or 0, wide and -2048 or -300.0 } do
                    check({ all_ops(x, number) }, list, wide, number, wide and math.type(number) == "integer",
                        dtype .. " " .. number)
                    check({ fused(x, number) }, list, wide, number, wide and math.type(number) == "integer",
                        "fused " .. dtype .. " " .. number)
                end
            end
        end)

        it("compares numbers among themselves in a fused function on " .. title, function()
            local f = lun.fuse(function(x, n, m) return x + n:lt(m), x + (n * 2):eq(m) end)
            for _, case in ipairs { { 1, 1.5, 1, 0 }, { 3, 6, 1, 1 }, { 3, 6.0, 1, 1 },
                has.f64 and { (1 << 53) + 1, 2.0 ^ 53, 0, 0 } or nil, has.f64 and { MOST, 2.0 ^ 63, 1, 0 } or nil } do
                local low, same = f(dev:zeros({ 1 }, "i32"), case[1], case[2])
                assert.same({ case[3], case[4] }, { low:get(1), same:get(1) }, case[1] .. " " .. case[2])
            end
        end)

        it("finds where keys of any kind belong on " .. title, function()
            for _, one in ipairs { "i64", "u64", "i32", "f32", "f64" } do
                for _, other in ipairs { "i64", "u64", "u8", "f32", "f64" } do
                    if has[one] and has[other] then
                        local sorted, keys = samples[one], samples[other]
                        local a, k = dev:array(sorted, one), dev:array(keys, other)
                        local left, right = {}, {}
                        for i, key in ipairs(keys) do
                            left[i], right[i] = 1, 1
                            for _, x in ipairs(sorted) do -- NaN is behind all
                                local before = less(x, one == "u64", key, other == "u64") or key ~= key and x == x
                                local behind = less(key, other == "u64", x, one == "u64") or x ~= x and key == key
                                left[i] = left[i] + (before and 1 or 0)
                                right[i] = right[i] + (behind and 0 or 1)
                            end
                        end
                        helper.check_array(a:searchsorted(k), "i64", { #keys }, left, 0, one .. " " .. other)
                        helper.check_array(a:searchsorted(k, { side = "right" }), "i64", { #keys }, right, 0,
                            one .. " " .. other)
                    end
                end
            end
        end)

        it("finds where numbers and lists of them belong on " .. title, function()
            local times = dev:array({ 1700000000, 1700000010, 1700000020, 1700000030 }, "i64")
            assert.equal(3, times:searchsorted(1700000015.0))
            assert.equal(3, times:searchsorted(1700000010.0, { side = "right" }))
            assert.equal(2, dev:array({ 4294967290, 4294967295 }, "u32"):searchsorted(4294967291.0))
            local i = dev:array({ 16777216, 16777217, 16777218 }, "i32")
            assert.same({ 2, 3 }, { i:searchsorted(16777217.0), i:searchsorted(16777217.0, { side = "right" }) })
            local bytes = dev:array({ 0, 7, 255 }, "u8")
            for key, at in pairs { [300] = 4, [300.5] = 4, [-1] = 1, [-0.5] = 1, [7] = 2, [7.5] = 3 } do
                assert.equal(at, bytes:searchsorted(key))
            end
            assert.same({ 4, 4 }, { bytes:searchsorted(300.0), bytes:searchsorted(NAN) })
            helper.check_array(bytes:searchsorted { 7, 300, -1, 7.5 }, "i64", { 4 }, { 2, 4, 1, 3 })
            helper.check_array(bytes:searchsorted { 7, 300, side = "right" }, "i64", { 2 }, { 3, 4 })
            helper.check_array(times:searchsorted { { 1700000010, 3 }, { 1e300, NAN } }, "i64", { 2, 2 },
                { 2, 1, 5, 5 })
            helper.check_array(bytes:searchsorted {}, "i64", { 0 }, {})
            local wide = dev:array({ 0, MOST, -1 }, "u64")
            helper.check_array(wide:searchsorted { -1, MOST, 5 }, "i64", { 3 }, { 3, 2, 2 })
            if has.f64 then -- -1 and 2^63 have f64 alone; beside u64 the integer -1 is 2^64 - 1
                helper.check_array(times:searchsorted { -1, 2.0 ^ 63 }, "i64", { 2 }, { 1, 5 })
                helper.refused("searchsorted: argument 1: no dtype holds all", wide, { -1, -1.0 })
            end
            assert.equal(2, dev:array({ 0.1 }, "f32"):searchsorted(0.1, { side = "right" })) -- as the array has it
            helper.refused("searchsorted: argument 1: no dtype holds all numbers of the list: integers beyond "
                .. "2^53, and numbers that are not integers", times, { (1 << 53) + 1, 0.5 })
            helper.raises("searchsorted: argument 1: a list of numbers is needed; one of its elements is a string",
                function() times:searchsorted { 1, "x" } end)
            helper.raises("searchsorted: argument 1: the lists in the list differ in length",
                function() times:searchsorted { { 1, 2 }, { 3 } } end)
            local deep = 1
            for _ = 1, 9 do
                deep = { deep }
            end
            helper.refused("searchsorted: the table is nested deeper than 8 lists", times, deep)
        end)

        it("counts integers between edges on " .. title, function()
            local top = 2.0 ^ 54
            for _, dtype in ipairs(has.f64 and { "i64", "u64" } or {}) do
                local a = dev:array({ (1 << 54) - 1, 1 << 54, (1 << 54) + 7, (1 << 54) + 8, (1 << 54) + 9 }, dtype)
                local counts = a:histogram { bins = 2, low = top - 8, high = top + 8 }
                assert.same({ 1, 3 }, counts:totable(), dtype) -- the first below the middle, the last above the end
                counts = lun.histogram2d(a, a, { bins = { 1, 2 }, low = top - 8, high = top + 8 })
                assert.same({ { 1, 3 } }, counts:totable(), dtype)
                if dtype == "i64" then -- as near below an edge and above the next multiple of what f64 holds
                    local low = dev:array({ -1, 0, 1, 2, 4, 5 }, dtype) - (1 << 54)
                    counts = low:histogram { bins = 2, low = -top, high = 4 - top }
                    assert.same({ 2, 2 }, counts:totable(), dtype)
                end
                local ends = dev:array({ 5, (1 << 54) - 1, (1 << 55) + 1 }, dtype)
                local found, edges = ends:histogram { bins = 1 } -- which holds all, whatever the ends are rounded to
                assert.same({ 3 }, found:totable(), dtype)
                assert.same({ 5.0, 2.0 ^ 55 + 8 }, edges:totable(), dtype)
            end
        end)

        it("takes the lesser and the greater of u64 and signed integers by value on " .. title, function()
            local u, i = dev:array({ -1, 5, LEAST, 0 }, "u64"), dev:array({ -1, 7, MOST, -3 }, "i64")
            for _, f in ipairs { function(x) return x end, lun.fuse } do
                local least, most = f(function(x, y) return x:minimum(y) end), f(function(x, y) return x:maximum(y) end)
                local clamp = f(function(x, y, z) return x:clamp(y, z) end)
                helper.check_array(least(u, i), "i64", { 4 }, { -1, 5, MOST, -3 })
                helper.check_array(least(i, u), "i64", { 4 }, { -1, 5, MOST, -3 })
                helper.check_array(most(u, i), "i64", { 4 }, { -1, 7, LEAST, 0 })
                helper.check_array(most(i, u), "i64", { 4 }, { -1, 7, LEAST, 0 })
                local fmin = f(function(x, y) return x:fmin(y) end)(u, i)
                local fmax = f(function(x, y) return x:fmax(y) end)(i, u)
                helper.check_array(fmin, "i64", { 4 }, { -1, 5, MOST, -3 })
                helper.check_array(fmax, "i64", { 4 }, { -1, 7, LEAST, 0 })
                local low, high = dev:array({ 0, 1, 2, 3 }, "i8"), dev:array({ 10, 20, 30, 40 }, "i8")
                helper.check_array(clamp(u, low, high), "i64", { 4 }, { 10, 5, 30, 3 })
                helper.check_array(clamp(i, low, u), "i64", { 4 }, { 0, 5, MOST, 0 })
            end
        end)

        it("takes any limits that limit nothing on " .. title, function()
            local ranges = {
                { "u8", 0, 255 }, { "i16", -32768, 32767 }, { "u32", 0, (1 << 32) - 1 },
                { "i32", -(1 << 31), (1 << 31) - 1 },
            }
            local least, most = function(x, n) return x:minimum(n) end, function(x, n) return x:maximum(n) end
            local clamp = function(x, low, high) return x:clamp(low, high) end
            for _, range in ipairs(ranges) do
                local dtype, low, high = table.unpack(range)
                local values, middle, within = {}, (low + high) // 2, {}
                for k = 1, 37 do -- a few vectors and a rest
                    values[k] = k % 3 == 0 and low or k % 3 == 1 and high or middle + 1
                    within[k] = math.min(values[k], middle)
                end
                local x = dev:array(values, dtype)
                local above, below = { high + 1, math.maxinteger }, { low - 1, math.mininteger }
                for k = 1, 2 do
                    local up, down = above[k], below[k]
                    for _, f in ipairs { function(g) return g end, lun.fuse } do
                        helper.check_array(f(least)(x, up), dtype, { 37 }, values)
                        helper.check_array(f(most)(x, down), dtype, { 37 }, values)
                        helper.check_array(f(clamp)(x, down, up), dtype, { 37 }, values)
                        helper.check_array(f(clamp)(x, down, middle), dtype, { 37 }, within)
                        local calls = { { least, down }, { most, up }, { clamp, up, up }, { clamp, down, down } }
                        for _, call in ipairs(calls) do
                            local ok, problem = pcall(f(call[1]), x, table.unpack(call, 2))
                            local text = (": %d is out of range for %s (%d to %d)"):format(call[2], dtype, low, high)
                            assert.same({ false, text }, { ok, tostring(problem):sub(-#text) })
                        end
                    end
                    helper.check_array(x:copy():clamp_(down, middle), dtype, { 37 }, within)
                end
            end
            local bytes = dev:array({ 0, 100, 255 }, "u8") -- one number, in two dtypes
            local sum = lun.fuse(function(y, n) return y:minimum(n) + (y:cast "u16" + n) end)
            helper.check_array(sum(bytes, 300), "u16", { 3 }, { 300, 500, 810 })
            helper.check_array(sum(bytes, 200), "u16", { 3 }, { 200, 400, 655 })
            helper.check_array(lun.fuse(function(y) return y:clamp(-5, 300) end)(bytes), "u8", { 3 }, { 0, 100, 255 })
            helper.check_array(bytes:fmin(300):fmax(-5), "u8", { 3 }, { 0, 100, 255 })
            helper.raises("fmax: 300 is out of range for u8 (0 to 255)", function() bytes:fmax(300) end)
            local both = lun.fuse(function(y, n) return y:minimum(n):maximum(n) end)
            local ok, problem = pcall(both, bytes, 300) -- at the function's line
            assert.is_false(ok)
            assert.matches("maximum: 300 is out of range for u8 (0 to 255)", problem, 1, true)
        end)
    end)
end)
