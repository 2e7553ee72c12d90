-- Devices: finding them, choosing one, what they say of themselves, and two of them at once.

local lun = require "lunarray"
local helper = require "spec.helper"

local it = helper.one_in(2, it)

local devices = lun.devices()
local count = (#devices == 1 and "there is %d" or "there are %d"):format(#devices)

describe("lun.devices", function()
    it("lists the devices, the same objects each time", function()
        assert.is_true(#devices >= 1)
        for i, dev in ipairs(lun.devices()) do
            assert.equal(devices[i], dev)
            assert.equal("device", lun.type(dev))
        end
    end)

    it("lists those that a selector fits", function()
        local kind = devices[1]:info().type
        local wanted = {}
        for _, dev in ipairs(devices) do
            wanted[#wanted + 1] = dev:info().type == kind and dev or nil
        end
        for i, dev in ipairs(wanted) do
            assert.equal(dev, lun.devices(kind)[i])
            assert.equal(dev, lun.device(kind .. ":" .. i))
            assert.same({ dev }, { table.unpack(lun.devices(kind:upper() .. ":" .. i)) })
        end
        assert.equal(#wanted, #lun.devices(kind))
        assert.equal(0, #lun.devices "nosuchdevice")
        assert.equal(0, #lun.devices(kind .. ":" .. #wanted + 1))
        assert.equal(0, #lun.devices(kind .. ":0"))
        assert.same({ devices[#devices] }, { table.unpack(lun.devices(tostring(#devices))) })
        helper.refused("devices: the selector is an empty string", lun, "")
        helper.refused("devices: argument 1: a string is needed, got a table", lun, {})
        helper.refused("devices: argument 1: a type or a part of a name is needed, got nil", lun, nil)
    end)
end)

describe("lun.device", function()
    it("gives the best device, the same object each time", function()
        if not os.getenv("LUNARRAY_DEVICE") then
            local kinds = {}
            for _, dev in ipairs(devices) do
                kinds[dev:info().type] = true
            end
            assert.equal(kinds.gpu and "gpu" or kinds.accelerator and "accelerator" or "cpu", lun.device():info().type)
        end
        assert.equal(lun.device(), lun.device())
        assert.equal(lun.device(), lun.device(nil))
    end)

    it("takes a position", function()
        for i, dev in ipairs(devices) do
            assert.equal(dev, lun.device(i))
            assert.equal(dev, lun.device(tostring(i)))
            assert.equal(dev, lun.device(i + 0.0))
        end
    end)

    it("takes a type", function()
        local dev = devices[1]
        local kind = dev:info().type
        assert.equal(kind, lun.device(kind):info().type)
        assert.equal(kind, lun.device(kind:upper()):info().type)
    end)

    it("takes a part of the name, vendor or platform, in any case of letters", function()
        local info = devices[1]:info()
        assert.equal(info.name, lun.device(info.name):info().name)
        assert.equal(info.name, lun.device(info.name:sub(2, 9):upper()):info().name)
        assert.equal(info.vendor, lun.device(info.vendor:lower()):info().vendor)
        assert.equal(info.platform, lun.device(info.platform:sub(1, 8)):info().platform)
    end)

    it("takes a function from a device to a number or nil", function()
        local last = devices[#devices]
        assert.equal(last, lun.device(function(dev) return dev == last and 2 or 1 end))
        assert.equal(last, lun.device(function(dev) return dev == last and -math.huge or nil end))
        local seen = {}
        assert.equal(devices[1], lun.device(function(dev)
            seen[#seen + 1] = dev
            return 0
        end))
        assert.same(#devices, #seen)
        assert.error_matches(function() lun.device(function() error("mine") end) end, "mine")
        helper.refused(("device: the selector rejected all %d devices"):format(#devices),
            lun, function() return 0 / 0 end)
    end)

    it("takes a device", function()
        assert.equal(devices[1], lun.device(devices[1]))
    end)

    it("takes a position among those that a text fits", function()
        local name = devices[1]:info().name
        assert.equal(name, lun.device(name .. ":1"):info().name)
        helper.refused(("device: no device matches '%s'; there are 1: "):format("nosuchdevice:1"),
            lun, "nosuchdevice:1")
        for _, text in ipairs { "cpu:", ":1", "cpu:x", "cpu:-1", "cpu:0", "cpu:65" } do
            helper.refused(("device: no device matches '%s'; there are 1: "):format(text), lun, text)
        end
    end)

    it("refuses what fits none, and lists those that there are", function()
        helper.refused("device: no device matches 'nosuchdevice'; there are 1: ", lun, "nosuchdevice")
        helper.refused("device: the selector is an empty string", lun, "")
        local past = #devices + 1
        for _, position in ipairs { 0, "0", past, past + 0.0, tostring(past), "99999999999999999999" } do
            local digits = tostring(position):gsub("%.0", "")
            helper.refused(("device: there is no device %s; %s"):format(digits, count), lun, position)
        end
        for text, position in pairs { ["1.5"] = 1.5, ["-1"] = -1, ["-2.0"] = -2.0 } do
            helper.refused(("device: there is no device %s; positions are whole numbers from 1"):format(text),
                lun, position)
        end
        helper.refused(("device: the selector rejected all %d "
            .. "devices"):format(#devices), lun, function() return nil end)
        helper.refused("device: the selector gave a string; a number or nil is needed", lun, function() return "1" end)
        helper.refused("device: a selector is nil, a type, a part of a name, a position, or a function from a device "
            .. "to a number or nil; got a table", lun, {})
    end)

    it("follows LUNARRAY_DEVICE where it is asked for nothing", function()
        local print_it = "print(require('lunarray').device():info().name)"
        local info = devices[#devices]:info()
        for _, selector in ipairs { tostring(#devices), info.name } do
            assert.equal(info.name .. "\n", helper.child(print_it, { env = { LUNARRAY_DEVICE = selector } }))
        end
        local output, status = helper.run("require('lunarray').device()", {
            env = { LUNARRAY_DEVICE = "nosuchdevice" },
        })
        assert.equal(1, status)
        assert.matches("no device matches 'nosuchdevice' (from LUNARRAY_DEVICE); there are 1: ", output, 1, true)
        output = helper.run("require('lunarray').device()", { env = { LUNARRAY_DEVICE = tostring(#devices + 1) } })
        assert.matches(("there is no device %d (from LUNARRAY_DEVICE); %s\n"):format(#devices + 1, count), output, 1,
            true)
        assert.equal(helper.child(print_it, { env = { LUNARRAY_DEVICE = false } }),
            helper.child(print_it, { env = { LUNARRAY_DEVICE = "" } }))
        output = helper.child("print(require('lunarray').device('1'):info().type)",
            { env = { LUNARRAY_DEVICE = "nosuchdevice" } })
        assert.equal(devices[1]:info().type .. "\n", output)
    end)
end)

describe("without an OpenCL platform", function()
    local NONE = { env = { OCL_ICD_VENDORS = "/nonexistent", OPENCL_VENDOR_PATH = "/nonexistent" } }

    it("the message says what to install", function()
        local output, status = helper.run("require('lunarray').zeros { 2 }", NONE)
        assert.equal(1, status)
        assert.matches("lua[^\n]*:1: lunarray: zeros: no OpenCL platform was found; install a driver: for the CPU PoCL "
            .. "%(Debian and Ubuntu: apt install pocl%-opencl%-icd%), for a GPU its vendor's", output)
    end)

    it("the module can be loaded", function()
        assert.matches("^lunarray %d+%.%d+%.%d+\n$", helper.child("print(require('lunarray')._VERSION)", NONE))
    end)

    it("every later call says so again", function()
        local output = helper.child([[
            local lun = require "lunarray"
            for _ = 1, 3 do
                for _, f in ipairs { lun.device, lun.devices, function() return lun.zeros { 2 } end } do
                    local ok, problem = pcall(f)
                    assert(not ok and problem:find("no OpenCL platform was found", 1, true))
                end
            end
            print(lun.type(nil))
        ]], NONE)
        assert.equal("nil\n", output)
    end)
end)

local with_pocl = helper.has_pocl() and it or pending

describe("PoCL without a kernel cache that it can write", function()
    with_pocl("is told of", function()
        local output, status = helper.run("require('lunarray').device('portable')", {
            env = { POCL_CACHE_DIR = "/proc/nowhere", LUNARRAY_DEVICE = false },
        })
        assert.equal(1, status)
        -- Where there are other platforms too, PoCL's devices are the ones that are missing.
        assert.truthy(output:find("(PoCL offers none where it cannot write its kernel cache: POCL_CACHE_DIR names "
            .. "another folder)", 1, true) or output:find("no device matches 'portable'", 1, true), output)
    end)

    with_pocl("is told of when that happens later", function()
        local output = helper.with_file(function(path)
            return helper.child([[
                local dev = require("lunarray").device("portable")
                local path = os.getenv "POCL_CACHE_DIR"
                os.execute("rm -r " .. path .. " && touch " .. path)
                print(pcall(dev.program, dev, "kernel void f() {}"))
            ]], { env = { POCL_CACHE_DIR = path, LUNARRAY_DEVICE = false }, before = "rm " .. path .. ";" })
        end)
        assert.matches("CL_BUILD_PROGRAM_FAILURE; is PoCL's kernel cache writable? POCL_CACHE_DIR names another folder",
            output, 1, true)
    end)
end)

helper.each_device(function(dev, title)
    describe("device " .. title, function()
        it("says what it is", function()
            local info = dev:info()
            for _, field in ipairs { "name", "vendor", "version", "driver", "platform" } do
                assert.equal("string", type(info[field]), field)
                assert.not_equal("", info[field], field)
            end
            assert.is_true(info.type == "gpu" or info.type == "cpu" or info.type == "accelerator")
            for _, field in ipairs { "units", "memory", "max_allocation", "local_memory", "max_group", "vector_f32" } do
                assert.equal("integer", math.type(info[field]), field)
                assert.is_true(info[field] > 0, field)
            end
            for _, field in ipairs { "clock", "cache", "vector_f64" } do
                assert.equal("integer", math.type(info[field]), field)
            end
            for _, field in ipairs { "fp64", "fp16", "unified_memory" } do
                assert.equal("boolean", type(info[field]), field)
            end
            assert.equal("string", type(info.extensions[1]))
        end)

        it("counts the programs that it compiles: each once, the user's own every time", function()
            local values = dev:array { 1, 2, 3, 4, 5 }
            local function counted(act)
                local before = dev:info().programs
                act()
                local after = dev:info().programs
                return after.built - before.built, after.kept - before.kept
            end
            local function sum()
                assert.equal(15, values:reduce("sum", { variant = "plain" }))
            end
            sum()
            assert.same({ 0, 0 }, { counted(sum) })
            local function own()
                dev:program "kernel void nothing(global int *x) { x[0] = 1; }"
            end
            assert.same({ 1, 0 }, { counted(own) })
            assert.same({ 1, 0 }, { counted(own) })
            assert.is_true(dev:info().programs.generated <= dev:info().programs.most_generated)
        end)

        it("gives a table that is the caller's own", function()
            dev:info().name = "changed"
            assert.not_equal("changed", dev:info().name)
        end)

        it("has a text", function()
            assert.matches("lunarray.device: " .. dev:info().name .. " (", tostring(dev), 1, true)
        end)

        it("lists its operations with all that they take", function()
            local topk, zeros
            for _, operation in ipairs(dev:operations()) do
                assert.matches("%a", operation.says)
                topk = operation.name == "topk" and operation or topk
                zeros = operation.name == "zeros" and operation or zeros
            end
            assert.same({ "array", "device" }, { topk.owner, zeros.owner })
            local k = topk.arguments[1]
            assert.same({ "k", "a whole number", false }, { k.name, k.wanted, k.optional })
            assert.equal("axis", topk.options[1].name)
            assert.same({ gpu = "gpu", cpu = "cpu", plain = "any" }, topk.meant_for)
            assert.same({ 'a dtype (a string, as "f64") or a table of options', true },
                { zeros.arguments[2].wanted, zeros.arguments[2].optional })
        end)

        it("knows its operations' variants, plain among them, best first, and last what is only asked for", function()
            local operations = {} -- in the order of their rows
            for _, operation in ipairs(dev:operations()) do
                if operation.variants[1] and operation.owner ~= "sparse" then
                    table.insert(operations, operation.name)
                    assert.same(operation.variants, dev:variants(operation.name))
                end
            end
            assert.is_true(#operations >= 9)
            for _, operation in ipairs(operations) do
                local variants = dev:variants(operation)
                if not helper.plain_aborts(dev, operation) then
                    local last = #variants - (variants[#variants] == "reproducible" and 1 or 0)
                    assert.equal("plain", variants[last], operation)
                end
                if dev:info().type == "cpu" and (operation == "reduce" or operation == "matmul") then
                    assert.equal("cpu", variants[1])
                end
            end
            local last = table.remove(operations)
            helper.refused(("variants: no operation 'matmull' has variants; %s and %s have"):format(
                table.concat(operations, ", "), last), dev, "matmull")
            assert.same(dev:variants("nbody"), dev:variants("gravity"))
            if helper.plain_aborts(dev, "qr") then
                assert.same({ "cpu" }, dev:variants "qr")
                helper.refused("qr: variant 'plain' cannot do this here; cpu can", dev:eye(2), { variant = "plain" })
            end
            helper.refused("variants: argument 1: the name of an operation is needed, got nothing", dev)
        end)

        it("waits for its work", function()
            local events = {}
            for i = 1, 10 do
                events[i] = dev:random({ 100000 }, { async = true })
            end
            dev:finish()
            for _, event in ipairs(events) do
                assert.is_true(event:done())
            end
        end)

        it("cannot be closed, and names the nearest method for one that there is not", function()
            helper.refused("close: a device has no such method", dev)
            helper.refused("zeroes: a device has no such method; is zeros meant?", dev, {})
            helper.raises("info: self: a device is needed, got nothing; is it called with a colon?", function()
                dev.info()
            end)
            helper.raises("zeros: self: a device is needed, got a table; is it called with a colon?", function()
                dev.zeros { 2 }
            end)
            helper.refused("limit: a number of bytes is needed, got -1", dev, -1)
            helper.refused("limit: argument 1: a whole number is needed, got a string", dev, "1G")
        end)
    end)
end)

describe("the list of devices", function()
    it("shows a line for each at the prompt", function()
        local lines = {}
        for i, dev in ipairs(lun.devices()) do
            lines[i] = i .. ": " .. tostring(dev):match "^lunarray.device: (.+)$"
        end
        assert.is_true(#lines > 0)
        assert.equal(table.concat(lines, "\n"), tostring(lun.devices()))
    end)

    it("is the caller's own table, and shows what stands in it", function()
        local list = lun.devices()
        local first = "1: " .. tostring(list[1]):match "^lunarray.device: (.+)$"
        for i = #list, 2, -1 do
            list[i] = nil
        end
        list[2], list[3] = list[1], "another"
        assert.equal(first .. first:gsub("^1", "\n2") .. "\n3: another", tostring(list))
        assert.not_equal(list, lun.devices())
        assert.equal("", tostring(setmetatable({}, debug.getmetatable(list))))
    end)
end)

describe("two devices", function()
    -- In a process of its own: PoCL reads how many devices it is to make when it starts.
    local function on_two(source)
        return helper.child([[
            local lun = require "lunarray"
            local helper = require "spec.helper"
            local devices = lun.devices()
            local first, second = lun.device "Portable Computing Language", nil
            for _, dev in ipairs(devices) do
                if dev ~= first and dev:info().platform == first:info().platform then second = second or dev end
            end
            assert(first ~= second)
        ]] .. source, { env = { POCL_DEVICES = "pthread pthread", LUNARRAY_DEVICE = false } })
    end

    with_pocl("bring arrays over", function()
        on_two [[
            local a = first:array({ { 1, 2, 3 }, { 4, 5, 6 } }, "i16")
            local b = a:to(second)
            assert(b:device() == second and a:device() == first)
            a:fill(0)
            helper.check_array(b, "i16", { 2, 3 }, { 1, 2, 3, 4, 5, 6 })
            helper.check_array(b:t():to(first), "i16", { 3, 2 }, { 1, 4, 2, 5, 3, 6 })
            assert(b:to(second) == b)
            helper.check_array(first:array(b, "f32"), "f32", { 2, 3 }, { 1.0, 2.0, 3.0, 4.0, 5.0, 6.0 })
            helper.check_array(b:to(first, { async = true }):get(), "i16", { 2, 3 }, { 1, 2, 3, 4, 5, 6 })
            a:write(b)
            helper.check_array(a, "i16", { 2, 3 }, { 1, 2, 3, 4, 5, 6 })
            first:zeros({ 2, 3 }, "f64"):write(b)
            assert(first:zeros({ 0, 3 }):to(second):size() == 0)
        ]]
    end)

    with_pocl("are told apart by their places", function()
        on_two [[
            assert(lun.device "cpu:1" == first and lun.device "cpu:2" == second)
            assert(lun.device "Portable Computing Language:2" == second)
            local list = lun.devices "cpu"
            assert(#list == 2 and list[1] == first and list[2] == second and #lun.devices "cpu:2" == 1)
        ]]
    end)

    with_pocl("are told apart by the numbers that a function gives them", function()
        on_two [[
            for _, wanted in ipairs { first, second } do
                assert(lun.device(function(dev) return dev == wanted and 3 or 2 end) == wanted)
                assert(lun.device(function(dev) return dev == wanted and -1 or 0 / 0 end) == wanted)
            end
        ]]
    end)

    with_pocl("give the same random numbers", function()
        on_two [[
            for _, maker in ipairs { "random", "normal" } do
                local a = first[maker](first, { 1000 }, { seed = 5 })
                assert(a:tobytes() == second[maker](second, { 1000 }, { seed = 5 }):tobytes())
            end
        ]]
    end)

    with_pocl("do not mix in one call", function()
        on_two [[
            local a, b = first:ones { 2, 2 }, second:ones { 2, 2 }
            local elsewhere = "on another device; copy it with :to(device)"
            local function refused(method, f)
                local problem = tostring(select(2, pcall(f)))
                assert(problem:find("lunarray: " .. method .. ": ", 1, true), problem)
                assert(problem:find(elsewhere, 1, true), problem)
            end
            refused("matmul", function() a:matmul(b) end)
            refused("matmul", function() a:matmul(a, { out = b }) end)
            refused("transpose", function() a:transpose { out = b } end)
            refused("sum", function() a:sum { axis = 1, out = b:row(1) } end)
            local pos, vel = first:ones { 2, 4 }, second:ones { 2, 4 }
            refused("nbody", function() pos:nbody(vel, { dt = 1 }) end)
            refused("energy", function() pos:energy(vel) end)
            refused("gravity", function() pos:gravity { out = vel } end)
            assert(a:sum() == 4 and b:sum() == 4)
        ]]
    end)

    with_pocl("count their memory apart, and work side by side", function()
        on_two [[
            local before = second:memory().live
            local a = first:zeros { 1000 }
            assert(second:memory().live == before)
            local events = {}
            for i = 1, 100 do
                events[2 * i - 1] = first:random({ 1000 }, { seed = i, async = true })
                events[2 * i] = second:random({ 1000 }, { seed = i, async = true })
            end
            assert(lun.wait_all(events))
            for i = 1, 100 do
                assert(events[2 * i - 1]:get():tobytes() == events[2 * i]:get():tobytes())
            end
            assert(lun.wait_any { events[1], events[2] } == 1)
        ]]
    end)
end)
