/* Counting: what its words share. */
#pragma once

#include "call/compose.h"

#define MOST_BINS INT32_MAX

/* The least and the largest element. */
typedef struct ends {
    lun_number low, high;
} ends;

/* Those of an array, which the operation waits for. */
lun_status count_ends(ends **out, composing *c, const lun_array *in, lun_error *err);
