-- Mistakes in what the user's names, numbers and texts become; tools/mutants.lua says what a row is.

return {
    {
        file = "src/core/base/rename.c", spec = "names",
        { "names: those that begin as renamed ones stay",
            "(begins_with(from, RENAMED) || is_listed(from, length, lists, count))",
            "is_listed(from, length, lists, count)" },
        { "names: members are renamed", "!ascii_is_digit(*w->at) && !is_member(w);",
            "!ascii_is_digit(*w->at);" },
        { "names: those of numbers stay", "for (size_t k = 0; k < count; k++)\n        for (size_t i",
            "for (size_t k = 0; k < 1; k++)\n        for (size_t i" },
        { "names: a type is no mistake", "(closed && (word_length(next) || *next == '('))", "false" },
        { "log: columns of the renamed text", "added += smaller(strlen(RENAMED), column - at);", "added += 0;" },
        { "log: renamed names", "is_renamed(line, at) ? strlen(RENAMED) : 0;", "0;" },
        { "log: carets of the renamed text", "dropped = strlen(RENAMED);", "dropped = 0;",
            survives = "PoCL's logs have no carets" },
    },
    {
        file = "src/core/device/log.c", spec = "names",
        { "log: a blank line begins it", "begun = begun || !(blank || verdict);", "begun = true;",
            survives = "the logs of PoCL and NVIDIA have no blank lines" },
        { "log: that the build failed", "if (!begun || verdict)", "if (!begun)" },
    },
    {
        file = "src/core/user/check.c", spec = "names check",
        { "checked: names of the library's stay", "text_add(out, \"#undef %s\\n\", names[i]);", "(void)names;" },
        { "checked: macros of the library's stay", "text_add(out, \"#undef %s\\n\", macros[i]);", "(void)macros;" },
    },
    {
        file = "src/core/user/program.c", spec = "names",
        { "kernel: a name of any length that macros make", "    TRY(name_check_length(name, strlen(name), err));\n",
            "" },
        { "program: kernels' names of any length", "    TRY(words_check_names(program->source.text, err));\n",
            "" },
    },
    {
        file = "src/core/base/name.c", spec = "program",
        { "nearest name: a farther one later", "first ? reach(near->to) : near->edits,", "reach(near->to)," },
        { "nearest name: the first of equals", "(edits == most && !better)", "(edits == most && !first)" },
        { "nearest name: the alphabet backwards", "strcmp(name, near->nearest) < 0",
            "strcmp(name, near->nearest) > 0" },
        { "nearest name: a short one", "length < NAME_LEAST ||", "" },
        { "nearest name: longer ones are cut", "if (length > NAME_ROOM)\n        return NAME_ROOM;",
            "" },
    },
    {
        file = "src/core/user/defines.c", spec = "program", filter = "defines",
        { "defines: a digit comes first", "bool fits = ascii_is_letter(*name);", "bool fits = *name != '\\0';" },
        { "defines: lines", [[strpbrk(define->text, "\r\n")]], [[strpbrk(define->text, "\r")]] },
        { "defines: integers are in parentheses", [[number.integer < 0 ? "(%" PRId64 ")" : "%" PRId64]],
            [["(%" PRId64 ")"]] },
        { "defines: floats are cut", "text, 17, fabs", "text, 1, fabs" },
        { "defines: whole floats are integers", [[strpbrk(text, ".e") ? "" : ".0"]], [[""]] },
    },
    {
        file = "src/lua/program.c", spec = "program", filter = "defines",
        { "defines: a zero byte ends a text", " && strlen(lua_tostring(L, -1)) == lua_rawlen(L, -1))", ")" },
    },
    {
        file = "src/core/user/words.c", spec = "names",
        { "names: other functions' count", "depth == 0 && is_kernel(head, before) ?", "depth == 0 ?" },
        { "names: those of directives count", "memset(at, ' ', length);", "(void)length;" },
    },
    {
        file = "src/core/user/trim.c", spec = "names",
        { "trim: a name of any length", "strlen(name) + strlen(TRIMMED) <= MOST_LETTERS", "strlen(name) > 0" },
    },
    {
        file = "src/lua/binding.c", spec = "trace",
        { "trace: makers are not looked at", "    trace_refuse(L);\n    return view_push(L);",
            "    return view_push(L);" },
        { "trace: a coroutine that yielded traces still", "if (!runs)\n        return;\n", "" },
    },
    {
        file = "src/lua/request.c", spec = "trace",
        { "trace: slices are arrays of their own", "            out[i] = view_push(L);\n",
            "            out[i] = array_push(L);\n" },
    },
    {
        file = "src/lua/argument.c", spec = "trace",
        { "trace: draws into an array that is there", "trace_refuse(L); /* into an array", "; /* into an array" },
        { "trace: draws of streams too", "        trace_refuse(L); /* before anything is drawn */\n", "" },
    },
    {
        file = "lua/lunarray/fuse.lua", spec = "trace",
        { "trace: it ends with a nested one", "        set_tracing(before)\n", "        set_tracing(nil)\n" },
    },
    {
        file = "src/core/base/locale.c", spec = "locale",
        { "locale: numbers have the process's mark", "newlocale(LC_ALL_MASK, \"C\", (locale_t)0)", "(locale_t)0" },
        { "numbers in messages: 14 digits", "digits <= 17 && !is_same", "digits <= 14 && !is_same", spec = "array" },
        { "locale: it is not given back", "uselocale((locale_t)before); }", "(void)before; }" },
    },
    {
        file = "src/core/base/error.c", spec = "locale",
        { "locale: messages of the core", "    void *before = lun_locale_enter();\n    vsnprintf(err->message",
            "    void *before = lun_locale_enter();\n    lun_locale_leave(before);\n    vsnprintf(err->message" },
    },
    {
        file = "lua/lunarray/snapshot.lua", spec = "locale",
        { "locale: files of simulations", "    return misuse.text(\"%s %s \" .. KINDS[kind][1], key,",
            "    return (\"%s %s \" .. KINDS[kind][1]):format(key," },
    },
    {
        file = "lua/lunarray/plot.lua", spec = "locale",
        { "locale: data of gnuplot", "core._plain(table.concat, row, \" \")", "table.concat(row, \" \")" },
    },
    {
        file = "src/lua/text.c", spec = "locale misuse",
        { "messages: whole floats as integers", "whole ? \".0\" : \"\"", "\"\"", spec = "device" },
    },
    {
        file = "src/core/op/expression/emit_node.c", spec = "fuse",
        { "fuse: constants that f32 cannot hold", "x = dtype == LUN_f32 ? (double)(float)x : x;", "",
            survives = "the literal is an infinity for PoCL's compiler, too" },
    },
}
