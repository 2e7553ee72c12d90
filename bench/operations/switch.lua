-- Where work goes from the calling thread to PoCL's: eight operations at sizes on both sides of it, each waited for by
-- itself and many behind one another. The peer is lunarray with everything done by the threads: at its worst place the
-- switch costs what lies below a ratio of 1.

local data = require "bench.data"
local lun = require "lunarray"

local SIZES = { 10, 100, 1000, 3000, 10000, 30000, 100000, 300000, 1000000, 10000000 }

-- name, whether it gives a number, and so waits anyway; and what makes a call of a, b and out.
local OPERATIONS = {
    { "add", false, function(a, b, out)
        local options = { out = out }
        return function() a:add(b, options) end
    end },
    { "exp", false, function(a, _, out)
        local options = { out = out }
        return function() a:exp(options) end
    end },
    { "fused", false, function(a, b, out)
        local f, options = lun.fuse(function(x, y) return x * y + 1 end), { out = out }
        return function() f(a, b, options) end
    end },
    { "sum", true, function(a)
        return function() return a:sum() end
    end },
    { "cumsum", false, function(a, _, out)
        local options = { out = out }
        return function() a:cumsum(options) end
    end },
    { "sort", false, function(a, _, out)
        local options = { out = out }
        return function() a:sort(options) end
    end },
    { "take", false, function(a, _, out)
        local index, options = (a * (a:size() - 1)):cast "i64" + 1, { out = out }
        return function() a:take(index, options) end
    end },
    { "roll", false, function(a, _, out)
        local options = { out = out }
        return function() a:roll(1, options) end
    end },
}

local function case(bench, name, make, count, waits)
    local operation = "switch:" .. name .. (waits and "" or "_many")
    return {
        operation = operation, dtype = "f32", size = tostring(count), work = 1, unit = "call/s", rounds = 5,
        peers = { { "threads", ("%s f32 %d"):format(operation, count), check = false } },
        setup = function()
            local a = data.array(bench.device, "f32", { count })
            local b = data.array(bench.device, "f32", { count }, data.SECOND)
            local out = bench.device:zeros { count }
            local call = make(a, b, out)
            return {
                call = waits and function()
                    call()
                    bench.device:finish()
                end or call,
                finish = bench.finish, read = data.reader(out),
                release = function()
                    a:release()
                    b:release()
                    out:release()
                end,
            }
        end,
        check = function() end, -- the operations' own rows and the specs look at their results
    }
end

return function(bench)
    local cases = {}
    for _, operation in ipairs(bench.gpu and {} or OPERATIONS) do
        for _, waits in ipairs(operation[2] and { true } or { true, false }) do
            for _, count in ipairs(SIZES) do
                cases[#cases + 1] = case(bench, operation[1], operation[3], count, waits)
            end
        end
    end
    return cases
end
