/* What was measured for scans, and where.
 *
 * In one pass the time is the chain of blocks: a block's beginning is known 4 us after the one before. So rows of up
 * to 1024 parts go in one pass and longer ones in two. Blocks of 1024 parts, and groups that first sum a later part,
 * were slower on an H200. */
#include "op/fold/scan_tuning.h"

static const scan_tuning rows[] = {
    {.tuning = {.found_on = "CPUs: 2 cores of EPYCs and Xeons, AVX2 and AVX-512, under PoCL 3.1; GPUs: NVIDIA H200"},
     .quick = (size_t)1 << 19,
     .least_copied = 16384,
     .plain_part = 4096,
     .plain_parts = 256,
     .cpu_strip = 8,
     .unit_items = 2048,
     .column_part = 64,
     .few_items = 64,
     .many_items = 256,
     .short_bytes = 512,
     .most_parts = 1024},
};

const scan_tuning *scan_tuned(const lun_device *device) { return TUNING_FOR(device, rows); }
