-- Views: other shapes of the same memory.

local lun = require "lunarray"
local helper = require "spec.helper"
local numbers = require "spec.numbers"
local reference = require "spec.reference"
local slicing = require "spec.slicing"

helper.each_device(function(dev, title)
    local function counting(...)
        local shape = { ... }
        return dev:arange(reference.size(shape), "i32"):reshape(...)
    end

    describe("a view on " .. title, function()
        it("shares memory with its array", function()
            local a = counting(2, 3)
            a:row(2):fill(0)
            helper.check_array(a, "i32", { 2, 3 }, { 1, 2, 3, 0, 0, 0 })
            a:col(1):fill(-1)
            helper.check_array(a:reshape(6), "i32", { 6 }, { -1, 2, 3, -1, 0, 0 })
        end)

        it("keeps the memory alive", function()
            local a = counting(2, 3)
            local v = a:t():row(2)
            a:release()
            helper.check_array(v, "i32", { 2 }, { 2, 5 })
        end)

        it("of a view is a view", function()
            local a = counting(4, 6)
            local v = a:slice({ 2, 4 }, { 6, 1, -2 }):t():slice({ 2, 3 })
            helper.check_array(v, "i32", { 2, 3 }, { 10, 16, 22, 8, 14, 20 })
            v:set(0, 1, 1)
            assert.equal(0, a:get(2, 4))
        end)
    end)

    describe("slice on " .. title, function()
        it("takes ranges with both ends, with missing parts, and with steps of both signs", function()
            local a = counting(5)
            for _, case in ipairs {
                { { 2, 4 }, { 2, 3, 4 } }, { { 2 }, { 2, 3, 4, 5 } }, { { nil, 2 }, { 1, 2 } },
                { {}, { 1, 2, 3, 4, 5 } }, { { nil, nil, 2 }, { 1, 3, 5 } },
                { { nil, nil, -1 }, { 5, 4, 3, 2, 1 } }, { { 4, 2, -2 }, { 4, 2 } },
                { { 1, -1, 100 }, { 1 } }, { { 3, 2 }, {} }, { { 1, 0 }, {} }, { { 6, 5 }, {} }, { { 2, 3, -1 }, {} },
                { { -2, -1 }, { 4, 5 } }, { { 3, 3 }, { 3 } }, { { 1, -1, math.maxinteger }, { 1 } },
                { { 5, 1, math.mininteger }, { 5 } },
            } do
                local range, expected = case[1], case[2]
                helper.check_array(a:slice(range), "i32", { #expected }, expected)
            end
        end)

        it("keeps whole axes for nil and for those not named, and drops the axis of an integer", function()
            local a = counting(2, 3)
            helper.check_array(a:slice(), "i32", { 2, 3 }, { 1, 2, 3, 4, 5, 6 })
            helper.check_array(a:slice(nil, { 2, 3 }), "i32", { 2, 2 }, { 2, 3, 5, 6 })
            helper.check_array(a:slice(2), "i32", { 3 }, { 4, 5, 6 })
            helper.check_array(a:slice(nil, 3), "i32", { 2 }, { 3, 6 })
            helper.check_array(a:slice(2, -3), "i32", {}, { 4 })
        end)

        it("gives what a Lua loop would, whatever the ranges #oclgrind", function()
            local random = numbers.generator(7)
            for _, shape in ipairs { { 7 }, { 5, 6 }, { 4, 5, 6 }, { 5, 1, 6, 4 } } do
                local a = counting(table.unpack(shape))
                local flat = helper.flat(a)
                local strided = {} -- axes of which several positions were kept, with gaps, and several of all others
                for _ = 1, 60 do
                    local ranges, gaps, several = {}, {}, true
                    for axis, size in ipairs(shape) do
                        ranges[axis] = slicing.some_range(random, size)
                        local count, step = slicing.picks(ranges[axis], size)
                        gaps[axis] = count > 1 and step > 1
                        several = several and (count > 1 or size == 1)
                    end
                    for axis = 1, #shape do
                        strided[axis] = strided[axis] or several and gaps[axis]
                    end
                    local expected, new = slicing.sliced(flat, shape, ranges)
                    helper.check_array(a:slice(table.unpack(ranges)), "i32", new, expected)
                end
                for axis, size in ipairs(shape) do
                    assert.is_true(strided[axis] or size == 1, ("axis %d of %d has no steps"):format(axis, #shape))
                end
            end
        end)

        it("refuses what is out of range", function()
            local a = counting(2, 3)
            helper.raises("slice: position 3 is out of range on axis 1, which has 2", function() a:slice(3) end)
            helper.raises("slice: position 0 is out of range on axis 2, which has 3", function() a:slice(1, 0) end)
            helper.refused("slice: position 4 is out of range on axis 2, which has 3", a, nil, { 1, 4 })
            helper.refused("slice: position 5 is out of range on axis 2, which has 3", a, nil, { 1, 5 })
            helper.raises("slice: position 0 is out of range on axis 1, which has 2", function() a:slice { 0, 2 } end)
            helper.refused("slice: position 5 is out of range on axis 2, which has 3", a, nil, { 5, 4 })
            helper.raises("slice: position -4 is out of range on axis 2, which has 3", function() a:slice(1, -4) end)
        end)

        it("refuses what is no range", function()
            local a = counting(2, 3)
            helper.raises("slice: argument 1: the step is 0", function() a:slice { 1, 2, 0 } end)
            helper.refused("slice: argument 1: a range is {from, to, step}, and has no part [from]", a, { from = 1 })
            helper.refused("slice: argument 2: a range is {from, to, step}, and has no part [4]",
                a, nil, { 1, 2, 1, 1 })
            helper.refused("slice: 3 slices for an array with 2 axes; a range is a list: slice{from, to}", a, 1, 1, 1)
            helper.raises("slice: argument 2: a range {from, to, step}, a position or nil is needed, got a string",
                function() a:slice(nil, "x") end)
            helper.raises("slice: argument 1: a range is {from, to, step} of whole numbers, got a string at position 2",
                function() a:slice { 1, "2" } end)
            helper.raises("slice: argument 1: a range {from, to, step}, a position or nil is needed, got an array; "
                .. "a:take(index, axis) takes positions, a:mask(m) what is true", function() a:slice(a:gt(1)) end)
            helper.refused("slice: argument 1: a position (a whole number) is needed, got 1.5", a, 1.5)
        end)
    end)

    describe("three positions in order on " .. title, function()
        it("are refused where a slice of them is the first alone", function()
            local list, wide = counting(9), counting(3, 9)
            helper.raises("slice: argument 1: {1, 5, 9} goes from 1 to 5 in steps of 9, which selects only position 1: "
                .. "write {1, 1} for it, or {1, -1, 9} for all steps to the end of the axis; a:take picks positions "
                .. "that are in an array or a list", function() list:slice { 1, 5, 9 } end)
            helper.refused("slice: argument 1: {2, 3, 4} goes from 2 to 3 in steps of 4", list, { 2, 3, 4 })
            helper.refused("slice: argument 2: {-1, -5, -9} goes from -1 to -5 in steps of -9, which selects only "
                .. "position -1: write {-1, -1} for it, or {-1, 1, -9} for all", wide, nil, { -1, -5, -9 })
            helper.raises("slice: argument 1: a range is {from, to, step}, and has no part [4]; a:take picks positions "
                .. "that are in an array or a list", function() list:slice { 1, 5, 7, 9 } end)
        end)

        it("are refused whatever size the axis has", function()
            for _, size in ipairs { 5, 6, 8, 9, 20 } do
                helper.refused("slice: argument 1: {1, 5, 9} goes from 1 to 5", counting(size), { 1, 5, 9 })
                helper.refused("slice: argument 2: {-1, -5, -9} goes from -1 to -5",
                    counting(2, size), 1, { -1, -5, -9 })
            end
            helper.refused("slice: argument 1: {1, 2, 3} goes from 1 to 2", counting(2, 3), { 1, 2, 3 })
        end)

        it("are a range where they cannot be meant as positions", function()
            local list = counting(9)
            for _, case in ipairs {
                { { 1, -1, 10 }, { 1 } }, { { 1, 9, 9 }, { 1 } }, { { 1, 4, 4 }, { 1 } }, { { 1, 4, 3 }, { 1, 4 } },
                { { 5, 5, 9 }, { 5 } }, { { 8, 9, 3 }, { 8 } }, { { 1, -1, 9 }, { 1 } }, { { nil, 5, 9 }, { 1 } },
                { { -1, 1, -10 }, { 9 } }, { { -1, -5, -5 }, { 9 } }, { { 9, 1, -9 }, { 9 } },
                { { 9, 5, 1 }, {} }, { { 5, 1, 9 }, {} }, { { -9, -5, -1 }, {} }, { { -1, 1, -9 }, { 9 } },
            } do
                helper.check_array(list:slice(case[1]), "i32", { #case[2] }, case[2])
            end
        end)
    end)

    describe("slices of up to one position on " .. title, function()
        it("take a step of any size", function()
            for _, step in ipairs { 7, math.maxinteger, -math.maxinteger, math.mininteger } do
                local first = step > 0 and 1 or 6
                local one = { first, step > 0 and -1 or 1, step }
                local none = { 7 - first, first, step }
                local list, wide = counting(6), counting(6, 6)
                helper.check_array(list:slice(one), "i32", { 1 }, { first })
                helper.check_array(list:slice(none), "i32", { 0 }, {})
                assert.equal(first, list:slice(one):sum())
                assert.equal(0, list:slice(none):sum())
                local row, column = wide:slice(one), wide:slice({ 3, 4 }, one)
                helper.check_array(row:t(), "i32", { 6, 1 }, helper.flat(wide:row(first)))
                helper.check_array(row:sum { axis = 1 }, "i64", { 6 }, helper.flat(wide:row(first)))
                helper.check_array(row:reshape(2, 3), "i32", { 2, 3 }, helper.flat(wide:row(first)))
                local pair = { 12 + first, 18 + first }
                helper.check_array(column:copy(), "i32", { 2, 1 }, pair)
                helper.check_array(column:transpose(), "i32", { 1, 2 }, pair)
                helper.check_array(column:slice({ 2, 1, -1 }, { 1, 1, step }), "i32", { 2, 1 }, { pair[2], pair[1] })
                local empty = wide:slice(none, one)
                helper.check_array(empty:t():copy(), "i32", { 1, 0 }, {})
                helper.check_array(empty:sum { axis = 1 }, "i64", { 1 }, { 0 })
                column:fill(0)
                assert.equal(666 - pair[1] - pair[2], wide:sum())
            end
        end)
    end)

    describe("row and col on " .. title, function()
        it("pick one position of the first and of the second axis", function()
            local a = counting(2, 3)
            helper.check_array(a:row(2), "i32", { 3 }, { 4, 5, 6 })
            helper.check_array(a:row(-1), "i32", { 3 }, { 4, 5, 6 })
            helper.check_array(a:col(3), "i32", { 2 }, { 3, 6 })
            helper.check_array(counting(3):row(2), "i32", {}, { 2 })
            helper.check_array(counting(2, 1, 2):row(1), "i32", { 1, 2 }, { 1, 2 })
        end)

        it("refuse positions and arrays that have none", function()
            local a = counting(2, 3)
            helper.raises("row: position 3 is out of range on axis 1, which has 2", function() a:row(3) end)
            helper.raises("col: position 0 is out of range on axis 2, which has 3", function() a:col(0) end)
            helper.raises("col: only an array with 2 axes has columns; this one has 1", function() a:row(1):col(1) end)
            helper.refused("col: only an array with 2 axes has columns; this one has 3", a:reshape(1, 2, 3), 1)
            helper.raises("row: the array has no axes, so it has no rows", function() a:slice(1, 1):row(1) end)
        end)
    end)

    describe("reshape on " .. title, function()
        it("takes sizes, or a list of them, or one left open", function()
            local a = counting(12)
            helper.check_array(a:reshape(3, 4), "i32", { 3, 4 }, helper.flat(a))
            helper.check_array(a:reshape { 2, 3, 2 }, "i32", { 2, 3, 2 }, helper.flat(a))
            helper.check_array(a:reshape(-1, 6), "i32", { 2, 6 }, helper.flat(a))
            helper.check_array(a:reshape(1, 12, 1), "i32", { 1, 12, 1 }, helper.flat(a))
            helper.check_array(counting(1):reshape(), "i32", {}, { 1 })
            helper.check_array(dev:zeros({ 0, 3 }):reshape(7, 0), "f32", { 7, 0 }, {})
        end)

        it("works on strided views where no copy is needed", function()
            local a = counting(4, 6)
            helper.check_array(a:slice({ nil, nil, 2 }):reshape(2, 3, 2), "i32", { 2, 3, 2 },
                { 1, 2, 3, 4, 5, 6, 13, 14, 15, 16, 17, 18 })
            helper.check_array(a:slice(nil, 1):reshape(2, 2), "i32", { 2, 2 }, { 1, 7, 13, 19 })
            helper.check_array(a:slice({ nil, nil, -1 }, 6):reshape(4, 1), "i32", { 4, 1 }, { 24, 18, 12, 6 })
        end)

        it("copies where no view has that shape", function()
            local a = counting(2, 3)
            local flat, view = a:t():reshape(-1), a:reshape(6)
            helper.check_array(flat, "i32", { 6 }, { 1, 4, 2, 5, 3, 6 })
            flat:fill(0)
            assert.same({ { 1, 2, 3 }, { 4, 5, 6 } }, a:totable())
            view:fill(7)
            assert.same({ { 7, 7, 7 }, { 7, 7, 7 } }, a:totable())
            helper.check_array(counting(4, 6):slice({ nil, nil, 2 }, { 1, 3 }):reshape(2, 3), "i32", { 2, 3 },
                { 1, 2, 3, 13, 14, 15 })
            helper.check_array(counting(4, 6):slice(nil, { 6, 1, -2 }):reshape(3, -1), "i32", { 3, 4 },
                { 6, 4, 2, 12, 10, 8, 18, 16, 14, 24, 22, 20 })
            helper.raises("reshape: 6 elements (3x2) do not fit shape 5, which has 5", function() a:t():reshape(5) end)
        end)

        it("refuses shapes that do not fit", function()
            local a = counting(2, 3)
            helper.refused("reshape: argument 2: nothing after argument 1 is needed, got a number", a, { 3, 2 }, 1)
            helper.raises("reshape: 6 elements (2x3) do not fit shape 4, which has 4", function() a:reshape(4) end)
            helper.refused("reshape: 6 elements do not fit shape 4x-1: 6 is not a multiple of 4", a, 4, -1)
            helper.refused("reshape: 6 elements do not fit shape -1x5x2: 6 is not a multiple of 10", a, { -1, 5, 2 })
            helper.refused("reshape: 1 element does not fit shape 2x-1: 1 is not a multiple of "
                .. "2", dev:zeros { 1 }, 2, -1)
            helper.raises("reshape: 6 elements do not fit shape -1x0, which has none", function() a:reshape(-1, 0) end)
            helper.raises("reshape: 0 elements fit shape 0x-1 with any size in place of -1: write the size "
                .. "itself", function() dev:zeros { 2, 0 }:reshape(0, -1) end)
            helper.raises("reshape: sizes 1 and 2 are both -1; only one can be "
                .. "left open", function() a:reshape(-1, -1) end)
            helper.raises("reshape: size 1 is -2; sizes are whole numbers from 0", function() a:reshape(-2) end)
            helper.raises("reshape: size 2 is 1.5; sizes are whole numbers from 0", function() a:reshape(4, 1.5) end)
            helper.refused("reshape: the shape has 9 sizes; an array has at most 8 axes", a, 1, 1, 1, 1, 1, 1, 1, 1, 6)
            helper.refused("reshape: the product of the sizes overflows", a, 1 << 40, 1 << 40, -1)
        end)
    end)

    describe("t and contiguous on " .. title, function()
        it("reverse the axes, and copy where it must be", function()
            local a = counting(2, 3)
            helper.check_array(a:t(), "i32", { 3, 2 }, { 1, 4, 2, 5, 3, 6 })
            helper.check_array(counting(2, 1, 3):t(), "i32", { 3, 1, 2 }, { 1, 4, 2, 5, 3, 6 })
            assert.equal(a, a:contiguous())
            local c = a:t():contiguous()
            a:fill(0)
            helper.check_array(c, "i32", { 3, 2 }, { 1, 4, 2, 5, 3, 6 })
        end)
    end)

    describe("views that share no element on " .. title, function()
        -- Bodies of four numbers, 1 2 3 4 each; more than a search by trial would go through.
        local function bodies()
            return dev:arange(4, "f32"):broadcast { 150000, 4 }:contiguous()
        end
        local function check(expected, z)
            helper.check_array(z:sum { axis = 1 }, "f32", { 4 }, expected, 0)
        end
        local n = 150000.0

        it("are inputs and outputs of one call, however many elements they have", function()
            local z = bodies()
            z:col(1):add(z:col(2), { out = z:col(3) })
            check({ n, 2 * n, 3 * n, 4 * n }, z)
            z:col(1):add_(z:col(2))
            check({ 3 * n, 2 * n, 3 * n, 4 * n }, z)
            z:col(2):write(z:col(4))
            z:col(3):copy { out = z:col(4) }
            check({ 3 * n, 4 * n, 3 * n, 3 * n }, z)
            dev:map("2 * x", { x = z:col(1) }, { out = z:col(2) })
            check({ 3 * n, 6 * n, 3 * n, 3 * n }, z)
            lun.fuse(function(x) return x + 1, x + 2 end)(z:col(1), { out = { z:col(2), z:col(3) } })
            check({ 3 * n, 4 * n, 5 * n, 3 * n }, z)
        end)

        it("are every other column, and rows from behind", function()
            local u = dev:ones { 300, 2048 }
            u:slice(nil, { 1, -1, 2 }):add_(u:slice(nil, { 2, -1, 2 }))
            assert.equal(300 * 1024 * 3.0, u:sum())
            u:slice({ -1, 2, -2 }):copy { out = u:slice { 1, -1, 2 } }
            assert.equal(300 * 1024 * 3.0, u:sum())
        end)

        it("are told from those that share one", function()
            local z = bodies()
            helper.raises("add: out overlaps an input; give it memory of its own", function()
                local out = z:slice({ 150000, 50001, -1 }, 1)
                z:slice({ 1, 100000 }, 1):add(z:slice({ 50001, 150000 }, 2), { out = out })
            end)
            local m = dev:zeros { 400, 400 }
            m:diag():add_(m:slice({ 2, -1 }, { 1, 399 }):diag():pad { { 0, 1 } })
            m:slice({ 1, 200 }, { 201, 400 }):col(7):write(m:diag():slice { 1, 200 })
            helper.refused("add: out overlaps an input; give it memory of its own", m:diag(), 1, { out = m:row(400) })
        end)
    end)
end)
