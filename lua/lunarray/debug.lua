-- lun.debug{nan = true}: each call checks whether it has made a NaN or an infinity from finite numbers, and raises an
-- error there. Methods, functions and operators are replaced by checking ones, so that nothing is slower while it is
-- off.

local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"

local FLOATS = { f16 = true, bf16 = true, f32 = true, f64 = true, c64 = true, c128 = true }
local OPERATORS = { __add = "add", __sub = "sub", __mul = "mul", __div = "div", __idiv = "floordiv", __mod = "mod",
    __pow = "pow", __unm = "neg" }
-- Functions whose results come from outside, and those that report such numbers themselves.
local LEFT_OUT = { write = true, empty_like = true, isfinite = true, lnot = true, host = true, release = true }

local restore -- restores the replaced functions; nil: it is off
local inside = false -- a checking call is running: the calls inside it are not checked
local isfinite, all, lnot, argmax

-- Is it a number or an array with elements that are not finite? Lists and options are searched.
local function is_finite(x, deep)
    if math.type(x) == "float" then
        return x - x == 0
    elseif core.type(x) == "array" then
        if not core._is_live(x) or not FLOATS[x:dtype()] or x:size() == 0 then
            return true
        end
        local finite <close> = isfinite(x)
        return all(finite)
    elseif core.type(x) == "complex" then
        return is_finite(x.re) and is_finite(x.im)
    elseif deep and misuse.is_table(x) then
        for key, item in pairs(x) do
            if key ~= "out" and not is_finite(item, deep - 1 > 0 and deep - 1) then
                return false
            end
        end
    end
    return true
end

local function are_finite(list)
    for i = 1, list.n do
        if not is_finite(list[i], 2) then
            return false
        end
    end
    return true
end

local function shown(x)
    return x ~= x and "nan" or misuse.text("%s", x) -- some machines make NaN with a sign
end

local function refuse(name, i, x)
    if core.type(x) ~= "array" then
        misuse.raise(name, "result %d is %s, although all inputs are finite", i, shown(x))
    end
    local finite <close> = isfinite(x)
    local bad <close> = lnot(finite)
    local at = argmax(bad)
    local flat <close> = x:flatten()
    misuse.raise(name, "result %d is %s at element %d of %d, although all inputs "
        .. "are finite", i, shown(flat:get(at)), at,
        #flat)
end

local function check(name, arguments, finite, results)
    if core.type(results[1]) == "event" then
        results = table.pack(results[1]:get())
    end
    for i = 1, results.n do
        if not is_finite(results[i]) then
            if finite == nil then
                finite = are_finite(arguments)
            end
            if finite then
                refuse(name, i, results[i])
            end
        end
    end
end

-- The function with a check of its results; `changes`: it may write to its inputs, which are checked before.
local function looking(name, f, changes)
    return function(...)
        local arguments = table.pack(...)
        for i = 1, inside and 0 or arguments.n do
            if core._is_traced(arguments[i]) then
                return f(...)
            end
        end
        if inside then
            return f(...)
        end
        inside = true
        local last, finite = arguments[arguments.n], nil
        local given = table.pack(pcall(function()
            if changes or type(last) == "table" and rawget(last, "out") then
                finite = are_finite(arguments)
            end
            local results = table.pack(f(table.unpack(arguments, 1, arguments.n)))
            check(name, arguments, finite, results)
            return table.unpack(results, 1, results.n)
        end))
        inside = false
        if not given[1] then
            error(given[2], 0)
        end
        return table.unpack(given, 2, given.n)
    end
end

local function start()
    local some <close> = core.zeros { 1 }
    local class, device = debug.getmetatable(some), debug.getmetatable(some:device()).__index
    local methods, old = class.__index, {}
    isfinite, all, lnot, argmax = methods.isfinite, methods.all, methods.lnot, methods.argmax
    local done = {}
    local function exchange(owner, key, name, changes)
        local f = rawget(owner, key)
        if type(f) == "function" and not LEFT_OUT[key] and not done[f] then
            old[#old + 1] = { owner, key, f }
            local g = looking(name, f, changes)
            done[g] = true
            rawset(owner, key, g)
        end
    end
    for metamethod, name in pairs(OPERATORS) do
        exchange(class, metamethod, name)
    end
    for _, row in ipairs(core.operations()) do
        local changes = row.returns == "array self" or row.name:find "_$"
        if row.owner == "array" then
            exchange(methods, row.name, row.name, changes)
            exchange(methods, row.name .. "_", row.name .. "_", true)
            exchange(core, row.name, row.name, changes)
        elseif row.owner == "module" and row.name ~= "fuse" and row.name ~= "simulation" then
            exchange(core, row.name, row.name)
        elseif row.name == "map" or row.name == "reduce" then
            exchange(device, row.name, row.name)
        end
    end
    local fuse = core.fuse
    old[#old + 1] = { core, "fuse", fuse }
    function core.fuse(...)
        return looking("fuse", fuse(...))
    end
    function restore()
        for i = #old, 1, -1 do
            rawset(table.unpack(old[i], 1, 3))
        end
    end
end

-- lun.debug(options)
return function(options, ...)
    misuse.check_dot("debug", options)
    if not misuse.is_table(options) then
        misuse.raise("debug", "argument 1: a table of options is needed, got %s", misuse.kind_of(options))
    end
    misuse.check_end("debug", 1, ...)
    for name, value in pairs(options) do
        if name ~= "nan" then
            misuse.raise("debug", "unknown option '%s'; known is nan", tostring(name))
        elseif type(value) ~= "boolean" then
            misuse.raise("debug", "option 'nan': a boolean is needed, got %s", misuse.kind_of(value))
        end
    end
    if options.nan and not restore then
        start()
    elseif options.nan == false and restore then
        restore()
        restore = nil
    end
end
