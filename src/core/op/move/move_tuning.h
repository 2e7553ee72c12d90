/* What was measured for transposes, copies and triangles. */
#pragma once

#include "op/tuning.h"

typedef struct move_tuning {
    tuning tuning;
    size_t cpu_alone;        /* bytes of a matrix that a single work-item transposes */
    size_t few_tiles;        /* of a row of src on a GPU: no more are one band */
    size_t far;              /* bytes between rows of src from which far_band counts */
    size_t thin_bytes;       /* of a line of dst at most: longer ones fill the tiles of transpose_gpu */
    size_t thin_alike;       /* rows: of a multiple, neighbouring work-items would store to few banks of local memory */
    size_t long_row;         /* items of a row to copy that use most of a group */
    size_t triangle_columns; /* in shorter rows a run is over before it is quick */
    size_t triangle_row;     /* bytes from which stores past the cache are worth their alignment */
} move_tuning;

const move_tuning *move_tuned(const lun_device *device);
