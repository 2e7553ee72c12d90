-- Conway's Life on the device: a glider crosses the board, one square down and right in every four generations.
--
--     lua5.4 examples/life.lua --size 40 --generations 120

local lun = require "lunarray"
local plot = require "lunarray.plot"
local script = require "lunarray.script"

local OPTIONS = {
    name = "life",
    about = "Conway's Life: a glider crosses a board of booleans.",
    { name = "size", value = "N", default = 16, integer = true, min = 8, max = 1000, help = "squares on a side" },
    { name = "generations", value = "N", default = 40, integer = true, min = 0, help = "how long to go on" },
    { name = "device", value = "NAME", help = "device: gpu, cpu, a part of its name, or its number" },
}

local GLIDER = { { 0, 1, 0 }, { 0, 0, 1 }, { 1, 1, 1 } }

-- One kernel: the next generation of all squares that have eight neighbours. Those at the edge stay dead.
local THREE = { { 1, -3 }, { 2, -2 }, { 3, -1 } } -- rows or columns before, at and behind those squares
local generation = lun.fuse(function(cells)
    local block = 0 -- living squares among nine: a square and its neighbours
    for _, rows in ipairs(THREE) do
        for _, columns in ipairs(THREE) do
            block = block + cells:slice(rows, columns)
        end
    end
    local alive = cells:slice(THREE[2], THREE[2])
    return block:eq(3):lor(block:eq(4):land(alive)) -- three of nine; four if the square itself is one of them
end)

local function main()
    local options = script.options(arg, OPTIONS)
    local n = options.size
    local dev = script.device(OPTIONS.name, options.device)
    local cells, following = dev:zeros({ n, n }, "bool"), dev:zeros({ n, n }, "bool")
    cells:slice({ 2, 4 }, { 2, 4 }):write(GLIDER)
    local start = cells:copy()
    for _ = 1, options.generations do
        generation(cells, { out = following:slice(THREE[2], THREE[2]) })
        cells, following = following, cells
    end
    local rows = math.min(n, 24)
    local function picture(board) return plot.shades(board:cast("u8"):totable(), 2 * rows, rows) end
    print(plot.beside({ picture(start), picture(cells) }, { "start", "generation " .. options.generations }))
    print(("%d squares live"):format(cells:sum()))
    local moved = options.generations // 4
    if (options.generations + 3) // 4 + 4 < n then
        local here = cells:slice({ 1 + moved, n }, { 1 + moved, n })
        local there = start:slice({ 1, n - moved }, { 1, n - moved })
        local same = here:ne(there):sum() == 0
        print(("the glider is %s, %d squares down and right"):format(same and "itself" or "in another phase", moved))
    else
        print "the glider has met the corner"
    end
end

script.run(OPTIONS.name, main)
