-- lun.gmres: the least residual over a Krylov space (Saad and Schultz 1986), for square matrices of any kind, begun
-- anew after `restart` steps.

local core = require "lunarray.core"
core._own()
local iterative = require "lunarray.iterative"

-- ---- the small least squares problem, on the host -------------------------------------------------------------

local function conj(number)
    return math.type(number) and number or number:conj()
end

local function size(number)
    return math.type(number) and math.abs(number) or number:abs()
end

-- A rotation that turns (a, b) into (its norm, 0), b being 0 or more.
local function rotation(a, b)
    local norm = math.sqrt(size(a) ^ 2 + b ^ 2)
    return { c = norm == 0 and 1.0 or a / norm, s = norm == 0 and 0.0 or b / norm }
end

local function rotate(turn, upper, lower)
    return conj(turn.c) * upper + turn.s * lower, turn.c * lower - turn.s * upper
end

-- Takes a column of the Hessenberg matrix, whose last number is `below`, into the triangle.
local function add_column(state, column, below)
    for i, turn in ipairs(state.turns) do
        column[i], column[i + 1] = rotate(turn, column[i], column[i + 1])
    end
    local j = #state.turns + 1
    local turn = rotation(column[j], below)
    column[j] = rotate(turn, column[j], below)
    state.right[j], state.right[j + 1] = rotate(turn, state.right[j], 0.0)
    state.turns[j], state.triangle[j] = turn, column
end

-- The y of triangle y = right.
local function solve_triangle(state)
    local y = {}
    for i = #state.turns, 1, -1 do
        local sum = state.right[i]
        for j = i + 1, #state.turns do
            sum = sum - state.triangle[j][i] * y[j]
        end
        y[i] = sum / state.triangle[i][i]
    end
    return y
end

-- ---- the space, on the device --------------------------------------------------------------------------------

-- Vectors of norm 1, the rows of `basis`; of each step the numbers by which they make its product, and what is left.
local function new_space(problem)
    local device, restart = problem.b:device(), problem.restart
    local real = problem.dtype == "c64" and "f32" or problem.dtype == "c128" and "f64" or problem.dtype
    local space = { vectors = {}, below = {} }
    space.basis = problem:keep(device:zeros({ restart + 1, #problem.b }, problem.dtype))
    space.columns = problem:keep(device:zeros({ restart, restart }, problem.dtype))
    space.again = problem:keep(device:zeros({ restart }, problem.dtype))
    space.norms = problem:keep(device:zeros({ restart }, real))
    for i = 1, restart + 1 do
        space.vectors[i] = problem:keep(space.basis:row(i))
        space.below[i] = i <= restart and problem:keep(space.norms:slice { i, i }) or nil
    end
    return space
end

-- Step j: A M of vector j, less what it has of those before, and again, as rounding leaves some of it.
local function advance(problem, space, j, conditioned)
    local w = space.vectors[j + 1]
    local product = problem.product(problem:preconditioned(space.vectors[j], conditioned), w)
    if not rawequal(product, w) then
        product:copy { out = w }
    end
    local basis <close> = space.basis:slice { 1, j }
    local row <close> = space.columns:row(j)
    local column <close> = row:slice { 1, j }
    local again <close> = space.again:slice { 1, j }
    for _, part in ipairs { column, again } do
        basis:matmul(w, { conj = problem.complex and "a" or nil, out = part })
        part:matmul(basis, { alpha = -1, beta = 1, out = w })
    end
    column:add_(again)
    w:norm { keepdims = true, out = space.below[j] }
    local some <close> = space.below[j]:ne(0)
    local divisor <close> = some:where(space.below[j], 1)
    w:div_(divisor)
end

iterative.define("gmres", { "restart" }, function(problem)
    local space, state, conditioned
    problem.restart = math.min(problem.restart, math.max(#problem.b, 1))
    -- Looks at the steps behind those that were seen before. True: the limit is met.
    local function look(steps)
        local before = #state.turns
        local unseen <close> = space.columns:slice({ before + 1, steps }, { 1, steps })
        local columns, norms = unseen:totable(), space.norms:totable()
        for j = before + 1, steps do
            local column = table.move(columns[j - before], 1, j, 1, {})
            add_column(state, column, norms[j])
            local met = problem:note(problem.done + 1, size(state.right[j + 1]))
            if column[j] == 0 then
                problem:fail(problem.done, "the matrix is singular: a vector of the space has the product 0")
            elseif met then
                return true
            end
        end
        return false
    end
    return function(r)
        space = space or new_space(problem)
        conditioned = conditioned or problem:conditioned()
        local norm, met, j = r:norm(), false, 0
        state = { turns = {}, triangle = {}, right = { norm } }
        r:mul(1 / norm, { out = space.vectors[1] })
        local last = math.min(problem.restart, problem.steps - problem.done)
        while not met and j < last do
            local first = j + 1
            j = math.min(j + problem.every, last)
            for i = first, j do
                advance(problem, space, i, conditioned)
            end
            met = look(j)
            problem:call_back()
        end
        local basis <close> = space.basis:slice { 1, #state.turns }
        local y <close> = problem.b:device():array(solve_triangle(state), problem.dtype)
        y:matmul(basis, { out = r })
        problem.x:add_(problem:preconditioned(r, conditioned))
        return met
    end
end)
