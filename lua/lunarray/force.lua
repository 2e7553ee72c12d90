-- Users' forces in a simulation: kernels, and functions that return accelerations.

local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"

local raise, kind_of = misuse.raise, misuse.kind_of

-- The result of a function must be the accelerations of all bodies.
local function add_given(more, given, pos, vel)
    misuse.check_given("force", "the function", given, "an array of accelerations, n x 3 or n x 4,", pos, vel)
    local rows, columns, third = given:shape()
    if rows ~= #more or third or columns ~= 3 and columns ~= 4 then
        raise("force", "the function returned an array of %s; accelerations must be %d x 3 or %d x 4",
            misuse.shape_of(given), #more, #more)
    end
    local to <close> = more:slice({}, { 1, columns })
    to:add_(given)
end

-- force as core._steps calls it. A kernel takes positions, velocities, accelerations and, if it needs it, the time.
return function(force, name)
    if force == nil then
        return nil
    elseif type(force) == "function" then
        return function(pos, vel, more, time)
            add_given(more, force(pos, vel, time), pos, vel)
        end
    elseif core.type(force) ~= "kernel" then
        raise(name, "option 'force': a kernel or a function is needed, got %s", kind_of(force))
    end
    local count = #force:info().arguments
    if count ~= 3 and count ~= 4 then
        raise(name, "option 'force': the kernel has %d parameters; positions, velocities, accelerations and, "
            .. "optionally, the time are passed", count)
    end
    return function(pos, vel, more, time)
        if count == 4 then
            force:run({ global = #pos }, pos, vel, more, time)
        else
            force:run({ global = #pos }, pos, vel, more)
        end
    end
end
