/* What the kernels of sparse matrices in rows share with their host. */
#ifndef LUN_ABI_CSR_H
#define LUN_ABI_CSR_H

#include "abi/types.h"

/* The matrix has `rows` rows: row r, counted from 0, has the entries starts[r] - first to starts[r + 1] - first - 1,
 * whose columns count from `first`, too. Rows' ends and entries are the steps of a path, which is cut in pieces of
 * `step` steps: however long rows are, pieces take the same time. */
typedef struct csr_shape {
    abi_long y, starts, columns, values, x; /* first elements */
    abi_long first;
    abi_long rows, entries, width; /* width: of x, whose rows are dense */
    abi_long step, pieces;
    abi_long y_row, y_column; /* strides */
    abi_int scaled, adds;     /* alpha or beta count; y is read */
    abi_int cut;              /* `ends` are known before the products */
} csr_shape;

/* The product of two matrices: row r of the result has room for the entries bounds[r] to bounds[r + 1] - 1, as many as
 * there are products. */
typedef struct csr_merge_shape {
    abi_long a_starts, a_columns, a_values, b_starts, b_columns, b_values; /* first elements */
    abi_long first, rows;
    abi_long total; /* products, or entries of the result */
    abi_long out_starts, out_columns, out_values;
} csr_merge_shape;

/* A matrix made of triplets, which are counted in that many chunks. */
typedef struct csr_build_shape {
    abi_long out, places_rows, places_columns, values; /* first elements */
    abi_long first, rows, width, entries, chunks;
} csr_build_shape;

/* What csr_count finds: position * CSR_AXES + the axis. */
#define CSR_AXES 2

/* What csr_check finds: position * CSR_FAULTS + one of these. */
#define CSR_FIRST 0
#define CSR_LAST 1
#define CSR_DESCEND 2
#define CSR_OUTSIDE 3
#define CSR_FAULTS 4

/* What it says beside, a bit each: that columns do not ascend, and that a row is long. */
#define CSR_UNORDERED 1
#define CSR_LONG 2 /* more than CSR_SHORT entries */
#define CSR_HUGE 4 /* more than CSR_WHOLE */
#define CSR_SHORT 128
#define CSR_WHOLE 4096

#define CSR_CHECKED 64   /* entries that a work-item of csr_check looks at */
#define CSR_ITEMS 128    /* of a group of csr_gpu, */
#define CSR_EACH 7       /* and steps of each */
#define CSR_END_ITEMS 64 /* of a group of csr_gpu_ends */

#endif
