/* Counting: declarations shared by its compositions. */
#pragma once

#include "call/compose.h"

#define MOST_BINS INT32_MAX

/* The smallest and the largest element. */
typedef struct ends {
    lun_number low, high;
} ends;

/* Finds them in an array; the operation waits. */
lun_status count_ends(ends **out, composing *c, const lun_array *in, lun_error *err);
