-- Reductions in a fused function: its last step, or steps in its midst, whose results it computes on with. Those are
-- made by passes of their own: each makes all reductions of one level that have the same options.

local core = require "lunarray.core"
core._own()
local stand_in = require "lunarray.stand_in"
stand_in.own()

local methods, raise, kind_of, check_self = stand_in.methods, stand_in.raise, stand_in.kind_of, stand_in.check_self
local reduced, reductions, ranks, fixed = stand_in.reduced, stand_in.reductions, stand_in.ranks, stand_in.fixed

-- ---- levels and axes ------------------------------------------------------------------------------------------

-- Where a node's operands stand among what was noted of it, from and to.
local function operands(noted)
    if noted.fold then
        return 3, 3
    elseif noted[2] == "array" or noted[2] == "number" or noted[2] == "constant" then
        return 1, 0
    end
    return 3, noted[2] == "cast" and 3 or noted.n
end

-- The level of a number: that of what it is computed from.
local function number_level(trace, number)
    local level = number.level or 0
    for _, operand in ipairs(number) do
        if type(operand) ~= "table" then
            level = math.max(level, number_level(trace, trace.numbers[operand]))
        end
    end
    return level
end

-- How many axes a source's array has.
local function source_axes(source)
    local array = source.example or source.outside
    return array and array:ndim() or source.ndim
end

-- Of a node: its level, that of the last reduction that goes into it, and how many axes it has.
local find_shape
function find_shape(trace, node)
    local noted, level, ndim = trace.nodes[node + 1], 0, 0
    if noted.level then
        return noted.level, noted.ndim
    elseif noted[2] == "array" then
        local source = trace.arrays[noted[3] + 1]
        level, ndim = source.level or 0, source_axes(source)
    elseif noted[2] == "number" then
        level = number_level(trace, trace.numbers[noted[3] + 1])
    end
    for i = operands(noted), select(2, operands(noted)) do
        local below, axes = find_shape(trace, noted[i])
        level, ndim = math.max(level, below), math.max(ndim, axes)
    end
    noted.level, noted.ndim = level, ndim
    return level, ndim
end

-- How many axes a result has: nil, a number.
local function axes_left(options, ndim)
    local axes = options.axis
    local gone = type(axes) == "table" and #axes or axes and 1 or ndim
    if options.keepdims or options.segments then
        return ndim
    end
    return gone < ndim and ndim - gone or nil
end

local BOOLEAN = { any = true, all = true } -- of all elements

-- The stand-in for the result of a reduction: of an argument behind the function's own.
function reduced.value_of(given)
    local value = rawget(given, "value")
    if value then
        return value
    end
    local of, options = rawget(given, "of"), rawget(given, "options")
    local trace = check_self(rawget(given, "reduction"), of)
    local key = ("reduction %s of %d %s"):format(rawget(given, "reduction"), of.node, rawget(given, "key"))
    local known = trace.reductions[key]
    if not known then
        local level, ndim = find_shape(trace, of.node)
        known = { argument = trace.count + #trace.reductions + 1, level = level + 1, given = given }
        known.ndim = axes_left(options, ndim)
        table.insert(trace.reductions, known)
        trace.reductions[key] = known
    end
    if not known.ndim and BOOLEAN[rawget(given, "reduction")] then
        raise("%s of all elements is true or false, which is not computed with; give the axis",
            rawget(given, "reduction"))
    elseif known.ndim then
        value = stand_in.add_array(trace, { key = key, argument = known.argument, views = {}, level = known.level,
            ndim = known.ndim })
        rawset(value, "source", nil) -- views are made of what is there before the first pass
    else
        value = stand_in.add_number(trace, key, { argument = known.argument, level = known.level })
    end
    rawset(given, "value", value)
    rawset(given, "argument", known.argument)
    return value
end

-- ---- what is computed with them -------------------------------------------------------------------------------------

for metamethod, f in pairs(stand_in.metatable) do
    if type(f) == "function" and metamethod:find "^__" and metamethod ~= "__index" and metamethod ~= "__close" then
        reduced[metamethod] = f
    end
end
reduced.__tostring = function() return "reduction of a fused function" end

function reduced.__index(self, key)
    local method = stand_in.metatable.__index(reduced.value_of(self), key)
    return function(x, ...)
        local given = table.pack(method(stand_in.plain(x), ...))
        return table.unpack(given, 1, given.n)
    end
end

-- ---- methods ------------------------------------------------------------------------------------------------------

local function add_reduction(name, self, options)
    check_self(name, self)
    local value = stand_in.is_stand_in(options) or stand_in.is_reduced(options)
    if options ~= nil and (type(options) ~= "table" or value) then
        local of_two = { max = "; a:maximum(b) has the larger of two", min = "; a:minimum(b) has the smaller of two" }
        local meant = math.type(options) == "integer" and options ~= 0 and (", as {axis = %d},"):format(options) or ""
        raise("%s: a table of options%s is wanted, got %s%s", name, meant, kind_of(options), of_two[name] or "")
    end
    local copy, key = fixed(name, options or {})
    if copy.dtype ~= nil and not ranks[name] then
        self = methods.cast(self, copy.dtype)
    end
    return setmetatable({ reduction = name, of = self, options = copy, key = key }, reduced)
end

for _, name in ipairs(ranks) do
    table.insert(reductions, name)
    ranks[name] = true
end
for _, name in ipairs(reductions) do
    reductions[name] = true
    methods[name] = function(self, options) return (add_reduction(name, self, options)) end
end

for _, reduction in ipairs { "quantile", "nanquantile" } do
    methods[reduction] = function(self, q, options)
        local all = { q = q }
        for name, value in pairs(type(options) == "table" and options or {}) do all[name] = value end
        return (add_reduction(reduction, self, (options == nil or type(options) == "table") and all or options))
    end
end

function methods.reduce(self, name, options)
    if not reductions[name] then
        raise("reduce: the name of one reduction is wanted (%s), got %s", table.concat(reductions, " "),
            type(name) == "string" and name or kind_of(name))
    end
    return (add_reduction(name, self, options))
end

-- ---- passes ---------------------------------------------------------------------------------------------------

local MOST = 6 -- reductions of one pass

-- The reduction whose result a node is, as core has it: {position, "fold", node, reduction}; nil: it is none.
local function fold_of(trace, noted)
    local source = noted[2] == "array" and trace.arrays[noted[3] + 1]
    local given = source and source.level and trace.reductions[source.key].given
    return given and { noted[1], "fold", rawget(given, "of").node, rawget(given, "reduction"), n = 4, fold = true }
end

-- Copies into a trace of core's what the results need; they are nodes of that then. `whole`: reductions in the midst
-- are nodes of it, too, and no arrays that come from elsewhere.
local function copy_nodes(trace, copy, results, whole)
    local needed, place, steps = {}, {}, {}
    for _, result in ipairs(results) do
        needed[result.node] = true
    end
    for node = #trace.nodes - 1, 0, -1 do
        local noted = needed[node] and trace.nodes[node + 1]
        steps[node] = noted and (whole and fold_of(trace, noted) or noted)
        for i = noted and operands(steps[node]) or 1, noted and select(2, operands(steps[node])) or 0 do
            needed[steps[node][i]] = true
        end
    end
    for node = 0, #trace.nodes - 1 do
        local step = steps[node]
        if step then
            local own = table.move(step, 1, step.n, 1, {})
            for i = operands(step), select(2, operands(step)) do
                own[i] = place[step[i]]
            end
            place[node] = core._add(copy, table.unpack(own, 1, step.n))
        end
    end
    for _, result in ipairs(results) do
        result.node = place[result.node]
    end
end

-- Options of reductions that core's passes take.
local FOLDED = { axis = true, keepdims = true, ddof = true, dtype = true, accurate = true,
    reproducible = true }
local function are_folded(options)
    for name in pairs(options) do
        if not FOLDED[name] then
            return false
        end
    end
    return true
end

-- The options of all reductions in the midst, where these are alike, keep their axes, and have as many as the results:
-- core plans their passes then. Else nil.
local function find_whole(trace, results)
    local first = trace.reductions[1].given
    local options = rawget(first, "options")
    local whole = not results.reduce and #trace.reductions <= 16 and #trace.arrays <= 32
    local ndim = results[1] and select(2, find_shape(trace, results[1].node))
    for _, source in ipairs(trace.arrays) do
        whole = whole and not source.read
    end
    for _, reduction in ipairs(trace.reductions) do
        local given = reduction.given
        whole = whole and rawget(given, "key") == rawget(first, "key") and not ranks[rawget(given, "reduction")]
            and select(2, find_shape(trace, rawget(given, "of").node)) == ndim
    end
    return whole and options.keepdims == true and are_folded(options) and options or nil
end

-- Notes the arguments that a number is made of.
local function note_number(trace, needed, at)
    local number = trace.numbers[at]
    needed[number.argument or 0] = true
    for _, operand in ipairs(number) do
        if type(operand) ~= "table" then
            note_number(trace, needed, operand)
        end
    end
end

-- The passes before the last one, in their order, of the reductions that it needs. `make(results)` makes a pass; `read`
-- makes a result of a reduction.
local function find_passes(trace, last, make, read)
    local needed, passes, highest = {}, {}, 0
    local function note(pass)
        for _, source in ipairs(pass.arrays) do
            needed[source.argument or 0] = true
        end
        for _, at in ipairs(pass.passed) do
            note_number(trace, needed, at)
        end
    end
    note(last)
    for _, taken in ipairs(last.taken or {}) do
        if taken and taken.number then
            note_number(trace, needed, taken.number)
        elseif taken then
            needed[taken.argument] = true
        end
    end
    for _, reduction in ipairs(trace.reductions) do
        highest = math.max(highest, reduction.level)
    end
    for level = highest, 1, -1 do
        local groups, order = {}, {}
        for _, reduction in ipairs(trace.reductions) do
            local key = rawget(reduction.given, "key")
            if reduction.level == level and needed[reduction.argument] then
                if not groups[key] or #groups[key] == MOST then
                    groups[key] = { gives = {}, reduce = true }
                    table.insert(order, groups[key])
                end
                table.insert(groups[key], read(reduction.given))
                table.insert(groups[key].gives, reduction.argument)
            end
        end
        for _, group in ipairs(order) do
            local pass = make(group)
            pass.gives = group.gives
            note(pass)
            table.insert(passes, 1, pass)
        end
    end
    return passes
end

return { are_folded = are_folded, copy_nodes = copy_nodes, find_passes = find_passes, find_whole = find_whole }
