-- lun.fuse: calls a Lua function once with stand-ins for its arguments, and makes one kernel of what it computes.

local core = require "lunarray.core"
core._own()
local stand_in = require "lunarray.stand_in"
require "lunarray.stand_in_words"
require "lunarray.stand_in_views"
stand_in.own()

local fused = core._fused -- what computes a trace
local raise, raise_of, kind_of = stand_in.raise, stand_in.raise_of, stand_in.kind_of

-- ---- tracing ------------------------------------------------------------------------------------------------

-- The numbers that the kernel gets, put into `given`: arguments, or what Lua computes of such. How many these are.
local function give_numbers(traced, arguments, given)
    local values = {}
    for i, number in ipairs(traced.numbers) do
        if number.argument then
            values[i] = arguments[number.argument]
        else
            local operands = {}
            for k, operand in ipairs(number) do
                operands[k] = type(operand) == "table" and operand[1] or values[operand]
            end
            local ok, value = pcall(number.compute, table.unpack(operands))
            if not ok then
                local text = value:gsub("^.-:%d+: ", ""):gsub(" %(local '%a'%)", "")
                error(number.position .. "lunarray: fuse: " .. text, 0)
            end
            values[i] = value
        end
    end
    for i, at in ipairs(traced.passed) do
        given[i] = values[at]
    end
    return #traced.passed
end

-- Options of reductions that one pass makes.
local FOLDED = { axis = true, keepdims = true, ddof = true, accurate = true, reproducible = true }

local CALLED = { out = true, variant = true, async = true, queue = true }

-- The result of the function as core takes it; `keys`: the number of each text of options.
local function read_result(f, trace, position, given, keys)
    local result, value = { options = 0 }, given
    if stand_in.is_reduced(given) then
        value, result.reduction = rawget(given, "of"), rawget(given, "reduction")
        result.given, result.options = rawget(given, "options"), keys[rawget(given, "key")]
        for name in pairs(result.given) do
            result.options = FOLDED[name] and result.options or -1
        end
    end
    if not stand_in.is_stand_in(value) then
        raise_of(f, "result %d of the fused function is %s; results are computed from its arguments", position,
            kind_of(value))
    elseif value.trace ~= trace then
        raise_of(f, "result %d of the fused function was computed in another call", position)
    end
    result.node = value.node
    return result
end

-- Checks what the function gave. The kernel computes columns, each a node; a result is a column, or the reduction of
-- one, which may be a result as well.
local function read_results(f, trace, given)
    local results, count = {}, 0
    local keys = setmetatable({}, { __index = function(t, key)
        count = count + 1
        t[key] = count
        return count
    end })
    if given.n == 0 then
        raise_of(f, "the fused function returns nothing; it returns what it computes")
    end
    for i = 1, given.n do
        results[i] = read_result(f, trace, i, given[i], keys)
        results.reduce = results.reduce or results[i].reduction ~= nil
    end
    return results
end

-- Calls the function with stand-ins. The arrays that the kernel reads are arguments, views of them, and outside ones.
local function trace_function(f, call, arguments)
    local trace, stand_ins = stand_in.new_trace(), {}
    for i = 1, arguments.n do
        stand_ins[i] = stand_in.stand_for(trace, i, arguments[i])
    end
    local given = table.pack(pcall(call, table.unpack(stand_ins, 1, arguments.n)))
    stand_in.close(trace)
    if not given[1] then
        error(given[2], 0) -- it has its position
    end
    local results = read_results(f, trace, table.pack(table.unpack(given, 2, given.n)))
    local folds, read, passed = core._end(trace.core, results)
    local arrays, is_result = {}, {}
    for i, at in ipairs(read) do
        arrays[i] = trace.arrays[at]
    end
    for _, result in ipairs(results) do
        is_result[result.column] = is_result[result.column] or not result.reduction
    end
    return {
        core = trace.core, arrays = arrays, numbers = trace.numbers, passed = passed, results = results,
        is_result = is_result, fold = folds and results[1].given,
    }
end

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

-- The options of a call and those of its reductions, in one table.
local function with_reductions(fold, options)
    local all = {}
    for name, value in pairs(options) do
        if not CALLED[name] then
            raise("unknown option '%s'; known are out, variant, async, queue", name)
        end
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
    return without(made, fused[fold and "reduce" or "map"](traced.core, table.unpack(given, 1, count + 1)))
end

-- A call of the kernel by the arguments as they come, without a table: for traces whose kernel takes nothing but
-- arguments, in one step. It is written as text, since the kernel has an order of its own. nil: it is none of these.
local function quick_call(traced, count)
    local names, order, simple = {}, {}, traced.fold or not traced.results.reduce
    local function take(argument)
        simple = simple and argument ~= nil
        table.insert(order, names[argument])
    end
    for i = 1, count do
        names[i] = "a" .. i
    end
    for _, at in ipairs(traced.passed) do
        take(traced.numbers[at].argument)
    end
    for _, source in ipairs(traced.arrays) do
        take(#source.views == 0 and source.argument or nil)
    end
    if not simple then
        return nil
    end
    if traced.fold then
        table.insert(order, "fold")
    end
    local text = "local compute, trace, fold = ... return function(%s) return compute(trace, %s) end"
    return load(text:format(table.concat(names, ", "), table.concat(order, ", ")), "=fused")(
        fused[traced.fold and "reduce" or "map"], traced.core, traced.fold)
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
        if count > 0 and type((select(count, ...))) ~= "table" then -- neither options nor a stand-in
            local traced = known[core._kinds(...)]
            if traced and traced.quick then
                return traced.quick(...)
            end
        end
        local arguments, options = split(...)
        if arguments.n == 0 then
            raise "argument 1: an array or a number is wanted, got nothing"
        end
        local kinds, nested = core._kinds(table.unpack(arguments, 1, arguments.n))
        if nested and options then
            raise "options have no meaning within a fused function"
        elseif nested then -- its steps become steps of the function that it is called in
            return call(...)
        elseif not known[kinds] then
            known[kinds] = trace_function(f, call, arguments)
            known[kinds].quick = quick_call(known[kinds], arguments.n)
        end
        return run(known[kinds], arguments, options)
    end
end
