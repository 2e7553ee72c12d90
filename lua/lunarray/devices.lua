-- Work that is split over several devices: rows of a matrix product, bodies that are pulled. What it gives lies on the
-- first device. Copies between devices are enqueued, so that all devices work side by side.

local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"

local raise, kind_of = misuse.raise, misuse.kind_of

local devices = {}

-- ---- shares -------------------------------------------------------------------------------------------------

-- What a device does in a second, but for a factor: a GPU's unit has many lanes.
local function strength(device)
    local info = device:info()
    local lanes = info.type == "gpu" and 128 or math.max(info.vector_f32, 1)
    return info.units * math.max(info.clock, 1) * lanes
end

-- The list, checked; and how much of the whole each device is to do, nearly.
local function check_list(name, list, array)
    if not misuse.is_table(list) then
        raise(name, "option 'devices': a list of devices is wanted, got %s", kind_of(list))
    elseif #list == 0 then
        raise(name, "option 'devices': the list is empty")
    end
    local whole, shares = 0, {}
    for i, device in ipairs(list) do
        if core.type(device) ~= "device" then
            raise(name, "option 'devices': a device is wanted, number %d is %s", i, kind_of(device))
        end
        for j = 1, i - 1 do
            if list[j] == device then
                raise(name, "option 'devices': number %d and number %d are the same device", j, i)
            end
        end
        shares[i] = strength(device)
        whole = whole + shares[i]
    end
    if list[1] ~= array:device() then
        raise(name, "option 'devices': the first is the one that the arrays are on")
    end
    for i, share in ipairs(shares) do
        shares[i] = share / whole
    end
    return shares
end

local GRAIN = 64 -- rows of a part, but for the last: kernels take so many at once

-- Calls f(device, first, last) for each device that has a part of the rows, a multiple of `grain` but for the last; the
-- first device last: enqueueing there takes time that the others work in.
local function each_part(list, shares, rows, grain, f)
    local parts, from, sum = {}, 1, 0
    for i, device in ipairs(list) do
        sum = sum + shares[i]
        local to = i == #list and rows or math.min(rows, (rows * sum / grain + 0.5) // 1 * grain)
        to = math.tointeger(to)
        if to >= from then
            table.insert(parts, 1, { device, from, to })
            from = to + 1
        end
    end
    for _, part in ipairs(parts) do
        f(table.unpack(part))
    end
end

-- The options without those that a split call does not take, and the list; nil where there is none.
local function take_options(name, options)
    local list = type(options) == "table" and options.devices
    if list == nil or list == false then
        return nil
    end
    local own = {}
    for key, value in pairs(options) do
        own[key] = value
    end
    own.devices = nil
    for _, key in ipairs { "async", "queue" } do
        if own[key] then
            raise(name, "option '%s' does not go with devices", key)
        end
    end
    return own, list
end

local function on(device, x)
    return core.type(x) == "array" and x:to(device) or x
end

local function drop(array, kept)
    if core.type(array) == "array" and array ~= kept then
        array:release()
    end
end

-- ---- products -----------------------------------------------------------------------------------------------

-- Bytes a second from the first device to another and back, and the part of its strength that a device reaches. Found
-- on two H100; PoCL's copies are the host's own.
local LINK, LINK_OF_HOST, REACHED = 45e9, 8e9, 0.75

-- The parts of the rows with which all devices end at one time: the others copy the second matrix before, and their
-- rows.
local function product_shares(list, shares, a, b, result_bytes)
    local rows, inner = a:shape()
    local whole, costs = 0, {}
    for _, device in ipairs(list) do
        whole = whole + strength(device)
    end
    for i, device in ipairs(list) do
        local link = device:info().type == "gpu" and LINK or LINK_OF_HOST
        local work = 2 * rows * inner * select(2, b:shape()) / (2e6 * REACHED * shares[i] * whole)
        costs[i] = { before = i > 1 and b:nbytes() / link or 0,
            all = work + (i > 1 and (a:nbytes() + result_bytes) / link or 0) }
    end
    local given
    repeat -- without those that would have copied only when the others have ended
        local late, sum, rate = false, 1, 0
        for _, cost in ipairs(costs) do
            if not cost.none then
                sum, rate = sum + cost.before / cost.all, rate + 1 / cost.all
            end
        end
        given = {}
        for i, cost in ipairs(costs) do
            given[i] = cost.none and 0 or (sum / rate - cost.before) / cost.all
            cost.none = cost.none or given[i] <= 0
            late = late or given[i] < 0
        end
    until not late
    return given
end

local matmul
matmul = core._method("matmul", function(a, ...)
    local b, options = ...
    local own, list = take_options("matmul", options)
    if not own then
        return matmul(a, ...)
    end
    misuse.check_end("matmul", 2, select(3, ...))
    if core.type(a) ~= "array" or core.type(b) ~= "array" or a:ndim() ~= 2 or b:ndim() ~= 2 then
        raise("matmul", "option 'devices': two matrices are wanted")
    end
    local shares = check_list("matmul", list, a)
    local rows, given = #a, own.out
    if given ~= nil and (not core._is_live(given) or given:ndim() ~= 2 or #given ~= rows) then
        return matmul(a, b, own) -- which says what is wrong with it
    end
    local out = own.out or a:device():empty({ rows, (select(2, b:shape())) }, core.promoted(a:dtype(), b:dtype()))
    if rows > 0 then
        shares = product_shares(list, shares, a, b, out:nbytes())
    end
    each_part(list, shares, rows, GRAIN, function(device, from, to)
        local part, place = a:slice({ from, to }), out:slice({ from, to })
        if device == list[1] then
            own.out = place
            matmul(part, b, own)
            return
        end
        local left, right = part:to(device), b:to(device)
        own.out = own.beta and own.beta ~= 0 and place:to(device) or nil
        local product = matmul(left, right, own)
        place:write(product)
        drop(left)
        drop(right)
        drop(product)
    end)
    return out
end)

-- ---- gravity ------------------------------------------------------------------------------------------------

local gravity
gravity = core._method("gravity", function(pos, ...)
    local own, list = take_options("gravity", (...))
    if not own then
        return gravity(pos, ...)
    end
    misuse.check_end("gravity", 1, select(2, ...))
    if core.type(pos) ~= "array" or pos:ndim() ~= 2 then
        raise("gravity", "option 'devices': positions n x 4 are wanted")
    elseif own.rows then
        raise("gravity", "option 'rows' does not go with devices")
    end
    local shares = check_list("gravity", list, pos)
    local at = own.at
    local rows = at and #at or #pos
    local out = own.out or pos:device():empty({ rows, 4 }, pos:dtype())
    each_part(list, shares, rows, GRAIN, function(device, from, to)
        local here, place = device == list[1], out:slice({ from, to })
        local softening, points = own.softening, at and at:slice { from, to }
        local part = {}
        for key, value in pairs(own) do
            part[key] = value
        end
        part.out = here and place or nil
        part.softening, part.at = on(device, softening), on(device, points)
        part.rows = not at and { from, to } or nil
        local there = pos:to(device)
        local field = gravity(there, part)
        if not here then
            place:write(field)
            drop(field)
            drop(there)
            drop(part.softening)
            drop(part.at)
        end
    end)
    return out
end)

-- ---- steps --------------------------------------------------------------------------------------------------

-- Shares of the work that all accelerations are, whose results are added by pairs (core._pull): each costs as much as
-- some launches.
local function shares_of(pos)
    return #pos < 200000 and 8 or 16
end

-- Calls f(first, count) for the branches of the tree of so many shares that the shares from .. to-1 are made of.
local function each_branch(from, to, all, f)
    while from < to do
        local count = from == 0 and all or from & -from
        while from + count > to do
            count = count // 2
        end
        f(from, count)
        from = from + count
    end
end

-- The sum of so many shares, of sums of branches by first and count.
local function join(sums, first, count)
    local there = sums[first] and sums[first][count]
    if there then
        return there
    end
    local sum, more = join(sums, first, count // 2), join(sums, first + count // 2, count // 2)
    sum:add_(more)
    more:release()
    return sum
end

-- The accelerations of all bodies, n x 3 on the first device of the list.
local function pull_of(name, pos, asked, list, shares)
    local pull, sums, all = core._named(name, core._pull), {}, shares_of(pos)
    for first = 0, all - 1 do
        sums[first] = {}
    end
    each_part(list, shares, all, 1, function(device, from, to)
        local here = device == list[1]
        local there, its = here and pos or pos:to(device), {}
        for key, value in pairs(asked) do
            its[key] = on(device, value)
        end
        each_branch(from - 1, to, all, function(first, count)
            local sum = device:empty({ #pos, 3 }, pos:dtype())
            pull(sum, there, its, first, count, all)
            sums[first][count] = on(list[1], sum)
            drop(sum, sums[first][count])
        end)
        drop(there, pos)
        drop(its.softening, asked.softening)
    end)
    return join(sums, 0, all)
end

-- For steps of bodies over several devices: the options with which the first device moves the bodies and pulls nothing
-- (one body attracts, with no strength); the force that does, before one of the user's own; and one to call where
-- the bodies are no longer where the last steps have left them. nil: there is no list.
function devices.steps(name, pos, options, force)
    local own, list = take_options(name, options)
    if not own then
        return nil
    end
    if core.type(pos) ~= "array" or pos:ndim() ~= 2 then
        raise(name, "option 'devices': positions n x 4 are wanted")
    end
    local shares = check_list(name, list, pos)
    local asked = { G = own.G, softening = own.softening, active = own.active, accuracy = own.accuracy,
        variant = own.variant }
    local kept -- accelerations
    local function forget()
        drop(kept)
        kept = nil
    end
    own.G, own.softening, own.active, own.accuracy, own.variant = 0, 1, #pos > 0 and 1 or nil, nil, nil
    return own, function(place, speed, more, time, stays)
        if not (stays and kept) then
            forget()
            local pull <close> = pull_of(name, place, asked, list, shares)
            kept = core._first_rows(pull, #pull) -- no scope of the user's ends it
        end
        local columns <close> = more:slice({}, { 1, 3 })
        columns:add_(kept)
        if force then
            force(place, speed, more, time)
        end
    end, forget
end

local nbody
nbody = core._method("nbody", function(pos, ...)
    local vel, options = ...
    local own, force, forget = devices.steps("nbody", pos, options)
    if not own then
        return nbody(pos, ...)
    end
    misuse.check_end("nbody", 2, select(3, ...))
    local checked = {} -- by the call itself, of no step: all but the split
    for key, value in pairs(options) do
        checked[key] = key ~= "devices" and value or nil
    end
    local steps = own.steps == nil and 1 or misuse.whole(own.steps)
    checked.steps = steps and steps >= 0 and 0 or own.steps
    nbody(pos, vel, checked)
    own.steps = nil
    if steps > 0 then
        local state = core._state()
        core._steps(pos, vel, own, "nbody", state, steps, 0, 0, force)
        core._state_drop(state)
        forget()
    end
    return pos
end)

return devices
