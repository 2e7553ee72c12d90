-- Random numbers: Philox4x32-10's own answers, and statistics with bounds from theory. Every seed is fixed, so that the
-- bounds, of five standard deviations, are met or missed for good.

local helper = require "spec.helper"
local numbers = require "spec.numbers"

-- One seed of each kind: small, of more than 32 bits, with the sign bit.
local SEEDS = { 0, 1, 0x123456789abcdef, -1, math.mininteger }

-- n uniforms, 0 <= u < 1, of a float dtype.
local function uniforms(seed, n, name)
    local list = {}
    local per_block = name == "f64" and 2 or 4
    for i = 0, n - 1 do
        local words = numbers.random_words(seed, i // per_block)
        local k = i % per_block
        if name == "f64" then
            list[i + 1] = ((words[2 * k + 1] | words[2 * k + 2] << 32) >> 11) * 2.0 ^ -53
        elseif numbers.dtype[name].packed then -- as many bits as the dtype has
            list[i + 1] = math.floor(words[k + 1] / 2 ^ 32 / numbers.dtype[name].eps * 2) * numbers.dtype[name].eps / 2
        else
            list[i + 1] = (words[k + 1] >> 8) * 2.0 ^ -24
        end
    end
    return list
end

-- n normals by Box and Muller, and the radius of each: what its error is relative to.
local function normals(seed, n, name)
    local list, radii = {}, {}
    local per_block = name == "f64" and 2 or 4
    for i = 0, n - 1 do
        local words = numbers.random_words(seed, i // per_block)
        local u, turn
        if name == "f64" then
            u = (((words[1] | words[2] << 32) >> 11) + 1) * 2.0 ^ -53
            turn = ((words[3] | words[4] << 32) >> 11) * 2.0 ^ -52
        else
            local pair = i % per_block & 2
            u, turn = ((words[pair + 1] >> 8) + 1) * 2.0 ^ -24, (words[pair + 2] >> 8) * 2.0 ^ -23
        end
        local radius = math.sqrt(-2 * math.log(u))
        list[i + 1] = radius * (i % 2 == 1 and math.sin or math.cos)(math.pi * turn)
        radii[i + 1] = radius
    end
    return list, radii
end

-- 2^64 % range; the range has no sign and is not 0.
local function left_over(range)
    if range == math.mininteger then
        return 0
    end
    return range < 0 and -range or (math.maxinteger % range * 2 + 2) % range
end

-- n integers low..high, by Lemire's multiply, shift and reject. A range of 0 stands for 2^64.
local function integers(seed, n, low, high)
    local range = high - low + 1
    local favoured = range == 0 and 0 or left_over(range)
    local list = {}
    for i = 0, n - 1 do
        local attempt = 0
        while true do
            local words = numbers.random_words(seed, i >> 1, attempt)
            local x = i % 2 == 1 and words[3] | words[4] << 32 or words[1] | words[2] << 32
            if range == 0 then
                list[i + 1] = x
                break
            end
            local above, below = numbers.multiply_wide(x, range)
            if not math.ult(below, favoured) then
                list[i + 1] = low + above
                break
            end
            attempt = attempt + 1
        end
    end
    return list
end

local function mean_and_variance(list)
    local mean = numbers.exact_sum(list) / #list
    local squares = {}
    for i, x in ipairs(list) do
        squares[i] = (x - mean) ^ 2
    end
    return mean, numbers.exact_sum(squares) / #list
end

helper.each_device(function(dev, title)
    describe("random numbers on " .. title, function()
        it("are Philox4x32-10's published answers for counter 0 and key 0 #oclgrind", function()
            local a = dev:randint({ 2 }, { seed = 0, low = 0, high = -1, dtype = "u64" })
            helper.check_array(a, "u64", { 2 }, { 0xe169c58d6627e8d5, 0x9b00dbd8bc57ac4c })
        end)

        it("are the same for the same seed, wherever they are", function()
            local a = dev:random({ 1000 }, { seed = 3 })
            assert.equal(a:tobytes(), dev:random({ 1000 }, { seed = 3 }):tobytes())
            assert.equal(a:tobytes(), dev:random({ 10, 100 }, { seed = 3 }):tobytes())
            assert.equal(a:slice({ 1, 999 }):tobytes(), dev:random({ 999 }, { seed = 3 }):tobytes())
            assert.not_equal(a:tobytes(), dev:random({ 1000 }, { seed = 4 }):tobytes())
        end)

        it("without a seed follow math.randomseed", function()
            math.randomseed(42)
            local a, b = dev:random { 100 }, dev:random { 100 }
            math.randomseed(42)
            assert.equal(a:tobytes(), dev:random({ 100 }):tobytes())
            assert.equal(b:tobytes(), dev:random({ 100 }):tobytes())
            assert.not_equal(a:tobytes(), b:tobytes())
        end)

        it("leave math.random as it was when a call fails", function()
            local mapped = dev:zeros { 3 }
            local host <close> = mapped:host("rw")
            assert.equal(3, #host)
            for i, fails in ipairs {
                function() dev:normal({ 3 }, { std = -1 }) end,
                function() dev:random({ 3 }, "i32") end,
                function() dev:random({ 3 }, { low = 2 }) end,
                function() dev:random({ 3 }, { out = dev:zeros { 4 } }) end,
                function() dev:random({ 3 }, { out = mapped }) end,
                function() dev:randint({ 3 }, 3, 2) end,
                function() dev:randint({ 3 }, 0, 300, "u8") end,
                function() dev:random { 1 << 40, 1 << 10 } end,
            } do
                math.randomseed(42)
                assert.is_false(pcall(fails), "call " .. i)
                local got = math.random(0)
                math.randomseed(42)
                assert.equal(math.random(0), got, "call " .. i)
            end
        end)
    end)

    for _, name in ipairs(helper.dtypes(dev, "float")) do
        local eps = numbers.dtype[name].eps

        describe("uniform " .. name .. " on " .. title, function()
            it("is what Philox's words make #oclgrind", function()
                for _, seed in ipairs(SEEDS) do
                    for _, n in ipairs { 1, 3, 4, 5, 33 } do
                        local a = dev:random({ n }, name, { seed = seed })
                        helper.check_array(a, name, { n }, uniforms(seed, n, name))
                    end
                end
            end)

            it("is in its interval, and reaches no upper end", function()
                for _, ends in ipairs { { -3, 5 }, { 1, 1 + 4 * eps }, { 0, 1e-3 }, { -1, 0 } } do
                    local low, high = numbers.round(ends[1], name), numbers.round(ends[2], name)
                    local a = dev:random({ 4000 }, name, { seed = 9, low = low, high = high })
                    assert.is_true(a:min() >= low)
                    assert.is_true(a:max() < high)
                    local u, tolerance = uniforms(9, 4000, name), 2 * eps * math.max(math.abs(low), math.abs(high))
                    for i, x in ipairs(a:totable()) do
                        helper.check_number(low + u[i] * (high - low), x, tolerance)
                    end
                end
            end)
        end)

        describe("normal " .. name .. " on " .. title, function()
            it("has its mean and standard deviation", function()
                local n = 20000
                local list = dev:normal({ n }, name, { seed = 8, mean = 3, std = 0.5 }):totable()
                local mean, variance = mean_and_variance(list)
                assert.near(3, mean, 5 * 0.5 / math.sqrt(n) + eps * 3)
                assert.near(0.25, variance, 5 * 0.25 * math.sqrt(2 / n) + eps)
                local constant = dev:normal({ 3 }, name, { seed = 8, mean = 2, std = 0 })
                helper.check_array(constant, name, { 3 }, { 2.0, 2.0, 2.0 })
            end)
        end)
    end

    describe("randint on " .. title, function()
        it("is what Lemire's method makes of Philox's words #oclgrind", function()
            for _, seed in ipairs(SEEDS) do
                for _, ends in ipairs {
                    { 1, 6 }, { -5, -5 }, { 0, 1 }, { math.mininteger, math.maxinteger }, { 0, math.maxinteger },
                    { -1, math.maxinteger }, { -7, 1 << 62 }, { math.mininteger, 1 << 61 }, -- these two reject often
                } do
                    local a = dev:randint({ 9 }, ends[1], ends[2], { seed = seed })
                    helper.check_array(a, "i64", { 9 }, integers(seed, 9, ends[1], ends[2]))
                end
            end
        end)

        it("is of any integer dtype, over its whole range", function()
            for _, name in ipairs(helper.dtypes(dev, "integer")) do
                local dtype = numbers.dtype[name]
                local a = dev:randint({ 1001 }, dtype.low, dtype.high, name, { seed = 2 })
                helper.check_array(a, name, { 1001 }, integers(2, 1001, dtype.low, dtype.high))
            end
        end)

        it("takes its ends as options, from 1 unless told otherwise", function()
            local a = dev:randint({ 200 }, { high = 3, seed = 1 })
            assert.equal(1, a:min())
            assert.equal(3, a:max())
            assert.equal(a:tobytes(), dev:randint({ 200 }, 1, 3, { seed = 1 }):tobytes())
        end)
    end)

    describe("random numbers on " .. title, function()
        it("refuse what has no meaning", function()
            helper.raises("random: low (2) must be less than high (1)", function() dev:random({ 1 }, { low = 2 }) end)
            helper.raises("random: low (1) must be less than high (1)", function() dev:random({ 1 }, { low = 1 }) end)
            helper.refused("random: low (100000000) and high (100000001) are the same number in f32",
                dev, { 4 }, { low = 100000000, high = 100000001 })
            helper.refused("random: low (2048) and high (2049) are the same number in f16",
                dev, { 4 }, "f16", { low = 2048, high = 2049 })
            helper.refused("random: low (2049) must be less than high (2048)",
                dev, { 4 }, "f16", { low = 2049, high = 2048 })
            helper.refused("random: low (0.10000000000000001) must be less than high (0)",
                dev, { 4 }, { low = 0.1, high = 0 })
            if dev:info().fp64 then
                helper.raises("random: low (9007199254740992) and high (9007199254740993) are the same number in f64",
                    function() dev:random({ 4 }, "f64", { low = 1 << 53, high = (1 << 53) + 1 }) end)
            end
            helper.refused("random: the numbers are floats, but i32 is a dtype of integers", dev, { 1 }, "i32")
            helper.refused("normal: the numbers are floats, but u8 is a dtype of integers", dev, { 1 }, "u8")
            helper.refused("random: finite numbers are needed, got 0 and inf", dev, { 1 }, { high = math.huge })
            helper.raises("normal: std is -1; it cannot be negative", function() dev:normal({ 1 }, { std = -1 }) end)
            helper.raises("randint: low (3) must not be greater than high (2)", function() dev:randint({ 1 }, 3, 2) end)
            helper.refused("randint: -3 is out of range for u64 (0 to 18446744073709551615)", dev, { 3 }, -3, 3, "u64")
            helper.refused("randint: low (-1) must not be greater than high (-3)", dev, { 3 }, -1, -3, "u64")
            helper.refused("randint: 300 is out of range for u8 (0 to 255)", dev, { 1 }, 0, 300, "u8")
            helper.refused("randint: the numbers are integers, but f32 is a dtype of floats", dev, { 1 }, 1, 2, "f32")
            for _, rest in ipairs { {}, { 6 }, { 6, "u8" }, { 6, { seed = 1 } } } do
                helper.refused("randint: the largest number is missing: randint(shape, low, high)",
                    dev, { 3 }, table.unpack(rest))
            end
            helper.refused("randint: low is given twice: 1 and the option 100",
                dev, { 4 }, 1, 6, { low = 100, high = 101 })
            helper.refused("randint: high is given twice: 6 and the option 6", dev, { 4 }, 1, 6, "i32", { high = 6 })
            helper.refused("randint: argument 2: a whole number is needed, got 1.5", dev, { 3 }, 1.5, 2)
            helper.refused("randint: argument 3: a whole number is needed, got 1.5", dev, { 3 }, 1, 1.5)
            helper.refused("randint: low and high must be integers, got 2.5", dev, { 3 }, { low = 1, high = 2.5 })
            helper.refused("random: the range from low to high is too wide for f32",
                dev, { 3 }, { low = -3e38, high = 3e38 })
            helper.refused("random: the range from low to high is too wide for f16",
                dev, { 3 }, { low = 0, high = 1e6, dtype = "f16" })
            helper.refused("random: option 'seed': a whole number is needed, got 1.5", dev, { 1 }, { seed = 1.5 })
        end)
    end)
end)

-- What Philox gives is the same by every variant: bits of uniforms and integers, normals but for their last bits.
helper.each_variant("random", function(dev, variant, title)
    local SIZES = { 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 1000, 10007 }

    -- A contiguous part of a larger array, which begins at element 4, or at 5, a place for vectors: out, and what is
    -- beside it.
    local function part(n, dtype)
        local whole, begin = dev:full({ n + 8 }, 7, dtype), 4 + n % 2
        return whole:slice { begin, begin + n - 1 }, function()
            for _, i in ipairs { 1, 2, 3, begin - 1, begin + n, begin + n + 1, begin + n + 2, n + 8 } do
                assert.equal(7, whole:get(i) // 1 | 0)
            end
        end
    end

    describe("random numbers on " .. title, function()
        it("are the same uniforms everywhere, and no more than asked for #oclgrind", function()
            for _, name in ipairs(helper.dtypes(dev, "float")) do
                for _, n in ipairs(SIZES) do
                    local options = { seed = n * 0x123456789, low = -2, high = 3, variant = "plain" }
                    local wanted = dev:random({ n }, name, options):tobytes()
                    local out, check = part(n, name)
                    options.variant, options.out = variant, out
                    dev:random({ n }, name, options)
                    assert.equal(wanted, out:tobytes(), name .. " " .. n)
                    check()
                end
            end
        end)

        it("are the same integers everywhere, of narrow ranges and of those that reject often", function()
            for _, name in ipairs(helper.dtypes(dev, "integer")) do
                local row = numbers.dtype[name]
                local ranges = { { 1, 6 }, { row.low, row.high }, { 5, 5 } }
                if row.bits >= 32 then
                    ranges[4], ranges[5] = { 0, (1 << 31) - 1 - (1 << 29) }, { 1, 1 << 30 }
                end
                if name == "i64" then
                    ranges[6], ranges[7], ranges[8] = { -7, 1 << 62 }, { 0, (1 << 32) - 1 }, { 0, 1 << 32 }
                end
                for i, ends in ipairs(ranges) do
                    for _, n in ipairs { 1, 15, 16, 17, 1001 } do
                        local options = { seed = i * n, variant = "plain" }
                        local wanted = dev:randint({ n }, ends[1], ends[2], name, options):tobytes()
                        local out, check = part(n, name)
                        options.variant, options.out = variant, out
                        dev:randint({ n }, ends[1], ends[2], name, options)
                        assert.equal(wanted, out:tobytes(), ("%s %d range %d"):format(name, n, i))
                        check()
                    end
                end
            end
        end)

        it("are Box and Muller's normals", function()
            for _, name in ipairs(helper.dtypes(dev, "float")) do
                local eps = numbers.dtype[name].packed and numbers.dtype[name].eps or 0
                for i, n in ipairs { 1, 15, 16, 17, 101, 500 } do
                    local seed = SEEDS[i] or n
                    local expected, radii = normals(seed, n, name)
                    local tolerances = {} -- log to 3 units, sqrt to 3, sinpi and cospi to 4, and the products
                    for k = 1, n do
                        tolerances[k] = (12 * numbers.compute_eps(name) + eps) * radii[k]
                    end
                    local out, check = part(n, name)
                    dev:normal({ n }, name, { seed = seed, variant = variant, out = out })
                    helper.check_array(out, name, { n }, expected, tolerances)
                    check()
                end
            end
        end)

        it("fill what is larger than the cache", function()
            local n = 9000001
            local a = dev:random({ n }, { seed = 3, variant = variant })
            local b = dev:random({ n }, { seed = 3, variant = "plain" })
            assert.equal(0.0, (a - b):absmax())
        end)

        it("of a view that is not contiguous are the same", function()
            local wanted = dev:random({ 100 }, { seed = 1 }):tobytes()
            local out = dev:zeros({ 100, 3 }):col(2)
            if helper.can(dev.random, dev, { 100 }, { seed = 1, out = out, variant = variant }) then
                assert.equal(wanted, out:tobytes())
            end
            dev:random({ 100 }, { seed = 1, out = out })
            assert.equal(wanted, out:tobytes())
        end)
    end)
end)
