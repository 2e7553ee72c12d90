/* What was measured for elementwise functions, and where; bench/NOTES.md has the steps. */
#include "op/map/map_tuning.h"

static const map_tuning rows[] = {
    {.tuning = {.found_on = "CPUs: 2 cores of EPYCs and Xeons, AVX2 and AVX-512, under PoCL 3.1; GPUs: NVIDIA H200"},
     .lay_out_from = 65536,
     .lay_out_run = 8,
     .cpu_row = 64,
     .gpu_columns = 128,
     .gpu_rows = 3},
};

const map_tuning *map_tuned(const lun_device *device) { return TUNING_FOR(device, rows); }
