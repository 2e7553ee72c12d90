/* Ways to reduce segments and to scan by generated kernels: how lines are laid out and cut, and the launches. */
#include "op/fold/fold_tuning.h"
#include "op/fold/scan_array.h"
#include "op/planning.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST_GROUPS ((size_t)1 << 20)

/* ---- lines and parts --------------------------------------------------------------------------------------------- */

/* Makes the axis of the results the last one that places are found by. */
static void add_result_axis(fold_problem *p, const segments_problem *s)
{
    const lun_array *out = p->outs[0];
    const int64_t step = out->stride[s->axis];
    p->fold.size[p->fold.kept] = (cl_long)out->shape[s->axis];
    p->fold.out[0].stride[p->fold.kept] = s->reverse ? -step : step;
    if (s->reverse)
        p->fold.out[0].first += step * (int64_t)(out->shape[s->axis] - 1);
    p->fold.kept++;
}

/* Lets lines run from their ends. */
static void turn(fold_problem *p)
{
    for (size_t k = 0; k < p->form.map.array_count; k++) {
        map_array *array = &p->rows.array[k];
        int64_t *step = p->by_columns ? &array->outer[p->form.map.outer - 1] : &array->inner;
        array->first += *step * (p->fold.elements - 1);
        *step = -*step;
        p->form.map.inner[k] = map_inner_of(array->inner);
    }
    p->form.reversed = true;
}

static fold_problem lay_out(const segments_problem *s, bool by_columns)
{
    fold_problem p;
    fold_copy(&p, s->fold);
    fold_lay_out(&p, by_columns);
    if (s->reverse && p.reduced > 0)
        turn(&p);
    add_result_axis(&p, s);
    p.form.map.width = p.form.map.spread = 1;
    p.form.leaf = (unsigned)fold_tuned(p.outs[0]->device)->segments.leaf;
    p.fold.parts = 1;
    p.fold.strips = 1;
    p.fold.part = p.fold.elements;
    return p;
}

/* Cuts lines into parts of `least` elements or more, `wanted` of them where a line is long enough. */
static void cut(fold_problem *p, size_t wanted, size_t least)
{
    const size_t elements = (size_t)p->fold.elements, parts = larger(1, smaller(wanted, ceil_div(elements, least)));
    p->fold.part = (cl_long)larger(1, ceil_div(elements, parts));
    p->fold.parts = (cl_long)larger(1, ceil_div(elements, (size_t)p->fold.part));
}

/* From an element of a line to the next one in memory, and in *across from a line to the next. */
static int64_t step_of(int64_t *across, const fold_problem *p)
{
    const size_t by = fold_largest_input(p->form.map.expression);
    *across = p->kept > 0 ? p->kept_stride[by][p->kept - 1] : INT64_MAX;
    return p->reduced > 0 ? p->reduced_stride[by][p->reduced - 1] : 0;
}

/* ---- launches ------------------------------------------------------------------------------------------------------ */

/* The kernels of a variant: those of the parts, of what parts begin with, and of the scan. */
typedef struct segment_names {
    const char *file, *parts, *opens, *scan_parts, *scan;
} segment_names;

static const segment_names of_items = {"fold_segments", "fold_segment_parts", "fold_segment_opens", "fold_scan_parts",
                                       "fold_scan"},
                           of_groups = {"fold_segments_gpu", "fold_group_parts", "fold_group_opens",
                                        "fold_group_scan_parts", "fold_group_scan"};

/* How many work-items run the kernels for parts and for lines. */
typedef struct segment_kernels {
    const segment_names *names;
    char defines[120];
    launch at_parts, at_lines;
    lun_block *firsts; /* of groups: the first start of each part */
} segment_kernels;

/* Which of a file's kernels are compiled. */
static const char *only_define(const segments_problem *s)
{
    return s->scan ? "#define SEGMENTS_ONLY_SCAN 1\n" : "#define SEGMENTS_ONLY_SCAN 0\n";
}

typedef struct segment_launch {
    const char *file, *name;
    bool reads, writes; /* the inputs; the results */
    const launch *groups;
} segment_launch;

static lun_status add_launch(plan *out, const fold_problem *p, const segments_problem *s, const segment_kernels *k,
                             const segment_launch *l, lun_block *states, lun_error *err)
{
    const lun_expression *e = p->form.map.expression;
    const verdict *said = out->op->verdict;
    launch_arg args[11 + LUN_FOLD_ARRAYS + MAP_NUMBERS];
    map_shape shape;
    launch groups = *l->groups;
    size_t count = 0;
    TRY(fold_kernel(&groups.kernel, out->op->device, l->file, &p->form, k->defines, l->name, err));
    args[count++] = (launch_arg)ARG_BYTES(&p->fold, offsetof(fold_shape, out) + sizeof p->fold.out[0]);
    if (l->reads)
        args[count++] = (launch_arg)ARG_BYTES(&shape, map_pack_rows(&shape, &p->form.map, &p->rows));
    for (size_t i = 0; i < e->array_count && l->reads; i++)
        args[count++] = (launch_arg)ARG_BLOCK(e->arrays[i]->block);
    for (size_t i = 0; i < e->number_count && l->reads; i++)
        args[count++] = p->numbers[i];
    args[count++] = (launch_arg)ARG_BLOCK(l->writes ? p->outs[0]->block : NULL);
    args[count++] = (launch_arg)ARG_BLOCK(states);
    args[count++] = (launch_arg)ARG_VALUE(&s->shape);
    args[count++] = (launch_arg)ARG_BLOCK(s->starts);
    args[count++] = (launch_arg)ARG_BLOCK(k->firsts);
    args[count++] = said ? (launch_arg)ARG_MEM(verdict_memory(said)) : (launch_arg)ARG_MEM(NULL);
    args[count++] = (launch_arg)ARG_LONG(said ? said->place : 0);
    return plan_launch(out, &groups, args, count, err);
}

static lun_status launch_all(plan *out, const fold_problem *p, const segments_problem *s, const segment_kernels *k,
                             lun_error *err)
{
    const bool parts = p->fold.parts > 1;
    const size_t lines = (size_t)p->fold.outputs, states = lines * (size_t)p->fold.parts * (s->scan ? 1 : 2);
    const launch ends = launch_spread(out->op->device, NULL, larger(states / 2, p->outs[0]->size),
                                      fold_tuned(out->op->device)->segments.cpu_part);
    const segment_names *names = k->names;
    const segment_launch of_parts = {names->file, s->scan ? names->scan_parts : names->parts, true, !s->scan,
                                     &k->at_parts},
                         of_lines = {names->file, names->opens, false, false, &k->at_lines},
                         of_ends = {of_items.file, "fold_segment_ends", false, true, &ends},
                         of_scan = {names->file, names->scan, true, true, &k->at_parts};
    lun_block *scratch = NULL;
    if (!s->scan || parts) {
        TRY(operation_scratch(out->op, &scratch, states * fold_state_bytes(p->form.rows[0]), err));
        TRY(add_launch(out, p, s, k, &of_parts, scratch, err));
    }
    if (parts)
        TRY(add_launch(out, p, s, k, &of_lines, scratch, err));
    return add_launch(out, p, s, k, s->scan ? &of_scan : &of_ends, scratch, err);
}

/* ---- a work-item to a part ------------------------------------------------------------------------------------------ */

/* Rows one by one, or columns: on a CPU a strip of them. */
static lun_status plan_items(plan *out, const segments_problem *s, bool by_columns, lun_error *err)
{
    const lun_device *device = out->op->device;
    const segments_tuning *tuned = &fold_tuned(device)->segments;
    const bool cpu = device_group(device) == 1;
    const size_t strip = by_columns && cpu ? tuned->cpu_strip : 1;
    fold_problem p = lay_out(s, by_columns);
    p.fold.strips = (cl_long)ceil_div((size_t)p.fold.columns, strip);
    const size_t places = (size_t)(p.fold.outputs / p.fold.columns * p.fold.strips);
    const size_t each = cpu ? tuned->cpu_parts : tuned->gpu_parts * (by_columns ? 8 : 1);
    cut(&p, ceil_div(device->info.units * each, larger(1, places)), cpu ? tuned->cpu_part / strip : tuned->gpu_part);
    const size_t chunk = larger(1, tuned->cpu_part / (strip * (size_t)p.fold.part));
    segment_kernels k = {.names = &of_items,
                         .at_parts = launch_spread(device, NULL, places * (size_t)p.fold.parts, chunk),
                         .at_lines = launch_spread(device, NULL, (size_t)p.fold.outputs, tuned->cpu_part / 8)};
    snprintf(k.defines, sizeof k.defines, "%s%s#define STRIP %zu\n", only_define(s),
             by_columns ? "#define BY_COLUMNS 1\n" : "", strip);
    return launch_all(out, &p, s, &k, err);
}

static lun_status plan_plain(plan *out, const variant *row, const void *data, lun_error *err)
{
    (void)row;
    return plan_items(out, data, false, err);
}

#define REPRODUCIBLE_PART 4096 /* elements, and those of a leaf: they are a part of the result */
#define REPRODUCIBLE_LEAF 8

/* A line's parts, and the order within them, are the same on every device. */
static lun_status plan_reproducible(plan *out, const variant *row, const void *data, lun_error *err)
{
    const segments_problem *s = data;
    fold_problem p = lay_out(s, false);
    (void)row;
    p.form.leaf = REPRODUCIBLE_LEAF;
    p.fold.strips = p.fold.columns;
    p.fold.part = REPRODUCIBLE_PART;
    p.fold.parts = (cl_long)larger(1, ceil_div((size_t)p.fold.elements, REPRODUCIBLE_PART));
    const size_t lines = (size_t)p.fold.outputs;
    segment_kernels k = {.names = &of_items,
                         .at_parts = launch_spread(out->op->device, NULL, lines * (size_t)p.fold.parts, 1),
                         .at_lines = launch_spread(out->op->device, NULL, lines, 1)};
    snprintf(k.defines, sizeof k.defines, "%s#define STRIP 1\n", only_define(s));
    return launch_all(out, &p, s, &k, err);
}

static bool columns_apply(const lun_device *device, const void *data)
{
    const segments_problem *s = data;
    int64_t across;
    if (!s)
        return true;
    if (!map_is_real(&s->fold->form.map))
        return false;
    const fold_problem *p = s->fold;
    const int64_t step = step_of(&across, p);
    return p->kept > 0 && p->reduced > 0 && p->kept_size[p->kept - 1] >= fold_tuned(device)->segments.least_columns &&
           llabs(across) < llabs(step);
}

static lun_status plan_columns(plan *out, const variant *row, const void *data, lun_error *err)
{
    (void)row;
    return plan_items(out, data, true, err);
}

/* ---- a group to a part ---------------------------------------------------------------------------------------------- */

static bool groups_apply(const lun_device *device, const void *data)
{
    const segments_problem *s = data;
    int64_t across;
    if (device->info.max_group < fold_tuned(device)->segments.reduce_items)
        return false;
    if (!s)
        return true;
    if (!map_is_real(&s->fold->form.map))
        return false;
    return !fold_is_binned(s->fold->form.rows[0]) &&
           s->fold->fold.elements >= (cl_long)fold_tuned(device)->segments.least_grouped &&
           llabs(step_of(&across, s->fold)) == 1;
}

static lun_status find_firsts(plan *out, const fold_problem *p, const segments_problem *s, segment_kernels *k,
                              lun_error *err)
{
    const size_t count = (size_t)p->fold.parts + 1, items = k->at_parts.local[0];
    const launch groups = {NULL, 1, {smaller(ceil_div(count, items), MOST_GROUPS), 1, 1}, {items, 1, 1}};
    const segment_launch firsts = {of_groups.file, "fold_group_firsts", false, false, &groups};
    TRY(operation_scratch(out->op, &k->firsts, count * sizeof(cl_long), err));
    return add_launch(out, p, s, k, &firsts, NULL, err);
}

static lun_status plan_by_groups(plan *out, const variant *row, const void *data, lun_error *err)
{
    const segments_problem *s = data;
    const segments_tuning *tuned = &fold_tuned(out->op->device)->segments;
    fold_problem p = lay_out(s, false);
    const size_t lines = (size_t)p.fold.outputs;
    const lun_dtype value = p.form.map.types->result[0];
    const size_t bytes = lun_dtype_bytes(fold_accumulator_dtype(p.form.rows[0], value, p.form.fp64));
    const size_t own = tuned->group_bytes / larger(4, larger(bytes, lun_dtype_bytes(dtype_computed(value))));
    const size_t most = s->scan ? tuned->scan_items : tuned->reduce_items;
    const size_t items = (size_t)p.fold.elements <= tuned->short_items * own ? tuned->short_items : most;
    (void)row;
    p.fold.part = (cl_long)(items * own);
    p.fold.parts = (cl_long)ceil_div((size_t)p.fold.elements, (size_t)p.fold.part);
    const size_t parts = smaller(lines * (size_t)p.fold.parts, MOST_GROUPS);
    segment_kernels k = {.names = &of_groups,
                         .at_parts = {NULL, 1, {larger(1, parts), 1, 1}, {items, 1, 1}},
                         .at_lines = {NULL, 1, {larger(1, smaller(lines, MOST_GROUPS)), 1, 1}, {items, 1, 1}}};
    snprintf(k.defines, sizeof k.defines, "%s#define ITEMS %zu\n#define OWN %zu\n%s", only_define(s), items, own,
             s->segments ? "#define SEGMENTED\n" : "");
    if (s->segments)
        TRY(find_firsts(out, &p, s, &k, err));
    return launch_all(out, &p, s, &k, err);
}

/* Scans of arrays as they are, by ops of scan.def (scan_array_variants.c, scan_once.c):
 * cpu     rows in vectors that are scanned in registers, columns in vectors side by side: CPUs.
 * nvidia  as once, with instructions of NVIDIA's by which the items of a warp hand values on, but not f32: NVIDIA's GPUs.
 * once    rows of some million elements in one pass over memory, the rest as gpu: GPUs whose groups go on while others wait for
 *         them; CPUs by name.
 * gpu     a group to a part of a row, a work-item to a part of a column or to a short row: GPUs; anywhere by name.
 * plain   as below.
 * Segments, and all other scans:
 * columns lines side by side: a work-item takes some of them, and in each the same part.
 * gpu     a group takes a part of a line, whose elements are neighbours: GPUs; anywhere by name.
 * plain   a work-item takes a part of a line: every device and view.
 * reproducible  as plain, with parts of one size: the same bits on every device. */
static const variant rows[] = {
    {.name = "cpu", .file = "scan_cpu", ON_CPU, .applies = scan_cpu_applies, .plan = scan_cpu_plan},
    {.name = "nvidia", .file = "scan_gpu", ON_NVIDIA(7), .applies = scan_nvidia_applies, .plan = scan_once_plan},
    {.name = "once", .file = "scan_gpu", ON_GPU, .applies = scan_once_applies, .plan = scan_once_plan},
    {.name = "gpu", .file = "scan_gpu", ON_GPU, .applies = scan_gpu_applies, .plan = scan_gpu_plan},
    {.name = "plain", .file = "fold_segments", .applies = variant_anywhere, .plan = plan_plain},
    {.name = "reproducible",
     .file = "fold_segments",
     .by_name = true,
     .reproducible = true,
     .applies = variant_anywhere,
     .plan = plan_reproducible},
    {.name = "columns", .file = "fold_segments", .applies = columns_apply, .plan = plan_columns},
    {.name = "gpu", .file = "fold_segments_gpu", ON_GPU, .applies = groups_apply, .plan = plan_by_groups},
    {.name = "plain", .file = "fold_segments", .applies = variant_anywhere, .plan = plan_plain},
    {.name = "reproducible",
     .file = "fold_segments",
     .by_name = true,
     .reproducible = true,
     .applies = variant_anywhere,
     .plan = plan_reproducible},
};
#define OF_ARRAYS 6
const variants scan_variants = {rows, OF_ARRAYS}, segments_variants = {rows + OF_ARRAYS, COUNT(rows) - OF_ARRAYS};
