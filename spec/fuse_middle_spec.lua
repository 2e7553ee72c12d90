-- Reductions in the midst of fused functions: what is computed with them is what the operators give.

local lun = require "lunarray"
local helper = require "spec.helper"

helper.each_device(function(dev, title)
    describe("fuse " .. title, function()
        local x = dev:random({ 5, 7 }, { seed = 1 })

        -- Raises unless the fused function gives what it gives of arrays, but for some roundings.
        local function check(f, ...)
            local wanted, got = { f(...) }, { lun.fuse(f)(...) }
            assert.equal(#wanted, #got)
            for i, value in ipairs(wanted) do
                if lun.type(value) == "array" then
                    assert.same({ value:dtype(), value:shape() }, { got[i]:dtype(), got[i]:shape() })
                    local most = value:abs():max()
                    helper.check_list(helper.flat(value), helper.flat(got[i]), most * 2 ^ -18)
                else
                    helper.check_number(value, got[i], math.abs(value) * 2 ^ -18)
                end
            end
        end

        it("computes with reductions along axes, kept or not", function()
            check(function(a) return a - a:mean { axis = 1, keepdims = true }, a + 2 * a:sum { axis = 1 } end, x)
            check(function(a)
                local e = (a - a:max { axis = 2, keepdims = true }):exp()
                return e / e:sum { axis = 2, keepdims = true }
            end, x)
            check(function(a) return a - a:median { axis = 1, keepdims = true } end, x)
            check(function(a) return a:gt(0.5):all({ axis = 1 }):where(a, -a) end, x)
        end)

        it("computes with reductions of all elements, which are numbers", function()
            check(function(a) return (a - a:mean()) / a:std() end, x)
            check(function(a) return 3 - a:sum() + a, -a:max() * a end, x)
            check(function(a) return a - a:mean(), a - a:mean { axis = 1 } end, (x * 10):cast("i32"))
            check(function(a) return -a:max() end, x)
        end)

        it("reduces what reductions went into, and gives reductions that others are computed with", function()
            check(function(a) return (a - a:mean { axis = 1 }):square():sum { axis = 1 } end, x)
            check(function(a) return a / a:max({ axis = 1 }):max() end, x)
            check(function(a)
                local m = a:mean()
                return m, ((a - m) ^ 2):sum() / 34, 1 * a
            end, x)
            check(function(a)
                local m, v = a:mean { axis = 2, keepdims = true }, a:var { axis = 2, keepdims = true }
                return (a - m) * (v + 1e-5):rsqrt(), m
            end, x)
        end)

        it("makes each reduction anew at each call, into out too", function()
            local f = lun.fuse(function(a) return a - a:max() end)
            for k = 1, 3 do
                helper.check_array(f(dev:array { 0, k, 2 * k }), "f32", { 3 }, { -2.0 * k, -1.0 * k, 0.0 })
            end
            local into = dev:zeros { 3 }
            f(dev:array { 1, 2, 4 }, { out = into })
            helper.check_array(into, "f32", { 3 }, { -3.0, -2.0, 0.0 })
        end)
    end)
end)
