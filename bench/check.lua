-- Plain references: whether a result is right, before anybody's time is taken for it.
--
-- `read(from, count)` gives elements of a result as raw bytes, counted from 0: ours and the peers' look the same here.
-- A check raises a text that says what is wrong. Large results are checked at places drawn at random and at their ends.

local data = require "bench.data"

local check = {}

local EPSILON = { f16 = 2.0 ^ -10, f32 = 2.0 ^ -23, f64 = 2.0 ^ -52 }

function check.epsilon(dtype)
    return EPSILON[dtype]
end

local function fail(message, ...)
    error(message:format(...), 0)
end

-- Not so for a NaN.
local function within(err, bound)
    return err <= bound
end

-- `count` places in 0..size-1, the first and the last among them.
local function places(size, count)
    if size <= count then
        local all = {}
        for i = 0, size - 1 do
            all[#all + 1] = i
        end
        return all
    end
    local chosen = { 0, size - 1 }
    while #chosen < count do
        chosen[#chosen + 1] = math.random(0, size - 1)
    end
    return chosen
end

local function product(sizes)
    local count = 1
    for _, size in ipairs(sizes) do
        count = count * size
    end
    return count
end

local function strides(shape)
    local list, step = {}, 1
    for axis = #shape, 1, -1 do
        list[axis] = step
        step = step * shape[axis]
    end
    return list
end

---- Moved data ---------------------------------------------------------------------------------------------

local RUN = 4096 -- elements compared in one go

-- The result of transposing an array of that shape: axis i of the result is axis perm[i] of it.
function check.transposed(read, dtype, shape, perm)
    local bytes, from, sizes = data.block(dtype).bytes, strides(shape), {}
    for i, axis in ipairs(perm) do
        sizes[i] = shape[axis]
    end
    local to, count = strides(sizes), product(shape)
    for _, start in ipairs(places(math.max(1, count - RUN + 1), 64)) do
        local wanted, length = {}, math.min(RUN, count)
        for i = 1, length do
            local rest, place = start + i - 1, 0
            for axis = 1, #sizes do
                place = place + rest // to[axis] * from[perm[axis]]
                rest = rest % to[axis]
            end
            wanted[i] = bytes[place % data.BLOCK]
        end
        if read(start, length) ~= table.concat(wanted) then
            fail("the elements from %d on are wrong", start)
        end
    end
end

function check.copied(read, dtype, count)
    for _, start in ipairs(places(math.max(1, count - RUN + 1), 64)) do
        local length = math.min(RUN, count)
        if read(start, length) ~= data.text(dtype, length, start) then
            fail("the elements from %d on are wrong", start)
        end
    end
end

function check.filled(read, dtype, count, value)
    local wanted = data.pack_all(dtype, { value })
    for _, start in ipairs(places(math.max(1, count - RUN + 1), 64)) do
        local length = math.min(RUN, count)
        if read(start, length) ~= wanted:rep(length) then
            fail("the elements from %d on are wrong", start)
        end
    end
end

-- Random numbers: their mean and variance over a few thousand, within six standard deviations of what these have.
function check.moments(read, dtype, count, mean, variance)
    local n = math.min(count, 8192)
    for _, from in ipairs({ 0, (count - n) // 2, count - n }) do
        local sum, squares = 0, 0
        for _, value in ipairs(data.unpack(dtype, read(from, n))) do
            sum, squares = sum + (value - mean), squares + (value - mean) ^ 2
        end
        if not within(math.abs(sum / n), 6 * math.sqrt(variance / n)) then
            fail("the mean from %d on is %g off", from, sum / n)
        end
        if not within(math.abs(squares / n / variance - 1), 6 * math.sqrt(2 / n)) then
            fail("the variance from %d on is %g, not %g", from, squares / n, variance)
        end
    end
end

---- Reductions ---------------------------------------------------------------------------------------------

-- Sums exactly: the block's floats have at most 48 bits, kept here as two whole numbers of 2^-24 and 2^-48.
local function exact_sum(dtype, start, stride, count)
    local values, high, low = data.block(dtype).values, 0, 0
    local scale = data.is_float(dtype) and 2.0 ^ 24 or 1
    local function add(first, length)
        local sum_high, sum_low = 0, 0
        local at, step = first % data.BLOCK, stride % data.BLOCK
        for _ = 1, length do
            local scaled = values[at] * scale
            local whole = scaled // 1 | 0
            sum_high = sum_high + whole
            sum_low = sum_low + ((scaled - whole) * 16777216 // 1 | 0)
            at = at + step
            if at >= data.BLOCK then
                at = at - data.BLOCK
            end
        end
        return sum_high, sum_low
    end
    local cycles = stride % data.BLOCK ~= 0 and count // data.BLOCK or 0
    if cycles > 0 then
        local sum_high, sum_low = add(0, data.BLOCK) -- any step visits each place of the block once
        high, low = cycles * sum_high, cycles * sum_low
    end
    local sum_high, sum_low = add(start + cycles * data.BLOCK * stride, count - cycles * data.BLOCK)
    return (high + sum_high) / scale, (low + sum_low) / scale / 16777216
end

-- Where the elements that make element `place` of a reduction lie: first, stride, count. axis 0: all.
local function reduced_run(shape, axis, place)
    if axis == 0 then
        return 0, 1, product(shape)
    end
    local inner = strides(shape)[axis]
    return place // inner * inner * shape[axis] + place % inner, inner, shape[axis]
end

local function result_dtype(dtype)
    return dtype == "f16" and "f32" or data.is_float(dtype) and dtype
        or dtype == "u64" and dtype or "i64"
end

-- Gives the largest error in units of eps * sum|x|. `bound`: the largest that is right; without it, what the result of
-- short runs and a tree above them can reach.
function check.sums(read, dtype, shape, axis, bound)
    local kept, worst = axis == 0 and 1 or product(shape) // shape[axis], 0
    local into = result_dtype(dtype)
    for _, place in ipairs(places(kept, 64)) do
        local first, stride, count = reduced_run(shape, axis, place)
        local high, low = exact_sum(dtype, first, stride, count)
        local got = data.unpack(into, read(place, 1))[1]
        if not data.is_float(dtype) then
            if got ~= high then
                fail("sum %d is %d, not %d", place, got, high)
            end
        else
            local err = math.abs(got - high - low) / (EPSILON[into] * (high + low))
            worst = math.max(worst, err)
            if not within(err, bound or math.max(2, math.log(count, 2))) then
                fail("sum %d is %.17g, not %.17g: an error of %.3g eps", place, got, high + low, err)
            end
        end
    end
    return data.is_float(dtype) and worst or nil
end

-- The same of running sums; `bound` is of each in its own sum.
function check.scans(read, dtype, shape, axis, bound)
    local inner, worst, into = strides(shape)[axis], 0, result_dtype(dtype)
    for _, place in ipairs(places(product(shape), 64)) do
        local position = place // inner % shape[axis]
        local high, low = exact_sum(dtype, place - position * inner, inner, position + 1)
        local got = data.unpack(into, read(place, 1))[1]
        local err = math.abs(got - high - low) / (data.is_float(dtype) and EPSILON[into] * (high + low) or 1)
        worst = math.max(worst, err)
        if not within(err, data.is_float(dtype) and (bound or 32 + math.log(position + 1, 2)) or 0) then
            fail("running sum %d is %.17g, not %.17g", place, got, high + low)
        end
    end
    return data.is_float(dtype) and worst or nil
end

function check.extremes(read, op, dtype, shape, axis)
    local values = data.block(dtype).values
    local kept = axis == 0 and 1 or product(shape) // shape[axis]
    for _, place in ipairs(places(kept, 64)) do
        local first, stride, count = reduced_run(shape, axis, place)
        local wanted = values[first % data.BLOCK]
        for i = 1, math.min(count, data.BLOCK) - 1 do
            wanted = math[op](wanted, values[(first + i * stride) % data.BLOCK])
        end
        local got = data.unpack(dtype, read(place, 1))[1]
        if got ~= wanted then
            fail("%s %d is %.17g, not %.17g", op, place, got, wanted)
        end
    end
end

---- Products -----------------------------------------------------------------------------------------------

-- The block's floats of up to 48 bits as whole numbers of 2^-24 and 2^-48.
local halves = {}
local function halves_of(dtype)
    if not halves[dtype] then
        local values, high, low = data.block(dtype).values, {}, {}
        for i = 0, data.BLOCK - 1 do
            local scaled = values[i] * 16777216
            high[i] = scaled // 1 | 0
            low[i] = (scaled - high[i]) * 16777216 // 1 | 0
        end
        halves[dtype] = { high, low }
    end
    return table.unpack(halves[dtype])
end

-- The sum of k products of elements of the block, from x and y on, in two numbers: exact but for what is below 2^-72 of
-- it. Each of the whole sums holds for 2^14 products.
local function exact_dot(dtype, k, x, x_step, y, y_step)
    local high, low = halves_of(dtype)
    local block, top, middle, bottom = data.BLOCK, 0, 0, 0
    for i = 0, k - 1 do
        local a, b = (x + i * x_step) % block, (y + i * y_step) % block
        top, bottom = top + high[a] * high[b], bottom + low[a] * low[b]
        middle = middle + high[a] * low[b] + low[a] * high[b]
    end
    local whole = top / 2.0 ^ 48
    return whole, (top - (whole * 2.0 ^ 48 // 1 | 0)) / 2.0 ^ 48 + middle / 2.0 ^ 72 + bottom / 2.0 ^ 96
end

-- The same of integers, and of floats whose products f64 holds.
local function plain_dot(dtype, k, x, x_step, y, y_step)
    local values, block, sum = data.block(dtype).values, data.BLOCK, 0
    for i = 0, k - 1 do
        sum = sum + values[(x + i * x_step) % block] * values[(y + i * y_step) % block]
    end
    return sum, 0
end

-- shape: batch, m, n, k, and 1 where a or b is stored transposed. Each sum of k products may be off by k roundings.
function check.product(read, dtype, shape)
    local batch, m, n, k, ta, tb = table.unpack(shape)
    local dot = dtype == "f64" and k <= 1 << 14 and exact_dot or plain_dot
    local a_row, a_step = ta == 1 and 1 or k, ta == 1 and m or 1
    local b_column, b_step = tb == 1 and k or 1, tb == 1 and 1 or n
    local into = data.is_float(dtype) and dtype
    for _, place in ipairs(places(batch * m * n, 256)) do
        local matrix, row, column = place // (m * n), place % (m * n) // n, place % n
        local x = matrix * m * k + row * a_row
        local y = matrix * k * n + column * b_column + data.SECOND
        local wanted, rest = dot(dtype, k, x, a_step, y, b_step)
        local scale = math.abs(wanted) -- no number is below 0
        local got = data.unpack(dtype, read(place, 1))[1]
        -- f16 is summed in f32 and rounded once.
        local bound = not into and 0 or dtype == "f16" and (EPSILON.f16 + k * EPSILON.f32) * scale
            or (k + 2) * EPSILON[into] * scale
        if not into then
            wanted = data.unpack(dtype, data.pack_wrapped(dtype, wanted))[1]
        end
        if not within(math.abs(got - wanted - rest), bound) then
            fail("element %d is %.17g, not %.17g", place, got, wanted)
        end
    end
end

---- Gravity ------------------------------------------------------------------------------------------------

-- Accelerations, n x 4, of the bodies that data.bodies gives. A sum of n pulls may be off by about sqrt(n) roundings,
-- and a pull by some more; here sums take along what their roundings lose.
function check.accelerations(read, dtype, count, softening)
    local body = data.unpack(dtype, data.pack_all(dtype, data.bodies(dtype, count)))
    for _, i in ipairs(places(count, math.min(32, math.max(4, 8000000 // count)))) do
        local x, y, z = body[4 * i + 1], body[4 * i + 2], body[4 * i + 3]
        local wanted, lost, scale = { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }
        for j = 0, count - 1 do
            local dx, dy, dz = body[4 * j + 1] - x, body[4 * j + 2] - y, body[4 * j + 3] - z
            local r2 = dx * dx + dy * dy + dz * dz + softening * softening
            local pull = body[4 * j + 4] / (r2 * math.sqrt(r2))
            for axis, d in ipairs({ dx, dy, dz }) do
                local term = d * pull - lost[axis]
                local sum = wanted[axis] + term
                wanted[axis], lost[axis] = sum, sum - wanted[axis] - term
                scale[axis] = scale[axis] + math.abs(d * pull)
            end
        end
        local got = data.unpack(dtype, read(4 * i, 4))
        for axis = 1, 3 do
            local bound = (32 + 4 * math.sqrt(count)) * EPSILON[dtype] * scale[axis]
            if not within(math.abs(got[axis] - wanted[axis]), bound) then
                fail("body %d, axis %d: %.9g, not %.9g", i, axis, got[axis], wanted[axis])
            end
        end
    end
end

return check
