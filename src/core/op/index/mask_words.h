/* What words share that insert and take away positions along an axis. */
#pragma once

#include "call/compose.h"

/* The array and the axis that the argument names, or without it all elements in a row. */
lun_status rows_along(const lun_array **out, int *axis, composing *c, unsigned argument, lun_error *err);
