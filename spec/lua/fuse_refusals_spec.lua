-- lun.fuse: what cannot be fused is refused at the line of the function that asks for it, and wrong calls at theirs.

local lun = require "lunarray"
local helper = require "spec.helper"

-- Raises unless the function, fused and called with the arguments, fails at a line of its own with such a message.
local function refuses(message, f, ...)
    local ok, problem = pcall(lun.fuse(f), ...)
    local where = debug.getinfo(f, "S")
    local file, line, text = tostring(problem):match "^(.-):(%d+): lunarray: (.*)$"
    line = tonumber(line)
    if ok or file ~= where.short_src or line < where.linedefined or line > where.lastlinedefined then
        error(("expected an error in %s:%d, got: %s"):format(where.short_src, where.linedefined, tostring(problem)), 2)
    elseif text:sub(1, #message) ~= message then
        error(("expected an error that starts with\n%s\ngot\n%s"):format(message, text), 2)
    end
end

helper.each_device(function(dev, title)
    describe("what cannot be fused " .. title, function()
        local x, y = dev:array { 1, 2, 3 }, dev:array { 10, 20, 40 }

        it("raises at the very line of the function", function()
            local line = debug.getinfo(1, "l").currentline + 3
            local f = lun.fuse(function(a)
                local b = a + 1
                local c = b:unique()
                return c
            end)
            local ok, problem = pcall(f, x)
            assert.is_false(ok)
            assert.matches((":%d: lunarray: unique: cannot be fused: "):format(line), problem, 1, true)
        end)

        it("is what needs values, elements or order", function()
            local values = ": the array belongs to a traced function, and its values are not known yet"
            for name, argument in pairs { get = 1, totable = false, tobytes = false, host = "r", save = "/none.npy" } do
                refuses(name .. ": ", function(a) return a + a[name](a, argument or nil) end, x)
            end
            refuses("get" .. values, function(a) return a + a:get(1) end, x)
            refuses("host" .. values, function(a) return a + #a:host("r") end, x)
            refuses("totable: cannot be fused: values are not known yet", function(a) return a + #a:totable() end, x)
            refuses("run" .. values, function(a)
                local kernel = dev:program("kernel void one(global float *p) { p[0] = 1; }"):kernel("one")
                kernel:run({ global = 1 }, a)
                return a
            end, x)
            refuses("unique: cannot be fused: the size of its result depends on values, which are not known yet",
                function(a) return a:unique() end, x)
            refuses("a < b or a > b: Lua would convert a comparison to one "
                .. "boolean", function(a) return a < 3 and a or -a end, x)
            refuses("a <= b or a >= b: Lua would convert a comparison to one "
                .. "boolean", function(a) return 3 >= a and a or -a end, x)
            refuses("a < b or a > b: Lua would convert a comparison to one "
                .. "boolean", function(a) local b = math.max(a, 3) return b end, x)
            local order = "fuse: the boolean of a comparison is not known yet; a:lt(b), le, gt, ge, "
                .. "eq and ne stay in the kernel, and a:maximum(b) and minimum"
            refuses(order, function(a, k) return k < 3 and a or -a end, x, 2)
            refuses(order, function(a, k) return 3 <= k and a or -a end, x, 2)
            refuses("fuse: a number has no string yet: its value is not known", function(_, k) return k .. "" end, x, 2)
            refuses("fuse: a number cannot be assigned to", function(a, k) k.re = 2 return a end, x, 2)
            refuses("fuse: a number cannot be called", function(a, k) return a + k() end, x, 2)
            refuses("a[i]: an array cannot be indexed", function(a) return a + a[1] end, x)
            refuses("clamp: low 3 is above high 1.5; clamp takes the lower number first",
                function(a) return a:clamp(3, 1.5) end, x)
        end)

        it("is what would be the same at every call", function()
            local made = "a fused function runs once, so anything made in it would be the same at every call"
            refuses("fuse: random: " .. made, function(a) return a + dev:random { 3 } end, x)
            refuses("fuse: zeros: " .. made, function(a) return y:exp() + a * dev:zeros { 3 } end, x)
            refuses("fuse: array: " .. made, function(a) return a + dev:array { 1, 2, 3 } end, x)
            local stream = dev:rng(1)
            refuses("fuse: uniform: " .. made, function(a) return a + stream:uniform { 3 } end, x)
        end)

        it("is a number of another function, and numbers without end", function()
            local other = "a * b: a number of a fused function is used after the function has returned, or in another "
                .. "one"
            local kept
            lun.fuse(function(a, k) kept = k return a + k end)(x, 5)
            refuses(other, function(a) return a * kept end, x)
            refuses(other, function(a, k) return a * kept + k end, x, 7)
            helper.raises(other, function() return x * kept end)
            local many = "fuse: the function computes more than 8192 numbers; each turn of a loop adds its own"
            refuses(many, function(a, k)
                for _ = 1, 70000 do k = k + 1 end
                return a * k
            end, x, 1)
        end)

        it("is a sparse matrix, and an array that was released", function()
            local matrix = dev:sparse { rows = dev:array({ 1, 2 }, "i64"), cols = dev:array({ 1, 2 }, "i64"),
                values = dev:array { 1, 3 }, shape = { 2, 2 } }
            refuses("matmul: cannot be fused: operations on sparse matrices are not recorded", function(a)
                local b = matrix:matmul(a)
                return b
            end, dev:array { 1, 2 })
            refuses("a + b: left operand: the array was released", function(a)
                local b = a + 1
                b:release()
                return b + 1
            end, x)
            refuses("fuse: result 1 of the fused function was released", function(a)
                local b = a + 1
                b:release()
                return b
            end, x)
        end)

        it("is over when a coroutine that was within it is closed, or waits", function()
            local f = lun.fuse(function(a)
                if coroutine.isyieldable() then coroutine.yield() end
                return a + 1
            end)
            local thread = coroutine.create(f)
            coroutine.resume(thread, x)
            helper.check_array(lun.fuse(function(a) return a * 2 end)(x), "f32", { 3 }, { 2.0, 4.0, 6.0 })
            helper.check_array(x + 1, "f32", { 3 }, { 2.0, 3.0, 4.0 })
            coroutine.close(thread)
            helper.check_array(x + dev:ones { 3 }, "f32", { 3 }, { 2.0, 3.0, 4.0 })
            helper.check_array(f(x), "f32", { 3 }, { 2.0, 3.0, 4.0 })
        end)

        it("is what arrays do not have", function()
            for name, instead in pairs {
                mean_ = "is mean meant?", clip = "is clamp meant?", vstack = "lun.concat{a, b} joins matrices",
            } do
                local message = name .. ": an array has no such method; " .. instead
                refuses(message, function(a) return a[name](a, a) end, x)
                refuses(message, function(n) return (y + n)[name](n) end, 3)
            end
            refuses("fuse: a number has no 'mean'; arrays have methods, and complex numbers parts",
                function(n, a) return a + n:mean() end, 3, x)
        end)

        it("is what changes an array, and what options ask for", function()
            local place = ": a fused function cannot change arrays in place; `out` of its call may be an argument"
            for _, name in ipairs { "add_", "fill", "write" } do
                refuses(name .. place, function(a) return a[name](a, name == "write" and { 1, 2, 3 } or 1) end, x)
            end
            refuses("add_" .. place, function(a)
                local b = y:add_(a)
                return b
            end, x)
            local options = ": out, async, queue and variant have no meaning within a fused function; its call takes "
                .. "them"
            refuses("exp" .. options, function(a) return a:exp { out = y } end, x)
            refuses("add" .. options, function(a) return a:add(1, { async = true }) end, x)
            refuses("add" .. options, function(a) return y:add(a, { variant = "plain" }) end, x)
            refuses("where" .. options, function(a) return lun.where(y, a, y, { out = y }) end, x)
            refuses("sum" .. options, function(a) return a:sum { queue = dev:queue() } end, x)
            refuses("fuse: options have no meaning within a fused function", function(a)
                local b = lun.fuse(function(c) return c end)(a, { out = y })
                return b
            end, x)
            helper.check_array(y, "f32", { 3 }, { 10.0, 20.0, 40.0 })
        end)

        it("is a number of the call where a fixed one is needed", function()
            local fixed = ": a fixed number is needed, got a number that is an argument of the fused function: its "
                .. "value may differ from call to call"
            refuses("slice" .. fixed, function(a, k) return a:slice({ 1, k }) end, x, 2)
            refuses("slice" .. fixed, function(a, k) return a:slice(k) end, x, 2)
            refuses("sum" .. fixed, function(a, k) return a:sum { axis = k } end, x, 1)
            refuses("trapezoid" .. fixed, function(a, k) return a:trapezoid(k) end, x, 2)
            refuses("vector_norm" .. fixed, function(a, k) return a:vector_norm(k) end, x, 2)
            refuses("map" .. fixed, function(a, k)
                local b = dev:map("a * k", { a = a, k = k })
                return b
            end, x, 2)
            refuses("slice: position 9 is out of range on axis 1, which has 3", function(a)
                return a:slice { 1, 9 }
            end, x)
        end)

        it("is a wrong call of a reduction, as outside of fused functions", function()
            refuses("a < b or a > b: Lua would convert a comparison to one boolean",
                function(a) return a:sum() < 3 and a end, x)
            refuses("sum: argument 1: a table of options, as {axis = 1} (axes count from 1),"
                .. " is needed, got a number", function(a)
                return a:sum(1)
            end, x)
            refuses("max: argument 1: a table of options is needed, got an array; a:maximum(b) has the larger of two",
                function(a) return a:max(a) end, x)
            refuses("reduce: unknown op 'sun'; known are sum, ", function(a) return a:reduce("sun") end, x)
            refuses("slice: argument 1: a range is {from, to, step} of whole numbers, got an array", function(a)
                return a:slice { 1, a:max() }
            end, x)
        end)

        it("is an operand that is no array and no number, and a dtype that is none", function()
            refuses("a + b: arrays and numbers are needed on both sides, got a string",
                function(a) return a + "1" end, x)
            refuses("a + b: arrays and numbers are needed on both sides, got a string",
                function(a) return "1" + a end, x)
            refuses("a * b: arrays and numbers are needed on both sides, got nil", function(a) return a * nil end, x)
            local event = y:copy { async = true }
            refuses("a ^ b: arrays and numbers are needed on both sides, got an event",
                function(a) return a ^ event end, x)
            refuses("add: argument 1: an array or a number is needed, got nothing", function(a)
                return a:add()
            end, x)
            refuses("exp: self: an array is needed, got a number; is it called with a colon?", function(a)
                return a.exp(3)
            end, x)
            refuses("cast: unknown dtype 'int', which is i32 here; known are", function(a) return a:cast("int") end, x)
            refuses("cast: argument 1: a dtype is needed, got nothing", function(a) return a:cast() end, x)
            refuses("a & b: band takes integers, not f32", function(a) return a & 1 end, x)
            refuses("a + b: 300 is out of range for u8 (0 to 255)", function(a) return a + 300 end, x:cast("u8"))
            local add = lun.fuse(function(a, k) return a + k end)
            local ok, problem = pcall(add, x:cast("u8"), 300) -- traced for 300, at the line of the sum
            assert.is_false(ok)
            assert.matches("lunarray: a + b: 300 is out of range for u8 (0 to 255)", problem, 1, true)
            helper.check_array(add(x:cast("u8"), 3), "u8", { 3 }, { 4, 5, 6 })
            helper.raises("a + b: 300 is out of range for u8 (0 to 255)", function()
                lun.fuse(function(a, k) return a + k end)(x:cast("u8"), 300)
            end)
        end)

        it("is what Lua refuses of numbers, and a number that the arrays' dtype cannot hold", function()
            local bytes = dev:array({ 0, 5, 200 }, "u8")
            refuses("fuse: attempt to perform 'n%", function(a, t) return a + t % 0 end, bytes, 5)
            refuses("fuse: attempt to ", function(a, t) return a + 7 // (t - 5) end, bytes, 5)
            refuses("fuse: number has no integer representation", function(a, t) return a + (t | 1) end, bytes, 1.5)
            refuses("fuse: attempt to perform arithmetic on a nil value", function(a, t) return a * (t + nil) end,
                bytes, 5)
            local f = lun.fuse(function(a, t) return a + 10 // t end)
            helper.check_array(f(bytes, 5), "u8", { 3 }, { 2, 7, 202 })
            local ok, problem = pcall(f, bytes, 0)
            local line = tostring(problem):match "^spec/lua/fuse_refusals_spec.lua:(%d+): lunarray: fuse: attempt to "
            assert.same({ false, debug.getinfo(1, "l").currentline - 4 }, { ok, tonumber(line) })
            helper.raises("a + b: 500 is out of range for u8 (0 to 255)", function()
                lun.fuse(function(a, t) return a + t * 100 end)(bytes, 5)
            end)
        end)

        it("raises at the line of the step that refuses a dtype", function()
            local line = debug.getinfo(1, "l").currentline + 3
            local f = lun.fuse(function(a, k)
                local b = a * k
                local c = b << 3
                return c + b
            end)
            local ok, problem = pcall(f, x, 2)
            assert.is_false(ok)
            assert.matches((":%d: lunarray: a << b: shl takes integers, not f32"):format(line), problem, 1, true)
            assert.same({ 180, 360, 720 }, f(y:cast("i32"), 2):totable())
        end)

        it("is what the function gives that it has not computed", function()
            refuses("fuse: the fused function returned nothing; it must return its results", function() end, x)
            local results = "; results must be computed from its arguments"
            refuses("fuse: result 1 of the fused function is nothing" .. results, function() return nil end, x)
            refuses("fuse: result 2 of the fused function is an array" .. results, function(a) return a, y end, x)
            refuses("fuse: result 1 of the fused function is 3" .. results, function() return 3 end, x)
        end)

        it("is an array of another call", function()
            local kept, sum
            local keeps = lun.fuse(function(a)
                kept, sum = a, a:sum()
                return a
            end)
            keeps(x)
            local left = "an array of a traced function is used after the function has returned; only results may "
                .. "leave it"
            helper.raises("a + b: " .. left, function() return kept + 1 end)
            helper.raises("sum: " .. left, function() return kept:sum() end)
            assert.matches(left, tostring(sum), 1, true)
            refuses("a + b: " .. left, function(a) return a + kept end, x)
            refuses("fuse: result 1 of the fused function was computed in another call", function() return kept end, x)
            refuses("fuse: result 1 of the fused function was computed in another call", function() return sum end, x)
            local halted = coroutine.wrap(lun.fuse(function(a) coroutine.yield(a) return a end))(x)
            refuses("a + b: one traced function cannot compute with arrays of another",
                function(a) return a + halted end, y)
        end)
    end)

    describe("a call of a fused function " .. title, function()
        local x = dev:array { 1, 2, 3 }
        local f = lun.fuse(function(a, b) return a * (b or 2) end)

        it("takes a function", function()
            helper.raises("fuse: argument 1: a function is needed, got nothing", function() lun.fuse() end)
            helper.raises("fuse: argument 1: a function is needed, got a string", function() lun.fuse("x * 2") end)
            helper.raises("fuse: argument 1: a function is needed, got an array", function() lun.fuse(x) end)
            helper.refused("fuse: argument 1 is the module: it is called with a dot, lun.fuse(...)", lun, lun, print)
            helper.refused("fuse: argument 3: nothing after argument 1 is needed, got an array", lun, print, nil, x)
        end)

        it("takes arrays and numbers, and options behind them", function()
            local gone = dev:zeros { 3 }
            gone:release()
            for message, arguments in pairs {
                ["argument 1: an array or a number is needed, got nothing"] = { n = 0 },
                ["argument 1: an array or a number is needed, got nil"] = { nil, x, n = 2 },
                ["argument 2: an array or a number is needed, got nil"] = { x, nil, n = 2 },
                ["argument 1: an array or a number is needed, got a string"] = { "x" },
                ["argument 2: an array or a number is needed, got a boolean"] = { x, true },
                ["argument 1: an array or a number is needed, got a table"] = { { 1, 2, 3 } },
                ["argument 2: an array or a number is needed, got a table"] = { x, { 1, 2, 3 } },
                ["argument 1: an array or a number is needed, got a device"] = { dev },
                ["argument 2: the array was released"] = { x, gone },
                ["unknown option 'uot'; known are out, variant, async, queue"] = { x, { uot = x } },
            } do
                helper.raises("fuse: " .. message, function()
                    local _ = f(table.unpack(arguments, 1, arguments.n or #arguments))
                end)
            end
            local _, problem = pcall(f, 3, 4)
            assert.matches("fuse: result 1 is computed from numbers alone; it must be an array, or a reduction of one",
                problem, 1, true)
            helper.check_array(f(x, {}), "f32", { 3 }, { 2.0, 4.0, 6.0 })
            helper.check_array(f(3, x), "f32", { 3 }, { 3.0, 6.0, 9.0 })
        end)

        it("says how many arguments came where nil came for one", function()
            local nothing = "a + b: arrays and numbers are needed on both sides, got nil"
            local function told(message, wanted, ...)
                local ok, problem = pcall(...)
                assert.is_false(ok)
                local text = problem:match "^.-:%d+: (.*)$":gsub("^lunarray: ", "")
                assert.equal(message .. wanted, text)
            end
            local two = lun.fuse(function(a, b) return a + b end)
            told(nothing, "; the fused function has 2 parameters, but was called with 1 argument", two, x)
            told(nothing, "; the fused function has 2 parameters, but was called with 1 argument", two, x, { out = x })
            told(nothing, "; the fused function has 2 parameters, but was called with 1 argument",
                lun.fuse(function(a) return (two(a)) end), x)
            told("attempt to index a nil value (local 'c')",
                "; the fused function has 3 parameters, but was called with 2 arguments",
                lun.fuse(function(a, b, c) return c:exp() + a + b end), x, x)
            told(nothing, "", lun.fuse(function(a, ...) return a + ... end), x)
            told(nothing, "", lun.fuse(function(a) return a + nil end), x)
            told("manila", "", lun.fuse(function(_, _) error "manila" end), x)
        end)

        it("refuses limits that are numbers, the lower one above the other, at the line of clamp", function()
            local line = debug.getinfo(1, "l").currentline + 2
            local clamped = lun.fuse(function(a, low, high)
                local b = a:clamp(low, high)
                return b + 0, b:sum()
            end)
            local text = ":%d: lunarray: clamp: low 9 is above high 2; clamp takes the lower number "
                .. "first"
            for _ = 1, 2 do -- traced, and with the kernel of the call before
                local ok, problem = pcall(clamped, x, 9, 2)
                assert.is_false(ok)
                assert.matches(text:format(line), problem, 1, true)
                assert.same({ 2.0, 2.0, 2.5 }, clamped(x, 2, 2.5):totable())
            end
            refuses("clamp: low 4 is above high 3;", function(a, high) return a:clamp(4, high) end, x, 3)
            refuses("clamp: low 4.5 is above high 3;", function(a, low) return a:clamp(low, 3) end, x, 4.5)
            refuses("clamp: low 4 is above high 3;", function(a, low) return a:clamp(low, 3):sum() end, x, 4)
            local array = lun.fuse(function(a, low, high) return a:clamp(low, high) end) -- the device alone knows
            assert.equal(3, #array(x, dev:array { 9, 9, 9 }, 2))
            assert.equal(3, #array(x, 0 / 0, 2))
        end)

        it("passes on what its function raises, and works the next time", function()
            local problem, calls = { "mine" }, 0
            local g = lun.fuse(function(a)
                calls = calls + 1
                if problem then
                    error(problem)
                end
                return a + 1
            end)
            local ok, raised = pcall(g, x)
            assert.is_false(ok)
            assert.equal(problem, raised)
            problem = nil
            helper.check_array(g(x), "f32", { 3 }, { 2.0, 3.0, 4.0 })
            assert.equal(2, calls)
        end)

        it("does not come from its own function", function()
            helper.raises("fuse: the fused function calls itself", function()
                local own
                own = lun.fuse(function(a)
                    local b = own(a)
                    return b
                end)
                pcall(own, x)
                pcall(lun.fuse(function(a) return (own(a)) end), x)
                own(x)
            end)
            local depth = 0
            helper.raises("fuse: the fused function calls itself", function() -- of another one, that calls itself
                local own
                own = lun.fuse(function(a)
                    depth = depth + 1
                    return depth < 100 and own(a) or a
                end)
                lun.fuse(function(a) return own(a) + 1 end)(x)
            end)
            assert.equal(1, depth)
        end)

        it("has bounds on arrays, numbers and steps, within which all is well", function()
            local function sum_of(...)
                local sum = 0
                for i = 1, select("#", ...) do
                    sum = sum + select(i, ...)
                end
                return sum
            end
            local arrays, numbers = {}, { x }
            for i = 1, 33 do
                arrays[i] = dev:full({ 2 }, i)
            end
            for i = 1, 17 do
                numbers[i + 1] = i
            end
            local g = lun.fuse(sum_of)
            helper.check_array(g(table.unpack(arrays, 1, 32)), "f32", { 2 }, { 528.0, 528.0 })
            helper.check_array(g(table.unpack(numbers, 1, 17)), "f32", { 3 }, { 137.0, 138.0, 139.0 })
            helper.check_array(g(table.unpack(arrays)), "f32", { 2 }, { 561.0, 561.0 })
            helper.check_array(g(table.unpack(numbers)), "f32", { 3 }, { 154.0, 155.0, 156.0 })
            for i = 34, 65 do
                arrays[i] = arrays[1]
            end
            helper.raises("fuse: the function has more than 64 arrays", function() g(table.unpack(arrays)) end)
            local function results(count)
                return lun.fuse(function(a)
                    local list = {}
                    for i = 1, count do
                        list[i] = a + i
                    end
                    return table.unpack(list)
                end)
            end
            assert.equal(16, select("#", results(16)(x)))
            helper.raises("fuse: the function has more than 16 results", function() results(17)(x) end)
            local function repeated(times, last)
                return lun.fuse(function(a)
                    local b = a:row(1)
                    for _ = 1, times do
                        b = b:maximum(a:row(2)):neg()
                    end
                    return last and b:abs() or b
                end)
            end
            local m = dev:array { { 1, 2 }, { 3, 4 } }
            helper.check_array(repeated(127)(m), "f32", { 2 }, { -3.0, -4.0 })
            local none = dev:zeros { 2, 0 } -- for which nothing is compiled
            helper.check_array(repeated(511)(none), "f32", { 0 }, {})
            helper.check_array(repeated(511, true)(none), "f32", { 0 }, {}) -- two kernels
        end)

        it("is a loop that has far more steps than a kernel, at the loop's line and before the loop ends", function()
            local turns = 0
            refuses("neg: the function has more than 8192 steps; each turn of a loop adds "
                .. "its own: fuse one turn, or a few, and call that in the loop", function(a)
                local b = a
                for turn = 1, 10000 do
                    turns = turn
                    b = (b + a):neg()
                end
                return b
            end, x)
            assert.equal(4096, turns) -- the argument, and two steps of each turn but the last
            local unused = lun.fuse(function(a) -- what no result needs is noted, and no step of the kernel
                local b = a
                for _ = 1, 4095 do
                    b = (b + a):neg()
                end
                return a:neg() -- the last of 8192
            end)
            helper.check_array(unused(x), "f32", { 3 }, { -1.0, -2.0, -3.0 })
        end)
    end)
end)
