-- Reductions over everything or over axes, by every variant, against plain Lua.

local helper = require "spec.helper"
local lun = require "lunarray"
local numbers = require "spec.numbers"
local reference = require "spec.reference"

local it = helper.one_in(4, it)

local NAN, INFINITY = 0 / 0, math.huge
local OPS = { "sum", "min", "max", "prod", "sumsq", "absmax" }

-- Each op for each dtype is a program, which takes half a second to build. Every dtype has an op that adds or
-- multiplies and one that compares, which come first, every op several dtypes, and every kind of dtype both ends of its
-- range. The plainest variant, whose maps and identities are the same, has every dtype. With LUNARRAY_LONG=1 all dtypes
-- have all ops.
local SOME_OPS = {
    i8 = { "sum", "min", "prod", "sumsq", "absmax" }, u8 = { "sum", "max", "prod", "absmax" },
    i16 = { "sum", "max" }, u16 = { "sum", "min" }, i32 = { "sum", "min" }, u32 = { "prod", "max" },
    i64 = { "sum", "max", "sumsq", "absmax" },
    u64 = { "sum", "min" }, f16 = { "sum", "min", "absmax" }, bf16 = { "sum", "max" }, f64 = { "sum", "min", "sumsq" },
}
local PLAIN_OPS = {
    i8 = { "sum", "min" }, u8 = { "sum", "max" }, i16 = { "sum" }, u16 = { "sum" }, i32 = { "sum" }, u32 = { "max" },
    i64 = { "sum" }, u64 = { "min" }, f16 = { "sum" }, bf16 = { "max" }, f64 = { "sum", "sumsq" },
}
local FOREIGN_OPS = { f32 = OPS, f16 = { "sum" }, i8 = { "min", "absmax" }, u64 = { "prod" } }

local function ops_of(dev, variant, name)
    if helper.is_foreign(dev, variant) then
        return FOREIGN_OPS[name] or {}
    end
    return not os.getenv "LUNARRAY_LONG" and (variant == "plain" and PLAIN_OPS or SOME_OPS)[name] or OPS
end

-- Work-items, vectors, chunks and groups end at powers of two: sizes at, below and above them, and odd ones.
local SIZES = { 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 127, 129, 255, 256, 257, 1000, 1023, 1025, 4095, 4097,
    16385 }

local SHAPES = {
    { 1, 1 }, { 1, 5 }, { 5, 1 }, { 2, 2 }, { 3, 7 }, { 16, 17 }, { 33, 65 }, { 129, 3 }, { 3, 129 }, { 1025, 2 },
    { 2, 1025 }, { 3, 5, 7 }, { 2, 1, 9 }, { 17, 16, 15 }, { 2, 3, 4, 5 }, { 1, 2, 1, 3, 2 },
}

-- All sets of axes with something in them, as lists.
local function subsets(ndim)
    local list = {}
    for bits = 1, (1 << ndim) - 1 do
        local axes = {}
        for axis = 1, ndim do
            if bits >> axis - 1 & 1 == 1 then
                axes[#axes + 1] = axis
            end
        end
        list[#list + 1] = axes
    end
    return list
end

local function set(axes)
    local gone = {}
    for _, axis in ipairs(axes) do
        gone[axis] = true
    end
    return gone
end

-- Numbers whose sums and products are worth comparing: products neither overflow nor vanish.
local function material(op, count, name, seed)
    if op == "prod" and numbers.is_float(name) then
        local random, list = numbers.generator(seed), {}
        for i = 1, count do
            list[i] = numbers.round((1 + random(-500, 500) / 4096) * (random(0, 1) * 2 - 1), name)
        end
        return list
    elseif numbers.is_float(name) then
        local most = math.min(1000, math.tointeger(2 / numbers.dtype[name].eps)) -- integers that the dtype holds
        return numbers.small(count, name, seed, -most, most)
    end
    return numbers.some(count, name, seed)
end

helper.each_variant("reduce", function(dev, variant, title)
    -- Reduces by that variant over the axes (nil: all) and compares; nothing where the variant cannot.
    local function check(op, array, flat, shape, name, axes)
        local whole = axes == nil
        local got
        if not helper.can(function() got = array:reduce(op, { axis = axes, variant = variant }) end) then
            return
        end
        local expected, kept, tolerances = reference.reduce(op, flat, shape, axes and set(axes), name)
        local what = ("%s of %s %s over %s"):format(op, name, table.concat(shape, "x"),
            whole and "all" or table.concat(axes, ","))
        if whole or #kept == 0 then
            helper.check_number(expected[1], got, tolerances[1], what)
        else
            helper.check_array(got, reference.reduced_dtype(op, name), kept, expected, tolerances, what)
        end
    end

    describe("reduce on " .. title, function()
        it("gives what a Lua loop gives, for every dtype and op #oclgrind", function()
            for _, name in ipairs(helper.dtypes(dev)) do
                for i, op in ipairs(ops_of(dev, variant, name)) do
                    for _, n in ipairs { 1, 37, 300 } do
                        local flat = material(op, n, name, n)
                        check(op, dev:array(flat, name), flat, { n }, name)
                    end
                    if i == 1 then -- the kernels for axes, which are the same for all ops
                        local flat = material(op, 5 * 33, name, 7)
                        local a = helper.array(dev, flat, { 5, 33 }, name)
                        check(op, a, flat, { 5, 33 }, name, { 1 })
                        check(op, a, flat, { 5, 33 }, name, { 2 })
                    end
                end
            end
        end)

        it("is right at every size around the edges", function()
            for _, n in ipairs(SIZES) do
                for _, op in ipairs(OPS) do
                    local flat = material(op, n, "f32", n)
                    check(op, dev:array(flat), flat, { n }, "f32")
                end
            end
        end)

        it("is right over every set of axes #oclgrind", function()
            for _, shape in ipairs(SHAPES) do
                local flat = material("sum", reference.size(shape), "f32", #shape)
                local a = helper.array(dev, flat, shape, "f32")
                for _, axes in ipairs(subsets(#shape)) do
                    check("sum", a, flat, shape, "f32", axes)
                end
                check("max", a, flat, shape, "f32", { #shape })
                check("min", a, flat, shape, "f32", { 1 })
            end
        end)

        it("is right over long and over short axes", function()
            for _, shape in ipairs { { 3, 20001 }, { 20001, 3 }, { 40, 3, 501 } } do
                local flat = numbers.small(reference.size(shape), "i32", 3, -1000, 1000)
                local a = helper.array(dev, flat, shape, "i32")
                for _, axes in ipairs(subsets(#shape)) do
                    check("sum", a, flat, shape, "i32", axes)
                end
                if #shape == 2 and shape[2] == 3 then -- what lies behind the view does not count
                    local longer = dev:full({ shape[1] + 100, 3 }, 77, "i32")
                    local view = longer:slice({ 1, shape[1] })
                    view:write(a)
                    check("sum", view, flat, shape, "i32", { 1 })
                end
            end
        end)

        -- Short rows of small integers are added up in twice their width.
        it("adds up the ends of a small dtype's range", function()
            for _, name in ipairs { "i8", "u8", "i16", "u16" } do
                local dtype = numbers.dtype[name]
                for _, columns in ipairs { 16, 240, 241, 255, 257, 500, 1025 } do
                    for _, value in ipairs { dtype.low, dtype.high } do
                        local a = dev:full({ 70, columns }, value, name)
                        helper.can(function()
                            local sums = a:sum { axis = 2, variant = variant }
                            assert.equal(columns * value, sums:min())
                            assert.equal(columns * value, sums:max())
                        end)
                    end
                end
            end
        end)

        -- Rows of as many elements as a vector has, 2 to 16, or of a part of that, go through code of their own.
        it("is right over rows as short as a vector", function()
            for _, name in ipairs(helper.dtypes(dev)) do
                local ops = ops_of(dev, variant, name)
                for _, columns in ipairs { 2, 3, 4, 5, 8, 11, 16 } do
                    local flat = numbers.small(67 * columns, name, columns)
                    local a = helper.array(dev, flat, { 67, columns }, name)
                    local rest, fewer = a:slice({ 2, 67 }), { 66, columns }
                    for _, op in ipairs { ops[1], ops[2] } do
                        check(op, a, flat, { 67, columns }, name, { 2 })
                        check(op, rest, helper.flat(rest), fewer, name, { 2 })
                    end
                end
            end
        end)

        -- A group takes so many blocks that it has 1024 vectors of them, or elements where they are not aligned.
        it("is right over small blocks, whatever their edges", function()
            for _, name in ipairs { "i32", "f64", "u8" } do
                for _, shape in ipairs { { 1400, 3 }, { 70, 64 }, { 70, 65 }, { 600, 5, 3 }, { 150, 2, 64 } } do
                    local flat = numbers.some(reference.size(shape), name, 3)
                    local a, axis = helper.array(dev, flat, shape, name), { 2 }
                    check("sum", a, flat, shape, name, axis)
                    local rest, fewer = a:slice({ 2, shape[1] }), { shape[1] - 1, shape[2], shape[3] }
                    check("sum", rest, helper.flat(rest), fewer, name, axis)
                end
            end
        end)

        it("writes small blocks' results where they belong", function()
            local flat = numbers.small(500 * 6 * 7, "i32", 4, -9, 9)
            local a = helper.array(dev, flat, { 500, 6, 7 }, "i32")
            helper.can(function()
                local out = dev:zeros({ 7, 500 }, "i64"):t()
                a:sum { axis = 2, out = out, variant = variant }
                local expected, kept, tolerances = reference.reduce("sum", flat, { 500, 6, 7 }, { [2] = true }, "i32")
                helper.check_array(out, "i64", kept, expected, tolerances, "a transposed result")
                local wide, rows = dev:zeros({ 3000, 2 }, "i64"), a:reshape(3000, 7)
                rows:sum { axis = 2, out = wide:col(1), variant = variant }
                expected = reference.reduce("sum", flat, { 3000, 7 }, { [2] = true }, "i32")
                helper.check_list(expected, helper.flat(wide:col(1)), 0, "a column")
                assert.equal(0, wide:col(2):nnz())
            end)
        end)

        it("writes columns' results where they belong", function()
            for _, rows in ipairs { 3, 100, 3001 } do
                local a, wide = dev:arange(rows * 101):cast("i32"):reshape(rows, 101), dev:zeros({ 101, 2 }, "i64")
                helper.can(function()
                    a:sum { axis = 1, out = wide:col(1), variant = variant }
                    local first = 101 * rows * (rows - 1) // 2
                    helper.check_array(wide:col(1) - first, "i64", { 101 }, helper.flat(dev:arange(101, "i64") * rows))
                    assert.equal(0, wide:col(2):nnz())
                end)
                for _, columns in ipairs { 3, 7, 15, 31 } do -- one less than vectors have
                    helper.can(function()
                        local out = dev:full({ columns + 1 }, 77, "i64")
                        local ones, part = dev:ones({ rows, columns }, "i32"), out:slice { 1, columns }
                        ones:sum { axis = 1, out = part, variant = variant }
                        assert.equal(columns * rows + 77, out:sum())
                        assert.equal(77, out:get(columns + 1))
                    end)
                end
            end
        end)

        -- More than a MiB, so that work-items share an output: 1, 2, 3 ..., whose sums have a formula.
        it("joins the parts of long axes", function()
            for _, shape in ipairs { { 3001, 101 }, { 101, 3001 }, { 5, 60013 }, { 60013, 5 }, { 20011, 17 } } do
                local rows, columns = table.unpack(shape)
                local a = dev:arange(rows * columns):cast("i32"):reshape(rows, columns)
                local part = a:slice(nil, { 2, columns })
                helper.can(function()
                    for _ = 1, 2 do
                        assert.equal(rows * columns * (rows * columns + 1) // 2, a:sum { variant = variant })
                        local down = a:sum({ axis = 1, variant = variant })
                        for j = 1, columns, 1 + columns // 50 do
                            assert.equal(columns * rows * (rows - 1) // 2 + rows * j, down:get(j))
                        end
                        local across = a:sum({ axis = 2, variant = variant })
                        for i = 1, rows, 1 + rows // 50 do
                            assert.equal((i - 1) * columns ^ 2 // 1 | 0, across:get(i) - columns * (columns + 1) // 2)
                        end
                    end
                end)
                helper.can(function()
                    local down = part:sum({ axis = 1, variant = variant })
                    assert.equal(columns * rows * (rows - 1) // 2 + rows * columns, down:get(columns - 1))
                end)
            end
        end)

        -- Arrays that with their results exceed the caches: those of two cores, as CPU devices count them.
        it("is right where its results are many", function()
            for _, shape in ipairs { { 8, 300007 }, { 5, 400003 }, { 300007, 8 } } do
                local rows, columns = table.unpack(shape)
                local a = dev:arange(rows * columns):cast("i32"):reshape(rows, columns)
                local down, across, most, out
                helper.can(function()
                    down, across = a:sum({ axis = 1, variant = variant }), a:sum({ axis = 2, variant = variant })
                    most = a:cast("f32"):max({ axis = rows < columns and 1 or 2, variant = variant })
                    out = dev:zeros({ #across + 1 }, "i64"):slice({ 2 })
                    a:sum({ axis = 2, out = out, variant = variant })
                end)
                if not down then
                    return
                end
                for j, sum in ipairs(down:totable()) do
                    if sum ~= columns * rows * (rows - 1) // 2 + rows * j then
                        error(("column %d of %dx%d: %s"):format(j, rows, columns, sum))
                    end
                end
                local also = out:totable()
                for i, sum in ipairs(across:totable()) do
                    if sum ~= (i - 1) * columns * columns + columns * (columns + 1) // 2 or also[i] ~= sum then
                        error(("row %d of %dx%d: %s, %s"):format(i, rows, columns, sum, also[i]))
                    end
                end
                for i, value in ipairs(most:totable()) do
                    if value ~= (rows < columns and (rows - 1) * columns + i or i * columns) then
                        error(("the most in %d of %dx%d: %s"):format(i, rows, columns, value))
                    end
                end
            end
        end)

        it("takes views #oclgrind", function()
            local flat = material("sum", 24 * 35, "f32", 5)
            local a = helper.array(dev, flat, { 24, 35 }, "f32")
            for _, view in ipairs {
                a:t(), a:slice({ 24, 1, -1 }), a:slice(nil, { 35, 1, -3 }), a:slice({ 2, 23, 7 }, { 3, 30, 2 }),
                a:t():reshape(5, 7, 24), a:row(7), a:col(9), a:slice({ nil, nil, 2 }):reshape(3, 4, 35),
            } do
                local seen, shape = helper.flat(view), { view:shape() }
                check("sum", view, seen, shape, "f32")
                check("max", view, seen, shape, "f32")
                for _, axes in ipairs(subsets(#shape)) do
                    check("sum", view, seen, shape, "f32", axes)
                end
            end
        end)

        it("spreads NaN, wherever it is", function()
            for _, n in ipairs { 1, 2, 17, 300, 5000 } do
                local flat = numbers.small(n, "f32", n)
                local a = dev:array(flat)
                for _, place in ipairs { 1, n // 2 + 1, n } do
                    a:set(NAN, place)
                    for _, op in ipairs(OPS) do
                        helper.can(function()
                            local got = a:reduce(op, { variant = variant })
                            helper.check_number(NAN, got, 0, ("%s of %d with NaN at %d"):format(op, n, place))
                        end)
                    end
                    a:set(flat[place], place)
                end
            end
        end)

        it("knows infinities", function()
            helper.can(function()
                local options = { variant = variant }
                assert.equal(INFINITY, dev:array({ 1, INFINITY, -2 }):sum(options))
                helper.check_number(NAN, dev:array({ 1, INFINITY, -INFINITY }):sum(options))
                assert.same({ -INFINITY, INFINITY }, { dev:array({ 1, INFINITY, -INFINITY }):reduce({ "min", "max" },
                    options) })
                assert.equal(INFINITY, dev:array({ INFINITY, INFINITY }):min(options))
                assert.equal(-INFINITY, dev:array({ -INFINITY, -INFINITY }):max(options))
                assert.equal(INFINITY, dev:array({ 3e38, 3e38 }):sum(options))
                helper.check_number(NAN, dev:array({ 0, INFINITY }):prod(options))
            end)
        end)

        it("wraps integers in 64 bits", function()
            helper.can(function()
                local options = { variant = variant }
                assert.equal(math.mininteger, dev:array({ math.maxinteger, 1 }, "i64"):sum(options))
                assert.equal(1 << 62, dev:full({ 62 }, 2, "i8"):prod(options))
                assert.equal(0, dev:full({ 64 }, 2, "u8"):prod(options))
                assert.equal(-2, dev:array({ -1, -1 }, "u64"):sum(options))
            end)
        end)

        it("takes magnitudes, of which a signed dtype may lack the greatest", function()
            helper.can(function()
                local options = { variant = variant }
                assert.equal(127, dev:array({ -128, 5 }, "i8"):absmax(options))
                assert.equal(math.maxinteger, dev:array({ math.mininteger, 5 }, "i64"):absmax(options))
                assert.equal(255, dev:array({ 3, 255 }, "u8"):absmax(options))
                assert.equal(INFINITY, dev:array({ 3, -INFINITY }):absmax(options))
                helper.check_number(NAN, dev:array({ 3, NAN, -INFINITY }):absmax(options))
                assert.equal(0, dev:zeros({ 0 }):absmax(options))
                assert.equal(0, dev:zeros({ 0 }):sumsq(options))
                assert.equal(2 * 128.0 * 128, dev:full({ 2 }, -128, "i8"):sumsq(options))
                assert.equal(0, dev:array({ 1 << 32 }, "i64"):sumsq(options))
                helper.check_number(NAN, dev:array({ 1, NAN }):sumsq(options))
            end)
        end)

        -- Whatever begins a chain, a vector or a part must not win over the least that min can give, nor over the most.
        it("finds what is at the ends of every dtype's range", function()
            for _, name in ipairs(helper.dtypes(dev)) do
                local dtype = numbers.dtype[name]
                local low = dtype.kind == "float" and -INFINITY or dtype.low
                local high = dtype.kind == "float" and INFINITY or dtype.high
                local ends = { min = high, max = low }
                for _, op in ipairs(ops_of(dev, variant, name)) do
                    local value = ends[op]
                    for _, shape in ipairs(value and { { 1, 1 }, { 3, 37 }, { 37, 3 }, { 5, 1000 } } or {}) do
                        local rows, columns = shape[1], shape[2]
                        local a, what = dev:zeros(shape, name), ("%s of %dx%d %s"):format(op, rows, columns, name)
                        a:write(dev:array({ value }, name):broadcast(rows, columns))
                        helper.can(function()
                            helper.check_number(value, a[op](a, { variant = variant }), 0, what)
                            for axis = 1, 2 do
                                local expected = {}
                                for i = 1, shape[3 - axis] do
                                    expected[i] = value
                                end
                                local got = a[op](a, { axis = axis, variant = variant })
                                helper.check_array(got, name, { #expected }, expected, 0, what)
                            end
                        end)
                    end
                end
            end
        end)

        it("sums halves in f32", function()
            helper.can(function()
                assert.equal(65504.0 * 1000, dev:full({ 1000 }, 65504, "f16"):sum { variant = variant })
            end)
        end)

        it("gives the same bits every time", function()
            helper.can(function()
                local a = dev:random({ 300, 1001 }, { seed = 4 })
                local whole, axes = a:sum { variant = variant }, {}
                for axis = 1, 2 do
                    axes[axis] = a:sum({ axis = axis, variant = variant }):tobytes()
                end
                for _ = 1, 5 do
                    assert.equal(whole, a:sum { variant = variant })
                    for axis = 1, 2 do
                        assert.equal(axes[axis], a:sum({ axis = axis, variant = variant }):tobytes())
                    end
                end
            end)
        end)

        -- A straight chain over 2^21 equal numbers errs by thousands of units. Short runs and a tree: 64 roundings of
        -- a run at most, and 21 of the tree, each of half a unit of the whole sum.
        it("adds with an error that grows as the logarithm of the size", function()
            local n = 1 << 21
            local x = numbers.round(0.1, "f32")
            local bound = (64 + 21) / 2 * numbers.dtype.f32.eps * n * x
            local a = dev:full({ n }, x)
            for _, view in ipairs { a, a:reshape(8, n // 8), a:reshape(n // 8, 8) } do
                helper.can(function()
                    assert.near(n * x, view:sum { variant = variant }, bound)
                    if view:ndim() == 2 then
                        for axis = 1, 2 do
                            local kept = select(3 - axis, view:shape())
                            local sums = view:sum { axis = axis, variant = variant }
                            assert.near(n * x / kept, sums:min(), bound / kept)
                            assert.near(n * x / kept, sums:max(), bound / kept)
                        end
                    end
                end)
            end
        end)
    end)
end)

helper.describe_each_device("reduce", function(dev)
    local a

    before_each(function() a = dev:array({ { 1, 2, 3 }, { 4, 5, 6 } }) end)

    it("gives a number for all axes, an array for some", function()
        assert.equal(21.0, a:reduce("sum"))
        assert.equal(21.0, a:reduce("sum", { axis = { 1, 2 } }))
        assert.equal(21.0, a:reduce("sum", { axis = { -1, 1 } }))
        helper.check_array(a:reduce("sum", { axis = 1 }), "f32", { 3 }, { 5.0, 7.0, 9.0 })
        helper.check_array(a:reduce("max", { axis = -1 }), "f32", { 2 }, { 3.0, 6.0 })
        helper.check_array(a:reduce("sum", { axis = {} }), "f32", { 2, 3 }, { 1.0, 2.0, 3.0, 4.0, 5.0, 6.0 })
    end)

    it("keeps the axes where asked to, and gives an array then", function()
        helper.check_array(a:reduce("sum", { keepdims = true }), "f32", { 1, 1 }, { 21.0 })
        helper.check_array(a:reduce("min", { axis = 2, keepdims = true }), "f32", { 2, 1 }, { 1.0, 4.0 })
        helper.check_array(a:reduce("min", { axis = 2, keepdims = false }), "f32", { 2 }, { 1.0, 4.0 })
    end)

    it("writes to out, with or without the reduced axes, and gives it", function()
        local out = dev:zeros { 3 }
        assert.equal(out, a:sum { axis = 1, out = out })
        helper.check_array(out, "f32", { 3 }, { 5.0, 7.0, 9.0 })
        out = dev:zeros { 1, 3 }
        assert.equal(out, a:sum { axis = 1, keepdims = true, out = out })
        helper.check_array(out, "f32", { 1, 3 }, { 5.0, 7.0, 9.0 })
        out = dev:zeros({}, "f32")
        assert.equal(out, a:sum { out = out })
        helper.check_array(out, "f32", {}, { 21.0 })
        local wide = dev:zeros({ 2, 3 }, "i64")
        a:cast("i16"):sum { axis = 1, out = wide:row(2) }
        helper.check_array(wide, "i64", { 2, 3 }, { 0, 0, 0, 5, 7, 9 })
    end)

    it("takes a list of ops, beside options or before them", function()
        assert.same({ 1.0, 6.0, 21.0 }, { a:reduce { "min", "max", "sum" } })
        local low, high = a:reduce { "min", "max", axis = 1 }
        helper.check_array(low, "f32", { 3 }, { 1.0, 2.0, 3.0 })
        helper.check_array(high, "f32", { 3 }, { 4.0, 5.0, 6.0 })
        assert.same({ 720.0 }, { a:reduce({ "prod" }, {}) })
    end)

    it("takes elements as the option dtype says, and gives that", function()
        local small = dev:array({ { 100, 50, 7 }, { 120, 110, -3 } }, "i8")
        assert.equal(-128, small:sum { dtype = "i8" })
        assert.equal("integer", math.type(small:sum { dtype = "i64" }))
        helper.check_array(small:t():prod { dtype = "u8", axis = 2 }, "u8", { 3 }, { 224, 124, 0 })
        local sums, means = small:reduce({ "sum", "mean" }, { dtype = "f16", axis = 1 })
        helper.check_array(sums, "f16", { 3 }, { 220., 160., 4. })
        helper.check_array(means, "f16", { 3 }, { 110., 80., 2. })
        local out = dev:zeros({ 2, 1 }, "i8")
        local event = small:sum { axis = 2, dtype = "i8", keepdims = true, out = out, async = true }
        helper.check_array(event:get(), "i8", { 2, 1 }, { -99, -29 })
        event = small:sum { axis = 2, segments = { 1, 2, 4 }, dtype = "i16", async = true }
        helper.check_array(event:get(), "i16", { 2, 2 }, { 100, 57, 120, 107 })
        assert.equal(0, dev:zeros({ 0 }, "f32"):sum { dtype = "i8" })
        if dev:info().fp64 then
            assert.equal(16777217., dev:array({ 16777216, 1 }):sum { dtype = "f64" })
            local sum = small:reduce({ "sum", "mean" }, { dtype = "f64" }) -- a mean has that dtype anyway
            assert.equal("float", math.type(sum))
        end
        local cast = lun.fuse(function(x) return x:cast("i8"):sum { axis = 1 } end)
        local typed = lun.fuse(function(x) return x:sum { axis = 1, dtype = "i8" } end)
        helper.check_array(cast(small), "i64", { 3 }, { 220, 160, 4 })
        helper.check_array(typed(small), "i8", { 3 }, { -36, -96, 4 })
    end)

    it("refuses dtypes in which an op gives nothing", function()
        local small = dev:array { 1, 2 }
        helper.refused("sum: dtype is bool, which cannot hold sums; any and all test whether elements "
            .. "are true", small, { dtype = "bool" })
        helper.raises("mean: dtype is i32; mean needs a float dtype", function() small:mean { dtype = "i32" } end)
        helper.raises("nansum: dtype is i32; nansum needs", function() small:nansum { dtype = "i32" } end)
        helper.raises("reduce: dtype is for sums, products and means, not for max",
            function() small:reduce({ "sum", "max" }, { dtype = "f32" }) end)
        helper.raises("prod: unknown dtype 'long'", function() small:prod { dtype = "long" } end)
    end)

    it("takes the elements of a mask as if there were no others", function()
        local random = numbers.generator(5)
        local ops = { "sum", "prod", "sumsq", "absmax", "mean", "var", "std", "any", "all", "nnz", "asum", "norm",
            "nansum", "nanprod", "count", "logsumexp", "gmean", "nangmean", "nanmean", "nanvar", "nanstd" }
        for _, dtype in ipairs { "f32", "i32", "f16", "c64" } do
            local x = dev:array(numbers.small(60, "i8", 3)):reshape(4, 15)
            local m = dev:array(numbers.small(60, "i8", 9), "i8"):ge(0):reshape(4, 15):mask_put(dev:eye(4, 15):ne(0), 1)
            x = ((dtype == "c64" and lun.complex(1, 2) or 1) * x * 0.25):cast(dtype)
            if dtype ~= "i32" then
                x:set(0 / 0, 2, random(1, 15))
            end
            for _, op in ipairs(ops) do
                if pcall(x[op], x, { axis = 1 }) then
                    local rows, got = {}, x[op](x, { axis = 2, where = m })
                    for i = 1, 4 do
                        local few = x:row(i):mask(m:row(i))
                        rows[i] = few[op](few, { keepdims = true })
                    end
                    local wanted = lun.concat(rows)
                    assert.equal(wanted:dtype(), got:dtype())
                    assert.is_true(got:isclose(wanted, { equal_nan = true, rtol = dtype == "f16" and 1e-3 or 1e-5 })
                        :all(), op .. " " .. dtype)
                end
            end
        end
    end)

    it("takes a mask that broadcasts, and begins with a value", function()
        local m = dev:array({ true, false, true }, "bool")
        helper.check_array(a:sum { axis = 2, where = m, initial = 100 }, "f32", { 2 }, { 104.0, 110.0 })
        assert.equal(15.0, a:reduce("mean", { where = dev:array({ { 0 }, { 1 } }, "u8") }) * 3)
        assert.same({ 5.0, 9.0, 4.0, 1.0 }, { a:max { where = m, initial = 5 } - 1, a:max { initial = 9 },
            a:reduce { "min", where = a:gt(3), initial = 7 }, a:nanmin { where = a:lt(3), initial = 0 / 0 } })
        helper.check_array(a:min { axis = 1, where = a:gt(3):land(m), initial = math.huge, keepdims = true }, "f32",
            { 1, 3 }, { 4.0, math.huge, 6.0 })
        local none = dev:zeros({ 0, 2 }, "i8")
        helper.check_array(none:max { axis = 1, initial = -3 }, "i8", { 2 }, { -3, -3 })
        assert.same({ 7, 2^53 + 1 | 0 }, { none:min { initial = 7 }, none:sum { initial = 2^53 + 1 | 0 } })
        local nothing = a:gt(9)
        assert.same({ 0.0, true, 0 },
            { a:norm { where = nothing }, a:all { where = nothing }, a:count { where = nothing } })
        local mean, deviation = a:mean { where = nothing }, a:std { where = m, ddof = 4 }
        assert.is_true(mean ~= mean and deviation == math.huge)
        local out = dev:zeros { 2 }
        assert.equal(out, a:sum { axis = 2, where = m, out = out, async = true }:get())
        helper.check_array(out, "f32", { 2 }, { 4.0, 10.0 })
        helper.check_array(a:sum { axis = 2, where = m, segments = { 1, 3, 4 } }, "f32", { 2, 2 }, { 1., 3., 4., 6. })
        local small = dev:array({ 100, 100, 1 }, "i8")
        helper.check_array(small:sum { where = m, dtype = "i8", initial = 100, keepdims = true }, "i8", { 1 }, { -55 })
        if dev:info().fp64 then
            local wide = dev:array({ 2.0^60, 255, 1 }, "f64")
            assert.equal(2.0^60 + 256, wide:sum { where = small:ne(9), accurate = true })
            assert.equal("f64", a:var { axis = 1, where = m, dtype = "f64" }:dtype())
        end
    end)

    it("refuses masks and values that do not fit", function()
        helper.refused("sum: the mask has shape 2, the elements 2x3", a, { where = dev:ones({ 2 }, "bool") })
        helper.refused("mean: the mask has shape 3x2x3, the elements 2x3", a, { where = dev:ones({ 3, 2, 3 }, "bool") })
        helper.refused("any: where is f32; a mask of bool or u8 is needed", a, { where = a })
        helper.refused("max: where needs initial, the result if it selects nothing", a, { where = a:gt(2) })
        helper.raises("argmax: unknown option 'where'", function() local _ = a:argmax { where = a:gt(2) } end)
        helper.raises("var: unknown option 'initial'", function() local _ = a:var { initial = 1 } end)
        helper.refused("reduce: argmin does not take where", a, "argmin", { where = a:gt(2) })
        helper.refused("reduce: mean does not take initial", a, "mean", { initial = 2 })
        helper.refused("reduce: where and initial need the name of one op, not a "
            .. "list", a, { "sum", "max" }, { initial = 2 })
        helper.refused("norm: where does not work with ord", a, { where = a:gt(2), ord = 1 })
        helper.refused("sum: initial does not work with segments", a, { initial = 2, segments = { 1, 4 } })
        helper.refused("std: where does not work with segments", a, { where = a:gt(2), segments = { 1, 4 } })
        helper.refused("prod: 1.5 has no representation in i64", a:cast "i32", { initial = 1.5 })
        helper.refused("mean: mean of no elements: the reduced extent of shape 0 is 0", dev:zeros { 0 },
            { where = dev:zeros({ 0 }, "bool") })
    end)

    it("of an array without axes is that element", function()
        local scalar = dev:full({}, -3, "i8")
        assert.equal(-3, scalar:sum())
        assert.equal(-3, scalar:max())
        helper.check_array(scalar:sum { keepdims = true }, "i64", {}, { -3 })
    end)

    it("of nothing gives the identity, where there is one", function()
        local empty = dev:zeros { 0, 3 }
        assert.equal(0.0, empty:sum())
        assert.equal(1.0, empty:prod())
        assert.equal(0, dev:zeros({ 0 }, "i8"):sum())
        helper.check_array(empty:sum { axis = 1 }, "f32", { 3 }, { 0.0, 0.0, 0.0 })
        helper.check_array(empty:prod { axis = 1 }, "f32", { 3 }, { 1.0, 1.0, 1.0 })
        helper.check_array(empty:sum { axis = 2 }, "f32", { 0 }, {})
        helper.check_array(empty:max { axis = 2 }, "f32", { 0 }, {}) -- no number is missing here
    end)
end)
