-- While lun.fuse traces a function no array is made and nothing is drawn: it would be the same at every later call.

local lun = require "lunarray"
local helper = require "spec.helper"

helper.describe_each_device("while a fused function is traced", function(dev)
    local x, m = dev:array { 1, 2, 3 }, dev:array { { 1, 2, 3 }, { 4, 5, 6 } }
    local rng = dev:rng(1)

    -- Raises unless the function, fused and called with x, names that method at the line behind this one's call.
    local function refuses(method, f)
        local line = debug.getinfo(f, "S").linedefined
        local ok, problem = pcall(lun.fuse(f), x)
        local wanted = (":%d: lunarray: fuse: %sa fused function runs once, so anything made in it would be the "
            .. "same at every call; make it outside, and pass it as an argument"):format(line, method)
        if ok or problem:sub(-#wanted) ~= wanted then
            error("expected an error that ends with\n" .. wanted .. "\ngot\n" .. tostring(problem), 2)
        end
    end

    it("nothing random is drawn, into an array that is there neither", function()
        local before = rng:state()
        refuses("normal: ", function(a) return a + rng:normal(3) end)
        refuses("uniform: ", function(a) rng:uniform({ 3 }, { out = m:row(1) }) return a end)
        refuses("integers: ", function(a) return a + rng:integers({ 3 }, 1, 6) end)
        refuses("permutation: ", function(a) return a + rng:permutation(3) end)
        refuses("choice: ", function(a) rng:choice(x, 3, { out = x }) return a end)
        refuses("random: ", function(a) return a * dev:random { 3 } end)
        refuses("random: ", function(a) dev:random({ 3 }, { out = x }) return a end)
        refuses("randint: ", function(a) return a * lun.randint({ 3 }, 1, 6) end)
        assert.same(before, rng:state())
        helper.check_array(m, "f32", { 2, 3 }, { 1.0, 2.0, 3.0, 4.0, 5.0, 6.0 })
        helper.check_array(x, "f32", { 3 }, { 1.0, 2.0, 3.0 })
    end)

    it("no array is made, on any device, in any way", function()
        for _, other in ipairs(lun.devices()) do
            refuses("zeros: ", function(a) return a + other:zeros { 3 } end)
        end
        refuses("array: ", function(a) return a + lun.array { 1, 2, 3 } end)
        refuses("arange: ", function(a) return a + dev:arange(3) end)
        refuses("full: ", function() return dev:full({ 3 }, 1) end) -- a tail call has left no line of its own
        refuses("ones: ", function(a) return a + coroutine.wrap(function() return dev:ones { 3 } end)() end)
    end)

    it("what is computed from arrays outside is computed at every call", function()
        local y, part = dev:array { 4, 7, 6 }, m:slice(2)
        local key, double = dev:array({ 3, 1, 2 }, "i64"), lun.fuse(function(b, k) return k * b end)
        local f = {
            function(a) return a + 2 * y, -y, y:sqrt() - y:log1p() end, -- of operators and functions, with no argument
            function(a) return a + m:sum { axis = 1 }, a / part:sum { axis = 1, keepdims = true } end,
            function(a) return a:lt(y):where(y:cast "f64", y:copy()), y:lt(6):where(a, y:zeros_like()) end,
            function(a) return a + y:cumsum(), y:sort() - y:topk(3), a * y:take(key), m:matmul(y) end,
            function(a) return lun.concat { y, a, y:roll(1) }, dev:map("2 * q", { q = y }) end,
            function(a) return a + dev:reduce("max", "q * q", { q = m }, { axis = 1 }) end,
            function(a) return a + double(y, 3), double(y + 1, 2) end,
        }
        for i, g in ipairs(f) do
            local fused = lun.fuse(g)
            for _ = 1, 3 do
                local got, wanted = table.pack(fused(x)), table.pack(g(x))
                for k = 1, wanted.n do
                    helper.check_array(got[k], wanted[k]:dtype(), { wanted[k]:shape() }, wanted[k]:totable(), 1e-5)
                end
                assert.equal(wanted.n, got.n, i)
                y:add_(1)
                m:add_(1)
            end
        end
        y:fill(1)
        m:write { { 1, 2, 3 }, { 4, 5, 6 } }
    end)

    it("and numbers of them are read once, as what changes them is done once", function()
        local y = dev:array { 4, 7, 6 }
        local f = lun.fuse(function(a) y:add_(1) return a + y:sum() + y:get(1) + y:contiguous() * 0 end)
        for _ = 1, 2 do
            helper.check_array(f(x), "f32", { 3 }, { 26.0, 27.0, 28.0 })
        end
        local function told(message, g)
            local ok, problem = pcall(lun.fuse(g), x)
            assert.is_false(ok)
            assert.matches(message, problem, 1, true)
        end
        told("exp: out, async, queue and variant have no meaning", function(a) return a + y:exp { out = y } end)
        told("unique: cannot be fused: the size of its result depends on values", function(a) return a + y:unique() end)
    end)

    it("views of arrays from outside are made, as these are read at every call", function()
        local f = lun.fuse(function(a) return a + m:row(2) + m:slice(1, {}):reshape(3) end)
        helper.check_array(f(x), "f32", { 3 }, { 6.0, 9.0, 12.0 })
        m:row(2):fill(10)
        helper.check_array(f(x), "f32", { 3 }, { 12.0, 14.0, 16.0 })
        local rest = lun.fuse(function(a) return a + m:slice(1):reshape(-1) end)
        helper.check_array(rest(x), "f32", { 3 }, { 2.0, 4.0, 6.0 })
        m:write { { 1, 2, 3 }, { 4, 5, 6 } }
    end)

    it("and no longer: arrays are made behind the call, an error and a yield", function()
        local f = lun.fuse(function(a) return a + 1 end)
        assert.is_false(pcall(lun.fuse(function(a) return a + dev:ones { 3 } end), x))
        helper.check_array(dev:ones { 1 }, "f32", { 1 }, { 1.0 })
        assert.is_false(pcall(lun.fuse(function(a) return f(a) + dev:ones { 3 } end), x)) -- f's call has ended
        local halted = coroutine.wrap(lun.fuse(function(a) coroutine.yield(a) return f(a) end))
        halted(x)
        helper.check_array(dev:ones { 1 }, "f32", { 1 }, { 1.0 })
        helper.check_array(halted(), "f32", { 3 }, { 2.0, 3.0, 4.0 })
        helper.check_array(f(x) + dev:ones { 3 }, "f32", { 3 }, { 3.0, 4.0, 5.0 })
    end)
end)
