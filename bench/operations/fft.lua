-- Fourier transforms along the last axis: complex ones of batches and of single lines, real ones, several axes.

local data = require "bench.data"
local lun = require "lunarray"

-- One number of a line by the formula, of the parts that the block has there.
local function direct(n, k, re, im)
    local sum_re, sum_im = 0, 0
    for j = 0, n - 1 do
        local angle = -2 * math.pi * (j * k % n) / n
        local c, s, x, y = math.cos(angle), math.sin(angle), re(j), im(j)
        sum_re, sum_im = sum_re + x * c - y * s, sum_im + x * s + y * c
    end
    return sum_re, sum_im
end

-- Looks at some numbers of the first and of the last line: how far they are off, in eps n.
local function checker(dtype, rows, n, made, real)
    local values, format = data.block(dtype).values, dtype == "f32" and "<ff" or "<dd"
    local eps = dtype == "f32" and 2 ^ -23 or 2 ^ -52
    return function(read)
        local worst = 0
        for _, row in ipairs { 0, rows - 1 } do
            local function re(j) return values[(row * n + j) % data.BLOCK] end
            local function im(j) return real and 0 or values[(row * n + j + data.SECOND) % data.BLOCK] end
            for _, k in ipairs { 0, 1, n // 3 } do
                local wanted_re, wanted_im = direct(n, k, re, im)
                local got_re, got_im = string.unpack(format, read(row * made + k, 1))
                local off = math.max(math.abs(got_re - wanted_re), math.abs(got_im - wanted_im))
                worst = math.max(worst, off / (eps * n))
            end
        end
        if worst > 1 then
            error(("numbers are off by %.2g eps n"):format(worst), 0)
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
        check = method == "fftn" and function() end or checker(dtype, rows, n, real and n // 2 + 1 or n, real),
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
