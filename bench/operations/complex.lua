-- Complex numbers: arithmetic, sizes, sums and products of matrices, c64 and c128.

local data = require "bench.data"

local PARTS = { c64 = "f32", c128 = "f64" }
local LAYOUT = { f32 = "<f", f64 = "<d" }

-- Of elementwise functions: elements at a few places; z and w are told how to read their parts there.
local function checker(dtype, count, formula)
    local part = PARTS[dtype]
    local layout, bound = dtype == "c64" and "<ff" or "<dd", dtype == "c64" and 1e-5 or 1e-13
    return formula and function(read)
        local values = data.block(part).values
        for _, at in ipairs { 0, 1, 1023, count // 2, count - 1 } do
            local a, b = values[at % data.BLOCK], values[(at + data.SECOND) % data.BLOCK]
            local re, im = formula(a, b)
            local got_re, got_im = string.unpack(im and layout or LAYOUT[part], read(at, 1))
            local off = math.max(math.abs(got_re - re), im and math.abs(got_im - im) or 0)
            if off > bound * math.max(1, math.abs(re), math.abs(im or 0)) or off ~= off then
                error(("element %d is off by %g"):format(at, off), 0)
            end
        end
    end or function() end
end

-- z has the block's numbers and those from SECOND on as parts, w the same the other way round.
local function case(bench, name, dtype, shape, work, unit, make, formula)
    local part, count = PARTS[dtype], 1
    for _, size in ipairs(shape) do
        count = count * size
    end
    local peers = bench.gpu and {}
        or { { "numpy", ("complex_%s %s %s"):format(name, dtype, table.concat(shape, " ")), check = false } }
    return {
        operation = "complex:" .. name, dtype = dtype, size = table.concat(shape, "x"), unit = unit, work = work,
        peers = peers, check = checker(dtype, count, formula),
        setup = function()
            local a, b = data.array(bench.device, part, shape), data.array(bench.device, part, shape, data.SECOND)
            local z, w = a:complex(b), b:complex(a)
            local call, out = make(z, w)
            return {
                call = call, finish = bench.finish, read = data.reader(out),
                release = function()
                    for _, array in ipairs { a, b, z, w, out } do
                        array:release()
                    end
                end,
            }
        end,
    }
end

-- The call that writes method(z, ...) again and again.
local function again(method)
    return function(z, w)
        local binary = method == "mul" or method == "div" or method == "add"
        local out = binary and z[method](z, w) or z[method](z)
        return function()
            if binary then
                z[method](z, w, { out = out })
            else
                z[method](z, { out = out })
            end
        end, out
    end
end

local function sum(z)
    local out = z:sum { keepdims = true }
    return function() z:sum { out = out } end, out
end

local function product(z, w)
    local out = z:matmul(w)
    return function() z:matmul(w, { out = out }) end, out
end

return function(bench)
    local cases, count, side = {}, bench.gpu and 1 << 24 or 1 << 20, bench.gpu and 4096 or 512
    for _, dtype in ipairs { "c64", "c128" } do
        local bytes = dtype == "c64" and 8 or 16
        local function add(...) cases[#cases + 1] = case(bench, ...) end
        add("add", dtype, { count }, 3 * bytes * count, "GB/s", again "add", function(a, b) return a + b, b + a end)
        add("mul", dtype, { count }, 3 * bytes * count, "GB/s", again "mul", function(a, b) return 0, a * a + b * b end)
        add("div", dtype, { count }, 3 * bytes * count, "GB/s", again "div")
        add("abs", dtype, { count }, 1.5 * bytes * count, "GB/s", again "abs", function(a, b)
            return math.sqrt(a * a + b * b)
        end)
        add("exp", dtype, { count }, 2 * bytes * count, "GB/s", again "exp", function(a, b)
            return math.exp(a) * math.cos(b), math.exp(a) * math.sin(b)
        end)
        add("sum", dtype, { count }, bytes * count, "GB/s", sum)
        add("matmul", dtype, { side, side }, 8 * side ^ 3, "GFLOP/s", product)
    end
    return cases
end
