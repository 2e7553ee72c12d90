/* What the kernels that reduce expressions share with their host. */
#ifndef LUN_ABI_FOLD_H
#define LUN_ABI_FOLD_H

#include "abi/types.h"

/* Results of one kernel, at most: the host defines how many it has. */
#ifndef FOLD_RESULTS
#define FOLD_RESULTS 9
#endif

#define FOLD_CHAIN 32  /* leaves that are joined one after the other before they are joined with those before */
#define FOLD_STATE 40  /* bytes of a state, at most; */
#define FOLD_PAIRS 64  /* of one of sums and squares of both parts of complex numbers, */
#define FOLD_BINS 72   /* of one that has sums in bins, of each such sum */
#define FOLD_ITEMS 256 /* work-items of a group on a GPU, at most */

/* Where a result's elements lie: the first one, and the strides of the kept axes. */
typedef struct fold_out {
    abi_long first;
    abi_long stride[8];
} fold_out;

/* Each output is reduced from `elements` elements, counted in row-major order, in `parts` parts of `part` elements
 * each. The kept axes are counted as rows and columns: outputs = rows * columns of them. */
typedef struct fold_shape {
    abi_long outputs, elements, parts, part;
    abi_long columns;       /* of the kernels for columns: the size of the last kept axis; else 1 */
    abi_long strips;        /* in which the columns are cut */
    abi_long kept, size[8]; /* the kept axes */
    abi_long base;          /* of positions: that of the first element */
    abi_long ddof;          /* that variances take off the count: the bits of a double, or of a float without f64 */
    fold_out out[FOLD_RESULTS];
} fold_shape;

/* What reductions within an expression ask for, by fold_shape's names. */
typedef struct fused_shape {
    abi_long elements, base, ddof;
} fused_shape;

/* What may be wrong with a start, which with its position from 0 makes a verdict's position: STARTS_FAULTS * position +
 * fault. */
enum { STARTS_OUTSIDE, STARTS_DESCEND, STARTS_EMPTY, STARTS_FAULTS };

/* The starts of segments of a row, on their way to the kernels. */
typedef struct segment_starts_shape {
    abi_long in, step; /* the first start, and from one to the next */
    abi_long count;    /* of starts: one more than segments */
    abi_long elements; /* of a row */
    abi_long reverse;  /* count from the row's end? */
    abi_long filled;   /* is a segment of no elements a fault? */
} segment_starts_shape;

typedef struct segment_shape {
    abi_long count;     /* of starts; 0: a row is one segment */
    abi_long exclusive; /* does a scan leave out an element's own value? */
} segment_shape;

#endif
