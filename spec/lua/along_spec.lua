-- apply_along_axis: a Lua function of each row along an axis.

local lun = require "lunarray"
local helper = require "spec.helper"

describe("apply_along_axis", function()
    local dev = lun.device()
    local list = { 3, 1, 2, 9, 6, 5, 4, 8, 7, 0, 11, 10 }
    local a = helper.array(dev, list, { 2, 3, 2 }, "f32")

    it("is what an operation gives along that axis", function()
        for axis = -3, 3 do
            if axis ~= 0 then
                local function along(of, f) return lun.apply_along_axis(f, axis, of) end
                assert.is_true(along(a, a.sort):equal(a:sort { axis = axis }))
                assert.is_true(along(a, function(row) return row:sum() end):equal(a:sum { axis = axis }))
                local n = a:cast "i8"
                local top = along(n, function(row) return row:max() end)
                assert.is_true(top:dtype() == "i64" and top:equal(n:max { axis = axis }))
                local some = along(a, function(row) return row:gt(8):any() end)
                assert.is_true(some:dtype() == "bool" and some:equal(a:gt(8):any { axis = axis }))
                local z = a * lun.i
                assert.is_true(along(z, function(row) return row:sum() end):equal(z:sum { axis = axis }))
            end
        end
        local wide = lun.apply_along_axis(function(row) return row:outer(row) end, 2, a)
        assert.same({ 2, 3, 3, 2 }, { wide:shape() })
        assert.is_true(wide:slice(2, nil, nil, 1):equal(a:slice(2, nil, 1):outer(a:slice(2, nil, 1))))
        assert.same({ 3.0, 6 }, { lun.apply_along_axis(a.max, 1, a:slice(1, nil, 1):slice { 1, 1 }),
            lun.apply_along_axis(a.size, 1, dev:ones { 6 }) })
        assert.same({ 2, 0, 2 }, { lun.apply_along_axis(function(row) return row:slice { 2, 1 } end, 2, a):shape() })
    end)

    it("says what it cannot take, or was not given", function()
        local function raises(message, ...)
            local arguments = table.pack(...)
            helper.raises("apply_along_axis: " .. message, function()
                lun.apply_along_axis(table.unpack(arguments, 1, arguments.n))
            end)
        end
        raises("argument 1: a function is needed, got 3", 3, 1, a)
        raises("argument 2: an axis (a whole number) is needed, got nothing", a.sum, nil, a)
        raises("axis 4 is out of range: the array has 3 axes (2x3x2)", a.sum, 4, a)
        raises("argument 3: an array is needed, got a table", a.sum, 1, {})
        raises("argument 4: nothing after argument 3 is needed, got 1", a.sum, 1, a, 1)
        raises("the array has shape 2x0: there is no row along axis 1", a.sum, 1, dev:zeros { 2, 0 })
        raises("the function gives nothing; an array or a number is needed", function() end, 1, a)
        local calls = 0
        raises("the function gives 1 for row 2, and before an array; all are arrays, or all numbers", function(row)
            calls = calls + 1
            return calls > 1 and 1 or row
        end, 1, a)
        raises("array 2 is 1, and array 1 is 2; arrays that are stacked have one shape", function(row)
            calls = calls + 1
            return row:slice { 1, calls % 2 + 1 }
        end, 1, a)
    end)
end)
