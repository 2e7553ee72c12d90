-- Digital filters: designs, lun.butter and lun.cheby1; the response, lun.freqz; filters forward and backward,
-- a:filtfilt and a:sosfiltfilt. Coefficients are lists of Lua's numbers, and the formulas are SciPy's.

local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"
local raise, kind_of = misuse.raise, misuse.kind_of

local function each(list, f)
    local made = {}
    for i, x in ipairs(list) do
        made[i] = f(x)
    end
    return made
end

-- ---- designs: zeros, poles and a gain -------------------------------------------------------------------------------

local function real(z) return math.type(z) and z or z.re end
local function size(z) return math.type(z) and math.abs(z) or z:abs() end

local function product(list, f)
    local made = core.complex(1)
    for _, x in ipairs(list) do
        made = made * f(x)
    end
    return made
end

local function fill(list, count, value)
    for _ = 1, count do
        list[#list + 1] = value
    end
    return list
end

-- Of the analog lowpass filter of cutoff 1 the one with these cutoffs, of which one is there twice.
local function transform(p, k, kind, low, high)
    local n, two, inverted = #p, low < high, kind == "highpass" or kind == "bandstop"
    local middle, scale, z = (low * high) ^ 0.5, two and (high - low) / 2 or low, {}
    k = k * (inverted and real(1 / product(p, function(x) return -x end)) or (two and 2 * scale or scale) ^ n)
    p = each(p, function(x) return inverted and scale / x or scale * x end)
    for i = 1, two and n or 0 do
        local root = core.sqrt(p[i] * p[i] - middle * middle)
        p[i], p[n + i] = p[i] + root, p[i] - root
    end
    if kind == "bandstop" then
        fill(fill(z, n, core.complex(0, middle)), n, core.complex(0, -middle))
    elseif kind ~= "lowpass" then
        fill(z, n, 0.0)
    end
    return z, p, k
end

-- The digital filter of an analog one, by the bilinear transform at 2 samples a second.
local function sampled(z, p, k)
    local function below(x) return 4 - x end
    local function place(x) return (4 + x) / (4 - x) end
    return fill(each(z, place), #p - #z, -1.0), each(p, place), k * real(product(z, below) / product(p, below))
end

local function polynomial(roots, factor)
    local made = { core.complex(1) }
    for n, root in ipairs(roots) do
        for i = n + 1, 2, -1 do
            made[i] = (made[i] or 0) - root * made[i - 1]
        end
    end
    return each(made, function(x) return factor * real(x) end)
end

-- One of each pair of conjugates, and what is real as numbers.
local function halved(list)
    local made = {}
    for _, x in ipairs(list) do
        local flat = math.type(x) or math.abs(x.im) <= 2.0 ^ -45 * x:abs()
        made[#made + 1] = flat and real(x) or x.im > 0 and x or nil
    end
    return made
end

-- Second-order sections: pairs of poles with the zeros next to them, those next to the unit circle last.
local function sections(z, p, k)
    local rows = {}
    local function take(list, distance, like)
        local best
        for i, x in ipairs(list) do
            if (not like or math.type(x)) and (not best or distance(x) < distance(list[best])) then
                best = i
            end
        end
        return table.remove(list, best)
    end
    local function from_circle(x) return math.abs(1 - size(x)) end
    local odd = #p % 2
    z, p = halved(fill(z, odd, 0.0)), halved(fill(p, odd, 0.0))
    while #p > 0 do
        local p1 = take(p, from_circle)
        local function from_pole(x) return size(x - p1) end
        local p2 = math.type(p1) and take(p, from_circle, true) or p1:conj()
        local z1 = take(z, from_pole)
        local z2 = math.type(z1) and take(z, from_pole, true) or z1:conj()
        table.insert(rows, 1, { 1.0, -real(z1 + z2), real(z1 * z2), 1.0, -real(p1 + p2), real(p1 * p2) })
    end
    for i = 1, 3 do
        rows[1][i] = k * rows[1][i]
    end
    return rows
end

-- Poles on an ellipse with these half axes.
local function poles(n, across, along)
    local p = {}
    for i = 1, n do
        local angle = math.pi * (2 * i - n - 1) / (2 * n)
        p[i] = core.complex(-across * math.cos(angle), -along * math.sin(angle))
    end
    return p
end

local function read_rate(name, rate, missing)
    if rate ~= nil and not (math.type(rate) and rate > 0) then
        raise(name, "option 'rate': a number above 0 is needed, got %s", kind_of(rate))
    end
    return rate or missing
end

local function read_cutoffs(name, place, cutoff, options)
    local list, rate = misuse.is_table(cutoff) and cutoff or { cutoff }, read_rate(name, options.rate, 2)
    local known = ({ { "lowpass", "highpass" }, { "bandpass", "bandstop" } })[#list]
    local low, high, kind = list[1], list[#list], options.type or known and known[1]
    if not (known and math.type(low) and math.type(high) and low > 0 and high < rate / 2
        and (#list == 1 or low < high)) then
        raise(name, "argument %d: a cutoff, or a list of two that ascend, between 0 and half the rate (1, unless rate "
            .. "is given), is needed, got %s", place,
            known and table.concat(each(list, kind_of), ", ") or kind_of(cutoff))
    elseif kind ~= known[1] and kind ~= known[2] then
        raise(name, "option 'type': of %d cutoff%s, %s or %s is needed, got %s", #list, #list == 1 and "" or "s",
            known[1], known[2], misuse.value_of(kind))
    end
    return kind, 4 * math.tan(math.pi * low / rate), 4 * math.tan(math.pi * high / rate)
end

local function design(name, order, ripple, cutoff, options)
    local place, n, p, k = ripple and 3 or 2, misuse.whole(order), nil, 1
    options = misuse.check_options(name, place + 1, options, { "type", "rate", "output" })
    if not n or n < 1 then
        raise(name, "argument 1: an order (a whole number from 1) is needed, got %s", kind_of(order))
    elseif options.output ~= nil and options.output ~= "ba" and options.output ~= "sos" then
        raise(name, "option 'output': \"sos\" or \"ba\" is needed, got %s", misuse.value_of(options.output))
    end
    if ripple then
        local epsilon = (10 ^ (0.1 * ripple) - 1) ^ 0.5
        local grown = (1 / epsilon + (1 / epsilon ^ 2 + 1) ^ 0.5) ^ (1 / n)
        p = poles(n, (grown - 1 / grown) / 2, (grown + 1 / grown) / 2)
        k = real(product(p, function(x) return -x end)) / (n % 2 == 0 and (1 + epsilon ^ 2) ^ 0.5 or 1)
    end
    local z
    z, p, k = sampled(transform(p or poles(n, 1, 1), k, read_cutoffs(name, place, cutoff, options)))
    if options.output == "ba" then
        return polynomial(z, k), polynomial(p, 1)
    end
    return sections(z, p, k)
end

function core.butter(order, cutoff, options, ...)
    misuse.check_dot("butter", order)
    misuse.check_end("butter", 3, ...)
    return design("butter", order, nil, cutoff, options)
end

function core.cheby1(order, ripple, cutoff, options, ...)
    misuse.check_dot("cheby1", order)
    misuse.check_end("cheby1", 4, ...)
    if not math.type(ripple) or ripple ~= ripple or ripple <= 0 then
        raise("cheby1", "argument 2: a ripple in dB, above 0, is needed, got %s", kind_of(ripple))
    end
    return design("cheby1", order, ripple, cutoff, options)
end

-- ---- filters that are given ---------------------------------------------------------------------------------------

local function read_list(name, place, given)
    local list = core.type(given) == "array" and misuse.check_array(name, place, given):totable() or given
    return misuse.is_table(list) and list[1] and list
        or raise(name, "%s: a list of coefficients is needed, got %s", place, kind_of(given))
end

local function read_numbers(name, place, given, count)
    local list = read_list(name, place, given)
    for i = 1, count or #list do
        if not math.type(list[i]) then
            raise(name, "%s: element %d: a real number is needed, got %s", place, i, kind_of(list[i]))
        end
    end
    return list
end

-- Pairs of lists, b and a: of each section, or of both lists; and how many lists there were.
local function read_filter(name, first, second)
    local rows = read_list(name, "argument 1", first)
    if type(rows[1]) ~= "table" then
        return { { read_numbers(name, "argument 1", rows), read_numbers(name, "argument 2", second) } }, 2
    end
    local pairs_of = {}
    for i, row in ipairs(rows) do
        row = read_numbers(name, ("argument 1, row %d"):format(i), row, 6)
        pairs_of[i] = { { table.unpack(row, 1, 3) }, { table.unpack(row, 4, 6) } }
    end
    return pairs_of, 1
end

-- The states after ones for a long time, and what comes out for each of them.
local function settled(b, a, scale)
    local sums, states, kept, count = { 0, 0 }, {}, 0, math.max(#a, #b)
    for k = 1, count do
        sums[1], sums[2] = sums[1] + (b[k] or 0), sums[2] + (a[k] or 0)
    end
    local gain = sums[1] / sums[2]
    for k = count, 2, -1 do
        kept = kept + ((b[k] or 0) - (a[k] or 0) * gain) / a[1]
        states[k - 1] = scale * kept
    end
    return states, scale * gain
end

-- A view of a range of the last axis.
local function last(a, ...)
    local ranges = {}
    ranges[a:ndim()] = { ... }
    return a:slice(table.unpack(ranges, 1, a:ndim()))
end

-- Forward and backward; `edge` numbers before and behind are those within, turned about the ends.
local function both_ways(name, place, x, options, edge, states, filter)
    options = misuse.check_options(name, place, options, { "axis", "padlen" })
    local facts, wide = core.dtypes()[x:dtype()], x:device():info().fp64 and "f64" or "f32"
    local y = core._named(name, x.moveaxis)(x, options.axis or -1, -1)
    local n, pad = select(y:ndim(), y:shape()), options.padlen or edge
    if not misuse.whole(pad) or pad < 0 or pad >= n then
        raise(name, "padlen is %s, and the signal has %d numbers: a whole number from 0 to %d is needed", kind_of(pad),
            n, n - 1)
    end
    y = y:cast(facts.pairs and core.promoted(wide, core.i) or wide)
    if pad > 0 then
        y = core.concat({ 2 * last(y, 1, 1) - last(y, pad + 1, 2, -1), y,
            2 * last(y, n, n) - last(y, n - 1, n - pad, -1) }, -1)
    end
    states = states and y:device():array(states, wide)
    for _ = 1, 2 do
        y = filter(y, states and { zi = states * last(y, 1, 1) } or nil):flip(-1)
    end
    return last(y, pad + 1, pad + n):moveaxis(-1, options.axis or -1):cast(facts.whole and wide or x:dtype())
end

core._method("filtfilt", function(x, b, a, options, ...)
    misuse.check_array("filtfilt", "self", x)
    misuse.check_end("filtfilt", 3, ...)
    b, a = read_numbers("filtfilt", "argument 1", b), read_numbers("filtfilt", "argument 2", a)
    local count, states = math.max(#a, #b), settled(b, a, 1)
    return both_ways("filtfilt", 3, x, options, 3 * count, count > 1 and states, function(y, zi)
        return (y:lfilter(b, a, zi))
    end)
end)

core._method("sosfiltfilt", function(x, sos, options, ...)
    misuse.check_array("sosfiltfilt", "self", x)
    misuse.check_end("sosfiltfilt", 2, ...)
    local rows, states, scale, short = read_list("sosfiltfilt", "argument 1", sos), {}, 1, { 0, 0 }
    rows = type(rows[1]) == "table" and rows or { rows }
    for i, ba in ipairs(read_filter("sosfiltfilt", rows)) do
        states[i], scale = settled(ba[1], ba[2], scale)
        for _ = 2, x:ndim() do
            states[i] = { states[i] }
        end
        short = { short[1] + (ba[1][3] == 0 and 1 or 0), short[2] + (ba[2][3] == 0 and 1 or 0) }
    end
    local edge = 3 * (2 * #rows + 1 - math.min(short[1], short[2]))
    return both_ways("sosfiltfilt", 2, x, options, edge, states, function(y, zi)
        return (y:sosfilt(rows, zi))
    end)
end)

-- lun.freqz(b, a, options) and lun.freqz(sections, options): the response and its frequencies.
function core.freqz(b, ...)
    misuse.check_dot("freqz", b)
    local factors, used = read_filter("freqz", b, (...))
    local options = misuse.check_options("freqz", used + 1, select(used, ...), { "n", "whole", "rate" })
    misuse.check_end("freqz", used + 1, select(used + 1, ...))
    local n, device, dtype, h = options.n or 512, core.device(), core.default_dtype(), 1
    local rate = read_rate("freqz", options.rate, 2 * math.pi)
    if not misuse.whole(n) or n < 1 then
        raise("freqz", "option 'n': a whole number from 1 is needed, got %s", kind_of(n))
    end
    local wide = device:info().fp64 and "f64" or "f32"
    local w = device:arange(0, n - 1, { dtype = wide }) * ((options.whole and 2 or 1) * math.pi / n)
    local z = core.complex(w:cos(), -w:sin())
    for _, ba in ipairs(factors) do
        ba = each(ba, function(row) return device:array(row, wide):flip():polyval(z) end)
        h = ba[1] / ba[2] * h
    end
    return h:cast(core.promoted(dtype, core.i)), (w * (rate / (2 * math.pi))):cast(dtype)
end
