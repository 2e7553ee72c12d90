-- Values between elements, against numbers of scipy.ndimage, medians of windows, against sorted lists, and images
-- smoothed by a Gaussian, against its formula.

local helper = require "spec.helper"
local numbers = require "spec.numbers"

-- Of the image below at the places below, by mode and order. SciPy's splines of "reflect" are not exact there.
local EXPECTED = {
    constant = { [0] = { 1.0, 5.0, 7.0, 9.0, -1.0, -1.0, -1.0 }, { 1.0, 4.75, 6.625, 9.0, -1.0, -1.0, -1.0 },
        [3] = { 1.0, 4.71484375, 6.85673828125, 9.0, -1.0, -1.0, -1.0 } },
    nearest = { [0] = { 1.0, 5.0, 7.0, 9.0, 9.0, 2.0, 8.0 }, { 1.0, 4.75, 6.625, 9.0, 9.0, 2.0, 8.0 },
        [3] = { 1.0, 5.12211778668256, 6.3813850832446, 9.0, 10.1952965611238, 1.34326673973659,
            8.0221091474747 } },
    mirror = { [0] = { 1.0, 5.0, 7.0, 9.0, 7.0, 8.0, 2.0 }, { 1.0, 4.75, 6.625, 9.0, 6.1, 5.0, 3.75 },
        [3] = { 1.0, 4.71484375, 6.85673828125, 9.0, 6.16106875, 4.625, 3.256725 } },
    reflect = { [0] = { 1.0, 5.0, 7.0, 9.0, 9.0, 2.0, 1.0 }, { 1.0, 4.75, 6.625, 9.0, 9.0, 2.0, 2.25 } },
    wrap = { [0] = { 1.0, 5.0, 7.0, 9.0, 8.0, 2.0, 6.0 }, { 1.0, 4.75, 6.625, 9.0, 5.45, 4.0, 3.85 },
        [3] = { 1.0, 5.15625, 6.93170166015625, 9.0, 6.06875, 3.0, 3.0585625 } },
}
local PLACES = { { 1, 1.5, 2.25, 3, 3.75, 0.5, -2.6 }, { 1, 2.5, 3.75, 4, 4.4, 2, 6.25 } }

-- The position from 0 whose element continues n elements at position i; nil: the constant.
local function at(i, n, mode)
    if i >= 0 and i < n then
        return i
    elseif mode == "edge" then
        return i < 0 and 0 or n - 1
    elseif mode == "wrap" then
        return i % n
    elseif mode ~= "constant" then
        local kept = mode == "symmetric" and 1 or 0
        return at(i < 0 and -i - kept or 2 * n - 2 - i + kept, n, mode)
    end
end

-- A row that a Gaussian smooths.
local function smoothed(row, sigma, radius, mode, value)
    local result, sum = {}, 0
    for k = -radius, radius do
        sum = sum + math.exp(-k * k / (2 * sigma * sigma))
    end
    for i = 1, #row do
        result[i] = 0
        for k = -radius, radius do
            local from = at(i - 1 + k, #row, mode)
            result[i] = result[i] + math.exp(-k * k / (2 * sigma * sigma)) / sum * (from and row[from + 1] or value)
        end
    end
    return result
end

helper.each_device(function(dev, title)
    local wide = dev:info().fp64 and "f64" or "f32"
    local bound = wide == "f64" and 2 ^ -44 or 2 ^ -17

    describe("map_coordinates on " .. title, function()
        local image = dev:array({ { 1, 2, 4, 8 }, { 3, 8, 5, 7 }, { 2, 6, 1, 9 } }, wide)
        local places = dev:array(PLACES, wide)

        it("has SciPy's values, of each mode and order", function()
            for mode, orders in pairs(EXPECTED) do
                for order, expected in pairs(orders) do
                    local options = { mode = mode, order = order, cval = -1 }
                    helper.check_array(image:map_coordinates(places, options), wide, { 7 }, expected, bound * 16)
                    helper.check_array(image:t():copy():t():cast("i16"):map_coordinates(places, options),
                        wide, { 7 }, expected, bound * 16)
                end
            end
        end)

        it("gives the elements at their positions", function()
            local rows, columns = {}, {}
            for i = 0, 11 do
                rows[i + 1], columns[i + 1] = i // 4 + 1, i % 4 + 1
            end
            local grid = dev:array({ rows, columns }, "i32"):reshape(2, 3, 4)
            for _, mode in ipairs { "constant", "nearest", "mirror", "reflect", "wrap" } do
                helper.check_array(image:map_coordinates(grid, { mode = mode }), wide, { 3, 4 }, helper.flat(image),
                    bound * 16)
            end
            helper.check_array(dev:array { 5 }:map_coordinates(dev:array { { 1, 3 } }, { mode = "wrap" }), "f32", { 2 },
                { 5.0, 5.0 })
            local nan = dev:array({ { 0 / 0 }, { 1 } }, wide)
            assert.is_true(image:map_coordinates(nan):isnan():get(1))
            assert.equal(3.0, image:cast("f32"):map_coordinates(dev:array({ 2, 1 }, wide), { order = 0 }):get())
        end)

        it("refuses what it cannot take", function()
            helper.refused("map_coordinates: points is 3x1, expected as many rows as the array has axes, which is 3x4",
                image, dev:ones { 3, 1 })
            helper.refused("map_coordinates: the order is 2; 0, 1 or 3 is needed", image, places, { order = 2 })
            helper.refused("map_coordinates: unknown mode 'edge'; ", image, places, { mode = "edge" })
            helper.refused("map_coordinates: the array has no elements; at least one is needed", dev:ones { 0, 2 },
                places)
        end)
    end)

    describe("medfilt on " .. title, function()
        it("is the middle of the sorted window, of each mode", function()
            local random, list = numbers.generator(5), {}
            for i = 1, 35 do
                list[i] = random(-20, 20)
            end
            for _, mode in ipairs { "constant", "edge", "wrap", "reflect" } do
                local expected = {}
                for i = 0, 34 do
                    local window = {}
                    for row = i // 7 - 1, i // 7 + 1 do
                        for column = i % 7 - 2, i % 7 + 2 do
                            local y, x = at(row, 5, mode), at(column, 7, mode)
                            window[#window + 1] = y and x and list[y * 7 + x + 1] or 1
                        end
                    end
                    table.sort(window)
                    expected[i + 1] = window[8]
                end
                for _, dtype in ipairs { "i16", "i64" } do
                    local image = dev:array(list, dtype, { 5, 7 })
                    helper.check_array(image:medfilt({ 3, 5 }, { mode = mode, value = 1 }), dtype, { 5, 7 }, expected)
                end
            end
            local large = dev:array({ 1 << 60, (1 << 60) + 1, (1 << 60) + 2 }, "i64")
            helper.check_array(large:medfilt(3, { mode = "edge" }), "i64", { 3 }, large:totable())
            helper.check_array(dev:array { 1, 5, 2, 7 }:medfilt(), "f32", { 4 }, { 1.0, 2.0, 5.0, 2.0 })
            helper.check_array(dev:array { 1, 5, 2 }:medfilt(1), "f32", { 3 }, { 1.0, 5.0, 2.0 })
        end)

        it("refuses what is no window", function()
            local image = dev:ones { 3, 3 }
            helper.refused("medfilt: width 2 is 4; an odd number is needed", image, { 3, 4 })
            helper.refused("medfilt: there are 3 widths, expected one, or 2 (the axes)", image, { 3, 3, 3 })
            helper.refused("medfilt: the array has 5 axes, too many for windows beside them",
                dev:ones { 1, 1, 1, 1, 1 })
        end)
    end)

    describe("gaussian_filter on " .. title, function()
        local random = numbers.generator(7)
        local image = dev:array({ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }, wide, { 3, 5 })
        for i = 1, 15 do
            image:set(random(-20, 20), (i + 4) // 5, (i - 1) % 5 + 1)
        end

        -- The image by lists: along its columns, then along its rows.
        local function expected(sigma, radius, mode)
            local rows, columns, all = image:totable(), {}, {}
            for k = 1, 5 do
                columns[k] = smoothed({ rows[1][k], rows[2][k], rows[3][k] }, sigma[1], radius[1], mode, 2)
            end
            for i = 1, 3 do
                local row = {}
                for k = 1, 5 do
                    row[k] = columns[k][i]
                end
                table.move(smoothed(row, sigma[2], radius[2], mode, 2), 1, 5, #all + 1, all)
            end
            return all
        end

        it("convolves with a kernel along each axis, of each mode, kernels longer than the axis, too", function()
            for _, mode in ipairs { "constant", "edge", "wrap", "reflect", "symmetric" } do
                local list = expected({ 1.6, 0.4 }, { 6, 2 }, mode)
                local options = { mode = mode, value = 2 }
                helper.check_array(image:gaussian_filter({ 1.6, 0.4 }, options), wide, { 3, 5 }, list, 40 * bound)
                helper.check_array(image:cast("i32"):gaussian_filter({ 1.6, 0.4 }, options), wide, { 3, 5 }, list,
                    40 * bound)
                helper.check_array(image:t():cast("f32"):gaussian_filter({ 0.4, 1.6 }, options):t(), "f32", { 3, 5 },
                    list, 40 * 2 ^ -20)
            end
            helper.check_array(image:gaussian_filter(0.7, { truncate = 2.2 }), wide, { 3, 5 },
                expected({ 0.7, 0.7 }, { 2, 2 }, "symmetric"), 40 * bound)
            helper.check_array(image:gaussian_filter(1e-300), wide, { 3, 5 }, helper.flat(image))
            helper.check_array(image:complex(image * 2):gaussian_filter(1):imag():copy(), wide, { 3, 5 },
                helper.flat(image:gaussian_filter(1) * 2), 40 * bound)
            assert.equal(3.0, dev:full({}, 3):gaussian_filter(2):get())
        end)

        it("refuses what is no sigma", function()
            local refused = helper.refused
            refused("gaussian_filter: there are 3 numbers in sigma, expected one, or 2 (the axes)", image, { 1, 1, 1 })
            refused("gaussian_filter: sigma is -1; numbers from 0 to 1048576 / truncate are needed", image, { 1, -1 })
            refused("gaussian_filter: sigma is a string; numbers from 0 to", image, { 1, "1" })
            refused("gaussian_filter: sigma is inf; numbers from 0 to", image, 1 / 0)
            refused("gaussian_filter: truncate is nan; a number from 0 to 1048576 is needed", image, 1,
                { truncate = 0 / 0 })
            refused("gaussian_filter: unknown mode 'nearest'; known are constant, edge", image, 1, { mode = "nearest" })
        end)
    end)
end)
