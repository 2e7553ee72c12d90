/* What the kernels that scan share with their host. */
#ifndef LUN_ABI_SCAN_H
#define LUN_ABI_SCAN_H

#include "abi/layout.h"

#define SCAN_RUN 32       /* elements, or vectors of them, that are combined one after the other */
#define SCAN_LEVELS 32    /* of the tree over the runs of a part */
#define SCAN_STRIP 64     /* vectors of columns that a CPU's work-item scans side by side, at most */
#define SCAN_ROUNDS 4     /* vectors that a GPU's work-item holds of a row */
#define SCAN_GPU_ITEMS 64 /* work-items of a group where no group works together */

/* A line is what is scanned: `elements` of them, `step` apart. Lines lie at places of `outer`, `columns` neighbouring
 * ones at each place. A line is cut in `parts` parts of `part` elements. */
typedef struct scan_shape {
    lun_layout outer, outer_out;
    abi_long in, out; /* first elements */
    abi_long step, out_step;
    abi_long places, columns, elements;
    abi_long parts, part;
    abi_long strips, strip; /* in which the columns are cut on a CPU */
    abi_long exclusive;     /* does an element's result leave that element out? */
    abi_long wide;          /* GPUs: can vectors be moved whole? */
    abi_long past_cache;    /* CPUs: write the result past the cache? All vectors of it are aligned then. */
} scan_shape;

#endif
