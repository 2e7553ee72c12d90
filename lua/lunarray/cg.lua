-- lun.cg: conjugate gradients (Hestenes and Stiefel 1952), for matrices that are symmetric, or Hermitian, and positive
-- definite. What a step divides by stays on the device.

local core = require "lunarray.core"
core._own()
local iterative = require "lunarray.iterative"
local fuse = require "lunarray.fuse"

local RR, RP, PQ, QZ, QMQ, COLUMNS = 1, 2, 3, 4, 5, 5 -- of a step's row
local ALL = { keepdims = true }

local function real(x, complex)
    return complex and x:real() or x
end

-- The kernels. A step: q = A p; alpha = (r, p) / (p, q); x = x + alpha p; r = r - alpha q; z = M r;
-- beta = -(q, z) / (p, q); p = z + beta p. Where M is an array m, (q, z) is (q, m r) - alpha (q, m q) (Meurant 1984):
-- then one pass has all sums. As alpha and beta hold for any r and p, r may be replaced by what b - A x is. Steps
-- behind the one that meets the limit change nothing, so that x is the same however often the host looks.
local function make_kernels(complex)
    local function alpha_of(rr, rp, pq, limit)
        return real(rr, complex):gt(limit):where(real(rp, complex) / real(pq, complex), 0)
    end
    local kernels = {}
    kernels.sums = fuse(function(r, p, q, m)
        local rc, qc = r:conj(), q:conj()
        return (rc * r):sum(ALL), (rc * p):sum(ALL), (qc * p):sum(ALL), (qc * (m * r)):sum(ALL), (qc * (m * q)):sum(ALL)
    end)
    kernels.step = fuse(function(x, r, p, q, m, rr, rp, pq, qz, qmq, limit)
        local alpha = alpha_of(rr, rp, pq, limit)
        local beta = (alpha * real(qmq, complex) - real(qz, complex)) / real(pq, complex)
        local left = r - alpha * q
        return x + alpha * p, left, real(rr, complex):gt(limit):where(m * left + beta * p, p)
    end)
    kernels.first_sums = fuse(function(r, p, q)
        local rc = r:conj()
        return (rc * r):sum(ALL), (rc * p):sum(ALL), (q:conj() * p):sum(ALL)
    end)
    kernels.move = fuse(function(x, r, p, q, rr, rp, pq, limit)
        local alpha = alpha_of(rr, rp, pq, limit)
        return x + alpha * p, r - alpha * q
    end)
    kernels.last_sum = fuse(function(q, z) return (q:conj() * z):sum(ALL) end)
    kernels.turn = fuse(function(p, z, rr, pq, qz, limit)
        return real(rr, complex):gt(limit):where(z - real(qz, complex) / real(pq, complex) * p, p)
    end)
    return kernels
end

local kernels = { [false] = make_kernels(false), [true] = make_kernels(true) }

-- A step, whose numbers go to `out`.
local function make_step(problem, r, p, q, z)
    local k, x, m, limit = kernels[problem.complex], problem.x, problem.weights, problem.limit
    if m then
        return function(out)
            local product = problem.product(p, q)
            k.sums(r, p, product, m, { out = out })
            k.step(x, r, p, product, m, out[RR], out[RP], out[PQ], out[QZ], out[QMQ], limit, { out = { x, r, p } })
        end
    end
    return function(out)
        local product = problem.product(p, q)
        k.first_sums(r, p, product, { out = { out[RR], out[RP], out[PQ] } })
        k.move(x, r, p, product, out[RR], out[RP], out[PQ], limit, { out = { x, r } })
        local conditioned = problem.precondition(r, z)
        k.last_sum(product, conditioned, { out = out[QZ] })
        k.turn(p, conditioned, out[RR], out[PQ], out[QZ], limit, { out = p })
    end
end

iterative.define("cg", {}, function(problem)
    local p, q, step
    local z = problem.precondition and problem:vector()
    local all, out = problem:rows(problem.every, COLUMNS)
    -- Looks at the rows of as many steps. True: the limit is met.
    local function look(count)
        for i, row in ipairs(all:totable()) do
            if i > count then
                break
            elseif problem:note(problem.done, math.sqrt(iterative.real(row[RR]))) then
                return true
            end
            problem:check_divisor(problem.done + 1, "p . A p", iterative.real(row[PQ]))
            problem.done = problem.done + 1
        end
        return false
    end
    return function(r)
        if not step then
            p, q = problem:vector(), problem:vector()
            problem:preconditioned(r, p):copy { out = p }
            step = make_step(problem, r, p, q, z)
        end
        while problem.done < problem.steps do
            local count = math.min(problem.every, problem.steps - problem.done)
            for i = 1, count do
                step(out[i])
            end
            local met = look(count)
            problem:call_back()
            if met then
                return true
            end
        end
        return false
    end
end)
