/* What the kernels that copy and transpose share with their host. */
#ifndef LUN_ABI_MOVE_H
#define LUN_ABI_MOVE_H

#include "abi/types.h"

/* copy_gpu.cl: a work-group copies that many items. */
#define COPY_GPU_ITEMS 256
#define COPY_GPU_EACH 4 /* items to a work-item, so that as many loads are under way */

#define COPY_GPU_LINE 8 /* the same of copy_gpu_lines */

typedef struct copy_shape {
    abi_long dst, src;                /* first items */
    abi_long dst_outer, src_outer;    /* strides of the outermost axis */
    abi_int dst_step[7], src_step[7]; /* strides of the other axes, innermost first */
    abi_uint size[7];                 /* of the other axes, */
    abi_uint magic[7], shift[7];      /* and the numbers that divide by these sizes */
    abi_uint inner;                   /* how many other axes there are */
    abi_uint count;                   /* items in all, below 2^31 */
    abi_uint width;                   /* bytes in a row; in copy_gpu_lines items; 0: items are copied, not rows */
} copy_shape;

/* For each place of the batch a matrix: its rows are neighbours in dst, its columns in src, or as near as can be. */
typedef struct transpose_shape {
    abi_long dst, src; /* first elements */
    abi_long rows, columns;
    abi_long dst_row, dst_column; /* strides */
    abi_long src_row, src_column;
    abi_long batch;
} transpose_shape;

#define TRANSPOSE_PLAIN_TILE 8     /* rows and columns that a work-item of transpose_plain.cl moves */
#define TRANSPOSE_THIN_BYTES 24576 /* of the run that a group of transpose_thin.cl writes, with what lies before it */
#define TRANSPOSE_CPU_LINE 64      /* bytes of a line of the cache, for transpose_cpu.cl */

/* transpose_cpu.cl: rows and columns are those of src; neighbours in src are its columns, in dst its rows. */
typedef struct transpose_blocks {
    abi_long dst, src; /* first elements */
    abi_long rows, columns;
    abi_long dst_step, src_step;          /* from column to column of dst, from row to row of src */
    abi_long row_block, row_blocks;       /* rows in a block, and blocks; the last takes a smaller rest too */
    abi_long column_block, column_blocks; /* the same of columns */
    abi_long jobs, per_item;              /* batch * row_blocks * column_blocks, dealt out in ranges of that many */
    abi_long streams;                     /* write past the cache? */
} transpose_blocks;

#endif
