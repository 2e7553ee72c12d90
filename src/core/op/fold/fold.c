/* Reductions of expressions: what is checked, and the call. */
#include "op/fold/fold.h"
#include "graph/graph.h"
#include "op/fold/segments.h"
#include "op/folded.h"
#include "op/planning.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the calls ---------------------------------------------------------------------------------------------------- */

/* The shape without the axes that go, or with 1, or the number of segments, in their place. */
static void find_kept(int *out_ndim, size_t *out, int ndim, const size_t *shape, const lun_reduction *reduction,
                      bool keepdims)
{
    const lun_array *segments = reduction->segments;
    *out_ndim = 0;
    for (int i = 0; i < ndim; i++)
        if (!reduction->axis[i] || keepdims || segments)
            out[(*out_ndim)++] = !reduction->axis[i] ? shape[i] : segments ? segments->size - 1 : 1;
}

static lun_status check_segments(int ndim, const lun_expression *e, const lun_reduction *reduction, lun_error *err)
{
    int going = 0;
    TRY(segments_check(reduction->segments, e->arrays[0], err));
    for (int i = 0; i < ndim; i++)
        going += reduction->axis[i];
    if (going != 1)
        FAIL(LUN_MISUSE, "segments divide one axis, got %d axes", going);
    if (e->result_count != 1)
        FAIL(LUN_MISUSE, "segments are reduced by one op at a time, got %zu", e->result_count);
    return LUN_OK;
}

lun_status fold_check_room(const lun_expression *e, lun_error *err)
{
    const size_t count = e->array_count + e->result_count;
    if (count <= LUN_FOLD_ARRAYS)
        return LUN_OK;
    return fail(err, LUN_MISUSE, "the reduction has %zu arrays and results; at most %d are possible", count,
                LUN_FOLD_ARRAYS);
}

/* What the expression gives, before it is reduced. */
typedef struct found {
    map_types types;
    int ndim;
    size_t shape[LUN_MAX_AXES];
} found;

static lun_status find_result(found *f, const lun_expression *e, const lun_reduce_op *ops,
                              const lun_reduction *reduction, lun_error *err)
{
    char text[200];
    bool nothing = false;
    const map_types *types = &f->types;
    const size_t *shape = f->shape;
    TRY(map_find_result(&f->types, &f->ndim, f->shape, e, err));
    TRY(fold_check_room(e, err));
    for (size_t k = 0; k < e->result_count && !reduction->own; k++) {
        if (reduction->typed)
            TRY(fold_check_typed(ops[k], types->result[k], err));
        TRY(fold_check_op(ops[k], err));
    }
    for (size_t k = 0; k < e->result_count && !reduction->own; k++)
        TRY(fold_check_dtype(ops[k], types->result[k], err));
    TRY(fold_check_bins(e, types, ops, reduction, err));
    if (reduction->segments)
        TRY(check_segments(f->ndim, e, reduction, err));
    for (int i = 0; i < f->ndim && !reduction->segments; i++)
        nothing = nothing || (reduction->axis[i] && shape[i] == 0);
    if (nothing && reduction->own && !reduction->own->identity)
        FAIL(LUN_MISUSE, "no elements, and the operator has no identity: the reduced extent of shape %s is 0",
             device_shape_text(text, sizeof text, e->arrays[0]->device, f->ndim, shape));
    for (size_t k = 0; k < e->result_count && nothing && !reduction->own; k++)
        if (fold_row_of(ops[k])->empty == FOLD_NOTHING)
            FAIL(LUN_MISUSE, "%s of no elements: the reduced extent of shape %s is 0", lun_reduce_name(ops[k]),
                 device_shape_text(text, sizeof text, e->arrays[0]->device, f->ndim, shape));
    return LUN_OK;
}

static lun_dtype result_dtype(const lun_reduction *reduction, const lun_reduce_op *ops, const map_types *types,
                              size_t k, bool fp64)
{
    const lun_dtype dtype = types->result[k];
    if (reduction->own)
        return dtype;
    const fold_row *row =
        lun_dtype_has(dtype, LUN_PAIRS) ? fold_row_for(ops[k], reduction, dtype, fp64) : fold_row_of(ops[k]);
    if (reduction->typed)
        return row->gives == FOLD_GIVES_PART ? lun_dtype_part(dtype) : dtype;
    return fold_result_dtype(row, dtype, fp64);
}

lun_status lun_fold_result(lun_dtype *dtypes, int *ndim, size_t *shape, const lun_expression *e,
                           const lun_reduce_op *ops, const lun_reduction *reduction, bool keepdims, lun_error *err)
{
    found f;
    TRY(find_result(&f, e, ops, reduction, err));
    find_kept(ndim, shape, f.ndim, f.shape, reduction, keepdims);
    for (size_t k = 0; k < e->result_count; k++)
        dtypes[k] = result_dtype(reduction, ops, &f.types, k, e->arrays[0]->device->info.fp64);
    return LUN_OK;
}

static lun_status check_out(const lun_array *out, lun_dtype dtype, int ndim, const size_t *shape,
                            const lun_expression *e, const lun_reduction *reduction, lun_error *err)
{
    int own;
    size_t sizes[LUN_MAX_AXES];
    find_kept(&own, sizes, ndim, shape, reduction, out->ndim == ndim);
    if (own != out->ndim || memcmp(sizes, out->shape, (size_t)own * sizeof *sizes) != 0)
        find_kept(&own, sizes, ndim, shape, reduction, false);
    TRY(array_check_out(out, e->arrays[0], dtype, own, sizes, err));
    for (size_t i = 0; i < e->array_count; i++)
        TRY(array_check_apart(out, e->arrays[i], err));
    if (reduction->segments)
        TRY(array_check_apart(out, reduction->segments, err));
    return LUN_OK;
}

/* Where nothing is reduced, results are what the ops make from nothing. */
static lun_status fill_empty(const lun_array *const *outs, const lun_expression *e, const lun_reduce_op *ops,
                             const lun_reduction *reduction, const lun_call *call, lun_error *err)
{
    lun_call same = call ? *call : (lun_call){0};
    const variant *row;
    const bool plain = e->result_count == 1 && !reduction->own && fold_row_is_plain(fold_row_of(ops[0]));
    const variants *of = plain ? &reduce_variants : &fold_variants;
    TRY(variant_choose(&row, of, outs[0]->device, NULL, variant_named(call), err));
    same.variant = NULL;
    for (size_t k = 0; k < e->result_count; k++)
        TRY(lun_array_fill(outs[k], lun_integer(reduction->own || !outs[k]->size ? 0 : fold_row_of(ops[k])->empty),
                           &same, err));
    return LUN_OK;
}

/* Can result `other` be made from the state of result `one`: moments, or sums in bins, of the same value? */
static bool has_state_of(const fold_form *form, size_t one, size_t other)
{
    const lun_expression *e = form->map.expression;
    const fold_row *a = form->rows[one], *b = form->rows[other];
    const bool same = a->family == b->family && a->family >= FOLD_MOMENTS && a->family <= FOLD_PRESENT;
    const bool bins = fold_is_binned(b) && (a->family == b->family || a->family == FOLD_POWERS);
    return (same || bins) && strcmp(a->map, b->map) == 0 &&
           (e->texts ? strcmp(e->texts[one], e->texts[other]) == 0 : e->results[one] == e->results[other]);
}

/* Results that can share a state do; one that has more than the others is preferred. */
static void find_states(fold_form *form)
{
    const size_t count = form->map.expression->result_count;
    for (size_t k = 0; k < count; k++) {
        form->state_of[k] = k;
        for (size_t other = count; other-- > 0;) {
            const bool better = other < form->state_of[k] && form->rows[form->state_of[k]]->family != FOLD_POWERS;
            const bool wider = form->rows[other]->family == FOLD_POWERS;
            if (has_state_of(form, other, k) && (better || wider))
                form->state_of[k] = other;
        }
    }
}

/* A number as the kernels' REAL has it. */
static cl_long fold_bits(double number, bool fp64)
{
    const float narrow = (float)number;
    cl_long bits = 0;
    memcpy(&bits, fp64 ? (const void *)&number : &narrow, fp64 ? sizeof number : sizeof narrow);
    return bits;
}

void fold_init(fold_problem *p, const lun_array *const *outs, const lun_expression *e, const map_types *types,
               const lun_reduce_op *ops, const lun_reduction *reduction)
{
    const lun_device *device = outs[0]->device;
    memset(p, 0, offsetof(fold_problem, rows)); /* zeroing what is behind takes as long as planning */
    p->form.map = (map_form){.expression = e, .types = types, .arrays = e->arrays, .array_count = e->array_count};
    p->form.fp64 = device->info.fp64;
    p->outs = outs;
    p->fold.ddof = fold_bits(reduction->ddof, device->info.fp64);
    p->fold.base = reduction->base;
    if (reduction->own)
        p->own = fold_row_of_own(reduction->own);
    for (size_t k = 0; k < e->result_count; k++)
        p->form.rows[k] = reduction->own ? &p->own : fold_row_for(ops[k], reduction, types->result[k], p->form.fp64);
    if (e->result_count == 1)
        p->form.rows[0] = fold_row_alone(p->form.rows[0], types->result[0], p->form.fp64);
    for (size_t k = 0; k < e->result_count; k++)
        p->form.given[k] = result_dtype(reduction, ops, types, k, p->form.fp64);
    p->has_identity = reduction->own ? reduction->own->identity != NULL : fold_row_of(ops[0])->empty != FOLD_NOTHING;
    find_states(&p->form);
}

static lun_status plan_found(plan *out, const lun_array *const *outs, const found *f, const lun_expression *e,
                             const lun_reduce_op *ops, const lun_reduction *reduction, const char *named,
                             lun_error *err)
{
    launch_arg numbers[MAP_NUMBERS];
    map_element elements[MAP_NUMBERS];
    const variant *row;
    fold_problem p;
    fold_init(&p, outs, e, &f->types, ops, reduction);
    TRY(map_convert_numbers(numbers, elements, e, &f->types, err));
    p.numbers = numbers;
    fold_find_axes(&p, f->ndim, f->shape, reduction->axis, reduction->segments != NULL);
    p.form.far = p.fold.elements > INT32_MAX;
    if (reduction->segments) {
        segments_problem s = {.fold = &p, .segments = reduction->segments};
        return segments_plan(out, &s, reduction->axis, named, err);
    }
    const variants *of = fold_variants_for(&p);
    if (p.fold.elements == 0) { /* the device alone knows an own operator's identity; plain needs no elements */
        TRY(variant_choose(&row, of, out->op->device, NULL, named, err));
        named = "plain";
    }
    return plan_variant(out, of, &p, named, err);
}

lun_status plan_fold(plan *out, const lun_array *const *outs, const lun_expression *e, const lun_reduce_op *ops,
                     const lun_reduction *reduction, const char *named, lun_error *err)
{
    found f;
    TRY(find_result(&f, e, ops, reduction, err));
    return plan_found(out, outs, &f, e, ops, reduction, named, err);
}

static lun_status check_outs(bool *nothing, const lun_array *const *outs, const found *f, const lun_expression *e,
                             const lun_reduce_op *ops, const lun_reduction *reduction, lun_error *err)
{
    const bool fp64 = e->arrays[0]->device->info.fp64;
    for (size_t k = 0; k < e->result_count; k++)
        TRY(check_out(outs[k], result_dtype(reduction, ops, &f->types, k, fp64), f->ndim, f->shape, e, reduction, err));
    TRY(array_check_outputs(outs, e->result_count, err));
    *nothing = outs[0]->size == 0 && !reduction->segments;
    for (int i = 0; i < f->ndim && !reduction->own && !reduction->segments; i++)
        *nothing = *nothing || f->shape[i] == 0;
    return LUN_OK;
}

lun_status lun_fold(const lun_array *const *outs, const lun_expression *e, const lun_reduce_op *ops,
                    const lun_reduction *reduction, const lun_call *call, lun_error *err)
{
    found f;
    bool nothing = false;
    if (array_is_traced(outs[0]))
        return graph_note(outs, e, ops, reduction, err);
    PLANNED(op, planned, outs[0]->device, e->name, call);
    TRY(find_result(&f, e, ops, reduction, err));
    TRY(check_outs(&nothing, outs, &f, e, ops, reduction, err));
    if (nothing)
        return fill_empty(outs, e, ops, reduction, call, err);
    TRY(operation_touches(&op, e->arrays, e->array_count, ARRAYS(NULL), err));
    TRY(operation_touches(&op, ARRAYS(reduction->segments), outs, e->result_count, err));
    expression_weigh(&op, e, reduction->own, false);
    TRY(plan_found(&planned, outs, &f, e, ops, reduction, variant_named(call), err));
    operation_quick(&op);
    return operation_run(&op, &planned, err);
}
