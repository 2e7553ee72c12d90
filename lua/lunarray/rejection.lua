-- Steps of random draws that are computed by rounds, or term by term, each as one kernel.

local core = require "lunarray.core"
core._own()

local rejection = {}

-- Accepts or refuses a candidate of each element. Those of earlier rounds stay.
local function keep(done, value, good, candidate)
    return done:lor(good), done:where(value, good:where(candidate, value))
end

-- Marsaglia and Tsang, "A simple method for generating gamma variables" (2000).
rejection.gamma_round = core.fuse(function(done, value, z, u, d)
    local root = z / (d * 9):sqrt() + 1
    local v = root * root * root
    local good = v:gt(0):land(u:log():lt(z * z * 0.5 + d - d * v + d * v:maximum(0):log()))
    return keep(done, value, good, d * v)
end)

-- Hormann's transformed rejection, PTRS (1993), for means from 10.
rejection.poisson_round = core.fuse(function(done, value, u, v, mean)
    local b = mean:sqrt() * 2.53 + 0.931
    local a, x = b * 0.02483 - 0.059, u - 0.5
    local us = (x:abs() - 0.5):neg()
    local k = ((a * 2 / us + b) * x + mean + 0.43):floor()
    local height = (v * ((b - 3.4):recip() * 1.1328 + 1.1239) / (a / (us * us) + b)):log()
    local sure = us:ge(0.07):land(v:le((b - 2):recip() * -3.6224 + 0.9277))
    local good = k:ge(0):land(k:isfinite())
    good = good:land(sure:lor(height:le(k * mean:log() - mean - (k + 1):lgamma())))
    return keep(done, value, good, k)
end)

-- The same for binomial counts, BTRS, of p up to 1/2 and means from 10.
rejection.binomial_round = core.fuse(function(done, value, u, v, n, p)
    local spread = (n * p * (p - 1):neg()):sqrt()
    local b = spread * 2.53 + 1.15
    local a, x = b * 0.0248 - 0.0873 + p * 0.01, u - 0.5
    local us, most = (x:abs() - 0.5):neg(), ((n + 1) * p):floor()
    local k = ((a * 2 / us + b) * x + n * p + 0.5):floor()
    local height = (v * (b:recip() * 5.1 + 2.83) * spread / (a / (us * us) + b)):log()
    local sure = us:ge(0.07):land(v:le(b:recip() * -4.2 + 0.92))
    local good, inside = k:ge(0):land(k:le(n)), k:clamp(0, 1e300):minimum(n)
    local law = (most + 1):lgamma() + (n - most + 1):lgamma() - (inside + 1):lgamma() - (n - inside + 1):lgamma()
        + (inside - most) * (p / (p - 1):neg()):log()
    return keep(done, value, good:land(sure:lor(height:le(law))), k)
end)

-- Inversion: the sum of the probabilities of 0 .. i, and how many sums the uniform has reached.
rejection.poisson_term = core.fuse(function(sum, term, value, u, mean, i)
    local counted = value + u:ge(sum):cast(value:dtype())
    term = term * mean / i
    return sum + term, term, counted
end)
rejection.binomial_term = core.fuse(function(sum, term, value, u, n, p, i)
    local counted = value + u:ge(sum):cast(value:dtype())
    term = term * (n - i + 1):maximum(0) / i * p / (p - 1):neg()
    return sum + term, term, counted
end)

return rejection
