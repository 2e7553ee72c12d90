-- Places that index arrays name together, or one array along an axis: take_along_axis, put_along_axis, take, put and
-- add_at of several index arrays, ravel and unravel, against plain Lua.

local lun = require "lunarray"
local helper = require "spec.helper"
local laying = require "spec.laying"
local numbers = require "spec.numbers"
local reference = require "spec.reference"

-- The positions along the axes of each element, counted from 1, row by row.
local function walk(shape)
    local list, at = {}, {}
    local function deeper(axis)
        if axis > #shape then
            list[#list + 1] = { table.unpack(at) }
            return
        end
        for i = 1, shape[axis] do
            at[axis] = i
            deeper(axis + 1)
        end
    end
    deeper(1)
    return list
end

-- Which element that is of an array of that shape, of which axes of size 1 go along.
local function flat_position(at, shape)
    local flat, missing = 0, #at - #shape
    for axis, size in ipairs(shape) do
        flat = flat * size + (size == 1 and 1 or at[axis + missing]) - 1
    end
    return flat + 1
end

-- An index array and its list; axes of its shape may be 1.
local function some_index(random, dev, shape, most, extent)
    local own, flat = {}, {}
    for axis, size in ipairs(shape) do
        own[axis] = axis ~= most and random(1, 3) == 1 and 1 or size
    end
    for i = 1, reference.size(own) do
        flat[i] = random(1, extent)
    end
    return laying.some(random, dev, flat, own, random(1, 2) == 1 and "i32" or "i64"), flat, own
end

local function some_shape(random, most)
    local shape = {}
    for axis = 1, random(1, most) do
        shape[axis] = random(1, 5)
    end
    return shape
end

helper.each_device(function(dev, title)
    local random = numbers.generator(30)
    local dtypes = helper.dtypes(dev)

    describe("places along an axis on " .. title, function()
        it("are read as plain Lua does, and written", function()
            for trial = 1, 45 do
                local dtype, shape = dtypes[trial % #dtypes + 1], some_shape(random, 3)
                local axis = random(1, #shape)
                local places = { table.unpack(shape) }
                places[axis] = random(0, 6)
                local flat = numbers.some(reference.size(shape), dtype, trial)
                local a = laying.some(random, dev, flat, shape, dtype)
                local index, list, own = some_index(random, dev, places, axis, shape[axis])
                local expected, written = {}, { table.unpack(flat) }
                for i, at in ipairs(walk(places)) do
                    at[axis] = list[flat_position(at, own)]
                    expected[i] = flat[flat_position(at, shape)]
                    written[flat_position(at, shape)] = flat[1]
                end
                helper.check_array(a:take_along_axis(index, axis), dtype, places, expected)
                local out = laying.some(random, dev, expected, places, dtype):fill(0)
                assert.equal(out, a:take_along_axis(index, { axis = axis - #shape - 1, out = out }))
                helper.check_array(out, dtype, places, expected)
                assert.equal(a, a:put_along_axis(index, a:copy():reshape(-1):slice { 1, 1 }, axis))
                helper.check_array(a, dtype, shape, written)
            end
        end)

        it("are those that sorting gives, along the last axis where none is named", function()
            local a = dev:array({ { 3, 1, 2 }, { 4, 6, 5 } }, "i32")
            helper.check_array(a:take_along_axis(a:argsort()), "i32", { 2, 3 }, { 1, 2, 3, 4, 5, 6 })
            helper.check_array(a:take_along_axis { { -1 }, { 2 } }, "i32", { 2, 1 }, { 2, 6 })
            helper.check_array(a:put_along_axis({ { 1 }, { -1 } }, dev:array { { 7 }, { 8 } }), "i32", { 2, 3 },
                { 7, 1, 2, 4, 6, 8 })
            helper.check_array(a:put_along_axis(dev:array({ { 1, 2, 2 } }, "i32"), 0, 1), "i32", { 2, 3 },
                { 0, 1, 2, 4, 0, 0 })
        end)
    end)

    describe("several index arrays on " .. title, function()
        it("take, put and add at places that they name together, as plain Lua does", function()
            for trial = 1, 45 do
                local dtype, shape = dtypes[trial % #dtypes + 1], some_shape(random, 4)
                local places, count = some_shape(random, 2), random(1, #shape)
                local flat = numbers.some(reference.size(shape), dtype, trial)
                local a = laying.some(random, dev, flat, shape, dtype)
                local index, lists, owns, whole = {}, {}, {}, {}
                for k = 1, count do
                    index[k], lists[k], owns[k] = some_index(random, dev, places, k == 1 and 0, shape[k])
                end
                for axis = 1, #places do
                    whole[axis] = 1
                    for k = 1, count do
                        whole[axis] = math.max(whole[axis], owns[k][axis])
                    end
                end
                local behind = #whole
                table.move(shape, count + 1, #shape, #whole + 1, whole)
                local expected, written = {}, { table.unpack(flat) }
                for i, at in ipairs(walk(whole)) do
                    local front, of = { table.unpack(at, 1, behind) }, {}
                    for k = 1, count do
                        of[k] = lists[k][flat_position(front, owns[k])]
                    end
                    table.move(at, behind + 1, #at, count + 1, of)
                    expected[i] = flat[flat_position(of, shape)]
                    written[flat_position(of, shape)] = flat[1]
                end
                helper.check_array(a:take(index), dtype, whole, expected)
                a:put(index, a:copy():reshape(-1):slice { 1, 1 })
                helper.check_array(a, dtype, shape, written)
            end
            local a = dev:zeros({ 2, 3 }, "i32")
            a:add_at({ dev:array({ 1, 1, 2 }, "i32"), dev:array({ 3, 3, 1 }, "i64") }, 1)
            helper.check_array(a, "i32", { 2, 3 }, { 0, 0, 2, 1, 0, 0 })
        end)

        it("become positions in the flattened array, and back", function()
            for _ = 1, 10 do
                local shape, places = some_shape(random, 4), some_shape(random, 2)
                local size, list = reference.size(shape), {}
                for i = 1, reference.size(places) do
                    list[i] = random(1, size)
                end
                local positions = laying.some(random, dev, list, places, "i64")
                local each, all = { positions:unravel(shape) }, walk(shape)
                assert.equal(#shape, #each)
                for axis, along in ipairs(each) do
                    local expected = {}
                    for i, position in ipairs(list) do
                        expected[i] = all[position][axis]
                    end
                    helper.check_array(along, "i64", places, expected)
                end
                helper.check_array(lun.ravel(each, shape), "i64", places, list)
            end
            local rows, columns = dev:array({ 4, 5 }, "i32"):unravel(2, 3)
            helper.check_array(rows, "i64", { 2 }, { 2, 2 })
            helper.check_array(columns, "i64", { 2 }, { 1, 2 })
        end)
    end)

    describe("what is out of range of places on " .. title, function()
        it("is told when the result is waited for, and nothing is written there", function()
            local a = dev:arange(12, "i32"):reshape(3, 4)
            local rows, columns = dev:array({ 1, 3 }, "i32"), dev:array({ 9, 2 }, "i64")
            local function told(message, f) -- at once, where the fault is known before the call has ended
                local ok, problem = pcall(function() return f():totable() end)
                assert.is_false(ok)
                assert.is_truthy(tostring(problem):find(message, 1, true), tostring(problem))
            end
            told("take_along_axis: index 5 at position 2 is out of range 1..4", function()
                return a:take_along_axis { { 1 }, { 5 }, { 2 } }
            end)
            told("take: index 9 at position 1 of index array 2 is out of range 1..4", function()
                return a:take { rows, columns }
            end)
            local out = dev:array({ 1, 1, 0 }, "i64")
            told("take: index 0 at position 3 is out of range 1..3", function() return a:take { out } end)
            told("ravel: index 3 at position 2 of index array 1 is out of range 1..2", function()
                return lun.ravel({ rows, rows }, { 2, 3 })
            end)
            told("unravel: index 9 at position 1 is out of range 1..6", function() return (columns:unravel(2, 3)) end)
            local b = a:copy()
            told("put: index 9 at position 1 of index array 2 is out of range 1..4", function()
                return b:put({ rows, columns }, 7)
            end)
            local c = a:copy()
            told("put_along_axis: index 5 at position 2 is out of range 1..4", function()
                return c:put_along_axis({ { 1 }, { 5 }, { 2 } }, 7)
            end)
        end)
    end)

    describe("places on " .. title, function()
        it("refuse what names none", function()
            local a, i = dev:zeros { 3, 4 }, dev:ones({ 2 }, "i32")
            helper.raises("take: argument 1: element 2 of the list: an index array is needed, as the first is, got a "
                .. "number", function() a:take { i, 5 } end)
            helper.refused("take: index arrays of shapes 2 and 3 do not broadcast", a, { i, dev:ones({ 3 }, "i64") })
            helper.raises("take: several index arrays are for one axis each; no axis can be given",
                function() a:take { i, axis = 1 } end)
            helper.refused("take: option 'variant': several index arrays have no variants",
                a, { i, variant = "plain" })
            helper.raises("put: the index array is f32; i32 or i64 is needed", function() a:put({ a }, 1) end)
            helper.refused("take: got 3 index arrays, one for each axis, but the array has 2 axes", a, { i, i, i })
            helper.refused("take: argument 1: more than 8 index arrays are in the list",
                a, { i, i, i, i, i, i, i, i, i })
            helper.refused("take: the result would have 9 axes; at most 8 are possible",
                dev:zeros({ 1, 1, 1, 1, 1, 1, 1, 1 }), { i:reshape(1, 2) })
            helper.raises("take_along_axis: the index array has shape 2x4, and the array 3x4: apart from axis 2 "
                .. "they must broadcast", function() a:take_along_axis(dev:ones({ 2, 4 }, "i32"), 2) end)
            helper.raises("take_along_axis: the array has no axes", function() dev:ones({}):take_along_axis(i) end)
            helper.raises("ravel: got 2 index arrays and 1 sizes; equal numbers are needed, and at least one",
                function() lun.ravel({ i, i }, { 3 }) end)
            helper.raises("unravel: the index array is f32; whole numbers are needed", function() a:unravel(3) end)
            helper.refused("ravel: the index array is bool; whole numbers are needed", lun, { a:gt(0) }, { 3 })
            assert.same({ 1, 1 }, lun.ravel({ i:cast "u8", i }, { 2, 2 }):totable())
            helper.raises("unravel: at least one size is needed", function() i:unravel {} end)
        end)
    end)
end)
