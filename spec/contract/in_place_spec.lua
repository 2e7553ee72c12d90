-- Operations in place, `a:name_(...)`, of rows whose results have the shape of their array.

local contract = require "spec.contract"
local helper = require "spec.helper"
local lun = require "lunarray"

local dev = lun.device()

-- The elements as bytes, so that NaN are equal; "" of what is no array.
local function elements(x)
    return lun.type(x) == "array" and x:tobytes() or ""
end

describe("an operation in place", function()
    it("gives its array, with the result that it gives otherwise", function()
        local tried = 0
        for row, operation in contract.rows(dev) do
            if operation.in_place then
                local list, self = contract.arguments(dev, row, operation)
                local expected = self[row.name](self, table.unpack(list, 1, list.n))
                local copy = self:copy():cast(expected:dtype())
                expected = copy[row.name](copy, table.unpack(list, 1, list.n))
                if copy:dtype() == expected:dtype() then
                    assert.equal(copy, copy[row.name .. "_"](copy, table.unpack(list, 1, list.n)), row.name)
                    assert.equal(elements(expected), elements(copy), row.name)
                    tried = tried + 1
                end
            end
        end
        assert.is_true(tried >= 22, "rows: " .. tried)
    end)

    it("writes through views, and gives an event", function()
        local a = dev:array { { 3, 1, 2 }, { 6, 5, 4 } }
        assert.equal(2, a:row(2):sort_():ndim() + 1)
        helper.check_array(a, "f32", { 2, 3 }, { 3.0, 1.0, 2.0, 4.0, 5.0, 6.0 })
        local event = a:roll_(1, { axis = 2, async = true })
        assert.equal(a, event:get())
        helper.check_array(a, "f32", { 2, 3 }, { 2.0, 3.0, 1.0, 6.0, 4.0, 5.0 })
        helper.check_array(a:slice(nil, { 3, 1, -1 }):cumsum_ { axis = 2 }, "f32", { 2, 3 },
            { 1.0, 4.0, 6.0, 5.0, 9.0, 15.0 })
    end)

    it("gives further results, too", function()
        local states = dev:array { 2.0 }
        local a, b = dev:array { 1, 2, 3 }, dev:array { 1, 2, 3 }
        local expected, last = b:lfilter({ 1 }, { 1, -0.5 }, { zi = states })
        local self, behind = a:lfilter_({ 1 }, { 1, -0.5 }, { zi = states })
        assert.is_true(self == a and a:equal(expected) and behind:equal(last))
        self, behind = b:lfilter_({ 1 }, { 1, -0.5 }, { zi = states, async = true }):get()
        assert.is_true(self == b and b:equal(expected) and behind:equal(last))
    end)

    it("gives back the memory of its result", function()
        local a = dev:ones { 1000 }
        a:softmax_()
        local live = helper.live(dev)
        for _ = 1, 5 do
            a:softmax_()
        end
        assert.equal(live, helper.live(dev))
    end)

    it("refuses another dtype or shape, an option out, and fused functions; the array stays as it was", function()
        local counts = dev:array({ 1, 2, 3 }, "i32")
        helper.refused("cumsum_: the result is 3 i64, and the array 3 i32; the array can hold only its own "
            .. "shape and dtype", counts)
        helper.refused("cumsum_: the result is 4 i32, and the array 3 i32", counts, "i32", { initial = true })
        helper.refused("cumsum_: there is no option 'out' here: the result goes to the array itself", counts,
            { out = counts })
        helper.check_array(counts, "i32", { 3 }, { 1, 2, 3 })
        helper.check_array(counts:cumsum_ "i32", "i32", { 3 }, { 1, 3, 6 })
        helper.raises("sort_: a fused function cannot change arrays in place", function()
            lun.fuse(function(x) return x:sort_() end)(counts)
        end)
    end)
end)
