/* Properties of expressions and forms, for elementwise functions and their reductions. */
#include "base/dtype.h"
#include "base/error.h"
#include "device/device.h"
#include "op/expression/again.h"

#include <string.h>

/* For a single unshifted array, as in most reductions, there is nothing to find. */
static bool is_one_array(const lun_expression *e)
{
    return e->node_count == 1 && e->array_count == 1 && e->result_count == 1 && !e->texts && !e->reads &&
           e->nodes[0].kind == LUN_NODE_ARRAY && !e->nodes[0].number && !block_is_number(e->arrays[0]->block);
}

lun_status map_find_result(map_types *types, int *ndim, size_t *shape, const lun_expression *e, lun_error *err)
{
    const lun_array *first = e->arrays[0];
    TRY(map_check_arrays(e, err));
    if (is_one_array(e)) {
        types->value[0] = (map_value){.dtype = first->dtype};
        types->result[0] = first->dtype;
        *ndim = first->ndim;
        memcpy(shape, first->shape, (size_t)first->ndim * sizeof *shape);
        return LUN_OK;
    }
    if (again_find(types, ndim, shape, e))
        return LUN_OK;
    TRY(map_find_shape(ndim, shape, e, err));
    TRY(map_find_types(types, e, first->device->info.fp64, err));
    again_keep(types, *ndim, shape, e);
    return LUN_OK;
}

lun_status map_convert_numbers(launch_arg *out, map_element *elements, const lun_expression *e, const map_types *types,
                               lun_error *err)
{
    for (size_t i = 0; i < e->number_count; i++) {
        TRY(lun_number_round(&elements[i], types->number[i], e->numbers[i], err));
        out[i] = (launch_arg)ARG_BYTES(&elements[i], lun_dtype_bytes(types->number[i]));
    }
    return LUN_OK;
}

bool map_is_real(const map_form *form)
{
    bool real = true;
    for (size_t i = 0; !form->expression->texts && i < form->expression->node_count; i++)
        real = real && !lun_dtype_has(form->types->value[i].dtype, LUN_PAIRS);
    for (size_t i = 0; form->expression->texts && i < form->expression->result_count; i++)
        real = real && !lun_dtype_has(form->types->result[i], LUN_PAIRS);
    for (size_t i = 0; i < form->array_count; i++)
        real = real && !lun_dtype_has(form->arrays[i]->dtype, LUN_PAIRS);
    return real;
}

void map_find_widest(size_t *computed, size_t *element, const map_form *form)
{
    *computed = *element = 1;
    for (size_t i = 0; i < form->expression->node_count; i++) {
        const map_value *v = &form->types->value[i];
        if (v->weak)
            continue;
        const bool op = form->expression->nodes[i].kind == LUN_NODE_OP;
        *computed = larger(*computed, lun_dtype_bytes(dtype_computed(v->dtype)));
        *computed = larger(*computed, lun_dtype_bytes(dtype_computed(op ? v->operands : v->dtype)));
    }
    for (size_t i = 0; i < form->array_count; i++)
        *element = larger(*element, lun_dtype_bytes(form->arrays[i]->dtype));
}

bool map_is_aligned(const map_form *form, const map_rows *rows, int64_t width)
{
    bool yes = true;
    for (size_t k = 0; k < form->array_count; k++) {
        const map_array *array = &rows->array[k];
        if (form->inner[k] != INNER_DENSE)
            continue;
        yes = yes && array->first % width == 0;
        for (int i = 0; i < form->outer; i++)
            yes = yes && array->outer[i] % width == 0;
    }
    return yes;
}

bool map_is_in_place(const map_form *form)
{
    bool yes = false;
    for (size_t i = form->out_count; i < form->array_count; i++)
        yes = yes || form->arrays[i]->block == form->arrays[0]->block;
    return yes;
}

const lun_number *expression_number(const lun_expression *e, unsigned node)
{
    const lun_node *n = &e->nodes[node];
    return n->kind == LUN_NODE_NUMBER ? &e->numbers[n->args[0]] : n->kind == LUN_NODE_CONSTANT ? &n->value : NULL;
}
