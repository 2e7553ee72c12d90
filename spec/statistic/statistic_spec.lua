-- Words that are made of a few reductions or of neighbours, against plain Lua: softmax to trapezoid, cov to polyval.

local lun = require "lunarray"
local helper = require "spec.helper"
local numbers = require "spec.numbers"

local it = helper.one_in(3, it)

local NAN, INFINITY = 0 / 0, math.huge

local function sum(list)
    return numbers.exact_sum(list)
end

local function mapped(list, f)
    local made = {}
    for i, x in ipairs(list) do
        made[i] = f(x, i)
    end
    return made
end

local function floats(list)
    return mapped(list, function(x) return x + 0.0 end)
end

local function mean(list) return sum(list) / #list end

local function moment(list, power)
    local middle = mean(list)
    return mean(mapped(list, function(x) return (x - middle) ^ power end))
end

-- What each word makes of a row: a number, or a row.
local ROWS = {
    softmax = function(list)
        local top = math.max(table.unpack(list))
        local total = sum(mapped(list, function(x) return math.exp(x - top) end))
        return mapped(list, function(x) return math.exp(x - top) / total end)
    end,
    log_softmax = function(list)
        local top = math.max(table.unpack(list))
        local total = sum(mapped(list, function(x) return math.exp(x - top) end))
        return mapped(list, function(x) return x - top - math.log(total) end)
    end,
    ptp = function(list) return math.max(table.unpack(list)) - math.min(table.unpack(list)) end,
    average = mean,
    skew = function(list) return moment(list, 3) / moment(list, 2) ^ 1.5 end,
    kurtosis = function(list) return moment(list, 4) / moment(list, 2) ^ 2 - 3 end,
    diff = function(list)
        return mapped({ table.unpack(list, 2) }, function(x, i) return x - list[i] end)
    end,
    gradient = function(list)
        return mapped(list, function(_, i)
            local before, behind = math.max(i - 1, 1), math.min(i + 1, #list)
            return (list[behind] - list[before]) / (behind - before)
        end)
    end,
    trapezoid = function(list)
        return sum(mapped({ table.unpack(list, 2) }, function(x, i) return (x + list[i]) / 2 end))
    end,
}

-- A 4 x 7 matrix of whole numbers, without a row or a column of one number alone.
local function material(seed)
    local random, list = numbers.generator(seed), {}
    for i = 1, 28 do
        list[i] = random(0, 11) + i % 3
    end
    return list
end

local function row_of(list, axis, k)
    local row = {}
    for i = 1, axis == 1 and 4 or 7 do
        row[i] = axis == 1 and list[(i - 1) * 7 + k] or list[(k - 1) * 7 + i]
    end
    return row
end

-- What a word makes of all rows along an axis, as a flat list in the order of the result.
local function of_rows(word, list, axis)
    local flat = {}
    local count = axis == 1 and 7 or 4
    for k = 1, count do
        local made = ROWS[word](row_of(list, axis, k))
        made = type(made) == "table" and made or { made }
        for i, x in ipairs(made) do
            flat[axis == 1 and (i - 1) * count + k or (k - 1) * #made + i] = x
        end
    end
    return flat
end

-- Calls of the operations that always give floats: of an array of four numbers, the first of which is not 0, and of
-- another one.
local FLOATS = {
    softmax = function(a) return a:softmax() end,
    log_softmax = function(a) return a:log_softmax() end,
    gradient = function(a, b) return a:gradient(b) end,
    interp = function(a, b) return a:interp(b, b) end,
    polyval = function(a, b) return a:polyval(b) end,
    lfilter = function(a) return a:lfilter({ 1, 2 }, { 1 }) end,
    sosfilt = function(a) return a:sosfilt(a:device():array({ { 1, 2, 3, 1, 0, 0 } }, a:dtype())) end,
    neighbours = function(a) return (select(3, a:expand(2):neighbours(9, { distances = true }))) end,
    average = function(a, b) return a:average { weights = b, keepdims = true } end,
    vector_norm = function(a) return a:vector_norm(3, { keepdims = true }) end,
    skew = function(a) return a:skew { keepdims = true } end,
    kurtosis = function(a) return a:kurtosis { keepdims = true } end,
    cov = function(a, b) return a:cov(b) end,
    corrcoef = function(a, b) return a:corrcoef(b) end,
    trapezoid = function(a, b) return a:trapezoid(b, { keepdims = true }) end,
    polyfit = function(a, b) return a:polyfit(b, 1) end,
    roots = function(a) return a:roots():real() end,
    detrend = function(a) return a:detrend() end,
    map_coordinates = function(a) return a:map_coordinates(a:device():array { { 1, 2 } }) end,
    poly = function(a) return a:poly() end,
    polydiv = function(a, b) return (a:polydiv(b)) end,
    polyint = function(a) return a:polyint(2) end,
    gaussian_filter = function(a) return a:gaussian_filter(1) end,
    cdist = function(a, b) return a:reshape(2, 2):cdist(b:reshape(2, 2)) end,
    centre_of_mass = function(a) return a:centre_of_mass() end,
}

-- A row without jumps, as NumPy's unwrap has it.
local function unwrapped(list, period, discont)
    local made, added, whole = { list[1] }, 0, math.type(list[1]) == "integer" and math.type(period) == "integer"
    for i = 2, #list do
        local step = list[i] - list[i - 1]
        local half = whole and period // 2 or period / 2
        local near = (step + half) % period - half
        near = near == -half and 2 * half == period and step > 0 and half or near
        added = added + (math.abs(step) < discont and 0 or near - step)
        made[i] = list[i] + added
    end
    return made
end

-- The product of two polynomials.
local function product(p, q)
    local made = {}
    for i, x in ipairs(p) do
        for j, y in ipairs(q) do
            made[i + j - 1] = (made[i + j - 1] or 0.0) + x * y
        end
    end
    return made
end

helper.each_device(function(dev, title) describe("the float dtype of results on " .. title, function()
    local wide = dev:info().fp64 and "f64" or "f32"
    local gives = { -- of arrays of one dtype, and of an i8 with that one
        each = { f16 = "f16", bf16 = "bf16", f32 = "f32", i8 = wide, u32 = wide },
        mean = { f16 = "f32", bf16 = "f32", f32 = "f32", i8 = wide, u32 = wide },
    }
    for _, operation in ipairs(dev:operations()) do
        local call = FLOATS[operation.name]
        assert((not operation.gives or operation.gives == "default") == not call,
            operation.name .. ": a call in FLOATS goes with `gives` of its row")
        if operation.gives and call then
            it(("of %s is that of `%s`"):format(operation.name, operation.gives), function()
                for dtype, float in pairs(gives[operation.gives]) do
                    local a = dev:array({ 1, 2, 4, 5 }, dtype)
                    assert.equal(float, call(a, a):dtype(), dtype)
                    if debug.getinfo(call, "u").nparams == 2 and dtype == "f16" then
                        assert.equal(float, call(a:cast "i8", a):dtype())
                        assert.equal("f32", call(a, a:cast "f32"):dtype())
                    end
                end
            end)
        end
    end
end) end)

helper.each_device(function(dev, title) describe("statistics on " .. title, function()
    local fp64 = dev:info().fp64
    local float = fp64 and "f64" or "f32"

    for number, word in ipairs { "softmax", "log_softmax", "ptp", "average", "skew", "kurtosis", "diff", "gradient",
        "trapezoid" } do
        it("of rows and of columns, of every layout and dtype: " .. word, function()
            local list = material(number)
            for k, dtype in ipairs { "f32", "u8", "f16", "i64", fp64 and "f64" or "i32" } do
                local array = dev:array(list, dtype, { 4, 7 })
                local views = { array, array:t():contiguous():t(), array:flip():contiguous():flip() }
                for axis = 1, 2 do
                    local got = views[(k + axis) % 3 + 1][word](views[(k + axis) % 3 + 1], { axis = axis })
                    local wanted, size = of_rows(word, list, axis), 1
                    for i, x in ipairs(wanted) do
                        size = math.max(size, math.abs(x))
                        wanted[i] = x % 1 == 0 and dtype ~= got:dtype() and got:dtype():find "^[iu]" and x // 1 | 0 or x
                    end
                    local eps = numbers.dtype[got:dtype()].eps or 0
                    if word == "diff" and dtype == "u8" then
                        wanted = mapped(wanted, function(x) return x & 255 end)
                    end
                    assert.equal(#wanted, got:size())
                    helper.check_list(floats(wanted), got:cast(float):reshape(-1):totable(), 28 * eps * size,
                        ("%s of %s along %d"):format(word, dtype, axis))
                end
            end
        end)
    end

    it("of all elements are numbers", function()
        local a = dev:array { { 1, 2, 4 }, { 7, 1, 0 } }
        local all = { 1, 2, 4, 7, 1, 0 }
        assert.equal(7.0, a:ptp())
        helper.check_number(2.5, a:average(), 1e-6)
        helper.check_number(ROWS.skew(all), a:skew(), 1e-6)
        helper.check_number(ROWS.kurtosis(all), a:kurtosis { axis = { 1, 2 } }, 1e-6)
        helper.check_number(1.0, a:softmax():sum(), 1e-6)
        helper.check_list(ROWS.log_softmax(all), helper.flat(a:log_softmax()), 1e-5)
        assert.equal(4.5, dev:array({ 1, 2, 4 }):trapezoid())
        assert.same({ 1, 1 }, { a:ptp({ keepdims = true }):shape() })
        assert.same({ 2, 1 }, { a:average({ axis = 2, keepdims = true }):shape() })
        assert.same({ 1, 3 }, { a:trapezoid({ axis = 1, keepdims = true }):shape() })
        assert.equal("i8", dev:ones({ 2 }, "i8"):ptp({ keepdims = true }):dtype())
    end)

    it("let no exponential overflow, and let NaN and infinities be seen", function()
        for _, case in ipairs {
            { { 1000, 1000 }, { 0.5, 0.5 }, { -math.log(2), -math.log(2) } },
            { { -INFINITY, 3 }, { 0, 1 }, { -INFINITY, 0 } },
            { { NAN, 1 }, { NAN, NAN }, { NAN, NAN } }, { { INFINITY, 1 }, { NAN, NAN }, { NAN, NAN } },
        } do
            helper.check_list(floats(case[2]), dev:array(case[1]):softmax():totable(), 1e-6)
            helper.check_list(floats(case[3]), dev:array(case[1]):log_softmax():totable(), 1e-6)
        end
        assert.same({ 3, 0 }, { dev:zeros({ 3, 0 }):softmax({ axis = 2 }):shape() })
        assert.equal(1.0, dev:array({ 5 }):reshape():softmax():get())
        helper.check_number(NAN, dev:full({ 5 }, 0.1):skew())
        helper.check_number(NAN, dev:full({ 5 }, 0.1):kurtosis())
    end)

    it("without bias are those of samples", function()
        local list = { 1, 2, 4, 7, 1, 0 }
        local n, a = 6, dev:array { 1, 2, 4, 7, 1, 0 }
        local g, k = ROWS.skew(list), ROWS.kurtosis(list)
        helper.check_number(g * (n * (n - 1)) ^ 0.5 / (n - 2), a:skew { bias = false }, 1e-5)
        helper.check_number(((n + 1) * k + 6) * (n - 1) / ((n - 2) * (n - 3)), a:kurtosis { bias = false }, 1e-5)
        helper.check_number(g, a:skew { bias = true }, 1e-6)
        helper.check_number(0.0, dev:array({ 1, 2 }):skew { bias = false }) -- too few to correct
        helper.check_number(-1.5, dev:array({ 1, 2, 5 }):kurtosis { bias = false }, 1e-5)
        helper.check_number(ROWS.skew { 1, 2, 5 } * 6 ^ 0.5, dev:array({ 1, 2, 5 }):skew { bias = false }, 1e-5)
    end)

    it("weigh elements, by weights of each or along an axis", function()
        local a = dev:array { { 1, 2, 4 }, { 7, 1, 0 } }
        local w = dev:array({ 1, 2, 3 }, "u8")
        helper.check_array(a:average { weights = w, axis = 2 }, "f32", { 2 }, { 17 / 6, 1.5 }, 1e-6)
        helper.check_array(a:average { weights = dev:array { 3, 1 }, axis = 1 }, "f32", { 3 }, { 2.5, 1.75, 3.0 }, 1e-6)
        helper.check_number((17 + 9) / 12, a:average { weights = w }, 1e-6)
        helper.check_number(NAN, a:average { weights = w:zeros_like() })
        helper.check_array(a:cast("i64"):average { weights = w:cast("f32"), axis = 2 }, "f32", { 2 }, { 17 / 6, 1.5 },
            1e-6)
        helper.check_array(a:cast("i8"):average { weights = w, axis = 2 }, float, { 2 }, { 17 / 6, 1.5 }, 1e-6)
        helper.refused("average: the weights have shape 2, the elements 2x3", a, { weights = dev:ones { 2 }, axis = 2 })
        helper.refused("average: the weights have shape 2x2x3, the elements 2x3", a, { weights = dev:ones { 2, 2, 3 } })
    end)

    it("have norms of any p, which neither overflow nor vanish", function()
        local list = { 3, -4, 0, 12 }
        for _, dtype in ipairs { "f32", "i8", "f16" } do
            local a = dev:array(list, dtype)
            for p, wanted in pairs { [2] = 13.0, [1] = 19.0, [0] = 3.0, [INFINITY] = 12.0, [-INFINITY] = 0.0,
                [-1] = 0.0, [3] = (27 + 64 + 1728) ^ (1 / 3), [0.5] = (3 ^ 0.5 + 2 + 12 ^ 0.5) ^ 2 } do
                helper.check_number(wanted, a:vector_norm(p), 32 * numbers.dtype.f32.eps * wanted, "p = " .. p)
            end
            helper.check_number(13.0, a:vector_norm(), 1e-5)
            assert.equal(dtype == "i8" and float or "f32", a:vector_norm(3, { keepdims = true }):dtype())
        end
        for _, size in ipairs { 1e30, 1e-30 } do
            helper.check_number(2 ^ 0.25 * size, dev:full({ 2 }, size):vector_norm(4), size * 1e-5)
            helper.check_number(2 ^ -0.25 * size, dev:full({ 2 }, size):vector_norm(-4), size * 1e-5)
        end
        local a = dev:array { { 1, 2 }, { 0, 0 }, { INFINITY, 1 }, { NAN, 1 }, { INFINITY, INFINITY } }
        helper.check_array(a:vector_norm(3, { axis = 2 }), "f32", { 5 }, { 9 ^ (1 / 3), 0.0, INFINITY, NAN, INFINITY },
            1e-5)
        helper.check_array(a:vector_norm(-1, { axis = 2 }), "f32", { 5 }, { 2 / 3, 0.0, 1.0, NAN, INFINITY }, 1e-5)
        assert.same({ 0.0, 0.0, 0.0 }, { dev:zeros({ 0 }):vector_norm(3), dev:zeros({ 0 }):vector_norm(1),
            dev:zeros({ 0 }):vector_norm(0) })
        local z = dev:array({ lun.complex(3, 4), lun.complex(0, 0) }, "c64")
        helper.check_list({ 5.0, 5.0, 1.0, 5.0, 0.0 }, { z:vector_norm(1), z:vector_norm(3), z:vector_norm(0),
            z:vector_norm(INFINITY), z:vector_norm(-INFINITY) }, 1e-5)
        helper.raises("vector_norm: p is NaN; a number or an infinity is needed", function() z:vector_norm(NAN) end)
    end)

    it("compare variables, which are rows, or columns", function()
        local list = material(99)
        local a = dev:array(list, "f32", { 4, 7 })
        local function covariance(axis, ddof)
            local made, n = {}, axis == 1 and 7 or 4
            for i = 1, n do
                for k = 1, n do
                    local x, y = row_of(list, axis, i), row_of(list, axis, k)
                    local at, to = mean(x), mean(y)
                    made[#made + 1] = sum(mapped(x, function(_, j) return (x[j] - at) * (y[j] - to) end)) / (#x - ddof)
                end
            end
            return made
        end
        helper.check_array(a:cov(), "f32", { 4, 4 }, covariance(2, 1), 1e-4)
        helper.check_array(a:cov { axis = 1, ddof = 0.5 }, "f32", { 7, 7 }, covariance(1, 0.5), 1e-4)
        helper.check_array(a:cast("i8"):cov(), float, { 4, 4 }, covariance(2, 1), 1e-4)
        local wanted = covariance(2, 0)
        local shares = mapped(wanted, function(x, i)
            local row, column = (i - 1) // 4, (i - 1) % 4
            return x / (wanted[row * 5 + 1] * wanted[column * 5 + 1]) ^ 0.5
        end)
        helper.check_array(a:corrcoef(), "f32", { 4, 4 }, shares, 1e-5)
        local top, rest = a:slice { 1, 3 }, a:row(4):cast "i64"
        helper.check_array(top:cov(rest), "f32", { 4, 4 }, covariance(2, 1), 1e-4)
        helper.check_array(top:corrcoef(rest), "f32", { 4, 4 }, shares, 1e-5)
        helper.check_number(covariance(2, 1)[1], a:row(1):cov(), 1e-4)
        helper.check_number(1.0, a:row(1):corrcoef(), 1e-6)
        assert.is_true(a:corrcoef():abs():le(1):all())
        local out = dev:zeros { 8, 4 }:slice { 1, 8, 2 }
        assert.equal(out, a:cov { out = out })
        helper.check_array(out, "f32", { 4, 4 }, covariance(2, 1), 1e-4)
        helper.check_list({ NAN, INFINITY }, { dev:ones({ 3 }):cov { ddof = 3 }, dev:array({ 1, 3 }):cov { ddof = 2 } })
        helper.check_number(NAN, dev:ones({ 3 }):corrcoef())
        local z = dev:array({ { lun.complex(1, 2), lun.complex(3, -1) }, { lun.i, lun.complex(2, 2) } }, "c64")
        local products = z:cov()
        helper.check_array(products:real(), "f32", { 2, 2 }, { 6.5, 0.5, 0.5, 2.5 }, 1e-5)
        helper.check_array(products:imag(), "f32", { 2, 2 }, { 0.0, -4.0, 4.0, 0.0 }, 1e-5)
        assert.equal("c64", z:corrcoef():dtype())
        helper.raises("cov: the array has shape 1x1x1; a matrix whose rows are variables is needed, or one variable",
            function() dev:ones({ 1, 1, 1 }):cov() end)
        helper.raises("cov: the second array has shape ()", function() a:cov(dev:ones({ 1 }):reshape()) end)
        helper.raises("corrcoef: the array has 7 observations of each variable, and the second one 4",
            function() a:corrcoef(dev:ones { 4 }) end)
        helper.raises("cov: there are no observations", function() dev:ones({ 2, 0 }):cov() end)
    end)

    it("difference again and again, and of nothing", function()
        local a = dev:array({ 1, 4, 9, 16, 26 }, "i32")
        helper.check_array(a:diff(2), "i32", { 3 }, { 2, 2, 3 })
        helper.check_array(a:diff(0), "i32", { 5 }, { 1, 4, 9, 16, 26 })
        helper.check_array(a:diff(4), "i32", { 1 }, { 1 })
        helper.check_array(a:diff(5), "i32", { 0 }, {})
        helper.check_array(a:diff(50), "i32", { 0 }, {})
        helper.check_array(dev:ones({ 0, 2 }):diff { axis = 1 }, "f32", { 0, 2 }, {})
        helper.check_array(dev:array({ true, true, false }):diff(), "bool", { 2 }, { 0, 1 })
        helper.raises("diff: argument 1: a whole number from 0 is needed, got -1", function() a:diff(-1) end)
        helper.raises("diff: the array has no axes", function() a:reshape(5):slice(1):diff() end)
        helper.raises("diff: axis 2 is out of range", function() a:diff { axis = 2 } end)
    end)

    it("lose the jumps of a period", function()
        local random = numbers.generator(7)
        for _, dtype in ipairs { "f32", "f16", "i8", "u16", "i64" } do
            for trial = 1, 4 do
                local list, whole = {}, not dtype:find "f"
                for i = 1, 9 do
                    list[i] = whole and random(0, 40) or random(-160, 160) / 8 + 0.0
                end
                local period = ({ 4, 7, 4.5, 2.5 })[trial]
                local discont = trial % 2 == 0 and period / 2 or 3
                local gives = whole and (math.type(period) == "integer" and "i64" or float) or dtype
                local wanted = unwrapped(list, period, discont)
                local options = { period = period, discont = trial % 2 == 1 and 3 or nil }
                helper.check_array(dev:array(list, dtype):unwrap(options), gives, { 9 },
                    gives == "i64" and wanted or floats(wanted))
            end
        end
        local a = dev:array { { 0, 3, 6.5 }, { -9, 8, 8.5 } }
        local across, turn = { 0.0, 3.0, 6.5 - 2 * math.pi, -9.0, 8 - 6 * math.pi, 8.5 - 6 * math.pi }, 2 * math.pi
        helper.check_array(a:unwrap(), "f32", { 2, 3 }, across, 1e-5)
        helper.check_array(a:t():unwrap { axis = 1 }:t():copy(), "f32", { 2, 3 }, across, 1e-5)
        helper.check_array(a:unwrap { axis = 1 }, "f32", { 2, 3 }, { 0.0, 3.0, 6.5, turn - 9, 8 - turn, 8.5 }, 1e-5)
        helper.check_array(dev:array { 1, NAN, 8 }:unwrap(), "f32", { 3 }, { 1.0, NAN, NAN })
        helper.check_array(dev:zeros { 2, 0 }:unwrap(), "f32", { 2, 0 }, {})
        for _, period in ipairs { 0, -1, INFINITY } do
            helper.raises("unwrap: option 'period': a finite number above 0 is needed, got " .. ("%g"):format(period),
                function() a:unwrap { period = period } end)
        end
    end)

    it("slope between places, even or not, of a parabola exactly", function()
        local x = dev:array { 0, 1, 3, 4, 8 }
        helper.check_array((x * x):gradient(x):slice { 2, 4 }, "f32", { 3 }, { 2.0, 6.0, 8.0 }, 1e-5)
        helper.check_array((x * x):gradient(x), "f32", { 5 }, { 1.0, 2.0, 6.0, 8.0, 12.0 }, 1e-5)
        helper.check_array(x:gradient(0.5), "f32", { 5 }, { 2.0, 3.0, 3.0, 5.0, 8.0 }, 1e-5)
        helper.check_array(x:slice({ 1, 2 }):gradient(), "f32", { 2 }, { 1.0, 1.0 })
        local a = dev:array { { 1, 2, 4 }, { 7, 1, 0 } }
        local down, across = a:gradient()
        helper.check_array(down, "f32", { 2, 3 }, { 6.0, -1.0, -4.0, 6.0, -1.0, -4.0 })
        helper.check_array(across, "f32", { 2, 3 }, { 1.0, 1.5, 2.0, -6.0, -3.5, -1.0 })
        local outs = { dev:zeros { 2, 3 }, dev:zeros { 2, 3 } }
        local first, second = a:gradient { out = outs }
        assert.is_true(first == outs[1] and second == outs[2] and second:equal(across))
        assert.equal("f16", a:cast("f16"):gradient({ axis = 1 }):dtype())
        assert.equal(float, a:cast("u8"):gradient({ axis = 1 }):dtype())
        local y = dev:array { 0, 1, 3, 4 }:expand(2)
        down, across = (y * y * x + x * x):gradient { y:squeeze(2), x, edge_order = 2 }
        assert.is_true(down:allclose(2 * y * x, { atol = 1e-3 }) and across:allclose(y * y + 2 * x, { atol = 1e-3 }))
        local n = dev:arange(0, 4, { dtype = "i32" })
        helper.check_array((n * n):gradient { 0.5, edge_order = 2 }, float, { 5 }, { 0.0, 4.0, 8.0, 12.0, 16.0 })
        across = (y + 1) * x
        helper.check_array((across * across):trapezoid(across), "f32", { 4 }, mapped({ 1, 8, 64, 125 }, function(k)
            return 183.0 * k -- the integral over x, by the cube of the scale
        end), 1e-2)
        helper.check_number((0 + 1) / 2 + (1 + 9) + (9 + 16) / 2 + (16 + 64) * 2, (x * x):trapezoid(x), 1e-4)
        helper.check_array(a:trapezoid(2), "f32", { 2 }, { 9.0, 9.0 }, 1e-5)
        helper.check_array(dev:ones({ 2, 0 }):trapezoid(), "f32", { 2 }, { 0.0, 0.0 })
        helper.refused("gradient: axis 1 has 1 element; a slope needs at least 2", dev:ones({ 1 }))
        helper.raises("gradient: positions are needed for the 3 elements along axis 2; their array has shape 5",
            function() a:gradient(x, { axis = 2 }) end)
        helper.raises("gradient: an array of positions is for one axis, but the gradient is along 2: name an axis",
            function() a:gradient(dev:ones { 2 }) end)
        helper.raises("trapezoid: positions are needed for the 5 elements along axis 1; their array has shape 2x3",
            function() x:trapezoid(a) end)
        helper.raises("gradient: got 3 spacings; 2 are needed, one for each axis",
            function() a:gradient { 1, 2, 3 } end)
        helper.raises("gradient: spacing 2 is a string; a number or an array of positions is needed",
            function() a:gradient { 1, "x" } end)
        helper.raises("gradient: argument 1: a number, an array of positions or a list of these is needed, got a "
            .. "string", function() a:gradient("x") end)
        helper.raises("gradient: option 'edge_order': 1 or 2 is needed, got 3",
            function() a:gradient { edge_order = 3 } end)
        helper.raises("gradient: axis 1 has 2 elements; a slope needs at least 3",
            function() a:gradient { edge_order = 2 } end)
        helper.raises("gradient: the array has no axes", function() x:slice(1):gradient() end)
        helper.raises("gradient: no axis is named", function() a:gradient { axis = {} } end)
    end)

    it("are polynomials of any degree at points of any shape", function()
        local x = dev:array { { 0.5, -1 }, { 2, 0 } }
        for degree = 0, 17 do
            local list, wanted = {}, { 0.0, 0.0, 0.0, 0.0 }
            for i = 1, degree + 1 do
                list[i] = i % 5 - 2
                for k, at in ipairs { 0.5, -1, 2, 0 } do
                    wanted[k] = wanted[k] * at + list[i]
                end
            end
            helper.check_array(dev:array(list):polyval(x), "f32", { 2, 2 }, wanted, 2.0 ^ (degree - 20))
        end
        local wide = dev:info().fp64 and "f64" or "f32"
        local bytes = dev:array({ 100, 2 }, "i8")
        helper.check_array(bytes:polyval(dev:array({ 5, 7 }, "i8")), wide, { 2 }, { 502.0, 702.0 })
        helper.refused("polyval: argument 1: an array of points, also of one, is needed, got a number", bytes, 2)
        -- f16 is rounded once, behind all passes
        local few = { 1, -20, 175, -800, 2073.0, -2950, 2045.0, -524, 0.25, 3 }
        local exact = dev:array(few, "f16"):cast "f32":polyval(dev:array { 1.5 }):cast "f16"
        assert.same(exact:totable(), dev:array(few, "f16"):polyval(dev:array({ 1.5 }, "f16")):totable())
        helper.raises("polyval: a row of coefficients is needed, highest power first; the array has shape 2x2",
            function() x:polyval(x) end)
        helper.raises("polyval: a row of coefficients is needed", function() dev:ones({ 0 }):polyval(x) end)
    end)

    it("says where a polynomial is 0", function()
        local wide, eps = dev:info().fp64 and "c128" or "c64", dev:info().fp64 and 2.0 ^ -52 or 2.0 ^ -23
        local list = { 1 } -- Wilkinson's (x - 1) (x - 2) ... (x - 10), whose coefficients are exact
        for root = 1, 10 do
            list[#list + 1] = 0
            for i = #list, 2, -1 do
                list[i] = list[i] - root * list[i - 1]
            end
        end
        local found, size = dev:array(list, "i64"):roots(), 0
        assert.same({ wide, 10 }, { found:dtype(), found:size() })
        for _, x in ipairs(list) do
            size = size + x * x
        end
        for k, z in ipairs(found:totable()) do
            local slope, powers = 1, 0 -- by how much a root moves with the coefficients
            for j = 1, 10 do
                slope = j == k and slope or slope * math.abs(k - j)
            end
            for j = 0, 9 do
                powers = powers + k ^ (2 * j)
            end
            assert.is_true((z - k):abs() <= 10 * 10 * eps * math.sqrt(size * powers) / slope, tostring(z))
        end
        local i = lun.i
        for _, case in ipairs {
            { dev:array({ 2, 0, 8, 0, 0 }, "f32"), { 0, 0, 2 * i, -2 * i } },
            { dev:array({ 1, -1 - 2 * i, 2 * i }, wide), { 2 * i, 1 } },
            { dev:array({ 4, 2 }, "f16"), { -0.5 } },
        } do
            local values = case[1]:roots()
            assert.equal(case[1]:dtype() == wide and wide or "c64", values:dtype())
            assert.same({ #case[2] }, { values:shape() })
            assert.is_true((values - dev:array(case[2], values:dtype())):abs():max() < 1e-6)
        end
        assert.equal(0, dev:array({ 3 }):roots():size())
        -- On GPUs the call itself waits for the steps.
        local ok, problem = pcall(function() return dev:array({ 0, 1, 2 }):roots():totable() end)
        assert.is_false(ok)
        assert.matches("roots: not finite at %(1, 1%)$", tostring(problem))
        helper.raises("roots: a row of coefficients is needed, highest power first; the array has shape 2x2",
            function() dev:ones({ 2, 2 }):roots() end)
        pcall(dev.finish, dev)
    end)

    it("are polynomials of zeros, divided, derived and integrated", function()
        local random, i = numbers.generator(21), lun.i
        for trial = 1, 6 do
            local p, q, zeros, all = {}, { 2.0 }, {}, { 1.0 }
            for k = 1, trial do
                p[k], q[k], zeros[k] = random(-9, 9) + 0.0, k == 1 and 2.0 or random(-9, 9) + 0.0, random(-3, 3)
                all = product(all, { 1.0, -zeros[k] })
            end
            helper.check_array(dev:array(zeros, "i8"):poly(), float, { trial + 1 }, all)
            helper.check_array(dev:array(zeros):diag():poly(), "f32", { trial + 1 }, all, 1e-2)
            local rest = mapped(q, function() return random(-9, 9) + 0.0 end)
            local whole = product(p, q)
            for k = 2, #q do
                whole[#whole - #q + k] = whole[#whole - #q + k] + rest[k]
            end
            local quotient, left = dev:array(whole):polydiv(dev:array(q, "i8"))
            helper.check_array(quotient, "f32", { #p }, p, 1e-3)
            helper.check_array(left, "f32", { math.max(#q - 1, 1) }, #q > 1 and { table.unpack(rest, 2) } or { 0.0 },
                1e-2)
        end
        local v = dev:array { 3, 1, 2 }
        local quotient, left = v:polydiv(dev:ones { 4 })
        helper.check_array(quotient, "f32", { 1 }, { 0.0 })
        helper.check_array(left, "f32", { 3 }, { 3.0, 1.0, 2.0 })
        helper.check_array((v:polydiv(dev:array { 0, 1 })), "f32", { 2 }, { INFINITY, -INFINITY })
        helper.check_array(dev:array { i, -i }:poly():real(), "f32", { 3 }, { 1.0, 0.0, 1.0 })
        helper.check_array(dev:array { { 0, -1 }, { 1, 0 } }:poly(), "f32", { 3 }, { 1.0, 0.0, 1.0 }, 1e-6)
        helper.check_array(dev:zeros({ 0 }):poly(), "f32", { 1 }, { 1.0 })
        helper.check_array(v:cast("u8"):polyder(), "i64", { 2 }, { 6, 1 })
        helper.check_array(v:polyder(2), "f32", { 1 }, { 6.0 })
        helper.check_array(v:polyder(3), "f32", { 1 }, { 0.0 })
        helper.check_array(v:polyint { k = 5 }, "f32", { 4 }, { 1.0, 0.5, 2.0, 5.0 })
        helper.check_array(v:polyint(2, { k = { 5, 6 } }):polyder(2), "f32", { 3 }, { 3.0, 1.0, 2.0 }, 1e-6)
        helper.check_array(v:polyint(2, { k = { 5, 6 } }):slice { 4, 5 }, "f32", { 2 }, { 5.0, 6.0 })
        helper.check_array(v:polyint(0), "f32", { 3 }, { 3.0, 1.0, 2.0 })
        helper.raises("polyint: got 3 constants; 2 are needed, one for each integration, or one for all",
            function() v:polyint(2, { k = { 1, 2, 3 } }) end)
        helper.raises("polyder: argument 1: a whole number from 0 is needed, got -1", function() v:polyder(-1) end)
        helper.raises("poly: a row of zeros or a square matrix is needed; the array has shape 2x3",
            function() dev:ones({ 2, 3 }):poly() end)
        helper.raises("polydiv: a row of coefficients is needed, highest power first; the divisor has shape 2x2",
            function() v:polydiv(dev:ones { 2, 2 }) end)
        helper.raises("polyint: a row of coefficients is needed, highest power first; the array has shape 0",
            function() dev:ones({ 0 }):polyint() end)
    end)

    it("lie on straight lines between points, and beyond them on the nearest", function()
        local points, values = dev:array { 1, 2, 4, 8 }, dev:array { 10, 20, 0, 8 }
        local x = dev:array { { 0, 1, 1.5 }, { 3, 8, 9 }, { NAN, 2, 5 } }
        local wanted = { 10.0, 10.0, 15.0, 10.0, 8.0, 8.0, NAN, 20.0, 2.0 }
        helper.check_array(x:interp(points, values), "f32", { 3, 3 }, wanted, 1e-5)
        helper.check_array(x:t():interp(points:cast("i8"), values:cast("i32")):t():copy(), "f32", { 3, 3 }, wanted,
            1e-5)
        wanted[1], wanted[6] = -1.0, INFINITY
        helper.check_array(x:interp(points, values, { left = -1, right = INFINITY }), "f32", { 3, 3 }, wanted, 1e-5)
        helper.check_array(dev:array({ 0, 3, 5 }):interp(dev:array { 3 }, dev:array { 7 }, { left = 1 }), "f32", { 3 },
            { 1.0, 7.0, 7.0 })
        local flat = dev:array({ 1, 2, 3 }):interp(dev:array { 1, 2, 3 }, dev:array { -INFINITY, 5, INFINITY })
        helper.check_array(flat, "f32", { 3 }, { -INFINITY, 5.0, INFINITY })
        helper.check_array(dev:zeros({ 0 }):interp(points, values), "f32", { 0 }, {})
        local level = dev:array({ 1.5, 2.5, 4 }):interp(dev:array { 1, 2, 3 }, dev:array { INFINITY, INFINITY, 0 })
        helper.check_array(level, "f32", { 3 }, { INFINITY, INFINITY, 0.0 })
        local rising = dev:array({ 1.5, 2.5 }):interp(dev:array { 1, 2, 3 }, dev:array { -INFINITY, 5, INFINITY })
        helper.check_array(rising, "f32", { 2 }, { -INFINITY, INFINITY })
        helper.raises("interp: there are 4 points and 2 values", function() x:interp(points, dev:ones { 2 }) end)
        helper.raises("interp: the array of points has shape 3x3; a row of at least one number is needed",
            function() x:interp(x, values) end)
        helper.raises("interp: the array of values has shape 0; a row of at least one number is needed",
            function() x:interp(points, dev:zeros { 0 }) end)
    end)

    it("lie on straight lines from the last point of a period to the next one's first", function()
        local points, values = dev:array({ 370, 90, 180 }, "i32"), dev:array { 1, 3, 6 }
        local x = dev:array { 0, 10, 50, 90, 135, 185, 360, -90, NAN, 275 }
        helper.check_array(x:interp(points, values, { period = 360 }), "f32", { 10 }, { 1.2631578947368, 1.0, 2.0, 3.0,
            4.5, 5.8684210526316, 1.2631578947368, 3.6315789473684, NAN, 3.5 }, 1e-6)
        helper.check_array(x:interp(points:slice { 1, 1 }, values:slice { 1, 1 }, { period = 360 }):slice { 1, 3 },
            "f32", { 3 }, { 1.0, 1.0, 1.0 })
        helper.refused("interp: the period is 0; a finite number above 0 is needed", x, points, values, { period = 0 })
        helper.raises("interp: left and right have no effect with a period",
            function() x:interp(points, values, { period = 1, left = 0 }) end)
    end)

    it("are polynomials closest to values", function()
        local x = dev:array({ -2, 0, 1, 3, 10, 100 }, "i32")
        local exact = dev:array({ { 2, 0 }, { -3, 1 }, { 0.5, -1 }, { 4, 7 } })
        local y = x:vander(4):cast("f64"):matmul(exact:cast "f64")
        helper.check_array(x:polyfit(y, 3), float, { 4, 2 }, { 2.0, 0.0, -3.0, 1.0, 0.5, -1.0, 4.0, 7.0 }, 1e-9)
        helper.check_array(x:polyfit(y:col(1), 3), float, { 4 }, { 2.0, -3.0, 0.5, 4.0 }, 1e-9)
        local few, values = dev:array { 0, 1, 2 }, dev:array { 1, 2, 6 }
        helper.check_array(few:polyfit(values, 0), "f32", { 1 }, { 3.0 }, 1e-6)
        helper.check_array(few:polyfit(values, 1), "f32", { 2 }, { 2.5, 0.5 }, 1e-6)
        helper.check_array(few:polyfit(values, 1, { weights = dev:array { 1, 1, 0 } }), "f32", { 2 }, { 1.0, 1.0 },
            1e-6)
        helper.check_array(few:polyfit(values, 0, { weights = dev:array { 3, 0, 4 } }), "f32", { 1 }, { 4.2 }, 1e-6)
        helper.check_array(dev:zeros({ 2 }):polyfit(dev:array { 1, 3 }, 1), "f32", { 2 }, { 0.0, 2.0 }, 1e-6)
        helper.raises("polyfit: the array of values has shape 2; 3 numbers are needed, one for each point, or rows",
            function() few:polyfit(dev:ones { 2 }, 1) end)
        helper.raises("polyfit: the array of weights has shape 3x1; 3 numbers are needed, one for each point",
            function() few:polyfit(values, 1, { weights = dev:ones { 3, 1 } }) end)
        helper.raises("polyfit: the array of points has shape 0; a row of at least one number is needed",
            function() dev:ones({ 0 }):polyfit(values, 1) end)
        helper.raises("polyfit: the array of values has c64 numbers; real ones are needed",
            function() few:polyfit(dev:ones({ 3 }, "c64"), 1) end)
        helper.refused("polyfit: argument 2: a whole number from 0 is needed, got -1", few, values, -1)
        helper.refused("polyfit: the degree is 3000000000; a number below 2^31 is needed", few, values, 3000000000)
    end)

    it("are distances of points by three norms", function()
        local a, b = dev:array { { 0, 0, 1 }, { 1, -1, 1 } }, dev:array({ { 3, 4 }, { 0, -2 }, { 1, 2 } }, "i32"):t()
        local by_norm = { { 3.0, 7.0, 3.0, 5.0 }, { 3.0, 21 ^ 0.5, 5 ^ 0.5, 11 ^ 0.5 },
            [math.huge] = { 3.0, 4.0, 2.0, 3.0 } }
        for p, expected in pairs(by_norm) do
            helper.check_array(a:cdist(b, { p = p }), "f32", { 2, 2 }, expected, 1e-5)
        end
        local huge = dev:array { { 3e30, 0 }, { 0, 4e30 } }
        helper.check_array(huge:cdist(dev:zeros { 1, 2 }), "f32", { 2, 1 }, { 3e30, 4e30 }, 1e25)
        helper.check_array(dev:zeros({ 0, 2 }):cdist(dev:zeros { 3, 2 }), "f32", { 0, 3 }, {})
        helper.raises("cdist: b has 2 columns, expected 3 (the columns of the array)", function()
            a:cdist(dev:ones { 1, 2 })
        end)
        helper.raises("cdist: b has shape 3; a matrix whose rows are points is needed", function()
            a:cdist(dev:ones { 3 })
        end)
        helper.raises("cdist: p is 3; 1, 2 or infinity is needed", function() a:cdist(a, { p = 3 }) end)
    end)

    it("are centres of mass, from 1", function()
        helper.check_array(dev:array({ { 1, 2, 0 }, { 3, 4, 0 } }, "i32"):centre_of_mass(), float, { 2 }, { 1.7, 1.6 },
            1e-6)
        helper.check_array(dev:ones({ 2, 3, 4 }):transpose({ 3, 1, 2 }):centre_of_mass(), "f32", { 3 },
            { 2.5, 1.5, 2.0 })
        assert.is_true(dev:zeros({ 2, 0 }):centre_of_mass():isnan():all())
        helper.raises("centre_of_mass: the array has no axes", function() dev:array(1):centre_of_mass() end)
    end)

    it("refuse complex numbers where these have no order", function()
        local z = dev:array({ lun.complex(3, 4) }, "c64")
        for _, word in ipairs { "softmax", "log_softmax", "ptp", "skew", "kurtosis", "centre_of_mass" } do
            helper.raises(word .. ": c64 numbers have no order", function() z[word](z) end)
        end
    end)
end) end)
