-- Between Lua's strings and the device: writing one to an array, reading one back.

local check = require "bench.check"
local data = require "bench.data"

local function case(bench, operation, count, peers)
    local entries = {}
    for i, peer in ipairs(peers) do
        entries[i] = { peer, ("%s f32 %d"):format(peer == "pinned" and operation or "copy", count) }
    end
    return {
        operation = operation, dtype = "f32", size = tostring(count), work = 4 * count, unit = "GB/s", peers = entries,
        setup = function()
            local text = data.text("f32", count)
            local x = data.array(bench.device, "f32", { count })
            local got
            return {
                call = operation == "upload" and function()
                    x:write(text)
                end or function()
                    got = x:tobytes()
                end,
                finish = bench.finish,
                read = operation == "upload" and data.reader(x) or function(from, elements)
                    return got:sub(4 * from + 1, 4 * (from + elements))
                end,
                release = function()
                    x:release()
                    text, got = nil, nil
                    collectgarbage()
                end,
            }
        end,
        check = function(read)
            check.copied(read, "f32", count)
        end,
    }
end

return function(bench)
    local peers = { bench.gpu and "pinned" or "memcpy" }
    local cases = {}
    for _, count in ipairs({ 1 << 18, bench.gpu and 1 << 27 or 1 << 24 }) do
        cases[#cases + 1] = case(bench, "upload", count, peers)
        cases[#cases + 1] = case(bench, "download", count, peers)
    end
    return cases
end
