-- Prints what the Lua language server should know of the operations, from their rows: lua5.4 tools/annotations.lua,
-- where `require "lunarray"` finds the module. Other names are annotated by hand, in lua/lunarray/meta*.lua.

local WIDTH = 118

local lun = require "lunarray"

-- ---- types --------------------------------------------------------------------------------------------------

-- What a kind of arguments and options is called there; the kinds are told apart by core's words for them.
local KINDS = {
    ["true or false"] = "boolean", ["a number"] = "number", ["a whole number"] = "integer", ["a string"] = "string",
    ["an array"] = "array", ["a whole number or a list of them"] = "integer|integer[]", ["a queue"] = "queue",
    ["a number or an array"] = "number|array", ["a number, a list of numbers or an array"] = "number|number[]|array",
    ["an array or a number"] = "array|scalar",
    ["an i32 or i64 array of starts, or a list of them,"] = "array|integer[]",
    ["an i32 or i64 array, or a list of positions or of arrays,"] = "array|integer|integer[]|array[]",
    ["a number or a list of them"] = "number|number[]", ["a string or a list of them"] = "string|string[]",
    ["a list of arrays"] = "array[]", ["a table of values by name"] = "table<string, array|number>",
    ["an array or a list of arrays"] = "array|array[]", ["a device"] = "device", ["a value"] = "any",
    ["a whole number, a name or a list of them"] = "integer|string|(integer|string)[]",
    ["a table, a string of bytes, a number or an array"] = "nested|string|array",
    ["positions or ranges {from, to, step}"] = "range",
    ["a sparse matrix"] = "sparse", ["an array or a sparse matrix"] = "array|sparse",
    ["an array, a sparse matrix or a function"] = "array|sparse|LinearFunction",
}
local SPREAD = { ["a number"] = "number", ["an array"] = "array", ["a vector"] = "array" } -- of what stands as several
local NAMES = { dtype = "dtype", op = "op|op[]", value = "scalar" } -- of arguments and options whose name says more

-- Names of the module's own classes with its name in front.
local OWN = "array complex device dtype event incomplete lu nested op program queue range rng scalar simulation sparse "
    .. "LstsqReport SolverReport LinearFunction"
local own = {}
for name in OWN:gmatch "%a+" do
    own[name] = "lunarray." .. name
end
local function typed(text)
    return (text:gsub("%f[%w.][%a][%w.]*", own))
end

-- The words that a text may be, "a|b"; what stands in angle brackets is a type: "<boolean>|conjugate".
local function choice(words)
    local list = {}
    for word in words:gmatch "[^|]+" do
        list[#list + 1] = word:match "^<(.*)>$" or tonumber(word) and word or ('"%s"'):format(word)
    end
    return typed(table.concat(list, "|"))
end

local function type_of(named)
    return named.words and choice(named.words)
        or named.spread and SPREAD[named.wanted] and typed(SPREAD[named.wanted])
        or typed(NAMES[named.name] or assert(KINDS[named.kind], named.kind))
end

-- ---- lines --------------------------------------------------------------------------------------------------

local function write(...)
    io.write(...)
    io.write "\n"
end

-- Text as a comment, whose lines begin with ---.
local function prose(text)
    local line = "---"
    for word in text:gmatch "%S+" do
        if #line + 1 + #word > WIDTH and line ~= "---" then
            write(line)
            line = "---"
        end
        line = line .. (line == "---" and "" or " ") .. word
    end
    write(line)
end

-- ---- options ------------------------------------------------------------------------------------------------

local PREFIXES = { array = "", sparse = "Sparse", device = "Device", module = "", stream = "Rng", nothing = "Further" }
local written = {}

-- The class of an operation's options, which is written here unless it was; nil: it has none. Functions share theirs.
local function options_class(operation, in_place)
    if not operation.options[1] then
        return nil
    end
    local changes = (in_place or operation.name:find "_$") and "InPlace" or ""
    local camel = operation.kind == "function" and "Map" or operation.name:gsub("_+(%w?)", string.upper)
    local name = ("lunarray.%s%s%sOptions"):format(PREFIXES[operation.owner], camel:gsub("^%l", string.upper), changes)
    if not written[name] then
        written[name] = true
        write("---@class ", name)
        for _, option in ipairs(operation.options) do
            local line = ("---@field %s? %s %s"):format(option.name, type_of(option), option.means or "")
            if option.name ~= "out" or not in_place then
                write((line:gsub("%s+$", "")))
            end
        end
        write()
    end
    return name
end

local function option_named(operation, name)
    for _, option in ipairs(operation.options) do
        if option.name == name then
            return option
        end
    end
    return nil
end

-- What an argument means, and where its options may be.
local function meaning(argument, class)
    local list = { argument.means }
    list[#list + 1] = class and argument.shares and "its table may have the options too" or nil
    return #list > 0 and table.concat(list, "; ") or nil
end

-- ---- functions ----------------------------------------------------------------------------------------------

-- The results as { type =, name =, text = }.
local function results(operation)
    local list = {}
    local in_place = operation.name:find "_$"
    for result in (operation.returns or in_place and "array self" or "array"):gmatch "[^;]+" do
        local what, rest = result:match "^%s*(%S+)%s*(.*)$"
        list[#list + 1] = { type = typed(what), text = rest }
    end
    if option_named(operation, "async") and list[1].type ~= "function" then
        list[1].type = list[1].type .. "|lunarray.event"
    end
    if option_named(operation, "info") and not (operation.returns or ""):find "report" then
        list[#list + 1] = { type = "lunarray.array?", text = "info with `info`" }
    end
    return list
end

-- The parameters as { name =, type =, means =, optional = }: one that may stand as several, and is the last, is `...`.
local function parameters(operation, class)
    local list = {}
    for i, argument in ipairs(operation.arguments) do
        local last = argument.spread and i == #operation.arguments
        list[i] = { name = last and "..." or argument.name, type = type_of(argument),
            means = meaning(argument, class),
            optional = argument.optional and not last, option = option_named(operation, argument.name) }
        if last then
            list[i].type = list[i].type .. (class and "|" .. class or "")
        end
    end
    local open = class and not (list[#list] and list[#list].name == "...")
    local dtype = option_named(operation, "dtype")
    for _, argument in ipairs(operation.arguments) do
        dtype = argument.name ~= "dtype" and dtype
    end
    if open and dtype then
        list[#list + 1] = { name = "dtype", type = "lunarray.dtype|" .. class, optional = true }
    end
    if open then
        list[#list + 1] = { name = "opts", type = class, optional = true }
    end
    return list
end

-- Further ways to call it: options in the place of arguments that may be left out, and a list as several arguments.
local function overloads(operation, self, list, class, given)
    local before = self
    for i, parameter in ipairs(list) do
        if class and (parameter.optional or parameter.option) and parameter.name ~= "opts" then
            local form = table.move(before, 1, #before, 1, {})
            form[#form + 1] = "opts: " .. class
            write(("---@overload fun(%s): %s"):format(table.concat(form, ", "), given))
        end
        if operation.arguments[i] and operation.arguments[i].spread and parameter.name ~= "..." then
            local form = table.move(before, 1, #before, 1, {})
            form[#form + 1] = ("...: %s"):format(table.concat({ parameter.type, own.dtype, class }, "|"))
            write(("---@overload fun(%s): %s"):format(table.concat(form, ", "), given))
        end
        before = table.move(before, 1, #before, 1, {})
        before[#before + 1] = ("%s: %s"):format(parameter.name, parameter.type)
    end
end

-- What the row says of dtypes: those that an array may have, and those of results that are always floats.
local TAKEN = { b = "bool", i = "integers", h = "f16 bf16", f = "f32 f64", c = "complex", p = "i32 i64" }
local GIVEN = {
    keeps = "f64 of integers, else the array's dtype",
    float = "f64 of integers, f32 of f16 and bf16, else the array's dtype",
    real = "f64 of integers, f32 of f16 and bf16, of complex numbers the dtype of their parts, else the array's dtype",
}
local function dtypes(operation)
    local kinds, sentences = {}, {}
    for letter in (operation.takes or ""):gmatch "." do
        kinds[#kinds + 1] = TAKEN[letter]
    end
    local given = operation.gives and GIVEN[operation.promise:match "(%a+) [^:]*$"]
    sentences[1] = kinds[1] and ("Takes %s."):format(table.concat(kinds, ", "))
    sentences[#sentences + 1] = given and ("Gives %s."):format(given)
    return table.concat(sentences, " ")
end

local OWNERS = { array = "array", sparse = "sparse", device = "device", module = "lun", stream = "rng" }

-- The name of a method's array where it is the first argument of a function.
local function array_name(operation)
    for _, argument in ipairs(operation.arguments) do
        if argument.name == "a" then
            return "x"
        end
    end
    return "a"
end

-- As a method of its owner, or as a function of the module, whose first argument `array` names where it is a method's.
local function annotate(operation, owner, inner, array)
    local class, inner_class = options_class(operation), inner and options_class(inner)
    local list, gives = parameters(operation, class), results(operation)
    local names, types = {}, {}
    local base = operation.name:match "^(.*)_$"
    prose(base and operation.kind == "function" and ("As `%s`, in place."):format(base) or operation.says)
    if dtypes(operation) ~= "" then
        prose(dtypes(operation))
    end
    for i, result in ipairs(gives) do
        types[i] = result.type
    end
    local self = array and { array .. ": lunarray.array" } or owner == "lun" and {} or { "self" }
    overloads(operation, self, list, class, table.concat(types, ", "))
    if array and operation.kind == "function" then
        local numbers = { array .. ": lunarray.scalar" }
        for i, argument in ipairs(operation.arguments) do
            numbers[i + 1] = argument.name .. ": lunarray.scalar"
        end
        write(("---@overload fun(%s): lunarray.scalar"):format(table.concat(numbers, ", ")))
    end
    if inner then
        local decimals = inner.arguments[1]
        write(("---@overload fun(%s, %s: %s, opts?: %s): %s"):format(self[1], decimals.name, type_of(decimals),
            inner_class, types[1]))
    end
    if array then
        write(("---@param %s lunarray.array"):format(array))
        names[1] = array
    end
    for _, parameter in ipairs(list) do
        names[#names + 1] = parameter.name
        write((("---@param %s%s %s %s"):format(parameter.name, parameter.optional and "?" or "", parameter.type,
            parameter.means or ""):gsub("%s+$", "")))
    end
    for _, result in ipairs(gives) do
        write((("---@return %s %s"):format(result.type, result.text):gsub("%s+$", "")))
    end
    write(("function %s%s%s(%s) end\n"):format(owner, owner == "lun" and "." or ":", operation.name,
        table.concat(names, ", ")))
end

-- Is a method of arrays a function of the module, too? lun.trace is declared by hand, as it also traces programs.
local function is_function(operation)
    return operation.owner == "array" and type(rawget(lun, operation.name)) == "function" and operation.name ~= "trace"
end

-- The same in place, of a row whose result has its array's shape.
local function annotate_in_place(operation)
    local class, names = options_class(operation, true), {}
    prose(("As `%s`, whose result goes to the array: it has to have its shape and dtype."):format(operation.name))
    for i, parameter in ipairs(parameters(operation, class)) do
        names[i] = parameter.name
        write((("---@param %s%s %s %s"):format(parameter.name, parameter.optional and "?" or "", parameter.type,
            parameter.means or ""):gsub("%s+$", "")))
    end
    write "---@return lunarray.array|lunarray.event self"
    write(("function array:%s_(%s) end\n"):format(operation.name, table.concat(names, ", ")))
end

-- ---- all ----------------------------------------------------------------------------------------------------

write [[
---@meta _
-- What the Lua language server, and a reader, should know of the operations: printed by tools/annotations.lua from
-- their rows in src/core/op/. Nothing loads it.

---@class lunarray
local lun = {}
---@class lunarray.array
local array = {}
---@class lunarray.device
local device = {}
---@class lunarray.rng
local rng = {}
---@class lunarray.sparse
local sparse = {}

---The reductions.
---@alias lunarray.op]]
local operations, inner, rows = lun.operations(), {}, { complex = true } -- of meta_complex.lua
for _, operation in ipairs(operations) do
    if operation.kind == "reduction" or operation.name:find "median$" or operation.name:find "quantile$" then
        write(('---| "%s" # %s'):format(operation.name, operation.says))
    end
    inner[operation.name] = operation.owner == "nothing" and operation or inner[operation.name]
end
write()
for _, operation in ipairs(operations) do
    local owner = OWNERS[operation.owner]
    if owner then
        annotate(operation, owner, owner == "array" and inner[operation.name])
    end
    if operation.in_place then
        annotate_in_place(operation)
    end
    if owner == "device" and type(rawget(lun, operation.name)) == "function" then -- of the default device
        annotate(operation, "lun")
    end
    rows[operation.name] = rows[operation.name] or owner == "device" or owner == "lun"
end
write "-- Methods of arrays as functions, whose first argument is the array."
for _, operation in ipairs(operations) do
    if is_function(operation) and not rows[operation.name] then
        annotate(operation, "lun", inner[operation.name], array_name(operation))
    end
end
write()

-- Functions of one array, which sparse matrices have, too; those with a row of their own are above.
local declared = {}
for _, operation in ipairs(operations) do
    declared[operation.name] = declared[operation.name] or operation.owner == "sparse"
end
for _, operation in ipairs(operations) do
    local name = operation.name
    local elementwise = operation.kind == "function" or name == "real" or name == "imag"
    if operation.owner == "array" and elementwise and #operation.arguments == 0 and not declared[name]
        and not name:find "_$" then
        prose(operation.says .. " Of the values of the entries: places without one stay 0.")
        write(("---@return lunarray.sparse\nfunction sparse:%s() end\n"):format(name))
    end
end
