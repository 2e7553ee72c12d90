-- Transposes: any permutation of any number of axes, for every item size, by every variant, against plain Lua.

local helper = require "spec.helper"
local numbers = require "spec.numbers"
local reference = require "spec.reference"

local it = helper.one_in(2, it)

-- Tiles and vectors end at powers of two: sizes at, below and above them.
local EDGES = { 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 130 }

-- All permutations of 1..n.
local function permutations(n)
    if n == 0 then
        return { {} }
    end
    local list = {}
    for _, shorter in ipairs(permutations(n - 1)) do
        for place = 1, n do
            local permutation = table.move(shorter, 1, n - 1, 1, {})
            table.insert(permutation, place, n)
            list[#list + 1] = permutation
        end
    end
    return list
end

helper.each_variant("transpose", function(dev, variant, title)
    -- Transposes by that variant and compares; nothing where the variant cannot.
    local function check(array, flat, shape, name, perm)
        local got
        local function transpose() got = array:transpose(perm, { variant = variant }) end
        if helper.can(transpose) then
            local expected, turned = reference.transpose(flat, shape, perm)
            local what = ("%s %s by %s"):format(name, table.concat(shape, "x"), table.concat(perm or {}, ","))
            helper.check_array(got, name, turned, expected, 0, what)
        end
    end

    describe("transpose on " .. title, function()
        it("turns matrices of every size around the edges", function()
            for i, rows in ipairs(EDGES) do
                for j, columns in ipairs(EDGES) do
                    if (i + j) % 3 == 0 or rows == columns or i == #EDGES then
                        local shape = { rows, columns }
                        local a = dev:arange(rows * columns, "i32"):reshape(rows, columns)
                        check(a, helper.flat(a), shape, "i32")
                    end
                end
            end
        end)

        it("turns items of every size #oclgrind", function()
            for _, name in ipairs(helper.dtypes(dev)) do
                for _, shape in ipairs { { 1, 1 }, { 1, 9 }, { 17, 9 }, { 16, 33 } } do
                    local flat = numbers.some(reference.size(shape), name)
                    check(helper.array(dev, flat, shape, name), flat, shape, name)
                end
            end
        end)

        it("turns items of every size at every edge", function()
            for _, name in ipairs { "i8", "i16", "i64" } do
                for _, shape in ipairs {
                    { 31, 33 }, { 63, 65 }, { 64, 64 }, { 65, 130 }, { 129, 257 }, { 3, 300 }, { 300, 3 }, { 520, 70 },
                    -- whole tiles: lines of both sides aligned, of the result's only, of the array's only, of none
                    { 512, 288 }, { 544, 259 }, { 545, 288 }, { 545, 259 },
                } do
                    local flat = numbers.some(reference.size(shape), name)
                    check(helper.array(dev, flat, shape, name), flat, shape, name)
                end
            end
        end)

        it("turns parts of matrices, whose lines all begin at one place of a vector", function()
            for _, name in ipairs { "i8", "i16", "i32", "i64" } do
                local flat = numbers.some(260 * 280, name)
                local whole = helper.array(dev, flat, { 260, 280 }, name)
                for _, from in ipairs { 2, 9 } do
                    local part = whole:slice({ from, 258 }, { from, 278 })
                    local rows, columns = part:shape()
                    check(part, helper.flat(part), { rows, columns }, name)
                    local back = whole:slice({ 258, from, -1 }, { from, 278 })
                    local out = dev:full({ 290, 270 }, 7, name)
                    local place = out:slice({ 4, 3 + columns }, { from, from + rows - 1 })
                    helper.can(function()
                        assert.equal(place, back:transpose { out = place, variant = variant })
                        local expected, turned = reference.transpose(helper.flat(back), { rows, columns })
                        helper.check_array(place, name, turned, expected)
                        place:fill(7)
                        -- nothing else was written
                        assert.equal(dev:full({ 290, 270 }, 7, name):tobytes(), out:tobytes())
                    end)
                end
            end
        end)

        it("turns a batch into short lines without gaps, wherever they begin", function()
            for _, name in ipairs { "i8", "i16", "i32", "i64" } do
                for _, shape in ipairs { { 5, 23, 75 }, { 2, 9, 65 }, { 1, 19, 400 } } do
                    local size = reference.size(shape)
                    local flat = numbers.some(size, name)
                    local expected, turned = reference.transpose(flat, shape, { 1, 3, 2 })
                    for from = 1, 3, 2 do
                        local held, frame = dev:full({ size + 7 }, 7, name), dev:full({ size + 7 }, 7, name)
                        local a = held:slice({ from, from + size - 1 }):reshape(shape)
                        local place = frame:slice({ 5 - from, 4 - from + size }):reshape(turned)
                        a:write(helper.array(dev, flat, shape, name))
                        helper.can(function()
                            a:transpose { 1, 3, 2, out = place, variant = variant }
                            helper.check_array(place, name, turned, expected)
                            place:fill(7)
                            assert.equal(dev:full({ size + 7 }, 7, name):tobytes(), frame:tobytes())
                        end)
                    end
                end
            end
        end)

        it("permutes any number of axes in any way #oclgrind", function()
            for _, shape in ipairs { {}, { 5 }, { 3, 4 }, { 2, 3, 5 }, { 3, 1, 4, 2 }, { 2, 3, 2, 2, 3 } } do
                local flat = numbers.some(reference.size(shape), "f32")
                local a = helper.array(dev, flat, shape, "f32")
                for _, perm in ipairs(permutations(#shape)) do
                    check(a, flat, shape, "f32", perm)
                end
                check(a, flat, shape, "f32")
            end
            local shape = { 2, 1, 3, 1, 2, 2, 1, 3 }
            local flat = numbers.some(72, "i8")
            check(helper.array(dev, flat, shape, "i8"), flat, shape, "i8", { 8, 3, 5, 1, 2, 4, 7, 6 })
        end)

        it("permutes axes longer than a tile", function()
            for _, shape in ipairs { { 33, 17, 65 }, { 5, 64, 33 }, { 70, 3, 34 } } do
                local a = dev:arange(reference.size(shape), "i32"):reshape(shape)
                local flat = helper.flat(a)
                for _, perm in ipairs(permutations(3)) do
                    check(a, flat, shape, "i32", perm)
                end
            end
        end)

        it("turns large matrices", function()
            for k, shape in ipairs {
                { 513, 259 }, { 3, 40001 }, { 40001, 3 }, { 1, 70000 }, { 513, 259 }, { 1100, 513 },
            } do
                local rows, columns = shape[1], shape[2]
                local a = dev:arange(rows * columns, k <= 4 and "i64" or "i32"):reshape(rows, columns)
                helper.can(function()
                    local turned = a:transpose { variant = variant }
                    assert.same({ columns, rows }, { turned:shape() })
                    local random = numbers.generator(rows)
                    for _ = 1, 50 do
                        local i, j = random(1, rows), random(1, columns)
                        assert.equal((i - 1) * columns + j, turned:get(j, i))
                    end
                    assert.equal(a:tobytes(), turned:t():tobytes())
                end)
            end
        end)

        it("turns matrices of small items that no cache holds", function()
            for _, case in ipairs { { "u8", 1601, 2100 }, { "u8", 4096, 700 }, { "u16", 1088, 1301 } } do
                local name, rows, columns = table.unpack(case)
                local pattern = {}
                for i = 1, 251 do
                    pattern[i] = string.char(i * i % 256)
                end
                local bytes = rows * columns * (name == "u8" and 1 or 2)
                local data = table.concat(pattern):rep(bytes // 251 + 1):sub(1, bytes)
                local a = dev:array(data, name, { rows, columns })
                helper.can(function()
                    local turned = a:transpose { variant = variant }
                    local random = numbers.generator(rows)
                    for _ = 1, 50 do
                        local i, j = random(1, rows), random(1, columns)
                        assert.equal(a:get(i, j), turned:get(j, i))
                    end
                    assert.is_true(data == turned:t():tobytes())
                end)
            end
        end)

        it("takes views, and writes to them #oclgrind", function()
            local flat = numbers.some(40 * 50, "f32")
            local a = helper.array(dev, flat, { 40, 50 }, "f32")
            for _, view in ipairs {
                a:t(), a:slice({ 40, 1, -1 }, { 2, 49 }), a:slice({ 3, 37, 2 }, { 50, 1, -3 }),
                a:slice({ 5, 20 }, { 7, 9 }),
            } do
                local rows, columns = view:shape()
                check(view, helper.flat(view), { rows, columns }, "f32")
                local host = dev:full({ 2 * columns, 2 * rows + 1 }, -9)
                local out = host:slice({ 2 * columns, 1, -2 }, { 2, 2 * rows, 2 })
                helper.can(function()
                    assert.equal(out, view:transpose { out = out, variant = variant })
                    local expected, turned = reference.transpose(helper.flat(view), { rows, columns })
                    helper.check_array(out, "f32", turned, expected)
                    out:fill(-9)
                    assert.equal(-9.0 * host:size(), host:sum()) -- nothing else was written
                end)
            end
        end)

        it("in place is the same as to new memory #oclgrind", function()
            for _, name in ipairs { "i8", "i16", "f32", "i64" } do
                for _, shape in ipairs {
                    { 1, 1 }, { 2, 2 }, { 9, 9 }, { 33, 33 }, { 3, 8 }, { 17, 4 }, { 1, 7 }, { 7 }, {}, { 0, 3 },
                } do
                    local flat = numbers.some(reference.size(shape), name)
                    local a = helper.array(dev, flat, shape, name)
                    helper.can(function()
                        assert.equal(a, a:transpose_ { variant = variant })
                        local expected, turned = reference.transpose(flat, shape)
                        helper.check_array(a, name, turned, expected)
                    end)
                end
            end
        end)

        it("in place takes any permutation", function()
            for _, shape in ipairs { { 3, 4, 5 }, { 4, 4, 4 }, { 2, 3, 1, 4 } } do
                local flat = numbers.some(reference.size(shape), "i32")
                for _, perm in ipairs(permutations(#shape)) do
                    local a = helper.array(dev, flat, shape, "i32")
                    helper.can(function()
                        a:transpose_(perm, { variant = variant })
                        local expected, turned = reference.transpose(flat, shape, perm)
                        helper.check_array(a, "i32", turned, expected, 0, table.concat(perm, ","))
                    end)
                end
            end
        end)

        it("in place turns large matrices", function()
            for _, shape in ipairs { { 300, 300 }, { 257, 130 } } do
                local rows, columns = shape[1], shape[2]
                local a = dev:arange(rows * columns, "i32"):reshape(rows, columns)
                local before = a:t():tobytes()
                helper.can(function()
                    a:transpose_ { variant = variant }
                    assert.equal(before, a:tobytes())
                end)
            end
        end)
    end)
end)

helper.describe_each_device("transpose", function(dev)
    local a

    before_each(function() a = dev:arange(6, "i32"):reshape(1, 2, 3) end)

    it("takes the permutation as a list, with options beside it or after it, or as nothing", function()
        local expected = { 1, 4, 2, 5, 3, 6 }
        helper.check_array(a:transpose(), "i32", { 3, 2, 1 }, expected)
        helper.check_array(a:transpose {}, "i32", { 3, 2, 1 }, expected)
        helper.check_array(a:transpose { 3, 1, 2 }, "i32", { 3, 1, 2 }, expected)
        helper.check_array(a:transpose({ 3, 1, 2 }, { variant = "plain" }), "i32", { 3, 1, 2 }, expected)
        helper.check_array(a:transpose { -1, 1, 2, variant = "plain" }, "i32", { 3, 1, 2 }, expected)
        helper.check_array(a:transpose(nil, { variant = "plain" }), "i32", { 3, 2, 1 }, expected)
    end)

    it("gives new memory, whatever the permutation", function()
        local b = a:transpose { 1, 2, 3 }
        a:fill(0)
        helper.check_array(b, "i32", { 1, 2, 3 }, { 1, 2, 3, 4, 5, 6 })
    end)

    it("in place changes the array's shape, and what other views of its memory see", function()
        local matrix = dev:arange(6, "i32"):reshape(2, 3)
        local view = matrix:reshape(6)
        assert.equal(matrix, matrix:transpose_())
        helper.check_array(matrix, "i32", { 3, 2 }, { 1, 4, 2, 5, 3, 6 })
        helper.check_array(view, "i32", { 6 }, { 1, 4, 2, 5, 3, 6 })
        assert.equal(a, a:transpose_ { 3, 1, 2 })
        helper.check_array(a, "i32", { 3, 1, 2 }, { 1, 4, 2, 5, 3, 6 })
    end)
end)
