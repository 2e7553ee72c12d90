-- Matrix Market files (Boisvert, Pozo and Remington 1996): lun.load for files that begin as they do, and save for names
-- that end in .mtx or .mtx.gz. The header is read here, and the numbers after it by loadtxt.

local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"

local raise, kind_of = misuse.raise, misuse.kind_of

local MOST_HEADER <const> = 1 << 20 -- bytes, comments included
local SHOWN <const> = 40
local BANNER <const> = "%%MatrixMarket"
local FIELDS = { real = "f64", integer = "i64", complex = "c128", pattern = "f64" }
local NARROW = { f64 = "f32", c128 = "c64", i64 = "i64" } -- where a device has no f64
local SYMMETRIES = { general = true, symmetric = true, ["skew-symmetric"] = true, hermitian = true }

local function is_named(path)
    local name = type(path) == "string" and not path:find "\0" and path:lower()
    return name and (name:find "%.mtx$" or name:find "%.mtx%.gz$")
end

-- Is it such a file, by its name or its first bytes?
local function is_file(path)
    if type(path) ~= "string" or path:find "\0" then
        return false
    end
    local ok, head = pcall(core._file_text, path, #BANNER)
    return is_named(path) or ok and head == BANNER
end

local function shown(text)
    return (#text > SHOWN and text:sub(1, SHOWN) .. "..." or text):gsub("[^\32-\126]", "?")
end

-- ---- the header ---------------------------------------------------------------------------------------------------

-- Raises an error about a line of the file, as loadtxt does.
local function fail(file, line, message, ...)
    raise("load", "%s: line %d: %s", file.path:sub(1, 200), line, misuse.text(message, ...))
end

-- One of the words that may be at a place of the banner.
local function check_word(file, place, word, known)
    if not known[word] then
        local names = {}
        for name in pairs(known) do
            table.insert(names, name)
        end
        table.sort(names)
        fail(file, 1, "the %s is %s, got %s", place, table.concat(names, ", "):gsub(", ([^,]*)$", " or %1"),
            word and "'" .. shown(word) .. "'" or "nothing")
    end
end

local function read_banner(file, line)
    local words = {}
    for word in line:gmatch "%S+" do
        table.insert(words, #words == 0 and word or word:lower())
    end
    if words[1] ~= BANNER then
        fail(file, 1, "the file begins with %s, got '%s'", BANNER, shown(line))
    end
    check_word(file, "object", words[2], { matrix = true })
    check_word(file, "format", words[3], { coordinate = true, array = true })
    check_word(file, "field", words[4], FIELDS)
    check_word(file, "symmetry", words[5], SYMMETRIES)
    if words[6] then
        fail(file, 1, "the line has five words, and then '%s'", shown(words[6]))
    end
    file.format, file.field, file.symmetry = words[3], words[4], words[5]
    if file.field == "pattern" and (file.format == "array" or file.symmetry == "skew-symmetric") then
        fail(file, 1, "a pattern cannot be of the kind '%s'", file.format == "array" and "array" or "skew-symmetric")
    elseif file.symmetry == "hermitian" and file.field ~= "complex" then
        fail(file, 1, "a hermitian matrix is complex, not %s", file.field)
    end
end

-- The numbers of rows and columns and, where there are coordinates, of entries.
local function read_sizes(file, number, line)
    local sizes, words, wanted = {}, 0, file.format == "array" and 2 or 3
    for word in line:gmatch "%S+" do
        words = words + 1
        sizes[words] = words <= wanted and word:find "^%d+$" and math.tointeger(tonumber(word)) or nil
    end
    if #sizes ~= wanted or words ~= wanted then
        fail(file, number, "%d whole numbers are needed, %s, got '%s'", wanted,
            wanted == 2 and "rows and columns" or "rows, columns and entries", shown(line))
    end
    file.m, file.n, file.count = sizes[1], sizes[2], sizes[3]
    local problem = core._too_large(file.m, file.n)
    if problem then
        fail(file, number, "%s", problem)
    elseif file.symmetry ~= "general" and file.m ~= file.n then
        fail(file, number, "a %s matrix is square, got %dx%d", file.symmetry, file.m, file.n)
    end
end

-- The contents of the lines before the numbers, and their number.
local function read_header(path)
    local file = { path = path, lines = 0 }
    local head = core._named("load", core._file_text)(path, MOST_HEADER)
    if not head then
        raise("load", "%s: a Matrix Market file is read twice, so it must be a regular file", path:sub(1, 200))
    end
    local is_cut = #head == MOST_HEADER
    for line, ending in head:gmatch "([^\n]*)(\n?)" do
        file.lines = file.lines + 1
        if file.lines == 1 then
            read_banner(file, line)
        elseif not line:find "^%s*%%" and line:find "%S" and not (is_cut and ending == "") then
            read_sizes(file, file.lines, line)
            return file
        end
    end
    fail(file, file.lines, "the sizes of the matrix are missing in the first 2^20 bytes of the file")
end

-- ---- numbers ------------------------------------------------------------------------------------------------------

local function loadtxt(file, device, dtype, columns)
    local read = core._named("load", device.loadtxt)
    local ok, made = pcall(read, device, file.path, dtype, { comments = "", skip = file.lines, columns = columns })
    if not ok then -- its option `missing` has no meaning here
        error(type(made) == "string" and made:gsub("; [^;]*option [^;]*$", "") or made, 0)
    end
    return made
end

-- The numbers of the values, as `part`: integers are i64, or u64 where one is 2^63 or more.
local function load_values(file, device, part)
    local ok, made = pcall(loadtxt, file, device, part)
    if ok or part ~= "i64" then
        return ok and made or error(made, 0)
    end
    local wide, other = pcall(loadtxt, file, device, "u64")
    return wide and file.symmetry ~= "skew-symmetric" and other or error(made, 0)
end

-- The line of the k-th row of numbers.
local function line_of(file, k)
    local number = 0
    for line in core._file_text(file.path, math.maxinteger):gmatch "[^\n]*\n?" do
        number = number + 1
        k = k - (number > file.lines and line:find "%S" and 1 or 0)
        if k == 0 then
            break
        end
    end
    return number
end

-- That many rows of that many numbers are needed.
local function check_rows(file, made, rows, columns)
    local came, width = made:shape()
    if came > 0 and width ~= columns then
        fail(file, line_of(file, 1), "%d number%s needed, got %d", columns, columns == 1 and " is" or "s are", width)
    elseif came ~= rows then
        raise("load", "%s: %d %s are needed, got %d", file.path:sub(1, 200), rows,
            file.format == "array" and "numbers" or "entries", came)
    end
end

-- The last columns of the data, as one number each.
local function values_of(file, made, dtype)
    local width = select(2, made:shape())
    if file.field ~= "complex" then
        return made:col(width):contiguous()
    end
    return made:slice({}, { width - 1, width }):contiguous():as_complex():reshape(#made):cast(dtype)
end

-- The dtype of the values, and that in which their parts are read.
local function dtypes_of(file, device)
    local dtype = FIELDS[file.field]
    dtype = device:info().fp64 and dtype or NARROW[dtype]
    return dtype, dtype == "c128" and "f64" or dtype == "c64" and "f32" or dtype
end

-- The entries on the other side of the diagonal.
local function mirrored(file, values)
    return file.symmetry == "skew-symmetric" and -values or file.symmetry == "hermitian" and values:conj() or values
end

-- ---- entries ------------------------------------------------------------------------------------------------------

-- Raises for the first entry at which `bad` is not 0.
local function check_entries(file, bad, say)
    if bad:any() then
        local k = bad:cast("u8"):argmax()
        fail(file, line_of(file, k), say(k))
    end
end

local function check_places(file, rows, cols)
    for _, axis in ipairs { { "row", rows, file.m }, { "column", cols, file.n } } do
        local what, places, most = table.unpack(axis)
        check_entries(file, places:lt(1):lor(places:gt(most)), function(k)
            return misuse.text("%s %d is out of range 1..%d", what, places:get(k), most)
        end)
    end
    if file.symmetry ~= "general" then
        local is_skew = file.symmetry == "skew-symmetric"
        check_entries(file, is_skew and rows:le(cols) or rows:lt(cols), function(k)
            return misuse.text("a file of a %s matrix has only entries below the diagonal%s, got row %d, column %d",
                file.symmetry, is_skew and "" or " and on it", rows:get(k), cols:get(k))
        end)
    end
end

-- The matrix of triplets. It has a start for each row, however small the file is: if memory is short, the error names
-- the file.
local function made_of(file, given)
    given.shape = { file.m, file.n }
    local ok, made = pcall(core.sparse, given)
    if not ok and type(made) == "table" then
        made.method, made.message = "load", ("%s: a matrix of %dx%d: %s"):format(file.path:sub(1, 200), file.m, file.n,
            made.message)
    end
    return ok and made or error(made, 0)
end

local function load_entries(file, device)
    local dtype, part = dtypes_of(file, device)
    local width = file.field == "pattern" and 2 or file.field == "complex" and 4 or 3
    local places = loadtxt(file, device, "i64", width > 2 and { 1, 2 } or nil)
    local all = width > 2 and load_values(file, device, part) or places
    check_rows(file, all, file.count, width)
    if file.count == 0 then
        return made_of(file, { rows = {}, cols = {}, values = device:zeros({ 0 }, dtype) })
    end
    local rows, cols = places:col(1):contiguous(), places:col(2):contiguous()
    check_places(file, rows, cols)
    local values = width > 2 and values_of(file, all, dtype) or device:ones({ file.count }, dtype)
    if file.symmetry ~= "general" then
        local off = rows:ne(cols)
        local other = mirrored(file, values:mask(off))
        rows, cols = core.concat { rows, cols:mask(off) }, core.concat { cols, rows:mask(off) }
        values = core.concat { values, other }
    end
    return made_of(file, { rows = rows, cols = cols, values = values })
end

-- ---- arrays -------------------------------------------------------------------------------------------------------

-- A file has all numbers, column by column; for symmetric matrices only the lower triangle, with or without the
-- diagonal.
local function load_array(file, device)
    local dtype, part = dtypes_of(file, device)
    local all = load_values(file, device, part)
    local m, n, below = file.m, file.n, file.symmetry == "skew-symmetric" and 1 or 0
    local wanted = m * n
    if file.symmetry ~= "general" then
        wanted = m % 2 == 0 and m // 2 * (m + 1 - 2 * below) or m * ((m + 1 - 2 * below) // 2)
    end
    check_rows(file, all, wanted, file.field == "complex" and 2 or 1)
    if wanted == 0 then
        return device:zeros({ m, n }, dtype)
    end
    local values = values_of(file, all, dtype)
    if file.symmetry == "general" then
        return values:reshape(n, m):t():copy()
    end
    local upper = device:zeros({ m, m }, dtype):mask_put(device:ones({ m, m }, "bool"):triu(below), values)
    return upper:t() + mirrored(file, upper:triu(1))
end

local function load(device, path)
    local file = read_header(path)
    return (file.format == "array" and load_array or load_entries)(file, device)
end

-- ---- writing ------------------------------------------------------------------------------------------------------

local FIELD_OF = { c64 = "complex", c128 = "complex", f16 = "real", bf16 = "real", f32 = "real", f64 = "real" }

local function field_of(dtype)
    return FIELD_OF[dtype] or "integer"
end

-- Writes rows of numbers behind the banner and the sizes.
local function write(path, rows, format, dtype, sizes)
    local header = ("%s matrix %s %s general\n%s"):format(BANNER, format, field_of(dtype), table.concat(sizes, " "))
    core._named("save", rows.savetxt)(rows, path, { header = header, comments = "" })
end

local function save_array(a, path)
    if a:ndim() ~= 2 then
        raise("save", "a matrix is needed, with two axes, and the shape is %s", misuse.shape_of(a))
    end
    local m, n = a:shape()
    local flat = a:t():contiguous():reshape(m * n)
    write(path, field_of(a:dtype()) == "complex" and flat:as_real() or flat, "array", a:dtype(), { m, n })
end

-- Rows, columns and values in one dtype: f32 holds whole numbers up to 2^24, and its texts are shorter than those of
-- f64.
local function save_entries(matrix, path)
    local values, dtype, m, n = matrix:values(), matrix:dtype(), matrix:shape()
    local field = field_of(dtype)
    local part = field == "integer" and (dtype == "u64" and "u64" or "i64")
        or (dtype == "f64" or dtype == "c128" or math.max(m, n) > 1 << 24) and "f64" or "f32"
    local count = #values
    local places = {}
    for i, each in ipairs { matrix:rows(), matrix:cols() } do
        places[i] = each:cast(part):reshape(count, 1)
    end
    places[3] = (field == "complex" and values:as_real() or values:reshape(count, 1)):cast(part)
    write(path, core.concat(places, 2), "coordinate", dtype, { m, n, count })
end

-- ---- what arrays, matrices and the module get ----------------------------------------------------------------------

local load_module = core.load
function core.load(...)
    local path = ...
    if not is_file(path) then
        return load_module(...)
    end
    misuse.check_end("load", 1, select(2, ...))
    return load(core.device(), path)
end

core._load = core._method("load", function(...)
    local device, path = ...
    if core.type(device) ~= "device" or not is_file(path) then
        return core._load(...)
    end
    misuse.check_end("load", 1, select(3, ...))
    return load(device, path)
end, "device")

-- save as a method, or as a function, where the path is argument 2.
local function saving(save, place)
    return function(...)
        local a, path = ...
        if core.type(a) ~= "array" or not core._is_live(a) or not is_named(path) then
            return save(...)
        end
        misuse.check_end("save", place, select(3, ...))
        save_array(a, path)
    end
end

local as_function, save = core.save, nil
save = core._method("save", saving(function(...) return save(...) end, 1))
core.save = saving(as_function, 2)

local check_sparse = core._named("save", core._classes().sparse.ndim)

core._method("save", function(matrix, path, ...)
    check_sparse(matrix)
    misuse.check_end("save", 1, ...)
    if not is_named(path) then
        raise("save", "argument 1: a path that ends in .mtx is needed, got %s",
            type(path) == "string" and "'" .. shown(path) .. "'" or kind_of(path))
    end
    save_entries(matrix, path)
end, "sparse")
