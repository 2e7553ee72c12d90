-- Heat over a plate whose edge is kept cold, each rank with its part of the rows: some of each neighbour's stand
-- above and below them, and come while the rows between are computed. With more of them the ranks need one another
-- less often. The numbers depend neither on that nor on how many ranks there are.
--
--     mpirun -n 2 lua5.4 examples/mpi/heat.lua [points on a side] [steps] [rows of a neighbour, each good for a step]

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
    local n, steps, width = math.tointeger(arg[1] or 1024), math.tointeger(arg[2] or 100), math.tointeger(arg[3] or 1)
    -- The rows 2 .. n - 1 of the plate are shared out; row 1 and row n are cold, and what stands beyond them.
    local first, last = 2 + (n - 2) * (rank - 1) // size, 1 + (n - 2) * rank // size
    local rows = last - first + 1 + 2 * width
    local x = dev:linspace(0, 1, n):reshape(1, n)
    local y = ((dev:arange(first - width, last + width):cast "f32" - 1) / (n - 1)):reshape(rows, 1)
    local u = ((x - 0.35) ^ 2 + (y - 0.4) ^ 2):lt(0.05):cast "f32"
    local next_u = u:copy()
    local function move(from, to) -- the rows between these two
        if to - from > 1 then
            step(u:slice { from, to }, R, { out = next_u:slice({ from + 1, to - 1 }, { 2, -2 }) })
        end
    end
    local top, bottom = rank == 1 and width or 1, rank == size and rows - width + 1 or rows -- cold, or good at first
    for done = 0, steps - 1, width do
        comm:exchange(u, { width = width, async = true })
        local turns = math.min(width, steps - done)
        local before, before_next = u, next_u
        for turn = 1, turns do -- rows that need nothing of the neighbours yet
            move(width + turn, rows - width - turn + 1)
            u, next_u = next_u, u
        end
        u, next_u = before, before_next
        for turn = 1, turns do -- the others, which wait for the exchange by themselves
            move(math.max(top, turn), width + turn + 1)
            move(rows - width - turn, math.min(bottom, rows - turn + 1))
            u, next_u = next_u, u
        end
    end
    local whole = comm:gather(u:slice { width + 1, -width - 1 })
    if whole then
        print(("%d x %d points, %d steps, %d ranks: the squares add up to %.9f"):format(n, n, steps, size,
            whole:cast("f64"):sumsq()))
    end
end)
