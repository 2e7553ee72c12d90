-- Bad input to what arranges arrays: what each mistake is told, and that all is usable afterwards.

local lun = require "lunarray"
local helper = require "spec.helper"

helper.each_device(function(dev, title)
    local a, scalar, before

    before_each(function()
        a = dev:array { { 1, 2, 3 }, { 4, 5, 6 } }
        scalar = dev:full({}, 1)
        collectgarbage()
        before = dev:memory().live
    end)

    -- Whatever went wrong: nothing is lost or changed, and the next call works.
    after_each(function()
        helper.check_array(a, "f32", { 2, 3 }, { 1.0, 2.0, 3.0, 4.0, 5.0, 6.0 })
        assert.equal(42.0, lun.concat({ a, a }):sum())
        dev:finish()
        collectgarbage()
        assert.equal(before, dev:memory().live)
    end)

    describe("a view on " .. title, function()
        it("that would not broadcast is refused", function()
            helper.raises("broadcast: shape 2x3 does not broadcast to 4x3", function() a:broadcast(4, 3) end)
            helper.raises("broadcast: shape 2x3 does not broadcast to 3", function() a:broadcast { 3 } end)
            helper.raises("broadcast: shape 2x3 does not broadcast to ()", function() a:broadcast() end)
            helper.raises("broadcast: size 1 is -1; a whole number from 0 is needed", function() a:broadcast(-1, 3) end)
            helper.refused("broadcast: size 2 is 1.5; a whole number from 0 is needed", a, { 2, 1.5 })
            helper.refused("broadcast: size 1 is a string; a whole number from 0 is needed", a, { "2", 3 })
            helper.refused("broadcast: argument 1: a whole number or a list of them is needed, got a string", a, "2")
            helper.refused("broadcast: argument 2: nothing after argument 1 is needed, got a table", a, 2, {})
            helper.refused("broadcast: 9 sizes are named; an array has at most 8 axes", a, 1, 1, 1, 1, 1, 1, 1, 2, 3)
            helper.raises("broadcast: shape 4611686018427387904x2x3 is too large: its byte count does not fit in 63",
                function() a:broadcast(1 << 62, 2, 3) end)
            helper.refused("broadcast: argument 1: the table has the key 'x'; elements are stored at 1 to 2",
                a, { 2, 3, x = 1 })
        end)

        it("that broadcasts is written by no operation as a whole", function()
            local wide = a:row(1):broadcast(2, 3)
            for method, f in pairs {
                fill = function() wide:fill(1) end, write = function() wide:write(dev:ones { 2, 3 }) end,
                host = function() wide:host "w" end, copy = function() dev:ones({ 2, 3 }):copy { out = wide } end,
                sum = function() a:sum { axis = 1, keepdims = true, out = scalar:broadcast(1, 3) } end,
                transpose = function() dev:zeros({ 3, 2 }):transpose { out = wide } end,
                roll = function() dev:zeros({ 2, 3 }):roll(1, { out = wide }) end,
            } do
                helper.raises(method .. ": a broadcast view cannot be written: its elements are at several positions; "
                    .. "copy it first", f)
            end
            local kernel = dev:program("kernel void one(global float *x) { *x = 1; }"):kernel()
            helper.refused("run: parameter 1 of one (__global float *x): a broadcast view cannot be written",
                kernel, { global = 1 }, wide)
            helper.raises("write: a broadcast view cannot be written", function() wide:write { 1, 2, 3, 4, 5, 6 } end)
            helper.raises("write: a broadcast view cannot be written", function() wide:write(a:tobytes()) end)
            helper.refused("add_: a broadcast view cannot be written: its elements are at several", wide, 1)
            helper.check_array(wide:copy():fill(7), "f32", { 2, 3 }, { 7.0, 7.0, 7.0, 7.0, 7.0, 7.0 })
        end)

        it("without an axis that is longer than 1 is refused", function()
            helper.raises("squeeze: axis 2 has size 3; only an axis of size 1 can be "
                .. "dropped", function() a:squeeze(2) end)
            helper.raises("squeeze: axis 3 is out of range: the array has 2 axes (2x3)", function() a:squeeze(3) end)
            helper.raises("squeeze: axis 1 is named twice", function() a:squeeze { 1, -2 } end)
            helper.raises("squeeze: axis 1 is out of range: the array has no axes", function() scalar:squeeze(1) end)
        end)

        it("with axes that it does not have is refused", function()
            helper.raises("expand: axis 4 is out of range: the result has 3 axes", function() a:expand(4) end)
            helper.raises("expand: axis 0 is out of range: the result has 3 axes"
                .. ", and axes count from 1", function() a:expand(0) end)
            helper.raises("expand: axis -4 is out of range: the result has 3 axes", function() a:expand(-4) end)
            helper.raises("expand: axis 2 is out of range: the result has 1 axis", function() scalar:expand(2) end)
            helper.raises("expand: axis 4 is named twice", function() a:expand { 4, -1 } end)
            helper.refused("expand: axis: a whole number or a list of them is needed, got 1.5", a, { 1.5 })
            helper.refused("expand: the view would have 9 axes; at most 8 are possible", a, { 1, 2, 3, 4, 5, 6, 7 })
            helper.refused("expand: 9 axes are named; an array has at most 8", a, { 1, 2, 3, 4, 5, 6, 7, 8, 9 })
            helper.raises("flip: axis 3 is out of range: the array has 2 axes (2x3)", function() a:flip(3) end)
        end)

        it("of a diagonal of no matrix is refused", function()
            helper.raises("diag: a vector or a matrix is needed; this array has 0 axes", function() scalar:diag() end)
            helper.refused("diag: a vector or a matrix is needed; this array has 3 axes", a:expand(1))
            helper.refused("diag: the diagonal of a matrix is a view, which takes no options", a, { async = true })
            helper.raises("diag: argument 1: a whole number is needed, got 0.5", function() a:diag(0.5) end)
        end)

        it("that would be cut unevenly is refused", function()
            helper.raises("split: axis 2 has 3 positions, which cannot be divided into 2 equal parts; a list "
                .. "gives the size of each part", function() a:split(2, 2) end)
            helper.raises("split: the number of parts is 0; a whole number from 1 is needed", function() a:split(0) end)
            helper.refused("split: the sizes of the parts add up to 4, and axis 2 has 3 positions", a, { 1, 3 }, 2)
            helper.raises("split: size 2 is -1; a whole number from 0 is needed", function() a:split { 3, -1 } end)
            helper.refused("split: the sizes of the parts add up to ", a, { math.maxinteger, math.maxinteger, 4 })
            helper.raises("split: axis 3 is out of range: the array has 2 axes (2x3)", function() a:split(1, 3) end)
            helper.raises("split: the array has no axes, so it cannot be split", function() scalar:split(1) end)
            helper.raises("split: argument 1: a whole number is needed, got 1.5", function() a:split(1.5) end)
            helper.refused("split: 3000000 parts are more values than a Lua function can return",
                a:row(1):expand(1):broadcast(3000000, 3), 3000000)
        end)

        it("of a grid of what is no vector is refused", function()
            local x = a:row(1)
            helper.refused("meshgrid: argument 2: a vector is needed; this array has 2 axes", lun, x, a)
            helper.raises("meshgrid: argument 1: a vector is needed, got nothing", function() lun.meshgrid() end)
            helper.raises("meshgrid: argument 2: a vector is needed, got a number", function() lun.meshgrid(x, 3) end)
            helper.refused([[meshgrid: option 'indexing': "xy" or "ij" is needed, got "yx"]],
                lun, x, x, { indexing = "yx" })
            helper.refused("meshgrid: there are more than 8 vectors; an array has at most 8 axes",
                lun, x, x, x, x, x, x, x, x, x)
            helper.refused("meshgrid: argument 3: nothing after argument 2 is needed, got an array", lun, x, {}, x)
        end)
    end)

    describe("joining on " .. title, function()
        it("what is no list of arrays is refused", function()
            for name, join in pairs { concat = lun.concat, stack = lun.stack } do
                local wanted = name .. ": arrays belong in a list: " .. name
                helper.raises(wanted .. "{a, a}", function() join(a, a) end)
                helper.raises(wanted .. "({a, b}, 2)", function() join(a, a + 1, 2) end)
                helper.raises(wanted .. "({a}, 2)", function() join(a, 2) end)
                helper.raises(wanted .. "{a, b, ...}", function() join(a, a + 1, a) end)
                helper.raises(wanted .. "{a}", function() join(a) end)
                helper.raises(name .. ": argument 1: a list of arrays is needed, got a number", function() join(1) end)
                helper.raises(name .. ": argument 4: nothing after argument 3 is needed, got a number", function()
                    join({ a }, 1, {}, 1)
                end)
                helper.raises(name .. ": the list has no array; there is nothing to join", function() join {} end)
                helper.raises(name .. ": element 2 of the list: an array is needed, got a number", function()
                    join { a, 1 }
                end)
                local gone = dev:zeros { 2 }
                gone:release()
                helper.raises(name .. ": element 2 of the list: the array was released", function()
                    join { a, gone }
                end)
                helper.raises(name .. ": unknown option 'axes'; known are axis, out, async, queue", function()
                    join { a, axes = 1 }
                end)
            end
        end)

        it("arrays that do not fit, or along an axis that is not there, is refused", function()
            helper.refused("concat: array 2 is 3x3, and array 1 is 2x3; they may differ only along axis 2",
                lun, { a, dev:zeros { 3, 3 } }, 2)
            helper.refused("concat: array 3 is 3, and array 1 is 2x3; they may differ only along axis 1",
                lun, { a, a, a:row(1) })
            helper.refused("concat: arrays without axes cannot be joined along one; they can be stacked",
                lun, { scalar, scalar })
            helper.refused("concat: axis 3 is out of range: the array has 2 axes (2x3)", lun, { a, a }, 3)
            helper.raises("stack: array 2 is 3x2, and array 1 is 2x3; arrays that are stacked have one shape",
                function() lun.stack { a, a:t() } end)
            helper.raises("stack: axis 4 is out of range: the result has 3 axes", function() lun.stack({ a }, 4) end)
            helper.refused("stack: arrays are stacked along one axis, got 2", lun, { a }, { 1, 2 })
            local many = dev:zeros { 1, 1, 1, 1, 1, 1, 1, 1 }
            helper.refused("stack: the result would have 9 axes; at most 8 are possible", lun, { many, many })
            local giant = dev:zeros({ 1 }, "u8"):broadcast(1 << 62)
            helper.raises("concat: shape 9223372036854775808 is too large", function() lun.concat { giant, giant } end)
            helper.raises("concat: shape ", function() lun.concat { giant, giant, giant, giant, giant } end)
        end)
    end)

    describe("a new array on " .. title, function()
        it("of tiles that are no whole numbers, or too many, is refused", function()
            helper.raises("tile: repetition 2 is -1; a whole number from 0 is needed", function() a:tile(2, -1) end)
            helper.raises("tile: repetition 1 is 0.5; a whole number from 0 is needed", function() a:tile { 0.5 } end)
            helper.refused("tile: argument 1: a whole number or a list of them is needed, got nothing", a)
            helper.raises("tile: shape 4611686018427387904x6 is too large", function() a:tile(1 << 61, 2) end)
            helper.raises("tile: shape 2x18446744073709551615 is too large", function() a:tile(math.maxinteger) end)
            helper.refused("tile: argument 3: a table of options is needed, got a string", a, 1, 2, "x")
        end)

        it("that is rolled by what is no shift is refused", function()
            helper.raises("roll: argument 1: a whole number is needed, got 1.5", function() a:roll(1.5) end)
            helper.raises("roll: a list of shifts needs a list of axes", function() a:roll { 1, 2 } end)
            helper.raises("roll: there are 2 shifts, expected 1", function() a:roll({ 1, 2 }, 1) end)
            helper.refused("roll: shift 2 is a string; a whole number is needed", a, { 1, "x" }, { 1, 2 })
            helper.raises("roll: axis 3 is out of range: the array has 2 axes", function() a:roll(1, 3) end)
            helper.raises("roll: axis 2 is named twice", function() a:roll({ 1, 1 }, { 2, -1 }) end)
            helper.refused("roll: axis: a whole number or a list of them is needed, got a string", a, 1, "x")
        end)

        it("that is padded with what makes no sense is refused", function()
            helper.refused("pad: there are 1 pairs {before, after}, expected 2", a, { { 1, 1 } })
            helper.raises("pad: pair 2 is a number; {before, after} is needed", function() a:pad { { 1, 1 }, 2 } end)
            helper.refused("pad: pair 1 has length 1; {before, after} is needed", a, { { 1 }, { 1, 2 } })
            helper.refused("pad: pair 1 has the key 'after'; elements are stored at 1 to 1",
                a, { { 1, after = 2 }, { 1, 2 } })
            helper.refused("pad: pair 2: width 1 is -1; a whole number from 0 is needed", a, { { 1, 1 }, { -1, 1 } })
            helper.raises("pad: the width is -1; a whole number from 0 is needed", function() a:pad(-1) end)
            helper.refused("pad: unknown mode 'mirror'; known are constant, edge, wrap, reflect, symmetric, "
                .. "linear_ramp", a, 1, { mode = "mirror" })
            helper.refused([[pad: value is for the modes "constant" and "linear_ramp", not with "edge"]],
                a, 1, { mode = "edge", value = 1 })
            for _, mode in ipairs { "constant", "linear_ramp" } do
                helper.raises("pad: 300 is out of range for u8", function()
                    a:cast("u8"):pad(1, { value = 300, mode = mode })
                end)
            end
            helper.refused([[pad: mode "linear_ramp" needs numbers; the array is bool]], a:gt(1), 1,
                { mode = "linear_ramp" })
            helper.refused("pad: out overlaps an input", a, { { 0, 0 }, { 0, 0 } }, { mode = "linear_ramp", out = a })
            helper.refused("pad: axis 1 has no position to pad with; only a constant can pad it",
                dev:zeros({ 0, 2 }), 1, { mode = "edge" })
            helper.refused("pad: shape 18446744073709551615x5 is too large",
                a, { { math.maxinteger, math.maxinteger }, { 1, 1 } })
        end)

        it("of a triangle or a diagonal that is not there is refused", function()
            helper.refused("tril: an array with 2 axes or more is needed; this one has 1", a:row(1))
            helper.raises("triu: argument 1: a whole number is needed, got a string", function() a:triu "x" end)
            helper.refused("diag: shape 9223372036854775811x9223372036854775811 is too large",
                a:row(1), math.mininteger)
        end)

        it("like another, with what its dtype cannot hold, is refused", function()
            helper.raises("full_like: 300 is out of range for u8", function() a:full_like(300, "u8") end)
        end)
    end)

    describe("a name of another library on " .. title, function()
        it("leads to the one here", function()
            local joins = "lun.concat{a, b} joins arrays, and lun.stack{a, b} along a new axis"
            helper.raises("concat: an array has no such method; " .. joins, function() a:concat(a) end)
            helper.raises("stack: a device has no such method; " .. joins, function() dev:stack(a, a) end)
            helper.refused("concatenate: lunarray has no such function; " .. joins, lun, a, a)
            helper.raises("cat: lunarray has no such function; is concat meant?", function() lun.cat { a, a } end)
            helper.raises("a .. b: an array is not a string: tostring(a) gives one; " .. joins, function()
                return a .. a
            end)
            for _, name in ipairs { "zeros_like", "ones_like", "full_like", "empty_like" } do
                helper.raises(name .. ": a device has no such method; it is a method of arrays, a:" .. name .. "(...)",
                    function() dev[name](dev, a) end)
            end
        end)
    end)
end)

describe("arrays of two devices", function()
    local with_pocl = helper.has_pocl() and it or pending

    with_pocl("are not joined, and no result goes to another device", function()
        local output = helper.child([[
            local lun = require "lunarray"
            local one, other = lun.device "1", lun.device "2"
            print(pcall(function() return lun.concat { one:ones { 2 }, other:ones { 2 } } end))
            print(pcall(function() return lun.stack { one:ones { 2 }, other:ones { 2 } } end))
            print(pcall(function() return one:ones({ 2 }):roll(1, { out = other:ones { 2 } }) end))
        ]], { env = { POCL_DEVICES = "pthread pthread", LUNARRAY_DEVICE = false } })
        local found = {}
        for line in output:gmatch "lunarray: ([^\n]+)" do
            table.insert(found, line)
        end
        assert.same({
            "concat: array 2 is on another device; copy it with :to(device)",
            "stack: array 2 is on another device; copy it with :to(device)",
            "roll: out is on another device; copy it with :to(device)",
        }, found)
    end)
end)
