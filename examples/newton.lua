-- Newton's method in the complex plane: which root of z^n = 1 each number of a square comes to.
--
--     lua5.4 examples/newton.lua --power 5 --size 400

local lun = require "lunarray"
local plot = require "lunarray.plot"
local script = require "lunarray.script"

local OPTIONS = {
    name = "newton",
    about = "Newton's method for z^n = 1 on a square of the complex plane: which root each number comes to.",
    { name = "power", value = "N", default = 3, integer = true, min = 2, max = 9,
        help = "the exponent, and so many roots" },
    { name = "size", value = "N", default = 256, integer = true, min = 4, max = 4096, help = "numbers on a side" },
    { name = "steps", value = "N", default = 60, integer = true, min = 1, help = "steps of Newton's method" },
    { name = "device", value = "NAME", help = "device: gpu, cpu, a part of its name, or its number" },
}

-- The square from -1.5 - 1.5i to 1.5 + 1.5i, none of whose numbers is 0, where the step divides by 0.
local function plane(dev, n)
    local half = 1.5 * (n - 1) / n
    local axis = dev:linspace(-half, half, n) + (n % 2 == 1 and 1e-3 or 0)
    return lun.complex(axis, axis:flip():reshape(n, 1)) -- the first row on top
end

local function main()
    local options = script.options(arg, OPTIONS)
    local n, power, dev = options.size, options.power, script.device(OPTIONS.name, options.device)
    local step = lun.fuse(function(z) -- one kernel: z - (z^n - 1) / (n z^(n-1))
        return z - (z ^ power - 1) / (power * z ^ (power - 1))
    end)
    local z = plane(dev, n)
    for _ = 1, options.steps do
        z = step(z, { out = z })
    end
    -- a root's place on the circle, from 0 at 1 on
    local turn = (z:angle() * (power / (2 * math.pi))):round()
    local root = (turn % power):cast "i32"
    local arrived = (z ^ power - 1):abs():lt(1e-3)
    local rows = math.min(n, 24)
    local picture = plot.shades(arrived:where(root + 1, 0):totable(), 2 * rows, rows)
    print(plot.beside({ picture }, { ("the roots of z^%d = 1, from -1.5 + 1.5i to 1.5 - 1.5i"):format(power) }))
    local counts = root:reshape(n * n):bincount { from = 0, size = power }
    for k = 1, power do
        local angle = 2 * math.pi * (k - 1) / power
        print(("%5.1f %% come to exp(%.3fi)"):format(100 * counts:get(k) / (n * n), angle))
    end
    local share = 100 * arrived:sum() / (n * n)
    print(("%.1f %% are within 0.001 of their root after %d steps"):format(share, options.steps))
end

script.run(OPTIONS.name, main)
