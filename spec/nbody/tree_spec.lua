-- Gravity by a tree (the option accuracy), by every variant that has one, against the direct sum in f64.

local helper = require "spec.helper"
local numbers = require "spec.numbers"

local it = helper.one_in(4, it)

-- Numbers in [0, 1), the same in every run.
local function uniform(seed)
    local random = numbers.generator(seed)
    return function() return random(0, (1 << 20) - 1) / (1 << 20) end
end

local function direction(random, length)
    local z, phi = 2 * random() - 1, 2 * math.pi * random()
    local across = length * math.sqrt(1 - z * z)
    return { across * math.cos(phi), across * math.sin(phi), length * z }
end

local models = {}

function models.sphere(random) -- Plummer's, cut at 20
    local r
    repeat
        r = 1 / math.sqrt((1 - random()) ^ (-2 / 3) - 1 + 1e-9)
    until r < 20
    return direction(random, r)
end

function models.cube(random) return { random(), random(), random() } end

function models.clusters(random)
    if random() < 0.75 then
        return models.sphere(random)
    end
    local p = models.sphere(random)
    return { 0.3 * p[1] + 12, 0.3 * p[2], 0.3 * p[3] }
end

function models.disc(random)
    local r, phi = -math.log(1 - 0.99 * random()), 2 * math.pi * random()
    return { r * math.cos(phi), r * math.sin(phi), 0.02 * (random() + random() - 1) }
end

function models.shell(random) return direction(random, 1) end

function models.line(random) return { random(), 0.0, 0.0 } end

function models.slant(random)
    local x = random()
    return { x, 0.7 * x, 0.3 * x }
end

function models.ring(random)
    local phi = 2 * math.pi * random()
    return { math.cos(phi), math.sin(phi), 0.0 }
end

-- Rows {x, y, z, mass}, the masses from 0.5 / n to 1.5 / n; `doubled`: half of the bodies are in places of the others.
local function bodies(name, n, doubled)
    local random, rows = uniform(n), {}
    for i = 1, n do
        local p = doubled and i > n // 2 and rows[i - n // 2] or models[name](random)
        rows[i] = { p[1], p[2], p[3], (0.5 + random()) / n }
    end
    return rows
end

-- Relative errors of accelerations and of potentials, each sorted.
local function errors(got, expected)
    local a, b = helper.flat(got:cast "f64"), helper.flat(expected)
    local pulls, potentials = {}, {}
    for i = 1, #a, 4 do
        local off, size = 0, 0
        for c = i, i + 2 do
            off, size = off + (a[c] - b[c]) ^ 2, size + b[c] ^ 2
        end
        pulls[#pulls + 1] = size == 0 and off or math.sqrt(off / size)
        potentials[#potentials + 1] = b[i + 3] == 0 and math.abs(a[i + 3]) or math.abs(a[i + 3] / b[i + 3] - 1)
    end
    for _, list in ipairs { pulls, potentials } do
        for _, x in ipairs(list) do
            assert(x == x, "NaN")
        end
        table.sort(list)
    end
    return pulls, potentials
end

-- Raises where more than one error of a hundred is above the accuracy.
local function check(got, expected, accuracy, what)
    local pulls, potentials = errors(got, expected)
    local at = math.ceil(0.99 * #pulls)
    if #pulls > 0 and (pulls[at] > accuracy or potentials[at] > accuracy) then
        error(("%s: 99 of 100 errors are at most %.2g, of potentials %.2g; wanted is %g"):format(what, pulls[at],
            potentials[at], accuracy), 2)
    end
end

-- The sums of the magnitudes of all pulls, on every `step`-th body.
local function magnitudes(dev, pos, softening, step)
    local n = #pos
    local some = pos:slice { 1, n, step }
    local inputs = { s = softening ^ 2, m = pos:col(4):contiguous():reshape(1, n) }
    for c, name in ipairs { "x", "y", "z" } do
        inputs[name] = some:col(c):contiguous():reshape(#some, 1)
        inputs["to_" .. name] = pos:col(c):contiguous():reshape(1, n)
    end
    local square = "((to_x - x)*(to_x - x) + (to_y - y)*(to_y - y) + (to_z - z)*(to_z - z))"
    return dev:reduce("sum", ("m*sqrt(%s)/pow(%s + s, 1.5)"):format(square, square), inputs, { axis = 2 }):totable()
end

-- |sum m a| over sum m |a|.
local function imbalance(pos, field)
    local p, a = helper.flat(pos), helper.flat(field)
    local sum, size = { 0, 0, 0 }, 0
    for i = 1, #p, 4 do
        for c = 1, 3 do
            sum[c] = sum[c] + p[i + 3] * a[i + c - 1]
        end
        size = size + p[i + 3] * math.sqrt(a[i] ^ 2 + a[i + 1] ^ 2 + a[i + 2] ^ 2)
    end
    return math.sqrt(sum[1] ^ 2 + sum[2] ^ 2 + sum[3] ^ 2) / size
end

describe("the check of errors", function()
    it("sees more than one of a hundred that is too large", function()
        local dev = helper.devices()[1]
        local right = dev:ones({ 200, 4 }, "f64")
        local wrong = right:copy()
        wrong:slice({ 1, 2 }, 1):fill(1.01)
        check(wrong, right, 1e-3, "two")
        wrong:set(1.01, 3, 1)
        local ok, problem = pcall(check, wrong, right, 1e-3, "three")
        assert.is_false(ok)
        assert.matches("three: 99 of 100 errors are at most 0.0058, of potentials 0; wanted is 0.001", problem, 1, true)
    end)
end)

helper.each_variant("gravity", function(dev, variant, title)
    if not variant:find "^tree" or not dev:info().fp64 then
        return
    end
    -- Another kind of device's variant is slow, and is tried with fewer bodies.
    local is_foreign = helper.is_foreign(dev, variant)
    local many = is_foreign and 3000 or 12000

    describe("gravity by a tree on " .. title, function()
        local function compare(rows, accuracy, options, dtypes)
            local wide = dev:array(rows, "f64")
            for _, dtype in ipairs(dtypes or is_foreign and { "f32" } or { "f32", "f64" }) do
                local pos = wide:cast(dtype)
                local softening = options.softening
                local is_array = type(softening) == "userdata"
                local function soft(name) return is_array and softening:cast(name) or softening end
                local at = options.at
                local expected = pos:cast "f64":gravity {
                    softening = soft "f64", active = options.active, G = options.G,
                    at = at and at:cast(dtype):cast "f64",
                }
                local got = pos:gravity {
                    softening = soft(dtype), active = options.active, G = options.G, at = at and at:cast(dtype),
                    accuracy = accuracy, variant = variant,
                }
                check(got, expected, accuracy, ("%d bodies in %s"):format(#rows, dtype))
            end
        end

        for _, name in ipairs { "sphere", "cube", "clusters", "disc", "shell" } do
            it("keeps 99 of 100 errors below the accuracy, and the momentum: " .. name, function()
                local pos = dev:array(bodies(name, many))
                local expected = pos:cast "f64":gravity()
                for _, accuracy in ipairs { 3e-3, 1e-3 } do
                    local got = pos:gravity { accuracy = accuracy, variant = variant }
                    check(got, expected, accuracy, name)
                    -- Errors add up at random: fewer bodies have more of them left.
                    local bound = 1e-4 * math.sqrt(20000 / many)
                    local rest = imbalance(pos, got)
                    assert(rest <= bound, ("%s: %g of the forces are left"):format(name, rest))
                end
            end)
        end

        for _, name in ipairs { "line", "slant", "ring", "cube" } do
            it("keeps 99 of 100 errors below the accuracy times magnitudes, where pulls cancel: " .. name, function()
                local pos, softening, step = dev:array(bodies(name, many), "f64"), 0.01, 10
                local sums = magnitudes(dev, pos, softening, step)
                local function pulls(options)
                    return pos:gravity(options):slice({ 1, many, step }, { 1, 3 }):contiguous()
                end
                local expected = pulls { softening = softening }
                for _, accuracy in ipairs { 3e-3, 1e-4 } do
                    local got = pulls { softening = softening, accuracy = accuracy, variant = variant }
                    local off = (got - expected):norm({ axis = 2 }):totable()
                    for i, sum in ipairs(sums) do
                        off[i] = off[i] / sum
                    end
                    table.sort(off)
                    local found = off[math.ceil(0.99 * #off)]
                    assert(found > 0 and found <= accuracy, ("%s: %g, wanted %g"):format(name, found, accuracy))
                end
            end)
        end

        it("takes bodies that are in one another's places", function()
            local pos = dev:array(bodies("sphere", many, true))
            local got = pos:gravity { accuracy = 3e-3, variant = variant }
            check(got, pos:cast "f64":gravity(), 3e-3, "doubled")
        end)

        it("is right for every number of bodies around the edges #oclgrind", function()
            for _, n in ipairs { 1, 2, 7, 8, 15, 16, 17, 18, 31, 32, 33, 63, 64, 65, 127, 129, 255, 257, 1025 } do
                compare(bodies("cube", n), 1e-4, { softening = n % 2 == 0 and 0.05 or nil }, { "f32" })
            end
        end)

        it("keeps a small accuracy in f64, and a large one", function()
            compare(bodies("sphere", 3000), 1e-6, {}, { "f64" })
            compare(bodies("disc", 3000), 0.1, {}, { "f32" })
        end)

        it("takes G, active bodies and softenings", function()
            local n = 2500
            local rows = bodies("sphere", n)
            local each = dev:random({ n }, { seed = 1, dtype = "f64" }) * 0.2
            for _, options in ipairs {
                { G = 6.5 }, { softening = 0.1 }, { softening = each }, { active = 1 },
                { active = 1300, softening = 0.05 }, { active = 2499, softening = each }, { active = n },
            } do
                compare(rows, 1e-3, options)
            end
        end)

        it("gives the field at points, which may be at a body's own place", function()
            local rows = bodies("sphere", 2500)
            local places = bodies("cube", 300)
            for i = 1, 40 do
                places[i] = rows[61 * i]
            end
            local at = dev:array(places, "f64") * 2
            at:slice { 1, 40 }:mul_(0.5)
            local each = dev:random({ 2500 }, { seed = 1, dtype = "f64" }) * 0.2
            for _, softening in ipairs { 0, 0.1, each } do
                compare(rows, 1e-3, { at = at, softening = softening })
                compare(rows, 1e-3, { at = at:slice(nil, { 1, 3 }), softening = softening, active = 1700 }, { "f32" })
            end
        end)

        it("makes larger leaves where small ones need more cells than there is room for", function()
            local random, rows = uniform(1), {}
            for cluster = 0, 99 do
                local x, y, z = cluster % 5, cluster // 5 % 5, cluster // 25
                local dx, dy, dz = random() + 0.5, random() + 0.5, random() + 0.5
                for k = 1, 34 do -- one body to each halving, and as many again in the last
                    local s = 2.0 ^ -math.min(k, 17)
                    rows[#rows + 1] = { x + s * dx, y + s * dy, z + s * dz, 1 }
                end
            end
            compare(rows, 1e-3, { softening = 1e-3 })
        end)

        it("takes bodies that are all in one place, far from the origin, or without mass", function()
            local rows = {}
            for i = 1, 200 do
                rows[i] = { 3, -5, 7, i }
            end
            compare(rows, 1e-3, {})
            compare(rows, 1e-3, { softening = 0.5 })
            local far = bodies("cube", 500)
            for _, row in ipairs(far) do
                row[1], row[4] = row[1] + 1000, row[4] * 1e20
            end
            compare(far, 1e-2, { softening = 0.1 }, { "f64" })
            for _, row in ipairs(far) do
                row[4] = 0
            end
            local none = dev:array(far):gravity { accuracy = 1e-3, variant = variant }
            assert.equal(0.0, none:abs():max())
        end)

        it("of units as large or small as the dtype holds is the same", function()
            local rows = bodies("sphere", 1000)
            local pos = dev:array(rows)
            local near = helper.flat(pos:gravity { accuracy = 1e-3, variant = variant })
            for _, unit in ipairs { 2.0 ^ -40, 2.0 ^ 30 } do
                local other = pos:copy()
                other:slice(nil, { 1, 3 }):mul_(unit)
                local got = other:gravity { accuracy = 1e-3, variant = variant }:cast "f64"
                got:slice(nil, { 1, 3 }):mul_(unit * unit)
                got:slice(nil, 4):mul_(unit)
                assert.same(near, helper.flat(got))
            end
        end)

        it("gives the same bits every time, and writes to out and from views", function()
            local rows = bodies("clusters", 3000)
            local pos = dev:array(rows)
            local first = pos:gravity { accuracy = 1e-3, variant = variant }
            assert.equal(first:tobytes(), pos:gravity({ accuracy = 1e-3, variant = variant }):tobytes())
            local event = pos:gravity { accuracy = 1e-3, variant = variant, async = true, queue = dev:queue() }
            assert.equal(first:tobytes(), event:get():tobytes())
            local wide, out = dev:zeros { 3000, 8 }, dev:zeros { 4, 3000 }
            local view = wide:slice({ 3000, 1, -1 }, { 2, 8, 2 })
            view:write(pos)
            assert.equal(first:tobytes(), view:gravity({ accuracy = 1e-3, variant = variant, out = out:t() })
                :contiguous():tobytes())
        end)

        it("gives the potential energy", function()
            local n = 2500
            local pos, vel = dev:array(bodies("sphere", n), "f64"), dev:ones({ n, 4 }, "f64")
            for _, options in ipairs { {}, { active = 1300, softening = 0.1 } } do
                local kinetic, potential = pos:energy(vel, options)
                options.accuracy, options.variant = 1e-3, variant
                local k, p = pos:energy(vel, options)
                assert.equal(kinetic, k)
                helper.check_number(potential, p, 1e-3 * -potential)
            end
        end)
    end)

    describe("nbody by a tree on " .. title, function()
        local function run(rows, dtype, splits, options)
            local pos, vel = dev:array(rows, dtype), dev:zeros({ #rows, 4 }, dtype)
            for _, steps in ipairs(splits) do
                pos:nbody(vel, {
                    dt = 1 / 64, steps = steps, softening = options.softening, active = options.active,
                    accuracy = options.accuracy, integrator = options.integrator, variant = options.variant,
                })
            end
            return pos, vel
        end

        it("keeps at most 100 bytes a body in f32", function()
            if is_foreign then
                return
            end
            local n = 1 << 17 -- memory is rounded up little for powers of two
            local pos, vel, out = dev:random({ n, 4 }, { seed = 1 }), dev:zeros { n, 4 }, dev:zeros { n, 4 }
            local options = { dt = 1, accuracy = 3e-3, variant = variant, softening = 0.01 }
            collectgarbage()
            collectgarbage()
            dev:finish()
            dev:trim()
            dev:limit(dev:memory().live + 100 * n)
            local ok, problem = pcall(function()
                pos:gravity({ accuracy = 3e-3, variant = variant, softening = 0.01, out = out }):sum()
                pos:nbody(vel, options):sum()
            end)
            dev:limit()
            assert.is_true(ok, tostring(problem))
        end)

        it("takes the steps of the direct sum, within the accuracy", function()
            for _, dtype in ipairs(is_foreign and { "f32" } or { "f32", "f64" }) do
                for _, options in ipairs { {}, { active = 400 }, { integrator = "yoshida4" } } do
                    local rows = bodies("cube", 1500)
                    options.softening = 0.1
                    local _, expected = run(rows, "f64", { 3 }, options)
                    options.accuracy, options.variant = 1e-3, variant
                    local _, got = run(rows, dtype, { 3 }, options)
                    -- From rest velocities are accelerations times a time; the fourth column stays 0.
                    expected:slice(nil, 4):fill(1)
                    got:slice(nil, 4):fill(1)
                    check(got, expected, 1e-3, dtype)
                end
            end
        end)

        it("gives the same bits every time, in one call and in several", function()
            local rows = bodies("disc", 700)
            local options = { softening = 0.1, accuracy = 1e-2, integrator = "euler", variant = variant }
            local pos, vel = run(rows, "f32", { 6 }, options)
            for _, splits in ipairs { { 6 }, { 1, 5 }, { 2, 3, 1 } } do
                local p, v = run(rows, "f32", splits, options)
                assert.equal(pos:tobytes(), p:tobytes())
                assert.equal(vel:tobytes(), v:tobytes())
            end
        end)

        it("keeps the energy of a sphere in equilibrium", function()
            local rows = bodies("cube", 800)
            local options = { softening = 0.2, accuracy = 1e-3, variant = variant }
            local pos, vel = dev:array(rows, "f64"), dev:zeros({ 800, 4 }, "f64")
            local kinetic, potential = pos:energy(vel, { softening = 0.2 })
            local before = kinetic + potential
            options.dt, options.steps = 1 / 128, 40
            pos:nbody(vel, options)
            kinetic, potential = pos:energy(vel, { softening = 0.2 })
            helper.check_number(before, kinetic + potential, 1e-3 * math.abs(before))
        end)
    end)

    describe("what a tree does not take, on " .. title, function()
        local FAULTS = {
            { 0 / 0, 1, "the position of body 7 is NaN; with accuracy, positions must be finite" },
            { -1 / 0, 3, "the position of body 7 is infinite; with accuracy, positions must be finite" },
            { -1, 4, "the mass of body 7 is negative; with accuracy, masses must be finite and 0 or more" },
            { 0 / 0, 4, "the mass of body 7 is NaN; with accuracy, masses must be finite and 0 or more" },
            { 1 / 0, 4, "the mass of body 7 is infinite; with accuracy, masses must be finite and 0 or more" },
        }

        local function settle() -- finish tells each failure once more
            for _ = 1, 5 do
                pcall(dev.finish, dev)
            end
        end

        it("is told, by the direct sum too, and nothing is lost", function()
            for _, way in ipairs { variant, "plain" } do
                for _, fault in ipairs(FAULTS) do
                    local value, column, message = table.unpack(fault)
                    local pos, vel = dev:array(bodies("cube", 40)), dev:zeros { 40, 4 }
                    pos:set(value, 7, column)
                    local before = pos:tobytes()
                    local options = { accuracy = 1e-3, variant = way }
                    local field = pos:gravity(options)
                    helper.refused("totable: gravity: " .. message, field)
                    helper.refused("energy: " .. message, pos, vel, options)
                    helper.refused("nbody: " .. message,
                        pos, vel, { dt = 1, steps = 3, accuracy = 1e-3, variant = way })
                    assert.equal(before, pos:tobytes())
                    assert.equal(0.0, vel:abs():max())
                    settle()
                    pos:set(0.5, 7, column)
                    assert.equal(40, #pos:gravity(options):totable())
                end
            end
        end)

        it("is told of points, and masses of bodies that do not attract do not matter", function()
            local pos, at = dev:array(bodies("cube", 40)), dev:zeros { 3, 3 }
            at:set(0 / 0, 2, 2)
            local field = pos:gravity { accuracy = 1e-3, variant = variant, at = at }
            helper.refused("totable: gravity: the position of point 2 is NaN; with accuracy, positions must be finite",
                field)
            settle()
            local softening = dev:full({ 40 }, 0.1)
            softening:set(0 / 0, 31)
            helper.refused("energy: the softening of body 31 is NaN or too large; with accuracy, softenings "
                .. "must be finite",
                pos, dev:zeros { 40, 4 }, { accuracy = 1e-3, variant = variant, softening = softening })
            settle()
            pos:set(-1, 30, 4)
            assert.equal(40, #pos:gravity({ accuracy = 1e-3, variant = variant, active = 29 }):totable())
        end)

        it("is told of bodies of several systems, which no tree sums", function()
            local pos = dev:array(bodies("cube", 12)):reshape(3, 4, 4)
            pos:set(-1, 2, 3, 4)
            local field = pos:gravity { accuracy = 1e-3 }
            helper.raises("totable: gravity: the mass of body 3 of system 2 is negative; with accuracy, masses must be",
                function() field:totable() end)
            settle()
            helper.refused("gravity: variant '" .. variant .. "' cannot do this here; ",
                pos, { accuracy = 1e-3, variant = variant })
        end)

        it("without an accuracy is not the tree's", function()
            helper.refused("gravity: variant '" .. variant .. "' cannot do this here; ",
                dev:zeros({ 3, 4 }), { variant = variant })
        end)
    end)
end)

helper.each_device(function(dev, name)
    describe("accuracy on " .. name, function()
        it("is from 1e-6 to 0.1", function()
            local pos, vel = dev:zeros { 3, 4 }, dev:zeros { 3, 4 }
            for _, case in ipairs {
                { 0, "0" }, { 0.5, "0.5" }, { -1e-3, "-0.001" }, { 2.0 ^ -20, "9.5367431640625e-07" }, { 0 / 0, "nan" },
                { 0.2, "0.2" }, { 1e-7, "1e-07" }, { 0.1 + 2.0 ^ -56, "0.10000000000000002" },
            } do
                local message = "accuracy must be a number from 1e-6 to 0.1, not " .. case[2]
                local accuracy = case[1]
                helper.refused("gravity: " .. message, pos, { accuracy = accuracy })
                helper.refused("energy: " .. message, pos, vel, { accuracy = accuracy })
                helper.refused("nbody: " .. message, pos, vel, { dt = 1, accuracy = accuracy })
            end
        end)

        it("takes one body and none", function()
            local none, one = dev:zeros { 0, 4 }, dev:array { { 1, 2, 3, 4 } }
            helper.check_array(none:gravity { accuracy = 1e-3 }, "f32", { 0, 4 }, {})
            helper.check_array(one:gravity { accuracy = 1e-3 }, "f32", { 1, 4 }, { 0.0, 0.0, 0.0, 0.0 })
            assert.same({ 0.0, 0.0 }, { none:energy(none:copy(), { accuracy = 1e-3 }) })
            assert.equal(none, none:nbody(none:copy(), { dt = 1, accuracy = 1e-3 }))
        end)
    end)

    describe("points on " .. name, function()
        it("are the last argument's business: shape, dtype and out", function()
            local pos = dev:ones { 5, 4 }
            helper.refused("gravity: at must be m x 3 or m x 4, not 3x2", pos, { at = dev:zeros { 3, 2 } })
            helper.refused("gravity: at must be m x 3 or m x 4, not 3", pos, { at = dev:zeros { 3 } })
            helper.refused("gravity: at must be f32 as the positions are, not i32",
                pos, { at = dev:zeros({ 3, 3 }, "i32") })
            helper.refused("gravity: at needs the positions of one system, n x 4, not 2x5x4",
                dev:ones({ 2, 5, 4 }), { at = dev:zeros { 3, 3 } })
            helper.refused("gravity: out must be 3x4, a row for each point, not 5x4",
                pos, { at = dev:zeros { 3, 3 }, out = dev:zeros { 5, 4 } })
            helper.refused("gravity: out must be f32 as the positions are, not i32",
                pos, { at = dev:zeros { 3, 3 }, out = dev:zeros({ 3, 4 }, "i32") })
            local at = dev:zeros { 3, 4 }
            helper.refused("gravity: out overlaps an input; give it memory of its own", pos, { at = at, out = at })
        end)

        it("are none, or see no bodies", function()
            helper.check_array(dev:ones({ 2, 4 }):gravity { at = dev:zeros { 0, 3 } }, "f32", { 0, 4 }, {})
            local nothing = { 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0 }
            for _, accuracy in ipairs { false, 1e-3 } do
                local got = dev:zeros({ 0, 4 }):gravity { at = dev:ones { 2, 3 }, accuracy = accuracy or nil }
                helper.check_array(got, "f32", { 2, 4 }, nothing)
            end
        end)
    end)
end)

-- The direct sum at points: as massless bodies behind the others.
helper.each_variant("gravity", function(dev, variant, title)
    it("gravity at points is that of test bodies there, on " .. title, function()
        helper.can(function()
            for _, n in ipairs { 1, 9, 65, 257 } do
                for _, m in ipairs { 1, 8, 70 } do
                    local rows, places = bodies("cube", n), bodies("disc", m)
                    places[1] = rows[n]
                    local both = table.move(places, 1, m, n + 1, table.move(rows, 1, n, 1, {}))
                    for _, options in ipairs { {}, { softening = 0.1 }, { active = (n + 1) // 2 } } do
                        local active = options.active or n
                        local expected = dev:array(both):gravity {
                            softening = options.softening, active = active, variant = variant,
                        }:slice { n + 1, n + m }
                        local at = dev:array(places)
                        local got = dev:array(rows):gravity {
                            softening = options.softening, active = options.active, variant = variant, at = at,
                        }
                        helper.check_list(helper.flat(expected), helper.flat(got),
                            numbers.dtype.f32.eps * 64 * (n + 8), ("%d bodies, %d points"):format(n, m))
                    end
                end
            end
        end)
    end)
end)

-- Test builds scan the counts of cells in parts, as others do with some hundred thousand bodies on a GPU.
describe("a tree whose counts are scanned in parts", function()
    it("is the one whose counts are scanned at once", function()
        local script = [[
            local lun = require "lunarray"
            for _, variant in ipairs(lun.device():variants "gravity") do
                for _, n in ipairs(variant:find "tree" and { 17, 3000 } or {}) do
                    local pos = lun.normal({ n, 4 }, { seed = n }):abs_()
                    for _, leap in ipairs { 1, n } do -- n: half of the bodies are in one place
                        pos:slice({ 1, n, leap == 1 and n or 2 }):fill(0.5)
                        local ok, field = pcall(pos.gravity, pos, { accuracy = 1e-3, variant = variant })
                        local text = ok and field:tobytes() or ""
                        print(variant, n, (text:gsub(".", function(c) return ("%02x"):format(c:byte()) end)))
                    end
                end
            end
        ]]
        local expected = helper.child(script)
        assert.matches("tree%S*%s+3000%s+%x%x%x%x%x%x", expected)
        assert.equal(expected, helper.child(script, { cpath = "build/faults/?.so" }))
    end)
end)
