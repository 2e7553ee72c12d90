-- Kernels of the user's own: arguments of every kind, ranges and groups, views, and what is refused.

local lun = require "lunarray"
local helper = require "spec.helper"
local numbers = require "spec.numbers"

local TYPES = {
    i8 = "char", u8 = "uchar", i16 = "short", u16 = "ushort", i32 = "int", u32 = "uint", i64 = "long", u64 = "ulong",
    f32 = "float", f64 = "double",
}
local WIDTHS = { 2, 3, 4, 8, 16 }

local SOURCE = [[
typedef struct { int number; float real; char letter; } record;
typedef float real;
typedef int4 quad;

kernel void saxpy(float a, global const float *x, global float *y, int n)
{
    int i = get_global_id(0);
    if (i < n)
        y[i] += a * x[i];
}
kernel void scale(global float *x, float by) { x[get_global_id(0)] *= by; }
kernel void add(global const float *a, constant float *b, global float *restrict c)
{
    c[get_global_id(0)] = a[get_global_id(0)] + b[get_global_id(0)];
}
kernel void both(global float *a, global float *b)
{
    size_t i = get_global_id(0);
    a[i] += 1;
    b[i] += 10;
}
kernel void reverse(global const int *x, global int *y, local int *tile)
{
    size_t i = get_local_id(0), last = get_local_size(0) - 1;
    tile[i] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    y[get_global_id(0)] = tile[last - i];
}
kernel void fixed(global int *out)
{
    local int some[100];
    some[get_local_id(0)] = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = some[0];
}
kernel void shape(global int *out, int wide, int high)
{
    size_t at = get_global_id(0) + wide * (get_global_id(1) + high * get_global_id(2));
    out[at] = get_local_size(0) + 1000 * get_local_size(1) + 1000000 * get_local_size(2);
}
__attribute__((reqd_work_group_size(4, 2, 1))) kernel void required(global int *out)
{
    out[get_global_id(0) + get_global_size(0) * get_global_id(1)] = get_local_size(0);
}
kernel void own(real r, quad q, record s, global real *out, global record *records, global const quad *quads)
{
    out[0] = r + q.w + quads[1].x;
    out[1] = s.number + s.real + s.letter;
    records[1].number = s.number;
    records[1].letter = 'x';
}
kernel void anything(global const void *in, global void *out, int bytes)
{
    for (int i = 0; i < bytes; i++)
        ((global uchar *)out)[i] = ((global const uchar *)in)[i];
}
kernel void null(global float *x, global int *out) { *out = x == 0; }
]]

local ints = {}
for _, width in ipairs(WIDTHS) do
    ints[#ints + 1] = ("kernel void int%d_(int%d v, global int%d *out) { out[0] = out[1] = v; }"):format(width, width,
        width)
end

helper.each_device(function(dev, title)
    local program = dev:program(SOURCE)
    local kernels = setmetatable({}, { __index = function(all, name)
        rawset(all, name, program:kernel(name))
        return rawget(all, name)
    end })

    local function f32(...) return dev:array { ... } end

    describe("a kernel's arguments on " .. title, function()
        local typed = {}
        for _, dtype in ipairs(helper.dtypes(dev)) do
            local type = TYPES[dtype]
            typed[#typed + 1] = type and ([[
                kernel void copy_%s(%s value, global const %s *in, global %s *out)
                {
                    size_t i = get_global_id(0);
                    out[i] = i == 0 ? value : in[i];
                }
            ]]):format(dtype, type, type, type)
        end
        typed[#typed + 1] = [[
            kernel void copy_f16(float value, global const half *in, global half *out)
            {
                size_t i = get_global_id(0);
                vstore_half(i == 0 ? value : vload_half(i, in), i, out);
            }
        ]]
        local types = dev:program(table.concat(typed, "\n"))

        -- bf16 has no type of its own: kernels see it as u16 (dtype_spec).
        for _, dtype in ipairs(helper.dtypes(dev)) do
            local has_type = TYPES[dtype] or dtype == "f16"
            local _ = has_type and it("are numbers and arrays of " .. dtype, function()
                local kernel = types:kernel("copy_" .. dtype)
                local row = numbers.dtype[dtype]
                local low, high = row.low or -2.5, row.high or 1024.0
                local input, out = dev:array({ 1, 2, high }, dtype), dev:zeros({ 3 }, dtype)
                for _, number in ipairs { low, high, 5, 5.0 } do
                    kernel:run({ global = 3 }, number, input, out)
                    local is_float = numbers.is_float(dtype)
                    local wanted = is_float and { number + 0.0, 2.0, high } or { number // 1 | 0, 2, high }
                    helper.check_list(wanted, out:totable())
                end
                local info = kernel:info()
                assert.equal(dtype, info.arguments[3].dtype)
                if numbers.is_float(dtype) then
                    return
                end
                local where = ("run: parameter 1 of copy_%s (%s value): "):format(dtype, TYPES[dtype])
                if row.bits < 64 then
                    helper.raises(("%s%d is out of range for %s"):format(where, high + 1, dtype),
                        function() kernel:run({ global = 3 }, high + 1, input, out) end)
                end
                helper.refused(where .. "1e+30 is out of range for " .. dtype, kernel, { global = 3 }, 1e30, input, out)
                helper.refused(where .. "2.5 has no representation in " .. dtype .. ": an integer is needed",
                    kernel, { global = 3 }, 2.5, input, out)
                helper.refused(where .. "a number is needed, got a string", kernel, { global = 3 }, "1", input, out)
            end)
        end

        it("are vectors, from lists", function()
            local vectors = dev:program(table.concat(ints, "\n"))
            for _, width in ipairs(WIDTHS) do
                local kernel = vectors:kernel(("int%d_"):format(width))
                local list, wanted = {}, {}
                local room = width == 3 and 4 or width
                for i = 1, width do
                    list[i] = i * i
                    wanted[i], wanted[room + i] = i * i, i * i
                end
                local out = dev:zeros({ 2, room }, "i32")
                kernel:run({ global = 1 }, list, out)
                local got = out:reshape(-1):totable()
                if width == 3 then -- the fourth component is nobody's
                    got[4], got[8], wanted[4] = 0, 0, 0
                    wanted[8] = 0
                end
                assert.same(wanted, got)
                local where = ("run: parameter 1 of int%d_ (int%d v): "):format(width, width)
                helper.raises(("%sa list of %d numbers is needed, got a number"):format(where, width),
                    function() kernel:run({ global = 1 }, 5, out) end)
                helper.raises(("%sa list of %d numbers is needed, got one of 1"):format(where, width),
                    function() kernel:run({ global = 1 }, { 5 }, out) end)
                list[2] = "2"
                helper.refused(where .. "component 2: a number is needed, got a string",
                    kernel, { global = 1 }, list, out)
                list[2] = 1 << 31
                helper.refused(where .. "2147483648 is out of range for i32", kernel, { global = 1 }, list, out)
                local odd = dev:zeros({ 2 * room + 1 }, "i32")
                list[2] = 2
                helper.refused(("run: parameter 2 of int%d_ (__global int%d *out): the array has %d bytes, not a "
                    .. "multiple of the %d of int%d"):format(width, width, 8 * room + 4, 4 * room, width),
                    kernel, { global = 1 }, list, odd)
            end
        end)

        it("are of types that the program defines #oclgrind", function()
            local record = string.pack("<i4fbxxx", 7, 2.5, -3)
            local out, records = dev:zeros { 2 }, dev:zeros({ 24 }, "u8")
            local quads = dev:array({ 1, 2, 3, 4, 5, 6, 7, 8 }, "i32")
            local function run(...) kernels.own:run({ global = 1 }, ...) end
            run(1.5, { 10, 20, 30, 40 }, record, out, records, quads)
            assert.same({ 46.5, 6.5 }, out:totable())
            local number, letter = string.unpack("<i4xxxxc1", records:tobytes(), 13)
            assert.equal(7, number)
            assert.equal("x", letter)
            local WHERE = "run: parameter %d of own (%s): %s"
            local function refused(position, parameter, what, ...)
                local arguments = table.pack(...)
                helper.refused(WHERE:format(position, parameter, what),
                    kernels.own, { global = 1 }, table.unpack(arguments))
            end
            refused(3, "record s", "a string of 12 bytes is needed, got one of 11", 1, { 1, 2, 3, 4 }, record:sub(2),
                out, records, quads)
            refused(3, "record s", "a string of bytes is needed, got a table", 1, { 1, 2, 3, 4 }, {}, out, records,
                quads)
            refused(4, "__global real *out", "an array of f32 is needed, got one of i32", 1, { 1, 2, 3, 4 }, record,
                dev:zeros({ 2 }, "i32"), records, quads)
            refused(5, "__global record *records", "the array has 16 bytes, not a multiple of the 12 of record", 1,
                { 1, 2, 3, 4 }, record, out, dev:zeros { 4 }, quads)
        end)

        it("are any arrays for void", function()
            for _, dtype in ipairs(helper.dtypes(dev)) do
                local a = dev:arange(1, 9, 1, dtype)
                local b = dev:zeros({ 9 }, dtype)
                kernels.anything:run({ global = 1 }, a, b, a:nbytes())
                assert.same(a:totable(), b:totable())
            end
        end)

        it("are empty arrays, which are null #oclgrind", function()
            local out = dev:full({ 1 }, 5, "i32")
            kernels.null:run({ global = 1 }, dev:zeros { 0 }, out)
            assert.equal(1, out:get(1))
            kernels.null:run({ global = 1 }, f32(1), out)
            assert.equal(0, out:get(1))
        end)

        it("may be none", function()
            local nothing = dev:program "kernel void nothing(void) {}":kernel()
            assert.equal(0, select("#", nothing:run { global = 4 }))
            helper.refused("run: nothing takes 0 arguments after the options, got 1", nothing, { global = 4 }, nil)
        end)

        it("are as many as the kernel has parameters", function()
            local x = f32(1)
            helper.refused("run: saxpy takes 4 arguments after the options (a, x, y, n), got 2",
                kernels.saxpy, { global = 1 }, 1, x)
            helper.refused("run: saxpy takes 4 arguments after the options (a, x, y, n), got 5",
                kernels.saxpy, { global = 1 }, 1, x, f32(1), 1, 1)
        end)

        it("are many", function()
            local parameters, sum = {}, {}
            local arrays = {}
            for i = 1, 60 do
                parameters[i] = ("global %sfloat *p%d"):format(i % 2 == 0 and "" or "const ", i)
                sum[i] = i % 2 == 0 and ("p%d[i] += p%d[i];"):format(i, i - 1) or ""
                arrays[i] = dev:arange(i, 100, 20, "f32"):slice { 1, 3, i % 3 + 1 }
            end
            local kernel = dev:program(("kernel void many(%s)\n{ size_t i = get_global_id(0); %s }"):format(
                table.concat(parameters, ", "), table.concat(sum, "\n"))):kernel()
            kernel:run({ global = 1 }, table.unpack(arrays))
            for i = 2, 60, 2 do
                assert.equal(2.0 * i - 1, arrays[i]:get(1))
            end
        end)

        it("that are wrong are named", function()
            local x, y = f32(1, 2), f32(3, 4)
            local SECOND = "run: parameter 2 of saxpy (__global const float *x): "
            helper.refused("run: parameter 1 of saxpy (float a): a number is needed, got an array",
                kernels.saxpy, { global = 2 }, x, x, y, 2)
            helper.refused(SECOND .. "an array is needed, got nil", kernels.saxpy, { global = 2 }, 1, nil, y, 2)
            helper.refused(SECOND .. "an array is needed, got local memory",
                kernels.saxpy, { global = 2 }, 1, lun.localmem(8), y, 2)
            helper.refused(SECOND .. "an array of f32 is needed, got one of i32",
                kernels.saxpy, { global = 2 }, 1, x:cast "i32", y, 2)
            helper.refused("run: parameter 2 of add (__constant float *b): an array is needed, got a number",
                kernels.add, { global = 2 }, x, 5, y)
            local gone = f32(1)
            gone:release()
            helper.refused(SECOND .. "the array was released", kernels.saxpy, { global = 2 }, 1, gone, y, 2)
            do
                local mapped <close> = x:host "rw"
                assert.equal(1.0, mapped[1])
                helper.refused(SECOND .. "the array is mapped to the host; release the mapping first",
                    kernels.saxpy, { global = 2 }, 1, x, y, 2)
            end
            local image = dev:program "kernel void image(read_only image2d_t picture, sampler_t how) {}":kernel()
            helper.refused("run: parameter 1 of image (image2d_t picture): lunarray gives kernels arrays, numbers, "
                .. "structs as strings, and local memory only", image, { global = 1 }, x, x)
            kernels.saxpy:run({ global = 2 }, 2, x, y, 2)
            assert.same({ 5.0, 8.0 }, y:totable())
        end)

        local with_pocl = helper.has_pocl() and it or pending

        with_pocl("of another device are refused", function()
            local output, status = helper.run([[
                local lun = require "lunarray"
                local devices = lun.devices()
                local kernel = devices[1]:program "kernel void one(global float *x) { *x = 1; }":kernel()
                if #devices > 1 then
                    print(select(2, pcall(kernel.run, kernel, { global = 1 }, devices[2]:zeros { 1 })))
                end
            ]], { env = { POCL_DEVICES = "pthread pthread" } })
            assert.equal(0, status, output)
            assert.matches("run: parameter 1 of one (__global float *x): the array is on another device; copy it "
                .. "with :to(device)", output, 1, true)
        end)
    end)

    describe("local memory of a kernel on " .. title, function()
        it("is given in bytes #oclgrind", function()
            local x, y = dev:arange(12, "i32"), dev:zeros({ 12 }, "i32")
            local memory = lun.localmem(4 * 4)
            kernels.reverse:run({ global = 12, group = 4 }, x, y, memory)
            assert.same({ 4, 3, 2, 1, 8, 7, 6, 5, 12, 11, 10, 9 }, y:totable())
            kernels.reverse:run({ global = 12, group = 2 }, x, y, memory)
            assert.same({ 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11 }, y:totable())
            assert.equal("lunarray.localmem: 16 bytes", tostring(memory))
            assert.equal("localmem", lun.type(memory))
        end)

        it("has a limit", function()
            local x, y = dev:arange(4, "i32"), dev:zeros({ 4 }, "i32")
            local most = dev:info().local_memory
            helper.raises(("run: parameter 3 of reverse (__local int *tile): %d bytes of local memory; this device has "
                .. "%d for a group, of which %d are taken"):format(most + 4, most, kernels.reverse:info().local_memory),
                function() kernels.reverse:run({ global = 4 }, x, y, lun.localmem(most + 4)) end)
            helper.refused("run: parameter 3 of reverse (__local int *tile): lun.localmem(bytes) is needed, got "
                .. "a number", kernels.reverse, { global = 4 }, x, y, 16)
            helper.refused("localmem: argument 1: a number of bytes from 1 is needed, got 0", lun, 0)
            helper.refused("localmem: argument 1: a whole number is needed, got a string", lun, "16")
        end)

        it("that is the kernel's own is known", function()
            if not dev:info().platform:find "Portable" then -- PoCL 5 does not count it
                assert.is_true(kernels.fixed:info().local_memory >= 400)
            end
            local out = dev:zeros({ 100 }, "i32")
            kernels.fixed:run({ global = 100, group = 50 }, out)
            assert.equal(700, out:sum())
        end)
    end)

    describe("a kernel's range on " .. title, function()
        -- The group that the kernel saw, checked to be the same for every work-item.
        local function group(range, ...)
            local sizes = type(range.global) == "table" and range.global or { range.global }
            local wide, high, deep = sizes[1], sizes[2] or 1, sizes[3] or 1
            local out = dev:zeros({ math.max(1, wide * high * deep) * 8 }, "i32")
            kernels.shape:run(range, out, wide, high, ...)
            local first = out:get(1)
            if not range.pad then
                local list = out:totable()
                for i = 1, wide * high * deep do
                    assert.equal(first, list[i])
                end
            end
            return { first % 1000, first // 1000 % 1000, first // 1000000 }
        end

        it("has one to three dimensions", function()
            assert.same({ 5, 1, 1 }, group { global = 20, group = 5 })
            assert.same({ 5, 1, 1 }, group { global = { 20 }, group = { 5 } })
            assert.same({ 4, 3, 1 }, group { global = { 8, 9 }, group = { 4, 3 } })
            assert.same({ 2, 3, 4 }, group { global = { 4, 6, 8 }, group = { 2, 3, 4 } })
            assert.same({ 4, 1, 1 }, group { global = 8.0, group = 4.0 })
        end)

        it("is cut into groups of powers of two that divide it", function()
            local most = math.min(256, kernels.shape:info().max_group)
            assert.same({ most, 1, 1 }, group { global = 1024 })
            assert.same({ 8, 1, 1 }, group { global = 1000 })
            assert.same({ 1, 1, 1 }, group { global = 999 })
            assert.same({ 32, most // 32, 1 }, group { global = { 64, 64 } })
            assert.same({ 4, math.min(most // 4, 64), 1 }, group { global = { 4, 64 } })
            assert.same({ 1, 2, 4 }, group { global = { 7, 10, 4 } })
        end)

        it("is rounded up where it may be", function()
            local most = math.min(256, kernels.shape:info().max_group)
            assert.same({ 8, 1, 1 }, group { global = 5, pad = true })
            assert.same({ most, 1, 1 }, group { global = 999, pad = true })
            assert.same({ 64, 1, 1 }, group { global = 100, group = 64, pad = true })
            local x, y = dev:arange(1, 1000, 1, "f32"), dev:ones { 1000 }
            kernels.saxpy:run({ global = 999, pad = true }, 2, x, y, 999)
            assert.equal(1.0, y:get(1000))
            assert.equal(1999.0, y:get(999))
            assert.equal(1000.0 + 999 * 1000, y:sum())
        end)

        it("of zero runs nothing", function()
            local x = f32(1, 2)
            for _, global in ipairs { 0, { 0 }, { 4, 0 }, { 0, 4, 4 } } do
                kernels.scale:run({ global = global }, x, 5)
                local event = kernels.scale:run({ global = global, async = true }, x, 5)
                assert.equal(0, select("#", event:get()))
            end
            assert.same({ 1.0, 2.0 }, x:totable())
            helper.refused("run: parameter 2 of scale (float by): a number is needed",
                kernels.scale, { global = 0 }, x, x)
        end)

        it("that does not fit is refused", function()
            local x = f32(1, 2)
            local function refused(message, range)
                helper.refused("run: " .. message, kernels.scale, range, x, 2)
            end
            local info = kernels.scale:info()
            refused("argument 1: a table of options with global is needed, got nil", nil)
            refused("argument 1: a table of options with global is needed, got a number", 5)
            refused("the option global (the number of work-items) is missing", {})
            refused("unknown option 'local'; known are global, group, offset, pad, ", { global = 1, ["local"] = 1 })
            refused("option 'global': a whole number or a list of them is needed, got a string", { global = "1" })
            refused("option 'global': a whole number or a list of them is needed, got 1.5", { global = 1.5 })
            refused("option 'global': from 1 to 3 sizes are needed, got 0", { global = {} })
            refused("option 'global': from 1 to 3 sizes are needed, got 4", { global = { 1, 1, 1, 1 } })
            refused("global 1 is -1; sizes are whole numbers from 0", { global = -1 })
            refused("global 2 is a string; sizes are whole numbers from 0", { global = { 1, "1" } })
            refused("group 1 is 0; a group has at least one work-item", { global = 2, group = 0 })
            refused("group has 2 sizes, and global 1", { global = 2, group = { 1, 1 } })
            refused("group has 1 size, and global 2", { global = { 2, 2 }, group = 1 })
            refused("global size 1 is 3, not a multiple of the group's 2; pad = true rounds it up, for a kernel "
                .. "that checks its range itself", { global = 3, group = 2 })
            refused("offset has 1 size, and global 2", { global = { 2, 2 }, offset = 1 })
            refused("offset 1 is -1; sizes are whole numbers from 0", { global = 2, offset = -1 })
            refused("option 'offset': a whole number or a list of them is needed, got 0.5", { global = 2,
                offset = 0.5 })
            refused("offset 1 is 1073741825; up to 1073741824 is possible", { global = 2, offset = 1073741825 })
            refused("option 'pad': true or false is needed, got a number", { global = 3, pad = 1 })
            refused("a group's size along dimension 1 is 1000000000; this device allows ",
                { global = 1000000000, group = 1000000000 })
            refused(("a group of %dx%d has %d work-items; scale allows %d on this device"):format(info.max_group, 2,
                2 * info.max_group, info.max_group), { global = { info.max_group, 2 }, group = { info.max_group, 2 } })
            local function too_many(global, sizes, pad)
                local text = type(global) == "table" and table.concat(global, "x") or tostring(global)
                local by = type(sizes) == "table" and table.concat(sizes, "x") or tostring(sizes)
                refused(("global %s in groups of %s is more than the 4294967295 groups that can be run at once"):format(
                    text, by), { global = global, group = sizes, pad = pad })
            end
            too_many(1 << 32, 1)
            too_many({ 1 << 62, 1, 1 }, { 4, 1, 1 })
            too_many({ 1 << 20, 1 << 20, 1 << 20 }, { 4, 2, 1 })
            too_many(math.maxinteger, 64, true)
            assert.same({ 1.0, 2.0 }, x:totable())
        end)

        it("keeps to a group that the kernel requires", function()
            local out = dev:zeros({ 32 }, "i32")
            kernels.required:run({ global = { 8, 4 } }, out)
            assert.equal(4 * 32, out:sum())
            kernels.required:run({ global = { 8, 4 }, group = { 4, 2 } }, out)
            kernels.required:run({ global = { 8, 4, 1 } }, out)
            kernels.required:run({ global = { 7, 3 }, pad = true }, out)
            helper.refused("run: required requires groups of 4x2x1, got 8x1",
                kernels.required, { global = { 8, 4 }, group = { 8, 1 } }, out)
            helper.refused("run: required requires groups of 4x2x1, and global has 1 size; a list of 2 is needed",
                kernels.required, { global = 8 }, out)
            helper.refused("run: global size 2 is 3, not a multiple of the group's 2",
                kernels.required, { global = { 8, 3 } }, out)
        end)
    end)

    describe("a view given to a kernel on " .. title, function()
        it("is its elements in row-major order, there and back #oclgrind", function()
            local m = dev:arange(1, 12, 1, "f32"):reshape(3, 4)
            kernels.scale:run({ global = 3 }, m:col(2), 10)
            assert.same({ { 1.0, 20.0, 3.0, 4.0 }, { 5.0, 60.0, 7.0, 8.0 }, { 9.0, 100.0, 11.0, 12.0 } }, m:totable())
            kernels.scale:run({ global = 4 }, m:t():slice({ 1, 2 }, { 1, 3, 2 }), -1)
            assert.same({ { -1.0, -20.0, 3.0, 4.0 }, { 5.0, 60.0, 7.0, 8.0 }, { -9.0, -100.0, 11.0, 12.0 } },
                m:totable())
            local out = dev:zeros { 4 }
            kernels.add:run({ global = 4 }, m:row(2), m:row(3):slice { 4, 1, -1 }, out)
            assert.same({ 17.0, 71.0, -93.0, -1.0 }, out:totable())
        end)

        it("starts anywhere #oclgrind", function()
            local wanted = {}
            local x = dev:ones { 3000 }
            for i = 1, 3000 do
                wanted[i] = 1.0
            end
            for _, from in ipairs { 1, 2, 3, 32, 33, 65, 129, 1025, 2049, 3000 } do
                kernels.scale:run({ global = 1 }, x:slice { from, 3000 }, 2)
                wanted[from] = 2 * wanted[from]
            end
            assert.same(wanted, x:totable())
        end)

        it("may be the same memory twice only whole and unrestricted, or where nothing is written", function()
            local x = dev:zeros { 200 }
            kernels.both:run({ global = 200 }, x, x)
            assert.equal(11.0 * 200, x:sum())
            kernels.both:run({ global = 100 }, x:slice { 1, 200, 2 }, x:slice { 2, 200, 2 })
            assert.equal(11.0 * 200 + 1100, x:sum())
            local out = dev:zeros { 200 }
            kernels.add:run({ global = 200 }, x, x, out)
            assert.equal(2 * x:sum(), out:sum())
            local function refused(kernel, position, parameter, other, which, ...)
                local arguments = table.pack(...)
                helper.raises(("run: parameter %d of %s (%s): the array shares elements with that of parameter %d, and "
                    .. "%s is written"):format(position, kernel, parameter, other, which), function()
                    kernels[kernel]:run({ global = 1 }, table.unpack(arguments))
                end)
            end
            refused("both", 2, "__global float *b", 1, "this one", x, x:slice { 2, 200 })
            refused("both", 2, "__global float *b", 1, "this one", x:slice { 1, 200, 2 }, x:slice { 1, 200, 2 })
            refused("add", 3, "__global float *c", 1, "this one", x, out, x)
            refused("add", 3, "__global float *c", 2, "this one", out, x:slice { 1, 10 }, x:slice { 10, 20 })
        end)
    end)

    describe("running a kernel on " .. title, function()
        it("gives nothing, at once", function()
            local x = f32(1, 2)
            assert.equal(0, select("#", kernels.scale:run({ global = 2 }, x, 2)))
            assert.same({ 2.0, 4.0 }, x:totable())
        end)

        it("gives an event, whose get gives nothing", function()
            local x = f32(1, 2)
            local event = kernels.scale:run({ global = 2, async = true }, x, 2)
            assert.equal(0, select("#", event:get()))
            assert.matches("^lunarray.event: scale %(complete%)", tostring(event))
            assert.is_true(event:profile().ended >= event:profile().started)
            local column = kernels.scale:run({ global = 2, async = true }, dev:zeros({ 2, 2 }):col(1), 2)
            assert.is_true(column:wait())
        end)

        it("takes its turn between other operations", function()
            local x = dev:ones { 100 }
            for _ = 1, 200 do
                kernels.scale:run({ global = 100 }, x, -1)
            end
            x:write(x:copy())
            kernels.saxpy:run({ global = 100 }, 1, x, x:copy(), 100)
            assert.equal(100.0, x:sum())
        end)

        it("waits for what other queues do to its arrays, and only for that", function()
            local first <close> = dev:queue()
            local second <close> = dev:queue()
            local x, y = dev:zeros { 10000 }, dev:zeros { 10000 }
            for i = 1, 100 do
                local queue = i % 2 == 0 and first or second
                kernels.both:run({ global = 10000, queue = queue }, x, y)
                kernels.saxpy:run({ global = 10000, queue = i % 3 == 0 and first or second }, -1, x, y, 10000)
                kernels.scale:run({ global = 100, queue = queue }, y:slice { 1, 10000, 100 }, 1)
            end
            assert.equal(100.0 * 10000, x:sum())
            assert.equal((1000.0 - 5050) * 10000, y:sum())
        end)

        it("leaves no memory behind", function()
            collectgarbage()
            local before = dev:memory().live
            do
                local x <close> = dev:ones { 10, 10 }
                for _ = 1, 100 do
                    kernels.scale:run({ global = 10 }, x:col(3), 1)
                end
            end
            collectgarbage()
            assert.equal(before, dev:memory().live)
        end)
    end)

    describe("what a kernel says on " .. title, function()
        it("is its parameters and limits", function()
            local info = kernels.saxpy:info()
            assert.equal("saxpy", info.name)
            assert.same({
                { name = "a", type = "float", space = "private", dtype = "f32", bytes = 4 },
                { name = "x", type = "float*", space = "global", access = "read", dtype = "f32", bytes = 4 },
                { name = "y", type = "float*", space = "global", access = "read_write", dtype = "f32", bytes = 4 },
                { name = "n", type = "int", space = "private", dtype = "i32", bytes = 4 },
            }, info.arguments)
            assert.is_true(info.max_group >= 1 and info.multiple >= 1)
            assert.is_nil(info.required_group)
            assert.same({ 4, 2, 1 }, kernels.required:info().required_group)
            assert.same({ name = "tile", type = "int*", space = "local", dtype = "i32", bytes = 4 },
                kernels.reverse:info().arguments[3])
            assert.same({ name = "b", type = "float*", space = "constant", access = "read", dtype = "f32", bytes = 4 },
                kernels.add:info().arguments[2])
            assert.same({ name = "s", type = "record", space = "private", bytes = 12 }, kernels.own:info().arguments[3])
            assert.same({ name = "q", type = "quad", space = "private", dtype = "i32", bytes = 16 },
                kernels.own:info().arguments[2])
            assert.equal("lunarray.kernel: saxpy", tostring(kernels.saxpy))
            assert.equal("kernel", lun.type(kernels.saxpy))
        end)
    end)
end)
