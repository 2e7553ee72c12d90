-- What only the device can see of an operation's data: who is told of an index that is out of range, what is marked,
-- and what is as good as ever.

local helper = require "spec.helper"

local it = helper.one_in(2, it)

-- In a process of its own, with the module that `make faults` builds: core.fault_close(n) holds the next n operations
-- back on the device, core.fault_open(code) lets them start (0) or makes them fail.
local HEADER = [[
    local core = require "lunarray.core"
    local lun = require "lunarray"
    local dev = lun.device()
    local q1, q2 = dev:queue(), dev:queue()
    local a = dev:array { 10, 20, 30, 40, 50 }
    local good, bad = dev:array({ 1, 2, 3 }, "i32"), dev:array({ 1, 7, 9 }, "i32")
    local WRONG = "take: index 7 at position 2 is out of range 1..5"
    dev:finish()

    -- f(...) must raise this, behind the name of the method that was called where it is not the operation's.
    local function raises(message, f, ...)
        local ok, problem = pcall(f, ...)
        assert(not ok, "nothing was raised")
        assert(type(problem) == "table" and problem.op == message:match "^[%l_]+" and problem.code == 0)
        local text, method = tostring(problem), problem.method
        local wanted = "lunarray: " .. (method == problem.op and "" or method .. ": ") .. message
        assert(text:sub(-#wanted) == wanted, text)
    end

    local function is(array, text)
        local list = table.concat(array:totable(), " ")
        assert(list == text, list)
    end

    -- A dtype that the variant adds.
    local function dtype_of(variant) return variant == "fixed" and "f32" or "i32" end

    -- Enqueues what f does, with its first operation held back, and lets it go.
    local function held(f)
        core.fault_close(1)
        local results = table.pack(pcall(f))
        core.fault_open(0)
        assert(table.unpack(results, 1, results.n))
        return table.unpack(results, 2, results.n)
    end
]]

local function run(source)
    return helper.child(HEADER .. source, { cpath = "build/faults/?.so" })
end

describe("an operation whose data are wrong", function()
    it("is told by its event and by every read, and once by finish", function()
        run [[
            for _, q in ipairs { false, q1 } do
                local event = held(function() return a:take(bad, { async = true, queue = q or nil }) end)
                for _ = 1, 2 do
                    raises(WRONG, event.wait, event)
                    raises(WRONG, event.get, event)
                    raises(WRONG, lun.wait_all, { event })
                end
                assert(event:done() and event:status() == "failed")
                local out = a:take(bad, { queue = q or nil })
                raises(WRONG, out.totable, out)
                raises(WRONG, out.get, out, 1)
                raises(WRONG, out.sum, out)
                raises(WRONG, out.host, out, "r")
                raises(WRONG, function() return out:tobytes { async = true, queue = q2 }:get() end)
                raises(WRONG, function() return out + 1 end)
                assert(tostring(out):find(WRONG, 1, true))
                local whole = q or dev
                raises(WRONG, whole.finish, whole) -- the event's
                raises(WRONG, whole.finish, whole) -- the array's
                whole:finish()
                dev:finish()
                out:fill(1)
                is(out, "1.0 1.0 1.0")
            end
        ]]
    end)

    it("takes along what has read its results, and nothing else, on every queue", function()
        run [[
            local wrong, right, lists = {}, {}, {}
            held(function()
                local first = a:copy()
                local out = first:take(bad)
                wrong[1] = out
                wrong[2] = out + 1
                wrong[3] = wrong[2]:copy { queue = q1 }
                wrong[4] = wrong[3]:sum { axis = 1, keepdims = true, queue = q2 }
                right[1] = a + 1
                right[2] = right[1]:copy { queue = q1 }
                right[3] = a:take(good)
                right[4] = first
                lists[1] = out:totable { async = true }
                lists[2] = right[1]:totable { async = true }
                lists[3] = wrong[4]:totable { async = true, queue = q1 }
            end)
            for _, array in ipairs(right) do
                assert(#array:totable() >= 3)
            end
            for _, array in ipairs(wrong) do
                raises(WRONG, array.totable, array)
            end
            raises(WRONG, lists[1].get, lists[1])
            assert(lists[2]:get()[5] == 51.0)
            raises(WRONG, lists[3].get, lists[3])
            raises(WRONG, dev.finish, dev)
            dev:finish()
            q1:finish()
            q2:finish()
            is(right[3], "10.0 20.0 30.0")
        ]]
    end)

    it("is named where its results are indices that are out of range too", function()
        run [[
            local indices = dev:array({ 1, 2, 3 }, "i32")
            local out = held(function() return a:take(indices:take(bad:slice { 1, 2 })) end)
            raises("take: index 7 at position 2 is out of range 1..3", out.totable, out)
        ]]
    end)

    it("marks its results until they are written whole, also if that happens before it is known", function()
        run [[
            local function marked(rest, message)
                local out = dev:zeros { 6 }
                held(function()
                    a:take(bad, { out = out:slice { 1, 5, 2 } })
                    rest(out)
                end)
                if message then
                    raises(message, out.totable, out)
                else
                    is(out, "4.0 4.0 4.0 4.0 4.0 4.0")
                end
                assert(out:get(6))
                out:fill(4)
                is(out, "4.0 4.0 4.0 4.0 4.0 4.0")
                pcall(dev.finish, dev)
                dev:finish()
            end
            marked(function(out) out:fill(4) end)
            marked(function(out) out:fill(4, { queue = q1 }) end)
            marked(function() end, WRONG)
            marked(function(out) out:slice { 1, 5, 4 }:fill(4) end, WRONG) -- the same span, but not all of it
            marked(function(out) out:slice { 2, 4 }:fill(4) end, WRONG)
            marked(function(out)
                for i = 1, 60 do -- more than a block keeps apart
                    out:slice { i % 5 + 1, i % 5 + 2 }:slice { 1, 2 }:slice({ 1, 1 }):fill(i, { queue = q2 })
                end
            end, WRONG)
        ]]
    end)

    it("writes what is in range, and marks the array", function()
        run [[
            local at = dev:array({ 2, 0, 5, 2, -3 }, "i64")
            local wrong = ": index 0 at position 2 is out of range 1..5"
            for _, method in ipairs { "put", "add_at" } do
                for _, variant in ipairs(dev:variants(method)) do
                    local x = dev:zeros({ 5 }, dtype_of(variant))
                    x[method](x, at, dev:arange(5, "i32"), { variant = variant })
                    raises(method .. wrong, x.totable, x)
                    raises(method .. wrong, x.put, x, good, 1) -- it reads the rest of x
                    x:slice { 1, 2 }:fill(7)
                    raises(method .. wrong, x.totable, x)
                    x:fill(1)
                    x:put(good, 2)
                    is(x:cast "i32", "2 2 2 1 1")
                    raises(method .. wrong, dev.finish, dev)
                    dev:finish()
                end
            end
        ]]
    end)

    it("names the first that is wrong, however many are", function()
        run [[
            local least = math.mininteger
            for _, method in ipairs { "take", "put", "add_at" } do
                for _, variant in ipairs(dev:variants(method)) do
                    for _, values in ipairs { { 6, 3000, 0 }, { 0, 29999, 7 }, { -1, 1, 9 }, { least, 777, 6 } } do
                        local index = dev:ones({ 30000 }, "i64")
                        index:slice { values[2], 30000 }:fill(values[3])
                        index:set(values[1], values[2])
                        local x = dev:zeros({ 5 }, dtype_of(variant))
                        local written = values[2] % 2 == 0 and 7 or dev:ones({ 30000 }, "i32")
                        local out = method == "take" and x:take(index, { variant = variant })
                            or x[method](x, index, written, { variant = variant })
                        raises(("%s: index %d at position %d is out of range 1..5"):format(method, values[1],
                            values[2]), out.totable, out)
                    end
                end
            end
            local out = dev:zeros({ 0 }):take(good)
            raises("take: index 1 at position 1 is out of range 1..0", out.totable, out)
            out = dev:zeros({ 4, 3 }):take(dev:array({ { 4, 1 }, { 5, 5 } }, "i32"), 1)
            raises("take: index 5 at position 3 is out of range 1..4", out.totable, out)
        ]]
    end)

    it("is found in whichever part of a long index it is, and the parts come one after the other", function()
        run [[ -- this module takes parts of 1024 indices to put, and of 16384 to add at
            local index = dev:randint({ 40000 }, 1, 700, { seed = 1 })
            local values = dev:arange(40000, "i32")
            for _, method in ipairs { "put", "add_at" } do
                local first
                for _, variant in ipairs(dev:variants(method)) do
                    local x = dev:zeros({ 700 }, dtype_of(variant))
                    local bytes = x[method](x, index, values, { variant = variant }):cast("i32"):tobytes()
                    first = first or bytes
                    assert(bytes == first, variant)
                end
            end
        ]]
    end)

    it("is told by a sum that follows at once, and by kernels of the user's own that have read it", function()
        run [[
            local twice = dev:program "kernel void twice(global const float *x, global float *y) { *y = 2 * *x; }"
            for _ = 1, 20 do
                raises(WRONG, function() return a:take(bad):sum() end)
                local y = dev:zeros { 1 }
                local ok, problem = pcall(function()
                    twice:kernel():run({ global = 1 }, a:take(bad), y)
                    return y:get(1)
                end)
                assert(not ok and tostring(problem):find(WRONG, 1, true), tostring(problem))
                while not pcall(dev.finish, dev) do end
            end
        ]]
    end)

    it("leaves nothing behind, however often that happens", function()
        run [[
            local function round(i)
                local out = a:take(i % 3 == 0 and bad or good, { queue = i % 2 == 0 and q1 or nil })
                if i % 5 == 0 then
                    local ok = pcall(out.totable, out)
                    assert(ok == (i % 3 ~= 0))
                end
            end
            local function told()
                while not pcall(dev.finish, dev) do end
                collectgarbage()
                dev:finish()
            end
            round(1)
            assert(a:sum() == 150)
            told()
            assert(a:sum() == 150)
            core.fault_after(0, 0)
            assert(a:sum() == 150)
            local calls, live = core.fault_after(0, 0), dev:memory().live
            for i = 1, 4000 do
                round(i)
            end
            told()
            assert(a:sum() == 150)
            core.fault_after(0, 0)
            assert(a:sum() == 150)
            local after, kept = core.fault_after(0, 0), dev:memory().live
            assert(after == calls and kept == live, after .. " calls, " .. kept .. " bytes")
            is(a:take(good), "10.0 20.0 30.0")
        ]]
    end)

    it("is told apart from what its device has failed, which is then what is told", function()
        run [[
            core.fault_close(1)
            local out = a:take(bad)
            core.fault_open(-5)
            local ok, problem = pcall(out.totable, out)
            assert(not ok and tostring(problem):find("take failed on the device", 1, true), tostring(problem))
            assert(not pcall(dev.finish, dev))
            dev:finish()
            for _ = 1, 3 do
                is(a:take(good), "10.0 20.0 30.0")
                local wrong = a:take(bad)
                raises(WRONG, wrong.totable, wrong)
            end
        ]]
    end)

    it("is told, or the call that has failed meanwhile", function()
        run [[
            for n = 1, 200 do
                core.fault_after(n, -5)
                local ok, problem = pcall(function()
                    local out = held(function() return a:take(bad) end)
                    return out:totable()
                end)
                local made = core.fault_after(0, 0)
                assert(not ok)
                local text = tostring(problem)
                assert(text:find(WRONG, 1, true) or text:find("CL_OUT_OF_RESOURCES", 1, true), text)
                while not pcall(dev.finish, dev) do end
                is(a:take(good), "10.0 20.0 30.0")
                if made < n then break end
                assert(n < 200)
            end
        ]]
    end)
end)

-- Only a moment lies between a work-item's look and its turn: this tries the part by itself, with many items that find
-- something before what all have found.
helper.each_device(function(dev, title)
    it("a verdict on " .. title .. " moves to the front alone, whoever says it meanwhile", function()
        local parts = { "kernels/abi/types.h", "kernels/abi/verdict.h", "kernels/parts/verdict.cl" }
        for i, path in ipairs(parts) do
            parts[i] = helper.read_file(path):gsub('#include "abi/[^\n]*', "")
        end
        local kernel = dev:program(table.concat(parts) .. [[
            kernel void find(global long *words, global int *back, long times)
            {
                volatile global lun_verdict *v = (volatile global lun_verdict *)words;
                const long items = get_global_size(0), item = get_global_id(0);
                for (long k = times - 1; k >= 0; k--) {
                    const long position = k * items + item;
                    verdict_say_both(v, position, 7 - position, position + 5);
                    if (!v->found || v->position > position)
                        back[item]++;
                }
            }
        ]]):kernel "find"
        local times = dev:info().type == "cpu" and 1000000 or 10000
        local words, back = dev:zeros({ 4 }, "i64"), dev:zeros({ 64 }, "i32")
        for _ = 1, 20 do
            words:fill(0)
            kernel:run({ global = 64, group = 1 }, words, back, times)
            assert.same({ 1, 0, 7, 5 }, words:totable())
            assert.equal(0, back:sum())
        end
    end)
end)
