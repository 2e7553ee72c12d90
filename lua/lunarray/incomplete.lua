-- Triangular solves of sparse matrices, and incomplete factors: A:solve, A:ilu, A:ichol. Rows that need none of one
-- another are a level; the host finds them once for a matrix, and the device sweeps over them (values:csr_sweep).

local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"
local sparse = require "lunarray.sparse"

local raise, kind_of = misuse.raise, misuse.kind_of

-- wide: levels of so many rows are a call of their own, which several groups share; other levels are taken one behind
-- the other by one group, and on CPUs by one core.
local incomplete = { wide = { cpu = 8192, other = 2048 } }

-- ---- levels -------------------------------------------------------------------------------------------------------

-- The level of each row: one more than the highest of those that its entries on one side of the diagonal name.
local function find_levels(starts, cols, rows, is_upper)
    local levels, highest = {}, 0
    for i = is_upper and rows or 1, is_upper and 1 or rows, is_upper and -1 or 1 do
        local level = 0
        for e = starts[i], starts[i + 1] - 1 do
            local j = cols[e]
            if j ~= i and (j > i) == is_upper and levels[j] > level then
                level = levels[j]
            end
        end
        levels[i] = level + 1
        highest = level + 1 > highest and level + 1 or highest
    end
    return levels, highest
end

-- The rows level by level, and where each level begins among them.
local function in_order(levels, highest)
    local bounds, order = {}, {}
    for level = 1, highest + 1 do
        bounds[level] = 0
    end
    for _, level in ipairs(levels) do
        bounds[level] = bounds[level] + 1
    end
    local at = 1
    for level = 1, highest + 1 do
        bounds[level], at = at, at + bounds[level]
    end
    local next_at = table.move(bounds, 1, highest + 1, 1, {})
    for i, level in ipairs(levels) do
        order[next_at[level]] = i
        next_at[level] = next_at[level] + 1
    end
    return order, bounds
end

-- The bounds of calls: of wide levels, each alone, and of those between them.
local function cut(bounds, wide)
    local parts, from = {}, 1
    for level = 1, #bounds - 1 do
        if bounds[level + 1] - bounds[level] >= wide then
            if level > from then
                parts[#parts + 1] = table.move(bounds, from, level, 1, {})
            end
            parts[#parts + 1] = { bounds[level], bounds[level + 1] }
            from = level + 1
        end
    end
    if from < #bounds or #parts == 0 then
        parts[#parts + 1] = table.move(bounds, from, #bounds, 1, {})
    end
    return parts
end

-- The order of rows for one triangle of a matrix, and the bounds of levels for each call; they are kept.
local function schedule_of(inner, is_upper)
    local side = is_upper and "upper_levels" or "lower_levels"
    if not inner[side] then
        local device, dtype = inner.starts:device(), inner.starts:dtype()
        local order, bounds = in_order(find_levels(inner.starts:totable(), inner.cols:totable(), inner.m, is_upper))
        local parts = cut(bounds, incomplete.wide[device:info().type] or incomplete.wide.other)
        for i, part in ipairs(parts) do
            parts[i] = device:array(part, dtype)
        end
        inner[side] = { #order == 0 and device:zeros({ 0 }, dtype) or device:array(order, dtype), parts }
    end
    return table.unpack(inner[side])
end

local function check_square(inner, name)
    if inner.m ~= inner.n then
        raise(name, "the matrix is %dx%d; a square one is wanted", inner.m, inner.n)
    end
end

-- ---- triangular solves --------------------------------------------------------------------------------------------

-- The last call alone is an event, where one is asked for: what is enqueued before it comes before it.
local function sweep(inner, name, task, b, options)
    local order, parts = schedule_of(inner, task == "upper")
    local given, made = { task = task, out = options.out, queue = options.queue }, nil
    for i, bounds in ipairs(parts) do
        given.async = i == #parts and options.async or nil
        made = core._named(name, inner.values.csr_sweep)(inner.values, inner.starts, inner.cols, order, bounds, b,
            given)
        given.out = made
    end
    return made
end

local ASSUMED = { lower = "lower", ["unit lower"] = "unit lower", upper = "upper" }

-- A:solve(b, { assume [, out, async, queue] })
sparse.method("solve", 2, function(inner, b, options)
    misuse.check_array("solve", "argument 1", b)
    misuse.check_options("solve", 2, options, { "assume", "out", "async", "queue" })
    local task = options and ASSUMED[options.assume]
    if not task then
        raise("solve", "option 'assume': 'lower', 'unit lower' or 'upper' is wanted, got %s; other sparse systems are "
            .. "solved by lun.cg, lun.gmres and lun.bicgstab", kind_of(options and options.assume))
    end
    check_square(inner, "solve")
    return sweep(inner, "solve", task, b, options)
end)

-- ---- incomplete factors -------------------------------------------------------------------------------------------

local methods = {}
local class = { __name = "lunarray.incomplete", __kind = "incomplete factors", __index = function(_, key)
    return methods[key] or raise(tostring(key), "incomplete factors have solve and release")
end }

local function inner_of(factors, name)
    if getmetatable(factors) ~= class then
        raise(name, "self: incomplete factors are wanted, got %s; is it called with a colon?", kind_of(factors))
    end
    return rawget(factors, "_inner") or raise(name, "the factors were released")
end

-- What solves as the factors do: l, and then u.
function methods:solve(b, options, ...)
    local factors = inner_of(self, "solve")
    misuse.check_array("solve", "argument 1", b)
    misuse.check_options("solve", 2, options, { "out", "async", "queue" })
    misuse.check_end("solve", 2, ...)
    options = options or {}
    local between <close> = sweep(factors.lower, "solve", factors.task, b, { queue = options.queue })
    return sweep(factors.upper, "solve", "upper", between, options)
end

function methods:release()
    local factors = inner_of(self, "release")
    for _, matrix in ipairs(factors.made) do
        matrix:release()
    end
    rawset(self, "_inner", nil)
end

function class.__close(self)
    if rawget(self, "_inner") then
        methods.release(self)
    end
end

function class.__tostring(self)
    local factors = rawget(self, "_inner")
    return factors and ("%s of %dx%d, %d entries"):format(factors.name, factors.lower.m, factors.lower.n,
        #factors.lower.cols) or "incomplete factors (released)"
end

-- Raises for the first row whose number on the diagonal is 0 or none.
local function check_pivots(matrix, name)
    local pivots <close> = matrix:diag()
    local good <close> = pivots:isfinite():land(pivots:ne(0))
    if #good > 0 and not good:all() then
        raise(name, "the pivot of row %d is %s", good:cast("u8"):argmin(), name == "ilu" and "0, or not finite"
            or "no number above 0")
    end
end

local function factor(inner, name, task)
    check_square(inner, name)
    local made = sparse.with_values(inner, sweep(inner, name, task, nil, {}))
    sparse.inner_of(made, name).lower_levels = inner.lower_levels
    check_pivots(made, name)
    return made
end

-- A:ilu(): L U, both in one matrix with A's places.
sparse.method("ilu", 0, function(inner)
    local both = factor(inner, "ilu", "ilu")
    local of = sparse.inner_of(both, "ilu")
    return setmetatable({ _inner = { name = "ilu", lower = of, upper = of, task = "unit lower", made = { both } } },
        class)
end)

-- A:ichol(): L L^H with the places of A's lower triangle, of which alone it is made.
sparse.method("ichol", 0, function(inner)
    local rows = sparse.rows_of(inner)
    local below = rows:ge(inner.cols)
    local triangle = sparse.of_triplets(inner.m, inner.n, rows:mask(below), inner.cols:mask(below),
        inner.values:mask(below))
    local l = factor(sparse.inner_of(triangle, "ichol"), "ichol", "cholesky")
    local u = l:t()
    local of = sparse.inner_of(u, "ichol")
    if l:dtype():sub(1, 1) == "c" then
        of.values = of.values:conj()
    end
    return setmetatable({ _inner = { name = "ichol", lower = sparse.inner_of(l, "ichol"), upper = of, task = "lower",
        made = { l, u } } }, class)
end)

function incomplete.is_factors(x)
    return type(x) == "table" and getmetatable(x) == class
end

-- The matrix of factors, as sparse.inner_of gives it.
function incomplete.matrix_of(factors, name)
    return inner_of(factors, name).lower
end

return incomplete
