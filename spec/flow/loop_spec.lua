-- Events in event loops: their descriptors, under cqueues and luv while other coroutines and timers run.

local helper = require "spec.helper"

local it = helper.one_in(2, it)

-- The loop's module; the spec is pending where it is missing.
local function need(name)
    local found, module = pcall(require, name)
    if not found then
        pending(("%s is missing; the package lua-%s has it"):format(name, name))
    end
    return module
end

-- How many descriptors this process has open.
local function descriptors()
    local least = math.huge -- a driver's thread may have a file open for a moment
    for _ = 1, 3 do
        local pipe = assert(io.popen("ls /proc/$PPID/fd | wc -l"))
        least = math.min(least, pipe:read("n"))
        pipe:close()
    end
    return least
end

helper.each_device(function(dev, title)
    local pos, out -- positions whose gravity takes a while, and where it goes

    setup(function()
        local info = dev:info()
        local n = math.floor(math.sqrt((info.type == "cpu" and 32e6 or 800e6) * info.units))
        pos, out = dev:random({ n, 4 }, { seed = 1 }), dev:zeros { n, 4 }
    end)

    teardown(function() pos, out = nil, nil end)

    after_each(function() dev:finish() end)

    local function slow()
        return pos:gravity { softening = 0.1, out = out, async = true }
    end

    -- Runs the functions as coroutines of a cqueues loop to their ends.
    local function run(cqueues, ...)
        local loop = cqueues.new()
        for _, f in ipairs { ... } do
            loop:wrap(f)
        end
        assert(loop:loop())
    end

    -- Can it be read, by now?
    local function readable(cqueues, descriptor)
        local result
        run(cqueues, function()
            local polled = { pollfd = descriptor, events = "r" }
            result = cqueues.poll(polled, 0) == polled
        end)
        return result
    end

    describe("an event's descriptor on " .. title, function()
        it("is a number, and the same one whenever it is asked for", function()
            local event = slow()
            local descriptor = event:pollfd()
            assert.equal("integer", math.type(descriptor))
            assert.equal(descriptor, event:pollfd())
            assert.not_equal(descriptor, slow():pollfd())
            assert.equal("r", event:events())
            assert.is_nil(event:timeout())
        end)

        it("becomes readable when the work is done, and stays so", function()
            local cqueues = need "cqueues"
            local event = slow()
            local descriptor = event:pollfd()
            assert.is_false(readable(cqueues, descriptor))
            run(cqueues, function() cqueues.poll(event) end)
            assert.is_true(event:done())
            assert.is_true(readable(cqueues, descriptor))
            event:get()
            assert.is_true(readable(cqueues, event:pollfd()))
        end)

        it("is readable at once where there is nothing to wait for", function()
            local cqueues = need "cqueues"
            local done = slow()
            done:wait()
            assert.is_true(readable(cqueues, done:pollfd()))
            assert.is_true(readable(cqueues, dev:zeros({ 0 }):fill(1, { async = true }):pollfd()))
            assert.is_true(readable(cqueues, dev:zeros({ 3 }):contiguous({ async = true }):pollfd()))
        end)

        it("serves a later event when its own is gone", function()
            local cqueues = need "cqueues"
            local first = slow()
            local descriptor = first:pollfd()
            first:wait()
            first:release()
            local second = slow()
            assert.equal(descriptor, second:pollfd())
            assert.is_false(readable(cqueues, descriptor))
        end)

        it("is not to be had of a released event", function()
            local event = slow()
            event:pollfd()
            event:release()
            helper.raises("pollfd: self: the event was released", function() event:pollfd() end)
            helper.raises("events: self: the event was released", function() event:events() end)
            helper.raises("timeout: self: the event was released", function() event:timeout() end)
        end)

        it("does not stay open for every event there ever was", function()
            local a = dev:zeros { 8 }
            local function batch(count)
                local events = {}
                for i = 1, count do
                    events[i] = a:fill(i, { async = true })
                    events[i]:pollfd()
                end
            end
            batch(100)
            collectgarbage()
            local before = descriptors()
            for _ = 1, 10 do
                batch(100)
                collectgarbage()
            end
            assert.is_true(descriptors() <= before) -- fewer where garbage of other specs held some
        end)
    end)

    describe("spare descriptors on " .. title, function()
        -- Asks for so many descriptors at once, and gives the events.
        local function ask(count)
            local a, events = dev:zeros { 8 }, {}
            for i = 1, count do
                events[i] = a:fill(i, { async = true })
                events[i]:pollfd()
            end
            return events
        end

        local function release(events)
            for _, event in ipairs(events) do
                event:wait()
                event:release()
            end
        end

        -- How many descriptors are open when none is spare.
        local function trimmed()
            collectgarbage()
            collectgarbage()
            dev:trim()
            return descriptors()
        end

        it("are closed when they are many, and all of them by trim", function()
            local before = trimmed()
            local events = ask(200)
            assert.is_true(descriptors() >= before + 200)
            release(events)
            assert.is_true(descriptors() <= before + 80)
            dev:trim()
            assert.is_true(descriptors() <= before)
            release(ask(10))
            assert.is_true(descriptors() > before)
        end)

        it("are kept while a loop has them, however many", function()
            local cqueues = need "cqueues"
            local before = trimmed()
            local function poll_many()
                local events = ask(150)
                cqueues.poll(table.unpack(events))
                release(events) -- the loop drops their descriptors at the next yield
                dev:trim()
                assert.is_true(descriptors() >= before + 150)
                cqueues.sleep(0)
            end
            run(cqueues, function()
                for _ = 1, 3 do
                    poll_many()
                    local event <close> = ask(1)[1]
                    assert.equal(event, cqueues.poll(event))
                end
            end)
            assert.is_true(trimmed() <= before)
        end)
    end)

    describe("cqueues.poll on " .. title, function()
        it("waits for an event while other coroutines run", function()
            local cqueues = need "cqueues"
            local event, turns = slow(), 0
            run(cqueues, function()
                assert.equal(event, cqueues.poll(event))
                assert.is_true(event:done())
            end, function()
                while not event:done() do
                    turns = turns + 1
                    cqueues.sleep(0)
                end
            end)
            assert.is_true(turns > 1)
        end)

        local beside = dev:info().units > 1 and it or pending

        beside("hears of what is short while something long and older is under way on another queue", function()
            local cqueues = need "cqueues"
            local long_work = helper.long_work(dev)
            local q <close> = dev:queue()
            local a = dev:ones { 8 }
            a:sum({ queue = q, async = true }):wait()
            dev:finish()
            local long = long_work()
            run(cqueues, function()
                local short = a:sum { queue = q, async = true }
                assert.equal(short, cqueues.poll(short, long))
                assert.is_false(long:done())
                assert.equal(8.0, short:get())
            end)
            assert.is_false(long:done())
            long:wait()
        end)

        it("waits for the first of several, and for time", function()
            local cqueues = need "cqueues"
            local first, second, quick = slow(), slow(), dev:zeros({ 0 }):fill(1, { async = true })
            run(cqueues, function()
                assert.equal("number", type(cqueues.poll(first, second, 0)))
                assert.equal(quick, (cqueues.poll(first, second, quick)))
                assert.equal(first, (cqueues.poll(first, second)))
                assert.equal(second, (cqueues.poll(second)))
            end)
        end)

        it("waits in several coroutines at once", function()
            local cqueues = need "cqueues"
            local a, sums, waiters = dev:ones { 1000 }, {}, {}
            for i = 1, 50 do
                waiters[i] = function()
                    local event = a:sum { async = true }
                    cqueues.poll(event)
                    assert.is_true(event:done())
                    sums[i] = event:get()
                end
            end
            run(cqueues, table.unpack(waiters))
            for i = 1, 50 do
                assert.equal(1000.0, sums[i])
            end
        end)

        it("waits for one event after another, each gone before the next", function()
            local cqueues = need "cqueues"
            local a = dev:zeros { 8 }
            run(cqueues, function()
                for i = 1, 1000 do
                    local event <close> = a:fill(i, { async = true })
                    assert.equal(event, cqueues.poll(event))
                    assert.is_true(event:done())
                end
            end)
            assert.equal(8000.0, a:sum())
        end)
    end)

    describe("a luv poll on " .. title, function()
        it("waits for an event's descriptor while timers and idle handles run", function()
            local uv = need "luv"
            local event, turns, seen = slow(), 0, nil
            local poll, idle, timer = uv.new_poll(event:pollfd()), uv.new_idle(), uv.new_timer()
            idle:start(function() turns = turns + 1 end)
            timer:start(0, 1, function() turns = turns + 1 end)
            poll:start("r", function(problem, events)
                seen = { problem, events, event:done() }
                poll:close()
                idle:close()
                timer:close()
            end)
            uv.run()
            assert.same({ nil, "r", true }, seen)
            assert.is_true(turns > 1)
        end)

        it("waits for one event after another, and for several at once", function()
            local uv = need "luv"
            local a, done = dev:zeros { 8 }, 0
            for i = 1, 200 do
                for _ = 1, i == 1 and 20 or 1 do
                    local event = a:fill(i, { async = true })
                    local poll = uv.new_poll(event:pollfd())
                    poll:start("r", function()
                        assert.is_true(event:done())
                        done = done + 1
                        poll:close()
                        event:release()
                    end)
                end
                uv.run()
            end
            assert.equal(219, done)
        end)
    end)
end)

describe("work that is held back, or fails on the device", function()
    -- In a process of its own, with the module that `make faults` builds: its core.fault_close(1) keeps the next
    -- operation from starting until core.fault_open(code), which makes it fail.
    local HELD = [[
        local core = require "lunarray.core"
        local dev = require "lunarray".device()
        local a = dev:ones { 4 }
        dev:finish()
        core.fault_close(1)
        local event = a:fill(3, { async = true })
        local function outcome()
            local ok, problem = pcall(event.get, event)
            return event:status(), ok, problem.op
        end
    ]]

    it("wakes cqueues.poll", function()
        need "cqueues"
        local output = helper.child(HELD .. [[
            local cqueues = require "cqueues"
            local loop = cqueues.new()
            loop:wrap(function()
                print(cqueues.poll(event) == event, outcome())
            end)
            loop:wrap(function()
                cqueues.sleep(0)
                print(event:done())
                core.fault_open(-5)
            end)
            assert(loop:loop())
            print(a:fill(2):get(4))
        ]], { cpath = "build/faults/?.so" })
        assert.equal("false\ntrue\tfailed\tfalse\tfill\n2.0\n", output)
    end)

    it("wakes a luv poll", function()
        need "luv"
        local output = helper.child(HELD .. [[
            local uv = require "luv"
            local poll, timer = uv.new_poll(event:pollfd()), uv.new_timer()
            poll:start("r", function(problem, events)
                print(problem, events, outcome())
                poll:close()
            end)
            timer:start(0, 0, function()
                print(event:done())
                core.fault_open(-5)
                timer:close()
            end)
            uv.run()
            print(a:fill(2):get(4))
        ]], { cpath = "build/faults/?.so" })
        assert.equal("false\nnil\tr\tfailed\tfalse\tfill\n2.0\n", output)
    end)

    it("has a readable descriptor when it is asked for late, and so has what was enqueued behind it", function()
        need "cqueues"
        local output = helper.child(HELD .. [[
            local cqueues = require "cqueues"
            local behind = a:sum { async = true }
            behind:pollfd()
            core.fault_open(-5)
            pcall(event.wait, event)
            local loop = cqueues.new()
            loop:wrap(function()
                print(cqueues.poll(event) == event, cqueues.poll(behind) == behind)
                print(pcall(behind.get, behind))
            end)
            assert(loop:loop())
        ]], { cpath = "build/faults/?.so" })
        assert.matches("true\ttrue\nfalse\t.* failed on the device", output)
    end)

    it("has a readable descriptor where its driver has forgotten it, and so has what waits for it", function()
        need "cqueues"
        local output = helper.child([[
            local core = require "lunarray.core"
            local dev = require "lunarray".device()
            local a, b = dev:ones { 4 }, dev:ones { 4 }
            local q1, q2, q3 = dev:queue(), dev:queue(), dev:queue()
            dev:finish()
            core.fault_close(1)
            a:fill(2, { queue = q1 })
            core.fault_open(-5)
            q3:event():wait()
            core.fault_blind(true) -- enqueued just as what it waits for fails, a command never ends on PoCL 3
            local events = {}
            for i, enqueue in ipairs {
                function() return a:fill(3, { queue = q2, async = true }) end,
                function() return b:fill(3, { queue = q2, async = true }) end,
                function() return b:copy { queue = q3, async = true } end,
            } do
                local ok, event = pcall(enqueue)
                assert(ok or event.op == "fill") -- another driver may tell at once
                events[i] = ok and event or q3:event()
            end
            core.fault_blind(false)
            local cqueues = require "cqueues"
            local loop = cqueues.new()
            loop:wrap(function()
                for _, event in ipairs(events) do
                    local polled = cqueues.poll(event)
                    print(polled == event, (pcall(event.wait, event)), event:done())
                end
            end)
            assert(loop:loop())
        ]], { cpath = "build/faults/?.so", before = "timeout 60" })
        assert.equal(3, select(2, output:gsub("true\t%l+\ttrue\n", "")), output)
    end)

    it("gives numbers without waiting for what was enqueued since", function()
        local output = helper.child([[
            local core = require "lunarray.core"
            local dev = require "lunarray".device()
            local a, b = dev:full({ 4 }, 3), dev:zeros { 4 }
            local sums = { a:sum { async = true }, a:reduce { "min", "max", async = true } }
            sums[2]:wait()
            core.fault_close(1)
            b:fill(1) -- does not start before the gate opens
            print(sums[1]:get(), sums[2]:get())
            core.fault_open(0)
            print(b:get(4))
        ]], { cpath = "build/faults/?.so", before = "timeout 60" })
        assert.matches("12.0\t3.0\t3.0\n1.0\n$", output)
    end)

    it("says so when no thread can be had to watch it", function()
        local output = helper.child(HELD .. [[
            core.fault_after(1, -5, 2) -- it tries again
            print(pcall(event.pollfd, event))
            core.fault_after(0, 0)
            print(math.type(event:pollfd()))
            core.fault_open(0)
        ]], { cpath = "build/faults/?.so" })
        assert.matches("^false\t.*lunarray: pollfd: no thread could be started for the watching of events: .*\n"
            .. "integer\n$", output)
    end)

    it("leaves a state that closes, with descriptors and callbacks outstanding, alone", function()
        for _, ending in ipairs { "", "os.exit(0, true)", "os.exit(0, false)", "event = nil collectgarbage()" } do
            assert.equal("", helper.child(HELD .. [[
                event:pollfd()
                list = { event }
                for i = 1, 20 do
                    list[i + 1] = a:fill(i, { async = true })
                    list[i + 1]:pollfd()
                end
                core.fault_open(-5)
            ]] .. ending, { cpath = "build/faults/?.so" }))
        end
    end)
end)

describe("the end of a Lua state", function()
    local WATCHED = [[
        local lun = require "lunarray"
        local dev = lun.device()
        local n = dev:info().type == "cpu" and 16384 or 262144
        pos, out = dev:random { n, 4 }, dev:zeros { n, 4 }
        events = {}
        for i = 1, 3 do
            events[i] = pos:gravity { softening = 0.1, out = out, async = true }
            events[i]:pollfd()
        end
    ]]

    helper.long(it)("is clean while events are watched", function()
        assert.equal("", helper.child(WATCHED))
        assert.equal("", helper.child(WATCHED .. "events[2]:release() events[1] = nil collectgarbage()"))
        assert.equal("", helper.child(WATCHED .. "os.exit(0, true)"))
        assert.equal("", helper.child(WATCHED .. "os.exit(0, false)"))
    end)

    it("is clean while loops wait for events", function()
        need "cqueues"
        need "luv"
        assert.equal("", helper.child(WATCHED .. [[
            local cqueues, uv = require "cqueues", require "luv"
            loop = cqueues.new()
            loop:wrap(function() cqueues.poll(table.unpack(events)) end)
            loop:step(0)
            poll = uv.new_poll(events[1]:pollfd())
            poll:start("r", print)
            uv.run("nowait")
        ]]))
    end)
end)

describe("a process without descriptors", function()
    it("takes those of garbage", function()
        assert.equal("", helper.child([[
            local dev = require("lunarray").device()
            local a = dev:zeros { 8 }
            collectgarbage("stop")
            for i = 1, 500 do a:fill(i, { async = true }):pollfd() end
        ]], { before = "ulimit -n 100;" }))
    end)

    it("tells cqueues why there is none", function()
        need "cqueues"
        local output = helper.child([[
            local dev = require("lunarray").device()
            local cqueues = require "cqueues"
            local loop, event = cqueues.new(), dev:zeros({ 8 }):fill(1, { async = true })
            dev:finish()
            loop:wrap(function() cqueues.poll(event) end)
            local files = {}
            repeat
                local file = io.open("/dev/null")
                files[#files + 1] = file
            until not file
            print(loop:loop())
        ]], { before = "ulimit -n 100;" })
        assert.matches("lunarray: pollfd: no descriptor is left for the event: ", output, 1, true)
    end)

    it("has them again when events are released, and when the device is trimmed", function()
        assert.equal("userdata\tuserdata\n", helper.child([[
            local dev = require("lunarray").device()
            local a, events = dev:zeros { 8 }, {}
            local function ask()
                for i = 1, 1000 do
                    events[i] = a:fill(i, { async = true })
                    events[i]:pollfd()
                end
            end
            assert(not pcall(ask))
            for _, event in ipairs(events) do event:release() end
            io.write(type(io.open("/dev/null")), "\t")
            dev:trim()
            print(type(io.open("/dev/null")))
        ]], { before = "ulimit -n 256;" }))
    end)

    it("says so, and goes on when there are some again", function()
        local output = helper.child([[
            local lun = require "lunarray"
            local dev = lun.device()
            local pos = dev:random { 16384, 4 }
            local out = pos:gravity { softening = 0.1 }
            local ready = dev:zeros({ 0 }):fill(1, { async = true })
            dev:finish()
            local files = {}
            repeat
                local file = io.open("/dev/null")
                files[#files + 1] = file
            until not file
            print(pcall(ready.pollfd, ready)) -- a string, the only kind of error that cqueues shows
            assert(type(select(2, pcall(ready.pollfd, ready))) == "string")
            local event = pos:gravity { softening = 0.1, out = out, async = true }
            print(pcall(event.pollfd, event))
            for _ = 1, 3 do
                table.remove(files):close()
            end
            print(math.type(event:pollfd()))
            print(out:size())
        ]], { before = "ulimit -n 200;" })
        local first, second, rest = output:match("^(.-)\n(.-)\n(.*)$")
        assert.matches("lunarray: pollfd: no descriptor is left for the event: ", first, 1, true)
        assert.matches("lunarray: pollfd: no descriptor is left for the watching of events", second, 1, true)
        assert.equal("integer\n65536\n", rest)
    end)
end)
