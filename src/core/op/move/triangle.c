/* The triangles of matrices: a copy, and zeros in the other triangle. */
#include "base/dtype.h"
#include "base/error.h"
#include "device/device.h"
#include "device/program.h"
#include "memory/block.h"
#include "op/move/arrange.h"

#include <string.h>

#define LEAST_A_CHUNK 16384 /* elements a work-item gets at least on a CPU */

typedef struct triangle_problem {
    const lun_array *out;
    bool below; /* of the diagonal are the zeros, not above it */
    int64_t k;
} triangle_problem;

/* How many neighbouring work-items share a row: all of a group, or as many as a short row has columns. */
static size_t find_width(size_t group, size_t columns)
{
    size_t width = 1;
    while (width < group && width < columns)
        width *= 2;
    return width;
}

static lun_status plan_plain(plan *out, const variant *row, const void *data, lun_error *err)
{
    lun_status status = LUN_OK;
    const triangle_problem *p = data;
    const lun_array *a = p->out;
    const int last = a->ndim - 1;
    const program_key key = {.file = row->file, .dtype = dtype_of_bytes(lun_dtype_bytes(a->dtype))};
    const lun_device *device = out->op->device;
    cl_kernel kernel;
    lun_array first_column = part_of(a, last, 0, 1);
    first_column.ndim = last;
    const layout all = array_layout(&first_column);
    const size_t width = find_width(device_group(device), a->shape[last]);
    const cl_int below = p->below;
    TRY(program_kernel(&kernel, out->op->device, &key, row->file, err));
    const launch spread =
        launch_spread(device, kernel, first_column.size * width, ceil_div(LEAST_A_CHUNK, a->shape[last]));
    TRY(plan_launch(out, &spread,
                    ARGS(ARG_BLOCK(a->block), ARG_LONG(a->offset), ARG_VALUE(&all), ARG_LONG(first_column.size),
                         ARG_LONG(a->shape[last - 1]), ARG_LONG(a->shape[last]), ARG_LONG(a->stride[last]),
                         ARG_LONG(p->k), ARG_VALUE(&below), ARG_LONG(width)),
                    err));
done:
    return status;
}

/* plain  rows, shared by neighbouring work-items: every device and view. */
static const variant rows[] = {{"plain", "triangle_plain", 0, 0, false, variant_anywhere, plan_plain}};
static const variants triangle_variants = {rows, COUNT(rows)};

/* Beyond the corners every diagonal is as good as the first beyond. */
static int64_t nearest(int64_t k, const lun_array *array)
{
    const int64_t rows_down = (int64_t)array->shape[array->ndim - 2], columns = (int64_t)array->shape[array->ndim - 1];
    return k < -rows_down ? -rows_down : k > columns ? columns : k;
}

lun_status lun_triangle(const lun_array *out, const lun_array *array, bool upper, int64_t k, const lun_call *call,
                        lun_error *err)
{
    lun_status status = LUN_OK;
    arranging a = {0};
    TRY(array_check_live(array, "the array", err));
    if (array->ndim < 2)
        FAIL(LUN_MISUSE, "an array with 2 axes or more is wanted; this one has %d", array->ndim);
    const arranged result = arranged_like(array);
    TRY(arrange_begin(&a, upper ? "triu" : "tril", out, &result, &array, 1, call, err));
    if (out->size) {
        const triangle_problem problem = {.out = out, .below = upper, .k = nearest(k, array)};
        TRY(plan_array_copy(&a.plan, out, array, err));
        TRY(plan_variant(&a.plan, &triangle_variants, &problem, NULL, err));
    }
    TRY(operation_run(&a.op, &a.plan, err));
done:
    arrange_clear(&a);
    return status;
}
