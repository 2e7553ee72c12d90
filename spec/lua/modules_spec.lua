-- The table of functions for other C modules: spec/module/doubled.c uses all of it.

local helper = require "spec.helper"
local lun = require "lunarray"

local path = os.getenv "LUN_TEST_MODULE" or "build/module/doubled.so"
local open = package.loadlib(path, "luaopen_doubled")

describe("another C module", function()
    if not open then
        pending("needs " .. path)
        return
    end
    local module = open()
    local dev = lun.device()

    it("makes arrays and reads them by the host's memory", function()
        local a = dev:arange(1, 6):cast("f32"):reshape(2, 3)
        helper.check_array(module.doubled(a), "f32", { 2, 3 }, { 2.0, 4.0, 6.0, 8.0, 10.0, 12.0 })
        assert.equal(dev, module.doubled(a):device())
        helper.check_array(module.doubled(dev:zeros { 0, 4 }), "f32", { 0, 4 }, {})
        helper.check_array(module.doubled(dev:full({}, 4)), "f32", {}, { 8.0 })
    end)

    it("raises at the user's own line", function()
        for _, wrong in ipairs { 7, dev:zeros({ 2 }, "i32"), dev } do
            helper.raises("doubled: an array of f32 is needed", function() module.doubled(wrong) end)
        end
        local gone = dev:zeros { 2 }
        gone:release()
        helper.raises("doubled: an array of f32 is needed", function() module.doubled(gone) end)
        assert.matches("an array", select(2, pcall(module.later, gone, gone, dev:queue())))
        helper.raises("map: the elements are not contiguous in row-major order", function()
            module.doubled(dev:zeros({ 2, 3 }):t())
        end)
        local a, queue = dev:zeros { 2 }, dev:queue()
        helper.raises("close: a live queue is needed, got a number", function() module.later(a, a, 3) end)
        helper.raises("write: a live array is needed, got a table", function() module.later(a, {}, queue) end)
        collectgarbage() -- opens the gate of the last one
    end)

    it("gives ordinary events, of what a thread of its own does later", function()
        local a, out, queue = dev:zeros { 70000 }, dev:zeros { 70000 }, dev:queue()
        local event, keeper = module.later(a:fill(3), out, queue)
        assert.equal("event", lun.type(event))
        assert.equal(420000.0, out:sum()) -- waits for the gate, as for all work on that memory
        assert.is_true(event:wait(60))
        assert.is_true(module.ended(event))
        assert.equal(out, event:get())
        assert.equal("complete", event:status())
        assert.is_nil(module.ended(out))
        local turned = dev:zeros({ 3, 2 }):t()
        local second, other = module.later(dev:arange(1, 6):cast("f32"):reshape(2, 3), turned, queue)
        assert.is_true(lun.wait_all { second } == nil or second:done())
        helper.check_array(turned, "f32", { 2, 3 }, { 2.0, 4.0, 6.0, 8.0, 10.0, 12.0 })
        assert.is_truthy(keeper and other)
        queue:release()
    end)

    it("writes behind a gate, however much host memory transfers have taken", function()
        -- The module of `make faults` has room for 16 MiB of it.
        assert.equal("all\n", helper.child(([[
            local dev = require "lunarray".device()
            local module = package.loadlib(%q, "luaopen_doubled")()
            local queue, kept = dev:queue(), {}
            local a = dev:ones { 1 << 20 }
            for i = 1, 12 do
                local out = dev:zeros { 1 << 20 }
                kept[i] = { module.later(a, out, queue) }
                assert(kept[i][1]:wait(60))
                assert(out:sum() == 2 << 20)
            end
            print "all"
        ]]):format(path), { cpath = "build/faults/?.so", before = "timeout 100" }))
    end)

    it("lets hooks in", function()
        local event = dev:zeros({ 2 }):add(1, { async = true })
        local inside = false
        debug.sethook(function()
            local called = debug.getinfo(2, "f").func
            if called == module.ended then
                inside = true
            elseif inside then
                debug.sethook()
                error("interrupted", 0)
            end
        end, "c")
        local ok, problem = pcall(module.ended, event)
        assert.is_false(ok)
        assert.equal("interrupted", problem)
    end)
end)
