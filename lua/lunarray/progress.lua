-- A progress bar with the time left on a terminal, and a plain line every tenth of the way elsewhere.
--
--     local bar = progress.new(steps)
--     for step = 1, steps do ... bar:update(step, "t = " .. t) end
--     bar:finish()

local progress = {}
progress.__index = progress

local WIDTH = 32
local REDRAW = "\r%s\27[K" -- back to the first column, and clear what an earlier, longer line left

-- Plain Lua cannot ask whether a stream is a terminal; the shell's `test`, which inherits the descriptor, can.
-- Where there is no such shell the answer is no.
local function stderr_is_terminal()
    return os.execute("test -t 2") == true
end

local function minutes(seconds)
    return ("%d:%02d"):format(seconds // 60, seconds % 60)
end

-- options: stream (stderr), terminal (found out), clock (os.time; os.clock would count the threads of a CPU device).
function progress.new(total, options)
    options = options or {}
    local bar = setmetatable({ total = total }, progress)
    bar.stream = options.stream or io.stderr
    bar.clock = options.clock or os.time
    bar.terminal = options.terminal
    if bar.terminal == nil then
        bar.terminal = stderr_is_terminal()
    end
    bar.started = bar.clock()
    bar.shown = -1
    io.stdout:flush() -- what was printed so far belongs above the bar
    return bar
end

-- The clock counts whole seconds, so an estimate is only given once some have passed.
function progress:time_left(done)
    local spent = self.clock() - self.started
    if done <= 0 or spent < 2 then
        return nil
    end
    return math.ceil(spent * (self.total - done) / done)
end

function progress:line(done, note)
    local share = math.min(done / self.total, 1)
    local left = self:time_left(done)
    local text = ("%3d %%"):format(share * 100 // 1)
    if self.terminal then
        local filled = math.floor(share * WIDTH)
        text = "[" .. ("#"):rep(filled) .. ("."):rep(WIDTH - filled) .. "] " .. text
    end
    if note then
        text = text .. "  " .. note
    end
    if left then
        text = text .. "  time left " .. minutes(left)
    end
    return text
end

-- done: how much of the total is behind us; note: a few words to show with it.
function progress:update(done, note)
    local notches = self.terminal and 100 or 10
    local notch = math.floor(done / self.total * notches)
    if notch == self.shown then
        return
    end
    self.shown = notch
    local line = self:line(done, note)
    self.stream:write(self.terminal and REDRAW:format(line) or line .. "\n")
    self.stream:flush()
end

-- Leaves the terminal's cursor on a fresh line.
function progress:finish()
    if self.terminal then
        self.stream:write(REDRAW:format(""))
        self.stream:flush()
    end
end

return progress
