/* What the kernels of recursive filters share with their host. */
#ifndef LUN_ABI_FILTER_H
#define LUN_ABI_FILTER_H

#include "abi/layout.h"

/* Lines of n numbers, each cut into blocks of `block` numbers, of which the last may be shorter. */
typedef struct filter_shape {
    abi_long lines, n, blocks, block;
    abi_long order;                                /* states of a section */
    abi_long out_at, in_at, out_step, in_step;     /* first elements, and from one number of a line to the next */
    abi_long at[2], step[2], section[2], count[2]; /* of the coefficients b and a; from one section to the next */
    lun_layout out, in;                            /* of the lines */
} filter_shape;

#endif
