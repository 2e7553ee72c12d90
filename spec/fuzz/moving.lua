-- Random programs: arrays are made, seen through views, arranged, moved to the host and back, kept in files.

local lun = require "lunarray"
local arranging = require "spec.arranging"
local numbers = require "spec.numbers"
local reference = require "spec.reference"
local slicing = require "spec.slicing"

return function(steps)
    -- ---- making ---------------------------------------------------------------------------------------------------

    function steps.array(w)
        local shape, dtype = w:some_shape(), w:some_dtype()
        local flat = w:some_numbers(reference.size(shape), dtype)
        local data = flat
        if w:chance(3) and #flat > 0 then
            data = w.dev:array(flat, dtype):tobytes()
        end
        if #shape > 0 then
            w:keep(w:ask({ shape = shape }, w.dev, "array", data, dtype), dtype, shape, flat)
        end
    end

    function steps.full(w)
        local shape, dtype = w:some_shape(), w:some_dtype()
        local x, count = w:some_number(dtype), reference.size(shape)
        local name = ({ "full", "zeros", "ones" })[w.random(1, 3)]
        local options = w:options { dtype = dtype }
        local array
        if name == "full" then
            array = w:wait(options, w:call(w.dev, name, shape, x, options))
        else
            x = numbers.cast(name == "ones" and 1 or 0, "i64", dtype)
            array = w:wait(options, w:call(w.dev, name, shape, options))
        end
        w:keep(array, dtype, shape, w.repeated(x, count))
    end

    function steps.range(w)
        local from, step, count = w.random(-9, 9), w.random(1, 3), w.random(1, 30)
        local list = {}
        for i = 1, count do
            list[i] = from + (i - 1) * step
        end
        local array = w:ask(nil, w.dev, "arange", from, from + (count - 1) * step, step, "i32")
        w:keep(array, "i32", { count }, list)
    end

    function steps.eye(w)
        local n, dtype, list = w.random(0, 6), w:some_dtype(), {}
        for i = 1, n * n do
            list[i] = numbers.cast((i - 1) // n == (i - 1) % n and 1 or 0, "i64", dtype)
        end
        w:keep(w:call(w.dev, "eye", n, dtype), dtype, { n, n }, list)
    end

    function steps.random(w)
        local shape = w:some_shape()
        local count, seed = reference.size(shape), w.random(0, 1 << 40)
        local made = w:call(w.dev, "randint", shape, -3, 5, "i16", { seed = seed })
        local list = reference.flatten(made:totable())
        for _, x in ipairs(list) do
            assert(x >= -3 and x <= 5, "a random number is out of range")
        end
        assert(#list == count)
        w:keep(made, "i16", shape, list)
        w:call(w.dev, w:chance(2) and "random" or "normal", shape, { seed = seed, dtype = "f32" })
    end

    function steps.like(w)
        local m = w:some()
        local name = ({ "zeros_like", "ones_like", "full_like" })[w.random(1, 3)]
        local x, options = name == "ones_like" and 1 or name == "full_like" and w.random(0, 9) or 0, w:options()
        local array
        if name == "full_like" then
            array = w:wait(options, w:call(m.array, name, x, options))
        else
            array = w:wait(options, w:call(m.array, name, options))
        end
        w:keep(array, m.dtype, m.shape, w.repeated(numbers.cast(x, "i64", m.dtype), #m.places))
    end

    -- ---- views ----------------------------------------------------------------------------------------------------

    function steps.slice(w)
        local m, parts = w:some(function(m) return #m.shape > 0 and #m.places > 0 end), {}
        for axis, size in ipairs(m.shape) do
            local kind = w.random(1, 3)
            parts[axis] = kind == 1 and {} or kind == 2 and slicing.some_range(w.random, size) or w.random(1, size)
        end
        local array = w:call(m.array, "slice", table.unpack(parts))
        w:view(m, array, function(x)
            local places, shape = slicing.sliced(x.flat, x.shape, parts)
            return { flat = places, shape = shape }
        end)
    end

    function steps.transposed(w)
        local m = w:some()
        if #m.shape == 2 then
            w:view(m, w:call(m.array, "t"), function(x)
                local flat, shape = reference.transpose(x.flat, x.shape)
                return { flat = flat, shape = shape }
            end)
        end
    end

    function steps.reshape(w)
        local m = w:some()
        local count, places, even = #m.places, m.places, true
        for i = 3, count do
            even = even and places[i] - places[i - 1] == places[2] - places[1]
        end
        local array = w:call(m.array, "reshape", count)
        if even then
            w:view(m, array, function(x) return { flat = x.flat, shape = { #x.flat } } end)
        else -- a copy
            w:keep(array, m.dtype, { count }, w.values(m))
        end
    end

    function steps.axes(w)
        local m = w:some()
        local shape = table.move(m.shape, 1, #m.shape, 1, {})
        if w:chance(2) and #shape < 6 then
            local axis = w.random(1, #shape + 1)
            table.insert(shape, axis, 1)
            w:view(m, w:call(m.array, "expand", axis), function(x) return { flat = x.flat, shape = shape } end)
        else
            local left = {}
            for _, size in ipairs(shape) do
                left[#left + 1] = size ~= 1 and size or nil
            end
            w:view(m, w:call(m.array, "squeeze"), function(x) return { flat = x.flat, shape = left } end)
        end
    end

    function steps.flip(w)
        local m = w:some(function(m) return #m.shape > 0 end)
        local axis = w.random(1, #m.shape)
        w:view(m, w:call(m.array, "flip", axis), function(x) return arranging.flip(x, { axis }) end)
    end

    function steps.broadcast(w)
        local m = w:some(function(m) return #m.places > 0 and #m.places < 50 and #m.shape < 4 end)
        local shape = table.move(m.shape, 1, #m.shape, 2, { w.random(1, 3) })
        w:view(m, w:call(m.array, "broadcast", shape), function(x) return arranging.broadcast(x, shape) end)
    end

    function steps.split(w)
        local m = w:some(function(m) return #m.shape > 0 and m.shape[1] > 0 end)
        local at = w.random(1, m.shape[1])
        local parts = { w:call(m.array, "split", m.shape[1], 1) }
        w:view(m, parts[at], function(x) return arranging.part(x, 1, at - 1, 1) end)
    end

    -- ---- new arrangements -----------------------------------------------------------------------------------------

    local function arranged(w, m, name, arguments, x)
        w:gives(m, name, arguments, m.dtype, x.shape, x.flat)
    end

    function steps.copy(w)
        local m = w:some()
        arranged(w, m, "copy", {}, w.plain(m))
    end

    function steps.contiguous(w)
        local m = w:some()
        local array = w:ask(nil, m.array, "contiguous")
        w.same(w.values(m), reference.flatten(array:totable()), "contiguous")
    end

    function steps.transpose(w)
        local m = w:some(function(m) return #m.shape > 0 end)
        local axes = {}
        for i = 1, #m.shape do
            table.insert(axes, w.random(1, i), i)
        end
        local flat, shape = reference.transpose(w.values(m), m.shape, axes)
        w:gives(m, "transpose", { axes }, m.dtype, shape, flat)
    end

    function steps.roll(w)
        local m = w:some(function(m) return #m.shape > 0 end)
        local axis, shift = w.random(1, #m.shape), w.random(-9, 9)
        arranged(w, m, "roll", { shift, axis }, arranging.roll(w.plain(m), { [axis] = shift }))
    end

    function steps.tile(w)
        local m = w:some(function(m) return #m.shape > 0 and #m.places < 60 end)
        local times = {}
        for i = 1, #m.shape do
            times[i] = w.random(1, 3)
        end
        if #m.shape < 4 then
            arranged(w, m, "tile", { times }, arranging.tile(w.plain(m), times))
        end
    end

    function steps.pad(w)
        local m = w:some(function(m) return #m.shape > 0 and #m.shape < 4 and #m.places < 80 and #m.places > 0 end)
        local widths = {}
        for i = 1, #m.shape do
            widths[i] = { w.random(0, 2), w.random(0, 2) }
        end
        local x = arranging.pad(w.plain(m), widths, "constant", numbers.cast(0, "i64", m.dtype))
        arranged(w, m, "pad", { widths }, x)
    end

    function steps.triangle(w)
        local m = w:some(function(m) return #m.shape >= 2 end)
        local k, name = w.random(-2, 2), w:chance(2) and "tril" or "triu"
        local x = arranging.triangle(w.plain(m), function(i, j) return name == "tril" and j - i <= k
            or name == "triu" and j - i >= k end)
        arranged(w, m, name, { k }, w.with_zeros(m, x))
    end

    function steps.concat(w)
        local m = w:some(function(m) return #m.shape > 0 and #m.places < 200 end)
        local axis, other = w.random(1, #m.shape), w:some_out(m.dtype, m.shape, m) or m
        local x = arranging.concat({ w.plain(m), w.plain(other) }, axis)
        local options = w:options()
        w:keep(w:wait(options, w:module("concat", { m.array, other.array }, axis, options)), m.dtype, x.shape, x.flat)
        x = arranging.stack({ w.plain(m), w.plain(other) }, axis)
        w:keep(w:module("stack", { m.array, other.array }, axis), m.dtype, x.shape, x.flat)
    end

    -- ---- to the host and back -------------------------------------------------------------------------------------

    function steps.fill(w)
        local m = w:some_out()
        local x, options = w:some_number(m.dtype), w:options()
        w:wait(options, w:call(m.array, "fill", x, options))
        w.assign(m, w.repeated(x, #m.places))
    end

    function steps.write(w)
        local m = w:some_out()
        local list, options = w:some_numbers(#m.places, m.dtype), w:options()
        if #m.shape > 0 and #list > 0 then
            local data = w:chance(2) and reference.nest(list, m.shape) or w.dev:array(list, m.dtype):tobytes()
            w:wait(options, w:call(m.array, "write", data, options))
            w.assign(m, list)
        end
    end

    function steps.write_array(w)
        local m = w:some()
        local to = w:some_out(nil, m.shape, m)
        if to then
            local list, options = w.values(m), w:options()
            for i, x in ipairs(list) do
                list[i] = numbers.cast(x, m.dtype, to.dtype)
            end
            w:wait(options, w:call(to.array, "write", m.array, options))
            w.assign(to, list)
        end
    end

    function steps.set(w)
        local m = w:some_out()
        if #m.places > 0 then
            local at, index = w.random(1, #m.places), {}
            local left = at - 1
            for axis = #m.shape, 1, -1 do
                index[axis], left = left % m.shape[axis] + 1, left // m.shape[axis]
            end
            local x = w:some_number(m.dtype)
            w:call(m.array, "set", x, table.unpack(index))
            m.cells[m.places[at]] = x
            w.same({ x }, { w:call(m.array, "get", table.unpack(index)) }, "get")
        end
    end

    function steps.read(w)
        local m, options = w:some(), w:options()
        local kind = w.random(1, 3)
        if kind == 1 then
            local bytes = w:wait(options, w:call(m.array, "tobytes", options))
            assert(#bytes == m.array:nbytes() and #bytes == #m.places * numbers.dtype[m.dtype].bytes)
        elseif kind == 2 then
            w.same(w.values(m), reference.flatten(w:wait(options, w:call(m.array, "totable", options))), "totable")
        else
            assert(tostring(m.array):find "^array ")
        end
        assert(w:call(m.array, "size") == #m.places and w:call(m.array, "ndim") == #m.shape)
    end

    function steps.host(w)
        local m = w:some_out()
        local host <close> = w:call(m.array, "host", "rw")
        assert(#host == #m.places)
        for i, x in ipairs(w.values(m)) do
            w.same({ x }, { host[i] }, "a mapping")
        end
        if #host > 0 then
            local at, x = w.random(1, #host), w:some_number(m.dtype)
            host[at] = x
            m.cells[m.places[at]] = x
        end
    end

    function steps.file(w)
        local m = w:some(function(m) return m.dtype ~= "bf16" end)
        w:call(m.array, "save", w.path)
        w:keep(w:module("load", w.path), m.dtype, m.shape, w.values(m))
        w:module("savez", w.path, { a = m.array, n = 3 })
        local members = w:module("load", w.path)
        w.same(w.values(m), reference.flatten(members.a:totable()), "an archive")
    end

    -- ---- devices, queues, lifetimes -------------------------------------------------------------------------------

    function steps.release(w)
        local at = w.random(1, #w.pool)
        if #w.pool > 6 then
            local m = table.remove(w.pool, at)
            w:call(m.array, "release")
        end
    end

    function steps.scope(w)
        local m = w:some()
        local kept = lun.scope(function()
            local copies = { m.array:copy(), m.array:copy(), m.array:copy() }
            return copies[w.random(1, 3)]
        end)
        w:keep(kept, m.dtype, m.shape, w.values(m))
    end

    function steps.device(w)
        local kind = w.random(1, 6)
        if kind == 1 then
            w:call(w.dev, "trim")
        elseif kind == 2 then
            w:call(w.dev, "finish")
        elseif kind == 3 then
            local memory = w:call(w.dev, "memory")
            assert(memory.live >= 0 and memory.live <= memory.peak and memory.live <= memory.limit)
        elseif kind == 4 then
            collectgarbage()
        elseif kind == 5 then
            w:call(w.dev, "variants", "reduce")
        else
            w:call(w.dev, "info")
        end
    end

    function steps.queue(w)
        local at = w.random(1, #w.queues)
        local event = w:call(w.queues[at], "event")
        local queue = w:call(w.dev, "queue")
        w.queues[at]:release()
        w.queues[at] = queue
        w:call(event, "wait", 10)
    end
end
