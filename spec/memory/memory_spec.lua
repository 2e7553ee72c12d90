-- Device memory: what is counted, what is limited, and that nothing grows without end.

local lun = require "lunarray"
local helper = require "spec.helper"

local MEGABYTE = 1 << 20

helper.each_device(function(dev, title)
    local function live() return helper.live(dev) end

    describe("memory on " .. title, function()
        after_each(function()
            dev:limit()
            collectgarbage()
        end)

        it("is counted while arrays live", function()
            local before = live()
            local a = dev:zeros { MEGABYTE }
            local with = dev:memory()
            assert.is_true(with.live >= before + 4 * MEGABYTE)
            assert.is_true(with.live <= before + 5 * MEGABYTE) -- size classes lose a quarter at most
            assert.is_true(with.peak >= with.live)
            local view = a:reshape(1024, 1024):t():row(3)
            assert.equal(with.live, dev:memory().live)
            a:release()
            assert.is_true(dev:memory().live >= before + 4 * MEGABYTE) -- the view has it
            view:release()
            collectgarbage()
            assert.equal(before, dev:memory().live)
        end)

        it("of empty arrays is none", function()
            local before = live()
            local a = dev:zeros { 0, 5 }
            assert.equal(before, dev:memory().live)
            assert.equal(0, a:size())
        end)

        it("is not kept by an empty view", function()
            local before = live()
            local a = dev:zeros { MEGABYTE }
            local views = { a:slice { 3, 2 }, a:reshape(1024, 1024):slice({}, { 5, 4 }):t() }
            a:release()
            assert.equal(before, live())
            assert.equal(0, views[1]:size() + views[2]:size())
        end)

        it("is pooled for reuse, and given back by trim", function()
            dev:trim()
            assert.equal(0, dev:memory().pooled)
            dev:zeros({ MEGABYTE }):release()
            local pooled = dev:memory().pooled
            assert.is_true(pooled >= 4 * MEGABYTE)
            local a = dev:zeros { MEGABYTE }
            assert.is_true(dev:memory().pooled <= pooled - 4 * MEGABYTE)
            a:release()
            dev:trim()
            assert.equal(0, dev:memory().pooled)
            assert.equal(3.0, dev:ones({ 3 }):sum())
        end)

        it("that was used before is not seen by its next owner's work", function()
            -- The pool hands out memory whose last work may still be under way.
            for i = 1, 50 do
                local a = dev:full({ 1000 }, i)
                local b = a:copy()
                a:release()
                local c = dev:full({ 1000 }, -1)
                assert.equal(1000.0 * i, b:sum())
                assert.equal(-1000.0, c:sum())
                b:release()
                c:release()
            end
        end)

        it("has a limit, beyond which an error says what was needed", function()
            local held = live()
            assert.is_true(dev:memory().limit > 0)
            dev:limit(held + 4 * MEGABYTE)
            assert.equal(held + 4 * MEGABYTE, dev:memory().limit)
            local a = dev:full({ MEGABYTE // 2 }, 3)
            local problem = helper.refused(("zeros: %d bytes needed, "):format(4 * MEGABYTE), dev, { MEGABYTE })
            local limit = (" of %d allowed are in use on this device"):format(held + 4 * MEGABYTE)
            assert.matches(limit, tostring(problem), 1, true)
            assert.equal("LUN_NO_MEMORY", problem.name)
            assert.equal(1.5 * MEGABYTE, a:sum())
            local b = dev:zeros { MEGABYTE // 4 }
            assert.equal(0.0, b:sum())
            dev:limit()
            assert.equal(0.0, dev:zeros({ MEGABYTE }):sum())
        end)

        it("that is short is collected first", function()
            dev:limit(live() + 16 * MEGABYTE)
            collectgarbage("stop")
            finally(function() collectgarbage("restart") end)
            for i = 1, 40 do
                assert.equal(i + 0.0, dev:full({ MEGABYTE }, i):get(MEGABYTE)) -- 160 MB of garbage
            end
        end)

        it("for what an operation needs besides is counted too, and given back", function()
            local a, pos, vel = dev:random { 300, 200 }, dev:random { 50, 4 }, dev:zeros { 50, 4 }
            local wide, out = dev:random { 300, 300 }, dev:zeros { 300, 300 }
            local before = live()
            pos:nbody(vel, { dt = 1e-3, softening = 0.1 })
            pos:energy(vel)
            a:transpose_()
            a:t():matmul(a)
            a:t():sum { axis = 1 }
            a:t():tobytes()
            wide:t():neg { out = out } -- copied first, so that rows lie as the result's
            assert.equal(before, live())
            dev:limit(before + 1000) -- no room for a result
            for _, f in ipairs {
                function() a:matmul(a:t()) end, function() a:transpose() end, function() a:copy() end,
                function() a:cast("f16") end,
            } do
                local ok, problem = pcall(f)
                assert.is_false(ok)
                assert.matches("bytes needed", tostring(problem), 1, true)
            end
            dev:limit()
            assert.equal(before, live())
            assert.same({ 200, 300 }, { a:shape() })
        end)

        it("of one array has the device's own limit", function()
            dev:limit(math.maxinteger)
            local most = dev:info().max_allocation
            local bytes = most // 8 * 8 + 8
            helper.raises(("zeros: %d bytes in one array; this device's largest allocation is %d"):format(bytes, most),
                function() dev:zeros({ bytes }, "u8") end)
        end)
    end)

    describe("a loop on " .. title, function()
        it("that makes and drops arrays lives in bounded memory, without collectgarbage", function()
            -- In a process of its own, whose largest size the system knows. 10,000 of 64 MB take minutes; these have
            -- the same ratio of all that is made to what is allowed.
            local output = helper.child(([[
                local lun = require "lunarray"
                local dev = lun.device(%q)
                for _ = 1, 48 do
                    local a = dev:zeros { 16 << 20 }
                end
                local most = dev:memory().peak
                assert(most <= 1 << 30, most)
                dev:limit(64 << 20)
                for i = 1, 10000 do
                    local a = dev:full({ 1 << 16 }, i)
                    if i %% 1000 == 0 then assert(a:get(77) == i) end
                end
                local size = io.open("/proc/self/status"):read("a"):match("VmHWM:%%s*(%%d+)")
                print(size // 1024)
            ]]):format(dev:info().name))
            assert.is_true(tonumber(output) < 2500, output)
        end)

        it("finds the temporaries of expressions soon on CPUs, unless the collector is stopped", function()
            if dev:info().type ~= "cpu" then
                return pending "arrays lie in no cache of the host's"
            end
            local output = helper.child(([[
                local lun = require "lunarray"
                local dev = lun.device(%q)
                local x = dev:zeros { 1 << 20 }
                local function most_of(count)
                    local most = 0
                    for _ = 1, count do
                        local _ = x * 2 + 1
                        most = math.max(most, dev:memory().live)
                    end
                    return most >> 20
                end
                print(most_of(100), collectgarbage "stop", most_of(50))
            ]]):format(dev:info().name))
            local running, stopped = output:match "^(%d+)%s+0%s+(%d+)"
            assert.is_true(tonumber(running) <= 128, output) -- of 800 MB that are made
            assert.is_true(tonumber(stopped) >= 400, output)
        end)

        it("of launches in flight does not grow the process", function()
            local a, b = dev:zeros { 64 }, dev:zeros { 64 }
            local function launch(count)
                for i = 1, count do
                    a:fill(i)
                    if i % 10 == 0 then
                        b:write(a)
                        local _ <close> = b:fill(2, { async = true })
                    end
                end
                dev:finish()
                collectgarbage()
            end
            launch(20000) -- pools and rings reach their size
            local before = helper.resident()
            launch(60000)
            assert.is_true(helper.resident() - before < 4 * MEGABYTE)
        end)

        it("of transfers does not grow the process", function()
            local a = dev:zeros { 1000 }
            local bytes = a:tobytes()
            local function transfer(count)
                for _ = 1, count do
                    a:write(bytes)
                    a:tobytes()
                    a:totable { async = true }
                end
                dev:finish()
                collectgarbage()
            end
            transfer(1000)
            local before = helper.resident()
            transfer(5000)
            assert.is_true(helper.resident() - before < 4 * MEGABYTE)
        end)

        it("of errors does not grow the process, nor lose memory", function()
            local a = dev:zeros { 10, 10 }
            local before = live()
            local function fail(count)
                for _ = 1, count do
                    pcall(a.matmul, a, dev:zeros { 3, 3 })
                    pcall(dev.array, dev, { { 1, 2 }, { 3 } })
                    pcall(a.reduce, a, "nosuchop")
                    pcall(a.write, a, "short")
                    pcall(lun.load, "/nonexistent")
                end
                collectgarbage()
            end
            fail(500)
            local size = helper.resident()
            fail(2000)
            assert.is_true(helper.resident() - size < 4 * MEGABYTE)
            assert.equal(before, live())
        end)
    end)
end)
