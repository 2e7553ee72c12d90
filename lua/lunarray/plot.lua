-- Pictures: arrays as PNG files, drawings through gnuplot where it is installed, and densities drawn in text.

local lun = require "lunarray"
local misuse = require "lunarray.misuse"

local core = require "lunarray.core"
core._own()

local plot = {}

-- ---- arrays as PNG files ------------------------------------------------------------------------------------

local LEVELS = 255 -- of a colour scale; index 0 of the palette stands for NaN, which is transparent

-- Colours at even distances, { red, green, blue } from 0 to 255. viridis: Smith, van der Walt and Firing 2015, every
-- 32nd of its 256 colours, and the last.
plot.scales = {
    grey = { { 0, 0, 0 }, { 255, 255, 255 } },
    heat = { { 0, 0, 0 }, { 128, 0, 0 }, { 255, 64, 0 }, { 255, 192, 0 }, { 255, 255, 255 } },
    signs = { { 33, 62, 156 }, { 130, 170, 230 }, { 245, 245, 245 }, { 236, 150, 120 }, { 160, 20, 40 } },
    viridis = {
        { 68, 1, 84 }, { 71, 44, 122 }, { 59, 81, 139 }, { 44, 113, 142 }, { 33, 144, 141 }, { 39, 173, 129 },
        { 92, 200, 99 }, { 170, 220, 50 }, { 253, 231, 37 },
    },
}

-- The palette of a scale: what NaN looks like, and LEVELS colours.
local function palette_of(scale)
    local palette = { { 0, 0, 0, 0 } }
    for level = 0, LEVELS - 1 do
        local at = 1 + level / (LEVELS - 1) * (#scale - 1)
        local before = math.min(math.floor(at), math.max(#scale - 1, 1))
        local from, to, share = scale[before], scale[before + 1] or scale[before], at - before
        local colour = { [4] = 255 }
        for i = 1, 3 do
            colour[i] = math.floor(from[i] + share * (to[i] - from[i]) + 0.5)
        end
        palette[#palette + 1] = colour
    end
    return palette
end

local function is_scale(scale)
    for i = 1, type(scale) == "table" and #scale or 0 do
        for channel = 1, 3 do
            local value = type(scale[i]) == "table" and scale[i][channel]
            if math.type(value) == nil or value < 0 or value > 255 then
                return false
            end
        end
    end
    return type(scale) == "table" and #scale > 0
end

-- What a value is, for messages.
local function kind_of(x)
    return x == nil and "nil" or math.type(x) and "a number" or misuse.kind_of(x)
end

-- What is wrong with options for plot.image, or nil.
local function wrong_options(options)
    if not misuse.is_table(options) then
        return "options are a table, got " .. kind_of(options)
    end
    for name, value in pairs(options) do
        if name ~= "low" and name ~= "high" and name ~= "scale" then
            return ("unknown option '%s'; known are low, high, scale"):format(name)
        elseif name ~= "scale" and not (math.type(value) and value - value == 0) then
            return ("option '%s': a finite number is needed, got %s"):format(name, misuse.text("%s", value))
        elseif type(value) == "string" and not plot.scales[value] then
            return ("option 'scale': unknown scale '%s'; known are grey, heat, signs, viridis"):format(value)
        elseif name == "scale" and type(value) ~= "string" and not is_scale(value) then
            return "option 'scale': a name is needed, or a list of {red, green, blue} from 0 to 255"
        end
    end
    local low, high = options.low, options.high
    if low and high and low >= high then
        return misuse.text("option 'low': a number below high, %s, is needed, got %s", high, low)
    end
end

-- The ends of the scale: the options, or the least and the greatest element. Nothing where they are not finite.
local function ends(numbers, options)
    local low, high = options.low or numbers:nanmin(), options.high or numbers:nanmax()
    if low ~= low then -- nothing but NaN
        low, high = 0, 1
    end
    return low - low == 0 and high - high == 0 and low or nil, high
end

-- An h x w array as positions in a palette. Where all elements are beyond an end that is an option, they have the
-- colour of that end.
local function levels(numbers, low, high, options)
    local beyond = options.high and low >= high
    local share = beyond and numbers:ge(high):cast("f32") or (numbers - low) / (high > low and high - low or 1)
    local level = (share * (LEVELS - 1)):clamp(0, LEVELS - 1) + 1.5
    return lun.where(numbers:eq(numbers), level, 0):cast("u8")
end

-- An h x w array as u8 positions in a palette, the palette, and the ends of the scale.
local function through_scale(name, array, options)
    local numbers = array:dtype() == "f64" and array or array:cast("f32")
    local low, high = ends(numbers, options)
    if not low then
        misuse.raise(name, "not all elements are finite; the options low and high give the ends of the scale")
    end
    local scale = options.scale or "viridis"
    return levels(numbers, low, high, options), palette_of(plot.scales[scale] or scale), low, high
end

-- What is wrong with an array for a picture, or nil.
local function wrong_array(array, has_options)
    if lun.type(array) ~= "array" then
        return "argument 2: an array is needed, got " .. kind_of(array)
    elseif not core._is_live(array) then
        return "argument 2: the array was released"
    end
    local rows, _, channels = array:shape()
    local has_channels = array:dtype() == "u8" and (channels == 3 or channels == 4)
    if array:size() == 0 or array:ndim() ~= 2 and not (array:ndim() == 3 and has_channels) then
        return ("an array of h x w is needed, or u8 of h x w x 3 or 4; got %s of %s"):format(array:dtype(),
            rows and table.concat({ array:shape() }, "x") or "()")
    elseif array:dtype():sub(1, 1) == "c" then
        return ("real numbers are needed, got %s; take real(), imag() or abs()"):format(array:dtype())
    elseif channels and has_options then
        return "options are for arrays of h x w, which are drawn with a colour scale"
    end
end

-- Writes an array as a PNG file, its first row at the top: u8 of h x w as grey, of h x w x 3 as red, green and blue, of
-- h x w x 4 with an alpha channel. Another dtype of h x w, or u8 where an option is given, goes through a colour scale;
-- NaN is transparent. options: scale ("viridis"), a name in plot.scales or a list of its colours; low and high, the
-- numbers at its ends (the least and the greatest element). Waits.
function plot.image(path, array, options)
    options = options or {}
    local function refuse(message, ...)
        misuse.raise("plot.image", message, ...)
    end
    local has_options = type(options) ~= "table" or next(options) ~= nil
    local wrong = type(path) ~= "string" and "argument 1: a path is needed, got " .. kind_of(path)
        or wrong_array(array, has_options) or wrong_options(options)
    if wrong then
        refuse("%s", wrong)
    end
    local palette
    if array:dtype() ~= "u8" or has_options then
        local colours
        array, colours = through_scale("plot.image", array, options)
        palette = array:device():array(colours, "u8")
    end
    core._named("plot.image", array.imwrite)(array, path, { palette = palette })
end

-- ---- figures ------------------------------------------------------------------------------------------------

-- An array of h x w as an image of a figure, through a colour scale.
local function image_of(array, given)
    local options = { low = given.low, high = given.high, scale = given.scale }
    local wrong = wrong_array(array, true) or wrong_options(options)
    if wrong then
        misuse.raise("plot.figure", "image: %s", (wrong:gsub("^argument 2: ", "")))
    end
    local height, width = array:shape()
    local bytes, palette, low, high = through_scale("plot.figure", array, options)
    return { width = width, height = height, bytes = bytes:tobytes(), palette = palette, low = low, high = high }
end

-- Draws lines, points, histograms and images with axes: to an .svg or .png file, or, with nil as the path, as text,
-- which is returned. f: a list of series {x, y, label =, kind = "line"}, and options (doc/files.md). Waits.
function plot.figure(path, f, ...)
    if misuse.is_table((...)) then
        misuse.raise("plot.figure", "argument 3: options belong in the table of series: {{x, y}, title = \"...\"}")
    end
    misuse.check_end("plot.figure", 2, ...)
    local kind = path == nil and "text" or type(path) == "string" and path:lower():match "%.(%a+)$"
    if not ({ text = true, svg = true, png = true })[kind] then
        misuse.raise("plot.figure", "argument 1: a path that ends in .svg or .png, or nil for text, is needed, got %s",
            type(path) == "string" and path or kind_of(path))
    end
    local figure, canvas = require "lunarray.figure", require "lunarray.canvas"
    local width, height = figure.size(path, f)
    if kind == "text" then
        return figure.draw(canvas.characters(width, height), 2 * width, 4 * height, f, image_of)
    end
    local c = (kind == "svg" and canvas.svg or canvas.pixels)(width, height)
    core._named("plot.figure", core._write_file)(path, figure.draw(c, width, height, f, image_of))
end

-- ---- gnuplot ------------------------------------------------------------------------------------------------

function plot.available()
    return os.execute("gnuplot --version >/dev/null 2>&1") == true
end

-- Quotes a string for gnuplot: between single quotes nothing is special but the quote itself.
function plot.quote(text)
    return "'" .. text:gsub("'", "''") .. "'"
end

-- A named block of data for a gnuplot script: `plot $name using 1:2`. rows: a list of lists of numbers.
function plot.block(name, rows)
    local lines = { "$" .. name .. " << EOD" }
    for _, row in ipairs(rows) do
        lines[#lines + 1] = core._plain(table.concat, row, " ") -- gnuplot reads numbers with a point
    end
    lines[#lines + 1] = "EOD\n"
    return table.concat(lines, "\n")
end

-- The lines that send what follows to a PNG of that size. Without cairo gnuplot still has its plain PNG terminal.
function plot.png(path, width, height, background)
    local size = ("size %d,%d background rgb '%s'"):format(width, height, background or "white")
    return table.concat({
        "if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) {",
        "    set terminal pngcairo " .. size .. " font 'sans,11'",
        "} else {",
        "    set terminal png " .. size,
        "}",
        "set output " .. plot.quote(path),
        "",
    }, "\n")
end

-- Gives gnuplot a script (a list of strings). True if it went through.
function plot.run(parts)
    local pipe = io.popen("gnuplot", "w")
    if not pipe then
        return false
    end
    for _, part in ipairs(parts) do
        pipe:write(part, "\n")
    end
    return pipe:close() == true
end

-- ---- text ---------------------------------------------------------------------------------------------------

local RAMP = " .:-=+*#%@"

-- Rows of numbers: a list, or an array's.
local function listed(name, rows)
    if lun.type(rows) ~= "array" and not misuse.is_table(rows) then
        misuse.raise(name, "argument 1: an array or a list of rows is needed, got %s", kind_of(rows))
    end
    return lun.type(rows) == "array" and rows:totable() or rows
end

-- How many points fall in each cell of a square window of half-width `half` around the origin.
local function histogram(points, columns, rows, half)
    local cells, most = {}, 0
    for _, point in ipairs(points) do
        local column = math.floor((point[1] / half + 1) / 2 * columns)
        local row = math.floor((1 - point[2] / half) / 2 * rows)
        if column >= 0 and column < columns and row >= 0 and row < rows then
            local cell = row * columns + column
            cells[cell] = (cells[cell] or 0) + 1
            most = math.max(most, cells[cell])
        end
    end
    return cells, most
end

-- A density in text, darker where points {x, y} are closer, on a logarithmic scale: a list of `rows` lines.
-- With twice as many columns as rows the picture comes out about square.
function plot.density(points, columns, rows, half)
    points = listed("plot.density", points)
    local cells, most = histogram(points, columns, rows, half)
    local lines = {}
    for row = 0, rows - 1 do
        local line = {}
        for column = 0, columns - 1 do
            local count = cells[row * columns + column] or 0
            local shade = count == 0 and 1 or 2 + math.log(count) / math.log(math.max(most, 2)) * (#RAMP - 2)
            shade = math.floor(shade)
            line[#line + 1] = RAMP:sub(shade, shade)
        end
        lines[#lines + 1] = table.concat(line)
    end
    return lines
end

-- A matrix (an array or a list of rows of numbers) in text, darker where elements are greater, from 0 to `most` (the
-- greatest): a list of `rows` lines. Each character shows one element, so much of a large matrix is not seen.
function plot.shades(matrix, columns, rows, most)
    matrix = listed("plot.shades", matrix)
    if not (matrix[1] and type(matrix[1]) == "table" and matrix[1][1]) then
        misuse.raise("plot.shades", "argument 1: a matrix with at least one element is needed")
    end
    if not most then
        most = 0
        for _, row in ipairs(matrix) do
            for _, element in ipairs(row) do
                most = math.max(most, element)
            end
        end
    end
    local lines = {}
    for i = 1, rows do
        local line, row = {}, matrix[1 + (2 * i - 1) * #matrix // (2 * rows)]
        for k = 1, columns do
            local share = row[1 + (2 * k - 1) * #row // (2 * columns)] / (most > 0 and most or 1)
            local shade = 1 + math.floor(math.max(0, math.min(share, 1)) * (#RAMP - 1) + 0.5)
            line[k] = RAMP:sub(shade, shade)
        end
        lines[i] = table.concat(line)
    end
    return lines
end

-- Puts text pictures of the same height next to each other, each under its caption.
function plot.beside(pictures, captions)
    local lines = {}
    local width = #pictures[1][1]
    local function join(row_of)
        local row = {}
        for index in ipairs(pictures) do
            row[index] = ("%-" .. width .. "s"):format(row_of(index))
        end
        lines[#lines + 1] = (table.concat(row, " | "):gsub("%s+$", ""))
    end
    join(function(index) return captions and captions[index] or "" end)
    for row = 1, #pictures[1] do
        join(function(index) return pictures[index][row] or "" end)
    end
    return table.concat(lines, "\n")
end

-- The names of other libraries, as plot.show.
setmetatable(plot, { __index = function(_, name)
    misuse.raise("plot", "lunarray.plot has no function '%s'; plot.figure(path, {{x, y, kind = \"line\"}}) draws "
        .. "lines, points, bands, histograms and images", tostring(name))
end })

return plot
