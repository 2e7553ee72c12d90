-- Random programs of operators, functions, reductions, views and other words: fused functions give what the words give
-- one by one.

local lun = require "lunarray"
local helper = require "spec.helper"
local numbers = require "spec.numbers"

local PROGRAMS = helper.ALL and 1000 or 30
local SHAPES = { { 3, 4 }, { 4, 4 }, { 1, 5 }, { 6 }, { 2, 3, 4 } }
local DTYPES = { "f32", "f64", "f32", "i32" }

-- Of numbers too, where a reduction has given one.
local arithmetic = {
    function(a, b) return a + b end, function(a, b) return a * b end, function(a, b) return a - b end,
}

local last, first = { axis = -1, keepdims = true }, { axis = 1, keepdims = true }
local words = {
    function(a, b) return a:maximum(b) end, function(a, b) return a:lt(b):where(a, b) end,
    function(a) return a:abs() end, function(a) return a:exp():minimum(10) end, function(a) return -a end,
    function(a) return a:sin() end, function(a) return a * 0.5 end, function(a) return a + 1 end,
    function(a) return a:sum(last) end, function(a) return a:max(first) end, function(a) return a:mean { axis = 1 } end,
    function(a) return a:sum() end, function(a) return a:mean() end, function(a) return a:std(last) end,
    function(a) return a:var { axis = 1 } end, function(a) return a:norm() end,
    function(a) return a:argmax { axis = 1 } end,
    function(a) return a:t() end, function(a) return a:flip(1) end, function(a) return a:slice { 1, -1 } end,
    function(a) return a:row(1) end, function(a) return a:reshape(-1) end, function(a) return a:expand(1) end,
    function(a) return a:squeeze() end, function(a) return a:roll(1, 1) end, function(a) return a:pad(1) end,
    function(a, b) return a:matmul(b:t()) end, function(a, b) return a:dot(b) end, function(a) return a:cov() end,
    function(a) return a:sort() end, function(a) return a:median { axis = 1 } end, function(a) return a:transpose() end,
    function(a) return a:cumsum { axis = 1 } end, function(a, b) return lun.concat({ a, b }, 1) end,
    function(a) return a:cast "f64" end, function(a) return a:cast "i32" end, function(a) return a:copy() end,
    function(a) return a:diff() end, function(a) return a:clamp(-1, 1) end, function(a) return a:softmax() end,
    function(a) return a:nan_to_num() end, function(a, b) return a:isclose(b) end,
    function(a) return a:take({ 1 }, 1) end,
}

local function is_number(x)
    return lun.type(x) ~= "array" or x:ndim() == 0
end

-- A program: steps of what is there already. One that a word refuses is left out.
local function program(random)
    local steps, results = {}, random(1, 3)
    for i = 1, random(3, 9) do
        local list = random(1, 4) == 1 and arithmetic or words
        steps[i] = { word = list[random(1, #list)], numbers = list == arithmetic, random(1, i + 1), random(1, i + 1) }
    end
    return function(x, y)
        local values = { x, y }
        for _, step in ipairs(steps) do
            local a, b = values[step[1]], values[step[2]]
            a = is_number(a) and x or a
            b = is_number(b) and not step.numbers and y or b
            local ok, value = pcall(step.word, a, b)
            table.insert(values, ok and value ~= nil and value or a)
        end
        return table.unpack(values, #values - results + 1)
    end
end

helper.describe_each_device("fuse", function(dev)
    -- Sums in another order, and products that are contracted, differ by a few units of the last place of the largest
    -- value.
    local UNITS = 16

    local function distance(expected, got)
        if expected == got or expected ~= expected and got ~= got then
            return 0
        end
        return math.abs(expected - got)
    end

    local function check(seed, expected, got)
        if lun.type(expected) ~= "array" then
            local most = math.type(expected) == "float" and UNITS * 2 ^ -24 * math.abs(expected) or 0
            assert.is_true(expected == got or distance(expected, got) <= most, "program " .. seed)
            return
        end
        assert.same({ expected:dtype(), expected:shape() }, { got:dtype(), got:shape() }, "program " .. seed)
        if expected:equal(got) then
            return
        end
        local unit = ({ f32 = 2 ^ -24, f64 = 2 ^ -53 })[expected:dtype()]
        assert.is_number(unit, ("program %d: %s differ"):format(seed, expected:dtype()))
        local list, others, largest, furthest = expected:reshape(-1):totable(), got:reshape(-1):totable(), 0, 0
        for i, value in ipairs(list) do
            largest = value == value and math.max(largest, math.abs(value)) or largest
            furthest = math.max(furthest, distance(value, others[i]))
        end
        assert.is_true(furthest <= UNITS * unit * largest,
            ("program %d: %g apart, of %g"):format(seed, furthest, largest))
    end

    it("gives what its function gives of arrays, for random programs", function()
        local arrays = 0
        for seed = 1, PROGRAMS do
            local random = numbers.generator(seed)
            local shape, dtype = SHAPES[random(1, #SHAPES)], DTYPES[random(1, #DTYPES)]
            dtype = dtype == "f64" and not dev:info().fp64 and "f32" or dtype
            local scale, f = dtype == "i32" and 10 or 1, program(random)
            local x = (dev:random(shape, { seed = seed, low = -2, high = 2 }) * scale):cast(dtype)
            local y = (dev:random(shape, { seed = seed + PROGRAMS, low = -2, high = 2 }) * scale):cast(dtype)
            local expected, got = table.pack(f(x, y)), table.pack(lun.fuse(f)(x, y))
            assert.equal(expected.n, got.n)
            for i = 1, expected.n do
                arrays = arrays + (lun.type(expected[i]) == "array" and 1 or 0)
                check(seed, expected[i], got[i])
            end
        end
        assert.is_true(arrays > PROGRAMS)
    end)
end)
