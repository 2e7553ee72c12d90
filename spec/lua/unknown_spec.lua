-- What is not there: names that another class has, and arrays used as tables and functions.

local lun = require "lunarray"
local helper = require "spec.helper"

local dev = lun.device()

describe("the module", function()
    it("says of a method of arrays how it is called", function()
        local a = dev:ones { 2 }
        for _, name in ipairs { "add_", "shape", "exp_" } do
            helper.raises(name .. ": lunarray has no such function; it is a method of arrays, a:" .. name .. "(...)",
                function() lun[name](a) end)
            assert.is_function(a[name])
        end
    end)

    it("has the methods of arrays as functions, whose argument 1 is the array", function()
        local a = dev:array { { 1, 2, 3 }, { 4, 5, 6 } }
        helper.check_array(lun.sum(a, { axis = 1 }), "f32", { 3 }, { 5.0, 7.0, 9.0 })
        assert.equal(6.0, lun.trace(a))
        helper.check_array(lun.zeros_like(a, "i8"), "i8", { 2, 3 }, { 0, 0, 0, 0, 0, 0 })
        helper.check_array(lun.slice(a, 1, { 1, 2 }), "f32", { 2 }, { 1.0, 2.0 })
        local fused = lun.fuse(function(x) return lun.square(x) + 1 end)
        helper.check_array(fused(a:row(1)), "f32", { 3 }, { 2.0, 5.0, 10.0 })
        helper.refused("matmul: argument 2: an array is needed, got a number", lun, a, 3)
        helper.refused("lstsq: argument 2: an array is needed, got a number", lun, a, 3)
        helper.refused("lu: argument 2: a table of options is needed, got 3", lun, a, 3)
        helper.refused("save: argument 2: a path is needed, got a number", lun, a, 3)
        helper.refused("save: argument 3: nothing after argument 2 is needed, got 3", lun, a, "x.mtx", 3)
        helper.refused("sum: argument 1: an array is needed, got a table", lun, { 1, 2 })
        helper.refused("sum: argument 2: a table of options, as {axis = 2} (axes count from 1),"
            .. " is needed, got a number", lun, a, 2)
        helper.refused("exp: argument 1: an array is needed, got nothing", lun)
        helper.raises("sum: argument 1 is the module: it is called with a dot, lun.sum(...)", function()
            lun:sum(a)
        end)
    end)

    it("has each method without a final _ that is a row's, unless another function has its name", function()
        local a, others = dev:ones { 2 }, {}
        for _, operation in ipairs(lun.operations()) do
            local name = operation.name
            if operation.owner == "array" and not name:find "_$" and not rawget(lun, name) then
                others[#others + 1] = name
                assert.is_function(a[name])
            end
        end
        table.sort(others)
        assert.same({ "reduce" }, others)
    end)

    it("says the same of names that other libraries have", function()
        for name, own in pairs { astype = "cast", clone = "copy", mm = "matmul", tolist = "totable" } do
            helper.raises(name .. ": lunarray has no such function; it is a method of arrays, a:" .. own .. "(...)",
                function() lun[name]() end)
        end
    end)

    it("says of a method of devices how it is called", function()
        for _, name in ipairs { "memory", "limit", "trim", "variants" } do
            helper.raises(name .. ": lunarray has no such function; it is a method of devices, lun.device():" .. name
                .. "(...)", function() lun[name]() end)
            assert.is_function(dev[name])
        end
    end)

    it("says of a method of both how each is called", function()
        helper.raises("reduce: lunarray has no such function; it is a method of arrays, a:reduce(...), and of devices, "
            .. "lun.device():reduce(...)", function() lun.reduce("sum", "x*x", { x = dev:ones { 2 } }) end)
        assert.equal(2.0, dev:reduce("sum", "x*x", { x = dev:ones { 2 } }))
    end)

    it("says that a dtype is a string", function()
        for name, own in pairs { f64 = "f64", float32 = "f32", double = "f64", int = "i32", bool = "bool",
            boolean = "bool" } do
            helper.raises(name .. ": lunarray has no such function; a dtype is a string: \"" .. own .. "\"", function()
                lun.zeros({ 1 }, lun[name])
            end)
        end
    end)

    it("still names the nearest of its own", function()
        helper.raises("zeroes: lunarray has no such function; is zeros meant?", function() lun.zeroes() end)
        local problem = helper.raises("xylophone: lunarray has no such function", function() lun.xylophone() end)
        assert.matches("function$", problem)
    end)
end)

describe("a name of other libraries", function()
    local a = dev:array { { 1, 2, 3 }, { 4, 5, 6 } }
    local rows = "lun.concat{a, b} joins matrices one below the other, and lun.stack{a, b} makes vectors the rows "
        .. "of a matrix"
    local sentences = {
        vstack = rows, row_stack = rows,
        hstack = "lun.concat({a, b}, 2) joins matrices side by side, and lun.concat{a, b} vectors",
        dstack = "lun.stack({a, b}, 3) joins matrices along a new third axis, and lun.concat({a, b}, 3) along an "
            .. "existing one",
        column_stack = "lun.stack({a, b}, 2) makes vectors the columns of a matrix, and lun.concat({a, b}, 2) "
            .. "joins matrices",
        block = "lun.concat{lun.concat({a, b}, 2), lun.concat({c, d}, 2)} is one matrix of four",
        argwhere = "m:nonzero{axes = true} returns a row of positions for each nonzero element",
        flatnonzero = "m:reshape(-1):nonzero() returns the positions of the nonzero elements, counted row by row",
        len = "#a is the size of the first axis, and a:size() the number of elements",
        linalg = "its functions are methods of arrays, as a:solve(b), a:inv(), a:eigh() and a:svd()",
        special = "its functions are methods of arrays, as a:erf(), a:lgamma() and a:softmax()",
        polysub = "a - b, if both have as many coefficients; a:pad{{n, 0}} has n zeros before those of a",
        ix_ = "lun.meshgrid(i, j, {indexing = \"ij\", sparse = true}) has the index arrays, for a:take{...} and a:put",
    }

    it("is told what does the same, of arrays, devices and the module", function()
        for name, sentence in pairs(sentences) do
            helper.raises(name .. ": an array has no such method; " .. sentence, function() a[name](a) end)
            helper.raises(name .. ": a device has no such method; " .. sentence, function() dev[name](dev, a) end)
            helper.raises(name .. ": lunarray has no such function; " .. sentence, function() lun[name](a) end)
        end
        helper.raises("permute_dims: an array has no such method; is transpose meant?", function() a:permute_dims() end)
        helper.raises("permute_dims: lunarray has no such function; it is a method of arrays, a:transpose(...)",
            function() lun.permute_dims(a) end)
        helper.raises("atosh: an array has no such method; is acosh meant?", function() a:atosh() end) -- or atanh
        helper.raises("sparse: lun.sparse has no csr_matrix: lun.sparse{rows = i, cols = j, values = v, "
            .. "shape = {m, n}}, a:sparse(), lun.sparse.eye(n) and lun.sparse.diags(diagonals) make sparse matrices",
            function() lun.sparse.csr_matrix(a) end)
        helper.raises("pi: lunarray has no such function; math.pi is Lua's", function() local _ = 2 * lun.pi end)
    end)

    it("is told what is right", function()
        local v, w = dev:array { 1, 2 }, dev:array { 3, 4 }
        assert.same({ { 1, 2 }, { 3, 4 } }, lun.stack({ v, w }):totable())
        assert.same({ { 1, 3 }, { 2, 4 } }, lun.stack({ v, w }, 2):totable())
        assert.same({ 4, 3 }, { lun.concat({ a, a }):shape() })
        assert.same({ 2, 6 }, { lun.concat({ a, a }, 2):shape() })
        assert.same({ 2, 3, 2 }, { lun.stack({ a, a }, 3):shape() })
        local m = dev:array { { 0, 5 }, { 6, 0 } }
        assert.same({ { 1, 2 }, { 2, 1 } }, m:nonzero({ axes = true }):totable())
        assert.same({ 2, 3 }, m:reshape(-1):nonzero():totable())
        local batch = dev:arange(12):reshape(2, 3, 2)
        assert.same({ { 1, 3, 5 }, { 2, 4, 6 } }, batch:transpose({ 1, 3, 2 }):row(1):totable())
        assert.same({ { 3, 6 }, { 2, 5 }, { 1, 4 } }, a:t():flip(1):totable())
        assert.same({ { 4, 1 }, { 5, 2 }, { 6, 3 } }, a:t():flip(2):totable())
        assert.same({ { 3, 2, 1 }, { 6, 5, 4 } }, a:flip(2):totable())
        assert.same({ 1, 2, 3, 4 }, lun.concat({ v, w }):unique():totable())
        local mask, peaks = dev:ones({ 3, 4 }, "bool"), dev:array { 1, 3, 2, 5, 4 }
        assert.equal(2, mask:pad(1):windows({ 3, 3 }):all({ axis = { 3, 4 } }):sum())
        assert.same({ 2, 4 }, (peaks:slice { 2, -2 }:gt(peaks:slice { 1, -3 })
            & peaks:slice { 2, -2 }:gt(peaks:slice { 3, -1 })):nonzero():add(1):totable())
        local labels = dev:array({ 2, 1 }, "i32")
        assert.same({ { false, true }, { true, false } }, labels:expand(2):eq(lun.arange(2)):totable())
        local s = dev:array { { 2, 1 }, { 1, 2 } }
        local values, vectors = s:eigh()
        local root = (vectors * values:sqrt()):matmul(vectors:t())
        assert.is_true(root:matmul(root):allclose(s, { atol = 1e-5 }))
        assert.is_true(math.abs(lun.erfcinv(2 * 0.975) * -2 ^ 0.5 - 1.959964) < 1e-5)
        assert.is_true(math.abs(lun.erfc(1.959964 / -2 ^ 0.5) / 2 - 0.975) < 1e-5)
        assert.same({ 2, 4.5, 8, 12.5 }, ((peaks:slice { 2, -1 } + peaks:slice { 1, -2 }) / 2):cumsum():totable())
        assert.same({ 1, 10, 100, 1000 }, lun.linspace(0, 3, 4):exp10():round():totable())
    end)

    it("has a row as long as it is none of ours, and the row names what there is", function()
        local program, count = dev:program "kernel void one(global float *x) { *x = 1; }", 0
        local event, mapping <close> = a:copy { async = true }, dev:ones({ 2 }):host()
        local kernel, A = program:kernel(), lun.sparse.eye(2)
        for _, owner in ipairs { lun, a, A, dev, event, mapping, dev:queue(), program, kernel, dev:rng(1) } do
            for name, instead in pairs(lun._foreign(owner ~= lun and owner or nil)) do
                local ok, problem = pcall(function() return owner[name] end)
                assert.is_false(ok, name)
                assert.matches(instead, tostring(problem), 1, true)
                local own = instead:match "^[%w_]+$"
                assert.is_true(not own or pcall(function() return owner[own] end), own)
                count = count + 1
            end
        end
        assert.is_true(count > 150, "rows that are not read: " .. count)
    end)

    it("is told where Lua's own functions get an array", function()
        local what = "lunarray.array, whose methods do what functions of numbers do: a:sin(), a:maximum(b)"
        local function sine(x) return math.sin(x) + 1 end
        for _, f in ipairs { sine, lun.fuse(sine) } do
            local ok, problem = pcall(f, a)
            assert.is_false(ok)
            assert.matches("bad argument #1 to 'sin' (number expected, got " .. what .. ")", problem, 1, true)
        end
        assert.equal("lunarray.array", getmetatable(a))
    end)
end)

describe("a device", function()
    it("says of a method of arrays how it is called", function()
        for _, name in ipairs { "sum", "matmul", "exp" } do
            helper.raises(name .. ": a device has no such method; it is a method of arrays, a:" .. name .. "(...)",
                function() dev[name](dev, dev:ones { 2 }) end)
        end
    end)
end)

describe("a device's name and type", function()
    it("are in its info", function()
        helper.raises("name: a device has no such method; dev:info().name is the name", function() print(dev.name) end)
        helper.raises("type: a device has no such method; dev:info().type is the type", function() dev:type() end)
        assert.is_string(dev:info().name)
        assert.is_string(dev:info().type)
    end)
end)

describe("an array", function()
    local a = dev:arange(6):reshape(2, 3)

    it("says of statistics and products that it has not how they are made", function()
        local x = dev:array { 1, 0 / 0, 3 }
        for name, instead in pairs {
            clip = "is clamp meant?", ravel = "is reshape meant?", count_nonzero = "is nnz meant?",
            nanpercentile = "is nanquantile meant?",
        } do
            helper.raises(name .. ": an array has no such method; " .. instead, function() x[name](x) end)
        end
        assert.same({ 1, 3 }, x:mask(x:isnan():lnot()):totable())
    end)

    it("says of a method of devices how it is called", function()
        for _, name in ipairs { "zeros", "array", "arange", "program", "finish" } do
            helper.raises(name .. ": an array has no such method; it is a method of devices, a:device():" .. name
                .. "(...)", function() a[name](a) end)
        end
    end)

    it("says of names that look like others what does the same", function()
        local x = dev:array { 1, 0 / 0, 0 / 0, 4, 0 / 0 }
        for name, instead in pairs {
            ffill = 'a:scan{combine = "isnan(b) ? a : b"} replaces NaN by the last element that is not NaN',
            bfill = 'a:scan{combine = "isnan(a) ? b : a", reverse = true} replaces NaN by the next element '
                .. "that is not NaN",
            fillna = "a:isnan():where(0, a) replaces NaN by 0",
            mode = "local values, counts = a:unique{counts = true}; values:get(counts:argmax()) is the most frequent",
            rand = "a:device():rng(seed) is a stream of random numbers, and a:device():random(shape) fills "
                .. "an array",
            groupby = "lun.sort_by(keys, keys, a) groups equal keys, and a:sum{segments = starts} or another "
                .. "reduction reduces each group",
            lexsort = "lun.sort_by(keys, ...), called with the last key first, sorts by several keys, since it "
                .. "is stable",
            shuffle = "dev:rng(seed):permutation(a) returns the rows of a in random order",
        } do
            helper.raises(name .. ": an array has no such method; " .. instead, function() x[name](x) end)
        end
        assert.same({ 1, 1, 1, 4, 4 }, x:scan({ combine = "isnan(b) ? a : b" }):totable())
        assert.same({ 1, 4, 4, 4 }, x:scan({ combine = "isnan(a) ? b : a", reverse = true }):slice({ 1, 4 }):totable())
        assert.same({ 1, 0, 0, 4, 0 }, x:isnan():where(0, x):totable())
        local values, counts = dev:array({ 3, 1, 3 }):unique { counts = true }
        assert.equal(3.0, values:get(counts:argmax()))
    end)

    it("and a device say of functions and of methods of random streams whose they are", function()
        for _, name in ipairs { "histogram2d", "sort_by", "meshgrid", "savez", "fuse" } do
            for owner, object in pairs { ["an array"] = a, ["a device"] = dev } do
                helper.raises(("%s: %s has no such method; it is a function, lun.%s(...)"):format(name, owner, name),
                    function() object[name](object, a) end)
            end
            assert.is_function(lun[name])
        end
        for _, name in ipairs { "choice", "permutation", "poisson" } do
            for owner, object in pairs { ["an array"] = a, ["a device"] = dev, lunarray = lun } do
                helper.refused(("%s: %s has no such %s; it is a method of random streams, dev:rng(seed):%s(...)")
                    :format(name, owner, object == lun and "function" or "method", name), object, a)
            end
            assert.is_function(dev:rng(1)[name])
        end
        assert.is_function(lun._kinds)
        local problem = helper.raises("_kinds: an array has no such method", function() a:_kinds() end)
        assert.matches("method$", problem)
    end)

    it("is not waited for, and says what is", function()
        helper.raises("wait: an array has no such method; a:device():finish() waits for all work, and a call with "
            .. "async = true gives an event to wait for", function() a:wait() end)
    end)

    it("is no table to go through, and says how it becomes one", function()
        helper.raises("pairs(a): an array is not a table: a:totable() copies its elements to one; a:host() maps them, "
            .. "from h[1] to h[#h]", function() for _, x in pairs(a) do print(x) end end)
        helper.raises("a[i]: an array cannot be indexed: a:get(i, j) reads one element, a:row(i) views a row, a:host() "
            .. "maps all of them, a:totable() copies them to a table", function()
            for _, x in ipairs(a) do
                print(x)
            end
        end)
    end)

    it("is not called, and says what reads elements", function()
        local message = "a(i): an array cannot be called: a:get(i, j) reads one element, a:slice(...) views a part, "
            .. "a:totable() gives a table to go through"
        helper.raises(message, function() local _ = a(1, 2) end)
        helper.raises(message, function() for x in a do print(x) end end)
    end)

    it("is read as the messages say", function()
        assert.equal(6, a:get(2, 3))
        assert.same({ { 1, 2, 3 }, { 4, 5, 6 } }, a:totable())
        local h <close> = a:host()
        assert.same({ 6, 6 }, { #h, h[#h] })
    end)
end)
