-- The module's functions that stand for the default device: programs, queues, waiting; and the clock.

local lun = require "lunarray"
local helper = require "spec.helper"

describe("the default device", function()
    it("has programs, queues and an end to wait for by the module's name too", function()
        local dev = lun.device()
        local queue <close> = lun.queue()
        assert.equal(dev, queue:device())
        local x = lun.zeros { 5 }
        lun.program("kernel void one(global float *x) { x[get_global_id(0)] = 1; }").one(x)
        assert.equal(dev, x:device())
        local event = x:fill(2, { queue = queue, async = true })
        lun.finish()
        assert.is_true(event:done())
        assert.equal(10.0, x:sum())
    end)

    it("is told what is wrong as a device is", function()
        helper.refused("queue: unknown option 'x'; known are", lun, { x = 1 })
        helper.raises("finish: argument 1 is the module: it is called with a dot, lun.finish(...)",
            function() lun:finish() end)
    end)
end)

describe("the clock", function()
    it("counts seconds that never run backwards", function()
        local last = lun.clock()
        assert.equal("float", math.type(last))
        for _ = 1, 1000 do
            local now = lun.clock()
            assert.is_true(now >= last)
            last = now
        end
        helper.refused("clock: argument 1: no argument is needed, got a number", lun, 1)
    end)
end)
