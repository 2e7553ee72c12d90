-- Core without Lua: a host in C uses it, and C++ takes its header.

local helper = require "spec.helper"

local CC = os.getenv("CC") or "cc"

local shell = helper.shell

local has_cpp = os.execute "command -v c++ >/dev/null && echo 'int main() {}' | c++ -x c++ -fsyntax-only - 2>/dev/null"

describe("core without Lua", function()
    local function build(compiler, source, path)
        local machine = helper.read_file("build/machine")
        local libraries = machine:match("opencl_libs=([^\n]*)") .. " " .. machine:match("zlib_libs=([^\n]*)")
        local output, status = shell(("%s -D_GNU_SOURCE -Wall -Wextra -Werror -Isrc/core %s -x none "
            .. "build/liblunarray.a %s -pthread -ldl -lm -o %s"):format(compiler, source, libraries, path))
        assert.equal(0, status, output)
    end

    -- What a program of spec/core/ prints.
    local function output_of(name, before)
        return helper.with_file(function(path)
            build(CC .. " -std=c11 -O2 -x c", "spec/core/" .. name .. ".c", path)
            local output, status = shell((before or "") .. path)
            assert.equal(0, status, output)
            return output
        end)
    end

    -- The same with what `make install-c` installs, and with nothing else of ours.
    local function build_installed(compiler, source, path)
        local output, status = shell(("%s -Wall -Wextra -Werror -Ibuild/installed/include %s -x none "
            .. "-Lbuild/installed/lib -Wl,-rpath,$PWD/build/installed/lib -llunarray -o %s")
            :format(compiler, source, path))
        assert.equal(0, status, output)
    end

    it("has a host of 80 lines with columns first, in C and in C++, told of mistakes in its own manner", function()
        local source = "spec/core/host.c"
        local _, lines = helper.read_file(source):gsub("\n", "")
        assert.is_true(lines <= 80)
        local compilers = { CC .. " -std=c11 -x c" }
        if has_cpp then
            table.insert(compilers, "c++ -std=c++11 -x c++")
        end
        local product = "t: array 3x2 f32\n[[2, 1],\n [4, 3],\n [6, 5]]\n"
            .. "matmul: array 2x2 f32\n[[56, 44],\n [44, 35]]\n"
        local inner = "host: matmul inner sizes differ: (2x3) x (2x2)\n"
        for _, compiler in ipairs(compilers) do
            helper.with_file(function(path)
                build_installed(compiler, source, path)
                assert.same({ "sort: array 2x3 f32\n[[1, 3, 5],\n [2, 4, 6]]\n" .. product
                    .. "row: array 3 f32 [2, 4, 6]\nsum: array 3 f32 [ 3,  7, 11]\n" .. inner, 1 },
                    { shell(path) })
                assert.same({ "sort: array 2x3 f32\n[[2, 4, 6],\n [1, 3, 5]]\n" .. product
                    .. "row: array 3 f32 [1, 3, 5]\nsum: array 2 f32 [12,  9]\n" .. inner, 1 },
                    { shell(path .. " 2") })
                assert.same({ "host: sort axis 3 is out of range: the array has 2 axes (2x3)\n", 1 },
                    { shell(path .. " 3") })
            end)
        end
    end)

    it("exports the names of lunarray.h alone from its archive", function()
        local names = shell("nm --defined-only --extern-only build/liblunarray.a")
        local header, count = shell("cat src/core/api/*.h"), 0
        for name in names:gmatch("%x+ %u ([^\n]+)") do
            count = count + 1
            assert.is_truthy(header:find("%f[%w_]" .. name .. "%f[^%w_]"), name)
        end
        assert.is_true(count > 50)
    end)

    it("exports the same names from its shared library, and from Lua's module what Lua looks for", function()
        local function names(options, path)
            local list = {}
            for name in shell(("nm --defined-only %s %s"):format(options, path)):gmatch("%x+ %u ([%w_]+)") do
                list[#list + 1] = name
            end
            table.sort(list)
            return list
        end
        assert.same(names("--extern-only", "build/liblunarray.a"), names("-D", "build/installed/lib/liblunarray.so"))
        assert.same({ "luaopen_lunarray_core" }, names("-D", "build/lunarray/core.so"))
    end)

    it("is used as the page for C says", function()
        local page = helper.read_file "doc/c.md"
        helper.with_file(function(path)
            local file <close> = assert(io.open(path .. ".c", "w"))
            file:write((page:match "```c\n(.-)```"))
            file:close()
            build_installed(CC .. " -std=c11", path .. ".c", path)
            local printed = page:match "\nprints\n\n(.-\n)\n":gsub("%f[^\n\0]    ", "")
            assert.same({ printed, 0 }, { shell(path) })
            os.remove(path .. ".c")
        end)
    end)

    it("has one header, without tables, whose enumerators have core's values", function()
        local header = helper.read_file "build/installed/include/lunarray.h"
        assert.is_nil(header:find('#include "', 1, true))
        local declarations = shell(CC .. " -E -P -DLUN_DECLARATIONS build/installed/include/lunarray.h")
        assert.is_nil(declarations:find "[#{]%s*return")
        assert.is_nil(declarations:find("__attribute__", 1, true))
        helper.with_file(function(path)
            local checks = { '#include "lunarray.h"' }
            for name, value in header:gmatch "\n    (LUN_[%w_]+) = (%d+)," do
                checks[#checks + 1] = ("_Static_assert(%s == %s, \"%s\");"):format(name, value, name)
            end
            assert.is_true(#checks > 150)
            local file <close> = assert(io.open(path, "w"))
            file:write(table.concat(checks, "\n"))
            file:close()
            assert.same({ "", 0 }, { shell(CC .. " -std=c11 -Isrc/core -fsyntax-only -x c " .. path) })
        end)
    end)

    it("is used by a program in C", function()
        local lines = {}
        local output = output_of("checks", "LUNARRAY_COMPANION=0 ") -- its queues are asked what is in them
        for line in output:gmatch("[^\n]+") do
            lines[#lines + 1] = line
        end
        assert.matches("^refused %(3%): no device matches 'nosuchdevice'", lines[1])
        assert.same({
            "transpose 3x2: 1 4 2 5 3 6",
            "matmul 2x2: 14 32 32 77",
            "sum 3: 5 7 9",
            "shared: 0, with a view 1 and 1, alone again 0, cleared 0",
            "slice 3: 6 5 4",
            "fill 3: 0.5 0.5 0.5",
            "refused (1): inner sizes differ: (2x2) x (3x2)",
            "refused (1): the array was released",
            "refused (1): the array was released",
            "refused (1): the axes are not a permutation of 1 to 2",
            "refused (1): got 3 bytes; the array has 16",
            "refused (1): got 3 bytes of host memory; the array has 16",
            "refused (1): the run has steps left",
            "moved 0.125 and 0.000",
            "refused (1): out must be 2 elements of f32, or 2 for each system, 2 x b",
            "refused (1): the counts do not fit the mask: got 1 element of i64, expected 2 of i64",
            "refused (1): the counts do not fit the mask: got 1 element of i64, expected 2 of i64",
            "refused (1): out is f32 of 1 axis; i64 of 2 axes is needed, a row for each axis of the mask",
            "mask 3: 7 8 9",
            "refused (1): a broadcast view cannot be written: its elements are at several positions; copy it first",
            "refused (1): a broadcast view cannot be written: its elements are at several positions; copy it first",
            "refused (1): the array is a broadcast view, whose elements are at several positions",
            "refused (1): the array is a broadcast view, whose elements are at several positions",
            "event arange: done, position 0, in order",
            "refused (1): the array is mapped to the host; release the mapping first",
            "mapped: 2003",
            "refused (1): the device has 16 queues, and cannot have more; release one first",
            "queue: done of fill, 0 in flight",
            "refused (1): the queue was released",
            "refused (1): there is no kernel 'axpy'; is saxpy meant? the program has saxpy",
            "saxpy 3: 102 104 106",
            "refused (1): parameter 2 of saxpy (__global const float *x): an array is needed",
            "child refused (1): it was forked",
            "child refused (1): it was forked",
            "child refused (1): it was forked",
            "child's event: failed",
            "descriptor: readable",
            "of nothing: 1",
            "refused (1): f64 is not possible on this device (a device has no double precision); use f32",
            "cleared: yes",
            "refused (1): the pointer does not point to a tensor of DLPack (a DLManagedTensor)",
            "refused (1): the pointer does not point to a tensor of DLPack (a DLManagedTensor)",
            "refused (1): the pointer does not point to a tensor of DLPack (a DLManagedTensor)",
            "refused (1): the tensor has 9 axes; at most 8 are possible",
            "refused (1): the tensor is in memory of a device of DLPack's type 2; memory of the host (1) is needed",
            "refused (1): no dtype has elements of DLPack's code 2 with 32 bits and 4 lanes",
            "refused (1): axis 2 of the tensor has -1 elements",
            "tensor f32 2x3: 1 6, backwards 4 6 1 3",
            "live: 0",
        }, table.move(lines, 2, #lines, 1, {}))
    end)

    it("arranges arrays for a program in C, and refuses what does not fit", function()
        assert.equal(table.concat({
            "concat 3x3: 1 2 3 4 5 6 4 5 6",
            "stack 2x2x3: 1 2 3 4 5 6 1 2 3 4 5 6",
            "tile 2x6: 1 2 3 1 2 3 4 5 6 4 5 6",
            "roll 2x3: 3 1 2 6 4 5",
            "roll_flat 2x3: 6 1 2 3 4 5",
            "pad 2x5: 3 2 1 2 3 6 5 4 5 6",
            "triangle 2x3: 1 0 0 4 5 0",
            "diagonal 2: 1 5",
            "diagonal_matrix 2x2: 1 0 0 5",
            "refused (1): there is no array to join",
            "refused (1): there is no array to join",
            "refused (1): axis 5 is out of range: the arrays have 2",
            "refused (1): axis 5 is out of range: the result has 3",
            "refused (1): a matrix has a diagonal; this array has 1 axis",
            "refused (1): a vector is needed for a diagonal; this array has 2 axes",
            "refused (1): an array with 2 axes or more is needed; this one has 1",
            "refused (1): the result would have 9 axes; at most 8 are possible",
            "refused (1): out was released",
            "refused (1): array 2 was released",
            "refused (1): array 1 was released",
        }, "\n") .. ("\nrefused (1): the array was released"):rep(11) .. "\nlive: 0\n", output_of "arrange")
    end)

    it("knows of any two views whether they share an element", function()
        assert.equal(table.concat({
            "small: 100000 pairs, some apart, 0 wrong",
            "middle: 50000 pairs, some apart, 0 wrong",
            "of eight axes: 20000 pairs, some apart, 0 wrong",
            "large: 400 pairs, some apart, 0 wrong",
            "large ones of known answers: looked at",
        }, "\n") .. "\n", output_of "overlap")
    end)

    it("says what an expression with reductions in its midst has too many of, or may not read", function()
        helper.with_file(function(path)
            build(CC .. " -std=c11 -x c", "spec/core/passes.c", path)
            assert.same({ "an expression may have at most 16 reductions within it\n"
                .. "reductions need arrays that are not shifted or padded\n"
                .. "the expression has, with its reductions, more than 32 arrays\n", 0 }, { shell(path) })
        end)
    end)

    local names_fields = shell(CC .. " --version"):find "clang" and pending or it
    names_fields("takes rows of variants that name their fields, and no others", function()
        local flags = helper.read_file("build/machine"):match "opencl_cflags=([^\n]*)"
        local function compile(row)
            return shell(("printf '#include \"op/variant.h\"\\nconst variant one = %s;\\n' | %s -std=c11 -x c -Werror "
                .. "-DCL_TARGET_OPENCL_VERSION=120 -Isrc/core -Ikernels %s -fsyntax-only -"):format(row, CC, flags))
        end
        assert.same({ "", 0 }, { compile '{.name = "plain", .file = "fill_plain"}' })
        assert.matches("positional initialization", (compile '{"plain", "fill_plain"}'), 1, true)
    end)

    it("knows no Lua, and the Lua side knows no OpenCL", function()
        assert.equal("", (shell("grep -lE 'lua\\.h|lauxlib|lua_' -r src/core")))
        assert.equal("", (shell("grep -lE '\\bcl[A-Z][A-Za-z]+\\(' src/lua/*")))
        assert.equal("", (shell("nm build/liblunarray.a 2>/dev/null | grep -E ' U lua_?'")))
    end)

    if has_cpp then
        it("has a header that C++ takes", function()
            for _, standard in ipairs { "c++11", "c++20" } do
                local output, status = shell(("printf '#include \"lunarray.h\"\\nlun_array a;\\n' | c++ -x c++ -std=%s "
                    .. "-Wall -Wextra -Werror -Isrc/core -fsyntax-only -"):format(standard))
                assert.equal("", output)
                assert.equal(0, status)
            end
        end)
    else
        pending "has a header that C++ takes: needs a C++ compiler, c++"
    end
end)
