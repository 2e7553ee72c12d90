-- What the lab's scripts share: options, kernels from files, checks; lab_timing.lua and lab_table.lua do the rest.
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
--         awkward = { { size = 1 }, { size = 255 } },  -- options with which the spec runs every variant, or only the
--                                                         variants whose names stand in a text `only`
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
-- task, bounds its size: the variant takes a smaller problem, and its rate is compared. `host = true` times from the
-- call, not from the device's start.
-- A script with several tables has `parts`, a list of {problem, variants, columns, awkward ...} in place of those
-- fields; a field that a part lacks is taken from the description. `columns` are further columns, {{"title",
-- function(row, task, variant) return "text" end, left = true for words}}; row.result is what the variant gave back.
-- With `every_device` a script runs on all devices of the machine, unless one is named; `introduce(device)` prints what
-- should stand before; `limit`, {number, why}, is the largest --size where something in Lua bounds it; `timeless`
-- leaves the yardsticks out. `options` are further ones of the command line, as lunarray.script takes them:
-- task.options.

local lun = require "lunarray"
local script = require "lunarray.script"

local lab = {}

local here = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
local timing = dofile(here .. "lab_timing.lua")
local report = dofile(here .. "lab_table.lua")

-- ---- small things -------------------------------------------------------------------------------------------

function lab.ceil_div(n, by)
    return (n + by - 1) // by
end

-- The least multiple of `to` that is at least n, and at least `to`: a global size.
function lab.round_up(n, to)
    return math.max(1, lab.ceil_div(n, to)) * to
end

-- The bytes of a vector of n elements that repeats a list of numbers: long ones are as quick to make as short ones.
-- Where the list's length is a prime, every stride meets all its numbers evenly. format: string.pack's, "<f" or "<i4"
-- of 4 bytes.
function lab.cycle(list, n, format)
    local words = {}
    for i, x in ipairs(list) do
        words[i] = string.pack(format, x)
    end
    local block = table.concat(words)
    return block:rep(n // #list) .. block:sub(1, n % #list * 4)
end

local SAMPLE = 2 ^ 15

-- Are the elements of a vector what expected(i) says, to within the tolerance (0)? Looks at all elements, or in a long
-- vector at `most` (a few tens of thousands) in even steps, and at the last. Gives true, or false and what is wrong.
function lab.compare(vector, expected, tolerance, most)
    local n = #vector
    local step = math.tointeger(lab.ceil_div(n, most or SAMPLE))
    step = step > 1 and step | 1 or 1 -- odd, so that it is not a multiple of a row or a group
    local function right(i, value)
        local wanted = expected(i)
        return math.abs(value - wanted) <= (tolerance or 0) or value == wanted, ("element %d is %s, not %s")
            :format(i, value, wanted)
    end
    for at, value in ipairs(n > 0 and vector:slice({ 1, -1, step }):totable() or {}) do
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

-- A text of at most `most` bytes: the end of a longer one is left out.
function lab.short(text, most)
    return #text > most and text:sub(1, most - 3) .. "..." or text
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

local telling = false -- true from the command line, where somebody reads

-- To be called after a build that is allowed to fail. PoCL writes "1 error generated." to stderr each time; the reader
-- is told once, on the same stream, why.
function lab.refused(device)
    if telling and device:info().platform:find("Portable Computing Language", 1, true) then
        io.stderr:write("(PoCL's compiler says so of every kernel that it refuses: a row below tells which, and why)\n")
        telling = false
    end
end

local Task = {}
Task.__index = Task

-- A kernel of the script's file. options: text for the compiler, "-cl-std=CL2.0".
function Task:kernel(name, defines, options)
    local build = { defines = defines, options = options }
    return lab.program(self.device, here .. self.file, build):kernel(name)
end

-- The same for a kernel that some devices cannot build: gives nil and the reason there, and also where the compiler's
-- macros left the kernel out.
function Task:try_kernel(name, defines, options)
    local ok, kernel = pcall(self.kernel, self, name, defines, options)
    if ok then
        return kernel
    elseif type(kernel) == "string" and not kernel:find("there is no kernel", 1, true) then
        error(kernel, 0)
    end
    lab.refused(self.device)
    return nil, tostring(type(kernel) ~= "string" and kernel.log or kernel):match "[^\n]+"
end

-- ---- running -----------------------------------------------------------------------------------------------------

-- A field of a part, or of its script's description where the part lacks it.
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

-- The message of an error that is a want of memory, without its position; nil where the error is another. The want may
-- be in Lua or on the device: too large for a string, for Lua's own memory, for one array, for all of the device.
local function want_of_memory(problem)
    local refused = type(problem) == "table" and (problem.name == "LUN_NO_MEMORY"
        or problem.name == "CL_MEM_OBJECT_ALLOCATION_FAILURE" or problem.name == "CL_OUT_OF_HOST_MEMORY")
    local text = tostring(type(problem) == "table" and problem.message or problem)
    local says = refused or text:find("bytes in one array", 1, true) or text:find("byte count does not fit", 1, true)
        or text:find("resulting string too large", 1, true) or text:find "^not enough memory"
    return says and (text:match "lunarray: (.*)" or text:match "^[^\n]-:%d+: (.*)" or text) or nil
end

-- Runs a variant once and checks it. Gives a row: name, right (true or false), wrong (what is), or cannot (why);
-- result, and go to run it again.
function lab.check(variant, task)
    local row = { name = variant.name }
    local ok, problem = pcall(function()
        row.go = variant.prepare(task)
        row.result = row.go(timing.lap(task))
        row.right, row.wrong = task.check(row.result, variant)
        row.right = row.right and true or false
    end)
    if not ok and type(problem) == "table" and problem.cannot then
        row.cannot = problem.cannot
    elseif not ok and want_of_memory(problem) then
        row.cannot = want_of_memory(problem)
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
        local times = timing.list(row.go, runs, task, variant.host)
        row.seconds = times and timing.median(times)
        row.spread = times and #times > 1 and times[#times] / times[1] - 1 or nil
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

-- Runs a part and prints its table; true if nothing was wrong.
local function run_part(part, device, options, yardsticks)
    local ok, task = pcall(lab.task, part, device, options)
    if not ok then
        local reason = want_of_memory(task)
        error(reason and ("--size %d is too much here: %s"):format(options.size, reason) or task, 0)
    end
    local rows, right = {}, true
    for i, variant in ipairs(part.variants) do
        rows[i] = measure(variant, task, part, options.runs)
        right = right and rows[i].right ~= false
    end
    print("\n" .. (task.title or part.title or part.name))
    print(table.concat(report.lines(rows, task, yardsticks, part.columns or {}), "\n"))
    local noise = yardsticks and report.noise(rows)
    if noise then
        print(noise)
    end
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

-- The size that --size stands for on a device, and whether it is the small size.
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

-- Refuses a size before any work on it: a script's own limit, or more elements than one array can have.
local function check_size(description, device, size)
    local limit = description.limit
    local most, why = device:info().max_allocation // 4, "elements of 4 bytes are all that an array has on this device"
    if limit and limit[1] < most then
        most, why = limit[1], limit[2]
    end
    if size > most then
        error(("--size must be at most %d, not %d: %s"):format(most, size, why), 0)
    end
end

-- Runs all tables of a description on one device; true if nothing was wrong.
local function run(description, device, given)
    local size, small = size_of(description, device, given.size)
    check_size(description, device, size)
    local options = setmetatable({ size = size }, { __index = given })
    local info = device:info()
    if description.introduce then
        description.introduce(device)
    end
    print(("%s on %s (%s)"):format(description.name, info.name, info.type))
    local yardsticks = not description.timeless and timing.yardsticks(device, here .. "lab.cl", small)
    if yardsticks then
        print(report.yardsticks(yardsticks))
    end
    local right = true
    for _, part in ipairs(lab.parts(description)) do
        right = run_part(part, device, options, yardsticks) and right
    end
    return right
end

local function main(description)
    local options = script.options(arg, options_of(description))
    local every = description.every_device and not options.device
    local devices = every and lun.devices() or { script.device(description.name, options.device) }
    local right = true
    for _, device in ipairs(devices) do
        right = run(description, device, options) and right
    end
    if not right then
        os.exit(1, true)
    end
end

-- Runs the description if the script of that name was started from the command line; gives the description back.
function lab.script(description)
    if arg and arg[0] and arg[0]:match "([^/]+)%.lua$" == description.name then
        telling = true
        script.run(description.name, main, description)
    end
    return description
end

return lab
