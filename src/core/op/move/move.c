/* Moving: the tables of copy and transpose, and the calls. */
#include "op/move/move.h"
#include "op/planning.h"

#include <string.h>

/* ---- where one takes the other's rows ------------------------------------------------------------------------
 * A copy between two orders of axes is a transposition, and a transposition that keeps the order of axes is a copy. Each table
 * has a row that plans by the other table. One predicate decides which is better, so no problem goes there and back. */

static bool transposing_pays(const lun_device *device, const transpose_problem *p)
{
    const size_t least = device->type & CL_DEVICE_TYPE_CPU ? 4 : 16; /* below, a tile is all edges */
    return transpose_tiles(p) && p->rows >= least && p->columns >= least;
}

static bool copy_by_transposing_applies(const lun_device *device, const void *data)
{
    const copy_problem *problem = data;
    if (!problem)
        return true;
    if (problem->dst->dtype != problem->src->dtype || problem->dst->size == 0)
        return false;
    const transpose_problem p = transpose_find_problem(problem->dst, problem->src);
    return transposing_pays(device, &p);
}

static lun_status copy_by_transposing_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    const copy_problem *problem = data;
    const transpose_problem p = transpose_find_problem(problem->dst, problem->src);
    (void)row;
    return plan_variant(out, &transpose_variants, &p, NULL, err);
}

/* Rows that lie alike in both arrays; on a GPU also matrices that are too small for tiles. */
static bool transpose_by_copying_applies(const lun_device *device, const void *data)
{
    const transpose_problem *p = data;
    return !p || p->same_order || (!(device->type & CL_DEVICE_TYPE_CPU) && !transposing_pays(device, p));
}

static lun_status transpose_by_copying_plan(plan *out, const variant *row, const void *data, lun_error *err)
{
    const transpose_problem *p = data;
    (void)row;
    return plan_array_copy(out, p->dst, p->src, err);
}

/* ---- the variants -------------------------------------------------------------------------------------------
 * driver     the driver's own copy, without a kernel: few bytes without gaps on CPUs.
 * cpu        whole cache lines, written past the cache where the copy is larger than it: memory without gaps on CPUs.
 * dense      16 bytes a work-item: memory without gaps on GPUs, aligned alike on both sides; anywhere by name.
 * buffer     the driver's own copy: memory without gaps, however aligned. GPUs. (On PoCL it is one thread's memcpy.)
 * transpose  transpose's rows: two orders of axes, large enough for their tiles.
 * gpu        rows of wide items or words, positions divided by multiplication: other views on GPUs; anywhere by name.
 * plain      one element at a time: every device and view, and casts. */

static const variant copy_rows[] = {
    {.name = "driver", ON_CPU, .applies = copy_driver_applies, .plan = copy_buffer_plan},
    {.name = "cpu", .file = "copy_cpu", ON_CPU, .applies = copy_cpu_applies, .plan = copy_cpu_plan},
    {.name = "dense", .file = "copy_dense", ON_GPU, .applies = copy_dense_applies, .plan = copy_dense_plan},
    {.name = "buffer", .applies = copy_buffer_applies, .plan = copy_buffer_plan},
    {.name = "transpose", .applies = copy_by_transposing_applies, .plan = copy_by_transposing_plan},
    {.name = "gpu", .file = "copy_gpu", ON_GPU, .applies = copy_gpu_applies, .plan = copy_gpu_plan},
    {.name = "plain", .file = "copy_plain", .applies = variant_anywhere, .plan = copy_plain_plan},
};
const variants copy_variants = {copy_rows, COUNT(copy_rows)};

/* ---- the variants ---------------------------------------------------------------------------------------
 * rows    copy's rows: axes that keep their order, and matrices that are too small for tiles on a GPU.
 * cpu     tiles turned in registers, whole cache lines written, past the cache where the result is larger than it: CPUs.
 * vector  16 bytes of both sides at once, where both begin on them: GPUs.
 * thin    short lines of dst without gaps, written as one run: GPUs.
 * nvidia  as gpu, with small items turned by an instruction of PTX.
 * gpu     words through local memory, whatever the alignment: other GPUs; anywhere by name.
 * plain   every device and layout. */

static const variant transpose_rows[] = {
    {.name = "rows", .applies = transpose_by_copying_applies, .plan = transpose_by_copying_plan},
    {.name = "cpu", .file = "transpose_cpu", ON_CPU, .applies = transpose_cpu_applies, .plan = transpose_cpu_plan},
    {.name = "vector",
     .file = "transpose_vector",
     ON_GPU,
     .applies = transpose_vector_applies,
     .plan = transpose_vector_plan},
    {.name = "thin", .file = "transpose_thin", ON_GPU, .applies = transpose_thin_applies, .plan = transpose_thin_plan},
    {.name = "nvidia",
     .file = "transpose_gpu",
     ON_NVIDIA(7),
     .applies = transpose_gpu_applies,
     .plan = transpose_gpu_plan},
    {.name = "gpu", .file = "transpose_gpu", ON_GPU, .applies = transpose_gpu_applies, .plan = transpose_gpu_plan},
    {.name = "plain", .file = "transpose_plain", .applies = variant_anywhere, .plan = transpose_plain_plan},
};
const variants transpose_variants = {transpose_rows, COUNT(transpose_rows)};

/* ---- copying ---------------------------------------------------------------------------------------------------- */

lun_status plan_array_copy(plan *p, const lun_array *dst, const lun_array *src, lun_error *err)
{
    const bool before = p->scratch_only;
    TRY(dtype_check_cast(dst->dtype, src->dtype, err));
    p->scratch_only = before || !operation_writes_to(p->op, block_memory(dst->block)); /* src may be an output, too */
    const lun_status status = plan_variant(p, &copy_variants, dst->size ? &(copy_problem){dst, src} : NULL, NULL, err);
    p->scratch_only = before;
    return status;
}

lun_status plan_array_dense(lun_array *out, plan *p, const lun_array *array, lun_dtype dtype, lun_error *err)
{
    *out = *array;
    if (lun_array_is_contiguous(array) && array->dtype == dtype)
        return LUN_OK;
    TRY(operation_scratch_array(p->op, out, dtype, array->ndim, array->shape, err));
    return plan_array_copy(p, out, array, err);
}

lun_status plan_array_result(lun_array *made, plan *p, const lun_array *out, lun_error *err)
{
    *made = *out;
    return lun_array_is_contiguous(out) ? LUN_OK
                                        : operation_scratch_array(p->op, made, out->dtype, out->ndim, out->shape, err);
}

lun_status plan_array_give(plan *p, const lun_array *out, const lun_array *made, lun_error *err)
{
    return made->block == out->block ? LUN_OK : plan_array_copy(p, out, made, err);
}

static bool is_same_view(const lun_array *a, const lun_array *b)
{
    return a->block == b->block && a->offset == b->offset && a->dtype == b->dtype &&
           memcmp(a->stride, b->stride, (size_t)a->ndim * sizeof a->stride[0]) == 0;
}

lun_status move_copy(const lun_array *out, const lun_array *in, const lun_call *call, lun_error *err)
{
    const bool same = is_same_view(out, in);
    PLANNED(op, p, out->device, "copy", call);
    if (!same && lun_array_overlap(out, in)) /* hosts may have given it other names than `out` */
        FAIL(LUN_MISUSE, "the array that is written shares elements with its source; copy the source first");
    TRY(operation_touches(&op, ARRAYS(in), ARRAYS(out), err));
    operation_weigh(&op, move_weight(out));
    if (!same && out->size)
        TRY(plan_variant(&p, &copy_variants, &(copy_problem){out, in}, variant_named(call), err));
    return operation_run(&op, &p, err);
}

/* ---- transposing ------------------------------------------------------------------------------------------------ */

/* `in` with its axes in the new order, without a reference of its own. */
static lun_status permuted(lun_array *view, const lun_array *in, const int *order, lun_error *err)
{
    bool seen[LUN_MAX_AXES] = {false};
    TRY(array_check_live(in, "the array", err));
    *view = *in;
    for (int i = 0; i < in->ndim; i++) {
        int axis = order[i];
        if (axis < 0 || axis >= in->ndim || seen[axis])
            FAIL(LUN_MISUSE, "the axes are not a permutation of 1 to %d", in->ndim);
        seen[axis] = true;
        view->shape[i] = in->shape[axis];
        view->stride[i] = in->stride[axis];
    }
    return LUN_OK;
}

static lun_status plan_transposition(plan *p, const lun_array *dst, const lun_array *src, const lun_call *call,
                                     lun_error *err)
{
    const transpose_problem problem = transpose_find_problem(dst, src);
    return dst->size ? plan_variant(p, &transpose_variants, &problem, variant_named(call), err) : LUN_OK;
}

lun_status lun_transpose(const lun_array *out, const lun_array *in, const int *order, const lun_call *call,
                         lun_error *err)
{
    lun_array view;
    TRY(permuted(&view, in, order, err));
    TRY(array_check_out(out, in, in->dtype, view.ndim, view.shape, err));
    TRY(array_check_apart(out, in, err));
    PLANNED(op, p, in->device, "transpose", call);
    TRY(operation_touches(&op, ARRAYS(in), ARRAYS(out), err));
    operation_weigh(&op, move_weight(out));
    TRY(plan_transposition(&p, out, &view, call, err));
    return operation_run(&op, &p, err);
}

/* Into scratch memory and back. */
lun_status lun_transpose_in_place(lun_array *array, const int *order, const lun_call *call, lun_error *err)
{
    lun_array view, scratch;
    TRY(permuted(&view, array, order, err));
    if (!lun_array_is_contiguous(array))
        FAIL_HINT(LUN_HINT_MAKE_CONTIGUOUS, "a strided view cannot be rearranged in place");
    lun_array after = *array;
    memcpy(after.shape, view.shape, sizeof after.shape);
    shape_strides(after.stride, after.ndim, after.shape);
    PLANNED(op, p, array->device, "transpose_", call);
    if (array->size > 0) {
        TRY(operation_reads_writes(&op, array, err));
        operation_weigh(&op, 2 * move_weight(array));
        TRY(operation_scratch_array(&op, &scratch, view.dtype, view.ndim, view.shape, err));
        p.scratch_only = true; /* the array is read alone */
        TRY(plan_transposition(&p, &scratch, &view, call, err));
        p.scratch_only = false;
        TRY(plan_array_copy(&p, &after, &scratch, err));
    }
    TRY(operation_run(&op, &p, err));
    *array = after;
    return LUN_OK;
}
