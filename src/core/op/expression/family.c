/* Families: functions whose kernels are one program. PoCL takes 200 ms to build a program of one kernel, 12 ms for each
 * further kernel, and 50 ms to find the program in its cache; it compiles a kernel at its first launch, in 150 ms. So
 * the first function of a family takes a sixth longer than in its own program, and each other one only the time of its
 * kernel. */
#include "api/functions.h"
#include "base/dtype.h"
#include "device/device.h"
#include "op/expression/emit.h"
#include "op/variant.h"

#include <string.h>

/* A GPU's compiler compiles all kernels when the program is built, so families for GPUs consist of short functions. */
static bool is_short(map_family family) { return family <= FAMILY_ROUNDING; }

map_family map_find_family(const lun_expression *e, const lun_device *device)
{
    if (e->texts || e->reads || e->result_count != 1 || e->node_count < 2 || e->node_count > MAP_OPERANDS + 1)
        return FAMILY_ALONE;
    const unsigned last = (unsigned)e->node_count - 1;
    const lun_node *op = &e->nodes[last];
    if (op->kind != LUN_NODE_OP || e->results[0] != last || map_function_of(op->op)->arity != last)
        return FAMILY_ALONE;
    for (unsigned i = 0; i < last; i++)
        if (op->args[i] != i || (e->nodes[i].kind != LUN_NODE_ARRAY && e->nodes[i].kind != LUN_NODE_NUMBER))
            return FAMILY_ALONE;
    const map_family family = map_function_of(op->op)->family;
    return is_short(family) || variant_on_cpu(device, NULL) ? family : FAMILY_ALONE;
}

bool map_is_of_integers(const lun_expression *e)
{
    for (size_t i = 0; i < e->array_count; i++)
        if (!dtype_is_whole(e->arrays[i]->dtype))
            return false;
    for (size_t i = 0; i < e->number_count; i++)
        if (!e->numbers[i].is_integer)
            return false;
    return true;
}

/* All members have operands and results of the same dtypes: a function from integers to integers is not in a family
 * with one that computes in floats. */
static unsigned find_members(lun_map_op *out, const map_form *form)
{
    unsigned count = 0;
    if (!form->family)
        return 0;
    const unsigned arity = (unsigned)form->expression->node_count - 1;
    const lun_dtype operands = form->types->value[arity].operands;
    const map_function *own = map_function_of(form->expression->nodes[arity].op);
    const bool pairs = lun_dtype_has(operands, LUN_PAIRS),
               converts = !dtype_is_whole(operands) && map_is_of_integers(form->expression);
    for (int op = 0; op < LUN_MAP_OPS && count < MAP_FAMILY; op++) {
        const map_function *function = map_function_of((lun_map_op)op);
        if (function->family == form->family && function->arity == arity &&
            function->expression[emit_numbers(operands)] && !(converts && function->takes <= TAKES_DIFFERENCES) &&
            !(pairs && function->gives != own->gives))
            out[count++] = (lun_map_op)op;
    }
    return count;
}

unsigned map_count_members(const void *form)
{
    lun_map_op members[MAP_FAMILY];
    return find_members(members, form);
}

void map_take_member(map_form *out, map_member *member, const map_form *form, unsigned i)
{
    lun_map_op members[MAP_FAMILY];
    find_members(members, form);
    *out = *form;
    member->expression = *form->expression;
    memcpy(member->nodes, form->expression->nodes, form->expression->node_count * sizeof member->nodes[0]);
    member->nodes[form->expression->node_count - 1].op = members[i];
    member->expression.nodes = member->nodes;
    out->expression = &member->expression;
}

void map_write_kernel_name(text_builder *out, const map_form *form, const char *file)
{
    const lun_expression *e = form->expression;
    const char *name = form->family ? map_function_of(e->nodes[e->node_count - 1].op)->name : file;
    if (form->family)
        text_add_bytes(out, "map_", 4);
    text_add_bytes(out, name, strlen(name));
}
