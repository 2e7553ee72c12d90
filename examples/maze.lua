-- Shortest ways on a grid with walls, from one corner: distances are products with the matrix of neighbours, in which
-- the least is taken in place of a sum, and a sum in place of a product.
--
--     lua5.4 examples/maze.lua --size 60 --walls 0.35 --png maze.png

local lun = require "lunarray"
local plot = require "lunarray.plot"
local script = require "lunarray.script"

local OPTIONS = {
    name = "maze",
    about = "Shortest ways on a grid with walls, by products of the semiring of min and +.",
    { name = "size", value = "N", default = 32, integer = true, min = 2, max = 1000, help = "squares on a side" },
    { name = "walls", value = "SHARE", default = 0.3, min = 0, below = 1, help = "share of squares that are walls" },
    { name = "seed", value = "N", default = 1, integer = true, min = 0, help = "of the walls" },
    { name = "png", value = "FILE", help = "write a picture of the distances" },
    { name = "device", value = "NAME", help = "device: gpu, cpu, a part of its name, or its number" },
}

-- Entry (i, j) is the length of the step from square j to its neighbour i.
local function steps(dev, open)
    local n = #open
    local squares = dev:arange(n * n):reshape(n, n)
    local rows, cols = {}, {}
    for axis = 1, 2 do
        local first, second = {}, {}
        first[axis], second[axis] = { 1, n - 1 }, { 2, n }
        local function both(a) return a:slice(first[1], first[2]), a:slice(second[1], second[2]) end
        local here, there = both(open)
        local from, to = both(squares)
        local free = here:land(there)
        from, to = from:mask(free), to:mask(free)
        rows[2 * axis - 1], cols[2 * axis - 1] = from, to
        rows[2 * axis], cols[2 * axis] = to, from
    end
    return lun.sparse { rows = lun.concat(rows), cols = lun.concat(cols), values = 1, shape = { n * n, n * n } }
end

local function main()
    local options = script.options(arg, OPTIONS)
    local n = options.size
    local dev = script.device(OPTIONS.name, options.device)
    local open = dev:random({ n, n }, { seed = options.seed }):ge(options.walls)
    open:set(true, 1, 1)
    open:set(true, n, n)
    local matrix = steps(dev, open)
    local far = dev:full({ n * n }, math.huge)
    far:set(0, 1)

    local products, before = 0
    repeat
        before = far
        for _ = 1, 16 do
            far = far:minimum(matrix:matmul(far, { plus = "min", times = "+" }))
        end
        products = products + 16
    until far:equal(before)
    local reached = far:lt(math.huge)
    print(("%d of %d open squares are reached, the farthest in %d steps; %d products"):format(reached:sum(), open:sum(),
        reached:where(far, 0):max(), products))
    local length = far:get(n * n)
    print(length < math.huge and ("the opposite corner is %d steps away"):format(length)
        or "no way leads to the opposite corner")

    local picture = reached:where(far, 0 / 0):reshape(n, n)
    if options.png then
        local times = math.max(1, 400 // n)
        plot.image(options.png, picture:repeats(times, 1):repeats(times, 2))
        print("the distances are in " .. options.png)
    else
        print(table.concat(plot.shades(picture:nan_to_num():totable(), math.min(2 * n, 96), math.min(n, 48)), "\n"))
    end
end

script.run(OPTIONS.name, main)
