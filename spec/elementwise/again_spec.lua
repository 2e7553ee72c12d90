-- An elementwise call that is as the one before is not looked at again, and one that differs in anything is.

local helper = require "spec.helper"

helper.each_device(function(dev, title)
    local function check(array, dtype, shape, values)
        assert.equal(dtype, array:dtype())
        assert.same(shape, { array:shape() })
        assert.same(values, array:reshape(array:size()):totable())
    end

    it("calls one behind the other that differ a little have each their dtype, shape and values " .. title, function()
        local x, y = dev:array({ 1, 2, 3 }, "i8"), dev:array({ 1, 2, 3 }, "i16")
        for _ = 1, 2 do
            check(x + x, "i8", { 3 }, { 2, 4, 6 })
            check(x + y, "i16", { 3 }, { 2, 4, 6 })
            check(x - y, "i16", { 3 }, { 0, 0, 0 })
            check(x:reshape(3, 1) + x, "i8", { 3, 3 }, { 2, 3, 4, 3, 4, 5, 4, 5, 6 })
            check(x + x:reshape(3, 1), "i8", { 3, 3 }, { 2, 3, 4, 3, 4, 5, 4, 5, 6 })
            check(x:reshape(1, 3) + x, "i8", { 1, 3 }, { 2, 4, 6 })
            check(x:slice { 1, 2 } + x:slice { 2, 3 }, "i8", { 2 }, { 3, 5 })
            check(x + x, "i8", { 3 }, { 2, 4, 6 })
            check(x:slice { 2, 3 } + x:slice { 2, 3 }, "i8", { 2 }, { 4, 6 })
            check(x + 1, "i8", { 3 }, { 2, 3, 4 })
            check(x + 2, "i8", { 3 }, { 3, 4, 5 })
            check(x + 1.5, "f32", { 3 }, { 2.5, 3.5, 4.5 })
            check(1 - x, "i8", { 3 }, { 0, -1, -2 })
            check(x - 1, "i8", { 3 }, { 0, 1, 2 })
        end
    end)

    it("comparisons with numbers that the dtype does not hold are told from those with others " .. title, function()
        local x = dev:array({ 1, 2, 3 }, "i8")
        for _ = 1, 2 do
            check(x:lt(2), "bool", { 3 }, { true, false, false })
            check(x:lt(1000), "bool", { 3 }, { true, true, true })
            check(x:lt(-1000), "bool", { 3 }, { false, false, false })
            check(x:lt(3), "bool", { 3 }, { true, true, false })
            check(x:minimum(1000), "i8", { 3 }, { 1, 2, 3 })
            check(x:minimum(2), "i8", { 3 }, { 1, 2, 2 })
        end
    end)

    it("arrays that were released are refused, though the call before was the same " .. title, function()
        local x, y = dev:ones { 3 }, dev:ones { 3 }
        check(x + y, "f32", { 3 }, { 2, 2, 2 })
        y:release()
        local ok, problem = pcall(function() return x + y end)
        assert.is_false(ok)
        assert.matches("the array was released", tostring(problem), 1, true)
    end)
end)
