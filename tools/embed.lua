-- Writes the kernels' source as a C file of byte arrays: lua5.4 tools/embed.lua build/kernels.c kernels/*.cl
--
-- Bytes rather than string literals: any byte may occur, and no compiler's limit on a literal's length applies.
-- Each text also ends in a NUL, which its length does not count.

local PER_LINE = 20

local function read(path)
    local file <close> = assert(io.open(path, "rb"))
    return assert(file:read("a"))
end

local function bytes(text)
    local lines = {}
    for from = 1, #text, PER_LINE do
        lines[#lines + 1] = "    " .. table.concat({ text:byte(from, from + PER_LINE - 1) }, ", ") .. ","
    end
    lines[#lines + 1] = "    0"
    return table.concat(lines, "\n")
end

local target = assert(arg[1], "usage: lua5.4 tools/embed.lua <target.c> <kernel.cl>...")
local paths = table.move(arg, 2, #arg, 1, {})
table.sort(paths)

local out = {
    "/* The kernels' source. Written by tools/embed.lua: edit kernels/ instead. */",
    "#include <stddef.h>",
    "",
}
local rows = {}
for i, path in ipairs(paths) do
    local name = path:match("([%w_]+)%.cl$") or error("not the name of a kernel file: " .. path)
    local text = read(path)
    out[#out + 1] = ("static const unsigned char text_%d[] = {\n%s\n};\n"):format(i, bytes(text))
    rows[#rows + 1] = ('    {"%s", (const char *)text_%d, %d},'):format(name, i, #text)
end
-- The last row is no kernel: an array must not be empty.
out[#out + 1] = ([[
extern const struct lun_kernel_source {
    const char *name, *text;
    size_t length;
} lun_kernel_sources[];
extern const size_t lun_kernel_source_count;

const struct lun_kernel_source lun_kernel_sources[] = {
%s    {NULL, NULL, 0}
};
const size_t lun_kernel_source_count = %d;
]]):format(#rows > 0 and table.concat(rows, "\n") .. "\n" or "", #rows)

local file = assert(io.open(target, "wb"))
assert(file:write(table.concat(out, "\n")))
assert(file:close()) -- a full disk shows here at the latest
