-- The numbers that ours and every peer work on: a short random block repeated, the same on all sides without a file.
--
-- The block's length is a prime, so that its repeats never fall on the same place of a power of two: an operation
-- that reads a wrong tile or chunk gives a wrong result. Floats are in [0, 1), with 11, 24 and 48 bits; integers are
-- in 0..127.

local data = {}

data.BLOCK = 65521
data.SECOND = 30011 -- where the second operand starts in the block

local FORMAT = {
    i8 = "b", u8 = "B", i16 = "<h", u16 = "<H", i32 = "<i4", u32 = "<I4", i64 = "<i8", u64 = "<I8",
    f32 = "<f", f64 = "<d",
}
local BYTES = { i8 = 1, u8 = 1, i16 = 2, u16 = 2, f16 = 2, i32 = 4, u32 = 4, f32 = 4, i64 = 8, u64 = 8, f64 = 8 }

function data.bytes(dtype)
    return BYTES[dtype]
end

function data.is_float(dtype)
    return dtype:sub(1, 1) == "f"
end

-- A half's bits, for the 11-bit fractions in [0, 1) that the block has.
local function half_bits(value)
    if value == 0 then
        return 0
    end
    local exponent = 15
    while value < 1 do
        value, exponent = value * 2, exponent - 1
    end
    return exponent << 10 | math.tointeger((value - 1) * 1024)
end

local function half_value(bits)
    local exponent, fraction = bits >> 10 & 31, bits & 1023
    local value = exponent == 0 and fraction * 2.0 ^ -24 or (1 + fraction / 1024) * 2.0 ^ (exponent - 15)
    return bits & 0x8000 ~= 0 and -value or value
end

local function pack(dtype, value)
    if dtype == "f16" then
        return string.pack("<I2", half_bits(value))
    end
    return string.pack(FORMAT[dtype], value)
end

-- The first numbers of the sequence, counted from 0, as Lua numbers.
function data.values(dtype, count)
    local values, state = {}, 1
    local function draw()
        state = (state * 1664525 + 1013904223) & 0xffffffff
        return state >> 8
    end
    for i = 0, (count or data.BLOCK) - 1 do
        if dtype == "f64" then
            values[i] = (draw() << 24 | draw()) / 2.0 ^ 48
        elseif dtype == "f32" then
            values[i] = draw() / 2.0 ^ 24
        elseif dtype == "f16" then
            values[i] = (draw() >> 13) / 2.0 ^ 11
        else
            values[i] = draw() >> 16 & 127
        end
    end
    return values
end

local blocks = {}

-- values: from 0 on, numbers; bytes: from 0 on, each as a string; text: all of them.
function data.block(dtype)
    if not blocks[dtype] then
        local values, bytes = data.values(dtype), {}
        for i = 0, data.BLOCK - 1 do
            bytes[i] = pack(dtype, values[i])
        end
        blocks[dtype] = { values = values, bytes = bytes, text = table.concat(bytes, "", 0, data.BLOCK - 1) }
    end
    return blocks[dtype]
end

-- `count` elements as raw bytes, from a place of the block on.
function data.text(dtype, count, shift)
    local text, size = data.block(dtype).text, BYTES[dtype]
    shift = (shift or 0) % data.BLOCK * size
    if shift > 0 then
        text = text:sub(shift + 1) .. text:sub(1, shift)
    end
    local whole = count // data.BLOCK
    return text:rep(whole) .. text:sub(1, count % data.BLOCK * size)
end

-- Numbers from raw bytes.
function data.unpack(dtype, text)
    local size, values = BYTES[dtype], {}
    local format = dtype == "f16" and "<I2" or FORMAT[dtype]
    for i = 1, #text // size do
        local value = string.unpack(format, text, (i - 1) * size + 1)
        values[i] = dtype == "f16" and half_value(value) or value
    end
    return values
end

function data.pack_all(dtype, values)
    local bytes = {}
    for i, value in ipairs(values) do
        bytes[i] = pack(dtype, value)
    end
    return table.concat(bytes)
end

-- A whole number as the integer dtype keeps it when it wraps.
function data.pack_wrapped(dtype, value)
    return string.pack("<i8", math.tointeger(value)):sub(1, BYTES[dtype])
end

local SLICE = 1 << 24 -- elements: what a string of them takes does not grow with the array

-- An array on the device, written in slices: it may be larger than what the host wants in one string.
function data.array(device, dtype, shape, shift)
    local count = 1
    for _, size in ipairs(shape) do
        count = count * size
    end
    local flat = device:zeros({ count }, dtype)
    for from = 1, count, SLICE do
        local to = math.min(count, from + SLICE - 1)
        local part <close> = flat:slice({ from, to })
        part:write(data.text(dtype, to - from + 1, (shift or 0) + from - 1))
    end
    local array = flat:reshape(shape)
    flat:release()
    return array
end

-- A function that gives elements of an array as raw bytes: from (counted from 0) and how many.
function data.reader(array)
    return function(from, count)
        local flat <close> = array:reshape({ array:size() })
        local part <close> = flat:slice({ from + 1, from + count })
        return part:tobytes()
    end
end

-- Bodies in the unit cube with random masses of about 1 / (2 count): x, y, z, mass, as a flat list from 1. They do not
-- repeat; f32's masses are rounded when they are packed.
function data.bodies(dtype, count)
    local values, flat = data.values(dtype, 4 * count), {}
    for i = 0, 4 * count - 1 do
        flat[i + 1] = i % 4 == 3 and values[i] / count or values[i]
    end
    return flat
end

return data
