-- What lun.prepare runs: for each job a name, and a function of a device and a dtype. Shapes are those at which other
-- kernels are launched: few numbers and many, rows and columns, and what works in place.

local lun = require "lunarray.core"

local FUNCTIONS = { "abs", "neg", "sqrt", "square", "exp", "expm1", "log", "log1p", "log2", "log10", "sin", "cos",
    "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "sigmoid", "floor", "ceil", "round", "trunc", "sign",
    "recip", "isnan", "isfinite" }
local OF_TWO = { "add", "sub", "mul", "div", "pow", "minimum", "maximum", "atan2", "hypot", "mod", "gt", "ge", "lt",
    "le", "eq", "ne" }
local REDUCTIONS = { "sum", "prod", "min", "max", "mean", "var", "std", "norm", "argmin", "argmax", "any", "all" }
local SCANS = { "cumsum", "cumprod", "cummax", "cummin" }

local jobs = {}

local function job(name, run)
    jobs[#jobs + 1] = { name = name, run = run }
end

local function numbers(dev, dtype, ...)
    return dev:random({ ... }, { dtype = dtype, seed = 1 })
end

-- A matrix that has an inverse, and eigenvalues of its own.
local function square(dev, dtype, n)
    local a = numbers(dev, dtype, n, n)
    return a + a:t() + dev:eye(n, dtype) * n
end

local SIZES = { 10, 1000, 100000 }

for _, name in ipairs(FUNCTIONS) do
    job(name, function(dev, dtype)
        for _, n in ipairs(SIZES) do
            local x = numbers(dev, dtype, n)
            x[name](x)
        end
        local m = numbers(dev, dtype, 30, 20)
        m[name](m:t())
    end)
end

for _, name in ipairs(OF_TWO) do
    job(name, function(dev, dtype)
        for _, n in ipairs(SIZES) do
            local x, m = numbers(dev, dtype, n), numbers(dev, dtype, n // 10, 10)
            local f = x[name]
            f(x, x:copy())
            f(x, 2)
            f(m, numbers(dev, dtype, 10))
            f(m, numbers(dev, dtype, n // 10, 1))
        end
    end)
end

job("operators", function(dev, dtype)
    for _, n in ipairs(SIZES) do
        local x = numbers(dev, dtype, n)
        assert(2 - x and 2 / x and 2 * x and x ^ 2 and x ^ 0.5 and x:gt(0.5):lnot())
        x:add_(1):mul_(2):add_(x:copy()):sub_(x:copy())
    end
end)

for _, name in ipairs(REDUCTIONS) do
    job(name, function(dev, dtype)
        for _, n in ipairs(SIZES) do
            local x, m = numbers(dev, dtype, n), numbers(dev, dtype, n // 10, 10)
            x[name](x)
            x[name](m)
            x[name](m, { axis = 1 })
            x[name](m, { axis = 2 })
            x[name](m:t(), { axis = 1 })
        end
        local wide = numbers(dev, dtype, 10, 10000)
        wide[name](wide, { axis = 2 })
    end)
end

for _, name in ipairs(SCANS) do
    job(name, function(dev, dtype)
        for _, n in ipairs(SIZES) do
            local x, m = numbers(dev, dtype, n), numbers(dev, dtype, n // 10, 10)
            x[name](x)
            x[name](m, { axis = 1 })
            x[name](m, { axis = 2 })
        end
    end)
end

job("sort", function(dev, dtype)
    for _, n in ipairs(SIZES) do
        local x, m = numbers(dev, dtype, n), numbers(dev, dtype, n // 10, 10)
        x:sort()
        x:argsort()
        m:sort { axis = 2 }
        x:median()
        x:unique()
    end
end)

job("copy", function(dev, dtype)
    for _, n in ipairs(SIZES) do
        local x, m = numbers(dev, dtype, n), numbers(dev, dtype, n // 10, 10)
        x:copy()
        m:t():copy()
        m:transpose()
        x:slice({ 1, n // 2 }):copy()
        x:slice({ 1, n, 2 }):copy()
        x:cast(dtype == "f32" and "f64" or "f32")
        x:cast "i32"
        x:cast("i64"):cast(dtype)
        dev:zeros({ n }, dtype):fill(1)
        lun.concat { x, x }
        x:flip()
        x:roll(3)
    end
end)

job("take", function(dev, dtype)
    for _, n in ipairs(SIZES) do
        local x, m = numbers(dev, dtype, n), numbers(dev, dtype, n // 10, 10)
        local index, mask = dev:arange(n // 2), x:gt(0.5)
        x:take(index)
        m:take(dev:arange(n // 20 + 1), { axis = 1 })
        x:put(index, 1)
        x:mask(mask)
        mask:nonzero()
        mask:count()
        mask:where(x, 0)
        x:add_at(index, 1)
    end
end)

job("make", function(dev, dtype)
    for _, n in ipairs(SIZES) do
        dev:arange(n)
        dev:arange(0, n, 1, dtype)
        dev:linspace(0, 1, n, dtype)
        dev:full({ n }, 2, dtype)
        dev:eye(math.min(n, 1000), dtype)
        dev:random({ n }, { dtype = dtype, seed = 1 })
        dev:normal({ n }, { dtype = dtype, seed = 1 })
        local stream = dev:rng(1)
        stream:integers({ n }, 1, 6)
        stream:permutation(n)
    end
end)

job("matmul", function(dev, dtype)
    for _, n in ipairs { 4, 30, 100, 300, 600 } do
        local a, x = numbers(dev, dtype, n, n), numbers(dev, dtype, n)
        a:matmul(a)
        a:matmul(a:t())
        a:t():matmul(a)
        a:matmul(x)
        a:t():matmul(x)
        x:dot(x)
    end
    local tall = numbers(dev, dtype, 10000, 10)
    tall:t():matmul(tall)
    tall:matmul(numbers(dev, dtype, 10, 10))
    local batch = numbers(dev, dtype, 50, 8, 8)
    batch:matmul(batch)
end)

for _, name in ipairs { "cholesky", "lu", "qr", "svd", "eigh", "eigvalsh", "inv", "det", "pinv" } do
    job(name, function(dev, dtype)
        for _, n in ipairs { 5, 30, 100, 200 } do
            local a = square(dev, dtype, n)
            a[name](a)
        end
    end)
end

for _, name in ipairs { "solve", "lstsq" } do
    job(name, function(dev, dtype)
        for _, n in ipairs { 5, 30, 100, 200 } do
            local a = square(dev, dtype, n)
            a[name](a, numbers(dev, dtype, n))
            a[name](a, numbers(dev, dtype, n, 3))
        end
    end)
end

job("fft", function(dev, dtype)
    for _, n in ipairs { 16, 100, 1000, 1024, 65536 } do
        local x = numbers(dev, dtype, n)
        local z = x:fft()
        z:ifft()
        x:rfft():irfft()
        z:abs()
    end
    local m = numbers(dev, dtype, 64, 64)
    m:fftn():ifftn()
end)

job("nbody", function(dev, dtype)
    for _, n in ipairs { 3, 1000 } do
        local at, moving = numbers(dev, dtype, n, 4), dev:zeros({ n, 4 }, dtype)
        at:nbody(moving, { dt = 1e-3, softening = 0.1 })
    end
end)

job("statistics", function(dev, dtype)
    for _, n in ipairs { 1000, 100000 } do
        local x = numbers(dev, dtype, n)
        x:histogram { bins = 10 }
        x:quantile(0.9)
        x:diff()
        x:softmax()
    end
end)

job("sparse", function(dev, dtype)
    for _, n in ipairs { 100, 1000 } do
        local a = square(dev, dtype, n)
        local s = a:mul(numbers(dev, dtype, n, n):gt(0.9)):add(dev:eye(n, dtype)):sparse()
        s:matmul(numbers(dev, dtype, n))
        s:t():matmul(numbers(dev, dtype, n))
        lun.cg(s, numbers(dev, dtype, n), { steps = 2 })
    end
end)

job("convolve", function(dev, dtype)
    local m = numbers(dev, dtype, 64, 64)
    m:convolve(numbers(dev, dtype, 3, 3), { axis = { 1, 2 }, mode = "same" })
    numbers(dev, dtype, 1000):convolve(numbers(dev, dtype, 5))
end)

return jobs
