-- Bodies that several specs of gravity begin with.

local numbers = require "spec.numbers"

local systems = {}

-- n bodies in a cube, none too near another, as flat lists of positions with masses and of velocities; and a softening
-- for each.
function systems.cube(n, name, seed)
    local random = numbers.generator(seed or n)
    local pos, vel, eps = {}, {}, {}
    for i = 1, 4 * n do
        local x = random(-1 << 20, 1 << 20) / (1 << 20)
        pos[i] = numbers.round(i % 4 == 0 and (x + 2) / n or x, name)
        vel[i] = numbers.round(i % 4 == 0 and 0 or random(-1 << 20, 1 << 20) / (1 << 22), name)
    end
    for i = 1, n do
        eps[i] = numbers.round(random(1, 1 << 20) / (1 << 22) + 0.05, name)
    end
    return pos, vel, eps
end

-- Two bodies of eccentricity 0.9, a = G = M = 1, farthest apart: one turn takes 2 pi.
function systems.kepler(dev)
    local far, speed = 1.9, math.sqrt(0.1 / 1.9)
    return dev:array({ { far / 2, 0, 0, 0.5 }, { -far / 2, 0, 0, 0.5 } }, "f64"),
        dev:array({ { 0, speed / 2, 0, 0 }, { 0, -speed / 2, 0, 0 } }, "f64")
end

-- How far they are from where they began, after one turn in options.steps steps, or one.
function systems.closing_error(dev, options)
    local pos, vel = systems.kepler(dev)
    options.dt, options.steps = 2 * math.pi / (options.steps or 1), options.steps or 1
    pos:nbody(vel, options)
    return math.sqrt((pos:get(1, 1) - 0.95) ^ 2 + pos:get(1, 2) ^ 2)
end

-- Masses 3, 4 and 5, at rest.
function systems.pythagorean(dev)
    return dev:array({ { 1, 3, 0, 3 }, { -2, -1, 0, 4 }, { 1, -1, 0, 5 } }, "f64"), dev:zeros({ 3, 4 }, "f64")
end

return systems
