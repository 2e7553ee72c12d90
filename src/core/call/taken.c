/* The dtypes that operations take, and those of their results. */
#include "base/dtype.h"
#include "call/promised.h"
#include "call/request.h"

#include <string.h>

/* Is the dtype of one of the kinds given as letters in operation.def? */
static bool is_of_kinds(lun_dtype dtype, const char *kinds)
{
    const bool position = dtype == LUN_i32 || dtype == LUN_i64;
    const char kind = lun_dtype_has(dtype, LUN_TRUTHS)  ? 'b'
                      : lun_dtype_has(dtype, LUN_WHOLE) ? 'i'
                      : lun_dtype_has(dtype, LUN_PAIRS) ? 'c'
                      : dtype_is_packed(dtype)          ? 'h'
                                                        : 'f';
    return strchr(kinds, kind) || (position && strchr(kinds, 'p'));
}

static bool function_takes(lun_map_op op, const lun_array *in)
{
    lun_error ignored;
    size_t refused;
    const lun_array *arrays[3] = {in, in, in};
    const unsigned arity = lun_map_arity(op), result = arity;
    lun_node nodes[4];
    memset(nodes, 0, sizeof nodes);
    for (unsigned i = 0; i < arity; i++) {
        nodes[i].kind = LUN_NODE_ARRAY;
        nodes[i].args[0] = nodes[arity].args[i] = i;
    }
    nodes[arity].kind = LUN_NODE_OP;
    nodes[arity].op = op;
    const lun_expression e = {.nodes = nodes,
                              .node_count = arity + 1,
                              .results = &result,
                              .result_count = 1,
                              .arrays = arrays,
                              .array_count = arity};
    return lun_map_check(&refused, &e, &ignored) == LUN_OK;
}

static bool reduction_takes(lun_reduce_op op, const lun_array *in)
{
    lun_error ignored;
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    const lun_reduction reduction = {.op = op, .axis = {true}};
    return lun_reduce_result(&dtype, &ndim, shape, in, &reduction, false, &ignored) == LUN_OK;
}

bool lun_operation_takes(const lun_operation *operation, lun_device *device, lun_dtype dtype)
{
    lun_map_op function;
    lun_reduce_op reduction;
    lun_error ignored;
    const lun_array in = {.device = device, .dtype = dtype, .ndim = 1, .size = 1, .shape = {1}, .stride = {1}};
    if (operation->takes)
        return is_of_kinds(dtype, operation->takes);
    if (lun_operation_is_elementwise(&function, operation))
        return function_takes(function, &in);
    if (operation->owner == LUN_OF_ARRAY && lun_reduce_find(&reduction, operation->name, &ignored) == LUN_OK)
        return reduction_takes(reduction, &in);
    return true;
}

const char *lun_operation_promise(const lun_operation *operation)
{
    lun_map_op function;
    lun_reduce_op reduction;
    lun_error ignored;
    if (operation->promise)
        return operation->promise;
    if (lun_operation_is_elementwise(&function, operation))
        return map_promised(function);
    if (operation->kind && lun_reduce_find(&reduction, operation->name, &ignored) == LUN_OK)
        return fold_promised(reduction);
    return NULL;
}
