/* What was measured for Fourier transforms. */
#ifndef LUN_FFT_TUNING_H
#define LUN_FFT_TUNING_H

#include "op/tuning.h"

typedef struct fft_tuning {
    tuning tuning;
    size_t cpu_longest; /* line that a CPU's work-item transforms in one step, */
    size_t cpu_alone;   /* and that without neighbours */
    size_t gpu_numbers; /* of 4-byte parts that a group has in local memory */
    size_t gpu_most;    /* of each step of longer lines, so that a group has neighbouring lines */
    size_t gpu_groups;  /* of a launch, at most: they go on to further lines */
} fft_tuning;

const fft_tuning *fft_tuned(const lun_device *device);

#endif
