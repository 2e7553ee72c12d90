/* LU with partial pivoting, by halves of the columns (Toledo 1997), down to panels. */
#include "op/linalg/linalg.h"

typedef struct factoring {
    const linalg *l;
    const lun_array *a, *pivots;
} factoring;

/* Exchanges rows of some columns according to the pivots. With `solve`, these rows are then solved with the unit
 * triangle in the columns from `triangle` on. */
static lun_status swap(const factoring *f, size_t column, size_t columns, size_t from, size_t behind, size_t triangle,
                       bool solve, lun_error *err)
{
    const linalg *l = f->l;
    const size_t each = l->leaves->swaps_solve ? 16 : smaller(256, larger(16, ceil_div(columns, 4 * 16) * 16));
    return linalg_launch_wide(l, "swap_rows", l->batches * ceil_div(columns, each),
                              ARGS(ARG_MATRIX(f->a), ARG_LONG(l->batches), ARG_LONG(column), ARG_LONG(columns),
                                   ARG_LONG(each), ARG_BLOCK(f->pivots->block),
                                   ARG_LONG(f->pivots->shape[f->pivots->ndim - 1]), ARG_LONG(from), ARG_LONG(behind),
                                   ARG_LONG(triangle), ARG_LONG(solve)),
                              err);
}

static lun_status factor_panel(const factoring *f, size_t row, size_t column, size_t rows, size_t columns,
                               linalg_panel panel, lun_error *err)
{
    const linalg *l = f->l;
    const lun_array part = matrix_part(f->a, row, rows, column, columns);
    const unsigned scratch = operation_scratch_mark(l->p->op);
    const size_t groups = linalg_groups(l, l->batches);
    const linalg_team team = linalg_team_of(l, panel.team, panel.columns);
    lun_block *copies = NULL;
    if (l->leaves->registers == 0) /* where groups copy panels */
        TRY(operation_scratch(l->p->op, &copies, groups * rows * panel.columns * lun_dtype_bytes(l->dtype), err));
    TRY(linalg_launch_panel(l, "lu_plain", "lu_leaf", groups, panel,
                            ARGS(ARG_MATRIX(&part), ARG_LONG(l->batches), ARG_LONG(rows), ARG_LONG(columns),
                                 ARG_LONG(row), ARG_BLOCK(f->pivots->block),
                                 ARG_LONG(f->pivots->shape[f->pivots->ndim - 1]), ARG_BLOCK(l->info), ARG_BLOCK(copies),
                                 ARG_VALUE(&team)),
                            err));
    operation_scratch_again(l->p->op, scratch);
    return LUN_OK;
}

/* A part of the matrix with at least as many rows as columns; rows of other columns are not exchanged. */
static lun_status factor(const factoring *f, size_t row, size_t column, size_t rows, size_t columns, lun_error *err)
{
    const lun_array *a = f->a;
    const linalg_panel panel = linalg_panel_of(f->l, rows, false);
    if (columns <= panel.columns)
        return factor_panel(f, row, column, rows, columns, panel, err);
    const size_t left = matrix_half(columns, panel.columns), right = columns - left, below = rows - left;
    const lun_array triangle = matrix_part(a, row, left, column, left);
    const lun_array beside = matrix_part(a, row, left, column + left, right);
    const lun_array under = matrix_part(a, row + left, below, column, left);
    const lun_array rest = matrix_part(a, row + left, below, column + left, right);
    const bool at_once = f->l->leaves->swaps_solve && left <= f->l->leaves->leaf;
    TRY(factor(f, row, column, rows, left, err));
    TRY(swap(f, column + left, right, row, row + left, column, at_once, err));
    if (!at_once)
        TRY(linalg_triangular(f->l, &triangle, LINALG_UNIT, &beside, err));
    TRY(plan_array_multiply(f->l->p, &rest, &under, &beside, -1, 1, err));
    TRY(factor(f, row + left, column + left, below, right, err));
    return swap(f, column, left, row + left, row + columns, 0, false, err);
}

lun_status linalg_lu(const linalg *l, const lun_array *a, const lun_array *pivots, lun_error *err)
{
    const size_t rows = rows_of(a), columns = columns_of(a), square = smaller(rows, columns);
    const factoring f = {l, a, pivots};
    if (a->size == 0)
        return LUN_OK;
    if (columns > linalg_panel_of(l, rows, false).columns && linalg_is_whole(l, a, 0))
        return linalg_eliminate(l, a, NULL, NULL, pivots, err);
    TRY(factor(&f, 0, 0, rows, square, err));
    if (columns > square) {
        const lun_array triangle = matrix_part(a, 0, square, 0, square);
        const lun_array beside = matrix_part(a, 0, square, square, columns - square);
        TRY(swap(&f, square, columns - square, 0, square, 0, false, err));
        TRY(linalg_triangular(l, &triangle, LINALG_UNIT, &beside, err));
    }
    return LUN_OK;
}
