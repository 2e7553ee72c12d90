-- The peers: finding, building and starting them, and speaking with them (the protocol is in peers/worker.h).

local peers = {}
peers.__index = peers

-- Processes. c: compiled here, with what it uses and its flags; python: a script for any Python that has what it needs;
-- lua: a script for this interpreter; environment: what it gets there, and what it says of itself; device: gets the
-- device's name; only: on such devices; dtype: for that one; package: Debian's name for what it needs.
local WORKERS = {
    { name = "memory", c = "bench/peers/memory.c", peers = { "memcpy", "memcpy_threads", "read" } },
    { name = "openblas", c = "bench/peers/openblas.c", peers = { "openblas" }, library = "openblas",
      package = "libopenblas-dev", only = "cpu" },
    { name = "clblast", c = "bench/peers/clblast.c", peers = { "clblast" }, library = "clblast OpenCL",
      package = "libclblast-dev", device = true },
    { name = "nbody_f32", c = "bench/peers/nbody.c", uses = "bench/nbody_avx2.c", dtype = "f32",
      peers = { "avx2", "avx2_mutual" }, only = "cpu" },
    { name = "nbody_f64", c = "bench/peers/nbody.c", uses = "bench/nbody_avx2.c", dtype = "f64", flags = "-DDOUBLE",
      peers = { "avx2", "avx2_mutual" }, only = "cpu" },
    { name = "numpy", python = "numpy_peer.py", peers = { "numpy" }, package = "python3-numpy", only = "cpu" },
    { name = "numexpr", python = "numexpr_peer.py", peers = { "numexpr" }, package = "python3-numexpr",
      only = "cpu" },
    { name = "pytreegrav", python = "pytreegrav_peer.py", peers = { "pytreegrav" }, package = "PyPI's pytreegrav",
      only = "cpu" },
    { name = "pyfalcon", python = "pyfalcon_peer.py", peers = { "pyfalcon" },
      package = "GitHub's GalacticDynamics-Oxford/pyfalcon, by pip", only = "cpu" },
    { name = "pyopencl", python = "pyopencl_peer.py", peers = { "pyopencl" }, package = "python3-pyopencl",
      device = true },
    -- The variables are PoCL's, before and since version 4.
    { name = "one_core", lua = "bench/peers/ours.lua", peers = { "one_core" }, device = true, only = "cpu",
      environment = { "POCL_MAX_PTHREAD_COUNT=1 POCL_CPU_MAX_CU_COUNT=1", "lunarray on one core" } },
    { name = "threads", lua = "bench/peers/ours.lua", peers = { "threads" }, device = true, only = "cpu",
      environment = { "LUNARRAY_COMPANION=0", "lunarray, all on threads" } },
    { name = "cuda", python = "cuda_peer.py", peers = { "cub", "torch", "compiled", "cublas", "cuda", "cupy",
      "pinned" },
      package = "CuPy and PyTorch for CUDA", only = "gpu" },
}

local function quote(word)
    return "'" .. word:gsub("'", "'\\''") .. "'"
end
peers.quote = quote

local function output(command)
    local pipe = assert(io.popen(command, "r"))
    local text = pipe:read("a")
    pipe:close()
    return text
end

-- Compiles where a source is newer than what is there; gives the path, or nil and the first words of the compiler.
-- uses: other files that it is made from. What came from another machine does where there is no compiler.
function peers.compile(source, uses, out, flags)
    local log = out .. ".log"
    local command = ([[
out=%s; fresh=$out; for f in %s %s; do [ "$out" -nt $f ] || fresh=; done
[ -n "$fresh" ] || ${CC:-cc} -o "$out" %s %s >%s 2>&1]]):format(quote(out), source, uses, source, flags, quote(log))
    if os.execute(command) or os.execute("test -x " .. quote(out)) then
        return out
    end
    return nil, (output(("grep -m 1 -i error %s || tail -n 1 %s"):format(quote(log), quote(log))):gsub("%s+", " "))
end

local function library_flags(libraries)
    local found = {}
    for library in (libraries or ""):gmatch("%S+") do
        local flags = output(("pkg-config --cflags --libs %s 2>/dev/null"):format(library)):gsub("%s+", " ")
        found[#found + 1] = flags ~= "" and flags or "-l" .. library:lower()
    end
    return table.concat(found, " ")
end

local OURS = "%s LUA_PATH_5_4=%s LUA_CPATH_5_4=%s %s %s %s"

local function ours(row)
    local setting, what = table.unpack(row.environment)
    return OURS:format(setting, quote(package.path), quote(package.cpath), quote(arg[-1] or "lua5.4"), row.lua,
        quote(what))
end

-- `folder` is for what is built, `info` the device's, `say` gets messages for the user.
function peers.new(folder, info, say)
    local self = setmetatable({ folder = folder, info = info, say = say, workers = {}, known = {} }, peers)
    self.scratch = output("mktemp -d"):gsub("%s+$", "")
    return self
end

---- One worker ---------------------------------------------------------------------------------------------

-- Sends a line and gives the answer's first word and the rest; nil if the worker ended.
local function ask(worker, ...)
    if not worker.answers then
        return nil
    end
    worker.commands:write(string.format(...), "\n")
    local line = worker.answers:read("l")
    if not line then
        worker.answers:close()
        worker.answers = nil
        return nil
    end
    return line:match("^(%S+)%s*(.*)$")
end

-- Starts a command with its two ends on a pipe; true, or nil and why it is not ready.
function peers:connect(worker, command)
    local fifo = self.scratch .. "/" .. worker.name
    assert(os.execute("mkfifo " .. quote(fifo)))
    -- The cat outlives a worker that fails: writing to nobody would end this process.
    worker.commands = io.popen(("%s >%s 2>%s; cat >/dev/null"):format(command, quote(fifo), quote(fifo .. ".log")), "w")
    worker.commands:setvbuf("line")
    worker.answers = io.open(fifo, "r")
    os.remove(fifo)
    local line = worker.answers:read("l")
    line = line or "missing a process that starts: " .. output("tail -n 1 " .. quote(fifo .. ".log"))
    local word, rest = line:match("^(%S+)%s*(.*)$")
    if word == "ready" then
        worker.what = rest
        return true
    end
    worker.answers:close()
    worker.answers = nil
    worker.commands:close()
    return nil, (rest or line):gsub("%s+$", "")
end

-- An OpenBLAS older than the processor takes it for the oldest that it knows. Then it is told what this one can do, for
-- it is the library that is to be measured, not its age.
local function openblas_core(what)
    if not (what or ""):find("Prescott", 1, true) or os.getenv("OPENBLAS_CORETYPE") then
        return nil
    end
    local flags = output("grep -m 1 '^flags' /proc/cpuinfo 2>/dev/null") .. " "
    return flags:find(" avx512dq ", 1, true) and "SkylakeX" or flags:find(" avx2 ", 1, true) and "Haswell" or nil
end

function peers:start(row, key)
    local worker = { name = key }
    local argument = row.device and " " .. quote(self.info.name) or ""
    local ok, problem
    if row.c then
        local path
        local flags = ("%s %s -pthread -lm"):format(row.flags or "", library_flags(row.library))
        local uses = "bench/peers/worker.h bench/peers/threads.h " .. (row.uses or "")
        path, problem = peers.compile(row.c, uses, self.folder .. "/" .. row.name,
            "-O3 -march=native -std=gnu11 " .. flags)
        if path then
            ok, problem = self:connect(worker, quote(path) .. argument)
        end
        local core = ok and openblas_core(worker.what)
        if core then
            worker.commands:close()
            ok, problem = self:connect(worker, ("OPENBLAS_CORETYPE=%s %s%s"):format(core, quote(path), argument))
            worker.what = ok and ("%s, told to be %s"):format(worker.what, core)
        end
    elseif row.lua then
        ok, problem = self:connect(worker, ours(row) .. argument)
    else
        for _, python in ipairs({ os.getenv("PYTHON") or "python3", "/usr/bin/python3" }) do
            local command = ("%s -B -W ignore bench/peers/%s%s"):format(python, row.python, argument)
            ok, problem = self:connect(worker, command)
            if ok then
                break
            end
        end
    end
    if not ok then
        local package_name = row.package and " (package: " .. row.package .. ")" or ""
        if not self.known[row.name] then
            self.say("bench: missing %s: %s%s", row.name, problem, package_name)
        end
        self.known[row.name] = "missing: " .. problem
    elseif not self.known[row.name] then
        self.say("bench: peer %s: %s", row.name, worker.what)
        self.known[row.name] = worker.what
    end
    return worker
end

---- What the operations ask for ----------------------------------------------------------------------------

-- The worker of a peer, started when it is first asked for; nil if this machine or device has none. A worker in C has
-- one slot, so there is one for each.
function peers:worker(name, dtype, slot)
    for _, row in ipairs(WORKERS) do
        local fits = (row.only or self.info.type) == self.info.type and (row.dtype or dtype) == dtype
        for _, peer in ipairs(row.peers) do
            if fits and peer == name then
                local key = row.c and row.name .. "_" .. slot or row.name
                self.workers[key] = self.workers[key] or self:start(row, key)
                return self.workers[key].answers and self.workers[key]
            end
        end
    end
end

-- Has a peer set up an operation, "sum f32 0 1000": a table with run(calls, warm) -> seconds per call, read(from,
-- count) -> bytes and release(); or nil and why not. slot: a word; another prepare with it replaces this one.
function peers:prepare(slot, name, command)
    local worker = self:worker(name, command:match("^%S+ (%S+)"), slot)
    if not worker then
        return nil, "missing"
    end
    local word, problem = ask(worker, "prepare %s %s %s", slot, name, command)
    if word ~= "ok" then
        return nil, problem or "the process ended"
    end
    local file = self.scratch .. "/elements"
    local prepared = { name = name }
    function prepared.run(calls, warm)
        local answer, seconds = ask(worker, "run %s %d %d", slot, calls, warm)
        return answer == "ok" and tonumber(seconds) or error(name .. ": " .. (seconds or "the process ended"), 0)
    end
    function prepared.read(from, count)
        local answer, rest = ask(worker, "get %s %d %d %s", slot, from, count, file)
        local handle = answer == "ok" and io.open(file, "rb") or error(name .. ": " .. (rest or "the process ended"), 0)
        local bytes = handle:read("a")
        handle:close()
        return bytes
    end
    function prepared.release()
        ask(worker, "drop %s", slot)
    end
    return prepared
end

-- What each peer is, for the report: a list of "name: version".
function peers:describe()
    local list = {}
    for _, row in ipairs(WORKERS) do
        if self.known[row.name] then
            list[#list + 1] = row.name .. ": " .. self.known[row.name]
        end
    end
    return list
end

function peers:close()
    for _, worker in pairs(self.workers) do
        if worker.answers then
            worker.commands:close()
            worker.answers:close()
        end
    end
    os.execute("rm -rf " .. quote(self.scratch))
end

return peers
