/* Cholesky's factorisation. */
#include "op/linalg/linalg.h"

#define SYMMETRIC 512 /* rows up to which a product with its own transpose is computed as a whole */

static lun_status factor_leaf(const linalg *l, const lun_array *a, size_t row, lun_error *err)
{
    return linalg_launch(
        l, "cholesky_leaf", l->batches,
        ARGS(ARG_MATRIX(a), ARG_LONG(l->batches), ARG_LONG(rows_of(a)), ARG_LONG(row), ARG_BLOCK(l->info)), err);
}

/* The lower triangle of c - b b^H. In blocks on the diagonal the upper part is also written, with meaningless
 * numbers. */
static lun_status subtract_square(const linalg *l, const lun_array *c, const lun_array *b, lun_error *err)
{
    const size_t n = rows_of(c), k = columns_of(b);
    if (n <= SYMMETRIC) {
        const lun_array other = matrix_transposed(b);
        return plan_array_multiply_conjugated(l->p, c, b, &other, LUN_CONJUGATE_B, -1, 1, err);
    }
    const size_t half = matrix_half(n, l->leaves->leaf), rest = n - half;
    const lun_array first = matrix_part(b, 0, half, 0, k), last = matrix_part(b, half, rest, 0, k);
    const lun_array corners[2] = {matrix_part(c, 0, half, 0, half), matrix_part(c, half, rest, half, rest)};
    const lun_array beside = matrix_part(c, half, rest, 0, half), across = matrix_transposed(&first);
    TRY(subtract_square(l, &corners[0], &first, err));
    TRY(plan_array_multiply_conjugated(l->p, &beside, &last, &across, LUN_CONJUGATE_B, -1, 1, err));
    return subtract_square(l, &corners[1], &last, err);
}

/* `row`: of a's first row in the whole matrix. */
static lun_status by_halves(const linalg *l, const lun_array *a, size_t row, lun_error *err)
{
    const size_t n = rows_of(a), half = matrix_half(n, l->leaves->leaf), rest = n - half;
    if (n <= l->leaves->leaf)
        return factor_leaf(l, a, row, err);
    const lun_array first = matrix_part(a, 0, half, 0, half), last = matrix_part(a, half, rest, half, rest);
    const lun_array below = matrix_part(a, half, rest, 0, half), turned = matrix_transposed(&below);
    TRY(by_halves(l, &first, row, err));
    TRY(linalg_triangular(l, &first, LINALG_CONJUGATED, &turned, err)); /* X L^H = A */
    TRY(subtract_square(l, &last, &below, err));
    return by_halves(l, &last, row + half, err);
}

/* ---- by blocks, for devices on which a launch takes longer than its work
 * ------------------------------------------------ */

#define LEAST_CORNER 8
#define OUTER 4  /* blocks of columns that are finished before the columns to their right */
#define STRIP 16 /* blocks of columns in one product, which also computes a part of the upper triangle */

typedef struct blocks {
    const linalg *l;
    const lun_array *a;
    lun_array corners[2]; /* for few matrices: two alternating blocks of L, because the next launch writes the place of
                           * one */
} blocks;

/* The number of groups that share a matrix, each of which computes the block's L itself. The division of the rows below
 * does not affect the results, so they do not depend on this number, which depends on the batch. */
static size_t parts_of(const blocks *b, size_t under)
{
    const size_t most = b->l->p->op->device->info.units / b->l->batches;
    return larger(1, smaller(most, ceil_div(under, b->l->leaves->corner)));
}

/* The block at i, w wide, and the rows below it, up to column `behind`. */
static lun_status factor_block(const blocks *b, size_t i, size_t w, size_t behind, lun_error *err)
{
    const linalg *l = b->l;
    const size_t n = rows_of(b->a), under = n - i - w, right = behind - i - w, parts = parts_of(b, under);
    const size_t turn = i / l->leaves->corner % 2;
    const bool waits = i > 0 && parts_of(b, n - i) > 1; /* the corner's factor from the previous launch */
    const lun_array block = matrix_part(b->a, i, w, i, w), below = matrix_part(b->a, i + w, under, i, w);
    const lun_array first = matrix_part(&below, 0, right, 0, w), across = matrix_transposed(&first);
    const lun_array rest = matrix_part(b->a, i + w, under, i + w, right);
    TRY(linalg_launch_wide(l, "cholesky_leaf", l->batches * parts,
                           ARGS(ARG_MATRIX(&block), ARG_LONG(l->batches), ARG_LONG(w), ARG_LONG(i), ARG_BLOCK(l->info),
                                ARG_LONG(under), ARG_LONG(parts), ARG_BLOCK(b->corners[turn].block),
                                ARG_BLOCK(waits ? b->corners[1 - turn].block : NULL)),
                           err));
    if (under > 0)
        TRY(plan_array_multiply_conjugated(l->p, &rest, &below, &across, LUN_CONJUGATE_B, -1, 1, err));
    return LUN_OK;
}

static lun_status by_blocks(const linalg *l, const lun_array *a, lun_error *err)
{
    const size_t n = rows_of(a), block = l->leaves->corner, outer = OUTER * block, strip = STRIP * block;
    size_t shape[LUN_MAX_AXES];
    blocks b = {.l = l, .a = a};
    for (int i = 0; i < a->ndim; i++)
        shape[i] = a->shape[i];
    shape[a->ndim - 2] = shape[a->ndim - 1] = block;
    for (int i = 0; i < 2 && parts_of(&b, n) > 1; i++)
        TRY(operation_scratch_array(l->p->op, &b.corners[i], l->dtype, a->ndim, shape, err));
    for (size_t from = 0; from < n; from += outer) {
        const size_t behind = smaller(n, from + outer);
        for (size_t i = from; i < behind; i += block)
            TRY(factor_block(&b, i, smaller(block, behind - i), behind, err));
        for (size_t c = behind; c < n; c += strip) {
            const size_t columns = smaller(strip, n - c);
            const lun_array to = matrix_part(a, c, n - c, c, columns);
            const lun_array left = matrix_part(a, c, n - c, from, behind - from);
            const lun_array right = matrix_part(a, c, columns, from, behind - from), across = matrix_transposed(&right);
            TRY(plan_array_multiply_conjugated(l->p, &to, &left, &across, LUN_CONJUGATE_B, -1, 1, err));
        }
    }
    return LUN_OK;
}

/* Few rows take a smaller block, and as few items as a group may have. */
static lun_status by_block(const linalg *l, const lun_array *a, lun_error *err)
{
    linalg_leaves leaves = *l->leaves;
    linalg few = *l;
    while (leaves.corner > LEAST_CORNER && rows_of(a) <= leaves.corner / 2) {
        leaves.corner /= 2;
        leaves.items = 0;
    }
    few.leaves = &leaves;
    return by_blocks(&few, a, err);
}

lun_status linalg_cholesky(const linalg *l, const lun_array *a, lun_error *err)
{
    if (a->size == 0)
        return LUN_OK;
    return l->leaves->corner ? by_block(l, a, err) : by_halves(l, a, 0, err);
}
