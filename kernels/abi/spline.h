/* What the kernels of values between elements share with their host. */
#ifndef LUN_ABI_SPLINE_H
#define LUN_ABI_SPLINE_H

#include "abi/layout.h"

enum { SPLINE_CONSTANT, SPLINE_NEAREST, SPLINE_MIRROR, SPLINE_REFLECT, SPLINE_WRAP };

/* `count` points; the coordinate along axis k is `apart` * k elements from the first one, `base` is that of the first
 * element, and `ends` elements were added at both ends of each axis. */
typedef struct spline_shape {
    abi_long count, mode, out_at, point_at, apart, base, ends, in_at;
    abi_long size[8], stride[8]; /* of the array */
    lun_layout out, point;
} spline_shape;

#endif
