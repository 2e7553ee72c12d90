-- Methods of arrays for factorisations: a:lu() and the object that it returns.

local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"

local raise, kind_of, check_array = misuse.raise, misuse.kind_of, misuse.check_array

-- Numbers of magnitude 1 in the same directions; 0 for 0.
local function signs_of(a)
    if a:dtype() ~= "c64" and a:dtype() ~= "c128" then
        return a:sign()
    end
    local size = a:abs()
    return size:eq(0):where(0, a / size)
end

-- ---- the factors of a matrix, or of each of a batch -----------------------------------------------------------

local methods = {}
local class = { __name = "lunarray.lu", __kind = "factors of LU" }

local function inner_of(lu, name)
    if getmetatable(lu) ~= class then
        raise(name, "self: the factors that a:lu() returns are needed, got %s; is it called with a colon?", kind_of(lu))
    end
    return rawget(lu, "_inner") or raise(name, "the factors were released")
end

-- The square matrix's number of rows.
local function check_square(inner, name)
    local axes = inner.factors:ndim()
    local rows, columns = select(axes - 1, inner.factors:shape())
    if rows ~= columns then
        raise(name, "the matrix is %dx%d; a square one is needed", rows, columns)
    end
    return rows
end

-- Solves for x, with the matrix or its transpose; the next wait raises an error if it is singular.
function methods:solve(b, options)
    local inner = inner_of(self, "solve")
    check_array("solve", "argument 1", b)
    return core._named("solve", inner.factors.lu_solve)(inner.factors, inner.p, b, options)
end

-- 1 or -1: the sign of the row permutation.
local function parity(inner)
    local exchanges = inner.exchanges
    local device, count = exchanges:device(), select(exchanges:ndim(), exchanges:shape())
    local own = device:arange(0, count - 1, { dtype = "i32" })
    local odd = exchanges:ne(own):cast("i32"):sum { axis = -1, keepdims = true }:squeeze(-1) % 2
    return 1 - odd:cast(inner.factors:dtype()) * 2
end

local function number_of(x)
    return x:ndim() == 0 and x:get() or x
end

-- The sign of the determinant, the logarithm of its magnitude, and the sum of the magnitudes of all factors'
-- logarithms.
local function logarithms(inner)
    local diagonal = inner.factors:diagonal()
    local each = diagonal:abs():log()
    local function sum(x) return x:sum { axis = -1, keepdims = true }:squeeze(-1) end
    local sign = signs_of(diagonal):prod { axis = -1, keepdims = true }:squeeze(-1) * parity(inner)
    return sign, sum(each), sum(each:abs())
end

-- The product of the factors, if no partial product can leave the range; otherwise by logarithms.
function methods:det()
    local inner = inner_of(self, "det")
    check_square(inner, "det")
    local sign, logarithm, sizes = logarithms(inner)
    local product = inner.factors:diagonal():prod { axis = -1, keepdims = true }:squeeze(-1) * parity(inner)
    local most = (product:dtype() == "f32" or product:dtype() == "c64") and 85 or 700
    local root = (logarithm:minimum(2 * most) / 2):exp() -- finite: an infinite part leaves one of 0 as it is
    return number_of(sizes:lt(most):where(product, sign * root * root))
end

function methods:slogdet()
    local inner = inner_of(self, "slogdet")
    check_square(inner, "slogdet")
    local sign, logarithm = logarithms(inner)
    return number_of(sign), number_of(logarithm)
end

function methods:inv(options)
    local inner = inner_of(self, "inv")
    local rows = check_square(inner, "inv")
    local factors = inner.factors
    local one = factors:device():eye(rows, { dtype = factors:dtype() })
    return core._named("inv", factors.lu_solve)(factors, inner.p, one, options)
end

function methods:rcond()
    local inner = inner_of(self, "rcond")
    check_square(inner, "rcond")
    return core._named("rcond", inner.factors.lu_rcond)(inner.factors, inner.p, inner.norm)
end

function methods:release()
    local inner = rawget(self, "_inner")
    if getmetatable(self) == class and inner then
        for _, array in pairs(inner) do
            array:release()
        end
        rawset(self, "_inner", nil)
    end
end

-- l, u and p are made when they are first asked for.
local made = {}

function made.l(inner)
    local rows, columns = select(inner.factors:ndim() - 1, inner.factors:shape())
    local square = math.min(rows, columns)
    local left = inner.factors:swapaxes(1, -1):slice({ 1, square }):swapaxes(1, -1)
    return left:tril(-1) + left:device():eye(rows, square, 0, { dtype = left:dtype() })
end

function made.u(inner)
    local rows, columns = select(inner.factors:ndim() - 1, inner.factors:shape())
    return inner.factors:swapaxes(1, -2):slice({ 1, math.min(rows, columns) }):swapaxes(1, -2):triu()
end

function made.p(inner)
    return inner.p
end

function class.__index(self, key)
    if methods[key] then
        return methods[key]
    end
    local inner = rawget(self, "_inner")
    if made[key] and inner then
        local array = made[key](inner)
        inner[key] = array
        rawset(self, key, array)
        return array
    elseif made[key] then
        raise(key, "the factors were released")
    end
    raise(tostring(key), "the object of a:lu() has l, u, p, solve, det, slogdet, inv, rcond and release")
end

class.__close = methods.release

function class.__tostring(self)
    local inner = rawget(self, "_inner")
    return inner and "lu of " .. misuse.shape_of(inner.factors) .. " " .. inner.factors:dtype() or "lu (released)"
end

-- ---- what arrays and the module get ----------------------------------------------------------------------------

-- a:lu(), and a:lu_(), which stores the factors in the array itself: the object has a view of it. `place` is the
-- array's place in messages, and `first` the argument before the options.
local function factorize(name, factor, place, first)
    return function(a, options, ...)
        misuse.check_dot(name, a)
        check_array(name, place, a)
        misuse.check_options(name, first + 1, options, { "variant", "queue" })
        misuse.check_end(name, first + 1, ...)
        local norm = core._named(name, a.norm)(a, { ord = 1, keepdims = true, queue = options and options.queue })
        local factors, p, exchanges = core._named(name, a[factor])(a, options)
        local inner = { factors = factors == a and a:slice() or factors, p = p, exchanges = exchanges }
        inner.norm = norm:squeeze { axis = { -2, -1 } }
        return setmetatable({ _inner = inner }, class)
    end
end

core._method("lu", factorize("lu", "lu_factor", "self", 0))
core._method("lu_", factorize("lu_", "lu_factor_", "self", 0))
core.lu = factorize("lu", "lu_factor", "argument 1", 1)
