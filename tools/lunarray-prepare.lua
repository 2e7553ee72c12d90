-- Builds kernels beforehand, so that no program waits for a compiler: doc/first_results.md.
--
--     lunarray-prepare                        # what the library launches in f32 and f64: one or two minutes
--     lunarray-prepare --operations solve,eigh --dtypes f64

local lun = require "lunarray"
local script = require "lunarray.script"

local OPTIONS = {
    name = "lunarray-prepare",
    command = "lunarray-prepare",
    about = "Builds the kernels that lunarray launches, and keeps them in a folder (PoCL) or the driver's cache.",
    { name = "operations", value = "NAMES", help = "only these, with commas between: sum,solve" },
    { name = "dtypes", value = "NAMES", help = "only these: f32 or f64; else both" },
    { name = "folder", value = "FOLDER", help = "keep them there: name it in LUNARRAY_KERNELS, too" },
    { name = "processes", value = "N", default = 2, integer = true, min = 1, max = 64, help = "that build at once" },
    { name = "device", value = "NAME", help = "device: cpu, a part of its name, or its number" },
    { name = "fresh", value = "yes", default = "no", choices = { "yes", "no" }, help = "drop what was there" },
}

local function list(text)
    local names = {}
    for name in (text or ""):gmatch "[^,%s]+" do
        names[#names + 1] = name
    end
    return text and names or nil
end

local function main()
    local options = script.options(arg, OPTIONS)
    local device = script.device(OPTIONS.name, options.device or "cpu")
    print(("kernels for %s; without them each is built when a program first needs it"):format(device:info().name))
    local ok, made = pcall(lun.prepare, { device = device, operations = list(options.operations),
        dtypes = list(options.dtypes), folder = options.folder, processes = options.processes,
        fresh = options.fresh == "yes" })
    if not ok then
        script.fail(OPTIONS.name, "%s", (tostring(made):gsub("^.-lunarray: prepare: ", "")))
    end
    for _, problem in ipairs(made.failed) do
        print("not prepared: " .. problem)
    end
    if not made.folder then
        print(("the driver's cache was filled in %.0f s"):format(made.seconds))
        return
    end
    print(("%d kernels of %d programs, %.1f MB, in %.0f s: %s"):format(made.kernels, made.programs, made.bytes / 1e6,
        made.seconds, made.folder))
end

script.run(OPTIONS.name, main)
