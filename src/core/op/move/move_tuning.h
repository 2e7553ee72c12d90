/* What was measured for transposes, copies and triangles, and where. */
#pragma once

#include "op/tuning.h"

#define MOVE_TUNING(TUNED)                                                                                             \
    TUNED(size_t, cpu_alone, 1 << 16) /* bytes of a matrix that a single work-item transposes */                       \
    TUNED(size_t, few_tiles, 16)      /* of a row of src on a GPU: no more are one band */                             \
    TUNED(size_t, far, 128 << 10)     /* bytes between rows of src from which far_band counts */                       \
    TUNED(size_t, thin_bytes, 160)    /* of a line of dst at most: longer ones fill the tiles of transpose_gpu */      \
    /* rows: of a multiple, neighbouring work-items would store to few banks of local memory */                        \
    TUNED(size_t, thin_alike, 8)                                                                                       \
    TUNED(size_t, long_row, 384)        /* items of a row to copy that use most of a group */                          \
    TUNED(size_t, triangle_columns, 32) /* in shorter rows a run is over before it is quick */                         \
    TUNED(size_t, triangle_row, 1024)   /* bytes from which stores past the cache are worth their alignment */

DEFINE_TUNING(move, MOVE_TUNING,
              "CPUs: 2 cores of EPYCs and Xeons, AVX2 and AVX-512, under PoCL 3.1; GPUs: NVIDIA H200")
