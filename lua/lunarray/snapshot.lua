-- Files of simulations: a .npz archive of their arrays, and a text with all else, exact to the last bit.

local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"

local snapshot = {}

local FORMAT, VERSION = "lunarray.simulation", 1
local MAY_BE_GIVEN = { force = true, collide = true, variant = true, queue = true, device = true,
    devices = true } -- with a file
local OF_THE_CALL = { force = true, queue = true } -- options that a file does not hold

local function raise(message, ...)
    misuse.raise("simulation", message, ...)
end

-- ---- the text -----------------------------------------------------------------------------------------------

-- A line is a key, a kind and a value. Floats are hexadecimal, with a point whatever the locale.
local KINDS = {
    integer = { "%d", function(text) return math.tointeger(text) end },
    float = { "%a", function(text) return core._plain(tonumber, text) end },
    string = { "%s", tostring },
    boolean = { "%s", function(text) return text == "true" end },
}

local function line_of(key, value)
    local kind = math.type(value) or type(value)
    return misuse.text("%s %s " .. KINDS[kind][1], key, kind, type(value) == "boolean" and tostring(value) or value)
end

-- The values by key, or nil and the line that is none.
local function parsed(lines)
    local values = {}
    for line in lines:gmatch "[^\n]+" do
        local key, kind, text = line:match "^(%S+) (%a+) (.*)$"
        local value
        if KINDS[kind] then
            value = KINDS[kind][2](text)
        end
        if value == nil then
            return nil, line
        end
        values[key] = value
    end
    return values
end

-- ---- writing ------------------------------------------------------------------------------------------------

-- Writes a simulation. Options that are numbers, strings or booleans go into the text, arrays by their names.
function snapshot.save(path, sim, inner)
    local head = {
        FORMAT, line_of("version", VERSION), line_of("steps", inner.steps), line_of("origin", inner.origin + 0.0),
        line_of("has_force", inner.force ~= nil),
        line_of("has_function", type(inner.options.collide) == "function"),
    }
    local lines, arrays = {}, { pos = sim.pos, vel = sim.vel }
    for name, value in pairs(inner.options) do
        if core.type(value) == "array" then
            arrays["option_" .. name] = value
        elseif not OF_THE_CALL[name] and KINDS[math.type(value) or type(value)] then
            lines[#lines + 1] = line_of("option_" .. name, value)
        end
    end
    for name, array in pairs(core._state_arrays(inner.state, sim.pos, sim.vel, inner.options.softening)) do
        arrays["state_" .. name] = array
    end
    table.sort(lines) -- the same simulation gives the same bytes
    local text = table.concat(head, "\n") .. "\n" .. table.concat(lines, "\n") .. "\n"
    arrays.header = sim.pos:device():array(text, "u8")
    core._named("save", core.savez)(path, arrays)
    arrays.header:release()
end

-- ---- reading ------------------------------------------------------------------------------------------------

local function check_options(options)
    if options ~= nil and not misuse.is_table(options) then
        raise("argument 2: a table of options is needed, got %s", misuse.kind_of(options))
    end
    for name in pairs(options or {}) do
        if not MAY_BE_GIVEN[name] then
            raise("option '%s': a simulation from a file takes force, collide, variant, queue, device and "
                .. "devices; the file has all else", misuse.text("%s", name))
        end
    end
    if options and options.device ~= nil and core.type(options.device) ~= "device" then
        raise("option 'device': a device is needed, got %s", misuse.kind_of(options.device))
    end
    return options or {}
end

local function is_count(x)
    return math.type(x) == "integer" and x >= 0 and x <= 2 ^ 53
end

local function is_number(x)
    return type(x) == "number"
end

-- Older files lack such a line.
local function is_flag(x)
    return x == nil or type(x) == "boolean"
end

-- Lines that a header has, and what they say.
local REQUIRED = {
    { "version", is_count }, { "steps", is_count }, { "origin", is_number }, { "option_dt", is_number },
    { "has_force", is_flag }, { "has_function", is_flag },
}

-- The text of the file, checked.
local function read_header(path, arrays)
    local header = type(arrays) == "table" and arrays.header
    local text = header and header:dtype() == "u8" and header:ndim() == 1 and header:tobytes() or ""
    if text:sub(1, #FORMAT + 1) ~= FORMAT .. "\n" then
        raise("%s: this is not a file of a simulation", path)
    end
    local values, wrong = parsed(text:sub(#FORMAT + 2))
    if not values then
        raise("%s: the file is damaged: its header has the line '%s'", path, wrong)
    end
    for _, entry in ipairs(REQUIRED) do
        local key, is_good = table.unpack(entry)
        local value = values[key]
        if not is_good(value) then
            raise("%s: the file is damaged: its header has %s", path,
                value == nil and "no " .. key or misuse.text("the %s '%s'", key, value))
        elseif key == "version" and value ~= VERSION then
            raise("%s: the file has version %d; version %d is supported", path, value, VERSION)
        end
    end
    for _, key in ipairs { "pos", "vel", "state_units" } do
        local is_missing = key ~= "state_units" or values.steps > 0 and #arrays.pos > 0
        if not arrays[key] and is_missing then
            raise("%s: the file is damaged: it has no array %s", path, key)
        end
    end
    return values
end

-- The force and the collision function that the call has to give again.
local function check_given(path, values, options)
    if values.has_force and options.force == nil then
        raise("%s: it was saved with a force, which files do not contain; pass it again as the option force, or "
            .. "force = false to go on without", path)
    elseif values.has_function and options.collide == nil then
        raise("%s: it was saved with a collision function, which files do not contain; pass it again as the "
            .. "option collide", path)
    end
end

-- Reads a file: { pos, vel, options, steps, state }, and the force.
function snapshot.load(path, given)
    given = check_options(given)
    local device = given.device or core.device()
    local arrays = core._named("simulation", core._load)(device, path)
    local values = read_header(path, arrays)
    check_given(path, values, given)
    local options, state = { time = values.origin }, {}
    for key, value in pairs(values) do
        local name = key:match "^option_(.*)$"
        if name then
            options[name] = value
        end
    end
    for key, array in pairs(arrays) do
        local kind, name = key:match "^(%a+)_(.*)$"
        if kind == "option" then
            options[name] = array
        elseif kind == "state" then
            state[name] = array
        end
    end
    for name, value in pairs(given) do
        options[name] = value
    end
    options.device = nil
    local force = options.force or nil
    options.force = force
    if values.has_force ~= (force ~= nil) then -- what hermite4 and ias15 keep is of other accelerations
        state.integration, state.clocks = nil, nil
    end
    return { pos = arrays.pos, vel = arrays.vel, options = options, steps = values.steps, state = state }, force
end

-- What f gives; a refusal names the file, whose pos, vel and options may not go together.
function snapshot.within(path, f, ...)
    local results = table.pack(pcall(f, ...))
    local problem = results[2]
    if results[1] then
        return table.unpack(results, 2, results.n)
    end
    local message = type(problem) == "string" and problem:match "lunarray: simulation: (.*)$"
    if not message then
        error(problem, 0)
    elseif message:find "^the state" then
        message = message .. "; the file is damaged, or an older lunarray wrote it. lun.load reads its pos and vel"
    end
    raise("%s: %s", path, message)
end

local MOST_UNIT = 4096 -- an exponent of 2 beyond those of all floats

-- Are these the clocks of whole steps? Of each system, element 2 is what is left of a step, 4 the length of the next
-- one in it, and 6 why it stands still (kernels/abi/nbody.h). With others steps might never end. Clocks of another
-- shape are those of no integrator, and not used.
local function are_whole(clocks)
    local rows, columns, more = clocks:shape()
    return not columns or more or columns ~= 7 or rows == 0 or clocks:isfinite():all() and clocks:col(4):ge(0):all()
        and clocks:col(2):eq(0):land(clocks:col(6):eq(0)):all()
end

local function check_state(state)
    core.scope(function()
        local units, clocks = state.units, state.clocks
        if units and not units:eq(units:round()):land(units:abs():le(MOST_UNIT)):all() then
            raise("the state's array 'units' has numbers that are not exponents")
        elseif clocks and not are_whole(clocks) then
            raise("the state's array 'clocks' is not that of whole steps")
        end
    end)
end

-- Gives a simulation that was made of a file its state, arrays that must be of its bodies and integrator.
function snapshot.resume(sim, inner, saved)
    core._state_set(inner.state, saved.pos, saved.vel, inner.options.softening, saved.state)
    core._steps(sim.pos, sim.vel, inner.options, "simulation", inner.state, 0, 0, 0, inner.force)
    check_state(saved.state)
end

return snapshot
