-- Reductions by operators of the user's own, against plain Lua; values are combined in their order.

local lun = require "lunarray"
local composed = require "spec.reduce.composed"
local helper = require "spec.helper"

local it = helper.one_in(2, it)

local AFTER, after, maps, with = composed.options, composed.both, composed.maps, helper.merged

local function reduced(list, from, to, step)
    local whole = 1
    for i = from, to, step or 1 do
        whole = after(whole, list[i])
    end
    return whole
end

helper.each_device(function(dev, title) describe("operators of the user's own on " .. title, function()
    local variants = helper.variants(dev, "map") -- the names are the same

    -- Calls body(options) for the variants that can do it, and says that one could.
    local function each_variant(body)
        local any = false
        for _, variant in ipairs(variants) do
            any = helper.can(function() body { variant = variant } end) or any
        end
        assert.is_true(any)
    end

    it("chain maps in their order", function()
        for _, size in ipairs { 1, 31, 33, 4097, 40001 } do
            local list = maps(size)
            local array, wanted = dev:array(list, "u64"), reduced(list, 1, size)
            each_variant(function(given)
                assert.equal(wanted, array:reduce(with(AFTER, given)), size)
            end)
        end
    end)

    it("keep the order along each axis, over lists of axes and in views", function()
        local list = maps(6 * 70 * 40)
        local array = dev:array(list, "u64", { 6, 70, 40 })
        each_variant(function(given)
            local last = helper.flat(array:reduce(with(AFTER, with(given, { axis = 3 }))))
            local middle = array:reduce(with(AFTER, with(given, { axis = 2 })))
            assert.equal(reduced(list, 81, 120), last[3])
            assert.equal(reduced(list, 2800 + 5, 5600, 40), middle:get(2, 5))
        end)
        local back = array:slice({ -1, 1, -1 }, { -1, 1, -1 }, { -1, 1, -1 })
        assert.equal(reduced(list, #list, 1, -1), back:reduce(AFTER))
        local outer = array:reduce(with(AFTER, { axis = { 1, 2 } }))
        local both = array:reduce(with(AFTER, { axis = { 2, 3 }, keepdims = true }))
        assert.equal(reduced(list, 7, #list, 40), outer:get(7))
        assert.same({ 6, 1, 1 }, { both:shape() })
        assert.equal(reduced(list, 2801, 5600), both:get(2, 1, 1))
        local turned = array:transpose({ 3, 1, 2 }):reduce(with(AFTER, { axis = 3 }))
        assert.equal(reduced(list, 2800 + 5, 5600, 40), turned:get(5, 2))
    end)

    it("give the last value that is not 0, with an identity or without, of dtypes of each kind", function()
        local list, fp64 = {}, dev:info().fp64
        for i = 1, 3000 do
            list[i] = i % 7 == 0 and i // 7 % 100 or 0
        end
        each_variant(function(given)
            assert.equal(28, dev:array(list, "i32"):reduce(with({ combine = "b != 0 ? b : a" }, given)))
        end)
        for _, dtype in ipairs { "i8", "bf16", fp64 and "f64" } do
            local result = dev:array(list, dtype):reduce { combine = "b != 0 ? b : a", identity = "0", keepdims = true }
            helper.check_array(result, dtype, { 1 }, { dtype == "i8" and 28 or 28.0 })
        end
    end)

    it("map what they combine, in a dtype that is asked for", function()
        local array = dev:array({ 100, 27, -128, 5 }, "i8")
        assert.equal(100 ^ 2 + 27 ^ 2 + 128 ^ 2 + 25, array:reduce { map = "(int)x * x", combine = "a + b",
            identity = "0",
            dtype = "i32" })
        assert.equal(4, array:reduce { combine = "a + b" }) -- i8, as the array
        assert.equal(2.5, dev:array({ 0.5, 2, 2.5 }):reduce { combine = "fmax(a, b)", identity = "-INFINITY" })
    end)

    it("reduce expressions of several arrays and numbers", function()
        local x, y = dev:arange(1000, { dtype = "f32" }), dev:ones { 5, 1000 }
        assert.equal(5 * 500500 * 2.0, dev:reduce({ map = "x * y * k", combine = "a + b", identity = "0" },
            { x = x, y = y, k = 2 }))
        local largest = dev:reduce({ map = "x * y", combine = "max(a, b)" }, { x = x, y = y }, { axis = 2 })
        assert.same({ 1000, 1000, 1000, 1000, 1000 }, largest:totable())
    end)

    it("give the identity for no elements, and raise without one", function()
        each_variant(function(given)
            local product_of = with({ combine = "a * b", identity = "1" }, given)
            assert.equal(1.0, dev:zeros { 0 }:reduce(product_of))
            assert.same({ 1, 1, 1 }, dev:zeros { 0, 3 }:reduce(with(product_of, { axis = 1 })):totable())
            assert.same({ 0 }, { dev:zeros { 0, 3 }:reduce(with(product_of, { axis = 2 })):shape() })
        end)
        helper.raises("reduce: no elements, and the operator has no identity: the reduced extent of shape 0x3 is 0",
            function() dev:zeros { 0, 3 }:reduce { combine = "a * b", axis = 1 } end)
    end)

    it("show the compiler's message at the text of the mistake", function()
        local array = dev:ones { 3 }
        local function message(op)
            local _, raised = pcall(array.reduce, array, op)
            return tostring(raised)
        end
        assert.matches("combine:1:5:.*'c'", message { combine = "a + c", identity = "0" })
        assert.matches("identity:2:1:.*'nothing'", message { combine = "a + b", identity = "\nnothing" })
        assert.matches("map:1:3:.*'y'", message { map = "x+y", combine = "a + b", identity = "0" })
        assert.matches("combine:1:4:", message { combine = "a +" })
        assert.matches("identity:1:4:", message { combine = "a + b", identity = "0 -\n" })
        assert.matches("map:1:3:", message { map = "x*", combine = "a + b" })
        assert.matches("'c'.*\nmap has x; combine has a and b; identity has no names\n$", message { combine = "a + c" })
        local _, problem = pcall(array.scan, array, { map = "y", combine = "a + b" })
        assert.matches("\nmap has x; combine has a and b; identity has no names\n$", problem.log)
        _, problem = pcall(dev.reduce, dev, { map = "x*z + k", combine = "a + b" }, { x = array, y = array, k = 2 })
        assert.matches("argument 'y' does not occur in the expression", problem)
        _, problem = pcall(dev.reduce, dev, { map = "x*z + k*y", combine = "a + b" }, { x = array, y = array, k = 2 })
        assert.matches("\nmap has x, y, k; combine has a and b; identity has no names\n$", problem.log)
        assert.matches("reduce: the expression did not compile", message { combine = "a + c" })
        assert.equal(3.0, array:sum())
    end)

    it("are checked before anything is compiled", function()
        local array = dev:ones { 3 }
        local cases = {
            ["combine is missing: an operator of your own needs an expression of two values a and b"] = { map = "x" },
            ["combine must be one expression of OpenCL C, without ;"] = { combine = "a + b;" },
            ["identity is empty"] = { combine = "a + b", identity = " " },
            ["map has a ^, which is not a power in OpenCL C; write pow(a, b), or for integers a*a or "
                .. "rint(pow((float)a, b))"] = { combine = "a + b", map = "x^2" },
            ["combine has a ( without its )"] = { combine = "max(a, b" },
            ["option 'combine': a string is needed, got a number"] = { combine = 1 },
            ["option 'identity': a string is needed, got a boolean"] = { combine = "a + b", identity = false },
            ["option 'identity': OpenCL C in a string is needed, identity = \"0\", got a number"] =
                { combine = "a + b", identity = 0 },
            ["option 'identity': OpenCL C in a string is needed, identity = \"-INFINITY\", got a number"] =
                { combine = "fmax(a, b)", identity = -math.huge },
            ["accurate, reproducible and ddof are options of the library's ops, not of an operator of your own"] =
                { combine = "a + b", accurate = true },
            ["unknown dtype 'f128'"] = { combine = "a + b", dtype = "f128" },
        }
        for wanted, op in pairs(cases) do
            helper.raises("reduce: " .. wanted, function() array:reduce(op) end)
        end
        local own = "; an operator of your own belongs in a table, "
        helper.raises("scan: unknown op 'a + b'; known are sum, prod, min, max" .. own .. '{combine = "a + b"}',
            function() array:scan("a + b") end)
        local unknown = "reduce: unknown op 'a + b'; known are "
        helper.raises(unknown .. helper.reductions() .. own .. '{combine = "a + b"}',
            function() array:reduce("a + b") end)
        helper.raises(unknown .. helper.reductions(true) .. own .. '{map = "x", combine = "a + b"}',
            function() dev:reduce("a + b", "x", { x = array }) end)
        assert.matches("quantile$", helper.raises("reduce: unknown op 'plus'", function() array:reduce("plus") end))
        helper.raises("reduce: map, combine and identity describe an operator of your own, which replaces "
            .. "an op's name", function() array:reduce("sum", { identity = "0" }) end)
        helper.refused("reduce: accurate, reproducible and ddof are options of the library's ops",
            dev, { map = "x", combine = "a + b" }, { x = array }, { reproducible = true })
        helper.raises("reduce: map is missing: the expression whose values are combined",
            function() dev:reduce({ combine = "a + b" }, { x = array }) end)
        helper.raises("reduce: argument 2: there is no array to compute with",
            function() dev:reduce({ map = "1", combine = "a + b" }, { k = 1 }) end)
    end)
end) end)

describe("an operator of the user's own", function()
    it("is kept by its texts", function()
        local array = lun.ones { 40 }
        assert.equal(40.0, array:reduce { combine = "a + b", identity = "0" })
        assert.equal(1.0, array:reduce { combine = "a * b", identity = "1" })
        assert.equal(80.0, array:reduce { map = "x + 1", combine = "a + b", identity = "0" })
    end)
end)
