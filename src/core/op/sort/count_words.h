/* Counting: what its words share. */
#ifndef LUN_OP_SORT_COUNT_WORDS_H
#define LUN_OP_SORT_COUNT_WORDS_H

#include "call/compose.h"

#define MOST_BINS INT32_MAX

/* The least and the largest element. */
typedef struct ends {
    lun_number low, high;
} ends;

/* Those of an array, which the word waits for. */
lun_status count_ends(ends **out, composing *c, const lun_array *in, lun_error *err);

#endif
