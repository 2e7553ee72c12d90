-- Reductions that take values in their order, by what neighbours contribute, against plain Lua.

local lun = require "lunarray"
local helper = require "spec.helper"
local numbers = require "spec.numbers"

local it = helper.one_in(2, it)

local NAN = 0 / 0

local function sign(x) return x > 0 and 1 or x < 0 and -1 or 0 end

-- How many neighbours of the list's elements at from, from + step ... have opposite signs.
local function changes(list, from, to, step)
    local found = 0
    for i = from + step, to, step do
        found = found + (sign(list[i]) * sign(list[i - step]) < 0 and 1 or 0)
    end
    return found
end

-- Long runs of one sign, and short ones; zeros between them.
local function material(size, seed)
    local random, list, now = numbers.generator(seed), {}, 1
    for i = 1, size do
        now = random(0, i // 16 % 2 == 0 and 1 or 20) == 0 and -now or now
        list[i] = now * (random(0, 9) == 0 and 0 or random(1, 100))
    end
    return list
end

helper.each_device(function(dev, title) describe("sign_changes on " .. title, function()
    local variants = helper.variants(dev, "map") -- the names are the same

    -- Calls body(variant) for those that can do it.
    local function each_variant(body)
        for _, variant in ipairs(variants) do
            helper.can(body, variant)
        end
        body(nil)
    end

    it("counts them in rows of all lengths, alone and side by side", function()
        for _, size in ipairs { 0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 127, 128, 129, 255, 257, 511, 1025, 4097, 40001 } do
            local list = material(2 * size, size)
            local array = dev:array(list, "f32", { 2, size })
            local wanted = { changes(list, 1, size, 1), changes(list, size + 1, 2 * size, 1) }
            each_variant(function(variant)
                assert.equal(wanted[2], array:row(2):sign_changes { variant = variant }, size)
                assert.same(wanted, array:sign_changes({ axis = 2, variant = variant }):totable())
                assert.equal(changes(list, 1, #list, 1), array:sign_changes { variant = variant }, size)
            end)
        end
    end)

    it("keeps the order along each axis, over lists of axes and in views", function()
        for _, shape in ipairs { { 5, 70, 37 }, { 3, 4, 300 }, { 2, 1100, 3 }, { 33, 1, 65 } } do
            local n, columns = shape[1] * shape[2] * shape[3], shape[3]
            local plane, list = shape[2] * columns, material(n, shape[2])
            local array = dev:array(list, "i32", shape)
            local back = array:slice({ -1, 1, -1 }, { -1, 1, -1 }, { -1, 1, -1 })
            each_variant(function(variant)
                local function along(a, axis) return helper.flat(a:sign_changes { axis = axis, variant = variant }) end
                local first, middle, last = along(array, 1), along(array, 2), along(array, -1)
                for i = 1, plane do
                    assert.equal(changes(list, i, n, plane), first[i])
                end
                for i = 1, shape[1] do
                    for k = 1, columns do
                        local from, to = (i - 1) * plane + k, i * plane
                        assert.equal(changes(list, from, to, columns), middle[(i - 1) * columns + k])
                    end
                end
                for i = 1, n // columns do
                    assert.equal(changes(list, (i - 1) * columns + 1, i * columns, 1), last[i])
                end
                for i, found in ipairs(along(array, { 2, 3 })) do
                    assert.equal(changes(list, (i - 1) * plane + 1, i * plane, 1), found)
                end
                for i, found in ipairs(along(array, { 1, 2 })) do
                    assert.equal(changes(list, i, n, columns), found)
                end
                assert.equal(changes(list, 1, n, 1), array:sign_changes { variant = variant })
                assert.equal(changes(list, 1, n, 1), back:sign_changes { variant = variant })
                assert.same(first, along(array:transpose { 2, 3, 1 }, 3))
                assert.same(middle, along(array:transpose { 2, 1, 3 }, 1))
                assert.same(last, along(array:transpose { 3, 1, 2 }, 1))
                local turned = back:sign_changes { axis = 1, variant = variant }
                helper.check_list(first, helper.flat(turned:slice({ -1, 1, -1 }, { -1, 1, -1 })))
            end)
        end
    end)

    it("takes every dtype; 0 and NaN have no sign", function()
        local list = { 1, -1, 2, 0, -3, 4, -5, -6, 7 }
        for _, dtype in ipairs(helper.dtypes(dev)) do
            if dtype:find "^[ibf]" and dtype ~= "bool" then
                local found = dev:array(list, dtype):sign_changes { axis = 1, keepdims = true }
                helper.check_array(found, "i64", { 1 }, { 5 })
            end
        end
        assert.equal(0, dev:array({ 1, 255, 0, 128 }, "u8"):sign_changes())
        assert.equal(2, dev:array({ 1, NAN, -1, 1, 0, -1, NAN, -1, math.huge, -0.0, -1 }):sign_changes())
        helper.raises("sign_changes: ", function() dev:array({ 1, -1 }, "c64"):sign_changes() end)
    end)

    it("counts them in each segment", function()
        local random, starts, size = numbers.generator(5), { 3 }, 9000
        while starts[#starts] < size - 700 do
            starts[#starts + 1] = starts[#starts] + (#starts == 9 and 4000 or random(0, 40) // 3 * 2)
        end
        for _, columns in ipairs { 1, 3, 20 } do
            local list = material(size * columns, columns)
            local rows = dev:array(list, "f32", { size, columns })
            for _, variant in ipairs { "columns", "gpu", "plain" } do
                helper.can(function()
                    local found = rows:sign_changes { segments = starts, axis = 1, variant = variant }
                    local turned = rows:transpose():copy():sign_changes { segments = starts, variant = variant }
                    assert.same(helper.flat(found), helper.flat(turned:transpose()))
                    for i = 1, #starts - 1 do
                        for k = 1, columns do
                            local from, to = (starts[i] - 1) * columns + k, (starts[i + 1] - 1) * columns
                            assert.equal(changes(list, from, to, columns), found:get(i, k), variant)
                        end
                    end
                end)
            end
        end
    end)

    it("is an op of expressions, of lists and of fused functions", function()
        local list = material(5000, 2)
        local x, y = dev:array(list), dev:array(list):neg()
        local found = changes(list, 1, #list, 1)
        for _, variant in ipairs(variants) do
            helper.can(function()
                local given = { variant = variant }
                assert.equal(found, dev:reduce("sign_changes", "x - y", { x = x, y = y }, given))
                local both = { dev:reduce("sign_changes", { "x", "y * y" }, { x = x, y = y }, given) }
                assert.same({ found, 0 }, both)
                local mixed = { dev:reduce({ "sign_changes", "max", "var", "argmax" }, "x", { x = x }, given) }
                assert.same({ found, x:max(), x:argmax() }, { mixed[1], mixed[2], mixed[4] })
                helper.check_number(x:var(), mixed[3], 1e-5 * x:var())
            end)
        end
        assert.same({ x:min(), found, x:nnz() }, { x:reduce { "min", "sign_changes", "nnz" } })
        local rows = x:reshape(50, 100)
        local shown = lun.fuse(function(a) return a + (a * 2):sign_changes { axis = 2, keepdims = true } end)(rows)
        assert.same((rows + rows:sign_changes { axis = 2, keepdims = true }):totable(), shown:totable())
    end)
end) end)
