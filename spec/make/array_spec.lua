-- Arrays: making them, what they say of themselves, single elements, their text.

local lun = require "lunarray"
local helper = require "spec.helper"
local numbers = require "spec.numbers"

-- Runs of 16 bytes begin and end inside, at and beside an array's first and last element.
local EDGES = { 1, 2, 3, 15, 16, 17, 31, 33, 255, 257, 4095, 4097 }

helper.describe_each_variant("fill", "fill", function(dev, variant)
    it("writes its own elements and no others", function()
        for _, name in ipairs { "u8", "i16", "f32", "i64" } do
            for _, n in ipairs(EDGES) do
                for from = 1, 5, 2 do
                    local a = dev:zeros({ n + 8 }, name)
                    local part = a:slice({ from, from + n - 1 })
                    if helper.can(function() assert.equal(part, part:fill(3, { variant = variant })) end) then
                        assert.equal(3 * n, a:cast("i64"):sum(), name)
                        assert.equal(3 * n, part:cast("i64"):sum(), name)
                    end
                end
            end
        end
    end)

    it("writes what is larger than the caches", function()
        local bytes = math.min(4 * dev:info().cache, 256 << 20) + 13
        local a = dev:ones({ bytes }, "u8")
        if helper.can(function() a:fill(3, { variant = variant }) end) then
            assert.equal(3 * bytes, a:sum())
        end
    end)

    it("writes a pattern of every size in order", function()
        for _, name in ipairs { "u16", "u32", "i64" } do
            local value = 0x102
            local a = dev:zeros({ 41 }, name):slice({ 2, -2 })
            if helper.can(function() a:fill(value, { variant = variant }) end) then
                assert.equal(39 * value, a:cast("i64"):sum())
            end
        end
    end)
end)

helper.describe_each_variant("copy", "copy", function(dev, variant)
    it("moves any run of elements to any place", function()
        for _, name in ipairs { "u8", "u16", "f32" } do
            for _, n in ipairs(EDGES) do
                local a = dev:arange(n + 8):cast(name)
                for _, places in ipairs { { 1, 1 }, { 2, 2 }, { 5, 1 }, { 2, 7 } } do
                    local out = dev:zeros({ n + 8 }, name)
                    local from = a:slice({ places[1], places[1] + n - 1 })
                    local to = out:slice({ places[2], places[2] + n - 1 })
                    if helper.can(function() from:copy { out = to, variant = variant } end) then
                        assert.equal(from:tobytes(), to:tobytes())
                        assert.equal(from:cast("i64"):sum(), out:cast("i64"):sum())
                    end
                end
            end
        end
    end)
end)

helper.each_device(function(dev, title)
    describe("making an array on " .. title, function()
        it("takes a nested table, f32 unless told otherwise", function()
            local a = dev:array { { 1, 2, 3 }, { 4, 5, 6 } }
            helper.check_array(a, "f32", { 2, 3 }, { 1.0, 2.0, 3.0, 4.0, 5.0, 6.0 })
            helper.check_array(dev:array({ 1, 2, 3 }, "i16"), "i16", { 3 }, { 1, 2, 3 })
            helper.check_array(dev:array(dev:ones({ 2 }, "i16")), "i16", { 2 }, { 1, 1 })
        end)

        it("takes the dtype last, as an option, or beside the list #oclgrind", function()
            helper.check_array(dev:zeros({ 2, 3 }, "i32"), "i32", { 2, 3 }, { 0, 0, 0, 0, 0, 0 })
            helper.check_array(dev:zeros({ 2 }, { dtype = "u8" }), "u8", { 2 }, { 0, 0 })
            helper.check_array(dev:zeros { 2, dtype = "u8" }, "u8", { 2 }, { 0, 0 })
            helper.check_array(dev:array { { 1 }, { 2 }, dtype = "i64" }, "i64", { 2, 1 }, { 1, 2 })
            helper.check_array(dev:array({ 1, 2 }, { dtype = "i64" }), "i64", { 2 }, { 1, 2 })
        end)

        it("fills with zeros, ones or any number #oclgrind", function()
            helper.check_array(dev:zeros { 3 }, "f32", { 3 }, { 0.0, 0.0, 0.0 })
            helper.check_array(dev:ones { 1, 2 }, "f32", { 1, 2 }, { 1.0, 1.0 })
            helper.check_array(dev:full({ 9 }, 7, "i32"), "i32", { 9 }, { 7, 7, 7, 7, 7, 7, 7, 7, 7 })
            helper.check_array(dev:full({ 2, 2 }, -0.5), "f32", { 2, 2 }, { -0.5, -0.5, -0.5, -0.5 })
            helper.check_array(dev:full({ 2 }, 0 / 0), "f32", { 2 }, { 0 / 0, 0 / 0 })
        end)

        it("makes arrays without elements and arrays without axes", function()
            helper.check_array(dev:zeros { 0 }, "f32", { 0 }, {})
            helper.check_array(dev:ones { 3, 0, 2 }, "f32", { 3, 0, 2 }, {})
            helper.check_array(dev:array({}, "i8"), "i8", { 0 }, {})
            helper.check_array(dev:array { {}, {} }, "f32", { 2, 0 }, {})
            helper.check_array(dev:full({}, 4), "f32", {}, { 4.0 })
        end)

        it("has up to eight axes", function()
            local a = dev:ones { 1, 2, 1, 2, 1, 2, 1, 2 }
            assert.equal(8, a:ndim())
            assert.equal(16, a:size())
            helper.refused("zeros: the shape has 9 sizes; an array has at most 8 axes",
                dev, { 1, 1, 1, 1, 1, 1, 1, 1, 1 })
        end)

        it("counts, both ends included, in i64 where all are integers #oclgrind", function()
            helper.check_array(dev:arange(4), "i64", { 4 }, { 1, 2, 3, 4 })
            helper.check_array(dev:arange(3, 5), "i64", { 3 }, { 3, 4, 5 })
            helper.check_array(dev:arange(1, 8, 3), "i64", { 3 }, { 1, 4, 7 })
            helper.check_array(dev:arange(3, 1, -1), "i64", { 3 }, { 3, 2, 1 })
            helper.check_array(dev:arange(0), "i64", { 0 }, {})
            helper.check_array(dev:arange(5, 4), "i64", { 0 }, {})
            helper.check_array(dev:arange(0, 1, 0.25), "f32", { 5 }, { 0.0, 0.25, 0.5, 0.75, 1.0 })
            helper.check_array(dev:arange(1, 3, "f16"), "f16", { 3 }, { 1.0, 2.0, 3.0 })
            -- Between two halves, a little above the middle: by way of a float it would round down.
            local x = 1 + 2 ^ -11 + 2 ^ -30
            helper.check_array(dev:arange(x, x, 1, "f16"), "f16", { 1 }, { numbers.round(x, "f16") })
            assert.equal(1 + 2 ^ -10, numbers.round(x, "f16"))
            helper.check_array(dev:arange(3, { dtype = "u8" }), "u8", { 3 }, { 1, 2, 3 })
            helper.check_array(dev:arange(1.0, 3.0, 1.0, "i32"), "i32", { 3 }, { 1, 2, 3 })
        end)

        it("counts to the ends of 64 bits", function()
            helper.check_array(dev:arange(math.maxinteger - 1, math.maxinteger), "i64", { 2 },
                { math.maxinteger - 1, math.maxinteger })
            helper.check_array(dev:arange(math.mininteger, math.mininteger + 1), "i64", { 2 },
                { math.mininteger, math.mininteger + 1 })
            helper.check_array(dev:arange(math.mininteger, math.maxinteger, math.maxinteger), "i64", { 3 },
                { math.mininteger, -1, math.maxinteger - 1 })
        end)

        it("includes an end that rounding has moved a little", function()
            -- 0.1 * 3 is more than 0.3, and 0.3 / 0.1 less than 3.
            local a = dev:arange(0, 0.3, 0.1)
            assert.equal(4, a:size())
            local eps = numbers.dtype.f32.eps
            helper.check_list({ 0.0, 0.1, 0.2, 0.3 }, helper.flat(a), eps)
        end)

        it("divides a range evenly, and hits both ends", function()
            helper.check_array(dev:linspace(0, 1, 5), "f32", { 5 }, { 0.0, 0.25, 0.5, 0.75, 1.0 })
            helper.check_array(dev:linspace(3, -3, 2), "f32", { 2 }, { 3.0, -3.0 })
            helper.check_array(dev:linspace(7, 9, 1), "f32", { 1 }, { 7.0 })
            helper.check_array(dev:linspace(7, 9, 0), "f32", { 0 }, {})
            helper.check_array(dev:linspace(0, 1, 4, { endpoint = false }), "f32", { 4 }, { 0.0, 0.25, 0.5, 0.75 })
            helper.check_array(dev:linspace(2, 1, 1, { endpoint = false }), "f32", { 1 }, { 2.0 })
            helper.check_array(dev:linspace(7, 9, 0, { endpoint = false }), "f32", { 0 }, {})
            local a = dev:linspace(0, 0.1, 8)
            assert.equal(numbers.round(0.1, "f32"), a:get(8))
            if dev:info().fp64 then
                assert.not_equal(0.7, 0.1 + 37 * ((0.7 - 0.1) / 37))
                assert.equal(0.7, dev:linspace(0.1, 0.7, 38, "f64"):get(38))
            end
            for i = 1, 8 do
                helper.check_number((i - 1) * 0.1 / 7, a:get(i), numbers.dtype.f32.eps * 0.1)
            end
        end)

        it("divides the way between complex numbers, part by part", function()
            local Z = lun.complex
            local function check(list, a, dtype)
                assert.equal(dtype, a:dtype())
                assert.same(helper.flat(dev:array(list, dtype):as_real()), helper.flat(a:as_real()))
            end
            check({ Z(1, -2), Z(1.5, -1.5), Z(2, -1), Z(2.5, -0.5), Z(3, 0) }, dev:linspace(Z(1, -2), 3, 5), "c64")
            check({ 0, Z(0, 0.25), Z(0, 0.5) }, lun.linspace(0, Z(0, 0.75), 3, { endpoint = false }), "c64")
            check({ 2, 3 }, dev:linspace(2, 3, 2, "c64"), "c64")
            check({ lun.i }, dev:linspace(lun.i, 1, 1, { async = true }):get(), "c64")
            assert.equal(0, dev:linspace(lun.i, 1, 0):size())
            if dev:info().fp64 then
                local ends = dev:linspace(Z(0.1, -0.7), Z(0.3, -0.1), 38, "c128"):slice { 1, 38, 37 }
                check({ Z(0.1, -0.7), Z(0.3, -0.1) }, ends, "c128")
            end
            helper.refused("linspace: 0+1i has no representation in f32: a real number is needed",
                dev, lun.i, 1, 3, "f32")
            helper.refused("linspace: true has no representation in f32: a number is needed", dev, 0, true, 3)
            helper.refused("linspace: finite ends are needed, got 0+infi and 1", dev, Z(0, 1 / 0), 1, 3)
        end)

        it("divides a range of any width, but not one without an end", function()
            local wide = dev:info().fp64 and { "f64", -1e308, 1e308 } or { "f32", -3e38, 3e38 }
            local text, from, to = table.unpack(wide)
            assert.same({ from, 0.0, to }, dev:linspace(from, to, 3, text):totable())
            helper.raises("linspace: finite ends are needed, got 0 and inf", function() dev:linspace(0, 1 / 0, 3) end)
        end)

        it("makes the identity", function()
            helper.check_array(dev:eye(3), "f32", { 3, 3 }, { 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0 })
            helper.check_array(dev:eye(2, "u16"), "u16", { 2, 2 }, { 1, 0, 0, 1 })
            helper.check_array(dev:eye(0), "f32", { 0, 0 }, {})
            helper.check_array(dev:eye(2, 3), "f32", { 2, 3 }, { 1.0, 0.0, 0.0, 0.0, 1.0, 0.0 })
            helper.check_array(dev:eye(2, 3, 1, "i8"), "i8", { 2, 3 }, { 0, 1, 0, 0, 0, 1 })
            helper.check_array(dev:eye(3, 2, -1), "f32", { 3, 2 }, { 0.0, 0.0, 1.0, 0.0, 0.0, 1.0 })
            helper.check_array(dev:eye(2, 2, 2), "f32", { 2, 2 }, { 0.0, 0.0, 0.0, 0.0 })
            assert.same({ 3, 0 }, { dev:empty({ 3, 0 }, "u8"):shape() })
            assert.equal("u8", dev:empty(2, { dtype = "u8" }):dtype())
        end)

        it("fills arrays of any size and dtype, over the edges of what one work-item does", function()
            for _, name in ipairs(helper.dtypes(dev)) do
                helper.check_array(dev:full({ 5 }, 3, name):cast("i64"), "i64", { 5 }, { 3, 3, 3, 3, 3 }, 0, name)
            end
            for _, n in ipairs { 1, 2, 63, 64, 65, 16383, 16384, 16385, 70001 } do
                local a = dev:full({ n }, 1)
                assert.equal(n + 0.0, a:sum())
                a:slice({ 2, -1 }):fill(0)
                assert.equal(1.0, a:sum())
            end
        end)

        it("refuses what has no meaning", function()
            helper.raises("zeros: size 2 is -1; sizes are whole numbers from 0", function() dev:zeros { 2, -1 } end)
            helper.raises("ones: size 1 is 1.5; sizes are whole numbers from 0", function() dev:ones { 1.5 } end)
            helper.raises("zeros: size 1 is a string; sizes are whole numbers from 0", function() dev:zeros { "3" } end)
            helper.raises('zeros: argument 1: a whole number or a list of sizes is needed, got the string "3"',
                function() dev:zeros("3") end)
            helper.refused("zeros: argument 1: a whole number or a list of sizes is needed, got 1.5", dev, 1.5)
            helper.raises("full: argument 2: a number is needed, got a string", function() dev:full({ 2 }, "x") end)
            local wanted = 'a dtype (a string, as "f64") or a table of options is needed, got '
            for name, sizes in pairs { f64 = { 3, "f64" }, double = { 3, "double" } } do
                helper.raises(('zeros: size 2 is the string "%s"; a dtype has its name in a list: {3, dtype = "f64"}')
                    :format(name), function() dev:zeros(sizes) end)
            end
            helper.refused('full: size 1 is the string "i8"; a dtype has its name in a list: {dtype = "i8"}',
                dev, { "i8" }, 1)
            helper.refused("ones: size 2 is a string; sizes are whole numbers from 0", dev, { 3, "x" })
            helper.raises("eye: argument 2 is -1; sizes are whole numbers from 0", function() dev:eye(3, -1) end)
            helper.raises("eye: argument 3: a whole number is needed, got 0.5", function() dev:eye(3, 3, 0.5) end)
            helper.refused("zeros: argument 2: " .. wanted .. "a number", dev, { 2 }, 3)
            helper.refused('zeros: the dtype is given twice: "f32" and the option "f64"',
                dev, { 2 }, "f32", { dtype = "f64" })
            helper.refused("zeros: options belong in one table, not in arguments 1 and 2",
                dev, { 2, dtype = "f32" }, { async = true })
            helper.raises("arange: argument 1: a number is needed, got nothing", function() dev:arange() end)
            helper.raises("arange: the step is 0", function() dev:arange(1, 2, 0) end)
            helper.raises("arange: 256 is out of range for u8 (0 to 255)", function() dev:arange(1, 256, "u8") end)
            helper.raises("arange: -1 is out of range for u8 (0 to 255)", function() dev:arange(-1, 1, "u8") end)
            helper.refused("arange: 1.5 has no representation in i32: an integer is needed", dev, 1, 2, 0.5, "i32")
            helper.refused("arange: the range from 0.0 to inf by 1.0 has no finite number of "
                .. "elements", dev, 0, math.huge)
            helper.raises("arange: the range from 0.0 to 1.0 by", function() dev:arange(0, 1, 0 / 0) end)
            helper.refused("linspace: a float dtype is needed, got i32; cast rounds the result", dev, 0, 1, 3, "i32")
            helper.refused("linspace: argument 3 is -1; sizes are whole numbers from 0", dev, 0, 1, -1)
            helper.raises("eye: argument 1 is -1; sizes are whole numbers from 0", function() dev:eye(-1) end)
        end)

        it("refuses sizes whose product overflows", function()
            helper.raises("zeros: shape 4294967296x4294967296 is too large: its byte count does not fit in 63 bits",
                function() dev:zeros { 1 << 32, 1 << 32 } end)
            helper.raises("zeros: shape 2305843009213693952 is too large", function() dev:zeros({ 1 << 61 }, "i32") end)
            helper.refused("arange: the range has more elements than 64 bits can count",
                dev, math.mininteger, math.maxinteger)
            helper.raises("arange: shape 4611686018427387904 is too large", function() dev:arange(1 << 62) end)
            helper.raises("eye: shape 4294967296x4294967296 is too large", function() dev:eye(1 << 32) end)
        end)
    end)

    describe("an array on " .. title, function()
        it("knows its shape, dtype, sizes and device", function()
            local a = dev:zeros({ 4, 3, 2 }, "i16")
            assert.same({ 4, 3, 2 }, { a:shape() })
            assert.equal(4, #a)
            assert.equal("i16", a:dtype())
            assert.equal(3, a:ndim())
            assert.equal(24, a:size())
            assert.equal(48, a:nbytes())
            assert.equal(dev, a:device())
            assert.equal("array", lun.type(a))
        end)

        it("has no length without axes", function()
            local a = dev:full({}, 1)
            assert.equal(0, select("#", a:shape()))
            assert.equal(1, a:size())
            helper.raises("#a: the array has no axes, so it has no length", function() local _ = #a end)
        end)

        it("reads and writes single elements #oclgrind", function()
            local a = dev:array({ { 1, 2, 3 }, { 4, 5, 6 } }, "i32")
            assert.equal(6, a:get(2, 3))
            assert.equal(4, a:get(-1, 1))
            assert.equal(a, a:set(-7, 2, 3))
            assert.equal(-7, a:get(2, 3))
            assert.equal(5, a:get(2, 2))
            local scalar = dev:full({}, 2.5)
            assert.equal(2.5, scalar:get())
            scalar:set(3)
            assert.equal(3.0, scalar:get())
        end)

        it("refuses positions outside", function()
            local a = dev:zeros { 2, 3 }
            helper.raises("get: position 3 is out of range on axis 1, which has 2", function() a:get(3, 1) end)
            helper.raises("get: position 0 is out of range on axis 2, which has 3", function() a:get(1, 0) end)
            helper.raises("set: position -4 is out of range on axis 2, which has 3", function() a:set(1, 1, -4) end)
            helper.raises("get: 2 positions are needed for an array of shape 2x3, got 1", function() a:get(1) end)
            helper.refused("set: 2 positions are needed for an array of shape 2x3, got 3", a, 0, 1, 1, 1)
            helper.refused("get: argument 2: a position (a whole number) is needed, got 1.0000000000000002",
                a, 1, 1 + 2^-52)
            helper.refused("get: argument 2: a position (a whole number) is needed, got 1.5", a, 1, 1.5)
            helper.raises("set: argument 1: a number is needed, got a string", function() a:set("x", 1, 1) end)
        end)

        it("is copied to new memory", function()
            local a = dev:array { 1, 2 }
            local b = a:copy()
            a:fill(0)
            helper.check_array(b, "f32", { 2 }, { 1.0, 2.0 })
        end)

        it("is equal to itself alone", function()
            local a, b = dev:zeros { 2 }, dev:zeros { 2 }
            assert.is_true(a == a) -- luacheck: ignore
            assert.is_false(a == b)
            assert.is_false(a == a:reshape(2))
        end)

        it("is neither indexed nor assigned to, and says what to do", function()
            local a = dev:zeros { 2, 2 }
            helper.raises("a[i]: an array cannot be indexed: a:get(i, j) reads one element, a:row(i) views a row, "
                .. "a:host() maps all of them", function() local _ = a[1] end)
            helper.raises("a[i] =: an array cannot be assigned to: a:set(v, i, j) writes one element", function()
                a[1] = 2
            end)
        end)

        it("names the nearest method for one that there is not", function()
            local a = dev:zeros { 2 }
            helper.raises("reshap: an array has no such method; is reshape meant?", function() a:reshap() end)
            helper.raises("totabel: an array has no such method; is totable meant?", function() a:totabel() end)
            helper.refused("tarnspose_: an array has no such method; is transpose_ meant?", a)
        end)

        it("names none that is another word", function()
            local a = dev:zeros { 2 }
            for _, name in ipairs { "xylophone", "sec", "mat", "sope", "filled", "size_of" } do
                local problem = helper.raises(name .. ": an array has no such method", function() a[name](a) end)
                assert.matches("an array has no such method$", problem)
            end
        end)

        it("knows names that other libraries have", function()
            local a = dev:zeros { 2 }
            for name, own in pairs {
                astype = "cast", T = "t", stddev = "std", greater = "gt", scatter_add = "add_at",
            } do
                helper.refused(name .. ": an array has no such method; is " .. own .. " meant?", a)
                assert.is_function(a[own])
            end
            helper.raises("map: an array has no such method; lun.fuse(f) compiles a Lua function into one kernel, "
                .. "and dev:map(text, {x = a}) an expression", function() a:map(math.sin) end)
            for name, own in pairs { randn = "normal", rand = "random", range = "arange" } do
                helper.refused(name .. ": a device has no such method; is " .. own .. " meant?", dev, 2)
                helper.refused(name .. ": lunarray has no such function; is " .. own .. " meant?", lun, 2)
            end
        end)

        it("has no order and no concatenation, and says what there is", function()
            local a = dev:zeros { 2 }
            for operator, f in pairs {
                ["a < b or a > b"] = { function() return a < 2 end, function() return a > 2 end,
                    function() return math.max(a, 2) end },
                ["a <= b or a >= b"] = { function() return a <= a end, function() return a >= a end },
            } do
                for _, compare in ipairs(f) do
                    helper.raises(operator .. ": Lua would convert a comparison to one boolean; a:lt(b), le, gt, "
                        .. "ge, eq "
                        .. "and ne compare element by element, and a:maximum(b) and minimum choose", compare)
                end
            end
            helper.raises("a .. b: an array is not a string: tostring(a) gives one; lun.concat{a, b} joins "
                .. "arrays, and lun.stack{a, b} along a new axis", function() return "zeros: " .. a end)
        end)

        it("has no arithmetic with what is neither an array nor a number", function()
            local a = dev:zeros({ 2 }, "i32")
            for _, x in ipairs { {}, "two", true, print, dev } do
                local got = x == dev and "a device" or "a " .. type(x)
                for operator, f in pairs {
                    ["a + b"] = function() return a + x end, ["a - b"] = function() return x - a end,
                    ["a * b"] = function() return a * x end, ["a / b"] = function() return x / a end,
                    ["a % b"] = function() return a % x end, ["a ^ b"] = function() return x ^ a end,
                    ["a // b"] = function() return a // x end, ["a & b"] = function() return x & a end,
                    ["a | b"] = function() return a | x end, ["a ~ b"] = function() return x ~ a end,
                    ["a << b"] = function() return a << x end, ["a >> b"] = function() return x >> a end,
                } do
                    if x ~= true or not ("&|~"):find(operator:match "%p", 1, true) then -- true is a number in logic
                        helper.raises(("%s: arrays and numbers are needed on both sides, got %s"):format(operator, got),
                            f)
                    end
                end
            end
        end)

        it("refuses to be called with a dot", function()
            local a = dev:zeros { 2 }
            helper.raises("sum: self: an array is needed, got nothing; is it called with a colon?", function()
                a.sum()
            end)
            helper.raises("get: self: an array is needed, got a number; is it called with a colon?", function()
                a.get(1)
            end)
        end)

        it("hides its metatable", function()
            assert.equal("lunarray.array", getmetatable(dev:zeros { 1 }))
        end)
    end)

    describe("the text of an array on " .. title, function()
        it("has its shape, dtype and elements", function()
            assert.equal("array 3 f32 [  1, 2.5,  -3]", tostring(dev:array { 1, 2.5, -3 }))
            local a = dev:array({ { 1, 20 }, { -30, 4 } }, "i8")
            assert.equal("array 2x2 i8\n[[  1,  20],\n [-30,   4]]", tostring(a))
            assert.equal("array () f32 5", tostring(dev:full({}, 5)))
            assert.equal("array 1 f32 [0.333333]", tostring(dev:full({ 1 }, 1 / 3)))
            assert.equal("array 1 f16 [0.3333]", tostring(dev:full({ 1 }, 1 / 3, "f16")))
            assert.is_nil(tostring(dev:arange(1000)):find("...", 1, true))
            assert.equal("array 0x3 f32", tostring(dev:zeros { 0, 3 }))
            assert.equal("array 1 u64 [18446744073709551615]", tostring(dev:full({ 1 }, -1, "u64")))
        end)

        it("separates matrices by a line", function()
            assert.equal("array 2x1x2 i32\n[[[1, 2]],\n\n [[3, 4]]]", tostring(dev:array({ { { 1, 2 } }, { { 3, 4 } } },
                "i32")))
        end)

        it("shows the edges of a large one", function()
            assert.equal("array 2000 i64 [   1,    2,    3, ..., 1998, 1999, 2000]", tostring(dev:arange(2000)))
            local text = tostring(dev:arange(40000):reshape(200, 200))
            assert.matches("[[    1,     2,     3, ...,   198,   199,   200],", text, 1, true)
            assert.matches(",\n ...,\n [", text, 1, true)
            assert.matches("[39801, 39802, 39803, ..., 39998, 39999, 40000]]", text, 1, true)
        end)

        it("is that of the view", function()
            local a = dev:arange(6, "i32"):reshape(2, 3)
            assert.equal("array 3x2 i32\n[[1, 4],\n [2, 5],\n [3, 6]]", tostring(a:t()))
        end)
    end)
end)

describe("lun's own makers", function()
    it("use the default device", function()
        assert.equal(lun.device(), lun.zeros({ 2 }):device())
        helper.check_array(lun.array { 1, 2 }, "f32", { 2 }, { 1.0, 2.0 })
        helper.check_array(lun.full({ 2 }, 3, "u8"), "u8", { 2 }, { 3, 3 })
        helper.check_array(lun.arange(2), "i64", { 2 }, { 1, 2 })
        helper.check_array(lun.linspace(0, 1, 2), "f32", { 2 }, { 0.0, 1.0 })
        helper.check_array(lun.eye(1), "f32", { 1, 1 }, { 1.0 })
        helper.check_array(lun.ones { 1 }, "f32", { 1 }, { 1.0 })
        helper.raises("zeros: size 1 is -1; sizes are whole numbers from 0", function() lun.zeros { -1 } end)
    end)
end)

describe("lun.type", function()
    it("names lunarray's own objects, and gives nil for others", function()
        local a = lun.zeros { 1 }
        assert.equal("array", lun.type(a))
        assert.equal("device", lun.type(lun.device()))
        assert.equal("event", lun.type(a:fill(1, { async = true })))
        local mapping <close> = a:host()
        assert.equal("host", lun.type(mapping))
        assert.is_nil(lun.type(io.stdout))
        assert.is_nil(lun.type {})
        assert.is_nil(lun.type(nil))
    end)
end)

describe("the module", function()
    it("names the nearest function for one that there is not", function()
        helper.raises("zeroes: lunarray has no such function; is zeros meant?", function() lun.zeroes { 1 } end)
    end)
end)
