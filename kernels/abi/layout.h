/* Row-major axes with strides in elements, outermost first: what kernels know of an array's shape. */
#ifndef LUN_ABI_LAYOUT_H
#define LUN_ABI_LAYOUT_H

#include "abi/types.h"

typedef struct lun_layout {
    abi_long ndim;
    abi_long size[8];
    abi_long stride[8];
} lun_layout;

#endif
