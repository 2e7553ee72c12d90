/* solve, inv, and solving with given factors. */
#include "base/dtype.h"
#include "op/linalg/eigen.h"
#include "op/linalg/matrix_words.h"

#include <string.h>

enum { GENERAL, POSITIVE, UPPER, LOWER, UNIT_LOWER, FACTOR }; /* FACTOR: the result of cholesky */
static const char *const assumptions[] = {"general", "positive", "upper", "lower", "unit_lower", NULL};

typedef struct solving {
    linalg_sides of;           /* of inv no b */
    bool transpose, conjugate; /* conjugate: transpose conjugates, too */
    int assume;
} solving;

/* For cholesky_solve it is not "self". */
static unsigned place_of_matrix(const lun_request *r) { return r->operation->owner == LUN_OF_MODULE ? 1 : 0; }

lun_status linalg_read_transpose(bool *transpose, bool *conjugate, const lun_request *r, lun_error *err)
{
    char shown[SHOWN];
    const lun_value *given = request_option(r, "transpose");
    *conjugate = given && given->kind == LUN_VALUE_TEXT && strcmp(given->text, "conjugate") == 0;
    *transpose = *conjugate || (given && given->kind == LUN_VALUE_BOOLEAN && given->truth);
    if (!given || *conjugate || given->kind == LUN_VALUE_BOOLEAN)
        return LUN_OK;
    return fail(err, LUN_MISUSE, "option 'transpose': true, false or \"conjugate\" is needed, got %s",
                value_shown(shown, r, given));
}

/* x, as b is: in batches of matrices, or of vectors. */
static lun_status give_solution(linalg_call *l, const linalg_sides *of, lun_error *err)
{
    size_t shape[LUN_MAX_AXES];
    if (!of->vector)
        return linalg_give_matrices(l, of->dtype, of->ndim, of->batch, rows_of(&of->b), columns_of(&of->b), err);
    memcpy(shape, of->batch, sizeof shape);
    shape[of->ndim] = rows_of(&of->b);
    return linalg_give(l, of->dtype, of->ndim + 1, shape, err);
}

/* A vector of positions for each matrix, as a matrix with one column. */
static lun_array as_column(const lun_array *positions)
{
    lun_array column = *positions;
    column.shape[column.ndim] = 1;
    column.stride[column.ndim++] = 0;
    return column;
}

static lun_status copy_right(linalg *l, const solving *s, const lun_array *x, lun_error *err)
{
    const lun_array from = linalg_spread(&s->of.b, s->of.ndim, s->of.batch);
    return plan_array_copy(l->p, x, &from, err);
}

/* With known factors: P a = L U, the order of rows counted from `first`. For the transpose U^T L^T P x = b. */
static lun_status solve_by_factors(linalg *l, const solving *s, const lun_array *factors, const lun_array *order,
                                   int first, const lun_array *x, lun_error *err)
{
    linalg each = *l;
    const unsigned turns = s->conjugate ? LINALG_CONJUGATED : 0;
    lun_array b = s->of.b, positions = as_column(order);
    const lun_array lu = linalg_spread(factors, s->of.ndim, s->of.batch), turned = matrix_transposed(&lu);
    each.batches = matrix_batches(x);
    positions = linalg_spread(&positions, s->of.ndim, s->of.batch);
    positions.ndim--;
    if (s->transpose) {
        const lun_array from = linalg_spread(&b, s->of.ndim, s->of.batch);
        TRY(linalg_copy(l, &b, &from, err));
        TRY(linalg_triangular(&each, &turned, LINALG_LOWER | turns, &b, err));
        TRY(linalg_triangular(&each, &turned, LINALG_UPPER | LINALG_UNIT | turns, &b, err));
        TRY(linalg_put_rows(&each, x, &b, &positions, first, err));
        return LUN_OK;
    }
    TRY(linalg_own(l, &b, err));
    const lun_array from = linalg_spread(&b, s->of.ndim, s->of.batch);
    TRY(linalg_take_rows(&each, x, &from, &positions, first, err));
    TRY(linalg_triangular(&each, &lu, LINALG_UNIT | turns, x, err));
    return linalg_triangular(&each, &lu, LINALG_UPPER | turns, x, err);
}

/* By one kernel: a `whole` matrix does not share vectors with others. */
static lun_status solve_few(linalg *l, const solving *s, const lun_array *x, bool whole, lun_error *err)
{
    lun_array a = s->of.a, b = s->of.b;
    TRY(linalg_own(l, &a, err));
    TRY(linalg_own(l, &b, err));
    const lun_array right = linalg_spread(&b, s->of.ndim, s->of.batch);
    if (whole) {
        l->judges = "whole_cpu";
        return linalg_eliminate(l, &a, &right, x, NULL, err);
    }
    l->judges = eigen_takes_rows(l) ? "solve_cpu" : NULL;
    return linalg_solve_few(l, &a, &right, x, s->assume == POSITIVE, err);
}

static lun_status solve_general(linalg *l, const solving *given, const lun_array *x, lun_error *err)
{
    lun_array lu, pivots, order;
    solving s = *given;
    if (s.transpose)
        s.of.a = matrix_transposed(&s.of.a);
    s.transpose = false;
    const lun_array right = linalg_spread(&s.of.b, s.of.ndim, s.of.batch);
    const bool few = linalg_is_few(l, &s.of.a, &right), apart = matrix_batches(&right) == l->batches;
    const bool whole = apart && !s.conjugate && linalg_is_whole(l, &s.of.a, columns_of(&right));
    if (few || whole)
        return solve_few(l, &s, x, !few, err);
    TRY(linalg_copy(l, &lu, &s.of.a, err));
    TRY(operation_scratch_array(l->p->op, &pivots, LUN_i32, s.of.a.ndim - 1, s.of.a.shape, err));
    TRY(operation_scratch_array(l->p->op, &order, LUN_i64, s.of.a.ndim - 1, s.of.a.shape, err));
    TRY(linalg_lu(l, &lu, &pivots, err));
    TRY(linalg_permutation(l, &order, &pivots, 0, err));
    return solve_by_factors(l, &s, &lu, &order, 0, x, err);
}

static lun_status solve_positive(linalg *l, const solving *s, const lun_array *x, lun_error *err)
{
    lun_array factor = s->of.a;
    linalg each = *l;
    each.batches = matrix_batches(x);
    const lun_array right = linalg_spread(&s->of.b, s->of.ndim, s->of.batch);
    if (s->assume == POSITIVE && linalg_is_few(l, &s->of.a, &right))
        return solve_few(l, s, x, false, err);
    TRY(linalg_copy(l, &factor, &s->of.a, err));
    TRY(s->assume == POSITIVE ? linalg_cholesky(l, &factor, err) : linalg_find_zeros(l, &factor, err));
    TRY(copy_right(l, s, x, err));
    const lun_array lower = linalg_spread(&factor, s->of.ndim, s->of.batch), upper = matrix_transposed(&lower);
    /* The transpose of a Hermitian matrix is its conjugate. */
    const unsigned turns = s->transpose && !s->conjugate ? LINALG_CONJUGATED : 0;
    TRY(linalg_triangular(&each, &lower, LINALG_LOWER | turns, x, err));
    return linalg_triangular(&each, &upper, LINALG_UPPER | (turns ^ LINALG_CONJUGATED), x, err);
}

static lun_status solve_triangle(linalg *l, const solving *s, const lun_array *x, lun_error *err)
{
    lun_array t = s->of.a;
    linalg each = *l;
    const bool upper = (s->assume == UPPER) != s->transpose, unit = s->assume == UNIT_LOWER;
    const unsigned kind =
        (upper ? LINALG_UPPER : 0) | (unit ? LINALG_UNIT : 0) | (s->conjugate ? LINALG_CONJUGATED : 0);
    each.batches = matrix_batches(x);
    TRY(linalg_own(l, &t, err));
    if (!unit)
        TRY(linalg_find_zeros(l, &t, err));
    if (s->transpose)
        t = matrix_transposed(&t);
    TRY(copy_right(l, s, x, err));
    const lun_array all = linalg_spread(&t, s->of.ndim, s->of.batch);
    return linalg_triangular(&each, &all, kind, x, err);
}

static lun_array solution_of(const linalg_call *c, const solving *s)
{
    return s->of.vector ? as_column(&c->out[0]) : c->out[0];
}

static lun_status solve_as_assumed(linalg *l, const linalg_call *c, lun_error *err)
{
    const solving *s = c->of;
    const lun_array x = solution_of(c, s);
    TRY(s->assume == GENERAL                           ? solve_general(l, s, &x, err)
        : s->assume == POSITIVE || s->assume == FACTOR ? solve_positive(l, s, &x, err)
                                                       : solve_triangle(l, s, &x, err));
    return linalg_tell(l, c->out_count > 1 ? &c->out[1] : NULL,
                       s->assume == POSITIVE ? linalg_say_indefinite : linalg_say_singular, err);
}

static lun_status solve(composing *c, lun_error *err)
{
    const unsigned i = place_of_matrix(c->r);
    solving s = {.assume = i ? FACTOR : GENERAL};
    if (request_option(c->r, "least_rcond"))
        return words_judged_solve(c, err);
    TRY(linalg_square(&s.of.a, c->r, i, err));
    TRY(linalg_dtype(&s.of.dtype, c->r->arguments[i].array, err));
    TRY(linalg_read_transpose(&s.transpose, &s.conjugate, c->r, err));
    TRY(request_named(&s.assume, c->r, "assume", "assumption", assumptions, err));
    TRY(linalg_read_right(&s.of, c->r, i, i + 1, err));
    linalg_call l = {.c = c, .r = c->r, .in = {s.of.a, s.of.b}, .in_count = 2, .of = &s};
    l.work = linalg_cube(&s.of.a) / 3 + linalg_cube(&s.of.b);
    c->further = request_truth(c->r, "info");
    TRY(give_solution(&l, &s.of, err));
    TRY(linalg_give_info(&l, &s.of.a, err));
    return linalg_run(&l, solve_as_assumed, s.of.dtype, matrix_batches(&s.of.a), err);
}

COMPOSED(solve)

/* ---- inv: solves a X = 1 ---------------------------------------------------------------------------------------- */

static lun_status invert(linalg *l, const linalg_call *c, lun_error *err)
{
    const size_t n = rows_of(&c->in[0]);
    solving s = *(const solving *)c->of;
    TRY(operation_scratch_array(l->p->op, &s.of.b, l->dtype, 2, (size_t[]){n, n}, err));
    TRY(linalg_fill_diagonal(l, &s.of.b, 1, err));
    TRY(solve_general(l, &s, &c->out[0], err));
    return linalg_tell(l, c->out_count > 1 ? &c->out[1] : NULL, linalg_say_singular, err);
}

static lun_status inv(composing *c, lun_error *err)
{
    solving s = {.assume = GENERAL};
    linalg_sides *of = &s.of;
    TRY(linalg_square(&of->a, c->r, 0, err));
    TRY(linalg_dtype(&of->dtype, c->r->arguments[0].array, err));
    linalg_call l = {.c = c, .r = c->r, .in = {of->a}, .in_count = 1, .work = linalg_cube(&of->a), .of = &s};
    of->ndim = of->a.ndim - 2;
    memcpy(of->batch, of->a.shape, sizeof of->batch);
    c->further = request_truth(c->r, "info");
    TRY(linalg_give_matrices(&l, of->dtype, of->ndim, of->batch, rows_of(&of->a), rows_of(&of->a), err));
    TRY(linalg_give_info(&l, &of->a, err));
    return linalg_run(&l, invert, of->dtype, matrix_batches(&of->a), err);
}

COMPOSED(inv)

/* ---- lu_solve: with the results of lu_factor
 * --------------------------------------------------------------------------------- */

static lun_status solve_again(linalg *l, const linalg_call *c, lun_error *err)
{
    const solving *s = c->of;
    const lun_array x = solution_of(c, s);
    TRY(solve_by_factors(l, s, &s->of.a, &c->in[2], c->r->manner->first, &x, err));
    if (!request_is(c->r, ROW_JUDGED)) /* infinite numbers of a step must be kept */
        return LUN_OK;
    TRY(linalg_find_zeros(l, &s->of.a, err));
    return linalg_judge(l, linalg_say_singular, err);
}

static lun_status lu_solve(composing *c, lun_error *err)
{
    solving s = {.assume = GENERAL};
    const lun_array *factors = c->r->arguments[0].array, *order = c->r->arguments[1].array;
    TRY(linalg_read_transpose(&s.transpose, &s.conjugate, c->r, err));
    TRY(linalg_square(&s.of.a, c->r, 0, err));
    TRY(linalg_dtype(&s.of.dtype, factors, err));
    TRY(array_check_live(order, "the order", err));
    TRY(array_check_same_device(factors, order, "the order", err));
    lun_array wanted = s.of.a;
    wanted.ndim--;
    if (order->dtype != LUN_i64 || !shape_equal(order, &wanted) || s.of.dtype != s.of.a.dtype)
        FAIL(LUN_MISUSE, "factors and the order of their rows are needed, as lu_factor gives them");
    TRY(linalg_read_right(&s.of, c->r, 0, 2, err));
    s.of.dtype = s.of.a.dtype;
    linalg_call l = {.c = c, .r = c->r, .in = {s.of.a, s.of.b, *order}, .in_count = 3, .of = &s};
    l.work = linalg_cube(&s.of.b);
    TRY(give_solution(&l, &s.of, err));
    return linalg_run(&l, solve_again, s.of.dtype, matrix_batches(&s.of.a), err);
}

COMPOSED(lu_solve)
