-- lun.prepare: builds beforehand what the library launches on a CPU through PoCL, and keeps it in a folder, from which
-- core brings it into PoCL's cache (src/core/device/prepared.h has the folder's form).

local core = require "lunarray.core"
core._own()
local jobs = require "lunarray.prepare_jobs"
local misuse = require "lunarray.misuse"
local progress = require "lunarray.progress"
local quote = require("lunarray.script").quote

local prepare = {}

local OPTIONS = { "device", "dtypes", "operations", "folder", "processes", "fresh", "lua", "quiet" }
local TITLE, INDEX = "lunarray prepared kernels 1\n", "index"
local HASH_START = 0xcbf29ce484222325

-- The same as core's (base/hash.h).
function prepare.hash(text)
    local value, whole = HASH_START, #text // 8 * 8
    for at = 1, whole, 8 do
        value = (value ~ string.unpack("<i8", text, at)) * 0x100000001b3
        value = value ~ value >> 32
    end
    if whole < #text then
        value = (value ~ string.unpack("<i8", text:sub(whole + 1) .. ("\0"):rep(7))) * 0x100000001b3
        value = value ~ value >> 32
    end
    return ("%016x"):format(value)
end

local function read(path)
    local file <close> = assert(io.open(path, "rb"))
    return assert(file:read "a")
end

local function lines(command, ...)
    local words, list = { ... }, {}
    for i, word in ipairs(words) do
        words[i] = quote(word)
    end
    local pipe <close> = assert(io.popen(command:format(table.unpack(words))))
    for line in pipe:lines() do
        list[#list + 1] = line
    end
    return list
end

-- Raises what the shell's command says where it fails.
local function shell(command, ...)
    local said = lines("{ " .. command .. "; } 2>&1 || echo failed", ...)
    if said[#said] == "failed" then
        misuse.raise("prepare", "%s", said[1] == "failed" and "a command failed: " .. command or said[1])
    end
end

-- ---- what is asked for --------------------------------------------------------------------------------------------

local function can_write(folder)
    return os.execute(("mkdir -p %s 2>/dev/null && test -w %s"):format(quote(folder), quote(folder))) == true
end

-- Where kernels go unless the caller names a folder: to the module, where this user may write there.
local function default_folder()
    local named = os.getenv "LUNARRAY_KERNELS"
    if named and named ~= "" then
        return named
    end
    local module = package.searchpath("lunarray.core", package.cpath)
    local beside = (module and module:match "^(.*)/" or ".") .. "/lunarray-kernels"
    if can_write(beside) then
        return beside
    end
    local cache = os.getenv "XDG_CACHE_HOME"
    return (cache and cache ~= "" and cache or (os.getenv "HOME" or "/tmp") .. "/.cache") .. "/lunarray/kernels"
end

local function check_dtypes(dtypes)
    for _, dtype in ipairs(dtypes) do
        if dtype ~= "f32" and dtype ~= "f64" then
            misuse.raise("prepare", "option 'dtypes': f32 and f64 are prepared, got '%s'", tostring(dtype))
        end
    end
    return dtypes
end

local function names_of_jobs()
    local names = {}
    for _, job in ipairs(jobs) do
        names[#names + 1] = job.name
    end
    return names
end

local function check_operations(operations)
    local known = {}
    for _, name in ipairs(names_of_jobs()) do
        known[name] = true
    end
    for _, name in ipairs(operations) do
        if not known[name] then
            misuse.raise("prepare", "option 'operations': '%s' is not prepared; known are %s", tostring(name),
                table.concat(names_of_jobs(), ", "))
        end
    end
    return operations
end

local function check_list(options, name, default)
    local list = options[name]
    if list == nil then
        return default
    elseif not misuse.is_table(list) or #list == 0 then
        misuse.raise("prepare", "option '%s': a list of names is wanted, got %s", name, misuse.kind_of(list))
    end
    return list
end

local function check_device(device)
    if device ~= nil and core.type(device) ~= "device" then
        misuse.raise("prepare", "option 'device': a device is wanted, got %s", misuse.kind_of(device))
    end
    device = device or core.device()
    local info = device:info()
    if info.platform ~= "Portable Computing Language" then
        misuse.raise("prepare", "%s: kernels are prepared for devices of PoCL; this driver, of %s, has its own cache",
            info.name, info.platform)
    end
    return device, info
end

-- The program that runs this state, to run others like it; where that is no Lua the option `lua` names one.
local function interpreter()
    local path = lines("readlink /proc/$PPID/exe 2>/dev/null")[1]
    local list = arg or {}
    local first = 0
    while list[first - 1] do
        first = first - 1
    end
    return path or first < 0 and list[first] or "lua" .. _VERSION:match "%d.*"
end

local function check(options)
    misuse.check_options("prepare", 1, options, OPTIONS)
    local asked = {}
    for key, value in pairs(options or {}) do
        asked[key] = value
    end
    asked.device, asked.info = check_device(asked.device)
    asked.dtypes = check_dtypes(check_list(asked, "dtypes", { "f32", asked.info.fp64 and "f64" or nil }))
    asked.operations = check_operations(check_list(asked, "operations", names_of_jobs()))
    asked.processes = misuse.whole(asked.processes or 2)
    if not asked.processes or asked.processes < 1 or asked.processes > 64 then
        misuse.raise("prepare", "option 'processes': a whole number from 1 to 64 is wanted, got %s",
            misuse.kind_of(options.processes))
    end
    if asked.folder ~= nil and type(asked.folder) ~= "string" then
        misuse.raise("prepare", "option 'folder': a path is wanted, got %s", misuse.kind_of(asked.folder))
    end
    asked.folder = asked.folder or default_folder()
    asked.lua = asked.lua or interpreter()
    return asked
end

-- ---- a process that builds -----------------------------------------------------------------------------------------

-- Runs every `of`-th job from the `first` on; called in a process of its own. Prints a line for each.
function prepare.work(first, of, operations, dtypes)
    local device, wanted, count = core.device(), {}, 0
    for _, name in ipairs(operations) do
        wanted[name] = true
    end
    for _, job in ipairs(jobs) do
        for _, dtype in ipairs(wanted[job.name] and dtypes or {}) do
            count = count + 1
            if count % of == first % of then
                local ok, problem = pcall(job.run, device, dtype)
                device:finish()
                print(ok and "done" or "failed", job.name, dtype, ok and "" or (tostring(problem):gsub("\n.*", "")))
                io.stdout:flush()
            end
        end
    end
end

local function list_of(names)
    return '{"' .. table.concat(names, '","') .. '"}'
end

-- The command of process i, which keeps PoCL's cache in that folder.
local function command_of(asked, cache, i)
    local ending = "_" .. _VERSION:match("%d.*"):gsub("%.", "_")
    local text = ('require "lunarray" require("lunarray.prepare").work(%d, %d, %s, %s)'):format(i, asked.processes,
        list_of(asked.operations), list_of(asked.dtypes))
    local command = "POCL_CACHE_DIR=%s LUNARRAY_PREPARE=%s LUNARRAY_KERNELS= LUNARRAY_DEVICE=%s LUA_PATH%s=%s "
        .. "LUA_CPATH%s=%s %s -e %s"
    return command:format(quote(cache), quote(cache), quote(asked.info.name), ending, quote(package.path), ending,
        quote(package.cpath), quote(asked.lua), quote(text))
end

-- Runs them all; gives what failed, as lines.
local function run(asked, caches)
    local commands, failed, done = {}, {}, 0
    local total = #asked.operations * #asked.dtypes
    local bar = not asked.quiet and progress.new(total)
    for i, cache in ipairs(caches) do
        commands[i] = ("{ %s 2>&1 || echo ended; } &"):format(command_of(asked, cache, i))
    end
    local pipe <close> = assert(io.popen(table.concat(commands, " ") .. " wait"))
    for line in pipe:lines() do
        local state, name, dtype, problem = line:match "^(%l+)\t(%S+)\t(%S+)\t(.*)"
        if state then
            done = done + 1
            if bar then
                bar:update(done, name)
            end
        end
        if state ~= "done" then
            failed[#failed + 1] = state and ("%s of %s: %s"):format(name, dtype, problem) or line
        end
    end
    if bar then
        bar:finish()
    end
    if done == 0 then
        misuse.raise("prepare", "no process could begin: %s", failed[1] or asked.lua .. " gave nothing")
    end
    return failed
end

-- ---- the folder ----------------------------------------------------------------------------------------------------

-- Writes the index of a folder of PoCL's folders, each with its key. Gives numbers of programs, kernels and bytes.
function prepare.write_index(folder)
    local text, programs, kernels, bytes = { TITLE }, 0, 0, 0
    for _, path in ipairs(lines("cd %s && find . -name lunarray-key | LC_ALL=C sort", folder)) do
        local name = path:match "^%./(.*)/lunarray%-key$"
        programs = programs + 1
        text[#text + 1] = ("program %s %s\n"):format(read(folder .. "/" .. path), name)
        local own = folder .. "/" .. name
        for _, file in ipairs(lines("cd %s && find . -type f ! -name lunarray-key | LC_ALL=C sort", own)) do
            local content = read(own .. "/" .. file)
            kernels = kernels + (file:find "%.so$" and 1 or 0)
            bytes = bytes + #content
            text[#text + 1] = ("file %s %d %s\n"):format(prepare.hash(content), #content, file:sub(3))
        end
    end
    local whole = table.concat(text)
    local file <close> = assert(io.open(folder .. "/" .. INDEX, "wb"))
    assert(file:write(whole, "end ", prepare.hash(whole), "\n"))
    return programs, kernels, bytes
end

-- Puts what the processes have built into one new folder, and that in place of the old one.
local function collect(caches, beside, target)
    local new = beside .. "/new"
    shell("mkdir %s", new)
    for _, cache in ipairs(caches) do
        shell("cp -R %s/. %s", cache, new)
    end
    local passing = "'(' -name last_accessed -o -name 'tempfile*' -o -path ./index ')'"
    shell("cd %s && find . -type f " .. passing .. " -exec rm -f '{}' +", new)
    local programs, kernels, bytes = prepare.write_index(new)
    shell("chmod -R go-w %s", new)
    shell("if test -e %s; then mv %s %s/old; fi; mv %s %s", target, target, beside, new, target)
    return programs, kernels, bytes
end

-- Kernels that are there already are kept, unless another version of the library has built them.
local function seed(asked, target, caches)
    local version = core._VERSION
    local kept = io.open(target .. "/version")
    local same = kept and kept:read "a" == version
    if kept then
        kept:close()
    end
    for _, cache in ipairs(caches) do
        shell("mkdir -p %s", cache)
        if same and not asked.fresh then
            shell("cp -R %s/. %s", target, cache)
        end
        local file <close> = assert(io.open(cache .. "/version", "w"))
        assert(file:write(version))
    end
end

-- Builds what `options` ask for. See doc/first_results.md.
function prepare.prepare(options, ...)
    if options == core then
        misuse.raise("prepare", "argument 1 is the module: it is called with a dot, lun.prepare(...)")
    end
    misuse.check_end("prepare", 1, ...)
    local asked = check(options)
    local start, caches = core.clock(), {}
    local target = asked.folder .. "/" .. core._kernels_key(asked.device)
    local old = "find %s -maxdepth 1 -name '.preparing-*' -mmin +600 -exec rm -rf '{}' +"
    shell("mkdir -p %s && " .. old, asked.folder, asked.folder)
    local beside = lines("mktemp -d %s/.preparing-XXXXXX", asked.folder)[1]
    if not beside then
        misuse.raise("prepare", "no folder can be made in %s", asked.folder)
    end
    local _ <close> = setmetatable({}, { __close = function() os.execute("rm -rf " .. quote(beside)) end })
    for i = 1, asked.processes do
        caches[i] = ("%s/%d"):format(beside, i)
    end
    seed(asked, target, caches)
    local failed = run(asked, caches)
    local programs, kernels, bytes = collect(caches, beside, target)
    return { folder = target, programs = programs, kernels = kernels, bytes = bytes, failed = failed,
        seconds = core.clock() - start }
end

return prepare
