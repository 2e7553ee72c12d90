-- Running sums: of a whole array, along rows and along columns; a call reads and writes each element once at best.

local check = require "bench.check"
local data = require "bench.data"

-- `more`: further options of the scan; those of an operator of one's own make it one by that operator.
local function case(bench, dtype, shape, axis, peers, more)
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
            for name, value in pairs(more or {}) do
                options[name] = value
            end
            return {
                call = function()
                    if options.combine then
                        x:scan(options)
                    else
                        x:cumsum(options)
                    end
                end,
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

-- A scan that is not a cumsum of whole lines, beside one that is.
local function beside_cumsum(bench, name, shape, axis, more)
    local row, other = case(bench, "f32", shape, axis, {}, more), case(bench, "f32", shape, axis, {})
    row.operation, row.check = "scan:" .. name, not more.segments and row.check or function() end
    row.peers[1] = { "cumsum", setup = other.setup, check = other.check }
    return row
end

local OWN = { combine = "a + b", identity = "0" }

return function(bench)
    local function segments(elements, every)
        return { segments = bench.device:arange(1, elements + 1, every, "i64") }
    end
    if bench.gpu then
        return {
            case(bench, "f32", { 1 << 27 }, 1, { "torch", "cub" }), case(bench, "i32", { 1 << 27 }, 1, { "torch" }),
            case(bench, "f32", { 1 << 20 }, 1, { "torch", "cub" }),
            case(bench, "f32", { 16384, 8192 }, 1, { "torch" }), case(bench, "f32", { 16384, 8192 }, 2, { "torch" }),
            case(bench, "f32", { 1 << 22, 32 }, 1, { "torch" }), case(bench, "f32", { 1 << 22, 32 }, 2, { "torch" }),
            beside_cumsum(bench, "own", { 1 << 27 }, 1, OWN), beside_cumsum(bench, "own", { 16384, 8192 }, 1, OWN),
            beside_cumsum(bench, "segments_4", { 1 << 27 }, 1, segments(1 << 27, 4)),
            beside_cumsum(bench, "segments_4096", { 1 << 27 }, 1, segments(1 << 27, 4096)),
        }
    end
    return {
        case(bench, "f32", { 1 << 16 }, 1, { "numpy" }),
        case(bench, "f32", { 1 << 25 }, 1, { "numpy", "memcpy_threads" }),
        case(bench, "i32", { 1 << 25 }, 1, { "numpy" }),
        case(bench, "f32", { 4096, 8192 }, 1, { "numpy", "memcpy_threads" }),
        case(bench, "f32", { 4096, 8192 }, 2, { "numpy", "memcpy_threads" }),
        beside_cumsum(bench, "own", { 1 << 24 }, 1, OWN), beside_cumsum(bench, "own", { 4096, 4096 }, 1, OWN),
        beside_cumsum(bench, "segments_4", { 1 << 24 }, 1, segments(1 << 24, 4)),
        beside_cumsum(bench, "segments_4096", { 1 << 24 }, 1, segments(1 << 24, 4096)),
    }
end
