/* Scans of expressions and of arrays: by ops and by operators of the user's, in lines or in their segments. */
#include "api/reductions.h"
#include "op/fold/fold_tuning.h"
#include "op/fold/segments.h"
#include "op/folded.h"
#include "op/planning.h"

#include <stdio.h>
#include <string.h>

static lun_reduction reduction_of(const lun_scan_options *options)
{
    return (lun_reduction){
        .op = options->op, .typed = options->typed, .own = options->own, .segments = options->segments};
}

lun_status lun_fold_scan_result(lun_dtype *dtype, int *ndim, size_t *shape, const lun_expression *e,
                                const lun_scan_options *options, lun_error *err)
{
    map_types types;
    TRY(map_find_result(&types, ndim, shape, e, err));
    TRY(fold_check_room(e, err));
    if (options->segments)
        TRY(segments_check(options->segments, e->arrays[0], err));
    if (options->own && !options->own->identity && options->exclusive)
        FAIL(LUN_MISUSE, "an exclusive scan begins with the operator's identity, which is missing");
    if (options->typed && !options->own)
        TRY(fold_check_typed(options->op, types.result[0], err));
    if (!options->own)
        TRY(fold_check_dtype(options->op, types.result[0], err));
    *dtype = options->own || options->typed
                 ? types.result[0]
                 : fold_result_dtype(fold_row_of(options->op), types.result[0], e->arrays[0]->device->info.fp64);
    if (options->axis == LUN_FLATTENED) {
        for (int i = 1; i < *ndim; i++)
            shape[0] *= shape[i];
        shape[0] = *ndim ? shape[0] : 1;
        *ndim = 1;
    }
    return LUN_OK;
}

static lun_status check_out(const lun_array *out, const lun_expression *e, const lun_scan_options *options,
                            lun_error *err)
{
    lun_dtype dtype;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    TRY(lun_fold_scan_result(&dtype, &ndim, shape, e, options, err));
    TRY(array_check_out(out, e->arrays[0], dtype, ndim, shape, err));
    for (size_t k = 0; k < e->array_count; k++)
        TRY(array_check_apart(out, e->arrays[k], err));
    if (options->segments)
        TRY(array_check_apart(out, options->segments, err));
    return LUN_OK;
}

/* Plans the scan along an axis; the operation says what it touches. */
static lun_status plan_scan(plan *out, const lun_array *to, const lun_expression *e, const lun_scan_options *options,
                            int axis, const char *named, lun_error *err)
{
    map_types types;
    int ndim;
    size_t shape[LUN_MAX_AXES];
    launch_arg numbers[MAP_NUMBERS];
    map_element elements[MAP_NUMBERS];
    bool goes[LUN_MAX_AXES] = {false};
    fold_problem p;
    const lun_reduction reduction = reduction_of(options);
    segments_problem s = {.fold = &p, .segments = options->segments, .scan = true, .reverse = options->reverse};
    s.shape.exclusive = options->exclusive;
    goes[axis] = true;
    TRY(map_find_result(&types, &ndim, shape, e, err));
    fold_init(&p, &to, e, &types, &options->op, &reduction);
    TRY(map_convert_numbers(numbers, elements, e, &types, err));
    p.numbers = numbers;
    fold_find_axes(&p, ndim, shape, goes, true);
    p.form.far = p.fold.elements > INT32_MAX;
    return segments_plan(out, &s, goes, named, err);
}

/* The array as one axis: a view, or a copy where its elements lie at several distances. */
static lun_status flatten(lun_array *out, plan *p, const lun_array *in, lun_error *err)
{
    layout axes = array_layout(in);
    lun_array flat = *in;
    if (axes.ndim > 1) {
        TRY(operation_scratch_array(p->op, &flat, in->dtype, in->ndim, in->shape, err));
        TRY(plan_array_copy(p, &flat, in, err));
        axes = array_layout(&flat);
    }
    flat.ndim = 1;
    flat.shape[0] = in->size;
    flat.stride[0] = axes.ndim ? axes.stride[0] : 1;
    *out = flat;
    return LUN_OK;
}

/* Plans the scan along an axis, or of all elements in one line. */
static lun_status plan_lines(plan *out, const lun_array *to, const lun_expression *e, const lun_scan_options *options,
                             const char *named, lun_error *err)
{
    const bool flattened = options->axis == LUN_FLATTENED;
    lun_array flat[LUN_FOLD_ARRAYS];
    const lun_array *arrays[LUN_FOLD_ARRAYS];
    lun_expression along = *e;
    for (size_t k = 0; k < e->array_count; k++) {
        arrays[k] = flattened ? &flat[k] : e->arrays[k];
        if (flattened)
            TRY(flatten(&flat[k], out, e->arrays[k], err));
    }
    along.arrays = arrays;
    return plan_scan(out, to, &along, options, flattened ? 0 : options->axis, named, err);
}

lun_status lun_fold_scan(const lun_array *out, const lun_expression *e, const lun_scan_options *options,
                         const lun_call *call, lun_error *err)
{
    TRY(check_out(out, e, options, err));
    PLANNED(op, p, out->device, e->name, call);
    TRY(operation_touches(&op, e->arrays, e->array_count, ARRAYS(NULL), err));
    TRY(operation_touches(&op, ARRAYS(options->segments), ARRAYS(out), err));
    expression_weigh(&op, e, options->own, false);
    if (out->size || options->segments)
        TRY(plan_lines(&p, out, e, options, variant_named_of(call, out->dtype), err));
    else
        TRY(plan_variant(&p, &scan_variants, NULL, variant_named(call), err));
    if (out->size <= fold_tuned(op.device)->scan.quick)
        operation_quick(&op);
    return operation_run(&op, &p, err);
}

/* ---- of an array as it is ------------------------------------------------------------------------------------------ */

static const lun_reduce_op scanned[] = {
#define SCAN(op) LUN_REDUCE_##op,
#include "op/fold/scan.def"
#undef SCAN
};

lun_status lun_scan_find(lun_reduce_op *out, const char *name, lun_error *err)
{
    char known[100];
    size_t used = 0;
    for (size_t i = 0; i < COUNT(scanned); i++)
        if (strcmp(lun_reduce_name(scanned[i]), name) == 0) {
            *out = scanned[i];
            return LUN_OK;
        }
    for (size_t i = 0; i < COUNT(scanned) && used < sizeof known; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", lun_reduce_name(scanned[i]));
    return fail(err, LUN_MISUSE, "unknown op '%.40s'; known are %s", name, known);
}

/* The expression that is this array, whose parts the caller has. */
static lun_expression of_array(const lun_array *const *in)
{
    static const lun_node node = {.kind = LUN_NODE_ARRAY};
    static const unsigned result = 0;
    return (lun_expression){.name = "scan",
                            .nodes = &node,
                            .node_count = 1,
                            .results = &result,
                            .result_count = 1,
                            .arrays = in,
                            .array_count = 1,
                            .dtype = LUN_DTYPES};
}

lun_status lun_scan_result(lun_dtype *dtype, int *ndim, size_t *shape, const lun_array *in,
                           const lun_scan_options *options, lun_error *err)
{
    const lun_expression e = of_array(&in);
    return lun_fold_scan_result(dtype, ndim, shape, &e, options, err);
}

lun_status lun_scan(const lun_array *out, const lun_array *in, const lun_scan_options *options, const lun_call *call,
                    lun_error *err)
{
    const lun_expression e = of_array(&in);
    return lun_fold_scan(out, &e, options, call, err);
}
