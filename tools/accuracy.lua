-- Prints a table of the worst errors of the elementwise functions on a device, in units of the last place:
--
--     lua5.4 tools/accuracy.lua [device [count]]
--
-- of all numbers of 16 bits, and of so many of f32 and f64, over all exponents. The exact values are C's functions of
-- long double (spec/elementwise/exact.c, compiled by CC). Run it at the project's root.

package.path = "./?.lua;" .. package.path

local exact = require "spec.elementwise.exact"
local lun = require "lunarray"

local dev = lun.device(arg and arg[1])
local count = math.tointeger(arg and arg[2] or 1000000) or error "the count is a whole number"
local dtypes = { "f32", "f64", "f16", "bf16" }

-- The row's worst errors by dtype, as texts.
local function errors_in(dtype)
    local operands, arrays, jobs = {}, {}, {}
    for k = 1, 3 do
        operands[k] = exact.operands(dtype, math.max(count, 65536), k)
        arrays[k] = dev:array(operands[k], dtype)
    end
    for i, row in ipairs(exact.functions) do
        local result <close> = arrays[1][row[1]](table.unpack(arrays, 1, row[2]))
        jobs[i] = { row[1], dtype, result:tobytes(), table.unpack(operands, 1, row[2]) }
    end
    local found = exact.worst(jobs)
    for i, row in ipairs(exact.functions) do
        local bound = exact.bound(row, dtype)
        found[i] = ("%.2f%s"):format(found[i].error, bound and found[i].error > bound and " (!)" or "")
    end
    return found
end

local columns = {}
for _, dtype in ipairs(dtypes) do
    columns[dtype] = (dtype ~= "f64" or dev:info().fp64) and errors_in(dtype) or {}
end
print(("%s, %s, %s:\n"):format(dev:info().name, dev:info().platform, dev:info().driver))
print "| function | f32 | f64 | f16 | bf16 | OpenCL allows in f32, f64 |\n|---|---|---|---|---|---|"
for i, row in ipairs(exact.functions) do
    local cells = {}
    for k, dtype in ipairs(dtypes) do
        cells[k] = columns[dtype][i] or "-"
    end
    print(("| `%s` | %s | %s |"):format(row[1], table.concat(cells, " | "),
        not row[3] and "-" or row[4] and ("%g, %g"):format(row[3], row[4]) or ("%g"):format(row[3])))
end
