/* Choosing by index and by mask, as rows of operation.def are called. */
#include "op/request.h"

/* ---- counting what a mask picks ------------------------------------------------------------------------------------------ */

lun_status request_count_mask(bool *more, lun_request *r, mask_count *count, const lun_array *mask,
                              const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_array end = {0};
    const lun_call quiet = request_quiet(r);
    const size_t size = lun_mask_counts(mask);
    TRY(request_array(&count->counts, r, LUN_i64, 1, &size, err));
    if (!count->enqueued)
        TRY(lun_mask_count(count->counts, mask, call, err));
    count->enqueued = true;
    TRY(lun_array_slice(&end, count->counts, &(lun_slice){.from = (int64_t)size - 1, .step = 1, .count = 1}, err));
    TRY(lun_array_receive(more, &count->received, &count->total, &end, &quiet, err));
    count->count = (size_t)count->total;
done:
    lun_array_clear(&end);
    return status;
}

/* ---- take, put, add_at --------------------------------------------------------------------------------------------------- */

static lun_status bind_take(lun_request *r, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_array *array = r->arguments[0].array;
    const lun_value *axis = &r->arguments[2];
    int ndim, *of = REQUEST_STATE(r, int);
    size_t shape[LUN_MAX_AXES];
    *of = LUN_FLATTENED;
    if (axis->kind != LUN_VALUE_NOTHING)
        TRY(value_axis(of, r, axis, array->ndim, array->shape, err));
    TRY(lun_take_result(&ndim, shape, array, r->arguments[1].array, *of, err));
    TRY(request_result(r, array->dtype, ndim, shape, err));
done:
    return status;
}

static lun_status run_take(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    return lun_take(out[0], r->arguments[0].array, r->arguments[1].array, *(int *)r->state, &r->call, err);
}

/* What is written: argument 2. */
static lun_values values_of(const lun_request *r)
{
    const lun_value *value = &r->arguments[2];
    if (value->kind == LUN_VALUE_ARRAY)
        return (lun_values){.array = value->array};
    return (lun_values){.number = value_scalar(value)};
}

static lun_status run_put(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    const lun_values values = values_of(r);
    return lun_put(out[0], r->arguments[1].array, &values, &r->call, err);
}

static lun_status run_add_at(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    const lun_values values = values_of(r);
    return lun_add_at(out[0], r->arguments[1].array, &values, &r->call, err);
}

const request_functions take_functions = {bind_take, run_take}, put_functions = {request_in_place, run_put},
                        add_at_functions = {request_in_place, run_add_at};

/* ---- masks --------------------------------------------------------------------------------------------------------------- */

static lun_status run_mask_put(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    const lun_values values = values_of(r);
    return lun_mask_put(out[0], r->arguments[1].array, &values, &r->call, err);
}

static lun_status bind_mask(lun_request *r, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_array *array = r->arguments[0].array;
    REQUEST_STATE(r, mask_count);
    TRY(lun_mask_check(array, r->arguments[1].array, err));
    TRY(request_result(r, array->dtype, 0, NULL, err));
    request_tell_late(r, 0, array->dtype);
done:
    return status;
}

static lun_status run_mask(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    lun_status status = LUN_OK;
    mask_count *found = r->state;
    const lun_array *mask = r->arguments[1].array;
    const lun_call counting = request_unnoticed(r);
    if (r->stage == 0)
        TRY(request_count_mask(more, r, found, mask, &counting, err));
    if (*more)
        goto done;
    r->stage = 1;
    TRY(request_make_late(r, 0, out[0], 1, &found->count, err));
    TRY(lun_mask(out[0], r->arguments[0].array, mask, found->counts, &r->call, err));
done:
    return status;
}

typedef struct found_positions {
    mask_count found;
    lun_array *all; /* axes x count */
} found_positions;

/* An array of positions for each axis: rows of one array. */
static lun_status bind_nonzero(lun_request *r, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_array *mask = r->arguments[0].array;
    REQUEST_STATE(r, found_positions);
    if (mask->ndim == 0)
        FAIL(LUN_MISUSE, "the array has no axes, along which positions could be told");
    TRY(request_results(r, (size_t)mask->ndim, err));
    for (size_t i = 0; i < r->result_count; i++)
        request_tell_late(r, i, LUN_i64);
done:
    return status;
}

static lun_status run_nonzero(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    lun_status status = LUN_OK;
    found_positions *p = r->state;
    const lun_array *mask = r->arguments[0].array;
    const lun_call counting = request_unnoticed(r);
    if (r->stage == 0)
        TRY(request_count_mask(more, r, &p->found, mask, &counting, err));
    if (*more)
        goto done;
    r->stage = 1;
    const size_t axes = r->result_count, count = p->found.count;
    TRY(request_array(&p->all, r, LUN_i64, 2, (size_t[]){axes, count}, err));
    for (size_t i = 0; i < axes; i++) {
        const lun_slice row[2] = {{.from = (int64_t)i, .step = 1, .count = 1, .drop = true},
                                  {.from = 0, .step = 1, .count = count}};
        lun_array *to = out[manner_axis(r->manner, (int)i, (int)axes)];
        lun_array_clear(to); /* of an attempt before this one */
        TRY(lun_array_slice(to, p->all, row, err));
    }
    TRY(lun_nonzero(p->all, mask, p->found.counts, &r->call, err));
done:
    return status;
}

const request_functions mask_functions = {bind_mask, run_mask}, mask_put_functions = {request_in_place, run_mask_put},
                        nonzero_functions = {bind_nonzero, run_nonzero};
