-- a:lstsq also returns a report, whose numbers are read from the device on first access: the call itself does not wait.

local core = require "lunarray.core"
core._own()

local class = { __name = "lunarray.report", __kind = "a report" }
local arrays = setmetatable({}, { __mode = "k" })

-- An array of one number is returned as a number.
function class.__index(report, key)
    local array = arrays[report][key]
    local value = array and array:ndim() == 0 and array:get() or array
    rawset(report, key, value)
    return value
end

function class.__tostring(report)
    return ("report of lstsq: rank %s, residuals %s, rcond %g"):format(report.rank, report.residuals, report.rcond)
end

-- Columns of R count if they exceed this fraction of the largest: smaller ones are caused by rounding.
local function usual_rcond(a, x)
    local axes, dtype = a:ndim(), x:dtype()
    return ((dtype == "f64" or dtype == "c128") and 2.0 ^ -52 or 2.0 ^ -23) * math.max(select(axes - 1, a:shape()))
end

-- lstsq as a method, or as a function, which counts its arguments differently.
local function reporting(lstsq)
    return function(a, b, options, ...)
        local x, residuals, rank, info = lstsq(a, b, options, ...)
        if core.type(x) ~= "array" then -- an event
            return x
        end
        local report = { rcond = type(options) == "table" and options.rcond or usual_rcond(a, x) }
        arrays[report] = { residuals = residuals, rank = rank, info = info }
        return x, setmetatable(report, class)
    end
end

local as_function, method = core.lstsq, nil
method = core._method("lstsq", reporting(function(...) return method(...) end))
core.lstsq = reporting(as_function)
