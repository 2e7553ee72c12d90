-- require "lunarray.hdf5": datasets, attributes and groups of HDF5 and NetCDF-4 files, by the library libhdf5.

local core = require "lunarray.core"
core._own()
local misuse = require "lunarray.misuse"

local raise, kind_of = misuse.raise, misuse.kind_of
local hdf5 = {}

-- The results of a C function, or its error.
local function check(name, first, ...)
    if first == nil then
        local text = (...):gsub("unable to open file: .-error message = '(.-)'.*", "%1")
        raise("hdf5." .. name, "%s", text:gsub("file signature not found", "it is not an HDF5 file"))
    end
    return first, ...
end

local function call(name, f, path, object, ...)
    if type(path) ~= "string" or type(object) ~= "string" or object == "" or (path .. object):find "\0" then
        local bad = type(path) ~= "string" and path or object
        raise("hdf5." .. name, "argument %d: %s is needed, got %s", rawequal(bad, path) and 1 or 2,
            rawequal(bad, path) and "a path" or "a name", kind_of(bad))
    end
    return check(name, core["_h5_" .. f](path, object, ...))
end

-- The starts (from 0), counts and steps of slices, in the form of a:slice, and the axes with a single position.
local function read_slices(name, slices, shape)
    local starts, counts, steps, left = {}, {}, {}, {}
    local function refuse(i, slice)
        raise("hdf5." .. name, "option 'slices': axis %d of %d positions: a position or {from, to, step} within it is "
            .. "needed, step 1 or more, got %s", i, shape[i] or 0,
            misuse.is_table(slice) and "{" .. table.concat({ tostring(slice[1]), tostring(slice[2]),
            tostring(slice[3]) }, ", ") .. "}" or kind_of(slice))
    end
    for i = 1, math.max(#shape, #slices) do
        local slice = slices[i] or {}
        local whole = misuse.whole(slice)
        if not shape[i] or not whole and not misuse.is_table(slice) then
            refuse(i, slice)
        end
        local from = misuse.whole(whole or slice[1] or 1)
        local to, step = misuse.whole(whole or slice[2] or shape[i]), misuse.whole(whole and 1 or slice[3] or 1)
        if not (from and to and step and from >= 1 and from <= to + 1 and to <= shape[i] and step >= 1)
            or whole and from > to then
            refuse(i, slice)
        end
        starts[i], counts[i], steps[i] = from - 1, (to - from) // step + 1, step
        left[#left + 1] = not whole and counts[i] or nil
    end
    return starts, counts, steps, left
end

-- The dataset of that name as an array, or of strings as a list; options: slices, as a:slice has them, and device.
function hdf5.read(path, name, options)
    options = misuse.check_options("hdf5.read", 3, options, { "slices", "device" })
    local kind, _, shape = call("read", "info", path, name)
    if kind ~= "dataset" then
        raise("hdf5.read", "%s: %s: a dataset is needed, got a %s", path, name, kind)
    end
    local starts, counts, steps, left
    if options.slices then
        starts, counts, steps, left = read_slices("read", options.slices, shape)
    end
    local bytes, dtype, came = call("read", "read", path, name, starts, counts, steps)
    if not dtype then -- texts
        return #(left or came) == 0 and bytes[1] or bytes
    end
    local make = core._named("hdf5.read", options.device and options.device.array or core.array)
    if options.device then
        return make(options.device, bytes, dtype, left or came)
    end
    return make(bytes, dtype, left or came)
end

-- Writes an array as a new dataset, creating missing groups; with slices to a part of an existing one. options: chunks
-- (sizes), compress (1 to 9; true is 4), slices.
function hdf5.write(path, name, array, options)
    options = misuse.check_options("hdf5.write", 4, options, { "chunks", "compress", "slices" })
    misuse.check_array("hdf5.write", "argument 3", array)
    local shape, chunks, level = { array:shape() }, options.chunks, options.compress or 0
    level = level == true and 4 or level
    if not misuse.whole(level) or level < 0 or level > 9 then
        raise("hdf5.write", "option 'compress': true or a whole number from 0 to 9 is needed, got %s", kind_of(level))
    end
    for i, size in ipairs(chunks or {}) do
        if not misuse.whole(size) or size < 1 or #chunks ~= #shape or shape[i] < size then
            raise("hdf5.write", "option 'chunks': for each of %d axes a size up to the axis's is needed", #shape)
        end
    end
    if level > 0 and not chunks then -- of about 2^18 elements
        chunks = {}
        local room = 1 << 18
        for i = #shape, 1, -1 do
            chunks[i] = math.max(1, math.min(shape[i], room))
            room = room // chunks[i]
        end
    end
    local starts, counts, steps, left
    if options.slices then
        local kind, _, whole = call("write", "info", path, name)
        if kind ~= "dataset" then
            raise("hdf5.write", "%s: %s: a dataset is needed, got a %s", path, name, kind)
        end
        starts, counts, steps, left = read_slices("write", options.slices, whole)
        if table.concat(left, "x") ~= table.concat(shape, "x") then
            raise("hdf5.write", "the slices have shape %s, and the array %s", table.concat(left, "x"),
                misuse.shape_of(array))
        end
    end
    call("write", "write", path, name, array:tobytes(), array:dtype(), shape, chunks, level, starts, counts, steps)
end

local MOST <const> = 100000 -- objects of a list, which damaged files may nest endlessly

-- All objects below a group ("/"), as a list of { name =, kind =, dtype =, shape = }, groups before their contents.
-- Links by a path are listed and not followed.
function hdf5.list(path, group)
    local list = {}
    local function add(at)
        local names = {}
        local found = call("list", "names", path, at)
        for name in pairs(found) do
            table.insert(names, name)
        end
        table.sort(names)
        for _, each in ipairs(names) do
            local name = (at == "/" and "" or at) .. "/" .. each
            local kind, dtype, shape = "link", nil, nil
            if found[each] then
                kind, dtype, shape = call("list", "info", path, name)
            end
            list[#list + 1] = { name = name, kind = kind, dtype = dtype, shape = shape }
            if #list > MOST then
                raise("hdf5.list", "%s: more than %d objects", path, MOST)
            elseif kind == "group" then
                add(name)
            end
        end
    end
    add(group or "/")
    return list
end

-- The attributes of a group or dataset by name: strings, numbers, booleans, arrays, or lists of strings.
function hdf5.attributes(path, name)
    local found = {}
    for key, raw in pairs(call("attributes", "attributes", path, name or "/")) do
        local scalar = #raw.shape == 0
        if raw.texts then
            found[key] = scalar and raw.texts[1] or raw.texts
        elseif raw.bytes then
            local array = core.array(raw.bytes, raw.dtype, raw.shape)
            found[key] = scalar and array:get() or array
        end
    end
    return found
end

-- Writes an attribute: a string, a number, a boolean or an array.
function hdf5.attribute(path, name, key, value)
    if type(key) ~= "string" or key == "" or key:find "\0" then
        raise("hdf5.attribute", "argument 3: a name is needed, got %s", kind_of(key))
    elseif type(value) == "string" then
        call("attribute", "attribute", path, name, key, value)
        return
    end
    local dtype = math.type(value) == "integer" and "i64" or math.type(value) and "f64"
        or type(value) == "boolean" and "bool"
    if dtype then
        local bytes = dtype == "bool" and (value and "\1" or "\0") or string.pack(dtype == "i64" and "i8" or "d", value)
        call("attribute", "attribute", path, name, key, bytes, dtype, {})
        return
    end
    misuse.check_array("hdf5.attribute", "argument 4", value)
    call("attribute", "attribute", path, name, key, value:tobytes(), value:dtype(), { value:shape() })
end

return hdf5
