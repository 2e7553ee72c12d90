-- First use: seconds from the start of the interpreter to the first result, with an empty kernel cache and a warm one.
-- Beside single calls the programs in bench/programs, each with NumPy's of the same name, which has only the one time.

local quote = require("bench.peers").quote

local PROGRAMS = {
    { "sum", "print(dev:array{1, 2, 3}:reduce('sum'))", "6.0" },
    { "transpose", "print(dev:array{{1, 2}, {3, 4}}:transpose():get(1, 2))", "3.0" },
    { "matmul", "print(dev:array{{1, 2}, {3, 4}}:matmul(dev:array{{1}, {1}}):get(2, 1))", "7.0" },
    { "nbody", "local p = dev:array{{0, 0, 0, 1}, {1, 0, 0, 1}}; local v = dev:zeros{2, 4}\n"
        .. "p:nbody(v, {dt = 1}); print(p:get(1, 2))", "0.0" },
    { "start", "print(dev:info().units > 0)", "true" }, -- no kernel at all
}

-- What each prints first, and how far it may be off: draws differ from device to device, and NumPy's are others.
local WHOLE = {
    asian = { 5.83, 0.1 }, boltzmann = { 0.46666, 1e-3 }, cg = { 15.57, 0.1 }, floyd = { 0.0135, 5e-4 },
    groups = { 0.5, 1e-3 }, heat = { 0.059843, 1e-5 }, ising = { 0.31, 0.03 }, kmeans = { 0.5, 5e-3 },
    life = { 0.1248, 3e-3 }, logistic = { 0.998, 2e-3 }, lorenz = { -0.01857, 1e-3 }, mandelbrot = { 15.9434, 1e-2 },
    moving = { 0.1291, 1e-3 }, net = { 0.039, 0.03 }, pagerank = { 1, 2e-3 }, pca = { 0.0893, 1e-3 },
    pi = { 3.14159, 3e-3 }, sobel = { 0.3956, 2e-3 }, solve = { 1, 1e-4 }, spectrum = { 0.25, 0.02 },
    statistics = { 0, 2e-3 },
}
local NAMES = {}
for name in pairs(WHOLE) do
    NAMES[#NAMES + 1] = name
end
table.sort(NAMES)

local COLD, WARM = 3, 7
local WHOLE_COLD, WHOLE_WARM = 1, 3

-- Drivers keep their caches where these variables say.
local function command(bench, cache, interpreter, arguments)
    local where, lua, clua = quote(cache), quote(package.path), quote(package.cpath)
    local device = quote(bench.device:info().name)
    return ("LUNARRAY_DEVICE=%s POCL_CACHE_DIR=%s CUDA_CACHE_PATH=%s LUA_PATH_5_4=%s LUA_CPATH_5_4=%s exec %s %s "
        .. ">%s/out 2>%s/err"):format(device, where, where, lua, clua, interpreter, arguments, where, where)
end

local function run(bench, cache, program)
    local start = bench.clock()
    local ok = os.execute(command(bench, cache, program.interpreter, program.arguments))
    local seconds = bench.clock() - start
    local handle = io.open(cache .. (ok and "/out" or "/err"))
    local text = handle:read("a"):gsub("%s+$", "")
    handle:close()
    if not ok or not program.fits(text) then
        error(("gave '%s', not %s"):format(text:match("[^\n]*"), program.wanted), 0)
    end
    return seconds
end

-- A cache of its own for each cold run; the last one is the warm one.
local function samples(bench, warm, program)
    local list = {}
    local cache = bench.temporary()
    if warm then
        run(bench, cache, program)
    end
    for i = 1, warm and program.warm or program.cold do
        list[i] = run(bench, warm and cache or bench.temporary(), program)
    end
    return list
end

-- One call, whose text is the whole program.
local function call(bench, row)
    local source = ("local lun = require 'lunarray'; local dev = lun.device()\n%s"):format(row[2])
    return { interpreter = quote(bench.interpreter), arguments = "-e " .. quote(source), wanted = row[3], cold = COLD,
        warm = WARM, fits = function(text) return text == row[3] end }
end

-- A file of bench/programs.
local function whole(interpreter, name, ending)
    local wanted, off = table.unpack(WHOLE[name])
    local function fits(text)
        local first = tonumber(text:match "^%S+")
        return first ~= nil and math.abs(first - wanted) <= off
    end
    return { interpreter = quote(interpreter), arguments = ("bench/programs/%s.%s"):format(name, ending), fits = fits,
        wanted = ("%g and at most %g off"):format(wanted, off), cold = WHOLE_COLD, warm = WHOLE_WARM }
end

-- A Python that has NumPy, or nil.
local function find_python()
    local python = os.getenv "PYTHON" or "python3"
    return os.execute(quote(python) .. " -c 'import numpy' 2>/dev/null") and python or nil
end

return function(bench)
    local cases, python = {}, find_python()
    local function add(name, size, program)
        cases[#cases + 1] = {
            operation = "first:" .. name, dtype = "f32", size = size, unit = "s", work = 1, peers = {},
            samples = function() return samples(bench, size ~= "cold", program) end,
        }
    end
    for _, row in ipairs(PROGRAMS) do
        add(row[1], "cold", call(bench, row))
        add(row[1], "warm", call(bench, row))
    end
    for _, name in ipairs(NAMES) do
        add(name, "cold", whole(bench.interpreter, name, "lua"))
        add(name, "warm", whole(bench.interpreter, name, "lua"))
        if python then
            add(name, "numpy", whole(python, name, "py"))
        end
    end
    return cases
end
