/* What the kernels of neighbours share with their host. */
#ifndef LUN_ABI_NEAR_H
#define LUN_ABI_NEAR_H

#include "abi/types.h"

/* n points of 1 to 3 coordinates: where the first is, and the strides. Cells share mask + 1 buckets. */
typedef struct near_shape {
    abi_long at, point, coordinate, dims;
    abi_long n, mask;
    abi_long first; /* the host's first position */
} near_shape;

#endif
