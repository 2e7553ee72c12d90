-- Counts words and phrases of this project's old English where people read: in pages, in the texts of rows and in
-- messages. The field's terms and plain verbs say the same. For `make lint`: lua5.4 tools/words.lua
--
-- A line of `refused` is a Lua pattern of lower-case text, and what to write instead. %f[%a] and %f[%A] are the two
-- ends of a word.

local refused = {
    { "%f[%a]stands?%f[^%a-]", "is stored, is listed, comes", but = { "stands? for" } },
    { "%f[%a]stood%f[%A]", "was" },
    { "%f[%a]tells?%f[%A]", "reports, describes, shows" },
    { "%f[%a]told%f[%A]", "reported, raised" },
    { "%f[%a]mend%a*", "fix, correct" },
    { "%f[%a]are? wanted", "is needed" },
    { "is wanted", "is needed" },
    { "bytes wanted", "bytes needed" },
    { "%f[%a]wants%f[%A]", "needs, requires, takes" },
    { "%f[%a]words?%f[%A]", "operation, method, function", but = { "words used", "four words", "two words",
        "five words", "whole words", "many words", "number of words", "or words", "alignment: words", "in words of",
        "of its words", "gives .* words" } },
    { "%f[%a]midst%f[%A]", "among, within" },
    { "what has%f[%A]", "name the thing" },
    { "it is none%f[%A]", "it is not one" },
    { "%f[%a]is none%f[%A]", "is not one", but = { "there is none" } },
    { "has not%f[^%a ]", "does not have" },
    { "have not%f[^%a ]", "do not have" },
    { "has not an?%f[%A]", "does not have" },
    { "%f[%a]makes of%f[%A]", "computes from" },
    { "comes? to an end", "ends" },
    { "so many%f[%A]", "name the number" },
    { "%f[%a]goe?s? with%f[%A]", "needs, is for, works with", but = { "goes with the change" } },
    { "%f[%a]goe?s? without%f[%A]", "does not work with" },
    { "has no more%f[%A]", "does not have" },
    { "%f[%a]in the place of%f[%A]", "instead of, for" },
    { "%f[%a]brings? back%f[%A]", "copy back, return" },
    { "brought back%f[%A]", "copied back" },
    { "taken off%f[%A]", "subtracted, removed" },
    { "as it stays", "is not changed" },
    { "stays as it is", "is not changed" },
    { "so that it has to%f[%A]", "so it must" },
    { "%f[%a]spoils?%f[%A]", "affects, makes NaN" },
    { "%f[%a]is looked at", "is checked, is read" },
    { "%f[%a]are looked at", "are checked, are read" },
    { "how many there are", "the number of" },
    { "by somebody%f[%A]", "name who" },
    { "%f[%a]somebody%f[%A]", "name who" },
    { "on the way%f[%A]", "during, meanwhile" },
    { "which no %a+ has", "that does not exist" },
    { "what becomes of", "what happens to" },
    { "%f[%a]is no power", "is not a power" },
    { "%f[%a]are no whole numbers", "are not integers" },
    { "whatever it is", "name it" },
    { "known on the device", "supported on the device" },
    { "do not go together", "cannot be combined" },
    { "one at least is needed", "at least one is needed" },
    { "at least are needed", "at least n are needed" },
    { "%f[%a]is no number%f[%A]", "is not a number" },
    { "%f[%a]are no methods%f[%A]", "are not methods" },
    { "%f[%a]gives nothing%f[%A]", "returns nothing" },
    { "%f[%a]is asked for%f[%A]", "is given, is read" },
    { "%d came%f[%A]", "got n" },
    { "%%%a+ came%f[%A]", "got n" },
}

local function lines_of(path)
    local file = assert(io.open(path))
    local text = file:read "a"
    file:close()
    return text
end

local function list(command)
    local pipe = assert(io.popen(command))
    local paths = {}
    for path in pipe:lines() do
        paths[#paths + 1] = path
    end
    pipe:close()
    return paths
end

local found = 0
local function check(path, number, text)
    text = text:lower()
    for _, row in ipairs(refused) do
        local from, to = text:find(row[1])
        local allowed = false
        for _, pattern in ipairs(from and row.but or {}) do
            allowed = allowed or text:find(pattern)
        end
        if from and not allowed then
            found = found + 1
            print(("%s:%d: '%s'; write: %s"):format(path, number, text:sub(from, to), row[2]))
        end
    end
end

-- Pages: all lines outside blocks of code.
for _, path in ipairs(list "ls README.md doc/*.md examples/*.md") do
    local number, code = 0, false
    for line in (lines_of(path) .. "\n"):gmatch "(.-)\n" do
        number = number + 1
        if line:find "^```" then
            code = not code
        elseif not code and not line:find "^    " then
            check(path, number, (line:gsub("`[^`]*`", "")))
        end
    end
end

-- Rows and messages: texts in quotes that have a space.
for _, path in ipairs(list "find src lua octave -type f | grep -E '[.]([ch]|cc|def|lua|m)$' | sort") do
    local number = 0
    for line in (lines_of(path) .. "\n"):gmatch "(.-)\n" do
        number = number + 1
        if not line:find "^%s*#include" and not line:find "^%%!" then
            for text in line:gsub("\\.", ""):gmatch '"([^"]*)"' do
                if text:find " " then
                    check(path, number, text)
                end
            end
        end
    end
end

os.exit(found == 0)
