-- The dtype where none is named: lun.default_dtype, dev:default_dtype, lun.with and LUNARRAY_DTYPE.

local lun = require "lunarray"
local helper = require "spec.helper"

local dev = lun.device()

-- name = what gives an array of floats without a dtype
local MAKERS = {
    zeros = function() return dev:zeros { 2 } end,
    ones = function() return dev:ones { 2 } end,
    full = function() return dev:full({ 2 }, 1) end,
    empty = function() return dev:empty { 2 } end,
    eye = function() return dev:eye(2) end,
    tri = function() return dev:tri(2) end,
    arange = function() return dev:arange(0, 1, 0.5) end,
    linspace = function() return dev:linspace(0, 1, 3) end,
    logspace = function() return dev:logspace(0, 1, 3) end,
    geomspace = function() return dev:geomspace(1, 4, 3) end,
    ["a table"] = function() return dev:array { 1, 2 } end,
    ["a number"] = function() return dev:array(1.5) end,
    ["a string"] = function() return dev:array(("\0"):rep(8)) end,
    random = function() return dev:random { 2 } end,
    normal = function() return dev:normal { 2 } end,
    ["rng:uniform"] = function() return dev:rng(1):uniform { 2 } end,
    ["rng:exponential"] = function() return dev:rng(1):exponential { 2 } end,
    window = function() return dev:window("hann", 4) end,
    fftfreq = function() return dev:fftfreq(4) end,
    sparse = function() return lun.sparse { rows = { 1 }, cols = { 1 }, values = 1, shape = { 1, 1 } }:values() end,
    ["a list of values"] = function()
        return lun.sparse { rows = { 1 }, cols = { 1 }, values = { 1 }, shape = { 1, 1 } }:values()
    end,
    ["sparse.eye"] = function() return lun.sparse.eye(2):values() end,
    ["sparse.diags"] = function() return lun.sparse.diags({ 1 }, { 0 }, { shape = { 2, 2 } }):values() end,
}

local function dtypes_of(makers)
    local found = {}
    for name, make in pairs(makers) do
        found[name] = make():dtype()
    end
    return found
end

local function all(makers, dtype)
    local expected = {}
    for name in pairs(makers) do
        expected[name] = dtype
    end
    return expected
end

describe("the default dtype", function()
    after_each(function()
        lun.default_dtype "f32"
    end)

    it("is f32, and of all that makes floats what it is set to", function()
        assert.equal("f32", lun.default_dtype())
        assert.same(all(MAKERS, "f32"), dtypes_of(MAKERS))
        for _, dtype in ipairs { "f64", "f16" } do
            if helper.can(function() dev:zeros({ 1 }, dtype) end) then
                assert.equal(dtype, lun.default_dtype(dtype))
                assert.equal(dtype, lun.default_dtype())
                local makers = helper.merged(MAKERS)
                makers.geomspace, makers.logspace = dtype == "f64" and makers.geomspace or nil, nil
                assert.same(all(makers, dtype), dtypes_of(makers))
            end
        end
    end)

    it("is that of text files and raw files", function()
        helper.with_file(function(path)
            dev:array({ 1, 2 }, "f64"):savetxt(path)
            assert.equal("f64", lun.with "f64"(dev.loadtxt, dev, path):dtype())
            dev:array({ 1, 2 }, "f64"):tofile(path)
            helper.check_array(lun.with "f64"(dev.fromfile, dev, path), "f64", { 2 }, { 1.0, 2.0 })
        end)
    end)

    it("is in pairs that of complex numbers, and leaves whole numbers and truth values alone", function()
        lun.default_dtype "f64"
        local given = { lun.array { lun.i }, lun.full({ 2 }, lun.i), lun.linspace(0, lun.i, 3), lun.arange(3),
            lun.rng(1):integers({ 2 }, 1, 6), lun.array { true }, lun.full({ 1 }, true), lun.array({ 1 }, "f32"),
            lun.zeros { 1, dtype = "i8" }, lun.array { 1, 2 }:cast("f32"):zeros_like() }
        local dtypes = {}
        for i, array in ipairs(given) do
            dtypes[i] = array:dtype()
        end
        assert.same({ "c128", "c128", "c128", "i64", "i64", "bool", "bool", "f32", "i8", "f32" }, dtypes)
    end)

    -- Operations that make floats of an array of integers or of truth values.
    local from_integers = {
        ["i / 2"] = function(i) return i / 2 end,
        ["i + 0.5"] = function(i) return i + 0.5 end,
        ["i ^ 2 of few bits"] = function(i) return i:cast "i8" ^ 2 end,
        ["i:cos()"] = function(i) return i:cos() end,
        ["i:atan2(2)"] = function(i) return i:atan2(2) end,
        ["i:clamp(0.5, 2)"] = function(i) return i:clamp(0.5, 2) end,
        ["b:where(1.9, -3)"] = function(i) return i:gt(1):where(1.9, -3) end,
        ["b * 0.5"] = function(i) return i:gt(1) * 0.5 end,
        ["i:frexp()"] = function(i) return i:frexp() end,
        ["i:complex(i)"] = function(i) return i:complex(i):real() end,
        ["i * lun.i"] = function(i) return (i * lun.i):real() end,
        map = function(i) return dev:map("i * x", { i = i, x = 0.5 }) end,
    }

    it("is what integers become", function()
        local i = dev:array({ 1, 2, 3 }, "i32")
        local fused = {}
        for name, f in pairs(from_integers) do
            fused[name] = name ~= "map" and lun.fuse(f) or f
        end
        for _, dtype in ipairs { "f32", "f64", "f32" } do
            if helper.can(function() dev:zeros({ 1 }, dtype) end) then
                lun.default_dtype(dtype)
                for name, f in pairs(from_integers) do
                    assert.equal(dtype, f(i):dtype(), name)
                    assert.equal(dtype, fused[name](i):dtype(), "fused: " .. name)
                end
                assert.equal(dtype, lun.promoted("i32", 0.5))
                assert.equal(dtype == "f64" and 1 / 3 or 0x1.555556p-2, (i / 3):get(1))
                assert.same({ "f32", "f16", "i32" }, { -- floats and whole numbers keep theirs
                    (dev:array({ 1 }, "f32") / 2):dtype(), (dev:array({ 1 }, "f16") * i):dtype(), (i + 1):dtype() })
                helper.refused("add_: out is i32; the result is " .. dtype, i, 0.5)
            end
        end
    end)

    it("is that of the place in a fused function", function()
        local i = dev:array({ 1, 2, 3 }, "i32")
        local thirds = lun.fuse(function(a)
            return a / 3, lun.with "f64"(function() return a / 3 end)
        end)
        local narrow, wide = thirds(i)
        assert.same({ "f32", "f64" }, { narrow:dtype(), wide:dtype() })
        assert.equal(1 / 3, wide:get(1))
        assert.equal(0x1.555556p-2, narrow:get(1))
    end)

    it("holds for one device alone", function()
        assert.equal("50 f64 f64 f32 f16", (helper.child([[
            local lun = require "lunarray"
            local dev = lun.device()
            local other = lun.with "f16"
            print(50, dev:default_dtype "f64", lun.zeros { 1 }:dtype(), lun.default_dtype(),
                other(function() return lun.zeros { 1 }:dtype() end))
        ]]):gsub("%s+", " "):gsub(" $", "")))
    end)

    it("comes from the environment", function()
        local source = [[print(require("lunarray").zeros { 1 }:dtype())]]
        assert.equal("f64\n", helper.child(source, { env = { LUNARRAY_DTYPE = "f64" } }))
        assert.equal("f32\n", helper.child(source, { env = { LUNARRAY_DTYPE = "" } }))
        local output = helper.run(source, { env = { LUNARRAY_DTYPE = "float64" } })
        assert.matches("zeros: LUNARRAY_DTYPE: unknown dtype 'float64', which is f64 here", output, 1, true)
        output = helper.run(source, { env = { LUNARRAY_DTYPE = "i32" } })
        assert.matches("zeros: LUNARRAY_DTYPE: a float dtype is expected (f16, bf16, f32 or f64), got i32", output, 1,
            true)
    end)

    it("refuses what is no dtype of floats", function()
        helper.refused("default_dtype: argument 1: unknown dtype 'double', which is f64 here", lun, "double")
        helper.refused("default_dtype: argument 1: a float dtype is expected (f16, bf16, f32 or f64), got c64", lun,
            "c64")
        helper.refused("default_dtype: argument 1: a dtype (a string, as \"f64\") is needed, got a number", lun, 64)
        helper.refused("default_dtype: argument 1: a float dtype is expected (f16, bf16, f32 or f64), got bool", dev,
            "bool")
        helper.refused("default_dtype: argument 1: a dtype (a string, as \"f64\") is needed, got nil", dev, nil)
        assert.equal("f32", lun.default_dtype())
    end)
end)

describe("with", function()
    after_each(function()
        lun.default_dtype "f32"
    end)

    local function now()
        return lun.zeros { 1 }:dtype()
    end

    it("sets the dtype for one call, and gives its results", function()
        assert.same({ "f64", 1, nil, 3, n = 4 },
            table.pack(lun.with { dtype = "f64" } (function(...) return now(), ... end, 1, nil, 3)))
        assert.equal("f32", now())
        assert.same({ n = 0 }, table.pack(lun.with "f64"(function() end)))
    end)

    it("keeps what an inner one does not name", function()
        local inner, after = lun.with "f64"(function()
            return lun.with { device = dev } (now), lun.with "f16"(now) .. now()
        end)
        assert.same({ "f64", "f16f64", "f32" }, { inner, after, now() })
    end)

    it("ends what default_dtype sets within it", function()
        lun.with "f64"(function()
            lun.default_dtype "f16"
            assert.equal("f16", now())
        end)
        assert.equal("f32", now())
        lun.with { device = dev } (lun.default_dtype, "f64")
        assert.equal("f32", now())
    end)

    it("ends with an error, whose traceback is whole", function()
        local ok, message = xpcall(lun.with "f64", debug.traceback, function() error("wrong", 0) end)
        assert.is_false(ok)
        assert.matches("^wrong\nstack traceback:.*default_dtype_spec.lua:%d+", message)
        assert.equal("f32", now())
    end)

    it("holds in its own coroutine while others have theirs", function()
        local turn = coroutine.wrap(function()
            lun.with "f64"(function()
                coroutine.yield(now())
                coroutine.yield(now())
            end)
            return now()
        end)
        assert.same({ "f64", "f32" }, { turn(), now() })
        assert.same({ "f64", "f16" }, { lun.with "f16"(function() return turn(), now() end) })
        assert.equal("f32", now())
        assert.equal("f32", turn())
        assert.equal("f64", lun.with "f64"(coroutine.wrap(now)))
    end)

    it("ends with a coroutine that is closed, that has failed, or that nobody resumes", function()
        local function start(f)
            local thread = coroutine.create(lun.with "f64")
            coroutine.resume(thread, f)
            return thread
        end
        local left = start(coroutine.yield)
        assert.equal("f32", now())
        assert.is_true(coroutine.close(left))
        start(error)
        assert.equal("f32", now())
        start(coroutine.yield)
        collectgarbage()
        assert.equal("f32", now())
    end)

    local with_pocl = helper.has_pocl() and it or pending -- which makes a second device
    with_pocl("sets the default device", function()
        assert.equal("true 2 f64 true", (helper.child([[
            local lun = require "lunarray"
            local second = lun.devices()[2]
            local in_it, made, dtype = lun.with { device = second, dtype = "f64" } (function()
                return lun.device() == second, lun.zeros { 1 }, lun.default_dtype()
            end)
            print(in_it, made:device() == second and 2, dtype,
                lun.with { device = "cpu" } (lun.device) == lun.device "cpu")
        ]], { env = { POCL_DEVICES = "pthread pthread", LUNARRAY_DEVICE = false } }):gsub("%s+", " "):gsub(" $", "")))
    end)

    it("refuses what it does not know", function()
        helper.refused('with: argument 1: a dtype (a string, as "f64") or a table of options is needed, got nothing',
            lun)
        helper.refused('with: a dtype, a device or reproducible is expected: lun.with{dtype = "f64"}(f, ...)', lun, {})
        helper.refused("with: unknown option 'dtyp'; known are dtype, device, reproducible", lun, { dtyp = "f64" })
        helper.refused("with: option 'dtype': a string is needed, got a number", lun, { dtype = 3 })
        helper.refused("with: option 'dtype': a float dtype is expected (f16, bf16, f32 or f64), got i8", lun,
            { dtype = "i8" })
        helper.refused("with: option 'device': a device or a selector (a string) is expected, got a number", lun,
            { device = 3 })
        helper.refused("with: option 'reproducible' must be true or false, got a number", lun, { reproducible = 1 })
        helper.refused("with: argument 2: nothing after argument 1 is needed, got a function", lun, "f64", print)
        helper.raises('with: a function is expected after the table, lun.with{dtype = "f64"}(f, ...); got a number',
            function() lun.with "f64"(3) end)
    end)
end)
