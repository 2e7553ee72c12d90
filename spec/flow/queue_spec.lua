-- Queues: making and releasing them, the option that names one, and waiting for them.

local lun = require "lunarray"
local helper = require "spec.helper"

helper.each_device(function(dev, title)
    local long -- vectors whose product by one work-item takes some 50 ms

    setup(function()
        local n = dev:info().type == "cpu" and 16000000 or 400000
        long = { row = dev:ones { 1, n }, column = dev:ones { n, 1 }, out = dev:zeros { 1, 1 } }
    end)

    teardown(function() long = nil end)

    after_each(function() dev:finish() end)

    -- The event of one work-group's long work.
    local function slow(queue, out)
        return long.row:matmul(long.column, { out = out or long.out, variant = "plain", queue = queue, async = true })
    end

    describe("a queue on " .. title, function()
        it("can be asked for its device and has a text", function()
            local q = dev:queue()
            assert.equal("queue", lun.type(q))
            assert.equal(dev, q:device())
            local event = slow(q)
            assert.equal(("lunarray.queue: 1 in flight (%s)"):format(title), tostring(q))
            event:wait()
            assert.equal(("lunarray.queue: 0 in flight (%s)"):format(title), tostring(q))
            q:release()
            assert.equal("lunarray.queue (released)", tostring(q))
        end)

        local beside = dev:info().units > 1 and it or pending

        beside("is known to have ended what is short while something long and older is under way on another", function()
            local long_work = helper.long_work(dev)
            local q <close> = dev:queue()
            local a = dev:ones { 8 }
            local function short()
                return a:sum { queue = q, async = true }
            end
            short():wait()
            dev:finish()
            local older = long_work()
            assert.is_true(short():wait())
            assert.equal(8.0, short():get())
            assert.equal(2, lun.wait_any { older, short() })
            local event = short()
            while not event:done() do
                assert.is_false(older:done())
            end
            q:finish()
            assert.is_false(older:done())
            older:wait()
            local profile = event:profile() -- on NVIDIA's driver it may end when that driver heard of the end
            assert.is_true(profile.started <= profile.ended)
        end)

        it("takes more work than may be in flight, beside others, however its ends are told", function()
            helper.child([[ -- with the module of `make faults`, which lets every device flag them
                local lun = require "lunarray"
                local dev = lun.device()
                local a, b, q = dev:zeros { 1 << 16 }, dev:zeros { 1 << 16 }, dev:queue()
                for _ = 1, 500 do
                    a:fill(1)
                    b:fill(2, { queue = q })
                    b:sum { queue = q, async = true }
                end
                q:finish()
                assert(a:sum() + b:sum() == 3 << 16)
            ]], { cpath = "build/faults/?.so" })
        end)

        it("finishes without waiting for others", function()
            local q1, q2 = dev:queue(), dev:queue()
            local event = slow(q1)
            local quick = dev:ones({ 4 }, { queue = q2, async = true })
            q2:finish()
            assert.is_true(quick:done())
            q1:finish()
            assert.is_true(event:done())
            q1:finish()
        end)

        it("has an event of all that it has to do", function()
            local q <close> = dev:queue()
            local event = q:event()
            assert.is_true(event:done()) -- nothing yet
            assert.equal("lunarray.event: nothing to do (complete)", tostring(event))
            local first, second = slow(q), dev:ones({ 4 }, { queue = q, async = true })
            event = q:event()
            assert.equal(0, select("#", event:get()))
            assert.is_true(first:done() and second:done())
            assert.same(second:profile(), event:profile())
            assert.same(second:profile(), q:event():profile()) -- long ended
        end)

        it("waits for what was enqueued before, not for what came later", function()
            local q <close> = dev:queue()
            local before = dev:ones({ 4 }, { queue = q, async = true })
            local event = q:event()
            local after = slow(q)
            event:wait()
            assert.is_true(before:done())
            assert.is_true(after:wait())
        end)

        it("times its work unless it was made without", function()
            local timed, untimed = dev:queue { profiling = true }, dev:queue { profiling = false }
            local profile = slow(timed):profile()
            assert.is_true(profile.queued <= profile.submitted and profile.submitted <= profile.started)
            assert.is_true(profile.started < profile.ended)
            local event = slow(untimed)
            assert.is_true(event:wait())
            helper.refused("profile: its queue records no times: it was made with profiling = false", event)
        end)

        it("gives numbers that belong together while one with an event ends", function()
            local a, other = dev:ones { 100000 }, dev:ones { 1000 }
            for i = 1, 500 do
                a:fill(i)
                dev:finish()
                local event = other:sum { async = true } -- its end may come between the two
                assert.same({ i, i }, { a:reduce { "min", "max" } })
                assert.equal(1000.0, event:get())
            end
        end)

        it("goes on with its work when it is released", function()
            local event
            do
                local q <close> = dev:queue()
                event = slow(q)
                q:release()
                q:release()
                helper.raises("finish: self: the queue was released", function() q:finish() end)
                helper.raises("event: self: the queue was released", function() q:event() end)
                helper.raises("device: self: the queue was released", function() q:device() end)
                helper.refused("fill: option 'queue': the queue was released", long.out, 1, { queue = q })
                assert.is_false(event:done())
            end
            assert.equal(long.row:size() + 0.0, event:get():get(1, 1))
            assert.is_true(event:profile().started < event:profile().ended)
        end)

        it("is one of 16 at most, and gives its place back", function()
            local queues = {}
            for i = 1, 16 do
                queues[i] = dev:queue()
            end
            helper.refused("queue: the device has 16 queues, and cannot have more; release one first", dev)
            local event = slow(queues[7])
            queues[7]:release()
            local another = dev:queue() -- waits for the place
            assert.is_true(event:done())
            assert.is_true(another:event():done()) -- of its own work, not of its forerunner's
            assert.equal("lunarray.event: nothing to do (complete)", tostring(another:event()))
            for i = 1, 16 do
                queues[i] = nil
            end
            local q = dev:queue() -- those that nobody has are found
            assert.equal(4.0, dev:ones({ 4 }, { queue = q }):sum { queue = q })
        end)

        it("takes more work than it holds, and can be interrupted while it is full", function()
            local q <close> = dev:queue()
            local a = dev:zeros { 4 }
            for i = 1, 500 do
                a:fill(i, { queue = q })
            end
            assert.same({ 500.0, 500.0, 500.0, 500.0 }, a:totable())
            local event = slow(q)
            local ok, problem = pcall(function()
                debug.sethook(function()
                    if not event:done() then
                        debug.sethook()
                        error("interrupted", 0)
                    end
                end, "c")
                q:finish()
            end)
            debug.sethook()
            assert.is_false(ok)
            assert.equal("interrupted", problem)
            q:finish()
        end)

        it("refuses what is no option, no device and no method", function()
            local a = dev:zeros { 2 }
            helper.refused("queue: argument 1: a table of options is needed, got a string", dev, "fast")
            local q <close> = dev:queue()
            helper.raises("fnish: a queue has no such method; is finish meant?", function() q:fnish() end)
            helper.raises("x: a queue cannot be assigned to", function() q.x = 1 end)
            helper.raises("finish: self: a queue is needed, got nothing; is it called with a colon?", function()
                q.finish()
            end)
            helper.raises("finish: self: a queue is needed, got an array", function() q.finish(a) end)
        end)
    end)
end)

describe("a queue of another device", function()
    local with_pocl = helper.has_pocl() and it or pending

    with_pocl("is refused by name", function()
        helper.child([[
            local lun = require "lunarray"
            local helper = require "spec.helper"
            local first, second = lun.device(1), lun.device(2)
            local a, q = first:ones { 2, 2 }, second:queue()
            local function refused(method, f)
                helper.raises(method .. ": option 'queue': the queue belongs to another device (", f)
            end
            refused("fill", function() a:fill(1, { queue = q }) end)
            refused("sum", function() a:sum { queue = q } end)
            refused("zeros", function() first:zeros { 2, queue = q } end)
            refused("to", function() a:to(first, { queue = q }) end)
            refused("contiguous", function() a:contiguous { queue = q } end)
            helper.check_array(a:to(second, { queue = q }), "f32", { 2, 2 }, { 1.0, 1.0, 1.0, 1.0 })
        ]], { env = { POCL_DEVICES = "pthread pthread", LUNARRAY_DEVICE = false } })
    end)
end)
