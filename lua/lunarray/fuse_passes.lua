-- Calling a function with stand-ins, and the passes that compute what it gave: one, or more where it computes on with
-- reductions.

local core = require "lunarray.core"
core._own()
local stand_in = require "lunarray.stand_in"
local reductions = require "lunarray.stand_in_reductions"
stand_in.own()

local raise_of, kind_of = stand_in.raise_of, stand_in.kind_of

-- A number for each text of options.
local function new_keys()
    local count = 0
    return setmetatable({}, { __index = function(t, key)
        count = count + 1
        t[key] = count
        return count
    end })
end

-- A reduction, or what else is given, as core takes a result; `keys`: the number of each text of options.
local function read_reduction(given, keys)
    local result = { options = 0, node = rawget(given, "node") }
    if stand_in.is_reduced(given) then
        result.node, result.reduction = rawget(given, "of").node, rawget(given, "reduction")
        result.given, result.options = rawget(given, "options"), keys[rawget(given, "key")]
        result.options = reductions.are_folded(result.given) and result.options or -1
    end
    return result
end

-- The result of the function.
local function read_result(f, trace, position, given, keys)
    local value = stand_in.is_reduced(given) and rawget(given, "of") or given
    if not stand_in.is_stand_in(value) then
        raise_of(f, "result %d of the fused function is %s; results are computed from its arguments", position,
            kind_of(value))
    elseif value.trace ~= trace then
        raise_of(f, "result %d of the fused function was computed in another call", position)
    end
    return read_reduction(given, keys)
end

-- What a result is that is there before the last pass: { argument = } of a reduction that others are computed with,
-- { number = } of what Lua computes of reductions.
local function find_taken(trace, given, result)
    local number = trace.reductions[1] and not result.reduction and rawget(given, "number")
    local argument = result.reduction and rawget(given, "argument")
    return (number or argument) and { number = number, argument = argument } or false
end

-- Checks what the function gave. The kernel computes columns, each a node; a result is a column, or the reduction of
-- one, which may be a result as well. Gives the results of the last pass, a list of those that are there before it, if
-- any are, and how many there are of both.
local function read_results(f, trace, given, keys)
    local results, taken, count, numbers = {}, {}, 0, false
    if given.n == 0 then
        raise_of(f, "the fused function returns nothing; it returns what it computes")
    end
    for i = 1, given.n do
        results[i] = read_result(f, trace, i, given[i], keys)
        taken[i] = find_taken(trace, given[i], results[i])
        count, numbers = count + (taken[i] and 1 or 0), numbers or taken[i] and taken[i].number
    end
    if count == given.n and not numbers then -- they are the last pass
        taken, count = {}, 0
    end
    for i = given.n, 1, -1 do
        if taken[i] then
            table.remove(results, i)
        end
    end
    for _, result in ipairs(results) do
        results.reduce = results.reduce or result.reduction ~= nil
    end
    return results, count > 0 and taken, given.n
end

-- One pass, or several that core plans by the options `whole`: of the results what core's trace, which has their nodes,
-- computes. The arrays that the kernel reads are arguments, views of them, and outside ones.
local function make_pass(trace, traced, results, whole)
    local folds, read, passed = core._end(traced, results)
    local arrays, is_result = {}, {}
    for i, at in ipairs(read) do
        arrays[i] = trace.arrays[at]
    end
    for _, result in ipairs(results) do
        is_result[result.column] = is_result[result.column] or not result.reduction
    end
    return {
        core = traced, arrays = arrays, numbers = trace.numbers, passed = passed, results = results,
        is_result = is_result, fold = whole or folds and results[1].given,
        method = whole and "passes" or folds and "reduce" or "map",
    }
end

-- Calls the function with stand-ins.
local function trace_function(f, call, arguments)
    local trace, stand_ins, keys = stand_in.new_trace(), {}, new_keys()
    trace.count = arguments.n
    for i = 1, arguments.n do
        stand_ins[i] = stand_in.stand_for(trace, i, arguments[i])
    end
    local given = table.pack(pcall(call, table.unpack(stand_ins, 1, arguments.n)))
    stand_in.close(trace)
    if not given[1] then
        error(given[2], 0) -- it has its position
    end
    local results, taken, count = read_results(f, trace, table.pack(table.unpack(given, 2, given.n)), keys)
    if not trace.reductions[1] then
        return make_pass(trace, trace.core, results)
    end
    local function make(list, whole)
        local copy = core._trace()
        reductions.copy_nodes(trace, copy, list, whole)
        return make_pass(trace, copy, list, whole)
    end
    local whole = not taken and reductions.find_whole(trace, results)
    if whole then
        return make(results, whole)
    end
    local last = results[1] and make(results) or { arrays = {}, passed = {}, numbers = trace.numbers }
    last.taken, last.count, last.keeps = taken, count, {}
    for _, each in ipairs(taken or {}) do
        if each and each.argument then
            last.keeps[each.argument] = true
        end
    end
    last.passes = reductions.find_passes(trace, last, make, function(x) return read_reduction(x, keys) end)
    return last
end

return trace_function
