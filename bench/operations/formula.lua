-- Whole formulas in fused kernels: prices of options, and Mandelbrot's set.

local data = require "bench.data"

local lun = require "lunarray"

-- Not so for a NaN.
local function within(err, bound) return err <= bound end

---- Black and Scholes --------------------------------------------------------------------------------------

local RATE, VOLATILITY = 0.1, 0.2
local BEND = 0.2316419 -- of Abramowitz and Stegun's 26.2.17, which peers without erfc can compute too
local TERMS = { 0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429 }

-- The cumulative normal distribution of an array, a stand-in or a number, by the functions of its kind.
local function normal_cdf(d, f)
    local k = 1 / (1 + BEND * f.abs(d))
    local sum = TERMS[5]
    for i = 4, 1, -1 do
        sum = TERMS[i] + k * sum
    end
    local tail = 1 / math.sqrt(2 * math.pi) * f.exp(-0.5 * d * d) * k * sum
    return f.choose(d, 1 - tail, tail)
end

local function call_price(spot, strike, years, f)
    local spread = VOLATILITY * f.sqrt(years)
    local d1 = (f.log(spot / strike) + (RATE + 0.5 * VOLATILITY ^ 2) * years) / spread
    return spot * normal_cdf(d1, f) - strike * f.exp(-RATE * years) * normal_cdf(d1 - spread, f)
end

local OF_ARRAYS = {
    abs = function(x) return x:abs() end, exp = function(x) return x:exp() end, log = function(x) return x:log() end,
    sqrt = function(x) return x:sqrt() end, choose = function(d, above, below) return d:gt(0):where(above, below) end,
}

local OF_NUMBERS = {
    abs = math.abs, exp = math.exp, log = math.log, sqrt = math.sqrt,
    choose = function(d, above, below) return d > 0 and above or below end,
}

-- The contracts from numbers in [0, 1); the peers do the same.
local function contracts(a, b, c) return 5 + 45 * a, 5 + 45 * b, 0.25 + 4 * c end

local function options(bench, count, peers)
    local entries = {}
    for i, peer in ipairs(peers) do
        entries[i] = { peer, ("formula_options f32 %d"):format(count) }
    end
    local price = lun.fuse(function(spot, strike, years) return call_price(spot, strike, years, OF_ARRAYS) end)
    return {
        operation = "formula:options", dtype = "f32", size = tostring(count), work = count, unit = "Gelements/s",
        peers = entries,
        setup = function()
            local given = {}
            for k = 1, 3 do
                given[k] = data.array(bench.device, "f32", { count }, (k - 1) * data.SECOND)
            end
            local all = { contracts(table.unpack(given)) }
            local out = bench.device:zeros { count }
            return {
                call = function() price(all[1], all[2], all[3], { out = out }) end,
                finish = bench.finish, read = data.reader(out),
                release = function()
                    for k = 1, 3 do
                        given[k]:release()
                        all[k]:release()
                    end
                    out:release()
                end,
            }
        end,
        check = function(read)
            local block = data.block("f32").values
            for _, i in ipairs { 0, 1, 2, 1023, 4097, 99991, count // 2, count - 1 } do
                local numbers = {}
                for k = 1, 3 do
                    numbers[k] = block[(i + (k - 1) * data.SECOND) % data.BLOCK]
                end
                local spot, strike, years = contracts(table.unpack(numbers))
                local wanted = call_price(spot, strike, years, OF_NUMBERS)
                local got = data.unpack("f32", read(i, 1))[1]
                if not within(math.abs(got - wanted), 1e-4) then -- some ulp of spot and strike, which are below 50
                    error(("element %d is %g, not %g"):format(i, got, wanted), 0)
                end
            end
        end,
    }
end

---- Mandelbrot's set ---------------------------------------------------------------------------------------

local STEPS, AT_ONCE = 256, 16 -- the steps of a call, and those of a kernel
local LEFT, WIDE, LOW, HIGH = -2, 2.5, -1.25, 2.5

local function count_steps(cx, cy)
    local x, y, n = 0, 0, 0
    for _ = 1, STEPS do
        n = n + (x * x + y * y <= 4 and 1 or 0)
        x, y = x * x - y * y + cx, 2 * x * y + cy
    end
    return n
end

local function mandelbrot(bench, side, peers)
    local entries = {}
    for i, peer in ipairs(peers) do
        entries[i] = { peer, ("formula_mandelbrot f32 %d %d"):format(side, STEPS) }
    end
    local several = lun.fuse(function(x, y, n, cx, cy)
        for _ = 1, AT_ONCE do
            local x2, y2 = x * x, y * y
            n = n + (x2 + y2):le(4)
            x, y = x2 - y2 + cx, 2 * x * y + cy
        end
        return x, y, n
    end)
    return {
        operation = "formula:mandelbrot", dtype = "f32", size = ("%dx%dx%d"):format(side, side, STEPS),
        work = side * side * STEPS, unit = "Gelements/s", peers = entries,
        setup = function()
            local dev = bench.device
            local cx = dev:linspace(LEFT, LEFT + WIDE, side):reshape(1, side)
            local cy = dev:linspace(LOW, LOW + HIGH, side):reshape(side, 1)
            local x, y, n = dev:zeros { side, side }, dev:zeros { side, side }, dev:zeros { side, side }
            return {
                call = function()
                    x:fill(0)
                    y:fill(0)
                    n:fill(0)
                    for _ = 1, STEPS // AT_ONCE do
                        several(x, y, n, cx, cy, { out = { x, y, n } })
                    end
                end,
                finish = bench.finish, read = data.reader(n),
                release = function()
                    for _, array in ipairs { cx, cy, x, y, n } do
                        array:release()
                    end
                end,
            }
        end,
        -- Rounding decides where points near the border leave; those inside, and those that leave soon, tell.
        check = function(read)
            local told = 0
            for i = 0, side * side - 1, side * side // 199 do
                local row, column = i // side, i % side
                local wanted = count_steps(LEFT + WIDE * column / (side - 1), LOW + HIGH * row / (side - 1))
                local got = data.unpack("f32", read(i, 1))[1]
                if wanted < 20 or wanted == STEPS then
                    told = told + 1
                    if not within(math.abs(got - wanted), wanted < 20 and 1 or 0) then
                        error(("element %d is %g, not %d"):format(i, got, wanted), 0)
                    end
                end
            end
            assert(told > 100)
        end,
    }
end

return function(bench)
    if bench.gpu then
        return { options(bench, 1 << 26, {}), mandelbrot(bench, 8192, {}) }
    end
    local peers = { "numexpr", "numpy" }
    return { options(bench, 10000000, peers), mandelbrot(bench, 2000, peers) }
end
