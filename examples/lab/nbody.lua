-- A few steps of gravity between all pairs of bodies: from an array of structures to the library. The table shows how
-- far each variant changes the energy and the momentum, which Newton's laws conserve.
--
--     lua5.4 examples/lab/nbody.lua --device gpu --size 32768 --steps 20
--
-- Semi-implicit Euler changes the energy by an error of its own that is the same in every row, leapfrog by much less;
-- the momentum changes by roundings only, since all bodies move at once. Units: the constant of gravity and the mass
-- of all bodies together are 1.

local here = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
local lab = dofile(here .. "lab.lua")

local SOFTENING = 1 / 16
local GROUP = 64
local DT = 1 / 64
local PAIRS = 1 << 22 -- that the check computes in Lua
local FLOPS = 20 -- of a pair, as is usual: 3 differences, 6 for the distance, 5 for its cube, 6 for the sums

-- ---- the bodies, and the same in plain Lua --------------------------------------------------------------------

-- n bodies as rows {x, y, z, mass, vx, vy, vz} of numbers that f32 holds exactly: in a cube of side 2, slow.
local function bodies(n)
    math.randomseed(7)
    local list = {}
    local function random(most)
        return math.random(-(1 << 20), 1 << 20) * most / (1 << 20)
    end
    for i = 1, n do
        local mass = string.unpack("f", string.pack("f", (1 + random(0.5)) / n))
        list[i] = { random(1), random(1), random(1), mass, random(0.25), random(0.25), random(0.25) }
    end
    return list
end

-- The acceleration of a body, and the sum of the magnitudes of its terms, which bounds what rounding can do.
local function acceleration(list, i)
    local me = list[i]
    local x, y, z = me[1], me[2], me[3]
    local ax, ay, az, size = 0, 0, 0, 0
    for j = 1, #list do
        local other = list[j]
        local dx, dy, dz = other[1] - x, other[2] - y, other[3] - z
        local square = dx * dx + dy * dy + dz * dz + SOFTENING * SOFTENING
        local s = other[4] / (square * math.sqrt(square))
        ax, ay, az = ax + dx * s, ay + dy * s, az + dz * s
        size = size + s * math.sqrt(square)
    end
    return { ax, ay, az }, size
end

-- The bodies with numbers in `which` after a time step: velocities change by `kick`, then positions by `drift`. Gives
-- rows by number, and the largest sum of magnitudes of an acceleration's terms.
local function step(list, which, kick, drift)
    local new, most = {}, 0
    for _, i in ipairs(which) do
        local me, a, size = list[i], acceleration(list, i)
        new[i] = { me[1], me[2], me[3], me[4] }
        for axis = 1, 3 do
            new[i][axis + 4] = me[axis + 4] + kick * a[axis]
            new[i][axis] = me[axis] + drift * new[i][axis + 4]
        end
        most = math.max(most, size)
    end
    return new, most
end

-- Where the bodies in `which` should be after some steps; more than one step needs all bodies. A step of leapfrog is
-- half a kick, a drift, half a kick: for the positions this is Euler's step with half the first kick.
local function expect(list, which, steps, leapfrog)
    local most = 0
    for i = 1, steps do
        local size
        list, size = step(list, which, leapfrog and i == 1 and DT / 2 or DT, DT)
        most = math.max(most, size)
    end
    return list, most
end

-- ---- the problem ------------------------------------------------------------------------------------------------

-- How many steps of which bodies the check computes: as many steps of all as it can afford, or one step of some.
local function affordable(n, steps)
    local which = {}
    for i = 1, n, lab.ceil_div(n * n, PAIRS) do
        which[#which + 1] = i
    end
    return which, math.max(1, math.min(steps, PAIRS // (n * n)))
end

local EPS = { f32 = 2 ^ -23, f64 = 2 ^ -52 }

-- How far rounding may move a position: a sum of n terms is off by n eps of the terms' magnitudes, and by some eps for
-- the distance and the root of each term; a velocity is off by dt times that in each step, a position by dt times a
-- velocity's error.
local function tolerance(n, steps, most, dtype)
    local eps = EPS[dtype]
    local velocity = steps * (DT * (n + 16) * eps * most + eps)
    return 2 * steps * (DT * velocity + 2 * eps)
end

local function problem(task)
    local n = task.size
    task.steps = task.options.steps
    task.list = bodies(n)
    task.title = ("%d bodies, %d steps of 1/%d"):format(n, task.steps, 1 / DT // 1)
    task.work, task.unit = n * n * task.steps, "pair/s"
    task.flops = FLOPS * task.work
    local which, steps = affordable(n, task.steps)
    local expected = {} -- by integrator
    function task.check(result, variant)
        local key = variant.leapfrog or false
        expected[key] = expected[key] or { expect(task.list, which, steps, key) }
        local list, most = table.unpack(expected[key])
        local allowed = tolerance(n, steps, most, variant.dtype)
        local rows = result.rows(steps)
        for _, i in ipairs(which) do
            for axis = 1, 3 do
                local got, wanted = rows[i][axis], list[i][axis]
                if got ~= got or math.abs(got - wanted) > allowed then
                    return false, ("body %d is at %.9g, not %.9g, after step %d"):format(i, got, wanted, steps)
                end
            end
        end
        return true
    end
end

-- ---- variants ---------------------------------------------------------------------------------------------------

local function structures_pack(list)
    local rows = {}
    for i, b in ipairs(list) do
        rows[i] = { b[1], b[2], b[3], 0, b[5], b[6], b[7], 0, b[4], 0, 0, 0 }
    end
    return rows
end

local function structures_unpack(rows)
    local list = {}
    for i, r in ipairs(rows) do
        list[i] = { r[1], r[2], r[3], r[9], r[5], r[6], r[7] }
    end
    return list
end

local function turn(rows)
    local out = {}
    for j = 1, #rows[1] do
        out[j] = {}
        for i = 1, #rows do
            out[j][i] = rows[i][j]
        end
    end
    return out
end

local STRUCTURES = { pack = structures_pack, unpack = structures_unpack }
local ARRAYS = { pack = turn, unpack = turn }

-- A variant that runs one kernel once a step, from one copy of the bodies to the other and back. Its result has a
-- function `rows` that reads the bodies, after all steps or after fewer.
local function variant(name, kernel_name, layout, dtype, group)
    return {
        name = name, dtype = dtype,
        prepare = function(task)
            local device = task.device
            if dtype == "f64" and not device:info().fp64 then
                lab.cannot "it has no double precision"
            end
            local kernel = task:kernel(kernel_name, { BLOCK = group, DOUBLE = dtype == "f64" and 1 or nil })
            lab.fit(kernel, group)
            local start = device:array(layout.pack(task.list), dtype)
            local a, b = start:copy(), start:copy()
            local run = { global = task.size, group = group, pad = true }
            local function advance(steps, lap)
                start:copy { out = a }
                local from, to = a, b
                for _ = 1, steps do
                    if lap then
                        lap:run(kernel, run, from, to, task.size, DT, SOFTENING)
                    else
                        kernel:run(run, from, to, task.size, DT, SOFTENING)
                    end
                    from, to = to, from
                end
                return from
            end
            return function(lap)
                local last = advance(task.steps, lap)
                return {
                    rows = function(steps)
                        return layout.unpack((steps and advance(steps) or last):totable())
                    end,
                }
            end
        end,
    }
end

-- The two arrays that the library wants.
local function positions_and_velocities(device, list, dtype)
    local pos, vel = {}, {}
    for i, b in ipairs(list) do
        pos[i], vel[i] = { b[1], b[2], b[3], b[4] }, { b[5], b[6], b[7], 0 }
    end
    return device:array(pos, dtype), device:array(vel, dtype)
end

local function library(name, integrator)
    return {
        name = name, dtype = "f32", leapfrog = integrator == "leapfrog",
        prepare = function(task)
            local first_pos, first_vel = positions_and_velocities(task.device, task.list, "f32")
            local pos, vel = first_pos:copy(), first_vel:copy()
            local function advance(steps)
                first_pos:copy { out = pos }
                first_vel:copy { out = vel }
                return pos:nbody(vel, {
                    dt = DT, steps = steps, softening = SOFTENING, integrator = integrator, async = true,
                })
            end
            return function(lap)
                lap:add(advance(task.steps))
                return {
                    rows = function(steps)
                        if steps then
                            advance(steps)
                        end
                        local list, speeds = pos:totable(), vel:totable()
                        for i, b in ipairs(list) do
                            table.move(speeds[i], 1, 3, 5, b)
                        end
                        return list
                    end,
                }
            end
        end,
    }
end

-- ---- what Newton keeps ------------------------------------------------------------------------------------------

-- Kinetic and potential energy together, in double precision where the device has it.
local function energy(task, list)
    local pos, vel = positions_and_velocities(task.device, list, task.device:info().fp64 and "f64" or "f32")
    local kinetic, potential = pos:energy(vel, { softening = SOFTENING })
    return kinetic + potential
end

local function energy_drift(row, task)
    task.energy = task.energy or energy(task, task.list)
    return ("%.1e"):format(energy(task, row.result.rows()) / task.energy - 1)
end

-- The sum of mass times velocity along each axis, and of the magnitudes of its terms.
local function momentum(list)
    local sum, size = { 0, 0, 0 }, 0
    for _, b in ipairs(list) do
        for axis = 1, 3 do
            local p = b[4] * b[axis + 4]
            sum[axis], size = sum[axis] + p, size + math.abs(p)
        end
    end
    return sum, size
end

local function momentum_drift(row, task)
    local first, size = momentum(task.list)
    local last = momentum(row.result.rows())
    local square = 0
    for axis = 1, 3 do
        square = square + (last[axis] - first[axis]) ^ 2
    end
    return ("%.1e"):format(math.sqrt(square) / size)
end

return lab.script {
    name = "nbody",
    about = "Gravity between all pairs of bodies: array of structures, structure of arrays, tiles in local memory.",
    file = "nbody.cl",
    size = { small = 300, cpu = 1000, gpu = 32768 },
    size_help = "bodies",
    limit = { 1 << 20, "the bodies are made, and looked at, in Lua" },
    options = {
        { name = "steps", value = "N", default = 20, integer = true, min = 1, help = "time steps" },
    },
    awkward = {
        { size = 1 }, { size = 2, steps = 3 }, { size = GROUP - 1, steps = 3 }, { size = GROUP, steps = 2 },
        { size = GROUP + 1, steps = 3 }, { size = 255, steps = 1 }, { size = 257, steps = 2 },
    },
    problem = problem,
    columns = { { "energy drift", energy_drift }, { "momentum drift", momentum_drift } },
    variants = {
        variant("array of structures, double3", "nbody_double3", STRUCTURES, "f64", GROUP),
        variant("array of structures, float3", "nbody_float3", STRUCTURES, "f32", GROUP),
        variant("structure of arrays", "nbody_arrays", ARRAYS, "f32", GROUP),
        variant("... tiles of 64 bodies", "nbody_tiles", ARRAYS, "f32", 64),
        variant("... tiles of 256 bodies", "nbody_tiles", ARRAYS, "f32", 256),
        library("library, Euler", "euler"),
        library("library, leapfrog", "leapfrog"),
    },
}
