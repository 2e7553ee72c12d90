-- What every operation promises, tried for one call of spec/calls.lua at a time. The specs of
-- spec/contract/ walk them all.

local lun = require "lunarray"
local calls = require "spec.calls"
local helper = require "spec.helper"
local reference = require "spec.reference"

local contract = { path = "/nowhere/x" } -- a file's, for calls that write or read one

-- Writes a file for a call that reads one.
local function prepared(kind, path, array)
    local write = { text = array.savetxt, raw = array.tofile, picture = function()
        require("lunarray.plot").image(path, array)
    end, sound = function()
        array:wavwrite(path, 8000)
    end }
    write[kind](array, path)
    return true
end

contract.LONG = os.getenv "LUNARRAY_LONG" ~= nil

local SIZES = { n = 3, m = 4 }
local ITEMS = 3 -- of a batch
local SENTINEL = 77

-- ---- dtypes ---------------------------------------------------------------------------------------------

local KINDS = { bool = "b", f16 = "h", bf16 = "h", f32 = "f", f64 = "f", c64 = "c", c128 = "c" }
local COMPLEX = { f32 = "c64", f64 = "c128", c64 = "c64", c128 = "c128" }
local REAL = { c64 = "f32", c128 = "f64" }
local EPS = { f16 = 2.0 ^ -10, bf16 = 2.0 ^ -7, f32 = 2.0 ^ -23, c64 = 2.0 ^ -23, f64 = 2.0 ^ -52, c128 = 2.0 ^ -52 }

-- b, i, h, f or c.
local function kind_of(dtype)
    return KINDS[dtype] or "i"
end

-- A number of the call's text, by which it has a part of what there is for good.
local function share_of(row)
    local sum = 0
    for byte in row.code:gmatch "." do
        sum = sum * 31 + byte:byte() & 0xffff
    end
    return sum
end

-- Dtypes of a kind.
local ALIKE = {
    { "bool" },
    { "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64" },
    { "f16", "bf16" },
    { "f64" },
    { "c64", "c128" },
}

-- With LUNARRAY_LONG=1 each call is tried with all kinds of dtypes that it takes besides its own. They are kernels to
-- build: otherwise every second example of an operation is tried with one of them, and one in four of reductions and
-- functions.
local function kinds_tried(row, operation)
    local one_in = type(row.takes) == "table" and 4 or 2
    local chosen = row.code == operation.example and share_of(row) // 4 % one_in == 0
    return (contract.LONG or row.in_depth) and #ALIKE or chosen and 1 or 0
end

-- The dtypes that a call is tried with besides its own: with LUNARRAY_LONG=1 all, else one of each kind that it
-- refuses, and one of some kinds that it takes.
local function dtypes_of(row, operation)
    local sum, some, left = share_of(row), {}, kinds_tried(row, operation)
    for turn = 0, #ALIKE - 1 do
        local list = ALIKE[(sum + turn) % #ALIKE + 1]
        for _, dtype in ipairs(contract.LONG and list or { list[sum % #list + 1] }) do
            local taken = contract.takes(row, dtype)
            if dtype ~= row.base and (contract.LONG or not taken or left > 0) then
                some[#some + 1] = dtype
                left = left - (taken and 1 or 0)
            end
        end
    end
    return some
end

-- Is the call tried? With LUNARRAY_LONG=1 all are. Otherwise each operation is, by its example, and every second of its
-- further calls; of reductions and functions, which are one operation each, every second one, and of those in place,
-- whose kernels are those of the functions, one in four.
local function is_tried(row, operation)
    local by_rows = type(row.takes) == "table"
    local one_in = row.in_place and 4 or (by_rows or row.code ~= operation.example) and 2 or 1
    return contract.LONG or share_of(row) % one_in == 0
end

-- What a result's dtype is, by the dtype of the call's numbers.
local function by_kind(bool, integer, half, complex)
    return function(dtype)
        local kind = kind_of(dtype)
        local rule = kind == "b" and bool or kind == "i" and integer or kind == "h" and half or kind == "c" and complex
        return type(rule) == "function" and rule(dtype) or rule or dtype
    end
end
local function sum_of(dtype) return dtype == "u64" and "u64" or "i64" end
local function part_of(dtype) return REAL[dtype] end
contract.rules = {
    same = by_kind(),
    number = by_kind("i64"), -- truth values are counted
    size = by_kind("i64", nil, nil, part_of),
    angle = by_kind("f32", "f32", nil, part_of),
    keeps = by_kind("f64", "f64"), -- 16-bit floats stay
    float = by_kind("f64", "f64", "f32"),
    real = by_kind("f64", "f64", "f32", part_of),
    sum = by_kind("i64", sum_of, "f32"),
    total = by_kind("i64", sum_of, "f32", part_of),
    power = by_kind("i64", "i64"),
    pow = by_kind("f32", function(dtype) return dtype:find "8$" and "f32" or dtype:find "16$" and "f32" or "f64" end),
    single = by_kind("f32", "f32"),
    floating = by_kind("f32", "f32", "f32"), -- of the default dtype
    part = by_kind(nil, nil, nil, part_of),
    complex = function(dtype) return COMPLEX[dtype] or "c64" end,
    wide = function(dtype) return COMPLEX[dtype] or kind_of(dtype) == "h" and "c64" or "c128" end,
    component = function(dtype) return REAL[COMPLEX[dtype] or "c64"] end, -- of what is complex
}

-- ---- inputs ---------------------------------------------------------------------------------------------

local function dtype_of(kind, dtype)
    if kind == "position" then
        return "i32"
    elseif kind == "row" then
        return "i64"
    elseif kind == "truth" then
        return "bool"
    elseif kind == "real" then
        return REAL[dtype] or dtype
    end
    return kind == "complex" and (COMPLEX[dtype] or "c64") or dtype
end

-- An input as it is, in memory of its own: of a case with dtype, sizes and item, or all items one behind the other.
local function plain(dev, name, case)
    local kind, sizes, value = table.unpack(calls.inputs[name])
    local shape, count = {}, 1
    for axis, size in ipairs(sizes) do
        shape[axis] = case.sizes[size] or size
        count = count * shape[axis]
    end
    local dtype = dtype_of(kind, case.dtype)
    local batched = case.batch and case.batch:find("%f[%w_]" .. name .. "%f[^%w_]")
    local list = {}
    local together = batched and not case.item
    for item = batched and case.item or 0, together and ITEMS - 1 or batched and case.item or 0 do
        for i = 0, count - 1 do
            local x = value(i, item, shape[#shape])
            list[#list + 1] = kind_of(dtype) == "c" and lun.complex(x, value(i + 5, item, shape[#shape]) * 0.5) or x
        end
    end
    if together then
        table.insert(shape, 1, ITEMS)
    end
    local wide = kind_of(dtype) == "c" and "c128" or "f64"
    local array = #list == 0 and dev:zeros(shape, dtype) or dev:array(list, wide):reshape(shape):cast(dtype)
    local numbers = kind == "number" or kind == "real" or kind == "complex"
    return case.widened and numbers and array:cast(case.widened == "float" and wide or case.widened) or array
end

-- Views of a new array of sentinels that have the shape of another one: name = function(shape, new) -> view, array.
local layouts = {}

function layouts.middle(shape, new)
    local sizes, ranges = {}, {}
    for axis, size in ipairs(shape) do
        sizes[axis], ranges[axis] = size + 3, { 3, size + 2 }
    end
    if #shape == 0 then
        sizes, ranges = { 3 }, { 2 }
    end
    local whole = new(sizes)
    return whole:slice(table.unpack(ranges)), whole
end

function layouts.flip(shape, new)
    local whole = new(shape)
    return #shape > 0 and whole:flip() or whole, whole
end

function layouts.step(shape, new)
    local sizes, ranges = {}, {}
    for axis, size in ipairs(shape) do
        sizes[axis] = size * (axis % 2 + 1)
        ranges[axis] = axis % 2 == 1 and { 2 * size, 1, -2 } or { 1, size }
        if #shape == 1 then
            ranges[axis] = { 1, 2 * size, 2 }
        end
    end
    local whole = new(sizes)
    return #shape > 0 and whole:slice(table.unpack(ranges)) or whole, whole
end

function layouts.transposed(shape, new)
    local sizes = {}
    for axis, size in ipairs(shape) do
        sizes[#shape + 1 - axis] = size
    end
    local whole = new(sizes)
    return whole:t(), whole
end

function layouts.parts(shape, new, dtype)
    if dtype ~= "f32" and dtype ~= "f64" then
        return layouts.middle(shape, new)
    end
    local whole = new(shape, COMPLEX[dtype])
    return whole:imag(), whole
end

local LAYOUTS = { "middle", "flip", "step", "transposed", "parts" }

-- The layouts that a call is tried with: two of them, each with its own two; with LUNARRAY_LONG=1 all.
local function layouts_of(row)
    if contract.LONG then
        return LAYOUTS
    end
    local first = share_of(row) % #LAYOUTS
    return { LAYOUTS[first + 1], LAYOUTS[(first + 2) % #LAYOUTS + 1] }
end

-- A view with the values of an array, and what tells whether anything beside the view was written.
local function laid(array, layout)
    local dev, dtype = array:device(), array:dtype()
    local sentinel = dtype == "bool" or SENTINEL
    local view, whole = layouts[layout]({ array:shape() }, function(shape, other)
        return dev:full(shape, sentinel, other or dtype)
    end, dtype)
    view:fill(sentinel)
    local before = whole:tobytes()
    view:write(array)
    return view, function()
        view:fill(sentinel)
        return whole:tobytes() == before
    end
end

local function names_in(row)
    local list = {}
    for name in row.code:gsub("'[^']*'", ""):gsub("[%w_]+ = ", ""):gmatch "%f[%w_.:]%a[%w_]*" do
        if calls.inputs[name] and not list[name] then
            list[name], list[#list + 1] = true, name
        end
    end
    return list
end

-- Those inputs, with another one of that name.
local function replaced(inputs, name, other)
    local all = {}
    for key, array in pairs(inputs) do
        all[key] = key == name and other or array
    end
    return all
end

local function changed_by(row, name)
    return row.changes and row.changes:find("%f[%w_]" .. name .. "%f[^%w_]") ~= nil
end

-- ---- running a call -------------------------------------------------------------------------------------

-- Puts options into a call's text: into its table of them, where it has one.
local function with(code, options)
    if not options then
        return code
    end
    local front, inside = code:match "^(.*)(%b{})%)?$"
    if front and inside:find "^{%s*}$" then
        return ("%s{ %s }%s"):format(front, options, code:match "%)?$")
    elseif front and (inside:find "=" or not code:find "%)$") then
        return ("%s%s, %s }%s"):format(front, inside:sub(1, -2), options, code:match "%)?$")
    end
    return ("%s%s{ %s })"):format(code:sub(1, -2), code:find "%(%)$" and "" or ", ", options)
end

-- What the names of a call's text are.
local function environment(dev, row, inputs, others)
    local env = { lun = lun, dev = dev, rng = dev:rng(1), path = contract.path, prepared = prepared }
    for _, names in ipairs { inputs, row.env or {}, others or {} } do
        for name, value in pairs(names) do
            env[name] = value
        end
    end
    return setmetatable(env, { __index = _G })
end

-- The inputs of a call for a case, and the checks of what stands around views.
local function inputs_of(dev, row, case)
    local inputs, guards = {}, {}
    for _, name in ipairs(names_in(row)) do
        inputs[name] = plain(dev, name, case)
        if case.layout then
            inputs[name], guards[name] = laid(inputs[name], case.layout)
        end
    end
    return inputs, guards
end

-- What a call gave: a list of { what, dtype, shape, list of numbers }, one for each array, number or other value.
local function record(list, value)
    local kind = lun.type(value) or type(value)
    if kind == "array" then
        local shape, numbers = { value:shape() }, {}
        for i, x in ipairs(helper.flat(value)) do
            if type(x) == "boolean" then
                numbers[i] = x and 1 or 0
            elseif type(x) == "userdata" then
                numbers[#numbers + 1], numbers[#numbers + 2] = x.re, x.im
            else
                numbers[i] = x
            end
        end
        list[#list + 1] = { what = "array", dtype = value:dtype(), shape = shape, list = numbers }
    elseif kind == "complex" then
        list[#list + 1] = { what = "number", list = { value.re, value.im } }
    elseif kind == "number" then
        list[#list + 1] = { what = "number", list = { value } }
    elseif kind == "table" then
        local keys = {}
        for key in pairs(value) do
            keys[#keys + 1] = key
        end
        table.sort(keys, function(x, y) return tostring(x) < tostring(y) end)
        for _, key in ipairs(keys) do
            record(list, value[key])
        end
    elseif kind == "boolean" or kind == "string" then
        list[#list + 1] = { what = kind, list = { kind == "boolean" and (value and 1 or 0) or value } }
    end
    return list
end

-- Runs a call; gives its results as they are, or nil and the error.
local function run(dev, row, inputs, options, others)
    local f = assert(load("return " .. with(row.code, options), row.code, "t", environment(dev, row, inputs, others)))
    local results = table.pack(pcall(f))
    if not results[1] then
        return nil, tostring(results[2])
    end
    return table.pack(table.unpack(results, 2, results.n))
end

local function recorded(results)
    local list = {}
    for i = 1, results.n do
        record(list, results[i])
    end
    return list
end

-- What a call gives and what its inputs hold afterwards, or nil and the error.
local function outcome(dev, row, case, options, others)
    local inputs, guards = inputs_of(dev, row, case)
    local results, problem = run(dev, row, inputs, options, others)
    local list
    if results then
        local ok, failure = pcall(function() list = recorded(results) end)
        problem = not ok and tostring(failure) or nil
    end
    local after = {}
    for _, name in ipairs(names_in(row)) do
        record(after, inputs[name])
    end
    for name, guard in pairs(guards) do
        assert(guard(), name .. ": elements beside the view were written")
    end
    if problem then
        return nil, problem, after
    end
    return list, nil, after
end

-- ---- comparing ------------------------------------------------------------------------------------------

local function show(one)
    local list = {}
    for i = 1, math.min(#one.list, 12) do
        list[i] = type(one.list[i]) == "number" and ("%.9g"):format(one.list[i]) or tostring(one.list[i])
    end
    return ("%s %s {%s}"):format(one.dtype or one.what, table.concat(one.shape or {}, "x"),
        table.concat(list, " "))
end

local function same(x, y)
    return x == y and (x ~= 0 or 1 / x == 1 / y) or x ~= x and y ~= y
end

-- Is one number near another? An unsigned one may have wrapped.
local function near(x, y, bound)
    if type(x) ~= "number" or type(y) ~= "number" or x ~= x or y ~= y or x == y then
        return x == y or x ~= x and y ~= y
    end
    return math.abs(x - y) <= bound
end

-- Raises unless two lists of records are alike: to the bit, or within `bound` times the largest number of each array.
local function alike(expected, actual, bound, what)
    if #expected ~= #actual then
        error(("%s: %d results, expected %d"):format(what, #actual, #expected), 0)
    end
    for place, x in ipairs(expected) do
        local y = actual[place]
        local fine = #x.list == #y.list and (bound or x.dtype == y.dtype)
            and (not x.shape or not y.shape or table.concat(x.shape, "x") == table.concat(y.shape, "x"))
        local largest = 0
        for _, value in ipairs(x.list) do
            if type(value) == "number" and value == value and math.abs(value) < math.huge then
                largest = math.max(largest, math.abs(value))
            end
        end
        for i = 1, fine and #x.list or 0 do
            local p, q = x.list[i], y.list[i]
            if bound then
                fine = fine and near(p, q, bound * largest)
            else
                fine = fine and same(p, q)
            end
        end
        if not fine then
            error(("%s: result %d is\n    %s, expected\n    %s"):format(what, place, show(y), show(x)), 0)
        end
    end
end

local function eps_of(list)
    local eps = 0
    for _, each in ipairs(list) do
        eps = math.max(eps, EPS[each.dtype] or each.what == "number" and EPS.f32 or 0)
    end
    return eps
end

-- ---- the promises ---------------------------------------------------------------------------------------

local function case_of(row, fields)
    local case = { dtype = row.base or "f32", sizes = SIZES }
    for key, value in pairs(fields or {}) do
        case[key] = value
    end
    return case
end

local function option(operation, name, row)
    if row.without and row.without:find(name, 1, true) then
        return false
    end
    for _, each in ipairs(operation.options) do
        if each.name == name then
            return true
        end
    end
    return false
end

-- How far two ways of computing in that precision may be from one another, for sums of some numbers.
local function bound_of(row, list)
    return eps_of(list) * 32 * (row.loose or 1)
end

local function expect(dev, row, case)
    local list, problem, after = outcome(dev, row, case)
    if not list then
        error("raised " .. problem, 0)
    end
    return list, after
end

-- Inputs that no call changes are what they were.
local function unchanged(dev, row, case, after, what)
    local place = 0
    for _, name in ipairs(names_in(row)) do
        place = place + 1
        if not changed_by(row, name) then
            alike(record({}, plain(dev, name, case)), { after[place] }, nil, what .. ": the input " .. name)
        end
    end
end

-- Views give what arrays in memory of their own do, and change nothing beside them.
function contract.views(dev, row)
    local list, after = expect(dev, row, case_of(row))
    unchanged(dev, row, case_of(row), after, "a call")
    for _, layout in ipairs(layouts_of(row)) do
        local got, problem, left = outcome(dev, row, case_of(row, { layout = layout }))
        if row.dense then
            assert(got or problem:find "lunarray: ", problem)
        elseif not got then
            error(("of views (%s) raised %s"):format(layout, problem), 0)
        end
        alike(list, got or list, bound_of(row, list), "views (" .. layout .. ")")
        alike(after, got and left or after, bound_of(row, after), "what views hold (" .. layout .. ")")
        unchanged(dev, row, case_of(row), left, "views (" .. layout .. ")")
    end
end

-- Inputs whose rows are one row, and views with steps of zero, which have that; such a view is never written to.
function contract.zero_steps(dev, row)
    if row.dense then
        return
    end
    local dense, views = inputs_of(dev, row, case_of(row))
    for name, array in pairs(dense) do
        if #calls.inputs[name][2] == 2 and array:size() > 0 then
            local one = array:slice({ 1, 1 })
            views[name] = one:broadcast { array:shape() }
            dense[name] = views[name]:copy()
            if changed_by(row, name) then
                local results, problem = run(dev, row, replaced(dense, name, views[name]))
                assert(not results and problem:find "lunarray: ", "writes to a view with a step of 0 are not refused")
                return
            end
        else
            views[name] = array
        end
    end
    local expected, refused = run(dev, row, dense)
    local got, problem = run(dev, row, views)
    if not expected or not got then
        assert(not expected and not got, "with steps of zero: " .. tostring(refused or problem))
        return
    end
    local ok, list = pcall(recorded, expected)
    pcall(dev.finish, dev)
    if ok then -- else the values are refused: a matrix of equal rows is singular
        alike(list, recorded(got), bound_of(row, list), "views with steps of zero")
    end
end

-- The dtype and the sizes that a call promises, for its own sizes and others.
local function promised(row, list, case, what)
    for place, text in ipairs(row.gives or {}) do
        local rule, sizes = text:match "^%s*(%S+)%s*(.*)$"
        local got, shape = list[place], {}
        if not got then
            error(("%s: result %d is not there, expected %s"):format(what, place, text), 0)
        end
        for size in sizes:gmatch "%S+" do
            local names = { n = case.sizes.n, m = case.sizes.m, min = math.min, max = math.max }
            local any = size == "?" and got.shape and got.shape[#shape + 1]
            shape[#shape + 1] = any or math.tointeger(load("return " .. size, size, "t", names)())
        end
        local dtype = contract.rules[rule] and contract.rules[rule](case.dtype) or rule
        local fine = got.what == "array" and got.dtype == dtype
        fine = fine and table.concat(got.shape, "x") == table.concat(shape, "x") or got.what == rule
        if not fine then
            error(("%s: result %d is %s, expected %s: %s %s"):format(what, place, show(got), text, dtype,
                table.concat(shape, "x")), 0)
        end
    end
    if row.gives and #row.gives ~= #list then
        error(("%s: %d results, expected %d"):format(what, #list, #row.gives), 0)
    end
end

-- What the first result's dtype is, of numbers of that dtype.
local function result_of(row, dtype)
    local rule = row.gives[1]:match "%S+"
    return contract.rules[rule] and contract.rules[rule](dtype) or rule
end

-- Does a call promise to take numbers of that dtype? One in place must hold its result.
function contract.takes(row, dtype)
    local kinds, taken = row.takes or "bihfc", false
    if type(kinds) == "table" then
        for _, each in ipairs(kinds) do
            taken = taken or each == dtype
        end
    else
        taken = kinds:match "^%a*":find(kind_of(dtype), 1, true) ~= nil and not kinds:find("!" .. dtype, 1, true)
    end
    return taken and (not row.in_place or result_of(row, dtype) == dtype)
end

-- The dtype with which a call's results are compared: integers that give integers, which wrap around and divide by zero
-- as integers do, with i64 (and that with i32, whose values here are far from its ends); all others with f64 or c128.
local function wide_of(row, dtype)
    local integers = row.gives and row.gives[1] and kind_of(dtype) == "i" and kind_of(result_of(row, dtype)) == "i"
    return integers and (dtype == "i64" and "i32" or "i64") or "float"
end

-- A number as a cast to a dtype gives it: an integer modulo 2^bits, a float beyond the range of f16 as infinity.
local function wrapped(x, dtype)
    local sign, bits = dtype:match "^([iu])(%d+)$"
    if dtype == "f16" and type(x) == "number" and math.abs(x) >= 65520 then
        return x > 0 and math.huge or -math.huge
    end
    if not bits or bits == "64" or math.type(x) ~= "integer" then
        return x
    end
    local beyond = 1 << math.tointeger(tonumber(bits))
    local low = x & beyond - 1
    return sign == "i" and low >= beyond // 2 and low - beyond or low
end

-- What a call gives for numbers of a wide dtype, cast as far as integers are concerned to the dtypes of `list`.
local function reference_of(dev, row, dtype, list)
    local wide = expect(dev, row, case_of(row, { dtype = dtype, widened = wide_of(row, dtype) }))
    for place, each in ipairs(wide) do
        for i, x in ipairs(each.list) do
            each.list[i] = wrapped(x, list[place] and list[place].dtype or "")
        end
    end
    return wide
end

-- What is taken gives what wide numbers of the same values do; what is not taken is refused by its name.
function contract.dtypes(dev, row, operation)
    if row.in_place and not contract.LONG then -- its kernels are those of the function itself
        return
    end
    promised(row, (expect(dev, row, case_of(row))), case_of(row), row.base or "f32")
    for _, dtype in ipairs(dtypes_of(row, operation)) do
        local case = case_of(row, { dtype = dtype })
        local list, problem = outcome(dev, row, case)
        local taken = contract.takes(row, dtype)
        if not list then
            if taken then
                error(("of %s raised %s"):format(dtype, problem), 0)
            end
            assert(problem:find "lunarray: ", problem)
        elseif not taken then
            error(dtype .. " is taken, expected a refusal", 0)
        else
            promised(row, list, case, dtype)
            if not row.raw then
                local wide = reference_of(dev, row, dtype, list)
                alike(wide, list, bound_of(row, list), dtype .. " beside wide numbers")
            end
        end
    end
end

-- Where the call's own array has a dtype of its own, the case's numbers do not try the dtypes that the operation takes:
-- it refuses an array of every other one. Gives how many it refuses.
function contract.own_dtypes(dev, row, operation)
    local count, name = 0, calls.own_name(row.code)
    local listed = " " .. table.concat(operation.dtypes, " ") .. " "
    for _, dtype in ipairs(lun.dtypes()) do
        local inputs = inputs_of(dev, row, case_of(row))
        local array = inputs[name]
        if not listed:find(" " .. dtype.name .. " ", 1, true) then
            local parts = kind_of(array:dtype()) == "c" and kind_of(dtype.name) ~= "c" and array:real() or array
            local results, problem = run(dev, row, replaced(inputs, name, parts:cast(dtype.name)))
            assert(not results and problem:find "lunarray: ", ("%s of %s is taken"):format(row.code, dtype.name))
            count = count + 1
        end
    end
    return count
end

-- No elements, and one: no crash, and the sizes that are promised, or an error that says why not.
function contract.sizes(dev, row)
    if row.fixed then
        return
    end
    local all = { { n = 0, m = 4 }, { n = 3, m = 0 }, { n = 0, m = 0 }, { n = 1, m = 1 }, { n = 1, m = 4 } }
    for _, sizes in ipairs(all) do
        local what = ("sizes %d and %d"):format(sizes.n, sizes.m)
        local list, problem = outcome(dev, row, case_of(row, { sizes = sizes }))
        if not list then
            assert(problem:find "lunarray: ", what .. ": " .. tostring(problem))
            assert(sizes.n * sizes.m == 0 or row.wants, what .. " raised " .. problem)
        else
            promised(row, list, case_of(row, { sizes = sizes }), what)
            local views, refused = outcome(dev, row, case_of(row, { sizes = sizes, layout = "middle" }))
            assert(views or row.dense, ("%s of views raised %s"):format(what, refused))
            alike(list, views or list, bound_of(row, list), what .. " of views")
        end
    end
end

-- Matrices or lines of a batch have the bits that each has alone.
function contract.batches(dev, row)
    if not row.batch then
        return
    end
    local together = expect(dev, row, case_of(row, { batch = row.batch }))
    for item = 0, ITEMS - 1 do
        local left = {}
        local alone = expect(dev, row, case_of(row, { batch = row.batch, item = item }))
        for place, each in ipairs(together) do
            local count = #each.list // ITEMS
            left[place] = { what = "array", dtype = alone[place] and alone[place].dtype,
                list = table.move(each.list, item * count + 1, (item + 1) * count, 1, {}) }
        end
        local bound = row.rounded and bound_of(row, alone)
        alike(alone, left, bound, ("item %d of a batch, beside it alone"):format(item + 1))
    end
end

-- The results of a call that are arrays.
local function arrays_of(results)
    local list = {}
    for i = 1, results.n do
        list[i] = lun.type(results[i]) == "array" and results[i] or nil
    end
    return #list == results.n and list or nil
end

local OVERLAP = "overlap|share"
-- What matmul, draws, copies and bodies say, and draws of a dtype.
local OWN_SHAPES = "; the product has |; the result is |shapes differ: |out must be "
local OWN_DTYPES = "is a dtype of integers|out must be "

local function refuses(dev, row, inputs, outs, pattern, what)
    local results, problem = run(dev, row, inputs, "out = OUT", { OUT = #outs > 1 and outs or outs[1] })
    assert(not results, what .. " is not refused")
    local fits = false
    for each in pattern:gmatch "[^|]+" do
        fits = fits or problem:find(each, 1, true)
    end
    assert(problem:find "lunarray: " and fits, ("%s says %s"):format(what, tostring(problem)))
end

-- Two arrays whose memory is the same but for the first element of one and the last of the other.
local function overlapping(dev, dtype, first, second)
    local sizes = { reference.size(first), reference.size(second) }
    local memory = dev:full({ math.max(sizes[1], sizes[2]) + 1 }, 1, dtype)
    local from = sizes[1] > 1 and 2 or 1
    return memory:slice({ 1, sizes[1] }):reshape(first), memory:slice({ from, from + sizes[2] - 1 }):reshape(second)
end

-- `out`: new arrays, views, and what must be refused.
function contract.outs(dev, row, operation)
    if not option(operation, "out", row) then
        return
    end
    local case = case_of(row)
    local results = assert(run(dev, row, (inputs_of(dev, row, case))))
    if row.batch and not arrays_of(results) then -- numbers, which are arrays for a batch
        case = case_of(row, { batch = row.batch })
        results = assert(run(dev, row, (inputs_of(dev, row, case))))
    end
    local list, arrays = recorded(results), arrays_of(results)
    for i = arrays and #arrays or 0, (row.outs or 99) + 1, -1 do
        arrays[i], list[i] = nil, nil
    end
    if not arrays or #arrays == 0 then
        return
    end
    local function news(layout)
        local outs, guards = {}, {}
        for i, array in ipairs(arrays) do
            outs[i] = dev:full({ array:shape() }, 1, array:dtype())
            if layout then
                outs[i], guards[i] = laid(outs[i], layout)
            end
        end
        return outs, guards
    end
    for _, layout in ipairs { false, table.unpack(layouts_of(row)) } do
        local outs, guards = news(layout)
        local inputs = inputs_of(dev, row, case)
        local what = "out " .. (layout or "of its own")
        local given, problem = run(dev, row, inputs, "out = OUT", { OUT = #outs > 1 and outs or outs[1] })
        assert(given, what .. " raised " .. tostring(problem))
        alike(list, recorded { n = #outs, table.unpack(outs) }, bound_of(row, list), what)
        local after = {}
        for _, name in ipairs(names_in(row)) do
            record(after, inputs[name])
        end
        unchanged(dev, row, case, after, what)
        for i, guard in pairs(guards) do
            assert(guard(), ("%s: elements beside out %d were written"):format(what, i))
        end
    end
    local inputs = inputs_of(dev, row, case)
    for i, array in ipairs(arrays) do
        local outs, shape = news(), { array:shape() }
        shape[#shape] = (shape[#shape] or 1) + 1
        outs[i] = dev:zeros(shape, array:dtype())
        local has = (" has shape %s; the result has %s|%s"):format(table.concat(shape, "x"),
            table.concat({ array:shape() }, "x"), OWN_SHAPES)
        refuses(dev, row, inputs, outs, has, ("out %d of another shape"):format(i))
        outs[i] = dev:zeros({ array:shape() }, array:dtype() == "i16" and "u16" or "i16")
        if not row.any then
            local is = (" is %s; the | is %s, and the |%s"):format(outs[i]:dtype(), outs[i]:dtype(), OWN_DTYPES)
            refuses(dev, row, inputs, outs, is, ("out %d of another dtype"):format(i))
        end
        for _, name in ipairs(names_in(row)) do -- where that dtype can be the input's
            local numbers = calls.inputs[name][1] ~= "position" and calls.inputs[name][1] ~= "truth"
            local fits = inputs[name]:dtype() == array:dtype()
            if numbers and fits and inputs[name]:size() > 1 and not changed_by(row, name) then
                local input
                outs = news()
                input, outs[i] = overlapping(dev, array:dtype(), { inputs[name]:shape() }, { array:shape() })
                input:write(inputs[name])
                local what = ("out %d over the input %s"):format(i, name)
                refuses(dev, row, replaced(inputs, name, input), outs, OVERLAP, what)
            end
        end
        for j = i + 1, #arrays do
            if arrays[j]:dtype() == array:dtype() and array:size() > 1 then
                outs = news()
                outs[i], outs[j] = overlapping(dev, array:dtype(), { array:shape() }, { arrays[j]:shape() })
                refuses(dev, row, inputs, outs, OVERLAP, ("outs %d and %d over one another"):format(i, j))
            end
        end
    end
end

-- New arrays for the results of a call that `out` takes; none where it takes no `out`.
local function new_outs(dev, row, operation, results)
    local outs = {}
    for i, array in ipairs(option(operation, "out", row) and arrays_of(results) or {}) do
        outs[i] = i <= (row.outs or 99) and dev:full({ array:shape() }, 1, array:dtype()) or nil
    end
    return outs
end

local queues

-- Two queues of a device, and a function that occupies one of them for some 10 ms.
local function queues_of(dev)
    if not queues then
        queues = { dev:queue(), dev:queue(), work = {} }
        for _, queue in ipairs(queues) do
            queues.work[queue] = helper.long_work(dev, queue)
        end
    end
    return queues[1], queues[2], function(queue) queues.work[queue](0.04) end
end

-- Calls on several queues keep their order: what is written before is read, and what is written after is not.
function contract.order(dev, row, operation)
    if not option(operation, "queue", row) then
        return
    end
    local list, after = expect(dev, row, case_of(row))
    local first, second, delay = queues_of(dev)
    local values = inputs_of(dev, row, case_of(row))
    -- The inputs with other numbers, with which the call works, too.
    local function garbage()
        local others = {}
        for name in pairs(values) do
            others[name] = plain(dev, name, case_of(row, { batch = name, item = 1 }))
        end
        return others
    end
    -- Runs the call on a queue; gives its results, which must be right, as must what it leaves of the inputs.
    local function right(inputs, queue, what, outs)
        local out = outs and outs[1] and ", out = OUT" or ""
        local given = { Q = queue, OUT = outs and (#outs > 1 and outs or outs[1]) }
        local results, problem = run(dev, row, inputs, "queue = Q" .. out, given)
        assert(results, problem)
        return results, function()
            alike(list, recorded(results), bound_of(row, list), what)
            local left = {}
            for _, name in ipairs(names_in(row)) do
                record(left, inputs[name])
            end
            return left
        end
    end
    local function left_alike(left, what)
        alike(after, left, bound_of(row, after), "what is left of " .. what)
    end

    local what, inputs = "inputs that another queue writes", garbage()
    dev:finish()
    delay(first)
    for name, array in pairs(values) do
        array:copy { out = inputs[name], queue = first }
    end
    local results, look = right(inputs, second, what)
    left_alike(look(), what)

    -- The inputs are lost on another queue while the call waits in its own.
    inputs = inputs_of(dev, row, case_of(row))
    local others = garbage()
    dev:finish()
    delay(second)
    delay(second)
    look = select(2, right(inputs, second, "inputs that another queue overwrites"))
    for name, array in pairs(inputs) do
        if not changed_by(row, name) then
            others[name]:copy { out = array, queue = first }
        end
    end
    look()

    -- Another queue reads late what stands where the call writes.
    what, inputs = "outputs that another queue reads", inputs_of(dev, row, case_of(row))
    local outs, written, kept = new_outs(dev, row, operation, results), {}, {}
    for name, array in pairs(inputs) do
        written[#written + 1] = changed_by(row, name) and array or nil
    end
    table.move(outs, 1, #outs, #written + 1, written)
    local before = recorded { n = #written, table.unpack(written) }
    dev:finish()
    delay(second)
    for i, array in ipairs(written) do
        kept[i] = array:copy { queue = second }
    end
    look = select(2, right(inputs, first, what, outs))
    alike(before, recorded { n = #kept, table.unpack(kept) }, nil, what)
    left_alike(look(), what)
end

-- A released input, a variant and an option that there are not: errors that say so, and name the method.
function contract.misuse(dev, row, operation)
    local function raises(inputs, options, message)
        local results, problem = run(dev, row, inputs, options)
        assert(not results, message .. ": no error")
        assert(problem:find("lunarray: ", 1, true) and problem:find(message, 1, true), problem)
    end
    local inputs = inputs_of(dev, row, case_of(row))
    for _, name in ipairs(option(operation, "queue", row) and names_in(row) or {}) do
        local gone = inputs[name]:copy()
        gone:release()
        raises(replaced(inputs, name, gone), nil, "the array was released")
    end
    if option(operation, "variant", row) then
        raises(inputs, "variant = 'fastest'", "unknown variant 'fastest'; ")
    end
    local call = "[:.]" .. row.name .. " ?"
    local last = row.code:find(call .. "%b()$") or row.code:find(call .. "%b{}$")
    if operation.options[1] and last and not row.without then
        local known = {}
        for place, each in ipairs(operation.options) do
            known[place] = each.name
        end
        raises(inputs, "nonsense = 1", "unknown option 'nonsense'; known are " .. table.concat(known, ", "))
    end
end

-- An event gives what the call would have given.
function contract.async(dev, row, operation)
    if not option(operation, "async", row) then
        return
    end
    local list = expect(dev, row, case_of(row))
    local results, problem = run(dev, row, (inputs_of(dev, row, case_of(row))), "async = true")
    assert(results, problem)
    assert(lun.type(results[1]) == "event", "async gives no event")
    local later = recorded(table.pack(results[1]:get()))
    if row.report then -- what the call gives of itself stands in arrays then
        list, later = { list[1] }, { later[1] }
    end
    alike(list, later, bound_of(row, list), "an event's results")
end

-- Results that are dropped, of calls that succeed and of one that fails, give back their memory.
function contract.memory(dev, row, operation)
    local function live()
        pcall(dev.finish, dev)
        collectgarbage()
        collectgarbage()
        return dev:memory().live
    end
    local inputs = inputs_of(dev, row, case_of(row))
    local before = live()
    for _ = 1, 2 do
        assert(run(dev, row, inputs))
    end
    if option(operation, "out", row) then
        assert(not run(dev, row, inputs, "out = OUT", { OUT = dev:zeros { 1, 1, 1, 1, 1, 1, 1 } }), "any out is taken")
    end
    local left = live() - before
    assert(left == 0, ("%d bytes are still live after the call"):format(left))
end

-- The arguments of a call, as many as the operation may have, behind them a table of options where it takes one:
-- that of the call or an empty one. They come from running the call's text with stand-ins, up to the operation
-- itself. Gives what it is called of, too; the module is nil.
function contract.arguments(dev, row, operation)
    local taken
    local reals = setmetatable({}, { __mode = "k" })
    local function real(x)
        if type(x) == "table" and not reals[x] and not getmetatable(x) then
            for key, value in pairs(x) do
                x[key] = real(value)
            end
        end
        return reals[x] or x
    end
    local stand_in
    function stand_in(x)
        local proxy = setmetatable({}, { __index = function(_, name)
            return function(...)
                local given = table.pack(...)
                for i = 1, given.n do
                    given[i] = real(given[i])
                end
                if name == row.name and not taken then
                    taken = given
                    error("enough", 0)
                end
                local result = x[name](table.unpack(given, 1, given.n))
                local kind = lun.type(result)
                return (kind == "array" or kind == "sparse") and stand_in(result) or result
            end
        end })
        reals[proxy] = x
        return proxy
    end
    local env = environment(dev, row, (inputs_of(dev, row, case_of(row))))
    env.prepared = function() return true end
    for _, name in ipairs { "lun", "dev", "rng", table.unpack(names_in(row)) } do
        env[name] = stand_in(env[name])
    end
    pcall(assert(load("return " .. row.code, row.code, "t", env)))
    if not taken then
        return nil
    end
    local first = row.owner == "module" and 1 or 2 -- behind self
    local list = table.pack(table.unpack(taken, first, taken.n))
    local last, options = list[list.n], nil
    local required = 0
    for _, argument in ipairs(operation.arguments) do
        required = required + (argument.optional and 0 or 1)
    end
    local named = type(last) == "table" and not getmetatable(last) and type(next(last)) == "string"
    if named and list.n > required and operation.options[1] then
        list[list.n], options = nil, last
    end
    list.spread = list.n - (options and 1 or 0) > #operation.arguments -- a list whose elements stand there as arguments
    list.n = #operation.arguments
    if operation.options[1] then
        list.n = list.n + 1
        list[list.n] = options or {}
    end
    return list, first == 2 and taken[1] or nil
end

-- Arguments and options of another kind, and arguments that are missing: errors that say what is needed in their place.
function contract.kinds(dev, row, operation)
    local arguments, self = contract.arguments(dev, row, operation)
    if not arguments or arguments.spread or row.name == "fuse" then -- which gives a function to call
        return
    end
    local f = (self or lun)[row.name]
    local function refused(given, count, where, wanted, optional)
        local list = table.pack(table.unpack(given, 1, count))
        if self then
            table.insert(list, 1, self)
        end
        local ok, problem = pcall(f, table.unpack(list, 1, count + (self and 1 or 0)))
        local message = ("lunarray: %s: %s: %s is needed, got "):format(row.name, where, wanted)
        local text = tostring(problem)
        local said = text:find(message, 1, true) or text:find ": axis: a whole number or a list of them is needed, got "
        said = said or optional and text:find " a table of options is needed, got a function" -- which may stand there
        assert(not ok and said, ("%s; expected %s"):format(ok and "no error" or text, message))
    end
    for place, argument in ipairs(operation.arguments) do
        local given, where = table.pack(table.unpack(arguments, 1, arguments.n)), "argument " .. place
        if not argument.optional then
            refused(given, place - 1, where, argument.wanted)
        end
        given[place] = print
        if not argument.wanted:find "function" then
            refused(given, given.n, where, argument.wanted, argument.optional)
        end
    end
    for _, each in ipairs(operation.options) do
        local given, options = table.pack(table.unpack(arguments, 1, arguments.n)), { [each.name] = print }
        for name, value in pairs(given[given.n]) do
            options[name] = options[name] or value
        end
        given[given.n] = options
        if each.wanted ~= "a value" then -- which its operation looks at
            refused(given, given.n, ("option '%s'"):format(each.name), each.wanted)
        end
    end
end

-- All calls with their operations, each with the dtype that its numbers have where no other is asked for: f32, or one
-- that the function takes. `complex_` takes none, as no array holds both what it takes and what it gives.
function contract.rows(dev)
    local operations, rows, place = {}, {}, 0
    for _, operation in ipairs(dev:operations()) do
        operations[operation.owner .. "." .. operation.name] = operation
    end
    for _, row in ipairs(calls.all()) do
        for _, dtype in ipairs(row.elementwise and { "bool", "i32", "f32" } or {}) do
            row.base = contract.takes(row, dtype) and dtype or row.base
        end
        row.raw = row.raw or row.elementwise and row.base == "i32" -- there is no wide dtype to compare with
        rows[#rows + 1] = (row.base or not row.elementwise) and row or nil
    end
    return function()
        place = place + 1
        local row = rows[place]
        return row, row and operations[row.owner .. "." .. row.name]
    end
end

-- Is it one of those that differ in a row of reduce.def or map.def alone?
function contract.is_by_rows(operation)
    return operation.kind == "reduction" or operation.kind == "function"
end

-- All calls as functions, for specs of what fails: `names` in order, and `call`, a function for each name, which gives
-- what the call gives. An input is made when a call first asks for it, and stays as it is: calls that change one get a
-- copy. Of reductions and of elementwise functions, which are all one operation, some stand for all. With `events`
-- every other call gives its results by an event where it can.
function contract.examples(dev, events)
    local examples, codes, alike_so_far = { names = {}, call = {} }, {}, 0
    examples.inputs = setmetatable({}, { __index = function(inputs, name)
        inputs[name] = calls.inputs[name] and plain(dev, name, case_of {})
        return rawget(inputs, name)
    end })
    local env = setmetatable({ lun = lun, dev = dev, prepared = prepared }, { __index = function(_, name)
        return name == "path" and examples.path or examples.inputs[name] or _G[name]
    end })
    for row, operation in contract.rows(dev) do
        local by_rows = contract.is_by_rows(operation)
        alike_so_far = alike_so_far + (by_rows and 1 or 0)
        if not by_rows or alike_so_far % 16 == 1 and row.base ~= "bool" and row.base ~= "i32" then
            local name = codes[row.name] and row.code or row.name
            local code = row.code:gsub("%f[%w_.:]rng%f[^%w_]", "dev:rng(1)")
            for changed in (row.changes or ""):gmatch "%S+" do
                code = code:gsub("%f[%w_.:]" .. changed .. "%f[^%w_]", changed .. ":copy()")
            end
            local later = events and #examples.names % 2 == 1 and option(operation, "async", row)
            codes[name] = later and with(code, "async = true") .. ":get()" or code
            examples.names[#examples.names + 1] = name
        end
    end
    setmetatable(examples.call, { __index = function(call, name)
        if not codes[name] then -- a stale build/faults is asked for what it does not have
            error(("%s has no operation %s: it is older than the source, and make faults builds it again"):format(
                package.searchpath("lunarray.core", package.cpath), name), 0)
        end
        call[name] = assert(load("return " .. codes[name], name, "t", env))
        return call[name]
    end })
    return examples
end

local checks = { "views", "zero_steps", "dtypes", "sizes", "batches", "outs", "order", "async", "memory", "misuse",
    "kinds" }

-- A test, by `it`, for each call of the operations that `wanted` chooses. Gives how many have none.
function contract.describe(it, wanted)
    local dev, left = lun.device(), 0
    for row, operation in contract.rows(dev) do
        left = left + (wanted(operation) and not is_tried(row, operation) and 1 or 0)
        if wanted(operation) and is_tried(row, operation) then
            it(row.name .. " keeps the contract: " .. row.code, function()
                contract.path = os.tmpname()
                local broken = {}
                for _, check in ipairs(checks) do
                    local ok, problem = pcall(contract[check], dev, row, operation)
                    broken[#broken + 1] = not ok and ("%s: %s"):format(check, problem) or nil
                    pcall(dev.finish, dev) -- what was refused late is nobody else's failure
                end
                for _, ending in ipairs { "", ".npy", ".npz" } do
                    os.remove(contract.path .. ending)
                end
                contract.path = "/nowhere/x"
                if #broken > 0 then
                    error(table.concat(broken, "\n"), 0)
                end
            end)
        end
    end
    return left
end

return contract
