-- Sparse matrices beside SciPy: products with a vector, a matrix from triplets, a product of two, a step of PageRank,
-- and a whole solve by conjugate gradients. Both sides make the same entries by the same arithmetic of whole numbers.

local lun = require "lunarray"

local EPS = { f32 = 2 ^ -23, f64 = 2 ^ -52 }

-- Rows and columns of entries, from 1, and how many rows there are; bench/peers/numpy_peer.py has the same in Python.
local PATTERNS = {
    band = function(dev, n) -- 9 diagonals
        local e <close> = dev:arange(9 * n)
        local rows = dev:map("(e - 1) / 9 + 1", { e = e }, { dtype = "i64" })
        local cols = dev:map("clamp((e - 1) / 9 + (e - 1) % 9 - 4, 0L, n - 1) + 1", { e = e, n = n }, { dtype = "i64" })
        return rows, cols
    end,
    random = function(dev, n) -- 16 entries a row
        local e <close> = dev:arange(16 * n)
        local rows = dev:map("(e - 1) / 16 + 1", { e = e }, { dtype = "i64" })
        return rows, dev:map("e * 2654435761 % 4294967296 % n + 1", { e = e, n = n }, { dtype = "i64" })
    end,
    power = function(dev, n) -- every 16th row is 128 long, and the first one full
        local e <close> = dev:arange(8 * n)
        local rows = dev:map("(e - 1) / 128 * 16 + 1", { e = e }, { dtype = "i64" })
        local cols = dev:map("e * 2654435761 % 4294967296 % n + 1", { e = e, n = n }, { dtype = "i64" })
        local all <close> = dev:arange(n)
        return lun.concat { rows, dev:ones({ n }, "i64") }, lun.concat { cols, all }
    end,
}

-- Values 1 to 8 by the entry's number, so that sums of whole numbers are exact on both sides.
local function values_of(dev, count, dtype)
    local e <close> = dev:arange(count)
    return dev:map("(e % 8 + 1)", { e = e }, { dtype = "i64" }):cast(dtype)
end

local function matrix(dev, pattern, n, dtype)
    local rows, cols = PATTERNS[pattern](dev, n)
    return lun.sparse { rows = rows, cols = cols, values = values_of(dev, #rows, dtype), shape = { n, n } }
end

local function poisson(dev, side, dtype)
    local n, rows, cols, values = side * side, {}, {}, {}
    local k = dev:arange(n)
    for _, one in ipairs {
        { 0, k, 4 }, { 1, k:mask((k % side):ne(0)), -1 }, { -1, k:mask((k % side):ne(1)), -1 },
        { side, k:mask(k:le(n - side)), -1 }, { -side, k:mask(k:gt(side)), -1 },
    } do
        rows[#rows + 1], cols[#cols + 1] = one[2], one[2] + one[1]
        values[#values + 1] = dev:full({ #one[2] }, one[3], dtype)
    end
    return lun.sparse {
        rows = lun.concat(rows), cols = lun.concat(cols), values = lun.concat(values), shape = { n, n },
    }
end

-- Raises unless the product is that of take and segments, by n_row eps of the sum of sizes.
local function check_product(a, x, y)
    local terms = a:values() * x:take(a:cols())
    local wanted = terms:sum { axis = 1, segments = a:starts(), keepdims = true }
    local sizes = terms:abs():sum { axis = 1, segments = a:starts(), keepdims = true }
    local bound = (a:degree():cast(x:dtype()) * EPS[x:dtype()]) * sizes
    local off = (y - wanted):abs():gt(bound)
    if off:any() then
        error(("row %d is %s; %s is needed"):format(off:cast("u8"):argmax(), y:get(off:cast("u8"):argmax()),
            wanted:get(off:cast("u8"):argmax())), 0)
    end
    return 0
end

local function case(bench, operation, dtype, size, work, unit, make)
    local name, numbers = operation:gsub("[:/]", "_"), size:gsub("x.*", "")
    local subject
    return {
        operation = operation, dtype = dtype, size = size, work = work, unit = unit,
        peers = bench.gpu and {} or { { "numpy", ("%s %s %s"):format(name, dtype, numbers), check = false,
            label = "SciPy" } },
        setup = function()
            subject = make()
            return { call = subject.call, finish = bench.finish, read = function() end, release = function() end }
        end,
        check = function() return subject.check and subject.check() or 0 end,
    }
end

local function product_case(bench, pattern, n, dtype)
    local count = ({ band = 9, random = 16, power = 9 })[pattern] * n
    return case(bench, "sparse:spmv/" .. pattern, dtype, tostring(n), 2 * count, "GFLOP/s", function()
        local a = matrix(bench.device, pattern, n, dtype)
        local x = (bench.device:arange(n) % 16):cast(dtype)
        local y = a:matmul(x)
        return { call = function() a:matmul(x, { out = y }) end, check = function() return check_product(a, x, y) end }
    end)
end

local function cases_of(bench, dtype)
    local dev = bench.device
    local nodes, edges, triplets, side = 100000, 1000000, 3000000, 512
    return {
        case(bench, "sparse:build", dtype, tostring(triplets), triplets, "Gelements/s", function()
            local rows, cols = PATTERNS.random(dev, triplets // 16)
            local values = values_of(dev, #rows, dtype)
            local given = { rows = rows, cols = cols, values = values, shape = { triplets // 16, triplets // 16 } }
            return { call = function() lun.sparse(given):release() end }
        end),
        case(bench, "sparse:square", dtype, side .. "x" .. side, 1, "products/s", function()
            local a = poisson(dev, side, dtype)
            return { call = function() a:matmul(a):release() end, check = function()
                local x = (dev:arange(side * side) % 16):cast(dtype)
                local off = (a:matmul(a):matmul(x) - a:matmul(a:matmul(x))):abs():max()
                return off == 0 and 0 or error("the square is wrong", 0)
            end }
        end),
        case(bench, "sparse:pagerank", dtype, tostring(nodes), 1, "steps/s", function()
            local rows, cols = PATTERNS.random(dev, edges // 16)
            local places = dev:map("r * 8 % n + 1", { r = rows, n = nodes }, { dtype = "i64" })
            local a = lun.sparse {
                rows = places, cols = (cols * 8) % nodes + 1, values = dev:full({ #rows }, 0.1, dtype),
                shape = { nodes, nodes },
            }
            local x, y = dev:full({ nodes }, 1 / nodes, dtype), dev:zeros({ nodes }, dtype)
            local rest = dev:full({ nodes }, 0.15 / nodes, dtype)
            return { call = function()
                rest:copy { out = y }
                a:matmul(x, { alpha = 0.85, beta = 1, out = y })
                x, y = y, x
            end }
        end),
        case(bench, "sparse:cg", dtype, "256x256", 1, "solves/s", function()
            local a = poisson(dev, 256, dtype)
            local b, given = dev:ones({ 256 * 256 }, dtype), { tol = 1e-8 }
            local report
            return { call = function() report = select(2, lun.cg(a, b, given)) end, check = function()
                bench.note("cg of Poisson 256x256: %d steps, residual %.3g", report.steps, report.residual)
                return report.converged and 0 or error("cg has not converged", 0)
            end }
        end),
    }
end

return function(bench)
    local cases, n = {}, bench.gpu and 2000000 or 500000
    for _, dtype in ipairs(bench.info.fp64 and { "f32", "f64" } or { "f32" }) do
        for _, pattern in ipairs { "band", "random", "power" } do
            cases[#cases + 1] = product_case(bench, pattern, n, dtype)
        end
    end
    return table.move(cases_of(bench, bench.info.fp64 and "f64" or "f32"), 1, 4, #cases + 1, cases)
end
