/* Compositions of linear algebra: pinv, rank, matrix_power. */
#include "op/linalg/matrix_words.h"
#include "api/functions.h"
#include "api/reductions.h"
#include "base/dtype.h"

#include <stdio.h>
#include <string.h>

/* ---- matrices ------------------------------------------------------------------------------------------------------ */

lun_status words_matrices(const lun_array **out, composing *c, bool square, lun_error *err)
{
    lun_array *view, from;
    lun_dtype dtype;
    TRY(square ? linalg_square(&from, c->r, 0, err) : linalg_matrix(&from, c->r, 0, err));
    TRY(linalg_dtype(&dtype, &from, err));
    COMPOSE_VIEW(view, c, lun_array_view(view, &from, err));
    return compose_cast(out, c, dtype, view, err);
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
    lun_array *view;
    const lun_array turned = matrix_transposed(a);
    COMPOSE_VIEW(view, c, lun_array_view(view, &turned, err));
    *out = view;
    return LUN_OK;
}

lun_status words_result(const lun_array **out, composing *c, const lun_array *like, size_t rows, size_t columns,
                        lun_error *err)
{
    const bool turned = c->r->manner->reversed;
    size_t shape[LUN_MAX_AXES];
    shape_like(shape, like, turned ? columns : rows, turned ? rows : columns);
    TRY(compose_result(out, c, 0, like->dtype, like->ndim, shape, err));
    if (c->out)
        TRY(array_check_apart(*out, c->r->arguments[0].array, err));
    if (turned)
        TRY(words_transposed(out, c, *out, err));
    return LUN_OK;
}

lun_status words_end(const lun_array **out, composing *c, const lun_array *vectors, bool last, lun_error *err)
{
    const int axis = vectors->ndim - 1;
    return compose_slice(out, c, vectors, axis, last ? (int64_t)vectors->shape[axis] - 1 : 0, 1, 1, err);
}

lun_status words_fill_one(composing *c, const lun_array *a, bool last, lun_error *err)
{
    lun_array diagonal = *a; /* a view without a reference */
    diagonal.ndim--;
    diagonal.stride[a->ndim - 2] = a->stride[a->ndim - 2] + a->stride[a->ndim - 1];
    diagonal.size = matrix_batches(a) * rows_of(a);
    TRY(CALLED(c, false, lun_array_fill(a, lun_integer(0), &call, err)));
    return CALLED(c, last, lun_array_fill(&diagonal, lun_integer(1), &call, err));
}

bool words_gives_number(const composing *c, const lun_array *a)
{
    return a->ndim == 2 && !request_array_option(c->r, "out");
}

/* ---- thresholds of singular values
 * --------------------------------------------------------------------------------------- */

typedef struct limit {
    const lun_array *each; /* a limit for each matrix, as matrices of 1 x 1, or NULL */
    double all;
} limit;

static double epsilon_of(const lun_array *a)
{
    return (lun_dtype_part(a->dtype) == LUN_f64 ? 0x1p-52 : 0x1p-23) * (double)larger(rows_of(a), columns_of(a));
}

static lun_status check_limits(const lun_array *limits, const lun_array *batch, const char *name, lun_error *err)
{
    char place[40], has[SHOWN], wanted[SHOWN];
    int ndim;
    size_t shape[LUN_MAX_AXES];
    snprintf(place, sizeof place, "option '%s'", name);
    TRY(array_check_same_device(limits, batch, place, err));
    if (lun_dtype_has(limits->dtype, LUN_PAIRS))
        FAIL(LUN_MISUSE, "%s: real numbers are expected, got %s", place, lun_dtype_name(limits->dtype));
    if (!shape_broadcast(&ndim, shape, (const lun_array *const[]){limits, batch}, 2) || ndim != batch->ndim ||
        memcmp(shape, batch->shape, (size_t)ndim * sizeof *shape) != 0)
        FAIL(LUN_MISUSE, "%s has shape %s, expected one that broadcasts to %s (the batch)", place,
             array_shape_text(has, sizeof has, limits), array_shape_text(wanted, sizeof wanted, batch));
    return LUN_OK;
}

static lun_status read_limit(limit *out, composing *c, const lun_array *a, const char *name, double missing,
                             lun_error *err)
{
    const lun_value *given = request_option(c->r, name);
    lun_array batch = *a;
    batch.ndim -= 2;
    *out = (limit){.all = missing};
    if (given && given->kind == LUN_VALUE_ARRAY) {
        TRY(check_limits(given->array, &batch, name, err));
        out->each = given->array;
        for (int i = 0; i < 2; i++)
            TRY(compose_expand(&out->each, c, out->each, out->each->ndim, err));
        return LUN_OK;
    }
    out->all = request_number(c->r, name, lun_real(missing)).real;
    if (!(out->all >= 0))
        FAIL(LUN_MISUSE, "option '%s': a number from 0 is needed, got %.17g", name, out->all);
    return LUN_OK;
}

static unsigned of_limit(composed *x, const limit *l, lun_dtype dtype)
{
    return l->each ? of_cast(x, dtype, of_array(x, l->each)) : of_real(x, l->all);
}

/* A limit relative to the largest of the values, which are rows. */
static lun_status of_share(unsigned *out, composed *x, composing *c, const limit *l, const lun_array *values,
                           lun_error *err)
{
    const lun_array *top;
    TRY(words_end(&top, c, values, false, err));
    *out = of_op(x, LUN_MAP_mul, of_array(x, top), of_limit(x, l, values->dtype));
    return LUN_OK;
}

/* ---- pinv ---------------------------------------------------------------------------------------------------------- */

/* v diag(1 / s) u^H, where values up to rcond of the largest count as 0. */
static lun_status pinv(composing *c, lun_error *err)
{
    const lun_array *a, *to, *exponent, *factors[4], *values, *scaled, *turned;
    limit rcond;
    composed x = {0};
    unsigned least;
    TRY(words_matrices(&a, c, false, err));
    TRY(read_limit(&rcond, c, a, "rcond", epsilon_of(a), err));
    TRY(words_info(c, a, err));
    TRY(words_result(&to, c, a, columns_of(a), rows_of(a), err));
    if (a->size == 0) {
        TRY(CALLED(c, true, lun_array_fill(to, lun_integer(0), &call, err)));
        return LUN_OK;
    }
    TRY(words_level(&a, &exponent, c, err));
    TRY(compose_call(factors, c, "svd", &a, 1, words_quiet(c), err));
    TRY(compose_expand(&values, c, factors[1], a->ndim - 2, err));
    TRY(of_share(&least, &x, c, &rcond, values, err));
    const unsigned s = of_array(&x, values), back = words_shift(&x, a, exponent, of_array(&x, factors[2]));
    x.results[0] =
        of_op3(&x, LUN_MAP_where, of_op(&x, LUN_MAP_le, s, least), of_real(&x, 0), of_op(&x, LUN_MAP_div, back, s));
    TRY(compose_map(&scaled, c, &x, err));
    TRY(words_conjugate(&factors[0], c, err));
    TRY(words_transposed(&turned, c, factors[0], err));
    return compose_matmul(c, to, scaled, turned, true, err);
}

COMPOSED(pinv)

/* ---- rank ---------------------------------------------------------------------------------------------------------- */

static lun_status rank(composing *c, lun_error *err)
{
    const lun_array *a, *exponent, *found[2], *values;
    const bool given = request_option(c->r, "tol"), shared = request_option(c->r, "rcond");
    limit tol;
    composed x = {0};
    unsigned least;
    TRY(words_matrices(&a, c, false, err));
    if (given && shared)
        FAIL(LUN_MISUSE, "the options tol and rcond are both given; one of them is expected");
    TRY(read_limit(&tol, c, a, shared ? "rcond" : "tol", epsilon_of(a), err));
    TRY(words_info(c, a, err));
    TRY(words_level(&a, &exponent, c, err));
    TRY(compose_call(found, c, "svdvals", &a, 1, words_quiet(c), err));
    TRY(compose_expand(&values, c, found[0], a->ndim - 2, err));
    composed_axes over = words_over(values, 1, false);
    over.axis[a->ndim - 2] = true;
    c->numbers = words_gives_number(c, a);
    if (given || values->size == 0)
        least = words_shift(&x, values, exponent, of_cast(&x, values->dtype, of_limit(&x, &tol, values->dtype)));
    else
        TRY(of_share(&least, &x, c, &tol, values, err));
    x.results[0] = of_op(&x, LUN_MAP_gt, of_array(&x, values), least);
    return compose_give_fold(c, &x, LUN_REDUCE_nnz, &over, err);
}

COMPOSED(rank)

/* ---- matrix_power ---------------------------------------------------------------------------------------------------- */

/* From the exponent's highest bit on: a square for each bit, and a factor for each set bit. */
static lun_status raise(composing *c, const lun_array *to, const lun_array *base, uint64_t n, lun_error *err)
{
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
    return LUN_OK;
}

static lun_status matrix_power(composing *c, lun_error *err)
{
    const lun_array *a, *to;
    int64_t n;
    TRY(request_integer(&n, c->r, 1, err));
    TRY(words_matrices(&a, c, true, err));
    TRY(words_result(&to, c, a, rows_of(a), rows_of(a), err));
    if (n < 0)
        TRY(compose_call(&a, c, "inv", &a, 1, NULL, err));
    return n == 0 ? words_fill_one(c, to, true, err) : raise(c, to, a, n < 0 ? -(uint64_t)n : (uint64_t)n, err);
}

COMPOSED(matrix_power)
