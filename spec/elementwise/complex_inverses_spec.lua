-- Inverse functions of complex numbers, and expm1, log1p, sign and round: values, cuts, and the range's ends. Special
-- values are in complex_functions_spec.lua.

local at_once = require "spec.elementwise.at_once"
local helper = require "spec.helper"
local lun = require "lunarray"
local numbers = require "spec.numbers"

local INFINITY, NAN = math.huge, 0 / 0
local Z, i = lun.complex, lun.i
local NAMES = { "acos", "asin", "atan", "acosh", "asinh", "atanh", "expm1", "log1p" }

local DTYPES = {
    c64 = { eps = 2.0 ^ -23, most = (2 - 2.0 ^ -23) * 2.0 ^ 127, normal = 2.0 ^ -126, exponent = 126 },
    c128 = { eps = 2.0 ^ -52, most = (2 - 2.0 ^ -52) * 2.0 ^ 1023, normal = 2.0 ^ -1022, exponent = 1022 },
}

-- What NAMES give, by name: one kernel.
local function results(a)
    local all = {}
    for name, result in pairs(at_once(NAMES, nil, a)) do
        all[name] = result:totable()
    end
    return all
end

-- Near points where they branch, on both sides of the circle of 1, and far away: by mpmath, in 400 bits.
local VALUES = {
    { 0.5, 0.25,
        acos = { 1.0691874735193958, -0.2813960562452928 }, asin = { 0.5016088532755008, 0.2813960562452928 },
        atan = { 0.4842544903299662, 0.20058661813123432 }, acosh = { 0.2813960562452928, 1.0691874735193958 },
        asinh = { 0.4926756834207706, 0.2243284526346675 }, atanh = { 0.5003700000525311, 0.3143981432077165 },
        expm1 = { 0.5974665191199127, 0.40790017007835977 }, log1p = { 0.4191645952022216, 0.16514867741462683 },
    },
    { -2.0, 0.5,
        acos = { 2.863838397032079, -1.3618009008578458 }, asin = { -1.2930420702371828, 1.3618009008578458 },
        atan = { -1.1265564408348223, 0.09641562020299617 }, acosh = { 1.3618009008578458, 2.863838397032079 },
        asinh = { -1.4657153519472905, 0.22101863562288385 }, atanh = { -0.5003700000525311, 1.421546861001807 },
        expm1 = { -0.8812321154230542, 0.0648831910578654 }, log1p = { 0.11157177565710488, 2.677945044588987 },
    },
    { 3.0, -4.0,
        acos = { 0.9368124611557199, 2.305509031243477 }, asin = { 0.6339838656391767, -2.305509031243477 },
        atan = { 1.4483069952314644, -0.15899719167999918 }, acosh = { 2.305509031243477, -0.9368124611557199 },
        asinh = { 2.2999140408792695, -0.9176168533514787 }, atanh = { 0.1175009073114339, -1.4099210495965755 },
        expm1 = { -14.128783081462158, 15.200784463067954 }, log1p = { 1.7328679513998633, -0.7853981633974483 },
    },
    { -0.75, -0.125,
        acos = { 2.400120427272432, 0.18404181376430498 }, asin = { -0.8293241004775352, -0.18404181376430498 },
        atan = { -0.6483144378376189, -0.07988066957685992 }, acosh = { 0.18404181376430498, -2.400120427272432 },
        asinh = { -0.6961561547162561, -0.09998584823196674 }, atanh = { -0.918441454075972, -0.2674775368930482 },
        expm1 = { -0.5313190082932053, -0.0588921740230851 }, log1p = { -1.2747225854627857, -0.4636476090008061 },
    },
    { 1.0, 0.0009765625,
        acos = { 0.031247456309858503, -0.03125254257255452 }, asin = { 1.5395488704850382, 0.03125254257255452 },
        atan = { 0.7853984018160274, 0.00048828117238976324 }, acosh = { 0.03125254257255452, 0.031247456309858503 },
        asinh = { 0.8813737556069471, 0.0006905339385631206 }, atanh = { 3.812309552684337, 0.7856423040030458 },
        expm1 = { 1.718280532281366, 0.0026545716761716847 }, log1p = { 0.6931472997692206, 0.0004882812111948983 },
    },
    { 1.0009765625, -0.000244140625,
        acos = { 0.005480900080458331, 0.04452939826355099 }, asin = { 1.5653154267144382, -0.04452939826355099 },
        atan = { 0.7858862211930887, -0.00012195116020542625 }, acosh = { 0.04452939826355099, -0.005480900080458331 },
        asinh = { 0.8820639629571644, -0.00017254921796378271 }, atanh = { 3.797397422386996, -1.4483680005996342 },
        expm1 = { 1.7209376160667058, -0.0006642914233708204 }, log1p = { 0.6936353500827566, -0.00012201073633940867 },
    },
    { 9.5367431640625e-07, 3.0517578125e-05,
        acos = { 1.5707953731205806, -3.0517578120276927e-05 },
        asin = { 9.536743159623053e-07, 3.0517578120276927e-05 },
        atan = { 9.536743172941394e-07, 3.0517578134446145e-05 },
        acosh = { 3.0517578120276927e-05, 1.5707953731205806 },
        asinh = { 9.536743168501946e-07, 3.0517578129723076e-05 },
        atanh = { 9.536743155183607e-07, 3.051757811555385e-05 },
        expm1 = { 9.532091094223845e-07, 3.051760722410738e-05 },
        log1p = { 9.54139522058102e-07, 3.051754901172342e-05 },
    },
    { -9.313225746154785e-10, -0.25,
        acos = { 1.5707963276984123, 0.24746646154726346 }, asin = { -9.035156109792477e-10, -0.24746646154726346 },
        atan = { -9.934107462565104e-10, -0.25541281188299536 }, acosh = { 0.24746646154726346, -1.5707963276984123 },
        asinh = { -9.618658190487368e-10, -0.25268025514207865 },
        atanh = { -8.765388937557445e-10, -0.24497866312686414 },
        expm1 = { -0.031087579191725227, -0.24740395902411003 }, log1p = { 0.030312310031678526, -0.24497866334599888 },
    },
    { 40.0, 3.0,
        acos = { 0.07488303443463253, -4.384677581636476 }, asin = { 1.495913292360264, 4.384677581636476 },
        atan = { 1.5459411984102869, 0.001863362663645221 }, acosh = { 4.384677581636476, 0.07488303443463253 },
        asinh = { 4.384984857273448, 0.07483668235119932 }, atanh = { 0.024865198382659503, 1.5689306638115672 },
        expm1 = { -2.3302964797894346e+17, 3.3217570753214256e+16 },
        log1p = { 3.7162419039585597, 0.07304056530311932 },
    },
    { -0.001953125, 40.0,
        acos = { 1.5708451396682177, -4.382182849256474 }, asin = { -4.881287332103918e-05, 4.382182849256474 },
        atan = { -1.570795105328358, 0.025005210227651467 }, acosh = { 4.382182849256474, 1.5708451396682177 },
        asinh = { -4.381870349233278, 1.57074748340399 }, atanh = { -1.2199406591818685e-06, 1.5458015332355066 },
        expm1 = { -1.6656367195062223, 0.7436592816035528 }, log1p = { 3.6891906377475583, 1.5458503308619516 },
    },
    { 12.5, -0.03125,
        acos = { 0.0025080332964286267, 3.2172751263889796 }, asin = { 1.568288293498468, -3.2172751263889796 },
        atan = { 1.4909668347405525, -0.0001987269162242416 }, acosh = { 3.2172751263889796, -0.0025080332964286267 },
        asinh = { 3.2204750936932154, -0.0024920330868374333 }, atanh = { 0.08017081857884797, -1.5705950398271509 },
        expm1 = { 268205.2731176091, -8384.175436400521 }, log1p = { 2.6026923646210194, -0.0023148106802851854 },
    },
    { -1.25, 9.094947017729282e-13,
        acos = { 3.1415926535885808, -0.6931471805599453 }, asin = { -1.570796326793684, 0.6931471805599453 },
        atan = { -0.8960553845713439, 3.549247616674842e-13 }, acosh = { 0.6931471805599453, 3.1415926535885808 },
        asinh = { -1.0475930126492587, 5.681568359745363e-13 }, atanh = { -1.0986122886681098, 1.5707963267932796 },
        expm1 = { -0.7134952031398099, 2.6057459477687197e-13 }, log1p = { -1.3862943611198906, 3.141592653586155 },
    },
    { 0.9375, 3.814697265625e-06,
        acos = { 0.35542120185209813, -1.0962237667532425e-05 }, asin = { 1.2153751249427984, 1.0962237667532425e-05 },
        atan = { 0.7531512809660588, 2.030275467770902e-06 }, acosh = { 1.0962237667532425e-05, 0.35542120185209813 },
        asinh = { 0.8364818689282019, 2.7829635778034414e-06 }, atanh = { 1.7169936013122196, 3.150201609113537e-05 },
        expm1 = { 1.553589458044347, 9.741170723177847e-06 }, log1p = { 0.6613984822473032, 1.968876008061972e-06 },
    },
    { -1.0, -0.5,
        acos = { 2.466703808003787, 0.7328576759736453 }, asin = { -0.8959074812088902, -0.7328576759736453 },
        atan = { -0.847575660670829, -0.2388778612568591 }, acosh = { 0.7328576759736453, -2.466703808003787 },
        asinh = { -0.9261330313501824, -0.34943906285721327 }, atanh = { -0.708303336014054, -0.9078874949608804 },
        expm1 = { -0.677155417549967, -0.17637079922503196 }, log1p = { -0.6931471805599453, -1.5707963267948966 },
    },
    { 0.0078125, -1.0,
        acos = { 1.5652720691162443, 0.8813843766539191 }, asin = { 0.005524257678652381, -0.8813843766539191 },
        atan = { 0.7873512784634318, -2.7725925369079434 }, acosh = { 0.8813843766539191, -1.5652720691162443 },
        asinh = { 0.08844579075848145, -1.4824656245603636 }, atanh = { 0.00390621026284257, -0.7854134221865061 },
        expm1 = { -0.4554600506260685, -0.8480707235381504 }, log1p = { 0.3504798007756459, -0.7815071324508038 },
    },
    { 1073741824.0, -268435456.0,
        acos = { 0.24497866312686414, 21.51787490826652 }, asin = { 1.3258176636680326, -21.51787490826652 },
        atan = { 1.5707963259183577, -2.1913472343893612e-10 }, acosh = { 21.51787490826652, -0.24497866312686414 },
        asinh = { 21.51787490826652, -0.24497866312686414 }, atanh = { 8.765388937557445e-10, -1.5707963265757618 },
        log1p = { 20.824727728583117, -0.24497866290772943 },
    },
}

-- ---- numbers of Lua ------------------------------------------------------------------------------------------------

local function exp(z) return Z(math.exp(z.re) * math.cos(z.im), math.exp(z.re) * math.sin(z.im)) end
local function log(z) return Z(math.log(z:abs()), z:arg()) end
local function cosh(z) return (exp(z) + exp(-z)) / 2 end
local function sinh(z) return (exp(z) - exp(-z)) / 2 end

local function sqrt(z)
    local size, angle = math.sqrt(z:abs()), z:arg() / 2
    return Z(size * math.cos(angle), size * math.sin(angle))
end

-- They lose some digits of f64, and none of f32.
local plain = {
    asin = function(z) return -i * log(i * z + sqrt(1 - z * z)) end,
    acos = function(z) return math.pi / 2 + i * log(i * z + sqrt(1 - z * z)) end,
    acosh = function(z) return log(z + sqrt(z + 1) * sqrt(z - 1)) end,
    asinh = function(z) return log(z + sqrt(z * z + 1)) end,
    atan = function(z) return i * (log(1 - i * z) - log(1 + i * z)) / 2 end,
    atanh = function(z) return (log(1 + z) - log(1 - z)) / 2 end,
    expm1 = function(z) return exp(z) - 1 end,
    log1p = function(z) return log(1 + z) end,
}

-- What is 0 where w is the function's value of z, and how much of it rounding makes, of w and of what is computed here.
local zero = {
    asin = function(z, w) return -i * sinh(i * w) - z end, acos = function(z, w) return cosh(i * w) - z end,
    asinh = function(z, w) return sinh(w) - z end, acosh = function(z, w) return cosh(w) - z end,
    atan = function(z, w) return -i * sinh(i * w) - z * cosh(i * w) end,
    atanh = function(z, w) return sinh(w) - z * cosh(w) end,
    log1p = function(z, w) return exp(w) - (1 + z) end,
    expm1 = function(z, w) return exp(z) - (1 + w) end,
}

local function bound(name, z, w)
    if name == "expm1" then
        return 1 + w:abs() + (1 + z:abs()) * math.exp(z.re)
    end
    local grows = (name == "asin" or name == "acos" or name == "atan") and math.abs(w.im) or math.abs(w.re)
    return (1 + w:abs()) * (1 + z:abs()) * math.exp(grows)
end

helper.each_complex(function(dev, dtype, title)
    local d = DTYPES[dtype]

    local function of(list) return dev:array(list, dtype) end

    local function near(expected, got, units, floor)
        return math.abs(expected - got) <= units * d.eps * math.abs(expected) + (floor or 0)
    end

    describe("inverse functions of " .. title, function()
        it("have their values, in each part", function()
            local list, wrong = {}, {}
            for k, row in ipairs(VALUES) do
                list[k] = Z(row[1], row[2])
            end
            local got = results(of(list))
            for k, row in ipairs(VALUES) do
                for _, name in ipairs(NAMES) do
                    local value, z = row[name], got[name][k]
                    local floor = name == "expm1" and value and 6 * d.eps * Z(value[1], value[2]):abs() or 0
                    if value and not (near(value[1], z.re, 6, floor) and near(value[2], z.im, 6)) then
                        wrong[#wrong + 1] = ("%s(%s) = %s, not %s %s"):format(name, list[k], z, value[1], value[2])
                    end
                end
            end
            assert.same({}, wrong)
        end)

        it("undo what their functions do, and are those of plain Lua", function()
            local random, list, wrong = numbers.generator(21), {}, {}
            for k = 1, 2000 do
                local scale = 2.0 ^ -random(0, 8)
                list[k] = Z(random(-2000, 2000) / 512 * scale, random(-2000, 2000) / 512 * scale + 2.0 ^ -12)
            end
            local got = results(of(list))
            for k, z in ipairs(list) do
                for _, name in ipairs(NAMES) do
                    local w = got[name][k]
                    local right = zero[name](z, w):abs() <= 8 * d.eps * bound(name, z, w)
                    if right and dtype == "c64" then
                        local value = plain[name](z)
                        local floor = 1e-12 + (name == "expm1" and 8 * d.eps * value:abs() or 0)
                        right = near(value.re, w.re, 8, floor) and near(value.im, w.im, 8, floor)
                    end
                    if not right then
                        wrong[#wrong + 1] = ("%s(%s) = %s"):format(name, z, w)
                    end
                end
            end
            assert.same({}, wrong)
        end)

        it("have C99's cuts, where the zero's sign tells the side", function()
            local area, half, third, pi = math.log(2 + math.sqrt(3)), math.pi / 2, math.pi / 3, math.pi
            local slope = math.log(3) / 2
            for _, row in ipairs {
                { "acos", Z(2, 0), Z(0, -area) }, { "acos", Z(-2, 0), Z(pi, -area) },
                { "asin", Z(2, 0), Z(half, area) }, { "asin", Z(-2, 0), Z(-half, area) },
                { "acosh", Z(-2, 0), Z(area, pi) }, { "acosh", Z(0.5, 0), Z(0, third) },
                { "atanh", Z(2, 0), Z(slope, half) }, { "atanh", Z(-2, 0), Z(-slope, half) },
                { "log1p", Z(-3, 0), Z(math.log(2), pi) }, { "asinh", Z(0, 2), Z(area, half) },
                { "asinh", Z(0, -2), Z(area, -half) }, { "atan", Z(0, 2), Z(half, slope) },
                { "atan", Z(0, -2), Z(half, -slope) },
            } do
                local name, z, w = table.unpack(row)
                local other, turned = Z(z.re, -z.im), Z(w.re, -w.im) -- of the other side
                if name == "asinh" or name == "atan" then
                    other, turned = Z(-z.re, z.im), Z(-w.re, w.im)
                end
                local got = of({ z, other })[name](of { z, other }):totable()
                for k, value in ipairs { w, turned } do
                    local parts = near(value.re, got[k].re, 4) and near(value.im, got[k].im, 4)
                    assert.is_true(parts, ("%s(%s) is %s"):format(name, k == 1 and z or other, got[k]))
                end
            end
        end)

        it("neither overflow nor vanish on the way", function()
            local big, tiny, least = d.most / 8, d.normal * 8, d.normal * d.eps
            local z = of { Z(3 * big, -4 * big), Z(3 * tiny, -4 * tiny), Z(1, tiny), Z(big, tiny), Z(tiny, big),
                Z(1, least), Z(-1, 3 * tiny) }
            local got, angle = results(z), math.atan(4, 3)
            local area = math.log(10) + math.log(big)
            local function check(expected, w) -- to half the least digits
                assert.is_true(near(expected.re, w.re, 4) and near(expected.im, w.im, 4), tostring(w))
            end
            check(Z(angle, area), got.acos[1])
            check(Z(math.pi / 2 - angle, -area), got.asin[1])
            check(Z(area, -angle), got.acosh[1])
            check(Z(area, -angle), got.asinh[1])
            check(Z(math.log(5) + math.log(big), -angle), got.log1p[1])
            assert.is_true(near(-math.pi / 2, got.atanh[1].im, 4))
            assert.is_true(math.abs(got.atanh[1].re - 0.12 / big) <= 4 * d.normal * d.eps) -- below the normal numbers
            for _, name in ipairs { "asin", "atan", "asinh", "atanh", "expm1", "log1p" } do
                check(Z(3 * tiny, -4 * tiny), got[name][2])
            end
            check(Z(math.pi / 2, 4 * tiny), got.acos[2])
            check(Z(math.sqrt(tiny), -math.sqrt(tiny)), got.acos[3])
            check(Z((math.log(2) - math.log(tiny)) / 2, math.pi / 4), got.atanh[3])
            check(Z(math.pi / 2, math.log(2) + math.log(big)), got.asin[4])
            check(Z(1, -1), Z(got.acos[6].re / math.sqrt(least), got.acos[6].im / math.sqrt(least)))
            check(Z(math.log(3) + math.log(tiny), math.pi / 2), got.log1p[7])
            assert.equal(got.acos[5].im, -got.acosh[5].re)
        end)

        it("keep the digits of a logarithm of what is nearly 1, and of an exponential", function()
            -- |1 + z|^2 - 1, which is a sum of exact products
            local t = 2.0 ^ (dtype == "c64" and -20 or -40)
            local list = { Z(-t * t / 2, t), Z(t, 0.0), Z(-t, t), Z(t * t, t) }
            local got = of(list):log1p():totable()
            local size = { t ^ 4 / 4, 2 * t + t * t, -2 * t + 2 * t * t, 3 * t * t + t ^ 4 }
            for k, s in ipairs(size) do
                assert.is_true(near((s - s * s / 2 + s ^ 3 / 3) / 2, got[k].re, 4), tostring(got[k]))
                assert.is_true(near(math.atan(list[k].im, 1 + list[k].re), got[k].im, 4))
            end
            local e = of({ Z(t, t), Z(0, t) }):expm1():totable()
            assert.is_true(near(t, e[1].re, 4) and near(t + t * t, e[1].im, 4))
            assert.is_true(near(-t * t / 2, e[2].re, 4) and near(t, e[2].im, 4))
        end)
    end)

    describe("signs and rounding of " .. title, function()
        it("sign is z/|z| over the whole range", function()
            local random, list = numbers.generator(22), {}
            for k = 1, 1000 do
                local scale = 2.0 ^ random(-d.exponent - 8, d.exponent - 3)
                list[k] = Z(random(-2000, 2000) / 512, random(1, 2000) / 512) * scale
            end
            list[#list + 1] = Z(d.most, -d.most)
            list[#list + 1] = Z(d.normal * d.eps, d.normal * d.eps)
            list[#list + 1] = Z(d.most, d.normal)
            list = of(list):totable() -- what there is of them
            local got = of(list):sign():totable()
            for k, z in ipairs(list) do
                local up = math.max(math.abs(z.re), math.abs(z.im))
                local x, y = z.re / up, z.im / up
                local size = math.sqrt(x * x + y * y)
                assert.is_true(near(x / size, got[k].re, 6, d.normal) and near(y / size, got[k].im, 6, d.normal),
                    ("%s has %s"):format(z, got[k]))
            end
            local zeros = of({ 0, Z(-0.0, -0.0), Z(3, 0), Z(0, -1e-30) }):sign():totable()
            assert.is_true(zeros[1] == Z(0) and zeros[2] == Z(0) and zeros[3] == Z(1) and zeros[4] == -i)
        end)

        it("round takes each part by itself, halves to the even neighbour, and decimals", function()
            local z = of { Z(2.5, -0.5), Z(-3.5, 1.25), Z(INFINITY, 2.75), Z(NAN, -1.5) }
            local got = z:round():totable()
            assert.is_true(got[1] == Z(2, 0) and 1 / got[1].im < 0 and got[2] == Z(-4, 1))
            assert.is_true(got[3] == Z(INFINITY, 3) and got[4].re ~= got[4].re and got[4].im == -2)
            got = z:round(1):totable()
            assert.is_true(got[1] == Z(2.5, -0.5) and got[3].re == INFINITY and near(2.8, got[3].im, 1))
            assert.is_true(got[4].re ~= got[4].re and got[4].im == -1.5 and near(1.2, got[2].im, 1))
            assert.is_true(of({ Z(125, -36) }):round(-1):get(1) == Z(120, -40))
            local wide = dev:full({ 1, 1, 1, 1, 1, 1, 1, 2 }, Z(1.25, 7), dtype) -- 8 axes, as many as there are
            assert.is_true(near(1.2, wide:round(1):get(1, 1, 1, 1, 1, 1, 1, 2).re, 1))
            wide:set(Z(NAN, 1), 1, 1, 1, 1, 1, 1, 1, 1)
            assert.is_true(wide:nan_to_num():get(1, 1, 1, 1, 1, 1, 1, 1) == Z(0, 1))
        end)

        it("they and the inverse functions work in place and on views", function()
            local list = {}
            for k = 1, 24 do
                list[k] = Z(k / 8 - 1.3, 2.1 - k / 7)
            end
            local a = of(list):reshape(6, 4)
            for _, name in ipairs { "sign", "round", "acos", "log1p" } do
                local copy, expected = a:copy(), a[name](a)
                local part = copy:t():slice({ 1, 4, 2 }, { -1, 1, -1 })
                local wanted = expected:t():slice({ 1, 4, 2 }, { -1, 1, -1 }):copy()
                assert.equal(part, part[name .. "_"](part))
                local function off(x, y) return (x - y):abs():max() end
                assert.is_true(off(part, wanted) <= 4 * d.eps * 4, name)
                assert.is_true(off(copy:col(2), a:col(2)) == 0, name) -- what is not in the view
            end
        end)
    end)
end)
