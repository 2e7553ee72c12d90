/* What is made of neighbours along an axis: diff, gradient, trapezoid. */
#include "api/functions.h"
#include "api/reductions.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "call/compose.h"
#include "device/device.h"

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

/* ---- gradient -------------------------------------------------------------------------------------------------------- */

/* How far positions lie apart: a number, or an array of them along the axis. */
typedef struct spacing {
    double step;
    const lun_array *places;   /* NULL: evenly */
    lun_dtype computed, gives; /* dtypes: of what is computed with elements and positions, and of the result */
} spacing;

static lun_status read_spacing(spacing *out, composing *c, const lun_array *in, int axis, const lun_value *value,
                               lun_error *err)
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

/* Between unevenly spaced neighbours: each slope weighs as much as the other one's part is long. */
static lun_status uneven(unsigned *out, composed *x, composing *c, const lun_array *in, int axis, const spacing *apart,
                         size_t count, lun_error *err)
{
    unsigned before, behind, at[3];
    TRY(slope(&before, x, c, in, axis, apart, 0, 1, count, err));
    TRY(slope(&behind, x, c, in, axis, apart, 1, 2, count, err));
    for (size_t i = 0; i < 3; i++)
        TRY(part(&at[i], x, c, apart->places, axis, apart, i, count, err));
    const unsigned share =
        of_op(x, LUN_MAP_div, of_op(x, LUN_MAP_sub, at[1], at[0]), of_op(x, LUN_MAP_sub, at[2], at[0]));
    *out = of_op3(x, LUN_MAP_lerp, before, behind, share);
    return LUN_OK;
}

static lun_status gradient_along(composing *c, const lun_array *to, const lun_array *in, int axis, const spacing *apart,
                                 bool last, lun_error *err)
{
    const size_t size = in->shape[axis];
    const size_t from[] = {0, size - 2, 0}, behind[] = {1, size - 1, 2}, at[] = {0, size - 1, 1};
    const size_t count[] = {1, 1, size - 2};
    const lun_array *there;
    for (size_t i = 0; i < (size > 2 ? 3 : 2); i++) {
        composed x = {0};
        unsigned value;
        if (i == 2 && apart->places)
            TRY(uneven(&value, &x, c, in, axis, apart, count[i], err));
        else
            TRY(slope(&value, &x, c, in, axis, apart, from[i], behind[i], count[i], err));
        x.results[0] = of_cast(&x, to->dtype, value);
        TRY(compose_slice(&there, c, to, axis, (int64_t)at[i], 1, count[i], err));
        TRY(compose_into(c, &there, &x, last && i == (size > 2 ? 2 : 1), err));
    }
    return LUN_OK;
}

static lun_status gradient(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *out[LUN_MAX_AXES];
    const lun_value *axes = request_option(c->r, "axis"), *given = &c->r->arguments[1];
    int count = in->ndim, axis[LUN_MAX_AXES];
    spacing apart[LUN_MAX_AXES];
    if (in->ndim == 0)
        FAIL(LUN_MISUSE, "the array has no axes");
    for (int i = 0; i < count; i++)
        axis[i] = i;
    if (axes)
        TRY(value_axes(&count, axis, c->r, axes, in->ndim, in->shape, false, err));
    if (count == 0)
        FAIL(LUN_MISUSE, "no axis is named");
    if (given->kind == LUN_VALUE_ARRAY && count > 1)
        FAIL(LUN_MISUSE, "positions are along one axis, and the gradient is needed along %d: name one by axis", count);
    c->results = (size_t)count;
    for (int i = 0; i < count; i++) {
        if (in->shape[axis[i]] < 2)
            FAIL(LUN_MISUSE, "axis %d has %zu element%s; a slope needs at least 2", array_axis_shown(in, axis[i]),
                 in->shape[axis[i]], in->shape[axis[i]] == 1 ? "" : "s");
        TRY(read_spacing(&apart[i], c, in, axis[i], given, err));
        TRY(compose_result(&out[i], c, (size_t)i, apart[i].gives, in->ndim, in->shape, err));
        if (c->out)
            TRY(array_check_apart(out[i], in, err));
    }
    for (int i = 0; i < count; i++) {
        TRY(gradient_along(c, out[i], in, axis[i], &apart[i], i == count - 1, err));
    }
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
    TRY(read_spacing(&apart, c, in, axis, &c->r->arguments[1], err));
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
