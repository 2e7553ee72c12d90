-- Prints the page of NumPy's names and ours, from spec/numpy_names.lua and the rows of functions and reductions, where
-- `require "lunarray"` finds the module: lua5.4 tools/numpy_page.lua >doc/numpy.md

local lun = require "lunarray"
package.path = "./?.lua;" .. package.path
local names = require "spec.numpy_names"

local function cell(text)
    return (text:gsub("|", "\\|"))
end

local function print_section(section)
    print(("\n## %s\n\n| NumPy | lunarray | |\n|---|---|---|"):format(section[1]))
    for i = 2, #section do
        local row = section[i]
        print(("| `%s` | `%s` | %s |"):format(cell(row[1]), cell(row[2]), cell(row.note or "")))
    end
end

print [[
# NumPy's names and ours

This page translates lines of NumPy; [differences.md](differences.md) lists what differs. Positions and axes
count from 1, negative axes from the last; ranges include both ends. Methods of arrays are functions of the
module, too: `lun.exp(a)` is `a:exp()`. `lun.zeros` and similar functions use the default device. In the
tables `a` and `b` are 2x3, `s` is 2x2, `v` and `w` are vectors, `n` and `k` integers, `m` is a mask, `z`
complex, and `dev` a device; a spec runs each line. More is on the pages of
[arrays](arrays.md),
[arithmetic](arithmetic.md), [arranging](arranging.md), [choosing](choosing.md), [sorting](sorting.md),
[reductions](reductions.md), [statistics](statistics.md) and [transforms](transforms.md).]]

for _, section in ipairs(names.list) do
    print_section(section)
end

-- What both have by name, and what only we have.
local function print_names()
    local alone = {}
    print "\n## Functions and reductions by name\n\n| NumPy, SciPy | lunarray | |\n|---|---|---|"
    for _, row in ipairs(names.by_name(lun.operations(), require "lunarray.foreign")) do
        if row.theirs[1] then
            print(("| `%s` | `a:%s` | %s |"):format(table.concat(row.theirs, " "), row.name, cell(row.says)))
        else
            alone[#alone + 1] = row.name
        end
    end
    print(("\nFurther functions: `%s`. [reference.md](reference.md) describes them."):format(table.concat(alone, " ")))
end

print_names()

print "\n## Missing\n"
for _, line in ipairs(names.missing) do
    print("- " .. line)
end

local standard, parts = names.standard, {}
for i, row in ipairs(standard.partly) do
    parts[i] = row[1]
end
print(([[

## The standard

Of the %d names of the Python array API standard 2024.12, %d are here, %d in part (`%s`) and %d not (`%s`).]]):format(
    standard.names, standard.names - #standard.partly - #standard.absent, #parts, table.concat(parts, " "),
    #standard.absent, table.concat(standard.absent, " ")))
