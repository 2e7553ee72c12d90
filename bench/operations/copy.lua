-- Elementwise copy and fill: what the device's memory gives to an operation that only moves.

local check = require "bench.check"
local data = require "bench.data"

local function copy_case(bench, dtype, count, peers)
    local entries = {}
    for i, peer in ipairs(peers) do
        entries[i] = { peer, ("copy %s %d"):format(dtype, count) }
    end
    return {
        operation = "copy", dtype = dtype, size = tostring(count), work = 2 * count * data.bytes(dtype), unit = "GB/s",
        peers = entries,
        setup = function()
            local x = data.array(bench.device, dtype, { count })
            local out = bench.device:zeros({ count }, dtype)
            return {
                call = function()
                    out:write(x)
                end,
                finish = bench.finish,
                read = data.reader(out),
                release = function()
                    x:release()
                    out:release()
                end,
            }
        end,
        check = function(read)
            check.copied(read, dtype, count)
        end,
    }
end

local function fill_case(bench, dtype, count, peers)
    local entries = {}
    for i, peer in ipairs(peers) do
        entries[i] = { peer, ("fill %s %d"):format(dtype, count) }
    end
    return {
        operation = "fill", dtype = dtype, size = tostring(count), work = count * data.bytes(dtype), unit = "GB/s",
        peers = entries,
        setup = function()
            local out = bench.device:zeros({ count }, dtype)
            return {
                call = function()
                    out:fill(1)
                end,
                finish = bench.finish,
                read = data.reader(out),
                release = function()
                    out:release()
                end,
            }
        end,
        check = function(read)
            check.filled(read, dtype, count, 1)
        end,
    }
end

return function(bench)
    local cases = {}
    for _, count in ipairs(bench.gpu and { 1 << 20, 1 << 24, 1 << 28 } or { 1 << 16, 1 << 20, 1 << 24, 1 << 26 }) do
        cases[#cases + 1] = copy_case(bench, "f32", count,
            bench.gpu and { "torch" } or { "memcpy", "memcpy_threads", "numpy", "pyopencl" })
    end
    cases[#cases + 1] = copy_case(bench, "u8", (1 << 26) - 3,
        bench.gpu and { "torch" } or { "memcpy", "memcpy_threads" })
    cases[#cases + 1] = fill_case(bench, "f32", bench.gpu and 1 << 28 or 1 << 24, { bench.gpu and "torch" or "numpy" })
    return cases
end
