-- Every OpenCL call that an operation makes fails once: the error says which, nothing leaks, and the next call works.

local helper = require "spec.helper"
local operations = require "spec.operations"

local it = helper.one_in(2, it)

-- In a process of its own, with the module that `make faults` builds: its core.fault_after(n, code) makes the n-th call
-- from now fail with that code (n = 0: none), and gives how many were made since it was last called.
local HEADER = operations.inputs .. [[
    local core = require "lunarray.core"
    local OUT_OF_RESOURCES, ALLOCATION_FAILURE = -5, -4
    for name in pairs(require("spec.calls").inputs) do
        assert(examples.inputs[name], name) -- made before memory is counted
    end

    -- Runs f once for each OpenCL call that it makes, with that call failing, until it makes no more of them; of those
    -- that make very many, behind the first for some.
    function faults(name, code, f, fine)
        local n = 0
        while n < 10000 do
            n = n + (n < 300 and 1 or 97)
            collectgarbage()
            local before = dev:memory().live
            core.fault_after(n, code)
            local ok, problem = pcall(f)
            local made = core.fault_after(0, 0)
            if ok and made < n then
                print(name, made .. " calls")
                return
            end
            if not ok then
                local text = tostring(problem)
                assert(text:find("lunarray: ", 1, true), ("%s at call %d: %s"):format(name, n, text))
                local is_object = type(problem) == "table" and type(problem.op) == "string"
                assert(is_object and math.type(problem.code) == "integer",
                    ("%s at call %d: no error object: %s"):format(name, n, text))
            end
            problem = nil
            pcall(dev.finish, dev)
            collectgarbage()
            assert(dev:memory().live == before, ("%s at call %d: %d bytes lost"):format(name, n,
                dev:memory().live - before))
            fine(name, n)
        end
        error(name .. ": ten thousand calls, and no end")
    end
]]

local function run(source)
    return helper.child(HEADER .. source, { cpath = "build/faults/?.so" })
end

describe("a failing OpenCL call", function()
    it("is told, and leaves inputs, memory and the next call as they were", function()
        local source = { [[
            local function fine(name, n)
                local where = ("after %s failed at call %d"):format(name, n)
                assert(table.concat(a:reshape(6):totable(), " ") == "1.0 2.0 3.0 4.0 5.0 6.0", where)
                assert(table.concat(pos:reshape(8):totable(), " ") == "0.0 0.0 0.0 1.0 1.0 0.0 0.0 1.0", where)
                assert(dev:full({ 4 }, 7):get(3) == 7.0, where)
            end
        ]] }
        local tried = {}
        for number, operation in ipairs(operations.list()) do
            tried[#tried + 1] = (helper.ALL or number % 16 == 0) and operation or nil
        end
        for _, operation in ipairs(tried) do
            source[#source + 1] = ("faults(%q, OUT_OF_RESOURCES, function() local _ = %s end, fine)"):format(
                operation[1], operation[2]):gsub("local _ = assert", "assert")
        end
        local output = run(table.concat(source, "\n"))
        local calling = 0
        for _, operation in ipairs(tried) do
            local calls = output:match(operation[1]:gsub("%p", "%%%0") .. "\t(%d+) calls")
            assert.truthy(calls, output)
            calling = calling + (tonumber(calls) > 0 and 1 or 0)
        end
        assert.is_true(calling * 3 > #tried * 2) -- views make none, nor what the host does by itself
    end)

    it("of a compiler that refuses what is more than OpenCL C makes way for another variant", function()
        for operation, call in pairs { matmul = "x:matmul(x):get(64, 64) == 576", reduce = "x:sum() == 12288" } do
            run(([[
                local x = dev:full({ 64, 64 }, 3, "f64")
                dev:finish()
                x:min() -- what all reductions share is there: the first calls of a sum are those that build it
                local function has()
                    return (" " .. table.concat(dev:variants("OPERATION"), " ") .. " "):find " nvidia "
                end
                local had = has()
                for n = 1, 20 do
                    core.fault_after(n, -11) -- CL_BUILD_PROGRAM_FAILURE
                    local ok, right = pcall(function() return CALL end)
                    core.fault_after(0)
                    assert(not ok or right)
                end
                assert(CALL)
                assert(not has(), had and "OPERATION did not meet a compiler")
            ]]):gsub("OPERATION", operation):gsub("CALL", call))
        end
    end)

    it("of work on several queues is told, and leaves them usable", function()
        run [[
            local function program()
                local q1, q2 = dev:queue(), dev:queue()
                local b = a:copy { queue = q1 }
                local c = b:transpose { queue = q2 }
                b:fill(1, { queue = q1 })
                b:row(2):write({ 7, 8, 9 }, { queue = q2 })
                local list = b:totable { queue = q1, async = true }
                assert(c:sum { queue = q1 } == 21)
                assert(list:get()[2][3] == 9)
                q1:event():wait()
                do
                    local host <close> = c:host("rw")
                    host[1] = 5
                end
                assert(c:get(1, 1) == 5)
                b:release()
                local d = dev:zeros({ 2, 3 }, { queue = q2 })
                q1:release()
                q2:finish()
                assert(d:sum { queue = q2 } == 0)
            end
            local function fine(name, n)
                local where = ("after %s failed at call %d"):format(name, n)
                assert(table.concat(a:reshape(6):totable(), " ") == "1.0 2.0 3.0 4.0 5.0 6.0", where)
                local queues = {} -- all places are to be had
                for i = 1, 16 do
                    queues[i] = dev:queue()
                    assert(a:sum { queue = queues[i] } == 21, where)
                end
            end
            faults("queues", OUT_OF_RESOURCES, program, fine)
            faults("queues", -36, program, fine)
        ]]
    end)

    it("is forgotten once it is told and gone, however many there were: then calls are as quick as before", function()
        run [[
            local function calls()
                core.fault_after(0, 0)
                assert(a:sum() == 21)
                return core.fault_after(0, 0)
            end
            calls()
            local before = calls()
            -- The first command is enqueued, the second refused: the operation has failed, and its output is lost.
            local parts = dev:random({ 3, 50000 }, { seed = 1 })
            for i = 1, 300 do
                local view = parts:slice({ 1, 3 }, { 1, 49999, 2 })
                core.fault_after(6, OUT_OF_RESOURCES)
                local ok = pcall(view.tobytes, view)
                core.fault_after(0, 0)
                ok = pcall(view.tobytes, view)
                assert(ok, "the view was only read")
            end
            local lost = dev:zeros { 2, 2 }
            for n = 1, 30 do -- an output that is lost, until it is rewritten
                core.fault_after(n, OUT_OF_RESOURCES)
                pcall(lost.t(lost).write, lost:t(), { { 1, 2 }, { 3, 4 } })
                core.fault_after(0, 0)
            end
            pcall(dev.finish, dev)
            lost:fill(0)
            dev:finish()
            calls()
            assert(calls() == before, ("%d OpenCL calls instead of %d"):format(calls(), before))
        ]]
    end)

    it("in the middle of a change leaves the old contents, or contents that say what failed", function()
        run [[
            local function check(name, array, old, new, never_lost)
                return function(_, n)
                    local ok, list = pcall(function() return array:contiguous():reshape(-1):totable() end)
                    if ok or never_lost then
                        assert(ok, ("%s at call %d lost the array: %s"):format(name, n, tostring(list)))
                        local text = table.concat(list, " ")
                        assert(text == old or text == new, ("%s at call %d: %s"):format(name, n, text))
                    else
                        assert(type(list) == "table" and list.op, tostring(list))
                    end
                    array:write { { 1, 2 }, { 3, 4 } } -- rewritten whole, it is as good as new
                    assert(array:get(2, 1) == 3.0)
                end
            end
            -- f changes the square to `new`, with each of its calls failing in turn.
            local function try(name, new, f, never_lost)
                square:write { { 1, 2 }, { 3, 4 } }
                faults(name, OUT_OF_RESOURCES, f, check(name, square, "1.0 2.0 3.0 4.0", new, never_lost))
            end
            try("fill", "7.0 7.0 7.0 7.0", function() square:fill(7) end)
            try("write", "5.0 6.0 7.0 8.0", function() square:write { { 5, 6 }, { 7, 8 } } end)
            try("write to a view", "5.0 7.0 6.0 8.0", function() square:t():write { { 5, 6 }, { 7, 8 } } end)
            try("transpose_", "1.0 3.0 2.0 4.0", function() square:transpose_() end, true) -- the last command writes it
            for name, new in pairs { add_ = "3.0 5.0 7.0 9.0", mul_ = "2.0 6.0 12.0 20.0" } do
                try(name, new, function() square[name](square, dev:array { { 2, 3 }, { 4, 5 } }) end)
            end
            try("map to out", "-4.0 -3.0 -2.0 -1.0", function()
                dev:map("-x", { x = dev:array { { 4, 3 }, { 2, 1 } } }, { out = square })
            end)
            local negated = lun.fuse(function(x) return -x end)
            try("fuse into its argument", "-1.0 -2.0 -3.0 -4.0", function() negated(square, { out = square }) end)
            try("matmul to out", "1.0 0.0 0.0 1.0", function()
                local b = dev:eye(2)
                b:matmul(b, { out = square })
            end)
            for _, variant in ipairs(dev:variants("put")) do
                local options = { variant = variant }
                try("put " .. variant, "9.0 8.0 3.0 4.0", function()
                    square:put(index, dev:array { 8, 9 }, options)
                end)
                try("add_at " .. variant, "10.0 10.0 3.0 4.0", function()
                    square:add_at(index, dev:array { 8, 9 }, options)
                end)
                try("mask_put " .. variant, "1.0 2.0 8.0 9.0", function()
                    square:mask_put(square:gt(2), dev:array { 8, 9 }, options)
                end)
            end
            for _, variant in ipairs(dev:variants("scan")) do
                local function scan() dev:ones { 2, 2 }:cumsum { axis = 2, out = square, variant = variant } end
                if variant ~= "nvidia" or pcall(scan) then -- which takes no f32
                    try("scan " .. variant, "1.0 2.0 1.0 2.0", scan)
                end
            end
            try("host", "5.0 2.0 3.0 4.0", function()
                local host <close> = square:host "rw"
                host[1] = 5
            end)
            for name, view in pairs { run = square, ["run on a view"] = square:t() } do
                try(name, "6.0 7.0 8.0 9.0", function() own:run({ global = 4 }, 0, a, view, { 5, 0 }) end)
            end
        ]]
    end)

    it("at the end of a mapping, which raises nothing, is told by the array", function()
        run [[
            local function lose(access)
                local host = square:host(access)
                host[2] = 9
                core.fault_after(1, OUT_OF_RESOURCES)
                host:release()
                assert(core.fault_after(0, 0) > 0)
            end
            for _, access in ipairs { "w", "rw" } do
                lose(access)
                local ok, problem = pcall(square.get, square, 1, 1)
                assert(not ok and problem.op == "host")
                assert(tostring(problem):find("get: host failed on the device: CL_OUT_OF_RESOURCES (-5)", 1, true))
                dev:finish()
                square:write { { 1, 2 }, { 3, 4 } }
                assert(square:sum() == 10)
            end
            local host = square:host "r"
            core.fault_after(1, OUT_OF_RESOURCES)
            host:release()
            core.fault_after(0)
            assert(square:sum() == 10)
        ]]
    end)

    it("leaves bodies where they were, or where they should be", function()
        run [[
            local old_pos, old_vel = pos:tobytes(), vel:tobytes()
            local function step() pos:nbody(vel, { dt = 0.1, steps = 3, softening = 0.5 }) end
            step()
            local new_pos, new_vel = pos:tobytes(), vel:tobytes()
            pos:write(old_pos)
            vel:write(old_vel)
            for _, variant in ipairs(require("spec.helper").some(dev:variants("nbody"))) do
                local options = { dt = 0.1, steps = 3, softening = 0.5, variant = variant }
                if variant:find "^tree" then -- an evaluation alone makes some hundred calls
                    options.accuracy, options.steps, options.integrator = 1e-3, 1, "euler"
                end
                faults("nbody " .. variant, OUT_OF_RESOURCES, function()
                    pos:nbody(vel, options)
                end, function(name, n)
                    for _, array in ipairs { pos, vel } do
                        local ok, bytes = pcall(array.tobytes, array)
                        local old, new = array == pos and old_pos or old_vel, array == pos and new_pos or new_vel
                        assert(not ok and bytes.op or ok and (bytes == old or #bytes == #new),
                            ("%s at call %d"):format(name, n))
                        array:write(old)
                    end
                end)
                pos:write(old_pos)
                vel:write(old_vel)
            end
        ]]
    end)

    it("for want of memory is tried once more", function()
        local output = run [[
            -- One failure is mended by the second try: the user sees nothing of it.
            local seen = 0
            for n = 1, 60 do
                core.fault_after(n, ALLOCATION_FAILURE)
                local ok, problem = pcall(function()
                    dev:trim()
                    local b = a:matmul(a:t())
                    assert(b:get(2, 2) == 77.0)
                end)
                local made = core.fault_after(0, 0)
                if not ok then
                    seen = seen + 1
                    assert(type(problem) == "table", tostring(problem))
                    assert(problem.name == "CL_MEM_OBJECT_ALLOCATION_FAILURE", tostring(problem))
                end
                if made < n then break end
            end
            print(seen)
        ]]
        assert.equal("0\n", output)
    end)

    it("that only starts what is enqueued does not make it run twice", function()
        run [[
            local text = "kernel void inc(global float *x) { x[get_global_id(0)] += 1; }"
            local inc, x = dev:program(text):kernel(), dev:zeros { 4 }
            inc:run({ global = 4 }, x)
            dev:finish()
            for n = 1, 12 do
                x:fill(0)
                dev:finish()
                core.fault_after(n, -6) -- CL_OUT_OF_HOST_MEMORY
                local ok, event = pcall(inc.run, inc, { global = 4, async = true }, x)
                core.fault_after(0, 0)
                assert(ok, event)
                event:wait()
                assert(x:sum() == 4, ("call %d: it ran %g times"):format(n, x:sum() / 4))
            end
        ]]
    end)

    it("of a kernel for want of memory is tried once more, with what finalizers have left", function()
        local output = run [[
            local out = dev:zeros { 6 }
            for n = 1, 60 do
                core.fault_after(n, ALLOCATION_FAILURE)
                own:run({ global = 3 }, 1, a:col(1):contiguous(), out:slice { 2, 4 }, { 0, 0 })
                if core.fault_after(0, 0) < n then break end
            end
            out:fill(0)
            for n = 1, 60 do
                local kernel, x = dev:program(OWN):kernel(), dev:ones { 6 }
                local gone = n % 2 == 0 and kernel or x
                setmetatable({}, { __gc = function() gone:release() end })
                core.fault_after(n, ALLOCATION_FAILURE)
                local ok, problem = pcall(kernel.run, kernel, { global = 3 }, 1, x, out:slice { 2, 4 }, { 0, 0 })
                local made = core.fault_after(0, 0)
                assert(ok or tostring(problem):find(" was released", 1, true), tostring(problem))
                if made < n then break end
            end
            print(out:get(6))
        ]]
        assert.equal("0.0\n", output)
    end)

    it("that the device only finds while a kernel runs spoils what it writes, const arrays aside", function()
        run [[
            local function fails(f, ...)
                local ok, problem = pcall(f, ...)
                assert(not ok and problem.op == "own", tostring(problem))
                assert(problem.message:find("own failed on the device", 1, true), problem.message)
            end
            for _, view in ipairs { "whole", "column" } do
                local x, y = dev:ones { 4 }, dev:ones { 4, 2 }
                local kernel, out = dev:program(OWN):kernel(), view == "whole" and y or y:col(1)
                kernel:run({ global = 4 }, 1, x, out, { 0, 0 })
                dev:finish()
                core.fault_close(1)
                local event = kernel:run({ global = 4, async = true }, 1, x, out, { 0, 0 })
                kernel:release()
                core.fault_open(OUT_OF_RESOURCES)
                fails(event.get, event)
                fails(y.totable, y)
                fails(own.run, own, { global = 4 }, 1, x, y, { 0, 0 })
                fails(own.run, own, { global = 4 }, 1, y, x, { 0, 0 })
                fails(dev.finish, dev)
                dev:finish()
                assert(x:sum() == 4.0)
                y:fill(2)
                own:run({ global = 8 }, 1, dev:ones { 8 }, y, { 0, 0 })
                assert(y:sum() == 24.0)
            end
        ]]
    end)

    it("of an unknown kind has its code", function()
        local output = run [[
            core.fault_after(1, -9999)
            local ok, problem = pcall(function() local _ = a:copy() end)
            core.fault_after(0, 0)
            print(ok, problem.code, problem.name, tostring(problem):match("lunarray: .*"))
        ]]
        assert.matches("^false\t%-9999\tCL_UNKNOWN_ERROR\tlunarray: copy: cl%u%a+ gave CL_UNKNOWN_ERROR %(%-9999%): ",
            output)
    end)

    it("while a kernel is built says which, with the log", function()
        local output = run [[
            for n = 1, 10 do
                core.fault_after(n, -11)
                local ok, problem = pcall(function() local _ = dev:random { 3 } end)
                core.fault_after(0, 0)
                if not ok and problem.log then
                    print(problem.name, problem.message, type(problem.log))
                    break
                end
            end
        ]]
        assert.matches("^CL_BUILD_PROGRAM_FAILURE\tkernel file 'random_%w+' did not compile for f32: "
            .. "CL_BUILD_PROGRAM_FAILURE.*\tstring\n$", output)
    end)

    it("at the opening of a device leaves it closed, and the next call opens it", function()
        local output = helper.child([[
            local core = require "lunarray.core"
            local dev = require "lunarray".device()
            for n = 1, 20 do
                core.fault_after(n, -6)
                local ok, problem = pcall(function() local _ = dev:zeros { 3 } end)
                local made = core.fault_after(0, 0)
                if made < n then break end
                assert(ok or tostring(problem):find("lunarray: zeros: ", 1, true), tostring(problem))
            end
            print(dev:ones({ 3 }):get(2))
        ]], { cpath = "build/faults/?.so" })
        assert.equal("1.0\n", output)
    end)
end)
