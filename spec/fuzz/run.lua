-- Runs random programs over the whole of lunarray against plain Lua.
--
--   lua5.4 spec/fuzz/run.lua [calls [seed]]      `make fuzz CALLS=1000000 SEED=1`
--
-- Each step calls a method with right arguments, and one time in three with spoiled ones before it. A right call must
-- give what plain Lua gives; a spoiled one an error of lunarray's, at the caller's own line, that leaves everything as
-- it was, or else what a right call gives. Worlds are small and short, and at the end of each all that it made is gone
-- from the device.

local lun = require "lunarray"
local world = require "spec.fuzz.world"

local steps, names = {}, {}
require "spec.fuzz.moving"(steps)
require "spec.fuzz.computing"(steps)
require "spec.fuzz.choosing"(steps)
require "spec.fuzz.further"(steps)
for name in pairs(steps) do
    names[#names + 1] = name
end
table.sort(names)

local LENGTH = 300 -- calls in a world

local function trace(problem)
    return problem == world.AGAIN and problem or debug.traceback(tostring(problem))
end

local fuzz = {}

-- Runs worlds until there were `calls` calls. Gives how many there were, how many spoiled ones were refused and taken.
-- Raises with the last calls of the world that went wrong. options: `only`, a name of steps; `told(calls)`, called
-- between worlds.
function fuzz.run(dev, calls, seed, options)
    options = options or {}
    local done, refused, taken = 0, 0, 0
    dev:finish()
    collectgarbage()
    local live = dev:memory().live
    while done < calls do
        local w = world.new(dev, seed)
        local ok, problem = xpcall(function()
            while w.calls < LENGTH do
                local name = options.only or names[w.random(1, #names)]
                w.step = name
                local ok, problem = xpcall(steps[name], trace, w)
                if not ok and problem ~= world.AGAIN then
                    error(problem, 0)
                end
                w:thin()
            end
            w:close()
        end, trace)
        if not ok then
            error(("seed %d, %s: %s\nThe last calls:\n%s"):format(seed, w.step, problem, w:last()), 0)
        end
        done, refused, taken, seed = done + w.calls, refused + w.refused, taken + w.taken, seed + 1
        w = nil -- luacheck: ignore
        collectgarbage()
        if dev:memory().live ~= live then
            error(("seed %d: %d bytes of device memory stay"):format(seed - 1, dev:memory().live - live), 0)
        end
        if options.told then
            options.told(done)
        end
    end
    return done, refused, taken
end

if arg and arg[0] and arg[0]:find "fuzz/run%.lua$" then
    local calls, seed = tonumber(arg[1] or 100000), tonumber(arg[2] or 1)
    local step = 0
    local done, refused, taken = fuzz.run(lun.device(), calls, seed, {
        only = arg[3],
        told = function(count)
            if count >= step then
                io.stderr:write(("%d calls\n"):format(count))
                step = step + calls // 10
            end
        end,
    })
    print(("from seed %d: %d spoiled calls were right after all"):format(seed, taken))
    print(("tried %d calls, %d refused"):format(done, refused))
end

return fuzz
