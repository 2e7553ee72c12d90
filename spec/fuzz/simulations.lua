-- Damaged files of simulations: lun.simulation makes of them a simulation that works, or an error that names the file.
--
--   lua5.4 spec/fuzz/simulations.lua COUNT [SEED]      `make fuzz-simulations COUNT=10000 SEED=1`
--
-- A file is one that save has written, changed in a few places: lines of its header, arrays' names, shapes, dtypes and
-- elements, and then saved again, so that its check sums are right; some have bytes changed instead.

local lun = require "lunarray"
local numbers = require "spec.numbers"

local fuzz = {}

local dev = lun.device()

-- ---- whole files --------------------------------------------------------------------------------------------------

local function bodies(n, dtype)
    local pos = dev:random({ n, 4 }, dtype, { seed = 1 })
    return pos, dev:random({ n, 4 }, dtype, { seed = 2, low = -1 })
end

-- Simulations of every kind of option, some steps on.
local function simulations()
    local wide = dev:info().fp64 and "f64" or "f32"
    local kinds = {
        { 5, "f32", { dt = 0.25, softening = 0.1 } },
        { 5, "f32", { dt = -0.5, softening = dev:full({ 5 }, 0.5), active = 3, integrator = "euler", time = 1 / 3 } },
        { 5, wide, { dt = 0.125, softening = 1, G = 2, integrator = "yoshida4", accuracy = 1e-2 } },
        { 5, "f32", { dt = 0.01, radius = 0.25, collide = "merge", softening = dev:full({ 5 }, 0.125) } },
        { 5, "f32", { dt = 0.01, radius = dev:full({ 5 }, 0.5), collide = "stop", integrator = "kahan_li6" } },
        { 5, wide, { dt = 0.125, softening = 1, force = function(pos) return pos:zeros_like() end } },
        { 0, "f32", { dt = 1 } },
    }
    if dev:info().fp64 then
        table.insert(kinds, { 5, "f64", { dt = 0.125, softening = 1, integrator = "hermite4" } })
        table.insert(kinds, { 5, "f64", { dt = 0.125, softening = 1, integrator = "ias15", adaptive = 1e-6 } })
    end
    local list = {}
    for _, kind in ipairs(kinds) do
        local pos, vel = bodies(kind[1], kind[2])
        local sim = lun.simulation(pos, vel, kind[3])
        list[#list + 1] = sim
        sim:step(2)
    end
    return list
end

-- ---- damage -------------------------------------------------------------------------------------------------------

local VALUES = {
    "integer 0", "integer 1", "integer -1", "integer 3", "integer 9223372036854775807", "integer -9223372036854775808",
    "integer 9007199254740992", "integer 1.5", "integer x", "integer ", "float 0x0p+0", "float 0x1p-1", "float -0x1p+0",
    "float 0x1p+1023", "float 0x0.0000000000001p-1022", "float inf", "float -inf", "float nan", "float -nan",
    "float 0x", "float 1,5", "float 0x1p-1 1", "string ", "string merge", "string stop", "string euler",
    "string leapfrog", "string hermite4",
    "string ias15", "string \xff", "string none", "string plain", "boolean true", "boolean false", "boolean ",
    "boolean 1",
    "nil nil", "table {}", "function print", "", " ", "integer", "float",
}
local NAMES = {
    "version", "steps", "origin", "has_force", "has_function", "option_dt", "option_G", "option_softening",
    "option_active", "option_integrator", "option_accuracy", "option_adaptive", "option_radius", "option_collide",
    "option_time", "option_variant", "option_queue", "option_device", "option_force", "option_steps", "option_",
    "option_pos",
    "option_async", "option_out", "state_units", "state_integration", "state_clocks", "state_", "pos", "vel", "header",
    "_", "__index", "option_1",
}
local DTYPES = { "f32", "i32", "u8", "f16", "i64", "u64", "f64" }

local function one_of(random, list)
    return list[random(1, #list)]
end

-- Another number in a line that has one.
local function renumbered(random, line)
    local head, kind, text = line:match "^(%S+) (%a+) (.*)$"
    local x = head and tonumber(text)
    if kind == "integer" and math.type(x) == "integer" then
        return ("%s integer %d"):format(head, x + random(-3, 3))
    elseif kind == "float" and x then
        return ("%s float %a"):format(head, x * one_of(random, { 0.5, -1, 2, 3, 1e-300, 1e10, 1 + 2 ^ -52 }))
    end
    return line
end

-- A line of the header is lost, doubled, moved, cut, or says something else.
local function change_lines(random, lines)
    local at, kind = random(1, #lines), random(1, 10)
    local line = lines[at]
    if kind == 1 then
        if #lines > 1 then
            table.remove(lines, at)
        end
    elseif kind == 2 then
        table.insert(lines, random(1, #lines), line)
    elseif kind == 3 then
        lines[at] = line:sub(1, random(0, #line))
    elseif kind == 4 then
        lines[at] = one_of(random, NAMES) .. " " .. one_of(random, VALUES)
    elseif kind == 5 then
        table.insert(lines, one_of(random, NAMES) .. " " .. one_of(random, VALUES))
    elseif kind == 6 then
        lines[at] = (line:match "^%S+" or "x") .. " " .. one_of(random, VALUES)
    elseif kind > 7 then
        lines[at] = renumbered(random, line)
    else
        local byte = random(0, #line)
        lines[at] = line:sub(1, byte) .. string.char(random(0, 255)) .. line:sub(byte + 2)
    end
end

-- A number that no array of lengths, places or times should have, or may have.
local ELEMENTS = { 0, -1, 1, 0 / 0, 1 / 0, -1 / 0, 1e30, -1e30, 1e-40 }

local function set_element(random, array)
    local dtype = array:dtype()
    if array:size() > 0 and dtype:find "^f" then
        local copy = array:copy()
        copy:reshape(array:size()):set(one_of(random, ELEMENTS), random(1, array:size()))
        return copy
    end
    return array
end

-- The array in another shape or dtype, or with other elements.
local function reshaped(random, array)
    local kind, n = random(1, 10), array:size()
    if kind == 1 then
        return array:contiguous():reshape(n)
    elseif kind == 2 then
        return array:ndim() < 8 and array:contiguous():reshape(1, array:shape()) or array
    elseif kind == 3 then
        return array:cast(one_of(random, dev:info().fp64 and DTYPES or { "f32", "i32", "u8" }))
    elseif kind == 4 then
        return dev:zeros({ random(0, 6), random(0, 5) }, array:dtype())
    elseif kind == 5 then
        return #{ array:shape() } > 0 and n > 0 and array:slice { 1, random(0, #array) } or array
    elseif kind == 6 then
        return array:ndim() == 2 and array:t() or array
    end
    return set_element(random, array)
end

local function change_arrays(random, arrays)
    local names = {}
    for name in pairs(arrays) do
        names[#names + 1] = name
    end
    table.sort(names)
    if #names == 0 then
        return
    end
    local name, kind = one_of(random, names), random(1, 6)
    if kind == 1 then
        arrays[name] = nil
    elseif kind == 2 then
        arrays[one_of(random, NAMES)] = arrays[name]
    elseif kind == 3 then
        arrays[name] = arrays[one_of(random, names)]
    else
        arrays[name] = reshaped(random, arrays[name])
    end
end

local function change_bytes(random, path)
    local file = assert(io.open(path, "rb"))
    local bytes = { file:read("a"):byte(1, -1) }
    file:close()
    for _ = 1, random(1, 3) do
        bytes[random(1, #bytes)] = random(0, 255)
    end
    local list = {}
    for i = 1, #bytes, 200 do
        list[#list + 1] = string.char(table.unpack(bytes, i, math.min(i + 199, #bytes)))
    end
    file = assert(io.open(path, "wb"))
    file:write(table.concat(list):sub(1, random(1, 8) == 1 and random(0, #bytes) or -1))
    file:close()
end

-- Writes a damaged copy of what sim:save has written to the path.
local function damage(random, path)
    local arrays = dev:load(path)
    local lines = {}
    for line in arrays.header:tobytes():gmatch "[^\n]*" do
        lines[#lines + 1] = line
    end
    local kind = random(1, 10)
    for _ = 1, kind < 8 and random(1, 2) or 0 do
        change_lines(random, lines)
    end
    arrays.header = dev:array(table.concat(lines, "\n"), "u8")
    for _ = 1, (kind > 5 and kind < 10) and random(1, 2) or 0 do
        change_arrays(random, arrays)
    end
    lun.savez(path, arrays)
    if kind == 10 then
        change_bytes(random, path)
    end
end

-- ---- what comes of them -------------------------------------------------------------------------------------------

local GIVEN = {
    {}, { force = false }, { collide = "merge" }, { force = function(pos) return pos:zeros_like() end },
    { collide = function() return "merge" end, force = false },
}

-- Uses all of a simulation. Its bodies may be at no finite place, which steps tell.
local function use(sim, path)
    local function try(name, ...)
        local ok, problem = pcall(sim[name], sim, ...)
        local text = tostring(problem)
        if not ok and not text:find("lunarray: " .. name .. ": ", 1, true) and not text:find "lunarray: collide: a" then
            error(name .. ": " .. text, 0)
        end
        return ok
    end
    assert(math.type(sim:time()), "its time is no number")
    tostring(sim)
    if math.abs(sim._inner.dt) < 100 then -- integrators that choose their steps would make 10^9 of a longer one
        try "step"
    end
    for _, name in ipairs { "energy", "momentum", "centre" } do
        try(name)
    end
    sim:time()
    if try("save", path) then
        assert(lun.simulation(path, { force = false, collide = sim.radius and "merge" or nil }):time() == sim:time())
    end
end

-- Tries `count` damaged files at that path; gives how many were refused, and the list of what went wrong.
function fuzz.try(path, count, seed)
    local random, whole = numbers.generator(seed), simulations()
    local refused, wrong = 0, {}
    for i = 1, count do
        local sim, given = whole[random(1, #whole)], GIVEN[random(1, #GIVEN)]
        sim:save(path)
        damage(random, path)
        local ok, problem = pcall(lun.simulation, path, given)
        local text = tostring(problem)
        if not ok then
            refused = refused + 1
            ok = text:find("lunarray: simulation: " .. path, 1, true)
        else
            ok, text = xpcall(use, debug.traceback, problem, path)
        end
        if not ok then
            wrong[#wrong + 1] = ("file %d: %s"):format(i, text)
        end
    end
    return refused, wrong
end

if arg and arg[0] and arg[0]:find "simulations%.lua$" then
    local count, seed = tonumber(arg[1]), tonumber(arg[2] or 1)
    assert(count, "usage: simulations.lua COUNT [SEED]")
    local path = os.tmpname()
    local refused, wrong = fuzz.try(path, count, seed)
    os.remove(path)
    for _, text in ipairs(wrong) do
        print("wrong: " .. text)
    end
    print(("tried %d simulations, %d refused"):format(count, refused))
    os.exit(#wrong == 0, true)
end

return fuzz
