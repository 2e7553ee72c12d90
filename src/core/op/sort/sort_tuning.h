/* Measured constants for sorting, selecting and counting, with their devices.
 *
 * G keys/s of 2^26 i32 on an H200: passes by 4 bits 4.4, `bytes` 33, `once` 35, `nvidia` 41, CUB 39. Tiles of 20 KiB
 * and more leave room for only two groups on a unit, not three. */
#pragma once

#include "op/tuning.h"

#define SORT_TUNING(TUNED)                                                                                             \
    TUNED(size_t, quick, (size_t)1 << 15) /* elements for which a reader may block */                                  \
    /* elements of the longest row for networks, where vectors have 64 bytes, */                                       \
    TUNED(size_t, network_wide, 1024)                                                                                  \
    TUNED(size_t, network_narrow, 128) /* and where they have less */                                                  \
    /* elements of a row that all cores sort together, at least */                                                     \
    TUNED(size_t, cpu_row, IN_TESTS(1 << 10, 1 << 15))                                                                 \
    /* elements of a row that is not sorted to find a few of them, at least */                                         \
    TUNED(size_t, select_row, IN_TESTS(1 << 10, 1 << 13))                                                              \
    /* the fraction of a row that is worth extracting and sorting: one in this many */                                 \
    TUNED(size_t, select_few, 4)                                                                                       \
    /* of counts of all chunks, unless those of one chunk are more */                                                  \
    TUNED(size_t, count_bytes, (size_t)1 << 26)                                                                        \
    TUNED(size_t, bin_values, 4)    /* of a chunk for each bin, at least: a chunk clears and adds up all bins */       \
    TUNED(size_t, count_groups, 32) /* of a unit of a GPU, at most */                                                  \
    /* elements with weights: with fewer, one work-item for each chunk is as fast for few bins */                      \
    TUNED(size_t, least_added, (size_t)1 << 16)

DEFINE_TUNING(sort, SORT_TUNING,
              "CPUs: 2 cores of EPYCs and Xeons, AVX2 and AVX-512, under PoCL 3.1; GPUs: NVIDIA H200")
