-- Lua functions of rows along an axis, of positions and of pieces; and positions that are numbers.

local lun = require "lunarray"
local helper = require "spec.helper"

local dev = lun.device()

describe("apply_along_axis", function()
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
        raises("the function returned nothing; an array or a number is needed", function() end, 1, a)
        local calls = 0
        raises("the function returned 1 for row 2, and an array before; all results must be arrays, or all "
            .. "numbers", function(row)
            calls = calls + 1
            return calls > 1 and 1 or row
        end, 1, a)
        raises("array 2 is 1, and array 1 is 2; arrays that are stacked have one shape", function(row)
            calls = calls + 1
            return row:slice { 1, calls % 2 + 1 }
        end, 1, a)
    end)
end)

describe("fromfunction", function()
    it("gives a function the positions of a shape", function()
        local function f(i, j) return i * 10 + j end
        helper.check_array(lun.fromfunction(f, { 2, 3 }, "f64"), "f64", { 2, 3 },
            { 11.0, 12.0, 13.0, 21.0, 22.0, 23.0 })
        helper.check_array(lun.fromfunction(lun.fuse(f), { 1, 2 }), "f32", { 1, 2 }, { 11.0, 12.0 })
        helper.check_array(lun.fromfunction(f, { 0, 2 }, { dtype = "i32" }), "i32", { 0, 2 }, {})
        helper.check_array(lun.fromfunction(function() return 3 end, 2, "u8"), "u8", { 2 }, { 3, 3 })
        helper.raises("fromfunction: argument 1: a function is needed, got 3", function() lun.fromfunction(3, 2) end)
        helper.raises("fromfunction: the function returned a string; an array or a number is needed", function()
            lun.fromfunction(function() return "x" end, 2)
        end)
        helper.raises("fromfunction: unknown option 'out'; known are dtype", function()
            lun.fromfunction(f, 2, { out = dev })
        end)
    end)
end)

describe("piecewise", function()
    it("has the values of the last condition that is true, in x's dtype", function()
        local x = dev:array { -3, -1, 0, 2, 5 }
        local function square(all) return all:square() end
        helper.check_array(lun.piecewise(x, { x:lt(1), x:lt(0), x:gt(4) }, { square, -7, x * 2 }), "f32", { 5 },
            { -7.0, -7.0, 0.0, 0.0, 10.0 })
        helper.check_array(lun.piecewise(x:cast "i32", { x:gt(0) }, { 2.5, function(all) return all / 2 end }), "i32",
            { 5 }, { -1, 0, 0, 2, 2 })
        helper.raises("piecewise: got 1 conditions and 3 values; as many values as conditions are needed, or "
            .. "one more", function()
            lun.piecewise(x, { x:lt(1) }, { 1, 2, 3 })
        end)
        helper.raises("piecewise: argument 2: a list is needed, got an array", function()
            lun.piecewise(x, x:lt(1), { 1 })
        end)
    end)
end)

describe("positions that are numbers", function()
    it("are converted as arrays of them", function()
        assert.same({ 2, 1, 3 }, { lun.unravel(9, { 2, 2, 3 }) })
        assert.same({ 1, 2 }, { lun.unravel(2, 3, 4) })
        assert.equal(9, lun.ravel({ 2, 1, 3 }, { 2, 2, 3 }))
        helper.raises("unravel: index 7 at position 1 is out of range 1..6", function() lun.unravel(7, { 2, 3 }) end)
        helper.raises("ravel: index 4 at position 1 of index array 2 is out of range 1..3", function()
            lun.ravel({ 1, 4 }, { 2, 3 })
        end)
        helper.raises("unravel: argument 1: an array is needed, got a number", function()
            lun.unravel(1.5, { 2, 3 })
        end)
    end)
end)
