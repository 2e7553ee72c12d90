-- What the processes of a group wait for: each thread's name, the kernel's function it sleeps in, and its stack.
--
--   lua5.4 tools/stacks.lua <process group>
--
-- gdb or eu-stack print stacks where they are installed. Without them the addresses of code on each thread's stack are
-- printed as library+offset: the frames, innermost first, and what earlier calls have left between them.
-- `addr2line -f -e build/lunarray/core.so OFFSET` names the functions of lunarray.

local group = assert(arg[1], "a process group is needed")
local WORDS, MOST = 4096, 80 -- how many words of a stack are read, and how many lines are printed

local function read(path)
    local file = io.open(path, "rb")
    local text = file and file:read "a"
    if file then file:close() end
    return text
end

local function lines(command)
    local pipe = assert(io.popen(command .. " 2>/dev/null"))
    local text = pipe:read "a"
    pipe:close()
    return text:gmatch "[^\n]+"
end

-- The pieces of code that the process has mapped: from, to, name, and the offset in the file.
local function code_of(process)
    local list = {}
    for from, to, offset, path in (read("/proc/" .. process .. "/maps") or ""):gmatch
        "(%x+)%-(%x+) r.xp (%x+) %S+ %d+ *([^\n]*)\n" do
        list[#list + 1] = { tonumber(from, 16), tonumber(to, 16), path:match "[^/]*$", tonumber(offset, 16) }
    end
    return list
end

local function place(code, address)
    for _, piece in ipairs(code) do
        if address >= piece[1] and address < piece[2] then
            return ("%s+0x%x"):format(piece[3], address - piece[1] + piece[4])
        end
    end
end

local function scan(process, task, code)
    local stack, at = (read(task .. "/syscall") or ""):match "(0x%x+) (0x%x+)\n?$"
    local memory = stack and io.open("/proc/" .. process .. "/mem", "rb")
    if not memory then return end
    memory:setvbuf "no"
    memory:seek("set", math.tointeger(stack))
    local found = { place(code, math.tointeger(at)) or at }
    for _ = 1, WORDS do
        local word = memory:read(8) -- nil behind the stack's end
        if not word then break end
        found[#found + 1] = place(code, (string.unpack("<i8", word)))
    end
    memory:close()
    print("    " .. table.concat(found, "\n    ", 1, math.min(#found, MOST)))
end

local function by_tool(process)
    for _, command in ipairs { "gdb -p %s -batch -nx -ex 'thread apply all bt 40'", "eu-stack -p %s" } do
        local shown = false
        for line in lines("timeout 10 " .. command:format(process)) do
            shown = shown or line:find "^#0"
            if line:find "^#" or line:find "^Thread" or line:find "^TID" then print("    " .. line) end
        end
        if shown then return true end
    end
end

for path in lines "ls -d /proc/[0-9]*" do
    local process = path:match "%d+$"
    local own = (read(path .. "/stat") or ""):match "%) %S %d+ (%d+)"
    if own == group then
        print(process .. " " .. (read(path .. "/cmdline") or ""):gsub("\0", " "))
        local code, told = code_of(process), by_tool(process)
        for task in lines("ls -d " .. path .. "/task/*") do
            print(("  %s %s in %s"):format(task:match "%d+$", (read(task .. "/comm") or ""):gsub("\n", ""),
                read(task .. "/wchan") or "?"))
            if not told then scan(process, task, code) end
        end
    end
end
