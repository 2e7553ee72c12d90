-- Files that are no .npy: numbers in columns (loadtxt, savetxt), elements alone (fromfile, tofile), pictures (imread).

local lun = require "lunarray"
local helper = require "spec.helper"
local numbers = require "spec.numbers"
local plot = require "lunarray.plot"

local NAN, INFINITY = 0 / 0, math.huge

local function with_text(text, body)
    helper.with_file(function(path)
        helper.write_file(path, text)
        body(path)
    end)
end

helper.each_device(function(dev, title) describe("numbers in columns on " .. title, function()
    local fp64 = dev:info().fp64
    local float = fp64 and "f64" or "f32"

    local function check(text, options, dtype, shape, list)
        with_text(text, function(path)
            helper.check_array(dev:loadtxt(path, options or {}), dtype, shape, list)
        end)
    end

    it("are read between blanks, without comments and empty lines", function()
        local text = "# head\n1 2.5 3\n\n 4\t-5e-1 +nan # c\r\n7 8 -inf"
        check(text, nil, "f32", { 3, 3 }, { 1.0, 2.5, 3.0, 4.0, -0.5, NAN, 7.0, 8.0, -INFINITY })
        check(text, { columns = { 3, 1, 3 }, rows = 2 }, "f32", { 2, 3 }, { 3.0, 1.0, 3.0, NAN, 4.0, NAN })
        check(text, { columns = 2, skip = 2, dtype = float }, float, { 2, 1 }, { -0.5, 8.0 })
        check("1 2\n3 4", { dtype = "i8" }, "i8", { 2, 2 }, { 1, 2, 3, 4 })
        check("", nil, "f32", { 0, 0 }, {})
        check("\n#\n", { columns = { 1, 2 } }, "f32", { 0, 2 }, {})
        check("1 // 2\n// 3\n4", { comments = "//" }, "f32", { 2, 1 }, { 1.0, 4.0 })
        check("1 2\n", { rows = 0 }, "f32", { 0, 0 }, {})
        with_text("1 2\n3 4", function(path)
            helper.check_array(lun.loadtxt(path, "u8"), "u8", { 2, 2 }, { 1, 2, 3, 4 })
            helper.check_array(dev:loadtxt(path, { async = true }):get(), "f32", { 2, 2 }, { 1.0, 2.0, 3.0, 4.0 })
        end)
    end)

    it("are read between marks, and a number stands for what is none", function()
        check("a,b\n1, ,3\n4,NA,6\n", { delimiter = ",", skip = 1, missing = -1, dtype = "i8" }, "i8", { 2, 3 },
            { 1, -1, 3, 4, -1, 6 })
        check("1;;\n", { delimiter = ";", missing = NAN }, "f32", { 1, 3 }, { 1.0, NAN, NAN })
        check("1\t2\n", { delimiter = "\t" }, "f32", { 1, 2 }, { 1.0, 2.0 })
        check("1  2\n", { delimiter = " " }, "f32", { 1, 2 }, { 1.0, 2.0 })
        check("# 1\n2", { comments = "", missing = 0, columns = 1 }, "f32", { 2, 1 }, { 0.0, 2.0 })
    end)

    it("have names, quotes, and commas before fractions", function()
        local function read(text, options, shape, list, ...)
            local wanted = table.pack(...)
            with_text(text, function(path)
                local a, names = dev:loadtxt(path, options)
                helper.check_array(a, "f32", shape, list)
                assert.same(wanted, table.pack(table.unpack(names)))
                for i = #names, 1, -1 do
                    assert.is_true(names[names[i]] <= i and names[names[names[i]]] == names[i])
                end
            end)
        end
        local mark = "\xef\xbb\xbf" -- of UTF-8, before a text
        read(mark .. "time,x\r\n1,2\r\n3,4\r\n", { delimiter = ",", names = true }, { 2, 2 }, { 1.0, 2.0, 3.0, 4.0 },
            "time", "x")
        check(mark .. "1,2", { delimiter = "," }, "f32", { 1, 2 }, { 1.0, 2.0 })
        read("skipped\n\n# time, x # more\n1,2 # 3\n", { delimiter = ",", names = true, skip = 1 }, { 1, 2 },
            { 1.0, 2.0 }, "time", "x")
        read('"a ""b""; # c";x;x\n"1,5";2;-1,5e3\n', { delimiter = ";", decimal = ",", columns = { "x", 3, 1 } },
            { 1, 3 }, { 2.0, -1500.0, 1.5 }, "x", "x", 'a "b"; # c')
        read('who,x\n"Smith, A. # 1",2\n"B",3 # "c"\n', { delimiter = ",", columns = "x" }, { 2, 1 }, { 2.0, 3.0 },
            "x")
        read('x "y z"\n" 1" 2\n', { names = true }, { 1, 2 }, { 1.0, 2.0 }, "x", "y z")
        read("x y", { names = true, rows = 0 }, { 0, 2 }, {}, "x", "y")
        check("\t2\t\n", { delimiter = "\t", missing = 7 }, "f32", { 1, 3 }, { 7.0, 2.0, 7.0 })
        check('5" pipe,2\n', { delimiter = ",", columns = { 2 } }, "f32", { 1, 1 }, { 2.0 })
        helper.with_file(function(path)
            local a = dev:array { { 1, 2 }, { 3, 4 } }
            a:savetxt(path, { names = { "x", 'a "b", c' }, delimiter = ",", header = "top" })
            assert.equal('# top\nx,"a ""b"", c"\n1,2\n3,4\n', (helper.read_file(path)))
            local event, names = dev:loadtxt(path, { names = true, delimiter = ",", skip = 1, async = true })
            assert.is_true(event:get():equal(a))
            assert.equal('a "b", c', names[2])
            helper.refused("savetxt: option 'names': 1 name is given, expected 2 (the columns)", a, path,
                { names = "x" })
            helper.refused("savetxt: option 'names': a string within a line is needed, got several lines", a, path,
                { names = { "x", "y\nz" } })
            helper.refused("savetxt: option 'names': a string within a line is needed, got a number", a, path,
                { names = { "x", 2 } })
        end)
        for text, case in pairs {
            ['a,x\n"q,2\n'] = { "line 2, column 1: a quote is not closed on its line", { columns = "x" } },
            ["a,x\n1,2\n"] = { "line 1: there is no column 'y'; there are 'a', 'x'", { columns = { "y" } } },
            ["a,b\n1,2,3\n"] = { "line 2 has 3 columns, and the lines before have 2", { names = true } },
            ["a,c\n1,2\n"] = { "line 1, column 1: 'a' is not a number; the option names reads a line of names, "
                .. "and the option texts columns of texts", {} },
            ["1,\n"] = { "line 1, column 2: '' is not a number; the option missing gives a number for such "
                .. "fields, and the option texts reads columns of texts", { dtype = "i8" } },
            ["a,1\n2,b\n"] = { "line 2, column 2: 'b' is not a number", { texts = true } },
            ["a,1\nb\n"] = { "line 2 has 1 column, and the lines before have 2", { texts = true } },
            ["a,2\n"] = { "line 1 has 2 columns, and column 3 is needed", { texts = { 3 } } },
            ["x,y\n"] = { "line 1: there is no column 'z'; there are 'x', 'y'", { texts = "z" } },
            ["1;2\n"] = { 'line 1, column 1: \'1;2\' is not a number; is the option delimiter = ";" missing?',
                { delimiter = " " } },
            ["1,2\n"] = { 'line 1, column 1: \'1,2\' is not a number; is the option delimiter = "," missing?',
                { delimiter = " " } },
            ["0,5;2\n"] = { 'line 1, column 1: \'0,5\' is not a number; is the option decimal = "," missing?',
                { delimiter = ";" } },
            ["\255\254\0011\0"] = { "it is a text in UTF-16; loadtxt reads texts in UTF-8", {} },
            ["1.5;2\n"] = { "line 1, column 1: '1.5' is not a number", { delimiter = ";", decimal = "," } },
            ["\n"] = { "it has no line of names", { names = true } },
        } do
            case[2].delimiter = case[2].delimiter or ","
            with_text(text, function(path)
                helper.refused("loadtxt: " .. path .. ": " .. case[1], dev, path, case[2])
            end)
        end
        helper.refused("loadtxt: options 'decimal' and 'delimiter': both are ','", dev, "x",
            { decimal = ",", delimiter = "," })
        helper.refused("loadtxt: option 'decimal': \".\" or \",\" is needed, got ';'", dev, "x", { decimal = ";" })
    end)

    it("have columns of texts beside them", function()
        local csv = 'kind,mass,day,n\ncat,4.5,2024-01-02,1\n"dog, ""big""",,2024-01-03,2\n owl ,-,,3\n'
        local kinds, days = { "cat", 'dog, "big"', "owl" }, { "2024-01-02", "2024-01-03", "" }
        local function read(text, options, shape, list, names, texts)
            options.delimiter = options.delimiter or ","
            with_text(text, function(path)
                local found = table.pack(dev:loadtxt(path, options))
                helper.check_array(options.async and found[1]:get() or found[1], "f32", shape, list)
                assert.same({ n = texts and 3 or 2, names, texts }, { n = found.n, found[2], found[3] })
            end)
        end
        local both, n = { "mass", "n", mass = 1, n = 2 }, { "n", n = 1 }
        local numbers_read = { 4.5, 1.0, NAN, 2.0, -1.0, 3.0 }
        local all = { kinds, days, kind = kinds, day = days }
        read(csv:gsub("-,,", "-1,,"), { names = true, texts = true }, { 3, 2 }, numbers_read, both, all)
        read(csv:gsub("-,,", "-1,,"), { skip = 1, texts = true, async = true }, { 3, 2 }, numbers_read, nil,
            { kinds, days })
        read(csv, { columns = "n", texts = { "day", "kind" } }, { 3, 1 }, { 1.0, 2.0, 3.0 }, n,
            { days, kinds, kind = kinds, day = days })
        read(csv, { columns = { 4, 1 }, texts = true, names = true }, { 3, 1 }, { 1.0, 2.0, 3.0 }, n,
            { kinds, kind = kinds })
        read(csv, { columns = { "mass" }, texts = false, missing = 7 }, { 3, 1 }, { 4.5, 7.0, 7.0 },
            { "mass", mass = 1 })
        read(csv, { names = true, rows = 0, texts = true }, { 0, 4 }, {}, { "kind", "mass", "day", "n", kind = 1,
            mass = 2, day = 3, n = 4 }, {})
        read("", { columns = { 1 }, texts = { 2 } }, { 0, 1 }, {}, nil, { {} })
        read("a\195\164;1,5;1.5\nb;2,5;x.y\n", { delimiter = ";", decimal = ",", texts = true }, { 2, 1 }, { 1.5, 2.5 },
            nil, { { "a\195\164", "b" }, { "1.5", "x.y" } })
        helper.refused("loadtxt: option 'texts': names are needed, or numbers from 1, got 0", dev, "x", { texts = 0 })
        helper.refused("loadtxt: option 'columns': names are needed, or numbers from 1, got a boolean", dev, "x",
            { columns = true })
        with_text(("12345,a%d\n"):rep(300000):gsub("%%d", "b"), function(path) -- several blocks
            local a, _, texts = dev:loadtxt(path, { delimiter = ",", texts = 2 })
            assert.same({ 300000, 300000, "ab", 12345.0 }, { (a:shape()), #texts[1], texts[1][300000], a:max() })
        end)
    end)

    it("are read exactly", function()
        check("18446744073709551615 9223372036854775808 0", { dtype = "u64" }, "u64", { 1, 3 }, { -1,
            math.mininteger, 0 })
        check("-9223372036854775808 9223372036854775807 1e3 2.0", { dtype = "i64" }, "i64", { 1, 4 },
            { math.mininteger, math.maxinteger, 1000, 2 })
        check("1 0 true", { dtype = "bool", missing = 1 }, "bool", { 1, 3 }, { 1, 0, 1 })
        with_text("1\n-1\n", function(path)
            helper.refused("loadtxt: " .. path .. ": line 2, column 1: -1 is out of range for u64 (0 to ",
                dev, path, "u64")
        end)
        with_text("-0 -0.0 0\n", function(path)
            for _, dtype in ipairs { "f16", "bf16", "f32", float } do
                assert.same({ -INFINITY, -INFINITY, INFINITY }, (1 / dev:loadtxt(path, dtype)):row(1):totable(), dtype)
            end
        end)
        -- Half way between two of a shorter float, and a little more, which a double does not hold.
        local little = ("0"):rep(30) .. "1"
        for dtype, bits in pairs { f32 = 23, f16 = 10, bf16 = 7 } do
            local half, next_one = ("%.24f"):format(1 + 2.0 ^ -(bits + 1)), 1 + 2.0 ^ -bits
            check(half .. " " .. half .. little .. " -" .. half .. little .. "e0", { dtype = dtype }, dtype, { 1, 3 },
                { 1.0, next_one, -next_one })
        end
        if not fp64 then
            return
        end
        local random, texts, list = numbers.generator(1), {}, {}
        for i = 1, 600 do
            local x = (random(0, 1 << 53) - (1 << 52)) * 10.0 ^ random(-40, 40)
            texts[i] = ("%%.%d%s"):format(random(0, 20), ({ "g", "e", "f" })[random(1, 3)]):format(x)
            list[i] = tonumber(texts[i]) + 0.0
        end
        for _, text in ipairs { "1e400", "-1e-400", "1e22", "1e23", "9007199254740993", ".5", "5.", "1e+02",
            "00000000000000000000000001", "123456789012345678901234567890", "0." .. ("0"):rep(400) .. "1" } do
            texts[#texts + 1], list[#list + 1] = text, tonumber(text) + 0.0
        end
        -- Half way between 1 and the next double, to which digits far behind round it; and digits that only count.
        local half, zeros = "1.00000000000000011102230246251565404236316680908203125", ("0"):rep(2000)
        for text, number in pairs { [half .. zeros] = 1.0, [half .. zeros .. "1"] = 1 + 2.0 ^ -52,
            ["-" .. half .. zeros .. "1e0"] = -1 - 2.0 ^ -52, ["1." .. ("3"):rep(1100)] = 4 / 3,
            [zeros .. "25"] = 25.0, ["." .. zeros .. "1e2003"] = 100.0, ["7" .. zeros .. "e-2001"] = 0.7,
            [("9"):rep(1100)] = INFINITY, ["0." .. ("0"):rep(150000) .. "5e150001"] = 5.0 } do
            texts[#texts + 1], list[#list + 1] = text, number
        end
        check(table.concat(texts, "\n"), { dtype = "f64" }, "f64", { #list, 1 }, list)
    end)

    it("of any length come in blocks", function()
        local rows = 200003
        local line = ("%d 0.25 -1e3 7777777 5 6 7\n"):rep(1):gsub("%%d", "1")
        with_text(line:rep(rows) .. "2 3 4 5 6 7 8", function(path)
            local a = dev:loadtxt(path)
            assert.same({ rows + 1, 7 }, { a:shape() })
            helper.check_array(a:slice { rows, rows + 1 }, "f32", { 2, 7 }, { 1.0, 0.25, -1000.0, 7777777.0, 5.0, 6.0,
                7.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0 })
            assert.equal(rows + 2.0, a:col(1):sum())
        end)
        with_text(("1 "):rep(3000000), function(path) -- one line
            assert.same({ 1, 3000000 }, { dev:loadtxt(path, "u8"):shape() })
        end)
    end)

    it("are refused where they are wrong, with line and column", function()
        for text, wanted in pairs {
            ["1 2\n3 x"] = "line 2, column 2: 'x' is not a number; the option missing gives a number for such fields",
            ["1 2\n\n3"] = "line 3 has 1 column, and the lines before have 2",
            ["1\n2 3"] = "line 2 has 2 columns, and the lines before have 1",
            ["0x10"] = "line 1, column 1: '0x10' is not a number",
            ["1 1e"] = "line 1, column 2: '1e' is not a number",
            ["1 -"] = "line 1, column 2: '-' is not a number",
            ["1 1_0"] = "line 1, column 2: '1_0' is not a number",
            ["a\1\255b"] = "line 1, column 1: 'a??b' is not a number",
            ["1 2\n\0"] = "byte 5 is 0: the file is not a text",
            [("x"):rep(99)] = ("line 1, column 1: '%s...' is not a number"):format(("x"):rep(40)),
        } do
            with_text(text, function(path)
                helper.refused("loadtxt: " .. path .. ": " .. wanted, dev, path)
            end)
        end
        with_text("1 300\n2.5 -inf\n", function(path)
            local function refuse(wanted, options)
                helper.refused("loadtxt: " .. wanted, dev, path, options or {})
            end
            refuse(path .. ": line 1, column 2: 300 is out of range for u8 (0 to 255)", { dtype = "u8" })
            refuse(path .. ": line 2, column 1: 2.5 has no representation in i64: an integer is needed",
                { dtype = "i64", columns = { 1 } })
            refuse(path .. ": line 1 has 2 columns, and column 3 is needed", { columns = { 1, 3 } })
            refuse(path .. ": line 1, column 1: '1 300' is not a number", { delimiter = "," })
            refuse(path .. ": line 2, column 2: -inf has no representation in u64", { dtype = "u64", columns = { 2 },
                skip = 1 })
            refuse("option 'columns': names are needed, or numbers from 1, got 0", { columns = { 1, 0 } })
            refuse("option 'columns': names are needed, or numbers from 1, got 1.5", { columns = { 1.5 } })
            refuse("option 'columns': the list is empty", { columns = {} })
            refuse("option 'skip': a whole number from 0 is needed", { skip = -1 })
            refuse("option 'rows': a whole number from 0 is needed", { rows = -1 })
            refuse("option 'delimiter': one character that numbers do not contain is needed, got "
                .. "'ab'", { delimiter = "ab" })
            refuse("option 'delimiter': one character that numbers do not contain is needed, got "
                .. "'.'", { delimiter = "." })
            refuse("300 is out of range for u8 (0 to 255)", { dtype = "u8", missing = 300 })
            refuse("c64: the numbers of a text are real; as_complex() makes complex ones of pairs of columns",
                { dtype = "c64" })
        end)
        helper.refused("loadtxt: /nowhere/x: No such file or directory", dev, "/nowhere/x")
        helper.refused("loadtxt: /: Is a directory", dev, "/")
    end)

    it("without an end are refused before they take all memory", function()
        local output, status = helper.run([[
            local dev = require "lunarray".device()
            local path = os.tmpname()
            os.remove(path)
            assert(os.execute("mkfifo " .. path))
            os.execute("(yes 1 >" .. path .. " 2>/dev/null) >/dev/null 2>&1 &")
            dev:limit(10000000)
            for _, each in ipairs { "/dev/zero", path } do
                print((tostring(select(2, pcall(dev.loadtxt, dev, each))):gsub("^.-lunarray: ", ""):gsub(path, "x")))
            end
            os.remove(path)
        ]], { before = "timeout 60" })
        assert.equal(0, status)
        assert.matches("^loadtxt: /dev/zero: byte 1 is 0: the file is not a text\nloadtxt: x: arrays of %d+ bytes; "
            .. "0 of 10000000 allowed are in use on this device\n$", output)
    end)

    it("of any bytes give numbers or an error", function()
        local random = numbers.generator(7)
        local pieces = { "1", "2.5", "-", "e", "+", ".", "nan", "inf", " ", "\t", ",", "\n", "\r\n", "#", "\0", "\255",
            "1e999", ("9"):rep(30), '"' }
        for _ = 1, 150 do
            local text = {}
            for k = 1, random(0, 20) do
                text[k] = pieces[random(1, #pieces)]
            end
            with_text(table.concat(text), function(path)
                local ok, result = pcall(dev.loadtxt, dev, path, { delimiter = ({ ",", " " })[random(1, 2)],
                    dtype = ({ "f32", "i8", "u64" })[random(1, 3)], missing = random(0, 1) == 1 and 1 or nil,
                    names = random(0, 1) == 1, decimal = ({ ".", "," })[random(1, 2)] })
                local place = tostring(result):find "line %d" or tostring(result):find "byte %d+ is 0"
                    or tostring(result):find "no line of names" or tostring(result):find "both are"
                assert.is_true(ok and result:ndim() == 2 or place ~= nil, result)
            end)
        end
    end)

    it("are written so that the same are read", function()
        local random = numbers.generator(3)
        helper.with_file(function(path)
            for _, dtype in ipairs(helper.dtypes(dev)) do
                local facts, list = numbers.dtype[dtype], {}
                for i = 1, 300 do
                    local x = random(-99, 99) * 2.0 ^ random(-20, 20) / 3
                    list[i] = facts.kind == "float" and x or dtype == "bool" and random(0, 1) == 1
                        or dtype ~= "bool" and random(0, facts.high > 0 and math.min(facts.high, 1 << 62) or 1 << 62)
                end
                if facts.kind ~= "complex" then
                    local a = dev:array(list, dtype, { 100, 3 })
                    a:t():savetxt(path, { delimiter = ", ", header = "two\nlines" })
                    assert.is_true(dev:loadtxt(path, dtype, { delimiter = "," }):equal(a:t()), dtype)
                end
            end
            dev:array({ 0.1, 1 / 3, 1e30, 1e-7, -0.0, NAN, INFINITY, 1500, 9.9999995, 123456789.0 }):savetxt(path)
            assert.equal("0.1\n0.33333334\n1.00000002e+30\n1.00000001e-07\n-0\nnan\ninf\n1500\n9.999999\n123456790\n",
                (helper.read_file(path)))
            dev:array({ { 1, 2 }, { 3, 1 / 3 } }):savetxt(path, { digits = 3, delimiter = ";", header = "a",
                comments = "% " })
            assert.equal("% a\n1;2\n3;0.333\n", (helper.read_file(path)))
            dev:zeros({ 0, 3 }):savetxt(path)
            assert.equal("", (helper.read_file(path)))
            helper.refused("savetxt: rows of numbers are needed, an array with 1 or 2 axes, got shape 1x1x1",
                dev:ones({ 1, 1, 1 }), path)
            helper.refused("savetxt: option 'digits': a whole number from 1 to 17 is needed, got 18",
                dev:ones({ 1 }), path, { digits = 18 })
            helper.refused("savetxt: option 'delimiter': a text within a line is needed",
                dev:ones({ 1 }), path, { delimiter = "\n" })
            helper.refused("savetxt: the numbers of a text are real; as_real() makes two columns of each of c64",
                dev:ones({ 1 }, "c64"), path)
            helper.refused("savetxt: /nowhere/x: No such file or directory", dev:ones({ 1 }), "/nowhere/x")
        end)
    end)
end) end)

helper.each_device(function(dev, title) describe("elements alone in a file on " .. title, function()
    it("are written and read, from any byte on, in any shape", function()
        helper.with_file(function(path)
            for _, dtype in ipairs(helper.dtypes(dev)) do
                local a = dev:arange(12):cast(dtype):reshape(3, 4)
                a:t():tofile(path)
                assert.equal(a:t():tobytes(), (helper.read_file(path)))
                assert.is_true(dev:fromfile(path, dtype, { 4, 3 }):equal(a:t()), dtype)
                local item = a:nbytes() // 12
                assert.is_true(dev:fromfile(path, { dtype = dtype, offset = 2 * item }):equal(
                    a:t():flatten():slice { 3, 12 }), dtype)
            end
            helper.write_file(path, "\0\1\2\255")
            helper.check_array(dev:fromfile(path, "bool"), "bool", { 4 }, { 0, 1, 1, 1 })
            helper.check_array(dev:fromfile(path, "bool", { mapped = true }):cast("u8"), "u8", { 4 }, { 0, 1, 1, 1 })
            helper.check_array(lun.fromfile(path, "u8", 2, { offset = 1 }), "u8", { 2 }, { 1, 2 })
            helper.check_array(dev:fromfile(path, "u8", { shape = { 2, 1 }, async = true }):get(), "u8", { 2, 1 },
                { 0, 1 })
            helper.check_array(dev:fromfile(path, "u8", { offset = 4 }), "u8", { 0 }, {})
            helper.refused("fromfile: " .. path .. ": it has 3 bytes there, not a multiple of the 2 of i16",
                dev, path, "i16", { offset = 1 })
            helper.refused("fromfile: " .. path .. ": the data is cut off: 8 bytes needed, got 4",
                dev, path, "f32", { 2 })
            helper.refused("fromfile: " .. path .. ": it has only 4 bytes, and reading begins after byte 5",
                dev, path, "u8", { offset = 5 })
            helper.refused("fromfile: option 'offset': a whole number of bytes from 0 is needed, got -1",
                dev, path, "u8", { offset = -1 })
            helper.refused("fromfile: option 'mapped': it does not work with async, because the array is available "
                .. "at once",
                dev, path, "u8", { mapped = true, async = true })
            helper.refused("fromfile: /nowhere/x: No such file or directory", dev, "/nowhere/x")
            helper.refused("fromfile: /", dev, "/")
            helper.refused("tofile: /nowhere/x: No such file or directory", dev:ones({ 1 }), "/nowhere/x")
        end)
    end)
end) end)

helper.each_device(function(dev, title) describe("mapped files on " .. title, function()
    it("are read from any byte on, and stay as they are when the array is written", function()
        helper.with_file(function(path)
            local page = 4096
            local bytes = dev:randint({ 3 * page + 16 }, 0, 255, "u8", { seed = 1 }):tobytes()
            helper.write_file(path, bytes)
            for _, dtype in ipairs(helper.dtypes(dev)) do
                for _, offset in ipairs { 0, 16, page, 3 * page, page + 48, 3 } do -- 3: elements are not aligned
                    local count = 16 // lun.dtypes()[dtype].bytes
                    local given = { offset = offset, mapped = true }
                    local wanted = dev:fromfile(path, dtype, { 2, count // 2 }, { offset = offset })
                    local mapped = dev:fromfile(path, dtype, { 2, count // 2 }, given)
                    assert.equal(wanted:tobytes(), mapped:tobytes(), dtype)
                    mapped:write(("\0"):rep(wanted:nbytes()))
                    assert.equal(("\0"):rep(wanted:nbytes()), mapped:tobytes(), dtype)
                    assert.equal(wanted:tobytes(), dev:fromfile(path, dtype, { 2, count // 2 }, given):tobytes(), dtype)
                end
            end
            assert.equal(bytes, (helper.read_file(path)))
            helper.check_array(dev:fromfile(path, "f32", { mapped = true, offset = #bytes }), "f32", { 0 }, {})
            helper.check_array(dev:fromfile(path, "u8", 0, { mapped = true }), "u8", { 0 }, {})
            local all = dev:fromfile(path, "u8", { mapped = true, async = false })
            os.remove(path) -- its pages stay while somebody has them
            assert.equal(bytes, all:tobytes())
            local part = all:slice { 2, 3 }
            all:release()
            assert.equal(bytes:sub(2, 3), part:tobytes())
        end)
    end)

    it("take no memory of a device that works in the host's", function()
        if dev:info().type ~= "cpu" or package.cpath:find("guards", 1, true) then
            return pending "memory of its own"
        end
        helper.with_file(function(path)
            dev:ones({ 1 << 16 }):tofile(path)
            collectgarbage()
            local before = dev:memory()
            local mapped = dev:fromfile(path, "f32", { mapped = true })
            assert.same(before, dev:memory())
            assert.equal(65536.0, mapped:sum())
            mapped:release()
            dev:finish()
            local maps <close> = io.open "/proc/self/maps"
            assert.is_nil(maps and maps:read("a"):find(path, 1, true))
        end)
    end)
end) end)

describe("a file of another kind", function()
    local dev = lun.device()
    local gzipped = "\x1f\x8b\8\0\0\0\0\0\0\3\1\4\0\xfb\xff1 2\n\x57\xbb\x3b\x5c\4\0\0\0" -- "1 2\n", stored
    it("is named by what reads it", function()
        local begins = {
            npy = { "\x93NUMPY\1\0v\0{}", "a .npy file, which load reads" },
            npz = { "PK\3\4", "a .npz file or another zip archive; load reads the arrays of a .npz file" },
            mtx = { "%%MatrixMarket ", "a Matrix Market file, which load reads" },
            text = { "x,y\n", "a text file; loadtxt reads numbers in columns" },
            png = { "\x89PNG\r\n\x1a\n", "a PNG picture, which imread reads" },
            gzip = { gzipped, "a file compressed by gzip, which gunzip decompresses; loadtxt reads compressed text" },
            jpeg = { "\xff\xd8\xff\0", "a JPEG picture, which lunarray does not read; imread reads PNG" },
        }
        local reads = { load = "npy npz mtx", loadtxt = "text gzip", imread = "png" }
        for kind, case in pairs(begins) do
            with_text(case[1], function(path)
                for name, kinds in pairs(reads) do
                    if not kinds:find(kind, 1, true) then
                        helper.refused(("%s: %s: it is %s"):format(name, path, case[2]), dev, path)
                    end
                end
            end)
        end
    end)

    if not helper.read_file("build/machine"):find("-DLUN_ZLIB", 1, true) then
        return pending "packed texts, without zlib"
    end
    it("may be packed by gzip, in one part or several", function()
        for text, rows in pairs { [gzipped] = 1, [gzipped:rep(3)] = 3, [gzipped .. "\0\0"] = 1 } do
            with_text(text, function(path)
                helper.check_array(dev:loadtxt(path):slice { rows, rows }, "f32", { 1, 2 }, { 1.0, 2.0 })
                assert.equal(rows, #dev:loadtxt(path))
            end)
        end
        for length = 2, #gzipped - 1 do
            with_text(gzipped:sub(1, length), function(path)
                helper.refused("loadtxt: " .. path .. ": the compressed data is cut off", dev, path)
            end)
        end
        with_text(gzipped:gsub("1 2", "1 3"), function(path)
            helper.refused("loadtxt: " .. path .. ": damaged: it cannot be decompressed: incorrect data "
                .. "check", dev, path)
        end)
        local name = os.tmpname()
        local path = name .. ".gz"
        for _, a in ipairs { dev:random({ 30000, 3 }, { seed = 1 }), dev:zeros { 0, 3 } } do
            a:savetxt(path)
            assert.equal("\x1f\x8b", (helper.read_file(path):sub(1, 2)))
            assert.is_true(dev:loadtxt(path):equal(a:size() > 0 and a or dev:zeros { 0, 0 }))
        end
        os.remove(name)
        os.remove(path)
    end)
end)

-- ---- sounds -----------------------------------------------------------------------------------------------------

-- A WAV file of PCM, or floats, with a chunk of odd length before the samples.
local function sound(tag, channels, bits, samples, more)
    local format = string.pack("<I2I2I4I4I2I2", tag, channels, 8000, 8000 * channels * bits // 8, channels * bits // 8,
        bits) .. (more or "")
    local body = "WAVEfmt " .. string.pack("<s4", format) .. "LIST" .. string.pack("<s4", "abc") .. "\0data"
        .. string.pack("<s4", samples)
    return "RIFF" .. string.pack("<I4", #body) .. body
end

helper.each_device(function(dev, title) describe("sounds on " .. title, function()
    local function refuse(wanted, bytes)
        with_text(bytes, function(path)
            helper.refused("wavread: " .. path .. ": " .. wanted, dev, path)
        end)
    end

    it("are written and read with one channel or several", function()
        helper.with_file(function(path)
            for _, dtype in ipairs { "u8", "i16", "i32", "f32", dev:info().fp64 and "f64" or "f32" } do
                for _, shape in ipairs { { 0 }, { 7 }, { 7, 2 }, { 0, 2 }, { 1, 3 } } do
                    local a = dev:randint(shape, 0, 255, "i32", { seed = 1 }) - (dtype == "u8" and 0 or 100)
                    a = a:cast(dtype)
                    for _, each in ipairs { a, #shape == 2 and a:flip(2) or a:flip(1) } do
                        each:wavwrite(path, 44100)
                        local back, rate = dev:wavread(path)
                        assert.equal(44100, math.tointeger(rate))
                        helper.check_array(back, dtype, { each:shape() }, each:reshape(-1):totable())
                        assert.equal(0, #helper.read_file(path) % 2)
                    end
                end
            end
            local deep = dev:array({ -8388608 * 256, 8388607 * 256, 256 }, "i32")
            deep:wavwrite(path, 8000, { bits = 24 })
            assert.equal(44 + 9 + 1, #helper.read_file(path))
            assert.is_true((dev:wavread(path)):equal(deep))
            local function no(wanted, a, ...)
                helper.refused("wavwrite: " .. wanted, a, path, ...)
            end
            no("argument 2: a whole number from 1 is needed, got 0", deep, 0)
            no("argument 2: a rate below 2^32 is needed, got 4294967296", deep, 1 << 32)
            no("samples of u8, i16, i32, f32 or f64 are needed, got i8; cast gives them", deep:cast "i8", 1)
            no("samples, or samples x channels, are needed, got shape 1x2x3", dev:ones { 1, 2, 3 }, 1)
            no("samples, or samples x channels, are needed, got shape 1x0", dev:ones { 1, 0 }, 1)
            no("option 'bits': only 24 bits of i32 are possible, got 16 of i32", deep, 1, { bits = 16 })
            no("option 'bits': only 24 bits of i32 are possible, got 24 of f32", dev:ones { 1 }, 1, { bits = 24 })
            helper.refused("wavwrite: /nowhere/x: No such file or directory", deep, "/nowhere/x", 1)
        end)
    end)

    it("are read with 24 bits and the long form of the format", function()
        local guid = "\1\0\0\0\0\0\x10\0\x80\0\0\xaa\0\x38\x9b\x71"
        with_text(sound(0xfffe, 2, 24, "\1\0\0\0\0\x80", string.pack("<I2I2I4", 22, 24, 3) .. guid), function(path)
            helper.check_array((dev:wavread(path)), "i32", { 1, 2 }, { 256, -8388608 * 256 })
        end)
        with_text(sound(3, 1, 32, string.pack("<f", 0.5)), function(path)
            helper.check_array((lun.wavread(path)), "f32", { 1 }, { 0.5 })
        end)
    end)

    it("that are damaged are refused, and read nowhere else", function()
        local good = sound(1, 2, 16, "abcdefgh")
        for length = 12, #good - 9 do
            refuse("the WAV file is cut off", good:sub(1, length))
        end
        refuse("the data is cut off: 8 bytes needed, got 7", good:sub(1, -2))
        refuse("it is empty", "")
        refuse("it is not a WAV file", "RIFF\0\0\0\0AVI ")
        refuse("it is a PNG picture, which imread reads", "\x89PNG\r\n\x1a\n\0\0\0\0")
        refuse("its format has 14 bytes, expected 16 or more",
            "RIFF\0\0\0\0WAVEfmt " .. string.pack("<s4", ("x"):rep(14)))
        refuse("PCM of 8, 16, 24 or 32 bits or floats of 32 or 64 bits are needed, got format 6 of 8 bits",
            sound(6, 1, 8, "a"))
        refuse("PCM of 8, 16, 24 or 32 bits or floats of 32 or 64 bits are needed, got format 3 of 16 bits",
            sound(3, 1, 16, "ab"))
        refuse("damaged: 0 channels of 8 bits take 0 bytes", sound(1, 0, 8, "a"))
        refuse("damaged: 2 channels of 16 bits take 3 bytes", (good:gsub("\4\0\x10\0", "\3\0\x10\0", 1)))
        refuse("damaged: it has samples before their format", "RIFF\0\0\0\0WAVEdata\0\0\0\0")
        refuse("damaged: 7 bytes of samples, not a multiple of 4", sound(1, 2, 16, "abcdefg"))
        local random = numbers.generator(5)
        for _ = 1, 200 do
            local at = random(13, #good)
            with_text(good:sub(1, at - 1) .. string.char(random(0, 255)) .. good:sub(at + 1), function(path)
                local ok, problem = pcall(dev.wavread, dev, path)
                assert.is_true(ok or tostring(problem):find(path, 1, true) ~= nil, problem)
            end)
        end
    end)
end) end)

-- ---- pictures ---------------------------------------------------------------------------------------------------

local function chunk(kind, data)
    return string.pack(">I4", #data) .. kind .. data .. string.pack(">I4", helper.crc32(kind .. data))
end

local PASSES = { { 0, 0, 8, 8 }, { 4, 0, 8, 8 }, { 0, 4, 4, 8 }, { 2, 0, 4, 4 }, { 0, 2, 2, 4 }, { 1, 0, 2, 2 },
    { 0, 1, 1, 2 } }

-- What a filter takes off byte i of a row.
local function guess(filter, row, above, i, pixel)
    local left, before = row[i - pixel] or 0, above[i - pixel] or 0
    local up = above[i] or 0
    if filter < 4 then
        return ({ [0] = 0, left, up, (left + up) // 2 })[filter]
    end
    local p = left + up - before
    local a, b, c = math.abs(p - left), math.abs(p - up), math.abs(p - before)
    return a <= b and a <= c and left or b <= c and up or before
end

-- A picture's bytes: pixels is a flat list of values of `depth` bits, `channels` of them a pixel.
local function picture(width, height, colour, depth, pixels, interlaced, more)
    local channels = ({ [0] = 1, [2] = 3, [3] = 1, [4] = 2, [6] = 4 })[colour]
    local rows, line = {}, 0
    for _, pass in ipairs(interlaced and PASSES or { { 0, 0, 1, 1 } }) do
        local above = {}
        for y = pass[2], height - 1, pass[4] do
            local row, bits, count = {}, 0, 0
            for x = pass[1], width - 1, pass[3] do
                for k = 1, channels do
                    bits, count = bits << depth | pixels[(y * width + x) * channels + k], count + depth
                    for shift = count - 8, 0, -8 do
                        row[#row + 1] = bits >> shift & 255
                        count = shift
                    end
                end
            end
            if count > 0 and count < 8 then
                row[#row + 1] = bits << (8 - count) & 255
            end
            if #row > 0 then
                local bytes = { string.char(line % 5) }
                for i, byte in ipairs(row) do
                    bytes[i + 1] = string.char(byte - guess(line % 5, row, above, i,
                        math.max(1, channels * depth // 8)) & 255)
                end
                rows[#rows + 1], line, above = table.concat(bytes), line + 1, row
            end
        end
    end
    local raw = table.concat(rows)
    local packed = "\x78\x01" .. string.pack("<BI2I2", 1, #raw, #raw ~ 0xffff) .. raw .. "\0\0\0\0"
    return "\x89PNG\r\n\x1a\n" .. chunk("IHDR", string.pack(">I4I4BBBBB", width, height, depth, colour, 0, 0,
        interlaced and 1 or 0)) .. (more or "") .. chunk("IDAT", packed:sub(1, 9)) .. chunk("IDAT", packed:sub(10))
        .. chunk("IEND", "")
end

helper.each_device(function(dev, title) describe("pictures on " .. title, function()
    it("are read whatever their colours, depth, filters and interlacing", function()
        local random = numbers.generator(2)
        for _, case in ipairs { { 0, 1 }, { 0, 2 }, { 0, 4 }, { 0, 8 }, { 0, 16 }, { 2, 8 }, { 2, 16 }, { 4, 8 },
            { 4, 16 },
            { 6, 8 }, { 6, 16 } } do
            local colour, depth = table.unpack(case)
            local channels = ({ [0] = 1, [2] = 3, [4] = 2, [6] = 4 })[colour]
            for _, size in ipairs { { 1, 1 }, { 7, 5 }, { 13, 11 } } do
                for _, interlaced in ipairs { false, true } do
                    local width, height, pixels, wanted = size[1], size[2], {}, {}
                    for i = 1, width * height * channels do
                        pixels[i] = random(0, (1 << depth) - 1)
                        wanted[i] = depth < 8 and pixels[i] * 255 // ((1 << depth) - 1) or pixels[i]
                    end
                    with_text(picture(width, height, colour, depth, pixels, interlaced), function(path)
                        helper.check_array(dev:imread(path), depth == 16 and "u16" or "u8",
                            { height, width, channels > 1 and channels or nil }, wanted)
                    end)
                end
            end
        end
        local palette = chunk("PLTE", "\1\2\3\4\5\6\7\8\9")
        with_text(picture(3, 1, 3, 2, { 2, 0, 1 }, false, palette), function(path)
            helper.check_array(lun.imread(path), "u8", { 1, 3, 3 }, { 7, 8, 9, 1, 2, 3, 4, 5, 6 })
        end)
        with_text(picture(2, 1, 3, 8, { 2, 0 }, false, palette .. chunk("tRNS", "\100")), function(path)
            helper.check_array(dev:imread(path), "u8", { 1, 2, 4 }, { 7, 8, 9, 255, 1, 2, 3, 100 })
        end)
        helper.with_file(function(path)
            local a = dev:randint({ 9, 8, 3 }, 0, 255, "u8", { seed = 1 })
            plot.image(path, a)
            assert.is_true(dev:imread(path, { async = true }):get():equal(a))
        end)
    end)

    it("are written with 8 and 16 bits, 1 to 4 channels, and a palette", function()
        helper.with_file(function(path)
            local function back(a, options)
                a:imwrite(path, options)
                return dev:imread(path)
            end
            for _, size in ipairs { { 1, 1 }, { 7, 5 }, { 40, 61 } } do
                for _, dtype in ipairs { "u8", "u16" } do
                    for channels = 1, 4 do
                        local a = dev:randint({ size[1], size[2], channels }, 0, dtype == "u8" and 255 or 65535, dtype,
                            { seed = channels })
                        for _, each in ipairs { a, a:flip(2) } do
                            assert.is_true(back(each):equal(channels == 1 and each:squeeze(3) or each), dtype)
                        end
                    end
                end
            end
            helper.check_array(back(dev:array({ { true, false } })), "u8", { 1, 2 }, { 255, 0 })
            local at = dev:array({ { 1, 0, 1 } }, "u8")
            helper.check_array(back(at, { palette = dev:array({ { 1, 2, 3 }, { 4, 5, 6 } }, "u8") }), "u8", { 1, 3, 3 },
                { 4, 5, 6, 1, 2, 3, 4, 5, 6 })
            helper.check_array(back(at, { palette = dev:array({ { 1, 2, 3, 0 }, { 4, 5, 6, 7 } }, "u8") }), "u8",
                { 1, 3, 4 }, { 4, 5, 6, 7, 1, 2, 3, 0, 4, 5, 6, 7 })
            local function refuse(wanted, a, options)
                helper.refused("imwrite: " .. wanted, a, path, options or {})
            end
            local shapes = "an array of h x w, or of h x w x 1 to 4 channels, is needed, got shape "
            refuse("elements of u8, u16 or bool are needed, got i32; cast gives them", dev:ones({ 1, 1 }, "i32"))
            refuse(shapes .. "1x1x5", dev:ones({ 1, 1, 5 }, "u8"))
            refuse(shapes .. "0x2", dev:ones({ 0, 2 }, "u8"))
            refuse(shapes .. "3", dev:ones({ 3 }, "u8"))
            local colour = { palette = dev:ones({ 1, 3 }, "u8") }
            refuse("option 'palette': it has 1 colours, but an element is 2",
                dev:full({ 1, 1 }, 2, "u8"), colour)
            refuse("option 'palette': an array of positions, u8 of h x w, is needed, got u16 of shape 1x1",
                dev:ones({ 1, 1 }, "u16"), colour)
            refuse("option 'palette': u8 of 1 to 256 colours x 3 or 4 is needed, got u8 of shape 3", at,
                { palette = dev:ones({ 3 }, "u8") })
            helper.refused("imwrite: /nowhere/x: No such file or directory", at, "/nowhere/x")
            local output = helper.child(([[
                local lun = require "lunarray"
                lun.randint({ 300, 301 }, 0, 255, "u8", { seed = 1 }):imwrite(%q)
                print(pcall(lun.imread, %q))
            ]]):format(path, path), { cpath = "build/no_zlib/?.so" })
            assert.matches("it is compressed, and this lunarray was built without zlib: install its headers "
                .. "(zlib1g-dev) and build again", output, 1, true)
            assert.is_true(dev:imread(path):equal(dev:randint({ 300, 301 }, 0, 255, "u8", { seed = 1 })))
        end)
    end)

    it("of PGM and PPM files are the numbers as they are stored", function()
        for bytes, expected in pairs {
            ["P5 3 2 255\n\1\2\3\4\5\255"] = { "u8", { 2, 3 }, { 1, 2, 3, 4, 5, 255 } },
            ["P5\n# 9 9\n 2 #\n1 # x\n65535\n\1\2\255\254"] = { "u16", { 1, 2 }, { 258, 65534 } },
            ["P6 1 2 255 \1\2\3\10\32\6"] = { "u8", { 2, 1, 3 }, { 1, 2, 3, 10, 32, 6 } },
            ["P2\n2 2\n15\n0 15\n# x\n7\t8"] = { "u8", { 2, 2 }, { 0, 15, 7, 8 } },
            ["P3 1 1 300 300 2 3\n"] = { "u16", { 1, 1, 3 }, { 300, 2, 3 } },
        } do
            with_text(bytes, function(path)
                helper.check_array(dev:imread(path), table.unpack(expected))
            end)
        end
    end)

    it("that are damaged are refused, and read nowhere else", function()
        helper.refused("imread: /: Is a directory", dev, "/")
        helper.refused("fromfile: /: Is a directory", dev, "/", "u8")
        local good = picture(3, 2, 0, 8, { 1, 2, 3, 4, 5, 6 })
        local function refuse(wanted, bytes)
            with_text(bytes, function(path)
                helper.refused("imread: " .. path .. ": " .. wanted, dev, path)
            end)
        end
        refuse("it is empty", "")
        refuse("it is not a PNG, PGM or PPM file", "\1\2")
        refuse("it is a text file; loadtxt reads numbers in columns", "P,x\n1,2\n3,4\n")
        local head_needed = "a width, a height and a largest value of 1 to 65535 are needed in its header"
        for _, wrong in ipairs { "P5", "P5 2", "P5 2 0 255\n", "P5 2 2 65536\n", "P5 2 -2 255\n", "P5 2x2 255\n",
            "P5 # x", "P6 99999999999 1 255\n" } do
            refuse(head_needed, wrong)
        end
        for _, short in ipairs { "P5 2 1 255\n\1", "P5 1 1 256\n\1", "P2 2 1 9 1", "P3 1 1 9 1 2 x" } do
            refuse("the picture is cut off", short)
        end
        refuse("it is a GIF picture, which lunarray does not read; imread reads PNG", "GIF89a..........")
        refuse("the check sum of a chunk is wrong", (good:gsub("\8\0\0\0\0", "\8\4\0\0\0", 1)))
        for length = 8, #good - 1, 3 do
            refuse("the picture is cut off", good:sub(1, length))
        end
        local head = "\x89PNG\r\n\x1a\n"
        refuse("it does not begin with a header", head .. chunk("IEND", ""))
        refuse("its header has 1 bytes, not 13", head .. chunk("IHDR", "x"))
        refuse("there is no colour type 5 with 8 bits", head .. chunk("IHDR", string.pack(">I4I4BBBBB", 1, 1, 8, 5,
            0, 0, 0)))
        refuse("there is no colour type 2 with 4 bits", head .. chunk("IHDR", string.pack(">I4I4BBBBB", 1, 1, 4, 2,
            0, 0, 0)))
        refuse("its compression, filter or interlacing method is unknown",
            head .. chunk("IHDR", string.pack(">I4I4BBBBB", 1, 1, 8, 0, 0, 0, 2)))
        refuse("it has 0 x 1 pixels", head .. chunk("IHDR", string.pack(">I4I4BBBBB", 0, 1, 8, 0, 0, 0, 0)))
        refuse("a chunk of 4294967295 bytes is too long", head .. "\255\255\255\255IHDR")
        refuse("it has an unknown critical chunk", (picture(1, 1, 0, 8, { 1 }, false, chunk("XXXX", ""))))
        refuse("it has no palette", (picture(1, 1, 3, 8, { 1 })))
        refuse("it has a colour that its palette does not have",
            (picture(1, 1, 3, 8, { 1 }, false, chunk("PLTE", "abc"))))
        refuse("the picture is cut off", head .. chunk("IHDR", string.pack(">I4I4BBBBB", 999, 999, 8, 0, 0, 0, 0))
            .. chunk("IDAT", "\x78\x01\1\0\0\xff\xff") .. chunk("IEND", ""))
        local raw = "\5\1"
        refuse("there is no filter 5", head .. chunk("IHDR", string.pack(">I4I4BBBBB", 1, 1, 8, 0, 0, 0, 0))
            .. chunk("IDAT", "\x78\x01" .. string.pack("<BI2I2", 1, #raw, #raw ~ 0xffff) .. raw) .. chunk("IEND", ""))
        helper.refused("imread: /nowhere/x: No such file or directory", dev, "/nowhere/x")
    end)
end) end)
