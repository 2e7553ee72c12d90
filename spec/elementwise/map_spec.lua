-- dev:map: an expression in OpenCL C over arrays and numbers, its dtypes, its results, and what it says of mistakes.

local lun = require "lunarray"
local helper = require "spec.helper"

local it = helper.one_in(2, it)

helper.describe_each_variant("map", "map", function(dev, variant)
    it("computes arrays of every size", function()
        for _, size in ipairs { 1, 15, 16, 17, 127, 128, 129, 1025 } do
            local x, y, expected = dev:arange(1, size, { dtype = "f32" }), dev:full({ size }, 0.5), {}
            for i = 1, size do
                expected[i] = 2 * i - 0.5 + (i > 7 and 100.0 or 0)
            end
            local call = { out = dev:zeros { size }, variant = variant }
            local can = helper.can(dev.map, dev, "a * x - y + (x > 7 ? 100 : 0)", { a = 2, x = x, y = y }, call)
            if can then
                helper.check_array(call.out, "f32", { size }, expected, 0, "size " .. size)
            end
            assert.is_true(can or size < 128, "long rows suit every variant")
        end
    end)

    it("broadcasts, and takes any layout", function()
        local m = dev:arange(1, 1200, { dtype = "i32" }):reshape(4, 300)
        local row, column = m:row(2):slice { 1, 150 }, m:col(3):reshape(4, 1)
        local part = m:slice(nil, { 300, 1, -2 })
        local out = dev:zeros({ 4, 300 }, "i32"):slice(nil, { 1, 300, 2 })
        if helper.can(dev.map, dev, "p * 1000 + r - c", { p = part, r = row, c = column },
            { out = out, variant = variant }) then
            local got = out:totable()
            for i = 1, 4 do
                for j = 1, 150 do
                    local x, r, c = (i - 1) * 300 + 302 - 2 * j, 300 + j, (i - 1) * 300 + 3
                    assert.equal(x * 1000 + r - c, got[i][j])
                end
            end
        end
    end)
end)

helper.describe_each_device("map", function(dev)
    local x, y = dev:array { 1, 2, 3 }, dev:array { 10, 20, 40 }

    it("gives a new array, of OpenCL C's own functions too", function()
        helper.check_array(dev:map("a*x + y", { a = 2, x = x, y = y }), "f32", { 3 }, { 12.0, 24.0, 46.0 })
        helper.check_array(dev:map("fma(x, y, max(x, 2.0f)) /* with ( and , and // */", { x = x, y = y }), "f32",
            { 3 }, { 12.0, 42.0, 123.0 })
        helper.check_array(dev:map("(x /* one, ( */ + 1) * k", { x = dev:array(3), k = 0.5 }), "f32", {}, { 2.0 })
        helper.check_array(dev:map("x + y", { x = dev:zeros { 0, 3 }, y = y }), "f32", { 0, 3 }, {})
    end)

    it("takes names that the library uses itself", function()
        local named = { v0 = x, j = 1, shape = y, row = 1, p1 = 1, T = 1, min = 1 }
        local sum = dev:map("v0 + j + shape + row + p1 + T + min", named)
        helper.check_array(sum, "f32", { 3 }, { 16.0, 27.0, 48.0 })
    end)

    it("has integers of several dtypes in the one that holds all, as operators do", function()
        local i, u = dev:array({ 3, -1, -8 }, "i16"), dev:array({ 7, 2, 2 }, "u32")
        local both = { i = i, u = u }
        helper.check_array(dev:map("i - u", both), "i64", { 3 }, (i - u):totable())
        helper.check_array(dev:map("x - y", { x = i:gt(0), y = i:lt(-1) }), "i64", { 3 }, { 1, 0, -1 })
        helper.check_array(dev:map("i < u ? 1 : 0", both, { dtype = "i8" }), "i8", { 3 }, { 1, 1, 1 })
        helper.check_array(dev:map("i - u", both, { dtype = "f32" }), "f32", { 3 }, { -4.0, -3.0, -10.0 })
        helper.check_array(lun.fuse(function(a, b) return a - b end)(i, u), "i64", { 3 }, { -4, -3, -10 })
        assert.equal(-17, dev:reduce("sum", "i - u", both))
        assert.equal(-3, dev:reduce({ map = "i - u", combine = "max(a, b)" }, both))
        local wide = { i = dev:array({ -3 }, "i64"), u = dev:array({ 2 }, "u64") }
        helper.check_array(dev:map("i / u", wide), "i64", { 1 }, { -1 })
    end)

    it("gives the dtype that holds all arrays and numbers, or the one that is asked for", function()
        local i, h = dev:array({ 1, 2, 3 }, "i8"), dev:array({ 1, 2, 3 }, "f16")
        local function wants(dtype, arguments, asked)
            local out = dev:zeros({ 3 }, dtype == "u8" and "i8" or "u8") -- so that nothing is compiled
            local text = "x" .. (arguments.y and " + y" or "") .. (arguments.k and " + k" or "")
            helper.refused(("map: out is %s; the result is %s"):format(out:dtype(), dtype),
                dev, text, arguments, { out = out, dtype = asked })
        end
        wants("f32", { x = x, y = i })
        wants("i8", { x = i, k = 2 })
        wants("f32", { x = i, k = 2.0 })
        wants("f16", { x = h, y = i, k = 2.5 })
        wants("i16", { x = i, y = dev:zeros({ 3 }, "u8") })
        wants("f16", { x = x }, "f16")
        wants("u8", { x = x, k = 2 }, "u8")
        wants("i64", { x = i }, "i64")
    end)

    it("converts results as C does, and reads literals and numbers in the result's dtype", function()
        helper.check_array(dev:map("x * 1.75f", { x = x }, { dtype = "i16" }), "i16", { 3 }, { 1, 3, 5 })
        helper.check_array(dev:map("x + 200", { x = dev:array({ 50, 60 }, "u8") }), "u8", { 2 }, { 250, 4 })
        helper.check_array(dev:map("x * 3000000000", { x = dev:array({ 1, 2 }, "i64") }), "i64", { 2 },
            { 3000000000, 6000000000 })
        local single = string.unpack("f", string.pack("f", 0.1))
        helper.check_array(dev:map("x - x + 0.1", { x = x }), "f32", { 3 }, { single, single, single })
        for name, expected in pairs { f16 = 0.0999755859375, bf16 = 0.10009765625 } do
            helper.check_array(dev:map("x * 0.1", { x = dev:ones({ 1 }, name) }), name, { 1 }, { expected })
        end
        if dev:info().fp64 then
            local wide = dev:ones({ 1 }, "f64")
            helper.check_array(dev:map("x * 0.1 + k", { x = wide, k = 0.2 }), "f64", { 1 }, { 0.1 + 0.2 })
            helper.check_array(dev:map("x * 0.1", { x = wide }, { dtype = "f32" }), "f32", { 1 }, { single })
        end
        helper.refused("map: 300 is out of range for i8 (-128 to 127)",
            dev, "x + k", { x = dev:zeros({ 2 }, "i8"), k = 300 })
    end)

    it("gives several results, of a list of expressions", function()
        local sum, difference = dev:map({ "x + y", "x - y" }, { x = x, y = y })
        helper.check_array(sum, "f32", { 3 }, { 11.0, 22.0, 43.0 })
        helper.check_array(difference, "f32", { 3 }, { -9.0, -18.0, -37.0 })
        local event = dev:map({ "x + y", "x - y" }, { x = y, y = x }, { async = true })
        assert.equal("event", lun.type(event))
        local again, other = event:get()
        helper.check_array(again, "f32", { 3 }, { 11.0, 22.0, 43.0 })
        helper.check_array(other, "f32", { 3 }, { 9.0, 18.0, 37.0 })
        local a, b = x:copy(), y:copy()
        assert.equal(a, (dev:map({ "x + y", "x - y" }, { x = a, y = b }, { out = { a, b }, queue = dev:queue() })))
        helper.check_array(a, "f32", { 3 }, { 11.0, 22.0, 43.0 })
        helper.check_array(b, "f32", { 3 }, { -9.0, -18.0, -37.0 })
    end)

    it("writes into out, which may be one of the arrays", function()
        local z = x:copy()
        assert.equal(z, dev:map("z * z", { z = z }, { out = z }))
        helper.check_array(z, "f32", { 3 }, { 1.0, 4.0, 9.0 })
        local line = dev:zeros { 9 }
        local given = { x = x, y = y, l = line:slice { 1, 3 } }
        for message, call in pairs {
            ["out has shape 4; the result has 3"] = { "x", dev:zeros { 4 } },
            ["out is i8; the result is f32"] = { "x", dev:zeros({ 3 }, "i8") },
            ["option 'out': an array or a list of arrays is needed, got a string"] = { "x", "z" },
            ["option 'out': an array or a list of arrays is needed, got a boolean"] = { { "x", "y" }, { z, true } },
            ["out has 1 arrays, expected 2 (the results)"] = { { "x", "y" }, { z } },
            ["out is one array; a list is needed for 2 results"] = { { "x", "y" }, z },
            ["outputs 1 and 2 overlap; give each memory of its own"] = { { "x", "y" }, { z, z } },
            ["out overlaps an input; give it memory of its own"] = { "l", line:slice { 2, 4 } },
        } do
            local arguments = {}
            for _, name in ipairs(type(call[1]) == "table" and call[1] or { call[1] }) do
                arguments[name] = given[name]
            end
            helper.raises("map: " .. message, function() dev:map(call[1], arguments, { out = call[2] }) end)
        end
        helper.check_array(z, "f32", { 3 }, { 1.0, 4.0, 9.0 })
    end)

    it("compiles a text once, whatever the shapes and the numbers", function()
        local function run(text, k, n)
            return function() dev:map(text, { x = dev:ones { n }, k = k }) end
        end
        run("x + k * 7", 2, 300)()
        assert.equal(0, helper.built(dev, run("x + k * 7", 3.5, 1000)))
        assert.equal(1, helper.built(dev, run("x + k * 7.5", 3.5, 1000)))
        assert.equal(1, helper.built(dev, run("x\n+ k * 7.5", 3.5, 1000)))
    end)

    it("shows the compiler's message at the text itself #oclgrind", function()
        local function fails(where, what, texts, arguments)
            local problem = helper.raises("map: the expression did not compile: CL_BUILD_PROGRAM_FAILURE",
                function() dev:map(texts, arguments) end)
            assert.equal("CL_BUILD_PROGRAM_FAILURE", problem.name)
            assert.matches(where, problem.log, 1, true)
            assert.matches(what, problem.log, 1, true)
            assert.is_nil(problem.log:find("Spelling", 1, true)) -- nothing of a driver's own headers
        end
        fails("expression:1:7:", "'z'", "a*x + z", { a = 2, x = x })
        fails("expression:2:5:", "'nonsense'", "x\n  + nonsense(x)", { x = x })
        fails("expression 2:1:1:", "'z'", { "x", "z" }, { x = x })
        fails("expression:1:3:", "expected expression", "x+", { x = x })
        fails("expression:1:3:", "expected expression", "x+  \n\n", { x = x })
        fails("expression:2:4:", "expected expression", "x\n  +", { x = x })
        fails("expression:1:18:", "expected expression", "x + /* nothing */", { x = x })
        fails("expression 2:1:3:", "expected expression", { "x", "x*" }, { x = x })
        fails("expression:1:1:", "'void'", "(void)x", { x = x })
        fails("expression:1:6:", "expected ')'", "sqrt x", { x = x })
        helper.check_array(dev:map("x + 1", { x = x }), "f32", { 3 }, { 2.0, 3.0, 4.0 })
    end)

    it("says what powers of integers are, and takes that", function()
        local whole = dev:array({ 3, -5, 46340 }, "i32")
        helper.check_array(dev:map("x*x", { x = whole }), "i32", { 3 }, { 9, 25, 2147395600 })
        helper.check_array(dev:map("rint(pow((float)x, 2))", { x = whole:slice { 1, 2 } }), "i32", { 2 }, { 9, 25 })
        local ok, problem = pcall(dev.map, dev, "pow(x, 2)", { x = whole })
        if not ok and problem.log:find("ambiguous", 1, true) then -- a compiler may take it for floats
            assert.matches("or integers for a function of floats: 0 is an int, 0.0 a double, 0.0f a float, "
                .. "and (float)x converts an integer to a float", problem.message, 1, true)
        end
    end)

    it("refuses a text that is not one expression", function()
        for text, message in pairs {
            ["x^2"] = "the expression has a ^, which is not a power in OpenCL C; write pow(a, b), or for integers "
                .. "a*a or rint(pow((float)a, b))",
            ["x; y"] = "the expression must be one expression of OpenCL C, without ;",
            ["x +\n#define y 3"] = "the expression must be one expression of OpenCL C, without #",
            ["x + y \\"] = "the expression must be one expression of OpenCL C, without \\",
            ["({x})"] = "the expression must be one expression of OpenCL C, without {",
            ["x) + (y"] = "the expression has a ) without its (",
            ["sin(x"] = "the expression has a ( without its )",
            ["x[0"] = "the expression has a [ without its ]",
            ["x, y"] = "the expression has a comma outside of brackets; several results need a list of expressions",
            ["x /* y"] = "the expression has a comment that does not end",
            [" \n/* x */"] = "the expression is empty",
            ["x // 2"] = "the expression has a //, which begins a comment in OpenCL C; write floor(a / b), or a "
                .. "comment as /* */",
            ["x**2"] = "the expression has a **, which is not a power in OpenCL C; write pow(a, b), or for "
                .. "integers a*a or rint(pow((float)a, b))",
            ["x > 1 and x"] = "the expression has the operator and, which is && in OpenCL C, which gives 1 or 0; what "
                .. "Lua writes as c and a or b is c ? a : b",
            ["x>1 or(y)"] = "the expression has the operator or, which is || in OpenCL C, which gives 1 or 0; what "
                .. "Lua writes as c and a or b is c ? a : b",
            ["not x"] = "the expression has the operator not, which is ! in OpenCL C, which gives 1 or 0; what "
                .. "Lua writes as c and a or b is c ? a : b",
            ["x~=y"] = "the expression has a ~=, which is != in OpenCL C",
            ["x\0"] = "the expression: the string has a zero byte",
            [("!"):rep(1001) .. "x"] = "the expression has more than 1000 operators and brackets",
        } do
            helper.raises("map: " .. message, function() dev:map(text, { x = x, y = y }) end)
        end
    end)

    it("takes words of Lua's within names and comments, and its sign alone", function()
        local whole = dev:array({ 1, 2 }, "i32")
        local arguments = { band = whole, order = whole, _not = 2 }
        helper.check_array(dev:map("~band + order * /* and ~= ^ */ _not", arguments), "i32", { 2 }, { 0, 1 })
    end)

    it("tells the names that there are behind a compiler's message of another one #oclgrind", function()
        local function log_of(...)
            local ok, problem = pcall(...)
            assert.is_false(ok)
            return problem.log
        end
        local log = log_of(dev.map, dev, "x + k * z", { x = x, k = 2 })
        assert.matches("'z'.*\nthe names here are x, k\n$", log)
        assert.matches("\nthe names here are x\n$", log_of(dev.reduce, dev, "sum", "x + z", { x = x }))
        assert.is_nil(log_of(dev.map, dev, "x +", { x = x }):find("the names", 1, true))
    end)

    it("refuses an argument that no text has, whose name was likely meant otherwise", function()
        local function refused(name, texts, arguments, several)
            local message = ("argument '%s' does not occur in the expression%s"):format(name, several and "s" or "")
            helper.raises("map: " .. message, function() dev:map(texts, arguments) end)
            arguments[name] = nil
            assert.equal(x:dtype(), dev:map(texts, arguments):dtype())
        end
        refused("y", "x + 1", { x = x, y = y })
        refused("k", "x + 1", { x = x, k = 3 })
        refused("x", "xx + 1", { xx = x, x = y })
        refused("x", "x2 + 2", { x2 = x, x = y })
        refused("xy", "x + 2", { x = x, xy = y })
        refused("y", "x /* y */ + 1", { x = x, y = y })
        refused("e5", "x * 1e5f", { x = x, e5 = y })
        refused("k", { "x", "x + y" }, { x = x, y = y, k = 2 }, true)
        helper.refused("reduce: argument 'y' does not occur in the expression", dev, "sum", "x*x", { x = x, y = y })
        helper.refused("reduce: argument 'a' does not occur in the expression",
            dev, { map = "x*x", combine = "a + b" }, { x = x, a = y })
        local sum, other = dev:map({ "x + k", "y*1" }, { x = x, y = y, k = 1 }) -- each in one of them
        helper.check_array(sum, "f32", { 3 }, { 2.0, 3.0, 4.0 })
        helper.check_array(other, "f32", { 3 }, helper.flat(y))
        helper.check_array(dev:map("(float2)(x, y).y", { x = x, y = y }), "f32", { 3 }, helper.flat(y))
    end)

    it("takes texts as deep as it says", function()
        for text, expected in pairs {
            [("!"):rep(1000) .. "x"] = 1.0, [("- "):rep(1000) .. "x"] = 3.0, [("(float)"):rep(1000) .. "x"] = 3.0,
            [("x+"):rep(1000) .. "x"] = 3003.0, [("x<0?x:"):rep(333) .. "x"] = 3.0,
        } do
            helper.check_number(expected, dev:map(text, { x = dev:full({ 1 }, 3) }):sum(), 0, text:sub(1, 10))
        end
    end)

    it("takes 32 arrays and 16 numbers, and gives 16 results", function()
        local arguments, texts, sum = {}, {}, {}
        for i = 1, 32 do
            arguments["x" .. i], sum[i] = dev:full({ 2, 3 }, i), "x" .. i
        end
        for i = 1, 16 do
            arguments["n" .. i] = 100 * i
            texts[i] = table.concat(sum, "+", 2 * i - 1, 2 * i) .. "+n" .. i
        end
        local got = { dev:map(texts, arguments) }
        assert.equal(16, #got)
        for i, array in ipairs(got) do
            assert.equal(4 * i - 1 + 100.0 * i, array:min())
            assert.equal(4 * i - 1 + 100.0 * i, array:max())
        end
    end)

    it("refuses arguments that it cannot take, and says what is needed", function()
        local gone = dev:zeros { 3 }
        gone:release()
        local many, numbers, crowd, list = {}, { x = x }, {}, {}
        for i = 1, 33 do
            many["x" .. i], crowd["x" .. i], crowd["n" .. i] = x, x, i
        end
        for i = 1, 17 do
            numbers["n" .. i], list[i] = i, "x"
        end
        for message, call in pairs {
            ["argument 1: an expression in a string, or a list of them is needed, got nothing"] = { n = 0 },
            ["argument 1: an expression in a string, or a list of them is needed, got a number"] = { 3, { x = x } },
            ["the list has 0 expressions; from 1 to 16 are needed"] = { {}, { x = x } },
            ["argument 1 is a table with names: the expression comes first, then the table of its arrays and "
                .. "numbers"] = { { x = x }, "x + 1" },
            ["the list has 17 expressions; from 1 to 16 are needed"] = { list, { x = x } },
            ["the expression: a string is needed, got a number"] = { { "x", 3 }, { x = x } },
            ["argument 2: a table of arrays and numbers by name is needed, got nothing"] = { "x", n = 1 },
            ["argument 2: a table of arrays and numbers by name is needed, got an array"] = { "x", x },
            ["argument 2: there is no array to compute with"] = { "k", { k = 3 } },
            ["argument 2: the table has the key 1; names are strings"] = { "x", { x } },
            ["argument 2: the keys must be names of OpenCL C, got [2x]"] = { "x", { ["2x"] = x } },
            ["argument 2: the table has the name 'x...', which has a zero byte"] = { "x", { ["x\0y"] = x } },
            ["argument 2: there are more than 48 arrays and numbers"] = { "x", crowd },
            ["argument 's': an array or a number is needed, got a string"] = { "x", { x = x, s = "3" } },
            ["argument 'gone': the array was released"] = { "x", { x = x, gone = gone } },
            ["the expression has more than 32 arrays"] = { "x1", many },
            ["the expression has more than 16 numbers"] = { "x", numbers },
            ["shapes 3 and 2x4 do not broadcast"] = { "x + y", { x = x, y = dev:zeros { 2, 4 } } },
            ["unknown option 'uot'; known are out, dtype, variant, async, queue"] = { "x", { x = x }, { uot = x } },
            ["unknown dtype 'float', which is f32 here; known are"] = { "x", { x = x }, { dtype = "float" } },
            ["argument 3: a table of options is needed, got a number"] = { "x", { x = x }, 3 },
        } do
            helper.raises("map: " .. message, function() dev:map(table.unpack(call, 1, call.n or 3)) end)
        end
    end)
end)

describe("map, of arrays of another device", function()
    local with_pocl = helper.has_pocl() and it or pending

    with_pocl("names the array", function()
        helper.child([[
            local lun = require "lunarray"
            local first, second = lun.device(1), lun.device(2)
            local a, b = first:ones { 3 }, second:ones { 3 }
            local function refused(message, f)
                local problem = tostring(select(2, pcall(f)))
                assert(problem:find("lunarray: " .. message, 1, true), problem)
            end
            local elsewhere = "map: argument '%s': the array is on another device; copy it with :to(device)"
            refused(elsewhere:format "b", function() first:map("a + b", { a = a, b = b }) end)
            refused(elsewhere:format "a", function() second:map("a + b", { a = a, b = b }) end)
            refused("map: out is on another device", function() first:map("a", { a = a }, { out = b }) end)
            refused("a + b: arrays of two devices in one call; copy it with :to(device)", function()
                lun.fuse(function(x) return x + b end)(a)
            end)
        ]], { env = { POCL_DEVICES = "pthread pthread", LUNARRAY_DEVICE = false } })
    end)
end)

describe("generated programs", function()
    -- The module of `make faults` keeps 8 of them.
    local HEADER = [[
        local core = require "lunarray.core"
        local lun = require "lunarray"
        local dev = lun.device()
        local x = dev:full({ 3 }, 5)
        local function map(k)
            return dev:map(("x + %d"):format(k), { x = x })
        end
        local function built(f, ...)
            local before = dev:info().programs.built
            f(...)
            local programs = dev:info().programs
            assert(programs.generated <= programs.most_generated)
            return programs.built - before
        end
        assert(dev:info().programs.most_generated == 8)
    ]]

    local function run(source)
        helper.child(HEADER .. source, { cpath = "build/faults/?.so" })
    end

    it("are kept up to a bound; then the least recently used one leaves", function()
        run [[
            for k = 1, 8 do
                assert(built(map, k) == 1)
                assert(dev:info().programs.generated == k)
            end
            local kept = dev:info().programs.kept
            assert(built(map, 1) == 0)
            assert(built(map, 9) == 1) -- 2 leaves
            for _, k in ipairs { 1, 3, 4, 5, 6, 7, 8, 9 } do
                assert(built(map, k) == 0, k)
            end
            assert(built(map, 2) == 1) -- 1 leaves
            assert(built(map, 1) == 1)
            assert(dev:info().programs.generated == 8 and dev:info().programs.kept == kept)
            assert(built(function() x:sum() x:sum() end) > 0) -- the library's own programs are not among them
            assert(dev:info().programs.generated == 8 and built(map, 1) == 0)
        ]]
    end)

    it("that do not compile are not kept, and push out no other", function()
        run [[
            for k = 1, 8 do
                map(k)
            end
            for _ = 1, 2 do
                assert(built(pcall, dev.map, dev, "x + nonsense", { x = x }) == 1)
                assert(dev:info().programs.generated == 8)
            end
            for k = 1, 8 do
                assert(built(map, k) == 0)
            end
        ]]
    end)

    it("that work in flight needs stay until it is done", function()
        run [[
            core.fault_close(1)
            local waiting = map(100)
            for k = 1, 8 do
                map(k)
            end
            core.fault_open(0)
            for i = 1, 3 do
                assert(waiting:get(i) == 105)
            end
            assert(built(map, 100) == 1)
        ]]
    end)
end)

-- On PoCL, which compiles a kernel in tenths of a second; a GPU's kernels of rows are others.
local shares = lun.device():info().platform == "Portable Computing Language" and it or pending

describe("a kernel is compiled once for", function()
    local dev = lun.device()

    -- Numbers from 1 on as an array of that shape, and as every second or the first columns of a wider one.
    local function dense(...)
        local size = 1
        for _, extent in ipairs { ... } do
            size = size * extent
        end
        return dev:arange(1, size, { dtype = "f32" }):reshape(...)
    end
    local function cut(rows, columns)
        return dense(rows, 2 * columns):slice({}, { 1, columns })
    end

    -- The first call compiles; none of the others may, and each has a name to be known by.
    local function check(first, others)
        assert.equal(1, helper.built(dev, first))
        for name, call in pairs(others) do
            assert.equal(0, helper.built(dev, call), name)
        end
    end

    shares("all shapes and sizes of arrays and of parts of them", function()
        local x, y, z, part, turned = dense(40), dense(5, 8), dense(2, 4, 5), cut(5, 8), dense(8, 5):t()
        local f = lun.fuse(function(a, b) return (a * 0.37 + b):sqrt() end)
        check(function() f(x, x) end, {
            axes2 = function() f(y, y) end,
            axes3 = function() f(z, z) end,
            part = function() f(part, y) end,
            parts = function() f(part, part) end,
            row = function() f(y, dense(8)) end,
            one = function() f(dense(1, 1), dense(1, 1)) end,
            many = function() f(dense(300, 70), dense(300, 70)) end,
        })
        check(function() f(y, turned) end, { other = function() f(part, turned) end })
    end)

    shares("all shapes that a reduction takes in rows", function()
        local f = lun.fuse(function(a) return ((a - 0.37) * a):sum { axis = -1 } end)
        check(function() f(dense(40)) end, {
            axes2 = function() f(dense(3, 40)) end,
            axes3 = function() f(dense(2, 3, 40)) end,
            part = function() f(cut(3, 40)) end,
            many = function() f(dense(30, 4000)) end,
        })
    end)

    shares("rows of all lengths between reductions", function()
        local f = lun.fuse(function(a)
            local e = (a - a:max { axis = -1, keepdims = true }):exp()
            return e / e:sum { axis = -1, keepdims = true } + 0.37
        end)
        check(function() f(dense(30, 300)) end, { -- of shorter rows a step of wide vectors is shorter, too
            long = function() f(dense(30, 1000)) end,
            longer = function() f(dense(8, 3000)) end,
            one = function() f(dense(300)) end,
        })
    end)

    shares("all numbers that an operator or a function of fractions has", function()
        local x = dense(40):cast "f64"
        check(function() x:hypot(2) end, {
            fraction = function() x:hypot(3.5) end,
            infinity = function() x:hypot(math.huge) end,
        })
        local function scaled(by, from, values)
            local f = lun.fuse(function(a) return a:gt(from):where(a * by, a + from) end)
            local result = f(values)
            for i, value in ipairs(result:totable()) do
                assert.equal(i > from and i * by or i + from, value)
            end
        end
        check(function() scaled(2.5, 7.5, x) end, { others = function() scaled(0.25, 3.125, x) end })
    end)

    it("each whole number and each divisor, which the compiler makes something shorter of", function()
        local x = dense(40)
        for _, by in ipairs { 3, 5 } do
            assert.equal(1, helper.built(dev, function() lun.fuse(function(a) return a * by + 0.37 end)(x) end))
        end
        for _, by in ipairs { 0.3, 0.7 } do
            assert.equal(1, helper.built(dev, function() lun.fuse(function(a) return a / by + 0.37 end)(x) end))
        end
    end)
end)
