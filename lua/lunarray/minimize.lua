-- lun.minimize: minima of smooth functions by L-BFGS (Liu and Nocedal 1989), with a line search for the strong Wolfe
-- conditions (Nocedal and Wright, Numerical Optimization, algorithms 3.5, 3.6 and 7.4).

local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"

local DECREASE, CURVATURE = 1e-4, 0.9
local SEARCHES = 25 -- evaluations of one line search
local FALLS = { f32 = 1e-7, f64 = 2e-14 } -- values that differ by such a part are as good as equal
local EPS = { f32 = 5e-3, f64 = 6e-6 } -- cube roots of the dtypes' precision, for differences
local KNOWN = { "gradient", "method", "tol", "max", "memory" }

local function raise(message, ...)
    misuse.raise("minimize", message, ...)
end

-- ---- kernels --------------------------------------------------------------------------------------------------

local ahead = core.fuse(function(x, d, t) return x + d * t end)
local slope_of = core.fuse(function(g, d) return (g * d):sum(), g:abs():max() end)

-- Of a step and the change of the gradient, as arrays of one element: 1 / (s y), and s y / (y y).
local curvature = core.fuse(function(s, y)
    local product = (s * y):sum()
    return 1 / product, product / y:square():sum()
end)
local back = core.fuse(function(q, s, y, rho)
    local alpha = rho * (s * q):sum()
    return q - y * alpha, alpha
end)
local forth = core.fuse(function(r, s, y, rho, alpha) return r + s * (alpha - rho * (y * r):sum()) end)

-- ---- arguments ------------------------------------------------------------------------------------------------

local function number(options, name, missing, least)
    local x = options[name]
    if x == nil then
        return missing
    elseif not math.type(x) or x ~= x or x < least then
        raise("option '%s': a number from %d is needed, got %s", name, least, misuse.kind_of(x))
    end
    return x
end

local function read(f, x0, options, ...)
    misuse.check_function("minimize", 1, f, "a function of x")
    misuse.check_array("minimize", "argument 2", x0)
    options = options == nil and {} or options -- so that the missing gradient is named
    if not FALLS[x0:dtype()] or x0:size() == 0 then
        raise("argument 2: f32 or f64 with elements is needed, got %s %s", x0:dtype(), misuse.shape_of(x0))
    elseif not misuse.is_table(options) then
        raise("argument 3: a table of options is needed, got %s", misuse.kind_of(options))
    end
    misuse.check_end("minimize", 3, ...)
    misuse.check_options("minimize", 3, options, KNOWN)
    local g = options.gradient
    if type(g) ~= "function" and g ~= true and g ~= "differences" then
        raise("option 'gradient': a function of x, true (f returns the value and the gradient) or "
            .. "\"differences\" is needed, got %s", misuse.kind_of(g))
    elseif options.method ~= nil and options.method ~= "lbfgs" then
        raise("option 'method': \"lbfgs\" is known, got %s", misuse.value_of(options.method))
    end
    return { f = f, gradient = g, tol = number(options, "tol", 1e-5, 0), max = number(options, "max", 1000, 0),
        memory = number(options, "memory", 10, 1), evaluations = 0, falls = FALLS[x0:dtype()] }
end

-- ---- values and gradients -------------------------------------------------------------------------------------

-- What f gives, a number or an array of one element.
local function value_of(s, given)
    local value = given
    if core.type(given) == "array" and core._is_live(given) and given:size() == 1 then
        value = given:sum()
    end
    if not math.type(value) then
        raise("the function returned %s; a number is needed", misuse.kind_of(given))
    end
    s.evaluations = s.evaluations + 1
    return value
end

local function differences(s, x)
    local list, flat = {}, x:flatten():totable()
    for i, at in ipairs(flat) do
        local h, ends = EPS[x:dtype()] * math.max(1, math.abs(at)), {}
        for k, to in ipairs { at - h, at + h } do
            flat[i] = to
            ends[k] = value_of(s, s.f(x:device():array(flat, x:dtype()):reshape(x:shape())))
        end
        flat[i] = at
        list[i] = (ends[2] - ends[1]) / (2 * h)
    end
    return x:device():array(list, x:dtype()):reshape(x:shape())
end

-- The value and the gradient at x.
local function evaluate(s, x)
    local given, g = s.f(x)
    local value = value_of(s, given)
    if s.gradient == "differences" then
        return value, differences(s, x)
    elseif s.gradient ~= true then
        g = s.gradient(x)
    end
    misuse.check_given("minimize", "the gradient", g, "an array of x's shape")
    if g:dtype() ~= x:dtype() or misuse.shape_of(g) ~= misuse.shape_of(x) then
        raise("the gradient is %s %s; x is %s %s", misuse.shape_of(g), g:dtype(), misuse.shape_of(x), x:dtype())
    end
    return value, g
end

-- ---- the line search ------------------------------------------------------------------------------------------

-- A point of the line: its distance, x, value, gradient, slope, and the gradient's largest element.
local function look(s, from, d, t)
    local p = { t = t, x = ahead(from.x, d, t) }
    p.value, p.gradient = evaluate(s, p.x)
    p.slope, p.largest = slope_of(p.gradient, d)
    return p
end

-- The minimum of the cubic through two points, kept off the ends by a tenth.
local function between(a, b)
    local width = b.t - a.t
    local d1 = a.slope + b.slope - 3 * (a.value - b.value) / -width
    local root = d1 * d1 - a.slope * b.slope
    local t = a.t + width / 2
    if root >= 0 then
        local d2 = math.sqrt(root) * (width > 0 and 1 or -1)
        local cubic = b.t - width * (b.slope + d2 - d1) / (b.slope - a.slope + 2 * d2)
        t = cubic == cubic and cubic or t
    end
    local low, high = math.min(a.t, b.t), math.max(a.t, b.t)
    return math.max(low + 0.1 * (high - low), math.min(high - 0.1 * (high - low), t))
end

-- A point with the strong Wolfe conditions; nil: none was found. Values within rounding are no rise.
local function search(s, from, d, t)
    local slack = s.falls * math.abs(from.value)
    local function rises(p, low)
        local value = p.value
        return value ~= value or value > from.value + DECREASE * p.t * from.slope + slack or value > low.value + slack
    end
    local low, high = from, nil
    for _ = 1, SEARCHES do
        local p = look(s, from, d, t)
        if rises(p, low) then
            high = p
        elseif math.abs(p.slope) <= -CURVATURE * from.slope then
            return p
        elseif high and p.slope * (high.t - low.t) >= 0 or not high and p.slope >= 0 then
            low, high = p, low
        else
            low = p
        end
        if not high then
            t = t * 4
        elseif high.value - high.value ~= 0 then -- the function has no value there
            t = (low.t + high.t) / 2
        else
            t = between(low, high)
        end
    end
    return low.t > 0 and low.value < from.value and low or nil
end

-- ---- steps ----------------------------------------------------------------------------------------------------

-- Minus the inverse of the Hessian, as the kept steps have it, times the gradient: nothing waits.
local function direction(g, kept)
    local q, alphas = g, {}
    for i = #kept, 1, -1 do
        q, alphas[i] = back(q, kept[i].s, kept[i].y, kept[i].rho)
    end
    if #kept > 0 then
        q = q * kept[#kept].scale
    end
    for i, pair in ipairs(kept) do
        q = forth(q, pair.s, pair.y, pair.rho, alphas[i])
    end
    return -q
end

local function keep(s, kept, from, to)
    local pair = { s = to.x - from.x, y = to.gradient - from.gradient }
    pair.rho, pair.scale = curvature(pair.s, pair.y, { out = { from.x:device():zeros({}, from.x:dtype()),
        from.x:device():zeros({}, from.x:dtype()) } })
    kept[#kept + 1] = pair
    if #kept > s.memory then
        table.remove(kept, 1)
    end
end

local function minimize(s, x0)
    local at, kept = { x = x0 }, {}
    at.value, at.gradient = evaluate(s, x0)
    at.largest = select(2, slope_of(at.gradient, at.gradient))
    for iteration = 0, s.max do
        if at.value - at.value ~= 0 or at.largest - at.largest ~= 0 then
            return at, iteration, "the value or the gradient is not finite", false
        elseif at.largest <= s.tol then
            return at, iteration, "the gradient is at most tol", true
        elseif iteration == s.max then
            break
        end
        local d = direction(at.gradient, kept)
        at.slope = slope_of(at.gradient, d)
        if at.slope ~= at.slope or at.slope >= 0 then -- rounding: begin anew
            kept, d = {}, -at.gradient
            at.slope = slope_of(at.gradient, d)
        end
        at.t = 0
        local to = search(s, at, d, #kept > 0 and 1 or math.min(1, 1 / at.largest))
        if not to and #kept > 0 then
            kept = {}
        elseif not to then
            return at, iteration, "no lower value was found along the gradient: rounding, or a wrong gradient", false
        else
            if to.slope > at.slope then
                keep(s, kept, at, to)
            end
            at = to
        end
    end
    return at, s.max, "the limit max of iterations was reached", false
end

-- lun.minimize(f, x0, options)
return function(f, x0, options, ...)
    local s = read(f, x0, options, ...)
    local at, iterations, message, converged = minimize(s, x0:copy())
    return at.x, { value = at.value, iterations = iterations, evaluations = s.evaluations, gradient = at.largest,
        converged = converged, message = message }
end
