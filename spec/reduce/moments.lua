-- Means, variances and deviations of numbers whose sums or squares are too large for their dtype: checks by name, each
-- called with a device, a dtype and a variant. Each size and each layout is a program more, of the largest that there
-- are: a GPU takes seconds for one.

local lun = require "lunarray"
local helper = require "spec.helper"

local INFINITY, NAN = math.huge, 0 / 0
local OPS = { "mean", "var", "std" }

-- Of each dtype: half of what overflows, a number whose square does not, a factor that makes it small, and the units in
-- which plain Lua computes what is large.
local SIZES = {
    f32 = { half = 2.0 ^ 127, root = 2.0 ^ 62, tiny = 2.0 ^ -90, unit = 1.0, eps = 2.0 ^ -23 },
    f64 = { half = 2.0 ^ 1023, root = 2.0 ^ 510, tiny = 2.0 ^ -900, unit = 2.0 ^ 600, eps = 2.0 ^ -52 },
}

-- Mean, variance and deviation of a list, computed in such units.
local function moments(list, unit)
    local mean, squares = 0.0, 0.0
    for _, x in ipairs(list) do
        mean = mean + x / unit / #list
    end
    for _, x in ipairs(list) do
        squares = squares + (x / unit - mean) ^ 2
    end
    return mean * unit, squares / #list * unit * unit, (squares / #list) ^ 0.5 * unit
end

-- Compares results with expected ones, of `count` numbers (64) of that size.
local function check(expected, actual, dtype, size, what, count)
    for i, x in ipairs(expected) do
        local largest = SIZES[dtype].half * 2
        local wanted = math.abs(x) < largest and x or x ~= x and x or x > 0 and INFINITY or -INFINITY
        local scale = i == 2 and size * size or size
        local tolerance = math.abs(wanted) < INFINITY and scale * SIZES[dtype].eps * (count or 64) or 0
        helper.check_number(wanted, actual[i], tolerance, what .. ", " .. OPS[i])
    end
end

local checks = {}

checks["of a few numbers"] = function(dev, dtype, variant)
    local size = SIZES[dtype]
    for _, list in ipairs { { 1, 1, -1, 1.5 }, { 1, -1 }, { 1.9, -1.9, 1.9, -1.9, 1.9 }, { 2.0 ^ -100, 1 } } do
        for i, x in ipairs(list) do
            list[i] = x * size.half
        end
        local got = { dev:array(list, dtype):reduce(OPS, { variant = variant }) }
        check({ moments(list, size.unit) }, got, dtype, size.half, #list .. " numbers")
    end
    local pair = dev:array({ size.half, -size.half }, dtype)
    helper.check_list({ 0.0, INFINITY, size.half }, { pair:reduce(OPS, { variant = variant }) })
end

checks["of many numbers"] = function(dev, dtype, variant)
    local size = SIZES[dtype]
    local half, root, most = size.half, size.root, size.half * (2 - size.eps)
    for _, n in ipairs { 64, 100003 } do
        local what, odd = n .. " numbers", n % 2 / n
        local function got(a) return { a:reduce(OPS, { variant = variant }) } end
        helper.check_list({ most, 0.0, 0.0 }, got(dev:full({ n }, most, dtype)), 0, what)
        local signs = dev:arange(1, n):mod(2):mul(2):sub(1):cast(dtype)
        local share = 1 - odd * odd
        check({ odd * half, INFINITY, share ^ 0.5 * half }, got(signs * half), dtype, half, what)
        check({ odd * root, share * root * root, share ^ 0.5 * root }, got(signs * root), dtype, root,
            "squares of " .. what)
        local some = dev:full({ n }, half, dtype) -- one part is large, another is not
        some:slice { n // 2, n }:fill(1)
        share = (n // 2 - 1) / n
        check({ share * half, INFINITY, (share * (1 - share)) ^ 0.5 * half }, got(some), dtype, half,
            "some of " .. what)
    end
end

checks["where infinities or NaN are among them"] = function(dev, dtype, variant)
    local n, half = 100003, SIZES[dtype].half
    local signs = dev:arange(1, n):mod(2):mul(2):sub(1):cast(dtype) * half
    for i, case in ipairs {
        { INFINITY, { [2] = INFINITY } }, { -INFINITY, { [n] = -INFINITY } }, { NAN, { [n] = NAN } },
        { NAN, { [5] = INFINITY, [2000] = -INFINITY } }, { NAN, { [1] = NAN, [n] = INFINITY } },
    } do
        local a = signs:copy()
        for at, x in pairs(case[2]) do
            a:set(x, at)
        end
        check({ case[1], NAN, NAN }, { a:reduce(OPS, { variant = variant }) }, dtype, half, "case " .. i)
    end
end

checks["along axes, each output by itself"] = function(dev, dtype, variant)
    local size = SIZES[dtype]
    for _, shape in ipairs { { 3, 40 }, { 301, 43 } } do
        local rows, columns = table.unpack(shape)
        for axis = 1, 2 do -- every second output is of small numbers
            local lists, list = {}, {}
            for i = 1, rows do
                for j = 1, columns do
                    local o = axis == 1 and j or i
                    local x = ((3 * i + 7 * j) % 5 - 2) / 2 * size.half * (o % 2 == 0 and size.tiny or 1)
                    lists[o] = lists[o] or {}
                    table.insert(lists[o], x)
                    list[#list + 1] = x
                end
            end
            local a = dev:array(list, dtype):reshape(rows, columns)
            local mean, var, std
            local can = helper.can(function() mean, var, std = a:reduce(OPS, { axis = axis, variant = variant }) end)
            for o, some in ipairs(can and lists or {}) do
                check({ moments(some, o % 2 == 0 and 1 or size.unit) }, { mean:get(o), var:get(o), std:get(o) }, dtype,
                    size.half * (o % 2 == 0 and size.tiny or 1),
                    ("%dx%d, axis %d, output %d"):format(rows, columns, axis, o))
            end
        end
    end
end

checks["of segments"] = function(dev, dtype, variant)
    local size, n, starts = SIZES[dtype], 9000, { 1, 5, 7, 600, 601, 6000, 9001 }
    local list = {}
    for i = 1, n do
        list[i] = (i % 3 - 1) * size.half * (i >= 7 and i < 600 and size.tiny or 1)
    end
    local a = dev:array(list, dtype)
    local both = lun.stack({ a, a * 0.5 }, 2)
    local foreign = helper.is_foreign(dev, variant) -- whose kernels take PoCL seconds to build
    for _, op in ipairs(foreign and { "std" } or { "mean", "std" }) do
        local results = { a:reduce(op, { segments = starts, variant = variant ~= "cpu" and variant or nil }) }
        results[2] = op == "std" and not foreign and both:reduce(op, { segments = starts, axis = 1 }):col(1) or nil
        for way, result in ipairs(results) do
            for s = 1, #starts - 1 do
                local some = table.move(list, starts[s], starts[s + 1] - 1, 1, {})
                local mean, _, std = moments(some, s == 3 and 1 or size.unit)
                check({ op == "mean" and mean or std }, { result:get(s) }, dtype,
                    size.half * (s == 3 and size.tiny or 1), ("%s of segment %d, way %d"):format(op, s, way),
                    #some + 64)
            end
        end
    end
end

checks["of expressions and in fused functions"] = function(dev, dtype, variant)
    local half = SIZES[dtype].half
    local list = { half, half, -half, 1.5 * half }
    local x = dev:array(list, dtype)
    local mean, _, std = moments(list, SIZES[dtype].unit)
    local got = { dev:reduce({ "mean", "var", "std", "min", "mean" }, { "x", "x", "x", "x", "x*0 + 3" }, { x = x },
        { variant = variant }) }
    check({ mean, INFINITY, std }, got, dtype, half, "an expression")
    helper.check_list({ -half, 3.0 }, { got[4], got[5] })
    helper.check_number(mean, lun.fuse(function(v) return (v * 1):mean() end)(x))
end

return checks
