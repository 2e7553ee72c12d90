-- PoCL's second driver, which does what is small at once: nobody sees it, and it is left out where it has to be.

local helper = require "spec.helper"

local it = helper.one_in(2, it)

local POCL_ALONE = { LUNARRAY_DEVICE = false, POCL_DEVICES = false, LUNARRAY_COMPANION = false }

local function with(more)
    local env = {}
    for _, each in ipairs { POCL_ALONE, more or {} } do
        for name, value in pairs(each) do
            env[name] = value
        end
    end
    return env
end

-- In a process of its own: the names of all devices, then what of the environment is left.
local function devices(env)
    return helper.child([[
        for _, dev in ipairs(require "lunarray".devices()) do print(dev:info().name) end
        print(os.getenv "POCL_DEVICES")
    ]], { env = with(env) })
end

local pocl = helper.has_pocl()

describe("a companion", function()
    if not pocl then
        return
    end

    -- How many devices of that list run kernels on the calling thread: newer PoCLs call them otherwise.
    local function minimal(list)
        local _, old = ("\n" .. list):gsub("\nbasic%-", "")
        local _, new = ("\n" .. list):gsub("\ncpu%-minimal%-", "")
        return old + new
    end

    it("is in no list, and leaves the environment as it was", function()
        local alone = devices()
        assert.matches("\nnil\n$", alone)
        assert.equal(alone, devices { LUNARRAY_COMPANION = "0" })
        assert.equal(0, minimal(alone), alone)
    end)

    it("is a device as others where the user has asked for it", function()
        local both = devices { POCL_DEVICES = "pthread basic" }
        assert.matches("\npthread basic\n$", both)
        assert.equal(1, minimal(both), both)
    end)

    it("takes and gives copies there, of one piece and of several, at any time", function()
        local output = helper.child([[
            local lun = require "lunarray"
            local list = lun.devices()
            for i, from in ipairs(list) do
                local to = list[3 - i]
                for _, n in ipairs { 5, 1500000 } do
                    local x = from:arange(n):cast "f32"
                    local there = (x * 2):flip(1):to(to, { async = true })
                    local back = (there:get() + 1):to(from)
                    print(back:flip(1):eq(2 * x + 1):all(), to:zeros({ n }, "i32"):write(x:cast "u8"):get(5))
                end
            end
        ]], { env = with { POCL_DEVICES = "basic pthread" }, before = "timeout 60" })
        assert.equal(("true\t5\n"):rep(4), output)
    end)

    it("takes copies from devices that are at work, and lets hooks in meanwhile", function()
        local output = helper.child([[
            local core, lun = require "lunarray.core", require "lunarray"
            for i, from in ipairs(lun.devices()) do
                if not from:info().name:find "^basic" and not from:info().name:find "^cpu%-minimal" then
                    local to, x, calls = lun.devices()[3 - i], from:zeros { 5 }, 0
                    from:finish()
                    core.fault_close(1)
                    x:fill(3)
                    debug.sethook(function()
                        calls = calls + 1
                        if calls == 5 then
                            debug.sethook()
                            core.fault_open(0)
                        end
                    end, "c")
                    print(x:to(to):sum())
                end
            end
        ]], { env = with { POCL_DEVICES = "basic pthread" }, cpath = "build/faults/?.so", before = "timeout 60" })
        assert.equal("15.0\n", output)
    end)

    it("stays hidden when devices are looked for again, whatever the environment says then", function()
        assert.equal("true\n", helper.child([[
            local lun = require "lunarray"
            local count = #lun.devices()
            print(count == #lun.devices())
        ]], { env = with() }))
    end)
end)

-- With the module that `make faults` builds: an operation of the default queue is held back on the device. What is
-- printed then was done meanwhile.
local HELD = [[
    local core, lun = require "lunarray.core", require "lunarray"
    local dev = lun.device()
    local held, x, y = dev:ones { 1000 }, dev:arange(1, 100):cast "f32", dev:ones { 100 }
    dev:finish()
    core.fault_close(1)
    held:fill(2)
]]

describe("what is small", function()
    local function run(source, env, seconds)
        return helper.run(HELD .. source .. "\ncore.fault_open(0)\nprint(held:sum())",
            { cpath = "build/faults/?.so", env = with(env), before = "timeout " .. (seconds or 60) })
    end

    if not pocl then
        return
    end

    it("is done at once, though other work of its queue is held back", function()
        local output, status = run [[
            local sum = x + y
            print(sum:sum(), sum:get(100), (x * 2):matmul(y), table.concat(sum:slice({ 1, 3 }):totable(), " "))
            local out = dev:zeros { 100 }
            x:copy { out = out }
            x:add(out, { out = out })
            out:set(7, 1)
            do
                local seen <close> = out:host "r"
                print(seen[1], seen[2])
            end
            print(out:max(), lun.fuse(function(a, b) return a * b + 1 end)(x, y):sum())
        ]]
        assert.equal("5150.0\t101.0\t10100.0\t2.0 3.0 4.0\n7.0\t4.0\n200.0\t5150.0\n2000.0\n", output)
        assert.equal(0, status)
    end)

    it("is read and written where it lies, views too", function()
        local output, status = run [[
            local a = dev:array({ { 1, 2, 3 }, { 4, 5, 6 } }, "i16")
            local function show(view)
                local rows = {}
                for i, row in ipairs(view:totable()) do rows[i] = table.concat(row, " ") end
                print(table.concat(rows, "; "))
            end
            show(a:t())
            show(a:slice({ 2, 1, -1 }, { 1, 3, 2 }))
            show(a:slice({ 1, 2 }, { 3, 3 }))
            a:t():slice({ 3, 1, -2 }):write { { 7, 8 }, { 9, 10 } }
            print(table.concat(a:row(1):totable(), " "), table.concat(a:row(2):totable(), " "))
            a:col(2):write { -1, -2 }
            print(a:get(1, 2), a:get(2, 2), a:t():tobytes() == a:t():copy():tobytes())
            local wide = dev:zeros({ 40000 }, "i32") -- which the host does not see
            wide:slice({ 1, 9, 4 }):write { 1, 2, 3 }
            print(table.concat(wide:slice({ 1, 9, 2 }):totable(), " "))
        ]]
        local shown = "1 4; 2 5; 3 6\n4 6; 1 3\n3; 6\n9 2 7\t10 5 8\n-1\t-2\ttrue\n1 0 2 0 3\n2000.0\n"
        assert.equal(shown, output)
        assert.equal(0, status)
    end)

    -- What no row of this list may wait for is held back: an operation that is the threads' does not end before.
    it("is any operation of the library's", function()
        local output, status = run [[
            local index, mask, keys = dev:array({ 3, 1 }, "i64"), x:gt(50), dev:arange(1, 100):cast "f32" * -1
            local square, starts = x:reshape(10, 10), dev:array({ 1, 51, 101 }, "i64")
            local pos, vel = dev:random({ 50, 4 }, { seed = 1 }), dev:zeros { 50, 4 }
            local c = x:cast "c64"
            local rng = dev:rng(3)
            local function same(list) return list[1] end
            local list = {
                take = function() return x:take(index) end,
                ["take of rows"] = function() return square:t():take(index, 1) end,
                put = function() return x:copy():put(index, dev:ones { 2 }) end,
                add_at = function() return x:copy():add_at(index, 1) end,
                mask = function() return x:mask(mask) end,
                mask_put = function() return x:copy():mask_put(mask, x:slice { 1, 50 }) end,
                nonzero = function() return mask:nonzero() end,
                cumsum = function() return x:cumsum() end,
                ["scan by an own operator"] = function() return x:scan { combine = "max(a, b)" } end,
                ["scan of segments"] = function() return x:scan("sum", { segments = starts }) end,
                sort = function() return keys:sort() end,
                topk = function() return keys:topk(3) end,
                unique = function() return x:unique() end,
                median = function() return x:median() end,
                searchsorted = function() return x:searchsorted(y) end,
                bincount = function() return dev:arange(1, 50):bincount() end,
                histogram = function() return x:histogram { bins = 5 } end,
                arange = function() return dev:arange(1, 50) end,
                linspace = function() return dev:linspace(0, 1, 9) end,
                eye = function() return dev:eye(5) end,
                full = function() return dev:full({ 9 }, 7) end,
                random = function() return dev:random { 9 } end,
                normal = function() return dev:normal { 9 } end,
                choice = function() return rng:choice(100, 5, { weights = x }) end,
                permutation = function() return rng:permutation(50) end,
                concat = function() return lun.concat { x, y } end,
                stack = function() return lun.stack { x, y } end,
                roll = function() return x:roll(3) end,
                ["roll of a flat view"] = function() return square:t():roll(2) end,
                pad = function() return square:pad(2, { mode = "reflect" }) end,
                tile = function() return x:tile(3) end,
                tril = function() return square:tril() end,
                diag = function() return x:diag() end,
                ["transpose_"] = function() return square:copy():transpose_() end,
                fft = function() return x:fft() end,
                ["fft of a prime length"] = function() return x:slice { 1, 97 }:fft() end,
                ["rfft and irfft"] = function() return x:rfft():irfft() end,
                window = function() return dev:window("hann", 20) end,
                convolve = function() return x:convolve(dev:ones { 3 }) end,
                correlate = function() return x:correlate(dev:ones { 3 }) end,
                ["convolve of many"] = function() return x:convolve(dev:ones { 90 }, { method = "fft" }) end,
                einsum = function() return lun.einsum("ij,jk->ik", square, square) end,
                ["einsum of a trace"] = function() return lun.einsum("ii->i", square) end,
                tensordot = function() return square:tensordot(square, 1) end,
                outer = function() return x:outer(y) end,
                kron = function() return square:kron(dev:ones { 2, 2 }) end,
                cross = function() return dev:ones { 4, 3 }:cross(dev:ones { 3 }) end,
                windows = function() return x:windows(5):sum { axis = 2 } end,
                ["fft_"] = function() return c:copy():fft_() end,
                map = function() return dev:map("a * v + w", { a = 2, v = x, w = y }) end,
                ["an own operator"] = function()
                    return x:reduce { map = "x*x", combine = "a + b", identity = "0" }
                end,
                ["segments"] = function() return x:sum { segments = starts } end,
                nbody = function() return pos:copy():nbody(vel:copy(), { dt = 0.1, steps = 3 }) end,
                gravity = function() return pos:gravity { softening = 0.1 } end,
                energy = function() return pos:energy(vel) end,
                simulation = function()
                    local sim = lun.simulation(pos:copy(), vel:copy(), { dt = 0.1, softening = 1 })
                    sim:step(2)
                    sim:step()
                    return sim.pos
                end,
            }
            local names = {}
            for name in pairs(list) do names[#names + 1] = name end
            table.sort(names)
            for _, name in ipairs(names) do
                io.stderr:write(name, "\n")
                tostring(same { list[name]() })
            end
            io.stderr:write "all\n"
        ]]
        assert.matches("\nall\n2000.0\n$", output) -- else its last line is what waited
        assert.equal(0, status)
    end)

    it("waits for what is held back where it is the same memory", function()
        local output, status = run [[
            local q = dev:queue()
            local other = { async = true, queue = q }
            local more, less = held:add(1, other), held:slice({ 1, 2 }):mul(3, other)
            print(more:done(), less:done())
            held:slice({ 1, 500 }):fill(3)
            core.fault_open(0)
            print(more:get():sum(), less:get():sum())
        ]]
        assert.equal("false\tfalse\n3000.0\t12.0\n2500.0\n", output)
        assert.equal(0, status)
    end)

    it("is the threads' without a companion", function()
        local output, status = run("print((x + y):sum())", { LUNARRAY_COMPANION = "0" }, 5)
        assert.equal("", output)
        assert.equal(124, status)
    end)

    it("that somebody wants an event of ends behind what is before it in its queue", function()
        local output = run [[
            local event = x:add(y, { async = true })
            print(event:done())
            core.fault_open(0)
            print(event:get():sum(), event:done())
            local soon = x:add(y, { async = true })
            print(soon:done(), soon:get():sum())
            local times = soon:profile()
            print(times.queued <= times.submitted, times.submitted <= times.started, times.started <= times.ended)
        ]]
        assert.equal("false\n5150.0\ttrue\ntrue\t5150.0\ntrue\ttrue\ttrue\n2000.0\n", output)
    end)
end)

describe("PoCL's threads", function()
    local UNSET = { POCL_MAX_PTHREAD_COUNT = false, POCL_CPU_MAX_CU_COUNT = false, POCL_MAX_COMPUTE_UNITS = false }
    -- In a process that has one core: PoCL's units, then what of the environment is left.
    local function units(more)
        local env = with(UNSET)
        for name, value in pairs(more or {}) do
            env[name] = value
        end
        return helper.child([[
            local lun = require "lunarray"
            print(lun.device("Portable Computing Language"):info().units)
            for _, name in ipairs { "POCL_MAX_PTHREAD_COUNT", "POCL_CPU_MAX_CU_COUNT", "POCL_MAX_COMPUTE_UNITS" } do
                print(os.getenv(name))
            end
        ]], { env = env, before = "taskset -c $(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')" })
    end

    if not pocl or not os.execute "command -v taskset >/dev/null" then
        return
    end

    it("are as many as the process has cores, and the environment stays as it was", function()
        assert.equal("1\nnil\nnil\nnil\n", units())
    end)

    it("are as many as the user says, under each of PoCL's names", function()
        for _, name in ipairs { "POCL_MAX_PTHREAD_COUNT", "POCL_CPU_MAX_CU_COUNT", "POCL_MAX_COMPUTE_UNITS" } do
            local output = units { [name] = "3" }
            assert.equal(1, select(2, output:gsub("\n3", "")))
            assert.equal(2, select(2, output:gsub("\nnil", "")))
        end
    end)
end)
