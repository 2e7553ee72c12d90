-- lun.simulation: bodies under their gravity over a long time, which can be looked at, saved and resumed on the way.

local core = require "lunarray.core"
core._own()
local collide = require "lunarray.collide"
local force_of = require "lunarray.force"
local image = require "lunarray.image"
local misuse = require "lunarray.misuse"
local snapshot = require "lunarray.snapshot"

local raise, kind_of, check_end = misuse.raise, misuse.kind_of, misuse.check_end

local methods = {} -- each gets the simulation, its inner side and its arguments
local class = { __name = "lunarray.simulation", __kind = "a simulation" } -- the metatable of simulations

-- ---- errors -------------------------------------------------------------------------------------------------

-- The inner side of a simulation that a method is called on: { options, state, steps, origin, dt, force, collide };
-- and `within`, while a function of the user's is called within a step, which one.
local function inner_of(sim, name)
    if getmetatable(sim) ~= class then
        raise(name, "self: a simulation is needed, got %s; is it called with a colon?", kind_of(sim))
    end
    for _, field in ipairs { "pos", "vel" } do -- they are the user's to write
        local array = rawget(sim, field)
        if core.type(array) ~= "array" then
            raise(name, "the simulation's %s is %s; an array is needed", field, kind_of(array))
        elseif not core._is_live(array) then
            raise(name, "the simulation's %s was released", field)
        end
        local axes = array:ndim()
        if (axes ~= 2 and axes ~= 3) or select(axes, array:shape()) ~= 4 then
            raise(name, "the simulation's %s must be n x 4 or b x n x 4, not %s", field, misuse.shape_of(array))
        end
    end
    return sim._inner or raise(name, "the simulation was released")
end

local function check_number(name, position, x)
    if not math.type(x) or x ~= x or x - x ~= 0 then
        raise(name, "argument %d: a finite number is needed, got %s", position, kind_of(x))
    end
    return x
end

-- ---- time ---------------------------------------------------------------------------------------------------

-- The count of steps that a time is made of, if it is a whole one but for rounding: else nil, and the count as it is.
local function whole_steps(time, dt, scale)
    local exact = time / dt
    local whole = math.floor(exact + 0.5)
    if math.abs(whole) < 2 ^ 53 and math.abs(whole * dt - time) <= 4 * 2.0 ^ -52 * (math.abs(time) + scale) then
        return math.tointeger(whole)
    end
    return nil, exact
end

local function time_of(inner, steps)
    return inner.origin + steps * inner.dt
end

-- ---- steps --------------------------------------------------------------------------------------------------

-- Raises where a number of an array n x c is NaN or infinite. The word counts the array's rows.
local function check_finite(array, name, word, queue)
    local worst = #array > 0 and array:reduce("absmax", { queue = queue }) or 0
    if worst - worst ~= 0 then
        local finite <close> = array:isfinite()
        local _, columns = array:shape()
        local row = (finite:argmin() - 1) // columns
        local first <close> = array:row(row + 1)
        local largest = first:absmax()
        raise(name, "the %s of body %d is %s; a simulation's must be finite", word, row + 1,
            largest == largest and "infinite" or "NaN")
    end
end

-- Raises where one of the first `count` bodies is at no finite place. Masses of test bodies do not count.
local function check_bodies(sim, inner, name, count)
    local queue, active = inner.options.queue, inner.options.active or #sim.pos
    local place <close> = sim.pos:slice({ 1, count }, { 1, 3 })
    local mass <close> = sim.pos:slice({ 1, active }, { 4, 4 })
    local speed <close> = sim.vel:slice({ 1, count }, { 1, 3 })
    check_finite(place, name, "position", queue)
    check_finite(mass, name, "mass", queue)
    check_finite(speed, name, "velocity", queue)
end

-- Within a step positions are not those of the time.
local function check_between(inner, name, what)
    if inner.within then
        raise(name, "the simulation is within a step: its %s cannot %s it", inner.within, what)
    end
end

-- What collides is dealt with. Gives the pairs for which the simulation is to stop, or nil.
local function resolve(sim, inner)
    local _ <close> = inner.step_ends
    inner.within = "collision function"
    return collide.resolve(sim, inner)
end

local MOST_STEPS = 2 ^ 53 -- since the beginning: times are floats, and that many a file holds

-- Advances by that many steps, whatever is met on the way.
local function enqueue(sim, inner, name, steps)
    check_between(inner, name, "advance")
    if steps > MOST_STEPS - inner.steps then
        raise(name, "%d steps are too many", steps)
    end
    local known = core._state_knows(inner.state, sim.pos)
    if steps > 0 and not (inner.checked and known) then
        check_bodies(sim, inner, name, #sim.pos) -- before steps spread what is not finite to all others
        inner.checked = true
    end
    local _ <close> = inner.step_ends
    inner.within = "force"
    core._steps(sim.pos, sim.vel, inner.options, name, inner.state, steps, inner.steps, inner.origin, inner.force)
    inner.steps = inner.steps + steps
end

-- Advances; true, or false and what stopped it: a list of colliding pairs {i, j}.
local function advance(sim, inner, name, steps)
    if not inner.collide then
        enqueue(sim, inner, name, steps)
        return true
    end
    for _ = 1, steps do
        enqueue(sim, inner, name, 1)
        local stopped_by = resolve(sim, inner)
        if stopped_by then
            return false, stopped_by
        elseif not sim._inner then -- a collision function has released it
            return false, {}
        end
    end
    return true
end

-- sim:step([n])
function methods.step(sim, inner, ...)
    local n = select("#", ...) == 0 and 1 or (...)
    local steps = misuse.whole(n)
    if not steps or steps < 0 then
        raise("step", "argument 1: a whole number from 0 is needed, got %s", n == nil and "nil" or kind_of(n))
    end
    return advance(sim, inner, "step", steps)
end

-- sim:integrate(time)
function methods.integrate(sim, inner, time)
    check_number("integrate", 1, time)
    local steps, exact = whole_steps(time - inner.origin, inner.dt, math.abs(inner.origin))
    if not steps then
        local before = math.floor(exact)
        raise("integrate", "time %.14g is not a whole number of steps of %.14g from %.14g; steps end at %.14g and "
            .. "%.14g", time, inner.dt, inner.origin, time_of(inner, before), time_of(inner, before + 1))
    elseif steps < inner.steps then
        raise("integrate", "the time %.14g has passed; the simulation is at %.14g", time, time_of(inner, inner.steps))
    end
    return advance(sim, inner, "integrate", steps - inner.steps)
end

-- sim:every(interval, f)
function methods.every(sim, inner, interval, f)
    if check_number("every", 1, interval) <= 0 then
        raise("every", "argument 1: an interval above 0 is needed, got %s", kind_of(interval))
    elseif type(f) ~= "function" then
        raise("every", "argument 2: a function is needed, got %s", kind_of(f))
    end
    local every, exact = whole_steps(interval, math.abs(inner.dt), 0)
    if not every or every == 0 then
        raise("every", "the interval %.14g is not a whole number of steps of %.14g, but %.14g of them", interval,
            math.abs(inner.dt), exact or interval / math.abs(inner.dt))
    end
    repeat
        local rest = every - inner.steps % every
        local went, stopped_by = advance(sim, inner, "every", rest)
        if not went then
            return false, stopped_by
        end
    until f(sim) == false or not sim._inner
    return true
end

-- sim:time()
function methods.time(_, inner)
    return time_of(inner, inner.steps)
end

-- ---- sums ---------------------------------------------------------------------------------------------------

-- sim:energy()
function methods.energy(sim, inner)
    local options = inner.options
    return sim.pos:energy(sim.vel, {
        G = options.G, softening = options.softening, active = options.active, accuracy = options.accuracy,
        queue = options.queue,
    })
end

-- Sums over the bodies that attract: of each expression of m, x, y, z, u, v, w (the velocity).
local function sums(sim, inner, expressions)
    local options, dev = inner.options, sim.pos:device()
    local active = options.active or #sim.pos
    local columns = { m = sim.pos:slice({ 1, active }, 4) }
    for i = 1, 3 do
        columns[("xyz"):sub(i, i)] = sim.pos:slice({ 1, active }, i)
        columns[("uvw"):sub(i, i)] = sim.vel:slice({ 1, active }, i)
    end
    local used, text = {}, table.concat(expressions, " ")
    for name, column in pairs(columns) do
        used[name] = text:find("%f[%a]" .. name .. "%f[%A]") and column or nil
    end
    if dev:info().fp64 then
        for i, expression in ipairs(expressions) do
            expressions[i] = expression:gsub("%a", "(double)%0")
        end
    end
    local results = table.pack(dev:reduce("sum", expressions, used, {
        dtype = dev:info().fp64 and "f64" or nil, queue = options.queue,
    }))
    for _, column in pairs(columns) do
        column:release()
    end
    return table.unpack(results, 1, results.n)
end

-- sim:momentum()
function methods.momentum(sim, inner)
    return sums(sim, inner, { "m * u", "m * v", "m * w" })
end

-- sim:angular()
function methods.angular(sim, inner)
    return sums(sim, inner, { "m * (y * w - z * v)", "m * (z * u - x * w)", "m * (x * v - y * u)" })
end

-- sim:centre()
function methods.centre(sim, inner)
    local mass, x, y, z = sums(sim, inner, { "m", "m * x", "m * y", "m * z" })
    return x / mass, y / mass, z / mass
end

-- ---- pictures -----------------------------------------------------------------------------------------------

-- sim:image(width, height [, options])
function methods.image(sim, _, width, height, options)
    return image(sim.pos, width, height, options)
end

-- ---- making, saving, releasing ------------------------------------------------------------------------------

-- A simulation of options that are those of nbody, and the user's own.
local function new(name, pos, vel, options, force, steps)
    local state = core._state()
    local inner = {
        options = options, state = state, steps = steps, origin = options.time or 0, dt = options.dt,
        force = force_of(force, name),
    }
    inner.step_ends = setmetatable({}, { __close = function() inner.within = nil end })
    core._steps(pos, vel, options, name, state, 0, 0, 0, inner.force) -- looks at all that it is given
    if core.type(options.softening) == "array" then
        misuse.check_lengths(name, "softening", options.softening)
    end
    if options.dt == 0 then
        raise(name, "dt is 0, so time would not advance")
    elseif inner.origin - inner.origin ~= 0 then
        raise(name, "time must be a finite number, not %s", inner.origin)
    end
    local sim = { pos = pos, vel = vel, _inner = inner }
    collide.init(sim, inner, name)
    return setmetatable(sim, class)
end

-- lun.simulation(pos, vel, options), lun.simulation(path [, options])
local function make(first, second, third, ...)
    local is_path = type(first) == "string"
    misuse.check_dot("simulation", first)
    if is_path then
        check_end("simulation", 2, third, ...)
    else
        check_end("simulation", 3, ...)
    end
    if is_path then
        local saved, force = snapshot.load(first, second)
        return snapshot.within(first, function()
            local sim = new("simulation", saved.pos, saved.vel, saved.options, force, saved.steps)
            snapshot.resume(sim, sim._inner, saved)
            return sim
        end)
    elseif third ~= nil and not misuse.is_table(third) then
        raise("simulation", "argument 3: a table of options is needed, got %s", kind_of(third))
    end
    local options = {}
    for key, value in pairs(third or {}) do
        options[key] = value
    end
    return new("simulation", first, second, options, options.force, 0)
end

-- sim:save(path)
function methods.save(sim, inner, path)
    if type(path) ~= "string" then
        raise("save", "argument 1: a path is needed, got %s", kind_of(path))
    end
    check_between(inner, "save", "save")
    -- Where bodies that attract are nowhere all are soon, and the file may have an older, good state.
    check_bodies(sim, inner, "save", inner.options.active or #sim.pos)
    snapshot.save(path, sim, inner)
end

-- ---- the class ----------------------------------------------------------------------------------------------

local MOST = { -- arguments of each method
    step = 1, integrate = 1, every = 2, time = 0, energy = 0, momentum = 0, angular = 0, centre = 0, image = 3,
    save = 1,
}

-- What users call.
local simulation = {}
for name, method in pairs(methods) do
    local most = MOST[name]
    simulation[name] = function(sim, ...)
        local inner = inner_of(sim, name)
        check_end(name, most, select(most + 1, ...))
        return method(sim, inner, ...)
    end
end

-- sim:release(), and __close. The arrays stay.
function simulation:release()
    if getmetatable(self) ~= class then
        inner_of(self, "release")
    end
    if self._inner and self._inner.within == "force" then
        raise("release", "the simulation is within a step: its force cannot release it")
    elseif self._inner then
        core._state_drop(self._inner.state)
    end
    self._inner = nil
end

class.__close = simulation.release

function class.__tostring(sim)
    if not sim._inner then
        return "lunarray.simulation (released)"
    end
    return misuse.text("lunarray.simulation: %d bodies, time %.14g", #sim.pos, sim:time())
end

class.__index = setmetatable(simulation, { __index = function(_, name)
    if type(name) == "string" and (name:find "^_" or name == "radius") then
        return nil -- fields that are not there
    end
    local names = {}
    for known in pairs(simulation) do
        names[#names + 1] = known
    end
    table.sort(names)
    raise(misuse.text("%s", name), "a simulation has no such method or field; there are %s, pos, vel and radius",
        table.concat(names, ", "))
end })

return make
