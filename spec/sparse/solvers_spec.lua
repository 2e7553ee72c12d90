-- lun.cg, lun.bicgstab and lun.gmres: what they find is compared with solve, and their residual with b - A x.

local helper = require "spec.helper"
local lun = require "lunarray"
local sparse = require "spec.sparse.sparse"
local matrices = require "spec.linalg.eigen_matrices"

local it = helper.one_in(2, it)

local EPS, noise = sparse.EPS, sparse.noise
local NAMES = { "cg", "bicgstab", "gmres" }
local n = 40

local function is_complex(dtype) return dtype:sub(1, 1) == "c" end

-- Well conditioned, with no order in its eigenvalues: for cg Hermitian and positive definite, for the others neither.
local function matrix(dev, name, dtype, size)
    local g = noise(dev, { size or n, size or n }, dtype, 1) / (4 * math.sqrt(size or n))
    local one = dev:eye(size or n, { dtype = dtype })
    if name == "cg" then
        return one + (g + g:conj():t())
    end
    return is_complex(dtype) and (one + g) * lun.complex(0.6, 0.8) or one + g
end

local function residual(A, x, b)
    return (b - A:matmul(x)):norm() / b:norm()
end

-- The Laplacian on a line, whose condition is about (size / 1.6)^2, as a matrix.
local function line(dev, size, dtype)
    return 2 * dev:eye(size, { dtype = dtype }) - dev:eye(size, size, 1, { dtype = dtype })
        - dev:eye(size, size, -1, { dtype = dtype })
end

local function bits(x) return x:tobytes() end

helper.each_device(function(dev, title)
    local double = dev:info().fp64 and "f64" or "f32"

    for _, name in ipairs(NAMES) do
        local solver = lun[name]

        describe(name .. " on " .. title, function()
            it("solves in each dtype, and its residual is that of b - A x", function()
                local every = os.getenv "LUNARRAY_LONG" and double == "f64" -- others are compiled for this alone
                for _, dtype in ipairs(every and { "f32", "f64", "c64", "c128" } or { double, "c64" }) do
                    local A, b = matrix(dev, name, dtype), noise(dev, { n }, dtype, 5)
                    local tol = 100 * EPS[dtype]
                    local x, report = solver(A, b, { tol = tol })
                    assert.equal(dtype, x:dtype())
                    assert.same({ n }, { x:shape() })
                    assert.is_true(report.converged)
                    assert.is_true(report.residual <= tol and report.residual > 0)
                    assert.is_true(math.abs(residual(A, x, b) - report.residual) <= 2 * n * EPS[dtype], dtype)
                    local error = (x - A:solve(b)):norm()
                    assert.is_true(error <= 10 * tol * x:norm(), dtype .. ": " .. error)
                    assert.is_true(report.steps > 3 and report.steps < n, report.steps)
                    assert.equal(report.steps, #report.history)
                    assert.equal(report.residual, report.history[report.steps])
                    assert.is_true(report.history[1] < 1 and report.history[report.steps - 1] > tol)
                end
            end)

            it("gives the same bits however often it looks, and twice", function()
                local A, b, x, report = matrix(dev, name, double), noise(dev, { n }, double, 5), nil, nil
                for _, every in ipairs { 1, 3, 10, 10, 1000 } do
                    local given, said = solver(A, b, { tol = 1e-5, every = every })
                    x, report = x or given, report or said
                    assert.equal(bits(x), bits(given))
                    assert.same(report, said)
                end
            end)

            it("takes preconditioners of all kinds", function()
                local scales = (dev:arange(1, n):cast(double) % 7):exp2()
                local rows = scales:reshape(n, 1)
                local A = matrix(dev, name, double) * rows * scales
                local b = noise(dev, { n }, double, 5)
                local m = 1 / A:diagonal()
                local plain, first = select(2, solver(A, b, { tol = 1e-4 })).steps, nil
                local kinds = {
                    "jacobi", m, dev:eye(n, { dtype = double }) * m, A:inv(),
                    function(r, out) return r:mul(m, { out = out }) end,
                    function(r) return r * m end,
                }
                for at, kind in ipairs(kinds) do
                    local x, report = solver(A, b, { tol = 1e-4, preconditioner = kind })
                    assert.is_true(report.converged and residual(A, x, b) <= 2e-4, at)
                    local said = ("kind %d: %d steps, %d without"):format(at, report.steps, plain)
                    assert.is_true(report.steps < plain / 2, said)
                    first = first or report.steps
                    assert.is_true(at == 4 or math.abs(report.steps - first) <= 1, said)
                    assert.is_true(at ~= 4 or report.steps <= 2)
                end
            end)

            it("takes a sparse matrix, with the bits that a function of its products gives", function()
                local A, b = matrix(dev, name, double):sparse(), noise(dev, { n }, double, 5)
                local given = { tol = 1e-5, preconditioner = 1 / A:diag() }
                local x, report = solver(function(p, out) return A:matmul(p, { out = out }) end, b, given)
                given.preconditioner = "jacobi"
                local own, said = solver(A, b, given)
                assert.equal(bits(x), bits(own))
                assert.same(report, said)
                given.preconditioner = (1 / A:diag() * dev:eye(n)):sparse()
                own, said = solver(A, b, given)
                assert.is_true(said.converged and (own - x):norm() <= 1e-4 * x:norm())
                assert.is_true(math.abs(said.steps - report.steps) <= 1)
                A, b = matrix(dev, name, "f32"), noise(dev, { n }, "c64", 5)
                x, report = solver(A:sparse(), b)
                assert.is_true(report.converged and residual(A, x, b) <= 2e-6)
            end)

            it("takes triangles, with the bits of the incomplete factors that they are", function()
                local A, b = matrix(dev, name, double):sparse(), noise(dev, { n }, double, 5)
                local known, said = solver(A, b, { tol = 1e-5, preconditioner = "ilu" })
                local both = { A:ilu() }
                both[2] = rawget(both[1], "_inner").lower
                for _, kind in ipairs { both[1], { "unit lower", both[2], "upper", both[2] } } do
                    local x, report = solver(A, b, { tol = 1e-5, preconditioner = kind })
                    assert.equal(bits(known), bits(x))
                    assert.same(said, report)
                end
                local one = select(2, solver(A, b, { tol = 1e-5, preconditioner = { "upper", both[2] } }))
                assert.is_true(one.converged)
            end)

            it("goes on where a function has yielded", function()
                local A, b = matrix(dev, name, double), noise(dev, { n }, double, 5)
                local known, said = solver(A, b, { preconditioner = A:inv() })
                local solve = coroutine.wrap(function()
                    local m = A:inv()
                    return solver(function(p) coroutine.yield "A" return A:matmul(p) end, b, {
                        preconditioner = function(p, out) coroutine.yield "M" return m:matmul(p, { out = out }) end,
                        callback = function(step) coroutine.yield(step) end })
                end)
                local seen, x, report = {}, solve()
                while not report do
                    seen[#seen + 1] = tostring(x)
                    x, report = solve()
                end
                assert.equal(bits(known), bits(x))
                assert.same(said, report)
                local order = table.concat(seen, " ")
                assert.matches("^A .*M .*A", order)
                assert.matches(tostring(report.steps), order, 1, true)
            end)

            it("takes a function of an array in b's shape", function()
                local square, given = { 6, 5 }, nil
                local A = matrix(dev, name, double, 30)
                local wide = noise(dev, { 6, 10 }, double, 5)
                local b = wide:slice({}, { 1, 10, 2 })
                for _, f in ipairs {
                    function(p, out)
                        given = { p:shape() }
                        A:matmul(p:reshape(30), { out = out:reshape(30) })
                        return out
                    end,
                    function(p) return A:matmul(p:reshape(30)):reshape(6, 5) end,
                    function(p) return A:matmul(p:reshape(30)):reshape(6, 5):t():contiguous():t() end,
                } do
                    local x, report = solver(f, b, { tol = 1e-5 })
                    assert.same(square, given)
                    assert.same(square, { x:shape() })
                    local flat = b:contiguous():reshape(30)
                    assert.is_true(report.converged and residual(A, x:reshape(30), flat) <= 2e-5)
                end
                local x, report = solver(function(p) return p end, b, { tol = 1e-5 })
                assert.is_true(report.steps == 1 and (x - b):norm() <= 1e-5 * b:norm())
            end)

            it("begins at x, which stays as it is", function()
                local A, start = matrix(dev, name, double), noise(dev, { n }, double, 7)
                local b, before = A:matmul(start), start:tobytes()
                local x, report = solver(A, b, { x = start })
                assert.equal(0, report.steps)
                assert.is_true(report.converged and #report.history == 0)
                assert.equal(before, bits(x))
                x, report = solver(A, b, { x = start * 0.999 })
                local fresh = select(2, solver(A, b))
                assert.is_true(report.converged and report.steps > 0 and report.steps < fresh.steps)
                assert.is_true((x - start):norm() <= 1e-5 * start:norm())
                assert.equal(before, bits(start))
            end)

            it("knows that 0 is solved by 0, and takes no numbers", function()
                local A = matrix(dev, name, double)
                local x, report = solver(A, dev:zeros({ n }, double), { x = noise(dev, { n }, double, 7) })
                assert.same({ true, 0, 0.0, 0 }, { report.converged, report.steps, report.residual, #report.history })
                assert.equal(0.0, x:norm())
                x, report = solver(dev:zeros({ 0, 0 }, double), dev:zeros({ 0 }, double), { preconditioner = "jacobi" })
                assert.is_true(report.converged and x:size() == 0)
            end)

            it("says where it has not converged", function()
                local A, b = matrix(dev, name, double), noise(dev, { n }, double, 5)
                for _, steps in ipairs { 0, 1, 2, 3 } do
                    local x, report = solver(A, b, { tol = 1e-6, steps = steps, every = 2 })
                    assert.is_false(report.converged)
                    assert.equal(steps, report.steps)
                    assert.equal(steps, #report.history)
                    assert.is_true(math.abs(residual(A, x, b) - report.residual) <= 10 * n * EPS[double])
                end
            end)

            it("has a history of what b - A x was", function()
                for _, dtype in ipairs { double, "c64" } do
                    local A, b = matrix(dev, name, dtype), noise(dev, { n }, dtype, 5)
                    local history = select(2, solver(A, b, { tol = 1e-5 })).history
                    for k = 1, #history do
                        local x = solver(A, b, { tol = 1e-5, steps = k })
                        assert.is_true(math.abs(residual(A, x, b) - history[k]) <= 1e-2 * history[k], dtype .. k)
                    end
                end
            end)

            it("ends by itself where rounding lets it come no nearer", function()
                local A, b = matrix(dev, name, "f32"), noise(dev, { n }, "f32", 5)
                local x, report = solver(A, b, { tol = 1e-12, steps = 100000 })
                assert.is_false(report.converged)
                assert.is_true(report.steps < 1000, report.steps)
                assert.is_true(math.abs(residual(A, x, b) - report.residual) <= n * EPS.f32)
                assert.is_true(report.residual < n * EPS.f32)
            end)

            it("does not depend on b's size, as its squares are none of b's", function()
                local A, b = matrix(dev, name, "f32"), noise(dev, { n }, "f32", 5)
                local x = solver(A, b)
                for _, exponent in ipairs { -100, 100 } do
                    local scaled, report = solver(A, b * 2.0 ^ exponent)
                    assert.is_true(report.converged)
                    assert.equal(bits(x), bits(scaled * 2.0 ^ -exponent))
                end
            end)

            it("takes what is of several dtypes as the widest, integers as f64", function()
                local A, b = matrix(dev, name, "f32"), dev:ones({ n }, "f32")
                assert.equal("c64", solver(A, b * lun.complex(1)):dtype())
                assert.equal("c64", solver(A, b, { x = b * lun.i }):dtype())
                assert.equal("c64", solver(A, b, { preconditioner = b * lun.complex(1) }):dtype())
                if double == "f64" then
                    assert.equal("f64", solver(A, b:cast "i32"):dtype())
                    assert.equal("c128", lun.cg(matrix(dev, "cg", "f64"), b * lun.i):dtype())
                end
            end)

            it("calls back at each look", function()
                local A, b, seen = matrix(dev, name, double), noise(dev, { n }, double, 5), {}
                local _, report = solver(A, b, { tol = 1e-6, every = 2, callback = function(step, left)
                    table.insert(seen, { step, left })
                end })
                assert.is_true(#seen >= report.steps // 2)
                for i, each in ipairs(seen) do
                    assert.is_true(each[1] <= 2 * i and each[1] > (i == 1 and 0 or seen[i - 1][1]))
                    assert.is_true(each[1] == report.steps or report.history[each[1]] == each[2])
                end
                local _, problem = pcall(solver, A, b, { callback = function() error("stop", 0) end })
                assert.equal("stop", problem)
            end)

            it("gives back all but x", function()
                local A, b = matrix(dev, name, double), noise(dev, { n }, double, 5)
                collectgarbage()
                collectgarbage()
                local before = dev:memory().live
                local x <close> = solver(A, b, { preconditioner = A:inv() })
                collectgarbage()
                collectgarbage()
                assert.equal(before + #x * (double == "f64" and 8 or 4), dev:memory().live)
                local live = dev:memory().live
                collectgarbage "stop"
                pcall(solver, A, b, { callback = function() error "" end })
                local after = dev:memory().live
                collectgarbage "restart"
                assert.is_true(after <= live + 64 * n, "after an error: " .. after - live)
            end)

            it("names NaN, with the step that it came at", function()
                local A, b = matrix(dev, name, double), noise(dev, { n }, double, 5)
                local what = { cg = "p . A p is NaN", bicgstab = "(r0, v) is NaN", gmres = "the residual is NaN" }
                for _, every in ipairs { 1, 2, 10 } do
                    local calls = 0
                    helper.raises(name .. ": " .. what[name] .. " at step 3", function()
                        solver(function(p)
                            calls = calls + 1
                            return A:matmul(p) * (calls == (name == "bicgstab" and 6 or 4) and 0 / 0 or 1)
                        end, b, { every = every, tol = 1e-9 })
                    end)
                end
                helper.raises(name .. ": argument 2: the norm of b is NaN", function() solver(A, b * (0 / 0)) end)
                helper.raises(name .. ": argument 2: the norm of b is inf", function() solver(A, b:fill(1 / 0)) end)
                helper.raises(name .. ": the residual is NaN at step 0", function()
                    solver(A, b:fill(1), { x = b * (0 / 0) })
                end)
            end)
        end)
    end

    describe("solvers on " .. title, function()
        it("take as many steps as there are eigenvalues", function()
            local A = dev:eye(n, { dtype = double }) * (1 + dev:arange(1, n):cast(double) % 3)
            local b = noise(dev, { n }, double, 5)
            for _, name in ipairs(NAMES) do
                assert.equal(3, select(2, lun[name](A, b, { tol = 1000 * EPS[double] })).steps, name)
            end
        end)

        it("cg goes on from b - A x where its own residual says that it is done", function()
            local b = noise(dev, { 200 }, "f32", 5)
            for size, tol in pairs { [200] = 1e-4, [60] = 1e-6 } do
                local A, right = line(dev, size, "f32"), b:slice { 1, size }
                local x, report = lun.cg(A, right, { tol = tol })
                assert.equal(report.residual <= tol, report.converged)
                assert.is_true(report.steps < 10 * size, report.steps) -- of so many it would not have ended by itself
                assert.is_true(math.abs(residual(A, x, right) - report.residual) <= 1e-3 * report.residual)
            end
        end)

        it("cg knows the eigenvectors of a plate", function()
            local size = 24
            local at = dev:arange(1, size):cast(double) / (size + 1)
            local wave = (at * math.pi):sin():reshape(size, 1) * (2 * at * math.pi):sin()
            local known = 4 - 2 * math.cos(math.pi / (size + 1)) - 2 * math.cos(2 * math.pi / (size + 1))
            local function laplacian(u)
                local v = u:pad({ { 1, 1 }, { 1, 1 } })
                local m = size + 2
                return 4 * u - v:slice({ 1, size }, { 2, m - 1 }) - v:slice({ 3, m }, { 2, m - 1 })
                    - v:slice({ 2, m - 1 }, { 1, size }) - v:slice({ 2, m - 1 }, { 3, m })
            end
            local x, report = lun.cg(laplacian, wave, { tol = 1000 * EPS[double] })
            assert.equal(1, report.steps)
            assert.is_true((x * known - wave):norm() <= 1e5 * EPS[double] * wave:norm())
        end)

        it("cg knows the eigenvectors of a cube, whose matrix is sparse", function()
            local size, count, steps, rows, cols, values = 6, 216, { 1, 6, 36 }, {}, {}, {}
            local function add(row, col, value)
                rows[#rows + 1], cols[#cols + 1], values[#values + 1] = row, col, value
            end
            for at = 0, count - 1 do
                for axis = 0, 2 do
                    local step = steps[axis + 1]
                    local place = at // step % size
                    add(at + 1, at + 1, 2) -- added up: 6
                    if place > 0 then add(at + 1, at + 1 - step, -1) end
                    if place < size - 1 then add(at + 1, at + 1 + step, -1) end
                end
            end
            local A = lun.sparse { rows = rows, cols = cols, values = values, shape = { count, count },
                dtype = double }
            for _, waves in ipairs { { 1, 1, 1 }, { 2, 1, 3 }, { 6, 6, 6 } } do
                local known, wave = 6, {}
                for axis = 1, 3 do
                    known = known - 2 * math.cos(math.pi * waves[axis] / (size + 1))
                end
                for at = 0, count - 1 do
                    wave[at + 1] = 1.0
                    for axis = 0, 2 do
                        local place = at // steps[axis + 1] % size + 1
                        wave[at + 1] = wave[at + 1] * math.sin(math.pi * waves[axis + 1] * place / (size + 1))
                    end
                end
                local b = dev:array(wave, double)
                local x, report = lun.cg(A, b, { tol = 1000 * EPS[double] })
                assert.equal(1, report.steps)
                assert.is_true((x * known - b):norm() <= 1000 * EPS[double] * b:norm(), known)
            end
        end)

        it("cg solves BCSSTK01", function()
            local A = matrices.listed(dev, 48, double, "bcsstk01", true)
            local b = noise(dev, { 48 }, double, 5)
            local tol = double == "f64" and 1e-8 or 1e-3
            local x, report = lun.cg(A, b, { tol = tol, preconditioner = "jacobi" })
            assert.is_true(report.converged and residual(A, x, b) <= 1.01 * tol, report.residual)
            assert.is_true(report.steps < 200, report.steps)
        end)

        it("gmres solves WEST0067: unsymmetric, and 0 on the diagonal", function()
            local A = matrices.listed(dev, 67, double, "west0067"):sparse()
            assert.same({ 294, 2 }, { A:nnz(), A:diag():nnz() })
            local known = noise(dev, { 67 }, double, 7)
            local b, tol = A:matmul(known), double == "f64" and 1e-10 or 1e-4
            local x, report = lun.gmres(A, b, { tol = tol, restart = 67 })
            assert.is_true(report.converged and report.steps <= 67, report.steps)
            assert.is_true(residual(A:dense(), x, b) <= 1.01 * tol)
            assert.is_true((x - known):norm() <= 132 * tol * known:norm()) -- its condition is 130.2
            local _, few = lun.gmres(A, b, { tol = tol, restart = 5, steps = 30 })
            assert.is_false(few.converged) -- a cycle needs them all
            helper.refused("gmres: option 'preconditioner': 'jacobi' divides by the diagonal, and element 1 of it is 0",
                lun, A, b, { preconditioner = "jacobi" })
        end)

        it("gmres begins anew after `restart` steps, and its residual never grows", function()
            local A, b = line(dev, n, double), noise(dev, { n }, double, 5)
            local steps = {}
            for i, restart in ipairs { 1, 5, 20, n, 100 } do
                local x, report = lun.gmres(A, b, { tol = 1e-4, restart = restart, steps = 20000, every = 7 })
                assert.is_true(report.converged and residual(A, x, b) <= 1.1e-4, restart)
                for k = 2, report.steps do
                    assert.is_true(report.history[k] <= report.history[k - 1] * (1 + 1e-3), k)
                end
                steps[i] = report.steps
            end
            local said = table.concat(steps, " ")
            assert.is_true(steps[1] > steps[2] and steps[2] > steps[3] and steps[3] > steps[4], said)
            assert.is_true(steps[4] <= n and steps[5] == steps[4])
        end)

        it("name what a step divides by, where it is 0", function()
            for _, case in ipairs {
                { "cg", { { 0, 1 }, { 1, 0 } }, { 1, 0 }, "p . A p is 0 at step 1" },
                { "bicgstab", { { 2, 0, -1 }, { 2, -1, 2 }, { 0, 1, -1 } }, { -2, 0, 0 }, "rho is 0 at step 2" },
                { "bicgstab", { { 1, -2 }, { 2, -1 } }, { 1, 1 }, "(r0, v) is 0 at step 1" },
                { "bicgstab", { { 0, -2 }, { 0, 2 } }, { 1, 2 }, "(r0, v) is 0 at step 2" },
                { "bicgstab", { { 0, -1 }, { 2, -2 } }, { 0, -2 }, "omega is 0 at step 1" },
                { "bicgstab", { { 0, 2, 2 }, { 0, -1, -1 }, { 0, 2, -2 } }, { 0, -1, -1 }, "omega is 0 at step 2" },
                { "gmres", { { 0, 1 }, { 0, 0 } }, { 1, 0 },
                    "the matrix is singular: its product with a basis vector is 0 at step 1" },
            } do
                local name, rows, b, message = table.unpack(case)
                for _, every in ipairs { 1, 2, 10 } do
                    helper.raises(name .. ": " .. message, function()
                        lun[name](dev:array(rows, double), dev:array(b, double), { every = every })
                    end)
                end
            end
        end)
    end)
end)
