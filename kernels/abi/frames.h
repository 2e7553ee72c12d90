/* What the kernel that puts frames together shares with its host. */
#ifndef LUN_ABI_FRAMES_H
#define LUN_ABI_FRAMES_H

#include "abi/layout.h"

/* Lines of `size` numbers, each of `parts` reals, from `count` frames of n numbers, `hop` from one to the next. The
 * line begins at the number `first` of what the frames cover. */
typedef struct frames_shape {
    abi_long lines, size, parts, count, n, hop, first;
    abi_long out_at, window_at, window_step;
    lun_layout out; /* of lines, numbers, parts */
} frames_shape;

#endif
