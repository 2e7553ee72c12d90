/* Compositions with waiting steps: the steps are kept between calls. */
#include "call/steps.h"
#include "device/device.h"

#include <string.h>

#define WAITS ((lun_status)-1) /* not a failure: the status of a step that has not ended */

typedef struct step {
    lun_request request;
    lun_manner manner;
    lun_array *outs[LUN_FEW_RESULTS];
    bool bound, ended;
} step;

static void drop_request(void *request) { lun_request_clear(request); }

/* A value whose list lives as long as the request. */
static lun_status keep_value(lun_value *out, lun_request *inner, const lun_value *value, lun_error *err)
{
    *out = *value;
    if (value->kind != LUN_VALUE_LIST)
        return LUN_OK;
    const size_t count = value->list.count;
    out->list.items = REQUEST_MEMORY(inner, (count + 1) * sizeof *out->list.items);
    memcpy(out->list.items, value->list.items, count * sizeof *out->list.items);
    if (value->list.names) {
        const char **names = REQUEST_MEMORY(inner, (count + 1) * sizeof *names);
        memcpy(names, value->list.names, count * sizeof *names);
        out->list.names = names;
    }
    return LUN_OK;
}

/* In steps axes are in core's order, not the host's, and positions count from 1. */
static lun_status bind_step(step *at, composing *s, lun_owner owner, const char *row, const step_value *values,
                            size_t count, lun_error *err)
{
    unsigned argument = owner == LUN_OF_ARRAY || owner == LUN_OF_SPARSE ? 0 : 1;
    lun_value value;
    at->manner = *s->r->manner;
    at->manner.reversed = false;
    at->manner.first = 1;
    lun_request_clear(&at->request); /* of an attempt that failed here */
    lun_request_init(&at->request, lun_operation_find(owner, row), &at->manner);
    at->request.device = s->r->device;
    at->request.floats = s->r->floats;
    at->request.reproducible = s->r->reproducible;
    for (size_t i = 0; i < count; i++) {
        TRY(keep_value(&value, &at->request, &values[i].value, err));
        if (values[i].name)
            TRY(lun_request_option(&at->request, values[i].name, &value, err));
        else
            at->request.arguments[argument++] = value;
    }
    TRY(lun_request_bind(&at->request, err));
    at->request.call = s->last ? s->r->call : request_quiet(s->r);
    for (size_t i = 0; i < at->request.result_count; i++) {
        const lun_result *result = at->request.views ? NULL : &at->request.results[i];
        if (result && result->given)
            at->outs[i] = result->given;
        else if (!result || !result->numbers)
            TRY(request_own(&at->outs[i], s->r, err));
    }
    at->bound = true;
    return LUN_OK;
}

static lun_status run_step(step **out, composing *s, lun_owner owner, const char *row, const step_value *values,
                           size_t count, lun_error *err)
{
    bool more = false;
    COMPOSE_KEPT(*out, s);
    step *at = *out;
    if (at->ended)
        return LUN_OK;
    if (!at->bound) {
        if (!at->request.operation)
            TRY(request_hold(s->r, &at->request, drop_request, err));
        TRY(bind_step(at, s, owner, row, values, count, err));
    }
    TRY(lun_request_run(&more, &at->request, at->outs, err));
    s->r->staging_bytes = at->request.staging_bytes;
    at->ended = !more;
    return more ? WAITS : LUN_OK;
}

lun_status step_call(lun_array **outs, composing *s, lun_owner owner, const char *row, const step_value *values,
                     size_t count, lun_error *err)
{
    step *at = NULL;
    TRY(run_step(&at, s, owner, row, values, count, err));
    memcpy(outs, at->outs, at->request.result_count * sizeof *outs);
    return LUN_OK;
}

lun_status step_matrix(lun_sparse **out, composing *s, lun_owner owner, const char *row, const step_value *values,
                       size_t count, lun_error *err)
{
    step *at = NULL;
    TRY(run_step(&at, s, owner, row, values, count, err));
    *out = &at->request.matrix;
    (*out)->starts = at->outs[0];
    (*out)->columns = at->outs[1];
    (*out)->values = at->outs[2];
    return LUN_OK;
}

lun_status step_number(lun_number *out, composing *s, const char *row, const step_value *values, size_t count,
                       lun_error *err)
{
    step *at = NULL;
    TRY(run_step(&at, s, LUN_OF_ARRAY, row, values, count, err));
    *out = at->request.numbers[0];
    return LUN_OK;
}

#define NAMES_MOST 8

lun_status step_map(lun_array **out, composing *s, lun_dtype dtype, const char *text, const step_value *values,
                    size_t count, lun_error *err)
{
    const char *names[NAMES_MOST];
    lun_value items[NAMES_MOST];
    for (size_t i = 0; i < count; i++) {
        names[i] = values[i].name;
        items[i] = values[i].value;
    }
    const step_value named = {.value = {.kind = LUN_VALUE_LIST, .list = {items, count, names, NULL, false}}};
    STEP(out, s, DEVICE, "map", TEXT(text), named, NAMED("dtype", DTYPE(dtype)));
    return LUN_OK;
}

lun_status step_slice(lun_array **out, composing *s, lun_array *array, int64_t from, int64_t step_, size_t count,
                      lun_error *err)
{
    const lun_array *view;
    TRY(compose_slice(&view, s, array, 0, from, step_, count, err));
    *out = (lun_array *)view;
    return LUN_OK;
}

lun_status step_cast(lun_array **out, composing *s, lun_array *array, lun_dtype dtype, lun_error *err)
{
    *out = array;
    if (array->dtype != dtype)
        STEP(out, s, ARRAY, "cast", OF(array), DTYPE(dtype));
    return LUN_OK;
}

lun_status step_full(lun_array **out, composing *s, lun_dtype dtype, size_t count, lun_number value, lun_error *err)
{
    if (value.is_integer && value.integer == 0)
        STEP(out, s, DEVICE, "zeros", WHOLE(count), DTYPE(dtype));
    else if (value.is_integer && value.integer == 1)
        STEP(out, s, DEVICE, "ones", WHOLE(count), DTYPE(dtype));
    else
        STEP(out, s, DEVICE, "full", WHOLE(count), NUMBER(value), DTYPE(dtype));
    return LUN_OK;
}

lun_status step_range(lun_array **out, composing *s, lun_dtype dtype, int64_t from, int64_t step_, size_t count,
                      lun_error *err)
{
    if (count == 0)
        return step_full(out, s, dtype, 0, lun_integer(0), err);
    step_value range = LIST(WHOLE(from).value, WHOLE(from + step_ * ((int64_t)count - 1)).value, WHOLE(step_).value);
    range.value.list.spread = true;
    STEP(out, s, DEVICE, "arange", range, DTYPE(dtype));
    return LUN_OK;
}

lun_status request_receive(bool *more, int64_t *out, const lun_request *r, const lun_array *array, size_t position,
                           lun_error *err)
{
    char element[LUN_MOST_BYTES];
    bool ready = false;
    const lun_call quiet = request_quiet(r);
    lun_array one = *array; /* a view, which holds nothing */
    one.offset += array->ndim ? (int64_t)position * array->stride[0] : 0;
    one.size = 1;
    one.ndim = 0;
    TRY(lun_array_await(&ready, &one, LUN_READ, &quiet, LUN_SLICE, err));
    if (ready)
        TRY(lun_array_read(element, &one, &quiet, err));
    if (ready)
        *out = lun_number_load(element, array->dtype).integer;
    *more = !ready;
    return LUN_OK;
}

lun_status step_element(int64_t *out, composing *s, const lun_array *array, size_t position, lun_error *err)
{
    bool more = false;
    TRY(request_receive(&more, out, s->r, array, position, err));
    return more ? WAITS : LUN_OK;
}

/* The number of bytes moved from or to an array. */
typedef struct moving {
    size_t bytes;
    bool ended;
} moving;

lun_status step_receive(int64_t **out, composing *s, lun_array *array, lun_error *err)
{
    moving *at = NULL;
    bool more = false;
    const lun_call quiet = request_quiet(s->r);
    TRY(step_cast(&array, s, array, LUN_i64, err));
    COMPOSE_KEPT(at, s);
    TRY(compose_kept((void **)out, s, (array->size + 1) * sizeof **out, err));
    if (!at->ended && array->size)
        TRY(lun_array_receive(&more, &at->bytes, *out, array, &quiet, err));
    at->ended = !more;
    return more ? WAITS : LUN_OK;
}

lun_status step_send(lun_array **out, composing *s, const int64_t *numbers, size_t count, lun_error *err)
{
    moving *at = NULL;
    bool more = false;
    const lun_call quiet = request_quiet(s->r);
    COMPOSE_KEPT(at, s);
    TRY(compose_array(out, s, LUN_i64, 1, &count, err));
    if (!at->ended && count)
        TRY(lun_array_send(&more, &at->bytes, *out, numbers, &quiet, err));
    at->ended = !more;
    return more ? WAITS : LUN_OK;
}

lun_status step_positions(lun_array **out, composing *s, const lun_list *list, lun_error *err)
{
    void *memory = NULL;
    TRY(compose_kept(&memory, s, (list->count + 1) * sizeof(int64_t), err));
    for (size_t i = 0; i < list->count; i++)
        number_whole((int64_t *)memory + i, list->items[i].number);
    return step_send(out, s, memory, list->count, err);
}

/* ---- words --------------------------------------------------------------------------------------------------------- */

lun_status step_give(composing *s, size_t i, const lun_array *array, lun_error *err)
{
    lun_array *out = s->out[i];
    request_tell(s->r, i, array->dtype, array->ndim, array->shape);
    return lun_array_is_live(out) ? LUN_OK : lun_array_view(out, array, err);
}

lun_status steps_bind(lun_request *r, size_t results, lun_error *err)
{
    TRY(request_results(r, results, err));
    for (size_t i = 0; i < results; i++)
        request_tell_late(r, i, LUN_f32);
    return LUN_OK;
}

lun_status steps_bind_one(lun_request *r, lun_error *err) { return steps_bind(r, 1, err); }

lun_status steps_run(bool *more, lun_request *r, lun_array *const *out, compose_word word, lun_error *err)
{
    const lun_status status = compose(more, r, word, out, err);
    *more = status == WAITS;
    return *more ? LUN_OK : status;
}
