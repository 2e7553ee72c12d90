-- Every variant of every operation gives what the plainest, its last one, gives, at sizes around the edges of groups
-- and chunks. Under Oclgrind (`make test-oclgrind`) with more dtypes and sizes: it sees races, what is read before it
-- was written, and what is touched outside of arrays.

local lun = require "lunarray"
local helper = require "spec.helper"
local numbers = require "spec.numbers"
local reference = require "spec.reference"

local it = helper.one_in(2, it)

-- An array of small whole numbers, of which all sums are exact.
local function some(dev, shape, dtype, seed)
    return helper.array(dev, numbers.small(reference.size(shape), dtype, seed), shape, dtype)
end

local function index(dev, n, most)
    return dev:array(numbers.small(n, "i32", 3, 1, most), "i32")
end

-- What each operation's variants are tried with: functions of device, size, dtype and options, each of which gives one
-- result. A variant may refuse some of them.
local cases = {
    reduce = {
        function(dev, n, dtype, o) return (some(dev, { n, 3 }, dtype):reduce("sum", o)) end,
        function(dev, n, dtype, o) o.axis = 1 return (some(dev, { n, 3 }, dtype):reduce({ "sum", "max" }, o)) end,
        function(dev, n, dtype, o) o.axis = 2 return some(dev, { 3, n }, dtype):reduce("min", o) end,
        function(dev, n, dtype, o) o.axis = 1 return some(dev, { 3, n }, dtype):t():reduce("absmax", o) end,
    },
    scan = {
        function(dev, n, dtype, o) o.axis = 1 return some(dev, { n, 3 }, dtype):cumsum(o) end,
        function(dev, n, dtype, o) o.axis, o.reverse = 2, true return some(dev, { n, 3 }, dtype):t():cummax(o) end,
        function(dev, n, dtype, o) o.exclusive = true return some(dev, { n }, dtype):cumsum(o) end,
    },
    copy = {
        function(dev, n, dtype, o) return some(dev, { n, 6 }, dtype):copy(o) end,
        function(dev, n, dtype, o) return some(dev, { n, 6 }, dtype):t():copy(o) end,
        function(dev, n, dtype, o) return some(dev, { n, 6 }, dtype):slice(nil, { 1, 6, 2 }):copy(o) end,
        function(dev, n, dtype, o) return some(dev, { n, 6 }, dtype):flip(1):copy(o) end,
    },
    fill = {
        function(dev, n, dtype, o) return some(dev, { n }, dtype):fill(3, o) end,
        function(dev, n, dtype, o)
            local a = some(dev, { n, 4 }, dtype)
            a:slice(nil, { 2, 3 }):fill(7, o)
            return a
        end,
        function(dev, n, dtype, o)
            local a = some(dev, { n + 3 }, dtype)
            a:slice({ 2, n + 2 }):fill(5, o)
            return a
        end,
    },
    transpose = {
        function(dev, n, dtype, o) return some(dev, { n, 5 }, dtype):transpose(o) end,
        function(dev, n, dtype, o) return some(dev, { 64, n }, dtype):transpose(o) end,
        function(dev, n, dtype, o) return some(dev, { 2, n, 3 }, dtype):transpose({ 2, 1, 3 }, o) end,
        function(dev, n, dtype, o) return some(dev, { n, 4, 8 }, dtype):transpose({ 2, 1, 3 }, o) end,
    },
    take = {
        function(dev, n, dtype, o) return some(dev, { n }, dtype):take(index(dev, n, n), o) end,
        function(dev, n, dtype, o) return some(dev, { n, 3 }, dtype):take(index(dev, 4, n), 1, o) end,
    },
    put = {
        function(dev, n, dtype, o)
            return some(dev, { n }, dtype):put(index(dev, n, n), some(dev, { n }, dtype, 2), o)
        end,
    },
    add_at = {
        function(dev, n, dtype, o)
            return some(dev, { n }, dtype):add_at(index(dev, n, n), some(dev, { n }, dtype, 2), o)
        end,
    },
    mask = {
        function(dev, n, dtype, o) return some(dev, { n }, dtype):mask(some(dev, { n }, "u8", 2):gt(3), o) end,
    },
    nonzero = {
        function(dev, n, dtype, o) return some(dev, { n }, dtype):nonzero(o) end,
    },
    mask_put = {
        function(dev, n, dtype, o) return some(dev, { n }, dtype):mask_put(some(dev, { n }, "u8", 2):gt(3), 5, o) end,
    },
    sort = {
        function(dev, n, dtype, o) return some(dev, { 3, n }, dtype):sort(o) end,
        function(dev, n, dtype, o) o.descending = true return some(dev, { n }, dtype):sort(o) end,
        function(dev, n, dtype, o) o.axis = 1 return some(dev, { n, 2 }, dtype):sort(o) end,
    },
    argsort = { function(dev, n, dtype, o) return some(dev, { 3, n }, dtype):argsort(o) end },
    topk = { function(dev, n, dtype, o) return (some(dev, { 3, n }, dtype):topk(1, o)) end },
    unique = { function(dev, n, dtype, o) return (some(dev, { n }, dtype):unique(o)) end },
    median = { function(dev, n, dtype, o) return some(dev, { n }, dtype):median(o) end },
    quantile = { function(dev, n, dtype, o) o.axis = 1 return some(dev, { n, 2 }, dtype):quantile(0.25, o) end },
    bincount = {
        function(dev, n, _, o) o.size = 9 return index(dev, n, 9):bincount(o) end,
        function(dev, n, dtype, o)
            o.size, o.weights = 9, some(dev, { n }, dtype)
            return index(dev, n, 9):bincount(o)
        end,
        function(dev, n, _, o) o.size = 5000 return index(dev, n, 5000):bincount(o) end, -- many bins
        function(dev, n, dtype, o)
            o.size, o.weights = 5000, some(dev, { n }, dtype)
            return index(dev, n, 5000):bincount(o)
        end,
    },
    histogram = {
        function(dev, n, dtype, o) o.bins, o.low, o.high = 5, 0, 4 return (some(dev, { n }, dtype):histogram(o)) end,
    },
    matmul = {
        function(dev, n, dtype, o) return some(dev, { n, 7 }, dtype):matmul(some(dev, { 7, n }, dtype), o) end,
        function(dev, n, dtype, o) return some(dev, { 7, n }, dtype):matmul(some(dev, { n, 3 }, dtype), o) end,
        function(dev, n, dtype, o) return some(dev, { 7, n }, dtype):t():matmul(some(dev, { n, 7 }, dtype):t(), o) end,
        function(dev, n, dtype, o) return some(dev, { n, 7 }, dtype):matmul(some(dev, { 7 }, dtype), o) end,
    },
    csr_matmul = {
        function(dev, n, dtype, o)
            local starts, x = dev:arange(1, 3 * n + 1, 3):cast "i32", some(dev, { n }, dtype)
            return some(dev, { 3 * n }, dtype):csr_matmul(starts, index(dev, 3 * n, n), x, o)
        end,
        function(dev, n, dtype, o)
            local starts, x = dev:array({ 1, n + 1, n + 1 }, "i32"), some(dev, { n, 5 }, dtype)
            return some(dev, { n }, dtype):csr_matmul(starts, index(dev, n, n), x, o)
        end,
    },
    fft = {
        function(dev, n, dtype, o) return some(dev, { 20, n }, dtype):fft(o):real() end,
        function(dev, n, dtype, o) return some(dev, { 20, n }, dtype):rfft(o):imag() end,
        function(dev, n, dtype, o)
            o.axis = 1
            return some(dev, { n, 20 }, dtype):cast("c64"):ifft(o):imag()
        end,
        function(dev, n, dtype, o) return some(dev, { 3, n }, dtype):cast("c64"):irfftn(o) end,
        function(dev, n, dtype, o) return some(dev, { 2, 80 * n }, dtype):fft(o):imag() end,
    },
    gravity = {
        function(dev, n, dtype, o) o.softening = 1 return some(dev, { n, 4 }, dtype):gravity(o) end,
    },
    energy = {
        function(dev, n, dtype, o)
            o.softening = 1
            local a = some(dev, { n, 4 }, dtype)
            return (a:energy(a, o))
        end,
    },
    nbody = {
        function(dev, n, dtype, o)
            o.dt, o.steps, o.softening = 0.125, 2, 1
            return some(dev, { n, 4 }, dtype):nbody(dev:zeros({ n, 4 }, dtype), o)
        end,
    },
    map = {
        function(dev, n, dtype, o)
            return dev:map("x + y", { x = some(dev, { n, 3 }, dtype), y = some(dev, { n, 3 }, dtype, 2) }, o)
        end,
        function(dev, n, dtype, o)
            return dev:map("x + y", { x = some(dev, { n, 3 }, dtype), y = some(dev, { 3, n }, dtype, 2):t() }, o)
        end,
        -- Reductions whose states have several fields are reductions of an expression.
        function(dev, n, dtype, o) return (some(dev, { n, 3 }, dtype):reduce({ "argmax", "nnz" }, o)) end,
        function(dev, n, dtype, o) o.axis = 1 return some(dev, { n, 3 }, dtype):argmin(o) end,
        function(dev, n, dtype, o) o.axis = 2 return some(dev, { 3, n }, dtype):reduce("all", o) end,
    },
    random = { function(dev, n, _, o) o.seed = 3 return dev:random({ n }, o) end },
    randint = { function(dev, n, _, o) o.seed = 3 return dev:randint({ n }, 1, 9, "i8", o) end },
    normal = { function(dev, n, _, o) o.seed = 3 return dev:normal({ n }, o) end },
}

-- Operations that round: of floats alone, and near each other. Those of much work for each element, and
-- those that are built for each size, at fewer sizes.
local FLOATS = { fft = true, gravity = true, nbody = true, energy = true, normal = true }
local BODIES = { 1, 2, 31, 64, 65 }
local SMALL = { matmul = { 1, 2, 15, 16, 17, 33, 65 }, gravity = BODIES, nbody = BODIES, energy = BODIES,
    fft = { 1, 2, 5, 16, 17, 60 } }
local EDGES = { 1, 2, 3, 15, 16, 17, 63, 64, 65, 255, 256, 257, 700 }

local function flat(value)
    return lun.type(value) == "array" and helper.flat(value) or { value }
end

-- How far results of n elements may be apart: bodies feel n others, each through some 16 roundings, and their sums are
-- below 64 n.
local function tolerance(name, n)
    return FLOATS[name] and (n + 16) * 2 ^ -23 * 64 * n or 0
end

helper.each_device(function(dev, title)
    local thorough = title:find "Oclgrind" ~= nil
    local names = {}
    for name in pairs(cases) do
        names[#names + 1] = name
    end
    table.sort(names)
    for _, name in ipairs(names) do
        it(("%s on %s gives what plain gives, in every variant #oclgrind"):format(name, title), function()
            local dtypes = not thorough and { "f32" } or FLOATS[name] and { "f32" } or { "f32", "i8", "f16", "i64" }
            local sizes = not thorough and { 17 } or SMALL[name] or EDGES
            for _, case in ipairs(cases[name]) do
                for _, dtype in ipairs(dtypes) do
                    for _, n in ipairs(sizes) do
                        local variants = dev:variants(name)
                        local expected = flat(case(dev, n, dtype, { variant = variants[#variants] }))
                        for _, variant in ipairs(variants) do
                            helper.can(function()
                                helper.check_list(expected, flat(case(dev, n, dtype, { variant = variant })),
                                    tolerance(name, n), ("%s, %s, %d elements"):format(variant, dtype, n))
                            end)
                        end
                    end
                end
            end
        end)
    end
end)
