-- The tones of a round drum: the normal modes of a membrane whose rim is held, as eigenvectors of a matrix.
--
--     lua5.4 examples/drum.lua --size 41 --png modes.png

local lun = require "lunarray"
local plot = require "lunarray.plot"
local script = require "lunarray.script"

local OPTIONS = {
    name = "drum",
    about = "The normal modes of a round drum, in text or as a picture.",
    { name = "size", value = "N", default = 27, integer = true, min = 5, max = 101, help = "points across the drum" },
    { name = "modes", value = "N", default = 12, integer = true, min = 1, max = 12, help = "that are shown" },
    { name = "png", value = "PATH", help = "writes a picture there" },
    { name = "device", value = "NAME", help = "device: gpu, cpu, a part of its name, or its number" },
}

-- Where Bessel's functions are 0: the frequencies of a drum, of radius and speed 1. Pairs are turned by half a wave.
local ZEROS = { 2.404826, 3.831706, 3.831706, 5.135622, 5.135622, 5.520078, 6.380162, 6.380162, 7.015587, 7.015587,
    7.588342, 7.588342 }

-- The five-point formula for minus the second derivatives, on all points of a square.
local function laplacian(dev, size, dtype)
    local one, line = dev:eye(size, { dtype = dtype }), dev:eye(size, { dtype = dtype }) * 2
    line:diagonal(1):fill(-1)
    line:diagonal(-1):fill(-1)
    return (one:kron(line) + line:kron(one)) * ((size + 1) / 2) ^ 2
end

-- The modes on the square, one beside the other in rows of four.
local function picture(modes, inside, size, count)
    local dev, rows, row = inside:device(), {}, {}
    for k = 1, count do
        local square = dev:zeros({ size * size }, modes:dtype())
        square:put(inside, modes:col(k) / modes:col(k):absmax())
        row[#row + 1] = square:reshape(size, size):pad { { 1, 1 }, { 1, 1 } }
        if #row == 4 or k == count then
            while #row < 4 do
                row[#row + 1] = row[1] * 0
            end
            rows[#rows + 1] = lun.concat(row, 2)
            row = {}
        end
    end
    return lun.concat(rows, 1)
end

local function main()
    local options = script.options(arg, OPTIONS)
    local dev = script.device(OPTIONS.name, options.device)
    local dtype, size = dev:info().fp64 and "f64" or "f32", options.size
    local x = dev:linspace(-1, 1, size + 2, { dtype = dtype }):slice { 2, size + 1 }
    local inside = (x:expand(2):hypot(x)):lt(1):reshape(-1):nonzero()
    local w, modes = laplacian(dev, size, dtype):take(inside, 1):take(inside, 2):eigh()

    local count = math.min(options.modes, #w)
    local tones = w:sqrt():slice({ 1, count }):totable()
    print(("%d points inside"):format(#w))
    print "mode   frequency   to the first   a drum's"
    for k, tone in ipairs(tones) do
        print(("%4d   %9.4f   %12.4f   %8.4f"):format(k, tone, tone / tones[1], ZEROS[k] / ZEROS[1]))
    end
    local all = picture(modes, inside, size, count)
    if options.png then
        local times = math.max(1, 120 // size)
        plot.image(options.png, all:repeats(times, 1):repeats(times, 2), { scale = "signs", low = -1, high = 1 })
        print("the modes are in " .. options.png)
    else
        print(table.concat(plot.shades(all:abs():totable(), 72, (count + 3) // 4 * 9), "\n"))
    end
end

script.run(OPTIONS.name, main)
