-- What lun.cg, lun.bicgstab and lun.gmres share: their arguments, products with A and preconditioners, what a look at
-- the device's numbers says, and the residual of b - A x, which alone decides whether x is the answer.

local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"
local sparse = require "lunarray.sparse"
local incomplete = require "lunarray.incomplete"

local iterative = {}
local raise, kind_of = misuse.raise, misuse.kind_of
local COMMON = { "tol", "steps", "x", "preconditioner", "every", "callback" }

-- ---- dtypes -------------------------------------------------------------------------------------------------

local FLOATS = { f32 = true, f64 = true, c64 = true, c128 = true }
local NARROW = { f16 = true, bf16 = true }

-- The dtype that all of the arrays are computed in; integers and truth values count as f64.
local function common_dtype(name, arrays)
    local double, complex = false, false
    for _, array in pairs(arrays) do
        local dtype = array:dtype()
        if NARROW[dtype] then
            raise(name, "%s is not computed with; cast it to f32", dtype)
        end
        double = double or dtype == "f64" or dtype == "c128" or not FLOATS[dtype]
        complex = complex or dtype == "c64" or dtype == "c128"
    end
    return (complex and "c" or "f") .. (double == complex and (double and "128" or "32") or "64")
end

-- The real part of a number that was read.
function iterative.real(number)
    return math.type(number) and number or number.re
end

-- The limit as the device's dtype has it, so that both compare with the same.
local function rounded(limit, dtype)
    return (dtype == "f32" or dtype == "c64") and string.unpack("f", string.pack("f", limit)) or limit
end

-- ---- arguments ----------------------------------------------------------------------------------------------

local function is_matrix(a)
    local kind = core.type(a)
    return kind == "array" or kind == "sparse"
end

local function check_live(name, what, array)
    if core.type(array) == "array" and not core._is_live(array) then
        raise(name, "%s: the array was released", what)
    elseif core.type(array) == "sparse" then
        sparse.check(array, name, what)
    end
end

local function check_vector(name, what, array, like)
    check_live(name, what, array)
    if core.type(array) ~= "array" then
        raise(name, "%s: an array is wanted, got %s", what, kind_of(array))
    elseif like and misuse.shape_of(array) ~= misuse.shape_of(like) then
        raise(name, "%s: the shape of b is wanted, %s, got %s", what, misuse.shape_of(like), misuse.shape_of(array))
    elseif like and array:device() ~= like:device() then
        raise(name, "%s: an array of b's device is wanted", what)
    end
end

-- A matrix of as many rows and columns as b has elements.
local function check_matrix(name, what, a, b)
    check_live(name, what, a)
    local rows, columns = a:shape()
    if a:ndim() ~= 2 or rows ~= columns then
        raise(name, "%s: a square matrix is wanted, got %s", what, table.concat({ a:shape() }, "x"))
    elseif b:ndim() ~= 1 or #b ~= rows then
        raise(name, "%s is %dx%d; b of %d numbers is wanted, got %s", what, rows, rows, rows, misuse.shape_of(b))
    elseif a:device() ~= b:device() then
        raise(name, "%s: a matrix of b's device is wanted", what)
    end
end

local function check_number(name, option, value, wanted, good)
    if value ~= nil and not (math.type(value) and good(value)) then
        raise(name, "option '%s': %s is wanted, got %s", option, wanted, kind_of(value))
    end
end

local function is_count(from)
    return function(value)
        return math.tointeger(value) and value >= from
    end
end

local function check_numbers(name, options)
    check_number(name, "tol", options.tol, "a finite number from 0", function(tol)
        return tol >= 0 and tol < math.huge
    end)
    check_number(name, "steps", options.steps, "an integer from 0", is_count(0))
    check_number(name, "every", options.every, "an integer from 1 to 1000", function(every)
        return math.tointeger(every) and every >= 1 and every <= 1000
    end)
    check_number(name, "restart", options.restart, "an integer from 1", is_count(1))
    if options.callback ~= nil and type(options.callback) ~= "function" then
        raise(name, "option 'callback': a function is wanted, got %s", kind_of(options.callback))
    end
end

local function check_arguments(name, known, A, b, options, ...)
    if A == core then
        raise(name, "argument 1 is the module: it is called with a dot, lun.%s(...)", name)
    elseif not is_matrix(A) and type(A) ~= "function" then
        raise(name, "argument 1: an array, a sparse matrix or a function is wanted, got %s", kind_of(A))
    end
    check_vector(name, "argument 2", b)
    if b:ndim() == 0 then
        raise(name, "argument 2: an array of 1 axis or more is wanted, got a 0-d array")
    elseif is_matrix(A) then
        check_matrix(name, "argument 1", A, b)
    end
    misuse.check_options(name, 3, options, known)
    misuse.check_end(name, 3, ...)
    check_numbers(name, options)
    if options.x ~= nil then
        check_vector(name, "option 'x'", options.x, b)
    end
    check_live(name, "option 'preconditioner'", options.preconditioner)
end

-- ---- products and preconditioners ---------------------------------------------------------------------------

-- A vector of the solver, which is flat, as the user's function takes it: in b's shape.
local function shaped(problem, flat)
    problem.views[flat] = problem.views[flat] or problem:keep(flat:reshape(problem.shape))
    return problem.views[flat]
end

-- What a function of the user's made of p, flat: usually q itself.
local function called(problem, what, f, p, q)
    local from, wanted = shaped(problem, p), shaped(problem, q)
    local given = f(from, wanted)
    misuse.check_given(problem.name, what, given, "an array", from, wanted)
    if rawequal(given, wanted) then
        return q
    elseif given:dtype() ~= q:dtype() or misuse.shape_of(given) ~= misuse.shape_of(wanted) then
        raise(problem.name, "%s gives an array of %s %s; one of %s %s is wanted", what, misuse.shape_of(given),
            given:dtype(), misuse.shape_of(wanted), q:dtype())
    end
    return given:contiguous():reshape(-1)
end

-- The matrix in the problem's dtype.
local function cast(problem, A)
    if A:dtype() == problem.dtype then
        return A
    end
    return problem:keep(A:cast(problem.dtype))
end

-- What multiplies a vector p: f(p, q) gives the product, in q or elsewhere.
local function multiplier(problem, what, A)
    if type(A) == "function" then
        return function(p, q)
            return called(problem, what, A, p, q)
        end
    end
    local a = cast(problem, A)
    return function(p, q)
        check_live(problem.name, what, a) -- a function of the user's may have released it
        return a:matmul(p, { out = q })
    end
end

-- One over A's diagonal.
local function inverse_diagonal(problem, A)
    if not is_matrix(A) then
        raise(problem.name, "option 'preconditioner': a function A has no diagonal for 'jacobi'; an array of 1 / the "
            .. "diagonal is a preconditioner too")
    end
    local made <close> = core.type(A) == "sparse" and A:diag() or A:diagonal()
    local diagonal <close> = made:cast(problem.dtype)
    if diagonal:nnz() < #diagonal then
        raise(problem.name, "option 'preconditioner': 'jacobi' divides by the diagonal, and element %d of it is 0",
            diagonal:eq(0):argmax())
    end
    return 1 / diagonal
end

-- What incomplete factors, which are given, or made of A, make of a vector.
local function factors_solver(problem, A, b, given)
    local factors = given
    if type(given) == "string" then
        if core.type(A) ~= "sparse" then
            raise(problem.name, "option 'preconditioner': '%s' is made of a sparse matrix, and A is %s", given,
                kind_of(A))
        end
        local a = cast(problem, A)
        factors = problem:keep(a[given](a))
    end
    local rows = #incomplete.matrix_of(factors, problem.name)
    if rows ~= b:size() then
        raise(problem.name, "option 'preconditioner': the factors are of %d rows, and b has %d numbers", rows, b:size())
    end
    return function(p, q)
        return factors:solve(p, { out = q })
    end
end

-- problem.weights, an array or the number 1, multiplies element by element; else problem.precondition(p, q) is called.
local function set_preconditioner(problem, A, b, given)
    local what = "option 'preconditioner'"
    if given == nil then
        problem.weights = 1
    elseif given == "jacobi" then
        problem.weights = problem:keep(inverse_diagonal(problem, A))
    elseif given == "ilu" or given == "ichol" or incomplete.is_factors(given) then
        problem.precondition = factors_solver(problem, A, b, given)
    elseif type(given) == "function" then
        problem.precondition = multiplier(problem, "the preconditioner", given)
    elseif not is_matrix(given) then
        raise(problem.name, "%s: 'jacobi', 'ilu', 'ichol', an array, a sparse matrix, incomplete factors or a function "
            .. "is wanted, got %s", what, type(given) == "string" and "'" .. given .. "'" or kind_of(given))
    elseif given:ndim() == 2 and (core.type(given) == "sparse" or b:ndim() == 1) then
        check_matrix(problem.name, what, given, b)
        problem.precondition = multiplier(problem, what, given)
    else
        check_vector(problem.name, what, given, b)
        local flat <close> = given:contiguous():reshape(-1)
        problem.weights = problem:keep(flat:cast(problem.dtype))
    end
end

-- ---- the problem --------------------------------------------------------------------------------------------

local methods = {}
local class = { __index = methods }

-- An array that goes when the solver ends.
function methods:keep(array)
    table.insert(self.kept, array)
    return array
end

function methods:vector()
    return self:keep(self.b:empty_like())
end

-- A vector for what a preconditioner gives, where there is one.
function methods:conditioned()
    return (self.precondition or not rawequal(self.weights, 1)) and self:vector() or nil
end

-- Each row of the host's next look: the numbers that one step leaves on the device. `out` has views of each of them.
function methods:rows(count, columns)
    local all, out = self:keep(self.b:device():zeros({ count, columns }, self.dtype)), {}
    for i = 1, count do
        out[i] = {}
        for j = 1, columns do
            out[i][j] = self:keep(all:slice({ i, i }, { j, j }):reshape(1))
        end
    end
    return all, out
end

-- M p, in q, or p itself where there is no preconditioner.
function methods:preconditioned(p, q)
    if self.precondition then
        return self.precondition(p, q)
    end
    return rawequal(self.weights, 1) and p or p:mul(self.weights, { out = q })
end

-- Notes the residual's norm after a number of steps. It is looked at before the step behind it.
function methods:note(steps, norm)
    local residual = norm / self.norm
    if residual ~= residual or residual == math.huge then
        self:fail(steps, "the residual is %s", residual == residual and "inf" or "NaN")
    end
    self.done = steps
    if steps > 0 then
        self.history[steps] = residual
    end
    return norm <= self.tol * self.norm
end

-- Raises for what was met at a step.
function methods:fail(step, message, ...)
    raise(self.name, "%s at step %d", misuse.text(message, ...), step)
end

-- A number that a step divides by.
function methods:check_divisor(step, what, value)
    if value == 0 or value - value ~= 0 then
        self:fail(step, "%s is %s", what, value == 0 and "0" or value == value and "inf" or "NaN")
    end
end

-- The number of the last step whose residual is known, and this residual.
function methods:call_back()
    local known = #self.history
    if self.callback and known > 0 then
        self.callback(known, self.history[known])
    end
end

-- r = b - A x, and its norm.
function methods:residual(r)
    local product = self.product(self.x, r)
    self.b:sub(product, { out = r })
    return r:norm()
end

function class.__close(problem)
    for _, array in ipairs(problem.kept) do
        array:release()
    end
end

-- A power of two that brings the norm to 1 to 2, so that no square overflows or vanishes.
local function scale_of(norm, dtype)
    local most = (dtype == "f32" or dtype == "c64") and 126 or 1022
    return norm == 0 and 1.0 or 2.0 ^ math.max(-most, math.min(most, -(math.log(norm, 2) // 1)))
end

local function new_problem(name, A, b, options)
    local known = { b = b, x = options.x, A = is_matrix(A) and A or nil }
    if incomplete.is_factors(options.preconditioner) then
        known.preconditioner = incomplete.matrix_of(options.preconditioner, name):values()
    elseif is_matrix(options.preconditioner) then
        known.preconditioner = options.preconditioner
    end
    local problem = setmetatable({
        name = name, kept = {}, views = {}, history = {}, shape = { b:shape() }, dtype = common_dtype(name, known),
        tol = options.tol or 1e-6, steps = math.tointeger(options.steps or 10 * b:size()), done = 0,
        every = math.tointeger(options.every or 10), restart = math.tointeger(options.restart or 30),
        callback = options.callback,
    }, class)
    problem.complex = problem.dtype:sub(1, 1) == "c"
    problem.b = problem:keep(b:cast(problem.dtype):reshape(-1))
    local norm = problem.b:norm()
    if norm - norm ~= 0 then
        raise(name, "argument 2: the norm of b is %s", norm == norm and "inf" or "NaN")
    end
    problem.scale = scale_of(norm, problem.dtype)
    problem.b:mul_(problem.scale)
    problem.norm = norm * problem.scale
    problem.limit = rounded((problem.tol * problem.norm) ^ 2, problem.dtype)
    problem.x = options.x and options.x:cast(problem.dtype):reshape(-1) or problem.b:zeros_like()
    problem.x:mul_(norm == 0 and 0 or problem.scale)
    problem.product = multiplier(problem, is_matrix(A) and "argument 1" or "the function", A)
    set_preconditioner(problem, A, b, options.preconditioner)
    return problem
end

-- Calls cycle(r) until x is the answer, the steps are used up, or the residual of b - A x stays where it is though the
-- method's own goes on; then the better x counts. A cycle makes steps from r, and says whether it takes x for the
-- answer.
local function run(problem, cycle)
    local r, before, claimed = problem:vector(), math.huge, false
    local best = problem:vector()
    while true do
        local norm = problem:residual(r)
        local converged = problem:note(problem.done, norm)
        local stuck = claimed and norm > before / 2
        if stuck and not converged and norm > before then
            norm = before
            best:copy { out = problem.x }
            problem:note(problem.done, norm)
        end
        if converged or stuck or problem.done == problem.steps then
            return { converged = converged, steps = problem.done, residual = norm / problem.norm,
                history = problem.history }
        elseif claimed then
            before = norm
            problem.x:copy { out = best }
        end
        claimed = cycle(r)
    end
end

-- Makes lun.NAME, by a function that takes the problem and gives the cycle.
function iterative.define(name, more, make_cycle)
    local known = table.move(more, 1, #more, #COMMON + 1, table.move(COMMON, 1, #COMMON, 1, {}))
    core[name] = function(A, b, options, ...)
        check_arguments(name, known, A, b, options or {}, ...)
        local problem <close> = new_problem(name, A, b, options or {})
        local report = { converged = true, steps = 0, residual = 0.0, history = problem.history }
        if problem.norm > 0 then
            report = run(problem, make_cycle(problem))
        end
        problem.x:mul_(1 / problem.scale)
        return #problem.shape == 1 and problem.x or problem.x:reshape(problem.shape), report
    end
end

return iterative
