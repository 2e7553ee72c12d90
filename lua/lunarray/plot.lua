-- Pictures for the examples: PNG files through gnuplot where it is installed, and densities drawn in text.

local plot = {}

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
        lines[#lines + 1] = table.concat(row, " ")
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

local RAMP = " .:-=+*#%@"

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

-- A matrix (a list of rows of numbers) in text, darker where its elements are greater, from 0 to `most` (the greatest):
-- a list of `rows` lines. Each character shows one element, so much of a large matrix is not seen.
function plot.shades(matrix, columns, rows, most)
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
    join(function(index) return captions[index] end)
    for row = 1, #pictures[1] do
        join(function(index) return pictures[index][row] end)
    end
    return table.concat(lines, "\n")
end

return plot
