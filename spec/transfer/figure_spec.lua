-- Figures: where series, axes and labels are drawn, in SVG, in pixels and as text, and what is refused.

local lun = require "lunarray"
local helper = require "spec.helper"
local plot = require "lunarray.plot"

local NAN, INFINITY = 0 / 0, 1 / 0

local function written(kind, f)
    return helper.with_file(function(path)
        plot.figure(path .. kind, f)
        local text = helper.read_file(path .. kind)
        os.remove(path .. kind)
        return text
    end)
end

-- The points of the lines of a colour in an SVG file, in data units of a figure whose axes go from 0 to 1 or as given.
local function lines_of(f, colour)
    local text = written(".svg", f)
    local frame = text:match 'points="([^"]+)" fill="none" stroke="#000000"'
    local left, top, right, bottom = frame:match "^([%d.]+),([%d.]+) [%d.]+,[%d.]+ ([%d.]+),([%d.]+)"
    local x1, x2 = table.unpack(f.xlim or { 0, 1 })
    local y1, y2 = table.unpack(f.ylim or { 0, 1 })
    local lines = {}
    for points, stroke in text:gmatch '<polyline points="([^"]+)" fill="none" stroke="(#%x+)"' do
        if stroke == (colour or "#0072b2") then
            local line = {}
            for x, y in points:gmatch "([%d.-]+),([%d.-]+)" do
                line[#line + 1] = { x1 + (x - left) / (right - left) * (x2 - x1),
                    y1 + (bottom - y) / (bottom - top) * (y2 - y1) }
            end
            lines[#lines + 1] = line
        end
    end
    return lines, text
end

local function assert_lines(expected, lines)
    assert.equal(#expected, #lines)
    for i, line in ipairs(expected) do
        assert.equal(#line, #lines[i], "line " .. i)
        for k, point in ipairs(line) do
            assert.near(point[1], lines[i][k][1], 1e-3)
            assert.near(point[2], lines[i][k][2], 1e-3)
        end
    end
end

local function unit(series)
    return { xlim = { 0, 1 }, ylim = { 0, 1 }, legend = false, series }
end

describe("a figure", function()
    it("has its points where the axes say", function()
        assert_lines({ { { 0.1, 0.2 }, { 0.5, 0.9 }, { 0.7, 0.4 } } },
            lines_of(unit { lun.array { 0.1, 0.5, 0.7 }, { 0.2, 0.9, 0.4 } }))
        assert_lines({ { { 1, 0.5 }, { 2, 0.25 }, { 3, 1 } } },
            lines_of { xlim = { 0, 4 }, ylim = { 0, 2 }, { { 0.5, 0.25, 1 } } })
        local turned = { xlim = { 1, 0 }, ylim = { 2, -2 }, { { 0.25, 0.5 }, { -1, 1 } } }
        assert_lines({ { { 0.25, -1 }, { 0.5, 1 } } }, lines_of(turned))
    end)

    it("leaves a margin of a 25th of the numbers' range below and above them", function()
        assert_lines({ { { 0, 1 / 27 }, { 1, 26 / 27 } } }, lines_of { { { 3, 4 }, { 1, 2 } } })
        assert_lines({ { { 0, 0 }, { 1, 25 / 26 } } }, lines_of { { { 3, 4 }, { 0, 2 } } })
    end)

    it("breaks a line at numbers that are not finite, and at the edges of the box", function()
        assert_lines({ { { 0, 0.5 }, { 0.25, 0.5 } }, { { 0.75, 0.5 }, { 1, 0.5 } } },
            lines_of(unit { { 0, 0.25, 0.5, 0.75, 1 }, { 0.5, 0.5, NAN, 0.5, 0.5 } }))
        assert_lines({ { { 0, 0.5 }, { 0.25, 1 } }, { { 0.75, 1 }, { 1, 0.5 } } },
            lines_of(unit { { 0, 0.5, 1 }, { 0.5, 1.5, 0.5 } }))
        assert_lines({}, lines_of(unit { { 2, 3 }, { 0, 1 } }))
        assert_lines({}, lines_of(unit { { INFINITY, -INFINITY }, { 0, 1 } }))
    end)

    it("draws points that fall on one pixel once", function()
        local lines = lines_of(unit { lun.linspace(0, 1, 100000), lun.linspace(0, 1, 100000) })
        assert.is_true(#lines[1] < 2000)
        assert.near(1, lines[1][#lines[1]][1], 1e-3)
    end)

    it("has logarithmic axes with a tick for each power of ten", function()
        local f = { log = "xy", xlim = { 1, 100 }, ylim = { 1, 10000 }, { { 0, 1, 10, 100 }, { 1, 1, -1, 10000 } },
            { { 1, 10, 100 }, { 1, 100, 10000 } } }
        local lines, text = lines_of(f, "#d55e00")
        assert.near(50.5, lines[1][2][1], 0.1) -- the middle of the axis, which is read as if it were linear
        assert.near(5000.5, lines[1][2][2], 10)
        for _, label in ipairs { "1", "10", "100", "1000", "10000" } do
            assert.matches(">" .. label .. "</text>", text, 1, true)
        end
        assert.same({}, (lines_of(f, "#0072b2"))) -- its numbers have no logarithm, or are alone
    end)

    it("chooses round ticks that the axis holds", function()
        local function labels(from, to)
            local text, list = written(".svg", { xlim = { from, to }, ylim = { 0, 1 }, { { from }, { 0 } } }), {}
            for label in text:gmatch 'text%-anchor="middle">([^<]+)</text>' do
                list[#list + 1] = label
            end
            return table.concat(list, " ")
        end
        assert.equal("0.0 0.2 0.4 0.6 0.8 1.0", labels(0, 1))
        assert.equal("-6 -4 -2 0 2 4 6 8", labels(-7, 8))
        assert.equal("0 2e-7 4e-7 6e-7 8e-7 1e-6", labels(0, 1e-6))
        assert.equal("1e9 1.01e9 1.02e9 1.03e9 1.04e9 1.05e9", labels(1e9, 1.05e9))
        assert.equal("0 20000 40000 60000 80000", labels(0, 99999))
    end)

    it("shows texts, labels and error bars, escaped", function()
        local f = unit { { 0.5 }, { 0.5 }, kind = "points", label = "a < b & c", error = { 0.25 }, color = { 1, 2, 3 } }
        f.title, f.xlabel, f.ylabel, f.legend = "T", "X", "Y", nil
        local lines, text = lines_of(f, "#010203")
        assert_lines({ { { 0.5, 0.25 }, { 0.5, 0.75 } } }, lines)
        assert.matches(">a &lt; b &amp; c</text>", text, 1, true)
        assert.matches('<circle [^>]+fill="#010203"', text)
        for _, label in ipairs { "T", "X" } do
            assert.matches(">" .. label .. "</text>", text, 1, true)
        end
        assert.matches("rotate%(%-90 [^>]+>Y</text>", text)
        local function legend_at(x, y)
            local there = unit { { x }, { y }, kind = "points", label = "here" }
            there.legend = nil
            return written(".svg", there):match '<text x="([%d.]+)" y="([%d.]+)"[^>]+>here<'
        end
        local right, up = legend_at(0.1, 0.1)
        local left, also_up = legend_at(0.95, 0.95)
        assert.is_true(tonumber(left) < 320 and tonumber(right) > 320)
        assert.is_true(tonumber(up) < 100 and tonumber(also_up) < 100)
        f.legend = false
        assert.is_nil(written(".svg", f):find("a &lt;", 1, true))
    end)

    it("counts a histogram", function()
        local text = written(".svg", { { { 1, 1, 1, 2, 3 }, kind = "histogram", bins = 2, low = 1, high = 3 } })
        local heights, frame = {}, text:match 'points="([^"]+)" fill="none" stroke="#000000"'
        local bottom = frame:match "^%S+ %S+ [^,]+,(%S+)"
        for y, height in text:gmatch '<rect [^>]-y="([%d.]+)" [^>]-height="([%d.]+)" fill="#0072b2"' do
            heights[#heights + 1] = tonumber(height)
            assert.near(tonumber(bottom), y + height, 0.11)
        end
        assert.equal(2, #heights)
        assert.near(3 / 2, heights[1] / heights[2], 1e-2)
    end)

    it("has an image with its bar, whose first row is at the top", function()
        local a = lun.array { { 0, 1 }, { 2, NAN } }
        assert.equal(table.concat({
            " 0.5                     2.0",
            "             +++++++++ @@",
            "             +++++++++ %%",
            " 1.0         +++++++++ ##1.5",
            "             +++++++++ **",
            " 1.5         +++++++++ ++1.0",
            "     @@@@@@@@          ==",
            "     @@@@@@@@          --",
            " 2.0 @@@@@@@@          ::0.5",
            "     @@@@@@@@          ..",
            " 2.5 @@@@@@@@            0.0",
            "        1       2",
        }, "\n"), plot.figure(nil, { width = 30, height = 12, { a, kind = "image" } }))
        local text = written(".svg", { { a, kind = "image", x = { -1, 1 }, y = { 0, 5 } } })
        assert.equal(2, select(2, text:gsub("<image ", "")))
        local base64 = text:match "base64,([^\"]+)"
        helper.with_file(function(path)
            helper.write_file(path, base64)
            local pipe <close> = assert(io.popen("base64 -d " .. path))
            local bytes = pipe:read "a"
            assert.is_true(bytes:sub(1, 8) == "\x89PNG\r\n\x1a\n" and bytes:sub(-8) == "IEND\xae\x42\x60\x82")
            assert.same({ 2, 2, 25 }, { string.unpack(">I4I4", bytes, 17) })
        end)
        assert.matches(">-1.0</text>", text, 1, true)
        assert.matches(">5</text>", text, 1, true)
    end)

    it("has bands between two curves, within the box, broken where one is not finite", function()
        local x, low, high = { 0, 1, 2, 3, 4 }, { 0, 0, 0, 0, 0 }, { 1, 9, 1, 0 / 0, 1 }
        local band = { x, low, high, kind = "band", color = "#0a0b0c", label = "between" }
        local text = written(".svg", { band, xlim = { 0, 4 }, ylim = { 0, 2 } })
        local points, rest = text:match '<polygon points="([^"]+)" fill="#0a0b0c" fill%-opacity="0.3"/>(.*)'
        assert.is_nil(rest:find("<polygon", 1, true))
        assert.matches('<rect [^>]+fill="#0a0b0c" fill%-opacity="0.3"', rest) -- of the legend
        local frame = text:match 'points="([^"]+)" fill="none" stroke="#000000"'
        local left, top, right, foot = frame:match "^([%d.]+),([%d.]+) ([%d.]+),[%d.]+ [%d.]+,([%d.]+)"
        local least, most, edge = 1e9, 0, 0
        for column, y in points:gmatch "([%d.]+),([%d.]+)" do
            least, most, edge = math.min(least, tonumber(y)), math.max(most, tonumber(y)),
                math.max(edge, tonumber(column))
        end
        assert.is_true(math.abs(least - top) < 0.1 and math.abs(most - foot) < 0.1)
        assert.is_true(math.abs(edge - (left + right) / 2) <= 1) -- half of the axis is before the NaN
        assert.equal("\x89PNG", written(".png", { band, xlim = { 4, 0 } }):sub(1, 4))
        local page = require("lunarray.raster").new(8, 8)
        page:area(2, { { 1, 4 }, { 2, 3 } }, { colour = { 255, 0, 0 }, share = 0.5 })
        assert.same({ 0xff8080, 0xff8080, 0xff8080, 0xffffff }, { page[11], page[19], page[27], page[35] })
        assert.same({ 0xffffff, 0xff8080, 0xffffff }, { page[12], page[20], page[28] })
        assert.matches("%*", plot.figure(nil, { band, { x, low } }))
        -- A band alone has its edges in the range.
        local alone = written(".svg", { { { 1, 2 }, { -5, -5 }, { 5, 5 }, kind = "band" } })
        assert.is_truthy(alone:find(">-4</text>", 1, true) and alone:find(">4</text>", 1, true))
    end)

    it("has colours by name and by digits", function()
        for color, hex in pairs { red = "#ff0000", green = "#008000", ["#A1b2C3"] = "#a1b2c3" } do
            local text = written(".svg", { { { 1, 2 }, { 1, 2 }, color = color } })
            assert.is_truthy(text:find('stroke="' .. hex .. '"', 1, true))
        end
    end)

    it("is drawn as text, with signs for several series", function()
        local x = { 0, 1, 2, 3, 4 }
        local function drawn(...)
            return plot.figure(nil, { width = 24, height = 8, ... })
        end
        local one = drawn { x, { 0, 1, 2, 3, 4 } }
        assert.matches("[\u{2801}-\u{28ff}]", one)
        local two = drawn({ x, { 0, 1, 2, 3, 4 }, label = "up" }, { x, { 4, 3, 2, 1, 0 }, label = "down" })
        assert.is_nil(two:find("\u{28ff}", 1, true))
        assert.matches("%*+up", two)
        assert.matches("%++down", two)
        assert.equal(8, select(2, (two .. "\n"):gsub("\n", "")))
    end)

    it("is drawn in pixels, in which a disc has its colour", function()
        local png = written(".png", { width = 200, height = 150, legend = false, xlim = { 0, 1 }, ylim = { 0, 1 },
            { { 0.5 }, { 0.5 }, kind = "points", size = 20, color = { 255, 0, 0 } } })
        assert.equal("\x89PNG\r\n\x1a\n", png:sub(1, 8))
        assert.same({ 200, 150, 25 }, { string.unpack(">I4I4", png, 17) })
        local raster = require("lunarray.raster").new(20, 10)
        raster:mark(10, 5, 3, { colour = { 255, 0, 0 } })
        assert.equal(0xff0000, raster[5 * 20 + 10 + 1])
        assert.equal(0xffffff, raster[5 * 20 + 15 + 1])
        raster:path({ 0, 1, 20, 1 }, { colour = { 0, 0, 255 }, width = 2, dashed = true })
        assert.same({ 0x0000ff, 0xffffff, 0x0000ff }, { raster[20 + 3], raster[20 + 9], raster[20 + 14] })
        local function ink(text, upright) -- of the upper and the lower, or the left and the right half
            local page, first, second = require("lunarray.raster").new(40, 40), 0, 0
            page:text(20, 20, text, 0.5, upright)
            for i = 1, #page do
                local before = upright and (i - 1) % 40 < 20 or not upright and i <= 800
                first = first + (before and page[i] ~= 0xffffff and 1 or 0)
                second = second + (not before and page[i] ~= 0xffffff and 1 or 0)
            end
            return first, second
        end
        for _, upright in ipairs { false, true } do
            local top, foot = ink("TT", upright)
            assert.is_true(top > 1.3 * foot, top .. " " .. foot)
            top, foot = ink("LL", upright)
            assert.is_true(foot > 1.3 * top, top .. " " .. foot)
        end
        assert.is_true(ink "é" > 0) -- a character without strokes is a box
    end)

    it("refuses what it cannot draw", function()
        local function refuses(message, f, path)
            helper.raises("plot.figure: " .. message, function() plot.figure(path, f) end)
        end
        local line = { { 1, 2 }, { 3, 4 } }
        local paths = "argument 1: a path that ends in .svg or .png, or nil for text, is needed, got "
        refuses(paths .. "x.pdf", { line }, "x.pdf")
        refuses(paths .. "a number", { line }, 3)
        refuses(paths .. "a table", nil, { line })
        refuses("argument 2: a table of series and options is needed, got nothing", nil)
        assert.matches("1.0", plot.figure(nil, { { { 1, 2 }, { -1e308, 1e308 } } }), 1, true) -- no overflow
        refuses("argument 2: a list with at least one series {x, y} is needed", {})
        refuses("unknown option 'titel'; known are title, xlabel,", { line, titel = "x" })
        refuses("option 'title': a string is needed, got 3", { line, title = 3 })
        refuses("option 'log' is 'z'; known are x, y, xy", { line, log = "z" })
        refuses("option 'width': a whole number from 1 to 1000 is needed, got 0", { line, width = 0 })
        refuses("options 'width' and 'height': the figure and its labels need more room", { line, width = 9 })
        refuses("option 'xlim': two different finite numbers are needed", { line, xlim = { 1, 1 } })
        refuses("option 'ylim': numbers above 0 are needed on a logarithmic axis", { line, ylim = { 0, 1 }, log = "y" })
        refuses("series 1: a table {x, y, label = ...} is needed, got 3", { 3 })
        local colours = "series 1: option 'color': {red, green, blue}, whole numbers from 0 to 255, \"#rrggbb\", "
            .. "black, blue, cyan, green, magenta, red, white or yellow is needed, got "
        for _, row in ipairs { { "rd", '"rd"' }, { "#12345", '"#12345"' }, { 3, "3" },
            { { 0.2, 0.8, 0.1 }, "a table" }, { { 300, 0, 0 }, "a table" }, { { 1, 2 }, "a table" },
            { false, "a boolean" } } do
            refuses(colours .. row[2], { { { 1, 2 }, { 3, 4 }, color = row[1] } })
        end
        for wrong, o in pairs { ["'width': a number above 0 is needed, got -2"] = { width = -2 },
            ["'size': a number above 0 is needed, got a table"] = { size = { 1, 2 } },
            ["'label': a string is needed, got 5"] = { label = 5 },
            ["'dashed': true or false is needed, got 1"] = { dashed = 1 } } do
            o[1], o[2] = { 1, 2 }, { 3, 4 }
            refuses("series 1: option " .. wrong, { o })
        end
        refuses("series 1, argument 2: a vector is needed, got the shape 2x3; a:col(j) is a column",
            { { { 1, 2 }, lun.zeros { 2, 3 } } })
        refuses("series 1, argument 3: an array or a list of numbers is needed, got nothing",
            { { { 1, 2 }, { 3, 4 }, kind = "band" } })
        refuses("series 1: x has 2 numbers and the band's other edge 1",
            { { { 1, 2 }, { 3, 4 }, { 5 }, kind = "band" } })
        refuses("series 1: one or two lists of numbers are needed, got 3 elements: {{x, y}} draws a line",
            { { 1, 2, 3 } })
        refuses("series 2: unknown option 'colour'; known are kind, label, color,", { line, { { 1 }, colour = 1 } })
        helper.raises("plot.figure: argument 3: options belong in the table of series: {{x, y}, title = \"...\"}",
            function() plot.figure(nil, { line }, { title = "x" }) end)
        helper.raises("plot.figure: argument 3: nothing after argument 2 is needed", function()
            plot.figure(nil, { line }, 1)
        end)
        helper.raises("plot: lunarray.plot has no function 'scatter'; plot.figure(path, {{x, y, kind = \"line\"}})",
            function() plot.scatter({ 1 }, { 2 }) end)
        refuses("series 1: kind is bars; known are line, points, band, histogram, image", { { { 1 }, kind = "bars" } })
        refuses("series 1, argument 2: numbers are needed, got a string at position 2", { { { 1, 2 }, { 1, "x" } } })
        refuses("series 1: at least one number is needed", { { {} } })
        refuses("series 1: x has 2 numbers and y 3", { { { 1, 2 }, { 1, 2, 3 } } })
        refuses("series 1: x has 2 numbers and option 'error' 1", { { { 1, 2 }, { 1, 2 }, error = { 1 } } })
        refuses("series 1: real numbers are needed, got c64", { { lun.zeros({ 2 }, "c64") } })
        refuses("series 1: an array or a list of numbers is needed, got 3", { { 3 } })
        refuses("image: an array of h x w is needed", { { lun.zeros { 2 }, kind = "image" } })
        refuses("image: option 'scale': unknown scale 'pink'",
            { { lun.zeros { 2, 2 }, kind = "image", scale = "pink" } })
        refuses("an image cannot have logarithmic axes",
            { { lun.zeros { 2, 2 }, kind = "image", x = { -1, 1 } }, log = "x" })
    end)
end)
