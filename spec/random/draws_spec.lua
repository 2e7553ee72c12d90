-- Draws that consist of others: arrays as parameters, and distributions without a kernel. Seeds are fixed, and
-- bounds are those
-- that one good sample in 10,000 exceeds.

local lun = require "lunarray"
local helper = require "spec.helper"
local statistics = require "spec.random.statistics"

local dev = lun.device()
local COUNT = 4000

local function flat(array) return helper.flat(array) end

local function fits(list, mean, variance, fourth, below)
    statistics.fits("the mean", statistics.mean(list, mean, variance))
    statistics.fits("the variance", statistics.variance(list, mean, variance, fourth))
    if below then
        statistics.fits("the distribution", statistics.kolmogorov(list, below))
    end
end

-- How many of the list are low, low + 1 ..., beside probabilities.
local function fits_counts(list, low, probabilities)
    local counts, expected = {}, {}
    for i, p in ipairs(probabilities) do
        counts[i], expected[i] = 0, p * #list
    end
    for _, x in ipairs(list) do
        local place = x - low + 1
        assert(counts[place], "no probability of " .. x)
        counts[place] = counts[place] + 1
    end
    statistics.fits("the counts", statistics.chi_squared(counts, expected))
end

-- Central moments of gamma numbers of the scale 1: variance and fourth.
local function gamma_moments(alpha)
    return alpha, 3 * alpha ^ 2 + 6 * alpha
end

describe("a distribution", function()
    it("gamma has its moments, and for 1 the exponential distribution", function()
        for i, alpha in ipairs { 0.3, 1, 2.5, 40 } do
            local list = flat(dev:rng(i):gamma({ COUNT }, "f64", { alpha = alpha }))
            local variance, fourth = gamma_moments(alpha)
            fits(list, alpha, variance, fourth, alpha == 1 and function(x) return 1 - math.exp(-x) end or nil)
        end
        fits(flat(dev:rng(9):gamma({ COUNT }, "f64", { alpha = 2, scale = 3 })), 6, 18, 24 * 81)
    end)

    it("chisquare, beta and lognormal are what they are made of", function()
        local list = flat(dev:rng(1):chisquare({ COUNT }, "f64", { df = 2 }))
        fits(list, 2, 4, 9 * 16, function(x) return 1 - math.exp(-x / 2) end)
        list = flat(dev:rng(2):beta({ COUNT }, "f64", { a = 1, b = 3 }))
        statistics.fits("beta", statistics.kolmogorov(list, function(x) return 1 - (1 - x) ^ 3 end))
        list = flat(dev:rng(3):lognormal({ COUNT }, "f64", { mean = 1, std = 0.5 }))
        statistics.fits("lognormal", statistics.kolmogorov(list, function(x)
            return statistics.normal_below((math.log(x) - 1) / 0.5)
        end))
    end)

    it("laplace and cauchy are symmetric about their location", function()
        local list = flat(dev:rng(4):laplace({ COUNT }, "f64", { location = 1, scale = 2 }))
        fits(list, 1, 8, 24 * 16, function(x)
            return x < 1 and math.exp((x - 1) / 2) / 2 or 1 - math.exp((1 - x) / 2) / 2
        end)
        list = flat(dev:rng(5):cauchy({ COUNT }, "f64", { location = 3, scale = 0.5 }))
        statistics.fits("cauchy", statistics.kolmogorov(list, function(x)
            return 0.5 + math.atan((x - 3) / 0.5) / math.pi
        end))
    end)

    it("geometric counts trials up to the first success", function()
        local p, probabilities = 0.3, {}
        for k = 1, 60 do
            probabilities[k] = p * (1 - p) ^ (k - 1)
        end
        fits_counts(flat(dev:rng(6):geometric({ COUNT }, { p = p })), 1, probabilities)
        assert.equal(1, dev:rng(6):geometric({ 100 }, { p = 1 }):max())
    end)

    it("multinomial counts have binomial parts, and sum to n", function()
        local counts = dev:rng(7):multinomial({ COUNT }, { n = 20, p = { 0.2, 0.5, 0.3 } })
        assert.same({ COUNT, 3 }, { counts:shape() })
        assert.is_true(counts:sum { axis = 2 }:eq(20):all())
        for k, p in ipairs { 0.2, 0.5, 0.3 } do
            fits_counts(flat(counts:col(k)), 0, statistics.binomial(20, p, 0, 20))
        end
        helper.check_array(dev:rng(1):multinomial({ 2 }, { n = 3, p = { 0, 1, 0 } }), "i64", { 2, 3 }, { 0, 3, 0, 0,
            3, 0 })
    end)

    it("multivariate_normal has its means and covariances", function()
        local x = dev:rng(8):multivariate_normal({ COUNT }, "f64", { mean = { 1, -2 }, cov = { { 4, 1 }, { 1, 2 } } })
        assert.same({ COUNT, 2 }, { x:shape() })
        fits(flat(x:col(1)), 1, 4, 3 * 16, function(v) return statistics.normal_below((v - 1) / 2) end)
        fits(flat(x:col(2)), -2, 2, 3 * 4, function(v) return statistics.normal_below((v + 2) / math.sqrt(2)) end)
        -- the covariance's own variance is (s11 s22 + s12^2) / n
        local covariance = ((x:col(1) - 1) * (x:col(2) + 2)):mean()
        assert.is_true(math.abs(covariance - 1) < 4 * math.sqrt((4 * 2 + 1) / COUNT))
    end)

    it("shuffle gives the rows of its array in each order equally often", function()
        local rng, counts, expected = dev:rng(10), {}, {}
        for _ = 1, 300 do
            local a = dev:arange(6):reshape(3, 2)
            assert.equal(a, rng:shuffle(a))
            assert.is_true((a:col(2) - a:col(1)):eq(1):all())
            local place = a:get(1, 1) * 10 + a:get(2, 1)
            counts[place] = (counts[place] or 0) + 1
        end
        local list = {}
        for _, count in pairs(counts) do
            list[#list + 1], expected[#expected + 1] = count, 50
        end
        assert.equal(6, #list)
        statistics.fits("orders", statistics.chi_squared(list, expected))
    end)
end)

describe("an array as a parameter", function()
    it("broadcasts, each element having its own", function()
        local x = dev:rng(1):normal({ COUNT, 2 }, "f64", { mean = dev:array { 0, 100 }, std = dev:array({ 1, 3 },
            "i32") })
        fits(flat(x:col(1)), 0, 1, 3, statistics.normal_below)
        fits(flat(x:col(2)), 100, 9, 3 * 81, function(v) return statistics.normal_below((v - 100) / 3) end)
        x = dev:rng(2):uniform({ 2, COUNT }, "f64", { low = dev:array { { 0 }, { 5 } }, high = 6 })
        fits(flat(x:row(1)), 3, 3, 6 ^ 4 / 80, function(v) return v / 6 end)
        fits(flat(x:row(2)), 5.5, 1 / 12, 1 / 80, function(v) return v - 5 end)
        x = dev:rng(3):exponential({ COUNT, 2 }, "f64", { scale = dev:array { 1, 4 } })
        fits(flat(x:col(2)), 4, 16, 9 * 256, function(v) return 1 - math.exp(-v / 4) end)
    end)

    it("gives integers and counts of each range, mean and chance", function()
        local x = dev:rng(4):integers({ COUNT, 2 }, { low = dev:array({ 1, -3 }, "i64"), high = 4 })
        fits_counts(flat(x:col(1)), 1, { 1 / 4, 1 / 4, 1 / 4, 1 / 4 })
        fits_counts(flat(x:col(2)), -3, { 1 / 8, 1 / 8, 1 / 8, 1 / 8, 1 / 8, 1 / 8, 1 / 8, 1 / 8 })
        x = dev:rng(5):poisson({ COUNT, 3 }, { lambda = dev:array { 0, 4, 60 } })
        assert.equal(0, x:col(1):max())
        fits_counts(flat(x:col(2)), 0, statistics.poisson(4, 0, 40))
        fits_counts(flat(x:col(3)), 0, statistics.poisson(60, 0, 150))
        x = dev:rng(6):binomial({ COUNT, 3 }, "i32", { n = dev:array { 10, 80, 80 }, p = dev:array { 0.3, 0.4, 0.9 } })
        assert.equal("i32", x:dtype())
        fits_counts(flat(x:col(1)), 0, statistics.binomial(10, 0.3, 0, 10))
        fits_counts(flat(x:col(2)), 0, statistics.binomial(80, 0.4, 0, 80))
        fits_counts(flat(x:col(3)), 0, statistics.binomial(80, 0.9, 0, 80))
        helper.check_array(dev:rng(1):binomial({ 2 }, { n = dev:array { 7, 0 }, p = dev:array { 1, 0.5 } }), "i64",
            { 2 },
            { 7, 0 })
    end)

    it("gives the same numbers again for the same seed, and numbers as before without arrays", function()
        local function all(rng)
            local mean = dev:array { 1, 20 }
            return { flat(rng:poisson({ 5, 2 }, { lambda = mean })), flat(rng:gamma({ 5, 2 }, { alpha = mean })),
                flat(rng:normal({ 5, 2 }, { mean = mean })) }
        end
        assert.same(all(dev:rng(3)), all(dev:rng(3)))
        assert.equal("f32", dev:rng(1):gamma({ 2 }, { alpha = 1 }):dtype())
        helper.check_array(dev:rng(1):gamma({ 0, 2 }, { alpha = dev:ones { 2 } }), "f32", { 0, 2 }, {})
        assert.equal("f64", lun.with "f64"(function() return dev:rng(1):laplace { 2 }:dtype() end))
    end)

    it("is refused where a value is wrong, and the stream stays", function()
        local rng = dev:rng(1)
        local function refused(message, name, ...)
            local given = table.pack(...)
            helper.raises(name .. ": " .. message, function() rng[name](rng, table.unpack(given, 1, given.n)) end)
        end
        local pair = dev:array { 1, -1 }
        refused("option 'lambda': a finite number from 0 is needed, got -1.0", "poisson", { 2 }, { lambda = pair })
        refused("option 'std': a finite number from 0 is needed, got -1.0", "normal", { 2 }, { std = pair })
        refused("option 'p': a number from 0 to 1 is needed, got -1.0", "binomial", { 2 }, { n = 3, p = pair })
        refused("option 'n': a whole number from 0 is needed, got 0.5", "binomial", { 2 }, { n = dev:array { 0.5 },
            p = 0 })
        refused("option 'alpha': a finite number above 0 is needed, got 0.0", "gamma", { 2 }, { alpha = 0 })
        refused("option 'p': a number above 0, at most 1 is needed, got 0.0", "geometric", { 2 }, { p = 0 })
        refused("option 'mean': its shape 2 does not broadcast to 3", "normal", { 3 }, { mean = pair })
        refused("option 'scale': a number or an array is needed, got a string", "gamma", { 2 }, { alpha = 1,
            scale = "1" })
        refused("option 'mean': real numbers are needed, got c64", "normal", { 2 }, { mean = dev:ones({ 2 }, "c64") })
        refused("each low must be less than its high", "uniform", { 2 }, { low = pair, high = 0 })
        refused("no low may be greater than its high", "integers", { 2 }, { low = pair, high = 0 })
        refused("a range from low to high has more than 2^63 - 1 numbers", "integers", { 1 },
            { low = dev:array({ math.mininteger }, "i64"), high = math.maxinteger })
        refused("the numbers are integers, and f32 is a dtype of floats", "geometric", { 2 }, "f32", { p = 0.5 })
        refused("the numbers are floats, and i32 is a dtype of integers", "laplace", { 2 }, "i32")
        refused("the option alpha is missing", "gamma", { 2 })
        refused("unknown option 'shape'; known are alpha, scale, dtype", "gamma", { 2 }, { shape = 1 })
        refused("the dtype is given twice: \"f32\" and the option \"f64\"", "laplace", { 2 }, "f32", { dtype = "f64" })
        refused("argument 1: a whole number or a list of sizes is needed, got a string", "laplace", "2")
        refused("a dtype (a string) and a table of options are needed behind the shape", "laplace", { 2 }, 3)
        refused("argument 4: nothing after argument 3 is needed, got 3", "laplace", { 2 }, "f32", {}, 3)
        refused("option 'p': the sum is 0.9; it must be 1", "multinomial", { 2 }, { n = 3, p = { 0.4, 0.5 } })
        refused("option 'p': numbers from 0 are needed, got -0.5", "multinomial", { 2 }, { n = 3, p = { -0.5, 1.5 } })
        refused("option 'p': an array of 1 axes is needed, got one of 2", "multinomial", { 2 },
            { n = 3, p = dev:ones { 1, 1 } })
        refused("option 'cov': 2x2 is needed, for a mean of 2, got 1x1", "multivariate_normal", { 2 },
            { mean = { 0, 0 }, cov = { { 1 } } })
        refused("argument 1: an array is needed, got 3", "shuffle", 3)
        refused("argument 2: nothing after argument 1 is needed, got 3", "shuffle", pair, 3)
        assert.same({ 1, 0, 0, 0 }, rng:state())
        helper.raises("gamma: self: a random stream is needed, got a table; is it called with a colon?", function()
            rng.gamma({ 2 }, { alpha = 1 })
        end)
    end)
end)
