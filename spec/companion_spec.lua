-- PoCL's second driver, which does what is small at once: nobody sees it, and it is left out where it has to be.

local helper = require "spec.helper"

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

    it("is in no list, and leaves the environment as it was", function()
        local alone = devices()
        assert.matches("\nnil\n$", alone)
        assert.equal(alone, devices { LUNARRAY_COMPANION = "0" })
        assert.is_nil(alone:find("^basic%-"), alone)
        assert.is_nil(alone:find("\nbasic%-"), alone)
    end)

    it("is a device as others where the user has asked for it", function()
        local both = devices { POCL_DEVICES = "pthread basic" }
        assert.matches("\npthread basic\n$", both)
        assert.equal(1, select(2, ("\n" .. both):gsub("\nbasic%-", "")))
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
