-- Runs scenarios with faults, and prints a line for each scenario and for each thing that is wrong.
--
--   lua5.4 spec/layer/run.lua warm|cold|days calls|memory|steps|ends all|1/N|some|third|few [seed]
--   lua5.4 spec/layer/run.lua threads - all|third|few
--
-- It needs the layer in OPENCL_LAYERS and in package.cpath (`make torture`). warm: every operation and more, on a
-- device whose programs are built; cold: from the search for devices to the end of the state; days: every operation so.
-- calls: OpenCL's fail; memory: Lua is refused some; steps: it is left; ends: the state ends at a step (cold, days).
-- all: each fault; 1/N: one fault in N, others with another seed (a whole number, 1 where none is given), and of days
-- one in 8; some: the first ones and ever fewer of the later; third: these, of every third scenario; few: these, of the
-- few scenarios that need few programs (scenarios.few). threads: every operation in several threads at once. The status
-- is 1 where anything is wrong.

local layer = require "layer"
local operations = require "spec.operations"
local scenarios = require "spec.layer.scenarios"
local torture = require "spec.layer.torture"

io.stdout:setvbuf "line" -- whole lines, among those of the driver's compiler

local kind, what, how, seed = arg[1], arg[2], arg[3], math.tointeger(tonumber(arg[4] or 1))
local stride = how == "all" and 1 or math.tointeger(tonumber(how:match "^1/(%d+)$"))
local samples = { some = true, third = true, few = true }
assert(seed and (samples[how] or stride and stride > 0), "how: all, 1/N, some, third or few; a seed is a whole number")
local wrong = 0

-- Every third, another third of each kind of fault.
local THIRD = { calls = 0, memory = 1, steps = 2 }

-- Every operation, as { name, code }; they are asked for in a state of their own, which opens a device.
local _, listed = layer.state [[
    local rows = {}
    for i, each in ipairs(require "spec.operations".list()) do
        rows[i] = ("{ %q, %q }"):format(each[1], each[2])
    end
    return "return {" .. table.concat(rows, ",") .. "}"
]]
local every = load(listed)()

local few = {}
for _, name in ipairs(scenarios.few) do
    few[name] = true
end

local function is_tried(i, name)
    if how == "few" then
        return few[name]
    end
    if kind == "days" and stride and stride > 1 then
        return (i + seed) % 8 == 0
    end
    return how ~= "third" or i % 3 == (THIRD[what] or 0)
end

local function note(text)
    wrong = wrong + 1
    print("wrong: " .. text)
end

local WARM = [[
    local torture = require "spec.layer.torture"
    local inputs, held = { a, pos, vel, square, index, mask }, {}
    for name in pairs(require("spec.calls").inputs) do
        inputs[#inputs + 1] = examples.inputs[name]
    end
    for i, each in ipairs(inputs) do
        held[i] = each:tobytes()
    end
    local function check()
        for i, each in ipairs(inputs) do
            assert(each:tobytes() == held[i], "an input has changed")
        end
    end
    local function swap()
        local kept = { a, pos, vel, square, index, mask, long }
        local copies = {}
        for i, each in ipairs(kept) do
            copies[i] = each:copy()
        end
        a, pos, vel, square, index, mask, long = table.unpack(copies)
        local own = examples.inputs
        examples.inputs = {}
        for name, each in pairs(own) do
            examples.inputs[name] = each:copy()
            copies[#copies + 1] = examples.inputs[name]
        end
        return copies, function()
            a, pos, vel, square, index, mask, long = table.unpack(kept)
            examples.inputs = own
        end
    end
    select(2, swap())() -- what copies need is built
]]

-- Runs one state with many scenarios: its programs are built once.
local function warm(name, lists, several_queues)
    local source = { operations.inputs, scenarios.inputs, WARM }
    -- Errors of pollfd are strings, as cqueues shows no others.
    source[4] = [[
        local OPTIONS = { what = %q, stride = %s, seed = %d, queues = %s, strings = "lunarray: pollfd: ", swap = swap }
    ]]
    source[4] = source[4]:format(what, stride, seed, several_queues)
    for _, list in ipairs(lists) do
        for i, each in ipairs(list) do
            local body = list == every and "local result = " .. each[2] or each[2]
            local line = "torture.warm(dev, %q, function() %s return result end, check, OPTIONS)"
            source[#source + 1] = is_tried(i, each[1]) and line:format(each[1], body) or nil
        end
    end
    source[#source + 1] = "os.remove(path) return torture.told .. ' ' .. torture.wrong"
    local ok, outcome = layer.state(table.concat(source, "\n"))
    if not ok then
        return note(("%s: %s"):format(name, outcome))
    end
    local told, found = outcome:match "(%d+) (%d+)"
    wrong = wrong + tonumber(found)
    local stays = torture.left_over(several_queues and tonumber(told))
    if stays then
        note(("%s: live at the end: %s"):format(name, stays))
    end
end

-- All operations in three threads at once give what they give alone.
local function threads()
    local list = {}
    for i, each in ipairs(every) do
        list[#list + 1] = is_tried(i, each[1]) and each or nil
    end
    local source = scenarios.everything(list)
    local alone, bad = layer.run(source), 0
    for _, result in ipairs(layer.threads { source, source, source }) do
        if result ~= alone then
            note(("threads: %s instead of %s"):format(result, alone))
            bad = bad + 1
        end
    end
    print(("%-36s %5d tried %5d told %5d wrong"):format("threads", 3, 0, bad))
end

if kind == "threads" then
    threads()
elseif kind == "warm" then
    warm("one queue", { every, scenarios.changes, scenarios.others }, false)
    warm("several queues", { scenarios.queues }, true)
else
    for i, each in ipairs(kind == "cold" and scenarios.cold or scenarios.days(every)) do
        local options = { what = what, stride = stride, seed = seed, queues = each.queues }
        options.strings = "OpenCL platform" -- none, or none with a device
        if kind == "cold" or is_tried(i, each[1]) then
            torture.cold(each[1], each[2], options)
        end
    end
end
os.exit(wrong + torture.wrong == 0)
