-- lun.fuse: calls a Lua function once with traced arrays in place of its arguments; core records the computation, and
-- repeats it for these and other arguments, in as few kernels as possible.

local core = require "lunarray.core"
core._own()
core._own "=lunarray.fused"
local misuse = require "lunarray.misuse"
local numbers = require "lunarray.fuse_numbers"

local compute = core._fused.call -- what computes a trace
local kinds_of, layouts_of = core._kinds, core._layouts

local function raise(message, ...)
    misuse.raise("fuse", message, ...)
end

-- ---- tracing ------------------------------------------------------------------------------------------------

-- Raises an error about the whole function at its first line.
local function raise_of(f, message, ...)
    local info = debug.getinfo(f, "S")
    if info.linedefined <= 0 then
        raise(message, ...)
    end
    error(("%s:%d: lunarray: fuse: %s"):format(info.short_src, info.linedefined, misuse.text(message, ...)), 0)
end

-- The error that a function raised. If it used nil, and has parameters without arguments, the message says so.
local function explained(f, count, problem)
    local info = debug.getinfo(f, "u")
    if type(problem) ~= "string" or not problem:find "%f[%a]nil%f[%A]" or info.isvararg or count >= info.nparams then
        return problem
    end
    return ("%s; the fused function has %d parameters, but was called with %d argument%s"):format(problem,
        info.nparams, count, count == 1 and "" or "s")
end

-- Raises for a method that makes an array, or draws, while a function is traced.
local function refuse_made(name)
    raise("%sa fused function runs once, so anything made in it would be the same at every call; make it "
        .. "outside, and pass it as an argument", name == "fuse" and "" or name .. ": ")
end

-- The function as it is called while it is traced: never recursively. `graph`: core's trace; nil: that of the calling
-- function.
local function guarded(f)
    local running = false
    local function ended(count, ok, ...)
        if not ok then
            error(explained(f, count, (...)), 0)
        end
        return ...
    end
    return function(graph, ...)
        if running then
            raise "the fused function calls itself"
        end
        running = true
        local before = graph and table.pack(core._traced(graph, refuse_made))
        local _ <close> = setmetatable({}, { __close = function() -- also reached when a coroutine is closed
            running = false
            if before then
                core._traced(table.unpack(before, 1, 3))
            end
        end })
        return ended(select("#", ...), pcall(f, ...))
    end
end

-- Raises an error unless the function has returned its results.
local function check_results(f, graph, ...)
    local count = select("#", ...)
    if count == 0 then
        raise_of(f, "the fused function returned nothing; it must return its results")
    end
    for i = 1, count do
        local given = select(i, ...)
        if numbers.is_traced(given) then
            raise_of(f, "result %d is computed from numbers alone; it must be an array, or a reduction of one", i)
        elseif core.type(given) == "array" and not core._is_live(given) then
            raise_of(f, "result %d of the fused function was released", i)
        elseif core._is_traced(given) and not core._is_traced(given, graph) then
            raise_of(f, "result %d of the fused function was computed in another call", i)
        elseif not core._is_traced(given) then
            raise_of(f, "result %d of the fused function is %s; results must be computed from its arguments", i,
                misuse.kind_of(given))
        end
    end
end

-- Calls the function with arrays and numbers that stand for the arguments. Gives { graph = core's trace, numbers =,
-- arrays =, passed = which arguments and numbers the graph takes, result_count =, shaped = does it hold for these
-- shapes alone? }.
local function trace_function(f, call, arguments)
    local trace, stand_for = { graph = core._trace(), numbers = {} }, {}
    local of_arrays = {} -- which argument each of the trace's arrays is
    for i = 1, arguments.n do
        if core.type(arguments[i]) == "array" then
            table.insert(of_arrays, i)
            stand_for[i] = core._stand_for(trace.graph, arguments[i])
        else
            stand_for[i] = numbers.add(trace, arguments[i], { argument = i })
        end
    end
    local given = table.pack(pcall(call, trace.graph, table.unpack(stand_for, 1, arguments.n)))
    trace.closed = true
    local ok, problem = given[1], given[2]
    if ok then
        ok, problem = pcall(check_results, f, trace.graph, table.unpack(given, 2, given.n))
    end
    if not ok then
        core._end(trace.graph)
        error(problem, 0) -- it has its position
    end
    local arrays
    arrays, trace.passed, trace.shaped = core._end(trace.graph, table.unpack(given, 2, given.n))
    trace.arrays, trace.result_count = {}, given.n - 1
    for i, at in ipairs(arrays) do
        trace.arrays[i] = of_arrays[at]
    end
    return trace
end

-- ---- calling ------------------------------------------------------------------------------------------------

local CALLED = { out = true, variant = true, async = true, queue = true }

-- Raises for an option that calls of fused functions do not take.
local function check_called(options)
    for name in pairs(options or {}) do
        if not CALLED[name] then
            raise("unknown option '%s'; known are out, variant, async, queue", tostring(name))
        end
    end
end

local function run(trace, arguments, options)
    local given = numbers.values(trace, trace.passed, arguments)
    local count = #trace.passed + #trace.arrays
    for i, at in ipairs(trace.arrays) do
        given[#trace.passed + i] = arguments[at]
    end
    given[count + 1] = options
    return compute(trace.graph, table.unpack(given, 1, count + (options and 1 or 0)))
end

local function name_each(letter, count)
    local names = {}
    for i = 1, count do
        names[i] = letter .. i
    end
    return names
end

local DIRECT = [[
local compute, graph, retry = ...
local function given(NAMES, options, ok, ...)
    if ok then return ... end
    return retry((...), options, NAMES)
end
return function(NAMES) CALL end, function(NAMES, options) return CALL_WITH end]]

-- Functions that call the kernels with the arguments directly, without and with options, for traces that take only
-- arguments. They are written as text, because the graph has its own order of arguments. `retry` is called if a trace
-- for all shapes fails. nil: the trace takes other values too.
local function direct_calls(trace, count, retry)
    local names, order = name_each("a", count), {}
    for _, at in ipairs(trace.passed) do
        local argument = trace.numbers[at].argument
        if not argument then
            return nil
        end
        table.insert(order, names[argument])
    end
    for _, at in ipairs(trace.arrays) do
        table.insert(order, names[at])
    end
    local taken, all = table.concat(order, ", "), table.concat(names, ", ")
    local behind = taken == "" and "" or ", " .. taken
    local words = { NAMES = all }
    if trace.shaped then
        words.CALL = ("return compute(graph%s)"):format(behind)
        words.CALL_WITH = ("compute(graph%s, options)"):format(behind)
    else
        local results = table.concat(name_each("r", trace.result_count), ", ")
        words.CALL = ("local ok, %s = pcall(compute, graph%s) "):format(results, behind)
            .. ("if ok then return %s end return retry(r1, nil, %s)"):format(results, all)
        words.CALL_WITH = ("given(%s, options, pcall(compute, graph%s, options))"):format(all, behind)
    end
    return load(DIRECT:gsub("%u[%u_]+", words), "=lunarray.fused")(compute, trace.graph, retry)
end

-- The arguments, and the options after them.
local function split(...)
    local arguments = table.pack(...)
    local last = arguments[arguments.n]
    local is_options = arguments.n > 1 and type(last) == "table" and not numbers.is_traced(last) and last[1] == nil
    if is_options then
        arguments[arguments.n], arguments.n = nil, arguments.n - 1
    end
    return arguments, is_options and last or nil
end

local function check_function(f, ...)
    misuse.check_dot("fuse", f)
    if type(f) ~= "function" then
        raise("argument 1: a function is needed, got %s", misuse.kind_of(f))
    end
    misuse.check_end("fuse", 1, ...)
end

local MOST = 64 -- traces of one function that are each valid for one list of shapes

-- A fused function: { f =, call = f as it is traced, known = what was traced for each kind of arguments, shaped = and
-- for each list of shapes, where it depends on them, count = how many of these there are }.
local fused = {}
fused.__index = fused

function fused:trace(arguments)
    local trace = trace_function(self.f, self.call, arguments)
    local function retry(...) return self:retry_by_shapes(...) end
    trace.direct, trace.with_options = direct_calls(trace, arguments.n, retry)
    return trace
end

-- The trace for these arguments that is valid only for their shapes; `made`: a new one.
function fused:trace_of_shapes(arguments, made)
    local kinds = layouts_of(arguments.n, table.unpack(arguments, 1, arguments.n))
    local trace = self.shaped[kinds] or made or self:trace(arguments)
    if not self.shaped[kinds] then
        if self.count == MOST then
            self.shaped, self.count = {}, 0
        end
        self.shaped[kinds], self.count = trace, self.count + 1
    end
    return trace
end

-- A trace for all shapes may turn out not to be valid: the shapes of two results of one kernel now differ. The function
-- is then traced again, which raises errors about these arguments at its own line.
function fused:retry_by_shapes(problem, options, ...)
    if type(problem) ~= "string" then
        error(problem, 0)
    end
    local arguments = table.pack(...)
    return run(self:trace_of_shapes(arguments), arguments, options)
end

-- The trace for these arguments, of which the first `number` are checked; nil: none yet.
function fused:lookup(number, ...)
    local trace = self.known[kinds_of(number, ...)]
    if trace and trace.shaped then
        return self.shaped[layouts_of(number, ...)]
    end
    return trace
end

function fused:run(options, arguments)
    local kinds = kinds_of(arguments.n, table.unpack(arguments, 1, arguments.n))
    if not kinds and options then
        raise "options have no meaning within a fused function"
    elseif not kinds then -- its steps become steps of the function that it is called in
        return self.call(nil, table.unpack(arguments, 1, arguments.n))
    end
    check_called(options)
    local fresh = not self.known[kinds] and self:trace(arguments) or nil
    self.known[kinds] = self.known[kinds] or fresh
    local trace = self.known[kinds]
    if trace.shaped then
        return run(self:trace_of_shapes(arguments, fresh), arguments, options)
    end
    local given = table.pack(pcall(run, trace, arguments, options))
    if given[1] then
        return table.unpack(given, 2, given.n)
    end
    return self:retry_by_shapes(given[2], options, table.unpack(arguments, 1, arguments.n))
end

-- lun.fuse(f)
return function(f, ...)
    check_function(f, ...)
    local known = {}
    local self = setmetatable({ f = f, call = guarded(f), known = known, shaped = {}, count = 0 }, fused)
    return function(...)
        local number = select("#", ...)
        local last = number > 0 and select(number, ...)
        if number > 0 and type(last) ~= "table" then -- neither options nor a number of a traced function
            local trace = known[kinds_of(number, ...)] -- as self:lookup does, but quickly
            if trace and trace.shaped then
                trace = self.shaped[layouts_of(number, ...)]
            end
            if trace and trace.direct then
                return trace.direct(...)
            end
        elseif number > 1 and not getmetatable(last) and last[1] == nil then -- options
            local trace = self:lookup(number - 1, ...)
            if trace and trace.direct then
                check_called(last)
                return trace.with_options(...)
            end
        end
        local arguments, options = split(...)
        if arguments.n == 0 then
            raise "argument 1: an array or a number is needed, got nothing"
        end
        return self:run(options, arguments)
    end
end
