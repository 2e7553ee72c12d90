-- LAPACK's kinds of matrices through solve, lu, eigh and svd: errors in units of n eps norm, of which these allow 10
-- where LAPACK's own tests allow 30; and matrices whose answers are known.

local helper = require "spec.helper"
local kinds = require "spec.linalg.kinds"
local lun = require "lunarray"
local matrices = require "spec.linalg.eigen_matrices"

local it = helper.one_in(3, it)

local EPS = matrices.EPS
local SIZES = { f64 = { 0, 1, 2, 3, 5, 10, 33, 50, 65 }, f32 = { 3, 33 } }

-- Each matrix's Frobenius norm, as b x 1 x 1.
local function norms(a)
    return a:norm { ord = "fro", keepdims = true }
end

-- error / (n eps size) of each, as a list; of a size of 0 the error itself.
local function units(error, size, n, dtype)
    local scale = size * (math.max(n, 1) * EPS[dtype])
    return scale:gt(0):where(error / scale, error):flatten():totable()
end

local function assert_small(list, names, what, skipped)
    for i, name in ipairs(names) do
        if not (skipped and skipped[i] > 0) then
            assert.is_true(list[i] <= 10, ("%s of %s: %g units"):format(what, name, list[i])) -- NaN fails as well
        end
    end
end

-- Each list of values beside that of its matrix.
local function assert_values(got, values, names, descending, what, n, dtype)
    got = got:totable()
    for k, name in ipairs(names) do
        local expected = values[k]
        if expected then
            table.sort(expected, function(a, b) if descending then return a > b end return a < b end)
            local most = 0
            for _, value in ipairs(expected) do
                most = math.max(most, math.abs(value))
            end
            for i, value in ipairs(expected) do
                local error = math.abs(got[k][i] - value)
                assert.is_true(error <= 10 * n * EPS[dtype] * most, ("%s of %s: %.17g, not %.17g"):format(what, name,
                    got[k][i], value))
            end
        end
    end
end

local function away_from_orthogonal(v)
    local one = v:device():eye((select(v:ndim(), v:shape())), { dtype = v:dtype() })
    return norms(v:mt():matmul(v) - one)
end

-- The variants by which sizes are tried: all for some, the chosen one for the others.
local function each_variant(dev, operation, n)
    return (n == 5 or n == 33) and dev:variants(operation) or { dev:variants(operation)[1] }
end

helper.each_device(function(dev, title)
    describe("LAPACK's kinds", function()
        for _, dtype in ipairs(matrices.dtypes(dev)) do
            it("of general matrices are factorised, solved and found singular on " .. title .. ", " .. dtype, function()
                for _, n in ipairs(SIZES[dtype]) do
                    local names, a, zeros = kinds.general(dev, n, dtype)
                    local expected = dev:normal({ n, 3 }, { dtype = dtype, seed = n })
                    local b, turned = a:matmul(expected), a:mt():matmul(expected)
                    for _, variant in ipairs(each_variant(dev, "solve", n)) do
                        local what = (" (n = %d, %s)"):format(n, variant)
                        local f = a:lu { variant = variant }
                        local size = norms(a)
                        for k, name in ipairs(names) do
                            local rows = a:row(k):take(f.p:row(k), 1)
                            local error = norms((f.l:row(k):matmul(f.u:row(k)) - rows):expand(1))
                            assert_small(units(error, size:slice { k, k }, n, dtype), { name }, "lu" .. what)
                        end
                        local x, info = a:solve(b, { info = true, variant = variant })
                        assert.same(zeros, info:totable())
                        local bad = norms(a:matmul(x) - b)
                        assert_small(units(bad, size * norms(x), n, dtype), names, "solve" .. what, zeros)
                        x = a:solve(turned, { info = true, transpose = true, variant = variant })
                        bad = norms(a:mt():matmul(x) - turned)
                        assert_small(units(bad, size * norms(x), n, dtype), names, "transposed" .. what, zeros)
                    end
                end
            end)

            it("of symmetric matrices have eigenvalues and vectors on " .. title .. ", " .. dtype, function()
                for _, n in ipairs(SIZES[dtype]) do
                    local names, a, values = kinds.symmetric(dev, n, dtype)
                    assert.equal(21, #names)
                    for _, variant in ipairs(each_variant(dev, "eigh", n)) do
                        local what = (" (n = %d, %s)"):format(n, variant)
                        local w, v = a:eigh { variant = variant }
                        local bad = norms(a:matmul(v) - v * w:expand(-2))
                        assert_small(units(bad, norms(a), n, dtype), names, "eigh" .. what)
                        assert_small(units(away_from_orthogonal(v), norms(a) * 0 + 1, n, dtype), names,
                            "orthogonality" .. what)
                        assert_values(w, values, names, false, "w" .. what, n, dtype)
                        assert_values(a:eigvalsh { variant = variant }, values, names, false, "values" .. what, n,
                            dtype)
                    end
                end
            end)

            it("of rectangular matrices have singular values and vectors on " .. title .. ", " .. dtype, function()
                for at, n in ipairs(SIZES[dtype]) do
                    local m = n + ({ 0, 3, -1 })[at % 3 + 1]
                    m = math.max(m, 0)
                    local names, a, values = kinds.rectangular(dev, m, n, dtype)
                    assert.equal(16, #names)
                    local most = math.max(m, n)
                    for _, variant in ipairs(each_variant(dev, "svd", n)) do
                        local what = (" (%d x %d, %s)"):format(m, n, variant)
                        local u, s, v = a:svd { variant = variant }
                        local one = norms(a) * 0 + 1
                        local bad = norms((u * s:expand(-2)):matmul(v:mt()) - a)
                        assert_small(units(bad, norms(a), most, dtype), names, "svd" .. what)
                        assert_small(units(away_from_orthogonal(u), one, most, dtype), names, "u" .. what)
                        assert_small(units(away_from_orthogonal(v), one, most, dtype), names, "v" .. what)
                        assert_values(s, values, names, true, "s" .. what, most, dtype)
                        assert_values(a:svdvals { variant = variant }, values, names, true, "values" .. what, most,
                            dtype)
                    end
                end
            end)
        end
    end)

    describe("what words of linear algebra say of each other", function()
        local wide = matrices.dtypes(dev)[1]
        local complex = wide == "f64" and "c128" or "c64"
        local eps = EPS[wide]

        local function most(x)
            return lun.type(x) == "array" and x:abs():max() or type(x) == "number" and math.abs(x) or x:abs()
        end

        it("agrees, of matrices of any shape, on " .. title, function()
            local sizes = dev:randint({ 12, 3 }, { seed = 32, low = 1, high = 70 }):totable()
            for at, size in ipairs(sizes) do
                local m, n, k = size[1], size[2], size[3] % 4 + 1
                local batch, seed = at % 3 > 0 and { at % 3 } or {}, 0
                local function noise(rows, columns)
                    local shape = { batch[1] or rows, batch[1] and rows or columns, batch[1] and columns }
                    seed = seed + 2
                    local re, im = dev:normal(shape, { dtype = wide, seed = seed }),
                        dev:normal(shape, { dtype = wide, seed = seed + 1 })
                    return at % 2 == 0 and re or re + im * lun.i
                end
                local what = ("%dx%d, %d, the %dth"):format(m, n, k, at)
                local function check(error, bound, name)
                    assert.is_true(most(error) <= 10 * eps * bound, name .. " of " .. what .. ": " .. most(error))
                end
                local a, b = noise(m, n), noise(m, k)
                local p, c, larger = a:pinv(), most(a:cond()), math.max(m, n)
                local left, right = a:matmul(p), p:matmul(a)
                check(left:matmul(a) - a, larger * c * most(a), "pinv")
                check(right:matmul(p) - p, larger * c * most(p), "pinv")
                check(left - left:mt():conj(), larger * c, "pinv")
                check(right - right:mt():conj(), larger * c, "pinv")
                check(a:lstsq(b) - p:matmul(b), larger * c * c * most(p) * most(b), "lstsq")
                check(a:svdvals() ^ 2 - (m < n and a:matmul(a:mt():conj()) or a:mt():conj():matmul(a)):eigvalsh()
                    :flip(-1), larger * most(a:norm { ord = 2 }) ^ 2, "svdvals")
                local s, y = noise(n, n), noise(n, k)
                local f, x = s:lu(), s:solve(y)
                local known, told = most(s:cond { ord = 1 }), most(1 / s:rcond())
                assert.is_true(told <= 1.01 * known and told >= known / 5, what .. ": " .. told .. ", not " .. known)
                c = n * known
                check(f:solve(y) - x, c * most(x), "lu")
                check(s:inv():matmul(y) - x, c * most(x) * n, "inv")
                local sign, logarithm = s:slogdet()
                local w = s:eigvals()
                check(w:abs():log():sum { axis = -1 } - logarithm, c, "eigvals")
                check((w / w:abs()):prod { axis = -1 } - sign, c, "eigvals")
                local h = s:matmul(s:mt():conj()) + dev:eye(n, { dtype = wide })
                x = lun.cholesky_solve(h:cholesky(), y)
                check(h:matmul(x) - y, n * most(h) * most(x) * n, "cholesky_solve")
                assert.equal(at % 2 == 0 and wide or complex, x:dtype())
            end
        end)
    end)

    describe("matrices whose answers are known", function()
        local wide = matrices.dtypes(dev)[1]
        local eps = EPS[wide]

        it("are Frank's, whose inverse is one of integers, on " .. title, function()
            for _, n in ipairs(wide == "f64" and { 2, 5, 9 } or { 2, 5 }) do
                local a = matrices.of(dev, n, wide, function(i, j)
                    return j >= i - 1 and n + 1 - math.max(i, j) or 0
                end)
                local inverse, r = a:inv(), a:rcond()
                local whole = inverse:round()
                assert.is_true((inverse - whole):abs():max() <= 10 * n * eps / r * whole:abs():max())
                assert.equal(0, (a:matmul(whole) - dev:eye(n, { dtype = wide })):abs():max())
                assert.is_true(math.abs(a:det() - 1) <= 10 * n * eps / r)
                assert.is_true(math.abs(1 / r - a:cond { ord = 1 }) <= 2 / 3 / r)
            end
        end)

        it("is Kahan's, whose rank pivots do not tell, on " .. title, function()
            local n, c = 30, math.cos(1.2)
            local s = (1 - c * c) ^ 0.5
            -- columns are made a little shorter, so that rounding exchanges none
            local a = matrices.of(dev, n, wide, function(i, j)
                local value = i == j and 1 or i < j and -c or 0
                return value * s ^ (i - 1) * (1 - 100 * eps) ^ (j - 1)
            end)
            local r, p = a:qr { pivot = true, mode = "r" }
            helper.check_array(p, "i64", { n }, dev:arange(n):totable(), 0)
            assert.is_true((r:abs() - a:abs()):abs():max() <= 10 * n * eps)
            local values = a:svdvals()
            local least = values:get(n)
            assert.is_true(least < a:get(n, n) / 1000, "the last pivot is far from the least singular value")
            local inverse = a:solve(dev:eye(n, { dtype = wide }), { assume = "upper" })
            assert.is_true(math.abs(least * inverse:norm { ord = 2 } - 1) <= 10 * n * eps * values:get(1) / least)
        end)

        it("is the stiffness of a small structure, NIST's BCSSTK01, on " .. title, function()
            local n = 48
            local a, count = matrices.listed(dev, n, wide, "bcsstk01", true)
            assert.equal(400, count)
            local w, v = a:eigh()
            -- SuiteSparse's figures
            local most, least = 3.015179e9, 3.417268e3
            assert.is_true(math.abs(w:get(n) / most - 1) < 1e-6)
            assert.is_true(math.abs(w:get(1) - least) < 1e-2 + 10 * n * eps * most)
            assert.is_true((a:matmul(v) - v * w):norm() <= 10 * n * eps * a:norm())
            if wide == "f64" then
                assert.is_true(math.abs(a:cond() / 8.823365e5 - 1) < 1e-6)
            end
            local x = dev:arange(1, n, { dtype = wide })
            local b = a:matmul(x)
            for _, assume in ipairs { "general", "positive" } do
                local got = a:solve(b, { assume = assume })
                assert.is_true((a:matmul(got) - b):norm() <= 10 * n * eps * a:norm() * got:norm())
                assert.is_true((got - x):norm() <= 10 * n * eps * 8.9e5 * x:norm())
            end
            assert.is_true(a:cholesky():isfinite():all())
        end)

        it("is a chemical process, NIST's WEST0067, on " .. title, function()
            local n = 67
            local a, count = matrices.listed(dev, n, wide, "west0067")
            assert.same({ 294, 294 }, { count, a:ne(0):sum() })
            -- Figures of mpmath, of 50 digits, of what the file lists.
            local most, least, cond = 4.0607113089045140, 0.031184099405386879, 130.21736674566426
            local unit = n * eps * most -- LAPACK's; a figure's bound is 10 of them times its condition
            local values = a:svdvals()
            assert.is_true(math.abs(values:get(1) - most) <= 10 * unit)
            assert.is_true(math.abs(values:get(n) - least) <= 10 * unit)
            assert.is_true(math.abs(values:sum() - 86.565783737520793) <= 10 * unit * n ^ 0.5)
            assert.is_true(math.abs(a:cond() / cond - 1) <= 20 * unit / least)
            assert.is_true(math.abs(a:cond { ord = 1 } / 429.13568583371736 - 1) <= 20 * n * eps * 430)
            assert.is_true(math.abs(a:norm { ord = 2 } - most) <= 10 * unit)
            assert.equal(n, a:rank())
            assert.equal(n - 1, a:rank { tol = 0.04 }) -- the last but one is 0.0512
            assert.is_true(math.abs(a:det() / -4.0745319647580019e-05 - 1) <= 10 * n * eps * 430)
            local sign, log = a:slogdet()
            assert.is_true(sign == -1 and math.abs(log + 10.108169580147884) <= 10 * n * eps * 430)
            local f = a:lu()
            assert.is_true((f.l:matmul(f.u) - a:take(f.p, 1)):norm() <= 10 * n * eps * a:norm())
            local x = dev:arange(1, n, { dtype = wide })
            for _, transpose in ipairs { false, true } do
                local of = transpose and a:t() or a
                local b = of:matmul(x)
                for i, got in ipairs { a:solve(b, { transpose = transpose }), f:solve(b, { transpose = transpose }) } do
                    assert.is_true((of:matmul(got) - b):norm() <= 10 * n * eps * a:norm() * got:norm(), i)
                    assert.is_true((got - x):norm() <= 10 * n * eps * cond * x:norm(), i)
                end
            end
            local w, v = a:eig()
            assert.is_true((a:matmul(v) - v * w):norm() <= 10 * n * eps * a:norm())
            -- of each of these the condition is below 5
            for at, known in pairs {
                [1] = lun.complex(-1.2448012692211088, 0.71044187419131745),
                [9] = lun.complex(-1.0181113256020917, 0),
                [42] = lun.complex(0.32752978910985064, 0),
                [66] = lun.complex(1.1623612795715747, -0.40391735029382036),
                [67] = lun.complex(1.1639774772305821, 0),
            } do
                assert.is_true((w:get(at) - known):abs() <= 50 * unit, tostring(w:get(at)))
            end
            assert.is_true(math.abs(w:abs():min() - 0.16920919879050) <= 50 * unit)
        end)
    end)
end)
