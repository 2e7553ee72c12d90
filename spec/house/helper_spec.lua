-- The helpers that judge others: each must find fault with what is wrong.

local lun = require "lunarray"
local helper = require "spec.helper"
local numbers = require "spec.numbers"
local reference = require "spec.reference"

local NAN, INFINITY = 0 / 0, math.huge

-- Passes when f fails with a message that contains the text.
local function fails(text, f, ...)
    local ok, problem = pcall(f, ...)
    assert.is_false(ok, "it found nothing wrong")
    assert.matches(text, tostring(problem), 1, true)
end

describe("check_number", function()
    it("takes what is near enough, and nothing else", function()
        helper.check_number(1.0, 1.25, 0.25)
        fails("expected 1", helper.check_number, 1.0, 1.26, 0.25)
        fails("expected 1", helper.check_number, 1.0, 1.0 + 2 ^ -52)
        fails("tolerance nan", helper.check_number, 1.0, 1.5, math.abs(NAN))
        fails("expected 1", helper.check_number, 1.0, nil, 9)
        fails("expected 1", helper.check_number, 1.0, "1.0", 9)
    end)

    it("tells integers from floats", function()
        helper.check_number(3, 3)
        fails("expected 3", helper.check_number, 3, 3.0)
        fails("expected 3.0", helper.check_number, 3.0, 3)
        fails("expected 3", helper.check_number, 3, 4)
    end)

    it("takes NaN for NaN only, and an infinity for itself only", function()
        helper.check_number(NAN, NAN)
        fails("expected", helper.check_number, NAN, 1.0, INFINITY)
        fails("expected", helper.check_number, 1.0, NAN, INFINITY)
        helper.check_number(INFINITY, INFINITY)
        fails("expected inf", helper.check_number, INFINITY, -INFINITY, INFINITY)
        fails("expected inf", helper.check_number, INFINITY, 1e300, INFINITY)
        fails("expected 1", helper.check_number, 1.0, INFINITY, 9)
    end)
end)

describe("check_list", function()
    it("looks at every element with its own tolerance, and at the length", function()
        helper.check_list({ 1.0, 2.0 }, { 1.0, 2.5 }, { 0, 0.5 })
        fails("at 2", helper.check_list, { 1.0, 2.0 }, { 1.0, 2.5 }, { 0.5, 0 })
        fails("at 2", helper.check_list, { 1.0, 2.0 }, { 1.0, 2.5 }, 0.25)
        fails("expected 2 elements, got 1", helper.check_list, { 1, 2 }, { 1 })
        fails("expected 1 elements, got 2", helper.check_list, { 1 }, { 1, 2 })
        fails("expected 0 elements", helper.check_list, {}, { 1 })
    end)
end)

describe("check_array", function()
    it("looks at dtype, shape and elements", function()
        local a = lun.array({ { 1, 2 }, { 3, 4 } }, "i32")
        helper.check_array(a, "i32", { 2, 2 }, { 1, 2, 3, 4 })
        fails("expected i64 2x2, got i32 2x2", helper.check_array, a, "i64", { 2, 2 }, { 1, 2, 3, 4 })
        fails("expected i32 4, got i32 2x2", helper.check_array, a, "i32", { 4 }, { 1, 2, 3, 4 })
        fails("at 4", helper.check_array, a, "i32", { 2, 2 }, { 1, 2, 3, 5 })
        fails("expected an array, got 3", helper.check_array, 3, "i32", {}, { 3 })
    end)
end)

describe("raises", function()
    local a = lun.zeros { 2 }

    it("wants an error, its text from the start, and its position", function()
        helper.raises("get: position 3 is out of range on axis 1", function() a:get(3) end)
        fails("no error was raised", helper.raises, "get", function() a:get(1) end)
        fails("starts with\nlunarray: out of range", helper.raises, "out of range", function() a:get(3) end)
        fails("expected the position to be in", helper.raises, "get", function() error("lunarray: get", 0) end)
        fails("expected the position to be in", helper.raises, "get", function() pcall(error) error({}) end)
        local function elsewhere()
            a:get(3)
        end
        fails("expected the position to be in", helper.raises, "get: position 3", function() elsewhere() end)
    end)
end)

describe("refused", function()
    it("wants an error of the call that the message names, of a method or of the module", function()
        local a = lun.zeros { 2 }
        assert.matches("position 3 is out of range", helper.refused("get: position 3 is out", a, 3))
        helper.refused("wait_all: argument 1: ", lun, 1)
        fails("no error was raised", helper.refused, "get: position 1", a, 1)
        fails("starts with\nlunarray: get: position 3", helper.refused, "get: position 3", a, 4)
    end)

    it("takes a row of a table, with a function in place of the call's parts, too", function()
        local a = lun.zeros { 2 }
        helper.refused_row({ "position 3 is out", a, 3 }, "get: ")
        helper.refused_row { "get: position 3 is out", function() a:get(3) end }
        fails("no error was raised", helper.refused_row, { "get: position 1", a, 1 })
        fails("no error was raised", helper.refused_row, { "get: position 1", function() a:get(1) end })
    end)
end)

describe("can", function()
    it("gives false for a variant that cannot, and passes other errors on", function()
        assert.is_true(helper.can(function() end))
        assert.is_false(helper.can(error, "variant 'x' cannot do this here; plain can"))
        fails("cannot do this here", helper.can, error, "variant 'plain' cannot do this here; x can")
        fails("another problem", helper.can, error, "another problem")
    end)
end)

describe("is_foreign", function()
    it("knows every device's variants by their rows", function()
        helper.each_device(function(dev)
            local kind = dev:info().type
            for _, operation in ipairs { "copy", "fill", "matmul", "nbody", "reduce", "transpose" } do
                for _, variant in ipairs(dev:variants(operation)) do
                    assert.is_boolean(helper.is_foreign(dev, variant))
                end
            end
            assert.equal(kind ~= "cpu", helper.is_foreign(dev, "cpu"))
            assert.equal(kind ~= "gpu", helper.is_foreign(dev, "gpu"))
            assert.equal(kind ~= "gpu", helper.is_foreign(dev, "staged_nvidia"))
            assert.is_false(helper.is_foreign(dev, "plain"))
            fails("no operation has the variant other", helper.is_foreign, dev, "other")
        end)
    end)
end)

describe("in_folder", function()
    it("knows the files that are left, and takes them away", function()
        local where
        local function write(folder)
            where = folder
            helper.write_file(folder .. "/.a", "")
            helper.write_file(folder .. "/b", "")
        end
        helper.in_folder(".a b", write)
        assert.is_nil(io.open(where))
        fails("expected the folder to hold 'b', not '.a b'", helper.in_folder, "b", write)
        fails("expected the folder to hold '.a b c', not '.a b'", helper.in_folder, ".a b c", write)
        fails("oh", helper.in_folder, "", function() error "oh" end)
        assert.is_nil(io.open(where))
    end)
end)

describe("child", function()
    it("gives the output of a process that ends well", function()
        assert.equal("7 yes\n", helper.child("print(3 + 4, os.getenv 'ANSWER')", { env = { ANSWER = "yes" } })
            :gsub("\t", " "), nil)
        fails("ended with status 3:\nlast words", helper.child, "print 'last words' os.exit(3)")
        fails("ended with status 1", helper.child, "error 'oh'")
    end)

    it("runs again where PoCL has ended a command twice, and only so often, and for nothing else", function()
        local twice = "pocl_update_event_finished: Assertion `cq->command_count > 0' failed"
        helper.with_file(function(path)
            local script = ([[
                local times = #io.open(%q):read "a" + 1
                io.open(%q, "a"):write "x":close()
                if times < %%d then
                    print %%q
                    os.exit(134)
                end
                print(times)
            ]]):format(path, path)
            local function ran() return #helper.read_file(path) end
            assert.equal("3\n", helper.child(script:format(3, twice)))
            assert.equal(3, ran())
            fails("ended with status 134", helper.child, script:format(100, twice))
            assert.equal(3 + 5, ran())
            fails("ended with status 134", helper.child, script:format(100, "another assertion"))
            assert.equal(3 + 5 + 1, ran())
        end)
    end)
end)

describe("numbers", function()
    it("rounds to half precision", function()
        for x, rounded in pairs {
            [1 + 2 ^ -11] = 1.0, [1 + 2 ^ -11 + 2 ^ -40] = 1 + 2 ^ -10, [1 + 3 * 2 ^ -11] = 1 + 2 ^ -9,
            [65504.0] = 65504.0, [65519.99] = 65504.0, [65520.0] = INFINITY, [-1e30] = -INFINITY,
            [2 ^ -24] = 2 ^ -24, [2 ^ -25] = 0.0, [2 ^ -25 * 1.001] = 2 ^ -24, [0.1] = 0.0999755859375,
        } do
            assert.equal(rounded, numbers.round(x, "f16"))
        end
    end)

    it("casts as the design says", function()
        for _, case in ipairs {
            { 300, "i32", "u8", 255 }, { -1, "i8", "u64", 0 }, { -1, "u64", "i8", 127 }, { -1, "u64", "f32", 2.0 ^ 64 },
            { 2.9, "f32", "i8", 2 }, { -2.9, "f32", "i8", -2 }, { NAN, "f32", "i64", 0 },
            { 1e30, "f64", "i64", math.maxinteger }, { 1e30, "f64", "u64", -1 }, { 2.0 ^ 63, "f64", "u64", 1 << 63 },
            { -INFINITY, "f64", "i16", -32768 }, { (1 << 24) + 1, "i64", "f32", 2.0 ^ 24 },
            { (1 << 62) + (1 << 38) + 1, "i64", "f32", 2.0 ^ 62 + 2.0 ^ 39 }, -- just above halfway
            { (1 << 62) + (1 << 38), "i64", "f32", 2.0 ^ 62 }, { math.mininteger, "i64", "f32", -2.0 ^ 63 },
            { (1 << 63) + (1 << 10) + 1, "u64", "f64", 2.0 ^ 63 + 2.0 ^ 11 }, { 70000, "i32", "f16", INFINITY },
        } do
            local x, from, to, expected = table.unpack(case)
            helper.check_number(expected, numbers.cast(x, from, to), 0, ("%s from %s to %s"):format(x, from, to))
        end
    end)

    it("wraps integers", function()
        assert.equal(-128, numbers.wrap(128, "i8"))
        assert.equal(255, numbers.wrap(-1, "u8"))
        assert.equal(-1, numbers.wrap(-1, "u64"))
    end)

    it("sums without rounding errors", function()
        assert.equal(2.0, numbers.exact_sum { 1.0, 1e100, 1.0, -1e100 })
        assert.equal(INFINITY, numbers.exact_sum { 1.0, INFINITY })
    end)

    it("know Philox4x32-10's published answers", function()
        -- Random123's known-answer tests.
        local ones = 0xffffffff
        assert.same({ 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 }, numbers.philox({ 0, 0 }, { 0, 0, 0, 0 }))
        assert.same({ 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd },
            numbers.philox({ ones, ones }, { ones, ones, ones, ones }))
        assert.same({ 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 },
            numbers.philox({ 0xa4093822, 0x299f31d0 }, { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 }))
    end)

    it("multiply to 128 bits", function()
        assert.same({ -2, 1 }, { numbers.multiply_wide(-1, -1) })
        assert.same({ 1, 0 }, { numbers.multiply_wide(1 << 32, 1 << 32) })
        assert.same({ 0, 6 }, { numbers.multiply_wide(2, 3) })
    end)

    it("are the same every time, and in the dtype's range", function()
        for _, dtype in ipairs(numbers.dtypes) do
            local list = numbers.some(40, dtype.name, 3)
            assert.same(list, numbers.some(40, dtype.name, 3))
            assert.not_same(list, numbers.some(40, dtype.name, 4))
            for _, x in ipairs(list) do
                assert.equal(x, numbers.cast(x, dtype.name, dtype.name))
            end
        end
    end)
end)

describe("reference", function()
    it("flattens and nests", function()
        assert.same({ 1, 2, 3, 4, 5, 6 }, reference.flatten { { 1, 2, 3 }, { 4, 5, 6 } })
        assert.same({ { 1, 2, 3 }, { 4, 5, 6 } }, reference.nest({ 1, 2, 3, 4, 5, 6 }, { 2, 3 }))
        assert.equal(7, reference.nest({ 7 }, {}))
    end)

    it("reduces over axes", function()
        local flat = { 1, 2, 3, 4, 5, 6 }
        assert.same({ 21 }, (reference.reduce("sum", flat, { 2, 3 }, nil, "i32")))
        assert.same({ 5, 7, 9 }, (reference.reduce("sum", flat, { 2, 3 }, { true }, "i32")))
        assert.same({ 6, 120 }, (reference.reduce("prod", flat, { 2, 3 }, { [2] = true }, "i32")))
        assert.same({ -1 }, (reference.reduce("max", { 3, -1, 7 }, { 3 }, nil, "u64")))
    end)

    it("transposes", function()
        assert.same({ 1, 4, 2, 5, 3, 6 }, (reference.transpose({ 1, 2, 3, 4, 5, 6 }, { 2, 3 })))
        local out, shape = reference.transpose({ 1, 2, 3, 4, 5, 6, 7, 8 }, { 2, 2, 2 }, { 2, 3, 1 })
        assert.same({ { 1, 5, 2, 6, 3, 7, 4, 8 }, { 2, 2, 2 } }, { out, shape })
    end)

    it("multiplies", function()
        local a, b = { 1.0, 2.0, 3.0, 4.0 }, { 5.0, 6.0, 7.0, 8.0 }
        assert.same({ 19.0, 22.0, 43.0, 50.0 }, (reference.matmul(a, { 2, 2 }, b, { 2, 2 }, "f64")))
        local out, shape = reference.matmul(a, { 2, 1, 2 }, b, { 2, 2 }, "f64", { alpha = 2 })
        assert.same({ { 38.0, 44.0, 86.0, 100.0 }, { 2, 1, 2 } }, { out, shape })
        out, shape = reference.matmul({ 1.0, 2.0 }, { 2 }, { 3.0, 4.0 }, { 2 }, "f64")
        assert.same({ { 11.0 }, {} }, { out, shape })
        assert.same({ 100 }, (reference.matmul({ 100 }, { 1 }, { 1 }, { 1 }, "i8")))
        assert.same({ -112 }, (reference.matmul({ 100 }, { 1 }, { 4 }, { 1 }, "i8")))
    end)

    it("lets bodies attract each other", function()
        local pos = { 0, 0, 0, 1, 2, 0, 0, 3 }
        assert.same({ 0.75, 0, 0, -1.5, -0.25, 0, 0, -0.5 }, (reference.gravity(pos, "f64")))
        local kinetic, potential = reference.energy(pos, { 1, 2, 2, 0, 0, 0, 0, 0 }, { G = 2 })
        assert.same({ 4.5, -3.0 }, { kinetic, potential })
    end)
end)

describe("tools/stacks.lua", function()
    it("lists the processes of a group, what each thread sleeps in, and its stack", function()
        local lua = os.getenv "LUA" or "lua5.4" -- the leader of the group that timeout makes is its parent
        local pipe <close> = assert(io.popen(("timeout 100 sh -c 'exec %s tools/stacks.lua $PPID' 2>&1"):format(lua)))
        local output = pipe:read "a"
        assert.matches("^%d+ timeout 100 sh %-c[^\n]*\n", output)
        assert.matches("\n  %d+ timeout in %S+\n", output)
        assert.matches("\n%d+ [^\n]*lua[^\n]* tools/stacks.lua %d+ \n", output)
        assert.matches("\n    [#%w][^\n]*\n", output)
    end)
end)
