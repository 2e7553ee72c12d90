-- Mistakes in work that is split over devices, and in what ranks send one another: rows as tools/mutants.lua says.

return {
    {
        file = "lua/lunarray/devices.lua", spec = "devices",
        { "devices: the last rows are left out", "local to = i == #list and rows or ", "local to = " },
        { "devices: the rows of all", "part.rows = not at and { from, to } or nil", "part.rows = nil" },
        { "devices: beta without out", "own.out = own.beta and own.beta ~= 0 and place:to(device) or nil",
            "own.out = nil" },
        { "devices: one device twice", "if list[j] == device then", "if false then" },
        { "devices: arrays of another device", "if list[1] ~= array:device() then", "if false then" },
        { "devices: pulled by the first device too", "own.G, own.softening, own.active, own.accuracy, own.variant = 0,",
            "own.G, own.softening, own.active, own.accuracy, own.variant = 1," },
        { "devices: the user's force is lost", "        if force then\n", "        if false then\n" },
        { "devices: the softening is lost", "local asked = { G = own.G, softening = own.softening,",
            "local asked = { G = own.G," },
    },
    {
        file = "src/core/op/nbody/nbody_calls.c", spec = "devices",
        { "rows: the first is counted from 1", "gravity->first = ends[0] - first;", "gravity->first = ends[0];" },
        { "rows: beyond the last", " || ends[1] > last)", ")" },
        { "rows: with points", "if (pos->ndim != 2 || gravity->at)", "if (pos->ndim != 2)" },
    },
    {
        file = "lua/lunarray/mpi.lua", spec = "mpi",
        { "mpi: the order of ranks is not kept", "for rank = 2, size do\n        mine[",
            "for rank = size, 2, -1 do\n        mine[",
            survives = "sums of three numbers that are no whole ones differ by their order, but not all of them do" },
        { "mpi: f16 as 16 bits", "return (dtype == \"f16\" or dtype == \"bf16\") and x:cast \"f32\" or x", "return x" },
        { "mpi: a result at every rank", "local keeps = to_all or root == inner.rank", "local keeps = true" },
        { "mpi: the share of a machine's memory", "device:limit(device:memory().limit // sharing)",
            "device:limit(device:memory().limit)" },
    },
    {
        file = "lua/lunarray/mpi_message.lua", spec = "mpi",
        { "mpi: who waits does not answer", "        answer(inner, {})\n", "" },
        { "mpi: calls go on after the time", "if timeout and core.clock() - start > timeout then", "if false then" },
        { "mpi: integers are floats", "return string.pack(\"<c1i8\", \"i\", x)",
            "return string.pack(\"<c1d\", \"d\", x)" },
        { "mpi: views are not written to", "        if access ~= \"r\" then\n", "        if false then\n" },
    },
    {
        file = "lua/lunarray/mpi_check.lua", spec = "mpi",
        { "mpi: calls that differ", "if all[rank] ~= all[1] then", "if false then" },
        { "mpi: ranks from 0", "if not whole or whole < 1 or whole > inner.size then",
            "if not whole or whole < 0 or whole > inner.size then" },
    },
    {
        file = "lua/lunarray/mpi_parts.lua", spec = "mpi",
        { "mpi: edges from afar", "if there or options.periodic then", "if true then" },
        { "mpi: parts of other shapes", "alike = alike and (i == axis or", "alike = alike and (true or" },
    },
}
