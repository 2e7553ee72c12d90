/* Triangular solves: halves, down to leaves. */
#include "op/linalg/linalg.h"

/* Columns of b for a group: as many groups as the units can use, with whole cache lines. */
static size_t columns_each(const linalg *l, size_t columns)
{
    const size_t units = l->p->op->device->info.units, line = 16;
    return larger(line, ceil_div(ceil_div(columns, 2 * units), line) * line);
}

/* An upper triangle is a lower one in reverse order, if the rows of b are reversed as well. */
static lun_status solve_leaf(const linalg *l, const lun_array *t, unsigned kind, const lun_array *b, lun_error *err)
{
    const bool upper = kind & LINALG_UPPER;
    const lun_array from = matrix_reversed(t, upper, upper), to = matrix_reversed(b, upper, false);
    const matmul_view t_at = matrix_view(&from), b_at = matrix_view(&to);
    const size_t each = columns_each(l, columns_of(b));
    return linalg_launch(l, "triangle_leaf", l->batches * ceil_div(columns_of(b), each),
                         ARGS(ARG_BLOCK(t->block), ARG_VALUE(&t_at), ARG_BLOCK(b->block), ARG_VALUE(&b_at),
                              ARG_LONG(l->batches), ARG_LONG(rows_of(b)), ARG_LONG(columns_of(b)), ARG_LONG(each),
                              ARG_LONG((kind & LINALG_UNIT) != 0), ARG_LONG((kind & LINALG_CONJUGATED) != 0)),
                         err);
}

lun_status linalg_triangular(const linalg *l, const lun_array *t, unsigned kind, const lun_array *b, lun_error *err)
{
    const bool upper = kind & LINALG_UPPER;
    const unsigned conjugated = kind & LINALG_CONJUGATED ? LUN_CONJUGATE_A : 0;
    const size_t n = rows_of(b), m = columns_of(b);
    if (n == 0 || m == 0 || l->batches == 0)
        return LUN_OK;
    if (n <= l->leaves->leaf)
        return solve_leaf(l, t, kind, b, err);
    const size_t half = matrix_half(n, l->leaves->leaf), rest = n - half;
    const lun_array above = matrix_part(b, 0, half, 0, m), below = matrix_part(b, half, rest, 0, m);
    const lun_array first = matrix_part(t, 0, half, 0, half), last = matrix_part(t, half, rest, half, rest);
    const lun_array beside = upper ? matrix_part(t, 0, half, half, rest) : matrix_part(t, half, rest, 0, half);
    TRY(linalg_triangular(l, upper ? &last : &first, kind, upper ? &below : &above, err));
    TRY(upper ? plan_array_multiply_conjugated(l->p, &above, &beside, &below, conjugated, -1, 1, err)
              : plan_array_multiply_conjugated(l->p, &below, &beside, &above, conjugated, -1, 1, err));
    return linalg_triangular(l, upper ? &first : &last, kind, upper ? &above : &below, err);
}
