-- Names of the user's in generated text: they meet neither OpenCL C's nor the library's, and compilers' logs have them
-- as they are.
local lun = require "lunarray"
local helper = require "spec.helper"

-- Words of OpenCL C and its preprocessor; macros, functions and types of the library's kernels, of generated text and
-- of drivers.
local NAMES = {
    "inline", "kernel", "__kernel", "__global", "float", "half", "void", "uchar", "size_t", "if", "while", "defined",
    "true", "select", "sin", "convert_float", "as_float", "main", "linux", "NAN", "INFINITY", "FLT_MAX", "__LINE__",
    "cl_khr_fp64", "WIDTH", "GROUP", "DIGITS", "HAS_F64", "ITEM_BYTES", "T", "COMPUTE", "MAP_ARRAYS", "MAP_TEXT",
    "MAP_ROW", "FOLD_LEAF", "map_first", "lun_layout", "lun_0", "lun_x", "lun_lun_x", "lun_0_combine", "shape", "v0",
    "r0", "p0", "i0", "j", "x", "a", "b", "_", "_x", "TYPE",
}

for _, dev in ipairs(lun.devices()) do
    describe("names on " .. dev:info().name, function()
        local x = dev:array { 1, 2, 3 }

        it("may be any, of arrays and of numbers, in expressions and operators", function()
            local calls = {
                function(text, arguments) return dev:map(text, arguments):sum() end,
                function(text, arguments) return dev:reduce("sum", text, arguments) end,
                function(text, arguments)
                    return dev:reduce({ map = text, combine = "a + b", identity = "0" }, arguments)
                end,
            }
            for first = 1, #NAMES, 11 do -- a kernel takes 16 numbers
                local words, arguments, expected = {}, {}, 0
                for i = first, math.min(first + 10, #NAMES) do
                    words[#words + 1] = ("%d * %s"):format(i, NAMES[i])
                    arguments[NAMES[i]] = i == first and x or i
                    expected = expected + (i == first and i * 6 or 3 * i * i)
                end
                for _, call in ipairs(calls) do
                    assert.equal(expected, call(table.concat(words, " + "), arguments))
                end
            end
        end)

        it("stand for arguments wherever they are, but behind a point and in comments", function()
            helper.check_array(dev:map("(float2)(x, 7).x + /* x */ 1.e2f", { x = x }), "f32", { 3 },
                { 101.0, 102.0, 103.0 })
            helper.check_array(dev:map("1e2f + 0x1p3f*e2f + .5e2f - e2f /* e2f */ + 0*x", { x = x, e2f = 1 }), "f32",
                { 3 }, { 157.0, 157.0, 157.0 })
            helper.check_array(dev:map("(float2)(y, x). y - s0", { x = x, y = 9, s0 = 1 }), "f32", { 3 },
                { 0.0, 1.0, 2.0 })
            helper.check_array(dev:map("(float) - x", { float = 10, x = x }), "f32", { 3 }, { 9.0, 8.0, 7.0 })
        end)

        it("are no functions and no types where they are arguments", function()
            local means = "; an argument's name means the argument everywhere in the text"
            helper.refused("map: the expression uses 'select' as a function" .. means,
                dev, "select(x, x, x) + select", { x = x, select = 1 })
            helper.refused("map: the expression uses 'float' as a type" .. means,
                dev, "( float /* */ ) x * float", { x = x, float = 1 })
            helper.refused("reduce: map uses 'float' as a type" .. means,
                dev, { map = "(float)(x) * float", combine = "a + b" }, { x = x, float = 1 })
            helper.refused("reduce: combine uses 'a' as a function" .. means, x, { combine = "a (b)" })
        end)

        it("are not the library's where they are no arguments #oclgrind", function()
            local names = { "GROUP", "WIDTH", "T", "MAP_OUTER", "lun_x", "lun_0", "map_first", "FOLD_LEAF" }
            local ok, problem = pcall(dev.map, dev, "x + " .. table.concat(names, " + "), { x = x })
            assert.is_false(ok)
            for _, name in ipairs(names) do
                assert.matches("'" .. name .. "'", problem.log, 1, true)
            end
            assert.matches("\nthe names here are x\n$", problem.log)
            ok, problem = pcall(x.reduce, x, { combine = "a + b * fold0_identity", identity = "0" })
            assert.is_false(ok)
            assert.matches("'fold0_identity'", problem.log, 1, true)
        end)

        it("are the user's own in a compiler's log, at his own columns #oclgrind", function()
            local function log_of(...)
                local ok, problem = pcall(...)
                assert.is_false(ok)
                assert.is_nil(problem.log:find "lun_%a")
                return problem.log
            end
            local log = log_of(dev.map, dev, "x*x + inline*x +\n  x*nothing", { x = x, inline = 5 })
            assert.matches("expression:2:5: ", log, 1, true)
            local line, before = log:match "([^\n]*)\n( *)%^" -- some compilers show the line, and where in it
            assert.equal("nothing", line and line:sub(#before + 1) or "nothing")
            log = log_of(dev.map, dev, "x*x + inline*x + inline.foo", { x = x, inline = 5 })
            assert.matches("expression:1:24: ", log:gsub("expression:1:25: ", "expression:1:24: "), 1, true)
            log = log_of(dev.map, dev, { "x", "(x + y) * (x = y)" }, { x = x, y = x })
            assert.matches("expression 2:1:14: .*'x'", log)
            log = log_of(x.reduce, x, { combine = "a + b*a +" })
            assert.matches("combine:1:10: ", log, 1, true)
        end)

        it("have logs without blank lines, and without one that says that the build failed #oclgrind", function()
            for _, call in ipairs {
                function() dev:map("x + nothing", { x = x }) end,
                function() dev:program "kernel void f() { nothing; }" end,
            } do
                local ok, problem = pcall(call)
                assert.is_false(ok)
                local log = problem.log
                assert.is_nil(log:find "^%s" or log:find "\n%s*\n" or log:find "failed to build")
                assert.matches("'nothing'", problem.log, 1, true)
            end
        end)

        it("of defines may be any, in checked programs too", function()
            local out, defines, expected = dev:zeros { 3 }, {}, 0
            local names = { "lun_at", "lun_verdict", "lun_verdicts", "lun_place", "lun_size_0", "lun_n0", "VERDICT",
                "VERDICT_PARAMETERS", "verdict_say", "verdict_say_both", "abi_uint", "abi_long", "LUN_ABI_VERDICT_H",
                "LUN_ABI_TYPES_H", "volatile", "inline", "index", "size", "T", "GROUP" }
            for i, name in ipairs(names) do
                defines[name], expected = i, expected + i
            end
            for _, check in ipairs { false, true } do
                local program = dev:program([[
                    kernel void k(global float *y, global const float *x)
                    {
                        y[get_global_id(0)] = x[get_global_id(0)] + ]] .. table.concat(names, " + ") .. [[;
                    }
                ]], { defines = defines, check = check })
                program:kernel():run({ global = 3 }, out, x)
                helper.check_array(out, "f32", { 3 }, { expected + 1.0, expected + 2.0, expected + 3.0 })
            end
        end)

        it("of a checked program's own functions and types may be the library's", function()
            local text = "typedef float lun_verdict; float lun_at(float x) { return 2 * x; }\n"
                .. "#define long int\n" -- its own long does not cut the library's
                .. "kernel void k(global lun_verdict *y, global const float *x)\n"
                .. "{ int VERDICT = 0; y[VERDICT] = lun_at(x[4294967296L]); }"
            local out = dev:zeros { 3 }
            dev:program(text, { check = true }):kernel():run({ global = 1 }, out, x)
            helper.refused("totable: k: index 4294967296 of x, parameter 2 of k, is out of range 0..2", out)
        end)

        it("of kernels have at most 252 letters", function()
            local n = 100003
            local function text_of(letters)
                return "kernel void " .. ("k"):rep(letters) .. "(global float *x) { x[get_global_id(0)] = 1.0f; }"
            end
            for _, letters in ipairs { 240, 241, 252 } do -- from 241 on there is no room for a trimmed kernel's name
                local out = dev:zeros { n }
                dev:program(text_of(letters)):kernel():run({ global = n }, out)
                assert.equal(n, out:sum())
            end
            local wanted = "the kernel's name '" .. ("k"):rep(40) .. "...' has %d letters; at most 252 are possible, "
                .. "because drivers name files after it"
            -- before it is built: NVIDIA's driver writes past its memory there
            helper.refused("program: " .. wanted:format(253), dev, text_of(253))
            helper.refused("program: " .. wanted:format(3000),
                dev, "float f(float x) { if (x > 0) { return x; } return 1; }\n" .. text_of(3000))
            helper.refused("program: " .. wanted:format(300), dev, text_of(300), { check = true })
            local program = dev:program("#define NAME " .. ("k"):rep(253) .. "\n" -- as no text shows it
                .. "kernel void NAME(global float *x) { x[0] = 1; }")
            helper.refused("kernel: " .. wanted:format(253), program)
            local long = ("f"):rep(300) -- of what is no kernel
            dev:program("float " .. long .. "(float x) { return x; }\nkernel void k(global float *x) { x[0] = 1; }")
        end)
    end)
end
