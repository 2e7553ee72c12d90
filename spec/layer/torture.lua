-- Makes the OpenCL calls of a scenario fail, one after the other, and looks what becomes of it. It needs the layer, in
-- a process whose OPENCL_LAYERS names it.

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

-- What a call may give that is not the error's code. An event that fails may be told by a command that waits for it,
-- and PoCL's -1 is told as 0, "the driver does not say why". A program whose build fails without a word of the compiler
-- is built again without what kernels tell of their arguments.
local function stands_for(code, fault, fired)
    if fault.times then
        return true -- which of many calls it was that failed for good is open
    elseif fault.late then
        return code == -14 or code == 0
    end
    return fired.code == -11 and code == -19
end

-- What is wrong with an error that a failing call has led to; nil: nothing.
local function complaint_of(problem, fault, fired)
    local text = tostring(problem)
    if not text:find("lunarray: ", 1, true) then
        return "not an error of lunarray's: " .. text
    elseif type(problem) ~= "table" or type(problem.op) ~= "string" then
        return not text:find(fault.strings or "^$") and "not an error object: " .. text or nil
    elseif not text:find("lunarray: " .. tostring(problem.method) .. ": ", 1, true) then
        return "does not name the method: " .. text
    elseif problem.code ~= fired.code and not stands_for(problem.code, fault, fired) then
        return ("the error has the code %d: %s"):format(problem.code, text)
    end
end

-- ---- trying ---------------------------------------------------------------------------------------------------

-- What tostring says of an array that cannot be read.
local SAID = "^array [^[]*%(.*%)$"

-- Runs f with the fault. Gives how many calls failed, whether f failed or its result cannot be read, and what is wrong.
local function try(f, fault, right)
    local fired = {}
    layer.fail(fault)
    local ok, result = pcall(f)
    fired.times, fired.name, fired.code = layer.stop()
    if ok then
        ok, result = pcall(show, result)
    end
    local wrong
    if not ok then
        wrong = complaint_of(result, fault, fired)
    elseif right and result ~= right and not result:find(SAID) then
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

-- What is live beyond `before` and what a device may keep, as text; nil: nothing.
local function surplus(before, queues)
    local now, more = layer.live(), {}
    for kind, count in pairs(now) do
        local most = math.max(before[kind], KEPT[kind] or 0) + (queues and kind == "mem" and PLACES or 0)
        if count > most then
            more[#more + 1] = ("%d of %s instead of %d"):format(count, kind, most)
        end
    end
    table.sort(more)
    return more[1] and table.concat(more, ", ")
end

-- The functions that were called since layer.fail, with how often and how many codes each has.
local function called()
    local made, codes = layer.calls()
    local list = {}
    for name, count in pairs(made) do
        if count > 0 then
            list[#list + 1] = { name = name, count = count, codes = codes[name] }
        end
    end
    table.sort(list, function(x, y) return x.name < y.name end)
    return list
end

-- These are called as often as a wait takes long: the first calls stand for all.
local POLLS = { clGetEventInfo = 4, clFlush = 6 }

-- Calls body(fault) for the k-th call of each function with each of its codes; sampled: for the first, the second and
-- the last call, each with one of the codes.
local function each_fault(list, all, turn, body)
    for _, call in ipairs(list) do
        local most = math.min(call.count, POLLS[call.name] or call.count)
        for k = 1, most + (all and 1 or 0) do
            if all or k <= 2 or k == most then
                local first = all and 1 or (turn + k) % call.codes + 1
                for pick = first, all and call.codes or first do
                    body { after = k, call = call.name, pick = pick }
                end
            end
        end
    end
end

local LATE = { -5, -14, -1, -9999 }

-- The call is well, and its event tells the failure.
local function each_late(events, all, turn, body)
    for k = 1, math.min(events, all and events or 3) do
        local first = all and 1 or (turn + k) % #LATE + 1
        for i = first, all and #LATE or first do
            body { after = k, code = LATE[i], late = true }
        end
    end
end

-- Everything fails from the n-th call on, until the scenario is over.
local function each_breakdown(list, all, turn, body)
    local total = 0
    for _, call in ipairs(list) do
        total = total + math.min(call.count, POLLS[call.name] or call.count)
    end
    for n = all and 1 or turn % 4 + 1, total, all and 1 or 4 do
        body { after = n, times = 1000000, pick = n }
    end
end

local turn = 0

-- Calls body(fault) for each fault to try in a scenario that makes these calls and so many events.
local function each(list, events, all, body)
    turn = turn + 1
    each_fault(list, all, turn, body)
    each_late(events, all, turn, body)
    each_breakdown(list, all, turn, body)
end

local function what_failed(fault)
    local kind = fault.late and "event" or fault.call or "all from"
    return ("%s %d"):format(kind, fault.after)
end

local function reporter(name)
    local report = { tried = 0, told = 0, wrong = 0 }
    function report.complain(fault, what)
        report.wrong = report.wrong + 1
        torture.wrong = torture.wrong + 1
        print(("wrong: %s, %s: %s"):format(name, what_failed(fault), what))
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

-- Runs f, a function of a device whose programs are built, with each fault. check() raises if inputs have changed.
-- options: all (not a sample), queues (the scenario has several), strings (a pattern of messages that may come without
-- an error object). Prints a line for each thing that is wrong, and one of what was tried.
function torture.warm(dev, name, f, check, options)
    for _ = 1, 2 do
        show(f())
    end
    quiet(dev)
    local before, events = layer.live(), layer.made().event
    layer.fail {}
    local right = show(f())
    local list = called()
    events = layer.made().event - events
    local report = reporter(name)
    each(list, events, options.all, function(fault)
        local function complain(what)
            report.complain(fault, what)
        end
        fault.strings = options.strings
        local fired, failed, wrong = try(f, fault, right)
        if fired == 0 then
            return
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
    end)
    report.close()
end

-- ---- whole lives ------------------------------------------------------------------------------------------------

local STATE = [[
    local torture = require "spec.layer.torture"
    return torture.once(function() %s end, load(...)())
]]

-- In a state of its own: runs the scenario with the fault and then without. Gives what is wrong, or "told" or "well".
function torture.once(scenario, fault)
    local fired, failed, wrong = try(scenario, fault, fault.right)
    if not fault.right then
        return show(scenario())
    elseif fired == 0 then
        return "untouched"
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
    layer.state(code, literal { right = right, after = 1000000 })
    local list = called()
    events = layer.made().event - events
    local report = reporter(name)
    each(list, events, options.all, function(fault)
        fault.right, fault.strings = right, options.strings
        local fine, outcome = layer.state(code, literal(fault))
        local stays = torture.left_over(options.queues and MOST_LEFT)
        if fine and outcome == "untouched" then
            return
        end
        report.count(outcome == "told")
        if not fine or outcome ~= "told" and outcome ~= "well" then
            report.complain(fault, outcome)
        end
        if stays then
            report.complain(fault, "live at the end: " .. stays)
        end
    end)
    report.close()
end

return torture
