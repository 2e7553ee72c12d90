/* What was measured for segments and scans by generated kernels, and where.
 *
 * Groups of 128 with 16 values an item are best for scans on an H100; 8 values an item are up to a third slower,
 * groups of 512 too. */
#include "op/fold/segments_tuning.h"

static const segments_tuning rows[] = {
    {.tuning = {.found_on = "CPUs: 2 cores of EPYCs and Xeons, AVX2 and AVX-512, under PoCL 3.1; GPUs: NVIDIA H200"},
     .leaf = 8,
     .cpu_part = 4096,
     .cpu_parts = 8,
     .cpu_strip = 128,
     .gpu_part = 64,
     .gpu_parts = 256,
     .reduce_items = 256,
     .scan_items = 128,
     .short_items = 64,
     .group_bytes = 64,
     .least_grouped = 64,
     .least_columns = 8},
};

const segments_tuning *segments_tuned(const lun_device *device) { return TUNING_FOR(device, rows); }
