-- Sorting along the last axis, values and positions: one long row, and rows of several lengths.

local data = require "bench.data"

local function fail(message, ...)
    error(message:format(...), 0)
end

-- The numbers of a row, sorted.
local function sorted_row(dtype, row, count)
    local values, list = data.block(dtype).values, {}
    for i = 0, count - 1 do
        list[i + 1] = values[(row * count + i) % data.BLOCK]
    end
    table.sort(list)
    return list
end

-- Looks at rows, or where one row repeats the block at some places: each number then comes `repeats` times in a row.
local function checker(dtype, rows, count, positions)
    return function(read)
        local repeats = rows == 1 and count // data.BLOCK or 0
        for _, row in ipairs { 0, rows // 3, rows - 1 } do
            local wanted = repeats > 0 and sorted_row(dtype, 0, data.BLOCK) or sorted_row(dtype, row, count)
            for _, i in ipairs { 0, 1, count // 2, count - 2, count - 1 } do
                local number = wanted[repeats > 0 and i // repeats + 1 or i + 1]
                local bytes = read(row * count + i, 1)
                local got
                if positions then
                    got = data.block(dtype).values[(row * count + string.unpack("<i8", bytes) - 1) % data.BLOCK]
                else
                    got = data.unpack(dtype, bytes)[1]
                end
                if got ~= number then
                    fail("element %d of row %d is %s, not %s", i, row, got, number)
                end
            end
        end
    end
end

-- Peers count positions from 0, and sort equal numbers as they like: theirs are not checked.
local function case(bench, method, dtype, rows, count)
    local positions = method == "argsort"
    local peer, command = bench.gpu and "torch" or "numpy", ("%s %s %d %d"):format(method, dtype, rows, count)
    return {
        operation = "sort:" .. method, dtype = dtype, size = ("%dx%d"):format(rows, count), work = rows * count,
        unit = "Gelements/s", peers = { positions and { peer, command, check = false } or { peer, command } },
        setup = function()
            local x = data.array(bench.device, dtype, { rows, count })
            local out = bench.device:zeros({ rows, count }, positions and "i64" or dtype)
            return {
                call = function() x[method](x, { out = out }) end,
                finish = bench.finish, read = data.reader(out),
                release = function()
                    x:release()
                    out:release()
                end,
            }
        end,
        check = checker(dtype, rows, count, positions),
    }
end

-- What selects or counts in a long row instead of sorting it; the first number that it gives is looked at. `first`
-- makes it of the row's numbers, sorted.
local OTHERS = {
    { name = "median", call = function(x) return x:median { axis = 2 } end, first = function(sorted)
        return sorted[#sorted // 2 + 1]
    end },
    { name = "topk", call = function(x) return (x:topk(100)) end, first = function(sorted) return sorted[#sorted] end },
    { name = "histogram", call = function(x) return (x:histogram { bins = 100, low = -1, high = 1 }) end },
}

local function other_case(bench, other, dtype, count)
    local command = ("%s %s 1 %d"):format(other.name, dtype, count)
    return {
        operation = "sort:" .. other.name, dtype = dtype, size = tostring(count), work = count, unit = "Gelements/s",
        peers = bench.gpu and {} or { { "numpy", command, check = false } },
        setup = function()
            local x = data.array(bench.device, dtype, { 1, count })
            return {
                call = function() other.call(x):release() end,
                finish = bench.finish,
                read = function(...) return data.reader(other.call(x))(...) end,
                release = function() x:release() end,
            }
        end,
        check = function(read)
            if other.first then
                local got, wanted = data.unpack(dtype, read(0, 1))[1], other.first(sorted_row(dtype, 0, data.BLOCK))
                if got ~= wanted then
                    fail("the first number is %s, not %s", got, wanted)
                end
            end
        end,
    }
end

return function(bench)
    local cases, long = {}, data.BLOCK * (bench.gpu and 1600 or 160)
    for _, method in ipairs { "sort", "argsort" } do
        for _, dtype in ipairs { "f32", "f64", "i32", "u8", "f16" } do
            cases[#cases + 1] = case(bench, method, dtype, 1, long)
        end
        for _, count in ipairs { 10, 100, 1000, 10000 } do
            cases[#cases + 1] = case(bench, method, "f32", (bench.gpu and 100000000 or 10000000) // count, count)
        end
    end
    for _, other in ipairs(OTHERS) do
        cases[#cases + 1] = other_case(bench, other, "f32", long)
    end
    return cases
end
