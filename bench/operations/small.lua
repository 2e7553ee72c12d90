-- Small arrays: what a call costs from Lua to the result, waited for, and with results dropped; OP=call has these rows.
-- The peer `threads` is lunarray itself with what is small done by PoCL's threads, in a process of its own.

local check = require "bench.check"
local data = require "bench.data"
local lun = require "lunarray"

local SECOND = data.SECOND
local STEP, RATE = 0.01, 3 -- of the logistic equation y' = RATE y (1 - y)

local function f32(value)
    return (string.unpack("<f", string.pack("<f", value)))
end

-- Whether elements are what the formula makes of the operands' values there.
local function checker(count, formula)
    return function(read)
        local values = data.block("f32").values
        for _, i in ipairs { 0, 1, count // 2, count - 1 } do
            local got = data.unpack("f32", read(i, 1))[1]
            local wanted = formula(values[i % data.BLOCK], values[(i + SECOND) % data.BLOCK])
            if got ~= got or math.abs(got - wanted) > 1e-5 * math.max(1, math.abs(wanted)) then
                error(("element %d is %g, not %g"):format(i, got, wanted), 0)
            end
        end
    end
end

local function release_all(list)
    return function()
        for _, array in ipairs(list) do
            array:release()
        end
    end
end

-- make(a, b, out) -> call, read: a call, and a function that gives an array of the right result.
local function elements(bench, name, count, make, formula)
    local command = ("small_%s f32 %d"):format(name, count)
    return {
        operation = "call:" .. name, dtype = "f32", size = tostring(count), work = 1, unit = "call/s",
        peers = { { "numpy", command }, { "threads", ("call:%s f32 %d"):format(name, count), check = false } },
        setup = function()
            local a, b = data.array(bench.device, "f32", { count }), data.array(bench.device, "f32", { count }, SECOND)
            local out = bench.device:zeros { count }
            local call, result = make(a, b, out)
            return {
                call = call, finish = bench.finish, release = release_all { a, b, out },
                read = function(...)
                    local array = result()
                    return data.reader(array)(...)
                end,
            }
        end,
        check = checker(count, formula),
    }
end

local function add(a, b)
    return function() local _ <close> = a + b end, function() return a + b end
end

local function fused(a, b)
    local f = lun.fuse(function(x, y) return x * y + 1 end)
    return function() local _ <close> = f(a, b) end, function() return f(a, b) end
end

local function add_get(a, b, out)
    local options = { out = out }
    return function()
        a:add(b, options)
        return out:get(1)
    end, function() return out end
end

local function slope(y) return RATE * y * (1 - y) end

local function step_of(y, h)
    local k1 = slope(y)
    local k2 = slope(y + h / 2 * k1)
    local k3 = slope(y + h / 2 * k2)
    local k4 = slope(y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
end

-- Steps go on from what the last one gave, as in a simulation.
local function stepping(step)
    return function(a)
        local y = a:copy()
        return function()
            local next = step(y, STEP)
            y:release()
            y = next
        end, function() return step(a, STEP) end
    end
end

local function product(bench, n)
    return {
        operation = "call:product", dtype = "f32", size = tostring(n), work = 1, unit = "call/s",
        peers = { { "numpy", ("small_product f32 %d"):format(n) },
            { "threads", ("call:product f32 %d"):format(n), check = false } },
        setup = function()
            local a, b = data.array(bench.device, "f32", { n, n }), data.array(bench.device, "f32", { n, n }, SECOND)
            local out = bench.device:zeros { n, n }
            local options = { out = out }
            return {
                call = function()
                    a:matmul(b, options)
                    return out:get(1, 1)
                end,
                finish = bench.finish, read = data.reader(out), release = release_all { a, b, out },
            }
        end,
        check = function(read) return check.product(read, "f32", { 1, n, n, n }) end,
    }
end

-- Steps of few bodies: each a call of nbody, each a call of a simulation, and beside both all in one call.
local BODIES, SOFTENING = 50, 0.01

local function bodies(bench, name)
    local function setup(kind)
        return function()
            local pos = bench.device:array(data.pack_all("f32", data.bodies("f32", BODIES)), "f32", { BODIES, 4 })
            local vel = bench.device:zeros { BODIES, 4 }
            local options = { dt = 1e-6, steps = 1, softening = SOFTENING }
            local sim = lun.simulation(pos, vel, { dt = 1e-6, softening = SOFTENING })
            local function many(count)
                pos:nbody(vel, { dt = 1e-6, steps = count, softening = SOFTENING })
            end
            local calls = {
                nbody = function() pos:nbody(vel, options) end,
                simulation = function() sim:step() end,
            }
            return {
                call = calls[kind], many = not calls[kind] and many or nil, finish = bench.finish,
                read = function() return pos:tobytes() end,
                release = release_all { pos, vel },
            }
        end
    end
    return {
        operation = "call:" .. name, dtype = "f32", size = tostring(BODIES), work = 1, unit = "step/s",
        peers = { { "one_call", setup = setup "one_call", check = function() end } },
        setup = setup(name), check = function() end, -- call:steps looks at what bodies do
    }
end

return function(bench)
    local cases = {}
    local function case(...)
        cases[#cases + 1] = elements(bench, ...)
    end
    for _, count in ipairs { 100, 1000 } do
        case("add", count, add, function(x, y) return x + y end)
        case("fused", count, fused, function(x, y) return x * y + 1 end)
        case("add_get", count, add_get, function(x, y) return x + y end)
    end
    for _, n in ipairs { 8, 32, 64, 128 } do
        cases[#cases + 1] = product(bench, n)
    end
    case("rk4", 1000, stepping(step_of), function(x) return step_of(x, f32(STEP)) end)
    case("rk4_fused", 1000, stepping(lun.fuse(step_of)), function(x) return step_of(x, f32(STEP)) end)
    cases[#cases + 1] = bodies(bench, "nbody")
    cases[#cases + 1] = bodies(bench, "simulation")
    return cases
end
