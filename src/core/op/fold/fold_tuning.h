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
#pragma once

#include "op/tuning.h"

/* Of arrays as they are, reduced on a CPU: the figures follow from the cost of a launch, from the caches, and from how PoCL deals
 * out groups: a thread that asks gets its core's share of the groups that are left, but at most 32 for each core. On a GPU: from
 * groups to a unit on. */
#define REDUCE_TUNING(TUNED)                                                                                           \
    /* bytes that one work-item reduces alone: waking another thread costs 10 to 30 us */                              \
    TUNED(size_t, alone, 1 << 20)                                                                                      \
    TUNED(size_t, group, 1 << 17) /* bytes of a group, unless that makes too few or too many groups */                 \
    /* bytes of a group that reduces columns: more, as it leaves many partial results */                               \
    TUNED(size_t, wide, 1 << 20)                                                                                       \
    TUNED(size_t, least, 8)  /* groups per core, at least: so others can help a thread that falls behind */            \
    TUNED(size_t, most, 512) /* groups per core, at most: more would cost time for each */                             \
    /* elements of the input from which narrow columns are merged into wide ones */                                    \
    TUNED(size_t, merge, 1 << 15)                                                                                      \
    TUNED(size_t, groups, 4) /* to a unit: as many as run at once, so that all end together */                         \
    /* items of a group and groups to a unit where an NVIDIA GPU walks through few long rows */                        \
    TUNED(size_t, long_items, 512)                                                                                     \
    TUNED(size_t, long_groups, 2)                                                                                      \
    /* bytes that one group sums up sooner than several groups could, which have to join their parts */                \
    TUNED(size_t, small, 1 << 16)

typedef struct reduce_tuning {
    REDUCE_TUNING(TUNING_FIELD)
} reduce_tuning;

/* Of scans of arrays as they are. */
#define SCAN_TUNING(TUNED)                                                                                             \
    TUNED(size_t, quick, (size_t)1 << 19) /* elements that a reader may as well block for */                           \
    /* elements from which a view is copied whose lines lie neither as rows nor as columns */                          \
    TUNED(size_t, least_copied, 16384)                                                                                 \
    TUNED(size_t, cpu_strip, 8)     /* vectors of a strip, at least */                                                 \
    TUNED(size_t, unit_items, 2048) /* work-items that keep a unit of a GPU busy */                                    \
    TUNED(size_t, column_part, 64)  /* elements of a part of a column on a GPU, at least */                            \
    TUNED(size_t, few_items, 64)    /* work-items of a group, for rows of some hundred elements, */                    \
    TUNED(size_t, many_items, 256)  /* and for longer ones */                                                          \
    /* a row of less is scanned by one work-item: SCAN_GPU_ITEMS of them fit in 32 KiB */                              \
    TUNED(size_t, short_bytes, 512)                                                                                    \
    /* of a line scanned in one launch: beyond, groups that run at once wait too long for what they begin with */      \
    TUNED(size_t, most_parts, 1024)

typedef struct scan_tuning {
    SCAN_TUNING(TUNING_FIELD)
} scan_tuning;

/* Of segments, and of scans by generated kernels. */
#define SEGMENTS_TUNING(TUNED)                                                                                         \
    TUNED(size_t, leaf, 8)           /* values that are combined before they join others */                            \
    TUNED(size_t, cpu_part, 4096)    /* elements of a part, at least */                                                \
    TUNED(size_t, cpu_parts, 8)      /* for each unit */                                                               \
    TUNED(size_t, cpu_strip, 128)    /* columns of a work-item */                                                      \
    TUNED(size_t, gpu_part, 64)      /* as of a CPU, where each part is of one work-item */                            \
    TUNED(size_t, gpu_parts, 256)    /* likewise */                                                                    \
    TUNED(size_t, reduce_items, 256) /* of a group that takes a part together, */                                      \
    /* and that scans one: with 256 scans take 1.1 to 1.3 times as long (H100), */                                     \
    TUNED(size_t, scan_items, 128)                                                                                     \
    TUNED(size_t, short_items, 64)   /* and a short line fits in less */                                               \
    TUNED(size_t, group_bytes, 64)   /* of the values of a work-item */                                                \
    TUNED(size_t, least_grouped, 64) /* elements of a line from which a group takes a part of it */                    \
    TUNED(size_t, least_columns, 8)  /* from which lines are done side by side */

typedef struct segments_tuning {
    SEGMENTS_TUNING(TUNING_FIELD)
} segments_tuning;

/* Of expressions, and of all: one row for each kind of device. */
#define FOLD_TUNING(TUNED)                                                                                             \
    /* values, or vectors of them, that are combined before they join others, on a CPU; */                             \
    TUNED(size_t, cpu_leaf, 8)                                                                                         \
    TUNED(size_t, row_leaf, 32)         /* of a work-item's row on a GPU, */                                           \
    TUNED(size_t, column_leaf, 8)       /* of a column, whose loads are single elements, */                            \
    TUNED(size_t, binned_leaf, 16)      /* where there are sums in bins, which are registers too, */                   \
    TUNED(size_t, binned_short_leaf, 8) /* and of short rows with them */                                              \
    TUNED(size_t, strip, 64)            /* vectors of columns that a CPU's work-item reduces side by side, at most, */ \
    TUNED(size_t, binned_strip, 32)     /* and where sums are in bins */                                               \
    TUNED(size_t, joiners, 64)          /* work-items of a group that joins the parts of outputs on a GPU, and */      \
    TUNED(size_t, joined, 8)            /* parts that one of them joins */                                             \
    TUNED(size_t, column_items, 64)     /* of a group for columns */                                                   \
    TUNED(size_t, short_items, 64)      /* of a group for short rows */                                                \
    /* bytes of states in bins, or of values of short rows, that a group has, at most */                               \
    TUNED(size_t, local_states, 24576)                                                                                 \
    TUNED(size_t, row_leaves, 4)      /* that a work-item of a row has to do, at least, */                             \
    TUNED(size_t, binned_leaves, 16)  /* and with bins, whose states take long to join */                              \
    TUNED(size_t, short_row, 32)      /* elements: below, a work-item to each output reads better */                   \
    TUNED(size_t, short_binned, 2048) /* elements of rows with bins, and */                                            \
    TUNED(size_t, short_plain, 512)   /* without, of which fewer have a work-item, where */                            \
    /* rows to a unit are enough: of 2^27 elements, rows of 128 take 0.42 of the time so, rows of 1000 1.3 of it */    \
    TUNED(size_t, unit_short, 128)                                                                                     \
    /* elements of views of arrays that are reduced plainly: a program built in 0.5 s, not in 1.2 */                   \
    TUNED(size_t, few, 65536)                                                                                          \
    TUNED(size_t, unit_groups, 4)     /* groups of FOLD_ITEMS that keep a unit busy */                                 \
    TUNED(size_t, unit_columns, 2048) /* work-items of columns that do, each of which loads a leaf ahead */            \
    /* bytes of a row of all arrays that a CPU's work-item goes through again and again, at most, */                   \
    TUNED(size_t, fused_row, 262144)                                                                                   \
    TUNED(size_t, fused_kept, 65536)    /* of what it keeps of it, */                                                  \
    TUNED(size_t, fused_unit, 4)        /* and rows to a unit, at least */                                             \
    TUNED(size_t, fused_least, 4)       /* elements of a row that is computed whole on a GPU, at least; */             \
    TUNED(size_t, fused_lanes, 4)       /* work-items that it has, at least, a power of 2; */                          \
    TUNED(size_t, fused_values, 16)     /* elements that a work-item has, where a group is large enough, */            \
    TUNED(size_t, fused_most, 32)       /* that it keeps in registers, at most, and */                                 \
    TUNED(size_t, fused_registers, 256) /* bytes of them */                                                            \
    TUNED(reduce_tuning, array, {REDUCE_TUNING(TUNING_VALUE)})                                                         \
    TUNED(scan_tuning, scan, {SCAN_TUNING(TUNING_VALUE)})                                                              \
    TUNED(segments_tuning, segments, {SEGMENTS_TUNING(TUNING_VALUE)})

DEFINE_TUNING(fold, FOLD_TUNING,
              "CPUs: 2 cores of EPYCs and Xeons, AVX2 and AVX-512, under PoCL 3.1; GPUs: NVIDIA H200")
