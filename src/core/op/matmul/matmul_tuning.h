/* What was measured for the matrix product on GPUs, and where, beside the tilings, which are with their kernels. */
#pragma once

#include "op/tuning.h"

/* The figures only have to tell a few large groups from many small ones. */
#define MATMUL_GPU_TUNING(TUNED)                                                                                       \
    TUNED(double, start, 48)          /* steps of k that take as long as beginning and ending a group */               \
    TUNED(double, sum_seconds, 4e-6)  /* the time of a second launch */                                                \
    TUNED(double, sum_bytes, 2e12)    /* bytes of partial sums that are written and read in a second */                \
    TUNED(double, most_partial, 64e6) /* bytes of partial sums, at most */                                             \
    TUNED(size_t, least_part, 4)      /* tiles */                                                                      \
    /* k up to which the writing of C by lines pays; it slows a longer loop over k */                                  \
    TUNED(size_t, lines_most, 256)                                                                                     \
    TUNED(size_t, sum_items, 512) /* work-items that keep a unit busy with adding up parts: a guess */

DEFINE_TUNING(matmul_gpu, MATMUL_GPU_TUNING, "NVIDIA H200")
