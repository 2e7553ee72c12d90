/* Scans of expressions: by operators of the user's, or with segments. */
#include "base/dtype.h"
#include "base/error.h"
#include "base/shape.h"
#include "device/device.h"
#include "memory/block.h"
#include "op/fold/segments.h"
#include "op/folded.h"

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
        FAIL(LUN_MISUSE, "an exclusive scan begins with the operator's identity, and there is none");
    if (options->typed && !options->own)
        TRY(fold_check_typed(options->op, types.result[0], err));
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
    fold_find_axes(&p, ndim, shape, goes);
    p.form.far = p.fold.elements > INT32_MAX;
    return segments_plan(out, &s, goes, named, err);
}

/* The array as one axis: a view, or a copy in *made where its elements lie at several distances. */
static lun_status flatten(lun_array *out, lun_array *made, const lun_array *in, const lun_call *call, lun_error *err)
{
    const layout axes = array_layout(in);
    *out = *in;
    if (axes.ndim > 1) {
        TRY(lun_array_create(made, in->device, in->dtype, in->ndim, in->shape, err));
        TRY(lun_array_copy(made, in, &(lun_call){.queue = call ? call->queue : NULL}, err));
        *out = *made;
    }
    out->ndim = 1;
    out->shape[0] = in->size;
    out->stride[0] = axes.ndim == 1 ? axes.stride[0] : 1;
    return LUN_OK;
}

lun_status lun_fold_scan(const lun_array *out, const lun_expression *e, const lun_scan_options *options,
                         const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    operation op = {0};
    plan p = {0};
    lun_array made[LUN_FOLD_ARRAYS] = {0}, flat[LUN_FOLD_ARRAYS];
    const lun_array *arrays[LUN_FOLD_ARRAYS];
    lun_expression along = *e;
    const bool flattened = options->axis == LUN_FLATTENED;
    TRY_DONE(check_out(out, e, options, err));
    for (size_t k = 0; k < e->array_count; k++) {
        arrays[k] = flattened ? &flat[k] : e->arrays[k];
        if (flattened)
            TRY_DONE(flatten(&flat[k], &made[k], e->arrays[k], call, err));
    }
    along.arrays = arrays;
    operation_init(&op, out->device, e->name, call);
    plan_init(&p, &op);
    for (size_t k = 0; k < e->array_count; k++)
        TRY_DONE(operation_reads(&op, arrays[k], err));
    if (options->segments)
        TRY_DONE(operation_reads(&op, options->segments, err));
    TRY_DONE(operation_writes(&op, out, err));
    expression_weigh(&op, &along, options->own, false);
    if (out->size || options->segments)
        TRY_DONE(plan_scan(&p, out, &along, options, flattened ? 0 : options->axis, variant_named(call), err));
    TRY_DONE(operation_run(&op, &p, err));
done:
    plan_clear(&p);
    operation_clear(&op);
    for (size_t k = 0; k < COUNT(made); k++)
        lun_array_clear(&made[k]);
    return status;
}
