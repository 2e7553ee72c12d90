-- A strict reader of JSON, for specs: objects and lists become tables, and whatever is not JSON is an error.

local ESCAPES = { ['"'] = '"', ["\\"] = "\\", ["/"] = "/", b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }

local read_value

local function skip(text, at)
    return text:find("[^ \t\r\n]", at) or #text + 1
end

local function fail(at, wanted)
    error(("JSON: %s is needed at byte %d"):format(wanted, at))
end

local function read_string(text, at)
    local out = {}
    at = at + 1
    while true do
        local c = text:sub(at, at)
        if c == '"' then
            return table.concat(out), at + 1
        elseif c == "\\" then
            local hex = text:match("^u(%x%x%x%x)", at + 1)
            local plain = ESCAPES[text:sub(at + 1, at + 1)]
            out[#out + 1] = hex and utf8.char(tonumber(hex, 16)) or plain or fail(at, "an escape")
            at = at + (hex and 6 or 2)
        elseif c == "" or c:byte() < 32 then
            fail(at, "the end of a string")
        else
            out[#out + 1] = c
            at = at + 1
        end
    end
end

local function read_members(text, at, last, read_member)
    local out = {}
    at = skip(text, at + 1)
    if text:sub(at, at) == last then
        return out, at + 1
    end
    while true do
        at = skip(text, read_member(out, skip(text, at)))
        local c = text:sub(at, at)
        if c == last then
            return out, at + 1
        elseif c ~= "," then
            fail(at, "a comma or " .. last)
        end
        at = at + 1
    end
end

local function read_number(text, at)
    local whole = text:match("^%-?%d+", at) or fail(at, "a value")
    if whole:find "^%-?0%d" then
        fail(at, "a number without a leading 0")
    end
    local rest = text:match("^%.%d+", at + #whole) or ""
    local power = text:match("^[eE][+-]?%d+", at + #whole + #rest) or ""
    return tonumber(whole .. rest .. power), at + #whole + #rest + #power
end

function read_value(text, at)
    local c = text:sub(at, at)
    if c == '"' then
        return read_string(text, at)
    elseif c == "[" then
        return read_members(text, at, "]", function(out, from)
            local value, to = read_value(text, from)
            out[#out + 1] = value
            return to
        end)
    elseif c == "{" then
        return read_members(text, at, "}", function(out, from)
            if text:sub(from, from) ~= '"' then
                fail(from, "a name")
            end
            local name, to = read_string(text, from)
            to = skip(text, to)
            if text:sub(to, to) ~= ":" then
                fail(to, "a colon")
            end
            out[name], to = read_value(text, skip(text, to + 1))
            return to
        end)
    end
    for word, value in pairs { ["true"] = true, ["false"] = false } do
        if text:sub(at, at + #word - 1) == word then
            return value, at + #word
        end
    end
    return read_number(text, at)
end

return function(text)
    local value, at = read_value(text, skip(text, 1))
    if skip(text, at) <= #text then
        fail(at, "the end")
    end
    return value
end
