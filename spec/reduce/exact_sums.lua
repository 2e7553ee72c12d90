-- Exact arithmetic on floats, in whole numbers of any length, to judge reductions by: sums, means, variances and norms
-- rounded once.

local exact = {}

local LIMB, BASE = 24, 1 << 24

-- ---- natural numbers: lists of limbs, the lowest first --------------------------------------------------------

local function trim(a)
    while #a > 0 and a[#a] == 0 do
        a[#a] = nil
    end
    return a
end

local function natural(i)
    local a = {}
    while i > 0 do
        a[#a + 1], i = i & BASE - 1, i >> LIMB
    end
    return a
end

local function compare(a, b)
    if #a ~= #b then
        return #a < #b and -1 or 1
    end
    for k = #a, 1, -1 do
        if a[k] ~= b[k] then
            return a[k] < b[k] and -1 or 1
        end
    end
    return 0
end

local function add(a, b)
    local sum, carry = {}, 0
    for k = 1, math.max(#a, #b) do
        local s = (a[k] or 0) + (b[k] or 0) + carry
        sum[k], carry = s & BASE - 1, s >> LIMB
    end
    sum[#sum + 1] = carry
    return trim(sum)
end

local function subtract(a, b) -- a is not less
    local rest, borrow = {}, 0
    for k = 1, #a do
        local d = a[k] - (b[k] or 0) - borrow
        rest[k], borrow = d & BASE - 1, d < 0 and 1 or 0
    end
    return trim(rest)
end

local function multiply(a, b)
    local product = {}
    for k = 1, #a + #b do
        product[k] = 0
    end
    for i = 1, #a do
        local carry = 0
        for j = 1, #b do
            local p = product[i + j - 1] + a[i] * b[j] + carry
            product[i + j - 1], carry = p & BASE - 1, p >> LIMB
        end
        product[i + #b] = carry
    end
    return trim(product)
end

local function shift(a, bits) -- to the left, or to the right, which cuts
    local up = {}
    local limbs, rest = bits // LIMB, bits % LIMB
    for k = 1, limbs do
        up[k] = 0
    end
    local carry = 0
    for k = math.max(1, 1 - limbs), #a do
        local low = k == 1 - limbs and k > 1 and a[k - 1] << rest >> LIMB or carry
        local wide = a[k] << rest
        up[k + limbs], carry = wide & BASE - 1 | low, wide >> LIMB
    end
    up[math.max(0, #a + limbs) + 1] = carry
    if limbs < 0 and #a + limbs == 0 then
        up[1] = a[#a] << rest >> LIMB
    end
    return trim(up)
end

local function length(a) -- in bits
    local bits, top = (#a - 1) * LIMB, a[#a] or 0
    while top > 0 do
        bits, top = bits + 1, top >> 1
    end
    return #a == 0 and 0 or bits
end

-- The quotient, cut, of which at most 60 bits are needed; and whether nothing is left.
local function divide(a, b)
    local quotient = 0
    for bit = length(a) - length(b), 0, -1 do
        local part = shift(b, bit)
        quotient = quotient << 1
        if compare(a, part) >= 0 then
            a, quotient = subtract(a, part), quotient | 1
        end
    end
    return quotient, #a == 0
end

-- ---- numbers: sign * natural * 2^exponent ----------------------------------------------------------------------

local function parts_of(x)
    if x == 0 then
        return 0, 0, 0
    end
    local bits = string.unpack("<i8", string.pack("<d", x))
    local exponent, fraction = bits >> 52 & 0x7ff, bits & (1 << 52) - 1
    if exponent == 0 then
        return x < 0 and -1 or 1, fraction, -1074
    end
    return x < 0 and -1 or 1, fraction | 1 << 52, exponent - 1075
end

function exact.number(x)
    local sign, fraction, exponent = parts_of(x)
    return { sign = sign, natural = natural(fraction), exponent = exponent }
end

local function aligned(a, b)
    local least = math.min(a.exponent, b.exponent)
    return shift(a.natural, a.exponent - least), shift(b.natural, b.exponent - least), least
end

function exact.add(a, b)
    if a.sign == 0 or b.sign == 0 then
        return a.sign == 0 and b or a
    end
    local x, y, exponent = aligned(a, b)
    if a.sign == b.sign then
        return { sign = a.sign, natural = add(x, y), exponent = exponent }
    end
    local order = compare(x, y)
    local rest = order >= 0 and subtract(x, y) or subtract(y, x)
    return { sign = order * a.sign, natural = rest, exponent = exponent }
end

function exact.multiply(a, b)
    return { sign = a.sign * b.sign, natural = multiply(a.natural, b.natural), exponent = a.exponent + b.exponent }
end

function exact.negate(a) return { sign = -a.sign, natural = a.natural, exponent = a.exponent } end

-- ---- rounding: to nearest, ties to even --------------------------------------------------------------------------

local FORMS = { f32 = { 24, -149 }, f64 = { 53, -1074 }, f16 = { 11, -24 }, bf16 = { 8, -133 } } -- within the range

-- quotient * 2^exponent, and more than that unless `whole`; the quotient has some bits more than the dtype.
local function round(sign, quotient, exponent, whole, dtype)
    local digits, least = table.unpack(FORMS[dtype])
    local bits = length(natural(quotient))
    local cut = math.max(bits - digits, least - exponent)
    if cut > 62 then
        return 0.0 * sign
    end
    local kept, rest, half = quotient >> cut, quotient & (1 << cut) - 1, 1 << cut - 1
    if rest > half or rest == half and (not whole or kept & 1 == 1) then
        kept = kept + 1
    end
    local x = (kept + 0.0) * 2.0 ^ ((exponent + cut) // 2) * 2.0 ^ ((exponent + cut) - (exponent + cut) // 2)
    return sign * (dtype == "f32" and x >= 2.0 ^ 128 and math.huge or x)
end

-- a / n as a float, or its root.
local function rounded_ratio(a, n, dtype, root)
    if a.sign == 0 then
        return 0.0
    end
    local wanted = root and 118 or 58
    local up = wanted - length(a.natural) + length(n)
    if root and (a.exponent - up) % 2 == 1 then
        up = up + 1
    end
    local number, divisor, exponent = a.natural, n, a.exponent - up
    if up >= 0 then
        number = shift(number, up)
    else
        divisor = shift(divisor, -up)
    end
    if not root then
        local quotient, whole = divide(number, divisor)
        return round(a.sign, quotient, exponent, whole, dtype)
    end
    -- The greatest r of 60 bits with r^2 * divisor <= number, bit by bit.
    local r = 0
    for bit = 60, 0, -1 do
        local next = natural(r | 1 << bit)
        if compare(multiply(multiply(next, next), divisor), number) <= 0 then
            r = r | 1 << bit
        end
    end
    local square = multiply(multiply(natural(r), natural(r)), divisor)
    return round(1, r, exponent // 2, compare(square, number) == 0, dtype)
end

-- a / b, of exact numbers, rounded once.
function exact.quotient(a, b, dtype)
    local sign, exponent = a.sign * b.sign, a.exponent - b.exponent
    return rounded_ratio({ sign = sign, natural = a.natural, exponent = exponent }, b.natural, dtype)
end

-- ---- reductions -----------------------------------------------------------------------------------------------------

local function sum(list, of)
    local whole = exact.number(0.0)
    for _, x in ipairs(list) do
        whole = exact.add(whole, of(exact.number(x + 0.0)))
    end
    return whole
end

local function same(x) return x end
local function size(x) return { sign = x.sign * x.sign, natural = x.natural, exponent = x.exponent } end
local function square(x) return exact.multiply(x, x) end

local ONE = natural(1)

-- n * sum of squares - square of the sum: n^2 times the variance.
local function spread(list)
    local whole = sum(list, same)
    return exact.add(exact.multiply(exact.number(#list + 0.0), sum(list, square)), exact.negate(square(whole)))
end

exact.reductions = {
    sum = function(list, dtype) return rounded_ratio(sum(list, same), ONE, dtype) end,
    asum = function(list, dtype) return rounded_ratio(sum(list, size), ONE, dtype) end,
    sumsq = function(list, dtype) return rounded_ratio(sum(list, square), ONE, dtype) end,
    norm = function(list, dtype) return rounded_ratio(sum(list, square), ONE, dtype, true) end,
    mean = function(list, dtype) return rounded_ratio(sum(list, same), natural(#list), dtype) end,
    var = function(list, dtype, ddof)
        return rounded_ratio(spread(list), multiply(natural(#list), natural(#list - (ddof or 0))), dtype)
    end,
    std = function(list, dtype, ddof)
        return rounded_ratio(spread(list), multiply(natural(#list), natural(#list - (ddof or 0))), dtype, true)
    end,
}
exact.reductions.nansum = exact.reductions.sum

-- The sum of products of two lists' elements.
function exact.dot(a, b, dtype)
    local whole = exact.number(0.0)
    for i, x in ipairs(a) do
        whole = exact.add(whole, exact.multiply(exact.number(x + 0.0), exact.number(b[i] + 0.0)))
    end
    return rounded_ratio(whole, ONE, dtype)
end

return exact
