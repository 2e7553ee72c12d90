-- Names that do not exist: methods and functions under the names of other libraries, or of another class.

local core = require "lunarray.core"
core._own()
local foreign = require "lunarray.foreign"
local misuse = require "lunarray.misuse"

local tables, kinds = core._classes() -- [type] = its methods, and what messages call an object of it
tables.module, kinds.module = core, "lunarray"

-- [class] = { [name of another library's] = what there is instead }
local instead_of = {}
for class in pairs(tables) do
    instead_of[class] = {}
end
for _, row in ipairs(foreign) do
    for class in row[1]:gmatch "%S+" do
        for name, instead in pairs(row[2]) do
            instead_of[class][name] = instead
        end
    end
end

-- core._foreign(object), of the module core._foreign(): name = what there is instead.
function core._foreign(object)
    return instead_of[object == nil and "module" or core.type(object)]
end

local function has(class, name)
    return rawget(tables[class], name) ~= nil
end

local function makes(class)
    return class == "device" or class == "module"
end

-- A sentence on the method that is meant by lun.sum(a) and dev:matmul(a, b), or nil.
local function of_arrays(class, name)
    local instead = instead_of.array[name]
    if instead and instead:find " " then
        return instead
    elseif not instead and class == "module" and has("array", name) and has("device", name) then
        return ("it is a method of arrays, a:%s(...), and of devices, lun.device():%s(...)"):format(name, name)
    end
    return (instead or has("array", name)) and ("it is a method of arrays, a:%s(...)"):format(instead or name)
end

-- One on the method that is meant by a:zeros(3), by a:sort_by(keys) and by lun.choice(6, 3).
local function of_others(class, name)
    if has("device", name) and (class == "module" or class == "array") then
        return ("it is a method of devices, %s:%s(...)"):format(class == "array" and "a:device()" or "lun.device()",
            name)
    elseif class ~= "module" and type(rawget(core, name)) == "function" and not name:find "^_" then
        return ("it is a function, lun.%s(...)"):format(name)
    end
    return has("rng", name) and ("it is a method of random streams, dev:rng(seed):%s(...)"):format(name)
end

-- A sentence on what is meant, of another class, or on the dtype that is meant by lun.float32; or nil.
local function elsewhere(class, name)
    if class == "sparse" then
        return "those of arrays work on A:values(), or on A:dense()"
    elseif class == "event" then
        return of_arrays(class, name) and "ev:get() waits, and gives the result"
    elseif class ~= "array" and not makes(class) then
        return nil
    end
    local dtype = class == "module" and core._dtype_meant(name)
    return makes(class) and of_arrays(class, name) or dtype and ('a dtype is a string: "%s"'):format(dtype)
        or of_others(class, name)
end

-- Raises for a key that the class does not have. Of a program its kernels' names are keys of a table, and a text says
-- which they are.
local function refuse(class, key, kernels, advice)
    if class == "array" and type(key) ~= "string" then
        misuse.raise("a[i]", "an array cannot be indexed: a:get(i, j) reads one element, a:row(i) views a row, "
            .. "a:host() maps all of them, a:totable() copies them to a table")
    end
    local name = misuse.text("%s", key)
    local instead = instead_of[class][name] or elsewhere(class, name) or core._nearest(name, tables[class])
        or kernels and core._nearest(name, kernels)
    local what = class == "program" and "method or kernel" or class == "module" and "function" or "method"
    local message = ("%s has no such %s"):format(kinds[class], what)
    if instead and instead:find " " then
        message, advice = message .. "; " .. instead, nil
    elseif instead then
        message = ("%s; is %s meant?"):format(message, instead)
    end
    misuse.raise(name, "%s%s%s", message, advice and (instead and " " or "; ") or "", advice or "")
end

for class, methods in pairs(tables) do
    local metatable = getmetatable(methods) or {}
    function metatable.__index(_, key, kernels, advice)
        refuse(class, key, kernels, advice)
    end
    setmetatable(methods, metatable)
end
