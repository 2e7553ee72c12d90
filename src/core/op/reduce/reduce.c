/* Reductions of arrays: the calls. */
#include "op/reduce/reduce.h"
#include "api/reductions.h"
#include "base/dtype.h"
#include "base/error.h"
#include "base/shape.h"
#include "device/device.h"
#include "graph/graph.h"
#include "memory/block.h"
#include "op/ranked.h"

#include <stdlib.h>
#include <string.h>

#define BUILDS_FROM ((size_t)1 << 22) /* bytes: of less, a few passes cost nothing beside a program for one pass */

bool lun_reduce_is_one_pass(const lun_array *in, const lun_reduction *reduction, const lun_reduce_op *ops, size_t count,
                            const lun_call *call)
{
    bool builds = false;
    for (size_t i = 0; i < count; i++) {
        builds = builds || !fold_has_kernels(in, reduction, ops[i]);
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
    TRY(array_check_live(in, "the array", err));
    if (lun_reduce_is_rank(reduction->op))
        return ranked_result(dtype, ndim, shape, in, reduction, keepdims, err);
    if (reduce_is_of_parts(reduction->op, reduction, in))
        return find_parted_result(dtype, ndim, shape, in, reduction, keepdims, err);
    const lun_expression e = reduce_expression(&in, reduction);
    return lun_fold_result(dtype, ndim, shape, &e, &reduction->op, reduction, keepdims, err);
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
    ENDED_BY(lun_array_clear) lun_array made = {0};
    lun_array from, to = *out;
    lun_reduction of_parts;
    TRY(check_out(out, in, reduction, err));
    reduce_to_parts(&from, &of_parts, in, reduction);
    if (reduce_joins_parts(reduction->op, reduction, in)) {
        to.shape[to.ndim] = 2;
        TRY(lun_array_create(&made, out->device, out->dtype, to.ndim + 1, to.shape, err));
        const lun_call same = call ? *call : (lun_call){0};
        TRY(lun_reduce(&made, &from, &of_parts, &(lun_call){.variant = same.variant, .queue = same.queue}, err));
        TRY(reduce_join_parts(out, &made, reduction->op == LUN_REDUCE_std,
                              &(lun_call){.queue = same.queue, .event = same.event}, err));
        return LUN_OK;
    }
    if (reduce_keeps_parts(reduction->op)) {
        to = array_parts(out);
    } else if (out->ndim == in->ndim) { /* the axis of the parts is kept as the others are */
        to.shape[to.ndim] = 1;
        to.stride[to.ndim++] = 0;
    }
    return lun_reduce(&to, &from, &of_parts, call, err);
}

size_t reduce_quick_bytes(const lun_device *device)
{
    return (size_t)1 << (device->type & CL_DEVICE_TYPE_GPU ? 28 : 22);
}

lun_status lun_reduce(const lun_array *out, const lun_array *in, const lun_reduction *reduction, const lun_call *call,
                      lun_error *err)
{
    TRY(array_check_live(in, "the array", err));
    if (lun_reduce_is_rank(reduction->op))
        return ranked_reduce(out, in, reduction, call, err);
    if (array_is_traced(out))
        return graph_note_reduce(out, in, reduction, err);
    if (reduce_is_of_parts(reduction->op, reduction, in))
        return run_parts(out, in, reduction, call, err);
    lun_expression e = reduce_expression(&in, reduction);
    e.name = reduction->segments && reduction->name ? reduction->name : e.name;
    return lun_fold(&out, &e, &reduction->op, reduction, call, err);
}
