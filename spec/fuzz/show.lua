-- An argument as a report of random calls shows it.

local lun = require "lunarray"

local NAMES = { string = function(x) return ("%q"):format(#x > 30 and x:sub(1, 30) or x) end }

local function show(x, depth)
    depth = depth or 0
    local kind = lun.type(x)
    if kind == "array" then
        local ok, shape = pcall(function() return x:dtype() .. " " .. table.concat({ x:shape() }, "x") end)
        return ok and "<" .. shape .. ">" or "<released>"
    elseif kind or type(x) ~= "table" then
        return kind or NAMES[type(x)] and NAMES[type(x)](x) or tostring(x)
    elseif depth > 2 then
        return "{...}"
    end
    local parts = {}
    for key, value in pairs(x) do
        parts[#parts + 1] = (math.type(key) and "" or tostring(key) .. " = ") .. show(value, depth + 1)
        if #parts > 8 then
            break
        end
    end
    return "{" .. table.concat(parts, ", ") .. "}"
end

return show
