-- Words of sparse matrices: arithmetic, sums, parts, makers, and the product of two of them. Sums and parts of matrices
-- are products, too: of matrices that choose rows.

local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"
local sparse = require "lunarray.sparse"

local raise, kind_of = misuse.raise, misuse.kind_of
local method, inner_of, new = sparse.method, sparse.inner_of, sparse.new

local function is_sparse(x) return core.type(x) == "sparse" end

local function is_number(x) return math.type(x) or core.type(x) == "complex" end

-- Another matrix on the same device.
local function other_of(inner, other, name, what)
    local its = inner_of(other, name, what)
    if its.values:device() ~= inner.values:device() then
        raise(name, "%s: the matrix is on another device", what)
    end
    return its
end

-- ---- values alone ------------------------------------------------------------------------------------------------

method("copy", 0, function(inner) return sparse.with_values(inner, inner.values:copy()) end)

method("cast", 1, function(inner, dtype)
    return sparse.with_values(inner, core._named("cast", inner.values.cast)(inner.values, dtype))
end)

-- A function of one argument that keeps 0 works on the values; another would fill the matrix.
function sparse.unknown(name)
    local text = tostring(name)
    if core._functions()[name] ~= 1 then
        raise(text, "a sparse matrix has no such method; those of arrays work on A:values(), or on A:dense()")
    end
    method(name, 0, function(inner)
        local values = inner.values
        local zero <close> = values:device():zeros({ 1 }, values:dtype())
        local of_zero <close> = core._named(name, zero[name])(zero)
        if of_zero:ne(0):any() then
            raise(name, "it is not 0 of 0, and would fill the matrix: A:dense():%s() does", name)
        end
        return sparse.with_values(inner, values[name](values))
    end)
    return sparse.methods[name]
end

-- ---- products of two ----------------------------------------------------------------------------------------------

-- Each entry of a meets the row of b that its column names.
local function product_of(left, right)
    local index = left.starts:dtype() == right.starts:dtype() and left.starts:dtype() or "i64"
    local function as_index(array) return array:dtype() == index and array or array:cast(index) end
    local starts, cols, values = left.values:csr_product(as_index(left.starts), as_index(left.cols),
        as_index(right.starts), as_index(right.cols), right.values)
    return new(left.m, right.n, starts, cols, values)
end

function sparse.product(inner, other)
    local its = other_of(inner, other, "matmul", "argument 1")
    if inner.n ~= its.m then
        raise("matmul", "inner sizes differ: %dx%d and %dx%d", inner.m, inner.n, its.m, its.n)
    end
    return product_of(inner, its)
end

-- ---- arithmetic --------------------------------------------------------------------------------------------------

local class = sparse.class

-- Of A + B and A - B.
local function check_alike(symbol, a, b)
    for i, x in ipairs { a, b } do
        if not is_sparse(x) then
            raise(symbol, "argument %d: a sparse matrix is wanted, got %s%s", i, kind_of(x),
                is_number(x) and "; a number would fill the matrix: A:dense() takes it"
                or "; A:dense() is an array")
        end
    end
    local left = inner_of(a, symbol, "argument 1")
    local right = other_of(left, b, symbol, "argument 2")
    if left.m ~= right.m or left.n ~= right.n then
        raise(symbol, "the shapes differ: %dx%d and %dx%d", left.m, left.n, right.m, right.n)
    end
    return left, right
end

-- The product of (1 1) and of the two matrices, one below the other.
local function sum_of(left, right, subtracts)
    local dtype = core.promoted(left.values:dtype(), right.values:dtype())
    dtype = dtype == "bool" and not subtracts and "i64" or dtype -- two truth values have no difference, says the sign
    local m, n, device, count = left.m, left.n, left.values:device(), #left.cols
    local index = sparse.index_dtype(2 * m, n, count + #right.cols)
    local first, second = left.values:cast(dtype), right.values:cast(dtype)
    local own = { i = device:arange(0, 2 * m - 1), m = m }
    local pairs_of = new(m, 2 * m, device:arange(1, 2 * m + 1, 2):cast(index),
        device:map("i / 2 + i % 2 * m + 1", own, { dtype = "i64" }):cast(index), device:ones({ 2 * m }, dtype))
    local starts = core.concat { left.starts:cast(index), right.starts:slice { 2 }:cast(index) + count }
    return product_of(pairs_of._inner, new(2 * m, n, starts,
        core.concat { left.cols:cast(index), right.cols:cast(index) },
        core.concat { first, subtracts and -second or second })._inner)
end

function class.__add(a, b)
    local left, right = check_alike("+", a, b)
    return sum_of(left, right, false)
end

function class.__sub(a, b)
    local left, right = check_alike("-", a, b)
    return sum_of(left, right, true)
end

function class.__unm(a)
    local inner = inner_of(a, "-", "argument 1")
    return sparse.with_values(inner, -inner.values)
end

function class.__mul(a, b)
    local scale, matrix = a, b
    if is_sparse(a) then
        scale, matrix = b, a
    end
    if not is_number(scale) then
        raise("*", "a sparse matrix is scaled by a number, and got %s; A:matmul(B) is the product", kind_of(scale))
    end
    local inner = inner_of(matrix, "*", "the matrix")
    return sparse.with_values(inner, inner.values * scale)
end

function class.__div(a, b)
    if not is_sparse(a) or not is_number(b) then
        raise("/", "a sparse matrix is divided by a number, and got %s", kind_of(is_sparse(a) and b or a))
    end
    local inner = inner_of(a, "/", "argument 1")
    return sparse.with_values(inner, inner.values / b)
end

for name, symbol in pairs { idiv = "//", mod = "%", pow = "^", band = "&", bor = "|", bxor = "~", bnot = "~",
    shl = "<<", shr = ">>", lt = "<", le = "<=", concat = ".." } do
    class["__" .. name] = function()
        raise(symbol,
            "sparse matrices have + and -, and * and / by a number; others work on A:values(), or on A:dense()")
    end
end

-- ---- sums and parts ----------------------------------------------------------------------------------------------

-- A:sum(): of all; A:sum{axis = 1} of each column, {axis = 2} of each row.
method("sum", 1, function(inner, options)
    misuse.check_options("sum", 1, options, { "axis" })
    local axis, values = options and options.axis, inner.values
    if axis == nil then
        return values:sum()
    elseif axis == 2 or axis == -1 then
        return values:sum { axis = 1, segments = inner.starts, keepdims = true }
    elseif axis ~= 1 and axis ~= -2 then
        raise("sum", "option 'axis': 1 or 2 is wanted, got %s", kind_of(axis))
    end
    local dtype = values:slice { 1, 0 }:sum { keepdims = true }:dtype()
    return values:device():zeros({ inner.n }, dtype):add_at(inner.cols, values:cast(dtype))
end)

-- How many entries each row has.
method("degree", 0, function(inner)
    return inner.starts:slice { 2 } - inner.starts:slice { 1, -2 }
end)

-- A:row(i): the columns of its entries, and their values, as views.
method("row", 1, function(inner, i)
    local whole = misuse.whole(i)
    if not whole then
        raise("row", "argument 1: a whole number is wanted, got %s", kind_of(i))
    end
    local r = whole < 0 and whole + inner.m + 1 or whole
    if r < 1 or r > inner.m then
        raise("row", "row %s is out of range 1..%d", i, inner.m)
    end
    local from, to = inner.starts:get(r), inner.starts:get(r + 1) - 1
    return inner.cols:slice { from, to }, inner.values:slice { from, to }
end)

-- The product of a matrix whose row i has a 1 in the column rows[i].
local function rows_at(inner, rows)
    local index, device, values = inner.cols:dtype(), rows:device(), inner.values
    local choice = new(#rows, inner.m, device:arange(#rows + 1):cast(index), rows:cast(index),
        device:ones({ #rows }, values:dtype()))
    local part = product_of(choice._inner, inner)
    return values:dtype() == "bool" and part:cast "bool" or part
end

-- A list, or an i32 or i64 array, of positions, as an array.
local function positions_of(name, given, what, most, device)
    local at = given
    if misuse.is_table(given) then
        local odd = next(given, #given > 0 and #given or nil)
        if odd ~= nil then
            raise(name, "%s: a list of positions is wanted, and it has a part [%s]; A:slice takes ranges", what,
                tostring(odd))
        end
        at = #given == 0 and device:zeros({ 0 }, "i64") or core._named(name, device.array)(device, given, "i64")
    end
    local live = core.type(at) == "array" and core._is_live(at) and at:ndim() == 1
    if not live or at:dtype() ~= "i32" and at:dtype() ~= "i64" then
        raise(name, "%s: a list or an i32 or i64 array of positions is wanted, got %s; A:slice takes ranges", what,
            kind_of(given))
    end
    local bad <close> = at:lt(1):lor(at:gt(most))
    if #at > 0 and bad:any() then
        local place = bad:cast("u8"):argmax()
        raise(name, "%s: %d at position %d is out of range 1..%d", what, at:get(place), place, most)
    end
    return at
end

local function part_of(matrix, rows, cols)
    local inner = inner_of(matrix, "submatrix")
    if rows then
        matrix = rows_at(inner, rows)
    end
    if cols then
        matrix = rows_at(inner_of(matrix:t(), "submatrix"), cols):t()
    end
    return not rows and not cols and matrix:copy() or matrix
end

-- A:submatrix(rows, cols): each a list or an array of positions, or nil, which is all.
function sparse.methods.submatrix(matrix, rows, cols, ...)
    local inner = inner_of(matrix, "submatrix")
    misuse.check_end("submatrix", 2, ...)
    local device = inner.values:device()
    return part_of(matrix, rows ~= nil and positions_of("submatrix", rows, "argument 1", inner.m, device) or nil,
        cols ~= nil and positions_of("submatrix", cols, "argument 2", inner.n, device) or nil)
end

-- A:slice(rows, cols): each a range {from, to, step} as in slice of arrays, or nil. The part shares no memory.
function sparse.methods.slice(matrix, rows, cols, ...)
    local inner = inner_of(matrix, "slice")
    misuse.check_end("slice", 2, ...)
    local device, at = inner.values:device(), { rows or false, cols or false }
    for axis, size in ipairs { inner.m, inner.n } do
        local range = at[axis]
        if range and not misuse.is_table(range) then
            raise("slice", "argument %d: a range {from, to, step} is wanted, got %s; A:submatrix takes positions", axis,
                kind_of(range))
        elseif range then -- along the axis that it is, so that errors name the argument
            local all = (size > 0 and device:arange(size) or device:zeros({ 0 }, "i64")):expand(3 - axis)
            local slice = core._named("slice", all.slice)
            local part = axis == 1 and slice(all, range) or axis == 2 and slice(all, nil, range)
            at[axis] = part:reshape(part:size())
        end
    end
    return part_of(matrix, at[1] or nil, at[2] or nil)
end

local function permutation_of(at, what, count, device)
    local positions = positions_of("permute", at, what, count, device)
    if #positions ~= count or count > 0 and positions:sort():ne(device:arange(count)):any() then
        raise("permute", "%s: it is no permutation of 1..%d", what, count)
    end
    return positions
end

-- A:permute(rows [, cols]): row i is the old row rows[i]; without cols columns go as rows do, and nil is as they are.
function sparse.methods.permute(matrix, rows, ...)
    local inner, cols = inner_of(matrix, "permute"), rows
    if select("#", ...) > 0 then
        cols = ...
    end
    misuse.check_end("permute", 2, select(2, ...))
    local device = inner.values:device()
    return part_of(matrix, rows ~= nil and permutation_of(rows, "argument 1", inner.m, device) or nil,
        cols ~= nil and permutation_of(cols, "argument 2", inner.n, device) or nil)
end

-- ---- makers ------------------------------------------------------------------------------------------------------

-- lun.sparse.eye(n [, {dtype}])
function core.sparse.eye(size, options, ...)
    local n = misuse.whole(size)
    if not n or n < 0 then
        raise("eye", "argument 1: a whole number from 0 is wanted, got %s", kind_of(size))
    end
    misuse.check_options("eye", 2, options, { "dtype" })
    misuse.check_end("eye", 2, ...)
    local device = core.device()
    local all = n > 0 and device:arange(n) or device:zeros({ 0 }, "i64")
    local values = core._named("eye", device.ones)(device, { n }, options and options.dtype or "f32")
    return core.sparse { rows = all, cols = all, values = values, shape = { n, n } }
end

-- A diagonal as an array of `count` numbers, or of as many as it has.
local function diagonal_of(device, given, count, i, dtype)
    local values = given
    if misuse.is_table(given) then
        values = #given == 0 and device:zeros({ 0 }, dtype or "f32")
            or core._named("diags", device.array)(device, given, { dtype = dtype })
    elseif is_number(given) then
        values = core._named("diags", device.full)(device, { count or 1 }, given, dtype or "f32")
    end
    if core.type(values) ~= "array" or values:ndim() ~= 1 or count and #values ~= count then
        raise("diags", "diagonal %d: a number, or a list or an array of %s, is wanted, got %s", i, count or "numbers",
            core.type(values) == "array" and "(" .. misuse.shape_of(values) .. ")" or kind_of(values))
    end
    return values
end

-- The diagonals' offsets, and the shape: the option's, or the smallest square that holds all of them.
local function offsets_of(given, shape, diagonals)
    local offsets, n = {}, 0
    for i, each in ipairs(given) do
        offsets[i] = misuse.whole(each) or raise("diags", "offset %d: a whole number is wanted, got %s", i,
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
    return offsets, sparse.check_shape("diags", shape)
end

-- lun.sparse.diags(diagonals, offsets, {shape, dtype}): 0 is the main diagonal, offsets above it are positive.
function core.sparse.diags(diagonals, offsets, options, ...)
    for i, list in ipairs { diagonals or false, offsets or false } do
        if not misuse.is_table(list) then
            raise("diags", "argument %d: a list is wanted, got %s", i, kind_of(list or nil))
        end
    end
    misuse.check_options("diags", 3, options, { "shape", "dtype" })
    misuse.check_end("diags", 3, ...)
    if #diagonals ~= #offsets or #offsets == 0 then
        raise("diags", "%d diagonals came, and %d offsets; as many of both are wanted", #diagonals, #offsets)
    end
    options = options or {}
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
