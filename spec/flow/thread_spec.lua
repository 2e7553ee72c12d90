-- Several Lua states in threads of one process, and processes that fork.

local helper = require "spec.helper"
local operations = require "spec.operations"

if not helper.has_layer "layer" then
    pending "threads and forks: need build/layer/layer.so (make layer)"
    return
end

local OPTIONS = { cpath = "build/layer/?.so" }

describe("threads", function()
    it("with a Lua state and a device object each run operations side by side, with the same results", function()
        local output = helper.child([[arg = { "threads", "-", "few" }; dofile "spec/layer/run.lua"]], OPTIONS)
        assert.matches("^threads +3 tried +0 told +0 wrong\n$", output)
    end)

    it("may find the devices first all at once", function()
        local output = helper.child([=[
            local layer = require "layer"
            local source = [[
                local lun = require "lunarray"
                local count = #lun.devices()
                return count * 100 + lun.ones({ 5 }):sum()
            ]]
            local results = layer.threads { source, source, source, source, source, source }
            local count = #require "lunarray".devices()
            for _, result in ipairs(results) do
                assert(result == count * 100 + 5, result)
            end
            print "well"
        ]=], OPTIONS)
        assert.equal("well\n", output)
    end)
end)

describe("a process that forks", function()
    -- Runs `before`, forks, and runs `child` in the child, whose state is closed then. Gives what was printed.
    local function forked(before, child, after)
        return helper.child(([[
            local layer = require "layer"
            %s
            io.flush()
            local id = layer.fork()
            if id == 0 then
                local ok, problem = pcall(function() %s end)
                if not ok then print(problem) end
                os.exit(ok, true)
            end
            print("the child: ", layer.ended(id, 60))
            %s
        ]]):format(before, child, after or ""), OPTIONS)
    end

    it("leaves its child a device whose every operation says so, and goes on itself", function()
        local each = {}
        for _, operation in ipairs(operations.list()) do
            each[#each + 1] = ("tell(%q, function() local result = %s return result end)"):format(operation[1],
                operation[2])
        end
        local output = forked(operations.inputs .. [[
            local function tell(name, f)
                local _, outcome = pcall(f) -- tostring tells it too
                if not tostring(outcome):find "this process was forked from the one that opened the device" then
                    print(name, outcome)
                end
            end
            local q = dev:queue()
            local busy = long:copy { async = true, queue = q }
            local list, host = a:totable { async = true }, square:host "rw"
            local other = a:copy { async = true }
            other:pollfd()
        ]], table.concat(each, "\n") .. [[
            tell("get", function() return list:get() end)
            tell("wait", function() return other:wait() end)
            tell("a queue", function() return dev:queue() end)
            tell("finish", function() return q:finish() end)
            host, list, other, busy = nil
            q:release()
            collectgarbage()
        ]], [[
            assert(list:get()[2][3] == 6.0 and other:get():sum() == 21.0 and host[4] == 4.0)
            host:release()
            print(a:sum(), busy:wait())
        ]])
        assert.equal("the child: \texit\t0\n21.0\ttrue\n", output)
    end)

    it("leaves its child no device for a new state either", function()
        local output = forked([[
            local before = require "lunarray".ones { 3 }
        ]], [[
            print(layer.state "return require 'lunarray'.ones({ 3 }):sum()")
        ]], "print(before:sum())")
        assert.matches("^false\t.* lunarray: ones: this process was forked from one that had asked OpenCL for its "
            .. "devices %(%d+%); a child can open devices only if its parent had not looked for any\n"
            .. "the child: \texit\t0\n3.0\n$", output)
    end)

    it("before it has asked for devices leaves both of them to open their own", function()
        local output = forked("local lun = require 'lunarray'", [[
            assert(lun.ones({ 3 }):sum() == 3.0)
        ]], "print(lun.ones({ 4 }):sum())")
        assert.equal("the child: \texit\t0\n4.0\n", output)
    end)
end)
