-- Sparse matrices: lun.sparse{...}, lun.sparse.eye and lun.sparse.diags, whose lists become arrays. The matrices
-- themselves are core's, and so are their methods.

local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"

local raise, kind_of = misuse.raise, misuse.kind_of

-- ---- lun.sparse --------------------------------------------------------------------------------------------------

local PARTS = { "values", "starts", "rows", "cols" }

-- The device of the first of these that is an array, or the default one.
local function device_of(given)
    for _, key in ipairs(PARTS) do
        if core.type(given[key]) == "array" and core._is_live(given[key]) then
            return given[key]:device()
        end
    end
    return core.device()
end

-- A list as an array.
local function vector_of(device, name, list, dtype)
    return #list == 0 and device:zeros({ 0 }, { dtype = dtype })
        or core._named(name, device.array)(device, list, { dtype = dtype })
end

local function make(_, given, dtype, ...)
    if not misuse.is_table(given) then
        raise("sparse", "argument 1: a table is needed, %s, got %s",
            "{rows, cols, values, shape} or {starts, cols, values, shape}", kind_of(given))
    end
    local device, options, named = device_of(given), {}, type(dtype) == "string"
    if not named then
        misuse.check_end("sparse", 1, dtype, ...)
    end
    misuse.check_end("sparse", 2, ...)
    for key, value in pairs(given) do
        options[key] = value
    end
    if named and options.dtype then
        raise("sparse", "the dtype is given twice: argument 2 and the option 'dtype'")
    end
    options.dtype = named and dtype or options.dtype
    for _, key in ipairs(PARTS) do
        local value = options[key]
        if misuse.is_table(value) then
            options[key] = vector_of(device, "sparse", value, key ~= "values" and "i64" or options.dtype)
        elseif core.type(value) == "array" and not core._is_live(value) then
            raise("sparse", "%s: the array was released", key)
        end
    end
    return core._named("sparse", device.sparse)(device, options)
end

core.sparse = setmetatable({}, { __call = make, __index = function(_, name)
    raise("sparse", "lun.sparse has no %s: lun.sparse{rows = i, cols = j, values = v, shape = {m, n}}, a:sparse(), "
        .. "lun.sparse.eye(n) and lun.sparse.diags(diagonals) make sparse matrices", misuse.text("%s", name))
end })

-- ---- makers ------------------------------------------------------------------------------------------------------

local function is_number(x) return math.type(x) or core.type(x) == "complex" end

-- lun.sparse.eye(n [, {dtype}])
function core.sparse.eye(size, options, ...)
    local n = misuse.whole(size)
    if not n or n < 0 then
        raise("eye", "argument 1: a whole number from 0 is needed, got %s", kind_of(size))
    end
    options = misuse.dtype_option(options)
    misuse.check_options("eye", 2, options, { "dtype" })
    misuse.check_end("eye", 2, ...)
    local device = core.device()
    local all = n > 0 and device:arange(n) or device:zeros({ 0 }, "i64")
    local values = core._named("eye", device.ones)(device, { n },
        { dtype = options and options.dtype })
    return core.sparse { rows = all, cols = all, values = values, shape = { n, n } }
end

-- A diagonal as an array of `count` numbers, or of as many as it has.
local function diagonal_of(device, given, count, i, dtype)
    local values = given
    if misuse.is_table(given) then
        values = vector_of(device, "diags", given, dtype)
    elseif is_number(given) then
        values = core._named("diags", device.full)(device, { count or 1 }, given,
            { dtype = dtype })
    end
    if core.type(values) ~= "array" or values:ndim() ~= 1 or count and #values ~= count then
        raise("diags", "diagonal %d: a number, or a list or an array of %s, is needed, got %s", i, count or "numbers",
            core.type(values) == "array" and "(" .. misuse.shape_of(values) .. ")" or kind_of(values))
    end
    return values
end

local function check_shape(shape)
    local good = misuse.is_table(shape) and #shape == 2
    local m, n = misuse.whole(good and shape[1]), misuse.whole(good and shape[2])
    if not m or not n or m < 0 or n < 0 then
        raise("diags", "shape: a list of two whole numbers from 0 is needed, {rows, columns}, got %s", good
            and ("{%s, %s}"):format(kind_of(shape[1]), kind_of(shape[2])) or kind_of(shape))
    end
    return m, n
end

-- The diagonals' offsets, and the shape: the option's, or the smallest square that holds all of them.
local function offsets_of(given, shape, diagonals)
    local offsets, n = {}, 0
    for i, each in ipairs(given) do
        offsets[i] = misuse.whole(each) or raise("diags", "offset %d: a whole number is needed, got %s", i,
            kind_of(each))
        local most = (1 << 62) - #diagonals[i]
        if offsets[i] < -most or offsets[i] > most then
            raise("diags", "offset %d: %d is beyond 2^62", i, offsets[i])
        end
        n = math.max(n, math.abs(offsets[i]) + #diagonals[i])
    end
    if shape == nil then
        shape = { n, n }
    end
    return offsets, check_shape(shape)
end

-- lun.sparse.diags(diagonals, offsets, {shape, dtype}): 0 is the main diagonal, offsets above it are positive.
function core.sparse.diags(diagonals, offsets, options, ...)
    for i, list in ipairs { diagonals or false, offsets or false } do
        if not misuse.is_table(list) then
            raise("diags", "argument %d: a list is needed, got %s", i, kind_of(list or nil))
        end
    end
    options = misuse.dtype_option(options)
    options = misuse.check_options("diags", 3, options, { "shape", "dtype" })
    misuse.check_end("diags", 3, ...)
    if #diagonals ~= #offsets or #offsets == 0 then
        raise("diags", "got %d diagonals and %d offsets; equal numbers are needed", #diagonals, #offsets)
    end
    local device, given, rows, cols, dtype = core.device(), {}, {}, {}, options.dtype
    for _, each in ipairs(diagonals) do
        device = core.type(each) == "array" and core._is_live(each) and each:device() or device
        dtype = dtype or core.type(each) == "array" and core._is_live(each) and each:dtype() or nil
    end
    for i, each in ipairs(diagonals) do
        given[i] = diagonal_of(device, each, nil, i, dtype)
    end
    local ks, m, n = offsets_of(offsets, options.shape, given)
    for i, k in ipairs(ks) do
        local count = math.min(m + math.min(k, 0), n - math.max(k, 0))
        if count <= 0 then
            raise("diags", "offset %d: a matrix of %dx%d has no diagonal %d", i, m, n, k)
        end
        local all = device:arange(count)
        given[i] = diagonal_of(device, is_number(diagonals[i]) and diagonals[i] or given[i], count, i, dtype)
        rows[i], cols[i] = all + math.max(-k, 0), all + math.max(k, 0)
    end
    return core.sparse { rows = core.concat(rows), cols = core.concat(cols), values = core.concat(given),
        shape = { m, n }, dtype = dtype }
end
