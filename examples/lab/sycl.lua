-- SYCL's ideas and what stands for them here: each row runs, and is checked.
--
--     lua5.4 examples/lab/sycl.lua

local here = debug.getinfo(1, "S").source:match "^@(.*/)" or "./"
local lab = dofile(here .. "lab.lua")
local lun = require "lunarray"

-- A row's function gives the text of the column `seen`, and whether it is right.
local rows = {}

local function row(sycl, lua, run)
    rows[#rows + 1] = {
        name = sycl,
        lua = lua,
        prepare = function(task)
            return function(lap)
                local seen, right = run(task, lap)
                return { seen = seen, right = right }
            end
        end,
    }
end

-- Are all elements that number?
local function all(array, number)
    return array:min() == number and array:max() == number
end

---- Choosing a device -----------------------------------------------------------------------------------------

local function try_device(selector)
    local ok, device = pcall(lun.device, selector)
    return ok and device or nil
end

row("gpu_selector", 'lun.device("gpu")', function()
    local device = try_device "gpu" or lab.cannot "there is no GPU here"
    return lab.short(device:info().name, 36), device:info().type == "gpu"
end)

row("host device", 'lun.device("cpu")', function()
    local device = try_device "cpu" or lab.cannot "there is no OpenCL for the CPU here (PoCL)"
    return lab.short(device:info().name, 36), device:info().type == "cpu"
end)

row("custom selector", "lun.device(function(d) return d:info().units end)", function()
    local device = lun.device(function(d) return d:info().units end)
    local most = 0
    for _, each in ipairs(lun.devices()) do
        most = math.max(most, each:info().units)
    end
    return device:info().units .. " units", device:info().units == most
end)

---- Queues and what they promise --------------------------------------------------------------------------------

row("queue, in order", "q = dev:queue(); k:run({queue = q, ...}, ...)", function(task, lap)
    local add, scale = task:kernel "add", task:kernel "scale"
    local x, q = task.device:ones { task.size }, task.device:queue()
    lap:run(add, { global = task.size, queue = q }, x, 2)
    lap:run(scale, { global = task.size, queue = q }, x, 5)
    q:finish()
    return "(1 + 2) * 5", all(x, 15)
end)

row("accessors, order found by the runtime", "const parameters; hazards between queues", function(task, lap)
    local add, square = task:kernel "add", task:kernel "square"
    local x, y = task.device:ones { task.size }, task.device:zeros { task.size }
    local writes, reads = task.device:queue(), task.device:queue()
    lap:run(add, { global = task.size, queue = writes }, x, 2)
    lap:run(square, { global = task.size, queue = reads }, y, x) -- waits for the other queue by itself
    lap:run(add, { global = task.size, queue = writes }, x, 1) -- and this for the reading
    return "3^2, then 3 + 1", all(y, 9) and all(x, 4)
end)

row("queue::wait_and_throw", "dev:finish()", function(task)
    task:kernel("add"):run({ global = task.size }, task.device:ones { task.size }, 1)
    task.device:finish()
    return "nothing to throw", true
end)

row("event::get_profiling_info", "ev:profile()", function(task, lap)
    local event = lap:run(task:kernel "add", { global = task.size }, task.device:ones { task.size }, 1)
    event:wait()
    local times = event:profile()
    local ordered = times.queued <= times.submitted and times.submitted <= times.started
        and times.started <= times.ended
    return ("%.1f us"):format((times.ended - times.started) * 1e6), ordered
end)

---- Buffers --------------------------------------------------------------------------------------------------------

row("host_accessor", 'local h <close> = a:host("rw")', function(task)
    local x = task.device:ones { task.size }
    do
        local h <close> = x:host "rw"
        h[1], h[task.size] = 7, 7
    end -- from here on the device has what was written
    return "written at scope end", x:get(1) == 7 and x:get(task.size) == 7
end)

row("buffer's destructor", "local a <close> = ...", function(task)
    local function live()
        return task.device:memory().live
    end
    collectgarbage() -- the arrays of other rows go first
    local before = live()
    local bytes
    do
        local _ <close> = task.device:zeros { task.size }
        bytes = live() - before
    end
    return ("%d bytes back"):format(bytes), bytes >= 4 * task.size and live() == before
end)

row("buffer, written back", "a:write(table); a:totable()", function(task)
    local list = {}
    for i = 1, task.size do
        list[i] = i % 100
    end
    local x = task.device:array(list)
    task:kernel("add"):run({ global = task.size }, x, 1)
    local back = x:totable() -- waits, as SYCL's destructor does
    return "table to table", back[1] == list[1] + 1 and back[task.size] == list[task.size] + 1
end)

row("unified shared memory", "a:host() where info().unified_memory", function(task)
    local shared = task.device:info().unified_memory
    local x = task.device:ones { task.size }
    local h <close> = x:host "r"
    return shared and "shared: nothing copied" or "not shared: copied", h[1] == 1
end)

---- Kernels --------------------------------------------------------------------------------------------------------

row("parallel_for(range<2>)", "k:run({global = {w, h}}, ...)", function(task, lap)
    local out = task.device:zeros { 3, 5 }
    lap:run(task:kernel "place", { global = { 5, 3 } }, out)
    return "rows of 5", out:get(3, 5) == 204 and out:get(2, 1) == 100
end)

row("parallel_for(nd_range)", "k:run({global = n, group = g}, ..., lun.localmem(bytes))", function(task, lap)
    local group, n = 16, 48
    local x = task.device:arange(1, n, 1, "f32")
    lap:run(task:kernel "turn", { global = n, group = group }, x, lun.localmem(4 * group))
    return "groups turned round", x:get(1) == 16 and x:get(17) == 32 and x:get(48) == 33
end)

row("reduction objects", 'a:reduce("sum"); reduction.lua', function(task)
    local sum = task.device:ones({ task.size }):sum()
    return ("%d"):format(sum), sum == task.size
end)

row("sub-groups", "reduction.lua, row sub-group", function(task)
    local listed = lab.has(task.device, "cl_khr_subgroups")
    local nvidia = task.device:info().vendor:find "NVIDIA"
    return listed and "cl_khr_subgroups" or nvidia and "warps, by PTX" or "none here", true
end)

---- Exceptions -------------------------------------------------------------------------------------------------------

row("synchronous exception", "an error at the call", function(task)
    local add = task:kernel "add"
    local x = task.device:ones { task.size }
    local ok, problem = pcall(function()
        add:run({ global = task.size }, x)
    end)
    return tostring(problem):match "lunarray: ([^,:]*)", not ok and tostring(problem):find("lunarray", 1, true) ~= nil
end)

row("exception of the compiler", "an error object with the log", function(task)
    local ok, problem = pcall(function()
        return task.device:program "kernel void broken(global float *x) { x[0] = nothing; }"
    end)
    local log = not ok and problem.log or ""
    lab.refused(task.device)
    local first = (log:match "error: ([^\n]*)" or log):gsub("^%S+:%d+:%d+: ", "") -- without file, line and column
    return lab.short(first, 40), log:find "nothing" ~= nil
end)

-- Mistakes that can be known at the call are refused there. The others are kernels that stray or trap: on a CPU they
-- end the process, on a GPU the context with all of its arrays. spec/flow/failure_spec.lua makes commands fail in the
-- module instead.
row("asynchronous exception", "raised by wait, get and finish", function()
    lab.cannot "a kernel that fails on the device only (strays, traps) takes the process or context along"
end)

return lab.script {
    name = "sycl",
    about = "SYCL's ideas, and what stands for them here.",
    file = "sycl.cl",
    size = 2 ^ 16,
    limit = { 1 << 22, "some rows make tables in Lua" },
    timeless = true,
    awkward = { { size = 1 }, { size = 1000 } },
    problem = function(task)
        task.title = "SYCL's names on the left"
        function task.check(result)
            return result.right, tostring(result.seen)
        end
    end,
    columns = {
        { "here", function(_, _, variant) return variant.lua end, left = true },
        { "seen", function(it) return it.result.seen end, left = true },
    },
    variants = rows,
}
