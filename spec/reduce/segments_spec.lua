-- Reductions of segments, segmented scans, and scans by operators of the user's own, against plain Lua.

local lun = require "lunarray"
local composed = require "spec.reduce.composed"
local helper = require "spec.helper"
local numbers = require "spec.numbers"

local it = helper.one_in(3, it)

-- Starts of segments of `size` elements: one long, many short and empty ones, and some elements outside of all.
local function skewed(size, seed, filled)
    local random, starts, at = numbers.generator(seed), {}, math.min(3, size + 1)
    local long = math.max(size // 2, 1)
    while at <= size do
        starts[#starts + 1] = at
        at = at + (#starts == 5 and long or filled and random(1, 9) or random(0, 9) // 2 * 2)
    end
    return starts
end

local function whole_numbers(size, seed)
    local random, list = numbers.generator(seed), {}
    for i = 1, size do
        list[i] = random(-9, 9)
    end
    return list
end

local JOIN = {
    sum = function(a, b) return a + b end,
    max = math.max,
    min = math.min,
    nnz = function(a, b) return a + (b ~= 0 and 1 or 0) end,
    asum = function(a, b) return a + math.abs(b) end,
    sumsq = function(a, b) return a + b * b end,
    last = function(a, b) return b ~= 0 and b or a end,
}
local FIRST = { sum = 0, nnz = 0, asum = 0, sumsq = 0, max = -math.huge, min = math.huge, last = 0 }
local LAST = { combine = "b != 0 ? b : a", identity = "0" }

local function reduced(list, starts, op)
    local results = {}
    for s = 1, #starts - 1 do
        local value = FIRST[op]
        for i = starts[s], starts[s + 1] - 1 do
            value = JOIN[op](value, list[i])
        end
        results[s] = value
    end
    return results
end

-- Each start begins anew, whichever end the scan comes from; values stay in their order.
local function scanned(list, starts, op, given)
    local begins, results, value = {}, {}, FIRST[op]
    for _, start in ipairs(starts) do
        begins[start + (given.reverse and -1 or 0)] = true
    end
    local from, to, step = 1, #list, 1
    if given.reverse then
        from, to, step = to, from, -1
    end
    for i = from, to, step do
        value = begins[i] and FIRST[op] or value
        local both = given.reverse and value ~= FIRST[op] and JOIN[op](list[i], value) or JOIN[op](value, list[i])
        results[i] = given.exclusive and value or both
        value = both
    end
    return results
end

local AFTER, maps, with = composed.options, composed.maps, helper.merged
JOIN.after, FIRST.after = composed.both, 1

-- The lines of a row-major list along an axis, each with the position of its first element and the step to the next.
local function lines(list, shape, axis)
    local step, all = 1, {}
    for i = axis + 1, #shape do
        step = step * shape[i]
    end
    for first = 1, #list do
        if (first - 1) // step % shape[axis] == 0 then
            local line = { first = first, step = step }
            for i = 1, shape[axis] do
                line[i] = list[first + (i - 1) * step]
            end
            all[#all + 1] = line
        end
    end
    return all
end

-- Calls body(variant) for the ways to run that can do it, and gives the names of these.
local function each_way(body)
    local names = {}
    for _, variant in ipairs { "columns", "gpu", "plain" } do
        names[#names + 1] = helper.can(body, variant) and variant or nil
    end
    return table.concat(names, " ")
end

local SIZES = { 1, 2, 33, 4095, 4097, 40001 }

helper.each_device(function(dev, title) describe("segments on " .. title, function()
    it("are reduced each by itself, long and short and empty ones", function()
        for k, size in ipairs(SIZES) do
            local list, starts = whole_numbers(size, k), skewed(size, k)
            local array, segments = dev:array(list, "i32"), dev:array(starts, k % 2 == 0 and "i32" or "i64",
                { #starts })
            for _, op in ipairs(#starts > 0 and { "sum", "nnz" } or {}) do
                assert.same(reduced(list, starts, op), array:reduce(op, { segments = segments }):totable(), op .. size)
            end
        end
    end)

    it("have extremes, means and positions where none is empty", function()
        local list, starts = whole_numbers(20011, 7), skewed(20011, 7, true)
        local array, segments = dev:array(list), dev:array(starts, "i64")
        assert.same(reduced(list, starts, "max"), array:max({ segments = segments }):totable())
        local means, sums = array:mean({ segments = segments }), reduced(list, starts, "sum")
        local variances, squares = array:var { segments = segments, ddof = 0 }, reduced(list, starts, "sumsq")
        local largest, at = reduced(list, starts, "max"), array:argmax { segments = segments }
        for s = 1, #starts - 1 do
            local count = starts[s + 1] - starts[s]
            helper.check_number(sums[s] / count, means:get(s), 1e-5, "mean " .. s)
            helper.check_number(squares[s] / count - (sums[s] / count) ^ 2, variances:get(s), 1e-4, "var " .. s)
            local first = starts[s]
            while list[first] ~= largest[s] do
                first = first + 1
            end
            assert.equal(first, at:get(s))
        end
    end)

    it("are of the axis that is named, or of the last one", function()
        local array = dev:arange(60, { dtype = "i32" }):reshape(3, 20)
        local segments = dev:array({ 1, 5, 5, 21 }, "i32")
        assert.same({ { 10, 0, 200 }, { 90, 0, 520 }, { 170, 0, 840 } }, array:sum({ segments = segments }):totable())
        assert.same(array:sum({ segments = segments }):totable(),
            array:t():sum({ segments = segments, axis = 1 }):t():totable())
        assert.same({ 3, 0 }, { array:sum({ segments = dev:array({ 1 }, "i32") }):shape() })
        assert.same({ 0, 0 }, dev:zeros({ 0 }, "i32"):sum({ segments = dev:array({ 1, 1, 1 }, "i32") }):totable())
    end)

    it("are reduced by operators of the user's own and of expressions, in their order", function()
        local list, starts = whole_numbers(40001, 3), skewed(40001, 3)
        local array, segments = dev:array(list, "i32"), dev:array(starts, "i32")
        assert.same(reduced(list, starts, "last"), array:reduce(with(LAST, { segments = segments })):totable())
        assert.same(reduced(list, starts, "sumsq"),
            dev:reduce("sum", "x * y", { x = array, y = array }, { segments = segments }):totable())
        local out = dev:zeros({ #starts - 1 }, "i64")
        assert.equal(out, array:sum { segments = segments, out = out })
        assert.same(reduced(list, starts, "sum"), out:totable())
    end)

    it("are summed in bins, each with the bits that it has alone", function()
        if not dev:info().fp64 then
            return pending "sums in bins need f64"
        end
        local random, list, starts = numbers.generator(9), {}, skewed(5001, 9, true)
        for i = 1, 5001 do -- the large ones leave nothing of the small ones in a plain sum
            list[i] = (i % 3 - 1) * 2.0 ^ (20 + i // 3 % 60) + random(-99, 99)
        end
        local array, segments = dev:array(list, "f32"), dev:array(starts, "i32")
        for _, option in ipairs { "accurate", "reproducible" } do
            for _, op in ipairs { "sum", "norm" } do
                local results = array[op](array, { segments = segments, axis = 1, [option] = true })
                for _, s in ipairs { 1, 5, 6, #starts - 1 } do
                    local alone = array:slice { starts[s], starts[s + 1] - 1 }
                    assert.equal(alone[op](alone, { [option] = true }), results:get(s))
                end
            end
        end
        local exact = dev:array({ 1e17, 1, -1e17, 3, 1e7, 1, -1e7 }, "f64"):sum {
            segments = dev:array({ 1, 4, 5, 8 }, "i32"), accurate = true,
        }
        assert.same({ 1, 3, 1 }, exact:totable())
    end)

    it("stand in lists as well as in arrays", function()
        local array = dev:arange(12, { dtype = "i32" }):reshape(2, 6)
        local list, starts = { 1, 3, 3, 7 }, dev:array({ 1, 3, 3, 7 }, "i64")
        local function same(f) assert.same(f(starts):totable(), f(list):totable()) end
        same(function(s) return array:sum { segments = s } end)
        same(function(s) return array:reduce("sum", { segments = s, axis = 2, out = dev:zeros({ 2, 3 }, "i64") }) end)
        same(function(s) return array:reduce(with(LAST, { segments = s })) end)
        same(function(s) return dev:reduce("sum", "x * y", { x = array, y = array }, { segments = s }) end)
        same(function(s)
            return dev:reduce(with(LAST, { map = "x + y" }), { x = array, y = array }, { segments = s })
        end)
        same(function(s) return array:cumsum { segments = s, axis = 2 } end)
        same(function(s) return array:scan(with(LAST, { segments = s, axis = 2 })) end)
        same(function(s) return array:sum({ segments = s, async = true }):get() end)
        same(function(s) return lun.fuse(function(x) return (x * x):sum { segments = s } end)(array) end)
        assert.same({ 1, 3, 3, 7 }, list)
        assert.same({ 3, 7 }, dev:array({ 1, 2, 3, 4 }):sum({ segments = { 1.0, 3.0, 5.0 } }):totable())
        local wrong = array:sum { segments = { 1, 8 } }
        helper.raises("totable: sum: start 8 at position 2 of segments", function() wrong:totable() end)
        local wanted = "an i32 or i64 array of starts, or a list of them, is needed, got "
        for message, segments in pairs {
            ["option 'segments': " .. wanted .. "a table"] = {}, ["option 'segments': " .. wanted .. "a number"] = 3,
            ["option 'segments': the table has the key 'x'; elements are stored at 1 to 2"] = { 1, 3, x = 2 },
            ["element 2: 1.5 has no representation in i64: an integer is needed"] = { 1, 1.5 },
            ["element 2 is a string where a number is needed"] = { 1, "x" },
            ["segments has shape 1x2; one axis is needed"] = { { 1, 3 } },
        } do
            helper.raises("sum: " .. message, function() array:sum { segments = segments } end)
        end
        helper.raises("sum: segments is f32; i32 or i64 is needed, or a list of starts",
            function() array:sum { segments = dev:ones { 2 } } end)
    end)

    it("may be views, and results go to views", function()
        local array = dev:arange(24, { dtype = "i32" }):reshape(4, 6)
        for _, dtype in ipairs { "i32", "i64" } do
            local starts = dev:array({ { 9, 9 }, { 1, 9 }, { 3, 9 }, { 3, 9 }, { 5, 9 } }, dtype):col(1):slice { 2, 5 }
            local whole = dev:full({ 7, 4 }, 7, "i64")
            array:sum { segments = starts, axis = 1, out = whole:t():slice({ 2, 4 }, { 6, 1, -1 }) }
            assert.same(array:sum({ segments = { 1, 3, 3, 5 }, axis = 1 }):flip({ axis = 2 }):t():totable(),
                whole:slice({ 1, 6 }, { 2, 4 }):totable())
            assert.equal(7 * 10, whole:row(7):sum() + whole:slice({ 1, 6 }, 1):sum())
            assert.same(array:cumsum({ segments = { 1, 3, 3, 5 }, axis = 1 }):totable(),
                array:cumsum({ segments = starts, axis = 1 }):totable())
        end
    end)

    it("begin scans anew", function()
        for k, size in ipairs(SIZES) do
            local list, starts = whole_numbers(size, k), skewed(size, k)
            if #starts > 0 then
                local array, segments = dev:array(list, "i32"), dev:array(starts, "i32")
                for _, given in ipairs { {}, { exclusive = true }, { reverse = true }, { exclusive = true,
                    reverse = true } } do
                    local options = with(given, { segments = segments })
                    assert.same(scanned(list, starts, "sum", given), array:cumsum(options):totable())
                    assert.same(scanned(list, starts, "last", given), array:scan(with(LAST, options)):totable())
                end
                assert.same(scanned(list, starts, "max", {}), array:scan("max", { segments = segments }):totable())
            end
        end
    end)

    it("are not needed by scans of the user's own", function()
        local digits = { combine = "a * 10 + b", dtype = "f64" }
        if dev:info().fp64 then
            assert.same({ 1, 12, 123, 1234 }, dev:array({ 1, 2, 3, 4 }):scan(digits):totable())
        end
        for _, size in ipairs { 1, 2, 4096, 4097, 100003 } do
            local list = whole_numbers(size, size)
            local array = dev:array(list, "i32")
            assert.same(scanned(list, {}, "last", {}), array:scan(LAST):totable(), size)
            assert.same(scanned(list, {}, "last", { reverse = true }), array:scan(with(LAST,
                { reverse = true })):totable())
        end
        local table_of = dev:array({ { 1, 0, 3 }, { 0, 5, 0 } }, "i32")
        assert.same({ { 1, 0, 3 }, { 1, 5, 3 } }, table_of:scan(with(LAST, { axis = 1 })):totable())
        assert.same({ { 1, 1, 3 }, { 0, 5, 5 } }, table_of:scan(with(LAST, { axis = 2 })):totable())
        assert.same({ 1, 1, 3, 3, 5, 5 }, table_of:scan(LAST):totable())
        assert.same({ 1, 1, 1, 5, 3, 3 }, table_of:t():scan(LAST):totable())
        assert.same({ 2, 6, 12 }, dev:array({ 1, 2, 3 }, "i32"):scan({ map = "2 * x", combine = "a + b" }):totable())
        assert.same({ 0, 1, 3 }, dev:array({ 1, 2, 3 }, "i32"):scan({ combine = "a + b", identity = "0",
            exclusive = true }):totable())
        assert.same({ 0 }, { dev:zeros({ 0 }):scan(LAST):shape() })
    end)

    helper.long(it)("and scans give the same in each way to run, values in their order", function()
        for _, case in ipairs {
            { { 4097 }, 1, "gpu plain" }, { { 9001 }, 1, "gpu plain" }, { { 63 }, 1, "plain" },
            { { 3, 2100 }, 2, "gpu plain" }, { { 40, 100 }, 2, "gpu plain" }, { { 700, 9 }, 1, "columns plain" },
            { { 2, 129, 40 }, 2, "columns plain" }, { { 3000, 131 }, 1, "columns plain" }, { { 90, 7 }, 1, "plain" },
        } do
            local shape, axis, ways = table.unpack(case)
            local size = 1
            for _, extent in ipairs(shape) do
                size = size * extent
            end
            local list, starts = maps(size), skewed(shape[axis], size)
            local array, segments = dev:array(list, "u64", shape), dev:array(starts, "i64")
            local all = lines(list, shape, axis)
            assert.equal(ways, each_way(function(variant)
                local given = { segments = segments, axis = axis, variant = variant }
                local results = array:reduce(with(AFTER, given)):contiguous()
                    :reshape(size // shape[axis] * (#starts - 1))
                local wanted = {}
                for _, line in ipairs(all) do
                    for s, value in ipairs(reduced(line, starts, "after")) do
                        wanted[(line.first - 1) // (shape[axis] * line.step) * (#starts - 1) * line.step
                            + (s - 1) * line.step + (line.first - 1) % line.step + 1] = value
                    end
                end
                assert.same(wanted, results:totable())
                for _, more in ipairs { {}, { exclusive = true }, { reverse = true }, { exclusive = true,
                    reverse = true } } do
                    for _, cut in ipairs { true, false } do
                        given.segments = cut and segments or nil
                        results, wanted = array:scan(with(AFTER, given, more)):reshape(size):totable(), {}
                        for _, line in ipairs(all) do
                            for i, value in ipairs(scanned(line, cut and starts or {}, "after", more)) do
                                wanted[line.first + (i - 1) * line.step] = value
                            end
                        end
                        assert.same(wanted, results)
                    end
                end
            end), table.concat(shape, "x"))
        end
    end)

    it("that begin where parts do give the same in each way to run", function()
        for _, dtype in ipairs { "i32", "i64" } do
            local list = whole_numbers(20000, 11)
            local rows, columns = dev:array(list, dtype), dev:array(list, dtype, { 2000, 10 })
            for _, step in ipairs { 64, 128, 1000, 1250, 2048, 4096 } do
                local starts = {}
                for start = 1, 20000, step do
                    starts[#starts + 1] = start
                end
                local whole = dev:array(starts, "i32")
                local some = {}
                for i = 1, #starts do
                    some[i] = (starts[i] - 1) % 2000 + 1
                end
                table.sort(some)
                local short = dev:array(some, "i64")
                local ways = each_way(function(variant)
                    local given = { segments = whole, variant = variant }
                    assert.same(reduced(list, starts, "sum"), rows:sum(given):totable())
                    assert.same(scanned(list, starts, "sum", {}), rows:cumsum(given):totable())
                end) .. each_way(function(variant)
                    for _, line in ipairs(lines(list, { 2000, 10 }, 1)) do
                        local given = { segments = short, axis = 1, variant = variant }
                        assert.same(reduced(line, some, "sum"), columns:sum(given):col(line.first):totable())
                        assert.same(scanned(line, some, "sum", {}), columns:cumsum(given):col(line.first):totable())
                    end
                end)
                assert.equal("gpu plaincolumns plain", ways)
            end
        end
    end)

    it("of views and of expressions give the same in each way to run", function()
        local a = dev:arange(200 * 30, { dtype = "i32" }):reshape(200, 30)
        local starts = dev:array({ 3, 10, 10, 181, 191 }, "i64")
        local seen = {}
        for _, view in ipairs {
            a:reshape(30, 200):slice({ -1, 1, -1 }, { -1, 1, -1 }), a:slice({ -1, 1, -1 }, { 2, 29 }),
            a:t():slice({ 1, 30, 2 }, { -1, 1, -1 }),
        } do
            local axis = select(1, view:shape()) == 200 and 1 or 2
            local rows = view:copy()
            for _, op in ipairs { "max", "argmin" } do
                if op ~= "argmin" then
                    local wanted = rows:scan(op, { axis = axis, segments = starts, variant = "plain" }):totable()
                    seen[#seen + 1] = each_way(function(variant)
                        local given = { axis = axis, segments = starts, variant = variant }
                        assert.same(wanted, view:scan(op, given):totable())
                    end)
                end
                local filled = dev:array({ 3, 10, 181, 191 }, "i32")
                local wanted = rows:reduce(op, { axis = axis, segments = filled, variant = "plain" }):totable()
                each_way(function(variant)
                    local given = { axis = axis, segments = filled, variant = variant }
                    assert.same(wanted, view:reduce(op, given):totable())
                end)
            end
            local wanted = (rows * rows + 3):cumsum { axis = axis, reverse = true }:totable()
            each_way(function(variant)
                assert.same(wanted, view:scan { map = "x * x + 3", combine = "a + b", identity = "0", dtype = "i64",
                    axis = axis, reverse = true, variant = variant }:totable())
            end)
        end
        assert.matches("columns", table.concat(seen, ","))
        assert.matches("gpu", table.concat(seen, ","))
    end)

    it("of dtypes of each kind give what they give alone, in each way to run", function()
        local ops = { i8 = { "sum", "argmax" }, bf16 = { "sum", "cummax" }, f64 = dev:info().fp64 and { "mean" } }
        local ranges = { { 1, 3 }, { 4, 4899 }, { 4900, 4998 } }
        for dtype, list in pairs(ops) do
            local values = whole_numbers(5000, 5)
            for i = 1, #values do
                values[i] = values[i] + 9
            end
            local array, starts = dev:array(values, dtype), dev:array({ 1, 4, 4900, 4999 }, "i32")
            for _, op in ipairs(list) do
                local ways = each_way(function(variant)
                    local results = array[op](array, { segments = starts, variant = variant })
                    for s, range in ipairs(ranges) do
                        local alone = array:slice(range)
                        if op == "argmax" then
                            assert.equal(alone:argmax() + range[1] - 1, results:get(s))
                        elseif op == "cummax" then
                            assert.equal(alone:max(), results:get(range[2]))
                        else
                            local value = alone[op](alone)
                            assert.equal(math.type(value), math.type(results:get(s)))
                            helper.check_number(value + 0.0, results:get(s) + 0.0, numbers.is_float(dtype)
                                and value * numbers.compute_eps(numbers.summed(dtype)) * 20 or 0)
                        end
                    end
                end)
                assert.equal("gpu plain", ways, dtype .. " " .. op)
            end
        end
    end)

    it("and scans round a sum as often as the logarithm of its length and a run say, not as its length", function()
        local n <const> = 1 << 22
        local eps <const> = 2.0 ^ -23
        local function check(count, last, name)
            local exact = count * numbers.round(0.1, "f32")
            helper.check_number(exact, last, (2 * math.log(count, 2) + 64) * eps / 2 * exact, name)
        end
        for _, case in ipairs { { { n }, 1 }, { { n // 16, 16 }, 1 } } do
            local shape, axis = table.unpack(case)
            local tenths, starts = dev:full(shape, 0.1), dev:array({ 1, shape[1] + 1 }, "i32")
            each_way(function(variant)
                local given = { segments = starts, axis = axis, variant = variant }
                check(shape[1], tenths:cumsum(given):reshape(n):get(n), variant)
                check(shape[1], tenths:sum(given):reshape(n // shape[1]):get(1), variant)
            end)
        end
    end)

    it("are joined where a line has thousands of parts", function()
        local n <const> = (1 << 24) + 5000
        local ones = dev:ones({ n }, "u8")
        local starts = dev:array({ 1, 3, n - 2, n + 1 }, "i32")
        local ways = each_way(function(variant)
            local given = { segments = starts, variant = variant }
            assert.same({ 2, n - 5, 3 }, ones:sum(given):totable())
            local sums = ones:cumsum(given)
            assert.equal(n - 5, sums:get(n - 3))
            assert.equal((1 << 24) - 1, sums:get((1 << 24) + 1))
            assert.equal(3, sums:get(n))
        end)
        assert.equal("gpu plain", ways)
    end)

    it("out of their array touch nothing and raise at the next wait", function()
        local array = dev:arange(7, { dtype = "i32" })
        local out = dev:full({ 2 }, 5, "i64")
        local function raises(wanted, f)
            local result = f()
            helper.raises("totable: " .. wanted, function() result:totable() end)
            assert.equal(28, array:sum())
        end
        local function segments(...) return { segments = dev:array({ ... }, "i32") } end
        raises("sum: start 3 at position 3 of segments is less than the one before, 4",
            function() return array:sum(segments(1, 4, 3)) end)
        raises("sum: start 9 at position 3 of segments is out of range 1..8",
            function() return array:sum(segments(1, 4, 9)) end)
        raises("cumsum: start 0 at position 1 of segments", function() return array:cumsum(segments(0, 4)) end)
        raises("scan: start -5 at position 2 of segments", function()
            return array:scan(with(LAST, segments(1, -5)))
        end)
        raises("max: segment 2 is empty, and the op has no result for no elements",
            function() return array:max(segments(1, 4, 4, 5)) end)
        raises("reduce: segment 1 is empty", function()
            return array:reduce(with({ combine = "a + b" }, segments(2, 2)))
        end)
        raises("sum: start 3 at position 3 of segments is less than the one before, 4",
            function() return array:reduce("sum", segments(1, 4, 3)) end)
        raises("scan: start 2 at position 3 of segments is less than the one before, 8",
            function() return array:scan("max", segments(1, 8, 2)) end)
        raises("reduce: start 3 at position 2 of segments is less than the one before, 5",
            function() return dev:reduce("sum", "x*x", { x = array }, segments(5, 3)) end)
        raises("cummin: start -1 at position 2 of segments is out of range 1..8",
            function() return array:cummin(with(segments(5, -1, 0), { reverse = true })) end)
        local bad = segments(1, 4, 3)
        bad.out = out
        array:sum(bad)
        helper.raises("totable: sum: start 3 at position 3", function() out:totable() end)
        out:fill(5)
        assert.same({ 5, 5 }, out:totable())
    end)

    it("out of their array are told by the event and by finish where there is nothing to give", function()
        local array, none, no_rows = dev:ones { 5 }, dev:zeros { 0 }, dev:zeros { 0, 5 }
        local function starts(...) return { segments = dev:array({ ... }, "i32"), axis = 1 } end
        local function let_go() -- of what has failed; finish raises each failure once
            while not pcall(dev.finish, dev) do end
        end
        local function raises(wanted, f, options)
            local event = f(with(options, { async = true }))
            helper.raises("wait: " .. wanted, function() event:wait() end)
            let_go()
            f(options)
            helper.raises("finish: " .. wanted, function() dev:finish() end)
            dev:finish()
        end
        let_go()
        raises("sum: start 99 at position 1 of segments is out of range 1..6",
            function(o) return array:sum(o) end, starts(99))
        raises("max: start 0 at position 1 of segments is out of range 1..6",
            function(o) return array:max(o) end, starts(0))
        raises("reduce: start 7 at position 1 of segments is out of range 1..6",
            function(o) return array:reduce(with(LAST, o)) end, starts(7))
        raises("sum: start 9 at position 2 of segments is out of range 1..6",
            function(o) return no_rows:sum(with(o, { axis = 2 })) end, starts(1, 9))
        raises("cumsum: start 9 at position 1 of segments is out of range 1..6",
            function(o) return array:cumsum(o) end, starts(9))
        raises("cumsum: start 2 at position 1 of segments is out of range 1..1",
            function(o) return none:cumsum(o) end, starts(2))
        raises("scan: start 9 at position 2 of segments is out of range 1..6",
            function(o) return no_rows:scan(with(LAST, o, { axis = 2 })) end, starts(1, 9))
        for _, op in ipairs { "sum", "max" } do
            assert.same({ 0 }, { array[op](array, starts(6)):shape() })
            assert.same({ 0, 2 }, { no_rows[op](no_rows, with(starts(1, 3, 6), { axis = 2 })):shape() })
        end
        assert.same({ 0 }, { none:cumsum(starts(1)):shape() })
        dev:finish()
    end)

    it("of the wrong kind are refused", function()
        local array = dev:ones { 4, 4 }
        local fine = dev:array({ 1, 5 }, "i32")
        local cases = {
            ["sum: segments is f32; i32 or i64 is needed"] = { segments = dev:ones { 2 } },
            ["sum: segments has shape 2x2; one axis is needed, with one start more than there are segments"] =
                { segments = dev:ones({ 2, 2 }, "i32") },
            ["sum: segments has shape 0; one axis"] = { segments = dev:zeros({ 0 }, "i32") },
            ["sum: segments divide one axis, got 2"] = { segments = fine, axis = { 1, 2 } },
            ["sum: unknown variant 'cpu'; here plain, reproducible can do this"] = { segments = fine, variant = "cpu" },
            ["sum: variant 'gpu' cannot do this here; plain, reproducible can"] = { segments = fine, variant = "gpu" },
        }
        for wanted, given in pairs(cases) do
            helper.raises(wanted, function() array:sum(given) end)
        end
        helper.raises("reduce: segments are reduced by one op at a time, got 2",
            function() dev:reduce({ "sum", "max" }, "x", { x = array }, { segments = fine }) end)
        helper.raises("scan: an exclusive scan begins with the operator's identity, which is missing",
            function() array:scan { combine = "a + b", exclusive = true } end)
        helper.raises("scan: combine is missing", function() array:scan { map = "x" } end)
        helper.raises("scan: combine is missing", function() array:scan {} end)
        helper.raises("scan: map, combine and identity describe an operator of your own, which replaces "
            .. "an op's name", function() array:scan("sum", { combine = "a + b" }) end)
        local both = dev:ones({ 5 }, "i64")
        helper.raises("sum: out overlaps an input; give it memory of its own", function()
            dev:ones({ 4, 1 }, "i64"):sum {
                segments = both:slice { 1, 3 }, axis = 1, out = both:slice({ 3, 4 }):reshape(2, 1),
            }
        end)
        helper.refused("cumsum: out overlaps an input; give it memory of its own",
            dev:ones({ 3 }, "i64"), { segments = both:slice { 1, 3 }, out = both:slice { 3, 5 } })
        local released = dev:array({ 1, 5 }, "i32")
        released:release()
        helper.refused("sum: option 'segments': the array was released", array, { segments = released })
    end)
end) end)
