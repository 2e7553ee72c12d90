-- What every reduction and every elementwise function promises, as spec/contract/contract_spec.lua.

require "spec.contract".describe(it, function(operation)
    return operation.kind == "reduction" or operation.kind == "function"
end)
