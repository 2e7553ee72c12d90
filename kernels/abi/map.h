/* What the kernels of elementwise functions share with their host. */
#ifndef LUN_ABI_MAP_H
#define LUN_ABI_MAP_H

#include "abi/types.h"

/* Outputs and inputs of a kernel, outputs first. The host defines how many a kernel has; 12 fit in OpenCL's 1024 bytes of
 * arguments. */
#ifndef MAP_ARRAYS
#define MAP_ARRAYS 12
#endif

/* Where an array's elements lie, in elements: the first one, and the strides of a row's elements and of the outer axes. */
typedef struct map_array {
    abi_long first, inner;
    abi_long outer[7];
} map_array;

/* Rows of `columns` elements each; the rows are counted over the outer axes, the last one fastest. */
typedef struct map_shape {
    abi_long rows, columns;
    abi_long size[7]; /* of the outer axes */
    map_array array[MAP_ARRAYS];
} map_shape;

#endif
