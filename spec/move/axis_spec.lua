-- The axis of what arranges and takes: an argument, or the option that reductions, scans and sorts have.

local lun = require "lunarray"
local helper = require "spec.helper"

helper.each_device(function(dev, title)
    local a, thin

    before_each(function()
        a, thin = dev:arange(6, "i32"):reshape(2, 3), dev:arange(6, "i32"):reshape(2, 1, 3)
    end)

    -- What each gives of its axis and options, as a list of arrays; an axis that it takes, and one that it has not.
    local function methods()
        return {
            concat = { axis = 2, run = function(...) return { lun.concat({ a, a }, ...) } end },
            stack = { axis = -1, run = function(...) return { lun.stack({ a, a }, ...) } end },
            take = { axis = 2, run = function(...) return { a:take(dev:array({ 3, 1 }, "i32"), ...) } end },
            roll = { axis = { 2, 1 }, run = function(...) return { a:roll(1, ...) } end },
            flip = { axis = 2, run = function(...) return { a:flip(...) } end },
            squeeze = { axis = { 2 }, run = function(...) return { thin:squeeze(...) } end },
            split = { axis = -1, run = function(...) return { a:split(3, ...) } end },
            expand = { axis = { 1, -1 }, run = function(...) return { a:expand(...) } end },
        }
    end
    local made = { concat = true, stack = true, take = true, roll = true } -- they take `out`, too

    local function same(wanted, found, what)
        assert.equal(#wanted, #found, what)
        for i, array in ipairs(wanted) do
            helper.check_array(found[i], array:dtype(), { array:shape() }, helper.flat(array), 0, what)
        end
    end

    -- As helper.raises, at whichever line of this file.
    local function told(message, f, ...)
        local ok, problem = pcall(f, ...)
        assert.is_false(ok, message)
        assert.matches("^spec/move/axis_spec.lua:%d+: lunarray: ", problem)
        assert.matches("lunarray: " .. message, problem, 1, true)
    end

    describe("an axis on " .. title, function()
        it("is an argument or an option", function()
            for name, method in pairs(methods()) do
                local wanted = method.run(method.axis)
                same(wanted, method.run { axis = method.axis }, name)
                same(wanted, method.run(nil, { axis = method.axis }), name)
            end
        end)

        it("is an option beside others", function()
            for name, method in pairs(methods()) do
                if made[name] then
                    local wanted = method.run(method.axis)
                    local out = wanted[1]:zeros_like()
                    assert.equal(out, method.run({ axis = method.axis, out = out })[1])
                    same(wanted, { out }, name)
                end
            end
        end)

        it("is an option in the table of a list", function()
            same({ lun.concat({ a, a }, 2) }, { lun.concat { a, a, axis = 2 } })
            same({ lun.stack({ a, a }, 3) }, { lun.stack { a, a, axis = 3 } })
            same({ a:roll({ 1, 2 }, { 1, 2 }) }, { a:roll { 1, 2, axis = { 1, 2 } } })
            same({ a:split({ 1, 2 }, 2) }, { a:split { 1, 2, axis = 2 } })
            same({ a:take({ 3, 1 }, 2) }, { a:take { 3, 1, axis = 2 } })
            same({ a:take({ { 3, 1 } }, 2) }, { a:take { { 3, 1 }, axis = 2, async = true }:get() })
            local list = { 3, 1, axis = 2 }
            a:take(list)
            assert.same({ 3, 1, axis = 2 }, list)
        end)

        it("is not named twice", function()
            for name, method in pairs(methods()) do
                local at = (name == "flip" or name == "squeeze" or name == "expand") and 1 or 2
                local message = ("%s: the axis is named twice: argument %d and the option 'axis'"):format(name, at)
                told(message, method.run, method.axis, { axis = method.axis })
            end
            helper.refused("concat: the axis is named twice: argument 2", lun, { a, a, axis = 1 }, 1)
            helper.refused("flip: argument 1: the table has the key 'axis'; elements are stored at 1 to 2",
                a, { 1, 2, axis = 2 })
        end)

        it("out of range is told the same either way", function()
            for name, method in pairs(methods()) do
                for _, axis in ipairs { 0, 9, -9 } do
                    local message = name .. ": axis " .. axis .. " is out of range: the "
                    told(message, method.run, axis)
                    told(message, method.run, { axis = axis })
                end
            end
            helper.raises("flip: axis 1 is named twice", function() a:flip { axis = { 1, -2 } } end)
            helper.raises("expand: axis 4 is named twice", function() a:expand { axis = { 4, -1 } } end)
            helper.refused("roll: there are 2 shifts, expected 1", a, { 1, 2 }, { axis = 1 })
        end)

        it("that is no axis is told", function()
            helper.refused("flip: option 'axis': a whole number or a list of them is needed, got 1.5",
                a, { axis = 1.5 })
            helper.refused("expand: option 'axis': the table has the key 'x'; elements are stored at 1 to 1",
                a, { axis = { 1, x = 2 } })
            helper.refused("squeeze: argument 1: the table has the key 'x'; elements are stored at 1 to 1", a,
                { 1, x = 2 })
            helper.raises("flip: several axes belong in a list: {1, 2}", function() a:flip(1, 2) end)
            helper.raises("roll: several axes belong in a list: {2, 1}", function() a:roll(1, 2, 1) end)
            helper.refused("take: argument 3: a table of options is needed, got a number", a, { 1 }, 2, 1)
        end)

        it("is not named by an empty table, which is one of options, and is none where the option is empty", function()
            assert.equal("6 5 4 3 2 1", table.concat(helper.flat(a:flip {}), " "))
            assert.equal("1 2 3 4 5 6", table.concat(helper.flat(a:flip { axis = {} }), " "))
            assert.equal("6 1 2 3 4 5", table.concat(helper.flat(a:roll(1, {})), " "))
            helper.check_array(thin:squeeze {}, "i32", { 2, 3 }, { 1, 2, 3, 4, 5, 6 })
            helper.check_array(thin:squeeze { axis = {} }, "i32", { 2, 1, 3 }, { 1, 2, 3, 4, 5, 6 })
            helper.check_array(thin:expand { axis = {} }, "i32", { 2, 1, 3 }, { 1, 2, 3, 4, 5, 6 })
            helper.check_array(a:take({ 1 }, {}), "i32", { 1 }, { 1 })
        end)

        it("is an option of views in fused functions", function()
            local f = lun.fuse(function(x) return x:flip { axis = 2 } - x:expand { axis = 1 }:squeeze { axis = 1 } end)
            same({ a:flip(2) - a }, { f(a) })
        end)
    end)
end)
