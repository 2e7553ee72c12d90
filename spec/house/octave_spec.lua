-- The package for Octave: each message and identifier that its own files raise is read by one of its tests, which
-- `make test-octave` runs.

local helper = require "spec.helper"

-- What no test can raise, and why.
local UNSEEN = {
    ["%s: out of memory"] = "of the host's own memory",
    ["arrayfun: more than %s paths through the function"] = "arrayfun.m then calls the function for each element",
    ["arrayfun: more than %s conditions one after the other"] = "the same",
    ["%s: the function is called for each element"] = "the same",
    ["arrayfun: a result is a %s of %s, expected one number"] = "the same",
    ["arrayfun: result %s is not computed from the arguments by operators and elementwise functions"] = "the same",
    ["arrayfun: the elements are only on the device: the function may use only operators, elementwise functions, max, "
        .. "min, mod and rem"] = "the same",
    ["lunarray:ways"] = "the same",
    ["gpuDevice: an array was made on another device before, %s"] = "it needs two devices",
}

local function read(pattern)
    local texts = {}
    local pipe <close> = assert(io.popen("ls " .. pattern))
    for path in pipe:lines() do
        texts[#texts + 1] = helper.read_file(path)
    end
    return "\n" .. table.concat(texts, "\n")
end

-- The messages, with %s for whatever a format has, and the identifiers that the package raises.
local function raised()
    local own = read "octave/inst/*.m octave/inst/@lunarray/*.m octave/inst/@lunarray/private/*.m"
    own = own:gsub("\n[#%%][^\n]*", "")
    local text = (read "src/octave/*.cc src/octave/*.h" .. own .. read "tools/octave.lua")
        :gsub('"[ \\]*\n%s*"', ""):gsub('\\"', "\1"):gsub("\1(lunarray:%l+)\1, \1", '"%1", "'):gsub("\1%);", '");')
    local messages, identifiers = {}, {}
    local function add(message)
        if message and message:find "%l+ %l" then
            messages[#messages + 1] = message:gsub("\1", '"'):gsub("\\\\", "\\"):gsub("%%[lz]*%a", "%%s")
        end
    end
    for call in text:gmatch "error[%w_]* ?(%b())" do
        local rest = call:gsub("^%(%s*[\"'][%a]+:[%a-]+[\"'],%s*", "(")
        add(rest:match '^%("([^"]*)"' or rest:match "^%('([^']*)'")
    end
    for message in text:gmatch 'text_of%([^,]*, "([^"]*)"%)' do
        add(message)
    end
    for identifier in text:gmatch '"(lunarray:%l+)"' do
        identifiers[identifier] = true
    end
    for identifier in text:gmatch '"(Octave:[%l-]+)"' do
        identifiers[identifier] = true
    end
    return messages, identifiers
end

-- What the tests read: pieces of messages, and identifiers.
local function seen()
    local tests = read("octave/inst/test/*.tst octave/inst/*.m octave/inst/@lunarray/*.m src/octave/*.cc "
        .. "tools/octave_ends.sh")
    local pieces, identifiers = {}, {}
    local function add(pattern)
        for piece in (pattern:gsub("\\(%p)", "%1") .. ".*"):gmatch "(.-)%.%*" do
            pieces[#pieces + 1] = piece
        end
    end
    for pattern in tests:gmatch "%%!error <(.-[^\\])>%s" do
        add(pattern)
    end
    for piece in tests:gmatch 'strfind %(err.message, "(.-)"%)' do
        add(piece)
    end
    for identifier in tests:gmatch "%%!error id=([%a:-]+)" do
        identifiers[identifier] = true
    end
    for identifier in tests:gsub("strcmp %(id,", "err.identifier,"):gmatch 'err.identifier, "([%a:-]+)"' do
        identifiers[identifier] = true
    end
    return pieces, identifiers
end

-- How many of a message's own letters a piece of what it says has, or 0 if it cannot say that.
local function fit(message, piece)
    local letters, best = {}, {} -- best[i]: of what was read up to letter i
    for letter in message:gsub("%%s", "\0"):gmatch "." do
        letters[#letters + 1] = letter
    end
    for i = 1, #letters + 1 do
        best[i] = 0
    end
    for letter in piece:gmatch "." do
        local after = {}
        for i = #letters, 1, -1 do
            if letters[i] == "\0" then
                after[i] = best[i]
            end
            if letters[i] == letter and best[i] then
                after[i + 1] = math.max(after[i + 1] or 0, best[i] + 1)
            end
        end
        for i = 1, #letters do
            if letters[i] == "\0" and after[i] then
                after[i + 1] = math.max(after[i + 1] or 0, after[i])
            end
        end
        best = after
    end
    local most = 0
    for _, count in pairs(best) do
        most = math.max(most, count)
    end
    return most
end

describe("Octave's package", function()
    it("has a test for each of its messages", function()
        local messages, pieces = raised(), seen()
        local there = {}
        for _, piece in ipairs(pieces) do -- a piece reads the message that it fits best, of several the shortest
            local most, whose = 7, nil
            for _, message in ipairs(messages) do
                local count = fit(message, piece)
                if count > most or (count == most and whose and #message < #whose) then
                    most, whose = count, message
                end
            end
            there[whose or ""] = true
        end
        local missing = {}
        for _, message in ipairs(messages) do
            if not there[message] and not UNSEEN[message] then
                missing[#missing + 1] = message
            end
        end
        assert.same({}, missing)
        assert.is_true(#messages > 60)
    end)

    it("has a test for each of its identifiers", function()
        local _, identifiers = raised()
        local _, there = seen()
        local missing = {}
        for identifier in pairs(identifiers) do
            if not there[identifier] and not UNSEEN[identifier] then
                missing[#missing + 1] = identifier
            end
        end
        assert.same({}, missing)
    end)

    it("has a test that calls each of MATLAB's functions on the page, and counts them", function()
        local page = helper.read_file "doc/octave.md"
        local tests = read "octave/inst/test/*.tst octave/inst/*.m octave/inst/@lunarray/*.m"
        local given, partly, missing = 0, 0, {}
        local function count(names, add)
            for name in names:gmatch "%S+" do
                add()
                if not tests:find("%%![^\n]*%f[%w_]" .. name .. "%f[^%w_]") then
                    missing[#missing + 1] = name
                end
            end
        end
        count(page:match "\n| `([^`]*)` | y |", function() given = given + 1 end)
        for names in page:gmatch "\n| `([%w ]+)` | partly" do
            count(names, function() partly = partly + 1 end)
        end
        assert.same({}, missing)
        assert.is_truthy(page:find(("%d give the same (y), %d partly"):format(given, partly), 1, true))
        assert.is_nil(page:find "\n| `[%w ]+` | no")
    end)
end)
