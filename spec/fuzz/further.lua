-- Random programs: random streams, statistics, running products and extremes, matrices' parts, changes in place,
-- segments, kernels, simulations, several events.

local lun = require "lunarray"
local arranging = require "spec.arranging"
local elementwise = require "spec.elementwise"
local numbers = require "spec.numbers"
local reference = require "spec.reference"

local KERNEL = [[
    kernel void advance(global int *x, int k, global const int *y)
    {
        const size_t i = get_global_id(0);
        x[i] = x[i] * k + y[i];
    }
]]

return function(steps)
    -- An array for which fits(m) holds, or a new one of that dtype and shape, with small numbers.
    local function some_or_new(w, fits, dtype, shape)
        local ok, m = pcall(w.some, w, fits)
        if ok then
            return m
        end
        local list = numbers.small(reference.size(shape), dtype, w.random(1, 9), 1, 20)
        return w:keep(w.dev:array(list, dtype):reshape(table.unpack(shape)), dtype, shape, list)
    end

    -- ---- random streams -------------------------------------------------------------------------------------------

    local DRAWS = {
        { "uniform", "f32" }, { "normal", "f32" }, { "exponential", "f32", { scale = 2 } },
        { "integers", "i16", -3, 5, least = -3, most = 5 }, { "poisson", "i32", { lambda = 3 }, least = 0, most = 60 },
        { "binomial", "i64", { n = 9, p = 0.25 }, least = 0, most = 9 }, { "gamma", "f32", { alpha = 0.5 }, least = 0 },
        { "laplace", "f64" }, { "geometric", "i32", { p = 0.5 }, least = 1, most = 200 },
    }

    -- The same stream gives the same again, wherever it runs.
    function steps.draw(w)
        local row, shape, seed = DRAWS[w.random(1, #DRAWS)], w:some_shape(), w.random(0, 1 << 40)
        local name, dtype = row[1], row[2]
        local function draw()
            local rng, options = w:call(w.dev, "rng", seed), w:options()
            for key, value in pairs(type(row[3]) == "table" and row[3] or {}) do
                options[key] = value
            end
            if row.least == -3 then
                return w:wait(options, w:call(rng, name, shape, row[3], row[4], dtype, options))
            end
            return w:wait(options, w:call(rng, name, shape, dtype, options))
        end
        local first, again = draw(), draw()
        local list = reference.flatten(first:totable())
        w.same(list, reference.flatten(again:totable()), "a stream's second time")
        for _, x in ipairs(list) do
            assert(x == x and x >= (row.least or -math.huge) and x <= (row.most or 1e6), "a number is out of range")
        end
        w:keep(first, dtype, shape, list)
    end

    function steps.permutation(w)
        local n = w.random(0, 40)
        local rng = w.dev:rng(w.random(0, 99))
        local state = w:call(rng, "state")
        local order = w:ask(nil, rng, "permutation", n)
        local list, seen = reference.flatten(order:totable()), {}
        for _, at in ipairs(list) do
            assert(at >= 1 and at <= n and not seen[at], "not a permutation")
            seen[at] = true
        end
        w.same(list, reference.flatten(lun.rng(state):permutation(n):totable()), "a permutation from a state")
        w:keep(order, "i64", { n }, list)
        local other = w:call(rng, "stream", w.random(1, 9))
        assert(lun.type(other) == lun.type(rng))
    end

    function steps.choice(w)
        local n, k, replace = w.random(1, 20), w.random(1, 9), w:chance(2)
        local options = w:options { replace = replace }
        local chosen = w:wait(options, w:call(w.dev:rng(w.random(0, 99)), "choice", n, replace and k or math.min(k, n),
            options))
        local list = reference.flatten(chosen:totable())
        for _, at in ipairs(list) do
            assert(at >= 1 and at <= n, "a choice is out of range")
        end
        w:keep(chosen, "i64", { #list }, list)
    end

    -- ---- statistics -----------------------------------------------------------------------------------------------

    -- Of f32 and f64, within the rounding of a sum of so few.
    local function some_floats(w, least)
        return some_or_new(w, function(m)
            return (m.dtype == "f32" or m.dtype == "f64") and #m.places >= least and w.is_within(m, 1000)
        end, "f32", { w.random(2, 20) })
    end

    function steps.statistics(w)
        local m = some_floats(w, 2)
        local list, options = w.values(m), w:options()
        local mean, squares, size = 0.0, 0.0, 0.0
        for _, x in ipairs(list) do
            mean, size = mean + x / #list, math.max(size, math.abs(x))
        end
        for _, x in ipairs(list) do
            squares = squares + (x - mean) ^ 2 / #list
        end
        local close = #list * 2.0 ^ -22 * (size + 2.0 ^ -100)
        w.same({ mean }, { w:wait(options, w:call(m.array, "mean", options)) }, "a mean", { close })
        w.same({ squares }, { w:ask(nil, m.array, "var") }, "a variance",
            { close * (size + 1) * 4 })
        local deviation = w:ask(nil, m.array, "std")
        assert(deviation >= 0 and math.abs(deviation ^ 2 - squares) <= close * (size + 1) * 4 + 2.0 ^ -20 * squares,
            "a deviation")
    end

    function steps.quantile(w)
        local m = some_floats(w, 1)
        local list, q = w.values(m), w.random(0, 4) / 4
        table.sort(list)
        local at = q * (#list - 1)
        local below, above = list[math.floor(at) + 1], list[math.min(math.floor(at) + 2, #list)]
        w.same({ below + (above - below) * (at - math.floor(at)) },
            { w:ask(nil, m.array, "quantile", q) }, "a quantile",
            { 2.0 ^ -21 * (math.abs(below) + math.abs(above)) + 2.0 ^ -126 })
    end

    function steps.without_nan(w)
        local m = some_or_new(w, function(m) return w.is_float(m) and #m.places > 0 end, "f32", { 7 })
        local most
        for _, x in ipairs(w.values(m)) do
            if x == x then
                most = math.max(most or x, x)
            end
        end
        if most then
            w.same({ most }, { w:ask(nil, m.array, "nanmax") }, "nanmax")
        end
        w:call(m.array, "nansum")
    end

    -- ---- scans and segments ---------------------------------------------------------------------------------------

    local COMBINE = {
        cumsum = function(a, b) return a + b end, cumprod = function(a, b) return a * b end, cummin = math.min,
        cummax = math.max,
    }
    local SCANS = { "cumsum", "cumprod", "cummin", "cummax" }

    function steps.scan(w)
        local name = SCANS[w.random(1, #SCANS)]
        local m = some_or_new(w, function(m)
            local kind = numbers.dtype[m.dtype].kind
            return #m.shape > 0 and (kind == "signed" or name == "cumsum" and kind == "unsigned")
        end, "i16", { 3, w.random(1, 9) })
        local axis, list, strides = w.random(1, #m.shape), w.values(m), reference.strides(m.shape)
        reference.each(m.shape, function(place, number)
            if place[axis] > 1 then
                list[number] = COMBINE[name](list[number - strides[axis]], list[number])
            end
        end)
        local dtype = name == "cumsum" and numbers.summed(m.dtype) or name == "cumprod" and "i64" or m.dtype
        w:keep(w:ask({ axis = axis }, m.array, name), dtype, m.shape, list)
    end

    function steps.segments(w)
        local m = some_or_new(w, function(m)
            return #m.shape == 1 and #m.places > 0 and numbers.dtype[m.dtype].kind == "signed"
        end, "i8", { w.random(1, 30) })
        local list, starts, sums = w.values(m), { 1 }, {}
        for _ = 1, w.random(1, 4) do
            starts[#starts + 1] = w.random(starts[#starts], #list + 1)
        end
        for i = 1, #starts - 1 do
            sums[i] = 0
            for at = starts[i], starts[i + 1] - 1 do
                sums[i] = sums[i] + list[at]
            end
        end
        w:keep(w:ask({ segments = w.dev:array(starts, "i32") }, m.array, "sum"), "i64", { #sums }, sums)
    end

    -- ---- making and arranging -------------------------------------------------------------------------------------

    function steps.diagonal(w)
        local m = some_or_new(w, function(m)
            return #m.shape == 1 and #m.places > 0 and #m.places < 12
        end, "u8", { 4 })
        local k = w.random(-2, 2)
        local x = w.with_zeros(m, arranging.diag(w.plain(m), k))
        local made = w:keep(w:call(m.array, "diag", k), m.dtype, x.shape, x.flat)
        w:view(made, w:call(made.array, "diag", k), function(y) return arranging.diag(y, k) end)
    end

    function steps.linspace(w)
        local from, count, list = w.random(-9, 9), w.random(1, 9), {}
        for i = 1, count do
            list[i] = from + (i - 1) * 0.5
        end
        w:keep(w:ask(nil, w.dev, "linspace", from, list[count], count, "f32"), "f32", { count },
            list)
    end

    function steps.grid(w)
        local function is_line(m) return #m.shape == 1 and #m.places < 20 end
        local a, b = some_or_new(w, is_line, "i32", { 3 }), some_or_new(w, is_line, "i32", { 4 })
        local rows, columns, x, y = #b.places, #a.places, {}, {}
        for i = 0, rows * columns - 1 do
            x[i + 1], y[i + 1] = a.cells[a.places[i % columns + 1]], b.cells[b.places[i // columns + 1]]
        end
        local one, two = w:module("meshgrid", a.array, b.array)
        w.same(x, reference.flatten(one:totable()), "the first of a grid")
        w.same(y, reference.flatten(two:totable()), "the second of a grid")
    end

    -- ---- in place -------------------------------------------------------------------------------------------------

    -- An array that is all of its memory, in order.
    local function is_whole(m)
        for i, place in ipairs(m.places) do
            if i ~= place then
                return false
            end
        end
        return #m.places == #m.cells
    end

    function steps.transpose_in_place(w)
        local m = some_or_new(w, function(m) return #m.shape == 2 and is_whole(m) end, "i32", { 2, 7 })
        local flat, shape = reference.transpose(w.values(m), m.shape)
        w:ask(nil, m.array, "transpose_")
        w.assign(m, flat)
        m.shape = shape
    end

    local INTEGERS = {}
    for name in pairs(elementwise.integer) do
        INTEGERS[#INTEGERS + 1] = name
    end
    table.sort(INTEGERS)

    function steps.unary_in_place(w)
        local m = w:some_out()
        local list, options = w.values(m), w:options()
        local name, f = "neg", nil
        if not w.is_float(m) then
            name = INTEGERS[w.random(1, #INTEGERS)]
            f = elementwise.integer[name]
        elseif w:chance(2) then
            name = "abs"
        end
        f = f or elementwise.real[name][1]
        for i, x in ipairs(list) do
            list[i] = w.is_float(m) and f(x) or numbers.wrap(f(x, numbers.dtype[m.dtype]), m.dtype)
        end
        w:wait(options, w:call(m.array, name .. "_", options))
        w.assign(m, list)
    end

    function steps.three(w)
        local m = some_or_new(w, function(m) return numbers.dtype[m.dtype].kind == "signed" end, "i32", { 5 })
        local list, k, c = w.values(m), w.random(-3, 3), w.random(0, 5)
        for i, x in ipairs(list) do
            list[i] = numbers.wrap(x * k + c, m.dtype)
        end
        w:gives(m, "fma", { k, c }, m.dtype, m.shape, list)
    end

    -- ---- kernels, events, simulations -----------------------------------------------------------------------------

    function steps.kernel(w)
        local m = some_or_new(w, function(m)
            return m.dtype == "i32" and #m.places > 0 and is_whole(m)
        end, "i32", { 3, 3 })
        local program <close> = w:call(w.dev, "program", KERNEL, { check = true })
        local kernel <close> = w:call(program, "kernel", "advance")
        local k, list, other = w.random(-3, 3), w.values(m), w:some_numbers(#m.places, "i32")
        for i, x in ipairs(list) do
            list[i] = numbers.wrap(x * k + other[i], "i32")
        end
        local y, options = w.dev:array(other, "i32"), w:options { global = #list }
        w:wait(options, w:call(kernel, "run", options, m.array, k, y))
        w.assign(m, list)
    end

    function steps.events(w)
        local m = w:some()
        local events = {}
        for i = 1, w.random(1, 4) do
            events[i] = m.array:copy { async = true, queue = w:some_queue() }
        end
        local which = w:module("wait_any", events)
        assert(which >= 1 and which <= #events)
        w:module("wait_all", events)
        w:call(events[1], "profile")
        w:keep(events[#events]:get(), m.dtype, m.shape, w.values(m))
    end

    function steps.simulation(w)
        local n = w.random(2, 5)
        local pos = w.dev:array(numbers.small(4 * n, "f32", 3, 1, 50), "f32", { n, 4 })
        local options = { dt = 0.125, softening = 1, integrator = w:chance(2) and "yoshida4" or nil }
        local sim <close> = w:module("simulation", pos, w.dev:zeros { n, 4 }, options)
        w:call(sim, "step", w.random(1, 3))
        assert(w:call(sim, "time") > 0 and math.type(w:call(sim, "energy")) == "float")
        w:call(sim, "momentum")
    end
end
