-- Heat over a plate whose edge is kept cold, each rank with its part of the rows: a row of each neighbour's stands
-- above and below them, and comes while the rows between are computed. The numbers do not depend on how many ranks
-- there are.
--
--     mpirun -n 2 lua5.4 examples/mpi/heat.lua [points on a side] [steps]

local lun = require "lunarray"
local mpi = require "lunarray.mpi"

local R = 0.2 -- dt / h^2

-- Of rows with those of the neighbours: the rows themselves, without the cold columns.
local step = lun.fuse(function(u, r)
    local inside, before, behind = { 2, -2 }, { 1, -3 }, { 3, -1 }
    local here = u:slice(inside, inside)
    local around = u:slice(before, inside) + u:slice(behind, inside) + u:slice(inside, before) + u:slice(inside, behind)
    return here + r * (around - 4 * here)
end)

mpi.run(function(comm)
    local dev = comm:device()
    local rank, size = comm:rank(), comm:size()
    local n, steps = math.tointeger(arg[1] or 1024), math.tointeger(arg[2] or 100)
    -- The rows 2 .. n - 1 of the plate are shared out; row 1 and row n are cold.
    local first, last = 2 + (n - 2) * (rank - 1) // size, 1 + (n - 2) * rank // size
    local x = dev:linspace(0, 1, n):reshape(1, n)
    local y = ((dev:arange(first - 1, last + 1):cast "f32" - 1) / (n - 1)):reshape(last - first + 3, 1)
    local u = ((x - 0.35) ^ 2 + (y - 0.4) ^ 2):lt(0.05):cast "f32"
    local next_u = u:copy()
    local function move(from, to) -- the rows between these two, counted from the last where negative
        step(u:slice { from, to }, R, { out = next_u:slice({ from + 1, to - 1 }, { 2, -2 }) })
    end
    for _ = 1, steps do
        comm:exchange(u, { async = true })
        if #u > 4 then
            move(2, -2) -- needs nothing of the neighbours: what does waits for them by itself
        end
        move(1, 3)
        move(-3, -1)
        u, next_u = next_u, u
    end
    local whole = comm:gather(u:slice { 2, -2 })
    if whole then
        print(("%d x %d points, %d steps, %d ranks: the squares add up to %.9f"):format(n, n, steps, size,
            whole:cast("f64"):sumsq()))
    end
end)
