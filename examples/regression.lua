-- Linear regression by gradient descent: coefficients that are known come back from noisy data.
--
--     lua5.4 examples/regression.lua --rows 1000000 --noise 0.5

local script = require "lunarray.script"

local OPTIONS = {
    name = "regression",
    about = "Least squares by gradient descent, in f32.",
    { name = "rows", value = "N", default = 100000, integer = true, min = 10, help = "observations" },
    { name = "noise", value = "SIGMA", default = 0.1, min = 0, help = "standard deviation of what the model leaves" },
    { name = "steps", value = "N", default = 60, integer = true, min = 1, help = "steps of gradient descent" },
    { name = "seed", value = "N", default = 1, integer = true, help = "seed of the random data" },
    { name = "device", value = "NAME", help = "device: gpu, cpu, a part of its name, or its number" },
}

local KNOWN = { 3, -2, 0.5, 0, 1.25 } -- of four features, and the intercept
local RATE = 0.5 -- length of a step along the gradient; features of variance 1 bear it

-- Observations: a column for each feature, a column of ones for the intercept, and the answers.
local function observe(dev, options)
    local n, features = options.rows, #KNOWN
    local X = dev:normal({ n, features }, { seed = options.seed })
    X:col(features):fill(1)
    local y = X:matmul(dev:array(KNOWN)) + dev:normal({ n }, { std = options.noise, seed = options.seed + 1 })
    return X, y
end

local function main()
    local options = script.options(arg, OPTIONS)
    local n = options.rows
    local dev = script.device(OPTIONS.name, options.device)
    local X, y = observe(dev, options)
    local w = dev:zeros { #KNOWN }
    for step = 1, options.steps do
        local residual = X:matmul(w) - y
        w:sub_(X:t():matmul(residual) * (RATE / n)) -- half the gradient of the mean square is X^T residual / n
        if step == 1 or step % 10 == 0 then
            print(("step %3d: root mean square of the residual %.6f"):format(step, (residual:sumsq() / n) ^ 0.5))
        end
    end
    for i, found in ipairs(w:totable()) do
        print(("coefficient %d: %9.5f, was %5.2f"):format(i, found, KNOWN[i]))
    end
    print(("standard error: about %.1e"):format(options.noise / n ^ 0.5))
end

script.run(OPTIONS.name, main)
