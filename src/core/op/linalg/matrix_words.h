/* What words of linear algebra that are made of others share: their matrices and results, in core's order of axes. */
#pragma once

#include "call/compose.h"
#include "op/linalg/linalg.h"

/* The operation's array as matrices in the dtype of the factorisation: a view, or a copy. */
lun_status words_matrices(const lun_array **out, composing *c, bool square, lun_error *err);
/* Matrices with that many rows and columns as the operation's result, behind the axes of the batch of `like`. */
lun_status words_result(const lun_array **out, composing *c, const lun_array *like, size_t rows, size_t columns,
                        lun_error *err);
/* An array of the operation's own like a, with other sizes of matrices. */
lun_status words_array(lun_array **out, composing *c, const lun_array *like, size_t rows, size_t columns,
                       lun_error *err);
/* The array becomes its conjugate; real ones are that already. */
lun_status words_conjugate(const lun_array **a, composing *c, lun_error *err);
/* Views: the transposes; and the first number of each vector, or the last. */
lun_status words_transposed(const lun_array **out, composing *c, const lun_array *a, lun_error *err);
lun_status words_end(const lun_array **out, composing *c, const lun_array *vectors, bool last, lun_error *err);
/* Square matrices become 1. */
lun_status words_fill_one(composing *c, const lun_array *a, bool last, lun_error *err);

/* Is a result of matrices without their two axes a number? */
bool words_gives_number(const composing *c, const lun_array *a);
/* With the option `info`, the operation's last result: for each matrix 0, or the row of its first number that is not finite, counted from 1.
 * It comes before the others, as their event is the operation's. */
lun_status words_info(composing *c, const lun_array *a, lun_error *err);
/* The option of operations that the operation calls, with which they do not fail for matrices that are not finite, or NULL. */
const char *words_quiet(const composing *c);
/* The matrices become themselves divided by powers of 2, so that no singular value, norm or inverse of theirs leaves the range: exponents
 * of that dtype's parts, as matrices of 1 x 1. Nothing else changes: bits of what is computed of them stay. */
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
    NORM_LEAST_ONE, /* the least of what the first three are the largest of; no norms */
    NORM_LEAST_INFINITY,
    NORM_LEAST_TWO
} words_norm;
/* The option `ord`, or `missing`. */
lun_status words_read_norm(words_norm *out, const lun_request *r, words_norm missing, lun_error *err);
/* The last step to the norms of matrices: op of the expression over the last two axes, which `over` says. */
lun_status words_norm_step(composed *x, lun_reduce_op *op, composed_axes *over, composing *c, const lun_array *a,
                           words_norm norm, lun_error *err);
/* An axis of a: the last one, or one before. */
static inline composed_axes words_over(const lun_array *a, int back, bool keepdims)
{
    composed_axes over = {.keepdims = keepdims};
    over.axis[a->ndim - back] = true;
    return over;
}
