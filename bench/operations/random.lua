-- Random numbers into an array that is there: of seeds, and of streams.

local check = require "bench.check"
local data = require "bench.data"

-- name: of the case and of the peer's command; make(device, shape, options)
local KINDS = {
    { name = "uniform", mean = 0.5, variance = 1 / 12, make = function(device, ...) device:random(...) end },
    { name = "normal", mean = 0, variance = 1, make = function(device, ...) device:normal(...) end },
    { name = "dice", mean = 3.5, variance = 35 / 12, make = function(device, shape, options)
        options.low, options.high = 1, 6
        device:randint(shape, options)
    end },
    { name = "exponential", mean = 1, variance = 1, make = function(device, shape, options)
        device:rng(options.seed):exponential(shape, { out = options.out })
    end },
    { name = "poisson", integers = true, mean = 30, variance = 30, make = function(device, shape, options)
        device:rng(options.seed):poisson(shape, { out = options.out, lambda = 30 })
    end },
    { name = "binomial", integers = true, mean = 40, variance = 24, make = function(device, shape, options)
        device:rng(options.seed):binomial(shape, { out = options.out, n = 100, p = 0.4 })
    end },
}

local function random_case(bench, kind, dtype, count, peers)
    local entries = {}
    for i, peer in ipairs(peers) do
        entries[i] = { peer, ("%s %s %d"):format(kind.name, dtype, count) }
    end
    return {
        operation = "random:" .. kind.name, dtype = dtype, size = tostring(count), work = count, unit = "Gnumbers/s",
        peers = entries,
        setup = function()
            local out = bench.device:zeros({ count }, dtype)
            local seed = 0
            return {
                call = function()
                    seed = seed + 1
                    kind.make(bench.device, { count }, { seed = seed, out = out })
                end,
                finish = bench.finish,
                read = function(...)
                    kind.make(bench.device, { count }, { seed = 0, out = out })
                    return data.reader(out)(...)
                end,
                release = function()
                    out:release()
                end,
            }
        end,
        check = function(read)
            check.moments(read, dtype, count, kind.mean, kind.variance)
        end,
    }
end

return function(bench)
    local cases = {}
    local count = bench.gpu and 1 << 28 or 10000000
    for _, kind in ipairs(KINDS) do
        local dtypes = kind.name == "dice" and { "i32", "i64" } or kind.integers and { "i64" } or { "f32", "f64" }
        for _, dtype in ipairs(dtypes) do
            cases[#cases + 1] = random_case(bench, kind, dtype, count, bench.gpu and {} or { "numpy" })
        end
    end
    return cases
end
