-- The README and the pages in doc/: their scripts print what the pages show, the files that they
-- name are there, and their lists of methods, dtypes and variants are those of the module.

local lun = require "lunarray"
local helper = require "spec.helper"

local pages = {}
do
    local listing <close> = assert(io.popen "ls README.md examples/README.md doc/*.md")
    for path in listing:lines() do
        pages[path] = helper.read_file(path)
    end
end

-- Calls body(path, text) for each page, in order.
local function each_page(body)
    local paths = {}
    for path in pairs(pages) do
        table.insert(paths, path)
    end
    table.sort(paths)
    for _, path in ipairs(paths) do
        body(path, pages[path])
    end
end

-- What a script prints. It runs under a temporary name, which errors show: the pages call every script script.lua.
local function printed(code)
    return (helper.child(code):gsub("[^%s:]*/lua_%w+:(%d+): ", "script.lua:%1: "))
end

-- ---- links ------------------------------------------------------------------------------------------------

-- The names by which links reach the headings of a page: lower case, no punctuation, hyphens for spaces.
local function anchors(text)
    local names = {}
    for heading in ("\n" .. text):gmatch "\n#+ ([^\n]+)" do
        names[heading:lower():gsub("[^%w%s%-_]", ""):gsub("%s", "-")] = true
    end
    return names
end

local function missing(name)
    local file = io.open(name)
    if not file then
        return name .. " is not there"
    end
    file:close()
end

-- What is wrong with a link on that page, or nil.
local function broken(path, target)
    local file, anchor = target:match "^([^#]*)#?(.*)$"
    local folder = path:match "^(.*/)" or ""
    local name = file == "" and path or folder .. file
    while name:find "[^/]+/%.%./" do
        name = name:gsub("[^/]+/%.%./", "", 1)
    end
    if missing(name) then
        return path .. " links to a file: " .. missing(name)
    end
    if anchor ~= "" and not anchors(helper.read_file(name))[anchor] then
        return ("%s links to #%s, and %s has no such heading"):format(path, anchor, name)
    end
end

-- ---- tables -----------------------------------------------------------------------------------------------

-- The rows of the table below a heading of a page, as lists of their cells.
local function rows_below(path, heading)
    local below = assert(("\n" .. pages[path]):match("\n#+ " .. heading:gsub("%p", "%%%0") .. "\n(.*)"),
        path .. " has no heading " .. heading)
    local rows = {}
    for line in below:gsub("\n#.*", ""):gmatch "[^\n]+" do
        if line:find "^| `" then
            local row = {}
            for cell in line:gmatch "| ([^|]*) %f[|]" do
                table.insert(row, (cell:gsub("`", "")))
            end
            table.insert(rows, row)
        end
    end
    return rows
end

-- ---- what lunarray has ------------------------------------------------------------------------------------

-- The module and the classes of its objects: tables of functions.
local function objects()
    local dev = lun.device()
    local a = dev:zeros { 1 }
    local program = dev:program "kernel void one(global float *x) { *x = 1; }"
    return {
        lun = lun, device = helper.methods(dev), array = helper.methods(a), queue = helper.methods(dev:queue()),
        event = helper.methods(a:fill(0, { async = true })), program = helper.methods(program),
        kernel = helper.methods(program:kernel()), rng = helper.methods(dev:rng(1)),
    }
end

-- Those whose scripts make test runs; make test-all runs all.
local SHOWN = {
    ["README.md"] = true, ["doc/asynchrony.md"] = true, ["doc/dtypes.md"] = true, ["doc/sorting.md"] = true,
}

describe("a page", function()
    each_page(function(path, text)
        local shows = SHOWN[path] and it or helper.long(it)
        shows("shows scripts and what they print: " .. path, function()
            local plain = text:gsub("\n</?t[%a<>/]+\n", "\n") -- without tables' tags
            for code, rest in plain:gmatch "```lua\n(.-)```%s*()" do
                assert.equal(plain:match("^```\n(.-)```", rest) or "", printed(code))
            end
        end)

        it("names files that are there: " .. path, function()
            for name in text:gmatch "`([%w_]+/[%w_/]+%.%l+)`" do
                assert.is_nil(missing(name))
            end
        end)

        it("links to files and headings that are there: " .. path, function()
            for target in text:gmatch "%]%(([^)%s]+)%)" do
                if not target:find "^%a+://" then
                    assert.is_nil(broken(path, target))
                end
            end
        end)
    end)

    it("names functions and methods that are there", function()
        local has, dtypes = objects(), {}
        has = { lun = has.lun, dev = has.device, a = has.array }
        -- Names that these pages show as not ours, or as made by the reader.
        local others = {
            ["a:astype"] = true, ["lun.float32"] = true, ["lun.linalg"] = true, ["lun.special"] = true,
        }
        local made = { ["doc/building.md"] = true, ["doc/octave_functions.md"] = true }
        local count = 0
        each_page(function(path, text)
            for code in (made[path] and "" or text:gsub("```.-```", "")):gmatch "`([^`]+)`" do
                for call, owner, sign, name in code:gmatch "%f[%w_.:]((%l+)([.:])([%a_][%w_]*))" do
                    if has[owner] and (sign == ":" or owner == "lun") then
                        count = count + 1
                        assert.is_true(rawget(has[owner], name) ~= nil or others[call] or false, path .. ": " .. call)
                    end
                end
            end
        end)
        assert.is_true(count > 500, count)
        for _, dtype in ipairs(lun.dtypes()) do
            dtypes[dtype.name] = true
        end
        local arrays = pages["README.md"]:match "\n## What it has\n.-%*%*Arrays%*%*(.-)\n%-"
        for name in arrays:gmatch "`(.-)`" do
            assert.is_true(dtypes[name], name)
        end
    end)

    it("has scripts: the README one, and most pages", function()
        local count = 0
        each_page(function(path, text)
            local _, here = text:gsub("```lua\n", "")
            count = count + here
            assert.is_true(path ~= "README.md" or here >= 1)
        end)
        assert.is_true(count >= 10)
    end)

    it("is in the list of pages, which the README names", function()
        assert.matches("](doc/index.md)", pages["README.md"], 1, true)
        each_page(function(path)
            local name = path:match "^doc/(.*)$"
            if name and name ~= "index.md" then
                assert.matches("\n- [" .. name .. "](" .. name .. "): ", pages["doc/index.md"], 1, true)
            end
        end)
    end)

    it("with a link that leads nowhere is found out", function()
        assert.is_nil(broken("doc/errors.md", "../README.md#install"))
        assert.matches("doc/README.md is not there", broken("doc/errors.md", "README.md"), 1, true)
        assert.matches("no such heading", broken("README.md", "doc/errors.md#lifetimes"), 1, true)
    end)
end)

describe("the README", function()
    it("shows a picture of a result, in a file of at most 200 KB", function()
        local path = assert(pages["README.md"]:match "!%[[^%]]+%]%(([^)]+)%)")
        local bytes = helper.read_file(path)
        assert.equal("\x89PNG", bytes:sub(1, 4))
        assert.is_true(#bytes <= 200 * 1024)
    end)

    it("has at most 120 lines", function()
        local _, lines = pages["README.md"]:gsub("\n", "")
        assert.is_true(lines <= 120)
    end)
end)

describe("the page of examples", function()
    it("links every example", function()
        local listing <close> = assert(io.popen "cd examples && ls *.lua")
        local count = 0
        for path in listing:lines() do
            count = count + 1
            assert.matches("](" .. path .. ")", pages["examples/README.md"], 1, true)
        end
        assert.is_true(count >= 7)
    end)
end)

describe("the page of all functions and methods", function()
    it("is printed from rows and annotations", function()
        local pipe <close> = assert(io.popen "lua5.4 tools/reference.lua")
        assert.equal(pipe:read "a", pages["doc/reference.md"], "lua5.4 tools/reference.lua >doc/reference.md")
    end)

    it("has each function of the module and each method of its objects", function()
        for owner, list in pairs(objects()) do
            for name, value in pairs(list) do
                if type(value) == "function" and not name:find "^_" then
                    local call = "[:.]" .. name:gsub("_$", "") .. "_?%("
                    assert.matches(call, pages["doc/reference.md"], nil, nil, owner .. " has " .. name)
                end
            end
        end
    end)
end)

describe("the page of dtypes", function()
    it("says of each what lun.dtypes says", function()
        local shown = rows_below("doc/dtypes.md", "Element types")
        for i, d in ipairs(lun.dtypes()) do
            assert.same({ d.name, d.stored, tostring(d.bytes), d.computed, d.summed, d.file or "-" }, shown[i])
        end
        assert.equal(#lun.dtypes(), #shown)
    end)

    it("says what two dtypes, and a dtype and a number, give", function()
        local dtypes, wanted = lun.dtypes(), {}
        for i, d in ipairs(dtypes) do
            wanted[i] = { d.name }
            for _, other in ipairs(dtypes) do
                table.insert(wanted[i], lun.promoted(d.name, other.name))
            end
            table.insert(wanted[i], lun.promoted(d.name, 1))
            table.insert(wanted[i], lun.promoted(d.name, 1.5))
            table.insert(wanted[i], lun.promoted(d.name, lun.i))
        end
        assert.same(wanted, rows_below("doc/dtypes.md", "Two arrays together"))
    end)

    it("lists the operations that always give floats by what dev:operations says", function()
        local wanted, shown = {}, {}
        for _, operation in ipairs(lun.device():operations()) do
            if operation.gives then
                wanted[operation.name] = operation.gives
            end
        end
        for _, row in ipairs(rows_below("doc/dtypes.md", "Operations that always give floats")) do
            for name in row[7]:gmatch "%S+" do
                shown[name] = row[1]
            end
        end
        assert.same(wanted, shown)
    end)
end)

describe("the page of arithmetic", function()
    it("has the limits of the core", function()
        local text = pages["doc/arithmetic.md"]:gsub("\n", " ")
        local limits = { text:match("A fused function takes at most (%d+) arrays and (%d+) numbers, gives at most "
            .. "(%d+) results, and has at most (%d+) steps") }
        local arrays, several, x = {}, {}, lun.ones { 2 }
        for i = 1, 80 do
            arrays[i], several[i] = lun.full({ 2 }, i), i
        end
        local function sum(a, ...)
            for i = 1, select("#", ...) do
                a = a + select(i, ...)
            end
            return a
        end
        local function long(a)
            for _ = 1, 5000 do
                a = a:neg():exp()
            end
            return a
        end
        local function many(a)
            local results = {}
            for i = 1, 40 do
                results[i] = a + i
            end
            return table.unpack(results)
        end
        local function most(f, ...)
            local _, problem = pcall(lun.fuse(f), ...)
            return problem:match "more than (%d+)" or problem:match "at most (%d+)"
        end
        assert.same(limits, { most(sum, table.unpack(arrays)), most(sum, x, table.unpack(several)), most(many, x),
            most(long, x) })
        assert.equal(tostring(lun.device():info().programs.most_generated),
            text:match "The device keeps the last (%d+) such kernels")
    end)
end)

describe("the page of performance", function()
    it("has the variants of each operation, best first", function()
        local headings = {
            csr_matmul = "csr_matmul", reduce = "reduce", copy = "copy", fill = "fill",
            transpose = "transpose", matmul = "matmul",
            map = "map", fft = "fft", nbody = "nbody, gravity, energy", gravity = "nbody, gravity, energy",
            energy = "nbody, gravity, energy", take = "take, put, add_at", put = "take, put, add_at",
            add_at = "take, put, add_at", mul_at = "take, put, add_at", min_at = "take, put, add_at",
            max_at = "take, put, add_at", mask = "mask, mask_put, nonzero", mask_put = "mask, mask_put, nonzero",
            nonzero = "mask, mask_put, nonzero", random = "random, normal, randint",
            normal = "random, normal, randint", randint = "random, normal, randint", scan = "scan",
            bincount = "bincount, histogram, histogram2d", histogram = "bincount, histogram, histogram2d",
            histogram2d = "bincount, histogram, histogram2d", histogramdd = "bincount, histogram, histogram2d" }
        for _, operation in ipairs { "sort", "argsort", "unique" } do
            headings[operation] = "sort, argsort, unique"
        end
        for _, operation in ipairs { "topk", "median", "quantile", "nanmedian", "nanquantile" } do
            headings[operation] = "topk, median, quantile, nanmedian, nanquantile"
        end
        for _, operation in ipairs { "solve", "inv", "det", "slogdet", "cholesky", "lu_factor", "lu_solve", "qr",
            "lstsq", "eigh", "eigvalsh", "eig", "eigvals", "svd", "svdvals", "cholesky_", "lu_factor_",
            "cholesky_solve" } do
            headings[operation] = "linear algebra"
        end
        local _, message = pcall(function() lun.device():variants "" end)
        for operation in message:match("has variants; (.*) have$"):gsub(" and", ","):gmatch "[%w_]+" do
            local place = {}
            for i, row in ipairs(headings[operation] and rows_below("doc/performance.md", headings[operation]) or {}) do
                place[row[1]] = i
            end
            helper.each_device(function(dev)
                local last = 0
                for _, variant in ipairs(#dev:variants(operation) > 1 and dev:variants(operation) or {}) do
                    assert.is_true((place[variant] or 0) > last, operation .. " " .. variant)
                    last = place[variant]
                end
            end)
        end
    end)
end)
