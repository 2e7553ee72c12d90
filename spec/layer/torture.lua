-- Runs a scenario with one fault after the other (faults.lua), and looks what becomes of it. It needs the layer, in a
-- process whose OPENCL_LAYERS names it.

local faults = require "spec.layer.faults"
local layer = require "layer"

local torture = { told = 0, wrong = 0 } -- how many faults were told in this state, and how many things are wrong

-- What a device may keep while it lives: the events that it has waited for last, the first and the last event of the
-- newest operation of each queue, and for each place of a queue two of OpenCL's, with times and without. Where a
-- scenario has several queues, a device has more buffers than before: counters for each place, and staging memory of
-- operations whose ends could not be asked for, as these may be using it until the device ends.
local PLACES = 18
local KEPT = { event = 16 + 2 * PLACES, queue = 2 * PLACES }

-- ---- what came ------------------------------------------------------------------------------------------------

-- A result as text; of an event what it stands for.
local function show(value)
    local lun = require "lunarray"
    local kind = lun.type(value)
    if kind == "event" then
        return show(value:get())
    elseif kind == "array" then
        return table.concat({ value:dtype(), value:tobytes() }, " ")
    elseif type(value) == "table" and not kind then
        local parts = {}
        for i, each in ipairs(value) do
            parts[i] = show(each)
        end
        return "{" .. table.concat(parts, ", ") .. "}"
    elseif type(value) == "number" or type(value) == "string" then
        return tostring(value)
    end
    return kind or type(value)
end

torture.show = show

-- ---- trying ---------------------------------------------------------------------------------------------------

-- What tostring says of an array that cannot be read, or that was given back.
local function is_said(text)
    return text:find "^array [^[]*%(.*%)$" or text == "lunarray.array (released)"
end

-- Runs f with the fault. Gives how often something happened, whether f failed or its result cannot be read, and what is
-- wrong.
local function try(f, fault, right)
    local ok, result, fired = faults.run(f, fault)
    if ok then
        ok, result = pcall(show, result)
    end
    local wrong
    if not ok then
        wrong = faults.complaint(result, fault, fired)
    elseif right and result ~= right and not is_said(result) then
        wrong = ("a wrong result without an error: %q instead of %q"):format(result, right)
    end
    return fired.times, not ok, wrong and ("%s, %d: %s"):format(fired.name, fired.code, wrong)
end

-- All that may go back goes back.
local function quiet(dev)
    collectgarbage()
    for _ = 1, 3 do
        pcall(dev.finish, dev)
    end
    dev:trim()
    collectgarbage()
end

-- A device keeps one buffer for numbers that a call waits for (src/core/op/answer.c). The first call that meets inputs
-- whose operations have ended makes this buffer, which in a scenario is a matter of time: here they have ended.
local function make_answers(dev)
    local one = dev:array { 1 }
    dev:finish()
    one:sum()
end

-- After a failure what a companion has done is the threads' for a while: a program may then be built once more.
local COMPANION = os.getenv "LUNARRAY_COMPANION" ~= "0"
local TWICE = COMPANION and { program = true, kernel = true } or {}

-- The companion has one buffer of counters (src/core/op/at_once.c). The first kernel that counts and is run at once
-- makes it, and makes it again after a failure: how often operations of a name were small decides which kernel that is.
local COUNTERS = COMPANION and 1 or 0

-- What is live beyond `before` and what a device may keep, as text; nil: nothing.
local function surplus(before, queues)
    local now, more = layer.live(), {}
    for kind, count in pairs(now) do
        local most = math.max(before[kind], KEPT[kind] or 0)
        if kind == "mem" then
            most = most + COUNTERS + (queues and PLACES or 0)
        end
        if count > most and not TWICE[kind] then
            more[#more + 1] = ("%d of %s instead of %d"):format(count, kind, most)
        end
    end
    table.sort(more)
    return more[1] and table.concat(more, ", ")
end

local function reporter(name)
    local report = { tried = 0, told = 0, wrong = 0 }
    function report.complain(fault, what)
        report.wrong = report.wrong + 1
        torture.wrong = torture.wrong + 1
        print(("wrong: %s, %s: %s"):format(name, faults.title(fault), what))
    end
    function report.count(told)
        report.tried, report.told = report.tried + 1, report.told + (told and 1 or 0)
        torture.told = torture.told + (told and 1 or 0)
    end
    function report.close()
        print(("%-36s %5d tried %5d told %5d wrong"):format(name, report.tried, report.told, report.wrong))
    end
    return report
end

-- A scenario of fewer calls than this says how many it has made since layer.fail: it has few that can fail.
local FEW = 3

local function say_few(name)
    local count = 0
    for _, call in ipairs(faults.called()) do
        count = count + call.count
    end
    if count < FEW then
        print(("%s makes %d calls"):format(name, count))
    end
end

-- Runs f, a function of a device whose programs are built, with each fault. check() raises if inputs have changed.
-- options: what, stride, seed, swap (which faults: see faults.each), queues (the scenario has several), strings (a
-- pattern of messages that may come without an error object). Prints a line for each thing that is wrong, and one of
-- what was tried.
function torture.warm(dev, name, f, check, options)
    make_answers(dev)
    for _ = 1, 2 do
        show(f())
    end
    quiet(dev)
    local before, events = layer.live(), layer.made().event
    local function first()
        layer.fail {}
        local given = f()
        say_few(name) -- what reads the result is not among them
        return show(given)
    end
    local right = first()
    local list = faults.called()
    events = layer.made().event - events
    local report = reporter(name)
    faults.each(options, list, events, function(fault)
        local function complain(what)
            report.complain(fault, what)
        end
        fault.strings = options.strings
        local fired, failed, wrong = try(f, fault, right)
        if fired == 0 then
            return false
        end
        report.count(failed)
        if wrong then
            complain(wrong)
        end
        quiet(dev)
        local well, problem = pcall(check)
        if not well then
            complain("afterwards: " .. tostring(problem))
        end
        local ok, result = pcall(function() return show(f()) end)
        if not ok or result ~= right then
            complain("the next call: " .. tostring(result))
        end
        quiet(dev)
        local more = surplus(before, options.queues)
        if more then
            complain("live: " .. more)
            before = layer.live()
        end
        return true
    end)
    report.close()
end

-- ---- whole lives ------------------------------------------------------------------------------------------------

local STATE = [[
    local torture = require "spec.layer.torture"
    return torture.once(function() %s end, load(...)())
]]

-- In a state of its own: runs the scenario with the fault and then without, where the fault does not end the state.
-- Gives what is wrong, or "told", "well" or "untouched".
function torture.once(scenario, fault)
    if not fault.right then
        return show(scenario())
    elseif fault.stay then
        show(scenario()) -- what has to be loaded takes most of the steps
    end
    local fired, failed, wrong = try(scenario, fault, fault.right)
    if fired == 0 then
        return "untouched"
    elseif fault.stay then
        return wrong or "well"
    end
    collectgarbage()
    pcall(function() require "lunarray".device():finish() end)
    local ok, result = pcall(function() return show(scenario()) end)
    if not ok or result ~= fault.right then
        wrong = (wrong or "") .. " the next call: " .. tostring(result)
    end
    return wrong or failed and "told" or "well"
end

local function literal(fault)
    local parts = {}
    for key, value in pairs(fault) do
        parts[#parts + 1] = ("%s = %q"):format(key, value)
    end
    return "return {" .. table.concat(parts, ", ") .. "}"
end

local left = { events = 0, wrong = 0 }

-- What is left when all states are closed, as text; nil: nothing new. An event that failed before its turn, as it
-- waited for a failed one of another queue, is never released, since PoCL 3.1 uses it once more: so many may be left.
function torture.left_over(events)
    local parts, live = {}, layer.live()
    if live.event > left.events + (events or 0) then
        parts[1] = ("%d events"):format(live.event - left.events)
    end
    left.events = live.event
    for what, count in pairs(layer.list()) do
        if not what:find("^event ") then
            parts[#parts + 1] = ("%d %s"):format(count, what)
        end
    end
    local times, first = layer.wrong()
    if times > left.wrong then
        left.wrong = times
        parts[#parts + 1] = ("%d times: %s"):format(times, first)
    end
    table.sort(parts)
    return parts[1] and table.concat(parts, ", ")
end

local MOST_LEFT = 4 -- events of a scenario with several queues

-- Runs the source of a scenario, which gives a result, in a new Lua state for each fault: it finds the devices, opens
-- one, builds and ends. options: as those of torture.warm.
function torture.cold(name, source, options)
    local code = STATE:format(source)
    local ok, right = layer.state(code, "return {}")
    assert(ok, right)
    local events = layer.made().event
    layer.fail {}
    layer.state(code, literal { kind = "call", right = right, after = 1000000 })
    local list = faults.called()
    events = layer.made().event - events
    local report = reporter(name)
    faults.each(options, list, events, function(fault)
        fault.right, fault.strings = right, options.strings
        local fine, outcome = layer.state(code, literal(fault))
        local stays = torture.left_over(options.queues and MOST_LEFT)
        if fine and outcome == "untouched" then
            return false
        end
        report.count(outcome == "told")
        if not fine or outcome ~= "told" and outcome ~= "well" then
            report.complain(fault, outcome)
        end
        if stays then
            report.complain(fault, "live at the end: " .. stays)
        end
        return true
    end)
    report.close()
end

return torture
