/* What matmul's variants share: the form that every problem is brought to. */
#ifndef LUN_MATMUL_H
#define LUN_MATMUL_H

#include "core.h"

/* As matmul_view in the kernels: element (i, j) is at offset + i*row + j*column + the batch's offset. */
typedef struct matmul_view {
    cl_long offset, row, column;
    layout batch;
} matmul_view;

/* C = alpha A B + beta C with C m x n and the sum over k, for each of the batches. */
typedef struct matmul_problem {
    lun_dtype dtype;                     /* of the program: integers wrap, so they are computed as unsigned ones */
    const lun_array *out, *left, *right; /* a is in `left`, b in `right` */
    matmul_view c, a, b;
    size_t batches, m, n, k;
    lun_number alpha, beta;
} matmul_problem;

/* C^T = B^T A^T. */
void matmul_swap_sides(matmul_problem *p);
/* alpha or beta, as the kernels take it. */
launch_arg matmul_scalar(const matmul_problem *p, lun_number x);
lun_status matmul_plain_run(operation *op, const variant *row, const void *data, lun_error *err);
lun_status matmul_cpu_run(operation *op, const variant *row, const void *data, lun_error *err);
bool matmul_gpu_applies(const lun_device *device, const void *data);
lun_status matmul_gpu_run(operation *op, const variant *row, const void *data, lun_error *err);

#endif
