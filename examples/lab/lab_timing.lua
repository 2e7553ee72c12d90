-- The lab's clock: the commands that a variant runs, how long the device took, and the yardsticks to compare with.

local timing = {}

local Lap = {}
Lap.__index = Lap

-- Counts an event's commands in; gives the event.
function Lap:add(event)
    self[#self + 1] = event
    return event
end

-- Runs a kernel and counts it in; gives the event.
function Lap:run(kernel, options, ...)
    options.async = true
    return self:add(kernel:run(options, ...))
end

-- Marks the present moment by a command that does next to nothing: for the host's time around calls without an event.
function Lap:mark()
    self.tick = self.tick or self.task.device:zeros { 1 }
    return self:add(self.tick:fill(0, { async = true }))
end

-- Seconds from the first command's start to the last command's end, on the device's clock; with `host` from the first
-- call, so that the host's own work in between counts too. Nil where nothing ran on the device.
function Lap:seconds(host)
    if #self == 0 then
        return nil
    end
    local from, to = math.huge, -math.huge
    for _, event in ipairs(self) do
        event:wait()
        local times = event:profile()
        from = math.min(from, host and times.queued or times.started)
        to = math.max(to, times.ended)
    end
    return math.max(to - from, 1e-9)
end

local PATIENCE = 1.0 -- seconds of a variant's own time after which it is not repeated

-- The `lap` that a variant's function gets. task: the task whose device `mark` uses.
function timing.lap(task)
    return setmetatable({ task = task }, Lap)
end

-- The times of up to `runs` calls of go, shortest first; nil where go ran nothing on the device.
function timing.list(go, runs, task, host)
    local list, spent = {}, 0
    repeat
        local lap = timing.lap(task)
        go(lap)
        local seconds = lap:seconds(host)
        if not seconds then
            return nil
        end
        list[#list + 1] = seconds
        spent = spent + seconds
    until #list >= runs or spent > PATIENCE
    table.sort(list)
    return list
end

function timing.median(list) -- of a sorted list
    local middle = #list // 2
    return #list % 2 == 1 and list[middle + 1] or (list[middle] + list[middle + 1]) / 2
end

-- ---- yardsticks ------------------------------------------------------------------------------------------------

local TRIES = 8 -- the quickest try counts: it is nearest to what the device can do

-- Work per second in the quickest and in the slowest of a list of times.
local function rates(work, times)
    return work / times[1], work / times[#times]
end

-- Bytes per second of the better of two copies (OpenCL's own, and a kernel's) of arrays that no cache holds; then of
-- that copy's slowest try.
local function copy_rate(device, program, width, small)
    local bytes = small and 2 ^ 23 or device:info().type == "gpu" and 2 ^ 29 or 2 ^ 26
    local n = math.tointeger(bytes // 4)
    local from <close> = device:ones { n }
    local to <close> = device:zeros { n }
    local copy = program:kernel "copy"
    local function kernel(lap)
        lap:run(copy, { global = n // width, group = 64 }, to, from)
    end
    local function library(lap)
        lap:add(from:copy { out = to, async = true })
    end
    kernel(timing.lap())
    library(timing.lap())
    local one, other = timing.list(kernel, TRIES), timing.list(library, TRIES)
    return rates(2 * bytes, one[1] < other[1] and one or other)
end

-- Operations per second of chains of multiply-adds, two operations each; then of the slowest try.
local function multiply_add_rate(device, program, width, small)
    local items = device:info().units * (device:info().type == "gpu" and 2048 or small and 256 or 4096)
    local rounds = device:info().type == "gpu" and 4096 or 256
    local out <close> = device:zeros { 1 }
    local kernel = program:kernel "multiply_add"
    local function go(lap)
        lap:run(kernel, { global = items, group = 64 }, out, 0.999, 0.001, rounds)
    end
    go(timing.lap())
    return rates(2 * items * width * 8 * rounds, timing.list(go, TRIES))
end

-- What the device can do: bytes per second copied (reading and writing both count) and f32 operations per second; each
-- also as `least`, the rate of the slowest try.
-- file: lab.cl's path; small: a rough figure will do.
function timing.yardsticks(device, file, small)
    local width = math.max(4, device:info().vector_f32)
    local program = device:program({ file = file }, { defines = { W = width } })
    local it = {}
    it.bytes, it.least_bytes = copy_rate(device, program, width, small)
    it.flops, it.least_flops = multiply_add_rate(device, program, width, small)
    return it
end

return timing
