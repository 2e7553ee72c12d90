-- Sums of products: a:dot(b).

local helper = require "spec.helper"
local numbers = require "spec.numbers"

local it = helper.one_in(2, it)

helper.describe_each_device("dot", function(dev)
    for dtype in pairs(numbers.dtype) do
        it("is the sum of products in " .. dtype, function()
            local can = helper.can(function() dev:zeros({ 1 }, dtype) end)
            local list, wanted, columns = {}, 0, { 0, 0, 0 }
            for i = 1, 111 do
                list[i] = i * 7 % 12
                local product = list[i] * (i * 5 % 4)
                wanted, columns[(i - 1) % 3 + 1] = wanted + product, columns[(i - 1) % 3 + 1] + product
            end
            if can then
                local a, b = dev:array(list, dtype, { 37, 3 }), {}
                for i = 1, 111 do
                    b[i] = i * 5 % 4
                end
                b = dev:array(b, dtype, { 37, 3 })
                assert.equal(wanted, a:dot(b))
                assert.equal(wanted, a:t():dot(b:t()))
                assert.same(columns, a:dot(b, { axis = 1 }):totable())
                assert.equal(a:reduce("sum", { axis = 1 }):dtype(), a:dot(b, { axis = 1 }):dtype())
            end
        end)
    end

    it("makes products of integers in 64 bits", function()
        local a = dev:array({ 100, 100, -128 }, "i8")
        assert.equal(36384, a:dot(a))
        assert.equal(72.0, a:dot(dev:ones { 3 }))
        local b = dev:array({ 65535, 65535 }, "u16")
        assert.equal(2 * 65535 * 65535, b:dot(b))
        assert.equal(-3, dev:array({ 1, 2 }, "u64"):dot(dev:array({ 1, -2 }, "i32")))
    end)

    it("broadcasts, and takes the options of sums", function()
        local a, b = dev:array { { 1, 2, 3 }, { 4, 5, 6 } }, dev:array { 1, 0, 2 }
        assert.same({ { 7.0 }, { 16.0 } }, a:dot(b, { axis = 2, keepdims = true }):totable())
        assert.equal(23.0, a:dot(b))
        assert.same({ 7.0, 16.0 }, b:dot(a, { axis = -1 }):totable())
        assert.equal(0.0, dev:zeros { 0 }:dot(dev:zeros { 0 }))
        if dev:info().fp64 then
            local big = dev:array({ 1e16, 1, -1e16, 3 }, "f64")
            assert.equal(4.0, big:dot(dev:ones({ 4 }, "f64"), { accurate = true }))
        end
    end)

    it("refuses what is no array, or does not fit", function()
        local a = dev:ones { 2, 3 }
        helper.raises("dot: shapes 2x3 and 4 do not broadcast", function() a:dot(dev:ones { 4 }) end)
    end)
end)
