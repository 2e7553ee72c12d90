-- The element types: what each holds, how Lua's numbers become elements, and casts between all of them.

local helper = require "spec.helper"
local lun = require "lunarray"
local numbers = require "spec.numbers"

local NAN, INFINITY = 0 / 0, math.huge

-- Numbers at the edges of what a dtype holds, and of what the others do.
local function edges(dtype)
    if dtype.kind ~= "float" then
        local list = { dtype.low, dtype.low + 1, dtype.high - 1, dtype.high, 0, 1, 2, 100 }
        for _, bits in ipairs { 7, 8, 15, 16, 24, 31, 32, 53, 63 } do
            for add = -1, 1 do
                list[#list + 1] = numbers.wrap((1 << bits) + add, dtype.name)
                list[#list + 1] = numbers.wrap(-(1 << bits) + add, dtype.name)
            end
        end
        return list
    end
    local list = { 0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -2.5, 1.999, -1.999, NAN, INFINITY, -INFINITY,
        dtype.largest, -dtype.largest, dtype.tiny, -dtype.tiny }
    for _, bits in ipairs { 7, 8, 15, 16, 24, 31, 32, 53, 63, 64 } do
        for _, x in ipairs { 2.0 ^ bits - 1, 2.0 ^ bits, 2.0 ^ bits + 1, 2.0 ^ bits * (1 + dtype.eps),
            2.0 ^ bits * (1 - dtype.eps / 2) } do
            list[#list + 1], list[#list + 2] = x, -x
        end
    end
    -- What f16 and f32 round: halves of their units, and just beside them.
    for _, bits in ipairs { 11, 24 } do
        for _, x in ipairs { 1 + 2.0 ^ -bits, 1 + 3 * 2.0 ^ -bits, 1 + 2.0 ^ -bits + 2.0 ^ -40 } do
            list[#list + 1] = x
        end
    end
    for _, x in ipairs { 65503.9, 65519.9, 65520.0, 2 ^ -25, 3 * 2.0 ^ -26, 2.0 ^ -14, 6.1e-5 } do
        list[#list + 1] = x
    end
    for i, x in ipairs(list) do
        list[i] = numbers.round(x, dtype.name)
    end
    return list
end

local function is_integer(dtype)
    return dtype.kind ~= "float"
end

-- Each pair of dtypes is a program, which takes a third of a second to build: here are those where something happens
-- that happens in no other pair. Packed dtypes are loaded and stored as f32.
local function is_telling(from, to)
    if from.packed or to.packed then
        local other = from.packed and to or from
        return other.kind == "float" or other.name == "i8" or other.name == "i32" or other.name == "u64"
    elseif from.kind == "float" or to.kind == "float" then
        return true
    end
    return from.bits == 64 or from.bits == to.bits or (from.bits == 32 and to.bits == 8)
        or (from.bits == 8 and to.bits == 64)
end

-- "-128 to 127", "0 to 18446744073709551615"
local function range_text(dtype)
    return dtype.kind == "signed" and ("%d to %d"):format(dtype.low, dtype.high)
        or "0 to " .. (dtype.bits == 64 and "18446744073709551615" or dtype.high)
end

helper.each_device(function(dev, title)
    for _, name in ipairs(helper.dtypes(dev)) do
        local dtype = numbers.dtype[name]

        describe(name .. " on " .. title, function()
            it("has its size and name", function()
                local a = dev:zeros({ 3 }, name)
                assert.equal(name, a:dtype())
                assert.equal(3 * dtype.bytes, a:nbytes())
            end)

            it("holds its numbers exactly", function()
                local list = numbers.some(50, name)
                for _, x in ipairs(edges(dtype)) do
                    list[#list + 1] = x
                end
                helper.check_array(dev:array(list, name), name, { #list }, list)
            end)

            if is_integer(dtype) then
                it("takes floats that are integral", function()
                    helper.check_array(dev:array({ 3.0, -0.0 }, name), name, { 2 }, { 3, 0 })
                end)

                it("refuses what it cannot hold", function()
                    local wanted = (" has no representation in %s: an integer is needed"):format(name)
                    for shown, x in pairs { ["1.5"] = 1.5, nan = math.abs(NAN), inf = INFINITY } do
                        helper.refused("full: " .. shown .. wanted, dev, { 1 }, x, name)
                    end
                    helper.refused(("full: 1e+20 is out of range for %s"):format(name), dev, { 1 }, 1e20, name)
                    helper.refused(("full: -1e+20 is out of range for %s"):format(name), dev, { 1 }, -1e20, name)
                    if dtype.bits < 64 then
                        for _, x in ipairs { dtype.low - 1, dtype.high + 1, math.maxinteger } do
                            helper.refused(("full: %d is out of range for %s (%s)"):format(x, name, range_text(dtype)),
                                dev, { 1 }, x, name)
                        end
                    end
                end)
            else
                it("rounds to nearest, ties to even", function()
                    local list, rounded = edges(numbers.dtype.f64), {}
                    for i, x in ipairs(list) do
                        rounded[i] = numbers.round(x, name)
                    end
                    helper.check_array(dev:array(list, name), name, { #list }, rounded)
                end)

                it("takes integers", function()
                    helper.check_array(dev:array({ 3, -4 }, name), name, { 2 }, { 3.0, -4.0 })
                end)

                it("keeps the sign of zero", function()
                    local a = dev:array({ -0.0, 0.0 }, name)
                    assert.equal(-INFINITY, 1 / a:get(1))
                    assert.equal(INFINITY, 1 / a:get(2))
                end)
            end

            it("is cast to others", function()
                local list = edges(dtype)
                local a = dev:array(list, name)
                for _, to in ipairs(helper.dtypes(dev)) do
                    if is_telling(dtype, numbers.dtype[to]) then
                        local expected = {}
                        for i, x in ipairs(list) do
                            expected[i] = numbers.cast(x, name, to)
                        end
                        helper.check_array(a:cast(to), to, { #list }, expected, 0, ("%s to %s"):format(name, to))
                    end
                end
            end)
        end)
    end

    describe("a cast on " .. title, function()
        it("saturates, cuts toward zero, and makes NaN 0 #oclgrind", function()
            local a = dev:array { 300, -300, 1.9, -1.9, NAN, INFINITY }
            helper.check_array(a:cast("i8"), "i8", { 6 }, { 127, -128, 1, -1, 0, 127 })
            helper.check_array(a:cast("u8"), "u8", { 6 }, { 255, 0, 1, 0, 0, 255 })
            helper.check_array(dev:array({ -1, 70000 }, "i32"):cast("f16"), "f16", { 2 }, { -1.0, INFINITY })
        end)

        it("goes over the edges of what one work-item does", function()
            for _, n in ipairs { 16383, 16385, 50001 } do
                assert.equal(n * (n + 1) // 2, dev:arange(n):cast("i32"):cast("i64"):sum())
            end
        end)
    end)

    describe("Lua integers on " .. title, function()
        local function refused(method, x, dtype, text, f)
            helper.raises(("%s%d has no representation in %s: %s"):format(method, x, dtype, text), f)
        end

        it("are held exactly by floats, or refused: those with more digits than the significand", function()
            local wide = dev:info().fp64 and 53 or nil
            for dtype, digits in pairs { f16 = 11, bf16 = 8, f32 = 24, c64 = 24, f64 = wide } do
                for _, sign in ipairs { 1, -1 } do
                    local most = sign * (1 << digits)
                    local held = { most, most - sign, 3 * most }
                    local a = dev:array(held, dtype)
                    for i, x in ipairs(held) do
                        local got = a:get(i)
                        assert.is_true((dtype == "c64" and got.re or got) == x, dtype)
                        refused("array: element 2: ", most + sign, dtype,
                            dtype == "f64" and "i64 holds it" or "i64 and ",
                            function() dev:array({ x, most + sign }, dtype) end)
                    end
                    local near = dev:array({ most + sign + 0.0 }, dtype) -- a float is rounded
                    assert.is_true(near:equal(dev:array({ most }, dtype)))
                end
            end
            refused("array: element 1: ", 65536, "f16", "i64 and f64 hold it, and 65536.0 is rounded",
                function() dev:array({ 1 << 16 }, "f16") end)
            refused("array: element 1: ", math.maxinteger, "f32", "i64 holds it, and 9223372036854775807.0 is rounded",
                function() dev:array { math.maxinteger } end)
            assert.equal(-2.0 ^ 63, dev:array({ math.mininteger }):get(1))
        end)

        it("become elements by other ways so, too, and are rounded in arithmetic", function()
            local x, a = (1 << 24) + 1, dev:ones { 4 }
            for method, f in pairs {
                full = function() dev:full({ 2 }, x) end, fill = function() a:fill(x) end,
                full_like = function() a:full_like(x) end, set = function() a:set(x, 1) end,
                ["write: element 4"] = function() a:write { 1, 2, 3, x } end, put = function() a:put({ 1 }, x) end,
                mask_put = function() a:mask_put(a:gt(0), x) end, add_at = function() a:add_at({ 1 }, x) end,
                insert = function() a:insert(1, x) end, pad = function() a:pad({ { 1, 1 } }, { value = x }) end,
                fuse = function() lun.fuse(function(v) return v:pad({ { 1, 1 } }, { value = x }) end)(a) end,
                sparse = function() lun.sparse { rows = { 1 }, cols = { 1 }, values = x, shape = { 1, 1 } } end,
                array = function() dev:array(x) end,
                ["h[i] ="] = function()
                    local h <close> = a:host "rw"
                    h[1] = x
                end,
            } do
                refused(method .. ": ", x, "f32", "i64 and f64 hold it", f)
            end
            local program = dev:program "kernel void set(global float *a, float x) { a[0] = x; }"
            refused("run: parameter 2 of set (float x): ", x, "f32", "i64",
                function() program.set:run({ global = 1 }, a, x) end)
            assert.same({ 1.0, 1.0, 1.0, 1.0 }, a:totable())
            local near = 2.0 ^ 24
            assert.same({ near, near, near, 1 }, { (a + x):get(1), (a * x):get(1),
                dev:map("a * k", { a = a, k = x }):get(1), (a:searchsorted(1)) })
            assert.equal(near, dev:linspace(0, x, 2):get(2))
            assert.is_true((a * near):eq(x):all()) -- compared as the array has it
        end)
    end)

    describe("u64 on " .. title, function()
        it("crosses both ways as the same 64 bits", function()
            local a = dev:array({ -1, math.mininteger, math.maxinteger }, "u64")
            assert.same({ -1, math.mininteger, math.maxinteger }, a:totable())
            assert.equal(math.mininteger, dev:full({ 1 }, 2.0 ^ 63, "u64"):get(1))
            assert.equal(-2048, dev:full({ 1 }, 2.0 ^ 64 - 2048, "u64"):get(1))
        end)

        it("is compared without a sign", function()
            local a = dev:array({ -1, 5, math.mininteger }, "u64")
            assert.equal(-1, a:max())
            assert.equal(5, a:min())
        end)
    end)

    describe("bf16 on " .. title, function()
        it("rounds to nearest even, once, from every dtype", function()
            local tie, above = 1 + 2 ^ -8, 1 + 2 ^ -8 + 2 ^ -40 -- in the middle between two numbers, and just above it
            assert.same({ 1.0, 1 + 2 ^ -7, 1 + 2 ^ -6 }, dev:array({ tie, above, tie + 2 ^ -7 }, "bf16"):totable())
            if dev:info().fp64 then
                local wide = dev:array({ tie, above, tie + 2 ^ -7 }, "f64")
                assert.same({ 1.0, 1 + 2 ^ -7, 1 + 2 ^ -6 }, wide:cast("bf16"):totable())
            end
            local integers = { (1 << 40) + (1 << 32), (1 << 40) + (1 << 32) + 1, (1 << 40) - 1,
                (1 << 62) + (1 << 54) + 1 }
            local rounded = { 2.0 ^ 40, 2.0 ^ 40 + 2.0 ^ 33, 2.0 ^ 40, 2.0 ^ 62 + 2.0 ^ 55 } -- the last is no double
            assert.same(rounded, dev:array(integers, "i64"):cast("bf16"):totable())
            assert.same(rounded, dev:array(integers, "u64"):cast("bf16"):totable())
        end)

        it("keeps NaN, infinities and the sign of zero", function()
            local list = dev:array({ 0 / 0, INFINITY, -INFINITY, 1e39, -0.0 }):cast("bf16"):cast("f32"):totable()
            assert.is_true(list[1] ~= list[1])
            assert.same({ INFINITY, -INFINITY, INFINITY }, { list[2], list[3], list[4] })
            assert.equal(-INFINITY, 1 / list[5])
            -- A NaN whose upper half alone would be an infinity.
            local bits = dev:array(string.pack("<I4", 0x7f800001), "f32", { 1 }):cast("bf16"):get(1)
            assert.is_true(bits ~= bits)
        end)

        it("is u16 to a kernel of the user's", function()
            local program = dev:program("typedef ushort mine; "
                .. "kernel void keep(global mine *out, global const ushort *in) "
                .. "{ out[get_global_id(0)] = in[get_global_id(0)]; }")
            local out, bits = dev:zeros({ 2 }, "bf16"), dev:zeros({ 2 }, "u16")
            program:kernel("keep"):run({ global = 2 }, out, dev:array({ 1.5, -3 }, "bf16"))
            assert.same({ 1.5, -3.0 }, out:totable())
            program:kernel("keep"):run({ global = 2 }, bits, out)
            assert.same({ 0x3fc0, 0xc040 }, bits:totable())
        end)
    end)

    describe("a dtype on " .. title, function()
        local known = "; known are bool i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64 c64 c128"

        it("that is none is refused with the list of those that are", function()
            local a = dev:zeros { 1 }
            helper.refused("zeros: unknown dtype 'f128'" .. known, dev, { 1 }, "f128")
            helper.refused("array: unknown dtype ''" .. known, dev, { 1 }, { dtype = "" })
            helper.refused("cast: unknown dtype 'complex64', which is c64 here" .. known, a, "complex64")
        end)

        it("by the name of another library or language is refused with its name here", function()
            for name, own in pairs {
                int8 = "i8", uint8 = "u8", int16 = "i16", uint16 = "u16", int32 = "i32", uint32 = "u32", int64 = "i64",
                uint64 = "u64", float16 = "f16", bfloat16 = "bf16", float32 = "f32", float64 = "f64", int32_t = "i32",
                uint8_t = "u8", char = "i8", uchar = "u8", short = "i16", ushort = "u16", int = "i32", uint = "u32",
                long = "i64", ulong = "u64", half = "f16", float = "f32", double = "f64", single = "f32",
                logical = "bool",
                boolean = "bool", complex128 = "c128", complex = "c128", cfloat = "c64", c8 = "c64", byte = "u8",
                integer = "i64", bfloat = "bf16", f4 = "f32", f8 = "f64", i4 = "i32",
                F32 = "f32", Float64 = "f64", DoUbLe = "f64",
            } do
                helper.refused(("zeros: unknown dtype '%s', which is %s here%s"):format(name, own, known),
                    dev, { 1, dtype = name })
            end
            for _, name in ipairs { "f", "b2", "0", "02", "float3", "float325", "a_long_name_of_32_or_more_letters" } do
                helper.refused(("zeros: unknown dtype '%s'%s"):format(name, known), dev, { 1 }, name)
            end
        end)

        if not dev:info().fp64 then
            it("f64 is refused where the device has none", function()
                helper.refused("zeros: f64 is not possible on this device", dev, { 1 }, "f64")
            end)
        end
    end)
end)

describe("lun.dtypes", function()
    it("says of each dtype what the specs' own table says", function()
        local dtypes = lun.dtypes()
        assert.equal(#numbers.dtypes + 3, #dtypes)
        for i, known in ipairs(numbers.dtypes) do
            local d = dtypes[i + 1]
            assert.same({ known.name, known.bytes, numbers.summed(known.name), known.packed and "f32" or known.name },
                { d.name, d.bytes, d.summed, d.computed })
            assert.same({ known.kind ~= "float", known.kind ~= "unsigned", known.kind == "float", true, known.name },
                { d.whole, d.signed, d.nans, d.ordered, d.part })
            assert.same({ false, false }, { d.truths, d.pairs })
        end
        local limits = {}
        for _, d in ipairs(dtypes) do
            assert.equal(d, dtypes[d.name])
            limits[d.name] = { d.min, d.max, d.eps, d.smallest }
        end
        local f64 = { -0x1.fffffffffffffp1023, 0x1.fffffffffffffp1023, 2.0 ^ -52, 2.0 ^ -1022 }
        local f32 = { -0x1.fffffep127, 0x1.fffffep127, 2.0 ^ -23, 2.0 ^ -126 }
        assert.same({
            bool = { 0, 1 }, i8 = { -128, 127 }, u8 = { 0, 255 }, i16 = { -32768, 32767 }, u16 = { 0, 65535 },
            i32 = { -2147483648, 2147483647 }, u32 = { 0, 4294967295 }, i64 = { math.mininteger, math.maxinteger },
            u64 = { 0, -1 }, f16 = { -65504.0, 65504.0, 2.0 ^ -10, 2.0 ^ -14 },
            bf16 = { -0x1.fep127, 0x1.fep127, 2.0 ^ -7, 2.0 ^ -126 }, f32 = f32, f64 = f64, c64 = f32, c128 = f64,
        }, limits)
        local rows = {}
        for _, i in ipairs { 1, #dtypes - 1, #dtypes } do
            local d = dtypes[i]
            table.insert(rows, { d.name, d.bytes, d.part, d.computed, d.summed, d.ordered, d.truths, d.pairs, d.file })
        end
        assert.same({
            { "bool", 1, "bool", "i64", "i64", true, true, false, "bool" },
            { "c64", 8, "f32", "c64", "c64", false, false, true, "complex64" },
            { "c128", 16, "f64", "c128", "c128", false, false, true, "complex128" },
        }, rows)
    end)
end)

describe("lun.promoted", function()
    it("gives the dtype that arithmetic of two arrays gives", function()
        local dev = lun.device()
        for _, a in ipairs(numbers.dtypes) do
            for _, b in ipairs(numbers.dtypes) do
                assert.equal(lun.promoted(a.name, b.name), lun.promoted(b.name, a.name))
            end
        end
        for _, pair in ipairs { { "i8", "u8" }, { "u64", "i8" }, { "f16", "bf16" }, { "i64", "f16" } } do
            local a, b = dev:ones({ 1 }, pair[1]), dev:ones({ 1 }, pair[2])
            assert.equal((a + b):dtype(), lun.promoted(pair[1], pair[2]))
        end
        assert.same({ "c64", "c64", "c128", "c128", "c128", "i64" }, {
            lun.promoted("i8", lun.i), lun.promoted("c64", 1.5), lun.promoted("c64", "f64"), lun.promoted("f64", lun.i),
            lun.promoted("c64", "c128"), lun.promoted("bool", 1),
        })
        assert.same({ "i8", "f32", "f16", "f32" },
            { lun.promoted("i8", 1), lun.promoted("i8", 1.5), lun.promoted("f16", 1.5), lun.promoted("u64", 1.5) })
    end)

    it("is told what it takes", function()
        helper.refused("promoted: argument 1: the name of a dtype is needed, got nothing", lun)
        helper.refused("promoted: argument 2: the name of a dtype, or a number, is needed, got a table", lun, "i8", {})
        helper.refused("promoted: unknown dtype 'int', which is i32 here", lun, "int", "i8")
        helper.refused("dtypes: argument 1: no argument is needed, got a number", lun, 1)
    end)
end)
