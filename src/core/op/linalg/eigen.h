/* Eigenvalues and singular values: parts of plans, and the kernels' groups. */
#pragma once

#include "op/linalg/linalg.h"

#define EIGEN_SMALL 32               /* the largest real matrices, in rows and columns, for Jacobi's kernels */
size_t eigen_small(const linalg *l); /* and the largest matrices of the plan's dtype */
/* The same linalg with the dtype of the parts of complex numbers: eigenvalues are computed from real tridiagonal
 * matrices. */
linalg eigen_real(const linalg *l);

/* Makes the operation report numbers that are not finite. */
lun_status eigen_verdict(const linalg *l, lun_error *err);
/* Vectors as matrices of one column. */
matmul_view eigen_view_values(const lun_array *values);
#define ARG_VALUES(w) ARG_BLOCK((w)->block), ARG_VALUE(&((const matmul_view[]){eigen_view_values(w)})[0])
/* Should a work-item's vector be contiguous? Otherwise neighbouring items have adjacent numbers. */
bool eigen_takes_rows(const linalg *l);
/* The most items of a group that share the reduction of a matrix to a triangle; 1: not shared. */
size_t eigen_sharing(const linalg *l);

/* Kernels of a file, in groups that share a matrix, or with a task for each item. */
lun_status eigen_launch_groups(const linalg *l, const char *file, const char *name, size_t groups,
                               const launch_arg *args, size_t count, lun_error *err);
lun_status eigen_launch_items(const linalg *l, const char *file, const char *name, size_t items, size_t least,
                              const launch_arg *args, size_t count, lun_error *err);

/* Jacobi's kernels: eigenvalues w and, unless v is NULL, eigenvectors of matrices given by their lower triangles.
 * `turned`: they are the transposes of the user's matrices, and are to be conjugated. */
lun_status eigen_jacobi(const linalg *l, const lun_array *a, const lun_array *w, const lun_array *v, bool turned,
                        lun_error *err);
/* The same for singular values, m >= n; u has as many columns as needed. Signs follow the user's v. */
lun_status eigen_jacobi_svd(const linalg *l, const lun_array *a, const lun_array *u, const lun_array *s,
                            const lun_array *v, bool turned, lun_error *err);

/* The same by one kernel on CPUs, for a matrix of few rows that Jacobi's kernels do not take (whole.c). */
bool eigen_is_whole(const linalg *l, const lun_array *a);
lun_status eigen_whole(const linalg *l, const lun_array *a, const lun_array *w, const lun_array *v, bool turned,
                       lun_error *err);
lun_status eigen_whole_svd(const linalg *l, const lun_array *a, const lun_array *u, const lun_array *s,
                           const lun_array *v, bool turned, lun_error *err);

/* Reduces a Hermitian matrix, given by its lower triangle and scaled by a power of 2, to a real tridiagonal matrix Q^H
 * a Q: d and e, contiguous, batches x n each. `v`: the reflections whose product is Q, a row each, batches x n x pitch,
 * applied after the directions `ways` of complex matrices, batches x n. exponents: i32, of the powers. */
typedef struct tridiagonal {
    lun_array d, e, v, ways, exponents;
    size_t n, pitch;
} tridiagonal;
lun_status eigen_tridiagonal(const linalg *l, tridiagonal *out, const lun_array *a, bool turned, lun_error *err);
/* Real vectors x, with batches in one axis, become Q x. */
lun_status eigen_reflect_back(const linalg *l, const tridiagonal *t, lun_array *x, lun_error *err);
/* The tridiagonal matrix's eigenvalues, ascending: batches x n, scratch memory. */
lun_status eigen_bisect(const linalg *l, lun_array *values, const tridiagonal *t, lun_error *err);
/* The same with eigenvectors as columns; both arrays have room for more than n, and those after the n-th are unused. */
lun_status eigen_divide(const linalg *l, lun_array *values, lun_array *vectors, const tridiagonal *t, lun_error *err);
/* `to`, contiguous, gets the matrix times a power of 2 that makes its largest number less than 1, padded with zeros;
 * for a Hermitian matrix both triangles, from the lower one. exponents: i32, contiguous. `turned`: a is the transpose
 * of the user's matrix, and is conjugated. */
lun_status eigen_load(const linalg *l, const lun_array *to, const lun_array *exponents, const lun_array *a,
                      bool symmetric, bool turned, lun_error *err);
/* Columns of `from`, rotated so that their largest numbers are real and not negative; other = beside is rotated in the
 * same way, unless they are NULL. */
lun_status eigen_take_vectors(const linalg *l, const lun_array *to, const lun_array *from, const lun_array *other,
                              const lun_array *beside, lun_error *err);
/* Rescales the values, a column for each matrix, that were computed from scaled matrices; singular values have a second
 * exponent, `more`. */
lun_status eigen_take_values(const linalg *l, const lun_array *to, const lun_array *from, const lun_array *exponents,
                             const lun_array *more, lun_error *err);
/* Contiguous matrices, divided by their Frobenius norms. */
lun_status eigen_normalise(const linalg *l, const lun_array *to, const lun_array *from, lun_error *err);
/* Singular values and vectors of matrices too large for Jacobi's kernels, m >= n. */
lun_status eigen_polar_svd(const linalg *l, const lun_array *a, const lun_array *u, const lun_array *s,
                           const lun_array *v, bool turned, lun_error *err);
/* Eigenvalues, ascending, and vectors, a column each, at least n of each; only `values` if vectors is NULL. Scratch
 * memory. */
lun_status eigen_of_symmetric(const linalg *l, const lun_array *a, bool turned, lun_array *values, lun_array *vectors,
                              lun_array *exponents, lun_error *err);
