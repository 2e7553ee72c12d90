/* What the kernels that choose elements share with their host. */
#ifndef LUN_ABI_INDEX_H
#define LUN_ABI_INDEX_H

#include "abi/layout.h"

/* Elements taken along an axis: for each outer position and each index a row of inner elements. The result is dense. */
typedef struct take_shape {
    abi_long dst, index, src; /* first elements */
    abi_long outer_count, count, inner_count;
    abi_long extent;               /* of the axis; indices are 1 to extent */
    lun_layout outer, axis, inner; /* of the source */
} take_shape;

/* Values written to flattened positions of an array. */
typedef struct put_shape {
    abi_long dst, index, values; /* first elements */
    abi_long count, extent;
    abi_long from; /* the indices' positions from here on */
    abi_long step; /* from value to value; 0: one for all */
    lun_layout to; /* of the array */
} put_shape;

/* Places of an array that index arrays name, each along an axis: `to` is the result's, `own` what walks the axes
 * without index. */
typedef struct places_shape {
    abi_long dst, src, first[8]; /* first elements */
    abi_long size, indices;
    abi_long behind;               /* places that an element of the index arrays has */
    abi_long extent[8], stride[8]; /* of the index arrays' axes */
    lun_layout to, own, index[8];
} places_shape;

#define MASK_BLOCK 16384 /* elements of a mask that are counted together */

typedef struct mask_shape {
    abi_long mask, src, dst; /* first elements */
    abi_long size, blocks;
    abi_long step;   /* from value to value, where values are written; 0: one for all */
    abi_long values; /* how many there are */
    abi_long axes;
    lun_layout layout; /* of what the mask chooses from; for positions its own shape, not collapsed */
} mask_shape;

#endif
