/* The triangles of matrices. */
#include "op/move/arranging.h"
#include "op/move/move_tuning.h"
#include "op/planning.h"

#include <string.h>

typedef struct triangle_problem {
    const lun_array *out, *in;
    bool upper; /* the zeros lie below diagonal k, not above it */
    int64_t k;
} triangle_problem;

/* All axes but the last: one element for each row. */
static lun_array first_column(const lun_array *array)
{
    lun_array column = part_of(array, array->ndim - 1, 0, 1);
    column.ndim--;
    return column;
}

static lun_status find_kernel(cl_kernel *out, const variant *row, const triangle_problem *p, lun_error *err)
{
    const program_key key = {.file = row->file, .dtype = dtype_of_bytes(lun_dtype_bytes(p->out->dtype))};
    return program_kernel(out, p->out->device, &key, row->file, err);
}

/* ---- one pass, on CPUs --------------------------------------------------------------------------------------- */

static bool has_long_rows(const lun_array *array)
{
    return array->stride[array->ndim - 1] == 1 &&
           array->shape[array->ndim - 1] >= move_tuned(array->device)->triangle_columns;
}

static bool cpu_applies(const lun_device *device, const void *data)
{
    const triangle_problem *p = data;
    return variant_on_cpu(device, data) && (!p || (has_long_rows(p->out) && has_long_rows(p->in)));
}

static lun_status plan_on_cpu(plan *out, const variant *row, const void *data, lun_error *err)
{
    const triangle_problem *p = data;
    const lun_array to = first_column(p->out), from = first_column(p->in);
    const size_t columns = p->out->shape[to.ndim], bytes = lun_array_bytes(p->out);
    const lun_device *device = out->op->device;
    layout both[2];
    cl_kernel kernel;
    TRY(find_kernel(&kernel, row, p, err));
    shape_layouts(both, to.ndim, to.shape, (const lun_array *const[]){&to, &from}, 2);
    const bool is_long = columns * lun_dtype_bytes(p->out->dtype) >= move_tuned(device)->triangle_row;
    const cl_int upper = p->upper, streams = is_long && passes_cache(device, 2 * bytes);
    const launch spread = launch_spread(device, kernel, to.size, ceil_div(spread_tuned(device)->plain, columns));
    return plan_launch(out, &spread,
                       ARGS(ARG_BLOCK(to.block), ARG_LONG(to.offset), ARG_VALUE(&both[0]), ARG_BLOCK(from.block),
                            ARG_LONG(from.offset), ARG_VALUE(&both[1]), ARG_LONG(to.size),
                            ARG_LONG(to.shape[to.ndim - 1]), ARG_LONG(columns), ARG_LONG(p->k), ARG_VALUE(&upper),
                            ARG_VALUE(&streams)),
                       err);
}

/* ---- a copy, and zeros in the other triangle ------------------------------------------------------------------- */

/* How many neighbouring work-items share a row: all of a group, or as many as a short row has columns. */
static size_t find_width(size_t group, size_t columns)
{
    size_t width = 1;
    while (width < group && width < columns)
        width *= 2;
    return width;
}

static lun_status plan_anywhere(plan *out, const variant *row, const void *data, lun_error *err)
{
    const triangle_problem *p = data;
    const lun_array rows = first_column(p->out);
    const int last = rows.ndim;
    const size_t columns = p->out->shape[last], width = find_width(device_group(out->op->device), columns);
    const layout all = array_layout(&rows);
    const cl_int upper = p->upper;
    cl_kernel kernel;
    TRY(find_kernel(&kernel, row, p, err));
    if (p->in != p->out)
        TRY(plan_array_copy(out, p->out, p->in, err));
    const launch spread = launch_spread(out->op->device, kernel, rows.size * width,
                                        ceil_div(spread_tuned(out->op->device)->plain, columns));
    return plan_launch(out, &spread,
                       ARGS(ARG_BLOCK(rows.block), ARG_LONG(rows.offset), ARG_VALUE(&all), ARG_LONG(rows.size),
                            ARG_LONG(rows.shape[last - 1]), ARG_LONG(columns), ARG_LONG(p->out->stride[last]),
                            ARG_LONG(p->k), ARG_VALUE(&upper), ARG_LONG(width)),
                       err);
}

/* cpu    one pass: long rows without gaps in both arrays, on CPUs.
 * plain  a copy, then zeros in rows that neighbouring work-items share: every device and view. */

static const variant rows[] = {
    {.name = "cpu", .file = "triangle_cpu", ON_CPU, .applies = cpu_applies, .plan = plan_on_cpu},
    {.name = "plain", .file = "triangle_plain", .applies = variant_anywhere, .plan = plan_anywhere},
};
static const variants triangle_variants = {rows, COUNT(rows)};

lun_status plan_array_triangle(plan *p, const lun_array *out, const lun_array *in, bool upper, int64_t k,
                               lun_error *err)
{
    return out->size ? plan_variant(p, &triangle_variants, &(triangle_problem){out, in, upper, k}, NULL, err) : LUN_OK;
}

/* ---- the call ---------------------------------------------------------------------------------------------------- */

/* Beyond the corners every diagonal is as good as the first beyond. */
static int64_t nearest(int64_t k, const lun_array *array)
{
    const int64_t below = -(int64_t)array->shape[array->ndim - 2], right = (int64_t)array->shape[array->ndim - 1];
    return k < below ? below : k > right ? right : k;
}

lun_status lun_triangle(const lun_array *out, const lun_array *array, bool upper, int64_t k, const lun_call *call,
                        lun_error *err)
{
    ENDED_BY(arrange_clear) arranging a = {0};
    TRY(array_check_live(array, "the array", err));
    if (array->ndim < 2)
        FAIL(LUN_MISUSE, "an array with 2 axes or more is needed; this one has %d", array->ndim);
    const arranged result = arranged_like(array);
    TRY(arrange_begin(&a, upper ? "triu" : "tril", out, &result, &array, 1, call, err));
    if (out->size) {
        const triangle_problem problem = {out, array, upper, nearest(k, array)};
        TRY(plan_variant(&a.plan, &triangle_variants, &problem, NULL, err));
    }
    return operation_run(&a.op, &a.plan, err);
}
