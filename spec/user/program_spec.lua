-- Programs of the user's own: their text, defines, files and options, what a failed build says, and their lifetimes.

local lun = require "lunarray"
local helper = require "spec.helper"

local it = helper.one_in(2, it)

-- The number of the line on which it is called.
local function here()
    return debug.getinfo(2, "l").currentline
end

helper.each_device(function(dev, title)
    -- What a program of one expression gives: an i32.
    local function value(expression, opts, before)
        local source = ("%s\nkernel void value(global int *out) { *out = %s; }"):format(before or "", expression)
        local program <close> = dev:program(source, opts)
        local kernel <close> = program:kernel()
        local out = dev:zeros({ 1 }, "i32")
        kernel:run({ global = 1 }, out)
        return out:get(1)
    end

    -- Calls f(folder) with the path of a folder that is gone afterwards.
    local function with_folder(f)
        return helper.with_file(function(path)
            os.remove(path)
            assert(os.execute("mkdir " .. path))
            local results = table.pack(pcall(f, path))
            os.execute("rm -r " .. path)
            assert(results[1], results[2])
            return table.unpack(results, 2, results.n)
        end)
    end

    describe("a program on " .. title, function()
        it("has the kernels of its text", function()
            local program = dev:program [[
                kernel void first(global int *x) { *x = 1; }
                kernel void second(global int *x) { *x = 2; }
            ]]
            local names = program:kernels()
            table.sort(names)
            assert.same({ "first", "second" }, names)
            assert.equal("lunarray.program: " .. table.concat(program:kernels(), ", "), tostring(program))
            assert.equal("program", lun.type(program))
            local out = dev:zeros({ 1 }, "i32")
            program:kernel("second"):run({ global = 1 }, out)
            assert.equal(2, out:get(1))
            local has = "the program has " .. table.concat(program:kernels(), ", ")
            helper.refused("kernel: there is no kernel 'third'; " .. has, program, "third")
            helper.refused("kernel: there is no kernel 'frist'; is first meant? " .. has, program, "frist")
            helper.refused("kernel: argument 1: the name of a kernel is needed; " .. has, program)
            helper.raises("third: a program has no such method or kernel; " .. has, function() program.third() end)
            helper.raises("secnd: a program has no such method or kernel; is second meant? " .. has, function()
                program.secnd()
            end)
            helper.refused("kernel: argument 1: the string has a zero byte", program, "first\0junk")
            helper.refused("kernel: argument 1: the name of a kernel is needed, got a number", program, 1)
        end)

        it("may have none", function()
            local program = dev:program ""
            assert.same({}, program:kernels())
            assert.equal("lunarray.program: no kernels", tostring(program))
            helper.refused("kernel: there is no kernel 'x': the program has none", program, "x")
            helper.refused("kernel: the program has no kernels", program)
            helper.raises("x: a program has no such method or kernel; the program has no kernels", function()
                return program.x
            end)
        end)

        it("names as many kernels as a message has room for", function()
            local texts = {}
            for i = 1, 60 do
                texts[i] = ("kernel void the_kernel_number_%02d(global float *x) { *x = 1; }"):format(i)
            end
            local program = dev:program(table.concat(texts, "\n"))
            local _, problem = pcall(function() program:kernel "the_kernel_nmber_59" end)
            assert.matches("no kernel 'the_kernel_nmber_59'; is the_kernel_number_%d%d meant%? the program has "
                .. "the_kernel_number_%d%d, the_kernel_number_.*the_kernel_number_%d%d, %.%.%.$", problem)
            assert.matches("is the_kernel_number_59 meant", problem, 1, true)
        end)

        it("means the nearest kernel, of equally near ones the shortest or the first in the alphabet", function()
            local function program_of(...)
                local texts = {}
                for i, name in ipairs { ... } do
                    texts[i] = ("kernel void %s(global float *x) { *x = 1; }"):format(name)
                end
                return dev:program(table.concat(texts, "\n"))
            end
            local function check(meant, name, ...)
                local sentence = meant and ("is %s meant? the program has"):format(meant) or "the program has"
                local program = program_of(...)
                helper.refused(("kernel: there is no kernel '%s'; %s"):format(name, sentence), program, name)
            end
            check("beta2", "beta3", "beta4", "beta2", "beta5")
            check("gamma", "gammar", "gammars", "gammas", "gamma")
            check("deltas", "deltaas", "deltaab", "deltas", "delta")
            check("epsilon_ones", "epsilon_one", "epsilon_ones", "epsilon_o")
            check(nil, "eta", "etas", "beta")
            local longest = ("long"):rep(8)
            check(longest, longest:sub(2), longest .. "s", longest)
            check(nil, longest, longest .. "s", longest .. "s2")
        end)

        it("takes defines: integers, floats, text, true", function()
            assert.equal(-7, value("N * 2 + 1", { defines = { N = -4 } }))
            assert.equal(-1 << 31, value("(int)(N >> 32)", { defines = { N = math.mininteger } }))
            assert.equal(1, value("(X == 0.1f + 0) * 0 + (X > 0.09f && X < 0.11f)", { defines = { X = 0.1 } }))
            assert.equal(3, value("-X * 3", { defines = { X = -1.0 } }))
            assert.equal(3, value("-X / 2 * 6", { defines = { X = -1.0 } }))
            assert.equal(1, value("X == 1.0 / 3", { defines = { X = 1 / 3 } }))
            assert.equal(8, value("sizeof(JOIN(float, N))", { defines = { N = 2, JOIN = "PASTED" } },
                "#define PASTED(a, b) PASTED2(a, b)\n#define PASTED2(a, b) a ## b"))
            assert.equal(2, value("isinf(X) + (X < 0)", { defines = { X = -math.huge } }))
            assert.equal(1, value("isnan(X) != 0", { defines = { X = 0 / 0 } }))
            assert.equal(12, value("TEXT(5)", { defines = { TEXT = "ADD", SEVEN = 7 } },
                "#define ADD(x) ((x) + SEVEN)"))
            assert.equal(1, value("FLAG", { defines = { FLAG = true } }))
            assert.equal(0, value("sizeof(T) != 8", { defines = { T = "long" } }))
        end)

        it("refuses defines that C does not know", function()
            helper.refused("program: option 'defines': a table of values by name is needed, got a string",
                dev, "", { defines = "N=1" })
            for _, name in ipairs { "", "2x", "a b", "f(x)", "é" } do
                helper.refused(("program: defines: '%s' is not a name; names consist of letters, "
                    .. "digits and _"):format(name),
                    dev, "", { defines = { [name] = 1 } })
            end
            helper.refused("program: option 'defines': the table has the name 'N...', which has a zero byte",
                dev, "", { defines = { ["N\0x"] = 1 } })
            helper.refused("program: defines: N has a zero byte", dev, "", { defines = { N = "1\0x" } })
            helper.refused("program: option 'defines': the table has the key 1; names are strings",
                dev, "", { defines = { "N" } })
            helper.refused("program: defines: a number, a string or true is needed for N, got a table",
                dev, "", { defines = { N = {} } })
            helper.refused("program: defines: a number, a string or true is needed for N, got false",
                dev, "", { defines = { N = false } })
            helper.refused("program: defines: N has more than one line", dev, "", { defines = { N = "1\n2" } })
        end)

        it("takes the compiler's options", function()
            assert.equal(5, value("N", { options = "-DN=5" }))
            assert.equal(120, value("__OPENCL_C_VERSION__"))
        end)

        it("tells a failed build in the lines of the script #oclgrind", function()
            local line = here() + 3
            local problem = helper.raises("program: the program did not compile: CL_BUILD_PROGRAM_FAILURE", function()
                dev:program([[
                    kernel void f(global int *x) { *x = nonsense; }
                ]], { defines = { N = 1, M = 2 } })
            end)
            assert.equal("CL_BUILD_PROGRAM_FAILURE", problem.name)
            assert.equal("program", problem.op)
            assert.matches("nonsense", problem.log, 1, true)
            assert.matches("program_spec.lua:" .. line .. ":", problem.log, 1, true)
            assert.matches("\n.*nonsense", tostring(problem))
        end)

        -- Runs a script whose build fails, and gives the first line that the log of the build's failure names.
        local function log_line(source)
            return helper.with_file(function(path)
                helper.write_file(path, source)
                local ok, problem = pcall(assert(loadfile(path)), dev)
                assert.is_false(ok)
                local name, line = problem.log:match "([^%s:]+):(%d+)"
                return (name == path and "script" or name) .. ":" .. line
            end)
        end

        it("tells a failed build in the lines of that text which the call is given", function()
            local text = "kernel void f(global int *x) { *x = nonsense; }"
            local block = "[[\n" .. text .. "\n]]"
            local blocks = ("local dev = ...\ndev:program(%s)\ndev:program(%s)"):format(block, block)
            assert.equal("script:3", log_line(blocks))
            assert.equal("script:3", log_line(("local dev = ...\nlocal a = '%s'\na = '%s'\ndev:program(a)\na = '%s'")
                :format(text, text, text)))
            assert.equal("script:6", log_line(("local dev = ...\npcall(dev.program, dev, %s)\ndev:program(%s)")
                :format(block, block)))
            assert.equal("script:3", log_line(("-- %s\nlocal dev = ...\nlocal text = '%s'\n-- %s\ndev:program(text)")
                :format(text, text, text)))
            assert.equal("script:5", log_line(("local dev = ...\nlocal text\n"
                .. "local function build() dev:program(text) end\n--\ntext = '%s'\ntext = '%s'\nbuild()")
                :format(text, text)))
        end)

        it("does not look for a text of a few characters in the script", function()
            assert.equal("program:1", log_line("local dev = ...\ndev:program('x y')"))
        end)

        it("tells a failed build of a made-up text in lines of its own", function()
            local source = ("\n"):rep(4) .. "kernel void f(global int *x) { *x = " .. "missing" .. "; }"
            local problem = helper.refused("program: the program did not compile: ", dev, source)
            assert.matches("program:5:", problem.log, 1, true)
        end)

        it("says what to write where a call is ambiguous, and names none of the compiler's own files", function()
            local _, problem = pcall(dev.program, dev, "kernel void f(global float *x) { *x = fmax(*x, 0.0); }")
            if not dev:info().fp64 or type(problem) ~= "table" then
                return -- this compiler takes it
            end
            assert.matches("CL_BUILD_PROGRAM_FAILURE; an ambiguous call has numbers of different types, or "
                .. "integers for a function of floats: 0 is an int, 0.0 a double, 0.0f a float, and (float)x "
                .. "converts an integer to a float", problem.message, 1, true)
            assert.matches("call to 'fmax' is ambiguous", problem.log, 1, true)
            assert.is_nil(problem.log:find("Spelling", 1, true))
        end)

        it("has no warnings unless its options speak of them", function()
            local text = "#warning nothing\nkernel void f(global int *x) { int unused; *x = 1; }"
            local output = helper.child(("local dev = require('lunarray').device(%q)\n"
                .. "dev:program(%q) dev:program(%q, {options = '-w'})"):format(dev:info().name, text, text))
            assert.equal("", output)
            if not dev:info().vendor:find "NVIDIA" then -- whose compiler takes the option and goes on
                assert.is_false(pcall(dev.program, dev, text, { options = "-Werror" }))
            end
        end)

        it("does not blame the kernel cache where the log says what is wrong", function()
            local ok, problem = pcall(dev.program, dev, "void missing(void); kernel void f() { missing(); }")
            assert.is_true(ok or not tostring(problem):find("cache writable", 1, true), tostring(problem))
        end)

        it("refuses what is no text", function()
            helper.refused("program: argument 1: OpenCL C in a string, or {file = path}, is needed, got nothing", dev)
            helper.refused("program: argument 1: OpenCL C in a string, or {file = path}, is needed, got a number",
                dev, 5)
            helper.refused("program: argument 1: a table must be {file = path}; this one "
                .. "has [path]", dev, { path = "x.cl" })
            helper.refused("program: argument 1: file: a string is needed, got nil", dev, {})
            helper.refused("program: the program's text has a zero byte", dev, "\0")
            helper.with_file(function(path)
                helper.write_file(path, "kernel void k() {}\n\0")
                helper.refused("program: " .. path .. ": the text has a zero byte", dev, { file = path })
            end)
            helper.refused("program: option 'options': the string has a zero byte", dev, "", { options = "-DX\0" })
            helper.refused("program: unknown option 'define'; known are defines, options, include",
                dev, "", { define = {} })
            helper.refused("program: option 'include': a string is needed, got a number", dev, "", { include = { 1 } })
            helper.refused("program: the include folder 'a b' has a space in its name, which compilers of OpenCL C "
                .. "cannot take", dev, "", { include = "a b" })
            helper.raises([[program: the include folder 'a"b' has a quote in its name]],
                function() dev:program("", { include = { 'a"b' } }) end)
            helper.refused("program: the include folder '/no/such/folder': No such file or directory",
                dev, "", { include = "/no/such/folder" })
            helper.refused("program: the include folder '/dev/null': Not a directory",
                dev, "", { include = "/dev/null" })
            for _, include in ipairs { "", { "/", "" } } do
                helper.refused("program: option 'include': a folder's name is empty", dev, "", { include = include })
            end
            for _, ending in ipairs { "-I", "-w -I", "-I  " } do
                helper.refused("program: option 'options': a folder is missing after the -I at the end",
                    dev, "", { options = ending })
            end
            helper.refused("program: option 'options': a name is missing after the -D at the end",
                dev, "", { options = "-w -D" })
            assert.is_false(pcall(dev.program, dev, "", { options = "-no-such-option" }))
        end)
    end)

    describe("a program file on " .. title, function()
        it("is read, with what stands beside it", function()
            with_folder(function(folder)
                helper.write_file(folder .. "/number.h", "#define NUMBER 40\n")
                helper.write_file(folder .. "/k.cl",
                    '#include "number.h"\nkernel void k(global int *x) { *x = NUMBER + N; }')
                local program = dev:program({ file = folder .. "/k.cl" }, { defines = { N = 2 } })
                local out = dev:zeros({ 1 }, "i32")
                program:kernel("k"):run({ global = 1 }, out)
                assert.equal(42, out:get(1))
            end)
        end)

        it("may lie in a folder that compilers cannot take, where it includes nothing", function()
            with_folder(function(folder)
                for name, unfit in pairs { ["a b"] = "a space", ['a"b'] = "a quote" } do
                    local inner = folder .. "/" .. name
                    assert(os.execute("mkdir '" .. inner .. "'"))
                    helper.write_file(inner .. "/k.cl", "kernel void k(global int *x) { *x = 1; }")
                    assert.same({ "k" }, dev:program({ file = inner .. "/k.cl" }):kernels())
                    helper.write_file(inner .. "/k.cl",
                        '/*\n#include "n.h"\n*/ kernel void k(global int *x) { *x = 1; }')
                    assert.same({ "k" }, dev:program({ file = inner .. "/k.cl" }):kernels())
                    helper.write_file(inner .. "/k.cl", '  # include "n.h"\nkernel void k(global int *x) { *x = 1; }')
                    helper.refused(("program: the file's own folder '%s' has %s in its name, and the file includes "
                        .. "others: compilers of OpenCL C cannot take that"):format(inner, unfit),
                        dev, { file = inner .. "/k.cl" })
                end
            end)
        end)

        it("includes from folders, as they are now", function()
            with_folder(function(folder)
                assert(os.execute("mkdir " .. folder .. "/inner"))
                helper.write_file(folder .. "/first.h", "#pragma once\n# include <second.h>\n")
                for _, number in ipairs { 5, 6 } do
                    helper.write_file(folder .. "/inner/second.h",
                        '#pragma once\n#include "first.h"\n#define NUMBER ' .. number .. "\n")
                    assert.equal(number, value("NUMBER", { include = { folder, folder .. "/inner" } },
                        '#include "first.h"'))
                end
                for _, number in ipairs { 8, 9 } do
                    helper.write_file(folder .. "/third.h", "#define NUMBER " .. number .. "\n")
                    assert.equal(number, value("NUMBER", { include = folder },
                        '#\n/* */ # /* */ incl\\\nude <third.h>'))
                end
                helper.write_file(folder .. "/second.h", "#define NUMBER 7\n")
                assert.equal(7, value("NUMBER", { include = folder }, '#include "first.h"'))
            end)
        end)

        it("tells a failed build in its own lines", function()
            with_folder(function(folder)
                helper.write_file(folder .. "/bad.cl", "\n\nkernel void k(global int *x) { *x = nonsense; }")
                local problem = helper.refused("program: the program did not compile: ",
                    dev, { file = folder .. "/bad.cl" }, { defines = { N = 1 } })
                assert.matches("bad.cl:3:", problem.log, 1, true)
            end)
        end)

        it("that is not there is an error", function()
            helper.refused("program: /no/such/file.cl: No such file or directory", dev, { file = "/no/such/file.cl" })
            helper.refused("program: /: Is a directory", dev, { file = "/" })
        end)
    end)

    describe("the lifetime of a program on " .. title, function()
        local SOURCE = "kernel void one(global float *x) { x[get_global_id(0)] = 1; }"

        it("ends at its release; its kernels live on", function()
            local program = dev:program(SOURCE)
            local kernel = program:kernel()
            program:release()
            program:release()
            assert.equal("lunarray.program (released)", tostring(program))
            helper.refused("kernel: self: the program was released", program)
            helper.refused("kernels: self: the program was released", program)
            local x = dev:zeros { 3 }
            kernel:run({ global = 3 }, x)
            assert.equal(3.0, x:sum())
            kernel:release()
            kernel:release()
            assert.equal("lunarray.kernel (released)", tostring(kernel))
            helper.refused("run: self: the kernel was released", kernel, { global = 3 }, x)
            helper.refused("info: self: the kernel was released", kernel)
        end)

        it("may end while its kernel runs", function()
            local x = dev:zeros { 1000 }
            local event
            do
                local program <close> = dev:program(SOURCE)
                local kernel <close> = program:kernel "one"
                event = kernel:run({ global = 1000, async = true }, x)
            end
            event:wait()
            assert.equal(1000.0, x:sum())
        end)

        it("goes on through collections and the end of a state, in any order", function()
            local output = helper.child(([[
                local lun = require "lunarray"
                local dev = lun.device(%q)
                local kept = {}
                collectgarbage("generational")
                for i = 1, 20 do
                    local program = dev:program(%q)
                    local kernel = program:kernel()
                    local x = dev:zeros { 10 }
                    local event = kernel:run({ global = 10, async = true }, x)
                    kept[i %% 3] = i %% 2 == 0 and { kernel, event } or { program, x, kernel }
                    if i %% 7 == 0 then collectgarbage() end
                end
                print(dev:ones({ 3 }):sum())
            ]]):format(dev:info().name, SOURCE))
            assert.matches("3.0\n$", output) -- compilers may say something before
        end)

        it("cannot be assigned to, and knows its methods", function()
            local program = dev:program(SOURCE)
            local kernel = program:kernel()
            helper.raises("x: a program cannot be assigned to", function() program.x = 1 end)
            helper.raises("x: a kernel cannot be assigned to", function() kernel.x = 1 end)
            helper.refused("kernl: a program has no such method or kernel; is kernel meant?", program)
            helper.refused("runs: a kernel has no such method; is run meant?", kernel)
            helper.raises("kernel: self: a program is needed, got a kernel", function() program.kernel(kernel) end)
            helper.raises("run: self: a kernel is needed, got a program", function() kernel.run(program) end)
        end)
    end)
end)
