-- LAPACK's kinds of matrices through solve, lu, eigh and svd: errors in units of n eps norm, of which these allow 10
-- where LAPACK's own tests allow 30; and matrices whose answers are known.

local helper = require "spec.helper"
local kinds = require "spec.kinds"
local matrices = require "spec.eigen_matrices"

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
end)
