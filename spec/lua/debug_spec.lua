-- lun.debug{nan = true}: the first call that makes a NaN or an infinity of finite numbers raises, at its line.

local lun = require "lunarray"
local helper = require "spec.helper"

local nan, inf = 0 / 0, math.huge

helper.each_device(function(dev, title)
    describe("lun.debug on " .. title, function()
        local before
        setup(function()
            before = lun.exp
            lun.debug { nan = true }
            lun.debug { nan = true } -- once more changes nothing
        end)
        teardown(function() lun.debug { nan = false } end)

        local function raises(message, f)
            local line = debug.getinfo(f, "S").linedefined
            local ok, problem = pcall(f)
            assert.is_false(ok)
            assert.equal(("spec/lua/debug_spec.lua:%d: lunarray: %s, although all inputs "
                .. "are finite"):format(line, message),
                (tostring(problem):gsub("^%./", "")))
        end
        -- The call does not come last: Lua keeps no line of a tail call.
        local function keep(...) return ... end

        it("names operation, line and element", function()
            local a = dev:array { 4, 1, 0 }
            raises("log: result 1 is -inf at element 3 of 3", function() keep(a:log()) end)
            raises("log: result 1 is -inf at element 3 of 3", function() keep(lun.log(a)) end)
            raises("div: result 1 is inf at element 3 of 3", function() keep(1 / a) end)
            raises("sqrt: result 1 is nan at element 1 of 3", function() keep((1 - a:expand(1)):sqrt()) end)
            raises("sum: result 1 is inf", function() keep((a * 8e37):sum()) end)
            raises("map: result 1 is inf at element 3 of 3", function() keep(dev:map("1 / x", { x = a })) end)
            raises("cast: result 1 is inf at element 1 of 3", function() keep((a * 1e5):cast("f16")) end)
            raises("exp: result 1 is inf at element 1 of 3", function() keep((a * 99):exp { async = true }) end)
            raises("dot: result 1 is inf", function() keep((a * 8e37):dot(a)) end)
        end)

        it("looks into scopes, in-place calls, out and fused functions", function()
            local a = dev:array { 0 }
            raises("log: result 1 is -inf at element 1 of 1", function() lun.scope(function() keep(a:log()) end) end)
            raises("log: result 1 is -inf at element 1 of 1", function() keep(a:copy():log { out = a }) end)
            assert.equal(-inf, a:get(1))
            a:fill(0)
            raises("log_: result 1 is -inf at element 1 of 1", function() keep(a:log_()) end)
            a:fill(0)
            local f = lun.fuse(function(x) return x:log(), x + 1 end)
            raises("fuse: result 1 is -inf at element 1 of 1", function() keep(f(a)) end)
            local inner = lun.fuse(function(x) return f(x) end)
            raises("fuse: result 1 is -inf at element 1 of 1", function() keep(inner(a)) end)
            assert.equal(0, lun.fuse(function(x) return x:log():exp() end)(a):get(1))
        end)

        it("lets pass what was not finite, and calls that fail", function()
            local a = dev:array { nan, 1, inf }
            assert.equal(2, (a + 1):get(2))
            assert.is_true(a:sum() ~= a:sum())
            assert.equal(inf, (dev:ones { 2 } * inf):get(1))
            assert.equal(inf, dev:full({ 1 }, inf):get(1))
            assert.equal(inf, dev:zeros({ 3 }):put(1, inf):max())
            assert.equal(inf, dev:zeros({ 1 }):pad(1, { value = inf }):max())
            assert.has_error(function() keep(a:matmul(dev:zeros { 2 })) end)
            raises("log: result 1 is -inf at element 1 of 1", function() keep(dev:zeros({ 1 }):log()) end)
        end)

        it("leaves nothing when it is off", function()
            assert.not_equal(before, lun.exp)
            lun.debug { nan = false }
            assert.equal(before, lun.exp)
            assert.equal(-inf, dev:zeros({ 1 }):log():get(1))
            lun.debug { nan = true }
        end)
    end)
end)

describe("lun.debug", function()
    it("takes nan alone", function()
        helper.refused("debug: argument 1: a table of options is needed, got 1", lun, 1)
        helper.refused("debug: argument 1 is the module: it is called with a dot, lun.debug(...)", lun, lun)
        helper.refused("debug: unknown option 'inf'; known is nan", lun, { inf = true })
        helper.refused("debug: option 'nan': a boolean is needed, got 1", lun, { nan = 1 })
    end)

    it("is switched on by LUNARRAY_DEBUG", function()
        local source = "local x = require('lunarray').zeros{1}:log() print(x)"
        assert.matches("log: result 1 is %-inf", (helper.run(source, { env = { LUNARRAY_DEBUG = "nan" } })))
        assert.matches('debug: LUNARRAY_DEBUG is "on"; known is nan',
            (helper.run(source, { env = { LUNARRAY_DEBUG = "on" } })))
        assert.matches("array 1 f32 %[%-inf%]", (helper.run(source, { env = { LUNARRAY_DEBUG = "" } })))
    end)
end)
