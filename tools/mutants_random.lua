-- Mistakes that nobody chose: lines of the rooms younger than gravity, drawn by a seed, each with one of the changes
-- below.
-- tools/mutate.lua --random COUNT --seed N plants them.

local rooms = {
    { specs = "fft dct stft signal convolve variants", "src/core/op/fft/", "kernels/fft/", "kernels/parts/fft" },
    { specs = "linalg qr lstsq svd eigh eig matrices factors complex_linalg complex_eigen matrix_views variants",
        "src/core/op/linalg/", "kernels/linalg/", "lua/lunarray/linalg.lua", "lua/lunarray/least_squares.lua" },
    { specs = "sparse sparse_words sparse_solve solvers matrix_market", "src/core/op/sparse/", "kernels/sparse/",
        "kernels/parts/csr", "lua/lunarray/sparse", "lua/lunarray/cg.lua", "lua/lunarray/gmres.lua",
        "lua/lunarray/bicgstab.lua", "lua/lunarray/iterative.lua", "lua/lunarray/incomplete.lua" },
    { specs = "statistic moments series", "src/core/op/statistic/" },
    { specs = "products", "src/core/op/product/" },
    { specs = "map arithmetic nearness further_functions", "src/core/op/compose", "src/core/op/map/word_calls.c" },
    { specs = "places sets index", "src/core/op/index/places", "src/core/op/index/insert", "kernels/index/places",
        "src/core/op/sort/unique_calls.c", "src/core/op/sort/search_calls.c" },
}

-- Not on this machine's device, or only the rate: no spec can see a mistake there.
local LEFT = { "_gpu", "gpu_", "nvidia", "tuning", "tell%.cl", "pivot%.", "_columns", "_finish" }
local RATE = { "tuned", "weigh", "work", "cost", "least_rows", "MOST", "static const", "unroll", "prefetch" }

-- What one changes: a pattern with the text in its first capture, and what comes in its place.
local C = {
    { "%w( < )[%w(]", " <= " }, { "%w( <= )[%w(]", " < " }, { "%w( > )[%w(]", " >= " }, { "%w( >= )[%w(]", " > " },
    { "[%w)%]]( %+ 1)%f[^%w.]", "" }, { "[%w)%]]( %- 1)%f[^%w.]", "" }, { "[%w)%]]( %+ )[%w(]", " - " },
    { "[%w)%]]( %- )[%w(]", " + " }, { "[%w)%]]( %* )[%w(]", " + " }, { " (==) ", "!=" }, { " (!=) ", "==" },
    { " (&&) ", "||" }, { " (||) ", "&&" }, { "%f[%w](true)%f[%W]", "false" }, { "%f[%w](false)%f[%W]", "true" },
    { "= (0);", "1" }, { "^(%s*TRY%(.*%);)$", "" }, { "^(%s*barrier%(.*%);)$", "" }, { "%f[%w](larger)%(", "smaller" },
    { "%f[%w](smaller)%(", "larger" }, { "[=(,] (%-)[%w(]", "" }, { "%f[%w_](conj%w*)%f[^%w_(]", "!%1" },
    { "%f[%w_](LUN_f32)%f[%W]", "LUN_f64" }, { "%f[%w_](LUN_f64)%f[%W]", "LUN_f32" },
    { "(axis)%f[^%w_]", "axis + 1" }, { "^(%s*%w[%w_.>%[%]-]* [+*-]?= .*;)$", ";" },
}
local LUA = {
    { "%w( < )[%w(]", " <= " }, { "%w( <= )[%w(]", " < " }, { "[%w)%]]( %+ 1)%f[^%w.]", "" },
    { "[%w)%]]( %- 1)%f[^%w.]", "" }, { "[%w)%]]( %+ )[%w(]", " - " }, { "[%w)%]]( %- )[%w(]", " + " },
    { "[%w)%]]( %* )[%w(]", " + " }, { " (==) ", "~=" }, { " (~=) ", "==" }, { " (and) ", "or" }, { " (or) ", "and" },
    { "%f[%w](true)%f[%W]", "false" }, { "%f[%w](false)%f[%W]", "true" }, { " (not )%w", "" },
}

local function matches_any(text, patterns)
    for _, pattern in ipairs(patterns) do
        if text:find(pattern) then
            return true
        end
    end
    return false
end

local function occurrences(text, part)
    local count, at = 0, text:find(part, 1, true)
    while at do
        count, at = count + 1, text:find(part, at + 1, true)
    end
    return count
end

-- The files of a room with their lines, of which comments, declarations and the preprocessor's are left out.
local function files_of(room)
    local list = {}
    local pipe <close> = assert(io.popen "git ls-files src kernels lua")
    for path in pipe:lines() do
        for _, prefix in ipairs(room) do
            if path:sub(1, #prefix) == prefix and path:find "%.[cl]u?a?l?$" and not matches_any(path, LEFT) then
                local file <close> = assert(io.open(path))
                list[#list + 1] = { path = path, text = file:read "a" }
                break
            end
        end
    end
    return list
end

local function places_of(file)
    local places, comment = {}, false
    local changes = file.path:find "%.lua$" and LUA or C
    for line in file.text:gmatch "[^\n]+" do
        local begins = line:find "^%s*/%*" or line:find "^%s*%-%-"
        local skip = comment or begins or line:find "^%s*#" or line:find "^%a.*%)$" or line:find "^%a.*,$"
            or line:find '"' or matches_any(line, RATE)
        comment = (comment or line:find "^%s*/%*") and not line:find "%*/"
        if not skip then
            for _, change in ipairs(changes) do
                local from, to, capture = line:find(change[1])
                local at = from and line:find(capture, from, true)
                if at and to and occurrences(file.text, line .. "\n") == 1 then
                    local new = change[2]:gsub("%%1", capture)
                    places[#places + 1] = { line, line:sub(1, at - 1) .. new .. line:sub(at + #capture) }
                end
            end
        end
    end
    return places
end

-- `count` mistakes as groups of tools/mutants.lua, of all rooms by turns.
return function(count, seed)
    math.randomseed(seed)
    local groups, taken, number = {}, {}, 0
    for _, room in ipairs(rooms) do
        room.places = {}
        for _, file in ipairs(files_of(room)) do
            for _, place in ipairs(places_of(file)) do
                room.places[#room.places + 1] = { file.path, place[1], place[2] }
            end
        end
    end
    while number < count do
        local room = rooms[math.random(#rooms)]
        local path, from, to = table.unpack(room.places[math.random(#room.places)])
        if not taken[path .. from] then
            taken[path .. from], number = true, number + 1
            local name = ("%d: %s => %s"):format(number, from:match "^%s*(.*)$", to:match "^%s*(.*)$")
            groups[#groups + 1] = { file = path, spec = "contract contract_functions " .. room.specs,
                { name, from .. "\n", to .. "\n" } }
        end
    end
    return groups
end
