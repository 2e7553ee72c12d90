/* Cholesky's factorisation. */
#include "op/linalg/linalg.h"

#define SYMMETRIC 512 /* rows up to which a product with its own transpose is computed whole */

static lun_status factor_leaf(const linalg *l, const lun_array *a, size_t row, lun_error *err)
{
    const matmul_view at = matrix_view(a);
    return linalg_launch(l, "cholesky_leaf", l->batches,
                         ARGS(ARG_BLOCK(a->block), ARG_VALUE(&at), ARG_LONG(l->batches), ARG_LONG(rows_of(a)),
                              ARG_LONG(row), ARG_BLOCK(l->info)),
                         err);
}

/* The lower triangle of c less b b^T; of its blocks on the diagonal more than that is written, where numbers mean nothing. */
static lun_status subtract_square(const linalg *l, const lun_array *c, const lun_array *b, lun_error *err)
{
    lun_status status = LUN_OK;
    const size_t n = rows_of(c), k = columns_of(b);
    if (n <= SYMMETRIC) {
        const lun_array other = matrix_transposed(b);
        return plan_array_multiply(l->p, c, b, &other, -1, 1, err);
    }
    const size_t half = matrix_half(n, l->leaves->leaf), rest = n - half;
    const lun_array first = matrix_part(b, 0, half, 0, k), last = matrix_part(b, half, rest, 0, k);
    const lun_array corners[2] = {matrix_part(c, 0, half, 0, half), matrix_part(c, half, rest, half, rest)};
    const lun_array beside = matrix_part(c, half, rest, 0, half), across = matrix_transposed(&first);
    TRY(subtract_square(l, &corners[0], &first, err));
    TRY(plan_array_multiply(l->p, &beside, &last, &across, -1, 1, err));
    TRY(subtract_square(l, &corners[1], &last, err));
done:
    return status;
}

/* `row`: of a's first row in the whole matrix. */
static lun_status factor(const linalg *l, const lun_array *a, size_t row, lun_error *err)
{
    lun_status status = LUN_OK;
    const size_t n = rows_of(a), half = matrix_half(n, l->leaves->leaf), rest = n - half;
    if (n <= l->leaves->leaf)
        return factor_leaf(l, a, row, err);
    const lun_array first = matrix_part(a, 0, half, 0, half), last = matrix_part(a, half, rest, half, rest);
    const lun_array below = matrix_part(a, half, rest, 0, half), turned = matrix_transposed(&below);
    TRY(factor(l, &first, row, err));
    TRY(linalg_triangular(l, &first, false, false, &turned, err)); /* X L^T = A */
    TRY(subtract_square(l, &last, &below, err));
    TRY(factor(l, &last, row + half, err));
done:
    return status;
}

lun_status linalg_cholesky(const linalg *l, const lun_array *a, lun_error *err)
{
    return a->size ? factor(l, a, 0, err) : LUN_OK;
}
