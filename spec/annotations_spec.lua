-- lua/lunarray/meta.lua and its like, which the language server reads, against the module as it is.

local lun = require "lunarray"
local helper = require "spec.helper"

local paths, text = {}, ""
for i, name in ipairs { "lunarray.meta", "lunarray.meta_options", "lunarray.meta_program" } do
    paths[i] = assert(package.searchpath(name, package.path))
    text = text .. helper.read_file(paths[i]) .. "\n"
end

-- The functions declared for a variable of the file: name = { doc = lines above it, parameters = list }.
local function declared(owner)
    local functions, doc = {}, {}
    for line in text:gmatch("[^\n]*") do
        local name, parameters = line:match("^function " .. owner .. "[.:]([%w_]+)%((.-)%) end$")
        if name then
            local entry = { doc = table.concat(doc, "\n"), parameters = {} }
            for parameter in parameters:gmatch("[%w_.]+") do
                table.insert(entry.parameters, parameter)
            end
            functions[name] = entry
        end
        if line:match("^%-%-%-") then
            table.insert(doc, line)
        else
            doc = {}
        end
    end
    return functions
end

-- The fields of a class and its parent: name = true.
local function fields(class)
    local parent, body = text:match("%-%-%-@class " .. class:gsub("%p", "%%%0") .. ":? ?(%S*)\n(.-)\n[^-]")
    local names = parent ~= "" and fields(assert(parent, class)) or {}
    for name in body:gmatch("%-%-%-@field ([%w_]+)") do
        names[name] = true
    end
    return names
end

-- The makers that are fields of the module: name = list of parameters.
local function makers()
    local found = {}
    for name, parameters in text:gmatch("%-%-%-@field (%l+) fun%((.-)%): lunarray.array\n") do
        found[name] = {}
        for parameter in parameters:gmatch("([%l]+)%??: ") do
            table.insert(found[name], parameter)
        end
    end
    return found
end

local function sorted(names)
    local list = {}
    for name in pairs(names) do
        if not name:find("^_") then
            table.insert(list, name)
        end
    end
    table.sort(list)
    return list
end

local dev = lun.device()
local a = dev:zeros { 4, 4 }
local event = a:fill(0, { async = true })

local function host_methods()
    local mapping <close> = a:host()
    return helper.methods(mapping)
end

local program = dev:program "kernel void one(global float *x) { *x = 1; }"
local kernel = program:kernel()

local owners = {
    device = helper.methods(dev), array = helper.methods(a), event = helper.methods(event),
    queue = helper.methods(dev:queue()), program = helper.methods(program), kernel = helper.methods(kernel),
    host = host_methods(), lun = lun,
}

-- A call of each function that takes options, up to them.
local calls = {
    device = {
        array = { { 1 } }, zeros = { { 1 } }, ones = { { 1 } }, full = { { 1 }, 1 }, arange = { 3 },
        linspace = { 0, 1, 3 }, eye = { 3 }, random = { { 1 } }, normal = { { 1 } }, randint = { { 1 }, 1, 2 },
        queue = {}, program = { "" },
    },
    array = {
        fill = { 0 }, write = { a }, totable = {}, tobytes = {}, copy = {}, contiguous = {}, cast = { "f32" },
        to = { dev }, reduce = { "sum" }, sum = {}, prod = {}, min = {}, max = {}, transpose = { { 2, 1 } },
        transpose_ = { { 2, 1 } }, matmul = { a }, nbody = { a }, gravity = {}, energy = { a },
    },
    kernel = { run = {} },
}
local selves = { device = dev, array = a, kernel = kernel }

-- The names that a function itself says it knows.
local function known_options(owner, name)
    local arguments = { selves[owner], table.unpack(calls[owner][name]) }
    table.insert(arguments, { no_such_option = true })
    local ok, message = pcall(owners[owner][name], table.unpack(arguments))
    assert.is_false(ok, name)
    local list = message:match("unknown option 'no_such_option'; known are (.*)$")
    assert.is_truthy(list, message)
    local names = {}
    for option in list:gmatch("[%w_]+") do
        names[option] = true
    end
    return names
end

describe("the annotations", function()
    for owner, real in pairs(owners) do
        local functions = declared(owner)

        it("declare every function of " .. owner .. ", and no other", function()
            local names, all = {}, owner == "lun" and makers() or {}
            for name, value in pairs(real) do
                names[name] = type(value) == "function" or nil
            end
            for name in pairs(functions) do
                all[name] = true
            end
            assert.same(sorted(names), sorted(all))
        end)

        it("describe every function of " .. owner .. " and its parameters, in order", function()
            for name, entry in pairs(functions) do
                assert.matches("^%-%-%-%u", entry.doc, nil, nil, name .. " has no description")
                local described = {}
                for parameter in entry.doc:gmatch("%-%-%-@param ([%w_.]+)") do
                    table.insert(described, parameter)
                end
                assert.same(entry.parameters, described, name)
            end
        end)

        it("name the options of every function of " .. owner, function()
            for name, entry in pairs(functions) do
                local class = entry.doc:match("%-%-%-@param opts%??[^\n]-(lunarray%.%w+Options)")
                if class then
                    assert.is_truthy(calls[owner][name], "no call of " .. name .. " here")
                    assert.same(sorted(known_options(owner, name)), sorted(fields(class)), name)
                end
            end
        end)
    end

    it("give lun's makers the parameters of the device's", function()
        local methods_of_device = declared("device")
        local found = makers()
        assert.is_truthy(found.zeros and found.load)
        for name, parameters in pairs(found) do
            assert.same(methods_of_device[name].parameters, parameters, name)
        end
    end)

    it("describe what info, memory, profile and a kernel's info give", function()
        local function keys(t)
            local names = {}
            for key in pairs(t) do
                names[key] = true
            end
            return sorted(names)
        end
        assert.same(keys(dev:info()), sorted(fields("lunarray.DeviceInfo")))
        assert.same(keys(dev:memory()), sorted(fields("lunarray.DeviceMemory")))
        assert.same(keys(event:profile()), sorted(fields("lunarray.Profile")))
        local required = dev:program "__attribute__((reqd_work_group_size(1, 1, 1))) kernel void k(global int *x) {}"
        local info = required:kernel():info()
        assert.same(keys(info), sorted(fields("lunarray.KernelInfo")))
        assert.same(keys(info.arguments[1]), sorted(fields("lunarray.KernelArgument")))
    end)

    it("declare every type that they use", function()
        local types = {}
        for name in text:gmatch("%-%-%-@class (lunarray[%w.]*)") do
            types[name] = true
        end
        for name in text:gmatch("%-%-%-@alias (lunarray[%w.]*)") do
            types[name] = true
        end
        for line in text:gmatch("%-%-%-@[^\n]*") do
            local before = line:match("^(.-) #") or line
            for name in before:gmatch("lunarray%.%a+") do
                assert.is_truthy(types[name] or name:find("^lunarray%.device$"), name .. " is not declared")
            end
        end
    end)

    it("are Lua that loads", function()
        for _, path in ipairs(paths) do
            assert(loadfile(path))()
        end
    end)

    it("are never required", function()
        for name in pairs(package.loaded) do
            assert.is_nil(name:find("lunarray.meta", 1, true), name)
        end
    end)
end)
