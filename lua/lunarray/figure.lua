-- Figures: lines, points, histograms and images with axes, as an SVG or a PNG file or as text. plot.figure draws them.

local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"
local series = require "lunarray.figure_series"

local BLACK, GREY = { colour = { 0, 0, 0 }, width = 1 }, { colour = { 222, 222, 222 }, width = 1 }
local OF_FIGURE = { "title", "xlabel", "ylabel", "xlim", "ylim", "log", "width", "height", "grid", "legend" }
-- The part of a segment inside the box (Liang and Barsky 1984): its ends, or nothing.
local function clip(box, x1, y1, x2, y2)
    local from, to, dx, dy = 0, 1, x2 - x1, y2 - y1
    for _, side in ipairs { { -dx, x1 - box.x }, { dx, box.x + box.w - x1 }, { -dy, y1 - box.y },
        { dy, box.y + box.h - y1 } } do
        local p, q = side[1], side[2]
        if p == 0 and q < 0 then
            return nil
        elseif p < 0 then
            from = math.max(from, q / p)
        elseif p > 0 then
            to = math.min(to, q / p)
        end
    end
    if from <= to then
        return x1 + from * dx, y1 + from * dy, x1 + to * dx, y1 + to * dy
    end
end

local function inside(box, x, y)
    return x >= box.x - 0.01 and x <= box.x + box.w + 0.01 and y >= box.y - 0.01 and y <= box.y + box.h + 0.01
end

-- A line through all points, broken where a number is not finite or the line leaves the box. Points that fall on one
-- pixel are one.
local function draw_line(c, box, s, place)
    local points, x0, y0 = {}, nil, nil
    local function flush()
        if #points >= 4 then
            c:path(points, s)
        end
        points = {}
    end
    for k = 1, #s.x do
        local x, y = place(s.x[k], s.y[k])
        if not x then
            flush()
            x0 = nil
        elseif not x0 then
            x0, y0 = x, y
        elseif math.abs(x - x0) + math.abs(y - y0) >= 0.5 or k == #s.x then
            local a, b, ax, by = clip(box, x0, y0, x, y)
            if not a or #points > 0 and math.abs(points[#points - 1] - a) + math.abs(points[#points] - b) > 1e-6 then
                flush()
            end
            if a and #points == 0 then
                points[1], points[2] = a, b
            end
            if a then
                points[#points + 1], points[#points + 2] = ax, by
            end
            x0, y0 = x, y
        end
    end
    flush()
end

local draw = {}

function draw.line(c, box, s, place)
    draw_line(c, box, s, place)
end

-- The pixels between two curves, column by column, as far as both are finite.
function draw.band(c, box, s, place)
    local columns = {}
    for k = 1, #s.x - 1 do
        local x1, a1 = place(s.x[k], s.y[k])
        local x2, a2 = place(s.x[k + 1], s.y[k + 1])
        local _, b1 = place(s.x[k], s.other[k])
        local _, b2 = place(s.x[k + 1], s.other[k + 1])
        local sound = x1 and x2 and b1 and b2
        local from = sound and math.ceil(math.max(math.min(x1, x2), box.x)) or 1
        for column = from, sound and math.floor(math.min(math.max(x1, x2), box.x + box.w)) or 0 do
            local share = x1 == x2 and 0 or (column - x1) / (x2 - x1)
            local a, b = a1 + share * (a2 - a1), b1 + share * (b2 - b1)
            local top, foot = math.max(math.min(a, b), box.y), math.min(math.max(a, b), box.y + box.h)
            if top <= foot then
                local before = columns[column] or { top, foot }
                columns[column] = { math.min(before[1], top), math.max(before[2], foot) }
            end
        end
    end
    local run = {}
    for column = math.floor(box.x), math.ceil(box.x + box.w) + 1 do
        if columns[column] then
            run[#run + 1] = columns[column]
        elseif #run > 0 then
            c:area(column - #run, run, s)
            run = {}
        end
    end
end

function draw.points(c, box, s, place)
    for k = 1, #s.x do
        local x, y = place(s.x[k], s.y[k])
        if x and inside(box, x, y) then
            c:mark(x, y, s.size or 2.5, s)
        end
    end
end

function draw.histogram(c, box, s, place, limits)
    local foot = select(2, place(s.x[1], limits.y[1] > 0 and limits.y[1] or math.max(0, limits.y[1])))
    for k, count in ipairs(s.y) do
        local x1, y = place(s.x[k], count)
        local x2 = place(s.x[k + 1], count)
        if x1 and x2 then
            x1, x2 = math.max(math.min(x1, x2), box.x), math.min(math.max(x1, x2), box.x + box.w)
            y = math.max(y, box.y)
            if x2 > x1 and foot > y then
                c:box(x1, y, math.max(x2 - x1 - (x2 - x1 > 4 and 1 or 0), 0.5), foot - y, s)
            end
        end
    end
end

function draw.image(c, _, s, place)
    local x1, y1 = place(s.x[1], s.y[1])
    local x2, y2 = place(s.x[2], s.y[2])
    if not x1 or not x2 then
        series.refuse("an image cannot have logarithmic axes")
    end
    -- Row 1 is at the top, which is y[2].
    c:picture(math.min(x1, x2), math.min(y1, y2), math.abs(x2 - x1), math.abs(y2 - y1), s.image)
end

local function draw_errors(c, box, s, place)
    for k = 1, s.error and #s.x or 0 do
        local x, y1 = place(s.x[k], s.y[k] - s.error[k])
        local _, y2 = place(s.x[k], s.y[k] + s.error[k])
        local a, b, d, e
        if x and y1 and y2 then
            a, b, d, e = clip(box, x, y1, x, y2)
        end
        if a then
            c:path({ a, b, d, e }, { colour = s.colour, width = 1, sign = s.sign })
        end
    end
end

-- A bar of the image's colours at the right, with ticks.
local function draw_bar(c, box, image)
    local wide = 2 * c.char
    local x, levels, bytes = box.x + box.w + 1.5 * c.char, #image.palette - 1, {}
    for k = 1, levels do
        bytes[k] = string.char(levels - k + 1)
    end
    c:picture(x, box.y, wide, box.h,
        { width = 1, height = levels, bytes = table.concat(bytes), palette = image.palette })
    for _, tick in ipairs(image.ticks) do
        c:text(x + wide + 0.7 * c.char, box.y + box.h * (1 - (tick.at - image.low) / (image.high - image.low)),
            tick.label, 0)
    end
end

-- The corner with the fewest points.
local function corner_of(box, all, place, w, h)
    local best, least
    for _, corner in ipairs { { 1, 0 }, { 0, 0 }, { 1, 1 }, { 0, 1 } } do
        local at = { x = box.x + corner[1] * (box.w - w), y = box.y + corner[2] * (box.h - h), w = w, h = h }
        local count = 0
        for _, s in ipairs(all) do
            for k = 1, s.kind == "image" and 0 or #s.y, math.max(1, #s.y // 500) do
                local x, y = place(s.x[k], s.y[k])
                count = count + (x and inside(at, x, y) and 1 or 0)
            end
        end
        if not least or count < least then
            best, least = at, count
        end
    end
    return best
end

local function draw_legend(c, box, all, place)
    local labelled, longest = {}, 0
    for _, s in ipairs(all) do
        if s.label and s.kind ~= "image" then
            labelled[#labelled + 1] = s
            longest = math.max(longest, utf8.len(s.label) or #s.label)
        end
    end
    if #labelled == 0 then
        return
    end
    local at = corner_of(box, all, place, (longest + 6) * c.char, (#labelled + 0.5) * c.line)
    for k, s in ipairs(labelled) do
        local x, y = at.x + c.char, at.y + (k - 0.25) * c.line
        if s.kind == "points" then
            c:mark(x + 1.5 * c.char, y, s.size or 2.5, s)
        elseif s.kind == "histogram" or s.kind == "band" then
            c:box(x, y - c.line / 4, 3 * c.char, c.line / 2, s)
        else
            c:path({ x, y, x + 3 * c.char, y }, s)
        end
        c:text(x + 4 * c.char, y, s.label, 0)
    end
end

local MOST = 8e307 -- of an axis

-- The positions, ranges and ticks of the axes; the box excludes the space of the labels.
local function layout(c, width, height, f, all, image)
    local log = { x = (f.log or ""):find "x" ~= nil, y = (f.log or ""):find "y" ~= nil }
    local axes, many, bar = { log = log, limits = {} }, math.max(2, height // (3 * c.line)), 0
    for _, name in ipairs { "x", "y" } do
        local given = f[name .. "lim"]
        axes.limits[name] = given and series.range(given, name .. "lim", log[name]) or series.span(all, name, log[name])
        for i, limit in ipairs(axes.limits[name]) do -- so that their difference is a number
            axes.limits[name][i] = math.max(-MOST, math.min(limit, MOST))
        end
    end
    local function widest(ticks)
        local longest = 0
        for _, tick in ipairs(ticks) do
            longest = math.max(longest, #tick.label)
        end
        return longest * c.char
    end
    axes.y = series.ticks(axes.limits.y, log.y, many)
    if image then
        image.ticks = series.ticks({ image.low, image.high }, false, many)
        bar = widest(image.ticks) + 4 * c.char
    end
    local left = widest(axes.y) + 1.5 * c.char + (f.ylabel and not c.flat and 1.4 * c.line or 0)
    local top = (0.75 + (f.title and 1.25 or 0) + (f.ylabel and c.flat and 1 or 0)) * c.line
    local box = { x = left, y = top, w = width - left - 2 * c.char - bar,
        h = height - top - (f.xlabel and 2.75 or 1.5) * c.line }
    if box.w < 8 * c.char or box.h < 3 * c.line then
        series.refuse("options 'width' and 'height': the figure and its labels need more room")
    end
    axes.x = series.ticks(axes.limits.x, log.x, math.max(2, math.floor(box.w / (9 * c.char))))
    return box, axes
end

-- A function from numbers to a position in the box; nil for numbers that are not finite, or have no logarithm on a
-- logarithmic axis.
local function placing(box, axes)
    local function along(value, name)
        local from, to = axes.limits[name][1], axes.limits[name][2]
        if value - value ~= 0 or axes.log[name] and value <= 0 then
            return nil
        elseif axes.log[name] then
            return math.log(value / from) / math.log(to / from)
        end
        local share = (value - from) / (to - from)
        return share - share == 0 and share or nil
    end
    return function(x, y)
        local across, up = along(x, "x"), along(y, "y")
        if across and up then
            return box.x + across * box.w, box.y + (1 - up) * box.h
        end
    end
end

local function draw_grid(c, box, axes, place)
    for _, tick in ipairs(axes.x) do
        local x = place(tick.at, axes.limits.y[1])
        c:path({ x, box.y, x, box.y + box.h }, GREY)
    end
    for _, tick in ipairs(axes.y) do
        local _, y = place(axes.limits.x[1], tick.at)
        c:path({ box.x, y, box.x + box.w, y }, GREY)
    end
end

local function draw_axes(c, box, axes, place, f)
    local right, bottom = box.x + box.w, box.y + box.h
    if not c.flat then
        c:path({ box.x, box.y, right, box.y, right, bottom, box.x, bottom, box.x, box.y }, BLACK)
    end
    for _, tick in ipairs(axes.x) do
        local x = place(tick.at, axes.limits.y[1])
        c:text(x, bottom + 0.75 * c.line, tick.label, 0.5)
        if not c.flat then
            c:path({ x, bottom, x, bottom + 4 }, BLACK)
        end
    end
    for _, tick in ipairs(axes.y) do
        local _, y = place(axes.limits.x[1], tick.at)
        c:text(box.x - 0.75 * c.char, y, tick.label, 1)
        if not c.flat then
            c:path({ box.x - 4, y, box.x, y }, BLACK)
        end
    end
    if f.title then
        c:text(box.x + box.w / 2, 0.75 * c.line, f.title, 0.5)
    end
    if f.xlabel then
        c:text(box.x + box.w / 2, bottom + 2.1 * c.line, f.xlabel, 0.5)
    end
    if f.ylabel and c.flat then
        c:text(0, box.y - 0.75 * c.line, f.ylabel, 0)
    elseif f.ylabel then
        c:text(0.9 * c.line, box.y + box.h / 2, f.ylabel, 0.5, true)
    end
end

local figure = {}

-- Draws the figure on a canvas of width x height; images(array, series) gives an array's levels of a colour scale.
function figure.draw(c, width, height, f, images)
    local all, image = {}, nil
    for i, given in ipairs(f) do
        all[i] = series.read(given, i, images)
        image = all[i].image or image
    end
    if #all == 0 then
        series.refuse("argument 2: a list with at least one series {x, y} is needed")
    end
    local box, axes = layout(c, width, height, f, all, image)
    local place = placing(box, axes)
    if f.grid ~= false and not image and not c.flat then
        draw_grid(c, box, axes, place)
    end
    for _, s in ipairs(all) do
        draw[s.kind](c, box, s, place, axes.limits)
        draw_errors(c, box, s, place)
    end
    draw_axes(c, box, axes, place, f)
    if image then
        draw_bar(c, box, image)
    end
    if f.legend ~= false then
        draw_legend(c, box, all, place)
    end
    return c:finish()
end

-- Checks the figure's own options, and gives its size.
function figure.size(path, f)
    if not misuse.is_table(f) then
        series.refuse("argument 2: a table of series and options is needed, got %s", misuse.kind_of(f))
    end
    local options = {}
    for name, value in pairs(f) do
        if not math.type(name) then
            options[name] = value
        end
    end
    misuse.check_options("plot.figure", 2, options, OF_FIGURE)
    for _, name in ipairs { "title", "xlabel", "ylabel", "log" } do
        if f[name] ~= nil and type(f[name]) ~= "string" then
            series.refuse("option '%s': a string is needed, got %s", name, misuse.kind_of(f[name]))
        end
    end
    if f.log and not ({ x = true, y = true, xy = true })[f.log] then
        series.refuse("option 'log' is '%s'; known are x, y, xy", f.log)
    end
    local width, height = f.width or path and 640 or 78, f.height or path and 400 or 20
    local most = path and 8192 or 1000
    for name, value in pairs { width = width, height = height } do
        local whole = misuse.whole(value)
        if not whole or whole < 1 or whole > most then
            series.refuse("option '%s': a whole number from 1 to %d is needed, got %s", name, most,
                misuse.kind_of(value))
        end
    end
    return math.tointeger(width), math.tointeger(height)
end

return figure
