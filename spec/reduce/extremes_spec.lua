-- Least and greatest values of long arrays, in the loops that pass most of them by: NaN, ties and infinities anywhere.

local lun = require "lunarray"
local helper = require "spec.helper"

local it = helper.one_in(2, it)

local NAN, INFINITY = 0 / 0, math.huge
local N = 300007 -- each of a CPU's parts has streams, leaves, vectors and single values

helper.describe_each_device("an extreme of a long array", function(dev)
    local variant = helper.variants(dev, "map")[1] -- PoCL takes the kernels of CPUs, a GPU its own
    local places = { 1, 2, 17, 4224, 4225, 4226, 9000, 16897, 40001, 123457, 149999, 150000, 299000, N - 1, N }

    local function of(a, op) return a:reduce(op, { variant = variant }) end

    for _, dtype in ipairs { "f32", dev:info().fp64 and "f64" or nil } do
        it("is a NaN where there is one, at its position, or passes it by, in " .. dtype, function()
            local a = dev:arange(1, N):cast(dtype)
            for _, at in ipairs(places) do
                local before = a:get(at)
                a:set(NAN, at)
                for _, op in ipairs { "min", "max", "absmax" } do
                    local found = of(a, op)
                    assert.is_true(found ~= found, op .. " with a NaN at " .. at)
                end
                assert.same({ at, at }, { of(a, "argmin"), of(a, "argmax") })
                assert.same({ at == 1 and 2.0 or 1.0, at == N and N - 1.0 or N + 0.0 },
                    { of(a, "nanmin"), of(a, "nanmax") })
                a:set(before, at)
            end
        end)

        it("lies where the first of equals does, and the first NaN, in " .. dtype, function()
            local a = dev:zeros({ N }, dtype)
            assert.same({ 1, 1 }, { of(a, "argmin"), of(a, "argmax") })
            for k = #places, 1, -1 do -- from behind, so that each is the first one then
                a:set(-1, places[k])
                assert.same({ places[k], -1.0 }, { of(a, "argmin"), of(a, "min") })
            end
            for k = #places, 1, -1 do
                a:set(NAN, places[k])
                assert.same({ places[k], places[k] }, { of(a, "argmin"), of(a, "argmax") })
            end
            local falls = dev:arange(N, 1, -1):cast(dtype)
            assert.same({ N, 1, 1.0 }, { of(falls, "argmin"), of(falls, "argmax"), of(falls, "min") })
        end)

        it("is infinite or missing where there is nothing else, in " .. dtype, function()
            local a = dev:full({ N }, NAN, dtype)
            local found = of(a, "nanmin")
            assert.is_true(found ~= found)
            for _, at in ipairs { 1, 4225, N } do
                a:set(INFINITY, at)
                assert.same({ INFINITY, INFINITY }, { of(a, "nanmin"), of(a, "nanmax") })
                a:set(-INFINITY, at)
                assert.same({ -INFINITY, -INFINITY }, { of(a, "nanmin"), of(a, "nanmax") })
                a:set(NAN, at)
            end
            a:fill(INFINITY)
            assert.same({ INFINITY, INFINITY, 1 }, { of(a, "min"), of(a, "nanmin"), of(a, "argmin") })
            a:set(NAN, 5)
            assert.same({ INFINITY, INFINITY, 5 }, { of(a, "nanmax"), of(a, "nanmin"), of(a, "argmin") })
        end)
    end

    it("of bytes lies where the first of equals does", function()
        local a = dev:full({ N }, 200, "u8")
        for k = #places, 1, -1 do
            a:set(3, places[k])
            assert.equal(places[k], of(a, "argmin"))
        end
        assert.equal(3, of(a, "min"))
    end)
end)

-- "0", "-0" or another number, as text: == does not tell zeros apart.
local function signed(x) return x == 0 and (1 / x < 0 and "-0" or "0") or tostring(x) end

local function all_signed(list)
    local texts = {}
    for i, x in ipairs(list) do
        texts[i] = signed(x)
    end
    return texts
end

helper.describe_each_device("of 0 and -0", function(dev)
    local function check(a, n, at, call, what)
        for _, op in ipairs(call and { "min", "max" } or { "min", "max", "nanmin", "nanmax" }) do
            local low = op:find "min" ~= nil
            a:fill(low and 0.0 or -0.0)
            assert.equal(low and "0" or "-0", signed(a:reduce(op, call)), op .. what)
            a:set(low and -0.0 or 0.0, at)
            local wanted = low and "-0" or "0"
            assert.equal(wanted, signed(a:reduce(op, call)), op .. what)
            if n > 1 then
                local missing = at == 1 and n or 1
                local found = op:find "nan" and wanted or "nan"
                a:set(NAN, missing)
                assert.equal(found, (signed(a:reduce(op, call)):gsub("^%-nan$", "nan")), op .. what .. " with NaN")
            end
        end
    end

    for _, dtype in ipairs(helper.dtypes(dev, "float")) do
        it("the least is -0 and the greatest 0, wherever it stands, in " .. dtype, function()
            for _, n in ipairs { 1, 2, 17, 5000, dtype == "f32" and N or nil } do
                local a = dev:zeros({ n }, dtype)
                for _, at in ipairs { 1, (n + 1) // 2, n } do
                    check(a, n, at, nil, (" of %d at %d"):format(n, at))
                end
            end
        end)

        it("minimum, maximum, clamp and scans do as reductions, in " .. dtype, function()
            local a = dev:array({ 0.0, -0.0, 0.0, -0.0, 1.0 }, dtype)
            local b = dev:array({ -0.0, 0.0, 0.0, -0.0, NAN }, dtype)
            a, b = lun.concat { a, a, a, a, a }:slice { 1, 23 }, lun.concat { b, b, b, b, b }:slice { 1, 23 }
            local function first(x) return all_signed(x:slice({ 1, 4 }):totable()) end
            for _, x in ipairs { a, a:slice { 6, 23 } } do -- vectors, and single elements
                local y = b:slice { 1, x:size() }
                assert.same({ "-0", "-0", "0", "-0" }, first(x:minimum(y)))
                assert.same({ "0", "0", "0", "-0" }, first(x:maximum(y)))
                assert.same({ "0", "0", "0", "0" }, first(x:clamp(0.0, 1)))
                assert.same({ "-0", "-0", "-0", "-0" }, first(x:clamp(-1, -0.0)))
                assert.equal(3, x:slice({ 1, 15 }):maximum(y:slice { 1, 15 }):isnan():sum())
            end
            assert.same({ "-0", "-0", "0", "-0" }, first(a:fmin(b)))
            assert.same({ "0", "0", "0", "-0" }, first(a:fmax(b)))
            assert.equal(1.0, a:fmin(b):get(5)) -- NaN loses
            assert.equal(1.0, b:fmax(a):get(5))
            assert.equal(4, b:fmin(NAN):isnan():sum())
            assert.same({ "0", "-0", "-0", "-0" }, first(a:cummin()))
            assert.same({ "-0", "0", "0", "0" }, first(b:cummax()))
            local fused = lun.fuse(function(x, y) return x:minimum(y), x:maximum(y) end)
            local low, high = fused(a, b)
            assert.same({ "-0", "-0", "0", "-0" }, first(low))
            assert.same({ "0", "0", "0", "-0" }, first(high))
        end)

        it("axes and segments do, in " .. dtype, function()
            local a = dev:zeros({ 65, 70 }, dtype)
            a:set(-0.0, 33, 50)
            for _, op in ipairs { "min", "nanmin" } do
                local columns, rows = a:reduce(op, { axis = 1 }), a:reduce(op, { axis = 2 })
                assert.same({ "0", "-0", "0" }, all_signed(columns:slice({ 49, 51 }):totable()), op)
                assert.same({ "0", "-0", "0" }, all_signed(rows:slice({ 32, 34 }):totable()), op)
                local starts = dev:array({ 1, 10, 2290, 2291, 4551 }, "i64")
                local found = a:reshape(4550):reduce(op, { segments = starts })
                assert.same({ "0", "0", "-0", "0" }, all_signed(found:totable()), op)
            end
        end)
    end

    for _, variant in ipairs(helper.variants(dev, "reduce")) do
        it("the variant " .. variant .. " does", function()
            for _, n in ipairs { 3, 100, 5000 } do
                local a, call = dev:zeros { n }, { variant = variant }
                if helper.can(a.reduce, a, "min", call) then
                    check(a, n, n - 1, call, " by " .. variant)
                end
            end
        end)
    end
end)
