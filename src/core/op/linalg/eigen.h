/* Eigenvalues and singular values: parts of plans, and the kernels' groups. */
#pragma once

#include "op/linalg/linalg.h"

#define EIGEN_SMALL 32               /* rows and columns that Jacobi's kernels take of real matrices */
size_t eigen_small(const linalg *l); /* and of those of the plan */
/* The same with the dtype of the parts of complex numbers: eigenvalues are those of real tridiagonal matrices. */
linalg eigen_real(const linalg *l);

/* The operation is to say what is not finite. */
lun_status eigen_verdict(const linalg *l, lun_error *err);
/* Vectors as matrices of one column. */
matmul_view eigen_view_values(const lun_array *values);
#define ARG_VALUES(w) ARG_BLOCK((w)->block), ARG_VALUE(&((const matmul_view[]){eigen_view_values(w)})[0])
/* Is a vector of a work-item's own to be contiguous? Else neighbours have neighbouring numbers. */
bool eigen_takes_rows(const linalg *l);
/* The items of a group that shares a matrix on its way to a triangle, at most; 1: nothing is shared. */
size_t eigen_sharing(const linalg *l);

/* Kernels of a file, in groups that share a matrix, or of which each item has a task. */
lun_status eigen_launch_groups(const linalg *l, const char *file, const char *name, size_t groups,
                               const launch_arg *args, size_t count, lun_error *err);
lun_status eigen_launch_items(const linalg *l, const char *file, const char *name, size_t items, size_t least,
                              const launch_arg *args, size_t count, lun_error *err);

/* Jacobi's kernels: eigenvalues w and, unless v is NULL, eigenvectors of matrices whose lower triangles count. `turned`: they are
 * the transposes of the user's, and are meant conjugated. */
lun_status eigen_jacobi(const linalg *l, const lun_array *a, const lun_array *w, const lun_array *v, bool turned,
                        lun_error *err);
/* The same of singular values, m >= n; u has as many columns as are needed. Signs are those of the user's v. */
lun_status eigen_jacobi_svd(const linalg *l, const lun_array *a, const lun_array *u, const lun_array *s,
                            const lun_array *v, bool turned, lun_error *err);

/* One kernel of CPUs for a matrix of so few rows that Jacobi's kernels do not take: the same (whole.c). */
bool eigen_is_whole(const linalg *l, const lun_array *a);
lun_status eigen_whole(const linalg *l, const lun_array *a, const lun_array *w, const lun_array *v, bool turned,
                       lun_error *err);
lun_status eigen_whole_svd(const linalg *l, const lun_array *a, const lun_array *u, const lun_array *s,
                           const lun_array *v, bool turned, lun_error *err);

/* A Hermitian matrix of which the lower triangle is given, times a power of 2, as a real tridiagonal matrix Q^H a Q: d and e,
 * contiguous, batches x n each. `v`: the reflections whose product is Q, a row each, batches x n x pitch, behind the directions `ways`,
 * of complex matrices, batches x n. exponents: i32, of the powers. */
typedef struct tridiagonal {
    lun_array d, e, v, ways, exponents;
    size_t n, pitch;
} tridiagonal;
lun_status eigen_tridiagonal(const linalg *l, tridiagonal *out, const lun_array *a, bool turned, lun_error *err);
/* Real vectors x, with batches in one axis, become Q x. */
lun_status eigen_reflect_back(const linalg *l, const tridiagonal *t, lun_array *x, lun_error *err);
/* Its eigenvalues, ascending: batches x n, scratch memory. */
lun_status eigen_bisect(const linalg *l, lun_array *values, const tridiagonal *t, lun_error *err);
/* The same with eigenvectors as columns; both have more than n of each, those behind the n-th are of no matrix. */
lun_status eigen_divide(const linalg *l, lun_array *values, lun_array *vectors, const tridiagonal *t, lun_error *err);
/* `to`, contiguous, gets the matrix times a power of 2 that makes its largest number less than 1, and zeros behind it; of a Hermitian
 * one both triangles from the lower one. exponents: i32, contiguous. `turned`: a is the transpose of the user's, and is conjugated. */
lun_status eigen_load(const linalg *l, const lun_array *to, const lun_array *exponents, const lun_array *a,
                      bool symmetric, bool turned, lun_error *err);
/* Columns of `from`, turned so that their largest numbers are real and not below 0; as these other = beside, unless they are NULL. */
lun_status eigen_take_vectors(const linalg *l, const lun_array *to, const lun_array *from, const lun_array *other,
                              const lun_array *beside, lun_error *err);
/* Values, a column for each matrix, that were computed of scaled ones; of singular values there is a second exponent, `more`. */
lun_status eigen_take_values(const linalg *l, const lun_array *to, const lun_array *from, const lun_array *exponents,
                             const lun_array *more, lun_error *err);
/* Matrices, contiguous, divided by the roots of the sums of their squares. */
lun_status eigen_normalise(const linalg *l, const lun_array *to, const lun_array *from, lun_error *err);
/* Singular values and vectors of matrices that Jacobi's kernels do not take, m >= n. */
lun_status eigen_polar_svd(const linalg *l, const lun_array *a, const lun_array *u, const lun_array *s,
                           const lun_array *v, bool turned, lun_error *err);
/* Eigenvalues and vectors, a column each: not less than n of each, ascending. `values` alone, where vectors is NULL. Scratch memory. */
lun_status eigen_of_symmetric(const linalg *l, const lun_array *a, bool turned, lun_array *values, lun_array *vectors,
                              lun_array *exponents, lun_error *err);
