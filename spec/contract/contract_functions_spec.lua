-- What every reduction and every elementwise function promises, as spec/contract/contract_spec.lua.

local contract = require "spec.contract"

contract.describe(it, contract.is_by_rows)
