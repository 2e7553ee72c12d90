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
        local wanted = (":%d: lunarray: fuse: %sa fused function runs once, and what is made in it would be the "
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
        refuses("zeros_like: ", function(a) return a + x:zeros_like() end)
        refuses("exp: ", function(a) return a + x:exp() end)
        refuses("a + b: ", function(a) return a + (x + 1) end)
        refuses("lt: ", function(a) return a + x:lt(2) end)
        refuses("copy: ", function(a) return a + x:copy() end)
        refuses("cast: ", function(a) return a + x:cast "f32" end)
        refuses("sum: ", function(a) return a + m:sum { axis = 1 } end)
        refuses("cumsum: ", function(a) return a + x:cumsum() end)
        refuses("sort: ", function(a) return a + x:sort() end)
        refuses("topk: ", function(a) return a + x:topk(3) end)
        refuses("unique: ", function(a) return a + x:unique() end)
        refuses("histogram: ", function(a) return a + x:histogram { bins = 3 } end)
        refuses("nonzero: ", function(a) return a + x:nonzero() end)
        refuses("take: ", function(a) return a + x:take { 3, 2, 1 } end)
        refuses("matmul: ", function(a) return a + m:matmul(x) end)
        refuses("concat: ", function(a) return a + lun.concat { x } end)
        refuses("map: ", function(a) return a + dev:map("x", { x = x }) end)
        refuses("", function(a) return a + lun.fuse(function(b) return 2 * b end)(x) end)
        refuses("ones: ", function(a) return a + coroutine.wrap(function() return dev:ones { 3 } end)() end)
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
