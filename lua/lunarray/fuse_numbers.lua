-- Numbers among the arguments of a fused function, while it is traced: operators on them give numbers, which Lua
-- computes at each call, as outside of fused functions.

local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"

-- { its value in this call, its position among the trace's numbers, core's trace }
local number = { __name = "number of a fused function", __kind = "a number of a fused function" }

local MOST = 8192 -- numbers of a trace

local traces = setmetatable({}, { __mode = "k" }) -- [number] = its trace: { numbers =, closed = }

local function is_traced(x)
    return getmetatable(x) == number
end

-- The value that Lua computes; errors are raised at the user's line.
local function try(compute, ...)
    local ok, value = pcall(compute, ...)
    if not ok then
        local text = tostring(value):gsub("^.-:%d+: ", ""):gsub(" %(local '%a'%)", "")
        misuse.raise("fuse", "%s", text)
    end
    return value
end

-- The number of the trace that a recipe makes: { argument = its position }, or { compute = a function, operands ... }.
local function add(trace, value, recipe)
    if #trace.numbers == MOST then
        misuse.raise("fuse", "the function computes more than %d numbers; each turn of a loop adds its own", MOST)
    end
    table.insert(trace.numbers, recipe)
    local made = setmetatable({ value, #trace.numbers, trace.graph }, number)
    traces[made] = trace
    return made
end

-- A number computed from others, at least one of which is traced.
local function computed(compute, a, b)
    local trace = traces[a] or traces[b]
    if trace.closed then
        misuse.raise("fuse", "a number of a fused function is used after the function has returned")
    elseif is_traced(a) and is_traced(b) and traces[a] ~= traces[b] then
        misuse.raise("fuse", "a fused function cannot compute with numbers of another fused function")
    end
    local recipe = { compute = compute, is_traced(a) and a[2] or { a }, is_traced(b) and b[2] or { b } }
    return add(trace, try(compute, is_traced(a) and a[1] or a, is_traced(b) and b[1] or b), recipe)
end

-- The value of each number that the kernels take, at a call with these arguments.
local function values(trace, used, arguments)
    local known = {}
    local function value(at)
        local recipe = trace.numbers[at]
        if known[at] == nil and recipe.argument then
            known[at] = arguments[recipe.argument]
        elseif known[at] == nil then
            local operands = {}
            for i, operand in ipairs(recipe) do
                if type(operand) == "table" then
                    operands[i] = operand[1]
                else
                    operands[i] = value(operand)
                end
            end
            known[at] = try(recipe.compute, operands[1], operands[2])
        end
        return known[at]
    end
    local given = {}
    for i, at in ipairs(used) do
        for earlier = 1, at do -- in their order, so that none waits for many others
            value(earlier)
        end
        given[i] = known[at]
    end
    return given
end

local computes = {} -- [name of core's function] = what Lua computes by its operator

-- The metamethod, and its operator in Lua; for a unary operator Lua passes the operand twice.
for name, operator in pairs {
    add = "__add a + b", sub = "__sub a - b", mul = "__mul a * b", div = "__div a / b", floordiv = "__idiv a // b",
    mod = "__mod a % b", pow = "__pow a ^ b", band = "__band a & b", bor = "__bor a | b", bxor = "__bxor a ~ b",
    shl = "__shl a << b", shr = "__shr a >> b", neg = "__unm -a", bnot = "__bnot ~a",
} do
    local metamethod, text = operator:match "(%S+) (.*)"
    computes[name] = load("local a, b = ... return " .. text, "=" .. name)
    number[metamethod] = function(a, b)
        local other = is_traced(a) and b or a
        if other == nil or is_traced(other) or math.type(other) or core.type(other) == "complex" then
            return (computed(computes[name], a, b))
        end
        return (core._operators[metamethod](a, b)) -- which handles arrays, and raises errors for other values
    end
end
number.__fused = function(name, a, b) return (computed(computes[name], a, b)) end -- of a complex number on the left

local ORDER = "the boolean of a comparison is not known yet; "
    .. "a:lt(b), le, gt, ge, eq and ne stay in the kernel, and a:maximum(b) and minimum"
for metamethod, message in pairs {
    __lt = ORDER, __le = ORDER, __eq = ORDER, __concat = "a number has no string yet: its value is not known",
    __newindex = "a number cannot be assigned to", __call = "a number cannot be called",
} do
    number[metamethod] = function() misuse.raise("fuse", "%s", message) end
end
number.__tostring = function() return "number of a fused function" end

local function truth(is) return is and 1 or 0 end

-- Methods of real numbers, which Lua's numbers do not have, with the results of arrays' methods of these names.
local functions = {
    floor = function(x) return x // 1 end, ceil = function(x) return -(-x // 1) end,
    square = function(x) return x * x end, recip = function(x) return 1 / x end,
    lt = function(x, y) return truth(x < y) end, le = function(x, y) return truth(x <= y) end,
    gt = function(x, y) return truth(x > y) end, ge = function(x, y) return truth(x >= y) end,
    eq = function(x, y) return truth(x == y) end, ne = function(x, y) return truth(x ~= y) end,
}
-- Those of Lua's math library, which is read at the call: the module loads without it.
local in_math = {
    abs = "abs", sqrt = "sqrt", exp = "exp", log = "log", sin = "sin", cos = "cos", tan = "tan", asin = "asin",
    acos = "acos", atan = "atan", atan2 = "atan", maximum = "max", minimum = "min",
}

-- A complex number's parts and methods, and a real one's functions.
function number.__index(self, key)
    local compute = math.type(self[1]) and (functions[key] or math[in_math[key]])
    if compute then
        return function(x, y) return (computed(compute, x, y)) end
    end
    local of = core.type(self[1]) == "complex" and self[1][key]
    if not of then
        misuse.raise("fuse", "a number has no '%s'; arrays have methods, and complex numbers parts", tostring(key))
    elseif type(of) ~= "function" then
        return (computed(function(z) return z[key] end, self))
    end
    return function(z) return (computed(function(value) return value[key](value) end, z)) end
end

return { add = add, values = values, is_traced = is_traced }
