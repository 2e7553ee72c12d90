-- Products: squares, awkward shapes, vectors, transposed views and batches; sizes are written as in (m x k) * (k x n).

local check = require "bench.check"
local data = require "bench.data"

-- Where a vector stands for a matrix of one row or column, it has one axis. ta, tb: stored transposed, given as a view.
local function operand(bench, dtype, shape, transposed, shift)
    if transposed == 0 then
        return data.array(bench.device, dtype, shape, shift)
    end
    local stored <close> = data.array(bench.device, dtype, { shape[2], shape[1] }, shift)
    return stored:t()
end

local function setup(bench, dtype, s, variant)
    return function()
        local batched = s.batch > 1
        local a_shape = batched and { s.batch, s.m, s.k } or s.m == 1 and { s.k } or { s.m, s.k }
        local b_shape = batched and { s.batch, s.k, s.n } or s.n == 1 and { s.k } or { s.k, s.n }
        local c_shape = batched and { s.batch, s.m, s.n } or s.m == 1 and { s.n } or s.n == 1 and { s.m }
            or { s.m, s.n }
        local a = operand(bench, dtype, a_shape, s.ta, 0)
        local b = operand(bench, dtype, b_shape, s.tb, data.SECOND)
        local out = bench.device:zeros(c_shape, dtype)
        local options = { out = out, variant = variant }
        return {
            call = function()
                a:matmul(b, options)
            end,
            finish = bench.finish,
            read = data.reader(out),
            release = function()
                a:release()
                b:release()
                out:release()
            end,
        }
    end
end

local function label(s)
    local text = ("%dx%dx%d"):format(s.m, s.k, s.n)
    if s.batch > 1 then
        text = s.batch .. "x" .. text
    end
    if s.ta + s.tb > 0 then
        text = text .. "/" .. (s.ta == 1 and "t" or "n") .. (s.tb == 1 and "t" or "n")
    end
    return text
end

local function checker(dtype, numbers)
    return function(read)
        check.product(read, dtype, numbers)
    end
end

-- shape: m, k, n and, where they matter, batch, ta, tb; variant: by this way, not by the first that applies.
-- The peer f32 is ours in f32, by the first that applies.
local function case(bench, dtype, shape, peers)
    local s = { m = shape[1], k = shape[2], n = shape[3] }
    s.batch, s.ta, s.tb = shape.batch or 1, shape.ta or 0, shape.tb or 0
    local numbers = { s.batch, s.m, s.n, s.k, s.ta, s.tb }
    local command = ("matmul %s %s"):format(dtype, table.concat(numbers, " "))
    local entries = {}
    for i, peer in ipairs(peers) do
        -- NumPy has an OpenBLAS inside: the next best where there is none to link.
        entries[i] = { peer, command, otherwise = peer == "openblas" and "numpy" or nil }
        if peer == "f32" then
            entries[i] = { peer, setup = setup(bench, "f32", s), check = checker("f32", numbers) }
        end
    end
    return {
        operation = shape.variant and "matmul:generic" or "matmul", dtype = dtype, size = label(s),
        work = 2 * s.batch * s.m * s.n * s.k, unit = "GFLOP/s",
        setup = setup(bench, dtype, s, shape.variant), peers = entries, check = checker(dtype, numbers),
    }
end

-- Squares of complex numbers, beside f32 with four times the columns, which is as much work: what the planes cost.
local function complex_case(bench, n)
    local function operand_of(shift)
        local parts <close> = data.array(bench.device, "f32", { n, n, 2 }, shift)
        return parts:as_complex()
    end
    local function prepare()
        local a, b = operand_of(0), operand_of(data.SECOND)
        local out = bench.device:zeros({ n, n }, "c64")
        local options = { out = out }
        return {
            call = function() a:matmul(b, options) end,
            finish = bench.finish,
            read = function()
                local rows <close> = a:slice { n // 2, n // 2 + 1 }
                return rows:matmul(b, { variant = "plain" }) - out:slice { n // 2, n // 2 + 1 }
            end,
            release = function()
                a:release()
                b:release()
                out:release()
            end,
        }
    end
    local numbers = { 1, n, 4 * n, n, 0, 0 }
    return {
        operation = "matmul", dtype = "c64", size = ("%dx%dx%d"):format(n, n, n), work = 8 * n ^ 3, unit = "GFLOP/s",
        setup = prepare,
        check = function(read)
            local wrong = read():absmax()
            assert(wrong <= n * n * 2.0 ^ -23, ("off by %g"):format(wrong))
        end,
        peers = { { "f32", setup = setup(bench, "f32", { m = n, k = n, n = 4 * n, batch = 1, ta = 0, tb = 0 }),
            check = checker("f32", numbers) } },
    }
end

local AWKWARD = {
    { 1000, 77, 1301 }, { 16384, 64, 64 }, { 64, 64, 16384 }, { 64, 16384, 64 }, { 4096, 4096, 1 }, { 1, 4096, 4096 },
    { 1024, 1024, 1024, ta = 1 }, { 1024, 1024, 1024, tb = 1 }, { 1024, 1024, 1024, ta = 1, tb = 1 },
    { 64, 64, 64, batch = 256 },
}

local function cpu_cases(bench)
    local cases = {}
    for _, dtype in ipairs({ "f32", "f64" }) do
        for _, n in ipairs({ 64, 128, 256, 512, 1024, 2048 }) do
            local peers = (n == 512 or n == 1024) and { "openblas", "clblast" } or { "openblas" }
            cases[#cases + 1] = case(bench, dtype, { n, n, n }, peers)
        end
        for _, shape in ipairs(AWKWARD) do
            cases[#cases + 1] = case(bench, dtype, shape, { "openblas" })
        end
    end
    cases[#cases + 1] = complex_case(bench, 1024)
    return cases
end

local function gpu_cases(bench)
    local cases = {}
    for _, dtype in ipairs({ "f32", "f64", "f16" }) do
        for _, n in ipairs({ 256, 512, 1024, 2048, 4096, 8192 }) do
            cases[#cases + 1] = case(bench, dtype, { n, n, n }, { "cublas" })
        end
    end
    for _, dtype in ipairs({ "f32", "f64" }) do
        for _, shape in ipairs(AWKWARD) do
            cases[#cases + 1] = case(bench, dtype, shape, { "cublas" })
        end
        cases[#cases + 1] = case(bench, dtype, { 4097, 4095, 4099 }, { "cublas" })
    end
    cases[#cases + 1] = case(bench, "i32", { 2048, 2048, 2048 }, { "cupy" })
    cases[#cases + 1] = complex_case(bench, 1024)
    cases[#cases + 1] = complex_case(bench, 4096)
    -- What OpenCL C gives without any vendor's instructions.
    for _, row in ipairs({ { "f64", 4096, "cublas" }, { "f64", 8192, "cublas" }, { "f32", 4096, "f32" },
                           { "f16", 4096, "f32" } }) do
        local dtype, n, peer = table.unpack(row)
        cases[#cases + 1] = case(bench, dtype, { n, n, n, variant = "gpu" }, { peer })
    end
    return cases
end

return function(bench)
    return bench.gpu and gpu_cases(bench) or cpu_cases(bench)
end
