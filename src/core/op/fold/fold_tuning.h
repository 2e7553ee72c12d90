/* What was measured for reductions of expressions. */
#ifndef LUN_FOLD_TUNING_H
#define LUN_FOLD_TUNING_H

#include "op/tuning.h"

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
} fold_tuning;

const fold_tuning *fold_tuned(const lun_device *device);

#endif
