/* What was measured for choosing elements by an index. */
#pragma once

#include "op/tuning.h"

/* Adding, on an H200, 2^26 indices in no order: atomics 1.4, 11 and 44 G/s for 1, 1000 and 16384 elements, sorting 24, 15 and 15. */
typedef struct index_tuning {
    tuning tuning;
    size_t quick; /* elements that a reader may as well block for */
    size_t
        add_spread; /* elements of an array to add to, at least, unless the row is named: fewer are met by too many additions at a time */
    size_t add_groups; /* work-groups to a unit that add by atomics */
    size_t
        fixed_elements; /* of the array for each index: with more, clearing and reading sums of a fixed unit takes longer than sorting */
} index_tuning;

const index_tuning *index_tuned(const lun_device *device);
