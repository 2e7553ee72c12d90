-- Prints the parts of Octave's package that its sources and the rows of operations say, where `require "lunarray"`
-- finds the module:
--   lua5.4 tools/octave.lua package FOLDER   FOLDER/@lunarray/*.m with their help, FOLDER/PKG_ADD, FOLDER/INDEX
--   lua5.4 tools/octave.lua page             doc/octave_functions.md
--   lua5.4 tools/octave.lua manual FOLDER    the pages of help as one Texinfo manual; FOLDER has what `package` writes

local lun = require "lunarray"

local function read(path)
    local file <close> = assert(io.open(path, "rb"))
    return file:read "a"
end

local function write(path, text)
    local file <close> = assert(io.open(path, "wb"))
    assert(file:write(text))
end

local function matches(command)
    local pipe <close> = assert(io.popen(command))
    return pipe:read "a"
end

-- ---- what there is ------------------------------------------------------------------------------------------

local own = {} -- name = { name, usage, says, example, shows }: methods.def's
local hosted, brought = {}, {} -- hosted: name = which arrays; brought: name = how many results it has at least
for name, usage, says, example, shows in read "src/octave/methods.def":gmatch
    '\nMETHOD%((%w+), [%w_]+,%s+"([^"]*)",%s+"([^"]*)",%s+"([^"]*)", "([^"]*)"%)' do
    own[name] = { name = name, usage = usage:gsub("'", '"'), says = says, example = example, shows = shows, "own" }
end
for kind, names in read "src/octave/methods.def":gmatch "\n([%u_]+)(%b())" do
    for name in names:gmatch(kind ~= "METHOD" and "[%w_]+" or "^$") do
        if kind:find "HOSTED" then hosted[name] = kind else brought[name] = kind == "TEXTS" and 1 or 0 end
    end
end

local written = {} -- in Octave's language
for name in matches "ls octave/inst/@lunarray":gmatch "([%w_]+)%.m" do written[name] = true end

-- What Octave's own functions and operators ask values for, so that no method is needed.
local mapped = {}
for name in read "src/octave/host.h":gmatch "octave_[%w_]+ (%l+)%([^\n]*%) const;" do mapped[name] = true end
for _, file in ipairs { "mapper.cc", "operators.cc" } do
    for name in read("src/octave/" .. file):gmatch "LUN_MAP_(%w+)" do mapped[name] = true end
end

-- ---- signatures ---------------------------------------------------------------------------------------------

local RENAMED = { band = "bitand", bor = "bitor", bxor = "bitxor", digamma = "psi", where = "merge" }
-- Octave's packages have other functions of these names.
local TAKEN = { square = true, interp = true, nanmax = true, nanmin = true }
local QUIET = { out = true, beta = true, async = true, queue = true, variant = true, axis = true, keepdims = true,
    devices = true }

-- "maxk (x, k, dim)": what described.cc reads; more than one where the row says so.
local function signatures(operation)
    if operation.matlab and operation.matlab ~= "" then
        local list = {}
        for each in operation.matlab:gmatch "[^;]+" do list[#list + 1] = each:match "^%s*(.-)%s*$" end
        return list
    end
    local items, axis = { operation.owner == "array" and "x" or nil }, false
    for _, argument in ipairs(operation.arguments) do
        if argument.name ~= "axis" then items[#items + 1] = argument.name end
        axis = axis or argument.name == "axis"
    end
    for _, option in ipairs(operation.options) do axis = axis or option.name == "axis" end
    if axis then items[#items + 1] = "dim" end
    local name, list = RENAMED[operation.name] or operation.name, table.concat(items, ", ")
    local also = name == "merge" and ("ifelse (%s)"):format(list) or nil
    return { ("%s (%s)"):format(name, list), also }
end

local function is_method(operation)
    local gives = operation.returns or "array"
    return (operation.owner == "array" or operation.owner == "module") and operation.matlab ~= ""
        and not operation.name:find "_$" and not TAKEN[operation.name] and not mapped[operation.name]
        and (gives:find "^array" or gives:find "^number" or gives:find "^boolean" or gives:find "^integer")
        and not gives:find "self"
end

-- name = { name, signature, operation }: the methods that described.cc runs.
local described, names = {}, {}
for _, operation in ipairs(lun.operations()) do
    for _, signature in ipairs(is_method(operation) and signatures(operation) or {}) do
        local name = signature:match "^[%w_]+"
        if not own[name] and not written[name] and not described[name] then
            described[name] = { name = name, signature = signature, operation = operation }
            names[#names + 1] = name
        end
    end
end
table.sort(names)

-- ---- help ---------------------------------------------------------------------------------------------------

local CLASSES = { f64 = "double", f32 = "single", bool = "logical", c64 = "single complex", c128 = "complex",
    i8 = "int8", i16 = "int16", i32 = "double", i64 = "double", u8 = "uint8", u16 = "uint16", u32 = "uint32",
    u64 = "uint64", dtype = "class", dtypes = "classes", axis = "dimension", axes = "dimensions" }

-- Operations by their names here, as rows name them in backquotes.
local called = { pow = ".^" }
for name, of in pairs(RENAMED) do called[name] = of end
for _, name in ipairs(names) do
    local own_name = described[name].operation.name
    called[own_name] = described[own_name] and own_name or called[own_name] or name
end

-- A name in backquotes: an operation's, or an option's, which is text here.
local function named(operation)
    local options = {}
    for _, option in ipairs(operation.options) do options[option.name] = true end
    return function(name)
        return "`" .. (options[name] and ('"%s"'):format(name) or called[name] or name) .. "`"
    end
end

-- Core's first axis is the last dimension here.
local TURNED = { first = "last", last = "first" }
local function turn(which, axes) return TURNED[which] and TURNED[which] .. axes end

-- Text of a row in Octave's words, without sentences that hold for other hosts: what a missing axis means, and dtypes
-- that are no class. Positions and counts come as double.
local function words(text, operation)
    return (text:gsub("Without an axis, [^.]*%. ?", ""):gsub("[%u][^.]*%f[%w]b?f16%f[%W][^.]*%. ?", "")
        :gsub("%f[%a](%l+)( ax[ei]s)%f[%A]", turn):gsub("%f[%a](%l+)( two axes)%f[%A]", turn)
        :gsub("row%-major", "column-major"):gsub("`([%w_]+)`", named(operation)):gsub(",? i32 or i64%f[%W]", "")
        :gsub("%f[%a]an axis", "a dimension"):gsub("%f[%a]An axis", "A dimension")
        :gsub("%f[%w_]%w+%f[^%w_]", CLASSES):gsub("%f[%a]an single", "a single"):gsub("%s+$", ""))
end

local function texinfo(text)
    return (text:gsub("[@{}]", "@%0"):gsub("`([^`]+)`", "@code{%1}"))
end

local function lines(text)
    local result, line = {}, "##"
    for word in text:gmatch "%S+" do
        if #line + #word > 118 then
            result[#result + 1], line = line, "##"
        end
        line = line .. " " .. word
    end
    result[#result + 1] = line
    return table.concat(result, "\n")
end

-- The inputs of examples.
local INPUTS = {
    a = "reshape (1:16, 4, 4)", b = "reshape (16:-1:1, 4, 4)", c = "magic (3)", v = "[3 1 2 5]", w = "[1; 2; 4; 8]",
    tall = "magic (5)(:, 1:3)", line = "[1 2 4 8]", points = "[1.5 3; 2.5 7]", weights = "reshape (1:16, 4, 4)",
    signal = "sin (1:12)", square = "[4 1 2; 1 5 3; 2 0 6]", definite = "[4 1 0; 1 5 2; 0 2 6]",
    right = "[1 2; 3 4; 5 6]",
    column = "[3; 1; 2]", z = "[1+2i, 3; 4i, 5]", pairs = "[1 2; 3 4]", index = "[2 1]", places = "ones (4)",
    counts = "int32 ([1 2; 3 4])", votes = "int32 ([1 3 3 4])", mask = "reshape (1:16, 4, 4) > 6",
    pos = "rand (8, 4)", vel = "rand (8, 4)",
}

-- Lua's arguments in Octave's language, and the inputs among them; nil: they are more than names, numbers, lists and
-- options. Axes are those of matrices, from the end.
local function arguments(text, used)
    local list, rest = {}, text
    while rest:find "%S" do
        local item, after = rest:match "^%s*(%b{})%s*,?(.*)$"
        if not item then item, after = rest:match "^%s*([^,{}():]+),?(.*)$" end
        if not item then return nil end
        local name = item:match "^[%a_][%w_]*$"
        if item:find "^{.*=" then
            for option, value in item:gmatch "([%w_]+) = ([^,{}]+)" do
                if option ~= "axis" then
                    local given = arguments(value:match "^(.-)%s*$", used)
                    list[#list + 1] = given and ('"%s", %s'):format(option, given)
                end
            end
        elseif item:find "^{" then
            local inner = item:find "{.*{" == nil and item:sub(2, -2):match "^%s*(.-)%s*$"
            if not inner then return nil end
            if inner:find "^%a" then -- arrays
                list[#list + 1] = arguments(inner, used)
            else
                list[#list + 1] = (inner:find "'" and "{%s}" or "[%s]"):format((inner:gsub("'", '"')))
            end
        elseif name and name ~= "true" and name ~= "false" then
            if not INPUTS[name] then return nil end
            used[#used + 1] = name
            list[#list + 1] = name
        else
            list[#list + 1] = (item:gsub("'", '"'))
        end
        rest = after
    end
    return table.concat(list, ", ")
end

-- Where an axis is no option, and sizes may stand as several arguments.
local function in_octave(operation, call)
    local last = operation.arguments[#operation.arguments]
    if last and last.name == "axis" then
        call = call:gsub("%-1(%]?)$", "2%1"):gsub("%-2, 2%]$", "1, 2]")
    elseif last and last.spread and last.kind:find "whole" then
        call = call:gsub("^([^%[]*)$", "[%1]")
    end
    return operation.owner == "module" and call:gsub(", %-?%d$", "") or call
end

-- The lines of an example: the row's, or one of its name and an array.
local function example(method, results)
    local operation, used, call = method.operation, {}, nil
    local self, given = (operation.example or ""):match "^(%w+):[%w_]+ ?(.*)$"
    if operation.owner == "module" then
        given = (operation.example or ""):match "^lun%.[%w_]+ ?(.*)$"
    end
    local list = given and INPUTS[self or "a"] and (given:match "^%((.*)%)$" or given:match "^%b{}$")
    if list then
        used[1] = self
        call = arguments(list, used)
        call = call and in_octave(operation, call)
        call = call and self and self .. (call ~= "" and ", " .. call or "") or call
    elseif operation.kind then
        used[1], call = "a", "a" .. (", a"):rep(#operation.arguments)
    end
    if not call then return nil end
    local text, known, whole = {}, {}, operation.kind and operation.says:find "of integers"
    for _, name in ipairs(used) do
        local value = whole and not INPUTS[name]:find "int32" and ("int32 (%s)"):format(INPUTS[name]) or INPUTS[name]
        if not known[name] then text[#text + 1] = ("%s = lunarray (%s);"):format(name:sub(1, 1), value) end
        known[name] = true
        call = call:gsub('%f[%w_"]' .. name .. '%f[^%w_"]', name:sub(1, 1))
    end
    text[#text + 1] = ("%s = %s (%s)"):format(results, method.name, call)
    return text
end

-- [values, positions], or y; what is one of several is left out.
local function results_of(operation)
    local list = {}
    for each in (operation.returns or "array"):gmatch "[^;]+" do
        list[#list + 1] = each:match "^%s*%S+%s+([%w_]+)" or "y" .. (#list > 0 and #list + 1 or "")
    end
    return #list == 1 and "y" or "[" .. table.concat(list, ", ") .. "]"
end

-- The arguments; the array itself is `a`, as in the rows' texts.
local function usage(method)
    local list, array = {}, method.operation.owner == "array"
    for item in method.signature:match "%((.*)%)":gmatch "[^,%s][^,]*" do
        if not item:find "=" then list[#list + 1] = array and item == "x" and "a" or item end
    end
    return list
end

-- What the method does, with the options whose values its signature fixes.
local function says(method)
    local text = words(method.operation.says, method.operation)
    for item, value in method.signature:gmatch "([%w_]+) = ([^,)]+)" do
        local text_value = value:find "^%a" and value ~= "true" and ('"%s"'):format(value) or value
        text = text .. (item == "dims" and " Here the dimensions are %s." or " Here `\"" .. item .. "\"` is %s.")
            :format(text_value)
    end
    return text
end

-- What operands and options mean, a row of a table each.
local function meanings(operation)
    local rows = {}
    for _, argument in ipairs(operation.arguments) do
        if argument.name ~= "axis" and argument.means then
            rows[#rows + 1] = ("## @item @var{%s}\n%s")
                :format(argument.name, lines(texinfo(words(argument.means, operation))))
        end
    end
    for _, option in ipairs(operation.options) do
        if not QUIET[option.name] and option.means then
            rows[#rows + 1] = ('## @item "%s"\n%s'):format(option.name, lines(texinfo(words(option.means, operation))))
        end
    end
    return #rows > 0 and "##\n## @table @asis\n" .. table.concat(rows, "\n") .. "\n## @end table\n" or ""
end

local function page_of(header, text, code)
    return ("## -*- texinfo -*-\n## @deftypefn {} {%s}\n%s##\n## @example\n%s\n## @end example\n## @end deftypefn\n\n")
        :format(header, text, code)
end

local function file_of(method)
    local results = results_of(method.operation)
    local list = usage(method)
    local call = example(method, results) or { ("%s = %s (%s)"):format(results, method.name, table.concat(list, ", ")) }
    for i, item in ipairs(list) do list[i] = ("@var{%s}"):format(item) end
    for i, line in ipairs(call) do call[i] = "## " .. line:gsub("[@{}]", "@%0") end
    local header = ("%s = %s (%s)"):format(results:gsub("[%w_]+", "@var{%0}"), method.name, table.concat(list, ", "))
    local text = lines(texinfo(says(method))) .. "\n" .. meanings(method.operation)
    return page_of(header, text, table.concat(call, "\n")) .. ([[
function varargout = %s (varargin)
  [varargout{1:max(1, nargout)}] = __lun_operation__ ('%s', "%s", varargin{:});
endfunction
]]):format(method.name, method.signature, method.operation.name)
end

local function own_file(method)
    return page_of(method.usage, "## " .. method.says .. "\n",
        ("## %s\n##     @result{} %s"):format(method.example, method.shows))
        .. ([[
function varargout = %s (varargin)
  [varargout{1:max(1, nargout)}] = __lunarray__ ("%s", varargin{:});
endfunction
]]):format(method.name, method.name)
end

-- Octave's own function of what the arrays hold.
local function brought_file(name, least)
    return page_of(("%s (@dots{})"):format(name),
        "## Octave's own function of what arrays on the device hold, which it brings back, for a person to look at.\n",
        ("## %s (lunarray (1))"):format(name)) .. ([[
function varargout = %s (varargin)
  here = cellfun (@gather, varargin, "UniformOutput", false);
  [varargout{1:max(%d, nargout)}] = %s (here{:});
endfunction
]]):format(name, least, name)
end

-- Octave's own function, whose results are sent to the device.
local function hosted_file(name, kind)
    local of_sparse = kind == "SPARSE_HOSTED"
    return page_of(("[@var{y}, @dots{}] = %s (@dots{})"):format(name),
        "## Octave's own function, computed on the host: arrays are copied back, which waits, and the results are\n"
        .. "## sent to the device.\n"
        .. (of_sparse and "## This holds for sparse arrays; others are computed on the device.\n" or ""),
        ("## help %s"):format(name)) .. ("function varargout = %s (varargin)\n"):format(name)
        .. (of_sparse and ([[
  if (! any (cellfun (@issparse, varargin)))
    [varargout{1:max(1, nargout)}] = builtin ("%s", varargin{:});
    return;
  endif
]]):format(name) or "") .. ([[
  [varargout{1:max(1, nargout)}] = __lunarray__ ("%s", varargin{:});
endfunction
]]):format(name)
end

-- ---- lists --------------------------------------------------------------------------------------------------

local function keys(of, has)
    local list = {}
    for name, value in pairs(of) do
        if not has or has(value) then list[#list + 1] = name end
    end
    table.sort(list)
    return list
end

local function kind(of)
    return keys(described, function(method) return (method.operation.kind or "") == of end)
end

local SECTIONS = {
    { "By Octave's rules", keys(own) }, { "Several operations in one", keys(written) },
    { "Texts, and what is shown", keys(brought) },
    { "By Octave's own functions, on the host", keys(hosted) },
    { "Reductions", kind "reduction" },
    { "Functions of each element", kind "function" }, { "Further operations", kind "" },
}

local function index()
    local text = { "lunarray >> Arrays on GPUs and other OpenCL devices", "Devices and arrays on them",
        "  lunarray gpuArray gather isgpuarray underlyingType gpuDevice wait lunarray_program lunarray_prepare "
        .. "lunarray_rng" }
    for _, section in ipairs(SECTIONS) do
        text[#text + 1] = section[1]
        for _, name in ipairs(section[2]) do text[#text + 1] = "  @lunarray/" .. name end
    end
    return table.concat(text, "\n") .. "\n"
end

-- What Octave runs when the folder comes onto its path: which functions lunarray.oct has, and that load
-- knows the class.
local function autoload()
    local text = {}
    for name in matches "cat src/octave/*.cc":gmatch "\nDEF%u+_DLD ?%(%s*([%w_]+)," do
        text[#text + 1] =
            ('autoload ("%s", fullfile (fileparts (mfilename ("fullpath")), "lunarray.oct"));\n'):format(name)
    end
    return table.concat(text) .. "__lun_install__ ();\n"
end

local function package(folder)
    assert(os.execute(("mkdir -p '%s/@lunarray'"):format(folder)))
    local function method(name, text) write(("%s/@lunarray/%s.m"):format(folder, name), text) end
    for name, of in pairs(own) do method(name, own_file(of)) end
    for name, of in pairs(described) do method(name, file_of(of)) end
    for name, least in pairs(brought) do method(name, brought_file(name, least)) end
    for name, of in pairs(hosted) do method(name, hosted_file(name, of)) end
    write(folder .. "/PKG_ADD", autoload())
    write(folder .. "/INDEX", index())
end

-- What Octave has in place of operations that are not methods: the names of both. SAME have one name.
local ELSEWHERE = {
    { "operators, as x + y, x .* y, A.'", "add sub mul div pow neg eq ne lt le gt ge land lor lnot t mt transpose" },
    { "x(i, j), x(i, j) = v", "row col slice write put mask_put put_along_axis rows submatrix permute" },
    { "accumarray, with @max, @min or @prod, too", "add_at max_at min_at mul_at" },
    { "lunarray, y = x, gather", "array to copy contiguous totable tobytes" },
    { 'zeros (size (x), "like", x) and so on', "zeros_like ones_like full_like empty_like full empty" },
    { "x(:), reshape, repmat", "flatten expand broadcast" },
    { "a:s:b, logspace, ndgrid, tril (ones (n))", "arange geomspace indices tri" },
    { "rand, randn, randi, lunarray_rng", "random normal randint rng" },
    { "hamming, hanning, blackman, bartlett", "window" },
    { "ifftshift (-floor (n/2):ceil (n/2)-1) / n", "fftfreq rfftfreq" },
    { "bitand, bitor, bitxor", "band bor bxor" },
    { "gamma, gammaln, psi, fix", "tgamma lgamma digamma trunc" },
    { "merge", "where select" },
    { "filter", "lfilter" },
    { "x .^ 2, interp1, max, min", "square interp nanmax nanmin" },
    { "interp2, interp3, interpn", "map_coordinates" },
    { "deconv, trapz", "polydiv trapezoid" },
    { "find, full", "nonzero triplets dense" },
    { "sum (A != 0)", "degree" },
    { "ind2sub, sub2ind", "unravel ravel" },
    { "isequal, cat, pcg", "equal concat cg" },
    { "lu, A \\ b, rcond", "lu_factor lu_solve lu_rcond" },
    { "arrayfun, lunarray_program", "map fuse program" },
    { "nbody in a loop", "simulation" },
    { "save, dlmwrite, fwrite", "save savetxt savez tofile" },
    { "lunarray (dlmread (file)), lunarray (fread (id))", "loadtxt fromfile" },
    { "lunarray (imread (file)), lunarray (audioread (file))", "imread wavread" },
    { "audiowrite (file, gather (x), rate)", "wavwrite" },
    { "nothing: work has one queue", "queue" },
}
local SAME = " corrcoef cov gradient intersect meshgrid periodogram poly polyder polyint quantile setdiff setxor union "
    .. "unwrap "
    .. "vander "
local INNER = "^csr_" -- which others are made of

local function print_elsewhere()
    local known = {}
    print "\n## By another name\n\n| in Octave | in Lua |\n|---|---|"
    for _, row in ipairs(ELSEWHERE) do
        print(("| `%s` | `%s` |"):format(row[1], row[2]))
        for name in row[2]:gmatch "%S+" do known[name] = true end
    end
    for _, operation in ipairs(lun.operations()) do
        local name, owner = operation.name, operation.owner
        local here = described[name] or own[name] or written[name] or mapped[name] or hosted[name] or brought[name]
        for _, signature in ipairs(operation.matlab and operation.matlab ~= "" and { operation.matlab } or {}) do
            here = here or described[signature:match "^[%w_]+"] or written[signature:match "^[%w_]+"]
        end
        assert(here or known[name] or owner == "stream" or owner == "nothing" or owner == "trace" or name:find "_$"
            or name:find(INNER) or SAME:find(" " .. name .. " ", 1, true),
            ("tools/octave.lua: no method, and no other name in ELSEWHERE, for %s"):format(name))
    end
end

local function page()
    print [[
# All of Octave's methods

Printed by `tools/octave.lua` from the rows in `src/core/op/`, whose operations are methods by themselves.
[octave.md](octave.md) lists what Octave does differently. `help @lunarray/maxk` and so on say what each argument and
option means. `a` is the array itself. `dim` counts from 1, and where it is left out it is the first dimension that is
not 1; with `dims`, or without either, all dimensions are meant. `[]` leaves an argument out. Options follow the
arguments, as pairs of name and value. Functions of each element work in functions of `arrayfun`.]]
    for i = 5, #SECTIONS do
        print(("\n## %s\n\n| | |\n|---|---|"):format(SECTIONS[i][1]))
        for _, name in ipairs(SECTIONS[i][2]) do
            local method = described[name]
            print(("| `%s (%s)` | %s |"):format(name, table.concat(usage(method), ", "),
                (says(method):gsub("|", "\\|"))))
        end
    end
    print(("\n## %s\n"):format(SECTIONS[4][1]))
    print "Arrays are copied back, which waits, and the results are sent to the device:\n"
    print("`" .. table.concat(keys(hosted, function(of) return of == "HOSTED" end), " ") .. "`; of sparse arrays also `"
        .. table.concat(keys(hosted, function(of) return of ~= "HOSTED" end), " ") .. "`.")
    print_elsewhere()
end

-- A page of help: of a file in Octave's language, or of a function in C++.
local function help_of(name, folder)
    local places = { folder .. "/" .. name, "octave/inst/" .. name, "octave/inst/alias/" .. name }
    for _, path in ipairs(places) do
        local file <close> = io.open(path .. ".m")
        if file then
            return (file:read "a":match "texinfo %-%*%-(\n.-@end deftypefn)":gsub("\n## ?", "\n"))
        end
    end
    for text in matches "cat src/octave/*.cc":gmatch '"%-%*%- texinfo %-%*%-(.-)@end deftypefn' do
        text = text:gsub('"\n%s*"', ""):gsub("\\n", "\n"):gsub('\\"', '"'):gsub("\\\\", "\\")
        if text:find("[} ]" .. name .. " %(") then return text .. "@end deftypefn" end
    end
    assert(nil, "tools/octave.lua: no page of help for " .. name)
end

local function manual(folder)
    print "\\input texinfo\n@settitle lunarray\n@documentencoding UTF-8"
    print "@macro qcode{text}\n@code{\\text\\}\n@end macro"
    print "@ifnottex\n@node Top\n@top lunarray\n@end ifnottex\n@menu"
    local chapters = {}
    for line in index():gmatch "[^\n]+" do
        if line:find "^ " then
            for name in line:gmatch "%S+" do table.insert(chapters[#chapters], name) end
        elseif not line:find ">>" then
            chapters[#chapters + 1] = { title = line }
            print(("* %s::"):format((line:gsub("[,.:]", ""))))
        end
    end
    print "* Functions::\n@end menu"
    for _, chapter in ipairs(chapters) do
        local node = chapter.title:gsub("[,.:]", "")
        print(("@node %s\n@chapter %s"):format(node, chapter.title))
        for _, name in ipairs(chapter) do
            local plain = name:match "[^/]*$"
            local text = help_of(name, folder):gsub("(@deftypefnx?) {} {([^\n]*)}%f[\n]", function(command, form)
                local results, call = form:match("^(.-)%f[%w_](" .. plain .. "[%w.]* [^=]*)$") -- for the index
                return results and ("%s {} {%s} %s"):format(command, results, call)
            end)
            print(text .. "\n")
        end
    end
    print "@node Functions\n@unnumbered Functions\n@printindex fn\n@bye"
end

if arg[1] == "package" then
    package(arg[2])
elseif arg[1] == "manual" then
    manual(arg[2])
else
    page()
end
