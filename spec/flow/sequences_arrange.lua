-- The commands of random sequences that arrange arrays.

local lun = require "lunarray"

return function(commands, tools)
    -- Runs f(options), which arranges elements of the views `from` into one of that shape; nothing where there are no
    -- views. pick(i, j) says which view stands in row i and column j of the result, and with which row and column of
    -- its own; nil: a 0 stands there.
    local function arrange(w, name, from, shape, f, pick)
        local to = from[1] and w:some_view(shape, from[1].root.dtype, table.unpack(from))
        if to then
            w:note(name, tools.label(from[1]), "to", tools.label(to))
            w:call(from, { to }, function(options)
                options.out = to.array
                return f(options)
            end)
            local list, all = {}, {}
            for i, view in ipairs(from) do
                all[i] = tools.values(view)
            end
            for i = 1, shape[1] do
                for j = 1, shape[2] do
                    local which, row, column = pick(i, j)
                    list[#list + 1] = which and all[which][(row - 1) * from[which].shape[2] + column] or 0
                end
            end
            tools.assign(to, list)
        end
    end

    function commands.roll(w)
        local from, down, right = w:some_view(), w.random(-7, 7), w.random(-7, 7)
        local rows, columns = from.shape[1], from.shape[2]
        arrange(w, "roll", { from }, from.shape, function(options)
            return from.array:roll({ down, right }, { 1, 2 }, options)
        end, function(i, j) return 1, (i - 1 - down) % rows + 1, (j - 1 - right) % columns + 1 end)
    end

    function commands.tril(w)
        local from, k = w:some_view(), w.random(-3, 3)
        arrange(w, "tril", { from }, from.shape, function(options) return from.array:tril(k, options) end,
            function(i, j) return j - i <= k and 1 or nil, i, j end)
    end

    function commands.concat(w)
        local above = w:some_view({ 1, tools.size })
        local below = above and w:some_view({ 1, tools.size }, above.root.dtype)
        arrange(w, "concat", below and { above, below } or {}, { 2, tools.size }, function(options)
            return lun.concat({ above.array, below.array }, 1, options)
        end, function(i, j) return i, 1, j end)
    end

    function commands.tile(w)
        local row = w:some_view({ 1, tools.size })
        arrange(w, "tile", { row }, { 3, tools.size }, function(options) return row.array:tile(3, 1, options) end,
            function(_, j) return 1, 1, j end)
    end

    function commands.pad(w)
        local row = w:some_view({ 1, tools.size })
        arrange(w, "pad", { row }, { 3, tools.size }, function(options)
            return row.array:pad({ { 1, 1 }, { 0, 0 } }, options)
        end, function(i, j) return i == 2 and 1 or nil, 1, j end)
    end
end
