-- Errors: their form, and mistakes in options and arguments; mistakes of one noun alone are in its spec.
-- that one's spec.

local lun = require "lunarray"
local helper = require "spec.helper"

helper.each_device(function(dev, title)
    local a
    helper.leaves_all(dev, function(array) a = array end)

    describe("an error on " .. title, function()
        it("is a string with the position, the method and the reason", function()
            local ok, problem = pcall(function()
                a:matmul(a)
            end)
            assert.is_false(ok)
            local line = debug.getinfo(1, "l").currentline - 3
            local file = debug.getinfo(1, "S").short_src
            assert.equal(("%s:%d: lunarray: matmul: inner sizes differ: (2x3) x (2x3)"):format(file, line), problem)
        end)

        it("has the user's position, however deep the mistake", function()
            local output, status = helper.run("local lun = require 'lunarray'\nlocal function f(a)\n"
                .. "  a:reshape(7)\nend\nf(lun.zeros { 3 })")
            assert.equal(1, status)
            assert.matches("lua_%w+:3: lunarray: reshape: ", output)
        end)

        it("has the position of a function that lunarray calls, where that is wrong", function()
            helper.raises("matmul: inner sizes differ", function()
                lun.scope(function() local _ = a:matmul(a) end)
            end)
        end)

        it("says that a tail call has lost the line, where Lua keeps its caller's alone", function()
            local hint, x = " (a tail call: the line is its caller's)", dev:ones { 2, 3 }
            local function said(f)
                return tostring(select(2, pcall(f))):match "lunarray: (.*)"
            end
            local function row() return x:row(9) end -- one in C, of which Lua keeps the line
            assert.equal("row: position 9 is out of range on axis 1, which has 2", said(function()
                local y = row()
                return y
            end))
            local late = "fuse: argument 1: a function is needed, got 5"
            assert.equal(late, said(function() lun.fuse(5) end))
            local function fused() return lun.fuse(5) end
            assert.equal(late .. hint, said(function()
                local y = fused()
                return y
            end))
        end)

        it("has no position where there is no Lua code, but says the rest", function()
            local ok, problem = coroutine.resume(coroutine.create(a.get), a, 9, 9)
            assert.is_false(ok)
            assert.matches("lunarray: get: position 9 is out of range on axis 1, which has 2", problem, 1, true)
        end)
    end)

    describe("OpenCL's own failures on " .. title, function()
        it("are objects with what is known of them", function()
            dev:limit(1)
            finally(function() dev:limit() end)
            local ok, problem = pcall(function() local _ = dev:zeros { 1000 } end)
            assert.is_false(ok)
            assert.equal("table", type(problem))
            assert.equal("zeros", problem.method)
            assert.equal("integer", math.type(problem.code))
            assert.matches("4000 bytes needed, %d+ of 1 allowed are in use on this device", problem.message)
            assert.equal("string", type(problem.op))
            assert.matches("stack traceback", problem.traceback, 1, true)
            assert.matches("error_spec.lua:%d+: lunarray: zeros: 4000 bytes needed", tostring(problem))
        end)
    end)

    describe("options on " .. title, function()
        it("that are unknown are refused with the list of those that are not", function()
            local known = "known are axis, segments, keepdims, out, variant, async, queue, where, "
                .. "initial, accurate, reproducible"
            helper.refused("sum: unknown option 'axes'; " .. known, a, { axes = 1 })
            helper.refused("reduce: unknown option 'axsi'; known are axis, ", a, "sum", { axsi = 1 })
            helper.refused("reduce: unknown option 'axsi'; known are axis, ", a, { "sum", axsi = 1 })
            helper.refused("min: unknown option 'accurate'; known are "
                .. "axis, segments, keepdims, out, variant, async, queue", a, { accurate = true })
            helper.refused("transpose: unknown option 'perm'; known are out, variant, async, queue",
                a, { 2, 1, perm = 1 })
        end)

        it("of the wrong kind are refused", function()
            helper.refused("sum: option 'axis': a whole number or a list of them is needed, got 1.5", a, { axis = 1.5 })
            helper.refused("fill: unknown variant 'fast'", dev:zeros { 0 }, 1, { variant = "fast" })
            helper.refused("random: unknown variant 'fast'", dev, { 0 }, { variant = "fast" })
            helper.raises("nbody: option 'steps': a whole number is needed, got 1.5", function()
                local pos = dev:zeros { 2, 4 }
                pos:nbody(pos:copy(), { dt = 1, steps = 1.5 })
            end)
        end)

        it("are refused where there are none", function()
            helper.refused("save: unknown option 'async'; known are as", a, "/nowhere/x.npy", { async = true })
            helper.refused("load: argument 2: nothing after argument 1 is needed, got a table",
                dev, "/nowhere/x.npy", { dtype = "i8" })
            helper.refused("load: argument 2: nothing after argument 1 is needed, got a table",
                lun, "/nowhere/x.npy", { async = true })
            helper.refused("host: argument 2: nothing after argument 1 is needed, got a table", a, "r", {})
            helper.refused("t: argument 1: no argument is needed, got a table", a, { async = true })
            helper.refused("row: argument 2: nothing after argument 1 is needed, got a table", a, 1, {})
            helper.refused("get: argument 3: a position is needed, got a table; each position is an argument",
                a, 1, 1, { async = true })
        end)

        it("belong in a table, under names", function()
            helper.raises("max: argument 1: a table of options is needed, got an array; a:maximum(b) has the larger of "
                .. "two", function() a:max(a) end)
            helper.refused("min: argument 1: a table of options, as {axis = 2} (axes count from 1),"
                .. " is needed, got a number; a:minimum(b) "
                .. "has the smaller of two", a, 2)
            helper.refused("min: argument 1: a table of options, as {axis = 1} (axes count from 1),"
                .. " is needed, got a number; a:minimum(b)",
                a, 0)
            helper.refused("norm: argument 1: a table of options, as {ord = 1}, is needed, got a number", a, 1)
            helper.refused("histogram: argument 1: a table of options, as {bins = 3}, is needed, got a number", a, 3)
            helper.refused("sum: argument 1: a table of options, as {axis = 1} (axes count from 1),"
                .. " is needed, got a number", a, 1)
            helper.refused("copy: argument 1: a table of options is needed, got a string", a, "f64")
            helper.refused("copy: argument 1: a table of options is needed, got a boolean", a, true)
            for meant, f in pairs {
                ["sort: argument 1: {descending = true}"] = function() a:sort(true) end,
                ["sort: argument 1: {axis = 1} (axes count from 1)"] = function() a:sort(1) end,
                ["argsort: argument 1: {descending = true}"] = function() a:argsort "descending" end,
                ["unique: argument 1: {inverse = true}"] = function() a:unique "inverse" end,
                ["topk: argument 2: {smallest = false}"] = function() a:topk(1, false) end,
                ["searchsorted: argument 2: {side = \"right\"}"] = function() a:searchsorted(1, "right") end,
            } do
                local place, table_of_options = meant:match "(.*: )({.*)"
                helper.raises(place .. "a table of options, as " .. table_of_options .. ", is needed, got a ", f)
            end
            helper.refused("sum: options have names; got one at [1]", a, { 1 })
            helper.refused("sum: options have names; got one at [true]", a, { [true] = 1 })
            helper.refused("reduce: argument 1: the table has the key 1.5; elements are stored at 1 to 1",
                a, { "sum", keepdims = true, [1.5] = 1 })
        end)

        it("beside a list are seen wherever Lua keeps the list", function()
            for _, name in ipairs { "axis", "keepdims", "out", "variant", "async", "other", "names", "too" } do
                -- Made with room for names, the table has its list between them.
                local options = { [name] = print, second = nil, third = nil, fourth = nil }
                options[1] = "sum"
                local ok, problem = pcall(a.reduce, a, options)
                assert.is_false(ok, name)
                assert.matches("'" .. name .. "'", problem, 1, true)
            end
        end)
    end)

    describe("arguments on " .. title, function()
        it("that are NaN are shown without a sign", function()
            for _, nan in ipairs { 0 / 0, -(0 / 0) } do
                helper.refused("get: argument 1: a position (a whole number) is needed, got nan", a, nan, 1)
                helper.refused("slice: argument 1: a range is {from, to, step} of whole numbers, got nan at position 1",
                    a, { nan })
                helper.refused("device: there is no device nan; positions are whole numbers from 1", lun, nan)
                helper.refused("limit: argument 1: a whole number is needed, got nan", dev, nan)
                helper.refused("reshape: size 1 is nan; sizes are whole numbers from 0", a, nan)
                helper.refused("max: axis: a whole number or a list of them is needed, got nan", a, { axis = { nan } })
                helper.refused("sum: option 'axis': a whole number or a list of them is needed, got nan",
                    a, { axis = nan })
                helper.refused("full: nan has no representation in i32: an integer is needed", dev, { 1 }, nan, "i32")
                helper.refused("arange: the range from nan to 1.0 by 1.0 has no finite number of "
                    .. "elements", dev, nan, 1.0, 1.0)
                helper.refused("linspace: finite ends are needed, got nan and 1", dev, nan, 1, 2)
                helper.refused("random: finite numbers are needed, got nan and 1", dev, { 1 }, { low = nan })
                helper.refused("gravity: softening must be a finite number, 0 or more, not nan",
                    dev:zeros({ 1, 4 }), { softening = nan })
                assert.equal("array 2 f32 [nan, nan]", tostring(dev:full({ 2 }, nan)))
            end
        end)

        it("with a zero byte, at which the name would end, are refused", function()
            local where = ": the string has a zero byte"
            helper.refused("array: argument 2" .. where, dev, { 1 }, "f32\0x")
            helper.refused("zeros: argument 2" .. where, dev, { 1 }, "f32\0x")
            helper.refused("zeros: option 'dtype'" .. where, dev, { 1 }, { dtype = "f32\0x" })
            helper.refused("cast: argument 1" .. where, a, "f32\0x")
            helper.refused("reduce: argument 1" .. where, a, "sum\0x")
            helper.refused("reduce: op 2 of the list" .. where, a, { "sum", "min\0x" })
            helper.refused("device: argument 1" .. where, lun, "cpu\0x")
            helper.refused("copy: option 'variant'" .. where, a, { variant = "plain\0x" })
            helper.refused("host: argument 1" .. where, a, "r\0x")
            helper.refused("copy: unknown option 'async", a, { ["async\0x"] = true })
        end)

        it("are needed even where any would do", function()
            helper.refused("type: argument 1: a value is needed, got nothing", lun)
        end)

        it("of the wrong kind are named with their place", function()
            helper.refused("matmul: argument 1: an array is needed, got a device", a, dev)
            helper.refused("matmul: argument 1: an array is needed, got an event", a, a:copy { async = true })
            helper.refused("matmul: argument 1: an array is needed, got a function", a, print)
            helper.refused("matmul: argument 1: an array is needed, got a userdata", a, io.stdout)
            helper.refused("matmul: argument 1: an array is needed, got a coroutine", a, coroutine.create(print))
        end)
    end)

    describe("an assignment on " .. title, function()
        it("to a device or an event is refused", function()
            local event = a:copy { async = true }
            helper.raises("x: a device cannot be assigned to", function() dev.x = 1 end)
            helper.raises("[1]: a device cannot be assigned to", function() dev[1] = 1 end)
            helper.raises("x: an event cannot be assigned to", function() event.x = 1 end)
        end)
    end)

    describe("a name on " .. title, function()
        it("that is short is near to none", function()
            local ok, problem = pcall(function() return a.x end)
            assert.is_false(ok)
            assert.matches("x: an array has no such method$", problem)
        end)
    end)

    describe("a position in a mapping on " .. title, function()
        it("that is NaN is shown without a sign", function()
            local h <close> = a:host("rw")
            for _, nan in ipairs { 0 / 0, -(0 / 0) } do
                helper.raises("h[i]: positions are whole numbers, got nan", function() local _ = h[nan] end)
                -- Lua itself refuses no NaN here: the mapping is no table.
                helper.raises("h[i] =: positions are whole numbers, got nan", function() h[nan] = 1 end)
            end
        end)
    end)
end)
