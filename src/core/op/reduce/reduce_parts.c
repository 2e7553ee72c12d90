/* Reductions of complex arrays that are those of real ones, twice as long: these have vectors, and sums in bins. */
#include "base/dtype.h"
#include "op/reduce/reduce.h"

static bool is_exact(const lun_reduction *reduction) { return reduction->accurate || reduction->reproducible; }

bool reduce_keeps_parts(lun_reduce_op op) { return op == LUN_REDUCE_sum || op == LUN_REDUCE_mean; }

bool reduce_is_of_parts(lun_reduce_op op, const lun_reduction *reduction, const lun_array *in)
{
    const bool both =
        op == LUN_REDUCE_sumsq || op == LUN_REDUCE_norm; /* the parts' axis goes, too: segments have one that goes */
    return lun_dtype_has(in->dtype, LUN_PAIRS) && in->ndim < LUN_MAX_AXES &&
           (both ? !reduction->segments : reduce_keeps_parts(op) && (!reduction->segments || is_exact(reduction)));
}

bool reduce_is_exact_of_parts(const lun_array *in, const lun_reduction *reduction, const lun_reduce_op *ops,
                              size_t count)
{
    bool all = is_exact(reduction);
    for (size_t i = 0; i < count; i++)
        all = all && reduce_is_of_parts(ops[i], reduction, in);
    return all;
}

void reduce_to_parts(lun_array *parts, lun_reduction *of_parts, const lun_array *in, const lun_reduction *reduction)
{
    *parts = array_parts(in);
    *of_parts = *reduction;
    of_parts->axis[in->ndim] = !reduce_keeps_parts(reduction->op);
}
