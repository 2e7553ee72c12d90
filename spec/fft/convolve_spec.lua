-- Convolutions and correlations, directly and by transforms, against their sums in plain Lua.

local helper = require "spec.helper"
local lun = require "lunarray"
local numbers = require "spec.numbers"

local EPS = { f32 = 2 ^ -24, f64 = 2 ^ -53, f16 = 2 ^ -11, bf16 = 2 ^ -8 }

-- ---- the reference: matrices, of which a kernel may have one row --------------------------------------------------

local function matrix(random, rows, columns, least, most)
    local m = { rows = rows, columns = columns }
    for i = 1, rows * columns do
        m[i] = random(least, most)
    end
    return m
end

-- Where the result begins in the full one, and its size.
local function range(mode, n, m)
    if mode == "full" then
        return 0, n + m - 1
    elseif mode == "same" then
        return (m - 1) // 2, n
    end
    return math.min(n, m) - 1, math.max(n, m) - math.min(n, m) + 1
end

-- Convolves matrices; `back` correlates. Also the most that terms add up to.
local function convolved(a, b, mode, stride, back)
    local first, rows = range(mode, a.rows, b.rows)
    local left, columns = range(mode, a.columns, b.columns)
    local made, most = { rows = 0, columns = (columns + stride - 1) // stride }, 0
    for i = first, first + rows - 1, stride do
        made.rows = made.rows + 1
        for j = left, left + columns - 1, stride do
            local sum, all = 0, 0
            for p = math.max(0, i - a.rows + 1), math.min(b.rows - 1, i) do
                for q = math.max(0, j - a.columns + 1), math.min(b.columns - 1, j) do
                    local tap = p * b.columns + q + 1
                    local product = a[(i - p) * a.columns + j - q + 1] * b[back and #b + 1 - tap or tap]
                    sum, all = sum + product, all + math.abs(product)
                end
            end
            made[#made + 1], most = sum, math.max(most, all)
        end
    end
    return made, most
end

local function array(dev, m, dtype) return helper.array(dev, { table.unpack(m) }, { m.rows, m.columns }, dtype) end

-- Of transforms the errors share in all results: relative to the root of the sums of squares of both.
local function tolerance(a, b, most, dtype, method)
    if method == "direct" then
        return 2 * EPS[dtype] * most * 2
    end
    local squares_a, squares_b = 0, 0
    for _, x in ipairs(a) do squares_a = squares_a + x * x end
    for _, x in ipairs(b) do squares_b = squares_b + x * x end
    return 8 * EPS[dtype] * math.sqrt(squares_a * squares_b * (2 + math.log(#a + #b, 2)))
end

local MODES = { "full", "same", "valid" }

helper.each_device(function(dev, title)
    local dtypes = dev:info().fp64 and { "f32", "f64" } or { "f32" }

    describe("convolve and correlate on " .. title, function()
        local function check(name, a, b, dtype, options, axes)
            local expected, most = convolved(a, b, options.mode, options.stride or 1, name == "correlate")
            for i, sum in ipairs(expected) do
                expected[i] = sum + 0.0
            end
            local x, y = array(dev, a, dtype), array(dev, b, dtype)
            if axes == 1 then
                x, y = x:row(1), y:row(1)
            else
                options.axis = { 1, 2 }
            end
            local shape = axes == 1 and { expected.columns } or { expected.rows, expected.columns }
            local made = x[name](x, y, options)
            helper.check_array(made, dtype, shape, expected, tolerance(a, b, most, dtype, options.method))
        end

        it("are the sums, in all modes, by both methods", function()
            local random = numbers.generator(1)
            local sizes = { { 1, 1 }, { 5, 1 }, { 1, 4 }, { 8, 3 }, { 64, 2 }, { 66, 4 }, { 200, 7 }, { 145, 64 },
                { 7, 9 }, { 300, 101 } }
            for _, size in ipairs(sizes) do
                for _, dtype in ipairs(dtypes) do
                    for _, mode in ipairs(MODES) do
                        for _, method in ipairs { "direct", "fft" } do
                            local function line(n)
                                local m = matrix(random, 1, n, -1000, 1000)
                                for i = 1, n do m[i] = m[i] / 1024 end
                                return m
                            end
                            local a, b, stride = line(size[1]), line(size[2]), random(1, 3)
                            check("convolve", a, b, dtype, { mode = mode, method = method }, 1)
                            check("correlate", a, b, dtype, { mode = mode, method = method, stride = stride }, 1)
                        end
                    end
                end
            end
        end)

        it("go along two axes", function()
            local random = numbers.generator(2)
            local sizes = { { 3, 4, 2, 2 }, { 9, 70, 3, 3 }, { 20, 83, 2, 5 }, { 5, 6, 7, 8 }, { 6, 5, 1, 1 } }
            for _, size in ipairs(sizes) do
                for _, mode in ipairs(MODES) do
                    for _, method in ipairs { "direct", "fft" } do
                        local a = matrix(random, size[1], size[2], -9, 9)
                        local b = matrix(random, size[3], size[4], -9, 9)
                        check("convolve", a, b, "f32", { mode = mode, method = method }, 2)
                        check("correlate", a, b, "f32", { mode = mode, method = method, stride = 2 }, 2)
                    end
                end
            end
        end)

        it("are exact for integers, which wrap, and take truth values", function()
            local random = numbers.generator(3)
            for _, dtype in ipairs { "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64" } do
                for _, mode in ipairs(MODES) do
                    local a, b = matrix(random, 1, 150, 0, 3), matrix(random, 1, 5, 0, 3)
                    local expected = convolved(a, b, mode, 1)
                    local made = array(dev, a, dtype):convolve(array(dev, b, dtype), { mode = mode }):row(1)
                    helper.check_array(made, dtype, { #expected }, expected)
                end
            end
            helper.check_array(dev:array({ 100, 100 }, "i8"):convolve(dev:array({ 2, 1 }, "i8")), "i8", { 3 },
                { -56, 44, 100 })
            helper.check_array(dev:array({ 2, 3 }, "i8"):convolve(dev:array({ 200 }, "u8")), "i16", { 2 }, { 400, 600 })
            local truths = dev:array({ true, true }, "bool")
            helper.check_array(truths:convolve(truths), "i64", { 3 }, { 1, 2, 1 })
            local large = 2 ^ 53 | 0
            helper.check_array(dev:array({ large + 1 }, "i64"):correlate(dev:array({ 3, 1 }, "i64")), "i64", { 2 },
                { large + 1, 3 * large + 3 })
        end)

        it("sum numbers of 16 bits in f32, and round once", function()
            for _, dtype in ipairs { "f16", "bf16" } do
                local made = dev:ones({ 400 }, dtype):convolve(dev:full({ 300 }, 0.25, dtype), { mode = "valid" })
                helper.check_array(made, dtype, { 101 }, dev:full({ 101 }, 75):totable())
            end
        end)

        it("conjugate b where they correlate", function()
            local a, b = dev:array { 1, 2, 3 } * lun.complex(1, 2), dev:array { 1, 10 } * lun.complex(0, 1)
            for _, method in ipairs { "direct", "fft" } do
                local made = a:correlate(b, { method = method })
                helper.check_array(made:real(), "f32", { 4 }, { 20.0, 42.0, 64.0, 6.0 }, 2 ^ -16)
                helper.check_array(made:imag(), "f32", { 4 }, { -10.0, -21.0, -32.0, -3.0 }, 2 ^ -16)
                local plain = dev:array({ 1, 2, 3 }):convolve(b, { method = method, mode = "same" })
                helper.check_array(plain:real(), "f32", { 3 }, { 0.0, 0.0, 0.0 }, 2 ^ -16)
                helper.check_array(plain:imag(), "f32", { 3 }, { 1.0, 12.0, 23.0 }, 2 ^ -16)
            end
        end)

        it("take any axis, batches that broadcast, and views", function()
            local x = dev:arange(24):cast("f32"):reshape(2, 3, 4)
            local b = dev:array { 1, -2, 3 }
            for _, method in ipairs { "direct", "fft" } do
                local o = { axis = 2, method = method, mode = "same" }
                local columns = x:convolve(b, o)
                for i = 1, 2 do
                    for j = 1, 4 do
                        local alone = x:slice(i, nil, j):convolve(b, { method = "direct", mode = "same" })
                        helper.check_array(columns:slice(i, nil, j), "f32", { 3 }, alone:totable(), 2 ^ -14)
                    end
                end
                local turned = x:transpose { 2, 3, 1 }:convolve(b, { axis = 1, method = method, mode = "same" })
                helper.check_array(turned, "f32", { 3, 4, 2 },
                    columns:transpose({ 2, 3, 1 }):reshape(24):totable(), 2 ^ -14)
                local batches = dev:array { { { 1, 1 } }, { { 1, -1 } } }
                local both = x:convolve(batches, { method = method })
                assert.same({ 2, 3, 5 }, { both:shape() })
                helper.check_array(both:row(2), "f32", { 3, 5 },
                    x:row(2):convolve(dev:array { 1, -1 }):reshape(15):totable(), 2 ^ -14)
                local many = dev:array({ 1, 2, 4 }):convolve(batches, { method = method })
                helper.check_array(many:reshape(2, 4), "f32", { 2, 4 },
                    { 1.0, 3.0, 6.0, 4.0, 1.0, 1.0, 2.0, -4.0 }, 2 ^ -18)
                local cube = x:convolve(x:slice({ 1, 1 }, { 1, 2 }, { 2, 3 }), { axis = { 1, 3, 2 }, method = "fft" })
                assert.same({ 2, 4, 5 }, { cube:shape() })
                helper.check_array(cube:row(1), "f32", { 4, 5 },
                    x:row(1):convolve(x:slice(1, { 1, 2 }, { 2, 3 }),
                        { axis = { 1, 2 } }):reshape(20):totable(), 2 ^ -12)
            end
        end)

        it("are those of the direct sums for many lines and for long ones", function()
            for shape, taps in pairs { [{ 9, 51 }] = { 9, 6 }, [{ 2, 9001 }] = { 6 }, [{ 70000 }] = { 1, 7 } } do
                local x, b = dev:random(shape, { seed = 1, low = -1 }), dev:random(taps, { seed = 2, low = -1 })
                for _, mode in ipairs(MODES) do
                    local sums = x:convolve(b, { mode = mode, method = "direct" })
                    local made = x:convolve(b, { mode = mode, method = "fft" })
                    local most = 16 * EPS.f32 * x:norm() * b:norm() / (#shape == 2 and shape[1] or 1)
                    assert.is_true((made - sums):absmax() <= most, mode)
                    local z = x * lun.complex(1, 2)
                    made = z:convolve(b * lun.i, { mode = mode, method = "fft" })
                    assert.is_true((made - sums * lun.complex(-2, 1)):absmax() <= 3 * most, mode)
                end
            end
        end)

        it("keep a NaN to itself where they sum directly", function()
            local made = dev:array({ 1, 0 / 0, 1, 1, 1 }):convolve(dev:array { 1, 1 })
            helper.check_array(made:isnan(), "bool", { 6 }, { false, true, true, false, false, false })
        end)

        it("refuse what does not go together", function()
            local a, b = dev:zeros { 3, 4 }, dev:zeros { 2 }
            helper.refused("convolve: the array has no axes, so it cannot be convolved", dev:full({}, 1), b)
            helper.refused("convolve: b is (); at least 1 axes are needed, those of the convolution",
                a, dev:full({}, 1))
            helper.refused("convolve: no axis is named", a, b, { axis = {} })
            helper.refused("correlate: axis 3 is out of range", a, b, { axis = 3 })
            helper.refused("convolve: the array is 3x4 and b 2x4: their other axes do not broadcast",
                a, dev:zeros { 2, 4 })
            helper.refused("convolve: unknown mode 'circular'; known are full, same, valid",
                a, b, { mode = "circular" })
            helper.refused("convolve: unknown method 'slow'; known are direct, fft", a, b, { method = "slow" })
            local cube, directly = a:reshape(3, 2, 2), { axis = { 1, 2, 3 }, method = "direct" }
            helper.refused("convolve: f32 numbers are convolved directly along at most 2 axes, not 3; the "
                .. "method \"fft\" allows more", cube, cube, directly)
            cube = cube:cast "i32"
            helper.refused("convolve: i32 numbers are convolved directly along at most 2 axes, not 3; "
                .. 'cast("f32") allows more, by transforms', cube, cube, { axis = { 1, 2, 3 } })
            helper.refused("convolve: stride has 2 numbers, but the convolution is "
                .. "along 1 axis", a, b, { stride = { 1, 1 } })
            helper.refused("convolve: stride 1 is 0; a whole number from 1 is needed", a, b, { stride = 0 })
            helper.refused("convolve: b has no elements along axis 2; at least one is needed", a, dev:zeros { 0 })
            helper.refused("convolve: the array has no elements along axis 1; at least one is needed",
                dev:zeros { 0 }, b)
            helper.refused("convolve: the array is 3x4 and b 4x3: neither fits within the other, as mode "
                .. "'valid' requires",
                a, dev:zeros { 4, 3 }, { axis = { 1, 2 }, mode = "valid" })
            helper.refused("convolve: out overlaps an input", b, dev:ones { 1 }, { out = b })
        end)
    end)
end)
