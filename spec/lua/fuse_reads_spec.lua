-- Fused functions that read their arguments at other positions: rolled, and with something around them, without copies.

local lun = require "lunarray"
local helper = require "spec.helper"

local it = helper.one_in(2, it)

-- The position that position i of an axis of that size is read at, or nil: a constant's; from 0.
local sources = {
    roll = function(i, size) return i % size end,
    wrap = function(i, size) return i % size end,
    edge = function(i, size) return math.max(0, math.min(i, size - 1)) end,
    reflect = function(i, size)
        i = i % (2 * math.max(size - 1, 1))
        return i < size and i or 2 * (size - 1) - i
    end,
    constant = function(i, size) return i >= 0 and i < size and i or nil end,
}

-- The elements of a matrix as a list, with {before, after} more positions along each axis.
local function read(list, rows, columns, mode, before, after, value)
    local result = {}
    for i = 0, rows + before[1] + after[1] - 1 do
        for j = 0, columns + before[2] + after[2] - 1 do
            local from, at = sources[mode](i - before[1], rows), sources[mode](j - before[2], columns)
            result[#result + 1] = from and at and list[from * columns + at + 1] or value
        end
    end
    return result
end

local SHAPES = { { 1, 1 }, { 1, 7 }, { 5, 1 }, { 2, 2 }, { 3, 40 }, { 17, 131 }, { 4, 300 } }

helper.describe_each_variant("map", "fuse", function(dev, variant)
    local shifts = { { 1, -1 }, { 0, 2 }, { -3, 0 }, { 1000003, -77 } }
    local rolled, padded = {}, {}
    for i, by in ipairs(shifts) do
        rolled[i] = lun.fuse(function(a, b)
            return a:roll(by, { 1, 2 }), b:roll(by[2], -1) - a:roll(by[1], 1):roll(1, 2)
        end)
    end
    for mode in pairs { wrap = 1, edge = 1, reflect = 1, symmetric = 1, constant = 1 } do
        padded[mode] = lun.fuse(function(a)
            return 1 * a:pad({ { 1, 0 }, { 2, 1 } }, { mode = mode, value = mode == "constant" and 7 or nil })
        end)
    end

    -- The matrix as it lies, and in other ways that leave its elements.
    local function ways(matrix, rows, columns)
        local gapped = dev:zeros({ 2 * rows, 3 * columns + 1 }, matrix:dtype()):slice({ 2, 2 * rows, 2 },
            { 1, 3 * columns, 3 })
        gapped:write(matrix)
        return { matrix, gapped, matrix:t():copy():t(), matrix:flip(2):copy():flip(2) }
    end

    -- The numbers from 1 on, as a list and as a matrix.
    local function numbered(rows, columns)
        local list = {}
        for i = 1, rows * columns do
            list[i] = i + 0.0
        end
        return list, dev:arange(1, rows * columns, { dtype = "f32" }):reshape(rows, columns)
    end

    it("reads rolled arguments, of any shape, shift and layout", function()
        for _, shape in ipairs(SHAPES) do
            local rows, columns = table.unpack(shape)
            local list, x = numbered(rows, columns)
            for i, by in ipairs(shifts) do
                local function shifted(di, dj)
                    return read(list, rows, columns, "roll", { di, dj }, { -di, -dj })
                end
                local wanted, b, a = {}, shifted(0, by[2]), shifted(by[1], 1)
                for k = 1, #list do
                    wanted[k] = b[k] - a[k]
                end
                for _, way in ipairs(ways(x, rows, columns)) do
                    if helper.can(rolled[i], way, x, { variant = variant }) then
                        local one, other = rolled[i](way, x, { variant = variant })
                        helper.check_array(one, "f32", shape, shifted(by[1], by[2]))
                        helper.check_array(other, "f32", shape, wanted)
                    end
                end
            end
        end
    end)

    it("reads padded arguments, in each mode", function()
        for _, shape in ipairs(SHAPES) do
            local rows, columns = table.unpack(shape)
            local list, x = numbered(rows, columns)
            for mode, f in pairs(padded) do
                local fits = mode == "wrap" and columns > 1 or mode == "reflect" and rows > 1 and columns > 2
                fits = fits or mode == "edge" or mode == "constant"
                for _, way in ipairs(fits and ways(x, rows, columns) or {}) do
                    if helper.can(f, way, { variant = variant }) then
                        helper.check_array(f(way, { variant = variant }), "f32", { rows + 1, columns + 3 },
                            read(list, rows, columns, mode, { 1, 2 }, { 0, 1 }, 7.0))
                    end
                end
            end
        end
    end)

    it("reads parts of what is rolled or padded", function()
        local cuts = { { { 1, 1 }, { 2, 2 } }, { { -1, -1 }, { -1, -1 } }, { { 2, -2 }, { 2, -1 } },
            { nil, { -3, -2 } }, { { 2 }, { 4, 2 } } }
        local inputs = { dev:random({ 3, 40 }, { seed = 1 }), dev:random({ 2, 4 }, { seed = 2 }),
            dev:random({ 300, 5 }, { seed = 3 }):t() }
        local made = { roll = { { 1, -3 }, { 1, 2 } } }
        for mode in pairs { wrap = 1, edge = 1, reflect = 1, constant = 1 } do
            made[mode] = { { { 1, 1 }, { 3, 1 } }, { mode = mode, value = mode == "constant" and 7 or nil } }
        end
        for mode, given in pairs(made) do
            local word = mode == "roll" and mode or "pad"
            for i, ranges in ipairs(cuts) do
                local function f(a, b)
                    return b * a[word](a, table.unpack(given)):slice(ranges[1], ranges[2])
                end
                for _, a in ipairs(inputs) do
                    local other, run = dev:full({ 1, 1 }, 2), lun.fuse(f)
                    if i <= 2 then -- one element, which broadcasts
                        other = dev:random({ 3, 9 }, { seed = 4 })
                    end
                    local makes = mode ~= "constant" or i > 2
                    if makes and helper.can(run, a, other, { variant = variant }) then
                        local wanted, got = f(a, other), run(a, other, { variant = variant })
                        assert.is_true(wanted:equal(got), mode .. " " .. i)
                    end
                end
            end
        end
    end)
end)

helper.describe_each_device("fuse", function(dev)
    it("reads arrays of each dtype at other positions", function()
        local f = lun.fuse(function(a) return a:roll(-2.0, 1.0) end)
        local g = lun.fuse(function(a) return a:pad(2.0, { value = 1 }) end)
        for _, dtype in ipairs(helper.dtypes(dev)) do
            local a = dev:arange(0, 40, { dtype = "f32" }):cast(dtype)
            local shifted, wider = f(a), g(a)
            assert.equal(dtype, shifted:dtype())
            assert.equal(a:roll(-2, 1):tobytes(), shifted:tobytes())
            assert.equal(a:pad(2, { value = 1 }):tobytes(), wider:tobytes())
        end
    end)

    it("rolls three axes, of which arrays broadcast, and what has no elements", function()
        local f = lun.fuse(function(a, b) return a:roll({ 1, -1, 2 }, { 1, 2, 3 }) + b:roll(1, 1) end)
        for _, shape in ipairs { { 2, 3, 5 }, { 1, 4, 1 }, { 3, 1, 2 }, { 2, 0, 3 }, { 0, 2, 2 } } do
            local a, b = dev:random(shape, { seed = 3 }), dev:random({ shape[3] }, { seed = 4 })
            local wanted = a:roll({ 1, -1, 2 }, { 1, 2, 3 }) + b:roll(1, 1)
            assert.equal(wanted:tobytes(), f(a, b):tobytes())
        end
    end)

    it("computes on with them, in texts of functions within it, and reduces them", function()
        local x = dev:random({ 6, 9 }, { seed = 5 })
        local around = lun.fuse(function(u)
            return u:roll(1, 1) + u:roll(-1, 1) + u:roll(1, 2) + u:roll(-1, 2)
        end)
        local energy = lun.fuse(function(u) return (u * around(u)):sum(), u:roll(1, 2):max { axis = 1 } end)
        local sum, most = energy(x)
        local wanted = (x * (x:roll(1, 1) + x:roll(-1, 1) + x:roll(1, 2) + x:roll(-1, 2))):sum()
        helper.check_number(wanted, sum, 54 * 2 ^ -22)
        local alone = lun.fuse(function(u) return (u * u:roll(2, 2)):sum() end)(x)
        helper.check_number((x * x:roll(2, 2)):sum(), alone, 54 * 2 ^ -22)
        assert.same({ 1.0, 2.0, 0.0, 0.0 },
            lun.fuse(function(u) return 1 * u:pad { { 0, 2 } } end)(dev:array { 1, 2 }):totable())
        assert.same(x:roll(1, 2):max({ axis = 1 }):totable(), most:totable())
    end)

    it("reads arrays of which views are, and from outside", function()
        local x, outside = dev:random({ 5, 8 }, { seed = 6 }), dev:random({ 4 }, { seed = 7 })
        local f = lun.fuse(function(u) return u:slice(nil, { 2, 5 }):roll(1, 2) + outside end)
        assert.equal((x:slice(nil, { 2, 5 }):roll(1, 2) + outside):tobytes(), f(x):tobytes())
    end)

    it("reads parts along axes that stay and of which the others are rolled, steps and positions too", function()
        local x = dev:random({ 4, 6, 5 }, { seed = 8 })
        local function f(a)
            local rolled = a:slice(nil, nil, { 1, 4 }):roll(2, 3)
            return rolled:slice(2, { 5, 1, -2 }, { 2, -1 }) - rolled:slice(-1, { 2, 4 }, { 1, 3 })
        end
        assert.is_true(f(x):equal(lun.fuse(f)(x)))
    end)

    it("streams nine populations in one call", function()
        local shifts = { { 0, 0 }, { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 }, { 1, 1 }, { -1, 1 }, { -1, -1 },
            { 1, -1 } }
        local function step(...)
            local f, rho = {}, 0
            for i, by in ipairs(shifts) do
                f[i] = select(i, ...):roll(by, { 1, 2 })
                rho = rho + f[i]
            end
            for i = 1, 9 do
                f[i] = f[i] + (rho / 9 - f[i]) * 0.5
            end
            return table.unpack(f)
        end
        local populations = {}
        for i = 1, 9 do
            populations[i] = dev:random({ 12, 70 }, { seed = i })
        end
        local got, wanted = { lun.fuse(step)(table.unpack(populations)) }, { step(table.unpack(populations)) }
        for i = 1, 9 do -- where products and sums are fused, to the last bit but two
            assert.is_true((wanted[i] - got[i]):abs():max() <= 2.0 ^ -22)
        end
    end)

    it("writes into no array that it reads at other positions", function()
        local x, y = dev:arange(6), dev:arange(6)
        local f = lun.fuse(function(a, b) return a:roll(1, 1) + b end)
        helper.raises("fuse: the output shares elements with an array that is read at other positions (roll, "
            .. "pad): they could be overwritten before they are read; give another array", function()
            f(x, y, { out = x })
        end)
        f(x, y, { out = y })
        assert.same({ 7, 3, 5, 7, 9, 11 }, y:totable())
    end)

    it("writes into an argument of a call that is the only step", function()
        local a = dev:random({ 4, 4 }, { seed = 3 })
        local out = a:copy()
        lun.fuse(function(x, y) return x:matmul(y) end)(out, a, { out = out })
        assert.is_true(out:equal(a:matmul(a)))
    end)

    it("gives dense values of what words give unchanged, however the argument lies in memory", function()
        local a = dev:arange(6):reshape(2, 3)
        for _, x in ipairs { a, a:t(), a:row(1):expand(1):broadcast(2, 3) } do
            for _, f in ipairs {
                function(y) return y:diff(0) * 2 end, function(y) return y:diff(0):t() + 1 end,
                function(y) return y:t():diff(0):t() end, function(y) return y:diff(0):slice { 1, -1 } * 1 end,
            } do
                assert.is_true(f(x):equal(lun.fuse(f)(x)))
            end
        end
    end)

    it("gives what the methods give of positions that no kernel reads by itself", function()
        local m = dev:random({ 3, 4 }, { seed = 9 })
        for i, f in ipairs {
            function(a) return a:roll(1) + 1 end,
            function(a) return (a + 1):roll(1, 1) * a end,
            function(a) return a:roll(1, 1):t() + 1 end,
            function(a) return a:roll(1, 1):pad(1) - 1 end,
            function(a) return a:pad(1):roll(1, 1) end,
            function(a) return a:roll(1, 1):slice({ 1, 2 }):slice({ 1, 1 }) * 2 end,
            function(a) return a:roll(1, 1):slice(2) - a end,
            function(a) return a:pad(1):slice(nil, { 1, -1, 2 }):sum { axis = 1 } end,
            function(a) return a:pad(1):slice(nil, { 1, 1 }) + 1 end,
            function(a) return a:pad({ { 0, 4 }, { 4, 4 } }, { mode = "wrap" }) * 2 end,
            function(a) return a:pad({ { 2, 0 }, { 4, 0 } }, { mode = "reflect" }) * 2 end,
            function(a) return a:pad({ { 3, 2 }, { 4, 4 } }, { mode = "symmetric" }) * 2 end,
            function(a) return a:pad({ { 4, 0 }, { 5, 0 } }, { mode = "symmetric" }) * 2 end,
            function(a) return a:pad(3, { mode = "linear_ramp", value = 2 }) * 2 end,
        } do
            assert.is_true(f(m):equal(lun.fuse(f)(m)), i)
        end
    end)

    it("refuses positions as the methods do, at the function's line", function()
        local m, other = dev:zeros { 3, 4 }, dev:zeros { 4 }
        for message, f in pairs {
            ["roll: axis 3 is out of range"] = function(a) return a:roll(1, 3) end,
            ["roll: there are 2 shifts, expected 1"] = function(a) return a:roll({ 1, 2 }, 1) end,
            ["slice: position 6 is out of range on axis 1, which has 5"] =
                function(a) return a:pad(1):slice { 2, 6 } end,
            ["pad: unknown mode 'mirror'; known are constant, edge, wrap, reflect, symmetric, linear_ramp"] =
                function(a) return a:pad(1, { mode = "mirror" }) end,
            ['pad: value is for the modes "constant" and "linear_ramp", not with "edge"'] =
                function(a) return a:pad(1, { mode = "edge", value = 1 }) end,
            ["a + b: shapes 3x4 and 5x6 do not broadcast"] = function(a) return a + a:pad(1) end,
            ["roll: axis 2 is out of range"] = function(a) return a + other:roll(1, 2) end,
        } do
            local ok, problem = pcall(lun.fuse(f), m)
            assert.is_false(ok, message)
            assert.equal(message, tostring(problem):match "^spec/lua/fuse_reads_spec.lua:%d+: lunarray: (.*)"
                :sub(1, #message))
        end
    end)
end)
