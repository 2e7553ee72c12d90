/* Expressions with reductions inside them in one kernel (fused.h): which can be computed so, the rows of their arrays, and the call.
 * Where none of the kernels applies the passes run one by one (passes.c). */
#include "op/fold/fused.h"
#include "op/planning.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- the expression ------------------------------------------------------------------------------------------------ */

/* One expression that gives what is reduced, and behind that the results: all of one shape, or it refuses. */
static bool find_types(fused_problem *f, int *ndim, size_t *shape, const passes *p)
{
    const lun_expression *given = p->given;
    lun_error ignored;
    if (p->count > FOLD_RESULTS || p->count + given->result_count > LUN_MAP_RESULTS ||
        given->array_count + p->count > LUN_MAP_ARRAYS)
        return false;
    for (size_t k = 0; k < p->count; k++)
        f->results[k] = given->nodes[p->fold_nodes[k]].args[0];
    memcpy(f->results + p->count, given->results, given->result_count * sizeof *given->results);
    f->fold_expression = *given;
    f->fold_expression.nodes = p->nodes;
    f->fold_expression.arrays = p->arrays;
    f->fold_expression.array_count += p->count;
    f->fold_expression.results = f->results;
    f->fold_expression.result_count = p->count + given->result_count;
    if (map_find_result(&f->fold_types, ndim, shape, &f->fold_expression, &ignored) != LUN_OK)
        return false;
    f->last_expression = f->fold_expression;
    f->fold_expression.result_count = p->count;
    f->last_expression.results += p->count;
    f->last_expression.result_count = given->result_count;
    memcpy(f->last_types.value, f->fold_types.value, given->node_count * sizeof *f->last_types.value);
    memcpy(f->last_types.number, f->fold_types.number, sizeof f->last_types.number);
    memcpy(f->last_types.result, f->fold_types.result + p->count, given->result_count * sizeof *f->last_types.result);
    return true;
}

/* Are the outputs what the last pass takes, too? Those that it refuses, it says why. */
static bool are_apart(const fused_problem *f, const lun_array *const *outs, int ndim, const size_t *shape)
{
    lun_error ignored;
    const size_t inputs = f->form.last.array_count - f->form.last.out_count;
    for (size_t i = 0; i < f->form.last.out_count; i++) {
        if (array_check_out(outs[i], f->last_expression.arrays[0], f->last_types.result[i], ndim, shape, &ignored) !=
            LUN_OK)
            return false;
        for (size_t k = 0; k < inputs; k++)
            if (!array_is_same_view(outs[i], f->last_expression.arrays[k]) &&
                array_check_apart(outs[i], f->last_expression.arrays[k], &ignored) != LUN_OK)
                return false;
    }
    return array_check_outputs(outs, f->form.last.out_count, &ignored) == LUN_OK;
}

/* Both forms: outputs, given arrays, and the reductions' results. */
static bool find_forms(fused_problem *f, const passes *p, const lun_array *const *outs, const lun_reduction *over)
{
    lun_reduce_op ops[FOLD_RESULTS];
    fused_form *form = &f->form;
    const size_t count = p->count, results = f->last_expression.result_count;
    for (size_t k = 0; k < count; k++)
        ops[k] = p->given->nodes[p->fold_nodes[k]].fold;
    fold_init(&f->filled, outs, &f->fold_expression, &f->fold_types, ops, over);
    form->fold = f->filled.form;
    memcpy(f->arrays, outs, results * sizeof *outs);
    memcpy(f->arrays + results, f->fold_expression.arrays, f->fold_expression.array_count * sizeof *f->arrays);
    form->last = (map_form){.expression = &f->last_expression,
                            .types = &f->last_types,
                            .arrays = f->arrays,
                            .array_count = results + p->given->array_count,
                            .out_count = results};
    for (size_t k = 0; k < count; k++) {
        form->stage[k] = p->pass[p->fold_nodes[k]];
        form->last.inner[form->last.array_count + k] = INNER_SINGLE;
        size_t shared = 0;
        for (size_t other = 0; other < count; other++)
            shared += form->fold.state_of[other] == form->fold.state_of[k];
        if (shared == 1)
            form->fold.rows[k] = fold_row_alone(form->fold.rows[k], f->fold_types.result[k], form->fold.fp64);
    }
    form->stages = p->depth;
    form->fold.map = form->last;
    form->fold.map.expression = &f->fold_expression;
    form->fold.map.types = &f->fold_types;
    return map_is_real(&form->last) && map_is_real(&form->fold.map) && !fold_is_ordered(&f->filled);
}

/* ---- rows ------------------------------------------------------------------------------------------------------------ */

/* The axes that go, or those that stay, merged where they can be. */
static int find_axes(size_t *size, int64_t (*stride)[LUN_MAX_AXES], const fused_problem *f, int ndim,
                     const size_t *shape, const bool *goes, bool which)
{
    int64_t *lists[MAP_ARRAYS];
    const size_t arrays = f->form.last.array_count;
    int count = 0;
    for (int i = 0; i < ndim; i++) {
        if (goes[i] != which)
            continue;
        size[count] = shape[i];
        for (size_t k = 0; k < arrays; k++) {
            const lun_array *a = f->arrays[k];
            const int own = i - (ndim - a->ndim);
            stride[k][count] = own < 0 || a->shape[own] == 1 ? 0 : a->stride[own];
        }
        count++;
    }
    for (size_t k = 0; k < arrays; k++)
        lists[k] = stride[k];
    return shape_collapse(count, size, lists, (int)arrays);
}

/* Rows are the axes that go: one, of neighbours in memory. */
static bool find_rows(fused_problem *f, int ndim, const size_t *shape, const bool *goes)
{
    int64_t stride[MAP_ARRAYS][LUN_MAX_AXES];
    size_t size[LUN_MAX_AXES];
    map_form *form = &f->form.last;
    map_rows *rows = &f->rows;
    if (find_axes(size, stride, f, ndim, shape, goes, true) != 1)
        return false;
    rows->columns = f->shape.elements = (cl_long)size[0];
    for (size_t k = 0; k < form->array_count; k++) {
        rows->array[k].first = f->arrays[k]->offset;
        rows->array[k].inner = stride[k][0];
        form->inner[k] = map_inner_of(stride[k][0]);
        if (form->inner[k] == INNER_STRIDED)
            return false;
    }
    form->outer = find_axes(size, stride, f, ndim, shape, goes, false);
    rows->rows = 1;
    for (int i = 0; i < form->outer; i++) {
        rows->size[i] = (cl_long)size[i];
        rows->rows *= (cl_long)size[i];
        for (size_t k = 0; k < form->array_count; k++)
            rows->array[k].outer[i] = stride[k][i];
    }
    map_take_rows(form, rows);
    map_find_alike(form, rows);
    memcpy(f->form.fold.map.inner, form->inner, sizeof form->inner);
    memcpy(f->form.fold.map.like, form->like, sizeof form->like);
    f->form.fold.map.outer = form->outer;
    return true;
}

/* ---- the call --------------------------------------------------------------------------------------------------------- */

/* Everything that the axes and the device do not say. False: it is not a problem of such a kernel. */
static bool find_problem(fused_problem *f, const passes *p, const lun_array *const *outs, const lun_reduction *over)
{
    int ndim;
    size_t shape[LUN_MAX_AXES];
    for (size_t i = 0; i < p->given->result_count; i++)
        if (!lun_array_is_live(outs[i]))
            return false;
    if (!find_types(f, &ndim, shape, p))
        return false;
    if (!find_forms(f, p, outs, over) || !are_apart(f, outs, ndim, shape) || !outs[0]->size)
        return false;
    f->shape.base = f->filled.fold.base;
    f->shape.ddof = f->filled.fold.ddof;
    return find_rows(f, ndim, shape, over->axis);
}

static lun_status run(bool *done, fused_problem *f, const lun_array *const *outs, const lun_call *call, lun_error *err)
{
    PLANNED(op, planned, outs[0]->device, f->last_expression.name, call);
    for (size_t k = 0; k < f->form.last.array_count; k++) {
        f->touched += lun_array_bytes(f->arrays[k]);
        TRY(k < f->form.last.out_count ? operation_writes(&op, f->arrays[k], err)
                                       : operation_reads(&op, f->arrays[k], err));
    }
    expression_weigh(&op, &f->last_expression, NULL, false);
    TRY(plan_variant(&planned, &fused_variants, f, variant_named(call), err));
    *done = planned.count.commands > 0;
    operation_quick(&op);
    return *done ? operation_run(&op, &planned, err) : LUN_OK;
}

/* Is `plain`, which leaves the problem to the passes, the row that is chosen for it? NULL: for any problem. */
static bool chooses_passes(const lun_device *device, const fused_problem *f, const lun_call *call)
{
    const variant *row;
    lun_error ignored;
    return variant_choose(&row, &fused_variants, device, f, variant_named(call), &ignored) != LUN_OK ||
           row == &fused_variants.rows[fused_variants.count - 1];
}

bool fused_may_run(const lun_expression *e, const lun_reduction *over, const lun_call *call)
{
    return e->array_count && lun_array_is_live(e->arrays[0]) && !over->accurate && !over->reproducible &&
           !chooses_passes(e->arrays[0]->device, NULL, call);
}

lun_status fused_run(bool *done, const passes *p, const lun_array *const *outs, const lun_reduction *over,
                     const lun_call *call, lun_error *err)
{
    FREED fused_problem *f = malloc(sizeof *f);
    *done = false;
    if (!f)
        FAIL(LUN_NO_MEMORY, "out of memory");
    memset(f, 0, offsetof(fused_problem, fold_types));
    if (!find_problem(f, p, outs, over) || chooses_passes(outs[0]->device, f, call))
        return LUN_OK;
    TRY(map_convert_numbers(f->numbers, f->elements, &f->last_expression, &f->last_types, err));
    return run(done, f, outs, call, err);
}
