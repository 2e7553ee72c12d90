-- Looks whether the rooms of the source keep to their doors: lua5.4 tools/check_boundaries.lua, from the root.
--
-- Prints a line `ok   <rule>` or `FAIL <rule>` for each rule, and under a failed one what is wrong and where.

local MOST_LINES = 400 -- of a file
-- Of a function, from its first line to its last. A kernel keeps its loop over tiles in one function, whose arrays
-- are the registers.
local MOST_FUNCTION_LINES = { src = 60, lua = 60, octave = 60, kernels = 90 }
local MOST_COLUMNS, MOST_MACRO_LINES = 120, 17 -- of a line, and of a macro, in kernels: templates/ has what is longer
-- A kernel whose passes the host lists as calls of macros; and one whose loop takes the pointers of each layout.
local LONG_MACROS = { "^kernels/fft/fft_gpu", "^kernels/reduce/reduce_gpu" }
local HOSTS = { "src/lua", "src/octave" }

local function files(...)
    local found = {}
    for _, folder in ipairs { ... } do
        local list <close> = io.popen(("find %s -type f 2>/dev/null | LC_ALL=C sort"):format(folder))
        for path in list:lines() do
            found[#found + 1] = path
        end
    end
    return found
end

local function read(path)
    local file <close> = assert(io.open(path, "rb"))
    return file:read("a")
end

local function spaces(text)
    return (text:gsub("[^\n]", " "))
end

-- The end of the comment or literal that begins at `from`, and which of the two it is; nil for a division.
local function span(text, from)
    local opener = text:sub(from, from + 1)
    if opener == "/*" then
        return select(2, text:find("*/", from + 2, true)) or #text, "comment"
    elseif opener == "//" then
        return (text:find("\n", from, true) or #text + 1) - 1, "comment"
    elseif opener:sub(1, 1) == "/" then
        return nil
    end
    local quote, at = opener:sub(1, 1), from + 1
    while at <= #text and text:sub(at, at) ~= quote do
        at = at + (text:sub(at, at) == "\\" and 2 or 1)
    end
    return at, "literal"
end

-- C source with its comments blanked out, and its literals too unless `literals` stay; lines keep their numbers.
local function code(path, literals)
    local text, out, at = read(path), {}, 1
    while true do
        local from = text:find("[/\"']", at)
        if not from then
            break
        end
        out[#out + 1] = text:sub(at, from - 1)
        local to, what = span(text, from)
        local piece = text:sub(from, to or from)
        out[#out + 1] = (not to or what == "literal" and literals) and piece or spaces(piece)
        at = from + #piece
    end
    out[#out + 1] = text:sub(at)
    return table.concat(out)
end

local function lines(text)
    local number = 0
    return coroutine.wrap(function()
        for line in (text .. "\n"):gmatch("(.-)\n") do
            number = number + 1
            coroutine.yield(number, line)
        end
    end)
end

local function is_c(path)
    return path:find("%.[ch]$") or path:find("%.cc$") or path:find("%.def$")
end

local function base(path)
    return path:match("[^/]+$")
end

-- The kernel files that none of the patterns finds.
local function kernels_but(patterns)
    return coroutine.wrap(function()
        for _, path in ipairs(files("kernels")) do
            local found = false
            for _, pattern in ipairs(patterns) do
                found = found or path:find(pattern)
            end
            if not found then
                coroutine.yield(path)
            end
        end
    end)
end

-- Functions that stand at the left margin of C source: name, line, whether static.
local function functions(path)
    return coroutine.wrap(function()
        for number, line in lines(code(path)) do
            local before = line:match("^(%a[%w_ *]*)%(")
            local name = before and before:match("([%w_]+)%s*$")
            if name then
                coroutine.yield(name, number, before:find("%f[%w_]static%f[^%w_]") ~= nil, line)
            end
        end
    end)
end

-- Functions' first lines, and how many lines there are from each to the function's end. The body of a C function, or of
-- a macro that makes one, begins with `{` and ends with `}` at one margin; a Lua function ends with an `end` at the
-- margin of its first line.
local function bodies(path)
    local is_lua = path:find("%.lua$")
    local is_octave = path:find("%.m$")
    local open = {} -- margin -> line where a function began
    local named, before = 0, ""
    return coroutine.wrap(function()
        for number, line in lines((is_lua or is_octave) and read(path) or code(path)) do
            local margin, rest = line:match("^(%s*)(.-)[%s\\]*$")
            if is_lua then
                local closed = rest:find("%f[%w_]end%f[^%w_]")
                if rest:find("%f[%w_]function%f[^%w_][^(]*%(") and not closed then
                    open[margin] = number
                elseif rest:find("^end") and open[margin] then
                    coroutine.yield(open[margin], number - open[margin] + 1)
                    open[margin] = nil
                end
            elseif is_octave then
                if rest:find("^function%f[^%w_]") then
                    open[margin] = number
                elseif rest:find("^endfunction") and open[margin] then
                    coroutine.yield(open[margin], number - open[margin] + 1)
                    open[margin] = nil
                end
            else
                if rest:find("^[%a_#]") and not before:find("[,(]$") then
                    named = number
                end
                if rest == "{" and (before:find("%)$") or before:find("%) const$")) then
                    if margin == "" then
                        open = {} -- a row of a table looked like the beginning of a function
                    end
                    open[margin] = open[margin] or named
                elseif rest == "}" and open[margin] then
                    coroutine.yield(open[margin], number - open[margin] + 1)
                    open[margin] = nil
                end
                before = rest ~= "" and rest or before
            end
        end
    end)
end

-- A file of src/core and its header are one: "flow/queue".
local function unit(path)
    return (path:gsub("^src/core/", ""):gsub("%.%w+$", ""))
end

-- The room of a file of src/core: "flow", "op", or for a file in a folder of op/ that folder.
local function room_of(own)
    return own:match("^(op/[%w_]+)/") or own:match("^([%w_]+)/") or ""
end

-- What each file of src/core needs of others, by an include or by naming a function that they define:
-- needs[unit][other] is the place where it does so, {path, line}. What a macro pastes together, as the tables' rows, is
-- not seen: a table may name what stands on it.
local function dependencies()
    local needs, home = {}, {}
    local sources = files("src/core")
    for _, path in ipairs(sources) do
        needs[unit(path)] = {}
        for name, _, static, line in functions(path) do
            if path:find("%.c$") and not static and not line:find(";%s*$") then
                home[name] = unit(path)
            end
        end
    end
    for _, path in ipairs(sources) do
        local own = needs[unit(path)]
        local function note(other, number)
            if other and other ~= unit(path) and needs[other] then
                own[other] = own[other] or { path, number }
            end
        end
        for number, line in lines(code(path, true)) do
            note(line:match('^%s*#%s*include%s*"([^"]+)%.h"'), number)
        end
        for number, line in lines(path:find("%.c$") and code(path) or "") do
            for name in line:gmatch("[%a_][%w_]*") do
                note(home[name], number)
            end
        end
    end
    return needs
end

-- Tarjan's: calls found(list) for each set of two or more nodes that all lead to one another.
local function circles(needs, found)
    local index, low, on, stack, count = {}, {}, {}, {}, 0
    local function visit(node)
        count = count + 1
        index[node], low[node], on[node] = count, count, true
        stack[#stack + 1] = node
        for other in pairs(needs[node]) do
            if not index[other] then
                visit(other)
                low[node] = math.min(low[node], low[other])
            elseif on[other] then
                low[node] = math.min(low[node], index[other])
            end
        end
        if low[node] == index[node] then
            local list = {}
            repeat
                local top = table.remove(stack)
                on[top] = nil
                list[#list + 1] = top
            until top == node
            if #list > 1 then
                table.sort(list)
                found(list)
            end
        end
    end
    for node in pairs(needs) do
        if not index[node] then
            visit(node)
        end
    end
end

-- Each rule looks at the tree and calls complain(path, line or nil, what).
local rules = {
    {
        "src/core knows no Lua",
        function(complain)
            for _, path in ipairs(files("src/core")) do
                for number, line in lines(code(path, true)) do
                    local header = line:match('^%s*#%s*include%s*[<"](l[%w_]+%.h[p]*)[>"]')
                    if header and (header:find("^lua%.h") or header == "lauxlib.h" or header == "lualib.h") then
                        complain(path, number, "includes " .. header)
                    end
                    local name = line:match("%f[%w_](luaL?_%w+)")
                    if name then
                        complain(path, number, "names " .. name)
                    end
                end
            end
        end,
    },
    {
        "hosts, src/lua and src/octave, call no OpenCL",
        function(complain)
            for _, path in ipairs(files(table.unpack(HOSTS))) do
                for number, line in lines(code(path)) do
                    local name = line:match("%f[%w_](cl[A-Z][%w_]*)")
                    if name then
                        complain(path, number, "names " .. name)
                    end
                end
                for number, line in lines(code(path, true)) do
                    local header = line:match('^%s*#%s*include%s*[<"](%a+CL/[^>"]*)') or
                        line:match('^%s*#%s*include%s*[<"](CL/[^>"]*)')
                    if header then
                        complain(path, number, "includes " .. header)
                    end
                end
            end
        end,
    },
    {
        "hosts see of src/core only lunarray.h, its rows and tables, and nothing of one another",
        function(complain)
            local own, core = {}, {}
            for _, path in ipairs(files(table.unpack(HOSTS))) do
                own[base(path)] = path:match("^src/%w+")
            end
            for _, path in ipairs(files("src/core")) do
                core[base(path)] = true
            end
            for _, path in ipairs(files(table.unpack(HOSTS))) do
                for number, line in lines(code(path, true)) do
                    local header = line:match('^%s*#%s*include%s*"([^"]+)"')
                    local home = header and own[base(header)]
                    if home and home ~= path:match("^src/%w+") and not core[base(header)] then
                        complain(path, number, "includes " .. header)
                    elseif header and base(header) ~= "lunarray.h" and not header:find("%.def$") and
                        header ~= "api/functions.h" and header ~= "api/reductions.h" and
                        core[base(header)] and (not home or header:find("/core/", 1, true)) then
                        complain(path, number, "includes " .. header)
                    end
                end
            end
        end,
    },
    {
        "only src/core/op/plan.c enqueues kernels",
        function(complain)
            for _, path in ipairs(files("src")) do
                if path ~= "src/core/op/plan.c" then
                    for number, line in lines(code(path)) do
                        local name = line:match("%f[%w_]clEnqueueNDRangeKernel%f[^%w_]") or
                            line:match("%f[%w_]clEnqueueTask%f[^%w_]")
                        if name then
                            complain(path, number, "names " .. name)
                        end
                    end
                end
            end
        end,
    },
    {
        "only src/core/device makes contexts, queues, buffers and programs (device/context.h)",
        function(complain)
            local made = { clCreateContext = true, clCreateCommandQueue = true, clCreateBuffer = true,
                clCreateProgramWithSource = true, clBuildProgram = true }
            for _, path in ipairs(files("src")) do
                if not path:find("^src/core/device/") then
                    for number, line in lines(code(path)) do
                        for name in line:gmatch("%f[%w_]cl%u%w+") do
                            if made[name] then
                                complain(path, number, "names " .. name)
                            end
                        end
                    end
                end
            end
        end,
    },
    {
        "what src/core exports stands in src/core/api, the parts of lunarray.h, and the other way round",
        function(complain)
            local declared, defined = {}, {}
            for _, header in ipairs(files("src/core/api")) do
                for number, line in lines(code(header)) do
                    local defined_there = line:find("^static inline ")
                    for name in line:gmatch("%f[%w_](lun_[%w_]+)%s*%(") do
                        declared[name] = not defined_there and { header, number } or nil
                    end
                end
            end
            for _, path in ipairs(files("src/core")) do
                if path:find("%.c$") then
                    for name, number, static, line in functions(path) do
                        local is_export = name:find("^lun_") and not static and not line:find(";%s*$")
                        if is_export then
                            defined[name] = true
                            if not declared[name] then
                                complain(path, number, name .. " is declared nowhere in src/core/api")
                            end
                        end
                    end
                end
            end
            for name, place in pairs(declared) do
                if not defined[name] then
                    complain(place[1], place[2], name .. " is defined nowhere in src/core")
                end
            end
        end,
    },
    {
        "the rooms of src/core include one another one way",
        function(complain)
            -- Each room may include those before it, and the operations of op/ nothing of one another.
            local order = { base = 1, device = 2, flow = 3, memory = 4, graph = 5, op = 6, call = 7,
                ["op/expression"] = 8, ["op/*"] = 9, transfer = 10, user = 11, packages = 12 }
            local function room(path)
                local within = path:match("^(op/[%w_]+)/")
                return order[within or ""] and within or within and "op/*" or path:match("^([%w_]+)/")
            end
            for _, path in ipairs(files("src/core")) do
                local own = path:match("^src/core/(.*)")
                for number, line in lines(code(path, true)) do
                    local header = line:match('^%s*#%s*include%s*"([^"]+%.h)"')
                    local from, to = order[room(own) or ""], header and order[room(header) or ""]
                    local sibling = to == order["op/*"] and header:match("^op/[%w_]+/") ~= own:match("^op/[%w_]+/")
                    if from and to and (from < to or from == to and sibling) then
                        complain(path, number, "includes " .. header)
                    end
                end
            end
        end,
    },
    {
        "no file of src/core stands in a circle with a file of another room",
        function(complain)
            local needs = dependencies()
            circles(needs, function(list)
                local within = {}
                for _, each in ipairs(list) do
                    within[each] = true
                end
                for _, each in ipairs(list) do
                    for other, place in pairs(needs[each]) do
                        if within[other] and room_of(other) ~= room_of(each) then
                            complain(place[1], place[2], ("needs %s, which needs it, perhaps by way of others (%s)")
                                :format(other, table.concat(list, ", ")))
                        end
                    end
                end
            end)
        end,
    },
    {
        "packages, gravity and files, stand on lunarray.h, call/interface.h and base/ alone",
        function(complain)
            for _, path in ipairs(files("src/core/packages")) do
                local own = path:match("^src/core/(packages/[%w_]+/)")
                for number, line in lines(code(path, true)) do
                    local header = line:match('^%s*#%s*include%s*"([^"]+)"')
                    if header and header ~= "call/interface.h" and header:sub(1, #own) ~= own and
                        not header:find("^abi/") and not header:find("^base/") and header ~= "lunarray.h" and
                        header ~= "api/functions.h" then -- a part of lunarray.h
                        complain(path, number, "includes " .. header)
                    end
                end
            end
        end,
    },
    {
        "a header *_room.h is included from its own folder only",
        function(complain)
            for _, path in ipairs(files("src/core")) do
                local own = path:match("^src/core/(.*)/[^/]+$")
                for number, line in lines(code(path, true)) do
                    local header = line:match('^%s*#%s*include%s*[<"]([^">]+_room%.h)[">]')
                    -- An include without a folder finds the file beside its own.
                    if header and (header:match("^(.*)/[^/]+$") or own) ~= own then
                        complain(path, number, "includes " .. header)
                    end
                end
            end
        end,
    },
    {
        "kernels have no variadic macros, which NVIDIA's compiler refuses",
        function(complain)
            for _, path in ipairs(files("kernels")) do
                for number, line in lines(code(path)) do
                    local names_all = line:find("#define", 1, true) and line:find("...", 1, true)
                    if names_all or line:find("__VA_ARGS__", 1, true) then
                        complain(path, number, "a variadic macro")
                    end
                end
            end
        end,
    },
    {
        ("no line of a kernel is longer than %d columns"):format(MOST_COLUMNS),
        function(complain)
            for path in kernels_but {} do
                for number, line in lines(read(path)) do
                    if #line > MOST_COLUMNS then
                        complain(path, number, #line .. " columns")
                    end
                end
            end
        end,
    },
    {
        ("no macro of a kernel is longer than %d lines"):format(MOST_MACRO_LINES),
        function(complain)
            for path in kernels_but(LONG_MACROS) do
                local count = 1
                for number, line in lines(read(path)) do
                    count = line:find "\\$" and count + 1 or 1
                    if count == MOST_MACRO_LINES + 1 then
                        complain(path, number, "a longer macro")
                    end
                end
            end
        end,
    },
    {
        ("no file is longer than %d lines"):format(MOST_LINES),
        function(complain)
            for _, path in ipairs(files("src", "lua", "octave", "kernels")) do
                local count = select(2, read(path):gsub("\n", ""))
                if count > MOST_LINES then
                    complain(path, nil, count .. " lines")
                end
            end
        end,
    },
    {
        "no function is longer than 60 lines, in kernels 90",
        function(complain)
            for folder, most in pairs(MOST_FUNCTION_LINES) do
                for _, path in ipairs(files(folder)) do
                    for number, count in bodies(path) do
                        if count > most then
                            complain(path, number, count .. " lines")
                        end
                    end
                end
            end
        end,
    },
    {
        "each file begins by saying its subject",
        function(complain)
            for _, path in ipairs(files("src", "lua", "octave", "kernels")) do
                local opener = path:find("%.lua$") and "^%-%-" or path:find("%.m$") and "^##" or
                    (is_c(path) or path:find("%.cl$")) and "^/[/*]"
                if opener and not read(path):find(opener) then
                    complain(path, 1, "no comment")
                end
            end
        end,
    },
    {
        "kernels are <operation>_<variant>.cl, but for what they share in parts, templates and abi",
        function(complain)
            local shared = { parts = true, templates = true, abi = true }
            for _, path in ipairs(files("kernels")) do
                local name = base(path):match "^[a-z][a-z0-9]*_[a-z0-9_]*[a-z0-9]%.cl$"
                if not name and not shared[path:match "^kernels/(%l+)/"] then
                    complain(path, nil, "is named otherwise")
                end
            end
        end,
    },
}

local failed = false
for _, rule in ipairs(rules) do
    local complaints = {}
    rule[2](function(path, line, what)
        complaints[#complaints + 1] = ("     %s:%s %s"):format(path, line and line .. ":" or "", what)
    end)
    table.sort(complaints)
    print((#complaints == 0 and "ok   " or "FAIL ") .. rule[1])
    if #complaints > 0 then
        print(table.concat(complaints, "\n"))
        failed = true
    end
end
os.exit(not failed)
