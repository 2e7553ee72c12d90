/* Inserting in front of positions, and repeating. */
#include "api/reductions.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "device/device.h"
#include "op/index/mask_words.h"

#include <string.h>

/* A copy of the array as that shape sees it. */
static lun_status copy_spread(composing *c, const lun_array *to, const lun_array *in, lun_error *err)
{
    lun_array *spread;
    COMPOSE_VIEW(spread, c, lun_array_broadcast(spread, in, to->ndim, to->shape, err));
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
        FAIL(LUN_MISUSE, "the index array has %d axes; at most one is possible", index->ndim);
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
    TRY(lun_places_at(&places, c->r->device, 1, &end, &index, 1, err));
    TRY(compose_array(&checked, c, LUN_i64, places.ndim, places.shape, err));
    TRY(compose_array(&keys, c, LUN_i64, 1, &all, err));
    TRY(compose_slice(&front, c, keys, 0, 0, 1, count, err));
    TRY(compose_slice(&rest, c, keys, 0, (int64_t)count, 1, size, err));
    TRY(CALLED(c, false, lun_places_tell(checked, c->r->operation->name, &places, &call, err)));
    TRY(copy_spread(c, front, checked, err));
    if (size)
        TRY(CALLED(c, false, lun_array_sequence(rest, lun_integer(1), lun_integer(1), &call, err)));
    return compose_argsort(out, c, keys, err);
}

static lun_status insert(composing *c, lun_error *err)
{
    const lun_array *in, *values = NULL, *front, *rest, *order, *out;
    lun_array *joined;
    int axis;
    size_t count = 0, shape[LUN_MAX_AXES];
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
    else
        TRY(CALLED(c, false, lun_array_fill(front, value_scalar(&c->r->arguments[2]), &call, err)));
    TRY(compose_copy(c, rest, in, false, err));
    return CALLED(c, true, lun_take(out, joined, order, axis, &call, err));
}

COMPOSED(insert)

/* ---- repeats -------------------------------------------------------------------------------------------------------------- */

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
        FAIL(LUN_MISUSE, "the array has %d axes; at most one less can be repeated by a number; give an array of counts",
             LUN_MAX_AXES);
    memcpy(shape, in->shape, sizeof shape);
    if (__builtin_mul_overflow(shape[axis], (size_t)times, &shape[axis]))
        FAIL(LUN_MISUSE, "the result is too large");
    TRY(compose_result(&out, c, 0, in->dtype, in->ndim, shape, err));
    memmove(shape + axis + 2, in->shape + axis + 1, (size_t)(in->ndim - axis - 1) * sizeof *shape);
    shape[axis] = in->shape[axis];
    shape[axis + 1] = (size_t)times;
    TRY(compose_expand(&thin, c, in, axis + 1, err));
    COMPOSE_VIEW(spread, c, lun_array_broadcast(spread, thin, in->ndim + 1, shape, err));
    COMPOSE_VIEW(wide, c, lun_array_reshape(wide, out, in->ndim + 1, shape, err));
    return compose_copy(c, wide, spread, true, err);
}

/* How often each is repeated, as lists and arrays say it, on its way; and the least count, and the sum. */
typedef struct repeating {
    int64_t *list;
    size_t sent;
    lun_number found[2];
} repeating;

static lun_status check_counts(const lun_array *counts, size_t given, size_t size, lun_error *err)
{
    char came[200];
    if (counts && (counts->ndim > 1 || !dtype_is_whole(counts->dtype) || lun_dtype_has(counts->dtype, LUN_TRUTHS)))
        FAIL(LUN_MISUSE, "the counts are %s of shape %s; whole numbers are needed, with one axis",
             lun_dtype_name(counts->dtype), array_shape_text(came, sizeof came, counts));
    if (given != size && given != 1)
        FAIL(LUN_MISUSE, "got %zu counts; %zu are needed, one for each repeated position, or one for all", given, size);
    return LUN_OK;
}

static lun_status read_list(repeating *p, lun_request *r, size_t size, lun_error *err)
{
    const lun_list *list = &r->arguments[1].list;
    size_t count;
    int64_t *counts = REQUEST_MEMORY(r, (larger(list->count, size) + 1) * sizeof *counts);
    for (size_t i = 0; i < list->count; i++) {
        TRY(value_whole_from(&count, r, &list->items[i], "count", i + 1, 0, err));
        counts[i] = (int64_t)count;
    }
    for (size_t i = list->count; i < size; i++) /* one for all */
        counts[i] = counts[0];
    p->list = counts;
    return LUN_OK;
}

/* One count for each, as i64. */
static lun_status bring_counts(lun_array **out, repeating *p, composing *c, size_t size, lun_error *err)
{
    const lun_value *value = &c->r->arguments[1];
    const lun_array *counts = value->kind == LUN_VALUE_ARRAY ? value->array : NULL;
    const lun_call quiet = request_quiet(c->r);
    TRY(check_counts(counts, counts ? counts->size : value->list.count, size, err));
    if (!counts && !p->list)
        TRY(read_list(p, c->r, size, err));
    TRY(compose_array(out, c, LUN_i64, 1, &size, err));
    if (counts)
        return copy_spread(c, *out, counts, err);
    return size && compose_enters(c) ? lun_array_send(c->more, &p->sent, *out, p->list, &quiet, err) : LUN_OK;
}

/* The ends of what each becomes say which of them is at a position. */
static lun_status repeat_each(composing *c, const lun_array *out, const lun_array *in, int axis,
                              const lun_array *counts, lun_error *err)
{
    lun_array *ends, *each, *which;
    const lun_scan_options running = {.op = LUN_REDUCE_sum};
    TRY(compose_array(&ends, c, LUN_i64, 1, counts->shape, err));
    TRY(compose_sequence(&each, c, out->shape[axis], 1, 1, err));
    TRY(compose_array(&which, c, LUN_i64, 1, &out->shape[axis], err));
    TRY(CALLED(c, false, lun_scan(ends, counts, &running, &call, err)));
    TRY(CALLED(c, false, lun_searchsorted(which, ends, each, false, &call, err)));
    return CALLED(c, true, lun_take(out, in, which, axis, &call, err));
}

/* The sum of the counts says the size when it has come; none is below 0. */
static lun_status repeats(composing *c, lun_error *err)
{
    static const lun_reduce_op ops[] = {LUN_REDUCE_min, LUN_REDUCE_sum};
    const lun_array *in;
    lun_array *counts, *out;
    repeating *p;
    int axis;
    size_t shape[LUN_MAX_AXES];
    if (c->r->arguments[1].kind == LUN_VALUE_NUMBER)
        return repeat_evenly(c, err);
    COMPOSE_KEPT(p, c);
    TRY(rows_along(&in, &axis, c, 2, err));
    TRY(bring_counts(&counts, p, c, in->shape[axis], err));
    TRY(compose_late(c, 0, in->dtype, err));
    if (compose_waits(c))
        return LUN_OK;
    if (counts->size && compose_enters(c))
        TRY(request_reduce(c->more, c->r, p->found, counts, ops, 2, err));
    if (compose_waits(c))
        return LUN_OK;
    if (p->found[0].integer < 0)
        FAIL(LUN_MISUSE, "a count is %lld; whole numbers from 0 are needed", (long long)p->found[0].integer);
    memcpy(shape, in->shape, sizeof shape);
    shape[axis] = (size_t)p->found[1].integer;
    TRY(compose_late_result(&out, c, 0, in->ndim, shape, err));
    return repeat_each(c, out, in, axis, counts, err);
}

COMPOSED(repeats)
