-- Tests of random samples in plain Lua, and what they are held against: each critical value is exceeded by one good
-- sample in 10,000. Seeds are fixed, so a sample that passes passes for good.

local statistics = {}

-- The normal distribution's quantiles: of 1 - 1e-4 (one side), and of 1 - 1e-4 / 2 (two sides).
local ONE_SIDE, TWO_SIDES = 3.719016, 3.890592

-- Pearson's statistic of counts beside expected counts, and its critical value (Wilson and Hilferty 1931). Neighbours
-- are joined until 10 or more are expected.
function statistics.chi_squared(counts, expected)
    local sum, bins, seen, wanted = 0, 0, 0, 0
    local last_seen, last_wanted
    for i = 1, #expected do
        seen, wanted = seen + counts[i], wanted + expected[i]
        if wanted >= 10 then
            if last_wanted then
                sum, bins = sum + (last_seen - last_wanted) ^ 2 / last_wanted, bins + 1
            end
            last_seen, last_wanted, seen, wanted = seen, wanted, 0, 0
        end
    end
    last_seen, last_wanted = last_seen + seen, last_wanted + wanted
    sum = sum + (last_seen - last_wanted) ^ 2 / last_wanted
    local freedom = math.max(bins, 1) -- bins + 1 bins, whose sum is known
    local part = 2 / (9 * freedom)
    return sum, freedom * (1 - part + ONE_SIDE * math.sqrt(part)) ^ 3
end

-- Kolmogorov and Smirnov's statistic of a sample beside a distribution function, times the root of its size; its
-- critical value for large samples (Kolmogorov 1933).
function statistics.kolmogorov(list, distribution)
    local sorted, far = table.move(list, 1, #list, 1, {}), 0
    table.sort(sorted)
    for i, x in ipairs(sorted) do
        local p = distribution(x)
        far = math.max(far, p - (i - 1) / #sorted, i / #sorted - p)
    end
    return far * math.sqrt(#sorted), math.sqrt(math.log(2 / 1e-4) / 2)
end

-- How far the mean is from the expected one, in its standard deviations.
function statistics.mean(list, mean, variance)
    local sum = 0.0
    for _, x in ipairs(list) do
        sum = sum + (x - mean)
    end
    return math.abs(sum) / math.sqrt(#list * variance), TWO_SIDES
end

-- The same of the variance about the known mean; `fourth` is the fourth central moment.
function statistics.variance(list, mean, variance, fourth)
    local sum = 0.0
    for _, x in ipairs(list) do
        sum = sum + ((x - mean) ^ 2 - variance)
    end
    return math.abs(sum) / math.sqrt(#list * (fourth - variance ^ 2)), TWO_SIDES
end

-- The same of the correlation of two samples, the second of which is `lag` behind.
function statistics.correlation(a, b, lag)
    local n = math.min(#a, #b) - lag
    local sa, sb, saa, sbb, sab = 0.0, 0.0, 0.0, 0.0, 0.0
    for i = 1, n do
        local x, y = a[i], b[i + lag]
        sa, sb, saa, sbb, sab = sa + x, sb + y, saa + x * x, sbb + y * y, sab + x * y
    end
    local covariance = sab / n - sa / n * (sb / n)
    local spread = math.sqrt((saa / n - (sa / n) ^ 2) * (sbb / n - (sb / n) ^ 2))
    return math.abs(covariance) / spread * math.sqrt(n), TWO_SIDES
end

-- Asserts that one of these is below its critical value.
function statistics.fits(what, value, critical)
    assert(value == value and value < critical, ("%s: %.4g, and at most %.4g is needed"):format(what, value, critical))
end

-- ---- distributions ----------------------------------------------------------------------------------------------

-- The normal distribution function, by erfc's continued fraction and series (Abramowitz and Stegun 7.1.6, 7.1.14).
function statistics.normal_below(x)
    local z = math.abs(x) / math.sqrt(2)
    local upper
    if z < 2.5 then
        local term, sum, n = z, z, 0
        repeat
            n = n + 1
            term = term * 2 * z * z / (2 * n + 1)
            sum = sum + term
        until term <= 1e-17 * sum
        upper = 0.5 - sum * math.exp(-z * z) / math.sqrt(math.pi)
    else
        local fraction = 0.0
        for k = 80, 1, -1 do
            fraction = k / 2 / (z + fraction)
        end
        upper = math.exp(-z * z) / (z + fraction) / math.sqrt(math.pi) / 2
    end
    return x > 0 and 1 - upper or upper
end

-- The logarithms of k! for k = 0 .. n.
local function log_factorials(n)
    local list = { [0] = 0.0 }
    for k = 1, n do
        list[k] = list[k - 1] + math.log(k)
    end
    return list
end

-- The probabilities of the counts low .. high.
function statistics.poisson(lambda, low, high)
    local logs, list = log_factorials(high), {}
    for k = low, high do
        list[#list + 1] = lambda == 0 and (k == 0 and 1 or 0) or math.exp(k * math.log(lambda) - lambda - logs[k])
    end
    return list
end

function statistics.binomial(n, p, low, high)
    local logs, list = log_factorials(n), {}
    for k = low, high do
        list[#list + 1] = math.exp(logs[n] - logs[k] - logs[n - k] + k * math.log(p) + (n - k) * math.log(1 - p))
    end
    return list
end

return statistics
