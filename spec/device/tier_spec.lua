-- Kernels of expressions, which PoCL builds without optimisations first and again when their work has grown.

local lun = require "lunarray"
local helper = require "spec.helper"

-- ---- bits -----------------------------------------------------------------------------------------------------------

-- Prints, for each function of map.def and each reduction of a dtype, its name and its results of values that tend to
-- go wrong, with all NaNs alike: OpenCL leaves their sign open.
local RESULTS = [[
    local lun = require "lunarray"
    local dev = lun.device()
    local dtype, fused, names, folds = DTYPE, FUSED, NAMES, FOLDS
    local huge, nan = math.huge, 0 / 0
    local list, random = {}, 1
    local function add(value)
        if pcall(dev.array, dev, { value }, dtype) then
            list[#list + 1] = value
        end
    end
    if dtype == "bool" then
        list = { true, false, true, true, false }
    elseif dtype:find "f" then
        for _, x in ipairs { 0.0, 1.0, 0.5, 1.5, 2.5, 3.0, 0.1, 0.7, 88.7, 103.9, 255.0, 1000.0, 65504.0, 3e9,
            2.0 ^ 53 + 2, 2.0 ^ 63, 2.0 ^ 64, 3.4e38, 2.0 ^ -126, 2.0 ^ -133, 2.0 ^ -149, 2.0 ^ -24, 1e-300, 709.7,
            745.0, 1.7e308, 5e-324, huge, math.pi } do
            add(x)
            add(-x)
        end
        add(nan)
    else
        for _, n in ipairs { 0, 1, 2, 3, 5, 7, 8, 10, 15, 31, 32, 33, 63, 64, 65, 100, 127, 128, 255, 32767, 65535,
            2 ^ 31 - 1 | 0, 2 ^ 31 | 0, 2 ^ 32 | 0, math.maxinteger, math.mininteger } do
            add(n)
            add(-n)
        end
    end
    for _ = 1, 9 do
        random = (random * 1103515245 + 12345) % 2 ^ 31 | 0
        add(dtype == "bool" and random % 3 == 0 or (random // 7) % 120 - (dtype:sub(1, 1) == "u" and 0 or 20))
        add(random / 2 ^ 31 - 0.5)
    end
    local n = #list
    local x = dev:array(list, dtype)
    local a = x:reshape(n, 1):broadcast(n, n):copy()
    local b = x:reshape(1, n):broadcast(n, n):copy()
    local c = a:flip():copy()

    -- The bytes as text, in which every NaN is the same.
    local function text(result)
        if type(result) ~= "userdata" then
            local shown = math.type(result) == "float" and ("%a"):format(result) or tostring(result)
            return result ~= result and "nan" or shown
        end
        local bytes, kind = result:tobytes(), result:dtype()
        local is_float = kind == "f32" or kind == "f64"
        if not is_float and kind:sub(-3) ~= "f16" then
            return bytes:gsub(".", function(byte) return ("%02x"):format(byte:byte()) end)
        end
        local parts, size = {}, kind == "f64" and 8 or kind == "f32" and 4 or 2
        local infinity = kind == "f16" and 0x7c00 or 0x7f80
        for at = 1, #bytes, size do
            local item = bytes:sub(at, at + size - 1)
            local value = string.unpack(is_float and (size == 8 and "d" or "f") or "H", item)
            local no = is_float and value ~= value or not is_float and value & 0x7fff > infinity
            parts[#parts + 1] = no and "nan" or ("%x"):format(string.unpack("I" .. size, item))
        end
        return table.concat(parts, " ")
    end
    local function show(name, results)
        for i, result in ipairs(results) do
            print(name .. " " .. i .. ": " .. text(result))
        end
    end

    -- The functions that take the dtype, of 2, 1 or 3 operands; in groups that are one kernel each.
    local group, said = {}, {}
    local function flush()
        local taken = group
        group = {}
        if #taken > 0 then
            show(table.concat(taken, " "), { lun.fuse(function(p, q, r)
                local results = {}
                for i, name in ipairs(taken) do
                    results[i] = said[name] == 1 and p[name](p) or said[name] == 2 and p[name](p, q) or p[name](p, q, r)
                end
                return table.unpack(results)
            end)(a, b, c) })
        end
    end
    local few = x:slice { 1, 2 }
    for name, arity in names:gmatch "(%w+)=(%d)" do
        said[name] = tonumber(arity)
        local operands = { few, few, few }
        if pcall(few[name], table.unpack(operands, 1, said[name])) then
            if fused then
                group[#group + 1] = name
                if #group == 8 then
                    flush()
                end
            else
                operands = said[name] == 1 and { x } or { a, b, c }
                show(name, { x[name](table.unpack(operands, 1, said[name])) })
            end
        end
    end
    flush()
    local rows = {} -- each has a few of the values many times, so that not all of them have a NaN
    for i = 1, 40 do
        rows[i] = {}
        for j = 1, 150 do
            rows[i][j] = list[(7 * i + j * (i % 5 + 1) % (i % 6 + 2)) % n + 1]
        end
    end
    local m = dev:array(rows, dtype)
    for name in folds:gmatch "%g+" do
        for _, options in ipairs(fused and { { axis = 2 } } or { { axis = 2 }, { axis = 1 }, {} }) do
            local ok, result = pcall(m[name], m, options)
            if ok then
                show(name .. " " .. (options.axis or "all"), { result })
            end
        end
    end
]]

-- The methods of map.def with their arities, "add=2 sub=2 ...", and those of reduce.def, "sum prod ...".
local function functions()
    local names, folds = {}, {}
    local text = helper.read_file "src/core/op/expression/map.def"
    for at, name in text:gmatch "\n()MAP%((%w+)," do
        names[#names + 1] = name .. "=" .. text:sub(at, at + 900):match "(%d), %u[%u_]+, %u+, %u+,"
    end
    for name in helper.read_file("src/core/op/reduce/reduce.def"):gmatch "\n%u+%((%l[%w_]+), \"" do
        folds[#folds + 1] = name
    end
    assert.is_true(#names > 90 and #folds > 25)
    return table.concat(names, " "), table.concat(folds, " ")
end

-- Those that are compared every day: of each kind of instruction some.
local FEW = "add=2 mul=2 div=2 mod=2 pow=2 sqrt=1 fma=3 exp=1 minimum=2 clamp=3 "
    .. "round=1 sin=1 log1p=1 erf=1 hypot=2 rsqrt=1"

local function lines(dtype, fused, flags, names, folds)
    if not names then
        names, folds = functions()
    end
    local source = RESULTS:gsub("DTYPE", ("%q"):format(dtype)):gsub("FUSED", tostring(fused))
        :gsub("NAMES", ("%q"):format(names)):gsub("FOLDS", ("%q"):format(folds))
    local list = {}
    local env = { POCL_EXTRA_BUILD_FLAGS = flags, LUNARRAY_TIER = "0" }
    for line in helper.child(source, { env = env }):gmatch "[^\n]+" do
        list[#list + 1] = line
    end
    return list
end

-- Of all functions, or of those that are named.
local function compare(dtype, fused, names, folds)
    local plain = lines(dtype, fused, "-cl-opt-disable", names, folds)
    local optimised = lines(dtype, fused, false, names, folds)
    assert.is_true(#plain > (names and 15 or 30), "results")
    assert.equal(#plain, #optimised)
    for i, line in ipairs(plain) do
        assert.is_true(line == optimised[i], ("%s: %s"):format(dtype, line:match "^[^:]+"))
    end
end

-- PoCL 3 is the version whose kernels are built twice.
local info = lun.device():info()
local on_pocl = info.platform == "Portable Computing Language" and info.driver:find "^3%."
local it_on_pocl = on_pocl and it or function(title) pending(title .. ": PoCL 3 alone") end

describe("kernels of expressions", function()
    it_on_pocl("compute the same bits with optimisations and without, many functions in one", function()
        compare("f32", true, FEW, "sum var argmin norm logsumexp")
    end)

    helper.long(it_on_pocl)("compute the same bits with optimisations and without, all of two dtypes", function()
        compare("f32", true)
        compare("i32", true)
    end)

    for dtype in ("f64 f32 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64 bool"):gmatch "%w+" do
        local title = "compute the same bits with optimisations and without, each alone, of " .. dtype
        helper.long(it_on_pocl)(title, function() compare(dtype, false) end)
    end
end)

-- ---- the exchange ---------------------------------------------------------------------------------------------------

local HEADER = [[
    local lun = require "lunarray"
    local dev = lun.device()
    local function counts()
        local programs = dev:info().programs
        return programs.built, programs.exchanged
    end
    local few = dev:arange(1, 1000, { dtype = "f32" })
    local many = dev:arange(1, 100000, { dtype = "f32" })
    local f = lun.fuse(function(a) return (a * 2 + 1):sqrt() end)
    local function grow() -- what 1000 elements have taken is nothing, what 10^8 have taken is enough
        for _ = 1, 1000 do
            f(many)
        end
        dev:finish()
    end
    local function right()
        return f(few):get(4) == 3
    end
]]

-- Runs it in a process with that cache and the first tier.
local function run(source, cache, options)
    options = options or {}
    options.env = { POCL_EXTRA_BUILD_FLAGS = false, POCL_CACHE_DIR = cache, LUNARRAY_COMPANION = "0",
        LUNARRAY_TIER = options.tier or false, LUNARRAY_KERNELS = "" }
    return helper.child(HEADER .. source, options)
end

local function with_cache(f)
    local path = os.tmpname()
    os.remove(path)
    assert(os.execute("mkdir " .. path))
    local results = table.pack(pcall(f, path))
    os.execute("chmod -R u+w " .. path .. "; rm -r " .. path)
    assert(results[1], results[2])
end

describe("a kernel without optimisations", function()
    it_on_pocl("is exchanged when its work has grown, and taken optimised by the next process", function()
        with_cache(function(cache)
            run([[
                assert(right())
                local built, exchanged = counts()
                assert(exchanged == 0)
                local kept = f(few)
                grow()
                local later, now = counts()
                assert(now == 1, now)
                assert(later == built + 1, later - built)
                grow()
                assert(select(2, counts()) == 1)
                assert(right() and kept:get(4) == 3)
                assert(kept:eq(f(few)):all())
            ]], cache)
            run([[
                assert(right())
                local built = counts()
                grow()
                local later, exchanged = counts()
                assert(later == built and exchanged == 0)
            ]], cache)
        end)
    end)

    it_on_pocl("is never one that begins with many elements, nor any where the variable says so", function()
        with_cache(function(cache)
            run([[
                local large = lun.fuse(function(a) return (a * 3 + 1):sqrt() end)
                large(dev:zeros { 4000000 })
                local built = counts()
                for _ = 1, 20 do
                    large(dev:zeros { 4000000 })
                end
                dev:finish()
                local later, exchanged = counts()
                assert(later == built and exchanged == 0)
            ]], cache)
            run([[
                assert(right())
                local built = counts()
                grow()
                local later, exchanged = counts()
                assert(later == built and exchanged == 0)
            ]], cache, { tier = "0" })
        end)
    end)

    it_on_pocl("is exchanged in every process where nothing can be kept", function()
        with_cache(function(cache)
            helper.write_file(cache .. "/lunarray", "a file, where the folder would be")
            for _ = 1, 2 do
                run([[
                    assert(right())
                    grow()
                    assert(select(2, counts()) == 1)
                    assert(right())
                ]], cache)
            end
        end)
    end)

    it_on_pocl("stays where the second build fails, and nothing is lost", function()
        with_cache(function(cache)
            run([[
                local core = require "lunarray.core"
                local out = dev:zeros { 100000 }
                local function map(x, into)
                    return dev:map("sqrt(a * 2 + 1)", { a = x }, { out = into })
                end
                local before = map(few)
                -- The first call of OpenCL fails: in most calls it is another one, in one the second build.
                for _ = 1, 1000 do
                    core.fault_after(1, -11) -- CL_BUILD_PROGRAM_FAILURE
                    local fine, problem = pcall(map, many, out)
                    core.fault_after(0, 0)
                    assert(fine or tostring(problem):find("CL_BUILD_PROGRAM_FAILURE", 1, true), problem)
                end
                for _ = 1, 1000 do
                    map(many, out)
                end
                assert(select(2, counts()) == 0) -- it would be 1 had the second build not failed
                assert(out:get(4) == 3 and map(few):eq(before):all())
            ]], cache, { cpath = "build/faults/?.so" })
        end)
    end)
end)
