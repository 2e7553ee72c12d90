-- Complex numbers in fused functions: as arguments, as constants, and in what Lua computes of them at each call.

local helper = require "spec.helper"
local lun = require "lunarray"
local numbers = require "spec.numbers"

-- Complex numbers of small halves: their sums and products are exact.
local function some(dev, dtype, count, seed)
    local random, list = numbers.generator(seed), {}
    for i = 1, count do
        list[i] = lun.complex(random(-8, 8) / 2, random(-8, 8) / 2)
    end
    return dev:array(list, dtype)
end

local function same(expected, got)
    assert.equal(expected:dtype(), got:dtype())
    assert.equal(expected:tobytes(), got:tobytes())
end

helper.each_complex(function(dev, dtype, title)
    local part = dtype == "c64" and "f32" or "f64"

    describe("a fused function of " .. title, function()
        local a, b = some(dev, dtype, 67, 1), some(dev, dtype, 67, 2)
        local z, w = lun.complex(1.5, -2), lun.complex(0.5, 4)

        it("takes complex numbers, which are not compiled in", function()
            local calls = 0
            local f = lun.fuse(function(x, y, u)
                calls = calls + 1
                return x * u + y, u - x
            end)
            for _, u in ipairs { z, w, lun.i } do
                local sum, difference = f(a, b, u)
                same(a * u + b, sum)
                same(u - a, difference)
            end
            assert.equal(1, calls)
            same(a * 2 + b, (f(a, b, 2)))
            same(a * 0.5 + b, (f(a, b, 0.5)))
            assert.equal(3, calls) -- each kind of number is one of its own
        end)

        it("makes complex numbers of real ones where it meets such", function()
            local real = dev:arange(1, 9, part)
            local f = lun.fuse(function(x, u) return x * u, (x * u):abs() end)
            local product, size = f(real, z)
            same(real * z, product)
            same((real * z):abs(), size)
            same(dev:arange(1, 9, "i16") * z, (f(dev:arange(1, 9, "i16"), z)))
        end)

        it("has Lua compute what operators make of numbers alone", function()
            local f = lun.fuse(function(x, u, n)
                return x * (u * u - 1) / (n + lun.i), x * (lun.i * u), x * (2 - u) ^ 2, x * -u
            end)
            local first, second, third, fourth = f(a, z, 3)
            same(a * (z * z - 1) / (3 + lun.i), first)
            same(a * (lun.i * z), second)
            same(a * (2 - z) ^ 2, third)
            same(a * -z, fourth)
            local g = lun.fuse(function(x, u)
                return x + (u + 2 ^ 0.5 * lun.i), x * (lun.i * u).im, x * (u - lun.i).im
            end)
            local sum, turned, less = g(a, 0.75) -- they are numbers, whose parts are known
            same(a + (0.75 + 2 ^ 0.5 * lun.i), sum)
            same(a * 0.75, turned)
            same(a * -1, less)
        end)

        it("has a number's parts, size, angle and conjugate", function()
            local f = lun.fuse(function(x, u) return x * u.re, x + u.im, x * u:conj(), x + u:abs(), x - u:arg() end)
            local list = { f(a, z) }
            same(a * 1.5, list[1])
            same(a + -2, list[2])
            same(a * z:conj(), list[3])
            same(a + 2.5, list[4])
            local off = (list[5] - (a - z:arg())):abs():max()
            assert.is_true(off <= 8 * (part == "f32" and 2 ^ -23 or 2 ^ -52))
        end)

        it("has the parts of arrays, and of what was computed", function()
            local f = lun.fuse(function(x, y) return x:real() + y:imag(), (x * y):real(), (x * y):imag() end)
            local of_arrays, re, im = f(a, b)
            same(a:real() + b:imag(), of_arrays)
            same((a * b):real():copy(), re)
            same((a * b):imag():copy(), im)
            local flat = lun.fuse(function(x) return x:as_real() * 2 end)(a)
            same(a:as_real() * 2, flat)
            same(flat:as_complex() * 1, lun.fuse(function(x) return x:as_complex() end)(flat))
            same(a:slice({ 2, 5 }):imag() * 3, lun.fuse(function(x) return x:imag():slice { 2, 5 } * 3 end)(a))
            same(a:t():imag() + 0, lun.fuse(function(x) return x:imag() end)(a))
            helper.raises("imag: " .. part .. " numbers are real; c64 or c128 is needed", function()
                lun.fuse(function(x) return (x:abs() + 1):imag() end)(a)
            end)
            helper.raises("fuse: a number has no 're'; arrays have methods, and complex numbers parts", function()
                lun.fuse(function(x, n) return x * n.re end)(a:abs(), 2.5)
            end)
            helper.raises("imag: " .. part .. " numbers are real; c64 or c128 is needed", function()
                lun.fuse(function(x) return x:imag() end)(a:abs())
            end)
        end)

        it("reduces complex results, all and along an axis", function()
            local x, y = a:slice({ 1, 66 }):reshape(6, 11), b:slice({ 1, 66 }):reshape(6, 11)
            local eps = part == "f32" and 2 ^ -23 or 2 ^ -52
            for _, names in ipairs { { "sum", "prod", "mean", "any", "all", "nnz" },
                { "sumsq", "asum", "absmax", "norm", "var", "std" } } do
                for _, options in ipairs { {}, { axis = 2 } } do
                    local function compute(p, q, u)
                        local v, list = (p * q - u) * 0.125, {}
                        for i, name in ipairs(names) do
                            list[i] = v[name](v, options)
                        end
                        return table.unpack(list)
                    end
                    local expected, got = { compute(x, y, z) }, { lun.fuse(compute)(x, y, z) }
                    for i, name in ipairs(names) do
                        local e, g = expected[i], got[i]
                        if lun.type(e) == "array" then
                            assert.same({ e:dtype(), 6 }, { g:dtype(), g:shape() })
                            local apart = e:dtype() == "bool" and e:lxor(g) or e - g
                            assert.is_true(apart:abs():max() <= 66 * eps * e:abs():max(), name)
                        elseif type(e) == "boolean" or math.type(e) == "integer" then
                            assert.equal(e, g)
                        else
                            local off, size = lun.complex(0) + e - g, lun.complex(0) + e
                            assert.is_true(off:abs() <= 66 * eps * size:abs(), name)
                        end
                    end
                end
            end
        end)

        it("refuses what needs an order at the function's line, whatever brought the complex numbers in", function()
            local real = a:abs()
            local order = ": " .. dtype .. " numbers have no order; use their abs() or real()"
            helper.raises("maximum" .. order, function()
                lun.fuse(function(x, u) return x:maximum(u) end)(real, z)
            end)
            helper.raises("lt" .. order, function() lun.fuse(function(x) return (x * lun.i):lt(1) end)(real) end)
            helper.raises("clamp" .. order, function()
                lun.fuse(function(x, u) return (x + u):clamp(0, 1) end)(real, z)
            end)
            helper.raises("max" .. order, function() lun.fuse(function(x, u) return (x * u):max() end)(real, z) end)
            helper.raises("fuse: attempt to perform arithmetic on a lunarray.complex value", function()
                lun.fuse(function(x, u) return x * (u // 1) end)(a, z)
            end)
            local line
            local f = lun.fuse(function(x, u)
                local y = x * u
                line = debug.getinfo(1, "l").currentline + 1
                y = y:erf()
                return y
            end)
            local _, message = pcall(f, a:abs(), z)
            local file = debug.getinfo(1, "S").short_src
            assert.equal(("%s:%d: lunarray: erf: erf takes real numbers, not %s"):format(file, line, dtype), message)
            helper.raises("erf: erf takes real numbers, not " .. dtype, function()
                lun.fuse(function(x, u) return (x * u):erf() end)(a:abs(), z)
            end)
        end)

        it("gives the bits of its steps one by one, of random expressions", function()
            local random = numbers.generator(77)
            local steps = {
                function(x, y) return x + y end, function(x, y) return x - y end, function(x, y) return x * y end,
                function(x, y) return x / (y + 20) end, function(x) return -x end, function(x) return x:conj() end,
                function(x) return x:square() end, function(x, y) return x:eq(y):where(x, y) end,
                function(x, y) return x:abs() + y end, function(x, y) return x * lun.complex(0.5, -1) + y end,
                function(x, y) return 2 * y - x * 0.25 end,
            }
            for _ = 1, 4 do
                local plan = {}
                for i = 1, random(2, 6) do
                    plan[i] = { steps[random(1, #steps)], random(1, i + 2), random(1, i + 2) }
                end
                local function compute(x, y, u)
                    local known = { x, y, x * u }
                    for _, step in ipairs(plan) do
                        table.insert(known, step[1](known[step[2]], known[step[3]]))
                    end
                    return known[#known] + 0
                end
                local real = dev:arange(-33, 33, part)
                same(compute(a, b, z), lun.fuse(compute)(a, b, z))
                same(compute(real, b, w), lun.fuse(compute)(real, b, w))
            end
        end)
    end)
end)
