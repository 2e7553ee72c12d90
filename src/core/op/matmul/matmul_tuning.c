/* What was measured for the matrix product on GPUs, and where. */
#include "op/matmul/matmul_tuning.h"

static const matmul_gpu_tuning on_gpu[] = {
    {.tuning = {.found_on = "NVIDIA H200"},
     .start = 48,
     .sum_seconds = 4e-6,
     .sum_bytes = 2e12,
     .most_partial = 64e6,
     .least_part = 4,
     .lines_most = 256,
     .sum_items = 512},
};

const matmul_gpu_tuning *matmul_gpu_tuned(const lun_device *device) { return TUNING_FOR(device, on_gpu); }
