-- What a script on the command line needs: options, messages to the user, an output folder.

local script = {}

-- Ends the script with a message and status 1; the state is closed, so that device memory goes back.
function script.fail(name, message, ...)
    io.stderr:write(name, ": ", message:format(...), "\n")
    os.exit(1, true)
end

local function find(spec, key)
    for _, option in ipairs(spec) do
        if option.name == key then
            return option
        end
    end
end

local function known(spec)
    local names = {}
    for _, option in ipairs(spec) do
        names[#names + 1] = "--" .. option.name
    end
    return table.concat(names, " ") .. " --help"
end

function script.usage(spec)
    local command = spec.command or "lua5.4 " .. spec.name .. ".lua"
    local lines = { "usage: " .. command .. " [options]", spec.about, "" }
    for _, option in ipairs(spec) do
        local left = "--" .. option.name .. " " .. option.value
        local default = option.default and (" (%s)"):format(option.default) or ""
        local help = option.choices and option.help .. ": " .. table.concat(option.choices, " ") or option.help
        lines[#lines + 1] = ("  %-18s %s%s"):format(left, help, default)
    end
    lines[#lines + 1] = ("  %-18s %s"):format("--help", "show this")
    return table.concat(lines, "\n") .. "\n"
end

-- The number that a text stands for, or nil and what the option needs instead.
local function to_number(option, text)
    local value = tonumber(text)
    if not value or value ~= value or math.abs(value) == math.huge then
        return nil, "a number"
    elseif option.integer and not math.tointeger(value) then
        return nil, "a whole number"
    elseif option.positive and value <= 0 then
        return nil, "greater than 0"
    elseif option.min and value < option.min then
        return nil, ("at least %g"):format(option.min)
    elseif option.max and value > option.max then
        return nil, ("at most %g"):format(option.max)
    elseif option.power_of_two and (value < 1 or math.tointeger(value) & math.tointeger(value) - 1 ~= 0) then
        return nil, "a power of two"
    end
    return option.integer and math.tointeger(value) or value
end

-- The one of the option's choices that a text is, or nil and what the option needs instead.
local function to_choice(option, text)
    for _, choice in ipairs(option.choices) do
        if choice == text then
            return text
        end
    end
    return nil, "one of " .. table.concat(option.choices, " ")
end

local function convert(spec, option, text)
    local read = option.choices and to_choice or type(option.default) == "number" and to_number
    if not read then
        return text
    end
    local value, wanted = read(option, text)
    if not value then
        script.fail(spec.name, "--%s must be %s, not '%s'", option.name, wanted, text)
    end
    return value
end

-- Reads `--name value` and `--name=value` from the list `arguments`.
-- spec: name and about of the script, its command where that is no `lua5.4 NAME.lua`, and a list of options, each with
-- name, value (the word for it in the help), help, default; for words choices, a list of them; for numbers integer,
-- positive, min, max, power_of_two (of whole ones). An option whose default is a number is a number. Gives a table
-- from option names to values. --help prints the usage and ends the script; so does a bad option.
function script.options(arguments, spec)
    local values = {}
    for _, option in ipairs(spec) do
        values[option.name] = option.default
    end
    local at = 1
    while at <= #arguments do
        local word = arguments[at]
        if word == "--help" or word == "-h" then
            io.write(script.usage(spec))
            os.exit(0, true)
        end
        local key, text = word:match("^%-%-([%w_-]+)=(.*)$")
        key = key or word:match("^%-%-([%w_-]+)$")
        local option = key and find(spec, key)
        if not option then
            script.fail(spec.name, "unknown option '%s'; known are %s", word, known(spec))
        end
        if not text then
            at = at + 1
            text = arguments[at]
        end
        if not text or text == "" then
            script.fail(spec.name, "--%s needs a value: %s", key, option.value)
        end
        values[key] = convert(spec, option, text)
        at = at + 1
    end
    return values
end

-- Runs main and turns an error into a message, without a traceback: for a script's user, not its author.
function script.run(name, main, ...)
    local ok, problem = pcall(main, ...)
    if not ok then
        script.fail(name, "%s", tostring(problem))
    end
end

-- The device of the option --device: `selector` is its text, or nil for the best one. Where there is none, the user is
-- told what there is, and the script ends.
function script.device(name, selector)
    local ok, device = pcall(require("lunarray").device, selector)
    if not ok then
        local reason = tostring(device):gsub("^.-lunarray: device: ", "")
        script.fail(name, "%s%s", selector and "--device: " or "", reason)
    end
    return device
end

-- Quotes a word for the POSIX shell.
function script.quote(word)
    return "'" .. word:gsub("'", "'\\''") .. "'"
end

-- Makes a folder, with its parents, if it is not there. Raises where that cannot be.
function script.folder(path)
    if not os.execute("mkdir -p -- " .. script.quote(path) .. " 2> /dev/null") then
        error(("cannot make the folder '%s'"):format(path), 0)
    end
    return path
end

return script
