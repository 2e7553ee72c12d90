-- Collisions in simulations: bodies that overlap and come closer, at the end of a step.
--
-- They are found by grids of cells whose side is the largest sum of two radii: partners are in the same cell or in one
-- of the 26 around it. Bodies are sorted by cell; cells that differ only in z are adjacent in that order, so half of
-- the 26 cells and the body's own are five ranges of it, and all 27 are nine. Bodies of very different sizes are
-- divided into classes; each class has a grid of its own cell size, for pairs within the class and with smaller bodies.

local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"

local collide = {}

local MOST_CELLS = 2 ^ 18 -- along an axis: as many as f32 can distinguish, with the margin
local MARGIN = 1.125 -- of a cell's side, for the rounding of positions in units of cells
local ROW, LAYER = 1 << 20, 1 << 40 -- between the keys of cells that differ by 1 in y, and in x
local MOST_CANDIDATES = 1 << 22 -- looked at in one go
local CLASSES = 24 -- of radii, each up to a quarter of the one before; the last has all that are smaller

local function raise(message, ...)
    misuse.raise("collide", message, ...)
end

-- ---- options ------------------------------------------------------------------------------------------------

-- The radii as an array owned by the simulation.
local function radii_of(sim, name, radius)
    local n, dtype = #sim.pos, sim.pos:dtype()
    if math.type(radius) then
        if not (radius >= 0 and radius < math.huge) then
            misuse.raise(name, "option 'radius': a finite number from 0 is needed, got %s", misuse.kind_of(radius))
        end
        radius = sim.pos:device():full({ n }, radius, dtype)
    elseif core.type(radius) ~= "array" then
        misuse.raise(name, "option 'radius': a number or an array is needed, got %s", misuse.kind_of(radius))
    elseif radius:ndim() ~= 1 or #radius ~= n or radius:dtype() ~= dtype or radius:device() ~= sim.pos:device() then
        misuse.raise(name, "option 'radius': a number is needed, or an array of %d %s on the bodies' device, got %s %s",
            n, dtype, misuse.shape_of(radius), radius:dtype())
    else
        radius = radius:copy()
    end
    misuse.check_lengths(name, "radius", radius)
    return radius
end

-- Reads collide and radius.
function collide.init(sim, inner, name)
    local way, radius = inner.options.collide, inner.options.radius
    if way == nil and radius == nil then
        return
    elseif way == nil then
        misuse.raise(name, "radius is given without collide: \"merge\", \"stop\" or a function")
    elseif way ~= "merge" and way ~= "stop" and type(way) ~= "function" then
        misuse.raise(name, "option 'collide': \"merge\", \"stop\" or a function is needed, got %s",
            type(way) == "string" and '"' .. way .. '"' or misuse.kind_of(way))
    elseif radius == nil then
        misuse.raise(name, "collide is given without radius, the size of the bodies")
    end
    sim.radius = radii_of(sim, name, radius)
    inner.options.radius = sim.radius
    inner.collide = way
    if core.type(inner.options.softening) == "array" then -- merging shortens it
        inner.options.softening = inner.options.softening:copy()
    end
end

-- ---- finding ------------------------------------------------------------------------------------------------

local keys_of = core.fuse(function(x, y, z, low_x, low_y, low_z, side)
    local i = ((x - low_x) / side):floor():cast "i64" + 1
    local j = ((y - low_y) / side):floor():cast "i64" + 1
    local k = ((z - low_z) / side):floor():cast "i64" + 1
    return i * LAYER + j * ROW + k
end)

-- For pairs: do they overlap and approach each other?
local meet = core.fuse(function(x, y, z, u, v, w, reach)
    return (x * x + y * y + z * z):lt(reach * reach):land((x * u + y * v + z * w):le(0))
end)

local class_of = core.fuse(function(radius, largest)
    return ((largest / radius):log2() / 2):floor():clamp(0, CLASSES - 1):cast "i32" + 1
end)

-- Bodies are lists of arrays of one size: x, y, z, the velocity's u, v, w, the radius, and the position in the
-- simulation.
local RADIUS, PLACE = 7, 8

local function bodies_of(sim)
    local list = { [RADIUS] = sim.radius, [PLACE] = sim.pos:device():arange(#sim.pos) }
    for c = 1, 3 do
        list[c], list[3 + c] = sim.pos:col(c), sim.vel:col(c)
    end
    return list
end

local function part_of(bodies, from, to)
    local part = {}
    for c, column in ipairs(bodies) do
        part[c] = column:slice { from, to }
    end
    return part
end

-- The corner and the extent of a box around all bodies.
local function box_of(sim)
    local x, y, z = sim.pos:col(1), sim.pos:col(2), sim.pos:col(3)
    local low_x, high_x, low_y, high_y, low_z, high_z = sim.pos:device():reduce(
        { "min", "max", "min", "max", "min", "max" }, { "x", "x", "y", "y", "z", "z" }, { x = x, y = y, z = z })
    for _, place in ipairs { low_x, high_x, low_y, high_y, low_z, high_z } do
        if place - place ~= 0 then
            raise("the position of a body is not finite: its collisions cannot be found")
        end
    end
    return { low_x, low_y, low_z, extent = math.max(high_x - low_x, high_y - low_y, high_z - low_z) }
end

-- The cells of bodies in a grid for partners that are up to `reach` away.
local function cells_of(bodies, box, reach)
    local side = math.max(MARGIN * reach, box.extent / MOST_CELLS)
    return keys_of(bodies[1], bodies[2], bodies[3], box[1], box[2], box[3], side)
end

-- Where cells that are `way` from those of `keys`, and their neighbours in z, begin among `sorted` ones, and end.
local function range(sorted, keys, way)
    return sorted:searchsorted(keys + (way - 1)), sorted:searchsorted(keys + (way + 1), { side = "right" })
end

-- Of candidates first .. last, those that collide: places among `ones` and `others`. Each of `ones` has several ranges
-- of others: `total` candidates are in the ranges up to each, `count` in it, and it begins at `from`.
local function test(ones, others, from, count, total, first, last)
    local which = total:device():arange(first, last)
    local k = total:searchsorted(which)
    local other = from:take(k) + (which - (total - count):take(k) - 1)
    local one = (k - 1) % #ones[RADIUS] + 1
    local differences = {}
    for c = 1, 6 do
        differences[c] = others[c]:take(other) - ones[c]:take(one)
    end
    differences[7] = ones[RADIUS]:take(one) + others[RADIUS]:take(other)
    local hits = meet(table.unpack(differences))
    return one:mask(hits), other:mask(hits)
end

-- Appends the pairs of `ones` and `others` that collide, of those in the ranges that begin and end there.
local function append(list, ones, others, starts, ends)
    local from = core.concat(starts)
    local count = core.concat(ends) - from
    local total = count:cumsum()
    local candidates = total:get(#total)
    for first = 1, candidates, MOST_CANDIDATES do
        local last = math.min(first + MOST_CANDIDATES - 1, candidates)
        local one, other = test(ones, others, from, count, total, first, last)
        if #one > 0 then
            local a, b = ones[PLACE]:take(one):totable(), others[PLACE]:take(other):totable()
            for k = 1, #a do
                list[#list + 1] = { math.min(a[k], b[k]), math.max(a[k], b[k]) }
            end
        end
    end
end

local function sorted_by(keys, bodies)
    local sorted = table.pack(core.sort_by(keys, keys, table.unpack(bodies)))
    return table.remove(sorted, 1), sorted
end

-- Pairs among bodies: each with those behind it in its cell and the next one, and in half of the cells around it.
local function find_within(list, bodies, box, largest)
    local n = #bodies[RADIUS]
    if n < 2 or largest == 0 then
        return
    end
    local keys, sorted = sorted_by(cells_of(bodies, box, 2 * largest), bodies)
    local starts, ends = { keys:device():arange(2, n + 1) }, { keys:searchsorted(keys + 1, { side = "right" }) }
    for _, way in ipairs { ROW, LAYER - ROW, LAYER, LAYER + ROW } do
        starts[#starts + 1], ends[#ends + 1] = range(keys, keys, way)
    end
    append(list, sorted, sorted, starts, ends)
end

-- Pairs of a large body and a small one: each large one with all in the 27 cells around it.
local function find_between(list, large, small, box, reach)
    local keys, sorted = sorted_by(cells_of(small, box, reach), small)
    local own, starts, ends = cells_of(large, box, reach), {}, {}
    for _, layer in ipairs { -LAYER, 0, LAYER } do
        for _, row in ipairs { -ROW, 0, ROW } do
            starts[#starts + 1], ends[#ends + 1] = range(keys, own, layer + row)
        end
    end
    append(list, large, sorted, starts, ends)
end

local function find_in_classes(list, bodies, box, largest)
    local class = class_of(bodies[RADIUS], largest)
    local counts = class:bincount({ size = CLASSES }):totable()
    bodies = table.pack(core.sort_by(class, table.unpack(bodies)))
    local from, n = 1, #bodies[RADIUS]
    for _, count in ipairs(counts) do
        if count > 0 then
            local own = part_of(bodies, from, from + count - 1)
            from = from + count
            local radius = own[RADIUS]:max()
            find_within(list, own, box, radius)
            if from <= n and radius > 0 then
                local smaller = part_of(bodies, from, n)
                find_between(list, own, smaller, box, radius + smaller[RADIUS]:max())
            end
        end
    end
end

-- All pairs {i, j}, i before j, in order.
local function find(sim)
    local list = {}
    if #sim.pos < 2 then
        return list
    end
    core.scope(function()
        local box, bodies = box_of(sim), bodies_of(sim)
        local least, largest = sim.radius:reduce { "min", "max" }
        if least * 4 >= largest then
            find_within(list, bodies, box, largest)
        else
            find_in_classes(list, bodies, box, largest)
        end
    end)
    table.sort(list, function(a, b) return a[1] < b[1] or a[1] == b[1] and a[2] < b[2] end)
    return list
end

-- ---- merging ------------------------------------------------------------------------------------------------

-- Bodies that merge: root[i] is the first body of the group of body i.
local function root_of(root, i)
    while root[i] ~= i do
        root[i] = root[root[i]]
        i = root[i]
    end
    return i
end

-- The rows of a merged body: the position and velocity of the centre of mass, the sum of the masses, and the radius of
-- the total volume. The masses of test bodies count only if all are test bodies.
local function merged(sim, group, active)
    local pos, vel, mass, volume, largest = { 0, 0, 0 }, { 0, 0, 0 }, 0, 0, 0
    local rows = {}
    for k, i in ipairs(group) do
        local p <close> = sim.pos:row(i)
        local v <close> = sim.vel:row(i)
        rows[k] = { pos = p:totable(), vel = v:totable() }
        rows[k].mass = (i <= active or group[1] > active) and rows[k].pos[4] or 0
        mass = mass + rows[k].mass
        rows[k].radius = sim.radius:get(i)
        largest = math.max(largest, rows[k].radius)
    end
    for _, row in ipairs(rows) do
        local share = mass == 0 and 1 / #group or row.mass / mass
        for c = 1, 3 do
            pos[c] = pos[c] + share * row.pos[c]
            vel[c] = vel[c] + share * row.vel[c]
        end
        volume = volume + (largest == 0 and 0 or row.radius / largest) ^ 3 -- the cube alone may be 0 or infinite
    end
    pos[4], vel[4] = mass, rows[1].vel[4]
    return pos, vel, largest * volume ^ (1 / 3)
end

-- Removes bodies from the first rows of an array, which becomes a view of the others; rows of 0 follow them.
local function shortened(array, kept)
    local n, left = #array, #kept
    local index <close> = array:device():array(kept, "i64")
    local others <close> = array:take(index, 1)
    local first = core._first_rows(array, left)
    first:write(others)
    local rest <close> = array:slice { left + 1, n }
    rest:fill(0)
    return first
end

local function take_out(sim, inner, out)
    local options, kept, active = inner.options, {}, inner.options.active
    for i = 1, #sim.pos do
        if not out[i] then
            kept[#kept + 1] = i
        elseif options.active and i <= options.active then
            active = active - 1
        end
    end
    if #kept == #sim.pos then
        return
    elseif active == 0 then
        raise "no body that attracts would be left"
    end
    options.active = active
    sim.pos, sim.vel, sim.radius = shortened(sim.pos, kept), shortened(sim.vel, kept), shortened(sim.radius, kept)
    options.radius = sim.radius
    if core.type(options.softening) == "array" then
        options.softening = shortened(options.softening, kept)
    end
end

-- Merges each group of several bodies into one, and removes bodies: the merged ones, and the groups in `gone`.
local function apply(sim, inner, root, gone)
    local groups, out, roots = {}, {}, {}
    for i in pairs(root) do
        local first = root_of(root, i)
        if not groups[first] then
            groups[first] = {}
            roots[#roots + 1] = first
        end
        table.insert(groups[first], i)
    end
    table.sort(roots)
    for i in pairs(gone) do
        gone[root_of(root, i)] = true
    end
    local active = inner.options.active or #sim.pos
    for _, first in ipairs(roots) do
        local group = groups[first]
        table.sort(group)
        for k, i in ipairs(group) do
            out[i] = k > 1 or gone[first]
        end
        if #group > 1 and not gone[first] then
            local pos, vel, radius = merged(sim, group, active)
            local p <close> = sim.pos:row(first)
            local v <close> = sim.vel:row(first)
            p:write(pos)
            v:write(vel)
            sim.radius:set(radius, first)
        end
    end
    take_out(sim, inner, out)
end

-- ---- what becomes of them -----------------------------------------------------------------------------------

local ANSWERS = {
    merge = true, stop = true, first = { true, false }, second = { false, true }, both = { true, true },
}

-- Calls the collision function for a pair.
local function ask(f, sim, i, j)
    local answer = f(sim, i, j)
    if answer ~= nil and not ANSWERS[answer] then
        raise("the function returned %s for bodies %d and %d; nothing, \"merge\", \"stop\", \"first\", \"second\" or "
            .. "\"both\" is needed", misuse.text(type(answer) == "string" and '"%s"' or "%s", answer), i, j)
    end
    return answer
end

-- Finds and handles collisions. Returns the pairs for which the simulation must stop, or nil.
function collide.resolve(sim, inner)
    local list = find(sim)
    if #list == 0 then
        return nil
    elseif inner.collide == "stop" then
        return list
    end
    local root, gone, stops = {}, {}, {}
    for _, pair in ipairs(list) do
        local i, j = pair[1], pair[2]
        root[i], root[j] = root[i] or i, root[j] or j
        if not gone[i] and not gone[j] then
            local answer = inner.collide
            if answer ~= "merge" then
                answer = ask(answer, sim, i, j)
            end
            if answer == "merge" then
                local a, b = root_of(root, i), root_of(root, j)
                root[math.max(a, b)] = math.min(a, b)
            elseif answer == "stop" then
                stops[#stops + 1] = pair
            elseif answer then
                gone[i], gone[j] = ANSWERS[answer][1] or nil, ANSWERS[answer][2] or nil
            end
        end
    end
    if not sim._inner then -- the function has released it
        return nil
    end
    apply(sim, inner, root, gone)
    return #stops > 0 and stops or nil
end

return collide
