-- Tries scenarios with failing OpenCL calls, and prints a line for each scenario and for each thing that is wrong.
--
--   lua5.4 spec/layer/run.lua warm|cold|days [all]
--
-- It needs the layer in OPENCL_LAYERS and in package.cpath (`make torture`). warm: every operation and more, on a
-- device whose programs are built; cold: from the search for devices to the end of the state; days: every operation so.
-- all: every call with every code, but of days; else a sample. The status is then 1 where anything is wrong.

local layer = require "layer"
local operations = require "spec.operations"
local scenarios = require "spec.layer.scenarios"
local torture = require "spec.layer.torture"

local kind, all = arg[1], arg[2] == "all"
local wrong = 0

local function note(text)
    wrong = wrong + 1
    print("wrong: " .. text)
end

local WARM = [[
    local torture = require "spec.layer.torture"
    local inputs, held = { a, pos, vel, square, index, mask }, {}
    for i, each in ipairs(inputs) do
        held[i] = each:tobytes()
    end
    local function check()
        for i, each in ipairs(inputs) do
            assert(each:tobytes() == held[i], "an input has changed")
        end
    end
]]

-- Runs one state with many scenarios: its programs are built once.
local function warm(name, lists, several_queues)
    local source = { operations.inputs, scenarios.inputs, WARM }
    -- Errors of pollfd are strings, as cqueues shows no others.
    source[4] = ("local OPTIONS = { all = %s, queues = %s, strings = 'lunarray: pollfd: ' }"):format(all,
        several_queues)
    for _, list in ipairs(lists) do
        for _, each in ipairs(list) do
            local body = list == operations.list and "local result = " .. each[2] or each[2]
            source[#source + 1] = ("torture.warm(dev, %q, function() %s return result end, check, OPTIONS)"):format(
                each[1], body)
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

if kind == "warm" then
    warm("one queue", { operations.list, scenarios.changes, scenarios.others }, false)
    warm("several queues", { scenarios.queues }, true)
else
    for _, each in ipairs(kind == "cold" and scenarios.cold or scenarios.days(operations)) do
        torture.cold(each[1], each[2], {
            all = all and kind == "cold",
            queues = each.queues,
            strings = "OpenCL platform", -- none, or none with a device
        })
    end
end
if all then
    os.exit(wrong + torture.wrong == 0)
end
