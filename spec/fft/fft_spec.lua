-- Fourier transforms against sums by the formula in plain Lua: all methods, lengths, axes, views and batches.

local helper = require "spec.helper"
local lun = require "lunarray"
local numbers = require "spec.numbers"
local reference = require "spec.reference"

local EPS = { c64 = 2 ^ -24, c128 = 2 ^ -53, f32 = 2 ^ -24, f64 = 2 ^ -53 }
local REAL = { c64 = "f32", c128 = "f64" }

-- ---- the reference: lists of real and of imaginary parts --------------------------------------------------------

local function some(count, seed)
    local random, re, im = numbers.generator(seed), {}, {}
    for i = 1, count do
        re[i], im[i] = random(-1000, 1000) / 1024, random(-1000, 1000) / 1024
    end
    return re, im
end

local function zeros(n)
    local list = {}
    for i = 1, n do
        list[i] = 0
    end
    return list
end

-- An array of rows from lists of parts.
local function complex(dev, re, im, shape, dtype)
    local x, y = helper.array(dev, re, shape, REAL[dtype]), helper.array(dev, im, shape, REAL[dtype])
    return x * lun.complex(1, 0) + y * lun.i
end

-- How far rounding may lead in the variant `plain`, in units of EPS and of the root of the sum of squares. A step adds
-- up r numbers one after another, at most 32: the roundings of the partial sums have the squares of (r + 1) / 2. A
-- product, its root of unity and the turn between two steps add 6 to a step, and what is before and behind all steps
-- adds 10. The lines here take one step, or two where they are longer, and Bluestein's transform takes twice as many. A
-- rounding has 0.425 EPS in the mean of squares, of which a part has half. No number of a million lies beyond six times
-- that.
local LONGEST = 32
local function by_sums(n)
    local rest = n
    for _, prime in ipairs { 2, 3, 5, 7, 11, 13 } do
        while rest % prime == 0 do
            rest = rest // prime
        end
    end
    local core = rest == 1 and n or 2 * n - 1 -- at least
    local steps = (core <= LONGEST and 1 or 2) * (rest == 1 and 1 or 2)
    local squares = steps * ((math.min(core, LONGEST) + 1) / 2 + 6) + 10
    return 6 * 0.425 * math.sqrt(squares / 2)
end

-- How far rounding may lead from the sum of squares of so many numbers: the error of a transform grows as the root of
-- log n, relative to the root of its sum of squares, in which each number shares. Bluestein's has two transforms. The
-- reference has the errors of its roots and products, a rounding of that root.
local function tolerance(n, dtype, re, im, variant)
    local squares = 0
    for i = 1, #re do
        squares = squares + re[i] * re[i] + im[i] * im[i]
    end
    local roundings = variant == "plain" and by_sums(n) or 4 * math.sqrt(1 + math.log(n, 2))
    return (EPS[dtype] * roundings + 2 ^ -53) * math.sqrt(squares + 1e-9)
end

local function check(array, dtype, shape, re, im, most, what)
    if REAL[dtype] then
        helper.check_array(array:imag(), REAL[dtype], shape, im, most, what .. ", imaginary")
        helper.check_array(array:real(), REAL[dtype], shape, re, most, what .. ", real")
    else
        helper.check_array(array, dtype, shape, re, most, what)
    end
end

-- The first numbers of both lists, or of one.
local function first(count, re, im)
    return table.move(re, 1, count, 1, {}), im and table.move(im, 1, count, 1, {})
end

-- The transform by the formula along an axis, as flat lists; and how far from it rounding may lead.
local function along(array, axis)
    local shape, re, im = { array:shape() }, helper.flat(array:real()), helper.flat(array:imag())
    local to_re, to_im, n, after, most = {}, {}, shape[axis], 1, 0
    for i = axis + 1, #shape do
        after = after * shape[i]
    end
    for place = 0, #re - 1 do
        if place // after % n == 0 then
            local line_re, line_im = {}, {}
            for k = 1, n do
                line_re[k], line_im[k] = re[place + (k - 1) * after + 1], im[place + (k - 1) * after + 1]
            end
            most = math.max(most, tolerance(n, "c64", line_re, line_im))
            line_re, line_im = reference.dft(line_re, line_im, n)
            for k = 1, n do
                to_re[place + (k - 1) * after + 1], to_im[place + (k - 1) * after + 1] = line_re[k], line_im[k]
            end
        end
    end
    return to_re, to_im, most
end

-- The order of axes from the second on, and then the first; and what picks that one.
local function turned(ndim)
    local order = {}
    for i = 2, ndim do
        order[i - 1] = i
    end
    order[ndim] = 1
    return order
end

local function picked(ndim)
    local ranges = {}
    for i = 1, ndim do
        ranges[i] = {}
    end
    ranges[ndim + 1] = 2
    return ranges
end

-- How far b is from a, relative to a.
local function apart(a, b)
    local d = (a - b):abs():norm()
    return d / a:abs():norm()
end

local function dtypes(dev)
    return dev:info().fp64 and { "c64", "c128" } or { "c64" }
end

-- ---- all methods, at all lengths -----------------------------------------------------------------------------

-- Three rows of different numbers, of which the formula is asked for one.
local function try_length(dev, variant, dtype, n)
    local what, real = ("%s, n = %d"):format(dtype, n), REAL[dtype]
    local re, im = some(3 * n, n)
    local z = complex(dev, re, im, { 3, n }, dtype)
    local row_re, row_im = table.move(re, n + 1, 2 * n, 1, {}), table.move(im, n + 1, 2 * n, 1, {})
    local to_re, to_im = reference.dft(row_re, row_im, n)
    local most = tolerance(n, dtype, row_re, row_im, variant)
    local o = { variant = variant }
    local lines = z:fft(o)
    check(lines:row(2), dtype, { n }, to_re, to_im, most, what)
    check(lines:ifft(o):row(2), dtype, { n }, row_re, row_im, 2 * most / math.sqrt(n), what .. ", back")
    check(z:copy():fft_(o):row(2), dtype, { n }, to_re, to_im, most, what .. ", in place")
    local x, none = z:real():copy(), zeros(n)
    local x_re, x_im = reference.dft(row_re, none, n)
    local half = n // 2 + 1
    local some_re, some_im = first(half, x_re, x_im)
    check(x:rfft(o):row(2), dtype, { half }, some_re, some_im, most, what .. ", rfft")
    check(x:fft(o):row(2), dtype, { n }, x_re, x_im, most, what .. ", fft of real numbers")
    check(x:rfft(o):irfft { n = n, variant = variant }:row(2), real, { n }, row_re, nil, 2 * most / math.sqrt(n),
        what .. ", irfft")
    local back_re, back_im = reference.dft(row_re, none, n, true)
    check(x:ifft { norm = "forward", variant = variant }:row(2), dtype, { n }, back_re, back_im, most,
        what .. ", ifft of real numbers")
end

helper.each_variant("fft", function(dev, variant, title)
    describe("transforms on " .. title, function()
        local thorough = os.getenv "LUNARRAY_LONG" ~= nil
        local every = helper.is_foreign(dev, variant) and { 1, 2, 3, 4, 6, 16, 17, 30, 100, 256 } or {}
        if #every == 0 then
            for n = 1, thorough and 300 or 40 do
                every[n] = n
            end
            local further = { 49, 64, 65, 77, 97, 100, 121, 128, 143, 169, 210, 256, 289, 300 }
            table.move(further, 1, thorough and 0 or #further, #every + 1, every)
        end

        it("are the sums of the formula at all lengths", function()
            for _, dtype in ipairs(dtypes(dev)) do
                for _, n in ipairs(every) do
                    try_length(dev, variant, dtype, n)
                end
            end
        end)

        it("cut and pad while they read", function()
            local n, re, im = 12, some(12, 5)
            local z, x = complex(dev, re, im, { n }, "c64"), helper.array(dev, re, { n }, "f32")
            for _, m in ipairs { 1, 2, 5, 11, 12, 13, 17, 24, 31 } do
                local o = { n = m, variant = variant }
                local to_re, to_im = reference.dft(re, im, m)
                local most = tolerance(m, "c64", re, im)
                check(z:fft(o), "c64", { m }, to_re, to_im, most, "fft of " .. m)
                to_re, to_im = reference.dft(re, zeros(n), m)
                local half_re, half_im = first(m // 2 + 1, to_re, to_im)
                check(x:rfft(o), "c64", { m // 2 + 1 }, half_re, half_im, most, "rfft of " .. m)
            end
            local rows = dev:full({ 8, 40 }, 0 / 0)
            rows:slice({}, { 1, 17 }):fill(1)
            check((rows * lun.complex(1, 0)):fft({ n = 17, variant = variant }):sum { axis = 2 }:abs(), "f32", { 8 },
                helper.flat(dev:full({ 8 }, 17)), nil, 2 ^ -16, "fft of numbers before NaN")
            -- irfft reads (n + 2) // 2 numbers, and what is missing is 0; imaginary parts that no real numbers have go.
            for _, m in ipairs { 1, 2, 5, 11, 22, 23, 24, 34 } do
                local whole_re, whole_im = {}, {}
                for k = 0, m - 1 do
                    local other = math.min(k, m - k)
                    local alone = other == 0 or 2 * other == m
                    whole_re[k + 1] = re[other + 1] or 0
                    whole_im[k + 1] = alone and 0 or (k == other and 1 or -1) * (im[other + 1] or 0)
                end
                local to_re = reference.dft(whole_re, whole_im, m, true)
                local before = z:totable()
                check(z:irfft { n = m, norm = "forward", variant = variant }, "f32", { m }, to_re, nil,
                    tolerance(m, "c64", whole_re, whole_im), "irfft of " .. m)
                assert.same(before, z:totable())
            end
        end)

        it("take every axis of views", function()
            local re, im = some(360, 7)
            local whole = complex(dev, re, im, { 3, 4, 6, 5 }, "c64")
            local views = {
                whole, whole:slice(nil, { 4, 1, -1 }, { 1, 6, 2 }), whole:transpose():flip(), whole:row(2),
                whole:row(2):t(), whole:slice(1, 2, 3), whole:slice(2, nil, 4, 2):expand(1):broadcast(7, 4),
                whole:slice(nil, 1, nil, nil):flip(1),
            }
            for i, view in ipairs(views) do
                for axis = 1, view:ndim() do
                    local to_re, to_im, most = along(view, axis)
                    local shape = { view:shape() }
                    local what = ("view %d, axis %d"):format(i, axis)
                    check(view:fft { axis = axis, variant = variant }, "c64", shape, to_re, to_im, most, what)
                    local out = dev:zeros({ 2, table.unpack(shape) }, "c64"):transpose(turned(#shape + 1))
                    out = out:slice(table.unpack(picked(#shape)))
                    view:fft { axis = axis - #shape - 1, out = out, variant = variant }
                    check(out, "c64", shape, to_re, to_im, most, what .. ", into a view")
                    local same = view:copy():flip()
                    same:write(view)
                    same:fft_ { axis = axis, variant = variant }
                    check(same, "c64", shape, to_re, to_im, most, what .. ", in place")
                end
            end
        end)

        it("take batches of any size", function()
            for _, rows in ipairs { 0, 1, 2, 17 } do
                for _, n in ipairs { 8, 15, 34 } do
                    local re, im = some(rows * n, rows)
                    local z = rows == 0 and dev:zeros({ 0, n }, "c64") or complex(dev, re, im, { rows, n }, "c64")
                    local to_re, to_im, most = along(z, 2)
                    check(z:fft { variant = variant }, "c64", { rows, n }, to_re, to_im, most, rows .. " rows of " .. n)
                    z = z:t():copy()
                    to_re, to_im, most = along(z, 1)
                    check(z:fft { axis = 1, variant = variant }, "c64", { n, rows }, to_re, to_im, most,
                        rows .. " columns of " .. n)
                end
            end
        end)

        it("take several axes", function()
            local re, im = some(120, 3)
            local z, x = complex(dev, re, im, { 4, 5, 6 }, "c64"), helper.array(dev, re, { 4, 5, 6 }, "f32")
            local function one_by_one(a, axes)
                for _, axis in ipairs(axes) do
                    a = a:fft { axis = axis, variant = variant }
                end
                return a
            end
            local whole = z:fftn { variant = variant }
            assert.is_true(apart(one_by_one(z, { 1, 2, 3 }), whole) < 8 * EPS.c64)
            assert.is_true(apart(whole:ifftn { variant = variant }, z) < 8 * EPS.c64)
            local two = z:fftn { axis = { 3, 1 }, n = { 7, 3 }, variant = variant }
            assert.same({ 3, 5, 7 }, { two:shape() })
            local cut = z:slice { 1, 3 }
            cut = cut:fft { n = 7, variant = variant }:fft { axis = 1, variant = variant }
            assert.is_true(apart(cut, two) < 8 * EPS.c64)
            assert.is_true(apart(one_by_one(x, { 1, 2, 3 }), x:fftn { variant = variant }) < 8 * EPS.c64)
            local half = x:rfftn { axis = { 3, 2 }, variant = variant }
            assert.same({ 4, 3, 6 }, { half:shape() })
            assert.is_true(apart(one_by_one(x, { 2, 3 }):slice(nil, { 1, 3 }), half) < 8 * EPS.c64)
            assert.is_true(apart(x, half:irfftn { axis = { 3, 2 }, n = { 6, 5 }, variant = variant }) < 8 * EPS.c64)
            local all = x:rfftn { variant = variant }
            assert.is_true(apart(x, all:irfftn { variant = variant }) < 8 * EPS.c64)
            local last = x:fftn { n = { 5, 6 }, variant = variant }
            assert.is_true(apart(one_by_one(x, { 2, 3 }), last) < 8 * EPS.c64)
        end)

        it("are scaled as norm says", function()
            local re, im = some(12, 9)
            local z = complex(dev, re, im, { 12 }, "c64")
            local plain, back = z:fft { variant = variant }, z:ifft { variant = variant, norm = "forward" }
            local expected = { backward = { 1, 1 / 12 }, ortho = { 12 ^ -0.5, 12 ^ -0.5 }, forward = { 1 / 12, 1 } }
            for norm, scales in pairs(expected) do
                local o = { variant = variant, norm = norm }
                assert.is_true(apart(plain * scales[1], z:fft(o)) < 2 * EPS.c64)
                assert.is_true(apart(back * scales[2], z:ifft(o)) < 2 * EPS.c64)
                assert.is_true(apart(z, z:fftn(o):ifftn(o)) < 4 * EPS.c64)
                assert.is_true(apart(z:real(), z:real():rfftn(o):irfftn(o)) < 4 * EPS.c64)
            end
        end)

        it("keep NaN in its row", function()
            for _, n in ipairs { 12, 17, 4096 } do
                local z = dev:ones({ 9, n }, "c64")
                z:set(0 / 0, 5, 3)
                local lost = z:fft { variant = variant }:isnan():sum { axis = 2 }:totable()
                for i = 1, 9 do
                    assert.equal(i == 5 and n or 0, lost[i])
                end
            end
        end)
    end)
end)

-- ---- frequencies ---------------------------------------------------------------------------------------------------

helper.each_device(function(dev, title)
    describe("hfft and ihfft on " .. title, function()
        it("transform what is its own mirror image, conjugated", function()
            local half = { lun.complex(1, 0.5), lun.complex(2, -1), lun.complex(0, 3), lun.complex(1, 1) }
            local z, root = dev:array(half, "c64"), math.sqrt(3)
            local whole = { 6.0, 2 + 2 * root, -4 * root, -4.0, 4 * root, 2 - 2 * root }
            helper.check_array(z:hfft(), "f32", { 6 }, whole, 2 ^ -20)
            helper.check_array(z:hfft { norm = "forward" } * 6, "f32", { 6 }, whole, 2 ^ -19)
            local columns = dev:array({ { 1, 1 }, { 2, 2 }, { 4, 4 }, { 8, 9 } })
            local out = dev:zeros({ 3, 2 }, "c64")
            columns:ihfft { axis = 1, out = out, async = true }:wait()
            helper.check_array(out:as_real() + 0, "f32", { 3, 2, 2 }, -- of -0, 0
                { 3.75, 0.0, 4.0, 0.0, -0.75, -1.5, -0.75, -1.75, -1.25, 0.0, -1.5, 0.0 })
            helper.check_array(columns:ihfft { axis = 1 }:hfft { axis = 1 }, "f32", { 4, 2 }, helper.flat(columns))
            helper.refused("ihfft: the array is c64, complex; real numbers are needed", z)
        end)
    end)

    describe("transforms back to real numbers on " .. title, function()
        it("take real ones as complex", function()
            local x = dev:random({ 3, 4, 5 }, { seed = 4, low = -1 })
            for _, dtype in ipairs { "f32", dev:info().fp64 and "f64" or "f32" } do
                local real = x:cast(dtype)
                local z = real:complex(dev:zeros({ 3, 4, 5 }, dtype))
                for _, o in ipairs { {}, { n = 7 }, { n = 6, norm = "ortho" }, { axis = 1 } } do
                    assert.same(z:irfft(o):totable(), real:irfft(o):totable())
                    assert.same(z:hfft(o):totable(), real:hfft(o):totable())
                end
                for _, o in ipairs { {}, { n = { 3, 7 } }, { axis = { 3, 1 } } } do
                    assert.same(z:t():irfftn(o):totable(), real:t():irfftn(o):totable())
                end
            end
            helper.check_array(dev:array { 1, 2, 3 }:irfft(), "f32", { 4 }, { 2.0, -0.5, 0.0, -0.5 })
            helper.check_array(dev:array { 1, 2, 3 }:hfft(), "f32", { 4 }, { 8.0, -2.0, 0.0, -2.0 })
        end)

        it("and along several axes take place in the array itself", function()
            local re, im = dev:random({ 3, 8, 6 }, { seed = 5 }), dev:random({ 3, 8, 6 }, { seed = 6 })
            local z = re:complex(im)
            for _, o in ipairs { {}, { axis = { 2, 3 }, norm = "ortho" }, { axis = 1 } } do
                for _, name in ipairs { "fftn", "ifftn" } do
                    local expected, whole = z[name](z, o), z:copy()
                    assert.equal(whole, whole[name .. "_"](whole, o))
                    assert.same(expected:totable(), whole:totable())
                    local wide = dev:zeros({ 6, 8, 3 }, "c64") -- and in a view
                    local view = wide:t()
                    z:copy { out = view }
                    view[name .. "_"](view, o)
                    assert.is_true((view - expected):abs():max() < 2 ^ -17)
                end
            end
        end)
    end)

    describe("frequencies on " .. title, function()
        it("are those of the numbers of a transform", function()
            for n = 1, 9 do
                local all, half = {}, {}
                for k = 0, n - 1 do
                    all[k + 1] = (k < (n + 1) // 2 and k or k - n) / (n * 0.25)
                end
                for k = 0, n // 2 do
                    half[k + 1] = k / n
                end
                helper.check_array(dev:fftfreq(n, 0.25), "f32", { n }, all, 4 * EPS.f32 * 4)
                helper.check_array(dev:rfftfreq(n, { dtype = dev:info().fp64 and "f64" or "f32" }),
                    dev:info().fp64 and "f64" or "f32", { n // 2 + 1 }, half, EPS[dev:info().fp64 and "f64" or "f32"])
                local shifted = dev:fftfreq(n, 0.25):fftshift()
                table.sort(all)
                helper.check_array(shifted, "f32", { n }, all, 4 * EPS.f32 * 4)
                assert.same(dev:fftfreq(n):totable(), dev:fftfreq(n):fftshift():ifftshift():totable())
            end
            helper.check_array(dev:arange(6):reshape(2, 3):fftshift(2), "i64", { 2, 3 }, { 3, 1, 2, 6, 4, 5 })
            helper.check_array(dev:arange(6):reshape(2, 3):ifftshift { axis = { 1, -1 } }, "i64", { 2, 3 },
                { 5, 6, 4, 2, 3, 1 })
            helper.check_array(dev:arange(6):reshape(2, 3):fftshift(), "i64", { 2, 3 }, { 6, 4, 5, 3, 1, 2 })
        end)

        it("refuse what has none", function()
            helper.refused("fftfreq: argument 1: a whole number from 1 is needed, got 0", dev, 0)
            helper.refused("fftfreq: the distance between samples is 0", dev, 3, 0)
            helper.refused("rfftfreq: frequencies are not integers: i32 cannot hold them",
                dev, 3, { dtype = "i32" })
            helper.refused("fftshift: axis 3 is out of range", dev:zeros { 2, 2 }, 3)
        end)
    end)
end)
