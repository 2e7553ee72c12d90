-- What an operation touches: it waits for whatever writes what it reads, for whatever uses what it writes, and others
-- wait for it likewise. Of the operations' own calls spec/contract.lua looks for the same by their values.

local held = require "spec.flow.held"

-- orders(name, reads, writes, f, untimed): f(options) enqueues the operation, whose arrays these are, and gives its
-- event. Untimed: its first part only reads what it writes in the end.
local HEADER = [[
    local function copy(array)
        return function(o) return array:copy(o) end
    end

    local function fill(array)
        return function(o) return array:fill(1, o) end
    end

    local function orders(name, reads, writes, f, untimed)
        f({}) -- its kernels are there when it is looked whether it waits
        for i, array in ipairs(reads) do
            local input = ("%s, input %d"):format(name, i)
            pair(input .. " is written before", true, fill(array), f, q1, q2)
            pair(input .. " is written behind", true, f, fill(array), q1, q2)
        end
        for i, array in ipairs(writes) do
            local output = ("%s, output %d"):format(name, i)
            pair(output .. " is read before", true, copy(array), f, q1, q2, untimed)
            pair(output .. " is read behind", true, f, copy(array), q1, q2)
        end
    end

    -- The options of f, and more.
    local function with(o, more)
        for name, value in pairs(more) do
            o[name] = value
        end
        return o
    end

    local a, b, out = dev:random { 6, 6 }, dev:random { 6, 6 }, dev:zeros { 6, 6 }
]]

local function run(source)
    return held.run(HEADER .. source)
end

describe("an operation's order", function()
    it("is kept by options that are arrays, and by what reads its output", function()
        run [[
            local starts, two = dev:array({ 1, 2, 7 }, "i32"), dev:zeros { 2, 6 }
            orders("cumsum of segments", { a, starts }, { out }, function(o)
                return a:cumsum(with(o, { axis = 1, segments = starts, out = out }))
            end)
            orders("sum of segments", { a, starts }, { two }, function(o)
                return a:sum(with(o, { axis = 1, segments = starts, out = two }))
            end)
            orders("histogram", { a, b }, {}, function(o)
                return a:histogram(with(o, { low = 0, high = 1, weights = b }))
            end)
            orders("histogram2d", { a, b, out }, {}, function(o)
                return lun.histogram2d(a, b, with(o, { low = 0, high = 1, weights = out }))
            end)
            local rng, row, weights = dev:rng(1), dev:zeros { 6 }, dev:ones { 6 }
            orders("choice", { weights }, { row }, function(o)
                return rng:choice(weights, 6, with(o, { replace = false, out = row }))
            end)
            orders("matmul with beta", { a, b, out }, { out }, function(o)
                return a:matmul(b, with(o, { out = out, beta = 1 }))
            end)
        ]]
    end)

    it("is kept by fused functions and kernels", function()
        run [[
            local fused = lun.fuse(function(x, y) return x * y + 1 end)
            local program = dev:program "kernel void twice(global const float *x, global float *y) \
                { y[get_global_id(0)] = 2 * x[get_global_id(0)]; }"
            local twice = program:kernel()
            orders("fuse", { a, b }, { out }, function(o) return fused(a, b, with(o, { out = out })) end)
            orders("a kernel", { a }, { out }, function(o) return twice:run(with(o, { global = 36 }), a, out) end)
        ]]
    end)

    -- A count is waited for, so that nothing can be held back: a kernel that takes its time writes what is counted.
    it("is kept by what counts on its way", function()
        local output = run [[
            local slow = dev:program [=[
                kernel void slow(global uchar *x, int steps)
                {
                    uint y = (uint)get_global_id(0);
                    for (int i = 0; i < steps; i++)
                        y = y * 1664525u + 1013904223u;
                    x[get_global_id(0)] = y == 0 ? 2 : 1;
                }
            ]=]:kernel()
            local x = dev:zeros({ 8 }, "u8")
            slow:run({ global = 8 }, x, 1)
            for _, f in ipairs {
                function(o) return x:mask(x, o):size() end,
                function(o) return x:nonzero(o):size() end,
                function(o) return x:unique(o):sum() end,
                function(o) return 8 - x:median(o) end,
            } do
                f {}
                x:fill(0)
                dev:finish()
                slow:run({ global = 8, group = 8, queue = q1 }, x, 40000000)
                io.write(("%g "):format(f { queue = q2 }))
                dev:finish()
            end
        ]]
        assert.equal("8 8 1 7 ", output)
    end)
end)
