-- Eigenvalues of symmetric matrices: eigh and eigvalsh, of small matrices by Jacobi's rotations, of others by
-- tridiagonal ones.

local helper = require "spec.helper"
local matrices = require "spec.linalg.eigen_matrices"

local it = helper.one_in(2, it)

local assert_small = matrices.assert_small
local SIZES = { 1, 2, 3, 5, 10, 31, 32, 33, 50, 100 }

local function symmetric(dev, shape, dtype, seed)
    local a = dev:normal(shape, { dtype = dtype, seed = seed })
    return a + a:mt()
end

-- What eigh and eigvalsh have to give of a batch of matrices.
local function check(a, variant, what)
    local n, dtype = select(a:ndim(), a:shape()), a:dtype()
    local w, v = a:eigh { variant = variant }
    local norm = matrices.norm(a)
    assert.same({ a:shape() }, { v:shape() })
    assert_small(matrices.units(matrices.norm(a:matmul(v) - v * w:expand(-2)), norm, n, dtype), what .. ", residual")
    assert_small(matrices.orthogonality(v), what .. ", orthogonality")
    if n > 1 then
        local along = w:moveaxis(-1, 1)
        assert.is_true((along:slice { 2, n } - along:slice { 1, n - 1 }):min() >= 0, "ascending")
    end
    local alone = a:eigvalsh { variant = variant }
    assert_small(matrices.units(matrices.norm(alone - w), norm, n, dtype), what .. ", eigvalsh")
    return w, v
end

describe("eigh", function()
    matrices.each_variant("eigh", function(dev, variant, dtype, title)
        it("has small residuals and orthogonal vectors at all sizes, alone and in batches " .. title, function()
            for at, n in ipairs(SIZES) do
                local a = symmetric(dev, { n, n }, dtype, at)
                local _, v = check(a, variant, ("%d"):format(n))
                matrices.assert_signs(v)
                check(symmetric(dev, { 3, n, n }, dtype, at), variant, ("3 of %d"):format(n))
            end
            check(symmetric(dev, { 2, 3, 35, 35 }, dtype, 9), variant, "batch axes")
        end)

        it("takes matrices of all kinds of spectra " .. title, function()
            for _, n in ipairs { 3, 10, 33, 50 } do
                local q = matrices.orthogonal(dev, n, dtype, 7)
                for kind, values in pairs(matrices.spectra(n)) do
                    local d = dev:array(values, dtype)
                    local a = (q * d):matmul(q:t())
                    a = (a + a:t()) * 0.5
                    local w = check(a, variant, kind .. " of " .. n)
                    local error = matrices.norm(w - d:sort()) / (1 + matrices.norm(d))
                    assert_small(error / (n * matrices.EPS[dtype]), kind .. " of " .. n .. ", values")
                    check(dev:array(values, dtype):diag(), variant, "diagonal, " .. kind .. " of " .. n)
                end
            end
        end)

        it("takes numbers near the ends of the range " .. title, function()
            for _, n in ipairs { 2, 5, 33 } do
                local a = symmetric(dev, { n, n }, dtype, n)
                a = a * (1 / a:absmax())
                local w = a:eigvalsh { variant = variant }
                for _, scale in ipairs(dtype == "f64" and { 2.0 ^ 1020, 2.0 ^ -1018 } or { 2.0 ^ 124, 2.0 ^ -110 }) do
                    local scaled, v = (a * scale):eigh { variant = variant }
                    scaled = scaled * (1 / scale)
                    assert_small(matrices.units(matrices.norm(scaled - w), matrices.norm(a), n, dtype), "scaled")
                    local rest = matrices.norm(a:matmul(v) - v * scaled:expand(-2))
                    assert_small(matrices.units(rest, matrices.norm(a), n, dtype), "scaled, vectors")
                end
            end
        end)

        it("reads one triangle, the lower one or the upper " .. title, function()
            for _, n in ipairs { 5, 40 } do
                local a = symmetric(dev, { n, n }, dtype, 3)
                local w, v = a:eigh { variant = variant }
                for _, lower in ipairs { true, false } do
                    local other = dev:full({ n, n }, 0 / 0, dtype)
                    local ones = dev:ones({ n, n }, dtype)
                    local half = (lower and ones:tril() or ones:triu()):gt(0):where(a, other)
                    local w_half, v_half = half:eigh { lower = lower, variant = variant }
                    assert.equal(w:tobytes(), w_half:tobytes())
                    assert.equal(v:tobytes(), v_half:tobytes())
                    assert.equal(a:eigvalsh { variant = variant }:tobytes(),
                        half:eigvalsh { lower = lower, variant = variant }:tobytes())
                end
            end
        end)

        it("gives the same bits beside any neighbours, some of which take a sweep less " .. title, function()
            local many = symmetric(dev, { 600, 3, 3 }, dtype, 6)
            local w, v = many:eigh { variant = variant }
            local w_rolled, v_rolled = many:roll(1, 1):eigh { variant = variant }
            assert.is_true(w:roll(1, 1):eq(w_rolled):all() and v:roll(1, 1):eq(v_rolled):all())
        end)

        it("says where a matrix is not finite, when the result is waited for " .. title, function()
            for _, n in ipairs { 4, 40 } do
                local a = symmetric(dev, { 3, n, n }, dtype, 2)
                a:set(0 / 0, 2, 3, 1)
                a:set(1 / 0, 2, 4, 2)
                for _, name in ipairs { "eigh", "eigvalsh" } do
                    local w = a[name](a, { variant = variant })
                    helper.refused("totable: " .. name .. ": matrix 2 of 3: not finite at (3, 1)", w)
                    w = a:row(2)[name](a:row(2), { variant = variant })
                    helper.refused("totable: " .. name .. ": not finite at (3, 1)", w)
                end
                local b = a:row(2):t()
                local w = b:eigh { lower = false, variant = variant }
                helper.refused("totable: eigh: not finite at (1, 3)", w)
                assert.is_true(b:eigvalsh { variant = variant }:isfinite():all(), "that triangle is not read")
            end
        end)
    end)

    helper.each_device(function(dev, title)
        local wide = matrices.dtypes(dev)[1]
        local eps = matrices.EPS[wide]

        local function check_values(a, expected)
            local n = #expected
            table.sort(expected)
            for i = 1, n do
                expected[i] = expected[i] + 0.0
            end
            local scale = math.max(math.abs(expected[1]), math.abs(expected[n]), 1)
            for _, w in ipairs { (a:eigh()), a:eigvalsh() } do
                helper.check_array(w, wide, { n }, expected, 10 * n * eps * scale)
            end
            check(a, nil, "known values")
        end

        it("knows known values on " .. title, function()
            for _, n in ipairs { 5, 20, 60 } do
                local poisson, clement, minij, two, beside, zeros = {}, {}, {}, {}, {}, {}
                for k = 1, n do
                    poisson[k] = 2 - 2 * math.cos(k * math.pi / (n + 1))
                    clement[k] = n - 1 - 2.0 * (k - 1)
                    minij[k] = 0.25 / math.sin((k - 0.5) * math.pi / (2 * n + 1)) ^ 2
                    two[k], zeros[k], beside[k] = 2, 0, -1
                end
                check_values(matrices.tridiagonal(dev, two, beside, wide), poisson)
                for k = 1, n do
                    beside[k] = math.sqrt(k * (n - k))
                end
                check_values(matrices.tridiagonal(dev, zeros, beside, wide), clement)
                check_values(matrices.of(dev, n, wide, math.min), minij)
            end
            local rosser = { { 611, 196, -192, 407, -8, -52, -49, 29 }, { 196, 899, 113, -192, -71, -43, -8, -44 },
                { -192, 113, 899, 196, 61, 49, 8, 52 }, { 407, -192, 196, 611, 8, 44, 59, -23 },
                { -8, -71, 61, 8, 411, -599, 208, 208 }, { -52, -43, 49, 44, -599, 411, 208, 208 },
                { -49, -8, 8, 59, 208, 208, 99, -911 }, { 29, -44, 52, -23, 208, 208, -911, 99 } }
            local far, root = 10 * math.sqrt(10405), math.sqrt(26)
            check_values(dev:array(rosser, wide),
                { -far, 0, 510 - 100 * root, 1000, 1000, 510 + 100 * root, 1020, far })
        end)

        it("finds the pairs of Wilkinson's matrix, and of glued ones, on " .. title, function()
            local diagonal, beside = {}, {}
            for k = 1, 21 do
                diagonal[k], beside[k] = math.abs(11.0 - k), 1
            end
            local a = matrices.tridiagonal(dev, diagonal, beside, wide)
            local w = check(a, nil, "Wilkinson"):totable()
            assert.is_true(math.abs(w[21] - 10.7461941829034) < 1e3 * eps)
            assert.is_true(w[21] - w[20] < 1e3 * eps)
            assert.is_true(math.abs(w[1] + 1.125441522119984) < 1e3 * eps)
            local glued_diagonal, glued_beside = {}, {}
            for block = 0, 3 do
                for k = 1, 21 do
                    glued_diagonal[21 * block + k] = diagonal[k]
                    glued_beside[21 * block + k] = k == 21 and math.sqrt(eps) or 1
                end
            end
            check(matrices.tridiagonal(dev, glued_diagonal, glued_beside, wide), nil, "glued Wilkinson")
        end)

        it("agrees on the signs of vectors with itself however it finds them on " .. title, function()
            local v = select(2, dev:array({ { 2, 1 }, { 1, 2 } }, wide):eigh())
            local half = math.sqrt(0.5)
            helper.check_array(v, wide, { 2, 2 }, { half, half, -half, half }, 4 * eps)
            for _, variant in ipairs(dev:variants "eigh") do
                local poisson = matrices.of(dev, 40, wide, function(i, j)
                    return i == j and 2 or math.abs(i - j) == 1 and -1 or 0
                end)
                matrices.assert_signs(select(2, poisson:eigh { variant = variant }))
            end
        end)

        it("lets the first of nearly equal numbers have the sign on " .. title, function()
            for _, n in ipairs { 2, 40 } do
                local turn = dev:eye(n, { dtype = wide })
                local c, s = math.cos(math.pi / 4 + 1e-4), math.sin(math.pi / 4 + 1e-4) -- s is larger by 2e-4 of it
                turn:slice({ 1, 2 }, { 1, 2 }):write(dev:array({ { c, -s }, { s, c } }, wide))
                local a = (turn * dev:arange(1, n, { dtype = wide })):matmul(turn:t())
                for _, variant in ipairs(dev:variants "eigh") do
                    for _, signed in ipairs { a, a * (1 - 2 * dev:eye(n, { dtype = wide }):row(1):outer(dev:ones({ n },
                        wide))) * (1 - 2 * dev:ones({ n }, wide):outer(dev:eye(n, { dtype = wide }):row(1))) } do
                        local v = select(2, signed:eigh { variant = variant }):slice({ 1, 2 }, { 1, 2 })
                        assert.is_true(v:get(1, 1) > 0 and v:get(1, 2) > 0)
                        assert.is_true(math.abs(v:get(1, 1) - c) < 1e4 * eps and math.abs(v:get(1, 2) - s) < 1e4 * eps)
                    end
                end
            end
        end)

        it("takes large batches of small matrices on " .. title, function()
            for _, n in ipairs { 2, 4 } do
                local a = symmetric(dev, { 1500, n, n }, "f32", 1)
                for _, variant in ipairs(dev:variants "eigh") do
                    check(a, variant, "1500 of " .. n)
                end
            end
        end)

        it("takes integers on " .. title, function()
            for _, dtype in ipairs { "bool", "u8", "i32", "i64" } do
                local a = dev:array({ { 1, 1 }, { 1, 1 } }, dtype)
                helper.check_array(a:eigvalsh(), wide, { 2 }, { 0.0, 2.0 }, 4 * eps)
                assert.equal(wide, select(2, a:eigh()):dtype())
            end
            for _, n in ipairs { 3, 40 } do
                helper.check_array(dev:eye(n, { dtype = "i32" }):eigvalsh(), wide, { n },
                    dev:ones({ n }, wide):totable(), 0)
            end
            helper.refused("eigh: out is one array; a list is needed for 2 results",
                dev:zeros { 3, 3 }, { out = dev:zeros { 3 } })
        end)
    end)
end)
