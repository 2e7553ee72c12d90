/* Taking elements by index, from the flattened array or along an axis. */
#include "op/index/index.h"
#include "op/planning.h"

#include <stdio.h>
#include <string.h>

typedef struct take_problem {
    const lun_array *in;
    lun_array out, index; /* dense */
    take_shape shape;
} take_problem;

/* ---- the form that variants get --------------------------------------------------------------------------------- */

/* The axes from..to-1 of the array, merged where they can be. */
static layout some_axes(const lun_array *array, int from, int to)
{
    lun_array part = *array;
    part.ndim = to - from;
    memmove(part.shape, array->shape + from, (size_t)part.ndim * sizeof part.shape[0]);
    memmove(part.stride, array->stride + from, (size_t)part.ndim * sizeof part.stride[0]);
    return array_layout(&part);
}

static size_t count_of(const size_t *shape, int from, int to)
{
    size_t count = 1;
    for (int i = from; i < to; i++)
        count *= shape[i];
    return count;
}

static void find_shape(take_problem *p, int axis)
{
    const lun_array *in = p->in;
    const int from = axis < 0 ? 0 : axis, to = axis < 0 ? in->ndim : axis + 1;
    p->shape = (take_shape){.dst = p->out.offset,
                            .index = p->index.offset,
                            .src = in->offset,
                            .outer_count = (cl_long)count_of(in->shape, 0, from),
                            .count = (cl_long)p->index.size,
                            .inner_count = (cl_long)count_of(in->shape, to, in->ndim),
                            .extent = (cl_long)count_of(in->shape, from, to),
                            .outer = some_axes(in, 0, from),
                            .axis = some_axes(in, from, to),
                            .inner = some_axes(in, to, in->ndim)};
}

/* ---- the variants ------------------------------------------------------------------------------------------- */

static lun_status launch_take(plan *out, const launch *what, const take_problem *p, const take_shape *shape,
                              lun_error *err)
{
    return plan_launch(out, what,
                       ARGS(ARG_BLOCK(p->out.block), ARG_BLOCK(p->index.block), ARG_BLOCK(p->in->block),
                            ARG_VALUE(shape), ARG_VERDICT(out->op)),
                       err);
}

static lun_status plan_plain(plan *out, const variant *row, const void *data, lun_error *err)
{
    const take_problem *p = data;
    cl_kernel kernel;
    TRY(index_kernel(&kernel, out, row, index_moved(p->in->dtype), p->index.dtype, NULL, "take_plain", err));
    const launch groups = launch_spread(out->op->device, kernel, p->out.size, spread_tuned(out->op->device)->indexed);
    return launch_take(out, &groups, p, &p->shape, err);
}

/* Is there something to take, and is each part of the source's axes one axis? */
static bool is_simple(const take_problem *p)
{
    return p->in->size && p->shape.outer.ndim <= 1 && p->shape.axis.ndim <= 1 && p->shape.inner.ndim <= 1;
}

static bool cpu_applies(const lun_device *device, const void *data)
{
    return variant_on_cpu(device, data) && (!data || is_simple(data));
}

static lun_status plan_on_cpu(plan *out, const variant *row, const void *data, lun_error *err)
{
    const take_problem *p = data;
    cl_kernel kernel;
    TRY(index_kernel(&kernel, out, row, index_moved(p->in->dtype), p->index.dtype, NULL, "take_cpu", err));
    const size_t rows = (size_t)(p->shape.outer_count * p->shape.count);
    const size_t least = spread_tuned(out->op->device)->indexed /
                         smaller((size_t)p->shape.inner_count, spread_tuned(out->op->device)->indexed);
    const launch groups = launch_spread(out->op->device, kernel, rows, least);
    return launch_take(out, &groups, p, &p->shape, err);
}

static bool gpu_applies(const lun_device *device, const void *data)
{
    return device->info.max_group >= INDEX_GPU_ITEMS && (!data || is_simple(data));
}

/* Takes dense rows as fewer, wider elements, up to 16 bytes, where all begin at multiples of that. Gives their bytes. */
static size_t widen(take_shape *s, size_t item)
{
    if (s->inner_count > 1 && s->inner.stride[0] != 1)
        return item;
    while (item < 16 && s->inner_count % 2 == 0 && s->dst % 2 == 0 && s->src % 2 == 0 && s->axis.stride[0] % 2 == 0 &&
           (s->outer_count == 1 || s->outer.stride[0] % 2 == 0)) {
        s->inner_count /= 2;
        s->dst /= 2;
        s->src /= 2;
        s->axis.stride[0] /= 2;
        s->outer.stride[0] /= 2;
        item *= 2;
    }
    return item;
}

static lun_status plan_on_gpu(plan *out, const variant *row, const void *data, lun_error *err)
{
    const take_problem *p = data;
    take_shape shape = p->shape;
    char defines[160];
    cl_kernel kernel;
    const lun_dtype dtype = index_moved(p->in->dtype);
    const size_t item = lun_dtype_bytes(dtype), wide = widen(&shape, item), each = INDEX_GPU_ITEMS * INDEX_GPU_EACH;
    const size_t elements = p->out.size * item / wide;
    static const char *const names[] = {[1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulong", [16] = "uint4"};
    snprintf(defines, sizeof defines, "#define WIDE %s\n#define POSITION %s\n%s%s", names[wide],
             elements < INT32_MAX ? "uint" : "ulong", shape.inner_count == 1 ? "#define SINGLE_ROWS 1\n" : "",
             shape.outer_count == 1 ? "#define SINGLE_OUTER 1\n" : "");
    TRY(index_kernel(&kernel, out, row, dtype, p->index.dtype, defines, "take_gpu", err));
    const launch groups = {kernel, 1, {ceil_div(elements, each), 1, 1}, {INDEX_GPU_ITEMS, 1, 1}};
    return launch_take(out, &groups, p, &shape, err);
}

/* cpu    runs of rows, in which elements are gathered: CPUs.
 * gpu    four elements a work-item, rows in 16 bytes: GPUs; anywhere by name. Both where each part of the axes is one axis.
 * plain  one element at a time: every device and view. */
static const variant rows[] = {
    {.name = "cpu", .file = "take_cpu", ON_CPU, .applies = cpu_applies, .plan = plan_on_cpu},
    {.name = "gpu", .file = "take_gpu", ON_GPU, .applies = gpu_applies, .plan = plan_on_gpu},
    {.name = "plain", .file = "take_plain", .applies = variant_anywhere, .plan = plan_plain},
};
const variants take_variants = {rows, COUNT(rows)};

/* ---- the calls -------------------------------------------------------------------------------------------------- */

lun_status lun_take_result(int *ndim, size_t *shape, const lun_array *in, const lun_array *index, int axis,
                           lun_error *err)
{
    TRY(index_check(in, index, err));
    const int before = axis < 0 ? 0 : axis, behind = axis < 0 ? 0 : in->ndim - axis - 1;
    *ndim = before + index->ndim + behind;
    if (*ndim > LUN_MAX_AXES)
        FAIL(LUN_MISUSE, "the result would have %d axes; at most %d are possible", *ndim, LUN_MAX_AXES);
    memcpy(shape, in->shape, (size_t)before * sizeof *shape);
    memcpy(shape + before, index->shape, (size_t)index->ndim * sizeof *shape);
    memcpy(shape + before + index->ndim, in->shape + in->ndim - behind, (size_t)behind * sizeof *shape);
    return LUN_OK;
}

static lun_status check_out(const lun_array *out, const lun_array *in, const lun_array *index, int axis, lun_error *err)
{
    int ndim;
    size_t shape[LUN_MAX_AXES];
    TRY(lun_take_result(&ndim, shape, in, index, axis, err));
    TRY(array_check_out(out, in, in->dtype, ndim, shape, err));
    TRY(array_check_apart(out, in, err));
    return array_check_apart(out, index, err);
}

/* Plans the taking into dense memory, and from there to `out` where that is not dense. */
static lun_status plan_take(plan *p, const lun_array *out, const lun_array *in, const lun_array *index, int axis,
                            const lun_call *call, lun_error *err)
{
    take_problem problem = {.in = in};
    TRY(index_dense(&problem.index, p, index, index->dtype, index->ndim, index->shape, err));
    TRY(plan_array_result(&problem.out, p, out, err));
    find_shape(&problem, axis);
    TRY(index_plan_verdict(p, (size_t)problem.shape.extent, err));
    TRY(plan_variant(p, &take_variants, &problem, variant_named(call), err));
    return plan_array_give(p, out, &problem.out, err);
}

lun_status lun_take(const lun_array *out, const lun_array *in, const lun_array *index, int axis, const lun_call *call,
                    lun_error *err)
{
    TRY(check_out(out, in, index, axis, err));
    PLANNED(op, p, in->device, "take", call);
    TRY(operation_touches(&op, ARRAYS(in, index), ARRAYS(out), err));
    operation_weigh(&op, index_weight(out->size));
    if (out->size)
        TRY(plan_take(&p, out, in, index, axis, call, err));
    else
        TRY(plan_variant(&p, &take_variants, NULL, variant_named(call), err));
    index_quick(&op, out->size);
    return operation_run(&op, &p, err);
}
