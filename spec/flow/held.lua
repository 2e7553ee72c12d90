-- Operations that are held back on the device, so that a spec sees which others wait for them, and which do not.

local helper = require "spec.helper"

local held = {}

-- In a process of its own, with the module that `make faults` builds: core.fault_close(n) holds the next n operations
-- back on the device until core.fault_open(0).
local HEADER = [[
    local core = require "lunarray.core"
    local lun = require "lunarray"
    local dev = lun.device()
    local q1, q2, q3 = dev:queue(), dev:queue(), dev:queue()
    local other = dev:zeros { 4 }

    -- What is held back would keep the process from its end.
    local function must(ok, what)
        if not ok then
            core.fault_open(0)
        end
        return assert(ok, what)
    end

    -- An operation on another queue, done from first to last.
    local function pass()
        must(other:fill(1, { queue = q3, async = true }):wait(60), "nothing moves")
    end

    -- Runs f1(options) on queue a, held back, then f2(options) on queue b, which waits for it or does not. Untimed: the
    -- times of the two events do not tell so, as these are of several operations.
    local function pair(what, waits, f1, f2, a, b, untimed)
        dev:finish()
        core.fault_close(1)
        local first = f1 { queue = a, async = true }
        local second = f2 { queue = b, async = true }
        if waits then
            pass()
            pass()
            must(not second:done(), what .. " does not wait")
        else
            must(second:wait(60), what .. " waits for nothing")
        end
        must(not first:done(), "nothing was held back")
        core.fault_open(0)
        first:wait()
        second:wait()
        must(untimed or waits == (second:profile().started >= first:profile().ended),
            what .. ": the times say something else")
    end

    -- The same both ways, and with the default queue as either.
    local function check(what, waits, f1, f2)
        pair(what, waits, f1, f2, q1, q2)
        pair(what, waits, f1, f2, q2, q1)
        pair(what, waits, f1, f2, nil, q1)
        pair(what, waits, f1, f2, q1, nil)
    end
]]

-- Runs a script behind this header.
function held.run(source, env)
    return helper.child(HEADER .. source, { cpath = "build/faults/?.so", env = env })
end

return held
