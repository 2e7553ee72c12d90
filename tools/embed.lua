-- Writes the kernels' source as a C file of string literals: lua5.4 tools/embed.lua <the C file> <the kernel files>
--
-- A line `#include "parts/x.cl"` or `#include "abi/x.h"` becomes the text of that file in kernels/. The files of
-- parts/, templates/ and abi/ make no programs by themselves; parts/common.cl is embedded too: core puts it before
-- every program.
-- So are the templates of parts/fold_states.cl, fold_states_real.cl and fused_stages.cl, of which core makes text.
--
-- Comments and indentation are left out, but for those three files: every program's compiler reads its whole text, and
-- the module holds all of them. Lines keep their numbers.
--
-- A literal of C's for each line of a text, joined by the compiler, which reads them some ten times faster than
-- numbers. Each text also ends in a NUL, which its length does not count.

local function read(path)
    local file <close> = assert(io.open(path, "rb"))
    return assert(file:read("a"))
end

-- The lines of a comment, empty: within a macro each still says that the next one belongs to it.
local function lines_of(comment)
    return " " .. comment:gsub(".-(\\?\n)", "%1"):gsub("[^\\\n]+$", "")
end

-- A line that was indented begins with a space: kernels, below, finds a file's outer lines by that.
local function squeezed(text)
    return (text:gsub("/%*.-%*/", lines_of):gsub(" +\\\n", " \\\n"):gsub("%f[^\n] +", " "):gsub(" +\n", "\n"))
end

-- Does core make text of the file?
local function is_of_core(name)
    return name:find "^fold_states" or name:find "^fused_stages"
end

-- The file's text, with those that it includes in their places; errors name the file and line that they are in.
local function expand(path)
    local lines = {}
    local name = path:match("[^/]*$")
    local text = read(path)
    for line in (is_of_core(name) and text or squeezed(text)):gmatch "([^\n]*)\n?" do
        local other = line:match '^#include "([%w_]+/[%w_]+%.%w+)"$'
        if not other then
            lines[#lines + 1] = line
        else
            lines[#lines + 1] = ('#line 1 "%s"\n%s\n#line %d "%s"')
                :format(other, expand("kernels/" .. other), #lines + 2, name)
        end
    end
    return table.concat(lines, "\n")
end

local ESCAPED = { ["\n"] = "\\n", ["\\"] = "\\\\", ['"'] = '\\"', ["?"] = "\\?" } -- no trigraphs

local function literals(text)
    local lines = {}
    for line in text:gmatch "[^\n]*\n?" do
        lines[#lines + 1] = '    "' .. line:gsub('[%c"?\\\128-\255]', function(byte)
            return ESCAPED[byte] or ("\\%03o"):format(byte:byte())
        end) .. '"'
    end
    return table.concat(lines, "\n")
end

-- What files a text includes where a macro is defined, which core leaves out where it is not: { name, from, to, lines,
-- kind }, bytes counted from 0. A line `#ifdef NAME` begins such a place, unless the text itself defines NAME, or a
-- compiler, whose names have small letters or begin with _. So does `#ifndef NAME_BEGUN` with `#define NAME_BEGUN`
-- behind it, of a text that is in a program several times: core leaves it out from the second time on. The place ends
-- before the last line that says which line comes next.
local function parts(text)
    local found, open = {}, {}
    for from, line, next in text:gmatch "()([^\n]*)\n?()" do
        local how, name = line:match "^ ?# ?(if%l*) ?([%w_]*)"
        if how then
            local once = how == "ifndef" and name:find "_BEGUN$" and text:find("^#define " .. name .. "\n", next)
            local optional = how == "ifdef" and name:find "^%u[%u%d_]*$"
                and not text:find("#define " .. name .. "%f[^%w_]")
            open[#open + 1] = { name = name, from = next - 1, kind = once and "ONCE" or optional and "WHERE_DEFINED" }
        elseif line:find "^ ?# ?el" and #open > 0 then
            open[#open].kind = false
        elseif line:find "^#line" and #open > 0 then
            open[#open].to = from - 1
        elseif line:find "^ ?# ?endif" then
            local last = table.remove(open)
            if last.kind and last.to and last.to > last.from then
                last.lines = 0
                found[#found + 1] = last
            end
        end
    end
    return found
end

-- The kernels of a text, which core leaves out where they are not asked for, as such places, from the line that says
-- `kernel`, KERNEL, or a macro of it, to the next `}` that a line begins with. One whose name a macro makes is none of
-- them.
local function kernels(text)
    local found, says, open = {}, {}, nil
    for name in text:gmatch "\n#define ([%u_]+) kernel " do
        says[name] = true
    end
    for from, line, next in text:gmatch "()([^\n]*)\n?()" do
        local first, second = line:match "^([%w_]+) ([%w_]*)"
        if not open and (first == "kernel" or second == "kernel" or says[first] or line:find "^KERNEL%(") then
            open = { from = from - 1, lines = 0, kind = "KERNEL" }
        end
        if open then
            open.name = open.name or line:match "void ([%l][%l%d_]*)%(" or line:match "^KERNEL%b() ([%l][%l%d_]*)%("
            open.lines = open.lines + 1
            if line == "}" then
                open.to = next - 1
                local _, opened = text:sub(open.from + 1, open.to):gsub("{", "")
                local _, closed = text:sub(open.from + 1, open.to):gsub("}", "")
                assert(opened <= closed, (open.name or "a kernel") .. " ends within: indent what it includes")
                for macro in text:sub(open.from + 1, open.to):gmatch "\n ?# ?undef ([%w_]+)" do
                    assert(text:sub(open.from + 1, open.to):find("\n ?# ?define " .. macro .. "%f[^%w_]"),
                        ("%s undefines %s, which is defined before it: a program without the kernel keeps it")
                        :format(open.name or "a kernel", macro))
                end
                found[#found + 1] = open.name and open
                open = nil
            end
        end
    end
    return found
end

if ... == "functions" then -- for spec/house/kernels_spec.lua
    return expand, kernels, parts
end

-- How dtypes are packed: a row of dtype.def whose encoding kernels do not know makes no kernels.
local packing = { "DEFINE_%s(N)", "LOAD_%s(p, i)", "STORE_%s(p, i, v)", "VECTORS(DEFINE_%s)" }
local encodings = read "kernels/parts/numbers.cl"
for name, how in read("src/core/base/dtype.def"):gmatch "\nDTYPE%((%w+),[^\n]*, +(%u+), +%d+, +%S+%)" do
    for _, what in ipairs(how ~= "PLAIN" and packing or {}) do
        assert(encodings:find(what:format(how), 1, true),
            ("kernels/parts/numbers.cl has no %s, as %s is encoded"):format(what:format(how), name))
    end
end

local target = assert(arg[1], "usage: lua5.4 tools/embed.lua <target.c> <kernel.cl>...")
local paths = table.move(arg, 2, #arg, 1, {})
table.sort(paths)

local out = {
    "/* The kernels' source. Written by tools/embed.lua: edit kernels/ instead. */",
    "#include <stddef.h>",
    "",
    "struct kernel_place {",
    "    const char *name;",
    "    size_t from, to;",
    "    unsigned lines;",
    "    enum kernel_place_kind { KERNEL, WHERE_DEFINED, ONCE } kind;",
    "};",
    "",
}
local texts, rows, included = {}, {}, { abi = true, parts = true, templates = true }
for i, path in ipairs(paths) do
    local room, name = path:match("([%w_]+)/([%w_]+)%.%w+$")
    if not included[room] or name == "common" or is_of_core(name) then
        texts[i] = expand(path)
        out[#out + 1] = ("static const char text_%d[] =\n%s;\n"):format(i, literals(texts[i]))
        local list, optional = kernels(texts[i]), parts(texts[i])
        table.move(optional, 1, #optional, #list + 1, list)
        table.sort(list, function(a, b) return a.from < b.from or a.from == b.from and a.to > b.to end)
        for at, each in ipairs(list) do
            list[at] = ('    {"%s", %d, %d, %d, %s},'):format(each.name, each.from, each.to, each.lines, each.kind)
        end
        list[#list + 1] = "    {NULL, 0, 0, 0, KERNEL}"
        out[#out + 1] = ("static const struct kernel_place kernels_%d[] = {\n%s\n};\n")
            :format(i, table.concat(list, "\n"))
        rows[#rows + 1] = ('    {"%s", text_%d, %d, kernels_%d},'):format(name, i, #texts[i], i)
    end
end
-- The last row is no kernel: an array must not be empty.
out[#out + 1] = ([[
extern const struct kernel_source {
    const char *name, *text;
    size_t length;
    const struct kernel_place *places;
} kernel_sources[];
extern const size_t kernel_source_count;

const struct kernel_source kernel_sources[] = {
%s    {NULL, NULL, 0, NULL}
};
const size_t kernel_source_count = %d;
]]):format(#rows > 0 and table.concat(rows, "\n") .. "\n" or "", #rows)

local file = assert(io.open(target, "wb"))
assert(file:write(table.concat(out, "\n")))
assert(file:close()) -- a full disk shows here at the latest
