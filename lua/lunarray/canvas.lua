-- The canvases for figures: an SVG file, the pixels of a PNG file, or characters. Each has the same methods, in pixels
-- from the top left corner; a character has 2 x 4 of them.
--
--   path(points, ink)        lines through x1, y1, x2, y2, ...; ink: { colour =, width =, dashed =, sign = }
--   mark(x, y, radius, ink)  a disc
--   box(x, y, w, h, ink)     a filled rectangle
--   area(x, columns, ink)    the columns from x on, each {top, foot}; share of the ink, also of boxes: its opacity
--   text(x, y, text, anchor, upright)   anchor: x is the start of the text (0), its middle (0.5) or its end (1)
--   picture(x, y, w, h, image)          image: { width =, height =, bytes =, palette = } of colours {r, g, b, alpha}
--   finish()                 the file's contents, or the text
--   char, line               the width of a character, the height of a line
--   flat                     only data are drawn as lines
--
-- A colour is { red, green, blue } from 0 to 255; a sign is a character.

local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"

local raster = require "lunarray.raster"

local canvas = { pixels = raster.new }

-- ---- SVG --------------------------------------------------------------------------------------------------------

local svg = {}
svg.__index = svg
local ESCAPES = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }
local ANCHORS = { [0] = "start", [0.5] = "middle", [1] = "end" }
local DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

function canvas.svg(width, height)
    return setmetatable({ char = 7, line = 15, lines = {
        ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" '
            .. 'font-size="12">'):format(width, height, width, height),
        '<rect width="100%" height="100%" fill="white"/>',
    } }, svg)
end

function svg:add(format, ...)
    self.lines[#self.lines + 1] = misuse.text(format, ...)
end

local function hex(colour)
    return ("#%02x%02x%02x"):format(table.unpack(colour))
end

function svg:path(points, ink)
    local places = {}
    for i = 1, #points, 2 do
        places[#places + 1] = misuse.text("%.1f,%.1f", points[i], points[i + 1])
    end
    self:add('<polyline points="%s" fill="none" stroke="%s" stroke-width="%g" stroke-linejoin="round"%s/>',
        table.concat(places, " "), hex(ink.colour), ink.width or 1.5, ink.dashed and ' stroke-dasharray="6 4"' or "")
end

function svg:mark(x, y, radius, ink)
    self:add('<circle cx="%.1f" cy="%.1f" r="%g" fill="%s"/>', x, y, radius, hex(ink.colour))
end

function svg:box(x, y, w, h, ink)
    self:add('<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"%s/>', x, y, w, h, hex(ink.colour),
        ink.share and misuse.text(' fill-opacity="%g"', ink.share) or "")
end

function svg:area(x, columns, ink)
    local places = {}
    for k = 1, 2 * #columns do
        local at = k <= #columns and k or 2 * #columns + 1 - k
        places[k] = misuse.text("%d,%.1f", x + at - 1, columns[at][k <= #columns and 1 or 2])
    end
    self:add('<polygon points="%s" fill="%s" fill-opacity="%g"/>', table.concat(places, " "), hex(ink.colour),
        ink.share)
end

function svg:text(x, y, text, anchor, upright)
    self:add('<text x="%.1f" y="%.1f" dy="0.35em" text-anchor="%s"%s>%s</text>', x, y, ANCHORS[anchor],
        upright and misuse.text(' transform="rotate(-90 %.1f %.1f)"', x, y) or "", (text:gsub('[&<>"]', ESCAPES)))
end

local function base64(bytes)
    local parts = {}
    for i = 1, #bytes, 3 do
        local a, b, c = bytes:byte(i, i + 2)
        local bits = a << 16 | (b or 0) << 8 | (c or 0)
        for k = 0, 3 do
            local at = 1 + (bits >> 18 - 6 * k & 63)
            parts[#parts + 1] = k <= (c and 3 or b and 2 or 1) and DIGITS:sub(at, at) or "="
        end
    end
    return table.concat(parts)
end

function svg:picture(x, y, w, h, image)
    local colours = {}
    for i, colour in ipairs(image.palette) do
        colours[i] = string.char(table.unpack(colour, 1, 4))
    end
    self:add('<image x="%.1f" y="%.1f" width="%.1f" height="%.1f" preserveAspectRatio="none" '
        .. 'style="image-rendering:pixelated" href="data:image/png;base64,%s"/>', x, y, w, h,
        base64(core._png(image.width, image.height, 1, image.bytes, table.concat(colours))))
end

function svg:finish()
    return table.concat(self.lines, "\n") .. "\n</svg>\n"
end

-- ---- characters -------------------------------------------------------------------------------------------------

local characters = {}
characters.__index = characters
local DOTS = { { 0x01, 0x02, 0x04, 0x40 }, { 0x08, 0x10, 0x20, 0x80 } } -- Braille patterns, from U+2800
local RAMP = " .:-=+*#%@"

-- Lines and marks are dots of Braille patterns, or signs where there are several inks.
function canvas.characters(columns, rows)
    return setmetatable({ char = 2, line = 4, flat = true, columns = columns, rows = rows, dots = {}, signs = {},
        texts = {}, inks = 0, known = {} }, characters)
end

function characters:dot(x, y, ink)
    local column, row = math.floor(x), math.floor(y)
    local cell = (row // 4) * self.columns + column // 2
    if column < 0 or row < 0 or column >= 2 * self.columns or row >= 4 * self.rows then
        return
    end
    self.dots[cell] = (self.dots[cell] or 0) | DOTS[1 + column % 2][1 + row % 4]
    self.signs[cell] = ink.sign
    if not self.known[ink.sign] then
        self.known[ink.sign], self.inks = true, self.inks + 1
    end
end

function characters:path(points, ink)
    for i = 1, #points - 3, 2 do
        local dx, dy = points[i + 2] - points[i], points[i + 3] - points[i + 1]
        local steps = math.max(1, math.ceil(math.max(math.abs(dx), math.abs(dy))))
        for k = 0, steps do
            self:dot(points[i] + dx * k / steps, points[i + 1] + dy * k / steps, ink)
        end
    end
end

function characters:mark(x, y, _, ink)
    self:dot(x, y, ink)
end

function characters:box(x, y, w, h, ink)
    for row = math.floor(y + 0.5), math.floor(y + h + 0.5) - 1 do
        for column = math.floor(x + 0.5), math.floor(x + w + 0.5) - 1 do
            self:dot(column, row, ink)
        end
    end
end

function characters:area(x, columns, ink) -- its edges
    for k, column in ipairs(columns) do
        self:dot(x + k - 1, column[1], ink)
        self:dot(x + k - 1, column[2], ink)
    end
end

function characters:put(column, row, text)
    for _, code in utf8.codes(utf8.len(text) and text or text:gsub("[\x80-\xff]", "?")) do
        if column >= 0 and column < self.columns and row >= 0 and row < self.rows then
            self.texts[row * self.columns + column] = utf8.char(code)
        end
        column = column + 1
    end
end

function characters:text(x, y, text, anchor)
    self:put(math.floor(x / 2 - anchor * (utf8.len(text) or #text) + 0.5), math.floor(y / 4), text)
end

function characters:picture(x, y, w, h, image)
    raster.each_pixel(x / 2, y / 4, w / 2, h / 4, image, function(column, row, _, level)
        local at = 1 + math.floor((level - 1) / (#image.palette - 2) * (#RAMP - 1) + 0.5)
        self:put(column, row, RAMP:sub(at, at))
    end)
end

function characters:finish()
    local lines = {}
    for row = 0, self.rows - 1 do
        local cells = {}
        for column = 0, self.columns - 1 do
            local at = row * self.columns + column
            local drawn = self.inks > 1 and self.signs[at] or self.dots[at] and utf8.char(0x2800 + self.dots[at])
            cells[column + 1] = self.texts[at] or drawn or " "
        end
        lines[row + 1] = table.concat(cells):gsub("%s+$", "")
    end
    return table.concat(lines, "\n")
end

return canvas
