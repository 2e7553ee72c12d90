/* What was measured for reductions of expressions, and where.
 *
 * Columns load a leaf while the one before is taken, as ptxas puts each load just before its only use. More registers
 * mean fewer work-items: leaves of 8 with twice the items beat leaves of 16 (var of columns 3055 and 2859 GB/s on an
 * H200). */
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
     .fused_registers = 256},
};

const fold_tuning *fold_tuned(const lun_device *device) { return TUNING_FOR(device, rows); }
