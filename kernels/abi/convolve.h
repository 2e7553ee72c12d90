/* What the kernel of direct convolutions shares with its host. */
#ifndef LUN_ABI_CONVOLVE_H
#define LUN_ABI_CONVOLVE_H

#include "abi/layout.h"

#define CONVOLVE_RUN 64 /* neighbouring results that a CPU's work-item sums side by side */

/* out[i] = the sum over p of a[i * step + first - p] b[p], along two axes, the inner one last; what a does not have is
 * 0. */
typedef struct convolve_shape {
    abi_long batch; /* such pairs of axes */
    abi_long size[2], in[2], taps[2], first[2], step[2];
    abi_long out_at, a_at, b_at; /* first elements */
    abi_long out_axis[2], a_axis[2], b_axis[2];
    lun_layout out_batch, a_batch, b_batch;
} convolve_shape;

#endif
