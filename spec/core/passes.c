/* What lun_passes_result refuses before it asks a device: it prints each message, and spec/base/core_spec.lua reads them. The Lua host refuses
 * as much before core does. */
#include "lunarray.h"

#include <stdio.h>

#define MOST 80 /* nodes */

static bool refuses(const lun_node *nodes, size_t count, size_t array_count, const lun_read *reads)
{
    const lun_array x = {.dtype = LUN_f32, .ndim = 1, .size = 4, .shape = {4}, .stride = {1}};
    const lun_array *arrays[LUN_MAP_ARRAYS + 1];
    const unsigned results[] = {(unsigned)count - 1};
    lun_dtype dtypes[LUN_MAP_RESULTS];
    int ndim;
    size_t shape[LUN_MAX_AXES];
    lun_error err;
    for (size_t i = 0; i < array_count; i++)
        arrays[i] = &x;
    const lun_expression e = {.name = "passes",
                              .nodes = nodes,
                              .node_count = count,
                              .results = results,
                              .result_count = 1,
                              .arrays = arrays,
                              .array_count = array_count,
                              .reads = reads,
                              .dtype = LUN_DTYPES};
    const lun_status status = lun_passes_result(dtypes, &ndim, shape, &e, &(lun_reduction){.axis = {true}}, &err);
    puts(err.message);
    return status == LUN_MISUSE;
}

int main(void)
{
    lun_node folds[MOST] = {{.kind = LUN_NODE_ARRAY}}, sum[MOST] = {{.kind = LUN_NODE_ARRAY}};
    size_t count = 1;
    for (unsigned i = 1; i <= LUN_MAP_RESULTS + 1; i++)
        folds[i] = (lun_node){.kind = LUN_NODE_FOLD, .fold = LUN_REDUCE_max, .args = {i - 1}};
    for (unsigned i = 1; i <= LUN_MAP_ARRAYS; i++, count += 2) {
        sum[count] = (lun_node){.kind = LUN_NODE_ARRAY, .args = {i}};
        sum[count + 1] =
            (lun_node){.kind = LUN_NODE_OP, .op = LUN_MAP_add, .args = {(unsigned)count - 1, (unsigned)count}};
    }
    sum[count] = (lun_node){.kind = LUN_NODE_FOLD, .fold = LUN_REDUCE_max, .args = {(unsigned)count - 1}};
    const bool all = refuses(folds, LUN_MAP_RESULTS + 2, 1, NULL) &&
                     refuses(folds, 2, 1, &(lun_read){.shifted = true}) &&
                     refuses(sum, count + 1, LUN_MAP_ARRAYS + 1, NULL);
    return all ? 0 : 1;
}
