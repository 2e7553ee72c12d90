/* What the kernels that reduce expressions share with their host. */
#ifndef LUN_ABI_FOLD_H
#define LUN_ABI_FOLD_H

#include "abi/types.h"

/* Results of one kernel. The host defines how many a kernel has. */
#ifndef FOLD_RESULTS
#define FOLD_RESULTS 9
#endif

#define FOLD_CHAIN 32  /* leaves that are joined one after the other before they are joined with those before */
#define FOLD_STRIP 16  /* vectors of columns that a CPU's work-item reduces side by side */
#define FOLD_STATE 32  /* bytes of a state, at most */
#define FOLD_ITEMS 256 /* work-items of a group on a GPU, at most */

/* Where a result's elements lie: the first one, and the strides of the kept axes. */
typedef struct fold_out {
    abi_long first;
    abi_long stride[8];
} fold_out;

/* Each output is reduced from `elements` elements, counted in row-major order, in `parts` parts of `part` elements each. The
 * kept axes are counted as rows and columns: outputs = rows * columns of them. */
typedef struct fold_shape {
    abi_long outputs, elements, parts, part;
    abi_long columns;       /* of the kernels for columns: the size of the last kept axis; else 1 */
    abi_long strips;        /* in which the columns are cut */
    abi_long kept, size[8]; /* the kept axes */
    abi_long base;          /* of positions: that of the first element */
    abi_long ddof;          /* that variances take off the count */
    fold_out out[FOLD_RESULTS];
} fold_shape;

#endif
