-- Words that stand-ins have beside the functions of core: each is a few steps of the fused function.

local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"
local stand_in = require "lunarray.stand_in"
stand_in.own()

local methods, raise = stand_in.methods, stand_in.raise

-- The options of a word: fixed ones.
local function options_of(name, options, known)
    for key in pairs(options or {}) do
        if not known[key] then
            raise("%s: within a fused function there is no option '%s'", name, tostring(key))
        end
    end
    return options or {}
end

-- A stand-in that has what x has, which may be a number, or an array from outside, beside the stand-in a.
local function beside(a, x)
    return stand_in.is_stand_in(x) and x or a:isnan():where(x, x)
end

function methods.isclose(a, b, options)
    local given = options_of("isclose", options, { rtol = true, atol = true, equal_nan = true })
    local y = beside(a, b) * 1.0 -- differences of floats do not wrap
    local near = (a * 1.0 - y):abs():le(y:abs() * (given.rtol or 1e-5) + (given.atol or 1e-8))
    local close = near:land(y:isfinite()):lor(a:eq(b))
    return (given.equal_nan and close:lor(a:isnan():land(y:isnan())) or close)
end

function methods.nan_to_num(a, options)
    local given = options_of("nan_to_num", options, { nan = true, posinf = true, neginf = true })
    if not given.posinf or not given.neginf then
        raise "nan_to_num: the largest number is that of a dtype, which is not known yet: give posinf and neginf"
    end
    local finite = a:eq(math.huge):where(given.posinf, a:eq(-math.huge):where(given.neginf, a))
    return (a:isnan():where(given.nan or 0, finite))
end

function methods.frexp(a)
    local x = a * 1.0
    local e = x:isfinite():land(x):where(x:logb() + 1, 0)
    return x:ldexp(-e), e:cast "i32"
end

function methods.modf(a)
    local x = a * 1.0
    local whole = x:trunc()
    return x:isinf():where(0, x - whole):copysign(x), whole
end

local round = methods.round

function methods.round(a, digits, ...)
    local decimals = misuse.whole(digits)
    if not decimals then
        return (round(a, digits, ...))
    end
    local power = 10.0 ^ math.abs(decimals)
    return (decimals < 0 and (a / power):round() * power or (a * power):round() / power)
end
