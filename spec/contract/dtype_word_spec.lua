-- A dtype as a word: it may stand behind the arguments of every operation that has the option dtype.

local contract = require "spec.contract"
local helper = require "spec.helper"
local lun = require "lunarray"

local dev = lun.device()

local function named(list, name)
    for place, each in ipairs(list) do
        if each.name == name then
            return place
        end
    end
end

local OWNERS = { array = true, device = true, stream = true }

-- What results are, and of whole calls whether they fail.
local function outcome(f, self, list, last)
    local results = table.pack(pcall(f, self, table.unpack(list, 1, last)))
    for i = 2, results.n do
        local result = results[i]
        results[i] = lun.type(result) == "array" and result:dtype() or math.type(result) or lun.type(result)
    end
    return results
end

-- The row's example with a dtype as an option, and as a word: outcomes and, of the second, whether it could be tried.
local function both(row, operation, dtype)
    local list, self = contract.arguments(dev, row, operation)
    if not list or list.spread then
        return nil
    end
    local place, behind = named(operation.arguments, "dtype"), #operation.arguments + 1
    local options, f = helper.merged(list[list.n] or {}), self[row.name]
    options.dtype = dtype
    if place then
        list[place] = nil
    end
    list[behind] = options
    local option = outcome(f, self, list, behind)
    options.dtype = nil
    list[place or behind] = dtype
    list[behind + (place and 0 or 1)] = options
    return option, outcome(f, self, list, behind + 1)
end

describe("a dtype word", function()
    it("is the option dtype, of every operation that has it", function()
        local tried = {}
        for row, operation in contract.rows(dev) do
            if OWNERS[operation.owner] and named(operation.options, "dtype") and not row.name:find "_$" then
                local option, word = both(row, operation, "f64")
                if option and option[1] then
                    assert.same(option, word, row.name)
                    tried[#tried + 1] = row.name
                end
            end
        end
        assert.is_true(#tried >= 35, table.concat(tried, " "))
    end)

    local a = dev:array { { 1, 2, 3 }, { 4, 5, 6 } }

    it("goes before other options", function()
        helper.check_array(a:sum("f64", { axis = 1 }), "f64", { 3 }, { 5.0, 7.0, 9.0 })
        helper.check_array(dev:map("x + 1", { x = a }, "f64"):row(1), "f64", { 3 }, { 2.0, 3.0, 4.0 })
        helper.check_array(dev:indices({ 3 }, "i32"), "i32", { 3 }, { 1, 2, 3 })
        helper.check_array(lun.sparse.eye(2, "f64"):values(), "f64", { 2 }, { 1.0, 1.0 })
        assert.equal("f64", lun.sparse({ rows = { 1 }, cols = { 1 }, values = { 1 }, shape = { 1, 1 } }, "f64"):dtype())
        assert.equal("f64", lun.sparse.diags({ 1 }, { 0 }, "f64"):dtype())
    end)

    it("is refused twice, where there is no such option, and where it is no dtype", function()
        helper.refused("sum: the dtype is given twice: argument 1 and the option 'dtype'", a, "f64", { dtype = "f64" })
        helper.refused("sum: unknown dtype 'flot'", a, "flot")
        helper.refused("ptp: argument 1: a table of options is needed, got a string", a, "f64")
        helper.refused("sparse: the dtype is given twice: argument 2 and the option 'dtype'", lun,
            { rows = { 1 }, cols = { 1 }, values = 1, shape = { 1, 1 }, dtype = "f64" }, "f64")
        helper.refused("sparse: argument 2: nothing after argument 1 is needed, got a table", lun,
            { rows = { 1 }, cols = { 1 }, values = 1, shape = { 1, 1 } }, {})
        helper.refused("indices: 300 is out of range for i8", dev, { 300 }, "i8")
    end)
end)
