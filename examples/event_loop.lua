-- Work on the device while an event loop serves others: `lua5.4 examples/event_loop.lua [cqueues|luv]`.
--
-- Three matrices are multiplied one after another; meanwhile another task (a coroutine or a timer) gets its turns.
-- Neither waits for the other: an event is polled like a socket.

local lun = require "lunarray"

local USAGE = "usage: lua5.4 event_loop.lua [cqueues|luv]\n"
local name = arg[1] or "cqueues"
if name == "--help" or name == "-h" then
    io.write(USAGE)
    os.exit(0, true)
end

local SIZE = 512
local dev = lun.device()
local a = dev:random({ SIZE, SIZE }, { seed = 1 })

local function report(i, event, turns)
    print(("product %d: %s, mean %.3f, after %s"):format(i, event:status(), event:get():sum() / SIZE ^ 2,
        turns > 0 and "turns of another" or "no turn"))
end

local loops = {}

function loops.cqueues()
    local cqueues = require "cqueues"
    local loop, turns, working = cqueues.new(), 0, true
    loop:wrap(function()
        for i = 1, 3 do
            local event <close> = a:matmul(a, { async = true })
            cqueues.poll(event) -- this coroutine sleeps, the other coroutine runs
            report(i, event, turns)
        end
        working = false
    end)
    loop:wrap(function()
        while working do
            turns = turns + 1
            cqueues.sleep(0.001)
        end
    end)
    assert(loop:loop())
end

function loops.luv()
    local uv = require "luv"
    local turns, timer = 0, uv.new_timer()
    timer:start(0, 1, function() turns = turns + 1 end)
    local function multiply(i)
        local event = a:matmul(a, { async = true })
        local poll = uv.new_poll(event:pollfd())
        poll:start("r", function()
            poll:close() -- before the event is released: another event then gets its descriptor
            report(i, event, turns)
            event:release()
            if i < 3 then
                multiply(i + 1)
            else
                timer:close()
            end
        end)
    end
    multiply(1)
    uv.run()
end

local run = loops[name]
if not run then
    io.stderr:write(USAGE)
    os.exit(2)
end
local found, problem = pcall(require, name)
if not found then
    io.stderr:write(("%s is missing (Debian: apt install lua-%s):\n%s\n"):format(name, name, problem))
    os.exit(1)
end
run()
