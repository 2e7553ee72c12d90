-- The command of random sequences that sorts arrays.

return function(commands, tools)
    function commands.sort(w)
        local from, axis, descending = w:some_view(), w.random(1, 2), w.random(1, 2) == 1
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
            table.sort(line, function(a, b) return descending and a > b or not descending and a < b end)
            for i = 1, count do
                list[at + (i - 1) * step] = line[i]
            end
        end
        tools.assign(to, list)
    end
end
