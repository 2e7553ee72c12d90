-- Dense linear algebra: solve, inv, det, slogdet, cholesky, lu and what solves by them. Errors are measured as LAPACK's
-- own tests do, as residuals in units of n eps norm, of which these allow 10 where LAPACK's allow 30.

local lun = require "lunarray"
local helper = require "spec.helper"
local matrices = require "spec.linalg.eigen_matrices"

local it = helper.one_in(3, it)

local EPS = matrices.EPS
local SIZES = { 1, 2, 3, 5, 7, 8, 9, 10, 16, 17, 31, 32, 33, 50, 64, 65, 100, 129 }

local function largest(x)
    return x:size() == 0 and 0 or x:abs():max()
end

-- a x - b, in units of n eps norm(a) norm(x), norms being largest elements.
local function residual(a, x, b)
    local n = select(a:ndim(), a:shape())
    local scale = largest(a) * largest(x) * n * EPS[a:dtype()]
    local error = largest(a:matmul(x) - b)
    return scale == 0 and error or error / scale
end

local assert_small = matrices.assert_small

local function positive(a)
    local n = select(a:ndim(), a:shape())
    return a:matmul(a:mt()) + a:device():eye(n, { dtype = a:dtype() }) * n
end

describe("linear algebra", function()
    matrices.each_variant("solve", function(dev, variant, dtype, title)
        it("has small residuals at all sizes, alone and in batches, on " .. title, function()
            for at, n in ipairs(SIZES) do
                for _, batch in ipairs { {}, { 3 } } do
                    local square = batch[1] and { batch[1], n, n } or { n, n }
                    local side = batch[1] and { batch[1], n, 4 } or { n, 4 }
                    local a = dev:normal(square, { dtype = dtype, seed = at })
                    local b = dev:normal(side, { dtype = dtype, seed = 100 + at })
                    local what = ("%s of %d, %s"):format(dtype, n, batch[1] or "alone")
                    local given = { variant = variant }
                    assert_small(residual(a, a:solve(b, given), b), "solve, " .. what)
                    assert_small(residual(a:mt(), a:solve(b, { variant = variant, transpose = true }), b),
                        "solve with the transpose, " .. what)
                    assert_small(residual(a, a:inv(given), dev:eye(n, { dtype = dtype })), "inv, " .. what)
                    local p = positive(a)
                    local l, u = p:cholesky(given), p:cholesky { upper = true, variant = variant }
                    assert_small(largest(l:matmul(l:mt()) - p) / (largest(p) * n * EPS[dtype]), "cholesky, " .. what)
                    assert_small(largest(u:mt():matmul(u) - p) / (largest(p) * n * EPS[dtype]), "upper, " .. what)
                    assert.equal(0, largest(l:triu(1)) + largest(u:tril(-1)))
                    local x = p:solve(b, { assume = "positive", variant = variant })
                    assert_small(residual(p, x, b), "positive, " .. what)
                    for assume, t in pairs { lower = l, upper = u } do
                        assert_small(residual(t, t:solve(b, { assume = assume, variant = variant }), b),
                            assume .. ", " .. what)
                        assert_small(residual(t:mt(),
                            t:solve(b, { assume = assume, variant = variant, transpose = true }), b),
                            assume .. " transposed, " .. what)
                    end
                end
            end
        end)

        it("factorises matrices of any shape on " .. title, function()
            for _, shape in ipairs { { 5, 3 }, { 3, 5 }, { 40, 17 }, { 17, 40 }, { 2, 33, 70 }, { 2, 70, 33 }, { 1, 9 },
                { 9, 1 } } do
                local a = dev:normal(shape, { dtype = dtype, seed = 7 })
                local f = a:lu { variant = variant }
                local axis = #shape - 1
                for k = 1, shape[3] and shape[1] or 1 do
                    local one, l, u, p = a, f.l, f.u, f.p
                    if shape[3] then
                        one, l, u, p = a:row(k), l:row(k), u:row(k), p:row(k)
                    end
                    local error = largest(l:matmul(u) - one:take(p, 1))
                    assert_small(error / (largest(a) * math.max(shape[axis], shape[axis + 1]) * EPS[dtype]), "lu")
                    assert.is_true(largest(l) <= 1)
                end
            end
        end)

        it("solves few equations side by side, whose pivots stand in different rows, on " .. title, function()
            local function stack(list)
                for i, rows in ipairs(list) do
                    list[i] = dev:array(rows, dtype)
                end
                return lun.stack(list)
            end
            local given, one = { variant = variant, info = true }, dev:array({ 1, 2, 3 }, dtype)
            local turned = stack { { { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 0 } }, { { 4, 0, 0 }, { 0, 2, 0 }, { 0, 0, 1 } },
                { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }, { { 0, 0, 1 }, { 0, 1, 0 }, { 1, 0, 0 } } }
            local x, info = turned:solve(one, given)
            assert.same({ 0, 0, 1, 0 }, info:totable())
            assert.same({ { 3.0, 1.0, 2.0 }, { 0.25, 1.0, 3.0 }, { 3.0, 2.0, 1.0 } }, x:take({ 1, 2, 4 }, 1):totable())
            local nan = 0 / 0
            local lower = stack { { { 4, nan, nan }, { 2, 2, nan }, { 0, 1, 2 } },
                { { 1, 0, 0 }, { 0, -1, 0 }, { 0, 0, -1 } }, { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, math.huge } } }
            given.assume = "positive"
            x, info = lower:solve(dev:array({ 8, 9, 8 }, dtype), given)
            assert.same({ 0, 2, 3 }, info:totable())
            assert.same({ 1.0, 2.0, 3.0 }, x:row(1):totable())
        end)
    end, true)

    helper.each_device(function(dev, title)
        local wide = dev:info().fp64 and "f64" or "f32"

        it("knows known answers on " .. title, function()
            local s = dev:array({ { 1, 2 }, { 3, 4 } }, wide)
            helper.check_array(s:solve(dev:array({ 5, 11 }, wide)), wide, { 2 }, { 1.0, 2.0 }, 1e-6)
            -- integers whose factors are integers: L U = A without exchanges, no rounding at all
            local l = dev:array({ { 1, 0, 0 }, { 0.5, 1, 0 }, { 0.25, 0.5, 1 } }, wide)
            local u = dev:array({ { 8, 4, 2 }, { 0, 4, 2 }, { 0, 0, 2 } }, wide)
            local f = l:matmul(u):lu()
            assert.equal(0, largest(f.l - l) + largest(f.u - u))
            assert.same({ 1, 2, 3 }, f.p:totable())
            assert.equal(64, f:det())
            -- Wilkinson's growth: the last column doubles at each step
            local n = 20
            local w = dev:eye(n, { dtype = wide }) - dev:ones({ n, n }, wide):tril(-1)
            w:col(n):fill(1)
            assert.equal(2.0 ^ (n - 1), w:lu().u:get(n, n))
            -- min(i, j): its determinant is 1, its inverse the second difference
            local i = dev:arange(1, n, { dtype = wide })
            local minij = i:expand(2):minimum(i)
            assert.is_true(math.abs(minij:det() - 1) < 1e-3)
            local inverse = minij:inv()
            assert.is_true(math.abs(inverse:get(1, 1) - 2) < 1e-3 and math.abs(inverse:get(n, n) - 1) < 1e-3)
            -- exchanges of two rows, and of three, in signs
            assert.equal(-1.0, dev:array({ { 0, 1 }, { 1, 0 } }, wide):det())
            assert.equal(1.0, dev:array({ { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 0 } }, wide):det())
            assert.equal(0.0, dev:ones({ 3, 3 }, wide):det())
            local sign, logarithm = dev:ones({ 3, 3 }, wide):slogdet()
            assert.equal(0.0, sign)
            assert.equal(-math.huge, logarithm)
        end)

        it("has determinants past the range of their factors on " .. title, function()
            local n = 200
            local d = dev:eye(n, { dtype = wide }) * 1e30
            assert.equal(math.huge, d:det())
            local sign, logarithm = d:slogdet()
            assert.equal(1.0, sign)
            assert.is_true(math.abs(logarithm / (n * math.log(1e30)) - 1) < 1e-6)
            d:diagonal():slice({ 1, n, 2 }):fill(1e-30) -- partial products leave the range, all together do not
            assert.is_true(math.abs(d:det() - 1) < 1e-4)
            d:diagonal():slice({ 1, 100 }):fill(1e30)
            d:diagonal():slice({ 101, n }):fill(-1e-30)
            for _, part in ipairs { d, d * lun.complex(1) } do
                local got = part:lu():det() * lun.complex(1)
                assert.is_true((got - 1):abs() < 3e4 * EPS[wide]) -- by logarithms, whose sizes sum up to 13816
            end
            local large = (dev:eye(40, { dtype = wide }) * 1e30 * lun.i):lu():det()
            assert.same({ math.huge, 0.0 }, { large.re, large.im + 0.0 })
            d:set(0, 150, 150)
            assert.equal(0.0, d:lu():det())
            d:set(0 / 0, 150, 150)
            local missing = d:lu():det()
            assert.is_true(missing ~= missing)
        end)

        it("inverts Hilbert's matrix as far as its condition lets it on " .. title, function()
            local n = wide == "f64" and 6 or 3
            local i = dev:arange(1, n, { dtype = wide })
            local h = (i:expand(2) + i - 1):recip()
            local function over(a, b)
                local product = 1
                for k = 1, b do product = product * (a - b + k) / k end
                return product
            end
            local inverse, r = h:inv(), h:rcond()
            for row = 1, n do
                for column = 1, n do
                    local exact = (-1) ^ (row + column) * (row + column - 1) * over(n + row - 1, n - column)
                        * over(n + column - 1, n - row) * over(row + column - 2, row - 1) ^ 2
                    assert.is_true(math.abs(inverse:get(row, column) / exact - 1) < 20 * EPS[wide] / r)
                end
            end
        end)

        it("estimates condition numbers on " .. title, function()
            for n = 1, 40, 13 do
                local a = dev:normal({ n, n }, { dtype = wide, seed = n })
                local function norm(x) return x:abs():sum { axis = 1 }:max() end
                local exact = 1 / (norm(a) * norm(a:inv()))
                local r = a:rcond()
                assert.is_true(r >= exact * 0.99 and r <= 3 * exact, ("%g, exact %g"):format(r, exact))
            end
            assert.equal(0.0, dev:ones({ 2, 2 }, wide):rcond())
            assert.equal(1.0, dev:eye(5, { dtype = wide }):rcond())
            local both = lun.stack { dev:eye(3, { dtype = wide }), dev:ones({ 3, 3 }, wide) }
            assert.same({ 1.0, 0.0 }, both:rcond():totable())
            local one = dev:eye(10, { dtype = "f32" })
            local small = (one * 2 - dev:ones({ 10, 10 }, "f32"):tril()) * 2.0 ^ -120 -- its inverse's norm is 2^129
            assert.is_true(math.abs(small:rcond() * 10 * 2 ^ 9 - 1) < 1e-6)
        end)

        it("takes views, broadcasts, and right sides that are vectors on " .. title, function()
            local large = dev:normal({ 3, 12, 14 }, { dtype = wide, seed = 11 })
            local a = large:slice({ 1, 3 }, { 12, 1, -2 }, { 2, 12, 2 }) -- reversed rows, every second column
            local b = dev:normal({ 6 }, { dtype = wide, seed = 12 })
            local x = a:solve(b)
            assert.same({ 3, 6 }, { x:shape() })
            for k = 1, 3 do
                local alone = a:row(k):contiguous():solve(b)
                assert.equal(alone:tobytes(), x:row(k):contiguous():tobytes())
            end
            local sides = dev:normal({ 5, 1, 6, 2 }, { dtype = wide, seed = 13 })
            local y = a:solve(sides)
            assert.same({ 5, 3, 6, 2 }, { y:shape() })
            assert_small(residual(a:row(2), y:slice(4, 2), sides:slice(4, 1)), "broadcast")
            local out = dev:zeros({ 3, 6, 4 }, wide):slice({ 1, 3 }, { 1, 6 }, { 2, 2 }):reshape(3, 6)
            assert.equal(out, a:solve(b, { out = out }))
            assert.equal(0, largest(out - x))
            local f = a:lu()
            assert_small(residual(a:row(2), f:solve(b):row(2):expand(2), b:expand(2)), "by factors")
            local turned = f:solve(b, { transpose = true }):row(1):expand(2)
            assert_small(residual(a:row(1):t(), turned, b:expand(2)), "transposed")
            helper.check_array(f:det(), wide, { 3 }, a:det():totable(), 1e-5)
            assert_small(residual(a:row(3), f:inv():row(3), dev:eye(6, { dtype = wide })), "inverse by factors")
        end)

        it("takes integers and truth values, and sizes of 0, on " .. title, function()
            local s = dev:array({ { 2, 1 }, { 1, 1 } }, "i32")
            helper.check_array(s:solve(dev:array({ 3, 2 }, "i8")), wide, { 2 }, { 1.0, 1.0 }, 1e-6)
            assert.equal(wide, s:inv():dtype())
            assert.equal(wide, dev:eye(2, { dtype = "bool" }):cholesky():dtype())
            assert.equal(1.0, dev:zeros { 0, 0 }:det())
            assert.same({ 1.0, 1.0 }, dev:zeros { 2, 0, 0 }:det():totable())
            assert.same({ 0 }, { dev:zeros { 0, 3, 3 }:det():shape() })
            assert.same({ 0, 4 }, { dev:zeros { 0, 0 }:solve(dev:zeros { 0, 4 }):shape() })
            assert.same({ 3, 0 }, { dev:eye(3):solve(dev:zeros { 3, 0 }):shape() })
            assert.same({ 0, 0 }, { dev:zeros { 0, 0 }:inv():shape() })
            assert.same({ 0, 0 }, { dev:zeros { 0, 0 }:cholesky():shape() })
            assert.equal(0, dev:zeros { 0, 0 }:lu().l:size())
            assert.equal(math.huge, dev:zeros { 0, 0 }:rcond())
        end)

        helper.long(it)("takes batches of more than 2^19 matrices on " .. title, function()
            local count = (1 << 19) + 3
            local k, b = dev:arange(0, count - 1, { dtype = "f32" }) % 7 + 2, dev:array { 3, 5 }
            local a = dev:ones { count, 2, 2 } -- of k on the diagonal
            a:diagonal():write(k:expand(2):broadcast(count, 2))
            local det = k * k - 1
            for what, error in pairs {
                solve = a:solve(b):col(1) - (3 * k - 5) / det, inv = a:inv():slice({}, 2, 1) + 1 / det,
                det = a:det() / det - 1, lu = a:lu():det() / det - 1, lstsq = a:lstsq(b):col(1) - (3 * k - 5) / det,
                cholesky = a:cholesky():slice({}, 2, 1) - 1 / k:sqrt(), eigvalsh = a:eigvalsh():col(1) - (k - 1),
                qr = select(2, a:qr()):slice({}, 1, 1) - (k * k + 1):sqrt(), svdvals = a:svdvals():col(1) - (k + 1),
                eigvals = a:eigvals():col(1):real() - (k - 1),
            } do
                assert_small(largest(error) / (8 * EPS.f32), what)
            end
        end)

        it("says what is singular or not positive definite on " .. title, function()
            local bad = dev:array({ { 1, 2, 3 }, { 2, 4, 6 }, { 0, 0, 1 } }, wide)
            local one = dev:ones({ 3 }, wide)
            helper.refused("totable: solve: singular matrix: pivot 2 is 0", bad:solve(one))
            helper.refused("totable: inv: singular matrix: pivot 2 is 0", bad:inv())
            local batch = lun.stack { dev:eye(3, { dtype = wide }), dev:eye(3, { dtype = wide }), bad }
            helper.refused("totable: solve: matrix 3 of 3: singular matrix: pivot 2 is 0", batch:solve(one))
            helper.refused("totable: solve: singular matrix: pivot 2 is 0",
                dev:array({ { 1, 1 }, { 0, 0 } }, wide):solve(dev:ones({ 2 }, wide), { assume = "upper" }))
            helper.refused("totable: cholesky: not positive definite at row 2",
                dev:array({ { 1, 2 }, { 2, 1 } }, wide):cholesky())
            helper.raises("totable: solve: not positive definite at row 1", function()
                local nan = dev:array({ { 0 / 0, 2 }, { 2, 1 } }, wide)
                nan:solve(dev:ones({ 2 }, wide), { assume = "positive" }):totable()
            end)
            helper.refused("totable: cholesky: not positive definite at row 2",
                dev:array({ { 1, 0 }, { 0, math.huge } }, wide):cholesky())
            local f = batch:lu()
            for _, word in ipairs { "solve", "inv" } do
                helper.refused("totable: lu_solve: matrix 3 of 3: singular matrix: pivot 2 is 0",
                    f[word](f, word == "solve" and one or nil))
            end
            assert.same({ 1.0, 1.0, 0.0 }, f:rcond():totable())
            local x, info = batch:solve(one, { info = true })
            assert.same({ 0, 0, 2 }, info:totable())
            assert.same({ 1.0, 1.0, 1.0 }, x:row(2):totable())
            local _, inverses = batch:inv { info = true }
            assert.same({ 0, 0, 2 }, inverses:totable())
            local _, rows = (-batch):cholesky { info = true }
            assert.same({ 1, 1, 1 }, rows:totable())
            assert.equal(0, select(2, dev:eye(2):solve(dev:ones { 2 }, { info = true })):get())
        end)
    end)

    it("refuses dtypes of 16 bits, vectors, and matrices that are not square", function()
        local dev = lun.device()
        local AXES = ": a matrix is needed, or a batch of them; the array has shape (3)"
        local SQUARE = ": a square matrix is needed, or a batch of them; the array has shape (2x3)"
        local DTYPE = ": %s matrices are not supported; f32 or f64 is needed: use cast(\"f32\")"
        local any = "lu lu_ lu_factor lu_factor_ qr svd svdvals pinv rank cond"
        local function of(name)
            if name == "matrix_power" then
                return 2
            end
        end
        local square = "inv det slogdet cholesky cholesky_ eigh eigvalsh eig eigvals expm rcond matrix_power"
        for name in (any .. " " .. square):gmatch "%S+" do
            for _, dtype in ipairs { "f16", "bf16" } do
                helper.refused((name .. DTYPE):format(dtype), dev:zeros({ 2, 2 }, dtype), of(name))
            end
            helper.refused(name .. AXES, dev:zeros { 3 }, of(name))
        end
        for name in square:gmatch "%S+" do
            helper.refused(name .. SQUARE, dev:zeros { 2, 3 }, of(name))
        end
    end)

    it("refuses what it cannot take", function()
        local dev = lun.device()
        local a, b = dev:eye(3), dev:ones { 3 }
        local cases = {
            { "solve: option 'transpose': true, false or \"conjugate\" is needed, got 1", a, b, { transpose = 1 } },
            { "lu_solve: option 'transpose': true, false or \"conjugate\" is needed, got a string", function()
                local factors, order = a:lu_factor()
                factors:lu_solve(order, b, { transpose = "hermitian" })
            end },
            { "solve: the matrix has 3 rows, and the right side has shape (4)", a, dev:ones { 4 } },
            { "solve: the right side is a number; a vector or a matrix is needed", a, dev:ones {} },
            { "solve: unknown assumption 'odd'; known are general, positive, upper, lower, unit_lower",
                a, b, { assume = "odd" } },
            { "solve: batch axes differ: (2x3x3) and (5x3x1)", dev:ones({ 2, 3, 3 }), dev:ones { 5, 3, 1 } },
            { "solve: out overlaps an input", a, a, { out = a } },
            { "lu_solve: factors and the order of their rows are needed, as lu_factor gives them",
                a, dev:ones({ 3 }, "i32"), b },
            { "det: the matrix is 3x4; a square one is needed", dev:ones({ 3, 4 }):lu() },
            { "solve: the matrix has 3 rows, and the right side has shape (7)", a:lu(), dev:ones { 7 } },
            { "inv: unknown option 'foo'; known are transpose, out, variant, async, queue", a:lu(), { foo = 1 } },
            { "solve: the factors were released", function()
                local f = a:lu()
                f:release()
                f:solve(b)
            end },
            { "l: the factors were released", function()
                local f = a:lu()
                f:release()
                return f.l
            end },
            { "foo: the object of a:lu() has l, u, p, solve, det, slogdet, inv, rcond and release", a:lu() },
            { "solve: argument 1: an array is needed, got nothing", a:lu() },
            { "solve: self: the factors that a:lu() returns are needed, got a table; is it called with "
                .. "a colon?", function()
                a:lu().solve({}, b)
            end },
            { "cholesky_solve: batch axes differ: (2x3x3) and (5x3x1)",
                lun, dev:ones { 2, 3, 3 }, dev:ones { 5, 3, 1 } },
            { "norm: f16 matrices are not supported", dev:zeros({ 2, 2 }, "f16"), { ord = "inf" } },
            { "cond: bf16 matrices are not supported", dev:zeros({ 2, 2 }, "bf16"), { ord = 1 } },
            { "cholesky_solve: bf16 matrices are not supported; f32 or f64 is needed: use cast(\"f32\")",
                lun, a:cast "bf16", b },
        }
        for _, row in ipairs(cases) do
            helper.refused_row(row)
        end
    end)
end)
