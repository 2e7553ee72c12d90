/* What was measured for gravity, and where.
 *
 * On an H200 a pair met once takes 16 operations and a root, a pair met twice 24 and two roots. 4 bodies an item are
 * best in f32 (2 lose a tenth, 8 unrolled a quarter), 5 in f64 from 40,000 bodies on; groups that take several places
 * of the ring run alone at the end. */
#include "packages/nbody/nbody_tuning.h"

static const nbody_tuning rows[] = {
    {.tuning = {.found_on =
                    "CPUs: 2 cores of an AMD EPYC (Zen 3, AVX2) under PoCL 3.1, and 16 of an Intel Xeon (AVX-512) "
                    "under PoCL 5.0, whose cores have twice these rates; GPUs: NVIDIA H200. `plain` is a guess "
                    "between a GPU (3e9 a unit) and a core under PoCL (2e8), tree_gpu one for a hundred units"},
     .tiled = {{.tile = 768, .rows = 32, .rate = 3.4e9}, {.tile = 512, .rows = 32, .rate = 1.3e9}},
     .blocks = {{.block = 256, .each = 2, .rate = 1e10}, {.block = 256, .each = 1, .rate = 2e9}},
     .plain = {{.block = 64, .each = 1, .rate = 1e9}, {.block = 64, .each = 1, .rate = 5e8}},
     .few = {{.most = 512, .rate = 1e10}, {.most = 256, .rate = 3e9}},
     .pairs = {{{.most = 8192, .block = 64, .each = 2, .steps = 32, .rate = 1e10},
                {.most = 20000, .block = 64, .each = 4, .steps = 32, .rate = 2e10},
                {.block = 256, .each = 4, .steps = 32, .rate = 2.3e10}},
               {{.most = 8192, .block = 64, .each = 2, .steps = 4, .rate = 5e9},
                {.most = 40000, .block = 128, .each = 4, .steps = 4, .rate = 1e10},
                {.block = 128, .each = 5, .steps = 4, .rate = 1e10}}},
     .tree_cpu = {{.targets = 32, .unit = 8, .rate = 3e5, .least = IN_TESTS(2, 12000)},
                  {.targets = 32, .unit = 8, .rate = 1.5e5, .least = IN_TESTS(2, 12000)}},
     .tree_gpu = {{.targets = 64, .unit = 1, .rate = 2e6, .least = 60000},
                  {.targets = 64, .unit = 1, .rate = 5e5, .least = 40000}},
     .loaded = 4096,
     .stored = 1024,
     .kicked = 192,
     .looked = 1024,
     .keyed = 4096,
     .celled = 512,
     .field = 1 << 16,
     .shared = 2e4,
     .units_apart = 16384,
     .alone = 1024, /* with more, launches that all groups share take less time, on two cores already */
     .own_few = 64,
     .own_items = 256,
     .gpu_tile = 128,
     .core_tiles = 8,
     .least_tile = 256,
     .worker_units = 16,
     .worker_bodies = 8,
     .worker_bytes = (size_t)64 << 20,
     .part_bytes = (size_t)1 << 29,
     .core_groups = 4,
     .pairs_launch = 0.02,
     .walk_launch = 0.1,
     .field_launch = 0.1,
     .core_start = 5e-6,
     .kick = 5e-6,
     .advanced = 2e-7,
     .step = 2e-6,
     .body = 5e-8,
     .wide_body = 100,
     /* The rate of a variant (force->rate) is that of kernels that meet each pair of bodies once, for both of them, and take a
      * quick root. Those of integrators meet a pair twice, once for each body, and take an exact root. */
     .exact = 0.25},
};

const nbody_tuning *nbody_tuned(const lun_device *device) { return TUNING_FOR(device, rows); }
