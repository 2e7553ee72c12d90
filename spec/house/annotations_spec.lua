-- lua/lunarray/meta.lua and its like, which the language server reads, against the module as it is. Those of operations
-- are printed from the rows that feed the methods, too.

local lun = require "lunarray"
local helper = require "spec.helper"

local paths, text = {}
local listing <close> = assert(io.popen "ls lua/lunarray/meta*.lua")
table.insert(paths, (package.searchpath("lunarray.core", package.cpath):gsub("core%.so$", "meta_operations.lua")))
text = helper.read_file(paths[1]) .. "\n"
for path in listing:lines() do
    table.insert(paths, path)
    text = text .. helper.read_file(path) .. "\n"
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

-- The ways of calling a function that are declared: lists of { name =, type = }, one for each parameter.
local function forms(entry)
    local own, list = {}, {}
    for name, type in entry.doc:gmatch("%-%-%-@param ([%w_.]+)%?? ([^\n]+)") do
        table.insert(own, { name = name, type = type })
    end
    table.insert(list, own)
    for parameters in entry.doc:gmatch("%-%-%-@overload fun%(self, ([^)]+)%)") do
        local form = {}
        for parameter in parameters:gmatch("[^,]+") do
            local name, type = parameter:match("([%w_.]+)%??: (.*)")
            table.insert(form, { name = name, type = type })
        end
        table.insert(list, form)
    end
    return list
end

-- What a parameter's type says where it takes such a value.
local TYPES = {
    number = { "number", "integer", "lunarray.nested" }, string = { "string", "lunarray.dtype", "lunarray.op", '"' },
    table = { "[]", "table<", "|table", "lunarray.nested" }, userdata = { "lunarray.array", "lunarray.device" },
}

local function takes(parameter, value)
    for _, name in ipairs(TYPES[type(value)]) do
        if parameter and parameter.type:find(name, 1, true) then
            return true
        end
    end
    return false
end

-- Does that form take these arguments and then the options?
local function fits(form, arguments)
    local rest = form[#form].name == "..." and form[#form]
    for i, argument in ipairs(arguments) do
        if not takes(form[i] or rest, argument) then
            return false
        end
    end
    local last = form[#arguments + 1] or rest
    return last and (last.name == "opts" or last.type:find "Options") ~= nil
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

local function simulation_methods()
    local sim <close> = lun.simulation(a, a:copy(), { dt = 1 })
    return helper.methods(sim)
end

local program = dev:program "kernel void one(global float *x) { *x = 1; }"
local kernel = program:kernel()

local owners = {
    device = helper.methods(dev), array = helper.methods(a), event = helper.methods(event),
    queue = helper.methods(dev:queue()), program = helper.methods(program), kernel = helper.methods(kernel),
    host = host_methods(), rng = helper.methods(dev:rng(1)), lun = lun, simulation = simulation_methods(),
    sparse = helper.methods(a:sparse()),
}

-- The calls of functions that are no operations and take options, up to them.
local NONE = { {} }
local calls = {
    kernel = { run = NONE }, simulation = { image = { { 1, 1 } } },
    sparse = { matmul = { { a } }, sum = NONE, solve = { { a:row(1) } } },
}
local selves = {
    device = dev, array = a, kernel = kernel, rng = dev:rng(1),
    simulation = lun.simulation(a:copy(), a:copy(), { dt = 1 }), sparse = a:sparse(),
}

-- The names that f itself says it knows behind these arguments.
local function known_to(f, arguments)
    local ok, message = pcall(f, table.unpack(arguments))
    assert.is_false(ok)
    local list = message:match("unknown option 'no_such_option'; known are (.*)$")
    assert.is_truthy(list, message)
    local names = {}
    for option in list:gmatch("[%w_]+") do
        names[option] = true
    end
    return names
end

local function known_options(owner, name, call)
    local arguments = { table.unpack(call) }
    table.insert(arguments, { no_such_option = true })
    if owner ~= "lun" then
        table.insert(arguments, 1, selves[owner])
    end
    return known_to(owners[owner][name], arguments)
end

local OWNERS = { array = "array", device = "device", module = "lun", stream = "rng" }
local operations = {}
for _, operation in ipairs(lun.operations()) do
    operations[(OWNERS[operation.owner] or "") .. "." .. operation.name] = true
    operations["array." .. operation.name .. "_"] = operation.in_place
        or operations["array." .. operation.name .. "_"]
    operations["lun." .. operation.name] = operations["lun." .. operation.name] or operation.owner == "device"
        or operation.owner == "array"
end

describe("the annotations", function()
    for owner, real in pairs(owners) do
        local functions = declared(owner)

        it("declare every function of " .. owner .. ", and no other", function()
            local names, all = {}, {}
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
                if class and not operations[owner .. "." .. name] then
                    for _, call in ipairs(assert(calls[owner][name], "no call of " .. name .. " here")) do
                        assert.same(sorted(known_options(owner, name, call)), sorted(fields(class)), name)
                    end
                end
            end
        end)

        it("let options stand wherever functions of " .. owner .. " take them", function()
            for name, list in pairs(owner ~= "lun" and calls[owner] or {}) do
                for i, call in ipairs(list) do
                    local fit = false
                    for _, form in ipairs(forms(functions[name])) do
                        fit = fit or fits(form, call)
                    end
                    assert.is_true(fit, ("call %d of %s is not declared"):format(i, name))
                end
            end
        end)
    end

    it("declare methods of arrays as functions, too, with the array before their parameters", function()
        local methods, count = declared("array"), 0
        for name, entry in pairs(declared("lun")) do
            local first = entry.doc:match("%-%-%-@param ([ax]) lunarray.array\n")
            if operations["array." .. name] and first then
                count = count + 1
                assert.same({ first, table.unpack(methods[name].parameters) }, entry.parameters)
            end
        end
        assert.is_true(count > 300)
        local erf = declared("lun").erf.doc
        assert.matches("---@overload fun(a: lunarray.scalar): lunarray.scalar\n---@param a lunarray.array\n"
            .. "---@param opts? lunarray.MapOptions", erf, 1, true)
    end)

    it("name the options of fused functions", function()
        local fused = lun.fuse(function(x) return x + 1 end)
        assert.same(sorted(known_to(fused, { a, { no_such_option = true } })), sorted(fields("lunarray.FuseOptions")))
        assert.matches("lunarray.FuseOptions", declared("lun").fuse.doc, 1, true)
    end)

    it("have the operators that arrays have", function()
        local metatable = debug.getmetatable(a) -- __call is there, too, and refuses
        for name in ("add sub mul div idiv mod pow unm band bor bxor bnot shl shr len"):gmatch "%a+" do
            local there = text:find("%-%-%-@operator " .. name .. "%f[^%l]") ~= nil
            assert.equal(metatable["__" .. name] ~= nil, there, name)
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
            for name in before:gmatch("lunarray%.%w+") do
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
