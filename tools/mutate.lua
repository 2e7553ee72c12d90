-- Plants mistakes in a copy of the tree, one at a time, and tells which spec sees each: lua5.4 tools/mutate.lua, from
-- the root.
--
--   --room NAMES    the rooms whose mistakes tools/mutants.lua draws by turns; without it all
--   --seed N        which ones (1); --count N how many (20)
--   --list          shows the mistakes; builds and runs nothing
--   --only PATTERN  those alone whose name has the Lua pattern
--   --part I/N      every N-th mistake alone, from the I-th on
--   --folder PATH   plants in another copy than build/mutate, so that several may run at once
--   --seconds N     how long one run of a spec may take (300); a spec that does not end has seen the mistake
--
-- A line for each tells how it ended: `seen`, by a spec; `refused`, by the compiler; `survived`. The last line has the
-- share that was seen of those that compile. The status is 0 unless something else went wrong.

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

-- ---- what is asked for --------------------------------------------------------------------------------------

local USAGE = "usage: lua5.4 tools/mutate.lua [--room NAMES] [--seed N] [--count N] [--list] [--only PATTERN] "
    .. "[--part I/N] [--folder PATH] [--seconds N]"
local options = { seconds = 300, seed = 1, count = 20, part = "1/1", folder = "build/mutate", only = "" }
local at = 1
while arg[at] do
    local name = arg[at]:match "^%-%-(%w+)$"
    if name == "list" then
        options.list = true
    elseif (options[name or ""] or name == "room") and arg[at + 1] then
        at = at + 1
        options[name] = tonumber(arg[at]) or arg[at]
    else
        io.stderr:write(USAGE, "\n")
        os.exit(2)
    end
    at = at + 1
end
local FOLDER = options.folder

local function wanted()
    local list = {}
    local first, every = options.part:match "^(%d+)/(%d+)$"
    for place, mutant in ipairs(dofile "tools/mutants.lua"(options.room, options.seed, options.count)) do
        if (place - first) % every == 0 and mutant.name:find(options.only) then
            list[#list + 1] = mutant
        end
    end
    return list
end

-- ---- the copy -----------------------------------------------------------------------------------------------

local function exists(path)
    local file = io.open(path)
    return file and file:close()
end

-- Copies what differs, as new: what is built of anything else is stale, and what is built of the rest stays.
local function copy_tree()
    assert(os.execute("mkdir -p " .. FOLDER))
    local there, list = {}, {}
    for path in output_of("git ls-files -z -co --exclude-standard"):gmatch "%Z+" do
        there[path] = exists(path)
        local copy = FOLDER .. "/" .. path
        if there[path] and not (exists(copy) and read(copy) == read(path)) then
            list[#list + 1] = path .. "\n"
        end
    end
    write(FOLDER .. "/log", table.concat(list))
    assert(os.execute(("tar -cf - -T %s/log | tar -xmf - -C %s"):format(FOLDER, FOLDER)))
    for path in output_of(("cd %s && find * -path build -prune -o -type f -print0"):format(FOLDER)):gmatch "%Z+" do
        if not there[path] then
            os.remove(FOLDER .. "/" .. path) -- make builds all that it finds
        end
    end
end

-- Warnings are no errors here: a spec is to see what a compiler might.
local CFLAGS = os.getenv "CFLAGS" or "-O1"
local function build(goals)
    local log, built = output_of(("cd %s && make CFLAGS=%s CXXFLAGS=-O0 WERROR= %s 2>&1"):format(FOLDER, CFLAGS, goals))
    if not built then
        write(FOLDER .. "/log", log, "ab")
    end
    return built, log
end

-- ---- specs --------------------------------------------------------------------------------------------------

local busted = (os.getenv "BUSTED" or output_of "LUA= tools/setup.sh find busted"):gsub("%s+$", "")

local function is_octave(spec)
    return spec:find "[.@]"
end

local function path_of(spec)
    local path = output_of(("find spec -name %s_spec.lua"):format(spec)):match "[^\n]+"
    return path or error(("there is no %s_spec.lua below spec/"):format(spec), 0)
end

-- What a spec needs besides the module itself: goals of make.
local function goals_of(spec)
    if is_octave(spec) then
        return "octave"
    end
    return "build/lunarray/core.so " .. output_of("tools/spec_goals.sh " .. path_of(spec)):gsub("%s+", " ")
end

-- Did any spec run, by what busted says? It is fine that all of a file are pending.
local function have_run(text)
    local succeeded, waits = ("\n" .. text):match "\n(%d+) success%a* / %d+ failures? / %d+ errors? / (%d+) pending"
    return succeeded and (succeeded ~= "0" or waits ~= "0")
end

local function run(command, spec)
    local text, ok, _, status = output_of(("cd %s && env -u LUA_PATH_5_4 -u LUA_CPATH_5_4 %s 2>&1 </dev/null")
        :format(FOLDER, command))
    write(FOLDER .. "/log", ("%s:\n%s\n"):format(spec, text), "ab")
    return ok, text, status == 124 and "it did not end"
end

-- Does this spec pass? Gives the name of the first that did not, too.
local function passes(spec)
    local limit = ("timeout -k 5 %d "):format(options.seconds)
    if is_octave(spec) then
        -- By what it says: the driver may crash where Octave ends while it compiles.
        local _, text, why = run(("ONLY=%s OCTAVE_HISTFILE=build/history %s octave-cli --norc --quiet "
            .. "--path build/octave --path octave/inst tools/octave_tests.m tree"):format(spec, limit), spec)
        return text:find "octave: [1-9]%d* passed, 0 failed",
            why or (text:match "%*%*%*%*%* ([^\n]*\n? *[^\n]*)" or "?"):gsub("\n *", " ")
    end
    local ok, text, why = run(("LUNARRAY_ALL=1 LUA_PATH=%s LUA_CPATH=%s %s %s --cpath=./build/?.so --no-keep-going "
        .. "--output=plainTerminal %s"):format(quote "./lua/?.lua;./lua/?/init.lua;;", quote "./build/?.so;;", limit,
        busted, path_of(spec)), spec)
    if ok and not have_run(text) then
        error(("%s has no specs"):format(path_of(spec)), 0)
    end
    return ok, why or text:match("\n[FE][ar][ir][lo][u%w]* → [^\n]*\n([^\n]*)")
        or text:match("\n[FE]%w+ %-> [^\n]*\n([^\n]*)") or "?"
end

-- ---- one mistake --------------------------------------------------------------------------------------------

-- How a mistake ended: a word, which spec told it, and how.
local function try_specs(list)
    local built
    for _, spec in ipairs(list) do
        local goals = goals_of(spec)
        if goals ~= built and not build(goals) then
            return "refused"
        end
        built = goals
        local ok, which = passes(spec)
        if not ok then
            return "seen", spec, which
        end
    end
    return "survived"
end

-- A spec that fails without a mistake, too, has seen none. Each is looked at once.
local sound = {}
local function is_sound(spec)
    if sound[spec] == nil then
        sound[spec] = build(goals_of(spec)) and passes(spec) or false
    end
    return sound[spec]
end

local function ending(mutant)
    local whole = FOLDER .. "/" .. mutant.file
    local text = read(whole) -- the tree's own file may have changed since
    write(whole, mutant.text)
    write(FOLDER .. "/log", ("---- %s\n"):format(mutant.name), "ab")
    local result, spec, which = try_specs(mutant.specs)
    write(whole, text)
    if spec and not is_sound(spec) then
        error(("%s fails without a mistake, too: see %s/log"):format(spec, FOLDER), 0)
    end
    return result, spec and ("by %s: %s"):format(spec, which) or ""
end

-- ---- all of them --------------------------------------------------------------------------------------------

local counts = { seen = 0, survived = 0, refused = 0, listed = 0 }
local list = wanted()
if not options.list then
    copy_tree()
    local built, log = build "build/lunarray/core.so"
    assert(built, log)
end
for _, mutant in ipairs(list) do
    local result, how = "listed", table.concat(mutant.specs, " ")
    if not options.list then
        result, how = ending(mutant)
    end
    counts[result] = counts[result] + 1
    print(("%-8s %s | %s"):format(result, mutant.name, how))
    io.stdout:flush()
end
local tried = counts.seen + counts.survived
print(("%d mistakes: %d seen, %d survived, %d the compiler refused; seen: %.0f in 100"):format(#list, counts.seen,
    counts.survived, counts.refused, tried > 0 and 100 * counts.seen / tried or 100))
