-- Every OpenCL call fails, as a driver lets it fail, and objects are counted: the layer of spec/layer stands between
-- lunarray and the driver. What is tried of each scenario is a sample; `make torture` tries all of it.

local helper = require "spec.helper"

local LAYER = "./build/layer/layer.so"

-- In a process of its own that has the layer.
local function child(source, build)
    return helper.child(source, {
        env = { OPENCL_LAYERS = LAYER },
        cpath = ("build/layer/?.so;%s/?.so"):format(build or "build"),
    })
end

-- Runs spec/layer/run.lua, and gives its lines that tell what is wrong, and how much was tried of each scenario.
local function run(kind, build)
    local output = child(('arg = { %q }; dofile "spec/layer/run.lua"'):format(kind), build)
    local wrong, tried = {}, {}
    for line in output:gmatch "[^\n]+" do
        local name, faults = line:match "^(.-) +(%d+) tried +%d+ told +%d+ wrong$"
        if name then
            tried[name] = tonumber(faults)
        elseif line:find "^wrong: " then
            wrong[#wrong + 1] = line
        end
    end
    return wrong, tried
end

-- All that a script sees of the layer, and one array.
local HEADER = [[
    local layer = require "layer"
    local lun = require "lunarray"
    local dev = lun.device()
    local a = dev:array { { 1, 2, 3 }, { 4, 5, 6 } }
    dev:finish()
]]

local has_layers = child "require 'lunarray'.devices() print(require 'layer'.installed())" == "true\n"

if not has_layers then
    pending "an OpenCL call that fails: needs a loader that knows OPENCL_LAYERS"
    return
end

describe("the layer", function()
    it("counts the objects of each kind, and those that are live", function()
        local output = child(HEADER .. [[
            assert(layer.installed())
            local before = layer.live()
            assert(before.context == 1 and before.queue == 1, "a context and a queue")
            local b = dev:zeros { 1 << 20 }
            assert(layer.live().mem == before.mem + 1)
            b:release()
            dev:trim()
            assert(layer.live().mem == before.mem)
            local program = dev:program "kernel void f(global float *x) { x[0] = 1; }"
            local kernel = program:kernel()
            local now = layer.live()
            print(now.program - before.program, now.kernel - before.kernel, layer.wrong())
        ]])
        assert.equal("2\t2\t0\t\n", output) -- zeros has a program too
    end)

    it("fails the n-th call of a function, of any, once or from then on, with a code of its own", function()
        local output = child(HEADER .. [[
            local function fails(fault)
                layer.fail(fault)
                local ok, problem = pcall(a.tobytes, a)
                local times, call, code = layer.stop()
                print(ok, ok or problem.code, times, call, code)
                pcall(dev.finish, dev)
            end
            fails { after = 1, call = "clEnqueueReadBuffer", pick = 2 }
            fails { after = 2, call = "clEnqueueReadBuffer" }
            fails { after = 2, code = -9999 }
            fails { after = 1, call = "clEnqueueReadBuffer", times = 1000, pick = 3 }
            fails { after = 1, code = -36, late = true }
            fails {}
        ]])
        assert.equal(table.concat({
            "false\t-5\t1\tclEnqueueReadBuffer\t-5",
            "true\ttrue\t0\tnil\t0",
            "false\t-9999\t1\tclFlush\t-9999",
            "false\t-6\t2\tclEnqueueReadBuffer\t-6",
            "false\t-36\t1\tclEnqueueReadBuffer\t-36",
            "true\ttrue\t0\tnil\t0",
        }, "\n") .. "\n", output)
    end)

    it("tells what is left, and by which function it was made", function()
        local output = child [[
            local layer, torture = require "layer", require "spec.layer.torture"
            print(layer.state "error('a state of its own')")
            print(layer.state "KEPT = require 'lunarray'.device():zeros { 3 } return KEPT:get(1)")
            print(layer.made().mem > 0, torture.left_over())
            KEPT = require "lunarray".device():zeros { 3 }
            print(torture.left_over())
        ]]
        assert.matches("^false\tstate:1: a state of its own\ntrue\t0.0\ntrue\tnil\n", output)
        assert.matches("\n1 context by clCreateContext, 1 events, 1 kernel by clCreateKernel, 1 mem by clCreateBuffer, "
            .. "1 program by clCreateProgramWithSource, 1 queue by clCreateCommandQueue\n$", output)
    end)
end)

describe("trying scenarios", function()
    -- What is said of a scenario that does wrong.
    local function complaints(code)
        return child(HEADER .. ([[
            local torture = require "spec.layer.torture"
            local kept = {}
            torture.warm(dev, "it", function() %s end, function() end, {})
        ]]):format(code))
    end

    it("finds a wrong result, an error of another kind, an object that stays", function()
        assert.matches("wrong: it, clSetKernelArg 1: .*a wrong result without an error",
            complaints "local ok, b = pcall(a.copy, a) return ok and b or 'nothing'")
        assert.matches("wrong: it, clSetKernelArg 1: .*not an error of lunarray's: .*oh",
            complaints "local ok, b = pcall(a.copy, a) return ok and b or error 'oh'")
        assert.matches("wrong: it, clSetKernelArg 1: live: %d+ of mem instead of %d",
            complaints "kept[#kept + 1] = a:copy() return kept[#kept]")
        assert.matches("wrong: it, clSetKernelArg 1: the next call: .*broken",
            complaints "if broken then error 'broken' end local ok, b = pcall(a.copy, a) broken = not ok return b")
    end)

    it("finds nothing wrong where nothing is", function()
        assert.matches("^it +%d+ tried +%d+ told +0 wrong\n$", complaints "return a:copy()")
    end)
end)

describe("an OpenCL call that fails", function()
    for build, title in pairs { ["build"] = "", ["build/faults"] = ", where devices are taken for GPUs" } do
        it("is told with its code, inputs and memory are as before, and the next call works" .. title, function()
            local wrong, tried = run("warm", build)
            assert.equal("", table.concat(wrong, "\n"))
            for _, operation in ipairs(require "spec.operations".list) do
                assert.is_true((tried[operation[1]] or 0) > 2, operation[1] .. " was hardly tried")
            end
        end)
    end

    it("between the search for devices and the end of the state leaves no object behind", function()
        local wrong, tried = run "cold"
        assert.equal("", table.concat(wrong, "\n"))
        for _, day in ipairs(require "spec.layer.scenarios".cold) do
            assert.is_true((tried[day[1]] or 0) > 9, day[1] .. " was hardly tried")
        end
    end)

    it("while a state closes leaves no object behind either", function()
        local output = child [[
            local layer, torture = require "layer", require "spec.layer.torture"
            for n = 1, 2 do
                local ok, problem = layer.state(([=[
                    local layer = require "layer"
                    local dev = require "lunarray".device()
                    local a = dev:random { 100 }
                    local event = a:totable { async = true }
                    local host = dev:zeros({ 3 }):host "rw"
                    layer.fail { after = %d, times = 1000000, pick = 2 }
                ]=]):format(n))
                local times = layer.stop()
                assert(ok and times > 0, problem)
                print(torture.left_over())
            end
        ]]
        assert.equal(("nil\n"):rep(2), output)
    end)

    it("in the search for devices is the error of the search, and the next search finds them", function()
        local output = child [[
            local layer = require "layer"
            local lun = require "lunarray"
            for _, call in ipairs { "clGetPlatformIDs", "clGetDeviceIDs", "clGetDeviceInfo", "clGetPlatformInfo" } do
                layer.fail { after = 1, call = call }
                print(select(2, pcall(lun.devices)))
            end
            layer.stop()
            print(#lun.devices() > 0)
        ]]
        local text = "%S+ lunarray: devices: NAME gave CL_OUT_OF_HOST_MEMORY %(%-6%): the driver ran out of host "
            .. "memory\n"
        local patterns = {}
        for i, call in ipairs { "clGetPlatformIDs", "clGetDeviceIDs", "clGetDeviceInfo", "clGetPlatformInfo" } do
            patterns[i] = (text:gsub("NAME", call))
        end
        assert.matches("^" .. table.concat(patterns) .. "true\n$", output)
    end)

    it("to ask how an operation stands does not end the operation", function()
        local output = child(HEADER .. [[
            local helper = require "spec.helper"
            local start = helper.long_work(dev)
            local work, list = start(), a:totable { async = true }
            layer.fail { after = 1, call = "clGetEventInfo" }
            local b = dev:zeros { 3 }
            local times = layer.stop()
            print(times, work:done(), list:get()[2][3], b:sum(), pcall(dev.finish, dev))
        ]])
        assert.equal("1\tfalse\t6.0\t0.0\ttrue\n", output)
    end)

    it("for times is not taken for a queue that keeps none", function()
        local output = child(HEADER .. [[
            local event = a:copy { async = true }
            event:wait()
            layer.fail { after = 1, call = "clGetEventProfilingInfo" }
            local ok, problem = pcall(event.profile, event)
            layer.stop()
            print(problem)
            print(type(event:profile()))
        ]])
        assert.matches("lunarray: profile: clGetEventProfilingInfo gave CL_PROFILING_INFO_NOT_AVAILABLE %(%-7%): "
            .. "no times were kept for that command\ntable\n$", output)
    end)

    it("in the middle of an operation is told with its own code by those who read what is lost", function()
        local output = child(HEADER .. [[
            local index, b = dev:array({ 2, 1 }, "i32"), dev:array { 1, 2 }
            b:put(index, b:copy())
            dev:finish()
            layer.fail { after = 1, call = "clEnqueueReadBuffer", code = -36 }
            local ok, problem = pcall(b.put, b, index, b:copy())
            layer.stop()
            print(problem)
            print(select(2, pcall(b.totable, b)))
        ]])
        assert.matches("put: clEnqueueReadBuffer gave CL_INVALID_COMMAND_QUEUE %(%-36%).-\n"
            .. ".-totable: put failed on the device: CL_INVALID_COMMAND_QUEUE %(%-36%): the queue is dead\n$", output)
    end)
end)
