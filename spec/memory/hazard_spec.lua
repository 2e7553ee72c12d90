-- What each operation touches: it waits for whatever writes what it reads, for whatever uses what it writes, and others
-- wait for it likewise.

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
    it("is kept by makers that write to what is given", function()
        run [[
            local whole = dev:zeros({ 6, 6 }, "i32")
            orders("fill", {}, { out }, function(o) return out:fill(1, o) end)
            orders("random", {}, { out }, function(o) return dev:random({ 6, 6 }, with(o, { out = out })) end)
            orders("normal", {}, { out }, function(o) return dev:normal({ 6, 6 }, with(o, { out = out })) end)
            orders("randint", {}, { whole }, function(o)
                return dev:randint({ 6, 6 }, 1, 9, with(o, { out = whole, dtype = "i32" }))
            end)
        ]]
    end)

    it("is kept by makers of new arrays", function()
        run [[
            for name, make in pairs {
                zeros = function(o) return dev:zeros({ 6, 6 }, o) end,
                full = function(o) return dev:full({ 6, 6 }, 3, o) end,
                arange = function(o) return dev:arange(36, o) end,
                linspace = function(o) return dev:linspace(0, 1, 36, o) end,
                eye = function(o) return dev:eye(6, o) end,
                array = function(o) return dev:array({ 1, 2, 3 }, o) end,
                random = function(o) return dev:random({ 6, 6 }, o) end,
                copy = function(o) return a:copy(o) end,
                sum = function(o) return a:sum(with(o, { axis = 1 })) end,
                mean = function(o) return a:mean(with(o, { axis = 1 })) end,
                mul = function(o) return a:mul(b, o) end,
                matmul = function(o) return a:matmul(b, o) end,
            } do
                local made
                make {}
                pair(name .. " is read behind", true, function(o)
                    made = make { queue = o.queue }
                    return o.queue:event()
                end, function(o) return made:copy(o) end, q1, q2, true)
            end
        ]]
    end)

    it("is kept by copies and transfers", function()
        run [[
            local list, whole = {}, dev:zeros({ 6, 6 }, "i32")
            for i = 1, 36 do
                list[i] = i
            end
            orders("copy", { a }, { out }, function(o) return a:copy(with(o, { out = out })) end)
            orders("copy of a view", { a }, { out }, function(o) return a:t():copy(with(o, { out = out })) end)
            orders("cast", { a }, { whole }, function(o) return a:cast("i32", with(o, { out = whole })) end)
            orders("write", { a }, { out }, function(o) return out:write(a, o) end)
            orders("write of a table", {}, { out }, function(o) return out:write(list, o) end)
            orders("write of a table to a view", {}, { out }, function(o) return out:t():write(list, o) end)
            orders("totable", { a }, {}, function(o) return a:totable(o) end)
            orders("tobytes of a view", { a }, {}, function(o) return a:t():tobytes(o) end)
            orders("transpose", { a }, { out }, function(o) return a:transpose(with(o, { out = out })) end)
            orders("transpose_", { out }, { out }, function(o) return out:transpose_(o) end)
        ]]
    end)

    it("is kept by what arranges", function()
        run [[
            local tall, wide, vector = dev:zeros { 12, 6 }, dev:zeros { 2, 6, 6 }, dev:zeros { 6 }
            local large = dev:zeros { 8, 8 }
            orders("concat", { a, b }, { tall }, function(o)
                return lun.concat({ a, b }, 1, with(o, { out = tall }))
            end)
            orders("stack", { a, b }, { wide }, function(o) return lun.stack({ a, b }, 1, with(o, { out = wide })) end)
            orders("tile", { a }, { tall }, function(o) return a:tile(2, 1, with(o, { out = tall })) end)
            orders("roll", { a }, { out }, function(o) return a:roll(1, 1, with(o, { out = out })) end)
            orders("roll of all", { a }, { out }, function(o) return a:roll(1, nil, with(o, { out = out })) end)
            orders("pad", { a }, { large }, function(o)
                return a:pad({ { 1, 1 }, { 1, 1 } }, with(o, { out = large }))
            end)
            orders("tril", { a }, { out }, function(o) return a:tril(0, with(o, { out = out })) end)
            orders("triu", { a }, { out }, function(o) return a:triu(0, with(o, { out = out })) end)
            orders("diag", { vector }, { out }, function(o) return vector:diag(0, with(o, { out = out })) end)
        ]]
    end)

    it("is kept by what chooses", function()
        run [[
            local index, mask = dev:ones({ 6 }, "i32"), dev:ones({ 6, 6 }, "u8")
            local values, taken = dev:zeros { 6 }, dev:zeros { 6 }
            local strided = dev:zeros({ 6, 2 }):col(1)
            orders("take", { a, index }, { taken }, function(o) return a:take(index, nil, with(o, { out = taken })) end)
            orders("take to a view", { a, index }, { strided }, function(o)
                return a:take(index, nil, with(o, { out = strided }))
            end)
            orders("put", { index, values }, { out }, function(o) return out:put(index, values, o) end)
            orders("put of a number", { index }, { out }, function(o) return out:put(index, 3, o) end)
            orders("add_at", { index, values }, { out }, function(o) return out:add_at(index, values, o) end)
            pair("what is chosen from by a mask is written before", true, fill(a), function(o)
                return a:mask(mask, o)
            end, q1, q2)
            orders("mask_put", { mask, b }, { out }, function(o) return out:mask_put(mask, b:reshape(36), o) end)
            orders("mask_put of a number", { mask }, { out }, function(o) return out:mask_put(mask, 3, o) end)
        ]]
    end)

    it("is kept by what scans, sorts and counts", function()
        run [[
            local row, places, vector = dev:zeros { 6 }, dev:zeros({ 6, 6 }, "i64"), dev:zeros { 6 }
            local starts, edges = dev:array({ 1, 2, 7 }, "i32"), nil
            local index, weights, counts = dev:ones({ 6 }, "i32"), dev:ones { 6 }, dev:zeros { 9 }
            local two = dev:zeros { 2, 6 }
            orders("cumsum", { a }, { out }, function(o) return a:cumsum(with(o, { axis = 1, out = out })) end)
            orders("cumsum of segments", { a, starts }, { out }, function(o)
                return a:cumsum(with(o, { axis = 1, segments = starts, out = out }))
            end)
            orders("sum of segments", { a, starts }, { two }, function(o)
                return a:sum(with(o, { axis = 1, segments = starts, out = two }))
            end)
            orders("median", { a }, { row }, function(o) return a:median(with(o, { axis = 1, out = row })) end)
            orders("sort", { a }, { out }, function(o) return a:sort(with(o, { out = out })) end)
            orders("argsort", { a }, { places }, function(o) return a:argsort(with(o, { out = places })) end)
            orders("topk", { a }, {}, function(o) return a:topk(2, o) end)
            local function sort_by(o) return lun.sort_by(vector, row, weights, o) end
            orders("sort_by", { weights }, {}, sort_by) -- the last one: the event is of all
            pair("the keys of sort_by are written before", true, fill(vector), sort_by, q1, q2)
            pair("the keys of sort_by are written behind", true, sort_by, fill(vector), q1, q2, true) -- read first
            orders("searchsorted", { vector, a }, { places }, function(o)
                return vector:searchsorted(a, with(o, { out = places }))
            end)
            orders("bincount", { index, weights }, { counts }, function(o)
                return index:bincount(with(o, { weights = weights, out = counts }))
            end)
            orders("histogram", { a, b }, {}, function(o)
                return a:histogram(with(o, { low = 0, high = 1, weights = b }))
            end)
            orders("histogram2d", { a, b, out }, {}, function(o)
                return lun.histogram2d(a, b, with(o, { low = 0, high = 1, weights = out }))
            end)
            -- To memory of their own: new memory may be what the counting has used, and wait for that.
            local rooms = { dev:zeros({ 10, 10 }, "i64"), dev:zeros { 11 }, dev:zeros { 11 } }
            for which = 1, 3 do
                pair(("result %d of histogram2d is read behind"):format(which), true, function(o)
                    edges = select(which, lun.histogram2d(a, b, { low = 0, high = 1, queue = o.queue }))
                    return o.queue:event()
                end, function(o) return edges:copy(with(o, { out = rooms[which] })) end, q1, q2, true)
            end
            pair("the edges of a histogram are read behind", true, function(o)
                edges = select(2, a:histogram { low = 0, high = 1, queue = o.queue })
                return o.queue:event()
            end, function(o) return edges:copy(with(o, { out = rooms[2] })) end, q1, q2, true)
        ]]
    end)

    it("is kept by linear algebra", function()
        run [[
            local one, row, wide = dev:eye(6), dev:zeros { 6 }, dev:eye(6)
            orders("solve", { one, a }, { out }, function(o)
                return one:solve(a, with(o, { out = out, info = true }))
            end)
            orders("cholesky_solve", { one, a }, { out }, function(o)
                return lun.cholesky_solve(one, a, with(o, { out = out }))
            end)
            orders("inv", { one }, { out }, function(o) return one:inv(with(o, { out = out, info = true })) end)
            orders("cholesky", { one }, { out }, function(o)
                return one:cholesky(with(o, { out = out, info = true }))
            end)
            orders("cholesky_", {}, { wide }, function(o) return wide:cholesky_(with(o, { info = true })) end)
            orders("lstsq", { a, b }, { out }, function(o) return a:lstsq(b, with(o, { out = out })) end)
            orders("eigvalsh", { a }, { row }, function(o) return a:eigvalsh(with(o, { out = row })) end)
            orders("svdvals", { a }, { row }, function(o) return a:svdvals(with(o, { out = row })) end)
        ]]
    end)

    it("is kept by random streams", function()
        run [[
            local rng, row, weights = dev:rng(1), dev:zeros { 6 }, dev:ones { 6 }
            orders("uniform", {}, { out }, function(o) return rng:uniform({ 6, 6 }, with(o, { out = out })) end)
            orders("permutation", { a }, { out }, function(o) return rng:permutation(a, with(o, { out = out })) end)
            orders("choice", { weights }, { row }, function(o)
                return rng:choice(weights, 6, with(o, { replace = false, out = row }))
            end)
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

    it("is kept by arithmetic and reductions", function()
        run [[
            local row, whole = dev:zeros { 6 }, dev:zeros({ 6 }, "i64")
            local fused = lun.fuse(function(x, y) return x * y + 1 end)
            local program = dev:program "kernel void twice(global const float *x, global float *y) \
                { y[get_global_id(0)] = 2 * x[get_global_id(0)]; }"
            local twice = program:kernel()
            orders("add", { a, b }, { out }, function(o) return a:add(b, with(o, { out = out })) end)
            orders("add_", { b }, { out }, function(o) return out:add_(b, o) end)
            orders("fuse", { a, b }, { out }, function(o) return fused(a, b, with(o, { out = out })) end)
            orders("map", { a, b }, { out }, function(o)
                return dev:map("x*y", { x = a, y = b }, with(o, { out = out }))
            end)
            orders("sum", { a }, {}, function(o) return a:sum(o) end)
            orders("max", { a }, { row }, function(o) return a:max(with(o, { axis = 1, out = row })) end)
            orders("mean", { a }, { row }, function(o) return a:mean(with(o, { axis = 1, out = row })) end)
            orders("argmax", { a }, { whole }, function(o) return a:argmax(with(o, { axis = 1, out = whole })) end)
            orders("reduce", { a, b }, { row }, function(o)
                return dev:reduce("sum", "x*y", { x = a, y = b }, with(o, { axis = 1, out = row }))
            end)
            local most = dev:zeros { 6 }
            orders("reduce to two", { a }, { row, most }, function(o)
                return dev:reduce({ "sum", "max" }, "x", { x = a }, with(o, { axis = 1, out = { row, most } }))
            end)
            orders("matmul", { a, b }, { out }, function(o) return a:matmul(b, with(o, { out = out })) end)
            orders("matmul with beta", { a, b, out }, { out }, function(o)
                return a:matmul(b, with(o, { out = out, beta = 1 }))
            end)
            orders("a kernel", { a }, { out }, function(o) return twice:run(with(o, { global = 36 }), a, out) end)
        ]]
    end)

    it("is kept by gravity", function()
        run [[
            local pos, vel, field = dev:random { 20, 4 }, dev:zeros { 20, 4 }, dev:zeros { 20, 4 }
            local soft = { softening = 0.1 }
            orders("gravity", { pos }, { field }, function(o)
                return pos:gravity(with(o, { softening = 0.1, out = field }))
            end)
            orders("energy", { pos, vel }, {}, function(o) return pos:energy(vel, with(o, soft)) end)
            orders("nbody", { pos, vel }, { pos, vel }, function(o)
                return pos:nbody(vel, with(o, { softening = 0.1, dt = 1e-3, steps = 2 }))
            end, true)
        ]]
    end)
end)
