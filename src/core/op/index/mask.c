/* Choosing by a mask: counting what is true, and then choosing, telling the positions, or writing there. */
#include "op/index/index.h"
#include "op/planning.h"
#include "op/radix.h"

#include <stdio.h>
#include <string.h>

typedef enum mask_task { COUNT_TRUE, CHOOSE, POSITIONS, PUT } mask_task;

typedef struct mask_problem {
    mask_task task;
    lun_array mask;            /* dense */
    const lun_array *counts;   /* NULL: of one value, which needs no counts */
    const lun_array *out, *in; /* what is written: the result or the array; what is chosen from */
    index_values values;
    mask_shape shape;
} mask_problem;

static size_t blocks_of(const lun_array *mask) { return ceil_div(mask->size, MASK_BLOCK); }
size_t lun_mask_counts(const lun_array *mask) { return blocks_of(mask) + 1; }

/* ---- launches --------------------------------------------------------------------------------------------------- */

/* The kernels of a row's file, and how many groups run them. */
typedef struct mask_kernels {
    const variant *row;
    const char *names[4]; /* by task */
    launch groups;        /* but for the kernel */
} mask_kernels;

/* The dtype of the program: the mask's own where it may be any, else that of the elements that are moved. */
static lun_dtype program_dtype(const mask_problem *p)
{
    return p->task == COUNT_TRUE || p->task == POSITIONS ? p->mask.dtype : index_moved(p->out->dtype);
}

static lun_status find_kernel(cl_kernel *out, plan *p, const char *file, lun_dtype dtype, const char *name,
                              lun_error *err)
{
    return program_kernel(out, p->op->device, &(program_key){.file = file, .dtype = dtype}, name, err);
}

static lun_status launch_task(plan *out, const mask_kernels *kernels, const mask_problem *p, lun_error *err)
{
    launch groups = kernels->groups;
    const lun_array *counts = p->counts;
    TRY(find_kernel(&groups.kernel, out, kernels->row->file, program_dtype(p), kernels->names[p->task], err));
    switch (p->task) {
    case COUNT_TRUE:
        return plan_launch(out, &groups, ARGS(ARG_BLOCK(counts->block), ARG_BLOCK(p->mask.block), ARG_VALUE(&p->shape)),
                           err);
    case CHOOSE:
        return plan_launch(out, &groups,
                           ARGS(ARG_BLOCK(p->out->block), ARG_BLOCK(p->in->block), ARG_BLOCK(p->mask.block),
                                ARG_BLOCK(counts->block), ARG_VALUE(&p->shape)),
                           err);
    case POSITIONS:
        return plan_launch(
            out, &groups,
            ARGS(ARG_BLOCK(p->out->block), ARG_BLOCK(p->mask.block), ARG_BLOCK(counts->block), ARG_VALUE(&p->shape)),
            err);
    case PUT:
        return plan_launch(out, &groups,
                           ARGS(ARG_BLOCK(p->out->block), ARG_BLOCK(p->values.dense.block),
                                ARG_ELEMENT(&p->values, p->out->dtype), ARG_BLOCK(p->mask.block),
                                ARG_BLOCK(counts ? counts->block : NULL), ARG_VALUE(&p->shape), ARG_VERDICT(out->op)),
                           err);
    }
    return LUN_OK;
}

static lun_status plan_plain(plan *out, const variant *row, const void *data, lun_error *err)
{
    const mask_problem *p = data;
    const lun_device *device = out->op->device;
    const mask_kernels kernels = {row,
                                  {"mask_plain_count", "mask_plain_choose", "mask_plain_positions", "mask_plain_put"},
                                  launch_spread(device, NULL, (size_t)p->shape.blocks, 1)};
    launch scan = {.dims = 1, .groups = {1, 1, 1}, .local = {device_group(device), 1, 1}};
    TRY(launch_task(out, &kernels, p, err));
    if (p->task != COUNT_TRUE)
        return LUN_OK;
    TRY(find_kernel(&scan.kernel, out, row->file, p->mask.dtype, "mask_plain_scan", err));
    return plan_launch(out, &scan, ARGS(ARG_BLOCK(p->counts->block), ARG_VALUE(&p->shape)), err);
}

static bool gpu_applies(const lun_device *device, const void *data)
{
    (void)data;
    return device->info.max_group >= INDEX_GPU_ITEMS;
}

static lun_status plan_on_gpu(plan *out, const variant *row, const void *data, lun_error *err)
{
    const mask_problem *p = data;
    const mask_kernels kernels = {row,
                                  {"mask_gpu_count", "mask_gpu_choose", "mask_gpu_positions", "mask_gpu_put"},
                                  {NULL, 1, {larger((size_t)p->shape.blocks, 1), 1, 1}, {INDEX_GPU_ITEMS, 1, 1}}};
    TRY(launch_task(out, &kernels, p, err));
    if (p->task == COUNT_TRUE)
        TRY(radix_plan_scan(out, p->counts->block, (size_t)p->shape.blocks, err));
    return LUN_OK;
}

/* gpu    a group to a block of the mask: GPUs; anywhere by name.
 * plain  a work-item to a block of the mask: every device and view. */
static const variant rows[] = {
    {.name = "gpu", .file = "mask_gpu", ON_GPU, .applies = gpu_applies, .plan = plan_on_gpu},
    {.name = "plain", .file = "mask_plain", .applies = variant_anywhere, .plan = plan_plain},
};
const variants mask_variants = {rows, COUNT(rows)};

/* ---- counting --------------------------------------------------------------------------------------------------- */

static mask_shape shape_of(const lun_array *mask)
{
    return (mask_shape){.mask = mask->offset, .size = (cl_long)mask->size, .blocks = (cl_long)blocks_of(mask)};
}

static lun_status plan_count(plan *p, const lun_array *counts, const lun_array *dense, const char *name, lun_error *err)
{
    const mask_problem problem = {.task = COUNT_TRUE, .mask = *dense, .counts = counts, .shape = shape_of(dense)};
    return plan_variant(p, &mask_variants, &problem, name, err);
}

static lun_status check_counts(const lun_array *counts, const lun_array *mask, lun_error *err)
{
    TRY(array_check_live(mask, "the mask", err));
    TRY(array_check_live(counts, "the counts", err));
    const size_t wanted = lun_mask_counts(mask);
    if (counts->dtype != LUN_i64 || counts->size != wanted || !lun_array_is_contiguous(counts) || counts->offset)
        FAIL(LUN_MISUSE, "the counts do not fit the mask: got %zu %s of %s, expected %zu of i64", counts->size,
             counts->size == 1 ? "element" : "elements", lun_dtype_name(counts->dtype), wanted);
    return LUN_OK;
}

lun_status lun_mask_count(const lun_array *counts, const lun_array *mask, const lun_call *call, lun_error *err)
{
    lun_array dense;
    const lun_call quiet = {.queue = call ? call->queue : NULL};
    TRY(check_counts(counts, mask, err));
    PLANNED(op, p, mask->device, "mask", &quiet);
    TRY(operation_touches(&op, ARRAYS(mask), ARRAYS(counts), err));
    operation_weigh(&op, index_weight(mask->size));
    TRY(index_dense(&dense, &p, mask, mask->dtype, mask->ndim, mask->shape, err));
    TRY(plan_count(&p, counts, &dense, variant_named(call), err));
    index_quick(&op, mask->size);
    return operation_run(&op, &p, err);
}

/* ---- choosing --------------------------------------------------------------------------------------------------- */

lun_status lun_mask_check(const lun_array *array, const lun_array *mask, lun_error *err)
{
    char has[200], wanted[200];
    TRY(array_check_live(array, "the array", err));
    TRY(array_check_live(mask, "the mask", err));
    TRY(array_check_same_device(mask, array, "the mask", err));
    if (dtype_built(mask->dtype) != LUN_u8)
        FAIL(LUN_MISUSE, "the mask is %s; bool is needed, as comparisons give it, or u8", lun_dtype_name(mask->dtype));
    if (!shape_equal(mask, array))
        FAIL(LUN_MISUSE, "the mask has shape %s; the array has %s", array_shape_text(has, sizeof has, mask),
             array_shape_text(wanted, sizeof wanted, array));
    return LUN_OK;
}

static lun_status check_out(const lun_array *out, const lun_array *in, const lun_array *mask, lun_error *err)
{
    TRY(lun_mask_check(in, mask, err));
    TRY(array_check_live(out, "out", err));
    TRY(array_check_same_device(out, in, "out", err));
    if (out->dtype != in->dtype)
        FAIL(LUN_MISUSE, "out is %s; the array is %s", lun_dtype_name(out->dtype), lun_dtype_name(in->dtype));
    TRY(array_check_apart(out, in, err));
    return array_check_apart(out, mask, err);
}

/* Plans what comes behind the counting: into dense memory, and from there to `out` where that is not dense. */
static lun_status plan_chosen(plan *p, mask_problem *problem, const lun_array *out, const lun_array *mask,
                              const lun_call *call, lun_error *err)
{
    lun_array made;
    TRY(index_dense(&problem->mask, p, mask, mask->dtype, mask->ndim, mask->shape, err));
    TRY(plan_array_result(&made, p, out, err));
    problem->out = &made;
    problem->shape.mask = problem->mask.offset;
    problem->shape.dst = made.offset;
    TRY(plan_variant(p, &mask_variants, problem, variant_named(call), err));
    return plan_array_give(p, out, &made, err);
}

lun_status lun_mask(const lun_array *out, const lun_array *in, const lun_array *mask, const lun_array *counts,
                    const lun_call *call, lun_error *err)
{
    mask_problem problem = {.task = CHOOSE, .counts = counts, .in = in};
    TRY(check_out(out, in, mask, err));
    TRY(check_counts(counts, mask, err));
    PLANNED(op, p, in->device, "mask", call);
    TRY(operation_touches(&op, ARRAYS(in, mask, counts), ARRAYS(out), err));
    operation_weigh(&op, index_weight(mask->size));
    problem.shape = shape_of(mask);
    problem.shape.src = in->offset;
    problem.shape.values = (cl_long)out->size;
    problem.shape.layout = array_layout(in);
    if (out->size)
        TRY(plan_chosen(&p, &problem, out, mask, call, err));
    index_quick(&op, mask->size);
    return operation_run(&op, &p, err);
}

lun_status lun_nonzero(const lun_array *out, const lun_array *mask, const lun_array *counts, const lun_call *call,
                       lun_error *err)
{
    mask_problem problem = {.task = POSITIONS, .counts = counts};
    TRY(check_counts(counts, mask, err));
    TRY(array_check_live(out, "out", err));
    if (out->dtype != LUN_i64 || out->ndim != 2 || out->shape[0] != (size_t)mask->ndim)
        FAIL(LUN_MISUSE, "out is %s of %d %s; i64 of 2 axes is needed, a row for each axis of the mask",
             lun_dtype_name(out->dtype), out->ndim, out->ndim == 1 ? "axis" : "axes");
    PLANNED(op, p, mask->device, "nonzero", call);
    TRY(operation_touches(&op, ARRAYS(mask, counts), ARRAYS(out), err));
    operation_weigh(&op, index_weight(mask->size));
    problem.shape = shape_of(mask);
    problem.shape.axes = mask->ndim;
    problem.shape.values = (cl_long)(mask->ndim ? out->size / (size_t)mask->ndim : 0);
    problem.shape.layout = layout_of(mask->ndim, mask->shape, mask->stride);
    if (out->size)
        TRY(plan_chosen(&p, &problem, out, mask, call, err));
    index_quick(&op, mask->size);
    return operation_run(&op, &p, err);
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

static void say_count(char *text, size_t room, const lun_verdict *found, int64_t limit)
{
    snprintf(text, room, "got %lld values; the mask is true at %lld %s", (long long)limit, (long long)found->value,
             found->value == 1 ? "place" : "places");
}

static lun_status check_put(const lun_array *array, const lun_array *mask, const lun_array *values, lun_error *err)
{
    char has[200];
    TRY(lun_mask_check(array, mask, err));
    if (array_is_spread(array))
        FAIL(LUN_MISUSE, "the array is a broadcast view, whose elements are at several positions");
    if (lun_array_overlap(array, mask))
        FAIL(LUN_MISUSE, "the mask shares elements with the array that is written; copy it first");
    if (values)
        TRY(array_check_live(values, "the array of values", err));
    if (values && values->ndim > 1)
        FAIL(LUN_MISUSE, "the values have shape %s; a number or an array of one axis is needed",
             array_shape_text(has, sizeof has, values));
    return LUN_OK;
}

static lun_status plan_put(plan *p, const lun_array *array, const lun_array *mask, const lun_values *values,
                           const lun_call *call, lun_error *err)
{
    mask_problem problem = {.task = PUT, .out = array, .shape = shape_of(mask)};
    lun_array counts;
    const size_t count = values->array ? values->array->size : 1;
    TRY(index_find_values(&problem.values, p, array, values, 1, &count, err));
    TRY(index_dense(&problem.mask, p, mask, mask->dtype, mask->ndim, mask->shape, err));
    TRY(plan_verdict(p, say_count, (int64_t)count, err));
    if (!problem.values.single) {
        TRY(operation_scratch_array(p->op, &counts, LUN_i64, 1, (size_t[]){lun_mask_counts(mask)}, err));
        TRY(plan_count(p, &counts, &problem.mask, variant_named(call), err));
        problem.counts = &counts;
    }
    problem.shape.mask = problem.mask.offset;
    problem.shape.src = problem.values.dense.offset;
    problem.shape.dst = array->offset;
    problem.shape.step = !problem.values.single;
    problem.shape.values = (cl_long)count;
    problem.shape.layout = array_layout(array);
    return plan_variant(p, &mask_variants, &problem, variant_named(call), err);
}

lun_status lun_mask_put(const lun_array *array, const lun_array *mask, const lun_values *values, const lun_call *call,
                        lun_error *err)
{
    TRY(check_put(array, mask, values->array, err));
    PLANNED(op, p, array->device, "mask_put", call);
    TRY(operation_reads_writes(&op, array, err));
    TRY(operation_reads(&op, mask, err));
    TRY(index_use_values(&op, array, values, 1, &(size_t){values->array ? values->array->size : 1}, err));
    operation_weigh(&op, index_weight(mask->size));
    if (mask->size)
        TRY(plan_put(&p, array, mask, values, call, err));
    else
        TRY(plan_variant(&p, &mask_variants, NULL, variant_named(call), err));
    index_quick(&op, mask->size);
    return operation_run(&op, &p, err);
}
