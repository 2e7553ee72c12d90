-- Lua's data in arrays and back: nested tables, strings of bytes, other arrays; and all that does not fit.

local helper = require "spec.helper"
local numbers = require "spec.numbers"
local reference = require "spec.reference"

-- string.pack's letter for each dtype that it has one for.
local LETTERS = {
    i8 = "i1", u8 = "I1", i16 = "i2", u16 = "I2", i32 = "i4", u32 = "I4", i64 = "i8", f32 = "f", f64 = "d",
}

helper.each_device(function(dev, title)
    describe("a table on " .. title, function()
        it("becomes an array of its shape, and the array a table like it", function()
            for _, shape in ipairs {
                { 0 }, { 1 }, { 5 }, { 1, 1 }, { 2, 3 }, { 3, 0 }, { 2, 1, 3 }, { 1, 2, 1, 2, 1, 2, 1, 2 },
            } do
                local flat = numbers.some(reference.size(shape), "f32")
                local nested = reference.nest(flat, shape)
                local a = dev:array(nested)
                helper.check_array(a, "f32", shape, flat)
                assert.same(nested, a:totable())
            end
        end)

        it("of one number more or less is not changed by its dtype", function()
            for _, name in ipairs(helper.dtypes(dev)) do
                local flat = numbers.some(7, name)
                assert.same(flat, dev:array(flat, name):totable())
            end
        end)

        it("of integers is cast, and multiplies, rounded once to f32", function()
            local n, rounded = (1 << 54) + (1 << 30) + 1, 0x1p54 + 0x1p31 -- 2^54 + 2^30 as a double: a tie
            assert.equal(rounded, dev:array({ n }, "i64"):cast("f32"):get(1))
            local one = dev:ones { 1 }
            assert.equal(rounded, one:matmul(one, { alpha = n }))
        end)

        it("may have a shape of its own", function()
            local a = dev:array({ 1, 2, 3, 4, 5, 6 }, "i32", { 2, 3 })
            helper.check_array(a, "i32", { 2, 3 }, { 1, 2, 3, 4, 5, 6 })
            a = dev:array({ { 1, 2, 3 }, { 4, 5, 6 } }, { shape = { 3, 2 } })
            helper.check_array(a, "f32", { 3, 2 }, { 1.0, 2.0, 3.0, 4.0, 5.0, 6.0 })
            helper.check_array(dev:array({ 5 }, nil, {}), "f32", {}, { 5.0 })
        end)

        it("that is ragged is refused with the place", function()
            helper.refused("array: row 2 has 1 element where 2 are needed", dev, { { 1, 2 }, { 3 } })
            helper.refused("array: row 2 has 3 elements where 2 are needed", dev, { { 1, 2 }, { 3, 4, 5 } })
            helper.refused("array: list (1, 2) has 2 elements where 1 is needed", dev, { { { 1 }, { 2, 3 } } })
            helper.refused("array: row 2 has 1 element where 0 are needed", dev, { {}, { 1 } })
        end)

        it("that mixes lists and numbers, or holds something else, is refused with the place", function()
            helper.refused("array: row 2 is a number where a list of 1 is needed", dev, { { 1 }, 2 })
            helper.refused("array: element 2 is a table where a number is needed", dev, { 1, { 2 } })
            helper.refused("array: element (2, 1) is a string where a number is needed", dev, { { 1 }, { "2" } })
            helper.refused("array: element 2 is a function where a number is needed", dev, { 1, print })
            helper.refused("array: element 1 is an array where a number is needed", dev, { dev:zeros { 2 } })
            helper.refused("array: element 2 is nil where a number is needed",
                dev, setmetatable({ 1 }, { __len = function() return 2 end }))
        end)

        it("with a number that its dtype cannot hold is refused with the place", function()
            helper.refused("array: element (1, 2): 256 is out of range for u8 (0 to 255)", dev, { { 1, 256 } }, "u8")
            helper.refused("array: element 3: 0.5 has no representation in i64: an integer is needed",
                dev, { 1, 2, 0.5 }, "i64")
            helper.refused("array: element 1: nan has no representation in i32: an integer is needed",
                dev, { math.abs(0 / 0) }, "i32")
        end)

        it("nested too deep is refused", function()
            local deep = 1
            for _ = 1, 9 do
                deep = { deep }
            end
            helper.refused("array: the table is nested deeper than 8 lists", dev, deep)
            local itself = {}
            itself[1] = itself
            helper.refused("zeros: the table is nested deeper than 8 lists", dev, itself)
            helper.refused("sum: the table is nested deeper than 8 lists", dev:ones({ 2 }), { axis = itself })
            local endless = {}
            endless[1] = endless
            helper.refused("array: the table is nested deeper than 8 lists", dev, endless)
        end)

        it("whose shape does not fit is refused", function()
            helper.refused("array: the shape 2x2 has 4 elements, the data 3", dev, { 1, 2, 3 }, "f32", { 2, 2 })
            helper.refused("array: the shape is given twice", dev, { 1, 2 }, "f32", { 2 }, { shape = { 2 } })
        end)

        it("is read as Lua code would read it", function()
            local lazy = setmetatable({}, {
                __len = function() return 3 end,
                __index = function(_, i) return 10 * i end,
            })
            helper.check_array(dev:array(lazy), "f32", { 3 }, { 10.0, 20.0, 30.0 })
            local failing = setmetatable({}, {
                __len = function() return 2 end,
                __index = function() error("mine") end,
            })
            assert.error_matches(function() dev:array(failing) end, "mine")
        end)

        it("is the only thing, with strings, numbers and arrays, that an array is made of", function()
            local wanted = "array: argument 1: a table, a string of bytes, a number or an array is needed, got "
            helper.refused(wanted .. "nil", dev, nil)
            helper.refused(wanted .. "a function", dev, print)
            helper.refused(wanted .. "nothing", dev)
        end)
    end)

    describe("a string on " .. title, function()
        it("is the bytes of the elements, and tobytes gives them back", function()
            for _, name in ipairs(helper.dtypes(dev)) do
                local flat = numbers.some(6, name)
                local bytes = dev:array(flat, name):tobytes()
                assert.equal(6 * numbers.dtype[name].bytes, #bytes)
                if LETTERS[name] then
                    assert.equal(string.pack("<" .. LETTERS[name]:rep(6), table.unpack(flat)), bytes, name)
                end
                helper.check_array(dev:array(bytes, name), name, { 6 }, flat)
                helper.check_array(dev:array(bytes, name, { 3, 2 }), name, { 3, 2 }, flat)
            end
            helper.check_array(dev:array("", "i32"), "i32", { 0 }, {})
            assert.equal("", dev:zeros({ 0 }):tobytes())
        end)

        it("holds halves as IEEE 754 says", function()
            local a = dev:array({ 1, -2, 65504, 2 ^ -24, math.huge }, "f16")
            assert.equal("\0\x3c\0\xc0\xff\x7b\1\0\0\x7c", a:tobytes())
        end)

        it("of the wrong length is refused", function()
            helper.refused("array: the string has 7 bytes, not a multiple of the 4 of f32", dev, "1234567")
            helper.refused("array: the string has 8 bytes where 12 are needed (3 i32)", dev, "12345678", "i32", { 3 })
            local a = dev:zeros({ 2, 2 }, "i16")
            helper.refused("write: the string has 7 bytes where 8 are needed (2x2 i16)", a, "1234567")
        end)
    end)

    describe("another array on " .. title, function()
        it("is copied, converted where a dtype is given", function()
            local a = dev:array({ { 1, 2 }, { 3, 4 } }, "i32")
            local b = dev:array(a)
            a:fill(0)
            helper.check_array(b, "i32", { 2, 2 }, { 1, 2, 3, 4 })
            helper.check_array(dev:array(b:t(), "f32"), "f32", { 2, 2 }, { 1.0, 3.0, 2.0, 4.0 })
            helper.check_array(dev:array(b, "f32", { 4 }), "f32", { 4 }, { 1.0, 2.0, 3.0, 4.0 })
            helper.refused("array: the shape 5 has 5 elements, the data 4", dev, b, "f32", { 5 })
        end)
    end)

    describe("write on " .. title, function()
        it("takes a nested or a flat table, bytes, or an array, and gives itself #oclgrind", function()
            local a = dev:zeros({ 2, 2 }, "i32")
            assert.equal(a, a:write { { 1, 2 }, { 3, 4 } })
            helper.check_array(a, "i32", { 2, 2 }, { 1, 2, 3, 4 })
            a:write { 5, 6, 7, 8 }
            helper.check_array(a, "i32", { 2, 2 }, { 5, 6, 7, 8 })
            a:write(string.pack("<i4i4i4i4", 9, 8, 7, 6))
            helper.check_array(a, "i32", { 2, 2 }, { 9, 8, 7, 6 })
            a:write(dev:array({ { 1.7, -1.7 }, { 0, 1e10 } }))
            helper.check_array(a, "i32", { 2, 2 }, { 1, -1, 0, 2147483647 })
        end)

        it("goes through views #oclgrind", function()
            local a = dev:zeros({ 2, 3 }, "i32")
            a:t():write { { 1, 2 }, { 3, 4 }, { 5, 6 } }
            helper.check_array(a, "i32", { 2, 3 }, { 1, 3, 5, 2, 4, 6 })
            a:slice(nil, { 3, 1, -1 }):write { { 10, 20, 30 }, { 40, 50, 60 } }
            helper.check_array(a, "i32", { 2, 3 }, { 30, 20, 10, 60, 50, 40 })
        end)

        it("broadcasts an array into views, but none that shares their elements", function()
            local a = dev:zeros({ 2, 3 }, "i32")
            assert.equal(a, a:write(dev:array({ { 7 }, { 8 } })))
            a:slice(nil, { 2, 3 }):write(dev:array({ 1, 2 }, "i8"))
            helper.check_array(a, "i32", { 2, 3 }, { 7, 1, 2, 8, 1, 2 })
            helper.refused("write: the array that is written shares elements with its source", a, a:row(1))
            helper.refused("fill: argument 1: one number (write takes an array) is needed, got an array", a, a)
        end)

        it("refuses what does not fit, and leaves the array as it was", function()
            local a = dev:array({ { 1, 2 }, { 3, 4 } }, "i32")
            helper.refused("write: the list has 3 elements where 2 are needed", a, { { 1, 2 }, { 3, 4 }, { 5, 6 } })
            helper.refused("write: the list has 1 element where 2 are needed", a, { { 1 } })
            helper.refused("write: the list has 3 elements where 2 are needed", a, { 1, 2, 3 })
            helper.refused("write: row 2 has 1 element where 2 are needed", a, { { 1, 2 }, { 3 } })
            helper.refused("write: shape 3 does not broadcast to 2x2", a, dev:zeros({ 3 }, "i32"))
            helper.refused("write: element (2, 2): 0.5 has no representation in i32: an integer is needed",
                a, { { 1, 2 }, { 3, 0.5 } })
            helper.refused("write: argument 1: a table, a string of bytes or an array is needed, got a number; "
                .. "fill writes one number everywhere", a, 3)
            helper.refused("write: argument 1: a table, a string of bytes or an array is needed, got nil", a, nil)
            helper.check_array(a, "i32", { 2, 2 }, { 1, 2, 3, 4 })
        end)

        it("refuses the array's own elements in another place", function()
            local a = dev:array({ { 1, 2 }, { 3, 4 } })
            helper.refused("write: the array that is written shares elements with its source; copy the source first",
                a, a:t())
            a:write(a)
            helper.check_array(a, "f32", { 2, 2 }, { 1.0, 2.0, 3.0, 4.0 })
        end)

        it("moves more than one work-item does", function()
            for _, n in ipairs { 16384, 16385, 40000 } do
                local flat = numbers.small(n, "i32", n)
                local a = dev:zeros({ 2, n }, "i32")
                a:row(2):write(flat)
                a:slice(1, { n, 1, -1 }):write(flat)
                helper.check_list(flat, a:row(2):totable())
                local backwards = a:row(1):totable()
                for i = 1, n // 2 do
                    backwards[i], backwards[n + 1 - i] = backwards[n + 1 - i], backwards[i]
                end
                helper.check_list(flat, backwards)
            end
        end)
    end)
end)
