-- Views of the arguments of a fused function, and how it reads them at other positions than their own: roll and pad.

local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"
local stand_in = require "lunarray.stand_in"
stand_in.own()

local methods, raise, try, check_self = stand_in.methods, stand_in.raise, stand_in.try, stand_in.check_self
local add_array, apply, arity, fixed, kind_of = stand_in.add_array, stand_in.apply, stand_in.arity, stand_in.fixed,
    stand_in.kind_of

-- Raises unless views can be made of it.
local function check_source(name, source)
    if not source then
        raise("%s: views are made of arguments, before anything is computed", name)
    elseif source.read then
        raise("%s: roll and pad come last: views are made of arguments as they lie", name)
    end
end

-- A view of the source, made anew at each call; and while the function is traced, so that mistakes show at its line.
local function view_of(trace, source, name, ...)
    local view, key = { name = name, n = select("#", ...) }, (source.as_it_lies or source.key) .. ":" .. name
    for i = 1, view.n do
        local text
        view[i], text = fixed(name, (select(i, ...)))
        key = key .. " " .. text
    end
    local example = try(source.example[name], source.example, table.unpack(view, 1, view.n))
    table.insert(trace.examples, example)
    local views = table.move(source.views, 1, #source.views, 1, {})
    table.insert(views, view)
    return { key = key, argument = source.argument, views = views, example = example }
end

for name in ("slice row col t reshape broadcast squeeze expand flip mt swapaxes moveaxis rot90 diagonal windows "
    .. "real imag as_real as_complex"):gmatch "%S+" do
    methods[name] = function(self, ...)
        local trace, source = check_self(name, self), rawget(self, "source")
        if not source and arity[name] then
            return (apply(name, self, ...))
        end
        check_source(name, source)
        return (add_array(trace, view_of(trace, source, name, ...)))
    end
end

for _, name in ipairs { "dtype", "ndim" } do
    methods[name] = function(self)
        check_self(name, self)
        local source = rawget(self, "source")
        if not source then
            raise("%s: it is known of arrays that are arguments, and of their views", name)
        end
        return source.example[name](source.example)
    end
end

-- ---- other positions ------------------------------------------------------------------------------------------

local PAIR = "pad: pair %d is %s; {before, after} of whole numbers from 0 is wanted"

-- A pair's number of elements; nil: it is none.
local function width_of(x)
    local whole = misuse.whole(x)
    return whole and whole >= 0 and whole or nil
end

-- The axis that is meant, from 1.
local function axis_of(name, axis, ndim)
    local whole = misuse.whole(axis)
    local positive = whole and whole < 0 and whole + ndim + 1 or whole
    if not positive or positive < 1 or positive > ndim then
        raise("%s: axis %s; a whole number from 1 to %d, or from -%d to -1, is wanted", name,
            whole or "is " .. kind_of(axis), ndim, ndim)
    end
    return positive
end

-- A read of the argument: at each position of it the read's `before` has one for each axis.
local function add_read(trace, source, read)
    local words = { source.as_it_lies or source.key, read.mode, table.concat(read.before, " ") }
    for _, given in ipairs { read.after or {}, { read.value }, read.first or {}, read.last or {} } do
        local _, text = fixed("pad", given)
        table.insert(words, text)
    end
    return add_array(trace, { key = table.concat(words, ":"), as_it_lies = source.as_it_lies or source.key, read = read,
        argument = source.argument, outside = source.outside, views = source.views, example = source.example })
end

function methods.roll(self, shift, axis)
    local trace, source = check_self("roll", self), rawget(self, "source")
    if not source or source.read and (source.read.mode ~= "roll" or source.read.first) then
        check_source("roll", source)
    end
    local ndim = source.example:ndim()
    axis = type(axis) == "table" and axis.axis or axis
    if axis == nil and ndim ~= 1 then
        raise "roll: within a fused function the axis is wanted too, a:roll(shift, axis)"
    end
    local axes = type(axis) == "table" and axis or { axis or 1 }
    local shifts = type(shift) == "table" and shift or { shift }
    if type(shift) == "table" and #shift ~= #axes then
        raise("roll: the number of shifts is %d, and that of axes %d", #shift, #axes)
    end
    local before = {}
    for i = 1, ndim do
        before[i] = source.read and source.read.before[i] or 0
    end
    for i, at in ipairs(axes) do
        local given = shifts[i] or shifts[1]
        local by = misuse.whole(given)
        if not by then
            raise("roll: shift %d is %s; a fixed whole number is wanted", i, kind_of(given))
        end
        at = axis_of("roll", at, ndim)
        before[at] = before[at] + by
    end
    return (add_read(trace, source, { mode = "roll", before = before }))
end

local MODES = { constant = true, edge = true, wrap = true, reflect = true }

function methods.pad(self, widths, options)
    local trace, source = check_self("pad", self), rawget(self, "source")
    check_source("pad", source)
    local ndim = source.example:ndim()
    local given = options or type(widths) == "table" and widths or {}
    local mode, value, before, after = given.mode or "constant", given.value, {}, {}
    if not MODES[mode] then
        raise("pad: unknown mode '%s'; known are constant, edge, wrap, reflect", tostring(mode))
    elseif value ~= nil and mode ~= "constant" then
        raise("pad: value goes with mode \"constant\", not with \"%s\"", mode)
    elseif type(widths) == "table" and #widths ~= ndim then
        raise("pad: the number of pairs {before, after} is %d, and that of axes %d", #widths, ndim)
    end
    fixed("pad", value)
    for i = 1, ndim do
        local pair = type(widths) == "table" and widths[i] or { widths, widths }
        local both = type(pair) == "table"
        before[i], after[i] = width_of(both and pair[1]), width_of(both and pair[2])
        if not before[i] or not after[i] then
            raise(PAIR, i, both and kind_of(pair[1]) .. " and " .. kind_of(pair[2]) or kind_of(pair))
        end
    end
    return (add_read(trace, source, { mode = mode, before = before, after = after, value = value or 0 }))
end

-- ---- a part of what is rolled or padded ---------------------------------------------------------------------------

local RANGE = "slice: axis %d is rolled or padded; a range {from, to} of fixed positions is wanted there, got %s"

-- The ends of a range of step 1; 0: it has none.
local function ends_of(axis, range)
    if type(range) ~= "table" then
        raise(RANGE, axis, kind_of(range))
    end
    local ends = {}
    for i = 1, 3 do
        local part = range[i]
        ends[i] = part == nil and 0 or misuse.whole(part)
        if part ~= nil and (not ends[i] or part == 0 or i == 3 and part ~= 1) then
            raise(RANGE, axis, i == 3 and "a step" or part == 0 and "position 0" or kind_of(part))
        end
    end
    return ends[1], ends[2]
end

local slice_source = methods.slice

-- Along axes that are read as they lie the part is one of the argument; along others the read leaves the rest out.
function methods.slice(self, ...)
    local trace, source = check_self("slice", self), rawget(self, "source")
    local read = source and source.read
    if not read or read.first then
        return slice_source(self, ...)
    end
    local ranges, left = table.pack(...), { mode = read.mode, value = read.value, before = {}, first = {}, last = {} }
    left.after = read.after and {}
    for i = 1, source.example:ndim() do
        local range, first, last = ranges[i], 0, 0
        local moved = read.before[i] ~= 0 or read.after and read.after[i] ~= 0
        if moved and range ~= nil then
            ranges[i], first, last = nil, ends_of(i, range)
        end
        if moved or math.type(range) == nil then -- the axis stays
            for name, value in pairs { before = read.before[i], after = read.after and read.after[i], first = first,
                last = last } do
                table.insert(left[name], value)
            end
        end
    end
    return (add_read(trace, view_of(trace, source, "slice", table.unpack(ranges, 1, ranges.n)), left))
end
