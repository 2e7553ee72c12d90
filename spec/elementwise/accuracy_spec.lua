-- How exact the functions are: beside C's functions of long double, in units of the last place, over all exponents.

local at_once = require "spec.elementwise.at_once"
local helper = require "spec.helper"
local exact = require "spec.elementwise.exact"
local numbers = require "spec.numbers"

local LONG = tonumber(os.getenv "LUNARRAY_ACCURACY") -- how many numbers, and all functions in all dtypes
local COUNT = LONG or 6000

-- Elements of 16 bits are computed in f32: these show that they are unpacked, and rounded once.
local FEW = { exp = 1, sqrt = 1, round = 1, neg = 1, sigmoid = 1, sin = 1, cosh = 1, tgamma = 1, lgamma = 1, pow = 1,
    add = 1, mul = 1, div = 1, hypot = 1, mod = 1, fma = 1 }

-- Not so for a NaN.
local function within(err, bound) return err <= bound end

-- Appends jobs for the rows of that many operands.
local function compute(jobs, dev, dtype, operands, texts)
    local rows, names, arrays = {}, {}, {}
    for _, row in ipairs(exact.functions) do
        if row[2] == operands and (LONG or not numbers.dtype[dtype].packed or FEW[row[1]]) then
            rows[row[1]], names[#names + 1] = row, row[1]
        end
    end
    for k = 1, operands do
        arrays[k] = dev:array(texts[k], dtype)
    end
    for name, result in pairs(at_once(names, nil, table.unpack(arrays))) do
        jobs[#jobs + 1] = { name, dtype, result:tobytes(), table.unpack(texts, 1, operands) }
        jobs[#jobs].bound = exact.bound(rows[name], dtype)
    end
end

helper.describe_each_device("the functions", function(dev)
    for _, dtype in ipairs(helper.dtypes(dev, "float")) do
        it("keep OpenCL's bounds in " .. dtype, function()
            local texts, jobs = {}, {}
            for k = 1, 3 do
                texts[k] = exact.operands(dtype, COUNT, k)
            end
            for operands = 1, 3 do
                compute(jobs, dev, dtype, operands, texts)
            end
            local wrong = {}
            for i, found in ipairs(exact.worst(jobs)) do
                local job = jobs[i]
                if job.bound and not within(found.error, job.bound) then
                    wrong[#wrong + 1] = ("%s(%s) is %s, not %s: %g ulp, and %g are allowed"):format(job[1],
                        found.of, found.got, found.wanted, found.error, job.bound)
                end
            end
            assert.equal("", table.concat(wrong, "\n"))
        end)
    end
end)

helper.it_each_device("fmod has nothing to do with the lanes beside an element", function(dev)
    for _, dtype in ipairs(dev:info().fp64 and { "f32", "f64" } or { "f32" }) do
        for lane = 1, 16 do
            local a, b = dev:full({ 16 }, 10, dtype), dev:full({ 16 }, -1.5, dtype)
            b:set(1 / 0, lane)
            local expected = {}
            for i = 1, 16 do
                expected[i] = i == lane and 10.0 or 1.0
            end
            helper.check_array(a:fmod(b), dtype, { 16 }, expected)
        end
    end
end)

describe("the exact values", function()
    local function error_of(name, dtype, result, ...)
        local format = dtype == "f64" and "<d" or "<f"
        local job = { name, dtype, string.pack(format, result) }
        for _, x in ipairs { ... } do
            job[#job + 1] = string.pack(format, x)
        end
        return exact.worst { job }[1].error
    end

    it("see errors of a part of the last place, and infinities and NaN in the wrong places", function()
        assert.equal(0, error_of("square", "f32", 9, 3))
        assert.equal(1, error_of("square", "f32", 9 + 2 ^ -20, 3))
        assert.equal(2, error_of("add", "f64", 1 + 2 ^ -51, 0.5, 0.5))
        local third = error_of("recip", "f64", 1 / 3, 3)
        assert.is_true(third > 0.2 and third < 0.5)
        assert.equal(math.huge, error_of("sqrt", "f32", 0 / 0, 4))
        assert.equal(0, error_of("sqrt", "f32", 0 / 0, -4))
        assert.equal(math.huge, error_of("sqrt", "f32", 0, -4))
        assert.equal(0, error_of("exp", "f32", 1 / 0, 100))
        assert.is_true(error_of("exp", "f32", 1 / 0, 80) > 1e6)
        assert.is_true(error_of("exp", "f32", 3e38, 100) > 1e6)
        assert.equal(0, error_of("exp", "f32", 0, -100))
        assert.is_true(error_of("sin", "f64", 0, 3.0) > 1e15)
    end)
end)
