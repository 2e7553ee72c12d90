-- qr: an orthogonal matrix and a triangle. Errors are measured as LAPACK's own tests do, in units of n eps norm, of
-- which these allow 10 where LAPACK's allow 30.

local helper = require "spec.helper"
local matrices = require "spec.linalg.eigen_matrices"

local it = helper.one_in(2, it)

local EPS = matrices.EPS
-- One less and one more than panels and blocks of both kinds of device have, and than one kernel takes whole.
local SIZES = { 1, 2, 3, 4, 5, 15, 16, 17, 33, 65, 130 }
local OTHERS = { 1, 5, 17, 65, 130 }
-- About the rows from which a tree is grown, of parts of 128 or 1024 rows, and of two levels of them.
local TALL = { { 255, 16 }, { 256, 16 }, { 257, 3 }, { 400, 17 }, { 4000, 16 }, { 2047, 5 }, { 2048, 5 }, { 2049, 64 },
    { 3100, 65 }, { 32800, 64 } }

local norm, assert_small = matrices.norm, matrices.assert_small

-- That q has orthogonal columns, r is a triangle without a diagonal below 0, and their product is a.
local function assert_factors(a, q, r, what)
    local axes = a:ndim()
    local rows, columns = select(axes - 1, a:shape())
    local inner = select(axes, q:shape())
    local unit = math.max(rows, columns, 1) * EPS[q:dtype()]
    local scale = norm(a)
    local error = norm(q:matmul(r) - a)
    assert_small(scale == 0 and error or error / scale / unit, what .. ": a - q r")
    local one = a:device():eye(inner, { dtype = q:dtype() })
    assert_small(norm(q:mt():matmul(q) - one) / unit / math.sqrt(math.max(inner, 1)), what .. ": q^T q - 1")
    assert.equal(0, norm(r:tril(-1)), what .. ": below the diagonal")
    if r:size() > 0 then
        assert.is_true(r:diagonal():min() >= 0, what .. ": a number of the diagonal is below 0")
    end
end

-- Each number of r's diagonal is the norm of the column that was taken, which no other column exceeds from that row on.
local function assert_descends(r, what)
    local rows, columns = r:shape()
    local most = r:absmax()
    local t = (r / (most > 0 and most or 1)):totable()
    for i = 1, rows do
        for j = i + 1, columns do
            local sum = 0
            for k = i, math.min(j, rows) do
                sum = sum + t[k][j] ^ 2
            end
            -- Norms that lose parts are found again before half of their digits are lost.
            local room = math.sqrt(EPS[r:dtype()]) * 10
            assert.is_true(sum ^ 0.5 <= t[i][i] * (1 + room) + t[1][1] * EPS[r:dtype()] * (rows + columns),
                ("%s: column %d is larger than row %d says"):format(what, j, i))
        end
    end
end

local function graded(dev, m, n, dtype, ratio)
    local powers = dev:arange(0, n - 1, { dtype = dtype }) * (math.log(ratio) / math.max(n - 1, 1))
    return dev:normal({ m, n }, { dtype = dtype, seed = m + n }) * powers:exp()
end

-- Matrices of kinds that LAPACK's tests have.
local function kinds(dev, m, n, dtype)
    local a = dev:normal({ m, n }, { dtype = dtype, seed = 100 * m + n })
    local most, least = dtype == "f64" and 1e300 or 1e36, dtype == "f64" and 1e-300 or 1e-36
    local thin = dev:normal({ m, 2 }, { dtype = dtype, seed = 1 })
        :matmul(dev:normal({ 2, n }, { dtype = dtype, seed = 2 }))
    local first, last, inner = a:copy(), a:copy(), a:copy()
    first:col(1):fill(0)
    last:col(n):fill(0)
    inner:slice({}, { n // 2 + 1, n }):fill(0)
    return {
        random = a, zero = a:zeros_like(), diagonal = a:triu():tril(), upper = a:triu(), lower = a:tril(),
        ["zero first column"] = first, ["zero last column"] = last, ["zero right half"] = inner,
        ["rank 2"] = thin, ["near 0.1/eps"] = graded(dev, m, n, dtype, 0.1 / EPS[dtype]),
        ["large"] = a * most, ["small"] = a * least, ones = a:ones_like(),
        ["large and small columns"] = graded(dev, m, n, dtype, least),
    }
end

-- The hardest of them, of more columns than one kernel takes.
local function hard(dev, dtype)
    local all = kinds(dev, 140, 130, dtype)
    return { ones = all.ones, ["rank 2"] = all["rank 2"],
        ["large and small columns"] = all["large and small columns"] }
end

describe("qr", function()
    matrices.each_variant("qr", function(dev, variant, dtype, title)
        it("is right at all sizes, alone and in batches, on " .. title, function()
            for _, m in ipairs(SIZES) do
                for _, n in ipairs(OTHERS) do
                    local a = dev:normal({ m, n }, { dtype = dtype, seed = 100 * m + n })
                    local q, r = a:qr { variant = variant }
                    assert_factors(a, q, r, ("%dx%d"):format(m, n))
                end
            end
            for _, shape in ipairs { { 3, 7, 5 }, { 3, 5, 7 }, { 2, 70, 40 }, { 2, 2, 3, 3 } } do
                local a = dev:normal(shape, { dtype = dtype, seed = 9 })
                local full, corner = a:qr { variant = variant, mode = "full" }
                local thin, triangle = a:qr { variant = variant }
                assert_factors(a, full, corner, "full, of a batch")
                assert_factors(a, thin, triangle, "thin, of a batch")
                local alone = a:qr { variant = variant, mode = "r" }
                assert.equal(triangle:tobytes(), alone:tobytes())
            end
        end)

        it("is right for tall matrices on " .. title, function()
            for _, shape in ipairs(TALL) do
                local a = dev:normal(shape, { dtype = dtype, seed = 3 })
                local q, r = a:qr { variant = variant }
                assert_factors(a, q, r, table.concat(shape, "x"))
                assert.equal(r:tobytes(), a:qr({ variant = variant, mode = "r" }):tobytes())
            end
            for _, m in ipairs { 290, 2100 } do
                local a = dev:normal({ 3, m, 7 }, { dtype = dtype, seed = 4 })
                local q, r = a:qr { variant = variant }
                for k = 1, 3 do
                    local alone, triangle = a:row(k):qr { variant = variant }
                    assert.equal(alone:tobytes() .. triangle:tobytes(), q:row(k):tobytes() .. r:row(k):tobytes())
                end
                local axes, least = a:reshape(1, 1, 1, 1, 1, 3, m, 7):qr { variant = variant } -- no axis is free
                assert_factors(a, axes:reshape(3, m, 7), least:reshape(3, 7, 7), "8 axes")
                -- All of Q turns back what it turns, and the matrix to its triangle.
                local full = a:row(1):qr { variant = variant, mode = "full" }
                local x = dev:normal({ m, 2 }, { dtype = dtype, seed = 5 })
                assert_small(norm(full:matmul(full:t():matmul(x)) - x) / norm(x) / m / EPS[dtype], "q q^T")
                local triangle = full:t():matmul(a:row(1))
                assert_small(norm(triangle:slice({ 1, 7 }) - r:row(1)) / norm(a) / m / EPS[dtype], "q^T a")
                assert_small(norm(triangle:slice({ 8, m })) / norm(a) / m / EPS[dtype], "below r")
                a:set(0 / 0, 2, m - 1, 6) -- in a row of no part
                local spoiled = a:qr { variant = variant, mode = "r" }
                helper.refused(("totable: qr: matrix 2 of 3: not finite at (%d, 6)"):format(m - 1), spoiled)
            end
            pcall(dev.finish, dev)
        end)

        it("is right for matrices of LAPACK's kinds on " .. title, function()
            for _, shape in ipairs { { 50, 50 }, { 40, 10 }, { 10, 40 }, { 300, 10 }, { 140, 130 } } do
                for kind, a in pairs(shape[1] == 140 and hard(dev, dtype) or kinds(dev, shape[1], shape[2], dtype)) do
                    local what = ("%s, %dx%d"):format(kind, shape[1], shape[2])
                    local full, corner = a:qr { variant = variant, mode = "full" }
                    assert_factors(a, full, corner, what)
                    local q, r, p = a:qr { variant = variant, pivot = true }
                    assert_factors(a:take(p, 2), q, r, "pivot, " .. what)
                    assert_descends(r, what)
                end
            end
        end)

        it("takes columns in descending order with pivot on " .. title, function()
            local a = dev:array({ { 1, 0, 5, 0 }, { 0, 0, 0, 3 }, { 0, 4, 0, 0 } }, dtype)
            local q, r, p = a:qr { variant = variant, pivot = true }
            assert.same({ 3, 2, 4, 1 }, p:totable())
            assert.equal("i64", p:dtype())
            assert.same({ 5, 4, 3 }, r:diagonal():totable())
            assert_factors(a:take(p, 2), q, r, "by hand")
            -- Of equals the first is taken.
            assert.same({ 1, 2, 3 }, select(3, dev:eye(3, { dtype = dtype }):qr { variant = variant, pivot = true })
                :totable())
            local several = dev:normal({ 3, 20, 9 }, { dtype = dtype, seed = 4 })
            local qs, rs, ps = several:qr { variant = variant, pivot = true }
            for k = 1, 3 do
                assert_factors(several:row(k):take(ps:row(k), 2), qs:row(k), rs:row(k), "of a batch")
                assert_descends(rs:row(k), "of a batch")
            end
            local alone, order = several:qr { variant = variant, pivot = true, mode = "r" }
            assert.equal(rs:tobytes(), alone:tobytes())
            assert.equal(ps:tobytes(), order:tobytes())
        end)

        it("finds norms again where columns lose most of them on " .. title, function()
            -- Columns that differ by little: the first step takes all but the differences, ordered by new norms.
            local n = 12
            for _, rows in ipairs { 30, 2060 } do
                local base = dev:normal({ rows, 1 }, { dtype = dtype, seed = 3 })
                local small = graded(dev, rows, n, dtype, 1e-2) * math.sqrt(EPS[dtype]) / 4
                local a = base + small:flip(2)
                local q, r, p = a:qr { variant = variant, pivot = true }
                assert_factors(a:take(p, 2), q, r, "near columns")
                local t = r:cast("f64"):totable()
                for i = 2, n do
                    for j = i + 1, n do
                        local sum = 0
                        for k = i, j do
                            sum = sum + t[k][j] ^ 2
                        end
                        assert.is_true(sum ^ 0.5 <= t[i][i] * 1.01 + t[1][1] * EPS[dtype] * 30, "stale norms")
                    end
                end
            end
        end)

        it("keeps columns orthogonal whose squares vanish behind the first step on " .. title, function()
            local tiny = dtype == "f64" and 1e-160 or 1e-21
            for _, n in ipairs { 3, 130 } do
                local a = dev:eye(n, { dtype = dtype })
                a:slice({ 1, 3 }, { 1, 3 }):write { { 1, 1, 1 }, { 0, tiny, tiny }, { 0, 2 * tiny, -3 * tiny } }
                local q, r = a:qr { variant = variant }
                assert_factors(a, q, r, "vanishing squares")
                local diagonal = r:diagonal():slice { 1, 3 }
                helper.check_array(diagonal / dev:array({ 1, tiny, tiny }, dtype), dtype, { 3 },
                    { 1.0, 5 ^ 0.5, 5 ^ 0.5 }, 30 * EPS[dtype])
            end
        end)
    end, true)

    helper.each_device(function(dev, title)
        local dtype = matrices.dtypes(dev)[1]

        it("knows known answers on " .. title, function()
            local q, r = dev:array({ { 3 }, { 4 } }, dtype):qr()
            helper.check_array(q, dtype, { 2, 1 }, { 0.6, 0.8 }, 4 * EPS[dtype])
            helper.check_array(r, dtype, { 1, 1 }, { 5.0 }, 4 * EPS[dtype])
            q, r = dev:array({ { -3 }, { -4 } }, dtype):qr()
            helper.check_array(q, dtype, { 2, 1 }, { -0.6, -0.8 }, 4 * EPS[dtype])
            helper.check_array(r, dtype, { 1, 1 }, { 5.0 }, 4 * EPS[dtype])
            -- An upper triangle is its own, but for signs.
            q, r = dev:array({ { -2, 1 }, { 0, 3 } }, dtype):qr()
            assert.same({ { -1, 0 }, { 0, 1 } }, q:totable())
            assert.same({ { 2, -1 }, { 0, 3 } }, r:totable())
            -- Householder's own example, of integers.
            local _, upper = dev:array({ { 12, -51, 4 }, { 6, 167, -68 }, { -4, 24, -41 } }, dtype):qr()
            helper.check_array(upper, dtype, { 3, 3 }, { 14.0, 21.0, -14.0, 0.0, 175.0, -70.0, 0.0, 0.0, 35.0 },
                1000 * EPS[dtype])
        end)

        it("says where a number is not finite, at the wait, on " .. title, function()
            for _, pivot in ipairs { false, true } do
                for _, value in ipairs { 0 / 0, math.huge, -math.huge } do
                    for _, n in ipairs { 30, 130 } do
                        local a = dev:ones({ n + 10, n }, dtype)
                        a:set(value, 39, 2)
                        a:set(value, 33, 29)
                        local q, r = a:qr { pivot = pivot }
                        helper.refused("totable: qr: not finite at (33, 29)", q)
                        helper.refused("totable: qr: not finite at (33, 29)", r)
                    end
                    local many = dev:zeros({ 5, 4, 3 }, dtype)
                    many:set(value, 4, 2, 3)
                    local alone = many:qr { mode = "r", pivot = pivot }
                    helper.refused("totable: qr: matrix 4 of 5: not finite at (2, 3)", alone)
                end
            end
            pcall(dev.finish, dev)
        end)

        it("refuses what it does not take on " .. title, function()
            local a = dev:ones({ 3, 2 }, dtype)
            helper.refused("qr: unknown mode 'complete'; known are thin, full, r", a, { mode = "complete" })
        end)
    end)
end)
