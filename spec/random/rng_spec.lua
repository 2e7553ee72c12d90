-- Random streams: the same numbers in pieces as at once, streams without a block in common, saved states,
-- distributions, permutations and choices. Every seed is fixed.

local lun = require "lunarray"
local helper = require "spec.helper"
local numbers = require "spec.numbers"
local statistics = require "spec.random.statistics"

local it = helper.one_in(2, it)

-- A row for each distribution: a call of it with parameters, and the dtypes that it gives.
local FLOATS, INTEGERS = "float", "integer"
local DISTRIBUTIONS = {
    uniform = { kind = FLOATS, options = { low = -1, high = 3 } },
    normal = { kind = FLOATS, options = { mean = 2, std = 3 } },
    exponential = { kind = FLOATS, options = { scale = 2 } },
    integers = { kind = INTEGERS, options = { low = 1, high = 100 } },
    poisson = { kind = INTEGERS, options = { lambda = 3 } },
    binomial = { kind = INTEGERS, options = { n = 60, p = 0.4 } },
    gamma = { kind = FLOATS, options = { alpha = 2.5, scale = 2 } },
    beta = { kind = FLOATS, options = { a = 0.5, b = 2 } },
    chisquare = { kind = FLOATS, options = { df = 3 } },
    lognormal = { kind = FLOATS, options = { mean = 0.5 } },
    laplace = { kind = FLOATS, options = { location = -1, scale = 2 } },
    cauchy = { kind = FLOATS, options = { scale = 0.5 } },
    geometric = { kind = INTEGERS, options = { p = 0.4 } },
}

-- The options of a row, and others.
local function with(row, more)
    return helper.merged(row.options, more)
end

local function flat(array) return helper.flat(array) end

describe("the rows of distributions", function()
    it("are all here", function()
        local count = 0
        for _, operation in ipairs(lun.device():operations()) do
            if operation.kind == "draw" then
                assert.is_truthy(DISTRIBUTIONS[operation.name], operation.name)
                count = count + 1
            end
        end
        assert.equal(13, count)
    end)
end)

helper.each_device(function(dev, title)
    describe("a random stream on " .. title, function()
        it("is what it says", function()
            local rng = dev:rng(7)
            rng:uniform { 3 }
            assert.equal("rng", lun.type(rng))
            assert.equal(dev, rng:device())
            assert.equal(("lunarray.rng: seed 7, stream 0, 3 words used (%s)"):format(dev:info().name), tostring(rng))
        end)

        it("starts with the numbers of the makers with that seed", function()
            for _, seed in ipairs { 0, 5, -1, math.mininteger } do
                assert.same(flat(dev:random({ 9 }, { seed = seed })), flat(dev:rng(seed):uniform { 9 }))
                assert.same(flat(dev:normal({ 9 }, { seed = seed })), flat(dev:rng(seed):normal { 9 }))
                assert.same(flat(dev:randint({ 9 }, 1, 6, { seed = seed })), flat(dev:rng(seed):integers({ 9 }, 1, 6)))
            end
        end)

        it("follows all 64 bits of the seed", function()
            local first = flat(dev:rng(5):uniform { 9 })
            for _, seed in ipairs { 5 | 1 << 32, 5 | 1 << 63, 4 } do
                assert.not_same(first, flat(dev:rng(seed):uniform { 9 }))
            end
        end)

        it("without a seed follows math.randomseed", function()
            math.randomseed(42)
            local a, b = dev:rng():uniform { 5 }, dev:rng():uniform { 5 }
            math.randomseed(42)
            assert.same(flat(a), flat(dev:rng():uniform { 5 }))
            assert.not_same(flat(a), flat(b))
        end)

        for name, row in pairs(DISTRIBUTIONS) do
            it("gives in pieces what it gives at once: " .. name, function()
                for _, dtype in ipairs(helper.dtypes(dev, row.kind)) do
                    for _, variant in ipairs(helper.variants(dev, "random")) do
                        local options, pieces = with(row, { variant = variant, dtype = dtype }), {}
                        local applies = helper.can(dev:rng(1)[name], dev:rng(1), { 1 }, options)
                        local whole = applies and flat(dev:rng(9)[name](dev:rng(9), { 147 }, options))
                        local rng = dev:rng(9)
                        for _, n in ipairs(applies and { 1, 2, 3, 0, 5, 16, 17, 32, 33, 38 } or {}) do
                            local part = rng[name](rng, { n }, options)
                            table.move(flat(part), 1, n, #pieces + 1, pieces)
                        end
                        if applies then
                            local what = ("%s %s %s"):format(name, dtype, variant)
                            -- Vectors may round otherwise at their ends.
                            if row.kind == FLOATS and name ~= "uniform" then
                                for i = 1, 147 do
                                    local near = 16 * numbers.compute_eps(dtype) + 2 * numbers.dtype[dtype].eps
                                    local most = near * math.max(8, math.abs(whole[i]))
                                    helper.check_number(whole[i], pieces[i], most, what)
                                end
                            else
                                assert.same(whole, pieces, what)
                            end
                        end
                    end
                end
            end)
        end

        it("leaves the block of another kind of draw", function()
            local rng = dev:rng(4)
            rng:uniform { 1 }
            assert.same(flat(dev:rng { 4, 0, 4, 0 }:normal { 5 }), flat(rng:normal { 5 }))
            rng:normal({ 1 }, "f64") -- 5 words are used; it starts with word 12
            assert.same({ 4, 0, 14 }, table.move(rng:state(), 1, 3, 1, {}))
            rng:integers({ 1 }, 1, 6)
            assert.equal(18, rng:state()[3])
            rng:poisson { 2 }
            assert.equal(28, rng:state()[3])
        end)

        it("does not move on when a draw fails, or draws nothing", function()
            local rng = dev:rng(4)
            rng:uniform { 3 }
            local state = rng:state()
            for _, f in ipairs {
                function() rng:uniform({ 3 }, { low = 2 }) end,
                function() rng:uniform({ 3 }, { out = dev:zeros { 4 } }) end,
                function() rng:poisson({ 3 }, { lambda = -1 }) end,
                function() rng:choice(3, 4, { replace = false }) end,
                function() rng:choice(3, 4, { out = dev:zeros({ 3 }, "i64") }) end,
                function() rng:permutation(3, { out = dev:zeros({ 3 }, "i32") }) end,
            } do
                assert.is_false(pcall(f))
                assert.same(state, rng:state())
            end
            rng:normal { 0 }
            rng:integers({ 3, 0 }, 1, 2)
            assert.same(state, rng:state())
        end)

        it("does not move on when the device refuses a draw", function()
            local output = helper.child([[
                local core, lun = require "lunarray.core", require "lunarray"
                local dev = lun.device()
                local rng, out, failed = dev:rng(4), dev:zeros { 5 }, 0
                rng:uniform({ 5 }, { out = out })
                for n = 1, 20 do
                    local before = table.concat(rng:state(), " ")
                    dev:finish()
                    core.fault_after(n, -5)
                    local ok = pcall(rng.uniform, rng, { 5 }, { out = out })
                    core.fault_after(0, 0)
                    pcall(dev.finish, dev)
                    failed = failed + (ok and 0 or 1)
                    assert(ok == (before ~= table.concat(rng:state(), " ")), n)
                end
                print(failed > 0)
            ]], { cpath = "build/faults/?.so" })
            assert.equal("true\n", output)
        end)

        it("begins again from its state, as a list, an array, and from a file", function()
            local rng = dev:rng(123456789)
            rng:uniform { 5 }
            rng:exponential { 7 }
            local state = rng:state()
            helper.with_file(function(path)
                lun.savez(path, { rng = dev:array(state, "i64"), steps = 3 })
                local saved = dev:load(path)
                local wanted = flat(rng:exponential { 20 })
                assert.same(wanted, flat(dev:rng(state):exponential { 20 }))
                assert.same(wanted, flat(dev:rng(dev:array(state, "i64")):exponential { 20 }))
                assert.same(wanted, flat(dev:rng(saved.rng):exponential { 20 }))
            end)
        end)

        it("of another number has Philox's blocks of that number", function()
            for _, i in ipairs { 0, 1, 77, 0xffffffff } do
                local wanted = {}
                for block = 0, 4 do
                    for k, word in ipairs(numbers.random_words(11, block, 0, i)) do
                        wanted[block * 4 + k] = (word >> 8) * 2.0 ^ -24
                    end
                end
                for _, variant in ipairs(helper.variants(dev, "random")) do
                    assert.same(wanted, flat(dev:rng(11):stream(i):uniform({ 20 }, { variant = variant })))
                end
            end
            local rng = dev:rng(11)
            rng:uniform { 100 }
            assert.same(flat(dev:rng(11):stream(3):normal { 5 }), flat(rng:stream(2):stream(3):normal { 5 }))
        end)

        it("goes on where the blocks' numbers pass 32 bits", function()
            local words = numbers.random_words(5, 1 << 32, 0, 9)
            for _, variant in ipairs(helper.variants(dev, "random")) do
                local rng = dev:rng { 5, 9, 4 * ((1 << 32) - 1), 0 }
                local list = flat(rng:uniform({ 8 }, { variant = variant }))
                assert.equal((words[1] >> 8) * 2.0 ^ -24, list[5])
            end
        end)
    end)

    -- ---- distributions ---------------------------------------------------------------------------------------

    local N = 40000

    local function check_floats(list, mean, variance, fourth, below)
        statistics.fits("the mean", statistics.mean(list, mean, variance))
        statistics.fits("the variance", statistics.variance(list, mean, variance, fourth))
        statistics.fits("the distribution", statistics.kolmogorov(list, below))
        statistics.fits("the next one", statistics.correlation(list, list, 1))
        statistics.fits("the one after", statistics.correlation(list, list, 2))
    end

    -- Counts beside the probabilities of low .. high, which hold nearly all.
    local function check_counts(list, probabilities, low, mean, variance)
        local counts, expected = {}, {}
        for i, p in ipairs(probabilities) do
            counts[i], expected[i] = 0, p * #list
        end
        for _, k in ipairs(list) do
            assert.is_truthy(counts[k - low + 1], k .. " is out of range")
            counts[k - low + 1] = counts[k - low + 1] + 1
        end
        statistics.fits("the mean", statistics.mean(list, mean, variance))
        statistics.fits("the counts", statistics.chi_squared(counts, expected))
        statistics.fits("the next one", statistics.correlation(list, list, 1))
    end

    describe("the distribution on " .. title, function()
        for _, dtype in ipairs(helper.dtypes(dev, "float")) do
            -- Numbers of 16 bits are steps that are far apart: their tests take fewer numbers.
            local n = numbers.dtype[dtype].packed and 1000 or N

            it("uniform is flat: " .. dtype, function()
                check_floats(flat(dev:rng(1):uniform({ n }, dtype)), 0.5, 1 / 12, 1 / 80,
                    function(x) return math.min(math.max(x, 0), 1) end)
            end)

            it("normal is Gauss's: " .. dtype, function()
                check_floats(flat(dev:rng(2):normal({ n }, dtype)), 0, 1, 3, statistics.normal_below)
            end)

            it("exponential is the logarithm's: " .. dtype, function()
                local list = flat(dev:rng(3):exponential({ n }, dtype, { scale = 2 }))
                check_floats(list, 2, 4, 144, function(x) return 1 - math.exp(-x / 2) end)
            end)
        end

        it("exponential has small numbers with all their digits, and no infinity", function()
            local list = dev:rng(5):exponential { 4000000 }
            local least = list:min()
            assert.is_true(least > 0 and least < 1e-5, tostring(least))
            assert.is_true(list:max() < 23 and list:max() > 12)
            assert.equal(0.0, dev:rng(5):exponential({ 100 }, { scale = 0 }):absmax())
        end)

        it("integers favours none", function()
            for _, range in ipairs { 2, 3, 7, 1000 } do
                local counts, expected = {}, {}
                for i = 1, range do
                    counts[i], expected[i] = 0, N / range
                end
                for _, x in ipairs(flat(dev:rng(6):integers({ N }, 1, range))) do
                    counts[x] = counts[x] + 1
                end
                statistics.fits("of " .. range, statistics.chi_squared(counts, expected))
            end
        end)

        it("integers are the same in each way to run where a fourth of the words is drawn again", function()
            local expected = flat(dev:rng(3):integers({ 999 }, 0, (3 << 61) - 1, { variant = "plain" }))
            for _, variant in ipairs(helper.variants(dev, "random")) do
                local drawn = dev:rng(3):integers({ 999 }, 0, (3 << 61) - 1, { variant = variant })
                assert.same(expected, flat(drawn), variant)
            end
        end)

        for _, lambda in ipairs { 0.01, 0.9, 5, 9.99, 10, 12.5, 40, 333.3, 5000 } do
            it("poisson has its probabilities: " .. lambda, function()
                local far = 8 * math.sqrt(lambda) + 8
                local low, high = math.max(math.floor(lambda - far), 0), math.ceil(lambda + far)
                check_counts(flat(dev:rng(8):poisson({ N }, { lambda = lambda })),
                    statistics.poisson(lambda, low, high), low, lambda, lambda)
            end)
        end

        for _, row in ipairs { { 1, 0.3 }, { 7, 0.5 }, { 20, 0.4 }, { 20, 0.5 }, { 19, 0.5 }, { 200, 0.05 },
            { 201, 0.05 },
            { 100, 0.97 }, { 1000, 0.5 }, { 5000, 0.001 }, { 20000, 0.75 } } do
            it(("binomial has its probabilities: %d, %g"):format(row[1], row[2]), function()
                local n, p = row[1], row[2]
                local variance = n * p * (1 - p)
                local far = 8 * math.sqrt(variance) + 8
                local low, high = math.max(math.floor(n * p - far), 0), math.min(math.ceil(n * p + far), n)
                check_counts(flat(dev:rng(9):binomial({ N }, { n = n, p = p })),
                    statistics.binomial(n, p, low, high), low, n * p, variance)
            end)
        end

        -- A wrong constant of the method shifts probabilities by a few in a hundred: fewer counts do not show it.
        it("poisson and binomial have their probabilities, by a million counts", function()
            local many = 25 * N
            local function fit(what, drawn, probabilities, low)
                local expected = {}
                for i, p in ipairs(probabilities) do
                    expected[i] = p * many
                end
                drawn = drawn:add(1 - low) -- positions from 1
                local counts = flat(drawn:bincount { size = #expected })
                statistics.fits(what, statistics.chi_squared(counts, expected))
            end
            for _, lambda in ipairs { 10, 5000 } do
                local far = 8 * math.sqrt(lambda) + 8
                local low, high = math.max(math.floor(lambda - far), 0), math.ceil(lambda + far)
                fit("poisson's of " .. lambda, dev:rng(14):poisson({ many }, { lambda = lambda }),
                    statistics.poisson(lambda, low, high), low)
            end
            for _, n in ipairs { 20, 20000 } do
                local far = 8 * math.sqrt(n / 4) + 8
                local low, high = math.max(math.floor(n / 2 - far), 0), math.min(math.ceil(n / 2 + far), n)
                fit("binomial ones of " .. n, dev:rng(15):binomial({ many }, { n = n, p = 0.5 }),
                    statistics.binomial(n, 0.5, low, high), low)
            end
        end)

        it("poisson and binomial of large means are nearly normal", function()
            if not dev:info().fp64 then
                return
            end
            for _, lambda in ipairs { 1e6, 1e9, 1e12, 1e15 } do
                local list, spread = {}, math.sqrt(lambda)
                for i, k in ipairs(flat(dev:rng(10):poisson({ N }, { lambda = lambda }))) do
                    list[i] = (k - lambda) / spread
                end
                statistics.fits("the mean", statistics.mean(list, 0, 1))
                statistics.fits("the variance", statistics.variance(list, 0, 1, 3))
                statistics.fits("the distribution", statistics.kolmogorov(list, statistics.normal_below))
            end
            for _, n in ipairs { 10 ^ 8 // 1, 10 ^ 12 // 1, 10 ^ 15 // 1 } do
                local list, mean, spread = {}, n * 0.3, math.sqrt(n * 0.3 * 0.7)
                for i, k in ipairs(flat(dev:rng(11):binomial({ N }, { n = n, p = 0.3 }))) do
                    list[i] = (k - mean) / spread
                end
                statistics.fits("the mean", statistics.mean(list, 0, 1))
                statistics.fits("the variance", statistics.variance(list, 0, 1, 3))
                statistics.fits("the distribution", statistics.kolmogorov(list, statistics.normal_below))
            end
        end)

        it("poisson and binomial have their ends", function()
            local rng = dev:rng(12)
            assert.equal(0, rng:poisson({ 100 }, { lambda = 0 }):max())
            assert.equal(0, rng:binomial({ 100 }, { n = 0, p = 0.3 }):max())
            assert.equal(0, rng:binomial({ 100 }, { n = 9, p = 0 }):max())
            assert.equal(9, rng:binomial({ 100 }, { n = 9, p = 1 }):min())
            assert.equal(1000, rng:binomial({ 100 }, { n = 1000, p = 1 }):min())
            assert.equal(0, rng:binomial({ 100 }, { n = 1 << 50, p = 0 }):max())
            for _, dtype in ipairs(helper.dtypes(dev, "integer")) do
                local counts = rng:poisson({ 100 }, dtype, { lambda = 1 })
                assert.equal(dtype, counts:dtype())
                assert.is_true(counts:max() < 20)
            end
        end)

        it("of several streams, and of neighbouring seeds, is not correlated", function()
            local streams = {}
            for i = 0, 3 do
                streams[#streams + 1] = flat(dev:rng(1):stream(i):uniform { 10000 })
                streams[#streams + 1] = flat(dev:rng(i + 2):uniform { 10000 })
            end
            for i = 1, #streams do
                for k = i + 1, #streams do
                    for lag = 0, 2 do
                        statistics.fits(("%d and %d"):format(i, k), statistics.correlation(streams[i], streams[k], lag))
                    end
                end
            end
        end)
    end)

    -- ---- permutations and choices -----------------------------------------------------------------------------

    describe("a permutation on " .. title, function()
        it("has each position once", function()
            local rng = dev:rng(1)
            for _, n in ipairs { 0, 1, 2, 3, 255, 256, 257, 5000, 70000 } do
                local order = rng:permutation(n)
                helper.check_array(order:sort(), "i64", { n }, flat(dev:arange(n)))
            end
        end)

        it("has every order equally often", function()
            local rng, counts, expected, place = dev:rng(2), {}, {}, {}
            for i = 1, 24 do
                counts[i], expected[i] = 0, 2400 / 24
            end
            local kinds = 0
            for _ = 1, 2400 do
                local key = table.concat(flat(rng:permutation(4)), " ")
                if not place[key] then
                    kinds = kinds + 1
                    place[key] = kinds
                end
                counts[place[key]] = counts[place[key]] + 1
            end
            assert.equal(24, kinds)
            statistics.fits("the orders", statistics.chi_squared(counts, expected))
        end)

        it("of an array has its rows, as of a number", function()
            local a = dev:arange(12, "f32"):reshape(4, 3)
            local order = dev:rng(3):permutation(4)
            assert.same(flat(a:take(order, 1)), flat(dev:rng(3):permutation(a)))
            local out = dev:zeros { 4, 3 }
            assert.equal(out, dev:rng(3):permutation(a, { out = out }))
            assert.same(flat(a:take(order, 1)), flat(out))
            assert.same(flat(order), flat(dev:rng(3):permutation(4, { async = true }):get()))
        end)

        it("is the order of the stream's integers of 64 bits", function()
            local words, keys, order = dev:rng(4):integers({ 100 }, 0, -1, "u64"):totable(), {}, {}
            for i = 1, 100 do
                keys[i], order[i] = words[i], i
            end
            table.sort(order, function(i, j) return math.ult(keys[i], keys[j]) end)
            assert.same(order, flat(dev:rng(4):permutation(100)))
        end)
    end)

    describe("a choice on " .. title, function()
        it("of a number is of positions, and of an array of its rows", function()
            local a = dev:arange(10, "f32"):reshape(5, 2)
            for _, options in ipairs { {}, { replace = false }, { weights = dev:array { 1, 2, 3, 0, 1 } },
                { replace = false, weights = dev:array { 1, 2, 3, 0, 1 } } } do
                local positions = dev:rng(1):choice(5, { 2, 2 }, options)
                assert.same({ 2, 2 }, { positions:shape() })
                local rows = dev:rng(1):choice(a, { 2, 2 }, options)
                assert.same({ 2, 2, 2 }, { rows:shape() })
                assert.same(flat(a:take(positions, 1)), flat(rows))
                options.out = dev:zeros({ 2, 2 }, "i64")
                assert.equal(options.out, dev:rng(1):choice(5, { 2, 2 }, options))
                assert.same(flat(positions), flat(options.out))
                options.out, options.async = nil, true
                assert.same(flat(positions), flat(dev:rng(1):choice(5, { 2, 2 }, options):get()))
            end
        end)

        it("with replacement is of integers", function()
            assert.same(flat(dev:rng(2):integers({ 50 }, 1, 9)), flat(dev:rng(2):choice(9, 50)))
        end)

        it("without replacement has each position at most once, every sample equally often", function()
            local rng, counts, expected = dev:rng(3), {}, {}
            for i = 1, 25 do
                counts[i], expected[i] = 0, (i - 1) // 5 == (i - 1) % 5 and 0 or 2000 / 20
            end
            for _ = 1, 2000 do
                local a, b = table.unpack(flat(rng:choice(5, 2, { replace = false })))
                counts[(a - 1) * 5 + b] = counts[(a - 1) * 5 + b] + 1
            end
            for i = 25, 1, -1 do
                if expected[i] == 0 then
                    assert.equal(0, counts[i])
                    table.remove(counts, i)
                    table.remove(expected, i)
                end
            end
            statistics.fits("the samples", statistics.chi_squared(counts, expected))
            assert.equal(20000, rng:choice(100000, 20000, { replace = false }):unique():size())
        end)

        it("with weights follows them, whatever their dtype", function()
            for _, dtype in ipairs { "f32", "i32", "u8", "f16" } do
                local list, total, expected = { 0, 1, 5, 0, 0, 2, 12, 0 }, 20, {}
                for i, w in ipairs(list) do
                    expected[i] = w / total * N
                end
                local drawn = dev:rng(4):choice(8, N, { weights = dev:array(list, dtype) })
                local counts = flat(drawn:bincount { size = 8 })
                assert.equal(0, counts[1] + counts[4] + counts[5] + counts[8])
                statistics.fits("the counts", statistics.chi_squared(counts, expected))
            end
        end)

        it("of many weights follows them", function()
            local weights, expected = dev:rng(5):uniform { 3000 }, {}
            local total = weights:sum()
            for i, w in ipairs(flat(weights)) do
                expected[i] = w / total * 300000
            end
            local counts = flat(dev:rng(6):choice(3000, 300000, { weights = weights }):bincount { size = 3000 })
            statistics.fits("the counts", statistics.chi_squared(counts, expected))
        end)

        it("with weights gives in pieces what it gives at once, and leaves the block of other draws", function()
            local weights = dev:array { 3, 0, 1, 2, 5 }
            local whole, parts, list = dev:rng(8), dev:rng(8), {}
            for _, count in ipairs { 1, 2, 4 } do
                table.move(flat(parts:choice(5, count, { weights = weights })), 1, count, #list + 1, list)
            end
            assert.same(flat(whole:choice(5, 7, { weights = weights })), list)
            assert.same(whole:state(), parts:state())
            for _ = 1, 9 do -- what has no weight never comes
                local two = flat(dev:rng(1):choice(4, 2, { replace = false, weights = dev:array { 0, 2, 0, 3 } }))
                assert.equal(6, two[1] + two[2])
            end
            -- Without replacement, in the order in which exponentials over the weights arrive.
            local n, dtype = 7, dev:info().fp64 and "f64" or "f32"
            weights = dev:linspace(1, 2, n, dtype)
            local state = whole:state()
            state[3] = (state[3] + 3) // 4 * 4 -- words of whole blocks
            local times = dev:rng(state):exponential({ 2 * n }, dtype)
            for from = 1, n + 1, n do
                assert.same(flat((times:slice { from, from + n - 1 } / weights):argsort()),
                    flat(whole:choice(n, n, { replace = false, weights = weights })))
            end
        end)

        it("with weights and without replacement draws one after the other", function()
            -- The first by the weights, the second by those that are left.
            local rng, weights, counts, expected = dev:rng(7), { 1, 2, 5 }, {}, {}
            local array = dev:array(weights)
            for a = 1, 3 do
                for b = 1, 3 do
                    if a ~= b then
                        expected[#expected + 1] = 3000 * weights[a] / 8 * weights[b] / (8 - weights[a])
                        counts[#counts + 1] = 0
                        counts[a .. b] = #counts
                    end
                end
            end
            for _ = 1, 3000 do
                local a, b = table.unpack(flat(rng:choice(3, 2, { replace = false, weights = array })))
                counts[counts[a .. b]] = counts[counts[a .. b]] + 1
            end
            statistics.fits("the pairs", statistics.chi_squared(counts, expected))
        end)
    end)

    -- ---- bad input ---------------------------------------------------------------------------------------------

    describe("a random stream on " .. title .. " refuses", function()
        local rng = dev:rng(1)
        local STATE = "a seed (a whole number) or a state (a list of 4 whole numbers, or an i64 array of them)"

        it("a state that is none", function()
            helper.raises("rng: the seed is 1.5; " .. STATE .. " is needed", function() dev:rng(1.5) end)
            helper.raises("rng: argument 1: " .. STATE .. " is needed, got a string", function() dev:rng "x" end)
            helper.raises("rng: the list has 2 elements; " .. STATE .. " is needed", function() dev:rng { 1, 2 } end)
            helper.refused("rng: number 3 of the state is 1.5; whole numbers are needed", dev, { 1, 2, 1.5, 0 })
            helper.refused("rng: number 3 of the state is a string; whole numbers are needed", dev, { 1, 2, "x", 0 })
            helper.refused("rng: number 2 of the state is -2; a stream is a number from 0 to 4294967295",
                dev, { 1, -2, 0, 0 })
            helper.refused("rng: number 3 of the state is -1; a stream gives from 0 to 4611686018427387904 words",
                dev, { 1, 0, -1, 0 })
            helper.refused("rng: number 4 of the state is 400; it is no kind of draw", dev, { 1, 0, 0, 400 })
            helper.raises("rng: the array is 4 f32; " .. STATE .. " is needed", function() dev:rng(dev:zeros { 4 }) end)
            helper.refused("rng: the array is 3 i64; " .. STATE .. " is needed", dev, dev:zeros({ 3 }, "i64"))
        end)

        it("streams that there are not, and more words than there are", function()
            helper.refused("stream: the stream is -1; a number from 0 to 4294967295 is needed", rng, -1)
            helper.raises("stream: argument 1: a whole number is needed, got a string", function() rng:stream "x" end)
            local last = dev:rng { 1, 0, (1 << 62) - 4, 0 }
            assert.equal(4, last:uniform({ 4 }):size())
            helper.raises("uniform: the stream is used up: it gives 4611686018427387904 words, and 4611686018427387904 "
                .. "are drawn already", function() last:uniform { 1 } end)
        end)

        it("parameters that are none of the distribution", function()
            helper.raises("uniform: low (2) must be less than high (1)", function() rng:uniform({ 3 }, { low = 2 }) end)
            helper.raises("normal: std is -1; it cannot be negative", function() rng:normal({ 3 }, { std = -1 }) end)
            helper.refused("exponential: scale is -1; a finite number from 0 is needed", rng, { 3 }, { scale = -1 })
            helper.refused("exponential: scale is inf; a finite number from 0 is needed",
                rng, { 3 }, { scale = math.huge })
            helper.refused("integers: low (3) must not be greater than high (2)", rng, { 1 }, 3, 2)
            helper.refused("integers: the largest number is missing: integers(shape, low, high)", rng, { 3 })
            helper.refused("poisson: lambda is -0.5; a finite number from 0 is needed", rng, { 3 }, { lambda = -0.5 })
            helper.refused("poisson: lambda is nan; a finite number from 0 is needed", rng, { 3 }, { lambda = 0 / 0 })
            for dtype, most in pairs { u8 = 255, i64 = dev:info().fp64 and 2^53 - 1 or 2^24 - 1 } do
                local ok, problem = pcall(rng.poisson, rng, { 3 }, dtype, { lambda = 1e16 })
                assert.is_false(ok)
                local limit, counts = problem:match("poisson: lambda is 10000000000000000; for " .. dtype
                    .. " it must be at most (%d+), because counts up to (%d+) fit and can be far above it$")
                assert.equal(most, tonumber(counts))
                assert.equal(3, #rng:poisson({ 3 }, dtype, { lambda = math.tointeger(limit) }))
                helper.refused("poisson: lambda is " .. math.tointeger(limit) + 1,
                    rng, { 3 }, dtype, { lambda = math.tointeger(limit) + 1 })
            end
            helper.raises("binomial: the option n is missing", function() rng:binomial({ 3 }, { p = 0.5 }) end)
            helper.raises("binomial: the option p is missing", function() rng:binomial({ 3 }, { n = 5 }) end)
            helper.refused("binomial: n is -1; a whole number from 0 is needed", rng, { 3 }, { n = -1, p = 0.5 })
            helper.refused("binomial: n is 2.5; a whole number from 0 is needed", rng, { 3 }, { n = 2.5, p = 0.5 })
            helper.refused("binomial: n is 300; counts of u8 are at most 255", rng, { 3 }, "u8", { n = 300, p = 0.5 })
            helper.refused("binomial: p is 1.5; a number from 0 to 1 is needed", rng, { 3 }, { n = 3, p = 1.5 })
            helper.refused("binomial: p is nan; a number from 0 to 1 is needed", rng, { 3 }, { n = 3, p = 0 / 0 })
        end)

        it("dtypes that the distribution has not", function()
            helper.refused("exponential: the numbers are floats, but i64 is a dtype of integers", rng, { 3 }, "i64")
            helper.refused("poisson: the numbers are integers, but f32 is a dtype of floats", rng, { 3 }, "f32")
        end)

        it("choices that cannot be made", function()
            helper.refused("choice: argument 1: a number or an array is needed, got a string", rng, "a", 2)
            helper.raises("choice: there is nothing to choose from", function() rng:choice(0, 2) end)
            helper.refused("choice: the array has no axes, so there is nothing to choose from", rng, dev:array(3), 2)
            helper.refused("choice: 4 are to be chosen without replacement, but there are only 3",
                rng, 3, 4, { replace = false })
            helper.refused("choice: the weights have shape 2; there are 3 to choose from",
                rng, 3, 4, { weights = dev:array { 1, 1 } })
            helper.refused("choice: weight 2 is -1.0; none may be negative",
                rng, 3, 4, { weights = dev:array { 1, -1, 3 } })
            helper.raises("choice: all 3 weights are 0", function() rng:choice(3, 4, { weights = dev:zeros { 3 } }) end)
            helper.refused("choice: the sum of the weights is nan; the weights and their sum must be finite",
                rng, 3, 4, { weights = dev:array { 1, 0 / 0, 3 } })
            helper.refused("choice: the sum of the weights is inf; the weights and their sum must be finite",
                rng, 3, 4, { weights = dev:array { 1, math.huge, 3 } })
            helper.refused("choice: 2 are to be chosen without replacement, but only 1 weights are above 0",
                rng, 3, 2, { replace = false, weights = dev:array { 0, 0, 1 } })
        end)

        it("names of other libraries, and tells its own", function()
            local names = { random = "uniform", spawn = "stream", randint = "integers" }
            for name, own in pairs(names) do
                helper.refused(("%s: a random stream has no such method; is %s meant?"):format(name, own), rng, { 3 })
            end
        end)
    end)
end)

-- ---- the tests themselves ------------------------------------------------------------------------------------------

describe("the tests of samples", function()
    local function misses(value, critical) assert.is_true(value > critical, value .. " passes") end

    -- Uniforms of Lua's own generator.
    local function sample(n)
        math.randomseed(1)
        local list = {}
        for i = 1, n do
            list[i] = math.random()
        end
        return list
    end

    it("pass good samples", function()
        local list, counts, expected = sample(20000), {}, {}
        for i = 1, 50 do
            counts[i], expected[i] = 0, 400
        end
        for _, x in ipairs(list) do
            counts[x * 50 // 1 + 1] = counts[x * 50 // 1 + 1] + 1
        end
        statistics.fits("mean", statistics.mean(list, 0.5, 1 / 12))
        statistics.fits("variance", statistics.variance(list, 0.5, 1 / 12, 1 / 80))
        statistics.fits("kolmogorov", statistics.kolmogorov(list, function(x) return x end))
        statistics.fits("correlation", statistics.correlation(list, list, 1))
        statistics.fits("chi", statistics.chi_squared(counts, expected))
    end)

    it("fail uniforms that are a little too low, too narrow, or on a grid", function()
        local low, narrow, grid = {}, {}, {}
        for i, x in ipairs(sample(20000)) do
            low[i], narrow[i], grid[i] = x * 0.98, 0.5 + (x - 0.5) * 0.97, x * 20 // 1 / 20
        end
        misses(statistics.mean(low, 0.5, 1 / 12))
        misses(statistics.variance(narrow, 0.5, 1 / 12, 1 / 80))
        misses(statistics.kolmogorov(grid, function(x) return x end))
        assert.error_matches(function() statistics.fits("grid", 3, 2) end, "grid: 3, and at most 2 is needed")
        assert.is_false(pcall(statistics.fits, "nothing", 0 / 0, 2))
    end)

    it("fail modulo bias, and Lehmer's generator with a small multiplier", function()
        local counts, expected, list, seed = { 0, 0, 0 }, { 10000, 10000, 10000 }, {}, 1
        for i = 1, 30000 do
            seed = seed * 13 % 2147483647
            list[i] = seed / 2147483647
        end
        math.randomseed(3)
        for _ = 1, 30000 do
            local x = math.random(0, 15) % 3 -- 0 has six of 16
            counts[x + 1] = counts[x + 1] + 1
        end
        misses(statistics.chi_squared(counts, expected))
        misses(statistics.correlation(list, list, 1))
    end)

    it("fail normals that are logistic", function()
        local list = {}
        for i, x in ipairs(sample(20000)) do
            list[i] = math.log(x / (1 - x)) * math.sqrt(3) / math.pi -- of the variance 1
        end
        misses(statistics.kolmogorov(list, statistics.normal_below))
    end)

    it("fail Poisson's counts of another mean, and binomial ones of another n", function()
        local counts = { 0 }
        for k, p in ipairs(statistics.poisson(3.1, 0, 20)) do
            counts[k] = p * 40000
        end
        local expected = statistics.poisson(3, 0, 20)
        for k, p in ipairs(expected) do
            expected[k] = p * 40000
        end
        misses(statistics.chi_squared(counts, expected))
        for k, p in ipairs(statistics.binomial(21, 10 / 21, 0, 20)) do
            counts[k] = p * 40000
        end
        expected = statistics.binomial(20, 0.5, 0, 20)
        for k, p in ipairs(expected) do
            expected[k] = p * 40000
        end
        misses(statistics.chi_squared(counts, expected))
    end)

    it("know the normal distribution", function()
        for x, p in pairs { [0] = 0.5, [1] = 0.841344746068543, [-1] = 0.158655253931457, [3] = 0.998650101968370,
            [-4] = 3.16712418331199e-05, [5] = 1 - 2.86651571879194e-07 } do
            assert.is_true(math.abs(statistics.normal_below(x) - p) < 1e-12, x)
        end
    end)
end)
