-- What arranging gives, in plain Lua: every result says of each of its places which place of an input is copied there.

local numbers = require "spec.numbers"
local reference = require "spec.reference"

local arranging = {}

-- An array of the model: { flat =, shape = }; its element at a place.
local function at(x, place)
    return x.flat[reference.number(place, reference.strides(x.shape))]
end

-- A new one, whose elements f(place) gives.
local function made(shape, f)
    local flat = {}
    reference.each(shape, function(place, number) flat[number] = f(place) end)
    return { flat = flat, shape = shape }
end

local function sizes_with(shape, axis, size)
    local new = table.move(shape, 1, #shape, 1, {})
    new[axis] = size
    return new
end

-- x with positions pick(position) of an axis at 1 .. size; nil stands for `value`.
local function along(x, axis, size, pick, value)
    local from = {}
    return made(sizes_with(x.shape, axis, size), function(place)
        table.move(place, 1, #place, 1, from)
        from[axis] = pick(place[axis])
        return from[axis] and at(x, from) or value
    end)
end

-- x with axes of size 1 in front, so that it has at least that many.
local function with_axes(x, ndim)
    local shape = {}
    for i = 1, math.max(ndim - #x.shape, 0) do
        shape[i] = 1
    end
    return { flat = x.flat, shape = table.move(x.shape, 1, #x.shape, #shape + 1, shape) }
end

-- ---- views --------------------------------------------------------------------------------------------------

function arranging.broadcast(x, shape)
    x = with_axes(x, #shape)
    local y = x
    for axis, size in ipairs(shape) do
        if x.shape[axis] ~= size then
            y = along(y, axis, size, function() return 1 end)
        end
    end
    return y
end

function arranging.flip(x, axes)
    for _, axis in ipairs(axes) do
        local size = x.shape[axis]
        x = along(x, axis, size, function(i) return size + 1 - i end)
    end
    return x
end

-- `count` positions from the one behind `from` on.
function arranging.part(x, axis, from, count)
    return along(x, axis, count, function(i) return from + i end)
end

function arranging.diag(x, k)
    if #x.shape == 1 then
        local n = #x.flat + math.abs(k)
        local below, right = math.max(-k, 0), math.max(k, 0)
        return made({ n, n }, function(place)
            local i, j = place[1] - below, place[2] - right
            return i == j and i >= 1 and x.flat[i] or 0
        end)
    end
    local rows, columns = x.shape[1], x.shape[2]
    local size = math.max(0, k >= 0 and math.min(rows, columns - k) or math.min(rows + k, columns))
    return made({ size }, function(place)
        return at(x, { place[1] + math.max(-k, 0), place[1] + math.max(k, 0) })
    end)
end

-- ---- new arrays ------------------------------------------------------------------------------------------------

function arranging.concat(list, axis)
    local size, owners = 0, {}
    for _, x in ipairs(list) do
        for i = 1, x.shape[axis] do
            owners[size + i] = { x, i }
        end
        size = size + x.shape[axis]
    end
    local from = {}
    return made(sizes_with(list[1].shape, axis, size), function(place)
        table.move(place, 1, #place, 1, from)
        local owner = owners[place[axis]]
        from[axis] = owner[2]
        return at(owner[1], from)
    end)
end

function arranging.stack(list, axis)
    local slabs = {}
    for i, x in ipairs(list) do
        local shape = table.move(x.shape, 1, #x.shape, 1, {})
        table.insert(shape, axis, 1)
        slabs[i] = { flat = x.flat, shape = shape }
    end
    return arranging.concat(slabs, axis)
end

function arranging.tile(x, times)
    x = with_axes(x, #times)
    for i, count in ipairs(times) do
        local axis = #x.shape - #times + i
        local size = x.shape[axis]
        x = along(x, axis, size * count, function(p) return (p - 1) % size + 1 end)
    end
    return x
end

function arranging.roll(x, shifts)
    for axis, shift in pairs(shifts) do
        local size = x.shape[axis]
        x = along(x, axis, size, function(i) return (i - 1 - shift) % size + 1 end)
    end
    return x
end

function arranging.roll_flat(x, shift)
    local flat = { flat = x.flat, shape = { #x.flat } }
    return { flat = arranging.roll(flat, { shift }).flat, shape = x.shape }
end

-- The position, from 1, that stands at position i of an axis which goes on in both directions.
local modes = {
    constant = function(i, size) return i >= 1 and i <= size and i or nil end,
    edge = function(i, size) return math.max(1, math.min(size, i)) end,
    wrap = function(i, size) return (i - 1) % size + 1 end,
    symmetric = function(i, size)
        local p = (i - 1) % (2 * size)
        return p < size and p + 1 or 2 * size - p
    end,
    reflect = function(i, size)
        local period = math.max(1, 2 * (size - 1))
        local p = (i - 1) % period
        return (p < size and p or period - p) + 1
    end,
}

function arranging.pad(x, widths, mode, value)
    for axis, width in ipairs(widths) do
        local size = x.shape[axis]
        if width[1] + width[2] > 0 then
            x = along(x, axis, size + width[1] + width[2], function(i) return modes[mode](i - width[1], size) end,
                value)
        end
    end
    return x
end

-- keep(row, column) says which elements of the matrices in the last two axes stay.
function arranging.triangle(x, keep)
    return made(x.shape, function(place)
        return keep(place[#place - 1], place[#place]) and at(x, place) or 0
    end)
end

-- ---- arrays to try them on --------------------------------------------------------------------------------------

-- Views that a random generator chooses from: a function gives the view of an array on the device, and its model.
local views = {
    function(a, x) return a, x end,
    function(a, x)
        local flat, shape = reference.transpose(x.flat, x.shape)
        return a:t(), { flat = flat, shape = shape }
    end,
    function(a, x, random)
        local axis = random(1, math.max(1, #x.shape))
        if #x.shape == 0 then
            return a, x
        end
        return a:flip(axis), arranging.flip(x, { axis })
    end,
    function(a, x)
        local size = x.shape[#x.shape] or 0
        if size < 2 then
            return a, x
        end
        local ranges = {}
        ranges[#x.shape] = { 2, size, 2 }
        return a:slice(table.unpack(ranges, 1, #x.shape)),
            along(x, #x.shape, size // 2, function(i) return 2 * i end)
    end,
    function(a, x)
        if #x.shape == 0 or x.shape[1] == 0 then
            return a, x
        end
        local row = arranging.part(x, 1, 0, 1)
        return a:slice({ 1, 1 }):broadcast(x.shape), arranging.broadcast(row, x.shape)
    end,
}

-- An array of that shape and dtype, seen through some view, and its model; `kind` names one.
function arranging.some(dev, random, shape, dtype, kind)
    local flat = numbers.some(reference.size(shape), dtype, random(1, 5))
    local a = #flat == 0 and dev:zeros(shape, dtype)
        or dev:array(#shape == 0 and flat[1] or flat, dtype):reshape(table.unpack(shape))
    return views[kind or random(1, #views)](a, { flat = flat, shape = shape }, random)
end

-- A shape of that many axes, without elements now and then.
function arranging.some_shape(random, ndim, largest)
    local shape = {}
    for i = 1, ndim do
        shape[i] = random(1, 20) == 1 and 0 or random(1, largest or 4)
    end
    return shape
end

return arranging
