-- Rows that are chosen: masks over the first axes, positions of what is not 0 in one array, delete, insert, repeats;
-- beside plain Lua, in which an array is a list of rows.

local helper = require "spec.helper"
local numbers = require "spec.numbers"

-- Rows as one list.
local function flat(rows)
    local list = {}
    for _, row in ipairs(rows) do
        table.move(row, 1, #row, #list + 1, list)
    end
    return list
end

helper.each_device(function(dev, title)
    local random = numbers.generator(32)
    local dtypes = helper.dtypes(dev)

    -- An array of that many rows of 3 x 2, as it is made or a view, and the rows.
    local function some_rows(count, dtype)
        local all, rows = numbers.some(6 * count, dtype, count + 1), {}
        for i = 1, count do
            rows[i] = table.move(all, 6 * i - 5, 6 * i, 1, {})
        end
        local a = helper.array(dev, all, { count, 3, 2 }, dtype)
        return random(1, 2) == 1 and count > 0 and a:flip():contiguous():flip() or a, rows
    end

    describe("rows on " .. title, function()
        it("are those where a mask over the first axes is true", function()
            for trial = 1, #dtypes do
                local dtype, count = dtypes[trial], random(0, 7)
                local a, rows = some_rows(count, dtype)
                local marks, chosen, put = {}, {}, {}
                for i = 1, count do
                    marks[i] = random(0, 1)
                    chosen[#chosen + 1] = marks[i] == 1 and rows[i] or nil
                    put[i] = marks[i] == 1 and rows[1] or rows[i]
                end
                local mask = helper.array(dev, marks, { count }, "bool")
                helper.check_array(a:mask(mask), dtype, { #chosen, 3, 2 }, flat(chosen))
                if count > 0 then
                    a:mask_put(mask, a:row(1):copy())
                    helper.check_array(a, dtype, { count, 3, 2 }, flat(put))
                end
            end
            local a = dev:arange(12, "i32"):reshape(2, 3, 2)
            local mask = dev:array({ { 1, 0, 0 }, { 0, 1, 1 } }, "u8")
            local out = dev:zeros({ 3, 2 }, "i32")
            assert.equal(out, a:mask(mask, { out = out }))
            helper.check_array(out, "i32", { 3, 2 }, { 1, 2, 9, 10, 11, 12 })
            helper.check_array(a:mask(mask, { async = true }):get(), "i32", { 3, 2 }, { 1, 2, 9, 10, 11, 12 })
            a:mask_put(mask, dev:array { -1.5, -2.5 })
            helper.check_array(a, "i32", { 2, 3, 2 }, { -1, -2, 3, 4, 5, 6, 7, 8, -1, -2, -1, -2 })
            a:mask_put(dev:array({ 0, 1 }, "bool"), 0)
            helper.check_array(a, "i32", { 2, 3, 2 }, { -1, -2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 0 })
        end)

        it("are told by positions along all axes", function()
            local m = dev:array { { 0, 5 }, { 6, 7 } }
            helper.check_array(m:nonzero { axes = true }, "i64", { 3, 2 }, { 1, 2, 2, 1, 2, 2 })
            helper.check_array(m:gt(9):nonzero { axes = true }, "i64", { 0, 2 }, {})
        end)

        it("are deleted, inserted and repeated", function()
            for trial = 1, #dtypes do
                local dtype, count = dtypes[trial], random(1, 6)
                local a, rows = some_rows(count, dtype)
                local gone, left, times, many = {}, {}, {}, {}
                for i = 1, random(0, 3) do
                    gone[i] = random(1, count)
                end
                for i, row in ipairs(rows) do
                    local stays = true
                    for _, g in ipairs(gone) do
                        stays = stays and g ~= i
                    end
                    left[#left + 1] = stays and row or nil
                    times[i] = random(0, 3)
                    for _ = 1, times[i] do
                        many[#many + 1] = row
                    end
                end
                local index = helper.array(dev, gone, { #gone }, "i64")
                helper.check_array(a:delete(index, 1), dtype, { #left, 3, 2 }, flat(left))
                helper.check_array(a:repeats(times, 1), dtype, { #many, 3, 2 }, flat(many))
                local counts = dev:array(times, "i16")
                helper.check_array(a:repeats(counts, { axis = -3 }), dtype, { #many, 3, 2 }, flat(many))
                local at, first = random(1, count + 1), { table.unpack(rows) }
                table.insert(first, at, rows[1])
                helper.check_array(a:insert(at, a:row(1), 1), dtype, { count + 1, 3, 2 }, flat(first))
                local both = { rows[1], table.unpack(rows) }
                both[#both + 1] = rows[count] -- in front of the end, and so behind all
                helper.check_array(a:insert(dev:array({ count + 1, 1 }, "i32"), a:take({ count, 1 }, 1), 1), dtype,
                    { count + 2, 3, 2 }, flat(both))
            end
        end)
    end)

    describe("elements on " .. title, function()
        local v = dev:array({ 10, 20, 30 }, "i32")
        local a = dev:array({ { 1, 2 }, { 3, 4 } }, "i32")

        it("are repeated evenly, and where no axis is named in a row", function()
            helper.check_array(v:repeats(2), "i32", { 6 }, { 10, 10, 20, 20, 30, 30 })
            helper.check_array(a:t():repeats(2), "i32", { 8 }, { 1, 1, 3, 3, 2, 2, 4, 4 })
            helper.check_array(a:repeats(2, 2), "i32", { 2, 4 }, { 1, 1, 2, 2, 3, 3, 4, 4 })
            helper.check_array(a:repeats(2, 1), "i32", { 4, 2 }, { 1, 2, 1, 2, 3, 4, 3, 4 })
            helper.check_array(a:repeats(0, 1), "i32", { 0, 2 }, {})
            helper.check_array(dev:full({}, 7, "i8"):repeats(3), "i8", { 3 }, { 7, 7, 7 })
            helper.check_array(v:repeats { 0, 2, 1 }, "i32", { 3 }, { 20, 20, 30 })
            helper.check_array(v:repeats { 2 }, "i32", { 6 }, { 10, 10, 20, 20, 30, 30 }) -- one count for all
            helper.check_array(a:repeats(dev:array({ 2 }, "u8"), 1), "i32", { 4, 2 }, { 1, 2, 1, 2, 3, 4, 3, 4 })
            helper.check_array(a:repeats(dev:full({}, 2, "i64"), 2), "i32", { 2, 4 }, { 1, 1, 2, 2, 3, 3, 4, 4 })
            helper.check_array(dev:zeros({ 0, 2 }, "i8"):repeats({ 3 }, 1), "i8", { 0, 2 }, {})
        end)

        it("are inserted in the order in which they come, cast, and deleted", function()
            helper.check_array(v:insert(2, 7), "i32", { 4 }, { 10, 7, 20, 30 })
            helper.check_array(v:insert(-1, 7), "i32", { 4 }, { 10, 20, 7, 30 })
            helper.check_array(v:insert(4, dev:array { 1.5, 2.5 }), "i32", { 5 }, { 10, 20, 30, 1, 2 })
            helper.check_array(v:insert({ 3, 1, 3 }, dev:array { 1, 2, 3 }), "i32", { 6 }, { 2, 10, 20, 1, 3, 30 })
            helper.check_array(a:insert(2, dev:array { 8, 9 }, 2), "i32", { 2, 3 }, { 1, 8, 2, 3, 9, 4 })
            helper.check_array(a:insert({ 1, 2 }, dev:array { { 8 }, { 9 } }, 2), "i32", { 2, 4 },
                { 8, 1, 8, 2, 9, 3, 9, 4 })
            helper.check_array(a:delete(2), "i32", { 3 }, { 1, 3, 4 })
            helper.check_array(a:delete({ 1, -1, 1 }), "i32", { 2 }, { 2, 3 })
            helper.check_array(a:t():delete(-1, 2), "i32", { 2, 1 }, { 1, 2 })
        end)

        it("are refused where they do not fit", function()
            local ok, problem = pcall(function() return v:insert({ 5 }, 1):totable() end)
            assert.is_false(ok)
            assert.matches("insert: index 5 at position 1 is out of range 1..4", tostring(problem), 1, true)
            helper.raises("delete: put: index 4 at position 1 is out of range 1..3", function()
                v:delete(dev:array({ 4 }, "i32")):totable()
            end)
            helper.refused("insert: the index array has 2 axes; at most one is "
                .. "possible", v, dev:ones({ 1, 1 }, "i32"), 1)
            helper.refused("repeats: got 2 counts; 3 are needed, one for each repeated position, or one", v, { 1, 2 })
            helper.refused("repeats: count 2 is -1; a whole number from 0 is needed", v, { 1, -1, 2 })
            helper.refused("repeats: a count is -1; whole numbers from 0 are needed", v, dev:array({ 1, -1, 2 }, "i8"))
            helper.refused("repeats: the counts are f32 of shape 3; whole numbers are needed, with one axis",
                v, dev:ones { 3 })
            helper.raises("repeats: argument 1: a whole number from 0 is needed, got -1", function() v:repeats(-1) end)
            helper.raises("repeats: the result is too large", function() v:repeats(math.maxinteger) end)
            helper.raises("repeats: the array has 8 axes; at most one less can be repeated by a number; give an "
                .. "array of counts",
                function() dev:ones({ 1, 1, 1, 1, 1, 1, 1, 1 }):repeats(2, 1) end)
            helper.raises("repeats: axis 2 is out of range", function() v:repeats({ 1, 1, 1 }, 2) end)
            helper.refused("mask: the mask is f32; bool is needed, as comparisons give it, or u8", a, dev:ones { 2 })
            helper.refused("mask: option 'variant': a mask over the first axes has no variants",
                a, dev:ones({ 2 }, "bool"), { variant = "plain" })
            helper.refused("mask: the mask has shape 3; the array has 2x2", a, dev:ones({ 3 }, "bool"))
            helper.raises("mask_put: the values have shape 3; with a mask over the first axes a number is needed, "
                .. "or an array that "
                .. "broadcasts to 2", function() a:mask_put(dev:ones({ 2 }, "bool"), dev:ones { 3 }) end)
        end)
    end)
end)
