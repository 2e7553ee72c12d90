/* Reductions of expressions: what they check, the axes that go and stay, and the call. */
#include "op/map/fold.h"
#include "base/dtype.h"
#include "base/error.h"
#include "base/shape.h"
#include "device/device.h"
#include "memory/block.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows --------------------------------------------------------------------------------------------------------- */

/* The accumulators of reduce.def, and the dtypes that results have where a number is combined. */
#define SAME FOLD_SAME
#define WIDE FOLD_WIDE
#define ADDED FOLD_WIDE
#define NOTHING FOLD_NOTHING

#define GIVES(acc) (acc) == FOLD_SAME ? FOLD_GIVES_SAME : FOLD_GIVES_SUMS

static const fold_row rows[] = {
#define REDUCE(name, acc, map, identity, combine, empty, ...)                                                          \
    {#name, FOLD_ONE, acc, true, map, identity, combine, "s.a", GIVES(acc), empty},
#define FOLD(name, family, acc, map, identity, combine, finish, gives, empty, ...)                                     \
    {#name, FOLD_##family, FOLD_##acc, false, map, identity, combine, finish, FOLD_GIVES_##gives, empty},
#include "op/reduce/reduce.def"
#undef REDUCE
#undef FOLD
};

/* Where f64 holds what narrower floats add up to: squares neither overflow nor vanish, and differences are exact. */
#define SQUARES "(s.squares - s.sum * (s.sum / s.n))"
#define VARIANCE "((" SQUARES " < 0 ? 0 : " SQUARES ") / max(fold.elements - fold.ddof, 0L))"
static const fold_row narrow_rows[] = {
    {"norm", FOLD_ONE, FOLD_REAL, false, "(TO(x) * TO(x))", "0", "(a + b)", "sqrt(s.a)", FOLD_GIVES_FLOAT, 0},
    {"mean", FOLD_PIVOTED, FOLD_REAL, false, "", "", "", "s.pivot + s.sum / s.n", FOLD_GIVES_FLOAT, FOLD_NOTHING},
    {"var", FOLD_PIVOTED, FOLD_REAL, false, "", "", "", VARIANCE, FOLD_GIVES_FLOAT, FOLD_NOTHING},
    {"std", FOLD_PIVOTED, FOLD_REAL, false, "", "", "", "sqrt(" VARIANCE ")", FOLD_GIVES_FLOAT, FOLD_NOTHING},
};

/* The row for values of that dtype. */
static const fold_row *row_of(lun_reduce_op op, lun_dtype dtype, bool fp64)
{
    const bool narrow = fp64 && lun_dtype_kind(dtype) == LUN_FLOAT && dtype != LUN_f64;
    for (size_t i = 0; i < COUNT(narrow_rows) && narrow; i++)
        if (strcmp(narrow_rows[i].name, rows[op].name) == 0)
            return &narrow_rows[i];
    return &rows[op];
}

const char *lun_reduce_name(lun_reduce_op op) { return rows[op].name; }
bool lun_reduce_is_truth(lun_reduce_op op) { return rows[op].gives == FOLD_GIVES_TRUTH; }

lun_status lun_reduce_find(lun_reduce_op *out, const char *name, lun_error *err)
{
    char known[300];
    size_t used = 0;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (strcmp(rows[i].name, name) == 0) {
            *out = (lun_reduce_op)i;
            return LUN_OK;
        }
    for (size_t i = 0; i < COUNT(rows) && used < sizeof known; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", rows[i].name);
    return fail(err, LUN_MISUSE, "unknown op '%.40s'; known are %s", name, known);
}

lun_dtype fold_accumulator_dtype(const fold_row *row, lun_dtype dtype, bool fp64)
{
    const lun_dtype summed = dtype_summed(dtype);
    switch (row->accumulator) {
    case FOLD_SAME:
        return dtype_computed(dtype);
    case FOLD_WIDE: /* integers wrap, so they are computed as unsigned */
        return dtype_is_float(summed) ? summed : LUN_u64;
    case FOLD_REAL:
        return fp64 ? LUN_f64 : LUN_f32;
    default:
        return LUN_i64;
    }
}

lun_dtype fold_result_dtype(const fold_row *row, lun_dtype dtype, bool fp64)
{
    switch (row->gives) {
    case FOLD_GIVES_SAME:
        return dtype;
    case FOLD_GIVES_SUMS:
        return dtype_summed(dtype);
    case FOLD_GIVES_FLOAT:
        return dtype_is_float(dtype) ? dtype_summed(dtype) : fp64 ? LUN_f64 : LUN_f32;
    case FOLD_GIVES_POSITION:
        return LUN_i64;
    default:
        return LUN_u8;
    }
}

/* ---- axes --------------------------------------------------------------------------------------------------------- */

/* The input with most elements, whose order in memory is followed. */
static size_t largest_input(const lun_expression *e)
{
    size_t best = 0;
    for (size_t k = 1; k < e->array_count; k++)
        if (e->arrays[k]->size > e->arrays[best]->size)
            best = k;
    return best;
}

/* Orders axes by an array's strides, the longest first. */
static void sort_axes(int ndim, size_t *size, int64_t (*stride)[LUN_MAX_AXES], size_t count, size_t by)
{
    for (int i = 1; i < ndim; i++)
        for (int at = i; at > 0 && llabs(stride[by][at - 1]) < llabs(stride[by][at]); at--) {
            const size_t held = size[at];
            size[at] = size[at - 1];
            size[at - 1] = held;
            for (size_t k = 0; k < count; k++) {
                const int64_t other = stride[k][at];
                stride[k][at] = stride[k][at - 1];
                stride[k][at - 1] = other;
            }
        }
}

static int collapse(int ndim, size_t *size, int64_t (*stride)[LUN_MAX_AXES], size_t count)
{
    int64_t *lists[MAP_ARRAYS];
    for (size_t k = 0; k < count; k++)
        lists[k] = stride[k];
    return shape_collapse(ndim, size, lists, (int)count);
}

/* Does a result tell positions? They are counted in row-major order, so the axes stay in theirs. */
static bool has_positions(const fold_problem *p)
{
    bool yes = false;
    for (size_t k = 0; k < p->form.map.expression->result_count; k++)
        yes = yes || p->form.rows[k]->family == FOLD_EXTREME;
    return yes;
}

/* Sorts the axes of the broadcast shape into those that stay and those that go. Strides: of the inputs, then of the outputs. */
static void find_axes(fold_problem *p, int ndim, const size_t *shape, const bool *goes)
{
    const lun_expression *e = p->form.map.expression;
    const size_t inputs = e->array_count, all = inputs + e->result_count, by = largest_input(e);
    p->fold.outputs = p->fold.elements = 1;
    for (int i = 0; i < ndim; i++) {
        const int at = goes[i] ? p->reduced : p->kept;
        for (size_t k = 0; k < inputs; k++) {
            const lun_array *in = e->arrays[k];
            const int own = i - (ndim - in->ndim);
            const int64_t stride = own < 0 || in->shape[own] == 1 ? 0 : in->stride[own];
            (goes[i] ? p->reduced_stride : p->kept_stride)[k][at] = stride;
        }
        for (size_t k = 0; k < e->result_count && !goes[i]; k++)
            p->kept_stride[inputs + k][at] = p->outs[k]->stride[p->outs[k]->ndim == ndim ? i : p->kept];
        (goes[i] ? p->reduced_size : p->kept_size)[at] = shape[i];
        *(goes[i] ? &p->reduced : &p->kept) += 1;
        *(goes[i] ? &p->fold.elements : &p->fold.outputs) *= (cl_long)shape[i];
    }
    sort_axes(p->kept, p->kept_size, p->kept_stride, all, by);
    if (!has_positions(p))
        sort_axes(p->reduced, p->reduced_size, p->reduced_stride, inputs, by);
    p->kept = collapse(p->kept, p->kept_size, p->kept_stride, all);
    p->reduced = collapse(p->reduced, p->reduced_size, p->reduced_stride, inputs);
    p->fold.kept = p->kept;
    for (int i = 0; i < p->kept; i++)
        p->fold.size[i] = (cl_long)p->kept_size[i];
    for (size_t k = 0; k < e->result_count; k++) {
        p->fold.out[k].first = p->outs[k]->offset;
        for (int i = 0; i < p->kept; i++)
            p->fold.out[k].stride[i] = p->kept_stride[inputs + k][i];
    }
}

/* Appends an axis to the outer ones, or makes it the inner one. */
static void add_axis(fold_problem *p, size_t size, const int64_t (*stride)[LUN_MAX_AXES], int axis, bool inner)
{
    const size_t inputs = p->form.map.expression->array_count;
    for (size_t k = 0; k < inputs; k++)
        if (inner)
            p->shape.array[k].inner = stride[k][axis];
        else
            p->shape.array[k].outer[p->form.map.outer] = stride[k][axis];
    if (inner) {
        p->shape.columns = (cl_long)size;
    } else {
        p->shape.size[p->form.map.outer++] = (cl_long)size;
        p->shape.rows *= (cl_long)size;
    }
}

void fold_lay_out(fold_problem *p, bool by_columns)
{
    const lun_expression *e = p->form.map.expression;
    const int last_kept = p->kept - by_columns, last_reduced = p->reduced - !by_columns;
    p->by_columns = by_columns;
    p->form.map.outer = 0;
    p->shape.rows = p->shape.columns = 1;
    for (size_t k = 0; k < e->array_count; k++) {
        p->shape.array[k].first = e->arrays[k]->offset;
        p->shape.array[k].inner = 1;
    }
    for (int i = 0; i < last_kept; i++)
        add_axis(p, p->kept_size[i], (const int64_t(*)[LUN_MAX_AXES])p->kept_stride, i, false);
    for (int i = 0; i < last_reduced; i++)
        add_axis(p, p->reduced_size[i], (const int64_t(*)[LUN_MAX_AXES])p->reduced_stride, i, false);
    if (by_columns)
        add_axis(p, p->kept_size[last_kept], (const int64_t(*)[LUN_MAX_AXES])p->kept_stride, last_kept, true);
    else if (p->reduced > 0)
        add_axis(p, p->reduced_size[last_reduced], (const int64_t(*)[LUN_MAX_AXES])p->reduced_stride, last_reduced,
                 true);
    for (size_t k = 0; k < e->array_count; k++)
        p->form.map.inner[k] = map_inner_of(p->shape.array[k].inner);
    p->fold.columns = by_columns ? p->shape.columns : 1;
}

/* ---- the calls ---------------------------------------------------------------------------------------------------- */

/* The shape without the axes that go, or with 1 in their place. */
static void without_axes(int *out_ndim, size_t *out, int ndim, const size_t *shape, const bool *goes, bool keepdims)
{
    *out_ndim = 0;
    for (int i = 0; i < ndim; i++)
        if (!goes[i] || keepdims)
            out[(*out_ndim)++] = goes[i] ? 1 : shape[i];
}

static lun_status find_result(map_types *types, int *ndim, size_t *shape, const lun_expression *e,
                              const lun_reduce_op *ops, const lun_reduction *reduction, lun_error *err)
{
    lun_status status = LUN_OK;
    char text[200];
    bool nothing = false;
    TRY(map_find_result(types, ndim, shape, e, err));
    if (e->array_count + e->result_count > LUN_FOLD_ARRAYS)
        FAIL(LUN_MISUSE, "the reduction has %zu arrays and results; at most %d are possible",
             e->array_count + e->result_count, LUN_FOLD_ARRAYS);
    if (reduction->accurate && e->nodes != NULL && e->node_count > 1)
        FAIL(LUN_MISUSE, "accurate: sums of expressions carry no compensation; sum an array of its own");
    for (int i = 0; i < *ndim; i++)
        nothing = nothing || (reduction->axis[i] && shape[i] == 0);
    for (size_t k = 0; k < e->result_count && nothing; k++)
        if (rows[ops[k]].empty == FOLD_NOTHING)
            FAIL(LUN_MISUSE, "%s of no elements: the reduced extent of shape %s is 0", rows[ops[k]].name,
                 lun_shape_text(text, sizeof text, *ndim, shape));
done:
    return status;
}

lun_status lun_fold_result(lun_dtype *dtypes, int *ndim, size_t *shape, const lun_expression *e,
                           const lun_reduce_op *ops, const lun_reduction *reduction, bool keepdims, lun_error *err)
{
    lun_status status = LUN_OK;
    map_types types;
    int all;
    size_t full[LUN_MAX_AXES];
    TRY(find_result(&types, &all, full, e, ops, reduction, err));
    without_axes(ndim, shape, all, full, reduction->axis, keepdims);
    for (size_t k = 0; k < e->result_count; k++)
        dtypes[k] = fold_result_dtype(&rows[ops[k]], types.result[k], e->arrays[0]->device->info.fp64);
done:
    return status;
}

static lun_status check_out(const lun_array *const *outs, size_t position, lun_dtype dtype, int ndim,
                            const size_t *shape, const lun_expression *e, const lun_reduction *reduction,
                            lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_array *out = outs[position];
    char has[200], wanted[200];
    int own;
    size_t sizes[LUN_MAX_AXES];
    TRY(array_check_live(out, "out", err));
    TRY(array_check_same_device(out, e->arrays[0], "out", err));
    without_axes(&own, sizes, ndim, shape, reduction->axis, out->ndim == ndim);
    if (own != out->ndim || memcmp(sizes, out->shape, (size_t)own * sizeof *sizes) != 0) {
        without_axes(&own, sizes, ndim, shape, reduction->axis, false);
        FAIL(LUN_MISUSE, "out has shape %s; the result has %s", lun_shape_text(has, sizeof has, out->ndim, out->shape),
             lun_shape_text(wanted, sizeof wanted, own, sizes));
    }
    if (out->dtype != dtype)
        FAIL(LUN_MISUSE, "out is %s; the result is %s", lun_dtype_name(out->dtype), lun_dtype_name(dtype));
    if (array_is_spread(out))
        FAIL(LUN_MISUSE, "out is a broadcast view, whose elements stand for several results");
    for (size_t i = 0; i < e->array_count; i++)
        TRY(array_check_apart(out, e->arrays[i], err));
    for (size_t i = 0; i < position; i++)
        if (lun_array_overlap(out, outs[i]))
            FAIL(LUN_MISUSE, "outputs %zu and %zu share elements", i + 1, position + 1);
done:
    return status;
}

/* Where nothing is reduced, results are what the ops make of nothing. */
static lun_status fill_empty(const lun_array *const *outs, const lun_expression *e, const lun_reduce_op *ops,
                             const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_call same = call ? *call : (lun_call){0};
    const variant *row;
    TRY(variant_choose(&row, &fold_variants, outs[0]->device, NULL, variant_named(call), err));
    same.variant = NULL;
    for (size_t k = 0; k < e->result_count; k++)
        TRY(lun_array_fill(outs[k], lun_integer(outs[k]->size ? rows[ops[k]].empty : 0), &same, err));
done:
    return status;
}

/* Do two results come from one state: moments of the same value? */
static bool share_state(const fold_form *form, size_t a, size_t b)
{
    const lun_expression *e = form->map.expression;
    const bool moments = form->rows[a]->family == FOLD_MOMENTS || form->rows[a]->family == FOLD_PIVOTED;
    return moments && form->rows[a]->family == form->rows[b]->family &&
           (e->texts ? strcmp(e->texts[a], e->texts[b]) == 0 : e->results[a] == e->results[b]);
}

/* The arrays and results of an expression, and of its reductions. */
static void init_problem(fold_problem *p, const lun_array *const *outs, const lun_expression *e, const map_types *types,
                         const lun_reduce_op *ops, const lun_reduction *reduction)
{
    const lun_device *device = outs[0]->device;
    p->form.map = (map_form){.expression = e, .types = types, .arrays = e->arrays, .array_count = e->array_count};
    p->form.fp64 = device->info.fp64;
    p->outs = outs;
    p->fold.ddof = reduction->ddof;
    p->fold.base = reduction->base;
    for (size_t k = 0; k < e->result_count; k++)
        p->form.rows[k] = row_of(ops[k], types->result[k], p->form.fp64);
    for (size_t k = 0; k < e->result_count; k++)
        while (p->form.state_of[k] < k && !share_state(&p->form, p->form.state_of[k], k))
            p->form.state_of[k]++;
}

lun_status lun_fold(const lun_array *const *outs, const lun_expression *e, const lun_reduce_op *ops,
                    const lun_reduction *reduction, const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    plan planned = {0};
    map_types types;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    launch_arg numbers[MAP_NUMBERS];
    double elements[MAP_NUMBERS];
    fold_problem p = {.numbers = numbers};
    TRY(find_result(&types, &ndim, shape, e, ops, reduction, err));
    init_problem(&p, outs, e, &types, ops, reduction);
    for (size_t k = 0; k < e->result_count; k++)
        TRY(check_out(outs, k, fold_result_dtype(p.form.rows[k], types.result[k], p.form.fp64), ndim, shape, e,
                      reduction, err));
    TRY(map_convert_numbers(numbers, elements, e, &types, err));
    find_axes(&p, ndim, shape, reduction->axis);
    if (p.fold.outputs == 0 || p.fold.elements == 0) {
        TRY(fill_empty(outs, e, ops, call, err));
        return LUN_OK;
    }
    p.form.far = p.fold.elements > INT32_MAX;
    operation_init(&op, outs[0]->device, e->name, call);
    plan_init(&planned, &op);
    for (size_t k = 0; k < e->array_count; k++)
        TRY(operation_reads(&op, e->arrays[k], err));
    for (size_t k = 0; k < e->result_count; k++)
        TRY(operation_writes(&op, outs[k], err));
    TRY(plan_variant(&planned, &fold_variants, &p, variant_named(call), err));
    operation_quick(&op);
    TRY(operation_run(&op, &planned, err));
done:
    plan_clear(&planned);
    operation_clear(&op);
    return status;
}
