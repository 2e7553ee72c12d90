-- Mistakes in the rooms that came last, room by room; tools/mutants.lua says what a row is.

return {
    {
        file = "src/core/device/builtins.c", spec = "builtins",
        { "builtins: what a comment names is declared",
            "        } else if (at[0] == '/' && at[1] == '/') {", "        } else if (false) {" },
        { "builtins: names pasted together are not", "        n->pasted = true;\n", "" },
        { "builtins: comparisons of vectors give int", "*w->width ? by_size[type->size][0] : \"int\"", "\"int\"" },
        { "builtins: another function is called by the user",
            "    if (take_text(&n, text->parts[0]) > 0)\n        return false;", "    take_text(&n, text->parts[0]);" },
    },
    {
        file = "src/core/device/build.c", spec = "builtins",
        { "build: a text is not built again", "    if (!program)\n        TRY(compile(&program, &code",
            "    if (!program)\n        goto done;\n    if (!program)\n        TRY(compile(&program, &code" },
    },
    -- ---- once survived ------------------------------------------------------------------------------------------
    {
        file = "src/core/op/companion.c", spec = "companion",
        { "companion: memory in use counts as quiet",
            "quiet = block_is_quiet(use->block, use->from, use->to, use->write);",
            "quiet = true;" },
        { "companion: an event overtakes its queue", "|| queue_is_idle(op->queue)", "|| true" },
    },
    {
        file = "src/core/op/expression/again.c", spec = "again",
        { "again: of any dtype", "return seen->dtype == array->dtype && ", "return " },
        { "again: of any shape", "memcmp(seen->shape, array->shape, (size_t)array->ndim * sizeof *array->shape) == 0",
            "true" },
        { "again: of any numbers", "(a->numbers == 0 || ", "(a->numbers < 9 || " },
        { "again: of any nodes", "return same && memcmp(a->node, e->nodes, a->nodes * sizeof *e->nodes) == 0 &&",
            "return same &&" },
        { "again: the shape is not given", "    memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);\n", "" },
    },
    {
        file = "src/core/op/arguments.c", spec = "companion",
        { "arguments: another value counts as the same", "== bytes && memcmp(", "== bytes || memcmp(" },
        { "arguments: what is set is not kept", "    memcpy(kept->values + kept->at[position], value, bytes);\n", "" },
    },
    {
        file = "src/core/transfer/gather.c", spec = "companion",
        { "gather: no strides", "% (size_t)axes.size[k]) * axes.stride[k];", "% (size_t)axes.size[k]);" },
        { "gather: the offset of the view", " + array->offset * (int64_t)item;", ";" },
        { "gather: what is written is read", "    if (write)\n", "    if (!write)\n" },
        { "gather: lines of any stride", "lines = last >= 0 && axes.stride[last] == 1;", "lines = last >= 0;" },
    },
    {
        file = "src/core/memory/seen.c", spec = "companion",
        { "seen: what the driver copies is taken for the host's", "        *host = made;\n",
            "        *host = *out;\n" },
    },
    {
        file = "src/core/device/forked.c", spec = "thread",
        { "fork: a child counts as its parent", "watched ? !*watched :", "watched ? false :" },
    },
    {
        file = "src/core/device/companion.c", spec = "companion",
        { "companion: cannot be refused", "return wish && strcmp(wish, \"0\") == 0;", "return false && wish;" },
        { "companion: the environment stays set", "        unsetenv(CHOICE);", "        (void)set;" },
        { "companion: the user's choice is overridden", "if (getenv(CHOICE) || ", "if (" },
    },
    {
        file = "src/core/device/threads.c", spec = "companion",
        { "threads: the environment stays set", "        unsetenv(names[i]);", "        (void)names[i];" },
        { "threads: one for each core of the machine", "allowed >= sysconf(_SC_NPROCESSORS_ONLN)", "true" },
        { "threads: the user's number is overridden", " || user_has_said())", " || (user_has_said() && false))" },
    },
    {
        file = "src/core/transfer/across.c", spec = "devices",
        { "across: a place is read into before it is written from", "    if (*written) {", "    if (false) {" },
        { "across: writes do not wait for reads",
            "    TRY(wait_across(&c->write, c->read.device, c->read.last, err));\n", "    ;\n" },
        { "across: the source's failure is lost", "if (c->write.commands && !tickets_add",
            "if (false && !tickets_add" },
        { "across: what the driver took is not waited for", "    if (cut)\n", "    if (false)\n",
            survives = "it takes a writer that comes in the moment before the commands end" },
    },
    {
        file = "src/core/device/select.c", spec = "device",
        { "selectors: any device of the kind", "matches(device, kind) && before + 1 == place",
            "matches(device, kind)" },
    },
    {
        file = "src/core/device/device.c", spec = "companion",
        { "companion: is a device of its own", "if (ids[i] != companion && is_usable", "if (is_usable" },
    },
    {
        file = "src/core/op/make/choice.c", spec = "rng",
        { "choice: arrivals are drawn as positions are", "\"random_arrivals\", KIND_ARRIVALS,",
            "\"random_arrivals\", KIND_POSITIONS," },
    },
    {
        file = "kernels/make/random_choice.cl", spec = "rng",
        { "choice: arrivals begin with their block",
            "        const long at = i + from.skip;\n        const T time",
            "        const long at = i;\n        const T time" },
    },
    {
        file = "kernels/parts/nbody_ias15.cl", spec = "force",
        { "ias15: a spacing of 12 digits", "                         0.35262471711316963737,",
            "                         0.352624717113,", filter = "its nodes" },
    },
    {
        file = "lua/lunarray/simulation.lua", spec = "simulation",
        { "sums: the first factor alone is of f64", "expression:gsub(\"%a\", \"(double)%0\")",
            "expression:gsub(\"%a\", \"(double)%0\", 1)" },
    },
    {
        file = "src/core/transfer/zip_read.c", spec = "npz",
        { "npz: members begin behind the file", "*start > a->size || m->packed", "m->packed" },
    },
    {
        file = "src/core/user/check.c", spec = "check",
        { "checked programs: a bracket too deep", "c == '[' && depth == MOST_DEPTH", "c == '[' && depth > MOST_DEPTH" },
        { "checked programs: a bracket too few", "c == '[' && depth == MOST_DEPTH",
            "c == '[' && depth + 1 == MOST_DEPTH" },
    },
    {
        file = "lua/lunarray/snapshot.lua", spec = "snapshot",
        { "snapshot: clocks stay when the force goes", "state.integration, state.clocks = nil, nil",
            "state.integration = nil" },
    },
    {
        file = "src/core/op/index/mask.c", spec = "hazard",
        { "mask: hazard of what is counted",
            "    TRY(operation_reads(&op, mask, err));\n    TRY(operation_writes(&op, counts, err));\n",
            "    TRY(operation_writes(&op, counts, err));\n" },
        { "mask: hazard of the counts",
            "    TRY(operation_reads(&op, mask, err));\n    TRY(operation_writes(&op, counts, err));\n",
            "    TRY(operation_reads(&op, mask, err));\n",
            survives = "they are of one call, whose operations run on one queue" },
    },
    {
        file = "kernels/index/mask_plain.cl", spec = "index",
        { "mask_put: a value behind the last", "values[min(at, s.values - 1)]", "values[min(at, s.values)]",
            survives = "no value is used where the mask is not true: the limit lets a compiler read ahead" },
    },
    {
        file = "kernels/parts/which_bin.cl", spec = "count",
        { "bins: edges are told by a thousandth",
            "r.near = REAL_EPSILON * (16 * (REAL)bins + 4 * r.scale * max(fabs(r.low), fabs(r.high)));",
            "r.near = (REAL)1e-3;" },
    },
    {
        file = "src/core/memory/hazard.c", spec = "failure",
        { "mend: the end of what is left", "        block->spoiled_to = from;", "        block->spoiled_to = to;" },
    },
    {
        file = "src/core/op/index/add_at.c", spec = "count",
        { "add_at: no bit for what has no place", ".bits = bits_of(p->array->size),",
            ".bits = bits_of(p->array->size - 1),", filter = "digit of a sort", long = true },
    },

    -- ---- fold ---------------------------------------------------------------------------------------------------
    {
        file = "src/core/op/fold/fold.c", spec = "fold",
        { "fold: hazard of all arrays but the first", "    for (size_t k = 0; k < e->array_count; k++)\n        TRY("
            .. "operation_reads(&op, e->arrays[k], err));\n    if (reduction",
            "    for (size_t k = 0; k < 1; k++)\n        "
            .. "TRY(operation_reads(&op, e->arrays[k], err));\n    if (reduction", spec = "hazard" },
        { "fold: hazard of all results but the first", "    for (size_t k = 0; k < e->result_count; k++)\n        TRY("
            .. "operation_writes(&op, outs[k], err));", "    for (size_t k = 0; k < 1; k++)\n        TRY("
            .. "operation_writes(&op, outs[k], err));", spec = "hazard" },
        { "fold: out may overlap an input",
            "        TRY(array_check_apart(out, e->arrays[i], err));\n    if (reduction",
            "        (void)i;\n    if (reduction", filter = "refuse what does not fit" },
        { "fold: the same op of another text shares its state", "strcmp(e->texts[one], e->texts[other]) == 0 :",
            "true :",
            filter = "one state" },
    },
    {
        file = "src/core/op/fold/fold_axes.c", spec = "fold",
        { "fold: an axis of 1 keeps its stride", "own < 0 || in->shape[own] == 1 ? 0 :", "own < 0 ? 0 :" },
        { "fold: out with all axes has the strides of one without",
            "p->outs[k]->ndim == ndim ? i : p->kept]", "p->kept]" },
        { "fold: positions in the order of memory",
            "yes = yes || p->form.rows[k]->family == FOLD_EXTREME;", "(void)k;" },
    },
    {
        file = "src/core/op/fold/fold_variants.c", spec = "fold",
        { "fold: the last part is left out", "elements ? (cl_long)ceil_div(elements, part) : 1;",
            "elements ? (cl_long)(elements / part) : 1;" },
    },
    {
        file = "src/core/op/fold/fold_rows.c", spec = "fold",
        { "fold: integers are added in their own bits", "return dtype_is_whole(summed) ? LUN_u64 : summed;",
            "return dtype_is_whole(summed) ? dtype_computed(dtype) : summed;" },
        { "fold: means of integers are those of floats", "fp64 && dtype_is_whole(dtype)", "false",
            filter = "means of integers" },
    },
    {
        file = "kernels/fold/fold_cpu.cl", spec = "fold",
        { "fold: the last columns are left out",
            "const int vectors = (int)min((fold.columns - begin + WIDTH - 1) / WIDTH,",
            "const int vectors = (int)min((fold.columns - begin) / WIDTH," },
    },

    -- ---- segments -----------------------------------------------------------------------------------------------
    {
        file = "src/core/op/fold/fold.c", spec = "segments",
        { "segments: hazard of the starts",
            "    if (reduction->segments)\n        TRY(operation_reads(&op, reduction->segments, err));\n", "",
            spec = "hazard" },
        { "segments: out may overlap the starts",
            "        TRY(array_check_apart(out, reduction->segments, err));", "        ;",
            filter = "wrong kind" },
        { "segments: the verdict is not asked where there are no results",
            "*nothing = outs[0]->size == 0 && !reduction->segments;", "*nothing = outs[0]->size == 0;" },
    },
    {
        file = "src/core/op/fold/fold_scan.c", spec = "segments",
        { "scan of segments: hazard of the starts",
            "    if (options->segments)\n        TRY(operation_reads(&op, options->segments, err));\n", "",
            spec = "hazard" },
        { "scan of segments: hazard of the array", "        TRY(operation_reads(&op, arrays[k], err));", "        ;",
            spec = "hazard" },
        { "scan of segments: out may overlap the starts",
            "        TRY(array_check_apart(out, options->segments, err));", "        ;", filter = "wrong kind" },
        { "scan of segments: the axis is not the user's", "    goes[axis] = true;", "    goes[0] = axis >= 0;" },
    },
    {
        file = "src/core/op/fold/segments.c", spec = "segments",
        { "segments: the starts' stride", ".step = segments->stride[0],", ".step = 1," },
        { "segments: the starts' offset", ".in = segments->offset,", ".in = 0," },
        { "segments: scans refuse empty ones", "const bool filled = !s->scan && !s->fold->has_identity;",
            "const bool filled = !s->fold->has_identity;" },
    },
    {
        file = "kernels/fold/segment_starts.cl", spec = "segments",
        { "segments: a start one too far", "start > s.elements + 1)", "start > s.elements + 2)" },
        { "segments: starts from the end in their own order", "starts[s.reverse ? s.count - 1 - i : i]", "starts[i]" },
    },
    {
        file = "kernels/fold/fold_segments.cl", spec = "segments",
        { "segments: those that end with a part are left out", "starts[next] > PART_END(part) ||",
            "starts[next] >= PART_END(part) ||" },
    },
    {
        file = "kernels/fold/fold_columns.cl", spec = "segments",
        { "columns: parts of a scan begin with the first column's",
            "all.start[c] = all.first[c] = t0[OPEN_AT(place, part, left + c)];",
            "all.start[c] = all.first[c] = t0[OPEN_AT(place, part, left)];" },
    },

    -- ---- scan ---------------------------------------------------------------------------------------------------
    {
        file = "src/core/op/scan/scan.c", spec = "scan",
        { "scan: hazard of the array",
            "    TRY(operation_reads(&op, in, err));\n    TRY(operation_writes(&op, out, err));\n",
            "    TRY(operation_writes(&op, out, err));\n", spec = "hazard" },
        { "scan: hazard of the result",
            "    TRY(operation_reads(&op, in, err));\n    TRY(operation_writes(&op, out, err));\n",
            "    TRY(operation_reads(&op, in, err));\n", spec = "hazard" },
        { "scan: out may overlap", "    TRY(array_check_out(out, in, dtype, ndim, shape, err));\n    TRY("
            .. "array_check_apart(out, in, err));\n",
            "    TRY(array_check_out(out, in, dtype, ndim, shape, err));\n", filter = "refuse" },
        { "scan: the result runs back in the array's steps", "p.lines.dst_first += p.out_step *",
            "p.lines.dst_first += p.step *" },
        { "scan: a flat view is dense", "made.stride[0] = axes.ndim ? axes.stride[0] : 1;", "made.stride[0] = 1;" },
        { "scan: the last part is left out", "s->parts = (cl_long)ceil_div((size_t)s->elements, (size_t)s->part);",
            "s->parts = (cl_long)((size_t)s->elements / (size_t)s->part);" },
        { "scan: lines of the array as of the result", "p.lines = shape_axis_pairs(&to, &from);",
            "p.lines = shape_axis_pairs(&to, &to);" },
    },
    {
        file = "kernels/scan/scan_cpu.cl", spec = "scan",
        { "scan: columns begin with the first place's sums",
            "load_acc(sums + SUM_AT(s, place, p, COLUMN(v)))", "load_acc(sums + SUM_AT(s, 0, p, COLUMN(v)))" },
        { "scan: the last vector of a strip is a new one",
            "#define COLUMN(v) min(begin + (v) * LANES, s->columns - LANES)",
            "#define COLUMN(v) min(begin + (v) * LANES, s->columns - 1)" },
        { "scan: few columns begin anew in each part",
            "            start[c] = sums_before(sums, &s, place, part, c);", "            start[c] = IDENTITY;" },
        { "scan: reversed vectors are aligned one beside", "step < 0 ? line - from + 1 : -(line + from);",
            "step < 0 ? line - from : -(line + from);" },
    },

    -- ---- sort ---------------------------------------------------------------------------------------------------
    {
        file = "src/core/op/sort/sort.c", spec = "sort",
        { "sort: hazard of the array", "    TRY(operation_reads(&op, in, err));\n    if (values) {",
            "    if (values) {", spec = "hazard" },
        { "sort: hazard of the positions", "        TRY(operation_writes(&op, positions, err));\n        to_positions",
            "        to_positions", spec = "hazard" },
        { "topk: the first rows of the order", "    first.shape[first.ndim - 1] = result->shape[first.ndim - 1];\n",
            "" },
        { "sort: out may overlap", "    TRY(array_check_apart(out, in, err));\n", "", filter = "say what is wrong" },
    },
    {
        file = "src/core/op/sort/sorted.c", spec = "sort",
        { "searchsorted: hazard of the values", "    TRY(operation_reads(&op, sorted, err));\n    TRY(operation_reads("
            .. "&op, values, err));\n", "    TRY(operation_reads(&op, sorted, err));\n", spec = "hazard" },
        { "searchsorted: hazard of the array", "    TRY(operation_reads(&op, sorted, err));\n    TRY(operation_reads("
            .. "&op, values, err));\n", "    TRY(operation_reads(&op, values, err));\n", spec = "hazard" },
        { "unique: hazard of the array", "    TRY(operation_reads(&op, in, err));\n", "", spec = "hazard",
            filter = "counts on its way" },
    },
    {
        file = "src/core/op/sort/quantile.c", spec = "sort",
        { "median: hazard of the array", "    TRY(operation_reads(&op, in, err));\n", "", spec = "hazard" },
    },
    {
        file = "src/core/op/sort/select.c", spec = "sort",
        { "select: one place for all targets", "s.pass.at[t] = (cl_long)of->at[t];",
            "s.pass.at[t] = (cl_long)of->at[0];" },
    },
    {
        file = "kernels/sort/sorted_plain.cl", spec = "sort",
        { "unique: 0 and -0 are two", "rank_of(sorted[i], 0) != rank_of(sorted[i - 1], 0);",
            "sorted[i] != sorted[i - 1];" },
    },
    {
        file = "kernels/sort/sort_plain.cl", spec = "sort",
        { "sort: positions are moved within one list", "places + (passes & 1) * count;", "places;" },
    },
    {
        file = "src/core/op/sort/sort_calls.c", spec = "sort",
        { "sort_by: descending is ignored",
            "const lun_sorting sorting = {.descending = request_truth(r, \"descending\")};",
            "const lun_sorting sorting = {.descending = false};" },
        { "sort_by: the event is of the first array", "i + 1 == list->count ? &r->call : &quiet",
            "i == 0 ? &r->call : &quiet", spec = "hazard" },
    },

    -- ---- count --------------------------------------------------------------------------------------------------
    {
        file = "src/core/op/sort/count.c", spec = "count",
        { "count: hazard of the array", "    TRY(operation_reads(&c->op, in, err));\n", "", spec = "hazard" },
        { "count: hazard of the weights", "        TRY(operation_reads(&c->op, weights, err));", "        ;",
            spec = "hazard" },
        { "count: out may overlap the weights", "        TRY(array_check_apart(out, weights, err));\n", "" },
        { "bincount: the view's offset", "{.from = c.in.offset, .size", "{.from = 0, .size" },
    },
    {
        file = "src/core/op/sort/count_variants.c", spec = "count",
        { "count: the offset of the weights", ".weights = p->weights ? p->weights->offset : 0,", ".weights = 0,",
            },
        { "count: the offset of the result", ".to = p->out->offset};\n    TRY(operation_scratch(out->op, &counts",
            ".to = 0};\n    TRY(operation_scratch(out->op, &counts" },
        { "count: the second axis in the dtype of the first",
            "return count_find_kernel(out, p, file, source->in.dtype, source->edges.dtype, name, err);",
            "return count_find_kernel(out, p, file, source->in.dtype, LUN_f32, name, err);" },
        { "count: what was in memory is added to", "    TRY(plan_array_fill(out, p->out, (cl_ulong2){{0}}, err));\n",
            "", filter = "more bins than a group", long = true },
    },
    {
        file = "src/core/op/sort/histogram.c", spec = "count",
        { "histogram: hazard of the edges", "    TRY(operation_writes(&c.op, edges, err));\n", "", spec = "hazard" },
        { "histogram2d: hazard of the second array", "    TRY(operation_reads(&c.op, in[1], err));\n",
            "", spec = "hazard" },
        { "histogram: the view's offset", ".from = in->offset, .size", ".from = 0, .size" },
    },
    {
        file = "kernels/sort/bins_plain.cl", spec = "count",
        { "histogram2d: rows and columns swapped", "outer * (int)s.bins + inner;", "inner * (int)s.bins + outer;" },
    },

    -- ---- index --------------------------------------------------------------------------------------------------
    {
        file = "src/core/op/index/take.c", spec = "index",
        { "take: hazard of the result", "    TRY(operation_writes(&op, out, err));\n", "", spec = "hazard" },
        { "take: the offset of the result", ".dst = p->out.offset,", ".dst = 0," },
        { "take: out may overlap the index", "    TRY(array_check_apart(out, index, err));\n", "" },
    },
    {
        file = "src/core/op/index/put.c", spec = "index",
        { "put: hazard of the index", "    TRY(operation_reads(&op, index, err));\n", "", spec = "hazard" },
        { "put: the offset of the index", ".index = p->index.offset,", ".index = 0," },
        { "put: the offset of the values", ".values = p->values.dense.offset,", ".values = 0," },
    },
    {
        file = "src/core/op/index/mask.c", spec = "index",
        { "mask: hazard of the array", "    TRY(operation_reads(&op, in, err));\n", "", spec = "hazard" },
        { "nonzero: hazard of the array",
            "    operation_init(&op, mask->device, \"nonzero\", call);\n    plan_init(&p, "
            .. "&op);\n    TRY(operation_reads(&op, mask, err));\n",
            "    operation_init(&op, mask->device, \"nonzero\", "
            .. "call);\n    plan_init(&p, &op);\n", spec = "hazard",
            survives = "nothing can hold it back behind its count, for which the host waits" },
        { "mask: out may overlap the mask", "    TRY(array_check_apart(out, mask, err));\n", "" },
        { "mask: the offset of the result", "problem->shape.dst = made.offset;", "problem->shape.dst = 0;" },
        { "mask_put: one value for all", "problem.shape.step = !problem.values.single;", "problem.shape.step = 0;" },
    },
    {
        file = "src/core/op/index/index.c", spec = "index",
        { "index: a row of values is not repeated", "array->size == view.size && lun_array_is_contiguous(array)) {",
            "lun_array_is_contiguous(array)) {" },
        { "put: values may overlap", "    if (lun_array_overlap(array, values))", "    if (false)" },
    },

    -- ---- rng ----------------------------------------------------------------------------------------------------
    {
        file = "src/core/op/make/choice.c", spec = "rng",
        { "choice: hazard of the sums", "        TRY(operation_reads(&op, c->sums, err));",
            "        ;", spec = "hazard",
            survives = "they are private arrays of one queue: nothing else writes them" },
        { "choice: f64 takes one word", "c->weights->dtype == LUN_f64 ? 2 : 1;", "1;" },
    },
    {
        file = "src/core/op/make/source.c", spec = "rng",
        { "rng: draws of nothing change the kind",
            "    if (elements)\n        after->words = at + elements * words, after->kind = kind;",
            "    after->words = at + elements * words, after->kind = kind;" },
        { "rng: the kind is not kept", "    numbers[KIND] = rng->kind;", "    numbers[KIND] = 0;" },
    },
    {
        file = "src/core/op/make/random.c", spec = "rng",
        { "rng: the stream goes on though the draw failed",
            "    TRY(variant_operation(\"random\"", "    *rng = after;\n    TRY(variant_operation(\"random\"",
            filter = "refuses a draw" },
        { "rng: counts take two words", "        return RANDOM_WORDS;\n    }", "        return 2;\n    }" },
    },
    {
        file = "kernels/make/random_choice.cl", spec = "rng",
        { "choice: shares of no weight are taken",
            "        while (low + 1 < count && !(weights[low] > 0))\n            "
            .. "low++;\n        while (low > 0 && !(weights[low] > 0))\n            low--;\n", "",
            survives = "rounding gives such a share, of 2^-53 of all: no spec draws so often" },
        { "choice: weights that are 0 arrive at once", "weights[i] > 0 ? time / weights[i] : (T)INFINITY;",
            "weights[i] > 0 ? time / weights[i] : 0;" },
        { "choice: at the rate of one over the weight", "time / weights[i] :", "time * weights[i] :" },
    },
    {
        file = "kernels/make/random_cpu.cl", spec = "rng",
        { "rng: the last chunk is cut where the first is", "cut, min((long)CHUNK, end - c * CHUNK));",
            "cut, min((long)CHUNK, n - c * CHUNK));" },
        { "rng: what is drawn again is of the first four", "&from, at + 8, range, favoured);",
            "&from, at, range, favoured);" },
    },
    {
        file = "src/core/op/make/random_calls.c", spec = "rng",
        { "rng: streams begin where the first one is", "r->made = (lun_rng){.seed = r->stream->seed, .stream",
            "r->made = (lun_rng){.seed = r->stream->seed, .words = r->stream->words, .stream" },
        { "rng: a state of any array", "value->array->size != LUN_RNG_NUMBERS)", "false)" },
    },

    -- ---- snapshot -----------------------------------------------------------------------------------------------
    {
        file = "lua/lunarray/snapshot.lua", spec = "snapshot",
        { "snapshot: booleans are true", "return text == \"true\" end", "return text ~= \"\" end" },
        { "snapshot: the device's arrays", "local device = given.device or core.device()",
            "local device = core.device()" },
        { "snapshot: force = false is none that is given", "local force = options.force or nil",
            "local force = options.force" },
        { "snapshot: options of arrays are forgotten", "            options[name] = array\n", "" },
        { "snapshot: no variant may be given", "collide = true, variant = true,", "collide = true," },
        { "snapshot: merging is a function", "type(inner.options.collide) == \"function\"",
            "inner.options.collide ~= nil" },
        { "snapshot: the state is not looked at",
            "    core._steps(sim.pos, sim.vel, inner.options, \"simulation\", "
            .. "inner.state, 0, 0, 0, inner.force)\n    check_state", "    check_state" },
        { "snapshot: a state for a time of 0", "or values.steps > 0 and #arrays.pos > 0", "or #arrays.pos > 0" },
        { "snapshot: a collision function is forgotten", "values.has_function and options.collide == nil then",
            "false then" },
        { "snapshot: what the call gives stands behind the file", "    for name, value in pairs(given) do\n        "
            .. "options[name] = value\n",
            "    for name, value in pairs(given) do\n        options[name] = options[name] "
            .. "or value\n" },
        { "snapshot: the state of other softenings",
            "core._state_set(inner.state, saved.pos, saved.vel, inner.options.softening, saved.state)",
            "core._state_set(inner.state, saved.pos, saved.vel, nil, saved.state)" },
        { "snapshot: a header of several axes", "and header:ndim() == 1 and header:tobytes()", "and header:tobytes()" },
        { "snapshot: the time of steps", "if values.has_force ~= (force ~= nil) then", "if values.has_force then" },
    },
    {
        file = "lua/lunarray/simulation.lua", spec = "snapshot",
        { "snapshot: steps begin at 0", "saved.options, force, saved.steps)", "saved.options, force, 0)" },
    },

    -- ---- collide ------------------------------------------------------------------------------------------------
    {
        file = "lua/lunarray/collide.lua", spec = "collide",
        { "collide: bodies that touch", ":lt(reach * reach)", ":le(reach * reach)" },
        { "collide: bodies at rest do not meet", ":land((x * u + y * v + z * w):le(0))",
            ":land((x * u + y * v + z * w):lt(0))" },
        { "collide: candidates are looked at in one go", "first + MOST_CANDIDATES - 1, candidates)",
            "first + MOST_CANDIDATES, candidates)" },
        { "collide: the user's radii", "radius = radius:copy()\n    end\n    misuse",
            "radius = radius:contiguous()\n    end\n    misuse" },
        { "collide: the user's softenings", "inner.options.softening = inner.options.softening:copy()",
            "inner.options.softening = inner.options.softening:contiguous()" },
        { "collide: velocities of the last body", "vel[c] = vel[c] + share * row.vel[c]", "vel[c] = row.vel[c]" },
        { "collide: massless bodies share nothing", "mass == 0 and 1 / #group or row.mass / mass", "row.mass / mass" },
        { "collide: those that are gone go on to meet", "if not gone[i] and not gone[j] then", "if true then" },
        { "collide: first and second swapped", "first = { true, false }, second = { false, true }",
            "first = { false, true }, second = { true, false }" },
        { "collide: rows behind the last body stay", "    rest:fill(0)\n", "" },
        { "collide: one pair stops at most", "stops[#stops + 1] = pair", "stops[1] = pair" },
        { "collide: pairs are in no order",
            "    table.sort(list, function(a, b) return a[1] < b[1] or a[1] == b[1] and a[2] < "
            .. "b[2] end)\n", "" },
        { "collide: the largest number of classes", "CLASSES - 1):cast", "CLASSES):cast" },
    },
}
