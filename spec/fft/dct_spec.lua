-- Cosine and sine transforms, against sums by their formulas in plain Lua.

local helper = require "spec.helper"
local lun = require "lunarray"
local numbers = require "spec.numbers"
local reference = require "spec.reference"

local EPS = { f32 = 2 ^ -24, f64 = 2 ^ -53 }

local function cosine(m, n) return (reference.root(m, n)) end
local function sine(m, n) return select(2, reference.root(m, n)) end

-- The factor of x[j] in y[k], j and k from 0, and the number of them that norms divide by.
local FACTORS = {
    dct = {
        function(j, k, n)
            local end_of_line = j == 0 or j == n - 1
            return (end_of_line and 1 or 2) * cosine(j * k, 2 * (n - 1))
        end,
        function(j, k, n) return 2 * cosine(k * (2 * j + 1), 4 * n) end,
        function(j, k, n) return (j == 0 and 1 or 2) * cosine(j * (2 * k + 1), 4 * n) end,
        function(j, k, n) return 2 * cosine((2 * k + 1) * (2 * j + 1), 8 * n) end,
    },
    dst = {
        function(j, k, n) return 2 * sine((k + 1) * (j + 1), 2 * (n + 1)) end,
        function(j, k, n) return 2 * sine((k + 1) * (2 * j + 1), 4 * n) end,
        function(j, k, n)
            local last = j == n - 1
            return (last and 1 or 2) * sine((2 * k + 1) * (j + 1), 4 * n)
        end,
        function(j, k, n) return 2 * sine((2 * k + 1) * (2 * j + 1), 8 * n) end,
    },
}
local INVERSE = { 1, 3, 2, 4 }

local function counted(name, type, n)
    if type == 1 then
        return name == "dct" and 2 * (n - 1) or 2 * (n + 1)
    end
    return 2 * n
end

local function direct(name, type, list, scale)
    local n, made, factor = #list, {}, FACTORS[name][type]
    for k = 0, n - 1 do
        local sum, lost = 0.0, 0.0
        for j = 0, n - 1 do
            sum, lost = reference.plus(sum, lost, list[j + 1] * factor(j, k, n))
        end
        made[k + 1] = (sum + lost) * scale
    end
    return made
end

local some = numbers.fractions

helper.each_device(function(dev, title)
    local dtypes = dev:info().fp64 and { "f32", "f64" } or { "f32" }

    describe("cosine and sine transforms on " .. title, function()
        local function each_kind(f)
            for _, name in ipairs { "dct", "dst" } do
                for type = 1, 4 do
                    f(name, type, name == "dct" and type == 1 and 2 or 1)
                end
            end
        end

        it("are the sums of their formulas", function()
            each_kind(function(name, type, least)
                for _, n in ipairs { least, 2, 3, 4, 5, 8, 9, 15, 16, 17, 30, 67, 128 } do
                    local list = some(n, n)
                    for _, dtype in ipairs(dtypes) do
                        local a, most = helper.array(dev, list, { n }, dtype), 4 * EPS[dtype] * n
                        helper.check_array(a[name](a, { type = type }), dtype, { n }, direct(name, type, list, 1), most)
                        local by = "i" .. name
                        helper.check_array(a[by](a, { type = type }), dtype, { n },
                            direct(name, INVERSE[type], list, 1 / counted(name, type, n)), most)
                    end
                end
            end)
            local a = helper.array(dev, some(12, 1), { 12 }, "f32")
            assert.same(a:dct({ type = 2 }):totable(), a:dct():totable())
            assert.same(a:idst({ type = 2 }):totable(), a:idst():totable())
        end)

        it("divide as norm says, and are undone", function()
            each_kind(function(name, type)
                for _, n in ipairs { 6, 7, 40 } do
                    local list = some(n, type)
                    local a, all = helper.array(dev, list, { n }, "f32"), counted(name, type, n)
                    local forward = { type = type, norm = "forward" }
                    helper.check_array(a[name](a, forward), "f32", { n }, direct(name, type, list, 1 / all),
                        EPS.f32 * n)
                    helper.check_array(a["i" .. name](a, forward), "f32", { n }, direct(name, INVERSE[type], list, 1),
                        4 * EPS.f32 * n)
                    for _, norm in ipairs { "backward", "ortho", "forward" } do
                        local made = a[name](a, { type = type, norm = norm })
                        helper.check_array(made["i" .. name](made, { type = type, norm = norm }), "f32", { n }, list,
                            16 * EPS.f32)
                        if norm == "ortho" then -- a turn: lengths stay
                            local squares = 0.0
                            for i = 1, n do
                                squares = squares + list[i] * list[i]
                            end
                            assert.is_true(math.abs(made:sumsq() - squares) < 64 * EPS.f32 * squares)
                        end
                    end
                end
            end)
        end)

        it("take any axis, view, length and batch", function()
            local list = some(60, 3)
            local a = helper.array(dev, list, { 3, 5, 4 }, "f32")
            local reversed = a:flip():copy():flip()
            local columns = a:transpose({ 3, 1, 2 }):copy():transpose { 2, 3, 1 }
            each_kind(function(name, type)
                for axis = 1, 3 do
                    for _, n in ipairs { 2, 3, 4, 5, 9, 16 } do
                        local expected = {}
                        local size, shape = ({ 3, 5, 4 })[axis], { 3, 5, 4 }
                        shape[axis] = n
                        local apart = ({ 20, 4, 1 })[axis]
                        local made_apart = apart * n
                        for first = 0, 59 do
                            if first // apart % size == 0 then
                                local line = {}
                                for j = 1, n do
                                    line[j] = j <= size and list[first + (j - 1) * apart + 1] or 0.0
                                end
                                local outer, beside = first // (apart * size), first % apart
                                for k, y in ipairs(direct(name, type, line, 1)) do
                                    expected[outer * made_apart + (k - 1) * apart + beside + 1] = y
                                end
                            end
                        end
                        for _, from in ipairs { a, reversed, columns } do
                            helper.check_array(from[name](from, { type = type, axis = axis, n = n }), "f32", shape,
                                expected, 8 * EPS.f32 * n)
                        end
                    end
                end
            end)
        end)

        it("transform long lines", function()
            local n = 5000
            local a = dev:normal({ 2, n })
            each_kind(function(name, type)
                local there = a[name](a, { type = type, norm = "ortho" })
                assert.is_true((there["i" .. name](there, { type = type, norm = "ortho" }) - a):absmax() < 64 * EPS.f32)
                assert.is_true(math.abs(there:norm() / a:norm() - 1) < 16 * EPS.f32)
            end)
        end)

        it("take both parts of complex numbers, out, queues, and nothing", function()
            local re, im = some(21, 1), some(21, 2)
            local z = helper.array(dev, re, { 3, 7 }, "f32") + helper.array(dev, im, { 3, 7 }, "f32") * lun.i
            each_kind(function(name, type)
                local made = z[name](z, { type = type, axis = 1 })
                for _, part in ipairs { "real", "imag" } do
                    local x = z[part](z):copy()
                    assert.same(x[name](x, { type = type, axis = 1 }):totable(), made[part](made):totable())
                end
                local out = dev:zeros({ 7, 3 }, "c64"):t()
                local event = z[name](z, { type = type, axis = 1, out = out, async = true, queue = dev:queue() })
                assert.is_true((event:get() - made):abs():max() == 0)
            end)
            local empty = dev:zeros { 0, 4 }
            assert.same({ 0, 4 }, { empty:dct():shape() })
            assert.same({ 0, 6 }, { empty:idst({ n = 6 }):shape() })
            local lines = dev:ones { 3, 8 }
            lines:set(0 / 0, 2, 3)
            assert.same({ 0, 8, 0 }, lines:dct({ type = 4 }):isnan():nnz({ axis = 2 }):totable())
        end)

        it("refuse what they cannot transform", function()
            local a = dev:ones { 4 }
            helper.refused("dct: unknown type 5; known are 1, 2, 3, 4", a, { type = 5 })
            helper.refused("idst: unknown type 0", a, { type = 0 })
            helper.refused("dct: cosine transforms of type 1 need at least 2 numbers, and n is 1",
                a, { type = 1, n = 1 })
            helper.refused("dst: unknown norm 'unit'", a, { norm = "unit" })
            helper.refused("idct: the array has no axes", dev:full({}, 1))
            helper.refused("dct: axis 1 has no elements", dev:zeros { 0 })
            helper.refused("dst: axis 3 is out of range", a, { axis = 3 })
            helper.refused("dct: n is -1; at least 1 is needed", a, { n = -1 })
            helper.refused("dct: out is f64", a, { out = dev:zeros({ 4 }, "f64") })
            helper.refused("dct: out overlaps an input", a, { out = a })
        end)
    end)
end)
