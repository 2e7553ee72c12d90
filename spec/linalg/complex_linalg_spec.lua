-- Linear algebra of complex matrices. Errors are residuals in units of n eps norm, as in linalg_spec.lua, and are
-- found in c128.

local lun = require "lunarray"
local complex_matrices = require "spec.linalg.complex_matrices"
local helper = require "spec.helper"

local it = helper.one_in(2, it)

local EPS, PART = complex_matrices.EPS, complex_matrices.PART
local wide, adjoint, norm = complex_matrices.wide, complex_matrices.adjoint, complex_matrices.norm
local assert_small, normal = complex_matrices.assert_small, complex_matrices.normal

describe("linear algebra of complex matrices", function()
    helper.each_device(function(dev, title)
        if not dev:info().fp64 then
            it("is checked in c128, which wants f64, on " .. title, function() end)
            return
        end

        for _, case in ipairs(helper.some {
            { "c64", { 1, 2, 5, 8, 9, 17, 33, 65 } },
            { "c128", { 3, 16, 33, 64 } },
        }) do
            local dtype, sizes = case[1], case[2]
            for _, variant in ipairs(dev:variants "solve") do
                local given = { variant = variant }

                it(("of %s solves and factorises, %s, on %s"):format(dtype, variant, title), function()
                    for seed, n in ipairs(sizes) do
                        local a, b = normal(dev, { 2, n, n }, dtype, seed), normal(dev, { n, 3 }, dtype, 50 + seed)
                        local what = (" of %d, %s"):format(n, dtype)
                        local unit = n * EPS[dtype]
                        local identity = dev:eye(n, { dtype = "c128" })
                        local m = wide(a)
                        local function check(matrix, x, name)
                            local left = matrix:matmul(wide(x)) - wide(b)
                            assert_small(norm(left) / (norm(matrix) * norm(x) * unit), name .. what)
                        end
                        local h = (m:matmul(adjoint(m)) + identity):cast(dtype)
                        local turned = { [false] = function(x) return x end,
                            [true] = function(x) return x:mt() end, conjugate = adjoint }
                        local f = a:lu(given)
                        local product = wide(f.l):matmul(wide(f.u))
                        for i = 1, 2 do
                            local left = product:row(i) - m:row(i):take(f.p:row(i), 1)
                            assert_small(norm(left) / (norm(m) * unit), "lu" .. what)
                        end
                        for transpose, turn in pairs(turned) do
                            local options = { variant = variant, transpose = transpose }
                            check(turn(m), a:solve(b, options), "solve")
                            check(turn(m), f:solve(b, options), "lu's solve")
                            options.assume = "positive"
                            check(turn(wide(h)), h:solve(b, options), "positive")
                            local t = (m / n + identity * 2):cast(dtype)
                            for assume, shaped in pairs {
                                upper = wide(t):triu(),
                                lower = wide(t):tril(),
                                unit_lower = wide(t):tril(-1) + identity,
                            } do
                                options.assume = assume
                                check(turn(shaped), t:solve(b, options), assume)
                            end
                        end
                        local inverse = wide(a:inv(given))
                        local left = norm(m:matmul(inverse) - identity)
                        assert_small(left / (norm(m) * norm(inverse) * unit), "inv" .. what)
                        local l = h:cholesky(given)
                        local u = h:cholesky { variant = variant, upper = true }
                        assert_small(norm(wide(l):matmul(adjoint(wide(l))) - wide(h)) / (norm(h) * unit), "l" .. what)
                        assert_small(norm(adjoint(wide(u)):matmul(wide(u)) - wide(h)) / (norm(h) * unit), "u" .. what)
                        local alone, first = wide(h:row(1):cholesky(given)), wide(h):row(1)
                        assert_small(norm(alone:matmul(adjoint(alone)) - first) / (norm(first) * unit), "alone" .. what)
                        assert.equal(0, l:diagonal():imag():absmax() + l:triu(1):abs():max() + u:tril(-1):abs():max())
                        check(wide(h), lun.cholesky_solve(l, b, given), "cholesky_solve")
                    end
                end)
            end

            it(("of %s has determinants, on %s"):format(dtype, title), function()
                local size <const> = 6
                local a = normal(dev, { 3, size, size }, dtype, 7)
                local product = dev:ones({ 3 }, "c128")
                local factors = a:lu()
                for i = 1, size do
                    product = product * wide(factors.u):slice(nil, i, i)
                end
                local sign, log = a:slogdet()
                assert.same({ dtype, PART[dtype] }, { sign:dtype(), log:dtype() })
                local det = a:det()
                local near = 100 * EPS[dtype]
                assert.is_true(((sign * log:exp() - det):abs() / det:abs()):max() < near)
                assert.is_true((det:abs() / product:abs() - 1):absmax() < near)
                local own_sign, own_log = factors:slogdet()
                assert.is_true((own_sign - sign):abs():max() < near and (own_log - log):absmax() < near)
                assert.is_true(((factors:det() - det):abs() / det:abs()):max() < near)
                local i = lun.complex(0, 1)
                local turn = dev:zeros({ 3, 3 }, dtype) -- its permutation is even
                turn:set(i, 1, 2)
                turn:set(2, 2, 3)
                turn:set(i, 3, 1)
                assert.is_true(turn:det() == lun.complex(-2))
                local huge = turn * 1e25
                local s, l = huge:slogdet() -- of -2e75, which c64 does not hold
                assert.is_true((s + 1):abs() < near and math.abs(l - math.log(2) - 75 * math.log(10)) < 1e-4)
                if dtype == "c64" then
                    assert.equal(-math.huge, huge:det().re)
                end
                local none, nothing = dev:zeros({ 2, 2 }, dtype):slogdet()
                assert.is_true(none == lun.complex(0) and nothing == -math.huge)
                assert.is_true(dev:zeros({ 0, 0 }, dtype):det() == lun.complex(1))
            end)

            it(("of %s has an estimated condition, on %s"):format(dtype, title), function()
                local a = normal(dev, { 2, 20, 20 }, dtype, 9)
                local function one_norm(x) return x:abs():sum { axis = -2 }:max { axis = -1 } end
                local exact = one_norm(a) * one_norm(a:inv())
                local ratio = a:rcond() * exact
                assert.is_true(ratio:min() > 1 - 1e-3 and ratio:max() < 3.1)
                assert.equal(PART[dtype], a:rcond():dtype())
                -- An inverse whose rows have directions 1 and i: not conjugated, they would cancel each other.
                local rows = {}
                for i = 1, 20 do
                    rows[i] = {}
                    for j = 1, 20 do
                        local size = (j == 20 and 10 or 0.1) + (i == j and 2 - j / 20 or 0)
                        rows[i][j] = i % 2 == 1 and lun.complex(size) or lun.complex(0, size)
                    end
                end
                local inverse = dev:array(rows, dtype)
                local ratio_of_one = inverse:inv():rcond() * one_norm(inverse) * one_norm(inverse:inv())
                assert.is_true(ratio_of_one > 1 - 1e-3 and ratio_of_one < 3.1)
                assert.equal(math.huge, dev:zeros({ 0, 0 }, dtype):rcond())
                assert.equal(0, dev:zeros({ 4, 4 }, dtype):rcond())
            end)
        end

        for _, variant in ipairs(dev:variants "qr") do
            for dtype, sizes in pairs {
                c64 = { { 1, 1 }, { 5, 5 }, { 17, 9 }, { 9, 17 }, { 70, 33 }, { 33, 70 }, { 135, 130 } },
                c128 = { { 3, 2 }, { 2, 3 }, { 40, 40 }, { 260, 3 }, { 129, 131 } },
            } do
                it(("of %s in reflections, %s, on %s"):format(dtype, variant, title), function()
                    for seed, size in ipairs(sizes) do
                        local rows, columns = table.unpack(size)
                        local a = normal(dev, { 2, rows, columns }, dtype, seed)
                        local m, unit = wide(a), math.max(rows, columns) * EPS[dtype]
                        local what = (" of %dx%d, %s"):format(rows, columns, dtype)
                        for _, options in ipairs { {}, { mode = "full" }, { pivot = true } } do
                            options.variant = variant
                            local q, r, order = a:qr(options)
                            local product = wide(q):matmul(wide(r))
                            for i = 1, 2 do
                                local taken = order and m:row(i):take(order:row(i), 2) or m:row(i)
                                assert_small(norm(product:row(i) - taken) / (norm(m) * unit), "q r" .. what)
                            end
                            local inner = q:shape(3)
                            local one = dev:eye(inner, { dtype = "c128" })
                            assert_small(norm(adjoint(wide(q)):matmul(wide(q)) - one) / unit / math.sqrt(2 * inner),
                                "q^H q" .. what)
                            assert.equal(0, norm(r:tril(-1)), what)
                            local diagonal = r:diagonal()
                            assert.equal(0, diagonal:imag():absmax(), what)
                            assert.is_true(diagonal:real():min() >= 0, what)
                            if order then
                                local sizes_of = diagonal:real():row(1)
                                assert.is_true(sizes_of:eq(sizes_of:sort { descending = true }):all(), what)
                            end
                        end
                        local r = select(2, a:qr { variant = variant })
                        local alone = a:qr { variant = variant, mode = "r" }
                        assert_small(norm(wide(alone) - wide(r)) / (norm(r) * unit), "r alone" .. what)
                    end
                end)

                it(("of %s with least squares, %s, on %s"):format(dtype, variant, title), function()
                    for seed, size in ipairs(sizes) do
                        local rows, columns = table.unpack(size)
                        for short = 0, math.min(rows, columns) > 4 and 2 or 0, 2 do -- of how much the rank falls short
                            local rank = math.min(rows, columns) - short
                            local left = wide(normal(dev, { rows, rank }, dtype, seed))
                            local right = wide(normal(dev, { columns, rank }, dtype, 30 + seed))
                            local a = left:matmul(adjoint(right)):cast(dtype)
                            local b = normal(dev, { rows, 2 }, dtype, 60 + seed)
                            local least = 100 * EPS[dtype] * math.max(rows, columns)
                            local x, report = a:lstsq(b, { variant = variant, rcond = least })
                            local m, y = wide(a), wide(x)
                            local what = (" of %dx%d, %s, rank %d"):format(rows, columns, dtype, rank)
                            local unit = math.max(rows, columns) * EPS[dtype] * (norm(m) * norm(y) + norm(b)) * norm(m)
                            assert.equal(rank, report.rank, what)
                            local rest = m:matmul(y) - wide(b)
                            assert_small(norm(adjoint(m):matmul(rest)) / unit, "what is left" .. what)
                            local squares = rest:abs():square():sum { axis = 1 }
                            local off = (report.residuals:cast "f64" - squares):abs():max()
                            assert.is_true(off <= 1e3 * EPS[dtype] * (norm(b) ^ 2 + (norm(m) * norm(y)) ^ 2), what)
                            -- the shortest: nothing of it is outside what a's rows span
                            local inside = right:matmul(adjoint(right):matmul(right):solve(adjoint(right):matmul(y)))
                            local cond = norm(m) * norm(adjoint(right):matmul(right):inv()) * norm(right)
                            assert.is_true(norm(y - inside) <= 100 * EPS[dtype] * rows * columns * cond * norm(y), what)
                        end
                    end
                end)
            end
        end

        it("fits, of views and real sides, as the dtypes say, on " .. title, function()
            local a, b = normal(dev, { 6, 3 }, "c64", 1), dev:normal({ 6 }, { seed = 2 })
            local x, report = a:lstsq(b)
            assert.equal("c64", x:dtype())
            assert.equal(6 * 2.0 ^ -23, report.rcond)
            assert.equal(3, report.rank)
            local room = dev:zeros({ 12, 9 }, "c64")
            local view = room:slice({ 11, 1, -2 }, { 2, 8, 3 })
            view:write(a)
            assert.equal(x:tobytes(), (view:lstsq(b)):tobytes())
            local z, wider = a:real():cast("f64"):lstsq(b:complex(b))
            assert.equal("c128", z:dtype())
            assert.equal(6 * 2.0 ^ -52, wider.rcond)
            helper.raises("get: lstsq: not finite at (2, 1)", function()
                a:set(lun.complex(0, 0 / 0), 2, 1)
                a:lstsq(b):get(1)
            end)
        end)

        it("meets real sides, takes views and gives what is wrong, on " .. title, function()
            local a, b = normal(dev, { 9, 9 }, "c64", 1), dev:normal({ 9, 2 }, { seed = 2 })
            local real = dev:normal({ 9, 9 }, { seed = 3 })
            local both = b:complex(b)
            for _, pair in ipairs { { a, b }, { real, both }, { a, b:cast "f64" }, { real:cast "f64", both } } do
                local x = pair[1]:solve(pair[2])
                assert.equal((pair[1]:col(1) * pair[2]:col(1)):dtype(), x:dtype())
                local left = wide(pair[1]):matmul(wide(x)) - wide(pair[2])
                assert_small(norm(left) / (norm(a) * norm(x) * 9 * EPS.c64), "mixed")
            end
            local room = dev:zeros({ 18, 27 }, "c64")
            local view = room:slice({ 17, 1, -2 }, { 2, 26, 3 })
            view:write(a)
            local out = dev:zeros({ 4, 9 }, "c64")
            local x = view:solve(b, { out = out:slice { 4, 1, -2 }:t() })
            assert.equal(a:solve(b):tobytes(), x:tobytes())
            assert.equal(0, out:row(1):abs():max() + out:row(3):abs():max())
            local event = a:solve(b, { async = true })
            assert.equal(a:solve(b):tobytes(), event:get():tobytes())
            assert.same({ 0, 9 }, { dev:zeros({ 0, 9, 9 }, "c64"):solve(b:col(1)):shape() })

            local singular = dev:ones({ 2, 2 }, "c64") * lun.complex(1, 1)
            helper.refused("get: solve: singular matrix: pivot 2 is 0", singular:solve(dev:ones { 2 }), 1)
            helper.refused("get: solve: singular matrix: pivot 1 is 0",
                dev:zeros({ 2, 2 }, "c64"):solve(dev:ones { 2 }, { assume = "upper" }), 1)
            assert.equal(2, select(2, singular:inv { info = true }):get())
            local indefinite = dev:eye(3, { dtype = "c64" })
            indefinite:set(lun.complex(-1, 5), 2, 2)
            helper.refused("get: cholesky: not positive definite at row 2", indefinite:cholesky(), 1, 1)
            indefinite:set(lun.complex(4, 5), 2, 2) -- the imaginary part does not count
            assert.is_true(indefinite:cholesky():get(2, 2) == lun.complex(2))
        end)
    end)
end)
