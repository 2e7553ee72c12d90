-- Least and greatest values of long arrays, in the loops that pass most of them by: NaN, ties and infinities anywhere.

local helper = require "spec.helper"

local NAN, INFINITY = 0 / 0, math.huge
local N = 300007 -- each of a CPU's parts has streams, leaves, vectors and single values

helper.each_device(function(dev, title)
    describe("an extreme of a long array on " .. title, function()
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
end)
