-- Random draws that consist of others: parameters that are arrays, and distributions without a kernel of their own.

local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"
local rejection = require "lunarray.rejection"

-- ---- parameters ---------------------------------------------------------------------------------

-- What a parameter may be: the words for messages, and which elements of an array are so.
local function finite(x) return x:isfinite() end
local ANY = { "a finite number", finite }
local FROM_0 = { "a finite number from 0", function(x) return finite(x):land(x:ge(0)) end }
local ABOVE_0 = { "a finite number above 0", function(x) return finite(x):land(x:gt(0)) end }
local SHARE = { "a number from 0 to 1", function(x) return x:ge(0):land(x:le(1)) end }
local CHANCE = { "a number above 0, at most 1", function(x) return x:gt(0):land(x:le(1)) end }
local COUNT = { "a whole number from 0", function(x) return finite(x):land(x:ge(0)):land(x:floor():eq(x)) end }
local WHOLE = { "a whole number", function(x) return finite(x):land(x:floor():eq(x)) end }

-- The parameter as an array of the dtype that broadcasts to the shape. Of an array that is checked, the call waits.
local function read(draw, name, what, given)
    local value = given
    if math.type(given) then
        value = draw.device:full({}, given, draw.taken)
    elseif core.type(given) ~= "array" then
        misuse.raise(draw.name, "option '%s': a number or an array is needed, got %s", name, misuse.kind_of(given))
    end
    misuse.check_array(draw.name, "option '" .. name .. "'", value)
    if value:device() ~= draw.device then
        misuse.raise(draw.name, "option '%s': the array is on another device", name)
    elseif value:dtype():find "^c" then
        misuse.raise(draw.name, "option '%s': real numbers are needed, got %s", name, value:dtype())
    end
    value = value:cast(draw.taken)
    local good = what[2](value)
    if value:size() > 0 and not good:all() then
        local bad = value:flatten():get(good:flatten():argmin())
        misuse.raise(draw.name, "option '%s': %s is needed, got %s", name, what[1], misuse.text("%s", bad))
    end
    local ok = pcall(value.broadcast, value, draw.shape)
    if not ok then
        misuse.raise(draw.name, "option '%s': its shape %s does not broadcast to %s", name, misuse.shape_of(value),
            #draw.shape == 0 and "()" or table.concat(draw.shape, "x"))
    end
    return value
end

-- ---- methods that the draws call ---------------------------------------------------------------------------------

local raw = {}
for _, name in ipairs { "uniform", "normal", "exponential", "integers", "poisson", "binomial" } do
    raw[name] = core._method(name, function() end, "rng")
end

local function standard(draw, name)
    return core._named(draw.name, raw[name])(draw.rng, draw.shape, draw.computed)
end

-- Rounds of fresh draws until each element is accepted; waits for each.
local function rejected(draw, round, ...)
    local first = round == rejection.gamma_round and "normal" or "uniform"
    local done, value = draw.device:zeros(draw.shape, "bool"), draw.device:zeros(draw.shape, draw.computed)
    repeat
        done, value = round(done, value, standard(draw, first), standard(draw, "uniform"), ...)
    until done:all()
    return value
end

local function broadcast(draw, ...)
    local list = { ... }
    for i, each in ipairs(list) do
        list[i] = each:broadcast(draw.shape):contiguous()
    end
    return table.unpack(list)
end

-- A whole count of terms that reach beyond all sums of small means.
local function terms(mean)
    local most = mean:max()
    return math.ceil(most + 10 * math.sqrt(most) + 15)
end

local function gamma(draw, alpha)
    local shape = broadcast(draw, alpha)
    local small = shape:lt(1)
    local value = rejected(draw, rejection.gamma_round, small:where(shape + 1, shape) - 1 / 3)
    if small:any() then -- by a uniform number, which is 0 nowhere
        local u = (standard(draw, "uniform") - 1):neg()
        value = small:where(value * u:pow(shape:recip()), value)
    end
    return value
end

local function poisson(draw, mean)
    mean = broadcast(draw, mean)
    local large = mean:ge(10)
    local below = large:where(0, mean)
    local sum, u = below:neg():exp(), standard(draw, "uniform")
    local term, value = sum, draw.device:zeros(draw.shape, draw.computed)
    for i = 1, terms(below) do
        sum, term, value = rejection.poisson_term(sum, term, value, u, below, i + 0.0)
    end
    if large:any() then
        value = large:where(rejected(draw, rejection.poisson_round, mean:maximum(10)), value)
    end
    return value
end

local function binomial(draw, n, p)
    n, p = broadcast(draw, n, p)
    local flip = p:gt(0.5)
    local q = flip:where(1 - p, p)
    local large = (n * q):ge(10)
    local small = large:where(0, q)
    local sum, u = (n * small:neg():log1p()):exp(), standard(draw, "uniform")
    local term, value = sum, draw.device:zeros(draw.shape, draw.computed)
    for i = 1, terms(n * small) do
        sum, term, value = rejection.binomial_term(sum, term, value, u, n, small, i + 0.0)
    end
    value = value:minimum(n)
    if large:any() then
        local trials, chance = large:where(n, 20), large:where(q, 0.5)
        local counts = rejected(draw, rejection.binomial_round, trials, chance)
        value = large:where(counts, value)
    end
    return flip:where(n - value, value)
end

-- ---- the distributions ---------------------------------------------------------------------------------

-- name = { parameters as { name, what it may be, default }, whole = gives integers, make = function(draw, ...) }
local distributions = {
    uniform = { { "low", ANY, 0 }, { "high", ANY, 1 }, make = function(draw, low, high)
        if not high:gt(low):all() then
            misuse.raise(draw.name, "each low must be less than its high")
        end
        return (standard(draw, "uniform") * (high - low) + low):minimum(high:nextafter(low))
    end },
    normal = { { "mean", ANY, 0 }, { "std", FROM_0, 1 }, make = function(draw, mean, std)
        return standard(draw, "normal") * std + mean
    end },
    exponential = { { "scale", FROM_0, 1 }, make = function(draw, scale)
        return standard(draw, "exponential") * scale
    end },
    integers = { { "low", WHOLE, 1 }, { "high", WHOLE }, whole = true, exact = true, make = function(draw, low, high)
        if not high:ge(low):all() then
            misuse.raise(draw.name, "no low may be greater than its high")
        end
        local range = high - low + 1
        if not range:gt(0):all() then
            misuse.raise(draw.name, "a range from low to high has more than 2^63 - 1 numbers")
        end
        -- A remainder favours none by more than range / 2^63.
        return raw.integers(draw.rng, draw.shape, 0, math.maxinteger) % range + low
    end },
    poisson = { { "lambda", FROM_0, 1 }, whole = true, make = poisson },
    binomial = { { "n", COUNT }, { "p", SHARE }, whole = true, make = binomial },
    lognormal = { { "mean", ANY, 0 }, { "std", FROM_0, 1 }, make = function(draw, mean, std)
        return (standard(draw, "normal") * std + mean):exp()
    end },
    laplace = { { "location", ANY, 0 }, { "scale", FROM_0, 1 }, make = function(draw, location, scale)
        return (standard(draw, "exponential") - standard(draw, "exponential")) * scale + location
    end },
    cauchy = { { "location", ANY, 0 }, { "scale", FROM_0, 1 }, make = function(draw, location, scale)
        local turn = standard(draw, "uniform"):maximum(2.0 ^ -54) - 0.5
        return turn:sinpi() / turn:cospi() * scale + location
    end },
    geometric = { { "p", CHANCE }, whole = true, make = function(draw, p)
        return (standard(draw, "exponential") / p:neg():log1p():neg()):floor() + 1
    end },
    gamma = { { "alpha", ABOVE_0 }, { "scale", FROM_0, 1 }, make = function(draw, alpha, scale)
        return gamma(draw, alpha) * scale
    end },
    chisquare = { { "df", ABOVE_0 }, make = function(draw, df)
        return gamma(draw, df * 0.5) * 2
    end },
    beta = { { "a", ABOVE_0 }, { "b", ABOVE_0 }, make = function(draw, a, b)
        local x = gamma(draw, a)
        return x / (x + gamma(draw, b))
    end },
}

local function refuse_self(name, rng)
    misuse.raise(name, "self: a random stream is needed, got %s; is it called with a colon?", misuse.kind_of(rng))
end

-- ---- calls ---------------------------------------------------------------------------------

-- The shape, the dtype or nil, and the other options of rng:name(shape [, dtype] [, options]).
local function read_call(name, shape, dtype, options, ...)
    local given, sizes = {}, math.type(shape) and { shape } or shape
    if not misuse.is_table(sizes) then
        misuse.raise(name, "argument 1: a whole number or a list of sizes is needed, got %s", misuse.kind_of(shape))
    end
    if type(dtype) ~= "string" and options == nil then
        dtype, options = nil, dtype
    end
    misuse.check_end(name, 3, ...)
    if options ~= nil and not misuse.is_table(options) or dtype ~= nil and type(dtype) ~= "string" then
        misuse.raise(name, "a dtype (a string) and a table of options are needed behind the shape")
    end
    local plain = {}
    for key, value in pairs(sizes) do
        if type(key) == "string" then
            given[key] = value
        else
            plain[key] = value
        end
    end
    for key, value in pairs(options or {}) do
        given[key] = value
    end
    if dtype and given.dtype then
        misuse.raise(name, "the dtype is given twice: \"%s\" and the option \"%s\"", dtype, tostring(given.dtype))
    end
    given.dtype = dtype or given.dtype
    return plain, given
end

local function check_known(name, row, given)
    local known = {}
    for i, parameter in ipairs(row) do
        known[i] = parameter[1]
    end
    known[#known + 1] = "dtype"
    misuse.check_options(name, 3, given, known)
end

-- A draw: what its distribution computes from its parameters, in the dtype that is named.
local function give(rng, name, row, shape, given)
    local device = rng:device()
    local wide = device:info().fp64 and "f64" or "f32"
    local draw = { rng = rng, name = name, device = device, shape = shape, computed = wide,
        taken = row.exact and "i64" or wide }
    check_known(name, row, given)
    local empty <close> = core._named(name, device.empty)(device, shape,
        { dtype = given.dtype or row.whole and "i64" or nil })
    local whole = core.dtypes()[empty:dtype()].whole
    if row.whole ~= (whole or nil) then
        misuse.raise(name, "the numbers are %s, and %s is a dtype of %s", row.whole and "integers" or "floats",
            empty:dtype(), row.whole and "floats" or "integers")
    end
    local list = {}
    for i, parameter in ipairs(row) do
        local value = given[parameter[1]]
        if value == nil then
            value = parameter[3]
        end
        if value == nil then
            misuse.raise(name, "the option %s is missing", parameter[1])
        end
        list[i] = read(draw, parameter[1], parameter[2], value)
    end
    if empty:size() == 0 then
        return device:empty(shape, empty:dtype())
    end
    return row.make(draw, table.unpack(list)):cast(empty:dtype())
end

local function has_arrays(row, ...)
    for _, options in ipairs { ... } do
        for _, parameter in ipairs(misuse.is_table(options) and row or {}) do
            if core.type(rawget(options, parameter[1])) == "array" then
                return true
            end
        end
    end
    return false
end

for name, row in pairs(distributions) do
    local plain = raw[name]
    core._method(name, function(rng, ...)
        if plain and not has_arrays(row, ...) then
            return core._named(name, plain)(rng, ...)
        elseif core.type(rng) ~= "rng" then
            refuse_self(name, rng)
        end
        return give(rng, name, row, read_call(name, ...))
    end, "rng")
end

-- ---- several numbers a draw ---------------------------------------------------------------------------------

local function check_stream(name, rng)
    if core.type(rng) ~= "rng" then
        refuse_self(name, rng)
    end
end

-- A list or an array of so many axes, of a device, in the dtype that draws are computed in.
local function tensor(name, option, value, device, axes)
    if misuse.is_table(value) then
        value = core._named(name, device.array)(device, value, device:info().fp64 and "f64" or "f32")
    end
    misuse.check_array(name, "option '" .. option .. "'", value)
    if value:ndim() ~= axes then
        misuse.raise(name, "option '%s': an array of %d axes is needed, got one of %d", option, axes, value:ndim())
    end
    return value:cast(device:info().fp64 and "f64" or "f32")
end

local function with_axis(shape, count)
    local all = table.move(shape, 1, #shape, 1, {})
    all[#all + 1] = count
    return all
end

-- Counts of k outcomes in a further last axis: one after the other, as binomial counts of the trials that are left.
core._method("multinomial", function(rng, ...)
    check_stream("multinomial", rng)
    local shape, given = read_call("multinomial", ...)
    local row = { { "n" }, { "p" } }
    check_known("multinomial", row, given)
    local device = rng:device()
    local p = tensor("multinomial", "p", given.p, device, 1):totable()
    local sum, counts, rest = 0, {}, 1
    for _, each in ipairs(p) do
        sum = sum + each
        if each ~= each or each < 0 then
            misuse.raise("multinomial", "option 'p': numbers from 0 are needed, got %s", misuse.text("%s", each))
        end
    end
    if math.abs(sum - 1) > 1e-6 then
        misuse.raise("multinomial", "option 'p': the sum is %s; it must be 1", misuse.text("%.9g", sum))
    end
    local left = give(rng, "multinomial", { { "n", COUNT }, whole = true, make = function(draw, n)
        return broadcast(draw, n)
    end }, shape, { n = given.n })
    for k = 1, #p do
        local last = k == #p
        counts[k] = last and left or give(rng, "multinomial", distributions.binomial, shape,
            { n = left, p = rest > 0 and math.min(p[k] / rest, 1) or 0 })
        left, rest = last and left or left - counts[k], rest - p[k]
    end
    return core.stack(counts, #shape + 1):cast(given.dtype or "i64")
end, "rng")

-- Normal numbers times the Cholesky factor of the covariances.
core._method("multivariate_normal", function(rng, ...)
    local name = "multivariate_normal"
    check_stream(name, rng)
    local shape, given = read_call(name, ...)
    check_known(name, { { "mean" }, { "cov" } }, given)
    local device = rng:device()
    local mean, cov = tensor(name, "mean", given.mean, device, 1), tensor(name, "cov", given.cov, device, 2)
    local rows, columns = cov:shape()
    if rows ~= #mean or columns ~= #mean then
        misuse.raise(name, "option 'cov': %dx%d is needed, for a mean of %d, got %s", #mean, #mean, #mean,
            misuse.shape_of(cov))
    end
    local factor = core._named(name, cov.cholesky)(cov)
    local z = core._named(name, raw.normal)(rng, with_axis(shape, #mean), cov:dtype())
    return (z:reshape(-1, #mean):matmul(factor:t()) + mean):reshape(with_axis(shape, #mean))
        :cast(given.dtype or device:default_dtype())
end, "rng")

-- The rows of an array in a random order, in place.
core._method("shuffle", function(rng, a, ...)
    check_stream("shuffle", rng)
    misuse.check_array("shuffle", "argument 1", a)
    misuse.check_end("shuffle", 1, ...)
    return a:write(core._named("shuffle", rng.permutation)(rng, a))
end, "rng")
