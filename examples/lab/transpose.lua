-- Transposing a matrix, six ways: what uncoalesced writes cost, and how local memory saves them.
--
--     lua5.4 examples/lab/transpose.lua --device gpu --size 8192 --columns 8192

local here = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
local lab = dofile(here .. "lab.lua")

-- rows x columns random numbers that f32 holds exactly. Neither size is a multiple of a tile, unless --size is one.
local function problem(task)
    local rows, columns = task.size, task.options.columns
    if columns == 0 then
        columns = rows - rows // 4 + 3
    end
    task.rows, task.columns = rows, columns
    task.title = ("transpose %d x %d f32"):format(rows, columns)
    task.bytes = 2 * 4 * rows * columns
    task.x = task.device:randint({ rows, columns }, 0, 2 ^ 24 - 1, "i32", { seed = 1 }):cast "f32"
    function task.check(result, variant)
        local x <close> = task.x:host "r"
        return lab.compare(result:reshape(rows * columns), function(i)
            if variant.copies then
                return x[i]
            end
            local column, row = (i - 1) // rows, (i - 1) % rows
            return x[row * columns + column + 1]
        end)
    end
end

-- A variant that runs one kernel: tiles of `tile` x `tile` numbers, `each` rows of it to an item.
local function variant(name, kernel_name, tile, each, copies)
    return {
        name = name,
        copies = copies,
        prepare = function(task)
            local kernel = task:kernel(kernel_name, { TILE = tile, EACH = each })
            lab.fit(kernel, tile * tile // each)
            local out = task.device:full({ task.columns, task.rows }, -1)
            local group = { tile, tile // each }
            local across, down = lab.ceil_div(task.columns, tile), lab.ceil_div(task.rows, tile)
            local global = { across * group[1], down * group[2] }
            return function(lap)
                lap:run(kernel, { global = global, group = group }, task.x, out, task.rows, task.columns)
                return out
            end
        end,
    }
end

return lab.script {
    name = "transpose",
    about = "Transposing a matrix: copy, naive, and through tiles in local memory.",
    file = "transpose.cl",
    size = { small = 300, cpu = 1024, gpu = 8192 },
    size_help = "rows of the matrix",
    options = {
        { name = "columns", value = "N", default = 0, integer = true, min = 0, help = "columns; 0: three quarters" },
    },
    awkward = {
        { size = 1, columns = 1 }, { size = 15, columns = 17 }, { size = 16, columns = 16 },
        { size = 17, columns = 15 }, { size = 1, columns = 100 }, { size = 100, columns = 1 },
        { size = 31, columns = 33 }, { size = 32, columns = 64 },
        { size = 33, columns = 31 }, { size = 101, columns = 67 },
    },
    problem = problem,
    variants = {
        variant("copy, the yardstick", "transpose_copy", 16, 1, true),
        variant("naive: writes far apart", "transpose_naive", 16, 1),
        variant("tile in local memory", "transpose_tile", 16, 1),
        variant("tile, padded", "transpose_padded", 16, 1),
        variant("tile, padded, 4 rows an item", "transpose_rows", 32, 4),
        {
            name = "library",
            prepare = function(task)
                local out = task.device:full({ task.columns, task.rows }, -1)
                return function(lap)
                    lap:add(task.x:transpose { out = out, async = true })
                    return out
                end
            end,
        },
    },
}
