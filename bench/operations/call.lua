-- What one small call costs: a reduction from the Lua call to the Lua number, and steps of few bodies.

local check = require "bench.check"
local data = require "bench.data"

local function number_case(bench, op, count, peers)
    local entries = {}
    for i, peer in ipairs(peers) do
        entries[i] = { peer, ("call%s f32 0 %d"):format(op, count), bound = count }
        if peer == "threads" then
            entries[i] = { peer, ("call:%s f32 %d"):format(op, count), check = false }
        end
    end
    return {
        operation = "call:" .. op, dtype = "f32", size = tostring(count), work = 1, unit = "call/s", peers = entries,
        setup = function()
            local x = data.array(bench.device, "f32", { count })
            local result
            return {
                call = function()
                    result = x:reduce(op)
                end,
                read = function()
                    return data.pack_all("f32", { result or x:reduce(op) })
                end,
                release = function()
                    x:release()
                end,
            }
        end,
        check = function(read, bound)
            if op == "sum" then
                return check.sums(read, "f32", { count }, 0, bound)
            end
            check.extremes(read, op, "f32", { count }, 0)
        end,
    }
end

local BODIES, SOFTENING = 64, 0.01

local function bodies(bench)
    return bench.device:array(data.pack_all("f32", data.bodies("f32", BODIES)), "f32", { BODIES, 4 }),
        bench.device:zeros({ BODIES, 4 })
end

-- many: all steps of a turn are one call.
local function step_case(bench, operation, many, peers)
    local tiny = 2.0 ^ -30
    return {
        operation = operation, dtype = "f32", size = tostring(BODIES), work = 1, unit = "step/s", peers = peers,
        setup = function()
            local pos, vel = bodies(bench)
            local function steps(count)
                pos:nbody(vel, { dt = 1e-6, steps = count, softening = SOFTENING })
            end
            return {
                many = many and steps,
                call = function()
                    steps(1)
                end,
                finish = bench.finish,
                read = function(from, count)
                    local at, v = bodies(bench)
                    at:nbody(v, { dt = tiny, steps = 1, softening = SOFTENING })
                    local values = data.unpack("f32", data.reader(v)(from, count))
                    at:release()
                    v:release()
                    for i, value in ipairs(values) do
                        values[i] = value / tiny
                    end
                    return data.pack_all("f32", values)
                end,
                release = function()
                    pos:release()
                    vel:release()
                end,
            }
        end,
        check = function(read)
            check.accelerations(read, "f32", BODIES, SOFTENING)
        end,
    }
end

-- The smallest operation, enqueued again and again: what a launch costs.
local function launch(bench)
    return function()
        local x = bench.device:zeros({ 64 })
        return {
            call = function()
                x:fill(1)
            end,
            finish = bench.finish,
            read = data.reader(x),
            release = function()
                x:release()
            end,
        }
    end
end

local GPU_PEERS, CPU_PEERS = { "cub", "torch" }, { "numpy", "pyopencl", "threads" }

return function(bench)
    local cases = {}
    for _, count in ipairs(bench.gpu and { 1000, 1 << 10, 1 << 14, 1 << 17, 1 << 20, 1 << 22, 1 << 24 }
        or { 100, 1000, 1 << 16, 1 << 20 }) do
        cases[#cases + 1] = number_case(bench, "sum", count, bench.gpu and GPU_PEERS or CPU_PEERS)
    end
    for _, count in ipairs(bench.gpu and { 1 << 10, 1 << 14, 1 << 20, 1 << 24 } or {}) do
        cases[#cases + 1] = number_case(bench, "min", count, GPU_PEERS)
        cases[#cases + 1] = number_case(bench, "max", count, GPU_PEERS)
    end
    local peers = { {
        "launch", setup = launch(bench),
        check = function(read)
            check.filled(read, "f32", 64, 1)
        end,
    } }
    if not bench.gpu then
        peers[2] = { "avx2", ("nbody f32 %d %d"):format(BODIES, 1 / SOFTENING) }
    end
    cases[#cases + 1] = step_case(bench, "call:steps", true, peers)
    cases[#cases + 1] = step_case(bench, "call:step", false, {})
    if not bench.gpu then
        table.move(require "bench.operations.small"(bench), 1, 100, #cases + 1, cases)
    end
    return cases
end
