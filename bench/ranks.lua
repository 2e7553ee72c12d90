-- The time of a step on many ranks, from what one rank computes in a second and what a message and a byte cost:
--
--     lua5.4 bench/ranks.lua [name=number ...]         a table for 1 to 1024 ranks
--     mpirun -n 2 lua5.4 bench/ranks.lua measure       measures these numbers here, and steps of other sizes
--     mpirun -n 2 lua5.4 bench/ranks.lua work [name ...] [scale=number]   times of a call or a step, in ms
--
-- doc/scaling.md says what the model leaves out, and what follows from it.

-- ---- the model ----------------------------------------------------------------------------------------------

-- Seconds. The numbers: a GPU of the H100's kind to a rank, and a network of 25 GB/s.
local usual = {
    call = 40e-6,     -- of lunarray, for a call between ranks: kernels that gather, mapping
    message = 2e-6,   -- for a message between two ranks
    byte = 1 / 25e9,  -- and for each byte of it
    point = 1 / 4e11, -- of a heat step
    pair = 1 / 1.5e12, -- of two bodies, one of them pulled
    build = 1.6e-9,   -- for a body of a tree that is built,
    walk = 2.8e-9,    -- and for one that is pulled by it
}

local model = {}

-- All ranks give `bytes` together, and get all: by recursive doubling, in log2 of so many messages.
local function allgather(t, ranks, bytes)
    if ranks == 1 then
        return 0
    end
    return t.call + math.ceil(math.log(ranks, 2)) * t.message + bytes * t.byte * (ranks - 1) / ranks
end

-- Rows of n x n points to each rank; a row to and from either neighbour comes while the rows between are computed.
function model.heat(t, ranks, n)
    local rows = (n - 2) / ranks
    local inside, edges = t.point * n * (rows - 2), 2 * t.point * n
    local exchange = ranks > 1 and t.call + t.message + 4 * n * t.byte * 2 or 0
    return math.max(inside, exchange) + edges, exchange > inside and "the rows of the neighbours" or "points"
end

-- Each rank has all bodies, pulls its own, and tells all where they are.
function model.direct(t, ranks, n)
    local pull, gather = t.pair * n * n / ranks, allgather(t, ranks, 16 * n)
    return pull + gather, gather > pull and "places of all bodies" or "pairs"
end

-- The same by a tree, which each rank builds over all bodies.
function model.tree(t, ranks, n)
    local build, walk, gather = t.build * n, t.walk * n / ranks, allgather(t, ranks, 16 * n)
    local most = math.max(build, walk, gather)
    return build + walk + gather,
        most == build and "the tree that each rank builds" or most == walk and "pulls" or "places of all bodies"
end

-- Trees of the own bodies alone, and from other ranks the cells that these need: those near the border, as a rank's
-- part has a surface of (n / ranks)^(2/3) bodies, some five cells deep, and some hundred of the far ones.
function model.essential(t, ranks, n)
    local own = n / ranks
    local imported = ranks > 1 and 5 * 6 * own ^ (2 / 3) + 100 * math.log(ranks, 2) or 0
    local messages = ranks > 1 and t.call + math.min(ranks - 1, 26) * t.message + 32 * imported * t.byte or 0
    local build, walk = t.build * (own + imported), t.walk * own
    return build + walk + messages, messages > build + walk and "cells of other ranks" or "pulls"
end

local problems = { -- what is shown, and with which size
    { "heat", 8192 }, { "direct", 524288 }, { "tree", 1e7 }, { "essential", 1e7 },
}

local function show_table(t)
    for _, problem in ipairs(problems) do
        local name, n = table.unpack(problem)
        print(("%s, %d: ms for a step, times the rate of one, and what most of the time goes to"):format(name, n))
        local alone = model[name](t, 1, n)
        for _, ranks in ipairs { 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024 } do
            local time, most = model[name](t, ranks, n)
            print(("%6d %10.3f %8.1f  %s"):format(ranks, time * 1e3, alone / time, most))
        end
    end
end

-- ---- measuring ----------------------------------------------------------------------------------------------

-- The time of f on the slowest rank, the mean of so many.
local function time_of(comm, times, f)
    local core = require "lunarray.core"
    comm:device():finish()
    comm:barrier()
    local start = core.clock()
    for _ = 1, times do
        f()
    end
    comm:device():finish()
    return comm:allreduce((core.clock() - start) / times, "max")
end

-- So many steps as rows come at once from a neighbour, as in examples/mpi/heat.lua.
local function new_heat(comm, n, all_rows, width)
    local lun, dev = require "lunarray", comm:device()
    width = width or 1
    local rows = ((all_rows or n) - 2) // comm:size() + 2 * width
    local u, other = dev:random { rows, n }, dev:zeros { rows, n }
    local step = lun.fuse(function(here, r)
        local inside, before, behind = { 2, -2 }, { 1, -3 }, { 3, -1 }
        local around = here:slice(before, inside) + here:slice(behind, inside) + here:slice(inside, before)
            + here:slice(inside, behind)
        return here:slice(inside, inside) + r * (around - 4 * here:slice(inside, inside))
    end)
    local function move(from, to)
        step(u:slice { from, to }, 0.2, { out = other:slice({ from + 1, to - 1 }, { 2, -2 }) })
    end
    return function(alone)
        if not alone then
            comm:exchange(u, { width = width, async = true })
        end
        local before, before_other = u, other
        for turn = 1, width do
            move(width + turn, rows - width - turn + 1)
            u, other = other, u
        end
        u, other = before, before_other
        for turn = 1, width do
            move(turn, width + turn + 1)
            move(rows - width - turn, rows - turn + 1)
            u, other = other, u
        end
    end
end

-- A step of n bodies of which each rank pulls its own: by `all`, or alone.
local function new_bodies(comm, n, accuracy)
    local dev, share = comm:device(), n // comm:size()
    local all = dev:random({ n, 4 }, { seed = 1 })
    local own = all:slice({ 1, share }):copy()
    local options = { softening = 0.05, accuracy = accuracy, at = own }
    return function(alone)
        all:gravity(options):release()
        if not alone then
            comm:allgather(own, { out = all })
        end
    end
end

local ACCURACY = 1e-2

-- What the model is made of, as a function that measures it, with all ranks at work: cores that they share are slower.
local function measures(comm)
    local dev, size = comm:device(), comm:size()
    local heat, direct = new_heat(comm, 2042, 1022), new_bodies(comm, 8196)
    local bodies, few = dev:random({ 30000, 4 }, { seed = 2 }), dev:random({ 64, 3 }, { seed = 3 })
    local tiny, large, all = dev:zeros { 8 }, dev:zeros { 1 << 18 }, dev:zeros { size << 18 }
    local most = 2e-6 -- of a message: of a call it is the smaller part by far
    local function pulled(at)
        return time_of(comm, 2, function() bodies:gravity({ at = at, accuracy = ACCURACY }):release() end)
    end
    return function()
        local t = { message = most }
        t.point = time_of(comm, 20, function() heat(size == 1) end) / (2042 * (1020 // size)) -- the exchange is hidden
        t.pair = time_of(comm, 2, function() direct(true) end) / (8196 * (8196 // size))
        t.build = pulled(few) / 30000
        t.walk = pulled(bodies) / 30000 - t.build
        local short, long = time_of(comm, 50, function() comm:allgather(tiny) end),
            time_of(comm, 5, function() comm:allgather(large, { out = all }) end)
        t.call = short - math.ceil(math.log(size, 2)) * most
        t.byte = size > 1 and math.max(long - short, 0) / ((size - 1) << 20) or 0
        return t
    end
end

-- Rounds of both, one behind the other, as others may be at work on the machine, too; the median of each.
local function compare(comm)
    local ROUNDS, measure = 7, measures(comm)
    local steps = {
        { "heat", 2042, 20, new_heat(comm, 2042) }, { "direct", 20004, 1, new_bodies(comm, 20004) },
        { "tree", 99996, 1, new_bodies(comm, 99996, ACCURACY) },
    }
    local rounds, numbers = {}, {}
    for round = 0, ROUNDS do -- the first one compiles
        local t = measure()
        for name, seconds in pairs(t) do
            numbers[name] = numbers[name] or {}
            numbers[name][round] = seconds
        end
        for _, one in ipairs(steps) do
            local name, n, times, f = table.unpack(one)
            rounds[name] = rounds[name] or { measured = {}, said = {}, part = {} }
            local r = rounds[name]
            r.measured[round] = time_of(comm, times, function() f(comm:size() == 1) end)
            r.said[round] = model[name](t, comm:size(), n)
            r.part[round] = r.said[round] / r.measured[round]
        end
    end
    local function median(list)
        table.sort(list)
        return list[ROUNDS // 2 + 1]
    end
    if comm:rank() ~= 1 then
        return
    end
    for _, one in ipairs(steps) do
        local r = rounds[one[1]]
        print(("%d ranks, %-6s %6d: %8.2f ms, and %8.2f by the model, %.2f of it"):format(comm:size(), one[1], one[2],
            median(r.measured) * 1e3, median(r.said) * 1e3, median(r.part)))
    end
    local list = {}
    for name, seconds in pairs(numbers) do
        list[#list + 1] = ("%s=%.3g"):format(name, median(seconds))
    end
    table.sort(list)
    print(table.concat(list, " "))
end

-- ---- times --------------------------------------------------------------------------------------------------

-- name -> what makes it: the function that is timed, what is counted, and the calls in a row. Sizes are a GPU's.
local works = {}
local WORKS = { "large", "small", "header", "heat", "wide", "wider", "fewer", "direct", "tree", "fused", "matmul" }

local function new_allreduce(count, calls)
    return function(comm)
        local x, sum = comm:device():random({ count }, { dtype = "f64" }), comm:device():zeros({ count }, "f64")
        local function f() comm:allreduce(x, "sum", { out = sum }) end
        return f, ("allreduce of %d f64"):format(count), calls
    end
end

works.large, works.small = new_allreduce(1 << 23, 1), new_allreduce(1024, 20)

-- The bytes by which all ranks know that they call the same. Each call begins with them, and a barrier is no more.
function works.header(comm)
    return function() comm:barrier() end, "the header of a call", 100
end

local function new_plate(width)
    return function(comm, scale)
        local n = scale(8190, 2) + 2
        local step = new_heat(comm, n, n, width)
        local what = ("heat, %d steps of %d x %d, %d rows at once"):format(width, n, n, width)
        return function() step(comm:size() == 1) end, what, math.ceil(50 / width)
    end
end

works.heat, works.wide, works.wider = new_plate(1), new_plate(8), new_plate(32)

local function new_direct(n)
    return function(comm, scale)
        n = scale(n, 2) // 12 * 12
        local step = new_bodies(comm, n)
        return function() step(comm:size() == 1) end, ("the direct sum, a step of %d bodies"):format(n), 5
    end
end

works.direct, works.fewer = new_direct(524288), new_direct(131072)

function works.tree(comm, scale)
    local n = scale(2 ^ 20, 1) // 12 * 12
    local step = new_bodies(comm, n, ACCURACY)
    return function() step(comm:size() == 1) end, ("a tree, a step of %d bodies"):format(n), 5
end

-- As much for each rank: with more ranks, more.
function works.fused(comm, scale)
    local dev, count = comm:device(), scale(2 ^ 28, 1)
    local x, out = dev:random { count }, dev:zeros { count }
    local function f() dev:map("exp(x) * x + x", { x = x }, { out = out }) end
    return f, ("exp(x) * x + x of %d f32 a rank"):format(count), 10
end

function works.matmul(comm, scale)
    local n = scale(8192, 3) // 12 * 12
    local a, b = comm:device():random { n // comm:size(), n }, comm:device():random { n, n }
    local own = comm:device():zeros { n // comm:size(), n }
    return function() a:matmul(b, { out = own }) end, ("matmul of %d f32, rows shared out"):format(n), 5
end

-- Of the slowest rank, medians over batches of calls in a row.
local function time_works(comm)
    local names, factor = {}, 1
    for i = 2, #arg do
        local number = arg[i]:match "^scale=(.+)$"
        if not number and not works[arg[i]] then
            error(("%s: scale=number is needed, or %s"):format(arg[i], table.concat(WORKS, ", ")), 0)
        end
        factor = tonumber(number) or factor
        names[#names + 1] = not number and arg[i] or nil
    end
    local function scale(size, power)
        return math.floor(size * factor ^ (1 / power))
    end
    for _, name in ipairs(#names > 0 and names or WORKS) do
        local f, what, calls = works[name](comm, scale)
        time_of(comm, 2, f)
        local times = {}
        for i = 1, calls == 1 and 21 or 7 do
            times[i] = time_of(comm, calls, f)
        end
        table.sort(times)
        if comm:rank() == 1 then
            print(("%d ranks: %s: median %.4f ms, least %.4f"):format(comm:size(), what, times[#times // 2 + 1] * 1e3,
                times[1] * 1e3))
        end
        collectgarbage()
    end
end

if arg[1] == "measure" then
    require "lunarray.mpi".run(compare)
elseif arg[1] == "work" then
    require "lunarray.mpi".run(time_works)
else
    for _, text in ipairs(arg) do
        local name, number = text:match "^(%a+)=(.+)$"
        if not usual[name] or not tonumber(number) then
            error(("%s: name=number is needed, with call, message, byte, point, pair, build or walk"):format(text), 0)
        end
        usual[name] = tonumber(number)
    end
    show_table(usual)
end
