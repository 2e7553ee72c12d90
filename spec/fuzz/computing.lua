-- Random programs: arithmetic, elementwise functions, expressions, reductions, scans and products.

local lun = require "lunarray"
local arranging = require "spec.arranging"
local elementwise = require "spec.elementwise"
local numbers = require "spec.numbers"
local reference = require "spec.reference"

local function sorted(set)
    local list = {}
    for name in pairs(set) do
        list[#list + 1] = name
    end
    table.sort(list)
    return list
end

local UNARY, BINARY = { integer = sorted(elementwise.integer), float = sorted(elementwise.real) },
    { integer = sorted(elementwise.integer2), float = sorted(elementwise.real2) }
local COMPARISONS = sorted(elementwise.comparisons)
local REDUCTIONS = { "sum", "prod", "min", "max", "sumsq", "absmax" }

return function(steps)
    -- Rounded as a dtype is computed in, then as it is stored.
    local function stored(x, dtype)
        if numbers.dtype[dtype].packed then
            x = numbers.round(x, "f32")
        end
        return numbers.round(x, dtype)
    end

    -- A result that is so many units in the last place off, at most: each of `list` stored, and its tolerance.
    local function near(list, ulp, dtype)
        local tolerances, eps = {}, numbers.compute_eps(dtype)
        for i, x in ipairs(list) do
            local own = numbers.dtype[dtype]
            list[i] = stored(x, dtype)
            tolerances[i] = ulp * eps * math.abs(x) + own.eps * math.abs(x) + 2 * own.tiny + 2.0 ^ -126
        end
        return ulp > 0.5 and tolerances or nil
    end

    -- ---- elementwise ----------------------------------------------------------------------------------------------

    function steps.unary(w)
        local m = w:some()
        local list = w.values(m)
        if w.is_float(m) then
            local name = UNARY.float[w.random(1, #UNARY.float)]
            local row = elementwise.real[name]
            local f, ulp, low, high = row[1], row[2], row[3] or -5, row[4] or 5
            if numbers.dtype[m.dtype].packed and ulp == 0.5 then
                ulp = 1 -- of squares f32 rounds too
            end
            for i, x in ipairs(list) do
                if x ~= x or x < low or x > high or (row[5] and ulp > 5) then
                    return
                end
                list[i] = f(x)
            end
            w:gives(m, name, {}, m.dtype, m.shape, list, near(list, (row.slack or 1) * ulp, m.dtype))
        else
            local name = UNARY.integer[w.random(1, #UNARY.integer)]
            for i, x in ipairs(list) do
                list[i] = numbers.wrap(elementwise.integer[name](x, numbers.dtype[m.dtype]), m.dtype)
            end
            w:gives(m, name, {}, m.dtype, m.shape, list)
        end
    end

    local function broadcast_shape(a, b)
        local shape = {}
        for i = math.max(#a, #b) - 1, 0, -1 do
            local x, y = a[#a - i] or 1, b[#b - i] or 1
            if x ~= y and x ~= 1 and y ~= 1 then
                return nil
            end
            shape[#shape + 1] = x == 1 and y or x
        end
        return shape
    end

    -- Two arrays that broadcast together, one of them a number now and then: lists of one shape, in the dtype of both.
    local function operands(w)
        local a = w:some()
        if w:chance(4) then
            local x = w.random(0, 7)
            local list = w.repeated(numbers.cast(x, "i64", a.dtype), #a.places)
            return a, x, w.values(a), list, a.shape, a.dtype
        end
        local b = w:some(function(m)
            local mixed = numbers.dtype[m.dtype].kind ~= numbers.dtype[a.dtype].kind
                and not w.is_float(m) and not w.is_float(a)
            local wide = m.dtype == "u64" or a.dtype == "u64" -- with a signed one its bits are kept: no cast of numbers
            return broadcast_shape(a.shape, m.shape) and not (wide and mixed)
        end)
        local shape = broadcast_shape(a.shape, b.shape)
        if reference.size(shape) > 3000 then
            return
        end
        local dtype, lists = elementwise.promoted(a.dtype, b.dtype), {}
        for i, m in ipairs { a, b } do
            local list = arranging.broadcast(w.plain(m), shape).flat
            for j, x in ipairs(list) do
                list[j] = numbers.cast(x, m.dtype, dtype)
            end
            lists[i] = list
        end
        return a, b, lists[1], lists[2], shape, dtype
    end

    local function operand_of(b)
        return type(b) == "table" and b.array or b
    end

    -- nil where an element would not be what plain Lua gives within `ulp`.
    local function computed(name, x, y, dtype)
        local list, info = {}, numbers.dtype[dtype]
        if info.kind ~= "float" then
            for i = 1, #x do
                list[i] = numbers.wrap(elementwise.integer2[name](x[i], y[i], info), dtype)
            end
            return list
        end
        local row = elementwise.real2[name]
        for i = 1, #x do
            if x[i] ~= x[i] or y[i] ~= y[i] or math.abs(x[i]) > 1e4 or math.abs(y[i]) > 1e4 then
                return
            elseif (y[i] == 0 or math.abs(y[i]) < 1e-3) and name ~= "add" and name ~= "sub" and name ~= "mul" then
                return
            end
            list[i] = row[1](x[i], y[i])
        end
        local exact = name == "minimum" or name == "maximum" or name == "copysign" or name == "fmod"
            or (row[2] == 0.5 and not info.packed and name ~= "mod")
        if (name == "mod" or name == "fmod" or name == "floordiv") and info.kind == "float" then
            return -- whole quotients jump: spec/elementwise/arithmetic_spec.lua has them
        end
        return list, near(list, exact and 0 or math.max(row[2], 1), dtype)
    end

    function steps.binary(w)
        local a, b, x, y, shape, dtype = operands(w)
        if not a then
            return
        end
        local names = numbers.is_float(dtype) and BINARY.float or BINARY.integer
        local name = names[w.random(1, #names)]
        local list, tolerances = computed(name, x, y, dtype)
        if list then
            w:gives(a, name, { operand_of(b), other = type(b) == "table" and b or nil }, dtype, shape, list, tolerances)
        end
    end

    function steps.in_place(w)
        local a = w:some_out()
        local b = w:some_out(a.dtype, a.shape, a) or w.random(0, 5)
        local y = type(b) == "table" and w.values(b) or w.repeated(numbers.cast(b, "i64", a.dtype), #a.places)
        local name = ({ "add", "sub", "mul", "minimum", "maximum" })[w.random(1, 5)]
        local list, tolerances = computed(name, w.values(a), y, a.dtype)
        if list then
            w:ask(nil, a.array, name .. "_", operand_of(b))
            w.assign(a, list)
            if tolerances then
                w:adopt(a, tolerances)
            end
        end
    end

    local OPERATORS = {
        function(a, b) return a + b end, function(a, b) return a - b end, function(a, b) return a * b end,
    }
    local OPERATOR_NAMES = { "add", "sub", "mul" }

    function steps.operator(w)
        local a, b, x, y, shape, dtype = operands(w)
        local which = w.random(1, 3)
        local list, tolerances
        if a then
            list, tolerances = computed(OPERATOR_NAMES[which], x, y, dtype)
        end
        if list then
            w:note("operator ", OPERATOR_NAMES[which], { a.array, operand_of(b), n = 2 })
            local m = w:keep(OPERATORS[which](a.array, operand_of(b)), dtype, shape, list)
            if tolerances then
                w:adopt(m, tolerances)
            end
        end
    end

    function steps.compare(w)
        local a, b, x, y, shape, dtype = operands(w)
        if not a then
            return
        end
        local name, list = COMPARISONS[w.random(1, #COMPARISONS)], {}
        for i = 1, #x do
            local u, v = x[i], y[i]
            local holds
            if u ~= u or v ~= v then
                holds = name == "ne"
            else
                holds = elementwise.comparisons[name](u, v, numbers.dtype[dtype])
            end
            list[i] = holds and 1 or 0
        end
        w:keep(w:ask(nil, a.array, name, operand_of(b)):cast "u8", "u8", shape, list)
    end

    function steps.where(w)
        local m = w:some()
        local mask = w:some_out("u8", m.shape, m)
        if mask then
            local list, other = w.values(m), w.values(mask)
            for i = 1, #list do
                list[i] = other[i] ~= 0 and list[i] or numbers.cast(3, "i64", m.dtype)
            end
            local options = w:options()
            w:keep(w:wait(options, w:module("where", mask.array, m.array, 3, options)), m.dtype, m.shape, list)
        end
    end

    function steps.clamp(w)
        local m = w:some(function(m) return w.is_within(m, math.huge) end)
        if numbers.dtype[m.dtype].kind ~= "unsigned" then
            local list = w.values(m)
            for i, x in ipairs(list) do
                list[i] = numbers.cast(math.max(-2, math.min(3, x)), w.is_float(m) and "f64" or "i64", m.dtype)
            end
            w:gives(m, "clamp", { -2, 3 }, m.dtype, m.shape, list)
        end
    end

    function steps.cast(w)
        local m, dtype = w:some(), w:some_dtype()
        local list = w.values(m)
        for i, x in ipairs(list) do
            list[i] = numbers.cast(x, m.dtype, dtype)
        end
        w:gives(m, "cast", { dtype }, dtype, m.shape, list)
    end

    -- Expressions of few dtypes, since each is a program.
    local twice = lun.fuse(function(x, k) return x * k + 1 end)

    function steps.expression(w)
        local m = w:some(function(m) return m.dtype == "i32" end)
        local k, list, options = w.random(-3, 3), w.values(m), w:options()
        for i, x in ipairs(list) do
            list[i] = numbers.wrap(x * k + 1, "i32")
        end
        local array
        if w:chance(2) then
            array = w:wait(options, w:call(w.dev, "map", "x*k + 1", { x = m.array, k = k }, options))
        else
            array = w:wait(options, twice(m.array, k, options))
        end
        w:keep(array, "i32", m.shape, list)
    end

    function steps.reduced_expression(w)
        -- Where an expression overflows, C does not say what comes.
        local m = w:some(function(m) return m.dtype == "i32" and w.is_within(m, (1 << 30) - 1) end)
        local total, options = 0, w:options()
        for _, x in ipairs(w.values(m)) do
            total = total + x + x
        end
        w.same({ total }, { w:wait(options, w:call(w.dev, "reduce", "sum", "x + x", { x = m.array }, options)) },
            "a sum of an expression")
    end

    -- ---- reductions, scans, products ------------------------------------------------------------------------------

    function steps.reduce(w)
        local m = w:some(function(m) return #m.places > 0 and (not w.is_float(m) or w.is_within(m, 100)) end)
        local name = REDUCTIONS[w.random(1, #REDUCTIONS)]
        if name == "prod" and #m.places > 40 and w.is_float(m) then
            return
        end
        local gone, axes
        local options = w:options { keepdims = w:chance(2) or nil }
        if #m.shape > 0 and w:chance(2) then
            axes = w.random(1, #m.shape)
            gone = { [axes] = true }
            options.axis = axes
        end
        local list, shape, tolerances = reference.reduce(name, w.values(m), m.shape, gone, m.dtype)
        local dtype = reference.reduced_dtype(name, m.dtype)
        if numbers.is_float(dtype) then
            for i, x in ipairs(list) do
                list[i] = numbers.round(x, dtype)
                tolerances[i] = tolerances[i] + numbers.dtype[dtype].eps * math.abs(x)
            end
        end
        if options.keepdims then
            shape = table.move(m.shape, 1, #m.shape, 1, {})
            for axis = 1, #shape do
                shape[axis] = (not gone or gone[axis]) and 1 or shape[axis]
            end
        end
        local result = w:wait(options, w:call(m.array, name, options))
        if lun.type(result) == "array" then
            w:adopt(w:keep(result, dtype, shape, list), tolerances)
        else
            w.same(list, { result }, name, tolerances)
        end
    end

    function steps.counting(w)
        local m = w:some(function(m) return #m.places > 0 end)
        local list, options = w.values(m), w:options()
        local count, best = 0, nil
        for i, x in ipairs(list) do
            count = count + (x ~= 0 and 1 or 0)
            local other = best and list[best]
            local unsigned = numbers.dtype[m.dtype].kind == "unsigned"
            local more = not best
                        or other == other and (x ~= x or unsigned and math.ult(other, x) or not unsigned and x > other)
            best = more and i or best
        end
        local nnz, at, any, all = w:wait(options, w:call(m.array, "reduce", { "nnz", "argmax", "any", "all" }, options))
        w.same({ count, best }, { nnz, at }, "nnz and argmax")
        assert(any == (count > 0) and all == (count == #list), "any or all")
    end

    function steps.matmul(w)
        local function is_matrix(m)
            return #m.shape == 2 and #m.places <= 400 and (not w.is_float(m) or w.is_within(m, 100))
        end
        local a = w:some(is_matrix)
        local b = w:some(function(m) return is_matrix(m) and m.dtype == a.dtype and m.shape[1] == a.shape[2] end)
        local alpha = w.random(1, 3)
        local list, shape, tolerances = reference.matmul(w.values(a), a.shape, w.values(b), b.shape, a.dtype,
            { alpha = alpha })
        local m = w:keep(w:ask({ alpha = alpha }, a.array, "matmul", b.array), a.dtype, shape, list)
        w:adopt(m, tolerances)
    end

    function steps.gravity(w)
        local n = w.random(2, 5)
        local pos = w.dev:array(numbers.small(4 * n, "f32", 3, 1, 50), "f32", { n, 4 })
        local vel = w.dev:zeros { n, 4 }
        local result = w:ask({ dt = 0.125, steps = 2, softening = 1 }, pos, "nbody", vel)
        assert(result == pos and #reference.flatten(pos:totable()) == 4 * n)
        w:call(pos, "energy", vel, { softening = 1 })
        w:call(pos, "gravity", { softening = 1 })
    end
end
