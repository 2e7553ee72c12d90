/* Compositions: the nodes of their expressions. */
#include "api/functions.h"
#include "base/dtype.h"
#include "call/compose.h"
#include "device/device.h"

static unsigned add_node(composed *x, lun_node node)
{
    x->nodes[x->node_count] = node;
    return (unsigned)x->node_count++;
}

unsigned of_array(composed *x, const lun_array *array)
{
    unsigned i = 0;
    while (i < x->array_count && x->arrays[i] != array)
        i++;
    if (i == x->array_count)
        x->arrays[x->array_count++] = array;
    return add_node(x, (lun_node){.kind = LUN_NODE_ARRAY, .args = {i}});
}

unsigned of_number(composed *x, lun_number number)
{
    const unsigned i = (unsigned)x->number_count++;
    x->numbers[i] = number;
    return add_node(x, (lun_node){.kind = LUN_NODE_NUMBER, .args = {i}});
}

unsigned of_real(composed *x, double number) { return of_number(x, lun_real(number)); }

unsigned of_cast(composed *x, lun_dtype dtype, unsigned a)
{
    return add_node(x, (lun_node){.kind = LUN_NODE_CAST, .dtype = dtype, .args = {a}});
}

unsigned of_fold(composed *x, lun_reduce_op op, unsigned a)
{
    return add_node(x, (lun_node){.kind = LUN_NODE_FOLD, .fold = op, .args = {a}});
}

unsigned of_op3(composed *x, lun_map_op op, unsigned a, unsigned b, unsigned c)
{
    return add_node(x, (lun_node){.kind = LUN_NODE_OP, .op = op, .args = {a, b, c}});
}

unsigned of_op(composed *x, lun_map_op op, unsigned a, unsigned b) { return of_op3(x, op, a, b, 0); }

unsigned of_op1(composed *x, lun_map_op op, unsigned a) { return of_op3(x, op, a, 0, 0); }

unsigned of_difference(composed *x, const lun_array *a, const lun_array *b)
{
    const bool truths = lun_dtype_has(a->dtype, LUN_TRUTHS);
    const unsigned left = of_array(x, a);
    return of_op(x, truths ? LUN_MAP_ne : LUN_MAP_sub, left, of_array(x, b));
}

unsigned of_wide(composed *x, const lun_array *array)
{
    const unsigned a = of_array(x, array);
    const lun_dtype wide = array->device->info.fp64 ? LUN_f64 : LUN_f32;
    return lun_dtype_has(array->dtype, LUN_PAIRS) || array->dtype == wide ? a : of_cast(x, wide, a);
}

unsigned of_cast_array(composed *x, lun_dtype dtype, const lun_array *array)
{
    const lun_dtype own = lun_dtype_has(array->dtype, LUN_PAIRS) ? dtype : lun_dtype_part(dtype);
    return of_given(x, own, array->dtype, of_array(x, array));
}

unsigned of_given(composed *x, lun_dtype dtype, lun_dtype has, unsigned value)
{
    return dtype == has ? value : of_cast(x, dtype, value);
}

lun_dtype compose_float(lun_dtype *computed, const composing *c, const lun_array *const *arrays, size_t count)
{
    lun_dtype dtype = LUN_bool;
    for (size_t i = 0; i < count; i++)
        dtype = arrays[i] ? lun_dtype_promoted(dtype, arrays[i]->dtype) : dtype;
    if (dtype_is_whole(dtype))
        dtype = c->r->device->info.fp64 ? LUN_f64 : LUN_f32;
    *computed = dtype_computed(dtype);
    return c->r->operation->gives == LUN_FLOAT_EACH ? dtype : *computed;
}
