-- Operations that fail on the device: who is told, how often, what is spoiled, and that all is usable afterwards.

local helper = require "spec.helper"

local it = helper.one_in(2, it)

-- In a process of its own, with the module that `make faults` builds: core.fault_close(n) holds the next n operations
-- back on the device, core.fault_open(code) makes them fail there.
local HEADER = [[
    local core = require "lunarray.core"
    local lun = require "lunarray"
    local dev = lun.device()
    local q1, q2, q3 = dev:queue(), dev:queue(), dev:queue()
    local FAILED = -5
    local a, b, c = dev:ones { 4, 4 }, dev:ones { 4, 4 }, dev:ones { 4, 4 }
    dev:finish()

    -- f(...) must raise that this operation has failed.
    local function raises(op, f, ...)
        local ok, problem = pcall(f, ...)
        assert(not ok, "nothing was raised")
        assert(type(problem) == "table" and problem.op == op, tostring(problem))
        assert(tostring(problem):find("lunarray: %l[%l%d_]+: " .. op .. " failed on the device"), tostring(problem))
        assert(math.type(problem.code) == "integer")
        return problem
    end

    -- Enqueues what f does, with its first operation held back, then makes that fail.
    local function fail(f)
        core.fault_close(1)
        local event = f()
        core.fault_open(FAILED)
        return event
    end

    -- The device and all queues work.
    local function works()
        for _, q in ipairs { false, q1, q2, q3 } do
            local on = { queue = q or nil }
            local x = dev:full({ 4 }, 2, on)
            assert(x:sum(on) == 8 and x:matmul(x, on) == 16)
        end
        dev:finish()
    end
]]

-- All work is the threads', where a scenario counts the calls of operations that a companion would do at once.
local THREADS = { LUNARRAY_COMPANION = "0" }

local function run(source, env)
    return helper.child(HEADER .. source, { cpath = "build/faults/?.so", env = env })
end

describe("an operation that fails on the device", function()
    it("is told at every wait, get and profile of its event, and once by finish", function()
        run [[
            for _, q in ipairs { false, q1 } do
                local event = fail(function() return a:fill(2, { queue = q or nil, async = true }) end)
                for _ = 1, 2 do
                    raises("fill", event.wait, event)
                    raises("fill", event.get, event)
                    raises("fill", event.profile, event)
                    raises("fill", lun.wait_all, { event })
                end
                assert(event:done() and event:status() == "failed")
                assert(tostring(event) == "lunarray.event: fill (failed)")
                assert(lun.wait_any { event } == 1)
                raises("fill", dev.finish, dev)
                dev:finish()
                q1:finish()
                raises("fill", event.wait, event)
                a:fill(1, { queue = q or nil })
                raises("fill", event.wait, event)
                assert(a:sum() == 16)
                works()
            end
        ]]
    end)

    it("spoils what it was to write until that is written whole", function()
        run [[
            fail(function() a:fill(2, { queue = q1 }) end)
            for _ = 1, 2 do
                raises("fill", a.sum, a)
                raises("fill", a.get, a, 3, 3)
                raises("fill", a.totable, a)
                raises("fill", a.host, a, "r")
                raises("fill", function() return a:totable { async = true, queue = q2 }:get() end)
                raises("fill", function() return b:write(a, { queue = q3 }) end)
                raises("fill", function() return a:matmul(b) end)
                raises("fill", function() return b:matmul(c, { out = a, beta = 1 }) end)
                raises("fill", function() return a:add_at(dev:ones({ 1 }, "i32"), 1) end)
            end
            assert(tostring(a):find "fill failed on the device")
            a:row(2):fill(0)
            a:slice({ 1, 4, 2 }):fill(0)
            a:t():col(1):fill(0)
            raises("fill", a.sum, a)
            a:t():write(b)
            raises("fill", dev.finish, dev)
            a:write(b)
            assert(a:sum() == 16 and b:sum() == 16)
            works()
        ]]
    end)

    it("spoils less with each end of it that is written", function()
        run [[
            local event = fail(function() return a:fill(2, { queue = q1, async = true }) end)
            while not event:done() do end -- what is enqueued before that waits for it, and fails as well
            a:row(4):fill(5)
            assert(a:row(4):sum() == 20)
            raises("fill", a.sum, a:row(3))
            a:row(1):fill(6)
            assert(a:row(1):sum() == 24)
            raises("fill", a.sum, a:row(2))
            a:row(3):fill(7)
            assert(a:slice({ 3, 4 }):sum() == 48)
            raises("fill", a.sum, a:row(2))
            a:row(2):fill(8)
            assert(a:sum() == 104)
            raises("fill", dev.finish, dev)
            works()
        ]]
    end)

    it("is forgotten where a mapping for writing alone covers it", function()
        run [[
            fail(function() a:fill(2, { queue = q1 }) end)
            raises("fill", a.host, a, "rw")
            do
                local host <close> = a:host "w"
                for i = 1, #host do
                    host[i] = 3
                end
            end
            assert(a:sum() == 48)
            raises("fill", dev.finish, dev)
            works()
        ]]
    end)

    it("leaves what it was not to write", function()
        run [[
            fail(function() a:row(2):fill(7, { queue = q1 }) end)
            raises("fill", a.sum, a)
            raises("fill", function() return a:row(2):sum() end)
            raises("fill", function() return a:col(1):sum() end)
            assert(a:row(1):sum() == 4 and a:slice({ 3, 4 }):sum() == 8)
            assert(b:sum() == 16)
            a:row(2):fill(3)
            assert(a:sum() == 24)
            raises("fill", q1.finish, q1)
            works()
        ]]
    end)

    it("takes what waits for it on other queues along, and is the one that is named", function()
        local output = run [[
            local events = {}
            fail(function()
                events[1] = a:fill(2, { queue = q1, async = true })
                events[2] = b:write(a, { queue = q2, async = true })
                events[3] = c:write(b, { queue = q3, async = true })
                events[4] = c:sum { async = true }
                events[5] = c:totable { async = true, queue = q2 }
            end)
            for i = #events, 1, -1 do
                raises("fill", events[i].wait, events[i])
                raises("fill", events[i].get, events[i])
            end
            for _, array in ipairs { c, b, a } do
                raises("fill", array.get, array, 1, 1)
            end
            raises("fill", q3.finish, q3) -- once for all queues
            q1:finish()
            q2:finish()
            dev:finish()
            for _, array in ipairs { a, b, c } do
                array:fill(1)
                assert(array:sum() == 16)
            end
            works()
            print(select(2, pcall(events[1].wait, events[1])))
        ]]
        assert.matches("lunarray: wait: fill failed on the device", output)
    end)

    it("is the one that is named, whichever queue is asked first", function()
        run [[
            local function chain()
                return fail(function()
                    local x = dev:zeros({ 4 }, { queue = q1 })
                    local y = x:transpose { queue = q2 }
                    return y:copy { queue = q3, async = true }
                end)
            end
            for _, ask in ipairs {
                function() q1:finish() end, function() q2:finish() end, function() q3:finish() end,
                function() dev:finish() end, function(event) event:wait() end,
            } do
                local event = chain()
                raises("fill", ask, event)
                pcall(dev.finish, dev)
                dev:finish()
                works()
            end
        ]]
    end)

    it("is reported by finish once each, the oldest first", function()
        run [[
            fail(function() a:fill(2, { queue = q1 }) end)
            pcall(a.get, a, 1, 1)
            fail(function() b:write(c, { queue = q2 }) end)
            pcall(b.get, b, 1, 1)
            fail(function() c:transpose_ { queue = q1 } end)
            raises("fill", dev.finish, dev)
            raises("transpose_", q1.finish, q1)
            q1:finish()
            raises("copy", dev.finish, dev)
            dev:finish()
            raises("fill", a.sum, a)
            raises("copy", b.sum, b)
            raises("transpose_", c.sum, c)
            works()
        ]]
    end)

    it("wakes who waits for it", function()
        run [[
            for _, wait in ipairs {
                function(event) event:wait() end,
                function(event) lun.wait_all { event } end,
                function() q1:finish() end,
                function() dev:finish() end,
                function() a:get(1, 1) end,
            } do
                core.fault_close(1)
                local event, calls = a:fill(2, { queue = q1, async = true }), 0
                debug.sethook(function() -- waits call it
                    calls = calls + 1
                    if calls == 6 then
                        core.fault_open(FAILED)
                        debug.sethook()
                    end
                end, "c")
                raises("fill", wait, event)
                debug.sethook()
                pcall(dev.finish, dev)
                a:fill(1)
            end
            works()
        ]]
    end)

    it("leaves the next owner of its memory in peace", function()
        run [[
            dev:trim()
            local x = dev:zeros { 5000 }
            local event = fail(function()
                local event = x:fill(2, { queue = q1, async = true })
                x:release()
                return event
            end)
            local y = dev:full({ 5000 }, 3, { queue = q2 })
            pcall(event.wait, event)
            local ok, sum = pcall(y.sum, y)
            assert(ok and sum == 15000 or not ok and sum.op == "fill") -- y's own filling may have waited for the other
            y:fill(4)
            assert(y:sum() == 20000)
            raises("fill", dev.finish, dev)
            works()
        ]]
    end)

    it("keeps nothing of memory, whatever was under way", function()
        run [[
            local function program()
                local x = dev:array({ 1, 2, 3, 4 }, { queue = q1 })
                local y = x:copy { queue = q2 }
                local list = y:totable { queue = q3, async = true }
                x:write({ 5, 6, 7, 8 }, { queue = q3 })
                return y:sum { async = true }, list
            end
            program()
            dev:finish()
            collectgarbage()
            local live = dev:memory().live
            for _ = 1, 10 do
                fail(program)
                pcall(dev.finish, dev)
                collectgarbage()
                assert(dev:memory().live == live)
            end
            works()
        ]]
    end)

    it("is not lost when its queue is released", function()
        run [[
            local q = dev:queue()
            fail(function()
                a:fill(2, { queue = q })
                q:release()
            end)
            raises("fill", a.sum, a)
            raises("fill", dev.finish, dev)
            for _ = 1, 13 do
                q = dev:queue()
                assert(q:event():wait())
                q:finish()
            end
            collectgarbage()
            works()
        ]]
    end)

    it("leaves bodies whose time did not advance", function()
        run [[
            local pos, vel = dev:random { 64, 4 }, dev:zeros { 64, 4 }
            local before = pos:tobytes()
            local event = fail(function()
                return pos:nbody(vel, { dt = 0.01, steps = 10, softening = 0.1, queue = q1, async = true })
            end)
            raises("nbody", event.get, event)
            raises("nbody", pos.sum, pos)
            raises("nbody", vel.sum, vel)
            pos:write(before)
            vel:fill(0)
            pos:nbody(vel, { dt = 0.01, steps = 10, softening = 0.1, queue = q1 })
            assert(pos:tobytes() ~= before)
            raises("nbody", dev.finish, dev)
            works()
        ]]
    end)

    it("may be forgotten by its driver, and is told all the same", function()
        run [[
            -- What is enqueued just as what it waits for fails never ends on PoCL 3.
            core.fault_close(1)
            a:fill(2, { queue = q1 })
            core.fault_open(FAILED)
            q3:event():wait()
            core.fault_blind(true)
            local event = b:write(c, { queue = q2, async = true })
            local late = a:fill(3, { queue = q2, async = true })
            local later = b:copy { queue = q2, async = true }
            core.fault_blind(false)
            assert(event:wait())
            if pcall(late.wait, late) then -- NVIDIA's driver refuses to wait for what has failed, so nothing does
                assert(later:get():sum() == 16 and a:sum() == 48)
                raises("fill", dev.finish, dev)
            else
                raises("fill", late.wait, late)
                raises("fill", later.get, later)
                raises("fill", q2.finish, q2)
                dev:finish()
            end
            a:fill(1)
            assert(a:sum() == 16)
            works()
        ]]
    end)

    it("may be forgotten by its driver, and the end of the device does not wait for it", function()
        run [[
            core.fault_close(1)
            a:fill(2, { queue = q1 })
            core.fault_open(FAILED)
            q3:event():wait()
            core.fault_blind(true)
            a:fill(3, { queue = q2 })
        ]]
    end)
end)

-- A device has memory of its own here, and no queue but the first is asked for: then few operations have an event.
local ONE_QUEUE = HEADER:match "^(.-)local q1" .. [[
    local a, b = dev:ones { 4, 4 }, dev:ones { 4, 4 }
    local FAILED = -5
    dev:finish()

    -- What the first OpenCL call is that dev:finish() makes, which fails then.
    local function first_call()
        core.fault_after(1, FAILED)
        local ok, problem = pcall(dev.finish, dev)
        core.fault_after(0)
        dev:finish()
        return ok and "none" or tostring(problem):match "cl%u%a+"
    end
]]

describe("operations that share an event", function()
    local function run_one(source)
        return helper.child(ONE_QUEUE .. source, { cpath = "build/faults/?.so", env = THREADS })
    end

    it("are waited for by a marker, unless work goes on side by side", function()
        run_one [[
            assert(first_call() == "none")
            for _ = 1, 5 do a:fill(3) end
            assert(first_call() == "clEnqueueMarkerWithWaitList")
            assert(first_call() == "none" and a:sum() == 48)
            local q = dev:queue()
            for _ = 1, 5 do a:fill(4) end
            assert(first_call() == "clFlush")
            assert(a:sum() == 64)
        ]]
    end)

    it("are not a task's: that waits for its own", function()
        run_one [[
            a:fill(3)
            local event = a:fill(4, { async = true })
            assert(event:get():sum() == 64)
            assert(first_call() == "none")
        ]]
    end)

    it("end in their order, and leave what they write, however many they are", function()
        run_one [[
            for n = 1, 500 do
                a:fill(n)
                b:write(a)
                a:row(2):fill(0)
                if n % 83 == 0 then
                    assert(b:sum() == 16 * n and a:sum() == 12 * n)
                elseif n % 89 == 0 then
                    assert(b:get(4, 4) == n and a:t():totable()[2][2] == 0)
                end
            end
            dev:finish()
            assert(b:get(1, 1) == 500)
        ]]
    end)

    it("are waited for by another queue", function()
        run_one [[
            for n = 1, 20 do a:fill(n) end
            local q = dev:queue()
            b:write(a, { queue = q })
            assert(b:sum { queue = q } == 320)
            for n = 1, 20 do b:fill(n, { queue = q }) end
            a:write(b)
            assert(a:sum() == 320)
        ]]
    end)

    it("keep out of the failure of what comes behind them", function()
        run_one [[
            for n = 1, 5 do a:fill(n) end
            core.fault_close(1)
            b:fill(2)
            core.fault_open(FAILED)
            local ok, problem = pcall(b.sum, b)
            assert(not ok and problem.op == "fill", problem)
            assert(a:sum() == 80)
            b:fill(2)
            assert(b:sum() == 32)
            assert(not pcall(dev.finish, dev))
            dev:finish()
        ]]
    end)
end)

describe("a queue that dies", function()
    it("is replaced; what it had not ended has failed", function()
        local output = run([[
            core.fault_close(1)
            a:fill(2, { queue = q1 })
            core.fault_after(1, -36, 3)
            local ok, problem = pcall(q1.event, q1)
            print(problem.name, tostring(problem):match "lunarray: .*")
            b:fill(2, { queue = q1 }) -- on a new queue, behind the back of the other
            core.fault_after(0)
            core.fault_open(0)
            assert(b:sum() == 32)
            print(raises("fill", a.sum, a).message)
            raises("fill", dev.finish, dev)
            a:fill(1)
            assert(a:sum() == 16)
            works()
        ]], THREADS)
        assert.matches("^CL_INVALID_COMMAND_QUEUE\tlunarray: event: clFlush gave CL_INVALID_COMMAND_QUEUE %(%-36%): "
            .. "the queue is dead\n", output)
        assert.matches("\nfill failed on the device: CL_INVALID_COMMAND_QUEUE %(%-36%): the queue is dead\n$", output)
    end)
end)

describe("a queue's place that is still at work", function()
    it("is waited for, as long as there is nothing against it", function()
        local output = run [[
            local queues = {}
            for i = 1, 13 do
                queues[i] = dev:queue()
            end
            core.fault_close(1)
            local event, calls = a:fill(2, { queue = q1, async = true }), 0
            q1:release()
            core.fault_after(1, FAILED, 100) -- no wait succeeds
            print(select(2, pcall(dev.queue, dev)))
            core.fault_after(0)
            debug.sethook(function()
                calls = calls + 1
                if calls == 4 then
                    assert(not event:done())
                    core.fault_open(0)
                    debug.sethook()
                end
            end, "c")
            q1 = dev:queue()
            debug.sethook()
            assert(event:done() and a:sum() == 32)
            works()
        ]]
        assert.matches("lunarray: queue: the device can have 16 queues, and some of the released ones are still "
            .. "at work\n$", output)
    end)
end)

describe("a transfer for which too many are in flight", function()
    it("waits for them, and can be interrupted", function()
        run [[
            local n = 9 << 20 -- in this build 16 MiB may be under way
            local text = ("\1"):rep(n)
            local x, y = dev:zeros({ n }, "u8"), dev:zeros({ n }, "u8")
            dev:finish()
            core.fault_close(1)
            x:write(text, { queue = q1 })
            -- Calls f, and g once f waits.
            local function meanwhile(f, g)
                debug.sethook(function()
                    local frame = debug.getinfo(3, "S")
                    if frame and frame.what == "C" then -- what lunarray calls between the slices of a wait
                        debug.sethook()
                        g()
                    end
                end, "c")
                local ok, problem = pcall(f)
                debug.sethook()
                return ok, problem
            end
            local function write() y:write(text, { queue = q2 }) end
            local ok, problem = meanwhile(write, function() error("interrupted", 0) end)
            assert(not ok and problem == "interrupted", problem)
            assert(meanwhile(write, function() core.fault_open(0) end))
            assert(x:sum() == n and y:sum() == n)
            works()
        ]]
    end)
end)

-- A driver may fail a command as soon as what it waits for on another queue fails, with a long command before it in its
-- own queue still running, and start what is enqueued behind it at once.
local AHEAD = [[
    local slow = dev:program([=[kernel void slow(global float *x, long n) {
        float s = x[0];
        for (long i = 0; i < n; i++)
            s = s * 0.999999f + 1e-6f * (float)(i & 7);
        x[0] = s;
        x[1] = 7;
    }]=]):kernel()
    local x = dev:zeros { 16 }
    slow:run({ global = 1 }, x, 10)
    x:fill(0)
    dev:finish()

    -- A long command on q2, and behind it one that waits for what fails on q1.
    local function ahead()
        core.fault_close(1)
        a:fill(2, { queue = q1 })
        local long = slow:run({ global = 1, queue = q2, async = true }, x, 3e8 // 1 | 0)
        local event = b:write(a, { queue = q2, async = true })
        core.fault_open(FAILED)
        return long, event
    end
]]

describe("an operation that fails before its turn", function()
    local function try(source)
        return run(AHEAD .. source)
    end

    it("is waited for with what is before it, and names its cause", function()
        try [[
            local long, event = ahead()
            raises("fill", q2.finish, q2)
            assert(long:status() == "complete" and x:get(2) == 7)
            raises("fill", event.wait, event)
            long, event = ahead()
            raises("fill", event.wait, event)
            assert(long:status() == "complete")
            long, event = ahead()
            assert(lun.wait_any { event } == 1 and long:status() == "complete")
        ]]
    end)

    it("lets nothing behind it start before what is before it", function()
        try [[
            local long = ahead()
            local copy = x:copy { queue = q2 }
            local ok, value = pcall(copy.get, copy, 2) -- another driver may not have failed the one before it yet
            assert(long:status() == "complete")
            if ok then
                assert(value == 7)
            else
                raises("fill", copy.get, copy, 2)
            end
            pcall(q2.finish, q2)
            works()
        ]]
    end)

    it("does not make a full queue forget what is before it", function()
        try [[
            local long = ahead()
            for i = 1, 200 do
                c:fill(i, { queue = q2 })
            end
            assert(x:get(2) == 7 and long:status() == "complete" and c:get(1, 1) == 200)
        ]]
    end)

    it("does not keep a read of what it was to write from raising", function()
        try [[
            ahead()
            raises("fill", b.totable, b, { queue = q1 })
            raises("fill", b.totable, b)
            pcall(dev.finish, dev)
            works()
        ]]
    end)
end)

describe("a queue in a place that another has left", function()
    it("does not tell of that one's failures", function()
        run [[
            for _ = 1, 14 do -- so that all places are taken
                dev:queue():finish()
            end
            fail(function() return a:fill(2, { queue = q1 }) end)
            pcall(a.get, a, 1, 1)
            q1:release()
            collectgarbage()
            for _ = 1, 14 do
                local q = dev:queue()
                q:finish()
            end
            raises("fill", dev.finish, dev)
        ]]
    end)

    -- Medians and histograms have several commands, and where a row of commands fails in turn PoCL 3.1 ends the process
    -- (an invalid mutex in pocl_update_event_failed).
    it("is called by the name of its method: a draw", function()
        run [[
            local rng = dev:rng(1)
            local function draw() return rng:poisson { 3 } end
            draw()
            dev:finish()
            local result = fail(draw)
            raises("random", function() result:totable() end)
            pcall(dev.finish, dev)
            works()
        ]]
    end)
end)
