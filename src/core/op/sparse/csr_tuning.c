/* What was measured for sparse matrices, and where.
 *
 * On an H100 what an item keeps in local memory costs reads under way, as each of those holds a line of the same near
 * cache: 65 bytes an item in place of 101 made f64 products of random rows 1.7 times as fast. Larger groups, more
 * steps an item and cache hints brought nothing. */
#include "op/sparse/csr.h"

static const csr_tuning rows[] = {
    {.tuning = {.found_on = "CPUs: 2 cores of a Xeon, AVX-512, under PoCL 3.1; of GPUs: guessed"},
     .cpu_wide = 8192,
     .wide = 2048,
     .cpu_steps = IN_TESTS(64, 32768),
     .plain_steps = IN_TESTS(16, 128),
     .check = 4096,
     .merge = 1024,
     .build = IN_TESTS(64, 16384),
     .cut = IN_TESTS(4, 1024)},
};

const csr_tuning *csr_tuned(const lun_device *device) { return TUNING_FOR(device, rows); }
