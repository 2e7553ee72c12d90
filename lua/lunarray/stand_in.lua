-- What stands for arrays and numbers while lun.fuse traces a function: it notes what is computed, and refuses the rest.

local core = require "lunarray.core"
core._own()

local arity, reductions, ranks = core._functions() -- ranks: reductions of an array alone
local own_sources = {} -- [chunk source] = true: of lun.fuse's own files

-- A stand-in: { trace =, node = position of its node from 0, source = of an argument or its view: which array it is,
-- number = of a number: which of the trace's it is }.
local stand_in = { __name = "stand-in of a fused function, whose methods do what functions of numbers do: x:sin()",
    __kind = "a stand-in of a fused function" }
-- What a reduction gives: { reduction =, of = stand-in, options =, key = a text of these, value = the stand-in for its
-- result, once something is computed with it }.
local reduced = { __name = "reduction of a fused function", __kind = "a reduction of a fused function" }

local tracing -- the function that is called with stand-ins at present

-- Called from a file of lun.fuse: errors are then raised at what calls it.
local function own()
    own_sources[debug.getinfo(2, "S").source] = true
end

own()

-- ---- errors -----------------------------------------------------------------------------------------------

-- "file:line: " of a function's first line; nil for functions of C.
local function definition(f)
    local info = f and debug.getinfo(f, "S")
    return info and info.linedefined > 0 and ("%s:%d: "):format(info.short_src, info.linedefined) or nil
end

-- "file:line: " of the innermost line that is not of lun.fuse's files. A tail call has left no line of the function
-- that it was made in: then the fused function's first line. So nothing here that may raise is in a tail position.
local function position()
    local level, defined = 3, definition(tracing)
    while true do
        local frame = debug.getinfo(level, "Slt")
        if not frame then
            return ""
        elseif frame.currentline > 0 and not own_sources[frame.source] then
            return ("%s:%d: "):format(frame.short_src, frame.currentline)
        elseif frame.istailcall and defined then
            return defined
        end
        level = level + 1
    end
end

local function raise(message, ...)
    error(position() .. "lunarray: fuse: " .. core._plain(string.format, message, ...), 0)
end

-- Raises at the function's first line what is wrong with all of it.
local function raise_of(f, message, ...)
    error((definition(f) or position()) .. "lunarray: fuse: " .. core._plain(string.format, message, ...), 0)
end

-- What a call gives that is made for the fused function; what it raises is raised at the line of that.
local function try(f, ...)
    local ok, result = pcall(f, ...)
    if not ok then
        local text = type(result) == "string" and result:match "lunarray: .*"
        error(text and position() .. text or result, 0)
    end
    return result
end

local function is_stand_in(x)
    return getmetatable(x) == stand_in
end

local function kind_of(x)
    if x == nil then
        return "nil"
    elseif is_stand_in(x) then
        return "a stand-in"
    elseif getmetatable(x) == reduced then
        return "the result of a reduction"
    end
    local kind = core.type(x) or type(x)
    return (kind:find "^[aeu]" and "an " or "a ") .. kind
end

-- The trace of a stand-in that a method is called on.
local function check_self(name, self)
    if not is_stand_in(self) then
        raise("%s: self: a stand-in is wanted, got %s; is it called with a colon?", name, kind_of(self))
    elseif self.trace.closed then
        raise "a stand-in is used after its function has returned; only results may leave a fused function"
    end
    return self.trace
end

-- ---- nodes ------------------------------------------------------------------------------------------------

local function text_of(x)
    return math.type(x) == "float" and ("%a"):format(x) or type(x) == "userdata" and ("%p"):format(x) or tostring(x)
end

-- A stand-in for a node of core's trace: its kind, and operands or what else it has.
local function add(trace, source, ...)
    local noted = table.pack(position(), ...)
    local node = core._add(trace.core, table.unpack(noted, 1, noted.n))
    trace.nodes[node + 1] = trace.nodes[node + 1] or noted
    return setmetatable({ trace = trace, node = node, source = source }, stand_in)
end

-- An array that the kernel reads: { key = what it is, argument = its position, or outside = array, views = what is made
-- of it at each call, read = at which other positions the kernel reads it, example = the array while the function is
-- traced }.
local function add_array(trace, source)
    local at = trace.positions[source.key]
    if not at then
        table.insert(trace.arrays, source)
        at = #trace.arrays - 1
        trace.positions[source.key] = at
    end
    return add(trace, trace.arrays[at + 1], "array", at, source.read)
end

-- A number that is not known yet: { argument = its position }, or { compute = a function, operands, each the place of a
-- number or { constant }, position = "file:line: " }.
local function add_number(trace, key, number)
    local at = trace.numbered[key]
    if not at then
        table.insert(trace.numbers, number)
        at = #trace.numbers
        trace.numbered[key] = at
    end
    local made = add(trace, nil, "number", at - 1)
    rawset(made, "number", at)
    return made
end

-- Functions that take true and false in an array's place.
local TRUTHS = { where = true, eq = true, ne = true, land = true, lor = true, lxor = true, band = true, bor = true,
    bxor = true }

-- The node of an operand: a stand-in, a number, or an array that the function found outside.
local function node_of(trace, name, x)
    if is_stand_in(x) then
        if check_self(name, x) ~= trace then
            raise "stand-ins of two fused functions meet: one fused function may not compute with another's"
        end
        return x.node
    elseif math.type(x) or core.type(x) == "complex" or type(x) == "boolean" and TRUTHS[name] then
        return add(trace, nil, "constant", x).node
    elseif core.type(x) == "array" then
        return add_array(trace, { key = x, outside = x, views = {} }).node
    end
    raise("%s: arrays and numbers are wanted, got %s", name, kind_of(x))
end

-- Of a reduction the stand-in for its result, anything else as it is.
local function plain(x)
    if getmetatable(x) == reduced then
        return reduced.value_of(x)
    end
    return x
end

-- The function `name` of its operands.
local apply
function apply(name, ...)
    local count, operands, trace = arity[name], {}, nil
    for i = 1, math.min(count, select("#", ...)) do
        if getmetatable((select(i, ...))) == reduced then
            local given = table.pack(...)
            given[i] = plain(given[i])
            return (apply(name, table.unpack(given, 1, given.n)))
        end
    end
    for i = 1, count do
        local x = select(i, ...)
        trace = trace or is_stand_in(x) and check_self(name, x)
    end
    for i = 1, count do
        if i > select("#", ...) then
            raise("%s: argument %d: an array or a number is wanted, got nothing", name, i - 1)
        end
        operands[i] = node_of(trace, name, (select(i, ...)))
    end
    if select("#", ...) > count and select(count + 1, ...) ~= nil then
        raise("%s: options have no meaning within a fused function", name)
    end
    return (add(trace, nil, name, table.unpack(operands, 1, count)))
end

-- What an operator makes of numbers alone is a number, which Lua computes at each call, as outside of fused functions.
-- Nil where an operand is no number, or a number of another trace.
local function of_numbers(name, compute, ...)
    local number, words, trace = { compute = compute, position = position() }, { name }, nil
    for i = 1, 2 do
        local x = (select(i, ...))
        local place = is_stand_in(x) and check_self(name, x) == (trace or x.trace) and rawget(x, "number")
        trace = place and x.trace or trace
        number[i] = place or (math.type(x) or core.type(x) == "complex") and { x }
        if not number[i] then return nil end
        words[i + 1] = place and "#" .. place or text_of(x)
    end
    return add_number(trace, table.concat(words, " "), number)
end

local computes = {} -- [name of an operator] = what Lua computes by it

-- The metamethod, and what Lua writes; of one operand Lua hands it on twice.
for name, operator in pairs {
    add = "__add a + b", sub = "__sub a - b", mul = "__mul a * b", div = "__div a / b", floordiv = "__idiv a // b",
    mod = "__mod a % b", pow = "__pow a ^ b", band = "__band a & b", bor = "__bor a | b", bxor = "__bxor a ~ b",
    shl = "__shl a << b", shr = "__shr a >> b", neg = "__unm -a", bnot = "__bnot ~a",
} do
    local metamethod, text = operator:match "(%S+) (.*)"
    computes[name] = load("local a, b = ... return " .. text, "=" .. name)
    stand_in[metamethod] = function(a, b)
        a, b = plain(a), plain(b)
        return of_numbers(name, computes[name], a, b) or (apply(name, a, arity[name] > 1 and b or nil))
    end
end
stand_in.__fused = function(name, ...) -- of an array, or a complex number, on the left
    return computes[name] and of_numbers(name, computes[name], (...), plain((select(2, ...)))) or (apply(name, ...))
end

-- ---- what cannot be fused ------------------------------------------------------------------------------------

local ORDER = "a comparison gives one boolean to Lua, which is not known yet; "
    .. "a:lt(b), le, gt, ge, eq and ne stay in the kernel, and a:maximum(b) and minimum"
for metamethod, message in pairs {
    __lt = ORDER, __le = ORDER, __eq = ORDER,
    __len = "the size is not known yet: the kernel serves arrays of any size",
    __concat = "a stand-in has no text: its values are not known yet",
    __pairs = "elements are not known yet: a fused function computes with whole arrays",
    __newindex = "a stand-in is not assigned to", __call = "a stand-in is not called",
} do
    stand_in[metamethod] = function() raise(message) end
end
stand_in.__tostring = function() return "stand-in of a fused function" end
stand_in.__close = function() end -- as temporary arrays are closed

local SHAPE = "%s: the shape is not known yet: the kernel serves arrays of any shape"
local VALUES = "%s cannot be fused: values are not known yet"
local refusals = {
    shape = SHAPE, size = SHAPE, nbytes = SHAPE, get = VALUES, totable = VALUES, tobytes = VALUES, host = VALUES,
    save = VALUES,
}

-- ---- methods ------------------------------------------------------------------------------------------------

local methods = {}

for name in pairs(arity) do
    methods[name] = function(self, ...)
        check_self(name, self)
        return (apply(name, self, ...))
    end
end

function methods.cast(self, dtype)
    local trace = check_self("cast", self)
    try(core._dtype, dtype)
    return (add(trace, nil, "cast", self.node, dtype))
end

-- A copy, for later calls, of what the function gave a view or a reduction; and a text that says what it is.
local function fixed(name, x)
    if is_stand_in(x) or getmetatable(x) == reduced then
        raise("%s: fixed numbers are wanted, got %s: its value is not known yet", name, kind_of(x))
    elseif type(x) ~= "table" then
        return x, text_of(x)
    end
    local copy, words = {}, {}
    for key, value in pairs(x) do
        local text
        copy[key], text = fixed(name, value)
        table.insert(words, text_of(key) .. "=" .. text)
    end
    table.sort(words)
    return copy, "{" .. table.concat(words, ",") .. "}"
end

-- What complex numbers have, and arrays do not.
local of_complex = { re = methods.real, im = methods.imag, arg = function() return methods.angle end }

stand_in.__index = function(self, key)
    local method = methods[key]
    if method then
        return method
    elseif rawget(self, "number") and of_complex[key] then
        return (of_complex[key](self))
    elseif type(key) ~= "string" then
        raise "elements are not known yet: a fused function computes with whole arrays"
    elseif key:find "_$" and arity[key:sub(1, -2)] then
        raise("%s: nothing is changed in place within a fused function; `out` of its call may be an argument", key)
    end
    local source = rawget(self, "trace").arrays[1]
    local example = source and (source.example or source.outside)
    try(function() return example and example[key] end) -- what is meant by a name that arrays do not have either
    raise(refusals[key] or "%s cannot be fused: arithmetic, comparisons, functions, where, casts, views of arguments "
        .. "and reductions can", key)
end

-- ---- what lun.fuse makes of them ----------------------------------------------------------------------------

-- What a call of a function computes: core's trace, the arrays and the numbers among the arguments that it reads.
local function new_trace()
    return { core = core._trace(), nodes = {}, reductions = {}, arrays = {}, positions = {}, numbers = {},
        numbered = {}, examples = {} }
end

-- The stand-in of an argument.
local function stand_for(trace, argument, x)
    if math.type(x) or core.type(x) == "complex" then
        return add_number(trace, "argument " .. argument, { argument = argument })
    end
    return add_array(trace, { key = "argument " .. argument, argument = argument, views = {}, example = x })
end

-- Nothing more is computed in it, and no array of this call is kept.
local function close(trace)
    trace.closed = true
    for _, source in ipairs(trace.arrays) do
        source.ndim = source.example and source.example:ndim() or source.ndim
        source.example = nil
    end
    for _, example in ipairs(trace.examples) do
        example:release()
    end
end

-- Notes which function is called with stand-ins from now on; gives the one before.
local function set_tracing(f)
    local before = tracing
    tracing = f
    return before
end

return {
    arity = arity, own = own, raise = raise, raise_of = raise_of, kind_of = kind_of, new_trace = new_trace,
    stand_for = stand_for, close = close, methods = methods, set_tracing = set_tracing, is_stand_in = is_stand_in,
    is_reduced = function(x) return getmetatable(x) == reduced end, try = try, check_self = check_self, apply = apply,
    add_array = add_array, add_number = add_number, fixed = fixed, reduced = reduced, reductions = reductions,
    ranks = ranks, plain = plain, metatable = stand_in,
}
