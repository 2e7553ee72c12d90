/* What was measured for sorting, selecting and counting. */
#pragma once

#include "op/tuning.h"

typedef struct sort_tuning {
    tuning tuning;
    size_t quick;          /* elements that a reader may as well block for */
    size_t network_wide;   /* elements of the longest row for networks, where vectors have 64 bytes, */
    size_t network_narrow; /* and where they have less */
    size_t cpu_row;        /* elements of a row that all cores sort together, at least */
    size_t select_row;     /* elements of a row that is not sorted to find a few of them, at least */
    size_t select_few;     /* a part of a row that is worth to be taken out of it and sorted: one in so many */
    size_t count_bytes;    /* of counts of all chunks, unless those of one chunk are more */
    size_t bin_values;     /* of a chunk for each bin, at least: a chunk clears and adds up all bins */
    size_t count_groups;   /* of a unit of a GPU, at most */
    size_t least_added;    /* elements with weights: below, a work-item to each chunk of them is as fast for few bins */
} sort_tuning;

const sort_tuning *sort_tuned(const lun_device *device);
