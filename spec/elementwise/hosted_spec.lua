-- The rows of map.def that follow another host's rules than Lua's, and the cast that rounds: a host in C calls them,
-- since
-- Lua has no method of theirs.

local helper = require "spec.helper"

local shell = helper.shell
local limits = {
    i8 = { -128, 127 }, u8 = { 0, 255 }, i32 = { -1 << 31, (1 << 31) - 1 },
    i64 = { math.mininteger, math.maxinteger },
}

-- A float's nearest integer, halves away from 0, within a dtype's limits; NaN is 0.
local function nearest(dtype, x)
    local low, high = table.unpack(limits[dtype])
    if x ~= x then
        return 0
    elseif x <= low or x >= high then
        return x > 0 and high or low
    end
    local whole = math.tointeger(x < 0 and -math.floor(-x) or math.floor(x))
    local rest = math.abs(x - whole)
    return rest < 0.5 and whole or x < 0 and whole - 1 or whole + 1
end

local function kept(dtype, x) return math.max(limits[dtype][1], math.min(limits[dtype][2], x)) end

-- Of integers whose results Lua's hold.
local exact = {
    saturated_add = function(a, b) return a + b end,
    saturated_sub = function(a, b) return a - b end,
    saturated_mul = function(a, b) return a * b end,
    saturated_div = function(a, b, dtype)
        if b == 0 then
            return a == 0 and 0 or limits[dtype][a < 0 and 1 or 2]
        end
        local q, r = math.abs(a) // math.abs(b), math.abs(a) % math.abs(b)
        q = 2 * r >= math.abs(b) and q + 1 or q
        return (a < 0) == (b < 0) and q or -q
    end,
    saturated_pow = function(a, b)
        if b < 0 then
            return math.abs(a) == 1 and (b % 2 == 0 and 1 or a) or 0
        end
        local power = a ^ b
        return math.abs(power) < 2 ^ 53 and math.tointeger(power) or power < 0 and -1 << 60 or 1 << 60
    end,
    fmin = function(a, b) return a < b and a or b end,
    fmax = function(a, b) return a > b and a or b end,
    modulo = function(a, b) return b == 0 and a or a % b end,
    remainder = function(a, b) return b == 0 and 0 or math.fmod(a, b) end,
}

describe("rows by another host's rules", function()
    local program = os.tmpname()
    setup(function()
        local machine = helper.read_file "build/machine"
        local libraries = machine:match("opencl_libs=([^\n]*)") .. " " .. machine:match("zlib_libs=([^\n]*)")
        local output,
            status = shell(("%s -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -Isrc/core -x c spec/core/hosted.c "
            .. "-x none build/liblunarray.a %s -pthread -ldl -lm -o %s"):format(os.getenv "CC" or "cc", libraries,
                program))
        assert.equal(0, status, output)
    end)
    teardown(function() os.remove(program) end)

    -- A list of { name, dtype of a, dtype of b, { a, b, a, b ... } }: for each the results' dtype and the results as
    -- text.
    local function computed(tasks)
        local results, lines = {}, {}
        helper.with_file(function(path)
            local file <close> = assert(io.open(path, "w"))
            for _, task in ipairs(tasks) do
                local operands = {}
                for i, x in ipairs(task[4]) do
                    operands[i] = type(x) == "string" and x or math.type(x) == "integer" and tostring(x)
                        or ("%.17g"):format(x)
                end
                file:write(("%s %s %s %d %s\n"):format(task[1], task[2], task[3], #operands // 2,
                    table.concat(operands, " ")))
            end
            file:close()
            local output, status = shell(program .. " <" .. path)
            assert.equal(0, status, output)
            for line in output:gmatch "[^\n]+" do
                lines[#lines + 1] = line
            end
        end)
        local at = 0
        for i, task in ipairs(tasks) do
            results[i] = { dtype = lines[at + 1], table.unpack(lines, at + 2, at + 1 + #task[4] // 2) }
            at = at + 1 + #task[4] // 2
        end
        return results
    end

    local function all_pairs(dtype)
        local list, low, high = {}, table.unpack(limits[dtype])
        for a = low, high do
            for b = low, high do
                if (b - low) % 5 == 0 or math.abs(b) <= 2 then
                    list[#list + 1], list[#list + 2] = a, b
                end
            end
        end
        return list
    end

    -- Every operand on the left, every fifth on the right, with both ends and those around 0.
    it("saturate integers, round quotients away from 0, and know no remainder of 0", function()
        for dtype, names in pairs {
            i8 = { "saturated_add", "saturated_sub", "saturated_mul", "saturated_div", "saturated_pow", "fmin",
                "modulo", "remainder" },
            u8 = { "saturated_add", "saturated_sub", "saturated_mul", "saturated_div", "fmax", "modulo" },
        } do
            local operands, tasks = all_pairs(dtype), {}
            for i, name in ipairs(names) do
                tasks[i] = { name, dtype, dtype, operands }
            end
            for i, results in ipairs(computed(tasks)) do
                local name = tasks[i][1]
                assert.equal(dtype, results.dtype)
                for k = 1, #operands // 2 do
                    local a, b = operands[2 * k - 1], operands[2 * k]
                    local wanted = kept(dtype, exact[name](a, b, dtype))
                    if tonumber(results[k]) ~= wanted then
                        error(("%s of %s: %d and %d: %s, not %d"):format(name, dtype, a, b, results[k], wanted))
                    end
                end
            end
        end
    end)

    -- name, dtype, then a, b and what is needed, as text.
    local function check(rows)
        local tasks, wanted = {}, {}
        for i, row in ipairs(rows) do
            local operands = {}
            wanted[i] = { dtype = row[4] }
            for k = 5, #row, 3 do
                operands[#operands + 1], operands[#operands + 2] = row[k], row[k + 1]
                table.insert(wanted[i], row[k + 2])
            end
            tasks[i] = { row[1], row[2], row[3], operands }
        end
        for i, results in ipairs(computed(tasks)) do
            for k, text in ipairs(results) do -- -0 is no 0
                results[k] = (text:find "nan" and "nan") or text
            end
            assert.same(wanted[i], results, rows[i][1] .. " of " .. rows[i][2] .. " and " .. rows[i][3])
        end
    end

    it("saturate at the ends of wide integers", function()
        local low, high, most = "-9223372036854775808", "9223372036854775807", "18446744073709551615"
        check {
            { "saturated_add", "i64", "i64", "i64", high, "1", high, low, "-1", low, high, low, "-1", "5", "-7", "-2" },
            { "saturated_sub", "i64", "i64", "i64", high, "-1", high, low, "1", low, "0", low, high, "5", "7", "-2" },
            { "saturated_mul", "i64", "i64", "i64", high, "2", high, high, "-2", low, low, "-1", high, "3037000500",
                "3037000500", high, "3037000499", "-3037000499", "-9223372030926249001", low, "1", low },
            { "saturated_mul", "i32", "i32", "i32", "65536", "32768", "2147483647", "-65536", "32768", "-2147483648",
                "46341", "46341", "2147483647", "46340", "-46340", "-2147395600", "-2147483648", "-1", "2147483647" },
            { "saturated_div", "i64", "i64", "i64", high, "2", "4611686018427387904", low, "-1", high, high, "0", high,
                low, "0", low, "0", "0", "0", high, low, "-1", low, "3", "-3074457345618258603", "-7", "2", "-4" },
            { "saturated_pow", "i64", "i64", "i64", "2", "62", "4611686018427387904", "2", "63", high, "-2", "63",
                low, "-3", "41", low, "7", "0", "1", "-1", low, "1", "0", "-1", "0" },
            { "saturated_add", "u64", "u64", "u64", most, "1", most, "9223372036854775808", "9223372036854775807",
                most },
            { "saturated_sub", "u64", "u64", "u64", "1", "2", "0", most, "1", "18446744073709551614" },
            { "saturated_mul", "u64", "u64", "u64", "4294967296", "4294967296", most, "4294967295", "4294967297",
                most },
            { "saturated_div", "u64", "u64", "u64", most, "2", "9223372036854775808", most, "0", most, "0", "0", "0",
                "5", "2", "3", most, most, "1", "9223372036854775807", most, "0", "9223372036854775808", most, "1" },
            { "saturated_pow", "u64", "u64", "u64", "2", "64", most, "3", "40", "12157665459056928801" },
        }
    end)

    it("negate within integers", function()
        check {
            { "saturated_neg", "i8", "i8", "i8", "-128", "0", "127", "5", "0", "-5", "0", "0", "0" },
            { "saturated_neg", "u8", "u8", "u8", "200", "0", "0", "0", "0", "0" },
            { "saturated_abs", "i8", "i8", "i8", "-128", "0", "127", "-5", "0", "5", "7", "0", "7" },
            { "saturated_abs", "u8", "u8", "u8", "200", "0", "200" },
        }
    end)

    it("compute integers with floats in these, and round halves away from 0", function()
        check {
            { "saturated_add", "i8", "f64", "i8", "5", 0.5, "6", "-5", -0.5, "-6", "100", 27.6, "127", "1", "nan",
                "0" },
            { "saturated_sub", "u8", "f64", "u8", "5", 5.4, "0", "5", 2.5, "3", "200", -100, "255" },
            { "saturated_mul", "i32", "f64", "i32", "5", 0.3, "2", "-5", 0.3, "-2", "2000000000", 2, "2147483647" },
            { "saturated_div", "f64", "i8", "i8", 7, "2", "4", -7, "2", "-4", 1, "0", "127", -1, "0", "-128", 0, "0",
                "0" },
            { "saturated_pow", "i8", "f64", "i8", "2", -1, "1", "9", 0.5, "3", "0", -1, "127", "-2", 7, "-128" },
        }
    end)

    it("round halves away from 0, and lose NaN", function()
        local halves = { "f64", "f64", "f64", 2.5, 0, "3", -2.5, 0, "-3", 0.5, 0, "1", 0.49999999999999994, 0, "0",
            "inf", 0, "inf", "nan", 0, "nan", -1.5, 0, "-2" }
        check {
            { "round_away", table.unpack(halves) },
            { "round_away", "f32", "f32", "f32", 2.5, 0, "3", -0.5, 0, "-1", 8388609, 0, "8388609" },
            { "round_away", "i8", "i8", "i8", "-128", "0", "-128" },
            { "fmin", "f64", "f64", "f64", "nan", 1, "1", 1, "nan", "1", "nan", "nan", "nan", 1, 2, "1", 2, 1, "1",
                "-inf", "nan", "-inf" },
            { "fmax", "f64", "f64", "f64", "nan", 1, "1", 1, "nan", "1", "nan", "nan", "nan", 1, 2, "2", 2, 1, "2",
                "-inf", "nan", "-inf" },
        }
    end)

    it("leave nothing of what is a multiple but for rounding, and NaN by what is not finite", function()
        local rows = {}
        for _, dtype in ipairs { "f32", "f64" } do
            table.insert(rows, { "modulo", dtype, dtype, dtype, 1.5, 0.3, "0", 0.9, 0.3, "0", -0.9, 0.3, "0", 0.9,
                -0.3, "-0",
                5.5, 2, "1.5", -5.5, 2, "0.5", 5.5, -2, "-0.5", -5.5, -2, "-1.5", 7, 0, "7", -7, 0, "-7", 1, "inf",
                    "nan",
                "inf", 3, "nan", "nan", 3, "nan", 3, "nan", "nan", 6, 3, "0", -6, 3, "0", 0.25, 0.5, "0.25", 0, 0.5,
                    "0" })
            table.insert(rows, { "remainder", dtype, dtype, dtype, 1.5, 0.3, "0", 0.9, 0.3, "0", -0.9, 0.3, "-0", 5.5,
                2, "1.5",
                -5.5, 2, "-1.5", 5.5, -2, "1.5", 7, 0, "nan", 1, "inf", "nan", "inf", 3, "nan", -6, 3, "-0", 0.25,
                    0.5, "0.25" })
        end
        for _, pair in ipairs { { 0.30000001, 0.1 }, { 8.999999999999998, 3 } } do -- of f64 no multiples
            local a, b = table.unpack(pair)
            table.move({ a, b, ("%.17g"):format(math.fmod(a, b)) }, 1, 3, #rows[3] + 1, rows[3])
        end
        check(rows)
    end)

    it("cast to the nearest integer, halves away from 0, within the dtype", function()
        local numbers = { 0.5, -0.5, 1.5, -2.5, 126.5, 127.4, 127.5, -128.5, -129, 254.5, 255.5, 1e300, -1e300, 0,
            "nan", 2 ^ 31 - 0.5, -2 ^ 31 - 0.4, 2 ^ 62, -2 ^ 62, 0.49999999999999994 }
        local operands, tasks, dtypes = {}, {}, { "i8", "u8", "i32", "i64" }
        for _, x in ipairs(numbers) do
            operands[#operands + 1], operands[#operands + 2] = x, 0
        end
        for i, dtype in ipairs(dtypes) do
            tasks[i] = { "cast_" .. dtype, "f64", "f64", operands }
        end
        for i, results in ipairs(computed(tasks)) do
            assert.equal(dtypes[i], results.dtype)
            for k, x in ipairs(numbers) do
                assert.equal(nearest(dtypes[i], x == "nan" and 0 / 0 or x), math.tointeger(tonumber(results[k])),
                    dtypes[i] .. " of " .. tostring(x))
            end
        end
        check {
            { "cast_u64", "f64", "f64", "u64", 2 ^ 64, 0, "18446744073709551615", 2 ^ 63, 0, "9223372036854775808",
                -1, 0, "0", 2.5, 0, "3" },
            { "cuts_i8", "f32", "f32", "i8", 2.5, 0, "2", -300, 0, "-128" },
            { "cast_i8", "f32", "f32", "i8", 2.5, 0, "3", -300, 0, "-128", "nan", 0, "0" },
            { "cast_i8", "i32", "i32", "i8", "200", "0", "127", "-200", "0", "-128", "7", "0", "7" },
        }
    end)
end)
