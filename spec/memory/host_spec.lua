-- Host mappings: an array's elements as h[i] until the scope that holds them ends.

local lun = require "lunarray"
local helper = require "spec.helper"
local numbers = require "spec.numbers"

helper.each_device(function(dev, title)
    describe("a mapping on " .. title, function()
        it("reads in row-major order", function()
            local a = dev:array({ { 1, 2, 3 }, { 4, 5, 6 } }, "i32")
            local h <close> = a:host()
            assert.equal(6, #h)
            assert.same({ 1, 2, 3, 4, 5, 6 }, { h[1], h[2], h[3], h[4], h[5], h[6] })
            assert.equal("host", lun.type(h))
        end)

        it("writes, and the device sees it", function()
            local a = dev:array { 1, 2, 3 }
            do
                local h <close> = a:host("rw")
                h[2] = h[1] + h[3]
            end
            helper.check_array(a, "f32", { 3 }, { 1.0, 4.0, 3.0 })
            do
                local h <close> = a:host("w")
                h[1] = 7
            end
            helper.check_array(a, "f32", { 3 }, { 7.0, 4.0, 3.0 })
        end)

        it("sees the device's work", function()
            local a = dev:zeros { 1000 }
            a:fill(5)
            local h <close> = a:host("r")
            assert.equal(5.0, h[1000])
        end)

        it("is of all dtypes", function()
            for _, name in ipairs(helper.dtypes(dev)) do
                local flat = numbers.some(5, name)
                local a = dev:zeros({ 5 }, name)
                do
                    local h <close> = a:host("w")
                    for i = 1, 5 do
                        h[i] = flat[i]
                    end
                end
                local h <close> = a:host("r")
                for i = 1, 5 do
                    helper.check_number(flat[i], h[i], 0, name)
                end
            end
        end)

        it("is a tensor of DLPack, and such a tensor is an array", function()
            for _, name in ipairs(helper.dtypes(dev)) do
                local a = dev:array(numbers.some(6, name), name):reshape(2, 3)
                local back, wide = a:slice({ 2, 1, -1 }, { 1, 3, 2 }), a:slice(1):broadcast { 4, 3 }
                for _, view in ipairs { a, a:t(), back, wide, a:slice(2, 3), a:slice { 2, 1 } } do
                    local tensor = view:host():dlpack()
                    local copy = dev:from_dlpack(tensor)
                    helper.check_array(copy, name, { view:shape() }, view:flatten():totable())
                end
                a:fill(0) -- no mapping is left
            end
        end)

        it("belongs to its tensor", function()
            local a = dev:ones { 3 }
            local h = a:host()
            local tensor = h:dlpack()
            helper.refused("dlpack: the mapping was given back", h)
            helper.refused("from_dlpack: argument 1: a pointer to a tensor of DLPack (a light userdata) is needed, "
                .. "got a number", dev, 3)
            helper.refused("add_: the array is mapped to the host; release the mapping first", a, 1)
            h:release()
            helper.refused("add_: the array is mapped to the host; release the mapping first", a, 1)
            assert.equal(3.0, dev:from_dlpack(tensor):sum())
            helper.check_array(a:add_(1), "f32", { 3 }, { 2.0, 2.0, 2.0 })
        end)

        it("is of views", function()
            local a = dev:arange(12, "i32"):reshape(3, 4)
            do
                local h <close> = a:t():slice({ 4, 2, -2 }, { 3, 1, -1 }):host("rw")
                assert.same({ 12, 8, 4, 10, 6, 2 }, { h[1], h[2], h[3], h[4], h[5], h[6] })
                h[4] = 0
            end
            helper.check_array(a, "i32", { 3, 4 }, { 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 11, 12 })
        end)

        it("of an array without elements is empty", function()
            local h <close> = dev:zeros({ 0 }):host("rw")
            assert.equal(0, #h)
            assert.is_nil(h[1])
        end)

        it("gives nil outside, and refuses writes there", function()
            local a = dev:zeros { 3 }
            local h <close> = a:host("rw")
            assert.is_nil(h[0])
            assert.is_nil(h[4])
            assert.is_nil(h[-1])
            helper.raises("h[i] =: position 4 is outside of 1..3", function() h[4] = 1 end)
            helper.raises("h[i] =: position 0 is outside of 1..3", function() h[0] = 1 end)
        end)

        it("refuses what its access does not allow", function()
            local a = dev:zeros { 3 }
            do
                local h <close> = a:host()
                helper.raises('h[i] =: the array is mapped for reading only ("r")', function() h[1] = 1 end)
            end
            local h <close> = a:host("w")
            helper.raises('h[i]: the array is mapped for writing only ("w")', function() local _ = h[1] end)
            helper.raises('host: argument 1: "r", "w" or "rw" is needed, got "x"', function() a:host("x") end)
            helper.raises('host: argument 1: "r", "w" or "rw" is needed, got a number', function() a:host(1) end)
        end)

        it("refuses values and positions that are none", function()
            local a = dev:zeros({ 3 }, "u8")
            local h <close> = a:host("rw")
            helper.raises("h[i] =: 256 is out of range for u8 (0 to 255)", function() h[1] = 256 end)
            helper.raises("h[i] =: position 1: a number is needed, got a string", function() h[1] = "1" end)
            helper.raises("h[i] =: position 1: a number is needed, got nil", function() h[1] = nil end)
            helper.raises("h[i] =: positions are whole numbers, got a string", function() h.x = 1 end)
            helper.raises("h[i] =: positions are whole numbers, got 1.5", function() h[1.5] = 1 end)
            helper.raises("h[i]: positions are whole numbers, got 1.5", function() local _ = h[1.5] end)
            helper.raises("pairs(h): a mapping is not a table; ipairs(h) goes through its elements, from h[1] to h[#h]",
                function() for _, x in pairs(h) do print(x) end end)
            helper.raises("relaese: a mapping has no such method; is release meant?", function() h:relaese() end)
            helper.raises("close: a mapping has no such method; is release meant?", function() h:close() end)
            assert.same({ 0, 0, 0 }, { h[1], h[2], h[3] })
        end)

        it("is over once it was given back", function()
            local a = dev:zeros { 3 }
            local h = a:host()
            assert.equal('lunarray.host: 3 f32 elements, "r"', tostring(h))
            h:release()
            h:release()
            assert.equal("lunarray.host (given back)", tostring(h))
            helper.raises("h[i]: the mapping was given back", function() local _ = h[1] end)
            helper.raises("h[i] =: the mapping was given back", function() h[1] = 1 end)
            helper.raises("#h: the mapping was given back", function() local _ = #h end)
        end)

        it("has an address, for an FFI, of elements that stand one behind the other", function()
            local function place(mapping)
                return tonumber(tostring((mapping:address())):match("0x(%x+)"), 16)
            end
            local a = dev:arange(12, "i32"):reshape(3, 4)
            local whole <close> = a:host()
            local first = place(whole)
            whole:release()
            do
                local columns <close> = a:t():host()
                helper.raises("address: the elements are not contiguous in row-major order; "
                    .. "map a:contiguous()", function() columns:address() end)
            end
            local h <close> = a:slice({ 2, 3 }):host()
            local address, bytes = h:address()
            assert.equal("userdata", type(address))
            assert.equal(32, bytes)
            if dev:info().type == "cpu" then -- elsewhere each mapping may have memory of its own
                assert.equal(first + 16, place(h))
            end
            local none <close> = dev:zeros({ 0 }):host()
            assert.equal(0, select(2, none:address()))
            h:release()
            helper.raises("address: the mapping was given back", function() h:address() end)
        end)

        it("is given back by the collector", function()
            local a = dev:zeros { 3 }
            a:host()
            collectgarbage()
            a:fill(1)
            assert.equal(3.0, a:sum())
        end)

        it("keeps the memory when its array is released", function()
            local a = dev:array { 1, 2, 3 }
            local h <close> = a:host()
            a:release()
            collectgarbage()
            assert.equal(3.0, h[3])
        end)
    end)

    describe("work on an array while it is mapped on " .. title, function()
        local BUSY = ": the array is mapped to the host; release the mapping first"

        it("is an error, whatever the view", function()
            local a = dev:ones { 2, 2 }
            local b = dev:ones { 2, 2 }
            do
                local h <close> = a:row(1):host("rw")
                helper.raises("fill" .. BUSY, function() a:fill(0) end)
                helper.raises("set" .. BUSY, function() a:set(0, 1, 2) end)
                helper.raises("get" .. BUSY, function() a:get(1, 2) end)
                helper.raises("totable" .. BUSY, function() a:totable() end)
                helper.raises("tobytes" .. BUSY, function() a:row(1):tobytes() end)
                helper.raises("write" .. BUSY, function() a:write { { 1, 2 }, { 3, 4 } } end)
                helper.raises("copy" .. BUSY, function() a:copy() end)
                helper.raises("cast" .. BUSY, function() a:cast("i32") end)
                helper.raises("sum" .. BUSY, function() a:sum() end)
                helper.raises("transpose" .. BUSY, function() a:transpose() end)
                helper.raises("transpose" .. BUSY, function() b:transpose { out = a } end)
                helper.raises("transpose_" .. BUSY, function() a:transpose_() end)
                helper.raises("matmul" .. BUSY, function() b:matmul(a) end)
                helper.raises("matmul" .. BUSY, function() b:matmul(b, { out = a }) end)
                helper.raises("host" .. BUSY, function() a:host() end)
                assert.matches("the array is mapped to the host", tostring(a), 1, true)
                h[1] = 5
            end
            helper.check_array(a, "f32", { 2, 2 }, { 5.0, 1.0, 1.0, 1.0 })
            assert.equal(8.0, a:sum())
        end)

        it("is fine beside it where both read", function()
            local a = dev:array { { 1, 2, 3 }, { 4, 5, 6 } }
            do
                local h <close> = a:host "r"
                assert.equal(21.0, a:sum())
                assert.equal(5.0, a:get(2, 2))
                local other <close> = a:row(2):host "r"
                helper.check_array(a * 2, "f32", { 2, 3 }, { 2.0, 4.0, 6.0, 8.0, 10.0, 12.0 })
                helper.raises("fill" .. BUSY, function() a:fill(0) end)
                helper.raises("host" .. BUSY, function() a:host "w" end)
                assert.same({ 6.0, 6.0 }, { h[6], other[3] })
                other:release()
                helper.raises("set" .. BUSY, function() a:set(0, 2, 3) end)
            end
            a:fill(2)
            assert.equal(12.0, a:sum())
        end)

        if dev:info().platform:find "Portable Computing Language" and dev:info().unified_memory then
            it("is fine on other bytes", function()
                local a = dev:ones { 3, 1000 }
                do
                    local h <close> = a:row(2):host "rw"
                    a:row(1):fill(5)
                    a:row(3):add_(a:row(1))
                    helper.raises("fill" .. BUSY, function() a:slice({ 1, 2 }):fill(0) end)
                    helper.raises("sum" .. BUSY, function() a:row(2):sum() end)
                    helper.raises("sum" .. BUSY, function() a:col(1):sum() end)
                    h[1], h[1000] = 7, 8
                    assert.equal(6000.0, a:row(3):sum())
                    local other <close> = a:row(3):host "w"
                    other[1000] = 9
                    a:row(1):slice({ 1, 10 }):write(dev:zeros { 10 })
                end
                assert.equal(4950.0, a:row(1):sum())
                assert.equal(998.0 + 7 + 8, a:row(2):sum())
                assert.equal(999.0 * 6 + 9, a:row(3):sum())
            end)
        end

        it("is fine on other arrays", function()
            local a, b = dev:ones { 3 }, dev:ones { 3 }
            local h <close> = a:host()
            b:fill(2)
            assert.equal(6.0, b:sum())
            assert.equal(1.0, h[1])
        end)
    end)
end)
