-- Least squares and ridge regression: a polynomial through noisy points, calm where its coefficients have a penalty.
--
--     lua5.4 examples/least_squares.lua --points 40 --degree 12 --noise 0.3

local script = require "lunarray.script"

local OPTIONS = {
    name = "least_squares",
    about = "Polynomials by least squares, without and with a penalty on their coefficients.",
    { name = "points", value = "N", default = 30, integer = true, min = 2, help = "where the curve is measured" },
    { name = "degree", value = "N", default = 11, integer = true, min = 1, help = "of the polynomial" },
    { name = "noise", value = "SIGMA", default = 0.2, min = 0, help = "standard deviation of a measurement" },
    { name = "seed", value = "N", default = 1, integer = true, help = "seed of the noise" },
    { name = "device", value = "NAME", help = "device: gpu, cpu, a part of its name, or its number" },
}

-- 1, x, x^2 ... for each x: a column for each power.
local function powers(x, degree)
    return x:expand(2) ^ x:device():arange(0, degree, { dtype = x:dtype() })
end

local function root_mean_square(x)
    return x:norm() / math.sqrt(x:size())
end

-- What minimises |A c - b|^2 + penalty^2 |c|^2, for each of the penalties, as one batch: rows that ask the coefficients
-- to be 0 stand below those of the measurements.
local function ridge(A, b, penalties)
    local dev, dtype, count = A:device(), A:dtype(), #penalties
    local points, columns = A:shape()
    local stacked = dev:zeros({ count, points + columns, columns }, dtype)
    local right = dev:zeros({ points + columns }, dtype)
    stacked:slice({}, { 1, points }):write(A:expand(1):broadcast(count, points, columns))
    for i, penalty in ipairs(penalties) do
        stacked:row(i):slice({ points + 1, points + columns }):write(dev:eye(columns, { dtype = dtype }) * penalty)
    end
    right:slice({ 1, points }):write(b)
    return (stacked:lstsq(right))
end

local function main()
    local options = script.options(arg, OPTIONS)
    local dev = script.device(OPTIONS.name, options.device)
    local dtype = dev:info().fp64 and "f64" or "f32"
    local function truth(x) return (x * math.pi):sin() end
    local x = dev:linspace(-1, 1, options.points, { dtype = dtype })
    local y = truth(x) + dev:normal({ options.points }, { std = options.noise, seed = options.seed, dtype = dtype })
    local between = dev:linspace(-1, 1, 500, { dtype = dtype })
    local A, dense = powers(x, options.degree), powers(between, options.degree)

    local c, report = A:lstsq(y)
    print(("%d points, degree %d: rank %d, the squares of what is left add up to %.6g"):format(options.points,
        options.degree, report.rank, report.residuals))
    print "penalty   length of the coefficients   off the points   off the truth"
    local function show(penalty, coefficients)
        print(("%7g   %26.4f   %14.4f   %13.4f"):format(penalty, coefficients:norm(),
            root_mean_square(A:matmul(coefficients) - y),
            root_mean_square(dense:matmul(coefficients) - truth(between))))
    end
    show(0, c)
    local penalties = { 1e-3, 1e-2, 0.1, 0.3, 1, 3 }
    local all = ridge(A, y, penalties)
    for i, penalty in ipairs(penalties) do
        show(penalty, all:row(i))
    end
end

script.run(OPTIONS.name, main)
