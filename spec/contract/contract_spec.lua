-- What every operation promises: views, `out`, dtypes, sizes, batches, the order of queues, events and memory, for each
-- call of spec/calls.lua. Reductions and elementwise functions are in spec/contract/contract_functions_spec.lua.

local lun = require "lunarray"
local calls = require "spec.calls"
local contract = require "spec.contract"
local helper = require "spec.helper"

local dev = lun.device()

describe("the contract", function()
    it("has a call of every operation, and calls of no others", function()
        local called, missing = {}, {}
        for row in contract.rows(dev) do
            called[row.owner .. "." .. row.name] = true
        end
        for _, operation in ipairs(dev:operations()) do
            local name = operation.owner .. "." .. operation.name
            if operation.owner ~= "nothing" and operation.owner ~= "trace" and not called[name] then
                missing[#missing + 1] = name
            end
            called[name] = nil
        end
        assert.equal("array.complex_", table.concat(missing, " ")) -- no array holds what it takes and what it gives
        assert.is_nil(next(called))
    end)

    it("takes the dtypes that the operations say", function()
        local compared = 0
        for row, operation in contract.rows(dev) do
            local numbers = calls.is_of_numbers(row.code)
            local wanted, listed = {}, {}
            for _, dtype in ipairs(numbers and row.code == operation.example and lun.dtypes() or {}) do
                wanted[#wanted + 1] = contract.takes(row, dtype.name) and dtype.name or nil
            end
            for _, dtype in ipairs(operation.dtypes) do
                listed[#listed + 1] = (not row.narrow or contract.takes(row, dtype)) and dtype or nil
            end
            if wanted[1] and operation.owner ~= "device" and operation.owner ~= "sparse" and not row.in_place then
                assert.same(wanted, listed, operation.name)
                compared = compared + 1
            end
        end
        assert.is_true(compared > 150)
    end)

    it("refuses what the operations do not say, where the call's own array is of another kind", function()
        local count = 0
        for row, operation in contract.rows(dev) do
            if operation.takes and calls.own_name(row.code) and not calls.is_of_numbers(row.code) then
                count = count + contract.own_dtypes(dev, row, operation)
            end
        end
        assert.is_true(count > 200)
    end)

    it("is not all that tries a reduction or a function: a spec knows its values", function()
        local called, missing = {}, {}
        local listing <close> = assert(io.popen "find spec -name '*.lua'")
        for file in listing:lines() do
            local text = helper.read_file(file)
            for name in text:gmatch "[%w)]:([%w_]+)%f[( {]" do
                called[name] = true
            end
            for name in text:gmatch "([%w_]+) = [^=]" do
                called[name] = true
            end
        end
        for _, operation in ipairs(dev:operations()) do
            local name = operation.name
            if contract.is_by_rows(operation) and not called[name] and name ~= "pow" then -- its operator is
                missing[#missing + 1] = not name:find "_$" and name or nil
            end
        end
        assert.equal("", table.concat(missing, " "))
    end)

    -- A call whose results differ from one time to the next, or that breaks a promise otherwise.
    local function sees(check, message, f, fields)
        local row = { name = "false", owner = "array", code = "wrong(a, {})", in_depth = true,
            env = { wrong = f } }
        for key, value in pairs(fields or {}) do
            row[key] = value
        end
        local operation = { arguments = {}, options = { { name = "out", wanted = "a bird" },
            { name = "queue", wanted = "a queue" }, { name = "async", wanted = "true or false" } } }
        local ok, problem = pcall(contract[check], dev, row, operation)
        assert.is_false(ok, check)
        assert.matches(message, tostring(problem), 1, true)
    end

    it("sees what breaks it", function()
        local count = 0
        local function drifting(a)
            count = count + 1
            return a:full_like(count)
        end
        sees("views", "views (middle): result 1", drifting)
        sees("views", "a call: the input a", function(a) a:add_(1) end)
        local function nothing() return 1 end
        sees("zero_steps", "writes to a view with a step of 0 are not refused", nothing, { changes = "a" })
        sees("dtypes", "expected f64 n m", function(a) return a:copy() end, { gives = { "f64 n m" } })
        sees("dtypes", "is taken, expected a refusal", function(a) return a:copy() end, { takes = "f" })
        sees("dtypes", "beside wide numbers", function(a) return a:dtype() == "f64" and a:full_like(9) or a:copy() end)
        sees("sizes", "sizes 0 and 4: result 1", function(a) return a:copy() end, { gives = { "same 3 m" } })
        local function shares(a) return a / a:max() end
        sees("batches", "item 1 of a batch, beside it alone: result 1", shares, { batch = "a" })
        sees("outs", "out of its own: result 1", function(a) return a:copy() end)
        sees("outs", "out 1 over the input a is not refused", function(a, options)
            return a:copy():copy { out = options.out }
        end)
        sees("order", "inputs that another queue writes: result 1", drifting)
        sees("async", "async gives no event", function(a) return a:copy() end)
        local kept = {}
        sees("kinds", "copy: option 'out': an array is needed, got a function; expected lunarray: copy: option 'out': "
            .. "a bird is needed, got", nil, { name = "copy", code = "a:copy()" })
        sees("memory", "bytes are still live", function(a) kept[#kept + 1] = a:copy() end, { without = "out" })
    end)
end)

local left = contract.describe(it, function(operation)
    return not contract.is_by_rows(operation)
end)

if left > 0 then
    pending(left .. " further calls of operations (make test-all)")
end
