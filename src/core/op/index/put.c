/* Putting values to flattened positions, and what adding there shares with it. */
#include "op/index/put.h"
#include "op/planning.h"

/* ---- what put and add_at share ---------------------------------------------------------------------------------- */

launch put_launch_ranges(const lun_device *device, cl_kernel kernel, const put_problem *p)
{
    launch ranges = launch_spread(device, kernel, p->index.size, spread_tuned(device)->indexed);
    ranges.groups[0] = smaller(ranges.groups[0], device->info.units);
    return ranges;
}

bool put_gpu_applies(const lun_device *device, const void *data)
{
    const put_problem *p = data;
    return device->info.max_group >= INDEX_GPU_ITEMS && (!p || p->array->size);
}

static lun_status check(const lun_array *array, const lun_array *index, lun_error *err)
{
    TRY(index_check(array, index, err));
    if (array_is_spread(array))
        FAIL(LUN_MISUSE, "the array is a broadcast view, whose elements are at several positions");
    if (lun_array_overlap(array, index))
        FAIL(LUN_MISUSE, "the index array shares elements with the array that is written; copy it first");
    return LUN_OK;
}

void put_find_shape(put_problem *p)
{
    p->shape = (put_shape){.dst = p->array->offset,
                           .index = p->index.offset,
                           .values = p->values.dense.offset,
                           .count = (cl_long)p->index.size,
                           .extent = (cl_long)p->array->size,
                           .step = !p->values.single,
                           .to = array_layout(p->array)};
}

lun_status put_run(const char *name, const variants *of, const lun_array *array, const lun_array *index,
                   const lun_values *values, lun_reduce_op op_of, const lun_call *call, lun_error *err)
{
    put_problem problem = {.array = array, .op = op_of, .named = call && call->variant};
    TRY(check(array, index, err));
    PLANNED(op, p, array->device, name, call);
    TRY(operation_reads_writes(&op, array, err));
    TRY(operation_reads(&op, index, err));
    TRY(index_use_values(&op, array, values, index->ndim, index->shape, err));
    operation_weigh(&op, 4 * index_weight(index->size));
    TRY(index_find_values(&problem.values, &p, array, values, index->ndim, index->shape, err));
    if (index->size) {
        TRY(index_dense(&problem.index, &p, index, index->dtype, index->ndim, index->shape, err));
        put_find_shape(&problem);
        TRY(index_plan_verdict(&p, array->size, err));
    }
    TRY(plan_variant(&p, of, index->size ? &problem : NULL, variant_named_of(call, array->dtype), err));
    index_quick(&op, index->size);
    return operation_run(&op, &p, err);
}

/* ---- the variants -------------------------------------------------------------------------------------------- */

static lun_status plan_plain(plan *out, const variant *row, const void *data, lun_error *err)
{
    const put_problem *p = data;
    const lun_device *device = out->op->device;
    const lun_dtype dtype = index_moved(p->array->dtype);
    cl_kernel kernel;
    TRY(index_kernel(&kernel, out, row, dtype, p->index.dtype, NULL, "put_plain", err));
    const launch groups = p->values.single ? launch_spread(device, kernel, p->index.size, spread_tuned(device)->indexed)
                                           : put_launch_ranges(device, kernel, p);
    return plan_launch(out, &groups,
                       ARGS(ARG_BLOCK(p->array->block), ARG_BLOCK(p->index.block), ARG_BLOCK(p->values.dense.block),
                            ARG_ELEMENT(&p->values, dtype), ARG_VALUE(&p->shape), ARG_VERDICT(out->op)),
                       err);
}

static lun_status plan_gpu_single(plan *out, const variant *row, const put_problem *p, lun_error *err)
{
    const lun_dtype dtype = index_moved(p->array->dtype);
    cl_kernel kernel;
    TRY(index_kernel(&kernel, out, row, dtype, p->index.dtype, NULL, "put_gpu_single", err));
    const launch groups = {kernel, 1, {ceil_div(p->index.size, INDEX_GPU_ITEMS), 1, 1}, {INDEX_GPU_ITEMS, 1, 1}};
    return plan_launch(out, &groups,
                       ARGS(ARG_BLOCK(p->array->block), ARG_BLOCK(p->index.block), ARG_BLOCK(p->values.dense.block),
                            ARG_ELEMENT(&p->values, dtype), ARG_VALUE(&p->shape), ARG_VERDICT(out->op)),
                       err);
}

/* Positions in a part of the index are counted in 32 bits; later parts overwrite what earlier ones have written. */
#ifdef LUN_FAULTS
#define PART ((size_t)1 << 10)
#else
#define PART ((size_t)1 << 31)
#endif

static lun_status plan_on_gpu(plan *out, const variant *row, const void *data, lun_error *err)
{
    const put_problem *p = data;
    const lun_dtype dtype = index_moved(p->array->dtype);
    put_shape part = p->shape;
    cl_kernel begin, own, write;
    lun_block *owner;
    if (p->values.single)
        return plan_gpu_single(out, row, p, err);
    TRY(index_kernel(&begin, out, row, dtype, p->index.dtype, NULL, "put_gpu_begin", err));
    TRY(index_kernel(&own, out, row, dtype, p->index.dtype, NULL, "put_gpu_own", err));
    TRY(index_kernel(&write, out, row, dtype, p->index.dtype, NULL, "put_gpu_write", err));
    TRY(operation_scratch(out->op, &owner, p->array->size * sizeof(cl_uint), err));
    for (size_t from = 0; from < p->index.size; from += PART) {
        part.from = (cl_long)from;
        part.count = (cl_long)smaller(PART, p->index.size - from);
        launch groups = {begin, 1, {ceil_div((size_t)part.count, INDEX_GPU_ITEMS), 1, 1}, {INDEX_GPU_ITEMS, 1, 1}};
        TRY(plan_launch(out, &groups,
                        ARGS(ARG_BLOCK(owner), ARG_BLOCK(p->index.block), ARG_VALUE(&part), ARG_VERDICT(out->op)),
                        err));
        groups.kernel = own;
        TRY(plan_launch(out, &groups, ARGS(ARG_BLOCK(owner), ARG_BLOCK(p->index.block), ARG_VALUE(&part)), err));
        groups.kernel = write;
        TRY(plan_launch(out, &groups,
                        ARGS(ARG_BLOCK(p->array->block), ARG_BLOCK(owner), ARG_BLOCK(p->index.block),
                             ARG_BLOCK(p->values.dense.block), ARG_VALUE(&part)),
                        err));
    }
    return LUN_OK;
}

/* gpu    an item to an index; of equal ones the last is found by atomics: GPUs; anywhere by name.
 * plain  an item owns a range of the array and looks at all indices: every device and view. */
static const variant rows[] = {
    {.name = "gpu", .file = "put_gpu", ON_GPU, .applies = put_gpu_applies, .plan = plan_on_gpu},
    {.name = "plain", .file = "put_plain", .applies = variant_anywhere, .plan = plan_plain},
};
const variants put_variants = {rows, COUNT(rows)};

lun_status lun_put(const lun_array *array, const lun_array *index, const lun_values *values, const lun_call *call,
                   lun_error *err)
{
    return put_run("put", &put_variants, array, index, values, 0, call, err);
}
