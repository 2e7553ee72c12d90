-- Sparse matrices: making them, their products with vectors and matrices, and what they refuse.

local helper = require "spec.helper"
local lun = require "lunarray"
local sparse = require "spec.sparse.sparse"

local function made(dev, pattern, dtype)
    return lun.sparse {
        rows = dev:array(pattern.rows, { dtype = "i64", shape = { #pattern.rows } }), cols = dev:array(pattern.cols,
            { dtype = "i64", shape = { #pattern.cols } }), values = dev:array(pattern.values,
            { dtype = dtype, shape = { #pattern.values } }), shape = { pattern.m, pattern.n },
    }
end

-- A floating dtype in which whole numbers of these sizes have exact sums.
local function numbers_of(dev) return dev:info().fp64 and "f64" or "f32" end

helper.each_device(function(dev, title)
    describe("a sparse matrix on " .. title, function()
        it("is made of triplets, and is dense again", function()
            for _, row in ipairs(sparse.patterns) do
                local name, pattern = table.unpack(row)
                local a = made(dev, pattern, "f32")
                helper.check_array(a:dense(), "f32", { pattern.m, pattern.n }, sparse.dense(pattern), nil, name)
                assert.equal(#pattern.rows, a:nnz(), name)
                helper.check_array(a:rows(), "i32", { #pattern.rows }, pattern.rows, nil, name)
                helper.check_array(a:cols(), "i32", { #pattern.rows }, pattern.cols, nil, name)
            end
        end)

        it("is made of triplets in any order, of which those at one place are added in their order", function()
            local a = lun.sparse {
                rows = { 3, 1, 3, 2, 1, 3 }, cols = { 2, 4, 2, 1, 1, 2 }, values = { 1e30, 5, 1, 2, 3, -1e30 },
                shape = { 3, 4 }, dtype = "f32",
            }
            helper.check_array(a:dense(), "f32", { 3, 4 },
                { 3.0, 0.0, 0.0, 5.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0 })
            assert.equal(4, a:nnz())
            assert.same({ 1, 3, 4, 5 }, a:starts():totable())
            local narrow = { -- whole numbers wrap, truth values are joined
                rows = { 2, 1, 2, 1 }, cols = { 1, 1, 1, 1 }, values = { 100, 1, 100, 2 }, shape = { 2, 1 },
                dtype = "i8",
            }
            assert.same({ { 3 }, { -56 } }, lun.sparse(narrow):dense():totable())
            narrow.rows, narrow.starts = nil, { 1, 3, 5 }
            assert.same({ { 101 }, { 102 } }, lun.sparse(narrow):dense():totable())
            narrow.values[1] = 127
            narrow = lun.sparse(narrow)
            assert.same({ { -128 }, { 102 } }, narrow:dense():totable())
            assert.same({ { 0 }, { -52 } }, (narrow + narrow):dense():totable())
            local twice = lun.sparse { rows = { 1, 1 }, cols = { 1, 1 }, values = { true, true }, shape = { 1, 1 } }
            assert.same({ { true } }, twice:dense():totable())
        end)

        it("is made of starts, columns and values; rows in another order are put in order", function()
            local given = { starts = { 1, 3, 3, 6 }, cols = { 1, 3, 3, 1, 3 }, values = { 1, 2, 3, 4, 5 },
                shape = { 3, 3 } }
            local a = lun.sparse(given)
            assert.same({ 1, 3, 1, 3 }, a:cols():totable())
            assert.same({ 1, 2, 4, 8 }, a:values():totable())
            local twice = lun.sparse { starts = { 1, 3 }, cols = { 2, 2 }, values = { 1, 2 }, shape = { 1, 2 } }
            assert.same({ { 2 }, { 3 } }, { twice:cols():totable(), twice:values():totable() })
            given.cols = dev:array({ 1, 3, 1, 2, 3 }, "i32")
            given.values = dev:array({ 1, 2, 3, 4, 5 }, "f32")
            local b = lun.sparse(given)
            given.values:set(7, 1)
            assert.equal(7.0, b:values():get(1)) -- the same memory
            b:release()
            assert.equal(7.0, given.values:get(1))
        end)

        it("is made of an array, of what is not 0", function()
            local a = dev:array { { 0, 2, 0 }, { 0, 0, 0 }, { 3, 0, 0 / 0 } }:sparse()
            assert.same({ 1, 2, 2, 4 }, a:starts():totable())
            assert.same({ 2, 1, 3 }, a:cols():totable())
            assert.equal(0, dev:zeros { 3, 0 }:sparse():nnz())
        end)

        it("says what it has", function()
            local a <close> = lun.sparse { rows = { 2 }, cols = { 3 }, values = 5, shape = { 2, 4 }, dtype = "i32" }
            assert.same({ 2, 4 }, { a:shape() })
            assert.equal("2 2 1 i32 sparse", ("%d %d %d %s %s"):format(#a, a:ndim(), a:nnz(), a:dtype(), lun.type(a)))
            assert.equal("sparse 2x4 i32 of 1 entries", tostring(a))
            local rows, cols, values = a:triplets()
            assert.same({ { 2 }, { 3 }, { 5 } }, { rows:totable(), cols:totable(), values:totable() })
        end)

        it("has starts and columns of i64 past 2^31, by the same words", function()
            local pattern, dtype = sparse.patterns[6][2], numbers_of(dev)
            local function words(a)
                local x = dev:array(sparse.numbers(pattern.n), { dtype = dtype, shape = { pattern.n } })
                local square = a:matmul(a:t())
                return { a:dense():totable(), a:matmul(x):totable(), (a + a):dense():totable(),
                    square:dense():totable(), a:diag():totable(), a:sum { axis = 2 }:totable(), a:degree():totable(),
                    a:slice({ 3, 9 }, { 4, 8 }):dense():totable(), (a:row(3)):totable() }, square
            end
            local narrow = words(made(dev, pattern, dtype))
            lun._try_sparse(3) -- in place of 2^31 - 1
            local _ <close> = setmetatable({}, { __close = function() lun._try_sparse(0) end })
            local a = made(dev, pattern, dtype)
            local wide, square = words(a)
            for _, matrix in ipairs { a, a:t(), a + a, square, square:slice({ 1, 9 }, { 1, 9 }) } do
                assert.same({ "i64", "i64" }, { matrix:starts():dtype(), matrix:cols():dtype() })
            end
            assert.same(narrow, wide)
        end)

        it("has a diagonal and a transpose", function()
            for _, row in ipairs(sparse.patterns) do
                local name, pattern = table.unpack(row)
                local a = made(dev, pattern, "f32")
                local dense = a:dense()
                assert.is_true(a:t():dense():equal(dense:t()), name)
                assert.is_true(a:diag():equal(dense:diagonal()), name)
            end
        end)
    end)
end)

helper.each_variant("csr_matmul", function(dev, variant, title)
    local function options(given)
        given = given or {}
        given.variant = variant
        return given
    end
    -- Can the variant do this? cpu takes real numbers that are not packed, plain all; others take vectors alone.
    local function can(width, dtype)
        if variant == "cpu" then
            return dtype ~= "c64" and dtype ~= "f16"
        end
        return variant == "plain" or width == 1
    end

    describe("the product " .. title, function()
        it("is that of the dense matrix, for patterns of any kind", function()
            local dtype = numbers_of(dev)
            for _, row in ipairs(sparse.patterns) do
                local name, pattern = table.unpack(row)
                local a = made(dev, pattern, dtype)
                for _, width in ipairs { 1, 15 } do
                    local x = sparse.numbers(pattern.n * width)
                    local shape = width > 1 and { pattern.n, width } or { pattern.n }
                    local given = dev:array(x, { dtype = dtype, shape = shape })
                    if can(width, dtype) then
                        shape[1] = pattern.m
                        helper.check_array(a:matmul(given, options()), dtype, shape,
                            sparse.product(pattern, x, width), nil, name)
                    end
                end
            end
        end)

        it("adds up rows of many pieces", function()
            for _, n in ipairs { 70000, variant == "gpu" and 950000 or nil } do -- of 1024 pieces, too
                local dtype = numbers_of(dev)
                local starts = dev:array({ 1, 3, n + 3, n + 4 }, "i32")
                local cols = lun.concat { dev:array({ 1, n }, "i64"), dev:arange(n), dev:array({ 2 }, "i64") }
                local values = (dev:arange(n + 3) % 5 - 1):cast(dtype)
                local x = (dev:arange(n) % 4):cast(dtype)
                local a = lun.sparse { starts = starts, cols = cols, values = values, shape = { 3, n } }
                local y = a:matmul(x, options())
                local whole = values:slice { 3, n + 2 }:dot(x)
                local first = values:get(1) * x:get(1) + values:get(2) * x:get(n)
                assert.same({ first, whole, values:get(n + 3) * x:get(2) }, y:totable())
            end
        end)

        it("takes more than 2^20 rows of x, and of y, and 10^7 rows of one entry", function()
            if not os.getenv "LUNARRAY_LONG" then
                return
            end
            local m = (1 << 20) + 17
            local a, x = lun.sparse.diags({ dev:full({ m }, 2, "f32"), dev:ones({ m - 1 }, "f32") }, { 0, 1 },
                { shape = { m, m } }), (dev:arange(3 * m) % 1000):cast("f32"):reshape(m, 3)
            if can(3, "f32") then
                local y = a:matmul(x, options())
                assert.is_true(y:slice({ 1, m - 1 }):eq(2 * x:slice { 1, m - 1 } + x:slice { 2, m }):all())
                assert.is_true(y:row(m):eq(2 * x:row(m)):all())
            end
            local n = 10000000
            local ones = lun.sparse { starts = dev:arange(n + 1), cols = dev:arange(n) % 7 + 1,
                values = dev:full({ n }, 3, "f32"), shape = { n, 7 } }
            local z = dev:array { 1, 2, 3, 4, 5, 6, 7 }
            assert.is_true(ones:matmul(z, options()):eq(3 * z:take(ones:cols())):all())
        end)

        it("is that of rows in any order of lengths, whichever variant is chosen", function()
            -- rows of 0, 1, 64, 65, 4096 and 4097 entries, on either side of what variants ask for
            for _, lengths in ipairs { { 64, 0, 1, 64 }, { 65, 3 }, { 1, 4096, 0 }, { 0, 4097, 2 } } do
                local starts, cols, most = { 1 }, {}, 4100
                for r, length in ipairs(lengths) do
                    for k = 1, length do
                        cols[#cols + 1] = (k - 1) * (most // length) + r % 2 + 1
                    end
                    starts[r + 1] = #cols + 1
                end
                local dtype = numbers_of(dev)
                local a = lun.sparse { starts = starts, cols = cols, values = dev:arange(#cols):mod(7):cast(dtype),
                    shape = { #lengths, most } }
                local x = dev:arange(most):mod(5):cast(dtype)
                assert.is_true(a:dense():matmul(x):equal(a:matmul(x, options())))
                assert.is_true(a:dense():matmul(x):equal(a:matmul(x)))
            end
        end)

        it("has the dtype that both promote to", function()
            local pattern = sparse.patterns[6][2]
            local x = sparse.numbers(pattern.n)
            local expected = sparse.product(pattern, x, 1)
            for values, dtype in pairs { i32 = "i32", i8 = "i32", f32 = "f32", f16 = "f16", c64 = "c64" } do
                local other = dtype == "i32" and "i32" or dtype
                local given = dev:array(x, other)
                if can(1, dtype) then
                    local y = made(dev, pattern, values):matmul(given, options())
                    assert.equal(dtype, y:dtype())
                    assert.is_true(y:eq(dev:array(expected, "i32")):all(), values)
                end
            end
        end)

        it("takes alpha, beta and out, views and columns of i64", function()
            local pattern = sparse.patterns[7][2]
            local x, dtype = sparse.numbers(pattern.n), numbers_of(dev)
            local expected = sparse.product(pattern, x, 1)
            for i, v in ipairs(expected) do
                expected[i] = -2 * v + 3
            end
            local a = made(dev, pattern, dtype)
            local wide, out = dev:zeros({ pattern.n, 2 }, dtype), dev:ones({ 2, pattern.m }, dtype):t():col(2)
            wide:col(1):write(dev:array(x, dtype))
            local given = options { alpha = -2, beta = 3, out = out }
            assert.equal(out, a:values():csr_matmul(a:starts():cast "i64", a:cols():cast "i64", wide:col(1), given))
            helper.check_array(out, dtype, { pattern.m }, expected)
        end)

        it("does not read what beta = 0 takes nothing of", function()
            local a = lun.sparse { rows = { 1 }, cols = { 1 }, values = dev:ones { 1 }, shape = { 2, 1 } }
            local out = dev:full({ 2 }, 0 / 0)
            a:matmul(dev:ones { 1 }, options { out = out })
            assert.same({ 1, 0 }, out:totable())
        end)

        it("has the same bits every time, and errors of no more than n eps", function()
            local pattern = sparse.patterns[7][2]
            local values = dev:normal({ #pattern.rows }, { seed = 1 })
            local a = made(dev, pattern, "f32")
            a:values():write(values)
            local x = dev:normal({ pattern.n }, { seed = 2 })
            local y = a:matmul(x, options())
            for _ = 1, 3 do
                assert.equal(y:tobytes(), a:matmul(x, options()):tobytes())
            end
            local dtype = numbers_of(dev)
            local exact = a:dense():cast(dtype):matmul(x:cast(dtype))
            local most = a:dense():abs():matmul(x:abs()):cast(dtype) * (6000 * 2.0 ^ -24)
            assert.is_true((y:cast(dtype) - exact):abs():le(most):all())
        end)

        it("runs beside fills on another queue", function()
            local pattern, queue = sparse.patterns[5][2], dev:queue()
            local a = made(dev, pattern, "f32")
            local x, out, row = dev:zeros { pattern.n }, dev:zeros { pattern.m }, 0.0
            for e = 1, 4 do
                row = row + pattern.values[e]
            end
            for i = 1, 20 do
                x:fill(i, { queue = queue })
                a:matmul(x, options { out = out })
                assert.equal(i * row, out:get(1))
            end
        end)
    end)
end)

describe("a sparse matrix", function()
    local dev = lun.device()

    local function refuses(message, f)
        it("refuses: " .. message, function() helper.raises(message, f) end)
    end
    local function from(given)
        return function()
            given.shape = given.shape or { 3, 3 }
            given.values = given.values or 1
            local a = lun.sparse(given)
            return a
        end
    end

    refuses("sparse: argument 1: a table is needed, {rows, cols, values, shape} or "
        .. "{starts, cols, values, shape}, got 3",
        function() lun.sparse(3) end)
    refuses("sparse: argument 2: nothing after argument 1 is needed, got 3", function() lun.sparse({}, 3) end)
    refuses("sparse: unknown option 'columns'; known are rows, starts, cols, values, shape, dtype",
        function() lun.sparse { columns = {} } end)
    refuses("sparse: rows or starts are needed, got neither",
        function() lun.sparse { cols = {}, shape = { 1, 1 } } end)
    refuses("sparse: rows or starts are needed, got both", function() lun.sparse { rows = {}, starts = {} } end)
    refuses("sparse: shape: a list of two whole numbers from 0 is needed, {rows, columns}, got nothing",
        function() lun.sparse { rows = {}, cols = {}, values = {} } end)
    refuses("sparse: shape: 4294967296x4294967296: a matrix has at most 2^63 - 1 positions",
        from { rows = {}, cols = {}, shape = { 1 << 32, 1 << 32 } })
    refuses("sparse: triplet 2: row 4 is out of range 1..3", from { rows = { 1, 4 }, cols = { 1, 1 } })
    refuses("sparse: triplet 1: column 0 is out of range 1..3", from { rows = { 1, 1 }, cols = { 0, 4 } })
    refuses("sparse: triplet 2: row 5 is out of range 1..3", from { rows = { 1, 5 }, cols = { 1, 1 }, dtype = "i32" })
    refuses("sparse: triplet 1: column 9 is out of range 1..3", from { rows = { 1 }, cols = { 9 }, dtype = "i32" })
    refuses("sparse: triplet 2: row 4 is out of range 1..3",
        from { rows = { 1, 4 }, cols = { 1, 1 }, values = lun.ones({ 2 }, "bool") })
    refuses("sparse: rows and cols: got 1 and 2; each entry has one of both", from { rows = { 1 }, cols = { 1, 1 } })
    refuses("sparse: values: got 1, expected 2 (the entries of cols)",
        from { rows = { 1, 1 }, cols = { 1, 2 }, values = { 1 } })
    refuses("sparse: rows: whole numbers are needed, and the array is f32",
        from { rows = dev:ones { 1 }, cols = { 1 } })
    refuses("sparse: rows: one axis is needed, and the shape is 1x1",
        from { rows = dev:ones({ 1, 1 }, "i32"), cols = { 1 } })
    refuses("sparse: cols: a list or an array is needed, got nothing", from { rows = { 1 } })
    refuses("sparse: cols: the array was released", function()
        local gone = dev:ones { 1 }
        gone:release()
        lun.sparse { rows = { 1 }, cols = gone, values = 1, shape = { 3, 3 } }
    end)
    refuses("sparse: starts: got 3, expected 4 (one more than the rows)",
        from { starts = { 1, 1, 1 }, cols = {} })
    refuses("sparse: the first start is 0; 1 is needed", from { starts = { 0, 1, 1, 2 }, cols = { 1 } })
    refuses("sparse: the last start is 3; 2 is needed, one more than there are columns",
        from { starts = { 1, 1, 1, 3 }, cols = { 1 } })
    refuses("sparse: start 1 at position 3 is less than the one before, 2",
        from { starts = { 1, 2, 1, 2 }, cols = { 1 } })
    refuses("sparse: column 0 at position 1 is out of range 1..3", from { starts = { 1, 2, 2, 2 }, cols = { 0 } })
    refuses("sparse: column 4 at position 2 is out of range 1..3", from { starts = { 1, 2, 3, 3 }, cols = { 1, 4 } })
    refuses("sparse: a matrix is needed, and the shape is 3", function() dev:ones { 3 }:sparse() end)

    local a = from { rows = { 1 }, cols = { 2 }, shape = { 3, 4 } } ()
    refuses("matmul: argument 1: an array or a sparse matrix is needed, got a number", function() a:matmul(3) end)
    refuses("matmul: the matrix is 3x4, and x has shape (3)", function() a:matmul(dev:ones { 3 }) end)
    refuses("matmul: unknown option 'axis'", function() a:matmul(dev:ones { 4 }, { axis = 1 }) end)
    refuses("matmul: beta needs out, which is missing", function() a:matmul(dev:ones { 4 }, { beta = 1 }) end)
    refuses("matmul: self: a sparse matrix is needed, got an array; is it called with a colon?",
        function() a.matmul(dev:ones { 4 }) end)
    refuses("matrix: a sparse matrix has no such method; those of arrays work on A:values(), or on A:dense()",
        function() a:matrix() end)
    refuses("nnz: self: the matrix was released", function()
        local gone = from { rows = { 1 }, cols = { 2 } } ()
        gone:release()
        gone:nnz()
    end)
end)

describe("the product with a vector", function()
    it("has one kernel where no row is huge, and two where one is, of which pieces are added up", function()
        local dev = lun.device()
        for length, wanted in pairs { [3] = 1, [4097] = 2 } do
            local a = lun.sparse { rows = dev:ones({ length }, "i64"), cols = dev:arange(length), values = 1,
                shape = { 2, length } }
            local x = dev:ones { length }
            local y, kernels = a:matmul(x), 0
            for _, row in ipairs(lun.profile(function() a:matmul(x, { out = y }) end).rows) do
                kernels = kernels + #row.kernels
            end
            assert.same({ wanted, length, 0 }, { kernels, y:get(1), y:get(2) })
        end
    end)
end)

describe("csr_matmul", function()
    local dev = lun.device()
    local starts, columns = dev:array({ 1, 2, 3 }, "i32"), dev:array({ 1, 2 }, "i32")
    local values, x = dev:ones { 2 }, dev:ones { 2 }

    it("looks again at starts and columns that somebody has written to", function()
        assert.same({ 1, 1 }, values:csr_matmul(starts, columns, x):totable())
        local bad = columns:copy()
        assert.same({ 1, 1 }, values:csr_matmul(starts, bad, x):totable())
        bad:set(3, 2)
        helper.refused("csr_matmul: sparse: column 3 at position 2 is out of range 1..2", values, starts, bad, x)
        bad:set(2, 2)
        assert.same({ 1, 1 }, values:csr_matmul(starts, bad, x):totable())
        do
            local mapped <close> = bad:host "rw"
            mapped[1] = 0
        end
        helper.refused("csr_matmul: sparse: column 0 at position 1 is out of range 1..2", values, starts, bad, x)
        bad:set(1, 1)
        assert.same({ 1, 1 }, values:csr_matmul(starts, bad, x):totable())
        helper.refused("csr_matmul: sparse: column 2 at position 2 is out of range 1..1",
            values, starts, columns, dev:ones { 1 })
    end)

    for _, row in ipairs {
        { "the starts are f32; i32 or i64 is needed", values, values, columns, x },
        { "the starts are i32, and the columns i64; one dtype is needed, i32 or i64",
            values, starts, columns:cast "i64", x },
        { "the starts have shape (0); one axis is needed, with one start more than there are rows",
            values, dev:zeros({ 0 }, "i32"), columns, x },
        { "the columns have shape (2x1); one axis is needed", values, starts, columns:expand(2), x },
        { "the values have shape (1); there are 2 columns, and a value for each is needed",
            dev:ones { 1 }, starts, columns, x },
        { "x has shape (2x1x1); a vector or a matrix is needed", values, starts, columns, x:reshape(2, 1, 1) },
        { "there is no product of plus 'min' and times '*'; known are + *, min +, max +, max *, or and",
            values, starts, columns, x, { plus = "min" } },
        { "alpha and beta need plus '+' and times '*'",
            values, starts, columns, x, { plus = "max", alpha = 2 } },
    } do
        it("refuses: " .. row[1], function() helper.refused_row(row, "csr_matmul: ") end)
    end
end)
