/* Singular values by the polar form A = X H, with X unitary and H Hermitian; H's eigenvectors are the right singular
 * vectors of A (Nakatsukasa, Higham 2013). X is found by dynamically weighted Halley steps (QDWH: Nakatsukasa, Bai,
 * Gygi 2010), which raise all singular values to 1. The left vectors are those of A V, orthogonalised in the order of
 * the values. Halley steps with QR are stable if columns are pivoted and rows sorted, or if A is the adjoint of a
 * triangle R = Q^H B, as here. */
#include "op/linalg/eigen.h"

#include <math.h>
#include <string.h>

#define BY_QR 100 /* weights above which a step uses QR, because Cholesky's method loses digits there */
#define STEPS 12

static lun_status scratch(const linalg *l, lun_array *out, size_t rows, size_t columns, lun_error *err)
{
    return operation_scratch_array(l->p->op, out, l->dtype, 3, (const size_t[]){l->batches, rows, columns}, err);
}

/* A step's weights: x becomes x (a + b x^2) / (1 + c x^2), the best choice for values from `least` to 1. */
typedef struct weights {
    double a, b, c;
} weights;

static weights weights_for(double least)
{
    const double square = least * least, d = cbrt(4 * (1 - square) / (square * square)), root = sqrt(1 + d);
    const double a = root + sqrt(8 - 4 * d + 8 * (2 - square) / (square * root)) / 2, b = (a - 1) * (a - 1) / 4;
    return (weights){a, b, a + b - 1};
}

/* X = (b / c) X + (a - b / c) / sqrt(c) Q1 Q2^H, Q the unitary factor of X above 1 / sqrt(c). */
static lun_status step_by_qr(const linalg *l, const lun_array *x, const weights *w, lun_error *err)
{
    const size_t n = rows_of(x);
    const double root = sqrt(w->c);
    const unsigned mark = operation_scratch_mark(l->p->op);
    lun_array stacked, q;
    linalg_qr factor;
    TRY(scratch(l, &stacked, 2 * n, n, err));
    TRY(scratch(l, &q, 2 * n, n, err));
    const lun_array above = matrix_part(&stacked, 0, n, 0, n), below = matrix_part(&stacked, n, n, 0, n);
    TRY(plan_array_copy(l->p, &above, x, err));
    TRY(linalg_fill_diagonal(l, &below, 1 / root, err));
    TRY(linalg_qr_factor(&factor, l, &stacked, false, err));
    TRY(linalg_qr_q(&factor, l, &q, err));
    const lun_array q1 = matrix_part(&q, 0, n, 0, n), q2 = matrix_part(&q, n, n, 0, n), turned = matrix_transposed(&q2);
    TRY(plan_array_multiply_conjugated(l->p, x, &q1, &turned, LUN_CONJUGATE_B, (w->a - w->b / w->c) / root, w->b / w->c,
                                       err));
    operation_scratch_again(l->p->op, mark);
    return LUN_OK;
}

/* X = X (b / c + (a - b / c) Z^-1), Z = 1 + c X^H X. `other` has room for X, which it becomes. */
static lun_status step_by_cholesky(const linalg *l, lun_array *x, lun_array *other, const weights *w, lun_error *err)
{
    const size_t n = rows_of(x);
    const unsigned mark = operation_scratch_mark(l->p->op);
    lun_array z, inverse;
    TRY(scratch(l, &z, n, n, err));
    TRY(scratch(l, &inverse, n, n, err));
    const lun_array turned = matrix_transposed(x), inverse_turned = matrix_transposed(&inverse), from = *x;
    TRY(linalg_fill_diagonal(l, &z, 1, err));
    TRY(plan_array_multiply_conjugated(l->p, &z, &turned, x, LUN_CONJUGATE_A, w->c, 1, err));
    TRY(linalg_cholesky(l, &z, err));
    TRY(linalg_fill_diagonal(l, &inverse, 1, err));
    TRY(linalg_triangular(l, &z, LINALG_LOWER, &inverse, err));
    TRY(linalg_fill_diagonal(l, &z, w->b / w->c, err));
    TRY(plan_array_multiply_conjugated(l->p, &z, &inverse_turned, &inverse, LUN_CONJUGATE_A, w->a - w->b / w->c, 1,
                                       err));
    TRY(plan_array_multiply(l->p, other, &from, &z, 1, 0, err));
    *x = *other;
    *other = from;
    operation_scratch_again(l->p->op, mark);
    return LUN_OK;
}

/* The unitary factor of square matrices. Negligible singular values need not become 1. */
static lun_status find_polar(const linalg *l, lun_array *x, const lun_array *a, lun_error *err)
{
    const double epsilon = lun_dtype_part(l->dtype) == LUN_f64 ? 0x1p-52 : 0x1p-23;
    double least = epsilon;
    lun_array other;
    TRY(scratch(l, x, rows_of(a), rows_of(a), err));
    TRY(scratch(l, &other, rows_of(a), rows_of(a), err));
    TRY(eigen_normalise(l, x, a, err));
    for (int step = 0; step < STEPS && fabs(1 - least) > epsilon; step++) {
        const weights w = weights_for(least);
        if (w.c > BY_QR)
            TRY(step_by_qr(l, x, &w, err));
        else
            TRY(step_by_cholesky(l, x, &other, &w, err));
        least = fmin(1, least * (w.a + w.b * least * least) / (1 + w.c * least * least));
    }
    return LUN_OK;
}

/* For square matrices, scaled by the exponents: the values, descending, a column each, and the vectors, unless u is
 * NULL. */
static lun_status find_square(const linalg *l, const lun_array *a, lun_array *u, lun_array *values, lun_array *v,
                              lun_array *exponents, lun_error *err)
{
    const size_t n = rows_of(a);
    lun_array x, h, ascending, product;
    linalg_qr factor;
    TRY(scratch(l, &h, n, n, err));
    TRY(find_polar(l, &x, a, err));
    const lun_array turned = matrix_transposed(&x);
    TRY(plan_array_multiply_conjugated(l->p, &h, &turned, a, LUN_CONJUGATE_A, 1, 0, err));
    TRY(eigen_of_symmetric(l, &h, false, values, u ? &ascending : NULL, exponents, err));
    *values = matrix_reversed(values, true, false);
    if (!u)
        return LUN_OK;
    *v = matrix_reversed(&ascending, false, true);
    TRY(scratch(l, &product, n, n, err));
    TRY(scratch(l, u, n, n, err));
    TRY(plan_array_multiply(l->p, &product, a, v, 1, 0, err));
    TRY(linalg_qr_factor(&factor, l, &product, false, err));
    return linalg_qr_q(&factor, l, u, err);
}

/* What small triangles have, by one kernel; `turned`: of those conjugated. */
static lun_status find_small(const linalg *l, const lun_array *a, bool turned, lun_array *u, lun_array *values,
                             lun_array *v, lun_array *exponents, lun_error *err)
{
    const size_t n = rows_of(a);
    TRY(operation_scratch_array(l->p->op, values, lun_dtype_part(l->dtype), 2, (const size_t[]){l->batches, n}, err));
    TRY(operation_scratch_array(l->p->op, exponents, LUN_i32, 1, &l->batches, err));
    TRY(plan_array_fill(l->p, exponents, (cl_ulong2){{0, 0}}, err));
    if (u) {
        TRY(scratch(l, u, n, n, err));
        TRY(scratch(l, v, n, n, err));
    }
    TRY((eigen_is_whole(l, a) ? eigen_whole_svd : eigen_jacobi_svd)(l, a, u, values, u ? v : NULL, turned, err));
    values->shape[2] = 1;
    values->stride[2] = 0;
    values->ndim = 3;
    return LUN_OK;
}

/* Vectors u, as many as are needed: the orthogonal factor's first columns times those of the triangle, and its others. */
static lun_status take_left(const linalg *l, const lun_array *q, const lun_array *inner, const lun_array *u,
                            const lun_array *v_from, const lun_array *v, bool turned, lun_error *err)
{
    const size_t m = rows_of(u), n = columns_of(inner), more = columns_of(u) - n;
    const lun_array first = matrix_part(u, 0, m, 0, n), others = matrix_part(u, 0, m, n, more);
    const lun_array basis = matrix_part(q, 0, m, 0, n), beside = matrix_part(q, 0, m, n, more);
    lun_array left;
    TRY(scratch(l, &left, m, n, err));
    TRY(plan_array_multiply(l->p, &left, &basis, inner, 1, 0, err));
    TRY(eigen_take_vectors(l, &others, &beside, NULL, NULL, err));
    return turned ? eigen_take_vectors(l, &first, &left, v, v_from, err)
                  : eigen_take_vectors(l, v, v_from, &first, &left, err);
}

/* Q, unless it is NULL, and R^H of a; by one kernel, where it takes a `whole`, which conjugates nothing, R^T. */
static lun_status find_triangle(const linalg *l, const lun_array *a, const lun_array *q, const lun_array *triangle,
                                bool whole, lun_error *err)
{
    const lun_array upper = matrix_transposed(triangle);
    linalg_qr factor;
    if (whole)
        return linalg_whole_qr(l, a, q, &upper, NULL, 0, err);
    TRY(linalg_qr_factor(&factor, l, a, false, err));
    TRY(linalg_qr_r(&factor, l, &upper, true, true, err));
    return q ? linalg_qr_q(&factor, l, q, err) : LUN_OK;
}

/* Of B = Q R: R^H = U S V^H, so that B = (Q V) S U^H. */
lun_status eigen_polar_svd(const linalg *l, const lun_array *a, const lun_array *u, const lun_array *s,
                           const lun_array *v, bool turned, lun_error *err)
{
    const size_t m = rows_of(a), n = columns_of(a);
    lun_array scaled, triangle, exponents, more, values, left, right, q;
    if (n == 0)
        return u && u->size ? linalg_fill_diagonal(l, u, 1, err) : LUN_OK;
    TRY(scratch(l, &scaled, m, n, err));
    TRY(operation_scratch_array(l->p->op, &exponents, LUN_i32, 1, &l->batches, err));
    TRY(eigen_load(l, &scaled, &exponents, a, false, turned, err));
    TRY(scratch(l, &triangle, n, n, err));
    if (u)
        TRY(scratch(l, &q, m, columns_of(u), err));
    const bool whole = linalg_is_whole_qr(l, &scaled, 0), small = eigen_is_whole(l, &triangle) || n <= eigen_small(l);
    TRY(find_triangle(l, &scaled, u ? &q : NULL, &triangle, whole, err));
    if (small)
        TRY(find_small(l, &triangle, whole, u ? &right : NULL, &values, &left, &more, err));
    else
        TRY(find_square(l, &triangle, u ? &right : NULL, &values, &left, &more, err));
    if (u)
        TRY(take_left(l, &q, &left, u, &right, v, turned, err));
    return eigen_take_values(l, s, &values, &exponents, &more, err);
}
