-- lun.profile and lun.trace: what a function's calls run, and how long that takes.

local lun = require "lunarray"
local helper = require "spec.helper"
local read_json = require "spec.lua.json"

local HERE = debug.getinfo(1, "S").short_src

-- The row of that operation, or the kernel or line of that name.
local function find(list, name)
    for _, row in ipairs(list) do
        if (row.operation or row.kernel or row.line) == name then
            return row
        end
    end
end

helper.describe_each_device("lun.profile", function(dev)
    local a = dev:arange(1, 1 << 16):cast "f32"

    it("gives a profile, and then what the function gives", function()
        local results = table.pack(lun.profile(function(...) return 1, nil, ..., nil end, "x"))
        assert.equal(5, results.n)
        assert.same({ 1, nil, "x", nil }, { results[2], results[3], results[4], results[5] })
        assert.same({}, results[1].rows)
        assert.equal(0, results[1].calls)
    end)

    it("has a row for each operation, with its calls, bytes and kernels, and one for each line", function()
        local first
        local p = lun.profile(function()
            for _ = 1, 3 do
                local _ = a:add(1)
            end
            first = debug.getinfo(1, "l").currentline - 2
            a:sum()
            local _ = a:reshape(256, 256):sum { axis = 1 }
        end)
        local added, summed = find(p.rows, "add"), find(p.rows, "sum")
        assert.same({ 3, 3 * 2 * 4 << 16 }, { added.calls, added.bytes // 1 })
        assert.equal(2, summed.calls)
        assert.equal(dev, added.device)
        assert.equal(1, #added.kernels)
        assert.equal(3, added.kernels[1].calls)
        assert.equal("map_add", added.kernels[1].kernel)
        assert.is_true(added.on_device > 0 and added.on_host > 0)
        assert.equal(added.kernels[1].on_device, added.on_device)
        assert.equal(added.bytes / added.on_device, added.rate)
        assert.equal(added.rate / p.copy_rates[dev], added.of_copy)
        local line = find(p.lines, ("%s:%d"):format(HERE, first))
        assert.same({ 3, added.on_device }, { line.calls, line.on_device })
        assert.equal(1, find(p.lines, ("%s:%d"):format(HERE, first + 4)).calls)
        assert.equal(5, p.calls)
        assert.equal(0, p.lost)
    end)

    it("counts what was enqueued in the function alone, to its end", function()
        local inside
        local start = helper.long_work(dev)
        local before <close> = start()
        local p = lun.profile(function()
            start()
            inside = a:mul(2)
        end)
        local _ = a:add(1)
        assert.is_true(before:done())
        assert.equal(2, p.calls)
        assert.is_nil(find(p.rows, "add"))
        assert.is_true(find(p.rows, "mul").on_device > 0)
        assert.equal(0, p.lost)
        assert.equal(2.0, inside:get(1))
    end)

    it("adds up to the time that has passed", function()
        local start = lun.clock()
        local p = lun.profile(function()
            local n = 0
            for _ = 1, 20 do
                n = n + a:sin():sum()
            end
            return n
        end)
        assert.is_true(p.seconds <= lun.clock() - start)
        local parts = p.on_host + p.waiting + p.compiling + p.at_once + p.elsewhere
        assert.is_true(math.abs(parts - p.seconds) <= 1e-9 + 1e-6 * p.seconds)
    end)

    it("names compilers, with the operation that they were for", function()
        local text = ("a + %.17g"):format(lun.clock()) -- no kernel cache has it
        local p = lun.profile(function() return dev:map(text, { a = a }) end)
        local row = find(p.rows, "map")
        assert.equal(1, p.built)
        assert.is_true(row.compiling > 0 and row.compiling < p.seconds)
        assert.is_true(p.compiling == row.compiling)
    end)

    it("knows kernels of programs by their names, and waits by what they were for", function()
        local program = dev:program "__kernel void twice(__global float *x) { x[get_global_id(0)] *= 2; }"
        local twice = program:kernel "twice"
        local x = a:copy()
        local p = lun.profile(function()
            twice:run({ global = #x }, x)
            lun.finish()
        end)
        local row = find(p.rows, "twice")
        assert.equal(1, row.calls)
        assert.equal("twice", row.kernels[1].kernel)
        assert.is_true(row.on_device > 0)
    end)

    it("prints a table", function()
        local p = lun.profile(function() return a:add(1), a:sum() end)
        local text = tostring(p)
        for _, word in ipairs { "operation ", "calls", "device ms", "waiting ms", "\nadd ", "\n  map_add", "\nsum ",
            "of copy", "\n" .. HERE .. ":", dev:info().name } do
            assert.is_truthy(text:find(word, 1, true), word)
        end
    end)

    it("ends with an error of the function, which passes on", function()
        local thrown = {}
        local ok, problem = pcall(lun.profile, function() error(thrown) end)
        assert.is_false(ok)
        assert.equal(thrown, problem)
        helper.raises("add: ", function() lun.profile(function() return a:add(dev:ones { 3 }) end) end)
        assert.equal(1, lun.profile(function() return a:add(1) end).calls)
    end)

    it("ends with a coroutine that is closed within", function()
        local inner = coroutine.create(lun.profile)
        assert(coroutine.resume(inner, coroutine.yield))
        helper.raises("profile: a profile or a trace is already being recorded", function() lun.profile(print) end)
        coroutine.close(inner)
        assert.equal(0, lun.profile(function() end).calls)
    end)

    it("writes a trace, which shows each call, command, wait and queue", function()
        helper.with_file(function(path)
            local queue, start = dev:queue(), helper.long_work(dev)
            local sum = lun.trace(path, function()
                start()
                local b = a:sin()
                return b:add(1, { queue = queue }):sum()
            end)
            assert.equal(a:sin():add(1):sum(), sum)
            local calls, commands, tracks, arrows = {}, {}, {}, {}
            local trace = read_json(helper.read_file(path))
            for _, event in ipairs(trace.traceEvents) do
                if event.ph == "X" then
                    local list = event.cat == "call" and calls or event.cat == "command" and commands or {}
                    list[event.args.operation] = event
                    assert.is_true(event.ts >= 0 and event.dur >= 0)
                    assert.is_truthy(event.args.line:find "spec/[%w_/]+%.lua:%d+$")
                elseif event.ph == "M" then
                    tracks[event.pid .. " " .. event.tid] = event.args.name
                else
                    arrows[event.ph .. event.id] = event
                end
            end
            assert.is_truthy(calls.sin and calls.add and calls.sum)
            local sine, add = commands.sin, commands.add
            assert.equal("map_add", add.name)
            assert.equal(8 << 16, calls.sin.args.bytes // 1)
            assert.is_truthy(tracks[sine.pid .. " " .. sine.tid] and tracks[add.pid .. " " .. add.tid])
            if sine.tid ~= 1001 then -- a companion does not wait
                assert.is_true(add.ts >= sine.ts + sine.dur - 0.002)
                assert.equal(sine.tid, arrows.s0.tid)
                assert.same({ add.tid, add.ts }, { arrows.f0.tid, arrows.f0.ts })
            end
        end)
    end)
end)

describe("lun.profile", function()
    it("opens no device that the function does not use", function()
        local out = helper.child [[
            local lun = require "lunarray"
            local p = lun.profile(function() end)
            print(#p.rows, #p.devices, lun.device():memory().peak)
        ]]
        assert.equal("0\t0\t0\n", out)
    end)

    it("refuses what it cannot call", function()
        helper.raises("profile: argument 1: a function is needed, got nothing", function() lun.profile() end)
        helper.refused("profile: argument 1 is the module: it is called with a dot, lun.profile(...)", lun, lun, print)
        helper.refused("trace: argument 1 is the module: it is called with a dot, lun.trace(...)", lun, lun, "x", print)
        helper.refused("trace: argument 1: the name of a file is needed, got nothing", lun, nil, print)
        helper.raises("trace: argument 2: a function is needed, got 1", function() lun.trace("x", 1) end)
    end)

    it("says before it calls anything that a trace cannot be written, and leaves no file after an error", function()
        helper.refused("trace: the file cannot be written: /nowhere/x: No such file", lun, "/nowhere/x", error)
        helper.in_folder("", function(folder)
            assert.is_false(pcall(lun.trace, folder .. "/x", error, "no"))
        end)
    end)

    it("is made one at a time, of whichever kind", function()
        local message = ": a profile or a trace is already being recorded; only one at a time is possible"
        lun.profile(function()
            helper.raises("profile" .. message, function() lun.profile(print) end)
            helper.with_file(function(path)
                helper.raises("trace" .. message, function() lun.trace(path, print) end)
            end)
        end)
    end)
end)

describe("the specs' reader of JSON", function()
    it("reads values, and nothing else", function()
        assert.same({ a = { 1, -2.5e3, "x\"\n\u{e9}" }, b = {}, c = true },
            read_json ' {"a": [1, -2.5e3, "x\\"\\n\\u00e9"], "b": {}, "c":true} ')
        local wrong = { "", "{", "[1,]", "{1:2}", '"\n"', "01", "1 2", "nul", "[1,2", '{"a" 1}', '"\\x"', "1," }
        for _, text in ipairs(wrong) do
            assert.is_false(pcall(read_json, text), text)
        end
    end)
end)
