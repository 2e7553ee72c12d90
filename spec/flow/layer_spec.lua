-- Every OpenCL call fails, as a driver lets it fail, Lua is refused memory, scenarios are left at their steps, and
-- objects are counted: the layer of spec/layer stands between lunarray and the driver. What is tried of each is a
-- sample, with LUNARRAY_LONG=1 of more scenarios; `make torture` tries more of it, and all where it is asked to.

local helper = require "spec.helper"

local always = it
local it = helper.one_in(3, it)

local LAYER = "./build/layer/layer.so"

-- `companion`: what is small is done at once, where the device can. Else all is the threads', whose calls are counted.
local function with_layer(build, companion)
    local env = { OPENCL_LAYERS = LAYER, LUNARRAY_COMPANION = not companion and "0" }
    return { env = env, cpath = ("build/layer/?.so;%s/?.so"):format(build or "build") }
end

-- In a process of its own that has the layer.
local function child(source)
    return helper.child(source, with_layer())
end

-- Runs spec/layer/run.lua, and gives its lines that tell what is wrong, how much was tried of each scenario, and how
-- many calls those make that make few.
local function run(kind, what, how, build, companion)
    local options, errors = with_layer(build, companion)
    -- The driver's compiler writes to the second stream whenever it likes, in the middle of a line too.
    local output, status = helper.with_file(function(path)
        options.errors = path
        local code = 'arg = { %q, %q, %q }; dofile "spec/layer/run.lua"'
        local text, result = helper.run(code:format(kind, what, how), options)
        errors = helper.read_file(path)
        return text, result
    end)
    local wrong, tried, few = {}, {}, {}
    for line in output:gmatch "[^\n]+" do
        local name, faults = line:match "^(.-) +(%d+) tried +%d+ told +%d+ wrong$"
        local maker, calls = line:match "^(.-) makes (%d+) calls$"
        if maker then
            few[maker] = tonumber(calls)
        elseif name then
            tried[name] = tonumber(faults)
        elseif line:find "^wrong: " then
            wrong[#wrong + 1] = line
        end
    end
    if status ~= 0 and not wrong[1] then
        wrong[1] = output .. errors
    end
    return wrong, tried, few
end

-- All that a script sees of the layer, and one array.
local HEADER = [[
    local layer = require "layer"
    local lun = require "lunarray"
    local dev = lun.device()
    local a = dev:array { { 1, 2, 3 }, { 4, 5, 6 } }
    dev:finish()
]]

if not helper.has_layer "layer" then
    pending "an OpenCL call that fails: needs build/layer/layer.so (make layer)"
    return
end

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
            KEPT = require "lunarray".device():arange(3)
            print(torture.left_over())
        ]]
        assert.matches("^false\tstate:1: a state of its own\ntrue\t0.0\ntrue\tnil\n", output)
        output = helper.has_pocl() and output or output:gsub(" 1 kernel", " 1 events, 1 kernel") -- others keep none
        assert.matches("\n1 context by clCreateContext, 1 events, 1 kernel by clCreateKernel, 1 mem by clCreateBuffer, "
            .. "1 program by clCreateProgramWithSource, 1 queue by clCreateCommandQueue\n$", output)
    end)
end)

-- What is said of a scenario that does wrong.
local function complaints(code, what)
    return child(HEADER .. ([[
        local torture = require "spec.layer.torture"
        local kept = {}
        local function swap()
            local old = a
            a = a:copy()
            return { a }, function() a = old end
        end
        a:copy() -- a GPU copies by a kernel, which stays
        torture.warm(dev, "it", function() %s end, function() end, { %s })
    ]]):format(code, what or "what = 'calls'"))
end

describe("trying scenarios", function()
    it("finds a wrong result, an error of another kind, an object that stays", function()
        assert.matches("wrong: it, clSetKernelArg 1: .*a wrong result without an error",
            complaints "local ok, b = pcall(a.neg, a) return ok and b or 'nothing'")
        assert.matches("wrong: it, clSetKernelArg 1: .*not an error of lunarray's: .*oh",
            complaints "local ok, b = pcall(a.neg, a) return ok and b or error 'oh'")
        assert.matches("wrong: it, clSetKernelArg 1: live: %d+ of mem instead of %d",
            complaints "kept[#kept + 1] = a:neg() return kept[#kept]")
        assert.matches("wrong: it, clSetKernelArg 1: the next call: .*broken",
            complaints "if broken then error 'broken' end local ok, b = pcall(a.neg, a) broken = not ok return b")
    end)

    it("finds so too where Lua is refused memory, or an input is given back meanwhile", function()
        local memory = "what = 'memory', stride = 1, seed = 1, swap = swap"
        assert.matches("wrong: it, request 1, 2 times: .*a wrong result without an error",
            complaints("local ok, b = pcall(a.neg, a) return ok and b or 'nothing'", memory))
        assert.matches("wrong: it, request 1, 2 times: .*another error: .*oh",
            complaints("local ok, b = pcall(a.neg, a) return ok and b or error 'oh'", memory))
        assert.matches("wrong: it, each request, once: live: %d+ of mem instead of %d",
            complaints("kept[#kept + 1] = a:neg() return kept[#kept]", memory))
        assert.matches("wrong: it, released at collection 1: .*another error: .*oh",
            complaints("local ok, b = pcall(a.neg, a) return ok and b or error 'oh'", memory))
    end)

    it("finds so too where a scenario is left", function()
        local steps = "what = 'steps', stride = 1, seed = 1"
        assert.matches("wrong: it, raised at step %d+: .*a wrong result without an error",
            complaints("local ok, b = pcall(a.neg, a) return ok and b or 'nothing'", steps))
        assert.matches("wrong: it, left at step %d+: the next call: .*broken",
            complaints("if broken then error 'broken' end broken = true local b = a:neg() broken = false return b",
                steps))
        assert.matches("wrong: it, closed at step %d+: live: %d+ of mem instead of %d",
            complaints("local b = a:neg() kept[#kept + 1] = b return b", steps))
    end)

    it("finds nothing wrong where nothing is", function()
        for what, least in pairs { calls = 9, memory = 3, steps = 9 } do
            local options = ("what = %q, stride = 1, seed = 1, swap = swap"):format(what)
            local output = complaints("local b = a:neg() return b", options)
            local count = output:match "^it +(%d+) tried +%d+ told +0 wrong\n$"
            assert.is_true(tonumber(count or 0) > least, output)
        end
    end)
end)

local LONG = os.getenv "LUNARRAY_LONG"
local WARM, COLD = LONG and "third" or "few", LONG and "some" or "1/80"

-- No scenario has done wrong, and all were tried, each of them so often, but for those that need no memory, or no call.
-- A scenario of fewer calls, as those of views are, has no more to fail.
local function check_tried(wrong, tried, least, few, exempt)
    assert.equal("", table.concat(wrong, "\n"))
    local count = 0
    for name, times in pairs(tried) do
        count = count + 1
        local wanted = math.min(least, few[name] or least)
        assert.is_true(times >= wanted or (exempt or {})[name], name .. " was hardly tried")
    end
    local wanted = LONG and #require "spec.operations".list() // 3 or #require "spec.layer.scenarios".few
    assert.is_true(count >= wanted, "only " .. count .. " scenarios were tried")
end

describe("an OpenCL call that fails", function()
    for build, title in pairs { ["build"] = "", ["build/faults"] = ", where devices are taken for GPUs" } do
        local some = build == "build" and always or helper.long(always) -- those kernels take long to build
        some("is told with its code, inputs and memory are as before, and the next call works" .. title, function()
            local wrong, tried, few = run("warm", "calls", WARM, build)
            check_tried(wrong, tried, 3, few)
        end)
    end

    always("repeats no step that has run: a draw in several steps draws once, where memory is refused", function()
        assert.equal("0\n", child(HEADER .. [[
            local options = { mean = { 1, 2 }, cov = dev:eye(2) }
            local right = dev:rng(7):multivariate_normal({ 3 }, options)
            local wrong = 0
            for after = 1, 9 do
                local rng = dev:rng(7)
                layer.fail { call = "clCreateBuffer", after = after, code = -4 }
                local drawn = rng:multivariate_normal({ 3 }, options)
                layer.fail { call = "clCreateBuffer", after = 1000000 }
                wrong = wrong + (drawn:eq(right):all() and 0 or 1)
            end
            print(wrong)
        ]]))
    end)

    it("is told so too of what is done at once", function()
        local wrong, tried, few = run("warm", "calls", WARM, nil, true)
        check_tried(wrong, tried, 1, few, require "spec.layer.scenarios".by_host) -- a small read is two calls
    end)

    it("between the search for devices and the end of the state leaves no object behind", function()
        local wrong, tried = run("cold", "calls", COLD, nil, true)
        assert.equal("", table.concat(wrong, "\n"))
        for _, day in ipairs(require "spec.layer.scenarios".cold) do
            assert.is_true((tried[day[1]] or 0) >= (LONG and 10 or 1), day[1] .. " was hardly tried")
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

    it("among all others, while work is on a queue, does not let later calls come before that work", function()
        local output = child(HEADER .. [[
            local start = require("spec.helper").long_work(dev)
            a:fill(1):sum() -- built
            local work = start()
            a:fill(3)
            layer.fail { after = 1, times = 1000000, pick = 2 }
            print(pcall(a.fill, a, 5))
            layer.stop()
            a:fill(7)
            print(a:sum())
            print(work:wait(), a:sum())
        ]])
        assert.matches("^false\t[^\n]*lunarray: fill: [^\n]*\n42.0\ntrue\t42.0\n$", output)
    end)

    it("again after a pause, while work is on a queue, does not either, wherever the work is", function()
        for _, queue in ipairs { "nil", "dev:queue()" } do
            local output = child(HEADER .. [[
                local start = require("spec.helper").long_work(dev, ]] .. queue .. [[)
                a:fill(1):sum() -- built
                local work, number = start(5)
                local x = dev:zeros({ 6 }, number:dtype())
                x:mul_(number) -- waits for the work
                x:fill(3)
                layer.fail { after = 1, times = 1000000, pick = 2 }
                local ok = pcall(x.fill, x, 5)
                local clock = lun.clock()
                repeat until lun.clock() > clock + 0.4
                for _ = 1, 2 do
                    ok = ok or pcall(x.fill, x, 5)
                end
                layer.stop()
                x:fill(7)
                print(ok, work:wait(), x:sum(), pcall(dev.finish, dev))
            ]])
            assert.equal("false\ttrue\t42\ttrue\n", output)
        end
    end)

    it("to ask for an operation's state does not make the operation look ended", function()
        local output = child(HEADER .. [[
            local work = require("spec.helper").long_work(dev)()
            layer.fail { after = 1, times = 1, call = "clGetEventInfo" }
            local done = work:done()
            print(done, (layer.stop()), work:done(), work:wait())
        ]])
        assert.equal("false\t1\tfalse\ttrue\n", output)
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
            .. "no times were recorded for that command\ntable\n$", output)
    end)

    it("to ask for a parameter's own type is told as the compiler's, not taken for a type that nobody knows", function()
        local output = child(HEADER .. [[
            local program = dev:program [=[
                typedef float real;
                kernel void twice(global float *x, real by) { x[get_global_id(0)] *= by; }
            ]=]
            layer.fail { after = 1, call = "clBuildProgram", code = -11 }
            print(select(2, pcall(program.kernel, program)))
            print(layer.stop())
            local b = a:copy()
            program:kernel():run({ global = 6 }, b, 2)
            print(b:sum())
        ]])
        assert.matches("lunarray: kernel: the program did not compile when its types were asked for: "
            .. "CL_BUILD_PROGRAM_FAILURE.-\n1\tclBuildProgram\t%-11\n42.0\n$", output)
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

describe("memory that Lua is refused, or collects wherever it can,", function()
    it("costs an operation nothing but its result, and inputs are as before, given back by no one", function()
        local wrong, tried = run("warm", "memory", WARM)
        check_tried(wrong, tried, 1, {}, { sum = true }) -- its request is at hand, and it gives a number
    end)

    it("never makes a text of an array that was given back meanwhile, as if nothing were missing", function()
        local code = "local b <close> = a:copy() return tostring(a)" -- the copy: what swap needs is built
        local output = complaints(code, "what = 'memory', stride = 1, seed = 1, swap = swap")
        assert.matches("^it +%d+ tried +%d+ told +0 wrong\n$", output)
    end)

    it("is an error of a histogram whose arrays were given back while it made its edges", function()
        for _, code in ipairs { "lun.histogram2d(a, a, { bins = 2 })", "a:histogram { bins = 2 }" } do
            local output = complaints("local b <close> = a:copy() return (" .. code .. ")",
                "what = 'memory', stride = 1, seed = 1, swap = swap")
            assert.matches("^it +%d+ tried +%d+ told +0 wrong\n$", output)
        end
    end)

    it("from the loading of the module on leaves no object behind", function()
        assert.equal("", table.concat(run("cold", "memory", "some"), "\n"))
    end)
end)

describe("an operation that is left at any of its steps", function()
    it("by an error, by a coroutine that nobody resumes, or that is closed, leaves all as it was", function()
        local wrong, tried = run("warm", "steps", WARM)
        check_tried(wrong, tried, 2, {})
    end)

    it("by the end of the Lua state leaves no object behind", function()
        assert.equal("", table.concat(run("cold", "ends", "some"), "\n"))
    end)
end)

describe("the end of an operation", function()
    always("is reported by a callback on CPUs alone: other drivers call late, as the process ends", function()
        local options = with_layer()
        local function waits()
            return helper.child(HEADER .. [[
                local start = require("spec.helper").long_work(dev)
                layer.fail {}
                start():wait()
                local work = start()
                work:pollfd()
                work:wait()
                print(dev:info().type, layer.calls().clSetEventCallback > 0)
            ]], options)
        end
        local output = waits()
        assert.is_true(output == "cpu\ttrue\n" or output == "gpu\tfalse\n", output)
        options.env.OPENCL_LAYERS, options.env.NARROW_GPU = "./build/layer/narrow.so:" .. LAYER, "1"
        assert.equal("gpu\tfalse\n", waits())
    end)
end)

describe("a process that exits without closing its state", function()
    local with_pocl = helper.has_pocl() and always or pending

    with_pocl("ends although its drivers wait for a copy from another device that is under way", function()
        local options = with_layer()
        options.env.POCL_DEVICES, options.env.LUNARRAY_DEVICE = "pthread pthread", false
        options.before = "timeout 100"
        assert.equal("", helper.child([[
            require("layer").finish_at_exit()
            local lun = require "lunarray"
            local one, other = lun.device "1", lun.device "2"
            local _, number = require("spec.helper").long_work(one)()
            number:to(other)
            os.exit(0)
        ]], options))
    end)
end)
