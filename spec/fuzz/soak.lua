-- Runs all operations over and over, with failing calls among them, and looks whether anything grows: memory of the
-- device and of Lua, this process' memory, its descriptors and its threads.
--
--   lua5.4 spec/fuzz/soak.lua [SECONDS]      `make soak SOAK=1800`

local lun = require "lunarray"
local helper = require "spec.helper"
local operations = require "spec.operations"
local scenarios = require "spec.layer.scenarios"

-- What shows a result as text takes the layer for counting, which is not here.
package.loaded.layer = {}

local seconds = tonumber(arg[1] or 1800)
local dev = lun.device()
local list = operations.list()
local everything = assert(load(scenarios.everything(list)))

-- What fails: a call with wrong arguments, a build, an index that only the device sees, memory that there is not.
local function failures()
    local x = dev:array { 1, 2, 3 }
    assert(not pcall(x.reshape, x, 2, 2))
    assert(not pcall(dev.map, dev, "x + nonsense", { x = x }))
    assert(not pcall(function() x:take(dev:array({ 9 }, "i32")):totable() end))
    pcall(dev.finish, dev)
    assert(not pcall(dev.zeros, dev, { 1 << 45 }, "u8"))
end

-- Several queues, events, mappings, large transfers, and values that are dropped at work.
local BYTES = ("abcdefgh"):rep(1 << 17)
local function traffic()
    local q <close> = dev:queue()
    local large = dev:array(BYTES, "u8")
    local later = large:tobytes { async = true, queue = q }
    large:write(BYTES, { async = true }):wait()
    assert(later:get() == BYTES)
    do
        local host <close> = large:host "rw"
        host[1] = host[2]
    end
    large:copy { async = true }
    large:add(1, { async = true, queue = q }):pollfd()
    local thread = coroutine.wrap(function()
        local host <close> = large:host "r" -- luacheck: ignore
        coroutine.yield()
    end)
    thread()
end

local function entries(folder)
    local listing <close> = assert(io.popen("ls " .. folder .. " | wc -l"))
    return listing:read "n"
end

-- What must stay as it is, and by how much it may grow nevertheless.
local KEYS = { "live", "descriptors", "threads", "lua", "resident" }
local ROOM = { live = 0, descriptors = 0, threads = 0, lua = 8192, resident = 1 << 20 }

-- How much there is of each, once all that is garbage is gone.
local function now()
    for _ = 1, 3 do
        collectgarbage()
        dev:finish()
    end
    local id = io.open("/proc/self/stat"):read "n"
    return {
        live = dev:memory().live, descriptors = entries(("/proc/%d/fd"):format(id)),
        threads = entries(("/proc/%d/task"):format(id)), lua = collectgarbage "count" * 1024,
        resident = helper.resident(),
    }
end

local first = everything()
failures()
traffic()
local begun, rounds = os.time(), 0
local samples = assert(io.tmpfile()) -- a list here would be what grows
repeat
    assert(everything() == first, "another result than in the first round")
    failures()
    traffic()
    rounds = rounds + 1
    local sample = now()
    for _, key in ipairs(KEYS) do
        samples:write(("%d "):format(sample[key]))
    end
until os.time() - begun >= seconds and rounds >= 6

local lows = {} -- of each third
samples:seek "set"
for i = 1, rounds do
    local third = (i * 3 - 1) // rounds + 1
    lows[third] = lows[third] or {}
    for _, key in ipairs(KEYS) do
        lows[third][key] = math.min(lows[third][key] or math.huge, samples:read "n")
    end
end
samples:close()

local wrong = 0
for _, key in ipairs(KEYS) do
    -- The least of a third of the rounds: memory goes up and down, and what is lost stays.
    local first_low, before, after = lows[1][key], lows[2][key], lows[3][key]
    print(("%-12s least in the thirds of the rounds: %12d %12d %12d"):format(key, first_low, before, after))
    if after > before + ROOM[key] then
        wrong = wrong + 1
        print(("wrong: %s has grown from %d to %d"):format(key, before, after))
    end
end
print(("tried %d operations, %d refused"):format(rounds * (#list + 8), rounds * 4))
os.exit(wrong == 0)
