-- A spectrogram: which frequencies a signal has when. Two whistles that cross, and clicks, in noise.
--
--     lua5.4 examples/spectrogram.lua --seconds 10 --png whistles.png

local plot = require "lunarray.plot"
local script = require "lunarray.script"

local OPTIONS = {
    name = "spectrogram",
    about = "The spectrogram of a made-up signal, in text or as a picture.",
    { name = "seconds", value = "T", default = 4, min = 1, max = 600, help = "length of the signal" },
    { name = "rate", value = "HZ", default = 8000, integer = true, min = 1000, max = 192000, help = "of samples" },
    { name = "noise", value = "SIGMA", default = 0.2, min = 0, help = "standard deviation of the noise" },
    { name = "png", value = "PATH", help = "writes a picture there" },
    { name = "device", value = "NAME", help = "device: gpu, cpu, a part of its name, or its number" },
}

local FRAME = 512

-- One whistle rises from a tenth of the band to its end in the given time, the other falls.
local function signal(dev, options)
    local count, rate = math.floor(options.seconds * options.rate), options.rate
    local t = dev:arange(0, count - 1, 1, "f32") / count -- 0 to 1
    local low, high = 0.05 * rate, 0.45 * rate
    local slope = (high - low) / 2 * options.seconds
    local rising = (t * (low * options.seconds) + t * t * slope) -- turns
    local falling = (t * (high * options.seconds) - t * t * slope)
    local s = ((rising % 1) * 2):sinpi() + ((falling % 1) * 2):sinpi() + dev:normal({ count },
        { seed = 1, std = options.noise })
    s:slice({ count // 4, count, count // 4 }):fill(20) -- clicks
    return s, low, high
end

local function main()
    local options = script.options(arg, OPTIONS)
    local dev = script.device(OPTIONS.name, options.device)
    local s, low, high = signal(dev, options)
    local power = s:spectrogram { n = FRAME, hop = FRAME // 4 }
    local decibels = (power + 1e-6):log() * (10 / math.log(10))
    local picture = decibels:t():flip(1):maximum(0) -- high frequencies above
    if options.png then
        plot.image(options.png, picture, { scale = "viridis" })
        print(("%s: %d frames of %d frequencies"):format(options.png, #power, FRAME // 2 + 1))
    else
        print(table.concat(plot.shades(picture:totable(), 72, 20, 60), "\n"))
    end
    local first = power:slice({ 4, 4 }):argmax { axis = 2 }
    print(("frame 4 is strongest at %.0f Hz; the whistles begin at %.0f and %.0f Hz"):format(
        (first:get(1) - 1) * options.rate / FRAME, low, high))
    local back = s:stft({ n = FRAME }):istft { n = FRAME, size = #s }
    print(("back from the frames: off by %.1e of the largest sample"):format((back - s):absmax() / s:absmax()))
end

script.run(OPTIONS.name, main)
