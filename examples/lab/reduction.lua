-- Sum, maximum, minimum and product of a vector, from one work-item to the library's own reduction.
--
--     lua5.4 examples/lab/reduction.lua --op max --dtype i32 --device gpu
--
-- "left" is how many values a variant leaves, for the host to combine. Times are the device's, so the host's part of
-- it is not in them; the variants that leave one value do all of it on the device.

local here = debug.getinfo(1, "S").source:match "^@(.*/)" or "./"
local lab = dofile(here .. "lab.lua")
local lun = require "lunarray"

-- ---- the numbers, and what comes out ----------------------------------------------------------------------------

local function wrap(x) -- to 32 bits, as the kernels' ints do
    return (x + 0x80000000 & 0xffffffff) - 0x80000000
end

-- By the library's name of an operation: its identity, and how it combines two numbers in Lua.
local OPS = {
    sum = { identity = 0, combine = function(a, b) return a + b end },
    prod = { identity = 1, combine = function(a, b) return a * b end },
    max = { identity = -math.huge, combine = math.max },
    min = { identity = math.huge, combine = math.min },
}
local DTYPES = {
    f32 = { c = "float", format = "<f", finish = function(x) return x + 0.0 end },
    i32 = { c = "int", format = "<i4", finish = function(x) return wrap(math.tointeger(x)) end },
}

local PERIOD = 4093 -- a prime: no stride of a tree keeps meeting the same numbers

-- Numbers whose sums and products are exact in any order, so that right means equal: eighths for the float sum,
-- whole numbers for the integers (odd ones for their product), signs for the float product.
local function number(op, dtype)
    if op == "prod" then
        return dtype == "i32" and 2 * math.random(-50, 50) + 1 or 2 * math.random(0, 1) - 1
    end
    return dtype == "i32" and math.random(-100, 100) or math.random(-64, 64) / 8
end

-- One period of the vector, as a table. math.random's own seed is left as it is found.
local function period(op, dtype)
    math.randomseed(20)
    local list = {}
    for i = 1, PERIOD do
        list[i] = number(op, dtype)
    end
    if op == "sum" then -- periods that add up to next to nothing keep any float sum small, and so exact
        local sum = 0
        for i = 1, PERIOD - 1 do
            sum = sum + list[i]
        end
        for i = 1, PERIOD - 1 do
            local step = math.max(-1, math.min(1, sum))
            list[i], sum = list[i] - step, sum - step
        end
    end
    return list
end

-- In plain Lua: one period is folded, and its value combined as often as the period occurs.
local function reference(list, n, op, dtype)
    local combine, finish = OPS[op].combine, DTYPES[dtype].finish
    local function fold(value, count)
        for i = 1, count do
            value = combine(value, list[i])
            value = dtype == "i32" and math.abs(value) < math.huge and finish(value) or value
        end
        return value
    end
    local once, value = fold(OPS[op].identity, PERIOD), OPS[op].identity
    for _ = 1, n // PERIOD do
        value = combine(value, once)
        value = dtype == "i32" and math.abs(value) < math.huge and finish(value) or value
    end
    return finish(fold(value, n % PERIOD))
end

-- The value that a variant's result stands for: its partial values combined by the host.
local function finish_on_host(result, op, dtype)
    local value = OPS[op].identity
    if type(result) == "number" then
        value = result
    else
        for _, partial in ipairs(result.values:slice({ 1, result.left }):totable()) do
            value = OPS[op].combine(value, partial)
            value = dtype == "i32" and DTYPES[dtype].finish(value) or value
        end
    end
    return DTYPES[dtype].finish(value)
end

local function problem(task)
    local op, dtype, n = task.options.op, task.options.dtype, task.size
    task.op, task.dtype, task.group = op, dtype, task.options.group
    task.title = ("%s of %d %s, groups of %d"):format(op, n, dtype, task.group)
    task.bytes = 4 * n
    local list = period(op, dtype)
    task.x = task.device:array(lab.cycle(list, n, DTYPES[dtype].format), dtype, { n })
    local expected = reference(list, n, op, dtype)
    local sum, most = reference(list, n, "sum", dtype), reference(list, n, "max", dtype)

    function task.check(result, variant)
        if variant.fused then
            local got = result.values:totable()
            return got[1] == sum and got[2] == most, ("%s and %s, not %s and %s"):format(got[1], got[2], sum, most)
        end
        local got = finish_on_host(result, op, dtype)
        return got == expected, ("%s, not %s"):format(got, expected)
    end
end

-- ---- what the variants share ----------------------------------------------------------------------------------

-- A kernel of reduction.cl for this operation and dtype. extra: more defines.
local function defines(task, extra)
    local all = { T = DTYPES[task.dtype].c, GROUP = task.group, [task.op:upper()] = 1 }
    all.INTEGER = task.dtype == "i32" and 1 or nil
    all.PTX = task.device:info().vendor:find "NVIDIA" and 1 or nil
    for name, value in pairs(extra or {}) do
        all[name] = value
    end
    return all
end

local function kernel(task, name)
    local k = task:kernel(name, defines(task))
    lab.fit(k, name == "serial" and 1 or task.group)
    return k
end

local function scratch(task, count)
    return task.device:zeros({ math.max(1, count) }, task.dtype)
end

-- Groups that fill the device once or twice over, but not more than there is work for.
local function filling(task, per_group)
    local units = task.device:info().units
    return math.max(1, math.min(lab.ceil_div(task.size, per_group), units * (units > 16 and 8 or 4)))
end

-- Every group leaves one value. groups(task): how many there are. options: lmem (bytes of local memory an item).
local function one_pass(name, groups, options)
    options = options or {}
    return function(task)
        local k, count = kernel(task, name), groups(task)
        local out = scratch(task, count)
        local arguments = { out, task.x, task.size, options.lmem and lun.localmem(task.group * 4) or nil }
        return function(lap)
            lap:run(k, { global = count * task.group, group = task.group }, table.unpack(arguments))
            return { values = out, left = count }
        end
    end
end

-- The number of groups where each item takes that many elements.
local function per_item(elements)
    return function(task)
        return lab.ceil_div(task.size, elements * task.group)
    end
end

-- Launches a tree that takes two elements an item, again and again on the values of the pass before, until one is left.
-- Two arrays take turns: a pass must not write where it reads.
local function repeated(name, options)
    return function(task)
        local k, per_group = kernel(task, name), 2 * task.group
        local first = lab.ceil_div(task.size, per_group)
        local turns = { scratch(task, first), scratch(task, lab.ceil_div(first, per_group)) }
        local lmem = { options and options.lmem and lun.localmem(task.group * 4) or nil }
        return function(lap)
            local from, n, turn = task.x, task.size, 1
            repeat
                local groups = lab.ceil_div(n, per_group)
                lap:run(k, { global = groups * task.group, group = task.group }, turns[turn], from, n,
                    table.unpack(lmem))
                from, n, turn = turns[turn], groups, 3 - turn
            until n == 1
            return { values = from, left = 1 }
        end
    end
end

-- Just enough groups to fill the device, then one group over their values.
local function two_stage(name, build)
    return function(task)
        local k = build and build(task) or kernel(task, name)
        local last, count = kernel(task, "cascade"), filling(task, 2 * task.group)
        local out, value = scratch(task, count), scratch(task, 1)
        return function(lap)
            lap:run(k, { global = count * task.group, group = task.group }, out, task.x, task.size)
            lap:run(last, { global = task.group, group = task.group }, value, out, count)
            return { values = value, left = 1 }
        end
    end
end

-- A variable into which all items combine starts from the identity, so the run begins with a fill.
local function into_one(name, groups)
    return function(task)
        local k, out, count = kernel(task, name), scratch(task, 1), groups(task)
        local identity = OPS[task.op].identity
        if task.dtype == "i32" and task.op == "max" then
            identity = -0x80000000
        elseif task.dtype == "i32" and task.op == "min" then
            identity = 0x7fffffff
        end
        return function(lap)
            lap:add(out:fill(identity, { async = true }))
            lap:run(k, { global = count * task.group, group = task.group }, out, task.x, task.size)
            return { values = out, left = 1 }
        end
    end
end

-- ---- the rows ----------------------------------------------------------------------------------------------------

local function serial(task)
    local k, out = kernel(task, "serial"), scratch(task, 1)
    return function(lap)
        lap:run(k, { global = 1, group = 1 }, out, task.x, task.size)
        return { values = out, left = 1 }
    end
end

-- Sub-groups: OpenCL's own, or NVIDIA's warps through PTX, which its OpenCL does not list.
local function sub_group_kernel(task)
    local device = task.device
    if device:info().vendor:find "NVIDIA" then
        return kernel(task, "sub_group")
    elseif not (lab.has(device, "cl_khr_subgroups") or lab.has(device, "cl_intel_subgroups")) then
        lab.cannot "the device has no sub-groups (cl_khr_subgroups)"
    elseif task.op == "prod" then
        lab.cannot "OpenCL's sub_group_reduce has no product"
    end
    local standard = lab.version(device) >= 3 and "-cl-std=CL3.0" or "-cl-std=CL2.0"
    local k, why = task:try_kernel("sub_group", defines(task, { SUB_GROUPS = 1 }), standard)
    return k or lab.cannot("its compiler refuses: %s", why)
end

local function work_group_kernel(task)
    local version = lab.version(task.device)
    if version < 2 then
        lab.cannot("work_group_reduce is OpenCL 2.0's, the device has %.1f", version)
    elseif task.op == "prod" then
        lab.cannot "OpenCL's work_group_reduce has no product"
    end
    local standard = version >= 3 and "-cl-std=CL3.0" or "-cl-std=CL2.0"
    local k = task:try_kernel("work_group", defines(task, { WORK_GROUP = 1 }), standard)
    return k or lab.cannot "its OpenCL C has no work_group_reduce"
end

local function fused(task)
    local k, count = kernel(task, "fused"), filling(task, task.group)
    local out = scratch(task, 2 * count)
    return function(lap)
        lap:run(k, { global = count * task.group, group = task.group }, out, task.x, task.size)
        local sum, most = 0, -math.huge
        for _, pair in ipairs(out:reshape(count, 2):totable()) do
            sum, most = sum + pair[1], math.max(most, pair[2])
        end
        return { values = task.device:array({ sum, most }, task.dtype), left = count }
    end
end

local function library(task)
    return function(lap)
        return lap:add(task.x:reduce(task.op, { async = true })):get()
    end
end

-- Of all items that compare and exchange at a time one succeeds: the time grows with the square of their number.
local function contended(task)
    local instruction = task.dtype == "i32" and task.op ~= "prod"
    return instruction and 2 ^ 24 or 2 ^ 12
end

local VARIANTS = {
    { name = "serial", most = 2 ^ 22, prepare = serial },
    { name = "global atomics", most = contended, prepare = into_one("global_atomics", per_item(1)) },
    { name = "one group", prepare = one_pass("one_group", function() return 1 end, { lmem = true }) },
    {
        name = "three steps",
        prepare = one_pass("three_steps", function(task) return filling(task, task.group) end, { lmem = true }),
    },
    { name = "interleaved, modulo", prepare = one_pass("interleaved_modulo", per_item(1)) },
    { name = "interleaved, strided", prepare = one_pass("interleaved_strided", per_item(1)) },
    { name = "sequential", prepare = one_pass("sequential", per_item(1)) },
    { name = "first add on load", prepare = one_pass("first_add", per_item(2)) },
    { name = "last warp unrolled", prepare = one_pass("last_warp_unrolled", per_item(2)) },
    { name = "fully unrolled", prepare = one_pass("fully_unrolled", per_item(2)) },
    { name = "cascade", prepare = one_pass("cascade", function(task) return filling(task, 2 * task.group) end) },
    { name = "pairs, repeated", prepare = repeated("pairs", { lmem = true }) },
    { name = "recursive", prepare = repeated "first_add" },
    { name = "two-stage", prepare = two_stage "cascade" },
    {
        name = "atomic finish",
        prepare = into_one("atomic_finish", function(task) return filling(task, 2 * task.group) end),
    },
    { name = "sub-group", prepare = two_stage(nil, sub_group_kernel) },
    { name = "work-group", prepare = two_stage(nil, work_group_kernel) },
    { name = "fused sum and max", fused = true, prepare = fused },
    { name = "library", prepare = library },
}

-- ---- one result per run of the input -------------------------------------------------------------------------

local CHECKED = 2097152 -- of a vector with more elements only every second run, or every third ..., is checked
local MEAN = 100 -- elements of a run, on average: from none to ten times as many

-- Where runs begin, and where the last one ends, counted from 0.
local function run_starts(n)
    math.randomseed(21)
    local starts, at = { 0 }, 0
    while at < n do
        at = math.min(n, at + (math.random(10) == 1 and math.random(0, 10 * MEAN) or math.random(0, MEAN)))
        starts[#starts + 1] = at
    end
    return starts
end

local function segments(task)
    problem(task)
    local op, dtype = task.op, task.dtype
    local list, starts = period(op, dtype), run_starts(task.size)
    task.runs = #starts - 1
    task.title = ("%s of each of %d runs, %d %s in all"):format(op, task.runs, task.size, dtype)
    task.starts = task.device:array(starts, "u32")

    local function expected(run)
        local value = OPS[op].identity
        for i = starts[run], starts[run + 1] - 1 do
            value = OPS[op].combine(value, list[i % PERIOD + 1])
            value = dtype == "i32" and wrap(math.tointeger(value)) or value
        end
        return value
    end

    function task.check(out)
        local values = out:totable()
        for run = 1, task.runs, lab.ceil_div(task.size, CHECKED) do
            local empty = starts[run] == starts[run + 1] and op:find "^m" -- int's identity is not Lua's infinity
            if not empty and values[run] ~= expected(run) then
                return false, ("run %d: %s, not %s"):format(run, values[run], expected(run))
            end
        end
        return true
    end
end

local function item_per_run(task)
    local k, out = kernel(task, "item_per_run"), scratch(task, task.runs)
    return function(lap)
        local global = lab.round_up(task.runs, task.group)
        lap:run(k, { global = global, group = task.group }, out, task.x, task.starts, task.runs)
        return out
    end
end

local function group_per_run(task)
    local k, out = kernel(task, "group_per_run"), scratch(task, task.runs)
    return function(lap)
        lap:run(k, { global = task.runs * task.group, group = task.group }, out, task.x, task.starts)
        return out
    end
end

-- For the spec: each size around one group and two groups once, and each operation and dtype once. The trees are the
-- same for all of these, so only some are run.
local AWKWARD = {}
for _, size in ipairs { 1, 2, 63, 64, 65, 127, 128, 129, 1001, 20000 } do
    AWKWARD[#AWKWARD + 1] = { size = size, op = "sum", dtype = "f32", group = 64 }
end
local SOME = "global atomics, recursive, atomic finish, sub-group, work-group, fused sum and max, library"
for _, case in ipairs { "prod i32", "sum i32", "prod f32", "max f32", "min i32", "max i32", "min f32" } do
    local op, dtype = case:match "(%a+) (%w+)"
    AWKWARD[#AWKWARD + 1] = { size = 3333, op = op, dtype = dtype, group = 64, only = case ~= "prod i32" and SOME }
end

return lab.script {
    name = "reduction",
    about = "One value from a vector: sum, product, minimum or maximum.",
    file = "reduction.cl",
    size = { small = 2 ^ 18, cpu = 2 ^ 22, gpu = 2 ^ 26 },
    options = {
        { name = "op", value = "NAME", default = "sum", choices = { "sum", "prod", "min", "max" },
            help = "operation" },
        { name = "dtype", value = "NAME", default = "f32", choices = { "f32", "i32" }, help = "dtype" },
        { name = "group", value = "N", default = 256, integer = true, min = 64, max = 1024, power_of_two = true,
            help = "items in a group, a power of two" },
    },
    awkward = AWKWARD,
    parts = {
        {
            problem = problem, variants = VARIANTS,
            columns = { { "left", function(row) return type(row.result) == "table" and row.result.left or 1 end } },
        },
        {
            problem = segments,
            variants = {
                { name = "one item per run", prepare = item_per_run },
                { name = "one group per run", prepare = group_per_run },
            },
        },
    },
}
