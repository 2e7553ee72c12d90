/* What was measured for Fourier transforms, and where. */
#include "op/fft/fft_tuning.h"

static const fft_tuning rows[] = {
    {.tuning = {.found_on = "CPUs: 2 cores of an EPYC, AVX-512, under PoCL 3.1; GPUs: NVIDIA H200"},
     .cpu_longest = 4096,
     .cpu_alone = 2048,
     .gpu_longest = {16384, 4096},
     .gpu_across = 1024,
     .gpu_alone = 4096,
     .gpu_most = 1024,
     .gpu_wide = 128,
     .gpu_group = 128,
     .gpu_items = 512,
     .gpu_held = 16,
     .gpu_heavy = 1.25,
     .gpu_groups = (size_t)1 << 20,
     .direct_taps = 64,
     .direct_products = 65536},
};

const fft_tuning *fft_tuned(const lun_device *device) { return TUNING_FOR(device, rows); }
