-- First use: seconds from the start of the interpreter to the first result, with an empty kernel cache and a warm one.

local quote = require("bench.peers").quote

local PROGRAMS = {
    { "sum", "print(dev:array{1, 2, 3}:reduce('sum'))", "6.0" },
    { "transpose", "print(dev:array{{1, 2}, {3, 4}}:transpose():get(1, 2))", "3.0" },
    { "matmul", "print(dev:array{{1, 2}, {3, 4}}:matmul(dev:array{{1}, {1}}):get(2, 1))", "7.0" },
    { "nbody", "local p = dev:array{{0, 0, 0, 1}, {1, 0, 0, 1}}; local v = dev:zeros{2, 4}\n"
        .. "p:nbody(v, {dt = 1}); print(p:get(1, 2))", "0.0" },
    { "start", "print(dev:info().units > 0)", "true" }, -- no kernel at all
}

local COLD, WARM = 3, 7

-- Drivers keep their caches where these variables say.
local function command(bench, cache, program)
    local where, lua, clua = quote(cache), quote(package.path), quote(package.cpath)
    local source = ("local lun = require 'lunarray'; local dev = lun.device(%q)\n%s")
        :format(bench.device:info().name, program)
    return ("POCL_CACHE_DIR=%s CUDA_CACHE_PATH=%s LUA_PATH_5_4=%s LUA_CPATH_5_4=%s exec %s -e %s >%s/out 2>%s/err")
        :format(where, where, lua, clua, quote(bench.interpreter), quote(source), where, where)
end

local function run(bench, cache, program, wanted)
    local start = bench.clock()
    local ok = os.execute(command(bench, cache, program))
    local seconds = bench.clock() - start
    local handle = io.open(cache .. (ok and "/out" or "/err"))
    local text = handle:read("a"):gsub("%s+$", "")
    handle:close()
    if not ok or text ~= wanted then
        error(("gave '%s', not %s"):format(text:match("[^\n]*"), wanted), 0)
    end
    return seconds
end

-- A cache of its own for each cold run; the last one is the warm one.
local function samples(bench, warm, program, wanted)
    local list = {}
    local cache = bench.temporary()
    if warm then
        run(bench, cache, program, wanted)
    end
    for i = 1, warm and WARM or COLD do
        list[i] = run(bench, warm and cache or bench.temporary(), program, wanted)
    end
    return list
end

return function(bench)
    local cases = {}
    for _, row in ipairs(PROGRAMS) do
        for _, size in ipairs({ "cold", "warm" }) do
            cases[#cases + 1] = {
                operation = "first:" .. row[1], dtype = "f32", size = size, unit = "s", work = 1, peers = {},
                samples = function()
                    return samples(bench, size == "warm", row[2], row[3])
                end,
            }
        end
    end
    return cases
end
