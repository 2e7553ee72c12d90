-- What the benchmark should show: each row a goal, with the measurements that it is about.
--
-- operation, and where given dtype (one or a list), size (a list) and peer, choose measurements. Then
-- ratio: ours / peer at least; rate: ours at least, in the measurement's unit; seconds: ours at most.

local goals = {}

goals.cpu = {
    { operation = "reduce:sum", dtype = "f32", size = { "33554432" }, peer = "numpy", ratio = 2.5 },
    { operation = "reduce:sum", dtype = "f32", size = { "33554432" }, peer = "pyopencl", ratio = 15 },
    { operation = "reduce:sum", dtype = "f32", size = { "33554432" }, peer = "read_best", ratio = 0.9 },
    { operation = "reduce:sum", dtype = "f32", peer = "whole", ratio = 0.7, about = "axes",
      size = { "4096x4096/1", "4096x4096/2", "1048576x8/1", "1048576x8/2", "8x1048576/1", "8x1048576/2" } },
    { operation = "fold:sum_reproducible", peer = "plain", ratio = 0.5 },
    { operation = "fold:mean_reproducible", peer = "plain", ratio = 0.5 },
    { operation = "fold:var_reproducible", peer = "plain", ratio = 0.5 },
    { operation = "fold:norm_reproducible", peer = "plain", ratio = 0.5 },
    { operation = "transpose", size = { "4096x4096", "4095x4097" }, peer = "memcpy", ratio = 0.8 },
    { operation = "transpose", dtype = "f32", size = { "4096x4096", "4095x4097" }, peer = "clblast", ratio = 1.2 },
    { operation = "transpose", peer = "memcpy", ratio = 0.5, about = "3-d",
      size = { "250x256x260/132", "250x256x260/213", "250x256x260/231", "250x256x260/312", "250x256x260/321" } },
    { operation = "matmul", dtype = { "f32", "f64" }, peer = { "openblas", "numpy" }, ratio = 1.0,
      size = { "512x512x512", "1024x1024x1024", "2048x2048x2048" } },
    { operation = "matmul", dtype = { "f32", "f64" }, peer = { "openblas", "numpy" }, ratio = 0.9,
      size = { "256x256x256" } },
    { operation = "matmul", dtype = { "f32", "f64" }, peer = { "openblas", "numpy" }, ratio = 0.85, about = "awkward",
      size = { "1000x77x1301", "16384x64x64", "64x64x16384", "64x16384x64", "4096x4096x1", "1x4096x4096",
               "1024x1024x1024/tn", "1024x1024x1024/nt", "1024x1024x1024/tt", "256x64x64x64" } },
    { operation = "nbody", dtype = "f32", peer = "avx2", ratio = 1.0 },
    { operation = "nbody", dtype = "f64", peer = "avx2", ratio = 0.8 },
    { operation = "random:uniform", peer = "numpy", ratio = 2.0 },
    { operation = "random:normal", peer = "numpy", ratio = 2.0 },
    { operation = "sort:sort", dtype = "f32", size = { "1x10483360" }, peer = "numpy", ratio = 4 },
    { operation = "sort:argsort", dtype = "f32", size = { "1x10483360" }, peer = "numpy", ratio = 4 },
    { operation = "sort:median", peer = "numpy", ratio = 2 },
    { operation = "sort:histogram", peer = "numpy", ratio = 5 },
    { operation = "kernel:line", size = { "999999" }, peer = "round", ratio = 0.8 },
    { operation = "kernel:plane", size = { "510x510" }, peer = "round", ratio = 0.8 },
    { operation = "call:sum", size = { "1000" }, rate = 1 / 40e-6, about = "<= 40 us" },
    { operation = "call:steps", peer = "launch", ratio = 1.0, about = "a step <= a launch" },
    { operation = "gravity", size = { "100000", "1000000" }, peer = "pytreegrav", ratio = 4 },
    { operation = "gravity", size = { "100000", "1000000" }, peer = "pyfalcon", ratio = 2.5 },
    { operation = "first:sum", size = { "warm" }, seconds = 0.3 },
    { operation = "first:transpose", size = { "warm" }, seconds = 0.3 },
    { operation = "first:matmul", size = { "warm" }, seconds = 0.3 },
    { operation = "first:nbody", size = { "warm" }, seconds = 0.3 },
    { operation = "map:add", size = { "16777216" }, peer = "numpy", ratio = 1.5 },
    { operation = "map:exp", size = { "16777216" }, peer = "numpy", ratio = 1.5 },
    { operation = "map:heat", peer = "numexpr", ratio = 2 },
    { operation = "map:fused", size = { "16777216" }, peer = "numexpr", ratio = 2 },
    { operation = "formula:options", peer = "numexpr", ratio = 2 },
    { operation = "formula:mandelbrot", peer = "numexpr", ratio = 2 },
    { operation = "fold:var", peer = "numpy", ratio = 1 },
    { operation = "fold:argmax", peer = "numpy", ratio = 1 },
    { operation = "scan:sum", dtype = "f32", peer = "memcpy_threads", ratio = 0.66,
      size = { "33554432", "4096x8192/1", "4096x8192/2" } },
    { operation = "scan:sum", size = { "33554432", "4096x8192/1", "4096x8192/2" }, peer = "numpy", ratio = 1.5 },
    -- Ten times one core's rate on sixteen.
    { operation = "scaling:matmul", peer = "one_core", ratio_per_unit = 10 / 16 },
    { operation = "scaling:nbody", peer = "one_core", ratio_per_unit = 10 / 16 },
}

-- Rates are those of an H200.
goals.gpu = {
    { operation = "reduce:sum", dtype = "f32", size = { "268435456" }, peer = "cub", ratio = 1.02 },
    { operation = "reduce:min", dtype = "f32", size = { "268435456" }, peer = "cub", ratio = 1.02 },
    { operation = "reduce:max", dtype = "f32", size = { "268435456" }, peer = "cub", ratio = 1.02 },
    { operation = "kernel:line", size = { "999999" }, peer = "round", ratio = 0.8 },
    { operation = "kernel:plane", size = { "510x510" }, peer = "round", ratio = 0.8 },
    { operation = "call:sum", peer = "cub", ratio = 1.0 },
    { operation = "call:min", peer = "cub", ratio = 1.0 },
    { operation = "call:max", peer = "cub", ratio = 1.0 },
    { operation = "reduce:sum", dtype = "f32", peer = "torch", ratio = 0.9, about = "axes",
      size = { "16384x16384/1", "16384x16384/2", "16777216x8/1", "16777216x8/2", "8x16777216/1", "8x16777216/2",
               "512x512x512/1", "512x512x512/2", "512x512x512/3" } },
    { operation = "transpose", size = { "16384x16384", "8191x8193" }, peer = "copy", ratio = 0.95 },
    { operation = "transpose", peer = "copy", ratio = 0.8, about = "3-d",
      size = { "500x512x520/132", "500x512x520/213", "500x512x520/231", "500x512x520/312", "500x512x520/321" } },
    { operation = "matmul", dtype = "f32", peer = "cublas", ratio = 1.0,
      size = { "1024x1024x1024", "2048x2048x2048", "4096x4096x4096", "8192x8192x8192" } },
    { operation = "matmul", dtype = "f32", peer = "cublas", ratio = 0.85, about = "awkward",
      size = { "1000x77x1301", "16384x64x64", "64x64x16384", "64x16384x64", "4096x4096x1", "1x4096x4096",
               "1024x1024x1024/tn", "1024x1024x1024/nt", "1024x1024x1024/tt", "256x64x64x64", "4097x4095x4099" } },
    { operation = "matmul:generic", dtype = "f64", rate = 30000, about = "no matrix instructions" },
    { operation = "matmul:generic", dtype = "f16", peer = "f32", ratio = 1.0, about = "no matrix instructions" },
    { operation = "matmul", dtype = "f64", peer = "cublas", ratio = 0.85,
      size = { "1024x1024x1024", "2048x2048x2048", "4096x4096x4096", "8192x8192x8192" } },
    { operation = "nbody", dtype = "f32", size = { "65536", "262144" }, peer = "cuda", ratio = 1.25 },
    -- 132 units x 64 lanes x 1.98 GHz, 10 operations an interaction where each pair is met once.
    { operation = "nbody", dtype = "f64", size = { "65536", "262144" }, rate = 0.8 * 1673,
      about = "0.8 of 1673, the limit by its instructions" },
    { operation = "map:add", peer = "torch", ratio = 1.0 },
    { operation = "map:exp", peer = "torch", ratio = 1.0 },
    { operation = "map:fused", peer = "compiled", ratio = 1.05 },
    { operation = "map:row", peer = "torch", ratio = 1.3 },
    { operation = "map:column", peer = "torch", ratio = 1.3 },
    { operation = "map:strided", peer = "torch", ratio = 1.3 },
    { operation = "map:where", peer = "torch", ratio = 1.3 },
    { operation = "map:heat", rate = 3600 },
    { operation = "scan:sum", dtype = "f32", size = { "134217728" }, peer = "torch", ratio = 1.2 },
    { operation = "scan:sum", dtype = "f32", size = { "16384x8192/1" }, rate = 2500, about = "columns" },
    { operation = "fold:argmax", size = { "134217728" }, rate = 4200 },
    { operation = "fold:var", size = { "134217728" }, rate = 4200 },
    { operation = "fold:norm", size = { "134217728" }, rate = 4200 },
    { operation = "fold:dot", size = { "134217728" }, rate = 4200 },
    { operation = "fold:meanvar", rate = 4200 },
    { operation = "fold:argmax", rate = 4000, about = "axes", size = { "16384x8192/1", "16384x8192/2" } },
    { operation = "fold:var", rate = 4000, about = "axes", size = { "16384x8192/1", "16384x8192/2" } },
    { operation = "gravity", size = { "100000" }, rate = 50 },
    { operation = "gravity", size = { "1000000" }, rate = 220 },
    { operation = "gravity", size = { "10000000" }, rate = 270 },
    { operation = "sort:sort", dtype = "i32", size = { "1x104833600" }, peer = "torch", ratio = 1 },
    { operation = "add_at", dtype = "i32", size = { "67108864 into 1048576" }, rate = 53 },
    { operation = "random:uniform", dtype = "f32", rate = 896 },
    { operation = "random:normal", dtype = "f32", rate = 636 },
    { operation = "upload", size = { "134217728" }, peer = "pinned", ratio = 0.8 },
    { operation = "download:host", size = { "134217728" }, peer = "pinned", ratio = 0.8 },
    { operation = "download", size = { "134217728" }, peer = "pinned", ratio = 0.8 },
}

local function among(value, wanted)
    if wanted == nil or value == wanted then
        return true
    end
    if type(wanted) == "table" then
        for _, one in ipairs(wanted) do
            if value == one then
                return true
            end
        end
    end
    return false
end

local function matches(goal, row)
    return goal.operation == row.operation and among(row.dtype, goal.dtype) and among(row.size, goal.size)
        and among(row.peer, goal.peer)
end

-- What the goal looks at in a measurement, oriented so that more is better, and the least that reaches the goal.
local function merit(goal, row, units)
    if goal.seconds then
        return -row.ours, -goal.seconds
    elseif goal.rate then
        return row.ours, goal.rate
    end
    return row.ratio, goal.ratio or goal.ratio_per_unit * units
end

local function wanted_text(goal, units)
    if goal.seconds then
        return ("<= %g s"):format(goal.seconds)
    elseif goal.rate then
        return (">= %g"):format(goal.rate)
    end
    return (">= %.4g"):format(goal.ratio or goal.ratio_per_unit * units)
end

local function part(before, text, after)
    return text and before .. text .. (after or "") or ""
end

-- The goals beside the worst measurement of each: a list of { goal, what, wanted, worst (a measurement or nil), got,
-- reached }. `asked(operation)` says whether an operation was to be measured at all.
function goals.judge(kind, rows, units, asked)
    local verdicts = {}
    for _, goal in ipairs(goals[kind] or {}) do
        local worst, least, limit
        for _, row in ipairs(rows) do
            if matches(goal, row) then
                local value, needed = merit(goal, row, units)
                if value and (not least or value < least) then
                    worst, least, limit = row, value, needed
                end
            end
        end
        if worst or asked(goal.operation) then
            local dtype = type(goal.dtype) == "table" and table.concat(goal.dtype, ",") or goal.dtype
            local peer = worst and goal.peer and worst.peer or type(goal.peer) == "table" and goal.peer[1] or goal.peer
            verdicts[#verdicts + 1] = {
                what = goal.operation .. part(" ", dtype) .. part(" (", goal.about, ")"),
                wanted = wanted_text(goal, units), peer = peer, worst = worst,
                got = worst and math.abs(least), reached = worst and least >= limit,
            }
        end
    end
    return verdicts
end

return goals
