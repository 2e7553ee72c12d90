-- Fourier transforms of long lines, their laws, the memory that they take, and what they refuse.

local helper = require "spec.helper"
local lun = require "lunarray"

local it = helper.one_in(2, it)

local EPS = { c64 = 2 ^ -24 }

-- How far b is from a, relative to a.
local function apart(a, b)
    local d = (a - b):abs():norm()
    return d / a:abs():norm()
end

-- ---- long lines, which several steps transform ------------------------------------------------------------

helper.each_variant("fft", function(dev, variant, title)
    local lengths = helper.is_foreign(dev, variant) and { 5000 } or variant == "plain" and { 4095, 5000, 10007 }
        or { 4095, 4096, 4097, 10007, 30030, 65536, 65537, 131071, 2 ^ 18 }
    describe("long transforms on " .. title, function()
        local function of(shape, seed, dtype)
            local o = { seed = seed, low = -1, high = 1, dtype = dtype }
            local x = dev:random(shape, o)
            o.seed = -seed
            return x * lun.complex(1, 0) + dev:random(shape, o) * lun.i
        end

        -- A line whose transform is known: numbers whose angle grows by j turns.
        local function line(n, j)
            local t = dev:arange(0, n - 1, 1, "f64") * j
            t = (t % n) * (2 / n)
            return (t:cospi() * lun.complex(1, 0) + t:sinpi() * lun.i):cast "c64"
        end

        it("find the one line of a turning number", function()
            local every = table.move(lengths, 1, #lengths, 1, {})
            if os.getenv "LUNARRAY_LONG" and variant ~= "plain" and not helper.is_foreign(dev, variant) then
                table.move({ 1000003, 2 ^ 20 - 1, 2 ^ 20 + 1, 2 ^ 24 }, 1, 4, #every + 1, every)
            end
            for _, n in ipairs(every) do
                n = math.tointeger(n)
                for _, j in ipairs { 0, 1, n // 3, n - 1 } do
                    local z = line(n, j):fft { variant = variant }
                    local found = z:get(j + 1)
                    assert.is_true((found - n):abs() < 8 * EPS.c64 * n, ("n = %d, line %d"):format(n, j))
                    z:set(0, j + 1)
                    assert.is_true(z:abs():norm() < 16 * EPS.c64 * n * math.log(n, 2) ^ 0.5)
                end
            end
        end)

        it("are as near to those in f64 as rounding allows, and follow the laws", function()
            for _, n in ipairs(lengths) do
                n = math.tointeger(n)
                local z = of({ n }, n, "f32")
                local lines = z:fft { variant = variant }
                local most = 3 * EPS.c64 * math.sqrt(math.log(n, 2))
                assert.is_true(apart(z, lines:ifft { variant = variant }) < most)
                assert.is_true(math.abs(lines:abs():norm() / z:abs():norm() / math.sqrt(n) - 1) < 8 * EPS.c64)
                if dev:info().fp64 then
                    local exact = z:cast("c128"):fft { variant = variant }
                    assert.is_true(apart(exact, lines:cast "c128") < 0.45 * most, n .. " in f64")
                end
                local x = z:real():copy()
                local half, whole = x:rfft { variant = variant }, x:fft { variant = variant }
                local mirrored = whole:slice { -1, 2, -1 }
                assert.is_true(apart(half, whole:slice { 1, n // 2 + 1 }) < most)
                local re, im = whole:real():slice { 2, n }, whole:imag():slice { 2, n }
                assert.is_true((mirrored:real() - re):norm() < most * whole:abs():norm())
                assert.is_true((mirrored:imag() + im):norm() < most * whole:abs():norm())
                assert.is_true(apart(whole, (x * lun.complex(1, 0)):fft { variant = variant }) < most)
                assert.is_true(apart(x, half:irfft { n = n, variant = variant }) < most)
                local rows = lun.stack { x, 2 * x }
                local back = rows:rfftn({ variant = variant }):irfftn { n = { 2, n }, variant = variant }
                assert.is_true(apart(rows, back) < most)
                assert.is_true(apart(lines, z:copy():fft_ { variant = variant }) == 0)
                assert.is_true(apart(lines, z:fft { variant = variant }) == 0, "the same call twice")
            end
        end)

        it("are rounded once where they are to be accurate", function()
            if not dev:info().fp64 then
                return helper.refused("fft: accurate: such transforms compute in f64, which is not possible on this "
                    .. "device", dev:ones { 4 }, { accurate = true })
            end
            -- Each part is the one nearest to that in f64, whose own error is a share of all numbers' root of squares.
            local function check(made, exact, what)
                local parts = { { made, exact } }
                if exact:dtype() == "c128" then
                    parts = { { made:real(), exact:real() }, { made:imag(), exact:imag() } }
                end
                for _, part in ipairs(parts) do
                    local off = (part[1]:cast "f64" - part[2]):abs() - part[2]:abs() * 2 ^ -24
                    assert.is_true(off:max() <= 2 ^ -48 * exact:abs():norm(), what)
                end
            end
            for _, n in ipairs(lengths[1] == 5000 and { 20, 17, 5000 } or { 20, 17, 4095, 5000, 10007 }) do
                local z = of({ 2, n }, n)
                local x = z:real()
                for name, a in pairs { fft = z, ifft = z, rfft = x, irfft = z, fftn = x, rfftn = x, irfftn = z } do
                    local wide = a:cast(a:dtype() == "c64" and "c128" or "f64")
                    local made = a[name](a, { accurate = true, variant = variant })
                    check(made, wide[name](wide, { variant = variant }), ("%s of %d"):format(name, n))
                end
                local columns = z:t():copy()
                local exact = columns:cast "c128":fft { axis = 1, variant = variant }
                columns:fft_ { axis = 1, accurate = true, variant = variant }
                check(columns, exact, "fft_ of columns")
            end
        end)

        it("take pairs of reals at odd places", function()
            local rows, out = dev:random({ 3, 65 }, { seed = 3 }), dev:zeros { 3, 65 }
            for from = 1, 4 do
                local view, to = rows:slice(nil, { from, from + 59 }), out:slice(nil, { from, from + 59 })
                local made, expected = view:rfft { variant = variant }, view:copy():rfft { variant = variant }
                assert.is_true(apart(expected, made) < 8 * EPS.c64)
                expected:irfft { variant = variant, out = to }
                assert.is_true(apart(view, to) < 16 * EPS.c64)
                local pairs_of = rows:slice(nil, { from, from + 61 - from % 2 }):rfft { n = 62, variant = variant }
                assert.is_true(apart(rows:slice(nil, { from, from + 61 - from % 2 }):copy():rfft { n = 62,
                    variant = variant }, pairs_of) < 8 * EPS.c64)
            end
        end)

        it("take columns, and cut and pad", function()
            local n = math.tointeger(lengths[1])
            local z = of({ n, 17 }, 3, "f32")
            local rows = z:t():copy():fft { variant = variant }
            local most = 3 * EPS.c64 * math.sqrt(math.log(n, 2))
            assert.is_true(apart(rows:t(), z:fft { axis = 1, variant = variant }) < most)
            assert.is_true(apart(rows:t(), z:copy():fft_ { axis = 1, variant = variant }) < most)
            local padded, cut = dev:zeros({ n + 8 }, "c64"), z:col(2):slice { 1, n - 3 }
            padded:slice({ 1, n }):write(z:col(2))
            local long, short = { n = n + 8, variant = variant }, { n = n - 3, variant = variant }
            assert.is_true(apart(padded:fft { variant = variant }, z:col(2):fft(long)) == 0)
            assert.is_true(apart(cut:copy():fft { variant = variant }, z:col(2):fft(short)) < most)
            local x = z:real()
            assert.is_true(apart(padded:real():rfft { variant = variant }, x:col(2):rfft(long)) < most)
            local even, among = 2 * lun.fft_length((n + 8) // 2), dev:full({ 2 * n }, 0 / 0)
            local whole = dev:zeros { even }
            among:slice({ 1, n }):write(x:col(2))
            whole:slice({ 1, n }):write(x:col(2))
            assert.is_true(apart(whole:rfft { variant = variant },
                among:slice({ 1, n }):rfft { n = even, variant = variant }) < most, "what lies behind is not read")
            local half = x:rfft { axis = 1, variant = variant }
            assert.is_true(apart(x, half:irfft { axis = 1, n = n, variant = variant }) < most)
        end)
    end)
end)

-- ---- memory -----------------------------------------------------------------------------------------------

helper.each_device(function(dev, title)
    describe("tables of transforms on " .. title, function()
        it("are counted, and given back by trim", function()
            collectgarbage()
            dev:finish()
            dev:trim()
            local z = dev:zeros({ 9, 3000 }, "c64")
            local live = dev:memory().live
            assert.equal(0, dev:memory().pooled)
            z:fft_()
            assert.is_true(dev:memory().pooled >= 3000 * 8)
            dev:finish()
            dev:trim()
            assert.equal(live, dev:memory().live)
            assert.equal(0, dev:memory().pooled)
            assert.equal(0, z:fft():real():sum())
        end)

        it("need one scratch of the output's size", function()
            local n = 65536
            local z = dev:zeros({ n }, "c64")
            collectgarbage()
            dev:finish()
            dev:trim()
            z:fft_()
            dev:finish()
            local tables = 8 * n / 4 -- of the roots of 256 and of 65536 numbers, each a few times 256
            assert.is_true(dev:memory().pooled <= n * 8 + tables)
            local rows = dev:zeros({ 512, 512 }, "c64")
            collectgarbage()
            dev:finish()
            dev:trim()
            local out = dev:zeros({ 512, 512 }, "c64")
            rows:fftn { variant = "plain", out = out } -- both axes in steps
            dev:finish()
            assert.is_true(dev:memory().pooled < 512 * 512 * 8 * 3 / 2)
        end)

        it("need no more in any of their forms", function()
            local n = 2 ^ 15 | 0
            local real, half = dev:zeros { 2, 2 * n }, dev:zeros({ 2, n + 1 }, "c64")
            local z = dev:zeros({ 2, n }, "c64")
            local inputs = {
                fft = z, ifft = z, rfft = real, irfft = half, fftn = z, ifftn = z, rfftn = real, irfftn = half,
                fft_ = z, ifft_ = z, fftn_ = z, ifftn_ = z,
            }
            for name, from in pairs(inputs) do
                local out = from[name](from)
                collectgarbage() -- arrays of earlier tests end now, not between the two counts
                dev:finish()
                dev:trim()
                local before = dev:memory().live
                from[name](from, not name:find "_" and { out = out } or nil)
                dev:finish()
                local memory, tables = dev:memory(), 32 * 1024
                assert.equal(before, memory.live, name)
                assert.is_true(memory.pooled <= out:nbytes() * 5 // 4 + tables, name) -- pooled sizes are rounded up
                assert.is_true(memory.pooled >= out:nbytes() // 2, name)
                if out ~= from then out:release() end
            end
        end)
    end)
end)

-- ---- other dtypes -----------------------------------------------------------------------------------------

helper.each_device(function(dev, title) describe("transforms on " .. title, function()
    -- What the first result of an operation is, of an array, or of two with that one.
    local function call(operation, a)
        local list = { operation.arguments[1] and a:flip(), operation.name ~= "periodogram" and { n = 4 } or nil }
        return (a[operation.name](a, table.unpack(list[1] and list or { list[2] })))
    end

    it("take integers, truth values and floats of 16 bits as floats of the default dtype or f32", function()
        local count, list = 0, { 3, 0, 4, 1, -5, 9, 2, 6, -5, 3 }
        local floats = dev:info().fp64 and { "f32", "f64", "f16" } or { "f32", "f16" }
        for _, operation in ipairs(dev:operations()) do
            for _, default in ipairs(operation.gives == "default" and floats or {}) do
                count = count + 1
                for _, dtype in ipairs { "i8", "i64", "bool", "f16", "bf16" } do
                    local a = dev:array(list, "f32"):cast(dtype)
                    a = dtype == "bool" and dev:array(list):ne(0) or a
                    local whole = dtype == "bool" or dtype:find "^i"
                    local made = lun.with { dtype = default }(call, operation, a)
                    local as = whole and default == "f64" and "f64" or "f32"
                    local expected = call(operation, a:cast(as))
                    assert.equal(expected:dtype(), made:dtype(), operation.name .. " of " .. dtype)
                    assert.equal(expected:tobytes(), made:tobytes(), operation.name .. " of " .. dtype)
                end
            end
        end
        assert.equal(21 * #floats, count)
        local i = dev:array({ 1, 2, 3 }, "i32")
        local out = dev:zeros({ 2 }, "c64")
        assert.equal(i:cast("f32"):rfft():tobytes(), i:rfft { out = out }:tobytes())
        assert.equal("c64", (lun.fuse(function(x) return x:rfft() end))(i):dtype())
        assert.same({ 1, 4, 10, 12, 9 }, i:convolve(i, { method = "fft" }):round():totable())
        assert.equal("f32", i:convolve(i, { method = "fft" }):dtype())
        assert.equal("i32", i:convolve(i):dtype())
    end)
end) end)

-- ---- misuse -----------------------------------------------------------------------------------------------

describe("transforms refuse", function()
    local dev = lun.device()
    local z, x = dev:zeros({ 4, 6 }, "c64"), dev:zeros { 4, 6 }

    it("numbers that have none", function()
        helper.refused("fft_: the array is i32, and the transform is complex: it does not fit in place", x:cast "i32")
        helper.refused("dct_: the result is 4x6 f32, and the array 4x6 i32", x:cast "i32")
        helper.refused("rfft: the array is c64, complex; real numbers are needed; fft transforms complex ones", z)
        helper.refused("fft_: the array is f32, and the transform is complex: it does not fit in place", x)
        helper.refused("ifftn_: the array is f32, and the transform is complex: it does not fit in place", x)
    end)

    it("lengths that are none", function()
        helper.refused("fft: axis 2 has no elements; at least one is needed", dev:zeros({ 3, 0 }, "c64"))
        helper.refused("fft: length 1 is 0; a whole number from 1 is needed", z, { n = 0 })
        helper.refused("fft: length 1 is -3; a whole number from 1 is needed", z, { n = -3 })
        helper.refused("irfft: n would be 0; give it as an option", dev:zeros({ 1 }, "c64"))
        for _, o in ipairs { { n = 3 }, { n = 3, axis = { 1, 2 } } } do
            helper.refused("fftn: n: a list with a length for each of the 2 axes is needed, got the number 3", z, o)
        end
        helper.refused("irfftn: n: a list with a length for each of the 2 axes is needed, got the number 4", z,
            { n = 4 })
        helper.refused("fftn: n has 1 lengths, expected 2 (the transformed axes)", z, { n = { 3 }, axis = { 1, 2 } })
        assert.same({ 3, 5 }, { z:slice({ 1, 3 }, { 1, 2 }):fftn { n = 5, axis = 2 }:shape() })
        assert.equal(5, #z:row(1):fftn { n = 5 })
        helper.refused("rfft: argument 1: a table of options, as {n = 8}, is needed, got a number", x, 8)
        helper.refused("welch: argument 1: a table of options, as {rate = 8}, is needed, got a number", x, 8)
        helper.refused("fftn: n has 3 lengths, expected 2 (the transformed axes)", z, { n = { 1, 2, 3 } })
    end)

    it("axes that are none", function()
        helper.refused("fftn: axis 2 is named twice", z, { axis = { 2, -1 } })
        helper.refused("fft: axis 3 is out of range", z, { axis = 3 })
        helper.refused("fft: the array has no axes, so it cannot be transformed", dev:zeros({}, "c64"))
        helper.refused("fftn: no axis is named", z, { axis = {} })
    end)

    it("norms that are none", function()
        helper.refused("fft: unknown norm 'orto'; known are backward, ortho, forward", z, { norm = "orto" })
    end)

    it("outputs that do not fit", function()
        helper.refused("fft: out has shape 4x5", z, { out = dev:zeros({ 4, 5 }, "c64") })
        helper.refused("fft: out is f32", z, { out = x })
        helper.refused("fft: out overlaps an input; give it memory of its own", z, { out = z })
    end)
end)
