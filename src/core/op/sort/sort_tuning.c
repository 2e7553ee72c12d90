/* What was measured for sorting, selecting and counting, and where.
 *
 * G keys/s of 2^26 i32 on an H200: passes by 4 bits 4.4, `bytes` 33, `once` 35, `nvidia` 41, CUB 39. Tiles of 20 KiB
 * and more leave room for two groups to a unit in place of three. */
#include "op/sort/sort_tuning.h"

static const sort_tuning rows[] = {
    {.tuning = {.found_on = "CPUs: 2 cores of EPYCs and Xeons, AVX2 and AVX-512, under PoCL 3.1; GPUs: NVIDIA H200"},
     .quick = (size_t)1 << 15,
     .network_wide = 1024,
     .network_narrow = 128,
     .cpu_row = IN_TESTS(1 << 10, 1 << 15),
     .select_row = IN_TESTS(1 << 10, 1 << 13),
     .select_few = 4,
     .count_bytes = (size_t)1 << 26,
     .bin_values = 4,
     .count_groups = 32,
     .least_added = (size_t)1 << 16},
};

const sort_tuning *sort_tuned(const lun_device *device) { return TUNING_FOR(device, rows); }
