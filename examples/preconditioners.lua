-- How heat stands in a plate whose material differs from place to place: -div(k grad u) = f, u = 0 at the rim, by
-- conjugate gradients, with three preconditioners.
--
--     lua5.4 examples/preconditioners.lua --size 255
--
-- The third solves the same equation for k = 1 by sine transforms, between two divisions by the root of k (Concus and
-- Golub 1973).

local lun = require "lunarray"
local plot = require "lunarray.plot"
local script = require "lunarray.script"

local OPTIONS = {
    name = "preconditioners",
    about = "Conjugate gradients of a sparse matrix, without a preconditioner, with Jacobi's and with sine transforms.",
    { name = "size", value = "N", default = 63, integer = true, min = 3, max = 1023, help = "points along a side" },
    { name = "contrast", value = "X", default = 50, min = 1, help = "the largest k, of which the least is 1" },
    { name = "tol", value = "T", default = 1e-8, positive = true, help = "the residual to end at" },
    { name = "device", value = "NAME", help = "device: gpu, cpu, a part of its name, or its number" },
}

-- Between neighbours flows k times their difference: what flows from a point stands on the diagonal, too.
local function matrix(k)
    local n, dev = #k, k:device()
    local at, rows, cols, values = dev:arange(1, n * n):reshape(n, n), {}, {}, {}
    local function add(row, col, value)
        table.insert(rows, row:contiguous():reshape(-1))
        table.insert(cols, col:contiguous():reshape(-1))
        table.insert(values, value:contiguous():reshape(-1))
    end
    for _, pair in ipairs { { at, k }, { at:t(), k:t() } } do
        local p, q = pair[1]:slice { 1, n - 1 }, pair[1]:slice { 2, n }
        local flow = (pair[2]:slice { 1, n - 1 } * pair[2]:slice { 2, n }):sqrt()
        add(p, p, flow)
        add(q, q, flow)
        add(p, q, -flow)
        add(q, p, -flow)
        for _, rim in ipairs { 1, n } do
            add(pair[1]:row(rim), pair[1]:row(rim), pair[2]:row(rim))
        end
    end
    return lun.sparse { rows = lun.concat(rows), cols = lun.concat(cols), values = lun.concat(values),
        shape = { n * n, n * n } }
end

local function by_sines(k)
    local n, root = #k, k:sqrt()
    local along = ((k:device():arange(1, n):cast(k:dtype()) * (0.5 / (n + 1))):sinpi() * 2):square()
    local waves = along:reshape(n, 1) + along
    return function(r)
        local inner = (r:reshape(n, n) / root):dst({ type = 1, axis = 1 }):dst { type = 1 }
        return ((inner / waves):idst({ type = 1, axis = 1 }):idst { type = 1 } / root):reshape(n * n)
    end
end

local function main()
    local options = script.options(arg, OPTIONS)
    local n, dev = options.size, script.device(OPTIONS.name, options.device)
    local x = dev:arange(1, n):cast(dev:info().fp64 and "f64" or "f32") / (n + 1)
    local y = x:reshape(n, 1)
    local k = (((4 * x):sinpi() * (3 * y):sinpi() + 1) * (math.log(options.contrast) / 2)):exp()
    local A, f = matrix(k), dev:full({ n * n }, 1 / (n + 1) ^ 2, x:dtype())
    print(A)
    local u
    for _, each in ipairs { { "none" }, { "jacobi", "jacobi" }, { "sines", by_sines(k) } } do
        local report
        u, report = lun.cg(A, f, { tol = options.tol, preconditioner = each[2] })
        print(("%-6s %5d steps, residual %.1e%s"):format(each[1], report.steps, report.residual,
            report.converged and "" or ": it has not converged"))
    end
    print(table.concat(plot.shades(u:reshape(n, n):totable(), 60, 30), "\n"))
end

script.run(OPTIONS.name, main)
