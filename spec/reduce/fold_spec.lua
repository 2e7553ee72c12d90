-- Reductions whose state is more than a number, and reductions of expressions, against plain Lua.

local helper = require "spec.helper"
local numbers = require "spec.numbers"

local it = helper.one_in(3, it)

local NAN, INFINITY = 0 / 0, math.huge

-- ---- plain Lua ------------------------------------------------------------------------------------------------

local function mean(list)
    local sum = 0
    for _, x in ipairs(list) do
        sum = sum + x
    end
    return sum / #list
end

local function var(list)
    local middle, sum = mean(list), 0
    for _, x in ipairs(list) do
        sum = sum + (x - middle) ^ 2
    end
    return sum / #list
end

local function count(list, wanted)
    local found = 0
    for _, x in ipairs(list) do
        found = found + (wanted(x) and 1 or 0)
    end
    return found
end

local function fold(list, first, join)
    local value = first
    for _, x in ipairs(list) do
        value = join(value, x)
    end
    return value
end

local function best(list, better)
    local at = 1
    for i, x in ipairs(list) do
        if list[at] == list[at] and (x ~= x or better(x, list[at])) then
            at = i
        end
    end
    return at
end

local function present(list)
    local rest = {}
    for _, x in ipairs(list) do
        rest[#rest + 1] = x == x and x or nil
    end
    return rest
end

-- Of NaN alone the first one.
local function best_present(list, better)
    local at
    for i, x in ipairs(list) do
        if x == x and (not at or better(x, list[at])) then
            at = i
        end
    end
    return at or 1
end

local function gmean(list) return math.exp(fold(list, 0, function(s, x) return s + math.log(x) end) / #list) end

local function is_not_zero(x) return x ~= 0 end

local PLAIN = {
    mean = mean, var = var,
    std = function(list) return var(list) ^ 0.5 end,
    argmin = function(list) return best(list, function(a, b) return a < b end) end,
    argmax = function(list) return best(list, function(a, b) return a > b end) end,
    any = function(list) return count(list, is_not_zero) > 0 and 1 or 0 end,
    all = function(list) return count(list, is_not_zero) == #list and 1 or 0 end,
    nnz = function(list) return count(list, is_not_zero) end,
    asum = function(list) return fold(list, 0, function(s, x) return s + math.abs(x) end) end,
    nansum = function(list) return fold(present(list), 0, function(s, x) return s + x end) end,
    nanmin = function(list) return fold(present(list), INFINITY, math.min) end,
    nanmax = function(list) return fold(present(list), -INFINITY, math.max) end,
    norm = function(list) return fold(list, 0, function(s, x) return s + x * x end) ^ 0.5 end,
    nanprod = function(list) return fold(present(list), 1, function(s, x) return s * x end) end,
    count = function(list) return #present(list) end,
    nanmean = function(list) return mean(present(list)) end,
    nanvar = function(list) return var(present(list)) end,
    nanstd = function(list) return var(present(list)) ^ 0.5 end,
    nanargmin = function(list) return best_present(list, function(a, b) return a < b end) end,
    nanargmax = function(list) return best_present(list, function(a, b) return a > b end) end,
    logsumexp = function(list)
        local most = fold(list, -INFINITY, math.max)
        return most + math.log(fold(list, 0, function(s, x) return s + math.exp(x - most) end))
    end,
    gmean = gmean,
    nangmean = function(list) return gmean(present(list)) end,
}

-- The list without an axis: each place's elements, in order.
local function along(list, shape, axis)
    local outer, inner = 1, 1
    for i, size in ipairs(shape) do
        outer, inner = outer * (i < axis and size or 1), inner * (i > axis and size or 1)
    end
    local places = {}
    for o = 0, outer - 1 do
        for i = 0, inner - 1 do
            local place = {}
            for k = 0, shape[axis] - 1 do
                place[k + 1] = list[(o * shape[axis] + k) * inner + i + 1]
            end
            places[#places + 1] = place
        end
    end
    return places
end

local function near(wanted, got, bound, what)
    local same = wanted == got or wanted ~= wanted and got ~= got
    assert.is_true(same or math.abs(wanted - got) <= bound, ("%s: %s, wanted %s"):format(what, got, wanted))
end

local function as_number(x) return x == true and 1 or x == false and 0 or x end

-- ---- specs ------------------------------------------------------------------------------------------------------

local SHAPES = { { 1 }, { 7 }, { 300 }, { 5000 }, { 40, 33 }, { 3, 500 }, { 500, 3 }, { 9, 20, 11 } }

helper.each_device(function(dev, title) describe("reductions with a state on " .. title, function()
    local variants = helper.variants(dev, "map") -- the names are the same

    -- Small whole numbers, so that sums are exact in every dtype.
    local function material(size, dtype, seed)
        local random, list = numbers.generator(seed), {}
        for i = 1, size do
            list[i] = random(0, 20) - (dtype:find "^u" and 0 or 8)
        end
        return list
    end

    -- All ops in one kernel, over everything and along each axis.
    local function check(array, list, shape, ops, variant)
        for axis = 0, #shape > 1 and #shape or 0 do
            local given, results = { axis = axis > 0 and axis or nil, variant = variant }, nil
            local runs = helper.can(function()
                results = { dev:reduce(ops, "x", { x = array }, given) }
            end)
            for k, op in ipairs(runs and ops or {}) do
                local got = axis == 0 and { results[k] } or helper.flat(results[k])
                for i, place in ipairs(axis == 0 and { list } or along(list, shape, axis)) do
                    local wanted = PLAIN[op](place)
                    near(wanted, as_number(got[i]), math.abs(wanted) * 1e-5 + 1e-12,
                        ("%s of %s %s along %d by %s"):format(op, table.concat(shape, "x"), array:dtype(), axis,
                            variant))
                end
            end
        end
    end

    local GROUPS = { { "mean", "argmin", "any", "nnz", "nansum" }, { "var", "argmax", "all", "asum" },
        { "std", "nanmin", "nanmax", "norm" }, { "nanmean", "nanargmin", "logsumexp" },
        { "nanvar", "nanstd", "nanargmax", "count" } }

    for number, dtype in ipairs { "f32", "i8", os.getenv "LUNARRAY_LONG" and "u8" } do
        it("are those of plain Lua, along every axis, in " .. dtype, function()
            for k, shape in ipairs(helper.some(SHAPES)) do
                local size = 1
                for _, n in ipairs(shape) do
                    size = size * n
                end
                local list = material(size, dtype, k)
                local array = dev:array(list, dtype, shape)
                for i, variant in ipairs(variants) do
                    check(array, list, shape, GROUPS[(i + number) % #GROUPS + 1], variant)
                end
            end
        end)
    end

    it("of many short rows are those of one element after the other", function()
        local rows, arrays = 128 * dev:info().units + 3, {} -- enough for a work-item to a row
        for _, columns in ipairs(helper.some { 32, 33, 40, 64, 100, 511, 512 }) do
            arrays[#arrays + 1] = dev:randint({ rows, columns }, -9, 9, { seed = columns }):cast "f32"
        end
        arrays[#arrays + 1] = dev:randint({ rows, 4, 50 }, -9, 9, { seed = 1 }):cast("f32"):slice({}, {}, { 2, 41 })
        for _, a in ipairs(arrays) do
            for _, ops in ipairs { { "sum", "max" }, { "asum", "nnz", "min" }, { "mean", "var", "norm" },
                { "argmax", "argmin" } } do
                local axis = a:ndim() == 3 and { 2, 3 } or 2
                local plain = { dev:reduce(ops, "x", { x = a }, { axis = axis, variant = "plain" }) }
                for _, variant in ipairs(variants) do
                    local got = {}
                    helper.can(function()
                        got = { dev:reduce(ops, "x", { x = a }, { axis = axis, variant = variant }) }
                    end)
                    for k, result in ipairs(got) do
                        local off = (result - plain[k]):abs():max()
                        assert.is_true(off <= 1e-4, ("%s by %s is %g off"):format(ops[k], variant, off))
                    end
                end
            end
            for _, variant in ipairs(a:ndim() == 2 and variants or {}) do -- nothing behind the results is written
                local room = dev:full({ rows + 70 }, 7)
                helper.can(a.norm, a, { axis = 2, variant = variant, out = room:slice { 1, rows } })
                assert.equal(70, room:slice({ rows + 1, rows + 70 }):eq(7):nnz(), variant)
            end
        end
    end)

    it("give of an expression, and of a segment, what they give of an array, in every dtype", function()
        local list = material(600, "i8", 5)
        for _, dtype in ipairs(helper.dtypes(dev)) do
            local ops, values = { "absmax", "sum" }, { table.unpack(list) }
            for i, x in ipairs(values) do
                values[i] = dtype:find "^u" and math.abs(x) or x
            end
            values[77] = dtype:find "^i" and -(1 << 8 * dev:zeros({ 1 }, dtype):nbytes() - 1) or values[77]
            local array, alone = dev:array(values, dtype), {}
            for k, op in ipairs(ops) do
                alone[k] = array:reduce(op)
            end
            assert.same(alone, { dev:reduce(ops, "x", { x = array }) }, dtype)
            local whole = dev:array({ 1, 601 }, "i32")
            assert.equal(alone[1], array:absmax({ segments = whole }):get(1), dtype)
        end
    end)

    it("take every dtype", function()
        local list = material(600, "u8", 3)
        local pairs_of_ops = { { "mean", "argmin" }, { "std", "nansum" }, { "norm", "all" } } -- small programs
        for i, dtype in ipairs(helper.dtypes(dev)) do
            check(dev:array(list, dtype, { 600 }), list, { 600 }, pairs_of_ops[i % 3 + 1], variants[1])
        end
    end)

    it("have the dtypes of the table", function()
        local float = dev:info().fp64 and "f64" or "f32"
        for _, row in ipairs {
            { "mean", "i8", float }, { "mean", "f16", "f32" }, { "var", "f32", "f32" }, { "argmin", "u8", "i64" },
            { "any", "f32", "bool" }, { "nnz", "f32", "i64" }, { "asum", "i8", "i64" }, { "asum", "u16", "i64" },
            { "nanmin", "i16", "i16" }, { "nansum", "bf16", "f32" }, { "norm", "u8", float },
        } do
            assert.equal(row[3], dev:ones({ 4 }, row[2]):reduce(row[1], { keepdims = true }):dtype(), row[1])
        end
        assert.same({ true, false }, { dev:ones({ 3 }):any(), dev:zeros({ 3 }):all() })
        assert.same({ true, 3 }, { dev:reduce({ "all", "nnz" }, "x", { x = dev:ones { 3 } }, { async = true }):get() })
        assert.equal("integer", math.type(dev:ones({ 3 }):argmax()))
    end)

    it("tell the first of equals, and a NaN before all others", function()
        local a = dev:array { 3, 1, 5, 1, 5 }
        assert.same({ 2, 3 }, { a:argmin(), a:argmax() })
        local list = {}
        for i = 1, 3000 do
            list[i] = i % 7
        end
        list[1234], list[2500] = NAN, NAN
        for _, variant in ipairs(variants) do
            local long = dev:array(list)
            assert.equal(1234, long:argmin { variant = variant })
            assert.equal(1234, long:argmax { variant = variant })
        end
        local m = dev:array { { 1, 9 }, { 9, 1 }, { 9, 9 } }
        assert.equal(2, m:argmax())
        assert.equal(2, m:t():argmax(), "positions count in the view's own order")
        assert.same({ 2, 1 }, m:argmax({ axis = 1 }):totable())
        assert.same({ 2, 1, 1 }, m:argmax({ axis = 2 }):totable())
        assert.same({ 1, 2, 1 }, m:slice(nil, { 2, 1, -1 }):argmax({ axis = 2 }):totable())
    end)

    it("let NaN and infinities spread, or pass them by", function()
        local a = dev:array { 1, NAN, 3, INFINITY }
        assert.same({ 1.0, INFINITY, INFINITY }, { a:nanmin(), a:nanmax(), a:nansum() })
        for _, op in ipairs { "mean", "var", "std", "asum", "norm" } do
            assert.is_true(a:reduce(op) ~= a:reduce(op), op)
        end
        local none = dev:array { NAN, NAN }
        assert.is_true(none:nanmin() ~= none:nanmin())
        assert.equal(0.0, none:nansum())
        assert.same({ true, true, 2 }, { none:any(), none:all(), none:nnz() })
        local up = dev:array { 1, INFINITY, 3 }
        assert.same({ INFINITY, INFINITY }, { up:mean(), up:norm() })
        assert.is_true(up:var() ~= up:var())
        for _, dtype in ipairs(helper.dtypes(dev, "float")) do -- alone, too
            for _, x in ipairs { NAN, INFINITY, -INFINITY } do
                local alone = dev:array({ x, 2 }, dtype)
                helper.check_list({ NAN, 0.0 }, alone:var({ axis = {} }):totable())
                helper.check_number(NAN, alone:slice({ 1, 1 }):std())
                helper.check_list({ NAN, 0.0 }, alone:std({ segments = dev:array({ 1, 2, 3 }, "i32") }):totable())
            end
        end
    end)

    it("leave NaN out, along every axis, in runs, and where there is nothing else", function()
        for k, shape in ipairs { { 5000 }, { 40, 33 }, { 500, 3 }, { 9, 20, 11 } } do
            local size, random, list = 1, numbers.generator(k), {}
            for _, n in ipairs(shape) do
                size = size * n
            end
            for i = 1, size do
                list[i] = (i % 97 < 40 or random(1, 5) == 1) and NAN or random(-8, 12)
            end
            for i = 1, k > 1 and shape[#shape] or 0 do -- the first row, and the first column
                list[i], list[(i - 1) * shape[#shape] + 1] = NAN, NAN
            end
            local array = dev:array(list, "f32", shape)
            for i, variant in ipairs(variants) do
                local groups = { { "nanmean", "nanargmin", "count" }, { "nanvar", "nanargmax" },
                    { "nanstd", "nansum" } }
                check(array, list, shape, groups[i % 3 + 1], variant)
            end
        end
        local some = dev:array { NAN, 2, NAN, 5, NAN }
        assert.same({ 10.0, 2, 3.5, 2.25, 1.5, 2, 4 }, { some:nanprod(), some:count(), some:nanmean(), some:nanvar(),
            some:nanstd(), some:nanargmin(), some:nanargmax() })
        assert.same({ 4.5, 9.0 }, { some:nanvar { ddof = 1 }, some:nanvar { ddof = 1.5 } })
        for _, ddof in ipairs { 2, 3 } do -- nothing is left, or less
            helper.check_number(NAN, some:nanvar { ddof = ddof })
        end
        local none = dev:array { NAN, NAN }
        assert.same({ 1, 1, 0, 1.0 }, { none:nanargmin(), none:nanargmax(), none:count(), none:nanprod() })
        assert.is_true(none:nanmean() ~= none:nanmean() and none:nanstd() ~= none:nanstd())
        local odd = dev:array { { NAN, INFINITY, 1 }, { NAN, -INFINITY, NAN } }
        assert.same({ 3, 2 }, odd:nanargmin({ axis = 2 }):totable())
        assert.same({ 2, 2 }, odd:nanargmax({ axis = 2 }):totable())
    end)

    it("are geometric means, of all or of what is no NaN, of floats and of integers", function()
        for k, shape in ipairs { { 5000 }, { 40, 33 }, { 9, 20, 11 } } do
            local size, random, list, holes = 1, numbers.generator(k), {}, {}
            for _, n in ipairs(shape) do
                size = size * n
            end
            for i = 1, size do
                list[i] = 2 ^ random(-3, 3)
                holes[i] = random(1, 3) == 1 and NAN or list[i]
            end
            for _, variant in ipairs(variants) do
                check(dev:array(list, "f32", shape), list, shape, { "gmean" }, variant)
                check(dev:array(holes, "f32", shape), holes, shape, { "gmean", "nangmean" }, variant)
            end
        end
        local a, none = dev:array({ 1, 2, 4, 8 }, "i32"), dev:array { NAN, NAN }
        helper.check_number(8 ^ 0.5, a:gmean(), 1e-6)
        helper.check_array(a:gmean { segments = { 1, 3, 5 }, dtype = "f32" }, "f32", { 2 }, { 2 ^ 0.5, 32 ^ 0.5 }, 1e-6)
        assert.same({ 0.0, 0.0 }, { dev:array({ 0, 4 }):gmean(), dev:array({ 0, NAN }):nangmean() })
        for _, x in ipairs { none:nangmean(), dev:array({ -1, 4 }):gmean(), dev:array({ -1, NAN, 4 }):nangmean() } do
            helper.check_number(NAN, x)
        end
    end)

    it("take a fraction off the count", function()
        for _, x in ipairs { dev:array { 1, 2, 3, 4 }, dev:array({ 1, 2, 3, 4 }, "i8") } do
            near(5 / 2.5, x:var { ddof = 1.5 }, 1e-6, "var")
            near((5 / 3.5) ^ 0.5, x:std { ddof = 0.5 }, 1e-6, "std")
            assert.equal(INFINITY, x:var { ddof = 4.5 }) -- of nothing
            assert.same(x:var { ddof = 1 }, dev:reduce("var", "x", { x = x }, { ddof = 1 }))
            if dev:info().fp64 then
                near(5 / 2.5, x:var { ddof = 1.5, reproducible = true }, 1e-6, "var in bins")
            end
        end
    end)

    it("sum exponentials that overflow, or vanish", function()
        for _, case in ipairs {
            { { 1000, 1000 }, 1000 + math.log(2) }, { { -1000, -1001 }, -1000 + math.log(1 + math.exp(-1)) },
            { { -INFINITY, -INFINITY }, -INFINITY }, { { INFINITY, 1 }, INFINITY }, { { -INFINITY, 2 }, 2 },
            { { NAN, INFINITY }, NAN }, { { 3 }, 3 },
        } do
            local list, wanted = table.unpack(case)
            local long = dev:full({ 700 }, -INFINITY)
            long:slice({ 301, 300 + #list }):write(list)
            for _, a in ipairs { long, dev:array(list) } do
                near(wanted, a:logsumexp(), 2 ^ -23 * 1000, "logsumexp")
                near(wanted, a:logsumexp { variant = "plain" }, 2 ^ -23 * 1000, "logsumexp by plain")
            end
        end
    end)

    it("find what is at the ends of a dtype's range, of each kind", function()
        for _, name in ipairs { "i8", "u16", "f16" } do
            local dtype = numbers.dtype[name]
            local low = dtype.kind == "float" and -INFINITY or dtype.low
            local high = dtype.kind == "float" and INFINITY or dtype.high
            for _, case in ipairs { { high, "nanmin", "argmin" }, { low, "nanmax", "argmax" } } do
                local value, extreme, place = table.unpack(case)
                local a = dev:zeros({ 3, 333 }, name)
                a:write(dev:array({ value }, name):broadcast(3, 333))
                for _, variant in ipairs(variants) do
                    local what = ("%s of %s by %s"):format(extreme, name, variant)
                    helper.can(function()
                        local options = { axis = 2, variant = variant }
                        local values, places = dev:reduce({ extreme, place }, "x", { x = a }, options)
                        helper.check_array(values, name, { 3 }, { value, value, value }, 0, what)
                        helper.check_array(places, "i64", { 3 }, { 1, 1, 1 }, 0, what)
                    end)
                end
            end
        end
    end)

    -- Runs of 28 are too short for a leaf of vectors: their vectors, and what is left of them, make chains of their
    -- own, of 32. In a straight chain of 40000 the error is hundreds of times as great.
    it("add up many short runs with an error that grows as the logarithm of their number", function()
        local rows, run = 40000, 28
        local x = numbers.round(0.1, "f32")
        local a = dev:full({ rows, run + 4 }, x):slice(nil, { 1, run })
        local bound = (32 + 32 + math.log(rows * run, 2)) / 2 * numbers.dtype.f32.eps * rows * run * x
        for _, variant in ipairs(variants) do
            helper.can(function() near(rows * run * x, a:asum { variant = variant }, bound, "asum by " .. variant) end)
        end
    end)

    it("of a long row end where it ends, though their last part is short", function()
        for _, n in ipairs { 70001, 150001, 1000003 } do
            local all = dev:ones { n + 200000 }
            all:slice({ n + 1, -1 }):fill(9)
            assert.same({ 1.0, 0.0, 1.0 * n }, { all:slice({ 1, n }):reduce { "mean", "var", "asum" } }, n)
        end
    end)

    it("find a variance however large the mean is", function()
        local float = dev:info().fp64 and "f64" or "f32"
        local offset = float == "f64" and 1e12 or 1e5
        local list = {}
        for i = 1, 10000 do
            list[i] = offset + i % 4
        end
        for _, variant in ipairs(variants) do
            local a = dev:array(list, float)
            near(1.25, a:var { variant = variant }, 1e-6, variant)
            near(offset + 1.5, a:mean { variant = variant }, offset * 1e-7, variant)
            near(1.25 * 10000 / 9999, a:var { ddof = 1, variant = variant }, 1e-6, variant)
        end
        list[1] = -offset -- far from all others
        local wanted = var(list)
        near(wanted, dev:array(list, float):var(), wanted * 1e-6, "with an outlier")
    end)

    it("find means of integers as their sum's share, without a further rounding", function()
        local float = dev:info().fp64 and "f64" or "f32"
        for _, dtype in ipairs(float == "f64" and { "i8", "u16", "i32", "u32" } or {}) do
            for rows = 2, 47, 5 do
                local list, sums = {}, {}
                for i = 1, rows do
                    list[i] = {}
                    for j = 1, 30 do
                        list[i][j] = (i * i * 7919 + j * j * 104729) % 101
                        sums[j] = (sums[j] or 0) + list[i][j]
                    end
                end
                for j = 1, 30 do
                    sums[j] = sums[j] / rows
                end
                local a = dev:array(list, dtype)
                helper.check_array(a:mean { axis = 1 }, float, { 30 }, sums)
                helper.check_array(a:t():copy():mean { axis = 2 }, float, { 30 }, sums)
            end
        end
    end)

    it("find a norm whose squares overflow or vanish", function()
        for _, dtype in ipairs(helper.dtypes(dev, "float")) do
            for _, x in ipairs(dtype == "f64" and { 1e300, 1e-300 } or dtype == "f32" and { 1e30, 1e-30 } or {}) do
                for _, variant in ipairs(variants) do
                    local a = dev:full({ 400 }, x, dtype)
                    near(1, a:norm { variant = variant } / (20 * x), 1e-6, dtype)
                end
            end
        end
        assert.equal(0.0, dev:zeros({ 5 }):norm())
    end)

    it("keep a sum's error small", function()
        local n = 1 << 20
        local tenth = dev:full({ n }, 0.1)
        local exact = tenth:get(1) * n
        local bound = 20 * 2 ^ -24 * exact -- log2(n) roundings; a chain of all elements is off by thousands of them
        near(exact, tenth:asum(), bound, "asum")
        near(exact, dev:reduce("sum", "x", { x = tenth }), bound, "sum of an expression")
        near(exact, tenth:reshape(1024, 1024):asum({ axis = 1 }):sum(), bound, "columns")
    end)

    it("take views, empty arrays and scalars", function()
        local a = dev:arange(1, 60, 1):cast("f32"):reshape(3, 4, 5)
        local view = a:slice({ 3, 1, -2 }, nil, { 1, 5, 2 })
        local list = view:copy():reshape(view:size()):totable()
        for _, op in ipairs { "mean", "argmin", "asum" } do
            near(PLAIN[op](list), view:reduce(op), 1e-4, op)
            local part = view:reduce(op, { axis = { 1, 3 } })
            assert.same({ 4 }, { part:shape() })
            near(PLAIN[op](view:slice(nil, 2):copy():reshape(6):totable()), part:get(2), 1e-4, op)
        end
        assert.equal(7.0, dev:array(7):mean())
        local none = dev:zeros { 0, 3 }
        assert.same({ false, true, 0, 0.0 }, { none:any(), none:all(), none:nnz(), none:norm() })
        assert.same({ 0, 0, 0 }, none:nnz({ axis = 1 }):totable())
        assert.same({ 0 }, { none:mean({ axis = 2 }):shape() })
        helper.raises("mean: mean of no elements: the reduced extent of shape 0x3 is 0", function() none:mean() end)
        helper.raises("argmax: argmax of no elements", function() none:argmax { axis = 1 } end)
    end)

    it("write where they are told, and refuse what does not fit", function()
        local a = dev:array { { 1, 2 }, { 3, 4 } }
        assert.same({ 1, 2 }, { a:mean({ axis = 1, keepdims = true }):shape() })
        local cube, list = dev:arange(60, "f32"):reshape(3, 4, 5), dev:array { 0, 1, 2 }:reshape(3, 1, 1)
        local whole = dev:zeros { 1, 8, 10 }
        local view = whole:slice(nil, { 2, 8, 2 }, { 9, 1, -2 })
        assert.equal(view, dev:reduce("sum", "x*y", { x = cube, y = list }, { axis = 1, out = view }))
        assert.same((cube * list):sum({ axis = 1, keepdims = true }):totable(), view:totable())
        assert.equal(view:sum(), whole:sum())
        helper.raises("var: option 'ddof': a number is needed, got a string", function() a:var { ddof = "1" } end)
    end)
end) end)

helper.each_device(function(dev, title) describe("dev:reduce on " .. title, function()
    local x, y = dev:arange(1, 1000, 1):cast "f32", dev:full({ 1000 }, 2)

    it("reduces an expression", function()
        assert.equal(1001000.0, dev:reduce("sum", "x*y", { x = x, y = y }))
        assert.same({ 1001000.0, 2000.0, 1000, true },
            { dev:reduce({ "sum", "max", "argmax", "any" }, "x*y", { x = x, y = y }) })
        assert.same({ 500500.0, 1501500.0 }, { dev:reduce("sum", { "x", "x*n" }, { x = x, n = 3 }) })
        local rows = dev:reduce("sum", "x*y", { x = x:reshape(10, 100), y = dev:full({ 100 }, 2) }, { axis = 2 })
        assert.same({ 10 }, { rows:shape() })
        assert.equal(2.0 * 5050, rows:get(1))
        assert.equal(500.5, dev:reduce("mean", "x", { x = x }, { async = true }):get())
        local many, line = x:reshape(20, 50), dev:ones { 1, 50 }
        local column = dev:arange(1, 20, 1):cast("f32"):reshape(20, 1)
        for axis = 1, 2 do
            helper.check_array(dev:reduce("sum", "(x - y) * z", { x = many, y = column, z = line }, { axis = axis }),
                "f32", { axis == 1 and 50 or 20 }, helper.flat(((many - column) * line):sum { axis = axis }))
        end
        assert.equal(500500.0 - 50 * 210, dev:reduce("sum", "x - y", { x = many, y = column }))
        local out = { dev:zeros {}, dev:zeros({}, "i64") }
        local middle, at = dev:reduce({ "mean", "argmax" }, "-x", { x = x }, { out = out })
        assert.same({ -500.5, 1 }, { middle:get(), at:get() })
        assert.equal(out[1], middle)
        assert.equal("f64" == dev:reduce("sum", "x", { x = x }, { dtype = "f64", keepdims = true }):dtype(),
            dev:info().fp64)
    end)

    it("tells positions in row-major order, however the array lies", function()
        local list = {}
        for i = 1, 60 do
            list[i] = i * 23 % 30 -- each value twice
        end
        local rows = dev:array(list):reshape(5, 12)
        for _, view in ipairs { rows, rows:t(), rows:t():flip(), rows:flip { axis = 1 } } do
            local copy = view:copy()
            assert.same({ copy:argmax(), copy:argmin() }, { dev:reduce({ "argmax", "argmin" }, "x", { x = view }) })
            local flat, most = helper.flat(copy), 1
            for i, value in ipairs(flat) do
                most = value > flat[most] and i or most
            end
            assert.equal(most, (dev:reduce("argmax", "x", { x = view })))
        end
    end)

    it("makes results that come from one state, and as many as there is room for", function()
        local middle, squares, other, spread = dev:reduce({ "mean", "var", "mean", "std" }, { "x", "x", "y", "x" },
            { x = x, y = y })
        assert.same({ x:mean(), x:var(), 2.0, x:std() }, { middle, squares, other, spread })
        local many = { dev:reduce({ "sum", "max", "min", "prod", "mean", "var", "nnz", "any", "argmin" }, "y",
            { y = y }) }
        assert.same({ 2000.0, 2.0, 2.0, INFINITY, 2.0, 0.0, 1000, true, 1 }, many)
        local wide = dev:arange(1, 64, 1):cast("f32"):reshape(1, 64) + dev:zeros { 4000, 64 }
        local means, spreads = dev:reduce({ "mean", "std" }, "x", { x = wide }, { axis = 1 })
        assert.same({ 7.0, 0.0 }, { means:get(7), spreads:get(7) })
    end)

    it("gives the same bits every time", function()
        local a = dev:random({ 100003 }, { seed = 1, low = -1 })
        local first = dev:reduce({ "sum", "var", "norm" }, "a*a - a", { a = a }, { keepdims = true }):tobytes()
        for _ = 1, 5 do
            assert.equal(first,
                dev:reduce({ "sum", "var", "norm" }, "a*a - a", { a = a }, { keepdims = true }):tobytes())
        end
    end)

    it("refuses what it cannot do", function()
        helper.raises("reduce: the expression has a ^", function() dev:reduce("sum", "x^2", { x = x }) end)
        helper.raises("reduce: unknown op 'som'; known are sum, prod", function() dev:reduce("som", "x", { x = x }) end)
        helper.refused("reduce: op 2 of the list is a number; a name is needed", dev, { "sum", 3 }, "x", { x = x })
        helper.refused("reduce: the list has 0 ops; from 1 to 9 are needed", dev, {}, "x", { x = x })
        helper.raises("reduce: got 2 ops and 3 expressions; equal numbers are needed, or one of either",
            function() dev:reduce({ "sum", "max" }, { "x", "y", "x" }, { x = x, y = y }) end)
        helper.raises("reduce: median needs an array, not an expression: take "
            .. "median of the result of map", function() dev:reduce("median", "x", { x = x }) end)
        helper.refused("reduce: quantile needs an array, not an expression", dev, { "sum", "quantile" }, "x", { x = x })
        helper.refused("reduce: unknown op 'total'; known are " .. helper.reductions(true),
            dev, "total", "x", { x = x })
        helper.raises("reduce: axis 3 is out of range: the array has 1 axis (1000)",
            function() dev:reduce("sum", "x", { x = x }, { axis = 3 }) end)
        helper.refused("reduce: argument 3: there is no array to compute with", dev, "sum", "n", { n = 1 })
        helper.refused("reduce: the reduction has 11 arrays and results; at most 10 are possible",
            dev, { "sum", "max", "min", "prod", "mean" }, "a+b+c+d+e+f", { a = x, b = x, c = x, d = x, e = x, f = x })
    end)
end) end)
