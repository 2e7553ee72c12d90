-- What the specs share: devices and their variants, comparisons with tolerances, expected errors, other processes.

local lun = require "lunarray"
local numbers = require "spec.numbers"
local reference = require "spec.reference"
local script = require "lunarray.script"

local helper = {}

-- ---- how much ---------------------------------------------------------------------------------------------

-- `make test` runs one set of specs, and counts the others as pending, as far as they are specs of their own. With
-- LUNARRAY_ALL=1 all run, for all dtypes; with LUNARRAY_LONG=1, which make test-all has, what takes minutes runs, too.
helper.LONG = os.getenv "LUNARRAY_LONG" ~= nil
helper.ALL = helper.LONG or os.getenv "LUNARRAY_ALL" ~= nil

-- `it` of specs that are not in the set. tools/specs.sh counts those pending specs, and does not list them.
function helper.long(it)
    return helper.ALL and it or function(name)
        require("busted").pending(name .. " (make test-all)")
    end
end

-- `it` of files whose specs take long: one in n of them is in the set, and those that refuse mistakes, which build
-- little.
function helper.one_in(n, it)
    local number = 0
    return function(name, ...)
        if name:find "^refuses? " then
            return it(name, ...)
        end
        number = number + 1
        return (number % n == 1 and it or helper.long(it))(name, ...)
    end
end

-- Of cases within a spec: every second one, from the first on, or all of them.
function helper.some(list)
    local some = {}
    for place, case in ipairs(list) do
        some[#some + 1] = (helper.ALL or place % 2 == 1) and case or nil
    end
    return some
end

-- ---- what to run on -------------------------------------------------------------------------------------

-- The devices, one of each kind: the specs of several equal ones are in processes of their own.
function helper.devices()
    local list, seen = {}, {}
    for _, dev in ipairs(lun.devices()) do
        local info = dev:info()
        local kind = table.concat({ info.platform, info.name, info.driver }, "/")
        if not seen[kind] then
            seen[kind] = true
            list[#list + 1] = dev
        end
    end
    return list
end

-- Is PoCL among the drivers? It alone makes as many devices as one asks it for, and has a kernel cache.
function helper.has_pocl()
    for _, dev in ipairs(lun.devices()) do
        if dev:info().platform == "Portable Computing Language" then
            return true
        end
    end
    return false
end

-- Calls body(dev, title) for each of them.
function helper.each_device(body)
    for _, dev in ipairs(helper.devices()) do
        body(dev, dev:info().name)
    end
end

-- Work of one work-item that takes some 0.3 s on any device, whatever it has besides: each step needs the one before.
local CHAIN = [[
    kernel void chain(global uint *number, uint steps)
    {
        uint v = *number;
        for (uint i = 0; i < steps; i++)
            v = v * (v | 1) + 1013904223u;
        *number = v;
    }
]]

-- Gives a function that puts such work in flight, `times` as much or once, on a queue or the default one, and returns
-- its event and the number that it changes; all that it needs is built.
function helper.long_work(dev, queue)
    local kernel, number = dev:program(CHAIN):kernel(), dev:ones({ 1 }, "u32")
    local function start(steps)
        return kernel:run({ global = 1, async = true, queue = queue }, number, steps)
    end
    start(1):wait()
    return function(times) return start((times or 1) * 100000000), number end
end

-- The variants of an operation that its own spec tries in depth: those for the device's kind, and with LUNARRAY_LONG=1
-- those for other kinds of device too, whose programs take PoCL seconds to build. spec/contract/variants_spec.lua
-- compares all variants with the plainest in every run.
function helper.variants(dev, operation)
    local list = {}
    for _, variant in ipairs(dev:variants(operation)) do
        if os.getenv "LUNARRAY_LONG" or not helper.is_foreign(dev, variant) then
            list[#list + 1] = variant
        end
    end
    return list
end

-- Calls body(dev, variant, title) for each of these ways in which a device can run the operation.
function helper.each_variant(operation, body)
    helper.each_device(function(dev, name)
        for _, variant in ipairs(helper.variants(dev, operation)) do
            body(dev, variant, ("%s (variant %s)"):format(name, variant))
        end
    end)
end

-- A spec of that name for each device, or for each of these ways: body(dev) or body(dev, variant).
function helper.it_each_device(name, body)
    helper.each_device(function(dev, title)
        require("busted").it(name .. " on " .. title, function() body(dev) end)
    end)
end
function helper.it_each_variant(operation, name, body)
    helper.each_variant(operation, function(dev, variant, title)
        require("busted").it(name .. " on " .. title, function() body(dev, variant) end)
    end)
end

-- As these, of specs that body(dev, title) or body(dev, variant, title) defines.
function helper.describe_each_device(name, body)
    helper.each_device(function(dev, title)
        require("busted").describe(name .. " on " .. title, function() body(dev, title) end)
    end)
end
function helper.describe_each_variant(operation, name, body)
    helper.each_variant(operation, function(dev, variant, title)
        require("busted").describe(name .. " on " .. title, function() body(dev, variant, title) end)
    end)
end

-- Calls f(...). False where the variant cannot run this problem; any other error passes on. `plain` can run all.
function helper.can(f, ...)
    local ok, problem = pcall(f, ...)
    if ok then
        return true
    end
    local variant = tostring(problem):match("variant '([%w_]+)' cannot do this here")
    if variant and variant ~= "plain" then
        return false
    end
    error(problem, 0)
end

-- Would the driver's compiler stop the process over the kernels of the operation's row `plain`? Then the row is not
-- there. 5 and later versions of PoCL do so over those of linear algebra that groups share, on CPUs.
function helper.plain_aborts(dev, operation)
    local info = dev:info()
    local newer = info.platform == "Portable Computing Language" and (tonumber(info.driver:match "^%d+") or 0) >= 5
    return newer and info.type == "cpu" and dev:variants(operation)[2] == nil and dev:variants(operation)[1] == "cpu"
end

-- The dtypes of the set.
local DTYPES = { f32 = true, f64 = true, f16 = true, i32 = true }

-- The names of a device's dtypes that are in the set, of one kind ("float", "integer") or all.
function helper.dtypes(dev, kind)
    local list = {}
    for _, dtype in ipairs(numbers.dtypes) do
        local is_float = dtype.kind == "float"
        local wanted = not kind or is_float == (kind == "float")
        if wanted and (helper.ALL or DTYPES[dtype.name]) and (dtype.name ~= "f64" or dev:info().fp64) then
            list[#list + 1] = dtype.name
        end
    end
    return list
end

-- The names of the reductions, as messages list them; `expressions`: of those of expressions alone.
function helper.reductions(expressions)
    local _, names, ranks = lun._functions()
    return table.concat(names, ", ") .. (expressions and "" or ", " .. table.concat(ranks, ", "))
end

-- The names of a device's complex dtypes. Specs are made for each, so that those of c128 are one pending spec.
function helper.complex_dtypes(dev)
    if not dev:info().fp64 then
        return { "c64" }
    elseif not helper.ALL then
        helper.long()("what is made of c128")
    end
    return { "c64", helper.ALL and "c128" or nil }
end

-- Calls body(dev, dtype, title) for each of these.
function helper.each_complex(body)
    helper.each_device(function(dev, title)
        for _, dtype in ipairs(helper.complex_dtypes(dev)) do
            body(dev, dtype, dtype .. " on " .. title)
        end
    end)
end

-- The integrators, as a message names them; `own`: with kernels of their own, for f64.
function helper.integrators()
    local list, dev = {}, lun.device()
    local pos, vel = dev:zeros { 1, 4 }, dev:zeros { 1, 4 }
    local _, problem = pcall(pos.nbody, pos, vel, { dt = 1, integrator = "" })
    for name in problem:match("there are (.*)$"):gmatch "[%w_]+" do
        local taken = pcall(pos.nbody, pos, vel, { dt = 1, integrator = name })
        list[#list + 1] = { name = name, own = not taken }
    end
    return list
end

-- Is the variant made for another kind of device? Then it may run here, but its programs take long to build: a few
-- dtypes are enough, since the device that it is for has them all.
function helper.is_foreign(dev, variant)
    for _, operation in ipairs(dev:operations()) do
        local kind = operation.meant_for[variant]
        if kind then
            return kind ~= "any" and kind ~= dev:info().type
        end
    end
    error("no operation has the variant " .. variant)
end

-- An array of that shape from a flat list.
function helper.array(dev, flat, shape, dtype)
    if reference.size(shape) == 0 then
        return dev:zeros(shape, dtype)
    end
    return dev:array(#shape == 0 and flat[1] or flat, dtype):reshape(table.unpack(shape))
end

-- ---- comparing --------------------------------------------------------------------------------------------

local function show(x)
    if math.type(x) ~= "float" then
        return tostring(x)
    end
    local text = ("%.17g"):format(x)
    return text:find("[.eni]") and text or text .. ".0"
end

-- Raises unless `actual` is a number like `expected`, of the same subtype and at most `tolerance` (0) away. NaN is
-- like NaN only, an infinity like itself only.
function helper.check_number(expected, actual, tolerance, what)
    tolerance = tolerance or 0
    local near = math.type(actual) ~= nil and math.type(actual) == math.type(expected)
    if near and expected ~= expected then
        near = actual ~= actual
    elseif near then
        near = actual == expected or math.abs(actual - expected) <= tolerance
        near = near and (math.abs(expected) ~= math.huge or actual == expected)
    end
    if not near then
        error(("%s: expected %s, got %s (tolerance %s)"):format(what or "number", show(expected), show(actual),
            show(tolerance)), 2)
    end
end

-- Raises unless both lists are as long and their numbers near each other; tolerances is one for all, or a list.
function helper.check_list(expected, actual, tolerances, what)
    what = what or "list"
    if #expected ~= #actual then
        error(("%s: expected %d elements, got %d"):format(what, #expected, #actual), 2)
    end
    for i = 1, #expected do
        local x, y = expected[i], actual[i]
        if x ~= y or math.type(x) ~= math.type(y) then -- else there is no need to look closer
            local tolerance = type(tolerances) == "table" and tolerances[i] or tolerances or 0
            helper.check_number(x, y, tolerance, what .. " at " .. i)
        end
    end
end

-- The elements of an array as a flat list.
function helper.flat(array)
    return reference.flatten(array:totable())
end

-- Raises unless the array has that dtype, that shape, and those elements, given as a flat list; of bool as 0 and 1, or
-- false and true.
function helper.check_array(array, dtype, shape, expected, tolerances, what)
    what = what or "array"
    if lun.type(array) ~= "array" then
        error(("%s: expected an array, got %s"):format(what, tostring(array)), 2)
    end
    local got = table.concat({ array:shape() }, "x")
    if array:dtype() ~= dtype or got ~= table.concat(shape, "x") then
        error(("%s: expected %s %s, got %s %s"):format(what, dtype, table.concat(shape, "x"), array:dtype(), got), 2)
    end
    local list = helper.flat(array)
    for i = 1, dtype == "bool" and #list or 0 do
        if type(list[i]) ~= "boolean" then
            error(("%s: element %d of bool is %s"):format(what, i, list[i]), 2)
        end
        if type(expected[i]) ~= "boolean" then
            list[i] = list[i] and 1 or 0
        end
    end
    helper.check_list(expected, list, tolerances, what)
end

-- As helper.raises; `level` is that of error, for the caller's line.
local function check_raises(message, f, level)
    local ok, problem = pcall(f)
    if ok then
        error("no error was raised; expected: " .. message, level)
    end
    local text = tostring(problem)
    local file, line, rest = text:match("^(.-):(%d+): (.*)$")
    local where = debug.getinfo(f, "S")
    line = tonumber(line)
    if file ~= where.short_src or line < where.linedefined or line > where.lastlinedefined then
        error(("expected the position to be in %s:%d-%d; got: %s"):format(where.short_src, where.linedefined,
            where.lastlinedefined, text), level)
    end
    local wanted = "lunarray: " .. message
    if rest:sub(1, #wanted) ~= wanted then
        error(("expected an error that starts with\n%s\ngot\n%s"):format(wanted, rest), level)
    end
    return problem
end

-- Raises unless f raises an error at a line of its own whose text starts so, behind the position and "lunarray: ".
-- f must not call in a tail position, which leaves Lua no line of it. Gives the error.
function helper.raises(message, f)
    local problem = check_raises(message, f, 3)
    return problem
end

-- Raises unless a call with these arguments raises the error whose text starts so: a call of the function that the
-- message names first, as "sort: axis 3 is out of range" does, a method of `owner` or of the module. Gives the error.
function helper.refused(message, owner, ...)
    local name, given = message:match "^([%w_]+): ", table.pack(...)
    local problem = check_raises(message, function()
        local _
        if owner == lun then
            _ = lun[name](table.unpack(given, 1, given.n))
        else
            _ = owner[name](owner, table.unpack(given, 1, given.n))
        end
    end, 3)
    return problem
end

-- The same of a row of a table: { message, owner, arguments... }, or { message, f } as helper.raises has them.
function helper.refused_row(row, prefix)
    local message, owner = (prefix or "") .. row[1], row[2]
    local raised = type(owner) == "function" and helper.raises or helper.refused
    raised(message, table.unpack(row, 2))
end

-- For blocks of specs of mistakes: take(array) gets a new 2 x 3 array before each of them. Whatever went wrong,
-- nothing is lost or changed behind it, and the next call works.
function helper.leaves_all(dev, take)
    local busted, array, live = require "busted", nil, nil
    busted.before_each(function()
        array = dev:array { { 1, 2, 3 }, { 4, 5, 6 } }
        take(array)
        collectgarbage()
        live = dev:memory().live
    end)
    busted.after_each(function()
        helper.check_array(array, "f32", { 2, 3 }, { 1.0, 2.0, 3.0, 4.0, 5.0, 6.0 })
        helper.check_number(21.0, array:sum())
        dev:finish()
        collectgarbage()
        helper.check_number(live, dev:memory().live)
    end)
end

-- CRC-32 of zip archives and PNG files, bit by bit.
function helper.crc32(bytes)
    local sum = 0xffffffff
    for i = 1, #bytes do
        sum = sum ~ bytes:byte(i)
        for _ = 1, 8 do
            sum = sum >> 1 ~ (sum & 1) * 0xedb88320
        end
    end
    return sum ~ 0xffffffff
end

-- ---- files and processes ------------------------------------------------------------------------------------

-- Calls f(path) with the path of a file that is gone afterwards, and gives what it gives.
function helper.with_file(f)
    local path = os.tmpname()
    local results = table.pack(pcall(f, path))
    os.remove(path)
    if not results[1] then
        error(results[2], 0)
    end
    return table.unpack(results, 2, results.n)
end

-- Runs a shell command; gives its output, both streams together, and its status.
function helper.shell(command)
    local pipe = assert(io.popen(command .. " 2>&1"))
    local output = pipe:read("a")
    local _, _, status = pipe:close()
    return output, status
end

-- Calls f(folder) with a new folder that is gone afterwards, and raises unless it holds those files at last, "x y", and
-- no others.
function helper.in_folder(files, f)
    local folder = os.tmpname()
    os.remove(folder)
    assert(os.execute("mkdir " .. folder))
    local ok, problem = pcall(f, folder)
    local pipe <close> = assert(io.popen("ls -A " .. folder .. "; rm -r " .. folder))
    local left = pipe:read("a"):gsub("\n$", ""):gsub("\n", " ")
    if not ok then
        error(problem, 0)
    elseif left ~= files then
        error(("expected the folder to hold '%s', not '%s'"):format(files, left), 2)
    end
end

function helper.write_file(path, bytes)
    local file = assert(io.open(path, "wb"))
    file:write(bytes)
    file:close()
end

function helper.read_file(path)
    local file = assert(io.open(path, "rb"))
    local bytes = file:read("a")
    file:close()
    return bytes
end

-- PoCL ends a command twice where one of two events that it waits for fails while the other ends, and its own
-- assertion then stops the process (pocl/pocl#2216, mended in June 2026). Which of the two comes first depends on the
-- machine's load, so a script that PoCL has stopped in this way has said nothing, and runs again.
local TWICE = "pocl_update_event_finished: Assertion `cq->command_count > 0' failed"
local TRIES = 5

-- Runs a Lua script in a process of its own, with the modules of this one. options: env (name = value; false removes
-- it), cpath (what comes first in package.cpath), before (shell text before the command), errors (a file for the
-- second stream). Gives its output, both streams together where `errors` does not part them, and its exit status, 128
-- and more for a signal.
function helper.run(source, options)
    options = options or {}
    return helper.with_file(function(path)
        helper.write_file(path, source)
        local words = { options.before or "", "env" }
        for name, value in pairs(options.env or {}) do -- what is removed stands before what is set
            local word = value and script.quote(name .. "=" .. value) or "-u " .. name
            table.insert(words, value and #words + 1 or 3, word)
        end
        words[#words + 1] = "LUA_PATH_5_4=" .. script.quote(package.path)
        words[#words + 1] = "LUA_CPATH_5_4=" .. script.quote((options.cpath or "") .. ";" .. package.cpath)
        words[#words + 1] = os.getenv("LUA") or "lua5.4"
        words[#words + 1] = script.quote(path)
        local errors = options.errors and "2>" .. script.quote(options.errors) or "2>&1"
        for try = 1, TRIES do
            local pipe = assert(io.popen(table.concat(words, " ") .. " " .. errors))
            local output = pipe:read("a")
            local _, how, status = pipe:close()
            if try == TRIES or not output:find(TWICE, 1, true) then
                return output, how == "signal" and 128 + status or status
            end
        end
    end)
end

-- As helper.run, for a script that must end well: gives its output.
function helper.child(source, options)
    local output, status = helper.run(source, options)
    if status ~= 0 then
        error(("the other process ended with status %d:\n%s"):format(status, output), 2)
    end
    return output
end

-- The command line that runs an example with the modules of this process.
function helper.example_line(name, arguments)
    return ("LUA_PATH_5_4=%s LUA_CPATH_5_4=%s %s examples/%s.lua %s"):format(
        script.quote(package.path), script.quote(package.cpath), os.getenv("LUA") or "lua5.4", name, arguments)
end

-- Runs an example. Gives its output, both streams together, and its exit status.
function helper.example(name, arguments)
    local pipe = assert(io.popen(helper.example_line(name, arguments) .. " 2>&1"))
    local output = pipe:read("a")
    local _, _, status = pipe:close()
    return output, status
end

-- The bytes of memory that this process has in use.
function helper.resident()
    local file = assert(io.open("/proc/self/statm"))
    local _, pages = file:read("n", "n")
    file:close()
    return pages * 4096
end

-- Is that library of spec/layer built? `make test` builds them; a module that is installed comes without.
function helper.has_layer(name)
    return package.searchpath(name, "build/layer/?.so") ~= nil
end

-- The bytes in use on the device that are not garbage.
function helper.live(dev)
    collectgarbage()
    return dev:memory().live
end

-- One table with what stands in all of them, which may be nil; what comes last wins.
function helper.merged(...)
    local all = {}
    for i = 1, select("#", ...) do
        for name, value in pairs(select(i, ...) or {}) do
            all[name] = value
        end
    end
    return all
end

-- How many programs f() has compiled.
function helper.built(dev, f)
    local before = dev:info().programs.built
    f()
    return dev:info().programs.built - before
end

-- What a class has: its method table, which its metatable's __index is, or (a mapping's) an upvalue of it.
function helper.methods(object)
    local index = debug.getmetatable(object).__index
    if type(index) == "function" then
        index = select(2, debug.getupvalue(index, 4))
    end
    return index
end

return helper
