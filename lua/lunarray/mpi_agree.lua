-- Agreements: a call of all ranks begins with a few bytes by which they know whether all call the same, with arrays of
-- the same shape and dtype. Where they differ, or where the arguments of one are wrong, all raise, and none waits.

local core = require "lunarray.core"
core._own()
local calls = require "lunarray.mpi_core"
local later = require "lunarray.mpi_later"
local message = require "lunarray.mpi_message"
local misuse = require "lunarray.misuse"

local raise = misuse.raise

local agree = {}

-- What comes of an array, "2x3 f32", where the sizes along `axis`, if it is given, may differ; nil of nothing.
function agree.described(x, axis)
    if core.type(x) ~= "array" then
        return x ~= nil and "values" or nil
    end
    local shape = { x:shape() }
    if axis then
        shape[axis] = "*"
    end
    return (#shape == 0 and "()" or table.concat(shape, "x")) .. " " .. x:dtype()
end

-- What all ranks say: raises for those two that differ. A rank whose own arguments are wrong comes back.
local function raise_different(inner, what)
    local mine = string.pack("<s4s4s4", what.problem or "", what.call or "", what.of or "")
    local all = message.gather_texts(inner, what.name, mine, what.options)
    if what.problem then
        return
    end
    for rank, text in ipairs(all) do
        local problem, call, of = string.unpack("<s4s4s4", text)
        all[rank] = { call = call, of = of ~= "" and of or nil }
        if problem ~= "" then
            raise(what.name, "rank %d raises: %s", rank, problem)
        end
    end
    for _, part in ipairs { "call", "of" } do
        local first
        for rank, one in ipairs(all) do
            first = first or one[part] and rank
            if one[part] and one[part] ~= all[first][part] then
                raise(what.name, "the ranks' calls differ: rank %d %s, rank %d %s", first,
                    later.text_of(all[first]), rank, later.text_of(one))
            end
        end
    end
end

-- Raises unless `what.call` is the same on all ranks, and `what.of` on all that say it.
function agree.settle(inner, what)
    local request = message.run(inner, what.name, what.options, "agree",
        what.problem and "\0" .. what.problem or what.call, what.of)
    if not calls.agreed(request) then
        raise_different(inner, what)
    end
end

-- Reports to the other ranks that this one's part has failed, and raises what it raised.
function agree.fail(inner, name, problem, options)
    local text = tostring(problem)
    text = (text:match "lunarray: (.*)" or text):gsub("^" .. name .. ": ", "")
    local what = { name = name, problem = text, call = "raises: " .. text, options = options }
    if not options.async then
        agree.settle(inner, what)
    elseif inner.threads then
        later.run(inner, what, message.device_of(inner), {}, {}, nil, function() return {} end)
    end
    error(problem, 0)
end

-- Calls f and waits for all ranks: where it has failed on one, all raise.
function agree.after(inner, name, options, f, ...)
    local ok, result = pcall(f, ...)
    if not ok then
        agree.fail(inner, name, result, options)
    end
    agree.settle(inner, { name = name, call = name, options = options })
    return result
end

-- A method of all ranks. `prepare` checks the arguments, and gives a table (call, of, options) and the function that
-- makes the call once all agree; with async the thread that makes it sees to that.
function agree.together(name, prepare)
    return function(comm, inner, ...)
        local ok, what, go = pcall(prepare, inner, ...)
        if not ok then
            local last = select("#", ...) > 0 and select(-1, ...)
            last = type(last) == "table" and last or {}
            agree.fail(inner, name, what, {
                async = last.async, timeout = math.type(last.timeout) and last.timeout > 0 and last.timeout or nil,
            })
        end
        what.name = name
        if not what.options.async then
            agree.settle(inner, what)
        end
        return go(what, comm)
    end
end

return agree
