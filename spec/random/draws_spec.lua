-- Draws whose parameters are arrays, and distributions beyond those of rng_spec.lua. Seeds are fixed, and bounds are
-- those that one good sample in 10,000 exceeds.

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

    it("takes parameters that are nested lists as arrays of doubles, which widen nothing", function()
        local function same(name, shape, list, array)
            local x, y = dev:rng(4), dev:rng(4)
            x, y = x[name](x, shape, list), y[name](y, shape, array)
            assert.equal(y:dtype() .. y:tobytes(), x:dtype() .. x:tobytes())
        end
        local cov = { { 4, 1 }, { 1, 2.5 } }
        same("multivariate_normal", { 9 }, { mean = { 1, -2 }, cov = cov }, { mean = { 1, -2 }, cov = dev:array(cov) })
        same("normal", { 3, 2 }, { mean = cov[1], std = 2 }, { mean = dev:array(cov[1]), std = 2 })
        same("poisson", nil, { lambda = cov }, { lambda = dev:array(cov) })
        helper.raises("multivariate_normal: row 2 has 1 element where 2 are needed", function()
            dev:rng(4):multivariate_normal({ 2 }, { mean = { 0, 0 }, cov = { { 1, 0 }, { 0 } } })
        end)
        helper.raises("normal: option 'out': an array is needed, got a table", function()
            dev:rng(4):normal({ 2 }, { out = { 1, 2 } })
        end)
    end)

    it("multivariate_normal has its means and covariances", function()
        local x = dev:rng(8):multivariate_normal({ COUNT }, "f64", { mean = { 1, -2 },
            cov = dev:array { { 4, 1 }, { 1, 2 } } })
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

    it("may stand for the shape, and gives what the number gives", function()
        local fives, same = dev:full({ 7, 3 }, 5), { 7, 3 }
        local rng, again = dev:rng(2), dev:rng(2)
        for _, draw in ipairs {
            { "poisson", "lambda" }, { "binomial", "n", { p = 0.3 } }, { "integers", "high" },
            { "gamma", "alpha", { scale = 2 } }, { "beta", "a", { b = 0.5 } }, { "chisquare", "df" },
            { "geometric", "p", { p = 0.25 } }, { "laplace", "scale" }, { "cauchy", "location" },
            { "lognormal", "mean", { std = 0.5 } },
        } do
            local name, parameter, others = table.unpack(draw)
            local each, one = {}, {}
            for key, value in pairs(others or {}) do
                each[key], one[key] = value, value
            end
            one[parameter] = one[parameter] or 5
            each[parameter] = one[parameter] == 5 and fives or dev:full(same, one[parameter])
            local drawn = rng[name](rng, each)
            assert.same(same, { drawn:shape() })
            assert.same(flat(again[name](again, same, one)), flat(drawn), name)
            assert.same(again:state(), rng:state())
        end
        local pairs_of = rng:normal { mean = dev:zeros { 5, 1 }, std = dev:ones { 4 } }
        assert.same({ 5, 4 }, { pairs_of:shape() })
        assert.equal(0, rng:uniform():ndim())
        local counts = rng:multinomial { n = dev:array({ 3, 1000 }, "i32"),
            p = dev:array { { { 0, 1 } }, { { 0.25, 0.75 } }, { { 1, 0 } } } }
        helper.check_array(counts:sum { axis = 3 }, "i64", { 3, 2 }, { 3, 1000, 3, 1000, 3, 1000 })
        helper.check_array(counts:slice({}, {}, 1):slice { 1, 3, 2 }, "i64", { 2, 2 }, { 0, 0, 3, 1000 })
    end)

    it("gives uniforms below the upper end in any dtype, and 64-bit integers exactly", function()
        for _, dtype in ipairs(helper.dtypes(dev, "float")) do
            local x = dev:rng(1):uniform({ COUNT }, dtype, { low = dev:array(1), high = 1.03125 })
            assert.is_true(x:ge(1):land(x:lt(1.03125)):all())
        end
        local most = math.maxinteger
        local x = dev:rng(3):integers({ 40, 3 }, { low = dev:array({ math.mininteger, most - 1, -most }, "i64"),
            high = dev:array({ most, most, -most }, "i64") })
        helper.check_array(x:col(1), "i64", { 40 }, flat(dev:rng(3):integers({ 40, 3 }, math.mininteger, most):col(1)))
        assert.equal(1, (x:col(2) - most + 1):max())
        assert.is_true(x:col(3):eq(-most):all())
        local wide = dev:rng(3):integers({ 2 }, "u64", { low = dev:array({ -2 }, "i64"):cast("u64") * 0 + 5, high = 6 })
        assert.is_true(wide:ge(5):all())
    end)

    it("draws in parts what it draws at once, to a view and as an event", function()
        local mean = dev:linspace(0, 40, 10)
        for _, name in ipairs { "poisson", "gamma", "laplace", "beta" } do
            local whole, parts = dev:rng(4), dev:rng(4)
            local function options(from, to)
                local some = mean:slice { from, to } + 1
                return { lambda = name == "poisson" and some or nil, alpha = name == "gamma" and some or nil,
                    scale = name == "laplace" and some or nil, a = name == "beta" and some or nil,
                    b = name == "beta" and 2 or nil }
            end
            local all = flat(whole[name](whole, options(1, 10)))
            local list = flat(parts[name](parts, options(1, 3)))
            table.move(flat(parts[name](parts, options(4, 10))), 1, 7, 4, list)
            assert.same(all, list, name)
            local held = dev:zeros({ 10, 2 }, name == "poisson" and "i64" or "f32")
            local given = options(1, 10)
            given.out, given.async = held:col(2), true
            local rng = dev:rng(4)
            rng[name](rng, given):wait()
            assert.same(all, flat(held:col(2)))
            assert.equal(0, held:col(1):sum())
        end
    end)

    local rng = dev:rng(1)
    local pair = dev:array { 1, -1 }
    local function refused(message, name, ...)
        local given = table.pack(...)
        helper.raises(name .. ": " .. message, function() rng[name](rng, table.unpack(given, 1, given.n)) end)
    end
    local function judged(message, name, ...)
        local given = table.pack(...)
        local ok, problem = pcall(function() rng[name](rng, table.unpack(given)):tobytes() end)
        assert.is_false(ok)
        assert.equal(name .. ": " .. message, (tostring(problem):gsub("^.-lunarray: ", ""):gsub("^tobytes: ", "")))
    end

    it("is checked on the device, where elements are no parameters", function()
        judged("lambda at position 2 is -1; a finite number from 0 is needed", "poisson", { 2 }, { lambda = pair })
        judged("std at position 2 is -1; a finite number from 0 is needed", "normal", { 2 }, { std = pair })
        judged("p at position 2 is -1; a number from 0 to 1 is needed", "binomial", { 2 }, { n = 3, p = pair })
        judged("n at position 1 is 0.5; a whole number from 0 is needed", "binomial", { 2 }, { n = dev:array { 0.5 },
            p = 0 })
        judged("n at position 2 is 300; a whole number from 0, at most 255, is needed", "binomial", { 2 }, "u8",
            { n = dev:array { 3, 300 }, p = 0 })
        judged("lambda at position 3 is nan; a finite number from 0 is needed", "poisson",
            { lambda = dev:array { 0, 1, 0 / 0, -1 } })
        judged("lambda at position 1 is 10000; a finite number from 0, at most 60, is needed", "poisson",
            { dtype = "u8", lambda = dev:array { 10000 } })
        judged("alpha at position 1 is inf; a finite number above 0 is needed", "gamma",
            { alpha = dev:array { 1 / 0 } })
        judged("p at position 2 is 0; a number above 0, at most 1 is needed", "geometric", { p = dev:array { 1, 0 } })
        judged("high - low at position 2 is 0; a finite number above 0 is needed", "uniform", { low = pair,
            high = dev:array { 2, -1 } })
        judged("low at position 2 is 0.5; a whole number that the dtype holds is needed", "integers",
            { low = dev:array { 1, 0.5 }, high = 4 })
        judged("high at position 1 is 300; a whole number that the dtype holds is needed", "integers",
            { dtype = "u8", high = dev:array { 300 } })
        judged("at position 2 low (3) is greater than high (2)", "integers", { low = dev:array({ 1, 3 }, "i64"),
            high = 2 })
        judged("the sum of p at position 2 is 0.5; 1 is needed", "multinomial",
            { n = 2, p = dev:array { { 0.5, 0.5 }, { 0.25, 0.25 } } })
        judged("p at position 2 is -0.5; a number from 0 to 1 is needed", "multinomial", { n = 2, p = { 1, -0.5 } })
        assert.is_false(pcall(function()
            rng:multivariate_normal({ 2 }, { mean = { 0, 0 }, cov = dev:array { { 1, 2 }, { 2, 1 } } }):tobytes()
        end))
    end)

    it("is refused where the call is wrong, and the stream stays", function()
        local state = rng:state()
        refused("alpha is 0; a finite number above 0 is needed", "gamma", { 2 }, { alpha = 0 })
        refused("p is 0; a number above 0, at most 1 is needed", "geometric", { 2 }, { p = 0 })
        refused("n is 300; for u8 it is at most 255", "binomial", { 2 }, "u8", { n = 300, p = pair })
        refused("300 is out of range for u8 (0 to 255)", "integers", { dtype = "u8", low = 300, high = pair })
        refused("option 'mean': its shape 2 does not broadcast to 3", "normal", { 3 }, { mean = pair })
        refused("the shapes of mean and std do not broadcast", "normal", { mean = pair, std = dev:ones { 3 } })
        refused("option 'scale': a number or an array is needed, got a string", "gamma", { 2 }, { alpha = 1,
            scale = "1" })
        refused("option 'mean': real numbers are needed, got c64", "normal", { 2 }, { mean = dev:ones({ 2 }, "c64") })
        refused("the numbers are integers, but f32 is a dtype of floats", "geometric", { 2 }, "f32", { p = 0.5 })
        refused("the numbers are floats, but i32 is a dtype of integers", "laplace", { 2 }, "i32")
        refused("the option alpha is missing", "gamma", { 2 })
        refused("unknown option 'shape'; known are alpha, scale, dtype", "gamma", { 2 }, { shape = 1 })
        refused("option 'p': an array with an axis of probabilities is needed", "multinomial", { 2 },
            { n = 3, p = dev:array(1) })
        refused("option 'p': number 2 of the list is a table", "multinomial", { 2 }, { n = 3, p = { 1, {} } })
        refused("the option p is missing", "multinomial", { 2 }, { n = 3 })
        refused("the option cov is missing", "multivariate_normal", { 2 }, { mean = { 0 } })
        refused("the result would have 9 axes; at most 8 are possible", "multinomial", { 1, 1, 1, 1, 1, 1, 1, 1 },
            { n = 3, p = { 1 } })
        refused("option 'cov': 2x2 is needed, for a mean of 2, got 1x1", "multivariate_normal", { 2 },
            { mean = { 0, 0 }, cov = dev:ones { 1, 1 } })
        refused("argument 1: an array is needed, got a number", "shuffle", 3)
        refused("argument 2: a table of options is needed, got a number", "shuffle", pair, 3)
        assert.same(state, rng:state())
    end)
end)
