/* What the kernels of connected components share with their host. */
#ifndef LUN_ABI_LABEL_H
#define LUN_ABI_LABEL_H

#include "abi/layout.h"

/* Rows of n elements along the last axis. `connectivity`: along how many axes a neighbour may differ. */
typedef struct label_shape {
    abi_long rows, n, connectivity, at, step; /* the first element, and from one of a row to the next */
    lun_layout outer;                         /* all axes but the last */
} label_shape;

#endif
