-- lun.scope: every array made inside a function goes with it, but for those that it returns.

local lun = require "lunarray"
local helper = require "spec.helper"

helper.each_device(function(dev, title)
    local function live() return helper.live(dev) end

    local function is_released(array)
        return tostring(array) == "lunarray.array (released)"
    end

    describe("lun.scope on " .. title, function()
        it("calls the function with the arguments, and returns what it returns", function()
            local seen
            local results = table.pack(lun.scope(function(...)
                seen = table.pack(...)
                return 1, nil, "x", nil
            end, "a", nil, "c"))
            assert.same({ "a", nil, "c", n = 3 }, seen)
            assert.same({ 1, nil, "x", nil, n = 4 }, results)
            assert.equal(0, select("#", lun.scope(function() end)))
        end)

        it("leaves the numbers that an event gives", function()
            local sum, product
            lun.scope(function()
                local ones = dev:ones { 9 }
                sum, product = ones:sum { async = true }, ones:matmul(ones, { async = true })
            end)
            assert.equal(9.0, sum:get())
            assert.equal(9.0, product:get())
        end)

        it("releases every array made inside at once", function()
            local before = live()
            collectgarbage("stop")
            finally(function() collectgarbage("restart") end)
            local kept = {}
            local sum = lun.scope(function()
                local a = dev:ones { 1000 }
                local b = a:copy()
                kept.a, kept.b, kept.view = a, b, a:reshape(10, 100)
                return a:matmul(b)
            end)
            assert.equal(1000.0, sum)
            assert.is_true(is_released(kept.a) and is_released(kept.b) and is_released(kept.view))
            assert.equal(before, dev:memory().live)
        end)

        it("keeps the arrays that are returned, in tables and events too", function()
            local a, list, event = lun.scope(function()
                local endless = { dev:ones { 2 }, deeper = { dev:ones { 3 } } }
                endless.self = endless
                return dev:ones { 1 }, endless, dev:ones({ 4 }):copy { async = true }
            end)
            assert.equal(1.0, a:sum())
            assert.equal(2.0, list[1]:sum())
            assert.equal(3.0, list.deeper[1]:sum())
            assert.equal(4.0, event:get():sum())
        end)

        it("keeps the memory of a returned view", function()
            local row = lun.scope(function() return dev:eye(3):row(2) end)
            helper.check_array(row, "f32", { 3 }, { 0.0, 1.0, 0.0 })
        end)

        it("leaves arrays alone that were made outside", function()
            local a = dev:ones { 3 }
            lun.scope(function() a:fill(2) end)
            assert.equal(6.0, a:sum())
        end)

        it("releases after an error, which passes on as it was", function()
            local inside
            local mine = setmetatable({}, { __tostring = function() return "mine" end })
            local ok, problem = pcall(lun.scope, function()
                inside = dev:ones { 3 }
                error(mine)
            end)
            assert.is_false(ok)
            assert.equal(mine, problem)
            assert.is_true(is_released(inside))
            assert.equal(1.0, dev:ones({ 1 }):sum())
        end)

        it("in a scope gives what it returns to the outer one", function()
            local outer, inner, made
            local result = lun.scope(function()
                outer = dev:ones { 1 }
                made = lun.scope(function()
                    inner = dev:ones { 2 }
                    return dev:ones { 3 }
                end)
                assert.is_true(is_released(inner))
                assert.equal(3.0, made:sum())
                assert.equal(1.0, outer:sum())
                return dev:ones { 4 }
            end)
            assert.is_true(is_released(outer))
            assert.is_true(is_released(made))
            assert.equal(4.0, result:sum())
        end)

        it("does not disturb work in flight", function()
            local out = dev:zeros { 1000 }
            local event = lun.scope(function()
                return dev:full({ 1000 }, 7):cast("i32"):cast("f32"):sum { out = dev:zeros {}, async = true }
            end)
            lun.scope(function() dev:full({ 1000 }, 3):reshape(1000, 1):transpose { out = out:reshape(1, 1000) } end)
            assert.equal(7000.0, event:get():get())
            assert.equal(3000.0, out:sum())
        end)

        it("in a coroutine ends with it, and takes nothing that was made outside", function()
            local inside
            local thread = coroutine.create(function()
                lun.scope(function()
                    inside = dev:ones { 3 }
                    coroutine.yield() -- it cannot go across lun.scope: an error
                end)
            end)
            assert.is_false(coroutine.resume(thread))
            local outside = dev:ones { 2 }
            coroutine.close(thread)
            assert.is_true(is_released(inside))
            assert.equal(2.0, outside:sum())
        end)

        it("ends when its function returns an error of lunarray's", function()
            helper.raises("matmul: inner sizes differ", function()
                lun.scope(function() local _ = dev:ones({ 2, 3 }):matmul(dev:ones { 2, 3 }) end)
            end)
        end)

        it("looks into returned tables no deeper than a few hundred", function()
            local inside
            helper.raises("scope: the returned tables are nested deeper than ", function()
                lun.scope(function()
                    inside = dev:ones { 2 }
                    local deep = { inside }
                    for _ = 1, 100000 do
                        deep = { deep }
                    end
                    return deep
                end)
            end)
            assert.is_true(is_released(inside))
        end)

        it("wants a function", function()
            helper.raises("scope: argument 1: a function is needed, got nothing", function() lun.scope() end)
            helper.raises("scope: argument 1: a function is needed, got a table", function() lun.scope {} end)
        end)
    end)
end)
