-- Words of sparse matrices: arithmetic, sums, parts, products of two of them, semirings, makers.

local helper = require "spec.helper"
local lun = require "lunarray"

helper.each_device(function(dev, title)
    local dtype = dev:info().fp64 and "f64" or "f32"

    -- A sparse matrix of whole numbers, of which some are 0 only where there is no entry, and the same as an array.
    local function random(m, n, share, seed)
        local there = dev:random({ m, n }, { seed = seed }):lt(share)
        local numbers = dev:randint({ m, n }, { low = 1, high = 9, seed = seed + 1 }) - 5.5
        local dense = there:where(numbers, 0):cast(dtype)
        return dense:sparse(), dense
    end
    local a, of_a = random(40, 30, 0.2, 1)
    local b, of_b = random(40, 30, 0.3, 3)

    describe("sparse matrices on " .. title, function()
        local function same(expected, matrix, what)
            assert.is_true(matrix:dense():equal(expected), what)
        end

        it("are added, subtracted, negated and scaled", function()
            same(of_a + of_b, a + b)
            same(of_a - of_b, a - b)
            same(-of_a, -a)
            same(of_a * 3, 3 * a)
            same(of_a * 3, a * 3)
            same(of_a / 4, a / 4)
            same(of_a:cast "f32" + of_b:cast "f32", a:cast "f32" + b:cast "f32")
            assert.equal("f32", (a:cast "f16" + b:cast "f32"):dtype())
            assert.equal("i64", (a:cast "bool" + b:cast "bool"):dtype())
            helper.raises("a - b: bools cannot be subtracted or "
                .. "negated", function() return a:cast "bool" - b:cast "bool" end)
            assert.equal(0.0, (a - a):dense():abs():sum())
            assert.equal(a:nnz(), (a - a):nnz()) -- entries stay
        end)

        it("have Kronecker products", function()
            local c, of_c = random(5, 7, 0.5, 21)
            local d, of_d = random(4, 3, 0.5, 23)
            same(of_c:kron(of_d), c:kron(d))
            same(of_d:kron(of_c), d:kron(c))
            assert.equal(c:nnz() * d:nnz(), c:kron(d):nnz())
            assert.equal("i64", c:cast "bool":kron(d:cast "bool"):dtype())
            local none = lun.sparse { rows = {}, cols = {}, values = dev:zeros({ 0 }, dtype), shape = { 0, 2 } }
            assert.same({ 0, 14 }, { none:kron(c):shape() })
            helper.raises("kron: argument 1: a sparse matrix is needed, got an array", function() c:kron(of_d) end)
            local one, width = dev:ones({ 1 }, dtype), 1 << 40
            local wide = lun.sparse { rows = { 1 }, cols = { 1 }, values = one, shape = { 1, width } }
            helper.raises("kron: the product of 1x1099511627776 and 1x1099511627776 has too many rows or columns",
                function() wide:kron(wide) end)
        end)

        it("are multiplied, also where rows meet many entries, or none", function()
            local c, of_c = random(30, 300, 0.2, 5)
            same(of_a:matmul(of_c), a:matmul(c))
            same(of_c:t():matmul(of_a:t()), c:t():matmul(a:t()))
            local row, of_row = random(1, 30, 0.9, 7)
            same(of_row:t():matmul(of_row), row:t():matmul(row))
            same(of_row:matmul(of_row:t()), row:matmul(row:t()))
            local none = lun.sparse { rows = {}, cols = {}, values = dev:zeros({ 0 }, dtype), shape = { 30, 4 } }
            assert.equal(0, a:matmul(none):nnz())
            same(dev:zeros({ 40, 4 }, dtype), a:matmul(none))
        end)

        it("are multiplied where rows are long, and products many", function()
            -- rows of more entries than are put in their places one by one, and runs that meet anywhere
            local c, of_c = random(25, 400, 0.5, 11)
            local d, of_d = random(400, 90, 0.4, 13)
            same(of_c:matmul(of_d), c:matmul(d))
            local mixed = dev:arange(400):mod(3):eq(0):expand(2):lor(dev:random({ 400, 90 }, { seed = 15 }):lt(0.1))
            mixed = mixed:where(of_d, 0) -- short rows and long ones
            same(of_c:matmul(mixed), c:matmul(mixed:sparse()))
            local one, of_one = random(1, 400, 0.9, 17)
            local few = dev:arange(400):mod(7):eq(0):expand(2):where(of_d, 0)
            same(of_one:matmul(few), one:matmul(few:sparse()))
        end)

        it("are added and multiplied where there is nothing", function()
            local function nothing(m, n)
                return lun.sparse { rows = {}, cols = {}, values = dev:zeros({ 0 }, dtype), shape = { m, n } }
            end
            for _, shape in ipairs { { 0, 3 }, { 3, 0 }, { 0, 0 }, { 2, 3 } } do
                local none = nothing(shape[1], shape[2])
                assert.equal("0 " .. shape[1] .. " " .. shape[2],
                    table.concat({ (none + none):nnz(), (none - none):shape() }, " "))
                assert.same({ shape[1], shape[1] }, { none:matmul(none:t()):shape() })
                assert.equal(0, none:t():matmul(none):nnz())
                assert.equal(0, none:submatrix():nnz())
            end
        end)

        it("keep infinite parts in sums", function()
            local m = lun.sparse { rows = { 1 }, cols = { 1 }, values = { lun.complex(1, math.huge) }, shape = { 1, 2 },
                dtype = "c64" }
            local sum = m + lun.sparse { rows = { 1 }, cols = { 2 }, values = 1, shape = { 1, 2 }, dtype = "c64" }
            assert.same({ 1, 1 }, sum:dense():real():row(1):totable())
        end)

        it("are multiplied beside fills on another queue", function()
            local queue, c = dev:queue(), a:copy()
            for i = 1, 10 do
                c:values():fill(i, { queue = queue })
                same((of_a:ne(0):cast(dtype) * i):matmul(of_b:t()), c:matmul(b:t()))
            end
        end)

        it("are summed", function()
            assert.equal(of_a:sum(), a:sum())
            assert.is_true(a:sum { axis = 1 }:equal(of_a:sum { axis = 1 }))
            assert.is_true(a:sum { axis = -1 }:equal(of_a:sum { axis = 2 }))
            local whole = a:cast "i32"
            assert.is_true(whole:sum { axis = 1 }:equal(of_a:cast "i32":sum { axis = 1 }))
            assert.is_true(a:degree():equal(of_a:ne(0):sum { axis = 2 }:cast "i32"))
        end)

        it("have rows, which are views", function()
            local m = dev:array { { 0, 2, 3 }, { 0, 0, 0 }, { 4, 0, 0 } }:sparse()
            local cols, values = m:row(1)
            assert.same({ { 2, 3 }, { 2, 3 } }, { cols:totable(), values:totable() })
            assert.equal(0, #m:row(2))
            select(2, m:row(-1)):fill(7)
            assert.equal(7.0, m:dense():get(3, 1))
        end)

        it("have parts: positions again and again, ranges as slice has them, and all", function()
            local at, other = dev:array({ 5, 5, 1, 40 }, "i32"), dev:array({ 30, 2 }, "i64")
            same(of_a:take({ 3, 20, 4 }, 1):take({ 9, 5 }, 2), a:submatrix({ 3, 20, 4 }, { 9, 5 }))
            for _, ranges in ipairs { { { 3, 20 }, { 5, 9 } }, { { -2, 5, -3 } }, { nil, { 2, nil, 7 } },
                { {}, { 4, 3 } } } do
                same(of_a:slice(ranges[1], ranges[2]), a:slice(ranges[1], ranges[2]))
            end
            same(of_a:take(at, 1), a:submatrix(at))
            same(of_a:take(other, 2), a:submatrix(nil, other))
            same(of_a:take(at, 1):take(other, 2), a:submatrix(at, other))
            same(of_a, a:submatrix())
            assert.same({ 0, 30 }, { a:submatrix({}):shape() })
        end)

        it("are permuted", function()
            local down, across = dev:arange(40):flip(1), dev:arange(30):roll(7)
            same(of_a:take(down, 1), a:permute(down, nil))
            same(of_a:take(across, 2), a:permute(nil, across))
            local square, of_square = random(30, 30, 0.2, 9)
            same(of_square:take(across, 1):take(across, 2), square:permute(across))
            same(of_square:take(across, 1):take(across, 2), square:permute(across:totable()))
        end)

        it("take functions that keep 0, and casts", function()
            same(of_a:abs(), a:abs())
            same(of_a:square(), a:square())
            same(of_a:cast "i8", a:cast "i8")
            local copy = a:copy()
            copy:values():mul_(2)
            same(of_a * 2, copy)
            assert.is_true(a:dense():equal(of_a))
            assert.equal("f32", (a:cast "c64"):imag():dtype())
        end)

        it("are made of diagonals", function()
            local given = { -1, dev:array({ 1, 2, 3 }, dtype), { 5, 6 } }
            local m = lun.sparse.diags(given, { -1, 0, 1 }, { shape = { 3, 3 } })
            assert.equal(dtype, m:dtype())
            assert.same({ { 1, 5, 0 }, { -1, 2, 6 }, { 0, -1, 3 } }, m:dense():totable())
            assert.same({ { 0, 0, 1, 0 }, { 0, 0, 0, 1 } },
                lun.sparse.diags({ 1 }, { 2 }, { shape = { 2, 4 } }):dense():totable())
            for n, each in pairs { [3] = { { 7 }, { -2 } }, [4] = { { { 1, 2, 3 }, 9 }, { -1.0, 0 } },
                [2] = { { 1, 5 }, { 0, 1 } } } do
                assert.same({ n, n }, { lun.sparse.diags(each[1], each[2], { dtype = dtype }):shape() })
            end
            assert.same({ { 0, 0, 0 }, { 7, 0, 0 }, { 0, 8, 0 } },
                lun.sparse.diags({ { 7, 8 } }, { -1 }):dense():totable())
            assert.same({ { 1, 0 }, { 0, 1 } }, lun.sparse.eye(2.0, { dtype = "i32" }):dense():totable())
            assert.equal(0, lun.sparse.eye(0):nnz())
        end)
    end)
end)

-- ---- semirings -----------------------------------------------------------------------------------------------------

local INFINITY = { f32 = math.huge, i32 = (1 << 31) - 1 }

-- What plus and times are, in Lua, upon numbers where the largest integer stands for infinity.
local function times_plus(dtype)
    return function(a, x)
        return dtype == "i32" and x == INFINITY.i32 and x or math.min(a + x, INFINITY[dtype])
    end
end
local RINGS = {
    { "min", "+", math.min, times_plus, INFINITY },
    { "max", "+", math.max, function() return function(a, x) return a + x end end, { f32 = -math.huge } },
    { "max", "*", math.max, function() return function(a, x) return a * x end end,
        { f32 = -math.huge, i32 = -(1 << 31) } },
}

helper.each_variant("csr_matmul", function(dev, variant, title)
    describe("products of semirings " .. title, function()
        local m, n = 70, 90
        local there = dev:random({ m, n }, { seed = 3 }):lt(0.1)
        there:row(5):fill(false)
        there:row(9):fill(true)
        local dense = there:where(dev:randint({ m, n }, { low = 1, high = 20, seed = 4 }), 0)
        local rows = dense:totable()

        if variant ~= "cpu" then -- which knows sums of products alone
            it("add up by min and max", function()
                for _, ring in ipairs(RINGS) do
                    local plus, times, add, of, nothing = table.unpack(ring)
                    for of_dtype, none in pairs(nothing) do
                        local x = {}
                        for j = 1, n do
                            x[j] = j % 4 == 0 and INFINITY[of_dtype] or j % 7
                        end
                        local expected, multiply = {}, of(of_dtype)
                        for i = 1, m do
                            expected[i] = none
                            for j = 1, n do
                                if rows[i][j] ~= 0 and times == "+" then
                                    expected[i] = add(expected[i], multiply(rows[i][j], x[j]))
                                elseif rows[i][j] ~= 0 then
                                    x[j] = j % 7
                                    expected[i] = add(expected[i], multiply(rows[i][j], x[j]))
                                end
                            end
                        end
                        local y = dense:cast(of_dtype):sparse():matmul(dev:array(x, of_dtype),
                            { plus = plus, times = times, variant = variant })
                        assert.is_true(y:equal(dev:array(expected, of_dtype)), plus .. times .. of_dtype)
                    end
                end
            end)

            it("spread NaN, and tell -0 from 0", function()
                local matrix = lun.sparse { starts = { 1, 3, 5 }, cols = { 1, 2, 2, 3 },
                    values = dev:zeros { 4 }, shape = { 2, 3 } }
                local options = { plus = "min", times = "+", variant = variant }
                local y = matrix:matmul(dev:array { 0 / 0, 1, 2 }, options):totable()
                assert.is_true(y[1] ~= y[1])
                assert.equal(1.0, y[2])
            end)

            it("stop at the largest integer, which stands for infinity and stays that", function()
                local most, options = (1 << 31) - 1, { plus = "min", times = "+", variant = variant }
                local matrix = lun.sparse {
                    starts = { 1, 2, 3, 3 }, cols = { 1, 2 }, values = dev:array({ 5, -5 }, "i32"), shape = { 3, 2 },
                }
                local y = matrix:matmul(dev:array({ most - 1, most }, "i32"), options)
                assert.same({ most, most, most }, y:totable())
            end)

            it("take small integers, whose sums stop and whose products wrap", function()
                local one = lun.sparse { starts = { 1, 3 }, cols = { 1, 2 }, values = dev:array({ 100, 7 }, "i8"),
                    shape = { 1, 2 } }
                local x = dev:array({ 50, 2 }, "i8")
                for _, row in ipairs { { "max", "+", 127 }, { "min", "+", 9 }, { "max", "*", 14 } } do
                    local options = { plus = row[1], times = row[2], variant = variant }
                    assert.equal(row[3], one:matmul(x, options):get(1), row[1] .. row[2]) -- 100 * 50 is -120 in i8
                end
            end)

            it("reach what can be reached", function()
                local options = { plus = "or", times = "and", variant = variant }
                local bytes = lun.sparse { starts = { 1, 2 }, cols = { 1 }, values = dev:array({ 2 }, "u8"),
                    shape = { 1, 1 } }
                local found = bytes:matmul(dev:array({ true }, "bool"), options)
                assert.same({ true }, found:totable())
                local matrix = there:sparse()
                local x = dev:arange(n):mod(10):eq(0)
                local y = matrix:matmul(x, { plus = "or", times = "and", variant = variant })
                assert.equal("bool", y:dtype())
                assert.is_true(y:equal(there:land(x):any { axis = 2 }))
                local floats = dense:cast "f32":sparse()
                assert.is_true(floats:matmul(x:cast "f32", { plus = "or", times = "and", variant = variant }):equal(y))
            end)
        else
            it("are those of other variants", function()
                helper.refused("matmul: variant 'cpu' cannot do this here; ",
                    there:sparse(), dev:ones({ n }, "bool"), { plus = "or", times = "and", variant = variant })
            end)
        end
    end)
end)

describe("words of sparse matrices", function()
    local dev = lun.device()
    local a = dev:array { { 1, 0, 2 }, { 0, 3, 0 } }:sparse()
    local square = lun.sparse.eye(2)

    for _, row in ipairs {
        { "exp: its value at 0 is not 0, so the result would not be sparse; A:dense():exp() computes it", a },
        { "foo: a sparse matrix has no such method; those of arrays work on A:values(), or on A:dense()", a },
        { "a + b: argument 2: a sparse matrix is needed, got 1; a number would fill the matrix: "
        .. "A:dense() takes it", function()
            return a + 1
        end },
        { "a - b: argument 2: a sparse matrix is needed, got an array; A:dense() is an array", function()
            return a - dev:ones { 2, 3 }
        end },
        { "a - b: argument 1: a sparse matrix is needed, got 1; a number would fill the matrix: "
        .. "A:dense() takes it", function()
            return 1 - a
        end },
        { "a + b: the shapes differ: 2x3 and 2x2", function() return a + square end },
        { "a * b: a sparse matrix can be multiplied by a number, got a sparse matrix; "
        .. "A:matmul(B) is the product", function()
            return a * a
        end },
        { "a / b: a sparse matrix can be divided by a number, got 1", function() return 1 / a end },
        { "a ^ b: sparse matrices have + and -, and * and / by a number; others work on A:values(), or "
        .. "on A:dense()", function()
            return a ^ 2
        end },
        { "sum: option 'axis': 1 or 2 is needed, got 3", a, { axis = 3 } },
        { "row: row 3 is out of range 1..2", a, 3 },
        { "row: row -3 is out of range 1..2", a, -3 },
        { "row: argument 1: a whole number is needed, got 1.5", a, 1.5 },
        { "submatrix: argument 1: 0 at position 1 is out of range 1..2", a, { 0, 1 } },
        { "submatrix: argument 2: 4 at position 2 is out of range 1..3", function() a:submatrix(nil, { 1, 4 }) end },
        { "submatrix: argument 1: the table has the key 'to'; elements are stored at 1 to 1", a, { 1, to = 2 } },
        { "slice: argument 2: a range {from, to, step} is needed, got 2; A:submatrix takes positions", function()
            a:slice(nil, 2)
        end },
        { "slice: position 4 is out of range on axis 2, which has 3", a, {}, { 1, 4 } },
        { "slice: argument 1: a range is {from, to, step}, and has no part [4]", a, { 1, 2, 1, 2 } },
        { "submatrix: argument 1: 7 at position 2 is out of range 1..2", a, dev:array({ 1, 7 }, "i32") },
        { "submatrix: argument 1: a list or an i32 or i64 array of positions is needed, got an array; A:slice takes "
        .. "ranges", a, dev:ones { 2 } },
        { "permute: argument 1: it is not a permutation of 1..2", square, dev:array({ 1, 1 }, "i32") },
        { "matmul: inner sizes differ: 2x3 and 2x3", a, a },
        { "matmul: argument 2: nothing after argument 1 is needed, got a table", a, a:t(), { alpha = 2 } },
        { "matmul: argument 1: an array is needed, got a sparse matrix; A:dense() is an array", dev:ones({ 2, 2 }), a },
        { "a + b: arrays and numbers are needed on both sides, got a sparse matrix; A:dense() is an array", function()
            return dev:ones { 2, 3 } + a
        end },
        { "take: argument 1: a position, a list of them, or an i32 or i64 array of them is needed, got a sparse "
        .. "matrix", dev:ones({ 2 }), a },
        { "array: argument 1: a table, a string of bytes, a number or an array is needed, got a sparse matrix; "
        .. "A:dense() is an array", lun, a },
        { "array: element 1 is a sparse matrix where a number is needed", lun, { a, a } },
        { "t: self: the matrix's values were released", function()
            local matrix = dev:ones({ 2, 2 }):sparse()
            matrix:values():release()
            matrix:t()
        end },
        { "eye: unknown dtype 'foo'", function() lun.sparse.eye(2, { dtype = "foo" }) end },
        { "sum: argument 1: a table of options is needed, got a sparse matrix", a, a },
        { "eye: argument 1: a whole number from 0 is needed, got -1", function() lun.sparse.eye(-1) end },
        { "diags: argument 2: a list is needed, got nothing", function() lun.sparse.diags { 1 } end },
        { "diags: got 1 diagonals and 2 offsets; equal numbers are needed", function()
            lun.sparse.diags({ 1 }, { 0, 1 })
        end },
        { "diags: shape: a list of two whole numbers from 0 is needed, {rows, columns}, got {3, -1}", function()
            lun.sparse.diags({ 1 }, { 0 }, { shape = { 3, -1 } })
        end },
        { "diags: offset 1: a whole number is needed, got 1.5", function() lun.sparse.diags({ 1 }, { 1.5 }) end },
        { "diags: offset 1: -9223372036854775808 is beyond 2^62", function()
            lun.sparse.diags({ 1 }, { math.mininteger })
        end },
        { "diags: offset 1: a matrix of 3x3 has no diagonal 3", function()
            lun.sparse.diags({ 1 }, { 3 }, { shape = { 3, 3 } })
        end },
        { "diags: diagonal 1: a number, or a list or an array of 3, is needed, got (2)", function()
            lun.sparse.diags({ { 1, 2 } }, { 0 }, { shape = { 3, 3 } })
        end },
    } do
        it("refuse: " .. row[1], function() helper.refused_row(row) end)
    end
end)

local SIZES = { { 1, 1, 7 }, { 1, 9, 1 }, { 5, 3000, 2502 }, { 3000, 4, 900 }, { 900, 40, 40003 } }

-- Triplets of an m x n matrix, `count` of them, many at one place, and what csr_build makes of them: ascending in rows,
-- with sums from the first to the last, whose bits depend on their order.
local function check_build(dev, m, n, count, dtype, given)
    local rows, cols, sums = {}, {}, {}
    for e = 1, count do
        rows[e], cols[e] = (e * 7919 + e // 3) % m + 1, (e * e + e // 5) % n + 1
        local key = (rows[e] - 1) * n + cols[e]
        sums[key] = (sums[key] or 0) + 1 / e
    end
    local keys, starts, places, values = {}, { 1 }, {}, {}
    for key in pairs(sums) do
        keys[#keys + 1] = key
    end
    table.sort(keys)
    for i, key in ipairs(keys) do
        places[i], values[i] = (key - 1) % n + 1, sums[key]
        starts[(key - 1) // n + 2] = i + 1
    end
    for row = 2, m + 1 do
        starts[row] = starts[row] or starts[row - 1]
    end
    local wide = dev:map("1 / (e + 0.0)", { e = dev:arange(count) }, { dtype = "f64" })
    local s, c, v = wide:csr_build(dev:array(rows, dtype), dev:array(cols, dtype), m, n, given)
    local index = given and given.dtype or "i32"
    helper.check_array(s, index, { m + 1 }, starts)
    helper.check_array(c, index, { #keys }, places)
    assert.same(values, v:totable())
end

helper.each_device(function(dev, title)
    describe("csr_build on " .. title, function()
        if dev:info().fp64 then
            it("adds up triplets at one place from the first to the last", function()
                for _, sizes in ipairs(SIZES) do
                    local m, n, count = table.unpack(sizes)
                    check_build(dev, m, n, count, "i64")
                    check_build(dev, m, n, count, "i32", { dtype = "i64" })
                end
            end)
        end

        it("orders rows of any length", function()
            -- 1, 2, ... entries in a row, descending, so that blocks and runs of each size are put in order
            local k = 150
            local rows, cols, expected = {}, {}, {}
            for r = 1, k do
                for c = r, 1, -1 do
                    rows[#rows + 1], cols[#cols + 1] = r, (c * 37 + r) % k + 1
                end
            end
            local values = dev:arange(#rows):cast "f16"
            local s, c, v = values:csr_build(dev:array(rows, "i32"), dev:array(cols, "i32"), k, k)
            for e, r in ipairs(rows) do
                expected[e] = { (r - 1) * k + cols[e], e }
            end
            table.sort(expected, function(one, other) return one[1] < other[1] end)
            local order = {}
            for e, one in ipairs(expected) do
                cols[e], order[e] = (one[1] - 1) % k + 1, one[2]
            end
            assert.same(cols, c:totable())
            assert.is_true(values:take(dev:array(order, "i64")):equal(v))
            for r = 1, k do
                assert.equal(r * (r - 1) // 2 + 1, s:get(r))
            end
        end)

        it("takes views, and sums in the dtype", function()
            local places = dev:array({ { 2, 1 }, { 2, 1 }, { 1, 2 } }, "i64")
            local values, rows, cols = dev:array({ 100, 27, 5 }, "i8"), places:col(1), places:col(2)
            local s, c, v = values:flip():csr_build(rows:flip(), cols:flip(), 2, 2)
            assert.same({ { 1, 2, 3 }, { 2, 1 }, { 5, 127 } }, { s:totable(), c:totable(), v:totable() })
            local none = dev:zeros({ 0 }, "i32")
            assert.equal(0, #select(2, dev:zeros({ 0 }):csr_build(none, none, 2, 2)))
        end)
    end)
end)

describe("csr_build", function()
    local dev = lun.device()
    local values, places = dev:ones { 2 }, dev:array({ 1, 2 }, "i32")
    for _, row in ipairs {
        { "the values have shape (2x1); one axis is needed", values:expand(2), places, places, 2, 2 },
        { "the values are bool, which cannot be added; a number is needed for each "
            .. "triplet", values:cast("bool"), places, places, 2, 2 },
        { "the array of rows is f32; i32 or i64 is needed", values, values, places, 2, 2 },
        { "the rows are i32, and the columns i64; one dtype is needed", values, places, places:cast "i64", 2, 2 },
        { "the array of columns has shape (1); one axis of 2 is needed, a number for each value",
            values, places, places:slice { 1, 1 }, 2, 2 },
        { "option 'dtype': i32 or i64 is needed, got f32", values, places, places, 2, 2, { dtype = "f32" } },
        { "option 'dtype': i64 is needed, got i32", values, places, places, 2, 1 << 31, { dtype = "i32" } },
        { "sparse: triplet 2: row 2 is out of range 1..1", values, places, places, 1, 1 },
        { "sparse: triplet 2: column 2 is out of range 1..1", values, places, places, 2, 1 },
        { "sparse: triplet 1: column 1 is out of range 1..0", values, places, places, 2, 0 },
    } do
        it("refuses: " .. row[1], function() helper.refused_row(row, "csr_build: ") end)
    end
end)

describe("csr_product", function()
    local dev = lun.device()
    local starts, columns = dev:array({ 1, 2, 3 }, "i32"), dev:array({ 1, 2 }, "i32")
    local values = dev:ones { 2 }

    it("takes views, and tells an event", function()
        local wide = dev:zeros { 2, 2 }
        wide:col(2):write { 3, 4 }
        local _, _, products = wide:col(2):csr_product(starts, columns, starts, columns, values:cast "f16",
            { async = true }):get()
        assert.same({ "f32", 3, 4 }, { products:dtype(), products:get(1), products:get(2) })
    end)

    -- How often it is looked whether something is a matrix.
    local function looks(f)
        for _, row in ipairs(lun.profile(f).rows) do
            if row.operation == "sparse" then
                return row.calls
            end
        end
        return 0
    end

    it("looks at a matrix once, in whichever product, and at none that was made here", function()
        local a, x = nil, dev:ones { 2 }
        assert.equal(1, looks(function()
            a = lun.sparse { starts = starts:copy(), cols = columns:copy(), values = values, shape = { 2, 2 } }
        end))
        local made
        assert.equal(0, looks(function()
            made = a:matmul(a):matmul(a)
            return made:matmul(dev:ones { 2, 3 }), a:matmul(x), a:matmul(a)
        end))
        assert.equal(1, looks(function() return made:matmul(x), made:matmul(x) end)) -- for how long its rows are
    end)

    it("has looked for no range of the other's columns", function()
        local far = dev:array({ 1, 9 }, "i32")
        assert.equal(2, #select(2, values:csr_product(starts, columns, starts, far, values)))
        helper.refused("csr_matmul: sparse: column 9 at position 2 is out of range 1..8",
            values, starts, far, dev:ones { 8 })
    end)

    for _, row in ipairs {
        { "the values have shape (1); there are 2 columns, and a value for each is needed",
            dev:ones { 1 }, starts, columns, starts, columns, values },
        { "the other's values have shape (1); there are 2 columns, and a value for each is needed",
            values, starts, columns, starts, columns, dev:ones { 1 } },
        { "starts and columns are i32, and the other matrix's i64; one dtype is needed",
            values, starts, columns, starts:cast "i64", columns:cast "i64", values },
        { "sparse: column 2 at position 2 is out of range 1..1",
            values, starts, columns, starts:slice { 1, 2 }, columns:slice { 1, 1 }, dev:ones { 1 } },
        { "sparse: start 1 at position 3 is less than the one before, 2",
            values, starts, columns, dev:array({ 1, 2, 1 }, "i32"), columns, values },
    } do
        it("refuses: " .. row[1], function() helper.refused_row(row, "csr_product: ") end)
    end
end)
