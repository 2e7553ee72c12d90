-- Random programs: positions and masks, sorting and counting.

local lun = require "lunarray"
local numbers = require "spec.numbers"
local reference = require "spec.reference"

return function(steps)
    local function is_ordered(w, m)
        for _, x in ipairs(w.values(m)) do
            if x ~= x then
                return false
            end
        end
        return true
    end

    local function less(m)
        return numbers.dtype[m.dtype].kind == "unsigned" and math.ult or function(x, y) return x < y end
    end

    -- Positions in the order that sorts a list, equal elements as they came.
    local function order_of(list, before)
        local order = {}
        for i = 1, #list do
            order[i] = i
        end
        table.sort(order, function(i, j)
            return before(list[i], list[j]) or not before(list[j], list[i]) and i < j
        end)
        return order
    end

    -- An array of one axis or more whose last axis has elements; its rows along that axis.
    local function rows_of(w, fits)
        local m = w:some(function(m)
            return #m.shape > 0 and #m.places > 0 and #m.places < 400 and (not fits or fits(m)) and is_ordered(w, m)
        end)
        local list, rows, n = w.values(m), {}, m.shape[#m.shape]
        for first = 1, #list, n do
            rows[#rows + 1] = table.move(list, first, first + n - 1, 1, {})
        end
        return m, rows
    end

    -- ---- sorting --------------------------------------------------------------------------------------------------

    function steps.sort(w)
        local m, rows = rows_of(w)
        local values, positions = {}, {}
        for _, row in ipairs(rows) do
            for _, i in ipairs(order_of(row, less(m))) do
                values[#values + 1], positions[#positions + 1] = row[i], i
            end
        end
        if w:chance(2) then
            w:gives(m, "sort", {}, m.dtype, m.shape, values)
        else
            w:gives(m, "argsort", {}, "i64", m.shape, positions)
        end
    end

    function steps.topk(w)
        local m, rows = rows_of(w)
        local k, values = w.random(0, m.shape[#m.shape]), {}
        local before = less(m)
        for _, row in ipairs(rows) do
            local order = order_of(row, function(x, y) return before(y, x) end)
            for i = 1, k do
                values[#values + 1] = row[order[i]]
            end
        end
        local options, shape = w:options(), table.move(m.shape, 1, #m.shape, 1, {})
        shape[#shape] = k
        w:keep(w:wait(options, w:call(m.array, "topk", k, options)), m.dtype, shape, values)
    end

    function steps.unique(w)
        local m = rows_of(w)
        local list, found = w.values(m), {}
        for _, i in ipairs(order_of(list, less(m))) do
            if #found == 0 or found[#found] ~= list[i] then
                found[#found + 1] = list[i]
            end
        end
        local array = w:call(m.array, "unique")
        local kept = w:keep(array, m.dtype, { #found }, found)
        local at = {}
        for i, x in ipairs(list) do
            for j, y in ipairs(found) do
                at[i] = x == y and j or at[i]
            end
        end
        w:keep(w:ask(nil, kept.array, "searchsorted", m.array), "i64", m.shape, at)
    end

    function steps.median(w)
        local m = rows_of(w, function(m) return m.dtype == "i16" or m.dtype == "f32" end)
        local list, options = w.values(m), w:options()
        local order = order_of(list, less(m))
        local below, above = list[order[(#order + 1) // 2]] + 0.0, list[order[#order // 2 + 1]] + 0.0
        local half = below == above and below or below + (above - below) / 2
        w.same({ half }, { w:wait(options, w:call(m.array, "median", options)) }, "a median",
            { 2 ^ -22 * math.abs(half) + 2.0 ^ -126 })
    end

    function steps.sort_by(w)
        local m = rows_of(w, function(m) return #m.shape == 1 end)
        local list, values = w.values(m), {}
        for i, at in ipairs(order_of(list, less(m))) do
            values[i] = list[at]
        end
        w:keep(w:module("sort_by", m.array, m.array), m.dtype, m.shape, values)
    end

    function steps.bincount(w)
        local n = w.random(1, 40)
        local list, counts = numbers.small(n, "i32", w.random(1, 9), 1, 6), { 0, 0, 0, 0, 0, 0 }
        for _, x in ipairs(list) do
            counts[x] = counts[x] + 1
        end
        local m = w:keep(w.dev:array(list, "i32"), "i32", { n }, list)
        w:keep(w:ask({ size = 6 }, m.array, "bincount"), "i64", { 6 }, counts)
        local bins = { counts[1], counts[2] + counts[3], counts[4] + counts[5] + counts[6] }
        w:keep(w:ask({ bins = 3, low = 0, high = 6 }, m.array, "histogram"), "i64", { 3 }, bins)
    end

    -- ---- positions and masks --------------------------------------------------------------------------------------

    -- A new array of positions 1..most.
    local function some_index(w, shape, most)
        local list, dtype = {}, w:chance(2) and "i32" or "i64"
        for i = 1, reference.size(shape) do
            list[i] = w.random(1, most)
        end
        return w:keep(w.dev:array(list, dtype, shape), dtype, shape, list), list
    end

    function steps.take(w)
        local m = w:some(function(m) return #m.places > 0 end)
        local shape = { w.random(1, 4), w.random(1, 3) }
        local index, positions = some_index(w, shape, #m.places)
        local list, values = w.values(m), {}
        for i, at in ipairs(positions) do
            values[i] = list[at]
        end
        w:gives(m, "take", { index.array, other = index }, m.dtype, shape, values)
    end

    function steps.put(w)
        local m = w:some_out()
        if #m.places == 0 then
            return
        end
        local index, positions = some_index(w, { w.random(1, 9) }, #m.places)
        local x, options = w:some_number(m.dtype), w:options()
        if w:chance(2) or w.is_float(m) then
            w:wait(options, w:call(m.array, "put", index.array, x, options))
            for _, at in ipairs(positions) do
                m.cells[m.places[at]] = x
            end
        else
            w:wait(options, w:call(m.array, "add_at", index.array, x, options))
            for _, at in ipairs(positions) do
                local place = m.places[at]
                m.cells[place] = numbers.wrap(m.cells[place] + x, m.dtype)
            end
        end
    end

    function steps.mask(w)
        local m = w:some()
        local mask = w:some_out("u8", m.shape, m)
        if not mask then
            return
        end
        local chosen, values, truths = {}, w.values(m), w.values(mask)
        for i, x in ipairs(values) do
            if truths[i] ~= 0 then
                chosen[#chosen + 1] = x
            end
        end
        w:keep(w:ask(nil, m.array, "mask", mask.array), m.dtype, { #chosen }, chosen)
    end

    function steps.mask_put(w)
        local m = w:some_out()
        local mask = w:some_out("u8", m.shape, m)
        if mask then
            local x, options = w:some_number(m.dtype), w:options()
            w:wait(options, w:call(m.array, "mask_put", mask.array, x, options))
            for i, truth in ipairs(w.values(mask)) do
                if truth ~= 0 then
                    m.cells[m.places[i]] = x
                end
            end
        end
    end

    function steps.nonzero(w)
        local m = w:some(function(m) return #m.shape > 0 end)
        local list = {}
        reference.each(m.shape, function(place, number)
            if m.cells[m.places[number]] ~= 0 then
                list[#list + 1] = place[#place]
            end
        end)
        local positions = { w:call(m.array, "nonzero") }
        assert(#positions == #m.shape and lun.type(positions[1]) == "array")
        w:keep(positions[#positions], "i64", { #list }, list)
    end
end
