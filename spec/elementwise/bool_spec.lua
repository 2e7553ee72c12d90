-- bool: what comparisons give, what is made of it, and what refuses it. Each value is that of a plain Lua boolean.

local helper = require "spec.helper"
local lun = require "lunarray"
local numbers = require "spec.numbers"

-- `count` truth values, true about every second time.
local function truths(count, seed)
    local random, list = numbers.generator(seed), {}
    for i = 1, count do
        list[i] = random(0, 1) == 1
    end
    return list
end

local function mapped(list, f, other)
    local out = {}
    for i, x in ipairs(list) do
        out[i] = f(x, other and other[i])
    end
    return out
end

local function as_number(x)
    return x and 1 or 0
end

helper.each_device(function(dev, title)
    local SIZE = 5 * 131
    local a, b = truths(SIZE, 1), truths(SIZE, 2)
    local x, y = dev:array(a), dev:array(b)
    local both, either = mapped(a, function(p, q) return p and q end, b), mapped(a, function(p, q) return p or q end, b)
    local one_alone = mapped(a, function(p, q) return p ~= q end, b)

    describe("bool on " .. title, function()
        it("is a byte of 0 or 1, and true and false in Lua", function()
            assert.same({ "bool", SIZE, "bool" }, { x:dtype(), x:nbytes(), dev:array(b, "bool"):dtype() })
            assert.same(a, x:totable())
            assert.equal(a[3], x:get(3))
            for i, byte in ipairs { x:slice { 1, 50 }:tobytes():byte(1, -1) } do
                assert.equal(as_number(a[i]), byte)
            end
            local z = dev:zeros({ 3 }, "bool")
            z:set(true, 2)
            assert.equal("array 3 bool [false,  true, false]", tostring(z))
            z:fill(true):put({ 1 }, false)
            do
                local h <close> = z:host "rw"
                assert.same({ false, true }, { h[1], h[3] })
                h[3] = false
            end
            assert.same({ false, true, false }, z:totable())
            assert.same({ true, true }, dev:ones({ 2 }, "bool"):totable())
            assert.same({ "bool", true }, { dev:full(2, true):dtype(), dev:full(2, true):get(1) })
            assert.same({ true, false }, dev:array("\1\0", "bool", { 2 }):totable())
            assert.same({ true, false }, dev:array({ 1, 0 }, "bool"):totable())
            assert.is_true(dev:array(true):get())
        end)

        it("holds nothing else", function()
            local wanted = " has no representation in bool: true or false, or 1 or 0, is needed"
            helper.raises("array: element 2: 2" .. wanted, function() dev:array({ 1, 2 }, "bool") end)
            helper.raises("fill: 0.5" .. wanted, function() dev:zeros({ 1 }, "bool"):fill(0.5) end)
            helper.raises("array: element 1: true has no representation in i32: a number is needed",
                function() dev:array({ true }, "i32") end)
            helper.refused("array: element 2: true has no representation in f32: a number is needed", dev, { 1, true })
            helper.refused("array: byte 2 of the string is 2; those of bool are 0 or 1", dev, "\1\2", "bool", { 2 })
            helper.raises("add_: out is bool; the result is i64", function() x:copy():add_(y) end)
            helper.refused("add_at: the array is bool, to which nothing can be added; cast it to an integer "
                .. "dtype first",
                x, { 1 }, 1)
        end)

        it("is what comparisons, tests and logic give", function()
            local f = dev:array { 1, 0 / 0, -1 / 0, 0 }
            for _, name in ipairs { "lt", "le", "gt", "ge", "eq", "ne", "land", "lor", "lxor" } do
                assert.equal("bool", f[name](f, 1):dtype(), name)
            end
            for _, name in ipairs { "lnot", "isnan", "isinf", "isfinite" } do
                assert.equal("bool", f[name](f):dtype(), name)
            end
            assert.same({ false, true, false, false }, f:isnan():totable())
            assert.same({ "bool", "bool" }, { f:reshape(2, 2):any { axis = 1 }:dtype(),
                f:all { keepdims = true }:dtype() })
            assert.same({ true, false }, { f:any(), f:all() })
        end)

        it("is combined by & | ~ as logic", function()
            for _, variant in ipairs(helper.variants(dev, "map")) do
                local call = { variant = variant }
                if helper.can(function() x:band(y, call) end) then
                    helper.check_array(x:band(y, call), "bool", { SIZE }, both)
                    helper.check_array(x:bor(y, call), "bool", { SIZE }, either)
                    helper.check_array(x:bxor(y, call), "bool", { SIZE }, one_alone)
                    helper.check_array(x:bnot(call), "bool", { SIZE }, mapped(a, function(p) return not p end))
                end
            end
            assert.same((x & y):totable(), x:land(y):totable())
            assert.same((~x):totable(), x:lnot():totable())
            assert.same({ "bool", "bool", "u8", "i32" }, {
                (x | true):dtype(), (x ~ y):dtype(), (x & dev:ones({ SIZE }, "u8")):dtype(),
                (x & dev:ones({ SIZE }, "i32")):dtype(),
            })
            assert.same(a, x:copy():band_(true):totable())
            local g = lun.fuse(function(p, q) return p:gt(2) & ~q end)
            assert.same({ "bool", false, true }, (function(out)
                return { out:dtype(), out:get(1), out:get(2) }
            end)(g(dev:array { 1, 3 }, dev:array { true, false })))
        end)

        it("counts as i64 in arithmetic, which no count leaves", function()
            local function sum(p, q) return as_number(p) + as_number(q) end
            helper.check_array(x + y, "i64", { SIZE }, mapped(a, sum, b))
            helper.check_array(x + 1, "i64", { SIZE }, mapped(a, function(p) return as_number(p) + 1 end))
            helper.check_array(x * 2 - 1, "i64", { SIZE }, mapped(a, function(p) return 2 * as_number(p) - 1 end))
            helper.check_array(x - dev:ones({ SIZE }, "u8"), "u8", { SIZE },
                mapped(a, function(p) return p and 0 or 255 end))
            helper.check_array(x * 0.5, "f32", { SIZE }, mapped(a, function(p) return as_number(p) * 0.5 end))
            helper.check_array(x / y:lor(true), "f32", { SIZE }, mapped(a, function(p) return as_number(p) * 1.0 end))
            helper.check_array(x:maximum(y), "bool", { SIZE }, either)
            helper.check_array(x:minimum(y), "bool", { SIZE }, both)
            helper.check_array(x:shl(3), "i64", { SIZE }, mapped(a, function(p) return as_number(p) << 3 end))
            helper.check_array(x:lt(y), "bool", { SIZE }, mapped(a, function(p, q) return not p and q end, b))
            helper.check_array(x:eq(true), "bool", { SIZE }, a)
            helper.check_array(x:ne(dev:ones { SIZE }), "bool", { SIZE }, mapped(a, function(p) return not p end))
            helper.check_array(x:lt(300), "bool", { SIZE }, mapped(a, function() return true end))
            helper.check_array(x:gt(0.5), "bool", { SIZE }, a)
            helper.check_array(x:gt(-1), "bool", { SIZE }, mapped(a, function() return true end))
            helper.raises("a + b: arrays and numbers are needed on both sides, got a boolean", function()
                return x + true
            end)
        end)

        it("is counted by sums, and reduced as numbers", function()
            local count = 0
            for _, p in ipairs(a) do
                count = count + as_number(p)
            end
            assert.same({ count, count, count / SIZE, true, false, count > 0 and 1 },
                { x:sum(), x:nnz(), x:mean(), x:max(), x:min(), x:any() and 1 })
            helper.check_array(x:reshape(5, 131):sum { axis = 2 }:cast "i64", "i64", { 5 },
                x:cast("i64"):reshape(5, 131):sum({ axis = 2 }):totable())
            assert.same({ "i64", "i64", "i64" }, { x:sum { keepdims = true }:dtype(), x:cumsum():dtype(),
                x:nnz { keepdims = true }:dtype() })
            assert.equal(count, x:cumsum():get(SIZE))
            assert.equal(x:cast("u8"):dot(y:cast "u8"), x:dot(y))
            local m = x:reshape(5, 131)
            assert.same(m:cast("u8"):matmul(m:cast("u8"):t()):totable(), m:matmul(m:t()):totable())
            assert.equal("i64", m:matmul(m:t()):dtype())
            assert.equal(-1, (dev:array { 1, 2 }:gt(2):sum { keepdims = true } - 1):get(1)) -- counts go below 0
        end)

        it("has no minus, and says what there is instead", function()
            local refused = ": bools cannot be subtracted or negated: lxor is true where they differ, lnot "
                .. "inverts them, and "
                .. 'cast("i64") converts them to integers'
            helper.raises("a - b" .. refused, function() return x - y end)
            helper.raises("-a" .. refused, function() return -x end)
            helper.raises("sub" .. refused, function() x:sub(y) end)
            helper.raises("neg_" .. refused, function() x:neg_() end)
            helper.raises("a - b" .. refused, function() lun.fuse(function(p) return p:gt(0) - p:lt(0) end)(x) end)
            helper.raises("a - b" .. refused, function() lun.fuse(function(p, q) return (p - q):sum() end)(x, y) end)
            helper.check_array(x:ptp { keepdims = true }, "bool", { 1 }, { true }) -- which differs
            helper.check_array(x:lxor(y), "bool", { SIZE }, one_alone)
        end)

        it("is multiplied in i64, however many there are", function()
            local ones = dev:ones({ 256 }, "bool")
            local row = ones:reshape(1, 256)
            local sparse = row:sparse()
            for name, product in pairs {
                matmul = row:matmul(ones), tensordot = row:tensordot(ones, 1),
                einsum = lun.einsum("ij,j->i", row, ones),
                csr_matmul = sparse:matmul(ones), csr_product = sparse:matmul(ones:reshape(256, 1):sparse()):values(),
                dot = ones:dot(ones, { keepdims = true }), vdot = ones:vdot(ones, { keepdims = true }),
                convolve = ones:convolve(ones, { mode = "valid" }),
                sum = lun.einsum("i->", ones, { out = dev:zeros({}, "i64") }),
                segments = ones:sum { segments = { 1, 257 } },
                counts = dev:ones({ 256 }, "u8"):bincount { weights = ones },
                own = ones:reduce { combine = "a + b", identity = "0", keepdims = true },
                map = dev:map("x * k", { x = ones:slice { 1, 1 }, k = 256 }), scan = ones:cumsum():slice { 256, 256 },
            } do
                assert.same({ "i64", 256 }, { product:dtype(), product:sum() }, name)
            end
            for _, product in ipairs { ones * ones, ones:outer(ones), ones:kron(ones), ones:cumprod(),
                ones:prod { keepdims = true } } do
                assert.equal("i64", product:dtype())
            end
        end)

        it("chooses", function()
            local v = dev:arange(SIZE, "i32")
            local kept, elsewhere = {}, {}
            for i, p in ipairs(a) do
                if p then
                    table.insert(kept, i)
                end
                elsewhere[i] = p and i or -1
            end
            helper.check_array(v:mask(x), "i32", { #kept }, kept)
            helper.check_array(v:mask(x:cast "u8"), "i32", { #kept }, kept)
            helper.check_array(x:where(v, -1), "i32", { SIZE }, elsewhere)
            helper.check_array(lun.where(x, true, false), "bool", { SIZE }, a)
            helper.check_array(lun.where(x, y, x), "bool", { SIZE }, both)
            assert.same(kept, (x:nonzero()):totable())
            local zeroed = {}
            for i, p in ipairs(a) do
                zeroed[i] = p and 0 or i
            end
            helper.check_array(v:copy():mask_put(x, 0), "i32", { SIZE }, zeroed)
        end)

        it("is moved, sorted, cast and saved as any other", function()
            assert.same({ "bool", true }, { x:sort():dtype(), x:sort():get(SIZE) })
            assert.same({ false, true }, (x:unique()):totable())
            assert.same(a, x:reshape(5, 131):transpose():transpose():reshape(SIZE):totable())
            assert.same(b, lun.concat({ x, y }):slice({ SIZE + 1, 2 * SIZE }):totable())
            assert.equal("i16", lun.concat({ x, dev:zeros({ 1 }, "i16") }):dtype())
            helper.check_array(dev:array({ 0, 0.25, -3, 0 / 0 }):cast "bool", "bool", { 4 }, { false, true, true,
                true })
            helper.check_array(dev:array({ 0, 256 }, "i32"):cast "bool", "bool", { 2 }, { false, true })
            helper.check_array(dev:zeros({ 2 }, "bool"):write(dev:array({ 5, 0 }, "u8")), "bool", { 2 }, { true,
                false })
            helper.check_array(x:cast "f16", "f16", { SIZE }, mapped(a, function(p) return as_number(p) * 1.0 end))
            helper.check_array(dev:map("x > 1", { x = dev:array { 1, 2 } }, { dtype = "bool" }), "bool", { 2 },
                { false, true })
            helper.check_array(dev:map("x + k", { x = x, k = 1 }), "i64", { SIZE }, helper.flat(x + 1))
            helper.with_file(function(path)
                x:save(path)
                assert.matches("|b1", helper.read_file(path), 1, true)
                assert.same({ "bool", x:tobytes() }, { lun.load(path):dtype(), lun.load(path):tobytes() })
            end)
        end)

        it("goes to kernels as uchar", function()
            local program = dev:program [[
                kernel void invert(global uchar *a, const int n) { for (int i = 0; i < n; i++) a[i] ^= 1; }]]
            local z = dev:array { true, false }
            program.invert:run({ global = 1 }, z, 2)
            assert.same({ false, true }, z:totable())
        end)
    end)
end)
