-- Prints the page of all functions and methods: operations from their rows, the others from the annotations.
--     lua5.4 tools/reference.lua >doc/reference.md
-- `require "lunarray"` has to find the module.

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

local function names_dtype(operation)
    for _, list in ipairs { operation.arguments, operation.options } do
        for _, at in ipairs(list) do
            if at.name == "dtype" then
                return true
            end
        end
    end
end

-- The dtypes of the results, of "bihf: same n; i64 n": without the example's kinds of dtypes and sizes. Where a call
-- may name a dtype, one that the example names says nothing of other calls.
local function given(operation)
    local dtypes, named = {}, names_dtype(operation)
    local makes = named and (operation.owner == "device" or operation.owner == "stream")
    for result in (operation.promise or ""):gsub("^[%w!]+:", ""):gmatch "[^;]+" do
        local dtype = result:match "%S+"
        local in_example = named and dtype:find "%d"
            and operation.example:find("'" .. dtype .. "'", 1, true)
        local default = makes and (in_example or dtype == "f32")
        dtypes[#dtypes + 1] = default and "default" or in_example and "" or dtype
    end
    return table.concat(dtypes, "; ")
end

local SPREAD = { ["a number"] = "%s, to?, step?" } -- an argument that takes several, one behind the other

local CALLS = { array = "a:%s", sparse = "A:%s", device = "dev:%s", module = "lun.%s", stream = "rng:%s" }

-- a:topk(k, {axis, smallest}): what everything takes, variant, async and queue, is left out.
local function call(operation)
    local arguments, options = {}, {}
    for i, argument in ipairs(operation.arguments) do
        local several = argument.spread and SPREAD[argument.wanted] or "%s"
        arguments[i] = several:format(argument.name) .. (argument.optional and "?" or "")
    end
    for _, option in ipairs(operation.options) do
        if option.name ~= "variant" and option.name ~= "async" and option.name ~= "queue" then
            options[#options + 1] = option.name
        end
    end
    if options[1] then
        arguments[#arguments + 1] = "{" .. table.concat(options, ", ") .. "}"
    end
    local mark = operation.in_place and "(_)" or ""
    return CALLS[operation.owner]:format(operation.name) .. mark .. "(" .. table.concat(arguments, ", ") .. ")"
end

-- ---- what the annotations describe ----------------------------------------------------------------------------

-- As a script names the owner of a method, and what the section is called; in the order of the page.
local OBJECTS = {
    { "lun", "The module" }, { "array", "Arrays", "a" }, { "device", "Devices", "dev" }, { "queue", "Queues", "q" },
    { "event", "Events", "ev" }, { "program", "Programs", "prog" }, { "kernel", "Kernels", "k" },
    { "host", "Mappings", "h" }, { "rng", "Random streams", "rng" }, { "complex", "Complex numbers", "z" },
    { "sparse", "Sparse matrices", "A" }, { "makers", "Makers of sparse matrices", "lun.sparse" },
    { "simulation", "Simulations", "sim" }, { "mpi", "MPI", "mpi" }, { "comm", "Communicators", "comm" },
}

-- The first sentence of an annotation.
local function first_sentence(lines)
    local text = table.concat(lines, " ")
    return (text:match "^(.-%.)%s" or text)
end

-- Of each owner the calls and first sentences, as the files have them.
local function annotated()
    local owners, about = {}, {}
    local pipe <close> = assert(io.popen "cat lua/lunarray/meta.lua $(ls lua/lunarray/meta_*.lua | LC_ALL=C sort)")
    for line in pipe:lines() do
        local owner, name, arguments = line:match "^function (%w+)([.:][%w_]+)(%([^)]*%))"
        local text = line:match "^%-%-%-([^@|].*)$"
        if text then
            about[#about + 1] = text
        elseif owner then
            owners[owner] = owners[owner] or {}
            table.insert(owners[owner], { name .. arguments, first_sentence(about) })
        end
        about = line:find "^%-%-%-" and about or {}
    end
    return owners
end

local function objects()
    local owners = annotated()
    for _, object in ipairs(OBJECTS) do
        local owner, title, spelled = table.unpack(object)
        print(("\n### %s\n\n| | |\n|---|---|"):format(title))
        for _, row in ipairs(owners[owner]) do
            print(("| `%s%s` | %s |"):format(spelled or owner, row[1], cell(row[2])))
        end
        owners[owner] = nil
    end
    assert(next(owners) == nil, next(owners))
end

-- ---- the page -------------------------------------------------------------------------------------------------

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
# All functions and methods

`tools/reference.lua` prints this page: operations from the rows in `src/core/op/`, other functions from the
annotations. [index.md](index.md) lists the pages that show how they are used. The annotations describe each argument
and option: `meta*.lua` beside the installed module, for the Lua language server. Operations that run on the device
also take `variant`, `async` and `queue` ([asynchrony.md](asynchrony.md), [performance.md](performance.md)). A `?`
marks an optional argument. A dtype as a string argument is the option `dtype`: `a:sum("f64", {axis = 1})`. Methods
of arrays whose names do not end in `_` are functions of the module, too: `lun.sum(a)`. An operation marked `name(_)`
also works in place, with an underscore: `a:sort_()` writes its result to `a` and returns `a`.

"takes" says which dtypes an array may have (nothing where the operation has no such rule), "gives" the dtypes of
the results: by name, or `same`: the array's; `number`: the same, of bool i64; `float`: f64 of integers, f32 of f16
and bf16, else the same; `keeps`: f64 of integers, else the same; `single`: f32 of integers, else the same; `real`,
`part`: as `float` and `same`, of complex numbers the dtype of their parts; `sum`, `total`: that of sums
([dtypes.md](dtypes.md)), `total` of complex numbers the dtype of their parts; `complex`, `wide`: c64 or c128;
`component`: the dtype of a complex number's parts; `default`: the dtype that the call names, else the
[default](dtypes.md#the-default), f32, but i64 where `arange` gets integers alone. Nothing: no array is returned, or its
dtype is the one that the call names, as with `cast`.]]

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

print "\n## Objects\n\nWhat is no operation: functions of the module, and methods of its objects."
objects()
