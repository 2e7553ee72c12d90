/* Sorting, and what is built on it, as rows of operation.def are called. */
#include "device/device.h"
#include "op/request.h"

#include <string.h>

/* ---- sort, argsort, topk ------------------------------------------------------------------------------------------------- */

/* The option `axis`, or the last. */
static lun_status sorting_of(lun_sorting **out, lun_request *r, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    const lun_value *axis = request_option(r, "axis");
    lun_sorting *sorting = REQUEST_STATE(r, lun_sorting);
    sorting->axis = array->ndim - 1;
    sorting->descending = request_truth(r, "descending");
    if (array->ndim == 0)
        FAIL(LUN_MISUSE, "the array has no axes, along which it could be sorted");
    if (axis)
        TRY(value_axis(&sorting->axis, r, axis, array->ndim, array->shape, err));
    *out = sorting;
    return LUN_OK;
}

static lun_status bind_sort(lun_request *r, lun_error *err)
{
    lun_sorting *sorting;
    const lun_array *array = r->arguments[0].array;
    TRY(sorting_of(&sorting, r, err));
    return request_result(r, array->dtype, array->ndim, array->shape, err);
}

static lun_status run_sort(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    return lun_sort(out[0], NULL, r->arguments[0].array, r->state, &r->call, err);
}

static lun_status bind_argsort(lun_request *r, lun_error *err)
{
    lun_sorting *sorting;
    const lun_array *array = r->arguments[0].array;
    TRY(sorting_of(&sorting, r, err));
    return request_result(r, LUN_i64, array->ndim, array->shape, err);
}

static lun_status run_argsort(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    return lun_sort(NULL, out[0], r->arguments[0].array, r->state, &r->call, err);
}

static lun_status bind_topk(lun_request *r, lun_error *err)
{
    lun_sorting *sorting;
    int64_t k;
    size_t shape[LUN_MAX_AXES];
    const lun_array *array = r->arguments[0].array;
    TRY(request_integer_from(&k, r, 1, 0, err));
    TRY(sorting_of(&sorting, r, err));
    sorting->descending = !request_truth(r, "smallest");
    sorting->some = true;
    sorting->first = (size_t)k;
    TRY(lun_sort_result(shape, array, sorting, err));
    TRY(request_results(r, 2, err));
    request_tell(r, 0, array->dtype, array->ndim, shape);
    request_tell(r, 1, LUN_i64, array->ndim, shape);
    return LUN_OK;
}

static lun_status run_topk(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    return lun_sort(out[0], out[1], r->arguments[0].array, r->state, &r->call, err);
}

/* A sorted array is one whose k-th element stands in its place, with none above in front and none below behind. */
static lun_status check_place(const lun_request *r, const lun_sorting *sorting, lun_error *err)
{
    char shown[SHOWN];
    const size_t size = r->arguments[0].array->shape[sorting->axis];
    for (size_t i = 0; i < value_count(&r->arguments[1]); i++) {
        const lun_value *value = value_item(&r->arguments[1], i);
        int64_t k = 0;
        if (value->kind != LUN_VALUE_NUMBER || !number_whole(&k, value->number))
            FAIL(LUN_MISUSE, "argument 1: a position or a list of them is wanted, got %s",
                 value_shown(shown, r, value));
        k = k < 0 ? k + (int64_t)size + 1 : k;
        if (k < 1 || k > (int64_t)size)
            FAIL(LUN_MISUSE, "position %s is out of range: there are %zu along the axis", value_shown(shown, r, value),
                 size);
    }
    return LUN_OK;
}

static lun_status bind_partition(lun_request *r, lun_error *err)
{
    const lun_status status = bind_sort(r, err);
    return status == LUN_OK ? check_place(r, r->state, err) : status;
}

static lun_status bind_argpartition(lun_request *r, lun_error *err)
{
    const lun_status status = bind_argsort(r, err);
    return status == LUN_OK ? check_place(r, r->state, err) : status;
}

const request_functions partition_functions = {bind_partition, run_sort},
                        argpartition_functions = {bind_argpartition, run_argsort};
const request_functions sort_functions = {bind_sort, run_sort}, argsort_functions = {bind_argsort, run_argsort},
                        topk_functions = {bind_topk, run_topk};

/* ---- sort_by ------------------------------------------------------------------------------------------------------------- */

#define MOST_SORTED 32

/* The arrays behind the keys have as many rows as there are keys. */
static lun_status bind_sort_by(lun_request *r, lun_error *err)
{
    char text[SHOWN];
    const lun_array *keys = r->arguments[1].array;
    const lun_list *list = &r->arguments[2].list;
    if (keys->ndim != 1)
        FAIL(LUN_MISUSE, "the keys have shape %s; an array of one axis is wanted",
             array_shape_text(text, sizeof text, keys));
    if (list->count > MOST_SORTED)
        FAIL(LUN_MISUSE, "more than %d arrays are to be sorted by the keys", MOST_SORTED);
    REQUEST_STATE(r, lun_array *); /* the order */
    TRY(request_results(r, list->count, err));
    for (size_t i = 0; i < list->count; i++) {
        const lun_array *array = list->items[i].array;
        if (array->ndim == 0 || array->shape[0] != keys->size)
            FAIL(LUN_MISUSE,
                 "argument %zu has shape %s; %zu positions along its first axis are wanted, one for each key", i + 2,
                 array_shape_text(text, sizeof text, array), keys->size);
        request_tell(r, i, array->dtype, array->ndim, array->shape);
    }
    return LUN_OK;
}

static lun_status run_sort_by(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    const lun_array *keys = r->arguments[1].array;
    const lun_list *list = &r->arguments[2].list;
    const lun_sorting sorting = {.descending = request_truth(r, "descending")};
    const lun_call quiet = request_quiet(r);
    lun_array **order = r->state;
    if (r->stage == 0) {
        TRY(request_array(order, r, LUN_i64, 1, keys->shape, err));
        TRY(lun_sort(NULL, *order, keys, &sorting, &quiet, err));
    } else {
        const size_t i = (size_t)r->stage - 1;
        TRY(lun_take(out[i], list->items[i].array, *order, 0, i + 1 == list->count ? &r->call : &quiet, err));
    }
    *more = (size_t)r->stage++ < list->count;
    return LUN_OK;
}

const request_functions sort_by_functions = {bind_sort_by, run_sort_by};
