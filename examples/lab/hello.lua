-- What the machine's devices are, and the first two kernels: vector addition and saxpy, on every one of them.
--
--     lua5.4 examples/lab/hello.lua

local here = debug.getinfo(1, "S").source:match "^@(.*/)" or "./"
local lab = dofile(here .. "lab.lua")

local function introduce(device)
    local info = device:info()
    local rows = {
        { "platform", info.platform },
        { "version", info.version .. ", driver " .. info.driver },
        { "compute units", ("%d at %d MHz"):format(info.units, info.clock) },
        { "memory", ("%.1f GiB, %.1f in one piece"):format(info.memory / 2 ^ 30, info.max_allocation / 2 ^ 30) },
        { "local memory", ("%d KiB a work-group of up to %d items"):format(info.local_memory // 1024, info.max_group) },
        { "f64, f16", ("%s, %s"):format(info.fp64 and "yes" or "no", info.fp16 and "yes" or "storage only") },
        { "shares the host's memory", info.unified_memory and "yes" or "no" },
    }
    print("\n" .. info.name)
    for _, row in ipairs(rows) do
        print(("  %-26s%s"):format(row[1], row[2]))
    end
end

local NUMBERS = {}
for i = 1, 997 do
    NUMBERS[i] = i
end

-- x is 1 to 997, again and again, and y its half: small enough for the results to be exact in f32.
local function problem(task)
    local n = task.size
    task.title = ("vectors of %d f32"):format(n)
    task.bytes = 12 * n -- two read, one written
    function task.check(z, variant)
        return lab.compare(z, function(i) return variant.factor * ((i - 1) % #NUMBERS + 1) end)
    end
    task.x = task.device:array(lab.cycle(NUMBERS, n, "<f"), "f32", { n })
    task.y = task.device:zeros { n }
    lab.program(task.device, here .. "hello.cl", {}):kernel("saxpy"):run({ global = n }, task.y, task.x, 0.5, n)
end

-- A kernel is OpenCL C in a string. One work-item adds one pair of elements.
local ADD = [[
kernel void add(global float *z, global const float *x, global const float *y)
{
    size_t i = get_global_id(0);
    z[i] = x[i] + y[i];
}
]]

local function add(task)
    local program = task.device:program(ADD)
    local kernel = program:kernel "add"
    local z = task.device:zeros { task.size }
    return function(lap)
        lap:run(kernel, { global = task.size }, z, task.x, task.y) -- the library picks the group
        return z
    end
end

-- Or a kernel stands in a file. y is read and written, so y is made anew for every run.
local function saxpy(task)
    local program = task.device:program { file = here .. "hello.cl" }
    local kernel = program:kernel "saxpy"
    local group = math.min(256, kernel:info().max_group)
    return function(lap)
        local y = task.y:copy()
        lap:run(kernel, { global = lab.round_up(task.size, group), group = group }, y, task.x, 2, task.size)
        return y
    end
end

local AWKWARD = {}
for _, size in ipairs { 1, 2, 63, 64, 65, 1001 } do
    AWKWARD[#AWKWARD + 1] = { size = size }
end

return lab.script {
    name = "hello",
    about = "The devices of this machine, and the first two kernels on each.",
    size = { small = 2 ^ 16, cpu = 2 ^ 20, gpu = 2 ^ 23 },
    every_device = true,
    introduce = introduce,
    awkward = AWKWARD,
    problem = problem,
    variants = {
        { name = "addition, from a string", factor = 1.5, prepare = add },
        { name = "saxpy, from a file", factor = 2.5, prepare = saxpy },
    },
}
