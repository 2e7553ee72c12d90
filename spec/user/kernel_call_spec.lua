-- Kernels as functions: k(x, y), and prog.name, a program's kernel of that name.

local helper = require "spec.helper"

local SOURCE = [[
kernel void add(float by, global const float *x, global float *y) { y[get_global_id(0)] += by * x[get_global_id(0)]; }
kernel void four(global float4 *x) { x[get_global_id(0)] += 1; }
kernel void bytes(global void *x, global uchar *y) { y[get_global_id(0)] += 1; }
kernel void number(int n) {}
kernel void last(float4 v, global float *x) { x[get_global_id(0)] = v.w; }
kernel void release(global float *x) {}
]]

helper.each_device(function(dev, title)
    local program = dev:program(SOURCE)

    describe("a kernel as a function on " .. title, function()
        it("runs over the elements of its first array", function()
            local add = program:kernel("add")
            for _, n in ipairs { 1, 5, 256, 999 } do
                local x, y = dev:full({ n }, 3), dev:ones { n + 300 }
                assert.equal(0, select("#", add(2, x, y)))
                assert.equal(7.0 * n + 300, y:sum())
                assert.equal(7.0, y:slice { 1, n }:min())
            end
            local x, y = dev:ones { 4, 6 }, dev:zeros { 24 }
            add(1, x:slice({ 1, 4, 2 }, { 2, 5 }), y)
            assert.equal(8.0, y:sum())
            add(1, dev:zeros { 0 }, y)
            assert.equal(8.0, y:sum())
        end)

        it("takes vectors as lists", function()
            local x = dev:zeros { 3 }
            program:kernel("last")({ 1, 2, 3, 4 }, x)
            helper.check_array(x, "f32", { 3 }, { 4.0, 4.0, 4.0 })
        end)

        it("counts elements as the parameter does", function()
            local x, y = dev:zeros { 40 }, dev:zeros({ 100 }, "u8")
            program:kernel("four")(x:slice { 1, 20 })
            assert.equal(20.0, x:sum())
            program:kernel("bytes")(x, y)
            assert.equal(40, y:sum())
        end)

        it("takes what the kernel takes", function()
            local add, x = program:kernel("add"), dev:ones { 5 }
            helper.raises("k(...): add takes 3 arguments (by, x, y), got 1", function() add(x) end)
            helper.raises("k(...): number takes 1 argument (n), got 0", function() program:kernel("number")() end)
            helper.raises("k(...): parameter 3 of add (__global float *y): an array is needed, got a number",
                function() add(1, x, 3) end)
            helper.raises("k(...): no argument is an array, which would give the number of work-items; call "
                .. "k:run({global = n}, ...)", function() program:kernel("number")(3) end)
            local options = " is a table of options, which k:run({global = n, ...}, ...) takes; k(...) runs a work-"
                .. "item for each element of the first array"
            helper.raises("k(...): argument 1" .. options, function() add({ global = 4 }, 1, x, x) end)
            helper.raises("k(...): argument 4" .. options, function() add(1, x, x, { global = 4 }) end)
            helper.raises("k(...): add takes 3 arguments (by, x, y), got 4", function() add(1, x, x, {}) end)
            local gone = program:kernel("add")
            gone:release()
            helper.raises("k(...): self: the kernel was released", function() gone(1, x, x) end)
        end)
    end)

    describe("a program's kernel by its name on " .. title, function()
        it("is the same each time", function()
            local y = dev:ones { 5 }
            program.add(2, dev:ones { 5 }, y)
            assert.equal(15.0, y:sum())
            assert.equal(program.add, program.add)
            assert.equal("kernel", require("lunarray").type(program.four))
            program.add:run({ global = 1 }, 2, dev:ones { 5 }, y)
            assert.equal(17.0, y:sum())
        end)

        it("is made again where it was released", function()
            local y = dev:ones { 5 }
            program.add:release()
            program.add(1, y:copy(), y)
            assert.equal(10.0, y:sum())
        end)

        it("gives way to a method", function()
            local fresh = dev:program(SOURCE)
            fresh:release()
            assert.matches("released", tostring(fresh))
        end)

        it("that it does not have is an error", function()
            helper.raises("1: a program has no such method or kernel", function() return program[1] end)
            local gone = dev:program(SOURCE)
            local add, y = gone.add, dev:ones { 5 }
            gone:release()
            helper.raises("add: the program was released", function() return gone.add end)
            add(1, y:copy(), y)
            assert.equal(10.0, y:sum())
        end)
    end)
end)
