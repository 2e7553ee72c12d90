-- The examples of linear algebra, drum, components and kalman: what they find is what theory, or their own data, say.

local helper = require "spec.helper"

local function signature(path)
    local file = assert(io.open(path, "rb"))
    local bytes = file:read(8)
    file:close()
    os.remove(path)
    return bytes
end

local function run(example, arguments)
    local output, status = helper.example(example, arguments)
    assert.equal(0, status, output)
    return output
end

describe("drum", function()
    it("has the tones that the zeros of Bessel's functions say", function()
        local path = os.tmpname()
        local output = run("drum", "--size 21 --modes 6 --png " .. path)
        local modes = 0
        for frequency, ratio, known in output:gmatch "\n +%d+ +(%S+) +(%S+) +(%S+)" do
            modes = modes + 1
            assert.near(tonumber(known), tonumber(ratio), 0.02 * known) -- the rim of a grid has steps
            assert.near(2.404826 * known, tonumber(frequency), 0.05 * frequency)
        end
        assert.equal(6, modes)
        assert.equal("\x89PNG\r\n\x1a\n", signature(path))
    end)

    it("is shown in text", function()
        local output = run("drum", "--size 9 --modes 2")
        local shades = output:match "\n +2 [^\n]+\n(.+)$"
        assert.equal(9, select(2, shades:gsub("[^\n]+", "")))
    end)
end)

describe("components", function()
    it("finds the shapes in the noise, and how much of each there is", function()
        local path = os.tmpname()
        local output = run("components", "--pictures 200 --size 16 --noise 0.5 --png " .. path)
        local shares = {}
        for share in output:gmatch "\n +%d +(%S+)" do
            shares[#shares + 1] = tonumber(share)
        end
        assert.equal(5, #shares)
        -- variances of 9, 4 and 1 in each pixel, beside 0.25 of noise; a variance of 200 numbers is off by a tenth
        for k, variance in ipairs { 9, 4, 1 } do
            assert.near(variance / 14.25, shares[k], 0.25 * variance / 14.25)
        end
        assert.is_true(shares[4] < 0.01)
        local noise, left = output:match "noise off the mixtures (%S+), three components off them (%S+)"
        assert.near(0.5, tonumber(noise), 0.01)
        assert.is_true(tonumber(left) < 0.25 * noise) -- 3 of 200 components, and the mean, have noise of their own
        assert.is_true(tonumber(output:match "of the shapes' squares (%S+) lie") > 0.99)
        assert.equal("\x89PNG\r\n\x1a\n", signature(path))
    end)
end)

describe("kalman", function()
    it("is nearer than the measurements, and knows by how much it is off", function()
        local output = run("kalman", "--tracks 2000 --steps 20")
        local measured, filtered = output:match "places are off by (%S+) as measured, by (%S+) as filtered"
        assert.is_true(tonumber(filtered) < 0.7 * measured)
        -- squares of 4 normal numbers: a mean of 4, a variance of 8; five standard deviations of the mean of 2000
        assert.near(4, tonumber(output:match "squares of (%S+),"), 5 * math.sqrt(8 / 2000))
    end)
end)
