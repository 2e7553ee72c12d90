-- What is done to a scenario: an OpenCL call of it fails, Lua is refused memory, it is left at one of its steps.
--
-- A fault is a table; `kind` says which of the rows of `kinds` knows it. A row runs a function with the fault, and says
-- what its error may be.

local layer = require "layer"

local faults = {}

-- ---- kinds ----------------------------------------------------------------------------------------------------

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
local function complaint_of_call(problem, fault, fired)
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

local function complaint_unless(pattern)
    return function(problem)
        local text = tostring(problem)
        return not text:find(pattern) and "another error: " .. text or nil
    end
end

-- Runs f in a coroutine, at the steps of which something happens.
local function stepped(f, way, after)
    local thread = coroutine.create(f)
    layer.step(thread, way, after)
    local ok, result = coroutine.resume(thread)
    return ok, result, thread
end

local kinds = {
    call = {
        run = function(f, fault, fired)
            layer.fail(fault)
            local ok, result = pcall(f)
            fired.times, fired.name, fired.code = layer.stop()
            return ok, result
        end,
        complaint = complaint_of_call,
        title = function(fault)
            return ("%s %d"):format(fault.late and "event" or fault.call or "all from", fault.after)
        end,
    },
    -- Lua is refused memory: once, which a collection makes good; twice, which is an error; from then on; or each
    -- request once.
    memory = {
        run = function(f, fault, fired)
            layer.refuse(fault)
            local ok, result = pcall(f)
            fired.times = layer.grant()
            return ok, result
        end,
        complaint = complaint_unless "not enough memory",
        title = function(fault)
            return fault.every and "each request, once" or ("request %d, %d times"):format(fault.after, fault.times)
        end,
    },
    raise = {
        run = function(f, fault, fired)
            local ok, result = stepped(f, "raise", fault.after)
            fired.times = layer.stepped() and 1 or 0
            return ok, result
        end,
        complaint = complaint_unless "interrupted",
        title = function(fault) return ("raised at step %d"):format(fault.after) end,
    },
    -- A coroutine that nobody resumes: it is garbage; or it is closed, with what is to be closed in it; or it stays as
    -- it is until the state ends.
    leave = {
        run = function(f, fault, fired)
            local ok, result, thread = stepped(f, "leave", fault.after)
            local left = coroutine.status(thread) == "suspended"
            fired.times = layer.stepped() and 1 or 0
            if left and fault.close then
                ok, result = coroutine.close(thread)
            end
            if left and ok then
                ok, result = false, "left"
            end
            if left and fault.stay then
                faults.staying = thread
            end
            return ok, result
        end,
        complaint = complaint_unless "^left$",
        title = function(fault)
            return ("%s at step %d"):format(fault.close and "closed" or fault.stay and "the end" or "left", fault.after)
        end,
    },
    -- A finalizer that runs in the middle gives the inputs back; then the collector works as much as it can.
    release = {
        run = function(f, fault, fired)
            local inputs, restore = fault.swap()
            local running, count = true, fault.after
            local function plant()
                setmetatable({}, { __gc = function()
                    count = count - 1
                    if running and count > 0 then
                        plant()
                    elseif running then
                        fired.times = 1
                        for _, each in ipairs(inputs) do
                            each:release()
                        end
                    end
                end })
            end
            local pause, speed = collectgarbage("setpause"), collectgarbage("setstepmul")
            local mode = collectgarbage("incremental", 1, 1000, 30) -- whatever may collect does so, to the end
            collectgarbage()
            plant()
            local ok, result = pcall(f)
            running = false
            collectgarbage("incremental", pause, speed, 13)
            collectgarbage(mode)
            restore()
            return ok, result
        end,
        complaint = complaint_unless "lunarray: .* was released",
        title = function(fault) return ("released at collection %d"):format(fault.after) end,
    },
    collect = {
        run = function(f, _, fired)
            local ok, result = stepped(f, "collect")
            fired.times = 1
            return ok, result
        end,
        complaint = complaint_unless "^$",
        title = function() return "collected at each step" end,
    },
}

-- Runs f with the fault. Gives whether all was well, what f gave or raised, and what was done: how often, and of calls
-- the first function and its code.
function faults.run(f, fault)
    local fired = { times = 0, name = "", code = 0 }
    local ok, result = kinds[fault.kind].run(f, fault, fired)
    return ok, result, fired
end

-- What is wrong with an error; nil: nothing.
function faults.complaint(problem, fault, fired)
    return kinds[fault.kind].complaint(problem, fault, fired)
end

function faults.title(fault)
    return kinds[fault.kind].title(fault)
end

-- ---- which are tried ------------------------------------------------------------------------------------------

-- The functions that were called since layer.fail, with how often and how many codes each has.
function faults.called()
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

-- Which of all faults of a scenario are tried: one in `stride`, other ones in each scenario and with each seed.
local function sampler(stride, seed, turn)
    local phase = (seed + turn) % stride
    return function(index) return index % stride == phase end
end

-- Calls body(fault) for the k-th call of each function with each of its codes. Of calls that are made only because one
-- before them failed, the first is tried too.
local function each_call(list, body)
    for _, call in ipairs(list) do
        for k = 1, math.min(call.count, POLLS[call.name] or call.count) + 1 do
            for pick = 1, call.codes do
                body { kind = "call", after = k, call = call.name, pick = pick }
            end
        end
    end
end

-- The same for the first, the second and the last call, each with one of the codes.
local function some_calls(list, turn, body)
    for _, call in ipairs(list) do
        local most = math.min(call.count, POLLS[call.name] or call.count)
        for k = 1, most do
            if k <= 2 or k == most then
                body { kind = "call", after = k, call = call.name, pick = (turn + k) % call.codes + 1 }
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
            body { kind = "call", after = k, code = LATE[i], late = true }
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
        body { kind = "call", after = n, times = 1000000, pick = n }
    end
end

local function calls(options, list, events, turn, body)
    local stride, index = options.stride, 0
    if not stride then
        some_calls(list, turn, body)
        each_late(events, false, turn, body)
        each_breakdown(list, false, turn, body)
        return
    end
    local is_chosen = sampler(stride, options.seed, turn)
    local function chosen(fault)
        index = index + 1
        if is_chosen(index) then
            body(fault)
        end
    end
    each_call(list, chosen)
    each_late(events, true, turn, chosen)
    each_breakdown(list, true, turn, chosen)
end

-- Calls body(n), which tells whether anything happened, for n = 1 and further until nothing does: for one n in
-- `stride`; without a stride for ever fewer, others at each turn.
local function until_untouched(options, turn, body)
    local stride = options.stride
    local n = stride and (options.seed + turn) % stride + 1 or 1
    while body(n) do
        n = stride and n + stride or 2 * n + 1 + turn % 5
    end
end

-- Is the i-th of so many kinds tried? All are, but for one where there is no stride.
local function is_kind_tried(options, turn, i, kinds_in_all)
    return options.stride or turn % kinds_in_all == i % kinds_in_all
end

local FOR_GOOD = 1 << 30

local function each_memory(options, turn, body)
    local stride = options.stride or 8
    if sampler(stride, options.seed or 0, turn)(0) then -- takes long
        body { kind = "memory", every = true }
    end
    if options.swap then
        until_untouched(options, turn, function(n)
            return body { kind = "release", after = n, swap = options.swap }
        end)
    end
    for i, times in ipairs { 1, 2, FOR_GOOD } do
        if is_kind_tried(options, turn, i, 3) then
            until_untouched(options, turn + i, function(n)
                return body { kind = "memory", after = n, times = times }
            end)
        end
    end
end

local function each_step(options, turn, body)
    if sampler(options.stride or 1, options.seed or 0, turn)(0) then -- takes long
        body { kind = "collect" }
    end
    for i, fault in ipairs { { kind = "raise" }, { kind = "leave" }, { kind = "leave", close = true } } do
        if is_kind_tried(options, turn, i, 3) then
            until_untouched(options, turn + i, function(n)
                return body { kind = fault.kind, close = fault.close, after = n }
            end)
        end
    end
end

local function each_end(options, turn, body)
    until_untouched(options, turn, function(n)
        return body { kind = "leave", stay = true, after = n }
    end)
end

local turn = 0

-- Calls body(fault) for each fault to try in a scenario that makes these calls and so many events; body tells whether
-- anything happened. options: what ("calls", "memory": Lua's, "steps", or "ends": the state's end at a step), stride
-- (one fault in so many, chosen by the number `seed`; 1: every fault; nil: a sample of the first and ever fewer of the
-- later ones), swap (puts copies in the place of all inputs; gives their list, and a function that puts the inputs
-- back).
function faults.each(options, list, events, body)
    turn = turn + 1
    if options.what == "memory" then
        each_memory(options, turn, body)
    elseif options.what == "steps" then
        each_step(options, turn, body)
    elseif options.what == "ends" then
        each_end(options, turn, body)
    else
        calls(options, list, events, turn, body)
    end
end

return faults
