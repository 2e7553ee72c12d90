-- Elementwise functions: operators, broadcasting, fused expressions, results in memory that is there.

local data = require "bench.data"

local lun = require "lunarray"

local SECOND = data.SECOND

-- Whether elements at a few places are what the formula says. formula(a, b) is told how to read both operands there.
local function checker(count, formula)
    return function(read)
        local block = data.block("f32").values
        local function a(i) return block[i % data.BLOCK] end
        local function b(i) return block[(i + SECOND) % data.BLOCK] end
        for _, at in ipairs { 0, 1, 2, 1023, 4097, 99991, count // 2, count - 1 } do
            local i = at % count
            local got, wanted = data.unpack("f32", read(i, 1))[1], formula(a, b, i)
            if got ~= got or math.abs(got - wanted) > 1e-5 * math.max(1, math.abs(wanted)) then
                error(("element %d is %g, not %g"):format(i, got, wanted), 0)
            end
        end
    end
end

-- name: the peers' too. bytes: that an element of the result moves. make(a, b, out) -> call.
local function case(bench, name, shape, bytes, peers, make, formula)
    local count = 1
    for _, size in ipairs(shape) do
        count = count * size
    end
    local entries = {}
    for i, peer in ipairs(peers) do
        entries[i] = { peer, ("map_%s f32 %s"):format(name, table.concat(shape, " ")) }
    end
    return {
        operation = "map:" .. name, dtype = "f32", size = table.concat(shape, "x"), work = bytes * count, unit = "GB/s",
        peers = entries, check = checker(count, formula),
        setup = function()
            local a, b = data.array(bench.device, "f32", shape), data.array(bench.device, "f32", shape, SECOND)
            local out = bench.device:zeros(shape)
            return {
                call = make(a, b, out), finish = bench.finish, read = data.reader(out),
                release = function()
                    a:release()
                    b:release()
                    out:release()
                end,
            }
        end,
    }
end

local function operators(bench, count, peers)
    local fused = lun.fuse(function(a, b) return a * b + b:sin() end)
    return {
        case(bench, "add", { count }, 12, peers, function(a, b, out)
            return function() a:add(b, { out = out }) end
        end, function(a, b, i) return a(i) + b(i) end),
        case(bench, "exp", { count }, 8, peers, function(a, _, out)
            return function() a:exp { out = out } end
        end, function(a, _, i) return math.exp(a(i)) end),
        case(bench, "fused", { count }, 12, peers, function(a, b, out)
            return function() fused(a, b, { out = out }) end
        end, function(a, b, i) return a(i) * b(i) + math.sin(b(i)) end),
        case(bench, "text", { count }, 12, {}, function(a, b, out)
            return function() bench.device:map("a*b + sin(b)", { a = a, b = b }, { out = out }) end
        end, function(a, b, i) return a(i) * b(i) + math.sin(b(i)) end),
        case(bench, "where", { count }, 13, peers, function(a, b, out)
            local mask = a:lt(b)
            return function() mask:where(a, b, { out = out }) end
        end, function(a, b, i) return math.min(a(i), b(i)) end),
    }
end

local function matrices(bench, rows, columns, peers)
    local shape = { rows, columns }
    local heat = lun.fuse(function(u, k)
        local c = u:slice({ 2, -2 }, { 2, -2 })
        local around = u:slice({ 1, -3 }, { 2, -2 }) + u:slice({ 3, -1 }, { 2, -2 }) + u:slice({ 2, -2 }, { 1, -3 })
            + u:slice({ 2, -2 }, { 3, -1 })
        return c + k * (around - 4 * c)
    end)
    return {
        case(bench, "row", shape, 8, peers, function(a, b, out)
            local row = b:row(1)
            return function() a:add(row, { out = out }) end
        end, function(a, b, i) return a(i) + b(i % columns) end),
        case(bench, "column", shape, 8, peers, function(a, b, out)
            local column = b:slice(nil, { 1, 1 })
            return function() a:add(column, { out = out }) end
        end, function(a, b, i) return a(i) + b(i // columns * columns) end),
        case(bench, "heat", shape, 8, peers, function(a, _, out)
            local inner = out:slice({ 2, -2 }, { 2, -2 })
            return function() heat(a, 0.1, { out = inner }) end
        end, function(a, _, i)
            local row, column = i // columns, i % columns
            if row == 0 or row == rows - 1 or column == 0 or column == columns - 1 then
                return 0
            end
            return a(i) + 0.1 * (a(i - 1) + a(i + 1) + a(i - columns) + a(i + columns) - 4 * a(i))
        end),
        case(bench, "transposed", shape, 12, peers, function(a, b, out)
            local other = b:t():reshape(shape)
            return function() a:add(other, { out = out }) end
        end, function(a, b, i) return a(i) + b(i % columns * columns + i // columns) end),
    }
end

local function strided(bench, rows, columns, peers)
    return case(bench, "strided", { rows, columns }, 12, peers, function(a, _, out)
        local wide = bench.device:zeros { rows, 2 * columns }
        local view = wide:slice(nil, { 1, -1, 2 })
        view:write(a)
        return function() view:add(1, { out = out }) end
    end, function(a, _, i) return a(i) + 1 end)
end

return function(bench)
    local cases = {}
    local function append(list)
        table.move(list, 1, #list, #cases + 1, cases)
    end
    if bench.gpu then
        local peers = { "torch", "compiled", "cupy" }
        append(operators(bench, 1 << 27, peers))
        append(matrices(bench, 8192, 8192, peers))
        append { strided(bench, 8192, 8192, peers) }
    else
        local peers = { "numpy", "numexpr" }
        append(operators(bench, 1 << 14, peers))
        append(operators(bench, 1 << 24, peers))
        append(matrices(bench, 2048, 2048, peers))
        append { strided(bench, 2048, 2048, peers) }
    end
    return cases
end
