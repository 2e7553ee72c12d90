-- Singular values: svd and svdvals, of small matrices by Jacobi's rotations, of others by QR and polar form.

local helper = require "spec.helper"
local matrices = require "spec.linalg.eigen_matrices"

local it = helper.one_in(2, it)

local assert_small = matrices.assert_small

-- What svd and svdvals have to give of a batch of matrices; the thin vectors.
local function check(a, variant, what)
    local axes, dtype = a:ndim(), a:dtype()
    local m, n = select(axes - 1, a:shape())
    local most, least, norm = math.max(m, n), math.min(m, n), matrices.norm(a)
    for _, full in ipairs { false, true } do
        local u, s, v = a:svd { variant = variant, full = full }
        local name = what .. (full and ", full" or "")
        assert.same({ m, full and m or least }, { select(axes - 1, u:shape()) })
        assert.same({ n, full and n or least }, { select(axes - 1, v:shape()) })
        local left = u:moveaxis(axes, 1):slice { 1, least }:moveaxis(1, axes)
        local right = v:moveaxis(axes, 1):slice { 1, least }:moveaxis(1, axes)
        local away = matrices.norm((left * s:expand(-2)):matmul(right:mt()) - a)
        assert_small(matrices.units(away, norm, most, dtype), name .. ", residual")
        assert_small(matrices.orthogonality(u), name .. ", u")
        assert_small(matrices.orthogonality(v), name .. ", v")
        assert.is_true(s:min() >= 0)
        if least > 1 then
            local along = s:moveaxis(-1, 1)
            assert.is_true((along:slice { 1, least - 1 } - along:slice { 2, least }):min() >= 0, "descending")
        end
        if axes == 2 then
            matrices.assert_signs(right)
        end
        local alone = a:svdvals { variant = variant }
        assert_small(matrices.units(matrices.norm(alone - s), norm, most, dtype), name .. ", svdvals")
    end
    return a:svd { variant = variant }
end

describe("svd", function()
    matrices.each_variant("svd", function(dev, variant, dtype, title)
        it("has small residuals and orthogonal vectors at all sizes " .. title, function()
            for at, size in ipairs { { 1, 1 }, { 2, 2 }, { 3, 1 }, { 1, 3 }, { 5, 3 }, { 3, 5 }, { 10, 10 }, { 31, 31 },
                { 32, 32 }, { 32, 7 }, { 33, 3 }, { 3, 33 }, { 33, 33 }, { 40, 32 }, { 50, 35 }, { 35, 50 },
                { 64, 64 } } do
                local m, n = size[1], size[2]
                check(dev:normal({ m, n }, { dtype = dtype, seed = at }), variant, m .. "x" .. n)
                check(dev:normal({ 3, m, n }, { dtype = dtype, seed = at }), variant, ("3 of %dx%d"):format(m, n))
            end
        end)

        it("takes matrices of all kinds of spectra " .. title, function()
            for _, n in ipairs { 3, 10, 34 } do
                local p, q = matrices.orthogonal(dev, n, dtype, 3), matrices.orthogonal(dev, n, dtype, 7)
                for kind, values in pairs(matrices.spectra(n)) do
                    local d = dev:array(values, dtype)
                    local what = kind .. " of " .. n
                    local _, s = check((p * d):matmul(q), variant, what)
                    local error = matrices.norm(s - d:abs():sort { descending = true }) / (1 + matrices.norm(d))
                    assert_small(error / (n * matrices.EPS[dtype]), what .. ", values")
                    check(d:diag(), variant, "diagonal, " .. what)
                end
            end
        end)

        it("takes matrices that are near others of less rank " .. title, function()
            for _, n in ipairs { 12, 40 } do
                check(matrices.of(dev, n, dtype, function(i, j) return 1 / (i + j - 1) end), variant, "Hilbert")
                check(matrices.of(dev, n, dtype, function(i, j) return i == 1 and 1 or 1 / (i + j - 1) end), variant,
                    "Lotkin")
                check(matrices.of(dev, n, dtype, function() return 1 end), variant, "ones")
                check(matrices.of(dev, n, dtype, function(i, j) return math.exp(-i - j) end), variant, "rank 1, graded")
                check(matrices.of(dev, n, dtype, function(i, j)
                    return 0.9 ^ (i - 1) * (i == j and 1 or i < j and -0.4 or 0)
                end), variant, "Kahan")
                check(matrices.of(dev, n, dtype, function(i) return i % 2 end), variant, "zero rows")
                check(matrices.of(dev, n, dtype, function(_, j) return j % 3 == 0 and j or 0 end), variant,
                    "zero columns")
            end
        end)

        it("takes numbers near the ends of the range " .. title, function()
            for _, n in ipairs { 2, 5, 34 } do
                local a = dev:normal({ n, n }, { dtype = dtype, seed = n })
                a = a * (1 / a:absmax())
                local s = a:svdvals { variant = variant }
                for _, scale in ipairs(dtype == "f64" and { 2.0 ^ 1018, 2.0 ^ -1000 } or { 2.0 ^ 122, 2.0 ^ -110 }) do
                    local _, scaled = (a * scale):svd { variant = variant }
                    assert_small(matrices.units(matrices.norm(scaled * (1 / scale) - s), matrices.norm(a), n, dtype),
                        "scaled")
                end
            end
        end)

        it("says where a matrix is not finite " .. title, function()
            for _, size in ipairs { { 5, 4 }, { 4, 5 }, { 40, 4 }, { 4, 40 }, { 36, 36 } } do
                local a = dev:ones({ 2, size[1], size[2] }, dtype)
                a:set(-1 / 0, 2, 3, 2)
                for _, name in ipairs { "svd", "svdvals" } do
                    local u = a[name](a, { variant = variant })
                    helper.refused("totable: " .. name .. ": matrix 2 of 2: not finite at (3, 2)", u)
                end
            end
        end)
    end)

    helper.each_variant("svd", function(dev, variant, title)
        -- One column is so much smaller than the other two that a rotation's angle is below eps, and yet counts.
        it("gives orthogonal vectors of graded matrices " .. title, function()
            local function some(low, high, seed)
                return dev:randint({ 4000, 3, 3 }, { low = low, high = high, seed = seed, dtype = "i32" }):cast "f32"
            end
            local function graded(seed)
                return some(1, 9, seed):tril():triu() + (some(-9, 9, seed + 1) * some(5, 6, seed + 2):exp10()):triu(1)
            end
            local many = graded(1)
            many:slice(1):write { { 9, 5e5, -7e5 }, { 0, 9, -9e5 }, { 0, 0, 6 } }
            for dtype, a in pairs { f32 = many, c64 = many:complex(graded(4)) } do
                local u, _, v = a:svd { variant = variant }
                for name, x in pairs { u = u, v = v } do
                    local away = (x:mt():conj():matmul(x) - dev:eye(3, { dtype = dtype })):abs():max()
                    assert.is_true(away <= 5 * 3 * matrices.EPS.f32, ("%s of %s: %g"):format(name, dtype, away))
                end
            end
        end)
    end)

    helper.each_device(function(dev, title)
        local wide = matrices.dtypes(dev)[1]

        it("knows known values on " .. title, function()
            local _, s = dev:array({ { 3, 0 }, { 4, 5 } }, wide):svd()
            helper.check_array(s, wide, { 2 }, { math.sqrt(45), math.sqrt(5) }, 1e-6)
            for _, n in ipairs { 6, 40 } do
                local minij, expected = matrices.of(dev, n, wide, math.min), {}
                for k = 1, n do
                    expected[k] = 0.25 / math.sin((k - 0.5) * math.pi / (2 * n + 1)) ^ 2
                end
                helper.check_array(minij:svdvals(), wide, { n }, expected, 10 * n * matrices.EPS[wide] * expected[1])
            end
        end)

        it("takes sizes of 0 and integers on " .. title, function()
            for _, n in ipairs { 3, 40 } do
                local u, s, v = dev:zeros({ n, 0 }, wide):svd { full = true }
                helper.check_array(u, wide, { n, n }, helper.flat(dev:eye(n, { dtype = wide })))
                assert.same({ 0, 0, 0 }, { s:size(), v:shape() })
                u, s, v = dev:zeros({ 0, n }, wide):svd()
                assert.same({ 0, 0, 0, n, 0 }, { s:size(), (u:shape()), select(2, u:shape()), v:shape() })
                assert.equal(0, dev:zeros({ 2, 0, n }, wide):svdvals():size())
            end
            helper.check_array(dev:array({ { 0, 2 }, { 1, 0 } }, "i8"):svdvals(), wide, { 2 }, { 2.0, 1.0 }, 1e-6)
            helper.refused("svd: out has 2 arrays, expected 3 (the results)",
                dev:zeros { 3, 3 }, { out = { dev:zeros { 3, 3 }, dev:zeros { 3 } } })
        end)
    end)
end)
