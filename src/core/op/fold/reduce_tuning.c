/* What was measured for reductions, and where. */
#include "op/fold/reduce_tuning.h"

static const reduce_cpu_tuning on_cpu[] = {
    {.tuning = {.found_on = "2 cores of a Xeon with AVX-512, and of an EPYC with AVX2, under PoCL 3.1"},
     .alone = 1 << 20,
     .group = 1 << 17,
     .wide = 1 << 20,
     .least = 8,
     .most = 512,
     .merge = 1 << 15},
};

static const reduce_gpu_tuning on_gpu[] = {
    {.tuning = {.found_on = "NVIDIA H200"}, .groups = 4, .long_items = 512, .long_groups = 2, .small = 1 << 16},
};

const reduce_cpu_tuning *reduce_cpu_tuned(const lun_device *device) { return TUNING_FOR(device, on_cpu); }
const reduce_gpu_tuning *reduce_gpu_tuned(const lun_device *device) { return TUNING_FOR(device, on_gpu); }
