-- Kalman's filter over a batch: many tracks at once, each with its own state, covariance and instrument.
--
--     lua5.4 examples/kalman.lua --tracks 100000 --steps 50

local script = require "lunarray.script"

local OPTIONS = {
    name = "kalman",
    about = "Follows many bodies, measured with noise, by Kalman filters in one batch.",
    { name = "tracks", value = "N", default = 100000, integer = true, min = 1, max = 10000000, help = "how many" },
    { name = "steps", value = "N", default = 30, integer = true, min = 1, help = "measurements of each" },
    { name = "jolts", value = "SIGMA", default = 0.1, min = 1e-6, help = "standard deviation of an acceleration" },
    { name = "seed", value = "N", default = 1, integer = true, help = "seed of the motion and of the noise" },
    { name = "device", value = "NAME", help = "device: gpu, cpu, a part of its name, or its number" },
}

-- States are x, y and their speeds, as columns of 4 x 1; places are measured, once in a unit of time.
local MOTION = { { 1, 0, 1, 0 }, { 0, 1, 0, 1 }, { 0, 0, 1, 0 }, { 0, 0, 0, 1 } }
local KICK = { { 0.5, 0 }, { 0, 0.5 }, { 1, 0 }, { 0, 1 } } -- what an acceleration makes of a state
local SEEN = { { 1, 0, 0, 0 }, { 0, 1, 0, 0 } }

-- One step of all filters: the state x and its covariance P, by motion, and then by what was measured.
local function step(f, x, P, measured)
    x = f.motion:matmul(x)
    P = f.motion:matmul(P):matmul(f.motion:t()) + f.unrest
    local shared = f.seen:matmul(P)                     -- 2 x 4: covariances of what is seen with the state
    local S = shared:matmul(f.seen:t()) + f.instruments -- of what will be seen
    local gain = S:solve(shared, { assume = "positive" }):mt()
    x = x + gain:matmul(measured - f.seen:matmul(x))
    P = P - gain:matmul(shared)
    return x, (P + P:mt()) / 2
end

local function main()
    local options = script.options(arg, OPTIONS)
    local dev = script.device(OPTIONS.name, options.device)
    local n, rng = options.tracks, dev:rng(options.seed)
    local spread = rng:uniform({ n, 1, 1 }, { low = 0.5, high = 2 }) -- each has an instrument of its own
    local f = { motion = dev:array(MOTION), seen = dev:array(SEEN), instruments = dev:eye(2) * spread:square() }
    local kick = dev:array(KICK) * options.jolts
    f.unrest = kick:matmul(kick:t())

    local truth = rng:normal { n, 4, 1 } -- as far as is known at the start: 0, with a covariance of 1
    local x, P = dev:zeros { n, 4, 1 }, dev:eye(4):expand(1):broadcast(n, 4, 4):copy()
    local measured
    for _ = 1, options.steps do
        truth = f.motion:matmul(truth) + kick:matmul(rng:normal { n, 2, 1 })
        measured = f.seen:matmul(truth) + rng:normal { n, 2, 1 } * spread
        x, P = step(f, x, P, measured)
    end

    local function off(places)
        return (places - f.seen:matmul(truth)):norm() / math.sqrt(2 * n)
    end
    print(("%d tracks of %d steps"):format(n, options.steps))
    print(("places are off by %.4f as measured, by %.4f as filtered"):format(off(measured), off(f.seen:matmul(x))))
    -- Do the filters know how good they are? Errors in units of their covariance have squares of 4 on the average.
    local left = x - truth
    local squares = left:mt():matmul(P:solve(left, { assume = "positive" }))
    print(("errors by their own covariances: squares of %.4f, where 4 are expected"):format(squares:mean()))
end

script.run(OPTIONS.name, main)
