-- lun.fuse: calls a Lua function once with stand-ins for its arguments, notes what it computes, and makes one kernel of that.

local core = require "lunarray.core"
core._own()

local arity = core._functions()

-- A stand-in: { trace =, node = position of its node from 0, leaf = of an argument or its view: which array it is }.
local stand_in = {}

-- ---- errors -----------------------------------------------------------------------------------------------

-- Raises at the innermost line that is not of this file.
local function raise(message, ...)
    local own, level = debug.getinfo(1, "S").source, 2
    while true do
        local frame = debug.getinfo(level, "Sl")
        if not frame or (frame.currentline > 0 and frame.source ~= own) then
            local position = frame and ("%s:%d: "):format(frame.short_src, frame.currentline) or ""
            error(position .. "lunarray: fuse: " .. message:format(...), 0)
        end
        level = level + 1
    end
end

-- ---- nodes ------------------------------------------------------------------------------------------------

local function add(trace, node, leaf)
    table.insert(trace.nodes, node)
    return setmetatable({ trace = trace, node = #trace.nodes - 1, leaf = leaf }, stand_in)
end

local function is_stand_in(x)
    return getmetatable(x) == stand_in
end

local function check_open(x)
    if x.trace.closed then
        raise "a stand-in is used after the fused function has returned; only its results may leave it"
    end
    return x.trace
end

-- Makes an array of the trace's arrays: an argument (its position), or one that the function found outside.
local function add_array(trace, source)
    table.insert(trace.arrays, source)
    return add(trace, { "array", #trace.arrays - 1 }, source)
end

-- The node of an operand: a stand-in, a number, or an array that the function found outside.
local function node_of(trace, x)
    if is_stand_in(x) then
        if check_open(x) ~= trace then
            raise "stand-ins of two fused functions meet: one fused function may not compute with another's"
        end
        return x.node
    elseif math.type(x) then
        return add(trace, { "constant", x }).node
    elseif core.type(x) == "array" then
        return add_array(trace, { outside = x, views = {} }).node
    end
    raise("arrays and numbers are wanted, got %s", type(x) == "nil" and "nothing" or "a " .. type(x))
end

-- The function `name` of its operands.
local function apply(name, ...)
    local trace
    for i = 1, arity[name] do
        local x = select(i, ...)
        trace = trace or is_stand_in(x) and check_open(x)
    end
    local node = { name }
    for i = 1, arity[name] do
        node[i + 1] = node_of(trace, (select(i, ...)))
    end
    if select("#", ...) > arity[name] and select(arity[name] + 1, ...) ~= nil then
        raise("%s: options have no meaning within a fused function", name)
    end
    return add(trace, node)
end

stand_in.__fused = apply
for metamethod, name in pairs {
    __add = "add", __sub = "sub", __mul = "mul", __div = "div", __idiv = "floordiv", __mod = "mod", __pow = "pow",
    __band = "band", __bor = "bor", __bxor = "bxor", __shl = "shl", __shr = "shr",
} do
    stand_in[metamethod] = function(a, b) return apply(name, a, b) end
end
stand_in.__unm = function(a) return apply("neg", a) end
stand_in.__bnot = function(a) return apply("bnot", a) end

-- ---- what cannot be fused ------------------------------------------------------------------------------------

local function refuse_order()
    raise "a comparison gives one boolean to Lua, which is not known yet; a:lt(b), le, gt, ge, eq and ne stay in the kernel"
end

stand_in.__lt, stand_in.__le, stand_in.__eq = refuse_order, refuse_order, refuse_order
stand_in.__len = function() raise "the size is not known yet: the kernel serves arrays of any size" end
stand_in.__concat = function() raise "a stand-in has no text: its values are not known yet" end
stand_in.__newindex = function() raise "a stand-in is not assigned to" end
stand_in.__tostring = function() return "stand-in of a fused function" end
stand_in.__call = function() raise "a stand-in is not called" end
stand_in.__name = "lunarray.stand_in"

-- ---- methods ------------------------------------------------------------------------------------------------

local methods = {}

for name in pairs(arity) do
    methods[name] = function(self, ...) return apply(name, self, ...) end
end

function methods.cast(self, dtype)
    return add(check_open(self), { "cast", self.node, dtype })
end

-- Views of arguments are made anew of the arrays at each call.
for _, name in ipairs { "slice", "row", "col", "t", "reshape" } do
    methods[name] = function(self, ...)
        local trace = check_open(self)
        if not rawget(self, "leaf") then
            raise("%s: views are made of arguments, before anything is computed", name)
        end
        local leaf = rawget(self, "leaf")
        local views = table.move(leaf.views, 1, #leaf.views, 1, {})
        table.insert(views, { name = name, n = select("#", ...), ... })
        return add_array(trace, { argument = leaf.argument, outside = leaf.outside, views = views })
    end
end

for _, name in ipairs { "dtype", "ndim" } do
    methods[name] = function(self)
        check_open(self)
        local leaf = rawget(self, "leaf")
        return leaf and leaf[name] or raise("%s: it is known of arguments alone", name)
    end
end

for _, name in ipairs { "sum", "prod", "min", "max", "sumsq", "absmax" } do
    methods[name] = function(self, options)
        check_open(self)
        return { reduction = name, of = self, options = options }
    end
end

stand_in.__index = function(_, key)
    local method = methods[key]
    if method then
        return method
    elseif type(key) == "string" and key:find "_$" and arity[key:sub(1, -2)] then
        raise("%s: nothing is changed in place within a fused function; `out` of its call may be an argument", key)
    elseif type(key) ~= "string" then
        raise "elements are not known yet: a fused function computes with whole arrays"
    end
    raise("%s cannot be fused: arithmetic, comparisons, functions, where, casts, slices and a last reduction can", key)
end

-- ---- tracing ------------------------------------------------------------------------------------------------

-- The stand-in of an argument.
local function stand_for(trace, position, x)
    if math.type(x) then
        table.insert(trace.numbers, position)
        return add(trace, { "number", #trace.numbers - 1 })
    end
    return add_array(trace, { argument = position, views = {}, dtype = x:dtype(), ndim = x:ndim() })
end

-- Nodes that no result needs are dropped, and the arrays that no node needs.
local function prune(trace, results)
    local needed, renumbered = {}, {}
    for _, result in ipairs(results) do
        needed[result] = true
    end
    local nodes, arrays = {}, {}
    for i = #trace.nodes, 1, -1 do
        local node = trace.nodes[i]
        if needed[i - 1] and (arity[node[1]] or node[1] == "cast") then
            for k = 2, arity[node[1]] and arity[node[1]] + 1 or 2 do
                needed[node[k]] = true
            end
        end
    end
    local same, same_array = {}, {}
    for i, node in ipairs(trace.nodes) do
        if needed[i - 1] then
            local new = { table.unpack(node) }
            for k = 2, arity[node[1]] and arity[node[1]] + 1 or node[1] == "cast" and 2 or 1 do
                new[k] = renumbered[node[k]]
            end
            if node[1] == "array" then
                local array = trace.arrays[node[2] + 1]
                if not same_array[array] then
                    table.insert(arrays, array)
                    same_array[array] = #arrays - 1
                end
                new[2] = same_array[array]
            end
            local key = ("%s|%s|%s|%s"):format(new[1], math.type(new[2]) == "float" and ("%a"):format(new[2]) or new[2],
                new[3], new[4])
            if not same[key] then -- what is computed twice is computed once
                table.insert(nodes, new)
                same[key] = #nodes - 1
            end
            renumbered[i - 1] = same[key]
        end
    end
    trace.nodes, trace.arrays = nodes, arrays
    for i, result in ipairs(results) do
        results[i] = renumbered[result]
    end
end

-- Checks what the function gave: the nodes of its results, and which of them are reduced in the end.
local function read_results(given)
    local nodes, reductions = {}, {}
    if given.n == 0 then
        raise "the fused function returns nothing; it returns what it computes"
    end
    for i = 1, given.n do
        local result = given[i]
        if type(result) == "table" and rawget(result, "reduction") then
            reductions[i] = result
            result = result.of
        end
        if not is_stand_in(result) then
            raise("result %d of the fused function is %s; results are computed from its arguments", i,
                result == nil and "nil" or "a " .. (core.type(result) or type(result)))
        end
        nodes[i] = result.node
    end
    return nodes, reductions
end

-- Calls the function with stand-ins. The sources say which arrays the kernel reads: arguments and views of them.
local function trace_function(f, arguments)
    local trace = { nodes = {}, arrays = {}, numbers = {} }
    local stand_ins = {}
    for i = 1, arguments.n do
        stand_ins[i] = stand_for(trace, i, arguments[i])
    end
    local given = table.pack(pcall(f, table.unpack(stand_ins, 1, arguments.n)))
    trace.closed = true
    if not given[1] then
        error(given[2], 0) -- it has its position
    end
    local nodes, reductions = read_results(table.pack(table.unpack(given, 2, given.n)))
    prune(trace, nodes)
    return {
        expression = core._expression(trace.nodes, nodes), sources = trace.arrays, numbers = trace.numbers,
        count = #nodes, reductions = reductions,
    }
end

-- ---- calling ------------------------------------------------------------------------------------------------

local function arrays_of(traced, arguments)
    local arrays = {}
    for i, source in ipairs(traced.sources) do
        local array = source.outside or arguments[source.argument]
        for _, view in ipairs(source.views) do
            array = array[view.name](array, table.unpack(view, 1, view.n))
        end
        arrays[i] = array
    end
    return arrays
end

-- Without the options that the last step, the reduction, takes.
local function options_before(options)
    return options and { queue = options.queue, variant = options.variant }
end

local function options_of(reduction, options)
    local all = {}
    for _, list in ipairs { reduction.options or {}, options or {} } do
        for name, value in pairs(list) do
            all[name] = name ~= "variant" and value or nil
        end
    end
    return all
end

-- Reduces what the kernel has computed.
local function reduce(traced, computed, options)
    if options and (options.async or options.out) and traced.count > 1 then
        raise "async and out go with one result where a fused function reduces"
    end
    for i, reduction in pairs(traced.reductions) do
        local array <close> = computed[i]
        computed[i] = array[reduction.reduction](array, options_of(reduction, options))
    end
    return table.unpack(computed, 1, traced.count)
end

local function run(traced, arguments, options)
    local numbers = {}
    for i, position in ipairs(traced.numbers) do
        numbers[i] = arguments[position]
    end
    local arrays = arrays_of(traced, arguments)
    if next(traced.reductions) then
        return reduce(traced, { core._evaluate(traced.expression, arrays, numbers, options_before(options)) }, options)
    end
    return core._evaluate(traced.expression, arrays, numbers, options)
end

-- What the kernel depends on: the kinds of the arguments. True as well: is one of them a stand-in?
local function kinds_of(arguments)
    local kinds, nested = {}, false
    for i = 1, arguments.n do
        local x = arguments[i]
        if math.type(x) then
            kinds[i] = math.type(x)
        elseif core.type(x) == "array" then
            kinds[i] = x:dtype() .. x:ndim()
        elseif is_stand_in(x) then
            nested = true
        else
            raise("argument %d: an array or a number is wanted, got %s", i, x == nil and "nil" or "a " .. (core.type(x) or type(x)))
        end
    end
    return table.concat(kinds, " "), nested
end

-- lun.fuse(f)
return function(f)
    if type(f) ~= "function" then
        raise("argument 1: a function is wanted, got %s", f == nil and "nothing" or "a " .. type(f))
    end
    local known, running = {}, false
    return function(...)
        local arguments, options = table.pack(...), nil
        local last = arguments[arguments.n]
        if type(last) == "table" and not is_stand_in(last) then
            arguments[arguments.n], arguments.n, options = nil, arguments.n - 1, last
        end
        local kinds, nested = kinds_of(arguments)
        if running then
            raise "the fused function calls itself"
        elseif nested then -- within another fused function: its steps become steps of that one
            return f(...)
        end
        if not known[kinds] then
            running = true
            local ok, traced = pcall(trace_function, f, arguments)
            running = false
            if not ok then
                error(traced, 0)
            end
            known[kinds] = traced
        end
        return run(known[kinds], arguments, options)
    end
end
