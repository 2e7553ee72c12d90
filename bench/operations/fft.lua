-- Fourier transforms along the last axis: complex ones of batches and of single lines, real ones, several axes.

local data = require "bench.data"
local lun = require "lunarray"

-- The norm of n numbers of the block, which repeats, from a place on.
local norms = {}
local function norm_of(dtype, n)
    local key, values = dtype .. n, data.block(dtype).values
    if not norms[key] then
        local sum = 0.0
        for j = 0, n - 1 do
            sum = sum + values[j % data.BLOCK] ^ 2
        end
        norms[key] = math.sqrt(sum)
    end
    return norms[key]
end

-- Looks at some numbers of the first and of the last line: how far they are off, in eps of the larger of the number and
-- of the line's norm. Roundings of log2 n levels add up by their root; a number may be off by some times as much as
-- most.
local function checker(bench, dtype, rows, n, made, real)
    local text, format = data.block(dtype).text, dtype == "f32" and "<ff" or "<dd"
    local eps, bytes = dtype == "f32" and 2 ^ -23 or 2 ^ -52, data.bytes(dtype)
    return function(read)
        local worst, norm = 0, norm_of(dtype, n) * (real and 1 or math.sqrt(2))
        for row = 0, rows - 1, math.max(1, rows - 1) do
            for _, k in ipairs { 0, 1, n // 3 } do
                local at, other = row * n, real and -1 or row * n + data.SECOND
                local re, re_low, im, im_low = bench.dft(text, bytes, n, k, at, other)
                local got_re, got_im = string.unpack(format, read(row * made + k, 1))
                local off = math.sqrt((got_re - re - re_low) ^ 2 + (got_im - im - im_low) ^ 2)
                worst = math.max(worst, off / (eps * math.max(math.sqrt(re * re + im * im), norm)))
            end
        end
        if worst > 4 * math.sqrt(math.log(n, 2)) or worst ~= worst then
            error(("numbers are off by %.2g eps"):format(worst), 0)
        end
        return worst
    end
end

local function peers_of(bench, method, dtype, shape)
    local list, numbers = {}, table.concat(shape, " ")
    for _, library in ipairs(bench.gpu and { "cupy" } or { "numpy", "scipy", "fftw", "mkl" }) do
        list[#list + 1] = {
            bench.gpu and "torch" or "numpy", ("%s_%s %s %s"):format(method, library, dtype, numbers), check = false,
            label = library,
        }
    end
    return list
end

local function case(bench, method, dtype, shape)
    local count, rows, n, real = 1, shape[1], shape[2], method == "rfft"
    for _, size in ipairs(shape) do
        count = count * size
    end
    local line = method == "fftn" and count or n
    return {
        operation = "fft:" .. method, dtype = dtype, size = table.concat(shape, "x"), unit = "GFLOP/s",
        work = (real and 2.5 or 5) * count * math.log(line, 2), peers = peers_of(bench, method, dtype, shape),
        setup = function()
            local z = data.array(bench.device, dtype, shape)
            if not real then
                local y = data.array(bench.device, dtype, shape, data.SECOND)
                z = z * lun.complex(1, 0) + y * lun.i
            end
            local out = z[method](z)
            return {
                call = function() z[method](z, { out = out }) end,
                finish = bench.finish, read = data.reader(out),
                release = function()
                    z:release()
                    out:release()
                end,
            }
        end,
        check = method == "fftn" and function() end or checker(bench, dtype, rows, n, real and n // 2 + 1 or n, real),
    }
end

return function(bench)
    local cases, numbers = {}, bench.gpu and 1 << 24 or 1 << 20
    for _, dtype in ipairs { "f32", "f64" } do
        for _, n in ipairs { 64, 256, 1024, 4096, 16384 } do
            cases[#cases + 1] = case(bench, "fft", dtype, { numbers // n, n })
        end
        for _, n in ipairs(bench.gpu and { 1 << 16, 1 << 24 } or { 1 << 16, 1 << 18, 1 << 20, 1 << 22 }) do
            cases[#cases + 1] = case(bench, "fft", dtype, { 1, n })
        end
        for _, n in ipairs { 243, 1000, 1009, 2401, 10007 } do
            cases[#cases + 1] = case(bench, "fft", dtype, { numbers // n, n })
        end
        cases[#cases + 1] = case(bench, "rfft", dtype, { numbers // 1024, 1024 })
        cases[#cases + 1] = case(bench, "rfft", dtype, { 1, 2 * numbers })
        local side = bench.gpu and 256 or 64
        cases[#cases + 1] = case(bench, "fftn", dtype, { side, side, side })
    end
    return cases
end
