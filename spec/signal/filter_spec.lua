-- Recursive filters, against the loop over one number after the other in plain Lua.

local helper = require "spec.helper"
local lun = require "lunarray"
local numbers = require "spec.numbers"

local EPS = { f32 = 2 ^ -24, f64 = 2 ^ -53, c64 = 2 ^ -24, c128 = 2 ^ -53 }

-- The results and the states behind them; x, b, a and z may hold complex numbers.
local function filtered(x, b, a, z)
    local order, y, state = math.max(#a, #b) - 1, {}, {}
    for k = 1, order + 1 do
        state[k] = k <= order and z and z[k] or 0.0
    end
    for i = 1, #x do
        y[i] = state[1] + x[i] * (b[1] / a[1])
        for k = 1, order do
            state[k] = state[k + 1] + x[i] * ((b[k + 1] or 0.0) / a[1]) - y[i] * ((a[k + 1] or 0.0) / a[1])
        end
    end
    state[order + 1] = nil
    return y, state
end

local some = numbers.fractions

local FILTERS = { -- { b, a }
    { { 0.5 }, { 1, -0.5 } }, { { 1, 2 }, { 2, -0.9, 0.5 } }, { { 0.1, 0.2, 0.3, 0.4 }, { 1, 0.25 } },
    { { 1 }, { 1, -0.2, 0.1, 0, 0.05, -0.3, 0.1, 0.02, 0.01, -0.05 } }, { { 1, -0.5, 0.25 }, { 4 } }, { { 3 }, { 2 } },
    { { 0.02, 0.01 }, { 1, -1.986, 0.996 } }, -- whose states last longer than a block
}

helper.each_device(function(dev, title)
    local dtypes = dev:info().fp64 and { "f32", "f64", "i32" } or { "f32" }

    describe("lfilter on " .. title, function()
        it("gives what a loop gives, in one block and in several, and continues", function()
            for which, filter in ipairs(FILTERS) do
                local b, a = filter[1], filter[2]
                for _, n in ipairs { 1, 2, 7, 511, 512, 513, 5000 } do
                    local x = some(n, n + which)
                    local y, final = filtered(x, b, a)
                    local all = dev:array(x, dtypes[2] or "f32")
                    local tolerance = (a[3] == 0.996 and 8000 or 400) * EPS[all:dtype()] -- the poles' 500 steps count
                    helper.check_array(all:lfilter(b, a), all:dtype(), { n }, y, tolerance)
                    if #final > 0 then
                        local cut = n // 3
                        local zi = dev:zeros({ #final }, all:dtype())
                        local first, states = all:slice({ 1, cut }):lfilter(b, a, { zi = zi })
                        local second, last = all:slice({ cut + 1, n }):lfilter(b, a, { zi = states })
                        helper.check_array(lun.concat { first, second }, all:dtype(), { n }, y, tolerance)
                        helper.check_array(last, all:dtype(), { #final }, final, tolerance)
                    end
                end
            end
        end)

        it("takes axes, dtypes, arrays of coefficients, and complex numbers", function()
            local b, a = FILTERS[2][1], FILTERS[2][2]
            for _, dtype in ipairs(dtypes) do
                local list, expected = {}, {}
                for i = 1, 60 do
                    list[i] = i * 7 % 11
                end
                for column = 1, 4 do
                    local x = {}
                    for i = 1, 15 do
                        x[i] = list[(i - 1) * 4 + column]
                    end
                    for i, y in ipairs((filtered(x, b, a))) do
                        expected[(i - 1) * 4 + column] = y
                    end
                end
                local gives = dtype == "i32" and "f64" or dtype
                helper.check_array(dev:array(list, dtype, { 15, 4 }):lfilter(dev:array(b, gives), dev:array(a, gives),
                    { axis = 1 }), gives, { 15, 4 }, expected, 2000 * EPS[gives])
            end
            local i = lun.i
            local x, w = { 1 + 2 * i, 0.5 - i, 2 + 0 * i, i, 3 + i }, { 1 - 0.25 * i, 0.5 * i + 0 }
            local both = { { 1 + 0 * i, 0.5 + 0 * i }, { 2 + 0 * i, w[2], 0.25 + 0 * i } }
            for _, filter in ipairs { { b, a }, { w, a }, both } do
                local z = { 1 + i, 2 - i }
                local y, final = filtered(x, filter[1], filter[2], z)
                local got, states = dev:array(x, "c64"):lfilter(filter[1], filter[2], { zi = dev:array(z, "c64") })
                for part, name in ipairs { "re", "im" } do
                    local of_y, of_final = {}, {}
                    for k = 1, #y do
                        of_y[k] = y[k][name]
                    end
                    for k = 1, #final do
                        of_final[k] = final[k][name]
                    end
                    local method = ({ "real", "imag" })[part]
                    helper.check_array(got[method](got):copy(), "f32", { 5 }, of_y, 2 ^ -20)
                    helper.check_array(states[method](states):copy(), "f32", { 2 }, of_final, 2 ^ -20)
                end
            end
        end)

        it("gives what a loop gives behind infinities and for filters that grow", function()
            local x = some(3000, 5)
            x[700] = math.huge
            for _, a in ipairs { { 1, -0.5 }, { 1, -2 }, { 1, 0.5, 0.25 } } do
                local y = filtered(x, { 1 }, a)
                helper.check_array(dev:array(x, "f64"):lfilter({ 1 }, a), "f64", { 3000 }, y, 2 ^ -44)
            end
            local zeros = dev:zeros({ 3000 }, "f64"):lfilter({ 1 }, { 1, -4 })
            assert.equal(0.0, zeros:absmax())
        end)

        it("needs states for each line, and of an empty signal they stay", function()
            local y, states = dev:zeros { 2, 0 }:lfilter({ 1 }, { 1, 2, 3 }, { zi = dev:array { { 1, 2 } } })
            helper.check_array(y, "f32", { 2, 0 }, {})
            helper.check_array(states, "f32", { 2, 2 }, { 1.0, 2.0, 1.0, 2.0 })
            local fir = dev:array { 1, 0 }:lfilter({ 1, 2, 4 }, { 1 }, { zi = dev:array { 1, 8 } })
            helper.check_array(fir, "f32", { 2 }, { 2.0, 10.0 })
            local a, row = dev:ones { 2, 5 }, "; a row of at least one coefficient is needed"
            helper.refused("lfilter: zi is 2x3, expected 2x2", a, { 1 }, { 1, 2, 3 }, { zi = dev:ones { 2, 3 } })
            helper.refused("lfilter: b is 2x2" .. row, a, dev:ones { 2, 2 }, { 1 })
            helper.refused("lfilter: a is 0" .. row, a, { 1 }, {})
            helper.refused("lfilter: a: numbers are needed; one of its elements is a string", a, { 1 }, { 1, "x" })
            helper.refused("lfilter: the array has 8 axes, too many for states beside them",
                dev:ones({ 1, 1, 1, 1, 1, 1, 1, 2 }, "c64"), { 1 }, { 1, 1 }, { zi = dev:ones({ 1 }, "c64") })
            local out = dev:zeros { 2, 5 }
            helper.refused("lfilter: outputs 1 and 2 overlap; give each memory of its own", a, { 1 }, { 1, 2, 3 },
                { zi = dev:ones { 2, 2 }, out = { out, out:slice({}, { 1, 2 }) } })
            a:lfilter({ 1 }, { 1, -1 }, { out = out })
            helper.check_array(out:row(2), "f32", { 5 }, { 1.0, 2.0, 3.0, 4.0, 5.0 })
            for _, coefficients in ipairs { { 0, 1 }, { 0 } } do
                local _, problem = pcall(function() return a:lfilter({ 1 }, coefficients):totable() end)
                assert.matches("lfilter: the first coefficient of a is 0", tostring(problem), 1, true)
            end
        end)
    end)

    describe("sosfilt on " .. title, function()
        it("filters by one section after the other", function()
            local sections = { { 1, 0.5, 0.25, 1, -0.5, 0.25 }, { 0.02, 0.01, 0, 1, -1.986, 0.996 },
                { 2, 1, 0, 2, 0.5, 0.125 } }
            for _, n in ipairs { 1, 5, 511, 2000 } do
                local y, expected, z = some(n, n), {}, {}
                local x = dev:array(y, "f64", { 1, n }):copy()
                for k, s in ipairs(sections) do
                    local final
                    y, final = filtered(y, { s[1], s[2], s[3] }, { s[4], s[5], s[6] }, { k, -k })
                    table.move(final, 1, 2, #expected + 1, expected)
                    z[k] = { { k, -k } }
                end
                local got, states = x:sosfilt(dev:array(sections, "f64"), { zi = dev:array(z, "f64") })
                helper.check_array(got, "f64", { 1, n }, y, 2 ^ -40)
                helper.check_array(states, "f64", { 3, 1, 2 }, expected, 2 ^ -40)
            end
            local x, listed = dev:array { 3, -1, 2, 5 }, { { 1, 0.5, 0.3, 1, -0.5, 0.25 }, { 2, 1, 0, 2, 0.1, 0.125 } }
            local expected = x:cast "f64":sosfilt(dev:array(listed, "f64"))
            helper.check_array(x:cast "f64":sosfilt(listed), "f64", { 4 }, expected:totable())
            helper.check_array(x:sosfilt(listed), "f32", { 4 }, expected:totable(), 1e-6)
            local fused = lun.fuse(function(a) return a:sosfilt(listed) end)
            helper.check_array(fused(x), "f32", { 4 }, expected:totable(), 1e-6)
            listed[2][3] = lun.complex(0, 1)
            assert.matches("^c", x:sosfilt(listed):dtype())
            local needed = "; a row of b0, b1, b2, a0, a1, a2 for each section is needed"
            helper.refused("sosfilt: sos: row 1 is a number" .. needed, x, { 1, 0, 0, 1, 0, 0 })
            helper.refused("sosfilt: sos: row 2 is a table of another length" .. needed, x, { listed[1], { 1, 2 } })
            helper.refused("sosfilt: sos is 0x6" .. needed, x, {})
            helper.refused("sosfilt: sos: numbers are needed; one of its elements is a string", x,
                { { 1, 2, 3, 4, 5, "x" } })
            helper.refused("sosfilt: argument 1: a list of rows or an array is needed, got a string", x, "x")
            helper.refused("sosfilt: sos is 1x5; a row of b0, b1, b2, a0, a1, a2 for each section is needed",
                dev:ones { 3 }, dev:ones { 1, 5 })
            helper.raises("totable: sosfilt: the coefficient a0 of section 2 is 0", function()
                return dev:ones { 3 }:sosfilt(dev:array { { 1, 0, 0, 1, 0, 0 }, { 1, 0, 0, 0, 0, 0 } }):totable()
            end)
        end)
    end)
end)

-- ---- designs ------------------------------------------------------------------------------------------------------

-- SciPy's numbers; random orders and cutoffs were compared with SciPy as well.
describe("filters by design", function()
    local dev = lun.device()

    local function near(expected, got, tolerance)
        assert.equal(#expected, #got)
        for i, x in ipairs(expected) do
            if type(x) == "table" then
                near(x, got[i], tolerance)
            else
                assert.is_true(math.abs(x - got[i]) <= (tolerance or 1e-9), x .. " " .. got[i])
            end
        end
    end

    it("have SciPy's sections and coefficients", function()
        near({ { 0.04953299636, 0.09906599271, 0.04953299636, 1, -0.3249196962, 0 }, { 1, 1, 0, 1, -0.8369977874,
            0.4239856889 } }, lun.butter(3, 0.3))
        near({ { 0.505001029, -0.5146217526, 0.505001029, 1, -0.1780426504, 0.4508187416 }, { 1, -1.019050899, 1, 1,
            -1.222025866, 0.6038234723 } },
            lun.butter(2, { 0.2, 0.5 }, { type = "bandstop" }))
        near({ { 0.04953299636, 0.09906599271, 0.04953299636, 1, -0.6750803038, 0.3249196962 }, { 1, 0, -1, 1,
            -0.08405773418, 0.585919214 }, { 1, -2, 1, 1, -1.361464839, 0.7236248255 } }, lun.butter(3, { 2, 5 },
                { rate = 20 }))
        near({ { 0.4133070365, 0.8266140731, 0.4133070365, 1, 0.9599855088, 0.4504610216 },
            { 1, -2, 1, 1, -1.515575749, 0.6589856974 } },
            lun.cheby1(2, 0.5, { 0.15, 0.7 }, { type = "bandpass", output = "sos" }))
        local b, a = lun.cheby1(3, 1, 0.4, { type = "highpass", output = "ba" })
        near({ 0.2139568081, -0.6418704243, 0.6418704243, -0.2139568081 }, b)
        near({ 1, -0.3054581246, 0.5238888993, 0.1176925591 }, a)
        for order = 1, 9 do -- the magnitude at the cutoff, and the same filter in both forms
            for _, of in ipairs { { 0.25 }, { 0.25, "highpass" }, { { 0.25, 0.5 } }, { { 0.25, 0.5 }, "bandstop" } } do
                local sos = lun.butter(order, of[1], { type = of[2] })
                assert.equal(type(of[1]) == "table" and order or (order + 1) // 2, #sos)
                assert.is_true(math.abs(lun.freqz(sos, { n = 4 }):abs():get(2) - 0.5 ^ 0.5) < 1e-6)
                local p, q = lun.butter(order, of[1], { type = of[2], output = "ba" })
                local apart = lun.freqz(p, q, { n = 7 }) - lun.freqz(sos, { n = 7 })
                assert.is_true(order > 5 or apart:abs():max() < 1e-5)
            end
        end
    end)

    it("run forward and backward as SciPy's", function()
        local x = dev:array { 3, -1, 4, 1, -5, 9, 2, -6, 5, 3, 5, -8 }
        local b, a = lun.butter(2, 0.4, { output = "ba" })
        local sos = lun.butter(3, 0.4)
        local expected = { 2.998543995, 1.794378435, 0.9738261243, 0.5309589781, 1.200186349, 2.105036273,
            1.260271595, 0.4542193222, 2.243580209, 3.948276409, 0.6611021253, -8.000589672 }
        local shorter = { 2.802061656, 1.640570706, 0.8158692864, 0.7867609795, 1.514012813, 1.757166475,
            0.8275866883, 0.5625861995, 2.553557784, 4.152188471, 0.7565180198, -7.910542998 }
        near(expected, x:filtfilt(b, a):totable(), 1e-5)
        near(shorter, x:sosfiltfilt(sos, { padlen = 5 }):totable(), 1e-5)
        assert.equal("f32", x:filtfilt(dev:array(b), a):dtype())
        if dev:info().fp64 then
            near(expected, x:cast("i16"):filtfilt(b, a):totable())
            near(shorter, x:cast("f64"):sosfiltfilt(dev:array(sos, "f64"), { padlen = 5 }):totable())
        end
        local both = lun.stack({ x, 2 * x, -x }, 2)
        near(expected, (both:filtfilt(b, a, { axis = 1 }):col(2) / 2):totable(), 1e-5)
        near(shorter, (-both:t():sosfiltfilt(sos, { padlen = 5 }):row(3)):totable(), 1e-5)
        local z = (x * lun.complex(0, 1)):cast("c64"):filtfilt(b, a)
        assert.equal("c64", z:dtype())
        near(expected, z:imag():totable(), 1e-5)
        assert.same({ 3, -1, 4 }, x:slice { 1, 3 }:filtfilt({ 2 }, { 2 }, { padlen = 0 }):totable())
        near({ 3.5, 3 }, dev:array({ 4, 2 }):filtfilt({ 1, 1 }, { 2 }, { padlen = 0 }):totable())
    end)

    it("have a response", function()
        local b, a = lun.butter(2, 0.4, { output = "ba" })
        local h, w = lun.freqz(b, a, { n = 4, rate = 8 })
        assert.equal("c64 f32", h:dtype() .. " " .. w:dtype())
        near({ 0, 1, 2, 3 }, w:totable())
        near({ 1, 0.6104735822, -0.1949129601, -0.08169465 }, h:real():totable(), 1e-6)
        near({ 0, -0.729226041, -0.4241795047, -0.03823167566 }, h:imag():totable(), 1e-6)
        near({ 0, math.pi }, (select(2, lun.freqz({ 1 }, { 1 }, { n = 2, whole = true })):totable()), 1e-6)
        assert.equal(512, #lun.freqz({ { 1, 0, 0, 1, 0, 0 } }))
    end)

    it("are refused where the call is wrong", function()
        local x = dev:ones { 4 }
        local cutoff = "a cutoff, or a list of two that ascend, between 0 and half the rate (1, unless rate is given), "
            .. "is needed, got "
        for message, f in pairs {
            ["butter: argument 1: an order (a whole number from 1) is needed, got 0"] = function() lun.butter(0,
                0.5) end,
            ["butter: argument 2: " .. cutoff .. "1"] = function() lun.butter(2, 1) end,
            ["cheby1: argument 3: " .. cutoff .. "0.5, 0.25"] = function() lun.cheby1(2, 1, { 0.5, 0.25 }) end,
            ["butter: argument 2: " .. cutoff .. "a string"] = function() lun.butter(2, "x") end,
            ["cheby1: argument 2: a ripple in dB, above 0, is needed, got 0"] = function() lun.cheby1(2, 0, 0.5) end,
            ["butter: option 'type': of 1 cutoff, lowpass or highpass is needed, got \"bandpass\""] = function()
                lun.butter(2, 0.5, { type = "bandpass" })
            end,
            ["butter: option 'output': \"sos\" or \"ba\" is needed, got \"zpk\""] = function()
                lun.butter(2, 0.5, { output = "zpk" })
            end,
            ["butter: option 'rate': a number above 0 is needed, got -1"] = function()
                lun.butter(2, 0.5, { rate = -1 })
            end,
            ["butter: unknown option 'fs'; known are type, rate, output"] = function() lun.butter(2, 1, { fs = 4 }) end,
            ["butter: argument 4: nothing after argument 3 is needed, got 1"] = function() lun.butter(2, 0.5, {},
                1) end,
            ["filtfilt: argument 1: element 2: a real number is needed, got a string"] = function()
                x:filtfilt({ 1, "a" }, { 1 })
            end,
            ["filtfilt: argument 2: a list of coefficients is needed, got nothing"] = function() x:filtfilt { 1 } end,
            ["filtfilt: padlen is 6, and the signal has 4 numbers: a whole number from 0 to 3 is needed"] = function()
                x:filtfilt({ 1, 1 }, { 1 })
            end,
            ["sosfiltfilt: axis 2 is out of range"] = function() x:sosfiltfilt({ { 1, 0, 0, 1, 0, 0 } },
                { axis = 2 }) end,
            ["sosfiltfilt: argument 1, row 1: element 3: a real number is needed, got nothing"] = function()
                x:sosfiltfilt { { 1, 2 } }
            end,
            ["freqz: option 'n': a whole number from 1 is needed, got 0"] = function() lun.freqz({ 1 }, { 1 },
                { n = 0 }) end,
            ["freqz: argument 1: a list of coefficients is needed, got 3"] = function() lun.freqz(3, { 1 }) end,
        } do
            helper.raises(message, f)
        end
    end)
end)
