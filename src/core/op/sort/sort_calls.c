/* Sorting, and what is built on it, as rows of operation.def are called. */
#include "device/device.h"
#include "op/request.h"

#include <string.h>

/* ---- sort, argsort, topk ------------------------------------------------------------------------------------------------- */

/* The option `axis`, or the last. */
static lun_status sorting_of(lun_sorting **out, lun_request *r, lun_error *err)
{
    lun_status status = LUN_OK;
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
done:
    return status;
}

static lun_status bind_sort(lun_request *r, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_sorting *sorting;
    const lun_array *array = r->arguments[0].array;
    TRY(sorting_of(&sorting, r, err));
    TRY(request_result(r, array->dtype, array->ndim, array->shape, err));
done:
    return status;
}

static lun_status run_sort(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    return lun_sort(out[0], NULL, r->arguments[0].array, r->state, &r->call, err);
}

static lun_status bind_argsort(lun_request *r, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_sorting *sorting;
    const lun_array *array = r->arguments[0].array;
    TRY(sorting_of(&sorting, r, err));
    TRY(request_result(r, LUN_i64, array->ndim, array->shape, err));
done:
    return status;
}

static lun_status run_argsort(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    return lun_sort(NULL, out[0], r->arguments[0].array, r->state, &r->call, err);
}

static lun_status bind_topk(lun_request *r, lun_error *err)
{
    lun_status status = LUN_OK;
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
done:
    return status;
}

static lun_status run_topk(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)more;
    return lun_sort(out[0], out[1], r->arguments[0].array, r->state, &r->call, err);
}

const request_functions sort_functions = {bind_sort, run_sort}, argsort_functions = {bind_argsort, run_argsort},
                        topk_functions = {bind_topk, run_topk};

/* ---- sort_by ------------------------------------------------------------------------------------------------------------- */

#define MOST_SORTED 32

/* The arrays behind the keys have as many rows as there are keys. */
static lun_status bind_sort_by(lun_request *r, lun_error *err)
{
    lun_status status = LUN_OK;
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
done:
    return status;
}

static lun_status run_sort_by(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    lun_status status = LUN_OK;
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
done:
    return status;
}

const request_functions sort_by_functions = {bind_sort_by, run_sort_by};

/* ---- searchsorted -------------------------------------------------------------------------------------------------------- */

typedef struct search {
    bool right;
    const lun_array *values;
    lun_array *made; /* of a number, or of a list of them, in a dtype that has them all as the array has: */
    uint32_t dtypes; /* those that do, and the one of them */
    lun_dtype dtype;
    size_t shape[LUN_MAX_AXES], size, sent;
    int ndim;
    char *keys;
    bool written;
} search;

/* A nested list's sizes, by the first element of each depth. */
static lun_status find_keys_shape(search *s, const lun_value *value, lun_error *err)
{
    lun_status status = LUN_OK;
    for (s->size = 1; value && value->kind == LUN_VALUE_LIST; value = value->list.count ? value->list.items : NULL) {
        if (s->ndim == LUN_MAX_AXES)
            FAIL(LUN_MISUSE, "the table is nested deeper than %d lists", LUN_MAX_AXES);
        s->shape[s->ndim++] = value->list.count;
        s->size *= value->list.count;
    }
done:
    return status;
}

/* Looks at each key, or writes it where there is memory for them. */
static lun_status walk_keys(search *s, const lun_request *r, const lun_value *value, int depth, lun_error *err)
{
    lun_status status = LUN_OK;
    if (depth < s->ndim) {
        if (value->kind != LUN_VALUE_LIST || value->list.count != s->shape[depth])
            FAIL(LUN_MISUSE, "argument 1: the lists in the list are not of one length");
        for (size_t i = 0; i < value->list.count; i++)
            TRY(walk_keys(s, r, &value->list.items[i], depth + 1, err));
    } else if (value->kind != LUN_VALUE_NUMBER) {
        FAIL(LUN_MISUSE, "argument 1: a list of numbers is wanted, and one of its elements is %s",
             kind_shown(r, value));
    } else if (!s->keys) {
        s->dtypes &= lun_number_dtypes(r->arguments[0].array->dtype, value->number);
    } else {
        TRY(lun_number_store(s->keys, s->dtype, value->number, err));
        s->keys += lun_dtype_bytes(s->dtype);
    }
done:
    return status;
}

static lun_status read_keys(search *s, lun_request *r, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_value *value = &r->arguments[1];
    s->dtypes = UINT32_MAX;
    TRY(find_keys_shape(s, value, err));
    TRY(walk_keys(s, r, value, 0, err));
    s->dtype = lun_compared_dtype(r->arguments[0].array->dtype, lun_device_info_get(r->device)->fp64, s->dtypes);
    if (s->dtype == LUN_DTYPES)
        FAIL(LUN_MISUSE,
             "argument 1: no dtype has all numbers of the list, integers beyond 2^53 and others that are none");
    char *keys = lun_request_memory(r, s->size * lun_dtype_bytes(s->dtype) + 1);
    if (!keys)
        FAIL(LUN_NO_MEMORY, "out of memory");
    s->keys = keys;
    TRY(walk_keys(s, r, value, 0, err));
    s->keys = keys;
done:
    return status;
}

static lun_status bind_searchsorted(lun_request *r, lun_error *err)
{
    lun_status status = LUN_OK;
    search *s = REQUEST_STATE(r, search);
    const lun_value *values = &r->arguments[1];
    const char *side = request_text(r, "side");
    s->right = side && strcmp(side, "right") == 0;
    s->values = values->kind == LUN_VALUE_ARRAY ? values->array : NULL;
    if (side && !s->right && strcmp(side, "left") != 0)
        FAIL(LUN_MISUSE, "unknown side '%s'; known are left, right", side);
    if (!s->values)
        TRY(read_keys(s, r, err));
    TRY(request_result(r, LUN_i64, s->values ? s->values->ndim : s->ndim, s->values ? s->values->shape : s->shape,
                       err));
    if (values->kind == LUN_VALUE_NUMBER)
        request_tell_numbers(r, 0, 1);
done:
    return status;
}

static lun_status run_searchsorted(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    lun_status status = LUN_OK;
    search *s = r->state;
    const lun_call quiet = request_quiet(r);
    if (!s->values && !s->written) {
        TRY(request_array(&s->made, r, s->dtype, s->ndim, s->shape, err));
        *more = false;
        if (s->size)
            TRY(lun_array_send(more, &s->sent, s->made, s->keys, &quiet, err));
        if (*more)
            return LUN_OK;
        s->written = true;
    }
    TRY(lun_searchsorted(out[0], r->arguments[0].array, s->values ? s->values : s->made, s->right, &r->call, err));
done:
    return status;
}

const request_functions searchsorted_functions = {bind_searchsorted, run_searchsorted};

/* ---- unique -------------------------------------------------------------------------------------------------------------- */

/* What is made on the way. The counts of the marks say how many values there are, so the results' shapes come late. */
typedef struct distinct {
    bool counts, inverse;
    lun_array *sorted, *marks, *positions; /* NULL: no inverse */
    lun_array *starts;
    mask_count found;
} distinct;

enum { SORT, COUNT_MARKS, CHOOSE, START, TELL };

static lun_status bind_unique(lun_request *r, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_array *array = r->arguments[0].array;
    distinct *d = REQUEST_STATE(r, distinct);
    size_t i = 0;
    d->counts = request_truth(r, "counts");
    d->inverse = request_truth(r, "inverse");
    TRY(request_results(r, 1u + d->counts + d->inverse, err));
    request_tell_late(r, i++, array->dtype);
    if (d->counts)
        request_tell_late(r, i++, LUN_i64);
    if (d->inverse)
        request_tell(r, i, LUN_i64, array->ndim, array->shape);
done:
    return status;
}

static lun_status sort_and_mark(lun_request *r, distinct *d, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_array *array = r->arguments[0].array;
    const lun_call quiet = {.queue = r->call.queue, .variant = r->call.variant};
    TRY(request_array(&d->sorted, r, array->dtype, 1, &array->size, err));
    TRY(request_array(&d->marks, r, LUN_u8, 1, &array->size, err));
    if (d->inverse)
        TRY(request_array(&d->positions, r, LUN_i64, 1, &array->size, err));
    TRY(lun_unique_sort(d->sorted, d->positions, d->marks, array, &quiet, err));
done:
    return status;
}

static lun_status run_unique(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    lun_status status = LUN_OK;
    distinct *d = r->state;
    const bool telling = d->counts || d->inverse;
    const lun_call quiet = request_quiet(r), last = {.queue = r->call.queue, .event = r->call.event};
    const size_t elements = r->arguments[0].array->size;
    switch (r->stage) {
    case SORT:
        TRY(sort_and_mark(r, d, err));
        break;
    case COUNT_MARKS:
        TRY(request_count_mask(more, r, &d->found, d->marks, &quiet, err));
        if (*more)
            goto done;
        break;
    case CHOOSE:
        for (size_t i = 0; i < 1u + d->counts; i++)
            TRY(request_make_late(r, i, out[i], 1, &d->found.count, err));
        TRY(lun_mask(out[0], d->sorted, d->marks, d->found.counts, telling ? &quiet : &last, err));
        break;
    case START:
        TRY(request_array(&d->starts, r, LUN_i64, 2, (size_t[]){1, d->found.count}, err));
        TRY(lun_nonzero(d->starts, d->marks, d->found.counts, &quiet, err));
        break;
    default:
        TRY(lun_unique_tell(d->counts ? out[1] : NULL, d->inverse ? out[1 + d->counts] : NULL, d->starts, d->positions,
                            elements, &last, err));
    }
    *more = r->stage++ < (telling ? TELL : CHOOSE);
done:
    return status;
}

const request_functions unique_functions = {bind_unique, run_unique};
