/* Norms of matrices, a:norm{ord =}, and their conditions. */
#include "api/functions.h"
#include "api/reductions.h"
#include "base/dtype.h"
#include "op/linalg/matrix_words.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    double number;
} norms[] = {
    [NORM_ONE] = {"1", 1},           [NORM_INFINITY] = {"inf", HUGE_VAL},
    [NORM_TWO] = {"2", 2},           [NORM_NUCLEAR] = {"nuclear", NAN},
    [NORM_FROBENIUS] = {"fro", NAN}, [NORM_LEAST_ONE] = {"-1", -1},
    [NORM_LEAST_TWO] = {"-2", -2},   [NORM_LEAST_INFINITY] = {"-inf", -HUGE_VAL},
};

lun_status words_read_norm(words_norm *out, const lun_request *r, words_norm missing, lun_error *err)
{
    const lun_value *ord = request_option(r, "ord");
    char shown[SHOWN];
    *out = missing;
    if (!ord)
        return LUN_OK;
    for (size_t i = 0; i < COUNT(norms); i++) {
        *out = (words_norm)i;
        if (ord->kind == LUN_VALUE_TEXT && strcmp(ord->text, norms[i].name) == 0)
            return LUN_OK;
        if (ord->kind == LUN_VALUE_NUMBER && ord->number.real == norms[i].number)
            return LUN_OK;
    }
    return fail(err, LUN_MISUSE,
                "option 'ord': 1, 2, \"inf\", one of these below 0, \"fro\" or \"nuclear\" is needed, got %s",
                value_shown(shown, r, ord));
}

/* Sums of absolute values along an axis, which keeps size 1; `back` counts axes from the last. */
static lun_status sum_sizes(const lun_array **out, composing *c, const lun_array *a, int back, lun_error *err)
{
    static const lun_reduce_op op = LUN_REDUCE_sum;
    const composed_axes over = words_over(a, back, true);
    composed x = {0};
    x.results[0] = of_op1(&x, LUN_MAP_abs, of_array(&x, a));
    return compose_fold(out, c, &x, &op, &over, err);
}

lun_status words_norm_step(composed *x, lun_reduce_op *op, composed_axes *over, composing *c, const lun_array *a,
                           words_norm norm, lun_error *err)
{
    const lun_array *of = a, *found[2];
    *op = norm > NORM_FROBENIUS    ? LUN_REDUCE_min
          : norm == NORM_FROBENIUS ? LUN_REDUCE_norm
          : norm == NORM_NUCLEAR   ? LUN_REDUCE_sum
                                   : LUN_REDUCE_absmax;
    *over = words_over(a, 1, false);
    over->axis[a->ndim - 2] = true;
    if (norm == NORM_TWO || norm == NORM_LEAST_TWO || norm == NORM_NUCLEAR) {
        TRY(compose_call(found, c, "svdvals", &a, 1, "info", err)); /* NaN where there is one, as other norms */
        TRY(compose_expand(&of, c, found[0], a->ndim - 2, err));
    } else if (norm != NORM_FROBENIUS) {
        TRY(sum_sizes(&of, c, a, norm == NORM_ONE || norm == NORM_LEAST_ONE ? 2 : 1, err));
    }
    x->results[0] = of_array(x, of);
    return LUN_OK;
}

static lun_status matrix_norm(composing *c, lun_error *err)
{
    const lun_array *a;
    words_norm norm;
    composed x = {0};
    lun_reduce_op op;
    composed_axes over;
    if (request_option(c->r, "axis"))
        FAIL(LUN_MISUSE, "with ord, axis must be one axis, for norms of vectors, or be left out, for norms of the "
                         "matrices in the last two axes");
    TRY(words_read_norm(&norm, c->r, NORM_FROBENIUS, err));
    TRY(words_matrices(&a, c, false, err));
    TRY(words_norm_step(&x, &op, &over, c, a, norm, err));
    over.keepdims = request_truth(c->r, "keepdims");
    c->numbers = a->ndim == 2 && !over.keepdims && !request_array_option(c->r, "out");
    return compose_give_fold(c, &x, op, &over, err);
}

COMPOSED(matrix_norm)

/* ---- errors in matrices: how operations report them --------- ---------------------------------------- */

const char *words_quiet(const composing *c) { return request_truth(c->r, "info") ? "info" : NULL; }

lun_status words_info(composing *c, const lun_array *a, lun_error *err)
{
    static const lun_reduce_op any = LUN_REDUCE_any, both[] = {LUN_REDUCE_argmax, LUN_REDUCE_any};
    const lun_array *rows, *found[2], *to;
    const composed_axes across = words_over(a, 1, true);
    composed_axes over = words_over(a, 1, false);
    composed x = {0};
    if (!words_quiet(c))
        return LUN_OK;
    c->further = 1;
    TRY(compose_result(&to, c, 1, LUN_i32, a->ndim - 2, a->shape, err));
    if (a->size == 0)
        return CALLED(c, false, lun_array_fill(to, lun_integer(0), &call, err));
    x.results[0] = of_op1(&x, LUN_MAP_lnot, of_op1(&x, LUN_MAP_isfinite, of_array(&x, a)));
    TRY(compose_fold(&rows, c, &x, &any, &across, err));
    over.axis[a->ndim - 2] = true;
    x = (composed){.result_count = 2};
    x.results[0] = of_cast(&x, LUN_u8, of_array(&x, rows));
    x.results[1] = of_array(&x, rows);
    TRY(compose_fold(found, c, &x, both, &over, err));
    x = (composed){0};
    const unsigned row =
        of_op(&x, LUN_MAP_sub, of_array(&x, found[0]), of_number(&x, lun_integer(c->r->manner->first - 1)));
    const unsigned told = of_op3(&x, LUN_MAP_where, of_array(&x, found[1]), row, of_number(&x, lun_integer(0)));
    x.results[0] = of_cast(&x, LUN_i32, told);
    return compose_into(c, &to, &x, false, err);
}

/* ---- powers of 2 ------------------------------------------------------------------------------------------------------- */

unsigned words_shift(composed *x, const lun_array *like, const lun_array *exponent, unsigned node)
{
    const unsigned down = of_op1(x, LUN_MAP_neg, of_array(x, exponent));
    return lun_dtype_has(like->dtype, LUN_PAIRS)
               ? of_op(x, LUN_MAP_mul, node, of_op(x, LUN_MAP_ldexp, of_real(x, 1), down))
               : of_op(x, LUN_MAP_ldexp, node, down);
}

lun_status words_level(const lun_array **a, const lun_array **exponent, composing *c, lun_error *err)
{
    static const lun_reduce_op op = LUN_REDUCE_absmax;
    const lun_array *given = *a, *largest;
    const double most =
        lun_dtype_part(given->dtype) == LUN_f64 ? 1022 : 126; /* powers of which 1 / x is not a subnormal */
    composed_axes over = words_over(given, 1, true);
    composed x = {0};
    over.axis[given->ndim - 2] = true;
    x.results[0] = of_op1(&x, LUN_MAP_abs, of_op(&x, LUN_MAP_mul, of_array(&x, given), of_real(&x, 0.5)));
    TRY(compose_fold(&largest, c, &x, &op, &over, err));
    x = (composed){0};
    const unsigned e = of_op1(&x, LUN_MAP_logb, of_array(&x, largest));
    const unsigned within = of_op3(&x, LUN_MAP_clamp, e, of_real(&x, -most), of_real(&x, most));
    x.results[0] = of_op3(&x, LUN_MAP_where, of_op1(&x, LUN_MAP_isfinite, e), within, of_real(&x, 0));
    TRY(compose_map(exponent, c, &x, err));
    x = (composed){0};
    x.results[0] = words_shift(&x, given, *exponent, of_array(&x, given));
    return compose_map(a, c, &x, err);
}

/* ---- cond -------------------------------------------------------------------------------------------------------------- */

/* Infinite for a singular matrix; NaN if the matrix contains one. For `least` the reciprocal, because the inverse has
 * the other extreme. */
static lun_status condition_by_values(composing *c, const lun_array *a, bool least, lun_error *err)
{
    const lun_array *found[2], *ends[2];
    composed x = {0};
    TRY(compose_call(found, c, "svdvals", &a, 1, words_quiet(c), err));
    for (int i = 0; i < 2; i++)
        TRY(words_end(&ends[i], c, found[0], (i == 1) != least, err));
    const composed_axes over = words_over(found[0], 1, false);
    const unsigned above = of_array(&x, ends[0]), below = of_array(&x, ends[1]);
    const unsigned nothing = of_op(&x, LUN_MAP_eq, below, of_real(&x, 0));
    x.results[0] = of_op3(&x, LUN_MAP_where, nothing, of_real(&x, HUGE_VAL), of_op(&x, LUN_MAP_div, above, below));
    TRY(compose_give_fold(c, &x, LUN_REDUCE_absmax, &over, err)); /* of one number */
    return LUN_OK;
}

static lun_status condition_by_inverse(composing *c, const lun_array *a, words_norm norm, lun_error *err)
{
    const lun_array *inverse[2], *both[2];
    for (int i = 0; i < 2; i++) {
        composed x = {0};
        lun_reduce_op op;
        composed_axes over;
        TRY(words_norm_step(&x, &op, &over, c, i ? inverse[0] : a, norm, err));
        TRY(compose_fold(&both[i], c, &x, &op, &over, err));
        if (i == 0)
            TRY(compose_call(inverse, c, "inv", &a, 1, "info", err));
    }
    composed x = {0};
    const unsigned own = of_array(&x, both[0]), product = of_op(&x, LUN_MAP_mul, own, of_array(&x, both[1]));
    const unsigned bad = of_op(&x, LUN_MAP_ne, of_array(&x, inverse[1]), of_number(&x, lun_integer(0)));
    const unsigned lost = of_op(&x, LUN_MAP_lor, bad, of_op1(&x, LUN_MAP_isnan, product));
    const unsigned whole = of_op3(&x, LUN_MAP_where, lost, of_real(&x, HUGE_VAL), product);
    x.results[0] = of_op3(&x, LUN_MAP_where, of_op1(&x, LUN_MAP_isnan, own), own, whole);
    return compose_give_map(c, &x, err);
}

static lun_status cond(composing *c, lun_error *err)
{
    const lun_array *a, *exponent;
    words_norm norm;
    char shape[200];
    TRY(words_read_norm(&norm, c->r, NORM_TWO, err));
    const bool by_values = norm == NORM_TWO || norm == NORM_LEAST_TWO;
    TRY(words_matrices(&a, c, !by_values, err));
    if (rows_of(a) == 0 || columns_of(a) == 0)
        FAIL(LUN_MISUSE, "matrices without elements have no condition; the array has shape (%s)",
             array_shape_text(shape, sizeof shape, c->r->arguments[0].array));
    TRY(words_info(c, a, err));
    c->numbers = words_gives_number(c, a);
    TRY(words_level(&a, &exponent, c, err));
    return by_values ? condition_by_values(c, a, norm == NORM_LEAST_TWO, err) : condition_by_inverse(c, a, norm, err);
}

COMPOSED(cond)
