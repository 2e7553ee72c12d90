/* What was measured for the matrix product on GPUs, beside the tilings, which stand with their kernels. */
#pragma once

#include "op/tuning.h"

/* The figures only have to tell a few large groups from many small ones. */
typedef struct matmul_gpu_tuning {
    tuning tuning;
    double start;        /* steps of k that take as long as beginning and ending a group */
    double sum_seconds;  /* the time of a second launch */
    double sum_bytes;    /* bytes of partial sums that are written and read in a second */
    double most_partial; /* bytes of partial sums, at most */
    size_t least_part;   /* tiles */
    size_t lines_most;   /* k up to which the writing of C by lines pays; it slows a longer loop over k */
    size_t sum_items;    /* work-items that keep a unit busy with adding up parts: a guess */
} matmul_gpu_tuning;

const matmul_gpu_tuning *matmul_gpu_tuned(const lun_device *device);
