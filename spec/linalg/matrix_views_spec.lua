-- Linear algebra of views: matrices that are stored backwards, with gaps, transposed or shared by a batch, as
-- inputs, in place and as `out`, against contiguous ones; and of matrices alone, against a batch of them.

local lun = require "lunarray"
local helper = require "spec.helper"

local it = helper.one_in(2, it)

-- Views of a new array, whose elements are NaN before, with that shape and dtype.
local LAYOUTS = {
    { "backwards along the last axis", function(room, shape)
        return room(shape):flip(#shape)
    end },
    { "backwards along all axes", function(room, shape)
        local view = room(shape)
        for axis = 1, #shape do
            view = view:flip(axis)
        end
        return view
    end },
    { "transposed and backwards", function(room, shape)
        local turned, last = table.move(shape, 1, #shape, 1, {}), #shape
        if last < 2 then
            return room(shape):flip(1)
        end
        turned[last], turned[last - 1] = turned[last - 1], turned[last]
        return room(turned):mt():flip(1):flip(last)
    end },
    { "with gaps", function(room, shape)
        local larger, parts = {}, {}
        for axis, size in ipairs(shape) do
            larger[axis] = 2 * size + 1
            parts[axis] = axis % 2 == 0 and { 2, 2 * size, 2 } or { 2 * size, 2, -2 }
        end
        return room(larger):slice(table.unpack(parts))
    end },
}

-- A function from an array to a view with its elements, and one to a view of NaN.
local function layout(dev, way)
    local function empty(shape, dtype)
        return way(function(of) return dev:full(of, dtype:find "i" and 99 or 0 / 0, { dtype = dtype }) end, shape)
    end
    local function filled(a)
        local view = empty({ a:shape() }, a:dtype())
        view:write(a)
        return view
    end
    return filled, empty
end

-- Two by two matrices, or `count`, without small singular values, with their largest numbers off the diagonal, so that
-- rows are exchanged.
local function general(dev, m, n, dtype, count)
    local real = dtype == "c64" and "f32" or dtype == "c128" and "f64" or dtype
    local shape = count and { count, m, n } or { 2, 2, m, n }
    local function normal(seed) return dev:normal(shape, { dtype = real, seed = seed }) end
    local away = dev:eye(m, n, { dtype = real }):flip(1) * (4 * n ^ 0.5)
    return (real == dtype and normal(m) or normal(m):complex(normal(n + 100))) + away
end

local function adjoint(a)
    return a:dtype():find "c" and a:mt():conj() or a:mt()
end

local function positive(dev, n, dtype, count)
    local a = general(dev, n, n, dtype, count)
    return a:matmul(adjoint(a))
end

local function symmetric(dev, n, dtype, count)
    local a = general(dev, n, n, dtype, count)
    return a + adjoint(a) + dev:eye(n, { dtype = dtype }) * dev:arange(n):cast "f32" * n
end

-- Name, matrices, the call, whether it takes a right side. `call(a, given, b)` gives the results, in place the array
-- first.
local CALLS = {
    { "solve", general, function(a, given, b) return a:solve(b, given) end, true },
    { "solve", positive, function(a, given, b)
        given.assume = "positive"
        return a:solve(b, given)
    end, true },
    { "solve", general, function(a, given, b)
        given.assume, given.transpose = "upper", true
        return a:solve(b, given)
    end, true },
    { "inv", general, function(a, given) return a:inv(given) end },
    { "det", general, function(a, given) return a:det(given) end },
    { "cholesky", positive, function(a, given) return a:cholesky(given) end },
    { "cholesky", positive, function(a, given)
        given.upper = true
        return a:cholesky(given)
    end },
    { "qr", general, function(a, given) return a:qr(given) end, outs = true },
    { "qr", general, function(a, given)
        given.pivot = true
        return a:qr(given)
    end, outs = true },
    { "lstsq", general, function(a, given, b) return (a:lstsq(b, given)) end, true },
    { "eigh", symmetric, function(a, given) return a:eigh(given) end, outs = true },
    { "eigvalsh", symmetric, function(a, given) return a:eigvalsh(given) end },
    { "svd", general, function(a, given) return a:svd(given) end, outs = true },
    { "svdvals", general, function(a, given) return a:svdvals(given) end },
    { "eigvals", general, function(a, given) return a:eigvals(given) end },
    { "pinv", general, function(a, given) return a:pinv(given) end, composed = true },
    { "expm", general, function(a, given) return (a / 100):expm(given) end, composed = true },
    { "lu_factor_", general, function(a, given)
        local f, p = a:lu_factor_(given)
        return f, p
    end, in_place = true },
    { "cholesky_", positive, function(a, given) return a:cholesky_(given) end, in_place = true },
}

local EPS = { f32 = 2.0 ^ -23, f64 = 2.0 ^ -52, c64 = 2.0 ^ -23, c128 = 2.0 ^ -52 }

-- Orders of sums differ between layouts; matrices whose condition is below 10 keep the root of eps by far.
local function assert_near(want, got, eps, what)
    assert.same({ want:shape() }, { got:shape() })
    local away = (want:cast "c128" - got:cast "c128"):abs():max()
    local most = want:cast("c128"):abs():max() * eps ^ 0.5
    assert.is_true(away <= most, ("%s: off by %g, %g is much"):format(what, away, most))
end

local function results(...)
    return table.pack(...)
end

local function try(dev, call, variant, dtype, m, n)
    local name, make, run, right = table.unpack(call)
    local eps, square = EPS[dtype], make ~= general
    local a = square and make(dev, n, dtype) or make(dev, m, n, dtype)
    local b = right and general(dev, a:shape(3), 3, dtype) or nil
    local function given() return { variant = variant } end
    local want = results(run(call.in_place and a:copy() or a, given(), b))
    for _, way in ipairs(LAYOUTS) do
        local filled, empty = layout(dev, way[2])
        local what = ("%s %s of %s %dx%d, %s"):format(name, variant or "", dtype, m, n, way[1])
        local view, side = filled(a), b and filled(b)
        local got = results(run(view, given(), side))
        local out, options = {}, given()
        for k = 1, want.n do
            assert_near(want[k], got[k], eps, what)
            out[k] = empty({ want[k]:shape() }, want[k]:dtype())
        end
        if call.in_place then
            assert.equal(view, got[1])
        else
            options.out = call.outs and out or out[1]
            run(view, options, side)
            for k = 1, want.n do
                assert_near(want[k], out[k], eps, what .. ", out")
            end
            assert_near(a, view, eps, what .. ", which stays")
        end
    end
    if not call.in_place then
        local one = a:slice(1)
        local shared = results(run(one:broadcast(a:shape()), given(), b and b:slice(1):broadcast(b:shape())))
        for k = 1, want.n do
            assert_near(want[k]:slice(1), shared[k]:slice(2), eps, name .. " of one for all")
        end
    end
end

-- The last of a batch has the bits that it has alone, and all have them again the second time.
local function try_alone(dev, call, variant, dtype, n)
    local name, make, run, right = table.unpack(call)
    local count <const> = 5
    local a = make == general and general(dev, n, n, dtype, count) or make(dev, n, dtype, count)
    local b = right and general(dev, n, 3, dtype, count) or nil
    local one, side = a:slice { count, count }:copy(), b and b:slice({ count, count }):copy()
    local again = call.in_place and a:copy() or a
    local want, got = results(run(a, { variant = variant }, b)), results(run(one, { variant = variant }, side))
    local same = results(run(again, { variant = variant }, b))
    for k = 1, want.n do
        assert.is_true(want[k]:tobytes() == same[k]:tobytes(), name .. " the second time")
        local alone = want[k]:slice({ count, count }):tobytes() == got[k]:tobytes()
        assert.is_true(alone, ("%s of %s %dx%d, result %d"):format(name, dtype, n, n, k))
    end
end

helper.each_device(function(dev, title)
    local dtypes = dev:info().fp64 and { "f64", "c64" } or { "f32", "c64" }
    for _, call in ipairs(CALLS) do
        local name = call[1]
        for _, variant in ipairs(call.composed and { false } or dev:variants(name)) do
            it(("%s of views on %s, %s"):format(name, title, variant or "any"), function()
                for _, dtype in ipairs(dtypes) do
                    try(dev, call, variant or nil, dtype, 21, 21)
                end
                if name == "qr" or name == "svd" or name == "lu_factor_" or name == "lstsq" then
                    try(dev, call, variant or nil, dtypes[1], 37, 21)
                end
                if name == "lu_factor_" then
                    try(dev, call, variant or nil, dtypes[1], 21, 37)
                end
            end)
        end
    end

    for _, call in ipairs(CALLS) do
        for _, variant in ipairs(call.composed and { false } or dev:variants(call[1])) do
            it(("%s gives the same bits alone on %s, %s"):format(call[1], title, variant or "any"), function()
                try_alone(dev, call, variant or nil, dtypes[1], 33)
                try_alone(dev, call, variant or nil, dtypes[2], 20)
            end)
        end
    end

    it("products give the same bits alone on " .. title, function()
        try_alone(dev, { "matmul", general, function(a) return a:matmul(a:mt()) end }, nil, "c64", 20)
    end)

    -- Of two dtypes, a few equations go the way of one dtype.
    it("solve of matrices and right sides of two dtypes gives the same bits alone on " .. title, function()
        local b = dev:arange(1, 32)
        for _, call in ipairs { { "general", general(dev, 32, 32, "f32", 40) },
            { "positive", positive(dev, 32, "f32", 40) } } do
            local given, a = { assume = call[1] }, call[2]
            local x = a:solve(b, given)
            assert.is_true(x:slice({ 38, 40 }):tobytes() == a:slice({ 38, 40 }):solve(b, given):tobytes(), call[1])
            assert.is_true(x:tobytes() == a:cast(x:dtype()):solve(b, given):tobytes(), call[1])
        end
    end)

    for _, variant in ipairs(dev:variants "cholesky_") do
        it(("factors of small matrices take little memory on %s, %s"):format(title, variant), function()
            local a = dev:eye(2):expand(1):broadcast(100000, 2, 2):copy()
            dev:finish()
            dev:trim()
            local before = dev:memory()
            dev:limit(before.live + 4 * a:nbytes())
            local ok, problem = pcall(a.cholesky_, a, { variant = variant })
            dev:limit(before.limit)
            assert.is_true(ok, tostring(problem))
            assert.equal(200000, a:sum())
        end)
    end

    it("factors in place of a view are those of the matrix on " .. title, function()
        local m = dev:array({ { 1, 2, 3 }, { 4, 5, 7 } }, "f32"):flip(2)
        local f = m:lu_()
        assert.same({ { 7, 5, 4 }, { 3, 2, 1 } }, f.l:matmul(f.u):round():totable())
        assert.same({ 2, 1 }, f.p:totable())
        assert.equal(lun.type(f.l), "array")
    end)
end)
