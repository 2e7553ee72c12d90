-- The lab: every variant of its first scripts at awkward sizes, and what a script prints and how it ends.

local helper = require "spec.helper"
local script = require "lunarray.script"

local lab = dofile "examples/lab/lab.lua"
local SCRIPTS = { "hello", "reduction", "memory", "sycl" }

-- The options of a case as text, in a fixed order.
local function title_of(options)
    local words = {}
    for name, value in pairs(options) do
        words[#words + 1] = ("%s=%s"):format(name, value)
    end
    table.sort(words)
    return table.concat(words, " ")
end

-- Few elements, for Oclgrind, which interprets kernels: two groups and a bit.
local FEW = {
    hello = { size = 65 },
    reduction = { size = 300, op = "sum", dtype = "f32", group = 64 },
    memory = { size = 130, group = 64 },
    sycl = { size = 20 },
}

-- Checks a variant at all awkward sizes, but for those that are `only` for others; the variants of a part share tasks.
local function check_variant(part, variant, dev, tasks)
    for i, case in ipairs(part.awkward) do
        if not case.only or case.only:find(variant.name, 1, true) then
            tasks[i] = tasks[i] or lab.task(part, dev, lab.defaults(part, case))
            local row = lab.check(variant, tasks[i])
            if not row.cannot then
                assert.is_true(row.right, ("%s: %s"):format(title_of(case), row.wrong))
            end
        end
    end
end

for _, name in ipairs(SCRIPTS) do
    local description = dofile("examples/lab/" .. name .. ".lua")
    helper.each_device(function(dev, device_name)
        describe(("lab: %s on %s"):format(name, device_name), function()
            for _, part in ipairs(lab.parts(description)) do
                local tasks = {}
                for _, variant in ipairs(part.variants) do
                    it(("is right by %s"):format(variant.name), function()
                        check_variant(part, variant, dev, tasks)
                    end)
                end
            end

            it("has no race, and reads and writes nothing outside #oclgrind", function()
                for _, part in ipairs(lab.parts(description)) do
                    local few = setmetatable({ awkward = { FEW[name] } }, { __index = part })
                    for _, variant in ipairs(part.variants) do
                        check_variant(few, variant, dev, {})
                    end
                end
            end)
        end)
    end)
end

describe("lab: a script", function()
    -- Runs a description, given as Lua, as if from the command line. Gives its output and its exit status.
    local function run(fields, arguments)
        return helper.run(([[
            local lab = dofile "examples/lab/lab.lua"
            arg = { [0] = "some.lua", %s }
            local function copy(factor)
                return function(task)
                    return function(lap)
                        lap:add(task.x:copy { async = true })
                        return factor
                    end
                end
            end
            lab.script {
                name = "some", about = "A test.", size = { small = 64, cpu = 128 },
                problem = function(task)
                    task.title, task.bytes = "copies of " .. task.size, 8 * task.size
                    task.x = task.device:ones { task.size }
                    function task.check(result) return result == 1, result .. ", not 1" end
                end,
                %s
            }
        ]]):format(arguments or '"--size", "small"', fields))
    end

    it("prints a row for each variant and ends well", function()
        local output, status = run [[
            columns = { { "twice", function(row) return 2 * row.result end } },
            variants = {
                { name = "first", prepare = copy(1) }, { name = "second", most = 32, prepare = copy(1) },
                { name = "third", prepare = function() lab.cannot("no %s here", "such thing") end },
            },
        ]]
        assert.equal(0, status, output)
        assert.matches("copy [%d.]+ .?B/s, multiply%-add [%d.]+ .?flop/s", output)
        assert.matches("copies of 64\nvariant +time +rate +of copy +speed%-up +twice +result\n", output)
        assert.matches("first +[%d.]+ .?s +[%d.]+ .?B/s +%S+ %% +1 x +2 +right\n", output)
        assert.matches("second %(n = 32%) +[%d.]+ .?s +[%d.]+ .?B/s +%S+ %% +%S+ x +2 +right\n", output)
        assert.matches("third +cannot run: no such thing here\n", output)
    end)

    it("says what is wrong, and ends with status 1", function()
        local output, status = run [[
            variants = { { name = "wrong", prepare = copy(3) }, { name = "right", prepare = copy(1) },
                { name = "raises", prepare = function() error("no luck", 0) end } },
        ]]
        assert.equal(1, status)
        assert.matches("wrong +WRONG: 3, not 1\n", output)
        assert.matches("right +[%d.]+ .?s ", output)
        assert.matches("raises +WRONG: no luck\n", output)
    end)

    it("refuses a size that is none", function()
        local output, status = run("variants = {}", '"--size", "some"')
        assert.equal(1, status)
        assert.matches("some: --size must be a whole number, at least 1, or small, not 'some'", output, 1, true)
    end)

    it("refuses what it does not know", function()
        local function refused(message, name, given)
            local part = lab.parts(dofile("examples/lab/" .. name .. ".lua"))[1]
            local options = lab.defaults(part, given)
            local ok, problem = pcall(lab.task, part, require("lunarray").device(), options)
            assert.is_false(ok)
            assert.equal(message, problem)
        end
        refused("unknown operation 'mean'; known are sum product max min", "reduction", { size = 1, op = "mean" })
        refused("unknown dtype 'u8'; known are f32 i32", "reduction", { size = 1, dtype = "u8" })
        refused("--group must be a power of two, not 100", "reduction", { size = 1, group = 100 })
    end)

    it("says where groups are too large", function()
        local device = require("lunarray").device()
        local kernel = device:program("kernel void one(global int *x) { x[0] = 1; }"):kernel "one"
        local most = kernel:info().max_group
        lab.fit(kernel, most)
        local ok, problem = pcall(lab.fit, kernel, most + 1)
        assert.is_false(ok)
        assert.equal(("groups of %d items; this device runs the kernel in groups of at most %d")
            :format(most + 1, most), problem.cannot)
    end)

    it("lists its options", function()
        local output, status = run([[variants = {}, options = { { name = "op", value = "NAME", help = "what" } }]],
            '"--help"')
        assert.equal(0, status)
        assert.matches("usage: lua some.lua [options]", output, 1, true)
        assert.matches("--op NAME +what", output)
    end)

    it("compares all of a vector, or many elements of a long one and the last", function()
        local lun = require "lunarray"
        local a = lun.zeros { 100000 }
        local function zero() return 0 end
        assert.is_true(lab.compare(a, zero))
        a:set(1, 100000)
        local ok, wrong = lab.compare(a, zero)
        assert.is_false(ok)
        assert.equal("element 100000 is 1.0, not 0", wrong)
        local short = lun.array { 0, 0.5, 0 }
        assert.is_false((lab.compare(short, zero, 0.4)))
        assert.is_true((lab.compare(short, zero, 0.5)))
        assert.is_true((lab.compare(lun.zeros { 0 }, zero)))
    end)

    it("runs from another folder", function()
        local here = script.quote(io.popen("pwd"):read "l" .. "/examples/lab/hello.lua")
        local output = io.popen(("cd / && LUA_PATH_5_4=%s LUA_CPATH_5_4=%s %s %s --size 100 2>&1"):format(
            script.quote(package.path), script.quote(package.cpath), os.getenv "LUA" or "lua5.4", here)):read "a"
        assert.matches("saxpy, from a file .* right\n", output)
    end)
end)
