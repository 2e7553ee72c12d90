-- Choosing by index and by mask, against plain Lua: shapes, dtypes, views, equal indices, what is out of range.

local lun = require "lunarray"
local helper = require "spec.helper"
local laying = require "spec.laying"
local numbers = require "spec.numbers"
local reference = require "spec.reference"

local FEW = { "f32", "u8", "i64" } -- for variants that are made for another kind of device

-- ---- random arrays ------------------------------------------------------------------------------------------

local function some_shape(random, most_axes, most)
    local shape = {}
    for axis = 1, random(0, most_axes) do
        shape[axis] = random(1, most)
    end
    return shape
end

local function some_array(random, dev, shape, dtype)
    local flat = numbers.some(reference.size(shape), dtype, random(1, 50))
    return laying.some(random, dev, flat, shape, dtype), flat
end

local function some_index(random, dev, shape, extent)
    local flat = {}
    for i = 1, reference.size(shape) do
        flat[i] = random(1, extent)
    end
    return laying.some(random, dev, flat, shape, random(1, 2) == 1 and "i32" or "i64"), flat
end

local function some_mask(random, dev, shape)
    local flat, share = {}, random(0, 4)
    for i = 1, reference.size(shape) do
        flat[i] = random(1, 4) <= share and random(1, 255) or 0
    end
    return laying.some(random, dev, flat, shape, "u8"), flat
end

-- Calls body(random, dtype, { variant = ... }, dev) often for each variant of an operation.
local function trials(operation, count, body)
    helper.each_variant(operation, function(dev, variant, title)
        it("as plain Lua does on " .. title, function()
            local foreign = helper.is_foreign(dev, variant)
            local dtypes = foreign and FEW or helper.dtypes(dev)
            local random = numbers.generator(#operation)
            for i = 1, foreign and count // 2 or count do
                body(random, dtypes[i % #dtypes + 1], { variant = variant }, dev)
            end
        end)
    end)
end

-- ---- plain Lua ----------------------------------------------------------------------------------------------

local function take(flat, shape, axis, index, index_shape)
    local out, out_shape = {}, {}
    local before, extent, behind = 1, #flat, 1
    if axis then
        before = reference.size { table.unpack(shape, 1, axis - 1) }
        extent, behind = shape[axis], reference.size { table.unpack(shape, axis + 1) }
        table.move(shape, 1, axis - 1, 1, out_shape)
    end
    table.move(index_shape, 1, #index_shape, #out_shape + 1, out_shape)
    if axis then
        table.move(shape, axis + 1, #shape, #out_shape + 1, out_shape)
    end
    for o = 1, before do
        for _, i in ipairs(index) do
            for r = 1, behind do
                out[#out + 1] = flat[((o - 1) * extent + i - 1) * behind + r]
            end
        end
    end
    return out, out_shape
end

-- The value for place number i of the index: of one, or of a row that goes along all rows.
local function value_at(values, i)
    return values[(i - 1) % #values + 1]
end

local function chosen(flat, mask)
    local list = {}
    for i, m in ipairs(mask) do
        if m ~= 0 then
            list[#list + 1] = flat[i]
        end
    end
    return list
end

-- ---- specs --------------------------------------------------------------------------------------------------

describe("take", function()
    trials("take", 60, function(random, dtype, options, dev)
        local shape, index_shape = some_shape(random, 3, 7), some_shape(random, 2, 6)
        local axis = #shape > 0 and random(1, 3) > 1 and random(1, #shape) or nil
        local a, flat = some_array(random, dev, shape, dtype)
        local index, list = some_index(random, dev, index_shape, axis and shape[axis] or #flat)
        local expected, expected_shape = take(flat, shape, axis, list, index_shape)
        local function run() return a:take(index, axis and axis - (random(1, 2) - 1) * (#shape + 1), options) end
        if not helper.can(run) then return end
        helper.check_array(run(), dtype, expected_shape, expected)
        options.out = laying.some(random, dev, expected, expected_shape, dtype):fill(0)
        assert.equal(options.out, run())
        helper.check_array(options.out, dtype, expected_shape, expected)
    end)

    helper.it_each_variant("take", "takes long lists, rows of any width, and nothing", function(dev, variant)
        for _, size in ipairs { 0, 1, 255, 1023, 1024, 1025, 4097, 20001 } do
            for _, width in ipairs { 1, 3, 4, 16 } do
                local a = dev:arange(37 * width, "i32"):reshape(37, width)
                local index = size == 0 and dev:zeros({ 0 }, "i32") or dev:arange(size, "i32")
                index = size == 0 and index or index * 7 % 37 + 1
                local out = a:take(index, 1, { variant = variant })
                assert.same({ size, width }, { out:shape() })
                local flat = helper.flat(out)
                for i = 1, size, 31 do
                    assert.equal((i * 7 % 37) * width + 1, flat[(i - 1) * width + 1])
                    assert.equal((i * 7 % 37) * width + width, flat[i * width])
                end
            end
        end
    end)

    helper.it_each_variant("take", "takes rows that begin at odd elements", function(dev, variant)
        local a = dev:arange(80, "u8"):reshape(10, 8):slice(nil, { 2, 7 })
        local index = dev:array({ 3, 1 }, "i32")
        helper.can(function()
            helper.check_array(a:take(index, 1, { variant = variant }), "u8", { 2, 6 },
                { 18, 19, 20, 21, 22, 23, 2, 3, 4, 5, 6, 7 })
        end)
    end)

    helper.it_each_variant("take", "knows the range of each axis", function(dev, variant)
        local a = dev:arange(24, "i32"):reshape(4, 6)
        for axis, extent in pairs { 4, 6, [0] = 24 } do
            local index = dev:array({ extent, extent + 1 }, "i32")
            local taken = a:take(index, axis > 0 and axis or nil, { variant = variant })
            local ok, problem = pcall(taken.totable, taken)
            assert.is_false(ok)
            local wanted = ("take: index %d at position 2 is out of range 1..%d"):format(extent + 1, extent)
            assert.matches(wanted, tostring(problem), 1, true)
            pcall(dev.finish, dev) -- tells of it too
            pcall(dev.finish, dev)
        end
        dev:finish()
    end)

    it("takes a list of positions as well, as put and add_at do", function()
        local dev = require "lunarray".device()
        local x = dev:array { 10, 20, 30 }
        helper.check_array(x:take { 3, 1, 1 }, "f32", { 3 }, { 30.0, 10.0, 10.0 })
        helper.check_array(dev:arange(6, "f32"):reshape(2, 3):take({ 2, 3 }, 2), "f32", { 2, 2 },
            { 2.0, 3.0, 5.0, 6.0 })
        helper.check_array(x:put({ 1 }, 5):add_at({ 2, 2 }, 1), "f32", { 3 }, { 5.0, 22.0, 30.0 })
        helper.raises("take: element 1: 1.5 has no representation in i64", function() local _ = x:take { 1.5 } end)
        helper.raises("put: row 2 has 1 element where 2 are needed", function() x:put({ { 1, 2 }, { 3 } }, 0) end)
        helper.raises("get: take: index 4 at position 1 is out of range 1..3", function() x:take({ 4 }):get(1) end)
    end)

    it("counts negative positions of numbers and lists from the last, but not those of arrays", function()
        helper.each_device(function(dev)
            local a = dev:array { { 1, 2, 3 }, { 4, 5, 6 } }
            helper.check_array(a:take { -1, 1, -6 }, "f32", { 3 }, { 6.0, 1.0, 1.0 })
            helper.check_array(a:take { { -1, 2 }, { 3, -4 } }, "f32", { 2, 2 }, { 6.0, 2.0, 3.0, 3.0 })
            helper.check_array(a:take({ -1, -3 }, 2), "f32", { 2, 2 }, { 3.0, 1.0, 6.0, 4.0 })
            helper.check_array(a:take { -1, axis = 1 }, "f32", { 1, 3 }, { 4.0, 5.0, 6.0 })
            helper.check_array(a:take(-1), "f32", {}, { 6.0 })
            helper.check_array(a:take(2, 2), "f32", { 2 }, { 2.0, 5.0 })
            helper.check_array(a:take(-1, 1), "f32", { 3 }, { 4.0, 5.0, 6.0 })
            helper.check_array(a:copy():put(-1, 9), "f32", { 2, 3 }, { 1.0, 2.0, 3.0, 4.0, 5.0, 9.0 })
            helper.check_array(a:copy():put({ -6, 2 }, dev:array { 8, 7 }), "f32", { 2, 3 },
                { 8.0, 7.0, 3.0, 4.0, 5.0, 6.0 })
            helper.check_array(a:copy():add_at({ -1, 6, -2 }, 1), "f32", { 2, 3 }, { 1.0, 2.0, 3.0, 4.0, 6.0, 8.0 })
            helper.check_array(a:copy():add_at(1, 1), "f32", { 2, 3 }, { 2.0, 2.0, 3.0, 4.0, 5.0, 6.0 })
            for wrong, range in pairs { [-7] = "1..6", [0] = "1..6", [7] = "1..6", [math.mininteger] = "1..6" } do
                for _, index in ipairs { wrong, { 1, wrong } } do
                    helper.raises(("totable: take: index %d at position %d is out of range %s"):format(wrong,
                        index == wrong and 1 or 2, range), function() a:take(index):totable() end)
                end
            end
            helper.refused("totable: take: index -3 at position 1 is out of range 1..2", a:take({ -3 }, 1))
            helper.refused("totable: take: index -1 at position 1 is out of range 1..6",
                a:take(dev:array({ -1 }, "i32")))
            helper.refused("totable: sum: start -1 at position 2 of segments is out of range 1..4",
                a:sum({ segments = { 1, -1 } }))
            repeat until pcall(dev.finish, dev) -- tells of each, too
        end)
    end)

    helper.it_each_device("of an empty list takes and writes nothing", function(dev)
        local a = dev:array { { 1, 2, 3 }, { 4, 5, 6 } }
        helper.check_array(a:take {}, "f32", { 0 }, {})
        helper.check_array(a:take({}, 2), "f32", { 2, 0 }, {})
        helper.check_array(a:take { axis = 1 }, "f32", { 0, 3 }, {})
        helper.check_array(dev:zeros({ 0 }):take {}, "f32", { 0 }, {})
        assert.equal(a, a:put({}, 9))
        assert.equal(a, a:add_at({}, 9))
        helper.check_array(a:put({}, dev:zeros { 0 }), "f32", { 2, 3 }, { 1.0, 2.0, 3.0, 4.0, 5.0, 6.0 })
    end)

    helper.it_each_device("refuses what is no index, and shapes that do not fit", function(dev)
        local a = dev:zeros { 2, 3 }
        helper.raises("take: the index array is f32; i32 or i64 is needed", function() local _ = a:take(a) end)
        local wanted = "argument 1: a position, a list of them, or an i32 or i64 array of them is needed, got "
        helper.raises("take: " .. wanted .. "nothing", function() local _ = a:take() end)
        helper.raises("put: " .. wanted .. "a string", function() a:put("1", 0) end)
        helper.raises("add_at: argument 1: a whole number is needed, got 1.5", function() a:add_at(1.5, 0) end)
        helper.refused("put: argument 1: the table has the key 'x'; elements are stored at 1 to 1", a, { 1, x = 2 }, 0)
        helper.raises("take: the index array is bool; i32 or i64 is needed; mask and mask_put take a mask",
            function() local _ = a:take(a:gt(2)) end)
        helper.refused("take: the result would have 9 axes; at most 8 are possible",
            dev:zeros({ 1, 1, 1, 1, 1, 1, 1, 1 }), dev:ones({ 1, 1 }, "i32"), 1)
        helper.raises("take: out overlaps an input; give it memory of its own", function()
            local both = dev:ones({ 3 }, "i32")
            dev:ones({ 5 }, "i32"):take(both:slice { 1, 2 }, { out = both:slice { 2, 3 } })
        end)
    end)
end)

-- Writes with `method` to an array, and to the list of its elements by set(flat, place, value).
local function write_trial(method, set)
    return function(random, dtype, options, dev)
        local shape, index_shape = some_shape(random, 3, 5), some_shape(random, 2, 9)
        local float = numbers.dtype[dtype].kind == "float"
        local flat = numbers.small(reference.size(shape), dtype, random(1, 9))
        local a = laying.some(random, dev, flat, shape, dtype)
        local index, list = some_index(random, dev, index_shape, #flat)
        local how = random(1, 4)
        local values, given
        if how == 1 then -- a number
            values = { float and 3.0 or 3 }
            given = 3
        elseif how == 2 and #index_shape == 2 then -- a row that goes along all rows
            values = numbers.small(index_shape[2], dtype, random(1, 9))
            given = laying.some(random, dev, values, { index_shape[2] }, dtype)
        elseif how == 3 then -- another dtype
            values = numbers.small(#list, "u8", random(1, 9))
            given = laying.some(random, dev, values, index_shape, "u8")
        else
            values = numbers.small(#list, dtype, random(1, 9))
            given = laying.some(random, dev, values, index_shape, dtype)
        end
        local got
        if not helper.can(function() got = a[method](a, index, given, options) end) then
            return
        end
        assert.equal(a, got)
        for i, place in ipairs(list) do
            local x = value_at(values, i)
            set(flat, place, float and x + 0.0 or x, dtype)
        end
        helper.check_array(a, dtype, shape, flat)
    end
end

describe("put", function()
    trials("put", 60, write_trial("put", function(flat, place, x) flat[place] = x end))

    helper.it_each_variant("put", "leaves the last of many equal indices' values", function(dev, variant)
        for _, size in ipairs { 1, 257, 4097, 30011 } do
            local index = dev:arange(size, "i32") * 11 % 13 + 1
            local a = dev:zeros({ 13 }, "i32"):put(index, dev:arange(size, "i32"), { variant = variant })
            local expected = {}
            for i = 1, 13 do
                expected[i] = 0
            end
            for i = 1, size do
                expected[i * 11 % 13 + 1] = i
            end
            helper.check_array(a, "i32", { 13 }, expected)
        end
    end)

    helper.it_each_device("refuses values and arrays that do not fit", function(dev)
        local a, i = dev:zeros { 2, 3 }, dev:ones({ 2 }, "i64")
        helper.refused("put: values of shape 3 do not broadcast to the index's shape 2", a, i, dev:zeros { 3 })
        helper.refused("add_at: values of shape 2x3 do not broadcast to the index's shape 2; {index} means "
            .. "positions along the first axis", a, i, dev:zeros { 2, 3 })
        helper.refused("put: the values share elements with the array that is written; copy them first",
            a, i, a:row(1):slice { 1, 2 })
        helper.refused("put: the index array shares elements with the array that is written; copy it first", i, i, 1)
        helper.raises("put: 2.5 has no representation in i64", function() i:put(dev:ones({ 1 }, "i32"), 2.5) end)
        helper.raises("put: the index array is f32; i32 or i64 is needed", function() a:put(a, 1) end)
    end)
end)

for name, better in pairs { min_at = math.min, max_at = math.max } do
    describe(name, function()
        trials(name, 40, write_trial(name, function(flat, place, x) flat[place] = better(flat[place], x) end))
    end)
end

describe("min_at, max_at and mul_at", function()
    helper.it_each_variant("min_at", "combine many equal indices, and NaN wins", function(dev, variant)
        for _, size in ipairs { 1, 31, 33, 2049, 40013 } do
            local index, at = dev:arange(size, "i64") * 7 % 5 + 1, { variant = variant }
            local values = dev:arange(size, "f32")
            local low, high = dev:full({ 5 }, 3), dev:full({ 5 }, 3)
            if not helper.can(low.min_at, low, index, values, at) then
                break
            end
            high:max_at(index, values, at)
            local least, most, sign = {}, {}, {}
            for k = 1, 5 do
                least[k], most[k], sign[k] = 3.0, 3.0, 1
            end
            for i = 1, size do
                local k = i * 7 % 5 + 1
                least[k], most[k], sign[k] = math.min(least[k], i + 0.0), math.max(most[k], i + 0.0), -sign[k]
            end
            helper.check_array(low, "f32", { 5 }, least)
            helper.check_array(high, "f32", { 5 }, most)
            helper.check_array(dev:ones({ 5 }, "i16"):mul_at(index, -1, at), "i16", { 5 }, sign)
        end
        local x = dev:array { 1, 2, -0.0, 0 / 0 }
        x:min_at({ 1, 1, 3, 4 }, dev:array { 5, 0 / 0, 0, 1 }, { variant = variant })
        x:max_at({ 2 }, 0 / 0, { variant = variant })
        helper.check_array(x, "f32", { 4 }, { 0 / 0, 0 / 0, -0.0, 0 / 0 })
        helper.check_array(dev:array({ 3, -128 }, "i8"):mul_at({ 1, 1, 2 }, dev:array({ 5, -9, -1 }, "i8"),
            { variant = variant }), "i8", { 2 }, { 121, -128 })
        helper.check_array(dev:array({ 2^63, -1 }, "u64"):max_at({ 2, 1 }, dev:array({ 1, -2 }, "u64"),
            { variant = variant }), "u64", { 2 }, { -2, -1 })
        helper.check_array(dev:array({ true, true }, "bool"):min_at({ 2 }, false, { variant = variant }), "bool", { 2 },
            { true, false })
        local z = dev:array({ { 1, 2 }, { 3, 4 } }, "c64"):mul_at({ { 1, 2 }, { 1, 1 } }, 2, { variant = variant })
        helper.check_array(z:real(), "f32", { 2, 2 }, { 8.0, 4.0, 3.0, 4.0 })
    end)

    it("refuse what has no order, and positions that are not there", function()
        local z = require "lunarray".zeros({ 2 }, "c64")
        helper.refused("min_at: c64 numbers have no order; use their abs() or real()", z, 1, 0)
        helper.refused("max_at: c64 numbers have no order", z, 1, 0)
        helper.raises("totable: mul_at: index 3 at position 1 is out of range 1..2",
            function() z:mul_at({ 3 }, 2):totable() end)
    end)
end)

describe("add_at", function()
    trials("add_at", 60, write_trial("add_at", function(flat, place, x, dtype)
        flat[place] = numbers.dtype[dtype].kind == "float" and flat[place] + x or numbers.wrap(flat[place] + x, dtype)
    end))

    helper.it_each_variant("add_at", "adds up many equal indices, the same bits every time", function(dev, variant)
        for _, size in ipairs { 1, 31, 32, 33, 2047, 2048, 2049, 40013 } do
            for _, extent in ipairs { 1, 5, 1000, 70000 } do
                local index = dev:arange(size, "i64") * 7 % extent + 1
                local ones, counts, wrong = dev:zeros({ extent }, variant == "fixed" and "f32" or "i32"), {}, 0
                local can = helper.can(ones.add_at, ones, index, 1, { variant = variant })
                local list = helper.flat(ones)
                for i = 1, size do
                    counts[i * 7 % extent + 1] = (counts[i * 7 % extent + 1] or 0) + 1
                end
                for i = 1, extent do
                    wrong = wrong + (list[i] == (can and counts[i] or 0) and 0 or 1)
                end
                assert.equal(0, wrong, ("%d of %d"):format(size, extent))
            end
        end
        local values = dev:normal({ 40000 }, { seed = 3, dtype = variant == "fixed" and "f32" or nil })
        local index = dev:randint({ 40000 }, 1, 700, { seed = 4 })
        helper.can(function()
            local first = dev:zeros({ 700 }):add_at(index, values, { variant = variant }):tobytes()
            for _ = 1, 3 do
                assert.equal(first, dev:zeros({ 700 }):add_at(index, values, { variant = variant }):tobytes())
            end
        end)
    end)

    -- Each element's sum, against the same values in Lua's own numbers, where the variant adds floats. `most` is in
    -- units of the dtype's precision and of the sum of the values' sizes.
    local EPS = { f32 = 2 ^ -24, f16 = 2 ^ -11, bf16 = 2 ^ -8, f64 = 2 ^ -53 }
    local function adds(dev, variant, dtype, extent, list, most)
        local places, values, sums, sizes = {}, {}, {}, {}
        for i, pair in ipairs(list) do
            places[i], values[i] = pair[1], pair[2]
        end
        local index, given = dev:array(places, "i32"), dev:array(values, dtype)
        local out = dev:zeros({ extent }, dtype)
        if not helper.can(out.add_at, out, index, given, { variant = variant }) then
            return
        end
        for i, x in ipairs(given:totable()) do
            sums[places[i]], sizes[places[i]] = (sums[places[i]] or 0) + x, (sizes[places[i]] or 0) + math.abs(x)
        end
        for i, got in ipairs(out:totable()) do
            local wanted = sums[i] or 0
            if wanted ~= wanted then
                assert.is_true(got ~= got, variant)
            elseif math.abs(wanted) == 1 / 0 then
                assert.equal(wanted, got, variant)
            else
                local off = math.abs(got - wanted)
                local bound = most * EPS[dtype] * math.max(sizes[i] or 0, dtype == "f16" and 2 ^ -14 or 2 ^ -126)
                assert.is_true(off <= bound, ("%s %s: %s, not %s: %g"):format(variant, dtype, got, wanted, off))
            end
        end
    end

    helper.it_each_variant("add_at", "adds floats of all sizes, and NaN and infinities", function(dev, variant)
        local random = numbers.generator(11)
        for _, dtype in ipairs { "f32", "f16", "bf16", "f64" } do
            if not (dtype == "f64" and not dev:info().fp64) then
                local wide, low, special = {}, {}, {}
                local most = dtype == "f16" and 9 or 100
                for i = 1, 3000 do
                    local sign = random(0, 1) * 2 - 1
                    wide[i] = { random(1, 40), sign * (1 + random(0, 1000) / 1000) * 2.0 ^ random(-most, most) }
                    low[i] = { random(1, 40), sign * random(1, 100) * (dtype == "f16" and 2.0 ^ -24 or 2.0 ^ -133) }
                    special[i] = { random(1, 2500), sign * 1.0 }
                end
                for i, x in ipairs { 1 / 0, -1 / 0, 0 / 0, 1 / 0, -1 / 0, 1 / 0 } do
                    special[#special + 1] = { i < 5 and i or 1, x }
                end
                adds(dev, variant, dtype, 40, wide, 12)
                adds(dev, variant, dtype, 2500, special, 4)
                if dtype == "f16" or dtype == "f32" then
                    adds(dev, variant, dtype, 40, low, 4)
                end
            end
        end
    end)

    it("does not lose many small values beside a large one, unless they are added one after the other", function()
        helper.each_variant("add_at", function(dev, variant)
            if variant == "plain" then
                return
            end
            local n = 1 << 22
            for _, small in ipairs { 2.0 ^ -30, -2.0 ^ -42, 2.0 ^ -60 } do
                local values = dev:full({ n }, small, "f32")
                values:set(1, 777)
                local out = dev:zeros({ 3 }, "f32")
                if helper.can(out.add_at, out, dev:full({ n }, 2, "i32"), values, { variant = variant }) then
                    local wanted, got = 1 + (n - 1) * small, out:get(2)
                    assert.is_true(math.abs(got - wanted) <= 8 * 2 ^ -24,
                        ("%s: %.9g, not %.9g"):format(variant, got, wanted))
                end
            end
        end)
    end)

    helper.it_each_variant("add_at", "keeps the sign of zeros as sums do", function(dev, variant)
        local a, values = dev:full({ 3 }, -0.0, "f32"), dev:array { -0.0, -0.0, 0.0, -0.0 }
        if not helper.can(a.add_at, a, { 1, 1, 2, 2 }, values, { variant = variant }) then
            return
        end
        local got = {}
        for i, x in ipairs(a:totable()) do
            got[i] = 1 / x
        end
        assert.same({ -1 / 0, 1 / 0, -1 / 0 }, got, variant)
    end)
end)

describe("what begins within its memory", function()
    local function part(dev, list, dtype) -- of a larger array, whose other elements are 3
        local whole = dev:full({ #list + 3 }, 3, dtype)
        return whole:slice({ 3, #list + 2 }):write(list), whole
    end

    it("is where it is: arrays, indices, masks, values and results", function()
        helper.each_variant("take", function(dev, variant)
            local out, whole = part(dev, { 0, 0 }, "f32")
            part(dev, { 5, 6, 7 }, "f32"):take(part(dev, { 3, 1 }, "i32"), { out = out, variant = variant })
            helper.check_array(whole, "f32", { 5 }, { 3.0, 3.0, 7.0, 5.0, 3.0 })
        end)
        for _, method in ipairs { "put", "add_at" } do
            helper.each_variant(method, function(dev, variant)
                for _, dtype in ipairs { "f32", "i32" } do
                    local a, whole = part(dev, { 0, 0, 0 }, dtype)
                    local index, values = part(dev, { 3, 1 }, "i32"), part(dev, { 8, 9 }, dtype)
                    if helper.can(a[method], a, index, values, { variant = variant }) then
                        helper.check_array(whole:cast "i32", "i32", { 6 }, { 3, 3, 9, 0, 8, 3 })
                        a[method](a:fill(0), index, part(dev, { 4 }, dtype), { variant = variant })
                        helper.check_array(whole:cast "i32", "i32", { 6 }, { 3, 3, 4, 0, 4, 3 })
                    end
                end
            end)
        end
        helper.each_variant("mask", function(dev, variant)
            local options = { variant = variant }
            local a, mask = part(dev, { 5, 6, 7 }, "f32"), part(dev, { 1, 0, 1 }, "u8")
            local out, whole = part(dev, { 0, 0 }, "f32")
            a:mask(mask, { out = out, variant = variant })
            helper.check_array(whole, "f32", { 5 }, { 3.0, 3.0, 5.0, 7.0, 3.0 })
            helper.check_array(mask:nonzero(options), "i64", { 2 }, { 1, 3 })
            a:mask_put(mask, part(dev, { 8, 9 }, "f32"), options)
            helper.check_array(a, "f32", { 3 }, { 8.0, 6.0, 9.0 })
            a:mask_put(mask, part(dev, { 4 }, "f32"), options)
            helper.check_array(a, "f32", { 3 }, { 4.0, 6.0, 4.0 })
        end)
    end)
end)

describe("a fault that has been raised", function()
    it("is raised by finish, too, of hundreds the newest; what nobody knows of is not forgotten", function()
        helper.each_device(function(dev)
            local a, told, untold = dev:ones { 5 }, dev:array({ 9 }, "i32"), dev:array({ 77 }, "i32")
            for i = 1, 400 do
                if i == 10 then
                    a:take(untold)
                end
                helper.raises("totable: take: index 9", function() return a:take(told):totable() end)
            end
            collectgarbage()
            collectgarbage()
            assert.equal(5.0, a:sum()) -- an operation looks which arrays are gone
            local counts = { ["77"] = 0, ["9"] = 0 }
            repeat
                local ok, problem = pcall(dev.finish, dev)
                local index = tostring(problem):match "finish: take: index (%d+) at position 1 is out of range 1..5"
                counts[index or 1] = (counts[index or 1] or 0) + 1
            until ok
            assert.equal(1, counts["77"])
            assert.equal(1, counts[1]) -- the last call
            assert.is_true(counts["9"] >= 64 and counts["9"] < 80, counts["9"])
            assert.equal(5.0, a:sum())
        end)
    end)
end)

describe("mask", function()
    trials("mask", 60, function(random, dtype, options, dev)
        local shape = some_shape(random, 3, 9)
        local a, flat = some_array(random, dev, shape, dtype)
        local mask, list = some_mask(random, dev, shape)
        local expected = chosen(flat, list)
        helper.check_array(a:mask(mask, options), dtype, { #expected }, expected)
        options.out = laying.some(random, dev, expected, { #expected }, dtype)
        assert.equal(options.out, a:mask(mask, options))
        helper.check_array(options.out, dtype, { #expected }, expected)
    end)

    helper.it_each_variant("mask", "is counted in blocks of any number", function(dev, variant)
        for _, size in ipairs { 0, 1, 2047, 2049, 16383, 16384, 16385, 70001 } do
            local a = size == 0 and dev:zeros({ 0 }, "i32") or dev:arange(size, "i32")
            for _, every in ipairs { 1, 3, 100000 } do
                local list = {}
                for i = every, size, every do
                    list[#list + 1] = i
                end
                local m = (a % every):eq(0)
                helper.check_array(a:mask(m, { variant = variant }), "i32", { #list }, list)
                local positions = { m:nonzero { variant = variant } }
                helper.check_array(positions[1], "i64", { #list }, list)
            end
        end
    end)

    helper.it_each_device("refuses masks and outs that do not fit", function(dev)
        local a = dev:zeros { 2, 3 }
        helper.refused("mask: the mask is f32; bool is needed, as comparisons give it, or u8", a, a)
        helper.raises("mask: the mask has shape 3x2; the array has 2x3", function() a:mask(a:t():eq(0)) end)
        helper.raises("mask: out overlaps an input; give it memory of its own", function()
            local both = dev:ones({ 3 }, "u8")
            dev:ones({ 2 }, "u8"):mask(both:slice { 1, 2 }, { out = both:slice { 2, 3 } })
        end)
    end)
end)

describe("mask_put", function()
    trials("mask_put", 60, function(random, dtype, options, dev)
        local shape = some_shape(random, 3, 9)
        local a, flat = some_array(random, dev, shape, dtype)
        local mask, list = some_mask(random, dev, shape)
        local count, at = #chosen(flat, list), 0
        local values = random(1, 3) == 1 and { flat[1] } or numbers.some(count, dtype, random(1, 9))
        local given = #values == 1 and random(1, 2) == 1 and values[1]
            or laying.some(random, dev, values, { #values }, dtype)
        assert.equal(a, a:mask_put(mask, given, options))
        for i, m in ipairs(list) do
            if m ~= 0 then
                at = at + 1
                flat[i] = #values == 1 and values[1] or values[at]
            end
        end
        helper.check_array(a, dtype, shape, flat)
    end)

    it("refuses values that do not fit, and says so later if only the device can see it", function()
        helper.each_device(function(dev)
            local a = dev:array { { 1, 2, 3 }, { 4, 5, 6 } }
            helper.refused("mask_put: the values have shape 2x3; a number or an array of one axis is needed",
                a, a:gt(2), a:copy())
            helper.raises("mask_put: the mask is f32; bool is needed", function() a:mask_put(a, 1) end)
            a:mask_put(a:gt(2), dev:zeros { 3 })
            helper.refused("totable: mask_put: got 3 values; the mask is true at 4 places", a)
            helper.raises("finish: mask_put: got 3 values; the mask is true at 4 places", function() dev:finish() end)
            a:fill(1):set(9, 1, 1)
            a:mask_put(a:gt(2), dev:zeros { 2 })
            local problem = helper.refused("finish: mask_put: got 2 values; the mask is true at 1 place", dev)
            assert.is_nil(tostring(problem):find "places")
            a:fill(1)
            assert.equal(6.0, a:sum())
        end)
    end)
end)

describe("nonzero", function()
    trials("nonzero", 60, function(random, dtype, options, dev)
        local shape = some_shape(random, 3, 9)
        shape[1] = shape[1] or 4
        local small = numbers.small(reference.size(shape), dtype, random(1, 9), 0, 2)
        local lists, got = {}, { laying.some(random, dev, small, shape, dtype):nonzero(options) }
        for axis = 1, #shape do
            lists[axis] = {}
        end
        reference.each(shape, function(place, number)
            for axis = 1, small[number] ~= 0 and #shape or 0 do
                table.insert(lists[axis], place[axis])
            end
        end)
        assert.equal(#shape, #got)
        for axis, list in ipairs(lists) do
            helper.check_array(got[axis], "i64", { #list }, list)
        end
    end)

    helper.it_each_device("wants an axis, and takes NaN for true", function(dev)
        helper.refused("nonzero: the array has no axes, so it has no positions", dev:array(1))
        helper.check_array(dev:array({ 0 / 0, 0, -0.0, 1e-30 }):nonzero(), "i64", { 2 }, { 1, 4 })
    end)
end)

describe("select", function()
    it("gives the value of the first condition that holds", function()
        local dev = lun.device()
        local a = dev:array { { 3, 1, 2 }, { 0, 5, 4 } }
        local low, high = a:lt(2), a:gt(3)
        helper.check_array(lun.select({ low, high }, { a * 10, -1 }, 7), "f32", { 2, 3 },
            { 7.0, 10.0, 7.0, 0.0, -1.0, -1.0 })
        helper.check_array(lun.select({ low, a:lt(4) }, { 1, 2 }), "i64", { 2, 3 }, { 2, 1, 2, 1, 0, 0 })
        local column, row = dev:array({ 1, 0 }, "u8"):expand(2), dev:array({ 1, 2, 3 }, "i16")
        local given = lun.select({ column }, { row }, dev:array({ 9 }, "i32"))
        helper.check_array(given, "i32", { 2, 3 }, { 1, 2, 3, 9, 9, 9 })
        local conditions, values, most = {}, {}, dev:arange(15)
        for i = 1, 15 do
            conditions[i], values[i] = most:ge(16 - i), most * i
        end
        local wanted = {}
        for i = 1, 15 do
            wanted[i] = i * (16 - i)
        end
        helper.check_array(lun.select(conditions, values), "i64", { 15 }, wanted)
        conditions[16] = most:gt(0)
        for message, call in pairs {
            ["select: got 16 conditions; from 1 to 15 are possible"] = { conditions, values },
            ["select: got 2 values; 1 are needed, one for each condition"] = { { low }, { 1, 2 } },
            ["select: value 2 is a string; an array or a number is needed"] = { { low, high }, { 1, "x" } },
            ["select: argument 2: a list of arrays and numbers is needed, got an array"] = { { low }, a },
            ["select: shapes 2x3 and 4 do not broadcast"] = { { low }, { dev:ones { 4 } } },
        } do
            helper.raises(message, function() lun.select(table.unpack(call)) end)
        end
    end)
end)
