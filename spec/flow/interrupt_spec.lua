-- Ctrl-C in a script: long work stops, and a script that still has to wait for the device says so.

local helper = require "spec.helper"

-- interrupt(f) sends SIGINT to this process while f runs; `busy()` enqueues work of a second or more.
local HEADER = [[
    local lun = require "lunarray"
    local dev = lun.device()
    local info = dev:info()
    local n = math.floor(math.sqrt((info.type == "cpu" and 64e6 or 1600e6) * info.units))
    local pos, vel, out = dev:random({ n, 4 }, { seed = 1 }), dev:zeros { n, 4 }, dev:zeros { n, 4 }
    pos:gravity { softening = 0.1, out = out }
    dev:finish()
    local function busy()
        for _ = 1, 40 do
            pos:gravity { softening = 0.1, out = out }
        end
    end
    local function interrupt(f)
        local killer <close> = io.popen("read go; kill -INT $PPID", "w")
        killer:write("go\n")
        killer:flush()
        f()
    end
]]

local WAITING = "lunarray: waiting for the device; Ctrl-C again leaves at once\n"

local function run(source)
    return helper.run(HEADER .. source, { before = "timeout 500" })
end

describe("Ctrl-C in a script", function()
    it("ends its wait, and is told of the work that the device still has", function()
        local output, status = run [[
            busy()
            interrupt(function() dev:finish() end)
        ]]
        assert.equal(1, status)
        assert.matches("interrupted!\nstack traceback:", output, 1, true)
        assert.matches(WAITING, output, 1, true)
    end)

    it("leaves the rest of a long operation undone", function()
        local output, status = run [[
            interrupt(function() pos:nbody(vel, { dt = 1e-9, steps = 1e9 // 1 | 0, softening = 0.1 }) end)
        ]]
        assert.equal(1, status)
        assert.matches("interrupted!\nstack traceback:", output, 1, true)
    end)

    it("leaves the rest undone of long operations of few bodies, and ends loops of small calls", function()
        local small = "local few = pos:slice { 1, 50 }:copy() local still = dev:zeros { 50, 4 }\n"
        for _, endless in ipairs {
            "few:nbody(still, { dt = 1e-9, steps = 1e9 // 1 | 0, softening = 0.1 })",
            "local sum while true do sum = few + still end",
            "while true do few:add(1, { out = few }) few:get(1, 1) end",
            "local m = dev:eye(200) while true do m:eigh() end",
            "lun.gmres(function(p) return p:roll(1, 1) end, dev:eye(50):row(1), { restart = 1, steps = 1e9 })",
        } do
            local output, status = run(small .. "interrupt(function() " .. endless .. " end)")
            assert.equal(1, status)
            assert.matches("interrupted!\nstack traceback:", output, 1, true)
        end
    end)

    it("says nothing where the script has waited itself, or none ended a wait", function()
        assert.equal("false\n", helper.child(HEADER .. [[
            busy()
            print((pcall(interrupt, function() dev:finish() end)))
            dev:finish()
        ]]))
        assert.equal("", helper.child(HEADER .. "busy()"))
    end)
end)
