/* Arranging: what its operations share; joining, rolling, and matrices that have a given diagonal. */
#include "graph/graph.h"
#include "op/fill.h"
#include "op/move/arranging.h"
#include "op/planning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what arranging operations share ---------------------------------------------------------------------------- */

lun_status arrange_begin(arranging *a, const char *name, const lun_array *out, const arranged *result,
                         const lun_array *const *inputs, size_t count, const lun_call *call, lun_error *err)
{
    TRY(array_check_out(out, inputs[0], result->dtype, result->ndim, result->shape, err));
    for (size_t i = 0; i < count; i++) {
        TRY(array_check_same_device(out, inputs[i], "out", err));
        TRY(array_check_apart(out, inputs[i], err));
    }
    operation_init(&a->op, out->device, name, call);
    plan_init(&a->plan, &a->op);
    TRY(operation_touches(&a->op, inputs, count, ARRAYS(out), err));
    operation_weigh(&a->op, 2 * move_weight(out));
    return LUN_OK;
}

void arrange_clear(arranging *a)
{
    plan_clear(&a->plan);
    operation_clear(&a->op);
}

arranged arranged_like(const lun_array *array)
{
    arranged result = {.dtype = array->dtype, .ndim = array->ndim};
    memcpy(result.shape, array->shape, sizeof result.shape);
    return result;
}

lun_array part_of(const lun_array *whole, int axis, size_t from, size_t count)
{
    lun_array part = *whole;
    part.offset += (int64_t)from * part.stride[axis];
    part.shape[axis] = count;
    part.size = 1;
    for (int i = 0; i < part.ndim; i++)
        part.size *= part.shape[i];
    return part;
}

static void give_result(lun_dtype *dtype, int *ndim, size_t *shape, const arranged *result)
{
    *dtype = result->dtype;
    *ndim = result->ndim;
    memcpy(shape, result->shape, sizeof result->shape);
}

/* ---- joining ------------------------------------------------------------------------------------------------------ */

/* Checks that the arrays are live and of one device; finds the dtype that holds all of theirs. */
static lun_status check_joined(lun_dtype *dtype, const lun_array *const *arrays, size_t count, lun_error *err)
{
    char name[40];
    if (count == 0)
        FAIL(LUN_MISUSE, "there is no array to join");
    for (size_t i = 0; i < count; i++) {
        snprintf(name, sizeof name, "array %zu", i + 1);
        TRY(array_check_live(arrays[i], name, err));
        TRY(array_check_same_device(arrays[i], arrays[0], name, err));
        *dtype = i ? lun_dtype_promoted(*dtype, arrays[i]->dtype) : arrays[0]->dtype;
    }
    return LUN_OK;
}

/* Looks whether array `which` has the first one's sizes, but for that of `axis` (-1: all of them). */
static lun_status check_sizes(const lun_array *const *arrays, size_t which, int axis, lun_error *err)
{
    char one[200], other[200], wanted[60] = "arrays that are stacked have one shape";
    const lun_array *a = arrays[0], *b = arrays[which];
    bool same = a->ndim == b->ndim;
    for (int i = 0; same && i < a->ndim; i++)
        same = i == axis || a->shape[i] == b->shape[i];
    if (axis >= 0)
        snprintf(wanted, sizeof wanted, "they may differ only along axis %d", array_axis_shown(a, axis));
    if (!same)
        FAIL(LUN_MISUSE, "array %zu is %s, and array 1 is %s; %s", which + 1, array_shape_text(other, sizeof other, b),
             array_shape_text(one, sizeof one, a), wanted);
    return LUN_OK;
}

/* Where an array of the list goes: as that has its elements where both have the same 64 bits. */
static lun_array place_for(lun_array place, const lun_array *array)
{
    if (place.dtype == LUN_i64 && array->dtype == LUN_u64)
        place.dtype = LUN_u64;
    return place;
}

static lun_status find_concat(arranged *result, const lun_array *const *arrays, size_t count, int axis, lun_error *err)
{
    size_t size;
    lun_dtype dtype;
    TRY(check_joined(&dtype, arrays, count, err));
    if (arrays[0]->ndim == 0)
        FAIL(LUN_MISUSE, "arrays without axes cannot be joined along one; they can be stacked");
    if (axis < 0 || axis >= arrays[0]->ndim)
        FAIL(LUN_MISUSE, "axis %d is out of range: the arrays have %d", array_axis_shown(arrays[0], axis),
             arrays[0]->ndim);
    *result = arranged_like(arrays[0]);
    result->dtype = dtype;
    for (size_t i = 1; i < count; i++) {
        TRY(check_sizes(arrays, i, axis, err));
        if (__builtin_add_overflow(result->shape[axis], arrays[i]->shape[axis], &result->shape[axis]))
            result->shape[axis] = SIZE_MAX; /* which is too large */
    }
    return shape_size(&size, result->ndim, result->shape, lun_dtype_bytes(dtype), err);
}

lun_status lun_concat_result(lun_dtype *dtype, int *ndim, size_t *shape, const lun_array *const *arrays, size_t count,
                             int axis, lun_error *err)
{
    arranged result;
    TRY(find_concat(&result, arrays, count, axis, err));
    give_result(dtype, ndim, shape, &result);
    return LUN_OK;
}

lun_status lun_concat(const lun_array *out, const lun_array *const *arrays, size_t count, int axis,
                      const lun_call *call, lun_error *err)
{
    ENDED_BY(arrange_clear) arranging a = {0};
    arranged result;
    size_t at = 0;
    TRY(find_concat(&result, arrays, count, axis, err));
    TRY(arrange_begin(&a, "concat", out, &result, arrays, count, call, err));
    for (size_t i = 0; i < count; i++) {
        const lun_array place = place_for(part_of(out, axis, at, arrays[i]->shape[axis]), arrays[i]);
        TRY(plan_array_copy(&a.plan, &place, arrays[i], err));
        at += arrays[i]->shape[axis];
    }
    return operation_run(&a.op, &a.plan, err);
}

static lun_status find_stack(arranged *result, const lun_array *const *arrays, size_t count, int axis, lun_error *err)
{
    size_t size;
    lun_dtype dtype;
    TRY(check_joined(&dtype, arrays, count, err));
    const int ndim = arrays[0]->ndim + 1;
    if (axis < 0 || axis >= ndim)
        FAIL(LUN_MISUSE, "axis %d is out of range: the result has %d",
             manner_axis_shown(device_manner(arrays[0]->device), axis, ndim), ndim);
    if (ndim > LUN_MAX_AXES)
        FAIL(LUN_MISUSE, "the result would have %d axes; at most %d are possible", ndim, LUN_MAX_AXES);
    *result = (arranged){.dtype = dtype, .ndim = ndim};
    for (int i = 0; i < ndim; i++)
        result->shape[i] = i == axis ? count : arrays[0]->shape[i - (i > axis)];
    for (size_t i = 1; i < count; i++)
        TRY(check_sizes(arrays, i, -1, err));
    return shape_size(&size, ndim, result->shape, lun_dtype_bytes(dtype), err);
}

lun_status lun_stack_result(lun_dtype *dtype, int *ndim, size_t *shape, const lun_array *const *arrays, size_t count,
                            int axis, lun_error *err)
{
    arranged result;
    TRY(find_stack(&result, arrays, count, axis, err));
    give_result(dtype, ndim, shape, &result);
    return LUN_OK;
}

/* The array without that axis, of which it has one position. */
static lun_array without_axis(lun_array array, int axis)
{
    array.ndim--;
    for (int i = axis; i < array.ndim; i++)
        array.shape[i] = array.shape[i + 1], array.stride[i] = array.stride[i + 1];
    return array;
}

lun_status lun_stack(const lun_array *out, const lun_array *const *arrays, size_t count, int axis, const lun_call *call,
                     lun_error *err)
{
    ENDED_BY(arrange_clear) arranging a = {0};
    arranged result;
    TRY(find_stack(&result, arrays, count, axis, err));
    TRY(arrange_begin(&a, "stack", out, &result, arrays, count, call, err));
    for (size_t i = 0; i < count; i++) {
        const lun_array place = place_for(without_axis(part_of(out, axis, i, 1), axis), arrays[i]);
        TRY(plan_array_copy(&a.plan, &place, arrays[i], err));
    }
    return operation_run(&a.op, &a.plan, err);
}

/* ---- rolling ------------------------------------------------------------------------------------------------------- */

static size_t within(int64_t shift, size_t size)
{
    if (size == 0)
        return 0;
    const int64_t rest = shift % (int64_t)size;
    return (size_t)(rest < 0 ? rest + (int64_t)size : rest);
}

/* Copies both halves of each axis from `axis` on to where they go: the last `shift` positions to the front, the others behind. */
static lun_status plan_rolled(plan *p, const lun_array *to, const lun_array *from, const int64_t *shift, int axis,
                              lun_error *err)
{
    if (to->size == 0 || axis == to->ndim)
        return plan_array_copy(p, to, from, err);
    const size_t size = to->shape[axis], last = within(shift[axis], size), first = size - last;
    const lun_array end = part_of(to, axis, last, first), head = part_of(from, axis, 0, first);
    const lun_array start = part_of(to, axis, 0, last), tail = part_of(from, axis, first, last);
    TRY(plan_rolled(p, &end, &head, shift, axis + 1, err));
    if (last)
        TRY(plan_rolled(p, &start, &tail, shift, axis + 1, err));
    return LUN_OK;
}

static lun_status check_rolled(arranging *a, const lun_array *out, const lun_array *array, const lun_call *call,
                               lun_error *err)
{
    TRY(array_check_live(array, "the array", err));
    const arranged result = arranged_like(array);
    return arrange_begin(a, "roll", out, &result, &array, 1, call, err);
}

lun_status lun_roll(const lun_array *out, const lun_array *array, const int64_t *shift, const lun_call *call,
                    lun_error *err)
{
    ENDED_BY(arrange_clear) arranging a = {0};
    if (array_is_traced(out)) {
        lun_read read = {.shifted = true, .rolls = true};
        memcpy(read.before, shift, (size_t)array->ndim * sizeof *shift);
        return graph_note_read(out, array, &read, err);
    }
    TRY(check_rolled(&a, out, array, call, err));
    TRY(plan_rolled(&a.plan, out, array, shift, 0, err));
    return operation_run(&a.op, &a.plan, err);
}

/* All elements as one axis: the array's own where they lie one behind the other, else scratch memory. */
static lun_status flat_of(lun_array *flat, bool *own, operation *op, const lun_array *array, lun_error *err)
{
    lun_status status = LUN_OK;
    *own = lun_array_is_contiguous(array);
    if (!*own)
        return operation_scratch_array(op, flat, array->dtype, 1, &array->size, err);
    *flat = *array;
    flat->ndim = 1;
    flat->shape[0] = array->size;
    flat->stride[0] = 1;
    return status;
}

/* Scratch memory with one axis, seen in the shape of the array. */
static lun_array shaped(const lun_array *flat, const lun_array *like)
{
    lun_array view = *flat;
    view.ndim = like->ndim;
    memcpy(view.shape, like->shape, sizeof view.shape);
    shape_strides(view.stride, view.ndim, view.shape);
    return view;
}

lun_status lun_roll_flat(const lun_array *out, const lun_array *array, int64_t shift, const lun_call *call,
                         lun_error *err)
{
    ENDED_BY(arrange_clear) arranging a = {0};
    lun_array from, to, view;
    bool from_own, to_own;
    if (array->ndim == 1)
        return lun_roll(out, array, &shift, call, err);
    TRY(check_rolled(&a, out, array, call, err));
    if (out->size) {
        TRY(flat_of(&from, &from_own, &a.op, array, err));
        TRY(flat_of(&to, &to_own, &a.op, out, err));
        view = shaped(&from, array);
        if (!from_own)
            TRY(plan_array_copy(&a.plan, &view, array, err));
        TRY(plan_rolled(&a.plan, &to, &from, &shift, 0, err));
        view = shaped(&to, out);
        if (!to_own)
            TRY(plan_array_copy(&a.plan, out, &view, err));
    }
    return operation_run(&a.op, &a.plan, err);
}

/* ---- a matrix with a diagonal ------------------------------------------------------------------------------------- */

lun_status lun_diagonal_matrix_result(size_t *shape, const lun_array *vector, int64_t k, lun_error *err)
{
    size_t size;
    TRY(array_check_live(vector, "the array", err));
    if (vector->ndim != 1)
        FAIL(LUN_MISUSE, "a vector is needed for a diagonal; this array has %d axes", vector->ndim);
    shape[0] = shape[1] = vector->size + (k < 0 ? 0 - (uint64_t)k : (uint64_t)k);
    return shape_size(&size, 2, shape, lun_dtype_bytes(vector->dtype), err);
}

lun_status lun_diagonal_matrix(const lun_array *out, const lun_array *vector, int64_t k, const lun_call *call,
                               lun_error *err)
{
    ENDED_BY(arrange_clear) arranging a = {0};
    arranged result = {.ndim = 2};
    TRY(lun_diagonal_matrix_result(result.shape, vector, k, err));
    result.dtype = vector->dtype;
    TRY(arrange_begin(&a, "diag", out, &result, &vector, 1, call, err));
    const size_t below = k < 0 ? (size_t)(0 - (uint64_t)k) : 0, right = k < 0 ? 0 : (size_t)k;
    lun_array diagonal = *out; /* without a reference of its own */
    diagonal.ndim = 1;
    diagonal.size = diagonal.shape[0] = vector->size;
    diagonal.offset += (int64_t)below * out->stride[0] + (int64_t)right * out->stride[1];
    diagonal.stride[0] = out->stride[0] + out->stride[1];
    TRY(plan_array_fill(&a.plan, out, (cl_ulong2){{0}}, err));
    TRY(plan_array_copy(&a.plan, &diagonal, vector, err));
    return operation_run(&a.op, &a.plan, err);
}
