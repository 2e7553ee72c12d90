-- lstsq: least squares, of the shortest length where several are least.

local helper = require "spec.helper"
local matrices = require "spec.linalg.eigen_matrices"
local nist = require "spec.linalg.nist_squares"

local EPS, norm = matrices.EPS, matrices.norm

local function assert_near(a, b, units, what)
    local scale = math.max(norm(a), norm(b))
    local error = norm(a - b)
    assert.is_true(error <= units * scale, ("%s: off by %g of %g"):format(what, error, scale)) -- NaN fails as well
end

-- Well conditioned: what is added to the diagonal is larger than the norm of the rest.
local function well(dev, m, n, dtype, seed)
    local noise = dev:random({ m, n }, { dtype = dtype, seed = seed, low = -1, high = 1 })
    return noise / math.sqrt(m * n) + dev:eye(m, n, 0, { dtype = dtype }) * 2
end

local SHAPES = { { 1, 1 }, { 5, 1 }, { 1, 5 }, { 5, 3 }, { 3, 5 }, { 17, 17 }, { 40, 17 }, { 17, 40 }, { 100, 70 },
    { 70, 100 }, { 300, 5 }, { 5, 300 },
    { 2100, 5 }, { 5, 2100 }, { 140, 130 } }

describe("lstsq", function()
    matrices.each_variant("lstsq", function(dev, variant, dtype, title)
        local given = { variant = variant }

        it("leaves nothing that columns could reach, on " .. title, function()
            for at, shape in ipairs(SHAPES) do
                local m, n = shape[1], shape[2]
                for _, sides in ipairs { 0, 1, 20 } do
                    local a = well(dev, m, n, dtype, at)
                    local b = dev:normal(sides == 0 and { m } or { m, sides }, { dtype = dtype, seed = at + 50 })
                    local x, report = a:lstsq(b, given)
                    local what = ("%dx%d, %d right sides"):format(m, n, sides)
                    local units = 20 * math.max(m, n) * EPS[dtype]
                    local left = b - a:matmul(x)
                    assert.is_true(norm(a:t():matmul(left)) <= units * norm(b) * 3, what .. ": a^T (b - a x)")
                    assert.equal(math.min(m, n), report.rank)
                    assert.equal(sides == 0 and "float" or "userdata", math.type(report.residuals) or
                        type(report.residuals))
                    local squares = sides == 0 and left:sumsq() or left:sumsq { axis = 1 }
                    local off = sides == 0 and math.abs(squares - report.residuals) or norm(squares - report.residuals)
                    assert.is_true(off <= units * b:sumsq(), what .. ": residuals")
                    if m < n then
                        -- The shortest is a product of rows.
                        local rows = a:t():lstsq(x, given)
                        assert_near(a:t():matmul(rows), x, units, what .. ": the shortest")
                    end
                end
            end
        end)

        it("finds ranks, and the shortest of what is least, on " .. title, function()
            for at, shape in ipairs { { 5, 3 }, { 3, 5 }, { 20, 20 }, { 60, 40 }, { 40, 60 }, { 90, 80 }, { 140, 130 },
                { 40, 130 } } do
                local m, n = shape[1], shape[2]
                for rank = 0, 2 do
                    local left = well(dev, m, math.max(rank, 1), dtype, at)
                    local right = well(dev, math.max(rank, 1), n, dtype, at + 9) * (rank == 0 and 0 or 1)
                    local b = dev:normal({ m, 3 }, { dtype = dtype, seed = at })
                    local x, report = left:matmul(right):lstsq(b, given)
                    assert.equal(rank, report.rank)
                    -- Of a = left right, both of full rank, it is what they solve one behind the other.
                    local inner = left:lstsq(b, given)
                    local wanted = rank == 0 and x:zeros_like() or right:lstsq(inner, given)
                    assert_near(x, wanted, 100 * (m + n) * EPS[dtype], ("rank %d of %dx%d"):format(rank, m, n))
                    local off = b - left:matmul(right):matmul(x)
                    assert.is_true(norm(off:sumsq { axis = 1 } - report.residuals) <= 100 * (m + n) * EPS[dtype] *
                        b:sumsq())
                end
            end
        end)

        it("counts what is larger than rcond, on " .. title, function()
            local a = dev:array({ 1, 1e-2, 1e-4 }, dtype):diag()
            local b = dev:ones({ 3 }, dtype)
            for rank, rcond in ipairs { 0.1, 1e-3, 1e-5 } do
                local x, report = a:lstsq(b, { rcond = rcond, variant = variant })
                assert.equal(rank, report.rank)
                assert.equal(rcond, report.rcond)
                for i = 1, 3 do
                    local wanted = i <= rank and 100.0 ^ (i - 1) or 0
                    assert.is_true(math.abs(x:get(i) - wanted) <= 1e-5 * wanted)
                end
                assert.is_true(math.abs(report.residuals - (3 - rank)) < 1e-5)
            end
            local _, report = dev:ones({ 4, 7 }, dtype):lstsq(dev:ones({ 4 }, dtype), given)
            assert.equal(7 * EPS[dtype], report.rcond)
            local n = 20 -- by default the larger of both sizes, times epsilon
            for _, rows in ipairs { n, 2 } do
                local thin = dev:zeros({ rows, n }, dtype)
                local values = { 1.5 * n * EPS[dtype], 1 }
                for i = 3, rows do
                    values[i] = 0.5 * n * EPS[dtype]
                end
                thin:diagonal():write(dev:array(values, dtype))
                assert.equal(2, select(2, thin:lstsq(dev:ones({ rows }, dtype), given)).rank)
                thin:set(0.5 * n * EPS[dtype], 1, 1)
                assert.equal(1, select(2, thin:lstsq(dev:ones({ rows }, dtype), given)).rank)
            end
        end)

        it("takes batches, whose ranks may differ, on " .. title, function()
            local a = dev:normal({ 3, 9, 4 }, { dtype = dtype, seed = 1 })
            a:row(2):col(3):write(a:row(2):col(1):copy())
            local b = dev:normal({ 2, 1, 9, 5 }, { dtype = dtype, seed = 2 })
            local x, report = a:lstsq(b, given)
            assert.same({ 2, 3, 4, 5 }, { x:shape() })
            assert.same({ 4, 3, 4 }, report.rank:totable())
            assert.same({ 2, 3, 5 }, { report.residuals:shape() })
            for i = 1, 2 do
                for j = 1, 3 do
                    local alone, one = a:row(j):lstsq(b:row(i):row(1), given)
                    assert.equal(alone:tobytes(), x:row(i):row(j):copy():tobytes())
                    assert.equal(one.residuals:tobytes(), report.residuals:row(i):row(j):copy():tobytes())
                end
            end
            -- More right sides than matrices by far are solved by the factors of each.
            local right = dev:normal({ 5, 3, 9, 2 }, { dtype = dtype, seed = 4 })
            local many, of = a:lstsq(right, given)
            assert.same({ 4, 3, 4 }, of.rank:totable())
            for i = 1, 5 do
                local some, one = a:lstsq(right:row(i), given)
                assert_near(many:row(i), some, 1e3 * EPS[dtype], "of many right sides")
                assert_near(of.residuals:row(i), one.residuals, 1e3 * EPS[dtype], "residuals of many")
            end
            local vector = a:lstsq(dev:ones({ 9 }, dtype), given)
            assert.same({ 3, 4 }, { vector:shape() })
            -- A tall matrix, whose right sides leave no axis free.
            local tall = dev:normal({ 2100, 2 }, { dtype = dtype, seed = 3 })
            local wanted = dev:normal({ 1, 1, 1, 1, 1, 2, 2, 3 }, { dtype = dtype, seed = 4 })
            local found, left = tall:lstsq(tall:matmul(wanted), given)
            assert_near(found, wanted, 10 * 2100 * EPS[dtype], "8 axes")
            assert.equal(2, left.rank)
        end)
    end, true)

    helper.each_device(function(dev, title)
        local dtype = matrices.dtypes(dev)[1]

        it("knows NIST's certified answers on " .. title, function()
            if not dev:info().fp64 then
                return
            end
            local function check(a, b, set, digits)
                for _, variant in ipairs(dev:variants "lstsq") do
                    local x, report = a:lstsq(b, { rcond = 0, variant = variant })
                    for i, wanted in ipairs(set.coefficients) do
                        assert.is_true(math.abs(x:get(i) / wanted - 1) <= 10 ^ -digits, "coefficient " .. i)
                    end
                    assert.is_true(math.abs(report.residuals / set.left - 1) <= 10 ^ -digits)
                end
            end
            local rows, y = {}, {}
            for i, row in ipairs(nist.longley.data) do
                rows[i], y[i] = { 1, table.unpack(row, 2) }, row[1]
            end
            -- With columns of length 1 the condition is 4.3e4, times eps.
            check(dev:array(rows, "f64"), dev:array(y, "f64"), nist.longley, 10)
            local powers, data = {}, dev:array(nist.filip.data, "f64"):reshape(82, 2)
            for i = 1, 82 do
                local x, power = data:get(i, 2), 1
                powers[i] = {}
                for j = 1, 11 do
                    powers[i][j], power = power, power * x
                end
            end
            -- Here it is 5.2e9.
            check(dev:array(powers, "f64"), data:col(1), nist.filip, 5)
        end)

        it("takes sizes of 0 on " .. title, function()
            for _, shape in ipairs { { 0, 0 }, { 0, 3 }, { 3, 0 } } do
                local m, n = shape[1], shape[2]
                local x, report = dev:zeros({ m, n }, dtype):lstsq(dev:full({ m, 2 }, 2, dtype))
                helper.check_array(x, dtype, { n, 2 }, n == 0 and {} or { 0.0, 0.0, 0.0, 0.0, 0.0, 0.0 })
                assert.equal(0, report.rank)
                assert.same({ 4.0 * m, 4.0 * m }, report.residuals:totable())
            end
            local x, report = dev:ones({ 0, 3, 2 }, dtype):lstsq(dev:ones({ 3 }, dtype))
            assert.same({ 0, 2 }, { x:shape() })
            assert.same({}, report.rank:totable())
            assert.same({ 2, 0 }, { dev:ones({ 3, 2 }, dtype):lstsq(dev:ones({ 3, 0 }, dtype)):shape() })
        end)

        it("gives an event with all three, and runs on queues, on " .. title, function()
            local a = dev:normal({ 9, 4 }, { dtype = dtype, seed = 1 })
            local b = dev:normal({ 9 }, { dtype = dtype, seed = 2 })
            local x, report = a:lstsq(b)
            local later, residuals, rank = a:lstsq(b, { async = true }):get()
            assert.equal(x:tobytes(), later:tobytes())
            assert.equal(report.residuals, residuals:get())
            assert.equal(4, rank:get())
            assert.equal(x:tobytes(), a:lstsq(b, { queue = dev:queue() }):tobytes())
            assert.is_truthy(tostring(report):find("report of lstsq: rank 4, residuals ", 1, true))
            assert.is_nil(report.anything)
        end)

        it("says where the matrix is not finite; of b it spreads in its column, on " .. title, function()
            for _, shape in ipairs { { 40, 30 }, { 30, 40 }, { 150, 30 }, { 30, 150 } } do
                local a, b = dev:ones(shape, dtype), dev:ones({ shape[1], 2 }, dtype)
                a:set(0 / 0, 21, 29)
                local x = a:lstsq(b)
                helper.refused("totable: lstsq: not finite at (21, 29)", x)
            end
            pcall(dev.finish, dev)
            local b = dev:ones({ 5, 2 }, dtype)
            b:set(0 / 0, 3, 1)
            local x = dev:eye(5, 3, 0, { dtype = dtype }):lstsq(b)
            assert.is_true(x:col(1):isnan():any())
            assert.is_true(x:col(2):isfinite():all())
        end)

        it("refuses what it does not take on " .. title, function()
            local a = dev:ones({ 3, 2 }, dtype)
            helper.refused("lstsq: the matrix has 3 rows, and the right side has shape (2)", a, dev:ones({ 2 }, dtype))
            helper.refused("lstsq: the right side is a number; a vector or a matrix is needed", a, dev:ones({}, dtype))
            helper.refused("lstsq: batch axes differ: (2x3x2) and (3x3x1)",
                dev:ones({ 2, 3, 2 }, dtype), dev:ones({ 3, 3, 1 }, dtype))
            helper.refused("lstsq: a matrix is needed, or a batch of them; the array has shape (2)", a:row(1), a)
            helper.refused("lstsq: rcond is -0.5; a number from 0 to 1 is needed", a, a, { rcond = -0.5 })
            helper.refused("lstsq: rcond is ", a, a, { rcond = 0 / 0 })
            for _, name in ipairs { "f16", "bf16" } do
                local words = name .. " matrices are not supported; f32 or f64 is needed: use cast(\"f32\")"
                helper.refused("lstsq: " .. words, a:cast(name), a)
                helper.refused("lstsq: " .. words, a, a:cast(name))
            end
        end)
    end)
end)
