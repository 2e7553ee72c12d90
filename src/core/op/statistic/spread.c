/* Statistics of axes that are made of a few reductions: ptp, average, vector_norm, skew, kurtosis. */
#include "api/functions.h"
#include "api/reductions.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "call/compose.h"
#include "device/device.h"

#include <math.h>
#include <string.h>

/* ---- ptp --------------------------------------------------------------------------------------------------------- */

static lun_status ptp(composing *c, lun_error *err)
{
    static const lun_reduce_op ops[] = {LUN_REDUCE_max, LUN_REDUCE_min};
    const lun_array *in = c->r->arguments[0].array, *ends[2];
    composed_axes over;
    composed x = {.result_count = 2};
    TRY(dtype_check_ordered(in->dtype, err));
    TRY(compose_axes(&over, c, in, err));
    x.results[0] = x.results[1] = of_array(&x, in);
    TRY(compose_fold(ends, c, &x, ops, &over, err));
    x = (composed){0};
    x.results[0] = of_difference(&x, ends[0], ends[1]);
    return compose_give_map(c, &x, err);
}

COMPOSED(ptp)

/* ---- average ----------------------------------------------------------------------------------------------------- */

/* Weights in a row are those of the positions along the one axis that goes; others broadcast. */
static lun_status place_weights(const lun_array **out, composing *c, const lun_array *in, const lun_array *weights,
                                const composed_axes *over, lun_error *err)
{
    size_t row[LUN_MAX_AXES], shape[LUN_MAX_AXES];
    int going = 0, axis = 0, ndim;
    char wanted[200], given[200];
    lun_array *view;
    for (int i = 0; i < in->ndim; i++) {
        row[i] = 1;
        going += over->axis[i];
        axis = over->axis[i] ? i : axis;
    }
    *out = weights;
    TRY(array_check_same_device(in, weights, "weights", err));
    if (weights->ndim == 1 && going == 1 && in->ndim > 1 && weights->shape[0] == in->shape[axis]) {
        row[axis] = in->shape[axis];
        TRY(compose_reshape(out, c, weights, in->ndim, row, err));
    }
    if (!shape_broadcast(&ndim, shape, (const lun_array *const[]){in, *out}, 2) || ndim != in->ndim ||
        memcmp(shape, in->shape, (size_t)ndim * sizeof *shape) != 0)
        FAIL(LUN_MISUSE, "the weights have shape %s, the elements %s", array_shape_text(given, sizeof given, weights),
             array_shape_text(wanted, sizeof wanted, in));
    COMPOSE_VIEW(view, c, lun_array_broadcast(view, *out, ndim, shape, err));
    *out = view;
    return LUN_OK;
}

static lun_status average(composing *c, lun_error *err)
{
    static const lun_reduce_op ops[] = {LUN_REDUCE_sum, LUN_REDUCE_sum};
    const lun_array *in = c->r->arguments[0].array, *weights = request_array_option(c->r, "weights"), *sums[2];
    composed_axes over;
    composed x = {0};
    lun_dtype computed;
    TRY(compose_axes(&over, c, in, err));
    if (!weights) {
        x.results[0] = of_array(&x, in);
        return compose_give_fold(c, &x, LUN_REDUCE_mean, &over, err);
    }
    TRY(place_weights(&weights, c, in, weights, &over, err));
    x.result_count = 2;
    (void)compose_float(&computed, c, (const lun_array *const[]){in, weights}, 2);
    x.results[1] = of_cast_array(&x, computed, weights);
    x.results[0] = of_op(&x, LUN_MAP_mul, of_cast_array(&x, computed, in), x.results[1]);
    TRY(compose_fold(sums, c, &x, ops, &over, err));
    x = (composed){0};
    const unsigned sum = of_array(&x, sums[0]);
    x.results[0] = of_op(&x, LUN_MAP_div, sum, of_array(&x, sums[1]));
    return compose_give_map(c, &x, err);
}

COMPOSED(average)

/* ---- vector_norm -------------------------------------------------------------------------------------------------- */

/* The elements in the dtype that their norm is computed in. */
static unsigned element(composed *x, const composing *c, const lun_array *in)
{
    lun_dtype computed;
    (void)compose_float(&computed, c, &in, 1);
    return of_cast_array(x, computed, in);
}

static unsigned magnitude(composed *x, const composing *c, const lun_array *in)
{
    return of_op1(x, LUN_MAP_abs, element(x, c, in));
}

/* The largest or the smallest magnitude, which others are divided by; 1 where it is 0 or not finite, since that would give NaN. */
static lun_status find_scale(const lun_array **out, composing *c, const lun_array *in, bool largest,
                             const composed_axes *kept, lun_error *err)
{
    const lun_reduce_op op = largest ? LUN_REDUCE_max : LUN_REDUCE_min;
    const lun_array *top;
    composed x = {0};
    x.results[0] = magnitude(&x, c, in);
    TRY(compose_fold(&top, c, &x, &op, kept, err));
    x = (composed){0};
    const unsigned a = of_array(&x, top), one = of_real(&x, 1);
    const unsigned some = of_op(&x, LUN_MAP_gt, a, of_real(&x, 0));
    const unsigned sound = of_op(&x, LUN_MAP_land, some, of_op1(&x, LUN_MAP_isfinite, a));
    x.results[0] = of_op3(&x, LUN_MAP_where, sound, a, one);
    return compose_map(out, c, &x, err);
}

/* Of magnitudes by their largest, so that no power overflows or vanishes; by the least where the power is below 0. */
static lun_status root_of_powers(composing *c, const lun_array *in, double p, const composed_axes *over, lun_error *err)
{
    const lun_reduce_op op = LUN_REDUCE_sum;
    const lun_array *scale, *sum;
    composed_axes kept = *over;
    composed x = {0};
    kept.keepdims = true;
    TRY(find_scale(&scale, c, in, p > 0, &kept, err));
    const unsigned share = magnitude(&x, c, in);
    x.results[0] = of_op(&x, LUN_MAP_pow, of_op(&x, LUN_MAP_div, share, of_array(&x, scale)), of_real(&x, p));
    TRY(compose_fold(&sum, c, &x, &op, over, err));
    TRY(compose_reshape(&scale, c, scale, sum->ndim, sum->shape, err));
    x = (composed){0};
    const unsigned root = of_op(&x, LUN_MAP_pow, of_array(&x, sum), of_real(&x, 1 / p));
    x.results[0] = of_op(&x, LUN_MAP_mul, root, of_array(&x, scale));
    return compose_give_map(c, &x, err);
}

/* Argument 1, or the option ord of `norm`. */
static lun_status read_order(double *p, const lun_request *r, lun_error *err)
{
    const lun_value *ord = request_option(r, "ord"), *given = ord ? ord : &r->arguments[1];
    const char *text = given->kind == LUN_VALUE_TEXT ? given->text : "";
    char shown[SHOWN];
    *p = given->kind == LUN_VALUE_NUMBER ? given->number.real
         : strcmp(text, "inf") == 0      ? HUGE_VAL
         : strcmp(text, "-inf") == 0     ? -HUGE_VAL
                                         : 2;
    if (ord && *p == 2 && ord->kind != LUN_VALUE_NUMBER)
        FAIL(LUN_MISUSE, "option 'ord': a number, \"inf\" or \"-inf\" is needed for vectors, got %s",
             ord->kind == LUN_VALUE_TEXT ? text_shown(shown, r, ord) : kind_shown(r, ord));
    if (isnan(*p))
        FAIL(LUN_MISUSE, "%s is NaN; a number or an infinity is needed", ord ? "ord" : "p");
    return LUN_OK;
}

static lun_status vector_norm(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array;
    double p;
    composed_axes over;
    composed x = {0};
    lun_dtype computed;
    TRY(read_order(&p, c->r, err));
    TRY(compose_axes(&over, c, in, err));
    if (p == 2) {
        x.results[0] = element(&x, c, in);
        return compose_give_fold(c, &x, LUN_REDUCE_norm, &over, err);
    }
    if (p != 0 && p != 1 && !isinf(p) && compose_extent(&over, in))
        return root_of_powers(c, in, p, &over, err);
    x.results[0] = magnitude(&x, c, in);
    if (p == 0) { /* how many are not 0, as a float */
        const lun_dtype dtype = lun_dtype_part(compose_float(&computed, c, &in, 1));
        x.results[0] = of_cast(&x, dtype, of_op(&x, LUN_MAP_ne, x.results[0], of_real(&x, 0)));
    }
    return compose_give_fold(c, &x, !isinf(p) ? LUN_REDUCE_sum : p > 0 ? LUN_REDUCE_max : LUN_REDUCE_min, &over, err);
}

COMPOSED(vector_norm)

/* ---- skew, kurtosis ------------------------------------------------------------------------------------------------ */

/* The second central moment, and the third or the fourth: means of powers of the differences from the mean. */
static lun_status central(const lun_array **out, composing *c, const lun_array *in, const composed_axes *over,
                          int power, lun_error *err)
{
    static const lun_reduce_op means[] = {LUN_REDUCE_mean, LUN_REDUCE_mean};
    const lun_array *mean;
    composed_axes kept = *over;
    composed x = {0};
    kept.keepdims = true;
    x.results[0] = of_wide(&x, in);
    TRY(compose_fold(&mean, c, &x, means, &kept, err));
    x = (composed){.result_count = 2};
    const unsigned value = of_wide(&x, in), left = of_op(&x, LUN_MAP_sub, value, of_array(&x, mean));
    x.results[0] = of_op1(&x, LUN_MAP_square, left);
    x.results[1] = power == 3 ? of_op(&x, LUN_MAP_mul, x.results[0], left) : of_op1(&x, LUN_MAP_square, x.results[0]);
    return compose_fold(out, c, &x, means, over, err);
}

/* Shares of the variance's powers; without bias as SciPy and R's type 2 have them, with it where there are too few numbers. */
static lun_status shape_of(composing *c, int power, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *moments[2];
    const lun_value *biased = request_option(c->r, "bias");
    lun_dtype computed;
    composed_axes over;
    composed x = {0};
    TRY(dtype_check_ordered(in->dtype, err));
    TRY(compose_axes(&over, c, in, err));
    const double n = (double)compose_extent(&over, in);
    const bool plain = !biased || request_truth(c->r, "bias") || n < power;
    TRY(central(moments, c, in, &over, power, err));
    const unsigned square = of_array(&x, moments[0]), other = of_array(&x, moments[1]);
    unsigned value;
    if (power == 3) {
        const unsigned cube = of_op(&x, LUN_MAP_mul, square, of_op1(&x, LUN_MAP_sqrt, square));
        const double factor = plain ? 1 : sqrt(n * (n - 1)) / (n - 2);
        value = of_op(&x, LUN_MAP_mul, of_op(&x, LUN_MAP_div, other, cube), of_real(&x, factor));
    } else {
        const double factor = plain ? 1 : (n * n - 1) / ((n - 2) * (n - 3));
        const double taken = plain ? 3 : 3 * (n - 1) * (n - 1) / ((n - 2) * (n - 3));
        value = of_op(&x, LUN_MAP_div, other, of_op1(&x, LUN_MAP_square, square));
        value = of_op(&x, LUN_MAP_mul, value, of_real(&x, factor));
        value = of_op(&x, LUN_MAP_sub, value, of_real(&x, taken));
    }
    x.results[0] = of_cast(&x, compose_float(&computed, c, &in, 1), value);
    return compose_give_map(c, &x, err);
}

static lun_status skew(composing *c, lun_error *err) { return shape_of(c, 3, err); }
static lun_status kurtosis(composing *c, lun_error *err) { return shape_of(c, 4, err); }

COMPOSED(skew)
COMPOSED(kurtosis)
