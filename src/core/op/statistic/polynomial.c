/* Polynomials whose coefficients stand in an array, the highest power's first. */
#include "api/functions.h"
#include "api/reductions.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "call/compose.h"
#include "device/device.h"

/* ---- polyval ------------------------------------------------------------------------------------------------------- */

enum { AT_ONCE = 8 }; /* coefficients that one kernel reads */

static lun_status check_coefficients(const lun_array *coefficients, lun_error *err)
{
    char shape[200];
    if (coefficients->ndim == 1 && coefficients->shape[0] > 0)
        return LUN_OK;
    return fail(err, LUN_MISUSE, "coefficients in a row are needed, the highest power's first; the array has shape %s",
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
    TRY(check_coefficients(coefficients, err));
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
    TRY(check_coefficients(coefficients, err));
    lun_dtype computed;
    const lun_dtype part = lun_dtype_part(compose_float(&computed, c, &coefficients, 1));
    TRY(companion_of(&matrix, c, coefficients, err));
    TRY(compose_call(values, c, "eigvals", &matrix, 1, NULL, err));
    x.results[0] = of_cast(&x, lun_dtype_bytes(part) > 4 ? LUN_c128 : LUN_c64, of_array(&x, values[0]));
    return compose_give_map(c, &x, err);
}

COMPOSED(roots)

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
        FAIL(LUN_MISUSE, "the array of points has shape %s; a row of one number at least is needed",
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
