-- Methods of arrays upon factorisations: a:lu() and the object that it gives, a:rcond(), lun.cholesky_solve.

local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"

local raise, kind_of = misuse.raise, misuse.kind_of

-- The array that a method is called on.
local function check_array(name, what, a)
    if core.type(a) ~= "array" then
        raise(name, "%s: an array is wanted, got %s", what, kind_of(a))
    elseif not core._is_live(a) then
        raise(name, "%s: the array was released", what)
    end
    return a
end

local function one_norm(a)
    return a:abs():sum { axis = -2 }:max { axis = -1, keepdims = true }:squeeze(-1)
end

-- ---- the factors of a matrix, or of each of a batch -----------------------------------------------------------

local methods = {}
local class = { __name = "lunarray.lu" }

local function inner_of(lu, name)
    if getmetatable(lu) ~= class then
        raise(name, "self: what a:lu() gives is wanted, got %s; is it called with a colon?", kind_of(lu))
    end
    return rawget(lu, "_inner") or raise(name, "the factors were released")
end

-- The square matrix's number of rows.
local function check_square(inner, name)
    local axes = inner.factors:ndim()
    local rows, columns = select(axes - 1, inner.factors:shape())
    if rows ~= columns then
        raise(name, "the matrix is %dx%d; a square one is wanted", rows, columns)
    end
    return rows
end

-- What x is, of equations with the matrix, or with its transpose: of a matrix that is singular infinite or NaN.
function methods:solve(b, options)
    local inner = inner_of(self, "solve")
    return inner.factors:lu_solve(inner.p, b, options)
end

-- 1 or -1: whether the exchanges of rows are an even number.
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

function methods:det()
    local inner = inner_of(self, "det")
    check_square(inner, "det")
    local diagonal = inner.factors:diagonal()
    return number_of(diagonal:prod { axis = -1, keepdims = true }:squeeze(-1) * parity(inner))
end

function methods:slogdet()
    local inner = inner_of(self, "slogdet")
    check_square(inner, "slogdet")
    local diagonal = inner.factors:diagonal()
    local sign = diagonal:sign():prod { axis = -1, keepdims = true }:squeeze(-1) * parity(inner)
    return number_of(sign), number_of(diagonal:abs():log():sum { axis = -1, keepdims = true }:squeeze(-1))
end

function methods:inv(options)
    local inner = inner_of(self, "inv")
    local rows = check_square(inner, "inv")
    local factors = inner.factors
    return self:solve(factors:device():eye(rows, { dtype = factors:dtype() }), options)
end

-- Hager and Higham's estimate of the 1-norm of the inverse (Higham 1988, SONEST): it is hardly ever less than a third
-- of the norm, and never more. A fixed number of steps takes the place of a test, for which the host would wait.
local function inverse_norm(self, inner, rows)
    local factors = inner.factors
    local device, dtype = factors:device(), factors:dtype()
    local places = device:arange(1, rows, { dtype = "i64" })
    local function size_of(y)
        return y:abs():sum { axis = -2, keepdims = true }
    end
    local function column(vector)
        return vector:reshape(rows, 1)
    end
    local alternating = (places % 2 * 2 - 1):cast(dtype) * ((places - 1):cast(dtype) / math.max(rows - 1, 1) + 1)
    local best = size_of(self:solve(column(alternating))) * (2 / (3 * rows))
    local x = column(device:full({ rows }, 1 / rows, dtype))
    for _ = 1, 5 do
        local y = self:solve(x)
        best = best:maximum(size_of(y))
        local z = self:solve(y:ge(0):cast(dtype) * 2 - 1, { transpose = true })
        local largest = z:abs():argmax { axis = -2, keepdims = true }
        x = column(places):eq(largest):cast(dtype)
    end
    return best
end

function methods:rcond()
    local inner = inner_of(self, "rcond")
    local rows = check_square(inner, "rcond")
    if inner.factors:size() == 0 then
        return inner.norm:ndim() == 0 and math.huge or inner.norm:full_like(math.huge)
    end
    local product = inverse_norm(self, inner, rows):squeeze { axis = { -2, -1 } } * inner.norm
    local r = product:recip():nan_to_num { nan = 0 }
    return number_of(product:isfinite():land(product:gt(0)):where(r, 0))
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
    raise(tostring(key), "what a:lu() gives has l, u, p, solve, det, slogdet, inv, rcond and release")
end

class.__close = methods.release

function class.__tostring(self)
    local inner = rawget(self, "_inner")
    return inner and "lu of " .. misuse.shape_of(inner.factors) .. " " .. inner.factors:dtype() or "lu (released)"
end

-- ---- what arrays and the module get ----------------------------------------------------------------------------

core._method("lu", function(a, options, ...)
    check_array("lu", "self", a)
    misuse.check_options("lu", 1, options, { "variant", "queue" })
    misuse.check_end("lu", 1, ...)
    local factors, p, exchanges = a:lu_factor(options)
    local wide = a:dtype() == factors:dtype() and a or a:cast(factors:dtype())
    local norm = a:size() == 0 and factors:device():zeros({ table.unpack({ a:shape() }, 1, a:ndim() - 2) },
        factors:dtype()) or one_norm(wide)
    return setmetatable({ _inner = { factors = factors, p = p, exchanges = exchanges, norm = norm } }, class)
end)

core._method("rcond", function(a, ...)
    check_array("rcond", "self", a)
    misuse.check_end("rcond", 0, ...)
    local factors <close> = a:lu()
    return factors:rcond()
end)

function core.cholesky_solve(l, b, options, ...)
    if l == core then
        raise("cholesky_solve", "argument 1 is the module: it is called with a dot, lun.cholesky_solve(...)")
    end
    check_array("cholesky_solve", "argument 1", l)
    check_array("cholesky_solve", "argument 2", b)
    misuse.check_options("cholesky_solve", 3, options, { "out", "variant", "async", "queue" })
    misuse.check_end("cholesky_solve", 3, ...)
    local first = { assume = "lower", queue = options and options.queue, variant = options and options.variant }
    local between <close> = l:solve(b, first)
    local given = { assume = "lower", transpose = true }
    for name, value in pairs(options or {}) do
        given[name] = value
    end
    return l:solve(between, given)
end
