/* Choosing by index and by mask, as rows of operation.def are called. */
#include "op/index/row_masks.h"

/* ---- counting what a mask picks ------------------------------------------------------------------------------------------ */

lun_status request_count_mask(bool *more, lun_request *r, mask_count *count, const lun_array *mask,
                              const lun_call *call, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_array end = {0};
    const lun_call quiet = request_quiet(r);
    const size_t size = lun_mask_counts(mask);
    TRY_DONE(request_array(&count->counts, r, LUN_i64, 1, &size, err));
    if (!count->enqueued)
        TRY_DONE(lun_mask_count(count->counts, mask, call, err));
    count->enqueued = true;
    TRY_DONE(lun_array_slice(&end, count->counts, &(lun_slice){.from = (int64_t)size - 1, .step = 1, .count = 1}, err));
    TRY_DONE(lun_array_receive(more, &count->received, &count->total, &end, &quiet, err));
    count->count = (size_t)count->total;
done:
    lun_array_clear(&end);
    return status;
}

/* ---- places -------------------------------------------------------------------------------------------------------------- */

/* What an index says: one array, or several that name places together, or places along an axis. */
typedef struct chosen {
    int axis; /* LUN_FLATTENED: none */
    bool several;
    lun_places places;
    lun_array *positions; /* that the places have */
} chosen;

/* A list of index arrays, one for each of the first axes; whatever else argument 1 is says nothing here. */
static lun_status read_several(chosen *c, const lun_request *r, lun_error *err)
{
    const lun_value *value = &r->arguments[1];
    const lun_array *array = r->arguments[0].array, *index[LUN_MAX_AXES];
    if (value->kind != LUN_VALUE_LIST)
        return LUN_OK;
    c->several = true;
    if (value->list.count > LUN_MAX_AXES)
        FAIL(LUN_MISUSE, "argument 1: more than %d index arrays are in the list", LUN_MAX_AXES);
    for (size_t i = 0; i < value->list.count; i++) {
        if (value->list.items[i].kind != LUN_VALUE_ARRAY)
            FAIL(LUN_MISUSE, "argument 1: element %zu of the list: an index array is wanted, as the first is, got %s",
                 i + 1, kind_shown(r, &value->list.items[i]));
        index[i] = value->list.items[i].array;
    }
    TRY(lun_places_at(&c->places, array->device, array->ndim, array->shape, index, value->list.count, err));
    if (request_text(r, "variant"))
        FAIL(LUN_MISUSE, "option 'variant': with several index arrays there are none");
    return LUN_OK;
}

/* Enqueues what gives the places' positions. */
static lun_status tell_positions(chosen *c, lun_request *r, lun_error *err)
{
    const lun_call quiet = request_quiet(r);
    TRY(request_array(&c->positions, r, LUN_i64, c->places.ndim, c->places.shape, err));
    return lun_places_tell(c->positions, r->operation->name, &c->places, &quiet, err);
}

/* Of the axis that the argument or the last names, the index array's places along it. */
static lun_status read_along(chosen *c, lun_request *r, const lun_value *axis, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    c->several = true;
    c->axis = array->ndim - 1;
    if (array->ndim == 0)
        FAIL(LUN_MISUSE, "the array has no axes");
    if (axis->kind != LUN_VALUE_NOTHING)
        TRY(value_axis(&c->axis, r, axis, array->ndim, array->shape, err));
    return lun_places_along(&c->places, array, r->arguments[1].array, c->axis, err);
}

/* ---- take, put, add_at --------------------------------------------------------------------------------------------------- */

static lun_status bind_take(lun_request *r, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    const lun_value *axis = &r->arguments[2];
    chosen *c = REQUEST_STATE(r, chosen);
    c->axis = LUN_FLATTENED;
    TRY(read_several(c, r, err));
    if (c->several && axis->kind != LUN_VALUE_NOTHING)
        FAIL(LUN_MISUSE, "there is an axis, and several index arrays: each of these is of an axis of its own");
    if (axis->kind != LUN_VALUE_NOTHING)
        TRY(value_axis(&c->axis, r, axis, array->ndim, array->shape, err));
    if (!c->several)
        TRY(lun_take_result(&c->places.ndim, c->places.shape, array, r->arguments[1].array, c->axis, err));
    return request_result(r, array->dtype, c->places.ndim, c->places.shape, err);
}

static lun_status run_take(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    const chosen *c = r->state;
    const lun_array *in = r->arguments[0].array;
    if (c->several)
        return lun_places_take(out[0], r->operation->name, in, &c->places, &r->call, err);
    return lun_take(out[0], in, r->arguments[1].array, c->axis, &r->call, err);
}

static lun_status bind_along(lun_request *r, lun_error *err)
{
    chosen *c = REQUEST_STATE(r, chosen);
    TRY(read_along(c, r, &r->arguments[2], err));
    return request_result(r, r->arguments[0].array->dtype, c->places.ndim, c->places.shape, err);
}

static lun_status bind_put(lun_request *r, lun_error *err)
{
    TRY(read_several(REQUEST_STATE(r, chosen), r, err));
    return request_in_place(r, err);
}

static lun_status bind_put_along(lun_request *r, lun_error *err)
{
    TRY(read_along(REQUEST_STATE(r, chosen), r, &r->arguments[3], err));
    return request_in_place(r, err);
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
    chosen *c = r->state;
    const lun_values values = values_of(r);
    if (c->several)
        TRY(tell_positions(c, r, err));
    return lun_put(out[0], c->several ? c->positions : r->arguments[1].array, &values, &r->call, err);
}

static lun_status run_add_at(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    chosen *c = r->state;
    const lun_values values = values_of(r);
    if (c->several)
        TRY(tell_positions(c, r, err));
    return lun_add_at(out[0], c->several ? c->positions : r->arguments[1].array, &values, &r->call, err);
}

const request_functions take_functions = {bind_take, run_take}, put_functions = {bind_put, run_put},
                        add_at_functions = {bind_put, run_add_at}, take_along_functions = {bind_along, run_take},
                        put_along_functions = {bind_put_along, run_put};

/* ---- masks --------------------------------------------------------------------------------------------------------------- */

static lun_status run_mask_put(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    const lun_array *mask = r->arguments[1].array;
    const lun_values values = values_of(r);
    if (rows_are_masked(out[0], mask))
        return rows_put(r, out[0], mask, &values, err);
    return lun_mask_put(out[0], mask, &values, &r->call, err);
}

static lun_status bind_mask(lun_request *r, lun_error *err)
{
    const lun_array *array = r->arguments[0].array;
    if (rows_are_masked(array, r->arguments[1].array))
        return rows_bind_mask(r, err);
    REQUEST_STATE(r, mask_count);
    TRY(lun_mask_check(array, r->arguments[1].array, err));
    TRY(request_result(r, array->dtype, 0, NULL, err));
    request_tell_late(r, 0, array->dtype);
    return LUN_OK;
}

static lun_status run_mask(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    mask_count *found = r->state;
    const lun_array *mask = r->arguments[1].array;
    const lun_call counting = request_unnoticed(r);
    if (rows_are_masked(r->arguments[0].array, mask))
        return rows_run_mask(more, r, out, err);
    if (r->stage == 0)
        TRY(request_count_mask(more, r, found, mask, &counting, err));
    if (*more)
        return LUN_OK;
    r->stage = 1;
    TRY(request_make_late(r, 0, out[0], 1, &found->count, err));
    return lun_mask(out[0], r->arguments[0].array, mask, found->counts, &r->call, err);
}

typedef struct found_positions {
    mask_count found;
    lun_array *all; /* axes x count */
} found_positions;

/* An array of positions for each axis: rows of one array. */
static lun_status bind_nonzero(lun_request *r, lun_error *err)
{
    const lun_array *mask = r->arguments[0].array;
    REQUEST_STATE(r, found_positions);
    if (mask->ndim == 0)
        FAIL(LUN_MISUSE, "the array has no axes, along which positions could be told");
    TRY(request_results(r, request_truth(r, "axes") ? 1 : (size_t)mask->ndim, err));
    for (size_t i = 0; i < r->result_count; i++)
        request_tell_late(r, i, LUN_i64);
    return LUN_OK;
}

static lun_status run_nonzero(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    found_positions *p = r->state;
    const lun_array *mask = r->arguments[0].array;
    const lun_call counting = request_unnoticed(r);
    if (r->stage == 0)
        TRY(request_count_mask(more, r, &p->found, mask, &counting, err));
    if (*more)
        return LUN_OK;
    r->stage = 1;
    const size_t axes = (size_t)mask->ndim, count = p->found.count;
    TRY(request_array(&p->all, r, LUN_i64, 2, (size_t[]){axes, count}, err));
    if (request_truth(r, "axes")) {
        lun_array_clear(out[0]); /* of an attempt before this one */
        TRY(lun_array_permute(out[0], p->all, (const int[]){1, 0}, err));
        return lun_nonzero(p->all, mask, p->found.counts, &r->call, err);
    }
    for (size_t i = 0; i < axes; i++) {
        const lun_slice row[2] = {{.from = (int64_t)i, .step = 1, .count = 1, .drop = true},
                                  {.from = 0, .step = 1, .count = count}};
        lun_array *to = out[manner_axis(r->manner, (int)i, (int)axes)];
        lun_array_clear(to); /* of an attempt before this one */
        TRY(lun_array_slice(to, p->all, row, err));
    }
    return lun_nonzero(p->all, mask, p->found.counts, &r->call, err);
}

const request_functions mask_functions = {bind_mask, run_mask}, mask_put_functions = {request_in_place, run_mask_put},
                        nonzero_functions = {bind_nonzero, run_nonzero};
