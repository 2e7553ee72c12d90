-- Who adds an operation learns what else it needs: each row of operation.def is failed call by call, and is explained;
-- each row of map.def is compared with plain Lua. What a call promises, spec/contract/contract_spec.lua tries.

local lun = require "lunarray"
local helper = require "spec.helper"

-- What a check does not ask of a method, and why.
local EXCEPTIONS = {
    ["fault loops"] = {
        to = "on one device it makes no call, and a copy is there", broadcast = "as meshgrid",
        mt = "as meshgrid", swapaxes = "as meshgrid", moveaxis = "as meshgrid", rot90 = "as meshgrid",
        diagonal = "as meshgrid", unstack = "as meshgrid", windows = "as meshgrid", empty = "as empty_like",
        real = "as meshgrid", imag = "as meshgrid", as_real = "as meshgrid", as_complex = "as meshgrid",
        meshgrid = "views: it makes no call",
        rcond = "of lu and a dozen solves: too many calls",
        empty_like = "zeros_like without its fill", stream = "it makes no call until it draws",
    },
}

local methods = {}
for _, operation in ipairs(lun.device():operations()) do
    local by_rows = operation.kind == "reduction" or operation.kind == "function"
    local inner = operation.owner == "nothing" or operation.owner == "trace"
    if not inner and not by_rows then -- these have tables of their own
        methods[#methods + 1] = operation
    end
end

local function asked(what, path, pattern)
    it(what, function()
        local text = ""
        local listing <close> = assert(io.popen("ls " .. path))
        for file in listing:lines() do
            text = text .. helper.read_file(file)
        end
        local missing = {}
        for _, method in ipairs(methods) do
            local excused = EXCEPTIONS[what] and EXCEPTIONS[what][method.name]
            local found = text:find(pattern:gsub("NAME", method.name))
            if not found and not excused then
                missing[#missing + 1] = method.name
            end
        end
        assert.equal("", table.concat(missing, " "), ("%s: missing in %s"):format(what, path))
    end)
end

describe("every method of operation.def", function()
    it("is found there", function()
        assert.is_true(#methods > 25)
    end)

    asked("fault loops", "spec/flow/fault_spec.lua spec/operations.lua", "[:.]NAME%f[^%w_]")
    asked("annotations", "lua/lunarray/meta*.lua", "function [%w_]+[:.]NAME%(")
    asked("pages", "README.md doc/*.md", "%f[%w_]NAME%f[^%w_]")
end)

describe("every function of map.def", function()
    it("is compared with plain Lua", function()
        local text = helper.read_file "spec/elementwise.lua"
        for _, name in ipairs { "arithmetic", "complex_functions", "further_functions" } do
            text = text .. helper.read_file(("spec/elementwise/%s_spec.lua"):format(name))
        end
        local missing = {}
        for name in pairs(lun._functions()) do
            local answered = text:find("%f[%w_]" .. name .. " = [^=]") -- a row of elementwise.lua, or of its own
            local called = text:find("[%w)]:" .. name .. "[( ]")
            if not answered and not called and name ~= "pow" then -- its operator is
                missing[#missing + 1] = name
            end
        end
        assert.equal("", table.concat(missing, " "), "missing in spec/elementwise.lua")
    end)
end)
