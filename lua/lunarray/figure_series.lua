-- The series and the axes of a figure as lists of numbers, ranges and ticks; figure.lua draws them.

local lun = require "lunarray"
local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"

local series = {}

-- The colours of series, in rotation, which colour-blind people can also distinguish (Okabe and Ito 2008), and signs.
local COLOURS = { { 0, 114, 178 }, { 213, 94, 0 }, { 0, 158, 115 }, { 204, 121, 167 }, { 230, 159, 0 },
    { 86, 180, 233 }, { 0, 0, 0 } }
local SIGNS = { "*", "+", "o", "x", "#", "%", "@" }
local NAMED = { black = { 0, 0, 0 }, blue = { 0, 0, 255 }, cyan = { 0, 255, 255 }, green = { 0, 128, 0 },
    magenta = { 255, 0, 255 }, red = { 255, 0, 0 }, white = { 255, 255, 255 }, yellow = { 255, 255, 0 } }
local KINDS = { line = true, points = true, band = true, histogram = true, image = true }
local OF_SERIES = { "kind", "label", "color", "width", "size", "dashed", "error", "bins", "low", "high", "scale", "x",
    "y" }

function series.refuse(...)
    misuse.raise("plot.figure", ...)
end

-- The numbers of an array or a list, as a list of floats.
local function numbers_of(value, what)
    if core.type(value) == "array" then
        misuse.check_array("plot.figure", what, value)
        if value:dtype():find "^c" then
            series.refuse("%s: real numbers are needed, got %s; take real(), imag() or abs()", what, value:dtype())
        end
        if value:ndim() ~= 1 then
            series.refuse("%s: a vector is needed, got the shape %s; a:col(j) is a column", what,
                misuse.shape_of(value))
        end
        value = value:totable()
    elseif not misuse.is_table(value) then
        series.refuse("%s: an array or a list of numbers is needed, got %s", what, misuse.kind_of(value))
    end
    local list = {}
    for i = 1, #value do
        local x = value[i]
        if type(x) == "boolean" then
            x = x and 1 or 0
        elseif not math.type(x) then
            series.refuse("%s: numbers are needed, got %s at position %d", what, misuse.kind_of(x), i)
        end
        list[i] = x + 0.0
    end
    if #list == 0 then
        series.refuse("%s: at least one number is needed", what)
    end
    return list
end

function series.range(given, what, log)
    if not (misuse.is_table(given) and #given == 2 and math.type(given[1]) and math.type(given[2])
        and given[1] - given[1] == 0 and given[2] - given[2] == 0 and given[1] ~= given[2]) then
        series.refuse("option '%s': two different finite numbers are needed", what)
    elseif log and math.min(given[1], given[2]) <= 0 then
        series.refuse("option '%s': numbers above 0 are needed on a logarithmic axis", what)
    end
    return { given[1] + 0.0, given[2] + 0.0 }
end

local function colour_of(given, what)
    local digits, colour = type(given) == "string" and given:match "^#(%x%x%x%x%x%x)$", {}
    for i = 1, 3 do
        colour[i] = digits and tonumber(digits:sub(2 * i - 1, 2 * i), 16)
            or misuse.is_table(given) and #given == 3 and misuse.whole(given[i])
    end
    colour = type(given) == "string" and NAMED[given] or colour
    for i = 1, 3 do
        if not colour[i] or colour[i] < 0 or colour[i] > 255 then
            series.refuse("%s: option 'color': {red, green, blue}, whole numbers from 0 to 255, \"#rrggbb\", black, "
                .. "blue, cyan, green, magenta, red, white or yellow is needed, got %s", what,
                type(given) == "string" and '"' .. given .. '"' or misuse.kind_of(given))
        end
    end
    return colour
end

-- Checks the options common to all kinds, and the names of all options.
local function check_series(given, what)
    for name in pairs(given) do
        local known = name == 1 or name == 2 or name == 3 and given.kind == "band"
        for _, one in ipairs(OF_SERIES) do
            known = known or one == name
        end
        if math.type(name) and not known then
            series.refuse("%s: one or two lists of numbers are needed, got %d elements: {{x, y}} draws a line",
                what, #given)
        elseif not known then
            series.refuse("%s: unknown option '%s'; known are %s", what, tostring(name), table.concat(OF_SERIES, ", "))
        end
    end
    for name, wanted in pairs { label = "string", dashed = "boolean" } do
        if given[name] ~= nil and type(given[name]) ~= wanted then
            series.refuse("%s: option '%s': %s is needed, got %s", what, name,
                wanted == "string" and "a string" or "true or false", misuse.kind_of(given[name]))
        end
    end
    for _, name in ipairs { "width", "size" } do
        local value = given[name]
        if value ~= nil and not (math.type(value) and value > 0 and value < math.huge) then
            series.refuse("%s: option '%s': a number above 0 is needed, got %s", what, name,
                misuse.text("%s", math.type(value) and value or misuse.kind_of(value)))
        end
    end
end

-- A series: kind, x and y as lists, and the further fields of its kind.
function series.read(given, i, images)
    local what = ("series %d"):format(i)
    if not misuse.is_table(given) then
        series.refuse("%s: a table {x, y, label = ...} is needed, got %s", what, misuse.kind_of(given))
    end
    local s = { kind = given.kind or "line", label = given.label, dashed = given.dashed,
        width = given.width, size = given.size, sign = SIGNS[1 + (i - 1) % #SIGNS],
        colour = given.color == nil and COLOURS[1 + (i - 1) % #COLOURS] or colour_of(given.color, what) }
    check_series(given, what)
    if not KINDS[s.kind] then
        series.refuse("%s: kind is %s; known are line, points, band, histogram, image", what,
            misuse.text("%s", s.kind))
    elseif s.kind == "image" then
        s.image = images(given[1], given)
        s.x = given.x and series.range(given.x, "x") or { 0.5, s.image.width + 0.5 }
        s.y = given.y and series.range(given.y, "y") or { s.image.height + 0.5, 0.5 }
    elseif s.kind == "histogram" then
        local a = core.type(given[1]) == "array" and given[1] or lun.array(numbers_of(given[1], what))
        local counts, edges = a:histogram { bins = given.bins or 30, low = given.low, high = given.high }
        s.y, s.x = numbers_of(counts, what), numbers_of(edges, what)
    else
        local first, second = given[1], given[2]
        s.y = numbers_of(second == nil and first or second, what .. (second ~= nil and ", argument 2" or ""))
        if second == nil then
            s.x = {}
            for k = 1, #s.y do
                s.x[k] = k + 0.0
            end
        else
            s.x = numbers_of(first, what .. ", argument 1")
        end
        s.other = s.kind == "band" and numbers_of(given[3], what .. ", argument 3")
        s.share = s.other and 0.3
        s.error = given.error and numbers_of(given.error, what .. ", option 'error'")
        if #s.y ~= #s.x then
            series.refuse("%s: x has %d numbers and y %d", what, #s.x, #s.y)
        elseif s.other and #s.other ~= #s.x then
            series.refuse("%s: x has %d numbers and the band's other edge %d", what, #s.x, #s.other)
        elseif s.error and #s.error ~= #s.x then
            series.refuse("%s: x has %d numbers and option 'error' %d", what, #s.x, #s.error)
        end
    end
    return s
end

-- The range of all series along "x" or "y": an image's own, in its direction, or that of all finite numbers, above 0 on
-- a logarithmic axis, with a margin.
function series.span(all, name, log)
    local low, high = math.huge, -math.huge
    for _, s in ipairs(all) do
        if s.kind == "image" then
            return { s[name][1], s[name][2] }
        end
        for k, value in ipairs(s[name]) do
            local reach = name == "y" and s.error and s.error[k] or 0
            for _, v in ipairs { value - reach, name == "y" and s.other and s.other[k] or value + reach } do
                if v - v == 0 and (not log or v > 0) then
                    low, high = math.min(low, v), math.max(high, v)
                end
            end
        end
        if s.kind == "histogram" and name == "y" and not log then
            low = math.min(low, 0)
        end
    end
    if low > high then
        low, high = 1, 10
    elseif low == high then
        local half = math.max(1, math.abs(low)) / 2
        low, high = log and low / 2 or low - half, log and high * 2 or high + half
    elseif log then
        low, high = low / (high / low) ^ 0.04, high * (high / low) ^ 0.04
    elseif name == "y" then
        local margin = (high - low) * 0.04
        low, high = low == 0 and low or low - margin, high + margin
    end
    return { low, high }
end

-- A tick's number, with the digits of its step.
local function shown(value, step)
    local size = math.abs(value)
    if step >= 1e-4 and size < 1e5 then
        return misuse.text(("%%.%df"):format(math.max(0, -math.floor(math.log(step, 10) + 1e-9))), value)
    elseif value == 0 then
        return "0"
    end
    local text = misuse.text(("%%.%dg"):format(math.max(1, math.floor(math.log(size / step, 10) + 1e-9) + 1)), value)
    return (text:gsub("e([+-])0*(%d)", function(sign, digit) return "e" .. (sign == "-" and "-" or "") .. digit end))
end

-- Ticks of an axis: positions and labels, at most about `most` of them.
function series.ticks(range, log, most)
    local low, high = math.min(range[1], range[2]), math.max(range[1], range[2])
    local list = {}
    if log and math.log(high / low, 10) >= 1 then
        local first, last = math.ceil(math.log(low, 10) - 1e-9), math.floor(math.log(high, 10) + 1e-9)
        local every = math.max(1, math.ceil((last - first + 1) / most))
        for k = first, last, every do
            list[#list + 1] = { at = 10.0 ^ k, label = k >= -3 and k <= 4 and misuse.text("%g", 10.0 ^ k) or "1e" .. k }
        end
        return list
    end
    local raw = (high - low) / math.max(most, 1)
    local step = 10.0 ^ math.floor(math.log(raw, 10))
    step = raw / step <= 1.0000001 and step or raw / step <= 2 and 2 * step or raw / step <= 5 and 5 * step or 10 * step
    for k = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) do
        list[#list + 1] = { at = k * step, label = shown(k * step, step) }
    end
    return list
end

return series
