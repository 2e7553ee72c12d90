/* Sorting: declarations shared by the room's operations. */
#pragma once

#include "abi/sort.h"
#include "op/variant.h"

/* The problem of variants that sort: dense rows of `count` elements. */
typedef struct sort_problem {
    lun_array in;                        /* dense */
    const lun_array *values, *positions; /* dense, and sorted; the positions are i64, from 1. NULL: not needed */
    size_t rows, count;
    bool descending;
} sort_problem;

/* The rows for quantiles: sorted ones, or the selected elements, followed by NaN if the row contains one. */
typedef struct select_found {
    lun_block *rows;
    int64_t offset;
    size_t count; /* elements of a row here */
    bool picked;
} select_found;

/* The problem of variants that select: dense rows of `count` elements; and either `found`, or values, positions or
 * both. */
typedef struct select_problem {
    lun_array in; /* dense, and its last axis is a row */
    size_t rows, count;
    bool descending;
    size_t targets;      /* the number of requested positions in the sorted order, at most SELECT_TARGETS: */
    const size_t *at;    /* from 0; for values and positions the last one of the result */
    select_found *found; /* set by the chosen variant */
    const lun_array *values, *positions; /* the first ones, sorted, as for sort_plan */
} select_problem;

/* A view of the array with that axis as the last one. */
lun_array sort_axis_last(const lun_array *array, int axis);
/* So few elements that a reader may block for the operation. */
void sort_quick(operation *op, size_t elements);
/* The time on one core for sorting `elements`, or for finding the positions of that many in a sorted array of
 * `among`. */
double sort_weight(size_t elements, size_t among);
/* The dtype of means of such elements: f64 for integers, where the device has it. */
lun_dtype sort_real(const lun_device *device, lun_dtype dtype);
/* Appends the sorting of the last axis of a dense array, which has elements, to results like problem->values. */
lun_status sort_plan(plan *p, const sort_problem *problem, const char *name, lun_error *err);
/* Copies scratch memory to the result, which may have fewer elements of each row. */
lun_status sort_give_first(plan *p, const lun_array *result, const lun_array *dense, lun_error *err);
/* LUN_MISUSE unless the array has that axis. */
lun_status sort_check_axis(const lun_array *array, int axis, lun_error *err);
/* LUN_MISUSE unless `out`, a live array, has that dtype and shape and shares no element with the array. */
lun_status sort_check_out(const lun_array *out, const lun_array *in, lun_dtype dtype, int ndim, const size_t *shape,
                          lun_error *err);
