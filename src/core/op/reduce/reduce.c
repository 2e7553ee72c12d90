/* Reductions: axes are sorted and merged into one form, then a variant runs it. */
#include "op/reduce/reduce.h"
#include "api/reductions.h"
#include "base/dtype.h"
#include "base/error.h"
#include "base/shape.h"
#include "device/device.h"
#include "memory/block.h"
#include "op/folded.h"
#include "op/ranked.h"

#include <stdlib.h>
#include <string.h>

/* ---- the operations ------------------------------------------------------------------------------------------ */

static const reduce_row rows[] = {
#define REDUCE(name, says, accumulator, map, identity, combine, empty, ...)                                            \
    {#name, accumulator, map, identity, combine, empty},
#define FOLD(...)
#include "op/reduce/reduce.def"
#undef REDUCE
#undef FOLD
};

/* Ops behind these rows, segments, and sums of floats that are to be accurate or reproducible, are reductions of expressions,
 * op/fold/fold.c. */
bool reduce_is_folded(lun_reduce_op op, const lun_reduction *reduction, lun_dtype dtype)
{
    const bool exact = reduction->accurate || reduction->reproducible;
    return (size_t)op >= COUNT(rows) || reduction->segments || lun_dtype_has(dtype, LUN_PAIRS) ||
           (exact && !dtype_is_whole(dtype) && rows[op].accumulator != SAME);
}

lun_dtype reduce_result_dtype(lun_reduce_op op, lun_dtype dtype)
{
    return rows[op].accumulator == SAME ? dtype : dtype_summed(dtype);
}

/* ---- the form that variants get --------------------------------------------------------------------------------- */

static void sort_axes(int ndim, size_t *size, int64_t *in, int64_t *out)
{
    for (int i = 1; i < ndim; i++)
        for (int j = i; j > 0 && llabs(in[j - 1]) < llabs(in[j]); j--) {
            size_t s = size[j];
            int64_t a = in[j], b = out[j];
            size[j] = size[j - 1], in[j] = in[j - 1], out[j] = out[j - 1];
            size[j - 1] = s, in[j - 1] = a, out[j - 1] = b;
        }
}

reduce_problem reduce_find_problem(const lun_array *out, const lun_array *in, const lun_reduction *reduction)
{
    size_t kept_size[LUN_MAX_AXES], reduced_size[LUN_MAX_AXES];
    int64_t kept[LUN_MAX_AXES], kept_out[LUN_MAX_AXES], reduced[LUN_MAX_AXES], ignored[LUN_MAX_AXES] = {0};
    int kept_count = 0, reduced_count = 0;
    bool with_axes = out->ndim == in->ndim; /* does `out` keep the reduced axes, with size 1? */
    reduce_problem p = {
        .out = out, .in = in, .op = &rows[reduction->op], .first = in->offset, .outputs = 1, .elements = 1};
    for (int i = 0; i < in->ndim; i++) {
        if (!reduction->axis[i]) {
            kept_size[kept_count] = in->shape[i];
            kept[kept_count] = in->stride[i];
            kept_out[kept_count] = out->stride[with_axes ? i : kept_count];
            kept_count++;
            p.outputs *= in->shape[i];
            continue;
        }
        if (in->stride[i] < 0)
            p.first += in->stride[i] * ((int64_t)in->shape[i] - 1);
        reduced_size[reduced_count] = in->shape[i];
        reduced[reduced_count++] = llabs(in->stride[i]);
        p.elements *= in->shape[i];
    }
    sort_axes(kept_count, kept_size, kept, kept_out);
    sort_axes(reduced_count, reduced_size, reduced, ignored);
    kept_count = shape_collapse(kept_count, kept_size, (int64_t *const[]){kept, kept_out}, 2);
    reduced_count = shape_collapse(reduced_count, reduced_size, (int64_t *const[]){reduced}, 1);
    p.kept = layout_of(kept_count, kept_size, kept);
    p.kept_out = layout_of(kept_count, kept_size, kept_out);
    p.reduced = layout_of(reduced_count, reduced_size, reduced);
    return p;
}

cl_long reduce_last_stride(const layout *l, cl_long without) { return l->ndim ? l->stride[l->ndim - 1] : without; }

layout reduce_without_last(layout l)
{
    if (l.ndim)
        l.ndim--;
    return l;
}

/* ---- the variants: reduce_cpu.c, reduce_gpu.c ----------------------------------------------------------------
 * cpu     a work-item to a core, long vectors, no local memory: CPUs. Three kernels: rows (the elements of an
 *         output are neighbours), short (rows of a few elements), columns (neighbours go to different outputs).
 * nvidia  reduce_gpu.cl with inline PTX: parts of an output are joined within the launch, items of a warp exchange values.
 * gpu     reduce_gpu.cl in OpenCL C alone: a second launch joins the parts. Other GPUs; anywhere by name.
 *         Both take reduce_short.cl instead where the elements are small blocks, one behind another.
 * plain   one element at a time: every device and view, also those that the others refuse (say, with two odd strides). */

static const variant variant_rows[] = {
    {.name = "cpu", .file = "reduce_cpu", ON_CPU, .applies = reduce_cpu_applies, .plan = reduce_cpu_plan},
    {.name = "nvidia", .file = "reduce_gpu", ON_NVIDIA(7), .applies = reduce_gpu_applies, .plan = reduce_gpu_plan},
    {.name = "gpu", .file = "reduce_gpu", ON_GPU, .applies = reduce_gpu_applies, .plan = reduce_gpu_plan},
    {.name = "plain", .file = "reduce_plain", .applies = variant_anywhere, .plan = reduce_plain_plan},
};
const variants reduce_variants = {variant_rows, COUNT(variant_rows)};

/* ---- the calls ------------------------------------------------------------------------------------------------------ */

#define BUILDS_FROM ((size_t)1 << 22) /* bytes: of less, a few passes cost nothing beside a program for one pass */

bool lun_reduce_is_one_pass(const lun_array *in, const lun_reduction *reduction, const lun_reduce_op *ops, size_t count,
                            const lun_call *call)
{
    bool builds = false;
    for (size_t i = 0; i < count; i++) {
        builds = builds || reduce_is_folded(ops[i], reduction, in->dtype);
        if (lun_reduce_is_rank(ops[i]) || fold_op_is_ordered(ops[i]))
            return false;
    }
    if (reduction->segments || reduce_is_exact_of_pairs(in, reduction))
        return false;
    const bool large = in->size * lun_dtype_bytes(in->dtype) >= BUILDS_FROM;
    return count < LUN_FOLD_ARRAYS && (builds || (count > 1 && large && !variant_named(call)));
}

lun_status lun_reduce_list(const lun_array *const *outs, const lun_array *in, const lun_reduction *reduction,
                           const lun_reduce_op *ops, size_t count, const lun_call *call, lun_error *err)
{
    return lun_fold(outs, &ARRAY_ALONE(in, count), ops, reduction, call, err);
}

/* As for the op of parts; they are checked, too, where they are to be exact. */
static lun_status find_parted_result(lun_dtype *dtype, int *ndim, size_t *shape, const lun_array *in,
                                     const lun_reduction *reduction, bool keepdims, lun_error *err)
{
    lun_array parts;
    lun_reduction of_parts, plain = *reduction;
    plain.accurate = plain.reproducible = false;
    TRY(lun_fold_result(dtype, ndim, shape, &ARRAY_ALONE(in, 1), &plain.op, &plain, keepdims, err));
    lun_dtype part;
    int axes;
    size_t sizes[LUN_MAX_AXES];
    reduce_to_parts(&parts, &of_parts, in, reduction);
    return lun_reduce_result(&part, &axes, sizes, &parts, &of_parts, keepdims, err);
}

lun_status lun_reduce_result(lun_dtype *dtype, int *ndim, size_t *shape, const lun_array *in,
                             const lun_reduction *reduction, bool keepdims, lun_error *err)
{
    char text[200];
    bool nothing = false;
    TRY(array_check_live(in, "the array", err));
    if (lun_reduce_is_rank(reduction->op)) {
        TRY(ranked_result(dtype, ndim, shape, in, reduction, keepdims, err));
        return LUN_OK;
    }
    if (reduce_is_of_parts(reduction->op, reduction, in))
        return find_parted_result(dtype, ndim, shape, in, reduction, keepdims, err);
    if (reduce_is_folded(reduction->op, reduction, in->dtype)) {
        const lun_expression e = reduce_expression(&in, reduction);
        TRY(lun_fold_result(dtype, ndim, shape, &e, &reduction->op, reduction, keepdims, err));
        return LUN_OK;
    }
    *dtype = reduce_result_dtype(reduction->op, in->dtype);
    *ndim = 0;
    for (int i = 0; i < in->ndim; i++) {
        bool goes = reduction->axis[i];
        nothing |= goes && in->shape[i] == 0;
        if (!goes || keepdims)
            shape[(*ndim)++] = goes ? 1 : in->shape[i];
    }
    if (nothing && rows[reduction->op].empty == NOTHING)
        FAIL(LUN_MISUSE, "%s of no elements: the reduced extent of shape %s is 0", rows[reduction->op].name,
             array_shape_text(text, sizeof text, in));
    return LUN_OK;
}

static lun_status check_out(const lun_array *out, const lun_array *in, const lun_reduction *reduction, lun_error *err)
{
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    TRY(lun_reduce_result(&dtype, &ndim, shape, in, reduction, out->ndim == in->ndim, err));
    if (ndim != out->ndim || memcmp(shape, out->shape, (size_t)ndim * sizeof *shape) != 0)
        TRY(lun_reduce_result(&dtype, &ndim, shape, in, reduction, false, err));
    TRY(array_check_out(out, in, dtype, ndim, shape, err));
    return array_check_apart(out, in, err);
}

/* Reduces the parts of complex numbers. */
static lun_status run_parts(const lun_array *out, const lun_array *in, const lun_reduction *reduction,
                            const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_array from, to = *out, made = {0};
    lun_reduction of_parts;
    TRY_DONE(check_out(out, in, reduction, err));
    reduce_to_parts(&from, &of_parts, in, reduction);
    if (reduce_joins_parts(reduction->op, reduction, in)) {
        to.shape[to.ndim] = 2;
        TRY_DONE(lun_array_create(&made, out->device, out->dtype, to.ndim + 1, to.shape, err));
        const lun_call same = call ? *call : (lun_call){0};
        TRY_DONE(lun_reduce(&made, &from, &of_parts, &(lun_call){.variant = same.variant, .queue = same.queue}, err));
        TRY_DONE(reduce_join_parts(out, &made, reduction->op == LUN_REDUCE_std,
                                   &(lun_call){.queue = same.queue, .event = same.event}, err));
        goto done;
    }
    if (reduce_keeps_parts(reduction->op)) {
        to = array_parts(out);
    } else if (out->ndim == in->ndim) { /* the axis of the parts is kept as the others are */
        to.shape[to.ndim] = 1;
        to.stride[to.ndim++] = 0;
    }
    TRY_DONE(lun_reduce(&to, &from, &of_parts, call, err));
done:
    lun_array_clear(&made);
    return status;
}

size_t reduce_quick_bytes(const lun_device *device)
{
    return (size_t)1 << (device->type & CL_DEVICE_TYPE_GPU ? 28 : 22);
}

lun_status lun_reduce(const lun_array *out, const lun_array *in, const lun_reduction *reduction, const lun_call *call,
                      lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    plan planned = {0};
    const variant *row;
    TRY_DONE(array_check_live(in, "the array", err));
    if (lun_reduce_is_rank(reduction->op)) {
        TRY_DONE(ranked_reduce(out, in, reduction, call, err));
        return LUN_OK;
    }
    if (reduce_is_of_parts(reduction->op, reduction, in))
        return run_parts(out, in, reduction, call, err);
    if (reduce_is_folded(reduction->op, reduction, in->dtype)) {
        lun_expression e = reduce_expression(&in, reduction);
        e.name = reduction->segments && reduction->name ? reduction->name : e.name;
        TRY_DONE(lun_fold(&out, &e, &reduction->op, reduction, call, err));
        return LUN_OK;
    }
    TRY_DONE(check_out(out, in, reduction, err));
    reduce_problem p = reduce_find_problem(out, in, reduction);
    operation_init(&op, in->device, lun_reduce_name(reduction->op), call);
    plan_init(&planned, &op);
    if (in->size == 0) { /* the result is empty too, or filled with the identity */
        TRY_DONE(variant_choose(&row, &reduce_variants, in->device, &p, variant_named(call), err));
        lun_call same = call ? *call : (lun_call){0};
        same.variant = NULL;
        return lun_array_fill(out, lun_integer(out->size ? p.op->empty : 0), &same, err);
    }
    TRY_DONE(operation_reads(&op, in, err));
    TRY_DONE(operation_writes(&op, out, err));
    operation_weigh(&op, 2 * operation_bytes_weight(&op));
    TRY_DONE(plan_variant(&planned, &reduce_variants, &p, variant_named(call), err));
    if (p.outputs * p.elements * lun_dtype_bytes(in->dtype) <= reduce_quick_bytes(in->device))
        operation_quick(&op);
    TRY_DONE(operation_run(&op, &planned, err));
done:
    plan_clear(&planned);
    operation_clear(&op);
    return status;
}
