-- require "lunarray": the C module as it is; its own errors are raised at the files that call it.
local core = require "lunarray.core"
core._own()
-- package.loaded may have forgotten the module: the classes of this state have all that is added below.
if rawget(core, "fuse") then
    return core
end
require "lunarray.unknown"
core.fuse = require "lunarray.fuse"
local profile = require "lunarray.profile"
local trace_of_array = core.trace
core.profile = profile.profile
function core.trace(first, ...) -- of an array, or of a program
    return (core.type(first) == "array" and trace_of_array or profile.trace)(first, ...)
end
core.simulation = require "lunarray.simulation"
core.prepare = function(...)
    return require("lunarray.prepare").prepare(...)
end
function core.minimize(...)
    return require "lunarray.minimize"(...)
end
function core.odeint(...)
    return require "lunarray.ode"(...)
end
function core.debug(...)
    return require "lunarray.debug"(...)
end
require "lunarray.linalg"
require "lunarray.sparse"
require "lunarray.least_squares"
require "lunarray.along"
require "lunarray.filters"
require "lunarray.incomplete"
require "lunarray.matrix_market"
require "lunarray.renamed" {} -- no name has gone yet
local wish = os.getenv "LUNARRAY_DEBUG" or ""
if wish == "nan" then
    core.debug { nan = true }
elseif wish ~= "" then
    require("lunarray.misuse").raise("debug", "LUNARRAY_DEBUG is %q; known is nan", wish)
end
return core
