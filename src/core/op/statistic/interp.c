/* Values between points: straight lines from one to the next. */
#include "api/functions.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "call/compose.h"
#include "device/device.h"

#include <math.h>

static lun_status check_row(const lun_array *array, const lun_array *in, const char *which, lun_error *err)
{
    char shape[200];
    TRY(array_check_same_device(in, array, which, err));
    if (array->ndim != 1 || array->shape[0] == 0)
        FAIL(LUN_MISUSE, "%s has shape %s; a row of at least one number is needed", which,
             array_shape_text(shape, sizeof shape, array));
    return LUN_OK;
}

static lun_status check_arguments(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *points = c->r->arguments[1].array;
    const lun_array *values = c->r->arguments[2].array;
    const lun_value *period = request_option(c->r, "period");
    TRY(check_row(points, in, "the array of points", err));
    TRY(check_row(values, in, "the array of values", err));
    TRY(dtype_check_ordered(in->dtype, err));
    TRY(dtype_check_ordered(points->dtype, err));
    if (values->shape[0] != points->shape[0])
        FAIL(LUN_MISUSE, "there are %zu points and %zu values", points->shape[0], values->shape[0]);
    if (period && !(period->number.real > 0 && isfinite(period->number.real)))
        FAIL(LUN_MISUSE, "the period is %.14g; a finite number above 0 is needed", period->number.real);
    if (period && (request_option(c->r, "left") || request_option(c->r, "right")))
        FAIL(LUN_MISUSE, "left and right have no effect with a period");
    return LUN_OK;
}

/* What is left of positions by the period. */
static lun_status within(const lun_array **out, composing *c, const lun_array *in, lun_number period, lun_error *err)
{
    composed x = {0};
    x.results[0] = of_op(&x, LUN_MAP_mod, of_wide(&x, in), of_number(&x, period));
    return compose_map(out, c, &x, err);
}

/* The points within the period, and their values, sorted by them. */
static lun_status sort_points(const lun_array **points, const lun_array **values, composing *c, lun_number period,
                              lun_error *err)
{
    const lun_array *order, *mixed;
    TRY(within(&mixed, c, *points, period, err));
    TRY(compose_argsort(&order, c, mixed, err));
    TRY(compose_take(points, c, mixed, order, LUN_FLATTENED, err));
    return compose_take(values, c, *values, order, LUN_FLATTENED, err);
}

/* Which points each value lies between: ends[0] and ends[1], positions from 1, and with a period 0 before them and count + 1 behind;
 * without one the first and the last two points stand for what lies beyond. */
static lun_status find_interval(const lun_array **ends, composing *c, const lun_array *in, const lun_array *points,
                                bool periodic, lun_error *err)
{
    const int64_t count = (int64_t)points->shape[0];
    lun_array *found;
    composed x = {.result_count = 2};
    TRY(compose_array(&found, c, LUN_i64, in->ndim, in->shape, err));
    TRY(CALLED(c, false, lun_searchsorted(found, points, in, true, &call, err)));
    const unsigned at = of_array(&x, found), one = of_number(&x, lun_integer(1)),
                   last = of_number(&x, lun_integer(count));
    if (periodic) {
        const unsigned before = of_op(&x, LUN_MAP_sub, at, one);
        x.results[0] = of_op3(&x, LUN_MAP_where, of_op(&x, LUN_MAP_lt, before, one), last, before);
        x.results[1] = of_op3(&x, LUN_MAP_where, of_op(&x, LUN_MAP_gt, at, last), one, at);
    } else {
        const unsigned second = of_number(&x, lun_integer(count > 1 ? 2 : 1));
        x.results[1] = of_op3(&x, LUN_MAP_clamp, at, second, last);
        x.results[0] = of_op(&x, LUN_MAP_sub, x.results[1], of_number(&x, lun_integer(count > 1)));
    }
    return compose_map(ends, c, &x, err);
}

/* The value at `at` on the line from one end to the other. A point has its own value, and two equal values all between them, as
 * infinities would make NaN there; for which reason the line is tried from its other end, too. */
static unsigned on_line(composed *x, unsigned at, const unsigned *places, const unsigned *heights)
{
    const unsigned rise = of_op(x, LUN_MAP_sub, heights[1], heights[0]);
    const unsigned slope = of_op(x, LUN_MAP_div, rise, of_op(x, LUN_MAP_sub, places[1], places[0]));
    unsigned from[2];
    for (int i = 0; i < 2; i++)
        from[i] = of_op(x, LUN_MAP_add, heights[i], of_op(x, LUN_MAP_mul, of_op(x, LUN_MAP_sub, at, places[i]), slope));
    const unsigned lost = of_op(x, LUN_MAP_ne, from[0], from[0]);
    const unsigned own =
        of_op(x, LUN_MAP_lor, of_op(x, LUN_MAP_eq, at, places[0]), of_op(x, LUN_MAP_eq, heights[0], heights[1]));
    return of_op3(x, LUN_MAP_where, own, heights[0], of_op3(x, LUN_MAP_where, lost, from[1], from[0]));
}

/* What is beyond the points: the nearest value, or the option's. */
static unsigned with_ends(composed *x, const composing *c, unsigned value, unsigned at, const unsigned *places,
                          const unsigned *heights)
{
    const lun_value *left = request_option(c->r, "left"), *right = request_option(c->r, "right");
    value = of_op3(x, LUN_MAP_where, of_op(x, LUN_MAP_ge, at, places[1]), heights[1], value);
    if (right)
        value = of_op3(x, LUN_MAP_where, of_op(x, LUN_MAP_gt, at, places[1]), of_number(x, right->number), value);
    return of_op3(x, LUN_MAP_where, of_op(x, LUN_MAP_lt, at, places[0]), left ? of_number(x, left->number) : heights[0],
                  value);
}

static lun_status interp(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *points = c->r->arguments[1].array;
    const lun_array *values = c->r->arguments[2].array, *ends[2], *end;
    const lun_value *period = request_option(c->r, "period");
    const lun_array *const all[] = {in, points, values};
    lun_dtype computed;
    composed x = {0};
    unsigned places[2], heights[2];
    TRY(check_arguments(c, err));
    const lun_dtype dtype = compose_float(&computed, c, all, COUNT(all));
    if (period) {
        TRY(within(&in, c, in, period->number, err));
        TRY(sort_points(&points, &values, c, period->number, err));
    }
    TRY(find_interval(ends, c, in, points, period != NULL, err));
    const unsigned at = of_wide(&x, in);
    for (int i = 0; i < 2; i++) {
        TRY(compose_take(&end, c, points, ends[i], LUN_FLATTENED, err));
        places[i] = of_wide(&x, end);
        TRY(compose_take(&end, c, values, ends[i], LUN_FLATTENED, err));
        heights[i] = of_wide(&x, end);
    }
    unsigned value;
    if (period) { /* an end that is on the wrong side is the same point, a period away */
        const unsigned apart = of_number(&x, period->number);
        places[0] = of_op3(&x, LUN_MAP_where, of_op(&x, LUN_MAP_gt, places[0], at),
                           of_op(&x, LUN_MAP_sub, places[0], apart), places[0]);
        places[1] = of_op3(&x, LUN_MAP_where, of_op(&x, LUN_MAP_le, places[1], at),
                           of_op(&x, LUN_MAP_add, places[1], apart), places[1]);
        value = on_line(&x, at, places, heights);
    } else {
        value = with_ends(&x, c, on_line(&x, at, places, heights), at, places, heights);
    }
    value = of_op3(&x, LUN_MAP_where, of_op(&x, LUN_MAP_ne, at, at), at, value);
    x.results[0] = of_cast(&x, dtype, value);
    return compose_give_map(c, &x, err);
}

COMPOSED(interp)
