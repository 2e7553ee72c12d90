/* The text of a kernel that computes an expression with reductions inside it: what kernels/parts/fused.cl asks for.
 *
 * A stage, and the elements behind the last one, computes only the nodes that it needs: a node that several of them need is computed
 * again, unless it takes long and is kept. */
#include "base/dtype.h"
#include "base/error.h"
#include "op/expression/emit.h"
#include "op/fold/fold_states.h"
#include "op/fold/fused.h"

#include <stdio.h>
#include <string.h>

/* ---- which nodes a stage computes ----------------------------------------------------------------------------------- */

/* Notes of the nodes that a stage gives that they are computed; the stage behind all others gives the results. */
static const lun_expression *begin_roles(unsigned char *roles, const fused_form *form, unsigned stage)
{
    const bool last = stage > form->stages;
    const lun_expression *e = last ? form->last.expression : form->fold.map.expression;
    memset(roles, EMIT_NOTHING, e->node_count);
    for (size_t k = 0; k < e->result_count; k++)
        if (last || form->stage[k] == stage)
            roles[e->results[k]] = EMIT_COMPUTED;
    return e;
}

/* What the stage does with each node. */
static void find_roles(unsigned char *roles, const fused_form *form, unsigned stage)
{
    const lun_expression *e = begin_roles(roles, form, stage);
    for (size_t i = e->node_count; i-- > 0;) {
        if (roles[i] == EMIT_NOTHING)
            continue;
        roles[i] = !form->kept[i] || form->kept[i] > stage ? EMIT_COMPUTED
                   : form->kept[i] == stage                ? EMIT_KEPT
                                                           : EMIT_AGAIN;
        for (unsigned k = 0; roles[i] != EMIT_AGAIN && k < passes_operands(&e->nodes[i]); k++)
            roles[e->nodes[i].args[k]] = EMIT_COMPUTED;
    }
}

void fused_find_kept(fused_form *form, bool loads)
{
    const lun_expression *e = form->last.expression;
    unsigned char roles[MAP_NODES], first[MAP_NODES] = {0};
    bool heavy[MAP_NODES];
    const size_t given = form->last.array_count - form->last.out_count; /* behind these are the reductions' results */
    for (size_t i = 0; i < e->node_count; i++) {
        const lun_node *n = &e->nodes[i];
        heavy[i] = n->kind == LUN_NODE_OP && expression_is_heavy(n->op);
        if (n->kind == LUN_NODE_ARRAY && n->args[0] < given)
            heavy[i] = loads && form->last.inner[form->last.out_count + n->args[0]] != INNER_SINGLE;
        for (unsigned k = 0; k < passes_operands(n); k++)
            heavy[i] = heavy[i] || heavy[n->args[k]];
    }
    for (unsigned stage = 1; stage <= form->stages + 1; stage++) {
        begin_roles(roles, form, stage);
        for (size_t i = e->node_count; i-- > 0;) {
            if (roles[i] == EMIT_NOTHING)
                continue;
            if (first[i] && heavy[i]) { /* an earlier stage has it; what goes into it is not asked for */
                form->kept[i] = first[i];
                continue;
            }
            first[i] = first[i] ? first[i] : (unsigned char)stage;
            for (unsigned k = 0; k < passes_operands(&e->nodes[i]); k++)
                roles[e->nodes[i].args[k]] = EMIT_COMPUTED;
        }
    }
}

/* ---- text ----------------------------------------------------------------------------------------------------------- */

void fused_write_signature(text_builder *out, const fused_form *form)
{
    map_write_signature(out, &form->last);
    fold_write_signature(out, &form->fold);
    for (size_t k = 0; k < form->fold.map.expression->result_count; k++)
        text_add(out, "/%u", form->stage[k]);
    text_add(out, "/%zu", form->kept_columns);
}

/* The array that result k of the reductions is for the nodes behind it. */
static size_t made_array(const fused_form *form, size_t k) { return form->last.array_count + k; }

/* Declares what a state gives: one result, or several that share it. */
static void write_have(text_builder *out, const fused_form *form, size_t state)
{
    text_add(out, "#define fold%zu_have(state)", state);
    for (size_t k = 0; k < form->fold.map.expression->result_count; k++) {
        const lun_dtype dtype = form->fold.given[k];
        const char *packing = dtype_packing(dtype);
        if (form->fold.state_of[k] == state)
            text_add(out, " const %s e%zu = %s%s(fold%zu_stored(fold%zu_finish((state))));", emit_computed(dtype),
                     made_array(form, k), *packing ? "unpack_" : "", packing, k, k);
    }
    text_add(out, "\n#define fold%zu_value(j) FUSED_VALUES_1_%u(j)\n", state, form->stage[state]);
}

static void write_stages(text_builder *out, const fused_form *form)
{
    const lun_expression *e = form->last.expression;
    text_add(out, "#define FUSED_STAGES");
    for (unsigned stage = 1; stage <= form->stages; stage++)
        fold_write_stage(out, stage, !form->fold.vectors);
    for (unsigned stage = 1; stage <= form->stages; stage++) {
        text_add(out, "\n#define FUSED_EACH_%u(DO)", stage);
        for (size_t k = 0; k < form->fold.map.expression->result_count; k++)
            if (form->stage[k] == stage && form->fold.state_of[k] == k)
                text_add(out, " DO(%zu)", k);
    }
    text_add(out, "\n#define FUSED_KEPT");
    for (size_t i = 0; i < e->node_count; i++)
        if (form->kept[i])
            text_add(out, " %s kept%zu[%zu];", emit_computed(form->last.types->value[i].dtype), i, form->kept_columns);
    text_add(out, "\n");
    for (size_t k = 0; k < form->fold.map.expression->result_count; k++)
        if (form->fold.state_of[k] == k)
            write_have(out, form, k);
}

static void write_values(text_builder *out, const fused_form *form, unsigned stage, unsigned char *roles)
{
    char name[40];
    unsigned results = 0;
    const map_form *map = &form->fold.map;
    for (size_t k = 0; k < map->expression->result_count; k++)
        results |= (unsigned)(form->stage[k] == stage && form->fold.state_of[k] == k) << k;
    find_roles(roles, form, stage);
    snprintf(name, sizeof name, "FUSED_VALUES_1_%u", stage);
    emit_values(&(writer){out, map, 1, false, roles}, name, results);
    snprintf(name, sizeof name, "FUSED_VALUES_V_%u", stage);
    emit_values(&(writer){out, map, map->width, false, roles}, name, results);
}

lun_status fused_write_text(text_builder *out, const void *data, lun_error *err)
{
    const fused_form *form = data;
    unsigned char roles[MAP_NODES];
    emit_common(&(writer){out, &form->last, 1, false, NULL});
    for (unsigned stage = 1; stage <= form->stages; stage++)
        write_values(out, form, stage, roles);
    find_roles(roles, form, form->stages + 1);
    emit_step(&(writer){out, &form->last, 1, false, roles}, "MAP_STEP_1");
    emit_step(&(writer){out, &form->last, form->last.width, false, roles}, "MAP_STEP_V");
    write_stages(out, form);
    return fold_write_states(out, &form->fold, err);
}
