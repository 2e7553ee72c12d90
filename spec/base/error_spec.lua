-- Errors: their form, and mistakes in options and arguments; mistakes of one noun alone are in its spec.
-- that one's spec.

local lun = require "lunarray"
local helper = require "spec.helper"

helper.each_device(function(dev, title)
    local a, before

    before_each(function()
        a = dev:array { { 1, 2, 3 }, { 4, 5, 6 } }
        collectgarbage()
        before = dev:memory().live
    end)

    -- Whatever went wrong: nothing is lost or changed, and the next call works.
    after_each(function()
        helper.check_array(a, "f32", { 2, 3 }, { 1.0, 2.0, 3.0, 4.0, 5.0, 6.0 })
        assert.equal(21.0, a:sum())
        dev:finish()
        collectgarbage()
        assert.equal(before, dev:memory().live)
    end)

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
            local inner = "matmul: inner sizes differ: (2x3) x (2x3)"
            local function late() return x:matmul(x) end
            assert.equal(inner .. hint, said(function()
                local y = late()
                return y
            end))
            assert.equal(inner, said(function() x:matmul(x) end))
            local function row() return x:row(9) end -- one in C, of which Lua keeps the line
            assert.equal("row: position 9 is out of range on axis 1, which has 2", said(function()
                local y = row()
                return y
            end))
            local function solved() return lun.cg(5, x) end
            assert.matches(hint, said(function()
                local y = solved()
                return y
            end), 1, true)
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
            assert.matches("4000 bytes wanted, %d+ of 1 allowed are in use on this device", problem.message)
            assert.equal("string", type(problem.op))
            assert.matches("stack traceback", problem.traceback, 1, true)
            assert.matches("error_spec.lua:%d+: lunarray: zeros: 4000 bytes wanted", tostring(problem))
        end)
    end)

    describe("options on " .. title, function()
        it("that are unknown are refused with the list of those that are not", function()
            local known = "known are axis, segments, keepdims, out, variant, async, queue, accurate, "
                .. "reproducible"
            helper.raises("sum: unknown option 'axes'; " .. known, function() a:sum { axes = 1 } end)
            helper.raises("reduce: unknown option 'axsi'; known are axis, ", function()
                a:reduce("sum", { axsi = 1 })
            end)
            helper.raises("reduce: unknown option 'axsi'; known are axis, ", function()
                a:reduce { "sum", axsi = 1 }
            end)
            helper.raises("min: unknown option 'accurate'; known are "
                .. "axis, segments, keepdims, out, variant, async, queue", function()
                a:min { accurate = true }
            end)
            helper.raises("transpose: unknown option 'perm'; known are out, variant, async, queue", function()
                a:transpose { 2, 1, perm = 1 }
            end)
        end)

        it("of the wrong kind are refused", function()
            helper.raises("sum: option 'keepdims': true or false is wanted, got a number", function()
                a:sum { keepdims = 1 }
            end)
            helper.raises("sum: option 'async': true or false is wanted, got a string", function()
                a:sum { async = "yes" }
            end)
            helper.raises("sum: option 'out': an array is wanted, got a table", function() a:sum { out = {} } end)
            helper.raises("sum: option 'axis': a whole number or a list of them is wanted, got a string", function()
                a:sum { axis = "1" }
            end)
            helper.raises("sum: option 'axis': a whole number or a list of them is wanted, got 1.5", function()
                a:sum { axis = 1.5 }
            end)
            helper.raises("fill: unknown variant 'fast'", function() dev:zeros { 0 }:fill(1, { variant = "fast" }) end)
            helper.raises("random: unknown variant 'fast'", function() dev:random({ 0 }, { variant = "fast" }) end)
            helper.raises("sum: option 'variant': a string is wanted, got a number", function()
                a:sum { variant = 1 }
            end)
            helper.raises("matmul: option 'alpha': a number is wanted, got a string", function()
                a:matmul(a:t(), { alpha = "1" })
            end)
            helper.raises("nbody: option 'steps': a whole number is wanted, got 1.5", function()
                local pos = dev:zeros { 2, 4 }
                pos:nbody(pos:copy(), { dt = 1, steps = 1.5 })
            end)
            helper.raises("nbody: option 'integrator': a string is wanted, got a number", function()
                local pos = dev:zeros { 2, 4 }
                pos:nbody(pos:copy(), { dt = 1, integrator = 1 })
            end)
        end)

        it("are refused where there are none", function()
            helper.raises("save: unknown option 'async'; known are as", function()
                a:save("/nowhere/x.npy", { async = true })
            end)
            helper.raises("load: argument 2: nothing behind argument 1 is wanted, got a table", function()
                dev:load("/nowhere/x.npy", { dtype = "i8" })
            end)
            helper.raises("load: argument 2: nothing behind argument 1 is wanted, got a table", function()
                lun.load("/nowhere/x.npy", { async = true })
            end)
            helper.raises("host: argument 2: nothing behind argument 1 is wanted, got a table", function()
                a:host("r", {})
            end)
            helper.raises("t: argument 1: no argument is wanted, got a table", function()
                a:t { async = true }
            end)
            helper.raises("row: argument 2: nothing behind argument 1 is wanted, got a table", function()
                a:row(1, {})
            end)
            helper.raises("get: argument 3: a position is wanted, got a table; each is an argument", function()
                a:get(1, 1, { async = true })
            end)
        end)

        it("stand in a table, under names", function()
            helper.raises("max: argument 1: a table of options is wanted, got an array; a:maximum(b) has the larger of "
                .. "two", function() a:max(a) end)
            helper.raises("min: argument 1: a table of options, as {axis = 2}, is wanted, got a number; a:minimum(b) "
                .. "has the smaller of two", function() a:min(2) end)
            helper.raises("min: argument 1: a table of options is wanted, got a number; a:minimum(b)", function()
                a:min(0)
            end)
            helper.raises("sum: argument 1: a table of options, as {axis = 1}, is wanted, got a number",
                function() a:sum(1) end)
            helper.raises("copy: argument 1: a table of options is wanted, got a string", function() a:copy("f64") end)
            helper.raises("copy: argument 1: a table of options is wanted, got a boolean", function() a:copy(true) end)
            for meant, f in pairs {
                ["sort: argument 1: {descending = true}"] = function() a:sort(true) end,
                ["sort: argument 1: {axis = 1}"] = function() a:sort(1) end,
                ["argsort: argument 1: {descending = true}"] = function() a:argsort "descending" end,
                ["unique: argument 1: {inverse = true}"] = function() a:unique "inverse" end,
                ["topk: argument 2: {smallest = false}"] = function() a:topk(1, false) end,
                ["searchsorted: argument 2: {side = \"right\"}"] = function() a:searchsorted(1, "right") end,
            } do
                local place, table_of_options = meant:match "(.*: )({.*)"
                helper.raises(place .. "a table of options, as " .. table_of_options .. ", is wanted, got a ", f)
            end
            helper.raises("sum: options have names; got one at [1]", function() a:sum { 1 } end)
            helper.raises("sum: options have names; got one at [true]", function() a:sum { [true] = 1 } end)
            helper.raises("reduce: argument 1: the table has the key 1.5; elements stand at 1 to 1", function()
                a:reduce { "sum", keepdims = true, [1.5] = 1 }
            end)
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
                helper.raises("get: argument 1: a position (a whole number) is wanted, got nan", function()
                    a:get(nan, 1)
                end)
                helper.raises("slice: argument 1: a range is {from, to, step} of whole numbers, got nan in place 1",
                    function() a:slice { nan } end)
                helper.raises("device: there is no device nan; positions are whole numbers from 1", function()
                    lun.device(nan)
                end)
                helper.raises("limit: argument 1: a whole number is wanted, got nan", function() dev:limit(nan) end)
                helper.raises("reshape: size 1 is nan; sizes are whole numbers from 0", function() a:reshape(nan) end)
                helper.raises("max: axis: a whole number or a list of them is wanted, got nan", function()
                    a:max { axis = { nan } }
                end)
                helper.raises("sum: option 'axis': a whole number or a list of them is wanted, got nan", function()
                    a:sum { axis = nan }
                end)
                helper.raises("full: nan has no representation in i32: an integer is wanted", function()
                    dev:full({ 1 }, nan, "i32")
                end)
                helper.raises("arange: the range from nan to 1.0 by 1.0 has no number of elements", function()
                    dev:arange(nan, 1.0, 1.0)
                end)
                helper.raises("linspace: finite ends are wanted, got nan and 1", function()
                    dev:linspace(nan, 1, 2)
                end)
                helper.raises("random: finite numbers are wanted, nan and 1 came", function()
                    dev:random({ 1 }, { low = nan })
                end)
                helper.raises("gravity: softening must be a finite number, 0 or more, not nan", function()
                    dev:zeros({ 1, 4 }):gravity { softening = nan }
                end)
                assert.equal("array 2 f32 [nan, nan]", tostring(dev:full({ 2 }, nan)))
            end
        end)

        it("with a zero byte, at which the name would end, are refused", function()
            local where = ": the string has a zero byte"
            helper.raises("array: argument 2" .. where, function() dev:array({ 1 }, "f32\0x") end)
            helper.raises("zeros: argument 2" .. where, function() dev:zeros({ 1 }, "f32\0x") end)
            helper.raises("zeros: option 'dtype'" .. where, function() dev:zeros({ 1 }, { dtype = "f32\0x" }) end)
            helper.raises("cast: argument 1" .. where, function() a:cast("f32\0x") end)
            helper.raises("reduce: argument 1" .. where, function() a:reduce("sum\0x") end)
            helper.raises("reduce: op 2 of the list" .. where, function() a:reduce { "sum", "min\0x" } end)
            helper.raises("device: argument 1" .. where, function() lun.device("cpu\0x") end)
            helper.raises("copy: option 'variant'" .. where, function() a:copy { variant = "plain\0x" } end)
            helper.raises("host: argument 1" .. where, function() a:host("r\0x") end)
            helper.raises("copy: unknown option 'async", function() a:copy { ["async\0x"] = true } end)
        end)

        it("are wanted even where any would do", function()
            helper.raises("type: argument 1: a value is wanted, got nothing", function() lun.type() end)
        end)

        it("of the wrong kind are named with their place", function()
            helper.raises("to: argument 1: a device is wanted, got a string", function() a:to("cpu") end)
            helper.raises("matmul: argument 1: an array is wanted, got a device", function() a:matmul(dev) end)
            helper.raises("matmul: argument 1: an array is wanted, got an event", function()
                a:matmul(a:copy { async = true })
            end)
            helper.raises("matmul: argument 1: an array is wanted, got a function", function() a:matmul(print) end)
            helper.raises("matmul: argument 1: an array is wanted, got a userdata", function() a:matmul(io.stdout) end)
            helper.raises("matmul: argument 1: an array is wanted, got a coroutine", function()
                a:matmul(coroutine.create(print))
            end)
        end)
    end)

    describe("an assignment on " .. title, function()
        it("to a device or an event is refused", function()
            local event = a:copy { async = true }
            helper.raises("x: a device is not assigned to", function() dev.x = 1 end)
            helper.raises("[1]: a device is not assigned to", function() dev[1] = 1 end)
            helper.raises("x: an event is not assigned to", function() event.x = 1 end)
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
