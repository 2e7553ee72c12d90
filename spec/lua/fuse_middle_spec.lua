-- Reductions in the midst of fused functions: what is computed with them is what the operators give.

local lun = require "lunarray"
local helper = require "spec.helper"

local it = helper.one_in(3, it)

helper.describe_each_device("fuse", function(dev)
    local x = dev:random({ 5, 7 }, { seed = 1 })

    -- Raises unless the fused function gives what it gives of arrays, but for some roundings.
    local function check_variant(f, variant, ...)
        local given = table.pack(...)
        given[given.n + 1] = { variant = variant }
        local wanted, got = { f(...) }, { lun.fuse(f)(table.unpack(given, 1, given.n + 1)) }
        assert.equal(#wanted, #got)
        for i, value in ipairs(wanted) do
            if lun.type(value) == "array" then
                assert.same({ value:dtype(), value:shape() }, { got[i]:dtype(), got[i]:shape() })
                local most = value:abs():max()
                helper.check_list(helper.flat(value), helper.flat(got[i]), most * 2 ^ -18)
            else
                helper.check_number(value, got[i], math.abs(value) * 2 ^ -18)
            end
        end
    end
    local function check(f, ...) check_variant(f, nil, ...) end

    it("computes with reductions along axes, kept or not", function()
        check(function(a) return a - a:mean { axis = 1, keepdims = true }, a + 2 * a:sum { axis = 1 } end, x)
        check(function(a)
            local e = (a - a:max { axis = 2, keepdims = true }):exp()
            return e / e:sum { axis = 2, keepdims = true }
        end, x)
        check(function(a) return a - a:median { axis = 1, keepdims = true } end, x)
        check(function(a) return a:gt(0.5):all({ axis = 1 }):where(a, -a) end, x)
    end)

    it("computes with reductions of all elements, which are numbers", function()
        check(function(a) return (a - a:mean()) / a:std() end, x)
        check(function(a) return 3 - a:sum() + a, -a:max() * a end, x)
        check(function(a) return a - a:mean(), a - a:mean { axis = 1 } end, (x * 10):cast("i32"))
        check(function(a) return -a:max() end, x)
    end)

    it("reduces what reductions went into, and gives reductions that others are computed with", function()
        check(function(a) return (a - a:mean { axis = 1 }):square():sum { axis = 1 } end, x)
        check(function(a) return a / a:max({ axis = 1 }):max() end, x)
        check(function(a)
            local m = a:mean()
            return m, ((a - m) ^ 2):sum() / 34, 1 * a
        end, x)
        check(function(a)
            local m, v = a:mean { axis = 2, keepdims = true }, a:var { axis = 2, keepdims = true }
            return (a - m) * (v + 1e-5):rsqrt(), m
        end, x)
    end)

    -- The kernels that ran, sorted.
    local function kernels_of(f, ...)
        local profile, names = lun.profile(f, ...), {}
        for _, row in ipairs(profile.rows) do
            for _, kernel in ipairs(row.kernels) do names[#names + 1] = kernel.kernel end
        end
        table.sort(names)
        return table.concat(names, " ")
    end

    describe("of rows of neighbours", function()
        local rows, wide = { axis = -1, keepdims = true }, dev:random({ 6, 200 }, { seed = 3, low = -4, high = 4 })
        local part = wide:slice({ 1, 6, 2 }, { 4, 153 }) -- 3 rows of 150
        local f64 = dev:info().fp64 and "f64" or "f32"

        -- By what is the device's own, and as GPUs do it.
        local function check_both(f, ...)
            check(f, ...)
            check_variant(f, "gpu", ...)
        end

        it("is one kernel", function()
            local f = lun.fuse(function(a) return a / a:absmax(rows) end)
            local out, kind = dev:zeros { 6, 200 }, dev:info().type
            f(wide, { out = out })
            if kind == "cpu" or kind == "gpu" then
                assert.equal("fused_" .. kind, kernels_of(f, wide, { out = out }))
                assert.equal("fused_gpu", kernels_of(f, wide, { out = out, variant = "gpu" }))
                assert.is_nil(kernels_of(f, wide, { out = out, variant = "plain" }):find "fused")
                assert.is_nil(kernels_of(f, wide:t(), { out = out:t() }):find "fused")
            end
        end)

        it("has rows of any length on a GPU, alone or several to a group, in place too", function()
            local function f(a)
                local e = (a - a:max(rows)):exp()
                return e / e:sum(rows)
            end
            for _, shape in ipairs { { 70, 5 }, { 33, 65 }, { 2, 1500 }, { 3, 5000 },
                { 4 * dev:info().units, 8200 } } do
                local a = dev:random(shape, { seed = 5, low = -4, high = 4 })
                local off = f(a)
                lun.fuse(f)(a, { out = a, variant = "gpu" })
                assert.is_true((a - off):abs():max() < 2 ^ -18)
            end
        end)

        it("keeps what takes long, and gives several results", function()
            check_both(function(a, g, n)
                local m, v, e = a:mean(rows), a:var(rows), (a - a:max(rows)):exp()
                return (a - m) * (v + n):rsqrt() * g, e / e:sum(rows) + e:mean(rows)
            end, part, dev:random({ 150 }, { seed = 2 }), 0.25)
        end)

        it("rounds what is reduced to its dtype, and takes integers", function()
            check_both(function(a, b)
                local s = b:sum(rows)
                return a:max(rows) - a, (b * s - b:argmax(rows)):cast("f16"), (b + a):gt(3):any(rows):where(b, s)
            end, part:cast("f16"), (part * 10):cast("i32"))
        end)

        it("takes variances of what overflows", function()
            local large = f64 == "f64" and 1e300 or 1e38
            local a = dev:array({ -large, large, large, -large }, f64):tile { 2, 9 }
            for _, variant in ipairs { "gpu", dev:info().type == "cpu" and "cpu" or "plain" } do
                local made = lun.fuse(function(v) return v / v:std(rows) end)(a, { variant = variant })
                helper.check_list(helper.flat((a / large)), helper.flat(made), 2 ^ -18)
            end
        end)

        it("is the passes where bits count", function()
            local exact = { axis = -1, keepdims = true, reproducible = true }
            local function f(a) return a - a:mean(exact) end
            assert.same(helper.flat(f(part)), helper.flat(lun.fuse(f)(part)))
        end)
    end)

    it("makes each reduction anew at each call, into out too", function()
        local f = lun.fuse(function(a) return a - a:max() end)
        for k = 1, 3 do
            helper.check_array(f(dev:array { 0, k, 2 * k }), "f32", { 3 }, { -2.0 * k, -1.0 * k, 0.0 })
        end
        local into = dev:zeros { 3 }
        f(dev:array { 1, 2, 4 }, { out = into })
        helper.check_array(into, "f32", { 3 }, { -3.0, -2.0, 0.0 })
    end)

    it("plans reductions that keep their axes, whatever goes into them", function()
        check(function(a)
            local rows = { axis = -1, keepdims = true }
            return (a - a:mean(rows)) / a:std(rows)
        end, x)
        check(function(a, g)
            local m, v = a:mean { axis = 2, keepdims = true }, a:var { axis = 2, keepdims = true }
            return (a - m) * (v + 1e-5):rsqrt() * g + 1, (a - m):abs() / a:absmax { axis = 2, keepdims = true }
        end, x, dev:random({ 7 }, { seed = 2 }))
        check(function(a)
            local v = { axis = 1, keepdims = true, ddof = 1 }
            return (a - a:var(v)) / (a * 2):std(v)
        end, x)
        check(function(a)
            local first = { axis = 1, keepdims = true }
            return a - (a - a:argmax(first)):square():sum(first):sqrt() * a:prod(first)
        end, x)
        check(function(a)
            return a - a:max { axis = 1, keepdims = true } + a:max { axis = 2, keepdims = true }
        end, x)
        check(function(a, b, c, d, e) -- more than one kernel reduces
            local rows, all = { axis = 2, keepdims = true }, (a * b):max { axis = 2, keepdims = true }
            for _, each in ipairs { a, b, c, d, e } do all = all + each / each:max(rows) end
            return all
        end, x, x + 1, x + 2, x + 3, x + 4)
        check(function(a) return a / a:sum { keepdims = true } end, (x * 10):cast("i32"))
        check(function(a) return (a - a:min { axis = { 1, 3 }, keepdims = true }):cast("f16") end,
            x:reshape(5, 1, 7):cast("f16"))
    end)

    it("reduces what has other shapes, many arrays, many times, and casts", function()
        local rows = { axis = -1, keepdims = true }
        check(function(a, b) return a - a:sum(rows) - b:sum(rows) end, x, x:slice { 1, 1 })
        check(function(a, b) return a / a:sum(rows) + b / b:sum(rows) end, x, x:slice { 1, 1 })
        local ten = {}
        for i = 1, 10 do ten[i] = x + i end
        check(function(...)
            local all = 0
            for i, a in ipairs { ... } do all = all + a * i end
            return all - all:sum(rows)
        end, table.unpack(ten))
        check(function(a)
            local b = a
            for _ = 1, 33 do b = b * 0.5 + (b * a):sum(rows) * 0.0625 end
            return b
        end, x)
        check(function(a) return (a * 9):cast("i32"):sum(), a:sum(), a - (a * 9):cast("u8"):max(rows) end, x)
    end)

    it("makes several kernels of what one has no room for, and of what reduces other shapes", function()
        local nine = {}
        for i = 1, 9 do
            nine[i] = dev:random({ 4, 5 }, { seed = i })
        end
        check(function(...)
            local sum = 0
            for _, each in ipairs { ... } do
                sum = sum + each
            end
            return sum:softmax()
        end, table.unpack(nine))
        check(function(a)
            local results = {}
            for i = 1, 9 do
                results[i] = (a * i):softmax()
            end
            return table.unpack(results)
        end, nine[1])
        local last = { axis = 1, keepdims = true }
        check(function(a, b) return a - a:sum(last), a - b:sum(last) end, nine[1], dev:random({ 1, 5 }, { seed = 10 }))
        check(function(a) return a:sum(), a:max { keepdims = true } end, dev:array { 5 }:reshape {})
    end)

    it("gives the shape of what is computed with reductions alone", function()
        check(function(a, b) return a:mean { axis = 1, keepdims = true } * b end, x, x:row(2):reshape(1, 7))
        check(function(a, n) return a:sum { axis = 2, keepdims = true } * n end, x, 3)
        check(function(a)
            local all = a
            for k = 1, 17 do all = all + (a * k):max { axis = 1, keepdims = true } end
            return all
        end, x)
    end)

    it("reduces nothing as the methods do, and takes out, async and in place", function()
        local f = lun.fuse(function(a) return a - a:max { axis = 2, keepdims = true } end)
        local ok, problem = pcall(f, dev:zeros { 3, 0 })
        assert.is_false(ok)
        assert.matches("lunarray: max: max of no elements: the reduced extent of shape 3x0 is 0", problem, 1, true)
        local a = dev:array { { 1, 2, 4 }, { 4, 2, 1 } }
        assert.equal(a, f(a, { out = a }))
        helper.check_array(a, "f32", { 2, 3 }, { -3.0, -2.0, 0.0, 0.0, -2.0, -3.0 })
        helper.check_array(f(a, { async = true }):get(), "f32", { 2, 3 }, { -3.0, -2.0, 0.0, 0.0, -2.0, -3.0 })
    end)
end)
