-- What is made of factorisations: pinv, rank, cond, norms of matrices, matrix_power, expm. Errors are in units of n eps
-- norm, as those of other specs of linear algebra.

local lun = require "lunarray"
local helper = require "spec.helper"
local matrices = require "spec.linalg.eigen_matrices"

local it = helper.one_in(3, it)

local EPS, units, assert_small = matrices.EPS, matrices.units, matrices.assert_small

local function distance(a, b)
    return a:size() == 0 and 0 or (a - b):abs():max()
end

local function assert_near(x, expected, error)
    assert.is_true(math.abs(x - expected) <= error, ("%.17g, not %.17g"):format(x, expected))
end

-- A word's own step may be told of what an earlier one has found, or whoever waits for the result.
local function assert_fails(message, body)
    local ok, problem = pcall(body)
    assert.is_false(ok)
    assert.is_truthy(tostring(problem):find(message, 1, true), tostring(problem))
end

helper.each_device(function(dev, title)
    local wide = matrices.dtypes(dev)[1]
    local eps = EPS[wide]

    describe("pinv", function()
        it("is Moore and Penrose's inverse, of any shape and rank, on " .. title, function()
            for _, dtype in ipairs(matrices.dtypes(dev)) do
                for at, shape in ipairs { { 1, 1 }, { 3, 3 }, { 5, 2 }, { 2, 5 }, { 3, 7, 4 }, { 40, 33 },
                    { 2, 2, 4, 6 } } do
                    local a = dev:normal(shape, { dtype = dtype, seed = at })
                    local m, n = select(#shape - 1, a:shape())
                    if at % 2 == 1 and m > 1 then -- of rank 2
                        local left = { table.unpack(shape) }
                        left[#shape] = 2
                        a = dev:normal(left, { dtype = dtype, seed = at }):matmul(dev:normal({ 2, n },
                            { dtype = dtype, seed = -at }))
                    end
                    local p = a:pinv()
                    local scale = math.max(m, n) * EPS[dtype] * a:norm { ord = 2, keepdims = true }:max()
                        * p:norm { ord = 2, keepdims = true }:max()
                    local function check(error, norm, what)
                        assert_small(error / norm / scale, ("%s of %s, %s"):format(what, dtype, at))
                    end
                    local ap, pa = a:matmul(p), p:matmul(a)
                    check(distance(ap:matmul(a), a), a:abs():max(), "a p a = a")
                    check(distance(pa:matmul(p), p), p:abs():max(), "p a p = p")
                    check(distance(ap, ap:mt()), 1, "a p")
                    check(distance(pa, pa:mt()), 1, "p a")
                end
            end
        end)

        it("takes values up to rcond of the largest for 0 on " .. title, function()
            local a = dev:array({ { 100, 0 }, { 0, 10 }, { 0, 0 } }, wide)
            local error = 1e3 * eps
            helper.check_array(a:pinv(), wide, { 2, 3 }, { 0.01, 0.0, 0.0, 0.0, 0.1, 0.0 }, error)
            helper.check_array(a:pinv { rcond = 0.11 }, wide, { 2, 3 }, { 0.01, 0.0, 0.0, 0.0, 0.0, 0.0 }, error)
            helper.check_array(a:pinv { rcond = 0.09 }, wide, { 2, 3 }, { 0.01, 0.0, 0.0, 0.0, 0.1, 0.0 }, error)
            helper.check_array(dev:zeros({ 2, 3 }, wide):pinv(), wide, { 3, 2 }, { 0.0, 0.0, 0.0, 0.0, 0.0, 0.0 }, 0)
            helper.refused("pinv: option 'rcond': a number from 0 is needed, got -1", a, { rcond = -1 })
        end)
    end)

    describe("rank", function()
        it("counts singular values above tol on " .. title, function()
            local a = dev:array({ { 3, 0, 0 }, { 0, 0.5, 0 }, { 0, 0, 0 } }, wide)
            assert.equal(2, a:rank())
            assert.equal(1, a:rank { tol = 0.5 })
            assert.equal(2, a:rank { tol = 0.4 })
            assert.equal("integer", math.type(a:rank()))
            local n = 20 -- the least value that counts is between n eps and n eps / 2 of the largest
            local graded = dev:eye(n, { dtype = wide })
            graded:set(0.6 * n * eps, 2, 2)
            graded:set(1.5 * n * eps, 3, 3)
            assert.equal(n - 1, graded:rank())
            local thin = dev:zeros({ 3, n }, wide)
            thin:diagonal():write(dev:array({ 1, 0.6 * n * eps, 1.5 * n * eps }, wide))
            assert.equal(2, thin:rank())
            local b = dev:normal({ 40, 3 }, { dtype = wide, seed = 1 }):matmul(dev:normal({ 3, 50 },
                { dtype = wide, seed = 2 }))
            local many = lun.stack { b, b * 0, b * 1e-9 }
            helper.check_array(many:rank(), "i64", { 3 }, { 3, 0, 3 }, 0)
            local out = dev:zeros({ 3 }, "i64")
            assert.equal(out, many:rank { out = out })
            helper.check_array(out, "i64", { 3 }, { 3, 0, 3 }, 0)
            helper.refused("rank: option 'tol': a number from 0 is needed, got -1", a, { tol = -1 })
        end)

        it("takes a tolerance for each matrix, as pinv does, on " .. title, function()
            local a = dev:array({ { { 4, 0 }, { 0, 1 } }, { { 100, 0 }, { 0, 0.125 } } }, wide)
            helper.check_array(a:rank { tol = dev:array({ 2, 0.0625 }, wide) }, "i64", { 2 }, { 1, 2 }, 0)
            helper.check_array(a:rank { tol = dev:array({ 1 }, "i32") }, "i64", { 2 }, { 1, 1 }, 0)
            assert.equal(1, a:row(1):rank { tol = dev:array(2, wide) })
            local exact = a:svdvals()
            local share = exact:col(2) / exact:col(1) -- the second value is this times the first
            helper.check_array(a:rank { rcond = share * dev:array({ 1.01, 0.99 }, wide) }, "i64", { 2 }, { 1, 2 }, 0)
            assert.equal(2, a:row(1):rank { rcond = 0 })
            helper.raises("rank: the options tol and rcond are both given; one of them is expected",
                function() a:rank { rcond = 0.1, tol = 0.1 } end)
            helper.check_array(a:pinv { rcond = dev:array({ 0.5, 1e-4 }, wide) }, wide, { 2, 2, 2 },
                { 0.25, 0.0, 0.0, 0.0, 0.01, 0.0, 0.0, 8.0 }, 100 * eps)
            local three = dev:ones({ 3 }, wide)
            helper.refused("rank: option 'tol' has shape 3, expected one that broadcasts to 2 (the batch)",
                a, { tol = three })
            local row = dev:ones({ 1, 2 }, wide)
            helper.refused("pinv: option 'rcond' has shape 1x2, expected one that broadcasts to 2 (the batch)",
                a, { rcond = row })
            helper.refused("pinv: option 'rcond': real numbers are expected, got c64",
                a, { rcond = dev:ones({ 2 }, "c64") })
        end)
    end)

    describe("norms of matrices", function()
        it("are what their sums say on " .. title, function()
            for _, dtype in ipairs(matrices.dtypes(dev)) do
                for at, shape in ipairs { { 3, 4 }, { 40, 20 }, { 2, 3, 5, 2 } } do
                    local a = dev:normal(shape, { dtype = dtype, seed = at })
                    local s, size = a:svdvals(), 100 * EPS[dtype]
                    local expected = {
                        [1] = a:abs():sum { axis = -2 }:reduce("max", { axis = -1, keepdims = true }):squeeze(-1),
                        inf = a:abs():sum { axis = -1 }:reduce("max", { axis = -1, keepdims = true }):squeeze(-1),
                        fro = a:norm { axis = { -2, -1 }, keepdims = true }:squeeze { axis = { -2, -1 } },
                        [2] = s:max { axis = -1, keepdims = true }:squeeze(-1),
                        nuclear = s:sum { axis = -1, keepdims = true }:squeeze(-1),
                        [-1] = a:abs():sum { axis = -2 }:reduce("min", { axis = -1, keepdims = true }):squeeze(-1),
                        ["-inf"] = a:abs():sum { axis = -1 }:reduce("min", { axis = -1, keepdims = true }):squeeze(-1),
                        [-2] = s:min { axis = -1, keepdims = true }:squeeze(-1),
                    }
                    for ord, norm in pairs(expected) do
                        local got, kept = a:norm { ord = ord }, a:norm { ord = ord, keepdims = true }
                        if #shape == 2 then
                            assert.equal("float", math.type(got))
                            got = dev:full({}, got, dtype)
                        end
                        assert.is_true(distance(got, norm) <= size * norm:abs():max(), tostring(ord))
                        assert.same({ table.unpack(shape, 1, #shape - 2) }, { got:shape() })
                        assert.same({ 1, 1 }, { select(#shape - 1, kept:shape()) })
                        assert.equal(got:tobytes(), kept:tobytes())
                    end
                end
            end
        end)

        it("are known ones on " .. title, function()
            local a = dev:array({ { 1, -2 }, { 3, 4 } }, wide)
            assert.same({ 6.0, 7.0, 7.0 }, { a:norm { ord = 1 }, a:norm { ord = "inf" }, a:norm { ord = math.huge } })
            assert.same({ 4.0, 3.0, 3.0 },
                { a:norm { ord = -1 }, a:norm { ord = "-inf" }, a:norm { ord = -math.huge } })
            assert_near(a:norm { ord = "fro" }, math.sqrt(30), 8 * eps * 6)
            assert_near(a:norm { ord = -2 } * a:norm { ord = 2 }, 10, 1e3 * eps)
            assert_near(a:norm { ord = "nuclear" } ^ 2, 30 + 2 * 10, 1e3 * eps)
            assert_near(a:norm { ord = 2 }, a:norm { ord = 2, queue = dev:queue() }, 0)
            local empty = dev:zeros({ 0, 3 }, wide)
            assert.same({ 0.0, 0.0, 0.0, 0.0, 0.0 }, { empty:norm { ord = 1 }, empty:norm { ord = 2 },
                empty:norm { ord = "inf" }, empty:norm { ord = "nuclear" }, empty:norm { ord = "fro" } })
            assert.not_equal(0, a:norm { ord = 1, async = true }:get() - a:norm())
            local bad = dev:array({ { 0 / 0, 1 }, { 1, 1 } }, wide):norm { ord = 1 }
            assert.is_true(bad ~= bad)
        end)

        it("refuse what does not work with ord on " .. title, function()
            local a = dev:ones({ 2, 2 }, wide)
            for _, ord in ipairs { 3, "max", "3" } do
                helper.refused("norm: option 'ord': 1, 2, \"inf\", one of these below 0, \"fro\" or \"nuclear\" "
                    .. "is needed, got ", a, { ord = ord })
            end
            for name, value in pairs { segments = { 1, 3 }, variant = "plain", accurate = true,
                reproducible = true } do
                helper.refused("norm: the option '" .. name .. "' does not work with ord", a,
                    { ord = 1, [name] = value })
                helper.refused("norm: the option '" .. name .. "' does not work with ord", a:row(1),
                    { ord = 1, [name] = value })
            end
            helper.refused("norm: with ord, axis must be one axis, for norms of vectors, or be left out, for "
                .. "norms of the matrices in the last two axes", a, { ord = 1, axis = { 1, 2 } })
            helper.refused("norm: a matrix is needed, or a batch of them; the array has shape (())",
                dev:ones {}, { ord = 1 })
            for ord, got in pairs { fro = 'the string "fro"', [true] = "a boolean" } do
                helper.refused('norm: option \'ord\': a number, "inf" or "-inf" is needed for vectors, got ' .. got,
                    a:row(1), { ord = ord })
            end
            helper.refused("norm: ord is NaN; a number or an infinity is needed", a:row(1), { ord = 0 / 0 })
        end)

        it("with ord is that of vectors where one axis is left or named on " .. title, function()
            local a = dev:array({ { 3, -4, 0 }, { 0, 1, 2 } }, wide)
            for ord, p in pairs { [0] = 0, [1] = 1, [2] = 2, [3] = 3, [0.5] = 0.5, [-1] = -1, inf = math.huge,
                ["-inf"] = -math.huge } do
                assert.equal(a:row(1):vector_norm(p), a:row(1):norm { ord = ord })
                for axis = 1, 2 do
                    local wanted = a:vector_norm(p, { axis = axis, keepdims = true })
                    helper.check_array(a:norm { ord = ord, axis = { axis }, keepdims = true }, wide,
                        { wanted:shape() }, wanted:flatten():totable())
                end
            end
            assert.equal(7.0, a:row(1):norm { ord = 1 })
        end)
    end)

    describe("cond", function()
        it("is the norm times that of the inverse on " .. title, function()
            for _, dtype in ipairs(matrices.dtypes(dev)) do
                for _, n in ipairs { 1, 3, 33 } do
                    local a = dev:normal({ 2, n, n }, { dtype = dtype, seed = n })
                    for _, ord in ipairs { 1, "inf", "fro", 2, -1, "-inf", "nuclear" } do
                        local c = a:cond { ord = ord }
                        local expected = a:norm { ord = ord } * a:inv():norm { ord = ord }
                        local most = expected:max()
                        assert_small(units(distance(c, expected), most, n, dtype) / most, "cond, " .. ord)
                    end
                    assert.equal(a:cond():tobytes(), a:cond { ord = 2 }:tobytes())
                    assert_small(distance(a:cond() * a:cond { ord = -2 }, 1) / EPS[dtype], "cond, -2")
                end
            end
            local tall = dev:array({ { 3, 0 }, { 0, 0.5 }, { 0, 0 } }, wide)
            assert_near(tall:cond(), 6, 100 * eps)
            assert_near(tall:t():cond(), 6, 100 * eps)
            assert_near(tall:cond { ord = -2 }, 1 / 6, 100 * eps)
            assert.equal(0.0, dev:ones({ 2, 2 }, wide):triu(1):cond { ord = -2 })
        end)

        it("is infinite where there is no inverse, and NaN where there is one on " .. title, function()
            local both = lun.stack { dev:eye(3, { dtype = wide }), dev:ones({ 3, 3 }, wide):triu(1) }
            for _, ord in ipairs { 1, "inf", "fro", 2 } do
                assert.equal(math.huge, both:cond { ord = ord }:get(2))
                assert_near(both:cond { ord = ord }:get(1), ord == "fro" and 3 or 1, 10 * eps)
                assert.equal(math.huge, dev:zeros({ 2, 2 }, wide):cond { ord = ord })
            end
            local a = dev:array({ { 0 / 0, 1 }, { 1, 1 } }, wide)
            for _, ord in ipairs { 1, "inf", "fro" } do
                local c = a:cond { ord = ord }
                assert.is_true(c ~= c)
            end
            assert_fails("cond: not finite at (1, 1)", function() a:cond() end)
            helper.refused("cond: matrices without elements have no condition; the array has shape (0x0)",
                dev:zeros({ 0, 0 }, wide))
            helper.refused("cond: a square matrix is needed, or a batch of them; the array has shape (2x3)",
                dev:zeros({ 2, 3 }, wide), { ord = 1 })
        end)
    end)

    describe("numbers near the end of the range", function()
        it("are no infinity of conditions, and no rank less, on " .. title, function()
            for _, dtype in ipairs(matrices.dtypes(dev)) do
                local huge = EPS[dtype] > 1e-10 and 2.0 ^ 127 or 2.0 ^ 1023
                local a = dev:array({ { huge, huge }, { huge, -huge } }, dtype) -- its norms overflow
                local error = 10 * EPS[dtype]
                assert_near(a:cond(), 1, error)
                for ord, expected in pairs { [1] = 2, ["inf"] = 2, fro = 2, [-1] = 2, [-2] = 1 } do
                    assert_near(a:cond { ord = ord }, expected, error)
                end
                assert_near(a:rcond(), 0.5, error)
                assert.equal(2, a:rank())
                assert.equal(0, a:rank { tol = huge * (2 - EPS[dtype]) })
                local half = 0.5 / huge
                helper.check_array(a:pinv(), dtype, { 2, 2 }, { half, half, half, -half }, error * half)
                local least = dev:array({ { 1 / huge, 0 }, { 0, 3 / huge } }, dtype) -- whose inverse's norm does
                assert_near(least:cond { ord = 1 }, 3, error)
                assert_near(least:rcond(), 1 / 3, error)
            end
        end)

        it("that are NaN are a reciprocal condition of NaN on " .. title, function()
            local a = dev:array({ { { 0 / 0, 0 }, { 0, 1 } }, { { 1, 1 }, { 1, 1 } }, { { 2, 0 }, { 0, 1 } } }, wide)
            local r = a:rcond()
            assert.is_true(r:get(1) ~= r:get(1))
            assert.equal(0.0, r:get(2))
            assert_near(r:get(3), 0.5, 10 * eps)
        end)
    end)

    describe("matrix_power", function()
        it("multiplies so often on " .. title, function()
            local fibonacci = dev:array({ { 1, 1 }, { 1, 0 } }, wide)
            local numbers = { [0] = 0, 1 }
            for k = 2, 31 do
                numbers[k] = numbers[k - 1] + numbers[k - 2]
            end
            for n = 0, 30 do
                local f, g = numbers[n], n == 0 and 1 or numbers[n - 1]
                helper.check_array(fibonacci:matrix_power(n), wide, { 2, 2 },
                    { f + g + 0.0, f + 0.0, f + 0.0, g + 0.0 }, 0)
            end
            local turn = dev:array({ { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 0 } }, wide)
            for _, n in ipairs { -1, -2, -3, -5, 2 ^ 40 // 1 | 0, math.mininteger, math.maxinteger } do
                assert.equal(turn:matrix_power(n % 3):tobytes(), turn:matrix_power(n):tobytes())
            end
            local many = dev:normal({ 2, 3, 5, 5 }, { dtype = wide, seed = 1 })
            local cube = many:matmul(many):matmul(many)
            assert_small(units(distance(cube, many:matrix_power(3)), cube:abs():max(), 5, wide), "a batch")
            assert.equal(many:tobytes(), many:matrix_power(1):tobytes())
            assert.equal(dev:eye(5, { dtype = wide }):tobytes(), many:matrix_power(0):slice(2, 2):tobytes())
        end)

        it("has no inverse of a singular matrix on " .. title, function()
            local one, bad = dev:eye(2, { dtype = wide }), dev:ones({ 2, 2 }, wide)
            assert_fails("matrix_power: singular matrix: pivot 2 is 0", function()
                bad:matrix_power(-3):totable()
            end)
            assert_fails("matrix_power: matrix 2 of 2: singular matrix: pivot 2 is 0", function()
                lun.stack { one, bad }:matrix_power(-1):totable()
            end)
        end)
    end)

    describe("expm", function()
        it("knows exponentials in closed form on " .. title, function()
            for _, dtype in ipairs(matrices.dtypes(dev)) do
                local function check(a, expected, size)
                    local n = math.tointeger((#expected) ^ 0.5)
                    local most = 0
                    for i = 1, n * n do
                        expected[i] = expected[i] + 0.0
                        most = math.max(most, math.abs(expected[i]))
                    end
                    helper.check_array(dev:array(a, dtype):expm(), dtype, { n, n }, expected,
                        4 * n * EPS[dtype] * most * math.max(size, 1))
                end
                for _, t in ipairs { 1e-5, 0.5, 3, 20, 1000 } do -- turns; the condition is the norm
                    check({ { 0, -t }, { t, 0 } }, { math.cos(t), -math.sin(t), math.sin(t), math.cos(t) }, 2 * t)
                end
                for _, t in ipairs { 1, 1e3, 1e6 } do -- far from normal: squared as seldom as for t = 1
                    local sinh = (math.exp(1) - math.exp(-1)) / 2
                    check({ { 1, t }, { 0, -1 } }, { math.exp(1), t * sinh, 0, math.exp(-1) }, 1)
                    check({ { 0, t }, { 0, 0 } }, { 1, t, 0, 1 }, 1)
                end
                check({ { -2, 0 }, { 0, 0.5 } }, { math.exp(-2), 0, 0, math.exp(0.5) }, 2)
                local x = math.exp(-0.5)
                check({ { -0.5, 1, 0 }, { 0, -0.5, 1 }, { 0, 0, -0.5 } }, { x, x, x / 2, 0, x, x, 0, 0, x }, 1)
                -- Moler and Van Loan's, whose Taylor series cancels
                local a, b = math.exp(-1), math.exp(-17)
                check({ { -49, 24 }, { -64, 31 } },
                    { -2 * a + 3 * b, 1.5 * a - 1.5 * b, -4 * a + 4 * b, 3 * a - 2 * b }, 100)
            end
        end)

        it("is the inverse of that of -a, and what eigh says, in batches on " .. title, function()
            for _, dtype in ipairs(matrices.dtypes(dev)) do
                local sizes = dev:array({ 1e-12, 0.01, 0.3, 1, 4, 0 }, dtype):reshape(6, 1, 1)
                for _, n in ipairs { 2, 9, 35 } do
                    local a = dev:normal({ 6, n, n }, { dtype = dtype, seed = n }) * sizes / math.sqrt(n)
                    local s = (a + a:mt()) / 2
                    local w, v = s:eigh()
                    local whole = s:expm()
                    local error = distance(whole, (v * w:exp():expand(-2)):matmul(v:mt()))
                    local size = math.max(1, s:norm { ord = 2 }:max())
                    assert_small(units(error, whole:abs():max() * size, n, dtype), "symmetric, " .. n)
                    local e, back = a:expm(), (-a):expm()
                    local one = dev:eye(n, { dtype = dtype })
                    local norms = e:norm { ord = 2 } * back:norm { ord = 2 }
                    assert_small(units(distance(e:matmul(back), one), norms:max(), n, dtype), "inverse, " .. n)
                    for k = 1, 6 do -- each has its own number of squarings
                        assert.equal(a:row(k):expm():tobytes(), e:row(k):tobytes())
                    end
                end
            end
        end)

        it("ends, and spoils nothing else, where matrices are not finite or large on " .. title, function()
            local a = dev:zeros({ 5, 2, 2 }, wide)
            a:set(0 / 0, 1, 1, 2)
            a:set(math.huge, 2, 1, 1)
            local large = wide == "f64" and 1e60 or 1e30 -- its 8th power overflows
            a:set(-large, 3, 1, 1)
            a:set(large, 4, 1, 2)
            local e = a:expm()
            assert.is_true(e:row(1):isnan():any() and e:row(2):isfinite():lnot():any())
            assert.equal(0.0, e:get(3, 1, 1))
            assert.is_true(e:slice({ 3, 5 }):isfinite():all())
            helper.check_array(e:row(4), wide, { 2, 2 }, { 1.0, large, 0.0, 1.0 }, 4 * eps * large)
            helper.check_array(e:row(5), wide, { 2, 2 }, { 1.0, 0.0, 0.0, 1.0 }, 0)
        end)

        it("takes infinite and huge numbers of the diagonal by themselves on " .. title, function()
            local inf, nan = math.huge, 0 / 0
            for _, dtype in ipairs(matrices.dtypes(dev)) do
                local huge = EPS[dtype] > 1e-10 and 3e38 or 1e308
                local function exponential(a) return dev:array(a, dtype):expm():totable() end
                local e = exponential { { -inf, 0, 0 }, { 0, -1, 0 }, { 0, 0, inf } }
                assert.same({ 0.0, 0.0, 0.0, 0.0, inf }, { e[1][1], e[1][2], e[2][1], e[2][3], e[3][3] })
                assert_near(e[2][2], math.exp(-1), 2 * EPS[dtype])
                e = exponential { { -huge, 0, 0 }, { 0, 1, 0 }, { 0, 0, nan } } -- no number outweighs another
                assert.equal(0.0, e[1][1])
                assert_near(e[2][2], math.exp(1), 4 * EPS[dtype])
                assert.is_true(e[3][3] ~= e[3][3] and e[3][2] == 0 and e[1][3] == 0)
                e = exponential { { -inf, 0, 0 }, { 0, 0, 2 }, { 0, 0, 0 } } -- the others as a matrix of their own
                assert.same({ { 0.0, 0.0, 0.0 }, { 0.0, 1.0, 2.0 }, { 0.0, 0.0, 1.0 } }, e)
                e = exponential { { -inf, 1 }, { 0, -1 } } -- not alone: nobody knows
                assert.is_true(e[1][1] ~= e[1][1])
                assert.same({ { inf, inf }, { inf, inf } }, exponential { { huge, huge }, { huge, huge } })
                assert.same({ { 0.0, 0.0 }, { 0.0, 0.0 } }, exponential { { -huge, -huge }, { 0, -huge } })
            end
            local I = lun.i
            local e = dev:array({ { -inf, 0 }, { 0, I } }, "c64"):expm()
            assert.is_true(e:get(1, 1) == lun.complex(0, 0) and e:get(1, 2) == lun.complex(0, 0))
            assert_near(e:get(2, 2).re, math.cos(1), 4 * EPS.f32)
        end)
    end)

    describe("words upon factorisations", function()
        it("take sizes of 0 on " .. title, function()
            for _, shape in ipairs { { 0, 0 }, { 2, 0, 0 }, { 0, 3, 3 } } do
                local a = dev:zeros(shape, wide)
                assert.same(shape, { a:pinv():shape() })
                assert.same(shape, { a:matrix_power(3):shape() })
                assert.same(shape, { a:matrix_power(-3):shape() })
                assert.same(shape, { a:matrix_power(0):shape() })
                assert.same(shape, { a:expm():shape() })
                assert.same(shape, { a:expm { async = true }:get():shape() })
            end
            assert.same({ 3, 0 }, { dev:zeros({ 0, 3 }, wide):pinv():shape() })
            assert.equal(0, dev:zeros({ 0, 3 }, wide):rank())
            assert.same({ 0 }, { dev:zeros({ 0, 3, 3 }, wide):cond():shape() })
            assert.same({ 0, 0 }, dev:zeros({ 2, 0, 3 }, wide):rank():totable())
        end)

        it("name themselves where a matrix is not finite on " .. title, function()
            local a = dev:eye(3, { dtype = wide })
            a:set(0 / 0, 2, 3)
            assert_fails("pinv: not finite at (2, 3)", function() a:pinv():totable() end)
            assert_fails("rank: not finite at (2, 3)", function() a:rank() end)
            local x = a:norm { ord = 2 }
            assert.is_true(x ~= x)
        end)
    end)

    describe("the option info", function()
        local nan, inf = 0 / 0, math.huge
        local words = {
            { "eigh" }, { "eigh", "lower", false }, { "eigvalsh" }, { "eig" }, { "eigvals" }, { "svd" },
            { "svd", "full", true }, { "svdvals" }, { "qr" }, { "qr", "pivot", true }, { "pinv" }, { "rank" },
            { "cond" },
        }

        -- Of four matrices two are bad, in the lower triangle, or the upper one: info names rows, the whole ones have
        -- the bits that they have without the bad ones, and results of the bad ones are NaN.
        local function check(word, good, what)
            local name, option, value = table.unpack(word)
            local upper = option == "lower"
            local function call(a, info)
                return table.pack(a[name](a, { [option or "info"] = value, info = info }))
            end
            local bad = good:copy()
            for _, at in ipairs { { nan, 2, 2, 1 }, { inf, 4, 2, 2 }, { -inf, 4, 3, 1 } } do
                local number, batch, i, j = table.unpack(at)
                bad:set(number, batch, upper and j or i, upper and i or j)
            end
            local clean, told = call(good), call(bad, true)
            assert.equal(clean.n + 1, told.n, what)
            helper.check_array(told[told.n], "i32", { 4 }, upper and { 0, 1, 0, 1 } or { 0, 2, 0, 2 }, 0)
            for i = 1, clean.n do
                for k = 1, 3, 2 do
                    assert.equal(clean[i]:slice({ k, k }):tobytes(), told[i]:slice({ k, k }):tobytes(), what)
                end
                local lost = lun.stack { told[i]:slice(2), told[i]:slice(4) }
                assert.is_true(told[i]:dtype() == "i64" or lost:isnan():all(), what)
            end
        end

        it("leaves whole matrices their results on " .. title, function()
            for _, size in ipairs { { 3, 3 }, { 3, 2 }, { 34, 34 }, { 35, 40 } } do
                local m, n = table.unpack(size)
                local a = dev:normal({ 4, m, n }, { dtype = wide, seed = m })
                for _, word in ipairs(words) do
                    local square = word[1]:match "^eig"
                    if m == n or not square then
                        check(word, square and a + a:mt() or a, ("%s of %d x %d"):format(word[1], m, n))
                    end
                end
            end
            local b = dev:normal({ 4, 3, 3 }, { seed = 1 }):complex(dev:normal({ 4, 3, 3 }, { seed = 2 }))
            for name, good in pairs { eigh = b + b:mt():conj(), svd = b, eig = b } do
                check({ name }, good, name .. " of c64")
            end
        end)

        it("is the last result, and goes with out, events and nothing on " .. title, function()
            local a = dev:array({ { { 2, 1 }, { 1, 2 } }, { { 1, nan }, { 1, 1 } } }, wide)
            local u, s, v = dev:zeros({ 2, 2, 2 }, wide), dev:zeros({ 2, 2 }, wide), dev:zeros({ 2, 2, 2 }, wide)
            local found = table.pack(a:svd { out = { u, s, v }, info = true })
            assert.is_true(found.n == 4 and found[1] == u and found[2] == s and found[3] == v)
            helper.check_array(found[4], "i32", { 2 }, { 0, 1 }, 0)
            local event = a:svdvals { info = true, async = true }
            local values, info = event:get()
            assert.equal(s:tobytes(), values:tobytes())
            helper.check_array(info, "i32", { 2 }, { 0, 1 }, 0)
            for _, name in ipairs { "eigh", "eig", "svd", "qr", "pinv", "rank" } do
                local none = dev:zeros({ 2, 0, 0 }, wide)
                local all = table.pack(none[name](none, { info = true }))
                helper.check_array(all[all.n], "i32", { 2 }, { 0, 0 }, 0)
            end
            assert_fails("eigh: matrix 2 of 2: not finite at (1, 2)", function()
                a:eigh({ lower = false }):totable()
            end)
        end)

        it("is in lstsq's report on " .. title, function()
            local a = dev:normal({ 3, 4, 2 }, { dtype = wide, seed = 1 })
            local b = dev:normal({ 2, 1, 4, 3 }, { dtype = wide, seed = 2 }) -- more batches than matrices
            local good, clean = a:lstsq(b)
            a:set(nan, 2, 3, 1)
            local x, report = a:lstsq(b, { info = true })
            helper.check_array(report.info, "i32", { 3 }, { 0, 3, 0 }, 0)
            helper.check_array(report.rank, "i64", { 3 }, { 2, 0, 2 }, 0)
            for i = 1, 2 do
                for k = 1, 3, 2 do
                    assert.equal(good:row(i):row(k):tobytes(), x:row(i):row(k):tobytes())
                    assert.equal(clean.residuals:row(i):row(k):tobytes(), report.residuals:row(i):row(k):tobytes())
                end
                assert.is_true(x:row(i):row(2):isnan():all() and report.residuals:row(i):row(2):isnan():all())
            end
            local _, one = a:row(2):lstsq(dev:ones({ 4 }, wide), { info = true })
            assert.equal(3, one.info)
        end)
    end)
end)
