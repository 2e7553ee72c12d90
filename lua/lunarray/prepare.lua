-- lun.prepare: builds beforehand what the library launches. Core runs the jobs, in processes of their own
-- (src/core/packages/prepare), each of which is a Lua that opens the library.

local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"
local progress = require "lunarray.progress"
local quote = require("lunarray.script").quote

local prepare = {}

local OPTIONS = { "device", "dtypes", "operations", "folder", "processes", "fresh", "lua", "quiet" }

local function check_list(options, name)
    local list = options[name]
    if list == nil then
        return {}
    elseif not misuse.is_table(list) or #list == 0 then
        misuse.raise("prepare", "option '%s': a list of names is needed, got %s", name, misuse.kind_of(list))
    end
    for i, each in ipairs(list) do
        if type(each) ~= "string" then
            misuse.raise("prepare", "option '%s': element %d is %s; a name is needed", name, i, misuse.kind_of(each))
        end
    end
    return list
end

-- The program that runs this state, to run others like it; where that is no Lua the option `lua` names one.
local function interpreter()
    local pipe <close> = assert(io.popen "readlink /proc/$PPID/exe 2>/dev/null")
    local path = pipe:read "l"
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
    if asked.device ~= nil and core.type(asked.device) ~= "device" then
        misuse.raise("prepare", "option 'device': a device is needed, got %s", misuse.kind_of(asked.device))
    end
    asked.device = asked.device or core.device()
    asked.dtypes = check_list(asked, "dtypes")
    asked.operations = check_list(asked, "operations")
    asked.processes = misuse.whole(asked.processes or 2)
    if not asked.processes or asked.processes < 1 or asked.processes > 64 then
        misuse.raise("prepare", "option 'processes': a whole number from 1 to 64 is needed, got %s",
            misuse.kind_of(options.processes))
    end
    if asked.folder ~= nil and type(asked.folder) ~= "string" then
        misuse.raise("prepare", "option 'folder': a path is needed, got %s", misuse.kind_of(asked.folder))
    end
    asked.lua = asked.lua or interpreter()
    return asked
end

-- Runs a process that works.
local function command_of(asked)
    local ending = "_" .. _VERSION:match("%d.*"):gsub("%.", "_")
    return ("LUA_PATH%s=%s LUA_CPATH%s=%s exec %s -e %s"):format(ending, quote(package.path), ending,
        quote(package.cpath), quote(asked.lua),
        quote [[local core = require "lunarray.core" core._prepare_work(core.device())]])
end

-- Builds what `options` ask for. See doc/first_results.md.
function prepare.prepare(options, ...)
    misuse.check_dot("prepare", options)
    misuse.check_end("prepare", 1, ...)
    local asked = check(options)
    local start, bar = core.clock(), nil
    local function show(done, total, job)
        bar = bar or progress.new(total)
        bar:update(done, job)
    end
    local folder, programs, kernels, bytes, failed = core._prepare(asked.device, asked.operations, asked.dtypes,
        asked.folder, asked.processes, asked.fresh, command_of(asked), not asked.quiet and show or nil)
    if bar then
        bar:finish()
    end
    if not folder then
        misuse.raise("prepare", "%s", programs)
    end
    local problems = {}
    for line in (failed or ""):gmatch "[^\n]+" do
        problems[#problems + 1] = line
    end
    return { folder = folder ~= "" and folder or nil, programs = programs, kernels = kernels, bytes = bytes,
        failed = problems, seconds = core.clock() - start }
end

return prepare
