-- Two ranks on this machine: a call's header, with which all calls of all ranks begin, beside whole calls. By
-- bench/ranks.lua; without mpirun or lunarray.mpi there is nothing to measure.

local quote = require("bench.peers").quote

local CASES = { { "header", "none", "0" }, { "small", "f64", "1024" }, { "large", "f64", tostring(1 << 23) } }

local function samples(bench, work)
    local command = ("LUNARRAY_DEVICE=%s LUA_PATH_5_4=%s LUA_CPATH_5_4=%s "
        .. "mpirun --oversubscribe --allow-run-as-root -n 2 %s bench/ranks.lua work %s 2>&1"):format(
        quote(bench.device:info().name), quote(package.path), quote(package.cpath), bench.interpreter, work)
    local pipe <close> = assert(io.popen(command))
    local text = pipe:read "a"
    return { tonumber(text:match "median (%S+) ms" or error(text, 0)) / 1e3 }
end

return function(bench)
    local cases = {}
    if package.searchpath("lunarray.mpi_core", package.cpath) and os.execute "command -v mpirun >/dev/null 2>&1" then
        for _, each in ipairs(CASES) do
            local work, dtype, size = table.unpack(each)
            cases[#cases + 1] = {
                operation = "ranks:" .. work, dtype = dtype, size = size, work = 1, unit = "s",
                samples = function() return samples(bench, work) end,
            }
        end
    end
    return cases
end
