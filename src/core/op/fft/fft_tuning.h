/* What was measured for Fourier transforms, and where. */
#pragma once

#include "op/tuning.h"

#define FFT_TUNING(TUNED)                                                                                              \
    TUNED(size_t, cpu_longest, 4096)      /* line that a CPU's work-item transforms in one step, */                    \
    TUNED(size_t, cpu_alone, 2048)        /* and that without neighbours */                                            \
    TUNED(size_t, gpu_longest_c64, 16384) /* line of c64 that a group of a GPU transforms in one step, */              \
    TUNED(size_t, gpu_longest_c128, 4096) /* and of c128, */                                                           \
    TUNED(size_t, gpu_across, 1024)       /* that of lines that lie side by side, */                                   \
    TUNED(size_t, gpu_alone, 4096)        /* and that where there are fewer lines than compute units; */               \
    TUNED(size_t, gpu_most, 1024)         /* of each step of longer lines, so that a group has neighbouring lines */   \
    TUNED(size_t, gpu_wide, 128)          /* bytes of such neighbours, */                                              \
    TUNED(size_t, gpu_group, 128)         /* work-items of a group, or more for such lines, */                         \
    TUNED(size_t, gpu_items, 512)         /* but at most so many, */                                                   \
    TUNED(size_t, gpu_held, 16)           /* numbers of a work-item; twice as many where nothing else is possible */   \
    TUNED(double, gpu_heavy, 1.25)        /* what a pass costs then */                                                 \
    TUNED(size_t, gpu_groups, (size_t)1 << 20) /* of a launch, at most: they go on to further lines */                 \
    TUNED(size_t, direct_taps, 64)             /* of a kernel that is convolved with directly, at most; */             \
    TUNED(double, direct_products, 65536)      /* or of all products there */

DEFINE_TUNING(fft, FFT_TUNING, "CPUs: 2 cores of an EPYC, AVX-512, under PoCL 3.1; GPUs: NVIDIA H200")
