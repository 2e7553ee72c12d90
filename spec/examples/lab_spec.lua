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

for number, name in ipairs(SCRIPTS) do
    local it = number % 2 == 1 and it or helper.long(it)
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
        assert.matches("multiply%-add %S+ .?flop/s %(the quickest of several; the slowest %S+ .?B/s, %S+ .?flop/s%)\n",
            output)
        assert.matches("noise: the slowest run took %d+ %% longer than the quickest %(the rows' median%), "
            .. "at most %d+ %% %(%a+%)\n", output)
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
        assert.not_matches("copy", output)
        assert.equal(1, status)
        assert.matches("some: --size must be a whole number, at least 1, or small, not 'some'", output, 1, true)
    end)

    -- Starts one of the scripts, which is to end with that line and nothing else, unless `after` something.
    local function refused(message, name, options, after)
        local output, status = helper.run(([[
            arg = { [0] = "examples/lab/%s.lua", %s }
            dofile(arg[0])
        ]]):format(name, options))
        assert.equal(1, status)
        assert.equal(name .. ": " .. message .. "\n", after and output:match "[^\n]*\n$" or output)
    end

    it("refuses what it does not know before it does anything", function()
        refused("--op must be one of sum prod min max, not 'mean'", "reduction", '"--op", "mean"')
        refused("--dtype must be one of f32 i32, not 'u8'", "reduction", '"--dtype", "u8"')
        refused("--group must be a power of two, not '100'", "reduction", '"--group", "100"')
    end)

    it("tells of a device that is not there as of other options", function()
        local lun = require "lunarray"
        for _, selector in ipairs { "no such", "99" } do
            local ok, problem = pcall(lun.device, selector)
            assert.is_false(ok)
            refused("--device: " .. problem:match "lunarray: device: (.*)", "nbody",
                ('"--device", %q'):format(selector))
        end
    end)

    it("refuses sizes that are out of reach before it does anything", function()
        refused("--size must be at most 1048576, not 1000000000000: the bodies are made, and looked at, in Lua",
            "nbody", '"--size", "1000000000000"')
        refused("--size must be at most 4194304, not 1000000000000: some rows make tables in Lua",
            "sycl", '"--size", "1000000000000"')
        local most = require("lunarray").device():info().max_allocation // 4
        for _, name in ipairs { "reduction", "memory", "divergence" } do
            refused(("--size must be at most %d, not %d: elements of 4 bytes are all that an array has on this device")
                :format(most, math.maxinteger), name, ('"--size", "%d"'):format(math.maxinteger))
        end
    end)

    it("says so where the device's memory is too small", function()
        local most = require("lunarray").device():info().max_allocation
        refused(("--size 5 is too much here: %d bytes in one array; this device's largest allocation is %d")
            :format(4 * 5 * most, most), "transpose", ('"--size", "5", "--columns", "%d"'):format(most), true)
        local output, status = run [[
            variants = {
                { name = "large", prepare = function(task)
                    task.device:zeros { task.device:info().max_allocation }
                end },
                { name = "long", prepare = function() return ("x"):rep(math.maxinteger) .. "x" end },
            },
        ]]
        assert.equal(0, status, output)
        assert.matches(("large +cannot run: %d bytes in one array; this device's largest allocation is %d")
            :format(4 * most, most), output)
        assert.matches("long +cannot run: resulting string too large\n", output)
    end)

    it("tells once what PoCL's compiler writes", function()
        local function told(output)
            return select(2, output:gsub("PoCL's compiler says so of every kernel that it refuses", ""))
        end
        local output, status = run [[
            variants = { { name = "refused", prepare = function(task)
                for _ = 1, 2 do
                    task.file = "hello.cl"
                    local kernel, why = task:try_kernel("saxpy", { size_t = "nothing" })
                    assert(kernel == nil and why)
                end
                lab.cannot "refused"
            end } },
        ]]
        assert.equal(0, status, output)
        local pocl = require("lunarray").device():info().platform == "Portable Computing Language"
        assert.equal(pocl and 1 or 0, told(output))
    end)

    it("leaves the end of a long text out", function()
        assert.equal("four", lab.short("four", 4))
        assert.equal("fi...", lab.short("fiver!", 5))
    end)

    it("runs from a fresh tree's folder, as `make env` says", function()
        if not os.execute "make --version >/dev/null 2>&1" then
            pending "needs make"
            return
        end
        local pipe = assert(io.popen(("unset LUA_PATH_5_4 LUA_CPATH_5_4 LUA_PATH LUA_CPATH MAKEFLAGS MFLAGS; "
            .. 'eval "$(make -s env)" && cd /tmp && %s -e \'print(package.searchpath("lunarray", package.path), '
            .. 'package.searchpath("lunarray.core", package.cpath))\' 2>&1')
            :format(os.getenv "LUA" or "lua5.4")))
        local root = io.popen("pwd"):read "l"
        local found = ("%s/lua/lunarray/init.lua\t%s/build/lunarray/core.so\n"):format(root, root)
        assert.matches(found, pipe:read "a", 1, true)
        pipe:close()
    end)

    it("that there is not is told by make, with those that there are", function()
        if not os.execute "make --version >/dev/null 2>&1" then
            pending "needs make"
            return
        end
        local pipe = assert(io.popen "unset MAKEFLAGS MFLAGS; make lab LAB='hello nope' 2>&1")
        local output = pipe:read "a"
        assert.is_nil(pipe:close())
        local names = {}
        for name in output:match("there is no lab 'nope'; there are ([%a ]+)%."):gmatch "%a+" do
            names[name] = true
        end
        for path in io.popen("ls examples/lab/*.lua"):lines() do
            local name = path:match "(%a+)%.lua"
            assert.equal(not path:find("/lab[._]"), names[name] or false, name)
        end
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
        assert.matches("usage: lua5.4 some.lua [options]", output, 1, true)
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
