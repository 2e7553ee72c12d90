-- Texts in OpenCL C over complex numbers: dev:map, dev:reduce, operators of one's own, and kernels of one's own.

local helper = require "spec.helper"
local lun = require "lunarray"
local numbers = require "spec.numbers"

local it = helper.one_in(2, it)

local Z = lun.complex
local WORDS = "complex numbers are structs with the parts z.re and z.im: cadd(a, b), csub, cmul, cdiv, cpow, cneg(z), "
    .. "conj, cabs, carg, cexp, clog, csqrt, csin, ccos, ctan, csinh, ccosh, ctanh, casin, cacos, catan, casinh, "
    .. "cacosh, catanh, cexpm1, clog1p, csign, complex(re, im), cpolar(r, angle)"

local function some(count, seed)
    local random, list = numbers.generator(seed), {}
    for i = 1, count do
        list[i] = Z(random(-64, 64) / 32, random(-64, 64) / 32 + 1 / 64)
    end
    return list
end

helper.each_device(function(dev, title)
    for _, dtype in ipairs(helper.complex_dtypes(dev)) do
        local part, eps = dtype == "c64" and "f32" or "f64", dtype == "c64" and 2.0 ^ -23 or 2.0 ^ -52
        local wide = dtype == "c64" and "c64" or "c128"

        local function near(expected, got, share)
            assert.equal(expected:dtype(), got:dtype())
            assert.same({ expected:shape() }, { got:shape() })
            local off = (expected - got):abs() - expected:abs() * ((share or 32) * eps)
            assert.is_true(off:max() <= 0, tostring(expected) .. " " .. tostring(got))
        end

        describe("texts over " .. dtype .. " on " .. title, function()
            local list, second = some(60, 5), some(60, 6)
            local a, b = dev:array(list, dtype):reshape(12, 5), dev:array(second, dtype):reshape(12, 5)
            local x = a:real():abs() + 1

            it("have the functions of complex numbers, those of arrays", function()
                local arguments = { a = a, b = b }
                local texts = { "cadd(a, b)", "csub(a, b)", "cmul(a, b)", "cdiv(a, b)", "cpow(a, b)" }
                local made = { dev:map(texts, arguments) }
                for i, expected in ipairs { a + b, a - b, a * b, a / b, a ^ b } do
                    near(expected, made[i])
                end
                texts = { "cneg(a)", "conj(a)", "cexp(a)", "clog(a)", "csqrt(a)", "csin(a)" }
                made = { dev:map(texts, { a = a }) }
                for i, expected in ipairs { -a, a:conj(), a:exp(), a:log(), a:sqrt(), a:sin() } do
                    near(expected, made[i])
                end
                made = { dev:map({ "ccos(a)", "ctan(a)", "csinh(a)", "ccosh(a)", "ctanh(a)" }, { a = a }) }
                for i, expected in ipairs { a:cos(), a:tan(), a:sinh(), a:cosh(), a:tanh() } do
                    near(expected, made[i])
                end
                texts = { "casin(a)", "cacos(a)", "catan(a)", "casinh(a)", "cacosh(a)", "catanh(a)", "cexpm1(a)",
                    "clog1p(a)", "csign(a)" }
                made = { dev:map(texts, { a = a }) }
                for i, expected in ipairs { a:asin(), a:acos(), a:atan(), a:asinh(), a:acosh(), a:atanh(),
                    a:expm1(), a:log1p(), a:sign() } do
                    near(expected, made[i])
                end
                local parts = { dev:map({ "cabs(a)", "carg(a)", "a.re", "a.im" }, { a = a }, { dtype = part }) }
                for i, expected in ipairs { a:abs(), a:angle(), a:real(), a:imag() } do
                    near(expected, parts[i])
                end
                near(x:complex(2 * x), dev:map("complex(x, 2*x)", { x = x }, { dtype = dtype }))
                near((x:complex(0) * lun.i):exp() * 2, dev:map("cpolar(2, x)", { x = x }, { dtype = dtype }))
            end)

            it("multiply as arrays do where an infinity or a range's end is in the way", function()
                local big = dtype == "c64" and 2.0 ^ 100 or 2.0 ^ 900
                local p = dev:array({ Z(1 / 0, 1), Z(big, big), Z(1 / big, -1 / big), Z(0 / 0, 1) }, dtype)
                local q = dev:array({ Z(2, 3), Z(big, -big), Z(1 / big, 1 / big), Z(1, 1) }, dtype)
                assert.equal((p * q):tobytes(), dev:map("cmul(p, q)", { p = p, q = q }):tobytes())
                assert.equal((p / q):tobytes(), dev:map("cdiv(p, q)", { p = p, q = q }):tobytes())
            end)

            it("take real names beside complex ones, and views, and give the dtype that is asked for", function()
                near(a * x + 2, dev:map("cadd(cmul(a, x), k)", { a = a, x = x, k = 2 }))
                near(x * a, dev:map("cmul(x, a)", { a = a, x = x }))
                near(a * (2 + lun.i), dev:map("cmul(k, a)", { a = a, k = 2 + lun.i }))
                near(x * lun.i, dev:map("cmul(k, x)", { x = x, k = lun.i }))
                near(x * 5, dev:map("cabs(k) * x", { x = x, k = Z(3, 4) }, { dtype = part }))
                near(a * b:row(1), dev:map("cmul(a, b)", { a = a, b = b:row(1) }))
                near((a * a):t():flip(1), dev:map("cmul(a, a)", { a = a:t():flip(1) }))
                near(x:cast(dtype), dev:map("x", { x = x }, { dtype = dtype }))
                assert.same({ true, false },
                    dev:map("z.im > 0", { z = dev:array({ lun.i, -lun.i }, dtype) }, { dtype = "bool" }):totable())
                local out = a:copy()
                assert.equal(out, dev:map("conj(z)", { z = out }, { out = out }))
                near(a:conj(), out)
                near(a * 1e-3, dev:map("cmul(z, 1e-3)", { z = a }), 2)
                assert.same({ 0 }, { dev:map("conj(z)", { z = dev:zeros({ 0 }, dtype) }):shape() })
            end)

            it("have names that are the arguments' alone", function()
                for _, name in ipairs { "re", "im", "conj", "c64", "c128", "z" } do
                    near(a * a, dev:map("cmul(" .. name .. ", " .. name .. ")", { [name] = a }))
                end
                near(a:real(), dev:map("re.re", { re = a }, { dtype = part }))
            end)

            it("are of the widest complex dtype that is there", function()
                if not dev:info().fp64 then return end
                local narrow = dev:array(list, "c64"):reshape(12, 5)
                local whole = dev:array(second, "c128"):reshape(12, 5)
                local product = dev:map("cmul(n, w)", { n = narrow, w = whole })
                assert.equal("c128", product:dtype())
                assert.is_true((product - narrow:cast("c128") * whole):abs():max() <= 2.0 ^ -48)
                product = dev:map("cmul(n, w)", { n = narrow, w = whole }, { dtype = "c64" })
                assert.equal("c64", product:dtype())
                assert.is_true((product - narrow * whole:cast("c64")):abs():max() <= 2.0 ^ -19)
                assert.equal("c128", dev:map("cmul(n, x)", { n = narrow, x = whole:real() }):dtype())
                assert.is_true((dev:map("cmul(n, 0.1)", { n = narrow }, { dtype = "c128" })
                    - narrow:cast("c128") * 0.1):abs():max() <= 2.0 ^ -50)
            end)

            it("do not compile where a sign would compute with parts, and say what there is", function()
                local function log(f)
                    local ok, err = pcall(f)
                    assert.is_false(ok)
                    assert.equal("CL_BUILD_PROGRAM_FAILURE", err.name)
                    return err.log
                end
                for _, sign in ipairs { "*", "+", "/", "<" } do
                    local said = log(function() dev:map("u " .. sign .. " u", { u = a }) end)
                    assert.truthy(said:find("invalid operands to binary expression", 1, true), said)
                    assert.truthy(said:find("%('const [_%l ]*" .. wide), said) -- some drivers name the space
                    assert.truthy(said:find(WORDS, 1, true), said)
                end
                assert.truthy(log(function() dev:map("u", { u = a }, { dtype = part }) end):find(WORDS, 1, true))
                assert.truthy(log(function() a:reduce { combine = "a * b" } end):find(WORDS, 1, true))
                local said = log(function() dev:map("cmul(u, v)", { u = x, v = 1 }) end)
                assert.is_nil(said:find(WORDS, 1, true)) -- nothing is complex
            end)

            it("are what operators of one's own and reductions take", function()
                local sum = { map = "cmul(x, x)", combine = "cadd(a, b)", identity = "0" }
                local n = a:size()
                local function close(expected, got) assert.is_true((expected - got):abs() <= 16 * n * eps) end
                close((a * a):sum(), a:reduce(sum))
                close((a * a):t():sum(), a:t():flip(2):reduce(sum))
                close((a * b):sum(), dev:reduce("sum", "cmul(p, q)", { p = a, q = b }))
                close((a * b):sum(), dev:reduce({ map = "cmul(p, q)", combine = "cadd(a, b)" }, { p = a, q = b }))
                assert.is_true(math.abs(dev:reduce("sumsq", "complex(p, p)", { p = x }, { dtype = dtype })
                    - 2 * x:sumsq()) <= 16 * n * eps * x:sumsq())
                sum.axis = 1
                near((a * a):sum { axis = 1 }, a:reduce(sum), 16 * n)
                local order = { combine = "cadd(cmul(a, complex(0, 1)), b)" } -- not associative: the order is told
                local three = dev:array({ 1, 2, 4 }, dtype)
                assert.is_true(three:slice { 1, 2 }:reduce(order) == Z(2, 1))
                near(a:cumprod { axis = 2 }, a:scan { combine = "cmul(a, b)", axis = 2 }, 16 * n)
                local shifted = three:scan { combine = "cmul(a, b)", identity = "complex(1, 0)", exclusive = true }
                near(dev:array({ 1, 1, 2 }, dtype), shifted)
                local segments = { combine = "cmul(a, b)", identity = "complex(1, 0)", segments = { 1, 1, 3, 4 } }
                near(dev:array({ 1, 2, 4 }, dtype), three:reduce(segments))
                assert.is_true(dev:zeros({ 0 }, dtype):reduce { combine = "cmul(a, b)", identity = "complex(1, 0)" }
                    == Z(1, 0))
                local many = (dev:random({ 70000 }, { seed = 9, dtype = part }) - 0.5):complex(1)
                local total = many:reduce { combine = "cadd(a, b)", identity = "0" }
                assert.is_true((many:sum() - total):abs() <= 70000 * eps * 16)
            end)

            it("of kernels see vectors of two, and four", function()
                local real = part == "f32" and "float" or "double"
                local program = dev:program(([[
                    kernel void turn(global REAL2 *z, REAL2 by)
                    {
                        const size_t i = get_global_id(0);
                        z[i] = (REAL2)(z[i].x * by.x - z[i].y * by.y, z[i].x * by.y + z[i].y * by.x);
                    }
                    kernel void pairs(global const REAL4 *z, global REAL *sizes)
                    {
                        const size_t i = get_global_id(0);
                        sizes[2 * i] = z[i].x + z[i].y;
                        sizes[2 * i + 1] = z[i].z + z[i].w;
                    }]]):gsub("REAL", real), {})
                local z = a:copy()
                program.turn(z, { 0, 1 })
                near(a * lun.i, z)
                program:kernel("turn"):run({ global = 12 }, z:col(2), { 0, -1 })
                near(a:col(2), z:col(2))
                local sizes = dev:zeros({ 12, 5 }, part)
                program:kernel("pairs"):run({ global = 30 }, a, sizes)
                near(a:real() + a:imag(), sizes)
                local wrong = "k(...): parameter %d of %s (__global %s%s): an array of %s is needed, got one of %s"
                helper.raises(wrong:format(1, "turn", real, "2 *z", part .. " or " .. dtype, "i32"), function()
                    program.turn(dev:zeros({ 4 }, "i32"), { 0, 1 })
                end)
                helper.raises(wrong:format(2, "pairs", real, " *sizes", part, dtype), function()
                    program.pairs(a, a)
                end)
            end)
        end)
    end
end)
