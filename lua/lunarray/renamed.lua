-- Names that have gone: they stay for one version more, in which the first call by each in a process warns and names
-- the new one.

local core = require "lunarray.core"
core._own()

-- Adds the old names of rows {old name, new name, the release from which the new one is,
-- of = "array" | "device" | "module"}.
return function(rows)
    for _, row in ipairs(rows) do
        local old, new, release = table.unpack(row)
        local warned = false
        local function tell()
            if not warned then
                warned = true
                warn(("lunarray: %s is called %s since %s; the old name will be removed in the "
                    .. "next version"):format(old, new,
                    release))
            end
        end
        if row.of == "module" then
            core[old] = function(...)
                tell()
                return core[new](...)
            end
        else
            core._method(old, function(self, ...)
                tell()
                return self[new](self, ...)
            end, row.of == "device" and "device" or nil)
        end
    end
end
