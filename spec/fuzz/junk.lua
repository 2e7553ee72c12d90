-- Arguments that are wrong, most often: a call that is right is spoiled in one place, and what comes must be an error
-- of lunarray's at the caller's own line, or a call that is right as well.

local lun = require "lunarray"

local junk = {}

-- ---- values -------------------------------------------------------------------------------------------------------

local function proxy(length)
    return setmetatable({}, { __len = function() return length end, __index = function() return 1 end })
end

local CYCLE = {}
CYCLE[1] = CYCLE

-- Of every kind that Lua has. `false` stands for nil too.
local PLAIN = {
    true, false, 0, -1, 1, 2, 7, 9, 1.5, -0.0, 0 / 0, math.huge, -math.huge, math.maxinteger, math.mininteger, 1 << 31,
    1 << 32, 1 << 53, 1e300, 1e-300, "", "f32", "i8", "u64", "float32", "sum", "max", "leapfrog", "\0", ("x"):rep(5000),
    "1", "%s%n", {}, { 1 }, { 0 }, { -1 }, { 1, 2, 3 }, { { 1, 2 }, { 3 } }, { {} }, { 1, x = 2 }, { x = 1 },
    { 1 << 40, 1 << 40 }, { "sum", "max" }, { 1, 1, 1, 1, 1, 1, 1, 1, 1 }, CYCLE, proxy(3), proxy(-1), print, io.stdout,
    coroutine.create(print), lun,
}

-- A value of any kind; of w's objects too.
function junk.value(w)
    local kind = w.random(1, 8)
    if kind == 1 then
        return w:some().array
    elseif kind == 2 then
        return w.objects[w.random(1, #w.objects)]
    end
    return PLAIN[w.random(1, #PLAIN)] or nil
end

-- ---- calls --------------------------------------------------------------------------------------------------------

-- All options that any method has, and one that none has.
local OPTIONS, seen = { "nosuchoption" }, {}
for _, operation in ipairs(lun.device():operations()) do
    for _, option in ipairs(operation.options) do
        if not seen[option.name] then
            seen[option.name] = true
            OPTIONS[#OPTIONS + 1] = option.name
        end
    end
end

local function copied(list)
    local copy = {}
    for key, value in pairs(list) do
        copy[key] = value
    end
    return setmetatable(copy, getmetatable(list))
end

-- A table with one thing changed: an element, a key that is new, a key that is gone; at some depth.
local function spoiled_table(w, list)
    local copy, keys = copied(list), {}
    for key in pairs(list) do
        if not tostring(key):find "^_" then -- what an object keeps for itself
            keys[#keys + 1] = key
        end
    end
    table.sort(keys, function(x, y) return tostring(x) < tostring(y) end) -- the same at each run
    local key = #keys > 0 and keys[w.random(1, #keys)] or 1
    local kind = w.random(1, 4)
    if kind == 1 then
        copy[OPTIONS[w.random(1, #OPTIONS)]] = junk.value(w)
    elseif kind == 2 then
        copy[key] = nil
    elseif kind == 3 and type(list[key]) == "table" and list[key] ~= list then
        copy[key] = spoiled_table(w, list[key])
    else
        copy[key] = junk.value(w)
    end
    return copy
end

-- A packed list of arguments with one thing changed: an argument, a part of it, one that is missing, one too many.
function junk.spoiled(w, arguments)
    local list = table.pack(table.unpack(arguments, 1, arguments.n))
    local at = w.random(1, math.max(1, list.n))
    local kind = w.random(1, 5)
    if kind == 1 then
        list.n = list.n + 1
        list[list.n] = junk.value(w)
    elseif kind == 2 and list.n > 1 then
        list[list.n] = nil
        list.n = list.n - 1
    elseif kind <= 4 and type(list[at]) == "table" then
        list[at] = spoiled_table(w, list[at])
    else
        list[at], list.n = junk.value(w), math.max(1, list.n)
    end
    return list
end

-- ---- what may come ------------------------------------------------------------------------------------------------

-- Words of Lua's and OpenCL's own, which say nothing to who made a mistake in lunarray's words.
local RAW = {
    "bad argument", "attempt to", "CL_%u", "stack overflow", "not enough memory", "invalid option", "unexpected",
}

-- What is wrong with an error's text that a spoiled call gave at a line of that file; nil: nothing.
function junk.complaint(problem, file)
    local text = tostring(problem)
    if type(problem) ~= "string" and not (type(problem) == "table" and problem.method) then
        return "an error of another type: " .. text
    elseif not text:find("^[^\n]-" .. file .. ":%d+: lunarray: [%w_]+[^\n]-: ") then
        return "no position, or no method: " .. text
    end
    local own = text:gsub("did not compile: CL_BUILD_PROGRAM_FAILURE\n.*", "") -- then follows what the compiler says
    for _, word in ipairs(RAW) do
        if own:find(word) then
            return "a raw message: " .. text
        end
    end
end

return junk
