/* Shared parts of compositions of linear algebra: matrices and results, in core's order of axes. */
#pragma once

#include "call/compose.h"
#include "op/linalg/linalg.h"

/* The operation's array as matrices in the dtype of the factorisation: a view, or a copy. */
lun_status words_matrices(const lun_array **out, composing *c, bool square, lun_error *err);
/* The operation's result: matrices with that many rows and columns, after the batch axes of `like`. */
lun_status words_result(const lun_array **out, composing *c, const lun_array *like, size_t rows, size_t columns,
                        lun_error *err);
/* A new array of the operation like a, with other sizes of matrices. */
lun_status words_array(lun_array **out, composing *c, const lun_array *like, size_t rows, size_t columns,
                       lun_error *err);
/* Conjugates the array; a real one is unchanged. */
lun_status words_conjugate(const lun_array **a, composing *c, lun_error *err);
/* Views: the transposes; and the first number of each vector, or the last. */
lun_status words_transposed(const lun_array **out, composing *c, const lun_array *a, lun_error *err);
lun_status words_end(const lun_array **out, composing *c, const lun_array *vectors, bool last, lun_error *err);
/* Square matrices become 1. */
lun_status words_fill_one(composing *c, const lun_array *a, bool last, lun_error *err);

/* Is a result without the matrices' two axes a number? */
bool words_gives_number(const composing *c, const lun_array *a);
/* With the option `info`, the operation's last result: for each matrix 0, or the row of its first number that is not finite, counted from 1.
 * It comes before the others, as their event is the operation's. */
lun_status words_info(composing *c, const lun_array *a, lun_error *err);
/* The option, or NULL, with which the called operations do not fail for matrices that are not finite. */
const char *words_quiet(const composing *c);
/* Divides the matrices by powers of 2, so that their singular values, norms and inverses stay in range. The exponents,
 * in the dtype of the parts, are matrices of 1 x 1. The significant bits of results do not change. */
lun_status words_level(const lun_array **a, const lun_array **exponent, composing *c, lun_error *err);
/* A node divided by these powers; `like` has its dtype. */
unsigned words_shift(composed *x, const lun_array *like, const lun_array *exponent, unsigned node);

/* solve, with the option `least_rcond`. */
lun_status words_judged_solve(composing *c, lun_error *err);

typedef enum words_norm {
    NORM_ONE,
    NORM_INFINITY,
    NORM_TWO,
    NORM_NUCLEAR,
    NORM_FROBENIUS,
    NORM_LEAST_ONE, /* the minima of which the first three are the maxima; not norms */
    NORM_LEAST_INFINITY,
    NORM_LEAST_TWO
} words_norm;
/* The option `ord`, or `missing`. */
lun_status words_read_norm(words_norm *out, const lun_request *r, words_norm missing, lun_error *err);
/* The last step of norms of matrices: reduces the expression by op over the last two axes, given by `over`. */
lun_status words_norm_step(composed *x, lun_reduce_op *op, composed_axes *over, composing *c, const lun_array *a,
                           words_norm norm, lun_error *err);
/* An axis of a: the last one, or one before. */
static inline composed_axes words_over(const lun_array *a, int back, bool keepdims)
{
    composed_axes over = {.keepdims = keepdims};
    over.axis[a->ndim - back] = true;
    return over;
}
