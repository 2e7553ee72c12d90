/* Inserting in front of positions, and repeating, as rows of operation.def are called. */
#include "api/reductions.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "device/device.h"
#include "op/index/row_masks.h"

#include <string.h>

static lun_status sequence(composing *c, const lun_array *to, lun_error *err)
{
    lun_call call;
    if (to->size == 0 || !compose_calls(&call, c, false))
        return LUN_OK;
    return lun_array_sequence(to, lun_integer(1), lun_integer(1), &call, err);
}

/* A copy of the array as that shape sees it. */
static lun_status copy_spread(composing *c, const lun_array *to, const lun_array *in, lun_error *err)
{
    lun_array *spread;
    TRY(compose_view(&spread, c, err));
    if (!lun_array_is_live(spread))
        TRY(lun_array_broadcast(spread, in, to->ndim, to->shape, err));
    return compose_copy(c, to, spread, false, err);
}

/* ---- insert --------------------------------------------------------------------------------------------------------------- */

/* What goes in, and how many positions it takes along the axis. One position without axes takes what has one axis less too. */
static lun_status find_values(const lun_array **out, size_t *count, composing *c, const lun_array *in, int axis,
                              lun_error *err)
{
    const lun_value *value = &c->r->arguments[2];
    const lun_array *index = c->r->arguments[1].array, *values = value->kind == LUN_VALUE_ARRAY ? value->array : NULL;
    if (index->ndim > 1)
        FAIL(LUN_MISUSE, "the index array has %d axes; one at most is wanted", index->ndim);
    if (values && index->ndim == 0 && values->ndim > 0 && values->ndim == in->ndim - 1)
        TRY(compose_expand(&values, c, values, axis, err));
    *count = index->size;
    if (values && index->size == 1 && values->ndim >= in->ndim - axis)
        *count = values->shape[values->ndim - (in->ndim - axis)];
    *out = values;
    return LUN_OK;
}

/* Positions of what is inserted, looked at whether they are in 1 .. size + 1, in front of those of the elements: sorting is stable. */
static lun_status find_order(const lun_array **out, composing *c, size_t size, size_t count, lun_error *err)
{
    const lun_array *index = c->r->arguments[1].array, *front, *rest;
    const size_t all = size + count, end = size + 1;
    lun_array *keys, *checked;
    lun_places places;
    lun_call call;
    TRY(lun_places_at(&places, c->r->device, 1, &end, &index, 1, err));
    TRY(compose_array(&checked, c, LUN_i64, places.ndim, places.shape, err));
    TRY(compose_array(&keys, c, LUN_i64, 1, &all, err));
    TRY(compose_slice(&front, c, keys, 0, 0, 1, count, err));
    TRY(compose_slice(&rest, c, keys, 0, (int64_t)count, 1, size, err));
    if (compose_calls(&call, c, false))
        TRY(lun_places_tell(checked, c->r->operation->name, &places, &call, err));
    TRY(copy_spread(c, front, checked, err));
    TRY(sequence(c, rest, err));
    return compose_argsort(out, c, keys, err);
}

static lun_status insert(composing *c, lun_error *err)
{
    const lun_array *in, *values = NULL, *front, *rest, *order, *out;
    lun_array *joined;
    int axis;
    size_t count = 0, shape[LUN_MAX_AXES];
    lun_call call;
    TRY(rows_along(&in, &axis, c, 3, err));
    TRY(find_values(&values, &count, c, in, axis, err));
    memcpy(shape, in->shape, sizeof shape);
    const size_t size = in->shape[axis];
    shape[axis] = size + count;
    TRY(compose_result(&out, c, 0, in->dtype, in->ndim, shape, err));
    TRY(find_order(&order, c, size, count, err));
    TRY(compose_array(&joined, c, in->dtype, in->ndim, shape, err));
    TRY(compose_slice(&front, c, joined, axis, 0, 1, count, err));
    TRY(compose_slice(&rest, c, joined, axis, (int64_t)count, 1, size, err));
    if (values)
        TRY(copy_spread(c, front, values, err));
    else if (compose_calls(&call, c, false))
        TRY(lun_array_fill(front, value_scalar(&c->r->arguments[2]), &call, err));
    TRY(compose_copy(c, rest, in, false, err));
    if (compose_calls(&call, c, true))
        TRY(lun_take(out, joined, order, axis, &call, err));
    return LUN_OK;
}

COMPOSED(insert)

/* ---- repeats -------------------------------------------------------------------------------------------------------------- */

/* How often: a number, which is known; a list of them, or an array, whose sum says the size when it has come. */
typedef struct repeating {
    compose_state state;
    int64_t *list;
    size_t sent, size; /* of what is repeated */
    lun_array *counts;
    int64_t total;
} repeating;

/* Each element in an axis of its own, behind the one that is repeated. */
static lun_status repeat_evenly(composing *c, lun_error *err)
{
    const lun_array *in, *thin, *out;
    lun_array *wide, *spread;
    int axis;
    int64_t times;
    size_t shape[LUN_MAX_AXES];
    TRY(request_integer_from(&times, c->r, 1, 0, err));
    TRY(rows_along(&in, &axis, c, 2, err));
    if (in->ndim == LUN_MAX_AXES)
        FAIL(LUN_MISUSE, "the array has %d axes, and one less is wanted; an array of counts repeats it", LUN_MAX_AXES);
    memcpy(shape, in->shape, sizeof shape);
    if (__builtin_mul_overflow(shape[axis], (size_t)times, &shape[axis]))
        FAIL(LUN_MISUSE, "the result is too large");
    TRY(compose_result(&out, c, 0, in->dtype, in->ndim, shape, err));
    memmove(shape + axis + 2, in->shape + axis + 1, (size_t)(in->ndim - axis - 1) * sizeof *shape);
    shape[axis] = in->shape[axis];
    shape[axis + 1] = (size_t)times;
    TRY(compose_expand(&thin, c, in, axis + 1, err));
    TRY(compose_view(&spread, c, err));
    if (!lun_array_is_live(spread))
        TRY(lun_array_broadcast(spread, thin, in->ndim + 1, shape, err));
    TRY(compose_view(&wide, c, err));
    if (!lun_array_is_live(wide))
        TRY(lun_array_reshape(wide, out, in->ndim + 1, shape, err));
    return compose_copy(c, wide, spread, true, err);
}

static lun_status read_list(repeating *p, lun_request *r, lun_error *err)
{
    const lun_list *list = &r->arguments[1].list;
    size_t count;
    p->list = REQUEST_MEMORY(r, (larger(list->count, p->size) + 1) * sizeof *p->list);
    for (size_t i = 0; i < list->count; i++) {
        TRY(value_whole_from(&count, r, &list->items[i], "count", i + 1, 0, err));
        p->list[i] = (int64_t)count;
    }
    for (size_t i = list->count; i < p->size; i++) /* one for all */
        p->list[i] = p->list[0];
    return LUN_OK;
}

static lun_status bind_repeats(lun_request *r, lun_error *err)
{
    char came[200];
    const lun_value *value = &r->arguments[1], *named = &r->arguments[2];
    const lun_array *in = r->arguments[0].array, *counts = value->kind == LUN_VALUE_ARRAY ? value->array : NULL;
    int axis = -1;
    if (value->kind == LUN_VALUE_NUMBER)
        return compose(r, repeat_evenly, NULL, err);
    repeating *p = REQUEST_STATE(r, repeating);
    if (named->kind != LUN_VALUE_NOTHING)
        TRY(value_axis(&axis, r, named, in->ndim, in->shape, err));
    const size_t given = counts ? counts->size : value->list.count;
    p->size = axis < 0 ? in->size : in->shape[axis];
    if (counts && (counts->ndim > 1 || !dtype_is_whole(counts->dtype) || lun_dtype_has(counts->dtype, LUN_TRUTHS)))
        FAIL(LUN_MISUSE, "the counts are %s of shape %s; whole numbers are wanted, with one axis",
             lun_dtype_name(counts->dtype), array_shape_text(came, sizeof came, counts));
    if (given != p->size && given != 1)
        FAIL(LUN_MISUSE, "%zu counts came; %zu are wanted, one for each that is repeated, or one for all", given,
             p->size);
    if (!counts)
        TRY(read_list(p, r, err));
    TRY(request_result(r, in->dtype, 0, NULL, err));
    request_tell_late(r, 0, in->dtype);
    return LUN_OK;
}

/* The ends of what each becomes say which of them stands at a position. */
static lun_status repeat_each(composing *c, lun_error *err)
{
    const repeating *p = c->r->state;
    const lun_array *in;
    lun_array *ends, *each, *which;
    int axis;
    const size_t total = (size_t)p->total;
    const lun_scan_options running = {.op = LUN_REDUCE_sum};
    lun_call call, last;
    TRY(rows_along(&in, &axis, c, 2, err));
    TRY(compose_array(&ends, c, LUN_i64, 1, p->counts->shape, err));
    TRY(compose_array(&each, c, LUN_i64, 1, &total, err));
    TRY(compose_array(&which, c, LUN_i64, 1, &total, err));
    compose_calls(&call, c, false);
    compose_calls(&last, c, true);
    TRY(lun_scan(ends, p->counts, &running, &call, err));
    TRY(sequence(c, each, err));
    TRY(lun_searchsorted(which, ends, each, false, &call, err));
    return lun_take(c->out[0], in, which, axis, &last, err);
}

/* Counts as i64, whose sum is waited for; none is below 0. */
static lun_status sum_counts(bool *more, repeating *p, lun_request *r, lun_error *err)
{
    static const lun_reduce_op ops[] = {LUN_REDUCE_min, LUN_REDUCE_sum};
    lun_number found[2];
    if (p->counts->size == 0)
        return LUN_OK;
    TRY(request_reduce(more, r, found, p->counts, ops, 2, err));
    if (*more)
        return LUN_OK;
    if (found[0].integer < 0)
        FAIL(LUN_MISUSE, "a count is %lld; whole numbers from 0 are wanted", (long long)found[0].integer);
    p->total = found[1].integer;
    return LUN_OK;
}

static lun_status run_repeats(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    lun_status status = LUN_OK;
    repeating *p = r->state;
    const lun_value *value = &r->arguments[1];
    const lun_call quiet = request_quiet(r);
    if (value->kind == LUN_VALUE_NUMBER)
        return compose(r, repeat_evenly, out, err);
    lun_array counts = {0};
    switch (r->stage) {
    case 0:
        TRY_DONE(request_array(&p->counts, r, LUN_i64, 1, &p->size, err));
        if (value->kind == LUN_VALUE_ARRAY) {
            TRY_DONE(lun_array_broadcast(&counts, value->array, 1, &p->size, err));
            TRY_DONE(lun_array_copy(p->counts, &counts, &quiet, err));
        } else if (p->size)
            TRY_DONE(lun_array_send(more, &p->sent, p->counts, p->list, &quiet, err));
        if (*more)
            return LUN_OK;
        break;
    case 1:
        TRY_DONE(sum_counts(more, p, r, err));
        if (*more)
            return LUN_OK;
        break;
    default: {
        const lun_array *in = r->arguments[0].array;
        const bool flat = r->arguments[2].kind == LUN_VALUE_NOTHING;
        size_t shape[LUN_MAX_AXES];
        int axis = 0;
        memcpy(shape, in->shape, sizeof shape);
        if (!flat)
            TRY_DONE(value_axis(&axis, r, &r->arguments[2], in->ndim, in->shape, err));
        shape[axis] = (size_t)p->total;
        TRY_DONE(request_make_late(r, 0, out[0], flat ? 1 : in->ndim, shape, err));
        TRY_DONE(compose(r, repeat_each, out, err));
    }
    }
    *more = r->stage++ < 2;
done:
    lun_array_clear(&counts);
    return status;
}

const request_functions repeats_functions = {bind_repeats, run_repeats};
