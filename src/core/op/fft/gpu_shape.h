/* How a group of a GPU transforms lines. */
#pragma once

#include "op/fft/fft.h"
#include "op/fft/fft_tuning.h"

typedef struct fft_gpu_shape {
    unsigned radices[FFT_RADICES];
    size_t passes;
    size_t items; /* of a line */
    size_t held;  /* numbers of a work-item */
    size_t lines; /* of a group */
    size_t parts; /* of a line, of which local memory holds one at a time */
    bool together, padded;
} fft_gpu_shape;

/* For lines of n numbers, n being fft_is_smooth. `across`: neighbouring work-items read or write neighbouring lines, of which there
 * are `lanes` at each of `places`. */
lun_status fft_gpu_shape_for(fft_gpu_shape *out, lun_device *device, lun_dtype dtype, size_t n, bool across,
                             size_t lanes, size_t places, lun_error *err);
/* The longest line of a group. */
size_t fft_gpu_longest(const lun_device *device, lun_dtype dtype);
