-- What random programs run in: arrays and views on a device, each with what it must hold, as plain Lua has it; and the
-- one way by which all of lunarray is called, right and now and then wrong.

local lun = require "lunarray"
local arranging = require "spec.arranging"
local junk = require "spec.fuzz.junk"
local numbers = require "spec.numbers"
local reference = require "spec.reference"
local show = require "spec.fuzz.show"

local world = {}
world.__index = world
world.AGAIN = {} -- what ends a step whose arrays may be others now, or that finds none

local MOST = 14 -- arrays at a time
local LIMIT = 16 << 20 -- bytes of device memory: what a wrong size asks for is refused, and not filled
local QUEUES = 2
local REMEMBERED = 40 -- calls in a report

-- ---- models -------------------------------------------------------------------------------------------------------

-- { array, dtype, shape, cells, places }: its elements are the cells at these places, row-major. Views share cells.

function world.values(m)
    local list = {}
    for i, place in ipairs(m.places) do
        list[i] = m.cells[place]
    end
    return list
end

function world.assign(m, list)
    for i, place in ipairs(m.places) do
        m.cells[place] = list[i]
    end
end

function world.repeated(x, count)
    local list = {}
    for i = 1, count do
        list[i] = x
    end
    return list
end

-- As the functions of spec/arranging.lua take it.
function world.plain(m)
    return { flat = world.values(m), shape = m.shape }
end

function world.is_float(m) return numbers.is_float(m.dtype) end

-- Are all its numbers from -most to most?
function world.is_within(m, most)
    for _, place in ipairs(m.places) do
        local x = m.cells[place]
        if x ~= x or math.abs(x) > most then
            return false
        end
    end
    return true
end

-- What spec/arranging.lua gives has integers for zeros: those become the dtype's.
function world.with_zeros(m, x)
    local zero = numbers.cast(0, "i64", m.dtype)
    for i, each in ipairs(x.flat) do
        x.flat[i] = each == 0 and zero or each
    end
    return x
end

-- A model for a new array; `list` becomes its own.
function world:keep(array, dtype, shape, list)
    local m = { array = array, dtype = dtype, shape = table.move(shape, 1, #shape, 1, {}), cells = list, places = {} }
    for i = 1, #list do
        m.places[i] = i
    end
    return self:add(m)
end

function world:add(m)
    self.check_shape(m)
    table.insert(self.pool, m)
    return m
end

-- Between steps, which hold arrays of the pool: those that are too many go.
function world:thin()
    while #self.pool > MOST do
        local old = table.remove(self.pool, self.random(1, #self.pool))
        if self.random(1, 2) == 1 then
            self:verify(old)
            old.array:release() -- else the collector finds it
        end
    end
end

-- A view: f makes of { flat =, shape = } another such.
function world:view(m, array, f)
    local view = f { flat = m.places, shape = m.shape }
    return self:add { array = array, dtype = m.dtype, shape = view.shape, cells = m.cells, places = view.flat }
end

function world.check_shape(m)
    local got = table.concat({ m.array:shape() }, "x")
    if got ~= table.concat(m.shape, "x") or m.array:dtype() ~= m.dtype then
        error(("an array is %s %s, not %s %s"):format(m.array:dtype(), got, m.dtype, table.concat(m.shape, "x")), 0)
    end
end

local function is_like(x, y, tolerance)
    return x == y or x ~= x and y ~= y or math.abs(x - y) <= tolerance
end

function world.same(expected, got, what, tolerances)
    if #expected ~= #got then
        error(("%s: %d elements, not %d"):format(what, #got, #expected), 0)
    end
    for i = 1, #expected do
        local x, y = expected[i], got[i]
        if math.type(x) ~= math.type(y) or not is_like(x, y, tolerances and tolerances[i] or 0) then
            error(("%s: element %d is %s, not %s"):format(what, i, y, x), 0)
        end
    end
end

function world:verify(m)
    local list = reference.flatten(m.array:totable { queue = self:some_queue() })
    self.same(self.values(m), list, ("%s %s"):format(m.dtype, table.concat(m.shape, "x")))
end

-- What is only near to what it should be becomes what it is.
function world:adopt(m, tolerances)
    local list = reference.flatten(m.array:totable())
    self.same(self.values(m), list, "near", tolerances)
    self.assign(m, list)
end

-- ---- choosing -----------------------------------------------------------------------------------------------------

local SHAPES = { { 6 }, { 1 }, { 5 }, { 2, 3 }, { 3, 2 }, { 3, 3 }, { 4, 5 }, { 2, 3, 4 }, { 1, 3 }, { 3, 1 }, { 17 },
    { 0 }, { 2, 0 }, {}, { 2, 1, 2, 3 }, { 70 }, { 33, 9 } }

function world:some_shape()
    if self.random(1, 3) == 1 then
        return arranging.some_shape(self.random, self.random(0, 4), 5)
    end
    local shape = SHAPES[self.random(1, #SHAPES)]
    return table.move(shape, 1, #shape, 1, {})
end

function world:some_dtype()
    return self.dtypes[self.random(1, #self.dtypes)]
end

local function find(self, fits)
    local first = self.random(1, #self.pool)
    for i = 0, #self.pool - 1 do
        local m = self.pool[(first + i - 1) % #self.pool + 1]
        if not fits or fits(m) then
            return m
        end
    end
end

-- An array of the pool for which fits(m) holds; without it, any. Where there is none, the step ends.
function world:some(fits)
    return find(self, fits) or error(world.AGAIN, 0)
end

-- Has each element a place of its own?
local function is_apart(m)
    local seen = {}
    for _, place in ipairs(m.places) do
        if seen[place] then
            return false
        end
        seen[place] = true
    end
    return true
end

local function same_shape(a, b)
    return table.concat(a, "x") == table.concat(b, "x")
end

-- An array to write to: of that dtype and shape, in memory that the others do not have; nil where there is none.
-- Without a dtype and a shape, any: then the step ends where there is none.
function world:some_out(dtype, shape, ...)
    local others = { ... }
    local choose = (dtype or shape) and find or self.some
    return choose(self, function(m)
        if dtype and m.dtype ~= dtype or shape and not same_shape(m.shape, shape) then
            return false
        end
        for _, other in ipairs(others) do
            if other.cells == m.cells then
                return false
            end
        end
        return is_apart(m)
    end)
end

function world:some_queue()
    local number = self.random(0, QUEUES)
    return number > 0 and self.queues[number] or nil
end

function world:chance(of)
    return self.random(1, of) == 1
end

-- ---- calling ------------------------------------------------------------------------------------------------------

function world:note(kind, name, arguments)
    local parts = {}
    for i = 1, arguments.n do
        parts[i] = show(arguments[i])
    end
    self.log[self.calls % REMEMBERED + 1] = ("%d. %s%s(%s)"):format(self.calls, kind, name, table.concat(parts, ", "))
    self.calls = self.calls + 1
end

-- The position of errors is here.
local function forward(f, arguments)
    local results = table.pack(f(table.unpack(arguments, 1, arguments.n)))
    return results
end

-- A spoiled call that was taken may have changed anything: what arrays hold is read anew, and those that are gone, or
-- whose contents a failed operation has spoiled, are forgotten. Whatever step it was in ends. An event of a queue is
-- that of its newest operation, which may have failed: another one comes after it.
function world:look_again()
    pcall(self.dev.finish, self.dev)
    for _, queue in ipairs(self.queues) do
        pcall(self.dev.zeros, self.dev, { 1 }, { queue = queue })
    end
    for i = #self.pool, 1, -1 do
        local m = self.pool[i]
        local ok, list = pcall(function()
            self.check_shape(m)
            return reference.flatten(m.array:totable())
        end)
        if ok then
            self.assign(m, list)
        else
            table.remove(self.pool, i)
        end
    end
    while #self.pool < 6 do
        self:refill()
    end
    error(world.AGAIN, 0)
end

function world:spoil(name, f, arguments)
    local wrong = junk.spoiled(self, arguments)
    self:note("wrong ", name, wrong)
    local ok, problem = pcall(forward, f, wrong)
    if ok then
        self.taken = self.taken + 1
        if name == "host" then -- a mapping keeps everybody else out
            problem[1]:release()
        end
        self:look_again()
    end
    self.refused = self.refused + 1
    local complaint = junk.complaint(problem, "world.lua")
    if complaint then
        error(complaint, 0)
    end
end

-- Those whose work grows with a number that may be anything, which end what others still need, or write files.
local NEVER_SPOILED = {
    nbody = true, step = true, run = true, finish = true, release = true, save = true, savez = true,
}

local function pass(self, kind, name, f, arguments)
    if not NEVER_SPOILED[name] and self:chance(3) then
        self:spoil(name, f, arguments)
    end
    self:note(kind, name, arguments)
    return forward(f, arguments)
end

-- object:name(...), right; and spoiled before it, one time in three.
function world:call(object, name, ...)
    local results = pass(self, "", name, object[name], table.pack(object, ...))
    return table.unpack(results, 1, results.n)
end

-- lun.name(...).
function world:module(name, ...)
    local results = pass(self, "lun.", name, lun[name], table.pack(...))
    return table.unpack(results, 1, results.n)
end

-- Options for a call that may run anywhere, at any time.
function world:options(options)
    options = options or {}
    options.queue, options.async = self:some_queue(), self:chance(4) or nil
    return options
end

-- As world:call, with options of its own besides these; gives what it gives, at once or by an event.
function world:ask(options, object, name, ...)
    local arguments = table.pack(...)
    options = self:options(options)
    arguments[arguments.n + 1] = options
    return self:wait(options, self:call(object, name, table.unpack(arguments, 1, arguments.n + 1)))
end

-- The results of a call: of an event what it stands for.
function world:wait(options, first, ...)
    if not options.async then
        return first, ...
    end
    local kind = self.random(1, 4)
    if kind == 1 then
        self:call(first, "done")
    elseif kind == 2 then
        self:module("wait_all", { first })
    elseif kind == 3 then
        self:call(first, "status")
    end
    return first:get()
end

-- A method whose result is a new array, or which writes to `out`: the array must be so, and is kept.
function world:gives(m, name, arguments, dtype, shape, list, tolerances)
    local options = self:options()
    local out = self:chance(3) and m.array and self:some_out(dtype, shape, m, arguments.other) or nil
    options.out = out and out.array
    arguments.n = (arguments.n or #arguments) + 1
    arguments[arguments.n] = options
    local array = self:wait(options, self:call(m.array or self.dev, name, table.unpack(arguments, 1, arguments.n)))
    if out then
        self.assign(out, list)
    else
        out = self:keep(array, dtype, shape, list)
    end
    if tolerances then
        self:adopt(out, tolerances)
    end
    return out
end

-- ---- beginning and end --------------------------------------------------------------------------------------------

-- Numbers that a dtype holds: any, or small whole ones, of which sums and products are exact.
function world:some_numbers(count, dtype)
    if self:chance(2) then
        return numbers.some(count, dtype, self.random(1, 9))
    end
    return numbers.small(count, dtype, self.random(1, 9))
end

function world:some_number(dtype)
    return self:some_numbers(1, dtype)[1]
end

-- One more array.
function world:refill()
    local shape, dtype = self:some_shape(), self:some_dtype()
    local flat = self:some_numbers(reference.size(shape), dtype)
    local array = #flat == 0 and self.dev:zeros(shape, dtype)
        or self.dev:array(#shape == 0 and flat[1] or flat, dtype):reshape(table.unpack(shape))
    return self:keep(array, dtype, shape, flat)
end

-- Few dtypes for this and its neighbours: what an operation needs is built for each dtype, and then known.
local NEIGHBOURS, FEW = 100, 3

local function some_dtypes(dev, seed)
    local random, all, list = numbers.generator(seed // NEIGHBOURS), {}, {}
    for _, dtype in ipairs(numbers.dtypes) do
        if dtype.name ~= "f64" or dev:info().fp64 then
            table.insert(all, dtype.name)
        end
    end
    for i = 1, FEW do
        list[i] = table.remove(all, random(1, #all))
    end
    return list
end

function world.new(dev, seed)
    local w = setmetatable({
        dev = dev, random = numbers.generator(seed), pool = {}, queues = {}, log = {}, calls = 0, refused = 0,
        taken = 0, dtypes = some_dtypes(dev, seed), path = os.tmpname(),
    }, world)
    dev:limit(LIMIT)
    for i = 1, QUEUES do
        w.queues[i] = dev:queue()
    end
    local gone, old = dev:ones { 3 }, dev:queue()
    gone:release()
    old:release()
    local program = dev:program "kernel void one(global float *x) { *x = 1; }"
    w.objects = { dev, gone, old, w.queues[1], program, program:kernel(), dev:ones({ 2 }):copy { async = true } }
    for _ = 1, 6 do
        w:refill()
    end
    return w
end

function world:close()
    for _, m in ipairs(self.pool) do
        self:verify(m)
    end
    self.dev:finish()
    for _, queue in ipairs(self.queues) do
        queue:release()
    end
    self.pool, self.objects = {}, {}
    os.remove(self.path)
    self.dev:limit()
end

-- The last calls, for a report.
function world:last()
    local lines = {}
    for i = 1, REMEMBERED do
        lines[#lines + 1] = self.log[(self.calls + i - 1) % REMEMBERED + 1] -- nil in a young world
    end
    return table.concat(lines, "\n")
end

return world
