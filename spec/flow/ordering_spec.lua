-- Work on several queues: what has to wait does, what need not does not, whatever the order of the calls.

local held = require "spec.flow.held"
local helper = require "spec.helper"
local sequences = require "spec.flow.sequences"

local it = helper.one_in(3, it)

local run = held.run

-- ---- held operations ------------------------------------------------------------------------------------------

describe("an operation on one queue", function()
    it("waits for one on another that writes what it reads, reads what it writes, or writes the same", function()
        run [[
            local a, b, c = dev:zeros { 6, 6 }, dev:zeros { 6, 6 }, dev:zeros { 6, 6 }
            local function fill(o) return a:fill(1, o) end
            local function write(o) return a:write(c, o) end
            local function read(o) return b:write(a, o) end
            check("read after write", true, fill, read)
            check("write after read", true, read, fill)
            check("write after write", true, fill, write)
            check("read after read", false, read, function(o) return c:write(a, o) end)
            check("what has nothing to do with it", false, fill, function(o) return b:write(c, o) end)
            check("a reduction", true, fill, function(o) return a:sum(o) end)
            local list = {}
            for i = 1, 36 do
                list[i] = i
            end
            check("bytes from the host", true, read, function(o) return a:write(list, o) end)
            check("bytes to the host", true, fill, function(o) return a:totable(o) end)
            check("bytes to the host, after others", false, read, function(o) return a:tobytes(o) end)
        ]]
    end)

    it("waits for one whose view shares elements with its own, not for one beside it", function()
        run [[
            local a, b = dev:zeros { 8, 8 }, dev:zeros { 8 }
            local function fill(...)
                local view = a:slice(...)
                return function(o) return view:fill(1, o) end
            end
            local function read(i)
                return function(o) return a:row(i):copy(o) end
            end
            check("the same row", true, fill(3), read(3))
            check("another row", false, fill(3), read(4))
            check("the row before", false, fill(3), read(2))
            check("a block of rows", true, fill({ 2, 4 }), read(4))
            check("the row behind the block", false, fill({ 2, 4 }), read(5))
            check("a crossing column", true, fill(nil, 2), read(8))
            check("a row turned round", true, fill(3, { 8, 1, -1 }), read(3))
            check("the first of a row turned round", true, fill(3, { 8, 1, -1 }), function(o)
                return a:slice(3, { 1, 2 }):copy(o)
            end)
            check("a row behind one turned round", false, fill(3, { 8, 1, -1 }), read(4))
            check("another view of the same row", true, fill(3), function(o) return a:t():col(3):copy(o) end)
            check("a shape of its own", true, fill(3), function(o) return a:reshape(64):slice({ 20, 30 }):copy(o) end)
            check("two writes of different rows", false, fill(3), fill(4))
            local bytes = dev:zeros({ 8 }, "u8")
            local function byte(i)
                local view = bytes:slice { i, i }
                return function(o) return view:fill(1, o) end
            end
            check("a single byte", true, byte(3), byte(3))
            check("the byte before", false, byte(3), byte(2))
            check("the byte behind", false, byte(3), byte(4))
        ]]
    end)

    it("waits for all that uses its memory, however many they are", function()
        run [[
            local a, all = dev:zeros { 64, 8 }, {}
            -- Many rows: uses of one queue are joined, and what is beyond them is still apart.
            local function rows(wanted)
                return function(o)
                    local events = {}
                    for i = 2, 40 do
                        events[i] = a:row(i):fill(i, o)
                    end
                    return events[wanted]
                end
            end
            for i = 2, 40 do
                pair("row " .. i, true, rows(i), function(o) return a:row(i):copy(o) end, q1, q2)
            end
            check("the row before many", false, rows(2), function(o) return a:row(1):copy(o) end)
            check("the row behind many", false, rows(40), function(o) return a:row(41):copy(o) end)
            -- All queues at once, each reading and writing rows of its own.
            for i = 1, 13 do
                all[i] = dev:queue()
            end
            table.move({ q1, q2, q3 }, 1, 3, 14, all)
            dev:finish()
            core.fault_close(1)
            local held = a:row(1):fill(1, { queue = all[1], async = true })
            for i, q in ipairs(all) do
                a:row(2 * i + 1):write(a:row(2 * i), { queue = q })
            end
            local whole = a:fill(7, { async = true })
            for i = 2, 16 do
                all[i]:finish()
            end
            assert(not whole:done())
            core.fault_open(0)
            whole:wait()
            assert(whole:profile().started >= held:profile().ended)
            assert(a:sum() == 7 * 512)
        ]]
    end)

    it("waits for what an earlier owner of its memory has under way", function()
        run [[
            local source = dev:ones { 5000 }
            check("memory used again", true, function(o)
                -- no other memory of this size is free now, or becomes so before the second operation
                collectgarbage()
                collectgarbage()
                dev:trim()
                local a = dev:ones({ 5000 }, { queue = o.queue })
                local event = source:write(a, o)
                a:release()
                return event
            end, function(o)
                local pooled = dev:memory().pooled
                local event = dev:zeros({ 5000 }, o)
                assert(dev:memory().pooled < pooled)
                return event
            end)
        ]]
    end)

    it("waits for the whole of another, all its kernels", function()
        run [[
            local helper = require "spec.helper"
            local pos, vel = dev:random { 64, 4 }, dev:zeros { 64, 4 }
            local options = { dt = 0.001, steps = 20, softening = 0.1 }
            local function advance(o)
                o.dt, o.steps, o.softening = 0.001, 20, 0.1
                return pos:nbody(vel, o)
            end
            check("a read of bodies under way", true, advance, function(o) return pos:copy(o) end)
            check("a write of bodies under way", true, advance, function(o) return vel:fill(0, o) end)
            check("bodies being written", true, function(o) return vel:fill(0, o) end, advance)
            local a = dev:ones { 33, 33 }
            for _, variant in ipairs(helper.variants(dev, "matmul")) do
                local columns = variant:find "^thin" and 3 or 33
                local b, out = dev:ones { 33, columns }, dev:zeros { 33, columns }
                local function multiply(o)
                    o.out, o.variant = out, variant
                    return a:matmul(b, o)
                end
                if helper.can(multiply, {}) then
                    check("matmul " .. variant, true, multiply, function(o) return out:copy(o) end)
                    check("matmul's input, " .. variant, true, function(o) return a:fill(1, o) end, multiply)
                end
            end
        ]]
    end)

    it("goes on when the queue that it waits for is released", function()
        run [[
            local a = dev:zeros { 8 }
            core.fault_close(1)
            local q = dev:queue()
            local first = a:fill(3, { queue = q, async = true })
            q:release()
            local b = a:copy { queue = q2 }
            local more = {}
            for i = 1, 12 do -- its place is not given to others before it has ended
                more[i] = dev:queue()
                a:copy { queue = more[i] }
            end
            assert(not first:done())
            core.fault_open(0)
            assert(b:sum() == 24 and first:done())
        ]]
    end)
end)

describe("a queue", function()
    it("keeps its order when an operation with an event has nothing to do", function()
        run [[
            local a, nothing = dev:ones { 4 }, dev:zeros { 0 }
            for _, q in ipairs { false, q1 } do
                local on = { queue = q or nil }
                dev:finish()
                core.fault_close(1)
                a:fill(2, on)
                assert(nothing:fill(1, { queue = q or nil, async = true }):wait())
                local b = a:copy(on)
                core.fault_open(0)
                assert(b:sum(on) == 8)
                assert(b:fill(1, { queue = q or nil, async = true }):profile().ended > 0)
                a:fill(1, on)
            end
        ]]
    end)

    it("lets hooks in while small work of it waits for another queue", function()
        run([[
            local a, b = dev:ones { 4 }, dev:ones { 4 }
            for _, ask in ipairs {
                function() return b:sum() end, function() return b:get(1) end,
                function() return b:host("r"):release() end, function() return b:tobytes() end,
            } do
                dev:finish()
                core.fault_close(1)
                a:fill(2, { queue = q1 })
                a:sum { async = true }
                local calls = 0
                debug.sethook(function() -- waits call it
                    calls = calls + 1
                    if calls == 20 then
                        core.fault_open(0)
                    end
                end, "c")
                ask()
                debug.sethook()
                assert(calls >= 20, "it did not wait")
            end
        ]], { LUNARRAY_COMPANION = "0" }) -- which would not wait
    end)
end)

-- ---- mappings ---------------------------------------------------------------------------------------------------

helper.each_device(function(dev, title)
    describe("a mapping on " .. title, function()
        local row, column, out

        setup(function()
            local n = dev:info().type == "cpu" and 16000000 or 400000
            row, column, out = dev:ones { 1, n }, dev:ones { n, 1 }, dev:zeros { 1, 1 }
        end)

        teardown(function() row, column, out = nil, nil, nil end)

        after_each(function() dev:finish() end)

        -- The event of one work-item's long work, which reads `row` and `column` and writes `out`.
        local function slow(queue)
            return row:matmul(column, { out = out, variant = "plain", queue = queue, async = true })
        end

        it("waits for what writes its array on another queue", function()
            local q <close> = dev:queue()
            local event = slow(q)
            local host <close> = out:host("r")
            assert.is_true(event:done())
            assert.equal(row:size() + 0.0, host[1])
        end)

        it("waits for what reads its array on another queue if it may write", function()
            local q <close> = dev:queue()
            for _, access in ipairs { "rw", "w" } do
                local event = slow(q)
                local host <close> = column:slice({ 1, 2 }):host(access)
                assert.is_true(event:done())
                assert.equal(2, #host)
            end
        end)

        local beside = dev:info().units > 1 and it or pending

        beside("for reading does not wait for what reads on another queue", function()
            local q <close> = dev:queue()
            local was_first = false
            for _ = 1, 5 do -- where other processes have the cores, the work may be done before
                local event = slow(q)
                local host <close> = column:slice({ 1, 2 }):host("r")
                was_first = was_first or not event:done()
                assert.equal(1.0, host[1])
            end
            assert.is_true(was_first)
        end)

        it("is seen by other queues once it is given back", function()
            local q <close> = dev:queue()
            do
                local host <close> = column:slice({ 1, 2 }):host("rw")
                host[1] = 3
            end
            assert.equal(4.0, column:slice({ 1, 2 }):sum { queue = q })
            column:fill(1)
        end)

        it("keeps all queues from its memory", function()
            local q <close> = dev:queue()
            local host <close> = out:host("r")
            helper.refused("fill: the array is mapped to the host; release the mapping first", out, 1, { queue = q })
            assert.equal(1, #host)
        end)
    end)

    -- ---- reading ------------------------------------------------------------------------------------------------

    describe("a value read on " .. title, function()
        local beside = dev:info().units > 1 and it or pending

        beside("comes from the queue that is named, which need not wait for others", function()
            local long_work = helper.long_work(dev)
            local q <close> = dev:queue()
            local a = dev:ones { 8 }
            local function read()
                assert.equal(8.0, a:sum { queue = q })
                assert.equal(8.0, a:sum({ queue = q, async = true }):get())
                assert.same({ 1.0, 1.0 }, a:slice({ 1, 2 }):totable { queue = q })
                assert.equal(32, #a:tobytes { queue = q })
            end
            read() -- with kernels that may be compiled first
            dev:finish()
            local event = long_work()
            read()
            assert.is_false(event:done())
            event:wait()
        end)
    end)

    -- ---- times --------------------------------------------------------------------------------------------------

    describe("kernels on " .. title, function()
        local n, row, column = nil, nil, nil

        setup(function()
            n = dev:info().type == "cpu" and 4000000 or 200000
            row, column = dev:ones { 1, n }, dev:ones { n, 1 }
        end)

        teardown(function() row, column = nil, nil end)

        -- The times of two kernels of one work-group each, on two queues.
        local function times(out1, out2)
            local q1, q2 = dev:queue(), dev:queue()
            dev:finish()
            local first = row:matmul(column, { out = out1, variant = "plain", queue = q1, async = true })
            local second = row:matmul(column, { out = out2, variant = "plain", queue = q2, async = true })
            local result1, result2 = first:profile(), second:profile()
            q1:release()
            q2:release()
            return result1, result2
        end

        local overlapping = dev:info().units > 1 and it or pending

        overlapping("that have nothing to do with each other run at the same time on two queues", function()
            local out1, out2 = dev:zeros { 1, 1 }, dev:zeros { 1, 1 }
            local found = false
            for _ = 1, 20 do -- a machine with other work to do may not manage at once
                local first, second = times(out1, out2)
                found = found or (second.started < first.ended and first.started < second.ended)
            end
            assert.is_true(found)
        end)

        it("that write the same never do", function()
            local out = dev:zeros { 1, 1 }
            for _ = 1, 20 do
                local first, second = times(out, out)
                assert.is_true(second.started >= first.ended)
            end
        end)
    end)

    -- ---- random sequences ---------------------------------------------------------------------------------------

    describe("random sequences on " .. title, function()
        it("over several queues give what they give one after the other", function()
            sequences.run(dev, 1, 1000, 12)
        end)

        it("whose operations are held back at random do so too", function()
            run [[
                local sequences = require "spec.flow.sequences"
                local function hold(random) core.fault_close(random(1, 4)) end
                local function settle() core.fault_open(0) end
                q1:release()
                q2:release()
                sequences.run(dev, 2, 1500, 12, { hold = hold, settle = settle })
                sequences.run(dev, 3, 100, 50, { hold = hold, settle = settle, crowded = true })
            ]]
        end)
    end)
end)

describe("a sequence that goes wrong", function()
    it("is told with its commands", function()
        local dev = helper.devices()[1]
        local proxy = setmetatable({}, { __index = function(_, name)
            return function(_, ...)
                if name == "full" then -- with another value than was asked for
                    local shape, x, dtype, options = ...
                    return dev:full(shape, x + 1, dtype, options)
                end
                return dev[name](dev, ...)
            end
        end })
        local ok, problem = pcall(sequences.run, proxy, 3, 200, 12)
        assert.is_false(ok)
        assert.matches("^seed 3, sequence %d+: .*element %d+ is %-?%d+, not %-?%d+\n.*%d+%. replace i%d+ on %d",
            problem)
    end)
end)
