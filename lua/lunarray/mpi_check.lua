-- What calls of lunarray.mpi check before anything is sent.

local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"

local raise, kind_of = misuse.raise, misuse.kind_of

local check = {}

-- A rank as users count, 1 .. size, as MPI counts.
function check.rank(inner, name, what, rank, usual)
    if rank == nil and usual then
        rank = usual
    end
    local whole = misuse.whole(rank)
    if not whole or whole < 1 or whole > inner.size then
        raise(name, "%s: a rank from 1 to %d is needed, got %s", what, inner.size, kind_of(rank))
    end
    return whole - 1
end

function check.options(name, position, options, known)
    options = misuse.check_options(name, position, options, known)
    local timeout = options.timeout
    if timeout ~= nil and not (math.type(timeout) and timeout > 0) then
        raise(name, "option 'timeout': seconds above 0 are needed, got %s", kind_of(timeout))
    end
    return options
end

-- Is it an array? One that was released raises.
function check.is_array(name, what, x)
    return core.type(x) == "array" and misuse.check_array(name, what, x) ~= nil
end

function check.out(name, out, shape, dtype, device)
    misuse.check_array(name, "option 'out'", out)
    if out:dtype() ~= dtype or misuse.shape_of(out) ~= shape then
        raise(name, "option 'out': an array of %s %s is needed, got %s %s", shape, dtype, misuse.shape_of(out),
            out:dtype())
    elseif device and out:device() ~= device then
        raise(name, "option 'out': it is on another device; copy it with :to(device)")
    end
    return out
end

-- The array for what comes, and the error that is raised once it has come: where it does not fit, a new one takes its
-- place, so that other ranks do not wait for this one.
function check.place_for(name, given, shape, dtype, device)
    if given == nil then
        return device:empty(shape, dtype)
    end
    local text = #shape == 0 and "()" or table.concat(shape, "x")
    local fits, problem = pcall(check.out, name, given, text, dtype)
    return fits and given or device:empty(shape, dtype), not fits and problem or nil
end

-- Is it an array, which has rows?
function check.has_rows(name, x)
    local is_array = check.is_array(name, "argument 1", x)
    if is_array and x:ndim() == 0 then
        raise(name, "argument 1: an array with at least one axis is needed, got one without axes")
    end
    return is_array
end

function check.axis(name, axis, ndim)
    local whole = axis == nil and 1 or misuse.whole(axis)
    if not whole or whole == 0 or math.abs(whole) > ndim then
        raise(name, "option 'axis': an axis from 1 to %d is needed, got %s", ndim, kind_of(axis))
    end
    return whole < 0 and ndim + 1 + whole or whole
end

return check
