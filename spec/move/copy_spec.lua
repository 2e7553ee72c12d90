-- Copies between any two layouts of one shape, for every item size, by every variant, against plain Lua.

local helper = require "spec.helper"
local numbers = require "spec.numbers"
local reference = require "spec.reference"
local slicing = require "spec.slicing"

-- What is cut out of a 37 x 5 x 90 array: rows that begin anywhere, of any length, in any order, and single elements.
local CUTS = {
    {}, { {}, {}, { 2, 90 } }, { {}, {}, { 4, 87 } }, { {}, {}, { 1, 88 } }, { {}, { 2, 4 }, { 9, 72 } },
    { { 2, 37, 3 }, { 5, 1, -1 }, { 3, 19 } }, { {}, 3, { 2, 16 } }, { {}, {}, { 1, 90, 2 } },
    { { 37, 1, -1 }, {}, { 90, 1, -1 } },
    { 5, {}, {} }, { {}, {}, 7 }, { 9, 2, 11 }, { { 1, 37, 36 }, 1, { 5, 7 } },
}

helper.describe_each_variant("copy", "a copy", function(dev, variant)
    local function check(name, shape, cut)
        local all = numbers.some(reference.size(shape), name)
        local whole = helper.array(dev, all, shape, name)
        local view = whole:slice(table.unpack(cut, 1, 3))
        local flat, sizes = slicing.sliced(all, shape, cut)
        local what = ("%s %s"):format(name, table.concat(sizes, "x"))
        helper.can(function() helper.check_array(view:copy { variant = variant }, name, sizes, flat, 0, what) end)
        -- Into a view of the same strides, and of others, in memory whose rest stays as it is.
        for _, gap in ipairs { 0, 3 } do
            local frame = dev:full({ shape[1], shape[2], shape[3] + gap }, 77, name)
            local target = frame:slice(table.unpack(cut, 1, 3))
            if gap == 3 then
                target = frame:slice({}, {}, { 3, shape[3] + 2 }):slice(table.unpack(cut, 1, 3))
            end
            helper.can(function()
                view:copy { out = target, variant = variant }
                helper.check_array(target, name, sizes, flat, 0, what)
                target:fill(77)
                local untouched = dev:full({ frame:shape() }, 77, name)
                assert.is_true(untouched:tobytes() == frame:tobytes(), what .. ", around it")
            end)
        end
    end

    it("takes rows that begin anywhere and elements in any order", function()
        for _, name in ipairs { "u8", "i16", "f32", "i64" } do
            for _, cut in ipairs(CUTS) do
                check(name, { 37, 5, 90 }, cut)
            end
        end
    end)

    it("takes long rows that begin anywhere", function()
        for name, length in pairs { f32 = 2048, i16 = 4096, i64 = 2049, i32 = 383 } do
            for _, shape in ipairs { { 2, 3, length }, { 3, 2, length + 3 } } do
                check(name, shape, { {}, {}, { 2, shape[3] } })
                check(name, shape, { { 2, 1, -1 }, {}, { 1, shape[3] - 2 } })
            end
        end
    end)

    it("takes as many axes as there can be #oclgrind", function()
        local shape = { 2, 3, 2, 2, 3, 2, 2, 3 }
        local flat = numbers.some(reference.size(shape), "i16")
        local whole = helper.array(dev, flat, shape, "i16")
        local cut = { { 2, 1, -1 }, { 1, 3, 2 }, {}, {}, { 2, 3 }, {}, {}, { 1, 2 } }
        local expected, sizes = slicing.sliced(flat, shape, cut)
        local a = whole:slice(table.unpack(cut))
        helper.can(function()
            helper.check_array(a:copy { variant = variant }, "i16", sizes, expected)
        end)
    end)

    it("turns what is transposed", function()
        for _, shape in ipairs { { 40, 3 }, { 3, 40 }, { 33, 47 } } do
            local rows, columns, expected = shape[1], shape[2], {}
            for j = 1, columns do
                for i = 1, rows do
                    expected[#expected + 1] = (i - 1) * columns + j
                end
            end
            local a = dev:arange(rows * columns, "i32"):reshape(shape):t()
            helper.can(function()
                helper.check_array(a:copy { variant = variant }, "i32", { columns, rows }, expected)
            end)
        end
    end)
end)
