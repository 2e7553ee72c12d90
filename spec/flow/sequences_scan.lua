-- The command of random sequences that scans.

local numbers = require "spec.numbers"

return function(commands, tools)
    function commands.scan(w)
        local from = w:some_view(nil, tools.few)
        local to = w:some_view(from.shape, from.root.dtype, from)
        if to then
            local axis, reverse, exclusive = w.random(1, 2), w.random(0, 1) == 1, w.random(0, 1) == 1
            local own = not exclusive and w.random(0, 1) == 1 -- an operator without identity
            w:note(own and "own scan" or "scan", tools.label(from), "to", tools.label(to), "axis", tostring(axis))
            w:call({ from }, { to }, function(options)
                options.out, options.axis, options.reverse, options.exclusive = to.array, axis, reverse, exclusive
                if own then
                    options.combine = "a > b ? a : b"
                    return from.array:scan(options)
                end
                return from.array:cummax(options)
            end)
            local list, rows, columns = tools.values(from), from.shape[1], from.shape[2]
            local count = axis == 1 and rows or columns
            for line = 1, #list // count do
                local greatest = numbers.dtype[from.root.dtype].low
                for i = reverse and count or 1, reverse and 1 or count, reverse and -1 or 1 do
                    local at = axis == 1 and (i - 1) * columns + line or (line - 1) * columns + i
                    local before = greatest
                    greatest = math.max(greatest, list[at])
                    list[at] = exclusive and before or greatest
                end
            end
            tools.assign(to, list)
        end
    end
end
