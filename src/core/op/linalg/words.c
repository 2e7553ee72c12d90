/* Words of linear algebra that are made of others: pinv, rank, cond, matrix_power. */
#include "op/linalg/words.h"
#include "base/dtype.h"

#include <math.h>
#include <string.h>

/* ---- matrices ------------------------------------------------------------------------------------------------------ */

lun_status words_matrices(const lun_array **out, composing *c, bool square, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_array *view, *copy, from;
    lun_dtype dtype;
    TRY(square ? linalg_square(&from, c->r, 0, err) : linalg_matrix(&from, c->r, 0, err));
    TRY(linalg_dtype(&dtype, &from, err));
    TRY(compose_view(&view, c, err));
    if (!lun_array_is_live(view))
        TRY(lun_array_view(view, &from, err));
    *out = view;
    if (dtype == from.dtype)
        goto done;
    TRY(compose_array(&copy, c, dtype, from.ndim, from.shape, err));
    TRY(compose_copy(c, copy, view, false, err));
    *out = copy;
done:
    return status;
}

static void shape_like(size_t *shape, const lun_array *like, size_t rows, size_t columns)
{
    memcpy(shape, like->shape, sizeof like->shape);
    shape[like->ndim - 2] = rows;
    shape[like->ndim - 1] = columns;
}

lun_status words_array(lun_array **out, composing *c, const lun_array *like, size_t rows, size_t columns,
                       lun_error *err)
{
    size_t shape[LUN_MAX_AXES];
    shape_like(shape, like, rows, columns);
    return compose_array(out, c, like->dtype, like->ndim, shape, err);
}

lun_status words_conjugate(const lun_array **a, composing *c, lun_error *err)
{
    composed x = {0};
    if (!lun_dtype_has((*a)->dtype, LUN_PAIRS))
        return LUN_OK;
    x.results[0] = of_op1(&x, LUN_MAP_conj, of_array(&x, *a));
    return compose_map(a, c, &x, err);
}

lun_status words_transposed(const lun_array **out, composing *c, const lun_array *a, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_array *view;
    const lun_array turned = matrix_transposed(a);
    TRY(compose_view(&view, c, err));
    if (!lun_array_is_live(view))
        TRY(lun_array_view(view, &turned, err));
    *out = view;
done:
    return status;
}

lun_status words_result(const lun_array **out, composing *c, const lun_array *like, size_t rows, size_t columns,
                        lun_error *err)
{
    lun_status status = LUN_OK;
    const bool turned = c->r->manner->reversed;
    size_t shape[LUN_MAX_AXES];
    shape_like(shape, like, turned ? columns : rows, turned ? rows : columns);
    TRY(compose_result(out, c, 0, like->dtype, like->ndim, shape, err));
    if (c->out)
        TRY(array_check_apart(*out, c->r->arguments[0].array, err));
    if (turned)
        TRY(words_transposed(out, c, *out, err));
done:
    return status;
}

lun_status words_end(const lun_array **out, composing *c, const lun_array *vectors, bool last, lun_error *err)
{
    const int axis = vectors->ndim - 1;
    return compose_slice(out, c, vectors, axis, last ? (int64_t)vectors->shape[axis] - 1 : 0, 1, 1, err);
}

lun_status words_fill_one(composing *c, const lun_array *a, bool last, lun_error *err)
{
    lun_status status = LUN_OK;
    lun_array diagonal = *a; /* a view that nobody keeps */
    lun_call call;
    diagonal.ndim--;
    diagonal.stride[a->ndim - 2] = a->stride[a->ndim - 2] + a->stride[a->ndim - 1];
    diagonal.size = matrix_batches(a) * rows_of(a);
    if (compose_calls(&call, c, false))
        TRY(lun_array_fill(a, lun_integer(0), &call, err));
    if (compose_calls(&call, c, last))
        TRY(lun_array_fill(&diagonal, lun_integer(1), &call, err));
done:
    return status;
}

static double epsilon_of(const lun_array *a)
{
    return (lun_dtype_part(a->dtype) == LUN_f64 ? 0x1p-52 : 0x1p-23) * (double)larger(rows_of(a), columns_of(a));
}

static lun_status read_limit(double *out, const lun_request *r, const char *name, double missing, lun_error *err)
{
    *out = request_number(r, name, lun_real(missing)).real;
    if (*out >= 0)
        return LUN_OK;
    return fail(err, LUN_MISUSE, "option '%s': a number from 0 is wanted, got %.17g", name, *out);
}

/* Is a result of matrices without their two axes a number? */
static bool gives_number(const composing *c, const lun_array *a)
{
    return a->ndim == 2 && !request_array_option(c->r, "out");
}

/* ---- pinv ---------------------------------------------------------------------------------------------------------- */

/* v diag(1 / s) u^H, where values up to rcond of the largest count as 0. */
static lun_status pinv(composing *c, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_array *a, *to, *factors[3], *values, *top, *scaled, *turned;
    lun_call call;
    double rcond;
    composed x = {0};
    TRY(words_matrices(&a, c, false, err));
    TRY(read_limit(&rcond, c->r, "rcond", epsilon_of(a), err));
    TRY(words_result(&to, c, a, columns_of(a), rows_of(a), err));
    if (a->size == 0) {
        if (compose_calls(&call, c, true))
            TRY(lun_array_fill(to, lun_integer(0), &call, err));
        goto done;
    }
    TRY(compose_call(factors, c, "svd", &a, 1, NULL, err));
    TRY(compose_expand(&values, c, factors[1], a->ndim - 2, err));
    TRY(words_end(&top, c, values, false, err));
    const unsigned s = of_array(&x, values), limit = of_op(&x, LUN_MAP_mul, of_array(&x, top), of_real(&x, rcond));
    const unsigned quotient = of_op(&x, LUN_MAP_div, of_array(&x, factors[2]), s);
    x.results[0] = of_op3(&x, LUN_MAP_where, of_op(&x, LUN_MAP_gt, s, limit), quotient, of_real(&x, 0));
    TRY(compose_map(&scaled, c, &x, err));
    TRY(words_conjugate(&factors[0], c, err));
    TRY(words_transposed(&turned, c, factors[0], err));
    TRY(compose_matmul(c, to, scaled, turned, true, err));
done:
    return status;
}

COMPOSED(pinv)

/* ---- rank ---------------------------------------------------------------------------------------------------------- */

static lun_status rank(composing *c, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_array *a, *values, *top;
    double tol = 0;
    composed x = {0};
    TRY(words_matrices(&a, c, false, err));
    TRY(read_limit(&tol, c->r, "tol", 0, err));
    TRY(compose_call(&values, c, "svdvals", &a, 1, NULL, err));
    const composed_axes over = words_over(values, 1, false);
    c->numbers = gives_number(c, a);
    unsigned limit = of_real(&x, tol);
    if (values->size && !request_option(c->r, "tol")) {
        TRY(words_end(&top, c, values, false, err));
        limit = of_op(&x, LUN_MAP_mul, of_array(&x, top), of_real(&x, epsilon_of(a)));
    }
    x.results[0] = of_op(&x, LUN_MAP_gt, of_array(&x, values), limit);
    TRY(compose_give_fold(c, &x, LUN_REDUCE_nnz, &over, err));
done:
    return status;
}

COMPOSED(rank)

/* ---- cond ---------------------------------------------------------------------------------------------------------- */

/* Infinite where the matrix is singular; NaN where there is one in it. */
static lun_status condition_by_values(composing *c, const lun_array *a, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_array *values, *ends[2];
    composed x = {0};
    TRY(compose_call(&values, c, "svdvals", &a, 1, NULL, err));
    for (int i = 0; i < 2; i++)
        TRY(words_end(&ends[i], c, values, i, err));
    const composed_axes over = words_over(values, 1, false);
    const unsigned most = of_array(&x, ends[0]), least = of_array(&x, ends[1]);
    const unsigned singular = of_op(&x, LUN_MAP_eq, least, of_real(&x, 0));
    x.results[0] = of_op3(&x, LUN_MAP_where, singular, of_real(&x, HUGE_VAL), of_op(&x, LUN_MAP_div, most, least));
    TRY(compose_give_fold(c, &x, LUN_REDUCE_absmax, &over, err)); /* of one number */
done:
    return status;
}

static lun_status condition_by_inverse(composing *c, const lun_array *a, words_norm norm, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_array *inverse[2], *norms[2];
    for (int i = 0; i < 2; i++) {
        composed x = {0};
        lun_reduce_op op;
        composed_axes over;
        TRY(words_norm_step(&x, &op, &over, c, i ? inverse[0] : a, norm, err));
        TRY(compose_fold(&norms[i], c, &x, &op, &over, err));
        if (i == 0)
            TRY(compose_call(inverse, c, "inv", &a, 1, "info", err));
    }
    composed x = {0};
    const unsigned own = of_array(&x, norms[0]), product = of_op(&x, LUN_MAP_mul, own, of_array(&x, norms[1]));
    const unsigned bad = of_op(&x, LUN_MAP_ne, of_array(&x, inverse[1]), of_number(&x, lun_integer(0)));
    const unsigned lost = of_op(&x, LUN_MAP_lor, bad, of_op1(&x, LUN_MAP_isnan, product));
    const unsigned whole = of_op3(&x, LUN_MAP_where, lost, of_real(&x, HUGE_VAL), product);
    x.results[0] = of_op3(&x, LUN_MAP_where, of_op1(&x, LUN_MAP_isnan, own), own, whole);
    TRY(compose_give_map(c, &x, err));
done:
    return status;
}

static lun_status cond(composing *c, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_array *a;
    words_norm norm;
    char shape[200];
    TRY(words_read_norm(&norm, c->r, NORM_TWO, err));
    if (norm == NORM_NUCLEAR || norm > NORM_FROBENIUS)
        FAIL(LUN_MISUSE, "option 'ord': conditions are of the norms 1, 2, \"inf\" and \"fro\"");
    TRY(words_matrices(&a, c, norm != NORM_TWO, err));
    if (rows_of(a) == 0 || columns_of(a) == 0)
        FAIL(LUN_MISUSE, "matrices without elements have no condition; the array has shape (%s)",
             array_shape_text(shape, sizeof shape, c->r->arguments[0].array));
    c->numbers = gives_number(c, a);
    TRY(norm == NORM_TWO ? condition_by_values(c, a, err) : condition_by_inverse(c, a, norm, err));
done:
    return status;
}

COMPOSED(cond)

/* ---- matrix_power ---------------------------------------------------------------------------------------------------- */

/* From the exponent's first bit on: squares, and a factor for each bit that is set. */
static lun_status raise(composing *c, const lun_array *to, const lun_array *base, uint64_t n, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_array *power = base;
    lun_array *room[2] = {NULL, NULL};
    int bit = 63, steps = 0, step = 0;
    while (!(n >> bit & 1))
        bit--;
    steps = bit + __builtin_popcountll(n) - 1;
    for (int i = 0; i < 2 && i < steps - 1; i++)
        TRY(words_array(&room[i], c, base, rows_of(base), rows_of(base), err));
    if (steps == 0)
        TRY(compose_copy(c, to, base, true, err));
    while (bit-- > 0)
        for (int factor = 0; factor <= (int)(n >> bit & 1); factor++, step++) {
            const bool last = step == steps - 1;
            const lun_array *product = last ? to : room[step % 2];
            TRY(compose_matmul(c, product, power, factor ? base : power, last, err));
            power = product;
        }
done:
    return status;
}

static lun_status matrix_power(composing *c, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_array *a, *to;
    int64_t n;
    TRY(request_integer(&n, c->r, 1, err));
    TRY(words_matrices(&a, c, true, err));
    TRY(words_result(&to, c, a, rows_of(a), rows_of(a), err));
    if (n < 0)
        TRY(compose_call(&a, c, "inv", &a, 1, NULL, err));
    TRY(n == 0 ? words_fill_one(c, to, true, err) : raise(c, to, a, n < 0 ? -(uint64_t)n : (uint64_t)n, err));
done:
    return status;
}

COMPOSED(matrix_power)
