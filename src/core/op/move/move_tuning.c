/* What was measured for transposes, copies and triangles, and where. */
#include "op/move/move_tuning.h"

static const move_tuning rows[] = {
    {.tuning = {.found_on = "CPUs: 2 cores of EPYCs and Xeons, AVX2 and AVX-512, under PoCL 3.1; GPUs: NVIDIA H200"},
     .cpu_alone = 1 << 16,
     .few_tiles = 16,
     .far = 128 << 10,
     .thin_bytes = 160,
     .thin_alike = 8,
     .long_row = 384,
     .triangle_columns = 32,
     .triangle_row = 1024},
};

const move_tuning *move_tuned(const lun_device *device) { return TUNING_FOR(device, rows); }
