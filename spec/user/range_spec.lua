-- Ranges of any size for kernels of the user's own: each work-item once, and no kernel built again for a new size.

local helper = require "spec.helper"

local SOURCE = [[
typedef struct { int number; float real; } record;
typedef float real;

kernel void count(global int *y) { y[get_global_id(0)] += 1; }

/* Not a word of barrier or get_local_id(0) here counts. */
void mark(global int *y, size_t at) { y[at] += 1; }
kernel void count2(global int *y, int wide)
{
    mark(y, get_global_id(0) + (size_t)wide * get_global_id(1));
}
kernel void count3(global int *y, int wide, int high)
{
    y[get_global_id(0) + (size_t)wide * (get_global_id(1) + (size_t)high * get_global_id(2))] += 1;
}

size_t whole(uint d) { return get_global_size(d); }
kernel void sizes(global long *y)
{
    size_t at = get_global_id(0) + whole(0) * (get_global_id(1) + whole(1) * get_global_id(2));
    y[at] += (long)(whole(0) + 1000 * whole(1) + 1000000 * whole(2)) * 10 + get_work_dim();
}

kernel void groups(global int *y)
{
    local int first;
    if (get_local_id(0) == 0)
        first = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    size_t all = get_num_groups(0) * get_local_size(0);
    y[get_global_id(0)] += first == get_group_id(0) * get_local_size(0) && all == get_global_size(0);
}

kernel void every(real r, int4 q, record s, constant real *few, global const record *from, global void *out)
{
    size_t i = get_global_id(0);
    ((global float *)out)[i] += r + q.w + s.number + s.real + few[1] + from[i].number;
}
]]

local EDGES = { 1, 2, 63, 64, 65, 255, 256, 257, 511, 999, 1000, 65535, 65536, 65537 }

helper.each_device(function(dev, title)
    local program = dev:program(SOURCE)
    local kernels = setmetatable({}, { __index = function(all, name)
        rawset(all, name, program:kernel(name))
        return rawget(all, name)
    end })

    local function built(f)
        local before = dev:info().programs.built
        f()
        return dev:info().programs.built - before
    end

    -- Every element of the first n is `wanted`, and none behind them was touched.
    local function check_each(y, n, wanted)
        assert.equal(wanted * n, y:sum())
        assert.equal(wanted, n > 0 and y:slice { 1, n }:min() or wanted)
        assert.equal(wanted, n > 0 and y:slice { 1, n }:max() or wanted)
    end

    describe("a range of any size on " .. title, function()
        it("runs each of its work-items once #oclgrind", function()
            for _, n in ipairs(EDGES) do
                local y = dev:zeros({ n + 300 }, "i32")
                kernels.count:run({ global = n }, y)
                check_each(y, n, 1)
            end
        end)

        it("runs each of its work-items once in two dimensions and three", function()
            for _, size in ipairs { { 33, 9 }, { 31, 100 }, { 1, 700 }, { 700, 1 }, { 64, 8 }, { 65, 8 }, { 64, 9 } } do
                local wide, high = size[1], size[2]
                local y = dev:zeros({ wide * high + wide * 300 }, "i32")
                kernels.count2:run({ global = size }, y, wide)
                check_each(y, wide * high, 1)
            end
            for _, size in ipairs { { 5, 6, 7 }, { 33, 3, 5 }, { 1, 1, 100 }, { 40, 17, 1 } } do
                local wide, high, deep = table.unpack(size)
                local y = dev:zeros({ wide * high * deep + wide * high * 300 }, "i32")
                kernels.count3:run({ global = size }, y, wide, high)
                check_each(y, wide * high * deep, 1)
            end
        end)

        it("tells its own sizes, whatever runs beside it", function()
            local sizes = { { 7 }, { 256 }, { 999 }, { 64, 8 }, { 65, 9 }, { 100, 3 }, { 5, 6, 7 }, { 64, 8, 2 } }
            for _, size in ipairs(sizes) do
                local wide, high, deep = size[1], size[2] or 1, size[3] or 1
                local y = dev:zeros({ wide * high * deep + 5000 }, "i64")
                kernels.sizes:run({ global = size }, y)
                check_each(y, wide * high * deep, (wide + 1000 * high + 1000000 * deep) * 10 + #size)
            end
        end)

        it("is whole groups for a kernel that can tell them", function()
            for _, n in ipairs(EDGES) do
                local y = dev:zeros({ n + 300 }, "i32")
                kernels.groups:run({ global = n }, y)
                check_each(y, n, 1)
            end
        end)

        it("takes arguments of every kind", function()
            local records = {}
            for i = 1, 100 do
                records[i] = string.pack("<i4f", i, 0.5)
            end
            local from = dev:array(table.concat(records), "u8", { 800 })
            local out = dev:zeros { 100 }
            kernels.every:run({ global = 100 }, 0.25, { 0, 0, 0, 2 }, string.pack("<i4f", 3, 0.5),
                dev:array { 0, 1000 }, from, out)
            assert.equal(1005.75 * 100 + 5050, out:sum())
            assert.equal(1006.75, out:get(1))
            assert.equal(1105.75, out:get(100))
        end)

        it("counts its work-items from an offset", function()
            local plain = dev:program [[
                kernel void count(global int *y) { y[get_global_id(0)] += 1; }
                kernel void count2(global int *y, int wide)
                {
                    y[get_global_id(0) + (size_t)wide * get_global_id(1)] += 1;
                }
            ]]
            -- The second program asks for sizes, which reach a trimmed kernel by the launch's offset.
            for _, count in ipairs { plain.count, kernels.count } do
                for _, n in ipairs { 1, 64, 65, 999, 1024 } do
                    local y = dev:zeros({ n + 600 }, "i32")
                    count:run({ global = n, offset = 7 }, y)
                    check_each(y:slice { 8, n + 600 }, n, 1)
                    assert.equal(0, y:slice { 1, 7 }:sum())
                end
            end
            for _, count in ipairs { plain.count2, kernels.count2 } do
                for _, size in ipairs { { 3, 5 }, { 62, 62 }, { 64, 64 }, { 101, 33 } } do
                    local wide, high = size[1] + 40, size[2] + 40
                    local y = dev:zeros({ high, wide }, "i32")
                    count:run({ global = size, offset = { 0, 2 } }, y, wide)
                    local own = y:slice({ 3, size[2] + 2 }, { 1, size[1] })
                    assert.same({ size[1] * size[2], 1, size[1] * size[2] }, { own:sum(), own:min(), y:sum() })
                end
            end
            local y = dev:zeros({ 5000 }, "i64")
            kernels.sizes:run({ global = 999, offset = 5 }, y) -- the size is that of the range, the ids are not
            check_each(y:slice { 6, 5000 }, 999, (999 + 1000 + 1000000) * 10 + 1)
        end)

        it("builds nothing for a new size once it has met an odd one", function()
            local fresh = dev:program(SOURCE)
            local count, sizes = fresh:kernel("count"), fresh:kernel("sizes")
            local y, z = dev:zeros({ 1024 }, "i32"), dev:zeros({ 1024 }, "i64")
            assert.equal(0, built(function() count:run({ global = 64 }, y) end))
            assert.equal(0, built(function() count:run({ global = 1024 }, y) end))
            assert.equal(1, built(function() count:run({ global = 1001 }, y) end))
            assert.equal(0, built(function()
                for _, n in ipairs { 65, 100, 999, 1000, 1003 } do
                    count:run({ global = n }, y)
                    sizes:run({ global = n }, z)
                end
            end))
        end)

        it("leaves no memory behind", function()
            local function once()
                local fresh <close> = dev:program("kernel void one(global int *y) { y[get_global_id(0)] = 1; }")
                local kernel <close> = fresh:kernel()
                local y <close> = dev:zeros({ 999 }, "i32")
                kernel:run({ global = 999 }, y)
                assert.equal(999, y:sum())
            end
            once()
            local before = dev:memory().live
            once()
            assert.equal(before, dev:memory().live)
        end)
    end)

    -- A kernel that knows how large its groups are must find that they divide the range.
    describe("the words of a kernel on " .. title, function()
        local N = 999

        local function check(kernel)
            local y = dev:zeros({ N + 300 }, "i32")
            kernel:run({ global = N }, y)
            local list = y:totable()
            for i = 1, N do
                assert.is_true(list[i] > 0 and N % list[i] == 0, ("item %d is in a group of %d"):format(i, list[i]))
            end
            for i = N + 1, N + 300 do
                assert.equal(0, list[i])
            end
        end

        local LAST = "kernel void own(global int *y) { y[get_global_id(0)] = SIZE; }"

        it("count where a function, a macro, a define, an option or another kernel has them", function()
            check(dev:program("int size() { return get_local_size(0); }\n" .. LAST:gsub("SIZE", "size()")):kernel())
            check(dev:program("#define SIZE \\\nget_local_size(0)\n" .. LAST):kernel())
            check(dev:program(LAST, { defines = { SIZE = "get_local_size(0)" } }):kernel())
            check(dev:program(LAST, { options = "-DSIZE=get_local_size(0)" }):kernel())
            check(dev:program((LAST:gsub("SIZE", "get_local\\\n_size(0)"))):kernel())
            check(dev:program("int size() { return get_local\\\r\n_size(0); } // \"\n"
                .. LAST:gsub("SIZE", "size()")):kernel())
            check(dev:program("#\n/* */ # /* */ define SIZE /*\n */ get_local_size(0)\n" .. LAST):kernel())
            check(dev:program("#define GLUE(a, b) a##b\n" .. LAST:gsub("SIZE", "GLUE(get_loc, al_size)(0)")):kernel())
            check(dev:program([[
                kernel void other(global int *y) { y[get_global_id(0)] = get_local_size(0); }
                kernel void own(global int *y) { other(y); }
            ]]):kernel("own"))
        end)

        it("count where an included file has them, or a file that cannot be found", function()
            local folder = os.tmpname()
            os.remove(folder)
            assert(os.execute("mkdir " .. folder))
            local file = assert(io.open(folder .. "/size.h", "w"))
            file:write("#define SIZE get_local_size(0)\n")
            file:close()
            check(dev:program('#include "size.h"\n' .. LAST, { include = folder }):kernel())
            check(dev:program('#define NAME "size.h"\n#include NAME\n' .. LAST, { include = folder }):kernel())
            os.execute("rm -r " .. folder)
        end)

        it("count where the braces of a text do not come out even", function()
            check(dev:program([[
                kernel void first(global int *y)
                {
                #ifdef NEVER
                    if (y) {
                #else
                    {
                #endif
                        y[get_global_id(0)] = 0;
                    }
                }
                kernel void own(global int *y) { y[get_global_id(0)] = get_local_size(0); }
            ]]):kernel("own"))
        end)

        it("do not count in comments, in texts, or in other kernels", function()
            local text = [[
                // barrier(CLK_LOCAL_MEM_FENCE), and a brace: {
                /* get_local_id(0) */
                kernel void other(global int *y, local int *few)
                {
                    few[get_local_id(0)] = 1;
                    barrier(CLK_LOCAL_MEM_FENCE);
                    y[get_global_id(0)] = few[0];
                }
                kernel /* void own(int x) { */ void /* } */ own(global int *y, int other)
                {
                    y[get_global_id(0)] += other; /* " */
                    if (other < 0)
                        printf("} barrier %c%c", '{', '"');
                }
                kernel void third(global int *y) { y[get_group_id(0)] = 1; }
            ]]
            local kernel, y = dev:program(text):kernel("own"), dev:zeros({ N + 300 }, "i32")
            assert.equal(1, built(function() kernel:run({ global = N }, y, 3) end))
            check_each(y, N, 3)
        end)

        it("leave the text that stands behind them alone", function() -- PoCL would write of errors
            assert.equal("999\n", helper.child(([=[
                local dev = require("lunarray").device(%q)
                local text = "kernel void own(global int *y) { y[get_global_id(0)] += 1; } // the last line \\"
                local y = dev:zeros({ 1300 }, "i32")
                dev:program(text).own:run({ global = 999 }, y)
                print(y:sum())
            ]=]):format(dev:info().name)))
        end)

        it("that no compiler takes twice leave the kernel as it is", function()
            local text = [[
                #ifdef ulong
                #error "a text that is read once"
                #endif
                #define ulong nothing
                kernel void own(global int *y) { y[get_global_id(0)] += 1; }
            ]]
            local kernel, y = dev:program(text):kernel(), dev:zeros({ N + 300 }, "i32")
            kernel:run({ global = N }, y)
            check_each(y, N, 1)
            assert.equal(0, built(function() kernel:run({ global = N }, y) end))
        end)
    end)
end)
