-- Transfers of strings: whole, in parts, beside other work, and what a part may meet on its way.

local held = require "spec.flow.held"
local helper = require "spec.helper"

-- Bytes that differ from place to place, also at a distance of any power of two.
local function bytes(count, seed)
    local block = {}
    for i = 1, 251 do
        block[i] = string.char((i * 37 + (seed or 0)) % 256)
    end
    return table.concat(block):rep(count // 251 + 1):sub(1, count)
end

-- Around where the way of a transfer changes, in this build and in that of `make faults`.
local SIZES = { 1, 4095, 4096, 65535, 65536, 65537, 262143, 262144, 262145, 1 << 20, (4 << 20) + 1, (9 << 20) + 13 }

helper.each_device(function(dev, title)
    after_each(function() dev:finish() end)

    describe("a string's transfer on " .. title, function()
        it("brings every byte to its place, and back", function()
            for i, size in ipairs(SIZES) do
                local text = bytes(size, i)
                local a = dev:array(text, "u8", { size })
                assert.is_true(a:tobytes() == text, size)
                a:fill(0)
                assert.equal(a, a:write(text))
                assert.is_true(a:tobytes() == text, size)
                assert.is_true(a:tobytes { async = true }:get() == text, size)
                a:fill(0)
                a:write(text, { async = true }):wait()
                assert.is_true(a:tobytes() == text, size)
            end
        end)

        it("leaves what lies beside a view", function()
            for i, size in ipairs(SIZES) do
                local text, new = bytes(size + 7, i), bytes(size, i + 100)
                local a = dev:array(text, "u8", { size + 7 })
                local view = a:slice { 4, size + 3 }
                assert.is_true(view:tobytes() == text:sub(4, size + 3), size)
                view:write(new)
                assert.is_true(a:tobytes() == text:sub(1, 3) .. new .. text:sub(-4), size)
            end
        end)

        it("takes strided views", function()
            local text = bytes(2 * 150001)
            local a = dev:zeros({ 150001, 2 }, "u8")
            a:t():write(text)
            assert.is_true(a:t():tobytes() == text)
            assert.equal(text:byte(150001), a:get(150001, 1))
            assert.equal(text:byte(150002), a:get(1, 2))
        end)

        it("keeps the order of the calls, with and without waiting", function()
            local size = 5 << 20
            local first, second = bytes(size, 1), bytes(size, 2)
            local a = dev:array(first, "u8", { size })
            local before = a:tobytes { async = true }
            local writing = a:write(second, { async = true })
            local between = a:tobytes { async = true }
            a:fill(3)
            local after = a:slice({ 1, 9 }):sum { async = true }
            assert.is_true(before:get() == first)
            assert.is_true(between:get() == second)
            assert.equal(27, after:get())
            assert.equal(a, writing:get())
            local b = dev:ones({ size }, "u8")
            b:copy { out = a }
            a:write(first)
            assert.is_true(a:tobytes() == first)
            b:write(a)
            a:write(second)
            assert.is_true(b:tobytes() == first)
        end)

        it("gives strings like all others", function()
            local text = bytes(1 << 20)
            local got = dev:array(text, "u8", { 1 << 20 }):tobytes()
            assert.equal(1 << 20, #got)
            assert.equal("found", ({ [text] = "found" })[got])
            assert.equal(#text + 1, #(got .. "x"))
            assert.is_true(got:rep(2):sub(-#text) == text)
        end)

        it("gives strings that the collector knows", function()
            local a = dev:zeros({ 4 << 20 }, "u8")
            collectgarbage()
            collectgarbage() -- of values with finalizers, too: a collection in between would be counted
            local before = collectgarbage("count")
            local text = a:tobytes()
            assert.is_true(collectgarbage("count") - before >= 4096)
            text = #text
            collectgarbage()
            assert.is_true(collectgarbage("count") - before < 1024 + text / text)
            for _ = 1, 50 do
                a:tobytes()
            end
            local most = helper.resident()
            for _ = 1, 200 do
                a:tobytes()
            end
            assert.is_true(helper.resident() < most + (64 << 20))
        end)

        it("gives strings while the collector stands still, and leaves it so", function()
            collectgarbage("stop")
            finally(function() collectgarbage("restart") end)
            local a = dev:zeros({ 1 << 20 }, "u8")
            assert.equal(1 << 20, #a:tobytes())
            assert.is_false(collectgarbage("isrunning"))
        end)
    end)
end)

describe("a transfer in parts", function()
    -- In a process of its own, with the module that `make faults` builds: it takes every device for one with memory of
    -- its own, streams from 64 KiB on, and lets hooks in every 256 KiB.
    local HEADER = [[
        local core = require "lunarray.core"
        local lun = require "lunarray"
        local dev = lun.device()
        local size = (1 << 20) + 12345
        local block = {}
        for i = 1, 251 do block[i] = string.char(i) end
        local text = table.concat(block):rep(size // 251 + 1):sub(1, size)
        local a = dev:array(text, "u8", { size })
        dev:finish()
        -- Calls f, and g in a hook, at the n-th call that there is during f. pcall, f and what it calls are three; the
        -- fourth comes behind a transfer's first part.
        local function during(n, f, g)
            local calls = 0
            debug.sethook(function()
                calls = calls + 1
                if calls == n then debug.sethook() g() end
            end, "c")
            local results = table.pack(pcall(f))
            debug.sethook()
            return table.unpack(results)
        end
    ]]

    local function run(source)
        return helper.child(HEADER .. source, { cpath = "build/faults/?.so", before = "timeout 100" })
    end

    it("is right at every size, and beside other work", function()
        assert.equal("well\n", run [[
            for _, n in ipairs { 4096, 65535, 65536, 65537, 262143, 262144, 262145, 600001, size } do
                local part = text:sub(1, n)
                local b = dev:array(part, "u8", { n })
                assert(b:tobytes() == part, n)
                assert(b:tobytes { async = true }:get() == part, n)
                local reading = b:tobytes { async = true }
                b:fill(7)
                local writing = b:write(part, { async = true })
                local view = b:slice { 2, n }
                assert(view:tobytes() == part:sub(2), n)
                assert(reading:get() == part and writing:get() == b, n)
                core.fault_close(1) -- the fill is held back, so that the write has to wait for it
                b:fill(9)
                writing = b:write(part, { async = true })
                core.fault_open(0)
                assert(b:tobytes() == part, n)
            end
            print "well"
        ]])
    end)

    it("lets hooks in, which may raise", function()
        assert.equal("false\tstop\nfalse\tstop\ntrue\n", run [[
            print(during(4, function() return #a:tobytes() end, function() error("stop", 0) end))
            print(during(4, function() a:write(text) end, function() error("stop", 0) end))
            a:write(text)
            print(a:tobytes() == text)
        ]])
    end)

    it("lets hooks in while it waits for what is held back", function()
        assert.equal(("false\tstop\n"):rep(6) .. "true\n", run [[
            local b = dev:zeros({ size }, "u8")
            local waits = {
                function() return b:get(1) end,
                function() return b:tobytes() end,
                function() return b:totable() end,
                function() return b:sum() end,
                function() return b:host "r" end,
                function() return tostring(b) end,
            }
            dev:finish()
            for _, wait in ipairs(waits) do
                core.fault_close(1)
                a:add(1, { out = b }) -- a map, for which a blocking read may wait only where it is short
                print(during(6, wait, function() error("stop", 0) end))
                core.fault_open(0)
            end
            print(b:get(1) == text:byte() + 1)
        ]])
    end)

    it("lets hooks in, which may use the array", function()
        assert.equal("true\tfalse\ntrue\ttrue\n", run [[
            print(during(4, function() a:write(text) return a:tobytes() == text end, function()
                a:get(1)
                a:fill(text:byte())
                a:slice({ size }):set(1, 1)
            end))
            a:fill(0)
            print(during(4, function() a:write(text) return a:tobytes() == text end, function() a:get(1) end))
        ]])
    end)

    it("says so when a hook takes the array away", function()
        local output = run [[
            print(during(4, function() return #a:tobytes() end, function() a:release() end))
            local b = dev:zeros({ size }, "u8")
            dev:finish()
            print(during(4, function() b:write(text) end, function() b:release() end))
        ]]
        assert.matches("^false\t%S+: lunarray: tobytes: self: the array was released meanwhile\n"
            .. "false\t%S+: lunarray: write: self: the array was released meanwhile\n$", output)
    end)

    it("that fails is told, and leaves nothing behind but marked contents", function()
        local output = run [[
            local function attempt(name, f)
                for n = 1, 200 do
                    core.fault_after(n, -5)
                    local ok, problem = pcall(f)
                    local made = core.fault_after(0, 0)
                    if ok and made < n then print(name, n > 2) return end
                    assert(ok or problem.op, tostring(problem))
                    pcall(dev.finish, dev)
                    pcall(a.write, a, text)
                    a:write(text)
                    assert(a:tobytes() == text)
                end
            end
            attempt("write", function() a:write(text) end)
            attempt("tobytes", function() return a:tobytes() end)
            attempt("async", function()
                local event = a:write(text, { async = true })
                return event:get(), a:tobytes({ async = true }):get()
            end)
        ]]
        assert.equal("write\ttrue\ntobytes\ttrue\nasync\ttrue\n", output)
    end)

    it("of contents that failed raises what failed", function()
        local output = run [[
            core.fault_close(1)
            a:fill(1)
            core.fault_open(-5)
            print(pcall(a.tobytes, a))
            pcall(dev.finish, dev)
            a:write(text)
            print(a:tobytes() == text)
        ]]
        assert.matches("^false\t.*lunarray: tobytes: fill failed on the device.*\ntrue\n$", output)
    end)
end)

describe("the host memory of transfers", function()
    -- The module of `make faults` lets a transfer wait for those under way once 16 MiB are in use.
    it("is given back once they have ended", function()
        held.run [[
            local text, calls = ("x"):rep(3 << 20), 0
            local a = dev:zeros({ #text }, "u8")
            local path = os.tmpname()
            a:save(path)
            for _ = 1, 7 do
                a:write(text, { async = true }):wait()
                assert(#a:tobytes { async = true }:get() == #text)
                assert(lun.load(path):size() == #text)
                a:save(path)
            end
            os.remove(path)
            dev:finish()
            core.fault_close(1)
            local first = other:fill(1, { async = true })
            debug.sethook(function() -- waits call it
                calls = calls + 1
                if calls == 20 then
                    core.fault_open(0)
                end
            end, "c")
            a:write(text, { async = true, queue = q1 })
            debug.sethook()
            must(calls < 20, "it waited")
            must(not first:done(), "nothing was held back")
            core.fault_open(0)
            dev:finish()
        ]]
    end)
end)
