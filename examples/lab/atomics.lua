-- Counting with atomics: a counter that every item wants, and a histogram; in global memory, in local memory first, and
-- with the orders and scopes of OpenCL 2.0.
--
--     lua5.4 examples/lab/atomics.lua --device gpu --size 16777216

local here = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
local lab = dofile(here .. "lab.lua")

local BINS = 256 -- values of the numbers: 0 .. BINS - 1
local LIMIT = 64 -- numbers below it are counted: a quarter
local GROUP = 64 -- items in a group: few share a group's histogram, but the group fits every device

local WHAT = { "atomics in the scope of a device", "acquire and release", "sequential consistency" }

-- How to build a kernel with atomics of OpenCL 2.0: the newest language that the device compiles. needs: how many of
-- the features in WHAT, from the first on, the device must have; lab.cannot with the reason where it lacks one.
local function modern(task, needs)
    local probe, standard, why
    for _, version in ipairs { "CL3.0", "CL2.0" } do
        standard = "-cl-std=" .. version
        local problem
        probe, problem = task:try_kernel("atomics_offered", { BINS = BINS }, standard)
        if probe then
            break
        end
        why = why or problem
    end
    if not probe then
        lab.cannot("it compiles this neither as OpenCL C 3.0 nor as 2.0: %s", why)
    end
    local offered <close> = task.device:zeros({ #WHAT }, "i32")
    probe:run({ global = 1, group = 1 }, offered)
    for i = 1, needs do
        if offered:get(i) == 0 then
            lab.cannot("its OpenCL C (%s) has no %s", standard:match "[%d.]+$", WHAT[i])
        end
    end
    return standard
end

-- The kernel, with atomics of OpenCL 2.0 if `needs` says so.
local function build(task, kernel_name, needs)
    if not needs then
        return task:kernel(kernel_name, { BINS = BINS })
    end
    local kernel, why = task:try_kernel(kernel_name, { BINS = BINS }, modern(task, needs))
    return kernel or lab.cannot("%s", why)
end

-- The number of groups that walk over the elements with strides: it fills the device, but no group is without elements.
local function few_groups(task)
    local info = task.device:info()
    local wanted = info.units * (info.type == "cpu" and 8 or 32)
    return math.max(1, math.min(wanted, lab.ceil_div(task.size, GROUP)))
end

-- n random numbers, and how many there are of each.
local function numbers(task)
    local n = task.size
    task.bytes = 4 * n
    task.x = task.device:randint({ n }, 0, BINS - 1, "i32", { seed = 1 })
    local counts = {}
    for value = 0, BINS - 1 do
        counts[value] = 0
    end
    local x <close> = task.x:host "r"
    for i = 1, n do
        local value = x[i]
        counts[value] = counts[value] + 1
    end
    return counts
end

-- ---- the counter ----------------------------------------------------------------------------------------------

local function counter_problem(task)
    local counts = numbers(task)
    local expected = 0
    for value = 0, LIMIT - 1 do
        expected = expected + counts[value]
    end
    task.title = ("how many of %d numbers are below %d"):format(task.size, LIMIT)
    function task.check(counter)
        local got = counter:get(1)
        return got == expected, ("counted %d, not %d"):format(got, expected)
    end
end

-- options: needs (how many of WHAT; 0 is OpenCL 2.0 itself; nil OpenCL 1.2), few (groups walk with strides), extra
-- (kernel arguments further to the common ones, made by a function; zeroed before each run).
local function counter(name, kernel_name, options)
    return {
        name = name, needs = options.needs,
        prepare = function(task)
            local kernel = build(task, kernel_name, options.needs)
            local groups = options.few and few_groups(task) or lab.ceil_div(task.size, GROUP)
            local total = task.device:zeros({ 1 }, "i32")
            local extra = options.extra and options.extra(task, groups) or {}
            local run = { global = groups * GROUP, group = GROUP }
            return function(lap)
                total:fill(0)
                for _, array in ipairs(extra) do
                    array:fill(0)
                end
                lap:run(kernel, run, task.x, task.size, LIMIT, total, table.unpack(extra))
                return total
            end
        end,
    }
end

local function partial_counts_and_ticket(task, groups)
    return { task.device:zeros({ groups }, "i32"), task.device:zeros({ 1 }, "i32") }
end

local counters = {
    counter("global atomics", "counter_global", {}),
    counter("local atomics, then one global", "counter_local", {}),
    counter("private, local, global", "counter_private", { few = true }),
    counter("... in pieces, not strides", "counter_pieces", { few = true }),
    counter("2.0: relaxed, device", "counter_relaxed", { needs = 1 }),
    counter("2.0: acquire/release, device", "counter_acq_rel", { needs = 2 }),
    counter("2.0: sequential, device", "counter_seq_cst", { needs = 3 }),
    counter("2.0: relaxed, group, then one", "counter_scopes", { needs = 0 }),
    counter("2.0: the last group adds up", "counter_ticket",
        { needs = 2, few = true, extra = partial_counts_and_ticket }),
}

-- ---- the histogram --------------------------------------------------------------------------------------------

local function histogram_problem(task)
    local counts = numbers(task)
    task.title = ("histogram of %d numbers, %d bins"):format(task.size, BINS)
    function task.check(bins)
        for value, got in ipairs(bins:totable()) do
            if got ~= counts[value - 1] then
                return false, ("counted %d of value %d, not %d"):format(got, value - 1, counts[value - 1])
            end
        end
        return true
    end
end

local function histogram(name, kernel_name, needs)
    return {
        name = name, needs = needs,
        prepare = function(task)
            local kernel = build(task, kernel_name, needs)
            local bins = task.device:zeros({ BINS }, "i32")
            local run = { global = few_groups(task) * GROUP, group = GROUP }
            return function(lap)
                bins:fill(0)
                lap:run(kernel, run, task.x, task.size, bins)
                return bins
            end
        end,
    }
end

local histograms = {
    histogram("global atomics", "histogram_global"),
    histogram("local histograms, then added", "histogram_local"),
    histogram("2.0: relaxed, device", "histogram_relaxed", 1),
    histogram("2.0: acquire/release, device", "histogram_acq_rel", 2),
    histogram("2.0: sequential, device", "histogram_seq_cst", 3),
    histogram("2.0: local, relaxed, group", "histogram_scopes", 0),
}

return lab.script {
    name = "atomics",
    about = "A counter and a histogram with global atomics, local atomics, and OpenCL 2.0's orders and scopes.",
    file = "atomics.cl",
    size = { small = 1 << 16, cpu = 1 << 20, gpu = 1 << 24 },
    awkward = {
        { size = 1 }, { size = GROUP - 1 }, { size = GROUP }, { size = GROUP + 1 }, { size = 1001 },
        { size = 16 * GROUP * BINS + 17 },
    },
    parts = {
        { problem = counter_problem, variants = counters },
        { problem = histogram_problem, variants = histograms },
    },
}
