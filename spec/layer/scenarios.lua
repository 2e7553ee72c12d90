-- What the layer's specs run besides the operations of spec/operations.lua, as Lua code that gives a result.

local operations = require "spec.operations"

local scenarios = {}

-- Scenarios of all kinds, of the operations too, that need few programs: those of the default run of the specs.
scenarios.few = {
    "zeros", "array", "uniform", "normal", "choice", "save", "totable", "totable, async", "tostring",
    "get", "copy of a view", "copy, async", "profile", "sum", "concat", "tile", "take", "put",
    "histogram2d", "host", "program and kernel", "run on views", "run, async", "a simulation's file",
    "a simulation from a file", "load of a .npz", "write to a view", "mapped", "run on a transposed array",
    "large, read", "several events", "a descriptor", "a file", "a program that is wrong", "several queues", "at work",
    "an error in a value's end", "a coroutine that is left",
}

-- Those that may make no call, as the host does by itself what is small (src/core/memory/seen.c).
scenarios.by_host = {}
for _, name in ipairs { "array", "save", "totable", "totable of a view", "tostring", "get", "savez", "load",
    "load of a .npz", "write to a view" } do
    scenarios.by_host[name] = true
end

-- The changes begin with an array of their own, which an earlier failure may have spoiled.
local function change(code)
    return ("mine:write { { 1, 2 }, { 3, 4 } }; %s; local result = mine:totable()"):format(code)
end

-- In a state whose programs are built, after the inputs of spec/operations.lua and these.
scenarios.inputs = [[
    local mine = dev:zeros { 2, 2 }
    local steps = { dt = 0.1, steps = 3, softening = 0.5 }
    local by_tree = { dt = 0.1, steps = 3, softening = 0.5, accuracy = 1e-3, variant = "tree_gpu" }
    local bytes = ("abcdefgh"):rep(50000)
    local large = dev:array(bytes, "u8")
    local path = os.tmpname()
    local chain = dev:program([=[
        kernel void chain(global uint *number, uint steps)
        {
            uint v = *number;
            for (uint i = 0; i < steps; i++)
                v = v * (v | 1) + 1013904223u;
            *number = v;
        }
    ]=]):kernel()
    local number = dev:ones({ 1 }, "u32")
    -- Work that keeps the device busy for some milliseconds.
    local function busy()
        number:fill(1)
        chain:run({ global = 1 }, number, 1000000)
    end
]]

scenarios.changes = {
    { "fill", change "mine:fill(7)" },
    { "set", change "mine:set(9, 2, 1)" },
    { "write to a view", change "mine:t():write { { 5, 6 }, { 7, 8 } }" },
    { "write of another array", change "mine:write(square)" },
    { "transpose_", change "mine:transpose_()" },
    { "add_", change "mine:add_(square)" },
    { "matmul to out", change "square:matmul(square, { out = mine })" },
    { "take to out", change "square:take(index, 1, { out = mine })" },
    { "mapped", change "do local host <close> = mine:host 'rw'; host[1] = 5 end" },
    { "mapped to be written", change "do local host <close> = mine:host 'w'; for i = 1, 4 do host[i] = i + 4 end end" },
    { "run on an array", change "own:run({ global = 4 }, 2, square, mine, { 1, 2 })" },
    { "run on a transposed array", change "own:run({ global = 4 }, 2, square, mine:t(), { 1, 2 })" },
    { "nbody", "local p, v = pos:copy(), vel:copy(); p:nbody(v, steps); local result = { p, v }" },
    { "nbody by a tree", "local p, v = pos:copy(), vel:copy(); p:nbody(v, by_tree); local result = { p, v }" },
    { "large, written", "large:fill(0); large:write(bytes); local result = large:sum()" },
    { "large, read", "large:write(bytes); local result = large:tobytes()" },
}

scenarios.others = {
    { "several events", "local one, two = a:copy { async = true }, a:sum { async = true }; lun.wait_all { one, two };"
        .. " lun.wait_any { two, one }; local result = { one, two }" },
    { "a descriptor", "local one = a:copy { async = true }; assert(one:pollfd()); one:wait(); local result = one" },
    { "a file", "a:save(path); local result = lun.load(path)" },
    { "a program that is wrong", [[
        local ok, problem = pcall(dev.program, dev, "kernel void x( {")
        if problem.name ~= "CL_BUILD_PROGRAM_FAILURE" then error(problem, 0) end
        local result = problem.name
    ]] },
}

-- Transfers may have a queue of their own.
scenarios.queues = {
    { "a queue", [[
        local q = dev:queue()
        local result = a:copy { queue = q }
        q:event():wait()
        q:release()
    ]] },
    { "several queues", [[
        local q1, q2 = dev:queue(), dev:queue()
        local b = a:copy { queue = q1 }
        local c = b:transpose { queue = q2 }
        b:fill(1, { queue = q1 })
        b:row(2):write({ 7, 8, 9 }, { queue = q2 })
        local list = b:totable { queue = q1, async = true }
        local result = { c, list, c:sum { queue = q1 }, b:take(index, 1, { queue = q2 }) }
        q1:release()
        q2:finish()
    ]] },
    { "an error in a value's end", [[
        local one = dev:ones { 2, 2 }
        local ok, problem = pcall(function()
            local host <close> = one:host "rw"
            local bad <close> = setmetatable({}, { __close = function() error("left", 0) end })
            local event <close> = a:copy { async = true }
            local copy <close> = a:copy()
            error("first", 0)
        end)
        if problem ~= "left" then error(problem, 0) end
        one:fill(3)
        local result = one:sum()
    ]] },
    { "a coroutine that is left", [[
        local one = dev:ones { 2, 2 }
        local thread = coroutine.create(function()
            local host <close> = one:host "rw"
            local copy <close> = a:copy()
            local event <close> = a:copy { async = true }
            coroutine.yield(host[4])
        end)
        local ok, result = coroutine.resume(thread)
        if not ok then error(result, 0) end
        if not result then error("left", 0) end -- by the fault, within the coroutine
    ]] },
    { "at work", [[
        busy()
        local list, b = a:totable { async = true }, dev:zeros { 2, 3 }
        b:add_(a)
        local result = { list, b, a:copy { async = true } }
    ]] },
    { "at work, forgotten", [[
        local q = dev:queue()
        large:write(bytes)
        busy()
        large:tobytes { async = true }
        large:write(bytes, { async = true })
        large:copy { queue = q }
        q:release()
        q = nil
        collectgarbage()
        local result = large:sum()
    ]] },
    { "large, written later", [[
        large:fill(0)
        large:write(bytes, { async = true }):wait()
        local result = large:sum()
    ]] },
    { "large, read later", "large:write(bytes); local result = large:tobytes({ async = true }):get()" },
}

-- From the first call to the end of the state.
scenarios.cold = {
    { "finding devices", [[
        local lun = require "lunarray"
        local result = {}
        for _, dev in ipairs(lun.devices()) do
            local info = dev:info()
            result[#result + 1] = table.concat({ info.name, info.type, info.memory, info.units }, " ")
        end
        return result
    ]] },
    { "a day", [[
        local lun = require "lunarray"
        local dev = lun.device()
        local a = dev:array { { 1, 2, 3 }, { 4, 5, 6 } }
        local product = a:matmul(a:t(), { async = true })
        local taken = a:t():contiguous():take(dev:array({ 2, 1 }, "i32"))
        return { a:sum(), product, taken }
    ]] },
    { queues = true, "a day with programs and queues", [[
        local lun = require "lunarray"
        local dev = lun.device()
        local q = dev:queue()
        local text = "kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }"
        local twice, x = dev:program(text):kernel(), dev:arange(6, "f32")
        twice:run({ global = 6, queue = q }, x)
        do
            local host <close> = x:host "rw"
            host[1] = host[1] + 1
        end
        return { x, twice:info().name, dev:map("x + 1", { x = x }, { queue = q }) }
    ]] },
    { queues = true, "a day of transfers", [[
        local lun = require "lunarray"
        local dev = lun.device()
        local bytes = ("abcdefgh"):rep(50000)
        local large = dev:array(bytes, "u8")
        local later = large:tobytes { async = true }
        large:write(bytes, { async = true })
        return { later:get(), large:tobytes() }
    ]] },
}

-- Every operation of a list as such a day.
function scenarios.days(list)
    local days = {}
    for i, operation in ipairs(list) do
        local name, code = table.unpack(operation)
        days[i] = { name, ("%s local result = %s return result"):format(operations.inputs, code) }
    end
    return days
end

-- All operations one after another, and a number made of all that they give.
function scenarios.everything(list)
    local source = { operations.inputs, [[
        local torture = require "spec.layer.torture"
        local sum = 17
        local function add(result)
            local text = torture.show(result)
            for at = 1, #text - 3, 4 do
                sum = (sum * 31 + string.unpack("<I4", text, at)) % 1000000007
            end
            sum = (sum * 31 + #text) % 1000000007
        end
    ]] }
    for _, operation in ipairs(list) do
        source[#source + 1] = ("do local result = %s add(result) end"):format(operation[2])
    end
    return table.concat(source, "\n") .. "\nreturn sum"
end

return scenarios
