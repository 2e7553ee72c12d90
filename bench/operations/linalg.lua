-- Solving and factorising: square matrices of several sizes, and batches of small ones.

local data = require "bench.data"

local EPS = { f32 = 2 ^ -23, f64 = 2 ^ -52 }
local SIDES = 32 -- right sides

-- Products and sums of one matrix, as LAPACK counts them.
local WORK = {
    cholesky = function(n) return n ^ 3 / 3 end,
    lu = function(n) return 2 * n ^ 3 / 3 end,
    solve = function(n, m) return 2 * n ^ 3 / 3 + 2 * n ^ 2 * m end,
    inv = function(n) return 2 * n ^ 3 end,
    qr = function(n) return 8 * n ^ 3 / 3 end,
}

local CALLS = {
    cholesky = function(a) return a:cholesky() end,
    lu = function(a) return a:lu_factor() end,
    solve = function(a, b) return a:solve(b) end,
    inv = function(a) return a:inv() end,
    qr = function(a) return a:qr() end,
}

-- How far a result is off, in n eps norm(a) norm(x): computed in f64, where the device has it.
local ERRORS = {
    cholesky = function(a, _, l) return l:matmul(l:mt()) - a, l * l:abs():max() end,
    solve = function(a, b, x) return a:matmul(x) - b, x * a:abs():max() end,
    inv = function(a, _, x) return a:matmul(x) - a:device():eye(#a, { dtype = a:dtype() }), x * a:abs():max() end,
    qr = function(a, _, q, r) return q:matmul(r) - a, a end,
    lu = function(a, _, f, p)
        local l = f:tril(-1) + a:device():eye(#a, { dtype = a:dtype() })
        return l:matmul(f:triu()) - a:take(p, 1), a * f:abs():max()
    end,
}

local function case(bench, method, dtype, n, batch)
    local peer, a, b = bench.gpu and "torch" or "numpy", nil, nil
    local sides = batch and 1 or SIDES
    local numbers = ("%d %d %d"):format(batch or 0, n, sides)
    return {
        operation = "linalg:" .. method, dtype = dtype, unit = "GFLOP/s",
        size = batch and ("%dx%dx%d"):format(batch, n, n) or tostring(n), work = WORK[method](n, sides) * (batch or 1),
        peers = { { peer, ("linalg_%s %s %s"):format(method, dtype, numbers), check = false,
            label = bench.gpu and "torch" or "LAPACK" } },
        setup = function()
            local shape = batch and { batch, n, n } or { n, n }
            a = data.array(bench.device, dtype, shape)
            a = a + a:mt() + bench.device:eye(n, { dtype = dtype }) * n -- as peers have it
            b = data.array(bench.device, dtype, batch and { batch, n, 1 } or { n, sides }, data.SECOND)
            return {
                call = function() CALLS[method](a, b) end, finish = bench.finish,
                read = function() end, release = function() a:release() b:release() end,
            }
        end,
        check = batch and function() end or function()
            local given = table.pack(a, b, CALLS[method](a, b))
            for i = 1, bench.info.fp64 and given.n or 0 do
                given[i] = data.is_float(given[i]:dtype()) and given[i]:cast "f64" or given[i]
            end
            local off, norm = ERRORS[method](table.unpack(given, 1, given.n))
            local units = off:abs():max() / (n * EPS[dtype] * norm:abs():max())
            if units > 10 or units ~= units then
                error(("numbers are off by %.2g units"):format(units), 0)
            end
            return units
        end,
    }
end

return function(bench)
    local cases = {}
    for _, dtype in ipairs { "f32", "f64" } do
        for _, method in ipairs { "cholesky", "lu", "solve", "inv", "qr" } do
            for _, n in ipairs(bench.gpu and { 256, 1024, 4096 } or { 256, 512, 1024, 2048 }) do
                cases[#cases + 1] = case(bench, method, dtype, n)
            end
        end
        for _, n in ipairs { 4, 16, 32 } do
            cases[#cases + 1] = case(bench, "solve", dtype, n, bench.gpu and 100000 or 20000)
        end
    end
    return cases
end
