-- Points within a radius of each other, in one to three dimensions and in periodic boxes, against all pairs in Lua.

local helper = require "spec.helper"
local numbers = require "spec.numbers"

local EPS = { f32 = 2.0 ^ -23, f64 = 2.0 ^ -52 }

-- The distance of two points, to the nearest image where sides of the box are not 0.
local function distance(a, b, box)
    local sum = 0
    for axis = 1, #a do
        local x, side = math.abs(a[axis] - b[axis]), box and box[axis] or 0
        if side > 0 then
            x = x % side
            x = math.min(x, side - x)
        end
        sum = sum + x * x
    end
    return math.sqrt(sum)
end

local function expected(points, radius, box)
    local starts, positions, distances = { 1 }, {}, {}
    for i, a in ipairs(points) do
        for j, b in ipairs(points) do
            local apart = distance(a, b, box)
            if j ~= i and apart <= radius then
                positions[#positions + 1], distances[#distances + 1] = j, apart
            end
        end
        starts[i + 1] = #positions + 1
    end
    return starts, positions, distances
end

local function check(dev, dtype, points, radius, box)
    local starts, positions, distances = expected(points, radius, box)
    local s, p, d = dev:array(points, dtype):neighbours(radius, { box = box, distances = true })
    helper.check_array(s, "i64", { #starts }, starts)
    helper.check_array(p, "i64", { #positions }, positions)
    helper.check_array(d, dtype, { #distances }, distances, 4 * EPS[dtype] * radius)
end

helper.each_device(function(dev, title)
    local random = numbers.generator(7)
    -- In sixteenths of the scale, so that distances on the radius are exact; `spread` of them on each side of 0.
    local function some(n, dims, spread, scale)
        local points = {}
        for i = 1, n do
            points[i] = {}
            for axis = 1, dims do
                points[i][axis] = random(-spread, spread) / 16 * scale
            end
        end
        return points
    end

    describe("neighbours on " .. title, function()
        for _, dtype in ipairs { "f32", dev:info().fp64 and "f64" or nil } do
            it("finds all pairs of " .. dtype, function()
                for dims = 1, 3 do
                    for _, n in ipairs { 1, 2, 64, 65, 200 } do
                        check(dev, dtype, some(n, dims, 40, 1), 0.5)
                        check(dev, dtype, some(n, dims, 3, 1), 0.25) -- many at one place, and on the radius
                        check(dev, dtype, some(n, dims, 400, 1), 0)
                        check(dev, dtype, some(n, dims, 40, 1), 99)
                    end
                end
                local far = some(60, 3, 20, 1)
                for i = 1, 30 do
                    far[i][1], far[i][3] = far[i][1] + 2.0 ^ 14, far[i][3] - 2.0 ^ 14
                end
                check(dev, dtype, far, 1)
            end)

            it("finds the nearest images in a box of " .. dtype, function()
                for dims = 1, 3 do
                    for _, side in ipairs { 0.5, 1, 3, 40 } do
                        local box = { side, 2 * side, side == 3 and 0 or side }
                        local sides = table.move(box, 1, dims, 1, {})
                        check(dev, dtype, some(150, dims, math.tointeger(side * 8), 1), 0.5, sides)
                        check(dev, dtype, some(90, dims, 100, 1), 0.5, sides)
                    end
                end
                -- One cell more around the box than there are tags and buckets: the first and last are told apart.
                check(dev, dtype, some(100, 1, 129 * 8, 1), 1, { 129 })
            end)
        end

        it("neither overflows nor underflows, and leaves out what is not finite", function()
            for _, scale in ipairs { 2.0 ^ 100, 2.0 ^ -100 } do
                check(dev, "f32", some(50, 2, 20, scale), 0.5 * scale)
                check(dev, "f32", some(50, 2, 20, scale), 0.5 * scale, { 2 * scale, 0 })
            end
            local nan, inf = 0 / 0, math.huge
            local points = dev:array { { nan }, { 1 }, { 1 }, { inf }, { inf }, { -inf }, { 0 } }
            for _, box in ipairs { 0, 8 } do
                local starts, positions = points:neighbours(1, { box = box })
                helper.check_array(starts, "i64", { 8 }, { 1, 1, 3, 5, 5, 5, 5, 7 })
                helper.check_array(positions, "i64", { 6 }, { 3, 7, 2, 7, 2, 3 })
            end
        end)

        it("takes no points, integers, and one side for all", function()
            local starts, positions, distances = dev:zeros { 0, 3 }:neighbours(1, { distances = true })
            helper.check_array(starts, "i64", { 1 }, { 1 })
            helper.check_array(positions, "i64", { 0 }, {})
            assert.equal(0, distances:size())
            starts, positions = dev:array({ { 0, 3 }, { 0, 0 }, { 5, 4 } }, "i8"):neighbours(3, { box = 6 })
            helper.check_array(starts, "i64", { 4 }, { 1, 3, 5, 7 })
            helper.check_array(positions, "i64", { 6 }, { 2, 3, 1, 3, 1, 2 })
        end)
    end)

    it("neighbours refuses other points, radii and boxes on " .. title, function()
        local points = dev:zeros { 3, 2 }
        helper.refused("neighbours: points are rows of 1 to 3 coordinates, and the array has shape 3x4",
            dev:zeros { 3, 4 }, 1)
        helper.refused("neighbours: points are rows of 1 to 3 coordinates, and the array has shape 3",
            dev:zeros { 3 }, 1)
        helper.refused("neighbours: argument 1: a finite radius from 0 is needed, got -1", points, -1)
        helper.refused("neighbours: argument 1: a finite radius from 0 is needed, got nan", points, 0 / 0)
        helper.refused("neighbours: option 'box': finite lengths from 0 are needed, got inf", points, 1,
            { box = { 1, math.huge } })
        helper.refused("neighbours: option 'box': one length, or 2 (one for each coordinate), is needed, got 3",
            points, 1, { box = { 1, 2, 3 } })
    end)
end)
