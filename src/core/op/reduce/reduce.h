/* Reductions of arrays: what is reduced in place of complex numbers, and which go into one pass. */
#pragma once

#include "base/shape.h"
#include "op/folded.h"
#include "op/variant.h"

/* An expression that is this array, that many times. */
#define ARRAY_ALONE(array, count)                                                                                      \
    (const lun_expression)                                                                                             \
    {                                                                                                                  \
        .name = "reduce", .nodes = &(const lun_node){.kind = LUN_NODE_ARRAY}, .node_count = 1,                         \
        .results = (const unsigned[LUN_MAP_RESULTS]){0}, .result_count = (count),                                      \
        .arrays = (const lun_array *[]){array}, .array_count = 1, .dtype = LUN_DTYPES                                  \
    }

/* Is that op of a complex array one of its parts, as real numbers? */
bool reduce_is_of_parts(lun_reduce_op op, const lun_reduction *reduction, const lun_array *in);
/* Is a complex array to be reduced exactly? Then its ops go one by one. */
bool reduce_is_exact_of_pairs(const lun_array *in, const lun_reduction *reduction);
/* Does each part give its own, of which a complex result is made? Else both together give a real one. */
bool reduce_keeps_parts(lun_reduce_op op);
/* Is what the parts give to be added, so that the result is real? */
bool reduce_joins_parts(lun_reduce_op op, const lun_reduction *reduction, const lun_array *in);
lun_status reduce_join_parts(const lun_array *out, const lun_array *parts, bool root, const lun_call *call,
                             lun_error *err);
/* What is reduced instead of the array: itself, or the sizes of its numbers. */
lun_expression reduce_expression(const lun_array *const *in, const lun_reduction *reduction);
/* The same with the parts along one more axis. */
void reduce_to_parts(lun_array *parts, lun_reduction *of_parts, const lun_array *in, const lun_reduction *reduction);
/* Bytes of input up to which a reader may block for the result: a reduction of less takes below a millisecond. */
size_t reduce_quick_bytes(const lun_device *device);
