-- Kernels that are built beforehand: lun.prepare, and what core does with its folder.

local lun = require "lunarray"
local helper = require "spec.helper"
local quote = require("lunarray.script").quote

local pocl
for _, dev in ipairs(lun.devices()) do
    pocl = pocl or dev:info().platform == "Portable Computing Language" and dev or nil
end
local own_it = pocl and it or pending
local long_it = pocl and helper.long(it) or pending

local function shell(command, ...)
    local words = { ... }
    for i, word in ipairs(words) do
        words[i] = quote(word)
    end
    local output, status = helper.shell(command:format(table.unpack(words)))
    assert.equal(0, status, output)
    return output
end

-- Calls f(store, cache) with a folder of prepared kernels, made once for all, and an empty one, for PoCL's cache.
local made
local function with_store(f)
    made = made or shell "mktemp -d"
    local root = made:gsub("\n", "")
    local store, cache, given = root .. "/store", root .. "/cache", root .. "/given"
    if not os.execute("test -d " .. given) then
        lun.prepare { operations = { "neg" }, dtypes = { "f32" }, folder = given, processes = 1, quiet = true,
            device = pocl }
    end
    shell("rm -rf %s %s && cp -R %s %s && mkdir %s", store, cache, given, store, cache)
    f(store, cache, store .. "/" .. lun._kernels_key(pocl))
end

teardown(function()
    if made then
        shell("rm -rf %s", (made:gsub("\n", "")))
    end
end)

-- The hash that ends an index (src/core/base/hash.h).
local function hash(text)
    local value = 0xcbf29ce484222325
    for at = 1, #text, 8 do
        local word = text:sub(at, at + 7)
        value = (value ~ string.unpack("<i8", word .. ("\0"):rep(8 - #word))) * 0x100000001b3
        value = value ~ value >> 32
    end
    return ("%016x"):format(value)
end

local PROGRAM = [[
    local lun = require "lunarray"
    local x = lun.device(os.getenv "LUNARRAY_DEVICE"):random({ 10 }, { seed = 1 })
    print(x:neg():get(1) == -x:get(1))
]]

-- What the program prints where those kernels are prepared.
local function run(store, cache, more)
    local env = { LUNARRAY_KERNELS = store, POCL_CACHE_DIR = cache, LUNARRAY_DEVICE = pocl:info().name,
        LUNARRAY_QUIET = false }
    for name, value in pairs(more or {}) do
        env[name] = value
    end
    return helper.child(PROGRAM, { env = env })
end

-- The paths of files in a folder that have that name.
local function find(folder, name)
    local list = {}
    for path in shell("cd %s && find . -name %s | LC_ALL=C sort", folder, name):gmatch "[^\n]+" do
        list[#list + 1] = path:sub(3)
    end
    return list
end

describe("lun.prepare", function()
    own_it("keeps PoCL's kernels with an index, and says what it has built", function()
        with_store(function(_, _, folder)
            local programs = find(folder, "program.bc")
            local index = helper.read_file(folder .. "/index")
            assert.is_true(#programs >= 2)
            assert.is_true(#find(folder, "map_neg.so") >= 1)
            assert.equal(#programs, select(2, index:gsub("\nprogram ", "")))
            assert.matches("^lunarray prepared kernels 1\nprogram %x+ [A-P/]+\nfile %x+ %d+ [^\n]+\n", index)
            assert.matches("\nend " .. ("%x"):rep(16) .. "\n$", index)
        end)
    end)

    own_it("adds to what is there, or begins anew, and gives counts and what failed", function()
        with_store(function(store, _, folder)
            local before = #find(folder, "*.so")
            local asked = { operations = { "square" }, dtypes = { "f32" }, folder = store, processes = 1, quiet = true,
                device = pocl }
            local more = lun.prepare(asked)
            assert.equal(folder, more.folder)
            assert.same({}, more.failed)
            assert.is_true(more.kernels > before and more.programs > 1 and more.bytes > 1000)
            asked.fresh = true
            assert.is_true(lun.prepare(asked).kernels < more.kernels)
            assert.same({}, find(folder, "map_neg.so"))
        end)
    end)

    it("runs the jobs on other drivers, which keep kernels in caches of their own (not on PoCL alone)", function()
        for _, dev in ipairs(lun.devices()) do
            if dev:info().platform ~= "Portable Computing Language" then
                local filled = lun.prepare { operations = { "neg", "add" }, dtypes = { "f32" }, quiet = true,
                    device = dev }
                assert.is_nil(filled.folder)
                assert.same({ 0, 0, 0, {} }, { filled.programs, filled.kernels, filled.bytes, filled.failed })
                return
            end
        end
        pending "all devices are PoCL's"
    end)

    long_it("lets two processes prepare at once, and leaves a whole folder", function()
        with_store(function(store, cache, folder)
            local source = ([[require("lunarray").prepare { operations = { "neg" }, dtypes = { "f32" }, folder = %q,
                processes = 1, quiet = true }]]):format(store)
            helper.with_file(function(path)
                helper.write_file(path, source)
                local command = "LUA_PATH_5_4=%s LUA_CPATH_5_4=%s LUNARRAY_DEVICE=%s %s %s"
                command = command:format(quote(package.path), quote(package.cpath), quote(pocl:info().name),
                    os.getenv "LUA" or "lua5.4", path)
                local output = helper.shell(("{ %s & %s & wait; }"):format(command, command))
                assert.equal("", output)
            end)
            assert.equal("true\n", run(store, cache))
            assert.is_true(#find(cache, "map_neg.so") >= 1)
            assert.equal(lun._kernels_key(pocl) .. "\n", shell("ls -A %s", store))
            assert.is_true(#find(folder, "program.bc") >= 2)
        end)
    end)

    long_it("that is killed leaves the old folder as it was", function()
        with_store(function(store, cache, folder)
            local index = helper.read_file(folder .. "/index")
            local source = ([[
                local lun = require "lunarray"
                local pid = io.popen("echo $PPID"):read "n"
                os.execute("(sleep 0.5; kill -9 " .. pid .. ") >/dev/null 2>&1 &")
                lun.prepare { operations = { "sort", "matmul" }, folder = %q, processes = 1, quiet = true }
            ]]):format(store)
            local _, status = helper.run(source, { env = { LUNARRAY_DEVICE = pocl:info().name } })
            assert.equal(137, status)
            assert.equal(index, helper.read_file(folder .. "/index"))
            assert.equal("true\n", run(store, cache))
            helper.shell(("pkill -f '[%s]%s'"):format(store:sub(1, 1), store:sub(2))) -- what it had begun
        end)
    end)
end)

describe("prepared kernels", function()
    -- A file of each program's that PoCL knows nothing of: where one is in the cache, it was brought.
    local function mark(folder)
        local programs = find(folder, "map_neg.so")
        assert.is_true(#programs > 1) -- of numbers beside one another, and of others
        for _, path in ipairs(programs) do
            helper.write_file(folder .. "/" .. path:match "^[^/]+/[^/]+" .. "/mark", "brought")
        end
        assert.is_true(lun._prepared_index(folder))
    end

    own_it("are brought to PoCL's cache when a program needs them, and no others", function()
        with_store(function(store, cache, folder)
            mark(folder)
            assert.equal("true\n", run(store, cache))
            local brought = find(cache, "mark")
            assert.equal(1, #brought)
            assert.equal("brought", helper.read_file(cache .. "/" .. brought[1]))
            assert.is_true(#find(cache, "program.bc") <= #find(folder, "program.bc"))
            assert.same({}, find(cache, "*.lunarray"))
        end)
    end)

    own_it("are the optimised ones, while others are built without optimisations first", function()
        if not pocl:info().driver:find "^3%." then
            return
        end
        with_store(function(store, cache)
            local source = [[
                local dev = require("lunarray").device(os.getenv "LUNARRAY_DEVICE")
                local many = dev:arange(1, 100000, { dtype = "f32" })
                for _, name in ipairs { "neg", "square" } do
                    for _ = 1, 1000 do
                        many[name](many)
                    end
                    dev:finish()
                    print(name, dev:info().programs.exchanged)
                end
            ]]
            local env = { LUNARRAY_KERNELS = store, POCL_CACHE_DIR = cache, LUNARRAY_DEVICE = pocl:info().name,
                LUNARRAY_TIER = false, LUNARRAY_COMPANION = "0" }
            assert.equal("neg\t0\nsquare\t1\n", helper.child(source, { env = env }))
        end)
    end)

    own_it("are not looked for where LUNARRAY_KERNELS is empty", function()
        with_store(function(_, cache, folder)
            mark(folder)
            assert.equal("true\n", run("", cache))
            assert.same({}, find(cache, "mark"))
        end)
    end)

    -- Each damages the folder; what stderr then says of it.
    local damages = {
        { "whose index is cut", function(folder) shell("truncate -s -5 %s/index", folder) end, "index is damaged" },
        { "whose index was changed",
            function(folder) shell("sed -i s/neg/nag/ %s/index", folder) end, "index is damaged" },
        { "of another form", function(folder) shell("sed -i 's/kernels 1/kernels 2/' %s/index", folder) end,
            "index is damaged" },
        { "whose index others may write", function(folder) shell("chmod o+w %s/index", folder) end,
            "index may be written by others" },
        { "whose folder others may write", function(folder) shell("chmod g+w %s", folder) end,
            "the folder may be written by others" },
        { "whose index is a link", function(folder) shell("cd %s && mv index i && ln -s i index", folder) end,
            "index Too many levels of symbolic links" },
        { "with a file that was changed",
            function(folder) shell("cd %s && for f in $(find . -name '*.so'); do echo x >>$f; done", folder) end,
            ".so is damaged" },
        { "that lack a file", function(folder) shell("cd %s && find . -name '*.so' -exec rm '{}' +", folder) end,
            ".so is missing" },
        { "with a file that others may write",
            function(folder) shell("cd %s && find . -name '*.so' -exec chmod o+w '{}' +", folder) end,
            ".so may be written by others" },
    }
    local some_it = pocl and helper.one_in(3, it) or pending
    for _, row in ipairs(damages) do
        local title, damage, problem = table.unpack(row)
        some_it(title .. " are told of once, and not used", function()
            with_store(function(store, cache, folder)
                damage(folder)
                local output = run(store, cache)
                assert.equal(1, output:find("lunarray: prepared kernels in " .. folder .. " are not used: ", 1, true))
                assert.truthy(output:find(problem .. "; lunarray-prepare builds them again, and LUNARRAY_KERNELS= "
                    .. "ignores them\ntrue\n", 1, true), output)
                assert.equal(2, select(2, output:gsub("\n", "")))
            end)
        end)
    end

    own_it("that are damaged are not told of where LUNARRAY_QUIET is set", function()
        with_store(function(store, cache, folder)
            shell("truncate -s -5 %s/index", folder)
            assert.equal("true\n", run(store, cache, { LUNARRAY_QUIET = "1" }))
        end)
    end)

    own_it("that name a file elsewhere are not used", function()
        with_store(function(store, cache, folder)
            shell("cd %s && sed -i 's,program\\.bc,../program.bc,' index", folder)
            local text = helper.read_file(folder .. "/index"):gsub("end .*", "")
            helper.write_file(folder .. "/index", text .. "end " .. hash(text) .. "\n")
            assert.equal("true\n", run(store, cache))
            assert.is_nil(io.open(cache .. "/program.bc"))
        end)
    end)

    it("of another user are not used (as root)", function()
        if not pocl or shell "id -u" ~= "0\n" then
            pending "only root can give files away"
            return
        end
        with_store(function(store, cache, folder)
            shell("chown -R 1 %s", folder)
            assert.matches("the folder belongs to another user", run(store, cache))
        end)
    end)
end)

describe("compiling for long", function()
    local has_script = os.execute "command -v script >/dev/null" == true

    -- What a program that compiles many expressions says in a terminal with an empty cache.
    local function said(before)
        return helper.with_file(function(path)
            helper.write_file(path, [[
                local lun = require "lunarray"
                local dev = lun.device(os.getenv "LUNARRAY_DEVICE")
                for i = 1, 20 do
                    dev:map("x + " .. i, { x = dev:ones { 3 } })
                end
                dev:finish()
            ]])
            local command = ("%s LUNARRAY_KERNELS= LUNARRAY_DEVICE=%s POCL_CACHE_DIR=$(mktemp -d) LUA_PATH_5_4=%s "
                .. "LUA_CPATH_5_4=%s %s %s"):format(before, quote(pocl:info().name), quote(package.path),
                quote(package.cpath), os.getenv "LUA" or "lua5.4", path)
            return (helper.shell("script -qec " .. quote(command) .. " /dev/null"))
        end)
    end

    helper.long(it)("is told of once, in a terminal alone (script)", function()
        if not pocl or not has_script then
            pending "util-linux's script makes the terminal"
            return
        end
        local line = "lunarray: compiling kernels for " .. pocl:info().name
            .. ", as on each first run; lunarray-prepare does so beforehand\r\n"
        assert.equal(line, said "")
        assert.equal("", said "LUNARRAY_QUIET=1")
    end)
end)

describe("lun.prepare refuses", function()
    own_it("what it cannot prepare", function()
        local function refused(message, options)
            options.device = options.device or pocl
            helper.refused(message, lun, options)
        end
        refused("prepare: unknown option 'dtype'; known are device, dtypes, operations", { dtype = "f32" })
        refused("prepare: option 'dtypes': f32 and f64 are prepared, got 'f16'", { dtypes = { "f16" } })
        refused("prepare: option 'dtypes': a list of names is needed, got a string", { dtypes = "f32" })
        refused("prepare: option 'operations': a list of names is needed, got a table", { operations = {} })
        refused("prepare: option 'dtypes': element 1 is 32; a name is needed", { dtypes = { 32 } })
        refused("prepare: option 'operations': 'sums' is not prepared; known are abs, neg", { operations = { "sums" } })
        refused("prepare: option 'processes': a whole number from 1 to 64 is needed, got 0", { processes = 0 })
        refused("prepare: option 'folder': a path is needed, got 7", { folder = 7 })
        refused("prepare: option 'device': a device is needed, got a string", { device = "cpu" })
        helper.refused("prepare: argument 1: a table of options is needed, got a string", lun, "f32")
        helper.refused("prepare: argument 2: nothing after argument 1 is needed, got 1", lun, {}, 1)
    end)

    own_it("on the command line, too", function()
        local function said(options)
            return helper.shell(("LUA_PATH_5_4=%s LUA_CPATH_5_4=%s %s tools/lunarray-prepare.lua %s"):format(
                quote(package.path), quote(package.cpath), os.getenv "LUA" or "lua5.4", options))
        end
        assert.matches("^usage: lunarray%-prepare %[options%]\n", (said "--help"))
        local device = quote(pocl:info().name)
        local output, status = said("--dtypes f16 --device " .. device)
        assert.matches("\nlunarray%-prepare: option 'dtypes': f32 and f64 are prepared, got 'f16'\n$", output)
        assert.equal(1, status)
        assert.matches("^lunarray%-prepare: unknown option '%-%-dtype'; known are %-%-", (said "--dtype f32"))
    end)

    own_it("a folder that cannot be, and a Lua that is none", function()
        helper.with_file(function(path)
            helper.raises("prepare: mkdir: ", function()
                local _ = lun.prepare { folder = path, operations = { "neg" }, device = pocl, quiet = true }
            end)
        end)
        helper.in_folder("", function(folder)
            helper.raises("prepare: no process could begin: ", function()
                local _ = lun.prepare { folder = folder, operations = { "neg" }, device = pocl, quiet = true,
                    lua = folder .. "/none" }
            end)
        end)
    end)
end)
