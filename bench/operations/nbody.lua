-- Gravity: whole steps of n bodies, counted as n x n interactions each.
--
-- `nbody` is semi-implicit Euler, one sum of forces a step, as in the peers; `nbody:leapfrog` is what comes without the
-- option, which may need one sum more in a call.

local check = require "bench.check"
local data = require "bench.data"

local SOFTENING = 0.01
local TINY = 2.0 ^ -30 -- from rest, the velocity after such a step is the acceleration times it, without rounding

-- Gives reader(from, count) of the accelerations that one step of ours shows.
local function accelerations(bench, dtype, bodies, count, integrator)
    local pos <close> = bench.device:array(bodies, dtype, { count, 4 })
    local vel = bench.device:zeros({ count, 4 }, dtype)
    pos:nbody(vel, { dt = TINY, steps = 1, softening = SOFTENING, integrator = integrator })
    local read = data.reader(vel)
    return function(from, elements)
        local values = data.unpack(dtype, read(from, elements))
        for i, value in ipairs(values) do
            values[i] = value / TINY
        end
        return data.pack_all(dtype, values)
    end, vel
end

local function setup(bench, dtype, count, integrator)
    return function()
        local bodies = data.pack_all(dtype, data.bodies(dtype, count))
        local read, checked = accelerations(bench, dtype, bodies, count, integrator)
        local pos = bench.device:array(bodies, dtype, { count, 4 })
        local vel = bench.device:zeros({ count, 4 }, dtype)
        return {
            many = function(steps)
                pos:nbody(vel, { dt = 1e-6, steps = steps, softening = SOFTENING, integrator = integrator })
            end,
            finish = bench.finish,
            read = read,
            release = function()
                checked:release()
                pos:release()
                vel:release()
            end,
        }
    end
end

local function case(bench, dtype, count, integrator, peers)
    local entries = {}
    for i, peer in ipairs(peers) do
        entries[i] = { peer, ("nbody %s %d %d"):format(dtype, count, 1 / SOFTENING) }
    end
    return {
        operation = integrator == "euler" and "nbody" or "nbody:" .. integrator, dtype = dtype,
        size = tostring(count), work = count * count, unit = "Ginteractions/s", seconds = 4,
        setup = setup(bench, dtype, count, integrator), peers = entries,
        check = function(read)
            check.accelerations(read, dtype, count, SOFTENING)
        end,
    }
end

return function(bench)
    local peers = bench.gpu and { "cuda" } or { "avx2", "avx2_mutual" }
    local sizes = bench.gpu and { f32 = { 4096, 16384, 65536, 262144 }, f64 = { 16384, 65536, 262144 } }
        or { f32 = { 1024, 4096, 8192, 16384 }, f64 = { 1024, 8192 } }
    local cases = {}
    for _, dtype in ipairs({ "f32", "f64" }) do
        for _, count in ipairs(sizes[dtype]) do
            cases[#cases + 1] = case(bench, dtype, count, "euler", peers)
        end
    end
    cases[#cases + 1] = case(bench, "f32", bench.gpu and 65536 or 8192, "leapfrog", { peers[1] })
    return cases
end
