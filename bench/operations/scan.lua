-- Running sums: of a whole array, along rows and along columns; a call reads and writes each element once at best.

local check = require "bench.check"
local data = require "bench.data"

local function case(bench, dtype, shape, axis, peers)
    local count = 1
    for _, size in ipairs(shape) do
        count = count * size
    end
    local command = ("cumsum %s %d %s"):format(dtype, axis, table.concat(shape, " "))
    local into, entries = data.is_float(dtype) and dtype or "i64", {}
    for i, peer in ipairs(peers) do
        local moves = peer:find "^memcpy" -- the rate of a copy
        entries[i] = { peer, moves and ("copy %s %d"):format(dtype, count) or command, bound = count,
            check = not moves and nil }
    end
    return {
        operation = "scan:sum", dtype = dtype, size = table.concat(shape, "x") .. (#shape > 1 and "/" .. axis or ""),
        work = count * (data.bytes(dtype) + data.bytes(into)), unit = "GB/s", peers = entries,
        setup = function()
            local x, out = data.array(bench.device, dtype, shape), bench.device:zeros(shape, into)
            local options = { axis = axis, out = out }
            return {
                call = function() x:cumsum(options) end,
                finish = bench.finish,
                read = data.reader(out),
                release = function()
                    x:release()
                    out:release()
                end,
            }
        end,
        check = function(read, bound) return check.scans(read, dtype, shape, axis, bound) end,
    }
end

return function(bench)
    if bench.gpu then
        return {
            case(bench, "f32", { 1 << 27 }, 1, { "torch", "cub" }), case(bench, "i32", { 1 << 27 }, 1, { "torch" }),
            case(bench, "f32", { 1 << 20 }, 1, { "torch", "cub" }),
            case(bench, "f32", { 16384, 8192 }, 1, { "torch" }), case(bench, "f32", { 16384, 8192 }, 2, { "torch" }),
            case(bench, "f32", { 1 << 22, 32 }, 1, { "torch" }), case(bench, "f32", { 1 << 22, 32 }, 2, { "torch" }),
        }
    end
    return {
        case(bench, "f32", { 1 << 16 }, 1, { "numpy" }),
        case(bench, "f32", { 1 << 25 }, 1, { "numpy", "memcpy_threads" }),
        case(bench, "i32", { 1 << 25 }, 1, { "numpy" }),
        case(bench, "f32", { 4096, 8192 }, 1, { "numpy", "memcpy_threads" }),
        case(bench, "f32", { 4096, 8192 }, 2, { "numpy", "memcpy_threads" }),
    }
end
