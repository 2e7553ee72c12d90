-- Means, variances and deviations of numbers whose sums or squares are too large for their dtype (moments.lua).

local checks = require "spec.reduce.moments"
local helper = require "spec.helper"

local it = helper.one_in(2, it)

-- f32 is computed in f64 where a device has that: nothing overflows.
helper.each_variant("map", function(dev, variant, title)
    local widest = dev:info().fp64 and "f64" or "f32"
    describe("moments of large numbers on " .. title, function()
        for name, check in pairs(checks) do
            it(name, function() helper.can(check, dev, widest, variant) end)
        end
        it("of many numbers in f32", function() helper.can(checks["of many numbers"], dev, "f32", variant) end)
    end)
end)

describe("moments of large numbers in f32 on a device without f64", function()
    if not helper.has_layer "narrow" then
        pending "needs build/layer/narrow.so (make layer)"
        return
    end
    it("are those on others", function()
        local script = [[
            local dev = require("lunarray").device()
            if dev:info().fp64 then
                return print "the loader takes no layers"
            end
            local helper = require "spec.helper"
            for _, check in pairs(require "spec.reduce.moments") do
                helper.can(check, dev, "f32", dev:variants("map")[1])
            end
            print "right"
        ]]
        local output = helper.child(script, { env = { OPENCL_LAYERS = "./build/layer/narrow.so" } })
        assert.is_true(output == "right\n" or output == "the loader takes no layers\n", output)
    end)
end)
