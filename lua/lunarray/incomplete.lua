-- Incomplete factors, A:ilu() and A:ichol(): triangles computed by core, which solve one after the other.

local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"

local raise, kind_of = misuse.raise, misuse.kind_of

local methods = {}
local class = { __name = "lunarray.incomplete", __kind = "incomplete factors", __index = function(_, key)
    return methods[key] or raise(tostring(key), "incomplete factors have solve and release")
end }

local function inner_of(factors, name)
    if type(factors) ~= "table" or getmetatable(factors) ~= class then
        raise(name, "self: incomplete factors are needed, got %s; is it called with a colon?", kind_of(factors))
    end
    return rawget(factors, "_inner") or raise(name, "the factors were released")
end

-- Solves with the factors: with l, then with u.
function methods:solve(b, options, ...)
    local factors = inner_of(self, "solve")
    misuse.check_array("solve", "argument 1", b)
    options = misuse.check_options("solve", 2, options, { "out", "async", "queue" })
    misuse.check_end("solve", 2, ...)
    local function solve(matrix, assume, right, out, async)
        return core._named("solve", matrix.solve)(matrix, right,
            { assume = assume, out = out, async = async, queue = options.queue })
    end
    local between <close> = solve(factors.lower, factors.task, b)
    return solve(factors.upper, "upper", between, options.out, options.async)
end

function methods:release()
    local factors = inner_of(self, "release")
    factors.lower:release()
    factors.upper:release()
    rawset(self, "_inner", nil)
end

function class.__close(self)
    if rawget(self, "_inner") then
        methods.release(self)
    end
end

-- The triangles and their kinds, as solvers take them.
function class.__parts(self, name)
    local factors = inner_of(self, name)
    return { factors.task, factors.lower, "upper", factors.upper }
end

function class.__tostring(self)
    local factors = rawget(self, "_inner")
    return factors and ("%s of %dx%d, %d entries"):format(factors.name, #factors.lower, #factors.lower,
        factors.lower:nnz()) or "incomplete factors (released)"
end

-- Core's method makes a matrix, of which `upper_of` gives the other factor.
local function define(name, task, upper_of)
    local make
    make = core._method(name, function(...)
        local lower = core._named(name, make)(...)
        return setmetatable({ _inner = { name = name, lower = lower, upper = upper_of(lower), task = task } }, class)
    end, "sparse")
end

define("ilu", "unit lower", function(both) return both end)

define("ichol", "lower", function(l)
    local u = l:t()
    if l:dtype():sub(1, 1) == "c" then
        u:values():conj_()
    end
    return u
end)
