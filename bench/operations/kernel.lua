-- Kernels of the user's own: what an odd range costs beside the next round one, and beside a guard in the kernel.

local check = require "bench.check"
local data = require "bench.data"

local SOURCE = [[
kernel void line(global const float *x, global float *y) { y[get_global_id(0)] = x[get_global_id(0)]; }
kernel void guarded(global const float *x, global float *y, ulong n)
{
    size_t i = get_global_id(0);
    if (i < n)
        y[i] = x[i];
}
kernel void plane(global const float *x, global float *y)
{
    size_t at = get_global_id(0) + get_global_size(0) * get_global_id(1);
    y[at] = x[at];
}
]]

local function size_of(global)
    return type(global) == "table" and global[1] * global[2] or global
end

-- The kernel copies the range's elements.
local function copying(bench, kernel, options, ...)
    local arguments = table.pack(...)
    return function()
        local count = size_of(options.global)
        local k = bench.device:program(SOURCE):kernel(kernel)
        local x, y = data.array(bench.device, "f32", { count }), bench.device:zeros({ count })
        return {
            call = function()
                k:run(options, x, y, table.unpack(arguments, 1, arguments.n))
            end,
            finish = bench.finish,
            read = data.reader(y),
            release = function()
                x:release()
                y:release()
            end,
        }
    end
end

local function checked(global)
    return function(read)
        check.copied(read, "f32", size_of(global))
    end
end

-- Rates count the range's own work-items: a round range has a few more.
local function range_case(bench, size, kernel, odd, round, guarded)
    return {
        operation = "kernel:" .. kernel, dtype = "f32", size = size, work = 8 * size_of(odd), unit = "GB/s",
        setup = copying(bench, kernel, { global = odd }), check = checked(odd),
        peers = {
            { "round", setup = copying(bench, kernel, { global = round }), check = checked(round) },
            guarded,
        },
    }
end

return function(bench)
    local cases = {}
    for _, size in ipairs { { 999999, 1 << 20 }, { 65535, 65536 }, { 1001, 1024 } } do
        local odd, round = size[1], size[2]
        local guarded = copying(bench, "guarded", { global = odd, pad = true }, odd)
        cases[#cases + 1] = range_case(bench, tostring(odd), "line", odd, round,
            { "guard", setup = guarded, check = checked(odd) })
    end
    cases[#cases + 1] = range_case(bench, "510x510", "plane", { 510, 510 }, { 512, 512 })
    return cases
end
