/* lstsq: by QR, then by QR with pivoting of the square factor, which gives the rank. */
#include "base/dtype.h"
#include "op/linalg/linalg.h"

#include <string.h>

#define AGAIN 4 /* repeated factorisations of a matrix by one kernel, at most, for a batch of right sides */

typedef struct squares_call {
    linalg_sides of;
    double rcond;
} squares_call;

static lun_status read_least(squares_call *s, const lun_request *r, lun_error *err)
{
    const double epsilon = lun_dtype_part(s->of.dtype) == LUN_f64 ? 0x1p-52 : 0x1p-23;
    const double usual = epsilon * (double)larger(rows_of(&s->of.a), columns_of(&s->of.a));
    s->rcond = request_number(r, "rcond", lun_real(usual)).real;
    if (s->rcond >= 0 && s->rcond <= 1)
        return LUN_OK;
    return fail(err, LUN_MISUSE, "rcond is %g; a number from 0 to 1 is needed", s->rcond);
}

/* ---- the plan -------------------------------------------------------------------------------------------------------- */

typedef struct squares {
    const linalg *l, *each; /* of a's batch, and of b's */
    const squares_call *s;
    lun_array c;          /* the right side, which is overwritten */
    lun_array left, rank; /* scratch, contiguous */
} squares;

/* Scratch matrices like it, with other sizes. */
static lun_status matrices(const linalg *l, lun_array *out, const lun_array *like, size_t rows, size_t columns,
                           lun_error *err)
{
    size_t shape[LUN_MAX_AXES];
    memcpy(shape, like->shape, sizeof shape);
    shape[like->ndim - 2] = rows;
    shape[like->ndim - 1] = columns;
    return operation_scratch_array(l->p->op, out, l->dtype, like->ndim, shape, err);
}

/* The rank of the square factor; the rows of c beyond it contribute to the residual. */
static lun_status judge_rank(squares *q, const linalg_qr *f, const lun_array *c, size_t below, lun_error *err)
{
    const linalg *l = q->l;
    lun_array sums = {0}, rank = q->rank;
    const lun_array under = matrix_part(&q->c, rows_of(c), below, 0, columns_of(c));
    TRY(linalg_find_ranks(l, f, &q->rank, q->s->rcond, err));
    if (below)
        TRY(linalg_square_blocks(q->each, &sums, &under, err));
    for (int i = 0; i < 2; i++) {
        rank.shape[rank.ndim] = 1;
        rank.stride[rank.ndim++] = 0;
    }
    rank = linalg_spread(&rank, q->s->of.ndim, q->s->of.batch);
    return linalg_residuals(q->each, &q->left, c, &sums, &rank, err);
}

/* c, whose first rows are the right side for the square matrix g, becomes the solution with the smallest norm. With g P
 * = Q R, truncated to the rank, and R^H = Z S, it is P Z S^-H Q^H c. `conjugated`: g is the conjugate of the matrix. */
static lun_status solve_square(squares *q, const lun_array *x, const lun_array *g, bool conjugated, size_t below,
                               lun_error *err)
{
    const linalg *l = q->l;
    const size_t n = rows_of(g);
    size_t shape[LUN_MAX_AXES];
    linalg_qr f, z;
    lun_array order, rows, triangle;
    const lun_array c = matrix_part(&q->c, 0, n, 0, columns_of(&q->c));
    memcpy(shape, g->shape, sizeof shape);
    TRY(operation_scratch_array(l->p->op, &order, LUN_i64, g->ndim - 1, shape, err));
    TRY(linalg_qr_pivoted(&f, l, g, conjugated, &order, 0, err));
    TRY(linalg_qr_apply(&f, l, &c, true, err));
    TRY(judge_rank(q, &f, &c, below, err));
    TRY(matrices(l, &rows, g, n, n, err));
    TRY(linalg_leading_rows(l, &rows, &f, &q->rank, err));
    const lun_array turned = matrix_transposed(&rows);
    TRY(linalg_qr_factor(&z, l, &turned, true, err));
    TRY(matrices(l, &triangle, g, n, n, err));
    TRY(linalg_qr_r(&z, l, &triangle, false, false, err));
    TRY(linalg_close_triangles(l, &triangle, &q->rank, err));
    const lun_array spread = linalg_spread(&triangle, q->s->of.ndim, q->s->of.batch),
                    lower = matrix_transposed(&spread);
    TRY(linalg_triangular(q->each, &lower, LINALG_CONJUGATED, &c, err));
    TRY(linalg_qr_apply(&z, l, &c, false, err));
    order.shape[order.ndim] = 1;
    order.stride[order.ndim++] = 0;
    order = linalg_spread(&order, q->s->of.ndim, q->s->of.batch);
    order.ndim--;
    return linalg_put_rows(q->each, x, &c, &order, 0, err);
}

/* At least as many rows as columns: R x = Q^H b. */
static lun_status solve_tall(squares *q, const lun_array *x, lun_error *err)
{
    const linalg *l = q->l;
    const size_t n = columns_of(&q->s->of.a);
    linalg_qr f;
    lun_array r;
    TRY(linalg_qr_factor(&f, l, &q->s->of.a, false, err));
    TRY(matrices(l, &r, &q->s->of.a, n, n, err));
    TRY(linalg_qr_r(&f, l, &r, false, false, err));
    TRY(linalg_qr_apply(&f, l, &q->c, true, err));
    return solve_square(q, x, &r, false, rows_of(&q->c) - n, err);
}

/* Fewer rows: with a^H = Q R it is Q y, where R^H y = b. */
static lun_status solve_wide(squares *q, const lun_array *x, lun_error *err)
{
    const linalg *l = q->l;
    const size_t m = rows_of(&q->s->of.a);
    const lun_array turned = matrix_transposed(&q->s->of.a), above = matrix_part(x, 0, m, 0, columns_of(x));
    linalg_qr f;
    lun_array r;
    TRY(linalg_qr_factor(&f, l, &turned, true, err));
    TRY(matrices(l, &r, &q->s->of.a, m, m, err));
    TRY(linalg_qr_r(&f, l, &r, false, false, err));
    TRY(plan_array_fill(l->p, x, (cl_ulong2){{0, 0}}, err));
    const lun_array lower = matrix_transposed(&r);
    TRY(solve_square(q, &above, &lower, true, 0, err));
    return linalg_qr_apply(&f, l, x, false, err);
}

/* Without rows or columns there is nothing to factorise: x is 0, and the residual is b. */
static lun_status solve_nothing(squares *q, const lun_array *x, lun_error *err)
{
    const lun_array *rank = &q->rank;
    lun_array sums = {0}, ranks = *rank, none;
    TRY(plan_array_fill(q->l->p, x, (cl_ulong2){{0, 0}}, err));
    TRY(plan_array_fill(q->l->p, rank, (cl_ulong2){{0, 0}}, err));
    if (q->c.size)
        TRY(linalg_square_blocks(q->each, &sums, &q->c, err));
    none = matrix_part(&q->c, 0, 0, 0, columns_of(&q->c));
    for (int i = 0; i < 2; i++) {
        ranks.shape[ranks.ndim] = 1;
        ranks.stride[ranks.ndim++] = 0;
    }
    ranks = linalg_spread(&ranks, q->s->of.ndim, q->s->of.batch);
    return linalg_residuals(q->each, &q->left, &none, &sums, &ranks, err);
}

static lun_status solve_whole(linalg *l, const linalg_call *c, const lun_array *x, lun_error *err)
{
    const squares_call *s = c->of;
    const lun_array left = linalg_as_matrices(&c->out[1], s->of.ndim),
                    rank = linalg_as_matrices(&c->out[2], s->of.ndim);
    lun_array a = s->of.a, b = s->of.b;
    TRY(linalg_own(l, &a, err));
    TRY(linalg_own(l, &b, err));
    b = linalg_spread(&b, s->of.ndim, s->of.batch);
    return linalg_whole_lstsq(l, &a, &b, x, &left, &rank, s->rcond, err);
}

static lun_status solve_by_blocks(linalg *l, const linalg_call *c, const lun_array *given, lun_error *err)
{
    const squares_call *s = c->of;
    const size_t rows = rows_of(&s->of.a), columns = columns_of(&s->of.a);
    const lun_array x = *given;
    linalg each = *l;
    squares q = {.l = l, .each = &each, .s = s};
    each.batches = matrix_batches(&x);
    const lun_array b = linalg_spread(&s->of.b, s->of.ndim, s->of.batch);
    TRY(linalg_copy(l, &q.c, &b, err));
    TRY(operation_scratch_array(l->p->op, &q.left, c->out[1].dtype, c->out[1].ndim, c->out[1].shape, err));
    TRY(operation_scratch_array(l->p->op, &q.rank, LUN_i64, c->out[2].ndim, c->out[2].shape, err));
    TRY(rows == 0 || columns == 0 ? solve_nothing(&q, &x, err)
        : rows < columns          ? solve_wide(&q, &x, err)
                                  : solve_tall(&q, &x, err));
    if (q.left.size)
        TRY(plan_array_copy(l->p, &c->out[1], &q.left, err));
    return q.rank.size ? plan_array_copy(l->p, &c->out[2], &q.rank, err) : LUN_OK;
}

static lun_status solve(linalg *l, const linalg_call *c, lun_error *err)
{
    const squares_call *s = c->of;
    const lun_array *a = &s->of.a, x = linalg_as_matrices(&c->out[0], s->of.ndim);
    const bool apart = matrix_batches(&x) <= AGAIN * l->batches, some = rows_of(a) > 0 && columns_of(a) > 0;
    l->axes = s->of.ndim + 2;
    TRY(linalg_look(l, c, a, LINALG_BOTH_SIDES, err));
    TRY((apart && some && linalg_is_whole_qr(l, a, 2 * columns_of(&x)) ? solve_whole : solve_by_blocks)(l, c, &x, err));
    return linalg_end_look(l, c, s->of.ndim, err);
}

static lun_status lstsq(composing *c, lun_error *err)
{
    squares_call s = {.rcond = 0};
    linalg_sides *of = &s.of;
    size_t shape[LUN_MAX_AXES];
    TRY(linalg_matrix(&of->a, c->r, 0, err));
    TRY(linalg_dtype(&of->dtype, c->r->arguments[0].array, err));
    TRY(linalg_read_right(of, c->r, 0, 1, err));
    TRY(read_least(&s, c->r, err));
    linalg_call l = {.c = c, .r = c->r, .in = {of->a, of->b}, .in_count = 2, .of = &s};
    const double rows = (double)rows_of(&of->a), columns = (double)columns_of(&of->a);
    const double least = rows < columns ? rows : columns;
    l.work = rows * columns * least + 2 * least * least * least + rows * columns * (double)columns_of(&of->b);
    memcpy(shape, of->batch, sizeof shape);
    shape[of->ndim] = columns_of(of->vector ? &of->a : &of->b);
    c->further = 2 + request_truth(c->r, "info");
    TRY(of->vector
            ? linalg_give(&l, of->dtype, of->ndim + 1, shape, err)
            : linalg_give_matrices(&l, of->dtype, of->ndim, of->batch, columns_of(&of->a), columns_of(&of->b), err));
    TRY(linalg_give(&l, lun_dtype_part(of->dtype), of->ndim + !of->vector, shape, err));
    TRY(linalg_give(&l, LUN_i64, of->a.ndim - 2, of->a.shape, err));
    TRY(linalg_give_info(&l, &of->a, err));
    return linalg_run(&l, solve, of->dtype, matrix_batches(&of->a), err);
}

COMPOSED(lstsq)
