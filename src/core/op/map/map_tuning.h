/* What was measured for elementwise functions, and where.
 *
 * Unaligned vectors lie a group's width apart, so that neighbours read neighbours, and three rows go to a work-item
 * one after the other: five slices of a heat step 2163 GB/s without both, 3270 with them, on an H200. */
#pragma once

#include "op/tuning.h"

#define MAP_TUNING(TUNED)                                                                                              \
    TUNED(size_t, lay_out_from, 65536) /* elements: below, one more launch costs more than scattered reads */          \
    TUNED(size_t, lay_out_run, 8)      /* neighbours that scattered reads leave unused at least */                     \
    TUNED(size_t, cpu_row, 64)         /* elements from which stores past the cache are worth their alignment */       \
    TUNED(size_t, gpu_columns, 128)    /* elements of a row, at least, in which work-items of a GPU lie */             \
    /* rows of a work-item; with a five-point stencil of slices 2 to 4 are alike, 1 and 8 lose 15 % */                 \
    TUNED(size_t, gpu_rows, 3)

DEFINE_TUNING(map, MAP_TUNING, "CPUs: 2 cores of EPYCs and Xeons, AVX2 and AVX-512, under PoCL 3.1; GPUs: NVIDIA H200")
