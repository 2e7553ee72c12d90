-- Random sequences over several queues, of arrays on both sides of the size at which work goes from the calling thread
-- to the driver's. Each array is known by two numbers: its i-th element is `first + i * step`, as whole numbers wrap.

local helper = require "spec.helper"

local SIZES = { 7, 100, 3000, 20000, 70000, 300000 }
local ROUNDS = os.getenv "LUNARRAY_LONG" and 60 or 8
local COMMANDS = 300

-- What a process prints that computes on both sides of the switch, and ends while some of it is under way.
local BOTH_SIDES = [[
    local dev = require "lunarray".device()
    for _, n in ipairs { 10, 1000, 30000, 300000 } do
        local x = dev:arange(1, n)
        local y = x + x
        local event = y:sub(x, { async = true })
        print(y:sum(), event:get():eq(x):all(), y:cumsum():get(n), x:flip():get(1))
    end
    local last = dev:zeros { 1000000 }
    for i = 1, 50 do
        last:add(i, { out = last })
    end
    local event = last:slice({ 1, 10 }):add(1, { async = true })
    last:sum { async = true }
]]

local SAID = ""
for _, n in ipairs { 10, 1000, 30000, 300000 } do
    SAID = SAID .. ("%d\ttrue\t%d\t%d\n"):format(n * (n + 1), n * (n + 1), n)
end

describe("work on both sides of the switch", function()
    it("may be under way where the process ends", function()
        for _ = 1, 5 do
            assert.equal(SAID, helper.child(BOTH_SIDES))
        end
    end)

    it("is done by one core alone", function()
        local one = { POCL_MAX_PTHREAD_COUNT = "1", POCL_CPU_MAX_CU_COUNT = "1" } -- PoCL's, before and since version 4
        assert.equal(SAID, helper.child(BOTH_SIDES, { env = one }))
        if os.execute "command -v taskset >/dev/null" then
            assert.equal(SAID, helper.child(BOTH_SIDES, { before = "taskset -c 0", env = one }))
            assert.equal(SAID, helper.child(BOTH_SIDES, { before = "taskset -c 0" }))
        end
    end)
end)

local function at(line, i)
    return line.first + i * line.step
end

local function sum_of(line)
    local n = line.array:size()
    return n * line.first + (n & 1 == 0 and n // 2 * (n + 1) or (n + 1) // 2 * n) * line.step
end

-- Each changes the array, on a queue, as it changes the two numbers; another array of the same size may be read.
local function commands(random)
    return {
        function(a, _, options)
            a.first, a.step = random(-9, 9), 0
            a.array:fill(a.first, options)
        end,
        function(a, b, options)
            a.first, a.step = a.first + b.first, a.step + b.step
            a.array:add(b.array, { out = a.array, queue = options.queue })
        end,
        function(a, b, options)
            local k = random(-3, 3)
            a.first, a.step = a.first - k * b.first, a.step - k * b.step
            a.array:sub(b.array * k, { out = a.array, queue = options.queue })
        end,
        function(a, b, options)
            a.first, a.step = b.first, b.step
            b.array:copy { out = a.array, queue = options.queue }
        end,
        function(a, b, options)
            local n = b.array:size()
            a.first, a.step = b.first + (n + 1) * b.step, -b.step
            b.array:slice({ n, 1, -1 }):copy { out = a.array, queue = options.queue }
        end,
        function(a, b, options)
            local n = b.array:size()
            local index <close> = a.array:device():arange(n, 1, -1, "i64")
            a.first, a.step = b.first + (n + 1) * b.step, -b.step
            b.array:take(index, { out = a.array, queue = options.queue })
        end,
        function(a, _, options)
            local events = {}
            for k = 1, 2 do
                events[k] = a.array:add(1, { out = a.array, queue = options.queue, async = true })
            end
            a.first = a.first + 2
            return events[random(1, 2)]
        end,
        function(a)
            local i = random(1, a.array:size())
            assert.equal(at(a, i), a.array:get(i))
        end,
        function(a, _, options)
            assert.equal(sum_of(a), a.array:sum(options))
        end,
        function(a)
            local from = random(1, a.array:size() - 5)
            local got = a.array:slice({ from, from + 5, 1 }):totable()
            for i = 1, 6 do
                assert.equal(at(a, from + i - 1), got[i])
            end
        end,
        function(a)
            local i, host <close> = random(1, a.array:size()), a.array:host "rw"
            assert.equal(at(a, i), host[i])
            host[i] = at(a, i)
        end,
        function(_, _, options)
            if options.queue and random(1, 3) == 1 then
                options.queue:finish()
            end
        end,
    }
end

helper.it_each_device("sequences of small and large arrays over queues give what their arithmetic says", function(dev)
    for round = 1, ROUNDS do
        local state = 4321 * round
        local function random(low, high)
            state = (state * 1103515245 + 12345) % 2 ^ 31 // 1 | 0
            return low + (state >> 8) % (high - low + 1)
        end
        local queues, lines, events = { dev:queue(), dev:queue() }, {}, {}
        for i, size in ipairs(SIZES) do
            for k = 1, 2 do
                local first = (i - 1) * 10 + k
                local array = dev:arange(first + 1, first + size, "i64")
                lines[2 * i - 2 + k] = { array = array, first = first, step = 1 }
            end
        end
        local list = commands(random)
        for _ = 1, COMMANDS do
            local which = 2 * random(1, #SIZES) - 1
            local swap = random(0, 1)
            local a, b = lines[which + swap], lines[which + 1 - swap]
            events[#events + 1] = list[random(1, #list)](a, b, { queue = queues[random(1, 3)] })
            if random(1, 10) == 1 and events[1] then
                table.remove(events, random(1, #events)):wait()
            end
        end
        for _, line in ipairs(lines) do
            assert.equal(sum_of(line), line.array:sum())
            assert.equal(at(line, 1), line.array:get(1))
            line.array:release()
        end
        for _, queue in ipairs(queues) do
            queue:release()
        end
    end
end)
