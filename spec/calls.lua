-- One table of example calls: at least one of every operation, over inputs that stand here once.
--
-- spec/contract/contract_spec.lua tries each call with its inputs as views, of other dtypes, of other sizes, in
-- batches, into `out`, and on several queues; spec/contract/strict_spec.lua and spec/house/annotations_spec.lua take
-- the calls from here. An operation without a call fails.

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
    index = { "position", { 2 }, function(i, k) return (i + k + 1) % 2 + 1 end },
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
    spots = { "real", { 2, 3 }, listed { 1.25, 2, 2.5, 1, 3.5, 2.75 } },
    sections = { "real", { 2, 6 }, listed { 1, 0.5, 0.25, 1, -0.5, 0.25, 2, 1, 0, 2, 0.5, 0.25 } },
    sides = { "number", { 3, 2 }, mixed },
    segments = { "position", { 3 }, listed { 1, 2, 5 } },
    pos = { "real", { "n", 4 }, positive },
    vel = { "real", { "n", 4 }, mixed },
}

-- ---- calls ----------------------------------------------------------------------------------------------

-- The first call of an operation is its row's, EXAMPLE(call, promise, tried) in src/core/call/operation.def; further
-- ones are here, as { name, call, promise, tried }. A call is text over the inputs, `lun`, `dev`,
-- `rng` (a new stream), `path`, and `prepared(kind, path, array)`, which writes a file. A promise is "takes: gives":
-- the kinds of dtypes that its numbers may have, b(ool) i(ntegers) h (16-bit floats) f(loats) c(omplex), less some by
-- name (!bf16), which are left out where the row's .takes says the same of the call's own array, or else all are
-- meant; and for each result its dtype, or the rule for it (spec/contract.lua
-- has them), and its sizes, `?` where the values decide. `number` and `boolean` alone are Lua's. How it is tried,
-- where it is so, separated by commas:
--   batch    the inputs that may have further axes in front
--   changes  the inputs that it changes
--   without  options of the operation that this call does not take
--   any      `out` may have any dtype of integers
--   outs     how many of its results `out` takes
--   rounded  items of a batch may have other last bits together than alone
--   raw      it gives bytes, which differ between dtypes
--   dense    the inputs may be no views with gaps, and the call says so
--   report   its last result is a report
--   narrow   its other arguments go with fewer dtypes than the array may have
--   fixed    its text has sizes of its own: it is not tried with others
--   elementwise, in_place: a function of map.def

-- The input that a call is a method of, or has first; nil: it has none.
function calls.own_name(code)
    local name = code:match "^(%a+):" or code:match "^lun%.[%w_]+%({? ?(%a+)"
    return calls.inputs[name] and name
end

function calls.is_of_numbers(code)
    local name = calls.own_name(code)
    return name ~= nil and calls.inputs[name][1] == "number"
end

-- The kinds and the results of a promise; `row` says the kinds that the array of such a call may have, or nil.
local function promise(text, row)
    if not text then
        return nil
    end
    local takes, rest = text:match "^([%w!]+): ?(.*)$"
    local gives = {}
    for result in (rest or text):gmatch "[^;]+" do
        gives[#gives + 1] = result
    end
    return takes or row or "bihfc", gives
end

-- A row with what `tried` says as fields.
local function tried(row, text)
    for word, rest in (text or ""):gmatch "([%a_]+) ?([^,]*)" do
        row[word] = word == "outs" and tonumber(rest) or rest ~= "" and rest or true
    end
    return row
end

-- Further calls, of arrays.
local further = {
    { "reduce", "a:reduce { map = 'x * x', combine = 'a + b', identity = '0', axis = 1 }", "bihf: number m" },
    { "take", "a:take { index, index }", "same 2", "fixed, without variant" },
    { "sort", "a:sort { axis = -2, descending = true }", "bihf: same n m", "batch a" },
    { "repeats", "column:repeats(order)", "same 6", "fixed" },
    { "round", "a:round(1)", "number n m", "batch a, without variant" },
    { "vector_norm", "b:vector_norm(-1, { axis = -1 })", "real n", "batch b" },
    { "matmul", "square:matmul(right, { alpha = 2 })", "number n 2", "batch square right" },
    { "svd", "a:svd { full = true }", "bifc: float n n; real min(n,m); float m m", "batch a" },
    { "solve", "definite:solve(right, { assume = 'positive' })", "ifc: float n 2", "batch definite right" },
    { "solve", "square:solve(right, { assume = 'upper', transpose = true })", "bifc: float n 2", "batch square right" },
    { "solve", "square:solve(right, { least_rcond = 1e-9 })", "ifc: float n 2" },
    { "lu", "square:lu():inv()", "ifc: float n n" },
    { "qr", "a:qr { mode = 'full', pivot = true }", "bifc: float n n; float n m; i64 m", "batch a" },
    { "fft", "a:fft { axis = -2, n = 5, norm = 'ortho' }", "complex 5 m", "rounded, batch a" },
    { "diag", "a:diag(1)", "same min(n,max(m-1,0))", "without out queue async" },
    { "pad", "a:pad(1, { mode = 'reflect' })", "same 5 6", "fixed" },
    { "pad", "a:pad({ { 2, 0 }, { 1, 3 } }, { mode = 'linear_ramp' })", "ihfc: same 5 8", "fixed" },
    { "nanquantile", "a:nanquantile(0.3, { axis = -1, method = 'hazen' })", "float n", "batch a" },
    { "sum", "a:sum { axis = -1, where = mask, initial = 2 }", "sum n", "batch a mask" },
    { "max", "a:max { axis = 1, where = mask, initial = 1 }", "same m" },
    { "var", "a:var { axis = -1, where = mask, ddof = 1 }", "real n", "batch a mask" },
    { "histogram", "a:histogram { bins = { -4, 0, 0.5, 3 }, density = true, weights = weights }", "float 3; float 4" },
}

-- All calls, of all operations of a device.
function calls.all()
    local list, operations = {}, {}
    local function add(operation, code, text, how)
        local row = tried({ owner = operation.owner, name = operation.name, code = code }, how)
        row.takes, row.gives = promise(text, calls.is_of_numbers(code) and operation.takes or nil)
        if operation.kind == "reduction" or operation.kind == "function" then -- its row says so for each dtype
            row.takes = operation.dtypes
        end
        list[#list + 1] = row
    end
    for _, operation in ipairs(lun.device():operations()) do
        operations[operation.owner .. "." .. operation.name] = operation
        if operation.example then
            add(operation, operation.example, operation.promise, operation.tried)
        end
    end
    for _, row in ipairs(further) do
        add(operations["array." .. row[1]], table.unpack(row, 2, 4))
    end
    table.sort(list, function(x, y) return x.owner .. x.name .. x.code < y.owner .. y.name .. y.code end)
    return list
end

return calls
