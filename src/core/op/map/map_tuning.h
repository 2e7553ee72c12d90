/* What was measured for elementwise functions. */
#pragma once

#include "op/tuning.h"

typedef struct map_tuning {
    tuning tuning;
    size_t lay_out_from; /* elements: below, one more launch costs more than scattered reads */
    size_t lay_out_run;  /* neighbours that scattered reads leave unused at least */
    size_t cpu_row;      /* elements from which stores past the cache are worth their alignment */
    size_t gpu_columns;  /* elements of a row, at least, in which work-items of a GPU lie */
    size_t gpu_rows; /* rows of a work-item; with a five-point stencil of slices 2 to 4 are alike, 1 and 8 lose 15 % */
} map_tuning;

const map_tuning *map_tuned(const lun_device *device);
