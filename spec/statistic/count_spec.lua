-- Counting against plain Lua: how often integers occur, histograms, weights, and every message.

local lun = require "lunarray"
local helper = require "spec.helper"
local laying = require "spec.laying"
local numbers = require "spec.numbers"

local FEW = { "i32", "u8", "i64" } -- for variants that are made for another kind of device
local NAN = 0 / 0

local function zeros(count, zero)
    local list = {}
    for i = 1, count do
        list[i] = zero
    end
    return list
end

-- `count` weights that sum exactly in any order, or nil, and the dtype of the counts.
local function some_weights(random, dev, count, shape)
    local dtype = ({ false, "f32", "i8", "bf16" })[random(1, 4)]
    if not dtype then
        return nil, zeros(count, 1), "i64"
    end
    local list = numbers.small(count, dtype, random(1, 50))
    return helper.array(dev, list, shape, dtype), list, numbers.summed(dtype)
end

describe("bincount", function()
    helper.it_each_variant("bincount", "counts values and adds weights up as plain Lua does", function(dev, variant)
        local random = numbers.generator(3)
        for _, dtype in ipairs(helper.is_foreign(dev, variant) and FEW or helper.dtypes(dev, "integer")) do
            for _, count in ipairs { 0, 1, 100, 10000 } do
                local from, size = random(0, 1), ({ 1, 7, 100 })[random(1, 3)]
                local flat, weights, list, result = {}, some_weights(random, dev, count, { count })
                for i = 1, count do
                    flat[i] = random(from, size + from - 1)
                end
                local a = laying.some(random, dev, flat, { #flat }, dtype)
                local expected = zeros(size, result == "f32" and 0.0 or 0)
                for i, x in ipairs(flat) do
                    expected[x - from + 1] = expected[x - from + 1] + list[i]
                end
                local options = { size = size, from = from, weights = weights, variant = variant }
                if helper.can(a.bincount, a, options) then
                    helper.check_array(a:bincount(options), result, { size }, expected)
                end
            end
        end
    end)

    helper.it_each_variant("bincount", "counts into more bins than a group has room for", function(dev, variant)
        local random, bins, count = numbers.generator(5), 5000, 3000
        for _, dtype in ipairs { false, "f32", "i16" } do
            local flat, weights, expected = {}, {}, zeros(bins, dtype == "f32" and 0.0 or 0)
            for i = 1, count do
                flat[i] = i % 4 == 0 and 4999 or random(1, bins)
                weights[i] = dtype and random(-9, 9) or 1
                expected[flat[i]] = expected[flat[i]] + weights[i]
            end
            local result = dtype == "f32" and "f32" or "i64"
            local options = { size = bins, variant = variant, weights = dtype and dev:array(weights, dtype) or nil }
            local a = dev:array(flat, "i32")
            if helper.can(a.bincount, a, options) then
                helper.check_array(a:bincount(options), result, { bins }, expected)
                options.out = dev:full({ bins }, 7, result) -- which does not count
                helper.check_array(a:bincount(options), result, { bins }, expected)
            end
        end
    end)

    helper.each_variant("bincount", function(dev, variant, title)
        it("takes views that begin within their memory, and gives to such, whatever was there, on " .. title, function()
            local a = dev:array({ 9, 9, 1, 2, 2, 3, 9 }, "i32"):slice { 3, 6 }
            for dtype, result in pairs { [false] = "i64", f32 = "f32", i8 = "i64", i64 = "i64" } do
                local weights = dtype and dev:array({ 99, 99, 1, 2, 3, 4, 99 }, dtype):slice { 3, 6 } or nil
                local whole = dev:full({ 9 }, 7, result)
                local out = whole:slice { 4, 6 }
                local options = { size = 3, weights = weights, out = out, variant = variant }
                if helper.can(a.bincount, a, options) then
                    local expected = dtype and { 7, 7, 7, 1, 5, 4, 7, 7, 7 } or { 7, 7, 7, 1, 2, 1, 7, 7, 7 }
                    helper.check_array(whole:cast "i64", "i64", { 9 }, expected)
                    options = { bins = 3, low = 0.5, high = 3.5, weights = weights, variant = variant }
                    local counts, edges = a:cast("f32"):slice({ 2, 4 }):histogram { bins = 3, low = 0.5, high = 3.5 }
                    helper.check_array(counts, "i64", { 3 }, { 0, 2, 1 })
                    helper.check_array(edges, "f32", { 4 }, { 0.5, 1.5, 2.5, 3.5 })
                    counts = a:histogram(options)
                    helper.check_array(counts:cast "i64", "i64", { 3 }, { table.unpack(expected, 4, 6) })
                end
            end
        end)
    end)

    helper.each_device(function(dev, name)
        it("counts as many values as the largest one wants, or out has, on " .. name, function()
            local a = dev:array({ { 1, 2 }, { 2, 5 } }, "i32")
            helper.check_array(a:bincount(), "i64", { 5 }, { 1, 2, 0, 0, 1 })
            helper.check_array(a:bincount { from = 0 }, "i64", { 6 }, { 0, 1, 2, 0, 0, 1 })
            local out = dev:zeros({ 14 }, "i64")
            a:bincount { out = out:slice { 2, 14, 2 } }
            helper.check_array(out, "i64", { 14 }, { 0, 1, 0, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0 })
            helper.check_array(dev:zeros({ 0 }, "i32"):bincount(), "i64", { 0 }, {})
            helper.check_array(dev:zeros({ 0 }, "i32"):bincount { size = 2 }, "i64", { 2 }, { 0, 0 })
        end)

        it("gives the same bits every time on " .. name, function()
            local a, weights = dev:randint({ 50000 }, 1, 9, { seed = 1 }), dev:random({ 50000 }, { seed = 2 })
            local first = a:bincount { size = 9, weights = weights }:tobytes()
            for _ = 1, 3 do
                assert.equal(first, a:bincount({ size = 9, weights = weights }):tobytes())
            end
        end)

    end)

    helper.each_variant("bincount", function(dev, variant, title)
        it("tells the first value out of range when the result is waited for on " .. title, function()
            local function counted(list, dtype, options, message)
                local a, weights = dev:array(list, dtype), dev:ones { #list }
                for _, with in ipairs { false, weights } do
                    options.variant, options.weights = variant, with or nil
                    if helper.can(a.bincount, a, options) then
                        local counts = a:bincount(options)
                        helper.raises(message, function() local _ = counts:totable() end)
                    end
                end
            end
            counted({ 1, 9, 0 }, "i32", { size = 3 }, "totable: bincount: value 9 at position 2 is out of range 1..3")
            counted({ 1, -9, 0 }, "i8", { size = 3, from = 0 },
                "totable: bincount: value -9 at position 2 is out of range 0..2")
            counted({ 1, 2, 0 }, "i16", { size = 3 }, "totable: bincount: value 0 at position 3 is out of range 1..3; "
                .. "position 1 counts the value 1, or 0 with from = 0")
            local long = {}
            for i = 1, 5000 do
                long[i] = i == 4321 and 8 or i % 7 + 1
            end
            counted(long, "i64", { size = 7 }, "totable: bincount: value 8 at position 4321 is out of range 1..7")
            pcall(dev.finish, dev)
        end)
    end)

    it("says what is wrong", function()
        local a = lun.array({ 1, 0, 2 }, "i32")
        helper.refused("bincount: the smallest value is 0; position 1 counts the value 1, or 0 with from = 0", a)
        helper.raises("bincount: the smallest value is 0; position 1 counts the value 1, or 0 with from = 0",
            function() local _ = a:cast("u64"):bincount() end)
        helper.refused("bincount: the smallest value is -1; values from 0 are counted", (a - 1), { from = 0 })
        helper.raises("bincount: the largest value is 1099511627776; 2147483647 values can be counted",
            function() local _ = lun.array({ 1, 1 << 40 }, "i64"):bincount() end)
        helper.raises("bincount: the largest value is 18446744073709551615; 2147483647 values can be counted",
            function() local _ = lun.array({ 1, -1 }, "u64"):bincount() end)
        helper.refused("bincount: from is 2; 0 or 1 is needed", a, { size = 3, from = 2 })
        helper.refused("bincount: size is 0; a whole number from 1 to 2147483647 is needed", a, { size = 0 })
        helper.refused("bincount: the array is f32; integers are needed", lun.ones { 3 })
        helper.refused("bincount: the weights have shape 2; the array has 3", a, { size = 2, weights = lun.ones { 2 } })
        helper.raises("bincount: out overlaps an input; give it memory of its own", function()
            local both = lun.ones { 5 }
            a:bincount { size = 3, weights = both:slice { 1, 3 }, out = both:slice { 3, 5 } }
        end)
    end)
end)

-- x and the floats of the dtype beside it.
local function beside(x, dtype)
    local float, whole = table.unpack(dtype == "f64" and { "<d", "<i8" } or { "<f", "<i4" })
    local list, bits = { x }, string.unpack(whole, string.pack(float, x))
    for i, step in ipairs { 1, -1 } do
        list[i + 1] = (string.unpack(float, string.pack(whole, bits + step)))
    end
    return list
end

describe("histogram", function()
    helper.it_each_variant("histogram", "lets the edges decide about the numbers beside them", function(dev, variant)
        for _, dtype in ipairs(dev:info().fp64 and { "f32", "f64" } or { "f32" }) do
            local ranges = { { 1, 2, 256 }, { 0.1, 7.3, 100 }, { -1000, -0.3, 1000 }, { 4096, 4096.5, 300 },
                { -3.3, 0.7, 20000 } }
            for _, range in ipairs(ranges) do
                local low, high, bins = table.unpack(range)
                local options = { bins = bins, low = low, high = high, variant = variant }
                local none = dev:zeros({ 0 }, dtype)
                if helper.can(none.histogram, none, options) then
                    local counts, edges = none:histogram(options)
                    helper.check_array(counts, "i64", { bins }, zeros(bins, 0))
                    local at, flat, expected = edges:totable(), {}, zeros(bins, 0)
                    for b, edge in ipairs(at) do
                        for _, x in ipairs(beside(edge, dtype)) do
                            flat[#flat + 1] = x
                            if x >= at[1] and x <= at[bins + 1] then
                                local bin = math.min(x < edge and b - 1 or b, bins)
                                expected[bin] = expected[bin] + 1
                            end
                        end
                    end
                    counts = dev:array(flat, dtype):histogram(options)
                    helper.check_array(counts, "i64", { bins }, expected)
                end
            end
        end
    end)

    helper.it_each_variant("histogram", "counts between edges as NumPy does", function(dev, variant)
        local random = numbers.generator(5)
        local dtypes = helper.is_foreign(dev, variant) and { "f32", "u8", "i64" } or helper.dtypes(dev)
        for i, dtype in ipairs(dtypes) do
            local count, bins = ({ 1, 100, 10000 })[i % 3 + 1], ({ 1, 4, 16 })[random(1, 3)]
            local flat = numbers.small(count, dtype, i)
            local weights, list, result = some_weights(random, dev, count, { count })
            if numbers.is_float(dtype) and count > 1 then
                flat[1], flat[count // 2], flat[count] = NAN, math.huge, -math.huge
            end
            local low, high, expected, edges = -2, 6, zeros(bins, result == "f32" and 0.0 or 0), {}
            for b = 0, bins do
                edges[b + 1] = low + b * (high - low) / bins
            end
            for k, x in ipairs(flat) do
                local bin = x == high and bins or x >= low and x < high and (x - low) * bins // (high - low) + 1
                if bin then
                    bin = math.tointeger(bin)
                    expected[bin] = expected[bin] + list[k]
                end
            end
            local a = laying.some(random, dev, flat, { #flat }, dtype)
            local options = { bins = bins, low = low, high = high, weights = weights, variant = variant }
            if helper.can(a.histogram, a, options) then
                local counts, at = a:histogram(options)
                helper.check_array(counts, result, { bins }, expected, 0, dtype)
                local wide = dtype == "f64" or not numbers.is_float(dtype) and dev:info().fp64
                local real = wide and "f64" or "f32"
                helper.check_array(at, real, { bins + 1 }, edges)
            end
        end
    end)

    helper.each_variant("histogram", function(dev, variant, title)
        -- The least weights of a bin meet one another before they meet its largest, whatever stands between them.
        it("adds up what is in a bin, and not what is in none, in as many bins as a digit of a sort has, on " .. title,
            function()
                local n, least = 1 << 16, 2.0 ^ -54
                if variant == "plain" or not dev:info().fp64 then -- plain adds neighbours
                    return
                end
                for _, bins in ipairs { 255, 256 } do
                    local a = dev:arange(n):cast("f32") % 2 * 9 - 5 -- 4, and -5, which is in no bin
                    local options = { bins = bins, low = 4, high = 4 + bins, variant = variant }
                    options.weights = dev:full({ n }, least, "f64")
                    options.weights:set(1, 1)
                    if helper.can(a.histogram, a, options) then
                        local counts = a:histogram(options)
                        assert.near(1 + (n // 2 - 1) * least, counts:get(1), 64 * least)
                        assert.equal(counts:get(1), counts:sum())
                    end
                end
            end)
    end)

    helper.each_device(function(dev, name)
        it("ranges from the least to the largest element on " .. name, function()
            local counts, edges = dev:array { 1, 2, 2.5, 5 }:histogram { bins = 4 }
            helper.check_array(counts, "i64", { 4 }, { 1, 2, 0, 1 })
            helper.check_array(edges, "f32", { 5 }, { 1.0, 2.0, 3.0, 4.0, 5.0 })
            counts, edges = dev:array { { 1, 3 }, { 3, 9 } }:histogram { bins = 2, high = 3, async = true }:get()
            helper.check_array(counts, "i64", { 2 }, { 1, 2 })
            helper.check_array(edges, "f32", { 3 }, { 1.0, 2.0, 3.0 })
            counts, edges = dev:ones { 5 }:histogram()
            helper.check_array(counts, "i64", { 10 }, { 0, 0, 0, 0, 0, 5, 0, 0, 0, 0 })
            assert.equal(0.5, edges:get(1))
            assert.equal(1.5, edges:get(11))
            for _, dtype in ipairs { "i32", "f32" } do -- 5 widths of 0.8 above -3 is 1, which is an edge then
                counts, edges = dev:array({ 1, 1, 5 }, dtype):histogram { bins = 10, low = -3 }
                helper.check_array(counts, "i64", { 10 }, { 0, 0, 0, 0, 0, 2, 0, 0, 0, 1 })
                assert.equal(1.0, edges:get(6))
            end
            counts, edges = dev:zeros { 0 }:histogram { bins = 1 }
            helper.check_array(counts, "i64", { 1 }, { 0 })
            helper.check_array(edges, "f32", { 2 }, { 0.0, 1.0 })
        end)

        it("has ranges of the smallest numbers, too, on " .. name, function()
            if dev:info().fp64 then
                local a = dev:array({ 0, 1, 2, 3, 4, 5, 6, 7, 8 }, "f64") * 2^-1060
                local least = dev:array({ 0, 1, 2, 3, 4, 5, 6, 7, 8 }, "f64") * 2^-1074
                for _, variant in ipairs { "gpu", "plain" } do
                    local options = { bins = 4, variant = variant }
                    if helper.can(a.histogram, a, options) then
                        helper.check_array((a:histogram(options)), "i64", { 4 }, { 2, 2, 2, 3 })
                        -- The edges are 0, 1, 2, 3, 4 and 7 times the least number.
                        options.bins, options.low, options.high = 5, 0, 7 * 2^-1074
                        helper.check_array((least:histogram(options)), "i64", { 5 }, { 1, 1, 1, 1, 4 })
                    end
                end
            end
        end)
    end)

    helper.it_each_device("counts between edges that are given", function(dev)
        local x = dev:array { { -1, 0, 0.5, 1 }, { 1, 2, 3, 0 / 0 } }
        local counts, edges = x:histogram { bins = { 0, 1, 1.5, 3 } }
        helper.check_array(counts, "i64", { 3 }, { 2, 2, 2 })
        helper.check_array(edges, "f32", { 4 }, { 0.0, 1.0, 1.5, 3.0 })
        counts, edges = x:t():histogram { bins = dev:array({ { -3, 0, 0, 3 } }, "i16"):t():slice { 4, 1, -1 }:flip(1),
            weights = dev:array({ { 1, 2, 4, 8 }, { 16, 32, 64, 128 } }, "u8"):t() }
        helper.check_array(counts, "i64", { 3 }, { 1, 0, 126 })
        helper.check_array(edges, "i16", { 4 }, { -3, 0, 0, 3 })
        counts = dev:array({ math.mininteger, math.maxinteger }, "i64"):histogram { async = true,
            bins = dev:array { -math.huge, 0, math.huge } }:get()
        helper.check_array(counts, "i64", { 2 }, { 1, 1 })
        helper.check_array((dev:zeros { 0 }:histogram { bins = { 1, 1 } }), "i64", { 1 }, { 0 })
        local shares = x:histogram { bins = { 0, 1, 1.5, 3 }, density = true }
        helper.check_array(shares, "f32", { 3 }, { 1 / 3, 2 / 3, 2 / 9 }, 1e-6)
        shares, edges = dev:array({ 1, 2, 2, 4 }, "u8"):histogram { bins = 2, density = true, low = 0, high = 4 }
        helper.check_array(shares, edges:dtype(), { 2 }, { 0.125, 0.375 }, 1e-6)
        shares = dev:zeros { 0 }:histogram { bins = 1, density = true }
        assert.is_true(shares:isnan():all())
        local a = dev:array { 1, 2, 3 }
        helper.refused("histogram: the edges do not ascend", a, { bins = { 1, 3, 2 } })
        helper.refused("histogram: the edges do not ascend", a, { bins = dev:array { 0 / 0, 1 } })
        helper.refused("histogram: the number of edges is 1; 2 or more are needed", a, { bins = { 1 } })
        helper.refused("histogram: option 'bins': edge 2 of the list is a string", a, { bins = { 1, "x" } })
        helper.refused("histogram: low and high need a number of bins, but edges are given", a,
            { bins = { 1, 2 }, high = 3 })
    end)

    it("says what is wrong", function()
        local a = lun.array { 1, 2, 3 }
        helper.refused("histogram: bins is 0; a whole number from 1 to 2147483646 is needed", a, { bins = 0 })
        helper.raises("histogram: low is 2 and high 2; high must be above low, and their difference a number of f32",
            function() local _ = a:histogram { low = 2, high = 2 } end)
        helper.raises("histogram: low is 1 and high 1.00000003; high", -- which f32 cannot tell apart
            function() local _ = a:histogram { low = 1, high = 1.00000003 } end)
        helper.refused("histogram: low is 1.0000000000000002 and high 1; high", a, { low = 1 + 2^-52, high = 1 })
        local range = "; the options low and high give a range; elements outside are not counted"
        helper.refused("histogram: the array has NaN among its elements" .. range, lun.array { 1, NAN }, { low = 0 })
        helper.refused("histogram: the array has infinite elements" .. range, lun.array { 1, math.huge })
        helper.refused("histogram: the array has infinite elements" .. range, lun.array { 1, -math.huge }, { high = 3 })
        local ends = lun.array { -math.huge, 1, 2, 3, math.huge }
        assert.same({ 2, 1 }, ends:histogram({ bins = 2, low = 0.5, high = 4 }):totable())
        assert.same({ 2, 1 }, ends:slice({ 2, 5 }):histogram({ bins = 2, high = 4 }):totable())
        assert.same({ 1, 2 }, ends:slice({ 1, 4 }):histogram({ bins = 2, low = 0.5 }):totable())
        helper.raises("histogram: the range is from 0 to 1e+300; low and high must be finite numbers of f32",
            function() local _ = a:histogram { low = 0, high = 1e300 } end)
        helper.raises("histogram: 5 bins from 16777216 to 16777224 are too narrow: numbers of f32 lie 2 apart there",
            function() local _ = a:histogram { bins = 5, low = 2^24, high = 2^24 + 8 } end)
        assert.same({ 2^24, 2^24 + 2, 2^24 + 4, 2^24 + 6, 2^24 + 8 },
            select(2, a:histogram { bins = 4, low = 2^24, high = 2^24 + 8 }):totable())
        helper.raises("histogram: 2 bins from 0 to 4.9406564584125e-324 are too narrow: numbers of f64 lie 4.94",
            function() local _ = a:cast("f64"):histogram { bins = 2, low = 0, high = 2^-1074 } end)
        helper.raises("histogram: the weights have shape 2; the array has 3",
            function() local _ = a:histogram { low = 0, high = 1, weights = lun.ones { 2 } } end)
    end)
end)

helper.describe_each_device("histogramdd", function(dev)
    it("counts points in bins along each axis, by edges or by their number", function()
        local random = numbers.generator(8)
        local bins = { { 3, 2 }, { { -2, 0, 1, 6 }, 4 }, { dev:array { -2, 1, 6 }, { 0, 3 }, 2 }, { 2, 1, 3, 2 } }
        for i, of in ipairs(bins) do
            local d, n = #of, 200
            local flat, weights = numbers.small(n * d, "f32", i), dev:rng(i):integers({ n }, { low = 1, high = 9 })
            flat[random(1, n * d)] = i % 2 == 0 and 0 / 0 or math.huge
            local points = dev:array(flat):reshape(n, d)
            local low, high = i > 1 and i < 4 and {} or -2, i > 1 and i < 4 and {} or 6
            if i > 1 and i < 4 then
                points = points:clamp(-2, 6):nan_to_num()
                low, high = nil, nil
            end
            local results = table.pack(points:histogramdd { bins = of, low = low, high = high, weights = weights })
            local expected, shape, edges = dev:zeros({ 1 }, "i64"), {}, {}
            for axis = 1, d do
                edges[axis], shape[axis] = results[1 + axis]:totable(), results[1 + axis]:size() - 1
            end
            expected = expected:broadcast(table.unpack(shape)):copy()
            local list = points:totable()
            for k, row in ipairs(list) do
                local place = {}
                for axis, x in ipairs(row) do
                    for bin = 1, shape[axis] do
                        local from, to = edges[axis][bin], edges[axis][bin + 1]
                        place[axis] = x >= from and (x < to or x == to and bin == shape[axis]) and bin or place[axis]
                    end
                end
                local inside = true
                for axis = 1, d do
                    inside = inside and place[axis] ~= nil
                end
                if inside then
                    expected:set(expected:get(table.unpack(place)) + weights:get(k), table.unpack(place))
                end
            end
            assert.equal(1 + d, results.n)
            helper.check_array(results[1], "i64", shape, helper.flat(expected))
            local shares = points:histogramdd { bins = of, low = low, high = high, density = true, weights = weights }
            local volume = shares
            for axis = 1, d do
                local sizes = {}
                for k = 1, d do
                    sizes[k] = k == axis and shape[k] or 1
                end
                volume = volume * results[1 + axis]:diff():reshape(table.unpack(sizes))
            end
            helper.check_number(1.0, volume:sum(), 1e-5)
        end
        local x, y = dev:array { 0, 1, 2 }, dev:array { 2, 2, 9 }
        local of_pair = lun.histogram2d(x, y, { bins = { { 0, 1, 2 }, 2 }, density = true })
        helper.check_array(of_pair, "f32", { 2, 2 }, { 2 / 21, 0.0, 2 / 21, 2 / 21 }, 1e-6)
    end)

    it("says what is wrong", function()
        local a = dev:zeros { 4, 2 }
        helper.refused("histogramdd: a matrix of points by 1 to 8 coordinates is needed", dev:zeros { 4 })
        helper.refused("histogramdd: a matrix of points by 1 to 8 coordinates is needed", dev:zeros { 4, 9 })
        helper.refused("histogramdd: option 'bins': the list has 3 numbers; one for each column is needed", a,
            { bins = { 1, 2, 3 } })
        helper.refused("histogramdd: option 'bins': a number of bins or their edges are needed, got a string", a,
            { bins = { 1, "x" } })
        helper.refused("histogramdd: the edges of the first axis do not ascend", a, { bins = { { 1, 0 }, 2 } })
        helper.refused("histogramdd: the edges of a further axis do not ascend", a, { bins = { 2, { 1, 0 } } })
        helper.refused("histogramdd: the weights have shape 2; the array has 4", a,
            { weights = dev:ones { 2 }, low = 0, high = 1 })
        helper.refused("histogramdd: the weights have shape 2; the array has 4", a,
            { weights = dev:ones { 2 }, bins = { { 0, 1 }, { 0, 1 } } })
        helper.refused("histogramdd: 2500000000 bins are too many; at most 2147483647 are "
            .. "possible", a, { bins = 50000 })
    end)
end)

describe("histogram2d", function()
    helper.it_each_variant("histogram2d", "counts pairs between edges", function(dev, variant)
        local random = numbers.generator(6)
        local pairs_of = { { "f32", "f32" }, { "f32", "i64" }, { "u8", "f16" }, { "i32", "bf16" } }
        for i, dtypes in ipairs(pairs_of) do
            local count = ({ 0, 1, 257, 10000 })[i]
            local nx, ny = ({ 1, 4, 8 })[random(1, 3)], ({ 2, 5, 16 })[random(1, 3)]
            local x, y = numbers.small(count, dtypes[1], i), numbers.small(count, dtypes[2], i + 9)
            local weights, list, result = some_weights(random, dev, count, { count })
            if dtypes[1] == "f32" and count > 2 then
                x[1], x[2] = NAN, math.huge
            end
            local function bin_of(v, low, high, bins)
                local inside = v >= low and v < high
                return v == high and bins or inside and math.floor((v - low) * bins / (high - low)) + 1
            end
            local expected = zeros(nx * ny, result == "f32" and 0.0 or 0)
            for k = 1, count do
                local bx, by = bin_of(x[k], -2, 6, nx), bin_of(y[k], 0, 10, ny)
                if bx and by then
                    local bin = (bx - 1) * ny + by
                    expected[bin] = expected[bin] + list[k]
                end
            end
            local a, b = laying.some(random, dev, x, { #x }, dtypes[1]), dev:array(y, dtypes[2])
            local options = { bins = { nx, ny }, low = { -2, 0 }, high = { 6, 10 }, weights = weights,
                variant = variant }
            if helper.can(lun.histogram2d, a, b, options) then
                local counts, of_x, of_y = lun.histogram2d(a, b, options)
                helper.check_array(counts, result, { nx, ny }, expected, 0, dtypes[1] .. dtypes[2])
                assert.same({ nx + 1, ny + 1 }, { of_x:size(), of_y:size() })
                assert.same({ -2.0, 6.0, 0.0, 10.0 }, { of_x:get(1), of_x:get(-1), of_y:get(1), of_y:get(-1) })
            end
        end
    end)

    helper.each_device(function(dev, name)
        it("ranges over each array's own elements, in ten bins, on " .. name, function()
            local x, y = dev:array { { 0, 1 }, { 2, 3 } }, dev:array { { 5, 5 }, { 7, 9 } }
            local counts, of_x, of_y = lun.histogram2d(x, y, { bins = 2 })
            helper.check_array(counts, "i64", { 2, 2 }, { 2, 0, 0, 2 })
            helper.check_array(of_x, "f32", { 3 }, { 0.0, 1.5, 3.0 })
            helper.check_array(of_y, "f32", { 3 }, { 5.0, 7.0, 9.0 })
            counts = lun.histogram2d(x, y)
            assert.same({ 10, 10 }, { counts:shape() })
            assert.equal(4, counts:sum())
            counts = lun.histogram2d(x, y, { bins = 2, low = 0, high = { 4, 8 }, async = true }):get()
            helper.check_array(counts, "i64", { 2, 2 }, { 0, 2, 0, 1 })
        end)

        it("has the sums of the one-dimensional ones on " .. name, function()
            local rng = dev:rng(1)
            local x, y = rng:normal { 20000 }, rng:uniform({ 20000 }, "f16")
            local counts = lun.histogram2d(x, y, { bins = { 30, 17 }, low = { -9, 0 }, high = { 9, 1 } })
            assert.same(x:histogram({ bins = 30, low = -9, high = 9 }):totable(), counts:sum({ axis = 2 }):totable())
            assert.same(y:histogram({ bins = 17, low = 0, high = 1 }):totable(), counts:sum({ axis = 1 }):totable())
        end)
    end)

    it("says what is wrong", function()
        local a, b = lun.array { 1, 2, 3 }, lun.array { 1, 2 }
        local function refused(message, ...)
            local arguments = table.pack(...)
            helper.raises("histogram2d: " .. message, function() local _ = lun.histogram2d(table.unpack(arguments)) end)
        end
        refused("y has shape 2; x has 3", a, b)
        refused("argument 2: an array is needed, got a number", a, 3)
        refused("bins is 0; a whole number from 1 to 2147483646 is needed", a, a, { bins = { 3, 0 } })
        refused("bins is 2.5; a whole number from 1 to 2147483646 is needed", a, a, { bins = { 1, 2.5 } })
        local range = "; the options low and high give a range; elements outside are not counted"
        refused("x has infinite elements" .. range, a:slice { 1, 2 } / 0, b)
        refused("y has NaN among its elements" .. range, b, b * NAN, { low = 0 })
        refused("option 'bins': the list has 3 numbers; one for x and one for y are needed", a, a,
            { bins = { 1, 2, 3 } })
        refused("2500000000 bins are too many; at most 2147483647 are possible", a, a, { bins = 50000 })
        refused("low is nan; a number is needed", a, a, { low = NAN })
        refused("option 'low': a number or a list of them is needed, got a string", a, a, { low = "x" })
        refused("option 'high': number 2 of the list is a string", a, a, { high = { 1, "x" } })
        refused("low is 2 and high 2; high must be above low, and their difference a number of f32", a, a,
            { low = { 0, 2 }, high = { 1, 2 } })
        refused("the weights have shape 2; the array has 3", a, a, { weights = b })
    end)
end)
