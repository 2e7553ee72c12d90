/* Queries of sorted elements: the positions of values, and the distinct elements. */
#include "abi/sort.h"
#include "base/order.h"
#include "op/planning.h"
#include "op/sort/sort.h"

#include <stdio.h>

static lun_status find_kernel(launch *out, plan *p, lun_dtype dtype, const char *defines, const char *name,
                              size_t items, lun_error *err)
{
    cl_kernel kernel;
    const program_key key = {.file = "sorted_plain", .dtype = dtype, .defines = defines};
    TRY(program_kernel(&kernel, p->op->device, &key, name, err));
    *out = launch_spread(p->op->device, kernel, items, spread_tuned(p->op->device)->drawn);
    return LUN_OK;
}

/* ---- searchsorted ----------------------------------------------------------------------------------------------- */

static lun_status check_search(const lun_array *out, const lun_array *sorted, const lun_array *values, lun_error *err)
{
    char has[200];
    TRY(array_check_live(sorted, "the array", err));
    TRY(array_check_live(values, "the array of values", err));
    TRY(array_check_same_device(values, sorted, "the array of values", err));
    if (sorted->ndim != 1)
        FAIL(LUN_MISUSE, "the array has shape %s; a sorted array of one axis is needed",
             array_shape_text(has, sizeof has, sorted));
    TRY(sort_check_out(out, sorted, LUN_i64, values->ndim, values->shape, err));
    return array_check_apart(out, values, err);
}

static lun_status plan_search(plan *p, const lun_array *out, const lun_array *sorted, const lun_array *values,
                              bool right, lun_error *err)
{
    const ordering order = dtype_ordering(sorted->dtype, values->dtype, p->op->device->info.fp64);
    const lun_dtype here = order.parted ? dtype_parted(sorted->dtype) : order.dtype,
                    there = order.parted ? dtype_parted(values->dtype) : order.dtype;
    lun_array in, wanted, made;
    launch groups;
    char defines[120];
    snprintf(defines, sizeof defines, "#define SORTED %s\n#define WANTED %s\n#define SEARCHED_BY %s\n", dtype_cl(here),
             dtype_cl(there), dtype_cl(order.dtype));
    TRY(find_kernel(&groups, p, here, order.parted ? defines : NULL, "sorted_search", values->size, err));
    TRY(plan_array_dense(&in, p, sorted, here, err));
    TRY(plan_array_dense(&wanted, p, values, there, err));
    TRY(plan_array_result(&made, p, out, err));
    TRY(plan_launch(p, &groups,
                    ARGS(ARG_BLOCK(made.block), ARG_BLOCK(in.block), ARG_BLOCK(wanted.block), ARG_LONG(made.offset),
                         ARG_LONG(in.offset), ARG_LONG(wanted.offset), ARG_LONG(in.size), ARG_LONG(wanted.size),
                         ARG_LONG(right)),
                    err));
    return plan_array_give(p, out, &made, err);
}

lun_status lun_searchsorted(const lun_array *out, const lun_array *sorted, const lun_array *values, bool right,
                            const lun_call *call, lun_error *err)
{
    TRY(check_search(out, sorted, values, err));
    TRY(dtype_check_ordered(sorted->dtype, err));
    TRY(dtype_check_ordered(values->dtype, err));
    PLANNED(op, p, sorted->device, "searchsorted", call);
    TRY(operation_touches(&op, ARRAYS(sorted, values), ARRAYS(out), err));
    operation_weigh(&op, 3 * sort_weight(values->size, sorted->size)); /* each value is searched for separately */
    if (values->size)
        TRY(plan_search(&p, out, sorted, values, right, err));
    sort_quick(&op, values->size);
    return operation_run(&op, &p, err);
}

/* ---- unique ----------------------------------------------------------------------------------------------------- */

static lun_status plan_marks(plan *p, const lun_array *marks, const sort_problem *problem, const char *name,
                             lun_error *err)
{
    launch groups;
    const lun_array *sorted = problem->values;
    TRY(find_kernel(&groups, p, sorted->dtype, NULL, "sorted_marks", sorted->size, err));
    TRY(sort_plan(p, problem, name, err));
    return plan_launch(p, &groups,
                       ARGS(ARG_BLOCK(marks->block), ARG_BLOCK(sorted->block), ARG_LONG(marks->offset),
                            ARG_LONG(sorted->offset), ARG_LONG(sorted->size)),
                       err);
}

lun_status lun_unique_sort(const lun_array *sorted, const lun_array *positions, const lun_array *marks,
                           const lun_array *in, const lun_call *call, lun_error *err)
{
    const variant *row;
    sort_problem problem = {.values = sorted, .positions = positions};
    TRY(array_check_live(in, "the array", err));
    TRY(dtype_check_ordered(in->dtype, err));
    TRY(sort_check_out(sorted, in, in->dtype, 1, &in->size, err));
    TRY(sort_check_out(marks, in, LUN_u8, 1, &in->size, err));
    if (positions)
        TRY(sort_check_out(positions, in, LUN_i64, 1, &in->size, err));
    PLANNED(op, p, in->device, "unique", call);
    TRY(operation_touches(&op, ARRAYS(in), ARRAYS(sorted, marks, positions), err));
    operation_weigh(&op, sort_weight(in->size, in->size));
    TRY(variant_choose(&row, &sort_variants, op.device, NULL, variant_named(call), err));
    if (in->size) {
        TRY(plan_array_dense(&problem.in, &p, in, in->dtype, err));
        problem.in.ndim = 1;
        problem.in.shape[0] = in->size;
        problem.in.stride[0] = 1;
        TRY(plan_marks(&p, marks, &problem, variant_named(call), err));
    }
    sort_quick(&op, in->size);
    return operation_run(&op, &p, err);
}

static lun_status plan_asked(plan *p, const lun_array *counts, const lun_array *inverse, const lun_array *starts,
                             const lun_array *positions, size_t elements, lun_error *err)
{
    launch counting, telling;
    if (counts)
        TRY(find_kernel(&counting, p, LUN_i64, NULL, "sorted_counts", counts->size, err));
    if (inverse)
        TRY(find_kernel(&telling, p, LUN_i64, NULL, "sorted_inverse", elements, err));
    if (counts && counts->size)
        TRY(plan_launch(p, &counting,
                        ARGS(ARG_BLOCK(counts->block), ARG_BLOCK(starts->block), ARG_LONG(counts->offset),
                             ARG_LONG(starts->offset), ARG_LONG(starts->size), ARG_LONG(elements)),
                        err));
    if (inverse && inverse->size)
        TRY(plan_launch(p, &telling,
                        ARGS(ARG_BLOCK(inverse->block), ARG_BLOCK(starts->block), ARG_BLOCK(positions->block),
                             ARG_LONG(inverse->offset), ARG_LONG(starts->offset), ARG_LONG(positions->offset),
                             ARG_LONG(starts->size), ARG_LONG(elements)),
                        err));
    return LUN_OK;
}

lun_status lun_unique_tell(const lun_array *counts, const lun_array *inverse, const lun_array *starts,
                           const lun_array *positions, size_t elements, const lun_call *call, lun_error *err)
{
    TRY(array_check_live(starts, "the starts", err));
    PLANNED(op, p, starts->device, "unique", call);
    TRY(operation_touches(&op, ARRAYS(starts, inverse ? positions : NULL), ARRAYS(counts, inverse), err));
    operation_weigh(&op, sort_weight(elements, 1));
    TRY(plan_asked(&p, counts, inverse, starts, positions, elements, err));
    sort_quick(&op, elements);
    return operation_run(&op, &p, err);
}
