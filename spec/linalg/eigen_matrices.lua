-- Matrices for the specs of eigenvalues and singular values, and how their errors are measured: as LAPACK's own tests
-- do, in units of n eps norm: these specs allow 10 where LAPACK's allow 30. Norms are roots of sums of squares.

local helper = require "spec.helper"

local matrices = { EPS = { f32 = 2.0 ^ -23, f64 = 2.0 ^ -52 } }

function matrices.dtypes(dev)
    return dev:info().fp64 and { "f64", "f32" } or { "f32" }
end

-- Calls body(dev, variant, dtype, title) for each variant of an operation that its own spec tries, or that there is
-- (`all`), and each dtype.
function matrices.each_variant(operation, body, all)
    helper.each_device(function(dev, name)
        for _, variant in ipairs(all and dev:variants(operation) or helper.variants(dev, operation)) do
            for _, dtype in ipairs(matrices.dtypes(dev)) do
                body(dev, variant, dtype, ("%s, %s, %s"):format(name, variant, dtype))
            end
        end
    end)
end

-- The last size of an array.
local function last(a)
    return (select(a:ndim(), a:shape()))
end

function matrices.norm(a)
    return a:size() == 0 and 0 or a:norm()
end

-- error / (n eps norm); of a norm of 0 the error itself.
function matrices.units(error, norm, n, dtype)
    local scale = norm * math.max(n, 1) * matrices.EPS[dtype]
    return scale == 0 and error or error / scale
end

function matrices.assert_small(units, what)
    assert(units <= 10, ("%s: %g units"):format(what, units)) -- NaN fails as well
end

-- How far the columns of v are from being orthogonal, of a batch the worst of them.
function matrices.orthogonality(v)
    local n = last(v)
    local rows = (select(v:ndim() - 1, v:shape()))
    if v:size() == 0 then
        return 0
    end
    local away = v:mt():matmul(v) - v:device():eye(n, { dtype = v:dtype() })
    return away:norm { axis = { -2, -1 }, keepdims = true }:max() / (math.max(n, rows) * matrices.EPS[v:dtype()])
end

-- Is the largest number of each column above 0? Of those that are nearly as large it is the first that counts.
function matrices.assert_signs(v)
    local rows, columns = v:shape()
    local numbers = v:totable()
    for j = 1, columns do
        local largest, first = 0, nil
        for i = 1, rows do
            largest = math.max(largest, math.abs(numbers[i][j]))
        end
        for i = rows, 1, -1 do
            first = math.abs(numbers[i][j]) >= 0.999 * largest and numbers[i][j] or first
        end
        assert(first >= 0, "the largest number of column " .. j .. " is below 0")
    end
end

-- An orthogonal matrix of products of reflections, and symmetric ones with given eigenvalues.
function matrices.orthogonal(dev, n, dtype, seed)
    local q = dev:eye(n, { dtype = dtype })
    for k = 1, 3 do
        local v = dev:normal({ n, 1 }, { dtype = dtype, seed = seed + k })
        q = q - v:matmul(v:t():matmul(q)) * (2 / v:sumsq())
    end
    return q
end

function matrices.spectra(n)
    local function list(f)
        local values = {}
        for i = 1, n do
            values[i] = f(i)
        end
        return values
    end
    local function step(i)
        return n == 1 and 0 or (i - 1) / (n - 1)
    end
    return {
        zero = list(function() return 0.0 end),
        identity = list(function() return 1.0 end),
        even = list(function(i) return 1 - step(i) end),
        both = list(function(i) return (1 - step(i)) * (-1) ^ i end),
        geometric = list(function(i) return 1e-6 ^ step(i) end),
        ["one large"] = list(function(i) return i == 1 and 1.0 or 1e-6 end),
        ["one small"] = list(function(i) return i == n and 1e-6 or 1.0 end),
        clustered = list(function(i) return 1 + 1e-7 * (i % 3) end),
        ["rank 2"] = list(function(i) return i <= 2 and 3.0 - i or 0.0 end),
    }
end

-- From a table of rows, or from a function of row and column.
function matrices.of(dev, n, dtype, f)
    local rows = {}
    for i = 1, n do
        rows[i] = {}
        for j = 1, n do
            rows[i][j] = f(i, j)
        end
    end
    return dev:array(rows, dtype)
end

-- The one that a file of this folder lists: row, column and number of each element, or of each in a symmetric one's
-- lower triangle. And how many it lists.
function matrices.listed(dev, n, dtype, file, symmetric)
    local listed = {}
    for i, j, value in require("spec.linalg." .. file):gmatch "(%d+) (%d+) ([^, \n]+)" do
        i, j, value = math.tointeger(i), math.tointeger(j), tonumber(value)
        listed[#listed + 1] = { i, j, value }
        if symmetric and i ~= j then
            listed[#listed + 1] = { j, i, value }
        end
    end
    local rows = dev:zeros({ n, n }, dtype):totable()
    for _, each in ipairs(listed) do
        rows[each[1]][each[2]] = each[3]
    end
    return dev:array(rows, dtype), #listed
end

function matrices.tridiagonal(dev, diagonal, beside, dtype)
    return matrices.of(dev, #diagonal, dtype, function(i, j)
        return i == j and diagonal[i] or math.abs(i - j) == 1 and beside[math.min(i, j)] or 0
    end)
end

return matrices
