-- Choosing elements by position and by mask: in no order, which is what the memory is worst at, and in order.

local FACTOR = 0x9E3779B1 -- odd: i * FACTOR modulo a power of two takes each value once

-- The positions 1..count in no order, each once.
local function scattered(device, count)
    return device:arange(count, "i64") * FACTOR % count + 1
end

local function checked(expected, last)
    return function(read)
        for _, at in ipairs { 0, 1, 2, 1000, last } do
            local got = string.unpack("<i4", read(at, 1))
            if got ~= expected(at) then
                error(("element %d is %d, not %d"):format(at, got, expected(at)), 0)
            end
        end
    end
end

local function reader(array)
    return function(from, count)
        local flat <close> = array:reshape(array:size())
        local part <close> = flat:slice { from + 1, from + count }
        return part:tobytes()
    end
end

-- last: the last element of the result that is looked at; 65535 without it
local function case(bench, name, count, work, unit, setup, expected, last)
    return {
        operation = name, dtype = "i32", size = tostring(count), work = work, unit = unit, peers = {},
        setup = function()
            local call, out, result = setup(bench.device)
            return {
                call = call, finish = bench.finish,
                read = function(...) return reader(result and result() or out)(...) end,
                release = function() out:release() end,
            }
        end,
        check = checked(expected, last or 65535),
    }
end

local function place(i, count) return (i + 1) * FACTOR % count + 1 end

local function take_case(bench, count, width)
    return case(bench, width == 1 and "take" or "take rows of " .. width, count, count, "Gelements/s", function(device)
        local a = device:arange(count, "i32"):reshape(count // width, width)
        local index = scattered(device, count // width):cast "i32"
        local out = device:zeros({ count // width, width }, "i32")
        return function() a:take(index, 1, { out = out }) end, out
    end, function(at) return (place(at // width, count // width) - 1) * width + at % width + 1 end)
end

local function put_case(bench, count)
    return case(bench, "put", count, count, "Gelements/s", function(device)
        local out, values = device:zeros({ count }, "i32"), device:arange(count, "i32")
        local index = scattered(device, count):cast "i32"
        return function() out:put(index, values) end, out, function() return out:take(index) end
    end, function(at) return at + 1 end)
end

-- Each call adds 1 everywhere, as many times as each place is named: all elements stay the same. Whole numbers, and
-- floats, whose sums have the same bits every time.
local function add_at_case(bench, count, places, dtype)
    local calls = 0
    local entry = case(bench, "add_at", count, count, "Gelements/s", function(device)
        local out, ones = device:zeros({ places }, dtype), device:ones({ count }, dtype)
        local index = ((scattered(device, count) - 1) % places + 1):cast "i32"
        return function()
            calls = calls + 1
            out:add_at(index, ones)
        end, out, function() return out:cast "i32" end
    end, function() return calls * (count // places) end, places - 1)
    entry.dtype, entry.size = dtype, ("%d into %d"):format(count, places)
    return entry
end

local function mask_case(bench, count)
    return case(bench, "mask 50 %", count, (1 + 4 + 2) * count, "GB/s", function(device)
        local a = device:arange(count, "i32")
        local mask, out = (a % 2):eq(0), device:zeros({ count // 2 }, "i32")
        return function() a:mask(mask, { out = out }) end, out
    end, function(at) return 2 * (at + 1) end)
end

return function(bench)
    local cases = {}
    for _, count in ipairs(bench.gpu and { 1 << 24, 1 << 28 } or { 1 << 18, 1 << 22 }) do
        cases[#cases + 1] = take_case(bench, count, 1)
        cases[#cases + 1] = take_case(bench, count, 16)
        cases[#cases + 1] = put_case(bench, count)
        for _, dtype in ipairs { "i32", "f32" } do
            cases[#cases + 1] = add_at_case(bench, bench.gpu and count >> 2 or count, count >> 8, dtype)
        end
        cases[#cases + 1] = mask_case(bench, count)
    end
    return cases
end
