/* Reductions of complex arrays that are those of real ones, twice as long: these have vectors, and sums in bins. */
#include "api/functions.h"
#include "api/reductions.h"
#include "base/dtype.h"
#include "op/reduce/reduce.h"

static bool is_exact(const lun_reduction *reduction) { return reduction->accurate || reduction->reproducible; }

static bool joins_parts(lun_reduce_op op) { return op == LUN_REDUCE_var || op == LUN_REDUCE_std; }

bool reduce_keeps_parts(lun_reduce_op op) { return op == LUN_REDUCE_sum || op == LUN_REDUCE_mean || joins_parts(op); }

bool reduce_is_exact_of_pairs(const lun_array *in, const lun_reduction *reduction)
{
    return lun_dtype_has(in->dtype, LUN_PAIRS) && is_exact(reduction);
}

bool reduce_is_of_parts(lun_reduce_op op, const lun_reduction *reduction, const lun_array *in)
{
    const bool both =
        op == LUN_REDUCE_sumsq || op == LUN_REDUCE_norm; /* the parts' axis goes, too: segments have one that goes */
    const bool exact = is_exact(reduction);
    if (!lun_dtype_has(in->dtype, LUN_PAIRS) || in->ndim == LUN_MAX_AXES)
        return false;
    return both ? !reduction->segments : reduce_keeps_parts(op) && (exact || !(reduction->segments || joins_parts(op)));
}

bool reduce_joins_parts(lun_reduce_op op, const lun_reduction *reduction, const lun_array *in)
{
    return joins_parts(op) && reduce_is_of_parts(op, reduction, in);
}

lun_expression reduce_expression(const lun_array *const *in, const lun_reduction *reduction)
{
    static const lun_node nodes[] = {{.kind = LUN_NODE_ARRAY}, {.kind = LUN_NODE_OP, .op = LUN_MAP_abs, .args = {0}}};
    static const unsigned results[] = {0, 1};
    const bool sizes = reduction->op == LUN_REDUCE_asum && reduce_is_exact_of_pairs(*in, reduction);
    return (lun_expression){.name = lun_reduce_name(reduction->op),
                            .nodes = nodes,
                            .node_count = 1 + sizes,
                            .results = &results[sizes],
                            .result_count = 1,
                            .arrays = in,
                            .array_count = 1,
                            .dtype = LUN_DTYPES};
}

/* The sum of what there is of both parts, or its root. */
lun_status reduce_join_parts(const lun_array *out, const lun_array *parts, bool root, const lun_call *call,
                             lun_error *err)
{
    lun_array views[2] = {*parts, *parts};
    for (int i = 0; i < 2; i++) {
        views[i].ndim--;
        views[i].offset += i * parts->stride[parts->ndim - 1];
        views[i].size /= 2;
    }
    const lun_node nodes[] = {{.kind = LUN_NODE_ARRAY, .args = {0}},
                              {.kind = LUN_NODE_ARRAY, .args = {1}},
                              {.kind = LUN_NODE_OP, .op = LUN_MAP_add, .args = {0, 1}},
                              {.kind = LUN_NODE_OP, .op = LUN_MAP_sqrt, .args = {2}}};
    const lun_expression e = {.name = "reduce",
                              .nodes = nodes,
                              .node_count = 3 + root,
                              .results = (const unsigned[]){2 + root},
                              .result_count = 1,
                              .arrays = (const lun_array *[]){&views[0], &views[1]},
                              .array_count = 2,
                              .dtype = LUN_DTYPES};
    return lun_map(&out, &e, call, err);
}

void reduce_to_parts(lun_array *parts, lun_reduction *of_parts, const lun_array *in, const lun_reduction *reduction)
{
    *parts = array_parts(in);
    *of_parts = *reduction;
    of_parts->op = reduction->op == LUN_REDUCE_std ? LUN_REDUCE_var : reduction->op;
    of_parts->axis[in->ndim] = !reduce_keeps_parts(reduction->op);
}
