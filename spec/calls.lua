-- One table of example calls: at least one of every operation, over inputs that stand here once.
--
-- spec/contract_spec.lua tries each call with its inputs as views, of other dtypes, of other sizes, in batches, into
-- `out`, and on several queues; spec/strict_spec.lua and spec/annotations_spec.lua take the calls from here. An
-- operation without a call fails.

local lun = require "lunarray"

local calls = {}

-- ---- inputs ---------------------------------------------------------------------------------------------

-- What stands at place i, from 0, of item k of a batch.
local function mixed(i, k) return ((i * 7 + k * 3) % 11 - 5) * 0.75 + (i % 3) * 0.25 end
local function positive(i, k) return ((i * 5 + k * 2) % 7 + 1) * 0.5 end
local function ascending(i, k) return i * 1.5 + 0.5 + k * 0.25 end
local function whole(i, k) return (i * 5 + k) % 4 + 1 end

-- A matrix of `columns` that is far from singular, or positive definite.
local function square(i, k, columns)
    local row, column = i // columns, i % columns
    return row == column and 4 + row + k * 0.5 or ((i * 3 + k) % 5 - 2) * 0.5
end
local function definite(i, k, columns)
    local row, column = i // columns, i % columns
    return row == column and 5 + row + k * 0.5 or ((row + column + k) % 3 - 1) * 0.5
end
local function listed(list) return function(i) return list[i % #list + 1] end end

-- name = { kind, shape, values }. The sizes n and m are the case's (3 and 4). Kinds: `number` has the case's dtype, of
-- which complex ones have imaginary parts; `real` has its real dtype; `complex` its complex one; `position` is i32,
-- `row` i64, `truth` bool.
calls.inputs = {
    a = { "number", { "n", "m" }, mixed },
    b = { "number", { "n", "m" }, positive },
    c = { "number", { 3, "m" }, mixed },
    tall = { "number", { 5, "n" }, mixed },
    v = { "number", { "m" }, mixed },
    w = { "number", { "m" }, positive },
    line = { "real", { "m" }, ascending },
    points = { "real", { "n", "m" }, positive },
    weights = { "real", { "n", "m" }, positive },
    signal = { "number", { 12 }, mixed },
    frames = { "complex", { 5, 7 }, mixed },
    square = { "number", { "n", "n" }, square },
    definite = { "number", { "n", "n" }, definite },
    right = { "number", { "n", 2 }, positive },
    column = { "number", { "n" }, positive },
    z = { "complex", { "n", "m" }, mixed },
    pairs = { "real", { "n", 2 }, mixed },
    index = { "position", { 2 }, listed { 2, 1 } },
    places = { "position", { "n", "m" }, function(i, k, columns) return (i + i // columns + k) % columns + 1 end },
    order = { "row", { "n" }, function(i, _, size) return size - i end },
    counts = { "position", { "n", "m" }, whole },
    votes = { "position", { "m" }, whole },
    mask = { "truth", { "n", "m" }, function(i, k) return (i * 5 + k) % 3 == 0 and 1 or 0 end },
    starts = { "position", { 4 }, listed { 1, 3, 4, 6 } },
    columns = { "position", { 5 }, listed { 1, 2, 2, 1, 3 } },
    rows = { "position", { 5 }, listed { 1, 3, 2, 1, 3 } },
    three = { "position", { 3 }, listed { 1, 2, 3 } },
    values = { "number", { 5 }, listed { 4, 2, 5, 1, 3 } },
    sides = { "number", { 3, 2 }, mixed },
    segments = { "position", { 3 }, listed { 1, 2, 5 } },
    pos = { "real", { "n", 4 }, positive },
    vel = { "real", { "n", 4 }, mixed },
}

-- ---- calls ----------------------------------------------------------------------------------------------

-- { name, call, promise, ... }, one row or more for each operation. A call is text over the inputs, `lun`, `dev`,
-- `rng` (a new stream), `path`, and `prepared(kind, path, array)`, which writes a file. A promise is "takes: gives":
-- the kinds of dtypes that its numbers may have, b(ool) i(ntegers) h (16-bit floats) f(loats) c(omplex), all where
-- there is no colon, less some by name (!bf16); and for each result its dtype, or the rule for it (spec/contract.lua
-- has them), and its sizes, `?` where the values decide. `number` and `boolean` alone are Lua's. A row has besides,
-- where it is so:
--   batch    the inputs that may have further axes in front, as a text of names
--   changes  the inputs that it changes
--   without  options of the operation that this call does not take, as a text of names
--   any      `out` may have any dtype of integers
--   outs     how many of its results `out` takes
--   rounded  items of a batch may have other last bits together than alone
--   raw      it gives bytes, which differ between dtypes
--   dense    the inputs may be no views with gaps, and the call says so
--   fixed    its text has sizes of its own: it is not tried with others
calls.list = {}

-- The kinds and the results of a promise.
local function promise(text)
    if not text then
        return nil
    end
    local takes, rest = text:match "^([%w!]+): ?(.*)$"
    local gives = {}
    for result in (rest or text):gmatch "[^;]+" do
        gives[#gives + 1] = result
    end
    return takes or "bihfc", gives
end

local function add(owner, rows)
    for _, row in ipairs(rows) do
        row.owner, row.name, row.code = owner, row[1], row[2]
        row.takes, row.gives = promise(row[3])
        calls.list[#calls.list + 1] = row
    end
end

-- Reductions and elementwise functions, by what they promise of axis -1 of `a`, and of `a` and further operands `b`.
local reductions = {
    ["bihf: same n"] = "min max nanmin nanmax", ["bihf: i64 n"] = "argmin argmax nanargmin nanargmax",
    ["part n"] = "absmax", ["bool n"] = "any all", ["i64 n"] = "nnz count", ["float n"] = "mean",
    ["bihf: float n"] = "nanmean nanvar nanstd logsumexp", ["real n"] = "var std norm",
    ["sum n"] = "sum prod nansum nanprod", ["total n"] = "sumsq asum",
}
local functions = {
    ["number n m"] = "add mul square fma sign round conj", ["ihfc: number n m"] = "sub neg",
    ["same n m"] = "where", ["size n m"] = "abs", ["angle n m"] = "angle", ["pow n m"] = "pow",
    ["single n m"] = "div recip sqrt lerp exp log log2 log10 sin cos tan sinh cosh tanh "
        .. "expm1 log1p asin acos atan asinh acosh atanh",
    ["bihf: single n m"] = "copysign logb ldexp rsqrt cbrt hypot exp2 exp10 sigmoid softplus logaddexp "
        .. "xlogy atan2 sinpi cospi sinc deg rad erf erfc tgamma lgamma digamma erfinv i0",
    ["bihf: number n m"] = "floordiv mod floor ceil trunc heaviside minimum maximum clamp fmin fmax powi fmod",
    ["bif: single n m"] = "nextafter", ["bihf: complex n m"] = "complex",
    ["bi: same n m"] = "band bor bxor bnot", ["bi: number n m"] = "shl shr sar popcount clz gcd lcm",
    ["bihf: bool n m"] = "lt le gt ge signbit", ["bool n m"] = "eq ne land lor lxor lnot isnan isinf isfinite",
}

-- All calls, of all operations of a device. Functions are tried in place, too.
function calls.all()
    local list, known = { table.unpack(calls.list) }, {}
    local function call(row)
        row.owner, row.takes, row.gives = "array", promise(row.promise)
        list[#list + 1] = row
    end
    for _, row in ipairs(calls.list) do
        known[row.owner .. "." .. row.name] = true
    end
    for text, names in pairs(reductions) do
        for name in names:gmatch "%S+" do
            call { name = name, code = ("a:%s { axis = -1 }"):format(name), promise = text, batch = "a" }
        end
    end
    local operands = lun._functions()
    for text, names in pairs(functions) do
        for name in names:gmatch "%S+" do
            local arguments = table.concat({ "b", "b" }, ", ", 1, operands[name] - 1)
            local bits, truths = text:find "^bi:" and "i32", text:find "bool n m$" and "bool"
            if not known["array." .. name] then
                call { name = name, code = ("a:%s(%s)"):format(name, arguments), promise = text, base = bits,
                    raw = bits, elementwise = true }
            end
            if name ~= "complex" then -- no array holds both what it takes and what it gives
                call { name = name .. "_", code = ("a:%s_(%s)"):format(name, arguments), promise = text, changes = "a",
                    base = truths or bits, elementwise = true, in_place = true }
            end
        end
    end
    table.sort(list, function(x, y) return x.owner .. x.name .. x.code < y.owner .. y.name .. y.code end)
    return list
end

add("array", {
    { "reduce", "a:reduce({ 'sum', 'max' }, { axis = -1 })", "bihf: sum n; same n", without = "out", batch = "a" },
    { "reduce", "a:reduce { map = 'x * x', combine = 'a + b', identity = '0', axis = 1 }", "bihf: number m" },
    { "scan", "a:scan('sum', { axis = -1 })", "sum n m", batch = "a" },
    { "dot", "a:dot(b, { axis = -1 })", "sum n", batch = "a b" },
    { "vdot", "a:vdot(b, { axis = -1 })", "sum n", batch = "a b" },
    { "cumsum", "a:cumsum { axis = -1, reverse = true }", "sum n m", batch = "a" },
    { "cumprod", "a:cumprod { axis = -1, exclusive = true }", "sum n m", batch = "a" },
    { "cummin", "a:cummin { axis = -1 }", "bihf: same n m", batch = "a" },
    { "cummax", "a:cummax { axis = -2 }", "bihf: same n m", batch = "a" },
    { "copy", "a:copy()", "same n m" },
    { "flatten", "a:flatten()", "same n*m" },
    { "cast", "a:cast('f64')", "bihf: f64 n m" },
    { "fill", "a:fill(2)", "ihfc: same n m", changes = "a" },
    { "transpose", "a:transpose(2, 1)", "same m n" },
    { "transpose_", "square:transpose_()", "same n n", changes = "square", dense = true },
    { "take", "a:take(index, 2)", "same 3 2", fixed = true },
    { "take", "a:take { index, index }", "same 2", fixed = true },
    { "put", "a:put(index, w:slice { 1, 2 })", "same 3 4", changes = "a", fixed = true },
    { "add_at", "a:add_at(index, 1)", "ihfc: same 3 4", changes = "a", fixed = true },
    { "mask", "a:mask(mask)", "same ?" }, { "mask_put", "a:mask_put(mask, 2)", "ihfc: same n m", changes = "a" },
    { "nonzero", "a:nonzero()" },
    { "sort", "a:sort()", "bihf: same n m", batch = "a" },
    { "sort", "a:sort { axis = -2, descending = true }", "bihf: same n m", batch = "a" },
    { "argsort", "a:argsort()", "bihf: i64 n m", batch = "a" },
    { "topk", "a:topk(2)", "bihf: same 3 2; i64 3 2", batch = "a", fixed = true },
    { "unique", "a:unique { counts = true, inverse = true, first = true }", "same ?; i64 ?; i64 n m; i64 ?" },
    { "union", "a:union(b)", "bihf: same ?" },
    { "intersect", "a:intersect(b)", "bihf: same ?" },
    { "setdiff", "a:setdiff(b)", "bihf: same ?" },
    { "isin", "a:isin(w)", "bihf: bool n m" },
    { "partition", "a:partition(2)", "bihf: same 3 4", batch = "a", fixed = true },
    { "argpartition", "a:argpartition(2)", "bihf: i64 3 4", batch = "a", fixed = true },
    { "median", "a:median { axis = -1 }", "bihf: float n", batch = "a" },
    { "quantile", "a:quantile({ 0.25, 0.5 }, { axis = -1 })", "bihf: float 2 n" },
    { "nanmedian", "a:nanmedian { axis = -1 }", "bihf: float n", batch = "a" },
    { "nanquantile", "a:nanquantile(0.75, { axis = -1 })", "bihf: float n", batch = "a" },
    { "searchsorted", "line:searchsorted(points)", "i64 n m" },
    { "take_along_axis", "a:take_along_axis(places)", "same n m", batch = "a places" },
    { "put_along_axis", "a:put_along_axis(places, b)", "same n m", changes = "a", batch = "a places b" },
    { "delete", "a:delete(index, 2)", "same 3 2", fixed = true },
    { "insert", "a:insert(index, 7, 2)", "ihfc: same 3 6", fixed = true },
    { "repeats", "a:repeats(2, 1)", "same 2*n m" }, { "repeats", "column:repeats(order)", "same 6", fixed = true },
    { "unravel", "counts:unravel(2, 3)", "i64 3 4; i64 3 4", fixed = true },
    { "isclose", "a:isclose(b)", "bool n m", batch = "a b" },
    { "allclose", "a:allclose(a)", "boolean" },
    { "equal", "a:equal(b)", "boolean" },
    { "round", "a:round(1)", "same n m", batch = "a" }, { "round", "a:round()", "number n m" },
    { "nan_to_num", "a:nan_to_num()", "same n m", batch = "a" },
    { "frexp", "a:frexp()", "bihf: single n m; i32 n m", batch = "a" },
    { "modf", "a:modf()", "bihf: single n m; single n m", batch = "a" },
    { "softmax", "a:softmax { axis = -1 }", "bihf: keeps n m", batch = "a" },
    { "log_softmax", "a:log_softmax { axis = -1 }", "bihf: keeps n m", batch = "a" },
    { "ptp", "a:ptp { axis = -1 }", "bihf: same n", batch = "a" },
    { "average", "a:average { weights = weights, axis = -1 }", "float n", batch = "a weights" },
    { "vector_norm", "a:vector_norm(3, { axis = -1 })", "real n", batch = "a" },
    { "vector_norm", "b:vector_norm(-1, { axis = -1 })", "real n", batch = "b" },
    { "skew", "a:skew { axis = -1 }", "bihf: float n", batch = "a" },
    { "kurtosis", "a:kurtosis { axis = -1 }", "bihf: float n", batch = "a" },
    { "cov", "a:cov(b)", "float 2*n 2*n" }, { "corrcoef", "a:corrcoef(b)", "float 2*n 2*n" },
    { "diff", "a:diff(1)", "same n max(m-1,0)", batch = "a" },
    { "gradient", "a:gradient(2, { axis = -1 })", "keeps 3 4", batch = "a", fixed = true },
    { "trapezoid", "a:trapezoid(2, { axis = -1 })", "float n", batch = "a" },
    { "interp", "points:interp(line, w)", "keeps n m" },
    { "polyfit", "line:polyfit(w, 1)", "bihf: float 2", fixed = true },
    { "polyval", "v:polyval(points)", "keeps 3 4", fixed = true }, { "roots", "v:roots()", "wide 3", fixed = true },
    { "bincount", "votes:bincount { size = 6, weights = line }", "total 6", fixed = true },
    { "histogram", "a:histogram { bins = 3, low = -4, high = 5 }", "bihf: i64 3; float 4" },
    { "matmul", "a:matmul(b:mt())", "number n n", batch = "a b" },
    { "matmul", "square:matmul(right, { alpha = 2 })", "number n 2", batch = "square right" },
    { "csr_matmul", "values:csr_matmul(starts, columns, sides)", "number 3 2", fixed = true },
    { "csr_product", "values:csr_product(starts, columns, starts, columns, values)", "i32 4; i32 6; number 6",
        fixed = true },
    { "csr_build", "values:csr_build(rows, columns, 3, 3)", "ihfc: i32 4; i32 4; same 4", fixed = true },
    { "csr_sweep", "values:csr_sweep(starts, columns, three, dev:array({ 1, 2, 3, 4 }, 'i32'), sides)", "fc: same 3 2",
        fixed = true },
    { "sparse", "a:sparse():dense()", "same n m" },
    { "csr_check", "starts:csr_check(columns, 3)", "number", fixed = true },
    { "outer", "v:outer(w)", "number m m" }, { "kron", "square:kron(b)", "number n*n n*m" },
    { "cross", "c:mt():cross(c:mt())", "number 4 3", fixed = true },
    { "tensordot", "a:tensordot(b, { { 2 }, { 2 } })", "number n n" },
    { "eigh", "definite:eigh()", "bifc: real n; float n n", batch = "definite" },
    { "eigvalsh", "definite:eigvalsh()", "bifc: real n", batch = "definite" },
    { "eig", "square:eig()", "bifc: wide n; wide n n", batch = "square" },
    { "eigvals", "square:eigvals()", "bifc: wide n", batch = "square" },
    { "svd", "tall:svd()", "bifc: float 5 n; real n; float n n", batch = "tall" },
    { "svd", "a:svd { full = true }", "bifc: float n n; real min(n,m); float m m", batch = "a" },
    { "svdvals", "a:svdvals()", "bifc: real min(n,m)", batch = "a" },
    { "solve", "square:solve(right)", "ifc: float n 2", batch = "square right" },
    { "solve", "definite:solve(right, { assume = 'positive' })", "ifc: float n 2", batch = "definite right" },
    { "solve", "square:solve(right, { assume = 'upper', transpose = true })", "bifc: float n 2",
        batch = "square right" },
    { "solve", "square:solve(right, { least_rcond = 1e-9 })", "ifc: float n 2" },
    { "inv", "square:inv { info = true }", "bifc: float n n; i32", outs = 1, batch = "square" },
    { "det", "square:det()", "bifc: number", batch = "square" },
    { "slogdet", "square:slogdet()", "bifc: number; number", batch = "square" },
    { "cholesky", "definite:cholesky { upper = true }", "ifc: float n n", batch = "definite" },
    { "cholesky_", "definite:cholesky_()", "fc: same n n", changes = "definite", batch = "definite" },
    { "lu_solve", "square:lu_solve(order, right)", "fc: same n 2" },
    { "lu", "square:lu():solve(right)", "ifc: float n 2" }, { "lu", "square:lu():inv()", "ifc: float n n" },
    { "rcond", "square:rcond()", "bifc: number", batch = "square" },
    { "lu_rcond", "square:lu_rcond(order, weights:slice(1, 1))", "fc: number" },
    { "lu_factor", "square:lu_factor()", "bifc: float n n; i64 n; i32 n", batch = "square" },
    { "lu_factor_", "square:lu_factor_()", "fc: same n n; i64 n; i32 n", changes = "square", batch = "square" },
    { "lu_", "square:lu_():solve(right)", "fc: same n 2", changes = "square" },
    { "qr", "tall:qr()", "bifc: float 5 n; float n n", batch = "tall" },
    { "qr", "a:qr { mode = 'full', pivot = true }", "bifc: float n n; float n m; i64 m", batch = "a" },
    { "lstsq", "tall:lstsq(signal:slice { 1, 5 })", "bifc: float 3; number", report = true, fixed = true },
    { "pinv", "a:pinv()", "bifc: float m n", batch = "a" }, { "rank", "a:rank()", "bifc: number", batch = "a" },
    { "cond", "square:cond()", "bifc: number", batch = "square" },
    { "matrix_power", "square:matrix_power(3)", "bifc: float n n", batch = "square" },
    { "expm", "square:expm()", "bifc: float n n", batch = "square" },
    { "fft", "a:fft()", "fc: complex n m", rounded = true, batch = "a" },
    { "fft", "a:fft { axis = -2, n = 5, norm = 'ortho' }", "fc: complex 5 m", rounded = true, batch = "a" },
    { "ifft", "a:ifft()", "fc: complex n m", rounded = true, batch = "a" },
    { "rfft", "a:rfft()", "f: complex n m//2+1", rounded = true, batch = "a" },
    { "irfft", "z:irfft { n = 6 }", "component n 6", rounded = true, batch = "z" },
    { "hfft", "z:hfft { n = 6 }", "component n 6", rounded = true, batch = "z" },
    { "ihfft", "a:ihfft()", "f: complex n m//2+1", rounded = true, batch = "a" },
    { "fftn", "a:fftn { axis = { -2, -1 } }", "fc: complex n m", rounded = true, batch = "a" },
    { "ifftn", "a:ifftn { axis = { -2, -1 } }", "fc: complex n m", rounded = true, batch = "a" },
    { "rfftn", "a:rfftn { axis = { -2, -1 } }", "f: complex n m//2+1", rounded = true, batch = "a" },
    { "irfftn", "z:irfftn { axis = { -2, -1 }, n = { 3, 6 } }", "component 3 6", rounded = true, batch = "z" },
    { "fft_", "z:fft_()", "complex n m", changes = "z", rounded = true, batch = "z" },
    { "fftn_", "z:fftn_ { axis = { -2, -1 } }", "complex n m", rounded = true, changes = "z", batch = "z" },
    { "ifftn_", "z:ifftn_ { axis = { -2, -1 } }", "complex n m", rounded = true, changes = "z", batch = "z" },
    { "ifft_", "z:ifft_ { axis = -2 }", "complex n m", changes = "z", rounded = true, batch = "z" },
    { "fftshift", "a:fftshift(-1)", "same n m", batch = "a" }, { "ifftshift", "a:ifftshift()", "same n m" },
    { "convolve", "a:convolve(w, { axis = -1, mode = 'same' })", "number 3 4", rounded = true, batch = "a",
        fixed = true },
    { "correlate", "a:correlate(w, { axis = -1 })", "number 3 7", rounded = true, batch = "a", fixed = true },
    { "stft", "signal:stft { n = 4, hop = 2 }", "fc: complex 7 ?", rounded = true, batch = "signal", fixed = true },
    { "spectrogram", "signal:spectrogram { n = 4, hop = 2, center = false }", "fc: total 5 ?", rounded = true,
        batch = "signal", fixed = true },
    { "istft", "frames:istft { n = 12, hop = 4 }", "component 16", fixed = true },
    { "hilbert", "a:hilbert()", "f: complex n m", rounded = true, batch = "a" },
    { "dct", "a:dct()", "fc: same n m", rounded = true, batch = "a" },
    { "idct", "a:idct { type = 3, norm = 'ortho' }", "fc: same n m", rounded = true, batch = "a" },
    { "dst", "a:dst { axis = -2 }", "fc: same n m", rounded = true, batch = "a" },
    { "idst", "a:idst { type = 4 }", "fc: same n m", rounded = true, batch = "a" },
    { "nbody", "pos:nbody(vel, { dt = 0.125, softening = 1 })", "fc: total n 4", changes = "pos vel",
        batch = "pos vel" },
    { "gravity", "pos:gravity { softening = 1 }", "fc: total n 4", batch = "pos" },
    { "energy", "pos:energy(vel, { softening = 1 })", "fc: number; number", batch = "pos vel" },
    { "vander", "v:vander(3)", "power 4 3", fixed = true }, { "trace", "square:trace()", "number" },
    { "slice", "a:slice({ 3, 1, -2 }, { 2, 4 })", "same 2 3", fixed = true },
    { "row", "a:row(2)", "same 4", fixed = true },
    { "col", "a:col(-1)", "same 3", fixed = true },
    { "t", "a:t()", "same m n" },
    { "mt", "a:mt()", "same m n", batch = "a" },
    { "swapaxes", "a:swapaxes(-1, -2)", "same m n", batch = "a" },
    { "moveaxis", "a:moveaxis(-1, -2)", "same m n", batch = "a" },
    { "rot90", "a:rot90()", "same m n" },
    { "diagonal", "a:diagonal(1)", "same min(n,max(m-1,0))" },
    { "unstack", "a:unstack()" },
    { "windows", "a:windows(2, { axis = -1 })", "same 3 3 2", fixed = true },
    { "reshape", "a:reshape(2, -1)", "same 2 6", fixed = true, dense = true },
    { "squeeze", "a:squeeze()", "same n m", fixed = true },
    { "expand", "a:expand(2)", "same n 1 m" },
    { "flip", "a:flip(-1)", "same n m", batch = "a" },
    { "real", "z:real()", "component n m", batch = "z" }, { "imag", "z:imag()", "component n m", batch = "z" },
    { "as_real", "z:as_real()", "component n m 2", batch = "z" },
    { "as_complex", "pairs:as_complex()", "fc: complex n", batch = "pairs", dense = true },
    { "split", "a:split(2, -1)", "same 3 2; same 3 2", fixed = true },
    { "broadcast", "a:broadcast(2, 3, 4)", "same 2 3 4", fixed = true },
    { "diag", "v:diag(-1)", "same m+1 m+1" },
    { "diag", "a:diag(1)", "same min(n,max(m-1,0))", without = "out queue async" },
    { "tril", "a:tril(-1)", "same n m", batch = "a" }, { "triu", "a:triu(1)", "same n m", batch = "a" },
    { "tile", "a:tile(2, 3)", "same 2*n 3*m" }, { "roll", "a:roll({ 1, -1 }, { -2, -1 })", "same n m", batch = "a" },
    { "pad", "a:pad({ { 1, 2 }, { 0, 1 } }, { value = 7 })", "ihfc: same n+3 m+1" },
    { "pad", "a:pad(1, { mode = 'reflect' })", "same 5 6", fixed = true },
    { "zeros_like", "a:zeros_like()", "same n m" },
    { "ones_like", "a:ones_like('i8')", "i8 n m" },
    { "full_like", "a:full_like(3)", "ihfc: same n m" },
    { "empty_like", "a:empty_like():fill(1)", "same n m" },
    { "totable", "a:totable()" }, { "tobytes", "a:tobytes()", raw = true },
    { "write", "a:write(b)", "same n m", changes = "a" },
    { "to", "a:to(dev)", "same n m", without = "queue" },
    { "contiguous", "a:contiguous()", "same n m", without = "queue" },
    { "savetxt", "a:savetxt(path)", "bihf: " },
    { "tofile", "a:tofile(path)", "" },
    { "save", "a:save(path .. '.npy')", "bihfc!bf16:" },
})
add("module", {
    { "sort_by", "lun.sort_by(v, w)", "bihf: same m" },
    { "ravel", "lun.ravel({ index, index }, { 2, 3 })", "i64 2", fixed = true },
    { "histogram2d", "lun.histogram2d(a, b, { bins = { 3, 2 }, low = { -4, 0 }, high = { 5, 4 } })",
        "bihf: i64 3 2; float 4; float 3" },
    { "einsum", "lun.einsum('ij,kj->ik', a, b)", "number n n" },
    { "cholesky_solve", "lun.cholesky_solve(square, right)", "bifc: float n 2" },
    { "simulation", "lun.simulation(pos, vel, { dt = 0.125, softening = 1 }):step(2)", "fc: boolean",
        without = "queue async", changes = "pos vel" },
    { "where", "lun.where(mask, a, b)", "same n m" },
    { "broadcast", "lun.broadcast(a, v)", "same n m; same n m" },
    { "concat", "lun.concat({ a, b }, -1)", "same n 2*m", batch = "a b" },
    { "stack", "lun.stack({ a, b }, -1)", "same n m 2", batch = "a b" },
    { "meshgrid", "lun.meshgrid(v, column)", "same n m; same n m" },
    { "fuse", "lun.fuse(function(p, q) return (p + q):max { axis = -1 } end)(a, b)", "bihf: number n", batch = "a b" },
    { "savez", "lun.savez(path .. '.npz', { a = a })", "bihfc!bf16:" },
})
add("device", {
    { "fftfreq", "dev:fftfreq(5)", "f32 5" },
    { "rfftfreq", "dev:rfftfreq(6, 0.5)", "f32 4" },
    { "window", "dev:window('hann', 6)", "f32 6" },
    { "reduce", "dev:reduce('sum', 'x * y', { x = a, y = b }, { axis = -1 })", "bihf: sum n" },
    { "map", "dev:map({ 'x + y', 'x * k' }, { x = a, y = b, k = 3 }, {})", "bihf: number n m; number n m",
        batch = "a b" },
    { "array", "dev:array(a, 'f64')", "bihf: f64 n m" },
    { "zeros", "dev:zeros({ 2, 3 }, 'i16')", "i16 2 3" },
    { "ones", "dev:ones { 2, 3 }", "f32 2 3" },
    { "full", "dev:full({ 2, 3 }, 7, 'u8')", "u8 2 3" }, { "arange", "dev:arange(1, 9, 2, 'i32')", "i32 5" },
    { "linspace", "dev:linspace(0, 1, 5, 'f64')", "f64 5" },
    { "eye", "dev:eye(3, 4, 1)", "f32 3 4" },
    { "tri", "dev:tri(3, 4, -1)", "f32 3 4" },
    { "logspace", "dev:logspace(0, 2, 3)", "f32 3" }, { "geomspace", "dev:geomspace(1, 8, 4)", "f32 4" },
    { "indices", "dev:indices { 2, 3 }", "i64 2 3; i64 2 3" }, { "empty", "dev:empty({ 2 }, 'f64'):fill(0)", "f64 2" },
    { "random", "dev:random({ 3, 4 }, { seed = 1 })", "f32 3 4" },
    { "randint", "dev:randint({ 3, 4 }, 1, 6, { seed = 1 })", "i64 3 4", any = true },
    { "normal", "dev:normal({ 3, 4 }, { seed = 1 })", "f32 3 4" }, { "rng", "dev:rng(1):uniform { 3 }", "f32 3" },
    { "loadtxt", "prepared('text', path, a) and dev:loadtxt(path)", "bihf: f32 n m", fixed = true },
    { "fromfile", "prepared('raw', path, a) and dev:fromfile(path, 'u8')", "u8 ?", raw = true },
    { "imread", "prepared('picture', path, dev:ones { 2, 3 }) and dev:imread(path)", "u8 2 3 4",
        without = "out queue async" },
    { "queue", "dev:queue():finish()", "" },
    { "program", "dev:program('kernel void one(global float *p) { *p = 1; }'):kernels()", "string" },
})
add("stream", {
    { "stream", "rng:stream(2):uniform { 3 }", "f32 3" },
    { "uniform", "rng:uniform({ 3, 4 }, { low = -1, high = 2 })", "f32 3 4" },
    { "normal", "rng:normal { 3, 4 }", "f32 3 4" }, { "exponential", "rng:exponential { 3, 4 }", "f32 3 4" },
    { "integers", "rng:integers({ 3, 4 }, 1, 9)", "i64 3 4", any = true },
    { "poisson", "rng:poisson({ 3, 4 }, { lambda = 20 })", "i64 3 4", any = true },
    { "binomial", "rng:binomial({ 3, 4 }, { n = 50, p = 0.5 })", "i64 3 4", any = true },
    { "permutation", "rng:permutation(a)", "same n m" },
    { "choice", "rng:choice(a, 2, { replace = false })", "same 2 4", fixed = true },
})

return calls
