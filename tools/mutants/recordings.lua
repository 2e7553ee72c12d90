-- Mistakes in recordings, profiles and traces: rows as tools/mutants.lua says.

return {
    {
        file = "lua/lunarray/profile.lua", spec = "profile",
        { "profile: what stood in the queue before counts", "    core._record_drain()\n    local recording",
            "    local recording" },
        { "profile: what f enqueued last is lost", "    core._record_drain()\n    core._record_stop",
            "    core._record_stop" },
        { "profile: results without the nil behind", "table.unpack(results, 1, results.n)", "table.unpack(results)" },
        { "profile: goes on after an error", "local recording <close> =", "local recording =" },
        { "profile: commands count as calls", "            add_command(row, each)\n", "            add(row, each)\n" },
        { "profile: lines without what ran on the device",
            "            add_command(line, each)\n            add_command(whole",
            "            add_command(whole" },
        { "profile: what was done at once counts twice", " - p.compiling - p.at_once)", " - p.compiling)" },
        { "trace: a file is left after an error", "if not place.written and not existed then", "if false then" },
        { "trace: whether it can be written shows at the end", "local place <close> = check_place(path)",
            "local place = {}" },
        { "trace: gives what is before the results", "return select(2, record(", "return select(1, record(" },
    },
}
