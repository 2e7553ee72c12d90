-- lunarray itself as a peer, in another environment: the protocol of worker.h.
-- The arguments are what it says of itself and the device's name; `prepare one_core <operation> <dtype> <size>` names a
-- case of bench/operations.

local context = require "bench.context"
local measure = require "bench.measure"

local bench = context.open(arg[2])
local subject, timed

local function prepare(operation, dtype, size)
    subject = bench.find(operation, dtype, size).setup()
    timed = measure.own(subject, bench.clock)
    timed(1, 0)
end

local function run(calls, warm)
    return ("%.9g"):format(timed(math.tointeger(tonumber(calls)), tonumber(warm)))
end

local function get(from, count, path)
    local file = assert(io.open(path, "wb"))
    file:write(subject.read(math.tointeger(tonumber(from)), math.tointeger(tonumber(count))))
    file:close()
end

local function drop()
    if subject then
        subject.release()
        subject = nil
    end
end

-- Each gets the slot first: there is one.
local COMMANDS = {
    prepare = function(_, _, ...)
        drop()
        prepare(...)
    end,
    run = function(_, ...)
        return run(...)
    end,
    get = function(_, ...)
        get(...)
    end,
    drop = drop,
}

io.stdout:setvbuf("line")
print("ready " .. arg[1])
for line in io.lines() do
    local words = {}
    for word in line:gmatch("%S+") do
        words[#words + 1] = word
    end
    local ok, answer = pcall(COMMANDS[words[1]], table.unpack(words, 2))
    print((ok and "ok " or "no ") .. tostring(answer or ""):gsub("%s+", " "))
end
