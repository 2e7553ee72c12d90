-- Numbers as the dtypes hold them: ranges, rounding, casts, and lists of numbers to work on.

local numbers = {}

-- ---- dtypes -------------------------------------------------------------------------------------------

local function integer(name, kind, bits)
    local low = kind == "signed" and -1 << bits - 1 or 0
    local high = kind == "signed" and ~low or (bits == 64 and -1 or (1 << bits) - 1) -- u64's as the same 64 bits
    return { name = name, kind = kind, bits = bits, bytes = bits // 8, low = low, high = high }
end

-- eps: the distance from 1 to the next number; tiny: the smallest positive number; largest: the largest finite one;
-- packed: stored in 16 bits and computed in f32.
numbers.dtypes = {
    integer("i8", "signed", 8), integer("u8", "unsigned", 8), integer("i16", "signed", 16),
    integer("u16", "unsigned", 16), integer("i32", "signed", 32), integer("u32", "unsigned", 32),
    integer("i64", "signed", 64), integer("u64", "unsigned", 64),
    { name = "f16", kind = "float", bits = 16, bytes = 2, eps = 2 ^ -10, tiny = 2 ^ -24, largest = 65504.0,
        packed = true },
    { name = "bf16", kind = "float", bits = 16, bytes = 2, eps = 2 ^ -7, tiny = 2 ^ -133,
        largest = (2 - 2 ^ -7) * 2.0 ^ 127, packed = true },
    { name = "f32", kind = "float", bits = 32, bytes = 4, eps = 2 ^ -23, tiny = 2 ^ -149,
        largest = (2 - 2 ^ -23) * 2.0 ^ 127 },
    { name = "f64", kind = "float", bits = 64, bytes = 8, eps = 2 ^ -52, tiny = 2 ^ -1074,
        largest = (2 - 2 ^ -52) * 2.0 ^ 1023 },
}

numbers.dtype = {}
for _, dtype in ipairs(numbers.dtypes) do
    numbers.dtype[dtype.name] = dtype
end

function numbers.is_float(name)
    return numbers.dtype[name].kind == "float"
end

-- x rounded to a float dtype, to nearest, ties to even.
function numbers.round(x, name)
    x = x + 0.0
    if name == "f64" or x ~= x or x == 0 or math.abs(x) == math.huge then
        return x
    elseif name == "f32" then
        return (string.unpack("f", string.pack("f", x)))
    end
    -- A multiple of `unit`, in which the division and the product are exact.
    local magnitude, dtype = math.abs(x), numbers.dtype[name]
    local unit = math.max(dtype.tiny, dtype.eps * 2.0 ^ math.floor(math.log(magnitude, 2) - 1)) -- at most the right one
    while magnitude >= 2 / dtype.eps * unit do
        unit = unit * 2
    end
    local count = magnitude / unit
    local below = math.floor(count)
    local rest = count - below
    if rest > 0.5 or (rest == 0.5 and below % 2 == 1) then
        below = below + 1
    end
    local rounded = below * unit
    rounded = rounded > dtype.largest and math.huge or rounded
    return x < 0 and -rounded or rounded
end

-- The integer with the same low bits that the dtype can hold.
function numbers.wrap(x, name)
    local dtype = numbers.dtype[name]
    if dtype.bits == 64 then
        return x
    end
    x = x & ((1 << dtype.bits) - 1)
    return dtype.kind == "signed" and x > dtype.high and x - (1 << dtype.bits) or x
end

-- An integer, of 64 bits with or without a sign, as a float dtype's number, rounded once.
local function integer_to_float(x, is_unsigned, name)
    local scale = 1.0
    if is_unsigned and x < 0 then
        x, scale = x >> 1 | x & 1, 2.0 -- the lost bit stays as a trace: halves are still told from their neighbours
    end
    if name == "f64" then
        return (x + 0.0) * scale
    end
    if x > 1 << 53 or x < -(1 << 53) then
        local sign = x < 0 and -1 or 1
        local magnitude = x < 0 and -x or x -- of math.mininteger itself: 2^63 without a sign
        local lost = magnitude & 0x7ff
        x = sign * ((magnitude >> 11) * 2048.0 + (lost ~= 0 and 2048.0 * (magnitude >> 11 & 1 == 0 and 1 or 0) or 0))
    end
    return numbers.round((x + 0.0) * scale, name)
end

-- What `cast` makes of one element: integers saturate, NaN becomes integer 0, floats are cut toward zero.
function numbers.cast(x, from, to)
    local source, target = numbers.dtype[from], numbers.dtype[to]
    if target.kind == "float" then
        if source.kind == "float" then
            return numbers.round(x, to)
        end
        return integer_to_float(x, source.kind == "unsigned", to)
    end
    if source.kind == "float" then
        if x ~= x then
            return 0
        end
        x = x < 0 and math.ceil(x) + 0.0 or math.floor(x) + 0.0 -- math.floor may give an integer
        local bottom, top = target.low + 0.0, 2.0 ^ (target.kind == "signed" and target.bits - 1 or target.bits)
        if x < bottom then
            return target.low
        elseif x >= top then
            return target.high
        elseif x >= 2.0 ^ 63 then
            return math.tointeger(x - 2.0 ^ 63) | math.mininteger
        end
        return math.tointeger(x)
    end
    if source.kind == "unsigned" then
        return math.ult(target.high, x) and target.high or x
    elseif target.kind == "unsigned" then
        return x < 0 and 0 or (math.ult(target.high, x) and target.high or x)
    end
    return x < target.low and target.low or (x > target.high and target.high or x)
end

-- ---- numbers to work on -------------------------------------------------------------------------------------

-- A generator of reproducible integers low..high.
function numbers.generator(seed)
    local state = seed * 0x9E3779B97F4A7C15 + 0x2545F4914F6CDD1D
    return function(low, high)
        state = state ~ state << 13
        state = state ~ state >> 7
        state = state ~ state << 17
        return low + ((state >> 11) % (high - low + 1))
    end
end

-- The same list again, faster than made anew, for specs that ask for it with every variant.
local made = {}

-- `count` numbers that the dtype holds exactly: integers over its range, every sixteenth or so the least or the
-- greatest of all; floats of all signs between -2 and 2.
function numbers.some(count, name, seed)
    local key = ("%d %s %d"):format(count, name, seed or 1)
    if not made[key] then
        local dtype, random, list = numbers.dtype[name], numbers.generator(seed or 1), {}
        for i = 1, count do
            if dtype.kind == "float" then
                list[i] = numbers.round(random(-1 << 40, 1 << 40) / 2.0 ^ 39, name)
            elseif random(1, 16) == 1 then
                list[i] = random(0, 1) == 1 and dtype.high or dtype.low
            else
                list[i] = numbers.wrap(random(0, 1 << 52) * 0x9E3779B97F4A7C15, name)
            end
        end
        made[key] = list
    end
    return table.move(made[key], 1, count, 1, {})
end

-- `count` small integers low..high (-4..4, or 0..8 for unsigned dtypes), as floats for float dtypes: sums and products
-- of a few thousand of them are exact in f32.
function numbers.small(count, name, seed, low, high)
    local kind = numbers.dtype[name].kind
    local random, list = numbers.generator(seed or 1), {}
    low, high = low or (kind == "unsigned" and 0 or -4), high or (kind == "unsigned" and 8 or 4)
    for i = 1, count do
        local x = random(low, high)
        list[i] = kind == "float" and x + 0.0 or x
    end
    return list
end

-- ---- Philox4x32-10 ----------------------------------------------------------------------------------------

-- The four 32-bit words that key and counter (lists of two and four words) give: Salmon, Moraes, Dror, Shaw, "Parallel
-- random numbers: as easy as 1, 2, 3", SC 2011.
function numbers.philox(key, counter)
    local k0, k1 = key[1], key[2]
    local c0, c1, c2, c3 = table.unpack(counter)
    for _ = 1, 10 do
        local first, second = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = second >> 32 ~ c1 ~ k0, second & 0xffffffff, first >> 32 ~ c3 ~ k1, first & 0xffffffff
        k0, k1 = k0 + 0x9E3779B9 & 0xffffffff, k1 + 0xBB67AE85 & 0xffffffff
    end
    return { c0, c1, c2, c3 }
end

-- The words of block b (from 0) of a stream (0) of a seed, at that attempt (0).
function numbers.random_words(seed, block, attempt, stream)
    local counter = { block & 0xffffffff, block >> 32, attempt or 0, stream or 0 }
    return numbers.philox({ seed & 0xffffffff, seed >> 32 }, counter)
end

-- The high and the low 64 bits of the product of two integers without a sign.
function numbers.multiply_wide(a, b)
    local a0, a1, b0, b1 = a & 0xffffffff, a >> 32, b & 0xffffffff, b >> 32
    local low, middle, other, high = a0 * b0, a0 * b1, a1 * b0, a1 * b1
    local carry = (low >> 32) + (middle & 0xffffffff) + (other & 0xffffffff)
    return high + (middle >> 32) + (other >> 32) + (carry >> 32), a * b
end

-- The dtype of sums and products of many elements: counts are i64, and may go below 0.
function numbers.summed(name)
    local dtype = numbers.dtype[name]
    return name ~= "u64" and dtype.kind ~= "float" and "i64" or dtype.packed and "f32" or name
end

-- Float arithmetic of a dtype: packed ones are computed in f32.
function numbers.compute_eps(name)
    return name == "f64" and 2 ^ -52 or 2 ^ -23
end

-- The sum of a list of floats, correct to a unit or so in the last place (Neumaier).
function numbers.exact_sum(list)
    local sum, rest = 0.0, 0.0
    for i = 1, #list do
        local x = list[i] + 0.0
        local next_sum = sum + x
        if math.abs(sum) >= math.abs(x) then
            rest = rest + ((sum - next_sum) + x)
        else
            rest = rest + ((x - next_sum) + sum)
        end
        sum = next_sum
    end
    return rest == rest and sum + rest or sum -- infinities make a NaN of the rest
end

-- Fractions between -1 and 1 that every float dtype but those of 16 bits holds exactly.
function numbers.fractions(count, seed)
    local random, list = numbers.generator(seed), {}
    for i = 1, count do
        list[i] = random(-1000, 1000) / 1024
    end
    return list
end

return numbers
