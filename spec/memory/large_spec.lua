-- Arrays of more than 2^31 elements, and of more than 4 GiB: positions and sizes are 64-bit throughout. Everything is
-- made on the device; the host sees samples.

local helper = require "spec.helper"

local GIGABYTE = 1 << 30

-- Why the device cannot hold that many arrays of so many bytes, or nil.
local function too_small(dev, count, bytes)
    local info = dev:info()
    if info.max_allocation < bytes * 5 // 4 then -- what a size class may add
        return ("one allocation is at most %.1f GiB"):format(info.max_allocation / GIGABYTE)
    end
    if dev:memory().limit < count * bytes * 5 // 4 then
        return ("%.1f GiB of memory are too few"):format(dev:memory().limit / GIGABYTE)
    end
    if info.type == "cpu" and not os.getenv("LUNARRAY_LARGE") then -- what a container may have of it is not known here
        return ("takes %.1f GiB of the machine's own memory; LUNARRAY_LARGE=1 runs it"):format(count * bytes / GIGABYTE)
    end
end

helper.each_device(function(dev, title)
    -- A spec that needs `count` arrays of so many bytes.
    local function large(name, count, bytes, body)
        it(name .. " #large", function()
            local reason = too_small(dev, count, bytes)
            if reason then
                pending(reason)
                return
            end
            body()
        end)
    end

    describe("more than 2^31 elements on " .. title, function()
        after_each(function()
            collectgarbage()
            dev:trim()
        end)

        large("are summed and written", 1, 5000000000, function()
            local n <const> = 5000000000
            local a <close> = dev:full({ n }, 1, "i8")
            assert.equal(n, a:size())
            assert.equal(n, a:sum())
            a:slice({ 1, n, 5 }):fill(-2)
            a:slice({ (1 << 32) + 1, n }):fill(3)
            local tail <const> = n - (1 << 32)
            local twos <const> = ((1 << 32) + 4) // 5
            assert.equal((1 << 32) - 3 * twos + 3 * tail, a:sum())
            a:set(100, n - 1)
            a:set(-100, (1 << 31) + 1)
            assert.same({ 100, -100, 3 }, { a:max(), a:min(), a:get(n) })
            assert.same({ -2, 1, 1, 1, 1, -2 }, a:slice({ (1 << 31) + 3, (1 << 31) + 8 }):totable())
        end)

        local lines <const>, numbers <const> = 2100000, 1024 -- more than 2^31

        large("are transformed in batches, and across them", 3, lines * numbers * 8, function()
            local z <close> = dev:zeros({ lines, numbers }, "c64")
            local tail = z:slice { lines - 2, lines }
            local values = dev:normal({ 3, numbers }, { seed = 1 })
            tail:real():write(values)
            do
                local made <close> = z:fft()
                assert.is_true((made:slice { lines - 2, lines } - tail:fft()):abs():max() < 1e-3)
                assert.equal(0, made:slice({ 1, lines - 3 }):as_real():absmax())
            end
            z:fft_ { axis = 1 } -- columns, of which the last three numbers are not 0
            assert.is_true(math.abs(z:get(1, 7).re - values:col(7):sum()) < 1e-5)
            assert.is_true(math.abs(z:get(1, numbers).re - values:col(numbers):sum()) < 1e-5)
        end)

        large("have cosine transforms", 4, lines * numbers * 4, function()
            local a <close> = dev:zeros { lines, numbers }
            local tail = a:slice { lines - 2, lines }
            tail:write(dev:normal({ 3, numbers }, { seed = 2 }))
            local made <close> = a:dct()
            assert.is_true((made:slice { lines - 2, lines } - tail:dct()):absmax() < 1e-3)
            assert.equal(0, made:slice({ 1, lines - 3 }):absmax())
        end)

        large("are one line that is transformed", 2, (1 << 31) * 8, function()
            local n <const> = 1 << 31
            local z <close> = dev:zeros({ n }, "c64")
            z:slice({ n, n }):fill(1)
            z:fft_()
            for _, k in ipairs { 0, 1, n // 3, n // 2 + 5, n - 1 } do -- exp(2 pi i k / n)
                local got, angle = z:get(k + 1), 2 * math.pi * (k / n)
                assert.is_true(math.abs(got.re - math.cos(angle)) < 1e-6 and math.abs(got.im - math.sin(angle)) < 1e-6)
            end
        end)

        large("are scanned", 2, 2200000000, function()
            local n <const> = 2200000000
            local far <const> = (1 << 31) + 10
            local a <close> = dev:zeros({ n }, "i8")
            a:set(5, 3)
            a:set(7, far)
            local b <close> = a:cummax()
            assert.same({ 0, 5, 5, 7, 7 }, { b:get(2), b:get(3), b:get(far - 1), b:get(far), b:get(n) })
            a:cummax { reverse = true, exclusive = true, out = b }
            assert.same({ -128, 0, 7, 7 }, { b:get(n), b:get(far), b:get(far - 1), b:get(1) })
        end)

        large("are matrices of equations, and become their factors", 1, 2100000 * 32 * 32 * 4, function()
            local count <const>, n <const> = 2100000, 32 -- the last matrices begin behind 2^31
            local a <close> = dev:zeros { count, n, n }
            a:diagonal():fill(4)
            local tail = a:slice { count - 2, count }
            local noise = dev:normal({ 3, n, n }, { seed = 3 })
            tail:write(noise:matmul(noise:mt()) + 4 * dev:eye(n))
            local some, b = tail:copy(), dev:arange(1, n)
            for _, assume in ipairs { "general", "positive" } do
                local x <close> = a:solve(b, { assume = assume })
                assert.equal(some:solve(b, { assume = assume }):tobytes(), x:slice({ count - 2, count }):tobytes())
                assert.equal(0, (x:slice { 1, count - 3 } - b / 4):absmax())
            end
            a:cholesky_()
            assert.equal(some:cholesky():tobytes(), a:slice({ count - 2, count }):tobytes())
            local head, diagonal = a:slice { 1, count - 3 }, a:diagonal():slice { 1, count - 3 }
            assert.same({ 0, 2, 2 }, { head:min(), head:max(), diagonal:min() })
        end)

        large("are transposed", 2, 12000000000, function()
            local rows <const>, columns <const> = 60000, 50000
            local a <close> = dev:random({ rows, columns }, { seed = 7 })
            local b <close> = a:transpose()
            assert.same({ columns, rows }, { b:shape() })
            for _, i in ipairs { 1, 2, 127, 8590, 42949, 42950, 42951, rows - 1, rows } do -- 2^31 is in row 42950
                assert.equal(a:row(i):tobytes(), b:col(i):tobytes(), "row " .. i)
            end
            for _, j in ipairs { 1, 2, 33, 35791, 35792, columns - 1, columns } do -- 2^31 is in b's row 35792
                assert.equal(a:col(j):tobytes(), b:row(j):tobytes(), "column " .. j)
            end
            local mean = a:sum() / (rows * columns)
            assert.is_true(math.abs(mean - 0.5) < 1e-4, mean)
            assert.equal(a:max(), b:max())
            assert.equal(a:min(), b:min())
        end)

        large("are copied between layouts", 2, 3000000000, function()
            local rows <const>, columns <const> = 50000, 60000
            local a <close> = dev:full({ rows, columns }, 1, "u8")
            a:slice({}, { 1, columns, 3 }):fill(2)
            a:row(40001):fill(7)
            local b <close> = a:slice({ rows, 1, -1 }, { 2, columns })
            local c <close> = b:copy()
            local row <const> = (columns - 1) + columns // 3 - 1 -- of ones, and of twos at 4, 7, ...
            assert.equal((rows - 1) * row + 7 * (columns - 1), c:sum())
            assert.equal(7 * (columns - 1), c:row(rows - 40000):sum())
            assert.same({ 1, 1, 2, 1, 1, 2 }, c:slice(rows, { 1, 6 }):totable())
            assert.same({ 2, 1, 1 }, c:slice(1, { columns - 3, columns - 1 }):totable())
        end)
    end)
end)
