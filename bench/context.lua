-- What every operation of the benchmark works with: the device, a clock, the peers, folders.

local peers = require "bench.peers"

local context = {}

-- Each is a file in bench/operations that gives a list of cases. A case has operation, dtype, size (texts); work (what
-- a call does) and unit; setup() -> subject; check(read, bound), which raises or gives an error in eps * sum|x|; peers:
-- a list of { name, command } with check (false: nothing to check), bound, label (the name in the report), otherwise (a
-- peer to take where that one is missing), or with setup and check for something else of ours; seconds: how many times
-- the usual length a turn takes.
-- Or, instead of setup, check and peers: samples() -> a list of seconds.
-- A subject has call, or many(calls); finish, where calls do not wait; read(from, count) -> bytes; release().
context.OPERATIONS = {
    "map", "formula", "fold", "reduce", "transpose", "matmul", "nbody", "gravity", "copy", "choose", "scan", "sort",
    "fft", "complex", "linalg", "sparse", "random", "kernel", "call", "switch", "transfer", "first", "scaling", "ranks",
}

local BUILT = "build/bench"

local UNITS = {
    ["GB/s"] = 1e9, ["Gelements/s"] = 1e9, ["GFLOP/s"] = 1e9, ["Ginteractions/s"] = 1e9, ["Gnumbers/s"] = 1e9,
    ["Mbodies/s"] = 1e6,
}

-- How a rate is written in this unit: divided by what.
function context.scale(unit)
    return UNITS[unit] or 1
end

-- The function of a file in C.
local function load_native(name)
    os.execute("mkdir -p " .. BUILT)
    local path, problem = peers.compile(("bench/%s.c"):format(name), "", ("%s/%s.so"):format(BUILT, name),
        "-O2 -shared -fPIC -lm")
    local open = path and package.loadlib(path, "luaopen_" .. name)
    if not open then
        error(("the benchmark needs a C compiler for bench/%s.c: %s"):format(name, tostring(problem)), 0)
    end
    return open()
end

-- selector: as lun.device takes it; say(message, ...): messages for the user.
function context.open(selector, say)
    local lun = require "lunarray"
    local bench = { clock = load_native "clock", dft = load_native "dft", interpreter = arg[-1] or "lua5.4" }
    bench.device = lun.device(selector)
    bench.info = bench.device:info()
    bench.gpu = bench.info.type == "gpu"
    bench.peers = peers.new(BUILT, bench.info, say or function() end)
    function bench.finish()
        bench.device:finish()
    end
    bench.notes = {}
    -- What there is to say beside the measurements: a line, and in the report.
    function bench.note(message, ...)
        local text = message:format(...)
        bench.notes[#bench.notes + 1] = text
        print("bench: " .. text)
    end
    local folders = 0
    function bench.temporary()
        folders = folders + 1
        local path = ("%s/%d"):format(bench.peers.scratch, folders)
        assert(os.execute("mkdir " .. peers.quote(path)))
        return path
    end
    local loaded = {}
    function bench.cases(name)
        loaded[name] = loaded[name] or require("bench.operations." .. name)(bench)
        return loaded[name]
    end
    -- A fresh copy of a case: the one of that operation, dtype and size.
    function bench.find(operation, dtype, size)
        for _, case in ipairs(bench.cases(operation:match("%a+"))) do
            if case.operation == operation and case.dtype == dtype and case.size == size then
                local copy = {}
                for key, value in pairs(case) do
                    copy[key] = value
                end
                return copy
            end
        end
        error(("there is no case %s %s n=%s"):format(operation, dtype, size), 0)
    end
    return bench
end

return context
