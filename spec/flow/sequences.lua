-- Random sequences of commands over several queues, arrays and views, each with what plain Lua says it does, one after
-- the other. What the device gives must be the same, whatever it ran at the same time.

local lun = require "lunarray"
local numbers = require "spec.numbers"
local reference = require "spec.reference"

local SIZE = 6 -- rows and columns of every array
local LONG = os.getenv "LUNARRAY_LONG"
local DTYPES = { "i32", "i64", "i32", LONG and "i64" or "i32" }
-- The dtype of commands whose programs take long to build; with LUNARRAY_LONG=1 they have both, as the others.
local FEW = not LONG and "i32" or nil
local QUEUES = 3 -- beside the default one

local sequences = {}

-- ---- memory as plain Lua has it ---------------------------------------------------------------------------

-- A root: { array, dtype, cells }. A view of it: { array, root, places (of its elements, row-major), shape }.

local function clamp(x, dtype)
    return math.max(numbers.dtype[dtype].low, math.min(numbers.dtype[dtype].high, x))
end

-- The places of a view within its root, which its name tells; made once.
local known = {}

local function places_of(name, rows, columns, place)
    if not known[name] then
        local places = {}
        for _, i in ipairs(rows) do
            for _, j in ipairs(columns) do
                places[#places + 1] = place(i, j)
            end
        end
        known[name] = places
    end
    return known[name]
end

local function range(from, to, step)
    local list = {}
    for i = from, to, step or 1 do
        list[#list + 1] = i
    end
    return list
end

local ALL = range(1, SIZE)

local function part(root, name, rows, columns, array)
    local places = places_of(name, rows, columns, function(i, j) return (i - 1) * SIZE + j end)
    return { array = array, root = root, places = places, shape = { #rows, #columns }, name = name }
end

local function whole(root)
    return part(root, "", ALL, ALL, root.array)
end

local function turned(view)
    local rows, columns, name = view.shape[1], view.shape[2], view.name .. "t"
    local places = places_of(name, range(1, columns), range(1, rows), function(j, i)
        return view.places[(i - 1) * columns + j]
    end)
    return { array = view.array:t(), root = view.root, places = places, shape = { columns, rows }, name = name }
end

-- The whole, some rows, some columns, a block, every second row, or any of them turned; all with two axes.
local function some_view(random, root)
    local array = root.array
    local i, k = random(1, SIZE), random(1, 3)
    local near = { i, math.min(i + 1, SIZE) }
    local kinds = {
        function() return whole(root) end,
        function() return part(root, "r" .. i, { i }, ALL, array:slice({ i, i }, nil)) end,
        function() return part(root, "c" .. i, ALL, { i }, array:slice(nil, { i, i })) end,
        function() return part(root, "h" .. k, range(k, k + 2), ALL, array:slice({ k, k + 2 }, nil)) end,
        function() return part(root, "b" .. k, range(k, k + 2), range(2, 4), array:slice({ k, k + 2 }, { 2, 4 })) end,
        function() return part(root, "e", range(1, SIZE, 2), ALL, array:slice({ 1, SIZE, 2 }, nil)) end,
        function() return part(root, "x" .. i, range(near[1], near[2]), ALL, array:slice(near, nil)) end,
    }
    local view = kinds[random(1, #kinds)]()
    return random(1, 4) == 1 and turned(view) or view
end

local function values(view)
    local list = {}
    for i, place in ipairs(view.places) do
        list[i] = view.root.cells[place]
    end
    return list
end

local function assign(view, list)
    for i, place in ipairs(view.places) do
        view.root.cells[place] = numbers.wrap(list[i], view.root.dtype)
    end
end

local function share(a, b)
    if a.root ~= b.root then
        return false
    end
    local taken = {}
    for _, place in ipairs(a.places) do
        taken[place] = true
    end
    for _, place in ipairs(b.places) do
        if taken[place] then
            return true
        end
    end
    return false
end

local function conflict(a, b)
    for _, write in ipairs(a.writes) do
        for _, views in ipairs { b.reads, b.writes } do
            for _, view in ipairs(views) do
                if share(write, view) then
                    return true
                end
            end
        end
    end
    return false
end

-- No event of the list starts before the end of one of another queue that it conflicts with. Within a queue the driver
-- keeps the order, and its times say less than the results: beside a dozen other processes NVIDIA's has told times of a
-- kernel that lie behind those of the next one, which had read what it wrote.
local function check_times(timed)
    local profiles = {}
    for i, later in ipairs(timed) do
        profiles[i] = later.event:profile()
        for j = 1, i - 1 do
            local earlier = timed[j]
            local early = profiles[j].ended - profiles[i].started
            local apart = earlier.queue ~= later.queue
            if early > 0 and apart and (conflict(earlier, later) or conflict(later, earlier)) then
                error(("command %d started %.3f us before the end of command %d"):format(later.number, early * 1e6,
                    earlier.number), 0)
            end
        end
    end
end

-- ---- a world: what a sequence runs on -----------------------------------------------------------------------

local world = {}
world.__index = world

function world:note(...)
    self.log[#self.log + 1] = ("%d. %s"):format(#self.log + 1, table.concat({ ... }, " "))
end

-- A queue's number; 0 is the default one.
function world:some_queue()
    return self.random(0, QUEUES)
end

-- Runs f(options) on a queue chosen at random. `reads` and `writes` are the views that it touches.
function world:call(reads, writes, f, waits)
    local number = self:some_queue()
    local async = waits == nil and self.random(1, 2) == 1 or waits == false
    self.log[#self.log] = ("%s on %d"):format(self.log[#self.log], number)
    local result, second = f { queue = self.queues[number], async = async or nil }
    if async then
        table.insert(self.timed, { event = result, queue = number, reads = reads, writes = writes,
            number = #self.log })
    end
    return result, second
end

function world:some_root(dtype)
    local root
    repeat
        root = self.roots[self.random(1, #self.roots)]
    until not dtype or root.dtype == dtype
    return root
end

-- A view of that shape (nil: any; of transposed shape is turned), dtype (nil: any) and apart from all others given.
function world:some_view(shape, dtype, ...)
    local others = { ... }
    for _ = 1, 200 do
        local view = some_view(self.random, self:some_root(dtype))
        if shape and view.shape[1] == shape[2] and view.shape[2] == shape[1] and shape[1] ~= shape[2] then
            view = turned(view)
        end
        local fits = not shape or (view.shape[1] == shape[1] and view.shape[2] == shape[2])
        for _, other in ipairs(others) do
            fits = fits and not share(view, other)
        end
        if fits then
            return view
        end
    end
end

local function label(view)
    return view.root.name .. "." .. view.name
end

-- Checked at the end, or when it is waited for by chance.
function world:expect(check)
    table.insert(self.checks, check)
end

local function same(expected, got, what)
    for i = 1, math.max(#expected, #got) do
        if expected[i] ~= got[i] then
            error(("%s: element %d is %s, not %s"):format(what, i, got[i], expected[i]), 0)
        end
    end
end

local elements = reference.flatten

-- ---- commands -------------------------------------------------------------------------------------------------

local commands = {}

function commands.fill(w)
    local view, x, list = w:some_view(), w.random(-1000, 1000), {}
    w:note("fill", label(view), x)
    w:call({}, { view }, function(options) return view.array:fill(x, options) end)
    for i = 1, #view.places do
        list[i] = x
    end
    assign(view, list)
end

function commands.write(w)
    local view, list = w:some_view(), {}
    for i = 1, #view.places do
        list[i] = w.random(-1000, 1000)
    end
    w:note("write", label(view))
    w:call({}, { view }, function(options) return view.array:write(list, options) end)
    assign(view, list)
end

function commands.copy(w)
    local from = w:some_view()
    local to = w:some_view(from.shape, nil, from)
    if to then
        w:note("copy", label(from), "to", label(to))
        w:call({ from }, { to }, function(options) return to.array:write(from.array, options) end)
        local list = values(from)
        for i, x in ipairs(list) do
            list[i] = clamp(x, to.root.dtype)
        end
        assign(to, list)
    end
end

function commands.transpose(w)
    local from = w:some_view()
    local to = w:some_view({ from.shape[2], from.shape[1] }, from.root.dtype, from)
    if to then
        w:note("transpose", label(from), "to", label(to))
        w:call({ from }, { to }, function(options)
            options.out = to.array
            return from.array:transpose(options)
        end)
        assign(to, values(turned(from)))
    end
end

commands["transpose in place"] = function(w)
    local view = whole(w:some_root())
    w:note("transpose_", label(view))
    w:call({}, { view }, function(options) return view.array:transpose_(options) end)
    assign(view, values(turned(view)))
end

-- rows x inner by inner x rows.
local function product(x, y, rows, inner)
    local list = {}
    for i = 1, rows do
        for j = 1, rows do
            local sum = 0
            for k = 1, inner do
                sum = sum + x[(i - 1) * inner + k] * y[(k - 1) * rows + j]
            end
            list[#list + 1] = sum
        end
    end
    return list
end

function commands.matmul(w)
    local a = w:some_view(nil, FEW)
    local b = w:some_view({ a.shape[2], a.shape[1] }, a.root.dtype)
    local out = b and w:some_view({ a.shape[1], a.shape[1] }, a.root.dtype, a, b)
    if out then
        w:note("matmul", label(a), label(b), "to", label(out))
        w:call({ a, b }, { out }, function(options)
            options.out = out.array
            return a.array:matmul(b.array, options)
        end)
        assign(out, product(values(a), values(b), a.shape[1], a.shape[2]))
    end
end

function commands.max(w)
    local from = w:some_view(nil, FEW)
    local to = w:some_view({ 1, from.shape[2] }, from.root.dtype, from)
    if to then
        w:note("max", label(from), "to", label(to))
        w:call({ from }, { to }, function(options)
            options.axis, options.keepdims, options.out = 1, true, to.array
            return from.array:max(options)
        end)
        local list = values(from)
        for i = 1, #list do
            local column = (i - 1) % from.shape[2] + 1
            list[column] = math.max(list[column], list[i])
        end
        assign(to, list)
    end
end

-- x - y for each element; y may be a row, which stands for all rows.
local function difference(x, y)
    local list, other = values(x), values(y)
    for i = 1, #list do
        list[i] = list[i] - other[(i - 1) % #other + 1]
    end
    return list
end

-- A view, and the same again, another of its shape, or a row of its length; both of one dtype, and others are apart.
local function operands(w)
    local x = w:some_view(nil, FEW)
    local kind = w.random(1, 3)
    return x, kind == 1 and x or w:some_view(kind == 2 and x.shape or { 1, x.shape[2] }, x.root.dtype, x)
end

function commands.elementwise(w)
    local x, y = operands(w)
    local to = y and w:some_view(x.shape, x.root.dtype, x, y)
    if to then
        w:note("sub", label(x), label(y), "to", label(to))
        w:call({ x, y }, { to }, function(options)
            options.out = to.array
            return x.array:sub(y.array, options)
        end)
        assign(to, difference(x, y))
    end
end

commands["elementwise in place"] = function(w)
    local x, y = operands(w)
    if y then
        w:note("sub_", label(x), label(y))
        w:call({ y }, { x }, function(options) return x.array:sub_(y.array, options) end)
        assign(x, difference(x, y))
    end
end

-- One kernel with two results, of expressions in OpenCL C or of a Lua function; one result takes an operand's place.
local exchange = lun.fuse(function(x, y, k) return y + k, x - y end)

function commands.fused(w)
    local x, add = w:some_view(), w.random(-9, 9)
    local y = w:some_view(x.shape, x.root.dtype, x)
    local to = y and w:some_view(x.shape, x.root.dtype, x, y)
    if to then
        local as_text = x.root.dtype == "i32"
        w:note(as_text and "map" or "fuse", label(x), label(y), "to", label(to))
        w:call({ x, y }, { x, to }, function(options)
            options.out = { x.array, to.array }
            if as_text then
                return w.dev:map({ "y + k", "x - y" }, { x = x.array, y = y.array, k = add }, options)
            end
            return exchange(x.array, y.array, add, options)
        end)
        local less, more = difference(x, y), values(y)
        for i = 1, #more do
            more[i] = more[i] + add
        end
        assign(x, more)
        assign(to, less)
    end
end

-- A kernel of the user's own; strided views are copied in, and back.
local SOURCE = [[
kernel void add_i32(global const int *x, global int *y) { y[get_global_id(0)] += x[get_global_id(0)]; }
kernel void add_i64(global const long *x, global long *y) { y[get_global_id(0)] += x[get_global_id(0)]; }
]]

function commands.kernel(w)
    local from = w:some_view()
    local to = w:some_view(from.shape, from.root.dtype, from)
    if to then
        w:note("kernel", label(from), "to", label(to))
        w:call({ from }, { to }, function(options)
            options.global = #from.places
            return w.kernels[from.root.dtype]:run(options, from.array, to.array)
        end)
        local x, list = values(from), values(to)
        for i = 1, #list do
            list[i] = list[i] + x[i]
        end
        assign(to, list)
    end
end

-- Random positions in a view, as a list and as an array of indices.
local function some_index(w, view, count)
    local list = {}
    for i = 1, count do
        list[i] = w.random(1, #view.places)
    end
    return list, w.dev:array(list, w.random(1, 2) == 1 and "i32" or "i64")
end

-- A random mask of a view, as a list and as an array, and the values that it chooses.
local function some_mask(w, view)
    local list, chosen = {}, {}
    for i, x in ipairs(values(view)) do
        list[i] = w.random(0, 1)
        chosen[#chosen + 1] = list[i] == 1 and x or nil
    end
    return list, w.dev:array(list, "u8", view.shape), chosen
end

function commands.take(w)
    local from = w:some_view(nil, FEW)
    local to = w:some_view(nil, from.root.dtype, from)
    if to then
        w:note("take", label(from), "to", label(to))
        local list, index = some_index(w, from, #to.places)
        index = index:reshape(table.unpack(to.shape))
        w:call({ from }, { to }, function(options)
            options.out = to.array
            return from.array:take(index, options)
        end)
        local old = values(from)
        for i, place in ipairs(list) do
            list[i] = old[place]
        end
        assign(to, list)
    end
end

-- Puts or adds some random numbers at random places.
local function write_at(method, combine)
    return function(w)
        local view, written = w:some_view(nil, FEW), {}
        w:note(method, label(view))
        local list, index = some_index(w, view, 9)
        for i = 1, #list do
            written[i] = w.random(-9, 9)
        end
        local new = w.dev:array(written, view.root.dtype)
        w:call({ view }, { view }, function(options) return view.array[method](view.array, index, new, options) end)
        local result = values(view)
        for i, place in ipairs(list) do
            result[place] = combine(result[place], written[i])
        end
        assign(view, result)
    end
end

commands.put = write_at("put", function(_, x) return x end)
commands.add_at = write_at("add_at", function(old, x) return old + x end)

function commands.mask_put(w)
    local view, at = w:some_view(nil, FEW), 0
    w:note("mask_put", label(view))
    local list, mask, chosen = some_mask(w, view)
    for i = 1, #chosen do
        chosen[i] = w.random(-9, 9)
    end
    local new = #chosen > 0 and w.dev:array(chosen, view.root.dtype) or 0
    w:call({ view }, { view }, function(options) return view.array:mask_put(mask, new, options) end)
    local result = values(view)
    for i, m in ipairs(list) do
        at = at + m
        result[i] = m == 1 and chosen[at] or result[i]
    end
    assign(view, result)
end

function commands.mask(w)
    local view = w:some_view(nil, FEW)
    w:note("mask", label(view))
    w.settle()
    local list, mask, chosen = some_mask(w, view)
    local result = w:call({ view }, {}, function(options) return view.array:mask(mask, options) end, true)
    w:expect(function() same(chosen, elements(result:totable()), "what a mask chooses") end)
    local _, columns = w:call({}, {}, function(options) return mask:nonzero(options) end, true)
    local places = {}
    for i, m in ipairs(list) do
        places[#places + 1] = m == 1 and (i - 1) % view.shape[2] + 1 or nil
    end
    w:expect(function() same(places, elements(columns:totable()), "positions") end)
end

function commands.read(w)
    local view = w:some_view()
    w:note("read", label(view))
    local expected = values(view)
    local event = w:call({ view }, {}, function(options) return view.array:totable(options) end, false)
    w:expect(function() same(expected, elements(event:get()), "a read") end)
end

function commands.sum(w)
    local view, sum = w:some_view(nil, FEW), 0
    for _, x in ipairs(values(view)) do
        sum = sum + x
    end
    w:note("sum", label(view))
    local event = w:call({ view }, {}, function(options) return view.array:sum(options) end, false)
    w:expect(function() same({ sum }, { event:get() }, "a sum") end)
end

function commands.reduce(w)
    local view, sum, best = w:some_view(nil, FEW), 0, 1
    local list = values(view)
    for i, x in ipairs(list) do
        sum, best = sum + math.abs(x), x > list[best] and i or best
    end
    w:note("reduce", label(view))
    local event = w:call({ view }, {}, function(options)
        return w.dev:reduce({ "asum", "argmax" }, "x", { x = view.array }, options)
    end, false)
    w:expect(function() same({ sum, best }, { event:get() }, "reductions of an expression") end)
end

-- A copy that is released while it is being read; its memory goes to whoever asks next, or back to OpenCL.
function commands.temporary(w)
    local from = w:some_view()
    local to = w:some_view(from.shape, from.root.dtype, from)
    if to then
        w:note("temporary of", label(from), "to", label(to))
        local copy = w:call({ from }, {}, function(options) return from.array:copy(options) end, true)
        w:call({}, { to }, function(options) return to.array:write(copy, options) end)
        copy:release()
        if w.random(1, 3) == 1 then
            w.dev:trim()
        end
        assign(to, values(from))
    end
end

-- New memory for an array: most often what one released just now had.
function commands.replace(w)
    local position, list = w.random(1, #w.roots), {}
    local old = w.roots[position]
    local root = { name = old.name, dtype = old.dtype, cells = {} }
    w:note("replace", root.name)
    w.roots[position] = root
    old.array:release()
    for i = 1, SIZE * SIZE do
        list[i] = w.random(-9, 9)
    end
    local x = w.random(1, 2) == 1 and list[1]
    root.array = w:call({}, {}, function(options)
        return x and w.dev:full({ SIZE, SIZE }, x, root.dtype, options)
            or w.dev:array(list, root.dtype, { SIZE, SIZE }, options)
    end, true)
    for i = 1, SIZE * SIZE do
        root.cells[i] = x or list[i]
    end
end

function commands.host(w)
    local view, x = w:some_view(), w.random(-1000, 1000)
    w:note("host", label(view))
    w.settle()
    local host <close> = view.array:host("rw")
    local list = values(view)
    for i, y in ipairs(list) do
        if host[i] ~= y then
            error(("a mapping: element %d is %s, not %s"):format(i, host[i], y), 0)
        end
    end
    local position = w.random(1, #list)
    host[position] = x
    list[position] = x
    assign(view, list)
end

function commands.get(w)
    local view = w:some_view()
    local i, j = w.random(1, view.shape[1]), w.random(1, view.shape[2])
    w:note("get", label(view), i, j)
    w.settle()
    same({ values(view)[(i - 1) * view.shape[2] + j] }, { view.array:get(i, j) }, "an element")
end

-- One of the results so far, or what a queue has to do.
function commands.wait(w)
    w:note("wait")
    w.settle()
    local check = table.remove(w.checks)
    if check then
        check()
    else
        w.queues[w.random(1, QUEUES)]:event():wait()
    end
end

function commands.queue(w)
    local number = w.random(1, QUEUES)
    w:note("queue", number)
    w.settle()
    w.queues[number]:release()
    w.queues[number] = w.dev:queue()
end

local waiting = { host = true, get = true, mask = true, wait = true, queue = true }
local all, not_waiting = {}, {}
for name in pairs(commands) do
    all[#all + 1] = name
    if not waiting[name] then
        not_waiting[#not_waiting + 1] = name
    end
end
table.sort(all)
table.sort(not_waiting)

-- ---- running --------------------------------------------------------------------------------------------------

local function nothing() end

local function new_world(dev, seed, options)
    local w = setmetatable({
        dev = dev, random = numbers.generator(seed), hold = options.hold or nothing, settle = options.settle or nothing,
        names = options.crowded and not_waiting or all, queues = {}, roots = {}, kernels = {},
    }, world)
    local program = dev:program(SOURCE)
    for _, dtype in ipairs { "i32", "i64" } do
        w.kernels[dtype] = program:kernel("add_" .. dtype)
    end
    for i = 1, QUEUES do
        w.queues[i] = dev:queue()
    end
    for i, dtype in ipairs(options.crowded and { "i32" } or DTYPES) do
        local root = { name = ("%s%d"):format(dtype, i), dtype = dtype, cells = {},
            array = dev:zeros({ SIZE, SIZE }, dtype) }
        for j = 1, SIZE * SIZE do
            root.cells[j] = 0
        end
        w.roots[i] = root
    end
    return w
end

function world:run(length)
    self.log, self.timed, self.checks = {}, {}, {}
    self.hold(self.random)
    for _ = 1, length do
        commands[self.names[self.random(1, #self.names)]](self)
    end
    self.settle()
    for _, check in ipairs(self.checks) do
        check()
    end
    for _, root in ipairs(self.roots) do
        same(root.cells, elements(root.array:totable { queue = self.queues[self:some_queue()] }), root.name)
    end
    check_times(self.timed) -- behind what matters more: a GPU that many processes share may tell times that overlap
end

-- Runs `count` sequences of up to `length` commands. Options: hold(random), called before each, and settle(), before
-- whatever waits; crowded: all on one array, and nothing waits before the end. Raises with the commands of the sequence
-- that went wrong.
function sequences.run(dev, seed, count, length, options)
    local w = new_world(dev, seed, options or {})
    for i = 1, count do
        local ok, problem = xpcall(w.run, function(problem)
            return type(problem) == "string" and problem or debug.traceback(tostring(problem))
        end, w, w.random(1, length))
        if not ok then
            error(("seed %d, sequence %d: %s\n%s"):format(seed, i, problem, table.concat(w.log, "\n")), 0)
        end
    end
    for _, queue in pairs(w.queues) do
        queue:release()
    end
    for _, root in ipairs(w.roots) do
        root.array:release()
    end
end

return sequences
