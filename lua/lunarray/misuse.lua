-- Errors of the Lua side: raised at the user's line, under the name of the method that he called.

local core = require "lunarray.core"
core._own()

local misuse = {}

function misuse.raise(name, message, ...)
    core._raise(name, message:format(...))
end

-- What a value is, for messages; numbers as they are.
function misuse.kind_of(x)
    if x == nil then
        return "nothing"
    elseif math.type(x) then
        return tostring(x)
    end
    local kind = core.type(x) or type(x)
    return (kind:find "^[aeiou]" and "an " or "a ") .. kind
end

return misuse
