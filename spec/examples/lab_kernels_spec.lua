-- The lab's kernels for transposing, matrix products, gravity, atomics and divergence: every variant, at sizes around
-- every edge of groups and tiles.

local helper = require "spec.helper"

local lab = dofile "examples/lab/lab.lua"

local SCRIPTS = { "transpose", "matmul", "nbody", "atomics", "divergence" }

-- One size each for Oclgrind, which interprets kernels.
local FEW = {
    transpose = { size = 33, columns = 17 }, matmul = { size = 17, columns = 15, depth = 19 },
    nbody = { size = 65, steps = 1 }, atomics = { size = 65 }, divergence = { size = 129 },
}

-- The options of one awkward size as words: "size 17, columns 15".
local function words(options)
    local list = {}
    for name, value in pairs(options) do
        list[#list + 1] = name .. " " .. value
    end
    table.sort(list, function(a, b) return a > b end)
    return table.concat(list, ", ")
end

-- Runs a variant at each of a list of sizes; gives why the device cannot run it, if it cannot.
local function run_variant(dev, part, variant, sizes)
    local cannot
    for _, options in ipairs(sizes) do
        local row = lab.check(variant, lab.task(part, dev, lab.defaults(part, options)))
        cannot = cannot or row.cannot
        assert.is_true(row.cannot ~= nil or row.right,
            ("%s with %s: %s"):format(variant.name, words(options), row.wrong))
    end
    return cannot
end

helper.each_device(function(dev, title)
    for _, name in ipairs(SCRIPTS) do
        describe(("lab/%s on %s"):format(name, title), function()
            local description = dofile(("examples/lab/%s.lua"):format(name))
            for i, part in ipairs(lab.parts(description)) do
                for _, variant in ipairs(part.variants) do
                    it(("%s is right at every size (table %d)"):format(variant.name, i), function()
                        local cannot = run_variant(dev, part, variant, part.awkward)
                        if cannot then
                            assert.matches("%w", cannot)
                            pending("cannot run: " .. cannot)
                        end
                    end)
                end
            end

            it("has no race, and reads and writes nothing outside #oclgrind", function()
                for _, part in ipairs(lab.parts(description)) do
                    for _, variant in ipairs(part.variants) do
                        if not variant.needs then -- Oclgrind compiles OpenCL 2.0's atomics, but cannot run them
                            run_variant(dev, part, variant, { FEW[name] })
                        end
                    end
                end
            end)
        end)
    end

    describe("the lab's reasons on " .. title, function()
        -- Why a variant cannot run, on a device or with a compiler that is less than this one.
        local function reason(name, variant_name, less)
            local part = lab.parts(dofile(("examples/lab/%s.lua"):format(name)))[1]
            local task = setmetatable(less, { __index = lab.task(part, dev, lab.defaults(part, { size = 16 })) })
            for _, variant in ipairs(part.variants) do
                if variant.name == variant_name then
                    return lab.check(variant, task).cannot
                end
            end
        end

        -- A task whose compiler has the first `count` of what the script asks for.
        local function offering(count)
            local probe = {}
            function probe.run(_, _, offered)
                for i = 1, count do
                    offered:set(1, i)
                end
            end
            return { try_kernel = function() return probe end }
        end

        it("name what a compiler lacks", function()
            local function none() return nil, "unknown language" end
            assert.equal("it compiles this neither as OpenCL C 3.0 nor as 2.0: unknown language",
                reason("atomics", "2.0: relaxed, group, then one", { try_kernel = none }))
            assert.equal("its OpenCL C (3.0) has no atomics in the scope of a device",
                reason("atomics", "2.0: relaxed, device", offering(0)))
            assert.equal("its OpenCL C (3.0) has no acquire and release",
                reason("atomics", "2.0: the last group adds up", offering(1)))
            assert.equal("its OpenCL C (3.0) has no sequential consistency",
                reason("atomics", "2.0: sequential, device", offering(2)))
        end)

        it("name what a device lacks", function()
            local no_double = { info = function() return { fp64 = false } end }
            assert.equal("it has no double precision",
                reason("nbody", "array of structures, double3", { device = no_double }))
            local small = { info = function() return { max_group = 64 } end }
            assert.equal("groups of 256 items; this device runs the kernel in groups of at most 64",
                reason("matmul", "tiles in local memory", { kernel = function() return small end }))
        end)
    end)

    describe("the lab's checks on " .. title, function()
        local function new_task(name, options, table_number)
            local part = lab.parts(dofile(("examples/lab/%s.lua"):format(name)))[table_number or 1]
            return lab.task(part, dev, lab.defaults(part, options)), part
        end

        local function refuses(message, task, result, variant)
            local right, wrong = task.check(result, variant or {})
            assert.is_false(right)
            assert.matches(message, wrong)
        end

        it("refuse a transpose or a product with one wrong element", function()
            for name, solve in pairs {
                transpose = function(task) return task.x:transpose() end,
                matmul = function(task) return task.a:matmul(task.b) end,
            } do
                local task = new_task(name, { size = 17, columns = 15, depth = 3 })
                local result = solve(task)
                assert.is_true(task.check(result, {}))
                local rows, columns = result:shape()
                for _, at in ipairs { { 1, 1 }, { 3, 2 }, { rows, columns } } do
                    local value = result:get(table.unpack(at))
                    result:set(value + 1, table.unpack(at))
                    refuses("^element %d+ is .*, not ", task, result)
                    result:set(0 / 0, table.unpack(at))
                    refuses("^element %d+ is .*nan, not ", task, result)
                    result:set(value, table.unpack(at))
                end
            end
        end)

        -- What the library makes of the bodies of a task, as a variant's result.
        local function moved(task, steps)
            local pos, vel = {}, {}
            for i, b in ipairs(task.list) do
                pos[i], vel[i] = { b[1], b[2], b[3], b[4] }, { b[5], b[6], b[7], 0 }
            end
            local rows = dev:array(pos):nbody(dev:array(vel), {
                dt = 1 / 64, steps = steps, softening = 1 / 16, integrator = "euler",
            }):totable()
            return { rows = function() return rows end }
        end

        it("refuse bodies that did not move, that one did not pull, or that are nowhere", function()
            local euler = { dtype = "f32" }
            local task = new_task("nbody", { size = 65, steps = 2 })
            local result = moved(task, 2)
            assert.is_true(task.check(result, euler))
            refuses("^body %d+ is at .*, not .*, after step 2$", task, moved(task, 1), euler)
            refuses("^body %d+ is at ", task, { rows = function() return task.list end }, euler)
            task.list[65][4] = 0 -- the body in the partial tile
            refuses("^body %d+ is at ", task, moved(task, 2), euler)
            result.rows()[3][2] = 0 / 0
            refuses("^body 3 is at .*nan", task, result, euler)
        end)

        it("refuse a count that is off by one", function()
            local task = new_task("atomics", { size = 1000 })
            local _, wrong = task.check(dev:zeros({ 1 }, "i32"))
            local right = math.tointeger(wrong:match "^counted 0, not (%d+)$")
            assert.is_true(task.check(dev:full({ 1 }, right, "i32")))
            refuses("^counted ", task, dev:full({ 1 }, right - 1, "i32"))

            task = new_task("atomics", { size = 1000 }, 2)
            local bins, value = dev:zeros({ 256 }, "i32"), nil
            repeat
                right, wrong = task.check(bins)
                if not right then
                    local got, at, wanted = wrong:match "^counted (%d+) of value (%d+), not (%d+)$"
                    assert.equal("0", got)
                    value = math.tointeger(at)
                    bins:set(math.tointeger(wanted), value + 1)
                end
            until right
            bins:set(bins:get(value + 1) + 1, value + 1)
            refuses("^counted %d+ of value " .. value, task, bins)
        end)

        it("refuse elements that went another way", function()
            local task, part = new_task("divergence", { size = 300 })
            local variants = {}
            for _, variant in ipairs(part.variants) do
                variants[variant.name] = variant
            end
            local row = lab.check(variants["no branch"], task)
            assert.is_true(row.right, row.wrong)
            refuses("^element 2 is %d+, not %d+$", task, row.result, variants["2 ways by item"])
            refuses("^element 129 is %d+, not %d+$", task, row.result, variants["2 ways by group"])
        end)
    end)
end)
