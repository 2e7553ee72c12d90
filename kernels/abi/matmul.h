/* What the kernels of matmul share with their host. */
#ifndef LUN_ABI_MATMUL_H
#define LUN_ABI_MATMUL_H

#include "abi/layout.h"

/* A matrix, or a batch of them: element (i, j) is at offset + i*row + j*column + the batch's offset. */
typedef struct matmul_view {
    abi_long offset, row, column;
    lun_layout batch;
} matmul_view;

/* Kernels for GPUs: C is m x n, the sum runs over k. */
typedef struct matmul_size {
    abi_long batches, m, n, k;
    abi_long splits, part; /* k is summed in that many parts of so much; each part has its own groups */
    abi_long wide;         /* may C be written as vectors? */
} matmul_size;

/* matmul_cpu.cl: C is m x n, the sum runs over k. */
typedef struct matmul_cpu_size {
    abi_long batches, m, n, k;
    abi_long tile_m, tile_n; /* a task makes so much of one C */
    abi_long tile_pack;      /* columns of B that a task packs which packs for all */
    abi_long depth;          /* of k at a time */
    abi_long splits, run;    /* k is summed in that many parts of so much, each of which makes a C of its own */
    abi_long along;          /* a task walks along the rows of C, not down its columns */
} matmul_cpu_size;

#endif
