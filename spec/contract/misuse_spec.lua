-- Bad input to the operations: what each mistake is told, and that all is usable afterwards.

local lun = require "lunarray"
local helper = require "spec.helper"

helper.each_device(function(dev, title)
    local a
    helper.leaves_all(dev, function(array) a = array end)

    describe("a reduction on " .. title, function()
        it("by an unknown op is refused with the list of those that are known", function()
            helper.raises("reduce: unknown op 'total'; known are " .. helper.reductions(),
                function() a:reduce("total") end)
            helper.raises("reduce: unknown op ''; known are ", function() a:reduce { "sum", "" } end)
            helper.raises("reduce: op 2 of the list is a number; a name is needed", function()
                a:reduce { "sum", 1 }
            end)
            helper.raises("reduce: the list has 0 ops; from 1 to 16 are needed", function() a:reduce {} end)
            helper.raises("reduce: argument 1: the name of an op or a list of them is needed, got a number", function()
                a:reduce(1)
            end)
        end)

        it("over an axis out of range, or over one twice, is refused", function()
            helper.raises("sum: axis 3 is out of range: the array has 2 axes (2x3)", function() a:sum { axis = 3 } end)
            helper.raises("sum: axis 0 is out of range: the array has 2 axes (2x3), and axes count from 1",
                function() a:sum { axis = 0 } end)
            helper.raises("sum: axis -3 is out of range: the array has 2 axes (2x3)", function()
                a:sum { axis = -3 }
            end)
            helper.raises("sum: axis 2 is out of range: the array has 1 axis (3)", function()
                a:row(1):sum { axis = 2 }
            end)
            helper.raises("sum: axis 1 is out of range: the array has no axes", function()
                a:slice(1, 1):sum { axis = 1 }
            end)
            helper.raises("max: axis: a whole number or a list of them is needed, got 1.5", function()
                a:max { axis = { 1.5 } }
            end)
            helper.raises("max: axis 2 is named twice", function() a:max { axis = { 2, -1 } } end)
            helper.raises("max: axis: a whole number or a list of them is needed, got a string", function()
                a:max { axis = { "1" } }
            end)
        end)

        it("of nothing without an identity is refused", function()
            local empty = dev:zeros { 0, 3 }
            helper.raises("min: min of no elements: the reduced extent of shape 0x3 is 0", function() empty:min() end)
            helper.raises("reduce: max of no elements: the reduced extent of shape 0x3 is 0", function()
                empty:reduce("max", { axis = 1 })
            end)
        end)

        it("to an out of the wrong shape or dtype, or over its own input, is refused", function()
            helper.raises("sum: out has shape 2; the result has 3", function()
                a:sum { axis = 1, out = dev:zeros { 2 } }
            end)
            helper.raises("sum: out is f16; the result is f32", function()
                a:sum { axis = 1, out = dev:zeros({ 3 }, "f16") }
            end)
            helper.raises("sum: out has shape 3x1; the result has ", function()
                a:sum { axis = 1, keepdims = true, out = dev:zeros { 3, 1 } }
            end)
            helper.raises("sum: out overlaps an input; give it memory of its own", function()
                a:sum { axis = 1, out = a:row(1) }
            end)
            helper.raises("reduce: out takes the result of one op, got 2", function()
                a:reduce { "min", "max", axis = 1, out = dev:zeros { 3 } }
            end)
        end)

        it("by an unknown variant is refused with the list of those that can", function()
            helper.raises("sum: unknown variant 'fast'; here ", function() a:sum { variant = "fast" } end)
            helper.raises("add: unknown variant 'fast'; here ", function()
                dev:zeros(0):add(1, { variant = "fast" })
            end)
        end)
    end)

    describe("a transpose on " .. title, function()
        it("by a permutation that is none is refused", function()
            helper.raises("transpose: the permutation names axis 1 twice", function() a:transpose { 1, 1 } end)
            helper.raises("transpose: the permutation has 1 axis, expected 2", function() a:transpose { 1 } end)
            helper.raises("transpose: the permutation has 3 axes, expected 2", function()
                a:transpose { 1, 2, 3 }
            end)
            helper.raises("transpose: axis 3 is out of range: the array has 2 axes (2x3)", function()
                a:transpose { 1, 3 }
            end)
            helper.raises("transpose: axis 0 is out of range", function() a:transpose { 0, 1 } end)
            helper.raises("transpose: axis: a whole number or a list of them is needed, got a string", function()
                a:transpose { "1", 2 }
            end)
            local wanted = "argument 1: a permutation (numbers or a list of them) or a table of options is needed, got "
            helper.raises("transpose: " .. wanted .. "a string", function() a:transpose("x") end)
            helper.raises("transpose: " .. wanted .. "a boolean", function() a:transpose(true) end)
            helper.raises("transpose_: " .. wanted .. "a string", function() a:transpose_("x") end)
            helper.raises("transpose: axis: a whole number or a list of them is needed, got 1.5", function()
                a:transpose(1.5, 1)
            end)
            helper.raises("transpose_: the permutation names axis 2 twice", function() a:transpose_ { 2, -1 } end)
        end)

        it("in place wants a contiguous array", function()
            helper.raises("transpose_: ", function() a:slice(nil, { 1, 2 }):transpose_() end)
            helper.raises("transpose_: ", function() a:t():transpose_() end)
        end)
    end)

    describe("a product on " .. title, function()
        it("of shapes that do not fit is refused", function()
            helper.raises("matmul: inner sizes differ: (2x3) x (2x3)", function() a:matmul(a) end)
            helper.raises("matmul: inner sizes differ: (3) x (2x3)", function() a:row(1):matmul(a) end)
            helper.raises("matmul: batch axes differ: (2x2x3) x (3x3x2)", function()
                dev:zeros({ 2, 2, 3 }):matmul(dev:zeros { 3, 3, 2 })
            end)
            helper.raises("matmul: arrays without axes have no product: (2x3) x (())", function()
                a:matmul(a:slice(1, 1))
            end)
            local hint = "got a table; lun.array makes an array of a table"
            helper.raises("matmul: argument 1: an array is needed, " .. hint, function() a:matmul { { 1 } } end)
            helper.refused("sum: option 'where': an array is needed, " .. hint, a, { where = { 1 } })
            helper.refused("concat: element 2 of the list: an array is needed, " .. hint, lun, { a, { 1 } })
            helper.refused("exp: argument 1: an array is needed, " .. hint, lun, { 1 })
        end)

        it("to an out of the wrong shape or dtype, or over an input, is refused", function()
            helper.raises("matmul: out has shape (3x3); the product has (2x2)", function()
                a:matmul(a:t(), { out = dev:zeros { 3, 3 } })
            end)
            helper.raises("matmul: out is f16; the product is f32", function()
                a:matmul(a:t(), { out = dev:zeros({ 2, 2 }, "f16") })
            end)
            local b = dev:ones { 2, 2 }
            local c = dev:ones { 2, 2 }
            for _, out in ipairs { b, c } do
                helper.raises("matmul: out overlaps an input; give it memory of its own", function()
                    b:matmul(c, { out = out })
                end)
            end
            helper.raises("matmul: beta needs out, which is missing", function() b:matmul(b, { beta = 1 }) end)
        end)

        it("of integers with a factor that is none is refused", function()
            local b = dev:ones({ 2, 2 }, "i32")
            helper.raises("matmul: alpha must be an integer for i32, got 0.5", function()
                b:matmul(b, { alpha = 0.5 })
            end)
            local long, byte = dev:ones({ 2, 2 }, "i64"), dev:ones({ 2, 2 }, "u8")
            helper.raises("matmul: alpha: 1e+19 is out of range for i64 "
                .. "(-9223372036854775808 to 9223372036854775807)", function()
                long:matmul(long, { alpha = 1e19 })
            end)
            helper.raises("matmul: alpha must be an integer for i64, got inf", function()
                long:matmul(long, { alpha = math.huge })
            end)
            helper.raises("matmul: alpha: 300 is out of range for u8 (0 to 255)", function()
                byte:matmul(byte, { alpha = 300 })
            end)
            helper.raises("matmul: alpha: -1 is out of range for u8 (0 to 255)", function()
                byte:matmul(byte, { alpha = -1 })
            end)
            helper.raises("matmul: beta: 256 is out of range for u8 (0 to 255)", function()
                byte:matmul(byte, { beta = 256.0, out = dev:zeros({ 2, 2 }, "u8") })
            end)
            helper.raises("matmul: beta must be an integer for i32, got 0.5", function()
                b:matmul(b, { beta = 0.5, out = dev:zeros({ 2, 2 }, "i32") })
            end)
        end)
    end)

    describe("gravity on " .. title, function()
        it("of what is no list of bodies is refused", function()
            local pos = dev:zeros { 2, 4 }
            helper.raises("gravity: the positions must be n x 4 or b x n x 4, not 2x3", function() a:gravity() end)
            helper.raises("gravity: the positions must be n x 4 or b x n x 4, not 8", function()
                dev:zeros({ 8 }):gravity()
            end)
            helper.raises("gravity: the positions must be f32 or f64, not i32", function()
                pos:cast("i32"):gravity()
            end)
            helper.raises("nbody: the velocities must be n x 4 or b x n x 4, not 2x3", function()
                pos:nbody(a, { dt = 1 })
            end)
            helper.raises("nbody: the velocities must have as many rows as the positions, 2, not 3", function()
                pos:nbody(dev:zeros { 3, 4 }, { dt = 1 })
            end)
            helper.raises("nbody: the velocities must be f32 or f64, not f16", function()
                pos:nbody(dev:zeros({ 2, 4 }, "f16"), { dt = 1 })
            end)
            helper.raises("energy: the velocities must have as many rows as the positions, 2, not 3", function()
                pos:energy(dev:zeros { 3, 4 })
            end)
            if dev:info().fp64 then
                helper.raises("energy: the velocities must be f32 as the positions are, not f64", function()
                    pos:energy(dev:zeros({ 2, 4 }, "f64"))
                end)
            end
            helper.raises("gravity: out must be n x 4 or b x n x 4, not 2x3", function() pos:gravity { out = a } end)
            helper.raises("nbody: argument 1: an array is needed, got nothing", function() pos:nbody() end)
        end)

        it("with options that have no meaning is refused", function()
            local pos = dev:zeros { 2, 4 }
            local vel = pos:copy()
            helper.raises("nbody: the option dt (the time step) is missing", function() pos:nbody(vel) end)
            helper.raises("nbody: the option dt (the time step) is missing", function()
                pos:nbody(vel, { steps = 3 })
            end)
            helper.raises("nbody: option 'steps': a whole number from 0 is needed, got -1", function()
                pos:nbody(vel, { dt = 1, steps = -1 })
            end)
            helper.raises("nbody: unknown integrator 'rk4'; there are leapfrog, euler, yoshida4, "
                .. "kahan_li6, kahan_li8, hermite4, ias15", function()
                pos:nbody(vel, { dt = 1, integrator = "rk4" })
            end)
            for name, meant in pairs { hermite = "hermite4", ias51 = "ias15", kahan_li = "kahan_li6" } do
                helper.raises(("nbody: unknown integrator '%s'; is %s meant? There are leapfrog, "):format(name, meant),
                    function() pos:nbody(vel, { dt = 1, integrator = name }) end)
            end
            helper.raises("nbody: dt must be a finite number, not inf", function()
                pos:nbody(vel, { dt = math.huge })
            end)
            helper.raises("gravity: softening must be a finite number, 0 or more, not -1", function()
                pos:gravity { softening = -1 }
            end)
            helper.raises("energy: softening must be a finite number, 0 or more, not inf", function()
                pos:energy(vel, { softening = math.huge })
            end)
            helper.raises("nbody: 9223372036854775807 steps are too many", function()
                pos:nbody(vel, { dt = 1, steps = math.maxinteger })
            end)
            helper.raises("gravity: G must be a finite number, not inf", function() pos:gravity { G = math.huge } end)
            helper.raises("gravity: unknown variant 'fast'; here ", function() pos:gravity { variant = "fast" } end)
            helper.raises("nbody: unknown variant 'fast'; here ", function()
                pos:nbody(vel, { dt = 1, variant = "fast" })
            end)
        end)

        it("of one array as positions and velocities is refused", function()
            local pos = dev:zeros { 2, 4 }
            helper.raises("nbody: positions and velocities overlap; give each memory of its own", function()
                pos:nbody(pos, { dt = 1 })
            end)
            helper.raises("gravity: out overlaps an input; give it memory of its own", function()
                pos:gravity { out = pos }
            end)
        end)
    end)

    describe("several outputs on " .. title, function()
        local x = dev:array { { 4, 1 }, { 1, 3 } }
        local v, places = x:col(1), dev:array({ 1, 4 }, "i64")
        local folded = lun.fuse(function(t) return t:sum(), t:max() end)
        local calls = {
            eigh = { x }, eig = { x }, slogdet = { x }, qr = { x }, gradient = { x }, frexp = { v }, modf = { v },
            unravel = { places, { 2, 2 } }, polydiv = { v, v }, map = { dev, { "t", "-t" }, { t = v } },
            reduce = { dev, { "sum", "max" }, "t", { t = v } },
        }

        it("that overlap one another are refused", function()
            local out, other = dev:zeros { 2, 2 }, dev:zeros { 2 }
            for name, call in pairs(calls) do
                local arguments = { table.unpack(call) }
                table.insert(arguments, { out = { out, out:row(2) } })
                helper.raises(name .. ": outputs 1 and 2 overlap; give each memory of its own", function()
                    call[1][name](table.unpack(arguments))
                end)
            end
            helper.raises("fuse: outputs 1 and 2 overlap; give each memory of its own", function()
                folded(v, { out = { out, out } })
            end)
            helper.raises("svd: outputs 1 and 3 overlap; give each memory of its own", function()
                x:svd { out = { out, other, out:t() } }
            end)
            helper.check_array(out, "f32", { 2, 2 }, { 0.0, 0.0, 0.0, 0.0 })
        end)

        it("are looked at in every operation that takes a list of them", function()
            local others = { svd = true, det = "one result", fuse = true, call = "fuse", own_reduce = "reduce",
                lfilter = true, sosfilt = true, welch = true, csd = true, coherence = true,
                periodogram = true, label = true }
            for _, operation in ipairs(dev:operations()) do
                for _, option in ipairs(operation.options) do
                    if option.name == "out" and option.wanted:find "list" then
                        assert.is_truthy(calls[operation.name] or others[operation.name], operation.name)
                    end
                end
            end
        end)

        it("that share memory, and no element, are taken", function()
            local both = dev:zeros { 4 }
            v:modf { out = { both:slice { 1, 4, 2 }, both:slice { 2, 4, 2 } } }
            helper.check_array(both, "f32", { 4 }, { 0.0, 4.0, 0.0, 1.0 })
        end)
    end)

    describe("a maker on " .. title, function()
        it("wants several sizes in a list", function()
            for _, name in ipairs { "zeros", "ones", "random", "normal" } do
                local message = name .. ": several sizes belong in a list: " .. name
                helper.raises(message .. "{3, 4}", function() dev[name](dev, 3, 4) end)
                helper.raises(message .. "{2, 3}", function() dev[name](dev, a:shape()) end)
                helper.raises(message .. "{3, 4, 5}", function() dev[name](dev, 3, 4, 5, "f64") end)
                helper.raises(message .. "{3, 2.5}", function() dev[name](dev, 3, 2.5) end)
                helper.raises(message .. "{3, 4}", function() lun[name](3, 4) end)
            end
            helper.raises("full: several sizes belong in a list: full({3, 4}, 7)", function() dev:full(3, 4, 7) end)
            helper.raises("full: several sizes belong in a list: full({3, 4, 5}, 0.5)", function()
                dev:full(3, 4, 5, 0.5, "f64")
            end)
            helper.raises("randint: several sizes belong in a list: randint({3, 4}, 1, 6)", function()
                dev:randint(3, 4, 1, 6)
            end)
        end)

        it("takes one size as a number, and what stands behind it", function()
            helper.check_array(dev:zeros(3), "f32", { 3 }, { 0.0, 0.0, 0.0 })
            helper.check_array(dev:full(2, 7), "f32", { 2 }, { 7.0, 7.0 })
            helper.check_array(dev:randint(2, 5, 5), "i64", { 2 }, { 5, 5 })
            assert.same({ 2, 3 }, { dev:zeros({ a:shape() }):shape() })
        end)

        it("of given elements wants them in a table, and the shape behind the dtype", function()
            helper.raises("array: elements belong in a table: array{1, 2.5, 3}", function() dev:array(1, 2.5, 3) end)
            local behind = "array: argument 2 is the dtype; sizes follow it, array(data, \"f32\", {2, 3}), or in "
                .. "the option shape"
            helper.raises(behind, function() dev:array({ 1, 2, 3, 4 }, { 2, 2 }) end)
            helper.raises(behind, function() dev:array({ 1, 2, 3, 4 }, 2, 2) end)
            helper.check_array(dev:array({ 1, 2 }, "f32", { 2, 1 }), "f32", { 2, 1 }, { 1.0, 2.0 })
            helper.check_array(dev:array({ 1, 2 }, { shape = { 2, 1 } }), "f32", { 2, 1 }, { 1.0, 2.0 })
        end)
    end)

    describe("an out for other results on " .. title, function()
        it("has their shape and dtype", function()
            helper.raises("copy: out is f16; the result is f32", function()
                a:copy { out = dev:zeros({ 2, 3 }, "f16") }
            end)
            helper.raises("copy: shapes differ: 2x3 into 3x2", function() a:copy { out = dev:zeros { 3, 2 } } end)
            helper.raises("cast: out is f32; the result is i8", function()
                a:cast("i8", { out = dev:zeros { 2, 3 } })
            end)
            helper.raises("copy: out overlaps an input; give it memory of its own", function()
                a:slice({ 2, 1, -1 }):copy { out = a }
            end)
            helper.raises("random: out is 2x3; the result is 6", function() dev:random({ 6 }, { out = a }) end)
            helper.raises("random: out is f32; the result is f16", function()
                dev:random({ 2, 3 }, { out = a, dtype = "f16" })
            end)
        end)
    end)
end)
