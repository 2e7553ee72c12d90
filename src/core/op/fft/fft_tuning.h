/* What was measured for Fourier transforms. */
#pragma once

#include "op/tuning.h"

typedef struct fft_tuning {
    tuning tuning;
    size_t cpu_longest;     /* line that a CPU's work-item transforms in one step, */
    size_t cpu_alone;       /* and that without neighbours */
    size_t gpu_longest[2];  /* line of c64 and of c128 that a group of a GPU transforms in one step, */
    size_t gpu_across;      /* that of lines that lie side by side, */
    size_t gpu_alone;       /* and that where there are fewer lines than compute units; */
    size_t gpu_most;        /* of each step of longer lines, so that a group has neighbouring lines */
    size_t gpu_wide;        /* bytes of such neighbours, */
    size_t gpu_group;       /* work-items of a group, or more for such lines, */
    size_t gpu_items;       /* but at most so many, */
    size_t gpu_held;        /* numbers of a work-item; twice as many where nothing else is possible */
    double gpu_heavy;       /* what a pass costs then */
    size_t gpu_groups;      /* of a launch, at most: they go on to further lines */
    size_t direct_taps;     /* of a kernel that is convolved with directly, at most; */
    double direct_products; /* or of all products there */
} fft_tuning;

const fft_tuning *fft_tuned(const lun_device *device);
