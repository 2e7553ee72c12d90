-- Branches that neighbouring items take differently, and how many items a compute unit can hold at a time: one page on
-- each of the two things that a GPU's instruction scheduler cannot hide.
--
--     lua5.4 examples/lab/divergence.lua --device gpu

local lun = require "lunarray"

local here = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
local lab = dofile(here .. "lab.lua")

-- ---- branches -------------------------------------------------------------------------------------------------

local GROUP = 128 -- two blocks of LOCKSTEP items at least, or a block would be a group
local ROUNDS = 64
local LOCKSTEP = 64

local WAYS = { -- shift and factor, as in divergence.cl
    [0] = { 16, 0x7feb352d }, { 15, 0x846ca68b }, { 17, 0x9e3779b1 }, { 13, 0x85ebca6b },
}

-- The result of a way for x, in 32 bits.
local function walk(x, way)
    local shift, factor = WAYS[way][1], WAYS[way][2]
    for _ = 1, ROUNDS do
        x = x ~ x >> shift
        x = x * factor & 0xffffffff
    end
    return x
end

local function branch_problem(task)
    task.title = ("%d elements, %d rounds of arithmetic each, on one of several ways"):format(task.size, ROUNDS)
    task.work, task.unit = task.size * ROUNDS, "round/s"
    function task.check(out, variant)
        return lab.compare(out, function(i)
            return walk(i - 1, variant.way(i - 1) % variant.ways)
        end)
    end
end

-- way: a function from an element, counted from 0, to the number of its way, which is taken modulo `ways`.
local function branch(name, kernel_name, ways, way, regrouped)
    return {
        name = name, ways = ways, way = way,
        prepare = function(task)
            local kernel = task:kernel(kernel_name, { WAYS = ways, ROUNDS = ROUNDS, LOCKSTEP = LOCKSTEP })
            local out = task.device:zeros({ task.size }, "u32")
            local global, extra = task.size, {}
            if regrouped then
                extra[1] = lab.round_up(lab.ceil_div(task.size, ways), GROUP) -- items of a way
                global = extra[1] * ways
            end
            return function(lap)
                lap:run(kernel, { global = global, group = GROUP, pad = true }, out, task.size, table.unpack(extra))
                return out
            end
        end,
    }
end

local function by_group(i) return i // GROUP end
local function by_item(i) return i end
local function by_block(i) return i // LOCKSTEP end

local branches = {
    branch("no branch", "divergence_none", 1, by_item),
    branch("2 ways by group", "divergence_group", 2, by_group),
    branch("2 ways by 64 items", "divergence_block", 2, by_block),
    branch("2 ways by item", "divergence_item", 2, by_item),
    branch("2 ways by item, regrouped", "divergence_regrouped", 2, by_item, true),
    branch("4 ways by group", "divergence_group", 4, by_group),
    branch("4 ways by 64 items", "divergence_block", 4, by_block),
    branch("4 ways by item", "divergence_item", 4, by_item),
    branch("4 ways by item, regrouped", "divergence_regrouped", 4, by_item, true),
}

-- ---- occupancy ------------------------------------------------------------------------------------------------

local HOPS = 8 -- loads of an item, each from the place that the load before gave

local function chase_problem(task)
    local n = task.size
    task.title = ("%d items follow %d links each"):format(n, HOPS)
    task.work, task.unit = n * HOPS, "load/s"
    task.links = task.device:randint({ n }, 0, n - 1, "i32", { seed = 1 })
    function task.check(out)
        local links <close> = task.links:host "r"
        return lab.compare(out, function(i)
            local at = i - 1
            for _ = 1, HOPS do
                at = links[at + 1]
            end
            return at
        end)
    end
end

-- A part of the local memory that a group can have, in bytes; some drivers keep 1 KiB of it for themselves.
local function reserved(task, part)
    return (task.device:info().local_memory - 1024) // part // 16 * 16
end

-- A variant with groups of that size; `part`: 2, 4 ...: each group reserves a half, a quarter ... of the local memory.
local function chase(name, group, part)
    return {
        name = name, part = part,
        prepare = function(task)
            local kernel = task:kernel("occupancy_chase")
            lab.fit(kernel, group)
            local out = task.device:full({ task.size }, -1, "i32")
            local bytes = part and reserved(task, part) or 4
            local run = { global = task.size, group = group, pad = true }
            return function(lap)
                lap:run(kernel, run, task.links, out, task.size, HOPS, lun.localmem(bytes))
                return out
            end
        end,
    }
end

local by_size, by_memory = {}, {}
for _, group in ipairs { 256, 1, 8, 16, 32, 64, 128, 512, 1024 } do
    by_size[#by_size + 1] = chase(("groups of %d"):format(group), group)
end
by_memory[1] = chase("groups of 64, 4 bytes", 64)
for _, part in ipairs { 64, 16, 8, 4, 2, 1 } do
    local share = part == 1 and "all" or "1/" .. part
    by_memory[#by_memory + 1] = chase(("groups of 64, %s of local memory"):format(share), 64, part)
end

local function bytes_of_a_group(_, task, variant)
    return variant.part and reserved(task, variant.part) or 4
end

local AWKWARD = { { size = 1 }, { size = GROUP - 1 }, { size = GROUP }, { size = GROUP + 1 }, { size = 1001 } }

return lab.script {
    name = "divergence",
    about = "A branch on the item's index against one on the group's; occupancy against group size and local memory.",
    file = "divergence.cl",
    size = { small = 1 << 16, cpu = 1 << 18, gpu = 1 << 24 },
    awkward = AWKWARD,
    parts = {
        { problem = branch_problem, variants = branches },
        { problem = chase_problem, variants = by_size },
        { problem = chase_problem, variants = by_memory, columns = { { "bytes a group", bytes_of_a_group } } },
    },
}
