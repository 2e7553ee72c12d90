-- Between Lua and the device: writing a string to an array, reading one back, and reading elements through a mapping.

local check = require "bench.check"
local data = require "bench.data"

-- What each does with an array; got(string) keeps what came.
local CALLS = {
    upload = function(x, text)
        x:write(text)
    end,
    download = function(x, _, got)
        got(x:tobytes())
    end,
    ["download:host"] = function(x)
        local host <close> = x:host "r"
        assert(host[#host])
    end,
}

local function read_mapped(x)
    return function(from, elements)
        local host <close>, list = x:host "r", {}
        for i = 1, elements do
            list[i] = string.pack("<f", host[from + i])
        end
        return table.concat(list)
    end
end

local function case(bench, operation, count, peers)
    local entries = {}
    for i, peer in ipairs(peers) do
        entries[i] = { peer, ("%s f32 %d"):format(peer == "pinned" and operation:match "^%l+" or "copy", count) }
    end
    return {
        operation = operation, dtype = "f32", size = tostring(count), work = 4 * count, unit = "GB/s", peers = entries,
        setup = function()
            local text = data.text("f32", count)
            local x = data.array(bench.device, "f32", { count })
            local got
            local readers = {
                upload = data.reader(x),
                download = function(from, elements)
                    return got:sub(4 * from + 1, 4 * (from + elements))
                end,
                ["download:host"] = read_mapped(x),
            }
            return {
                call = function()
                    CALLS[operation](x, text, function(came) got = came end)
                end,
                finish = bench.finish,
                read = readers[operation],
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

-- An asynchronous transfer while a kernel runs, by the device's clock: it has to be over before the kernel is.
local BESIDE = 1 << 26 -- elements
local ROUNDS = 5

local function beside(bench, operation)
    local function samples()
        local dev, list, text = bench.device, {}, data.text("f32", BESIDE)
        local x, bodies = data.array(dev, "f32", { BESIDE }), dev:random({ 1 << 18, 4 }, { seed = 1 })
        local out = bodies:gravity { softening = 0.1 }
        for round = 0, ROUNDS do -- the first pins memory
            dev:finish()
            local kernel = bodies:gravity { softening = 0.1, out = out, async = true }
            local called = bench.clock()
            local transfer <close> = operation == "upload" and x:write(text, { async = true })
                or x:tobytes { async = true }
            called = bench.clock() - called
            local k, t = kernel:profile(), transfer:profile()
            bench.note("%s of %d MiB beside a kernel%s: %.2f to %.2f ms of its %.2f; the call returned after %.2f ms",
                operation, BESIDE >> 18, round == 0 and " (the first)" or "", 1e3 * (t.started - k.started),
                1e3 * (t.ended - k.started), 1e3 * (k.ended - k.started), 1e3 * called)
            if round > 0 and (t.started < k.started or t.ended > k.ended) then
                error("it did not run beside the kernel", 0)
            end
            list[round] = t.ended - t.started
        end
        x:release()
        bodies:release()
        out:release()
        return list
    end
    return {
        operation = "beside:" .. operation, dtype = "f32", size = tostring(BESIDE), work = 4 * BESIDE, unit = "GB/s",
        peers = {}, samples = samples,
    }
end

return function(bench)
    local peers = { bench.gpu and "pinned" or "memcpy" }
    local cases = {}
    for _, count in ipairs({ 1 << 18, bench.gpu and 1 << 27 or 1 << 24 }) do
        cases[#cases + 1] = case(bench, "upload", count, peers)
        cases[#cases + 1] = case(bench, "download", count, peers)
        cases[#cases + 1] = case(bench, "download:host", count, peers)
    end
    if bench.gpu then
        cases[#cases + 1] = beside(bench, "upload")
        cases[#cases + 1] = beside(bench, "download")
    end
    return cases
end
