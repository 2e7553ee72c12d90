-- Lua functions applied to rows, positions and pieces: lun.apply_along_axis, lun.fromfunction, lun.piecewise; and
-- single positions for unravel and ravel.

local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"

local NAME = "apply_along_axis"

-- The dtype of results that are Lua's numbers: for integers as for reductions, otherwise as for arithmetic with the
-- array's parts.
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

-- The results of f for each row, and whether they are arrays.
local function call_each(f, rows, count)
    local given, arrays = {}, false
    for i = 1, count do
        local value = f(rows:row(i))
        if not is_number(value) then
            misuse.check_given(NAME, "the function", value, "an array or a number")
        end
        local is_array = core.type(value) == "array"
        if i > 1 and is_array ~= arrays then
            misuse.raise(NAME, "the function returned %s for row %d, and %s before; all results must be arrays, "
                .. "or all numbers",
                misuse.kind_of(value), i, misuse.kind_of(given[1]))
        end
        given[i], arrays = value, is_array
    end
    return given, arrays
end

-- The axes of a result replace the axis.
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
    misuse.check_function(NAME, 1, f)
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

-- ---- positions and pieces -------------------------------------------------------------------------------------

-- The values of f at all positions of a shape, which it gets as arrays, one for each axis.
function core.fromfunction(f, shape, dtype, ...)
    misuse.check_function("fromfunction", 1, f)
    misuse.check_end("fromfunction", 3, ...)
    if type(dtype) == "table" then
        misuse.check_options("fromfunction", 3, dtype, { "dtype" })
        dtype = dtype.dtype
    end
    local positions = table.pack(core._named("fromfunction", core.indices)(shape, dtype or core.default_dtype()))
    local value = f(table.unpack(positions, 1, positions.n))
    if is_number(value) then
        return core.full({ positions[1]:shape() }, value, dtype)
    end
    return misuse.check_given("fromfunction", "the function", value, "an array or a number") or value
end

-- For each element of x the value, or the function's result for x, of the last condition that is true there.
function core.piecewise(x, conditions, values, ...)
    misuse.check_dot("piecewise", x)
    misuse.check_array("piecewise", "argument 1", x)
    misuse.check_end("piecewise", 3, ...)
    for i, list in ipairs { conditions, values } do
        if not misuse.is_table(list) then
            misuse.raise("piecewise", "argument %d: a list is needed, got %s", i + 1, misuse.kind_of(list))
        end
    end
    local count, from, to = #conditions, {}, {}
    if count == 0 or #values ~= count and #values ~= count + 1 then
        misuse.raise("piecewise", "got %d conditions and %d values; as many values as conditions are needed, "
            .. "or one more", count,
            #values)
    end
    local function value_of(value)
        return type(value) == "function" and value(x) or value
    end
    for i = count, 1, -1 do -- the first that is true counts in select
        from[#from + 1], to[#to + 1] = conditions[i], value_of(values[i])
    end
    local chosen = core._named("piecewise", core.select)(from, to, value_of(values[count + 1]) or 0)
    return chosen:dtype() == x:dtype() and chosen or chosen:cast(x:dtype())
end

-- lun.unravel(5, {2, 3}) and lun.ravel({2, 2}, {2, 3}): numbers for arrays of one position.
local unravel, ravel = core.unravel, core.ravel

local function number_of(name, position)
    return core._named(name, position.get)(position)
end

function core.unravel(index, ...)
    if not misuse.whole(index) then
        return unravel(index, ...)
    end
    local each = table.pack(unravel(core.array(index, "i64"), ...))
    for i = 1, each.n do
        each[i] = core.type(each[i]) == "array" and number_of("unravel", each[i]) or each[i]
    end
    return table.unpack(each, 1, each.n)
end

function core.ravel(list, ...)
    local numbers, positions = misuse.is_table(list) and #list > 0, {}
    for i, index in ipairs(numbers and list or {}) do
        numbers = numbers and misuse.whole(index)
        positions[i] = numbers and core.array(index, "i64")
    end
    local position = ravel(numbers and positions or list, ...)
    return numbers and core.type(position) == "array" and number_of("ravel", position) or position
end
