-- Principal components: many noisy pictures are mixtures of few shapes, which the singular value decomposition finds.
--
--     lua5.4 examples/components.lua --noise 1 --png components.png

local lun = require "lunarray"
local plot = require "lunarray.plot"
local script = require "lunarray.script"

local OPTIONS = {
    name = "components",
    about = "Finds the shapes that noisy pictures are mixtures of, in text or as a picture.",
    { name = "pictures", value = "N", default = 300, integer = true, min = 10, max = 5000, help = "how many" },
    { name = "size", value = "N", default = 20, integer = true, min = 8, max = 64, help = "rows and columns of each" },
    { name = "noise", value = "SIGMA", default = 0.5, min = 0, help = "standard deviation of a pixel" },
    { name = "seed", value = "N", default = 1, integer = true, help = "seed of the mixtures and of the noise" },
    { name = "png", value = "PATH", help = "writes a picture there" },
    { name = "device", value = "NAME", help = "device: gpu, cpu, a part of its name, or its number" },
}

local AMOUNTS = { 3, 2, 1 } -- of each shape: standard deviations of the factors

-- A ring, a cross and a slope, each a row of length sqrt(pixels), orthogonal to the others.
local function shapes(dev, size)
    local x = dev:linspace(-1, 1, size)
    local y = x:expand(2)
    local r = y:hypot(x)
    local all = lun.stack { (-((r - 0.6) * 5):square()):exp(), (-(x * y * 20):square()):exp() * r:lt(0.9):cast "f32",
        x + y * 2 }
    local q = all:reshape(3, size * size):t():qr()
    return q:t() * size
end

local function root_mean_square(x)
    return x:norm() / math.sqrt(x:size())
end

-- Rows of pictures, each between its own ends.
local function show(rows, size, count)
    local lines = {}
    for i, row in ipairs(rows) do
        local tiles = {}
        for k = 1, count do
            local tile = row:row(k)
            tiles[k] = ((tile - tile:min()) / (tile:max() - tile:min())):reshape(size, size):pad { { 0, 1 }, { 0, 1 } }
        end
        lines[i] = lun.concat(tiles, 2)
    end
    return lun.concat(lines, 1)
end

local function main()
    local options = script.options(arg, OPTIONS)
    local dev = script.device(OPTIONS.name, options.device)
    local count, size = options.pictures, options.size
    local rng = dev:rng(options.seed)
    local clean = (rng:normal { count, 3 } * dev:array(AMOUNTS)):matmul(shapes(dev, size)) + 1
    local noisy = clean + rng:normal { count, size * size } * options.noise

    local mean = noisy:mean { axis = 1, keepdims = true }
    local u, s, v = (noisy - mean):svd()
    local shares = s:square() / s:sumsq()
    print "component   share of the variance"
    for k = 1, 5 do
        print(("%9d   %20.4f"):format(k, shares:get(k)))
    end
    local first = { 1, 3 }
    local found = (u:slice({}, first) * s:slice(first)):matmul(v:slice({}, first):t()) + mean
    print(("noise off the mixtures %.4f, three components off them %.4f"):format(root_mean_square(noisy - clean),
        root_mean_square(found - clean)))
    -- The shapes lie in the components' plane: how much of them is in it?
    print(("of the shapes' squares %.4f lie in three components"):format(
        shapes(dev, size):matmul(v:slice({}, first)):sumsq() / shapes(dev, size):sumsq()))
    local all = show({ noisy, found, clean, v:t() }, size, 3)
    if options.png then
        local times = math.max(1, 160 // size)
        plot.image(options.png, all:repeats(times, 1):repeats(times, 2))
        print("noisy pictures, what three components have of them, what they are, and the components: " .. options.png)
    else
        print "noisy pictures, what three components have of them, what they are, and the components:"
        print(table.concat(plot.shades(all:totable(), 3 * (size + 1), 2 * (size + 1)), "\n"))
    end
end

script.run(OPTIONS.name, main)
