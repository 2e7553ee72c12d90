-- Guard zones around buffers, with which `make guards` runs all specs, see what is written to them, and nothing else.

local helper = require "spec.helper"

if not helper.has_layer "guard" then
    pending "guard zones: need build/layer/guard.so (make layer)"
    return
end

-- modules: the folder that they are taken from, build without one
local function child(source, modules)
    local log = os.tmpname()
    os.remove(log)
    local output = helper.child(source, {
        env = { -- where there is a companion, small blocks lie in the host's own memory, which has no guards
            OPENCL_LAYERS = "./build/layer/guard.so", GUARD_LOG = log, LUNARRAY_COMPANION = "0",
        },
        cpath = (modules and modules .. "/?.so;" or "") .. "build/layer/?.so",
    })
    local file = io.open(log)
    local told = file and file:read "a"
    if file then
        file:close()
        os.remove(log)
    end
    return output, told
end

if child "require 'lunarray'.devices() print(require 'guard'.installed())" ~= "true\n" then
    pending "guard zones: need a loader that knows OPENCL_LAYERS"
    return
end

local HEADER = [[
    local lun, guard = require "lunarray", require "guard"
    local dev = lun.device()
    local a = dev:zeros({ 256 }, "i8") -- no block is larger than that array
    local write = dev:program("kernel void f(global char *x, int at) { x[at] = 1; }"):kernel()
    local function to(at)
        write:run({ global = 1 }, a, at)
        dev:finish()
        local _, broken, first = guard.check()
        print(broken, first)
    end
]]

describe("guard zones", function()
    it("see the first byte behind an array", function()
        local output, told = child(HEADER .. "to(255) to(256)")
        assert.equal("0\tnil\n1\ta buffer of 256 bytes was written 1 bytes behind its end\n", output)
        assert.matches("^a buffer of 256 bytes was written 1 bytes behind its end", told)
    end)

    it("see the last byte before it", function()
        local output = child(HEADER .. "to(0) to(-1)")
        assert.equal("0\tnil\n1\ta buffer of 256 bytes was written 1 bytes before its beginning\n", output)
    end)

    it("are looked at when an array has gone, at the process's end", function()
        local _, told = child(HEADER .. "write:run({ global = 1 }, a, 258) a:release() dev:trim()")
        assert.matches("^a buffer of 256 bytes was written 3 bytes behind its end", told)
    end)

    it("are whole after a topk of a row that has more ties than are taken, its last element below them", function()
        for _, k in ipairs { 32, 64 } do -- so that scratch memory of 4 or of 8 bytes for each fills its block
            local output, told = child(([[
                local lun, guard = require "lunarray", require "guard"
                local k, row = %d, lun.full({ 8192 }, 6, "i32")
                row:slice({ 1, 8191 - k }):fill(7)
                row:set(5, 8192)
                local values, positions = row:topk(k, { smallest = true })
                print(values:get(1), values:get(2), values:get(k), positions:get(1), positions:get(k))
                print((select(2, guard.check())))
            ]]):format(k))
            assert.equal("5\t6\t6\t8192\t8190\n0\n", output)
            assert.is_nil(told)
        end
    end)

    it("say nothing of arrays that were written within their bounds", function()
        local output, told = child(HEADER .. [[
            local b = a:copy():add_(1):cast('i32'):reshape(64, 4)
            print(b:t():sum(), dev:arange(70):sort():sum(), b:slice({ 2, 4 }):fill(9):sum())
            print((select(2, guard.check())))
        ]])
        assert.equal("256\t2485\t108\n0\n", output)
        assert.is_nil(told)
    end)

    -- Test builds add in parts of 16384 indices. Blocks are no larger than the lists that they hold.
    it("stay whole where indices that are sorted in several parts are added at", function()
        local output, told = child([[
            local lun, guard = require "lunarray", require "guard"
            local dev = lun.device()
            local index, x = dev:arange(40000) % 3000 + 1, dev:zeros { 3000 }
            x:add_at(index, 1, { variant = "gpu" })
            print(x:sum(), x:max(), (select(2, guard.check())))
        ]], "build/faults")
        assert.equal("40000.0\t14.0\t0\n", output)
        assert.is_nil(told)
    end)
end)
