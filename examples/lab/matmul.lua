-- The product of two matrices, from one item per element to blocks in registers. The rate depends on how often a number
-- is used after it has been loaded.
--
--     lua5.4 examples/lab/matmul.lua --device gpu --size 4096

local here = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
local lab = dofile(here .. "lab.lua")

local MOST = 1 << 21 -- multiply-adds that the check spends
local SIDE = 16 -- a group is SIDE x SIDE items

-- A is m x k, B is k x n, of small integers: every sum is exact in f32 in whatever order, so that there is one right
-- result. --size is m; the default shape is no square, and no multiple of a tile.
local function problem(task)
    local m = task.size
    local n, k = task.options.columns, task.options.depth
    n = n > 0 and n or m - m // 4 + 3
    k = k > 0 and k or m // 2 + 3
    task.m, task.n, task.k = m, n, k
    task.title = ("matmul (%d x %d) x (%d x %d) f32"):format(m, k, k, n)
    task.flops = 2 * m * n * k
    task.a = task.device:randint({ m, k }, -8, 8, "i32", { seed = 1 }):cast "f32"
    task.b = task.device:randint({ k, n }, -8, 8, "i32", { seed = 2 }):cast "f32"
    function task.check(c)
        local a <close> = task.a:host "r"
        local b <close> = task.b:host "r"
        return lab.compare(c:reshape(m * n), function(i)
            local row, column = (i - 1) // n, (i - 1) % n
            local sum = 0
            for j = 0, k - 1 do
                sum = sum + a[row * k + j + 1] * b[j * n + column + 1]
            end
            return sum
        end, 0, MOST // k + 1)
    end
end

-- A variant that runs one kernel; each work-item makes each x each numbers.
local function variant(name, kernel_name, each)
    return {
        name = name,
        prepare = function(task)
            local kernel = task:kernel(kernel_name, { TILE = SIDE, SIDE = SIDE, EACH = each })
            lab.fit(kernel, SIDE * SIDE)
            local c = task.device:full({ task.m, task.n }, -1)
            local wide = SIDE * each
            local global = { lab.ceil_div(task.n, wide) * SIDE, lab.ceil_div(task.m, wide) * SIDE }
            return function(lap)
                lap:run(kernel, { global = global, group = { SIDE, SIDE } }, task.a, task.b, c, task.m, task.n, task.k)
                return c
            end
        end,
    }
end

return lab.script {
    name = "matmul",
    about = "The product of two matrices: naive, tiles in local memory, blocks in registers.",
    file = "matmul.cl",
    size = { small = 150, cpu = 384, gpu = 4096 },
    size_help = "rows of the product",
    options = {
        { name = "columns", value = "N", default = 0, integer = true, min = 0,
            help = "columns of the product; 0: three quarters" },
        { name = "depth", value = "N", default = 0, integer = true, min = 0,
            help = "columns of the first, rows of the second; 0: half" },
    },
    awkward = {
        { size = 1, columns = 1, depth = 1 }, { size = 15, columns = 17, depth = 16 },
        { size = 16, columns = 16, depth = 16 }, { size = 17, columns = 15, depth = 33 },
        { size = 1, columns = 70, depth = 5 }, { size = 70, columns = 1, depth = 15 },
        { size = 63, columns = 65, depth = 17 }, { size = 64, columns = 128, depth = 32 },
        { size = 65, columns = 63, depth = 1 }, { size = 129, columns = 127, depth = 31 },
    },
    problem = problem,
    variants = {
        variant("naive: an item makes a number", "matmul_naive", 1),
        variant("tiles in local memory", "matmul_tiles", 1),
        variant("4 x 4 numbers in registers", "matmul_registers", 4),
        variant("8 x 8 numbers in registers", "matmul_registers", 8),
        {
            name = "library",
            prepare = function(task)
                local c = task.device:full({ task.m, task.n }, -1)
                return function(lap)
                    lap:add(task.a:matmul(task.b, { out = c, async = true }))
                    return c
                end
            end,
        },
    },
}
