-- Errors of the Lua side: raised at the user's line, under the name of the method that he called.

local core = require "lunarray.core"
core._own()

local misuse = {}

function misuse.raise(name, message, ...)
    core._raise(name, misuse.text(message, ...))
end

-- As string.format, with a point in numbers whatever the locale.
function misuse.text(format, ...)
    return (core._plain(string.format, format, ...))
end

-- What an object of the library's is that is a Lua table; nil: it is not one. src/lua asks its metatable, too.
local function kind_of_object(x)
    local class = type(x) == "table" and getmetatable(x)
    return type(class) == "table" and rawget(class, "__kind") or nil
end

-- What a value is, for messages; numbers as they are.
function misuse.kind_of(x)
    if x == nil then
        return "nothing"
    elseif math.type(x) then
        return misuse.text("%s", x)
    end
    local kind = core.type(x) or type(x)
    return kind_of_object(x) or (kind:find "^[aeiou]" and "an " or "a ") .. kind
end

-- The same, and texts as they are, shortened.
function misuse.value_of(x)
    return type(x) == "string" and misuse.text("\"%s\"", x:sub(1, 40)) or misuse.kind_of(x)
end

-- Is it a table of the user's, and no object of the library's that is made of one?
function misuse.is_table(x)
    return type(x) == "table" and not kind_of_object(x)
end

-- A number that is whole, as an integer; nil or false: it is not one. Lua's own math.tointeger takes texts, too.
function misuse.whole(x)
    return math.type(x) and math.tointeger(x)
end

-- An array that is asked for, which may have been released; `what` names its place in the call.
function misuse.check_array(name, what, a)
    if core.type(a) ~= "array" then
        misuse.raise(name, "%s: an array is needed, got %s%s", what, misuse.kind_of(a),
            misuse.is_table(a) and "; lun.array makes an array of a table" or "")
    elseif not core._is_live(a) then
        misuse.raise(name, "%s: the array was released", what)
    end
    return a
end

-- What a function of the user's gave, `wanted` in words; it may have released that, or the arrays that it was given.
function misuse.check_given(name, what, given, wanted, ...)
    if core.type(given) ~= "array" then
        misuse.raise(name, "%s returned %s; %s is needed", what, misuse.kind_of(given), wanted)
    elseif not core._is_live(given) then
        misuse.raise(name, "%s returned an array that was released", what)
    end
    for i = 1, select("#", ...) do
        if not core._is_live((select(i, ...))) then
            misuse.raise(name, "%s released an array that was passed to it", what)
        end
    end
end

-- "3x4", or "()" where there are no axes.
function misuse.shape_of(array)
    return array:ndim() == 0 and "()" or table.concat({ array:shape() }, "x")
end

-- The module comes first where a function of it was called with a colon.
function misuse.check_dot(name, first)
    if first == core then
        misuse.raise(name, "argument 1 is the module: it is called with a dot, lun.%s(...)", name)
    end
end

-- A function, or what is called as one; `wanted` in words.
function misuse.check_function(name, position, f, wanted)
    misuse.check_dot(name, position == 1 and f)
    if type(f) ~= "function" and not (getmetatable(f) or {}).__call then
        misuse.raise(name, "argument %d: %s is needed, got %s", position, wanted or "a function", misuse.kind_of(f))
    end
end

-- Raises if anything but nil is behind the last argument.
function misuse.check_end(name, last, ...)
    for i = 1, select("#", ...) do
        local more = select(i, ...)
        if more ~= nil then
            local wanted = last == 0 and "no argument" or "nothing after argument " .. last
            misuse.raise(name, "argument %d: %s is needed, got %s", last + i, wanted, misuse.kind_of(more))
        end
    end
end

-- A string in the place of options is the dtype.
function misuse.dtype_option(options)
    return type(options) == "string" and { dtype = options } or options
end

-- Options are a table, or left out, with these names. Gives a table in any case.
function misuse.check_options(name, position, options, known)
    if options ~= nil and not misuse.is_table(options) then
        misuse.raise(name, "argument %d: a table of options is needed, got %s", position, misuse.kind_of(options))
    end
    for key in pairs(options or {}) do
        local found = false
        for _, one in ipairs(known) do
            found = found or one == key
        end
        if not found then
            misuse.raise(name, "unknown option '%s'; known are %s", misuse.text("%s", key), table.concat(known, ", "))
        end
    end
    return options or {}
end

-- Lengths of bodies, which are an option's array, are finite and 0 or more.
function misuse.check_lengths(name, option, array)
    local good <close> = array:ge(0):land(array:isfinite())
    if #array > 0 and not good:all() then
        local body = good:argmin()
        local length = array:get(body)
        misuse.raise(name, "option '%s': finite numbers from 0 are needed, and that of body %d is %s", option, body,
            length == length and length or "NaN")
    end
end

return misuse
