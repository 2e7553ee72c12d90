-- Copies from one device to another: nobody waits, and errors come as everywhere. In processes of their own, since PoCL
-- reads how many devices it is to make when it starts; with the module of `make faults`, whose pieces are of 1 KiB.

local helper = require "spec.helper"

if not helper.has_pocl() then
    return
end

local function on_two(source)
    return helper.child([[
        local core, lun = require "lunarray.core", require "lunarray"
        local helper = require "spec.helper"
        local first, second = lun.device "Portable Computing Language:1", lun.device "Portable Computing Language:2"
        local function finish() first:finish() second:finish() end
        local function refused(wanted, f, ...)
            local ok, problem = pcall(f, ...)
            assert(not ok and tostring(problem):find(wanted, 1, true), tostring(problem))
        end
    ]] .. source, { cpath = "build/faults/?.so", before = "timeout 100",
        env = { POCL_DEVICES = "pthread pthread", LUNARRAY_DEVICE = false } })
end

describe("copies between devices", function()
    it("bring all elements over, of any number, layout and dtype", function()
        on_two [[
            for _, n in ipairs { 0, 1, 255, 256, 257, 1024, 1025, 5000 } do
                local a = first:arange(1, 5000):cast("f32"):slice { 1, n > 0 and n or 1 }
                if n == 0 then a = first:zeros { 0 } end
                local there = a:to(second)
                assert(there:device() == second and there:tobytes() == a:tobytes())
                assert(there:to(first, { async = true }):get():tobytes() == a:tobytes())
            end
            local m = first:arange(1, 6000):cast("i32"):reshape(100, 60)
            local wide = second:zeros({ 60, 200 }, "i32")
            wide:slice({ 1, 60 }, { 2, 200, 2 }):write(m:t())
            assert(wide:slice({ 1, 60 }, { 2, 200, 2 }):tobytes() == m:t():tobytes())
            assert(wide:slice({ 1, 60 }, { 1, 200, 2 }):nnz() == 0)
            helper.check_array(second:array(m:slice({ 3, 1, -2 }, { 2, 3 }), "f64"), "f64", { 2, 2 },
                { 122.0, 123.0, 2.0, 3.0 })
        ]]
    end)

    it("do not wait for what the source is still to get, nor for the other device", function()
        on_two [[
            local a, b, q = first:ones { 5000 }, second:zeros { 5000 }, second:queue()
            finish()
            core.fault_close(1)
            a:fill(2)
            b:write(a)
            local event = a:to(second, { async = true })
            local apart = b:add(1, { async = true, queue = q })
            assert(not event:done() and not apart:done())
            assert(second:ones({ 9 }):sum() == 9)
            core.fault_open(0)
            assert(b:sum() == 10000 and event:get():min() == 2 and apart:get():max() == 3)

            local counted = first:arange(1, 5000):cast "f32"
            core.fault_close(1)
            b:fill(7)
            b:write(counted)
            counted:add_(1)
            core.fault_open(0)
            assert(b:sum() == 12502500 and counted:sum() == 12507500)
        ]]
    end)

    it("follow one another to and fro", function()
        on_two [[
            local x = first:zeros { 3000 }
            core.fault_close(1)
            x:fill(5)
            for i = 1, 20 do
                x = x:to(i % 2 == 1 and second or first):add(1)
            end
            core.fault_open(0)
            assert(x:min() == 25 and x:max() == 25)
        ]]
    end)

    it("end well when the state closes on them", function()
        assert.equal("closing\n", on_two [[
            local a, b = first:ones { 100000 }, second:ones { 100000 }
            for _ = 1, 3 do
                a:write(b:to(first))
                b:write(a:to(second))
            end
            print "closing"
        ]])
    end)

    it("fail with the source, and say what has failed there", function()
        on_two [[
            local a, kept = first:ones { 1000 }, second:ones { 1000 }
            finish()
            core.fault_close(1)
            a:fill(2)
            local b = a:to(second)
            kept:write(a)
            local c, event = b:add(1), a:to(second, { async = true })
            core.fault_open(-5)
            local text = "write: the other device: fill failed on the device"
            refused("sum: " .. text, b.sum, b)
            refused("sum: " .. text, c.sum, c)
            refused("get: " .. text, event.get, event)
            refused("tobytes: " .. text, kept.tobytes, kept)
            refused("finish: fill failed on the device", first.finish, first)
            for _ = 1, 3 do -- each failed write once
                refused("finish: " .. text, second.finish, second)
            end
            finish()
            a:fill(3)
            kept:write(a)
            assert(kept:sum() == 3000)

            refused("take: index 2000 at position 2 is out of range 1..1000", function() -- by sum, or by to already
                a:take(first:array({ 1, 2000 }, "i64")):to(second):sum()
            end)
            pcall(first.finish, first)
            pcall(second.finish, second)
            finish()
        ]]
    end)

    it("lose nothing where the driver refuses a command", function()
        on_two [[
            local a, b, v = first:arange(1, 1500):cast "f32", second:zeros { 1500 }, second:zeros { 50, 60 }
            local sum = a:sum()
            a:to(second):sum()
            local wide, turned = v:slice({ 1, 50 }, { 1, 60, 2 }), a:reshape(30, 50):t()
            wide:write(turned)
            for _, f in ipairs {
                function() b:write(a) end, function() wide:write(turned) end,
            } do
                local n, made = 0, nil
                repeat
                    n = n + 1
                    core.fault_after(n, -5)
                    local ok = pcall(f)
                    made = core.fault_after(0)
                    assert(ok or made >= n)
                    b:fill(0)
                    b:write(a)
                    assert(a:sum() == sum and b:sum() == sum)
                until made < n
                assert(n > 10)
            end
            finish()
        ]]
    end)
end)
