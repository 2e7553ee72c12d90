-- Factors in place, and what is known of them: lu_, cholesky_, lu_factor_, cholesky_solve, lu_rcond, rcond, and
-- solve with least_rcond.

local lun = require "lunarray"
local helper = require "spec.helper"
local matrices = require "spec.linalg.eigen_matrices"

local it = helper.one_in(2, it)

local EPS = matrices.EPS

local function positive(a)
    local n = select(a:ndim(), a:shape())
    return a:matmul(a:mt()) + a:device():eye(n, { dtype = a:dtype() }) * n
end

-- The x of a x = b, of the last of a batch, as a is.
local function assert_solves(a, x, b, what)
    local n = select(a:ndim(), a:shape())
    local error = (a:matmul(x) - b):abs():max() / (a:abs():max() * x:abs():max() * n * EPS[a:dtype()])
    assert.is_true(error <= 10, ("%s: %g units"):format(what, error))
end

local function assert_same_bits(a, b)
    assert.is_true(a == b) -- without printing them
end

helper.each_device(function(dev, title)
    local wide = matrices.dtypes(dev)[1]

    -- On GPUs several groups share the rows of these, and tell each other what they find.
    it("of more rows than a group of a GPU takes are right on " .. title, function()
        for _, shape in ipairs { { 1, 257, 257 }, { 1, 600, 300 }, { 1, 300, 600 }, { 3, 290, 290 }, { 2, 530, 33 } } do
            local count, m, n = table.unpack(shape)
            local dtype, batch = wide, dev:normal(shape, { dtype = wide, seed = 3 })
            local f, p = batch:lu_factor()
            local q, r = batch:qr()
            for i = 1, count do
                local a, lu, square = batch:slice(i), f:slice(i), math.min(m, n)
                local l = lu:slice({}, { 1, square }):tril(-1) + dev:eye(m, square, { dtype = dtype })
                local bound = 10 * math.max(m, n) * EPS[dtype]
                local product = l:matmul(lu:slice { 1, square }:triu())
                assert.is_true((product - a:take(p:slice(i), 1)):norm() <= bound * a:norm(), i)
                assert.is_true(l:abs():max() <= 1, i)
                assert.is_true((q:slice(i):matmul(r:slice(i)) - a):norm() <= bound * a:norm(), i)
                local one = q:slice(i):t():matmul(q:slice(i))
                assert.is_true((one - dev:eye(square, { dtype = dtype })):norm() <= bound, i)
            end
            if m == n then
                local both = batch + batch:mt()
                local w, v = both:eigh()
                local error = (both:matmul(v) - v * w:reshape(count, 1, n)):norm()
                assert.is_true(error <= 10 * n * EPS[dtype] * both:norm())
            end
        end
    end)

    describe("factors in place", function()
        for _, variant in ipairs(dev:variants "cholesky") do
            it("are those of a new array, also of views, on " .. title .. ", " .. variant, function()
                for _, dtype in ipairs(matrices.dtypes(dev)) do
                    for _, n in ipairs { 1, 5, 33, 70 } do
                        local a = positive(dev:normal({ 2, n, n }, { dtype = dtype, seed = n }))
                        local room = dev:zeros({ 2, n, 2 * n }, dtype)
                        local view = room:slice({}, { n, 1, -1 }, { 1, 2 * n, 2 })
                        for _, upper in ipairs { false, true } do
                            local own, given = a:copy(), { upper = upper, variant = variant }
                            assert.equal(own, own:cholesky_(given))
                            assert_same_bits(a:cholesky(given):tobytes(), own:tobytes())
                            view:write(a)
                            view:cholesky_(given)
                            local error = (own - view):abs():max() / own:abs():max() -- views may be added up otherwise
                            assert.is_true(error <= 10 * n * EPS[dtype])
                        end
                        assert.equal(0, room:slice({}, {}, { 2, 2 * n, 2 }):abs():max())
                        local wide_one = dev:normal({ 2, n, n + 3 }, { dtype = dtype, seed = n })
                        for _, matrix in ipairs { a, wide_one, wide_one:mt() } do
                            local own = matrix:copy()
                            local factors, p, exchanges = matrix:lu_factor { variant = variant }
                            local same, order, swaps = own:lu_factor_ { variant = variant }
                            assert.equal(own, same)
                            assert_same_bits(factors:tobytes() .. p:tobytes() .. exchanges:tobytes(),
                                own:tobytes() .. order:tobytes() .. swaps:tobytes())
                        end
                    end
                end
            end)
        end

        it("are an object, which leaves the array when it is released, on " .. title, function()
            local a = dev:normal({ 2, 9, 9 }, { dtype = wide, seed = 1 })
            local b = dev:normal({ 9 }, { dtype = wide, seed = 2 })
            local own, f = a:copy(), a:lu()
            local g = own:lu_()
            assert_same_bits(f:solve(b):tobytes(), g:solve(b):tobytes())
            assert_same_bits(f.l:tobytes() .. f.u:tobytes(), g.l:tobytes() .. g.u:tobytes())
            assert.same(f.p:totable(), g.p:totable())
            assert_same_bits(f:det():tobytes(), g:det():tobytes())
            assert_same_bits(a:rcond():tobytes(), g:rcond():tobytes())
            assert_same_bits(f:rcond():tobytes(), g:rcond():tobytes())
            g:release()
            assert_same_bits((a:lu_factor()):tobytes(), own:tobytes())
            assert.equal("lu of 2x9x9 " .. wide, tostring(a:copy():lu_ { variant = dev:variants("lu_factor")[1] }))
        end)

        it("say what was wrong on " .. title, function()
            for _, variant in ipairs(dev:variants "cholesky_") do -- rows are counted in the whole matrix
                local many = dev:eye(150, { dtype = wide }):expand(1):broadcast(3, 150, 150):copy()
                for k, row in ipairs { 3, 70, 149 } do
                    many:set(-1, k, row, row)
                end
                assert.same({ 3, 70, 149 }, select(2, many:cholesky_ { info = true, variant = variant }):totable())
            end
            local info = select(2, lun.stack { dev:eye(2, { dtype = wide }), -dev:eye(2, { dtype = wide }) }
                :cholesky_ { info = true })
            assert.same({ 0, 1 }, info:totable())
            local bad = dev:ones({ 2, 2 }, wide):cholesky_()
            helper.refused("totable: cholesky_: not positive definite at row 2", bad)
            local f = dev:ones({ 2, 2 }, wide):lu_()
            assert.equal(0.0, f:det())
            local whole, shared = dev:ones({ 2, 2 }, "i32"), dev:ones({ 2, 1 }, wide):broadcast(2, 2)
            for _, name in ipairs { "cholesky_", "lu_", "lu_factor_" } do
                helper.refused(name .. ": i32 matrices cannot hold the factors; f32 or f64 is needed", whole)
                helper.refused(name .. ": a broadcast view cannot be written", shared)
            end
        end)

        it("of Cholesky solve in batches, with one vector or others, on " .. title, function()
            for _, n in ipairs { 3, 40 } do -- as many matrices as rows: no vectors are taken for a matrix
                local a = positive(dev:normal({ n, n, n }, { dtype = wide, seed = n }))
                local l = a:cholesky()
                for _, side in ipairs { { n }, { n, 1, n, 2 }, { 2, 1, n, 1 } } do
                    local b = dev:normal(side, { dtype = wide, seed = 50 + n })
                    local x, expected = lun.cholesky_solve(l, b), a:solve(b, { assume = "positive" })
                    assert.same({ expected:shape() }, { x:shape() })
                    assert.is_true((x - expected):abs():max() <= 100 * n * EPS[wide] * expected:abs():max())
                    local out = x:zeros_like()
                    assert.equal(out, lun.cholesky_solve(l, b, { async = true, out = out }):get())
                    assert.equal(x:tobytes(), out:tobytes())
                end
                l:set(0, 2, 3, 3)
                helper.refused(("totable: cholesky_solve: matrix 2 of %d: singular matrix: pivot 3 is 0"):format(n),
                    lun.cholesky_solve(l, dev:ones({ n }, wide)))
            end
            assert.same({ 2, 0 }, { lun.cholesky_solve(dev:zeros { 2, 0, 0 }, dev:zeros { 0 }):shape() })
        end)
    end)

    describe("rcond", function()
        it("is an array where one is needed, and waits for nothing then, on " .. title, function()
            local a = dev:normal({ 3, 7, 7 }, { dtype = wide, seed = 3 })
            local expected = a:rcond()
            for k = 1, 3 do
                assert.equal(expected:get(k), a:row(k):rcond())
                local inverse = a:row(k):inv()
                local exact = 1 / (a:row(k):norm { ord = 1 } * inverse:norm { ord = 1 })
                assert.is_true(expected:get(k) >= 0.99 * exact and expected:get(k) <= 3 * exact)
            end
            local out = dev:zeros({ 3 }, wide)
            assert.equal(out, a:rcond { out = out, queue = dev:queue() })
            assert_same_bits(expected:tobytes(), out:tobytes())
            assert_same_bits(expected:tobytes(), a:rcond { async = true }:get():tobytes())
            local factors, p = a:lu_factor()
            local norm = a:norm { ord = 1 }
            assert_same_bits(expected:tobytes(), factors:lu_rcond(p, norm):tobytes())
            helper.refused("lu_rcond: a norm of each matrix is needed, in the dtype of the factors",
                factors, p, norm:slice { 1, 2 })
            helper.refused("lu_rcond: a norm of each matrix is needed, in the dtype of the factors",
                factors, p, norm:cast "i32")
            helper.refused("lu_rcond: factors and the order of their rows are needed, as lu_factor gives them",
                factors, p:cast "i32", norm)
            assert.same({ math.huge, math.huge }, dev:zeros({ 2, 0, 0 }, wide):rcond():totable())
            assert.same({ 0 }, { dev:zeros({ 0, 3, 3 }, wide):rcond():shape() })
        end)
    end)

    describe("solve with least_rcond", function()
        it("solves what is well conditioned, as solve does, on " .. title, function()
            for _, n in ipairs { 1, 5, 40, 150 } do
                local a = dev:normal({ 3, n, n }, { dtype = wide, seed = n })
                for _, side in ipairs { { n }, { n, 2 }, { 2, 1, n, 2 } } do
                    local b = dev:normal(side, { dtype = wide, seed = 100 + n })
                    local given = { least_rcond = 1e-5 }
                    local x = a:solve(b, given)
                    if n > 128 then -- fewer equations have a kernel by themselves, which gives no factors
                        assert_same_bits(a:solve(b):tobytes(), x:tobytes())
                    end
                    local out = dev:zeros({ x:shape() }, wide)
                    assert.equal(out, a:solve(b, { least_rcond = 1e-5, out = out }))
                    assert_same_bits(x:tobytes(), out:tobytes())
                    given.transpose = true
                    if #side == 2 then
                        assert_solves(a, x, b, "as it is")
                        assert_solves(a:mt(), a:solve(b, given), b, "transposed")
                    end
                end
            end
            local whole = dev:array({ { 2, 1 }, { 1, 3 } }, "i32")
            helper.check_array(whole:solve(dev:array({ 3, 4 }, "f32"), { least_rcond = 0.1, assume = "general" }), wide,
                { 2 }, { 1.0, 1.0 }, 1e-6)
            local mixed = dev:array({ { 3, 1 }, { 0, 7 } }, "f32"):solve(dev:ones({ 2 }, wide), { least_rcond = 0.1 })
            helper.check_array(mixed, wide, { 2 }, { 2 / 7, 1 / 7 }, 4 * EPS[wide])
            assert.same({ 0, 2 }, { dev:zeros({ 0, 0 }, wide):solve(dev:zeros({ 0, 2 }, wide), { least_rcond = 1 })
                :shape() })
        end)

        it("raises where the estimate is below on " .. title, function()
            -- two equal columns are no pivot of 0: rounding leaves some
            local n = 12
            local a = dev:normal({ n, n }, { dtype = wide, seed = 1 })
            a:col(3):write(a:col(7):contiguous())
            local b = dev:ones({ n }, wide)
            assert.is_true(a:solve(b):abs():max() > 1e3)
            assert.is_true(a:rcond() > 0 and a:rcond() < n * EPS[wide])
            local x = a:solve(b, { least_rcond = 1e-5 })
            local ok, problem = pcall(x.totable, x)
            assert.is_false(ok)
            local r, least = tostring(problem):match "solve: reciprocal condition (%S+) is below (%S+)$"
            assert.is_true(least == "1e-05" and math.abs(tonumber(r) / a:rcond() - 1) < 0.1, tostring(problem))
            local many = lun.stack { dev:eye(n, { dtype = wide }), a, dev:zeros({ n, n }, wide) }
            local y = many:solve(b, { least_rcond = 0.01, async = true })
            helper.refused("get: solve: matrix 2 of 3: reciprocal condition ", y)
            local z = dev:zeros({ n, n }, wide):solve(b, { least_rcond = 0.5 })
            helper.refused("totable: solve: reciprocal condition 0 is below 0.5", z)
            local two = dev:array({ { 4, 0 }, { 0, 1 } }, wide)
            helper.check_array(two:solve(dev:ones({ 2 }, wide), { least_rcond = 0.25 }), wide, { 2 }, { 0.25, 1.0 }, 0)
            local missing = dev:full({ 2, 2 }, 0 / 0, wide):solve(dev:ones({ 2 }, wide), { least_rcond = 0.25 })
            helper.refused("totable: solve: reciprocal condition 0 is below 0.25", missing)
        end)

        it("refuses what does not work with it on " .. title, function()
            local a, b = dev:eye(2, { dtype = wide }), dev:ones({ 2 }, wide)
            for _, least in ipairs { -1, 2, 0 / 0 } do
                helper.refused("solve: option 'least_rcond': a number from 0 to 1 is needed, got ",
                    a, b, { least_rcond = least })
            end
            helper.refused("solve: least_rcond is for general matrices, and assume is \"upper\"",
                a, b, { least_rcond = 0.1, assume = "upper" })
            helper.refused("solve: least_rcond does not work with info: rcond returns the estimates",
                a, b, { least_rcond = 0.1, info = true })
            helper.refused("solve: the matrix has 2 rows, and the right side has shape (3)",
                a, dev:ones({ 3 }, wide), { least_rcond = 0.1 })
            helper.refused("solve: f16 matrices are not supported", a, dev:ones({ 2 }, "f16"), { least_rcond = 0.1 })
        end)
    end)
end)
