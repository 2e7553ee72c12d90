-- What a call has no use for is refused: arguments behind the last one, and keys of a list beside its elements.

local lun = require "lunarray"
local contract = require "spec.contract"
local helper = require "spec.helper"

local dev = lun.device()
local a, pos = dev:array { { 1, 2, 3 }, { 4, 5, 6 } }, dev:zeros { 2, 4 }
local square = dev:eye(3)
local program = dev:program "kernel void one(global float *x) { *x = 1; }"

-- As many arguments as each function takes, nil for one that may be left out; false where any number may come.
-- Operations have theirs from spec/calls.lua, below.
local NONE = { n = 0 }
local calls = {
    device = {
        info = NONE, memory = NONE, limit = { nil, n = 1 }, trim = NONE, finish = NONE, operations = NONE,
        variants = { "copy", n = 1 }, load = { "/nowhere/x.npy", n = 1 }, default_dtype = { "f32", n = 1 },
        from_dlpack = { nil, n = 1 },
    },
    array = {
        shape = { 1, n = 1 }, dtype = NONE, ndim = NONE, size = NONE, nbytes = NONE, device = NONE, release = NONE,
        get = false, set = false, host = { "r", n = 1 }, complex_ = { pos, {}, n = 2 },
        filtfilt = { { 1 }, { 1 }, {}, n = 3 }, sosfiltfilt = { { { 1, 0, 0, 1, 0, 0 } }, {}, n = 2 },
    },
    event = {
        wait = { 1, n = 1 }, done = NONE, status = NONE, get = NONE, profile = NONE, release = NONE, pollfd = NONE,
        events = NONE, timeout = NONE,
    },
    queue = { event = NONE, finish = NONE, device = NONE, release = NONE },
    host = { release = NONE, address = NONE, dlpack = NONE },
    program = { kernel = { "one", n = 1 }, kernels = NONE, release = NONE },
    kernel = { info = NONE, run = false, release = NONE },
    rng = { state = NONE, device = NONE },
    sparse = {
        shape = NONE, ndim = NONE, nnz = NONE, dtype = NONE, device = NONE, starts = NONE, cols = NONE, values = NONE,
        release = NONE, save = { "/nowhere/x.mtx", n = 1 }, slice = { {}, {}, n = 2 },
    },
    lun = {
        devices = { "cpu", n = 1 }, device = { nil, n = 1 }, operations = NONE, type = { 1, n = 1 },
        localmem = { 4, n = 1 }, scope = false, profile = false, trace = false, finish = NONE, clock = NONE,
        prepare = { {}, n = 1 }, default_dtype = { "f32", n = 1 }, with = { "f32", n = 1 }, debug = { {}, n = 1 },
        minimize = { print, a, {}, n = 3 }, odeint = { print, a, { 0, 1 }, {}, n = 4 },
        load = { "/nowhere/x.npy", n = 1 }, from_dlpack = { nil, n = 1 },
        wait_all = { {}, nil, n = 2 }, wait_any = { {}, 0, n = 2 }, dtypes = NONE, promoted = { "f32", "i8", n = 2 },
        cg = { square, a:row(1), {}, n = 3 }, bicgstab = { square, a:row(1), {}, n = 3 },
        gmres = { square, a:row(1), {}, n = 3 }, complex = { 1, 2, n = 2 }, fft_length = { 3, n = 1 },
        broadcast = false, meshgrid = false, fuse = { print, n = 1 }, apply_along_axis = { print, 1, a, n = 3 },
        fromfunction = { print, 2, "f32", n = 3 }, piecewise = { a, {}, {}, n = 3 },
        butter = { 1, 0.5, {}, n = 3 }, cheby1 = { 1, 1, 0.5, {}, n = 4 }, freqz = { { 1 }, { 1 }, {}, n = 3 },
    },
}
for name, operands in pairs((lun._functions())) do
    calls.sparse[name] = operands == 1 and NONE or nil
end
local of = { array = "array", sparse = "sparse", device = "device", module = "lun", stream = "rng" }
for row, operation in contract.rows(dev) do
    local owner, call = of[operation.owner], contract.arguments(dev, row, operation)
    if operation.in_place then
        calls.array[row.name .. "_"] = call and not call.spread and call or false
    end
    calls[owner][row.name] = calls[owner][row.name] or call and not call.spread and call or false
    if owner == "device" and rawget(lun, row.name) then
        calls.lun[row.name] = calls.device[row.name]
    end
end

for name, given in pairs(calls.array) do -- functions of the module, whose argument 1 is the array
    if calls.lun[name] == nil and not name:find "_$" then
        local list = given and table.move(given, 1, given.n, 2, { a })
        calls.lun[name] = list and helper.merged(list, { n = given.n + 1 })
    end
end

local selves = {
    device = dev, array = a, event = a:fill(0, { async = true }), queue = dev:queue(), program = program,
    kernel = program:kernel(), rng = dev:rng(1),
    sparse = square:sparse(),
}
a:write { 1, 2, 3, 4, 5, 6 }

local function refused(owner, name, f, self, surplus)
    local given = calls[owner][name]
    local arguments = table.pack(table.unpack(given, 1, given.n))
    arguments[given.n + surplus] = { axis = 1 }
    local count = given.n + surplus
    local where = surplus == 1 and "" or " behind a nil"
    local ok, problem
    if owner == "lun" then
        ok, problem = pcall(f, table.unpack(arguments, 1, count))
    else
        ok, problem = pcall(f, self, table.unpack(arguments, 1, count))
    end
    assert.is_false(ok, owner .. "." .. name .. " takes one more" .. where)
    local wanted = given.n == 0 and "no argument" or "nothing after argument " .. given.n
    assert.matches(("lunarray: %s: argument %d: %s is needed, got a table"):format(name, count, wanted),
        tostring(problem), 1, true)
end

describe("a surplus argument", function()
    for owner, rows in pairs(calls) do
        it("of any function of " .. owner .. " is refused", function()
            local mapping <close> = dev:zeros({ 2 }):host()
            local self = owner == "host" and mapping or selves[owner]
            for name, f in pairs(self and helper.methods(self) or lun) do
                if type(f) == "function" and not name:find("^_") and not name:find("^fault_") then
                    assert.is_not_nil(rows[name], "no call of " .. name .. " here")
                    if rows[name] then
                        refused(owner, name, f, self, 1)
                        refused(owner, name, f, self, 2)
                    end
                end
            end
        end)
    end

    it("may be nil", function()
        assert.equal(6, a:size(nil, nil))
        assert.equal(21.0, a:sum(nil, nil))
        helper.check_array(dev:zeros({ 1 }, nil, nil, nil), "f32", { 1 }, { 0.0 })
        helper.check_array(dev:zeros({ 1 }, nil, { dtype = "i8" }), "i8", { 1 }, { 0 })
        assert.equal("array", lun.type(a, nil))
        local b = dev:zeros { 1 }
        b:release(nil)
    end)

    it("of a variable that is closed is Lua's own", function()
        local ok, problem = pcall(function()
            local tmp <close> = dev:zeros { 1 }
            local queue <close> = dev:queue()
            local event <close> = tmp:fill(1, { async = true })
            local mapping <close> = dev:zeros({ 1 }):host()
            local built <close> = dev:program "kernel void one(global float *x) { *x = 1; }"
            local kernel <close> = built:kernel()
            error("mine " .. tostring(#mapping > 0 and queue and event and kernel ~= nil), 0)
        end)
        assert.is_false(ok)
        assert.equal("mine true", problem)
    end)

    it("of get and set that is a table is told that there are no options, and no lists", function()
        local wanted = "a position is needed, got a table; each position is an argument, and there are no options"
        helper.raises("get: argument 3: " .. wanted, function() a:get(1, 1, { queue = selves.queue }) end)
        helper.raises("get: argument 1: " .. wanted, function() a:get { 1, 1 } end)
        helper.raises("set: argument 4: " .. wanted, function() a:set(1, 1, 1, { async = true }) end)
        helper.raises("get: 2 positions are needed for an array of shape 2x3, got 3", function() a:get(1, 1, 1) end)
    end)
end)

describe("a key beside a list's elements", function()
    local function odd(what, key, stand, f)
        helper.raises(("%s has the key %s; elements are stored %s"):format(what, key, stand), f)
    end

    it("is refused in data", function()
        odd("array: argument 1: the table", "0", "at 1 to 2", function() dev:array { [0] = 10, 20, 30 } end)
        odd("array: argument 1: the table", "4", "at 1 to 2", function() dev:array { 1, 2, [4] = 4 } end)
        odd("array: argument 1: the table", "0", "from 1 on", function() dev:array { [0] = 10 } end)
        odd("array: argument 1: the table", "1.5", "at 1 to 1", function() dev:array { 1, [1.5] = 2 } end)
        odd("write: argument 1: the table", "0", "at 1 to 2", function()
            dev:zeros({ 2 }):write { [0] = 10, 20, 30 }
        end)
        odd("write: argument 1: the table", "'async'", "at 1 to 2", function()
            dev:zeros({ 2 }):write { 20, 30, async = true }
        end)
        odd("array: row 2", "'dtype'", "at 1 to 2", function() dev:array { { 1, 2 }, { 3, 4, dtype = "i8" } } end)
        odd("array: row 2", "0", "at 1 to 6", function()
            dev:array { { 1, 2, 3, 4, 5, 6 }, { [0] = 1, 2, 3, 4, 5, 6, 7 } }
        end)
        odd("array: row 1", "'x'", "at 1 to 1", function() dev:array { { { 3 }, x = 1 } } end)
        odd("array: list (1, 1)", "true", "at 1 to 1", function() dev:array { { { 3, [true] = 1 } } } end)
        odd("array: row 1", "2", "from 1 on", function() dev:array { { [2] = 1 } } end)
    end)

    it("is refused in sizes, axes, ops and other lists", function()
        odd("zeros: argument 1: the table", "3", "at 1 to 1", function() dev:zeros { 2, [3] = 1 } end)
        odd("array: argument 3: the table", "0", "at 1 to 1", function() dev:array({ 1 }, nil, { 1, [0] = 1 }) end)
        odd("array: option 'shape': the table", "'x'", "at 1 to 1", function()
            dev:array({ 1 }, { shape = { 1, x = 1 } })
        end)
        odd("sum: option 'axis': the table", "'axis'", "from 1 on", function() a:sum { axis = { axis = 1 } } end)
        odd("reduce: argument 1: the table", "0", "at 1 to 1", function() a:reduce { [0] = "min", "max" } end)
        odd("transpose: argument 1: the table", "4", "at 1 to 2", function() a:transpose { 2, 1, [4] = 3 } end)
        odd("reshape: argument 1: the table", "'dtype'", "at 1 to 2", function()
            a:reshape({ 3, 2, dtype = "f64" })
        end)
        odd("reshape: argument 1: the table", "'async'", "at 1 to 1", function() a:reshape { 6, async = true } end)
        odd("wait_all: argument 1: the table", "'x'", "from 1 on", function() lun.wait_all { x = 1 } end)
        odd("wait_any: argument 1: the table", "'seconds'", "at 1 to 1", function()
            lun.wait_any { selves.event, seconds = 1 }
        end)
        local pair = dev:program("kernel void pair(float2 v) {}"):kernel()
        odd("run: option 'global': the table", "3", "at 1 to 1", function()
            pair:run({ global = { 1, [3] = 1 } }, { 1, 2 })
        end)
        odd("run: option 'group': the table", "'x'", "at 1 to 1", function()
            pair:run({ global = 1, group = { 1, x = 1 } }, { 1, 2 })
        end)
        odd("run: parameter 1 of pair (float2 v): the list", "'x'", "at 1 to 2", function()
            pair:run({ global = 1 }, { 1, 2, x = 1 })
        end)
        odd("program: option 'include': the table", "'x'", "from 1 on", function()
            dev:program("", { include = { x = "." } })
        end)
    end)

    it("is found in long lists, wherever Lua keeps it", function()
        for _, n in ipairs { 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 100, 5000 } do
            for _, names in ipairs { {}, { "x" }, { "x", "y", "z" }, { "p", "q", "r", "s", "t" } } do
                for _, key in ipairs { 0, -1, 4 * n + 9, 0.5, math.mininteger, "x" } do
                    local early, late, back = {}, {}, {}
                    early[key] = 1
                    for _, name in ipairs(names) do
                        early[name], late[name], back[name] = 1, 1, 1
                    end
                    for i = 1, n do
                        early[i], late[i], back[n + 1 - i] = i, i, i
                    end
                    late[key], back[key] = 1, 1
                    for _, name in ipairs(names) do
                        if name ~= key then
                            early[name], late[name], back[name] = nil, nil, nil
                        end
                    end
                    for _, list in ipairs { early, late, back } do
                        local shown = type(key) == "string" and "'x'" or tostring(key)
                        odd("array: row 1", shown, "at 1 to " .. n, function() dev:array { list } end)
                    end
                end
            end
        end
    end)

    it("is not seen where there is none", function()
        for _, n in ipairs { 1, 3, 4, 5, 6, 8, 100, 5000 } do
            local up, down, bare = {}, {}, { x = 1, y = 2, z = 3 }
            for i = 1, n do
                up[i], down[n + 1 - i], bare[i] = i, n + 1 - i, i
            end
            bare.x, bare.y, bare.z = nil, nil, nil
            for _, list in ipairs { up, down, bare } do
                assert.same(up, dev:array({ list }, "i64"):row(1):totable())
                assert.same(up, dev:zeros({ n }, "i64"):write(list):totable())
            end
        end
    end)

    it("may be an option where these stand beside the list", function()
        assert.equal("i8", dev:array({ 1, 2, dtype = "i8" }):dtype())
        assert.equal("i8", dev:zeros({ 2, dtype = "i8" }):dtype())
        assert.same({ 1.0, 4.0 }, (a:reduce { "min", "max", axis = 2 }):totable())
        helper.check_array(a:transpose { 2, 1, async = false }, "f32", { 3, 2 }, { 1.0, 4.0, 2.0, 5.0, 3.0, 6.0 })
    end)

    it("does not matter where metamethods give the elements", function()
        local function proxy(values)
            return setmetatable({ hidden = true }, {
                __len = function() return #values end,
                __index = function(_, i) return values[i] end,
            })
        end
        local two = proxy { proxy { 1, 2 }, proxy { 3, 4 } }
        helper.check_array(dev:zeros({ 2, 2 }):write(two), "f32", { 2, 2 }, { 1.0, 2.0, 3.0, 4.0 })
    end)
end)

describe("the size of one axis", function()
    it("is what shape gives for it, from the last for negative ones", function()
        assert.same({ 2, 3 }, { a:shape() })
        assert.same({ 2 }, { a:shape(1) })
        assert.same({ 3 }, { a:shape(2) })
        assert.same({ 3 }, { a:shape(-1) })
        assert.same({ 2 }, { a:shape(-2) })
        assert.equal(3, a:t():shape(1.0))
    end)

    it("is refused for an axis that there is not", function()
        local wanted = " is out of range: the array has 2 axes (2x3)"
        helper.raises("shape: axis 3" .. wanted, function() a:shape(3) end)
        helper.raises("shape: axis 0" .. wanted, function() a:shape(0) end)
        helper.raises("shape: axis -3" .. wanted, function() a:shape(-3) end)
        helper.raises("shape: axis 1 is out of range: the array has no axes", function() a:slice(1, 1):shape(1) end)
        helper.raises("shape: argument 1: a whole number is needed, got a string", function() a:shape("1") end)
        helper.raises("shape: argument 1: a whole number is needed, got 1.5", function() a:shape(1.5) end)
    end)
end)

-- As f64 and axis are without quotes, or with a slip in a name.
describe("a nil in the last place", function()
    local missing = nil
    local rng = dev:rng(1)
    local dtype = 'a dtype (a string, as "f64") or a table of options'
    local number = "a whole number"

    local function told(name, position, wanted, f)
        helper.raises(("%s: argument %d: %s is needed, got nil"):format(name, position, wanted), f)
    end

    it("is told where a dtype may stand", function()
        for _, owner in ipairs { dev, lun } do
            local function try(name, ...)
                local given = owner == dev and table.pack(dev, ...) or table.pack(...)
                told(name, select("#", ...) + 1, dtype, function()
                    owner[name](table.unpack(given, 1, given.n + 1))
                end)
            end
            try("zeros", { 3 })
            try("ones", 3)
            try("full", { 3 }, 1)
            try("eye", 3, 3, 0)
            try("arange", 3)
            try("arange", 1, 3)
            try("arange", 1, 3, 2)
            try("linspace", 0, 1, 3)
            try("random", { 3 })
            try("normal", { 3 })
            try("randint", { 3 }, 1, 6)
            try("array", { 1, 2 })
        end
        for _, name in ipairs { "zeros_like", "ones_like", "empty_like" } do
            told(name, 1, dtype, function() a[name](a, missing) end)
        end
        told("full_like", 2, dtype, function() a:full_like(1, missing) end)
        for _, name in ipairs { "uniform", "normal", "exponential", "poisson" } do
            told(name, 2, dtype, function() rng[name](rng, { 3 }, missing) end)
        end
        told("integers", 4, dtype, function() rng:integers({ 3 }, 1, 6, missing) end)
        told("cast", 1, "a dtype", function() a:cast(missing) end)
    end)

    it("is told where an axis may stand", function()
        local v = dev:array { 1, 2, 3 }
        for name, f in pairs {
            flip = function() a:flip(missing) end, squeeze = function() a:squeeze(missing) end,
            expand = function() a:expand(missing) end, roll = function() a:roll(1, missing) end,
            take = function() a:take({ 1 }, missing) end, split = function() a:split(1, missing) end,
            concat = function() lun.concat({ a, a }, missing) end, stack = function() lun.stack({ a, a }, missing) end,
        } do
            helper.raises(name .. ": axis: a whole number or a list of them is needed, got nil", f)
        end
        told("shape", 1, "an axis", function() a:shape(missing) end)
        local wanted = "a permutation (numbers or a list of them) or a table of options"
        told("transpose", 1, wanted, function() a:transpose(missing) end)
        told("transpose_", 1, wanted, function() a:transpose_(missing) end)
        told("diag", 1, number, function() v:diag(missing) end)
        told("tril", 1, number, function() a:tril(missing) end)
        told("triu", 1, number, function() a:triu(missing) end)
        helper.raises("flip: axis: a whole number or a list of them is needed, got nil", function()
            lun.fuse(function(x) return x:flip(missing) + 1 end)(a)
        end)
        told("cast", 1, "a dtype", function() lun.fuse(function(x) return x:cast(missing) end)(a) end)
    end)

    it("is told where another value may stand", function()
        local seed = "a seed (a whole number) or a state (a list of 4 whole numbers, or an i64 array of them)"
        told("rng", 1, seed, function() dev:rng(missing) end)
        told("rng", 1, seed, function() lun.rng(missing) end)
        told("array", 3, "a whole number or a list of sizes", function() lun.array({ 1, 2 }, "i8", missing) end)
        told("limit", 1, "a number of bytes", function() dev:limit(missing) end)
        told("host", 1, '"r", "w" or "rw"', function() a:host(missing) end)
        local one_kernel <close> = dev:program "kernel void only(global float *x) { x[0] = 1; }"
        told("kernel", 1, "the name of a kernel", function() one_kernel:kernel(missing) end)
        local sim <close> = lun.simulation(dev:ones({ 2, 4 }), dev:zeros { 2, 4 }, { dt = 1, softening = 1 })
        told("step", 1, "a whole number from 0", function() sim:step(missing) end)
        assert.equal(0, sim:time())
    end)

    it("means none where only a table of options, seconds or a selector of devices may stand", function()
        assert.equal(21.0, a:sum(missing))
        assert.equal(21.0, a:reduce("sum", missing))
        helper.check_array(a:add(1, missing):slice(1), "f32", { 3 }, { 2.0, 3.0, 4.0 })
        helper.check_array(dev:zeros({ 2 }, "i8", missing), "i8", { 2 }, { 0, 0 })
        helper.check_array(a:transpose(2, 1, missing), "f32", { 3, 2 }, { 1.0, 4.0, 2.0, 5.0, 3.0, 6.0 })
        helper.check_array(a:slice(1, missing), "f32", { 3 }, { 1.0, 2.0, 3.0 })
        assert.is_true(a:copy({ async = true }):wait(missing))
        assert.equal(lun.device(), lun.device(missing))
    end)

    it("means none in a table of options", function()
        helper.check_array(dev:zeros({ 2 }, { dtype = missing }), "f32", { 2 }, { 0.0, 0.0 })
        helper.check_array(a:flip({ axis = missing }):slice(1), "f32", { 3 }, { 6.0, 5.0, 4.0 })
    end)
end)
