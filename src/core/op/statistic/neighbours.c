/* What is made of neighbours along an axis: diff, unwrap, gradient, trapezoid. */
#include "api/functions.h"
#include "api/reductions.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "call/compose.h"
#include "device/device.h"

#include <math.h>
#include <string.h>

/* ---- diff ---------------------------------------------------------------------------------------------------------- */

/* The elements but the first ones, or but the last ones, along the axis. */
static lun_status but_first(const lun_array **out, composing *c, const lun_array *in, int axis, lun_error *err)
{
    return compose_slice(out, c, in, axis, 1, 1, in->shape[axis] - 1, err);
}

static lun_status but_last(const lun_array **out, composing *c, const lun_array *in, int axis, lun_error *err)
{
    return compose_slice(out, c, in, axis, 0, 1, in->shape[axis] - 1, err);
}

static lun_status difference(composed *x, composing *c, const lun_array *in, int axis, lun_error *err)
{
    const lun_array *later, *sooner;
    TRY(but_first(&later, c, in, axis, err));
    TRY(but_last(&sooner, c, in, axis, err));
    x->results[0] = of_difference(x, later, sooner);
    return LUN_OK;
}

static lun_status diff(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *out;
    int64_t n = 1;
    int axis;
    composed x = {0};
    size_t shape[LUN_MAX_AXES];
    if (c->r->arguments[1].kind != LUN_VALUE_NOTHING)
        TRY(request_integer_from(&n, c->r, 1, 0, err));
    TRY(compose_axis(&axis, c, in, -1, err));
    if ((uint64_t)n >= in->shape[axis] && n > 0) { /* none is left */
        memcpy(shape, in->shape, (size_t)in->ndim * sizeof *shape);
        shape[axis] = 0;
        return compose_result(&out, c, 0, in->dtype, in->ndim, shape, err);
    }
    for (; n > 1; n--) {
        TRY(difference(&x, c, in, axis, err));
        TRY(compose_map(&in, c, &x, err));
        x = (composed){0};
    }
    if (n == 1)
        TRY(difference(&x, c, in, axis, err));
    else
        x.results[0] = of_array(&x, in);
    return compose_give_map(c, &x, err);
}

COMPOSED(diff)

/* ---- unwrap ---------------------------------------------------------------------------------------------------------- */

/* The dtype of what is computed, i64 of integers with a whole period, and that of the result. */
typedef struct unwrapping {
    lun_number period, discont;
    lun_dtype computed, gives;
} unwrapping;

static lun_status read_unwrapping(unwrapping *out, const composing *c, const lun_array *in, lun_error *err)
{
    const lun_number period = request_number(c->r, "period", lun_real(2 * M_PI));
    *out = (unwrapping){.period = period, .discont = request_number(c->r, "discont", lun_real(period.real / 2))};
    if (!(period.real > 0 && isfinite(period.real)))
        FAIL(LUN_MISUSE, "option 'period': a finite number above 0 is needed, got %g", period.real);
    out->gives = compose_float(&out->computed, c, &in, 1);
    if (!dtype_is_whole(in->dtype))
        out->gives = in->dtype;
    else if (period.is_integer)
        out->gives = out->computed = LUN_i64;
    return LUN_OK;
}

/* What is added to an element and those behind it, in place of the step to it: the nearest of its like, or nothing. Of the two ends of a
 * period a rising step takes the upper one. */
static lun_status find_steps(const lun_array **out, composing *c, const lun_array *in, int axis, const unwrapping *u,
                             lun_error *err)
{
    const lun_array *later, *sooner;
    composed x = {0};
    const bool whole = u->computed == LUN_i64;
    const int64_t half = u->period.integer / 2;
    TRY(but_first(&later, c, in, axis, err));
    TRY(but_last(&sooner, c, in, axis, err));
    const unsigned step =
        of_op(&x, LUN_MAP_sub, of_cast_array(&x, u->computed, later), of_cast_array(&x, u->computed, sooner));
    const unsigned high = whole ? of_number(&x, lun_integer(half)) : of_real(&x, u->period.real / 2);
    const unsigned low = whole ? of_number(&x, lun_integer(-half)) : of_real(&x, -u->period.real / 2);
    unsigned nearest = of_op(&x, LUN_MAP_add,
                             of_op(&x, LUN_MAP_mod, of_op(&x, LUN_MAP_sub, step, low), of_number(&x, u->period)), low);
    if (!whole || u->period.integer % 2 == 0) {
        const unsigned rises = of_op(&x, LUN_MAP_gt, step, of_number(&x, lun_integer(0)));
        nearest = of_op3(&x, LUN_MAP_where, of_op(&x, LUN_MAP_land, of_op(&x, LUN_MAP_eq, nearest, low), rises), high,
                         nearest);
    }
    const unsigned small = of_op(&x, LUN_MAP_lt, of_op1(&x, LUN_MAP_abs, step), of_number(&x, u->discont));
    x.results[0] =
        of_op3(&x, LUN_MAP_where, small, of_number(&x, lun_integer(0)), of_op(&x, LUN_MAP_sub, nearest, step));
    return compose_map(out, c, &x, err);
}

static lun_status unwrap(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *out, *steps, *first, *rest;
    lun_array *sums;
    unwrapping u;
    lun_scan_options running = {.op = LUN_REDUCE_sum};
    TRY(compose_axis(&running.axis, c, in, -1, err));
    TRY(read_unwrapping(&u, c, in, err));
    TRY(compose_like(&out, c, u.gives, in, err));
    if (in->shape[running.axis] < 2)
        return compose_copy(c, out, in, true, err);
    TRY(find_steps(&steps, c, in, running.axis, &u, err));
    TRY(compose_array(&sums, c, steps->dtype, steps->ndim, steps->shape, err));
    TRY(CALLED(c, false, lun_scan(sums, steps, &running, &call, err)));
    TRY(compose_slice(&first, c, out, running.axis, 0, 1, 1, err));
    TRY(compose_slice(&rest, c, in, running.axis, 0, 1, 1, err));
    TRY(compose_copy(c, first, rest, false, err));
    composed x = {0};
    TRY(but_first(&rest, c, in, running.axis, err));
    const unsigned sum = of_op(&x, LUN_MAP_add, of_cast_array(&x, u.computed, rest), of_array(&x, sums));
    x.results[0] = of_given(&x, u.gives, u.computed, sum);
    TRY(but_first(&rest, c, out, running.axis, err));
    return compose_into(c, &rest, &x, true, err);
}

COMPOSED(unwrap)

/* ---- gradient -------------------------------------------------------------------------------------------------------- */

/* How far positions lie apart: a number, or an array of them along the axis. */
typedef struct spacing {
    double step;
    const lun_array *places;   /* NULL: evenly */
    lun_dtype computed, gives; /* dtypes: of what is computed with elements and positions, and of the result */
} spacing;

/* Do positions broadcast to the array, with one for each element along the axis? */
static bool spread_along(const lun_array *places, const lun_array *in, int axis)
{
    bool fits = places->ndim == in->ndim && places->shape[axis] == in->shape[axis];
    for (int i = 0; fits && i < in->ndim; i++)
        fits = places->shape[i] == in->shape[i] || places->shape[i] == 1;
    return fits;
}

static lun_status read_spacing(spacing *out, composing *c, const lun_array *in, int axis, const lun_value *value,
                               bool spreads, lun_error *err)
{
    size_t row[LUN_MAX_AXES];
    char shape[200];
    const lun_array *const all[] = {in, value->kind == LUN_VALUE_ARRAY ? value->array : NULL};
    *out = (spacing){.step = value->kind == LUN_VALUE_NUMBER ? value->number.real : 1};
    out->gives = compose_float(&out->computed, c, all, COUNT(all));
    if (value->kind != LUN_VALUE_ARRAY)
        return LUN_OK;
    const lun_array *places = value->array;
    TRY(array_check_same_device(in, places, "the array of positions", err));
    TRY(dtype_check_ordered(places->dtype, err));
    if (spreads && spread_along(places, in, axis)) {
        out->places = places;
        return LUN_OK;
    }
    if (places->ndim != 1 || places->shape[0] != in->shape[axis])
        FAIL(LUN_MISUSE, "positions are needed for the %zu elements along axis %d; their array has shape %s",
             in->shape[axis], array_axis_shown(in, axis), array_shape_text(shape, sizeof shape, places));
    for (int i = 0; i < in->ndim; i++)
        row[i] = i == axis ? in->shape[axis] : 1;
    return compose_reshape(&out->places, c, places, in->ndim, row, err);
}

/* A part of `count` elements from a place on, of the elements or the positions. */
static lun_status part(unsigned *out, composed *x, composing *c, const lun_array *in, int axis, const spacing *apart,
                       size_t from, size_t count, lun_error *err)
{
    const lun_array *view;
    TRY(compose_slice(&view, c, in, axis, (int64_t)from, 1, count, err));
    *out = of_cast_array(x, apart->computed, view);
    return LUN_OK;
}

/* The slope from one place to another, or what it is at the places between: (b - a) / (their distance). */
static lun_status slope(unsigned *out, composed *x, composing *c, const lun_array *in, int axis, const spacing *apart,
                        size_t from, size_t to, size_t count, lun_error *err)
{
    unsigned a, b, distance;
    TRY(part(&a, x, c, in, axis, apart, from, count, err));
    TRY(part(&b, x, c, in, axis, apart, to, count, err));
    *out = of_op(x, LUN_MAP_sub, b, a);
    if (apart->places) {
        TRY(part(&a, x, c, apart->places, axis, apart, from, count, err));
        TRY(part(&b, x, c, apart->places, axis, apart, to, count, err));
        distance = of_op(x, LUN_MAP_sub, b, a);
    } else {
        distance = of_real(x, apart->step * (double)(to - from));
    }
    *out = of_op(x, LUN_MAP_div, *out, distance);
    return LUN_OK;
}

/* The slope of the parabola through three neighbours, at the first, the second or the third (0 to 2): on from the slope between the first
 * two toward, or past, that between the last two. */
static lun_status parabola(unsigned *out, composed *x, composing *c, const lun_array *in, int axis,
                           const spacing *apart, size_t from, int where, size_t count, lun_error *err)
{
    unsigned before, behind, at[3], share;
    TRY(slope(&before, x, c, in, axis, apart, from, from + 1, count, err));
    TRY(slope(&behind, x, c, in, axis, apart, from + 1, from + 2, count, err));
    if (apart->places) {
        for (size_t i = 0; i < 3; i++)
            TRY(part(&at[i], x, c, apart->places, axis, apart, from + i, count, err));
        const unsigned all = of_op(x, LUN_MAP_sub, at[2], at[0]);
        share = where == 0   ? of_op(x, LUN_MAP_sub, at[0], at[1])
                : where == 1 ? of_op(x, LUN_MAP_sub, at[1], at[0])
                             : of_op(x, LUN_MAP_add, all, of_op(x, LUN_MAP_sub, at[2], at[1]));
        share = of_op(x, LUN_MAP_div, share, all);
    } else {
        share = of_real(x, where - 0.5);
    }
    before = of_op(x, LUN_MAP_mul, before, of_op(x, LUN_MAP_sub, of_real(x, 1), share)); /* an infinity stays one */
    *out = of_op(x, LUN_MAP_add, before, of_op(x, LUN_MAP_mul, behind, share));
    return LUN_OK;
}

/* The ends, and between them what has neighbours on both sides. */
static lun_status gradient_along(composing *c, const lun_array *to, const lun_array *in, int axis, const spacing *apart,
                                 int64_t order, bool last, lun_error *err)
{
    const size_t size = in->shape[axis], at[] = {0, size - 1, 1}, count[] = {1, 1, size - 2};
    const lun_array *there;
    for (int i = 0; i < (size > 2 ? 3 : 2); i++) {
        composed x = {0};
        unsigned value;
        if (i < 2 && order == 2)
            TRY(parabola(&value, &x, c, in, axis, apart, i ? size - 3 : 0, 2 * i, 1, err));
        else if (i == 2 && apart->places)
            TRY(parabola(&value, &x, c, in, axis, apart, 0, 1, count[i], err));
        else
            TRY(slope(&value, &x, c, in, axis, apart, i == 1 ? size - 2 : 0, i < 2 ? at[i] + !i : 2, count[i], err));
        x.results[0] = of_cast(&x, to->dtype, value);
        TRY(compose_slice(&there, c, to, axis, (int64_t)at[i], 1, count[i], err));
        TRY(compose_into(c, &there, &x, last && i == (size > 2 ? 2 : 1), err));
    }
    return LUN_OK;
}

/* Is the spacing a list of as many as there are axes, or one for all of them? */
static lun_status check_spacings(const lun_value **each, const composing *c, int count, lun_error *err)
{
    const lun_value *given = &c->r->arguments[1];
    *each = given->kind == LUN_VALUE_LIST && given->list.count > 0 ? given->list.items : NULL;
    if (*each && given->list.count != (size_t)count)
        FAIL(LUN_MISUSE, "got %zu spacings; %d are needed, one for each axis", given->list.count, count);
    for (int i = 0; *each && i < count; i++)
        if ((*each)[i].kind != LUN_VALUE_ARRAY && (*each)[i].kind != LUN_VALUE_NUMBER)
            FAIL(LUN_MISUSE, "spacing %d is %s; a number or an array of positions is needed", i + 1,
                 kind_shown(c->r, &(*each)[i]));
    if (given->kind == LUN_VALUE_ARRAY && count > 1)
        FAIL(LUN_MISUSE,
             "an array of positions is for one axis, but the gradient is along %d: name an axis, or give a list",
             count);
    if (given->kind == LUN_VALUE_ARRAY || given->kind == LUN_VALUE_NUMBER || given->kind == LUN_VALUE_LIST ||
        given->kind == LUN_VALUE_NOTHING)
        return LUN_OK;
    return request_refuse(c->r, 1, "a number, an array of positions or a list of these", err);
}

static lun_status gradient(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *out[LUN_MAX_AXES];
    const lun_value *axes = request_option(c->r, "axis"), *each;
    const int64_t order = request_whole(c->r, "edge_order", 1);
    int count = in->ndim, axis[LUN_MAX_AXES];
    spacing apart[LUN_MAX_AXES];
    if (in->ndim == 0)
        FAIL(LUN_MISUSE, "the array has no axes");
    if (order != 1 && order != 2)
        FAIL(LUN_MISUSE, "option 'edge_order': 1 or 2 is needed, got %lld", (long long)order);
    for (int i = 0; i < count; i++)
        axis[i] = i;
    if (axes)
        TRY(value_axes(&count, axis, c->r, axes, in->ndim, in->shape, false, err));
    if (count == 0)
        FAIL(LUN_MISUSE, "no axis is named");
    TRY(check_spacings(&each, c, count, err));
    c->results = (size_t)count;
    for (int i = 0; i < count; i++) {
        const size_t size = in->shape[axis[i]], least = (size_t)order + 1;
        if (size < least)
            FAIL(LUN_MISUSE, "axis %d has %zu element%s; a slope needs at least %zu", array_axis_shown(in, axis[i]),
                 size, size == 1 ? "" : "s", least);
        TRY(read_spacing(&apart[i], c, in, axis[i], each ? &each[i] : &c->r->arguments[1], false, err));
        TRY(compose_result(&out[i], c, (size_t)i, apart[i].gives, in->ndim, in->shape, err));
        if (c->out)
            TRY(array_check_apart(out[i], in, err));
    }
    for (int i = 0; i < count; i++)
        TRY(gradient_along(c, out[i], in, axis[i], &apart[i], order, i == count - 1, err));
    return LUN_OK;
}

COMPOSED(gradient)

/* ---- trapezoid --------------------------------------------------------------------------------------------------------- */

static lun_status trapezoid(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array;
    composed x = {0};
    spacing apart;
    unsigned a, b, width;
    int axis;
    TRY(compose_axis(&axis, c, in, -1, err));
    TRY(read_spacing(&apart, c, in, axis, &c->r->arguments[1], true, err));
    composed_axes over = {.keepdims = request_truth(c->r, "keepdims")};
    over.axis[axis] = true;
    c->numbers = in->ndim == 1 && !over.keepdims && !request_array_option(c->r, "out");
    const size_t count = in->shape[axis] ? in->shape[axis] - 1 : 0, behind = in->shape[axis] ? 1 : 0;
    TRY(part(&a, &x, c, in, axis, &apart, 0, count, err));
    TRY(part(&b, &x, c, in, axis, &apart, behind, count, err));
    const unsigned both = of_op(&x, LUN_MAP_add, a, b);
    if (apart.places) {
        TRY(part(&a, &x, c, apart.places, axis, &apart, 0, count, err));
        TRY(part(&b, &x, c, apart.places, axis, &apart, behind, count, err));
        width = of_op(&x, LUN_MAP_mul, of_op(&x, LUN_MAP_sub, b, a), of_real(&x, 0.5));
    } else {
        width = of_real(&x, apart.step / 2);
    }
    x.results[0] = of_op(&x, LUN_MAP_mul, both, width);
    return compose_give_fold(c, &x, LUN_REDUCE_sum, &over, err);
}

COMPOSED(trapezoid)
