-- Kernel files: each compiles alone, behind common.cl, and without a warning, as it is and for the dtypes it is for.

local helper = require "spec.helper"
local lun = require "lunarray"

local function files()
    local list = {}
    local pipe = assert(io.popen("find kernels -name '*.cl' -o -name '*.h' | LC_ALL=C sort"))
    for path in pipe:lines() do
        list[#list + 1] = path
    end
    pipe:close()
    return list
end

local INCLUDED = { parts = true, templates = true, abi = true }

-- The paths of the files that make programs, by name: others are compiled with the files that include them.
local function programs()
    local list = {}
    for _, path in ipairs(files()) do
        local room, name = path:match "([%w_]+)/([%w_]+)%.%w+$"
        list[name] = not INCLUDED[room] and path or nil
    end
    return list
end

local rows = {}
for _, dtype in ipairs(lun.dtypes()) do
    rows[dtype.name] = dtype
end

-- What is built for fewer dtypes than all: what only moves data is built for each item size.
local DTYPES = {
    random_choice = { "f32", "f64" }, random_counts = { "i8", "u64" },
    random_gamma = { "f32", "f64" },
    frames = { "f32", "f64" }, matmul_staged = { "f32" }, nbody = { "f64" }, tree = { "f64" },
    copy = { "u8", "u16", "u64" }, fill = { "u8", "u16", "u64" }, transpose = { "u8", "u16", "u64" },
    triangle = { "u8", "u16", "u64" }, linalg = { "f32", "f64" }, jacobi = { "f32", "f64" },
    near = { "f32", "f64" }, lu = { "f32", "f64" }, qr = { "f32", "f64" }, solve = { "f32", "f64" },
    csr_check = { "i32", "i64" }, csr_sweep = { "f32", "f64", "c64", "c128" },
    hessenberg = { "f32", "f64" }, schur = { "f32", "f64" }, eigenvectors = { "f32", "f64" },
    tridiagonal = { "f32", "f64" }, divide = { "f32", "f64" }, whole = { "f32", "f64" },
    whole_eigen = { "f32", "f64" },
}

local function prelude(name, group)
    local dtype = rows[name]
    local packed = dtype.encoding ~= "PLAIN"
    local lines = {
        "#define DTYPE_" .. name .. " 1",
        "#define T " .. dtype.stored,
        "#define STORED " .. (packed and "ushort" or dtype.stored),
        packed and "#define PACKED(verb, n) verb##" .. dtype.encoding .. "##n" or "",
        "#define COMPUTE " .. rows[dtype.computed].stored,
        "#define ITEM_BYTES " .. dtype.bytes,
        "#define ENCODED_" .. dtype.encoding .. " 1",
        "#define DIGITS " .. dtype.digits,
        "#define GROUP " .. group,
        name == "f64" and "#define HAS_F64 1" or "",
        not dtype.whole and "#define IS_FLOAT 1" or "",
    }
    return table.concat(lines, "\n") .. "\n"
end

-- What clang prints of that source.
local function clang(options, source)
    return helper.with_file(function(path)
        helper.write_file(path, source)
        local pipe = assert(io.popen("clang -x cl -cl-std=CL1.2 -Ikernels " .. options .. " " .. path .. " 2>&1"))
        local output = pipe:read("a")
        pipe:close()
        return output
    end)
end

-- What it says about the source: a second opinion beside the device's own compiler.
local function complaints(source, options)
    return clang("-Xclang -finclude-default-header -fsyntax-only -Wall -Wextra -Wno-unused-function "
        .. "-Wno-unused-parameter " .. (options or ""), source)
end

describe("a kernel file", function()
    it("says first what it is about", function()
        for _, path in ipairs(files()) do
            assert.matches("^/%* ", helper.read_file(path), path)
        end
    end)

    if os.execute("command -v clang >/dev/null") then
        it("compiles alone without a warning", function()
            local common = helper.read_file("kernels/parts/common.cl")
            for name, path in pairs(programs()) do
                assert.equal("", complaints(common .. helper.read_file(path)), name)
            end
        end)

        -- make test has one dtype of each file, in groups of 1.
        it("compiles for every kind of dtype without a warning", function()
            local common = helper.read_file("kernels/parts/common.cl")
            for name, path in pairs(programs()) do
                local source = helper.read_file(path)
                local dtypes = DTYPES[name] or DTYPES[name:match("^%a+")] or { "i8", "u64", "f16", "f64" }
                dtypes = helper.ALL and dtypes or { dtypes[#name % #dtypes + 1] }
                for _, dtype in ipairs(dtypes) do
                    for _, group in ipairs(helper.ALL and { 1, 64 } or { 1 }) do
                        local text = prelude(dtype, group) .. common .. source
                        assert.equal("", complaints(text), ("%s for %s, groups of %d"):format(name, dtype, group))
                    end
                end
            end
        end)

        helper.long(it)("tells Intel's compiler where a group is one work-item, of which no vector is made", function()
            local common = "#define cl_intel_vec_len_hint 1\n" .. helper.read_file("kernels/parts/common.cl")
            local count = 0
            for name, path in pairs(programs()) do
                for group, told in pairs { [1] = true, [64] = false } do
                    local text = clang("-E -P", prelude("f32", group) .. common .. helper.read_file(path))
                    local _, kernels = text:gsub("__attribute__%(%(reqd_work_group_size%b()", "")
                    local _, hints = text:gsub(", intel_vec_len_hint%(1%)%)%)", "")
                    assert.equal(told and kernels or 0, hints, name)
                    count = count + hints
                end
            end
            assert.is_true(count >= 100)
        end)
    else
        pending "compiles without a warning: needs clang, a second opinion beside the device's own compiler"
    end
end)

-- Each kernel file's text as it is embedded, and where its kernels stand in it, as { name, from, to, lines }.
local function embedded()
    local expand, kernels = assert(loadfile "tools/embed.lua")("functions")
    local list = {}
    for name, path in pairs(programs()) do
        local text = expand(path)
        list[name] = { text = text .. "\n", kernels = kernels(text) }
    end
    return list
end

describe("a kernel that is asked for alone", function()
    local files_of = embedded()

    it("is found with all its lines", function()
        local count = 0
        for file, each in pairs(files_of) do
            for _, kernel in ipairs(each.kernels) do
                local text = each.text:sub(kernel.from + 1, kernel.to)
                text = text:sub(-1) == "\n" and text or text .. "\n" -- the text's last line ends behind it
                local _, lines = text:gsub("\n", "")
                assert.equal(kernel.lines, lines, kernel.name)
                text = text:gsub("^KERNEL%b()", "kernel void"):gsub("^[%u_]+ void", "kernel void")
                assert.matches("^[%w_ ]*kernel ", text, kernel.name)
                assert.matches("^.-void " .. kernel.name .. "%(.*\n}\n$", text, file)
                count = count + 1
            end
        end
        assert.is_true(count > 300)
    end)

    if os.getenv "LUNARRAY_LONG" and os.execute "command -v clang >/dev/null" then
        it("compiles without the others", function()
            local common = helper.read_file "kernels/parts/common.cl"
            for file, each in pairs(files_of) do
                for _, kept in ipairs(each.kernels) do
                    local parts, at = {}, 1
                    for _, kernel in ipairs(each.kernels) do
                        if kernel.name ~= kept.name then
                            parts[#parts + 1] = each.text:sub(at, kernel.from) .. ("\n"):rep(kernel.lines)
                            at = kernel.to + 1
                        end
                    end
                    parts[#parts + 1] = each.text:sub(at)
                    local text = common .. table.concat(parts)
                    -- parameters of a template, which undefines them, stay where its kernel was
                    assert.equal("", complaints(text, "-Wno-macro-redefined"), file .. " with " .. kept.name)
                end
            end
        end)
    end
end)

describe("what a program is made without", function()
    local _, _, parts = assert(loadfile "tools/embed.lua")("functions")

    -- The text without what stands in places of that kind.
    local function without(text, kind)
        local kept, at = {}, 1
        for _, place in ipairs(parts(text)) do
            if place.kind == kind then
                kept[#kept + 1] = text:sub(at, place.from)
                at = place.to + 1
            end
        end
        return table.concat(kept) .. text:sub(at)
    end

    it("are files that are included where a macro is defined elsewhere, up to the line that comes next", function()
        local text = '#ifdef WANTED\n#line 1 "a.cl"\n#if B\nx\n#endif\n#line 3 "all.cl"\nint b;\n#endif\ny\n'
        assert.equal('#ifdef WANTED\n#line 3 "all.cl"\nint b;\n#endif\ny\n', without(text, "WHERE_DEFINED"))
    end)

    it("are not what has another branch, a macro that the text or the compiler defines, or no file", function()
        local file = '#line 1 "a.cl"\nx\n#line 3 "all.cl"\n'
        for _, text in ipairs { "#ifdef WANTED\n" .. file .. "#else\n#endif\n",
            "#ifdef cl_khr_fp64\n" .. file .. "#endif\n", "#define WANTED 1\n#ifdef WANTED\n" .. file .. "#endif\n",
            "#ifdef WANTED\nx\n#endif\n", "#ifndef WANTED\n" .. file .. "#endif\n" } do
            assert.same({}, parts(text))
        end
    end)

    it("are the files of a text that stands in a program once more", function()
        local text = '#ifndef ALL_BEGUN\n#define ALL_BEGUN\n#line 1 "a.cl"\nx\n#line 5 "all.cl"\n#endif\ny\n'
        assert.equal('#ifndef ALL_BEGUN\n#line 5 "all.cl"\n#endif\ny\n', without(text, "ONCE"))
    end)
end)
