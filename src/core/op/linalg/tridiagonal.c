/* Reducing Hermitian matrices to tridiagonal ones by reflections, and transforming vectors back. */
#include "op/linalg/eigen.h"

#define PITCH 16   /* what rows are a multiple of */
#define COLUMNS 32 /* of a panel */
#define BLOCK 32   /* reflections that are combined to one product */
#define TEAM 16    /* groups that share a column, at most, */
#define SHARE 64   /* and its rows that are worth a group */

static lun_status launch_items(const linalg *l, const char *name, size_t items, size_t least, const launch_arg *args,
                               size_t count, lun_error *err)
{
    return eigen_launch_items(l, "tridiagonal_plain", name, items, least, args, count, err);
}

static lun_status launch_groups(const linalg *l, const char *name, size_t groups, const launch_arg *args, size_t count,
                                lun_error *err)
{
    return eigen_launch_groups(l, "tridiagonal_plain", name, groups, args, count, err);
}

lun_status eigen_load(const linalg *l, const lun_array *to, const lun_array *exponents, const lun_array *a,
                      bool symmetric, bool turned, lun_error *err)
{
    lun_array largest;
    const matmul_view at = matrix_view(a);
    const size_t rows = l->batches * rows_of(a);
    const unsigned mark = operation_scratch_mark(l->p->op);
    TRY(operation_scratch_array(l->p->op, &largest, lun_dtype_part(l->dtype), 1, &rows, err));
    TRY(eigen_verdict(l, err));
    TRY(launch_items(l, "largest_of_rows", rows, 8,
                     ARGS(ARG_BLOCK(largest.block), ARG_BLOCK(a->block), ARG_VALUE(&at), ARG_LONG(l->batches),
                          ARG_LONG(rows_of(a)), ARG_LONG(columns_of(a)), ARG_LONG(symmetric), ARG_LONG(turned),
                          ARG_VERDICT(l->p->op)),
                     err));
    TRY(launch_items(l, "load_rows", rows, 8,
                     ARGS(ARG_BLOCK(to->block), ARG_BLOCK(exponents->block), ARG_BLOCK(largest.block),
                          ARG_BLOCK(a->block), ARG_VALUE(&at), ARG_LONG(l->batches), ARG_LONG(rows_of(a)),
                          ARG_LONG(columns_of(a)), ARG_LONG(columns_of(to)), ARG_LONG(symmetric), ARG_LONG(turned)),
                     err));
    operation_scratch_again(l->p->op, mark);
    return LUN_OK;
}

/* The data for reducing a panel. */
typedef struct reducing {
    const linalg *l;
    const tridiagonal *t;
    const lun_array *a;
    lun_array panel, sums, taus, beside;
    size_t first, columns;
} reducing;

static lun_status reflect(const reducing *r, size_t column, bool finish, bool next, lun_error *err)
{
    const linalg *l = r->l;
    const tridiagonal *t = r->t;
    const size_t groups = smaller(smaller(TEAM, linalg_team_most(l)), ceil_div(t->n, SHARE));
    const linalg_team team = linalg_team_of(l, groups, 2);
    return launch_groups(l, "reflect_column", l->batches * groups,
                         ARGS(ARG_BLOCK(r->a->block), ARG_BLOCK(t->v.block), ARG_BLOCK(r->panel.block),
                              ARG_BLOCK(r->sums.block), ARG_BLOCK(t->d.block), ARG_BLOCK(r->beside.block),
                              ARG_BLOCK(r->taus.block), ARG_LONG(l->batches), ARG_LONG(t->n), ARG_LONG(t->pitch),
                              ARG_LONG(r->first), ARG_LONG(r->columns), ARG_LONG(column), ARG_LONG(finish),
                              ARG_LONG(next), ARG_BLOCK(l->info), ARG_VALUE(&team)),
                         err);
}

static lun_status multiply(const reducing *r, size_t column, lun_error *err)
{
    const linalg *l = r->l;
    const size_t n = r->t->n;
    return launch_groups(l, "multiply_columns", l->batches * (n / 4 + 2 * r->columns),
                         ARGS(ARG_BLOCK(r->a->block), ARG_BLOCK(r->panel.block), ARG_BLOCK(r->sums.block),
                              ARG_LONG(l->batches), ARG_LONG(n), ARG_LONG(r->t->pitch), ARG_LONG(r->first),
                              ARG_LONG(r->columns), ARG_LONG(column)),
                         err);
}

/* Subtracts v w^H and w v^H from the matrix after the panel: one product with v and w stacked. */
static lun_status subtract(const reducing *r, lun_error *err)
{
    const size_t pitch = r->t->pitch, k = 2 * r->columns, behind = r->first + r->columns, rest = r->t->n - behind;
    if (rest == 0)
        return LUN_OK;
    lun_array rows = r->panel;
    rows.ndim = 3;
    rows.shape[0] = r->l->batches;
    rows.shape[1] = 3 * r->columns;
    rows.shape[2] = pitch;
    rows.stride[0] = (int64_t)(3 * r->columns * pitch);
    rows.stride[1] = (int64_t)pitch;
    rows.stride[2] = 1;
    const lun_array to = matrix_part(r->a, behind, rest, behind, rest);
    const lun_array left = matrix_part(&rows, 0, k, behind, rest), turned = matrix_transposed(&left);
    const lun_array right = matrix_part(&rows, r->columns, k, behind, rest);
    return plan_array_multiply_conjugated(r->l->p, &to, &turned, &right, LUN_CONJUGATE_B, -1, 1, err);
}

/* The off-diagonal numbers, made real. */
static lun_status take_directions(const reducing *r, tridiagonal *out, lun_error *err)
{
    if (!lun_dtype_has(r->l->dtype, LUN_PAIRS))
        return LUN_OK;
    return launch_items(r->l, "take_directions", r->l->batches, 1,
                        ARGS(ARG_BLOCK(out->e.block), ARG_BLOCK(out->ways.block), ARG_BLOCK(r->beside.block),
                             ARG_LONG(r->l->batches), ARG_LONG(out->n)),
                        err);
}

lun_status eigen_tridiagonal(const linalg *l, tridiagonal *out, const lun_array *a, bool turned, lun_error *err)
{
    operation *op = l->p->op;
    const size_t n = rows_of(a), pitch = ceil_div(n, PITCH) * PITCH;
    const size_t rows[] = {l->batches, n};
    const lun_dtype part = lun_dtype_part(l->dtype);
    lun_array work;
    reducing r = {.l = l, .t = out, .a = &work};
    out->n = n;
    out->pitch = pitch;
    TRY(operation_scratch_array(op, &out->v, l->dtype, 3, (const size_t[]){l->batches, n, pitch}, err));
    TRY(operation_scratch_array(op, &out->d, part, 2, rows, err));
    TRY(operation_scratch_array(op, &out->e, part, 2, rows, err));
    if (part != l->dtype)
        TRY(operation_scratch_array(op, &out->ways, l->dtype, 2, rows, err));
    TRY(operation_scratch_array(op, &out->exponents, LUN_i32, 1, &l->batches, err));
    const unsigned mark = operation_scratch_mark(op);
    TRY(operation_scratch_array(op, &work, l->dtype, 3, (const size_t[]){l->batches, n, pitch}, err));
    TRY(operation_scratch_array(op, &r.panel, l->dtype, 3, (const size_t[]){l->batches, 3 * COLUMNS, pitch}, err));
    TRY(operation_scratch_array(op, &r.sums, l->dtype, 2, (const size_t[]){l->batches, 2 * COLUMNS}, err));
    TRY(operation_scratch_array(op, &r.taus, part, 2, rows, err));
    r.beside = out->e;
    if (part != l->dtype)
        TRY(operation_scratch_array(op, &r.beside, l->dtype, 2, rows, err));
    TRY(eigen_load(l, &work, &out->exponents, a, true, turned, err));
    for (; r.first < n; r.first += r.columns) {
        r.columns = smaller(COLUMNS, n - r.first);
        const size_t behind = r.first + r.columns;
        for (size_t j = r.first; j < behind; j++) {
            TRY(reflect(&r, j, j > r.first, true, err));
            if (j + 2 < n)
                TRY(multiply(&r, j, err));
        }
        if (behind < n)
            TRY(reflect(&r, behind, true, false, err));
        TRY(subtract(&r, err));
    }
    TRY(take_directions(&r, out, err));
    operation_scratch_again(op, mark);
    return LUN_OK;
}

/* As complex vectors. */
static lun_status give_directions(const linalg *l, const tridiagonal *t, lun_array *x, lun_error *err)
{
    const lun_array from = *x;
    TRY(operation_scratch_array(l->p->op, x, l->dtype, from.ndim, from.shape, err));
    return launch_items(l, "give_directions", l->batches * t->n, 8,
                        ARGS(ARG_BLOCK(x->block), ARG_MATRIX(&from), ARG_BLOCK(t->ways.block), ARG_LONG(l->batches),
                             ARG_LONG(t->n), ARG_LONG(columns_of(x))),
                        err);
}

/* Blocks of reflections, rows V, are 1 - V^T U^-1 conj(V), U the upper triangle of conj(V) V^T with half its diagonal. */
lun_status eigen_reflect_back(const linalg *l, const tridiagonal *t, lun_array *x, lun_error *err)
{
    const size_t n = t->n, m = columns_of(x), blocks = ceil_div(n, BLOCK);
    if (lun_dtype_has(l->dtype, LUN_PAIRS))
        TRY(give_directions(l, t, x, err));
    const unsigned mark = operation_scratch_mark(l->p->op);
    lun_array products, gram;
    TRY(operation_scratch_array(l->p->op, &products, l->dtype, 3, (const size_t[]){l->batches, BLOCK, m}, err));
    TRY(operation_scratch_array(l->p->op, &gram, l->dtype, 3, (const size_t[]){l->batches, BLOCK, BLOCK}, err));
    for (size_t block = blocks; block-- > 0;) {
        const size_t first = block * BLOCK, k = smaller(BLOCK, n - first), behind = n - first;
        const lun_array v = matrix_part(&t->v, first, k, first, behind), turned = matrix_transposed(&v);
        const lun_array rows = matrix_part(x, first, behind, 0, m), y = matrix_part(&products, 0, k, 0, m);
        lun_array g = gram;
        g.shape[1] = g.shape[2] = k;
        g.stride[0] = (int64_t)(k * k);
        g.stride[1] = (int64_t)k;
        g.size = l->batches * k * k;
        TRY(plan_array_multiply_conjugated(l->p, &g, &v, &turned, LUN_CONJUGATE_A, 1, 0, err));
        TRY(launch_items(l, "halve_diagonals", l->batches * k, 1024,
                         ARGS(ARG_BLOCK(g.block), ARG_LONG(l->batches), ARG_LONG(k)), err));
        TRY(plan_array_multiply_conjugated(l->p, &y, &v, &rows, LUN_CONJUGATE_A, 1, 0, err));
        TRY(linalg_triangular(l, &g, LINALG_UPPER, &y, err));
        TRY(plan_array_multiply(l->p, &rows, &turned, &y, -1, 1, err));
    }
    operation_scratch_again(l->p->op, mark);
    return LUN_OK;
}

lun_status eigen_take_vectors(const linalg *l, const lun_array *to, const lun_array *from, const lun_array *other,
                              const lun_array *beside, lun_error *err)
{
    if (columns_of(from) == 0)
        return LUN_OK;
    return launch_items(l, "take_vectors", l->batches * columns_of(from), 8,
                        ARGS(ARG_MATRIX(to), ARG_MATRIX(from), ARG_MATRIX_OR(other, to), ARG_MATRIX_OR(beside, to),
                             ARG_LONG(l->batches), ARG_LONG(rows_of(from)), ARG_LONG(beside ? rows_of(beside) : 0),
                             ARG_LONG(columns_of(from))),
                        err);
}

lun_status eigen_take_values(const linalg *l, const lun_array *to, const lun_array *from, const lun_array *exponents,
                             const lun_array *more, lun_error *err)
{
    const size_t count = to->shape[to->ndim - 1];
    return launch_items(l, "take_values", l->batches * count, 1024,
                        ARGS(ARG_VALUES(to), ARG_MATRIX(from), ARG_BLOCK(exponents->block),
                             ARG_BLOCK(more ? more->block : NULL), ARG_LONG(l->batches), ARG_LONG(count),
                             ARG_LONG(more != NULL)),
                        err);
}

lun_status eigen_normalise(const linalg *l, const lun_array *to, const lun_array *from, lun_error *err)
{
    lun_array sums;
    const size_t rows = l->batches * rows_of(from);
    TRY(operation_scratch_array(l->p->op, &sums, lun_dtype_part(l->dtype), 1, &rows, err));
    TRY(launch_items(l, "squares_of_rows", rows, 8,
                     ARGS(ARG_BLOCK(sums.block), ARG_BLOCK(from->block), ARG_LONG(rows), ARG_LONG(columns_of(from))),
                     err));
    return launch_items(l, "divide_by_norms", rows, 8,
                        ARGS(ARG_BLOCK(to->block), ARG_BLOCK(from->block), ARG_BLOCK(sums.block), ARG_LONG(l->batches),
                             ARG_LONG(rows_of(from)), ARG_LONG(columns_of(from))),
                        err);
}
