/* What the kernels of elementwise functions share with their host. */
#ifndef LUN_ABI_MAP_H
#define LUN_ABI_MAP_H

#include "abi/types.h"

/* What a kernel takes to know where its arrays' elements lie; the text of the kernel has each one's position
 * (src/core/op/expression/emit_row.c). The host has room for as many as its arrays may want. */
#ifndef MAP_PLACES
#define MAP_PLACES 440
#endif

/* Rows of `columns` elements each; the rows are counted over the outer axes, the last one fastest. */
typedef struct map_shape {
    abi_long rows, columns;
    abi_long at[MAP_PLACES];
} map_shape;

#endif
