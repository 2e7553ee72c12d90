-- How the speed of a CPU device grows with its cores: the same work in a process whose device has one.

local WORK = {
    { "matmul", "f32", "1024x1024x1024" }, { "matmul", "f64", "1024x1024x1024" },
    { "nbody", "f32", "16384" }, { "nbody", "f64", "8192" },
    { "reduce:sum", "f32", "33554432" }, { "transpose", "f32", "4096x4096" },
}

return function(bench)
    local cases = {}
    if bench.gpu then
        return cases
    end
    for _, work in ipairs(WORK) do
        local case = bench.find(table.unpack(work))
        case.operation = "scaling:" .. case.operation:match("%a+")
        case.peers = { { "one_core", table.concat(work, " ") } }
        cases[#cases + 1] = case
    end
    return cases
end
