/* The time of an expression on one core. */
#include "base/dtype.h"
#include "op/expression/expression.h"

#include <string.h>

/* Nanoseconds for an element of 4 bytes, in vectors: for functions of a few instructions, and for the others, measured
 * by a cosine. */
#define LIGHT 0.1
#define HEAVY 1.5
#define LETTER 1.0 /* of a text of the user's, which is not computed in vectors */

static bool is_light(map_family family)
{
    return family == FAMILY_SIMPLE || family == FAMILY_BITWISE || family == FAMILY_ORDER || family == FAMILY_LOGIC ||
           family == FAMILY_CLASSES || family == FAMILY_SATURATING || family == FAMILY_ROUNDING;
}

bool expression_is_heavy(lun_map_op op) { return !is_light(map_function_of(op)->family); }

/* The arrays broadcast to one shape. */
static size_t count_elements(const lun_expression *e)
{
    size_t count = 1;
    for (int axis = 1; axis <= LUN_MAX_AXES; axis++) {
        size_t longest = 1;
        for (size_t k = 0; k < e->array_count; k++)
            if (axis <= e->arrays[k]->ndim)
                longest = larger(longest, e->arrays[k]->shape[e->arrays[k]->ndim - axis]);
        count *= longest;
    }
    return count;
}

void expression_weigh(operation *op, const lun_expression *e, const lun_own_op *own, bool awaited)
{
    double each = own ? LETTER * (double)strlen(own->combine) : 0;
    size_t widest = 4;
    for (size_t i = 0; e->texts && i < e->result_count; i++)
        each += LETTER * (double)strlen(e->texts[i]);
    for (size_t i = 0; !e->texts && i < e->node_count; i++)
        if (e->nodes[i].kind == LUN_NODE_OP)
            each += expression_is_heavy(e->nodes[i].op) ? HEAVY : LIGHT;
    for (size_t k = 0; k < e->array_count; k++)
        widest = larger(widest, lun_dtype_bytes(e->arrays[k]->dtype));
    const double all = operation_bytes_weight(op) + (double)count_elements(e) * each * (double)widest / 4;
    if (awaited)
        operation_weigh_awaited(op, all);
    else
        operation_weigh(op, all);
}
