/* What was measured for reductions, segments and scans, and where.
 *
 * Columns load a leaf while the one before is taken, as ptxas puts each load just before its only use. More registers
 * mean fewer work-items: leaves of 8 with twice the items beat leaves of 16 (var of columns 3055 and 2859 GB/s on an
 * H200).
 *
 * In one pass the time is the chain of blocks: a block's beginning is known 4 us after the one before. So rows of up
 * to 1024 parts go in one pass and longer ones in two. Blocks of 1024 parts, and groups that first sum a later part,
 * were slower on an H200.
 *
 * Groups of 128 with 16 values an item are best for scans on an H100; 8 values an item are up to a third slower,
 * groups of 512 too. */
#include "op/fold/fold_tuning.h"

static const fold_tuning rows[] = {
    {.tuning = {.found_on = "CPUs: 2 cores of EPYCs and Xeons, AVX2 and AVX-512, under PoCL 3.1; GPUs: NVIDIA H200"},
     .cpu_leaf = 8,
     .row_leaf = 32,
     .column_leaf = 8,
     .binned_leaf = 16,
     .binned_short_leaf = 8,
     .strip = 64,
     .binned_strip = 32,
     .joiners = 64,
     .joined = 8,
     .column_items = 64,
     .short_items = 64,
     .local_states = 24576,
     .row_leaves = 4,
     .binned_leaves = 16,
     .short_row = 32,
     .short_binned = 2048,
     .short_plain = 512,
     .few = 65536,
     .unit_short = 128,
     .unit_groups = 4,
     .unit_columns = 2048,
     .fused_row = 262144,
     .fused_kept = 65536,
     .fused_unit = 4,
     .fused_least = 4,
     .fused_lanes = 4,
     .fused_values = 16,
     .fused_most = 32,
     .fused_registers = 256,
     .array = {.alone = 1 << 20,
               .group = 1 << 17,
               .wide = 1 << 20,
               .least = 8,
               .most = 512,
               .merge = 1 << 15,
               .groups = 4,
               .long_items = 512,
               .long_groups = 2,
               .small = 1 << 16},
     .scan = {.quick = (size_t)1 << 19,
              .least_copied = 16384,
              .cpu_strip = 8,
              .unit_items = 2048,
              .column_part = 64,
              .few_items = 64,
              .many_items = 256,
              .short_bytes = 512,
              .most_parts = 1024},
     .segments = {.leaf = 8,
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
                  .least_columns = 8}},
};

const fold_tuning *fold_tuned(const lun_device *device) { return TUNING_FOR(device, rows); }
