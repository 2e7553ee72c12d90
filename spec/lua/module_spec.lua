-- The module itself: loading, where errors are raised and what they hold, scopes, interruption, the end of a state.

local lun = require "lunarray"
local core = require "lunarray.core"
local helper = require "spec.helper"

local dev = lun.device()

describe("the module", function()
    it("computes functions of numbers alone in the widest dtypes, also while a function is traced", function()
        if not dev:info().fp64 then
            return
        end
        local function near(expected, given)
            assert.equal("float", math.type(given))
            assert.is_true(math.abs(given - expected) <= 2 ^ -50 * math.abs(expected))
        end
        near(0.5204998778130465, lun.erf(0.5))
        near(math.exp(2), lun.exp(2))
        near(math.sqrt(2), lun.pow(2, 0.5))
        near(10.0, lun.fma(2.0, 3, 4))
        near(3.0, lun.sqrt(lun.complex(-9, 0)).im)
        assert.equal("integer", math.type(lun.abs(-3)))
        assert.equal((1 << 60) + 1, lun.abs(-(1 << 60) - 1))
        assert.same({ 6, true, false }, { lun.gcd(12, 18), lun.isnan(0 / 0), lun.lt(2, 1.5) })
        helper.check_array(lun.atan2(0, dev:array { 1, -1 }), "f32", { 2 }, { 0.0, math.pi }, 2 ^ -20)
        local f = lun.fuse(function(x) return x * lun.square(3) end)
        helper.check_array(f(dev:array { 1, 2 }), "f32", { 2 }, { 9.0, 18.0 })
        local live = dev:memory().live
        lun.exp(1.5)
        assert.equal(live, dev:memory().live)
        helper.refused("exp: argument 1: an array is needed, got a string", lun, "1")
        helper.refused("exp: argument 1: an array is needed, got a number", lun, 1, { out = dev:ones { 1 } })
        helper.refused("band: band takes integers, not f64", lun, 6, 1.5)
    end)

    it("is for Lua 5.4 and 5.5, and says its own version", function()
        assert.is_true(_VERSION == "Lua 5.4" or _VERSION == "Lua 5.5")
        assert.matches("^lunarray ", lun._VERSION)
    end)

    it("is what its C part is", function()
        assert.equal(core, lun)
    end)

    it("keeps its devices and classes when it is loaded again", function()
        local again = assert(package.loadlib(assert(package.searchpath("lunarray.core", package.cpath)),
            "luaopen_lunarray_core"))()
        assert.equal(dev, again.device())
        assert.equal("array", again.type(lun.zeros { 1 }))
        assert.equal(3.0, lun.ones({ 3 }):matmul(again.ones { 3 }))
    end)

    it("adds what is written in Lua once, however often it is required anew", function()
        assert.equal("true true\n", helper.child [[
            local lun = require "lunarray"
            local a, fuse = lun.ones { 1 }, lun.fuse
            local lstsq = a.lstsq
            for name in pairs(package.loaded) do
                package.loaded[name] = not name:find "^lunarray" and package.loaded[name] or nil
            end
            require "lunarray"
            print(a.lstsq == lstsq, lun.fuse == fuse)
        ]]:gsub("\t", " "))
    end)

    it("is loaded from a coroutine as well", function()
        assert.equal("6.0 array\n", helper.child [[
            local lun = coroutine.wrap(function() return require "lunarray" end)()
            print(lun.array({ 1, 2, 3 }):sum(), coroutine.wrap(function() return lun.type(lun.zeros { 1 }) end)())
        ]]:gsub("\t", " "))
    end)

    it("needs no OpenCL to be loaded", function()
        assert.equal("table\n", helper.child([[print(type(require "lunarray"))]],
            { env = { OCL_ICD_VENDORS = "/nonexistent" } }))
    end)

    it("loads without Lua's math library", function()
        assert.equal("2\n", helper.child [[
            package.loaded.math, math = nil, nil
            local lun = require "lunarray"
            print(#lun.random { 2 })
        ]])
    end)

    it("has functions, not methods: a colon is told of", function()
        local count = 0
        for name, f in pairs(lun) do
            if type(f) == "function" and not name:find("^_") and not name:find("^fault_") then
                count = count + 1
                helper.raises(name .. ": argument 1 is the module: it is called with a dot, lun." .. name .. "(...)",
                    function() local _ = f(lun, "x.npy") end)
            end
        end
        assert.is_true(count > 15)
        local wanted = ": argument 1 is the module: it is called with a dot, lun."
        helper.raises("device" .. wanted .. "device(...)", function() lun:device() end)
        helper.raises("scope" .. wanted .. "scope(...)", function() lun:scope(print) end)
        helper.raises("zeros" .. wanted .. "zeros(...)", function() lun:zeros { 2, dtype = "no such" } end)
    end)

    it("shows its version and the default device at the prompt", function()
        local shown = lun._VERSION .. "; the default device is " .. tostring(dev):match "^lunarray.device: (.+)$"
        assert.equal(shown, tostring(lun))
        assert.equal(shown .. "\n", helper.child [[print((require "lunarray"))]]) -- before any device was asked for
    end)

    it("shows why there is no default device", function()
        local start = "^" .. lun._VERSION .. "; there is no default device: "
        local function shown(env)
            return helper.child([[print((tostring(require "lunarray")))]], { env = env })
        end
        assert.matches(start .. "no device matches 'none such' %(from LUNARRAY_DEVICE%); ",
            shown { LUNARRAY_DEVICE = "none such" })
        assert.matches(start .. "no OpenCL platform was found; install a driver: ",
            shown { OCL_ICD_VENDORS = "/nonexistent", OPENCL_VENDOR_PATH = "/nonexistent" })
    end)

    it("is none of its own types", function()
        assert.is_nil(lun.type(lun))
    end)
end)

describe("a mistake", function()
    local a = dev:zeros { 2, 3 }

    it("is raised at the user's own line", function()
        helper.refused("matmul: inner sizes differ: (2x3) x (2x3)", a, a)
    end)

    it("names the method as it was called", function()
        helper.raises("sum: axis 3 is out of range", function() a:sum { axis = 3 } end)
        helper.raises("reduce: axis 3 is out of range", function() a:reduce("sum", { axis = 3 }) end)
    end)

    it("is raised at the user's line through a C function", function()
        helper.raises("sum: argument 1: a table of options, as {axis = 5} (axes count from 1),"
            .. " is needed, got a number", function()
            local ok, message = pcall(a.sum, a, 5)
            assert(not ok)
            error(message, 0)
        end)
    end)

    it("is raised at the user's line in a coroutine", function()
        helper.raises("sum: argument 1", function()
            local _, message = coroutine.resume(coroutine.create(function()
                a:sum(5)
            end))
            error(message, 0)
        end)
    end)

    it("is not raised in lunarray's own Lua files", function()
        local function chunk(source)
            return assert(load(source, "@of_lunarray.lua"))()
        end
        local outside = chunk [[return function(a) a:sum(5) end]]
        local _, message = pcall(function()
            outside(a)
        end)
        assert.matches("^of_lunarray.lua:1: ", message)
        local inside = chunk [[require("lunarray.core")._own() return function(a) a:sum(5) end]]
        helper.raises("sum: argument 1", function()
            inside(a)
        end)
    end)

    it("has no position where there is no Lua function", function()
        local thread = coroutine.create(a.sum)
        local _, message = coroutine.resume(thread, a, 5)
        assert.equal("lunarray: sum: argument 1: a table of options, as {axis = 5} (axes count from 1),"
            .. " is needed, got a number", message)
    end)

    it("in an option says what is known or wanted", function()
        helper.raises("sum: options have names; got one at [1]", function() a:sum { 1 } end)
    end)
end)

describe("an error object", function()
    -- A device that has less memory than is asked for.
    local function no_memory()
        finally(function() dev:limit() end)
        dev:limit(1 << 20)
        local ok, problem = pcall(function()
            dev:zeros { 1 << 20 }
        end)
        assert.is_false(ok)
        return problem
    end

    it("has fields, and a text that starts with the position", function()
        local problem = no_memory()
        assert.equal("table", type(problem))
        assert.equal("zeros", problem.method)
        for _, field in ipairs { "op", "message", "position", "traceback" } do
            assert.equal("string", type(problem[field]), field)
        end
        assert.equal("integer", math.type(problem.code))
        assert.matches("module_spec.lua:%d+: $", problem.position)
        assert.equal(problem.position .. "lunarray: zeros: " .. problem.message, tostring(problem))
        assert.matches("^stack traceback:\n", problem.traceback)
        assert.matches("module_spec.lua", problem.traceback, 1, true)
    end)
end)

describe("release", function()
    it("may be repeated, and is what __gc and __close do", function()
        local a = dev:zeros { 2 }
        a:release()
        a:release()
        assert.equal("lunarray.array (released)", tostring(a))
        local class = debug.getmetatable(a)
        assert.equal("function", type(class.__gc))
        class.__gc(a)
        class.__close(a)
        class.__gc("no array")
        local b
        do
            local c <close> = dev:zeros { 2 }
            b = c
        end
        helper.raises("get: self: the array was released", function() b:get(1) end)
    end)
end)

describe("lun.scope", function()
    it("releases all after an error, which passes on as it was", function()
        local lost
        local function fails()
            lost = dev:ones { 2 }
            error { "as it was" }
        end
        local _, problem = pcall(lun.scope, fails)
        assert.same({ "as it was" }, problem)
        assert.equal("lunarray.array (released)", tostring(lost))
        local _, traceback = xpcall(function()
            lun.scope(function()
                lost = dev:ones { 2 }
                lost:get(3)
            end)
        end, debug.traceback)
        assert.matches("method 'get'", traceback, 1, true)
        assert.equal("lunarray.array (released)", tostring(lost))
        assert.equal(2.0, dev:ones({ 2 }):sum())
    end)

    it("lets the collector have arrays before its end", function()
        lun.scope(function()
            collectgarbage()
            collectgarbage()
            local live = dev:memory().live
            dev:zeros { 1 << 16 }
            collectgarbage()
            collectgarbage()
            assert.equal(live, dev:memory().live)
        end)
    end)
end)

describe("a wait", function()
    it("is interrupted by a count hook", function()
        for _, count in ipairs { 1, 1000, 10000 } do
            local ev = helper.long_work(dev)()
            debug.sethook(function()
                local above = debug.getinfo(3, "f")
                if above and above.func == ev.wait then
                    debug.sethook()
                    error("interrupted", 0)
                end
            end, "", count)
            local ok, problem = pcall(ev.wait, ev)
            debug.sethook()
            assert.is_false(ok)
            assert.equal("interrupted", problem)
            assert.is_false(ev:done())
            assert.is_true(ev:wait())
        end
    end)
end)

describe("the end of a Lua state", function()
    -- Each script has to end without a word, whatever is still in flight.
    local function ends_well(source)
        assert.equal("", helper.child("local lun = require 'lunarray' local dev = lun.device() " .. source))
    end

    it("is clean in any order of finalizers", function()
        ends_well [[
            local kept = {}
            for i = 1, 200 do
                local a = dev:ones { 100, i }
                local made = { a, a:t(), a:sum { async = true }, a:tobytes { async = true }, a:row(1), dev:zeros { 0 } }
                for j = 1, #made do
                    kept[#kept + 1] = table.remove(made, i % #made + 1)
                end
            end
            h = dev:ones({ 3 }):host("rw")
            KEPT = kept
        ]]
    end)

    it("lets finalizers that run late use arrays, which are gone then", function()
        assert.equal("false true\n", helper.child([[
            FIRST = setmetatable({}, { __gc = function()
                local ok, message = pcall(function() return A:sum() end)
                print(ok, message:find("released", 1, true) ~= nil)
            end })
            local lun = require "lunarray"
            A = lun.ones { 2 }
        ]]):gsub("\t", " "))
        assert.equal("false true\n", helper.child([[
            FIRST = setmetatable({}, { __gc = function()
                local ok, message = pcall(function() return LUN.ones { 2 } end)
                print(ok, message:find("closing", 1, true) ~= nil)
            end })
            LUN = require "lunarray"
            LUN.ones { 2 }
        ]]):gsub("\t", " "))
    end)

    it("is clean with an open scope and a pending interrupt", function()
        local output, status = helper.run [[
            local lun = require "lunarray"
            lun.scope(function()
                local a = lun.zeros { 1 << 22 }
                for i = 1, 100 do a:fill(i) end
                error("enough")
            end)
        ]]
        assert.equal(1, status)
        assert.matches("enough", output, 1, true)
        assert.matches("in function 'error'", output, 1, true)
    end)
end)
