-- What every operation should give, in plain Lua over flat row-major lists: slow, simple, independent of the C code.

local numbers = require "spec.numbers"

local reference = {}

-- ---- shapes ---------------------------------------------------------------------------------------------

function reference.size(shape)
    local size = 1
    for _, extent in ipairs(shape) do
        size = size * extent
    end
    return size
end

function reference.strides(shape)
    local strides, step = {}, 1
    for axis = #shape, 1, -1 do
        strides[axis] = step
        step = step * shape[axis]
    end
    return strides
end

-- Calls visit(place, number) for each place of the shape in row-major order; place is one table, reused.
function reference.each(shape, visit)
    local place = {}
    for axis = 1, #shape do
        place[axis] = 1
    end
    for number = 1, reference.size(shape) do
        visit(place, number)
        local axis = #shape
        while axis > 0 and place[axis] == shape[axis] do
            place[axis] = 1
            axis = axis - 1
        end
        if axis > 0 then
            place[axis] = place[axis] + 1
        end
    end
end

-- The number of a place in row-major order, from 1.
function reference.number(place, strides)
    local number = 1
    for axis = 1, #strides do
        number = number + (place[axis] - 1) * strides[axis]
    end
    return number
end

-- A flat list as nested tables; for no axes the element itself.
function reference.nest(flat, shape)
    local at = 0
    local function level(axis)
        if axis > #shape then
            at = at + 1
            return flat[at]
        end
        local list = {}
        for i = 1, shape[axis] do
            list[i] = level(axis + 1)
        end
        return list
    end
    return level(1)
end

-- Nested tables, or a single element, as a flat list.
function reference.flatten(nested)
    local flat = {}
    local function level(value)
        if type(value) ~= "table" then
            flat[#flat + 1] = value
            return
        end
        for i = 1, #value do
            level(value[i])
        end
    end
    level(nested)
    return flat
end

-- ---- reduce -----------------------------------------------------------------------------------------------

-- Whole numbers whose magnitudes add up to no more than 2 / eps are added without rounding, in any order.
local function sum(list, float, eps)
    if float then
        local size, whole = 0.0, true
        for i = 1, #list do
            size, whole = size + math.abs(list[i]), whole and list[i] % 1 == 0
        end
        return numbers.exact_sum(list), whole and size * eps <= 2 and 0 or #list * eps * size
    end
    local total = 0
    for i = 1, #list do
        total = total + list[i]
    end
    return total, 0
end

local function prod(list, float, eps)
    local product = float and 1.0 or 1
    for i = 1, #list do
        product = product * list[i]
    end
    return product, float and #list * eps * math.abs(product) or 0
end

local function sumsq(list, float, eps)
    local squares = {}
    for i = 1, #list do
        squares[i] = list[i] * list[i]
    end
    local total, tolerance = sum(squares, float, eps)
    return total, tolerance == 0 and 0 or tolerance + eps * total -- each square is rounded once
end

local function extreme(less)
    return function(list)
        local best = list[1]
        for i = 2, #list do
            local x = list[i]
            if x ~= x or (best == best and less(x, best)) then
                best = x
            end
        end
        return best, 0
    end
end

local signed_less = function(a, b) return a < b end
local signed_more = function(a, b) return a > b end
local unsigned_more = function(a, b) return math.ult(b, a) end

-- The least integer of a signed dtype has no opposite: its magnitude is the largest integer there is.
local function absmax(list, float, _, dtype)
    local magnitudes = {}
    for i = 1, #list do
        local x = list[i]
        magnitudes[i] = x < 0 and (not float and x == dtype.low and dtype.high or -x) or x
    end
    return (extreme(signed_more)(magnitudes)), 0
end

local reductions = {
    sum = sum, prod = prod, sumsq = sumsq, min = extreme(signed_less), max = extreme(signed_more), absmax = absmax,
}
local unsigned_reductions = {
    sum = sum, prod = prod, sumsq = sumsq, min = extreme(math.ult), max = extreme(unsigned_more),
    absmax = extreme(unsigned_more),
}
local IN_DTYPE = { min = true, max = true, absmax = true }

-- The dtype that a reduction gives.
function reference.reduced_dtype(op, name)
    return IN_DTYPE[op] and name or numbers.summed(name)
end

-- One list reduced: the result and its tolerance.
function reference.reduce_list(op, list, name)
    local kind = numbers.dtype[name].kind
    return (kind == "unsigned" and unsigned_reductions or reductions)[op](list, kind == "float",
        numbers.compute_eps(name), numbers.dtype[name])
end

-- The axes named in the set `gone` (true at their numbers) reduced; nil: all. Gives the results, row-major over the
-- axes that stay, their shape, and their tolerances.
function reference.reduce(op, flat, shape, gone, name)
    local kept, kept_axes = {}, {}
    for axis = 1, #shape do
        if gone and not gone[axis] then
            kept[#kept + 1], kept_axes[#kept_axes + 1] = shape[axis], axis
        end
    end
    local lists, strides = {}, reference.strides(kept)
    for i = 1, reference.size(kept) do
        lists[i] = {}
    end
    local short = {}
    reference.each(shape, function(place, number)
        for i, axis in ipairs(kept_axes) do
            short[i] = place[axis]
        end
        local list = lists[reference.number(short, strides)]
        list[#list + 1] = flat[number]
    end)
    local results, tolerances = {}, {}
    for i, list in ipairs(lists) do
        results[i], tolerances[i] = reference.reduce_list(op, list, name)
    end
    return results, kept, tolerances
end

-- ---- transpose and matmul -----------------------------------------------------------------------------------

-- Axis perm[i] of the input becomes axis i; without perm the axes are reversed. Gives the list and its shape.
function reference.transpose(flat, shape, perm)
    local turned, strides, from = {}, {}, reference.strides(shape)
    for i = 1, #shape do
        local axis = perm and perm[i] or #shape + 1 - i
        turned[i], strides[i] = shape[axis], from[axis]
    end
    local out = {}
    reference.each(turned, function(place, number)
        out[number] = flat[reference.number(place, strides)]
    end)
    return out, turned
end

-- One m x k by k x n product, alpha*a*b + beta*c, and its tolerances: k + 3 roundings of the sum of magnitudes; none
-- where all terms are whole and add up to no more than 2 / eps.
local function multiply(a, b, m, k, n, name, options, c)
    local out, tolerances = {}, {}
    local float = numbers.is_float(name)
    local eps = float and numbers.compute_eps(name) or 0
    local alpha, beta = options.alpha or 1, options.beta or 0
    for i = 1, m do
        for j = 1, n do
            local total, size, whole = float and 0.0 or 0, 0.0, true
            local row, column = (i - 1) * k, j
            for l = 1, k do
                local term = a[row + l] * b[column]
                total, size, whole = total + term, size + math.abs(term), whole and term % 1 == 0
                column = column + n
            end
            total, size, whole = alpha * total, math.abs(alpha) * size, whole and alpha % 1 == 0
            local at = (i - 1) * n + j
            if beta ~= 0 then
                local term = beta * c[at]
                total, size, whole = total + term, size + math.abs(term), whole and term % 1 == 0
            end
            if not float then
                out[at], tolerances[at] = numbers.wrap(total, name), 0
            else
                out[at] = numbers.round(total, name)
                local dtype = numbers.dtype[name]
                local stored = dtype.packed and dtype.eps / 2 * math.abs(total) + dtype.tiny or 0
                tolerances[at] = whole and size * eps <= 2 and 0 or (k + 3) * eps * size + stored
            end
        end
    end
    return out, tolerances
end

local function broadcast(a, b)
    local batch = {}
    for i = 1, math.max(#a, #b) do
        local x, y = a[#a - i + 1] or 1, b[#b - i + 1] or 1
        table.insert(batch, 1, x == 1 and y or x)
    end
    return batch
end

-- The part of a batched matrix that belongs to a place of the broadcast batch.
local function part(flat, batch, place, size)
    local strides, number = reference.strides(batch), 0
    for i = 1, #batch do
        local position = place[#place - #batch + i]
        number = number + (batch[i] == 1 and 0 or position - 1) * strides[i]
    end
    return table.move(flat, number * size + 1, (number + 1) * size, 1, {})
end

-- alpha*a*b + beta*c with vectors and batches. Gives the list, its shape and its tolerances.
function reference.matmul(a, a_shape, b, b_shape, name, options, c)
    options = options or {}
    local a_vector, b_vector = #a_shape == 1, #b_shape == 1
    local a_full = a_vector and { 1, a_shape[1] } or a_shape
    local b_full = b_vector and { b_shape[1], 1 } or b_shape
    local m, k, n = a_full[#a_full - 1], a_full[#a_full], b_full[#b_full]
    local a_batch = table.move(a_full, 1, #a_full - 2, 1, {})
    local b_batch = table.move(b_full, 1, #b_full - 2, 1, {})
    local batch = broadcast(a_batch, b_batch)
    local out, tolerances = {}, {}
    reference.each(batch, function(place, number)
        local from = (number - 1) * m * n
        local old = c and table.move(c, from + 1, from + m * n, 1, {})
        local product, bounds = multiply(part(a, a_batch, place, m * k), part(b, b_batch, place, k * n),
            m, k, n, name, options, old)
        table.move(product, 1, m * n, from + 1, out)
        table.move(bounds, 1, m * n, from + 1, tolerances)
    end)
    local shape = batch
    if not a_vector then
        shape[#shape + 1] = m
    end
    if not b_vector then
        shape[#shape + 1] = n
    end
    return out, shape, tolerances
end

-- ---- gravity ------------------------------------------------------------------------------------------------

-- What body i of the flat list pos (x, y, z, mass) feels: acceleration and potential per unit mass, and the sums of the
-- magnitudes of their terms. A body exerts nothing on itself, nor do two at one place without softening. softening: a
-- number, or a list with one for each body. Only the first `active` (all) bodies attract.
function reference.pull(pos, i, softening, G, active)
    local x, y, z = pos[4 * i - 3], pos[4 * i - 2], pos[4 * i - 1]
    local felt, size = { 0.0, 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0, 0.0 }
    for j = 1, active or #pos // 4 do
        local dx, dy, dz = pos[4 * j - 3] - x, pos[4 * j - 2] - y, pos[4 * j - 1] - z
        local soft = type(softening) == "table" and (softening[i] ^ 2 + softening[j] ^ 2) / 2 or softening ^ 2
        local square = dx * dx + dy * dy + dz * dz + soft
        if j ~= i and square > 0 then
            local potential = G * pos[4 * j] / math.sqrt(square)
            local factor = potential / square
            local terms = { dx * factor, dy * factor, dz * factor, -potential }
            for c = 1, 4 do
                felt[c], size[c] = felt[c] + terms[c], size[c] + math.abs(terms[c])
            end
        end
    end
    return felt, size
end

-- n x 4: accelerations and potentials, and tolerances. A term takes the difference, the square, the inverse root to
-- the third power and the product: 16 roundings hold them all with a root good to two; a sum of n takes n more.
function reference.gravity(pos, name, options)
    options = options or {}
    local out, tolerances = {}, {}
    local n, eps = #pos // 4, numbers.dtype[name].eps
    for i = 1, n do
        local felt, size = reference.pull(pos, i, options.softening or 0, options.G or 1, options.active)
        for c = 1, 4 do
            out[4 * i - 4 + c], tolerances[4 * i - 4 + c] = felt[c], (n + 16) * eps * size[c]
        end
    end
    return out, tolerances
end

-- Kinetic and potential energy, and the sums of the magnitudes of their terms.
function reference.energy(pos, vel, options)
    options = options or {}
    local kinetic, potential = {}, {}
    for i = 1, options.active or #pos // 4 do
        local x, y, z, mass = vel[4 * i - 3], vel[4 * i - 2], vel[4 * i - 1], pos[4 * i]
        kinetic[i] = 0.5 * mass * (x * x + y * y + z * z)
        potential[i] = 0.5 * mass * reference.pull(pos, i, options.softening or 0, options.G or 1, options.active)[4]
    end
    return numbers.exact_sum(kinetic), numbers.exact_sum(potential)
end

local function add(list, other, factor)
    for i = 1, #list do
        if i % 4 ~= 0 then
            list[i] = list[i] + factor * other[i]
        end
    end
end

local integrators = {
    leapfrog = function(pos, vel, dt, accelerations)
        add(vel, accelerations(pos), dt / 2)
        add(pos, vel, dt)
        add(vel, accelerations(pos), dt / 2)
    end,
    euler = function(pos, vel, dt, accelerations)
        add(vel, accelerations(pos), dt)
        add(pos, vel, dt)
    end,
}

-- Positions and velocities after options.steps steps, as new lists.
function reference.nbody(pos, vel, options)
    pos, vel = table.move(pos, 1, #pos, 1, {}), table.move(vel, 1, #vel, 1, {})
    local step = integrators[options.integrator or "leapfrog"]
    local function accelerations(places)
        return (reference.gravity(places, "f64", options))
    end
    for _ = 1, options.steps or 1 do
        step(pos, vel, options.dt, accelerations)
    end
    return pos, vel
end

-- ---- transforms: better than what they judge in f64 --------------------------------------------------------

-- Cosine and sine of m / n turns, from an angle of at most an eighth of one.
function reference.root(m, n)
    local quarter, rest = 4 * (m % n) // n, 4 * (m % n) % n
    local beyond = 2 * rest > n
    local angle = math.pi / 2 * (beyond and n - rest or rest) / n
    local c, s = math.cos(angle), math.sin(angle)
    if beyond then
        c, s = s, c
    end
    if quarter == 0 then
        return c, s
    elseif quarter == 1 then
        return -s, c
    elseif quarter == 2 then
        return -c, -s
    end
    return s, -c
end

-- so_far + x, and `lost` with what the rounding of that loses.
function reference.plus(so_far, lost, x)
    local total = so_far + x
    local more = total - so_far
    return total, lost + (so_far - (total - more)) + (x - more)
end

-- The Fourier transform by its formula of n numbers, those that are missing being 0.
function reference.dft(re, im, n, back)
    local cos, sin, to_re, to_im, plus = {}, {}, {}, {}, reference.plus
    for k = 0, n - 1 do
        cos[k], sin[k] = reference.root(back and k or n - k, n)
    end
    for k = 0, n - 1 do
        local sum_re, lost_re, sum_im, lost_im = 0.0, 0.0, 0.0, 0.0
        for j = 0, math.min(n, #re) - 1 do
            local at, x, y = j * k % n, re[j + 1], im[j + 1]
            sum_re, lost_re = plus(sum_re, lost_re, x * cos[at])
            sum_re, lost_re = plus(sum_re, lost_re, -y * sin[at])
            sum_im, lost_im = plus(sum_im, lost_im, x * sin[at])
            sum_im, lost_im = plus(sum_im, lost_im, y * cos[at])
        end
        to_re[k + 1], to_im[k + 1] = sum_re + lost_re, sum_im + lost_im
    end
    return to_re, to_im
end

return reference
