-- Heat in a plate that lets none out, on an irregular mesh of triangles: finite elements, and implicit steps of time,
-- for which sparse systems are solved by conjugate gradients.
--
--     lua5.4 examples/mesh.lua --size 100
--
-- It begins as 1 + cos(pi x) cos(2 pi y), whose wave each implicit step divides by 1 + 5 pi^2 dt.

local lun = require "lunarray"
local plot = require "lunarray.plot"
local script = require "lunarray.script"

local OPTIONS = {
    name = "mesh",
    about = "The heat equation on an irregular mesh of triangles, by finite elements.",
    { name = "size", value = "N", default = 40, integer = true, min = 4, max = 1000, help = "cells along a side" },
    { name = "steps", value = "N", default = 20, integer = true, min = 1, help = "of time" },
    { name = "time", value = "T", default = 0.02, positive = true, help = "of all steps" },
    { name = "device", value = "NAME", help = "device: gpu, cpu, a part of its name, or its number" },
}

-- Points on the square, moved at random but for those of the rim, and the corners of triangles: three lists of points.
local function triangulate(dev, n)
    local m = n + 1
    local function along(seed) -- one coordinate: rows of m, of which the inner ones are moved
        local moved = dev:random({ m, n - 1 }, { seed = seed, low = -0.3, high = 0.3 })
        return (moved:pad { { 0, 0 }, { 1, 1 } } + dev:arange(0, n)) / n
    end
    local at = dev:arange(1, m * m):reshape(m, m)
    local function corner(row, column)
        return at:slice({ 1 + row, n + row }, { 1 + column, n + column }):contiguous():reshape(-1)
    end
    local a, b, c, d = corner(0, 0), corner(0, 1), corner(1, 0), corner(1, 1)
    return along(1):reshape(-1), along(2):t():contiguous():reshape(-1),
        { lun.concat { a, a }, lun.concat { b, d }, lun.concat { d, c } }
end

-- The stiffness matrix, to which each triangle adds 9 numbers, and the area around each point.
local function elements(x, y, corners)
    local xs, ys, rows, cols, values, areas = {}, {}, {}, {}, {}, {}
    for i, points in ipairs(corners) do
        xs[i], ys[i] = x:take(points), y:take(points)
    end
    local double = (xs[2] - xs[1]) * (ys[3] - ys[1]) - (xs[3] - xs[1]) * (ys[2] - ys[1])
    for i = 1, 3 do
        local i2, i3 = i % 3 + 1, (i + 1) % 3 + 1
        areas[i] = double / 6
        for j = 1, 3 do
            local j2, j3 = j % 3 + 1, (j + 1) % 3 + 1
            local slopes = (ys[i2] - ys[i3]) * (ys[j2] - ys[j3]) + (xs[i2] - xs[i3]) * (xs[j2] - xs[j3])
            rows[#rows + 1], cols[#cols + 1], values[#values + 1] = corners[i], corners[j], slopes / (2 * double)
        end
    end
    rows, cols, values = lun.concat(rows), lun.concat(cols), lun.concat(values)
    return lun.sparse { rows = rows, cols = cols, values = values, shape = { #x, #x } },
        (x * 0):add_at(lun.concat(corners), lun.concat(areas))
end

local function main()
    local options = script.options(arg, OPTIONS)
    local dev, n, step = script.device(OPTIONS.name, options.device), options.size, options.time / options.steps
    local x, y, corners = triangulate(dev, n)
    local K, area = elements(x, y, corners)
    print(("%d points, %d triangles: %s"):format(#x, #corners[1], tostring(K)))
    local wave = x:cospi() * (2 * y):cospi()
    local u, products = 1 + wave, 0
    local function A(p, out) return K:matmul(p, { alpha = step, out = out }):add_(area * p) end
    local heat, size = (area * u):sum(), (area * wave):vdot(wave)
    for _ = 1, options.steps do
        local report
        u, report = lun.cg(A, area * u, { x = u, preconditioner = 1 / (area + step * K:diag()) })
        products = products + report.steps
    end
    local left, should = (area * wave):vdot(u - 1) / size, (1 + 5 * math.pi ^ 2 * step) ^ -options.steps
    print(("%.1f steps of cg for each of time"):format(products / options.steps))
    print(("of the heat %.6f is there, of the wave %.4f, for %.4f"):format((area * u):sum() / heat, left, should))
    print(table.concat(plot.shades(u:reshape(n + 1, n + 1):totable(), 60, 30), "\n"))
end

script.run(OPTIONS.name, main)
