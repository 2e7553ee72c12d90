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
        local m = dev:zeros { 2, 3 }

        it("raises at the very line of the function", function()
            local line = debug.getinfo(1, "l").currentline + 3
            local f = lun.fuse(function(a)
                local b = a + 1
                local c = b:matmul(a)
                return c
            end)
            local ok, problem = pcall(f, x)
            assert.is_false(ok)
            assert.matches((":%d: lunarray: fuse: matmul cannot be fused: "):format(line), problem, 1, true)
        end)

        it("is what needs values, elements, shapes or order", function()
            for _, name in ipairs { "get", "totable", "tobytes", "host", "save" } do
                refuses(("fuse: %s cannot be fused: values are not known yet"):format(name), function(a)
                    local value = a[name](a, 1)
                    return a + value
                end, x)
            end
            for _, name in ipairs { "shape", "size", "nbytes" } do
                refuses(("fuse: %s: the shape is not known yet: the kernel serves arrays of any shape"):format(name),
                    function(a) return a * a[name](a) end, x)
            end
            local order = "fuse: a comparison gives one boolean to Lua, which is not known yet; a:lt(b), le, gt, ge, "
                .. "eq and ne stay in the kernel, and a:maximum(b) and minimum"
            refuses(order, function(a) return a < 3 and a or -a end, x)
            refuses(order, function(a) return 3 >= a and a or -a end, x)
            refuses(order, function(a) local b = math.max(a, 3) return b end, x)
            refuses(order, function(a, b) return a == b and a or -a end, x, y)
            refuses("fuse: the size is not known yet: the kernel serves arrays of any size", function(a)
                return a * #a
            end, x)
            local elements = "fuse: elements are not known yet: a fused function computes with whole arrays"
            refuses(elements, function(a) return a + a[1] end, x)
            refuses(elements, function(a) return a + next { pairs(a) } end, x)
            refuses(elements, function(a) for _, b in ipairs(a) do a = a + b end return a end, x)
            refuses("fuse: clamp: low 3 is above high 1.5; clamp takes the lower number first",
                function(a) return a:clamp(3, 1.5) end, x)
            refuses("fuse: a stand-in is not assigned to", function(a) a[1] = 3 return a end, x)
            refuses("fuse: a stand-in has no text: its values are not known yet", function(a) return a .. "" end, x)
            refuses("fuse: a stand-in is not called", function(a) return a(1) end, x)
        end)

        it("is every other operation", function()
            local can = " cannot be fused: arithmetic, comparisons, functions, where, casts, views of arguments and "
                .. "reductions can"
            for _, name in ipairs { "matmul", "transpose", "fill" } do
                refuses("fuse: " .. name .. can, function(a) return a[name](a, a) end, x)
            end
            for name, instead in pairs {
                mean_ = "is mean meant?", clip = "is clamp meant?", vstack = "lun.concat{a, b} joins matrices",
            } do
                local message = name .. ": an array has no such method; " .. instead
                refuses(message, function(a) return a[name](a, a) end, x)
                refuses(message, function(n, a) return a + n[name](n) end, 3, x)
                refuses(message, function(n) return (y + n)[name](n) end, 3)
            end
            refuses("matmul: argument 1: an array is wanted, got a stand-in of a fused function", function(a)
                local b = m:matmul(a)
                return b
            end, x)
            refuses("map: argument 'a': an array or a number is wanted, got a stand-in", function(a)
                local b = dev:map("a", { a = a })
                return b
            end, x)
        end)

        it("is what changes an array, and what options ask for", function()
            refuses("fuse: add_: nothing is changed in place within a fused function; `out` of its call may be an "
                .. "argument", function(a) return a:add_(1) end, x)
            refuses("add_: nothing is changed in place within a fused function", function(a)
                local b = y:add_(a)
                return b
            end, x)
            local options = ": options have no meaning within a fused function"
            refuses("fuse: exp" .. options, function(a) return a:exp { out = y } end, x)
            refuses("fuse: add" .. options, function(a) return a:add(1, { out = y }) end, x)
            refuses("fuse: add" .. options, function(a) return y:add(a, { out = y }) end, x)
            refuses("fuse: where" .. options, function(a) return lun.where(y, a, y, { out = y }) end, x)
            refuses("fuse: options have no meaning within a fused function", function(a)
                local b = lun.fuse(function(c) return c end)(a, { out = y })
                return b
            end, x)
            helper.check_array(y, "f32", { 3 }, { 10.0, 20.0, 40.0 })
        end)

        it("is a view of what is computed, or of other places at each call", function()
            for _, name in ipairs { "slice", "row", "col", "t", "reshape" } do
                refuses(("fuse: %s: views are made of arguments, before anything is computed"):format(name),
                    function(a) return (a + 1)[name](a + 1, 1) end, m)
            end
            local fixed = "fuse: slice: fixed numbers are wanted, got a stand-in: its value is not known yet"
            refuses(fixed, function(a, k) return a:slice({ 1, k }) end, x, 2)
            refuses(fixed, function(a, k) return a:slice(k) end, x, 2)
            refuses("slice: position 9 is out of range on axis 1, which has 3", function(a)
                return a:slice { 1, 9 }
            end, x)
            refuses("fuse: dtype: it is known of arrays that are arguments, and of their views", function(a)
                return (a + 1):dtype() == "f32" and a
            end, x)
            assert.equal("f32", lun.fuse(function(a) return a:row(1):dtype() == "f32" and a or -a end)(m):dtype())
        end)

        it("is what a reduction has no value for yet", function()
            refuses("fuse: a comparison gives one boolean to Lua, which is not known yet",
                function(a) return a:sum() < 3 and a end, x)
            refuses("fuse: any of all elements is true or false, which is not computed with; give the axis",
                function(a) return a + a:any() end, x)
            refuses("fuse: t: views are made of arguments, before anything is computed",
                function(a) return a + a:sum({ axis = 1 }):t() end, m)
            helper.raises("fuse: async and out go with results of the last pass; a reduction that others are computed "
                .. "with is made before", function()
                lun.fuse(function(a) local s = a:sum() return a / s, s end)(x, { async = true })
            end)
            refuses("fuse: sum: a table of options, as {axis = 1}, is wanted, got a number", function(a)
                return a:sum(1)
            end, x)
            refuses("fuse: sum: a table of options is wanted, got a number", function(a) return a:sum(0) end, x)
            refuses("fuse: sum: a table of options is wanted, got a string", function(a) return a:sum "f64" end, x)
            refuses("fuse: sum: a table of options, as {axis = -1}, is wanted, got a number", function(a)
                return a:reduce("sum", -1)
            end, x)
            refuses("fuse: max: a table of options is wanted, got a stand-in; a:maximum(b) has the larger of two",
                function(a) return a:max(a) end, x)
            refuses("fuse: min: a table of options, as {axis = 1}, is wanted, got a number; a:minimum(b) has the "
                .. "smaller of two", function(a) return a:min(1) end, x)
            refuses("fuse: quantile: a table of options, as {axis = 1}, is wanted, got a number", function(a)
                return a:quantile(0.5, 1)
            end, x)
            local name = "fuse: reduce: the name of one reduction is wanted (sum "
            refuses(name, function(a) return a:reduce("sun") end, x)
            refuses(name, function(a) return a:reduce { "sum" } end, x)
            refuses("fuse: slice: fixed numbers are wanted, got the result of a reduction", function(a)
                return a:slice { 1, a:max() }
            end, x)
        end)

        it("is an operand that is no array and no number, and a dtype that is none", function()
            refuses("fuse: add: arrays and numbers are wanted, got a string", function(a) return a + "1" end, x)
            refuses("fuse: add: arrays and numbers are wanted, got a string", function(a) return "1" + a end, x)
            refuses("fuse: mul: arrays and numbers are wanted, got nil", function(a) return a * nil end, x)
            local event = y:copy { async = true }
            refuses("fuse: pow: arrays and numbers are wanted, got an event", function(a) return a ^ event end, x)
            refuses("fuse: add: argument 1: an array or a number is wanted, got nothing", function(a)
                return a:add()
            end, x)
            refuses("fuse: exp: self: a stand-in is wanted, got a number; is it called with a colon?", function(a)
                return a.exp(3)
            end, x)
            refuses("cast: unknown dtype 'int', which is i32 here; known are", function(a) return a:cast("int") end, x)
            refuses("cast: argument 1: a dtype is wanted, got nil", function(a) return a:cast() end, x)
            refuses("fuse: band takes integers, not f32", function(a) return a & 1 end, x)
            refuses("fuse: 300 is out of range for u8 (0 to 255)", function(a) return a + 300 end, x:cast("u8"))
            local add = lun.fuse(function(a, k) return a + k end) -- 300 is of the call here, not of the function
            helper.raises("fuse: 300 is out of range for u8 (0 to 255)", function() add(x:cast("u8"), 300) end)
        end)

        it("is what Lua refuses of numbers, and a number that the arrays' dtype cannot hold", function()
            local bytes = dev:array({ 0, 5, 200 }, "u8")
            refuses("fuse: attempt to perform 'n%", function(a, t) return a + t % 0 end, bytes, 5)
            refuses("fuse: attempt to ", function(a, t) return a + 7 // (t - 5) end, bytes, 5)
            refuses("fuse: number has no integer representation", function(a, t) return a + (t | 1) end, bytes, 1.5)
            refuses("fuse: add: arrays and numbers are wanted, got nil", function(a, t) return a * (t + nil) end,
                bytes, 5)
            local f = lun.fuse(function(a, t) return a + 10 // t end)
            helper.check_array(f(bytes, 5), "u8", { 3 }, { 2, 7, 202 })
            local ok, problem = pcall(f, bytes, 0)
            local line = tostring(problem):match "^spec/lua/fuse_refusals_spec.lua:(%d+): lunarray: fuse: attempt to "
            assert.same({ false, debug.getinfo(1, "l").currentline - 4 }, { ok, tonumber(line) })
            helper.raises("fuse: 500 is out of range for u8 (0 to 255)", function()
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
            assert.matches((":%d: lunarray: fuse: shl takes integers, not f32"):format(line), problem, 1, true)
            assert.same({ 180, 360, 720 }, f(y:cast("i32"), 2):totable())
        end)

        it("is what the function gives that it has not computed", function()
            refuses("fuse: the fused function returns nothing; it returns what it computes", function() end, x)
            local results = "; results are computed from its arguments"
            refuses("fuse: result 1 of the fused function is nil" .. results, function() return nil end, x)
            refuses("fuse: result 2 of the fused function is an array" .. results, function(a) return a, y end, x)
            refuses("fuse: result 1 of the fused function is a number" .. results, function() return 3 end, x)
        end)

        it("is a stand-in of another call", function()
            local kept, sum
            local keeps = lun.fuse(function(a)
                kept, sum = a, a:sum()
                return a
            end)
            keeps(x)
            local left = "fuse: a stand-in is used after its function has returned; only results may leave a fused "
                .. "function"
            helper.raises(left, function() return kept + 1 end)
            refuses(left, function(a) return a + kept end, x)
            refuses("fuse: result 1 of the fused function was computed in another call", function() return kept end, x)
            refuses("fuse: result 1 of the fused function was computed in another call", function() return sum end, x)
            refuses("fuse: stand-ins of two fused functions meet: one fused function may not compute with another's",
                function(a)
                    local b = lun.fuse(function(c) return c + a end)(y)
                    return b
                end, x)
        end)
    end)

    describe("a call of a fused function " .. title, function()
        local x = dev:array { 1, 2, 3 }
        local f = lun.fuse(function(a, b) return a * (b or 2) end)

        it("takes a function", function()
            helper.raises("fuse: argument 1: a function is wanted, got nothing", function() lun.fuse() end)
            helper.raises("fuse: argument 1: a function is wanted, got a string", function() lun.fuse("x * 2") end)
            helper.raises("fuse: argument 1: a function is wanted, got an array", function() lun.fuse(x) end)
            helper.refused("fuse: argument 1 is the module: it is called with a dot, lun.fuse(...)", lun, lun, print)
            helper.refused("fuse: argument 3: nothing behind argument 1 is wanted, got an array", lun, print, nil, x)
        end)

        it("takes arrays and numbers, and options behind them", function()
            local gone = dev:zeros { 3 }
            gone:release()
            for message, arguments in pairs {
                ["argument 1: an array or a number is wanted, got nothing"] = { n = 0 },
                ["argument 1: an array or a number is wanted, got nil"] = { nil, x, n = 2 },
                ["argument 2: an array or a number is wanted, got nil"] = { x, nil, n = 2 },
                ["argument 1: an array or a number is wanted, got a string"] = { "x" },
                ["argument 2: an array or a number is wanted, got a boolean"] = { x, true },
                ["argument 1: an array or a number is wanted, got a table"] = { { 1, 2, 3 } },
                ["argument 2: an array or a number is wanted, got a table"] = { x, { 1, 2, 3 } },
                ["argument 1: an array or a number is wanted, got a device"] = { dev },
                ["argument 2: the array was released"] = { x, gone },
                ["the function computes with no array; a result has the shape of arrays"] = { 3, 4 },
                ["shapes 3 and 2 do not broadcast"] = { x, dev:zeros { 2 } },
                ["unknown option 'uot'; known are out, variant, async, queue"] = { x, { uot = x } },
            } do
                helper.raises("fuse: " .. message, function()
                    local _ = f(table.unpack(arguments, 1, arguments.n or #arguments))
                end)
            end
            helper.check_array(f(x, {}), "f32", { 3 }, { 2.0, 4.0, 6.0 })
            helper.check_array(f(3, x), "f32", { 3 }, { 3.0, 6.0, 9.0 })
        end)

        it("says how many arguments came where nil came for one", function()
            local nothing = "fuse: add: arrays and numbers are wanted, got nil"
            local function told(message, wanted, ...)
                local ok, problem = pcall(...)
                assert.is_false(ok)
                local text = problem:match "^.-:%d+: (.*)$":gsub("^lunarray: ", "")
                assert.equal(message .. wanted, text)
            end
            local two = lun.fuse(function(a, b) return a + b end)
            told(nothing, "; the fused function has 2 parameters, and was called with 1 argument", two, x)
            told(nothing, "; the fused function has 2 parameters, and was called with 1 argument", two, x, { out = x })
            told(nothing, "; the fused function has 2 parameters, and was called with 1 argument",
                lun.fuse(function(a) return (two(a)) end), x)
            told("attempt to index a nil value (local 'c')",
                "; the fused function has 3 parameters, and was called with 2 arguments",
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
            local text = ":%d: lunarray: fuse: clamp: low 9 is above high 2; clamp takes the lower number "
                .. "first"
            for _ = 1, 2 do -- traced, and with the kernel of the call before
                local ok, problem = pcall(clamped, x, 9, 2)
                assert.is_false(ok)
                assert.matches(text:format(line), problem, 1, true)
                assert.same({ 2.0, 2.0, 2.5 }, clamped(x, 2, 2.5):totable())
            end
            refuses("fuse: clamp: low 4 is above high 3;", function(a, high) return a:clamp(4, high) end, x, 3)
            refuses("fuse: clamp: low 4.5 is above high 3;", function(a, low) return a:clamp(low, 3) end, x, 4.5)
            refuses("fuse: clamp: low 4 is above high 3;", function(a, low) return a:clamp(low, 3):sum() end, x, 4)
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
            helper.raises("fuse: the function, with its views, has more than 32 arrays", function()
                g(table.unpack(arrays))
            end)
            helper.raises("fuse: the function, with its views, has more than 16 numbers", function()
                g(table.unpack(numbers))
            end)
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
            helper.raises("fuse: the expression has 1025 steps; at most 1024 are possible", function()
                repeated(511, true)(none)
            end)
        end)

        it("is a loop that has far more steps than a kernel, at the loop's line and before the loop ends", function()
            local turns = 0
            refuses("fuse: the function has more than 8192 steps, and a kernel at most 1024; each turn of a loop adds "
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
