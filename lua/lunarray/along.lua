-- lun.apply_along_axis: a Lua function of each row along an axis, for what no reduction and no fused function says.

local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"

local NAME = "apply_along_axis"

-- The dtype of results that are Lua's: of integers as reductions give them, else as arithmetic with the array's parts.
local function dtype_of(a, value)
    local facts = core.dtypes()[a:dtype()]
    if type(value) == "boolean" then
        return "bool"
    elseif facts.whole and math.type(value) == "integer" then
        return "i64"
    end
    return core.promoted(facts.whole and (a:device():info().fp64 and "f64" or "f32") or facts.part, value)
end

local function is_number(value)
    return math.type(value) or type(value) == "boolean" or core.type(value) == "complex"
end

-- What f gives of each row, and whether these are arrays.
local function call_each(f, rows, count)
    local given, arrays = {}, false
    for i = 1, count do
        local value = f(rows:row(i))
        if not is_number(value) then
            misuse.check_given(NAME, "the function", value, "an array or a number")
        end
        local is_array = core.type(value) == "array"
        if i > 1 and is_array ~= arrays then
            misuse.raise(NAME, "the function gives %s for row %d, and before %s; all are arrays, or all numbers",
                misuse.kind_of(value), i, misuse.kind_of(given[1]))
        end
        given[i], arrays = value, is_array
    end
    return given, arrays
end

-- The axes of a result come in the place of the axis.
local function join(given, shape, axis)
    local stacked = core._named(NAME, core.stack)(given)
    local inner = { select(2, stacked:shape()) }
    local from, to = {}, {}
    for i = 1, #inner do
        from[i], to[i] = #shape + i, axis + i - 1
    end
    return stacked:reshape(table.unpack(table.move(inner, 1, #inner, #shape + 1, shape))):moveaxis(from, to)
end

function core.apply_along_axis(f, axis, a, ...)
    if f == core then
        misuse.raise(NAME, "argument 1 is the module: it is called with a dot, lun.%s(...)", NAME)
    end
    local callable = type(f) == "function" or (getmetatable(f) or {}).__call
    if not callable then
        misuse.raise(NAME, "argument 1: a function is needed, got %s", misuse.kind_of(f))
    end
    if not misuse.whole(axis) then
        misuse.raise(NAME, "argument 2: an axis (a whole number) is needed, got %s", misuse.kind_of(axis))
    end
    misuse.check_array(NAME, "argument 3", a)
    misuse.check_end(NAME, 3, ...)
    local turned = core._named(NAME, a.moveaxis)(a, axis, -1)
    local shape, count = { turned:shape() }, 1
    local size = table.remove(shape)
    for _, extent in ipairs(shape) do
        count = count * extent
    end
    if count == 0 then
        misuse.raise(NAME, "the array has shape %s: there is no row along axis %d", misuse.shape_of(a), axis)
    end
    local given, arrays = call_each(f, turned:reshape(count, size), count)
    if #shape == 0 then
        return given[1]
    elseif arrays then
        return join(given, shape, axis < 0 and axis + a:ndim() + 1 or axis)
    end
    return a:device():array(given, dtype_of(a, given[1]), shape)
end
