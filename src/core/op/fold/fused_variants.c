/* Ways to compute expressions with reductions in their midst in one kernel: the table of variants, and the launches of each. */
#include "op/fold/fold_tuning.h"
#include "op/fold/fused.h"
#include "op/planning.h"

#include <stdio.h>
#include <string.h>

static lun_status fused_kernel(cl_kernel *out, lun_device *device, const variant *row, const fused_form *form,
                               const char *more, lun_error *err)
{
    ENDED_BY(text_clear) text_builder defines = {0}, signature = {0};
    map_write_defines(&defines, &form->last);
    text_add(&defines, "%s", more);
    fused_write_signature(&signature, form);
    TRY(text_check(&defines, err));
    TRY(text_check(&signature, err));
    return program_kernel(out, device,
                          &(program_key){.file = row->file,
                                         .dtype = LUN_u8,
                                         .defines = defines.chars,
                                         .signature = signature.chars,
                                         .unoptimised = FOLD_UNOPTIMISED,
                                         .write = fused_write_text,
                                         .of = form},
                          row->file, err);
}

static lun_status launch_fused(plan *out, const launch *what, const fused_problem *f, lun_error *err)
{
    launch_arg args[2 + MAP_ARRAYS + MAP_NUMBERS];
    map_shape shape;
    size_t count = 0;
    args[count++] = (launch_arg)ARG_VALUE(&f->shape);
    args[count++] = (launch_arg)ARG_BYTES(&shape, map_pack_rows(&shape, &f->form.last, &f->rows));
    for (size_t k = 0; k < f->form.last.array_count; k++)
        args[count++] = (launch_arg)ARG_BLOCK(f->arrays[k]->block);
    for (size_t k = 0; k < f->last_expression.number_count; k++)
        args[count++] = f->numbers[k];
    return plan_launch(out, what, args, count, err);
}

/* Bytes of a row of all arrays that have one. */
static size_t row_bytes(const fused_problem *f)
{
    size_t bytes = 0;
    for (size_t k = 0; k < f->form.last.array_count; k++)
        bytes += f->form.last.inner[k] == INNER_SINGLE ? 0 : lun_dtype_bytes(f->arrays[k]->dtype);
    return bytes * (size_t)f->rows.columns;
}

/* ---- CPUs ---------------------------------------------------------------------------------------------------------- */

static unsigned fold_lanes(const fused_problem *f, const lun_device *device)
{
    return fold_cpu_lanes(device, fold_widest_number(&f->form.fold));
}

static bool cpu_applies(const lun_device *device, const void *data)
{
    const fused_problem *f = data;
    if (!f || !variant_on_cpu(device, data))
        return variant_on_cpu(device, data);
    const fold_tuning *tuned = fold_tuned(device);
    const size_t rows = (size_t)f->rows.rows, columns = (size_t)f->rows.columns;
    return columns >= fold_lanes(f, device) && row_bytes(f) <= tuned->fused_row &&
           (rows >= device->info.units * tuned->fused_unit || rows * columns <= spread_tuned(device)->plain);
}

/* The bytes of a column of all nodes that are to be kept; 0: there are none. */
static size_t find_kept(fused_form *form, const fused_problem *f, bool loads)
{
    size_t bytes = 0;
    fused_find_kept(form, loads);
    for (size_t i = 0; i < f->last_expression.node_count; i++)
        if (form->kept[i])
            bytes += lun_dtype_bytes(dtype_computed(f->last_types.value[i].dtype));
    return bytes;
}

/* Keeps `columns` values of each such node; 0: none. */
static void keep(fused_form *form, size_t columns)
{
    form->kept_columns = columns;
    if (!columns)
        memset(form->kept, 0, sizeof form->kept);
}

/* The least of first, 2 first, 4 first ... that is not less than `wanted`. */
static size_t doubled(size_t first, size_t wanted)
{
    while (first < wanted)
        first *= 2;
    return first;
}

static lun_status cpu_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    const fused_problem *f = data;
    const lun_device *device = out->op->device;
    const fold_tuning *tuned = fold_tuned(device);
    const size_t rows = (size_t)f->rows.rows, columns = (size_t)f->rows.columns;
    fused_form form = f->form;
    cl_kernel kernel;
    size_t widest, element;
    map_find_widest(&widest, &element, &form.last);
    form.fold.map.width = fold_lanes(f, device);
    form.last.width = fold_cpu_lanes(device, widest);
    form.fold.map.spread = form.last.spread = 1;
    form.fold.vectors = true;
    form.fold.leaf = (unsigned)tuned->cpu_leaf;
    while (form.fold.leaf > 1 && form.fold.leaf * form.fold.map.width > columns)
        form.fold.leaf /= 2;
    const bool streams = passes_cache(device, f->touched) && !map_is_in_place(&form.last);
    form.last.stream = streams ? form.last.width * (unsigned)lun_dtype_bytes(form.last.arrays[0]->dtype) : 0;
    const size_t bytes = find_kept(&form, f, false), most = bytes ? tuned->fused_kept / bytes : 0;
    keep(&form, columns <= most ? most : 0); /* rows of all lengths share a kernel */
    TRY(fused_kernel(&kernel, out->op->device, row, &form, "", err));
    const launch spread = launch_spread(device, kernel, rows, larger(1, spread_tuned(device)->plain / columns));
    return launch_fused(out, &spread, f, err);
}

/* ---- GPUs ---------------------------------------------------------------------------------------------------------- */

/* Work-items of a row. */
static size_t gpu_lanes(const fused_problem *f, const fold_tuning *tuned)
{
    const size_t columns = (size_t)f->rows.columns;
    size_t lanes = smaller(doubled(tuned->fused_lanes, ceil_div(columns, tuned->fused_values)), FOLD_ITEMS);
    while (lanes > columns)
        lanes /= 2;
    return lanes;
}

/* Bytes of local memory that the states of a group have, at most. */
static size_t gpu_states(const fused_problem *f)
{
    return f->form.fold.map.expression->result_count * FOLD_ITEMS * FOLD_STATE;
}

static bool gpu_applies(const lun_device *device, const void *data)
{
    const fused_problem *f = data;
    const fold_tuning *tuned = fold_tuned(device);
    if (device->info.max_group < FOLD_ITEMS || !f)
        return device->info.max_group >= FOLD_ITEMS;
    const size_t rows = (size_t)f->rows.rows, columns = (size_t)f->rows.columns;
    const bool short_row = ceil_div(columns, gpu_lanes(f, tuned)) <= tuned->fused_most;
    return gpu_states(f) <= device->info.local_memory && columns >= tuned->fused_least &&
           (short_row || (row_bytes(f) <= tuned->fused_row && rows >= device->info.units * tuned->fused_unit));
}

static lun_status gpu_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    const fused_problem *f = data;
    const fold_tuning *tuned = fold_tuned(out->op->device);
    const size_t lanes = gpu_lanes(f, tuned), lines = FOLD_ITEMS / lanes, columns = (size_t)f->rows.columns;
    const size_t each = columns / lanes, rest = columns % lanes != 0;
    const bool is_long = each + rest > tuned->fused_most;
    fused_form form = f->form;
    launch groups = {
        NULL, 1, {smaller(ceil_div((size_t)f->rows.rows, lines), (size_t)1 << 30), 1, 1}, {FOLD_ITEMS, 1, 1}};
    char defines[100];
    form.fold.map.width = form.last.width = form.fold.map.spread = form.last.spread = 1;
    form.fold.leaf = (unsigned)(is_long ? tuned->fused_values : each);
    const size_t bytes = is_long ? 0 : find_kept(&form, f, true) * (each + rest);
    keep(&form, bytes && bytes <= tuned->fused_registers ? each + rest : 0);
    snprintf(defines, sizeof defines,
             "#define LANES %zu\n#define LINES %zu\n#define FUSED_LONG %d\n#define FUSED_REST %zu\n", lanes, lines,
             is_long, rest);
    TRY(fused_kernel(&groups.kernel, out->op->device, row, &form, defines, err));
    return launch_fused(out, &groups, f, err);
}

/* ---- the table ------------------------------------------------------------------------------------------------------ */

/* Nothing is appended: the caller runs the passes. */
static lun_status plan_passes(plan *out, const variant *row, const void *data, lun_error *err)
{
    (void)out, (void)row, (void)data, (void)err;
    return LUN_OK;
}

/* cpu     a work-item computes rows, stage by stage, in vectors: CPUs.
 * gpu     a group computes rows: GPUs.
 * plain   the passes. */
static const variant rows[] = {
    {.name = "cpu", .file = "fused_cpu", ON_CPU, .applies = cpu_applies, .plan = cpu_plan},
    {.name = "gpu", .file = "fused_gpu", ON_GPU, .applies = gpu_applies, .plan = gpu_plan},
    {.name = "plain", .applies = variant_anywhere, .plan = plan_passes},
};
const variants fused_variants = {rows, COUNT(rows)};
