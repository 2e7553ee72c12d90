-- Matrix Market's files: what lun.load and save do where a name ends in .mtx. Each rule of the format, line by line.

local helper = require "spec.helper"
local lun = require "lunarray"

local dev = lun.device()
local double = dev:info().fp64
local F, C = double and "f64" or "f32", double and "c128" or "c64"
local BANNER = "%%MatrixMarket matrix "

local function with_path(f)
    local name = os.tmpname()
    local path = name .. ".mtx"
    local ok, problem = pcall(f, path)
    os.remove(name)
    os.remove(path)
    if not ok then
        error(problem, 0)
    end
end

local function load(text, how)
    local made
    with_path(function(path)
        helper.write_file(path, text)
        made = (how or lun.load)(path)
    end)
    return made
end

local function dense(made)
    return lun.type(made) == "sparse" and made:dense() or made
end

-- Rows of numbers; complex ones as { re, im }.
local function check(expected, text, dtype)
    local made = load(text)
    assert.equal(dtype, made:dtype())
    local array = dense(made)
    if made:dtype():sub(1, 1) == "c" then
        array = array:as_real()
    end
    assert.same(expected, array:totable())
    return made
end

describe("a Matrix Market file", function()
    it("of coordinates is a sparse matrix", function()
        local A = check({ { 0, 2.5, 0 }, { -1e-3, 0, 0 } },
            BANNER .. "coordinate real general\n2 3 2\n1 2 2.5\n2 1 -1e-3\n", F)
        assert.equal("sparse", lun.type(A))
        assert.equal(2, A:nnz())
        check({ { 9007199254740993, 0 }, { 0, -4 } },
            BANNER .. "coordinate integer general\n2 2 2\n2 2 -4\n1 1 9007199254740993\n", "i64")
        check({ { { 0, 0 }, { 1, -2 } }, { { 0, 0.5 }, { 0, 0 } } },
            BANNER .. "coordinate complex general\n2 2 2\n1 2 1 -2\n2 1 0 0.5\n", C)
        check({ { 0, 1 }, { 1, 0 } }, BANNER .. "coordinate pattern general\n2 2 2\n1 2\n2 1\n", F)
    end)

    it("is one by its first bytes, and may be packed by gzip", function()
        local A = lun.sparse { rows = { 1, 2 }, cols = { 2, 1 }, values = { 0.5, -3 }, shape = { 2, 3 } }
        local has_zlib = helper.read_file("build/machine"):find("-DLUN_ZLIB", 1, true)
        local endings = has_zlib and { ".mtx", ".mtx.gz", ".MTX.gz" } or { ".mtx" }
        helper.with_file(function(path)
            for _, ending in ipairs(endings) do
                A:save(path .. ending)
                assert.is_true(lun.load(path .. ending):dense():equal(A:dense()))
                assert(os.rename(path .. ending, path))
                assert.is_true(dev:load(path):dense():equal(A:dense()))
                local packed = helper.read_file(path):sub(1, 2) == "\x1f\x8b"
                assert.equal(ending ~= ".mtx", packed)
                local problem = packed and "line 1, column 1: '%%MatrixMarket' is not a number"
                    or "it is a Matrix Market file, which load reads"
                helper.refused("loadtxt: " .. path .. ": " .. problem, dev, path)
            end
        end)
    end)

    it("of an array has its columns one behind the other", function()
        local a = check({ { 1, 3, 5 }, { 2, 4, 6 } }, BANNER .. "array real general\n2 3\n1\n2\n3\n4\n5\n6\n", F)
        assert.equal("array", lun.type(a))
        check({ { 1 }, { 9223372036854775807 } }, BANNER .. "array integer general\n2 1\n1\n9223372036854775807\n",
            "i64")
        check({ { { 1, 2 }, { 3, -4 } } }, BANNER .. "array complex general\n1 2\n1 2\n3 -4\n", C)
    end)

    it("may have the triangle below the diagonal alone", function()
        local entries = "coordinate real symmetric\n3 3 4\n1 1 1\n3 1 2\n2 2 3\n3 2 4\n"
        check({ { 1, 0, 2 }, { 0, 3, 4 }, { 2, 4, 0 } }, BANNER .. entries, F)
        check({ { 0, -2 }, { 2, 0 } }, BANNER .. "coordinate integer skew-symmetric\n2 2 1\n2 1 2\n", "i64")
        check({ { { 1, 0 }, { 2, -3 } }, { { 2, 3 }, { 0, 0 } } },
            BANNER .. "coordinate complex hermitian\n2 2 2\n1 1 1 0\n2 1 2 3\n", C)
        check({ { { 1, 1 }, { 2, 3 } }, { { 2, 3 }, { 0, 0 } } },
            BANNER .. "coordinate complex symmetric\n2 2 2\n1 1 1 1\n2 1 2 3\n", C)
        check({ { 0, 1 }, { 1, 1 } }, BANNER .. "coordinate pattern symmetric\n2 2 2\n2 1\n2 2\n", F)
        check({ { 1, 2, 3 }, { 2, 4, 5 }, { 3, 5, 6 } },
            BANNER .. "array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n", "i64")
        check({ { 0, -1, -2 }, { 1, 0, -3 }, { 2, 3, 0 } }, BANNER .. "array real skew-symmetric\n3 3\n1\n2\n3\n", F)
        check({ { 0, -1 }, { 1, 0 } }, BANNER .. "array real skew-symmetric\n2 2\n1\n", F)
        check({ { { 1, 0 }, { 2, -3 } }, { { 2, 3 }, { 4, 0 } } },
            BANNER .. "array complex hermitian\n2 2\n1 0\n2 3\n4 0\n", C)
    end)

    it("has comments and empty lines before its sizes, and any case, blanks and ends of lines", function()
        local expected = { { 0, 1.5 }, { 0, 0 } }
        for _, text in ipairs {
            "%%MatrixMarket matrix coordinate real general\n% a\n%\n\n  \n2 2 1\n1 2 1.5",
            "%%MatrixMarket Matrix COORDINATE Real GENERAL  \r\n%\r\n2 2 1\r\n1 2 1.5\r\n",
            "%%MatrixMarket\tmatrix  coordinate real\tgeneral\n 2\t2  1 \n\n  1\t2   +1.5e0 \n\n",
        } do
            check(expected, text, F)
        end
        check(expected, "%%MatrixMarket matrix coordinate real general\n" .. ("%" .. ("x"):rep(998) .. "\n"):rep(1000)
            .. "2 2 1\n1 2 1.5\n", F)
    end)

    it("may have no rows, no columns and no entries", function()
        local A = load(BANNER .. "coordinate real general\n0 3 0\n")
        assert.same({ 0, 3, 0 }, { 0, select(2, A:shape()), A:nnz() })
        assert.same({ { 0, 0 } }, load(BANNER .. "coordinate complex general\n1 2 0\n"):dense():real():totable())
        assert.same({ 3, 0 }, { load(BANNER .. "array real general\n3 0\n"):shape() })
        assert.same({ { 0 } }, load(BANNER .. "array integer skew-symmetric\n1 1\n"):totable())
        assert.same({ 0, 0 }, { load(BANNER .. "array real symmetric\n0 0\n"):shape() })
    end)

    it("adds up entries at one place, and keeps zeros", function()
        local A = check({ { 3.5 }, { 0 } }, BANNER .. "coordinate real general\n2 1 3\n1 1 1\n2 1 0\n1 1 2.5\n", F)
        assert.equal(2, A:nnz())
    end)

    it("may be NIST's BCSSTK01, which cg solves with its incomplete factor", function()
        local text = {}
        for i, j, value in require("spec.linalg.bcsstk01"):gmatch "(%d+) (%d+) ([^, \n]+)" do
            text[#text + 1] = ("%d %d %s\n"):format(math.max(i + 0, j + 0), math.min(i + 0, j + 0), value)
        end
        local A = load(BANNER .. "coordinate real symmetric\n48 48 " .. #text .. "\n" .. table.concat(text))
        assert.equal("sparse 48x48 " .. F .. " of 400 entries", tostring(A)) -- 224 of them are in the file
        assert.equal(224, #text)
        assert.is_true(A:dense():equal(A:t():dense()))
        local tol = double and 1e-8 or 1e-3
        local _, report = lun.cg(A, dev:ones({ 48 }, F), { tol = tol, preconditioner = A:ichol() })
        assert.is_true(report.converged and report.steps < 48, report.steps)
    end)

    it("is loaded on a device, whatever the case of its name's end", function()
        local text = BANNER .. "array real general\n1 1\n7\n"
        assert.same({ { 7 } }, load(text, function(path) return dev:load(path) end):totable())
        local name = os.tmpname()
        helper.write_file(name .. ".MTX", text)
        assert.same({ { 7 } }, lun.load(name .. ".MTX"):totable())
        os.remove(name .. ".MTX")
        lun.array({ 1, 2 }):save(name) -- other names are other files
        assert.same({ 1, 2 }, lun.load(name):totable())
        os.remove(name)
    end)
end)

describe("a Matrix Market file that breaks a rule", function()
    local ENTRIES = "%%MatrixMarket matrix coordinate real general\n% x\n"
    local cases = {
        { "", "line 1: the file begins with %%MatrixMarket, got ''" },
        { "\x93NUMPY\1\0", "line 1: the file begins with %%MatrixMarket, got '?NUMPY??'" },
        { "%MatrixMarket matrix", "line 1: the file begins with %%MatrixMarket, got '%MatrixMarket matrix'" },
        { "%%matrixmarket matrix array real general\n1 1\n1", "line 1: the file begins with %%MatrixMarket" },
        { "%%MatrixMarket", "line 1: the object is matrix, got nothing" },
        { "%%MatrixMarket vector array real general", "line 1: the object is matrix, got 'vector'" },
        { "%%MatrixMarket matrix dense real general", "line 1: the format is array or coordinate, got 'dense'" },
        { "%%MatrixMarket matrix array quaternion general",
            "line 1: the field is complex, integer, pattern or real, got 'quaternion'" },
        { "%%MatrixMarket matrix array real",
            "line 1: the symmetry is general, hermitian, skew-symmetric or symmetric, got nothing" },
        { "%%MatrixMarket matrix array real general more", "line 1: the line has five words, and then 'more'" },
        { "%%MatrixMarket matrix array pattern general\n1 1\n1", "line 1: a pattern cannot be of the kind 'array'" },
        { "%%MatrixMarket matrix coordinate pattern skew-symmetric\n1 1 0",
            "line 1: a pattern cannot be of the kind 'skew-symmetric'" },
        { "%%MatrixMarket matrix array real hermitian\n1 1\n1", "line 1: a hermitian matrix is complex, not real" },
        { "%%MatrixMarket matrix coordinate pattern hermitian\n1 1 0",
            "line 1: a hermitian matrix is complex, not pattern" },
        { ENTRIES, "line 2: the sizes of the matrix are missing in the first 2^20 bytes of the file" },
        { ENTRIES .. ("%" .. ("x"):rep(1000) .. "\n"):rep(1100) .. "1 1 0\n",
            "line 1049: the sizes of the matrix are missing" },
        { ENTRIES .. "%" .. ("x"):rep((1 << 20) - #ENTRIES - 7) .. "\n2 2 11\n",
            "line 4: the sizes of the matrix are missing" },
        { ENTRIES .. "2 2\n", "line 3: 3 whole numbers are needed, rows, columns and entries, got '2 2'" },
        { ENTRIES .. "2 2 1 1\n", "line 3: 3 whole numbers are needed, rows, columns and entries, got '2 2 1 1'" },
        { ENTRIES .. "2 -2 1\n", "line 3: 3 whole numbers are needed" },
        { ENTRIES .. "2 2.0 1\n", "line 3: 3 whole numbers are needed" },
        { ENTRIES .. "2 0x2 1\n", "line 3: 3 whole numbers are needed" },
        { ENTRIES .. "2 2 18446744073709551617\n", "line 3: 3 whole numbers are needed" },
        { BANNER .. "array real general\n2 2 4\n",
            "line 2: 2 whole numbers are needed, rows and columns, got '2 2 4'" },
        { BANNER .. "array real symmetric\n2 3\n", "line 2: a symmetric matrix is square, got 2x3" },
        { ENTRIES .. "4294967296 4294967296 1\n1 1 1\n",
            "line 3: 4294967296x4294967296: a matrix has at most 2^63 - 1 positions" },
        { ENTRIES .. "2 2 1\n", ": 1 entries are needed, got 0" },
        { ENTRIES .. "2 2 3\n1 1 1\n2 2 1\n", ": 3 entries are needed, got 2" },
        { ENTRIES .. "2 2 1\n1 1 1\n2 2 1\n", ": 1 entries are needed, got 2" },
        { ENTRIES .. "2 2 0\n1 1 1\n", ": 0 entries are needed, got 1" },
        { BANNER .. "array real general\n2 2\n1\n2\n3\n", ": 4 numbers are needed, got 3" },
        { BANNER .. "array real symmetric\n3 3\n1\n2\n3\n", ": 6 numbers are needed, got 3" },
        { BANNER .. "array real skew-symmetric\n3 3\n1\n2\n", ": 3 numbers are needed, got 2" },
        { BANNER .. "array real general\n1 1\n1 2\n", "line 3: 1 number is needed, got 2" },
        { BANNER .. "array complex general\n1 1\n\n1\n", "line 4: 2 numbers are needed, got 1" },
        { ENTRIES .. "2 2 1\n\n1 2\n", "line 5: 3 numbers are needed, got 2" },
        { ENTRIES .. "2 2 1\n1\n", "line 4 has 1 column, and column 2 is needed" },
        { ENTRIES .. "2 2 2\n1 1 1\n2 2 1 0\n", "line 5 has 4 columns, and the lines before have 3" },
        { BANNER .. "coordinate pattern general\n2 2 1\n1 2 1\n", "line 3: 2 numbers are needed, got 3" },
        { ENTRIES .. "2 2 2\n1 1 1\n% y\n", "line 5, column 1: '%' is not a number\n" },
        { ENTRIES .. "2 2 1\n1 1 one\n", "line 4, column 3: 'one' is not a number\n" },
        { ENTRIES .. "2 2 1\n1 1.5 1\n", "line 4, column 2: " },
        { BANNER .. "coordinate integer general\n2 2 1\n1 1 1.5\n", "line 3, column 3: " },
        { ENTRIES .. "2 3 2\n1 1 1\n\n3 1 1\n", "line 6: row 3 is out of range 1..2" },
        { ENTRIES .. "2 3 2\n1 1 1\n0 1 1\n", "line 5: row 0 is out of range 1..2" },
        { ENTRIES .. "3 2 2\n1 1 1\n1 3 1\n", "line 5: column 3 is out of range 1..2" },
        { ENTRIES .. "0 0 1\n1 1 1\n", "line 4: row 1 is out of range 1..0" },
        { BANNER .. "coordinate real symmetric\n3 3 2\n1 1 1\n1 3 1\n",
            "line 4: a file of a symmetric matrix has only entries below the diagonal and on it, got row 1, "
                .. "column 3" },
        { BANNER .. "coordinate real skew-symmetric\n3 3 2\n2 1 1\n2 2 1\n",
            "line 4: a file of a skew-symmetric matrix has only entries below the diagonal, got row 2, "
                .. "column 2" },
    }
    for _, case in ipairs(cases) do
        local text, message = table.unpack(case)
        it(message, function()
            with_path(function(path)
                helper.write_file(path, text)
                local ok, problem = pcall(function() return (lun.load(path)) end)
                assert.is_false(ok)
                local _, said = problem:match "^(spec/transfer/matrix_market_spec.lua:%d+): lunarray: (.*)$"
                local wanted = "load: " .. path .. (message:sub(1, 1) == ":" and "" or ": ") .. message:gsub("\n$", "")
                assert.equal(wanted, said and said:sub(1, #wanted), problem)
                assert.is_true(not message:find "\n$" or #said == #wanted, problem)
            end)
        end)
    end

    it("is not there, or is a folder", function()
        helper.refused("load: /nowhere/x.mtx: No such file or directory", lun, "/nowhere/x.mtx")
        helper.in_folder("", function(folder)
            os.execute(("mkdir '%s/x.mtx'"):format(folder))
            helper.refused(("load: %s/x.mtx: Is a directory"):format(folder), lun, folder .. "/x.mtx")
            os.remove(folder .. "/x.mtx")
        end)
    end)

    it("takes no memory for sizes that its numbers do not fill", function()
        local before = helper.resident()
        for _, text in ipairs {
            "array real general\n3000000000 3000000000\n1\n", "array real symmetric\n3000000000 3000000000\n1\n",
            "coordinate real general\n4 4 9000000000000000000\n1 1 1\n",
        } do
            assert.has_error(function() load(BANNER .. text) end)
        end
        local ok, problem = pcall(load, BANNER .. "coordinate real general\n9000000000000000 1 1\n1 1 1\n")
        assert.is_false(ok)
        assert.matches("load: %S+%.mtx: a matrix of 9000000000000000x1: %d+ bytes in one array", tostring(problem))
        for sizes in pairs { ["9223372036854775807 1 0"] = 1, ["1 9223372036854775807 0"] = 1 } do
            ok, problem = pcall(load, BANNER .. "coordinate real general\n" .. sizes .. "\n")
            assert.is_false(ok)
            assert.matches("load: %S+%.mtx: line 2: %d+x%d+: a matrix has at most 2%^60 %- 2 rows and columns", problem)
        end
        assert.is_true(helper.resident() < before + 2 ^ 26)
    end)

    it("raises whatever byte is damaged, or is a matrix", function()
        local random = require("spec.numbers").generator(7)
        local good = {
            BANNER .. "coordinate real symmetric\n% c\n3 3 3\n1 1 1.25\n3 1 -2e2\n3 2 1\n",
            BANNER .. "coordinate complex hermitian\n2 2 2\n1 1 1 0\n2 1 2 3\n",
            BANNER .. "array integer general\n2 2\n1\n2\n-3\n4\n",
            BANNER .. "coordinate pattern general\n2 3 2\n1 2\n2 3\n",
        }
        local bytes, refused, count = "0123456789.-+eE% \n\r\tnaif\0\255", 0, os.getenv "LUNARRAY_LONG" and 20000 or 300
        with_path(function(path)
            for i = 1, count do
                local text = good[i % #good + 1]
                for _ = 1, random(1, 3) do
                    local at, new = random(1, #text), random(1, #bytes)
                    local kind = random(1, 3)
                    local byte = kind == 1 and "" or bytes:sub(new, new)
                    text = text:sub(1, at - 1) .. byte .. text:sub(kind == 2 and at or at + 1)
                end
                helper.write_file(path, text)
                local ok, made = pcall(lun.load, path)
                if ok then
                    assert.is_true(dense(made):ndim() == 2, text)
                else
                    refused = refused + 1
                    assert.is_true(type(made) ~= "string" or made:find("lunarray: load: " .. path, 1, true) ~= nil,
                        text .. "\n" .. tostring(made))
                end
            end
        end)
        assert.is_true(refused > count / 4 and refused < count)
    end)
end)

describe("save of a .mtx file", function()
    local function written(A)
        local text
        with_path(function(path)
            A:save(path)
            text = helper.read_file(path)
        end)
        return text
    end

    it("writes arrays and sparse matrices", function()
        local a = dev:array { { 1, 0.1 }, { 0, -1e10 }, { 3, 4 } }
        assert.equal(BANNER .. "array real general\n3 2\n1\n0\n3\n0.1\n-10000000000\n4\n", written(a))
        assert.equal(BANNER .. "coordinate real general\n3 2 5\n1 1 1\n1 2 0.1\n2 2 -10000000000\n3 1 3\n3 2 4\n",
            (written(a:sparse())))
        assert.equal(BANNER .. "coordinate integer general\n1 2 1\n1 2 -9223372036854775807\n",
            written(dev:array({ { 0, -9223372036854775807 } }, "i64"):sparse()))
        assert.equal(BANNER .. "coordinate complex general\n2 1 1\n2 1 1.5 -2\n",
            written(dev:array({ { 0 }, { lun.complex(1.5, -2) } }, "c64"):sparse()))
        assert.equal(BANNER .. "array complex general\n1 1\n0 1\n", written(dev:array({ { lun.i } }, "c64")))
        assert.equal(BANNER .. "array integer general\n1 2\n1\n0\n", written(dev:array({ { true, false } }, "bool")))
        assert.equal(BANNER .. "coordinate real general\n3 4 0\n", written(dev:zeros({ 3, 4 }):sparse()))
        assert.equal(BANNER .. "array real general\n0 4\n", written(dev:zeros { 0, 4 }))
        assert.equal(BANNER .. "coordinate real general\n1 20000001 1\n1 20000001 0.5\n",
            written(lun.sparse { rows = { 1 }, cols = { 20000001 }, values = { 0.5 }, shape = { 1, 20000001 } }))
    end)

    it("loads as what was saved, to the bit", function()
        local every = os.getenv "LUNARRAY_LONG" and "bool i8 u8 i16 u16 i32 u32 i64 f16 bf16 f32 c64 " .. F .. " " .. C
        for dtype in (every or "bool i32 bf16 f32 " .. C):gmatch "%S+" do
            local real = dev:normal({ 7, 5 }, { seed = 3 }) * 100
            local a = (dtype:sub(1, 1) == "u" and real:abs() or dtype == "bool" and real:gt(0) or real):cast(dtype)
            for _, each in ipairs { a, a:t(), a:flip(1), a:sparse() } do
                with_path(function(path)
                    each:save(path)
                    local back = lun.load(path)
                    assert.equal(lun.type(each), lun.type(back))
                    local same = dense(back):cast(dtype == "bool" and "i64" or dtype)
                    assert.is_true(same:equal(dense(each):cast(same:dtype())), dtype)
                end)
            end
        end
        local wide = dev:array({ { -1, 0 }, { math.mininteger, 1 } }, "u64")
        for _, each in ipairs { wide, wide:sparse() } do
            with_path(function(path)
                each:save(path)
                local back = lun.load(path)
                assert.equal("u64", back:dtype())
                assert.is_true(dense(back):equal(wide))
            end)
        end
        local odd = dev:array({ { 1 / 0, -1 / 0, 0.1, -0.0, 5e-324, 1 / 3 } }, F)
        with_path(function(path)
            odd:save(path)
            assert.equal(odd:tobytes(), lun.load(path):tobytes())
        end)
    end)

    it("refuses what is no matrix, options, and other names of sparse matrices", function()
        local A = dev:ones({ 2, 2 }):sparse()
        helper.refused("save: a matrix is needed, with two axes, and the shape is 3", lun.ones({ 3 }), "x.mtx")
        helper.refused("save: argument 2: nothing after argument 1 is needed, got a table",
            lun.ones({ 3, 3 }), "x.mtx", { as = "u16" })
        helper.refused("save: argument 1: a path that ends in .mtx is needed, got 'x.npy'", A, "x.npy")
        helper.refused("save: argument 1: a path that ends in .mtx is needed, got nothing", A)
        helper.refused("save: argument 2: nothing after argument 1 is needed", A, "x.mtx", {})
        helper.refused("load: argument 2: nothing after argument 1 is needed, got a table", lun, "x.mtx", {})
        helper.refused("save: /nowhere/x.mtx: No such file or directory", A, "/nowhere/x.mtx")
    end)
end)
