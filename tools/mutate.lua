-- Plants mistakes in a copy of the tree, one at a time, and looks which spec sees each: lua5.4 tools/mutate.lua, from
-- the root.
--
--   --list          shows the mistakes, builds and runs nothing; tells rows whose text is no longer in its file
--   --only PATTERN  those alone whose file or name has the Lua pattern
--   --first         runs the specs that should see a mistake, and no others
--   --skip FILE     leaves out mistakes of which FILE, an earlier run's output, tells the end
--   --random N      N mistakes that tools/mutants_random.lua draws, in place of the table; --seed N draws others
--   --part I/N      every N-th mistake alone, from the I-th on
--   --folder PATH   plants in another copy than build/mutate, so that several may run at once
--   --seconds N     how long one run of a spec may take (600); a spec that does not end has seen the mistake
--
-- tools/mutants.lua has the mistakes. A line for each tells how it ended: `seen`, by a spec or by the compiler;
-- `survived`; `stale`, where the text that it replaces is not there exactly once. The status is 1 if a row is stale, if
-- a mistake survived that is not marked so, or if more than 5 in 100 of the table are marked.

local FOLDER = "build/mutate"
for i = 1, #arg do
    FOLDER = arg[i] == "--folder" and arg[i + 1] or FOLDER
end
local PLANTED = FOLDER .. "/planted" -- files that were changed, so that a run that was stopped leaves no stale object
local MOST_MARKED = 0.05

local function quote(text)
    return "'" .. text:gsub("'", "'\\''") .. "'"
end

local function read(path)
    local file <close> = assert(io.open(path, "rb"))
    return assert(file:read("a"))
end

local function write(path, text, mode)
    local file = assert(io.open(path, mode or "wb"))
    assert(file:write(text))
    assert(file:close())
end

local function output_of(command)
    local pipe = assert(io.popen(command))
    local text = pipe:read("a")
    return text, pipe:close()
end

-- ---- the table ----------------------------------------------------------------------------------------------

-- How often text has `part`.
local function occurrences(text, part)
    local count, at = 0, text:find(part, 1, true)
    while at do
        count = count + 1
        at = text:find(part, at + 1, true)
    end
    return count
end

local function words(text)
    local list = {}
    for word in text:gmatch "%S+" do
        list[#list + 1] = word
    end
    return list
end

-- The rows as a flat list; a row's own `spec` stands in place of that of its file. Names are unique.
local function mutants(options)
    local list, known = {}, {}
    local groups = options.random and dofile("tools/mutants_random.lua")(options.random, options.seed)
        or dofile("tools/mutants.lua")
    for _, group in ipairs(groups) do
        for _, row in ipairs(group) do
            local name, from, to = table.unpack(row)
            assert(not known[name], name)
            known[name] = true
            list[#list + 1] = {
                name = name, file = group.file, from = from, to = to, specs = words(row.spec or group.spec),
                filter = row.filter, survives = row.survives, long = row.long or group.long,
            }
        end
    end
    return list
end

local function is_stale(mutant)
    return occurrences(read(mutant.file), mutant.from) ~= 1
end

-- ---- the copy -----------------------------------------------------------------------------------------------

local function exists(path)
    local file = io.open(path)
    return file and file:close()
end

local function copy_tree()
    assert(os.execute("mkdir -p " .. FOLDER))
    -- Files that the tree has no more go, as make builds all that it finds; what is built stays.
    assert(os.execute(("find %s -mindepth 1 -maxdepth 1 ! -name build ! -path %s -exec rm -rf {} +"):format(FOLDER,
        PLANTED)))
    assert(os.execute("git ls-files -z -co --exclude-standard | xargs -0 ls -d 2>/dev/null | tar -cf - -T - "
        .. "| tar -xf - -C " .. FOLDER))
    -- For good: what a run does not build may have mistakes of the run before it.
    local known = {}
    for path in io.lines(exists(PLANTED) and PLANTED or "/dev/null") do
        if not known[path] then
            known[path] = true
            known[#known + 1] = path
            os.execute(("cd %s && touch -c %s"):format(FOLDER, quote(path)))
        end
    end
    write(PLANTED, table.concat(known, "\n") .. (known[1] and "\n" or ""))
end

-- Warnings are no errors here: a spec is to see what a compiler might.
local function build(goal)
    return output_of(("cd %s && make CFLAGS=-O1 WERROR= %s 2>&1"):format(FOLDER, goal))
end

local busted = (os.getenv "BUSTED" or output_of "LUA= tools/setup.sh find busted"):gsub("%s+$", "")

-- Did any spec run, by what busted says? Where no filter chose some, it is fine that all of a file are pending.
local function have_run(text, filter)
    local succeeded, waits = ("\n" .. text):match "\n(%d+) success%a* / %d+ failures? / %d+ errors? / (%d+) pending"
    return succeeded and (succeeded ~= "0" or not filter and waits ~= "0")
end

-- Does this spec pass? Gives the name of the first that did not, too.
local function passes(spec, filter, seconds, long)
    local command = ("cd %s && env -u LUA_PATH_5_4 -u LUA_CPATH_5_4 %s LUNARRAY_DAY=all LUA_PATH=%s LUA_CPATH=%s "
        .. "timeout -k 5 %d %s --cpath=./build/?.so --no-keep-going --output=plainTerminal %s %s 2>&1 </dev/null")
        :format(FOLDER, long and "LUNARRAY_LONG=1" or "-u LUNARRAY_LONG",
        quote "./lua/?.lua;./lua/?/init.lua;;", quote "./build/?.so;;", seconds, busted,
        filter and "--filter=" .. quote(filter) or "", ("spec/%s_spec.lua"):format(spec))
    local text, ok, _, status = output_of(command)
    write(FOLDER .. "/log", ("%s: %s\n%s\n"):format(spec, filter or "all", text), "ab")
    if ok and have_run(text, filter) then
        return true
    elseif ok then
        local why = filter and ("no spec of spec/%s_spec.lua fits the filter %s") or "spec/%s_spec.lua has no specs"
        error(why:format(spec, filter), 0)
    end
    return false, status == 124 and "it did not end" or text:match("\n[FE][ar][ir][lo][u%w]* → [^\n]*\n([^\n]*)")
        or text:match("\n[FE]%w+ %-> [^\n]*\n([^\n]*)") or ("status %s"):format(status)
end

-- ---- one mistake --------------------------------------------------------------------------------------------

local function others(mutant)
    local first, list = {}, {}
    for _, spec in ipairs(mutant.specs) do
        first[spec] = true
    end
    for path in output_of("ls -S -r spec/*_spec.lua"):gmatch "%S+" do
        local spec = path:match "([%w_]+)_spec%.lua$"
        if not first[spec] then
            list[#list + 1] = spec
        end
    end
    return list
end

-- What a spec needs besides the module itself: goals of make, or nil.
local function need_of(spec)
    local text, goals = read(("spec/%s_spec.lua"):format(spec)), {}
    if text:find "build/faults" or text:find "spec%.held" or text:find "spec%.sequences" then
        goals[#goals + 1] = "faults"
    end
    if text:find "liblunarray" then
        goals[#goals + 1] = "all"
    end
    if text:find "mpi_core" then
        goals[#goals + 1] = "mpi"
    end
    if text:find "has_layer" or text:find "no_zlib" or text:find "build/module" then
        goals[#goals + 1] = "layer"
    end
    return goals[1] and table.concat(goals, " ")
end

-- How the mistake was seen, or nil; and the spec that saw it.
local function try_specs(list, filter, seconds, long)
    for _, spec in ipairs(list) do
        local need = need_of(spec)
        if need and not select(2, build(need)) then
            return "seen by the compiler"
        end
        local ok, which = passes(spec, filter, seconds, long)
        if not ok then
            return ("seen by %s: %s"):format(spec, which), spec
        end
    end
end

-- A spec that fails without a mistake, too, has seen none. Each is looked at once, with a filter and a length.
local sound = {}
local function is_sound(spec, filter, seconds, long)
    local key = ("%s %s %s"):format(spec, filter, long)
    if sound[key] == nil then
        build("build/lunarray/core.so " .. (need_of(spec) or ""))
        sound[key] = (passes(spec, filter, seconds, long))
    end
    return sound[key]
end

local function ending(mutant, options)
    local whole, text = FOLDER .. "/" .. mutant.file, read(mutant.file)
    local at = text:find(mutant.from, 1, true)
    write(PLANTED, mutant.file .. "\n", "ab")
    write(whole, text:sub(1, at - 1) .. mutant.to .. text:sub(at + #mutant.from))
    write(FOLDER .. "/log", ("---- %s\n"):format(mutant.name), "ab")
    local log, built = build("build/lunarray/core.so")
    local result, spec
    local filter, long = mutant.filter, mutant.long
    if not built then
        write(FOLDER .. "/log", log, "ab")
        result = "seen by the compiler"
    else
        result, spec = try_specs(mutant.specs, filter, options.seconds, long)
    end
    if not result and not options.first then
        filter, long = nil, nil
        result, spec = try_specs(mutant.filter and mutant.specs or others(mutant), nil, options.seconds)
    end
    write(whole, text)
    if spec and not is_sound(spec, filter, options.seconds, long) then
        error(("spec/%s_spec.lua fails without a mistake, too: see %s/log"):format(spec, FOLDER), 0)
    end
    return result or "survived"
end

-- ---- all of them --------------------------------------------------------------------------------------------

local USAGE = "usage: lua5.4 tools/mutate.lua [--list] [--only PATTERN] [--first] [--skip FILE] [--seconds N] "
    .. "[--random N] [--seed N] [--part I/N] [--folder PATH]"
local KNOWN = " only skip seconds random seed part folder "

local function read_options()
    local options, at = { seconds = 600, seed = 1 }, 1
    while arg[at] do
        local name = arg[at]:match "^%-%-(%w+)$"
        if name == "list" or name == "first" then
            options[name] = true
        elseif KNOWN:find(" " .. (name or "-") .. " ", 1, true) and arg[at + 1] then
            at = at + 1
            options[name] = tonumber(arg[at]) or arg[at]
        else
            io.stderr:write(USAGE, "\n")
            os.exit(2)
        end
        at = at + 1
    end
    return options
end

local function wanted(options)
    local done, list = {}, {}
    if options.skip then
        for line in io.lines(options.skip) do
            done[line:match "^%w+ +(.-) *|" or ""] = true
        end
    end
    local first, every = tostring(options.part or "1/1"):match "^(%d+)/(%d+)$"
    for place, mutant in ipairs(mutants(options)) do
        local fits = not options.only or mutant.name:find(options.only) or mutant.file:find(options.only)
        if fits and (place - first) % every == 0 and not done[mutant.name] then
            list[#list + 1] = mutant
        end
    end
    return list
end

local function show(kind, mutant, text)
    print(("%-8s %-50s| %-34s| %s"):format(kind, mutant.name, mutant.file, text))
    io.stdout:flush()
end

-- Gives how many of the list ended in each way, and whether one was stale or survived without a mark.
local function run(list, options)
    local counts, bad = { seen = 0, survived = 0, stale = 0 }, false
    for _, mutant in ipairs(list) do
        local result = is_stale(mutant) and "stale" or options.list and "listed" or ending(mutant, options)
        local kind = result:match "^%w+"
        counts[kind] = (counts[kind] or 0) + 1
        bad = bad or kind == "stale" or (kind == "survived" and not mutant.survives)
        local why = kind == "survived" and mutant.survives and "marked: " .. mutant.survives
        show(kind, mutant, why or kind == "listed" and table.concat(mutant.specs, ", ") or result)
    end
    return counts, bad
end

local options = read_options()
local list = wanted(options)
if not options.list then
    copy_tree()
    write(FOLDER .. "/log", "")
    local log, built = build("build/lunarray/core.so")
    assert(built, log)
end
local counts, bad = run(list, options)
local marked, all = 0, mutants(options)
for _, mutant in ipairs(all) do
    marked = marked + (mutant.survives and 1 or 0)
end
print(("%d mistakes: %d seen, %d survived, %d stale; %d of the table's %d may survive"):format(#list, counts.seen,
    counts.survived, counts.stale, marked, #all))
os.exit(not bad and marked <= MOST_MARKED * #all)
