-- Connected components, against a flood from each element in plain Lua.

local helper = require "spec.helper"
local numbers = require "spec.numbers"

-- All elements' neighbours that differ along at most so many axes.
local function neighbours(shape, connectivity)
    local lists, count = {}, 1
    for _, n in ipairs(shape) do
        count = count * n
    end
    for i = 1, count do
        local at, rest = {}, i - 1
        for axis = #shape, 1, -1 do
            at[axis], rest = rest % shape[axis], rest // shape[axis]
        end
        local list = {}
        for code = 0, 3 ^ #shape // 1 - 1 do
            local moved, place, size, left, inside = 0, 1, 1, code // 1 | 0, true
            for axis = #shape, 1, -1 do
                local to = at[axis] + left % 3 - 1
                moved = moved + (left % 3 ~= 1 and 1 or 0)
                inside = inside and to >= 0 and to < shape[axis]
                place, size, left = place + to * size, size * shape[axis], left // 3
            end
            if inside and moved > 0 and moved <= connectivity then
                list[#list + 1] = place
            end
        end
        lists[i] = list
    end
    return lists
end

local function flood(mask, near, labels, from, value)
    local open = { from }
    labels[from] = value
    while #open > 0 do
        for _, other in ipairs(near[table.remove(open)]) do
            if mask[other] ~= 0 and labels[other] == 0 then
                labels[other] = value
                open[#open + 1] = other
            end
        end
    end
end

helper.each_device(function(dev, title)
    describe("label on " .. title, function()
        local random = numbers.generator(17)
        local function some(count, share)
            local list = {}
            for i = 1, count do
                list[i] = random(1, 100) <= share and 1 or 0
            end
            return list
        end

        it("numbers components by their first elements, and propagate fills those with a seed", function()
            for _, shape in ipairs { { 1 }, { 200 }, { 9, 65 }, { 13, 130 }, { 4, 5, 6 }, { 2, 3, 2, 5 } } do
                for connectivity = 1, #shape do
                    local near = neighbours(shape, connectivity)
                    for _, share in ipairs { 30, 50, 75 } do
                        local mask, labels, filled, count = some(#near, share), {}, {}, 0
                        local seed = some(#near, 3)
                        for i = 1, #near do
                            labels[i], filled[i] = 0, 0
                        end
                        for i = 1, #near do
                            if mask[i] ~= 0 and labels[i] == 0 then
                                count = count + 1
                                flood(mask, near, labels, i, count)
                            end
                        end
                        for i = 1, #near do
                            if seed[i] ~= 0 and filled[i] == 0 then
                                flood(mask, near, filled, i, 1)
                            end
                        end
                        local array = helper.array(dev, mask, shape, "u8")
                        local got, total = array:label { connectivity = connectivity }
                        helper.check_array(got, "i32", shape, labels)
                        assert.equal(count, total)
                        local seeds = helper.array(dev, seed, shape, "f32")
                        local reached = seeds:propagate(array, { connectivity = connectivity })
                        helper.check_array(reached:cast("i32"), "i32", shape, filled)
                        if #shape == 2 then
                            local turned = array:t():copy():t():label { connectivity = connectivity }
                            helper.check_array(turned, "i32", shape, labels)
                        end
                    end
                end
            end
        end)

        it("takes an empty array, and gives labels of which bincount sums", function()
            local empty, none = dev:zeros { 0, 3 }:label()
            helper.check_array(empty, "i32", { 0, 3 }, {})
            assert.equal(0, none)
            local image = dev:array { { 5, 7, 0 }, { 0, 0, 2 } }
            local labels, count = image:label()
            assert.equal(2, count)
            local sums = labels:reshape(-1):bincount { from = 0, weights = image:reshape(-1), size = 3 }
            helper.check_array(sums, "f32", { 3 }, { 0.0, 12.0, 2.0 })
            local total = dev:zeros({}, "i64")
            image:label { connectivity = 2, out = { labels, total } }
            helper.check_array(labels, "i32", { 2, 3 }, { 1, 1, 0, 0, 0, 1 })
            assert.equal(1, total:get())
        end)

        it("refuses what it cannot take", function()
            local a = dev:ones { 2, 2 }
            helper.refused("label: the connectivity is 3; 1 to 2 are needed, the number of axes", a,
                { connectivity = 3 })
            helper.refused("label: the connectivity is 0; ", a, { connectivity = 0 })
            helper.refused("label: the array has no axes; at least one is needed", dev:ones {})
            helper.refused("propagate: mask is 2x3, expected 2x2 (the array)", a, dev:ones { 2, 3 })
            helper.refused("label: the array has 2147483648 elements; at most 2^31 - 1 are possible",
                dev:zeros({ 1 }, "u8"):broadcast { 1 << 31 })
        end)
    end)
end)
