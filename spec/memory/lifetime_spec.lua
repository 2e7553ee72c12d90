-- Lifetimes: release, <close> and the collector, in any order, with work in flight, and the end of a Lua state.

local lun = require "lunarray"
local helper = require "spec.helper"
local numbers = require "spec.numbers"

local it = helper.one_in(2, it)

helper.each_device(function(dev, title)
    local function live() return helper.live(dev) end

    local function released()
        local a = dev:zeros { 2, 2 }
        a:release()
        return a
    end

    describe("a released array on " .. title, function()
        it("has given its memory back", function()
            local before = live()
            local a = dev:zeros { 100000 }
            a:release()
            assert.equal(before, dev:memory().live)
            a:release()
            assert.equal(before, dev:memory().live)
            assert.equal("lunarray.array (released)", tostring(a))
            assert.equal("array", lun.type(a))
        end)

        it("says so whatever is asked of it", function()
            local a = released()
            local b = dev:ones { 2, 2 }
            local GONE = ": self: the array was released"
            helper.raises("shape" .. GONE, function() a:shape() end)
            helper.raises("#a" .. GONE, function() local _ = #a end)
            for method in pairs(helper.methods(b)) do
                if method ~= "release" then
                    helper.raises(method .. GONE, function() a[method](a, b, b) end)
                end
            end
            helper.raises("reduce" .. GONE, function() a:reduce("sum") end)
        end)

        it("says so where it is an argument or an option", function()
            local a, b = released(), dev:ones { 2, 2 }
            helper.raises("a * b: left operand: the array was released", function() local _ = a * b end)
            helper.raises("a - b: left operand: the array was released", function() local _ = a - 1 end)
            helper.raises("a - b: right operand: the array was released", function() local _ = 1 - a end)
            helper.raises("-a: the array was released", function() local _ = -a end)
            helper.raises("mul: argument 1: the array was released", function() b:mul(a) end)
            helper.raises("sum: option 'out': the array was released", function() b:sum { axis = 1, out = a } end)
            assert.equal(4.0, b:sum())
        end)

        it("is also one whose <close> variable has left its scope", function()
            local before = live()
            local kept
            do
                local a <close> = dev:zeros { 100000 }
                kept = a
            end
            assert.equal(before, dev:memory().live)
            helper.raises("sum: self: the array was released", function() kept:sum() end)
        end)

        it("leaves its views, and work that needs it, as they are", function()
            local a = dev:full({ 300, 300 }, 2)
            local row = a:row(1)
            local product = a:matmul(a)
            a:release()
            assert.equal(600.0, row:sum())
            assert.equal(1200.0, product:get(300, 300))
        end)
    end)

    describe("the collector on " .. title, function()
        it("gives memory back", function()
            local before = live()
            for _ = 1, 10 do
                dev:zeros { 10000 }
            end
            assert.equal(before, live())
        end)

        it("takes arrays, views, events and mappings in any order", function()
            local before = live()
            local random = numbers.generator(3)
            for _ = 1, 60 do
                local a = dev:full({ 8, 8 }, 1)
                local objects = {
                    a, a:t(), a:row(1), a:copy { async = true }, a:sum { async = true }, dev:zeros({ 2 }):host("rw"),
                    dev:ones({ 8, 8 }):matmul(dev:eye(8)), dev:ones({ 3 }):totable { async = true },
                }
                a = nil -- luacheck: ignore
                while #objects > 0 do
                    table.remove(objects, random(1, #objects))
                    if random(1, 3) == 1 then
                        collectgarbage("step")
                    end
                end
            end
            dev:finish()
            assert.equal(before, live())
            assert.equal(2.0, dev:ones({ 2 }):sum())
        end)

        it("may run in the middle of any call", function()
            -- A finalizer that releases what a call is using: the call says so, or has used it already.
            collectgarbage("generational")
            finally(function() collectgarbage("incremental") end)
            for i = 1, 300 do
                local a, b = dev:ones { 4, 4 }, dev:ones { 4, 4 }
                setmetatable({}, { __gc = function() b:release() end })
                for _ = 1, i % 20 do
                    local _ = { {} }
                end
                local ok, product = pcall(a.matmul, a, b)
                if ok then
                    assert.equal(64.0, product:sum())
                else
                    assert.matches("released", product, 1, true)
                end
                collectgarbage("step")
            end
        end)

        it("may be as aggressive as it gets", function()
            collectgarbage("setpause", 1)
            collectgarbage("setstepmul", 10000)
            finally(function()
                collectgarbage("setpause", 200)
                collectgarbage("setstepmul", 100)
            end)
            for i = 1, 20 do
                local a = dev:arange(i * 10):reshape(10, i)
                assert.equal(i * 10 * (i * 10 + 1) // 2, a:t():contiguous():sum { axis = 1 }:sum())
                assert.equal(i * 10, #a:reshape(-1):totable { async = true }:get())
            end
        end)
    end)
end)

describe("the end of a Lua state", function()
    -- All ends well: no output but the script's own, and no other status.
    local function ends_well(source, expected_status)
        local output, status = helper.run("local lun = require 'lunarray' local dev = lun.device()\n" .. source)
        assert.equal("", output)
        assert.equal(expected_status or 0, status)
    end

    -- Work that is still under way when the script ends.
    local BUSY = [[
        n = dev:info().type == "cpu" and 16384 or 262144
        pos, out = dev:random { n, 4 }, dev:zeros { n, 4 }
        event = pos:gravity { softening = 0.1, out = out, async = true }
    ]]

    it("is clean with nothing opened, or with a device only", function()
        ends_well("")
        assert.equal("", helper.child("require 'lunarray'"))
    end)

    it("is clean with work in flight", function()
        ends_well(BUSY)
        ends_well(BUSY .. "local text = ('x'):rep(4 * #dev:zeros{1000}) list = {} "
            .. "for i = 1, 50 do list[i] = dev:array(text) end reading = out:tobytes { async = true }")
    end)

    it("is clean whatever still lives, and in whatever order it goes", function()
        ends_well(BUSY .. [[
            mapping = dev:zeros({ 100 }):host("rw")
            view, sum = out:t(), out:sum { async = true }
            setmetatable({}, { __gc = function() out = nil dev = nil view = nil end })
        ]])
    end)

    it("is clean by os.exit, with or without closing the state", function()
        ends_well(BUSY .. "os.exit(0, true)")
        ends_well(BUSY .. "os.exit(7, true)", 7)
        ends_well("pos = dev:random { 1000 } os.exit(0, false)")
    end)

    it("is clean after an error", function()
        local output, status = helper.run("local dev = require 'lunarray'.device()\n" .. BUSY .. "error('the end')")
        assert.equal(1, status)
        assert.matches("the end", output, 1, true)
    end)
end)

describe("several Lua states in one process", function()
    if not helper.has_layer "layer" then
        pending "needs build/layer/layer.so (make layer, with the headers of Lua)"
        return
    end

    local function in_states(source)
        return helper.child("local states = require 'layer'\n" .. source, { cpath = "build/layer/?.so" })
    end

    local WORK = [==[
        local WORK = [[
            local lun = require "lunarray"
            local a = lun.full({ 50, 50 }, %d)
            product = a:matmul(a)
            pending = product:sum { async = true }
            return product:get(50, 50)
        ]]
    ]==]

    it("share nothing, one after another", function()
        local output = in_states(WORK .. [[
            for i = 1, 5 do
                assert(states.run(WORK:format(i)) == 50.0 * i * i)
            end
            print(require "lunarray".ones({ 3 }):sum())
        ]])
        assert.equal("3.0\n", output)
    end)

    it("live side by side, and end in any order", function()
        local output = in_states(WORK .. [[
            local mine = require "lunarray".ones { 10 }
            local first, second, third = states.open(), states.open(), states.open()
            assert(states.run(WORK:format(2), first) == 200.0)
            assert(states.run(WORK:format(3), second) == 450.0)
            states.close(first)
            assert(states.run(WORK:format(4), third) == 800.0)
            assert(states.run("return pending:get()", second) == 450.0 * 2500)
            states.close(third)
            states.close(second)
            print(mine:sum())
        ]])
        assert.equal("10.0\n", output)
    end)

    it("work in threads at the same time, from the first discovery on", function()
        local output = in_states(WORK .. [[
            local list = {}
            for i = 1, 4 do list[i] = WORK:format(i) end
            for i, result in ipairs(states.threads(list)) do
                assert(result == 50.0 * i * i, result)
            end
            print("well")
        ]])
        assert.equal("well\n", output)
    end)
end)
