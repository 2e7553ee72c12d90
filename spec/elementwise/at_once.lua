-- Several functions of the same arguments, computed by few kernels.

local lun = require "lunarray"

local EACH = 8 -- functions of a kernel

-- What the functions of those names give of the arguments, arrays or numbers, by name. `options` are the calls'.
return function(names, options, ...)
    local all, given = {}, table.pack(...)
    given[given.n + 1] = options
    for from = 1, #names, EACH do
        local some = { table.unpack(names, from, math.min(from + EACH - 1, #names)) }
        local results = { lun.fuse(function(x, ...)
            local list = {}
            for i, name in ipairs(some) do
                list[i] = x[name](x, ...)
            end
            return table.unpack(list)
        end)(table.unpack(given, 1, given.n + (options and 1 or 0))) }
        for i, name in ipairs(some) do
            all[name] = results[i]
        end
    end
    return all
end
