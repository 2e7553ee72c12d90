-- The commands of random sequences that sort and count.

return function(commands, tools)
    local function sorted(list, descending)
        local copy = table.move(list, 1, #list, 1, {})
        table.sort(copy, function(a, b) return descending and a > b or not descending and a < b end)
        return copy
    end

    -- A list's positions in the order that sorts it.
    local function order_of(list)
        local order = {}
        for i = 1, #list do
            order[i] = i
        end
        table.sort(order, function(i, j) return list[i] < list[j] or list[i] == list[j] and i < j end)
        return order
    end

    -- The rows of a flat list.
    local function rows_of(list, columns)
        local rows = {}
        for first = 1, #list, columns do
            rows[#rows + 1] = table.move(list, first, first + columns - 1, 1, {})
        end
        return rows
    end

    function commands.sort(w)
        local from, axis, descending = w:some_view(nil, tools.few), w.random(1, 2), w.random(1, 2) == 1
        local to = w:some_view(from.shape, from.root.dtype, from)
        if not to then
            return
        end
        w:note("sort", tools.label(from), "to", tools.label(to), "axis", axis)
        w:call({ from }, { to }, function(options)
            options.out, options.axis, options.descending = to.array, axis, descending
            return from.array:sort(options)
        end)
        local list, rows, columns = tools.values(from), from.shape[1], from.shape[2]
        local step, count = axis == 1 and columns or 1, from.shape[axis]
        for first = 1, axis == 1 and columns or rows do
            local at, line = axis == 1 and first or (first - 1) * columns + 1, {}
            for i = 1, count do
                line[i] = list[at + (i - 1) * step]
            end
            for i, x in ipairs(sorted(line, descending)) do
                list[at + (i - 1) * step] = x
            end
        end
        tools.assign(to, list)
    end

    function commands.order(w)
        local view, positions, largest = w:some_view(nil, tools.few), {}, {}
        for _, row in ipairs(rows_of(tools.values(view), view.shape[2])) do
            table.move(order_of(row), 1, #row, #positions + 1, positions)
            largest[#largest + 1] = sorted(row)[#row]
        end
        w:note("order", tools.label(view))
        local event = w:call({ view }, {}, function(options) return view.array:argsort(options) end, false)
        w:expect(function() tools.same(positions, tools.elements(event:get():totable()), "an order") end)
        local most = w:call({ view }, {}, function(options) return view.array:topk(1, options) end, false)
        w:expect(function() tools.same(largest, tools.elements((most:get()):totable()), "the largest") end)
    end

    function commands.median(w)
        local view = w:some_view(nil, tools.few)
        local list = sorted(tools.values(view))
        local below, above = list[(#list + 1) // 2] + 0.0, list[#list // 2 + 1] + 0.0 -- integers would wrap
        local half = above - (above - below) * 0.5
        w:note("median", tools.label(view))
        local event = w:call({ view }, {}, function(options) return view.array:median(options) end, false)
        w:expect(function() tools.same({ half }, { event:get() }, "a median") end)
    end

    function commands.histogram(w)
        local view, counts = w:some_view(nil, tools.few), { 0, 0, 0, 0 }
        for _, x in ipairs(tools.values(view)) do
            if x >= -8 and x <= 8 then
                local bin = math.min((x + 8) // 4, 3) + 1
                counts[bin] = counts[bin] + 1
            end
        end
        w:note("histogram", tools.label(view))
        local event = w:call({ view }, {}, function(options)
            options.bins, options.low, options.high = 4, -8, 8
            return view.array:histogram(options)
        end, false)
        w:expect(function() tools.same(counts, tools.elements((event:get()):totable()), "a histogram") end)
    end

    function commands.unique(w)
        local view, found = w:some_view(nil, tools.few), {}
        for _, x in ipairs(sorted(tools.values(view))) do
            found[#found + 1] = x ~= found[#found] and x or nil
        end
        w:note("unique", tools.label(view))
        w.settle()
        local values = w:call({ view }, {}, function(options) return view.array:unique(options) end, true)
        w:expect(function() tools.same(found, tools.elements(values:totable()), "distinct values") end)
        local at = {}
        for i, x in ipairs(tools.values(view)) do
            for position, y in ipairs(found) do
                at[i] = x == y and position or at[i]
            end
        end
        local event = w:call({ view }, {}, function(options) return values:searchsorted(view.array, options) end, false)
        w:expect(function() tools.same(at, tools.elements(event:get():totable()), "where values belong") end)
    end
end
