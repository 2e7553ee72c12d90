-- Reductions: of everything, and along an axis; results stay on the device, one wait at the end.

local check = require "bench.check"
local data = require "bench.data"

local function product(sizes)
    local count = 1
    for _, size in ipairs(sizes) do
        count = count * size
    end
    return count
end

local function result_dtype(op, dtype)
    if op ~= "sum" then
        return dtype
    end
    return dtype == "f16" and "f32" or data.is_float(dtype) and dtype or dtype == "u64" and "u64" or "i64"
end

-- axis 0: all of them.
local function setup(bench, op, dtype, shape, axis)
    return function()
        local kept = {}
        for i, size in ipairs(shape) do
            kept[i] = (axis == 0 or axis == i) and 1 or size
        end
        local x = data.array(bench.device, dtype, shape)
        local out = bench.device:zeros(kept, result_dtype(op, dtype))
        local options = { axis = axis ~= 0 and axis or nil, out = out }
        return {
            call = function()
                x:reduce(op, options)
            end,
            finish = bench.finish,
            read = data.reader(out),
            release = function()
                x:release()
                out:release()
            end,
        }
    end
end

local function checker(op, dtype, shape, axis)
    return function(read, bound)
        if op == "sum" then
            return check.sums(read, dtype, shape, axis, bound)
        end
        check.extremes(read, op, dtype, shape, axis)
    end
end

local function case(bench, op, dtype, shape, axis, peers)
    local count = product(shape)
    local command = ("%s %s %d %s"):format(op, dtype, axis, table.concat(shape, " "))
    local entries = {}
    for i, peer in ipairs(peers) do
        if peer == "read" then
            entries[i] = { peer, ("sum %s 0 %d"):format(dtype, count), check = false }
        elseif peer == "whole" then
            local flat = { count }
            entries[i] = { peer, setup = setup(bench, op, dtype, flat, 0), check = checker(op, dtype, flat, 0) }
        else
            -- How exact a peer is, is shown, not asked. CuPy has kernels of its own for what it does not leave to CUB.
            entries[i] = { peer, command, bound = count, otherwise = peer == "cub" and "cupy" or nil }
        end
    end
    return {
        operation = "reduce:" .. op, dtype = dtype,
        size = table.concat(shape, "x") .. (axis > 0 and "/" .. axis or ""),
        work = count * data.bytes(dtype), unit = "GB/s",
        setup = setup(bench, op, dtype, shape, axis), check = checker(op, dtype, shape, axis), peers = entries,
    }
end

local function cpu_cases(bench)
    local all = { "numpy", "pyopencl", "read" } -- the read rate, where the caches do not hold the array
    local cases = {}
    for _, count in ipairs({ 1 << 12, 1 << 16, 1 << 20 }) do
        cases[#cases + 1] = case(bench, "sum", "f32", { count }, 0, { "numpy", "pyopencl" })
    end
    cases[#cases + 1] = case(bench, "sum", "f32", { 10000019 }, 0, { "numpy", "pyopencl" })
    cases[#cases + 1] = case(bench, "sum", "f32", { 1 << 25 }, 0, all)
    for _, dtype in ipairs({ "f64", "i32", "u8", "f16" }) do
        cases[#cases + 1] = case(bench, "sum", dtype, { (1 << 27) // data.bytes(dtype) }, 0, { "numpy" })
    end
    cases[#cases + 1] = case(bench, "min", "f32", { 1 << 25 }, 0, all)
    for _, shape in ipairs({ { 4096, 4096 }, { 1 << 20, 8 }, { 8, 1 << 20 } }) do
        for axis = 1, 2 do
            cases[#cases + 1] = case(bench, "sum", "f32", shape, axis, { "whole", "numpy" })
        end
    end
    return cases
end

local function gpu_cases(bench)
    local both = { "cub", "torch" }
    local cases = {}
    for _, op in ipairs({ "sum", "min", "max" }) do
        cases[#cases + 1] = case(bench, op, "f32", { 1 << 28 }, 0, both)
    end
    for _, count in ipairs({ 1 << 20, 1 << 24 }) do
        cases[#cases + 1] = case(bench, "sum", "f32", { count }, 0, both)
    end
    for _, dtype in ipairs({ "f64", "f16", "i32", "u8" }) do
        cases[#cases + 1] = case(bench, "sum", dtype, { (1 << 30) // data.bytes(dtype) }, 0, both)
    end
    for _, shape in ipairs({ { 16384, 16384 }, { 1 << 24, 8 }, { 8, 1 << 24 }, { 512, 512, 512 } }) do
        for axis = 1, #shape do
            cases[#cases + 1] = case(bench, "sum", "f32", shape, axis, { "torch", "cub" })
        end
    end
    return cases
end

return function(bench)
    return bench.gpu and gpu_cases(bench) or cpu_cases(bench)
end
