-- lun.odeint: ordinary differential equations by the pair of Dormand and Prince (1980), of orders 5 and 4, with
-- Shampine's dense output (1986). Steps are chosen as in Hairer, Norsett and Wanner, Solving Ordinary Differential
-- Equations I, II.4.

local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"

local STAGES = { -- the time of a stage, and the weights of the slopes before it
    { 1 / 5, 1 / 5 },
    { 3 / 10, 3 / 40, 9 / 40 },
    { 4 / 5, 44 / 45, -56 / 15, 32 / 9 },
    { 8 / 9, 19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729 },
    { 1, 9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656 },
    { 1, 35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84 }, -- the result of order 5
}
local ERROR = { -71 / 57600, 0, 71 / 16695, -71 / 1920, 17253 / 339200, -22 / 525, 1 / 40 }
local DENSE = { -- of each slope, powers of the part of the step
    { 1, -8048581381 / 2820520608, 8663915743 / 2820520608, -12715105075 / 11282082432 },
    { 0, 0, 0, 0 },
    { 0, 131558114200 / 32700410799, -68118460800 / 10900136933, 87487479700 / 32700410799 },
    { 0, -1754552775 / 470086768, 14199869525 / 1410260304, -10690763975 / 1880347072 },
    { 0, 127303824393 / 49829197408, -318862633887 / 49829197408, 701980252875 / 199316789632 },
    { 0, -282668133 / 205662961, 2019193451 / 616988883, -1453857185 / 822651844 },
    { 0, 40617522 / 29380423, -110615467 / 29380423, 69997945 / 29380423 },
}
local SAFETY, LEAST, MOST = 0.9, 0.2, 10
local KNOWN = { "method", "rtol", "atol", "first_step", "max_step", "steps", "events" }

local function raise(message, ...)
    misuse.raise("odeint", message, ...)
end

-- ---- kernels --------------------------------------------------------------------------------------------------

-- The sum of slopes with the weights from `first` on.
local function weighted(weights, first)
    return function(slopes)
        local sum
        for i = first, #weights do
            if weights[i] ~= 0 then
                local part = slopes[i - first + 1] * weights[i]
                sum = sum and sum + part or part
            end
        end
        return sum
    end
end

local stages = {}
for i, row in ipairs(STAGES) do
    local sum = weighted(row, 2)
    stages[i] = core.fuse(function(y, h, ...) return y + sum { ... } * h end)
end

-- The largest of the members' root mean squares of x in units of what is allowed: members are all axes but the last.
local function norm(x, allowed)
    local square = (x:abs() / allowed):square()
    return (x:ndim() > 1 and square:mean { axis = -1 } or square:mean { keepdims = true }):max()
end

local measure = core.fuse(function(y, new, h, rtol, atol, ...)
    return norm(weighted(ERROR, 1) { ... } * h, y:abs():maximum(new:abs()) * rtol + atol)
end)
local size = core.fuse(function(x, y, rtol, atol) return norm(x, y:abs() * rtol + atol) end)
local between = core.fuse(function(y, h, a, c, d, e, f, g, k1, k3, k4, k5, k6, k7)
    return y + (k1 * a + k3 * c + k4 * d + k5 * e + k6 * f + k7 * g) * h
end)

-- The solution at a part of a step, into `out`.
local function interpolate(out, y, h, part, k)
    local b = {}
    for i, row in ipairs(DENSE) do
        b[i] = part * (row[1] + part * (row[2] + part * (row[3] + part * row[4])))
    end
    between(y, h, b[1], b[3], b[4], b[5], b[6], b[7], k[1], k[3], k[4], k[5], k[6], k[7], { out = out })
end

-- ---- arguments ------------------------------------------------------------------------------------------------

local FLOATS = { f32 = true, f64 = true, c64 = true, c128 = true }

local function positive(options, name, missing, zero)
    local x = options[name]
    if x == nil then
        return missing
    elseif not math.type(x) or not (x > 0 or zero and x == 0) then
        raise("option '%s': a number above 0 is needed, got %s", name, misuse.kind_of(x))
    end
    return x
end

local function read_times(t)
    local times = core.type(t) == "array" and t:totable() or t
    if not misuse.is_table(times) or #times == 0 then
        raise("argument 3: a list or an array of times is needed, got %s", misuse.kind_of(t))
    end
    for i, at in ipairs(times) do
        if not math.type(at) or at - at ~= 0 then
            raise("argument 3: element %d is %s; finite numbers are needed", i, misuse.kind_of(at))
        elseif i > 1 and (at == times[i - 1] or (at > times[i - 1]) ~= (times[2] > times[1])) then
            raise("argument 3: times must ascend or descend, and element %d does not", i)
        end
    end
    return times
end

-- Events as a list of { f =, terminal =, direction = }: one function, or a list of functions and of such tables.
local function read_events(events)
    local given = misuse.is_table(events) and not events.f and events or { events }
    local list = {}
    for i, event in ipairs(given) do
        event = type(event) == "function" and { f = event } or event
        if not misuse.is_table(event) or type(event.f) ~= "function" then
            raise("option 'events': event %d is %s; a function of t and y, or a table with it as f, is needed", i,
                misuse.kind_of(event))
        end
        misuse.check_options("odeint", 4, event, { "f", "terminal", "direction" })
        local direction = event.direction or 0
        if not math.type(direction) then
            raise("option 'events': the direction of event %d is %s; a number is needed", i, misuse.kind_of(direction))
        end
        list[i] = { f = event.f, terminal = event.terminal, direction = direction }
    end
    return list
end

local function read(f, y0, t, options, ...)
    misuse.check_function("odeint", 1, f, "a function of t and y")
    misuse.check_array("odeint", "argument 2", y0)
    if not FLOATS[y0:dtype()] or y0:ndim() == 0 or y0:size() == 0 then
        raise("argument 2: f32, f64, c64 or c128 with elements is needed, got %s %s", y0:dtype(), misuse.shape_of(y0))
    end
    misuse.check_end("odeint", 4, ...)
    options = misuse.check_options("odeint", 4, options, KNOWN)
    if options.method ~= nil and options.method ~= "rk45" then
        raise("option 'method': \"rk45\" is known, got %s", misuse.value_of(options.method))
    end
    return read_times(t), {
        rtol = positive(options, "rtol", 1e-3, true), atol = positive(options, "atol", 1e-6),
        first = positive(options, "first_step"), most = positive(options, "max_step", math.huge),
        steps = positive(options, "steps", 100000), events = read_events(options.events),
    }
end

-- ---- integration ----------------------------------------------------------------------------------------------

local function slope(s, t, y)
    local k = s.f(t, y)
    misuse.check_given("odeint", "the function", k, "an array of y's shape")
    if k:dtype() ~= y:dtype() or misuse.shape_of(k) ~= misuse.shape_of(y) then
        raise("the function returned %s %s; y is %s %s", misuse.shape_of(k), k:dtype(), misuse.shape_of(y), y:dtype())
    end
    s.report.evaluations = s.report.evaluations + 1
    return k
end

-- The first step, by two slopes.
local function first_step(s, t, y, k, way, span)
    local o = s.options
    local d0, d1 = size(y, y, o.rtol, o.atol) ^ 0.5, size(k, y, o.rtol, o.atol) ^ 0.5
    local h = math.min((d0 < 1e-5 or d1 < 1e-5) and 1e-6 or 0.01 * d0 / d1, span)
    local k2 = slope(s, t + way * h, y + k * (way * h))
    local d2 = size(k2 - k, y, o.rtol, o.atol) ^ 0.5 / h
    local top = math.max(d1, d2)
    local next = top <= 1e-15 and math.max(1e-6, h * 1e-3) or (0.01 / top) ^ 0.2
    return math.min(100 * h, next, span)
end

-- One step that is small enough. Gives its length, the solution behind it and the slopes.
local function step(s, t, y, k1, h, way, left)
    local o, report, again = s.options, s.report, false
    while true do
        if h ~= h or h <= 10 * math.abs(t) * 2.0 ^ -52 then
            raise("the step became too small at t = %.17g; the solution may end there, or the problem may be stiff", t)
        elseif report.steps + report.rejected >= o.steps then
            raise("%d steps were too few: t = %.17g was reached; the option 'steps' allows more", o.steps, t)
        end
        h = math.min(h, o.most)
        local ends = h >= left
        h = ends and left or h
        local k, new = { k1 }, nil
        for i, row in ipairs(STAGES) do
            new = stages[i](y, way * h, table.unpack(k))
            k[i + 1] = slope(s, t + way * h * row[1], new)
        end
        local off = measure(y, new, way * h, o.rtol, o.atol, table.unpack(k)) ^ 0.5
        if off < 1 then
            report.steps = report.steps + 1
            local factor = off == 0 and MOST or math.min(MOST, SAFETY * off ^ -0.2)
            return h, new, k, h * (again and math.min(1, factor) or factor), ends
        end
        report.rejected, again = report.rejected + 1, true
        h = h * (off == off and math.max(LEAST, SAFETY * off ^ -0.2) or LEAST)
    end
end

-- ---- events ---------------------------------------------------------------------------------------------------

local function event_value(event, t, y)
    local value = event.f(t, y)
    value = core.type(value) == "array" and value:size() == 1 and value:flatten():get(1) or value
    return math.type(value) and value or raise("an event returned %s; a number is needed", misuse.kind_of(value))
end

-- Where the event's value, which has opposite signs at both ends, is 0, and y there: false position, by Illinois' rule.
local function find_event(event, a, value_a, b, value_b, solution)
    local side = 0
    for _ = 1, 100 do
        if value_b == 0 or math.abs(b - a) <= 2.0 ^ -50 * math.max(math.abs(a), math.abs(b)) then
            break
        end
        local at = b - value_b * (b - a) / (value_b - value_a)
        local value = event_value(event, at, solution(at))
        if value == 0 or (value < 0) == (value_b < 0) then
            b, value_b, value_a, side = at, value, side == 1 and value_a / 2 or value_a, 1
        else
            a, value_a, value_b, side = at, value, side == -1 and value_b / 2 or value_b, -1
        end
    end
    return { t = b, y = solution(b) }
end

-- Adds the events of a step to the report; gives the first one that ends the integration, or nil.
local function add_events(s, from, to, new, way, solution)
    local found = {}
    for i, event in ipairs(s.options.events) do
        local before, value = event.value, event_value(event, to, new)
        local rises, falls = before < 0 and value >= 0, before > 0 and value <= 0
        if rises and event.direction >= 0 or falls and event.direction <= 0 then
            found[#found + 1] = { i, find_event(event, from, before, to, value, solution), event.terminal }
        end
        event.value = value
    end
    table.sort(found, function(a, b) return (a[2].t - b[2].t) * way < 0 end)
    for _, each in ipairs(found) do
        table.insert(s.report.events[each[1]], each[2])
        if each[3] then
            return each[2]
        end
    end
    return nil
end

-- lun.odeint(f, y0, t, options)
return function(f, y0, t, options, ...)
    local times, read_options = read(f, y0, t, options, ...)
    local report = { steps = 0, rejected = 0, evaluations = 0, events = {} }
    local s = { f = f, options = read_options, report = report }
    local out = y0:device():zeros({ #times, y0:shape() }, y0:dtype())
    out:slice(1):write(y0)
    report.time = times[1]
    for i, event in ipairs(s.options.events) do
        report.events[i], event.value = {}, event_value(event, times[1], y0)
    end
    if #times == 1 then
        return out, report
    end
    local at, last, y, done = times[1], times[#times], y0, 1
    local way = last > at and 1 or -1
    local k1 = slope(s, at, y)
    local h = s.options.first or first_step(s, at, y, k1, way, math.abs(last - at))
    while done < #times do
        local length, new, k, next, ends = step(s, at, y, k1, h, way, math.abs(last - at))
        local to = ends and last or at + way * length
        local stop = add_events(s, at, to, new, way, function(time)
            local found = y:empty_like()
            interpolate(found, y, way * length, (time - at) * way / length, k)
            return found
        end)
        report.time = stop and stop.t or to
        while done < #times and (report.time - times[done + 1]) * way >= 0 do
            done = done + 1
            if times[done] == to then
                out:slice(done):write(new)
            else
                interpolate(out:slice(done), y, way * length, (times[done] - at) * way / length, k)
            end
        end
        if stop then
            return out:slice({ 1, done }):copy(), report
        end
        at, y, k1, h = to, new, k[7], next
    end
    return out, report
end
