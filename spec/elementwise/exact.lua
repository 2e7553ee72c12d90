-- Errors of elementwise functions beside exact values (exact.c, which is compiled here), in units of the last place,
-- with OpenCL's bounds. spec/elementwise/accuracy_spec.lua holds the bounds, tools/accuracy.lua prints the errors.

local numbers = require "spec.numbers"

local exact = {}

-- name, operands, OpenCL's bound in f32, and in f64 where that is another. 0.5: rounded correctly. lgamma has none.
-- sigmoid and mod are not OpenCL's: the bounds of their parts, exp and a quotient, fmod and a sum.
exact.functions = {
    { "neg", 1, 0 }, { "abs", 1, 0 }, { "sign", 1, 0 }, { "floor", 1, 0 }, { "ceil", 1, 0 }, { "round", 1, 0 },
    { "trunc", 1, 0 }, { "add", 2, 0.5 }, { "sub", 2, 0.5 }, { "mul", 2, 0.5 }, { "square", 1, 0.5 },
    { "fma", 3, 0.5 }, { "div", 2, 2.5, 0.5 }, { "recip", 1, 2.5, 0.5 }, { "fmod", 2, 0 }, { "mod", 2, 0.5 },
    { "copysign", 2, 0 }, { "sqrt", 1, 3, 0.5 }, { "rsqrt", 1, 2 }, { "cbrt", 1, 2 }, { "hypot", 2, 4 },
    { "pow", 2, 16 }, { "exp", 1, 3 }, { "exp2", 1, 3 }, { "exp10", 1, 3 }, { "expm1", 1, 3 }, { "log", 1, 3 },
    { "log2", 1, 3 }, { "log10", 1, 3 }, { "log1p", 1, 2 }, { "sigmoid", 1, 9.5 }, { "sin", 1, 4 }, { "cos", 1, 4 },
    { "tan", 1, 5 }, { "asin", 1, 4 }, { "acos", 1, 4 }, { "atan", 1, 5 }, { "atan2", 2, 6 }, { "sinpi", 1, 4 },
    { "cospi", 1, 4 }, { "sinh", 1, 4 }, { "cosh", 1, 4 }, { "tanh", 1, 5 }, { "asinh", 1, 4 }, { "acosh", 1, 4 },
    { "atanh", 1, 5 }, { "erf", 1, 16 }, { "erfc", 1, 16 }, { "tgamma", 1, 16 }, { "lgamma", 1 },
    { "sinc", 1, 6 }, { "deg", 1, 1.5 }, { "rad", 1, 1.5 }, { "softplus", 1, 6 }, { "logb", 1, 0 }, { "i0", 1, 8 },
    { "erfinv", 1, 8 }, { "digamma", 1, 24, 48 }, { "powi", 2, 16 }, { "ldexp", 2, 0.5 }, { "logaddexp", 2, 6 },
    { "xlogy", 2, 4 }, { "heaviside", 2, 0 }, { "erfcx", 1, 16 }, { "erfcinv", 1, 8 }, { "expint", 1, 8 },
    { "i1", 1, 8 }, { "j0", 1, 16 }, { "j1", 1, 16 }, { "y0", 1, 32 }, { "y1", 1, 32 },
}

-- The bound of a row in a dtype. Elements of 16 bits are computed in f32, and rounded once.
function exact.bound(row, dtype)
    local f32, f64 = row[3], row[4] or row[3]
    if not f32 or dtype == "f32" then
        return f32
    elseif dtype == "f64" then
        return f64
    end
    local finer = numbers.dtype.f32.eps / numbers.dtype[dtype].eps
    return f32 == 0 and 0 or 0.5 + 2 * f32 * finer -- twice: just below a power of two f32's unit is half as long
end

-- ---- operands -----------------------------------------------------------------------------------------------------

local PACK = { f16 = "<I2", bf16 = "<I2", f32 = "<f", f64 = "<d" }
local LAYOUT = { f16 = { 10, 5 }, bf16 = { 7, 8 }, f32 = { 23, 8 }, f64 = { 52, 11 } } -- bits of fraction and exponent

local SPECIAL = {
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, -3.0, 10.0, -10.0, 1.5, -1.5, 2.5, -2.5, 1 / 0, -1 / 0, 0 / 0,
}

-- All numbers of 16 bits, or each `step`-th; f16's denormal ones too, which are normal where it is computed.
local function patterns(dtype, step)
    local fraction, list = LAYOUT[dtype][1], {}
    for bits = 0, 65535, step do
        local denormal = (bits & 0x7fff) >> fraction == 0 and bits & 0x7fff ~= 0
        if dtype == "f16" or not denormal then
            list[#list + 1] = string.pack("<I2", bits)
        end
    end
    return list
end

-- Normal numbers of all exponents up to the `most`-th from 1 either way, of both signs.
local function scattered(list, dtype, count, random, most)
    local fraction, exponent = table.unpack(LAYOUT[dtype])
    local bias = (1 << exponent - 1) - 1
    local reach = math.min(most, bias - 1)
    local width = numbers.dtype[dtype].bytes
    for _ = 1, count do
        local bits = random(0, 1) << fraction + exponent | random(bias - reach, bias + reach) << fraction
            | random(0, (1 << fraction) - 1)
        list[#list + 1] = string.pack("<I" .. width, bits & (width == 8 and -1 or (1 << 8 * width) - 1))
    end
end

local function even(list, dtype, count, random, reach)
    for _ = 1, count do
        list[#list + 1] = string.pack(PACK[dtype], reach * (random(0, 1 << 40) / 2.0 ^ 39 - 1))
    end
end

-- Raw elements for a function's operands: about `count`, from the seed. The first operand of each function is the same.
function exact.operands(dtype, count, seed)
    local random, list = numbers.generator(seed), {}
    if numbers.dtype[dtype].packed then
        list = patterns(dtype, math.max(1, 65536 // count | 1))
        if seed > 1 then
            for i = #list, 2, -1 do
                local k = random(1, i)
                list[i], list[k] = list[k], list[i]
            end
        end
        return table.concat(list)
    end
    for _, x in ipairs(SPECIAL) do
        for _ = 1, seed == 1 and #SPECIAL or 1 do
            list[#list + 1] = string.pack(PACK[dtype], x)
        end
    end
    while seed > 1 and #list < #SPECIAL * #SPECIAL do -- each special number meets each
        list[#list + 1] = list[#list - #SPECIAL + 1]
    end
    local part = math.max(1, (count - #list) // 6)
    scattered(list, dtype, part, random, 1 << 30)
    scattered(list, dtype, part, random, 8)
    even(list, dtype, part, random, 1)
    even(list, dtype, part, random, 20)
    even(list, dtype, part, random, 100)
    even(list, dtype, part, random, 800)
    return table.concat(list)
end

-- ---- errors -------------------------------------------------------------------------------------------------------

local function command_output(command)
    local pipe = assert(io.popen(command))
    local text = pipe:read "a"
    return text, pipe:close()
end

-- For each job {name, dtype, results, operands ...}, texts of raw elements, a table: error, of, got, wanted.
function exact.worst(jobs)
    local folder = command_output("mktemp -d"):gsub("%s+$", "")
    local files, lines, count = {}, {}, 0
    local function file_of(text)
        if not files[text] then
            count = count + 1
            files[text] = ("%s/%d"):format(folder, count)
            local file <close> = assert(io.open(files[text], "wb"))
            file:write(text)
        end
        return files[text]
    end
    for _, job in ipairs(jobs) do
        local words = { job[1], job[2] }
        for k = 3, #job do
            words[k] = file_of(job[k])
        end
        lines[#lines + 1] = table.concat(words, " ")
    end
    local list <close> = assert(io.open(folder .. "/jobs", "w"))
    list:write(table.concat(lines, "\n"), "\n")
    list:flush()
    local text, ended = command_output(("cd %s && %s -O2 -D_GNU_SOURCE -o exact %s -lm && ./exact <jobs; "
        .. "code=$?; rm -rf %s; exit $code"):format(folder, os.getenv "CC" or "cc",
        command_output "pwd":gsub("%s+$", "") .. "/spec/elementwise/exact.c", folder))
    assert(ended, "spec/elementwise/exact.c failed")
    local found = {}
    for line in text:gmatch "[^\n]+" do
        local words = {}
        for word in line:gmatch "%S+" do
            words[#words + 1] = word
        end
        found[#found + 1] = { error = tonumber(words[1]) or math.huge, got = words[5], wanted = words[6],
            of = table.concat(words, ", ", 2, 1 + #jobs[#found + 1] - 3) }
    end
    return found
end

return exact
