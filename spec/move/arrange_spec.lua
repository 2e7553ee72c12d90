-- Arranging and joining: views, and new arrays made of parts of others, against plain Lua for random shapes and views.

local lun = require "lunarray"
local arranging = require "spec.arranging"
local helper = require "spec.helper"
local numbers = require "spec.numbers"

-- As the dtype has it: models pad with whole numbers.
local function typed(flat, dtype)
    local list = {}
    for i, x in ipairs(flat) do
        list[i] = numbers.is_float(dtype) and x + 0.0 or x
    end
    return list
end

helper.each_device(function(dev, title)
    local dtypes = helper.dtypes(dev)

    local function check(array, dtype, model, what)
        helper.check_array(array, dtype, model.shape, typed(model.flat, dtype), 0, what)
    end

    -- Calls body(random, dtype) many times.
    local function often(count, seed, body)
        local random = numbers.generator(seed)
        for i = 1, count do
            body(random, dtypes[i % #dtypes + 1])
        end
    end

    -- An output of that shape that is no row-major memory, and what is around it.
    local function strided_out(shape, dtype)
        local wide = { table.unpack(shape) }
        for i, size in ipairs(wide) do
            wide[i] = size + 1
        end
        local frame, ranges = dev:full(wide, 5, dtype), {}
        for i, size in ipairs(shape) do
            ranges[i] = { size, 1, -1 }
        end
        return frame:slice(table.unpack(ranges, 1, #shape)), frame
    end

    -- Checks f(options), which makes an array, and the same into an output with strides of its own.
    local function check_made(f, dtype, model, what)
        check(f {}, dtype, model, what)
        local out, frame = strided_out(model.shape, dtype)
        assert.equal(out, f { out = out })
        check(out, dtype, model, (what or "") .. " into out")
        out:fill(5)
        local untouched = dev:full({ frame:shape() }, 5, dtype)
        assert.is_true(untouched:tobytes() == frame:tobytes(), "around out")
    end

    describe("views on " .. title, function()
        it("broadcast to a shape that is named by sizes or a list", function()
            local row = dev:arange(3, "i32")
            helper.check_array(row:broadcast(2, 3), "i32", { 2, 3 }, { 1, 2, 3, 1, 2, 3 })
            helper.check_array(row:reshape(3, 1):broadcast { 3, 2 }, "i32", { 3, 2 }, { 1, 1, 2, 2, 3, 3 })
            helper.check_array(dev:full({}, 7):broadcast(2, 2), "f32", { 2, 2 }, { 7.0, 7.0, 7.0, 7.0 })
            helper.check_array(row:broadcast(0, 3), "i32", { 0, 3 }, {})
            helper.check_array(dev:full({}, 7):broadcast(), "f32", {}, { 7.0 })
            assert.equal(3 * 10 * 4, row:broadcast(10, 3):nbytes())
            row:set(9, 1)
            assert.equal(9, row:broadcast(4, 3):get(4, 1))
        end)

        it("broadcast as the model does", function()
            often(60, 1, function(random, dtype)
                local a, x = arranging.some(dev, random, arranging.some_shape(random, random(0, 4)), dtype)
                local shape = { table.unpack(x.shape) }
                for i, size in ipairs(shape) do
                    shape[i] = size == 1 and random(0, 3) or size
                end
                for _ = 1, random(0, 2) do
                    table.insert(shape, 1, random(0, 3))
                end
                check(a:broadcast(shape), dtype, arranging.broadcast(x, shape))
            end)
        end)

        it("drop axes of size 1, all or some, and add them", function()
            local a = dev:arange(6, "i32"):reshape(1, 2, 1, 3)
            for _, case in ipairs {
                { a:squeeze(), { 2, 3 } }, { a:squeeze(1), { 2, 1, 3 } }, { a:squeeze(-2), { 1, 2, 3 } },
                { a:squeeze { 1, 3 }, { 2, 3 } }, { a:expand(1), { 1, 1, 2, 1, 3 } },
                { a:expand(-1), { 1, 2, 1, 3, 1 } }, { a:squeeze():expand { 1, 4 }, { 1, 2, 3, 1 } },
                { a:expand { 2, -1, 3 }, { 1, 1, 1, 2, 1, 3, 1 } }, { a:squeeze():squeeze(), { 2, 3 } },
            } do
                helper.check_array(case[1], "i32", case[2], { 1, 2, 3, 4, 5, 6 })
            end
            helper.check_array(dev:full({}, 7):squeeze(), "f32", {}, { 7.0 })
            helper.check_array(dev:full({}, 7):expand(1), "f32", { 1 }, { 7.0 })
            helper.check_array(dev:zeros({ 0, 1 }):squeeze(), "f32", { 0 }, {})
            a:t():squeeze():row(1):fill(0)
            helper.check_array(a:squeeze(), "i32", { 2, 3 }, { 0, 2, 3, 0, 5, 6 })
        end)

        it("flip one axis, several or all", function()
            often(60, 2, function(random, dtype)
                local a, x = arranging.some(dev, random, arranging.some_shape(random, random(1, 4)), dtype)
                local axis, all = random(1, #x.shape), {}
                for i = 1, #x.shape do
                    all[i] = i
                end
                check(a:flip(axis), dtype, arranging.flip(x, { axis }))
                check(a:flip(axis - #x.shape - 1), dtype, arranging.flip(x, { axis }))
                check(a:flip(), dtype, arranging.flip(x, all))
                check(a:flip { 1, #x.shape > 1 and -1 or nil }, dtype,
                    arranging.flip(x, { 1, #x.shape > 1 and #x.shape or nil }))
            end)
            local a = dev:arange(3, "i32")
            a:flip():set(9, 1)
            helper.check_array(a, "i32", { 3 }, { 1, 2, 9 })
        end)

        it("are a matrix's diagonals, which can be written", function()
            often(40, 3, function(random, dtype)
                local a, x = arranging.some(dev, random, arranging.some_shape(random, 2, 6), dtype)
                local k = random(-7, 7)
                check(a:diag(k), dtype, arranging.diag(x, k))
            end)
            local a = dev:zeros({ 3, 4 }, "i32")
            a:diag():fill(1)
            a:diag(1):write { 2, 3, 4 }
            a:diag(-2):fill(5)
            helper.check_array(a, "i32", { 3, 4 }, { 1, 2, 0, 0, 0, 1, 3, 0, 5, 0, 1, 4 })
            helper.check_array(a:diag(math.maxinteger), "i32", { 0 }, {})
            helper.check_array(a:diag(math.mininteger), "i32", { 0 }, {})
        end)

        it("are the parts of an array, one value each", function()
            local a = dev:arange(12, "i32"):reshape(2, 6)
            local x, y, z, none = a:split(3, 2)
            helper.check_array(x, "i32", { 2, 2 }, { 1, 2, 7, 8 })
            helper.check_array(y, "i32", { 2, 2 }, { 3, 4, 9, 10 })
            helper.check_array(z, "i32", { 2, 2 }, { 5, 6, 11, 12 })
            assert.is_nil(none)
            local parts = { a:split({ 1, 0, 5 }, -1) }
            assert.equal(3, #parts)
            helper.check_array(parts[2], "i32", { 2, 0 }, {})
            helper.check_array(parts[3], "i32", { 2, 5 }, { 2, 3, 4, 5, 6, 8, 9, 10, 11, 12 })
            assert.equal(2, select("#", a:split(2)))
            assert.equal(0, select("#", dev:zeros({ 0 }):split {}))
            assert.equal(3, select("#", dev:zeros({ 0 }):split(3)))
            y:fill(0)
            assert.equal(0, a:get(2, 3))
            helper.check_array(lun.concat({ a:split({ 2, 1, 3 }, 2) }, 2), "i32", { 2, 6 }, helper.flat(a))
            assert.equal(1000, select("#", dev:zeros({ 1000 }):split(1000)))
        end)

        it("of vectors make a grid, as x and y or as rows and columns", function()
            local x, y, z = dev:arange(3, "i32"), dev:arange(2, "f32"), dev:arange(1, "u8")
            local gx, gy = lun.meshgrid(x, y)
            helper.check_array(gx, "i32", { 2, 3 }, { 1, 2, 3, 1, 2, 3 })
            helper.check_array(gy, "f32", { 2, 3 }, { 1.0, 1.0, 1.0, 2.0, 2.0, 2.0 })
            gx, gy = lun.meshgrid(x, y, { sparse = true })
            assert.same({ { 1, #x }, { #y, 1 } }, { { gx:shape() }, { gy:shape() } })
            assert.is_true(gx:reshape(-1):equal(x) and gy:reshape(-1):equal(y))
            gx, gy = lun.meshgrid(x, y, { indexing = "ij" })
            helper.check_array(gx, "i32", { 3, 2 }, { 1, 1, 2, 2, 3, 3 })
            helper.check_array(gy, "f32", { 3, 2 }, { 1.0, 2.0, 1.0, 2.0, 1.0, 2.0 })
            local all = { lun.meshgrid(x, y, z, { indexing = "xy" }) }
            for _, grid in ipairs(all) do
                assert.same({ 2, 3, 1 }, { grid:shape() })
            end
            helper.check_array(lun.meshgrid(x), "i32", { 3 }, { 1, 2, 3 })
            helper.check_array(lun.meshgrid(x, dev:zeros { 0 }), "i32", { 0, 3 }, {})
            x:fill(7)
            assert.equal(7, gx:get(3, 2))
        end)
    end)

    describe("new arrays on " .. title, function()
        it("join others along an axis", function()
            often(60, 4, function(random, dtype)
                local shape = arranging.some_shape(random, random(1, 4))
                local axis, arrays, models = random(1, #shape), {}, {}
                for i = 1, random(1, 4) do
                    shape[axis] = random(0, 4)
                    arrays[i], models[i] = arranging.some(dev, random, { table.unpack(shape) }, dtype,
                        ({ 1, 3, 5 })[random(1, 3)])
                end
                check_made(function(options) return lun.concat(arrays, axis, options) end, dtype,
                    arranging.concat(models, axis))
                check(lun.concat(arrays, axis - #shape - 1), dtype, arranging.concat(models, axis))
            end)
            local a = dev:arange(2, "i32")
            helper.check_array(lun.concat { a, a }, "i32", { 4 }, { 1, 2, 1, 2 })
        end)

        it("join many, by one operation with one event", function()
            local list, expected = {}, {}
            for i = 1, 300 do
                list[i], expected[i] = dev:full({ 1 }, i, "i32"), i
            end
            local queue = dev:queue()
            local event = lun.concat(list, { async = true, queue = queue })
            helper.check_array(event:get(), "i32", { 300 }, expected)
            assert.is_true(event:profile().ended >= event:profile().started)
            helper.check_array(lun.stack(list, 2), "i32", { 1, 300 }, expected)
        end)

        it("that join several dtypes have the one that holds them all", function()
            local joined = lun.concat { dev:array({ -1 }, "i8"), dev:array({ 200 }, "u8") }
            helper.check_array(joined, "i16", { 2 }, { -1, 200 })
            joined = lun.stack { dev:array({ 1.5 }, "f16"), dev:array({ 7 }, "i32") }
            helper.check_array(joined, "f16", { 2, 1 }, { 1.5, 7.0 })
            joined = lun.concat { dev:array({ 1.5 }, "f16"), dev:array({ 2.5 }, "bf16") }
            helper.check_array(joined, "f32", { 2 }, { 1.5, 2.5 })
            for _, signed in ipairs { "i8", "i64" } do -- of u64 the same 64 bits, as arithmetic has it
                local u, i = dev:array({ -1, math.mininteger, 7 }, "u64"), dev:array({ -1, 2, 3 }, signed)
                helper.check_array(lun.concat { i, u }, "i64", { 6 }, { -1, 2, 3, -1, math.mininteger, 7 })
                helper.check_array(lun.stack({ u, i }, 2), "i64", { 3, 2 }, { -1, -1, math.mininteger, 2, 7, 3 })
                local out = dev:zeros({ 12 }, "i64"):slice { 1, 12, 2 }
                lun.concat({ u, i }, { out = out })
                helper.check_array(out, "i64", { 6 }, { -1, math.mininteger, 7, -1, 2, 3 })
            end
        end)

        it("stack others along a new axis", function()
            often(40, 5, function(random, dtype)
                local shape = arranging.some_shape(random, random(0, 4))
                local axis, arrays, models = random(1, #shape + 1), {}, {}
                for i = 1, random(1, 3) do
                    arrays[i], models[i] = arranging.some(dev, random, shape, dtype, ({ 1, 3, 5 })[random(1, 3)])
                end
                check_made(function(options) return lun.stack(arrays, axis, options) end, dtype,
                    arranging.stack(models, axis))
                check(lun.stack(arrays, axis - #shape - 2), dtype, arranging.stack(models, axis))
            end)
            local a = dev:arange(2, "i32")
            helper.check_array(lun.stack { a, a }, "i32", { 2, 2 }, { 1, 2, 1, 2 })
        end)

        it("repeat one in tiles", function()
            often(60, 6, function(random, dtype)
                local a, x = arranging.some(dev, random, arranging.some_shape(random, random(0, 4), 3), dtype)
                local times = {}
                for i = 1, random(0, 4) do
                    times[i] = random(1, 12) == 1 and 0 or random(1, 4)
                end
                check_made(function(options) return a:tile(times, options) end, dtype, arranging.tile(x, times))
            end)
            local a = dev:arange(2, "i32")
            helper.check_array(a:tile(2), "i32", { 4 }, { 1, 2, 1, 2 })
            assert.equal(3000, a:tile(1000):sum())
        end)

        it("have what they lose at one end at the other", function()
            often(60, 7, function(random, dtype)
                local a, x = arranging.some(dev, random, arranging.some_shape(random, random(1, 4), 5), dtype)
                local axes, shifts, by_axis, shift = {}, {}, {}, random(-9, 9)
                for axis = #x.shape, 1, -1 do
                    if random(1, 2) == 1 then
                        table.insert(axes, axis)
                        table.insert(shifts, random(-9, 9))
                        by_axis[axis] = shifts[#shifts]
                    end
                end
                if axes[1] then
                    check_made(function(options) return a:roll(shifts, axes, options) end, dtype,
                        arranging.roll(x, by_axis))
                end
                check(a:roll(shift, -1), dtype, arranging.roll(x, { [#x.shape] = shift }))
                check_made(function(options) return a:roll(shift, options) end, dtype, arranging.roll_flat(x, shift))
            end)
            local a = dev:arange(6, "i32"):reshape(2, 3)
            helper.check_array(a:roll(1, { 1, 2 }), "i32", { 2, 3 }, { 6, 4, 5, 3, 1, 2 })
            helper.check_array(a:roll(math.maxinteger, 2), "i32", { 2, 3 }, { 3, 1, 2, 6, 4, 5 })
            helper.check_array(dev:full({}, 7):roll(3), "f32", {}, { 7.0 })
        end)

        it("are padded, however wide the padding", function()
            for i, mode in ipairs { "constant", "edge", "wrap", "reflect", "symmetric" } do
                often(40, 7 + i, function(random, dtype)
                    local a, x = arranging.some(dev, random, arranging.some_shape(random, random(0, 3), 5), dtype)
                    local widths = {}
                    for axis, size in ipairs(x.shape) do
                        local most = size == 0 and mode ~= "constant" and 0 or ({ 1, 4, 14 })[random(1, 3)]
                        widths[axis] = { random(0, most), random(0, most) }
                    end
                    local value = mode == "constant" and random(0, 100) or nil
                    check_made(function(options)
                        options.mode, options.value = mode, value
                        return a:pad(widths, options)
                    end, dtype, arranging.pad(x, widths, mode, value), mode)
                end)
            end
            local a = dev:arange(2, "i32")
            helper.check_array(a:pad { { 1, 2 } }, "i32", { 5 }, { 0, 1, 2, 0, 0 })
            helper.check_array(a:pad(1, { value = -3 }), "i32", { 4 }, { -3, 1, 2, -3 })
            helper.check_array(dev:full({ 1 }, 1.5):pad(1, { value = math.huge }), "f32", { 3 },
                { math.huge, 1.5, math.huge })
        end)

        it("are padded by ramps, one axis after the other", function()
            local a = dev:array({ { 4, 9 }, { -3, 0 } }, "i32")
            helper.check_array(a:pad({ { 2, 0 }, { 0, 3 } }, { mode = "linear_ramp", value = 1 }), "i32", { 4, 5 },
                { 1, 1, 1, 1, 1, 2, 5, 3, 2, 1, 4, 9, 6, 3, 1, -3, 0, 0, 0, 1 })
            helper.check_array(dev:array({ 2, -4 }, "f16"):pad({ { 1, 4 } }, { mode = "linear_ramp" }), "f16", { 7 },
                { 0.0, 2.0, -4.0, -3.0, -2.0, -1.0, 0.0 })
            local z = dev:array({ lun.complex(3, -6) }, "c64"):pad({ { 3, 0 } }, { mode = "linear_ramp" })
            helper.check_array(z:imag(), "f32", { 4 }, { 0.0, -2.0, -4.0, -6.0 }, 1e-6)
            local out = dev:zeros({ 6, 4 }, "i32")
            local event = a:t():pad({ { 4, 0 }, { 1, 1 } }, { mode = "linear_ramp", out = out, async = true })
            assert.is_true(event:get():equal(a:pad({ { 1, 1 }, { 4, 0 } }, { mode = "linear_ramp" }):t()))
            assert.is_true(a:pad(0, { mode = "linear_ramp" }):equal(a))
        end)

        it("are the triangles of matrices and of batches of them #oclgrind", function()
            often(60, 12, function(random, dtype)
                local shape = arranging.some_shape(random, random(2, 4), 7)
                local a, x = arranging.some(dev, random, shape, dtype)
                local k = random(-8, 8)
                check_made(function(options) return a:tril(k, options) end, dtype,
                    arranging.triangle(x, function(i, j) return j - i <= k end))
                check_made(function(options) return a:triu(k, options) end, dtype,
                    arranging.triangle(x, function(i, j) return j - i >= k end))
            end)
            local a = dev:ones({ 2, 3 }, "i32")
            helper.check_array(a:tril(), "i32", { 2, 3 }, { 1, 0, 0, 1, 1, 0 })
            helper.check_array(a:triu(), "i32", { 2, 3 }, { 1, 1, 1, 0, 1, 1 })
            helper.check_array(a:tril(math.maxinteger), "i32", { 2, 3 }, { 1, 1, 1, 1, 1, 1 })
            helper.check_array(a:triu(math.maxinteger), "i32", { 2, 3 }, { 0, 0, 0, 0, 0, 0 })
            helper.check_array(a:tril(math.mininteger), "i32", { 2, 3 }, { 0, 0, 0, 0, 0, 0 })
            for _, dtype in ipairs { "u8", "i16", "f32", "f64" } do -- long rows, and in memory larger than a cache
                if dtype ~= "f64" or dev:info().fp64 then
                    local x = numbers.some(60 * 37, dtype)
                    local long = helper.array(dev, x, { 60, 37 }, dtype)
                    local model = { flat = x, shape = { 60, 37 } }
                    for _, k in ipairs { -58, -3, 0, 5, 36, 37 } do
                        check(long:tril(k), dtype, arranging.triangle(model, function(i, j) return j - i <= k end))
                        check(long:triu(k), dtype, arranging.triangle(model, function(i, j) return j - i >= k end))
                    end
                end
            end
            local large = dev:ones({ 6000, 5003 }, "i16")
            local part = large:slice({ 2, 6000 }, { 2, 5002 })
            assert.equal(5001 * 5002 // 2 + 998 * 5001, part:tril():sum())
            assert.equal(5001 * 5002 // 2, part:triu():sum())
            local wide = dev:ones { 300, 200 }
            assert.equal(200 * 201 / 2 + 100 * 200, wide:tril():sum())
            assert.equal(200 * 201 / 2, wide:triu():sum())
            assert.equal(200 * 201 / 2, wide:t():tril():sum())
        end)

        it("have a vector as a diagonal", function()
            often(30, 13, function(random, dtype)
                local a, x = arranging.some(dev, random, { random(0, 6) }, dtype)
                local k = random(-4, 4)
                check_made(function(options) return a:diag(k, options) end, dtype, arranging.diag(x, k))
            end)
        end)

        it("have as many axes as there can be", function()
            local shape = { 2, 1, 3, 1, 2, 2, 1, 3 }
            local random = numbers.generator(3)
            local a, x = arranging.some(dev, random, shape, "i16", 3)
            check(a:tile(2, 2, 2, 2, 1, 2, 2, 2), "i16", arranging.tile(x, { 2, 2, 2, 2, 1, 2, 2, 2 }))
            check(a:roll(1), "i16", arranging.roll_flat(x, 1))
            check(a:roll({ 1, 2, 1 }, { 1, 3, 8 }), "i16", arranging.roll(x, { 1, [3] = 2, [8] = 1 }))
            check(lun.concat({ a, a }, 8), "i16", arranging.concat({ x, x }, 8))
            local widths = { { 1, 0 }, { 0, 0 }, { 2, 2 }, { 0, 0 }, { 0, 1 }, { 0, 0 }, { 0, 0 }, { 1, 5 } }
            check(a:pad { mode = "reflect", table.unpack(widths) }, "i16", arranging.pad(x, widths, "reflect"))
            check(a:triu(), "i16", arranging.triangle(x, function(i, j) return j >= i end))
            check(lun.stack({ a:squeeze(2) }, 2), "i16", x)
        end)

        it("are called what their methods are", function()
            local a, async = dev:ones { 2, 2 }, { async = true }
            for name, event in pairs {
                tril = a:tril(async), triu = a:triu(async), tile = a:tile(2, async), roll = a:roll(1, async),
                pad = a:pad(1, async), diag = a:row(1):diag(async), concat = lun.concat({ a, a }, async),
                stack = lun.stack({ a, a }, async),
            } do
                event:wait()
                assert.equal(("lunarray.event: %s (complete)"):format(name), tostring(event))
            end
        end)

        it("are like another, but for what is named", function()
            local a = dev:arange(6, "i16"):reshape(2, 3):t()
            helper.check_array(a:zeros_like(), "i16", { 3, 2 }, { 0, 0, 0, 0, 0, 0 })
            helper.check_array(a:ones_like("f32"), "f32", { 3, 2 }, { 1.0, 1.0, 1.0, 1.0, 1.0, 1.0 })
            helper.check_array(a:full_like(7), "i16", { 3, 2 }, { 7, 7, 7, 7, 7, 7 })
            helper.check_array(a:full_like(7, { dtype = "u8" }), "u8", { 3, 2 }, { 7, 7, 7, 7, 7, 7 })
            helper.check_array(a:empty_like { dtype = "f32" }:fill(2), "f32", { 3, 2 },
                { 2.0, 2.0, 2.0, 2.0, 2.0, 2.0 })
            helper.check_array(dev:zeros({ 0, 2 }):ones_like(), "f32", { 0, 2 }, {})
            assert.equal("i16", a:empty_like():dtype())
            assert.equal(dev, a:zeros_like():device())
        end)
    end)
end)
