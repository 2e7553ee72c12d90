-- The command of random sequences that scans.

return function(commands, tools)
    function commands.scan(w)
        local from = w:some_view()
        local to = w:some_view(from.shape, "i64", from)
        if to then
            local axis, reverse, exclusive = w.random(1, 2), w.random(0, 1) == 1, w.random(0, 1) == 1
            w:note("scan", tools.label(from), "to", tools.label(to), "axis", tostring(axis))
            w:call({ from }, { to }, function(options)
                options.out, options.axis, options.reverse, options.exclusive = to.array, axis, reverse, exclusive
                return from.array:cumsum(options)
            end)
            local list, rows, columns = tools.values(from), from.shape[1], from.shape[2]
            for line = 1, axis == 1 and columns or rows do
                local sum, count = 0, axis == 1 and rows or columns
                for i = reverse and count or 1, reverse and 1 or count, reverse and -1 or 1 do
                    local at = axis == 1 and (i - 1) * columns + line or (line - 1) * columns + i
                    local before = sum
                    sum = sum + list[at]
                    list[at] = exclusive and before or sum
                end
            end
            tools.assign(to, list)
        end
    end
end
