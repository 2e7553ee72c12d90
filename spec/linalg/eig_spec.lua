-- Eigenvalues of general matrices: eig and eigvals.

local lun = require "lunarray"
local helper = require "spec.helper"

local EPS = { f32 = 2 ^ -23, c64 = 2 ^ -23, f64 = 2 ^ -52, c128 = 2 ^ -52 }

local function wide_of(a)
    local dtype = a:dtype()
    return (dtype == "f64" or dtype == "c128") and "c128" or "c64"
end

local function size(a) return a:size() == 0 and 0 or (a:abs() * 1.0):sum() end

-- Residuals in LAPACK's units, lengths, phases, order; eigvals gives the same bits, and the trace is the values' sum.
local function check(a, what)
    local n, eps, real = #a, EPS[a:dtype()], not a:dtype():find "^c"
    local w, v = a:eig()
    local full = a:cast(wide_of(a))
    assert.same({ wide_of(a), wide_of(a), n, n }, { w:dtype(), v:dtype(), v:shape() })
    local largest = a:abs():max()
    local scale = largest > 0 and 1 / largest or 1
    local rest = size(full:matmul(v) * scale - v * (w * scale):reshape(1, n))
    assert.is_true(rest <= 10 * n * eps * size(full * scale) + 1e-300, ("%s: residual %g"):format(what, rest))
    assert.equal(w:tobytes(), a:eigvals():tobytes(), what)
    assert.is_true(((v:abs() * v:abs()):sum { axis = 1 } - 1):abs():max() <= 10 * n * eps, what .. ": lengths")
    local trace = (w * scale):sum() - (full:diag() * scale):sum()
    assert.is_true(trace:abs() <= 10 * n * n * eps, what .. ": trace")
    local values, before = w:totable(), nil
    for i, z in ipairs(values) do
        assert.is_true(not before or before.re <= z.re, what .. ": order")
        if real and z.im > 0 then
            assert.same({ z.re, -z.im }, { values[i + 1].re, values[i + 1].im }, what .. ": pairs")
            assert.equal(v:col(i):conj():tobytes(), v:col(i + 1):copy():tobytes(), what .. ": vectors of pairs")
        end
        before = z
    end
    for j, column in ipairs(v:t():abs():totable()) do -- the first of those that are nearly as large as the largest
        local top, largest_one = 1, math.max(table.unpack(column))
        while column[top] < 0.999 * largest_one do top = top + 1 end
        local z = v:get(top, j)
        assert.is_true(z.re > 0 and z.im == 0, what .. ": phase")
    end
    return w, v
end

local function by(dev, n, dtype, f)
    local rows = {}
    for i = 1, n do
        rows[i] = {}
        for j = 1, n do rows[i][j] = f(i, j) + 0.0 end
    end
    return dev:array(rows, dtype)
end

local function companion(dev, dtype, p)
    local n = #p
    return by(dev, n, dtype, function(i, j) return i == 1 and -p[j] or i == j + 1 and 1 or 0 end)
end

-- Kinds of matrices, and the eigenvalues of those that have well-conditioned ones.
local kinds = {
    { "zeros", function() return 0 end, function() return 0 end },
    { "identity", function(i, j) return i == j and 1 or 0 end, function() return 1 end },
    { "Jordan's block", function(i, j) return i == j and 2 or j == i + 1 and 1 or 0 end, function() return 2 end },
    { "Jordan's block, transposed", function(i, j) return i == j and 2 or i == j + 1 and 1 or 0 end,
        function() return 2 end },
    { "nilpotent", function(i, j) return j == i + 1 and 1 or 0 end, function() return 0 end },
    { "nilpotent, below", function(i, j) return j < i and i + j or 0 end, function() return 0 end },
    { "upper triangle", function(i, j) return j >= i and i + j or 0 end, function(i) return 2 * i end },
    { "lower triangle", function(i, j) return j <= i and i + j or 0 end, function(i) return 2 * i end },
    { "Clement", function(i, j, n) return j == i + 1 and i or i == j + 1 and n - j or 0 end,
        function(i, n) return 2 * i - n - 1 end },
    { "Frank", function(i, j, n) return j >= i - 1 and n + 1 - math.max(i, j) or 0 end },
    { "Grcar", function(i, j) return i == j + 1 and -1 or j >= i and j <= i + 3 and 1 or 0 end },
    { "Kahan", function(i, j) return (i == j and 1 or j > i and -0.6 or 0) * 0.8 ^ (i - 1) end,
        function(i, n) return 0.8 ^ (n - i) end },
    { "circle", function(i, j, n) return j == i % n + 1 and 1 or 0 end },
    { "rotations", function(i, j) return (i + 1) // 2 == (j + 1) // 2 and (i < j and 2 or i > j and -2 or 1) or 0 end },
    { "badly scaled", function(i, j) return 16.0 ^ (i - j) * (1 + (i * 7 + j * 3) % 5) end },
    { "rows and columns of any size", function(i, j)
        return 2.0 ^ ((i * 29) % 41 - 20) * (1 + (i * 7 + j * 3) % 5) * 2.0 ^ ((j * 17) % 41 - 20)
    end },
    { "ones", function() return 1 end },
}

describe("eig", function()
    for _, dev in ipairs(lun.devices()) do
        local fp64 = dev:info().fp64
        local wide = fp64 and "f64" or "f32"
        local real = fp64 and { "f32", "f64" } or { "f32" }
        local all = fp64 and { "f32", "f64", "c64", "c128" } or { "f32", "c64" }
        local complex_wide = fp64 and "c128" or "c64"
        local function random(n, dtype, seed, batch)
            local part = (dtype == "c128" or dtype == "f64") and "f64" or "f32"
            local shape = batch and { batch, n, n } or { n, n }
            local a = dev:normal(shape, { dtype = part, seed = seed })
            if part == dtype then return a end
            return a + dev:normal(shape, { dtype = part, seed = seed + 1 }) * lun.complex(0, 1)
        end

        it("has small residuals at all sizes on " .. dev:info().name, function()
            for _, dtype in ipairs(all) do
                for _, n in ipairs { 1, 2, 3, 4, 5, 10, 33, 50 } do
                    check(random(n, dtype, n), ("random %s %d"):format(dtype, n))
                end
            end
            check(random(300, wide, 1), "random, in several launches")
        end)

        it("takes matrices of all kinds on " .. dev:info().name, function()
            for _, kind in ipairs(kinds) do
                for _, n in ipairs { 2, 5, 10 } do
                    local made = by(dev, n, wide, function(i, j) return kind[2](i, j, n) end)
                    local what = ("%s of %d"):format(kind[1], n)
                    local w = check(made, what)
                    check(made * lun.complex(0.6, 0.8), what .. ", turned")
                    if kind[3] then
                        local known = {}
                        for i = 1, n do known[i] = kind[3](i, n) + 0.0 end
                        helper.check_array(w:real(), wide, { n }, known, 100 * n * EPS[wide])
                        assert.equal(0.0, w:imag():abs():max(), what)
                    end
                end
            end
        end)

        it("keeps vectors of a long Jordan's block within the range on " .. dev:info().name, function()
            check(by(dev, 25, wide, function(i, j) return i == j and 0.5 or j == i + 1 and 1 or 0 end), "Jordan")
        end)

        it("shares matrices of more than 8 rows among items, where groups have several, on "
            .. dev:info().name .. " #oclgrind", function()
            for _, kind in ipairs(kinds) do
                if ("Clement, rotations, badly scaled, rows and columns of any size"):find(kind[1], 1, true) then
                    local made = by(dev, 9, wide, function(i, j) return kind[2](i, j, 9) end)
                    made:row(9):slice { 1, 8 }:fill(0) -- alone
                    check(made, kind[1])
                    check(made * lun.complex(0.6, 0.8), kind[1] .. ", turned")
                end
            end
        end)

        it("finds the roots of polynomials, and whole numbers' on " .. dev:info().name, function()
            -- (x - 1) (x - 2) (x - 3) (x^2 + 1)
            local w = check(companion(dev, wide, { -6, 12, -12, 11, -6 }), "companion")
            helper.check_array(w:real(), wide, { 5 }, { 0.0, 0.0, 1.0, 2.0, 3.0 }, 2000 * EPS[wide])
            helper.check_array(w:imag(), wide, { 5 }, { 1.0, -1.0, 0.0, 0.0, 0.0 }, 2000 * EPS[wide])
            local four = dev:array({ { 0, -1 }, { 1, 0 } }, "i32"):eigvals()
            assert.same({ complex_wide, 0.0, 1.0, 0.0, -1.0 },
                { four:dtype(), four:get(1).re, four:get(1).im, four:get(2).re, four:get(2).im })
        end)

        it("balances: values of badly scaled matrices, and of rows that stand alone, are as accurate as others on "
            .. dev:info().name, function()
            local plain = by(dev, 8, wide, function(i, j) return 1 + (i * 7 + j * 3) % 5 + (i == j and 4 * i or 0) end)
            local scaled = by(dev, 8, wide, function(i, j)
                return 16.0 ^ (i - j) * (1 + (i * 7 + j * 3) % 5 + (i == j and 4 * i or 0))
            end)
            local w = plain:eigvals()
            assert.is_true((scaled:eigvals() - w):abs():max() <= 1000 * EPS[wide] * w:abs():max())
            -- The last three rows are a lower triangle, beside zeros: behind the others, 2 three times. Or columns are.
            local alone = by(dev, 5, wide, function(i, j)
                return i <= 2 and (i == j and 10 * i or 1) or (j < 3 and 0 or i == j and 2 or j < i and 1 or 0)
            end)
            for _, a in ipairs { alone, alone:t() } do
                helper.check_array(a:eigvals():real():slice { 1, 3 }, wide, { 3 }, { 2.0, 2.0, 2.0 }, 0)
            end
        end)

        it("keeps what is small beside what is large on " .. dev:info().name, function()
            if not fp64 then return end
            local a = by(dev, 6, "f64", function(i, j)
                local value = (i - 1) * (j - 1) % 3 == 1 and -1 - (i * 7 + j * 3) % 5 or 1 + (i * 7 + j * 3) % 5
                return value * 2.0 ^ (i * 29 % 81 - 40) * 2.0 ^ (j * 34 % 81 - 40)
            end)
            -- mpmath's, of 80 digits; NumPy 2.4 has 1.3560e-15 for the fourth
            local known = dev:array({ -70368744187904.039, -5.0380961569192170e-5, -2.9744196086608679e-8,
                1.3536512016653940e-15, 0.027695021198648134, 11264.007609346415 }, "f64")
            for _, of in ipairs { a, a:t(), a:flip(1):flip(2) } do
                local w = check(of, "any size")
                assert.is_true((w / known - 1):abs():max() <= 2.0 ^ -26)
            end
            for _, dtype in ipairs { "f64", "c128" } do -- residuals of LAPACK are up to 10^7 units and 10^10
                for seed = 1, 20 do
                    local powers = dev:random({ 2, 10 }, { seed = seed, low = -40, high = 40 }):round():exp2()
                    local left, right = powers:row(1):cast "f64", powers:row(2):cast "f64"
                    check(random(10, dtype, seed) * left:reshape(10, 1) * right, dtype .. ", any size, " .. seed)
                end
            end
        end)

        it("leaves Frank's matrix as it is: to balance it spoils vectors, on " .. dev:info().name, function()
            local n = 300 -- LAPACK's residual is 14 units, as all its columns' together
            local a = by(dev, n, wide, function(i, j) return j >= i - 1 and n + 1 - math.max(i, j) or 0 end)
            local w, v = a:eig()
            assert.is_true((a:matmul(v) - v * w):norm() <= n * EPS[wide] * a:norm())
        end)

        it("is right near overflow and underflow on " .. dev:info().name, function()
            for _, dtype in ipairs(real) do
                local power = dtype == "f64" and 2.0 ^ 1015 or 2.0 ^ 118
                local a = random(6, dtype, 3)
                local w, v = a:eig()
                for _, factor in ipairs { power, 1 / power } do
                    local w2, v2 = (a * factor):eig()
                    assert.is_true((w2 / factor - w):abs():max() <= 100 * EPS[dtype] * w:abs():max(), dtype)
                    assert.is_true((v2 - v):abs():max() <= 1000 * EPS[dtype], dtype)
                end
            end
        end)

        it("says where a matrix is not finite on " .. dev:info().name, function()
            local a = dev:ones({ 3, 4, 4 }, wide)
            a:set(0 / 0, 2, 3, 1)
            helper.refused("totable: eigvals: matrix 2 of 3: not finite at (3, 1)", a:eigvals())
        end)
    end

    -- No matrix is known whose steps reach their limit, which the module of `make faults` has lower.
    it("says where its steps end before a triangle is there, and spares the others of a batch", function()
        assert.equal("eigvals: matrix 1 of 2: the steps towards a triangle did not converge\n"
            .. "-1 0\ttrue\t3.0\n", helper.child([[
            local lun = require "lunarray"
            local dev = lun.device()
            local a = lun.stack({ dev:normal({ 60, 60 }, { seed = 1 }), dev:eye(60) * 3 }, 1)
            local _, problem = pcall(function() return a:eigvals():sum() end)
            print((tostring(problem):match "eigvals: .*"))
            local w, info = a:eigvals { info = true }
            print(table.concat(info:totable(), " "), w:row(1):isnan():all(), w:row(2):real():min())
        ]], { cpath = "build/faults/?.so" }))
    end)
end)
