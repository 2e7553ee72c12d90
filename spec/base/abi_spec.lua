-- What host and device share: every struct of kernels/abi/ has the same size and the same offsets in C and in OpenCL C.

local helper = require "spec.helper"

local CC = os.getenv("CC") or "cc"

local function headers()
    local list = {}
    local pipe <close> = assert(io.popen("ls kernels/abi/*.h"))
    for path in pipe:lines() do
        list[#list + 1] = path
    end
    return list
end

-- The text without its comments.
local function code(path)
    return (helper.read_file(path):gsub("/%*.-%*/", ""))
end

-- The structs of a header: name, names of fields.
local function structs(path)
    local list = {}
    for body, name in code(path):gmatch "typedef struct[%w_ ]*%{(.-)%} *([%w_]+);" do
        local fields = {}
        for declaration in body:gmatch "[^;]+" do
            local names = declaration:match "^%s*[%w_]+%s+(.-)%s*$"
            for field in (names or ""):gmatch "[^,]+" do
                fields[#fields + 1] = field:match "([%a_][%w_]*)"
            end
        end
        list[#list + 1] = { name = name, fields = fields }
    end
    return list
end

-- The header with those that it includes in their places, once each.
local function whole(path, seen)
    seen = seen or {}
    if seen[path] then
        return ""
    end
    seen[path] = true
    return (helper.read_file(path):gsub('#include "(abi/[%w_]+%.h)"', function(other)
        return whole("kernels/" .. other, seen)
    end))
end

-- Sizes and offsets as C's compiler has them, one after the other.
local function on_host(path, list)
    local lines = { '#include "' .. path:match "kernels/(.*)" .. '"', "#include <stddef.h>", "#include <stdio.h>",
        "int main(void) {" }
    for _, struct in ipairs(list) do
        lines[#lines + 1] = ('printf("%%zu\\n", sizeof(%s));'):format(struct.name)
        for _, field in ipairs(struct.fields) do
            lines[#lines + 1] = ('printf("%%zu\\n", offsetof(%s, %s));'):format(struct.name, field)
        end
    end
    lines[#lines + 1] = "}"
    return helper.with_file(function(program)
        helper.write_file(program .. ".c", table.concat(lines, "\n"))
        local flags = helper.read_file("build/machine"):match "opencl_cflags=([^\n]*)" or ""
        local command = ("%s -DCL_TARGET_OPENCL_VERSION=120 -Isrc/core -Ikernels %s -o %s %s.c 2>&1 && %s")
        local pipe = assert(io.popen(command:format(CC, flags, program, program, program)))
        local output, sizes = pipe:read "a", {}
        local good = pipe:close()
        os.remove(program .. ".c")
        assert(good, output)
        for number in output:gmatch "%d+" do
            sizes[#sizes + 1] = math.tointeger(number)
        end
        return sizes
    end)
end

-- The same as the device's compiler has them.
local function on_device(dev, path, list)
    local lines, count = { whole(path), "kernel void sizes(global long *out) {" }, 0
    local function add(text, ...)
        lines[#lines + 1] = ("out[%d] = " .. text .. ";"):format(count, ...)
        count = count + 1
    end
    for i, struct in ipairs(list) do
        lines[#lines + 1] = ("%s s%d;"):format(struct.name, i)
        add("sizeof(%s)", struct.name)
        for _, field in ipairs(struct.fields) do
            add("(char *)&s%d.%s - (char *)&s%d", i, field, i)
        end
    end
    lines[#lines + 1] = "}"
    local out = dev:zeros({ count }, "i64")
    dev:program(table.concat(lines, "\n")):kernel("sizes"):run({ global = 1 }, out)
    return out:totable()
end

describe("kernels/abi", function()
    it("is read as it is written", function()
        helper.with_file(function(path)
            helper.write_file(path, "/* x */ typedef struct a { abi_long b, c[3]; /* d; */ abi_int e; } a;\n"
                .. "typedef struct {\n abi_uint f;\n} g;")
            assert.same({ { name = "a", fields = { "b", "c", "e" } }, { name = "g", fields = { "f" } } }, structs(path))
        end)
    end)

    for _, path in ipairs(headers()) do
        local list = structs(path)
        if #list > 0 then
            helper.each_device(function(dev, title)
                it(("%s is laid out on %s as on its host"):format(path:match "[^/]+$", title), function()
                    assert.same(on_host(path, list), on_device(dev, path, list))
                end)
            end)
        end
    end
end)
