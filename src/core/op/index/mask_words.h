/* What words share that insert and take away positions along an axis. */
#ifndef LUN_OP_INDEX_MASK_WORDS_H
#define LUN_OP_INDEX_MASK_WORDS_H

#include "call/compose.h"

/* The array and the axis that the argument names, or without it all elements in a row. */
lun_status rows_along(const lun_array **out, int *axis, composing *c, unsigned argument, lun_error *err);

#endif
