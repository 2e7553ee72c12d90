-- lun.bicgstab: stabilised bi-conjugate gradients (van der Vorst 1992), for square matrices of any kind. What a step
-- divides by stays on the device.

local core = require "lunarray.core"
core._own()
local iterative = require "lunarray.iterative"
local fuse = require "lunarray.fuse"

local RR, RHO, RV, TS, TT, SS, ST, COLUMNS = 1, 2, 3, 4, 5, 6, 7, 7 -- of a step's row; s is the shadow's part in SS, ST
local ALL = { keepdims = true }

-- The kernels, of which `shadow` is the first residual. A step: v = A M p; alpha = (shadow, r) / (shadow, v);
-- s = r - alpha v; t = A M s; omega = (t, s) / (t, t); x = x + alpha M p + omega M s; r = s - omega t;
-- beta = (shadow, r) / (shadow, r before) alpha / omega; p = r + beta (p - omega v). The next (shadow, r) is
-- (shadow, s) - omega (shadow, t), so that one pass has all sums. Steps behind the one that meets the limit change
-- nothing.
local function make_kernels(complex)
    local function goes_on(rr, limit)
        return (complex and rr:real() or rr):gt(limit)
    end
    local function omega_of(ts, tt)
        return tt:ne(0):where(ts / tt, 0)
    end
    local kernels = {}
    kernels.first_sums = fuse(function(shadow, r, v)
        local sc = shadow:conj()
        return (r:conj() * r):sum(ALL), (sc * r):sum(ALL), (sc * v):sum(ALL)
    end)
    kernels.half = fuse(function(r, v, rho, rv) return r - rho / rv * v end)
    kernels.last_sums = fuse(function(shadow, s, t)
        local sc, tc = shadow:conj(), t:conj()
        return (tc * s):sum(ALL), (tc * t):sum(ALL), (sc * s):sum(ALL), (sc * t):sum(ALL)
    end)
    kernels.step = fuse(function(x, r, p, mp, v, s, ms, t, rr, rho, rv, ts, tt, ss, st, limit)
        local going, alpha, omega = goes_on(rr, limit), rho / rv, omega_of(ts, tt)
        local left, beta = s - omega * t, (ss - omega * st) / (rv * omega)
        return going:where(x + alpha * mp + omega * ms, x), going:where(left, r),
            going:where(left + beta * (p - omega * v), p)
    end)
    return kernels
end

local kernels = { [false] = make_kernels(false), [true] = make_kernels(true) }

-- Two products with A, whose numbers go to `out`.
local function make_step(problem, w)
    local k, x, limit = kernels[problem.complex], problem.x, problem.limit
    return function(r, out)
        local mp = problem:preconditioned(w.p, w.mp)
        local v = problem.product(mp, w.v)
        k.first_sums(w.shadow, r, v, { out = { out[RR], out[RHO], out[RV] } })
        k.half(r, v, out[RHO], out[RV], { out = w.s })
        local ms = problem:preconditioned(w.s, w.ms)
        local t = problem.product(ms, w.t)
        k.last_sums(w.shadow, w.s, t, { out = { out[TS], out[TT], out[SS], out[ST] } })
        k.step(x, r, w.p, mp, v, w.s, ms, t, out[RR], out[RHO], out[RV], out[TS], out[TT], out[SS], out[ST], limit,
            { out = { x, r, w.p } })
    end
end

-- The size of a number that was read.
local function size(number)
    return math.type(number) and math.abs(number) or number:abs()
end

iterative.define("bicgstab", {}, function(problem)
    local w, step = {}, nil
    local all, out = problem:rows(problem.every, COLUMNS)
    -- Looks at the rows of as many steps. True: the limit is met. A step whose omega is 0 has no next one.
    local function look(count, last_omega)
        for i, row in ipairs(all:totable()) do
            if i > count then
                break
            elseif problem:note(problem.done, math.sqrt(iterative.real(row[RR]))) then
                return true
            elseif last_omega == 0 then
                problem:fail(problem.done, "omega is 0")
            end
            problem:check_divisor(problem.done + 1, "rho", size(row[RHO]))
            problem:check_divisor(problem.done + 1, "(r0, v)", size(row[RV]))
            last_omega = size(row[TS])
            problem.done = problem.done + 1
        end
        return false, last_omega
    end
    return function(r)
        if not step then
            for _, name in ipairs { "shadow", "p", "v", "s", "t" } do
                w[name] = problem:vector()
            end
            w.mp, w.ms = problem:conditioned(), problem:conditioned()
            step = make_step(problem, w)
        end
        r:copy { out = w.shadow }
        r:copy { out = w.p }
        local met, last_omega = false, 1
        while not met and problem.done < problem.steps do
            local count = math.min(problem.every, problem.steps - problem.done)
            for i = 1, count do
                step(r, out[i])
            end
            met, last_omega = look(count, last_omega)
            problem:call_back()
        end
        return met
    end
end)
