/* Ways to reduce expressions: the table of variants, and the kernels and launches of each. */
#include "op/fold/fold.h"
#include "op/fold/fold_states.h"
#include "op/fold/fold_tuning.h"
#include "op/fold/reduce_array.h"
#include "op/planning.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- kernels and launches --------------------------------------------------------------------------------------- */

/* The arguments of results: the outputs, and where the states of parts go. */
static size_t add_results(launch_arg *args, const fold_problem *p, lun_block *const *partial)
{
    size_t count = 0;
    for (size_t k = 0; k < p->form.map.expression->result_count; k++) {
        args[count++] = (launch_arg)ARG_BLOCK(p->outs[k]->block);
        if (p->form.state_of[k] == k)
            args[count++] = (launch_arg)ARG_BLOCK(partial[k]);
    }
    return count;
}

#define MOST_ARGS (3 + LUN_FOLD_ARRAYS + MAP_NUMBERS + 2 * FOLD_RESULTS)

/* How many work-items join the parts of an output, and how many outputs a group of them makes; or does the kernel take
 * tickets, by which the parts are joined within it? */
typedef struct joining {
    size_t joiners, joined;
    bool takes_tickets, tickets;
} joining;

/* Appends the kernel, and where outputs are made of parts, the one that joins them. */
static lun_status launch_fold(plan *out, const char *file, const launch *what, const fold_problem *p,
                              const char *defines, joining by, lun_error *err)
{
    const lun_expression *e = p->form.map.expression;
    launch_arg args[MOST_ARGS];
    map_shape shape;
    lun_block *partial[FOLD_RESULTS] = {NULL};
    cl_kernel join = NULL;
    size_t count = 0;
    const size_t states = (size_t)(p->fold.outputs * p->fold.parts);
    const launch_arg fold = ARG_BYTES(&p->fold, offsetof(fold_shape, out) + e->result_count * sizeof p->fold.out[0]);
    if (p->fold.parts > 1 && !by.tickets)
        TRY(fold_kernel(&join, out->op->device, file, &p->form, defines, "fold_join", err));
    for (size_t k = 0; k < e->result_count; k++)
        if (p->fold.parts > 1 && p->form.state_of[k] == k)
            TRY(operation_scratch(out->op, &partial[k], states * fold_state_bytes(p->form.rows[k]), err));
    args[count++] = fold;
    args[count++] = (launch_arg)ARG_BYTES(&shape, map_pack_rows(&shape, &p->form.map, &p->rows));
    for (size_t k = 0; k < e->array_count; k++)
        args[count++] = (launch_arg)ARG_BLOCK(e->arrays[k]->block);
    for (size_t k = 0; k < e->number_count; k++)
        args[count++] = p->numbers[k];
    count += add_results(args + count, p, partial);
    if (by.takes_tickets)
        args[count++] = by.tickets ? (launch_arg)ARG_COUNTERS : (launch_arg)ARG_BLOCK((lun_block *)NULL);
    TRY(plan_launch(out, what, args, count, err));
    if (join) {
        const size_t jobs = ceil_div((size_t)p->fold.outputs, by.joined);
        const launch groups = {join, 1, {smaller(jobs, 65535), 1, 1}, {by.joiners * by.joined, 1, 1}};
        args[0] = fold;
        count = 1 + add_results(args + 1, p, partial);
        TRY(plan_launch(out, &groups, args, count, err));
    }
    return LUN_OK;
}

/* Cuts outputs into at least `wanted` parts each, of whole `step`s, and so that chains stay short. */
static void cut(fold_problem *p, size_t wanted, size_t step)
{
    const size_t elements = (size_t)p->fold.elements, most = step * FOLD_CHAIN * FOLD_CHAIN;
    const size_t parts = larger(smaller(wanted, ceil_div(elements, step)), ceil_div(elements, most));
    const size_t part = parts > 1 ? ceil_div(ceil_div(elements, parts), step) * step : elements;
    p->fold.part = (cl_long)part;
    p->fold.parts = elements ? (cl_long)ceil_div(elements, part) : 1;
}

void fold_copy(fold_problem *out, const fold_problem *p)
{
    memcpy(out, p, offsetof(fold_problem, rows));
    memcpy(out->kept_size, p->kept_size, sizeof *p - offsetof(fold_problem, kept_size));
}

unsigned fold_cpu_lanes(const lun_device *device, size_t bytes)
{
    return (unsigned)larger(2, smaller(larger(4, device->info.vector_f32) * sizeof(float) / bytes, 16));
}

size_t fold_widest_number(const fold_form *form)
{
    size_t widest, element;
    map_find_widest(&widest, &element, &form->map);
    for (size_t k = 0; k < form->map.expression->result_count; k++) {
        const fold_types types = fold_types_of(form, k);
        widest = larger(widest, lun_dtype_bytes(fold_leaf_dtype(form->rows[k], types.value, types.accumulator)));
    }
    return widest;
}

/* Are neighbours in memory better taken for different outputs? `run`: elements below which a row is short. */
static bool prefers_columns(const fold_problem *p, size_t run)
{
    const size_t by = fold_largest_input(p->form.map.expression);
    if (p->kept == 0 || p->kept_size[p->kept - 1] < run)
        return false;
    const bool short_rows = p->reduced == 0 || p->reduced_size[p->reduced - 1] < run;
    return short_rows || llabs(p->kept_stride[by][p->kept - 1]) < llabs(p->reduced_stride[by][p->reduced - 1]);
}

/* ---- plain -------------------------------------------------------------------------------------------------------- */

static lun_status plan_plain(plan *out, const variant *row, const void *data, lun_error *err)
{
    fold_problem p;
    fold_copy(&p, data);
    const lun_device *device = out->op->device;
    cl_kernel kernel;
    fold_lay_out(&p, false);
    map_take_rows(&p.form.map, &p.rows);
    p.form.map.width = p.form.map.spread = 1;
    p.form.leaf = 1;
    cut(&p, 1, 1); /* chains of chains of values */
    TRY(fold_kernel(&kernel, out->op->device, row->file, &p.form, "", "fold_plain", err));
    const launch spread = launch_spread(device, kernel, (size_t)(p.fold.outputs * p.fold.parts), 1);
    return launch_fold(out, row->file, &spread, &p, "", (joining){1, 1, false, false}, err);
}

/* ---- CPUs ---------------------------------------------------------------------------------------------------------- */

static size_t cpu_lanes(const fold_problem *p)
{
    return fold_cpu_lanes(p->outs[0]->device, fold_widest_number(&p->form));
}

static bool cpu_applies(const lun_device *device, const void *data)
{
    const fold_problem *p = data;
    const bool none = !p || p->outs == NULL;
    return variant_on_cpu(device, data) && (none || (map_is_real(&p->form.map) && !fold_is_mixed(p))) &&
           (none || prefers_columns(p, cpu_lanes(p)) ||
            (p->reduced > 0 && p->reduced_size[p->reduced - 1] >= cpu_lanes(p)));
}

static lun_status cpu_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    (void)row;
    fold_problem p;
    fold_copy(&p, data);
    const lun_device *device = out->op->device;
    cl_kernel kernel;
    const size_t lanes = cpu_lanes(&p), groups = device->info.units * 8;
    fold_lay_out(&p, prefers_columns(&p, lanes));
    map_take_rows(&p.form.map, &p.rows);
    const fold_tuning *tuned = fold_tuned(out->op->device);
    const char *file = p.by_columns ? "fold_cpu_columns" : "fold_cpu_rows";
    p.form.map.width = (unsigned)lanes;
    p.form.map.spread = 1;
    p.form.map.anywhere = true;
    p.form.vectors = true;
    p.form.leaf = (unsigned)tuned->cpu_leaf;
    const size_t vectors = fold_has_bins(&p.form) ? tuned->binned_strip : tuned->strip, strip = vectors * lanes;
    p.fold.strips = p.by_columns ? (cl_long)ceil_div((size_t)p.fold.columns, strip) : 1;
    const size_t places = (size_t)(p.by_columns ? p.fold.outputs / p.fold.columns * p.fold.strips : p.fold.outputs);
    const size_t work = (size_t)(p.fold.outputs * p.fold.elements);
    const size_t wanted = smaller(ceil_div(groups, places), ceil_div(work, places * spread_tuned(device)->plain));
    cut(&p, larger(wanted, 1), p.by_columns ? tuned->cpu_leaf : tuned->cpu_leaf * lanes);
    p.form.strip = p.by_columns ? (unsigned)vectors : 0;
    TRY(fold_kernel(&kernel, out->op->device, file, &p.form, "", file, err));
    const size_t jobs = places * (size_t)p.fold.parts;
    const launch spread = launch_spread(device, kernel, jobs, larger(1, jobs * spread_tuned(device)->plain / work));
    const joining by = {1, 1, true, p.fold.parts > 1 && places <= QUEUE_COUNTERS};
    return launch_fold(out, file, &spread, &p, "", by, err);
}

/* ---- GPUs ---------------------------------------------------------------------------------------------------------- */

typedef enum gpu_kind { GPU_ROWS, GPU_ORDERED, GPU_SHORT, GPU_COLUMNS } gpu_kind;

/* Each kind's kernel, and the number by which its file compiles that one alone. */
static const struct gpu_kernel {
    const char *name;
    int only;
} gpu_kernels[] = {{"fold_gpu_rows", 1}, {"fold_gpu_ordered", 0}, {"fold_gpu_short", 2}, {"fold_gpu_columns", 3}};

static bool gpu_applies(const lun_device *device, const void *data)
{
    const fold_problem *p = data;
    const bool takes = !p || !p->outs || (map_is_real(&p->form.map) && !fold_is_mixed(p));
    return takes && device->info.max_group >= FOLD_ITEMS && device->info.local_memory >= FOLD_ITEMS * FOLD_STATE * 4;
}

/* Work-items, at most `most`, whose states fit into local memory, which holds at least 32 KiB. */
static size_t items_of_states(const fold_problem *p, size_t most)
{
    size_t bytes = 0;
    for (size_t k = 0; k < p->form.map.expression->result_count; k++)
        bytes += p->form.state_of[k] == k && fold_is_binned(p->form.rows[k]) ? fold_state_bytes(p->form.rows[k]) : 0;
    while (most > 1 && most * bytes > fold_tuned(p->outs[0]->device)->local_states)
        most /= 2;
    return most;
}

/* A group for a row: that many work-items that each finds some leaves to do. */
static size_t row_items(const fold_problem *p)
{
    const fold_tuning *tuned = fold_tuned(p->outs[0]->device);
    const size_t most = items_of_states(p, FOLD_ITEMS);
    const size_t least =
        fold_has_bins(&p->form) ? tuned->binned_leaves * tuned->binned_leaf : tuned->row_leaves * tuned->row_leaf;
    size_t items = smaller(32, most);
    while (items < most && items * least < (size_t)p->rows.columns)
        items *= 2;
    return items;
}

static size_t gpu_leaf(const fold_problem *p, gpu_kind kind)
{
    const fold_tuning *tuned = fold_tuned(p->outs[0]->device);
    const bool bins = fold_has_bins(&p->form);
    if (kind == GPU_COLUMNS)
        return bins ? tuned->binned_leaf : tuned->column_leaf;
    if (kind == GPU_SHORT && bins)
        return tuned->binned_short_leaf;
    return bins ? tuned->binned_leaf : tuned->row_leaf;
}

/* The kind of a problem that is laid out. `bytes`: of the widest value. */
static gpu_kind find_kind(const fold_problem *p, const lun_device *device, size_t bytes)
{
    const fold_tuning *tuned = fold_tuned(device);
    size_t states = 0;
    if (p->by_columns)
        return GPU_COLUMNS;
    if (fold_is_ordered(p))
        return GPU_ORDERED;
    for (size_t k = 0; k < p->form.map.expression->result_count; k++)
        states += p->form.state_of[k] == k;
    const size_t room = states * tuned->short_items * (gpu_leaf(p, GPU_SHORT) + 1) * bytes;
    const bool few = (size_t)p->fold.elements < (fold_has_bins(&p->form) ? tuned->short_binned : tuned->short_plain);
    return few && room <= tuned->local_states && (size_t)p->fold.outputs >= device->info.units * tuned->unit_short
               ? GPU_SHORT
               : GPU_ROWS;
}

/* Cuts the outputs for that kind, and gives how many work-groups run the kernel. */
static launch gpu_groups(fold_problem *p, gpu_kind kind, size_t items, size_t units)
{
    const fold_tuning *tuned = fold_tuned(p->outs[0]->device);
    const size_t outputs = (size_t)p->fold.outputs, columns = (size_t)p->fold.columns;
    if (kind == GPU_SHORT) {
        cut(p, 1, (size_t)p->fold.elements);
        return (launch){NULL, 1, {smaller(ceil_div(outputs, items), (size_t)1 << 30), 1, 1}, {items, 1, 1}};
    }
    cut(p, larger(units * (kind == GPU_COLUMNS ? tuned->unit_columns : tuned->unit_groups) / outputs, 1),
        kind == GPU_COLUMNS ? p->form.leaf : p->form.leaf * items);
    const size_t jobs = outputs / columns * (size_t)p->fold.parts;
    if (kind == GPU_COLUMNS)
        return (launch){NULL, 2, {ceil_div(columns, items), smaller(jobs, 65535), 1}, {items, 1, 1}};
    return (launch){NULL, 1, {smaller(jobs, (size_t)1 << 30), 1, 1}, {items, 1, 1}};
}

/* A work-item joins some parts of an output; those that are left of a group join other outputs. */
static joining gpu_joining(const fold_problem *p)
{
    const fold_tuning *tuned = fold_tuned(p->outs[0]->device);
    const size_t most = items_of_states(p, tuned->joiners);
    size_t joiners = 1;
    while (joiners < most && joiners * tuned->joined < (size_t)p->fold.parts)
        joiners *= 2;
    return (joining){joiners, most / joiners, false, false};
}

static lun_status gpu_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    fold_problem p;
    fold_copy(&p, data);
    char defines[200];
    size_t computed, element;
    const fold_tuning *tuned = fold_tuned(out->op->device);
    const size_t units = out->op->device->info.units;
    fold_lay_out(&p, prefers_columns(&p, tuned->short_row));
    map_find_widest(&computed, &element, &p.form.map);
    const gpu_kind kind = find_kind(&p, out->op->device, computed);
    const char *file = kind == GPU_ORDERED ? "fold_gpu_ordered" : row->file;
    const size_t items = kind == GPU_COLUMNS ? tuned->column_items
                         : kind == GPU_SHORT ? tuned->short_items
                                             : row_items(&p);
    p.form.map.width = kind == GPU_COLUMNS || kind == GPU_SHORT ? 1 : (unsigned)(GPU_VECTOR / element);
    p.form.map.aligned = p.form.map.width > 1 && map_is_aligned(&p.form.map, &p.rows, p.form.map.width);
    if (kind == GPU_ORDERED && !p.form.map.aligned) /* an item's values are neighbours */
        p.form.map.width = 1;
    p.form.map.spread = p.form.map.width == 1 || p.form.map.aligned ? 1 : (unsigned)items;
    p.form.chains = kind != GPU_ORDERED;
    p.form.leaf = (unsigned)gpu_leaf(&p, kind);
    launch groups = gpu_groups(&p, kind, items, units);
    const joining by = gpu_joining(&p);
    snprintf(
        defines, sizeof defines,
        "#define ITEMS %zu\n#define SPREAD %u\n#define FOLD_JOINERS %zu\n#define FOLD_JOINED %zu\n#define FOLD_PARTED %d\n#define FOLD_ONLY %d\n",
        items, p.form.map.spread, by.joiners, by.joined, p.fold.parts > 1, gpu_kernels[kind].only);
    TRY(fold_kernel(&groups.kernel, out->op->device, file, &p.form, defines, gpu_kernels[kind].name, err));
    return launch_fold(out, file, &groups, &p, defines, by, err);
}

/* Of few elements: its program is built in half the time of the others', which is more than they gain. */
static bool is_few(const lun_device *device, const void *data)
{
    const fold_problem *p = data;
    return p && p->fold.outputs * p->fold.elements <= (cl_long)fold_tuned(device)->few;
}

/* ---- the tables ---------------------------------------------------------------------------------------------------- */

/* Arrays as they are, by rows of REDUCE (reduce_cpu.c, reduce_gpu.c), where doc/performance.md has what they gain:
 * cpu     long vectors of short rows (a few elements) or columns (neighbours go to different outputs).
 * nvidia  inline PTX: parts of an output are joined within the launch, items of a warp exchange values.
 * gpu     OpenCL C alone: a second launch joins the parts. Both take reduce_short.cl instead where the elements are small
 *         blocks, one behind another.
 * cpu     as below, which few elements are worth, too; and
 * plain   other views of a few elements.
 * All expressions and reductions:
 * cpu     a work-item reduces a part of an output, or of neighbouring outputs, in vectors.
 * gpu     a group reduces a part of an output, or each work-item a part of its own column.
 * plain   one element at a time, in their order. */
static const variant rows[] = {
    {.name = "cpu", .file = "reduce_cpu", ON_CPU, .applies = reduce_cpu_applies, .plan = reduce_cpu_plan},
    {.name = "nvidia", .file = "reduce_gpu", ON_NVIDIA(7), .applies = reduce_gpu_applies, .plan = reduce_gpu_plan},
    {.name = "gpu", .file = "reduce_gpu", ON_GPU, .applies = reduce_gpu_applies, .plan = reduce_gpu_plan},
    {.name = "cpu", ON_CPU, .applies = cpu_applies, .plan = cpu_plan},
    {.name = "plain", .file = "fold_plain", .applies = is_few, .plan = plan_plain},
    {.name = "cpu", ON_CPU, .applies = cpu_applies, .plan = cpu_plan},
    {.name = "gpu", .file = "fold_gpu", ON_GPU, .applies = gpu_applies, .plan = gpu_plan},
    {.name = "plain", .file = "fold_plain", .applies = variant_anywhere, .plan = plan_plain},
};
#define OF_ARRAYS 5
const variants reduce_variants = {rows, COUNT(rows)}, fold_variants = {rows + OF_ARRAYS, COUNT(rows) - OF_ARRAYS};

bool fold_is_plain(const fold_problem *p)
{
    const lun_expression *e = p->form.map.expression;
    const fold_row *row = p->form.rows[0];
    if (e->result_count > 1 || e->array_count > 1 || e->texts || e->reads || !fold_row_is_plain(row) ||
        e->nodes[e->results[0]].kind != LUN_NODE_ARRAY)
        return false;
    const lun_dtype dtype = e->arrays[0]->dtype;
    return dtype == p->form.map.types->result[0] && p->form.given[0] == fold_result_dtype(row, dtype, p->form.fp64);
}

const variants *fold_variants_for(const fold_problem *p)
{
    return fold_is_plain(p) ? &reduce_variants : &fold_variants;
}
