-- What specs of sparse matrices share: patterns, and matrices as tables of tables, which are the reference.

local lun = require "lunarray"

local sparse = { EPS = { f32 = 2.0 ^ -23, c64 = 2.0 ^ -23, f64 = 2.0 ^ -52, c128 = 2.0 ^ -52 } }

-- Normal numbers, of complex ones both parts.
function sparse.noise(dev, shape, dtype, seed)
    local real = dtype == "c64" and "f32" or dtype == "c128" and "f64" or dtype
    local part = dev:normal(shape, { dtype = real, seed = seed })
    return dtype ~= real and part + dev:normal(shape, { dtype = real, seed = seed + 1 }) * lun.i or part
end

-- Entries (row, column, value) of an m x n matrix, in order; values are whole numbers, whose sums are exact.
local function triplets(m, n, has)
    local rows, cols, values = {}, {}, {}
    for r = 1, m do
        for c = 1, n do
            if has(r, c) then
                rows[#rows + 1], cols[#cols + 1] = r, c
                values[#values + 1] = (r * 7 + c * 3) % 9 - 4
            end
        end
    end
    return { m = m, n = n, rows = rows, cols = cols, values = values }
end

-- A fraction of 1 that depends on all three alone.
local function chance(a, b, seed)
    local x = (a * 0x9E3779B97F4A7C15) ~ (b * 0xC2B2AE3D27D4EB4F) ~ (seed * 0x165667B19E3779F9)
    x = (x ~ (x >> 29)) * 0xBF58476D1CE4E5B9
    return ((x ~ (x >> 32)) & 0xffffff) / 0x1000000
end

-- Patterns by name, for sizes up to some thousands of steps of the path, so that pieces begin anywhere.
sparse.patterns = {
    { "nothing", triplets(3, 5, function() return false end) },
    { "one number", triplets(1, 1, function() return true end) },
    { "one row", triplets(1, 900, function(_, c) return c % 3 == 0 end) },
    { "one column", triplets(900, 1, function(r) return r % 3 > 0 end) },
    { "a band", triplets(700, 700, function(r, c) return math.abs(r - c) < 4 end) },
    { "empty rows and columns", triplets(400, 300, function(r, c)
        return r % 3 == 0 and c % 4 == 0 and chance(r, c, 1) < 0.2
    end) },
    { "a long row", triplets(200, 6000, function(r, c) return r == 77 or chance(r, c, 2) < 0.002 end) },
    { "a long column", triplets(900, 50, function(r, c) return c == 7 or chance(r, c, 3) < 0.02 end) },
    -- pieces of 64, 128 and 896 steps end behind the last entry of a row, before its end
    { "rows of 16", triplets(600, 40, function(r, c) return (c + r) % 40 < 16 end) },
    { "rows of 12", triplets(200, 40, function(r, c) return (c + r) % 40 < 12 end) },
    { "a full block", triplets(120, 130, function() return true end) },
}

-- The product with x, a list of n rows of `width` numbers, as a flat list.
function sparse.product(pattern, x, width)
    local y = {}
    for i = 1, pattern.m * width do
        y[i] = 0.0
    end
    for e, r in ipairs(pattern.rows) do
        for k = 1, width do
            local at = (r - 1) * width + k
            y[at] = y[at] + pattern.values[e] * x[(pattern.cols[e] - 1) * width + k]
        end
    end
    return y
end

function sparse.dense(pattern)
    local y = {}
    for i = 1, pattern.m * pattern.n do
        y[i] = 0.0
    end
    for e, r in ipairs(pattern.rows) do
        y[(r - 1) * pattern.n + pattern.cols[e]] = pattern.values[e] + 0.0
    end
    return y
end

-- Whole numbers from -3 to 3.
function sparse.numbers(count)
    local x = {}
    for i = 1, count do
        x[i] = (i * 5 + i // 7) % 7 - 3
    end
    return x
end

return sparse
