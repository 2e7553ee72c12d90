/* Scans on CPUs and on GPUs: how lines are shared out, and the launches. */
#include "op/fold/fold_tuning.h"
#include "op/fold/scan_array.h"
#include "op/planning.h"

#include <stdio.h>
#include <stdlib.h>

/* The kernels of a form: the sums of parts, what the parts begin with (NULL: the last kernel adds the sums up), the scan. */
typedef struct scan_names {
    const char *sums, *starts, *scan;
} scan_names;

/* How many groups run each. */
typedef struct scan_launches {
    const scan_names *names;
    launch sums, starts, scan;
} scan_launches;

static lun_status launch_all(plan *out, const variant *row, scan_launches *l, const scan_problem *p,
                             const scan_shape *s, const char *defines, lun_error *err)
{
    const bool parts = s->parts > 1;
    const lun_block *in = p->in->block;
    lun_block *sums;
    TRY(reduce_kernel(&l->scan.kernel, p->row, p->in, row->file, l->names->scan, defines, err));
    if (parts)
        TRY(reduce_kernel(&l->sums.kernel, p->row, p->in, row->file, l->names->sums, defines, err));
    if (parts && l->names->starts)
        TRY(reduce_kernel(&l->starts.kernel, p->row, p->in, row->file, l->names->starts, defines, err));
    TRY(reduce_partial(&sums, out, parts ? (size_t)(s->places * s->parts * s->columns) : 0, scan_accumulator_bytes(p),
                       err));
    if (parts)
        TRY(plan_launch(out, &l->sums, ARGS(ARG_BLOCK(sums), ARG_BLOCK(in), ARG_VALUE(s)), err));
    if (parts && l->names->starts)
        TRY(plan_launch(out, &l->starts, ARGS(ARG_BLOCK(sums), ARG_VALUE(s)), err));
    return plan_launch(out, &l->scan, ARGS(ARG_BLOCK(p->out->block), ARG_BLOCK(sums), ARG_BLOCK(in), ARG_VALUE(s)),
                       err);
}

static bool are_multiples(const layout *l, int64_t first, int64_t step, size_t of)
{
    bool all = first % (int64_t)of == 0 && step % (int64_t)of == 0;
    for (int i = 0; i < (int)l->ndim; i++)
        all = all && l->stride[i] % (int64_t)of == 0;
    return all;
}

/* ---- CPUs ----------------------------------------------------------------------------------------------------------- */

static bool goes_past_cache(const scan_problem *p)
{
    return passes_cache(p->in->device, lun_array_bytes(p->in) + lun_array_bytes(p->out));
}

bool scan_cpu_applies(const lun_device *device, const void *data)
{
    return variant_on_cpu(device, data) && scan_is_of_neighbours(data);
}

/* Columns are cut into strips first, and only then into parts, whose elements are read twice. */
static void cut_columns(scan_shape *s, const scan_problem *p, size_t lanes, size_t wanted)
{
    const size_t vectors = ceil_div((size_t)s->columns, lanes), places = (size_t)s->places;
    const size_t strips =
        larger(ceil_div(vectors, SCAN_STRIP),
               smaller(ceil_div(wanted, places), ceil_div(vectors, fold_tuned(p->in->device)->scan.cpu_strip)));
    const size_t strip = ceil_div(vectors, strips);
    s->strip = (cl_long)(strip * lanes);
    s->strips = (cl_long)ceil_div(vectors, strip);
    const size_t pieces = places * (size_t)s->strips;
    if (pieces < wanted)
        scan_cut(s, ceil_div(4 * wanted, pieces),
                 larger(spread_tuned(p->in->device)->plain / (size_t)(s->strip), SCAN_RUN));
    s->past_cache = goes_past_cache(p) && s->columns % (cl_long)lanes == 0 &&
                    are_multiples(&s->outer_out, s->out, s->out_step, lanes);
}

/* `wanted` pieces of work are enough for all cores. */
static void cut_rows(scan_shape *s, const scan_problem *p, size_t lanes, size_t wanted)
{
    if ((size_t)s->places < wanted)
        scan_cut(s, ceil_div(4 * wanted, (size_t)s->places),
                 larger(spread_tuned(p->in->device)->plain, SCAN_RUN * lanes));
    s->past_cache = goes_past_cache(p);
}

static lun_status plan_cpu(plan *out, const variant *row, const scan_problem *p, lun_error *err)
{
    static const scan_names by_rows = {"scan_cpu_row_sums", NULL, "scan_cpu_rows"},
                            by_columns = {"scan_cpu_column_sums", NULL, "scan_cpu_columns"},
                            by_few = {"scan_cpu_few_sums", NULL, "scan_cpu_few"};
    const lun_device *device = out->op->device;
    const bool columns = !scan_is_rows(p);
    const size_t lanes = fold_cpu_lanes(device, larger(2, scan_accumulator_bytes(p))), work = p->in->size;
    const size_t wanted = smaller(2 * device->info.units, ceil_div(work, spread_tuned(device)->plain));
    char defines[80];
    scan_shape s = scan_shape_of(p, columns);
    s.strips = 1;
    (columns ? cut_columns : cut_rows)(&s, p, lanes, wanted);
    const size_t jobs = (size_t)(s.places * s.parts * s.strips);
    const launch groups = launch_spread(device, NULL, jobs, larger(1, jobs * spread_tuned(device)->plain / work));
    const bool few = columns && (size_t)s.columns < lanes;
    scan_launches l = {few ? &by_few : columns ? &by_columns : &by_rows, groups, groups, groups};
    int used =
        snprintf(defines, sizeof defines, "#define LANES %zu\n%s", lanes, scan_is_same(p) ? "#define SELVES 1\n" : "");
    if (few)
        snprintf(defines + used, sizeof defines - (size_t)used, "#define COLUMNS %d\n", (int)s.columns);
    return launch_all(out, row, &l, p, &s, defines, err);
}

lun_status scan_cpu_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    return scan_plan(out, row, data, plan_cpu, err);
}

/* ---- GPUs ----------------------------------------------------------------------------------------------------------- */

#define GPU_GROUPS ((size_t)1 << 20) /* of a launch, at most: they go on to further parts */

bool scan_gpu_applies(const lun_device *device, const void *data)
{
    return device->info.max_group >= fold_tuned(device)->scan.many_items && scan_is_of_neighbours(data);
}

launch scan_items(size_t groups, size_t items)
{
    return (launch){NULL, 1, {smaller(larger(groups, 1), GPU_GROUPS), 1, 1}, {items, 1, 1}};
}

static lun_status gpu_columns(plan *out, const variant *row, const scan_problem *p, const char *defines, lun_error *err)
{
    static const scan_names names = {"scan_gpu_column_sums", "scan_gpu_column_starts", "scan_gpu_columns"};
    scan_shape s = scan_shape_of(p, true);
    const size_t columns = (size_t)(s.places * s.columns);
    scan_cut(&s, ceil_div(out->op->device->info.units * fold_tuned(out->op->device)->scan.unit_items, columns),
             fold_tuned(out->op->device)->scan.column_part);
    const launch parts = scan_items(ceil_div(columns * (size_t)s.parts, SCAN_GPU_ITEMS), SCAN_GPU_ITEMS);
    scan_launches l = {&names, parts, scan_items(ceil_div(columns, SCAN_GPU_ITEMS), SCAN_GPU_ITEMS), parts};
    return launch_all(out, row, &l, p, &s, defines, err);
}

static lun_status gpu_short(plan *out, const variant *row, const scan_problem *p, const char *defines, lun_error *err)
{
    const scan_shape s = scan_shape_of(p, false);
    const size_t room = SCAN_GPU_ITEMS * (p->elements | 1) * scan_accumulator_bytes(p);
    launch groups = scan_items(ceil_div((size_t)s.places, SCAN_GPU_ITEMS), SCAN_GPU_ITEMS);
    TRY(reduce_kernel(&groups.kernel, p->row, p->in, row->file, "scan_gpu_short", defines, err));
    return plan_launch(out, &groups,
                       ARGS(ARG_BLOCK(p->out->block), ARG_BLOCK(p->in->block), ARG_VALUE(&s), ARG_LOCAL(room)), err);
}

bool scan_cut_rows(scan_rows_form *out, const scan_problem *p, const variant *row)
{
    const size_t bytes = scan_accumulator_bytes(p), vector = GPU_VECTOR / bytes;
    const scan_tuning *tuned = &fold_tuned(p->in->device)->scan;
    scan_shape s = scan_shape_of(p, false);
    out->items = p->elements <= tuned->few_items * SCAN_ROUNDS * vector ? tuned->few_items : tuned->many_items;
    scan_cut(&s, SIZE_MAX, out->items * SCAN_ROUNDS * vector);
    s.wide = s.step == 1 && s.out_step == 1 && are_multiples(&s.outer, s.in, 0, vector) &&
             are_multiples(&s.outer_out, s.out, 0, vector);
    out->shape = s;
    snprintf(out->defines, sizeof out->defines, "#define ITEMS %zu\n#define VECTOR %zu\n%s", out->items, vector,
             row->nvidia ? "#define NVIDIA 1\n" : "");
    return s.parts > 1;
}

static lun_status gpu_rows(plan *out, const variant *row, const scan_problem *p, const scan_rows_form *form,
                           lun_error *err)
{
    static const scan_names names = {"scan_gpu_row_sums", "scan_gpu_row_starts", "scan_gpu_rows"};
    const scan_shape *s = &form->shape;
    const launch parts = scan_items((size_t)(s->places * s->parts), form->items);
    scan_launches l = {&names, parts, scan_items((size_t)s->places, form->items), parts};
    return launch_all(out, row, &l, p, s, form->defines, err);
}

lun_status scan_gpu_lines(plan *out, const variant *row, const scan_problem *p, lun_error *err)
{
    const size_t bytes = scan_accumulator_bytes(p), lines = p->in->size / p->elements;
    scan_rows_form form;
    scan_cut_rows(&form, p, row);
    if (!scan_is_rows(p))
        return gpu_columns(out, row, p, form.defines, err);
    if (p->elements * bytes < fold_tuned(out->op->device)->scan.short_bytes && lines >= SCAN_GPU_ITEMS)
        return gpu_short(out, row, p, form.defines, err);
    return gpu_rows(out, row, p, &form, err);
}

lun_status scan_gpu_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    return scan_plan(out, row, data, scan_gpu_lines, err);
}
