-- Conway's Life on the device, on a torus: a glider crosses the board, one square down and right in every four
-- generations, leaves it at the edge, and comes in on the other side.
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

-- One kernel: the next generation of all squares. Neighbours are read where they are: no board is rolled.
local generation = lun.fuse(function(cells)
    local block = 0 -- living squares among nine: a square and its neighbours
    for down = -1, 1 do
        for right = -1, 1 do
            block = block + cells:roll({ down, right }, { 1, 2 })
        end
    end
    return block:eq(3):lor(block:eq(4):land(cells)) -- three of nine; four if the square itself is one of them
end)

local function main()
    local options = script.options(arg, OPTIONS)
    local n = options.size
    local dev = script.device(OPTIONS.name, options.device)
    local cells, following = dev:zeros({ n, n }, "bool"), dev:zeros({ n, n }, "bool")
    cells:slice({ 2, 4 }, { 2, 4 }):write(GLIDER)
    local start = cells:copy()
    for _ = 1, options.generations do
        generation(cells, { out = following })
        cells, following = following, cells
    end
    local rows = math.min(n, 24)
    local function picture(board) return plot.shades(board:cast("u8"):totable(), 2 * rows, rows) end
    print(plot.beside({ picture(start), picture(cells) }, { "start", "generation " .. options.generations }))
    print(("%d squares live"):format(cells:sum()))
    local moved = options.generations // 4
    local same = cells:equal(start:roll({ moved, moved }, { 1, 2 }))
    print(("the glider is %s, %d squares down and right"):format(same and "itself" or "in another phase", moved))
end

script.run(OPTIONS.name, main)
