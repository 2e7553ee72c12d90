-- Functions of complex numbers: beside plain Lua, at C99's cuts and special values (annex G), and at the range's ends.

local at_once = require "spec.elementwise.at_once"
local helper = require "spec.helper"
local lun = require "lunarray"
local numbers = require "spec.numbers"

local INFINITY, NAN = math.huge, 0 / 0
local Z = lun.complex

local DTYPES = {
    c64 = { eps = 2.0 ^ -23, most = (2 - 2.0 ^ -23) * 2.0 ^ 127, normal = 2.0 ^ -126, part = "f32" },
    c128 = { eps = 2.0 ^ -52, most = (2 - 2.0 ^ -52) * 2.0 ^ 1023, normal = 2.0 ^ -1022, part = "f64" },
}

-- ---- the reference: numbers of Lua, whose formulas are right to rounding for numbers of middling size ---------------

local function sinh(x) return (math.exp(x) - math.exp(-x)) / 2 end
local function cosh(x) return (math.exp(x) + math.exp(-x)) / 2 end

local function exp(z) return Z(math.exp(z.re) * math.cos(z.im), math.exp(z.re) * math.sin(z.im)) end
local function log(z) return Z(math.log(z:abs()), z:arg()) end
local function sine(z) return Z(math.sin(z.re) * cosh(z.im), math.cos(z.re) * sinh(z.im)) end
local function cosine(z) return Z(math.cos(z.re) * cosh(z.im), -math.sin(z.re) * sinh(z.im)) end

local plain = {
    exp = exp, log = log, sin = sine, cos = cosine,
    sqrt = function(z)
        local size, angle = math.sqrt(z:abs()), z:arg() / 2
        return Z(size * math.cos(angle), size * math.sin(angle))
    end,
    tan = function(z) return sine(z) / cosine(z) end,
    sinh = function(z) return -lun.i * sine(lun.i * z) end,
    cosh = function(z) return cosine(lun.i * z) end,
    tanh = function(z) return -lun.i * sine(lun.i * z) / cosine(lun.i * z) end,
    log2 = function(z) return log(z) / math.log(2) end,
    log10 = function(z) return log(z) / math.log(10) end,
    square = function(z) return z * z end,
    recip = function(z) return 1 / z end,
    neg = function(z) return -z end,
    conj = function(z) return z:conj() end,
}
local plain2 = {
    add = function(a, b) return a + b end, sub = function(a, b) return a - b end,
    mul = function(a, b) return a * b end, div = function(a, b) return a / b end,
    pow = function(a, b) return exp(b * log(a)) end,
}
local NAMES, NAMES2 = {}, {}
for name in pairs(plain) do NAMES[#NAMES + 1] = name end
for name in pairs(plain2) do NAMES2[#NAMES2 + 1] = name end
table.sort(NAMES)
table.sort(NAMES2)

-- All functions' results by name, as lists.
local function results(names, ...)
    local all = {}
    for name, result in pairs(at_once(names, nil, ...)) do
        all[name] = result:totable()
    end
    return all
end

local function near(expected, got, share)
    return (expected - got):abs() <= share * expected:abs()
end

-- The same value, to the sign of a zero.
local function same(x, y)
    return x ~= x and y ~= y or x == y and (x ~= 0 or 1 / x == 1 / y)
end

-- ---- annex G -------------------------------------------------------------------------------------------------------

-- f(z) for z in the upper half plane; f of the conjugate is the conjugate, cosh is even, and those of ODD are odd.
-- I: infinity, N: NaN, 1: a finite number that is not 0, C and S: inf times cos 1 and sin 1, c and s: 0 times them,
-- ~: of any sign. expm1, log1p and sign, which annex G has not, are as exp(z) - 1, log(1 + z) and z/|z| say.
local SPECIAL = [[
    sqrt  0 0   0 0   | sqrt -0 0   0 0  | sqrt 1 I   I I  | sqrt -1 I  I I  | sqrt 1 N  N N  | sqrt N I   I I
    sqrt -I 1   0 I   | sqrt  I 1   I 0  | sqrt -I N  N ~I | sqrt  I N  I N  | sqrt N 1  N N  | sqrt N N   N N
    sqrt -1 0   0 1   | sqrt  I I   I I  | sqrt -I I  I I  | sqrt  1 0  1 0
    exp   0 0   1 0   | exp  -0 0   1 0  | exp  1 I   N N  | exp  1 N   N N  | exp  I 0  I 0  | exp -I 1   c s
    exp   I 1   C S   | exp  -I I ~0 ~0  | exp  I I  ~I N  | exp -I N ~0 ~0  | exp  I N ~I N  | exp  N 0   N 0
    exp   N 1   N N   | exp   N N   N N
    log  -0 0  -I pi  | log   0 0  -I 0  | log  1 I   I pi/2 | log 1 N  N N  | log -I 1  I pi | log  I 1   I 0
    log  -I I   I 3pi/4 | log I I   I pi/4 | log -I N I N  | log  I N   I N  | log  N 1  N N  | log  N I   I N
    log   N N   N N   | log   1 0   0 0  | log -1 0   0 pi
    sinh  0 0   0 0   | sinh  0 I ~0 N   | sinh 0 N  ~0 N  | sinh 1 I   N N  | sinh 1 N  N N  | sinh I 0   I 0
    sinh  I 1   C S   | sinh  I I ~I N   | sinh I N  ~I N  | sinh N 0   N 0  | sinh N 1  N N  | sinh N N   N N
    cosh  0 0   1 0   | cosh  0 I  N ~0  | cosh 0 N  N ~0  | cosh 1 I   N N  | cosh 1 N  N N  | cosh I 0   I 0
    cosh  I 1   C S   | cosh  I I ~I N   | cosh I N  I N   | cosh N 0  N ~0  | cosh N 1  N N  | cosh N N   N N
    tanh  0 0   0 0   | tanh  0 I  0 N   | tanh 0 N  0 N   | tanh 1 I   N N  | tanh 1 N  N N  | tanh I 1   1 0
    tanh  I I   1 ~0  | tanh  I N  1 ~0  | tanh N 0  N 0   | tanh N 1   N N  | tanh N N  N N  | tanh 20 I  N N
    acosh 0 0   0 pi/2 | acosh -0 0 0 pi/2 | acosh 1 I I pi/2 | acosh -1 I I pi/2 | acosh -I 1 I pi  | acosh I 1  I 0
    acosh -I I I 3pi/4 | acosh I I  I pi/4 | acosh I N I N  | acosh -I N I N  | acosh 1 N  N N  | acosh -1 N N N
    acosh 0 N  N ~pi/2 | acosh N 1  N N    | acosh N I I N  | acosh N N  N N  | acosh 1 0  0 0  | acosh -1 0 0 pi
    acos  0 0  pi/2 -0 | acos -0 0  pi/2 -0 | acos 1 I pi/2 -I | acos -1 I pi/2 -I | acos -I 1 pi -I | acos I 1 0 -I
    acos -I I 3pi/4 -I | acos  I I  pi/4 -I | acos I N  N ~I | acos -I N N ~I | acos 1 N  N N   | acos N 1  N N
    acos  0 N  pi/2 N  | acos -0 N  pi/2 N  | acos N I  N -I | acos  N N N N  | acos 1 0  0 -0  | acos -1 0 pi -0
    asinh 0 0   0 0   | asinh 1 I   I pi/2 | asinh 0 I I pi/2 | asinh I 1 I 0 | asinh I I  I pi/4 | asinh I N I N
    asinh 1 N   N N   | asinh N 0   N 0   | asinh N 1  N N  | asinh N I ~I N  | asinh N N  N N
    atanh 0 0   0 0   | atanh 1 0   I 0   | atanh 0 N  0 N  | atanh 1 I 0 pi/2 | atanh I 1 0 pi/2 | atanh I I 0 pi/2
    atanh 0 I  0 pi/2 | atanh 1 N   N N   | atanh I N  0 N  | atanh N 1  N N  | atanh N I ~0 pi/2 | atanh N N N N
    expm1 0 0   0 0   | expm1 -0 0 -0 0   | expm1 1 I  N N  | expm1 1 N  N N  | expm1 I 0  I 0  | expm1 -I 1 -1 s
    expm1 I 1   C S   | expm1 -I I -1 ~0  | expm1 I I ~I N  | expm1 -I N -1 ~0 | expm1 I N ~I N | expm1 N 0  N 0
    expm1 N 1   N N   | expm1 N N   N N   | log1p -1 0 -I 0 | log1p 0 0  0 0  | log1p -0 0 -0 0 | log1p 1 I I pi/2
    log1p -I 1  I pi  | log1p I 1   I 0   | log1p -I I I 3pi/4 | log1p I I I pi/4 | log1p I N I N | log1p -I N I N
    log1p 1 N   N N   | log1p N 1   N N   | log1p N I  I N  | log1p N N  N N  | log1p -2 0 0 pi
    sign  0 0   0 0   | sign  2 0   1 0   | sign 0 2   0 1  | sign I 1   1 0  | sign 1 I   0 1  | sign I I   N N
    sign  1 N   N N   | sign  I N   N N   | sign N 1   N N  | sign N I   N N  | sign N N   N N
    round 0 0   0 0   | round -0 1  -0 1  | round I N  I N  | round N I  N I  | round N 0  N 0
]]

local WORDS = { I = INFINITY, ["-I"] = -INFINITY, N = NAN, ["-0"] = -0.0, C = INFINITY, S = INFINITY, c = 0.0, s = 0.0,
    pi = math.pi, ["pi/2"] = math.pi / 2, ["pi/4"] = math.pi / 4, ["3pi/4"] = math.pi * 3 / 4 }

local ODD = { sinh = true, tanh = true, asinh = true, atanh = true, sign = true, round = true }

local function is_right(word, got, negative, eps)
    local any = word:sub(1, 1) == "~"
    local value = any and word:sub(2) or word
    value = WORDS[value] or tonumber(value) + 0.0
    got = any and math.abs(got) or got
    value = negative and not any and -value or value
    if value == value and value ~= 0 and math.abs(value) < INFINITY then
        return math.abs(got - value) <= 4 * eps
    end
    return same(value, got)
end

local function special_rows()
    local rows = {}
    for line in SPECIAL:gmatch "[^\n|]+" do
        local name, re, im, want_re, want_im = line:match "^%s*(%S+)%s+(%S+)%s+(%S+)%s+(%S+)%s+(%S+)%s*$"
        if name then
            rows[#rows + 1] = { name, WORDS[re] or tonumber(re) + 0.0, WORDS[im] or tonumber(im) + 0.0, want_re,
                want_im }
        end
    end
    return rows
end

-- ---- the specs -----------------------------------------------------------------------------------------------------

helper.each_complex(function(dev, dtype, title)
    local d = DTYPES[dtype]

    describe("functions of " .. title, function()
        it("are those of plain Lua", function()
            local random, list, second = numbers.generator(11), {}, {}
            for i = 1, 300 do
                list[i] = Z(random(-2000, 2000) / 512, random(1, 2000) / 512 * (i % 2 == 0 and 1 or -1))
                second[i] = Z(random(-1000, 1000) / 512, random(-1000, 1000) / 512 + 1 / 1024)
            end
            local x, y = dev:array(list, dtype), dev:array(second, dtype)
            local one, two, wrong = results(NAMES, x), results(NAMES2, x, y), {}
            for i = 1, #list do
                for name, got in pairs(one) do
                    if not near(plain[name](list[i]), got[i], 32 * d.eps) then
                        wrong[#wrong + 1] = ("%s(%s) = %s"):format(name, list[i], got[i])
                    end
                end
                for name, got in pairs(two) do
                    if not near(plain2[name](list[i], second[i]), got[i], 64 * d.eps) then
                        wrong[#wrong + 1] = ("%s(%s, %s) = %s"):format(name, list[i], second[i], got[i])
                    end
                end
            end
            assert.same({}, wrong)
            local sizes, angles = x:abs(), x:angle()
            assert.same({ d.part, d.part }, { sizes:dtype(), angles:dtype() })
            for i, size in ipairs(sizes:totable()) do
                assert.is_true(math.abs(size - list[i]:abs()) <= 4 * d.eps * size)
                assert.is_true(math.abs(angles:get(i) - list[i]:arg()) <= 8 * d.eps * math.pi)
            end
        end)

        it("of three are those of plain Lua, where one of them is real, too", function()
            local random, lists = numbers.generator(12), { {}, {}, {} }
            for i = 1, 200 do
                for k, list in ipairs(lists) do
                    list[i] = Z(random(-500, 500) / 256, k == 3 and 0 or random(-500, 500) / 256)
                end
            end
            local x, y = dev:array(lists[1], dtype), dev:array(lists[2], dtype)
            local t = dev:array(lists[3], dtype):real()
            local fma, lerp = x:fma(y, t):totable(), x:lerp(y, t):totable()
            for i = 1, 200 do
                local a, b, c = lists[1][i], lists[2][i], lists[3][i]
                assert.is_true((fma[i] - (a * b + c)):abs() <= 8 * d.eps * (a:abs() * b:abs() + c:abs()))
                assert.is_true((lerp[i] - (a + (b - a) * c)):abs() <= 8 * d.eps * (a:abs() + (b - a):abs() * c:abs()))
            end
        end)

        it("have annex G's special values, in all quarters of the plane", function()
            local rows, list, wrong = special_rows(), {}, {}
            local names = { "sqrt", "exp", "log", "sinh", "cosh", "tanh", "acosh", "acos", "asinh", "atanh", "expm1",
                "log1p", "sign", "round" }
            assert.is_true(#rows > 180)
            for i, row in ipairs(rows) do
                list[i] = Z(row[2], row[3])
                list[#rows + i] = Z(row[2], -row[3])
                list[2 * #rows + i] = Z(-row[2], row[3])
            end
            local got = results(names, dev:array(list, dtype))
            for i, row in ipairs(rows) do
                local name, odd, even = row[1], ODD[row[1]], row[1] == "cosh"
                local copies = (odd or even) and 3 or 2
                for copy = 1, copies do
                    local z = got[name][(copy - 1) * #rows + i]
                    local negative_re, negative_im = copy == 3 and odd, copy == 2 or copy == 3 and even
                    if not (is_right(row[4], z.re, negative_re, d.eps)
                        and is_right(row[5], z.im, negative_im, d.eps)) then
                        local at = list[(copy - 1) * #rows + i]
                        wrong[#wrong + 1] = ("%s(%s) = %s, not %s %s"):format(name, at, z, row[4], row[5])
                    end
                end
            end
            assert.same({}, wrong)
        end)

        it("of angles are the hyperbolic ones of the number turned by a quarter", function()
            local list, turned = {}, {}
            for _, row in ipairs(special_rows()) do
                list[#list + 1] = Z(row[2], row[3])
                turned[#list] = Z(-row[3], row[2])
            end
            local got = results({ "sin", "cos", "tan", "asin", "atan" }, dev:array(list, dtype))
            local other = results({ "sinh", "cosh", "tanh", "asinh", "atanh" }, dev:array(turned, dtype))
            local function like(x, y) -- each kernel rounds for itself
                return same(x, y) or math.abs(x - y) <= 4 * d.eps * math.abs(x)
            end
            for i = 1, #list do
                local s, t = other.sinh[i], other.tanh[i]
                assert.is_true(like(s.im, got.sin[i].re) and like(-s.re, got.sin[i].im), tostring(list[i]))
                assert.is_true(like(t.im, got.tan[i].re) and like(-t.re, got.tan[i].im), tostring(list[i]))
                s, t = other.asinh[i], other.atanh[i]
                assert.is_true(like(s.im, got.asin[i].re) and like(-s.re, got.asin[i].im), tostring(list[i]))
                assert.is_true(like(t.im, got.atan[i].re) and like(-t.re, got.atan[i].im), tostring(list[i]))
                assert.is_true(like(other.cosh[i].re, got.cos[i].re) and like(other.cosh[i].im, got.cos[i].im))
            end
        end)

        it("have their cuts along the negative real axis, where the zero's sign tells the side", function()
            local a = dev:array({ Z(-4, 0.0), Z(-4, -0.0) }, dtype)
            local roots, logs, angles = a:sqrt():totable(), a:log():totable(), a:angle():totable()
            assert.is_true(roots[1] == Z(0, 2) and roots[2] == Z(0, -2))
            assert.is_true(near(Z(math.log(4), math.pi), logs[1], 4 * d.eps))
            assert.is_true(near(Z(math.log(4), -math.pi), logs[2], 4 * d.eps))
            assert.is_true(math.abs(angles[1] - math.pi) < 4 * d.eps and angles[1] == -angles[2])
        end)

        it("neither overflow nor vanish on the way", function()
            local big, tiny = d.most / 2, d.normal * 8
            for _, unit in ipairs { big / 8, tiny } do
                local z = Z(3 * unit, -4 * unit)
                local a = dev:array({ z }, dtype)
                assert.is_true(math.abs(a:abs():get(1) / (5 * unit) - 1) <= 2 * d.eps)
                assert.is_true(near(Z(1), (a / a):get(1), 4 * d.eps))
                assert.is_true(near(Z(2 * math.sqrt(unit), -math.sqrt(unit)), a:sqrt():get(1), 4 * d.eps))
                assert.is_true(near(Z(math.log(5) + math.log(unit), math.atan(-4, 3)), a:log():get(1), 4 * d.eps))
            end
            -- numerator and denominator far from 1, and quotients in the range
            local a, b = dev:array({ Z(big, tiny) }, dtype), dev:array({ Z(0, big) }, dtype)
            assert.is_true(near(Z(0, -1), (a / b):get(1), 4 * d.eps))
            assert.is_true(near(Z(1, 0.5), (dev:array({ Z(tiny, tiny / 2) }, dtype) / tiny):get(1), 4 * d.eps))
            -- exp(x) is beyond the range, its product with cos y is not
            local high = math.log(d.most) + 0.25
            local y = 1.5
            local e = dev:array({ Z(high, y) }, dtype)
            local expected = Z(math.exp(high - 10) * math.cos(y), math.exp(high - 10) * math.sin(y))
            local low = e:exp():get(1)
            assert.is_true(math.abs(low.re / math.exp(10) / expected.re - 1) <= 512 * d.eps)
            assert.is_true(low.re < INFINITY)
            -- the least numbers that there are: a half of them is none
            local least = d.normal * d.eps
            local root = dev:array({ Z(0, least), Z(least, -least) }, dtype):sqrt()
            local half = math.sqrt(least) * math.sqrt(0.5)
            assert.is_true(near(Z(half, half), root:get(1), 4 * d.eps))
            assert.is_true(near(Z(1, -1), (root:get(2) / math.sqrt(least)) ^ 2, 8 * d.eps))
            local endless = dev:array({ Z(INFINITY, least), Z(-INFINITY, -least) }, dtype)
            for i, sign in ipairs { 1, -1 } do
                assert.is_true(endless:sinh():get(i) == Z(sign * INFINITY, sign * INFINITY))
                assert.is_true(endless:cosh():get(i) == Z(INFINITY, INFINITY))
            end
            -- hyperbolic functions are half of that
            local twice = dev:array({ Z(math.log(d.most) + 0.5, math.pi / 4) }, dtype)
            assert.is_true(twice:sinh():get(1).re < INFINITY and twice:cosh():get(1).im > d.most / 4)
            local one = dev:array({ Z(300, 1) }, dtype):tanh():get(1)
            assert.is_true(one.re == 1 and one.im >= 0 and one.im < 1e-200)
        end)

        it("lose no digits of a logarithm near 1", function()
            local eps = d.eps
            local list = { Z(1 + eps, 0), Z(1, eps ^ 0.5), Z(0.6, 0.8), Z(1, 2.0 ^ -40), Z(0.5, math.sqrt(0.75)) }
            local got = dev:array(list, dtype):log():totable()
            local parts = dev:array(list, dtype):totable()
            for i, z in ipairs(parts) do
                -- |z|^2 - 1 in integers of the digits that both have; of c128 beside 1 + t only
                local x, y = z.re, z.im
                local t = dtype == "c64" and (x - 1) * (x + 1) + y * y or i <= 2 and (i == 1 and 2 * eps or eps)
                    or i == 4 and 2.0 ^ -80
                if t then
                    local expected = math.abs(t) < 1e-5 and (t - t * t / 2 + t * t * t / 3) / 2 or math.log(1 + t) / 2
                    assert.is_true(math.abs(got[i].re - expected) <= 4 * eps * math.abs(expected) + d.normal, i)
                end
            end
        end)

        it("multiply and divide infinities as annex G does", function()
            local function mul(a, b) return (dev:array({ a }, dtype) * dev:array({ b }, dtype)):get(1) end
            local function div(a, b) return (dev:array({ a }, dtype) / dev:array({ b }, dtype)):get(1) end
            local function infinite(z) return math.abs(z.re) == INFINITY or math.abs(z.im) == INFINITY end
            for _, large in ipairs { Z(INFINITY, 0), Z(INFINITY, NAN), Z(NAN, -INFINITY), Z(INFINITY, INFINITY) } do
                for _, other in ipairs { Z(1, 1), Z(-2, 0.5), Z(0, 3), large } do
                    assert.is_true(infinite(mul(large, other)) and infinite(mul(other, large)))
                end
                assert.is_true(infinite(div(large, Z(1, 2))) and div(Z(1, 2), large) == Z(0, 0))
                assert.is_false(infinite(mul(large, Z(0, 0))))
            end
            assert.is_true(infinite(div(Z(1, 1), Z(0, 0))))
            local z = mul(Z(NAN, 1), Z(1, 1))
            assert.is_true(z.re ~= z.re and z.im ~= z.im)
            -- a number and its conjugate have a real product
            assert.equal(0.0, mul(Z(1 / 3, 0.7), dev:array({ Z(1 / 3, 0.7) }, dtype):conj():get(1)).im)
        end)

        it("raise to whole powers by products", function()
            local a = dev:array({ Z(1, 2), Z(0, 0), Z(-1, 1) }, dtype)
            local check = { Z(1, 2), Z(0, 0), Z(-1, 1) }
            for n = 0, 5 do
                local got = a:pow(dev:full({ 3 }, n, dtype)):totable()
                for i, z in ipairs(check) do
                    assert.is_true(got[i] == z ^ n, ("%s ^ %d is %s"):format(z, n, got[i]))
                end
            end
            assert.is_true(near(Z(-3, 4) ^ -1, (a ^ -2):get(1), 4 * d.eps))
            assert.is_true((a ^ Z(0.5, 1)):get(2) == Z(0, 0))
        end)

        it("make complex arrays of two real ones", function()
            local part = d.part
            local x, y = dev:array({ 1, 2, 3 }, part), dev:array({ 4, 5, 6 }, part)
            for _, z in ipairs { lun.complex(x, y), x:complex(y), lun.fuse(lun.complex)(x, y),
                x:complex(dev:array({ 4, 5, 6 }, "i16")) } do
                assert.equal(dtype, z:dtype())
                assert.is_true(z:real():eq(x):all() and z:imag():eq(y):all())
            end
            assert.is_true(lun.complex(x, 2):get(3) == Z(3, 2) and lun.complex(-1, x):get(2) == Z(-1, 2))
            helper.refused("complex: complex takes real numbers, not " .. dtype, lun, lun.complex(x, y), y)
            helper.refused("complex: arrays and numbers are needed on both sides, got a table", lun, x, { 1 })
            helper.raises("complex_: out is " .. part .. "; the result is " .. dtype, function() x:complex_(y) end)
        end)

        it("compare with integers by value", function()
            local digits = dtype == "c64" and 24 or 53
            local edge = 1 << digits
            for _, integer in ipairs(dtype == "c64" and { "i32", "u32", "i64", "u64" } or { "i64", "u64" }) do
                local whole = dev:array({ edge, edge + 1, 3 }, integer)
                local z = dev:array({ edge, edge, 3 }, dtype)
                assert.same({ true, false, true }, whole:eq(z):totable())
                assert.same({ true, false, true }, z:eq(whole):totable())
                assert.same({ false, true, false }, z:ne(whole):totable())
                assert.same({ false, false, false }, whole:eq(z + lun.i * edge):totable())
                assert.same({ true, true, true }, (z + lun.i * edge):ne(whole):totable())
                assert.same({ true, false, false }, whole:eq(Z(edge, 0)):totable())
                assert.same({ false, false, false }, whole:eq(Z(edge, 1)):totable())
                assert.same({ false }, dev:array({ Z(NAN, 0) }, dtype):eq(whole:slice { 3, 3 }):totable())
                assert.same({ true }, dev:array({ Z(3, NAN) }, dtype):ne(whole:slice { 3, 3 }):totable())
            end
        end)
    end)
end)
