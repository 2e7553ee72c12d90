-- The kinds of matrices that LAPACK's own tests take (DCHKGE's 11, DCHKST's 21, DCHKBD's 16), of one size as one batch.

local lun = require "lunarray"
local matrices = require "spec.linalg.eigen_matrices"

local kinds = {}

-- ---- what they are made of ----------------------------------------------------------------------------------

-- The root of the largest power of 2, and the least normal number; ulp is epsilon.
local LIMITS = { f32 = { root = 2.0 ^ 63, least = 2.0 ^ -126 }, f64 = { root = 2.0 ^ 511, least = 2.0 ^ -1022 } }

local function list(n, f)
    local values = {}
    for i = 1, n do
        values[i] = f(i, n == 1 and 0 or (i - 1) / (n - 1)) + 0.0
    end
    return values
end

-- Values from 1 to ulp: evenly spaced, geometric, all but one small.
local function spectra(n, ulp)
    return {
        list(n, function(_, t) return 1 - t * (1 - ulp) end),
        list(n, function(_, t) return ulp ^ t end),
        list(n, function(i) return i == 1 and 1 or ulp end),
    }
end

local function with_signs(values)
    return list(#values, function(i) return i % 3 == 2 and -values[i] or values[i] end)
end

local function scaled(values, factor)
    return list(#values, function(i) return values[i] * factor end)
end

local function orthogonal(dev, n, dtype, seed)
    return (dev:normal({ n, n }, { dtype = dtype, seed = seed }):qr())
end

local function diagonal(dev, values, dtype, rows)
    local a = dev:zeros({ rows or #values, #values }, dtype)
    if a:size() > 0 then
        a:diagonal():write(dev:array(values, dtype):slice { 1, math.min(rows or #values, #values) })
    end
    return a
end

-- a times a power of 2, so that no digit changes.
local function times(a, factor)
    return a * 2.0 ^ math.floor(math.log(factor, 2))
end

-- ---- batches ------------------------------------------------------------------------------------------------

-- DCHKGE's: n x n matrices in a batch, their names, and for each the column from which on it is singular, or 0.
function kinds.general(dev, n, dtype)
    local ulp, limits = matrices.EPS[dtype], LIMITS[dtype]
    local random = dev:random({ n, n }, { dtype = dtype, seed = n, low = -1, high = 1 })
    local u, v = orthogonal(dev, n, dtype, 100 + n), orthogonal(dev, n, dtype, 200 + n)
    local function conditioned(c)
        return (u * dev:array(list(n, function(_, t) return c ^ -t end), dtype)):matmul(v:t())
    end
    local function without(from, to)
        local a = conditioned(2)
        if n > 0 then
            a:slice({}, { from, to }):fill(0)
        end
        return a
    end
    local rows = {
        { "diagonal", diagonal(dev, list(n, function(i) return i % 2 == 0 and -i or i end), dtype) },
        { "upper", random:triu() + dev:eye(n, { dtype = dtype }) * 2 },
        { "lower", random:tril() + dev:eye(n, { dtype = dtype }) * 2 },
        { "random, cond = 2", conditioned(2) },
        { "first column zero", without(1, 1), 1 },
        { "last column zero", without(n, n), n },
        { "last n / 2 columns zero", without(n // 2 + 1, n), n // 2 + 1 },
        { "cond = sqrt(0.1 / eps)", conditioned((0.1 / ulp) ^ 0.5) },
        { "cond = 0.1 / eps", conditioned(0.1 / ulp) },
        { "near underflow", times(conditioned(2), limits.least / ulp) },
        { "near overflow", times(conditioned(2), ulp / limits.least / 8) },
    }
    local names, batch, zeros = {}, {}, {}
    for i, row in ipairs(rows) do
        names[i], batch[i], zeros[i] = row[1], row[2], n > 0 and row[3] or 0
    end
    return names, lun.stack(batch), zeros
end

-- DCHKST's: symmetric matrices in a batch, their names, and the eigenvalues that they were made of, or false.
function kinds.symmetric(dev, n, dtype)
    local ulp, limits = matrices.EPS[dtype], LIMITS[dtype]
    local over, under = limits.root * ulp / math.max(n, 1), n / ulp / limits.root
    local u = orthogonal(dev, n, dtype, 300 + n)
    local names, batch, values = {}, {}, {}
    local function add(name, a, of)
        local i = #names + 1
        names[i], batch[i], values[i] = name, a, of or false
    end
    local function add_both(name, of, factor)
        local q = of and (u * dev:array(of, dtype)):matmul(u:t())
            or dev:random({ n, n }, { dtype = dtype, seed = 400 + n, low = -1, high = 1 })
        local a = (q + q:t()) / 2
        add(name, times(a, factor or 1), of and scaled(of, 2.0 ^ math.floor(math.log(factor or 1, 2))))
    end
    local even, geometric, small = table.unpack(spectra(n, ulp))
    local signed = { with_signs(even), with_signs(geometric), with_signs(small) }
    add("zero", dev:zeros({ n, n }, dtype), scaled(even, 0))
    add("identity", dev:eye(n, { dtype = dtype }), list(n, function() return 1 end))
    for i, name in ipairs { "even", "geometric", "clustered" } do
        add("diagonal, " .. name, diagonal(dev, signed[i], dtype), signed[i])
    end
    for name, factor in pairs { large = over, small = n > 0 and under or 1 } do
        factor = 2.0 ^ math.floor(math.log(factor, 2))
        add("diagonal, " .. name, diagonal(dev, scaled(signed[2], factor), dtype), scaled(signed[2], factor))
        add_both("even, " .. name, signed[1], factor)
        add_both("random, " .. name, nil, factor)
        add_both("positive, " .. name, even, factor)
    end
    for i, name in ipairs { "even", "geometric", "clustered" } do
        add_both(name, signed[i])
        add_both("positive, " .. name, ({ even, geometric, small })[i])
    end
    add_both("random", nil)
    local dominant = diagonal(dev, geometric, dtype)
    for k = -1, 1, 2 do
        if n > 1 then
            dominant:diagonal(k):write(dev:array(list(n - 1, function(i)
                return (geometric[i] * geometric[i + 1]) ^ 0.5 / 4
            end), dtype))
        end
    end
    add("tridiagonal, dominant", dominant)
    return names, lun.stack(batch), values
end

-- DCHKBD's: m x n matrices in a batch, their names, and the singular values that they were made of, or false.
function kinds.rectangular(dev, m, n, dtype)
    local ulp, limits = matrices.EPS[dtype], LIMITS[dtype]
    local least, most = math.min(m, n), math.max(m, n, 1)
    local over, under = limits.root * ulp / most, most / ulp / limits.root
    local u, v = orthogonal(dev, m, dtype, 500 + m), orthogonal(dev, n, dtype, 600 + n)
    local names, batch, values = {}, {}, {}
    local function add(name, a, of)
        local i = #names + 1
        names[i], batch[i], values[i] = name, a, of or false
    end
    local function turned(of)
        local middle = dev:zeros({ m, n }, dtype)
        if least > 0 then
            middle:diagonal():write(dev:array(of, dtype))
        end
        return u:matmul(middle):matmul(v:t())
    end
    local function straight(of)
        local a = dev:zeros({ m, n }, dtype)
        if least > 0 then
            a:diagonal():write(dev:array(of, dtype))
        end
        return a
    end
    local shapes = spectra(least, ulp)
    local random = dev:random({ m, n }, { dtype = dtype, seed = 700 + m + n, low = -1, high = 1 })
    add("zero", dev:zeros({ m, n }, dtype), scaled(shapes[1], 0))
    add("identity", dev:eye(m, n, 0, { dtype = dtype }), list(least, function() return 1 end))
    for i, name in ipairs { "even", "geometric", "clustered" } do
        add("diagonal, " .. name, straight(shapes[i]), shapes[i])
        add(name, turned(shapes[i]), shapes[i])
    end
    for name, factor in pairs { large = over, small = under } do
        factor = 2.0 ^ math.floor(math.log(factor, 2))
        add("diagonal, " .. name, straight(scaled(shapes[2], factor)), scaled(shapes[2], factor))
        add("even, " .. name, times(turned(shapes[1]), factor), scaled(shapes[1], factor))
        add("random, " .. name, times(random, factor))
    end
    add("random", random)
    local wide = math.log(ulp) -- entries of a bidiagonal matrix from ulp to 1 / ulp
    local bidiagonal = ((random * wide):exp() * dev:ones({ m, n }, dtype)):triu():tril(1)
    add("bidiagonal, of any size", bidiagonal)
    return names, lun.stack(batch), values
end

return kinds
