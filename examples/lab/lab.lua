-- What the lab's scripts share: options, kernels from files, timing, yardsticks, checks, and the one table.
--
-- A script describes what it runs and ends in `return lab.script(description)`: started from the command line it runs
-- and prints, required by a spec it only gives the description back.
--
--     local here = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
--     local lab = dofile(here .. "lab.lua")
--
--     return lab.script {
--         name = "double", about = "Twice every element.",
--         file = "double.cl",                        -- beside the script: where task:kernel looks
--         size = { small = 2 ^ 16, cpu = 2 ^ 20, gpu = 2 ^ 26 },  -- what --size is by default; in the end task.size
--         awkward = { { size = 1 }, { size = 255 } },  -- options that the spec runs every variant with, or those
--                                                         whose names stand in a text `only`
--         problem = function(task)                   -- once per table: inputs, what counts as work, the check
--             task.title = ("twice %d f32"):format(task.size)
--             task.x = task.device:ones({ task.size })
--             task.bytes = 8 * task.size             -- or task.flops; or task.work with task.unit
--             function task.check(y) return y:get(1) == 2 end       -- true, or false and what is wrong
--         end,
--         variants = {
--             { name = "plain", prepare = function(task)     -- not timed: kernels, scratch memory
--                 local double, out = task:kernel("double", { T = "float" }), task.device:zeros { task.size }
--                 return function(lap)                       -- timed: what it runs through `lap`
--                     lap:run(double, { global = task.size }, out, task.x)
--                     return out                             -- what task.check gets
--                 end
--             end },
--             { name = "library", prepare = function(task)
--                 local out = task.device:zeros { task.size }
--                 return function(lap)
--                     lap:add(task.x:copy { out = out, async = true })
--                     return out
--                 end
--             end },
--         },
--     }
--
-- A variant says lab.cannot("why") where the device cannot run it. `most` in a variant, a number or a function of the
-- task, bounds its size: it takes a smaller problem, and its rate is compared. `host = true` times from the call, not
-- from the device's start.
-- A script with several tables has `parts`, a list of {problem, variants, columns, awkward ...} in place of those
-- fields; what a part does not have it takes from the description. `columns` are further columns, {{"title",
-- function(row, task, variant) return "text" end, left = true for words}}; row.result is what the variant gave back.
-- With `every_device` a script runs on all of the machine's, unless one is named; `introduce(device)` prints what
-- should stand before; `timeless` leaves the yardsticks out. `options` are further ones of the command line, as
-- lunarray.script takes them: task.options.

local lun = require "lunarray"
local script = require "lunarray.script"

local lab = {}

local here = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"

-- ---- small things -------------------------------------------------------------------------------------------

function lab.ceil_div(n, by)
    return (n + by - 1) // by
end

-- The least multiple of `to` that is at least n, and at least `to`: a global size.
function lab.round_up(n, to)
    return math.max(1, lab.ceil_div(n, to)) * to
end

local function median(list)
    local middle = #list // 2
    return #list % 2 == 1 and list[middle + 1] or (list[middle] + list[middle + 1]) / 2
end

-- The bytes of a vector of n elements that repeats a list of numbers: long ones are as quick to make as short ones.
-- A list as long as a prime is met evenly by every stride. format: string.pack's, "<f" or "<i4" of 4 bytes.
function lab.cycle(list, n, format)
    local words = {}
    for i, x in ipairs(list) do
        words[i] = string.pack(format, x)
    end
    local block = table.concat(words)
    return block:rep(n // #list) .. block:sub(1, n % #list * 4)
end

local SAMPLE = 2 ^ 15

-- Are the elements of a vector what expected(i) says, to within the tolerance (0)? All of them, or of a long one
-- `most` (a few tens of thousands) in even steps, and the last. Gives true, or false and what is wrong.
function lab.compare(vector, expected, tolerance, most)
    local n = #vector
    local step = math.tointeger(lab.ceil_div(n, most or SAMPLE))
    step = step > 1 and step | 1 or 1 -- odd: not the step of some row or group
    local function right(i, value)
        local wanted = expected(i)
        return math.abs(value - wanted) <= (tolerance or 0) or value == wanted, ("element %d is %s, not %s")
            :format(i, value, wanted)
    end
    for at, value in ipairs(n > 0 and vector:slice({ 1, n, step }):totable() or {}) do
        local ok, wrong = right((at - 1) * step + 1, value)
        if not ok then
            return false, wrong
        end
    end
    if n == 0 then
        return true
    end
    return right(n, vector:get(n))
end

-- Ends a variant that this device cannot run, and says why.
function lab.cannot(why, ...)
    error({ cannot = why:format(...) }, 0)
end

-- Ends a variant whose groups are too large for its kernel on this device.
function lab.fit(kernel, items)
    local most = kernel:info().max_group
    if items > most then
        lab.cannot("groups of %d items; this device runs the kernel in groups of at most %d", items, most)
    end
end

-- Does the device list this extension?
function lab.has(device, extension)
    for _, name in ipairs(device:info().extensions) do
        if name == extension then
            return true
        end
    end
    return false
end

-- The device's OpenCL version as a number: 1.2, 2.0, 3.0.
function lab.version(device)
    return tonumber(device:info().version:match "OpenCL (%d+%.%d+)")
end

-- ---- kernels --------------------------------------------------------------------------------------------------

local programs = setmetatable({}, { __mode = "k" }) -- by device, then by all that went into the build

-- The program of a file, built once for each device and each set of options.
-- build: defines (name = value), options (text for the compiler), as dev:program takes them.
function lab.program(device, path, build)
    local words = { path, build.options or "" }
    for name, value in pairs(build.defines or {}) do
        words[#words + 1] = name .. "=" .. tostring(value)
    end
    table.sort(words)
    local key = table.concat(words, "\n")
    programs[device] = programs[device] or {}
    local built = programs[device][key]
    if not built then
        built = device:program({ file = path }, build)
        programs[device][key] = built
    end
    return built
end

local Task = {}
Task.__index = Task

-- A kernel of the script's file. options: text for the compiler, "-cl-std=CL2.0".
function Task:kernel(name, defines, options)
    local build = { defines = defines, options = options }
    return lab.program(self.device, here .. self.file, build):kernel(name)
end

-- The same, where a device that cannot build it is a device that cannot run the variant: nil and the reason. So is one
-- whose compiler left the kernel out, by what it defines.
function Task:try_kernel(name, defines, options)
    local ok, kernel = pcall(self.kernel, self, name, defines, options)
    if ok then
        return kernel
    elseif type(kernel) == "string" and not kernel:find("there is no kernel", 1, true) then
        error(kernel, 0)
    end
    return nil, tostring(type(kernel) ~= "string" and kernel.log or kernel):match "[^\n]+"
end

-- ---- timing ----------------------------------------------------------------------------------------------------

local Lap = {}
Lap.__index = Lap

-- Counts an event's commands in; gives the event.
function Lap:add(event)
    self[#self + 1] = event
    return event
end

-- Runs a kernel and counts it in; gives the event.
function Lap:run(kernel, options, ...)
    options.async = true
    return self:add(kernel:run(options, ...))
end

-- Puts the present moment in, as a command of next to nothing: for host time around calls that give no event.
function Lap:mark()
    self.tick = self.tick or self.task.device:zeros { 1 }
    return self:add(self.tick:fill(0, { async = true }))
end

-- Seconds from the first command's start to the last one's end, on the device's clock; with `host` from the first
-- call, so that what the host does in between counts too. Nil where nothing ran on the device.
function Lap:seconds(host)
    if #self == 0 then
        return nil
    end
    local from, to = math.huge, -math.huge
    for _, event in ipairs(self) do
        event:wait()
        local times = event:profile()
        from = math.min(from, host and times.queued or times.started)
        to = math.max(to, times.ended)
    end
    return math.max(to - from, 1e-9)
end

local PATIENCE = 1.0 -- seconds of a variant's own time after which it is not repeated

local function new_lap(task)
    return setmetatable({ task = task }, Lap)
end

-- The times of up to `runs` calls of go, shortest first; nil where nothing of it ran on the device.
local function times_of(go, runs, task, host)
    local list, spent = {}, 0
    repeat
        local lap = new_lap(task)
        go(lap)
        local seconds = lap:seconds(host)
        if not seconds then
            return nil
        end
        list[#list + 1] = seconds
        spent = spent + seconds
    until #list >= runs or spent > PATIENCE
    table.sort(list)
    return list
end

-- ---- yardsticks ------------------------------------------------------------------------------------------------

local TRIES = 8 -- of which the quickest counts: what the device can do

-- Bytes per second of the better of two copies (OpenCL's own, and a kernel's), of arrays that no cache holds.
local function copy_rate(device, width, small)
    local bytes = small and 2 ^ 23 or device:info().type == "gpu" and 2 ^ 29 or 2 ^ 26
    local n = math.tointeger(bytes // 4)
    local from <close> = device:ones { n }
    local to <close> = device:zeros { n }
    local copy = lab.program(device, here .. "lab.cl", { defines = { W = width } }):kernel "copy"
    local function kernel(lap)
        lap:run(copy, { global = n // width, group = 64 }, to, from)
    end
    local function library(lap)
        lap:add(from:copy { out = to, async = true })
    end
    kernel(new_lap())
    library(new_lap())
    return 2 * bytes / math.min(times_of(kernel, TRIES)[1], times_of(library, TRIES)[1])
end

-- Operations per second of chains of multiply-adds, two operations each.
local function multiply_add_rate(device, width, small)
    local items = device:info().units * (device:info().type == "gpu" and 2048 or small and 256 or 4096)
    local rounds = device:info().type == "gpu" and 4096 or 256
    local out <close> = device:zeros { 1 }
    local build = { defines = { W = width } }
    local kernel = lab.program(device, here .. "lab.cl", build):kernel "multiply_add"
    local function go(lap)
        lap:run(kernel, { global = items, group = 64 }, out, 0.999, 0.001, rounds)
    end
    go(new_lap())
    return 2 * items * width * 8 * rounds / times_of(go, TRIES)[1]
end

-- What the device can do: bytes per second copied (read and written count), f32 operations per second.
function lab.yardsticks(device, small)
    local width = math.max(4, device:info().vector_f32)
    return { bytes = copy_rate(device, width, small), flops = multiply_add_rate(device, width, small) }
end

-- ---- running -----------------------------------------------------------------------------------------------------

-- What a part does not have itself it takes from its script's description.
function lab.parts(description)
    local parts = {}
    for i, part in ipairs(description.parts or { {} }) do
        parts[i] = setmetatable(part, { __index = description })
    end
    return parts
end

-- The problem of a part on a device. options: size, and the script's own.
function lab.task(part, device, options)
    local task = setmetatable({ device = device, options = options, file = part.file }, Task)
    task.size = math.tointeger(options.size)
    part.problem(task)
    return task
end

-- Runs a variant once and checks it. Gives a row: name, right (true or false), wrong (what is), or cannot (why);
-- result, and go to run it again.
function lab.check(variant, task)
    local row = { name = variant.name }
    local ok, problem = pcall(function()
        row.go = variant.prepare(task)
        row.result = row.go(new_lap(task))
        row.right, row.wrong = task.check(row.result, variant)
        row.right = row.right and true or false
    end)
    if not ok and type(problem) == "table" and problem.cannot then
        row.cannot = problem.cannot
    elseif not ok then
        row.right, row.wrong = false, tostring(problem)
    end
    return row
end

-- The row of a variant with its time and rate.
local function measure(variant, task, part, runs)
    local options = setmetatable({}, { __index = task.options })
    local most = type(variant.most) == "function" and variant.most(task) or variant.most
    if most and task.size > most then
        options.size = most
        task = lab.task(part, task.device, options)
    end
    local row = lab.check(variant, task)
    if row.right then
        local times = times_of(row.go, runs, task, variant.host)
        row.seconds = times and median(times)
        local work = row.seconds and (task.work or task.bytes or task.flops)
        row.rate = work and work / row.seconds
        row.bytes = row.seconds and task.bytes and task.bytes / row.seconds
        row.flops = row.seconds and task.flops and task.flops / row.seconds
        row.less = rawget(options, "size")
        row.extra = {}
        for i, column in ipairs(part.columns or {}) do
            row.extra[i] = tostring(column[2](row, task, variant) or "")
        end
    end
    row.go, row.result = nil, nil -- their memory is for the next variant
    return row
end

-- ---- the table ---------------------------------------------------------------------------------------------------

local function si(value, unit)
    for _, step in ipairs { { 1e12, "T" }, { 1e9, "G" }, { 1e6, "M" }, { 1e3, "k" } } do
        if value >= step[1] then
            return ("%.4g %s%s"):format(value / step[1], step[2], unit)
        end
    end
    return ("%.4g %s"):format(value, unit)
end

local function duration(seconds)
    for _, step in ipairs { { 1, "s" }, { 1e-3, "ms" }, { 1e-6, "us" } } do
        if seconds >= step[1] then
            return ("%.4g %s"):format(seconds / step[1], step[2])
        end
    end
    return ("%.3g ns"):format(seconds * 1e9)
end

local function percent(share)
    return share and ("%.3g %%"):format(100 * share) or ""
end

-- The cells of one row. first: the first row that has a rate.
local function cells(row, first, yardsticks, unit)
    local list = { row.name .. (row.less and (" (n = %d)"):format(row.less) or "") }
    if not row.right then
        list[2] = row.cannot and "cannot run: " .. row.cannot or "WRONG: " .. (row.wrong or "another result")
        return list
    end
    list[2] = row.seconds and duration(row.seconds) or ""
    list[3] = row.rate and si(row.rate, unit) or ""
    list[4] = percent(row.bytes and row.bytes / yardsticks.bytes or row.flops and row.flops / yardsticks.flops)
    list[5] = row.rate and first and ("%.3g x"):format(row.rate / first.rate) or ""
    table.move(row.extra, 1, #row.extra, #list + 1, list)
    list[#list + 1] = "right"
    return list
end

-- Leaves out the columns in which all rows but the header are empty.
local function without_empty(rows)
    for i = #rows[1], 2, -1 do
        local used = false
        for r = 2, #rows do
            used = used or #rows[r] > 2 and rows[r][i] ~= ""
        end
        for _, row in ipairs(used and {} or rows) do
            if #row > 2 then
                table.remove(row, i)
            end
        end
    end
    return rows
end

-- Lines with columns as wide as their widest cell, the first and those of words to the left; a row of two cells is a
-- sentence.
local function layout(rows)
    local widths = {}
    for _, row in ipairs(rows) do
        for i, cell in ipairs(row) do
            if i == 1 or #row > 2 then
                widths[i] = math.max(widths[i] or 0, #cell)
            end
        end
    end
    local lines = {}
    for _, row in ipairs(rows) do
        local words = { ("%-" .. widths[1] .. "s"):format(row[1]) }
        for i = 2, #row do
            local side = rows.left and rows.left[rows[1][i]] and "%-" or "%"
            words[i] = #row > 2 and (side .. widths[i] .. "s"):format(row[i]) or row[i]
        end
        lines[#lines + 1] = table.concat(words, "  ")
    end
    return lines
end

-- The lines of the table of a part's rows.
function lab.table(rows, task, yardsticks, columns)
    local unit = task.work and task.unit or task.bytes and "B/s" or "flop/s"
    local share = task.bytes and "of copy" or task.flops and "of mul-add" or "share"
    local header = { "variant", "time", "rate", share, "speed-up" }
    for _, column in ipairs(columns) do
        header[#header + 1] = column[1]
    end
    header[#header + 1] = "result"
    local list, first = { header, left = {} }, nil
    for _, column in ipairs(columns) do
        list.left[column[1]] = column.left
    end
    for _, row in ipairs(rows) do
        first = first or row.rate and row or nil
        list[#list + 1] = cells(row, first, yardsticks, unit)
    end
    return layout(without_empty(list))
end

-- Runs a part and prints its table; true if nothing was wrong.
local function run_part(part, device, options, yardsticks)
    local task = lab.task(part, device, options)
    local rows, right = {}, true
    for i, variant in ipairs(part.variants) do
        rows[i] = measure(variant, task, part, options.runs)
        right = right and rows[i].right ~= false
    end
    print("\n" .. (task.title or part.title or part.name))
    print(table.concat(lab.table(rows, task, yardsticks, part.columns or {}), "\n"))
    io.stdout:flush()
    return right
end

-- ---- the command line ----------------------------------------------------------------------------------------

local function options_of(description)
    local list = {
        name = description.name, about = description.about,
        { name = "device", value = "NAME", help = "device: gpu, cpu, a part of its name, or its number" },
        { name = "size", value = "N", default = "to suit the device",
            help = (description.size_help or "elements") .. ", or small" },
        { name = "runs", value = "N", default = 5, integer = true, min = 1, help = "times each variant is timed" },
    }
    for _, option in ipairs(description.options or {}) do
        list[#list + 1] = option
    end
    return list
end

-- What the options are where none is given, for the specs.
function lab.defaults(description, given)
    local options = {}
    for _, option in ipairs(description.options or {}) do
        options[option.name] = option.default
    end
    for name, value in pairs(given) do
        options[name] = value
    end
    return options
end

-- The size that --size stands for on a device, and whether that is a small one.
local function size_of(description, device, text)
    local size = description.size
    if type(size) ~= "table" then
        size = { cpu = size }
    end
    local usual = math.tointeger(size[device:info().type] or size.cpu)
    local small = math.tointeger(size.small or size.cpu // 16)
    if text == "small" then
        return small, true
    elseif text == "to suit the device" then
        return usual, false
    end
    local n = math.tointeger(tonumber(text))
    if not n or n < 1 then
        error(("--size must be a whole number, at least 1, or small, not '%s'"):format(text), 0)
    end
    return n, n <= small
end

-- Runs all tables of a description on one device; true if nothing was wrong.
local function run(description, device, given)
    local size, small = size_of(description, device, given.size)
    local options = setmetatable({ size = size }, { __index = given })
    local info = device:info()
    if description.introduce then
        description.introduce(device)
    end
    print(("%s on %s (%s)"):format(description.name, info.name, info.type))
    local yardsticks = not description.timeless and lab.yardsticks(device, small)
    if yardsticks then
        print(("copy %s, multiply-add %s"):format(si(yardsticks.bytes, "B/s"), si(yardsticks.flops, "flop/s")))
    end
    local right = true
    for _, part in ipairs(lab.parts(description)) do
        right = run_part(part, device, options, yardsticks) and right
    end
    return right
end

local function main(description)
    local options = script.options(arg, options_of(description))
    local devices = { lun.device(tonumber(options.device) or options.device) }
    if description.every_device and not options.device then
        devices = lun.devices()
    end
    local right = true
    for _, device in ipairs(devices) do
        right = run(description, device, options) and right
    end
    if not right then
        os.exit(1, true)
    end
end

-- Runs the description if the script of that name is what was started; gives it back.
function lab.script(description)
    local started = arg and arg[0] and arg[0]:match "([^/]+)%.lua$"
    if started == description.name then
        script.run(description.name, main, description)
    end
    return description
end

return lab
