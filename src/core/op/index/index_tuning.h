/* What was measured for choosing elements by an index, and where. */
#pragma once

#include "op/tuning.h"

/* Adding, on an H200, 2^26 indices in no order: atomics 1.4, 11 and 44 G/s for 1, 1000 and 16384 elements, sorting 24, 15 and 15. */
#define INDEX_TUNING(TUNED)                                                                                                \
    TUNED(size_t, quick, (size_t)1 << 19) /* elements that a reader may as well block for */                               \
    /* elements of an array to add to, at least, unless the row is named: fewer are met by too many additions at a time */ \
    TUNED(size_t, add_spread, 2048)                                                                                        \
    TUNED(size_t, add_groups, 32) /* work-groups to a unit that add by atomics */                                          \
    /* of the array for each index: with more, clearing and reading sums of a fixed unit takes longer than sorting */      \
    TUNED(size_t, fixed_elements, 2)

DEFINE_TUNING(index, INDEX_TUNING,
              "CPUs: 2 cores of EPYCs and Xeons, AVX2 and AVX-512, under PoCL 3.1; GPUs: NVIDIA H200")
