/* What the kernels that sort share with their host. */
#ifndef LUN_ABI_SORT_H
#define LUN_ABI_SORT_H

#include "abi/types.h"

/* Rows of neighbouring elements, each of which is sorted for itself; and one pass of a sort by digits. */
typedef struct sort_pass {
    abi_long rows, count;   /* elements of a row */
    abi_long tiles, tile;   /* of a row; elements in each but the last */
    abi_ulong flip;         /* all bits are set: the largest come first */
    abi_long from, to, end; /* first elements: of what is read, of what is written, of the final positions */
    abi_long shift;         /* bits below the digit */
} sort_pass;

#define SORT_ROOM 2048 /* elements that a group sorts in local memory */

#endif
