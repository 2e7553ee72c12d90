-- Prices of a million European options by the formula of Black and Scholes: one kernel computes calls and puts.
--
--     lua5.4 examples/options.lua --number 10000000 --device gpu

local lun = require "lunarray"
local script = require "lunarray.script"

local OPTIONS = {
    name = "options",
    about = "Black-Scholes prices of European calls and puts, in f32.",
    { name = "number", value = "N", default = 1000000, integer = true, min = 1, help = "options of each kind" },
    { name = "seed", value = "N", default = 1, integer = true, help = "seed of the random contracts" },
    { name = "device", value = "NAME", help = "device: gpu, cpu, a part of its name, or its number" },
}

local RATE, VOLATILITY = 0.1, 0.2 -- a year

-- The textbook's option (Hull, "Options, Futures, and Other Derivatives", 15.9): spot, strike, years; call, put.
local KNOWN = { 42, 40, 0.5, call = 4.76, put = 0.81 }

-- The cumulative normal distribution. erfc stays precise in the lower tail, where 1 + erf would cancel.
local function normal_cdf(x)
    return 0.5 * (-x / math.sqrt(2)):erfc()
end

local price = lun.fuse(function(spot, strike, years, rate, volatility)
    local spread = volatility * years:sqrt()
    local d1 = ((spot / strike):log() + (rate + 0.5 * volatility ^ 2) * years) / spread
    local d2 = d1 - spread
    local paid = strike * (-rate * years):exp() -- the strike in today's money
    return spot * normal_cdf(d1) - paid * normal_cdf(d2), paid * normal_cdf(-d2) - spot * normal_cdf(-d1)
end)

local function main()
    local options = script.options(arg, OPTIONS)
    local n, seed = options.number, options.seed
    local dev = script.device(OPTIONS.name, options.device)
    local spot = dev:random({ n }, { low = 5, high = 50, seed = seed }):set(KNOWN[1], 1)
    local strike = dev:random({ n }, { low = 5, high = 50, seed = seed + 1 }):set(KNOWN[2], 1)
    local years = dev:random({ n }, { low = 0.25, high = 5, seed = seed + 2 }):set(KNOWN[3], 1)
    local call, put = price(spot, strike, years, RATE, VOLATILITY)
    print(("%d calls and puts on %s"):format(n, dev:info().name))
    print(("the first is the textbook's: call %.2f (%.2f), put %.2f (%.2f)")
        :format(call:get(1), KNOWN.call, put:get(1), KNOWN.put))
    print(("mean price of a call %.4f, of a put %.4f"):format(call:sum() / n, put:sum() / n))
    -- A call less a put is a forward, whatever the model: spot - strike * exp(-rate * years).
    local parity = call - put - (spot - strike * (-RATE * years):exp())
    print(("put-call parity holds to %.1e, with prices up to %.1f"):format(parity:absmax(), call:max()))
end

script.run(OPTIONS.name, main)
