/* What was measured for choosing elements by an index, and where. */
#include "op/index/index_tuning.h"

static const index_tuning rows[] = {
    {.tuning = {.found_on = "CPUs: 2 cores of EPYCs and Xeons, AVX2 and AVX-512, under PoCL 3.1; GPUs: NVIDIA H200"},
     .quick = (size_t)1 << 19,
     .add_spread = 2048,
     .add_groups = 32,
     .fixed_elements = 2},
};

const index_tuning *index_tuned(const lun_device *device) { return TUNING_FOR(device, rows); }
