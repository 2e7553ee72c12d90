-- lun.fuse: calls a Lua function once with stand-ins for its arguments, and makes one kernel of what it computes.

local core = require "lunarray.core"
core._own()
core._own "=fused"
local stand_in = require "lunarray.stand_in"
require "lunarray.stand_in_words"
require "lunarray.stand_in_views"
local trace_function = require "lunarray.fuse_passes"
stand_in.own()

local fused = core._fused -- what computes a trace
local raise, kind_of = stand_in.raise, stand_in.kind_of

-- ---- tracing ------------------------------------------------------------------------------------------------

-- The numbers, as far as they are known: arguments, and what Lua computes of such. What comes from a reduction that is
-- not made yet is not.
local function find_numbers(traced, arguments)
    local values = {}
    for i, number in ipairs(traced.numbers) do
        if number.argument then
            values[i] = arguments[number.argument]
        else
            local operands, known = {}, true
            for k, operand in ipairs(number) do
                operands[k] = type(operand) == "table" and operand[1] or values[operand]
                known = known and operands[k] ~= nil
            end
            local ok, value = true, nil
            if known then
                ok, value = pcall(number.compute, table.unpack(operands))
            end
            if not ok then
                local text = value:gsub("^.-:%d+: ", ""):gsub(" %(local '%a'%)", "")
                error(number.position .. "lunarray: fuse: " .. text, 0)
            end
            values[i] = value
        end
    end
    return values
end

-- Puts the numbers that the kernel gets into `given`. How many these are.
local function give_numbers(traced, arguments, given)
    local values = find_numbers(traced, arguments)
    for i, at in ipairs(traced.passed) do
        given[i] = values[at]
    end
    return #traced.passed
end

local CALLED = { out = true, variant = true, async = true, queue = true }

-- What a function raised. Where nil was met, and it has parameters that no argument came for, the text says so.
local function explained(f, count, problem)
    local info = debug.getinfo(f, "u")
    if type(problem) ~= "string" or not problem:find "%f[%a]nil%f[%A]" or info.isvararg or count >= info.nparams then
        return problem
    end
    return ("%s; the fused function has %d parameters, and was called with %d argument%s"):format(problem,
        info.nparams, count, count == 1 and "" or "s")
end

-- Raises for a method that makes an array, or draws, while a function is called with stand-ins.
local function refuse_made(name)
    raise("%sa fused function runs once, and what is made in it would be the same at every call; make it outside, and "
        .. "pass it as an argument", name == "fuse" and "" or name .. ": ")
end

-- Notes which function is called with stand-ins from now on, or nil; gives the one before.
local function set_tracing(f)
    core._traced(f and refuse_made)
    return stand_in.set_tracing(f)
end

-- The function, as it is called with stand-ins: never within itself.
local function guarded(f)
    local running = false
    local function ended(before, count, ok, ...)
        running = false
        set_tracing(before)
        if not ok then
            error(explained(f, count, (...)), 0)
        end
        return ...
    end
    return function(...)
        if running then
            raise "the fused function calls itself"
        end
        running = true
        return ended(set_tracing(f), select("#", ...), pcall(f, ...))
    end
end

-- ---- calling ------------------------------------------------------------------------------------------------

-- The arrays that the kernel reads, put into `given` behind the numbers; and the views that were made for it.
local function give_arrays(traced, arguments, given, behind)
    local made = {}
    for i, source in ipairs(traced.arrays) do
        local array = source.outside or arguments[source.argument]
        for _, view in ipairs(source.views) do
            array = array[view.name](array, table.unpack(view, 1, view.n))
            table.insert(made, array)
        end
        given[behind + i] = array
    end
    return made, behind + #traced.arrays
end

-- Gives the results; the views go back before the collector finds them.
local function without(made, ...)
    for _, view in ipairs(made) do
        view:release()
    end
    return ...
end

-- The options of the last step, the reduction: its own, and those of the call.
local function options_of(result, options)
    local all = {}
    for _, list in ipairs { result.given or {}, options or {} } do
        for name, value in pairs(list) do
            all[name] = value
        end
    end
    all.variant = nil -- of the kernel before
    return all
end

-- Reduces what the kernel has computed.
local function reduce(traced, computed, options)
    if options and (options.async or options.out) and #traced.results > 1 then
        raise "async and out go with one result where a fused function reduces"
    end
    local _ <close> = setmetatable({}, { __close = function()
        for column, array in ipairs(computed) do
            if not traced.is_result[column] then
                array:release()
            end
        end
    end })
    local given = {}
    for i, result in ipairs(traced.results) do
        given[i] = computed[result.column]
        if result.reduction then
            given[i] = given[i]:reduce(result.reduction, options_of(result, options))
        end
    end
    return table.unpack(given, 1, #traced.results)
end

-- Raises for an option that calls of fused functions do not take; else true.
local function check_called(options)
    for name in next, options do
        if not CALLED[name] then
            raise("unknown option '%s'; known are out, variant, async, queue", name)
        end
    end
    return true
end

-- The options of a call and those of its reductions, in one table.
local function with_reductions(fold, options)
    local all = {}
    check_called(options)
    for name, value in pairs(options) do
        all[name] = value
    end
    for name, value in pairs(fold) do
        all[name] = value
    end
    return all
end

local function run(traced, arguments, options)
    local given, fold, apart = {}, traced.fold, traced.results.reduce
    local made, count = give_arrays(traced, arguments, given, give_numbers(traced, arguments, given))
    local last = options
    if fold then
        last = options and with_reductions(fold, options) or fold
    elseif apart then
        last = options and { queue = options.queue, variant = options.variant }
    end
    given[count + 1] = last
    if apart and not fold then
        local computed = { without(made, fused.map(traced.core, table.unpack(given, 1, count + 1))) }
        return reduce(traced, computed, options)
    end
    return without(made, fused[traced.method](traced.core, table.unpack(given, 1, count + 1)))
end

-- The results of the last pass, and between them those that are there already.
local function with_taken(traced, arguments, ...)
    if not traced.taken then
        return ...
    end
    local computed, results, at, numbers = { ... }, {}, 0, find_numbers(traced, arguments)
    for i = 1, traced.count do
        local taken = traced.taken[i]
        at = at + (taken and 0 or 1)
        if taken then
            results[i] = taken.number and numbers[taken.number] or arguments[taken.argument or 0]
        else
            results[i] = computed[at]
        end
    end
    return table.unpack(results, 1, traced.count)
end

-- Makes the reductions in the function's midst first, which are arguments of the passes behind them.
local function run_passes(traced, arguments, options)
    local made <close> = setmetatable({}, { __close = function(list)
        for _, array in ipairs(list) do
            array:release()
        end
    end })
    if traced.taken and options and (options.out or options.async) then
        raise "async and out go with results of the last pass; a reduction that others are computed with is made before"
    end
    for _, pass in ipairs(traced.passes) do
        local values = { run(pass, arguments, options and options.queue and { queue = options.queue }) }
        for i, at in ipairs(pass.gives) do
            arguments[at] = values[i]
            if not traced.keeps[at] and core.type(values[i]) == "array" then
                table.insert(made, values[i])
            end
        end
    end
    if not traced.core then
        return with_taken(traced, arguments)
    end
    return with_taken(traced, arguments, run(traced, arguments, options))
end

-- The names of a call's arguments in the order in which the kernel takes them. nil: it takes others, too, or the call
-- has more steps.
local function order_of(traced, names)
    local order, simple = {}, not traced.passes and (traced.fold or not traced.results.reduce)
    local function take(argument)
        simple = simple and argument ~= nil
        table.insert(order, names[argument])
    end
    for _, at in ipairs(traced.passed) do
        take(traced.numbers[at].argument)
    end
    for _, source in ipairs(traced.arrays) do
        take(#source.views == 0 and source.argument or nil)
    end
    return simple and order or nil
end

-- The options of a call with those of its reductions, as text: a table of few words is made quickly.
local function options_text(fold)
    local words = {}
    for name in pairs(fold) do
        table.insert(words, ("%s = fold.%s"):format(name, name))
    end
    table.sort(words)
    for name in pairs(CALLED) do
        table.insert(words, ("%s = options.%s"):format(name, name))
    end
    return "{ " .. table.concat(words, ", ") .. " }"
end

local QUICK = [[
local own, compute, trace, fold = ...
own() -- errors are raised at the user's line
return function(NAMES) return compute(trace, ORDER FOLD) end,
    function(NAMES, options) return compute(trace, ORDER, OPTIONS) end]]

-- Calls of the kernel by the arguments as they come, without and with options: for traces whose kernel takes nothing
-- but arguments, in one step. They are written as text, since the kernel has an order of its own. nil: it is none of
-- these.
local function quick_calls(traced, count)
    local names = {}
    for i = 1, count do
        names[i] = "a" .. i
    end
    local order = order_of(traced, names)
    if not order then
        return nil
    end
    local words = { NAMES = table.concat(names, ", "), ORDER = table.concat(order, ", "),
        FOLD = traced.fold and ", fold" or "", OPTIONS = traced.fold and options_text(traced.fold) or "options" }
    local make = load(QUICK:gsub("%u%u%u%u+", words), "=lunarray.fused")
    return make(core._own, fused[traced.method], traced.core, traced.fold)
end

-- The arguments, and the options behind them.
local function split(...)
    local arguments = table.pack(...)
    local last = arguments[arguments.n]
    local is_operand = stand_in.is_stand_in(last) or stand_in.is_reduced(last)
    local is_options = arguments.n > 1 and type(last) == "table" and not is_operand and last[1] == nil
    if is_options then
        arguments[arguments.n], arguments.n = nil, arguments.n - 1
    end
    return arguments, is_options and last or nil
end

local function check_function(f, ...)
    if f == core then
        raise "argument 1 is the module: it is called with a dot, lun.fuse(...)"
    elseif type(f) ~= "function" then
        raise("argument 1: a function is wanted, got %s", f == nil and "nothing" or kind_of(f))
    end
    for i = 1, select("#", ...) do
        local more = select(i, ...)
        if more ~= nil then
            raise("argument %d: nothing behind argument 1 is wanted, got %s", i + 1, kind_of(more))
        end
    end
end

-- lun.fuse(f)
return function(f, ...)
    check_function(f, ...)
    local known, call = {}, guarded(f) -- known: what was traced for each kind of arguments
    return function(...)
        local count = select("#", ...)
        local last = count > 0 and select(count, ...)
        if count > 0 and type(last) ~= "table" then -- neither options nor a stand-in
            local traced = known[core._kinds(count, ...)]
            if traced and traced.quick then
                return traced.quick(...)
            end
        elseif count > 1 and not getmetatable(last) and last[1] == nil then -- options
            local traced = known[core._kinds(count - 1, ...)]
            if traced and traced.quick and (not traced.fold or check_called(last)) then
                return traced.with_options(...)
            end
        end
        local arguments, options = split(...)
        if arguments.n == 0 then
            raise "argument 1: an array or a number is wanted, got nothing"
        end
        local kinds, nested = core._kinds(arguments.n, table.unpack(arguments, 1, arguments.n))
        if nested and options then
            raise "options have no meaning within a fused function"
        elseif nested then -- its steps become steps of the function that it is called in
            return call(...)
        elseif not known[kinds] then
            known[kinds] = trace_function(f, call, arguments)
            known[kinds].quick, known[kinds].with_options = quick_calls(known[kinds], arguments.n)
        end
        return (known[kinds].passes and run_passes or run)(known[kinds], arguments, options)
    end
end
