/* The shape of an expression's results: all have the shape to which its arrays broadcast. */
#include "base/error.h"
#include "base/shape.h"
#include "op/expression/read.h"

#include <string.h>

lun_status map_check_arrays(const lun_expression *e, lun_error *err)
{
    if (!e->array_count)
        FAIL(LUN_MISUSE, "there is no array to compute with");
    for (size_t i = 0; i < e->array_count; i++) {
        TRY(array_check_live(e->arrays[i], "the array", err));
        if (e->arrays[i]->device != e->arrays[0]->device)
            FAIL_HINT(LUN_HINT_BRING_OVER, "arrays of two devices in one call");
    }
    return LUN_OK;
}

static lun_status check_broadcast(int *ndim, size_t *shape, const lun_expression *e, lun_error *err)
{
    char one[200], other[200];
    if (shape_broadcast(ndim, shape, e->arrays, e->array_count))
        return LUN_OK;
    for (size_t i = 1; i < e->array_count; i++) {
        if (shape_broadcast(ndim, shape, e->arrays, i + 1))
            continue;
        shape_broadcast(ndim, shape, e->arrays, i);
        FAIL(LUN_MISUSE, "shapes %s and %s do not broadcast",
             device_shape_text(one, sizeof one, e->arrays[0]->device, *ndim, shape),
             array_shape_text(other, sizeof other, e->arrays[i]));
    }
    return LUN_OK;
}

/* For each node a bit for each array from which it is computed. */
static void find_sources(unsigned *sources, const lun_expression *e)
{
    for (size_t i = 0; i < e->node_count; i++) {
        const lun_node *n = &e->nodes[i];
        const unsigned count = n->kind == LUN_NODE_CAST ? 1 : n->kind == LUN_NODE_OP ? lun_map_arity(n->op) : 0;
        sources[i] = n->kind == LUN_NODE_ARRAY ? 1u << n->args[0] : 0;
        for (unsigned k = 0; k < count; k++)
            sources[i] |= sources[n->args[k]];
    }
}

/* A result whose own arrays have a smaller shape would be repeated, which operators do not do. */
static lun_status check_result(size_t position, unsigned sources, int ndim, const size_t *shape,
                               const lun_expression *e, lun_error *err)
{
    const lun_array *arrays[LUN_MAP_ARRAYS];
    size_t count = 0, own[LUN_MAX_AXES];
    int own_ndim;
    char one[200], other[200];
    for (size_t i = 0; i < e->array_count; i++)
        if (sources & 1u << i)
            arrays[count++] = e->arrays[i];
    if (!count)
        FAIL(LUN_MISUSE, "result %zu is computed from numbers alone; it needs at least one array", position);
    shape_broadcast(&own_ndim, own, arrays, count);
    if (own_ndim != ndim || memcmp(own, shape, (size_t)ndim * sizeof *shape) != 0)
        FAIL(LUN_MISUSE,
             "result %zu has shape %s, but all results together have %s; the results of one kernel have "
             "one shape",
             position, device_shape_text(one, sizeof one, arrays[0]->device, own_ndim, own),
             device_shape_text(other, sizeof other, arrays[0]->device, ndim, shape));
    return LUN_OK;
}

lun_status map_find_shape(int *ndim, size_t *shape, const lun_expression *given, lun_error *err)
{
    unsigned sources[MAP_NODES];
    lun_array seen[LUN_MAP_ARRAYS];
    const lun_array *arrays[LUN_MAP_ARRAYS];
    lun_expression as_seen = *given;
    const lun_expression *e = given->reads ? &as_seen : given;
    TRY(map_check_room(e, err));
    TRY(map_check_arrays(e, err));
    for (size_t k = 0; given->reads && k < given->array_count; k++) {
        TRY(read_check(given->arrays[k], &given->reads[k], err));
        seen[k] = read_seen(given->arrays[k], &given->reads[k]);
        arrays[k] = &seen[k];
    }
    as_seen.arrays = arrays;
    TRY(check_broadcast(ndim, shape, e, err));
    if (!e->nodes || e->result_count == 1)
        return LUN_OK;
    find_sources(sources, e);
    for (size_t i = 0; i < e->result_count; i++)
        TRY(check_result(i + 1, sources[e->results[i]], *ndim, shape, e, err));
    return LUN_OK;
}
