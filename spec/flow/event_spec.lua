-- Events: work in flight, waiting for it, and what it gives.

local lun = require "lunarray"
local helper = require "spec.helper"
local numbers = require "spec.numbers"

local it = helper.one_in(2, it)

helper.each_device(function(dev, title)
    local busy -- positions whose gravity takes some 50 ms, and where it goes

    setup(function()
        local info = dev:info()
        local n = math.floor(math.sqrt((info.type == "cpu" and 32e6 or 800e6) * info.units))
        busy = { pos = dev:random({ n, 4 }, { seed = 1 }), out = dev:zeros { n, 4 } }
    end)

    teardown(function() busy = nil end)

    after_each(function() dev:finish() end)

    -- An event that takes a while.
    local function slow(count)
        local event
        for _ = 1, count or 2 do
            event = busy.pos:gravity { softening = 0.1, out = busy.out, async = true }
        end
        return event
    end

    describe("an event on " .. title, function()
        it("gives what the call would have given, again and again #oclgrind", function()
            local a = dev:array({ { 1, 2 }, { 3, 4 } })
            local async = { async = true }
            local function given(event)
                assert.equal("event", lun.type(event))
                local first, second = event:get()
                local again, too = event:get()
                assert.same({ first, second }, { again, too })
                return first, second
            end

            assert.equal(10.0, given(a:sum(async)))
            assert.same({ 1.0, 4.0 }, { given(a:reduce { "min", "max", async = true }) })
            helper.check_array(given(a:matmul(a, async)), "f32", { 2, 2 }, { 7.0, 10.0, 15.0, 22.0 })
            assert.equal(5.0, given(a:row(1):matmul(a:row(1), async)))
            assert.same({ { 1.0, 2.0 }, { 3.0, 4.0 } }, given(a:totable(async)))
            assert.equal(a:tobytes(), given(a:tobytes(async)))
            assert.equal(a, given(a:contiguous(async)))
            assert.equal(a, given(a:to(dev, async)))
        end)

        it("of a method that changes its array gives the array #oclgrind", function()
            local a = dev:array({ { 1, 2 }, { 3, 4 } })
            assert.equal(a, a:transpose_({ async = true }):get())
            helper.check_array(a, "f32", { 2, 2 }, { 1.0, 3.0, 2.0, 4.0 })
            assert.equal(a, a:write({ 5, 6, 7, 8 }, { async = true }):get())
            assert.equal(26.0, a:sum())
            assert.equal(a, a:fill(2, { async = true }):get())
            assert.equal(8.0, a:sum())
            local out = dev:zeros { 2 }
            assert.equal(out, a:sum { axis = 1, out = out, async = true }:get())
            helper.check_array(out, "f32", { 2 }, { 4.0, 4.0 })
        end)

        it("of an array without elements is complete at once", function()
            local a = dev:zeros { 0, 3 }
            assert.same({}, a:totable { async = true }:get())
            assert.equal("", a:tobytes { async = true }:get())
            assert.equal(0.0, a:sum { async = true }:get())
            local event = a:fill(1, { async = true })
            assert.is_true(event:wait(0))
            assert.is_true(event:done())
            assert.equal("complete", event:status())
            assert.equal("number", type(event:profile().ended))
        end)

        it("reads what was there when the call was made", function()
            local a = dev:ones { 1000 }
            local event = a:totable { async = true }
            a:fill(2)
            assert.equal(1.0, event:get()[1000])
            assert.equal(2.0, a:get(1000))
        end)

        it("keeps what it needs", function()
            local function start()
                return dev:ones({ 1000 }):copy { async = true }
            end
            local event = start()
            collectgarbage()
            assert.equal(1000.0, event:get():sum())
        end)

        it("is done when its work is", function()
            local event = slow()
            assert.is_false(event:done())
            assert.is_true(event:status() == "queued" or event:status() == "submitted" or event:status() == "running")
            assert.is_true(event:wait())
            assert.is_true(event:done())
            assert.equal("complete", event:status())
        end)

        it("is waited for as long as asked", function()
            local event = slow()
            assert.is_false(event:wait(0))
            assert.is_false(event:wait(1e-6))
            assert.is_true(event:wait(math.huge))
            assert.is_true(event:wait(0))
        end)

        it("is the only thing that array results wait for", function()
            local a = dev:ones { 4, 4 }
            a:matmul(a:transpose()) -- builds what is to take no time below
            local event = slow()
            local b = a:matmul(a:transpose())
            assert.is_false(event:done())
            assert.equal(64.0, b:sum())
            event:wait() -- the result may have come before: what is small is done at once
            assert.is_true(event:done())
        end)

        it("tells when its work was queued, submitted, started and ended", function()
            local profile = slow():profile()
            assert.is_true(profile.queued <= profile.submitted)
            assert.is_true(profile.submitted <= profile.started)
            assert.is_true(profile.started < profile.ended)
        end)

        -- Times are kept only of what an event is asked for, so work with and without them alternates here.
        it("has times whatever was enqueued before it, and keeps the order", function()
            local queue = dev:queue()
            local a = dev:zeros({ 1000 })
            for i = 1, 5 do
                a:fill(-i, { queue = queue })
                local event = a:fill(i, { async = true, queue = queue })
                assert.equal(1000.0 * i, a:sum { queue = queue })
                local profile = event:profile()
                assert.is_true(profile.queued <= profile.ended)
                a:fill(i + 1, { queue = queue })
                profile = queue:event():profile()
                assert.is_true(profile.queued <= profile.ended)
                assert.equal(1000.0 * (i + 1), a:sum())
            end
        end)

        it("does not wait at the end of its scope", function()
            local before = slow()
            busy.out:sum({ async = true }):wait() -- builds what is to take no time below, behind other work as there
            assert.is_true(before:done())
            local watched
            do
                watched = slow()
                local event <close> = busy.out:sum { async = true }
                assert.is_false(event:done())
            end
            assert.is_false(watched:done())
        end)

        it("has a text", function()
            local event = slow()
            assert.matches("^lunarray.event: gravity %(%l+%)$", tostring(event))
            event:wait()
            assert.equal("lunarray.event: gravity (complete)", tostring(event))
            event:release()
            assert.equal("lunarray.event (released)", tostring(event))
        end)

        it("is of no use once it was released; its work goes on", function()
            local a = dev:zeros { 3 }
            local event = a:fill(1, { async = true })
            event:release()
            event:release()
            helper.raises("wait: self: the event was released", function() event:wait() end)
            helper.raises("done: self: the event was released", function() event:done() end)
            helper.raises("status: self: the event was released", function() event:status() end)
            helper.raises("get: self: the event was released", function() event:get() end)
            helper.raises("profile: self: the event was released", function() event:profile() end)
            helper.refused("wait_all: position 1 of the list: the event was released", lun, { event })
            helper.refused("wait_any: position 1 of the list: the event was released", lun, { event })
            assert.equal(3.0, a:sum())
        end)

        it("says so when its result went with a scope", function()
            local event
            lun.scope(function() event = dev:ones({ 3 }):copy { async = true } end)
            event:wait()
            local result = event:get()
            helper.raises("totable: self: the array was released", function() result:totable() end)
        end)

        it("takes a time that is over for none", function()
            local event = slow(1)
            assert.is_false(event:wait(-5))
            assert.is_false(lun.wait_all({ event }, -0.5))
            assert.equal(1, select("#", lun.wait_any({ event }, -math.huge)))
            event:wait()
        end)

        it("refuses what is no time and no method", function()
            local event = dev:zeros({ 1 }):fill(1, { async = true })
            local wanted = "a number of seconds is needed, got "
            helper.raises("wait: argument 1: " .. wanted .. "a string", function() event:wait("1") end)
            helper.raises("wait: argument 1: " .. wanted .. "nan", function() event:wait(0 / 0) end)
            helper.raises("wait_any: argument 2: " .. wanted .. "nan", function() lun.wait_any({ event }, 0 / 0) end)
            helper.raises("wiat: an event has no such method; is wait meant?", function() event:wiat() end)
            helper.raises("wait: self: an event is needed, got nothing; is it called with a colon?", function()
                event.wait()
            end)
        end)
    end)

    describe("an event in the place of its result on " .. title, function()
        local a = dev:ones { 2, 2 }
        local event, hint = a:add(1, { async = true }), "; ev:get() waits, and gives the result"

        it("has no methods of arrays, by whatever name", function()
            for _, name in ipairs { "sum", "add", "totable", "shape", "astype", "clip" } do
                helper.raises(name .. ": an event has no such method" .. hint, function() event[name](event) end)
            end
            local problem = helper.raises("foo: an event has no such method", function() event:foo() end)
            assert.matches("no such method$", problem)
        end)

        it("is computed with by no operator", function()
            for operator, f in pairs {
                ["a + b"] = function() return event + 1 end, ["a - b"] = function() return 1 - event end,
                ["a * b"] = function() return event * a end, ["a / b"] = function() return event / event end,
                ["a // b"] = function() return event // 1 end, ["a % b"] = function() return event % 1 end,
                ["a ^ b"] = function() return event ^ 2 end, ["-a"] = function() return -event end,
                ["a & b"] = function() return event & 1 end, ["a | b"] = function() return 1 | event end,
                ["a ~ b"] = function() return event ~ 1 end, ["~a"] = function() return ~event end,
                ["a << b"] = function() return event << 1 end, ["a >> b"] = function() return event >> 1 end,
                ["a < b or a > b"] = function() return event > 1 end,
                ["a <= b or a >= b"] = function() return 1 <= event end,
                ["a .. b"] = function() return event .. "" end, ["#a"] = function() return #event end,
            } do
                helper.raises(operator .. ": an event is not an array or a number" .. hint, f)
            end
            helper.raises("a + b: arrays and numbers are needed on both sides, got an event" .. hint,
                function() return a + event end)
        end)

        it("is no argument that is an array", function()
            helper.refused("add: argument 1: an array or a number is needed, got an event" .. hint, a, event)
            helper.refused("matmul: argument 1: an array is needed, got an event" .. hint, a, event)
            local problem = helper.refused("wait_all: argument 1: a list of events is needed, got an event", lun, event)
            assert.matches("got an event$", problem)
            assert.is_true(lun.wait_all { event } and event:get():sum() == 8.0)
        end)
    end)

    describe("a wait on " .. title, function()
        -- Raises from the first function that is called while f waits, counted from f's own call.
        local function interrupted(f)
            local calls, event = 0, slow(8)
            local ok, problem = pcall(function()
                debug.sethook(function()
                    calls = calls + 1
                    if calls > 1 then
                        debug.sethook()
                        error("interrupted", 0)
                    end
                end, "c")
                f(event)
                debug.sethook()
            end)
            debug.sethook()
            assert.is_false(ok)
            assert.equal("interrupted", problem)
            assert.is_false(event:done())
            assert.is_true(event:wait())
        end

        it("lets hooks in, which may raise", function()
            interrupted(function(event) event:wait() end)
            interrupted(function(event) lun.wait_all { event } end)
            interrupted(function(event) lun.wait_any { event } end)
            interrupted(function() busy.out:get(1, 1) end)
            interrupted(function() dev:finish() end)
            assert.equal(busy.pos:size() / 4, #busy.out)
        end)

        it("works in a coroutine", function()
            local event = slow(1)
            assert.is_true(coroutine.wrap(function() return event:wait() end)())
        end)
    end)

    describe("wait_all on " .. title, function()
        it("waits for all", function()
            local events = { slow(1), busy.out:sum { async = true } }
            assert.is_false(lun.wait_all(events, 0))
            assert.is_true(lun.wait_all(events))
            assert.is_true(events[1]:done() and events[2]:done())
            assert.is_true(lun.wait_all(events, 0))
            assert.is_true(lun.wait_all {})
            events[2] = slow(1) -- behind one that has ended
            assert.is_false(lun.wait_all(events, 0))
            assert.is_true(lun.wait_all(events))
            assert.is_true(events[2]:done())
        end)
    end)

    describe("wait_any on " .. title, function()
        it("gives the position of one that has ended", function()
            local first = dev:zeros { 1, async = true }
            first:wait()
            local second = slow(1)
            assert.equal(2, lun.wait_any { second, first })
            assert.same({ n = 1 }, table.pack(lun.wait_any({ second }, 0))) -- one nil when the time is over
            assert.equal(1, lun.wait_any { second })
        end)

        it("refuses an empty list, since it would wait for ever", function()
            helper.raises("wait_any: the list is empty: there is nothing to wait for", function() lun.wait_any {} end)
        end)

        it("and wait_all want lists of events", function()
            helper.raises("wait_any: argument 1: a list of events is needed, got nil", function() lun.wait_any(nil) end)
            helper.refused("wait_all: argument 1: a list of events is needed, got an event", lun, slow(1))
            helper.refused("wait_all: position 2 of the list: an event is needed, got a number", lun, { slow(1), 3 })
        end)
    end)

    describe("many events on " .. title, function()
        it("are waited for in any order", function()
            local a, events = dev:zeros { 8 }, {}
            for i = 1, 300 do
                events[i] = a:fill(i, { async = true })
            end
            local random = numbers.generator(5)
            for i = 300, 2, -1 do
                local j = random(1, i)
                events[i], events[j] = events[j], events[i]
            end
            for _, event in ipairs(events) do
                assert.is_true(event:wait())
            end
            assert.equal(2400.0, a:sum())
        end)
    end)
end)
