-- What a memory access costs: by its pattern, by the banks of local memory, by waiting for it, and across the bus.
--
--     lua5.4 examples/lab/memory.lua --device gpu

local here = debug.getinfo(1, "S").source:match "^@(.*/)" or "./"
local lab = dofile(here .. "lab.lua")
local lun = require "lunarray"

local GIVEN = 4093 -- the vectors hold 0 to this, again and again: a prime, so that no stride meets the same numbers

local function value(i)
    return (i - 1) % GIVEN
end

local NUMBERS = {}
for i = 1, GIVEN do
    NUMBERS[i] = value(i)
end

-- ---- global memory ------------------------------------------------------------------------------------------------

local function copying(task)
    local n = task.size
    task.group = task.options.group
    task.title = ("global memory: copying %d f32, groups of %d"):format(n, task.group)
    task.bytes = 8 * n
    task.x = task.device:array(lab.cycle(NUMBERS, n, "<f"), "f32", { n })
    task.out = task.device:zeros { n }
    function task.check(out)
        return lab.compare(out, value)
    end
end

-- A copy by a kernel that takes a number besides n: number(n) gives that number, global(n, group) the range.
local function copy(name, number, global)
    return function(task)
        local kernel, n = task:kernel(name), task.size
        local rest = { number(n), n }
        local range = { global = global(n, task.group) }
        lab.fit(kernel, task.group)
        range.group = { task.group, #range.global > 1 and 1 or nil }
        task.out:fill(-1)
        return function(lap)
            lap:run(kernel, range, task.out, task.x, table.unpack(rest))
            return task.out
        end
    end
end

local function strided(stride)
    local function global(n, group)
        return { lab.round_up(lab.ceil_div(n, stride), group), stride }
    end
    return { name = "stride " .. stride, prepare = copy("copy_strided", function() return stride end, global) }
end

local function offset(by)
    local function global(n, group)
        return { lab.round_up(n, group) }
    end
    return { name = "offset " .. by, prepare = copy("copy_offset", function(n) return by % n end, global) }
end

local function four_an_item(task)
    local kernel, n = task:kernel "copy_vector", task.size
    lab.fit(kernel, task.group)
    task.out:fill(-1)
    return function(lap)
        lap:run(kernel, { global = lab.round_up(n // 4 + 1, task.group), group = task.group }, task.out, task.x, n)
        return task.out
    end
end

local function copy_by_library(task)
    return function(lap)
        lap:add(task.x:copy { out = task.out, async = true })
        return task.out
    end
end

local COPIES = {
    strided(1), strided(2), strided(4), strided(8), strided(16), strided(32), strided(33),
    offset(1), offset(8), offset(31),
    { name = "four an item", prepare = four_an_item },
    { name = "library", prepare = copy_by_library },
}

-- ---- local memory ------------------------------------------------------------------------------------------------

local WORDS, READS = 2048, 256

local function banks(task)
    task.group = task.options.group
    task.items = lab.round_up(math.min(task.size, 1048576), task.group)
    task.title = ("local memory: %d items, %d reads each"):format(task.items, READS)
    task.work, task.unit = 4 * READS * task.items, "B/s"
    function task.check(out, variant)
        local sums = {} -- by the item's place in its group
        for tid = 0, task.group - 1 do
            sums[tid] = 0
            for read = 0, READS - 1 do
                sums[tid] = sums[tid] + (tid * variant.stride + read) % WORDS % 7
            end
        end
        return lab.compare(out, function(i) return sums[(i - 1) % task.group] end)
    end
end

local BANKS = {}
for _, stride in ipairs { 1, 2, 4, 8, 16, 32, 33 } do
    BANKS[#BANKS + 1] = {
        name = "stride " .. stride,
        stride = stride,
        prepare = function(task)
            local kernel = task:kernel("local_stride", { WORDS = WORDS, READS = READS })
            local out = task.device:zeros { task.items }
            lab.fit(kernel, task.group)
            return function(lap)
                lap:run(kernel, { global = task.items, group = task.group }, out, stride)
                return out
            end
        end,
    }
end

-- ---- latency -------------------------------------------------------------------------------------------------------

local STEPS, WALKERS = 1024, 16 -- loads an item; items a group: too few to hide anybody's waiting

local function walking(task)
    local length = 1
    while length < task.size do
        length = 2 * length
    end
    task.mask = length - 1
    task.items = WALKERS * task.device:info().units
    task.title = ("latency: %d items, each %d loads at random among %d words"):format(task.items, STEPS, length)
    task.work, task.unit = task.items * STEPS, "loads/s"
    task.next = task.device:zeros({ length }, "u32")
    task:kernel("make_walk"):run({ global = length }, task.next, task.mask)
    local function walk(at, steps)
        for _ = 1, steps do
            at = 1664525 * at + 1013904223 & task.mask
        end
        return at
    end
    function task.check(out, variant)
        return lab.compare(out, function(i)
            local at, place = (i - 1) * 7919 & task.mask, 0
            for walker = 0, variant.walkers - 1 do
                place = place ~ walk(at + walker & task.mask, STEPS // variant.walkers)
            end
            return place
        end)
    end
end

local function walk(name)
    return function(task)
        local kernel, out = task:kernel(name), task.device:zeros({ task.items }, "u32")
        return function(lap)
            lap:run(kernel, { global = task.items, group = WALKERS }, out, task.next, STEPS, task.mask)
            return out
        end
    end
end

-- ---- across the bus ------------------------------------------------------------------------------------------------

local PIECES = 16

local function transferring(task)
    local n = math.max(1, task.size // 32)
    task.piece = n
    task.title = ("transfers: %d pieces of %d f32, host time"):format(PIECES, n)
    task.bytes = 4 * n * PIECES
    task.data = lab.cycle(NUMBERS, n, "<f")
    task.arrays = {}
    for i = 1, PIECES do
        task.arrays[i] = task.device:zeros { n }
    end
    function task.check(results)
        for i = 1, PIECES do
            local ok, wrong
            if type(results[i]) == "string" then
                ok, wrong = results[i] == task.data, "other bytes came back"
            else
                ok, wrong = lab.compare(results[i], value)
            end
            if not ok then
                return false, ("piece %d: %s"):format(i, wrong)
            end
        end
        return true
    end
end

-- Starts a transfer of every piece; each(event) then waits at once, or leaves it for the end.
local function transfers(start, blocking)
    return function(task)
        for _, array in ipairs(task.arrays) do
            array:write(task.data)
        end
        task.device:finish()
        return function(lap)
            local events = {}
            for i, array in ipairs(task.arrays) do
                events[i] = lap:add(start(task, array))
                if blocking then
                    events[i]:wait()
                end
            end
            lun.wait_all(events)
            local results = {}
            for i, event in ipairs(events) do
                results[i] = event:get()
            end
            return results
        end
    end
end

local function write(task, array)
    return array:write(task.data, { async = true })
end

local function read(_, array)
    return array:tobytes { async = true }
end

-- Mapping gives no event: marks before and after it stand for the host's time. Reading the elements in Lua would cost
-- more than any bus, so only the first and the last are read.
local function mapped(mode)
    return function(task)
        for _, array in ipairs(task.arrays) do
            array:write(task.data)
        end
        task.device:finish()
        return function(lap)
            lap:mark()
            for _, array in ipairs(task.arrays) do
                local host <close> = array:host(mode)
                local first, last = value(1), value(task.piece)
                if mode == "r" then
                    assert(host[1] == first and host[task.piece] == last, "the mapping holds other numbers")
                else
                    host[1], host[task.piece] = first, last
                end
            end
            lap:mark()
            return task.arrays
        end
    end
end

local TRANSFERS = {
    { name = "write, each waited for", host = true, prepare = transfers(write, true) },
    { name = "write, one wait at the end", host = true, prepare = transfers(write, false) },
    { name = "write, mapped", host = true, prepare = mapped "rw" },
    { name = "read, each waited for", host = true, prepare = transfers(read, true) },
    { name = "read, one wait at the end", host = true, prepare = transfers(read, false) },
    { name = "read, mapped", host = true, prepare = mapped "r" },
}

-- ---- a transfer beside a kernel ----------------------------------------------------------------------------------

-- Rounds of arithmetic on elements that all end at 2: as many rounds as take about as long as a transfer.
local ROUNDS = { gpu = 2048, cpu = 64 }

local function overlapping(task)
    transferring(task)
    task.group = task.options.group
    task.title = ("transfers beside a kernel: %d pieces of %d f32, host time"):format(PIECES, task.piece)
    task.x = task.device:zeros { lab.round_up(task.piece, task.group) }
    local check = task.check
    function task.check(results)
        if task.x:min() ~= 2 or task.x:max() ~= 2 then
            return false, ("the kernel left %s to %s, not 2"):format(task.x:min(), task.x:max())
        end
        return check(results)
    end
end

-- Each piece is read while the kernel works on another piece, unless the read stands behind the kernel in one queue.
-- queues(device) gives the kernel's queue and the read's.
local function beside(queues)
    return function(task)
        local kernel = task:kernel "busy"
        lab.fit(kernel, task.group)
        local kernel_queue, read_queue = queues(task.device)
        local rounds = ROUNDS[task.device:info().type] or ROUNDS.cpu
        for _, array in ipairs(task.arrays) do
            array:write(task.data)
        end
        task.device:finish()
        return function(lap)
            local events = {}
            for i, array in ipairs(task.arrays) do
                lap:run(kernel, { global = #task.x, group = task.group, queue = kernel_queue }, task.x, rounds)
                events[i] = lap:add(array:tobytes { async = true, queue = read_queue })
            end
            task.device:finish()
            local results = {}
            for i, event in ipairs(events) do
                results[i] = event:get()
            end
            return results
        end
    end
end

local function one_queue(device)
    local queue = device:queue()
    return queue, queue
end

local function two_queues(device)
    return device:queue(), device:queue()
end

-- Where no queue is named the library itself moves large transfers beside the kernels, if the device has an engine for
-- transfers.
local function no_names() end

local AWKWARD = {}
for _, size in ipairs { 1, 2, 63, 64, 65, 1001, 5000 } do
    AWKWARD[#AWKWARD + 1] = { size = size, group = 64 }
end

return lab.script {
    name = "memory",
    about = "What a memory access costs, by pattern, place and patience.",
    file = "memory.cl",
    size = { small = 2 ^ 16, cpu = 2 ^ 22, gpu = 2 ^ 26 },
    options = {
        { name = "group", value = "N", default = 256, integer = true, min = 1, max = 1024, help = "items in a group" },
    },
    awkward = AWKWARD,
    parts = {
        { problem = copying, variants = COPIES },
        { problem = banks, variants = BANKS, awkward = { { size = 1000, group = 64 } } },
        {
            problem = walking,
            variants = {
                { name = "one load at a time", walkers = 1, prepare = walk "walk_one" },
                { name = "four at a time", walkers = 4, prepare = walk "walk_four" },
            },
        },
        { problem = transferring, variants = TRANSFERS },
        {
            problem = overlapping,
            variants = {
                { name = "in one queue", host = true, prepare = beside(one_queue) },
                { name = "in a queue of their own", host = true, prepare = beside(two_queues) },
                { name = "left to the library", host = true, prepare = beside(no_names) },
            },
        },
    },
}
