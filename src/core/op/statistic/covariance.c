/* Covariances and correlations: of variables that are the rows of a matrix, or its columns. */
#include "api/functions.h"
#include "api/reductions.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "call/compose.h"
#include "device/device.h"

#include <string.h>

/* One array's variables, as rows of observations. */
static lun_status as_rows(const lun_array **out, composing *c, const lun_array *in, const char *which, lun_error *err)
{
    const lun_value *option = request_option(c->r, "axis");
    int axis = in->ndim - 1;
    lun_array *view;
    char shape[200];
    if (in->ndim == 1)
        return compose_expand(out, c, in, 0, err);
    if (in->ndim != 2)
        FAIL(LUN_MISUSE, "%s has shape %s; a matrix whose rows are variables is needed, or one variable", which,
             array_shape_text(shape, sizeof shape, in));
    if (option)
        TRY(value_axis(&axis, c->r, option, in->ndim, in->shape, err));
    *out = in;
    if (axis == 0) {
        COMPOSE_VIEW(view, c, lun_array_permute(view, in, (const int[]){1, 0}, err));
        *out = view;
    }
    return LUN_OK;
}

/* What is left of the variables without their means, below each other in one matrix. */
static lun_status centre(const lun_array *left, size_t from, composing *c, const lun_array *rows, lun_error *err)
{
    static const lun_reduce_op op = LUN_REDUCE_mean;
    const lun_array *mean, *to;
    const composed_axes over = {.axis = {false, true}, .keepdims = true};
    composed x = {0};
    x.results[0] = of_wide(&x, rows);
    TRY(compose_fold(&mean, c, &x, &op, &over, err));
    TRY(compose_slice(&to, c, left, 0, (int64_t)from, 1, rows->shape[0], err));
    x = (composed){0};
    const unsigned value = of_wide(&x, rows);
    x.results[0] = of_cast(&x, left->dtype, of_op(&x, LUN_MAP_sub, value, of_array(&x, mean)));
    return compose_into(c, &to, &x, false, err);
}

typedef struct variables {
    size_t count, observations;
    lun_dtype dtype;
    const lun_array *rows[2];
} variables;

static lun_status read_variables(variables *v, composing *c, lun_error *err)
{
    const lun_array *a = c->r->arguments[0].array;
    const lun_array *b = c->r->arguments[1].kind == LUN_VALUE_NOTHING ? NULL : c->r->arguments[1].array;
    lun_dtype computed;
    TRY(as_rows(&v->rows[0], c, a, "the array", err));
    v->dtype = compose_float(&computed, c, (const lun_array *const[]){a, b}, 2);
    v->count = v->rows[0]->shape[0];
    v->observations = v->rows[0]->shape[1];
    if (b) {
        TRY(array_check_same_device(a, b, "the second array", err));
        TRY(as_rows(&v->rows[1], c, b, "the second array", err));
        if (v->rows[1]->shape[1] != v->observations)
            FAIL(LUN_MISUSE, "the array has %zu observations of each variable, and the second one %zu", v->observations,
                 v->rows[1]->shape[1]);
        v->count += v->rows[1]->shape[0];
    }
    if (v->observations == 0)
        FAIL(LUN_MISUSE, "there are no observations");
    return LUN_OK;
}

/* The sums of products of what is left, divided, in `to`, of p x p. */
static lun_status multiply(composing *c, const lun_array *to, const variables *v, double by, bool last, lun_error *err)
{
    const lun_dtype wide = lun_dtype_has(v->dtype, LUN_PAIRS) ? v->dtype : to->device->info.fp64 ? LUN_f64 : LUN_f32;
    const lun_array *right;
    lun_array *left, *turned, *product;
    composed x = {0};
    TRY(compose_array(&left, c, wide, 2, (const size_t[]){v->count, v->observations}, err));
    TRY(centre(left, 0, c, v->rows[0], err));
    if (v->rows[1])
        TRY(centre(left, v->rows[0]->shape[0], c, v->rows[1], err));
    right = left;
    if (lun_dtype_has(wide, LUN_PAIRS)) {
        x.results[0] = of_op1(&x, LUN_MAP_conj, of_array(&x, left));
        TRY(compose_map(&right, c, &x, err));
    }
    COMPOSE_VIEW(turned, c, lun_array_permute(turned, right, (const int[]){1, 0}, err));
    const bool direct = to->dtype == wide;
    if (!direct)
        TRY(compose_array(&product, c, wide, 2, to->shape, err));
    TRY(CALLED(c, last && direct,
               lun_matmul(direct ? to : product, left, turned, lun_real(1 / by), lun_integer(0), &call, err)));
    if (!direct)
        TRY(compose_copy(c, to, product, last, err));
    return LUN_OK;
}

/* One variable has a number, its variance. */
static lun_status give(const lun_array **out, const lun_array **matrix, composing *c, const variables *v,
                       lun_error *err)
{
    const bool one = c->r->arguments[0].array->ndim == 1 && !v->rows[1];
    const size_t shape[] = {v->count, v->count};
    c->numbers = one && !request_array_option(c->r, "out");
    TRY(compose_result(out, c, 0, v->dtype, one ? 0 : 2, shape, err));
    *matrix = *out;
    if (one)
        TRY(compose_reshape(matrix, c, *out, 2, shape, err));
    return LUN_OK;
}

static lun_status cov(composing *c, lun_error *err)
{
    variables v = {.count = 0};
    const lun_array *out, *matrix;
    TRY(read_variables(&v, c, err));
    const double by = (double)v.observations - request_number(c->r, "ddof", lun_integer(1)).real;
    TRY(give(&out, &matrix, c, &v, err));
    for (int i = 0; c->out && i < 2 && v.rows[i]; i++)
        TRY(array_check_apart(out, v.rows[i], err));
    return multiply(c, matrix, &v, by > 0 ? by : 0, true, err);
}

COMPOSED(cov)

/* The diagonal of a square matrix as a column, or as a row. */
static lun_status diagonal(const lun_array **out, composing *c, const lun_array *matrix, int axis, lun_error *err)
{
    lun_array *view, from = *matrix;
    from.stride[axis] += from.stride[1 - axis];
    from.stride[1 - axis] = 0;
    from.shape[1 - axis] = 1;
    from.size = from.shape[axis];
    COMPOSE_VIEW(view, c, lun_array_view(view, &from, err));
    *out = view;
    return LUN_OK;
}

static lun_status corrcoef(composing *c, lun_error *err)
{
    variables v = {.count = 0};
    const lun_array *out, *matrix, *down, *across;
    lun_array *products;
    composed x = {0};
    TRY(read_variables(&v, c, err));
    const size_t shape[] = {v.count, v.count};
    const bool complex = lun_dtype_has(v.dtype, LUN_PAIRS);
    const lun_dtype wide = complex ? v.dtype : c->r->device->info.fp64 ? LUN_f64 : LUN_f32;
    TRY(give(&out, &matrix, c, &v, err));
    for (int i = 0; c->out && i < 2 && v.rows[i]; i++)
        TRY(array_check_apart(out, v.rows[i], err));
    TRY(compose_array(&products, c, wide, 2, shape, err));
    TRY(multiply(c, products, &v, (double)v.observations, false, err));
    TRY(diagonal(&down, c, products, 0, err));
    TRY(diagonal(&across, c, products, 1, err));
    const unsigned product = of_array(&x, products);
    unsigned a = of_array(&x, down), b = of_array(&x, across);
    if (complex) { /* the diagonal is real */
        a = of_op1(&x, LUN_MAP_abs, a);
        b = of_op1(&x, LUN_MAP_abs, b);
    }
    unsigned value = of_op(&x, LUN_MAP_div, product, of_op1(&x, LUN_MAP_sqrt, a));
    value = of_op(&x, LUN_MAP_div, value, of_op1(&x, LUN_MAP_sqrt, b));
    if (!complex) {
        value = of_op3(&x, LUN_MAP_clamp, value, of_real(&x, -1), of_real(&x, 1));
        value = of_cast(&x, v.dtype, value);
    }
    x.results[0] = value;
    return compose_into(c, &matrix, &x, true, err);
}

COMPOSED(corrcoef)
