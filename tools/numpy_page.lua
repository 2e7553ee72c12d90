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

What a line of NumPy is here; [differences.md](differences.md) has what differs. Positions and axes count from 1,
negative axes from the last; ranges have both ends. The
table of functions and reductions is printed from their rows. A spec runs each other line, with `a` and `b` of 2x3,
`s` of 2x2, vectors `v` and `w`, integers `n` and `k`, a mask `m`, complex numbers `z`, and `dev` a device;
`lun.zeros` and its like are on the default device, and methods of arrays are functions, too: `lun.exp(a)` is
`a:exp()`. More is on the pages of [arrays](arrays.md),
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
    print(("\nFurther ones: `%s`, all in [reference.md](reference.md)."):format(table.concat(alone, " ")))
end

print_names()

print "\n## Not here\n"
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
