-- Views with other axes, beside elements that are found one by one: mt, swapaxes, moveaxis, rot90, diagonal, unstack,
-- windows; and flatten.

local lun = require "lunarray"
local helper = require "spec.helper"

-- Calls body(positions) for all positions of an array of that shape, row by row.
local function each_position(shape, body)
    local function walk(axis, at)
        if axis > #shape then
            body(at)
            return
        end
        for i = 1, shape[axis] do
            at[axis] = i
            walk(axis + 1, at)
        end
    end
    walk(1, {})
end

-- The view has that shape, and at each position the element of `array` whose positions `from` gives.
local function check(view, array, shape, from, what)
    local expected = {}
    each_position(shape, function(at) expected[#expected + 1] = array:get(table.unpack(from(at))) end)
    helper.check_array(view, array:dtype(), shape, expected, 0, what)
end

helper.describe_each_device("views with other axes", function(dev)
    local a = dev:arange(60, "i32"):reshape(3, 4, 5)
    local odd = dev:arange(240, "i32"):reshape(6, 4, 10):slice({ 6, 1, -2 }, nil, { 2, 10, 2 })

    it("exchange and move axes", function()
        for _, x in ipairs { a, odd } do
            check(x:mt(), x, { 3, 5, 4 }, function(at) return { at[1], at[3], at[2] } end)
            check(x:swapaxes(1, -1), x, { 5, 4, 3 }, function(at) return { at[3], at[2], at[1] } end)
            check(x:moveaxis(1, -1), x, { 4, 5, 3 }, function(at) return { at[3], at[1], at[2] } end)
            check(x:moveaxis(3, 1), x, { 5, 3, 4 }, function(at) return { at[2], at[3], at[1] } end)
            check(x:moveaxis({ 1, 2 }, { 3, 1 }), x, { 4, 5, 3 }, function(at) return { at[3], at[1], at[2] } end)
            check(x:moveaxis({}, {}), x, { 3, 4, 5 }, function(at) return at end)
        end
        assert.same({ 7, 2, 3, 4 }, { dev:zeros({ 2, 3, 4, 7 }):moveaxis(4, 1):shape() })
        local b = a:copy()
        b:mt():row(1):fill(0)
        assert.equal(0, b:row(1):absmax())
        assert.equal(a:row(2):sum(), b:row(2):sum())
    end)

    it("turn by quarters", function()
        for _, x in ipairs { a, odd } do
            for _, k in ipairs { 1, -3, 5 } do
                check(x:rot90(k), x, { 4, 3, 5 }, function(at) return { at[2], 5 - at[1], at[3] } end)
            end
            check(x:rot90(), x, { 4, 3, 5 }, function(at) return { at[2], 5 - at[1], at[3] } end)
            check(x:rot90(2), x, { 3, 4, 5 }, function(at) return { 4 - at[1], 5 - at[2], at[3] } end)
            check(x:rot90(-1), x, { 4, 3, 5 }, function(at) return { 4 - at[2], at[1], at[3] } end)
            check(x:rot90(0), x, { 3, 4, 5 }, function(at) return at end)
            check(x:rot90(1, { axes = { 3, 2 } }), x, { 3, 5, 4 }, function(at) return { at[1], 5 - at[3], at[2] } end)
        end
    end)

    it("are diagonals of batches", function()
        for _, x in ipairs { a, odd } do
            check(x:diagonal(), x, { 3, 4 }, function(at) return { at[1], at[2], at[2] } end)
            check(x:diagonal(2), x, { 3, 3 }, function(at) return { at[1], at[2], at[2] + 2 } end)
            check(x:diagonal(-3), x, { 3, 1 }, function(at) return { at[1], at[2] + 3, at[2] } end)
            check(x:diagonal(1, { axes = { 3, 1 } }), x, { 4, 2 }, function(at) return { at[2] + 1, at[1], at[2] } end)
            assert.same({ 3, 0 }, { x:diagonal(5):shape() })
            assert.same({ 3, 0 }, { x:diagonal(math.mininteger):shape() })
        end
        local b = a:copy()
        b:diagonal(0):fill(-1)
        assert.equal(-12, b:minimum(0):sum())
    end)

    it("are the positions of an axis", function()
        local parts = { odd:unstack(2) }
        assert.equal(4, #parts)
        for i, part in ipairs(parts) do
            check(part, odd, { 3, 5 }, function(at) return { at[1], i, at[2] } end)
        end
        assert.equal(3, select("#", odd:unstack()))
        assert.equal(0, select("#", dev:zeros({ 0, 3 }):unstack()))
        assert.equal(5, select("#", odd:unstack { axis = 3 }))
    end)

    it("are windows", function()
        for _, x in ipairs { a, odd } do
            check(x:windows(2, { axis = 2 }), x, { 3, 3, 5, 2 }, function(at)
                return { at[1], at[2] + at[4] - 1, at[3] }
            end)
            check(x:windows({ 3, 2 }, { axis = { 3, 1 }, step = { 2, 1 } }), x, { 2, 4, 2, 3, 2 }, function(at)
                return { at[1] + at[5] - 1, at[2], 2 * at[3] - 1 + at[4] - 1 }
            end)
            check(x:windows({ 3, 4, 5 }), x, { 1, 1, 1, 3, 4, 5 }, function(at) return { at[4], at[5], at[6] } end)
            check(x:windows({ 1, 2, 2, step = 3 }), x, { 1, 1, 2, 1, 2, 2 }, function(at)
                return { 3 * at[1] - 2 + at[4] - 1, 3 * at[2] - 2 + at[5] - 1, 3 * at[3] - 2 + at[6] - 1 }
            end)
            assert.same({ 4, 4, 5, 0 }, { x:windows(0, { axis = 1 }):shape() })
        end
        local spread = "a broadcast view cannot be written: its elements are at several positions; copy it first"
        local two = a:windows(2, { axis = 1 })
        helper.raises("fill: " .. spread, function() two:fill(0) end)
        helper.refused("put: the array is a broadcast view, whose elements are at several positions", two, 1, 0)
        a:copy():windows(2, { axis = 1, step = 2 }):fill(0) -- each element stands in one of these
        local sums = lun.fuse(function(x) return (x:windows(2) * 2):sum { axis = 2 } end)
        helper.check_array(sums(dev:arange(4)), "i64", { 3 }, { 6, 10, 14 })
    end)

    it("are made of arguments of fused functions", function()
        local sum, same = lun.fuse(function(x)
            return x:mt() + x:swapaxes(2, 3), x:moveaxis(3, 1):swapaxes(1, 2):rot90(2):rot90(-2) * 1
        end)(a)
        check(sum, a:mt() * 2, { 3, 5, 4 }, function(at) return at end)
        check(same, a, { 3, 5, 4 }, function(at) return { at[1], at[3], at[2] } end)
        check(lun.fuse(function(x) return x:diagonal(1) * 1 end)(a), a:diagonal(1), { 3, 4 },
            function(at) return at end)
    end)

    it("flatten to a copy", function()
        for _, x in ipairs { a, odd, a:mt(), dev:zeros { 2, 0 } } do
            local flat = x:flatten()
            assert.same(x:copy():reshape(-1):totable(), flat:totable())
        end
        local out = dev:zeros({ 120 }, "i32"):slice { 1, 120, 2 }
        helper.raises("flatten: ", function() a:mt():flatten { out = dev:zeros({ 3, 20 }, "i32") } end)
        assert.same(a:mt():copy():reshape(-1):totable(), a:mt():flatten({ out = out:copy(),
            async = true }):get():totable())
    end)

    it("refuse what they cannot be", function()
        local v = dev:zeros { 3 }
        local matrix = ": an array with 2 axes or more is needed; this one has 1"
        helper.raises("mt" .. matrix, function() v:mt() end)
        helper.raises("rot90" .. matrix, function() v:rot90() end)
        helper.raises("diagonal" .. matrix, function() v:diagonal() end)
        helper.raises("rot90: option 'axes': two axes are needed, got 1", function() a:rot90(1, { axes = 1 }) end)
        helper.raises("rot90: axis 1 is named twice", function() a:rot90(1, { axes = { 1, 1 } }) end)
        helper.raises("moveaxis: 2 axes cannot be moved to 1 positions", function() a:moveaxis({ 1, 2 }, 1) end)
        helper.raises("swapaxes: axis 4 is out of range", function() a:swapaxes(1, 4) end)
        helper.refused("unstack: the array has no axes, so it has no windows", v:slice(1))
        helper.raises("windows: there are 1 widths, expected 3 (the axes); the option axis names some of them",
            function() a:windows(2) end)
        helper.refused("windows: there are 2 widths, expected 1", a, { 2, 2 }, { axis = 1 })
        helper.refused("windows: windows of 4 positions do not fit axis 1, which has 3", a, 4, { axis = 1 })
        helper.refused("windows: step 1 is 0; a whole number from 1 is needed", a, 2, { axis = 1, step = 0 })
        helper.refused("windows: there are 2 steps, expected 1", a, 2, { axis = 1, step = { 1, 2 } })
        helper.refused("windows: the view would have 10 axes; at most 8 are possible",
            dev:zeros({ 1, 1, 1, 1, 1 }), { 1, 1, 1, 1, 1 })
    end)
end)
