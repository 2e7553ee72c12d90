-- Writes lunarray.h as one file for hosts in C, C++, and by FFI: lua5.4 tools/flat_header.lua <target.h>
--
-- The parts of src/core/api stand where they are included; enums that are made of the rows of a table have their
-- enumerators written out, with their values; what only test builds have is left out. With LUN_DECLARATIONS defined it
-- includes nothing and defines no function, so that `cc -E -P` makes of it what LuaJIT's ffi.cdef, cffi's cdef and the
-- like take.

local CC = os.getenv("CC") or "cc"

local function read(path)
    local file <close> = assert(io.open(path, "rb"))
    return assert(file:read("a"))
end

local function preprocessed(text, folder)
    local path = os.tmpname()
    local file <close> = assert(io.open(path, "wb"))
    file:write(text)
    file:close()
    local pipe <close> = assert(io.popen(("%s -E -P -x c -I%s %s"):format(CC, folder, path)))
    local out = pipe:read("a")
    os.remove(path)
    return out
end

-- The rows of a table, each `LUN_name,`, as lines with values; without them behind others of the same enum.
local function enumerators(macro, later)
    local lines = {}
    for name in preprocessed(macro, "src/core/api"):gmatch("(LUN_[%w_]+)%s*,") do
        lines[#lines + 1] = later and ("    %s,\n"):format(name) or ("    %s = %d,\n"):format(name, #lines)
    end
    assert(#lines > 0, "no rows: " .. macro)
    return table.concat(lines)
end

-- Lines from `#define NAME(` over the inclusion of a table to the last `#undef` are rows.
local function with_enumerators(text)
    local out, macro, later = {}, nil, false
    for line in text:gmatch("[^\n]*\n") do
        if line:find("^#define %u+%(") then
            macro = (macro or "") .. line
        elseif macro and line:find("^#") then
            macro = macro .. line
        else
            out[#out + 1] = macro and enumerators(macro, later)
            later = (later or macro ~= nil) and not line:find "^}"
            macro = nil
            out[#out + 1] = line
        end
    end
    return table.concat(out)
end

local included = {}

-- The text of a part without its own frame, with those in place that it includes first.
local function part(name)
    if included[name] then
        return ""
    end
    included[name] = true
    local text = read("src/core/api/" .. name)
    local before = {}
    text = text:gsub('#include "([%w_]+%.h)"\n', function(other)
        before[#before + 1] = part(other)
        return ""
    end)
    text = text:gsub("#pragma once\n", "", 1) .. "\n"
    text = text:gsub("#ifdef LUN_FAULTS\n.-#endif\n", "")
    text = with_enumerators(text)
    -- A function stands at the left margin, from its name to its closing brace.
    text = text:gsub("\nstatic inline [^\n]*\n{.-\n}\n", function(body)
        return "\n#ifndef LUN_DECLARATIONS" .. body .. "#endif\n"
    end)
    text = text:gsub("^/%* A part of lunarray%.h: (.-)%*/", "/* ==== %1*/", 1)
    return table.concat(before) .. text:gsub("\n#include <[^\n]*", "") .. "\n"
end

local text = read("src/core/lunarray.h")
text = text:gsub("\n#include <.-%s\n#ifdef __cplusplus", function(all)
    return "\n#ifndef LUN_DECLARATIONS" .. all:gsub("\n\n#ifdef __cplusplus$", "\n#endif\n\n#ifdef __cplusplus")
end, 1)
text = text:gsub("/%*[^\n]*%*/\n#ifndef LUN_OWN_FILES\n(.-)#endif\n", "%1")
text = text:gsub('#include "api/([%w_]+%.h)"\n', part)
text = text:gsub("#ifdef __GNUC__\n", "#if defined __GNUC__ && !defined LUN_DECLARATIONS\n")
assert(not text:find('#include "', 1, true), "something is included")
local file <close> = assert(io.open(assert(arg[1], "usage: lua5.4 tools/flat_header.lua <target.h>"), "wb"))
file:write("/* Written by tools/flat_header.lua of src/core/lunarray.h and its parts. */\n", text)
