/* Polynomials whose coefficients are in an array, the highest power's first. */
#include "api/functions.h"
#include "api/reductions.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "call/compose.h"
#include "device/device.h"

/* ---- polyval ------------------------------------------------------------------------------------------------------- */

enum { AT_ONCE = 8 }; /* coefficients that one kernel reads */

static lun_status check_coefficients(const lun_array *coefficients, const char *which, lun_error *err)
{
    char shape[200];
    if (coefficients->ndim == 1 && coefficients->shape[0] > 0)
        return LUN_OK;
    return fail(err, LUN_MISUSE, "a row of coefficients is needed, highest power first; the %s has shape %s", which,
                array_shape_text(shape, sizeof shape, coefficients));
}

/* Coefficient i, without axes. */
static lun_status coefficient_at(const lun_array **out, composing *c, const lun_array *coefficients, size_t i,
                                 lun_error *err)
{
    const lun_array *one;
    TRY(compose_slice(&one, c, coefficients, 0, (int64_t)i, 1, 1, err));
    return compose_reshape(out, c, one, 0, NULL, err);
}

/* Horner's rule, with a few coefficients a pass. */
static lun_status polyval(composing *c, lun_error *err)
{
    const lun_array *both[] = {c->r->arguments[0].array, c->r->arguments[1].array}, *so_far = NULL;
    const lun_array *coefficients = both[0], *points = both[1];
    lun_dtype computed;
    TRY(array_check_same_device(coefficients, points, "the array of points", err));
    TRY(check_coefficients(coefficients, "array", err));
    const lun_dtype dtype = compose_float(&computed, c, both, 2);
    const size_t count = coefficients->shape[0];
    for (size_t i = 0; i < count; i += AT_ONCE) {
        composed x = {0};
        const unsigned at = of_cast_array(&x, computed, points);
        unsigned value = so_far ? of_array(&x, so_far) : 0;
        for (size_t k = i; k < count && k < i + AT_ONCE; k++) {
            const lun_array *number;
            TRY(coefficient_at(&number, c, coefficients, k, err));
            const unsigned coefficient = of_cast_array(&x, computed, number);
            value = k ? of_op(&x, LUN_MAP_add, of_op(&x, LUN_MAP_mul, value, at), coefficient)
                      : of_op(&x, LUN_MAP_add, of_op(&x, LUN_MAP_mul, at, of_number(&x, lun_integer(0))), coefficient);
        }
        x.results[0] = count > i + AT_ONCE ? value : of_given(&x, dtype, computed, value);
        if (count <= i + AT_ONCE)
            return compose_give_map(c, &x, err);
        TRY(compose_map(&so_far, c, &x, err));
    }
    return LUN_OK;
}

COMPOSED(polyval)

/* ---- roots --------------------------------------------------------------------------------------------------------- */

/* The companion matrix: the coefficients behind the first, by that one, in its first row, and ones below its diagonal. */
static lun_status companion_of(const lun_array **out, composing *c, const lun_array *coefficients, lun_error *err)
{
    const size_t n = coefficients->size - 1;
    const lun_array *leading, *others, *rows;
    lun_array *places;
    composed x = {0};
    TRY(coefficient_at(&leading, c, coefficients, 0, err));
    TRY(compose_slice(&others, c, coefficients, 0, 1, 1, n, err));
    TRY(compose_sequence(&places, c, n, 0, 1, err));
    TRY(compose_expand(&rows, c, places, 1, err));
    const unsigned row = of_array(&x, rows), column = of_array(&x, places), zero = of_real(&x, 0);
    const unsigned share = of_op(&x, LUN_MAP_div, of_wide(&x, others), of_wide(&x, leading));
    const unsigned before = of_op(&x, LUN_MAP_eq, row, of_op(&x, LUN_MAP_add, column, of_number(&x, lun_integer(1))));
    const unsigned below = of_op3(&x, LUN_MAP_where, before, of_real(&x, 1), zero);
    x.results[0] = of_op3(&x, LUN_MAP_where, of_op(&x, LUN_MAP_eq, row, of_number(&x, lun_integer(0))),
                          of_op1(&x, LUN_MAP_neg, share), below);
    return compose_map(out, c, &x, err);
}

static lun_status roots(composing *c, lun_error *err)
{
    const lun_array *coefficients = c->r->arguments[0].array, *matrix, *values[2];
    composed x = {0};
    TRY(check_coefficients(coefficients, "array", err));
    lun_dtype computed;
    const lun_dtype part = lun_dtype_part(compose_float(&computed, c, &coefficients, 1));
    TRY(companion_of(&matrix, c, coefficients, err));
    TRY(compose_call(values, c, "eigvals", &matrix, 1, NULL, err));
    x.results[0] = of_cast(&x, lun_dtype_bytes(part) > 4 ? LUN_c128 : LUN_c64, of_array(&x, values[0]));
    return compose_give_map(c, &x, err);
}

COMPOSED(roots)

/* ---- poly ---------------------------------------------------------------------------------------------------------- */

/* What is computed in: f64 where the device has it. */
static lun_dtype working_dtype(const composing *c, lun_dtype computed)
{
    return lun_dtype_has(computed, LUN_PAIRS) ? computed : c->r->device->info.fp64 ? LUN_f64 : LUN_f32;
}

static lun_status converted(const lun_array **out, composing *c, lun_dtype dtype, const lun_array *in, lun_error *err)
{
    composed x = {0};
    x.results[0] = of_given(&x, dtype, in->dtype, of_array(&x, in));
    return compose_map(out, c, &x, err);
}

/* One factor after the other, from one row to the other, in which the numbers behind are still 0. */
static lun_status multiply_factors(const lun_array **out, composing *c, const lun_array *zeros, lun_error *err)
{
    const size_t n = zeros->size, all = n + 1;
    lun_array *rows[2];
    const lun_array *first, *behind, *before, *to, *zero;
    for (int i = 0; i < 2; i++) {
        TRY(compose_array(&rows[i], c, zeros->dtype, 1, &all, err));
        TRY(compose_slice(&first, c, rows[i], 0, 0, 1, 1, err));
        TRY(CALLED(c, false, lun_array_fill(rows[i], lun_integer(0), &call, err)));
        TRY(CALLED(c, false, lun_array_fill(first, lun_integer(1), &call, err)));
    }
    for (size_t k = 0; k < n; k++) {
        composed x = {0};
        TRY(coefficient_at(&zero, c, zeros, k, err));
        TRY(compose_slice(&behind, c, rows[k % 2], 0, 1, 1, k + 1, err));
        TRY(compose_slice(&before, c, rows[k % 2], 0, 0, 1, k + 1, err));
        TRY(compose_slice(&to, c, rows[(k + 1) % 2], 0, 1, 1, k + 1, err));
        const unsigned product = of_op(&x, LUN_MAP_mul, of_array(&x, zero), of_array(&x, before));
        x.results[0] = of_op(&x, LUN_MAP_sub, of_array(&x, behind), product);
        TRY(compose_into(c, &to, &x, false, err));
    }
    *out = rows[n % 2];
    return LUN_OK;
}

static lun_status poly(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *zeros, *product = NULL;
    lun_array *real;
    lun_dtype computed;
    char shape[200];
    composed x = {0};
    if (in->ndim != 1 && (in->ndim != 2 || in->shape[0] != in->shape[1]))
        FAIL(LUN_MISUSE, "a row of zeros or a square matrix is needed; the array has shape %s",
             array_shape_text(shape, sizeof shape, in));
    const lun_dtype dtype = compose_float(&computed, c, &in, 1);
    TRY(converted(&zeros, c, working_dtype(c, computed), in, err));
    if (in->ndim == 2)
        TRY(compose_call(&zeros, c, "eigvals", &zeros, 1, NULL, err));
    TRY(multiply_factors(&product, c, zeros, err));
    if (lun_dtype_has(zeros->dtype, LUN_PAIRS) && !lun_dtype_has(dtype, LUN_PAIRS)) {
        COMPOSE_VIEW(real, c, lun_array_part(real, product, false, err));
        product = real;
    }
    x.results[0] = of_given(&x, dtype, product->dtype, of_array(&x, product));
    return compose_give_map(c, &x, err);
}

COMPOSED(poly)

/* ---- polydiv ------------------------------------------------------------------------------------------------------- */

/* Takes multiples of the divisor off the dividend. The first number of each step stays: the quotient's, times the divisor's first one. */
static lun_status divide(const lun_array *left, composing *c, const lun_array *divisor, const lun_array *leading,
                         lun_error *err)
{
    const size_t n = divisor->size - 1;
    const lun_array *others, *first, *rest;
    TRY(compose_slice(&others, c, divisor, 0, 1, 1, n, err));
    for (size_t k = 0; n > 0 && k + n < left->size; k++) {
        composed x = {0};
        TRY(coefficient_at(&first, c, left, k, err));
        TRY(compose_slice(&rest, c, left, 0, (int64_t)k + 1, 1, n, err));
        const unsigned times = of_op(&x, LUN_MAP_div, of_array(&x, first), of_array(&x, leading));
        x.results[0] = of_op(&x, LUN_MAP_sub, of_array(&x, rest), of_op(&x, LUN_MAP_mul, times, of_array(&x, others)));
        TRY(compose_into(c, &rest, &x, false, err));
    }
    return LUN_OK;
}

/* The numbers from a place on, by another one, which may be NULL; 0, where there are none. */
static lun_status give_part(composing *c, const lun_array *to, const lun_array *from, size_t at, size_t count,
                            const lun_array *by, bool last, lun_error *err)
{
    composed x = {0};
    const lun_array *part;
    if (count == 0)
        return CALLED(c, last, lun_array_fill(to, lun_integer(0), &call, err));
    TRY(compose_slice(&part, c, from, 0, (int64_t)at, 1, count, err));
    const unsigned value = of_array(&x, part);
    x.results[0] = of_given(&x, to->dtype, from->dtype, by ? of_op(&x, LUN_MAP_div, value, of_array(&x, by)) : value);
    return compose_into(c, &to, &x, last, err);
}

static lun_status polydiv(composing *c, lun_error *err)
{
    const lun_array *both[] = {c->r->arguments[0].array, c->r->arguments[1].array}, *to[2], *left, *divisor, *leading;
    lun_dtype computed;
    TRY(array_check_same_device(both[0], both[1], "the divisor", err));
    TRY(check_coefficients(both[0], "array", err));
    TRY(check_coefficients(both[1], "divisor", err));
    const size_t m = both[0]->size, n = both[1]->size, count = m < n ? 0 : m - n + 1;
    const size_t sizes[] = {larger(count, 1), larger(m - count, 1)};
    const lun_dtype dtype = compose_float(&computed, c, both, 2);
    c->results = 2;
    for (size_t i = 0; i < 2; i++)
        TRY(compose_result(&to[i], c, i, dtype, 1, &sizes[i], err));
    TRY(converted(&left, c, working_dtype(c, computed), both[0], err));
    TRY(converted(&divisor, c, left->dtype, both[1], err));
    TRY(coefficient_at(&leading, c, divisor, 0, err));
    TRY(divide(left, c, divisor, leading, err));
    TRY(give_part(c, to[0], left, 0, count, leading, false, err));
    return give_part(c, to[1], left, count, m - count, NULL, true, err);
}

COMPOSED(polydiv)

/* ---- polyder, polyint ---------------------------------------------------------------------------------------------- */

static lun_status read_times(size_t *out, composing *c, lun_error *err)
{
    int64_t times = 1;
    if (c->r->arguments[1].kind != LUN_VALUE_NOTHING)
        TRY(request_integer_from(&times, c->r, 1, 0, err));
    *out = (size_t)times;
    return check_coefficients(c->r->arguments[0].array, "array", err);
}

static lun_status polyder(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *kept, *out;
    const lun_dtype dtype = dtype_is_whole(in->dtype) ? LUN_i64 : in->dtype;
    lun_array *powers;
    composed x = {0};
    size_t times;
    TRY(read_times(&times, c, err));
    if (times >= in->size) {
        TRY(compose_result(&out, c, 0, dtype, 1, (size_t[]){1}, err));
        return CALLED(c, true, lun_array_fill(out, lun_integer(0), &call, err));
    }
    x.results[0] = of_given(&x, dtype, in->dtype, of_array(&x, in));
    for (size_t i = 0; i < times; i++) {
        TRY(compose_map(&in, c, &x, err));
        x = (composed){0};
        TRY(compose_slice(&kept, c, in, 0, 0, 1, in->size - 1, err));
        TRY(compose_sequence(&powers, c, kept->size, (int64_t)kept->size, -1, err));
        x.results[0] = of_op(&x, LUN_MAP_mul, of_array(&x, kept), of_array(&x, powers));
    }
    return compose_give_map(c, &x, err);
}

COMPOSED(polyder)

/* The coefficients by their new powers, and behind them the constant. */
static lun_status integrate(composing *c, const lun_array *to, const lun_array *in, lun_number constant, bool last,
                            lun_error *err)
{
    const lun_array *end, *others;
    lun_array *powers;
    composed x = {0};
    TRY(compose_slice(&end, c, to, 0, (int64_t)in->size, 1, 1, err));
    TRY(compose_slice(&others, c, to, 0, 0, 1, in->size, err));
    TRY(compose_sequence(&powers, c, in->size, (int64_t)in->size, -1, err));
    TRY(CALLED(c, false, lun_array_fill(end, constant, &call, err)));
    x.results[0] = of_op(&x, LUN_MAP_div, of_cast_array(&x, to->dtype, in), of_cast_array(&x, to->dtype, powers));
    return compose_into(c, &others, &x, last, err);
}

static lun_status polyint(composing *c, lun_error *err)
{
    const lun_array *in = c->r->arguments[0].array, *out;
    const lun_value *constants = request_option(c->r, "k");
    lun_dtype computed;
    composed x = {0};
    size_t times;
    TRY(read_times(&times, c, err));
    const size_t given = constants ? value_count(constants) : 1, all = in->size + times;
    const lun_dtype dtype = compose_float(&computed, c, &in, 1);
    if (given != 1 && given != times)
        FAIL(LUN_MISUSE, "got %zu constants; %zu are needed, one for each integration, or one for all", given, times);
    if (times == 0) {
        x.results[0] = of_given(&x, dtype, in->dtype, of_array(&x, in));
        return compose_give_map(c, &x, err);
    }
    TRY(compose_result(&out, c, 0, dtype, 1, &all, err));
    for (size_t i = 1; i <= times; i++) {
        const lun_number constant =
            constants ? value_scalar(value_item(constants, given > 1 ? i - 1 : 0)) : lun_integer(0);
        const size_t size = in->size + 1;
        lun_array *next = NULL;
        if (i < times)
            TRY(compose_array(&next, c, dtype, 1, &size, err));
        TRY(integrate(c, next ? next : out, in, constant, i == times, err));
        in = next;
    }
    return LUN_OK;
}

COMPOSED(polyint)

/* ---- polyfit ------------------------------------------------------------------------------------------------------- */

typedef struct fit {
    const lun_array *points, *values, *weights; /* weights: NULL: none */
    size_t count, terms;
    lun_dtype dtype; /* of the result */
} fit;

static lun_status read_fitted(const lun_array *in, const lun_array *points, const char *which, int ndim, lun_error *err)
{
    char shape[200];
    TRY(array_check_same_device(points, in, which, err));
    if (lun_dtype_has(in->dtype, LUN_PAIRS))
        FAIL(LUN_MISUSE, "%s has %s numbers; real ones are needed", which, lun_dtype_name(in->dtype));
    if (in->ndim < 1 || in->ndim > ndim || in->shape[0] != points->shape[0])
        FAIL(LUN_MISUSE, "%s has shape %s; %zu numbers are needed, one for each point%s", which,
             array_shape_text(shape, sizeof shape, in), points->shape[0], ndim > 1 ? ", or rows of them" : "");
    return LUN_OK;
}

static lun_status read_fit(fit *f, composing *c, lun_error *err)
{
    int64_t degree;
    lun_dtype computed;
    char shape[200];
    *f = (fit){.points = c->r->arguments[0].array,
               .values = c->r->arguments[1].array,
               .weights = request_array_option(c->r, "weights")};
    if (f->points->ndim != 1 || f->points->size == 0)
        FAIL(LUN_MISUSE, "the array of points has shape %s; a row of at least one number is needed",
             array_shape_text(shape, sizeof shape, f->points));
    TRY(read_fitted(f->points, f->points, "the array of points", 1, err));
    TRY(read_fitted(f->values, f->points, "the array of values", 2, err));
    if (f->weights)
        TRY(read_fitted(f->weights, f->points, "the array of weights", 1, err));
    TRY(request_integer_from(&degree, c->r, 2, 0, err));
    if (degree >= INT32_MAX)
        FAIL(LUN_MISUSE, "the degree is %lld; a number below 2^31 is needed", (long long)degree);
    f->count = f->points->size;
    f->terms = (size_t)degree + 1;
    f->dtype = compose_float(&computed, c, (const lun_array *const[]){f->points, f->values, f->weights}, 3);
    return LUN_OK;
}

/* The points' powers by the weights, a row for each point, and the norms of the columns, by which these are divided. */
static lun_status powers_of(const lun_array **matrix, const lun_array **norms, composing *c, const fit *f,
                            const lun_array *weights, lun_error *err)
{
    const lun_array *column, *powers;
    const composed_axes rows = {.axis = {true}};
    lun_array *exponents;
    composed x = {0};
    TRY(compose_expand(&column, c, f->points, 1, err));
    TRY(compose_sequence(&exponents, c, f->terms, (int64_t)f->terms - 1, -1, err));
    const unsigned power = of_op(&x, LUN_MAP_pow, of_wide(&x, column), of_wide(&x, exponents));
    x.results[0] = weights ? of_op(&x, LUN_MAP_mul, power, of_wide(&x, weights)) : power;
    TRY(compose_map(&powers, c, &x, err));
    TRY(compose_reduce(norms, c, powers, LUN_REDUCE_norm, &rows, err));
    x = (composed){0};
    const unsigned norm = of_array(&x, *norms), zero = of_real(&x, 0);
    x.results[0] = of_op3(&x, LUN_MAP_where, of_op(&x, LUN_MAP_eq, norm, zero), zero,
                          of_op(&x, LUN_MAP_div, of_array(&x, powers), norm));
    return compose_map(matrix, c, &x, err);
}

/* Least squares of the powers' matrix, whose columns have the norm 1: their numbers differ by magnitudes, and what is small beside
 * the largest would count as none. */
static lun_status polyfit(composing *c, lun_error *err)
{
    fit f;
    const lun_array *weights = NULL, *both[2], *norms, *solved[3];
    composed x = {0};
    TRY(read_fit(&f, c, err));
    if (f.weights)
        TRY(compose_expand(&weights, c, f.weights, 1, err));
    TRY(powers_of(&both[0], &norms, c, &f, weights, err));
    const unsigned values = of_wide(&x, f.values);
    x.results[0] =
        f.weights ? of_op(&x, LUN_MAP_mul, values, of_wide(&x, f.values->ndim > 1 ? weights : f.weights)) : values;
    TRY(compose_map(&both[1], c, &x, err));
    TRY(compose_call(solved, c, "lstsq", both, 2, NULL, err));
    if (f.values->ndim > 1)
        TRY(compose_expand(&norms, c, norms, 1, err));
    x = (composed){0};
    const unsigned norm = of_array(&x, norms), zero = of_real(&x, 0);
    const unsigned quotient = of_op(&x, LUN_MAP_div, of_array(&x, solved[0]), norm);
    x.results[0] = of_cast(&x, f.dtype, of_op3(&x, LUN_MAP_where, of_op(&x, LUN_MAP_eq, norm, zero), zero, quotient));
    return compose_give_map(c, &x, err);
}

COMPOSED(polyfit)
