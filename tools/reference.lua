-- Prints the page of all operations, from their rows: lua5.4 tools/reference.lua >doc/reference.md, where
-- `require "lunarray"` finds the module.

local lun = require "lunarray"

local function cell(text)
    return (text:gsub("|", "\\|"))
end

local KINDS = { b = "bool", i = "integers", h = "f16 bf16", f = "f32 f64", c = "complex", p = "i32 i64" }

-- The dtypes that an array may have: "bihf" in words.
local function taken(operation)
    local kinds = {}
    for letter in (operation.takes or ""):gmatch "." do
        kinds[#kinds + 1] = KINDS[letter]
    end
    return #kinds > 0 and table.concat(kinds, ", ") or operation.owner == "array" and "all" or ""
end

-- The dtypes of the results, of "bihf: same n; i64 n": without the example's kinds of dtypes and sizes.
local function given(operation)
    local dtypes = {}
    for result in (operation.promise or ""):gsub("^[%w!]+:", ""):gmatch "[^;]+" do
        dtypes[#dtypes + 1] = result:match "%S+"
    end
    return table.concat(dtypes, "; ")
end

local CALLS = { array = "a:%s", sparse = "A:%s", device = "dev:%s", module = "lun.%s", stream = "rng:%s" }

-- a:topk(k, {axis, smallest}): what everything takes, variant, async and queue, is left out.
local function call(operation)
    local arguments, options = {}, {}
    for i, argument in ipairs(operation.arguments) do
        arguments[i] = argument.name .. (argument.optional and "?" or "")
    end
    for _, option in ipairs(operation.options) do
        if option.name ~= "variant" and option.name ~= "async" and option.name ~= "queue" then
            options[#options + 1] = option.name
        end
    end
    if options[1] then
        arguments[#arguments + 1] = "{" .. table.concat(options, ", ") .. "}"
    end
    return CALLS[operation.owner]:format(operation.name) .. "(" .. table.concat(arguments, ", ") .. ")"
end

local function section(title, text, has, plain)
    local list = {}
    for _, operation in ipairs(lun.operations()) do
        if CALLS[operation.owner] and has(operation) then
            list[#list + 1] = operation
        end
    end
    table.sort(list, function(x, y) return x.name < y.name end)
    print(("\n## %s\n\n%s\n\n%s"):format(title, text,
        plain and "| | |\n|---|---|" or "| | | takes | gives |\n|---|---|---|---|"))
    for _, operation in ipairs(list) do
        local more = plain and "" or (" %s | %s |"):format(taken(operation), given(operation))
        print(("| `%s` | %s |%s"):format(call(operation), cell(operation.says), more))
    end
end

local function owned(owner, kind)
    return function(operation)
        return operation.owner == owner and (kind == nil or operation.kind == kind)
    end
end

print [[
# All operations

Printed by `tools/reference.lua` from the rows in `src/core/op/`, which feed the methods and the annotations, too.
The pages of their subjects show how they are used; the annotations, `meta_operations.lua` where the module is
installed, say what each argument and option means. Every operation also takes `variant`, `async` and `queue` where
it runs on the device ([asynchrony.md](asynchrony.md), [performance.md](performance.md)). A `?` marks what may be
left out. A dtype as a string is the option `dtype`, wherever there is one: `a:sum("f64", {axis = 1})`. Methods of arrays that do
not end with `_` are functions of the module, too: `lun.sum(a)`.

"takes" says which dtypes an array may have (nothing where the operation has no such rule), "gives" the dtypes of
the results: by name, or `same`: the array's; `number`: the same, of bool i64; `float`: f64 of integers, f32 of f16
and bf16, else the same; `keeps`: f64 of integers, else the same; `single`: f32 of integers, else the same; `real`,
`part`: as `float` and `same`, of complex numbers the dtype of their parts; `sum`, `total`: that of sums
([dtypes.md](dtypes.md)), `total` of complex numbers the dtype of their parts; `complex`, `wide`: c64 or c128;
`component`: the dtype of a complex number's parts.]]

section("Reductions", "Of all axes, or of those that `axis` names.", owned("array", "reduction"), true)
section("Methods of arrays", "What returns views shares memory.", function(operation)
    return operation.owner == "array" and not operation.kind
end)
section("Sparse matrices", "Methods of a matrix that `lun.sparse` or `a:sparse()` has made: [sparse.md](sparse.md).",
    owned "sparse", true)
section("Functions of the module", "Of several arrays, or of none.", owned "module")
section("Makers", "Methods of a device, and functions of the module on the default device.", owned "device")
section("Random streams", "Of `rng = dev:rng(seed)`.", owned "stream")

section("Elementwise functions", "Each is in place, too, with an underscore behind its name: `a:exp_()`. "
    .. "[arithmetic.md](arithmetic.md) says which dtypes they\ntake and give.", function(operation)
    return operation.kind == "function" and not operation.name:find "_$"
end, true)
