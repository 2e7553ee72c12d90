-- Eigenvalues of Hermitian matrices, singular values of complex ones, and what is made of these. Errors are in units of
-- n eps norm, as in eigh_spec.lua, and are found in c128.

local lun = require "lunarray"
local complex_matrices = require "spec.linalg.complex_matrices"
local helper = require "spec.helper"

local EPS, PART = complex_matrices.EPS, complex_matrices.PART
local wide, adjoint, norm = complex_matrices.wide, complex_matrices.adjoint, complex_matrices.norm
local assert_small, normal = complex_matrices.assert_small, complex_matrices.normal
local I <const> = lun.complex(0, 1)
-- All of both dtypes by all variants: other programs take PoCL half a minute to build.
local LONG = os.getenv "LUNARRAY_LONG"

local function hermitian(dev, shape, dtype, seed)
    local a = normal(dev, shape, dtype, seed)
    return a + adjoint(a)
end

-- How far the columns are from being orthogonal, for one of a batch.
local function orthogonality(v, dtype)
    local rows, columns = select(v:ndim() - 1, v:shape())
    local away = adjoint(wide(v)):matmul(wide(v)) - v:device():eye(columns, { dtype = "c128" })
    return norm(away) / (math.max(rows, columns, 1) * EPS[dtype] * math.sqrt(math.max(1, away:size() // columns ^ 2)))
end

-- The largest number of each column is real, and above 0.
local function assert_turned(v)
    local columns = v:ndim() == 3 and v:row(1) or v
    local largest = columns:abs():max { axis = 1 }
    for j = 1, columns:shape(2) do
        local column, top = columns:col(j), nil
        for i = columns:shape(1), 1, -1 do
            local z = column:get(i)
            top = (z.re ^ 2 + z.im ^ 2) ^ 0.5 >= 0.999 * largest:get(j) and z or top
        end
        assert.is_true(top.re > 0 and top.im == 0, "column " .. j)
    end
end

describe("eigenvalues of complex matrices", function()
    helper.each_device(function(dev, title)
        if not dev:info().fp64 then
            it("are checked in c128, which wants f64, on " .. title, function() end)
            return
        end

        for _, case in ipairs(helper.some {
            { "c64", { 1, 2, 3, 6, 7, 32, 33, 70 } },
            { "c128", { 1, 5, 16, 17, 66 } },
        }) do
            local dtype, sizes = case[1], case[2]
            for at, variant in ipairs(dev:variants "eigh") do
                if at > 1 and not LONG then
                    break
                end
                it(("and vectors of Hermitian ones of %s, %s, on %s"):format(dtype, variant, title), function()
                    for seed, n in ipairs(sizes) do
                        local a = hermitian(dev, { 2, n, n }, dtype, seed)
                        local w, v = a:eigh { variant = variant }
                        local unit, what = norm(a) * n * EPS[dtype], (" of %d"):format(n)
                        assert.same({ PART[dtype], dtype }, { w:dtype(), v:dtype() })
                        local left = wide(a):matmul(wide(v)) - wide(v) * wide(w):expand(-2)
                        assert_small(norm(left) / unit, "residual" .. what)
                        assert_small(orthogonality(v, dtype), "orthogonality" .. what)
                        assert.is_true(n == 1 or w:diff():min() >= 0, "ascending" .. what)
                        local alone = a:eigvalsh { variant = variant }
                        assert_small((alone - w):norm() / unit, "values alone" .. what)
                        assert_turned(v)
                    end
                end)

                it(("read one triangle, of a view, and give the same bits, %s of %s, on %s"):format(variant, dtype,
                    title), function()
                    for _, n in ipairs { 5, 36 } do
                        local a = hermitian(dev, { 2, n, n }, dtype, n)
                        local w, v = a:eigh { variant = variant }
                        local one = dev:ones { n, n }
                        for _, lower in ipairs { true, false } do
                            local other = dev:full({ 2, n, n }, lun.complex(0 / 0, 1), dtype)
                            local half = (lower and one:tril() or one:triu()):gt(0):where(a, other)
                            half:diagonal():add_(lun.complex(0, 3)) -- the imaginary parts of the diagonal do not count
                            local room = dev:zeros({ 2, n, 2 * n }, dtype)
                            local view = room:slice(nil, nil, { 2 * n, 1, -2 })
                            view:write(half)
                            local out = dev:zeros({ 2, n, n }, dtype):mt()
                            local got_w, got_v = view:eigh { lower = lower, variant = variant,
                                out = { dev:zeros({ 2, n }, PART[dtype]), out } }
                            assert.equal(w:tobytes() .. v:tobytes(), got_w:tobytes() .. got_v:tobytes())
                            assert.equal(v:tobytes(), out:tobytes())
                        end
                        local w_one, v_one = a:row(2):eigh { variant = variant }
                        assert.equal(w:row(2):tobytes() .. v:row(2):tobytes(), w_one:tobytes() .. v_one:tobytes())
                    end
                end)

                it(("and singular values of %s, %s, on %s"):format(dtype, variant, title), function()
                    local shapes = {
                        c64 = { { 1, 1 }, { 5, 3 }, { 3, 5 }, { 33, 33 }, { 36, 50 }, { 50, 36 } },
                        c128 = { { 4, 4 }, { 16, 10 }, { 17, 17 }, { 9, 40 } },
                    }
                    for seed, shape in ipairs(shapes[dtype]) do
                        local rows, columns = table.unpack(shape)
                        local a, n = normal(dev, { 2, rows, columns }, dtype, seed), math.max(rows, columns)
                        local few, what = math.min(rows, columns), (" of %dx%d"):format(rows, columns)
                        for _, full in ipairs { false, true } do
                            local u, s, v = a:svd { full = full, variant = variant }
                            assert.same({ dtype, PART[dtype], dtype }, { u:dtype(), s:dtype(), v:dtype() })
                            assert.same({ 2, rows, full and rows or few }, { u:shape() })
                            assert.same({ 2, columns, full and columns or few }, { v:shape() })
                            local left, right = wide(u):slice(nil, nil, { 1, few }), wide(v):slice(nil, nil, { 1, few })
                            local away = (left * wide(s):expand(-2)):matmul(adjoint(right)) - wide(a)
                            assert_small(norm(away) / (norm(a) * n * EPS[dtype]), "u s v^H" .. what)
                            assert_small(orthogonality(u, dtype), "u" .. what)
                            assert_small(orthogonality(v, dtype), "v" .. what)
                            assert.is_true(few == 1 or s:diff():max() <= 0, "descending" .. what)
                            assert_turned(v)
                            local alone = a:svdvals { variant = variant }
                            assert_small((alone - s):norm() / (norm(a) * n * EPS[dtype]), "values alone" .. what)
                        end
                    end
                end)
            end

            if dtype == "c64" or LONG then
                it(("near the ends of the range, and of known kinds, of %s on %s"):format(dtype, title), function()
                    local part, eps = PART[dtype], EPS[dtype]
                    local y = dev:array({ { 0, -I }, { I, 0 } }, dtype) -- Pauli's
                    local w, v = y:eigh()
                    helper.check_array(w, part, { 2 }, { -1.0, 1.0 }, 4 * eps)
                    local root = math.sqrt(0.5)
                    local known_v = dev:array({ { root, root }, { -root * I, root * I } }, dtype)
                    assert.is_true((v - known_v):abs():max() < 4 * eps)
                    for _, n in ipairs { 7, 40 } do
                        -- a ring of n atoms in a field: values 2 cos(2 pi k / n + phase)
                        local hop = dev:eye(n, { dtype = dtype }):roll(1, 1) * lun.complex(math.cos(0.3), math.sin(0.3))
                        local known = (dev:arange(1, n, { dtype = part }) * (2 * math.pi / n) + 0.3):cos() * 2
                        local ring = hop + adjoint(hop)
                        helper.check_array(ring:eigvalsh(), part, { n }, known:sort():totable(), 10 * n * eps)
                        local far = dtype == "c64" and 100 or 1000
                        for _, size in ipairs { 2.0 ^ far, 2.0 ^ -far } do
                            assert.is_true(((ring * size):eigvalsh() / size - ring:eigvalsh()):absmax() < 10 * n * eps)
                            assert.is_true(((ring * size):svdvals() / size - ring:svdvals()):absmax() < 10 * n * eps)
                        end
                        -- The transform's matrix: all values are sqrt(n). And one of rank 1: vectors of no value.
                        local fourier = dev:eye(n, { dtype = dtype }):fft()
                        assert.is_true((fourier:svdvals() / math.sqrt(n) - 1):absmax() < 10 * n * eps)
                        local low = normal(dev, { n, 1 }, dtype, 1):matmul(normal(dev, { 1, n }, dtype, 2))
                        local u, s, right = low:svd()
                        assert.is_true(s:get(2) < 10 * n * eps * s:get(1))
                        assert_small(orthogonality(u, dtype), "u of rank 1")
                        assert_small(orthogonality(right, dtype), "v of rank 1")
                        local zero_w, zero_v = dev:zeros({ n, n }, dtype):eigh()
                        assert.equal(0, zero_w:absmax())
                        assert_small(orthogonality(zero_v, dtype), "v of 0")
                    end
                end)

                it(("give inverses, ranks, conditions, norms and powers of %s on %s"):format(dtype, title), function()
                    local eps, one = EPS[dtype], dev:eye(4, { dtype = dtype })
                    local a = normal(dev, { 2, 6, 4 }, dtype, 3)
                    local p = a:pinv()
                    assert.same({ dtype, 2, 4, 6 }, { p:dtype(), p:shape() })
                    local cond = a:cond()
                    assert.is_true(norm(p:matmul(a) - one) < 100 * eps * cond:max())
                    local across = a:matmul(p)
                    assert.is_true(norm(across - adjoint(across)) < 100 * eps * cond:max())
                    helper.check_array(a:rank(), "i64", { 2 }, { 4, 4 })
                    local short = a:row(1):slice(nil, { 1, 2 }):matmul(adjoint(a:row(2):slice(nil, { 1, 2 })))
                    assert.equal(2, short:rank())
                    local s = a:svdvals()
                    assert.is_true((cond - s:col(1) / s:col(4)):absmax() < 1e3 * eps)
                    assert.is_true((a:norm { ord = 2 } - s:col(1)):absmax() < 100 * eps)
                    assert.is_true((a:norm { ord = "nuclear" } - s:sum { axis = 2 }):absmax() < 100 * eps)
                    local square = a:row(1):slice { 1, 4 }
                    local back = square:matrix_power(-2):matmul(square):matmul(square)
                    assert.is_true(norm(back - one) < 100 * eps * square:cond() ^ 2)
                    local by_inverse = square:norm { ord = 1 } * square:inv():norm { ord = 1 }
                    assert.is_true(math.abs(square:cond { ord = 1 } / by_inverse - 1) < 100 * eps)

                    local sizes_of = dev:array({ 0.1, 1, 30 }, PART[dtype]):reshape(3, 1, 1)
                    local h = hermitian(dev, { 3, 4, 4 }, dtype, 5) * sizes_of
                    local w, v = wide(h):eigh()
                    local turns = (h * I):expm()
                    local known = (v * (wide(w) * I):exp():expand(-2)):matmul(adjoint(v))
                    assert.equal(dtype, turns:dtype())
                    assert.is_true(norm(wide(turns) - known) < 1e3 * eps * norm(h))
                    assert.is_true((one * -1e30):expm():abs():max() == 0 and norm((one * 1e-30):expm() - one) == 0)
                end)

                it(("and solutions whose condition is judged, of %s on %s"):format(dtype, title), function()
                    local a, b = normal(dev, { 2, 5, 5 }, dtype, 4), normal(dev, { 5, 2 }, dtype, 5)
                    for _, transpose in ipairs { false, true, "conjugate" } do
                        local x = a:solve(b, { transpose = transpose, least_rcond = 1e-4 })
                        local plain = a:solve(b, { transpose = transpose })
                        assert.is_true(norm(x - plain) < 100 * EPS[dtype] * norm(plain) * a:cond():max())
                    end
                    a:row(2):col(3):write(a:row(2):col(1))
                    helper.refused("totable: solve: matrix 2 of 2: reciprocal condition ",
                        a:solve(b, { least_rcond = 1e-4 }))
                    assert.equal("c128", a:cast("c64"):solve(dev:ones({ 5 }, "f64"), { least_rcond = 0 }):dtype())
                end)
            end
        end

        it("say where a matrix is not finite, and take sizes of 0, on " .. title, function()
            for _, n in ipairs { 4, 36 } do
                local a = hermitian(dev, { 3, n, n }, "c64", 2)
                a:set(lun.complex(1, 1 / 0), 2, 3, 1)
                for _, name in ipairs { "eigh", "eigvalsh", "svd", "svdvals" } do
                    local first = a[name](a)
                    helper.refused(("totable: %s: matrix 2 of 3: not finite at (3, 1)"):format(name), first)
                end
                helper.refused("totable: svdvals: not finite at (1, 3)", a:row(2):t():slice({ 1, 3 }):svdvals())
            end
            local w, v = dev:zeros({ 0, 0 }, "c64"):eigh()
            assert.same({ "f32", 0, "c64", 0 }, { w:dtype(), w:size(), v:dtype(), v:size() })
            assert.equal(3, norm(dev:zeros({ 9, 0 }, "c64"):svd { full = true }))
            assert.equal(0, dev:zeros({ 4, 0 }, "c128"):rank())
            assert.same({ 0, 3 }, { dev:zeros({ 3, 0 }, "c64"):pinv():shape() })
        end)
    end)
end)
