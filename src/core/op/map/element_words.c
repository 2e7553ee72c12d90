/* Words of elements that are one expression each: nearness, a place for NaN, parts of numbers, decimals. */
#include "api/functions.h"
#include "api/reductions.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "call/compose.h"
#include "device/device.h"

#include <math.h>

/* ---- nearness ------------------------------------------------------------------------------------------------------------ */

/* An operand; integers in the widest float, in which differences do not wrap. */
static unsigned operand(composed *x, const lun_value *value)
{
    if (value->kind != LUN_VALUE_ARRAY)
        return of_number(x, value->kind == LUN_VALUE_BOOLEAN ? lun_integer(value->truth) : value->number);
    return dtype_is_whole(value->array->dtype) ? of_wide(x, value->array) : of_array(x, value->array);
}

/* |a - b| <= atol + rtol * |b|, where b is finite; or both are the same, or both NaN where these are equal. */
static lun_status closeness(composed *x, const composing *c, lun_error *err)
{
    const double rtol = request_number(c->r, "rtol", lun_real(1e-5)).real,
                 atol = request_number(c->r, "atol", lun_real(1e-8)).real;
    if (!(rtol >= 0) || !(atol >= 0))
        FAIL(LUN_MISUSE, "option '%s': a number from 0 is needed", rtol >= 0 ? "atol" : "rtol");
    const unsigned a = operand(x, &c->r->arguments[0]), b = operand(x, &c->r->arguments[1]);
    const unsigned size = of_op1(x, LUN_MAP_abs, b), off = of_op1(x, LUN_MAP_abs, of_op(x, LUN_MAP_sub, a, b));
    const unsigned bound = of_op(x, LUN_MAP_add, of_op(x, LUN_MAP_mul, size, of_real(x, rtol)), of_real(x, atol));
    const unsigned near = of_op(x, LUN_MAP_land, of_op(x, LUN_MAP_le, off, bound), of_op1(x, LUN_MAP_isfinite, b));
    unsigned close = of_op(x, LUN_MAP_lor, near, of_op(x, LUN_MAP_eq, a, b));
    if (request_truth(c->r, "equal_nan")) {
        const unsigned both = of_op(x, LUN_MAP_land, of_op1(x, LUN_MAP_isnan, a), of_op1(x, LUN_MAP_isnan, b));
        close = of_op(x, LUN_MAP_lor, close, both);
    }
    x->results[0] = close;
    return LUN_OK;
}

static lun_status isclose(composing *c, lun_error *err)
{
    composed x = {0};
    TRY(closeness(&x, c, err));
    return compose_give_map(c, &x, err);
}

/* Is the expression true everywhere? One truth value. */
static lun_status give_all(composing *c, composed *x, lun_error *err)
{
    composed_axes over = {.keepdims = false};
    for (int i = 0; i < LUN_MAX_AXES; i++)
        over.axis[i] = true;
    c->numbers = true;
    return compose_give_fold(c, x, LUN_REDUCE_all, &over, err);
}

static lun_status allclose(composing *c, lun_error *err)
{
    composed x = {0};
    TRY(closeness(&x, c, err));
    return give_all(c, &x, err);
}

/* Arrays of two shapes are not equal. */
static lun_status equal(composing *c, lun_error *err)
{
    composed x = {0};
    const lun_array *a = c->r->arguments[0].array, *b = c->r->arguments[1].array, *out;
    if (shape_equal(a, b)) {
        x.results[0] = of_array(&x, a);
        x.results[0] = of_op(&x, LUN_MAP_eq, x.results[0], of_array(&x, b));
        TRY(give_all(c, &x, err));
        return LUN_OK;
    }
    c->numbers = true;
    TRY(compose_result(&out, c, 0, LUN_bool, 0, NULL, err));
    return CALLED(c, true, lun_array_fill(out, lun_truth(false), &call, err));
}

COMPOSED(isclose)
COMPOSED(allclose)
COMPOSED(equal)

/* ---- parts of complex numbers ---------------------------------------------------------------------------------------------- */

/* Writes what an operation computes of each part of complex numbers, or of real ones. */
static lun_status by_parts(composing *c, const lun_array *out, const lun_array *in,
                           lun_status (*write)(const lun_array *to, composing *c, const lun_array *in, bool last,
                                               lun_error *err),
                           lun_error *err)
{
    lun_array *from, *to;
    if (!lun_dtype_has(in->dtype, LUN_PAIRS))
        return write(out, c, in, true, err);
    for (int i = 0; i < 2; i++) {
        COMPOSE_VIEW(from, c, lun_array_part(from, in, i == 1, err));
        COMPOSE_VIEW(to, c, lun_array_part(to, out, i == 1, err));
        TRY(write(to, c, from, i == 1, err));
    }
    return LUN_OK;
}

/* ---- a place for NaN ------------------------------------------------------------------------------------------------------ */

static lun_status replace(const lun_array *to, composing *c, const lun_array *in, bool last, lun_error *err)
{
    composed x = {0};
    const double most = dtype_below(in->dtype, INFINITY); /* the largest finite number */
    const unsigned a = of_array(&x, in), nan = of_number(&x, request_number(c->r, "nan", lun_integer(0)));
    const unsigned above = of_number(&x, request_number(c->r, "posinf", lun_real(most))),
                   below = of_number(&x, request_number(c->r, "neginf", lun_real(-most)));
    const unsigned finite = of_op3(&x, LUN_MAP_where, of_op(&x, LUN_MAP_eq, a, of_real(&x, INFINITY)), above, a);
    const unsigned bounded = of_op3(&x, LUN_MAP_where, of_op(&x, LUN_MAP_eq, a, of_real(&x, -INFINITY)), below, finite);
    x.results[0] = of_op3(&x, LUN_MAP_where, of_op1(&x, LUN_MAP_isnan, a), nan, bounded);
    return compose_into(c, &to, &x, last, err);
}

/* Of integers a copy. */
static lun_status nan_to_num(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *out;
    TRY(compose_result(&out, c, 0, in->dtype, in->ndim, in->shape, err));
    if (!c->out)
        return LUN_OK;
    if (dtype_is_whole(in->dtype))
        TRY(compose_copy(c, out, in, true, err));
    else
        TRY(by_parts(c, out, in, replace, err));
    return LUN_OK;
}

COMPOSED(nan_to_num)

/* ---- parts ---------------------------------------------------------------------------------------------------------------- */

/* The array as a float one: integers as the request's floats. */
static unsigned of_float(const composing *c, composed *x, const lun_array *array)
{
    const unsigned a = of_array(x, array);
    return dtype_is_whole(array->dtype) ? of_cast(x, c->r->floats, a) : a;
}

/* m * 2^e is the number; m is 1/2 or more, and below 1. Zeros, infinities and NaN are m, and e is 0. */
static lun_status exponents(composing *c, lun_error *err)
{
    composed x = {.result_count = 2};
    const unsigned a = of_float(c, &x, c->r->arguments[0].array);
    const unsigned plain = of_op(&x, LUN_MAP_land, of_op1(&x, LUN_MAP_isfinite, a), a);
    const unsigned above = of_op(&x, LUN_MAP_add, of_op1(&x, LUN_MAP_logb, a), of_number(&x, lun_integer(1)));
    const unsigned e = of_op3(&x, LUN_MAP_where, plain, above, of_number(&x, lun_integer(0)));
    x.results[0] = of_op(&x, LUN_MAP_ldexp, a, of_op1(&x, LUN_MAP_neg, e));
    x.results[1] = of_cast(&x, LUN_i32, e);
    return compose_give_map(c, &x, err);
}

/* What is behind the point, and what before it, both of the number's sign. */
static lun_status fractions(composing *c, lun_error *err)
{
    composed x = {.result_count = 2};
    const unsigned a = of_float(c, &x, c->r->arguments[0].array), whole = of_op1(&x, LUN_MAP_trunc, a);
    const unsigned zero = of_number(&x, lun_integer(0)), rest = of_op(&x, LUN_MAP_sub, a, whole);
    const unsigned part = of_op3(&x, LUN_MAP_where, of_op1(&x, LUN_MAP_isinf, a), zero, rest);
    x.results[0] = of_op(&x, LUN_MAP_copysign, part, a);
    x.results[1] = whole;
    return compose_give_map(c, &x, err);
}

COMPOSED(exponents)
COMPOSED(fractions)

/* ---- decimals ------------------------------------------------------------------------------------------------------------- */

/* Truth values count as i64, as without decimals. */
static lun_dtype rounded_dtype(const lun_array *in) { return in->dtype == LUN_bool ? LUN_i64 : in->dtype; }

/* Rounded to a multiple of a power of ten: times a power that is whole, or divided by it. Integers have no decimals. */
static lun_status round_to(const lun_array *to, composing *c, const lun_array *in, bool last, lun_error *err)
{
    composed x = {0};
    int64_t places;
    const bool whole = dtype_is_whole(in->dtype);
    TRY(request_integer(&places, c->r, 1, err));
    const double power = pow(10, fabs((double)places));
    const unsigned a = whole ? of_wide(&x, in) : of_array(&x, in), by = of_real(&x, power);
    const unsigned scaled = of_op(&x, places < 0 ? LUN_MAP_div : LUN_MAP_mul, a, by);
    const unsigned back = of_op(&x, places < 0 ? LUN_MAP_mul : LUN_MAP_div, of_op1(&x, LUN_MAP_round, scaled), by);
    x.results[0] = places == 0 || (whole && places > 0) ? of_op1(&x, LUN_MAP_round, a) : back;
    if (whole)
        x.results[0] = of_cast(&x, rounded_dtype(in), places < 0 ? back : of_array(&x, in));
    return compose_into(c, &to, &x, last, err);
}

static lun_status decimals(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *out;
    TRY(compose_result(&out, c, 0, rounded_dtype(in), in->ndim, in->shape, err));
    if (c->out)
        TRY(by_parts(c, out, in, round_to, err));
    return LUN_OK;
}

COMPOSED(decimals)
