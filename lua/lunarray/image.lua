-- Density maps of bodies, computed on the device: the mass in each pixel, with the same bits every time.

local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"

local raise, kind_of = misuse.raise, misuse.kind_of

-- Checks the options of image; gives the axes to the right and upwards, and limits or nil.
local function read_options(pos, options)
    options = misuse.check_options("image", 3, options, { "axis", "limits", "weights" })
    local axis, limits, weights = options.axis or 3, options.limits, options.weights
    if axis ~= 1 and axis ~= 2 and axis ~= 3 then
        raise("image", "option 'axis': 1, 2 or 3 is needed, got %s", kind_of(axis))
    end
    for i = 1, limits and 4 or 0 do
        local limit = type(limits) == "table" and limits[i]
        if not math.type(limit) or limit - limit ~= 0 or i % 2 == 0 and limits[i - 1] >= limit then
            raise("image", "option 'limits': {left, right, bottom, top} is needed, left below right, bottom below top")
        end
    end
    if weights ~= nil and weights ~= false and (core.type(weights) ~= "array" or weights:ndim() ~= 1
        or #weights ~= #pos) then
        raise("image", "option 'weights': an array of %d is needed, one for each body, or false; got %s", #pos,
            core.type(weights) == "array" and misuse.shape_of(weights) or kind_of(weights))
    end
    return axis == 1 and 2 or 1, axis == 3 and 2 or 3, limits, weights
end

-- The smallest and the largest of an array's finite elements, widened a little if they are equal.
local function extent(column)
    local finite <close> = column:mask(column:isfinite())
    if #finite == 0 then
        return 0, 1
    end
    local least, most = finite:reduce { "min", "max" }
    local margin = least == most and math.max(math.abs(least), 1) / 2 or 0
    return least - margin, most + margin
end

-- The cell, from 0, of each element among n cells from `from` to `to`; the last cell includes its upper end.
local function cells(column, from, to, n)
    local at = (column - from) * (n / (to - from))
    return core.where(column:eq(to), n - 1, at:floor())
end

local MOST_PIXELS = 2 ^ 31 - 2 -- the bins of bincount, except one for the elements outside

local function check_size(position, n)
    local size = misuse.whole(n)
    if not size or size < 1 then
        raise("image", "argument %d: a number of pixels from 1 is needed, got %s", position, kind_of(n))
    end
    return size
end

-- image(positions, width, height [, options])
return function(pos, width, height, options)
    width, height = check_size(1, width), check_size(2, height)
    if width * (height + 0.0) > MOST_PIXELS then
        raise("image", "%d x %d pixels are too many; at most %d are possible", width, height, MOST_PIXELS)
    end
    local across, up, limits, weights = read_options(pos, options)
    return core.scope(function()
        local x, y = pos:col(across), pos:col(up)
        if not limits then
            limits = { extent(x) }
            limits[3], limits[4] = extent(y)
        end
        local column = cells(x, limits[1], limits[2], width)
        local row = cells(-y, -limits[4], -limits[3], height)
        local inside = column:ge(0):land(column:lt(width)):land(row:ge(0)):land(row:lt(height))
        local count = width * height
        local pixel = core.where(inside, row:cast("i64") * width + column:cast("i64"), count)
        if weights == nil then
            weights = pos:col(4)
        end
        local all = pixel:bincount { weights = weights or nil, size = count + 1, from = 0 }
        return all:slice({ 1, count }):reshape(height, width)
    end)
end
