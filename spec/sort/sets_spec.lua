-- Sets of values and rows: isin, union, intersect, setdiff, setxor, unique of rows and with first positions;
-- searchsorted with a sorter, and partition. Beside plain Lua, in which values are looked up one by one.

local helper = require "spec.helper"
local numbers = require "spec.numbers"

local lun = require "lunarray"

local nan = 0 / 0

-- Is a value among those of a list? A NaN is none, unless `same`.
local function has(list, x, same)
    for _, y in ipairs(list) do
        if x == y or same and x ~= x and y ~= y then
            return true
        end
    end
    return false
end

local function less(x, y)
    return x < y or y ~= y and x == x
end

-- The distinct values, sorted, how many there are of each, which each element has, and where each is first.
local function distinct(list)
    local values, counts, inverse, first = {}, {}, {}, {}
    for _, x in ipairs(list) do
        if not has(values, x, true) then
            values[#values + 1] = x
        end
    end
    table.sort(values, less)
    for k, x in ipairs(values) do
        counts[k] = 0
        for i, y in ipairs(list) do
            if x == y or x ~= x and y ~= y then
                counts[k], inverse[i], first[k] = counts[k] + 1, k, first[k] or i
            end
        end
    end
    return values, counts, inverse, first
end

-- Of complex numbers: by real parts, then by imaginary ones. NaN are last and one value, the least by the same order;
-- those whose real parts are numbers come first.
local function distinct_pairs(list)
    local order = {}
    local function rank(z) return (z.re ~= z.re and 2 or 0) + (z.im ~= z.im and 1 or 0) end
    local function is_less(j, k)
        local x, y = list[j], list[k]
        if rank(x) ~= rank(y) then
            return rank(x) < rank(y)
        elseif x.re ~= y.re and x.re == x.re then
            return x.re < y.re
        elseif x.im ~= y.im and x.im == x.im then
            return x.im < y.im
        end
        return j < k
    end
    for k = 1, #list do
        order[k] = k
    end
    table.sort(order, is_less)
    local values, counts, inverse, first = {}, {}, {}, {}
    for _, k in ipairs(order) do
        local z, before = list[k], values[#values]
        if not before or not (z == before or rank(z) > 0 and rank(before) > 0) then
            values[#values + 1], counts[#counts + 1], first[#first + 1] = z, 0, k
        end
        counts[#counts], inverse[k] = counts[#counts] + 1, #values
    end
    return values, counts, inverse, first
end

local function filtered(list, keep)
    local out = {}
    for _, x in ipairs(list) do
        out[#out + 1] = keep(x) and x or nil
    end
    return out
end

helper.each_device(function(dev, title)
    local random = numbers.generator(31)

    local function some(dtype, size, most)
        local list = {}
        for i = 1, size do
            list[i] = random(0, dtype == "bool" and 1 or most)
            if dtype:find "^b?f" then
                list[i] = random(1, 9) == 1 and nan or list[i] + 0.0
            end
        end
        return list
    end

    local ordered = { "bool", "u8", "i64", "f16", "f32" }

    describe("sets on " .. title, function()
        it("have the values that plain Lua finds", function()
            for trial = 1, 3 * #ordered do
                local dtype = ordered[(trial - 1) % #ordered + 1]
                local flat, other = some(dtype, 12 * (trial % 3), 8), some(dtype, random(0, 9), 12)
                local a = helper.array(dev, flat, { #flat // 4, 4 }, dtype)
                local b = helper.array(dev, other, { #other }, dtype)
                local lookup, joined = {}, table.move(other, 1, #other, #flat + 1, { table.unpack(flat) })
                for i, x in ipairs(flat) do
                    lookup[i] = has(other, x) and 1 or 0
                end
                helper.check_array(a:t():isin(b):t(), "bool", { #flat // 4, 4 }, lookup)
                local values, counts, inverse, first = distinct(flat)
                local u = distinct(joined)
                helper.check_array(a:union(b), dtype, { #u }, u)
                local common = filtered(values, function(x) return has(other, x) end)
                helper.check_array(a:intersect(b), dtype, { #common }, common)
                local rest = filtered(values, function(x) return not has(other, x) end)
                helper.check_array(a:setdiff(b), dtype, { #rest }, rest)
                local one = filtered(u, function(x) return not (has(flat, x) and has(other, x)) end)
                helper.check_array(a:setxor(b), dtype, { #one }, one)
                local v, c, i, f = a:unique { counts = true, inverse = true, first = true }
                helper.check_array(v, dtype, { #values }, values)
                helper.check_array(c, "i64", { #values }, counts)
                helper.check_array(i, "i64", { #flat // 4, 4 }, inverse)
                helper.check_array(f, "i64", { #values }, first)
                v, f = a:unique { first = true }
                helper.check_array(v, dtype, { #values }, values)
                helper.check_array(f, "i64", { #values }, first)
            end
        end)

        it("compare by value, whatever the dtypes, and take numbers", function()
            local a = dev:array({ 1, 2, 3, 200 }, "u8")
            helper.check_array(a:isin(dev:array({ 200, 2.5, 1 }, "f32")), "bool", { 4 }, { 1, 0, 0, 1 })
            helper.check_array(a:isin { 2, 300, -1 }, "bool", { 4 }, { 0, 1, 0, 0 })
            helper.check_array(a:isin { 2, 300, invert = true }, "bool", { 4 }, { 1, 0, 1, 1 })
            helper.check_array(a:isin(3), "bool", { 4 }, { 0, 0, 1, 0 })
            helper.check_array(a:union(dev:array({ -1, 2 }, "i8")), "i16", { 5 }, { -1, 1, 2, 3, 200 })
            helper.check_array(a:intersect(dev:array({ 2.0, 3.5 }, "f32")), "u8", { 1 }, { 2 })
            helper.check_array(a:setdiff(dev:array({ 2.0, 3.5 }, "f32")), "u8", { 3 }, { 1, 3, 200 })
            helper.check_array(a:setxor(dev:array({ 2.0, 3.5, 3.5 }, "f32")), "f32", { 4 }, { 1.0, 3.0, 3.5, 200.0 })
            helper.check_array(dev:zeros({ 0 }):setxor(dev:array { 0 / 0, 2, 0 / 0 }), "f32", { 2 }, { 2.0, 0 / 0 })
        end)
    end)

    describe("rows on " .. title, function()
        it("are distinct as plain Lua says, along any axis", function()
            for trial = 1, 2 * #ordered do
                local dtype = ordered[(trial - 1) % #ordered + 1]
                local count, width = random(1, 9), random(1, 3)
                local flat, keys = some(dtype, count * width, 2), {}
                for i = 1, count do
                    local row = {}
                    for j = 1, width do
                        local x = flat[(i - 1) * width + j]
                        row[j] = x ~= x and "z" or ("%d"):format(x)
                    end
                    keys[i] = table.concat(row) -- each of one letter, in the order of the values
                end
                local values, counts, inverse, first = distinct(keys)
                local expected = {}
                for k = 1, #values do
                    table.move(flat, (first[k] - 1) * width + 1, first[k] * width, #expected + 1, expected)
                end
                local a = helper.array(dev, flat, { count, width }, dtype)
                local v, c, i, f = a:unique { axis = 1, counts = true, inverse = true, first = true }
                helper.check_array(v, dtype, { #values, width }, expected)
                helper.check_array(c, "i64", { #values }, counts)
                helper.check_array(i, "i64", { count }, inverse)
                helper.check_array(f, "i64", { #values }, first)
                helper.check_array(a:t():unique({ axis = -1 }):t(), dtype, { #values, width }, expected)
                helper.check_array(a:reshape(count, 1, width):unique { axis = 1 }, dtype, { #values, 1, width },
                    expected)
            end
        end)

        for _, dtype in ipairs(helper.complex_dtypes(dev)) do
            it("unique sorts complex numbers by their real parts, then by imaginary ones, in " .. dtype, function()
                local function check(got, list, values, counts, inverse, first)
                    local wanted = dev:array(#values > 0 and values or dev:zeros { 0 }, dtype)
                    assert.equal(dtype, got[1]:dtype())
                    assert.same({ #values }, { got[1]:shape() })
                    assert.is_true(got[1]:as_real():eq(wanted:as_real())
                        :lor(got[1]:as_real():isnan():land(wanted:as_real():isnan())):all())
                    helper.check_array(got[2], "i64", { #values }, counts)
                    helper.check_array(got[3], "i64", { #list }, inverse)
                    helper.check_array(got[4], "i64", { #values }, first)
                end
                for _, size in ipairs { 0, 1, 2, 33, 400 } do
                    local list = {}
                    for k = 1, size do
                        local function part()
                            return random(1, 12) == 1 and nan or random(1, 12) == 1 and -0.0 or random(-3, 3) + 0.0
                        end
                        list[k] = lun.complex(part(), part())
                    end
                    local a = dev:zeros({ size, 2 }, dtype):t() -- a view
                    a:row(2):write(list)
                    local asked = { counts = true, inverse = true, first = true }
                    check({ a:row(2):unique(asked) }, list, distinct_pairs(list))
                end
                local m = dev:array({ { 1, lun.i }, { 1, -lun.i }, { 1, lun.i } }, dtype)
                local rows, times = m:unique { axis = 1, counts = true }
                assert.is_true(rows:eq(dev:array({ { 1, -lun.i }, { 1, lun.i } }, dtype)):all())
                helper.check_array(times, "i64", { 2 }, { 1, 2 })
                helper.check_array(m:unique():imag(), dtype == "c64" and "f32" or "f64", { 3 }, { -1.0, 1.0, 0.0 })
            end)
        end

        it("are sorted by the variant that is asked for", function()
            local m = dev:array { { 2, 1 }, { 1, 2 }, { 2, 1 } }
            local z = m + lun.i
            assert.equal(2, z:unique({ variant = "plain" }):size())
            helper.check_array(m:unique { axis = 1, variant = "plain" }, "f32", { 2, 2 }, { 1.0, 2.0, 2.0, 1.0 })
        end)

        it("may be of nothing, or none", function()
            helper.check_array(dev:zeros({ 3, 0 }):unique { axis = 1 }, "f32", { 1, 0 }, {})
            helper.check_array(dev:zeros({ 0, 3 }):unique { axis = 1 }, "f32", { 0, 3 }, {})
        end)
    end)

    describe("what is sorted on " .. title, function()
        it("is searched by a sorter", function()
            local a = dev:array({ 30, 10, 20 }, "i32")
            local order = a:argsort()
            local values = dev:array({ 10, 15, 40 }, "i32")
            helper.check_array(a:searchsorted(values, { sorter = order }), "i64", { 3 }, { 1, 2, 4 })
            assert.equal(3, a:searchsorted(20, { sorter = order, side = "right" }) - 0)
            helper.refused("searchsorted: take: index 4 at position 1 is out of range 1..3",
                a, 20, { sorter = dev:array({ 4, 1, 2 }, "i32") })
        end)

        it("is parted", function()
            local a = dev:array { { 3, 1, 2 }, { 9, 7, 8 } }
            helper.check_array(a:partition(2), "f32", { 2, 3 }, { 1.0, 2.0, 3.0, 7.0, 8.0, 9.0 })
            helper.check_array(a:argpartition({ 1, -1 }, { axis = 1 }), "i64", { 2, 3 }, { 1, 1, 1, 2, 2, 2 })
        end)

        it("and sets refuse what they cannot take", function()
            local a, z = dev:ones { 2 }, dev:ones({ 2 }, "c64")
            helper.refused("partition: position 3 is out of range: there are 2 along the axis", a, 3)
            helper.refused("argpartition: position -3 is out of range: there are 2 along the axis", a, { 1, -3 })
            helper.refused("partition: argument 1: a position or a list of them is needed, got 1.5", a, { 1.5 })
            helper.raises("union: c64 numbers have no order", function() a:union(z) end)
            helper.raises("isin: c64 numbers have no order", function() a:isin(z) end)
            helper.raises("unique: axis 2 is out of range", function() a:unique { axis = 2 } end)
            helper.raises("isin: argument 1: a list of numbers is needed; one of its elements is a string",
                function() a:isin { "x" } end)
        end)
    end)
end)
