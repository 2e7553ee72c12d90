-- What elementwise functions give, in plain Lua: exact for integers, in 64 bits for floats.

local numbers = require "spec.numbers"

local elementwise = {}

-- ---- dtypes -----------------------------------------------------------------------------------------------

local SIGNED = { [8] = "i8", [16] = "i16", [32] = "i32", [64] = "i64" }

-- The dtype of what is made of both.
function elementwise.promoted(a, b)
    local x, y = numbers.dtype[a], numbers.dtype[b]
    if a == b then
        return a
    elseif x.kind == "float" or y.kind == "float" then
        if x.kind ~= y.kind then
            return x.kind == "float" and a or b
        end
        return x.bits == y.bits and "f32" or x.bits > y.bits and a or b
    elseif x.kind == y.kind then
        return x.bits > y.bits and a or b
    end
    local with, without = x, y
    if x.kind == "unsigned" then
        with, without = y, x
    end
    return with.bits > without.bits and with.name or SIGNED[math.min(2 * without.bits, 64)]
end

-- ---- floats -------------------------------------------------------------------------------------------------

local huge, nan = math.huge, 0 / 0

local function is_nan(x) return x ~= x end

-- Halves go to the even neighbour.
local function to_even(x)
    if x ~= x or math.abs(x) >= 2.0 ^ 52 then
        return x
    end
    local below = math.floor(x) + 0.0
    local rest = x - below
    if rest > 0.5 or rest == 0.5 and below % 2 == 1 then
        below = below + 1
    end
    return below
end

local function whole(f)
    return function(x)
        return (x ~= x or math.abs(x) == huge) and x or f(x) + 0.0
    end
end

-- exp(x) - 1 without the loss of digits near 0 (Kahan).
local function expm1(x)
    local u = math.exp(x)
    if u == 1 then
        return x
    elseif u - 1 == -1 then
        return -1.0
    end
    return u == huge and u or (u - 1) * x / math.log(u)
end

local function log1p(x)
    local u = 1 + x
    return u == 1 and x or u == huge and u or math.log(u) * x / (u - 1)
end

-- erf by its series up to 2.5, and by the continued fraction of erfc beyond (Abramowitz and Stegun 7.1.6, 7.1.14).
local function erfc_far(x)
    local tail = 0.0
    for k = 120, 1, -1 do
        tail = k / 2 / (x + tail)
    end
    return math.exp(-x * x) / math.sqrt(math.pi) / (x + tail)
end

local function erf(x)
    if math.abs(x) > 2.5 then
        return x > 0 and 1 - erfc_far(x) or erfc_far(-x) - 1
    end
    local term, sum = x, x
    for k = 1, 80 do
        term = term * 2 * x * x / (2 * k + 1)
        sum = sum + term
    end
    return 2 / math.sqrt(math.pi) * math.exp(-x * x) * sum
end

-- log of the gamma function for x > 0: Stirling's series where it is exact to 64 bits, and the recurrence down to x.
local function log_gamma(x)
    local product = 0.0
    while x < 15 do
        product = product + math.log(x)
        x = x + 1
    end
    local y = 1 / (x * x)
    local series = (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y / 1188)))) / x
    return (x - 0.5) * math.log(x) - x + 0.5 * math.log(2 * math.pi) + series - product
end

-- The inverse of erf, by Newton's steps.
local function erf_inverse(x)
    local y = x
    for _ = 1, 60 do
        y = y - (erf(y) - x) * math.sqrt(math.pi) / 2 * math.exp(y * y)
    end
    return y
end

-- The logarithm's derivative of the gamma function, as log_gamma; below 0 by its reflection.
local function digamma(x)
    if x < 0 then
        return digamma(1 - x) - math.pi / math.tan(math.pi * x)
    end
    local sum = 0.0
    while x < 15 do
        sum = sum + 1 / x
        x = x + 1
    end
    local y = 1 / (x * x)
    return math.log(x) - 0.5 / x - sum - y * (1 / 12 - y * (1 / 120 - y * (1 / 252 - y * (1 / 240 - y / 132))))
end

local function bessel_i0(x)
    local sum, term = 1.0, 1.0
    for k = 1, 60 do
        term = term * (x / 2 / k) ^ 2
        sum = sum + term
    end
    return sum
end

local function bessel_i1(x)
    local sum, term = x / 2, x / 2
    for k = 1, 60 do
        term = term * (x / 2 / k) * (x / 2 / (k + 1))
        sum = sum + term
    end
    return sum
end

-- The mean of cos(n t - x sin(t)) from 0 to pi: the trapezoidal rule is exact to 64 bits there.
local function bessel_j(n, x)
    local sum, steps = (1 + math.cos(n * math.pi)) / 2, 60
    for k = 1, steps - 1 do
        local t = math.pi * k / steps
        sum = sum + math.cos(n * t - x * math.sin(t))
    end
    return sum / steps
end

local EULER = 0.57721566490153286

local function bessel_y0(x)
    local sum, term, harmonic = 0.0, 1.0, 0.0
    for k = 1, 60 do
        term, harmonic = -term * (x / 2 / k) ^ 2, harmonic + 1 / k
        sum = sum - harmonic * term
    end
    return 2 / math.pi * ((math.log(x / 2) + EULER) * bessel_j(0, x) + sum)
end

-- From their Wronskian, which is 2 / (pi x).
local function bessel_y1(x) return (bessel_j(1, x) * bessel_y0(x) - 2 / (math.pi * x)) / bessel_j(0, x) end

local function expint(x)
    local sum, term = -EULER - math.log(x), 1.0
    for k = 1, 60 do
        term = -term * x / k
        sum = sum - term / k
    end
    return sum
end

-- ulp: the error that OpenCL allows in f32 and f64, in units of the last place; the largest of both. `from`, `to`:
-- where it is
-- tried. Another bound is a distance: lgamma's error is not bounded by OpenCL, and is looked at near its own size here.
elementwise.real = {
    neg = { function(a) return -a end, 0 }, abs = { math.abs, 0 },
    sign = { function(a) return a > 0 and 1.0 or a < 0 and -1.0 or a end, 0 },
    conj = { function(a) return a end, 0 }, angle = { function(a) return math.atan(0.0, a) end, 0.5 },
    floor = { whole(math.floor), 0 }, ceil = { whole(math.ceil), 0 }, round = { to_even, 0 },
    trunc = { whole(function(x) return x < 0 and math.ceil(x) or math.floor(x) end), 0 },
    square = { function(a) return a * a end, 0.5 }, recip = { function(a) return 1 / a end, 2.5 },
    sqrt = { math.sqrt, 3, 0, 50 }, rsqrt = { function(a) return 1 / math.sqrt(a) end, 2, 0.01, 50 },
    cbrt = { function(a) return a < 0 and -(-a) ^ (1 / 3) or a ^ (1 / 3) end, 2 + 1 },
    exp = { math.exp, 3 }, exp2 = { function(a) return 2 ^ a end, 3 }, exp10 = { function(a) return 10 ^ a end, 3 + 1 },
    expm1 = { expm1, 3 + 1 }, log = { math.log, 3, 0.01, 50 }, log1p = { log1p, 2 + 1, -0.9, 50 },
    log2 = { function(a) return math.log(a, 2) end, 3, 0.01, 50 },
    log10 = { function(a) return math.log(a, 10) end, 3, 0.01, 50 },
    sigmoid = { function(a) return 1 / (1 + math.exp(-a)) end, 3 + 2.5 + 1 },
    sin = { math.sin, 4 }, cos = { math.cos, 4 }, tan = { math.tan, 5 }, asin = { math.asin, 4, -1, 1 },
    acos = { math.acos, 4, -1, 1 }, atan = { math.atan, 5 },
    sinpi = { function(a) return math.sin(math.pi * math.fmod(a, 2)) end, 4 + 2, -2, 2, 4 },
    cospi = { function(a) return math.cos(math.pi * math.fmod(a, 2)) end, 4 + 2, -2, 2, 4 },
    sinh = { function(a) return math.abs(a) < 1 and (expm1(a) + expm1(a) / (expm1(a) + 1)) / 2
        or (math.exp(a) - math.exp(-a)) / 2 end, 4 + 2 },
    cosh = { function(a) return (math.exp(a) + math.exp(-a)) / 2 end, 4 + 1 },
    tanh = { function(a) local e = expm1(2 * math.abs(a)) local t = e == huge and 1 or e / (e + 2)
        return a < 0 and -t or t end, 5 + 2 },
    asinh = { function(a) local x = math.abs(a) local y = log1p(x + x * x / (1 + math.sqrt(x * x + 1)))
        return a < 0 and -y or y end, 4 + 2 },
    acosh = { function(a) return math.log(a + math.sqrt(a * a - 1)) end, 4 + 2, 1.5, 50 },
    atanh = { function(a) return log1p(2 * a / (1 - a)) / 2 end, 5 + 3, -0.9, 0.9 },
    erf = { erf, 16 }, erfc = { function(a) return a > 2.5 and erfc_far(a) or 1 - erf(a) end, 16 + 8, -5, 5, 8 },
    tgamma = { function(a) return math.exp(log_gamma(a)) end, 16, 0.1, 10, slack = 64 },
    lgamma = { log_gamma, 16, 3, 50, 64 },
    sinc = { function(a) return a == 0 and 1 or math.sin(math.pi * a) / (math.pi * a) end, 6, -2, 2, 4 },
    deg = { math.deg, 1.5 }, rad = { math.rad, 1.5 },
    logb = { function(a) return math.floor(math.log(a, 2)) end, 0, 0.6, 0.9 },
    softplus = { function(a) return log1p(math.exp(a)) end, 6 + 1 },
    i1 = { bessel_i1, 8 }, j0 = { function(a) return bessel_j(0, a) end, 16, -5, 5, 16 },
    j1 = { function(a) return bessel_j(1, a) end, 16, -5, 5, 16 }, y0 = { bessel_y0, 32, 0.1, 1.5, 32 },
    y1 = { bessel_y1, 32, 0.1, 1.5, 32 }, expint = { expint, 8, 0.05, 2, slack = 16 },
    erfcx = { function(a) return math.exp(a * a) * (a > 2.5 and erfc_far(a) or 1 - erf(a)) end, 16, -2, 2, slack = 64 },
    erfcinv = { function(a) return erf_inverse(1 - a) end, 8, 0.3, 1.7, 8 },
    i0 = { bessel_i0, 8 }, erfinv = { erf_inverse, 8, -0.9, 0.9 }, digamma = { digamma, 24, -0.9, 20, 48 },
}

elementwise.real2 = {
    add = { function(a, b) return a + b end, 0.5 }, sub = { function(a, b) return a - b end, 0.5 },
    mul = { function(a, b) return a * b end, 0.5 }, div = { function(a, b) return a / b end, 2.5 },
    minimum = { function(a, b) return (is_nan(a) or is_nan(b)) and nan or math.min(a, b) end, 0 },
    maximum = { function(a, b) return (is_nan(a) or is_nan(b)) and nan or math.max(a, b) end, 0 },
    fmin = { function(a, b) return is_nan(a) and b or is_nan(b) and a or math.min(a, b) end, 0 },
    fmax = { function(a, b) return is_nan(a) and b or is_nan(b) and a or math.max(a, b) end, 0 },
    copysign = { function(a, b) return (b < 0 or 1 / b < 0) and -math.abs(a) or math.abs(a) end, 0 },
    atan2 = { function(a, b) return math.atan(a, b) end, 6 },
    hypot = { function(a, b) return math.sqrt(a * a + b * b) end, 4 },
    fmod = { function(a, b) return math.fmod(a, b) end, 0 },
    mod = { function(a, b) return a % b end, 0.5 },
    floordiv = { function(a, b) return whole(math.floor)(a / b) end, 0 },
    logaddexp = { function(a, b) return math.max(a, b) + log1p(math.exp(-math.abs(a - b))) end, 6 },
    xlogy = { function(a, b) return a == 0 and b == b and 0.0 or b < 0 and nan or a * math.log(b) end, 4 },
    ldexp = { function(a, b) return a * 2.0 ^ (b < 0 and math.ceil(b) or math.floor(b)) end, 0 },
    heaviside = { function(a, b) return a > 0 and 1.0 or a < 0 and 0.0 or b end, 0 },
}

-- ---- integers: a, b as the dtype holds them; the result is wrapped to it ----------------------------------------

local function unsigned(dtype) return dtype.kind == "unsigned" end

local function less(a, b, dtype)
    if unsigned(dtype) then
        return math.ult(a, b)
    end
    return a < b
end

-- Unsigned division of 64 bits (Hacker's Delight, 9-3).
local function divide_unsigned(a, b)
    if b < 0 then
        return math.ult(a, b) and 0 or 1
    elseif a >= 0 then
        return a // b
    end
    local quotient = ((a >> 1) // b) << 1
    return math.ult(a - quotient * b, b) and quotient or quotient + 1
end

local function mask(dtype) return dtype.bits == 64 and -1 or (1 << dtype.bits) - 1 end

local function shift_left(a, b, dtype)
    if unsigned(dtype) and (b < 0 or b >= dtype.bits) or math.abs(b) >= dtype.bits or b == math.mininteger then
        return 0
    elseif b < 0 then
        return (a & mask(dtype)) >> -b
    end
    return a << b
end

local function shift_right(a, b, dtype)
    if unsigned(dtype) and (b < 0 or b >= dtype.bits) or math.abs(b) >= dtype.bits or b == math.mininteger then
        return 0
    elseif b < 0 then
        return a << -b
    end
    return (a & mask(dtype)) >> b
end

local function shift_right_signed(a, b, dtype)
    if unsigned(dtype) then
        return shift_right(a, b, dtype)
    elseif b >= dtype.bits then
        return a < 0 and -1 or 0
    elseif b < 0 then
        return shift_left(a, b == math.mininteger and dtype.bits or -b, dtype)
    end
    return a < 0 and ~(~a >> b) or a >> b
end

-- Of integers as the dtype has them: without a sign where it has none.
local function magnitude(a, dtype) return not unsigned(dtype) and a < 0 and -a or a end

local function common_divisor(a, b, dtype)
    a, b = magnitude(a, dtype), magnitude(b, dtype)
    while b ~= 0 do
        a, b = b, a - divide_unsigned(a, b) * b
    end
    return a
end

local function whole_power(a, b, dtype)
    local power = 1
    if not unsigned(dtype) and b < 0 then
        return a == 1 and 1 or a == -1 and 1 - 2 * (b & 1) or 0
    end
    while b ~= 0 do
        power = b & 1 == 1 and power * a or power
        a, b = a * a, b >> 1
    end
    return power
end

local function count_bits(a)
    local count = 0
    while a ~= 0 do
        a, count = a & a - 1, count + 1
    end
    return count
end

local function leading_zeros(a, dtype)
    local count = dtype.bits
    a = a & mask(dtype)
    while a ~= 0 do
        a, count = a >> 1, count - 1
    end
    return count
end

elementwise.integer2 = {
    gcd = common_divisor, powi = whole_power,
    lcm = function(a, b, dtype)
        local divisor = common_divisor(a, b, dtype)
        return a == 0 and 0 or divide_unsigned(magnitude(a, dtype), divisor) * magnitude(b, dtype)
    end,
    heaviside = function(a, b, dtype) return a == 0 and b or not unsigned(dtype) and a < 0 and 0 or 1 end,
    add = function(a, b) return a + b end, sub = function(a, b) return a - b end, mul = function(a, b) return a * b end,
    floordiv = function(a, b, dtype)
        return b == 0 and 0 or unsigned(dtype) and divide_unsigned(a, b) or not unsigned(dtype) and a // b or 0
    end,
    mod = function(a, b, dtype)
        return b == 0 and 0 or unsigned(dtype) and a - divide_unsigned(a, b) * b or not unsigned(dtype) and a % b or 0
    end,
    band = function(a, b) return a & b end, bor = function(a, b) return a | b end,
    bxor = function(a, b) return a ~ b end,
    shl = shift_left, shr = shift_right, sar = shift_right_signed,
    fmod = function(a, b, dtype)
        return b == 0 and 0 or unsigned(dtype) and a - divide_unsigned(a, b) * b
            or not unsigned(dtype) and b ~= -1 and math.fmod(a, b) or 0
    end,
    minimum = function(a, b, dtype) return less(a, b, dtype) and a or b end,
    maximum = function(a, b, dtype) return less(b, a, dtype) and a or b end,
    fmin = function(a, b, dtype) return less(a, b, dtype) and a or b end,
    fmax = function(a, b, dtype) return less(b, a, dtype) and a or b end,
}

elementwise.integer = {
    neg = function(a) return -a end, bnot = function(a) return ~a end, square = function(a) return a * a end,
    abs = function(a, dtype) return not unsigned(dtype) and a < 0 and -a or a end,
    sign = function(a, dtype) return a == 0 and 0 or not unsigned(dtype) and a < 0 and -1 or 1 end,
    floor = function(a) return a end, ceil = function(a) return a end, round = function(a) return a end,
    trunc = function(a) return a end, conj = function(a) return a end,
    popcount = function(a, dtype) return count_bits(a & mask(dtype)) end, clz = leading_zeros,
}

elementwise.comparisons = {
    lt = less, gt = function(a, b, dtype) return less(b, a, dtype) end,
    le = function(a, b, dtype) return a == b or less(a, b, dtype) end,
    ge = function(a, b, dtype) return a == b or less(b, a, dtype) end,
    eq = function(a, b) return a == b end, ne = function(a, b) return a ~= b end,
}

return elementwise
