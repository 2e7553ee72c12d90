-- Elementwise functions of zeros, ones, infinities, NaN and the ends of the range, whatever a driver's own do: what
-- C99's Annex F says, and of functions that C99 has not what OpenCL C's table of edge cases (7.5.1) or their row of
-- map.def says.

local lun = require "lunarray"
local helper = require "spec.helper"
local at_once = require "spec.elementwise.at_once"

local INFINITY, NAN = math.huge, 0 / 0

-- Of each dtype: the largest number, the least with all digits, the least of all, and the distance of 1 from the next.
local DTYPES = {
    { name = "f32", most = (2 - 2.0 ^ -23) * 2.0 ^ 127, normal = 2.0 ^ -126, least = 2.0 ^ -149, eps = 2.0 ^ -23 },
    { name = "f64", most = (2 - 2.0 ^ -52) * 2.0 ^ 1023, normal = 2.0 ^ -1022, least = 2.0 ^ -1074, eps = 2.0 ^ -52 },
    { name = "f16", most = 65504.0, normal = 2.0 ^ -14, least = 2.0 ^ -24, eps = 2.0 ^ -10 },
    { name = "bf16", most = (2 - 2.0 ^ -7) * 2.0 ^ 127, normal = 2.0 ^ -126, least = 2.0 ^ -133, eps = 2.0 ^ -7 },
}

-- The columns of ROWS.
local function arguments(d)
    return { 0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, NAN, d.most, -d.most, d.least, -d.least, 2.0, -2.0, 0.5 }
end

-- x: the argument itself, -x: its opposite, I and -I: infinities, N: NaN, ~: nearly 0, _: not exact, and not compared.
local ROWS = [[
            0    -0    1   -1    I   -I    N  most -most least -least 2   -2   0.5
    abs     0     0    1    1    I    I    N    x   -x     x    -x    2    2   0.5
    neg    -0     0   -1    1   -I    I    N   -x   -x    -x    -x   -2    2  -0.5
    sign    0    -0    1   -1    1   -1    N    1   -1     1    -1    1   -1    1
    square  0     0    1    1    I    I    N    I    I     0     0    4    4   0.25
    recip   I    -I    1   -1    0   -0    N    _    _     _     _   0.5 -0.5   2
    sqrt    0    -0    1    N    I    N    N    _    N     _     N    _    N    _
    rsqrt   I    -I    1    N    0    N    N    _    N     _     N    _    N    _
    cbrt    0    -0    1   -1    I   -I    N    _    _     _     _    _    _    _
    conj    0    -0    1   -1    I   -I    N    x    x     x     x    2   -2   0.5
    angle   0     _    0    _    0    _    N    0    _     0     _    0    _    0
    floor   0    -0    1   -1    I   -I    N    x    x     0    -1    2   -2    0
    ceil    0    -0    1   -1    I   -I    N    x    x     1    -0    2   -2    1
    round   0    -0    1   -1    I   -I    N    x    x     0    -0    2   -2    0
    trunc   0    -0    1   -1    I   -I    N    x    x     0    -0    2   -2    0
    exp     1     1    _    _    I    0    N    I    0     1     1    _    _    _
    exp2    1     1    2   0.5   I    0    N    I    0     1     1    4  0.25   _
    exp10   1     1   10    _    I    0    N    I    0     1     1   100   _    _
    expm1   0    -0    _    _    I   -1    N    I   -1     ~     ~    _    _    _
    log    -I    -I    0    N    I    N    N    _    N     _     N    _    N    _
    log2   -I    -I    0    N    I    N    N    _    N     _     N    1    N   -1
    log10  -I    -I    0    N    I    N    N    _    N     _     N    _    N    _
    log1p   0    -0    _   -I    I    N    N    _    N     ~     ~    _    N    _
    sin     0    -0    _    _    N    N    N    _    _     ~     ~    _    _    _
    cos     1     1    _    _    N    N    N    _    _     _     _    _    _    _
    tan     0    -0    _    _    N    N    N    _    _     ~     ~    _    _    _
    asin    0    -0    _    _    N    N    N    N    N     ~     ~    N    N    _
    acos    _     _    0    _    N    N    N    N    N     _     _    N    N    _
    atan    0    -0    _    _    _    _    N    _    _     ~     ~    _    _    _
    sinpi   0    -0    0   -0    N    N    N    _    _     _     _    0   -0    1
    cospi   1     1   -1   -1    N    N    N    _    _     1     1    1    1    0
    sinh    0    -0    _    _    I   -I    N    I   -I     ~     ~    _    _    _
    cosh    1     1    _    _    I    I    N    I    I     1     1    _    _    _
    tanh    0    -0    _    _    1   -1    N    1   -1     ~     ~    _    _    _
    asinh   0    -0    _    _    I   -I    N    _    _     ~     ~    _    _    _
    acosh   N     N    0    N    I    N    N    _    N     N     N    _    N    N
    atanh   0    -0    I   -I    N    N    N    N    N     ~     ~    N    N    _
    erf     0    -0    _    _    1   -1    N    1   -1     _     _    _    _    _
    erfc    1     1    _    _    0    2    N    0    2     1     1    _    _    _
    tgamma  I    -I    1    N    I    N    N    I    _     _     _    1    N    _
    lgamma  I     I    0    I    I    I    N    _    _     _     _    0    I    _
    sigmoid 0.5  0.5   _    _    1    0    N    1    0    0.5   0.5   _    _    _
]]

-- Where they are true, by the place of the argument.
local TRUTHS = { isnan = { [7] = true }, isinf = { [5] = true, [6] = true } }

local NUMBERS = { I = INFINITY, ["-I"] = -INFINITY, N = NAN, ["-0"] = -0.0 }

-- Is y, of the argument x, what is expected, to the sign of a zero?
local function is_right(expected, x, y, d)
    if expected == "_" then
        return true
    elseif expected == "~" then -- some flush numbers with few digits
        return math.abs(y) <= 2 * d.normal
    end
    local value = expected == "x" and x or expected == "-x" and -x or NUMBERS[expected] or tonumber(expected) + 0.0
    if math.abs(value) == math.huge or math.abs(value) <= d.most then
        return value == y and (value ~= 0 or 1 / value == 1 / y)
    end
    return value ~= value and y ~= y
end

local function table_of(text)
    local rows = {}
    for line in text:gmatch "[^\n]+" do
        local row = {}
        for word in line:gmatch "%S+" do
            row[#row + 1] = word
        end
        if #row == 15 then
            rows[#rows + 1] = row
        end
    end
    return rows
end

-- Results of functions of the same arguments, as lists. What is packed is computed in f32, so its kernels are those
-- that are built soonest.
local function results_of(names, ...)
    local packed, all = (...):dtype():find "16", {}
    for name, result in pairs(at_once(names, packed and { variant = "plain" } or nil, ...)) do
        all[name] = result:totable()
    end
    return all
end

-- C's own functions, of two arguments. hypot's special cases are the standard's.
local PAIRS = {
    pow = function(x, y) return x ^ y end,
    atan2 = math.atan,
    fmod = function(x, y) return math.fmod(x, y) end,
    add = function(x, y) return x + y end,
    sub = function(x, y) return x - y end,
    mul = function(x, y) return x * y end,
    div = function(x, y) return x / y end,
    hypot = function(x, y)
        if math.abs(x) == INFINITY or math.abs(y) == INFINITY then
            return INFINITY
        end
        return x ~= x and x or y ~= y and y or math.max(math.abs(x), math.abs(y)) -- where that is exact
    end,
    copysign = function(x, y)
        local negative = y < 0 or 1 / y < 0
        return negative and -math.abs(x) or math.abs(x)
    end,
}

-- Which pairs of arguments have an exact result.
local EXACT = {
    hypot = function(x, y) return not (math.abs(x) < INFINITY and math.abs(y) < INFINITY) or x == 0 or y == 0 end,
    copysign = function(_, y) return y == y end,
}

helper.describe_each_device("special values", function(dev)
    for _, d in ipairs(DTYPES) do
        if d.name ~= "f64" or dev:info().fp64 then
            it("of functions of one argument in " .. d.name, function()
                local list, rows, names, wrong = arguments(d), table_of(ROWS), {}, {}
                for i, row in ipairs(rows) do
                    names[i] = row[1]
                end
                names[#names + 1] = "isnan"
                names[#names + 1] = "isinf"
                local got = results_of(names, dev:array(list, d.name))
                for _, row in ipairs(rows) do
                    for i, x in ipairs(list) do
                        local y = got[row[1]][i]
                        if not is_right(row[i + 1], x, y, d) then
                            wrong[#wrong + 1] = ("%s(%.9g) is %.9g, not %s"):format(row[1], x, y, row[i + 1])
                        end
                    end
                end
                for name, true_at in pairs(TRUTHS) do
                    for i = 1, #list do
                        if (got[name][i] == 1 or got[name][i] == true) ~= (true_at[i] or false) then
                            wrong[#wrong + 1] = ("%s(%.9g) is %s"):format(name, list[i], got[name][i])
                        end
                    end
                end
                assert.same({}, wrong)
            end)

            it("of functions of two arguments in " .. d.name, function()
                local list, xs, ys, names, wrong = arguments(d), {}, {}, {}, {}
                for _, more in ipairs { 3.0, -3.0, -0.5 } do
                    list[#list + 1] = more
                end
                for _, x in ipairs(list) do
                    for _, y in ipairs(list) do
                        xs[#xs + 1], ys[#ys + 1] = x, y
                    end
                end
                for name in pairs(PAIRS) do
                    names[#names + 1] = name
                end
                table.sort(names)
                local got = results_of(names, dev:array(xs, d.name), dev:array(ys, d.name))
                local computed = dev:array(xs, "f64")
                for _, name in ipairs(names) do
                    local expected = {}
                    for i = 1, #xs do
                        expected[i] = PAIRS[name](xs[i], ys[i])
                    end
                    expected = d.name == "f64" and expected or computed:write(expected):cast(d.name):totable()
                    for i = 1, #xs do
                        local x, y, e, r = xs[i], ys[i], expected[i], got[name][i]
                        local special = e ~= e or e == 0 or math.abs(e) == INFINITY
                        local right = special and (e ~= e and r ~= r or e == r and (e ~= 0 or 1 / e == 1 / r))
                            or not special and math.abs(e - r) <= 16 * d.eps * math.abs(e) + 2 * d.normal
                        if not right and (not EXACT[name] or EXACT[name](x, y)) then
                            wrong[#wrong + 1] = ("%s(%.9g, %.9g) is %.9g, not %.9g"):format(name, x, y, r, e)
                        end
                    end
                end
                assert.same({}, wrong)
            end)
        end
    end

    it("of tanh, from where on it is 1: methods, expressions, own operators", function()
        local list = { 9.0, 9.0109134, 20.0, 1e30, INFINITY, -9.0109134, -20.0, -INFINITY, 0.0, -0.0 }
        local a = dev:array(list)
        for what, got in pairs {
            method = a:tanh(), expression = dev:map("tanh(x)", { x = a }),
            fused = lun.fuse(function(x) return x:tanh() * 1 end)(a),
            nested = dev:map("tanh (y*tanh( x )*1e9f)", { x = a, y = 1 }),
        } do
            got = got:totable()
            for i = 2, 8 do
                assert.equal(i < 6 and 1.0 or -1.0, got[i], what .. " at " .. i)
            end
            assert.same({ INFINITY, -INFINITY }, { 1 / got[9], 1 / got[10] }, what)
        end
        assert.equal(4.0, dev:reduce("sum", "tanh(x)", { x = a:slice { 2, 5 } }))
        assert.equal(3.0, a:slice({ 3, 5 }):reduce { map = "tanh(x)", combine = "a + b", identity = "0" })
    end)
end)
