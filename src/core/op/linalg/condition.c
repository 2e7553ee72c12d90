/* Condition numbers from factors: rcond, lu_rcond, and solve with the option least_rcond. */
#include "api/functions.h"
#include "api/reductions.h"
#include "base/dtype.h"
#include "op/linalg/matrix_words.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- an estimate ------------------------------------------------------------------------------------------------------ */

/* LU factors of a batch of matrices, and their 1-norms, with the axes of the batch. Right-hand sides are scaled to
 * about the norm (`size`, matrices of 1 x 1): solutions are then as large as the condition number, and do not overflow
 * for small matrices. */
typedef struct known {
    const lun_array *factors, *order, *norm, *size;
} known;

static lun_status solve_by(const lun_array **out, composing *c, const known *k, const lun_array *b, bool transpose,
                           lun_error *err)
{
    const lun_array *const arrays[] = {k->factors, k->order, b};
    return compose_call(out, c, "lu_solve", arrays, 3, transpose ? "transpose" : NULL, err);
}

/* The maximum of `best`, if given, and the 1-norms of vectors times a factor. */
static lun_status keep_best(const lun_array **best, composing *c, const lun_array *vectors, double factor,
                            lun_error *err)
{
    static const lun_reduce_op op = LUN_REDUCE_sum;
    const composed_axes over = words_over(vectors, 2, true);
    const lun_array *sums;
    composed x = {0};
    x.results[0] = of_op1(&x, LUN_MAP_abs, of_array(&x, vectors));
    TRY(compose_fold(&sums, c, &x, &op, &over, err));
    x = (composed){0};
    x.results[0] = of_op(&x, LUN_MAP_mul, of_array(&x, sums), of_real(&x, factor));
    if (*best)
        x.results[0] = of_op(&x, LUN_MAP_maximum, x.results[0], of_array(&x, *best));
    return compose_map(best, c, &x, err);
}

/* The size: the norm, or less if sums of such numbers could overflow. */
static lun_status size_right_sides(known *k, const lun_array *norm, composing *c, lun_error *err)
{
    composed x = {0};
    const double most = lun_dtype_bytes(norm->dtype) > 4 ? DBL_MAX : FLT_MAX;
    const double enough = most / 1024 / (double)rows_of(k->factors);
    x.results[0] = of_op(&x, LUN_MAP_minimum, of_array(&x, norm), of_real(&x, enough));
    return compose_map(&k->size, c, &x, err);
}

/* The first vector: magnitudes from 1 to 2 sizes, with alternating signs. */
static lun_status alternate(const lun_array **out, composing *c, const known *k, const lun_array *places,
                            lun_error *err)
{
    composed x = {0};
    const lun_dtype dtype = k->factors->dtype;
    const size_t n = places->shape[0];
    const unsigned own = of_cast(&x, lun_dtype_part(dtype), of_array(&x, places));
    const unsigned i = of_op(&x, LUN_MAP_sub, own, of_real(&x, c->r->manner->first));
    const unsigned odd = of_op(&x, LUN_MAP_mod, i, of_real(&x, 2));
    const unsigned sign = of_op(&x, LUN_MAP_sub, of_real(&x, 1), of_op(&x, LUN_MAP_add, odd, odd));
    const unsigned step = of_op(&x, LUN_MAP_div, i, of_real(&x, n > 1 ? (double)n - 1 : 1));
    const unsigned number = of_op(&x, LUN_MAP_mul, sign, of_op(&x, LUN_MAP_add, step, of_real(&x, 1)));
    x.results[0] = of_cast(&x, dtype, of_op(&x, LUN_MAP_mul, number, of_array(&x, k->size)));
    return compose_map(out, c, &x, err);
}

static unsigned sign_of(composed *e, const lun_array *y)
{
    const unsigned one = of_cast(e, y->dtype, of_op(e, LUN_MAP_ge, of_array(e, y), of_real(e, 0)));
    return of_op(e, LUN_MAP_sub, of_op(e, LUN_MAP_add, one, one), of_real(e, 1));
}

/* The directions of complex numbers, conjugated: solving with the transpose then replaces solving with the adjoint. */
static unsigned turned_sign(composed *e, const lun_array *y)
{
    const unsigned number = of_array(e, y), size = of_op1(e, LUN_MAP_abs, number);
    const unsigned way = of_op(e, LUN_MAP_div, of_op1(e, LUN_MAP_conj, number), size);
    return of_op3(e, LUN_MAP_where, of_op(e, LUN_MAP_eq, size, of_real(e, 0)), of_real(e, 1), way);
}

/* One step of Hager's method: solves for y with the right-hand side x; x becomes the unit vector at the largest element
 * of a solution with the transpose. */
static lun_status step(const lun_array **x, const lun_array **best, composing *c, const known *k,
                       const lun_array *places, lun_error *err)
{
    static const lun_reduce_op op = LUN_REDUCE_argmax;
    const lun_array *y, *signs, *z, *largest;
    composed e = {0};
    TRY(solve_by(&y, c, k, *x, false, err));
    TRY(keep_best(best, c, y, 1, err));
    const unsigned sign = lun_dtype_has(y->dtype, LUN_PAIRS) ? turned_sign(&e, y) : sign_of(&e, y);
    e.results[0] = of_op(&e, LUN_MAP_mul, sign, of_array(&e, k->size));
    TRY(compose_map(&signs, c, &e, err));
    TRY(solve_by(&z, c, k, signs, true, err));
    const composed_axes over = words_over(z, 2, true);
    e = (composed){0};
    e.results[0] = of_op1(&e, LUN_MAP_abs, of_array(&e, z));
    TRY(compose_fold(&largest, c, &e, &op, &over, err));
    e = (composed){0};
    const unsigned there = of_op(&e, LUN_MAP_eq, of_array(&e, places), of_array(&e, largest));
    e.results[0] = of_op(&e, LUN_MAP_mul, of_cast(&e, y->dtype, there), of_array(&e, k->size));
    return compose_map(x, c, &e, err);
}

/* Hager and Higham's estimate of the 1-norm of the inverse (Higham 1988, SONEST), which is rarely below a third of it,
 * and never above it. A fixed number of steps replaces a test for which the host would wait. The result, an expression
 * of matrices of 1 x 1, is 1 / (estimate norm), or 0. */
static lun_status estimate(composed *x, const lun_array **of, composing *c, known *k, lun_error *err)
{
    const lun_array *vector, *y, *best = NULL, *norm;
    lun_array *places;
    composed e = {0};
    const size_t n = rows_of(k->factors), column[] = {n, 1};
    TRY(compose_array(&places, c, LUN_i64, 2, column, err));
    TRY(CALLED(c, false, lun_array_sequence(places, lun_integer(c->r->manner->first), lun_integer(1), &call, err)));
    TRY(compose_expand(&norm, c, k->norm, k->norm->ndim, err));
    TRY(compose_expand(&norm, c, norm, norm->ndim, err));
    TRY(size_right_sides(k, norm, c, err));
    TRY(alternate(&vector, c, k, places, err));
    TRY(solve_by(&y, c, k, vector, false, err));
    TRY(keep_best(&best, c, y, 2 / (3 * (double)n), err));
    const unsigned share = of_op(&e, LUN_MAP_mul, of_array(&e, k->size), of_real(&e, 1 / (double)n));
    const unsigned ones = of_op(&e, LUN_MAP_ge, of_array(&e, places), of_real(&e, 0));
    e.results[0] = of_cast(&e, k->factors->dtype, of_op(&e, LUN_MAP_mul, of_cast(&e, k->norm->dtype, ones), share));
    TRY(compose_map(&vector, c, &e, err));
    for (int i = 0; i < 5; i++)
        TRY(step(&vector, &best, c, k, places, err));
    const unsigned sizes = of_op(x, LUN_MAP_div, of_array(x, norm), of_array(x, k->size));
    const unsigned product = of_op(x, LUN_MAP_mul, of_array(x, best), sizes);
    const unsigned above = of_op(x, LUN_MAP_gt, product, of_real(x, 0));
    const unsigned some = of_op(x, LUN_MAP_land, above, of_op1(x, LUN_MAP_isfinite, product));
    const unsigned inverse = of_op1(x, LUN_MAP_recip, product);
    x->results[0] = of_op3(x, LUN_MAP_where, some, inverse, of_real(x, 0));
    *of = best;
    return LUN_OK;
}

/* The estimate as the operation's result; infinite for matrices without elements, and NaN if the norm is NaN. */
static lun_status give(composing *c, known *k, lun_error *err)
{
    const lun_array *out, *of, *norm = k->norm;
    composed x = {0};
    c->numbers = k->norm->ndim == 0 && !request_array_option(c->r, "out");
    if (rows_of(k->factors) == 0) {
        TRY(compose_result(&out, c, 0, k->norm->dtype, k->norm->ndim, k->norm->shape, err));
        TRY(CALLED(c, true, lun_array_fill(out, lun_real(HUGE_VAL), &call, err)));
        return LUN_OK;
    }
    TRY(estimate(&x, &of, c, k, err));
    for (int i = 0; i < 2; i++)
        TRY(compose_expand(&norm, c, norm, norm->ndim, err));
    const unsigned own = of_array(&x, norm);
    x.results[0] = of_op3(&x, LUN_MAP_where, of_op1(&x, LUN_MAP_isnan, own), own, x.results[0]);
    composed_axes over = words_over(of, 1, false);
    over.axis[of->ndim - 2] = true;
    TRY(compose_give_fold(c, &x, LUN_REDUCE_absmax, &over, err)); /* of one number */
    return LUN_OK;
}

static lun_status factor(known *out, composing *c, const lun_array *a, lun_error *err)
{
    const lun_array *factors[3];
    composed x = {0};
    lun_reduce_op op;
    composed_axes over;
    TRY(compose_call(factors, c, "lu_factor", &a, 1, NULL, err));
    out->factors = factors[0];
    out->order = factors[1];
    TRY(words_norm_step(&x, &op, &over, c, a, NORM_ONE, err));
    return compose_fold(&out->norm, c, &x, &op, &over, err);
}

static lun_status rcond(composing *c, lun_error *err)
{
    const lun_array *a, *exponent;
    known k;
    TRY(words_matrices(&a, c, true, err));
    TRY(words_level(&a, &exponent, c, err));
    TRY(factor(&k, c, a, err));
    return give(c, &k, err);
}

COMPOSED(rcond)

/* By factors that are known. */
static lun_status lu_rcond(composing *c, lun_error *err)
{
    known k = {.order = c->r->arguments[1].array, .norm = c->r->arguments[2].array};
    lun_array batch;
    TRY(words_matrices(&k.factors, c, true, err));
    TRY(array_check_live(k.norm, "the norm", err));
    TRY(array_check_same_device(k.factors, k.norm, "the norm", err));
    batch = *k.factors;
    batch.ndim -= 2;
    if (k.norm->dtype != lun_dtype_part(k.factors->dtype) || !shape_equal(k.norm, &batch))
        FAIL(LUN_MISUSE, "a norm of each matrix is needed, in the dtype of the factors");
    return give(c, &k, err);
}

COMPOSED(lu_rcond)

/* ---- solve{least_rcond =} ---------------------------------------------------------------------------------------------- */

/* The solution, which fails if an estimate is too small; both as matrices. */
typedef struct judged {
    linalg_call call;
    double least;
} judged;

static void say(char *text, size_t room, const lun_verdict *found, int64_t batches)
{
    char which[80] = "";
    float both[2];
    memcpy(&both[0], &found->value, sizeof *both);
    memcpy(&both[1], &found->beside, sizeof *both);
    if (batches > 1)
        snprintf(which, sizeof which, "matrix %lld of %lld: ", (long long)found->position + 1, (long long)batches);
    snprintf(text, room, "%sreciprocal condition %.2g is below %.2g", which, both[0], both[1]);
}

static lun_status judge(linalg *l, const linalg_call *c, lun_error *err)
{
    const judged *j = c->of;
    TRY(plan_array_copy(l->p, &c->out[0], &c->in[0], err));
    TRY(plan_verdict(l->p, say, (int64_t)l->batches, err));
    return linalg_launch_conditions(l, &c->in[1], j->least, err);
}

static lun_status check(double *least, const lun_request *r, lun_error *err)
{
    const char *assume = request_text(r, "assume");
    *least = request_number(r, "least_rcond", lun_integer(0)).real;
    if (!(*least >= 0 && *least <= 1))
        FAIL(LUN_MISUSE, "option 'least_rcond': a number from 0 to 1 is needed, got %.17g", *least);
    if (assume && strcmp(assume, "general") != 0)
        FAIL(LUN_MISUSE, "least_rcond is for general matrices, and assume is \"%.40s\"", assume);
    if (request_truth(r, "info"))
        FAIL(LUN_MISUSE, "least_rcond does not work with info: rcond returns the estimates");
    return LUN_OK;
}

/* The arrays as matrices in core's order, in the dtype that both promote to. */
static lun_status meet(const lun_array **out, composing *c, lun_error *err)
{
    const lun_array *b = c->r->arguments[1].array;
    lun_dtype other, dtype;
    TRY(words_matrices(&out[0], c, true, err));
    TRY(array_check_same_device(out[0], b, "the second array", err));
    TRY(linalg_dtype(&other, b, err));
    dtype = lun_dtype_promoted(out[0]->dtype, other);
    out[1] = b;
    if (c->r->manner->reversed && b->ndim > 1)
        TRY(words_transposed(&out[1], c, b, err));
    for (int i = 0; i < 2; i++)
        TRY(compose_cast(&out[i], c, dtype, out[i], err));
    return LUN_OK;
}

lun_status words_judged_solve(composing *c, lun_error *err)
{
    const lun_array *both[2], *solved, *given, *of, *conditions, *to;
    known k;
    bool transpose, conjugate;
    judged j = {.call = {.c = c, .r = c->r, .of = &j}};
    composed x = {0};
    TRY(check(&j.least, c->r, err));
    TRY(meet(both, c, err));
    TRY(factor(&k, c, both[0], err));
    TRY(linalg_read_transpose(&transpose, &conjugate, c->r, err));
    if (conjugate) /* the conjugated solution with the adjoint is the solution with the transpose for conjugated b */
        TRY(words_conjugate(&both[1], c, err));
    TRY(solve_by(&solved, c, &k, both[1], transpose, err));
    if (conjugate)
        TRY(words_conjugate(&solved, c, err));
    given = solved;
    if (c->r->manner->reversed && both[1]->ndim > 1)
        TRY(words_transposed(&given, c, solved, err));
    TRY(compose_result(&to, c, 0, given->dtype, given->ndim, given->shape, err));
    if (rows_of(both[0]) == 0)
        return compose_copy(c, to, given, true, err);
    TRY(estimate(&x, &of, c, &k, err));
    TRY(compose_map(&conditions, c, &x, err));
    if (!c->out)
        return LUN_OK;
    for (int i = 0; i < 2; i++)
        TRY(array_check_apart(to, c->r->arguments[i].array, err));
    j.call.in[0] = *given;
    j.call.in[1] = *conditions;
    j.call.in_count = 2;
    j.call.out[0] = *to;
    j.call.out_count = 1;
    return linalg_run(&j.call, judge, given->dtype, matrix_batches(conditions), err);
}
