-- Built-in functions of OpenCL C, which core declares itself where a driver would read a header of them for each text.

local helper = require "spec.helper"

local function clang(path)
    return "clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -fsyntax-only " .. path
end

local function rows()
    local list = {}
    for name in helper.read_file("src/core/device/builtins.def"):gmatch "\nBUILTIN%(([%w_]+)," do
        list[#list + 1] = name
    end
    return list
end

local function output(command)
    local pipe <close> = assert(io.popen(command .. " 2>&1"))
    return pipe:read "a"
end

-- What is declared for each of the texts.
local function declared(texts)
    local results = {}
    helper.with_file(function(path)
        local build = ("%s -std=c11 -w -D_GNU_SOURCE -DCL_TARGET_OPENCL_VERSION=120 -Isrc/core -Ikernels -o %s.out "
            .. "spec/user/builtins.c src/core/device/builtins.c src/core/base/*.c -lm -pthread")
            :format(os.getenv "CC" or "cc", path)
        assert.equal("", output(build))
        for i, text in ipairs(texts) do
            helper.write_file(path, text)
            results[i] = output(("%s.out < %s"):format(path, path))
        end
        os.remove(path .. ".out")
    end)
    return table.unpack(results)
end

describe("built-in functions", function()
    it("stand in the order in which they are looked for", function()
        local list = rows()
        assert.is_true(#list > 150)
        for i = 2, #list do
            assert.is_true(list[i - 1] < list[i], list[i])
        end
    end)

    it("are declared as clang's header does, and those alone that a text calls", function()
        local all, few, none, pasted = declared {
            table.concat(rows(), " ") .. " shuffle2 convert_ _sat _rte _rtz _sat_rte _sat_rtz "
                .. "vload vstore vload_half vstore_half",
            "x = sqrt(vload4(0, p)) + convert_int8_sat(y);",
            "/* sqrt */ x = sqrtf(y); // sqrt\n a_sqrt(0xabs) MAX resin sin2",
            "JOIN(JOIN(convert_, T), _sat_rtz)(x) vstore_half##N##_rtz",
        }
        local _, lines = few:gsub("\n", "")
        assert.equal(12 + 40 + 10, lines, few)
        assert.matches("float4 __attribute__%(%(overloadable,const%)%) sqrt%(float4%);", few)
        assert.matches("float4 __attribute__%(%(overloadable,pure%)%) vload4%(size_t,const __global float%*%);", few)
        assert.matches("int8 __attribute__%(%(overloadable,const%)%) convert_int8_sat%(double8%);", few)
        assert.equal("", none)
        assert.matches("uchar16 __attribute__%(%(overloadable,const%)%) convert_uchar16_sat_rtz%(float16%);", pasted)
        assert.matches("vstore_half8_rte%(float8,size_t,__global half%*%);", pasted)
        assert.is_nil(pasted:find("_sat_rte", 1, true))
        assert.is_nil(pasted:find("convert_uchar16_rte", 1, true))
        if os.execute "command -v clang >/dev/null" then -- two functions may not differ in their result alone
            helper.with_file(function(path)
                helper.write_file(path, all)
                assert.equal("", output(clang(path)))
            end)
        end
    end)

    if helper.has_pocl() then
        -- How often the compiler was called in a process of its own, and how many programs that made.
        local function calls(source)
            return helper.child("local lun = require 'lunarray'\nlocal dev = lun.device()\n" .. source
                .. "\nlocal n = dev:info().programs\nprint(n.built - n.kept)",
                { env = { LUNARRAY_DEVICE = "Portable" } })
        end

        it("are enough for the library's own kernels: the compiler is called once for each", function()
            assert.equal("0\n", calls [[
                local x = lun.random({ 64, 64 }, { seed = 1 })
                x:sum() x:sort() x:cumsum() x:matmul(x) x:fft() x:t():copy() x:gt(0.5):nonzero() x:median()
                lun.fuse(function(a) return a:sin() * 2 + a:pow(3) end)(x):argmax { axis = 1 }
                dev:map("fma(x, select(x, -x, x > 0.5f), 1)", { x = x })
                dev:finish()
            ]])
        end)

        it("are the driver's header's where a text calls others, or is wrong", function()
            assert.equal("0\n", calls [[
                local x = lun.ones { 3 }
                assert(dev:map("x + isnan(nan (7u))", { x = x }):get(3) == 2)
            ]])
            assert.matches("\n1\n$", calls [[
                local ok, message = pcall(dev.map, dev, "x + sqrd(x)", { x = lun.ones { 3 } })
                assert(not ok and tostring(message):find("sqrd", 1, true), message)
            ]])
        end)
    end
end)
