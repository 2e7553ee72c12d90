-- Gathers what Sphinx makes the site of: the pages of doc/, the annotations as a reference, the examples with pictures.
--
--     lua5.4 tools/site.lua <folder> [pictures]
--
-- Nothing is written for the site alone: a page is a page of the tree, with links to what the site has instead of the
-- tree's files. With `pictures` the examples that write one run first.

local folder, pictures = arg[1], arg[2] == "pictures"
local site = {} -- [path of the site] = text, without ".md"
-- [file of the tree] = page of the site, where the names differ
local links = { ["README.md"] = "index.md", ["examples/README.md"] = "examples/index.md" }

-- ---- files -----------------------------------------------------------------------------------------------

local function shell(command, ...)
    assert(os.execute(command:format(...)), command)
end

local function read(path)
    local file <close> = assert(io.open(path, "rb"))
    return (file:read "a")
end

local function list(pattern)
    local pipe <close> = assert(io.popen("ls " .. pattern))
    local paths = {}
    for path in pipe:lines() do
        paths[#paths + 1] = path
    end
    return paths
end

local function write(path, text)
    shell("mkdir -p '%s/%s'", folder, path:match "^(.*)/[^/]*$" or ".")
    local file <close> = assert(io.open(folder .. "/" .. path, "wb"))
    assert(file:write(text))
end

-- ---- pages of the tree -----------------------------------------------------------------------------------

-- A path without "." and "..".
local function plain(path)
    local parts = {}
    for part in path:gmatch "[^/]+" do
        if part == ".." then
            parts[#parts] = nil
        elseif part ~= "." then
            parts[#parts + 1] = part
        end
    end
    return table.concat(parts, "/")
end

local function exists(path)
    local file = io.open(path, "rb")
    return file and file:close()
end

-- A page's text, whose links lead to what the site has of the tree's files; files that are no pages come along.
local function page(path, at)
    local own = path:match "^(.*/)[^/]*$" or ""
    local up = ("../"):rep(select(2, at:gsub("/", "")))
    local fenced = false
    local lines = {}
    for line in (read(path) .. "\n"):gmatch "(.-)\n" do
        fenced = fenced ~= (line:match "^```" ~= nil)
        local link = "%[([^%[%]]*)%]%(([^)#%s]+)(#?[^)%s]*)%)"
        lines[#lines + 1] = fenced and line or line:gsub(link, function(words, target, anchor)
            if target:match "^%a+:" or target:match "^%.?%.?$" then
                return nil
            end
            local file = plain(own .. target)
            if os.execute(("test -d '%s'"):format(file)) then -- which the site has not
                return words
            end
            local found = links[file] or file
            if not links[file] and not site[(file:gsub("%.md$", ""))] and exists(file) then
                shell("mkdir -p '%s/%s' && cp '%s' '%s/%s'", folder, file:match "^(.*)/" or ".", file, folder, file)
            end
            return ("[%s](%s%s%s)"):format(words, up, found, anchor)
        end)
    end
    return table.concat(lines, "\n")
end

-- ---- the reference ---------------------------------------------------------------------------------------

-- Text of the annotations as Markdown: what would be markup there is none, but for code.
local function prose(text)
    return (("`" .. text:gsub("\n", " ") .. "`"):gsub("`([^`]*)`", function(outside)
        return "`" .. outside:gsub("[*_<>|%[%]#]", "\\%0") .. "`"
    end):sub(2, -2))
end

-- The type at the start of a text, and what stands behind it: spaces within brackets belong to the type.
local function typed(text)
    local depth = 0
    for at = 1, #text do
        local letter = text:sub(at, at)
        depth = depth + (letter:find "[%(%[{<]" and 1 or letter:find "[%)%]}>]" and -1 or 0)
        local joined = text:sub(1, at - 1):find "[,:|]$" or text:sub(at + 1, at + 1) == "|"
        if letter == " " and depth == 0 and not joined then
            return text:sub(1, at - 1), text:sub(at + 1)
        end
    end
    return text, ""
end

-- `code`: a description that is not empty, as an item of a list.
local function item(name, type, text)
    local about = text:gsub("^[#%s]+", "")
    return ("- %s`%s`%s"):format(name and "`" .. name .. "` " or "", type, about ~= "" and ": " .. prose(about) or "")
end

local tags = {}

function tags.param(out, text)
    local name, rest = text:match "^(%S+)%s+(.*)$"
    out.items[#out.items + 1] = item(name, typed(rest))
end

function tags.field(out, text)
    tags.param(out, text)
end

tags["return"] = function(out, text)
    local type, rest = typed(text)
    local name, about = rest:match "^([%a_%.][%w_%.]*)%s*(.*)$"
    if rest:match "^#" or not name then
        name, about = nil, rest
    end
    out.items[#out.items + 1] = "- gives " .. item(name, type, about):sub(3)
end

function tags.overload(out, text)
    out.items[#out.items + 1] = "- or `" .. text .. "`"
end

function tags.operator(out, text)
    out.items[#out.items + 1] = "- operator `" .. text .. "`"
end

function tags.class(out, text)
    out.title = out.title or text
end

function tags.alias(out, text)
    local name, rest = text:match "^(%S+)%s*(.*)$"
    out.title = out.title or name
    if rest ~= "" then
        out.items[#out.items + 1] = "- `" .. rest .. "`"
    end
end

-- What is told of a class, a function or an alias: title, text, items.
local function close(out, lines)
    if not out.title or (#out.text == 0 and #out.items == 0 and not out.title:find "%(") then -- a class goes on here
        return
    end
    lines[#lines + 1] = "## `" .. out.title .. "`\n"
    if #out.text > 0 then
        lines[#lines + 1] = prose(table.concat(out.text, "\n")) .. "\n"
    end
    if #out.items > 0 then
        lines[#lines + 1] = table.concat(out.items, "\n") .. "\n"
    end
end

local function reference(path)
    local lines, head = {}, {}
    local out = { text = {}, items = {} }
    local function next_one()
        close(out, lines)
        out = { text = {}, items = {} }
    end
    for line in io.lines(path) do
        local tag, rest = line:match "^%-%-%-@(%a+)%s*(.*)$"
        local choice = line:match "^%-%-%-|%s*(.*)$"
        local text = line:match "^%-%-%-(.*)$"
        local called = line:match "^function ([^)]*%))" or line:match "^([%w_.]+) = "
        if tag then
            if tags[tag] then
                tags[tag](out, rest)
            end
        elseif choice then
            local value, about = choice:match "^(%S+)%s*#?%s*(.*)$"
            out.items[#out.items + 1] = item(nil, value, about)
        elseif text then
            out.text[#out.text + 1] = text
        elseif called then
            out.title = out.title or called
            next_one()
        elseif line == "" or line:match "^local " then
            next_one()
        elseif line:match "^%-%- " and not line:match "^%-%- %-%-%-%-" and #lines == 0 then
            head[#head + 1] = line:sub(4)
        end
    end
    next_one()
    local text = table.concat(head, " ")
    local title = (path:match "meta_(.*)%.lua$" or "arrays"):gsub("^%l", string.upper):gsub("_", " ")
    return ("# %s\n\n%s\n\n%s"):format(title, prose(text), table.concat(lines, "\n"))
end

-- ---- the gallery -----------------------------------------------------------------------------------------

-- Sizes with which an example's picture takes a few seconds on a CPU; what follows the option that names the picture.
local SIZES = {
    collision = "--bodies 20000 --out", components = "--png", drum = "--size 41 --png", galaxy = "--bodies 8192 --out",
    maze = "--png", outer_planets = "--years 2000 --out", rings = "--bodies 4000 --turns 60 --out",
    solar_system = "--years 20 --out", spectrogram = "--png",
}

local function picture(name)
    local own = ("%s/examples/%s"):format(folder, name)
    shell("mkdir -p '%s'", own)
    if pictures then
        local by_name = SIZES[name]:match "png$"
        shell("%s examples/%s.lua %s '%s%s' >'%s/output' 2>&1", os.getenv "LUA" or "lua5.4", name, SIZES[name], own,
            by_name and "/" .. name .. ".png" or "", own)
    end
    local made = list(("'%s' | grep 'png$' || true"):format(own))
    return made[#made] and ("%s/%s"):format(name, made[#made])
end

local function example(path)
    local name, code = path:match "([^/]*)%.lua$", read(path)
    local about = {}
    for line in code:gmatch "(.-)\n" do
        if not line:match "^%-%-" then
            break
        end
        about[#about + 1] = (line:gsub("^%-%- ?", ""))
    end
    local image = SIZES[name] and picture(name)
    local title = (path:match "/mpi/" and "MPI: " or "") .. name:gsub("_", " "):gsub("^%l", string.upper)
    return ("# %s\n\n%s\n\n%s```lua\n%s```\n"):format(title, table.concat(about, "\n"),
        image and ("![%s](%s)\n\n"):format(title, image) or "", code), image, title, about[1]
end

-- ---- all -------------------------------------------------------------------------------------------------

shell("rm -rf '%s'/*.md '%s'/doc '%s'/reference && mkdir -p '%s/_static'", folder, folder, folder, folder)
shell("cp tools/site/conf.py '%s' && cp tools/site/wide.css '%s/_static'", folder, folder)

-- The guide has the sections and the order of doc/index.md.
local captions = {}
for title, rows in (read "doc/index.md" .. "\n"):gmatch "## ([^\n]+)\n\n(.-)\n\n" do
    local caption = { title, title == "Start" and "doc/index" or nil }
    for name in rows:gmatch "%]%(([%w_]+)%.md%)" do
        caption[#caption + 1] = "doc/" .. name
    end
    captions[#captions + 1] = caption
end
local more = { "More", "CHANGELOG" }
for _, path in ipairs(list "bench/results/*.md") do
    more[#more + 1] = path:gsub("%.md$", "")
end
table.move({ { "Examples", "examples/index", "examples/lab/README", "examples/lab/RESULTS" },
    { "Reference", "reference/index" }, more }, 1, 3, #captions + 1, captions)
for _, caption in ipairs(captions) do
    for i = 2, #caption do
        site[caption[i]] = true
    end
end
local examples = {}
for _, path in ipairs(list "examples/*.lua examples/mpi/*.lua") do
    links[path] = path:gsub("%.lua$", ".md")
    examples[#examples + 1] = path
end
for _, path in ipairs(list "lua/lunarray/meta*.lua build/lunarray/meta_operations.lua") do
    links[path] = "reference/" .. path:match "([^/]*)%.lua$" .. ".md"
end

local gallery, names = { "# Gallery\n", "What `examples/` has: scripts to start from.\n" }, {}
for _, path in ipairs(examples) do
    local text, image, title, first = example(path)
    local target = path:gsub("%.lua$", "")
    local name = target:gsub("^examples/", "")
    write(target .. ".md", text)
    names[#names + 1] = name
    gallery[#gallery + 1] = ("## [%s](%s.md)\n\n%s\n"):format(title, name, first)
    if image then
        gallery[#gallery + 1] = ("[![%s](%s)](%s.md)\n"):format(title, image, name)
    end
end
gallery[#gallery + 1] = "```{toctree}\n:hidden:\n\n" .. table.concat(names, "\n") .. "\n```\n"
write("examples/index.md", table.concat(gallery, "\n"))

local pages = {}
for _, path in ipairs(list "lua/lunarray/meta*.lua build/lunarray/meta_operations.lua") do
    local name = path:match "([^/]*)%.lua$"
    write("reference/" .. name .. ".md", reference(path))
    pages[#pages + 1] = name
end
write("reference/index.md", "# Reference\n\nWhat the annotations for the Lua language server say of each name.\n\n"
    .. "```{toctree}\n:maxdepth: 1\n\n" .. table.concat(pages, "\n") .. "\n```\n")

local index = { page("README.md", "index.md") }
for _, caption in ipairs(captions) do
    index[#index + 1] = ("```{toctree}\n:hidden:\n:caption: %s\n\n%s\n```\n"):format(caption[1],
        table.concat(caption, "\n", 2))
    for i = 2, #caption do
        local path = caption[i] .. ".md"
        if exists(path) then
            write(path, page(path, path))
        end
    end
end
write("index.md", table.concat(index, "\n"))
