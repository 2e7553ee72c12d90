-- What calls of lunarray.mpi check before anything is sent.

local core = require "lunarray.core"
core._own()
local message = require "lunarray.mpi_message"
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
        raise(name, "%s: a rank from 1 to %d is wanted, got %s", what, inner.size, kind_of(rank))
    end
    return whole - 1
end

function check.options(name, position, options, known)
    misuse.check_options(name, position, options, known)
    local timeout = options and options.timeout
    if timeout ~= nil and not (math.type(timeout) and timeout > 0) then
        raise(name, "option 'timeout': seconds above 0 are wanted, got %s", kind_of(timeout))
    end
    return options or {}
end

function check.is_array(x)
    return core.type(x) == "array"
end

function check.out(name, out, shape, dtype, device)
    if not check.is_array(out) then
        raise(name, "option 'out': an array is wanted, got %s", kind_of(out))
    elseif out:dtype() ~= dtype or misuse.shape_of(out) ~= shape then
        raise(name, "option 'out': an array of %s %s is wanted, got %s %s", shape, dtype, misuse.shape_of(out),
            out:dtype())
    elseif device and out:device() ~= device then
        raise(name, "option 'out': it is on another device; bring it over with :to(device)")
    end
    return out
end

-- Under `check` all ranks tell what they call with what, and each raises where these differ.
function check.agree(inner, name, x, more)
    if not inner.check then
        return
    end
    local mine = name .. (more and " " .. more or "") .. " of "
        .. (check.is_array(x) and misuse.shape_of(x) .. " " .. x:dtype() or math.type(x) and "a number" or kind_of(x))
    local all = message.gather_texts(inner, name, mine)
    for rank = 2, inner.size do
        if all[rank] ~= all[1] then
            raise(name, "the ranks' calls differ: rank 1 %s, rank %d %s", all[1], rank, all[rank])
        end
    end
end

return check
