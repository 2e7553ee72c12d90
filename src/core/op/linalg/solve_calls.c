/* solve, inv, and what solves by factors, as rows of operation.def are called. */
#include "base/dtype.h"
#include "op/linalg/linalg.h"

#include <string.h>

typedef enum assumed { GENERAL, POSITIVE, UPPER, LOWER, UNIT_LOWER, FACTOR } assumed; /* FACTOR: what cholesky gives */
static const char *const assumptions[] = {"general", "positive", "upper", "lower", "unit_lower"};

typedef struct solving {
    lun_array a, b;                          /* matrices; of inv no b */
    bool vector, transpose, conjugate, info; /* conjugate: transpose conjugates, too */
    assumed assume;
    lun_dtype dtype;
    int ndim; /* of the batch */
    size_t batch[LUN_MAX_AXES];
} solving;

/* Of cholesky_solve it is no "self". */
static unsigned place_of_matrix(const lun_request *r) { return r->operation->owner == LUN_OF_MODULE ? 1 : 0; }

static lun_status read_assumption(solving *s, const lun_request *r, lun_error *err)
{
    const char *assume = request_text(r, "assume");
    s->assume = place_of_matrix(r) ? FACTOR : GENERAL;
    if (!assume)
        return LUN_OK;
    for (size_t i = 0; i < COUNT(assumptions); i++)
        if (strcmp(assumptions[i], assume) == 0) {
            s->assume = (assumed)i;
            return LUN_OK;
        }
    return fail(err, LUN_MISUSE, "unknown assumption '%.40s'; known are general, positive, upper, lower, unit_lower",
                assume);
}

lun_status linalg_read_transpose(bool *transpose, bool *conjugate, const lun_request *r, lun_error *err)
{
    char shown[SHOWN];
    const lun_value *given = request_option(r, "transpose");
    *conjugate = given && given->kind == LUN_VALUE_TEXT && strcmp(given->text, "conjugate") == 0;
    *transpose = *conjugate || (given && given->kind == LUN_VALUE_BOOLEAN && given->truth);
    if (!given || *conjugate || given->kind == LUN_VALUE_BOOLEAN)
        return LUN_OK;
    return fail(err, LUN_MISUSE, "option 'transpose': true, false or \"conjugate\" is wanted, got %s",
                value_shown(shown, r, given));
}

static lun_status find_batch(solving *s, const lun_request *r, unsigned right_side, lun_error *err)
{
    lun_array a = s->a, b = s->b;
    char left[200], right[200];
    a.ndim -= 2;
    b.ndim -= 2;
    if (shape_broadcast(&s->ndim, s->batch, (const lun_array *const[]){&a, &b}, 2) && s->ndim + 2 <= LUN_MAX_AXES)
        return LUN_OK;
    return fail(err, LUN_MISUSE, "batch axes differ: (%s) and (%s)",
                array_shape_text(left, sizeof left, r->arguments[place_of_matrix(r)].array),
                array_shape_text(right, sizeof right, r->arguments[right_side].array));
}

/* b is that argument. */
static lun_status read_right(solving *s, const lun_request *r, unsigned i, lun_error *err)
{
    const lun_array *b = r->arguments[i].array;
    char shape[200];
    lun_dtype other;
    TRY(array_check_same_device(r->arguments[place_of_matrix(r)].array, b, "the second array", err));
    TRY(linalg_dtype(&other, b, err));
    s->dtype = lun_dtype_promoted(s->dtype, other);
    s->vector = b->ndim == 1;
    if (b->ndim == 0)
        FAIL(LUN_MISUSE, "the right side is a number; a vector or a matrix is wanted");
    if (s->vector) {
        s->b = *b;
        s->b.ndim = 2;
        s->b.shape[1] = 1;
        s->b.stride[1] = 0;
    } else {
        TRY(linalg_matrix(&s->b, r, i, err));
    }
    if (rows_of(&s->b) != rows_of(&s->a))
        FAIL(LUN_MISUSE, "the matrix has %zu rows, and the right side has shape (%s)", rows_of(&s->a),
             array_shape_text(shape, sizeof shape, b));
    return find_batch(s, r, i, err);
}

/* x, as b is: in batches of matrices, or of vectors. */
static void tell_solution(lun_request *r, const solving *s)
{
    linalg_tell_matrices(r, 0, s->dtype, s->ndim, s->batch, rows_of(&s->b), columns_of(&s->b));
    if (s->vector) {
        size_t shape[LUN_MAX_AXES];
        memcpy(shape, s->batch, sizeof shape);
        shape[s->ndim] = rows_of(&s->b);
        request_tell(r, 0, s->dtype, s->ndim + 1, shape);
    }
    r->results[0].given = request_array_option(r, "out");
}

static lun_status bind_solve(lun_request *r, lun_error *err)
{
    if (request_option(r, "least_rcond"))
        return judged_solve_functions.bind(r, err);
    solving *s = REQUEST_STATE(r, solving);
    const unsigned i = place_of_matrix(r);
    s->info = request_truth(r, "info");
    TRY(linalg_square(&s->a, r, i, err));
    TRY(linalg_dtype(&s->dtype, r->arguments[i].array, err));
    TRY(linalg_read_transpose(&s->transpose, &s->conjugate, r, err));
    TRY(read_assumption(s, r, err));
    TRY(read_right(s, r, i + 1, err));
    TRY(request_results(r, s->info ? 2 : 1, err));
    tell_solution(r, s);
    if (s->info)
        request_tell(r, 1, LUN_i32, s->a.ndim - 2, s->a.shape);
    return LUN_OK;
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
    const lun_array from = linalg_spread(&s->b, s->ndim, s->batch);
    l->p->scratch_only = false;
    return plan_array_copy(l->p, x, &from, err);
}

/* By factors that are known: P a = L U, the order of rows counted from `first`. Of the transpose U^T L^T P x = b. */
static lun_status solve_by_factors(linalg *l, const solving *s, const lun_array *factors, const lun_array *order,
                                   int first, const lun_array *x, lun_error *err)
{
    linalg each = *l;
    const unsigned turns = s->conjugate ? LINALG_CONJUGATED : 0;
    lun_array b = s->b, positions = as_column(order);
    const lun_array lu = linalg_spread(factors, s->ndim, s->batch), turned = matrix_transposed(&lu);
    each.batches = matrix_batches(x);
    positions = linalg_spread(&positions, s->ndim, s->batch);
    positions.ndim--;
    if (s->transpose) {
        l->p->scratch_only = true;
        const lun_array from = linalg_spread(&b, s->ndim, s->batch);
        TRY(linalg_copy(l, &b, &from, err));
        TRY(linalg_triangular(&each, &turned, LINALG_LOWER | turns, &b, err));
        TRY(linalg_triangular(&each, &turned, LINALG_UPPER | LINALG_UNIT | turns, &b, err));
        l->p->scratch_only = false;
        TRY(linalg_put_rows(&each, x, &b, &positions, first, err));
        return LUN_OK;
    }
    TRY(linalg_own(l, &b, err));
    l->p->scratch_only = false;
    const lun_array from = linalg_spread(&b, s->ndim, s->batch);
    TRY(linalg_take_rows(&each, x, &from, &positions, first, err));
    TRY(linalg_triangular(&each, &lu, LINALG_UNIT | turns, x, err));
    return linalg_triangular(&each, &lu, LINALG_UPPER | turns, x, err);
}

static lun_status solve_few(linalg *l, const solving *s, const lun_array *x, lun_error *err)
{
    lun_array a = s->a, b = s->b;
    TRY(linalg_own(l, &a, err));
    TRY(linalg_own(l, &b, err));
    const lun_array right = linalg_spread(&b, s->ndim, s->batch);
    l->p->scratch_only = false;
    return linalg_solve_few(l, &a, &right, x, s->assume == POSITIVE, err);
}

static lun_status solve_general(linalg *l, const solving *given, const lun_array *x, lun_error *err)
{
    lun_array lu, pivots, order;
    solving s = *given;
    if (s.transpose)
        s.a = matrix_transposed(&s.a);
    s.transpose = false;
    const lun_array right = linalg_spread(&s.b, s.ndim, s.batch);
    if (linalg_is_few(l, &s.a, &right))
        return solve_few(l, &s, x, err);
    TRY(linalg_copy(l, &lu, &s.a, err));
    TRY(operation_scratch_array(l->p->op, &pivots, LUN_i32, s.a.ndim - 1, s.a.shape, err));
    TRY(operation_scratch_array(l->p->op, &order, LUN_i64, s.a.ndim - 1, s.a.shape, err));
    TRY(linalg_lu(l, &lu, &pivots, err));
    TRY(linalg_permutation(l, &order, &pivots, 0, err));
    return solve_by_factors(l, &s, &lu, &order, 0, x, err);
}

static lun_status solve_positive(linalg *l, const solving *s, const lun_array *x, lun_error *err)
{
    lun_array factor = s->a;
    linalg each = *l;
    each.batches = matrix_batches(x);
    const lun_array right = linalg_spread(&s->b, s->ndim, s->batch);
    if (s->assume == POSITIVE && linalg_is_few(l, &s->a, &right))
        return solve_few(l, s, x, err);
    TRY(linalg_copy(l, &factor, &s->a, err));
    TRY(s->assume == POSITIVE ? linalg_cholesky(l, &factor, err) : linalg_find_zeros(l, &factor, err));
    TRY(copy_right(l, s, x, err));
    const lun_array lower = linalg_spread(&factor, s->ndim, s->batch), upper = matrix_transposed(&lower);
    /* The transpose of what is its own conjugated transpose is what it is, conjugated. */
    const unsigned turns = s->transpose && !s->conjugate ? LINALG_CONJUGATED : 0;
    TRY(linalg_triangular(&each, &lower, LINALG_LOWER | turns, x, err));
    return linalg_triangular(&each, &upper, LINALG_UPPER | (turns ^ LINALG_CONJUGATED), x, err);
}

static lun_status solve_triangle(linalg *l, const solving *s, const lun_array *x, lun_error *err)
{
    lun_array t = s->a;
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
    const lun_array all = linalg_spread(&t, s->ndim, s->batch);
    return linalg_triangular(&each, &all, kind, x, err);
}

static lun_array solution_of(const linalg_call *c, const solving *s)
{
    return s->vector ? as_column(&c->out[0]) : c->out[0];
}

static lun_status solve(linalg *l, const void *data, lun_error *err)
{
    const linalg_call *c = data;
    const solving *s = c->of;
    const lun_array x = solution_of(c, s);
    l->p->scratch_only = true;
    TRY(s->assume == GENERAL                           ? solve_general(l, s, &x, err)
        : s->assume == POSITIVE || s->assume == FACTOR ? solve_positive(l, s, &x, err)
                                                       : solve_triangle(l, s, &x, err));
    return linalg_tell(l, c->out_count > 1 ? &c->out[1] : NULL,
                       s->assume == POSITIVE ? linalg_say_indefinite : linalg_say_singular, err);
}

static lun_status run_solve(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    if (request_option(r, "least_rcond"))
        return judged_solve_functions.run(more, r, out, err);
    const solving *s = r->state;
    linalg_call c = {.r = r, .in = {s->a, s->b}, .in_count = 2, .of = s};
    (void)more;
    c.work = linalg_cube(&s->a) / 3 + linalg_cube(&s->b);
    TRY(linalg_take_result(&c, out[0], !s->vector, err));
    if (s->info)
        TRY(linalg_take_result(&c, out[1], false, err));
    return linalg_run(&c, solve, s->dtype, matrix_batches(&s->a), err);
}

const request_functions solve_functions = {bind_solve, run_solve};

/* ---- inv: what solves a X = 1 ---------------------------------------------------------------------------------------- */

static lun_status bind_inv(lun_request *r, lun_error *err)
{
    solving *s = REQUEST_STATE(r, solving);
    TRY(linalg_square(&s->a, r, 0, err));
    TRY(linalg_dtype(&s->dtype, r->arguments[0].array, err));
    s->info = request_truth(r, "info");
    s->ndim = s->a.ndim - 2;
    memcpy(s->batch, s->a.shape, sizeof s->batch);
    TRY(request_results(r, s->info ? 2 : 1, err));
    linalg_tell_matrices(r, 0, s->dtype, s->ndim, s->batch, rows_of(&s->a), rows_of(&s->a));
    r->results[0].given = request_array_option(r, "out");
    if (s->info)
        request_tell(r, 1, LUN_i32, s->ndim, s->batch);
    return LUN_OK;
}

static lun_status invert(linalg *l, const void *data, lun_error *err)
{
    const linalg_call *c = data;
    const size_t n = rows_of(&c->in[0]);
    solving s = *(const solving *)c->of;
    l->p->scratch_only = true;
    TRY(operation_scratch_array(l->p->op, &s.b, l->dtype, 2, (size_t[]){n, n}, err));
    TRY(linalg_fill_diagonal(l, &s.b, 1, err));
    TRY(solve_general(l, &s, &c->out[0], err));
    return linalg_tell(l, c->out_count > 1 ? &c->out[1] : NULL, linalg_say_singular, err);
}

static lun_status run_inv(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    const solving *s = r->state;
    linalg_call c = {.r = r, .in = {s->a}, .in_count = 1, .work = linalg_cube(&s->a), .of = s};
    (void)more;
    TRY(linalg_take_result(&c, out[0], true, err));
    if (s->info)
        TRY(linalg_take_result(&c, out[1], false, err));
    return linalg_run(&c, invert, s->dtype, matrix_batches(&s->a), err);
}

const request_functions inv_functions = {bind_inv, run_inv};

/* ---- lu_solve: by what lu_factor gives --------------------------------------------------------------------------------- */

static lun_status bind_lu_solve(lun_request *r, lun_error *err)
{
    solving *s = REQUEST_STATE(r, solving);
    const lun_array *order = r->arguments[1].array;
    lun_array wanted;
    TRY(linalg_read_transpose(&s->transpose, &s->conjugate, r, err));
    TRY(linalg_square(&s->a, r, 0, err));
    TRY(linalg_dtype(&s->dtype, r->arguments[0].array, err));
    TRY(array_check_live(order, "the order", err));
    TRY(array_check_same_device(r->arguments[0].array, order, "the order", err));
    wanted = s->a;
    wanted.ndim--;
    if (order->dtype != LUN_i64 || !shape_equal(order, &wanted) || s->dtype != s->a.dtype)
        FAIL(LUN_MISUSE, "factors and the order of their rows are wanted, as lu_factor gives them");
    TRY(read_right(s, r, 2, err));
    s->dtype = s->a.dtype;
    TRY(request_results(r, 1, err));
    tell_solution(r, s);
    return LUN_OK;
}

static lun_status solve_again(linalg *l, const void *data, lun_error *err)
{
    const linalg_call *c = data;
    const solving *s = c->of;
    const lun_array x = solution_of(c, s);
    TRY(solve_by_factors(l, s, &s->a, &c->in[2], c->r->manner->first, &x, err));
    if (!request_is(c->r, ROW_JUDGED)) /* of a step infinite numbers are wanted */
        return LUN_OK;
    l->p->scratch_only = true;
    TRY(linalg_find_zeros(l, &s->a, err));
    return linalg_judge(l, linalg_say_singular, err);
}

static lun_status run_lu_solve(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    const solving *s = r->state;
    linalg_call c = {.r = r, .in = {s->a, s->b, *r->arguments[1].array}, .in_count = 3, .of = s};
    (void)more;
    c.work = linalg_cube(&s->b);
    TRY(linalg_take_result(&c, out[0], !s->vector, err));
    return linalg_run(&c, solve_again, s->dtype, matrix_batches(&s->a), err);
}

const request_functions lu_solve_functions = {bind_lu_solve, run_lu_solve};
