/* Eigenvalues of tridiagonal matrices: by divide and conquer with their vectors, by bisection without. */
#include "op/linalg/eigen.h"

#include <string.h>

static lun_status launch_items(const linalg *l, const char *name, size_t items, size_t least, const launch_arg *args,
                               size_t count, lun_error *err)
{
    return eigen_launch_items(l, "divide_plain", name, items, least, args, count, err);
}

lun_status eigen_bisect(const linalg *l, lun_array *values, const tridiagonal *t, lun_error *err)
{
    TRY(operation_scratch_array(l->p->op, values, l->dtype, 2, (const size_t[]){l->batches, t->n}, err));
    return launch_items(l, "bisect_values", l->batches * t->n, 1,
                        ARGS(ARG_BLOCK(values->block), ARG_BLOCK(t->d.block), ARG_BLOCK(t->e.block),
                             ARG_LONG(l->batches), ARG_LONG(t->n)),
                        err);
}

/* The data of merges, for each of `total` rows of all matrices. */
typedef struct merging {
    const linalg *l;
    const tridiagonal *t;
    size_t total, each;
    lun_array values, poles, zs, rows, kept, rhos, turns, turned, distances, nearest, weights, places;
    lun_array vectors; /* the problem's own, with strides for the device */
} merging;

static lun_status make_room(merging *m, lun_error *err)
{
    operation *op = m->l->p->op;
    const lun_dtype dtype = m->l->dtype;
    const size_t all = m->l->batches * m->total, twice = 2 * all, bytes = all * (2 * lun_dtype_bytes(dtype) + 8);
    TRY(operation_scratch_array(op, &m->poles, dtype, 1, &all, err));
    TRY(operation_scratch_array(op, &m->zs, dtype, 1, &twice, err));
    TRY(operation_scratch_array(op, &m->rows, LUN_i32, 1, &twice, err));
    TRY(operation_scratch_array(op, &m->kept, LUN_i32, 1, &all, err));
    TRY(operation_scratch_array(op, &m->rhos, dtype, 1, &all, err));
    TRY(operation_scratch_array(op, &m->turns, LUN_u8, 1, &bytes, err));
    TRY(operation_scratch_array(op, &m->turned, LUN_i32, 1, &all, err));
    TRY(operation_scratch_array(op, &m->distances, dtype, 1, &all, err));
    TRY(operation_scratch_array(op, &m->nearest, LUN_i32, 1, &all, err));
    TRY(operation_scratch_array(op, &m->weights, dtype, 1, &all, err));
    return operation_scratch_array(op, &m->places, LUN_i32, 1, &all, err);
}

static lun_status solve_merges(const merging *m, const lun_array *q, lun_error *err)
{
    const linalg *l = m->l;
    const size_t all = l->batches * m->total, size = 2 * m->each;
    const bool by_rows = eigen_takes_rows(l); /* an item's vector is a row, so that it writes whole cache lines */
    TRY(launch_items(l, "divide_deflate", all / size, 1,
                     ARGS(ARG_BLOCK(q->block), ARG_BLOCK(m->values.block), ARG_BLOCK(m->t->e.block),
                          ARG_BLOCK(m->poles.block), ARG_BLOCK(m->zs.block), ARG_BLOCK(m->rows.block),
                          ARG_BLOCK(m->kept.block), ARG_BLOCK(m->rhos.block), ARG_BLOCK(m->turns.block),
                          ARG_BLOCK(m->turned.block), ARG_LONG(l->batches), ARG_LONG(m->t->n), ARG_LONG(m->total),
                          ARG_LONG(m->each)),
                     err));
    TRY(launch_items(l, "divide_roots", all, 1,
                     ARGS(ARG_BLOCK(m->poles.block), ARG_BLOCK(m->zs.block), ARG_BLOCK(m->kept.block),
                          ARG_BLOCK(m->rhos.block), ARG_BLOCK(m->distances.block), ARG_BLOCK(m->nearest.block),
                          ARG_LONG(l->batches), ARG_LONG(m->total), ARG_LONG(m->each)),
                     err));
    TRY(launch_items(l, "divide_weights", all, 1,
                     ARGS(ARG_BLOCK(m->poles.block), ARG_BLOCK(m->zs.block), ARG_BLOCK(m->kept.block),
                          ARG_BLOCK(m->distances.block), ARG_BLOCK(m->nearest.block), ARG_BLOCK(m->weights.block),
                          ARG_BLOCK(m->values.block), ARG_BLOCK(m->places.block), ARG_LONG(l->batches),
                          ARG_LONG(m->total), ARG_LONG(m->each)),
                     err));
    return launch_items(l, "divide_vectors", all, 1,
                        ARGS(ARG_BLOCK(m->poles.block), ARG_BLOCK(m->rows.block), ARG_BLOCK(m->kept.block),
                             ARG_BLOCK(m->distances.block), ARG_BLOCK(m->nearest.block), ARG_BLOCK(m->weights.block),
                             ARG_BLOCK(m->places.block), ARG_BLOCK(m->turns.block), ARG_BLOCK(m->turned.block),
                             ARG_BLOCK(m->vectors.block), ARG_LONG(l->batches), ARG_LONG(m->total), ARG_LONG(m->each),
                             ARG_LONG(by_rows ? 1 : size), ARG_LONG(by_rows ? size : 1)),
                        err);
}

/* Matrices rows x columns, two for each merge. */
static lun_array halves(const lun_array *of, size_t merges, size_t rows, size_t columns, int64_t merge, int64_t half,
                        int64_t row, int64_t column)
{
    lun_array view = *of;
    view.ndim = 4;
    memcpy(view.shape, (const size_t[]){merges, 2, rows, columns}, 4 * sizeof(size_t));
    memcpy(view.stride, (const int64_t[]){merge, half, row, column}, 4 * sizeof(int64_t));
    view.size = merges * 2 * rows * columns;
    return view;
}

/* The vectors of both halves of each merge, columns in q, times those of the merges. */
static lun_status merge(const merging *m, const lun_array *to, const lun_array *q, lun_error *err)
{
    const size_t half = m->each, size = 2 * half, merges = m->l->batches * m->total / size;
    const int64_t h = (int64_t)half, s = (int64_t)size;
    const bool by_rows = eigen_takes_rows(m->l);
    const int64_t row = by_rows ? 1 : s, column = by_rows ? s : 1;
    TRY(solve_merges(m, q, err));
    const lun_array out = halves(to, merges, half, size, s * s, s * h, s, 1);
    const lun_array left = halves(q, merges, half, half, 2 * h * h, h * h, h, 1);
    const lun_array right = halves(&m->vectors, merges, half, size, s * s, h * row, row, column);
    return plan_array_multiply(m->l->p, &out, &left, &right, 1, 0, err);
}

lun_status eigen_divide(const linalg *l, lun_array *values, lun_array *vectors, const tridiagonal *t, lun_error *err)
{
    operation *op = l->p->op;
    size_t blocks = 1;
    while (ceil_div(t->n, blocks) > EIGEN_SMALL)
        blocks *= 2;
    const size_t each = ceil_div(t->n, blocks), total = each * blocks;
    merging m = {.l = l, .t = t, .total = total, .each = each};
    lun_array q[2];
    const size_t matrix[] = {l->batches, total, total};
    TRY(operation_scratch_array(op, &m.values, l->dtype, 2, matrix, err));
    for (int i = 0; i < 2; i++)
        TRY(operation_scratch_array(op, &q[i], l->dtype, 3, matrix, err));
    const unsigned mark = operation_scratch_mark(op);
    TRY(operation_scratch_array(op, &m.vectors, l->dtype, 3, matrix, err));
    TRY(make_room(&m, err));
    linalg small = *l;
    small.batches = l->batches * blocks;
    lun_array leaves = q[0], leaf_values = m.values;
    leaves.ndim = 3;
    memcpy(leaves.shape, (const size_t[]){small.batches, each, each}, 3 * sizeof(size_t));
    shape_strides(leaves.stride, 3, leaves.shape);
    leaf_values.ndim = 2;
    memcpy(leaf_values.shape, (const size_t[]){small.batches, each}, 2 * sizeof(size_t));
    shape_strides(leaf_values.stride, 2, leaf_values.shape);
    lun_array leaf_vectors = leaves;
    leaf_vectors.block = q[1].block;
    TRY(launch_items(l, "divide_blocks", l->batches * total, 64,
                     ARGS(ARG_BLOCK(leaves.block), ARG_BLOCK(t->d.block), ARG_BLOCK(t->e.block), ARG_LONG(l->batches),
                          ARG_LONG(t->n), ARG_LONG(total), ARG_LONG(each)),
                     err));
    TRY(eigen_jacobi(&small, &leaves, &leaf_values, &leaf_vectors, false, err));
    int now = 1;
    for (; m.each < total; m.each *= 2, now = 1 - now)
        TRY(merge(&m, &q[1 - now], &q[now], err));
    operation_scratch_again(op, mark);
    *values = m.values;
    *vectors = q[now];
    return LUN_OK;
}
