-- Sparse matrices: lun.sparse, a:sparse(), and the object that they give. A matrix is its rows, one behind the other
-- (CSR): where each starts, the columns of its entries, which ascend, and their values. Its products are
-- values:csr_matmul; all else is made of what arrays have.

local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"

local raise, kind_of = misuse.raise, misuse.kind_of

local methods = {}
local class = { __name = "lunarray.sparse", __kind = "a sparse matrix", __hint = "A:dense() is an array" }
-- most: from so many rows, columns or entries on, starts and columns are i64. limit: so many rows and columns at most,
-- as the starts of more would have more than 2^63 - 1 bytes.
local sparse = { methods = methods, class = class, most = (1 << 31) - 1, limit = (1 << 60) - 2 }

-- ---- the object --------------------------------------------------------------------------------------------------

-- What the matrix has: starts, cols, values, m, n; whatever is not a matrix is refused, as what messages call `what`.
local function inner_of(matrix, name, what)
    if type(matrix) ~= "table" or getmetatable(matrix) ~= class then
        raise(name, "%s: a sparse matrix is wanted, got %s%s", what or "self", kind_of(matrix),
            what and "" or "; is it called with a colon?")
    end
    local inner = rawget(matrix, "_inner") or raise(name, "%s: the matrix was released", what or "self")
    for _, part in ipairs { "starts", "cols", "values" } do
        if not core._is_live(inner[part]) then
            raise(name, "%s: the matrix's %s were released", what or "self", part)
        end
    end
    return inner
end
sparse.inner_of = inner_of

-- A method of matrices, which gets the matrix's inner and as many arguments as `most` behind it.
local function method(name, most, f)
    methods[name] = function(matrix, ...)
        local inner = inner_of(matrix, name)
        misuse.check_end(name, most, select(most + 1, ...))
        return f(inner, ...)
    end
end
sparse.method = method

-- A view, which is released with its matrix alone.
local function shared(array)
    return array:contiguous():reshape(array:size())
end

-- A matrix of starts, columns that ascend, and values, which are known to be good; all dense.
local function new(m, n, starts, cols, values)
    return setmetatable({ _inner = { m = m, n = n, starts = starts, cols = cols, values = values } }, class)
end

sparse.new = new

-- The matrix with other values, or with values of another dtype.
function sparse.with_values(inner, values)
    return new(inner.m, inner.n, shared(inner.starts), shared(inner.cols), values:contiguous())
end

-- The dtype of starts and columns.
local function index_dtype(m, n, count)
    return math.max(m, n, count) < sparse.most and "i32" or "i64"
end
sparse.index_dtype = index_dtype

-- ---- making ------------------------------------------------------------------------------------------------------

-- What each run of `keys`, which are sorted, adds up to: the keys, once each, and the sums in their order.
local function add_up(keys, values)
    local count = #keys
    local fresh <close> = keys:slice { 2 }:ne(keys:slice { 1, -2 })
    if fresh:all() then
        return keys, values
    end
    local device, dtype = keys:device(), values:dtype()
    local ends = fresh:nonzero() + 1
    local first, last = device:ones({ 1 }, "i64"), device:full({ 1 }, count + 1, "i64")
    local truths = dtype == "bool"
    local sums = values:reduce(truths and "any" or "sum", {
        axis = 1, segments = core.concat { first, ends, last }, keepdims = true, dtype = not truths and dtype or nil,
    })
    return keys:take(core.concat { first, ends }), sums
end

-- Are rows counted, and entries put in their places? On GPUs sorting is quicker; truth values are not added up.
local function is_counted(values)
    return #values > 0 and values:dtype() ~= "bool" and values:device():info().type == "cpu"
end

-- A matrix of triplets, of which csr_build refuses those out of range.
local function counted(m, n, rows, cols, values)
    if rows:dtype() ~= cols:dtype() or rows:dtype() ~= "i32" and rows:dtype() ~= "i64" then
        rows, cols = rows:cast "i64", cols:cast "i64"
    end
    local index = { dtype = index_dtype(m, n, #values) }
    return new(m, n, core._named("sparse", values.csr_build)(values, rows, cols, m, n, index))
end

-- A matrix of triplets in any order, with positions in range. Those at one place are added up in their order.
function sparse.of_triplets(m, n, rows, cols, values)
    local device, count = values:device(), #values
    local index = index_dtype(m, n, count)
    if count == 0 then
        local starts = core._named("sparse", device.ones)(device, { m + 1 }, index)
        return new(m, n, starts, device:zeros({ 0 }, index), values)
    elseif is_counted(values) then
        return counted(m, n, rows, cols, values)
    end
    local wide = m * n < sparse.most and "i32" or "i64"
    local own = { r = rows, c = cols, n = n }
    local keys = device:map("(r - 1) * n + c", own, { dtype = wide })
    keys, values = core.sort_by(keys, keys, values)
    if count > 1 then
        keys, values = add_up(keys, values)
    end
    local edges = device:map("r * n + 1", { r = device:arange(0, m), n = n }, { dtype = wide })
    local starts = keys:searchsorted(edges)
    cols = device:map("(k - 1) % n + 1", { k = keys, n = n }, { dtype = wide })
    return new(m, n, starts:cast(index), cols:cast(index), values)
end

-- The row of each entry.
local function rows_of(inner)
    local device, dtype, count = inner.starts:device(), inner.starts:dtype(), #inner.cols
    if count == 0 or inner.m == 0 then
        return device:zeros({ count }, dtype)
    end
    local begins = device:zeros({ count + 1 }, dtype)
    begins:add_at(inner.starts:slice { 1, inner.m }, 1)
    return begins:cumsum():slice { 1, count }:cast(dtype):contiguous()
end
sparse.rows_of = rows_of

-- The transpose: entries are in order by rows already, so they are sorted by columns alone.
local function transposed(inner)
    if #inner.cols == 0 then
        return sparse.of_triplets(inner.n, inner.m, inner.cols, inner.cols, inner.values:copy())
    elseif is_counted(inner.values) then
        return counted(inner.n, inner.m, inner.cols, rows_of(inner), inner.values)
    end
    local cols, rows, values = core.sort_by(inner.cols, inner.cols, rows_of(inner), inner.values)
    local device, dtype = cols:device(), cols:dtype()
    local starts = cols:searchsorted(device:arange(inner.n + 1):cast(dtype)):cast(dtype)
    return new(inner.n, inner.m, starts, rows, values)
end

-- ---- lun.sparse --------------------------------------------------------------------------------------------------

local KNOWN = { "rows", "starts", "cols", "values", "shape", "dtype" }

-- Why there is no matrix of m x n; nil: there may be one.
function sparse.too_large(m, n)
    if n > 0 and m > math.maxinteger // n then
        return ("%dx%d are more than 2^63 - 1 places"):format(m, n)
    elseif m > sparse.limit or n > sparse.limit then
        return ("%dx%d: a matrix has at most 2^60 - 2 rows and columns"):format(m, n)
    end
end

function sparse.check_shape(name, shape)
    local good = misuse.is_table(shape) and #shape == 2
    local m, n = misuse.whole(good and shape[1]), misuse.whole(good and shape[2])
    if not m or not n or m < 0 or n < 0 then
        raise(name, "shape: a list of two whole numbers from 0 is wanted, {rows, columns}, got %s", good
            and ("{%s, %s}"):format(kind_of(shape[1]), kind_of(shape[2])) or kind_of(shape))
    end
    local problem = sparse.too_large(m, n)
    if problem then
        raise(name, "shape: %s", problem)
    end
    return m, n
end

-- The device of the first of these that is an array, or the default one.
local function device_of(given)
    for _, key in ipairs { "values", "starts", "rows", "cols" } do
        if core.type(given[key]) == "array" and core._is_live(given[key]) then
            return given[key]:device()
        end
    end
    return core.device()
end

-- A list or an array of one axis, as an array.
local function vector_of(device, given, key, dtype)
    local made = given[key]
    if misuse.is_table(made) then
        made = #made == 0 and device:zeros({ 0 }, dtype or "f32")
            or core._named("sparse", device.array)(device, made, { dtype = dtype })
    elseif core.type(made) ~= "array" then
        raise("sparse", "%s: a list or an array is wanted, got %s", key, kind_of(made))
    elseif not core._is_live(made) then
        raise("sparse", "%s: the array was released", key)
    elseif made:device() ~= device then
        raise("sparse", "%s: the array is on another device than the others", key)
    end
    if made:ndim() ~= 1 then
        raise("sparse", "%s: one axis is wanted, and the shape is %s", key, misuse.shape_of(made))
    end
    return made
end

local WHOLE = { i8 = 1, u8 = 1, i16 = 1, u16 = 1, i32 = 1, u32 = 1, i64 = 1, u64 = 1 }

-- Positions from 1.
local function positions_of(device, given, key)
    local made = vector_of(device, given, key, misuse.is_table(given[key]) and "i64" or nil)
    if not WHOLE[made:dtype()] then
        raise("sparse", "%s: whole numbers are wanted, and the array is %s", key, made:dtype())
    end
    return made
end

local function values_of(device, given, count)
    local dtype = given.dtype
    if math.type(given.values) then
        return core._named("sparse", device.full)(device, { count }, given.values, dtype or "f32")
    end
    local made = vector_of(device, given, "values", dtype)
    if #made ~= count then
        raise("sparse", "values: %d came, and there are %d columns", #made, count)
    end
    return dtype and made:dtype() ~= dtype and core._named("sparse", made.cast)(made, dtype) or made
end

-- Raises unless all positions are in 1..most, naming the first triplet that is not.
local function check_range(what, positions, most)
    if #positions == 0 then
        return
    end
    local outside <close> = positions:lt(1):lor(positions:gt(most))
    if outside:any() then
        local at = outside:cast("u8"):argmax()
        raise("sparse", "triplet %d: %s %d is out of range 1..%d", at, what, positions:get(at), most)
    end
end

local function of_given_triplets(device, given, m, n)
    local rows, cols = positions_of(device, given, "rows"), positions_of(device, given, "cols")
    if #rows ~= #cols then
        raise("sparse", "rows and cols: %d and %d came; each entry has one of both", #rows, #cols)
    end
    local values = values_of(device, given, #cols)
    if not is_counted(values) then
        check_range("row", rows, m)
        check_range("column", cols, n)
    end
    return sparse.of_triplets(m, n, rows, cols, values)
end

local function of_given_starts(device, given, m, n)
    local starts, cols = positions_of(device, given, "starts"), positions_of(device, given, "cols")
    if #starts ~= m + 1 then
        raise("sparse", "starts: %d came; %d are wanted, one more than there are rows", #starts, m + 1)
    end
    local values = values_of(device, given, #cols)
    local index = index_dtype(m, n, #cols)
    starts, cols = starts:cast(index), cols:cast(index)
    local unordered = core._named("sparse", starts.csr_check)(starts, cols, n) ~= 0
    local made = new(m, n, shared(starts), shared(cols), shared(values))
    if unordered then
        return sparse.of_triplets(m, n, rows_of(made._inner), cols, values)
    end
    return made
end

local function make(_, given, ...)
    if not misuse.is_table(given) then
        raise("sparse", "argument 1: a table is wanted, %s, got %s",
            "{rows, cols, values, shape} or {starts, cols, values, shape}", kind_of(given))
    end
    misuse.check_end("sparse", 1, ...)
    misuse.check_options("sparse", 1, given, KNOWN)
    if (given.rows == nil) == (given.starts == nil) then
        raise("sparse", "rows or starts are wanted, and %s", given.rows and "both came" or "none came")
    end
    local m, n = sparse.check_shape("sparse", given.shape)
    return (given.rows and of_given_triplets or of_given_starts)(device_of(given), given, m, n)
end

core.sparse = setmetatable({}, { __call = make })

-- a:sparse(): what is not 0.
core._method("sparse", function(a, ...)
    misuse.check_array("sparse", "self", a)
    misuse.check_end("sparse", 0, ...)
    if a:ndim() ~= 2 then
        raise("sparse", "a matrix is wanted, and the shape is %s", misuse.shape_of(a))
    end
    local m, n = a:shape()
    local rows, cols = a:nonzero()
    local index = index_dtype(m, n, #rows)
    local starts = rows:searchsorted(a:device():arange(m + 1))
    return new(m, n, starts:cast(index), cols:cast(index), a:mask(a:ne(0)))
end)

-- ---- what a matrix is asked --------------------------------------------------------------------------------------

method("shape", 0, function(inner) return inner.m, inner.n end)

method("ndim", 0, function() return 2 end)

method("nnz", 0, function(inner) return #inner.cols end)

method("dtype", 0, function(inner) return inner.values:dtype() end)

method("device", 0, function(inner) return inner.values:device() end)

method("starts", 0, function(inner) return inner.starts end)

method("cols", 0, function(inner) return inner.cols end)

method("values", 0, function(inner) return inner.values end)

method("rows", 0, function(inner) return rows_of(inner) end)

method("triplets", 0, function(inner) return rows_of(inner), inner.cols:copy(), inner.values:copy() end)

-- Zeros where there is no entry.
method("dense", 0, function(inner)
    local dense = inner.values:device():zeros({ inner.m, inner.n }, inner.values:dtype())
    if #inner.cols > 0 then
        local own = { r = rows_of(inner), c = inner.cols, n = inner.n }
        dense:put(dense:device():map("(r - 1) * n + c", own, { dtype = "i64" }), inner.values)
    end
    return dense
end)

-- The kernel looks for each row's number of the diagonal; an order and bounds of levels are not needed.
method("diag", 0, function(inner)
    local count, starts = math.min(inner.m, inner.n), inner.starts
    if count == 0 or #inner.cols == 0 then
        return inner.values:device():zeros({ count }, inner.values:dtype())
    end
    local found = core._named("diag", inner.values.csr_sweep)(inner.values, starts, inner.cols, starts, starts,
        { task = "diagonal" })
    return count == inner.m and found or found:slice({ 1, count }):copy()
end)

method("t", 0, function(inner) return transposed(inner) end)

local PRODUCT = { "alpha", "beta", "plus", "times", "out", "variant", "async", "queue" }

-- A:matmul(x [, options])
method("matmul", 2, function(inner, x, options)
    if core.type(x) == "sparse" then
        misuse.check_end("matmul", 1, options)
        return sparse.product(inner, x)
    elseif core.type(x) ~= "array" then
        raise("matmul", "argument 1: an array or a sparse matrix is wanted, got %s", kind_of(x))
    end
    misuse.check_options("matmul", 2, options, PRODUCT)
    if core._is_live(x) and (x:ndim() ~= 1 and x:ndim() ~= 2 or #x ~= inner.n) then
        raise("matmul", "the matrix is %dx%d, and x has shape (%s)", inner.m, inner.n, misuse.shape_of(x))
    end
    return core._named("matmul", inner.values.csr_matmul)(inner.values, inner.starts, inner.cols, x, options)
end)

-- ---- the class ---------------------------------------------------------------------------------------------------

function class.__index(_, key)
    return methods[key] or sparse.unknown(key)
end

-- A:release(), and __close. Arrays of the user's stay.
function class.__close(self)
    if getmetatable(self) ~= class then
        inner_of(self, "release")
    end
    local inner = rawget(self, "_inner")
    if inner then
        for _, array in ipairs { inner.starts, inner.cols, inner.values } do
            array:release()
        end
        rawset(self, "_inner", nil)
    end
end
methods.release = class.__close

function class.__len(self) return inner_of(self, "#").m end

function class.__tostring(self)
    local inner = rawget(self, "_inner")
    return inner and ("sparse %dx%d %s of %d entries"):format(inner.m, inner.n, inner.values:dtype(), #inner.cols)
        or "sparse (released)"
end

local type_of = core.type
function core.type(...)
    local x = ...
    return type(x) == "table" and getmetatable(x) == class and "sparse" or type_of(...)
end

return sparse
