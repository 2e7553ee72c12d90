-- Checked programs: an index out of range is told, with its parameter, and touches nothing.

local helper = require "spec.helper"

local SOURCE = [==[
typedef float real;
typedef struct { float x[2]; } pair;

kernel void shift(global const real *x, global float *y, int by)
{
    int i = get_global_id(0); // x[999] in a comment, and a bracket: ]
    y[i /* ] */] = x[i + by];
}
kernel void nested(global const int *index, global float *y)
{
    y[index[get_global_id(0)]] += 1;
}
kernel void wide(global float4 *v, uint i) { v[i] = (float4)(1); }
kernel void members(global pair *p, global float *x)
{
    pair own = p[0];
    x[0] = own.x[1] + p[1].x[0] + (&own)->x[1];
}
kernel void sums(global const float *x, global float *y, local float *scratch, int at)
{
    size_t item = get_local_id(0);
    scratch[item] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0)
        y[get_group_id(0)] = scratch[0] + scratch[at];
}
]==]

helper.each_device(function(dev, title)
    local program = dev:program(SOURCE, { check = true })

    describe("a checked program on " .. title, function()
        it("computes what it computes unchecked", function()
            local plain = dev:program(SOURCE)
            for _, n in ipairs { 5, 64, 100, 256, 999 } do
                local x, y, z = dev:random({ n + 3 }, { seed = n }), dev:zeros { n }, dev:zeros { n }
                program.shift:run({ global = n }, x, y, 3)
                plain.shift:run({ global = n }, x, z, 3)
                assert.equal(z:tobytes(), y:tobytes())
                assert.equal(x:slice({ 4, n + 3 }):tobytes(), y:tobytes())
            end
            local p, x = dev:array { 1, 2, 3, 4 }, dev:zeros { 1 }
            program.members:run({ global = 1 }, p, x)
            assert.equal(2.0 + 3.0 + 2.0, x:get(1))
            dev:finish()
        end)

        it("tells parameters and their number as they are in the text", function()
            local names = {}
            for i, argument in ipairs(program.shift:info().arguments) do
                names[i] = argument.name
            end
            assert.same({ "x", "y", "by" }, names)
            helper.refused("run: shift takes 3 arguments after the options (x, y, by), got 2",
                program.shift, { global = 1 }, dev:zeros { 1 }, dev:zeros { 1 })
        end)

        -- Runs f, whose result is bad; reading it says why.
        local function told(wanted, out, f)
            f()
            helper.raises(wanted, function() out:totable() end)
            pcall(dev.finish, dev)
        end

        it("tells an index behind the end, and one before the beginning", function()
            for _, case in ipairs { { 100, 100 }, { 5, 7 }, { 999, -2 } } do
                local n, by = case[1], case[2]
                local y = dev:zeros { n }
                told(("totable: shift: index %d of x, parameter 1 of shift, is out of range 0..%d"):format(by, n - 1),
                    y, function() program.shift:run({ global = 1 }, dev:zeros { n }, y, by) end)
            end
            local y = dev:zeros { 999 } -- all but one are right, and the range is not a multiple of a group
            told("totable: shift: index 999 of x, parameter 1 of shift, is out of range 0..998", y,
                function() program.shift:run({ global = 999 }, dev:zeros { 999 }, y, 1) end)
        end)

        it("leaves a kernel without parameters as it is", function()
            local ok, made = pcall(dev.program, dev, SOURCE .. "kernel void nothing(void) {}\n", { check = true })
            if ok then
                made.nothing:run { global = 3 }
            else
                assert.matches("NVIDIA's does not for a kernel without parameters", tostring(made), 1, true)
                assert.matches("NVIDIA", dev:info().vendor)
            end
        end)

        it("writes nothing beyond the array", function()
            local whole = dev:zeros { 4096 }
            local y = whole:slice { 1025, 1030 }
            local index = dev:array({ 0, 6, 1, -1, 3000, 5 }, "i32")
            told("totable: nested: index ", y, function() program.nested(index, y) end)
            y:fill(0)
            assert.equal(0.0, whole:sum())
        end)

        it("counts elements as the parameter's type does", function()
            local v = dev:zeros { 8 }
            program.wide:run({ global = 1 }, v, 1)
            assert.equal(4.0, v:sum())
            told("totable: wide: index 2 of v, parameter 1 of wide, is out of range 0..1", v,
                function() program.wide:run({ global = 1 }, v, 2) end)
            local w = dev:zeros { 8 }
            told("totable: wide: index 4294967295 of v, parameter 1 of wide, is out of range 0..1", w,
                function() program.wide:run({ global = 1 }, w, 0xffffffff) end)
        end)

        it("knows how much local memory there is, and that an empty array has nothing", function()
            local lun = require "lunarray"
            local x, y = dev:ones { 4 }, dev:zeros { 1 }
            program.sums:run({ global = 4, group = 4 }, x, y, lun.localmem(16), 3)
            assert.equal(2.0, y:get(1))
            told("totable: sums: index 4 of scratch, parameter 3 of sums, is out of range 0..3", y,
                function() program.sums:run({ global = 4, group = 4 }, x, y, lun.localmem(16), 4) end)
            local z = dev:zeros { 4 }
            told("totable: shift: index 0 of x, parameter 1 of shift, is in an empty array", z,
                function() program.shift:run({ global = 1 }, dev:zeros { 0 }, z, 0) end)
        end)

        it("leaves variables of the kernel's own alone that have a parameter's name, where they are seen", function()
            local made = dev:program([==[
                kernel void own(global const float *x, global float *y, int by)
                {
                    int i = get_global_id(0), at = i + by;
                    struct { float x[2]; } s = { { 1, 2 } };
                    const float six[6] = { 1, 1, 1, 1, 1, 2 };
                    { float x[3] = { 10, 20, 30 }; if (at < 3) { y[i] = x[at]; } else y[i] = x[i % 3] + s.x[1]; }
                    for (int k = 0; k < 1; k++) { const private float /* x */ *x = six; y[i] += x [5]; }
                    do x; while (0);
                    y[i] += 2 *x[at];
                    y[i] += x[at];
                }
                kernel void branch(global float *y, int at) { if (at < 0) return; else y[at] = 1; }
            ]==], { check = true })
            local own, branch = made.own, made.branch
            local x, y, z = dev:array { 1, 2, 3, 4 }, dev:zeros { 4 }, dev:zeros { 4 }
            own(x, y, 0)
            assert.same({ 15.0, 28.0, 41.0, 26.0 }, y:totable())
            told("totable: own: index 4 of x, parameter 1 of own, is out of range 0..3", y, function()
                own:run({ global = 1 }, x, y, 4)
            end)
            told("totable: branch: index 4 of y, parameter 1 of branch, is out of range 0..3", z, function()
                branch:run({ global = 1 }, z, 4)
            end)
        end)

        it("finds indices between comments, texts and joined lines", function()
            local made = dev:program([==[
                // kernel void sum(global float *x) { x[0] = 1; } \
                kernel void sum(global float *x) { x[0] = 1; }
                kernel void /* sum(int x) { */ sum(global /* ) { */ const float *first, global float *y, int at) // {
                {
                #define LOW (int[2]){0, 1}[0]
                    int i = get_global_id(0); /* y[99] ] */
                    if (at < -9)
                        printf("]} first[%d] %c", at, '"');
                    y[i + LOW] = fi\
rst /* of them */ [i + at];
                }
            ]==], { check = true })
            local x, y = dev:array { 1, 2, 3 }, dev:zeros { 3 }
            made.sum(x, y, 0)
            assert.same({ 1.0, 2.0, 3.0 }, y:totable())
            told("totable: sum: index 3 of first, parameter 1 of sum, is out of range 0..2", y, function()
                made.sum:run({ global = 1 }, x, y, 3)
            end)
        end)

        it("goes on after an error", function()
            local x, y = dev:ones { 9 }, dev:zeros { 9 }
            told("totable: shift: index 9 of x, ", y, function() program.shift:run({ global = 1 }, x, y, 9) end)
            y:fill(0)
            program.shift(x, y, 0)
            assert.equal(9.0, y:sum())
        end)

        it("has to have its kernels in its own text", function()
            helper.refused("program: option 'check': the kernel made cannot be found in the text, which must "
                .. "contain it directly, not by a macro or an included file",
                dev, "#define K(n) kernel void n(global float *x) { x[0] = 1; }\nK(made)\n", { check = true })
        end)

        it("has at most 64 brackets within one another", function()
            local function nested(depth)
                return ("kernel void deep(global const int *x, global int *y)\n{\n    y[0] = %s0%s;\n}\n"):format(
                    ("x["):rep(depth), ("]"):rep(depth))
            end
            local y = dev:zeros({ 1 }, "i32")
            local deep = dev:program(nested(64), { check = true }):kernel()
            deep:run({ global = 1 }, dev:zeros({ 1 }, "i32"), y)
            assert.equal(0, y:get(1))
            told("totable: deep: index 7 of x, parameter 1 of deep, is out of range 0..0", y, function()
                deep:run({ global = 1 }, dev:full({ 1 }, 7, "i32"), y)
            end)
            helper.refused("program: option 'check': the kernel deep cannot be found in the text",
                dev, nested(65), { check = true })
        end)

        it("that cannot be checked does not compile", function()
            helper.raises("program: the program did not compile with its indices checked: CL_BUILD_PROGRAM_FAILURE",
                function()
                    dev:program([==[
                        kernel void other(global float *x) { x[0] = 1; }
                        kernel void calls(global float *x) { other(x); }
                    ]==], { check = true })
                end)
        end)
    end)
end)
