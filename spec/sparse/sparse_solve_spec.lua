-- Triangular solves of sparse matrices and incomplete factors, beside arrays', and as preconditioners.

local helper = require "spec.helper"
local lun = require "lunarray"
local sparse = require "spec.sparse.sparse"

local EPS, noise = sparse.EPS, sparse.noise

-- A tenth of the places, and a diagonal that outweighs them.
local function matrix(dev, size, dtype, part)
    local mask = dev:random({ size, size }, { seed = size }):lt(part or 0.1):cast(dtype)
    return noise(dev, { size, size }, dtype, 1) * mask + dev:eye(size, { dtype = dtype }) * (4 + size * (part or 0.1))
end

local function near(a, b, units, dtype, what)
    local error, scale = (a - b):norm(), math.max(a:norm(), b:norm())
    assert.is_true(error <= units * EPS[dtype] * scale, ("%s, %s: off by %g of %g"):format(what, dtype, error, scale))
end

-- The factors that stand at a matrix's places: what their product has there is the matrix.
local function check_places(product, a, dtype, what)
    local there = a:ne(0):cast(dtype)
    near(product * there, a * there, 20 * #a, dtype, what)
end

-- Of a chain, whose levels are as many as its rows, of a diagonal, which is one level, and of arrows.
local function shapes(dev, dtype)
    local function eye(k) return dev:eye(30, 30, k or 0, { dtype = dtype }) end
    local arrow = eye() * 40
    arrow:row(1):fill(1)
    arrow:col(30):fill(1)
    arrow:set(40, 1, 1)
    arrow:set(40, 30, 30)
    return { eye() * 3 + eye(-1) + eye(1), eye() * 2, arrow, arrow:t():copy(), eye(5) + eye() * 3 + eye(-7) }
end

helper.each_device(function(dev, title)
    local double = dev:info().fp64 and "f64" or "f32"
    local every = os.getenv "LUNARRAY_LONG" and double == "f64" -- others are compiled for this alone
    local dtypes = every and { "f64", "f32", "c128", "c64" } or { double, "c64" }

    describe("a sparse matrix on " .. title, function()
        it("cuts sweeps where levels are wide, and has the same bits", function()
            local _ <close> = setmetatable({}, { __close = function() lun._try_sparse(0, 0) end })
            local b, whole = noise(dev, { 30, 2 }, double, 3), {}
            for _, least in ipairs { 2048, 5, 7, 1 } do -- shapes' last has levels of 5 rows, and of 7
                lun._try_sparse(0, least)
                for i, dense in ipairs(shapes(dev, double)) do
                    local A, C = dense:sparse(), dense:t():matmul(dense):sparse()
                    local ilu, ichol = A:ilu(), C:ichol()
                    local out = dev:zeros({ 2, 30 }, double):t()
                    local found = {
                        A:solve(b, { assume = "lower" }), A:solve(b, { assume = "upper", out = out }),
                        A:solve(b, { assume = "unit lower", async = true }):get(), ilu:solve(b), ichol:solve(b),
                    }
                    assert.equal(out, found[2])
                    whole[i] = whole[i] or found
                    for k, x in ipairs(found) do
                        assert.is_true(whole[i][k]:equal(x), ("shape %d, solve %d, wide from %d"):format(i, k, least))
                    end
                end
            end
        end)

        it("solves as its triangles do", function()
            for _, dtype in ipairs(dtypes) do
                local all = dtype == double and { 1, 2, 33, 150 } or { 33 }
                for _, size in ipairs(all) do
                    local a = matrix(dev, size, dtype)
                    local A, one = a:sparse(), dev:eye(size, { dtype = dtype })
                    local triangles = { lower = a:tril(), upper = a:triu(), ["unit lower"] = a:tril(-1) + one }
                    for assume, triangle in pairs(triangles) do
                        for _, shape in ipairs { { size }, { size, 1 }, { size, 5 } } do
                            local b = noise(dev, shape, dtype, 3)
                            local x = A:solve(b, { assume = assume })
                            assert.same(shape, { x:shape() })
                            near(triangle:matmul(x), b, 50 * size * 8, dtype, assume)
                            assert.equal(x:tobytes(), A:solve(b, { assume = assume }):tobytes())
                        end
                    end
                end
            end
        end)

        it("solves chains, diagonals and arrows, by whatever order the levels have", function()
            for at, a in ipairs(shapes(dev, double)) do
                local A, b = a:sparse(), noise(dev, { 30 }, double, 3)
                near(a:tril():matmul(A:solve(b, { assume = "lower" })), b, 1000, double, at)
                near(a:triu():matmul(A:solve(b, { assume = "upper" })), b, 1000, double, at)
            end
        end)

        it("solves views, into views, and promotes", function()
            local a = matrix(dev, 12, "f32")
            local A, wide = a:sparse(), noise(dev, { 12, 6 }, "f32", 3)
            local b, out = wide:slice({}, { 1, 6, 2 }), dev:zeros({ 3, 24 }):slice({}, { 1, 24, 2 }):t()
            local x = A:solve(b, { assume = "lower" })
            assert.equal(out, A:solve(b, { assume = "lower", out = out }))
            assert.equal(x:tobytes(), out:tobytes())
            assert.equal(x:tobytes(), A:solve(b, { assume = "lower", async = true }):get():tobytes())
            assert.equal(x:flip(1):tobytes(), A:solve(b, { assume = "lower", queue = dev:queue() }):flip(1):tobytes())
            assert.equal("c64", A:solve(b * lun.i, { assume = "upper" }):dtype())
            local starts = A:starts():cast "i64"
            local other = lun.sparse { starts = starts, cols = A:cols(), values = A:values(), shape = { 12, 12 } }
            assert.equal(x:tobytes(), other:solve(b, { assume = "lower" }):tobytes())
        end)

        it("gives what is infinite or NaN where its diagonal has 0 or nothing, and nothing of nothing", function()
            local rows = dev:array({ 2, 1, 3 }, "i32")
            local A = lun.sparse { rows = rows, cols = { 1, 1, 3 }, values = { 1, 0, 1 }, shape = { 3, 3 } }
            local x = A:solve(dev:ones { 3 }, { assume = "lower" }):totable()
            assert.equal(math.huge, x[1])
            assert.is_true(x[2] == -math.huge and x[3] == 1)
            local none = dev:zeros({ 0, 0 }, double):sparse()
            assert.equal(0, #none:solve(dev:zeros({ 0 }, double), { assume = "upper" }))
            assert.equal(0, #none:ilu():solve(dev:zeros({ 0 }, double)))
            assert.equal(0, #none:ichol():solve(dev:zeros({ 0 }, double)))
        end)

        it("has incomplete factors, whose product has its numbers at its places", function()
            for _, dtype in ipairs(dtypes) do
                local list = dtype == double and shapes(dev, dtype) or {}
                table.insert(list, matrix(dev, 60, dtype))
                for at, a in ipairs(list) do
                    local size, b = #a, noise(dev, { #a }, dtype, 3)
                    local one = dev:eye(size, { dtype = dtype })
                    -- The solves of unit vectors are the inverse of the factors' product.
                    local inverse = a:sparse():ilu():solve(one)
                    check_places(inverse:inv(), a, dtype, "ilu " .. at)
                    near(a:sparse():ilu():solve(b), inverse:matmul(b), 1000, dtype, "ilu " .. at)
                    local h = a + a:conj():t()
                    inverse = h:sparse():ichol():solve(one)
                    check_places(inverse:inv(), h, dtype, "ichol " .. at)
                    near(inverse, inverse:conj():t(), 1000, dtype, "ichol " .. at)
                end
            end
        end)

        it("has factors of all places, which are 0 behind Cholesky's diagonal", function()
            local a = dev:array({ { 4, 2, 0 }, { 2, 5, 4 }, { 0, 4, 5 } }, double):sparse()
            local order, bounds = dev:array({ 1, 2, 3 }, "i32"), dev:array({ 1, 2, 3, 4 }, "i32")
            local function values(task)
                local given = { task = task, out = dev:zeros({ 7 }, double) }
                return a:values():csr_sweep(a:starts(), a:cols(), order, bounds, nil, given):totable()
            end
            assert.same({ 2, 0, 1, 2, 0, 2, 1 }, values "cholesky")
            assert.same({ 4, 2, 0.5, 4, 4, 1, 1 }, values "ilu")
        end)

        it("has factors that are the whole ones where nothing is left out", function()
            local a, b = matrix(dev, 40, double, 1.1), noise(dev, { 40 }, double, 3)
            near(a:sparse():ilu():solve(b), a:solve(b), 1000, double, "ilu")
            local h = a + a:t()
            near(h:tril():sparse():ichol():solve(b), h:solve(b), 1000, double, "ichol of a triangle")
        end)

        it("is solved in fewer steps with them", function()
            local size = 20
            local one, line = dev:eye(size, { dtype = double }), 2 * dev:eye(size, { dtype = double })
            line:diagonal(1):fill(-1)
            line:diagonal(-1):fill(-1)
            local A = (one:kron(line) + line:kron(one)):sparse()
            local b = noise(dev, { size * size }, double, 3)
            for _, name in ipairs { "cg", "gmres", "bicgstab" } do
                local plain = select(2, lun[name](A, b, { tol = 1e-5 })).steps
                for _, kind in ipairs { "ilu", "ichol" } do
                    local x, report = lun[name](A, b, { tol = 1e-5, preconditioner = kind })
                    assert.is_true(report.converged and report.steps < 0.7 * plain, name .. " " .. kind)
                    local given, said = lun[name](A, b, { tol = 1e-5, preconditioner = A[kind](A) })
                    assert.equal(x:tobytes(), given:tobytes())
                    assert.same(report, said)
                end
            end
            local x = lun.cg(A, b * lun.i, { tol = 1e-5, preconditioner = A:ichol() })
            assert.equal(double == "f64" and "c128" or "c64", x:dtype())
        end)
    end)
end)

describe("misuse of triangular solves and incomplete factors", function()
    local dev = lun.device()
    local A, b = lun.eye(3):sparse(), lun.ones { 3 }
    local wide = lun.ones({ 2, 3 }):sparse()
    local released = A:ilu()
    released:release()
    local gone = lun.ones { 3 }
    gone:release()
    local values, starts, cols = A:values(), A:starts(), A:cols()
    local order, bounds = dev:array({ 1, 2, 3 }, "i32"), dev:array({ 1, 4 }, "i32")
    local WANTED = "solve: option 'assume': 'lower', 'unit lower' or 'upper' is needed, got %s; other sparse systems "
        .. "are solved by cg, gmres and bicgstab"
    local cases = {
        { WANTED:format "nothing", function() A:solve(b) end },
        { WANTED:format "a string", function() A:solve(b, { assume = "symmetric" }) end },
        { "solve: argument 1: an array is needed, got nothing", A },
        { "solve: argument 1: the array was released", A, gone, { assume = "lower" } },
        { "solve: the matrix is 2x3; a square one is needed", wide, b, { assume = "lower" } },
        { "solve: unknown option 'upper'; known are assume, out, async, queue", A, b, { upper = true } },
        { "solve: b has shape (2); a vector or a matrix of 3 rows is needed", A, lun.ones { 2 }, { assume = "lower" } },
        { "solve: i32 is not supported; f32, f64, c64 or c128 is needed",
            A:dense():cast("i32"):sparse(), b:cast "i32", { assume = "lower" } },
        { "ilu: the matrix is 2x3; a square one is needed", wide },
        { "ichol: the matrix is 2x3; a square one is needed", wide },
        { "ilu: argument 1: no argument is needed, got a number", A, 1 },
        { "ilu: the pivot of row 2 is 0, or not finite", lun.array { { 1, 1 }, { 1, 1 } }:sparse() },
        { "ilu: the pivot of row 1 is 0, or not finite", lun.array { { 0, 1 }, { 1, 0 } }:sparse() },
        { "ichol: the pivot of row 2 is not above 0", lun.array { { 1, 2 }, { 2, 1 } }:sparse() },
        { "solve: the factors were released", released, b },
        { "release: the factors were released", released },
        { "solve: self: incomplete factors are needed, got a table; is it called with a colon?", function()
            A:ilu().solve({}, b)
        end },
        { "foo: incomplete factors have solve and release", A:ilu() },
        { "solve: argument 1: an array is needed, got 1", A:ilu(), 1 },
        { "solve: unknown option 'assume'; known are out, async, queue", A:ilu(), b, { assume = 1 } },
        { "csr_sweep: there is no task 'foo'; known are lower, unit lower, upper, ilu, cholesky, diagonal",
            values, starts, cols, order, bounds, b, { task = "foo" } },
        { "csr_sweep: task 'lower' needs b, which is missing", values, starts, cols, order, bounds },
        { "csr_sweep: task 'ilu' takes no b", values, starts, cols, order, bounds, b, { task = "ilu" } },
        { "csr_sweep: the values have shape (2); there are 3 columns, and a value for each is needed",
            lun.ones({ 2 }), starts, cols, order, bounds, b },
        { "csr_sweep: the order has shape (2); one axis of 3 is needed",
            values, starts, cols, order:slice { 1, 2 }, bounds, b },
        { "csr_sweep: the starts are i32, and the array of bounds i64; one dtype is needed",
            values, starts, cols, order, bounds:cast "i64", b },
        { "csr_sweep: out has gaps between its elements; values must be contiguous", function()
            values:csr_sweep(starts, cols, order, bounds, nil,
                { task = "ilu", out = lun.zeros({ 6 }):slice { 1, 6, 2 } })
        end },
        { "csr_sweep: sparse: column 4 at position 3 is out of range 1..3",
            values, starts, dev:array({ 1, 2, 4 }, "i32"), order, bounds, b },
    }
    for _, row in ipairs(cases) do
        it(row[1], function() helper.refused_row(row) end)
    end

    it("with an order or bounds that are none gives a wrong result, and no more", function()
        local odd = dev:array({ -5, 2 ^ 30, 3 }, "i32")
        for _, edges in ipairs { { -7, 9 }, { 1, 4, 2, 2147483647 }, { 3, 1 }, { 1 } } do
            assert.equal(3, #values:csr_sweep(starts, cols, odd, dev:array(edges, "i32"), b))
        end
    end)

    it("is told of what a text says", function()
        assert.equal("ilu of 3x3, 3 entries", tostring(A:ilu()))
        assert.equal("incomplete factors (released)", tostring(released))
        do
            local factors <close> = A:ichol()
            assert.equal("ichol of 3x3, 3 entries", tostring(factors))
        end
    end)
end)
