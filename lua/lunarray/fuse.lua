-- lun.fuse: calls a Lua function once with stand-ins for its arguments, and makes one kernel of what it computes.

local core = require "lunarray.core"
core._own()
local stand_in = require "lunarray.stand_in"
stand_in.own()

local arity, raise, raise_of, kind_of = stand_in.arity, stand_in.raise, stand_in.raise_of, stand_in.kind_of

-- ---- tracing ------------------------------------------------------------------------------------------------

-- Where the last operand of a node stands in it; the first stands at 2.
local function last_operand(node)
    return arity[node[1]] and arity[node[1]] + 1 or node[1] == "cast" and 2 or 1
end

-- The nodes that the wanted ones need, the arrays and numbers that those read, and where the wanted ones then stand.
local function pruned(trace, wanted)
    local needed, place, nodes, arrays, passed = {}, {}, {}, {}, {}
    for _, node in ipairs(wanted) do
        needed[node] = true
    end
    for i = #trace.nodes, 1, -1 do
        local node = trace.nodes[i]
        for k = 2, needed[i - 1] and last_operand(node) or 1 do
            needed[node[k]] = true
        end
    end
    for i, node in ipairs(trace.nodes) do
        if needed[i - 1] then
            local copy = { position = node.position, table.unpack(node) }
            for k = 2, last_operand(node) do
                copy[k] = place[node[k]]
            end
            if node[1] == "array" then
                table.insert(arrays, trace.arrays[node[2] + 1])
                copy[2] = #arrays - 1
            elseif node[1] == "number" then
                table.insert(passed, node[2] + 1)
                copy[2] = #passed - 1
            end
            table.insert(nodes, copy)
            place[i - 1] = #nodes - 1
        end
    end
    local places = {}
    for i, node in ipairs(wanted) do
        places[i] = place[node]
    end
    return nodes, arrays, passed, places
end

-- The value of each number that the kernel gets, of those in `numbers`: an argument, or what Lua computes of such.
local function numbers_of(traced, arguments)
    local values, given = {}, {}
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
    return given
end

-- Checks what the function gave. The kernel computes columns, each a node; a result is a column, or the reduction of
-- one, which may be a result as well.
local function read_results(f, trace, given)
    local columns, results, column_of, is_result = {}, {}, {}, {}
    if given.n == 0 then
        raise_of(f, "the fused function returns nothing; it returns what it computes")
    end
    for i = 1, given.n do
        local result = { value = given[i] }
        if stand_in.is_reduced(given[i]) then
            result = { value = rawget(given[i], "of"), reduction = rawget(given[i], "reduction") }
            result.options, result.key = rawget(given[i], "options"), rawget(given[i], "key")
        end
        if not stand_in.is_stand_in(result.value) then
            raise_of(f, "result %d of the fused function is %s; results are computed from its arguments", i,
                kind_of(result.value))
        elseif result.value.trace ~= trace then
            raise_of(f, "result %d of the fused function was computed in another call", i)
        end
        local node = result.value.node
        local column = column_of[node]
        if not column or is_result[column] and not result.reduction then
            table.insert(columns, node)
            column = #columns
            column_of[node] = column_of[node] or column
        end
        is_result[column] = is_result[column] or not result.reduction
        results[i] = { column = column, reduction = result.reduction, options = result.options, key = result.key }
        results.reduce = results.reduce or result.reduction ~= nil
    end
    return columns, results, is_result
end

-- Options of reductions that one pass makes.
local FOLDED = { axis = true, keepdims = true, ddof = true, accurate = true, reproducible = true }

-- Where all results are reductions with the same options, and none is made of an array alone, one pass makes them: the
-- expression that has a node for each result, and the ops, with the options beside them. `places`: of the columns among
-- the nodes.
local function folded(results, nodes, arrays, places)
    local ops, columns, options = {}, {}, results[1].options or {}
    for i, result in ipairs(results) do
        if not result.reduction or stand_in.is_rank[result.reduction] or result.key ~= results[1].key then
            return nil
        end
        ops[i], columns[i] = result.reduction, places[result.column]
    end
    for name, value in pairs(options) do
        if not FOLDED[name] then
            return nil
        end
        ops[name] = value
    end
    if #arrays + #results > core._fold_arrays then
        return nil
    end
    return { expression = core._expression(nodes, columns), ops = ops }
end

-- The limits of each a:clamp(low, high) that are numbers: { low = node, high = node, position = of the call }.
local function limits_of(nodes)
    local limits, is_number = {}, { number = true, constant = true }
    for _, node in ipairs(nodes) do
        local low, high = nodes[node[1] == "clamp" and node[3] + 1], nodes[node[1] == "clamp" and node[4] + 1]
        if low and is_number[low[1]] and is_number[high[1]] then
            table.insert(limits, { low = low, high = high, position = node.position })
        end
    end
    return limits
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
    local columns, results, is_result = read_results(f, trace, table.pack(table.unpack(given, 2, given.n)))
    local nodes, arrays, passed, places = pruned(trace, columns)
    return {
        expression = core._expression(nodes, places), nodes = nodes, arrays = arrays, numbers = trace.numbers,
        passed = passed, results = results, is_result = is_result, limits = limits_of(nodes),
        fold = folded(results, nodes, arrays, places),
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

-- The arrays that the kernel reads, and the views that were made for it.
local function arrays_of(traced, arguments)
    local arrays, made = {}, {}
    for i, source in ipairs(traced.arrays) do
        local array = source.outside or arguments[source.argument]
        for _, view in ipairs(source.views) do
            array = array[view.name](array, table.unpack(view, 1, view.n))
            table.insert(made, array)
        end
        arrays[i] = array
    end
    return arrays, made
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
    for _, list in ipairs { result.options or {}, options or {} } do
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

-- Raises at its line of the function what refuses the dtypes of its operands. Numbers that are arguments may differ
-- from call to call, and are looked at when the kernel is run.
local function check_steps(traced, arguments)
    local numbers = numbers_of(traced, arguments)
    for i, number in ipairs(numbers) do
        numbers[i] = math.type(number) == "integer" and 0 or 0.0
    end
    local arrays, made = arrays_of(traced, arguments)
    local node, problem = without(made, core._refused(traced.expression, arrays, numbers))
    if node then
        error(traced.nodes[node].position .. "lunarray: fuse: " .. problem, 0)
    end
    traced.nodes = nil
    return traced
end

-- Raises, as a:clamp does, where a lower limit is above the upper one. `numbers`: of this call.
local function check_limits(traced, numbers)
    local function value(node)
        return node[1] == "number" and numbers[node[2] + 1] or node[2]
    end
    for _, limit in ipairs(traced.limits) do
        local low, high = value(limit.low), value(limit.high)
        if low > high then
            error(core._plain(string.format, "%slunarray: fuse: clamp: low %s is above high %s; a:clamp(low, high) "
                .. "takes the lower number first", limit.position, low, high), 0)
        end
    end
end

local function run(traced, arguments, options)
    local numbers = numbers_of(traced, arguments)
    check_limits(traced, numbers)
    local arrays, made = arrays_of(traced, arguments)
    local fold = traced.fold
    if fold then
        return without(made, core._reduce(fold.ops, fold.expression, arrays, numbers, options))
    elseif traced.results.reduce then
        local before = options and { queue = options.queue, variant = options.variant }
        return reduce(traced, { without(made, core._evaluate(traced.expression, arrays, numbers, before)) }, options)
    end
    return without(made, core._evaluate(traced.expression, arrays, numbers, options))
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
            known[kinds] = check_steps(trace_function(f, call, arguments), arguments)
        end
        return run(known[kinds], arguments, options)
    end
end
