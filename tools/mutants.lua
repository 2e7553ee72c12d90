-- Mistakes that nobody chose, for tools/mutate.lua: places in the product's rooms, drawn by a seed, each with one of
-- the changes below.

-- A room has the files of the folders of its name, and those that begin as `also` says; the first room that fits has a
-- file. Its specs are those that should see its mistakes, the likeliest first, by their names anywhere below spec/; one
-- with a dot or an @ is of Octave's tests. Rooms of operations have the contract's besides.
local ROOMS = {
    { "fft", also = "kernels/parts/fft kernels/templates/fft kernels/templates/convolve",
        specs = "fft dct stft signal convolve fft_long variants" },
    { "linalg", also = "kernels/parts/schur kernels/parts/panel kernels/parts/reflection lua/lunarray/linalg "
        .. "lua/lunarray/least", specs = "linalg qr matrices factors lstsq svd eigh eig complex_linalg complex_eigen "
        .. "matrix_views kinds variants" },
    { "sparse", also = "kernels/parts/csr kernels/templates/csr src/core/op/solver lua/lunarray/sparse "
        .. "lua/lunarray/incomplete lua/lunarray/matrix_market",
        specs = "sparse sparse_words sparse_solve solvers solvers_misuse matrix_market" },
    { "signal", specs = "filter spectrum label spline" },
    { "statistic", specs = "statistic moments series" },
    { "product", specs = "products matmul" },
    { "index", also = "kernels/parts/index kernels/parts/verdict kernels/templates/add kernels/templates/index "
        .. "kernels/templates/mask", specs = "index places rows verdict sets" },
    { "sort", also = "kernels/parts/bins kernels/parts/radix kernels/parts/which kernels/parts/select "
        .. "kernels/parts/order kernels/parts/rank kernels/parts/size kernels/templates/count",
        specs = "sort count sets order statistic variants" },
    { "make", also = "kernels/parts/random kernels/parts/philox", specs = "array rng random series variants" },
    { "move", specs = "arrange view copy transpose axes axis arrange_misuse series dtype variants" },
    { "fold", also = "kernels/parts/fold kernels/parts/fused kernels/parts/segments kernels/parts/next",
        specs = "fold segments own fuse_middle moments scan reduce extremes complex dot" },
    { "reduce", also = "kernels/parts/reduce", specs = "reduce extremes reproducible fold dot complex variants" },
    { "scan", also = "kernels/parts/scan kernels/parts/group kernels/parts/warp", specs = "scan extremes variants" },
    { "matmul", also = "kernels/parts/matmul kernels/templates/matmul", specs = "matmul complex products variants" },
    { "nbody", also = "kernels/parts/nbody kernels/parts/tree kernels/parts/field kernels/templates/nbody",
        specs = "nbody force nbody_options simulation integrators tree nbody_batch misuse variants" },
    { "expression", also = "src/core/op/map/ kernels/map/ kernels/parts/ kernels/templates/",
        specs = "arithmetic map complex complex_functions complex_inverses hosted order fuse fuse_reads "
        .. "further_functions bool nearness accuracy annex again complex_texts dtype variants" },
    { "fuse", also = "src/core/graph/ src/core/op/trace/ src/core/call/traced lua/lunarray/fuse", specs = "fuse "
        .. "fuse_refusals fuse_middle fuse_reads fuse_programs complex_fuse", small = true },
    { "call", specs = "misuse strict error arrange_misuse array axis module core index sort" },
    { "op", specs = "misuse strict queue device error arrange_misuse array axis ordering companion arithmetic lifetime "
        .. "module hazard core products fft index" },
    { "base", specs = "core dtype names error complex array locale view copy arithmetic misuse" },
    { "flow", specs = "queue event ordering failure verdict index fault scope thread layer" },
    { "memory", specs = "memory view arrange lifetime hazard host text transfer ordering queue failure axes core "
        .. "companion pressure" },
    { "device", specs = "device companion builtins names profile trace queue program module thread", small = true },
    { "transfer", specs = "npy npz output text transfer convert array plot host devices companion", small = true },
    { "files", specs = "npy npz output text convert plot", small = true },
    { "prepare", also = "lua/lunarray/prepare", specs = "prepare", small = true },
    { "user", also = "kernels/check/", specs = "kernel program check names range kernel_call complex_texts own map",
        small = true },
    { "lua", specs = "device event convert host trace misuse unknown strict queue error array kernel program modules "
        .. "module memory index rng scope simulation text transfer", small = true },
    { "simulation", also = "lua/lunarray/simulation lua/lunarray/collide lua/lunarray/snapshot lua/lunarray/force",
        specs = "simulation snapshot collide devices force strict", small = true },
    { "mpi", also = "lua/lunarray/mpi", specs = "mpi hosts", small = true },
    { "octave", also = "octave/inst/", specs = "index.tst messages.tst methods.tst program.tst makers.tst complex.tst "
        .. "factors.tst save.tst @lunarray gpuDevice.m wait.m operators.tst rules.tst random.tst", small = true },
    { "script", also = "lua/lunarray/", specs = "plot profile trace examples locale", small = true },
}

-- Without LUNARRAY_LONG the specs leave out most of what other kinds of device run.
local OTHER_DEVICES = { "_gpu", "gpu_", "pivot%.", "_columns", "_finish" }
-- Nothing to see: only the rate, annotations, other makers' devices, tests.
local LEFT = { "nvidia", "tuning", "tell%.cl", "/meta", "%.tst$" }
local RATE = { "tuned", "weigh", "work", "cost", "least_rows", "MOST", "static const", "unroll", "prefetch",
    "createtable", "checkstack" }

-- A change is a pattern that captures where what it changes begins and ends, and what comes in its place: a text, or a
-- function of the old one that gives it, or nil where it does not fit.
local function raised(number)
    local whole = math.tointeger(tonumber(number:match "^%d+")) -- nil: it has too many digits
    return whole and ("%d%s"):format(whole + 1, number:match "^%d+(.*)$")
end

local function swapped(first_and_second)
    local first, between, second = first_and_second:match "^(.-)(%s*[,:]%s*)(.*)$"
    return first ~= second and first ~= "L" and second .. between .. first or nil
end

local BOTH = {
    { " ()<() ", "<=" }, { " ()<=() ", "<" }, { " ()>() ", ">=" }, { " ()>=() ", ">" },
    { "[%w)%]]() [+-] 1()%f[^%w.]", "" }, { "[%w)%]] ()%+() [%w(]", "-" }, { "[%w)%]] ()%-() [%w(]", "+" },
    { "[%w)%]] ()%*() [%w(]", "+" }, { "[%w)%]] ()/() [%w(]", "*" }, { "[=(,] ()%-()[%w(]", "" },
    { "%f[%w_]()true()%f[^%w_]", "false" }, { "%f[%w_]()false()%f[^%w_]", "true" },
    { "[%s(%[]()%d+%.?%d*()[%s,;)%]]", raised }, { "%f[%w_]()axis()%f[^%w_]", "axis + 1" },
    { "[(,]%s*()[%w_.]+,%s+[%w_.]+()[,)]", swapped },
}
local C = {
    { " ()==() ", "!=" }, { " ()!=() ", "==" }, { " ()&&() ", "||" }, { " ()||() ", "&&" }, { "[%s(]()!()[%w(]", "" },
    { "() | [%w_]+()", "" }, { " ()%%() ", "*" }, { " ()<<() ", ">>" }, { " ()[+-]=() ", "=" },
    { "%f[%w]if ()%b()()", "(false)" }, { "%? ()[%w_.%[%]>-]+ : [%w_.%[%]>-]+()", swapped },
    { "[{ ]()%.[%l_]+ = [%w_.>-]+, ()", "" }, { "^%s*()[%a_][%w_.>-]*%b();()%s*$", ";" },
    { "^%s*()[*%w_.>%[%]-]+ [^ =<>!]?= [^{]*;()%s*$", ";" }, { "^%s*()break;()", ";" },
    { "%f[%w]()continue;()", ";" }, { "%f[%w]()larger()%(", "smaller" }, { "%f[%w]()smaller()%(", "larger" },
    { "%f[%w]()min()%(", "max" }, { "%f[%w]()max()%(", "min" }, { "%f[%w_]()f?abs()%(", "" },
    { "%f[%w_]()conj%w*()%f[^%w_(]", function(old) return "!" .. old end },
    { "%f[%w_]()LUN_f32()%f[^%w_]", "LUN_f64" }, { "%f[%w_]()LUN_f64()%f[^%w_]", "LUN_f32" },
    { "%.()x()%f[^%w_]", "y" }, { "%.()y()%f[^%w_]", "x" },
}
local LUA = {
    { " ()==() ", "~=" }, { " ()~=() ", "==" }, { " ()and() ", "or" }, { " ()or() ", "and" }, { "()not ()%w", "" },
    { "() or [%w_.]+()", "" }, { "%f[%w]if ().+() then", "false" }, { "() <close>()", "" }, { "():copy%(%)()", "" },
    { "^%s*()[%a_][%w_.:]*%b()()$", "" }, { "^%s*()[%w_.%[%]]+ = [^{]*()$", "" },
}

local function matches_any(text, patterns)
    for _, pattern in ipairs(patterns) do
        if text:find(pattern) then
            return true
        end
    end
    return false
end

local function read(path)
    local file <close> = assert(io.open(path, "rb"))
    return assert(file:read "a")
end

-- The text with each comment, and each letter of a string, as so many others that no change fits. What .def files quote
-- is code.
local function masked(text, path)
    local comment = path:find "%.lua$" and "^%-%-[^\n]*" or path:find "%.m$" and "^[#%%][^\n]*" or "^//[^\n]*"
    local parts, at = {}, 1
    while at <= #text do
        local from = text:find('["/#%%-]', at) or #text + 1
        local hidden = text:match(comment, from) or not path:find "%.lua$" and text:match("^/%*.-%*/", from)
            or not path:find "%.def$" and (text:match('^"[^"\\\n]*"', from) or text:match('^"[^\n]-[^\\]"', from))
        parts[#parts + 1] = text:sub(at, from - 1)
        parts[#parts + 1] = hidden and hidden:gsub("[^\n]", "\1") or text:sub(from, from)
        at = from + math.max(1, #(hidden or ""))
    end
    return table.concat(parts)
end

-- Is there nothing to change: heads of functions, declarations, what is for the preprocessor alone?
local function is_left(line)
    return line:find "^%s*#%s*[iepul]" or line:find "^%s*#define [%w_]+ " or line:find "^%a[^=]*[,)]$"
        or line:find "^%s*[%w_]+ [%w_]+%[[^=]*;" or matches_any(line, RATE)
end

-- Adds all that may be changed in a file: its path, where that begins and ends, and what comes in its place.
local function add_places(places, path)
    local at, text = 1, read(path)
    for line in (masked(text, path) .. "\n"):gmatch "(.-)\n" do
        for _, changes in ipairs(is_left(line) and {} or { BOTH, path:find "%.lua$" and LUA or C }) do
            for _, change in ipairs(changes) do
                local _, last, from, to = line:find(change[1])
                while last do
                    local new = change[2]
                    if type(new) == "function" then
                        new = new(line:sub(from, to - 1))
                    end
                    places[#places + 1] = new and { path, at + from - 1, at + to - 2, new }
                    _, last, from, to = line:find(change[1], math.max(last, to))
                    last = not change[1]:find "^^" and last
                end
            end
        end
        at = at + #line + 1
    end
end

local function room_of(path)
    for _, room in ipairs(ROOMS) do
        local fits = path:find("/" .. room[1] .. "/", 1, true)
        for prefix in (room.also or ""):gmatch "%S+" do
            fits = fits or path:sub(1, #prefix) == prefix
        end
        if fits then
            return room
        end
    end
end

-- The places of those rooms, by their names.
local function all_places(wanted)
    local places, paths = {}, {}
    local pipe <close> = assert(io.popen "git ls-files src kernels lua octave/inst")
    for path in pipe:lines() do
        local left = matches_any(path, LEFT) or not os.getenv "LUNARRAY_LONG" and matches_any(path, OTHER_DEVICES)
        if path:find "%.[cldm][lcue]?[af]?$" and not left then
            paths[#paths + 1] = path
        end
    end
    table.sort(paths)
    for _, path in ipairs(paths) do
        local own = assert(room_of(path), path)[1]
        places[own] = places[own] or {}
        if wanted[own] then
            add_places(places[own], path)
        end
    end
    return places
end

-- A mistake: its name, its file, that file's text with it, and the specs that should see it; nil where it is no Lua.
local function mistake(room, place)
    local path, from, to, new = table.unpack(place)
    local text, lines = read(path), {}
    local with = text:sub(1, from - 1) .. new .. text:sub(to + 1)
    if path:find "%.lua$" and not load(with) then
        return nil
    end
    local begins, ends = text:sub(1, from - 1):match "()[^\n]*$", text:find("\n", to, true) or #text
    for i, line in ipairs { text:sub(begins, ends - 1), with:sub(begins, ends - 1 + #with - #text) } do
        lines[i] = line:gsub("%s+", " "):match "^ ?(.*)$"
    end
    local _, before = text:sub(1, from):gsub("\n", "")
    local specs = {}
    for spec in (room.specs .. (room.small and "" or " contract contract_functions")):gmatch "%S+" do
        specs[#specs + 1] = spec
    end
    return { name = ("%s:%d: %s => %s"):format(path, before + 1, lines[1], lines[2]), file = path, text = with,
        specs = specs }
end

-- `count` mistakes of the rooms that a text names, or of all, by turns. The same seed draws the same of the same tree.
return function(names, seed, count)
    local all, turns, wanted = {}, {}, {}
    for i, room in ipairs(ROOMS) do
        all[i] = room[1]
    end
    all = table.concat(all, " ")
    for name in (names or all):gmatch "%S+" do
        assert((" " .. all .. " "):find(" " .. name .. " ", 1, true),
            ("there is no room %s; rooms: %s"):format(name, all))
        wanted[name] = true
    end
    for _, room in ipairs(ROOMS) do
        turns[#turns + 1] = wanted[room[1]] and room or nil
    end
    local list, taken, places = {}, {}, all_places(wanted)
    math.randomseed(seed)
    for turn = seed, math.huge do
        if #list == count then
            return list
        end
        local room = turns[turn % #turns + 1]
        local place = places[room[1]][math.random(#places[room[1]])]
        list[#list + 1] = not taken[place] and mistake(room, place) or nil
        taken[place] = true
    end
end
