-- Reductions with a state, and reductions of expressions; results stay on the device.

local data = require "bench.data"

local lun = require "lunarray"

-- Whether numbers are near those of plain Lua over the block, which repeats: `formula` is of one period.
local function checker(wanted, bound)
    return function(read)
        local got = data.unpack("f32", read(0, 1))[1]
        if got ~= got or math.abs(got - wanted) > bound * math.abs(wanted) then
            error(("the result is %g, not about %g"):format(got, wanted), 0)
        end
    end
end

local function moments()
    local block, sum, square = data.block("f32").values, 0, 0
    for i = 0, data.BLOCK - 1 do
        sum, square = sum + block[i], square + block[i] ^ 2
    end
    local mean = sum / data.BLOCK
    return mean, square / data.BLOCK - mean ^ 2, square / data.BLOCK
end

-- make(a, out) -> call. Checked where the result is a float.
local function case(bench, name, shape, axis, peers, dtype, make, wanted)
    local count, kept = 1, {}
    for i, size in ipairs(shape) do
        count = count * size
        kept[i] = (axis == 0 or axis == i) and 1 or size
    end
    local entries = {}
    for i, peer in ipairs(peers) do
        entries[i] = { peer, ("fold_%s f32 %d %s"):format(name, axis, table.concat(shape, " ")), check = false }
    end
    return {
        operation = "fold:" .. name, dtype = "f32", size = table.concat(shape, "x") .. (axis > 0 and "/" .. axis or ""),
        work = 4 * count * (name == "dot" and 2 or 1), unit = "GB/s", peers = entries,
        check = wanted and checker(wanted, 0.02) or function() end,
        setup = function()
            local a, out = data.array(bench.device, "f32", shape), bench.device:zeros(kept, dtype)
            local call, drop = make(a, out, axis ~= 0 and axis or nil)
            return {
                call = call, finish = bench.finish, read = data.reader(out),
                release = function()
                    a:release()
                    out:release()
                    if drop then
                        drop:release()
                    end
                end,
            }
        end,
    }
end

local function plain(op, reproducible)
    return function(a, out, axis)
        local options = { out = out, axis = axis, reproducible = reproducible }
        return function() a:reduce(op, options) end
    end
end

-- The sum in bins beside the plain one.
local function reproducible(bench, op, shape, axis, wanted)
    local row = case(bench, op .. "_reproducible", shape, axis, {}, "f32", plain(op, true), wanted)
    local other = case(bench, op, shape, axis, {}, "f32", plain(op), wanted)
    row.peers[1] = { "plain", setup = other.setup, check = other.check }
    return row
end

local function cases_of(bench, count, rows, columns, peers)
    local mean, var, square = moments()
    local dot = lun.fuse(function(a, b) return (a * b):sum() end)
    local cases = {
        case(bench, "argmax", { count }, 0, peers, "i64", plain "argmax"),
        case(bench, "var", { count }, 0, peers, "f32", plain "var", var),
        case(bench, "norm", { count }, 0, peers, "f32", plain "norm", (square * count) ^ 0.5),
        case(bench, "dot", { count }, 0, peers, "f32", function(a, out)
            local b = a:copy()
            return function() dot(a, b, { out = out }) end, b
        end, square * count),
        case(bench, "meanvar", { count }, 0, peers, "f32", function(a, out)
            local other = bench.device:zeros { 1 }
            local options, arguments = { out = { out, other }, keepdims = true }, { x = a }
            return function() bench.device:reduce({ "mean", "var" }, "x", arguments, options) end, other
        end, mean),
    }
    for axis = 1, 2 do
        cases[#cases + 1] = case(bench, "argmax", { rows, columns }, axis, peers, "i64", plain "argmax")
        cases[#cases + 1] = case(bench, "var", { rows, columns }, axis, peers, "f32", plain "var", var)
        cases[#cases + 1] = reproducible(bench, "sum", { rows, columns }, axis)
    end
    for _, row in ipairs { { "sum" }, { "mean", mean }, { "var", var }, { "norm", (square * count) ^ 0.5 } } do
        cases[#cases + 1] = reproducible(bench, row[1], { count }, 0, row[2])
    end
    return cases
end

return function(bench)
    if bench.gpu then
        return cases_of(bench, 1 << 27, 16384, 8192, { "torch", "cupy" })
    end
    return cases_of(bench, 1 << 24, 4096, 4096, { "numpy" })
end
