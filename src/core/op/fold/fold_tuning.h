/* What was measured for reductions, segments and scans. */
#pragma once

#include "op/tuning.h"

/* Of arrays as they are, reduced on a CPU: the figures follow from the cost of a launch, from the caches, and from how PoCL deals
 * out groups: a thread that asks gets its core's share of the groups that are left, but at most 32 for each core. On a GPU: from
 * groups to a unit on. */
typedef struct reduce_tuning {
    size_t alone;  /* bytes that one work-item reduces alone: waking another thread costs 10 to 30 us */
    size_t group;  /* bytes of a group, unless that makes too few or too many groups */
    size_t wide;   /* bytes of a group that reduces columns: more, as it leaves many partial results */
    size_t least;  /* groups per core, at least: so others can help a thread that falls behind */
    size_t most;   /* groups per core, at most: more would cost time for each */
    size_t merge;  /* elements of the input from which narrow columns are merged into wide ones */
    size_t groups; /* to a unit: as many as run at once, so that all end together */
    size_t long_items,
        long_groups; /* items of a group and groups to a unit where an NVIDIA GPU walks through few long rows */
    size_t small;    /* bytes that one group sums up sooner than several groups could, which have to join their parts */
} reduce_tuning;

/* Of scans of arrays as they are. */
typedef struct scan_tuning {
    size_t quick;        /* elements that a reader may as well block for */
    size_t least_copied; /* elements from which a view is copied whose lines lie neither as rows nor as columns */
    size_t cpu_strip;    /* vectors of a strip, at least */
    size_t unit_items;   /* work-items that keep a unit of a GPU busy */
    size_t column_part;  /* elements of a part of a column on a GPU, at least */
    size_t few_items;    /* work-items of a group, for rows of some hundred elements, */
    size_t many_items;   /* and for longer ones */
    size_t short_bytes;  /* a row of less is scanned by one work-item: SCAN_GPU_ITEMS of them fit in 32 KiB */
    size_t
        most_parts; /* of a line scanned in one launch: beyond, groups that run at once wait too long for what they begin with */
} scan_tuning;

/* Of segments, and of scans by generated kernels. */
typedef struct segments_tuning {
    size_t leaf;          /* values that are combined before they join others */
    size_t cpu_part;      /* elements of a part, at least */
    size_t cpu_parts;     /* for each unit */
    size_t cpu_strip;     /* columns of a work-item */
    size_t gpu_part;      /* as of a CPU, where each part is of one work-item */
    size_t gpu_parts;     /* likewise */
    size_t reduce_items;  /* of a group that takes a part together, */
    size_t scan_items;    /* and that scans one: with 256 scans take 1.1 to 1.3 times as long (H100), */
    size_t short_items;   /* and a short line fits in less */
    size_t group_bytes;   /* of the values of a work-item */
    size_t least_grouped; /* elements of a line from which a group takes a part of it */
    size_t least_columns; /* from which lines are done side by side */
} segments_tuning;

/* Of expressions, and of all: one row for each kind of device. */
typedef struct fold_tuning {
    tuning tuning;
    size_t cpu_leaf;          /* values, or vectors of them, that are combined before they join others, on a CPU; */
    size_t row_leaf;          /* of a work-item's row on a GPU, */
    size_t column_leaf;       /* of a column, whose loads are single elements, */
    size_t binned_leaf;       /* where there are sums in bins, which are registers too, */
    size_t binned_short_leaf; /* and of short rows with them */
    size_t strip;             /* vectors of columns that a CPU's work-item reduces side by side, at most, */
    size_t binned_strip;      /* and where sums are in bins */
    size_t joiners;           /* work-items of a group that joins the parts of outputs on a GPU, and */
    size_t joined;            /* parts that one of them joins */
    size_t column_items;      /* of a group for columns */
    size_t short_items;       /* of a group for short rows */
    size_t local_states;      /* bytes of states in bins, or of values of short rows, that a group has, at most */
    size_t row_leaves;        /* that a work-item of a row has to do, at least, */
    size_t binned_leaves;     /* and with bins, whose states take long to join */
    size_t short_row;         /* elements: below, a work-item to each output reads better */
    size_t short_binned;      /* elements of rows with bins, and */
    size_t short_plain;       /* without, of which fewer have a work-item, where */
    size_t
        unit_short; /* rows to a unit are enough: of 2^27 elements, rows of 128 take 0.42 of the time so, rows of 1000 1.3 of it */
    size_t few;         /* elements of views of arrays that are reduced plainly: a program built in 0.5 s, not in 1.2 */
    size_t unit_groups; /* groups of FOLD_ITEMS that keep a unit busy */
    size_t unit_columns; /* work-items of columns that do, each of which loads a leaf ahead */
    size_t fused_row;   /* bytes of a row of all arrays that a CPU's work-item goes through again and again, at most, */
    size_t fused_kept;  /* of what it keeps of it, */
    size_t fused_unit;  /* and rows to a unit, at least */
    size_t fused_least; /* elements of a row that is computed whole on a GPU, at least; */
    size_t fused_lanes; /* work-items that it has, at least, a power of 2; */
    size_t fused_values;    /* elements that a work-item has, where a group is large enough, */
    size_t fused_most;      /* that it keeps in registers, at most, and */
    size_t fused_registers; /* bytes of them */
    reduce_tuning array;
    scan_tuning scan;
    segments_tuning segments;
} fold_tuning;

const fold_tuning *fold_tuned(const lun_device *device);
