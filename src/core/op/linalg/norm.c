/* Norms of matrices: a:norm{ord =}, and what cond and expm take of them. */
#include "base/dtype.h"
#include "op/linalg/words.h"

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
                "option 'ord': 1, 2, \"inf\", one of these below 0, \"fro\" or \"nuclear\" is wanted, got %s",
                value_shown(shown, r, ord));
}

/* Sums of absolute values along an axis, with a size of 1 in its place; `back` counts axes from the last. */
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
    lun_status status = LUN_OK;
    const lun_array *of = a, *values;
    *op = norm > NORM_FROBENIUS    ? LUN_REDUCE_min
          : norm == NORM_FROBENIUS ? LUN_REDUCE_norm
          : norm == NORM_NUCLEAR   ? LUN_REDUCE_sum
                                   : LUN_REDUCE_absmax;
    *over = words_over(a, 1, false);
    over->axis[a->ndim - 2] = true;
    if (norm == NORM_TWO || norm == NORM_LEAST_TWO || norm == NORM_NUCLEAR) {
        TRY(compose_call(&values, c, "svdvals", &a, 1, NULL, err));
        TRY(compose_expand(&of, c, values, a->ndim - 2, err));
    } else if (norm != NORM_FROBENIUS) {
        TRY(sum_sizes(&of, c, a, norm == NORM_ONE || norm == NORM_LEAST_ONE ? 2 : 1, err));
    }
    x->results[0] = of_array(x, of);
done:
    return status;
}

/* What else norms of vectors take says nothing here. */
static lun_status check_options(const lun_request *r, lun_error *err)
{
    static const char *const others[] = {"axis", "segments", "variant", "accurate", "reproducible"};
    for (size_t i = 0; i < COUNT(others); i++)
        if (request_option(r, others[i]))
            return fail(
                err, LUN_MISUSE,
                "with ord norms are those of matrices, in the last two axes; the option '%s' does not go with it",
                others[i]);
    return LUN_OK;
}

static lun_status matrix_norm(composing *c, lun_error *err)
{
    lun_status status = LUN_OK;
    const lun_array *a;
    words_norm norm;
    composed x = {0};
    lun_reduce_op op;
    composed_axes over;
    TRY(check_options(c->r, err));
    TRY(words_read_norm(&norm, c->r, NORM_FROBENIUS, err));
    TRY(words_matrices(&a, c, false, err));
    TRY(words_norm_step(&x, &op, &over, c, a, norm, err));
    over.keepdims = request_truth(c->r, "keepdims");
    c->numbers = a->ndim == 2 && !over.keepdims && !request_array_option(c->r, "out");
    TRY(compose_give_fold(c, &x, op, &over, err));
done:
    return status;
}

COMPOSED(matrix_norm)
