-- What every reduction and every elementwise function promises, as spec/contract/contract_spec.lua.

local contract = require "spec.contract"

local left = contract.describe(it, contract.is_by_rows)

if left > 0 then
    pending(left .. " calls of functions and reductions (make test-all)")
end
