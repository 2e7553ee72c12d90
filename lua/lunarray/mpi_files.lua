-- Files that all ranks write and read: each its rows of the arrays, and an index that the first rank writes last.

local core = require "lunarray.core"
core._own()
local agree = require "lunarray.mpi_agree"
local check = require "lunarray.mpi_check"
local message = require "lunarray.mpi_message"
local misuse = require "lunarray.misuse"

local raise, kind_of = misuse.raise, misuse.kind_of

local methods = {} -- each gets the communicator, its inner side and its arguments

local FORMAT, VERSION = "lunarray.ranks", 1

-- The index is a .npz file of one text: lines of words. Names and values are written as their bytes in base 16.
local function hexadecimal(text)
    return "x" .. text:gsub(".", function(c) return ("%02x"):format(c:byte()) end)
end

local function from_hexadecimal(word)
    return (word:sub(2):gsub("%x%x", function(digits) return string.char(tonumber(digits, 16)) end))
end

-- The file of a rank's rows. Each save has files of its own, so that the last one stays whole until the index names the
-- new ones.
local function part_path(path, save, rank)
    return ("%s.%d.%d"):format(path, save, rank)
end

local function check_path(name, path)
    if type(path) ~= "string" then
        raise(name, "argument 1: a path is needed, got %s", kind_of(path))
    end
end

-- ---- the index ----------------------------------------------------------------------------------------------

local function read_text(device, path)
    local ok, saved = pcall(device.load, device, path)
    local index = ok and type(saved) == "table" and saved.index
    return index and index:dtype() == "u8" and index:ndim() == 1 and index:tobytes() or nil, ok and "" or saved
end

-- { save, ranks, values by name, arrays by name: { dtype, shape, rows of each rank } }, or nil and what is wrong.
local function parse(text)
    local index = { values = {}, arrays = {} }
    local version, save, ranks = text:match("^" .. FORMAT .. " (%d+)\nsave (%d+)\nranks (%d+)\n")
    if not version then
        return nil, "it is not an index of ranks' files"
    elseif math.tointeger(version) ~= VERSION then
        return nil, ("it has version %s; version %d is supported"):format(version, VERSION)
    end
    index.save, index.ranks = math.tointeger(save), math.tointeger(ranks)
    for kind, name, words in text:gmatch "(%a+) (x%x*) ([^\n]+)\n" do
        name = from_hexadecimal(name)
        if kind == "value" then
            index.values[name] = message.unpack(from_hexadecimal(words))
        else
            local dtype, tail, rest = words:match "^(%S+) (%S+) (.+)$"
            local array = { dtype = dtype, tail = {}, rows = {} }
            for size in tail:sub(2):gmatch "%d+" do
                array.tail[#array.tail + 1] = math.tointeger(size)
            end
            for count in rest:gmatch "%d+" do
                array.rows[#array.rows + 1] = math.tointeger(count)
            end
            index.arrays[name] = #array.rows == index.ranks and array or nil
        end
    end
    return index
end

-- ---- saving -------------------------------------------------------------------------------------------------

-- The table's names in one order; what each rank has of them, in a line, must be alike but for the rows.
local function describe(state)
    local names, lines, rows = {}, {}, {}
    for name in pairs(state) do
        if type(name) ~= "string" then
            raise("save", "argument 2: names are strings, got %s", kind_of(name))
        end
        names[#names + 1] = name
    end
    table.sort(names)
    for _, name in ipairs(names) do
        local x = state[name]
        if core.type(x) ~= "array" then
            lines[#lines + 1] = ("value %s %s"):format(hexadecimal(name), hexadecimal(message.pack("save", x)))
        else
            misuse.check_array("save", ("argument 2, '%s'"):format(name), x)
            if x:ndim() == 0 then
                raise("save", "argument 2, '%s': an array with at least one axis is needed, got one without axes", name)
            end
            lines[#lines + 1] = ("array %s %s -%s"):format(hexadecimal(name), x:dtype(),
                table.concat({ select(2, x:shape()) }, "x"))
            rows[#lines] = #x
        end
    end
    return lines, rows
end

-- Of all ranks' lines and rows: one text. All are compared with the first rank's, so that all ranks raise.
local function join(inner, lines, rows, options)
    local mine = {}
    for i, line in ipairs(lines) do
        mine[i] = line .. "\t" .. (rows[i] and " " .. rows[i] or "") .. "\n"
    end
    local joined = {}
    for rank, text in ipairs(message.gather_texts(inner, "save", table.concat(mine), options)) do
        local i = 0
        for line, count in text:gmatch "([^\t\n]+)\t([^\n]*)\n" do
            i = i + 1
            joined[i] = joined[i] or rank == 1 and { line } or { "" }
            if joined[i][1] ~= line then
                raise("save", "the ranks pass different values: rank %d does not pass the same '%s'", rank,
                    from_hexadecimal((joined[i][1] .. line):match "x%x*"))
            end
            table.insert(joined[i], count)
        end
        if i < #joined then
            raise("save", "the ranks pass different values: rank %d does not pass the same '%s'", rank,
                from_hexadecimal(joined[i + 1][1]:match "x%x*"))
        end
    end
    for i, parts in ipairs(joined) do
        joined[i] = table.concat(parts) .. "\n"
    end
    return table.concat(joined)
end

local function remove_parts(path, index)
    for rank = 1, index and index.ranks or 0 do
        os.remove(part_path(path, index.save, rank))
    end
end

local function write_part(path, state)
    local arrays = {}
    for name, x in pairs(state) do
        arrays[name] = core.type(x) == "array" and x or nil
    end
    if next(arrays) then
        core._named("save", core.savez)(path, arrays)
    end
end

local function write_index(inner, path, save, text)
    local head = ("%s %d\nsave %d\nranks %d\n"):format(FORMAT, VERSION, save, inner.size)
    local index <close> = message.device_of(inner):array(head .. text, "u8")
    core._named("save", core.savez)(path, { index = index }) -- all at once: either the old one or the new one is there
end

-- comm:save(path, state [, options])
methods.save = agree.together("save", function(inner, path, state, options)
    check_path("save", path)
    if type(state) ~= "table" or getmetatable(state) then
        raise("save", "argument 2: a table of arrays and values by name is needed, got %s", kind_of(state))
    end
    options = check.options("save", 3, options, { "timeout" })
    local lines, rows = describe(state)
    return { call = "save", options = options }, function(_, comm)
        local text = join(inner, lines, rows, options)
        local first = inner.rank == 0
        local before = first and parse(read_text(message.device_of(inner), path) or "") or nil
        local save = comm:bcast(before and before.save + 1 or 1, options)
        agree.after(inner, "save", options, write_part, part_path(path, save, inner.rank + 1), state)
        agree.after(inner, "save", options, first and write_index or rawlen, inner, path, save, text)
        if first then
            remove_parts(path, before)
        end
    end
end)

-- ---- loading ------------------------------------------------------------------------------------------------

-- Rows of this rank, as scatter shares them out: that many after that many others.
local function share_of(inner, rows)
    local each, more = rows // inner.size, rows % inner.size
    return each * inner.rank + math.min(inner.rank, more), each + (inner.rank < more and 1 or 0)
end

local function read_part(path, index, rank, name, array, device)
    local file = part_path(path, index.save, rank)
    local saved = device:load(file)
    local part = type(saved) == "table" and saved[name]
    if not part or part:dtype() ~= array.dtype or #part ~= array.rows[rank] then
        raise("load", "%s: it is not the file that the index %s names", file, path)
    end
    return part
end

-- This rank's rows of one array.
local function read_rows(path, inner, index, name, device)
    local array, total, pieces = index.arrays[name], 0, {}
    for _, count in ipairs(array.rows) do
        total = total + count
    end
    local before, count = share_of(inner, total)
    local at = 0 -- rows of the ranks before
    for rank, rows in ipairs(array.rows) do
        local from, to = math.max(before + 1 - at, 1), math.min(before + count - at, rows)
        if from <= to then
            local part = read_part(path, index, rank, name, array, device)
            pieces[#pieces + 1] = part:slice { from, to }
        end
        at = at + rows
    end
    if #pieces == 0 then
        return device:empty(table.move(array.tail, 1, #array.tail, 2, { 0 }), array.dtype)
    end
    return #pieces == 1 and pieces[1]:copy() or core.concat(pieces, 1)
end

local function read_state(inner, path, index)
    local device, state = message.device_of(inner), index.values
    for name in pairs(index.arrays) do
        state[name] = read_rows(path, inner, index, name, device)
    end
    return state
end

-- comm:load(path [, options])
methods.load = agree.together("load", function(inner, path, options)
    check_path("load", path)
    options = check.options("load", 2, options, { "timeout" })
    return { call = "load", options = options }, function(_, comm)
        local text, problem
        if inner.rank == 0 then
            text, problem = read_text(message.device_of(inner), path)
            text = text or "\n" .. tostring(problem) -- which raises on all ranks
        end
        text = comm:bcast(text, options)
        if text:sub(1, 1) == "\n" then
            raise("load", "%s", #text > 1 and text:sub(2):gsub("^.-lunarray: [%w_]+: ", "")
                or path .. ": it is not an index of ranks' files")
        end
        local index, wrong = parse(text)
        if not index then
            raise("load", "%s: %s", path, wrong)
        end
        return agree.after(inner, "load", options, read_state, inner, path, index)
    end
end)

return methods
