/* Sorting along an axis: values, their positions, and the first few of both. */
#include "op/sort/sort.h"
#include "op/planning.h"
#include "op/sort/sort_tuning.h"

#include <string.h>

#define COMPARISON 1 /* nanoseconds, of sorting, and of the work around it */

/* ---- what operations that sort share ---------------------------------------------------------------------------- */

lun_array sort_axis_last(const lun_array *array, int axis)
{
    lun_array view = *array;
    const int last = array->ndim - 1;
    for (int i = axis; i < last; i++)
        view.shape[i] = array->shape[i + 1], view.stride[i] = array->stride[i + 1];
    view.shape[last] = array->shape[axis];
    view.stride[last] = array->stride[axis];
    return view;
}

void sort_quick(operation *op, size_t elements)
{
    if (elements <= sort_tuned(op->device)->quick)
        operation_quick(op);
}

double sort_weight(size_t elements, size_t among)
{
    double steps = 1;
    for (size_t left = among; left > 1; left /= 2)
        steps++;
    return COMPARISON * (double)elements * steps;
}

lun_dtype sort_real(const lun_device *device, lun_dtype dtype)
{
    if (!dtype_is_whole(dtype))
        return dtype_summed(dtype);
    return device->info.fp64 ? LUN_f64 : LUN_f32;
}

/* The dense destination of the sort: the result itself, or scratch memory from which sort_give_first copies. */
static lun_status find_result(lun_array *dense, const lun_array **wanted, plan *p, const lun_array *result,
                              const lun_array *in, lun_error *err)
{
    *wanted = NULL;
    if (!result)
        return LUN_OK;
    *wanted = dense;
    *dense = *result;
    if (!shape_equal(result, in) || !lun_array_is_contiguous(result))
        TRY(operation_scratch_array(p->op, dense, result->dtype, in->ndim, in->shape, err));
    return LUN_OK;
}

lun_status sort_give_first(plan *p, const lun_array *result, const lun_array *dense, lun_error *err)
{
    if (!result || dense->block == result->block)
        return LUN_OK;
    lun_array first = *dense;
    first.shape[first.ndim - 1] = result->shape[first.ndim - 1];
    first.size = result->size;
    return plan_array_copy(p, result, &first, err);
}

lun_status sort_plan(plan *p, const sort_problem *problem, const char *name, lun_error *err)
{
    sort_problem dense = *problem;
    lun_array values, positions;
    const lun_array *in = &problem->in;
    dense.count = in->shape[in->ndim - 1];
    dense.rows = in->size / dense.count;
    TRY(find_result(&values, &dense.values, p, problem->values, in, err));
    TRY(find_result(&positions, &dense.positions, p, problem->positions, in, err));
    TRY(plan_variant(p, &sort_variants, &dense, name, err));
    TRY(sort_give_first(p, problem->values, &values, err));
    return sort_give_first(p, problem->positions, &positions, err);
}

lun_status sort_check_axis(const lun_array *array, int axis, lun_error *err)
{
    TRY(array_check_live(array, "the array", err));
    if (array->ndim == 0)
        FAIL(LUN_MISUSE, "the array has no axes, so it cannot be sorted");
    if (axis < 0 || axis >= array->ndim)
        FAIL(LUN_MISUSE, "axis %d is out of range: the array has %d", array_axis_shown(array, axis), array->ndim);
    return LUN_OK;
}

lun_status sort_check_out(const lun_array *out, const lun_array *in, lun_dtype dtype, int ndim, const size_t *shape,
                          lun_error *err)
{
    TRY(array_check_out(out, in, dtype, ndim, shape, err));
    return array_check_apart(out, in, err);
}

/* ---- sort, argsort, topk ---------------------------------------------------------------------------------------- */

static lun_status check_sort(const lun_array *values, const lun_array *positions, const lun_array *in,
                             const lun_sorting *sorting, lun_error *err)
{
    size_t shape[LUN_MAX_AXES];
    TRY(lun_sort_result(shape, in, sorting, err));
    if (values)
        TRY(sort_check_out(values, in, in->dtype, in->ndim, shape, err));
    if (positions)
        TRY(sort_check_out(positions, in, LUN_i64, in->ndim, shape, err));
    if (values && positions)
        TRY(array_check_outputs((const lun_array *const[]){values, positions}, 2, err));
    return LUN_OK;
}

lun_status lun_sort_result(size_t *shape, const lun_array *in, const lun_sorting *sorting, lun_error *err)
{
    TRY(sort_check_axis(in, sorting->axis, err));
    TRY(dtype_check_ordered(in->dtype, err));
    const size_t count = in->shape[sorting->axis];
    if (sorting->some && sorting->first > count)
        FAIL(LUN_MISUSE, "the first %zu are requested; axis %d has %zu positions", sorting->first,
             array_axis_shown(in, sorting->axis), count);
    memcpy(shape, in->shape, sizeof in->shape);
    if (sorting->some)
        shape[sorting->axis] = sorting->first;
    return LUN_OK;
}

/* Appends the first elements of the order, or all of them. */
static lun_status plan_sorting(plan *p, const sort_problem *problem, const lun_sorting *sorting, const char *name,
                               lun_error *err)
{
    if (!sorting->some)
        return sort_plan(p, problem, name, err);
    const size_t last = sorting->first - 1, count = problem->in.shape[problem->in.ndim - 1];
    const select_problem first = {.in = problem->in,
                                  .rows = problem->in.size / count,
                                  .count = count,
                                  .descending = problem->descending,
                                  .targets = 1,
                                  .at = &last,
                                  .values = problem->values,
                                  .positions = problem->positions};
    return plan_variant(p, &select_variants, &first, name, err);
}

lun_status lun_sort(const lun_array *values, const lun_array *positions, const lun_array *in,
                    const lun_sorting *sorting, const lun_call *call, lun_error *err)
{
    const variant *row;
    sort_problem problem = {.descending = sorting->descending};
    lun_array to_values, to_positions;
    TRY(check_sort(values, positions, in, sorting, err));
    PLANNED(op, p, in->device, sorting->some ? "topk" : values ? "sort" : "argsort", call);
    TRY(operation_reads(&op, in, err));
    if (values) {
        TRY(operation_writes(&op, values, err));
        to_values = sort_axis_last(values, sorting->axis);
        problem.values = &to_values;
    }
    if (positions) {
        TRY(operation_writes(&op, positions, err));
        to_positions = sort_axis_last(positions, sorting->axis);
        problem.positions = &to_positions;
    }
    operation_weigh(&op, sort_weight(in->size, in->shape[sorting->axis]));
    TRY(variant_choose(&row, sorting->some ? &select_variants : &sort_variants, op.device, NULL, variant_named(call),
                       err));
    if ((values ? values : positions)->size) {
        const lun_array view = sort_axis_last(in, sorting->axis);
        TRY(plan_array_dense(&problem.in, &p, &view, in->dtype, err));
        TRY(plan_sorting(&p, &problem, sorting, variant_named(call), err));
    }
    sort_quick(&op, in->size);
    return operation_run(&op, &p, err);
}
