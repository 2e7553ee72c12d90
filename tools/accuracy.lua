-- Prints a table of the worst errors of the elementwise functions in f32, in units of the last place, on a device:
-- lua5.4 tools/accuracy.lua [device]. The reference is the same function of the same numbers in f64 on that device,
-- whose
-- own error is a millionth of such a unit; so the device has to have f64.

local lun = require "lunarray"

local dev = lun.device(arg and arg[1])
local COUNT = 1 << 22

-- name, range of the operand, and OpenCL's own bound in f32 (0.5: rounded correctly).
local FUNCTIONS = {
    { "sqrt", 0, 1e6, 3 }, { "rsqrt", 1e-6, 1e6, 2 }, { "cbrt", -1e6, 1e6, 2 }, { "recip", 1e-3, 1e3, 2.5 },
    { "exp", -80, 80, 3 }, { "exp2", -120, 120, 3 }, { "exp10", -37, 37, 3 }, { "expm1", -1, 80, 3 },
    { "log", 1e-6, 1e6, 3 }, { "log2", 1e-6, 1e6, 3 }, { "log10", 1e-6, 1e6, 3 }, { "log1p", -0.9, 100, 2 },
    { "sin", -100, 100, 4 }, { "cos", -100, 100, 4 }, { "tan", -100, 100, 5 }, { "asin", -1, 1, 4 },
    { "acos", -1, 1, 4 }, { "atan", -100, 100, 5 }, { "sinh", -80, 80, 4 }, { "cosh", -80, 80, 4 },
    { "tanh", -9, 9, 5 }, { "asinh", -1e6, 1e6, 4 }, { "acosh", 1, 1e6, 4 }, { "atanh", -0.99, 0.99, 5 },
    { "sinpi", -100, 100, 4 }, { "cospi", -100, 100, 4 }, { "erf", -4, 4, 16 }, { "erfc", -3, 9, 16 },
    { "tgamma", 0.1, 30, 16 },
}

local ulps = lun.fuse(function(got, exact)
    local unit = ((exact:abs():maximum(2.0 ^ -126)):log2():floor() - 23):exp2()
    return ((got:cast "f64" - exact):abs() / unit):max()
end)

print(("Worst errors on %s:\n\n| function | from | to | ulp | OpenCL allows |\n|---|---|---|---|---|")
    :format(dev:info().name))
for _, row in ipairs(FUNCTIONS) do
    local name, low, high, bound = table.unpack(row)
    local x <close> = dev:random({ COUNT }, { seed = 1, low = low, high = high })
    local got <close> = x[name](x)
    local wide <close> = x:cast "f64"
    local exact <close> = wide[name](wide)
    print(("| `%s` | %g | %g | %.2f | %g |"):format(name, low, high, ulps(got, exact), bound))
end
