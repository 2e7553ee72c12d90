-- Pictures of arrays: the PNG files that plot.image writes, and what it refuses.

local lun = require "lunarray"
local helper = require "spec.helper"
local plot = require "lunarray.plot"

local dev = lun.device()
if not helper.read_file("build/machine"):find("-DLUN_ZLIB", 1, true) then
    return pending "pictures, which are read through zlib" -- luacheck: ignore
end

-- What imread reads from the file.
local function drawn(array, options)
    return helper.with_file(function(path)
        plot.image(path, array, options)
        return dev:imread(path)
    end)
end

-- The colours of a picture with a palette, as lists of { r, g, b, alpha }, row by row.
local function colours(array, options)
    return drawn(array, options):reshape(array:size(), 4):totable()
end

describe("plot.image", function()
    helper.each_device(function(other, title)
        it("writes u8 as grey, as colours, and with an alpha channel on " .. title, function()
            for _, channels in ipairs { 1, 3, 4 } do
                local a = other:arange(0, 2 * 3 * channels - 1, 1, "u8"):reshape(2, 3, channels)
                a = channels == 1 and a:reshape(2, 3) or a
                assert.is_true(drawn(a):equal(a:to(dev)))
            end
        end)

        it("maps numbers of any dtype through a colour scale on " .. title, function()
            for _, name in ipairs(helper.dtypes(other)) do
                if name ~= "u8" then
                    local got = colours(other:array({ { 1, 3, 5 } }, name), { scale = "grey" })
                    assert.same({ { 0, 0, 0, 255 }, { 128, 128, 128, 255 }, { 255, 255, 255, 255 } }, got, name)
                end
            end
        end)
    end)

    it("takes views", function()
        local a = dev:randint({ 300, 301 }, 0, 255, "u8", { seed = 1 })
        for _, each in ipairs { a, a:t(), a:flip(1) } do
            assert.is_true(drawn(each):equal(each))
        end
    end)

    it("spans the scale from the least element to the greatest, or from low to high", function()
        local black, white = { 0, 0, 0, 255 }, { 255, 255, 255, 255 }
        local a = dev:array { { -3, 0, 1, 7 } }
        assert.same({ black, { 76, 76, 76, 255 }, { 102, 102, 102, 255 }, white }, colours(a, { scale = "grey" }))
        assert.same({ black, black, white, white }, colours(a, { scale = "grey", low = 0, high = 1 }))
        assert.same({ black, { 76, 76, 76, 255 }, { 102, 102, 102, 255 }, white },
            colours(a:cast("f64"), { scale = "grey", high = 7 }))
        assert.same({ white }, colours(dev:array({ { 9 } }, "u8"), { scale = "grey", low = 0, high = 9 }))
        assert.same({ black, black }, colours(dev:array { { 4, 4 } }, { scale = "grey" }))
        assert.same({ black, white }, colours(dev:array { { -math.huge, math.huge } },
            { scale = "grey", low = 0, high = 1 }))
    end)

    it("has the colour of one end where all elements are beyond it", function()
        local black, white = { 0, 0, 0, 255 }, { 255, 255, 255, 255 }
        for _, dtype in ipairs(helper.dtypes(dev)) do
            local a = dev:array({ { 4, 5, 7 } }, dtype)
            assert.same({ white, white, white }, colours(a, { scale = "grey", high = 3 }))
            assert.same({ white, white, white }, colours(a, { scale = "grey", high = 4 }))
            assert.same({ black, black, black }, colours(a, { scale = "grey", low = 8 }))
            assert.same({ black, black, black }, colours(a, { scale = "grey", low = 7 }))
        end
        assert.same({ { 0, 0, 0, 0 }, white }, colours(dev:array { { 0 / 0, 2 } }, { scale = "grey", high = 1 }))
    end)

    it("shows NaN as nothing", function()
        local nan, nothing = 0 / 0, { 0, 0, 0, 0 }
        assert.same({ nothing, { 0, 0, 0, 255 }, { 255, 255, 255, 255 } },
            colours(dev:array { { nan, 1, 2 } }, { scale = "grey" }))
        assert.same({ nothing }, colours(dev:array { { nan } }))
    end)

    it("has scales by name, of which viridis is taken, and takes lists of colours", function()
        for name, scale in pairs(plot.scales) do
            local first, last = scale[1], scale[#scale]
            assert.same({ { first[1], first[2], first[3], 255 }, { last[1], last[2], last[3], 255 } },
                colours(dev:array { { 0, 1 } }, { scale = name }))
        end
        assert.same({ { 68, 1, 84, 255 }, { 33, 144, 141, 255 }, { 253, 231, 37, 255 } },
            colours(dev:array { { 0, 1, 2 } }))
        assert.same({ { 0, 10, 0, 255 }, { 100, 20, 0, 255 }, { 0, 30, 200, 255 } }, colours(dev:array { { 0, 1, 2 } },
            { scale = { { 0, 10, 0 }, { 100, 20, 0 }, { 0, 30, 200 } } }))
        assert.same({ { 1, 2, 3, 255 }, { 1, 2, 3, 255 } },
            colours(dev:array { { 0, 1 } }, { scale = { { 1, 2, 3 } } }))
    end)

    it("refuses what is no picture", function()
        local shapes = "an array of h x w is needed, or u8 of h x w x 3 or 4; got "
        local function refuses(message, ...)
            local given = table.pack(...)
            helper.raises("plot.image: " .. message, function()
                plot.image(table.unpack(given, 1, given.n))
            end)
        end
        local a, path = dev:zeros { 2, 2 }, "/nowhere/x.png"
        refuses("argument 1: a path is needed, got nil")
        refuses("real numbers are needed, got c64; take real(), imag() or abs()", path, a:cast "c64")
        refuses("argument 1: a path is needed, got an array", a, path)
        refuses("argument 1: a path is needed, got a number", 1, a)
        refuses("argument 2: an array is needed, got nil", path)
        refuses("argument 2: an array is needed, got a table", path, {})
        refuses("argument 2: an array is needed, got a device", path, dev)
        refuses(shapes .. "f32 of 2x2x3", path, dev:zeros { 2, 2, 3 })
        refuses(shapes .. "u8 of 2x2x2", path, dev:zeros({ 2, 2, 2 }, "u8"))
        refuses(shapes .. "u8 of 4", path, dev:zeros({ 4 }, "u8"))
        refuses(shapes .. "u8 of ()", path, dev:zeros({}, "u8"))
        refuses(shapes .. "f32 of 0x2", path, dev:zeros { 0, 2 })
        refuses("options are for arrays of h x w, which are drawn with a "
            .. "colour scale", path, dev:zeros({ 2, 2, 3 }, "u8"),
            { low = 0 })
        local gone = dev:zeros { 2, 2 }
        gone:release()
        refuses("argument 2: the array was released", path, gone)
        refuses("options are a table, got a number", path, a, 1)
        refuses("option 'low': a number below high, 0, is needed, got 1", path, a, { low = 1, high = 0 })
        refuses("option 'low': a number below high, 0.5, is needed, got 0.5", path, a, { low = 0.5, high = 0.5 })
        refuses("unknown option 'map'; known are low, high, scale", path, a, { map = "grey" })
        refuses("option 'low': a finite number is needed, got inf", path, a, { low = math.huge })
        refuses("option 'high': a finite number is needed, got 1", path, a, { high = "1" })
        refuses("option 'scale': unknown scale 'gray'; known are grey, heat, signs, "
            .. "viridis", path, a, { scale = "gray" })
        for _, scale in ipairs { true, {}, { 1, 2, 3 }, { { 1, 2 } }, { { 1, 2, 256 } }, { { 1, 2, "3" } } } do
            refuses("option 'scale': a name is needed, or a list of {red, green, blue} from 0 to 255", path, a,
                { scale = scale })
        end
        refuses("not all elements are finite; the options low and high give the ends of the scale", path,
            dev:array { { 1, math.huge } })
        refuses("/nowhere/x.png: No such file or directory", path, a)
        refuses("/dev/full: writing failed: No space left on device", "/dev/full", a)
    end)

    it("names the line that calls what calls it in a tail position", function()
        local function draw() return plot.image("/nowhere/x.png", dev:zeros { 4 }) end
        helper.raises("plot.image: an array of h x w is needed", function() draw() end)
        helper.raises("plot.image: an array of h x w is needed", function() -- pcall, of C, has no line
            local _, problem = pcall(draw)
            error(problem, 0)
        end)
    end)
end)
