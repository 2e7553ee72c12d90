-- Sorting and what is told of sorted elements, against plain Lua: shapes, dtypes, views, ties, NaN, every message.

local lun = require "lunarray"
local helper = require "spec.helper"
local laying = require "spec.laying"
local numbers = require "spec.numbers"
local reference = require "spec.reference"

local it = helper.one_in(2, it)

local FEW = { "f32", "u8", "i64" } -- for variants that are made for another kind of device
local NAN = 0 / 0

-- ---- plain Lua ----------------------------------------------------------------------------------------------

local function less(a, b, dtype)
    if a ~= a or b ~= b then
        return a == a and b ~= b
    end
    return dtype == "u64" and math.ult(a, b) or dtype ~= "u64" and a < b
end

-- The positions in the order that sorts the list; equal elements keep theirs, and NaN comes last.
local function find_order(list, dtype, descending)
    local order = {}
    for i = 1, #list do
        order[i] = i
    end
    table.sort(order, function(i, j)
        local a, b = list[i], list[j]
        if descending and a == a and b == b then
            a, b = b, a
        end
        if less(a, b, dtype) or less(b, a, dtype) then
            return less(a, b, dtype)
        end
        return i < j
    end)
    return order
end

-- As find_order; orders of long lists are remembered, as every variant is asked for the same ones.
local orders = {}
local function order_of(list, dtype, descending)
    if #list < 1000 then
        return find_order(list, dtype, descending)
    end
    local words = { dtype, tostring(descending or false) }
    for i, x in ipairs(list) do
        words[i + 2] = ("%q"):format(x)
    end
    local key = table.concat(words, " ")
    orders[key] = orders[key] or find_order(list, dtype, descending)
    return orders[key]
end

local function pick(list, order, count)
    local picked = {}
    for i = 1, count or #order do
        picked[i] = list[order[i]]
    end
    return picked
end

-- Calls f(row) for each row of a flat list along an axis; f gives a list that comes in the row's place. Gives them as
-- one flat list, and the size that the axis then has.
local function along(flat, shape, axis, f)
    local inner = reference.size { table.unpack(shape, axis + 1) }
    local count, out, size = shape[axis], {}, 0
    for outer = 0, reference.size { table.unpack(shape, 1, axis - 1) } - 1 do
        for i = 0, inner - 1 do
            local row = {}
            for k = 0, count - 1 do
                row[k + 1] = flat[(outer * count + k) * inner + i + 1]
            end
            local got = f(row)
            size = #got
            for k = 0, size - 1 do
                out[(outer * size + k) * inner + i + 1] = got[k + 1]
            end
        end
    end
    return out, size
end

local function texts(list)
    local out = {}
    for i, x in ipairs(list) do
        out[i] = x ~= x and "nan" or math.type(x) == "float" and ("%.17g"):format(x) or tostring(x)
    end
    return table.concat(out, " ")
end

-- Raises unless the array has that dtype and those elements, -0 told from 0.
local function check(array, dtype, expected, what)
    assert.equal(dtype, array:dtype(), what)
    assert.equal(texts(expected), texts(helper.flat(array)), what)
end

-- ---- arrays ---------------------------------------------------------------------------------------------------

-- A list with many ties, and for floats NaN, infinities and both zeros.
local function some_list(random, count, dtype)
    local make = random(1, 2) == 1 and numbers.some or numbers.small
    local list = make(count, dtype, random(1, 50))
    local special = { NAN, -NAN, 0.0, -0.0, math.huge, -math.huge }
    for i = 1, numbers.is_float(dtype) and count or 0 do
        list[i] = random(1, 3) == 1 and special[random(1, #special)] or list[i]
    end
    return list
end

local function some_shape(random)
    local shape, axes = {}, random(1, 8)
    for axis = 1, axes do
        shape[axis] = random(1, axes > 4 and 2 or axes > 2 and 4 or 60)
    end
    return shape
end

-- Lengths of rows around each edge of the variants.
local LENGTHS = { 1, 2, 3, 5, 16, 23, 40, 41, 255, 256, 257, 1000, 1024, 1025, 2047, 2048, 2049, 4100 }

describe("sort and argsort", function()
    helper.each_variant("sort", function(dev, variant, title)
        local foreign = helper.is_foreign(dev, variant)

        it("order any axis of any shape as plain Lua does on " .. title, function()
            local random, dtypes = numbers.generator(7), foreign and FEW or helper.dtypes(dev)
            for i = 1, foreign and 24 or 72 do
                local dtype, shape = dtypes[i % #dtypes + 1], some_shape(random)
                local axis, descending = random(1, #shape), random(1, 2) == 1
                local flat = some_list(random, reference.size(shape), dtype)
                local a = laying.some(random, dev, flat, shape, dtype)
                local options = { axis = random(1, 2) == 1 and axis or axis - #shape - 1, descending = descending,
                    variant = variant }
                local what = ("%s %s axis %d"):format(dtype, table.concat(shape, "x"), axis)
                if helper.can(a.sort, a, options) then
                    check(a:sort(options), dtype, along(flat, shape, axis, function(row)
                        return pick(row, order_of(row, dtype, descending))
                    end), what)
                    check(a:argsort(options), "i64", along(flat, shape, axis, function(row)
                        return order_of(row, dtype, descending)
                    end), what)
                end
            end
        end)

        it("order rows of every length on " .. title, function()
            local random, dtypes = numbers.generator(3), foreign and FEW or helper.dtypes(dev)
            local lengths, done = { table.unpack(LENGTHS) }, 0
            if not foreign then
                lengths[#lengths + 1] = 33000
            end
            for i, length in ipairs(lengths) do
                local dtype = dtypes[i % #dtypes + 1]
                local shape = { length < 3000 and 5 or 2, length }
                local flat = some_list(random, shape[1] * length, dtype)
                local a = helper.array(dev, flat, shape, dtype)
                if helper.can(a.sort, a, { variant = variant }) then
                    done = done + 1
                    check(a:sort { variant = variant }, dtype, along(flat, shape, 2, function(row)
                        return pick(row, order_of(row, dtype))
                    end), dtype .. " " .. length)
                    check(a:argsort { variant = variant, descending = true }, "i64", along(flat, shape, 2,
                        function(row) return order_of(row, dtype, true) end), dtype .. " " .. length)
                end
            end
            assert.is_true(done > 0)
        end)
    end)

    it("say what is wrong", function()
        local dev = lun.device()
        local a = dev:array { { 3, 1, 2 }, { 6, 5, 4 } }
        helper.refused("sort: axis 3 is out of range: the array has 2 axes (2x3)", a, { axis = 3 })
        helper.refused("sort: the array has no axes, so it cannot be sorted", dev:array(1))
        helper.refused("sort: variant 'bitonic' cannot do this here; ", dev:zeros { 2049 }, { variant = "bitonic" })
    end)
end)

describe("topk", function()
    helper.it_each_variant("topk", "gives the first of what is sorted", function(dev, variant)
        local random = numbers.generator(5)
        for _, dtype in ipairs(helper.is_foreign(dev, variant) and FEW or helper.dtypes(dev)) do
            local shape, k = { random(1, 5), random(5, 50), random(1, 5) }, random(0, 5)
            local flat, smallest = some_list(random, reference.size(shape), dtype), random(1, 2) == 1
            local a = laying.some(random, dev, flat, shape, dtype)
            local options = { axis = 2, smallest = smallest, variant = variant }
            if helper.can(a.topk, a, k, options) then
                local values, positions = a:topk(k, options)
                check(values, dtype, along(flat, shape, 2, function(row)
                    return pick(row, order_of(row, dtype, not smallest), k)
                end))
                check(positions, "i64", along(flat, shape, 2, function(row)
                    return table.move(order_of(row, dtype, not smallest), 1, k, 1, {})
                end))
            end
        end
    end)

    helper.each_variant("topk", function(dev, variant, title)
        it("gives the first of long rows, with many that are equal and NaN, on " .. title, function()
            local random, done = numbers.generator(8), 0
            for i, dtype in ipairs(helper.dtypes(dev)) do
                local count, k = ({ 8192, 8193, 9001 })[i % 3 + 1], ({ 1, 2, 333, 2047 })[i % 4 + 1]
                local shape, smallest = { 2, count }, i % 2 == 0
                local flat = i % 3 == 0 and numbers.small(2 * count, dtype, i) or some_list(random, 2 * count, dtype)
                local a, options = helper.array(dev, flat, shape, dtype), { smallest = smallest, variant = variant }
                if helper.can(a.topk, a, k, options) then
                    done = done + 1
                    local values, positions = a:topk(k, options)
                    local function row_order(row)
                        return table.move(order_of(row, dtype, not smallest), 1, k, 1, {})
                    end
                    check(positions, "i64", along(flat, shape, 2, row_order), dtype)
                    local function first(row) return pick(row, row_order(row)) end
                    check(values, dtype, along(flat, shape, 2, first), dtype)
                end
            end
            assert.is_true(done > 0)
        end)
    end)

    it("says what is wrong", function()
        local a = lun.array { { 3, 1, 2 }, { 6, 5, 4 } }
        helper.raises("topk: the first 4 are requested; axis 2 has 3 positions", function() local _ = a:topk(4) end)
        helper.raises("topk: argument 1: a whole number from 0 is needed, got -1", function() local _ = a:topk(-1) end)
    end)
end)

describe("sort_by", function()
    helper.it_each_device("reorders arrays of any dtype and shape by the keys, stably,", function(dev)
        local keys = dev:array({ 2, 1, 2, 1 }, "u8")
        local rows = dev:array({ { 1 }, { 2 }, { 3 }, { 4 } }, "i16")
        local a, b = lun.sort_by(keys, dev:array { 10, 20, 30, 40 }, rows)
        helper.check_array(a, "f32", { 4 }, { 20.0, 40.0, 10.0, 30.0 })
        helper.check_array(b, "i16", { 4, 1 }, { 2, 4, 1, 3 })
        helper.check_array(lun.sort_by(keys, a, { descending = true }), "f32", { 4 }, { 20.0, 10.0, 40.0, 30.0 })
        local same, other = lun.sort_by(keys, keys, a, { async = true }):get()
        helper.check_array(same, "u8", { 4 }, { 1, 1, 2, 2 })
        helper.check_array(other, "f32", { 4 }, { 40.0, 30.0, 20.0, 10.0 })
    end)

    it("says what is wrong", function()
        local a = lun.array { { 3, 1, 2 }, { 6, 5, 4 } }
        helper.refused("sort_by: the keys have shape 2x3; an array of one axis is needed", lun, a, a)
        helper.raises(
            "sort_by: argument 2 has shape 2x3; 3 positions along its first axis are needed, one for each key",
            function() local _ = lun.sort_by(a:row(1), a) end)
        local many = {}
        for i = 1, 33 do
            many[i] = a
        end
        helper.refused("sort_by: more than 32 arrays are to be sorted by the keys", lun, a:col(1), table.unpack(many))
    end)
end)

describe("unique", function()
    helper.each_variant("unique", function(dev, variant, title)
        it("gives the values, how many there are, and which ones they are, on " .. title, function()
            local random = numbers.generator(9)
            for _, dtype in ipairs(helper.is_foreign(dev, variant) and FEW or helper.dtypes(dev)) do
                local shape = { random(1, 9), random(1, 9) }
                local flat = some_list(random, reference.size(shape), dtype)
                local a = laying.some(random, dev, flat, shape, dtype)
                local values, counts, inverse, last = {}, {}, {}, nil
                for i, at in ipairs(order_of(flat, dtype)) do
                    local x = flat[at]
                    if i == 1 or x ~= last and (x == x or last == last) then
                        values[#values + 1], counts[#counts + 1] = x, 0
                    end
                    counts[#counts], inverse[at], last = counts[#counts] + 1, #values, x
                end
                if not helper.can(a.unique, a, { variant = variant }) then
                    break
                end
                check(a:unique { variant = variant }, dtype, values, dtype)
                local got, times, which = a:unique { counts = true, inverse = true, variant = variant }
                check(got, dtype, values, dtype)
                helper.check_array(times, "i64", { #values }, counts)
                helper.check_array(which, "i64", shape, inverse)
            end
        end)
    end)

    helper.it_each_device("gives nothing of nothing, and one of one", function(dev)
        local values, counts, inverse = dev:zeros { 0, 2 }:unique { counts = true, inverse = true }
        helper.check_array(values, "f32", { 0 }, {})
        helper.check_array(counts, "i64", { 0 }, {})
        helper.check_array(inverse, "i64", { 0, 2 }, {})
        helper.check_array(dev:array(7):unique(), "f32", { 1 }, { 7.0 })
        local same, which = dev:array({ 5, 4, 5 }, "u8"):unique { inverse = true }
        helper.check_array(same, "u8", { 2 }, { 4, 5 })
        helper.check_array(which, "i64", { 3 }, { 2, 1, 2 })
    end)
end)

describe("searchsorted", function()
    helper.each_device(function(dev, name)
        it("gives where values belong as plain Lua does on " .. name, function()
            local random = numbers.generator(4)
            for _, dtype in ipairs(helper.dtypes(dev)) do
                local list, wanted = some_list(random, random(0, 40), dtype), some_list(random, 30, dtype)
                local sorted = pick(list, order_of(list, dtype))
                local a, values = laying.some(random, dev, sorted, { #sorted }, dtype),
                    laying.some(random, dev, wanted, { 5, 6 }, dtype)
                local left, right = {}, {}
                for i, x in ipairs(wanted) do
                    left[i], right[i] = 1, 1
                    for _, y in ipairs(sorted) do
                        left[i] = left[i] + (less(y, x, dtype) and 1 or 0)
                        right[i] = right[i] + (less(x, y, dtype) and 0 or 1)
                    end
                end
                helper.check_array(a:searchsorted(values), "i64", { 5, 6 }, left)
                helper.check_array(a:searchsorted(values, { side = "left" }), "i64", { 5, 6 }, left)
                local out = dev:zeros({ 6, 5 }, "i64"):t()
                a:searchsorted(values, { side = "right", out = out })
                helper.check_array(out, "i64", { 5, 6 }, right)
            end
        end)

        it("takes numbers, and values of another dtype, on " .. name, function()
            local a = dev:array({ 1, 2, 2, 5 }, "i32")
            assert.equal(2, a:searchsorted(2))
            assert.equal(4, a:searchsorted(2, { side = "right" }))
            assert.equal(4, a:searchsorted(2.5))
            assert.equal(5, a:searchsorted(9))
            helper.check_array(a:searchsorted(dev:array { 0.5, 1.5, NAN }), "i64", { 3 }, { 1, 2, 5 })
            helper.check_array(a:searchsorted(2, { out = dev:zeros({}, "i64") }), "i64", {}, { 2 })
        end)
    end)

    it("says what is wrong", function()
        local a = lun.array { 1, 2, 3 }
        helper.raises("searchsorted: the array has shape 1x3; a sorted array of one axis is needed",
            function() local _ = a:reshape(1, 3):searchsorted(1) end)
        helper.refused("searchsorted: unknown side 'middle'; known are left, right", a, 1, { side = "middle" })
    end)
end)

describe("median and quantile", function()
    -- NumPy's linear interpolation.
    local function quantile(row, q, dtype)
        local order = order_of(row, dtype)
        local last = row[order[#row]]
        if last ~= last then
            return last
        end
        local at = q * (#row - 1)
        local low = math.floor(at)
        local a, b = row[order[low + 1]], row[order[math.min(low + 2, #row)]]
        if dtype == "u64" then
            a, b = numbers.cast(a, "u64", "f64"), numbers.cast(b, "u64", "f64")
        end
        return (a == b or at == low) and a + 0.0 or a + (b - a) * (at - low)
    end

    local function real_dtype(dev, dtype)
        local wide = dtype == "f64" or not numbers.is_float(dtype) and dev:info().fp64
        return wide and "f64" or "f32"
    end

    -- Elements whose quantiles have no infinities in between, and how far off the result may be.
    local function some_numbers(random, count, dtype)
        local list = numbers.small(count, dtype, random(1, 50))
        if numbers.is_float(dtype) and random(1, 4) == 1 then
            list[random(1, count)] = NAN
        end
        return list
    end

    helper.it_each_variant("quantile", "are those of plain Lua", function(dev, variant)
        local random = numbers.generator(11)
        for _, dtype in ipairs(helper.is_foreign(dev, variant) and FEW or helper.dtypes(dev)) do
            local shape, axis = { random(1, 6), random(1, 6), random(1, 6) }, random(1, 3)
            local flat, q = some_numbers(random, reference.size(shape), dtype), random(0, 100) / 100
            local a = laying.some(random, dev, flat, shape, dtype)
            if not helper.can(a.quantile, a, q, { variant = variant }) then
                break
            end
            local result = real_dtype(dev, dtype)
            local left = { table.unpack(shape) }
            table.remove(left, axis)
            local tolerance = 32 * numbers.compute_eps(result) -- of numbers up to 8, a few roundings
            local function row_quantile(at)
                return (along(flat, shape, axis, function(row) return { quantile(row, at, dtype) } end))
            end
            helper.check_array(a:quantile(q, { axis = axis, variant = variant }), result, left, row_quantile(q),
                tolerance)
            helper.check_array(a:median { axis = axis, variant = variant }, result, left, row_quantile(0.5), tolerance)
            helper.check_number(quantile(flat, q, dtype), a:quantile(q, { variant = variant }), tolerance)
            helper.check_number(quantile(flat, 0.5, dtype), a:median { variant = variant }, tolerance)
            local size = reference.size(left)
            local both = table.move(row_quantile(q), 1, size, size + 1, row_quantile(1))
            shape[axis] = 1
            helper.check_array(a:quantile({ 1, q }, { axis = axis, keepdims = true, variant = variant }), result,
                { 2, table.unpack(shape) }, both, tolerance)
        end
    end)

    -- Hyndman and Fan's definitions: the place is n q + m - 1, from 0, with their m, or (n - 1) q.
    local function place_by(method, q, n)
        local m = ({ hazen = 0.5, weibull = q, median_unbiased = (q + 1) / 3, normal_unbiased = q / 4 + 3 / 8,
            interpolated_inverted_cdf = 0, inverted_cdf = 0, averaged_inverted_cdf = 0,
            closest_observation = 0 })[method]
        local at = m and n * q + m - 1 or (n - 1) * q
        local low, part = math.floor(at), at - math.floor(at)
        local up = part > 0 and 1 or 0
        if method == "nearest" or method == "closest_observation" then -- of two the even one, counted from 0 and from 1
            local odd = low % 2 == (method == "nearest" and 1 or 0)
            up = (part > 0.5 or part == 0.5 and odd) and 1 or 0
        end
        at = ({ lower = low, higher = low + up, nearest = low + up, inverted_cdf = low + up,
            closest_observation = low + up, midpoint = low + up / 2,
            averaged_inverted_cdf = low + (up == 1 and 1 or 0.5) })[method] or at
        return math.max(0, math.min(n - 1, at < 0 and 0 or at))
    end

    helper.it_each_device("are those of NumPy's methods, and leave NaN out by each of them", function(dev)
        local methods = { "inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf",
            "hazen", "weibull", "linear", "median_unbiased", "normal_unbiased", "lower", "higher", "nearest",
            "midpoint" }
        for n = 1, 9 do
            local qs, list = { 0, 1 / 3, 0.9, 1 }, {}
            for i = 1, 2 * n do
                qs[#qs + 1] = i / (2 * n)
                list[i] = i <= n and (i * 7 % n + i) * 1.0 or NAN
            end
            local sorted = table.move(list, 1, n, 1, {})
            table.sort(sorted)
            local gaps = dev:array(list)
            local a = gaps:slice { 1, n }
            for number, method in ipairs(methods) do
                local wanted = {}
                for i, q in ipairs(qs) do
                    local at = place_by(method, q, n)
                    local low = math.floor(at)
                    local x, y = sorted[low + 1], sorted[math.min(low + 2, n)]
                    wanted[i] = x + (y - x) * (at - low)
                end
                local by = { method = number < 10 and n % 2 == 0 and number or method }
                helper.check_array(a:quantile(qs, by), "f32", { #qs }, wanted, 1e-5, method .. n)
                helper.check_array(gaps:nanquantile(qs, by), "f32", { #qs }, wanted, 1e-5, method .. n)
            end
        end
        local x = dev:array { -math.huge, 2, 3, math.huge }
        helper.check_array(x:reduce("quantile", { q = { 0.25, 0.75, 1 }, method = 2 }), "f32", { 3 },
            { -math.huge, math.huge, math.huge })
        assert.same({ 2.0, 3.0 }, { x:quantile(0.3, { method = "higher" }), x:quantile(0.7, { method = "lower" }) })
        helper.refused("quantile: unknown method 'median'; known are linear, inverted_cdf,", x, 0.5,
            { method = "median" })
        for _, wrong in ipairs { 0, 10, 1.5 } do
            helper.refused("nanquantile: option 'method' is " .. tostring(wrong)
                .. "; a name or a whole number from 1 to 9 is needed", x, 0.5, { method = wrong })
        end
        helper.refused("reduce: method is an option of quantile and nanquantile, which are not among the "
            .. "ops", x, "median",
            { method = 5 })
        helper.raises("median: unknown option 'method'", function() local _ = x:median { method = 5 } end)
    end)

    helper.it_each_device("leave NaN out", function(dev)
        local random = numbers.generator(13)
        for _, dtype in ipairs { "f32", "f16", "i16" } do
            for _, share in ipairs { 0, 3, 10 } do -- of ten elements are NaN
                local rows, count, q = 5, random(1, 60), random(0, 100) / 100
                local flat, result = numbers.small(rows * count, dtype, share + 1), real_dtype(dev, dtype)
                for i = 1, dtype == "i16" and 0 or #flat do
                    flat[i] = random(1, 10) <= share and NAN or flat[i]
                end
                local function of_rows(at)
                    return (along(flat, { rows, count }, 2, function(row)
                        local present = {}
                        for _, x in ipairs(row) do
                            present[#present + 1] = x == x and x or nil
                        end
                        return { #present > 0 and quantile(present, at, dtype) or NAN }
                    end))
                end
                local a = helper.array(dev, flat, { rows, count }, dtype)
                local tolerance = 32 * numbers.compute_eps(result)
                helper.check_array(a:nanmedian { axis = 2 }, result, { rows }, of_rows(0.5), tolerance)
                helper.check_array(a:t():nanquantile(q, { axis = 1, keepdims = true }), result, { 1, rows },
                    of_rows(q), tolerance)
                helper.check_array(a:reduce("nanquantile", { axis = 2, q = { 0, 1 } }), result, { 2, rows },
                    table.move(of_rows(1), 1, rows, rows + 1, of_rows(0)), tolerance)
            end
        end
        local few = dev:array { NAN, 3, NAN, -math.huge, 1, 2, math.huge }
        assert.same({ 2.0, 1.0, -math.huge }, { few:nanmedian(), few:nanquantile(0.25), few:nanquantile(0) })
        local middle = lun.fuse(function(x) return (x * 2):nanmedian(), (x + 1):nanquantile(1) end)
        assert.same({ 4.0, math.huge }, { middle(few) })
        helper.check_array(few:nanquantile({ 0.1, 0.3, 0.7 }), "f32", { 3 }, { -math.huge, 1.2, 2.8 }, 1e-6)
        helper.refused("nanmedian: nanmedian of no elements: the reduced extent of shape 0 is 0", dev:zeros({ 0 }))
        helper.refused("reduce: nanquantile needs q, a number from 0 to 1 or a list of them", few, "nanquantile")
        helper.raises("nanquantile: q is 1.5; numbers from 0 to 1 are needed", function() few:nanquantile(1.5) end)
    end)

    helper.it_each_device("leave NaN out of rows in which places could be selected", function(dev)
        local count, flat, present = 9001, {}, { {}, {} } -- more than select_row
        for i = 1, 2 * count do
            local row = i > count and 2 or 1
            flat[i] = i % (row + 1) == 0 and NAN or i % 1009 -- a half of one row, a third of the other
            present[row][#present[row] + 1] = flat[i] == flat[i] and flat[i] or nil
        end
        local a = helper.array(dev, flat, { 2, count }, "f32")
        local function of_rows(q) return { quantile(present[1], q, "f32"), quantile(present[2], q, "f32") } end
        local tolerance = 1009 * numbers.compute_eps "f32" -- of numbers below 1009, a rounding or two
        helper.check_array(a:nanmedian { axis = 2 }, "f32", { 2 }, of_rows(0.5), tolerance)
        helper.check_array(a:nanquantile(0.9, { axis = 2 }), "f32", { 2 }, of_rows(0.9), tolerance)
        helper.check_number(of_rows(0.5)[1], a:row(1):nanmedian(), tolerance)
    end)

    helper.it_each_variant("quantile", "are those of plain Lua in long rows", function(dev, variant)
        local random, done = numbers.generator(12), 0
        for i, dtype in ipairs(helper.dtypes(dev)) do
            local count = ({ 8192, 8193, 9001 })[i % 3 + 1]
            local flat, q, result = numbers.small(2 * count, dtype, i), random(0, 100) / 100, real_dtype(dev, dtype)
            if numbers.is_float(dtype) then
                flat[i], flat[count - i] = math.huge, -math.huge
                flat[2 * count - i] = i % 4 == 0 and NAN or flat[2 * count - i]
            end
            local a, options = helper.array(dev, flat, { 2, count }, dtype), { axis = 2, variant = variant }
            if helper.can(a.quantile, a, q, options) then
                done = done + 1
                for _, at in ipairs { { 0.5 }, { q, 1, 0.25, 0 }, { 0.1, 0.2, 0.3, 0.4, 0.9 } } do
                    local expected = {}
                    for _, each in ipairs(at) do
                        local row = along(flat, { 2, count }, 2, function(line)
                            return { quantile(line, each, dtype) }
                        end)
                        table.move(row, 1, 2, #expected + 1, expected)
                    end
                    if helper.can(a.quantile, a, at, options) then
                        helper.check_array(a:quantile(at, options), result, { #at, 2 }, expected,
                            32 * numbers.compute_eps(result), dtype .. #at)
                    end
                end
            end
        end
        assert.is_true(done > 0)
    end)

    helper.each_device(function(dev, name)
        it("are as many as 1024 in one list, along an axis too, on " .. name, function()
            local row, at = {}, {}
            for i = 1, 2046 do
                row[i] = (i * 5) % 2047 -- 1 to 2046, each of them once
            end
            for i = 1, 1024 do
                at[i] = (1024 - i) / 1023
            end
            local expected, columns = {}, {}
            for i, q in ipairs(at) do
                expected[i] = quantile(row, q, "f32")
                columns[2 * i - 1], columns[2 * i] = expected[i], expected[i]
            end
            local a = dev:array(row)
            helper.check_array(a:quantile(at), "f32", { 1024 }, expected, 2 ^ -11)
            helper.check_array(a:reduce("quantile", { q = at }), "f32", { 1024 }, expected, 2 ^ -11)
            helper.check_array(a:reshape(2046, 1):broadcast(2046, 2):quantile(at, { axis = 1 }), "f32", { 1024, 2 },
                columns, 2 ^ -11)
            local percent = {}
            for i = 0, 100 do
                percent[i + 1] = i / 100
            end
            helper.check_array(dev:arange(0, 100):cast("f32"):quantile(percent), "f32", { 101 },
                dev:arange(0, 100):cast("f32"):totable(), 2 ^ -16)
        end)

        it("round a median once, whatever the signs, on " .. name, function()
            local random = numbers.generator(8)
            for _ = 1, 50 do
                local a = dev:array { random(-999, 0) / 1000, random(0, 999) / 999 }
                local exact = (a:get(1) + a:get(2)) / 2
                assert.equal((string.unpack("<f", string.pack("<f", exact))), a:median())
            end
        end)

        it("keep what is infinite or large, and give arrays and events where they are asked to, on " .. name, function()
            local a = dev:array { math.huge, 1, math.huge }
            assert.equal(math.huge, a:median())
            assert.equal(math.huge, a:quantile(0.75))
            local large = 3.0e38
            helper.check_number(0.0, dev:array { -large, large }:median(), large * 2 ^ -22)
            helper.check_array(a:median { keepdims = true }, "f32", { 1 }, { math.huge })
            local out = dev:zeros { 2, 3 }
            a:quantile({ 0, 1 }, { out = out:slice({}, 2) })
            helper.check_array(out, "f32", { 2, 3 }, { 0.0, 1.0, 0.0, 0.0, math.huge, 0.0 })
        end)
    end)

    helper.each_device(function(dev, name)
        it("are ops of reduce as well, of every dtype and view, on " .. name, function()
            local random = numbers.generator(13)
            for _, dtype in ipairs(helper.dtypes(dev)) do
                local shape, axis = { random(1, 6), random(1, 6), random(1, 6) }, random(1, 3)
                local flat, q = some_numbers(random, reference.size(shape), dtype), random(0, 100) / 100
                local a, result = laying.some(random, dev, flat, shape, dtype), real_dtype(dev, dtype)
                local tolerance = 32 * numbers.compute_eps(result) -- of numbers up to 8, a few roundings
                local left, kept = { table.unpack(shape) }, { table.unpack(shape) }
                table.remove(left, axis)
                kept[axis] = 1
                local function of_rows(at)
                    return (along(flat, shape, axis, function(row) return { quantile(row, at, dtype) } end))
                end
                local half, both = of_rows(0.5), of_rows(0.25)
                table.move(of_rows(q), 1, #half, #both + 1, both)
                helper.check_array(a:reduce("median", { axis = axis }), result, left, half, tolerance)
                helper.check_array(a:reduce("median", { axis = axis - 4, keepdims = true }), result, kept, half,
                    tolerance)
                helper.check_array(a:reduce("quantile", { axis = { axis }, q = { 0.25, q } }), result,
                    { 2, table.unpack(left) }, both, tolerance)
                helper.check_number(quantile(flat, 0.5, dtype), a:reduce("median"), tolerance)
                helper.check_number(quantile(flat, q, dtype), a:reduce("quantile", { q = q }), tolerance)
                local all = { axis = { 3, 1, -2 }, keepdims = true }
                for _, options in ipairs { { axis = axis }, { keepdims = true }, all } do
                    assert.equal(a:median(options):tobytes(), a:reduce("median", options):tobytes())
                    local listed = a:quantile({ q, 0, 1 }, options):tobytes()
                    options.q = { q, 0, 1 }
                    assert.equal(listed, a:reduce("quantile", options):tobytes())
                end
            end
        end)

        it("go to what reduce's options say on " .. name, function()
            local a = dev:array { { 3, 1, 2 }, { 6, 5, 4 } }
            local out, wide, q = dev:zeros { 2, 2 }, dev:zeros { 2, 2, 1 }, dev:queue()
            a:reduce("median", { axis = 2, out = out:row(1) })
            a:median { axis = 2, out = out:slice({ 2, 2 }):t() } -- with the axis that goes
            helper.check_array(out, "f32", { 2, 2 }, { 2.0, 5.0, 2.0, 5.0 })
            local event = a:reduce("quantile", { axis = 2, q = { 0, 1 }, out = wide, async = true, queue = q })
            assert.equal(wide, event:get())
            helper.check_array(wide, "f32", { 2, 2, 1 }, { 1.0, 4.0, 3.0, 6.0 })
            assert.equal(3.5, a:reduce("median", { async = true, queue = q }):get())
            helper.check_array(a:reduce("quantile", { q = { 0.5 }, async = true }):get(), "f32", { 1 }, { 3.5 })
            assert.equal(3.5, a:median { axis = { 2, 1 } })
            assert.equal(2.0, a:row(1):median { axis = 1 }) -- all axes: a number, as of other reductions
            assert.equal(7.0, dev:full({}, 7):median { axis = {} })
            helper.check_array(a:median { axis = { 1, 2 }, keepdims = true }, "f32", { 1, 1 }, { 3.5 })
        end)

        it("stand in lists of ops, each in its place, on " .. name, function()
            local a = dev:array { { 3, 1, 2 }, { 6, 5, 4 } }
            assert.same({ 21.0, 3.5, 6.0 }, { a:reduce { "sum", "median", "max" } })
            assert.same({ 3.5, 4, true, 2.25 }, { a:reduce { "median", "argmax", "any", "quantile", q = 0.25 } })
            local event = a:reduce({ "all", "median", "mean", "argmin" }, { async = true })
            assert.same({ true, 3.5, 3.5, 2 }, { event:get() })
            local columns = { a:reduce({ "var", "median", "quantile" }, { axis = 1, q = { 0, 1 } }) }
            helper.check_array(columns[1], "f32", { 3 }, { 2.25, 4.0, 1.0 })
            helper.check_array(columns[2], "f32", { 3 }, { 4.5, 3.0, 3.0 })
            helper.check_array(columns[3], "f32", { 2, 3 }, { 3.0, 1.0, 2.0, 6.0, 5.0, 4.0 })
            for _, async in ipairs { false, true } do -- a list of q gives an array, between numbers
                local low, both, any = a:reduce { "min", "quantile", "any", q = { 0.25, 1 }, async = async }
                if async then
                    low, both, any = low:get()
                end
                assert.equal(1.0, low)
                helper.check_array(both, "f32", { 2 }, { 2.25, 6.0 })
                assert.equal(true, any)
            end
        end)

        it("see NaN, and nothing, as ops too, on " .. name, function()
            local a = dev:array { { 3, NAN, 2 }, { 6, 5, 4 } }
            helper.check_number(NAN, a:reduce("median"))
            helper.check_array(a:reduce("quantile", { axis = { 2 }, q = 0 }), "f32", { 2 }, { NAN, 4.0 })
            helper.check_array(dev:zeros { 0, 3 }:reduce("median", { axis = 2 }), "f32", { 0 }, {})
            helper.refused("reduce: median of no elements: the reduced extent of shape 0x3 is 0",
                dev:zeros { 0, 3 }, { "sum", "median" })
        end)
    end)

    it("say what is wrong", function()
        local a = lun.array { { 3, 1, 2 }, { 6, 5, 4 } }
        helper.refused("quantile: q is 1.0000001; numbers from 0 to 1 are needed", a, { 0.5, 1.0000001 })
        helper.raises("quantile: q is 1.0000000000000002; numbers", function() local _ = a:quantile(1 + 2^-52) end)
        helper.raises("quantile: q is 1.5; numbers from 0 to 1 are needed", function() local _ = a:quantile(1.5) end)
        helper.refused("quantile: q is nan; numbers from 0 to 1 are needed", a, { 0.5, NAN })
        helper.raises("quantile: argument 1: number 2 of the list is a string; a number from 0 to 1 is needed",
            function() local _ = a:quantile { 0.5, "1" } end)
        helper.refused("quantile: argument 1: the list has 0 numbers; from 1 to 1024 are needed", a, {})
        local many = {}
        for i = 1, 1025 do
            many[i] = 0.5
        end
        helper.refused("quantile: argument 1: the list has 1025 numbers; from 1 to 1024 are needed", a, many)
        helper.raises("reduce: option 'q': the list has 1025 numbers; from 1 to 1024 are needed",
            function() local _ = a:reduce("quantile", { q = many }) end)
        helper.raises("quantile: argument 1: the table has the key 'axis'; elements are stored at 1 to 1",
            function() local _ = a:quantile { 0.5, axis = 1 } end)
        helper.refused("median: axis 3 is out of range: the array has 2 axes (2x3)", a, { axis = 3 })
        helper.raises("median: median of no elements: the reduced extent of shape 3x0 is 0",
            function() local _ = lun.zeros { 3, 0 }:median { axis = 2 } end)
        local deep = lun.zeros { 1, 1, 1, 1, 1, 1, 1, 1 }
        helper.raises("quantile: the result would have 9 axes; at most 8 are possible",
            function() local _ = deep:quantile({ 0, 1 }, { keepdims = true }) end)
    end)

    it("of several axes are those of these axes as one", function()
        local a = lun.randint({ 2, 3, 4, 5 }, -9, 9, { seed = 4 }):cast("f32"):transpose({ 4, 2, 1, 3 }):flip(1)
        a:slice(1, 1):fill(0 / 0)
        for _, axes in ipairs { { 1, 3 }, { 2, -1 }, { 4, 3, 1 }, {}, { 1, 2, 3, 4 } } do
            local kept, going = {}, {}
            for axis = 1, 4 do
                local goes = false
                for _, each in ipairs(axes) do
                    goes = goes or (each < 0 and each + 5 or each) == axis
                end
                table.insert(goes and going or kept, axis)
            end
            local order = table.move(going, 1, #going, #kept + 1, table.move(kept, 1, #kept, 1, {}))
            local rows, shape = a:transpose(order), {}
            for i = 1, #kept do
                shape[i] = (select(i, rows:shape()))
            end
            rows = rows:reshape(table.unpack(table.move({ -1 }, 1, 1, #shape + 1, table.move(shape, 1, #shape, 1, {}))))
            for _, op in ipairs { "median", "nanmedian", "quantile", "nanquantile" } do
                local q = op:find "quant" and { 0.3, 0.8 } or nil
                local expected = a.reduce(rows, op, { axis = -1, q = q, keepdims = true })
                local several = a:reduce(op, { axis = axes, q = q, keepdims = true })
                assert.equal(expected:size(), several:size())
                assert.is_true(several:flatten():allclose(expected:flatten(), { rtol = 0, atol = 0, equal_nan = true }))
            end
        end
        assert.same({ 3, 5 }, { lun.zeros({ 2, 3, 4, 5 }):median { axis = { 1, 3 } }:shape() })
    end)

    it("say what is wrong with axes, segments and q", function()
        local a = lun.array { { 3, 1, 2 }, { 6, 5, 4 } }
        helper.raises("median: axis 2 is named twice", function() local _ = a:median { axis = { 2, -1 } } end)
        local starts = lun.array({ 1, 3, 4 }, "i32")
        local wanted = " takes no segments: sort by the values and then by the segments with sort_by, and take the "
            .. "middle elements"
        helper.raises("median: median" .. wanted, function() local _ = a:median { segments = starts } end)
        helper.refused("reduce: quantile" .. wanted, a, { "sum", "quantile" }, { segments = starts, q = 0 })
        helper.refused("reduce: quantile needs q, a number from 0 to 1 or a list of them", a, "quantile")
        helper.raises("reduce: q is an option of quantile and nanquantile, which are not among the ops",
            function() local _ = a:reduce({ "sum", "median" }, { q = 0.5 }) end)
        helper.raises("reduce: q is an option of quantile and nanquantile, which are not among the ops",
            function() local _ = a:reduce { combine = "a + b", q = 0.5 } end)
        helper.raises("reduce: option 'q': a number from 0 to 1 or a list of them is needed, got a string",
            function() local _ = a:reduce("quantile", { q = "0.5" }) end)
        helper.raises("reduce: option 'q': number 1 of the list is a boolean; a number from 0 to 1 is needed",
            function() local _ = a:reduce("quantile", { q = { true } }) end)
        helper.refused("reduce: q is -0.5; numbers from 0 to 1 are needed", a, "quantile", { q = { 0, -0.5 } })
        helper.raises("scan: unknown op 'median'; known are ", function() local _ = a:scan("median") end)
    end)
end)
