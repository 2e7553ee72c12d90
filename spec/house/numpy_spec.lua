-- NumPy's names and ours: each line of the list gives what it says, each name is a method or a hint, and the page has
-- both.

local lun = require "lunarray"
local helper = require "spec.helper"
local names = require "spec.numpy_names"

local dev = lun.device()
local path = os.tmpname()

-- Is `given`, a value or an array, as `expected` says? Numbers within 1e-6 of their size.
local function same(expected, given)
    if type(expected) == "number" then
        given = lun.type(given) == "array" and given:ndim() == 0 and given:get() or given
        return type(given) == "number" and math.abs(given - expected) <= 1e-6 * math.max(1e-6, math.abs(expected))
    elseif type(expected) ~= "table" then
        return expected == given
    elseif expected.shape then
        return same({ lua = expected.shape }, { given:shape() })
    elseif expected.complex then
        return same(expected.complex[1], given.re) and same(expected.complex[2], given.im)
    elseif expected.lua then
        expected = expected.lua
    elseif lun.type(given) == "array" then
        given = given:totable()
    end
    if type(given) ~= "table" or #given ~= #expected then
        return false
    end
    for i = 1, #expected do
        if not same(expected[i], given[i]) then
            return false
        end
    end
    return true
end

local function line_of(text)
    return assert(load(names.inputs .. " return " .. text, "=numpy_names", "t",
        setmetatable({ lun = lun, dev = dev, path = path }, { __index = _G })), text)
end

local function run(row)
    local f = line_of(row[2])
    local results, n = table.pack(f()), 0
    for i = 1, results.n do -- what gives nothing, as a:save, stands before what does
        n = n + (results[i] ~= nil and 1 or 0)
        results[n] = results[i]
    end
    results.n = n
    if type(row[3]) == "table" and row[3].all then
        if results.n ~= #row[3].all then
            return false
        end
        for i = 1, results.n do
            if not same(row[3].all[i], results[i]) then
                return false
            end
        end
        return true
    end
    return results.n == 1 and same(row[3], results[1])
end

describe("NumPy's names", function()
    teardown(function() os.remove(path) end)

    for _, section in ipairs(names.list) do
        it("give what the list says: " .. section[1], function()
            for i = 2, #section do
                assert.is_true(run(section[i]), section[i][2])
            end
        end)
    end

    it("of functions and reductions are methods, or hints that name the method", function()
        local a, count = dev:ones { 2 }, 0
        for _, row in ipairs(names.by_name(lun.operations(), require "lunarray.foreign")) do
            assert.is_function(a[row.name], row.name)
            for _, theirs in ipairs(row.theirs) do
                local name = theirs:match "[%w_]+$"
                if name ~= row.name then
                    local _, problem = pcall(function() return a[name] end)
                    assert.matches(("is %s meant?"):format(row.name), tostring(problem), 1, true)
                end
                count = count + 1
            end
        end
        assert.is_true(count > 100)
        assert.has_error(function() names.by_name({}, {}) end)
    end)

    it("of the standard fail where the list has them in part or not", function()
        for _, row in ipairs(names.standard.partly) do
            assert.is_false(pcall(line_of(row[2])), row[1])
        end
        for _, name in ipairs(names.standard.absent) do
            for _, of in ipairs { "lun", "dev", "a" } do
                assert.is_false(pcall(line_of(("assert(%s[\"%s\"])"):format(of, name))), name)
            end
        end
    end)

    it("are on the page as in the list", function()
        local pipe <close> = assert(io.popen "lua5.4 tools/numpy_page.lua")
        assert.equal(pipe:read "a", helper.read_file "doc/numpy.md", "lua5.4 tools/numpy_page.lua >doc/numpy.md")
    end)

    it("are compared with care", function()
        assert.is_false(same({ 1, 2 }, dev:array { 1, 3 }))
        assert.is_false(same({ 1, 2 }, dev:array { 1, 2, 3 }))
        assert.is_false(same({ shape = { 2 } }, dev:zeros { 3 }))
        assert.is_false(same(true, false))
        assert.is_false(same(1, 1.001))
        assert.is_false(run { "", "1, 2", 1 })
        assert.is_false(run { "", "1, 2", { all = { 1 } } })
    end)
end)
