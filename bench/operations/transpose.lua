-- Transposition: squares and odd sizes of every item size, and permutations of three axes; a copy is the yardstick.

local check = require "bench.check"
local data = require "bench.data"

local function setup(bench, dtype, shape, perm)
    return function()
        local sizes = {}
        for i, axis in ipairs(perm) do
            sizes[i] = shape[axis]
        end
        local x = data.array(bench.device, dtype, shape)
        local out = bench.device:zeros(sizes, dtype)
        local options = { out = out }
        return {
            call = function()
                x:transpose(perm, options)
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

local function case(bench, dtype, shape, perm, peers)
    local count = 1
    for _, size in ipairs(shape) do
        count = count * size
    end
    local entries = {}
    for i, peer in ipairs(peers) do
        if peer:find("memcpy", 1, true) or peer == "copy" then
            entries[i] = { peer == "copy" and "torch" or peer, ("copy %s %d"):format(dtype, count), label = peer,
                           check = function(read) check.copied(read, dtype, count) end }
        else
            local numbers = table.concat(perm, " ") .. " " .. table.concat(shape, " ")
            entries[i] = { peer, ("transpose %s %s"):format(dtype, numbers) }
        end
    end
    return {
        operation = "transpose", dtype = dtype,
        size = table.concat(shape, "x") .. (#perm > 2 and "/" .. table.concat(perm) or ""),
        work = 2 * count * data.bytes(dtype), unit = "GB/s",
        setup = setup(bench, dtype, shape, perm), peers = entries,
        check = function(read)
            check.transposed(read, dtype, shape, perm)
        end,
    }
end

local PERMUTATIONS = { { 1, 3, 2 }, { 2, 1, 3 }, { 2, 3, 1 }, { 3, 1, 2 }, { 3, 2, 1 } }

local function cpu_cases(bench)
    local cases = {}
    cases[1] = case(bench, "f32", { 1024, 1024 }, { 2, 1 }, { "memcpy", "clblast", "numpy" })
    for _, shape in ipairs({ { 4096, 4096 }, { 4095, 4097 } }) do
        cases[#cases + 1] = case(bench, "f32", shape, { 2, 1 }, { "memcpy", "memcpy_threads", "clblast" })
        cases[#cases + 1] = case(bench, "f64", shape, { 2, 1 }, { "memcpy", "clblast" })
        cases[#cases + 1] = case(bench, "u16", shape, { 2, 1 }, { "memcpy" })
        cases[#cases + 1] = case(bench, "u8", shape, { 2, 1 }, { "memcpy" })
    end
    for _, perm in ipairs(PERMUTATIONS) do
        cases[#cases + 1] = case(bench, "f32", { 250, 256, 260 }, perm, { "memcpy", "numpy" })
    end
    return cases
end

local function gpu_cases(bench)
    local cases = {}
    for _, shape in ipairs({ { 16384, 16384 }, { 8191, 8193 } }) do
        for _, dtype in ipairs({ "f32", "f64", "u16", "u8" }) do
            cases[#cases + 1] = case(bench, dtype, shape, { 2, 1 }, { "copy", "torch" })
        end
    end
    cases[#cases + 1] = case(bench, "f32", { 1024, 1024 }, { 2, 1 }, { "copy", "torch" })
    cases[#cases + 1] = case(bench, "f32", { 4096, 4096 }, { 2, 1 }, { "copy", "torch" })
    for _, perm in ipairs(PERMUTATIONS) do
        cases[#cases + 1] = case(bench, "f32", { 500, 512, 520 }, perm, { "copy", "torch" })
    end
    return cases
end

return function(bench)
    return bench.gpu and gpu_cases(bench) or cpu_cases(bench)
end
